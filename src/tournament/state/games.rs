//! The games of a mini-match, and what is asked of them before every game that begins, without going through them all.
//!
//! May not: know who meets.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::{Chain, RepeatN};

use swiss_system::pairing::history::PairingNumber;

use super::game::Game;
use crate::game::termination::Outcome;

/// The games of a mini-match in order, from 1; `None` while due. Those after the last that has ended take no room, however many are to
/// be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Games {
    /// As far as any has ended; the last of them has.
    games: Vec<Option<Game>>,
    /// How many there are to be.
    planned: u32,
    /// The numbers of those that are due among them; all after them are due too.
    gaps: BTreeSet<u32>,
    /// The numbers of those that a player lost by a fault of its agent.
    faults: BTreeMap<PairingNumber, BTreeSet<u32>>,
    /// The numbers of those before which a player's agent failed to start.
    unstarted: BTreeMap<PairingNumber, BTreeSet<u32>>,
    /// No game begins any more.
    is_stopped: bool,
}

/// One that has not ended.
static NONE: Option<Game> = None;

impl Games {
    /// So many games, all of them due.
    pub const fn due(count: u32) -> Self {
        Self {
            games: Vec::new(),
            planned: count,
            gaps: BTreeSet::new(),
            faults: BTreeMap::new(),
            unstarted: BTreeMap::new(),
            is_stopped: false,
        }
    }

    /// These games.
    pub fn new(games: Vec<Option<Game>>) -> Self {
        let mut all = Self::due(u32::try_from(games.len()).expect("few games"));
        for (number, game) in (1..).zip(games) {
            if game.is_some() {
                all.set(number, game);
            }
        }
        all
    }

    /// Up to which number there are games that have ended.
    fn ended(&self) -> u32 {
        u32::try_from(self.games.len()).expect("few games")
    }

    /// Notes what `number` is now.
    fn note(&mut self, number: u32) {
        let game = &self.games[number as usize - 1];
        match game {
            None if !self.is_stopped => self.gaps.insert(number),
            _ => self.gaps.remove(&number),
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
        self.is_stopped = true;
        self.gaps.clear();
    }

    /// How many there were to be.
    pub const fn planned(&self) -> u32 {
        self.planned
    }

    /// Whether a game of this number may end: it is due, or may have been being played when no more were to begin.
    pub fn may_end(&self, number: u32) -> bool {
        (1..=self.planned).contains(&number) && !matches!(self.number(number), Some(Some(_)))
    }

    /// Puts a game in its place, or takes away what is there.
    pub fn set(&mut self, number: u32, game: Option<Game>) {
        if !self.is_stopped {
            self.gaps.extend(self.ended() + 1..number);
        }
        if self.ended() < number {
            self.games.resize(number as usize, None);
        }
        self.games[number as usize - 1] = game;
        self.note(number);
        let ended = self.games.iter().rposition(Option::is_some).map_or(0, |last| last + 1);
        self.games.truncate(ended);
        self.gaps.split_off(&(self.ended() + 1));
    }

    /// A game that has ended counts as something else.
    pub fn rule(&mut self, number: u32, outcome: Outcome) {
        if let Some(Some(game)) = self.games.get_mut(number as usize - 1) {
            game.ruled = Some(outcome);
            self.note(number);
        }
    }

    /// One of them; `None` where there is no such number.
    pub fn number(&self, number: u32) -> Option<&Option<Game>> {
        let index = (number as usize).checked_sub(1)?;
        (index < self.len()).then(|| self.games.get(index).unwrap_or(&NONE))
    }

    /// All of them, those that are due too; where no game begins any more as far as any has ended.
    pub fn iter(&self) -> Iter<'_> {
        let due = self.len() - self.games.len();
        self.games.iter().chain(std::iter::repeat_n(&NONE, due))
    }

    /// Game pairs, games 1 and 2, 3 and 4 and so on, as far as any has ended; the last one may be one game alone.
    pub fn pairs(&self) -> std::slice::Chunks<'_, Option<Game>> {
        self.games.chunks(2)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match self.is_stopped {
            true => self.games.len(),
            false => self.planned as usize,
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of those that are due after all that have ended.
    fn rest(&self) -> std::ops::RangeInclusive<u32> {
        let last = if self.is_stopped { self.ended() } else { self.planned };
        self.ended() + 1..=last
    }

    /// Whether every game has ended.
    pub fn are_over(&self) -> bool {
        self.gaps.is_empty() && self.rest().is_empty()
    }

    /// The numbers of those that are due, in order.
    pub fn all_due(&self) -> impl Iterator<Item = u32> {
        self.gaps.iter().copied().chain(self.rest())
    }

    /// How many are due.
    pub fn count_due(&self) -> usize {
        self.gaps.len() + self.rest().count()
    }

    /// How many of those before `number` are due.
    pub fn due_before(&self, number: u32) -> usize {
        let rest = self.rest();
        let of_rest = number.clamp(*rest.start(), *rest.end() + 1) - rest.start();
        self.gaps.range(..number).count() + of_rest as usize
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

/// The games of a mini-match.
type Iter<'a> = Chain<std::slice::Iter<'a, Option<Game>>, RepeatN<&'a Option<Game>>>;

impl<'a> IntoIterator for &'a Games {
    type Item = &'a Option<Game>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
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
                        let before = games.iter().take(number as usize - 1).flatten();
                        prop_assert_eq!(games.faults_before(number, player), before.filter(|game| game.is_fault_of(player)).count());
                        prop_assert_eq!(games.due_before(number), due.iter().filter(|due| **due < number).count());
                    }
                }
            }
        }
    }
}
