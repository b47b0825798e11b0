//! Sure places: their holders keep them in a given share of the samples of rank confidence.
//!
//! The samples are those of [`super::confidence`], by the same seed, so the shares are equal. May not: know when it
//! is looked.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::{self, RankingRules, Standings};
use swiss_system::word::words;

use super::confidence::{ResampledEvent, draw};
use super::sprt::Decimal;

/// Samples per look.
pub const SAMPLES: u32 = 1000;
/// The least and the largest share that may be asked for, in tenths of a percent.
const LEVELS: std::ops::RangeInclusive<u32> = 500..=999;
/// Slack for sums of shares.
const SLACK: f64 = 1e-6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopReason {
    /// `"sure"`: the places are sure.
    Sure,
    /// `"games"`: the next round would make more games than the bound.
    Games,
    /// `"time"`: the players have used all the thinking time that the bound allows.
    Time,
}

words!(StopReason {
    Sure => "sure",
    Games => "games",
    Time => "time",
});

/// The places that must be sure: `places 1-3 at 95%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SurePlaces {
    /// The first place, from 1.
    pub first: u32,
    /// The last place.
    pub last: u32,
    /// The share of the samples in which each must be kept, in tenths of a percent.
    pub level: u32,
}

/// Why a text does not name places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SurePlacesError {
    /// The text has another form.
    #[error("write it as \"places 1-3 at 95%\" or \"place 1 at 95%\"")]
    Form,
    /// Places count from 1, and the first comes before the last.
    #[error("places count from 1, and the first one comes before the last, as in \"places 1-3 at 95%\"")]
    Places,
    /// The share is too small or too large.
    #[error("places can be sure at 50% to 99.9%, with at most one digit after the point")]
    Level,
}

impl FromStr for SurePlaces {
    type Err = SurePlacesError;

    fn from_str(text: &str) -> Result<Self, SurePlacesError> {
        let (places, level) = text.split_once(" at ").ok_or(SurePlacesError::Form)?;
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if text.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
            _ => Err(SurePlacesError::Form),
        };
        let (first, last) = if let Some(both) = places.strip_prefix("places ") {
            let (first, last) = both.split_once('-').ok_or(SurePlacesError::Form)?;
            (number(first)?, number(last)?)
        } else {
            let only = number(places.strip_prefix("place ").ok_or(SurePlacesError::Form)?)?;
            (only, only)
        };
        let is_range = places.starts_with("places");
        if first == 0 || first > last || (is_range && first == last) {
            return Err(SurePlacesError::Places);
        }
        let percent = level.strip_suffix('%').ok_or(SurePlacesError::Form)?;
        let (whole, tenths) = percent.split_once('.').unwrap_or((percent, "0"));
        let whole = number(whole)?;
        let tenths = number(tenths)?;
        let level = whole.checked_mul(10).and_then(|level| level.checked_add(tenths));
        match level {
            Some(level) if tenths < 10 && LEVELS.contains(&level) => Ok(Self { first, last, level }),
            _ => Err(SurePlacesError::Level),
        }
    }
}

impl fmt::Display for SurePlaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => write!(f, "place {}", self.first)?,
            false => write!(f, "places {}-{}", self.first, self.last)?,
        }
        write!(f, " at {}%", self.percent())
    }
}

impl TryFrom<String> for SurePlaces {
    type Error = SurePlacesError;

    fn try_from(text: String) -> Result<Self, SurePlacesError> {
        text.parse()
    }
}

impl From<SurePlaces> for String {
    fn from(places: SurePlaces) -> Self {
        places.to_string()
    }
}

/// The holder of a place, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldPlace {
    /// From 1.
    pub place: u32,
    /// The player who holds it alone.
    pub player: PairingNumber,
    /// The share of the samples in which the player has that place, 0 to 1; a sample in which it shares the place
    /// counts in part.
    pub share: Decimal,
}

impl SurePlaces {
    /// The share that is asked for, in percent: `95`, `99.5`.
    pub fn percent(&self) -> String {
        Decimal::from_millionths(i64::from(self.level) * 100_000).to_string()
    }

    /// The holders of the places, if they are sure: each place has one holder alone, who keeps it in at least that
    /// share of the [`SAMPLES`]. Equal seeds give equal results; sampling ends when a place is known not to be sure.
    pub fn sure(&self, event: &ResampledEvent, rng_seed: u64) -> Option<Vec<HeldPlace>> {
        let rules = RankingRules {
            also: Vec::new(),
            ..event.rules.clone()
        };
        let now = standings::rank(&event.results, &rules);
        let holders: Option<Vec<PairingNumber>> = (self.first..=self.last).map(|place| holder(&now, place)).collect();
        let holders = holders?;
        let mut kept = vec![0.0; holders.len()];
        let mut results = event.results.clone();
        let needed = f64::from(self.level) / 1000.0 * f64::from(SAMPLES) - SLACK;
        for sample in 0..SAMPLES {
            draw(event, rng_seed, sample, &mut results);
            let drawn = standings::rank(&results, &rules);
            for ((kept, player), place) in kept.iter_mut().zip(&holders).zip(self.first..) {
                *kept += part(&drawn, *player, place);
            }
            let left = f64::from(SAMPLES - 1 - sample);
            if kept.iter().any(|kept| kept + left < needed) {
                return None;
            }
        }
        let held = (self.first..)
            .zip(holders)
            .zip(kept)
            .map(|((place, player), kept)| HeldPlace {
                place,
                player,
                share: Decimal::nearest(kept / f64::from(SAMPLES)),
            });
        Some(held.collect())
    }
}

/// The player who has a place alone.
pub(super) fn holder(table: &Standings, place: u32) -> Option<PairingNumber> {
    let mut there = table.rows.iter().filter(|row| row.place == place);
    match (there.next(), there.next()) {
        (Some(row), None) => Some(row.player),
        _ => None,
    }
}

/// A player's part of a place: of k players tied in the places from p on, each has 1/k of each of them.
fn part(table: &Standings, player: PairingNumber, place: u32) -> f64 {
    let Some(row) = table.rows.iter().find(|row| row.player == player) else {
        return 0.0;
    };
    let tied = table.rows.iter().filter(|other| other.place == row.place).count();
    let tied = u32::try_from(tied).expect("few players");
    match (row.place..row.place + tied).contains(&place) {
        true => 1.0 / f64::from(tied),
        false => 0.0,
    }
}

#[cfg(test)]
mod tests;
