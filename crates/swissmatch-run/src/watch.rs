//! A run that is watched from outside: its log as it grows, the games under way by its live lines, the end of its `run.log`.
//!
//! Runners may come and go meanwhile. May not: change anything; hold up a runner.

use std::collections::BTreeMap;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::Path;

use jiff::Timestamp;

use swissmatch_host::audience::Audience;
use swissmatch_host::files::open_plain;
use swissmatch_host::run_log::RUN_LOG;
use swissmatch_tournament::live::{LiveGame, LiveLine};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::state::State;
use swissmatch_tournament::waiting::Ends;

use super::follow::{Follow, Look};
use super::open_run::OpenError;

/// Bytes of the end of `run.log` that are read.
const TAIL: u64 = 4096;

/// A run that is watched.
#[derive(Debug)]
pub struct Watch {
    follow: Follow,
    audience: Option<Audience>,
    /// The newest state of the game at each slot.
    games: BTreeMap<usize, LiveGame>,
    /// Why the log could not be read last.
    trouble: Option<String>,
}

impl Watch {
    /// The run in this directory, as its organizer sees it: without a delay.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(dir: &Path, now: Timestamp) -> Result<Self, OpenError> {
        Ok(Self {
            follow: Follow::open_undelayed(dir, now)?,
            audience: None,
            games: BTreeMap::new(),
            trouble: None,
        })
    }

    /// Reads what is new; gives how many games have ended since.
    pub fn look(&mut self, now: Timestamp) -> usize {
        self.hear();
        match self.follow.look(now) {
            Ok(look) => {
                self.trouble = None;
                match look {
                    Look::Same | Look::Anew => 0,
                    Look::Grown(entries) => {
                        let is_end = |entry: &&Entry| matches!(entry, Entry::GameFinished(_));
                        entries.iter().filter(is_end).count()
                    }
                }
            }
            // While a run is begun anew there is none for a moment.
            Err(error) => {
                self.trouble = Some(error.to_string());
                0
            }
        }
    }

    /// Takes in the live lines that have come, and looks for a runner where none is heard.
    pub fn hear(&mut self) {
        if self.audience.is_none() && self.follow.is_played() {
            self.audience = Audience::enter(self.follow.dir()).ok();
        }
        let Some(audience) = &mut self.audience else { return };
        match audience.hear() {
            Ok(lines) => {
                for line in lines {
                    match line {
                        LiveLine::Game(game) => {
                            self.games.insert(game.slot, *game);
                        }
                        LiveLine::Event(_) => {}
                        LiveLine::Refused { why, .. } => self.trouble = Some(why),
                    }
                }
            }
            Err(_) => {
                self.audience = None;
                self.games.clear();
            }
        }
    }

    /// What is readable when there are live lines.
    pub fn lines(&self) -> Option<BorrowedFd<'_>> {
        self.audience.as_ref().map(Audience::as_fd)
    }

    /// The event as far as it is known.
    pub const fn state(&self) -> &State {
        self.follow.state()
    }

    /// When what was played ended.
    pub const fn ends(&self) -> Ends {
        self.follow.ends()
    }

    /// Whether a runner is at work on it.
    pub fn is_played(&self) -> bool {
        self.follow.is_played()
    }

    /// The games under way, and those that ended and were not followed by another, in the order of their slots.
    pub fn games(&self) -> Vec<LiveGame> {
        self.games.values().cloned().collect()
    }

    /// Why it could not be read last.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The last whole lines of `run.log`, the newest last; none where there is none.
    pub fn news(&self) -> Vec<String> {
        let read = || -> std::io::Result<String> {
            let mut file = open_plain(&self.follow.dir().join(RUN_LOG[0]))?;
            let length = file.metadata()?.len();
            file.seek(SeekFrom::Start(length.saturating_sub(TAIL)))?;
            let mut end = Vec::new();
            file.take(TAIL).read_to_end(&mut end)?;
            let text = String::from_utf8_lossy(&end).into_owned();
            let is_cut = length > TAIL;
            Ok(match text.split_once('\n') {
                Some((_, rest)) if is_cut => rest.to_owned(),
                _ => text,
            })
        };
        let text = read().unwrap_or_default();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().map(str::to_owned).collect()
    }
}
