//! The records about the event: rounds, colours, points, byes, acceleration, forbidden pairs.
//!
//! May not: know players' lines or teams.

use super::columns::{ColumnField, InputLine, OutputLine, checked, number, one_decimal, points, shown};
use super::error::{TrfError, TrfLineError, TrfRecordError, Warnings};
use super::record::{
    AbnormalPoints, Acceleration, BbCode, ByeKind, Byes, Color, Forbidden, LARGEST_NUMBER, LARGEST_ROUND, PointsSymbol,
    Record, ResultCode, Span, Spelling, XxsCode,
};
use crate::score::Points;

/// Letters of `162`; after the six of the format come those by which `001` has the same results, which are read but
/// never written.
pub(super) const SYMBOLS: [(&str, PointsSymbol); 8] = [
    ("W", PointsSymbol::Win),
    ("D", PointsSymbol::Draw),
    ("L", PointsSymbol::Loss),
    ("A", PointsSymbol::Absence),
    ("P", PointsSymbol::PairingAllocatedBye),
    ("X", PointsSymbol::Unknown),
    ("Z", PointsSymbol::Absence),
    ("U", PointsSymbol::PairingAllocatedBye),
];
const XXS_CODES: [(&str, XxsCode); 14] = [
    ("WW", XxsCode::WinWithWhite),
    ("BW", XxsCode::WinWithBlack),
    ("WD", XxsCode::DrawWithWhite),
    ("BD", XxsCode::DrawWithBlack),
    ("WL", XxsCode::LossWithWhite),
    ("BL", XxsCode::LossWithBlack),
    ("ZPB", XxsCode::ZeroPointBye),
    ("HPB", XxsCode::HalfPointBye),
    ("FPB", XxsCode::FullPointBye),
    ("PAB", XxsCode::PairingAllocatedBye),
    ("FW", XxsCode::ForfeitWin),
    ("FL", XxsCode::ForfeitLoss),
    ("W", XxsCode::Win),
    ("D", XxsCode::Draw),
];
const BB_CODES: [(&str, BbCode); 6] = [
    ("BBW", BbCode::Win),
    ("BBD", BbCode::Draw),
    ("BBL", BbCode::Loss),
    ("BBZ", BbCode::ZeroPointBye),
    ("BBF", BbCode::ForfeitLoss),
    ("BBU", BbCode::PairingAllocatedBye),
];
const BYE_LETTERS: [(&str, ByeKind); 3] = [("F", ByeKind::Full), ("H", ByeKind::Half), ("Z", ByeKind::Zero)];
const ABNORMAL_RESULTS: [(&str, ResultCode); 8] = [
    ("W", ResultCode::Win),
    ("D", ResultCode::Draw),
    ("L", ResultCode::Loss),
    ("F", ResultCode::FullPointBye),
    ("H", ResultCode::HalfPointBye),
    ("Z", ResultCode::ZeroPointBye),
    ("+", ResultCode::ForfeitWin),
    ("-", ResultCode::ForfeitLoss),
];

