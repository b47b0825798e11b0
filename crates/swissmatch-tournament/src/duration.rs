//! How long an event takes, and times in words.
//!
//! May not: measure anything.

use std::rc::Rc;
use std::time::Duration;

use swissmatch_game::time_control::Limit;
use swissmatch_game::time_control::TimeControl;

use super::beside;
use super::setup::{IllegalAttempts, PlayerKeys, Restart, Setup};

/// What games are taken to be like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    /// Moves of each side in a game that no cap ends.
    pub moves: u32,
    /// How much of its time a side uses, in percent.
    pub time_used: u32,
    /// How long games take, where that was measured; then the rest does not count.
    pub measured: Option<GameTime>,
}

/// How long games take, on average.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// One of all.
    pub mean: Duration,
    /// One that is played on cores.
    pub on_cores: Duration,
    /// One that is played beside them.
    pub beside: Duration,
}

impl From<Duration> for GameTime {
    /// Wherever it is played.
    fn from(mean: Duration) -> Self {
        Self {
            mean,
            on_cores: mean,
            beside: mean,
        }
    }
}

impl Default for Assumptions {
    fn default() -> Self {
        Self {
            moves: 60,
            time_used: 50,
            measured: None,
        }
    }
}

/// For how many games at once there is room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// On cores, where the event does not say.
    pub cores: u32,
    /// Beside them, of those that need none.
    pub beside: u32,
}

impl Room {
    /// That of an event on a machine with cores for so many games at once.
    pub fn on(setup: &Setup, cores: u32) -> Self {
        Self {
            cores,
            beside: beside::slots(setup),
        }
    }
}

/// Games of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfRound {
    /// How many there are, at most.
    pub games: u32,
    /// How many of them are played at once.
    pub at_once: u32,
}

impl OfRound {
    /// The one of two of which more are played at once.
    fn or(self, other: Self) -> Self {
        if other.at_once > self.at_once { other } else { self }
    }

    /// How many are played one after the other where most are.
    const fn in_turn(self) -> u32 {
        match self.at_once {
            0 => 0,
            at_once => self.games.div_ceil(at_once),
        }
    }
}

/// Games of a round, by where they are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundGames {
    /// On cores.
    pub on_cores: OfRound,
    /// Beside them, since they need none.
    pub beside: OfRound,
}

impl RoundGames {
    /// A round of so many pairs who play so many games each.
    pub fn new(setup: &Setup, room: Room, pairs: u32, games: u32) -> Self {
        let of = |pairs: u32, slots: u32| OfRound {
            games: pairs.saturating_mul(games),
            at_once: slots.min(beside::of_pairs(setup, pairs, games)),
        };
        if room.beside == 0 {
            let all = of(pairs, setup.run.concurrency.unwrap_or(room.cores));
            return Self {
                on_cores: OfRound {
                    at_once: all.at_once.max(1),
                    ..all
                },
                ..Self::default()
            };
        }
        // Whom the round will pair is not known. Each pair on a core has one player at least who needs it.
        let without = beside::without_core(setup);
        let with = u32::try_from(setup.players.len()).unwrap_or(u32::MAX) - without;
        Self {
            on_cores: of(pairs.min(with), room.cores),
            beside: of(pairs.min(without / 2), room.beside),
        }
    }

    /// Games at once.
    pub const fn at_once(self) -> u32 {
        self.on_cores.at_once + self.beside.at_once
    }

    /// How long it takes if games take so long.
    pub fn takes(self, game: impl Into<GameTime>) -> Duration {
        let game = game.into();
        let on_cores = game.on_cores.saturating_mul(self.on_cores.in_turn());
        on_cores.max(game.beside.saturating_mul(self.beside.in_turn()))
    }
}

impl Assumptions {
    /// Moves of each side in a game by these keys.
    pub fn moves_of(&self, setup: &Setup) -> u32 {
        most_moves(setup).map_or(self.moves, |most| most.min(self.moves))
    }
}

/// An event as it is set up, before anything is played: each of its rounds.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The setup that counts in each round, and its pairs.
    rounds: Vec<(Rc<Setup>, u32)>,
    room: Room,
}

impl Outlook {
    /// That of an event where there is so much room.
    pub fn new(setup: &Setup, room: Room) -> Self {
        let rounds = each_round(setup);
        Self { rounds, room }
    }

    /// What each round has, said once where it is the same in all.
    pub fn by_round(&self, what: impl Fn(&Setup, u32) -> u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.rounds.iter().map(|(setup, pairs)| what(setup, *pairs)).collect();
        if all.iter().all(|one| *one == all[0]) {
            all.truncate(1);
        }
        all
    }

    /// Games in all.
    pub fn games(&self) -> u64 {
        let rounds = self.rounds.iter();
        rounds
            .map(|(setup, pairs)| u64::from(*pairs) * u64::from(setup.mini_match.games))
            .sum()
    }

