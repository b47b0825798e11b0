//! The records of team tournaments.
//!
//! May not: know players' lines, or compute what a match gave.

use super::columns::{ColumnField, InputLine, OutputLine, shown};
use super::error::{TrfError, TrfLineError, TrfRecordError, Warnings};
use super::record::{Color, LARGEST_NUMBER, LARGEST_ROUND, Lineup, MatchSymbol, OldTeam, Team, TeamByes, TeamForfeit};

/// The largest number of a team: three columns.
const LARGEST_TEAM: u32 = 999;

/// Letters of `362`.
pub(super) const SYMBOLS: [(&str, MatchSymbol); 3] = [
    ("TW", MatchSymbol::Win),
    ("TD", MatchSymbol::Draw),
    ("TL", MatchSymbol::Loss),
];

const NUMBER: ColumnField = ColumnField::new(5, 7, "the team");
const NAME: ColumnField = ColumnField::new(9, 40, "the name");
const NICKNAME: ColumnField = ColumnField::new(42, 46, "the nickname");
const STRENGTH: ColumnField = ColumnField::new(48, 53, "the strength");
const MATCH_POINTS: ColumnField = ColumnField::new(55, 60, "the match points");
const GAME_POINTS: ColumnField = ColumnField::new(62, 67, "the game points");
const RANK: ColumnField = ColumnField::new(69, 71, "the rank");
const PLAYERS: ColumnField = ColumnField::new(74, 77, "the player");
const PLAYER_STEP: usize = 5;
const OLD_NAME: ColumnField = ColumnField::new(5, 36, "the name");
const OLD_PLAYERS: ColumnField = ColumnField::new(37, 40, "the player");
const BYE_MATCH_POINTS: ColumnField = ColumnField::new(5, 8, "the match points of the bye");
const BYE_GAME_POINTS: ColumnField = ColumnField::new(10, 13, "the game points of the bye");
const BYE_TEAMS: ColumnField = ColumnField::new(15, 17, "the team");
const BYE_STEP: usize = 4;
const FORFEIT: ColumnField = ColumnField::new(5, 6, "the kind of forfeit");
const FORFEIT_ROUND: ColumnField = ColumnField::new(8, 10, "the round");
const FORFEIT_WHITE: ColumnField = ColumnField::new(12, 14, "the white team");
const FORFEIT_BLACK: ColumnField = ColumnField::new(16, 18, "the black team");
const LINEUP_ROUND: ColumnField = ColumnField::new(5, 7, "the round");
const LINEUP_TEAM: ColumnField = ColumnField::new(9, 11, "the team");
const LINEUP_OPPONENT: ColumnField = ColumnField::new(13, 15, "the opponent");
const LINEUP_PLAYERS: ColumnField = ColumnField::new(17, 20, "the player");

/// `310`
pub(super) fn read(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<Team, TrfError> {
    line.no_tabs()?;
    for (from, to) in [
        (4, 4),
        (8, 8),
        (41, 41),
        (47, 47),
        (54, 54),
        (61, 61),
        (68, 68),
        (72, 73),
    ] {
        line.blank(from, to)?;
    }
    Ok(Team {
        number: line.required(NUMBER, 1, LARGEST_TEAM)?,
        name: line.text(NAME),
        nickname: line.text(NICKNAME),
        strength: line.text(STRENGTH),
        match_points: line.points(MATCH_POINTS, warnings)?,
        game_points: line.points(GAME_POINTS, warnings)?,
        rank: line.number(RANK, 0, LARGEST_TEAM)?,
        players: line.named(PLAYERS, PLAYER_STEP, LARGEST_NUMBER, warnings)?,
    })
}

pub(super) fn write(team: &Team) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("310");
    row.number(NUMBER, Some(team.number), 1, LARGEST_TEAM)?;
    row.left(NAME, &team.name)?;
    row.left(NICKNAME, &team.nickname)?;
    row.right(STRENGTH, &team.strength)?;
    row.points(MATCH_POINTS, team.match_points)?;
    row.points(GAME_POINTS, team.game_points)?;
    row.number(RANK, team.rank, 0, LARGEST_TEAM)?;
    row.list(PLAYERS, PLAYER_STEP, LARGEST_NUMBER, &team.players)?;
    Ok(row.finish())
}

/// `013`
pub(super) fn read_old(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<OldTeam, TrfError> {
    line.no_tabs()?;
    line.blank(4, 4)?;
    Ok(OldTeam {
        name: line.text(OLD_NAME),
        players: line.named(OLD_PLAYERS, PLAYER_STEP, LARGEST_NUMBER, warnings)?,
    })
}

pub(super) fn write_old(team: &OldTeam) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("013");
    row.left(OLD_NAME, &team.name)?;
    row.list(OLD_PLAYERS, PLAYER_STEP, LARGEST_NUMBER, &team.players)?;
    Ok(row.finish())
}

