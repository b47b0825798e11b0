//! Rank confidence: how often each player would come in each place if the games had gone differently.
//!
//! The bootstrap over game pairs: in each sample every finished mini-match draws as many game pairs as it has, with
//! replacement, from its own; its result follows from the drawn games, and all players are ranked by the event's
//! whole order of criteria. The unit is the pair (two games of one opening with the colours reversed), not the game,
//! because its two games depend on each other through their opening.
//!
//! Who met whom stays as it was, although other results would have led to other pairings.
//!
//! May not: know where the games came from.

use rand::RngExt as _;
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::{Points, PointsTable};
use swiss_system::standings::results::{GameCounts, MatchResult, Results, RoundFate};
use swiss_system::standings::{self, RankingRules};

use super::places::{PlaceShares, PlaceTally};
use super::stream::stream;

/// The points and games of one player in some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Share {
    pub points: Points,
    pub games: GameCounts,
}

impl Share {
    fn add(&mut self, other: &Self) {
        self.points += other.points;
        self.games += other.games;
    }
}

/// A finished mini-match whose game pairs are drawn anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniMatch {
    /// Its round, from 0.
    pub round: usize,
    pub players: [PairingNumber; 2],
    /// The results of each game pair for both players. At least two pairs, since drawing from one changes nothing.
    pub pairs: Vec<[Share; 2]>,
    /// The results of games that stay as they are: forfeits, and games without a partner.
    pub rest: [Share; 2],
}

/// An event whose games are drawn anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResampledEvent {
    /// The results as they were.
    pub results: Results,
    /// The rules of the ranking.
    pub rules: RankingRules,
    pub match_points: PointsTable,
    /// The mini-matches that are drawn anew; everything else stays as it was.
    pub mini_matches: Vec<MiniMatch>,
}

/// How often each player, in order of the pairing numbers, came in each place over this many samples; `progress` is
/// called for each one. Equal seeds give equal shares on any number of threads.
pub fn confidence(event: &ResampledEvent, rng_seed: u64, samples: u32, progress: impl Fn() + Sync) -> Vec<PlaceShares> {
    let rules = RankingRules {
        also: Vec::new(),
        ..event.rules.clone()
    };
    let count = |(mut results, mut tally): (Results, PlaceTally), sample| {
        draw(event, rng_seed, sample, &mut results);
        tally.count(&standings::rank(&results, &rules), results.players.len());
        progress();
        (results, tally)
    };
    let tallies = (0..samples)
        .into_par_iter()
        .fold(|| (event.results.clone(), PlaceTally::default()), count)
        .map(|(_, tally)| tally);
    tallies.reduce(PlaceTally::default, PlaceTally::merge).shares()
}

/// Puts the mini-matches of a sample into `results`.
pub(super) fn draw(event: &ResampledEvent, rng_seed: u64, sample: u32, results: &mut Results) {
    let mut stream = stream(rng_seed, "rank confidence", sample);
    for mini_match in &event.mini_matches {
        let mut drawn = mini_match.rest;
        let count = u32::try_from(mini_match.pairs.len()).expect("few games");
        for _ in 0..count {
            let pair = &mini_match.pairs[stream.random_range(0..count) as usize];
            drawn.iter_mut().zip(pair).for_each(|(drawn, one)| drawn.add(one));
        }
        for (own, other) in [(0, 1), (1, 0)] {
            let round = &mut results.players[mini_match.players[own].index()].rounds[mini_match.round];
            // More game points than the opponent is a win.
            let (ended, points) = match drawn[own].points.cmp(&drawn[other].points) {
                std::cmp::Ordering::Greater => (MatchResult::Won, event.match_points.win),
                std::cmp::Ordering::Equal => (MatchResult::Drawn, event.match_points.draw),
                std::cmp::Ordering::Less => (MatchResult::Lost, event.match_points.loss),
            };
            if let RoundFate::Played { result, .. } = &mut round.fate {
                *result = ended;
            }
            round.points = points;
            round.game_points = drawn[own].points;
            round.games = drawn[own].games;
        }
    }
}

#[cfg(test)]
mod tests;
