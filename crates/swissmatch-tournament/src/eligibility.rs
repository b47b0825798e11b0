//! Who may play: the qualifications of agents, and whether one still holds.
//!
//! "Entry requirement: an agent enters only with a current, passed qualification, which can expire" (City Chess asks for a
//! current membership; here the agent itself has to be what was checked).
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

/// The remedy where a file of an agent is not what it was.
pub const FILES_OF_ITS_OWN: &str = "player.write names files that an agent writes itself";

/// Version of the file that this program writes.
pub const VERSION: u32 = 1;
/// A qualification that ends within so many days is worth a warning.
const SOON: i32 = 7;

/// An engine as a qualification remembers it: everything that makes it another one when it changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QualifiedEngine {
    /// Its files, the program first.
    pub files: Vec<FileHash>,
    /// Its arguments.
    pub args: Vec<String>,
    /// UCI options, its own and those for all.
    pub options: BTreeMap<String, String>,
    /// Variables of its environment, as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
}

impl QualifiedEngine {
    /// A player's engine, its files as they were found.
    pub fn new(player: &PlayerKeys, setup: &Setup, files: Vec<FileHash>) -> Self {
        let wanted = setup.options(player);
        Self {
            files,
            args: player.args.clone(),
            options: wanted.for_all.into_iter().chain(wanted.own).collect(),
            env: player.env.clone(),
        }
    }

    /// The first thing in which it is not what it was. Files are the same by what is in them, wherever they lie now.
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
        // The program comes first, and no agent writes its program.
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

/// The first name that is not the same in both.
fn changed_entry<'a>(now: &'a BTreeMap<String, String>, was: &'a BTreeMap<String, String>) -> Option<&'a str> {
    let names = now.keys().chain(was.keys());
    let mut names = names.filter(|name| now.get(*name) != was.get(*name));
    names.next().map(String::as_str)
}

/// What is played against the baseline, and what is asked of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Terms {
    /// The baseline.
    pub baseline: QualifiedEngine,
    /// Games.
    pub games: u32,
    /// Share of their points that is required, from 0 to 1.
    pub required: Points,
    /// Their limits.
    pub time_control: String,
}

impl Terms {
    /// The event's terms with its baseline as it was found.
    pub fn new(setup: &Setup, baseline: QualifiedEngine) -> Self {
        let keys = &setup.eligibility;
        Self {
            baseline,
            games: keys.games,
            required: keys.score,
            time_control: setup.time_control_of_checks(&PlayerKeys::default()).to_string(),
        }
    }

    /// Whether so many points are enough: points ≥ share · games, in whole numbers.
    pub fn are_met(&self, points: Points) -> bool {
        points.units() >= self.least().units()
    }

    /// The least points that are enough; exact, as a share has three decimals and points four.
    pub const fn least(&self) -> Points {
        self.required.halved_times(2 * self.games as i64)
    }
}

/// A mini-match against the baseline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineMatch {
    /// What was asked.
    pub terms: Terms,
    /// Games won.
    pub wins: u32,
    /// Games drawn.
    pub draws: u32,
    /// Games lost.
    pub losses: u32,
}

impl BaselineMatch {
    /// Its points: a win is 1, a draw ½.
    pub const fn points(&self) -> Points {
        Points::halves(2 * self.wins as i64 + self.draws as i64)
    }
}

/// What a check of an agent came to: its qualification, where it was passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The agent as it was checked.
    pub agent: QualifiedEngine,
    /// What the check came to.
    pub verdict: CheckVerdict,
    /// Steps that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<CheckStep>,
    /// Steps that warned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warned: Vec<CheckStep>,
    /// The games against the baseline; `None` where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played: Option<BaselineMatch>,
    /// Day of the check, in UTC.
    pub date: Date,
    /// The first day on which it no longer holds; `None`: it holds for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<Date>,
    /// Version of the program that checked.
    pub software: String,
}

/// The day on which a check of this day stops to hold.
pub fn expiry(date: Date, valid_for: Option<u32>) -> Option<Date> {
    let days = jiff::Span::new().try_days(valid_for?).ok()?;
    Some(date.checked_add(days).unwrap_or(Date::MAX))
}

/// The file of qualifications: the last check of each agent, by its player's name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Records {
    /// Version of this shape.
    pub version: u32,
    /// By players' names.
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

/// Why a text is no file of qualifications.
#[derive(Debug, thiserror::Error)]
pub enum QualificationFileError {
    /// It is of another version.
    #[error("it has version {0}, but this swissmatch knows version {VERSION}")]
    Version(u32),
    /// It is none.
    #[error("it is not a file of qualifications: {0}")]
    Text(#[from] serde_json::Error),
}

impl Records {
    /// Reads the file.
    ///
    /// # Errors
    /// When it is none, or of another version.
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

    /// The file's text.
    ///
    /// # Panics
    /// Never: its keys are strings.
    pub fn write(&self) -> String {
        serde_json::to_string_pretty(self).expect("strings and numbers serialize") + "\n"
    }
}

/// Why an agent may not play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was never checked.
    NoRecord,
    /// Its check failed in these steps, or did not come to its end.
    Failed {
        /// What the check came to.
        verdict: CheckVerdict,
        /// The steps of `check` at which it failed.
        steps: Vec<CheckStep>,
    },
    /// It is no longer what was checked; what differs.
    Changed(String),
    /// The event asks for something else than what was played; what differs.
    OtherTerms(String),
    /// It ended on that day.
    Expired(Date),
    /// There is no such agent; why.
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
    /// The first day on which it no longer does.
    pub expires: Option<Date>,
    /// Whether that is within a week.
    pub is_soon: bool,
    /// Whether the check had warnings.
    pub has_warnings: bool,
}

/// Whether an agent may play on the day `today`: its record, if there is one, against what it is now and what the event
/// asks for (`None`: no games).
///
/// # Errors
/// Why it may not.
pub fn judge(
    record: Option<&Record>,
    agent: &QualifiedEngine,
    terms: Option<&Terms>,
    today: Date,
) -> Result<Eligible, Why> {
    let record = record.ok_or(Why::NoRecord)?;
    // Who was changed is to be checked, whatever the check of what it was came to.
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
