//! A log of a match as fastchess writes it: warnings, and what engines say and are told.
//!
//! May not: write it.

use std::collections::VecDeque;

use super::count::number;
use super::words;
use crate::player_name;
use swissmatch_game::Side;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_game::transcript::FramedLine;
use swissmatch_tournament::peer_lines::{PeerFormat, PeerLogOptions, PeerOutput};
use swissmatch_tournament::state::{LoggedGame, State};

/// The lines of a game that has ended `now` (`12:34:56.123456`), with its record and its evidence.
pub fn of_game(
    logged: PeerLogOptions,
    wanted: &PeerOutput,
    state: &State,
    (finished, record): (&LoggedGame, Option<&GameRecord>),
    said: &str,
    now: &str,
) -> Vec<String> {
    let names = [finished.white, finished.black].map(|player| player_name(state, player));
    let number = number(state, finished.id);
    let mut lines = Vec::new();
    let mut positions = record.map(Positions::new);
    for framed in said.lines().filter_map(FramedLine::of) {
        let is_error = framed.mark == "!";
        let is_told = logged.has_engines || (is_error && finished.termination.is_fault());
        let name = &names[framed.side.index()];
        let what = match framed.mark {
            ">" => format!("{name} <--- {}", framed.said),
            "<" => format!("{name} ---> {}", framed.said),
            "!" => format!("<stderr> {name} ---> {}", framed.said),
            _ => continue,
        };
        if is_told {
            let head = before("Engine", framed.at, &number.to_string());
            let position = positions.as_mut().and_then(|positions| positions.before(&framed));
            lines.extend(position.map(|position| format!("{head} {name} <--- {position}")));
            lines.push(format!("{head} {what}"));
        }
    }
    if logged.has_warnings {
        let of_record = record.map(|record| words::warnings(wanted, state, finished, record));
        let warnings = of_record
            .unwrap_or_default()
            .into_iter()
            .chain(of_fault(state, finished, record, &names));
        for warning in warnings {
            lines.push(format!("{}fastchess --- {warning}", before("WARN", now, "")));
        }
    }
    lines
}

/// The `position` lines of a game, which evidence leaves out as they follow from the moves.
struct Positions {
    /// The line before the first move of the game, and its moves.
    start: String,
    moves: Vec<String>,
    /// For each side the plies for which it is still to be asked, in turn, once for each attempt; White first.
    asked: [VecDeque<usize>; 2],
    /// For each side the ply for which it was last asked, and the answer that it expected to its last move.
    last: [(usize, String); 2],
}

impl Positions {
    fn new(record: &GameRecord) -> Self {
        let opening = &record.opening;
        let mut asked = <[VecDeque<usize>; 2]>::default();
        for ply in 0..=record.plies() {
            let was_asked = |attempt: &&FailedAttempt| {
                let never = matches!(attempt.end, AttemptEnd::OutOfStep | AttemptEnd::SlowStart);
                attempt.ply as usize == ply && !never
            };
            let failed = record.failed_attempts.iter().filter(was_asked).count();
            asked[record.side_at(ply).index()].extend(vec![ply; failed + 1]);
        }
        let start = GameRecord {
            moves: String::new(),
            opening: opening.clone(),
            ..record.clone()
        };
        Self {
            start: start.position_command(),
            moves: record.moves.split(' ').map(str::to_owned).collect(),
            asked,
            last: Default::default(),
        }
    }

    /// The position that was sent before a line.
    fn before(&mut self, framed: &FramedLine<'_>) -> Option<String> {
        let side = framed.side.index();
        let (last, expected) = &mut self.last[side];
        match (
            framed.mark,
            framed.said.split_whitespace().collect::<Vec<_>>().as_slice(),
        ) {
            ("<", ["bestmove", _, "ponder", answer, ..]) => *expected = (*answer).to_owned(),
            (">", ["go", "ponder", ..]) => {
                let (played, expected) = (*last + 1, expected.clone());
                return Some(self.position(played, Some(expected)));
            }
            (">", [word @ ("go" | "ponderhit"), ..]) => {
                *last = self.asked[side].pop_front().unwrap_or(*last);
                let played = *last;
                return (*word == "go").then(|| self.position(played, None));
            }
            _ => {}
        }
        None
    }

    /// The line after `played` moves of the game, and one that was only expected.
    fn position(&self, played: usize, expected: Option<String>) -> String {
        let moves = self.moves.iter().take(played).cloned().chain(expected);
        let moves: Vec<String> = moves.filter(|word| !word.is_empty()).collect();
        match (moves.is_empty(), self.start.contains(" moves ")) {
            (true, _) => self.start.clone(),
            (false, true) => format!("{} {}", self.start, moves.join(" ")),
            (false, false) => format!("{} moves {}", self.start, moves.join(" ")),
        }
    }
}

fn before(label: &str, at: &str, id: &str) -> String {
    format!("[{label:<6}] [{at:>15}] <{id:>20}> ")
}

/// A line on a game that was lost by a process or by the clock.
fn of_fault(state: &State, finished: &LoggedGame, record: Option<&GameRecord>, names: &[String; 2]) -> Vec<String> {
    let Some(by) = finished.termination.blame() else {
        return Vec::new();
    };
    let name = &names[by.index()];
    let stopped = || {
        let [white, black] = names;
        let number = number(state, finished.id);
        format!("Game {number} between {white} and {black} stalled / disconnected")
    };
    match finished.termination {
        Termination::IllegalMove { .. } => Vec::new(),
        Termination::TimeForfeit { .. } => {
            let why = words::reason(PeerFormat::Fastchess, state, finished, record);
            let why = why
                .trim_start_matches(Side::White.name())
                .trim_start_matches(Side::Black.name());
            vec![format!("Engine {name}{why}")]
        }
        Termination::NotReady { .. } => vec![format!("Engine {name} stalls"), stopped()],
        _ => vec![format!("Engine {name} disconnects"), stopped()],
    }
}
