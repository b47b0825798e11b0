//! Writing a tournament file: records to lines.
//!
//! May not: know the columns of any record except those of plain text; change or leave out anything.

use super::columns::{OutputLine, no_controls, shown};
use super::error::{TrfRecordError, TrfWriteError};
use super::read::read;
use super::record::Record;
use super::team;
use super::tournament::Tournament;
use super::{event, player, tie_breaks};

/// Writes a tournament file: every record is a line that ends with `\n`, in the order of the records
/// ([`Tournament::put_in_order`] makes that the order of the format), with fields in their columns and no blanks at
/// the end. Nothing is cut, rounded or left out. The text reads back as the same tournament: that is checked before
/// it is returned.
///
/// # Errors
/// [`TrfWriteError`] for what the format cannot hold: a pairing number above 9999, a name of more than 33 characters,
/// points above 99.9 or with two decimals, a blank last round, a record that contradicts another.
pub fn write(tournament: &Tournament) -> Result<String, TrfWriteError> {
    let mut lines = Vec::with_capacity(tournament.records.len());
    for (index, record) in tournament.records.iter().enumerate() {
        let line = write_record(record).map_err(|fault| TrfWriteError {
            record: index + 1,
            fault,
        })?;
        lines.push(line);
    }
    let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
    let (record, reason) = match read(text.as_bytes()) {
        Ok(reading) if reading.tournament == *tournament => return Ok(text),
        Ok(reading) => {
            let same = reading
                .tournament
                .records
                .iter()
                .zip(&tournament.records)
                .take_while(|(a, b)| a == b);
            let record = same.count() + 1;
            let warning = reading.warnings.into_iter().find(|warning| warning.line == record);
            let said = warning.map_or_else(|| "blanks at its end are nothing".to_owned(), |warning| warning.text);
            (record, said)
        }
        Err(error) => (error.line, error.to_string()),
    };
    let line = lines.get(record - 1).map_or_else(String::new, |line| shown(line));
    let fault = TrfRecordError::ReadsDifferently { line, reason };
    Err(TrfWriteError { record, fault })
}

fn write_record(record: &Record) -> Result<String, TrfRecordError> {
    match record {
        Record::Header { header, text } => {
            let mut row = OutputLine::new(header.code());
            row.rest(5, "the text", text)?;
            Ok(row.finish())
        }
        Record::Rounds { spelling, rounds } => event::write_rounds(*spelling, *rounds),
        Record::InitialColor(color) => Ok(event::write_initial_color(*color)),
        Record::Configuration {
            by_position,
            initial_color,
        } => Ok(event::write_configuration(*by_position, *initial_color)),
        Record::TieBreaks(list) => tie_breaks::write(list),
        Record::PointValues(values) => event::write_symbols("162", &event::SYMBOLS, values),
        Record::XxsValues(values) => event::write_xxs(values),
        Record::BbValue(code, points) => event::write_bb(*code, *points),
        Record::Player(player) => player::write(player),
        Record::Byes(byes) => event::write_byes(byes),
        Record::AbsentNext(numbers) => event::write_numbers("XXZ", numbers),
        Record::Acceleration(acceleration) => event::write_acceleration(acceleration),
        Record::PlayerAcceleration { number, points } => event::write_player_acceleration(*number, points),
        Record::Forbidden(forbidden) => event::write_forbidden(forbidden),
        Record::AbnormalPoints(abnormal) => event::write_abnormal(abnormal),
        Record::Team(team) => team::write(team),
        Record::OldTeam(team) => team::write_old(team),
        Record::TeamByes(byes) => team::write_byes(byes),
        Record::TeamForfeit(forfeit) => team::write_forfeit(forfeit),
        Record::Lineup(lineup) => team::write_lineup(lineup),
        Record::BoardColors(colors) => Ok(team::write_board_colors(colors)),
        Record::MatchValues(values) => event::write_symbols("362", &team::SYMBOLS, values),
        Record::Other(line) => {
            no_controls("the line", line)?;
            Ok(line.clone())
        }
    }
}
