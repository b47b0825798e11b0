//! The right to play: qualifications of agents, and whether one still holds.
//!
//! "Entry requirement: an agent enters only with a current, passed qualification, which can expire" (City Chess asks
//! for a current membership; here the agent itself must be the one that was checked).
//!
//! May not: ask the time, read files, check an agent.

use std::collections::BTreeMap;
use std::fmt;

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use swiss_system::count;
use swiss_system::score::Points;

use swissmatch_game::conformance::{CheckStep, CheckVerdict};

use super::setup::{PlayerKeys, Setup};
use crate::log::FileHash;

/// The remedy where a file of an agent has changed.
pub const FILES_OF_ITS_OWN: &str = "player.write names files that an agent writes itself";

/// The version of the file that this program writes.
pub const VERSION: u32 = 1;
/// A qualification that ends within this many days is worth a warning.
const SOON: i32 = 7;

/// An engine as a qualification records it: everything that makes it another engine when it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifiedEngine {
    /// The program first.
    pub files: Vec<FileHash>,
    pub args: Vec<String>,
    /// UCI options: its own and those for all engines.
    pub options: BTreeMap<String, String>,
    /// Environment variables, as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

impl QualifiedEngine {
    /// A player's engine with its files as found.
    pub fn new(player: &PlayerKeys, setup: &Setup, files: Vec<FileHash>) -> Self {
        let wanted = setup.options(player);
        Self {
            files,
            args: player.args.clone(),
            options: wanted.for_all.into_iter().chain(wanted.own).collect(),
            env: player.env.clone(),
        }
    }

    /// The first thing that has changed. Files are the same if their content is, wherever they are now.
    fn changed_since(&self, then: &Self) -> Option<String> {
        let is_in = |files: &[FileHash], file: &FileHash| {
            let mut same = files.iter();
            same.any(|other| other.path == file.path || other.sha256 == file.sha256)
        };
        if self.files.len() > then.files.len()
            && let Some(new) = self.files.iter().find(|now| !is_in(&then.files, now))
        {
            return Some(format!("{} was not part of it; {FILES_OF_ITS_OWN}", new.path));
        }
        // The program comes first, and no agent writes its own program.
        for (at, (now, was)) in self.files.iter().zip(&then.files).enumerate() {
            if now.sha256 != was.sha256 {
                let (was, is) = (short(&was.sha256), short(&now.sha256));
                let remedy = if at == 0 {
                    String::new()
                } else {
                    format!("; {FILES_OF_ITS_OWN}")
                };
                return Some(format!(
                    "{} has changed (SHA-256 was {was}…, is {is}…){remedy}",
                    now.path
                ));
            }
        }
        if let Some(new) = self.files.get(then.files.len()) {
            return Some(format!("{} was not part of it; {FILES_OF_ITS_OWN}", new.path));
        }
        if let Some(gone) = then.files.get(self.files.len()) {
            return Some(format!("{} is no longer part of it", gone.path));
        }
        if self.args != then.args {
            return Some("its arguments have changed".to_owned());
        }
        let pairs = [
            (&self.options, &then.options, "option"),
            (&self.env, &then.env, "variable"),
        ];
        pairs
            .into_iter()
            .find_map(|(now, was, what)| changed_entry(now, was).map(|name| format!("its {what} {name} has changed")))
    }
}

fn short(hash: &str) -> String {
    hash.chars().take(12).collect()
}

/// The first name whose entries differ.
fn changed_entry<'a>(now: &'a BTreeMap<String, String>, was: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let names = now.keys().chain(was.keys());
    let mut names = names.filter(|name| now.get(*name) != was.get(*name));
    names.next().map(String::as_str)
}

/// The conditions of the match against the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    pub baseline: QualifiedEngine,
    pub games: u32,
    /// The required share of points, from 0 to 1.
    pub required: Points,
    pub time_control: String,
}

impl Terms {
    /// The event's terms, with its baseline as found.
    pub fn new(setup: &Setup, baseline: QualifiedEngine) -> Self {
        let keys = &setup.eligibility;
        Self {
            baseline,
            games: keys.games,
            required: keys.score,
            time_control: setup.time_control_of_checks(&PlayerKeys::default()).to_string(),
        }
    }

    /// True if the points are enough: points ≥ share · games, in whole numbers.
    pub fn are_met(&self, points: Points) -> bool {
        points.units() >= self.least().units()
    }

    /// The fewest points that are enough; exact, as a share has three decimals and points four.
    pub const fn least(&self) -> Points {
        self.required.halved_times(2 * self.games as i64)
    }
}

/// A mini-match against the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineMatch {
    pub terms: Terms,
    pub wins: u32,
    pub draws: u32,
    pub losses: u32,
}

impl BaselineMatch {
    /// A win is 1 point, a draw ½.
    pub const fn points(&self) -> Points {
        Points::halves(2 * self.wins as i64 + self.draws as i64)
    }
}

/// The result of checking an agent; a qualification if it was passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The agent as it was checked.
    pub agent: QualifiedEngine,
    pub verdict: CheckVerdict,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<CheckStep>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<CheckStep>,
    /// The games against the baseline; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<BaselineMatch>,
    /// The day of the check, in UTC.
    pub date: Date,
    /// The first day on which the qualification no longer holds; `None` if it never ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Date>,
    /// The version of the program that ran the check.
    pub software: String,
}

