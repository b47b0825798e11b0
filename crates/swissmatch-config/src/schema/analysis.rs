//! Keys of `[analysis]`.
//!
//! May not: know layers or files.

use serde_json::json;

use super::{Key, key};
use crate::kind::{ValueKind, arguments, choice, depth, nodes, or, time, uci_options, whole};
use crate::value::{Value, quoted};
use swissmatch_tournament::setup::Setup;

/// Keys on the reference engine of `swissmatch analyse`, and the use of its evaluations. The log has the keys of each analysis beside it,
/// so all of them may change.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            analysis.command,
            command(),
            "Reference engine of `swissmatch analyse`: looked up beside swissmatch, then in PATH; or an absolute path.",
        )
        .output(),
        key!(analysis.args, arguments(), "Arguments of the reference engine.").output(),
        key!(
            analysis.options,
            uci_options("{ Hash = 16, Threads = 1 }"),
            "UCI options of the reference engine; with more than one thread its evaluations differ each time.",
        )
        .output(),
        key!(analysis.nodes, or("none", nodes()), r#"Nodes per position; or "none", if depth is given."#).output(),
        key!(analysis.depth, or("none", depth()), r#"Search depth in plies; or "none", if nodes are given."#).output(),
        key!(
            analysis.scores,
            choice(),
            r#"Which score is the evaluation: the "last" before bestmove, even a bound, as in python-chess; or the last "exact" one."#,
        )
        .output(),
        key!(
            analysis.limit,
            time("60s"),
            "How long one position may take before the analysis ends with an error; the engine is not told.",
        )
        .output(),
        key!(
            analysis.clamp,
            centipawns(),
            "Most centipawns that an evaluation counts for either side; a mate counts for exactly this many.",
        )
        .output(),
        key!(
            analysis.mean,
            choice(),
            r#"ACPL in the standings: the mean over all "moves" of all games, or over the means of the "games"."#,
        )
        .output(),
        key!(
            analysis.resignation_move,
            or("none", centipawns()),
            r#"Centipawns that one extra move loses, for whoever resigns, or loses a game under way by a fault of its own; "none": no such move."#,
        )
        .output(),
        key!(analysis.inaccuracy, centipawns(), "Smallest loss that counts as an inaccuracy, in centipawns.").output(),
        key!(analysis.mistake, centipawns(), "Smallest loss that counts as a mistake, in centipawns.").output(),
        key!(analysis.blunder, centipawns(), "Smallest loss that counts as a blunder, in centipawns.").output(),
    ]
}

fn centipawns() -> ValueKind<u32> {
    whole("centipawns", 1..=100_000)
}

/// The command of the engine. A run does not keep where its event file was, so nothing can be relative to that.
fn command() -> ValueKind<String> {
    let schema = json!({ "type": "string", "pattern": "^(/.*|[^/]+)$", "maxLength": 4096 });
    let read = |value: Value<'_>| {
        let command = value.line(1..=4096)?;
        if command.contains('/') && !command.starts_with('/') {
            return Err(value.unexpected());
        }
        Ok(command)
    };
    ValueKind::new(
        "a program: a name to look up or an absolute path, without control characters",
        schema,
        read,
        |command| quoted(command),
    )
}
