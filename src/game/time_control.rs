//! Time controls: what limits a move, and how it is written.
//!
//! Forms: `30s/move`, `500ms/move`, `1m/move`; `60`, `10+0.1`, `40/60`, `40/60+0.6` (seconds, as engine users write
//! them); `5:00+2` (minutes and seconds). Others that exist in the field are refused by name.
//!
//! May not: ask what time it is, use floats.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Longest time that anything may be given: 7 days.
const LONGEST: Duration = Duration::from_hours(7 * 24);
/// Most moves of a stage.
const MOST_MOVES: u64 = 1_000;
/// Decimals that a written time may have.
const DECIMALS: usize = 6;
/// Digits before the decimal point that a written time may have.
const WHOLE_DIGITS: usize = 9;

const NANOS_PER_MS: u128 = 1_000_000;
const NANOS_PER_S: u128 = 1_000 * NANOS_PER_MS;

/// The limit a move is judged by.
///
/// Read with [`str::parse`]; [`Display`](fmt::Display) writes the canonical form, which reads as the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TimeControl {
    /// So much for every move: `"30s/move"`.
    MoveTime(Duration),
    /// A clock: `"10+0.1"` (seconds), `"40/60+0.6"`.
    Clock {
        /// Moves of the stage, after which `base` is added again; `None`: the whole game.
        moves: Option<u32>,
        /// Time at the start.
        base: Duration,
        /// Added after each move.
        increment: Duration,
    },
}

impl TimeControl {
    /// The value of the PGN tag `TimeControl`: `40/60+0.6`, `10+0.1`, `60`; a time per move as engine runners write
    /// it, in seconds: `30/move`, `0.5/move`.
    #[must_use]
    pub fn pgn(self) -> String {
        match self {
            Self::MoveTime(limit) => format!("{}/move", seconds(limit)),
            Self::Clock { .. } => self.to_string(),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::MoveTime(limit) => format!("{}/move", write_duration(limit)),
            Self::Clock { moves, base, increment } => {
                let moves = moves.map_or_else(String::new, |moves| format!("{moves}/"));
                let increment = if increment.is_zero() {
                    String::new()
                } else {
                    format!("+{}", seconds(increment))
                };
                format!("{moves}{}{increment}", seconds(base))
            }
        };
        f.pad(&text)
    }
}

/// Why a text is no time control or no duration, and where it stops being one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {problem} (character {at})")]
pub struct TimeTextError {
    /// The text as given, control characters escaped.
    pub text: String,
    /// Number of the character at fault, from 1; one more than the text has where it ends too early.
    pub at: usize,
    /// What was expected there, or what is not supported.
    pub problem: String,
}

impl FromStr for TimeControl {
    type Err = TimeTextError;

    /// Refuses what is none of the forms, zero limits, and limits over 7 days.
    fn from_str(text: &str) -> Result<Self, TimeTextError> {
        if let Some((at, form)) = form_of_a_later_version(text) {
            return Err(error(text, at, format!("{form} is not supported yet")));
        }
        let mut rest = Cursor::new(text);
        let first = rest.number("a time control such as `30s/move`, `10+0.1` or `40/60+0.6`")?;
        if rest.peek().is_some_and(char::is_alphabetic) {
            let limit = rest.with_unit(&first)?;
            rest.exactly(
                "/move",
                "`/move`: a time per move is written as `30s/move`, a clock as `10+0.1`",
            )?;
            rest.end()?;
            return rest.limit(limit, &first).map(Self::MoveTime);
        }
        let (moves, base_number) = if rest.skip('/') {
            if rest.peek() == Some('m') {
                return Err(rest.expected_at(first.end, "a unit: a time per move is written as `30s/move`"));
            }
            let moves = rest.moves(&first)?;
            (Some(moves), rest.number("seconds, such as 60")?)
        } else {
            (None, first)
        };
        let base = rest.clock_time(&base_number)?;
        let base = rest.limit(base, &base_number)?;
        let mut increment = Duration::ZERO;
        if rest.skip('+') {
            let number = rest.number("seconds, such as 0.1")?;
            increment = rest.at_most_longest(number.times(NANOS_PER_S), &number)?;
        }
        rest.end()?;
        Ok(Self::Clock { moves, base, increment })
    }
}

