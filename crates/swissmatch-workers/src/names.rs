//! Names at the server: of streams, an event, a game, a worker.
//!
//! May not: let two words have one name.

use swissmatch_game::record::GameId;

/// The stream of tasks, each of which is taken once.
pub(crate) const TASKS: &str = "swissmatch_tasks";
/// The stream of results, until they are in the log.
pub(crate) const RESULTS: &str = "swissmatch_results";
/// The stream of events: what is played, and which runner has it.
pub(crate) const EVENTS: &str = "swissmatch_events";
/// The store of files, by their content.
pub(crate) const FILES: &str = "swissmatch_files";
/// The stream in which the server has that store.
pub(crate) const FILES_STREAM: &str = "OBJ_swissmatch_files";

/// Digits of the hash of a log's first entry by which its event is known.
const MARK: usize = 16;

/// By what an event is known at the server.
pub(crate) fn mark_of(run: &str) -> String {
    run.chars().filter(char::is_ascii_alphanumeric).take(MARK).collect()
}

/// What is played in an event.
pub(crate) fn event(mark: &str) -> String {
    format!("swissmatch.event.{mark}")
}

/// Which runner an event has.
pub(crate) fn holder(mark: &str) -> String {
    format!("swissmatch.holder.{mark}")
}

/// A task, by its first game.
pub(crate) fn task(mark: &str, worker: &str, (game, issue): (GameId, u32)) -> String {
    format!("swissmatch.task.{mark}.{}.{}.{issue}", token(worker), named(game))
}

/// All tasks of a worker.
pub(crate) fn tasks(mark: &str, worker: &str) -> String {
    format!("swissmatch.task.{mark}.{}.>", token(worker))
}

/// A part, from 0, of what came of a game at a worker, and of how many parts.
pub(crate) fn result(mark: &str, worker: &str, (game, issue): (GameId, u32), (part, of): (usize, usize)) -> String {
    let (worker, game) = (token(worker), named(game));
    format!("swissmatch.result.{mark}.{worker}.{game}.{issue}.{part}.{of}")
}

/// All results of an event.
pub(crate) fn results(mark: &str) -> String {
    format!("swissmatch.result.{mark}.>")
}

/// All results of a worker, in all events.
pub(crate) fn result_of(worker: &str) -> String {
    format!("swissmatch.result.*.{}.>", token(worker))
}

/// By what the server has a worker's tasks.
pub(crate) fn tasks_consumer(worker: &str) -> String {
    format!("{TASKS}.{}", token(worker))
}

/// What a worker says of itself; of all: `*`.
pub(crate) fn worker(mark: &str, worker: &str) -> String {
    format!("swissmatch.worker.{mark}.{worker}")
}

/// What a runner says to a worker, or to `all`.
pub(crate) fn runner(mark: &str, worker: &str) -> String {
    format!("swissmatch.runner.{mark}.{worker}")
}

/// Where answers to a worker come: nobody else listens there.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_I_{worker}")
}

/// A game in a subject, whose parts stand between dots.
fn named(game: GameId) -> String {
    game.to_string().replace('.', "-")
}

/// A word in a subject: what has no place there is written otherwise, so that two words stay two.
pub(crate) fn token(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let written = |c: char| match plain(c) {
        true => c.to_string(),
        false => format!("-{:x}-", u32::from(c)),
    };
    word.chars().map(written).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::token;

    #[test]
    fn two_words_stay_two_in_a_subject() {
        let words = [
            "AMD EPYC, 4 cores",
            "AMD EPYC. 4 cores",
            "AMD EPYC 4 cores",
            "a.b",
            "a>b",
            "a*b",
            "é",
            "a-20-b",
            "a b",
        ];
        let tokens: BTreeSet<String> = words.iter().map(|word| token(word)).collect();
        assert_eq!(tokens.len(), words.len());
        let is_plain = |token: &String| token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        assert!(tokens.iter().all(is_plain), "{tokens:?}");
    }
}
