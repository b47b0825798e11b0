//! Checks that the two lines of a game agree.
//!
//! May not: read columns; judge whether a game may have been played.

use std::collections::HashMap;

use super::error::{TrfError, TrfLineError, Warnings};
use super::player::column_of_round;
use super::record::{PlayerRecord, Record, ResultCode, RoundCell};

/// One side of a game.
#[derive(Clone, Copy)]
struct Side {
    /// The index of the player among the players.
    index: usize,
    number: u32,
    line: usize,
    cell: RoundCell,
}

/// Compares both lines of every game. Fills in a colour or a result that one line lacks and the other has.
///
/// # Errors
/// If the two contradict each other about who met whom or who had which colour.
pub(super) fn settle(records: &mut [Record], lines: &[usize], warnings: &mut Warnings) -> Result<(), TrfError> {
    let mut players: Vec<(&mut PlayerRecord, usize)> = records
        .iter_mut()
        .zip(lines)
        .filter_map(|(record, &line)| match record {
            Record::Player(player) => Some((player.as_mut(), line)),
            _ => None,
        })
        .collect();
    let index_of: HashMap<u32, usize> = players
        .iter()
        .enumerate()
        .map(|(index, (player, _))| (player.number, index))
        .collect();
    for index in 0..players.len() {
        for round in 0..players[index].0.rounds.len() {
            let side = |index: usize| {
                let (player, line) = &players[index];
                Side {
                    index,
                    number: player.number,
                    line: *line,
                    cell: player.rounds.get(round).copied().unwrap_or(RoundCell::BLANK),
                }
            };
            let mine = side(index);
            let Some(opponent) = mine.cell.opponent else {
                continue;
            };
            let theirs = index_of.get(&opponent).map(|&index| side(index));
            let settled = settle_game(mine, theirs, opponent, round, warnings)?;
            for (side, cell) in settled.into_iter().flatten() {
                players[side].0.rounds[round] = cell;
            }
        }
    }
    Ok(())
}

type SettledCells = [Option<(usize, RoundCell)>; 2];

/// The cells of a game that change; `round` from 0.
fn settle_game(
    mine: Side,
    theirs: Option<Side>,
    opponent: u32,
    round: usize,
    warnings: &mut Warnings,
) -> Result<SettledCells, TrfError> {
    let (number, line) = (mine.number, mine.line);
    let column = column_of_round(round + 1);
    let round = round + 1;
    let fault = |fault: TrfLineError| TrfError { line, column, fault };
    let forfeit = matches!(mine.cell.result, Some(result) if !result.is_played());
    let Some(mut theirs) = theirs else {
        if !forfeit {
            return Err(fault(TrfLineError::NoSuchOpponent {
                number,
                opponent,
                round,
            }));
        }
        warnings.add(
            line,
            format!("round {round}: a forfeit against {opponent}, who has no line"),
        );
        return Ok([None, None]);
    };
    if theirs.cell.opponent != Some(number) {
        if forfeit && theirs.cell.opponent.is_none() {
            warnings.add(
                line,
                format!("round {round}: a forfeit against {opponent}, whose line has none"),
            );
            return Ok([None, None]);
        }
        return Err(fault(TrfLineError::Contradiction {
            number,
            opponent,
            round,
        }));
    }
    // Both lines name each other: once is enough.
    if mine.index > theirs.index {
        return Ok([None, None]);
    }
    let mut mine = mine;
    settle_results(&mut mine, &mut theirs, round, warnings).map_err(fault)?;
    settle_colors(&mut mine, &mut theirs, round, warnings).map_err(fault)?;
    Ok([Some((mine.index, mine.cell)), Some((theirs.index, theirs.cell))])
}

fn settle_results(
    mine: &mut Side,
    theirs: &mut Side,
    round: usize,
    warnings: &mut Warnings,
) -> Result<(), TrfLineError> {
    let (number, opponent) = (mine.number, theirs.number);
    match (mine.cell.result, theirs.cell.result) {
        (None, None) => {}
        (Some(known), None) | (None, Some(known)) => {
            let missing = if mine.cell.result.is_none() { mine } else { theirs };
            missing.cell.result = Some(opposite(known));
            let letter = opposite(known).letter();
            let text = format!("round {round}: result taken as `{letter}`, from the opponent's line");
            warnings.add(missing.line, text);
        }
        (Some(one), Some(other)) if one.is_played() != other.is_played() => {
            return Err(TrfLineError::Contradiction {
                number,
                opponent,
                round,
            });
        }
        (Some(one), Some(other)) => {
            let both_lost = one == ResultCode::ForfeitLoss && other == one;
            if other != opposite(one) && !both_lost {
                let (one, other) = (one.letter(), other.letter());
                let text = format!("round {round}: results `{one}` and `{other}` against {opponent}; taken as written");
                warnings.add(mine.line, text);
            }
        }
    }
    Ok(())
}

fn settle_colors(
    mine: &mut Side,
    theirs: &mut Side,
    round: usize,
    warnings: &mut Warnings,
) -> Result<(), TrfLineError> {
    let (number, opponent) = (mine.number, theirs.number);
    match (mine.cell.color, theirs.cell.color) {
        (Some(one), Some(other)) if one == other => {
            if mine.cell.result.is_some_and(|result| !result.is_played()) {
                warnings.add(
                    mine.line,
                    format!("round {round}: a forfeit with the same colour on both sides"),
                );
                return Ok(());
            }
            Err(TrfLineError::SameColor {
                number,
                opponent,
                round,
            })
        }
        (Some(_), Some(_)) => Ok(()),
        (Some(known), None) | (None, Some(known)) => {
            let missing = if mine.cell.color.is_none() { mine } else { theirs };
            missing.cell.color = Some(known.other());
            warnings.add(
                missing.line,
                format!("round {round}: colour taken from the opponent's line"),
            );
            Ok(())
        }
        (None, None) => match mine.cell.result {
            Some(result) if !result.is_played() => {
                warnings.add(mine.line, format!("round {round}: a forfeit without colours"));
                Ok(())
            }
            _ => Err(TrfLineError::NoColor {
                number,
                opponent,
                round,
            }),
        },
    }
}

/// The other side's result.
const fn opposite(result: ResultCode) -> ResultCode {
    match result {
        ResultCode::Win => ResultCode::Loss,
        ResultCode::Loss => ResultCode::Win,
        ResultCode::ShortWin => ResultCode::ShortLoss,
        ResultCode::ShortLoss => ResultCode::ShortWin,
        ResultCode::ForfeitWin => ResultCode::ForfeitLoss,
        ResultCode::ForfeitLoss => ResultCode::ForfeitWin,
        same => same,
    }
}
