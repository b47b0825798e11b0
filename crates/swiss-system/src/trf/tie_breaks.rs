//! The records of tie-breaks, `202` and `212`: codes in order.
//!
//! TRF26 (FIDE Handbook, in force since 1 September 2025), tournament section: `202` is the list of tie-breaks that
//! break ties, codes of the mandatory tie-breaks with commas between them; `212` is the list that defines the
//! standings, in the same form and with the code `PTS` for points. `222` is a time control.
//!
//! May not: know what a code means, except `PTS`.

use super::columns::{InputLine, shown};
use super::error::{TrfRecordError, Warnings};
use super::record::{Record, TieBreakList, TieBreaks};

/// Characters of the longest code.
const LONGEST_CODE: usize = 40;
/// Codes of the longest list.
const MOST_CODES: usize = 100;
/// The code of points.
const POINTS: &str = "PTS";

/// Columns 1 to 3.
pub(super) const fn record_code(list: TieBreakList) -> &'static str {
    match list {
        TieBreakList::AfterPoints => "202",
        TieBreakList::Standings => "212",
    }
}

const fn is_separator(character: char) -> bool {
    matches!(character, ',' | ';' | ' ' | '\t')
}

fn is_code(word: &str) -> bool {
    let fits = (1..=LONGEST_CODE).contains(&word.len());
    fits && word.chars().all(|c| c.is_ascii_graphic() && !is_separator(c))
}

/// A list of codes; `None` if the field is empty, and the line unchanged if it is not such a list.
pub(super) fn read(line: &InputLine<'_>, list: TieBreakList, warnings: &mut Warnings) -> Option<Record> {
    let text = line.rest(4);
    let words: Vec<&str> = text
        .split(is_separator)
        .filter(|word| !word.is_empty())
        .take(MOST_CODES + 1)
        .collect();
    if words.is_empty() {
        warnings.add(line.number, "no tie-breaks");
        return None;
    }
    let odd = match words.iter().find(|word| !is_code(word)) {
        Some(word) => Some(format!("`{}` is not the code of a tie-break", shown(word))),
        None if words.len() > MOST_CODES => Some(format!("more than {MOST_CODES} tie-breaks")),
        None => None,
    };
    if let Some(odd) = odd {
        warnings.add(line.number, format!("{odd}; the line is kept but has no effect"));
        return Some(Record::Other(line.text.to_owned()));
    }
    let codes = text.strip_prefix(' ').map(|list| list.split(','));
    let usual = codes.is_some_and(|codes| codes.map(|code| code.trim_matches(' ')).eq(words.iter().copied()));
    if !usual {
        let codes = shown(&words.join(","));
        warnings.add(line.number, format!("the tie-breaks taken as `{codes}`"));
    }
    let codes = words.into_iter().map(str::to_owned).collect();
    Some(Record::TieBreaks(TieBreaks { list, codes }))
}

pub(super) fn write(tie_breaks: &TieBreaks) -> Result<String, TrfRecordError> {
    match tie_breaks.codes.iter().find(|code| !is_code(code)) {
        Some(code) => Err(TrfRecordError::NotACode { text: code.clone() }),
        None => Ok(format!(
            "{} {}",
            record_code(tie_breaks.list),
            tie_breaks.codes.join(",")
        )),
    }
}

/// The record that counts, with its index among all: the first `212`, which says everything; without it the first
/// `202`.
pub(super) fn find(records: &[Record]) -> Option<(usize, &TieBreaks)> {
    first(records, TieBreakList::Standings).or_else(|| first(records, TieBreakList::AfterPoints))
}

fn first(records: &[Record], list: TieBreakList) -> Option<(usize, &TieBreaks)> {
    records.iter().enumerate().find_map(|(index, record)| match record {
        Record::TieBreaks(tie_breaks) if tie_breaks.list == list => Some((index, tie_breaks)),
        _ => None,
    })
}

/// Warns of lists that do not count and say something else.
pub(super) fn compare(records: &[Record], lines: &[usize], warnings: &mut Warnings) {
    let after_points = first(records, TieBreakList::AfterPoints);
    let standings = first(records, TieBreakList::Standings);
    for (record, &line) in records.iter().zip(lines) {
        if let Record::TieBreaks(later) = record
            && let Some((index, counted)) = match later.list {
                TieBreakList::AfterPoints => after_points,
                TieBreakList::Standings => standings,
            }
            && !same(&counted.codes, &later.codes)
        {
            let text = format!("different tie-breaks from those in line {}, which count", lines[index]);
            warnings.add(line, text);
        }
    }
    if let Some(((after, after_points), (whole, standings))) = after_points.zip(standings) {
        let rest = match standings.codes.split_first() {
            Some((points, rest)) if points.eq_ignore_ascii_case(POINTS) => Some(rest),
            _ => None,
        };
        if !rest.is_some_and(|rest| same(rest, &after_points.codes)) {
            let text = format!(
                "the tie-breaks of 202 are not those that follow {POINTS} in 212, line {}, which count",
                lines[whole]
            );
            warnings.add(lines[after], text);
        }
    }
}

/// Compares codes without regard to case.
fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| a.eq_ignore_ascii_case(b))
}
