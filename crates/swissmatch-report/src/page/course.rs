//! Facts about an event that its log has and its state has not: when rounds were paired and ended, the basis of each pairing, and
//! announcements.
//!
//! May not: say how it is shown.

use swiss_system::text::harmless;

use super::reasons::{self, Reasons};
use swissmatch_tournament::log::{Act, Entry};
use swissmatch_tournament::state::{BrokenLogError, State};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventCourse {
    /// In the order in which they were made.
    pub(super) announcements: Vec<Announcement>,
    /// The rounds that were paired, in order.
    pub(super) rounds: Vec<OfRound>,
}

/// A line of the arbiter to everybody.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Announcement {
    /// When it was kept in the log, RFC 3339 in UTC.
    pub(super) at: String,
    pub(super) by: String,
    pub(super) text: String,
}

/// A round that was paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OfRound {
    /// When its pairing was kept, RFC 3339 in UTC.
    pub(super) paired: String,
    /// When its last game so far was kept, without play-offs; `None` before the first.
    pub(super) last_game: Option<String>,
    pub(super) reasons: Vec<Reasons>,
}

impl EventCourse {
    /// The course in a log, whose entries each have their moment in RFC 3339.
    ///
    /// # Errors
    /// When the entries are no event's history.
    pub fn of_log(entries: &[(&str, &Entry)]) -> Result<Self, BrokenLogError> {
        let mut course = Self::default();
        let Some(((_, created), others)) = entries.split_first() else {
            return Err(BrokenLogError::Created);
        };
        let mut state = State::fold([*created])?;
        for (at, entry) in others {
            course.take(&state, at, entry);
            state.apply(entry)?;
        }
        Ok(course)
    }

    /// Adds an entry of the log, kept at a moment in RFC 3339; `before` is the state that it follows.
    pub fn take(&mut self, before: &State, at: &str, entry: &Entry) {
        match entry {
            Entry::RoundPaired(paired) => self.rounds.push(OfRound {
                paired: at.to_owned(),
                last_game: None,
                reasons: reasons::of_round(before, paired),
            }),
            Entry::GameFinished(finished) if finished.id.playoff == 0 => {
                if let Some(round) = self.rounds.get_mut((finished.id.round as usize).wrapping_sub(1)) {
                    round.last_game = Some(at.to_owned());
                }
            }
            Entry::Acted(acted) => {
                if let Act::Announce { text } = &acted.act {
                    self.announcements.push(Announcement {
                        at: at.to_owned(),
                        by: harmless(&acted.by),
                        text: harmless(text),
                    });
                }
            }
            _ => {}
        }
    }

    /// The course as if only the first `rounds` rounds had been paired.
    #[must_use]
    pub fn up_to(mut self, rounds: usize) -> Self {
        self.rounds.truncate(rounds);
        self
    }
}
