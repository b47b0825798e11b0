//! The editions of FIDE's rules by which a file is to be read: from the comment `### editions: C.07 2024, C.04.3
//! 2026`, and the first day of the tournament (`042`).
//!
//! May not: know what an edition says.

use std::fmt;

use jiff::civil::Date;

use super::record::{Header, Record};
use super::tournament::Tournament;

/// The beginning of the comment.
const COMMENT: &str = "### editions:";
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [&str; 7] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
];

/// The source from which an edition was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditionBy {
    /// The flag `--edition`.
    Flag,
    /// Record `192` names it.
    TypeCode,
    /// Record `092` names it.
    Type,
    /// The comment of editions names it.
    Comment,
    /// Record `042`.
    FirstDay(Date),
    /// Record `042` is missing or empty: the edition in force.
    NoDay,
    /// Record `042` has this text, which is not a date: the edition in force.
    OddDay(String),
}

impl fmt::Display for EditionBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("by --edition"),
            Self::TypeCode => f.write_str("by record 192"),
            Self::Type => f.write_str("by record 092"),
            Self::Comment => f.write_str("by the comment `### editions`"),
            Self::FirstDay(day) => write!(f, "by the first day, {day} (record 042)"),
            Self::NoDay => f.write_str("the one in force, because the file has no first day (record 042)"),
            Self::OddDay(text) => write!(f, "the one in force, because `{text}` (record 042) is not a known date"),
        }
    }
}

/// The comment of editions: chapters with their editions, such as `("C.07", "2024")`.
pub fn editions_comment(editions: &[(&str, &str)]) -> Record {
    let named: Vec<String> = editions
        .iter()
        .map(|(chapter, edition)| format!("{chapter} {edition}"))
        .collect();
    Record::Other(format!("{COMMENT} {}", named.join(", ")))
}

impl Tournament {
    /// The edition of a chapter of FIDE's rules: that of the comment, else the first of `until` whose day (the first
    /// on which it is no longer in force) is after the first day of the tournament, else `latest`. `known` reads an
    /// edition's name.
    pub fn edition<E: Copy>(
        &self,
        chapter: &str,
        known: impl Fn(&str) -> Option<E>,
        until: &[(Date, E)],
        latest: E,
    ) -> (E, EditionBy) {
        if let Some(edition) = self.edition_in_comment(chapter).and_then(known) {
            return (edition, EditionBy::Comment);
        }
        let text = self.header(Header::FirstDay).unwrap_or_default().trim();
        match day(text) {
            Some(day) => {
                let in_force = until.iter().find(|(end, _)| day < *end);
                (
                    in_force.map_or(latest, |(_, edition)| *edition),
                    EditionBy::FirstDay(day),
                )
            }
            None if text.is_empty() => (latest, EditionBy::NoDay),
            None => (latest, EditionBy::OddDay(super::columns::shown(text))),
        }
    }

    fn edition_in_comment(&self, chapter: &str) -> Option<&str> {
        let comments = self.records.iter().filter_map(|record| match record {
            Record::Other(line) => line.strip_prefix(COMMENT),
            _ => None,
        });
        let mut named = comments.flat_map(|list| list.split(','));
        named.find_map(|named| {
            let (of, edition) = named.trim().split_once(' ')?;
            (of == chapter).then(|| edition.trim())
        })
    }
}

/// A day as files write it: `2021/12/28`, `28/12/2021`, with dots or dashes for the strokes, blanks around these;
/// `12/28/2021`; `Dec 28, 2021`, `28 December 2021`; `20211228`. A year of two digits comes first, as in the format
/// (`21/12/28`), but last with dots (`28.12.21`). A day of the week before the day, and a time of day or a last day
/// after it, are left out.
fn day(text: &str) -> Option<Date> {
    let text = without_time(text);
    let is_separator = |c: char| matches!(c, '/' | '.' | '-' | ',' | ' ');
    let mut parts: Vec<&str> = text.split(is_separator).filter(|part| !part.is_empty()).collect();
    if parts.first().is_some_and(|first| named(first, &WEEKDAYS).is_some()) {
        parts.remove(0);
    }
    match parts[..] {
        [whole] if whole.len() == 8 && whole.is_ascii() => day_of([&whole[..4], &whole[4..6], &whole[6..]], text),
        [one, two, three] => day_of([one, two, three], text),
        [one, two, three, four, five, six] => {
            day_of([four, five, six], text)?;
            day_of([one, two, three], text)
        }
        _ => None,
    }
}

/// The day given by three parts of a text.
fn day_of([one, two, three]: [&str; 3], text: &str) -> Option<Date> {
    let orders = match (month(one), month(two)) {
        (Some(month), _) => vec![(three, Some(month), number(two))],
        (None, Some(month)) if one.len() == 4 => vec![(one, Some(month), number(three))],
        (None, Some(month)) => vec![(three, Some(month), number(one))],
        (None, None) if one.len() == 4 => vec![(one, number(two), number(three))],
        (None, None) => {
            let year_first = (one, number(two), number(three));
            let day_first = (three, number(two), number(one));
            let month_first = (three, number(one), number(two));
            match three.len() == 4 || text.contains('.') {
                true => vec![day_first, month_first],
                false => vec![year_first, day_first, month_first],
            }
        }
    };
    let mut days = orders
        .into_iter()
        .filter_map(|(of, month, day)| Date::new(year(of)?, month?, day?).ok());
    days.next()
}

