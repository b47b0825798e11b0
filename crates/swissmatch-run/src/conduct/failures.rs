//! Games that a machine could not play: which of these failures count, and how long it may play nothing at all.
//!
//! A game that fails while others are played, or again and again alone, is a matter of that game: it counts for `run.replays`, and the
//! arbiter rules in the end. Where several fail and none is played in between it is the machine's, and the run ends for that to be
//! mended. May not: know what happened.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use swissmatch_game::record::GameId;

/// How long a machine may play nothing.
const PATIENCE: Duration = Duration::from_mins(10);
/// How long one game that fails is tried, at least, before its next failure counts: what is short for a moment comes back.
const MOMENT: Duration = Duration::from_mins(1);

/// What has failed in this run of the loop.
#[derive(Debug, Default)]
pub(super) struct Failures {
    /// Games that failed and have not been played since: others are tried first.
    pub games: BTreeSet<GameId>,
    /// Those of them that failed since the last game that was played.
    in_a_row: BTreeSet<GameId>,
    /// Since when that is.
    since: Option<Instant>,
    /// When a failure counted, of those.
    counted: Option<Instant>,
}

/// What follows from a failure.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Follows {
    /// It counts: other games were played.
    Counts,
    /// Nothing was played since the last one.
    IsTheMachines,
    /// That has been so for too long.
    HasToBeMended,
}

impl Failures {
    /// A game could not be played, while these are.
    pub(super) fn failed(&mut self, game: GameId, playing: &BTreeSet<GameId>, now: Instant) -> Follows {
        self.games.insert(game);
        self.in_a_row.insert(game);
        let since = *self.since.get_or_insert(now);
        let is_alone = self.in_a_row.len() == 1;
        if is_alone && self.counted.is_none_or(|at| now.duration_since(at) >= MOMENT) {
            self.counted = Some(now);
            return Follows::Counts;
        }
        let is_idle = playing.is_subset(&self.games);
        match now.duration_since(since) >= PATIENCE && is_idle {
            true => Follows::HasToBeMended,
            false => Follows::IsTheMachines,
        }
    }

    /// A game was played.
    pub(super) fn played(&mut self, game: GameId) {
        self.games.remove(&game);
        self.in_a_row.clear();
        (self.since, self.counted) = (None, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_is_the_games_where_others_are_played_and_the_machines_where_none_is() {
        let [one, other] = ["1.1.1", "1.2.1"].map(|game| game.parse().expect("a game"));
        let none = BTreeSet::new();
        let mut failures = Failures::default();
        let begin = Instant::now();
        let second = Duration::from_secs(1);
        assert_eq!(failures.failed(one, &none, begin), Follows::Counts);
        assert_eq!(failures.failed(other, &none, begin), Follows::IsTheMachines);
        failures.played(other);
        assert_eq!(failures.games, BTreeSet::from([one]));
        // Alone: a moment later it may be there again.
        let again = begin + Duration::from_mins(5);
        assert_eq!(failures.failed(one, &none, again), Follows::Counts);
        assert_eq!(
            failures.failed(one, &none, again + MOMENT - second),
            Follows::IsTheMachines
        );
        assert_eq!(failures.failed(one, &none, again + MOMENT), Follows::Counts);
        // Several: as long as nothing can be played, for so long.
        assert_eq!(
            failures.failed(other, &none, again + 2 * MOMENT),
            Follows::IsTheMachines
        );
        assert_eq!(
            failures.failed(one, &none, again + PATIENCE - second),
            Follows::IsTheMachines
        );
        let third = BTreeSet::from(["1.3.1".parse().expect("a game")]);
        assert_eq!(failures.failed(one, &third, again + PATIENCE), Follows::IsTheMachines);
        let itself = BTreeSet::from([one]);
        assert_eq!(failures.failed(one, &itself, again + PATIENCE), Follows::HasToBeMended);
    }
}
