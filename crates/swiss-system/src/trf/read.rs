//! Reading a tournament file: bytes to lines, lines to records.
//!
//! May not: know the columns of any record except those of plain text.

use std::collections::HashMap;

use super::agree;
use super::columns::{InputLine, is_control, shown};
use super::error::{TrfError, TrfLineError, Warning, Warnings};
use super::record::{Forbidden, Header, Record, Spelling, TieBreakList, TieBreaks};
use super::team;
use super::tournament::Tournament;
use super::{event, player, tie_breaks};

/// Bytes of the longest file that is read: several times what 9999 players need for 50 rounds.
const MOST_BYTES: usize = 32 << 20;
/// Lines of the longest file that is read.
const MOST_LINES: usize = 200_000;

/// The result of reading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The tournament.
    pub tournament: Tournament,
    /// The line of each record, from 1, in the order of the records.
    pub lines: Vec<usize>,
    /// The places where the file differs from the format, by line; at most some hundreds, then a count.
    pub warnings: Vec<Warning>,
}

impl Reading {
    /// [`Tournament::tie_breaks`], with the number of their line, from 1.
    pub fn tie_breaks(&self) -> Option<(usize, &TieBreaks)> {
        let (index, tie_breaks) = tie_breaks::find(&self.tournament.records)?;
        Some((*self.lines.get(index)?, tie_breaks))
    }
}

/// Reads a tournament file.
///
/// Accepted with a warning: bytes that are not UTF-8 (they are taken as Latin-1), a byte order mark, bare carriage
/// returns, blank lines, tabs in plain text, text in columns that should be blank between a player's personal data,
/// ratings and ranks that are not numbers, points written `1`, `1,0` or `.5`, small letters for capitals, games of
/// which one line lacks the colour or the result, forfeits that are in one line alone, results that do not add up,
/// `Z` against a named opponent (a pairing that was not played), `299` in the columns of FIDE's sample, `362` in
/// other columns, tie-breaks with anything but one comma between them, lists of tie-breaks that differ. Accepted
/// without one, because the format allows it: `\r\n` and `\n`, lines in any order, missing fields, lines that end
/// early, four blanks for `0000`, leading zeros.
///
/// # Errors
/// [`TrfError`] if a line cannot be understood safely, or two lines contradict each other about a game.
pub fn read(bytes: &[u8]) -> Result<Reading, TrfError> {
    let mut warnings = Warnings::default();
    let text = decode(bytes, &mut warnings)?;
    let mut records = Vec::new();
    let mut lines = Vec::new();
    let mut seen = UniqueRecords::default();
    let mut blank_lines = 0_usize;
    for (index, text) in split(&text, &mut warnings).enumerate() {
        let number = index + 1;
        if number > MOST_LINES {
            return at(number, 1, TrfLineError::TooManyLines(MOST_LINES));
        }
        if let Some((column, character)) = text.chars().enumerate().find(|(_, c)| is_control(*c)) {
            return at(number, column + 1, TrfLineError::ControlCharacter(character));
        }
        if text.trim_matches([' ', '\t']).is_empty() {
            if blank_lines == 0 {
                warnings.add(number, "blank lines left out");
            }
            blank_lines += 1;
            continue;
        }
        let line = InputLine::new(number, text);
        if let Some(record) = read_line(&line, &mut warnings)? {
            seen.check(&record, &line)?;
            records.push(record);
            lines.push(number);
        }
    }
    agree::settle(&mut records, &lines, &mut warnings)?;
    tie_breaks::compare(&records, &lines, &mut warnings);
    Ok(Reading {
        tournament: Tournament { records },
        lines,
        warnings: warnings.into_vec(),
    })
}

fn at<T>(line: usize, column: usize, fault: TrfLineError) -> Result<T, TrfError> {
    Err(TrfError { line, column, fault })
}

/// The text of the file, without a byte order mark.
fn decode(bytes: &[u8], warnings: &mut Warnings) -> Result<String, TrfError> {
    if bytes.len() > MOST_BYTES {
        return at(1, 1, TrfLineError::TooLarge(MOST_BYTES));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return at(1, 1, TrfLineError::Utf16);
    }
    let bytes = match bytes.strip_prefix(&[0xef, 0xbb, 0xbf]) {
        Some(rest) => {
            warnings.add(1, "byte order mark left out");
            rest
        }
        None => bytes,
    };
    match str::from_utf8(bytes) {
        Ok(text) => Ok(text.to_owned()),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
            warnings.add(line, "the file is not UTF-8; taken as Latin-1");
            Ok(bytes.iter().map(|&byte| char::from(byte)).collect())
        }
    }
}

/// Lines without their ends, which may be `\n`, `\r\n` or `\r`; no line follows the last end.
fn split<'a>(text: &'a str, warnings: &mut Warnings) -> impl Iterator<Item = &'a str> + use<'a> {
    let bytes = text.as_bytes();
    let bare = |(index, &byte): (usize, &u8)| byte == b'\r' && bytes.get(index + 1) != Some(&b'\n');
    if bytes.iter().enumerate().any(bare) {
        warnings.add(1, "lines that end with a bare carriage return");
    }
    let mut rest = text.strip_suffix('\u{1a}').unwrap_or(text);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (line, after) = match rest.find(['\n', '\r']) {
            Some(end) if rest[end..].starts_with("\r\n") => (&rest[..end], &rest[end + 2..]),
            Some(end) => (&rest[..end], &rest[end + 1..]),
            None => (rest, ""),
        };
        rest = after;
        Some(line)
    })
}

