//! Games counted by opening, by length and by termination, as far as that is asked for.
//!
//! May not: keep a game; what is kept grows with openings and players alone.

use std::collections::{BTreeMap, HashMap};

use super::CountedGame;
use swissmatch_game::pgn_results::{MOST_PLIES, NameId};

/// By what games are counted beside their players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BreakdownOptions {
    /// By opening.
    pub opening: bool,
    /// By their number of moves.
    pub length: bool,
    /// By why they ended.
    pub termination: bool,
    /// Whether games that ended by a fault are left out of the first two.
    pub without_faults: bool,
}

/// Games by result: White won, drawn, Black won.
pub type ByResult = [u64; 3];

/// Games of one opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OfOpening {
    /// All games.
    pub games: ByResult,
    /// Game pairs that did not end with a point each.
    pub decisive_pairs: u64,
    /// Game pairs of which both games ended so: White won, drawn, Black won; a point each.
    pub level_pairs: ByResult,
}

impl OfOpening {
    /// All game pairs.
    pub fn pairs(&self) -> u64 {
        self.decisive_pairs + self.level_pairs.iter().sum::<u64>()
    }

    /// Adds those of another one.
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

/// Games by their number of full moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// The results of games with so many moves, from 0; longer ones than [`MOST_PLIES`] are with the last.
    by_moves: Vec<ByResult>,
    /// Games of which no moves are known, or that had none.
    pub without_moves: u64,
}

impl Lengths {
    /// Each number of moves that games had, with their results, in order.
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

/// Games by why they ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terminations {
    /// By its word.
    pub games: BTreeMap<&'static str, ByResult>,
    /// Games that a player's fault ended.
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

/// What was counted; `None` of what was not asked for.
#[derive(Clone, Debug, Default)]
pub struct Breakdown {
    /// By the number of the opening; `None` where it is not known.
    pub openings: Option<HashMap<Option<u64>, OfOpening>>,
    /// By length.
    pub lengths: Option<Lengths>,
    /// By termination.
    pub terminations: Option<Terminations>,
    without_faults: bool,
}

impl Breakdown {
    /// Nothing yet.
    pub(super) fn new(by: BreakdownOptions) -> Self {
        Self {
            openings: by.opening.then(HashMap::new),
            lengths: by.length.then(Lengths::default),
            terminations: by.termination.then(Terminations::default),
            without_faults: by.without_faults,
        }
    }

    /// Adds both games of a pair, or a game that is alone.
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
            // Whoever won with White in one and lost with Black in the other has a point, and so has the other player.
            match one.result == other.result {
                true => of_opening.level_pairs[one.result] += 1,
                false => of_opening.decisive_pairs += 1,
            }
        }
    }
}
