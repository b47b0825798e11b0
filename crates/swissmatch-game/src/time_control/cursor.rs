//! Reads numbers and times character by character, and knows the position of each.
//!
//! May not: know time controls.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::write::{NANOS_PER_MS, NANOS_PER_S};

/// The longest time that anything may be given: 7 days.
const LONGEST: Duration = Duration::from_hours(7 * 24);
/// The most decimals in a written time.
const DECIMALS: usize = 6;
/// The most digits before the decimal point in a written time.
const WHOLE_DIGITS: usize = 9;

/// Why a text is not a time control or duration, and at which character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}`: {problem} (character {at})")]
pub struct TimeTextError {
    /// The text as given, with control characters escaped.
    pub text: String,
    /// The number of the wrong character, from 1; one more than the text has if it ends too early.
    pub at: usize,
    /// What was expected there.
    pub problem: String,
}

/// Reads a duration with its unit: `10s`, `50ms`, `1.5s`, `2m`, `0ms`; at most six decimals and 7 days.
///
/// # Errors
/// When the text has any other form.
pub fn parse_duration(text: &str) -> Result<Duration, TimeTextError> {
    let mut rest = Cursor::new(text);
    let number = rest.number("a duration such as 10s or 50ms")?;
    let nanos = rest.with_unit(&number)?;
    rest.end()?;
    rest.at_most_longest(nanos, number.start)
}

/// A written decimal number: exact, in millionths.
#[derive(Clone, Copy)]
pub(super) struct Number {
    millionths: u128,
    pub(super) is_whole: bool,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Number {
    /// This many units of `nanos` nanoseconds each, in nanoseconds. Exact: every unit is a multiple of 10⁶ ns.
    pub(super) const fn times(&self, nanos: u128) -> u128 {
        self.millionths * (nanos / 1_000_000)
    }
}

/// Reads a text and keeps its place in it; upper case reads as lower case.
pub(super) struct Cursor<'a> {
    text: &'a str,
    chars: Vec<char>,
    pub(super) at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            chars: text.chars().map(|c| c.to_ascii_lowercase()).collect(),
            at: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// The character `ahead` places after the next one.
    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    pub(super) fn skip(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        self.at += usize::from(found);
        found
    }

    /// Skips the whole word, or nothing.
    pub(super) fn skip_word(&mut self, word: &str) -> bool {
        let found = word
            .chars()
            .enumerate()
            .all(|(ahead, wanted)| self.peek_at(ahead) == Some(wanted));
        self.at += if found { word.chars().count() } else { 0 };
        found
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.skip(' ') {}
    }

    /// How many digits come next.
    fn count_digits(&self) -> usize {
        self.chars[self.at..].iter().take_while(|c| c.is_ascii_digit()).count()
    }

    fn digits(&mut self) -> String {
        let end = self.at + self.count_digits();
        let digits = self.chars[self.at..end].iter().collect();
        self.at = end;
        digits
    }

    pub(super) fn number(&mut self, expected: &str) -> Result<Number, TimeTextError> {
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

    /// A whole number within the range; errors call it `what`.
    pub(super) fn whole(&mut self, range: RangeInclusive<u64>, what: &str) -> Result<u64, TimeTextError> {
        let start = self.at;
        let number = self.digits().parse().ok();
        number.filter(|number| range.contains(number)).ok_or_else(|| {
            let expected = format!("{what} from {} to {}", range.start(), range.end());
            self.expected_at(start, &expected)
        })
    }

    /// `number` with the unit after it, in nanoseconds.
    pub(super) fn with_unit(&mut self, number: &Number) -> Result<u128, TimeTextError> {
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

    /// True if a `:` and the seconds of a minute come next: two digits, not followed by another digit or a `/`.
    pub(super) fn is_at_seconds_of_a_minute(&self) -> bool {
        let tens = |c: char| ('0'..='5').contains(&c);
        let is_digit = |c: char| c.is_ascii_digit();
        self.peek() == Some(':')
            && self.peek_at(1).is_some_and(tens)
            && self.peek_at(2).is_some_and(is_digit)
            && !self.peek_at(3).is_some_and(|c| is_digit(c) || c == '/')
    }

    /// The seconds after `first`, the minutes, and a `:` that has been read.
    pub(super) fn seconds_of_a_minute(&mut self, first: &Number) -> Result<Number, TimeTextError> {
        if !first.is_whole {
            return Err(self.expected_at(first.start, "whole minutes before `:`"));
        }
        let start = self.at;
        if self.count_digits() != 2 || self.chars[start] > '5' {
            return Err(self.expected_at(start, "seconds from 00 to 59 after `:`"));
        }
        self.number("seconds")
    }

    pub(super) fn end(&self) -> Result<(), TimeTextError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.expected_at(self.at, "nothing more")),
        }
    }

    /// A time that serves as a limit: neither zero nor absurd.
    pub(super) fn limit(&self, nanos: u128, start: usize) -> Result<Duration, TimeTextError> {
        if nanos == 0 {
            return Err(self.expected_at(start, "a time above zero"));
        }
        self.at_most_longest(nanos, start)
    }

    pub(super) fn at_most_longest(&self, nanos: u128, start: usize) -> Result<Duration, TimeTextError> {
        match u64::try_from(nanos).map(Duration::from_nanos) {
            Ok(duration) if duration <= LONGEST => Ok(duration),
            _ => Err(self.problem_at(start, "more than 7 days".to_owned())),
        }
    }

    pub(super) fn expected_at(&self, index: usize, expected: &str) -> TimeTextError {
        self.problem_at(index, format!("expected {expected}"))
    }

    pub(super) fn problem_at(&self, index: usize, problem: String) -> TimeTextError {
        TimeTextError {
            text: self.text.escape_debug().to_string(),
            at: index + 1,
            problem,
        }
    }
}