/// Values that may be in a file once, each with the line where it was.
#[derive(Default)]
struct UniqueRecords {
    players: HashMap<u32, usize>,
    teams: HashMap<u32, usize>,
    rounds: Option<(u32, usize)>,
    initial_color: Option<(super::Color, usize)>,
}

impl UniqueRecords {
    fn check(&mut self, record: &Record, line: &InputLine<'_>) -> Result<(), TrfError> {
        let numbered = match record {
            Record::Player(player) => Some((player.number, &mut self.players)),
            Record::Team(team) => Some((team.number, &mut self.teams)),
            _ => None,
        };
        if let Some((number, lines)) = numbered
            && let Some(first) = lines.insert(number, line.number)
        {
            return line.fault(5, TrfLineError::NumberTwice { number, first });
        }
        match *record {
            Record::Rounds { rounds, .. } => same(&mut self.rounds, rounds, "the number of rounds", line),
            Record::InitialColor(color)
            | Record::Configuration {
                initial_color: Some(color),
                ..
            } => same(&mut self.initial_color, color, "the initial colour", line),
            _ => Ok(()),
        }
    }
}

/// Checks that a value is the one that was given before.
fn same<T: Copy + PartialEq>(
    known: &mut Option<(T, usize)>,
    value: T,
    field: &'static str,
    line: &InputLine<'_>,
) -> Result<(), TrfError> {
    let (first_value, first) = *known.get_or_insert((value, line.number));
    if first_value == value {
        return Ok(());
    }
    line.fault(5, TrfLineError::GivenTwice { field, first })
}

/// Codes in letters.
const EXTENSIONS: [&str; 12] = [
    "XXR", "XXC", "XXS", "XXZ", "XXA", "XXP", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU",
];

/// The record of a line; `None` if it says nothing.
fn read_line(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Option<Record>, TrfError> {
    let code: String = line.text.chars().take(3).collect();
    if let Some(header) = Header::ALL.into_iter().find(|header| header.code() == code) {
        return Ok(Some(read_header(line, header, warnings)));
    }
    let record = match code.as_str() {
        "001" => Record::Player(Box::new(player::read(line, warnings)?)),
        "142" => event::read_rounds(line, Spelling::Fide)?,
        "XXR" => event::read_rounds(line, Spelling::Extended)?,
        "152" => return event::read_initial_color(line, warnings),
        "XXC" => event::read_configuration(line, warnings),
        "202" => return Ok(tie_breaks::read(line, TieBreakList::AfterPoints, warnings)),
        "212" => return Ok(tie_breaks::read(line, TieBreakList::Standings, warnings)),
        "162" => Record::PointValues(event::read_symbols(
            line,
            &event::SYMBOLS,
            "W, D, L, A, P, X",
            warnings,
        )?),
        "XXS" => event::read_xxs(line)?,
        "BBW" | "BBD" | "BBL" | "BBZ" | "BBF" | "BBU" => event::read_bb(line)?,
        "240" => Record::Byes(event::read_byes(line, warnings)?),
        "XXZ" => Record::AbsentNext(event::read_numbers(line, 1, warnings)?),
        "250" => Record::Acceleration(event::read_acceleration(line, warnings)?),
        "XXA" => event::read_player_acceleration(line, warnings)?,
        "260" => Record::Forbidden(event::read_forbidden(line, warnings)?),
        "XXP" => Record::Forbidden(Forbidden {
            rounds: None,
            numbers: event::read_numbers(line, 2, warnings)?,
        }),
        "299" => Record::AbnormalPoints(event::read_abnormal(line, warnings)?),
        "310" => Record::Team(Box::new(team::read(line, warnings)?)),
        "013" => Record::OldTeam(team::read_old(line, warnings)?),
        "320" => Record::TeamByes(team::read_byes(line, warnings)?),
        "330" => Record::TeamForfeit(team::read_forfeit(line)?),
        "300" => Record::Lineup(team::read_lineup(line)?),
        "352" => Record::BoardColors(team::read_board_colors(line)?),
        "362" => Record::MatchValues(event::read_symbols_leniently(
            line,
            &team::SYMBOLS,
            "TW, TD, TL",
            warnings,
        )?),
        _ => {
            let capitals = code.to_ascii_uppercase();
            if capitals != code && EXTENSIONS.contains(&capitals.as_str()) {
                warnings.add(line.number, format!("`{code}` taken as {capitals}"));
                let text = line.text.replacen(&code, &capitals, 1);
                return read_line(&InputLine::new(line.number, &text), warnings);
            }
            if !is_informative(&code) {
                let text = format!("`{}` is not a known record; kept as it is", shown(&code));
                warnings.add(line.number, text);
            }
            Record::Other(line.text.to_owned())
        }
    };
    Ok(Some(record))
}

/// True for records that are kept without being read: comments, informative records of teams, national ratings, data
/// about players.
fn is_informative(code: &str) -> bool {
    let federation = code.len() == 3 && code.bytes().all(|b| b.is_ascii_uppercase());
    let extension = code.starts_with("XX") || code.starts_with("BB");
    matches!(code, "###" | "801" | "802") || federation && !extension
}

fn read_header(line: &InputLine<'_>, header: Header, warnings: &mut Warnings) -> Record {
    let from = match line.at(4) {
        ' ' => 5,
        '\t' => {
            warnings.add(line.number, "a tab after the code taken as a blank");
            5
        }
        _ => {
            warnings.add(line.number, "no blank after the code");
            4
        }
    };
    let mut text = line.rest(from);
    if text.contains('\t') {
        warnings.add(line.number, "tabs taken as blanks");
        text = text.replace('\t', " ");
        text.truncate(text.trim_end_matches(' ').len());
    }
    Record::Header { header, text }
}
