//! What its author is told of a fault of a submission: its cause, where it was asked, and what time it had.
//!
//! May not: judge.

use std::time::Duration;

use crate::check::{failure, problem, tenths};
use swissmatch_game::Side;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameRecord};
use swissmatch_game::rules::Board;
use swissmatch_game::time_control::{Limit, TimeControl};

/// What the system says where nothing may be written.
const NOT_WRITABLE: [&str; 2] = ["Read-only file system", "Permission denied"];
/// Letters of the longest type of an exception that others read.
const LONGEST_TYPE: usize = 40;
/// What the names of exceptions end with.
const OF_EXCEPTIONS: [&str; 4] = ["Error", "Exception", "Interrupt", "Exit"];

/// Why something is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    /// As its author may read it.
    pub(super) own: String,
    /// As others may, without words of the author's.
    pub(super) public: String,
}

impl Reason {
    /// One that has no word of its author's.
    pub(super) fn plain(why: &str) -> Self {
        Self {
            own: why.to_owned(),
            public: why.to_owned(),
        }
    }

    /// The same with more behind it.
    #[must_use]
    pub(super) fn with(self, more: &Self) -> Self {
        Self {
            own: self.own + &more.own,
            public: self.public + &more.public,
        }
    }
}

/// Why a program ended, after what is said of that, by what it printed: the exception of Python that it did not catch, and what to do.
/// Others read of which type that is.
pub(super) fn cause(printed: &[String]) -> Reason {
    let Some(why) = exception(printed) else {
        return Reason::plain("");
    };
    let remedy = match NOT_WRITABLE.iter().any(|said| why.contains(said)) {
        true => {
            "; its own directory is read only: files are written in the directory that TMPDIR names (`tempfile` in Python)"
        }
        false => "",
    };
    let of_type = type_of(why).filter(|name| name.len() <= LONGEST_TYPE);
    Reason {
        own: format!(": {why}{remedy}"),
        public: of_type.map_or_else(String::new, |name| format!(": {name}")),
    }
}

/// The type of an exception, by the line that tells it; `None`: the line tells none.
fn type_of(line: &str) -> Option<&str> {
    let name = line.split(':').next().unwrap_or_default();
    let is_name = name
        .bytes()
        .all(|byte| matches!(byte, b'.' | b'_') || byte.is_ascii_alphanumeric());
    (is_name && OF_EXCEPTIONS.iter().any(|end| name.ends_with(end))).then_some(name)
}

fn exception(printed: &[String]) -> Option<&str> {
    let begins = |line: &String| line.ends_with("Traceback (most recent call last):");
    let traceback = printed.iter().rposition(begins);
    let ends = traceback.and_then(|begin| printed[begin + 1..].iter().find(|line| !line.starts_with(' ')));
    let is_one = |line: &&String| line.contains(" has no function ") || type_of(line).is_some();
    ends.or_else(|| printed.iter().rev().find(is_one)).map(String::as_str)
}

/// Why a game ended by a fault of this side, if it did; `errors` is what it wrote to standard error.
pub(super) fn fault(
    record: &GameRecord,
    (side, errors): (Side, &[String]),
    (control, clock): (&TimeControl, &str),
) -> Option<Reason> {
    let why = record.termination.is_fault_of(side).then(|| problem(record, clock))??;
    let when = Reason::plain(&format!("with {}, after {} plies, ", side.name(), record.plies()));
    let last = record.failed_attempts.last();
    Some(when.with(&match (record.engine_end, last) {
        (Some(_), _) => Reason::plain(&why).with(&cause(errors)),
        (None, Some(last)) => Reason {
            own: why.clone() + &circumstances(record, last, control),
            public: match &last.end {
                AttemptEnd::Illegal(_) | AttemptEnd::Unparsable(_) => "what it said was no legal move".to_owned(),
                _ => why,
            },
        },
        (None, None) => Reason::plain(&why),
    }))
}

