//! The test of two players, [`crate::setup::SprtKeys`]: what counts in it so far, and whether it is decided.
//!
//! "The verdict is the first crossing over whole pairs in schedule order": a pair counts once all pairs before it are
//! complete, so that it does not matter which games were played at once, or ended first. May not: work out the
//! likelihood ratio; [`swissmatch_stats::sprt`] does.

use swiss_system::pairing::history::PairingNumber;

use super::log::SprtDecided;
use super::setup::Faulty;
use super::state::{EndedGame, MiniMatch, State};
use swissmatch_game::termination::Outcome;
use swissmatch_stats::pairs::{Pairs, Score, Wdl};
use swissmatch_stats::sprt::{Look, Sprt, TruncatedSprt, Units};

/// The results of a match so far, as far as all games before them are there, from the view of the first player in the
/// event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SprtTally {
    /// What is counted as one step: pairs or games.
    units: Units,
    /// Game pairs that count; none if games are the unit.
    pub pairs: Pairs,
    /// Games that count.
    pub games: Wdl,
    /// Pairs or games that were looked at; some of them may not count.
    pub after: u32,
}

impl SprtTally {
    pub const fn new(units: Units) -> Self {
        Self {
            units,
            pairs: Pairs::NONE,
            games: Wdl::NONE,
            after: 0,
        }
    }

    /// Adds the next pair or game if it is complete, and returns whether it was. What was added never changes: after an
    /// act of the arbiter on a game the tally begins anew.
    pub fn step(&mut self, state: &State) -> bool {
        let Some(unit) = board_of(state).and_then(|board| self.next(board)) else {
            return false;
        };
        self.after += 1;
        let first = first_player(state);
        let scores: Option<Vec<Score>> = unit.iter().map(|game| score(state, game, first)).collect();
        if let Some(&[one, other]) = scores.as_deref() {
            self.pairs += [one, other];
        }
        scores.into_iter().flatten().for_each(|score| self.games += score);
        true
    }

    fn next(&self, board: &MiniMatch) -> Option<Vec<EndedGame>> {
        let size = size(self.units);
        let from = self.after * size;
        (from + 1..=from + size)
            .map(|number| board.games.ended(number))
            .collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    sprt: Sprt,
    /// Set where the number of games in the match is known.
    truncated: Option<TruncatedSprt>,
    pub tally: SprtTally,
    /// How the test stands.
    pub look: Look,
}

impl Test {
    /// The event's test before its first game; `None` if it has none.
    pub fn of(state: &State) -> Option<Self> {
        let (sprt, truncated) = sprt_of(state)?;
        let tally = SprtTally::new(sprt.counts);
        let look = sprt.look(&tally.pairs, &tally.games);
        Some(Self {
            sprt,
            truncated,
            tally,
            look,
        })
    }

    /// Adds what has ended since, until the test is decided. `each` is called after each step.
    pub fn go_on(&mut self, state: &State, mut each: impl FnMut(&Self)) {
        while self.look.verdict.is_none() && self.tally.step(state) {
            let SprtTally {
                pairs, games, after, ..
            } = &self.tally;
            self.look = self.sprt.look(pairs, games);
            if let (Some(truncated), None) = (&self.truncated, self.look.verdict) {
                self.look.verdict = truncated.verdict(pairs, games, u64::from(*after));
            }
            each(self);
        }
    }

    /// The entry that decides the test, once it is decided.
    pub fn verdict(&self) -> Option<SprtDecided> {
        let look = self.look;
        Some(SprtDecided {
            verdict: look.verdict?,
            after: self.tally.after,
            llr: look.llr,
            lower: look.lower,
            upper: look.upper,
        })
    }
}

/// The event's test, with its bounds, and its truncated form where the number of games is known; `None` if the event
/// has no test.
fn sprt_of(state: &State) -> Option<(Sprt, Option<TruncatedSprt>)> {
    let keys = &state.setup().sprt;
    let asked = keys.test()?;
    let games = u64::from(state.setup().mini_match.games);
    let truncated = keys
        .truncated
        .then(|| TruncatedSprt::new(&asked, games / u64::from(size(asked.counts))));
    Some((truncated.map_or(asked, |truncated| truncated.sprt), truncated))
}

/// The number of games in one step.
const fn size(units: Units) -> u32 {
    match units {
        Units::Pentanomial => 2,
        Units::Trinomial => 1,
    }
}

/// The player whose strength is tested against the other's: the first in the event file.
pub fn first_player(state: &State) -> PairingNumber {
    let place = state.created().order.iter().position(|entry| *entry == 0);
    place.map_or(PairingNumber(1), PairingNumber::from_index)
}

/// The test as it stands now, from the first game on; `None` if the event has none.
pub fn test_of(state: &State) -> Option<Test> {
    let mut test = Test::of(state)?;
    test.go_on(state, |_| {});
    Some(test)
}

/// The mini-match that is tested.
fn board_of(state: &State) -> Option<&MiniMatch> {
    state.rounds().first()?.mini_matches.first()
}

/// The first player's result in a game; `None` for a game that does not count: annulled, lost by both, or, where those
/// are left out, ended by a fault or forfeited without being played.
pub fn score(state: &State, game: &EndedGame, first: PairingNumber) -> Option<Score> {
    let termination = game.finished.termination;
    let is_of_chess = termination.was_played() && !termination.is_fault();
    let is_left_out = state.setup().sprt.faults == Faulty::LeaveOut && !is_of_chess;
    match game.outcome() {
        _ if is_left_out => None,
        Outcome::Void | Outcome::BothLose => None,
        Outcome::Draw => Some(Score::Draw),
        outcome if outcome == Outcome::win(game.side_of(first)) => Some(Score::Win),
        _ => Some(Score::Loss),
    }
}

#[cfg(test)]
pub(super) mod tests;
