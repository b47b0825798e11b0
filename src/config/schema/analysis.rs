//! Keys of `[analysis]`.
//!
//! May not: know layers or files.

use std::collections::BTreeMap;

use super::{DEPTH, Key, NODES, TICK};
use crate::config::error::Problem;
use crate::config::value::{Value, array, key, or_word, quoted, word};
use crate::game::time_control::write_duration;
use crate::tournament::setup::Setup;

const CENTIPAWNS: std::ops::RangeInclusive<i128> = 1..=100_000;

/// The reference engine of `swissmatch analyse`, and what is made of its evaluations. What an analysis was done with stands in
/// the log beside it, so all of it may change.
pub(super) const KEYS: &[Key<Setup>] = &[
    Key::<Setup>::new(
        "analysis.command",
        "a program: a name to look up or an absolute path, without control characters",
        "Reference engine of `swissmatch analyse`: looked up beside swissmatch, then in PATH; or an absolute path.",
        |s, v| read_command(v).map(|command| s.analysis.command = command),
        |s| Some(quoted(&s.analysis.command)),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.args",
        "a list of strings without NUL characters",
        "Its arguments.",
        |s, v| v.arguments().map(|args| s.analysis.args = args),
        |s| Some(array(s.analysis.args.iter().map(|arg| quoted(arg)))),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.options",
        "a table of UCI options, such as { Hash = 16, Threads = 1 }",
        "Its UCI options; more than one thread gives other evaluations each time.",
        |s, v| v.uci_options().map(|options| s.analysis.options = options),
        |s| Some(write_options(&s.analysis.options)),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.nodes",
        "\"none\" or a number of nodes from 1 to 1000000000000",
        "Nodes a position; or \"none\", where depth is given.",
        |s, v| {
            v.word_or("none", |v| v.whole(NODES))
                .map(|nodes| s.analysis.nodes = nodes)
        },
        |s| Some(or_word(s.analysis.nodes, "none")),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.depth",
        "\"none\" or a depth in plies from 1 to 1000",
        "Depth in plies; or \"none\", where nodes are given.",
        |s, v| {
            v.word_or("none", |v| v.whole(DEPTH))
                .map(|depth| s.analysis.depth = depth)
        },
        |s| Some(or_word(s.analysis.depth, "none")),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.scores",
        "\"last\" or \"exact\"",
        "The evaluation: the \"last\" score before bestmove, a bound too, as python-chess has it; or the last \"exact\" one.",
        |s, v| v.choice().map(|scores| s.analysis.scores = scores),
        |s| Some(word(s.analysis.scores)),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.limit",
        "a duration above zero, such as \"60s\"",
        "How long one position may take before the analysis ends with an error; the engine is not told.",
        |s, v| v.duration(TICK).map(|limit| s.analysis.limit = limit),
        |s| Some(quoted(&write_duration(s.analysis.limit))),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.clamp",
        "centipawns from 1 to 100000",
        "Evaluations count as at most so many centipawns for either side, mates as exactly so many.",
        |s, v| v.whole(CENTIPAWNS).map(|clamp| s.analysis.clamp = clamp),
        |s| Some(s.analysis.clamp.to_string()),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.mean",
        "\"moves\" or \"games\"",
        "ACPL in the standings: the mean over all \"moves\" of all games, or of the \"games\"' means.",
        |s, v| v.choice().map(|mean| s.analysis.mean = mean),
        |s| Some(word(s.analysis.mean)),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.resignation_move",
        "\"none\" or centipawns from 1 to 100000",
        "One move more, of so many centipawns, for who loses a game under way by a fault of its own; or \"none\".",
        |s, v| {
            v.word_or("none", |v| v.whole(CENTIPAWNS))
                .map(|lost| s.analysis.resignation_move = lost)
        },
        |s| Some(or_word(s.analysis.resignation_move, "none")),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.inaccuracy",
        "centipawns from 1 to 100000",
        "Least loss of an inaccuracy, in centipawns.",
        |s, v| v.whole(CENTIPAWNS).map(|least| s.analysis.inaccuracy = least),
        |s| Some(s.analysis.inaccuracy.to_string()),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.mistake",
        "centipawns from 1 to 100000",
        "Least loss of a mistake.",
        |s, v| v.whole(CENTIPAWNS).map(|least| s.analysis.mistake = least),
        |s| Some(s.analysis.mistake.to_string()),
    )
    .output(),
    Key::<Setup>::new(
        "analysis.blunder",
        "centipawns from 1 to 100000",
        "Least loss of a blunder.",
        |s, v| v.whole(CENTIPAWNS).map(|least| s.analysis.blunder = least),
        |s| Some(s.analysis.blunder.to_string()),
    )
    .output(),
];

/// A run does not keep where its event file was, so nothing can be relative to it.
fn read_command(value: Value<'_>) -> Result<String, Problem> {
    let command = value.line(1..=4096)?;
    if command.contains('/') && !command.starts_with('/') {
        return Err(value.unexpected());
    }
    Ok(command)
}

fn write_options(options: &BTreeMap<String, String>) -> String {
    let options: Vec<_> = options
        .iter()
        .map(|(name, value)| format!("{} = {}", key(name), quoted(value)))
        .collect();
    match options.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {} }}", options.join(", ")),
    }
}
