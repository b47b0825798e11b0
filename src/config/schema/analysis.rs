//! Keys of `[analysis]`.
//!
//! May not: know layers or files.

use std::collections::BTreeMap;

use super::{DEPTH, Key, NODES, TICK};
use crate::config::error::Problem;
use crate::config::value::{Value, array, key, quoted};
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
    key!(
        "analysis.nodes",
        "\"none\" or a number of nodes from 1 to 1000000000000",
        "Nodes a position; or \"none\", where depth is given.",
        analysis.nodes = "none" or whole NODES
    )
    .output(),
    key!(
        "analysis.depth",
        "\"none\" or a depth in plies from 1 to 1000",
        "Depth in plies; or \"none\", where nodes are given.",
        analysis.depth = "none" or whole DEPTH
    )
    .output(),
    key!(
        "analysis.scores",
        "\"last\" or \"exact\"",
        "The evaluation: the \"last\" score before bestmove, a bound too, as python-chess has it; or the last \"exact\" one.",
        analysis.scores = choice
    )
    .output(),
    key!(
        "analysis.limit",
        "a duration above zero, such as \"60s\"",
        "How long one position may take before the analysis ends with an error; the engine is not told.",
        analysis.limit = duration TICK
    )
    .output(),
    key!(
        "analysis.clamp",
        "centipawns from 1 to 100000",
        "Evaluations count as at most so many centipawns for either side, mates as exactly so many.",
        analysis.clamp = whole CENTIPAWNS
    )
    .output(),
    key!(
        "analysis.mean",
        "\"moves\" or \"games\"",
        "ACPL in the standings: the mean over all \"moves\" of all games, or of the \"games\"' means.",
        analysis.mean = choice
    )
    .output(),
    key!(
        "analysis.resignation_move",
        "\"none\" or centipawns from 1 to 100000",
        "One move more, of so many centipawns, for who loses a game under way by a fault of its own; or \"none\".",
        analysis.resignation_move = "none" or whole CENTIPAWNS
    )
    .output(),
    key!(
        "analysis.inaccuracy",
        "centipawns from 1 to 100000",
        "Least loss of an inaccuracy, in centipawns.",
        analysis.inaccuracy = whole CENTIPAWNS
    )
    .output(),
    key!(
        "analysis.mistake",
        "centipawns from 1 to 100000",
        "Least loss of a mistake.",
        analysis.mistake = whole CENTIPAWNS
    )
    .output(),
    key!(
        "analysis.blunder",
        "centipawns from 1 to 100000",
        "Least loss of a blunder.",
        analysis.blunder = whole CENTIPAWNS
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
