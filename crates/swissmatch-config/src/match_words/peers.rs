//! The command line of fastchess and cutechess-cli → an event.
//!
//! Everything is read before anything is judged, so that one message names all refused words. Where an option means different things in the
//! two, the dialect decides: that of the program's name, otherwise that of options which only one of them has, otherwise fastchess. May
//! not: read a file.

mod catalogue;
mod endings;
mod engines;
mod games;
mod output;
mod reading;
mod table;

pub use table::{How, OptionRow, Peers, rows};

use swiss_system::word::Word as _;

use super::event::EventText;
use super::{Dialect, MatchEvent, MatchWordsError, RefusedWords, Surroundings};
use crate::value::quoted;
use reading::Reading;
use swissmatch_game::flag_fall::FlagFall;

/// The request of a peer's command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PeerRequest {
    Match(Box<MatchEvent>),
    Version,
    Help,
    /// To print these names of engines, one in each line.
    Engines(Vec<String>),
}

/// Reads the arguments of fastchess or cutechess-cli, without the program's name; `called` is the dialect of that name.
///
/// # Errors
/// All problems, with all refused words.
pub fn of_peers(
    words: &[String],
    called: Option<Dialect>,
    around: &Surroundings,
) -> Result<PeerRequest, MatchWordsError> {
    let is_any = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
    if words.first().is_some_and(|word| word == "--compliance") {
        let wrong = table::of_option("--compliance").filter_map(|row| match row.how {
            How::Refused(why, instead) => Some(RefusedWords::new(words.join(" "), why, instead)),
            How::Honoured(_) => None,
        });
        return Err(MatchWordsError {
            wrong: wrong.collect(),
            refused: Vec::new(),
        });
    }
    if is_any(&["-version", "--version", "-v", "--v"]) {
        return Ok(PeerRequest::Version);
    }
    if is_any(&["-engines", "--engines"]) {
        let text = around.engines_json.as_deref().unwrap_or("[]");
        return match catalogue::names(text) {
            Ok(names) => Ok(PeerRequest::Engines(names)),
            Err(why) => Err(MatchWordsError {
                wrong: vec![RefusedWords::new("-engines", why, "")],
                refused: Vec::new(),
            }),
        };
    }
    if words.is_empty() || is_any(&["-help", "--help"]) {
        return Ok(PeerRequest::Help);
    }
    let reading = Reading::new(words, called);
    event(reading, called, around).map(|event| PeerRequest::Match(Box::new(event)))
}

fn event(
    mut reading: Reading<'_>,
    called: Option<Dialect>,
    around: &Surroundings,
) -> Result<MatchEvent, MatchWordsError> {
    let program = reading.dialect.program();
    let head = format!("A match, as `swissmatch match` wrote it from the words of {program}: docs/match.md.");
    let mut event = EventText::new(&[&head]);
    let engines = engines::read(&mut reading, around);
    games::read(&mut reading, &engines, around, &mut event);
    if let Some(called) = called {
        event.set("game.flag_fall", quoted(flag_fall_of(called).word()));
    }
    endings::read(&mut reading, engines.count(), &mut event);
    let output = output::read(&mut reading, around, &mut event);
    let names = engines.write(&mut reading, &mut event);
    super::own::set_words(&mut event, &around.set, &mut reading.wrong);
    super::own::of_chess960(&mut event);
    let Reading {
        dialect,
        refused,
        wrong,
        notes,
        ..
    } = reading;
    // A word of `-each` is read for each engine, so it may be reported several times.
    let (refused, wrong, notes) = (once(refused), once(wrong), once(notes));
    if !wrong.is_empty() {
        return Err(MatchWordsError { wrong, refused });
    }
    Ok(MatchEvent {
        event: event.text(),
        names,
        has_sprt: event.has("sprt.elo0"),
        output,
        dialect,
        refused,
        notes,
    })
}

/// The cost of a fallen flag in the program of that name: cutechess-cli (since 1.3.0) scores a draw against a bare king, fastchess (1.8.2)
/// a loss.
const fn flag_fall_of(called: Dialect) -> FlagFall {
    match called {
        Dialect::Cutechess => FlagFall::DrawIfBareKing,
        Dialect::Fastchess | Dialect::Own => FlagFall::Loses,
    }
}

/// Each of them once, at its first place.
fn once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut kept = Vec::new();
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}
