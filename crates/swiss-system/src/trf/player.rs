//! `001`: the columns of a player.
//!
//! May not: compare two players.

use super::columns::{ColumnField, InputLine, OutputLine, checked};
use super::error::{TrfError, TrfLineError, TrfRecordError, Warnings};
use super::record::{Color, LARGEST_NUMBER, LARGEST_ROUND, PlayerRecord, ResultCode, RoundCell};

const NUMBER: ColumnField = ColumnField::new(5, 8, "the pairing number");
const SEX: ColumnField = ColumnField::new(10, 10, "the sex");
const TITLE: ColumnField = ColumnField::new(11, 13, "the title");
const NAME: ColumnField = ColumnField::new(15, 47, "the name");
const RATING: ColumnField = ColumnField::new(49, 52, "the rating");
const FEDERATION: ColumnField = ColumnField::new(54, 56, "the federation");
const FIDE_ID: ColumnField = ColumnField::new(58, 68, "the FIDE number");
const BIRTH: ColumnField = ColumnField::new(70, 79, "the date of birth");
const POINTS: ColumnField = ColumnField::new(81, 84, "the points");
const RANK: ColumnField = ColumnField::new(86, 89, "the rank");
/// The first round; each further one is [`STEP`] columns on.
const OPPONENT: ColumnField = ColumnField::new(92, 95, "the opponent");
const COLOR: ColumnField = ColumnField::new(97, 97, "the colour");
const RESULT: ColumnField = ColumnField::new(99, 99, "the result");
const STEP: usize = 10;
/// Columns between fields that say something about the person alone.
const PERSONAL_GAPS: [usize; 5] = [14, 48, 53, 57, 69];

/// The first column of a round, from 1.
pub(super) const fn column_of_round(round: usize) -> usize {
    OPPONENT.from + (round - 1) * STEP
}

