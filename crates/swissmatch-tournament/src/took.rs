//! How long an event's games are likely to take, from games of its players that were played.
//!
//! A side's time is all the time that it was to move, including failed attempts and time off the clock. May not: guess
//! about players who have not played.

use std::collections::BTreeMap;
use std::time::Duration;

use super::beside;
use super::duration::{Assumptions, GameTime, likely_side};
use super::setup::{PlayerKeys, Setup};
use swissmatch_game::Side;
use swissmatch_game::record::GameRecord;

/// Games that were played, by player.
#[derive(Clone, Debug, Default)]
pub struct Took {
    /// How many games each player of the event played, and the time it took for them.
    of_player: BTreeMap<String, (u32, Duration)>,
}

impl Took {
    /// Adds a game between these two players, White first, of a run with the setup `run`, for those of them who play in
    /// the event. A model takes as long as its service does; any other player counts only if it has the same limits in
    /// the event.
    pub fn add(&mut self, event: &Setup, run: &Setup, players: [&PlayerKeys; 2], record: &GameRecord) {
        if !record.termination.was_played() {
            return;
        }
        for (side, player) in Side::BOTH.into_iter().zip(players) {
            let is_same = |own: &&PlayerKeys| {
                own.name == player.name
                    && own.model == player.model
                    && own.move_url == player.move_url
                    && (own.is_elsewhere() || event.limit(own) == run.limit(player))
            };
            if let Some(own) = event.players.iter().find(is_same) {
                let (games, time) = self.of_player.entry(own.name.clone()).or_default();
                *games = games.saturating_add(1);
                *time = time.saturating_add(of_side(record, side));
            }
        }
    }

    /// The likely duration of the event's games. Players without a game count by their limits and the assumptions.
    /// `None` if no game has a player of the event, or nothing is known about one of them.
    pub fn of_event(&self, event: &Setup, assumptions: Assumptions) -> Option<GameTime> {
        if self.of_player.is_empty() {
            return None;
        }
        let of_player = |player: &PlayerKeys| match self.of_player.get(&player.name) {
            Some((games, time)) => Some(*time / (*games).max(1)),
            None => likely_side(event, player, assumptions),
        };
        let (mut all, mut elsewhere) = (Sides::default(), Sides::default());
        for player in &event.players {
            let time = of_player(player)?;
            all.add(time);
            if player.is_elsewhere() {
                elsewhere.add(time);
            }
        }
        let mean = all.of_pairs()?;
        let (on_cores, beside) = match (beside::slots(event), elsewhere.of_pairs()) {
            (1.., Some(beside)) => (all.without(elsewhere).unwrap_or(mean), beside),
            _ => (mean, mean),
        };
        Some(GameTime { mean, on_cores, beside })
    }
}

/// The time that a side took in a game.
fn of_side(record: &GameRecord, side: Side) -> Duration {
    let moves = (0..record.plies()).filter(|ply| record.side_at(*ply) == side);
    let of_moves = moves.map(|ply| {
        let of_service = record.service_us.get(ply).copied().flatten();
        let own = record.time_us.get(ply).copied();
        own.unwrap_or_default().saturating_add(of_service.unwrap_or_default())
    });
    let failed = record.failed_attempts.iter().filter(|attempt| attempt.side == side);
    let of_failed = failed.map(|attempt| {
        let in_doubt = attempt.doubt.as_ref().map(|doubt| doubt.service_us);
        let of_service = attempt.service_us.or(in_doubt);
        attempt.time_us.saturating_add(of_service.unwrap_or_default())
    });
    Duration::from_micros(of_moves.chain(of_failed).fold(0, u64::saturating_add))
}

/// Players, with the time that a side of each takes.
#[derive(Clone, Copy, Default)]
struct Sides {
    players: u32,
    time: Duration,
}

impl Sides {
    fn add(&mut self, time: Duration) {
        self.players += 1;
        self.time = self.time.saturating_add(time);
    }

    /// The number of pairs among them, and the total time of one game of each pair.
    fn pairs(self) -> (u32, Duration) {
        let others = self.players.saturating_sub(1);
        let pairs = u64::from(self.players) * u64::from(others) / 2;
        let pairs = u32::try_from(pairs).unwrap_or(u32::MAX);
        (pairs, self.time.saturating_mul(others))
    }

    /// The mean time of a game between two of them; `None` if there are fewer than two.
    fn of_pairs(self) -> Option<Duration> {
        let (pairs, time) = self.pairs();
        time.checked_div(pairs)
    }

    /// The mean time of a game between two of them who are not both in `others`.
    fn without(self, others: Self) -> Option<Duration> {
        let ((pairs, time), (fewer, less)) = (self.pairs(), others.pairs());
        time.saturating_sub(less).checked_div(pairs - fewer)
    }
}

#[cfg(test)]
mod tests;