/// What attempts of this side failed in a game that it did not lose by them, a line each.
pub(super) fn forgiven(record: &GameRecord, side: Side, (control, clock): (&TimeControl, &str)) -> Vec<String> {
    let failed = record.failed_attempts.iter().filter(|attempt| attempt.side == side);
    let line = |attempt: &FailedAttempt| {
        let (why, more) = (failure(record, attempt, clock), circumstances(record, attempt, control));
        format!("  after {} plies {why}{more}; it was asked again", attempt.ply)
    };
    failed.map(line).collect()
}

/// In which position an attempt failed, or how much time it had.
fn circumstances(record: &GameRecord, attempt: &FailedAttempt, control: &TimeControl) -> String {
    match &attempt.end {
        AttemptEnd::Illegal(_) | AttemptEnd::Unparsable(_) => {
            let played: Vec<&str> = record.moves.split(' ').take(attempt.ply as usize).collect();
            let board = Board::after(&record.opening, &played.join(" "));
            let asked = |board: Board| format!("; it was asked in `{}`, {} to move", board.fen(), attempt.side.name());
            board.map_or_else(String::new, asked)
        }
        AttemptEnd::Late | AttemptEnd::Silent => {
            format!("; it had {}", tenths(had(record, attempt, control)))
        }
        _ => String::new(),
    }
}

/// How much time there was for an attempt.
fn had(record: &GameRecord, attempt: &FailedAttempt, control: &TimeControl) -> Duration {
    if !matches!(control.limit, Limit::Clock(_) | Limit::Hourglass(_)) {
        return control.at_first();
    }
    let before = (attempt.ply as usize).checked_sub(2);
    let left = before.and_then(|ply| record.clock_us.get(ply));
    let left = left.map_or_else(|| control.at_first(), |us| Duration::from_micros(*us));
    let failed = record.failed_before(attempt).map(|of| of.time_us);
    left.saturating_sub(Duration::from_micros(failed.sum()))
}

/// At most `most` of what was printed: the first lines and the last ones.
pub(super) fn first_and_last(printed: &[String], most: usize) -> Vec<String> {
    if printed.len() <= most {
        return printed.to_vec();
    }
    let first = &printed[..most / 2];
    let last = &printed[printed.len() + 1 + first.len() - most..];
    let left_out = format!("… and {} lines more …", printed.len() - first.len() - last.len());
    [first, &[left_out], last].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exception_that_was_not_caught_is_the_cause() {
        let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        for (text, expected) in [
            (
                "name? Traceback (most recent call last):\n  File \"agent.py\", line 2\nEOFError: EOF when reading a line",
                ": EOFError: EOF when reading a line",
            ),
            (
                "Traceback (most recent call last):\n  File \"a.py\"\nmine.Odd\nbye",
                ": mine.Odd",
            ),
            (
                "  File \"a.py\", line 2\n    match x\nSyntaxError: expected ':'",
                ": SyntaxError: expected ':'",
            ),
            (
                "agent.py has no function get_move(fen, time_left_ms)",
                ": agent.py has no function get_move(fen, time_left_ms)",
            ),
            ("I think that Error: is nice\ngood bye", ""),
        ] {
            assert_eq!(cause(&lines(text)).own, expected);
        }
        let public = |text: &str| cause(&lines(text)).public;
        for (text, expected) in [
            ("ValueError: buy at example.org", ": ValueError"),
            (
                "Traceback (most recent call last):\n  File \"a.py\"\nBuy at example.org",
                "",
            ),
            ("buy at example.org, it has no function that fails", ""),
        ] {
            assert_eq!(public(text), expected);
        }
        assert_eq!(public(&format!("{}Error: x", "a".repeat(50))), "");
        let written = cause(&lines("OSError: [Errno 30] Read-only file system: 'game.log'")).own;
        assert!(written.contains("TMPDIR"), "{written}");
    }

    #[test]
    fn of_many_lines_the_middle_is_left_out() {
        let lines = |of: &[&str]| of.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let six = lines(&["a", "b", "c", "d", "e", "f"]);
        assert_eq!(first_and_last(&six, 6), six);
        assert_eq!(first_and_last(&six, 4), lines(&["a", "b", "… and 3 lines more …", "f"]));
    }
}