/// The first day on which a check made on `date` no longer holds.
pub fn expiry(date: Date, valid_for: Option<u32>) -> Option<Date> {
    let days = jiff::Span::new().try_days(valid_for?).ok()?;
    Some(date.checked_add(days).unwrap_or(Date::MAX))
}

/// The file of qualifications: the last check of each agent, by its player's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    /// The version of the file.
    pub version: u32,
    pub players: BTreeMap<String, Record>,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            version: VERSION,
            players: BTreeMap::new(),
        }
    }
}

/// The text is not a file of qualifications.
#[derive(Debug, thiserror::Error)]
pub enum QualificationFileError {
    /// It has another version.
    #[error("it has version {0}, but this swissmatch knows version {VERSION}")]
    Version(u32),
    /// It cannot be read.
    #[error("it is not a file of qualifications: {0}")]
    Text(#[from] serde_json::Error),
}

impl Records {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// The text is not a file of qualifications, or has another version.
    pub fn read(text: &str) -> Result<Self, QualificationFileError> {
        #[derive(Deserialize)]
        struct FileVersion {
            version: u32,
        }
        match serde_json::from_str::<FileVersion>(text)?.version {
            VERSION => Ok(serde_json::from_str(text)?),
            other => Err(QualificationFileError::Version(other)),
        }
    }

    /// The text of the file.
    ///
    /// # Panics
    /// Never: all keys are strings.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers serialize") + "\n"
    }
}

/// The reason why an agent may not play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    NoRecord,
    /// Its check failed at these steps, or did not finish.
    Failed {
        verdict: CheckVerdict,
        /// The steps of `check` that failed.
        steps: Vec<CheckStep>,
    },
    /// It is no longer the agent that was checked; says what differs.
    Changed(String),
    /// The event's terms are not those that were played by; says what differs.
    OtherTerms(String),
    /// The qualification ended on this day.
    Expired(Date),
    /// The agent was not found; says why.
    Missing(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoRecord => f.write_str("it has no qualification"),
            Self::Failed { steps, .. } if !steps.is_empty() => {
                let names: Vec<&str> = steps.iter().map(|step| step.name()).collect();
                write!(f, "it failed its check ({})", names.join(", "))
            }
            Self::Failed { verdict, .. } => write!(f, "its check was {}", verdict.name()),
            Self::Changed(what) => write!(f, "it is not what was checked: {what}"),
            Self::OtherTerms(what) => write!(f, "it was qualified on other terms: {what}"),
            Self::Missing(why) => f.write_str(why),
            Self::Expired(date) => write!(f, "its qualification expired on {date}"),
        }
    }
}

/// A qualification that holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eligible {
    /// The first day on which it no longer holds.
    pub expires: Option<Date>,
    /// The end is within a week.
    pub is_soon: bool,
    pub has_warnings: bool,
}

/// Checks whether an agent may play on the day `today`: compares its record, if any, with the agent as it is now and
/// with the event's terms (`None`: no games).
///
/// # Errors
/// The reason why it may not.
pub fn judge(
    record: Option<&Record>,
    agent: &QualifiedEngine,
    terms: Option<&Terms>,
    today: Date,
) -> Result<Eligible, Why> {
    let record = record.ok_or(Why::NoRecord)?;
    // A changed agent has to be checked again, whatever its earlier check came to.
    if let Some(what) = agent.changed_since(&record.agent) {
        return Err(Why::Changed(what));
    }
    if !record.verdict.is_passed() {
        return Err(Why::Failed {
            verdict: record.verdict,
            steps: record.failed.clone(),
        });
    }
    if let Some(terms) = terms {
        meets(record.played.as_ref(), terms).map_err(Why::OtherTerms)?;
    }
    match record.expires {
        Some(expires) if today >= expires => Err(Why::Expired(expires)),
        expires => Ok(Eligible {
            expires,
            is_soon: expires.is_some_and(|expires| days(today, expires) <= SOON),
            has_warnings: !record.warned.is_empty(),
        }),
    }
}

fn days(from: Date, to: Date) -> i32 {
    from.until(to).map_or(i32::MAX, |span| span.get_days())
}

fn meets(played: Option<&BaselineMatch>, terms: &Terms) -> Result<(), String> {
    let played = played.ok_or("it played no games against the baseline")?;
    let was = &played.terms;
    if let Some(what) = terms.baseline.changed_since(&was.baseline) {
        return Err(format!("of the baseline, {what}"));
    }
    if was.games != terms.games {
        return Err(format!(
            "{} where the event asks for {}",
            count::of(was.games, "game", "games"),
            terms.games
        ));
    }
    if was.time_control != terms.time_control {
        let (was, is) = (&was.time_control, &terms.time_control);
        return Err(format!("at {was} where the event asks for {is}"));
    }
    if !terms.are_met(played.points()) {
        let (points, least) = (played.points(), terms.least());
        return Err(format!(
            "{} where the event now asks for {least}",
            count::of(points, "point", "points")
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
