//! Words of a command line → the text of an event file. There are two grammars: that of `swissmatch match`, and the one that fastchess and
//! cutechess-cli share.
//!
//! May not: read a file, look for a program, know the machine; the facts it needs are handed in ([`Surroundings`]).

mod agent;
mod event;
mod limits;
mod own;
mod peers;
#[cfg(test)]
mod tests;
mod wording;

use std::fmt;
use std::time::Duration;

pub(crate) use event::EventText;
pub(crate) use own::rank_by_games;
pub use own::{MatchFlags, MatchFormat, of_agents, of_players, of_two};
pub use peers::{How, OptionRow, PeerRequest, Peers, of_peers, rows};

use swiss_system::text::escaped;

use super::ConfigError;
use super::value::quoted;
use swissmatch_game::time_control::{Limit, TimeControl, write_duration};
use swissmatch_tournament::peer_lines::{PeerLogOptions, PeerOutput};

/// A grammar with its defaults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    Own,
    Fastchess,
    Cutechess,
}

impl Dialect {
    pub const fn program(self) -> &'static str {
        match self {
            Self::Own => "swissmatch",
            Self::Fastchess => "fastchess",
            Self::Cutechess => "cutechess-cli",
        }
    }

    /// The peer with this name, which is the last part of a path. Workers of test frameworks use names such as `fastchess-ob`.
    pub fn of_program(name: &str) -> Option<Self> {
        let is = |program: &str| {
            name.strip_prefix(program)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        match (is("fastchess"), is("cutechess")) {
            (true, _) => Some(Self::Fastchess),
            (_, true) => Some(Self::Cutechess),
            _ => None,
        }
    }
}

/// Facts about the surroundings of the command line.
#[derive(Clone, Debug, Default)]
pub struct Surroundings {
    /// The text of cutechess' `engines.json`, for `conf=NAME`; `None` if there is no such file.
    pub engines_json: Option<String>,
    /// Hardware threads of this machine, at least 1. `-concurrency` of 0 or less counts down from them.
    pub threads: u32,
    /// The number of openings in the named file, once it is known: `start=` beyond the last one begins again.
    pub openings: Option<u32>,
    /// Keys of swissmatch beside those words, as `TABLE.KEY=VALUE`.
    pub set: Vec<String>,
}

/// Words that are not carried out, with what to use in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedWords {
    /// The words, as they were typed.
    pub words: String,
    /// Why they are refused.
    pub why: String,
    pub instead: String,
}

impl RefusedWords {
    pub(crate) fn new(words: impl Into<String>, why: impl Into<String>, instead: impl Into<String>) -> Self {
        let [words, why, instead] = [words.into(), why.into(), instead.into()];
        Self { words, why, instead }
    }
}

impl fmt::Display for RefusedWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", escaped(&self.words), escaped(&self.why))?;
        match self.instead.is_empty() {
            true => Ok(()),
            false => write!(f, "; instead: {}", escaped(&self.instead)),
        }
    }
}

/// A command line that makes no match, whatever is left out of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchWordsError {
    /// The errors, which prevent a match.
    pub wrong: Vec<RefusedWords>,
    /// Words that could be left out.
    pub refused: Vec<RefusedWords>,
}

impl std::error::Error for MatchWordsError {}

impl fmt::Display for MatchWordsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self
            .wrong
            .iter()
            .chain(&self.refused)
            .map(RefusedWords::to_string)
            .collect();
        f.write_str(&lines.join("\n"))
    }
}

/// The meaning of a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchEvent {
    /// The event file, as TOML.
    pub event: String,
    /// Names of the agents, in order.
    pub names: Vec<String>,
    /// Whether there is a sequential test.
    pub has_sprt: bool,
    /// Settings that are no keys of an event.
    pub output: Output,
    pub dialect: Dialect,
    /// Words that are not carried out, in order. The event is the match without them.
    pub refused: Vec<RefusedWords>,
    /// Words that are carried out in another way than their writer may expect, one sentence each.
    pub notes: Vec<String>,
}

impl MatchEvent {
    /// An error in the event, told in the words that asked for it.
    pub fn error(&self, error: ConfigError) -> ConfigError {
        let player = error.place.filter(|_| error.key.starts_with("player."));
        let name = player.and_then(|place| self.names.get(place.player_of(&self.event)?));
        let at = match name {
            Some(name) => format!("agent {name}"),
            None => self.dialect.word_of(&error.key).unwrap_or_else(|| error.key.clone()),
        };
        ConfigError {
            help: error.help,
            ..ConfigError::of_words(at, error.message)
        }
    }
}

/// Settings of output and files in a command line, which are no keys of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// A file of games in PGN besides those of the run.
    pub pgn: Option<PgnFile>,
    /// Whether the CRC-32 of that file is printed.
    pub crc32: bool,
    /// A log file besides that of the run.
    pub log: Option<LogFile>,
    /// Games between two reports of figures; 0: only at the end. `None`: as in any run.
    pub rating_interval: Option<u32>,
    /// Games between two lines with the score; 0: only at the end. `None`: as in any run.
    pub score_interval: Option<u32>,
    /// The lines to print in the form of another program.
    pub wanted: PeerOutput,
    /// Whether these lines were asked for, whatever the program is called.
    pub is_asked: bool,
    /// The CPUs that everything stays on, by number in rising order; empty: all CPUs.
    pub cpus: Vec<usize>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnFile {
    /// Relative to the current directory. `None`: the name of the match.
    pub path: Option<String>,
    /// Whether the content from before the match is kept.
    pub append: bool,
    /// Whether it has only the tags that every game must have, and no comments.
    pub is_min: bool,
    /// Regular expressions: lines of an engine that match one of them are written behind its move.
    pub lines: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogFile {
    /// Relative to the current directory.
    pub path: String,
    /// Whether lines are added to its content.
    pub append: bool,
    /// The kinds of lines that it has.
    pub logged: PeerLogOptions,
}

/// How much less than a time per move engines are told in a match.
const OVERHEAD: Duration = Duration::from_millis(10);

/// Has engines told a little less than a time per move, if one of these controls is one, and the event does not set it: an engine that
/// thinks for the whole time it is told answers a little late. Gives how much less it is.
fn tell_less(event: &mut EventText, controls: &[TimeControl]) -> Option<Duration> {
    let limits = controls.iter().filter_map(|control| match control.limit {
        Limit::MoveTime(limit) => Some(limit),
        _ => None,
    });
    let overhead = OVERHEAD.min(limits.min()? / 10);
    let comment = "engines are told so much less than a time per move";
    event.usual("game.move_overhead", quoted(&write_duration(overhead)), comment);
    Some(overhead)
}
