//! The lock of a roster: what every agent of an event was made of at one time, in a file beside the event file, and what
//! differs between two of them.
//!
//! May not: hold a secret: of the values of variables and options it has one hash for each player, and of contacts nothing.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use swiss_system::text::escaped;

use swissmatch_host::files::read_plain;
use swissmatch_tournament::log::FileHash;

/// Version of the file.
pub(super) const VERSION: u32 = 1;
/// Differences that a message names.
const NAMED: usize = 20;
/// Digits of a hash that a message shows.
const SHOWN: usize = 12;

const HEAD: &str = "\
# The roster of an event as it was locked by `swissmatch roster lock`: SHA-256 of everything that its agents are made of.
# `swissmatch run` does not begin an event that differs from it; `swissmatch roster verify` shows what differs.
";

/// A locked roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    /// Version of this shape.
    pub version: u32,
    /// Version of the program that wrote it.
    pub software: String,
    /// When, RFC 3339 in UTC.
    pub locked_at: String,
    /// The event file.
    pub event: FileHash,
    /// The opening suite.
    pub openings: Openings,
    /// The players, in the order of the event file.
    #[serde(default)]
    pub player: Vec<LockedPlayer>,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Openings {
    /// `"bundled"`, `"unbalanced"`, `"none"`, `"chess960"` or the path.
    pub source: String,
    /// SHA-256 of the file; of none there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// A player of a locked roster.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LockedPlayer {
    /// Its name.
    pub name: String,
    /// When the agent was submitted, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_at: Option<String>,
    /// The program that the command was found to be.
    pub program: String,
    /// Names of the UCI options that are set, those for all players among them.
    pub options: Vec<String>,
    /// Names of the variables that are set.
    pub env: Vec<String>,
    /// SHA-256 of arguments and of names and values of options and variables, as written in the event file.
    pub settings_sha256: String,
    /// Its files: those of the manifest, and every file below `player.dir` but those that it writes itself. Paths in the event file's directory are relative
    /// to it.
    #[serde(default)]
    pub file: Vec<FileHash>,
}

/// Why there is no lock to go by.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// It cannot be read.
    #[error("{}: the lock of the roster cannot be read: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is no lock.
    #[error("{}: not a lock of a roster: {reason}; write it anew with `swissmatch roster lock`", path.display())]
    Wrong {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
}

/// The lock of an event file: beside it, with the ending `.lock`.
pub fn path_of(event: &Path) -> PathBuf {
    event.with_extension("lock")
}

/// Lines with names of files, which may hold anything; the first [`NAMED`] of them.
pub fn lines(lines: &[String]) -> String {
    let named = lines.iter().take(NAMED);
    let mut text: String = named.map(|line| format!("\n  {}", escaped(line))).collect();
    if let Some(more) = lines.len().checked_sub(NAMED).filter(|more| *more > 0) {
        text += &format!("\n  and {more} more");
    }
    text
}

impl Lock {
    /// Reads a lock; `None` where there is no such file.
    ///
    /// # Errors
    /// When there is one and it cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, LockError> {
        let wrong = |reason: String| LockError::Wrong {
            path: path.to_path_buf(),
            reason,
        };
        let text = match read_plain(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(LockError::Unreadable {
                    path: path.to_path_buf(),
                    source,
                });
            }
            Ok(text) => text,
        };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong(one_line(&error)))?;
        match table.get("version").and_then(toml::Value::as_integer) {
            Some(version) if version == i64::from(VERSION) => {}
            Some(version) => {
                return Err(wrong(format!(
                    "it has version {version}, and this program reads {VERSION}"
                )));
            }
            None => return Err(wrong("it has no version".to_owned())),
        }
        table.try_into().map(Some).map_err(|error| wrong(one_line(&error)))
    }

    /// The file.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn text(&self) -> String {
        format!("{HEAD}{}", toml::to_string(self).expect("plain data"))
    }

    /// Files of all players.
    pub fn files(&self) -> usize {
        self.player.iter().map(|player| player.file.len()).sum()
    }

    /// What is another now, one sentence each.
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        if self.event.sha256 != now.event.sha256 {
            found.push(changed(&now.event.path, &self.event.sha256, &now.event.sha256));
        }
        if self.openings != now.openings {
            found.push(
                match (
                    self.openings.source == now.openings.source,
                    &self.openings.sha256,
                    &now.openings.sha256,
                ) {
                    (true, Some(old), Some(new)) => changed(&format!("openings {}", now.openings.source), old, new),
                    _ => format!("openings: were {}, are {}", self.openings.source, now.openings.source),
                },
            );
        }
        for player in &now.player {
            match self.player.iter().find(|locked| locked.name == player.name) {
                None => found.push(format!("{}: not a player in the lock", player.name)),
                Some(locked) => {
                    let of_player = locked.differences(player).into_iter();
                    found.extend(of_player.map(|difference| format!("{}: {difference}", player.name)));
                }
            }
        }
        let gone = self.player.iter();
        let gone = gone.filter(|locked| now.player.iter().all(|player| player.name != locked.name));
        found.extend(gone.map(|locked| format!("{}: no longer a player", locked.name)));
        found
    }
}

impl LockedPlayer {
    fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut of_value = |what: &str, old: &str, new: &str| {
            if old != new {
                found.push(format!("{what} was {old}, is {new}"));
            }
        };
        let moment = |moment: &Option<String>| moment.clone().unwrap_or_else(|| "not set".to_owned());
        of_value("submitted_at", &moment(&self.submitted_at), &moment(&now.submitted_at));
        of_value("the program", &self.program, &now.program);
        of_value("the list of options", &self.options.join(", "), &now.options.join(", "));
        of_value("the list of variables", &self.env.join(", "), &now.env.join(", "));
        if found.is_empty() && self.settings_sha256 != now.settings_sha256 {
            found.push("an argument, or the value of an option or a variable, has changed".to_owned());
        }
        let by_path = |files: &[FileHash]| -> BTreeMap<String, String> {
            let files = files.iter().cloned();
            files.map(|file| (file.path, file.sha256)).collect()
        };
        let (mut locked, files) = (by_path(&self.file), by_path(&now.file));
        for (path, sha256) in &files {
            match locked.remove(path) {
                None => found.push(format!("{path} is new")),
                Some(old) if old != *sha256 => found.push(changed(path, &old, sha256)),
                Some(_) => {}
            }
        }
        found.extend(locked.keys().map(|path| format!("{path} is gone")));
        found
    }
}

fn changed(what: &str, old: &str, new: &str) -> String {
    let cut = |hash: &str| hash.get(..SHOWN).unwrap_or(hash).to_owned();
    format!("{what} has changed (SHA-256 was {}…, is {}…)", cut(old), cut(new))
}

fn one_line(error: &toml::de::Error) -> String {
    error.message().replace('\n', ", ")
}

#[cfg(test)]
mod tests {
    use super::{NAMED, lines};

    #[test]
    fn many_differences_are_counted_after_the_first() {
        let all: Vec<String> = (0..NAMED + 2).map(|number| format!("{number} is\u{1b}new")).collect();
        let text = lines(&all);
        assert_eq!(text.lines().count(), 1 + NAMED + 1, "{text}");
        assert!(text.ends_with("\n  19 is\\u{1b}new\n  and 2 more"), "{text}");
        assert!(!lines(&all[..NAMED]).contains("more"));
    }
}