const BB_POINTS: ColumnField = ColumnField::new(5, 8, "the points");
const SYMBOL: ColumnField = ColumnField::new(5, 6, "the letter of the result");
const SYMBOL_POINTS: ColumnField = ColumnField::new(7, 10, "the points of the result");
const SYMBOL_STEP: usize = 9;
const LIST_STEP: usize = 5;
const BYE_KIND: ColumnField = ColumnField::new(5, 5, "the letter of the bye");
const BYE_ROUND: ColumnField = ColumnField::new(7, 9, "the round");
const BYE_NUMBERS: ColumnField = ColumnField::new(11, 14, "the player");
const ACCELERATION: [ColumnField; 6] = [
    ColumnField::new(5, 8, "the virtual match points"),
    ColumnField::new(10, 13, "the virtual points"),
    ColumnField::new(15, 17, "the first round"),
    ColumnField::new(19, 21, "the last round"),
    ColumnField::new(23, 26, "the first player"),
    ColumnField::new(28, 31, "the last player"),
];
const ACCELERATED: ColumnField = ColumnField::new(5, 8, "the player");
const ACCELERATED_POINTS: ColumnField = ColumnField::new(10, 13, "the virtual points");
const FORBIDDEN_FIRST: ColumnField = ColumnField::new(5, 7, "the first round");
const FORBIDDEN_LAST: ColumnField = ColumnField::new(9, 11, "the last round");
const FORBIDDEN_NUMBERS: ColumnField = ColumnField::new(13, 16, "the player");
const ABNORMAL_RESULT: ColumnField = ColumnField::new(5, 5, "the letter of the result");
/// Match points, points, round, the first of those named.
const ABNORMAL: [ColumnField; 4] = [
    ColumnField::new(7, 11, "the match points"),
    ColumnField::new(13, 17, "the points"),
    ColumnField::new(20, 22, "the round"),
    ColumnField::new(24, 27, "the player"),
];
/// The same fields in FIDE's sample of 2024, and in the programs that follow it.
const ABNORMAL_NARROW: [ColumnField; 4] = [
    ColumnField::new(7, 10, "the match points"),
    ColumnField::new(12, 15, "the points"),
    ColumnField::new(17, 19, "the round"),
    ColumnField::new(21, 24, "the player"),
];

/// The value of a word.
fn find<T: Copy>(table: &[(&'static str, T)], word: &str) -> Option<T> {
    let same = table.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    same.map(|(_, value)| *value)
}

/// The word for a value.
fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table
        .iter()
        .find(|(_, known)| known == value)
        .map_or("", |(word, _)| word)
}

/// The words of a line after its code, with their columns.
fn words<'a>(line: &InputLine<'a>) -> impl Iterator<Item = (usize, &'a str)> {
    let text = line.text;
    let separator = |c: char| c == ' ' || c == '\t' || c == ',';
    let rest = text.char_indices().nth(3).map_or("", |(start, _)| &text[start..]);
    let mut column = 4;
    rest.split(separator).filter_map(move |word| {
        let at = column;
        column += word.chars().count() + 1;
        (!word.is_empty()).then_some((at, word))
    })
}

pub(super) fn read_rounds(line: &InputLine<'_>, spelling: Spelling) -> Result<Record, TrfError> {
    let Some((column, word)) = words(line).next() else {
        return line.fault(5, TrfLineError::Missing("the number of rounds"));
    };
    let rounds = number(word, "the number of rounds", 1, LARGEST_ROUND);
    let rounds = rounds.or_else(|fault| line.fault(column, fault))?;
    if let Some((column, word)) = words(line).nth(1) {
        let (word, known) = (shown(word), "one number");
        return line.fault(column, TrfLineError::UnknownWord { word, known });
    }
    Ok(Record::Rounds { spelling, rounds })
}

pub(super) fn write_rounds(spelling: Spelling, rounds: u32) -> Result<String, TrfRecordError> {
    let rounds = checked("the number of rounds", rounds, 1, LARGEST_ROUND)?;
    let code = match spelling {
        Spelling::Fide => "142",
        Spelling::Extended => "XXR",
    };
    Ok(format!("{code} {rounds}"))
}

/// `152`; `None` if it is empty.
pub(super) fn read_initial_color(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Option<Record>, TrfError> {
    let Some((column, word)) = words(line).next() else {
        warnings.add(line.number, "no initial colour");
        return Ok(None);
    };
    let color = match word.to_ascii_lowercase().as_str() {
        "w" | "white" | "white1" => Color::White,
        "b" | "black" | "black1" => Color::Black,
        _ => {
            let (word, known) = (shown(word), "W, B");
            return line.fault(column, TrfLineError::UnknownWord { word, known });
        }
    };
    if word != color_letter(color) {
        let text = format!("initial colour `{word}` taken as {}", color_letter(color));
        warnings.add(line.number, text);
    }
    Ok(Some(Record::InitialColor(color)))
}

const fn color_letter(color: Color) -> &'static str {
    match color {
        Color::White => "W",
        Color::Black => "B",
    }
}

