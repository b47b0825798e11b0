//! How fast games are played, how many are left, and a line about it now and then where nothing is drawn.
//!
//! May not: ask the time, print.

use std::time::{Duration, Instant};

use crate::tournament::state::{MiniMatch, Sitting, State};

/// How long nothing is told at the least.
const QUIET: Duration = Duration::from_secs(60);

/// Games that the round in play has.
pub(super) fn scheduled(sitting: Sitting<'_>) -> usize {
    sitting.mini_matches.iter().map(|board| board.games.len()).sum()
}

/// Games of it that are finished.
pub(super) fn played(sitting: Sitting<'_>) -> usize {
    sitting.mini_matches.iter().map(finished).sum()
}

/// Games of a mini-match that are finished.
pub(super) fn finished(board: &MiniMatch) -> usize {
    board.games.iter().flatten().count()
}

/// Games that are left of the event, if its rounds are all like the one in play; how long a play-off goes on nobody knows.
pub(super) fn games_left(state: &State) -> usize {
    let Some(sitting) = state.sittings().last() else {
        return 0;
    };
    let (total, done) = (scheduled(sitting), played(sitting));
    let (of_event, before) = match sitting.playoff {
        0 => (
            total * state.created().rounds as usize,
            total * (state.rounds().len() - 1),
        ),
        _ => (total, 0),
    };
    of_event - (before + done).min(of_event)
}

/// How fast games are played, pauses and waits not counted.
pub(super) struct Pace {
    /// Games committed.
    games: usize,
    /// How long any game was being played.
    played: Duration,
    /// Up to when `played` is known.
    seen: Instant,
    /// When it was last told, or something else was.
    told: Instant,
}

impl Pace {
    /// From now on.
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            games: 0,
            played: Duration::ZERO,
            seen: now,
            told: now,
        }
    }

    /// A game has been committed.
    pub(super) const fn game_is_over(&mut self) {
        self.games += 1;
    }

    /// Something else has been told.
    pub(super) const fn told(&mut self, now: Instant) {
        self.told = now;
    }

    /// Games a second, and the time that the games which are left take at that pace; games are being played, or not.
    pub(super) fn shown(&mut self, now: Instant, is_playing: bool, left: usize) -> String {
        if is_playing {
            self.played += now - self.seen;
        }
        self.seen = now;
        let millis = self.played.as_millis().max(1);
        let games = self.games as u128;
        let tenths_a_second = games * 10_000 / millis;
        let rate = format!("  {}.{}/s", tenths_a_second / 10, tenths_a_second % 10);
        if games == 0 {
            return rate;
        }
        let seconds = left as u128 * millis / games / 1000;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        format!("{rate}, event {hours}:{minutes:02}:{seconds:02} left")
    }

    /// A line about the round in play, where nothing has been told for a while and games are played.
    pub(super) fn line(&mut self, now: Instant, is_playing: bool, state: &State) -> Option<String> {
        let shown = self.shown(now, is_playing, games_left(state));
        let sitting = state.sittings().last()?;
        if !is_playing || now.duration_since(self.told) < QUIET {
            return None;
        }
        self.told = now;
        let (done, all) = (played(sitting), scheduled(sitting));
        Some(format!("  {done} of {all} games of the round, {}", shown.trim_start()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_do_not_count() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut pace = Pace::new(begin);
        assert_eq!(pace.shown(at(0), true, 8), "  0.0/s");
        pace.game_is_over();
        pace.game_is_over();
        assert_eq!(pace.shown(at(4), true, 6), "  0.5/s, event 0:00:12 left");
        assert_eq!(pace.shown(at(400), false, 6), "  0.5/s, event 0:00:12 left");
    }
}