/// The text before a time of day: `2021/12/28 10:00`, `2021-12-28T10:00`.
fn without_time(text: &str) -> &str {
    let Some(colon) = text.find(':') else {
        return text;
    };
    let before = text[..colon].trim_end_matches(|c: char| c.is_ascii_digit());
    before.trim_end_matches(['T', 't', ' ', ','])
}

/// A year of four digits, or of two: the nearest to 2020.
fn year(digits: &str) -> Option<i16> {
    let year: i16 = digits
        .parse()
        .ok()
        .filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    match digits.len() {
        4 => Some(year),
        2 if year < 70 => Some(2000 + year),
        2 => Some(1900 + year),
        _ => None,
    }
}

/// The month that a word of three letters or more names.
fn month(word: &str) -> Option<i8> {
    let word = if word.eq_ignore_ascii_case("sept") { "sep" } else { word };
    named(word, &MONTHS)
}

/// The number, from 1, of the name that a word of three letters or more stands for.
fn named(word: &str, names: &[&str]) -> Option<i8> {
    let word = word.to_ascii_lowercase();
    let is_meant = |name: &&str| *name == word || word.len() == 3 && name.starts_with(&word);
    let index = (1..).zip(names.iter().copied()).find(|(_, name)| is_meant(name));
    index.map(|(index, _)| index)
}

fn number(word: &str) -> Option<i8> {
    (word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| word.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trf::{read, write};
    use jiff::civil::date;

    #[test]
    fn days_as_files_write_them() {
        for text in [
            "2021/12/28",
            "28/12/2021",
            "2021.12.28",
            "28. 12. 2021",
            "2021-12-28",
            "28-12-2021",
            "Dec 28, 2021",
            "December 28, 2021",
            "28 Dec 2021",
            "28. december 2021",
            "28-DEC-2021",
            "21/12/28",
            "21-12-28",
            "28.12.21",
            "28 Dec 21",
            "12/28/2021",
            "12-28-2021",
            "2021/12/28 10:00",
            "2021-12-28T10:00:00Z",
            "28.12.2021, 9:30 h",
            "12/28/2021 10:00 AM",
            "20211228",
            "Tue, 28 Dec 2021",
            "Tuesday, December 28, 2021",
            "2021/12/28 - 2021/12/30",
            "28.12.2021-30.12.2021",
            "28 Dec 2021 - 2 Jan 2022",
        ] {
            assert_eq!(day(text), Some(date(2021, 12, 28)), "{text}");
        }
        assert_eq!(day("1/9/2023"), Some(date(2023, 9, 1)));
        assert_eq!(day("25/08/28"), Some(date(2025, 8, 28)));
        assert_eq!(day("08/28/2025"), Some(date(2025, 8, 28)));
        assert_eq!(day("99/08/28"), Some(date(1999, 8, 28)));
        assert_eq!(day("Sept 1, 2023"), Some(date(2023, 9, 1)));
        for text in [
            "",
            "2021",
            "2021/13/28",
            "13/28/2021",
            "121/12/28",
            "28 Dezember 2021",
            "10:00",
            "De 28, 2021",
            "20211328",
            "2021/12/28 - 2021/12/32",
            "Tue",
        ] {
            assert_eq!(day(text), None, "{text}");
        }
    }

    #[test]
    fn the_comment_goes_before_the_first_day() {
        let known = |name: &str| ["old", "new"].into_iter().position(|known| known == name);
        let edition = |text: &str| {
            let tournament = read(text.as_bytes()).expect("a file").tournament;
            let (edition, by) = tournament.edition("C.07", known, &[(date(2023, 9, 1), 0)], 1);
            (edition, by.to_string())
        };
        let first_day = |day: &str| format!("by the first day, {day} (record 042)");
        assert_eq!(edition("042 2023/08/31\n"), (0, first_day("2023-08-31")));
        assert_eq!(edition("042 1.9.2023\n"), (1, first_day("2023-09-01")));
        let in_force = |why: &str| (1, format!("the one in force, because {why}"));
        assert_eq!(edition("012 A\n"), in_force("the file has no first day (record 042)"));
        assert_eq!(
            edition("042 soon\n"),
            in_force("`soon` (record 042) is not a known date")
        );
        let commented = (1, "by the comment `### editions`".to_owned());
        assert_eq!(
            edition("042 2021/01/01\n### editions: C.04.3 old, C.07 new\n"),
            commented
        );
        // An unknown edition says nothing.
        assert_eq!(
            edition("042 2021/01/01\n### editions: C.07 2031\n"),
            (0, first_day("2021-01-01"))
        );
        let comment = editions_comment(&[("C.07", "new"), ("C.04.3", "old")]);
        let text = write(&Tournament { records: vec![comment] }).expect("a line");
        assert_eq!(text, "### editions: C.07 new, C.04.3 old\n");
        assert_eq!(edition(&text), commented);
    }
}