pub(super) fn read(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<PlayerRecord, TrfError> {
    line.no_tabs()?;
    line.blank(4, 4)?;
    line.blank(9, 9)?;
    for column in PERSONAL_GAPS {
        if line.at(column) != ' ' {
            let text = format!("column {column} should be blank; `{}` left out", line.at(column));
            warnings.add(line.number, text);
        }
    }
    for (from, to) in [(80, 80), (85, 85), (90, 91)] {
        line.blank(from, to)?;
    }
    Ok(PlayerRecord {
        number: line.required(NUMBER, 1, LARGEST_NUMBER)?,
        sex: line.text(SEX),
        title: line.text(TITLE),
        name: line.text(NAME),
        rating: number_or_none(line, RATING, warnings),
        federation: line.text(FEDERATION),
        fide_id: line.text(FIDE_ID),
        birth: line.text(BIRTH),
        points: line.points(POINTS, warnings)?,
        rank: number_or_none(line, RANK, warnings),
        rounds: read_rounds(line, warnings)?,
    })
}

/// A number that nothing depends on: any other text is left out.
fn number_or_none(line: &InputLine<'_>, field: ColumnField, warnings: &mut Warnings) -> Option<u32> {
    line.number(field, 0, LARGEST_NUMBER).unwrap_or_else(|error| {
        warnings.add(line.number, format!("{}; left out", error.fault));
        None
    })
}

fn read_rounds(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Vec<RoundCell>, TrfError> {
    let mut cells = Vec::new();
    while column_of_round(cells.len() + 1) <= line.end() {
        let index = cells.len();
        if index >= LARGEST_ROUND as usize {
            return line.fault(column_of_round(index + 1), TrfLineError::TooManyRounds(LARGEST_ROUND));
        }
        let cell = read_cell(line, index, warnings)?;
        cells.push(cell);
    }
    Ok(cells)
}

fn read_cell(line: &InputLine<'_>, index: usize, warnings: &mut Warnings) -> Result<RoundCell, TrfError> {
    let (opponent_field, color_field) = (OPPONENT.nth(index, STEP), COLOR.nth(index, STEP));
    let result_field = RESULT.nth(index, STEP);
    for column in [
        color_field.from - 1,
        result_field.from - 1,
        result_field.from + 1,
        result_field.from + 2,
    ] {
        line.blank(column, column)?;
    }
    let mut warn = |text: String| warnings.add(line.number, format!("round {}: {text}", index + 1));
    let opponent = line
        .number(opponent_field, 0, LARGEST_NUMBER)?
        .filter(|&number| number > 0);
    if opponent.is_some() && opponent == line.number(NUMBER, 1, LARGEST_NUMBER)? {
        return line.fault(opponent_field.from, TrfLineError::OwnOpponent);
    }
    let color = match line.at(color_field.from) {
        'w' => Some(Color::White),
        'b' => Some(Color::Black),
        '-' | ' ' => None,
        letter @ ('W' | 'B') => {
            warn(format!("colour `{letter}` taken as a small letter"));
            Some(if letter == 'W' { Color::White } else { Color::Black })
        }
        letter => return line.fault(color_field.from, TrfLineError::UnknownColor(letter)),
    };
    let letter = line.at(result_field.from);
    let result = match letter.to_ascii_uppercase() {
        ' ' => None,
        'X' | '?' if opponent.is_some() => {
            warn(format!("result `{letter}` taken as not known yet"));
            None
        }
        '½' => {
            warn("result `½` taken as `=`".to_owned());
            Some(ResultCode::Draw)
        }
        upper => match ResultCode::ALL.into_iter().find(|code| code.letter() == upper) {
            Some(code) => Some(code),
            None => return line.fault(result_field.from, TrfLineError::UnknownResult(letter)),
        },
    };
    if letter.is_ascii_lowercase() && result.is_some() {
        warn(format!("result `{letter}` taken as a capital letter"));
    }
    let Some(opponent) = opponent else {
        return without_opponent(line, index, color, result, warn);
    };
    match result {
        // A pairing that was not played, as lichess writes it.
        Some(ResultCode::ZeroPointBye) => {
            warn(format!("`{letter}` against {opponent}: nobody played, taken as `-`"));
            Ok(RoundCell {
                opponent: Some(opponent),
                color,
                result: Some(ResultCode::ForfeitLoss),
            })
        }
        Some(bye) if bye.is_bye() => line.fault(result_field.from, TrfLineError::ByeWithOpponent(letter)),
        None => {
            warn("no result yet".to_owned());
            Ok(RoundCell {
                opponent: Some(opponent),
                color,
                result,
            })
        }
        Some(_) => Ok(RoundCell {
            opponent: Some(opponent),
            color,
            result,
        }),
    }
}

/// A round without an opponent: a bye, or a forfeit against nobody by name.
fn without_opponent(
    line: &InputLine<'_>,
    index: usize,
    color: Option<Color>,
    result: Option<ResultCode>,
    mut warn: impl FnMut(String),
) -> Result<RoundCell, TrfError> {
    let Some(result) = result else {
        if color.is_some() {
            return line.fault(OPPONENT.nth(index, STEP).from, TrfLineError::GameWithoutOpponent);
        }
        return Ok(RoundCell::BLANK);
    };
    if result.is_played() && color.is_some() {
        return line.fault(OPPONENT.nth(index, STEP).from, TrfLineError::GameWithoutOpponent);
    }
    if color.is_some() {
        warn("a colour without an opponent left out".to_owned());
    }
    let bye = match result {
        ResultCode::Win | ResultCode::ShortWin => ResultCode::FullPointBye,
        ResultCode::Draw | ResultCode::ShortDraw => ResultCode::HalfPointBye,
        ResultCode::Loss | ResultCode::ShortLoss => ResultCode::ZeroPointBye,
        other => other,
    };
    if bye != result {
        let (from, to) = (result.letter(), bye.letter());
        warn(format!("result `{from}` without an opponent taken as a bye, `{to}`"));
    }
    Ok(RoundCell::bye(bye))
}

pub(super) fn write(player: &PlayerRecord) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("001");
    row.number(NUMBER, Some(player.number), 1, LARGEST_NUMBER)?;
    row.left(SEX, &player.sex)?;
    row.right(TITLE, &player.title)?;
    row.left(NAME, &player.name)?;
    row.number(RATING, player.rating, 0, LARGEST_NUMBER)?;
    row.left(FEDERATION, &player.federation)?;
    row.right(FIDE_ID, &player.fide_id)?;
    row.left(BIRTH, &player.birth)?;
    row.points(POINTS, player.points)?;
    row.number(RANK, player.rank, 0, LARGEST_NUMBER)?;
    let rounds = u32::try_from(player.rounds.len()).unwrap_or(u32::MAX);
    checked("rounds", rounds, 0, LARGEST_ROUND)?;
    for (index, cell) in player.rounds.iter().enumerate() {
        write_cell(&mut row, index, *cell)?;
    }
    Ok(row.finish())
}

fn write_cell(row: &mut OutputLine, index: usize, cell: RoundCell) -> Result<(), TrfRecordError> {
    if cell.is_blank() {
        return Ok(());
    }
    match cell.opponent {
        Some(_) => row.number(OPPONENT.nth(index, STEP), cell.opponent, 1, LARGEST_NUMBER)?,
        None => row.left(OPPONENT.nth(index, STEP), "0000")?,
    }
    let color = match cell.color {
        Some(Color::White) => "w",
        Some(Color::Black) => "b",
        None => "-",
    };
    row.left(COLOR.nth(index, STEP), color)?;
    match cell.result {
        Some(result) => row.left(RESULT.nth(index, STEP), result.letter().encode_utf8(&mut [0; 4])),
        None => Ok(()),
    }
}
