//! How long an event takes, and durations in words.
//!
//! May not: measure anything.

use std::rc::Rc;
use std::time::Duration;

use swissmatch_game::time_control::Limit;
use swissmatch_game::time_control::TimeControl;

use super::beside;
use super::setup::{IllegalAttempts, PlayerKeys, Restart, Setup};

/// Assumptions about the games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    /// Moves of each side in a game that no cap ends.
    pub moves: u32,
    /// The share of its time that a side uses, in percent.
    pub time_used: u32,
    /// Measured game times; where given, the other assumptions do not count.
    pub measured: Option<GameTime>,
}

/// Average durations of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameTime {
    /// Over all games.
    pub mean: Duration,
    /// Games played on cores.
    pub on_cores: Duration,
    /// Games played beside the cores.
    pub beside: Duration,
}

impl From<Duration> for GameTime {
    /// The same duration for both kinds of games.
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

/// The number of games that can be played at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// On cores, where the event does not say.
    pub cores: u32,
    /// Beside the cores, for games that need none.
    pub beside: u32,
}

impl Room {
    /// The room on a machine whose cores allow `cores` games at once.
    pub fn on(setup: &Setup, cores: u32) -> Self {
        Self {
            cores,
            beside: beside::slots(setup),
        }
    }
}

/// The games of a round on one kind of slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfRound {
    /// At most so many.
    pub games: u32,
    /// How many of them are played at once.
    pub at_once: u32,
}

impl OfRound {
    /// Whichever of the two plays more games at once.
    fn or(self, other: Self) -> Self {
        if other.at_once > self.at_once { other } else { self }
    }

    /// The longest sequence of games played one after the other.
    const fn in_turn(self) -> u32 {
        match self.at_once {
            0 => 0,
            at_once => self.games.div_ceil(at_once),
        }
    }
}

/// The games of a round, by kind of slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundGames {
    /// Played on cores.
    pub on_cores: OfRound,
    /// Played beside the cores, since they need none.
    pub beside: OfRound,
}

impl RoundGames {
    /// A round of `pairs` pairs who play `games` games each.
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
        // The pairs of the round are not known yet. Each pair on a core has at least one player who needs it.
        let without = beside::without_core(setup);
        let with = u32::try_from(setup.players.len()).unwrap_or(u32::MAX) - without;
        Self {
            on_cores: of(pairs.min(with), room.cores),
            beside: of(pairs.min(without / 2), room.beside),
        }
    }

    pub const fn at_once(self) -> u32 {
        self.on_cores.at_once + self.beside.at_once
    }

    /// The duration of the round, given the duration of a game.
    pub fn takes(self, game: impl Into<GameTime>) -> Duration {
        let game = game.into();
        let on_cores = game.on_cores.saturating_mul(self.on_cores.in_turn());
        on_cores.max(game.beside.saturating_mul(self.beside.in_turn()))
    }
}

impl Assumptions {
    /// Moves of each side in a game, with these keys.
    pub fn moves_of(&self, setup: &Setup) -> u32 {
        most_moves(setup).map_or(self.moves, |most| most.min(self.moves))
    }
}

/// The rounds of an event as set up, before anything is played.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The setup that counts in each round, and its number of pairs.
    rounds: Vec<(Rc<Setup>, u32)>,
    room: Room,
}

impl Outlook {
    /// The outlook of an event with this much room.
    pub fn new(setup: &Setup, room: Room) -> Self {
        let rounds = each_round(setup);
        Self { rounds, room }
    }

    /// A figure for each round; a single value where all rounds have the same.
    pub fn by_round(&self, what: impl Fn(&Setup, u32) -> u32) -> Vec<u32> {
        let mut all: Vec<u32> = self.rounds.iter().map(|(setup, pairs)| what(setup, *pairs)).collect();
        if all.iter().all(|one| *one == all[0]) {
            all.truncate(1);
        }
        all
    }

    /// All games of the event.
    pub fn games(&self) -> u64 {
        let rounds = self.rounds.iter();
        rounds
            .map(|(setup, pairs)| u64::from(*pairs) * u64::from(setup.mini_match.games))
            .sum()
    }

    /// Games at once in the round that has most.
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

    /// The likely duration, without pauses between rounds; `None` where it cannot be told.
    pub fn likely(&self, assumptions: Assumptions) -> Option<Duration> {
        self.takes(|setup| likely_games(setup, assumptions))
    }

    /// The longest possible duration, by [`longest_game`]; `None` if nothing bounds it.
    pub fn longest(&self) -> Option<Duration> {
        self.takes(|setup| longest_game(setup).map(GameTime::from))
    }

