//! An account of one game in words, for whoever has to decide on an appeal: the players, the limits, how it ended and by which rule, what
//! was measured, and where the evidence is.
//!
//! Everything in it follows from the log, the record and the manifest. May not: judge; repeat anything of an agent's unescaped: it is made
//! harmless here.

mod account;
mod asked;
mod course;
mod ending;
mod limits;
mod machine;
mod memory;
mod processor;
mod public;
mod rulings;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use serde_json::{Value, json};

use swissmatch_game::claims::Warning;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_tournament::log::{GameFinished, GamesInterrupted};
use swissmatch_tournament::state::{EndedGame, State};

pub use public::{AccountSection, FromLog, told};
pub use rulings::{EarlierEnd, OnGame, is_about};

/// Lines of the transcript at the end of a report, unless all are asked for.
const TAIL: usize = 30;

/// One game with everything that is kept of it.
#[derive(Clone, Copy, Debug)]
pub struct AppealCase<'a> {
    pub state: &'a State,
    /// The game, which is on the schedule.
    pub id: GameId,
    /// How it ended; `None` while it has not.
    pub game: Option<EndedGame>,
    /// The log's entry of its end, with the hashes of what is kept of it.
    pub finished: Option<&'a GameFinished>,
    /// Its record; `None` where nothing was sent to any engine.
    pub record: Option<&'a GameRecord>,
    /// Claims of engines that do not fit the game.
    pub warnings: &'a [Warning],
    /// When its round was paired, RFC 3339 in UTC.
    pub paired_at: Option<&'a str>,
    /// The entry of the log that holds its result.
    pub logged: Option<EntryReference<'a>>,
    /// Transcript and standard error, where kept.
    pub evidence: Option<&'a str>,
    /// The run's manifest, where it is there.
    pub manifest: Option<&'a Value>,
    /// The directory of the run, as commands name it.
    pub run: &'a str,
    pub is_played: bool,
    /// Acts of the arbiter about it.
    pub acts: &'a [OnGame<'a>],
    /// Its earlier ends, before it was played again.
    pub replayed: &'a [EarlierEnd<'a>],
    /// Entries of the log about runners that ended while it was open, or may have been.
    pub interrupted: &'a [(EntryReference<'a>, &'a GamesInterrupted)],
}

/// An entry of the log.
#[derive(Clone, Copy, Debug)]
pub struct EntryReference<'a> {
    /// Its number, from 1.
    pub seq: i64,
    /// When it was committed, RFC 3339 in UTC.
    pub at: &'a str,
    /// Its hash in the chain.
    pub hash: &'a str,
}

struct Section {
    title: &'static str,
    lines: Vec<String>,
}

impl Section {
    fn new(title: &'static str, lines: Vec<String>) -> Self {
        Self { title, lines }
    }

    /// A section that is not shown.
    fn none() -> Self {
        Self::new("", Vec::new())
    }
}

/// The report as text; with `full`, the whole transcript instead of its last lines.
///
/// # Errors
/// When the record is no legal game.
pub fn text(case: &AppealCase<'_>, full: bool) -> Result<String, OpeningError> {
    let course = case.record.map(course::GameCourse::replay).transpose()?;
    let sections = [
        account::game(case),
        limits::section(case),
        ending::section(case, course.as_ref()),
        rulings::section(case),
        rulings::interruptions(case),
        account::result(case),
        course
            .as_ref()
            .map_or_else(Section::none, |course| course::attempts(case, course)),
        course
            .as_ref()
            .map_or_else(Section::none, |course| machine::section(case, course)),
        Section::new(
            "Clocks",
            course
                .as_ref()
                .map_or_else(Vec::new, |course| course::clocks(case, course)),
        ),
        course
            .as_ref()
            .map_or_else(Section::none, |course| processor::section(case, course)),
        course
            .as_ref()
            .map_or_else(Section::none, |course| memory::section(case, course)),
        course::claims_section(case),
        account::agents(case),
        account::machine(case),
        account::checks(case),
        asked::section(case, course.as_ref(), full),
        account::evidence(case, if full { usize::MAX } else { TAIL }),
    ];
    let mut text = format!("{}\n", account::headline(case));
    for section in sections.iter().filter(|section| !section.lines.is_empty()) {
        let _ = writeln!(text, "\n{}", section.title);
        for line in &section.lines {
            let _ = writeln!(text, "{}", format!("  {line}").trim_end());
        }
    }
    Ok(text)
}

/// Like [`text`], but for programs.
///
/// # Errors
/// When the record is no legal game.
pub fn json(case: &AppealCase<'_>, full: bool) -> Result<Value, OpeningError> {
    let course = case.record.map(course::GameCourse::replay).transpose()?;
    let mut value = account::json(case);
    value["limits"] = limits::json(case);
    value["end"] = ending::json(case, course.as_ref());
    value["failed_attempts"] = course
        .as_ref()
        .map_or_else(|| json!([]), |course| course::attempts_json(case, course));
    value["clocks"] = course
        .as_ref()
        .map_or(Value::Null, |course| course::clocks_json(case, course));
    value["processor_time"] = course.as_ref().map_or(Value::Null, processor::json);
    value["memory_peak"] = course.as_ref().map_or(Value::Null, memory::json);
    value["in_doubt"] = course
        .as_ref()
        .map_or_else(|| json!([]), |course| machine::json(case, course));
    value["rulings"] = rulings::json(case);
    value["interruptions"] = rulings::interruptions_json(case);
    value["claims"] = course::claims(case).into();
    value["evidence"] = account::evidence_json(case, if full { usize::MAX } else { TAIL });
    Ok(value)
}
