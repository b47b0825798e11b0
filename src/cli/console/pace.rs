//! How fast games are played, how many are left, and a line about it now and then where nothing is drawn.
//!
//! May not: ask the time, print.

use std::time::{Duration, Instant};

use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::state::{MiniMatch, Sitting, State};

/// How long nothing is told at the least.
const QUIET: Duration = Duration::from_secs(60);

/// Games that the round in play has.
pub(in crate::cli) fn scheduled(sitting: Sitting<'_>) -> usize {
    sitting.mini_matches.iter().map(|board| board.games.len()).sum()
}

/// Games of it that are finished.
pub(in crate::cli) fn played(sitting: Sitting<'_>) -> usize {
    sitting.mini_matches.iter().map(finished).sum()
}

/// Games of a mini-match that are finished.
pub(in crate::cli) fn finished(board: &MiniMatch) -> usize {
    board.games.iter().flatten().count()
}

/// How fast games are played, pauses and waits not counted.
pub(in crate::cli) struct Pace {
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
    pub(in crate::cli) const fn new(now: Instant) -> Self {
        Self {
            games: 0,
            played: Duration::ZERO,
            seen: now,
            told: now,
        }
    }

    /// A game has been committed.
    pub(in crate::cli) const fn game_is_over(&mut self) {
        self.games += 1;
    }

    /// Something else has been told.
    pub(in crate::cli) const fn told(&mut self, now: Instant) {
        self.told = now;
    }

    /// Whether nothing has been told for a while.
    pub(in crate::cli) fn is_due(&self, now: Instant) -> bool {
        now.duration_since(self.told) >= QUIET
    }

    /// Time has passed, in which games were played or not.
    pub(in crate::cli) fn goes_on(&mut self, now: Instant, is_playing: bool) {
        if is_playing {
            self.played += now - self.seen;
        }
        self.seen = now;
    }

    /// Games a second, and the time that the rest of the event takes at that pace; `None` where that is not known yet.
    pub(in crate::cli) fn shown(&self, state: &State) -> Option<String> {
        let (_, finished) = state.progress();
        self.with_left(games_planned(state).saturating_sub(finished))
    }

    fn with_left(&self, left: usize) -> Option<String> {
        if self.games == 0 {
            return None;
        }
        let millis = self.played.as_millis().max(1);
        let games = self.games as u128;
        let tenths_a_second = games * 10_000 / millis;
        let rate = format!("{}.{} games/s", tenths_a_second / 10, tenths_a_second % 10);
        let seconds = left as u128 * millis / games / 1000;
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        Some(format!("{rate}, event {hours}:{minutes:02}:{seconds:02} left"))
    }

    /// How far the round in play is, as a line; `None` before the first.
    pub(in crate::cli) fn line(&self, state: &State) -> Option<String> {
        let sitting = state.sittings().last()?;
        let (done, all) = (played(sitting), scheduled(sitting));
        let pace = self.shown(state).map_or_else(String::new, |pace| format!(", {pace}"));
        Some(format!("  {done} of {all} games of the round{pace}"))
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
        assert_eq!(pace.with_left(8), None);
        pace.game_is_over();
        pace.game_is_over();
        pace.goes_on(at(4), true);
        let left = |pace: &Pace| pace.with_left(6).expect("games were played");
        assert_eq!(left(&pace), "0.5 games/s, event 0:00:12 left");
        pace.goes_on(at(400), false);
        assert_eq!(left(&pace), "0.5 games/s, event 0:00:12 left");
        pace.goes_on(at(402), true);
        assert_eq!(left(&pace), "0.3 games/s, event 0:00:18 left");
    }

    #[test]
    fn a_line_is_due_when_nothing_has_been_told_for_a_minute() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut pace = Pace::new(begin);
        assert_eq!([59, 60].map(|seconds| pace.is_due(at(seconds))), [false, true]);
        pace.told(at(60));
        assert_eq!([119, 120].map(|seconds| pace.is_due(at(seconds))), [false, true]);
    }
}
