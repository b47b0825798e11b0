//! Starts an agent by itself and listens until its first move, to tell one start from another.
//!
//! May not: judge.

use std::time::{Duration, Instant};

use swiss_system::text::escaped;

use crate::engine::{Engine, EngineAnswer, EngineCommand};
use swissmatch_game::conformance::FirstMoveReport;
use swissmatch_game::handshake::StartError;
use swissmatch_game::transcript::Direction;
use swissmatch_game::uci::{self, UciLine};

/// Nodes of its first search.
pub(super) const NODES: u64 = 50_000;
/// The longest that such a search may take.
const LIMIT: Duration = Duration::from_secs(30);
/// How many times it searches again, if that does not take long.
const SEARCHES: u32 = 9;
const LONG: Duration = Duration::from_secs(1);
/// The most lines that are kept, and the most characters of each.
const MOST_LINES: usize = 200;
const LONGEST: usize = 200;

/// Starts the agent, lets it make the first move of a game at fixed nodes, and ends it.
///
/// # Errors
/// The machine could not start it.
pub(super) fn listen(command: &EngineCommand) -> Result<FirstMoveReport, String> {
    let mut heard = FirstMoveReport::default();
    let started = Engine::start_heard(command, &mut |_, direction, line| keep(&mut heard, direction, line));
    let mut engine = match started {
        Ok((engine, _)) => engine,
        Err(StartError::Host(why)) => return Err(why),
        Err(failure) => {
            heard.failure = Some(escaped(failure.to_string()));
            return Ok(heard);
        }
    };
    let asked = format!("ucinewgame\nposition startpos\ngo nodes {NODES}\n");
    let mut search = |heard: &mut FirstMoveReport| {
        let began = Instant::now();
        let answer = engine.ask(asked.as_bytes(), LIMIT, |line| {
            keep(heard, Direction::Received, line);
            match uci::read(line) {
                UciLine::BestMove(word) => Some(uci::kept(word)),
                _ => None,
            }
        });
        (answer, began.elapsed())
    };
    let (answer, mut took) = search(&mut heard);
    // The fastest counts: anything else that the machine does takes time and never gives any.
    let mut left = SEARCHES;
    while let (EngineAnswer::Answered(..), true) = (&answer, left > 0 && took < LONG) {
        match search(&mut FirstMoveReport::default()) {
            (EngineAnswer::Answered(..), again) => took = took.min(again),
            _ => break,
        }
        left -= 1;
    }
    for (_, line) in engine.take_stderr().lines {
        keep(&mut heard, Direction::Remark, &line);
    }
    match answer {
        EngineAnswer::Answered(word, _) => {
            heard.first_move = Some(word);
            heard.took_us = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        }
        EngineAnswer::Deadline => heard.failure = Some(format!("it made no move within {} s", LIMIT.as_secs())),
        EngineAnswer::Closed(end) => heard.failure = Some(format!("it was gone before its first move: {end}")),
    }
    Engine::dismiss(vec![engine]);
    Ok(heard)
}

/// Keeps a line if it says something about the agent rather than the search.
fn keep(heard: &mut FirstMoveReport, direction: Direction, line: &[u8]) {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let is_of_search = text.starts_with("info ") && !text.starts_with("info string");
    let says_nothing =
        text.is_empty() || is_of_search || text.starts_with("bestmove") || text == "readyok" || text == "uciok";
    if direction == Direction::Sent || says_nothing || heard.lines.len() == MOST_LINES {
        return;
    }
    let line = escaped(text.chars().take(LONGEST).collect::<String>());
    if !heard.lines.contains(&line) {
        heard.lines.push(line);
    }
}
