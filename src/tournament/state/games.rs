//! The games of a mini-match, and what is asked of them before every game that begins, without going through them all.
//!
//! May not: know who meets.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

use swiss_system::pairing::history::PairingNumber;

use super::game::Game;
use crate::game::termination::Outcome;

/// The games of a mini-match in order, from 1; `None` while due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    games: Vec<Option<Game>>,
    /// The numbers of those that are due.
    due: BTreeSet<u32>,
    /// The numbers of those that a player lost by a fault of its agent.
    faults: BTreeMap<PairingNumber, BTreeSet<u32>>,
    /// The numbers of those before which a player's agent failed to start.
    unstarted: BTreeMap<PairingNumber, BTreeSet<u32>>,
    /// Where no game begins any more: how many there were to be.
    stopped: Option<u32>,
}

impl Games {
    /// So many games, all of them due.
    pub fn due(count: u32) -> Self {
        Self::new(vec![None; count as usize])
    }

    /// These games.
    pub fn new(games: Vec<Option<Game>>) -> Self {
        let mut all = Self {
            games,
            due: BTreeSet::new(),
            faults: BTreeMap::new(),
            unstarted: BTreeMap::new(),
            stopped: None,
        };
        for number in all.numbers() {
            all.note(number);
        }
        all
    }

    fn numbers(&self) -> std::ops::RangeInclusive<u32> {
        1..=u32::try_from(self.games.len()).expect("few games")
    }

    /// Notes what `number` is now.
    fn note(&mut self, number: u32) {
        let game = &self.games[number as usize - 1];
        match game {
            None if self.stopped.is_none() => self.due.insert(number),
            _ => self.due.remove(&number),
        };
        for of_players in [&mut self.faults, &mut self.unstarted] {
            of_players.values_mut().for_each(|numbers| {
                numbers.remove(&number);
            });
        }
        let Some(game) = game else { return };
        for player in [game.finished.white, game.finished.black] {
            if game.is_fault_of(player) {
                self.faults.entry(player).or_default().insert(number);
            }
            if game.did_not_start(player) {
                self.unstarted.entry(player).or_default().insert(number);
            }
        }
    }

    /// No game begins any more. Those that are being played may end; of those that were not begun nothing is left.
    pub fn stop(&mut self) {
        self.stopped
            .get_or_insert(u32::try_from(self.games.len()).expect("few games"));
        let ended = self.games.iter().rposition(Option::is_some);
        self.games.truncate(ended.map_or(0, |last| last + 1));
        self.due.clear();
    }

    /// How many there were to be.
    pub fn planned(&self) -> u32 {
        self.stopped.unwrap_or_else(|| *self.numbers().end())
    }

    /// Whether a game of this number may end: it is due, or may have been being played when no more were to begin.
    pub fn may_end(&self, number: u32) -> bool {
        (1..=self.planned()).contains(&number) && !matches!(self.number(number), Some(Some(_)))
    }

    /// Puts a game in its place, or takes away what is there.
    pub fn set(&mut self, number: u32, game: Option<Game>) {
        if self.games.len() < number as usize {
            self.games.resize(number as usize, None);
        }
        self.games[number as usize - 1] = game;
        self.note(number);
    }

    /// A game that has ended counts as something else.
    pub fn rule(&mut self, number: u32, outcome: Outcome) {
        if let Some(game) = &mut self.games[number as usize - 1] {
            game.ruled = Some(outcome);
        }
        self.note(number);
    }

    /// One of them; `None` where there is no such number.
    pub fn number(&self, number: u32) -> Option<&Option<Game>> {
        self.games.get((number as usize).checked_sub(1)?)
    }

    /// Whether every game has ended.
    pub fn are_over(&self) -> bool {
        self.due.is_empty()
    }

    /// The numbers of those that are due, in order.
    pub fn all_due(&self) -> impl Iterator<Item = u32> {
        self.due.iter().copied()
    }

    /// How many are due.
    pub fn count_due(&self) -> usize {
        self.due.len()
    }

    /// How many of those before `number` are due.
    pub fn due_before(&self, number: u32) -> usize {
        self.due.range(..number).count()
    }