/// Reads a duration with its unit: `10s`, `50ms`, `1.5s`, `2m`, `0ms`; at most six decimals and 7 days.
///
/// # Errors
/// When the text is anything else.
pub fn parse_duration(text: &str) -> Result<Duration, TimeTextError> {
    let mut rest = Cursor::new(text);
    let number = rest.number("a duration such as 10s or 50ms")?;
    let nanos = rest.with_unit(&number)?;
    rest.end()?;
    rest.at_most_longest(nanos, &number)
}

/// Writes a duration so that [`parse_duration`] reads it: `30s`, `1.5s`, `500ms`.
#[must_use]
pub fn write_duration(duration: Duration) -> String {
    let nanos = duration.as_nanos();
    let finer_than_decimals_of_a_second = !nanos.is_multiple_of(1_000);
    if nanos > 0 && (nanos < NANOS_PER_S || finer_than_decimals_of_a_second) {
        format!("{}ms", decimal(nanos, NANOS_PER_MS))
    } else {
        format!("{}s", seconds(duration))
    }
}

/// Seconds as a plain decimal: `60`, `0.6`.
fn seconds(duration: Duration) -> String {
    decimal(duration.as_nanos(), NANOS_PER_S)
}

/// `amount / unit` as a plain decimal; `unit` is a power of ten.
fn decimal(amount: u128, unit: u128) -> String {
    let (whole, part) = (amount / unit, amount % unit);
    if part == 0 {
        return whole.to_string();
    }
    // One more than `unit` keeps the leading zeros of the part: 1000 + 50 is "1050".
    let part = (unit + part).to_string();
    format!("{whole}.{}", part[1..].trim_end_matches('0'))
}

/// The first form in `text` that the field knows and this version does not, with its place (characters from 1).
fn form_of_a_later_version(text: &str) -> Option<(usize, &'static str)> {
    let lower = text.to_ascii_lowercase();
    let place = |byte: usize| lower[..byte].chars().count() + 1;
    let words = [
        ("hourglass", "`hourglass`"),
        ("sandclock", "`sandclock`"),
        ("nodes", "`nodes=`"),
        ("depth", "`depth=`"),
        ("g/", "`G/` (minutes for the whole game)"),
        ("sd/", "`SD/` (sudden death)"),
    ];
    if let Some(found) = words
        .iter()
        .find_map(|(word, form)| lower.find(word).map(|byte| (place(byte), *form)))
    {
        return Some(found);
    }
    let delay = lower
        .as_bytes()
        .windows(2)
        .position(|pair| pair[0] == b'd' && pair[1].is_ascii_digit())
        .map(|byte| (place(byte), "a delay (`d5`)"));
    let stages = lower
        .match_indices('/')
        .nth(1)
        .map(|(byte, _)| (place(byte), "a control of several stages"));
    delay.or(stages)
}

fn error(text: &str, at: usize, problem: String) -> TimeTextError {
    TimeTextError {
        text: text.escape_debug().to_string(),
        at,
        problem,
    }
}

/// A written decimal number: exact, in millionths.
struct Number {
    millionths: u128,
    is_whole: bool,
    /// Index of its first character.
    start: usize,
    /// Index after its last character.
    end: usize,
}

impl Number {
    /// This many units of `nanos` nanoseconds, in nanoseconds. Exact: every unit is a multiple of 10⁶ ns.
    fn times(&self, nanos: u128) -> u128 {
        self.millionths * (nanos / 1_000_000)
    }
}

