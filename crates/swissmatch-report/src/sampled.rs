//! How often each player came in each place where played game pairs are drawn anew, as the JSON has it.
//!
//! May not: draw samples; that is `swissmatch_stats`.

use serde::Serialize;

use swiss_system::pairing::history::PairingNumber;
use swissmatch_stats::places::PlaceShares;
use swissmatch_tournament::resampled::FixedBoard;

/// What the interval of places holds.
pub(super) const LEVEL: f64 = 0.95;
/// The places of the second column.
pub(super) const TOP: usize = 3;

/// How sure the places are, and how that was found out.
#[derive(Clone, Copy, Debug)]
pub struct SampledPlaces<'a> {
    /// For each player, in order of the pairing numbers, how often it came in each place.
    pub places: &'a [PlaceShares],
    /// Of how many samples.
    pub samples: u32,
    /// Their seed.
    pub rng_seed: u64,
    /// Boards that were played on and yet stayed as they were.
    pub fixed: &'a [FixedBoard],
}

/// How the samples were drawn, in JSON.
#[derive(Serialize)]
pub(super) struct Method {
    samples: u32,
    rng_seed: u64,
    unit: &'static str,
    level: f64,
    unchanged_boards: Vec<String>,
}

/// What a player's places are, in JSON: shares from 0 to 1.
#[derive(Serialize)]
pub(super) struct PlayerConfidenceJson {
    first: f64,
    top_three: f64,
    best_place: usize,
    worst_place: usize,
    places: Vec<f64>,
}

impl SampledPlaces<'_> {
    pub(super) fn method(&self) -> Method {
        Method {
            samples: self.samples,
            rng_seed: self.rng_seed,
            unit: "game-pair",
            level: LEVEL,
            unchanged_boards: self.fixed.iter().map(|board| written(*board)).collect(),
        }
    }

    pub(super) fn of_player(&self, player: PairingNumber) -> PlayerConfidenceJson {
        let places = &self.places[player.index()];
        let (best_place, worst_place) = places.interval(LEVEL);
        PlayerConfidenceJson {
            first: decimals(places.within(1)),
            top_three: decimals(places.within(TOP)),
            best_place,
            worst_place,
            places: places.shares.iter().map(|share| decimals(*share)).collect(),
        }
    }
}

pub(super) fn written((round, board): FixedBoard) -> String {
    format!("{round}.{board}")
}

/// A share to six decimals.
fn decimals(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}
