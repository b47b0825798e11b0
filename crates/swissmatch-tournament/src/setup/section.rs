//! `event.sections`: who plays in which of several tables side by side.
//!
//! May not: pair or rank anybody; know what a section has played.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::rounds::Rounds;

use super::{PlayerKeys, PrizeKeys, Setup};

/// One of `event.sections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionKeys {
    /// Its name, unique in the event.
    pub name: String,
    /// The lowest rating of who belongs to it; `None`: none is too low.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<i32>,
    /// The highest rating of who belongs to it; `None`: none is too high.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// What is played; `None`: as `swiss.rounds` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Rounds>,
    /// Its prizes; `None`: those of `[prizes]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<PrizeKeys>,
}

impl SectionKeys {
    /// Whether a rating is within its bounds. Without bounds it has those alone who name it.
    pub fn takes(&self, rating: i32) -> bool {
        let has_bounds = self.from.is_some() || self.to.is_some();
        has_bounds && self.from.is_none_or(|from| from <= rating) && self.to.is_none_or(|to| rating <= to)
    }
}

/// Why a player is in no section.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// `player.section` is none of the names.
    #[error("there is no section \"{0}\"")]
    Unknown(String),
    /// Neither rating nor section.
    #[error("it has neither a rating nor a section")]
    Unrated,
    /// Between the bounds of no section.
    #[error("no section includes the rating {0}")]
    None(i32),
    /// Between the bounds of more than one.
    #[error("both \"{one}\" and \"{other}\" include the rating {rating}")]
    Several {
        /// The rating.
        rating: i32,
        /// The first section that takes it.
        one: String,
        /// The next one.
        other: String,
    },
}

impl Setup {
    /// The prizes of the event or of each of its sections, by the section's number from 1; 0 where there are none.
    pub fn all_prizes(&self) -> impl Iterator<Item = (u32, &PrizeKeys)> {
        let of_event = std::iter::once((0, &self.prizes)).filter(|_| self.event.sections.is_empty());
        let sections = (1..).zip(&self.event.sections);
        of_event.chain(sections.map(|(number, section)| (number, section.prizes.as_ref().unwrap_or(&self.prizes))))
    }

    /// Whether there is anything to be won, in the event or in any of its sections.
    pub fn has_prizes(&self) -> bool {
        self.all_prizes().any(|(_, prizes)| prizes.are_set())
    }

    /// Whether `swiss.rounds` counts: it does not beside a list of stages, nor where each section has a format of its own.
    pub fn reads_rounds(&self) -> bool {
        let sections = &self.event.sections;
        let inherits = |section: &SectionKeys| section.format.is_none();
        self.event.stages.is_empty() && (sections.is_empty() || sections.iter().any(inherits))
    }

    /// The section of a player, a place in `event.sections`: the one that the player names, else the one that its rating
    /// is within the bounds of.
    ///
    /// # Errors
    /// [`SectionError`], where it is not exactly one.
    pub fn section_of(&self, player: &PlayerKeys) -> Result<usize, SectionError> {
        let sections = &self.event.sections;
        if let Some(name) = &player.section {
            let named = sections.iter().position(|section| section.name == *name);
            return named.ok_or_else(|| SectionError::Unknown(name.clone()));
        }
        let rating = player.rating().ok_or(SectionError::Unrated)?;
        let mut taking = (0..).zip(sections).filter(|(_, section)| section.takes(rating));
        match (taking.next(), taking.next()) {
            (None, _) => Err(SectionError::None(rating)),
            (Some((place, _)), None) => Ok(place),
            (Some((_, one)), Some((_, other))) => Err(SectionError::Several {
                rating,
                one: one.name.clone(),
                other: other.name.clone(),
            }),
        }
    }
}
