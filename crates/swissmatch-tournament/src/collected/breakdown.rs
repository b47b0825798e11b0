//! Counts of games by opening, length and termination, as far as they are asked for.
//!
//! May not: keep a game. What is kept grows with openings and players alone.

use std::collections::{BTreeMap, HashMap};

use super::CountedGame;
use swissmatch_game::pgn_results::{MOST_PLIES, NameId};

/// What games are counted by, beside their players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BreakdownOptions {
    pub opening: bool,
    /// By number of moves.
    pub length: bool,
    pub termination: bool,
    /// Leaves games that ended by a fault out of the first two.
    pub without_faults: bool,
}

/// Games by result: White won, drawn, Black won.
pub type ByResult = [u64; 3];

/// The results of one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfOpening {
    pub games: ByResult,
    /// Game pairs in which the players did not get a point each.
    pub decisive_pairs: u64,
    /// Game pairs with a point each, by the result of both games: White won, drawn, Black won.
    pub level_pairs: ByResult,
}

impl OfOpening {
    pub fn pairs(&self) -> u64 {
        self.decisive_pairs + self.level_pairs.iter().sum::<u64>()
    }

    /// Adds another opening's results.
    pub fn add(&mut self, other: &Self) {
        for (sum, more) in [
            (&mut self.games, other.games),
            (&mut self.level_pairs, other.level_pairs),
        ] {
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        self.decisive_pairs += other.decisive_pairs;
    }
}

/// Results by number of full moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Index: number of moves. Games longer than [`MOST_PLIES`] are in the last entry.
    by_moves: Vec<ByResult>,
    /// Games with no moves, or with unknown ones.
    pub without_moves: u64,
}

impl Lengths {
    /// Each number of moves that occurred, with the results, in order.
    pub fn each(&self) -> impl Iterator<Item = (u64, ByResult)> {
        (0..)
            .zip(&self.by_moves)
            .map(|(moves, results)| (moves, *results))
            .filter(|(_, results)| results.iter().sum::<u64>() > 0)
    }

    fn add(&mut self, game: &CountedGame) {
        if game.plies == 0 {
            self.without_moves += 1;
            return;
        }
        let moves = game.plies.min(MOST_PLIES).div_ceil(2) as usize;
        if self.by_moves.len() <= moves {
            self.by_moves.resize(moves + 1, ByResult::default());
        }
        self.by_moves[moves][game.result] += 1;
    }
}

/// Results by termination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terminations {
    /// By the termination's word.
    pub games: BTreeMap<&'static str, ByResult>,
    /// Games that ended by a player's fault.
    pub faults: BTreeMap<(NameId, &'static str), u64>,
}

impl Terminations {
    fn add(&mut self, game: &CountedGame) {
        let word = game.termination;
        self.games.entry(word).or_default()[game.result] += 1;
        for (player, is_at_fault) in [game.white, game.black].into_iter().zip(game.at_fault) {
            if game.is_faulty && is_at_fault {
                *self.faults.entry((player, word)).or_default() += 1;
            }
        }
    }
}

/// The counts; `None` for those that were not asked for.
#[derive(Clone, Debug, Default)]
pub struct Breakdown {
    /// By the opening's number; the key `None` has games with an unknown opening.
    pub openings: Option<HashMap<Option<u64>, OfOpening>>,
    pub lengths: Option<Lengths>,
    pub terminations: Option<Terminations>,
    without_faults: bool,
}

impl Breakdown {
    pub(super) fn new(by: BreakdownOptions) -> Self {
        Self {
            openings: by.opening.then(HashMap::new),
            lengths: by.length.then(Lengths::default),
            terminations: by.termination.then(Terminations::default),
            without_faults: by.without_faults,
        }
    }

    /// Adds both games of a pair, or a single game.
    pub(super) fn add(&mut self, games: &[CountedGame]) {
        if let Some(terminations) = &mut self.terminations {
            games.iter().for_each(|game| terminations.add(game));
        }
        let counts = |game: &&CountedGame| !(self.without_faults && game.is_faulty);
        let games: Vec<&CountedGame> = games.iter().filter(counts).collect();
        if let Some(lengths) = &mut self.lengths {
            games.iter().for_each(|game| lengths.add(game));
        }
        let Some(openings) = &mut self.openings else { return };
        for game in &games {
            openings.entry(game.opening).or_default().games[game.result] += 1;
        }
        if let [one, other] = games[..]
            && one.is_reversed(other)
        {
            let of_opening = openings.entry(one.opening).or_default();
            // A player who won as White in one game and lost as Black in the other has one point, and so does the
            // opponent.
            match one.result == other.result {
                true => of_opening.level_pairs[one.result] += 1,
                false => of_opening.decisive_pairs += 1,
            }
        }
    }
}
