//! Shares of places by resampling the game pairs that were played, in the shape of the JSON.
//!
//! May not: draw samples; that is `swissmatch_stats`.

use serde::Serialize;

use swiss_system::pairing::history::PairingNumber;
use swissmatch_stats::places::PlaceShares;
use swissmatch_tournament::resampled::FixedBoard;

/// The probability that the interval of places covers.
pub(super) const LEVEL: f64 = 0.95;
/// The places counted by the second column.
pub(super) const TOP: usize = 3;

/// How sure the places are, and how that was computed.
#[derive(Clone, Copy, Debug)]
pub struct SampledPlaces<'a> {
    /// For each player, in order of pairing numbers, the share of each place.
    pub places: &'a [PlaceShares],
    /// The number of samples.
    pub samples: u32,
    pub rng_seed: u64,
    /// Boards that were played but stayed the same in all samples.
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

/// A player's places in JSON, as shares from 0 to 1.
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