    /// The likely and the longest duration. The longest is never below the likely one: measured games include the
    /// starts of engines, which the longest leaves out.
    pub fn likely_and_longest(&self, assumptions: Assumptions) -> [Option<Duration>; 2] {
        let likely = self.likely(assumptions);
        let longest = self
            .longest()
            .map(|longest| likely.map_or(longest, |likely| likely.max(longest)));
        [likely, longest]
    }

    /// The most time that starting agents can add to the event, where agents are started anew for each game; `None`
    /// where they are not.
    pub fn starting(&self) -> Option<Duration> {
        let starting = self.takes(|setup| Some(starts(setup).into()))?;
        (!starting.is_zero()).then_some(starting)
    }

    /// The duration of all rounds, given the duration of their games.
    fn takes(&self, game: impl Fn(&Setup) -> Option<GameTime>) -> Option<Duration> {
        let rounds = self.rounds.iter().zip(self.each());
        rounds.map(|((setup, _), round)| Some(round.takes(game(setup)?))).sum()
    }
}

/// The setup that counts in each round, and the round's number of pairs.
fn each_round(setup: &Setup) -> Vec<(Rc<Setup>, u32)> {
    if !setup.event.sections.is_empty() {
        // Sections are played side by side, with the same games.
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

/// The likely duration of games: as measured, or else the mean by the players' time controls. `None` if nodes or depth
/// end searches, because time then says nothing.
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

/// Like [`likely_games`], but for a game between any two players.
pub fn likely_game(setup: &Setup, assumptions: Assumptions) -> Option<Duration> {
    likely_games(setup, assumptions).map(|games| games.mean)
}

/// The time that a player is likely to use in a game, by its time control; `None` if nodes or depth end its searches.
pub(crate) fn likely_side(setup: &Setup, player: &PlayerKeys, assumptions: Assumptions) -> Option<Duration> {
    whole_side(setup, player, assumptions).map(|whole| whole / 100 * assumptions.time_used)
}

/// All the time that a player has in a game; `None` if nodes or depth end its searches.
fn whole_side(setup: &Setup, player: &PlayerKeys, assumptions: Assumptions) -> Option<Duration> {
    let is_bounded = !setup.bounds(player, &setup.game.time_control).is_empty();
    (!is_bounded).then(|| thinking(setup.time_control(player), assumptions.moves_of(setup)))
}

/// The longest that a game can take, without starting engines anew; `None` if nothing bounds it.
///
/// Under a time per move, and where search bounds stand alone, every attempt but the last may fail at each move, unless
/// attempts share the limit. An engine that failed has `engine.stop_grace` to stop and `engine.step_limit` to get in
/// step. Under a clock the clocks bound the game, plus one last overrun of the longest margin, provided there is no
/// increment, delay or repeating stage, or moves are capped. If the sides have different controls, both count as the
/// slower one.
pub fn longest_game(setup: &Setup) -> Option<Duration> {
    let of_each: Option<Vec<Duration>> = setup
        .time_controls()
        .map(|control| longest_with(setup, control))
        .collect();
    of_each?.into_iter().max()
}

/// The longest that a game can take if both sides have this control.
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

/// The longest that starting a game's agents takes, one after the other, if each starts at the first try; for agents
/// that are started anew for each game.
fn starts(setup: &Setup) -> Duration {
    let anew = |player: &&PlayerKeys| setup.restart(player) == Restart::Game;
    let anew = setup.players.iter().filter(anew).take(2).count();
    setup.engine.start_limit.saturating_mul(anew as u32)
}

/// The most attempts at a move.
pub(crate) fn most_attempts(setup: &Setup) -> u32 {
    let game = &setup.game;
    match game.illegal_attempts {
        IllegalAttempts::Shared => game.attempts,
        IllegalAttempts::Apart(illegal) => (game.attempts + illegal).saturating_sub(1),
    }
}

/// The most moves of a side, where they are capped.
pub(crate) fn most_moves(setup: &Setup) -> Option<u32> {
    let by_plies = setup.game.max_plies.map(|plies| plies.div_ceil(2));
    setup.game.max_moves.into_iter().chain(by_plies).min()
}

/// The time that a side has for `of_moves` moves. In an hourglass nobody has more than the initial time for long.
fn thinking(control: &TimeControl, of_moves: u32) -> Duration {
    match control.limit {
        Limit::Hourglass(base) => base,
        _ => control.longest_of_side(of_moves),
    }
}

/// A duration in its two largest units: `3 d 4 h`, `2 h 05 min`, `1 min 30 s`, `12 s`.
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

/// A likely duration, rounded up so that it does not promise too little: `about 30 s`, `about 2 min`, `about 1 h 10
/// min`. It is not rounded beyond `longest`.
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