    /// How many a player lost by a fault of its agent.
    pub fn faults_of(&self, player: PairingNumber) -> usize {
        self.faults.get(&player).map_or(0, BTreeSet::len)
    }

    /// How many of those before `number`.
    pub fn faults_before(&self, number: u32, player: PairingNumber) -> usize {
        self.faults
            .get(&player)
            .map_or(0, |numbers| numbers.range(..number).count())
    }

    /// Whether a player's agent failed to start when one of them was about to be played.
    pub fn failed_to_start(&self, player: PairingNumber) -> bool {
        self.unstarted.get(&player).is_some_and(|numbers| !numbers.is_empty())
    }
}

impl Deref for Games {
    type Target = [Option<Game>];

    fn deref(&self) -> &[Option<Game>] {
        &self.games
    }
}

impl<'a> IntoIterator for &'a Games {
    type Item = &'a Option<Game>;
    type IntoIter = std::slice::Iter<'a, Option<Game>>;

    fn into_iter(self) -> Self::IntoIter {
        self.games.iter()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Side;
    use crate::game::record::GameId;
    use crate::game::termination::Termination;
    use crate::tournament::log::GameFinished;

    const COUNT: u32 = 6;
    const PLAYERS: [PairingNumber; 2] = [PairingNumber(3), PairingNumber(1)];

    fn ended(number: u32, termination: Termination, was_asked: bool) -> Game {
        let id = GameId {
            round: 1,
            playoff: 0,
            board: 1,
            game: number,
        };
        let [white, black] = PLAYERS;
        let players = if number % 2 == 1 {
            [white, black]
        } else {
            [black, white]
        };
        Game::from(GameFinished {
            record: was_asked.then(|| "0".repeat(64)),
            ..GameFinished::unplayed(id, players, (Outcome::BlackWins, termination))
        })
    }

    /// What happens to a game: it ends so, is taken away, or is ruled on.
    #[derive(Clone, Debug)]
    enum Happens {
        Ends(Termination, bool),
        Goes,
        IsRuled(Outcome),
    }

    fn happens() -> impl Strategy<Value = (u32, Happens)> {
        let terminations = vec![
            Termination::Checkmate,
            Termination::NeitherStarted,
            Termination::DidNotStart { by: Side::Black },
            Termination::Crash { by: Side::White },
            Termination::TimeForfeit { by: Side::Black },
        ];
        let what = prop_oneof![
            4 => (proptest::sample::select(terminations), any::<bool>()).prop_map(|(how, asked)| Happens::Ends(how, asked)),
            1 => Just(Happens::Goes),
            2 => proptest::sample::select(vec![Outcome::Void, Outcome::Draw]).prop_map(Happens::IsRuled),
        ];
        (1..=COUNT, what)
    }

    proptest! {
        #[test]
        fn what_is_noted_is_what_a_look_at_all_games_gives(all in proptest::collection::vec(happens(), 0..30)) {
            let mut games = Games::due(COUNT);
            for (number, what) in all {
                match what {
                    Happens::Ends(how, was_asked) => games.set(number, Some(ended(number, how, was_asked))),
                    Happens::Goes => games.set(number, None),
                    Happens::IsRuled(outcome) => games.rule(number, outcome),
                }
                let due: Vec<u32> = (1..).zip(&games).filter(|(_, game)| game.is_none()).map(|(number, _)| number).collect();
                prop_assert_eq!(games.all_due().collect::<Vec<_>>(), due.clone());
                prop_assert_eq!((games.count_due(), games.are_over()), (due.len(), due.is_empty()));
                let is_any = |player, of: fn(&Game, PairingNumber) -> bool| {
                    games.iter().flatten().filter(|game| of(game, player)).count()
                };
                for player in PLAYERS {
                    prop_assert_eq!(games.faults_of(player), is_any(player, Game::is_fault_of));
                    prop_assert_eq!(games.failed_to_start(player), is_any(player, Game::did_not_start) > 0);
                    for number in 1..=COUNT {
                        let before = games[..number as usize - 1].iter().flatten();
                        prop_assert_eq!(games.faults_before(number, player), before.filter(|game| game.is_fault_of(player)).count());
                        prop_assert_eq!(games.due_before(number), due.iter().filter(|due| **due < number).count());
                    }
                }
            }
        }
    }
}
