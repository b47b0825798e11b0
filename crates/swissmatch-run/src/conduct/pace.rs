//! How long games take: as many are given to a far slot at once as fill a task.
//!
//! May not: ask the time.

use std::time::Duration;

use swissmatch_game::record::GameRecord;

/// How long a task takes, about: what is lost with a machine, and what nobody else can play at the end of a round.
const TASK: Duration = Duration::from_secs(30);
/// Games of a task as long as nothing is known of them: a pair with both colours.
const AT_FIRST: usize = 2;

/// How long games took so far.
#[derive(Debug, Default)]
pub(super) struct Pace {
    games: u32,
    time: Duration,
}

impl Pace {
    /// A game has been played.
    pub(super) fn took(&mut self, record: &GameRecord) {
        let time: u64 = record.time_us.iter().sum();
        self.games = self.games.saturating_add(1);
        self.time = self.time.saturating_add(Duration::from_micros(time));
    }

    /// Games that fill a task: at least one pair, and whole ones.
    pub(super) fn games_a_task(&self) -> usize {
        let mean = self.time.checked_div(self.games).unwrap_or(TASK);
        let games = TASK.as_micros().checked_div(mean.as_micros()).unwrap_or(u128::MAX);
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        (games & !1).max(AT_FIRST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_whole_pairs_that_take_half_a_minute() {
        let games = |games, seconds| {
            let time = Duration::from_secs_f64(seconds);
            Pace { games, time }.games_a_task()
        };
        assert_eq!(Pace::default().games_a_task(), 2);
        assert_eq!(games(1, 240.0), 2);
        assert_eq!(games(10, 43.0), 6);
        assert_eq!(games(100, 10.0), 300);
        assert!(games(3, 0.0) > 1000);
    }
}
