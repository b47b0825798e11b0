//! `event.sections`: which players play in which of several tables side by side.
//!
//! May not: pair or rank anybody; know what a section has played.

use serde::{Deserialize, Serialize};
use swiss_system::pairing::rounds::Rounds;

use super::{PlayerKeys, PrizeKeys, Setup};

/// One of `event.sections`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SectionKeys {
    /// The name, unique in the event.
    pub name: String,
    /// The lowest rating for the section; `None` means no lower bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<i32>,
    /// The highest rating for the section; `None` means no upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<i32>,
    /// The format; `None` means as `swiss.rounds` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Rounds>,
    /// The prizes; `None` means those of `[prizes]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<PrizeKeys>,
}

impl SectionKeys {
    /// True if a rating is within the bounds. A section without bounds takes only players who name it.
    pub fn takes(&self, rating: i32) -> bool {
        let has_bounds = self.from.is_some() || self.to.is_some();
        has_bounds && self.from.is_none_or(|from| from <= rating) && self.to.is_none_or(|to| rating <= to)
    }
}

/// Why a player belongs to no section.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SectionError {
    /// `player.section` is not one of the names.
    #[error("there is no section \"{0}\"")]
    Unknown(String),
    /// The player has neither a rating nor a section.
    #[error("it has neither a rating nor a section")]
    Unrated,
    /// The rating is in no section.
    #[error("no section includes the rating {0}")]
    None(i32),
    /// The rating is in more than one section.
    #[error("both \"{one}\" and \"{other}\" include the rating {rating}")]
    Several {
        rating: i32,
        /// The first section for this rating.
        one: String,
        /// The next one.
        other: String,
    },
}

impl Setup {
    /// The prizes of the event or of each of its sections, by section number from 1; 0 if there are no sections.
    pub fn all_prizes(&self) -> impl Iterator<Item = (u32, &PrizeKeys)> {
        let of_event = std::iter::once((0, &self.prizes)).filter(|_| self.event.sections.is_empty());
        let sections = (1..).zip(&self.event.sections);
        of_event.chain(sections.map(|(number, section)| (number, section.prizes.as_ref().unwrap_or(&self.prizes))))
    }

    /// True if the event or any of its sections has prizes.
    pub fn has_prizes(&self) -> bool {
        self.all_prizes().any(|(_, prizes)| prizes.are_set())
    }

    /// True if `swiss.rounds` counts. It does not beside a list of stages, nor if each section has a format of its own.
    pub fn reads_rounds(&self) -> bool {
        let sections = &self.event.sections;
        let inherits = |section: &SectionKeys| section.format.is_none();
        self.event.stages.is_empty() && (sections.is_empty() || sections.iter().any(inherits))
    }

    /// The section of a player, as an index in `event.sections`: the one that the player names, or else the one for its
    /// rating.
    ///
    /// # Errors
    /// [`SectionError`], if there is not exactly one.
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