    /// Games at once, of the rounds with most.
    pub fn at_once(&self) -> RoundGames {
        self.each().fold(RoundGames::default(), |most, round| RoundGames {
            on_cores: most.on_cores.or(round.on_cores),
            beside: most.beside.or(round.beside),
        })
    }

    fn each(&self) -> impl Iterator<Item = RoundGames> {
        let rounds = self.rounds.iter();
        rounds.map(|(setup, pairs)| RoundGames::new(setup, self.room, *pairs, setup.mini_match.games))
    }

    /// How long it is likely to take, pauses between rounds left out; `None` where nothing is known of it.
    pub fn likely(&self, assumptions: Assumptions) -> Option<Duration> {
        self.takes(|setup| likely_games(setup, assumptions))
    }

    /// The longest that it can take, as [`longest_game`] has it; `None`: nothing bounds it.
    pub fn longest(&self) -> Option<Duration> {
        self.takes(|setup| longest_game(setup).map(GameTime::from))
    }

    /// Both. The longest is never below what is likely: games that were measured have the starts of engines in them, which the
    /// longest leaves out.
    pub fn likely_and_longest(&self, assumptions: Assumptions) -> [Option<Duration>; 2] {
        let likely = self.likely(assumptions);
        let longest = self
            .longest()
            .map(|longest| likely.map_or(longest, |likely| likely.max(longest)));
        [likely, longest]
    }

    /// The longest that starting takes in it, beside its games, where agents are started anew for each; `None`: none is.
    pub fn starting(&self) -> Option<Duration> {
        let starting = self.takes(|setup| Some(starts(setup).into()))?;
        (!starting.is_zero()).then_some(starting)
    }

    /// How long it takes if its games take so long.
    fn takes(&self, game: impl Fn(&Setup) -> Option<GameTime>) -> Option<Duration> {
        let rounds = self.rounds.iter().zip(self.each());
        rounds.map(|((setup, _), round)| Some(round.takes(game(setup)?))).sum()
    }
}

/// Each round of an event: the setup that counts in it, and its pairs.
fn each_round(setup: &Setup) -> Vec<(Rc<Setup>, u32)> {
    if !setup.event.sections.is_empty() {
        // They are played side by side, with the same games.
        let shared = Rc::new(setup.clone());
        let mut pairs = vec![0; setup.plan().rounds as usize];
        for section in setup.stages() {
            for (all, own) in pairs.iter_mut().zip(section.pairs()) {
                *all += own;
            }
        }
        return pairs.into_iter().map(|pairs| (Rc::clone(&shared), pairs)).collect();
    }
    let stages = setup.stages().into_iter();
    let rounds = stages.flat_map(|stage| {
        let of_stage = Rc::new(stage.setup(setup));
        let rounds = stage.pairs().into_iter().zip(stage.games_by_round());
        rounds
            .map(|(pairs, games)| {
                let mut of_round = Rc::clone(&of_stage);
                if of_round.mini_match.games != games {
                    Rc::make_mut(&mut of_round).mini_match.games = games;
                }
                (of_round, pairs)
            })
            .collect::<Vec<_>>()
    });
    rounds.collect()
}

/// How long games are likely to take: what was measured, else the mean by the players' time controls. `None`: nodes or depth end
/// searches, so that time says nothing.
pub fn likely_games(setup: &Setup, assumptions: Assumptions) -> Option<GameTime> {
    if assumptions.measured.is_some() {
        return assumptions.measured;
    }
    let mut sides = setup
        .players
        .iter()
        .map(|player| whole_side(setup, player, assumptions));
    let of_sides = sides.try_fold(Duration::ZERO, |sum, side| Some(sum.saturating_add(side?)))?;
    let players = u32::try_from(setup.players.len()).unwrap_or(u32::MAX).max(1);
    let mean = (of_sides / players).saturating_mul(2) / 100 * assumptions.time_used;
    Some(mean.into())
}

/// The same of a game of any two.
pub fn likely_game(setup: &Setup, assumptions: Assumptions) -> Option<Duration> {
    likely_games(setup, assumptions).map(|games| games.mean)
}

/// How long a player is likely to take for its side of a game, by its time control; `None`: nodes or depth end its searches.
pub(crate) fn likely_side(setup: &Setup, player: &PlayerKeys, assumptions: Assumptions) -> Option<Duration> {
    whole_side(setup, player, assumptions).map(|whole| whole / 100 * assumptions.time_used)
}

/// All the time that a player has for its side of a game; `None`: nodes or depth end its searches.
fn whole_side(setup: &Setup, player: &PlayerKeys, assumptions: Assumptions) -> Option<Duration> {
    let is_bounded = !setup.bounds(player, &setup.game.time_control).is_empty();
    (!is_bounded).then(|| thinking(setup.time_control(player), assumptions.moves_of(setup)))
}