/// Reads a text character by character and knows where it is.
struct Cursor<'a> {
    text: &'a str,
    chars: Vec<char>,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            chars: text.chars().collect(),
            at: 0,
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    fn digits(&mut self) -> String {
        let digits: String = self.chars[self.at..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .collect();
        self.at += digits.len();
        digits
    }

    fn number(&mut self, expected: &str) -> Result<Number, TimeTextError> {
        let start = self.at;
        let whole = self.digits();
        if whole.is_empty() {
            return Err(self.expected_at(start, expected));
        }
        if whole.len() > WHOLE_DIGITS {
            return Err(self.problem_at(start, "more than 7 days".to_owned()));
        }
        let mut decimals = String::new();
        let is_whole = !self.skip('.');
        if !is_whole {
            decimals = self.digits();
            if decimals.is_empty() {
                return Err(self.expected_at(self.at, "a digit after the point"));
            }
            if decimals.len() > DECIMALS {
                return Err(self.expected_at(self.at - decimals.len() + DECIMALS, "at most six decimals"));
            }
        }
        let padded = format!("{whole}{decimals:0<DECIMALS$}");
        let millionths = padded
            .bytes()
            .fold(0, |number, digit| number * 10 + u128::from(digit - b'0'));
        Ok(Number {
            millionths,
            is_whole,
            start,
            end: self.at,
        })
    }

    /// The unit after `number`; nanoseconds.
    fn with_unit(&mut self, number: &Number) -> Result<u128, TimeTextError> {
        let start = self.at;
        let unit: String = self.chars[start..].iter().take_while(|c| c.is_alphabetic()).collect();
        self.at += unit.chars().count();
        match unit.as_str() {
            "ms" => Ok(number.times(NANOS_PER_MS)),
            "s" => Ok(number.times(NANOS_PER_S)),
            "m" => Ok(number.times(60 * NANOS_PER_S)),
            _ => Err(self.expected_at(start, "a unit: ms, s or m")),
        }
    }

    /// The number of moves before a `/`.
    fn moves(&self, number: &Number) -> Result<u32, TimeTextError> {
        let moves = number.millionths / 1_000_000;
        if !number.is_whole || moves == 0 || moves > u128::from(MOST_MOVES) {
            return Err(self.expected_at(number.start, &format!("a number of moves from 1 to {MOST_MOVES}")));
        }
        u32::try_from(moves).map_err(|_| self.expected_at(number.start, "a number of moves"))
    }

    /// Seconds, or minutes with `:` and seconds; nanoseconds.
    fn clock_time(&mut self, first: &Number) -> Result<u128, TimeTextError> {
        if !self.skip(':') {
            return Ok(first.times(NANOS_PER_S));
        }
        if !first.is_whole {
            return Err(self.expected_at(first.start, "whole minutes before `:`"));
        }
        let start = self.at;
        let two_digits = self.chars[start..].iter().take_while(|c| c.is_ascii_digit()).count() == 2;
        if !two_digits || self.chars[start] > '5' {
            return Err(self.expected_at(start, "seconds from 00 to 59 after `:`"));
        }
        let rest = self.number("seconds")?;
        Ok(first.times(60 * NANOS_PER_S) + rest.times(NANOS_PER_S))
    }

    fn exactly(&mut self, wanted: &str, expected: &str) -> Result<(), TimeTextError> {
        let start = self.at;
        if wanted.chars().all(|c| self.skip(c)) {
            Ok(())
        } else {
            Err(self.expected_at(start, expected))
        }
    }

    fn end(&self) -> Result<(), TimeTextError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected_at(self.at, "nothing more")),
        }
    }

    /// A time that limits: neither zero nor absurd.
    fn limit(&self, nanos: u128, number: &Number) -> Result<Duration, TimeTextError> {
        if nanos == 0 {
            return Err(self.expected_at(number.start, "more than no time"));
        }
        self.at_most_longest(nanos, number)
    }

    fn at_most_longest(&self, nanos: u128, number: &Number) -> Result<Duration, TimeTextError> {
        match u64::try_from(nanos).map(Duration::from_nanos) {
            Ok(duration) if duration <= LONGEST => Ok(duration),
            _ => Err(self.problem_at(number.start, "more than 7 days".to_owned())),
        }
    }

    fn expected_at(&self, index: usize, expected: &str) -> TimeTextError {
        self.problem_at(index, format!("expected {expected}"))
    }

    fn problem_at(&self, index: usize, problem: String) -> TimeTextError {
        error(self.text, index + 1, problem)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A good text, its canonical form and its PGN form.
    fn check(text: &str, canonical: &str, pgn: &str) {
        let control: TimeControl = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(
            (control.to_string().as_str(), control.pgn().as_str()),
            (canonical, pgn),
            "{text}"
        );
        assert_eq!(canonical.parse(), Ok(control), "{canonical}");
    }

    fn refused(text: &str, message: &str) {
        let error = text.parse::<TimeControl>().expect_err(text);
        assert_eq!(error.to_string(), message);
    }

    #[test]
    fn reads_and_writes_every_form() {
        check("30s/move", "30s/move", "30/move");
        check("500ms/move", "500ms/move", "0.5/move");
        check("1m/move", "60s/move", "60/move");
        check("1.5s/move", "1.5s/move", "1.5/move");
        check("0.000001ms/move", "0.000001ms/move", "0.000000001/move");
        check("1000.000001ms/move", "1000.000001ms/move", "1.000000001/move");
        check("10+0.1", "10+0.1", "10+0.1");
        check("40/60+0.6", "40/60+0.6", "40/60+0.6");
        check("60", "60", "60");
        check("60+0", "60", "60");
        check("40/60", "40/60", "40/60");
        check("5:00+2", "300+2", "300+2");
        check("40/1:30.5+0.25", "40/90.5+0.25", "40/90.5+0.25");
        check("604800", "604800", "604800");
        check("0.000001", "0.000001", "0.000001");
    }

    #[test]
    fn means_what_it_says() {
        let clock = TimeControl::Clock {
            moves: Some(40),
            base: Duration::from_secs(60),
            increment: Duration::from_millis(600),
        };
        assert_eq!("40/60+0.6".parse(), Ok(clock));
        assert_eq!(
            "500ms/move".parse(),
            Ok(TimeControl::MoveTime(Duration::from_millis(500)))
        );
    }

    #[test]
    fn points_at_the_character() {
        refused(
            "",
            "``: expected a time control such as `30s/move`, `10+0.1` or `40/60+0.6` (character 1)",
        );
        refused(
            "fast",
            "`fast`: expected a time control such as `30s/move`, `10+0.1` or `40/60+0.6` (character 1)",
        );
        refused("10+x", "`10+x`: expected seconds, such as 0.1 (character 4)");
        refused("10+0.1 ", "`10+0.1 `: expected nothing more (character 7)");
        refused("1,5", "`1,5`: expected nothing more (character 2)");
        refused("1.", "`1.`: expected a digit after the point (character 3)");
        refused("1.0000001", "`1.0000001`: expected at most six decimals (character 9)");
        refused("30h/move", "`30h/move`: expected a unit: ms, s or m (character 3)");
        refused(
            "30/move",
            "`30/move`: expected a unit: a time per move is written as `30s/move` (character 3)",
        );
        refused(
            "30s",
            "`30s`: expected `/move`: a time per move is written as `30s/move`, a clock as `10+0.1` (character 4)",
        );
        refused("5:7", "`5:7`: expected seconds from 00 to 59 after `:` (character 3)");
        refused("5:75", "`5:75`: expected seconds from 00 to 59 after `:` (character 3)");
        refused("1.5:00", "`1.5:00`: expected whole minutes before `:` (character 1)");
        refused(
            "0/60",
            "`0/60`: expected a number of moves from 1 to 1000 (character 1)",
        );
        refused("40/", "`40/`: expected seconds, such as 60 (character 4)");
    }

    #[test]
    fn refuses_no_time_and_absurd_time() {
        refused("0", "`0`: expected more than no time (character 1)");
        refused("0+1", "`0+1`: expected more than no time (character 1)");
        refused("0s/move", "`0s/move`: expected more than no time (character 1)");
        refused("40/0:00", "`40/0:00`: expected more than no time (character 4)");
        refused("604800.000001", "`604800.000001`: more than 7 days (character 1)");
        refused("10+604801", "`10+604801`: more than 7 days (character 4)");
        refused("99999999999", "`99999999999`: more than 7 days (character 1)");
    }

    #[test]
    fn refuses_forms_of_later_versions_by_name() {
        refused(
            "G/90 +30",
            "`G/90 +30`: `G/` (minutes for the whole game) is not supported yet (character 1)",
        );
        refused(
            "40/90 SD/30 d5",
            "`40/90 SD/30 d5`: `SD/` (sudden death) is not supported yet (character 7)",
        );
        refused("45 d5", "`45 d5`: a delay (`d5`) is not supported yet (character 4)");
        refused(
            "hourglass",
            "`hourglass`: `hourglass` is not supported yet (character 1)",
        );
        refused(
            "nodes=1000",
            "`nodes=1000`: `nodes=` is not supported yet (character 1)",
        );
        refused(
            "40/60:20/30",
            "`40/60:20/30`: a control of several stages is not supported yet (character 9)",
        );
    }

    #[test]
    fn durations_carry_their_unit() {
        for (text, canonical) in [
            ("10s", "10s"),
            ("50ms", "50ms"),
            ("2m", "120s"),
            ("0ms", "0s"),
            ("0.05s", "50ms"),
        ] {
            assert_eq!(parse_duration(text).map(write_duration).as_deref(), Ok(canonical));
        }
        for text in ["10", "", "s", "-1s", "1 s", "8d", "1e3s", "11000m", "10s\n"] {
            assert!(parse_duration(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,12}|[0-9./:+smdGove]{0,14}") {
            if let Ok(control) = text.parse::<TimeControl>() {
                prop_assert_eq!(control.to_string().parse(), Ok(control));
            }
        }
    }
}
