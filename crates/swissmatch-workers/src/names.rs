//! Names at the server: of streams, events, games and workers.
//!
//! May not: let two words have one name.

use swissmatch_game::record::GameId;

/// The stream of tasks, each of which is taken only once.
pub(crate) const TASKS: &str = "swissmatch_tasks";
/// The stream of results, kept until they are in the log.
pub(crate) const RESULTS: &str = "swissmatch_results";
/// The stream of events: their cards, and the runner that has each.
pub(crate) const EVENTS: &str = "swissmatch_events";
/// The store of files, by their content.
pub(crate) const FILES: &str = "swissmatch_files";
/// The server's stream behind that store.
pub(crate) const FILES_STREAM: &str = "OBJ_swissmatch_files";

/// How many digits of the hash of a log's first entry identify its event.
const MARK: usize = 16;

/// The mark that identifies an event at the server.
pub(crate) fn mark_of(run: &str) -> String {
    run.chars().filter(char::is_ascii_alphanumeric).take(MARK).collect()
}

/// The subject of an event's card.
pub(crate) fn event(mark: &str) -> String {
    format!("swissmatch.event.{mark}")
}

/// The subject that says which runner has an event.
pub(crate) fn holder(mark: &str) -> String {
    format!("swissmatch.holder.{mark}")
}

/// The subject of a task, by its first game.
pub(crate) fn task(mark: &str, worker: &str, (game, issue): (GameId, u32)) -> String {
    format!("swissmatch.task.{mark}.{}.{}.{issue}", token(worker), named(game))
}

/// The subject of all tasks of a worker.
pub(crate) fn tasks(mark: &str, worker: &str) -> String {
    format!("swissmatch.task.{mark}.{}.>", token(worker))
}

/// The subject of a part, from 0, of the result of a game at a worker; `of` is the number of parts.
pub(crate) fn result(mark: &str, worker: &str, (game, issue): (GameId, u32), (part, of): (usize, usize)) -> String {
    let (worker, game) = (token(worker), named(game));
    format!("swissmatch.result.{mark}.{worker}.{game}.{issue}.{part}.{of}")
}

/// The subject of all results of an event.
pub(crate) fn results(mark: &str) -> String {
    format!("swissmatch.result.{mark}.>")
}

/// The subject of all results of a worker, in all events.
pub(crate) fn result_of(worker: &str) -> String {
    format!("swissmatch.result.*.{}.>", token(worker))
}

/// The consumer of a worker's tasks.
pub(crate) fn tasks_consumer(worker: &str) -> String {
    format!("{TASKS}.{}", token(worker))
}

/// The subject of a worker's messages; `*` stands for all workers.
pub(crate) fn worker(mark: &str, worker: &str) -> String {
    format!("swissmatch.worker.{mark}.{worker}")
}

/// The subject of a runner's messages to a worker, or to `all`.
pub(crate) fn runner(mark: &str, worker: &str) -> String {
    format!("swissmatch.runner.{mark}.{worker}")
}

/// The inbox for answers to a worker, where nobody else listens.
pub(crate) fn inbox_of(worker: &str) -> String {
    format!("_I_{worker}")
}

/// A game as part of a subject, in which parts are separated by dots.
fn named(game: GameId) -> String {
    game.to_string().replace('.', "-")
}

/// A word as part of a subject. Characters not allowed there are encoded, so that different words stay different.
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
