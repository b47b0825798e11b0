//! The lines that fastchess and cutechess-cli print of a match as it happens, for programs that read them.
//!
//! Games are numbered in schedule order, and told in the order in which they begin and end. Figures are of the games that have ended, like
//! theirs; those of a verdict are of the games that it rests on. Games that end after a verdict are not told: those programs would have
//! broken them off. May not: print, or know this program's own lines about a match.

mod count;
mod cutechess;
mod fastchess;
mod log;
mod number;
mod settings;
mod words;

use std::collections::BTreeSet;

pub use log::of_game;

use super::player_name;
use swissmatch_game::Side;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::log::SprtDecided;
use swissmatch_tournament::peer_lines::{PeerFormat, PeerOutput};
use swissmatch_tournament::sprt::test_of;
use swissmatch_tournament::state::{LoggedGame, State};

use count::{Count, CountedPair};

/// How a match ended, for its last lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerMatchEnd {
    /// Everything was played, or the test was decided.
    Over,
    /// It can go on by the same command line.
    Interrupted {
        /// Whether somebody asked it to stop, and nothing went wrong.
        is_asked_for: bool,
    },
}

#[derive(Clone, Debug)]
pub struct PeerLines {
    wanted: PeerOutput,
    /// Games whose beginning was told, but not their end.
    begun: BTreeSet<GameId>,
    count: Count,
    /// Games that a player lost by faults since this runner began: on time, and otherwise.
    faults: Vec<[u64; 2]>,
    is_decided: bool,
}

impl PeerLines {
    /// From the present state of an event: games that have ended count, and are not told again.
    pub fn new(wanted: PeerOutput, state: &State) -> Self {
        Self {
            begun: BTreeSet::new(),
            count: Count::of(state, wanted.pairs),
            faults: vec![[0, 0]; state.player_count()],
            is_decided: state.verdict().is_some(),
            wanted,
        }
    }

    /// The lines before the first game.
    pub fn begin(&self, state: &State) -> Vec<String> {
        match self.wanted.lines.is_of_fastchess() {
            true => words::options_left_out(state),
            false => Vec::new(),
        }
    }

    /// The lines for games that are being played. The first game after one that has ended waits until that end is told.
    pub fn playing(&mut self, state: &State, playing: &BTreeSet<GameId>) -> Vec<String> {
        if self.is_decided || !self.begun.is_subset(playing) {
            return Vec::new();
        }
        playing.iter().filter_map(|id| self.started(state, *id)).collect()
    }

    fn started(&mut self, state: &State, id: GameId) -> Option<String> {
        let board = state.mini_match(id).filter(|_| self.begun.insert(id))?;
        let [white, black] =
            [board.white_of(id.game), board.black_of(id.game)].map(|player| player_name(state, player));
        let (number, all) = (count::number(state, id), games_planned(state));
        Some(format!("Started game {number} of {all} ({white} vs {black})"))
    }

    /// The lines for a game that has ended and is in the log.
    pub fn finished(&mut self, state: &State, finished: &LoggedGame, record: Option<&GameRecord>) -> Vec<String> {
        let id = finished.id;
        if self.is_decided {
            return Vec::new();
        }
        let mut lines: Vec<String> = self.started(state, id).into_iter().collect();
        self.begun.remove(&id);
        if self.wanted.lines.is_of_fastchess() {
            let of_record = record.map(|record| words::warnings(&self.wanted, state, finished, record));
            lines.extend(of_record.unwrap_or_default());
        }
        let [white, black] = [finished.white, finished.black].map(|player| player_name(state, player));
        let number = count::number(state, id);
        let why = words::reason(self.wanted.lines, state, finished, record);
        let result = finished.outcome.pgn();
        lines.push(format!(
            "Finished game {number} ({white} vs {black}): {result} {{{why}}}"
        ));
        self.blame(finished);
        let meeting = self
            .count
            .add(state, id, &words::described(finished.outcome.pgn(), &why));
        lines.extend(self.after(state, &meeting));
        lines
    }