pub(super) fn write_initial_color(color: Color) -> String {
    format!("152 {}", color_letter(color))
}

/// `XXC`; unknown words are left out.
pub(super) fn read_configuration(line: &InputLine<'_>, warnings: &mut Warnings) -> Record {
    let (mut by_position, mut initial_color) = (false, None);
    for (_, word) in words(line) {
        match word.to_ascii_lowercase().as_str() {
            "rank" => by_position = true,
            "white1" => initial_color = Some(Color::White),
            "black1" => initial_color = Some(Color::Black),
            _ => warnings.add(line.number, format!("`{}` is not known in XXC; left out", shown(word))),
        }
    }
    Record::Configuration {
        by_position,
        initial_color,
    }
}

pub(super) fn write_configuration(by_position: bool, initial_color: Option<Color>) -> String {
    let mut text = "XXC".to_owned();
    if by_position {
        text += " rank";
    }
    match initial_color {
        Some(Color::White) => text + " white1",
        Some(Color::Black) => text + " black1",
        None => text,
    }
}

/// Letters and points as in `362`: in columns, else in turn, with a warning.
pub(super) fn read_symbols_leniently<T: Copy + PartialEq>(
    line: &InputLine<'_>,
    table: &[(&'static str, T)],
    known: &'static str,
    warnings: &mut Warnings,
) -> Result<Vec<(T, Points)>, TrfError> {
    let mut said = Warnings::default();
    let values = read_symbols(line, table, known, &mut said).or_else(|error| {
        said = Warnings::default();
        let values = read_symbols_in_turn(line, table).ok_or(error)?;
        let named = values
            .iter()
            .map(|(symbol, points)| format!("{} {points}", word(table, symbol)));
        let named = named.collect::<Vec<_>>().join(", ");
        said.add(
            line.number,
            format!("letters and points in other columns taken as {named}"),
        );
        Ok(values)
    })?;
    warnings.append(said);
    Ok(values)
}

/// Letters and points in columns, as in `162` and `362`.
pub(super) fn read_symbols<T: Copy + PartialEq>(
    line: &InputLine<'_>,
    table: &[(&'static str, T)],
    known: &'static str,
    warnings: &mut Warnings,
) -> Result<Vec<(T, Points)>, TrfError> {
    line.no_tabs()?;
    line.blank(4, 4)?;
    let mut values = Vec::new();
    for index in 0.. {
        let (symbol, value) = (SYMBOL.nth(index, SYMBOL_STEP), SYMBOL_POINTS.nth(index, SYMBOL_STEP));
        if symbol.from > line.end() {
            break;
        }
        line.blank(value.to + 1, value.to + 3)?;
        let word = line.text(symbol);
        let Some(found) = find(table, &word) else {
            return line.fault(symbol.from, TrfLineError::UnknownWord { word, known });
        };
        let usual = self::word(table, &found);
        if !usual.eq_ignore_ascii_case(&word) {
            warnings.add(line.number, format!("`{word}` taken as {usual}"));
        }
        match line.points(value, warnings)? {
            Some(points) => values.push((found, points)),
            None => return line.fault(value.from, TrfLineError::Missing(value.name)),
        }
    }
    Ok(values)
}

/// Letters and points in turn, with blanks between them.
fn read_symbols_in_turn<T: Copy>(line: &InputLine<'_>, table: &[(&'static str, T)]) -> Option<Vec<(T, Points)>> {
    let words: Vec<&str> = words(line).map(|(_, word)| word).collect();
    let pairs = words.chunks(2).map(|pair| match pair {
        [symbol, value] => Some((find(table, symbol)?, points(value, "the points").ok()?.0)),
        _ => None,
    });
    pairs.collect()
}

pub(super) fn write_symbols<T: PartialEq>(
    code: &str,
    table: &[(&'static str, T)],
    values: &[(T, Points)],
) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new(code);
    for (index, (symbol, points)) in values.iter().enumerate() {
        row.right(SYMBOL.nth(index, SYMBOL_STEP), word(table, symbol))?;
        row.points(SYMBOL_POINTS.nth(index, SYMBOL_STEP), Some(*points))?;
    }
    Ok(row.finish())
}

/// `XXS CODE=VALUE …`
pub(super) fn read_xxs(line: &InputLine<'_>) -> Result<Record, TrfError> {
    const KNOWN: &str = "WW=1.0 BW= WD= BD= WL= BL= ZPB= HPB= FPB= PAB= FW= FL= W= D=";
    let mut values = Vec::new();
    for (column, word) in words(line) {
        let known = word
            .split_once('=')
            .and_then(|(code, value)| Some((find(&XXS_CODES, code)?, value)));
        let Some((code, value)) = known else {
            let (word, known) = (shown(word), KNOWN);
            return line.fault(column, TrfLineError::UnknownWord { word, known });
        };
        match points(value, "the points") {
            Ok((points, _)) => values.push((code, points)),
            Err(fault) => return line.fault(column, fault),
        }
    }
    Ok(Record::XxsValues(values))
}

pub(super) fn write_xxs(values: &[(XxsCode, Points)]) -> Result<String, TrfRecordError> {
    let mut text = "XXS".to_owned();
    for (code, points) in values {
        text += &format!(" {}={}", word(&XXS_CODES, code), one_decimal("the points", *points)?);
    }
    Ok(text)
}

/// `BBW` and others.
pub(super) fn read_bb(line: &InputLine<'_>) -> Result<Record, TrfError> {
    let code = line.text(ColumnField::new(1, 3, "the code"));
    let Some(code) = find(&BB_CODES, &code) else {
        let known = "BBW, BBD, BBL, BBZ, BBF, BBU";
        return line.fault(1, TrfLineError::UnknownWord { word: code, known });
    };
    let Some((column, word)) = words(line).next() else {
        return line.fault(BB_POINTS.from, TrfLineError::Missing(BB_POINTS.name));
    };
    match points(word, BB_POINTS.name) {
        Ok((points, _)) => Ok(Record::BbValue(code, points)),
        Err(fault) => line.fault(column, fault),
    }
}

pub(super) fn write_bb(code: BbCode, points: Points) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new(word(&BB_CODES, &code));
    row.points(BB_POINTS, Some(points))?;
    Ok(row.finish())
}

pub(super) fn read_byes(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Byes, TrfError> {
    line.no_tabs()?;
    for column in [4, 6, 10] {
        line.blank(column, column)?;
    }
    let letter = line.text(BYE_KIND);
    let Some(kind) = find(&BYE_LETTERS, &letter) else {
        let (word, known) = (letter, "F, H, Z");
        return line.fault(BYE_KIND.from, TrfLineError::UnknownWord { word, known });
    };
    Ok(Byes {
        kind,
        round: line.required(BYE_ROUND, 1, LARGEST_ROUND)?,
        numbers: line.named(BYE_NUMBERS, LIST_STEP, LARGEST_NUMBER, warnings)?,
    })
}

pub(super) fn write_byes(byes: &Byes) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("240");
    row.left(BYE_KIND, word(&BYE_LETTERS, &byes.kind))?;
    row.number(BYE_ROUND, Some(byes.round), 1, LARGEST_ROUND)?;
    row.list(BYE_NUMBERS, LIST_STEP, LARGEST_NUMBER, &byes.numbers)?;
    Ok(row.finish())
}

/// The pairing numbers of `XXZ` and `XXP`, which are separated by blanks, not set in columns.
pub(super) fn read_numbers(line: &InputLine<'_>, least: usize, warnings: &mut Warnings) -> Result<Vec<u32>, TrfError> {
    let mut numbers = Vec::new();
    for (column, word) in words(line) {
        let read = number(word, "a pairing number", 1, LARGEST_NUMBER);
        numbers.push(read.or_else(|fault| line.fault(column, fault))?);
    }
    if line.text.contains(',') {
        warnings.add(line.number, "commas taken as blanks");
    }
    if numbers.len() < least {
        warnings.add(line.number, "the record names too few players to mean anything");
    }
    Ok(numbers)
}

pub(super) fn write_numbers(code: &str, numbers: &[u32]) -> Result<String, TrfRecordError> {
    let mut text = code.to_owned();
    for &number in numbers {
        text += &format!(" {}", checked("a pairing number", number, 1, LARGEST_NUMBER)?);
    }
    Ok(text)
}

fn read_span(
    line: &InputLine<'_>,
    first: ColumnField,
    last: ColumnField,
    highest: u32,
    of: &'static str,
) -> Result<Span, TrfError> {
    let span = Span {
        first: line.required(first, 1, highest)?,
        last: line.required(last, 1, highest)?,
    };
    if span.first > span.last {
        let Span { first, last: end } = span;
        let fault = TrfLineError::BackwardRange {
            field: of,
            first,
            last: end,
        };
        return line.fault(last.from, fault);
    }
    Ok(span)
}

fn write_span(
    row: &mut OutputLine,
    first: ColumnField,
    last: ColumnField,
    highest: u32,
    span: Span,
) -> Result<(), TrfRecordError> {
    row.number(first, Some(span.first), 1, highest)?;
    row.number(last, Some(span.last), span.first, highest)
}

pub(super) fn read_acceleration(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Acceleration, TrfError> {
    line.no_tabs()?;
    for column in [4, 9, 14, 18, 22, 27] {
        line.blank(column, column)?;
    }
    let [match_points, points, first_round, last_round, first, last] = ACCELERATION;
    line.blank(last.to + 1, line.end().max(last.to + 1))?;
    let (match_points, virtual_points) = (line.points(match_points, warnings)?, line.points(points, warnings)?);
    if match_points.is_none() && virtual_points.is_none() {
        return line.fault(points.from, TrfLineError::Missing(points.name));
    }
    Ok(Acceleration {
        match_points,
        // A blank means zero: FIDE's own files of teams have match points alone.
        points: virtual_points.unwrap_or_default(),
        rounds: read_span(line, first_round, last_round, LARGEST_ROUND, "the range of rounds")?,
        numbers: read_span(line, first, last, LARGEST_NUMBER, "the range of players")?,
    })
}

pub(super) fn write_acceleration(acceleration: &Acceleration) -> Result<String, TrfRecordError> {
    let [match_points, points, first_round, last_round, first, last] = ACCELERATION;
    let mut row = OutputLine::new("250");
    row.points(match_points, acceleration.match_points)?;
    row.points(points, Some(acceleration.points))?;
    write_span(&mut row, first_round, last_round, LARGEST_ROUND, acceleration.rounds)?;
    write_span(&mut row, first, last, LARGEST_NUMBER, acceleration.numbers)?;
    Ok(row.finish())
}

pub(super) fn read_player_acceleration(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Record, TrfError> {
    line.no_tabs()?;
    line.blank(4, 4)?;
    line.blank(9, 9)?;
    let number = line.required(ACCELERATED, 1, LARGEST_NUMBER)?;
    let mut points = Vec::new();
    let mut field = ACCELERATED_POINTS;
    while field.from <= line.end() {
        if points.len() >= LARGEST_ROUND as usize {
            return line.fault(field.from, TrfLineError::TooManyRounds(LARGEST_ROUND));
        }
        line.blank(field.to + 1, field.to + 1)?;
        points.push(line.points(field, warnings)?.unwrap_or(Points::ZERO));
        field = field.nth(1, LIST_STEP);
    }
    Ok(Record::PlayerAcceleration { number, points })
}

pub(super) fn write_player_acceleration(number: u32, points: &[Points]) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("XXA");
    row.number(ACCELERATED, Some(number), 1, LARGEST_NUMBER)?;
    for (index, points) in points.iter().enumerate() {
        row.points(ACCELERATED_POINTS.nth(index, LIST_STEP), Some(*points))?;
    }
    Ok(row.finish())
}

pub(super) fn read_forbidden(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Forbidden, TrfError> {
    line.no_tabs()?;
    for column in [4, 8, 12] {
        line.blank(column, column)?;
    }
    let rounds = read_span(
        line,
        FORBIDDEN_FIRST,
        FORBIDDEN_LAST,
        LARGEST_ROUND,
        "the range of rounds",
    )?;
    Ok(Forbidden {
        rounds: Some(rounds),
        numbers: line.named(FORBIDDEN_NUMBERS, LIST_STEP, LARGEST_NUMBER, warnings)?,
    })
}

pub(super) fn write_forbidden(forbidden: &Forbidden) -> Result<String, TrfRecordError> {
    let Some(rounds) = forbidden.rounds else {
        return write_numbers("XXP", &forbidden.numbers);
    };
    let mut row = OutputLine::new("260");
    write_span(&mut row, FORBIDDEN_FIRST, FORBIDDEN_LAST, LARGEST_ROUND, rounds)?;
    row.list(FORBIDDEN_NUMBERS, LIST_STEP, LARGEST_NUMBER, &forbidden.numbers)?;
    Ok(row.finish())
}

/// `299`, in the columns of the format or, with a warning, in those of FIDE's sample. Without numbers it applies to
/// all.
pub(super) fn read_abnormal(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<AbnormalPoints, TrfError> {
    let mut said = Warnings::default();
    let as_written = read_abnormal_in(line, &ABNORMAL, &mut said).or_else(|error| {
        said = Warnings::default();
        let narrow = read_abnormal_in(line, &ABNORMAL_NARROW, &mut said).map_err(|_| error)?;
        said.add(
            line.number,
            "299 has the columns of FIDE's sample of 2024: the round from 17 on",
        );
        Ok(narrow)
    })?;
    warnings.append(said);
    Ok(as_written)
}

fn read_abnormal_in(
    line: &InputLine<'_>,
    fields: &[ColumnField; 4],
    warnings: &mut Warnings,
) -> Result<AbnormalPoints, TrfError> {
    let &[match_points, points, round, numbers] = fields;
    line.no_tabs()?;
    line.blank(4, 4)?;
    for pair in [ABNORMAL_RESULT, match_points, points, round, numbers].windows(2) {
        line.blank(pair[0].to + 1, pair[1].from - 1)?;
    }
    let letter = line.text(ABNORMAL_RESULT);
    let result = find(&ABNORMAL_RESULTS, &letter);
    if result.is_none() && !letter.is_empty() {
        let (word, known) = (letter, "W, D, L, F, H, Z, +, - or a blank");
        return line.fault(ABNORMAL_RESULT.from, TrfLineError::UnknownWord { word, known });
    }
    Ok(AbnormalPoints {
        result,
        match_points: line.points(match_points, warnings)?,
        points: line.points(points, warnings)?,
        round: line.number(round, 0, LARGEST_ROUND)?.filter(|&round| round > 0),
        numbers: line
            .list(numbers, LIST_STEP, LARGEST_NUMBER)?
            .into_iter()
            .flatten()
            .collect(),
    })
}

pub(super) fn write_abnormal(abnormal: &AbnormalPoints) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("299");
    if let Some(result) = &abnormal.result {
        row.left(ABNORMAL_RESULT, word(&ABNORMAL_RESULTS, result))?;
    }
    let [match_points, points, round, numbers] = ABNORMAL;
    row.points(match_points, abnormal.match_points)?;
    row.points(points, abnormal.points)?;
    row.number(round, abnormal.round, 1, LARGEST_ROUND)?;
    row.list(numbers, LIST_STEP, LARGEST_NUMBER, &abnormal.numbers)?;
    Ok(row.finish())
}