/// The longest that a game can take, starting engines anew left out; `None`: nothing bounds it.
///
/// Under a time per move, and where bounds stand alone, each move may fail at every attempt but the last, unless they share
/// its limit; an engine that failed has `engine.stop_grace` to stop and `engine.step_limit` to get in step. Under a clock the
/// clocks bound the game, with a last overrun of the longest margin, where there is neither an increment nor a delay nor a further
/// stage that comes again, or where the moves are capped. Of two sides with different controls both are as the slower one.
pub fn longest_game(setup: &Setup) -> Option<Duration> {
    let of_each: Option<Vec<Duration>> = setup
        .time_controls()
        .map(|control| longest_with(setup, control))
        .collect();
    of_each?.into_iter().max()
}

/// The longest that a game can take whose sides both have this control.
fn longest_with(setup: &Setup, control: &TimeControl) -> Option<Duration> {
    let (game, engine) = (&setup.game, &setup.engine);
    let of_players = setup.players.iter().filter_map(|player| player.margin);
    let margin = of_players.fold(game.margin, Duration::max);
    match &control.limit {
        Limit::MoveTime(_) | Limit::Guard => {
            let limit = control.longest_of_side(1);
            let attempts = most_attempts(setup);
            let failed = margin + engine.stop_grace + engine.step_limit;
            let failing = match game.attempts_share {
                true => Duration::ZERO,
                false => (limit + failed).saturating_mul(attempts.saturating_sub(1)),
            };
            let of_move = (limit + margin).saturating_add(failing);
            Some(of_move.saturating_mul(most_moves(setup)?.saturating_mul(2)))
        }
        Limit::Clock(clock) => {
            let moves = if clock.is_bounded() {
                u32::MAX
            } else {
                most_moves(setup)?
            };
            let of_side = control.longest_of_side(moves).saturating_add(margin);
            Some(of_side.saturating_mul(2))
        }
        Limit::Hourglass(_) => {
            let margins = margin.saturating_mul(2);
            Some(control.longest(most_moves(setup)?).saturating_add(margins))
        }
    }
}

/// The longest that the starts of a game take whose agents are started anew for each, one after the other, if each comes up at once.
fn starts(setup: &Setup) -> Duration {
    let anew = |player: &&PlayerKeys| setup.restart(player) == Restart::Game;
    let anew = setup.players.iter().filter(anew).take(2).count();
    setup.engine.start_limit.saturating_mul(anew as u32)
}

/// Attempts at a move, at most.
pub(crate) fn most_attempts(setup: &Setup) -> u32 {
    let game = &setup.game;
    match game.illegal_attempts {
        IllegalAttempts::Shared => game.attempts,
        IllegalAttempts::Apart(illegal) => (game.attempts + illegal).saturating_sub(1),
    }
}

/// Moves of a side, where they are capped.
pub(crate) fn most_moves(setup: &Setup) -> Option<u32> {
    let by_plies = setup.game.max_plies.map(|plies| plies.div_ceil(2));
    setup.game.max_moves.into_iter().chain(by_plies).min()
}

/// What a side has for so many moves. In an hourglass nobody has more than it began with for long.
fn thinking(control: &TimeControl, of_moves: u32) -> Duration {
    match control.limit {
        Limit::Hourglass(base) => base,
        _ => control.longest_of_side(of_moves),
    }
}

/// A time in its two greatest units: `3 d 4 h`, `2 h 05 min`, `1 min 30 s`, `12 s`.
pub fn spoken(time: Duration) -> String {
    let seconds = time.as_millis().div_ceil(1000);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    match (days, hours, minutes) {
        (1.., ..) => format!("{days} d {} h", hours % 24),
        (_, 1.., _) => format!("{hours} h {:02} min", minutes % 60),
        (.., 1..) => format!("{minutes} min {:02} s", seconds % 60),
        _ => format!("{seconds} s"),
    }
}

/// A time that is only likely, rounded up so that it promises no less than it takes: `about 30 s`, `about 2 min`, `about 1 h 10 min`. It
/// is not rounded beyond the longest time.
pub fn about(time: Duration, longest: Option<Duration>) -> String {
    const MINUTE: u64 = 60;
    let seconds = u64::try_from(time.as_millis().div_ceil(1000)).unwrap_or(u64::MAX);
    let step = match seconds {
        ..=300 => MINUTE / 2,
        301..=3600 => MINUTE,
        3601..=86_400 => 10 * MINUTE,
        _ => 60 * MINUTE,
    };
    let rounded = Duration::from_secs(seconds.div_ceil(step).max(1).saturating_mul(step));
    let text = match longest {
        Some(longest) if rounded > longest => spoken(time),
        _ => spoken(rounded),
    };
    format!("about {}", text.strip_suffix(" 00 s").unwrap_or(&text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_likely_time_is_rounded_up() {
        let told = |seconds| about(Duration::from_secs(seconds), None);
        for (seconds, expected) in [
            (0, "about 30 s"),
            (12, "about 30 s"),
            (31, "about 1 min"),
            (61, "about 1 min 30 s"),
            (301, "about 6 min"),
            (3601, "about 1 h 10 min"),
            (36_000, "about 10 h 00 min"),
            (90_001, "about 1 d 2 h"),
        ] {
            assert_eq!(told(seconds), expected, "{seconds}");
        }
    }
}