    fn blame(&mut self, finished: &LoggedGame) {
        let (by, place) = match finished.termination {
            Termination::TimeForfeit { by } => (by, 0),
            termination => match termination.blame() {
                Some(by) if !matches!(termination, Termination::IllegalMove { .. }) => (by, 1),
                _ => return,
            },
        };
        let player = match by {
            Side::White => finished.white,
            Side::Black => finished.black,
        };
        self.faults[player.index()][place] += 1;
    }

    /// The lines that follow a game at intervals.
    fn after(&self, state: &State, meeting: &CountedPair) -> Vec<String> {
        let (ended, wanted) = (self.count.ended, &self.wanted);
        let is_due = |every: u32, number: u64| every > 0 && number.is_multiple_of(u64::from(every));
        if wanted.lines == PeerFormat::Cutechess {
            let mut lines = cutechess::score(state, &self.count);
            if is_due(wanted.rating, ended) {
                lines.extend(cutechess::ranking(state, &self.count));
            }
            if is_due(wanted.outcomes, ended) {
                lines.extend(cutechess::outcomes(state, &self.count));
            }
            return lines;
        }
        let is_last = ended == games_planned(state) as u64;
        let mut lines = Vec::new();
        if is_due(wanted.score, ended) || is_last {
            lines.extend(fastchess::score(wanted, state, &self.count, meeting));
        }
        let is_rated = match wanted.pairs {
            true => meeting.is_whole && is_due(wanted.rating, meeting.pair_number),
            false => is_due(wanted.rating, ended),
        };
        if is_rated || is_last {
            lines.extend(fastchess::interval(wanted, state, &self.count));
        }
        lines
    }

    /// The lines for a decided test, with the games that it rests on.
    pub fn decided(&mut self, state: &State, decided: &SprtDecided) -> Vec<String> {
        self.is_decided = true;
        if let Some(test) = test_of(state) {
            self.count.is_exactly(state, test.tally.games, test.tally.pairs);
        }
        match self.wanted.lines {
            PeerFormat::Cutechess => Vec::new(),
            _ => fastchess::verdict(&self.wanted, state, &self.count, decided),
        }
    }

    /// Counts anew after an act of the arbiter, which may have changed results.
    pub fn acted(&mut self, state: &State) {
        self.count = Count::of(state, self.wanted.pairs);
    }

    /// The last lines, except those that say that the match is finished.
    pub fn end(&self, state: &State, last: PeerMatchEnd) -> Vec<String> {
        let mut lines = Vec::new();
        if self.wanted.lines == PeerFormat::Cutechess {
            let is_told = |every: u32| every > 0 && self.count.ended.is_multiple_of(u64::from(every));
            if !is_told(self.wanted.rating) || self.is_decided {
                lines.extend(cutechess::ranking(state, &self.count));
            }
            if !is_told(self.wanted.outcomes) || self.is_decided {
                lines.extend(cutechess::outcomes(state, &self.count));
            }
            return lines;
        }
        if self.wanted.lines == PeerFormat::Fastchess {
            lines.extend(fastchess::faults(state, &self.faults));
        }
        if matches!(last, PeerMatchEnd::Interrupted { .. }) {
            lines.push("Tournament was interrupted. To resume the tournament, run: the same command line".to_owned());
        }
        lines
    }

    /// The lines that say that the match is finished, and took so many seconds.
    pub fn finish(&self, seconds: u64) -> Vec<String> {
        let mut lines = vec!["Finished match".to_owned()];
        if self.wanted.lines.is_of_fastchess() {
            let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
            lines.push(format!(
                "Total Time: {hours:02}:{minutes:02}:{seconds:02} (hours:minutes:seconds)"
            ));
            lines.push(String::new());
        }
        lines
    }
}

#[cfg(test)]
mod tests;