/// `320`
pub(super) fn read_byes(line: &InputLine<'_>, warnings: &mut Warnings) -> Result<TeamByes, TrfError> {
    line.no_tabs()?;
    for column in [4, 9, 14] {
        line.blank(column, column)?;
    }
    let teams = line.list(BYE_TEAMS, BYE_STEP, LARGEST_TEAM)?;
    if teams.len() > LARGEST_ROUND as usize {
        let column = BYE_TEAMS.nth(LARGEST_ROUND as usize, BYE_STEP).from;
        return line.fault(column, TrfLineError::TooManyRounds(LARGEST_ROUND));
    }
    Ok(TeamByes {
        match_points: line.points(BYE_MATCH_POINTS, warnings)?,
        game_points: line.points(BYE_GAME_POINTS, warnings)?,
        teams,
    })
}

pub(super) fn write_byes(byes: &TeamByes) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("320");
    row.points(BYE_MATCH_POINTS, byes.match_points)?;
    row.points(BYE_GAME_POINTS, byes.game_points)?;
    row.list_with_zeros(BYE_TEAMS, BYE_STEP, LARGEST_TEAM, &byes.teams)?;
    Ok(row.finish())
}

/// `330`
pub(super) fn read_forfeit(line: &InputLine<'_>) -> Result<TeamForfeit, TrfError> {
    line.no_tabs()?;
    for column in [4, 7, 11, 15] {
        line.blank(column, column)?;
    }
    line.blank(19, line.end().max(19))?;
    let word = line.text(FORFEIT);
    let winner = match word.as_str() {
        "+-" => Some(Color::White),
        "-+" => Some(Color::Black),
        "--" => None,
        _ => {
            let known = "+-, -+, --";
            return line.fault(FORFEIT.from, TrfLineError::UnknownWord { word, known });
        }
    };
    Ok(TeamForfeit {
        winner,
        round: line.required(FORFEIT_ROUND, 1, LARGEST_ROUND)?,
        white: line.required(FORFEIT_WHITE, 1, LARGEST_TEAM)?,
        black: line.required(FORFEIT_BLACK, 1, LARGEST_TEAM)?,
    })
}

pub(super) fn write_forfeit(forfeit: &TeamForfeit) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("330");
    let word = match forfeit.winner {
        Some(Color::White) => "+-",
        Some(Color::Black) => "-+",
        None => "--",
    };
    row.left(FORFEIT, word)?;
    row.number(FORFEIT_ROUND, Some(forfeit.round), 1, LARGEST_ROUND)?;
    row.number(FORFEIT_WHITE, Some(forfeit.white), 1, LARGEST_TEAM)?;
    row.number(FORFEIT_BLACK, Some(forfeit.black), 1, LARGEST_TEAM)?;
    Ok(row.finish())
}

/// `300`
pub(super) fn read_lineup(line: &InputLine<'_>) -> Result<Lineup, TrfError> {
    line.no_tabs()?;
    for column in [4, 8, 12, 16] {
        line.blank(column, column)?;
    }
    Ok(Lineup {
        round: line.required(LINEUP_ROUND, 1, LARGEST_ROUND)?,
        team: line.required(LINEUP_TEAM, 1, LARGEST_TEAM)?,
        opponent: line.required(LINEUP_OPPONENT, 1, LARGEST_TEAM)?,
        players: line.list(LINEUP_PLAYERS, PLAYER_STEP, LARGEST_NUMBER)?,
    })
}

pub(super) fn write_lineup(lineup: &Lineup) -> Result<String, TrfRecordError> {
    let mut row = OutputLine::new("300");
    row.number(LINEUP_ROUND, Some(lineup.round), 1, LARGEST_ROUND)?;
    row.number(LINEUP_TEAM, Some(lineup.team), 1, LARGEST_TEAM)?;
    row.number(LINEUP_OPPONENT, Some(lineup.opponent), 1, LARGEST_TEAM)?;
    row.list_with_zeros(LINEUP_PLAYERS, PLAYER_STEP, LARGEST_NUMBER, &lineup.players)?;
    Ok(row.finish())
}

/// `352`: letters, from column 5 on.
pub(super) fn read_board_colors(line: &InputLine<'_>) -> Result<Vec<Color>, TrfError> {
    line.blank(4, 4)?;
    let color = |column: usize| match line.at(column) {
        'W' | 'w' => Ok(Color::White),
        'B' | 'b' => Ok(Color::Black),
        letter => {
            let (word, known) = (shown(&letter.to_string()), "W, B");
            line.fault(column, TrfLineError::UnknownWord { word, known })
        }
    };
    (5..=line.end()).map(color).collect()
}

pub(super) fn write_board_colors(colors: &[Color]) -> String {
    let letters = colors.iter().map(|color| match color {
        Color::White => 'W',
        Color::Black => 'B',
    });
    format!("352 {}", letters.collect::<String>()).trim_end().to_owned()
}
