//! A tournament file as results: of individuals here, of teams (records `310`) in `teams`.
//!
//! Each round of a file means the following to tie-breaks:
//!
//! | file | here | why |
//! |---|---|---|
//! | opponent, `1 = 0` | played | |
//! | opponent, `W D L` | played | a game of less than a move was begun; C.07 does not name it |
//! | opponent, `+ -` | forfeit | `-` for both is lost by both |
//! | opponent, no result yet | unfinished: no points yet, and no tie-break sees it | |
//! | `+ -` without an opponent, or with one who has no line | forfeit against nobody by name | |
//! | `U F H Z` | the byes | |
//! | blank | in a round robin a free round, else `Z` | a player without an opponent in the table has a blank |
//!
//! May not: read or write lines; rank anybody.

mod doubts;
mod teams;

pub use doubts::doubts;

use jiff::civil::date;

use super::criterion;
use super::criterion::{ParseCriterionError, RankingOrder};
use super::results::{
    Bye, ColorCounts, GameCounts, MatchResult, PlayerResults, PlayerRound, Results, ResultsFormat, RoundFate, Worth,
};
use super::unplayed::TieBreakEdition;
use crate::lot;
use crate::pairing::file::{self, File};
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;
use crate::trf::{Color, EditionBy, PlayerRecord, ResultCode, RoundCell, TieBreakList, Tournament};
use crate::word::Word as _;

/// Why a file cannot be ranked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StandingsFileError {
    /// No `001` line.
    #[error("the file has no players; write a 001 line for each")]
    NoPlayers,
    /// A round that the file does not have.
    #[error("there is no round {round}; the file has {played}")]
    NoRound {
        /// The round asked for.
        round: u32,
        /// Rounds that the file has.
        played: u32,
    },
}

/// The results of the first `rounds` rounds (all that the file has, without a number), with players in order of their
/// pairing numbers.
///
/// `format` is read from the records 192 and 092 if it is not given. Lots are drawn by `rng_seed`.
///
/// # Errors
/// See [`StandingsFileError`].
pub fn results(
    tournament: &Tournament,
    rounds: Option<u32>,
    format: Option<ResultsFormat>,
    rng_seed: u64,
) -> Result<Results, StandingsFileError> {
    let played = file::rounds_played(tournament);
    let rounds = match rounds {
        Some(round) if round > played => return Err(StandingsFileError::NoRound { round, played }),
        Some(rounds) => rounds,
        None => played,
    };
    if tournament.teams().next().is_some() {
        return teams::results(tournament, (rounds, played), format, rng_seed);
    }
    let highest = tournament.players().map(|player| player.number).max();
    let file = File::new(tournament, highest.ok_or(StandingsFileError::NoPlayers)?, played);
    let mut players: Vec<&PlayerRecord> = tournament.players().collect();
    players.sort_by_key(|player| player.number);
    let mut index = vec![None; highest.unwrap_or(0) as usize + 1];
    for (position, player) in players.iter().enumerate() {
        index[player.number as usize] = Some(PairingNumber::from_index(position));
    }
    let format = format.unwrap_or_else(|| format_of(tournament));
    let of_player = |player: &&PlayerRecord| {
        let round = |round| match format {
            ResultsFormat::RoundRobin if file.cell(player, round).is_blank() => PlayerRound::free(),
            ResultsFormat::RoundRobin | ResultsFormat::Swiss => player_round(&file, player, round, &index),
        };
        let rating = player.rating.filter(|&rating| rating > 0);
        PlayerResults {
            rounds: (1..=rounds).map(round).collect(),
            bonus: file.bonus(player, rounds),
            // An individual has only one kind of points.
            game_bonus: Points::ZERO,
            ratings: rating
                .and_then(|rating| i32::try_from(rating).ok())
                .into_iter()
                .collect(),
        }
    };
    let points = tournament.point_system();
    let worth = Worth {
        win: points.win[0],
        draw: points.draw[0],
    };
    let count = u32::try_from(players.len()).expect("at most four digits");
    let not_ranked = tournament.not_ranked();
    let struck = (0..)
        .zip(&players)
        .filter(|(_, player)| not_ranked.contains(&player.number));
    Ok(Results {
        left_out: Vec::new(),
        struck: struck
            .map(|(position, _)| PairingNumber::from_index(position))
            .collect(),
        planned: planned(tournament, played),
        worth,
        game_worth: worth,
        format,
        submission: (0..count).collect(),
        lots: lots(rng_seed, players.len()),
        numbers: players.iter().map(|player| player.number).collect(),
        names: players.iter().map(|player| player.name.clone()).collect(),
        players: players.iter().map(of_player).collect(),
    })
}

/// Rounds of the whole tournament: at least those that the file has.
fn planned(tournament: &Tournament, played: u32) -> Option<usize> {
    Some(tournament.rounds().unwrap_or(0).max(played) as usize)
}

/// Each player's place in the order of lots, from 0.
pub fn lots(rng_seed: u64, players: usize) -> Vec<u32> {
    let mut lots = vec![0; players];
    for (place, player) in (0..).zip(lot::order(rng_seed, "standings", players)) {
        lots[player] = place;
    }
    lots
}

/// The format by the records 192 and 092: the rules of round robins apply to all tournaments with pre-determined
/// pairings (C.07 art. 15.2).
fn format_of(tournament: &Tournament) -> ResultsFormat {
    if tournament.is_predetermined() {
        ResultsFormat::RoundRobin
    } else {
        ResultsFormat::Swiss
    }
}

/// The criteria of the record 212, or of 202 after points; `None` without such a record. Those that are not computed
/// are read as [`criterion::listed`] says; if none is computed, points are left.
///
/// # Errors
/// If a code is not known, or one is given twice.
pub fn order(tournament: &Tournament) -> Option<Result<RankingOrder, ParseCriterionError>> {
    let list = tournament.tie_breaks()?;
    let order = criterion::listed(list.codes.iter().map(String::as_str));
    Some(order.and_then(|order| match list.list {
        TieBreakList::Standings if !order.criteria.is_empty() => Ok(order),
        TieBreakList::Standings | TieBreakList::AfterPoints => criterion::after_points(order),
    }))
}

/// The edition of C.07: that of the comment, else by the first day. The virtual opponent was in force until August 2023, the
/// text of 2024 until February 2026.
pub fn edition(tournament: &Tournament) -> (TieBreakEdition, EditionBy) {
    let until = [
        (date(2023, 9, 1), TieBreakEdition::Of2022),
        (date(2026, 3, 1), TieBreakEdition::Of2024),
    ];
    tournament.edition("C.07", TieBreakEdition::of_word, &until, TieBreakEdition::Of2026)
}

fn player_round(file: &File<'_>, player: &PlayerRecord, round: u32, index: &[Option<PairingNumber>]) -> PlayerRound {
    let cell = file.cell(player, round);
    let opponent = cell.opponent.and_then(|number| index[number as usize]);
    let fate = fate(cell, opponent);
    let points = match fate {
        RoundFate::Unfinished { .. } => Points::ZERO,
        _ => file.worth(player, round),
    };
    PlayerRound {
        fate,
        points,
        game_points: points,
        games: games(fate, cell.color, points),
        repeat: false,
        sat_out: false,
    }
}

fn fate(cell: RoundCell, opponent: Option<PairingNumber>) -> RoundFate {
    use MatchResult::{Drawn, Lost, Won};
    use ResultCode as R;
    let color = cell.color.map_or(FirstColor::White, file::first_color);
    let forfeit = |result| RoundFate::Forfeit { opponent, result };
    match (opponent, cell.result) {
        (_, Some(R::ForfeitWin)) => forfeit(Won),
        (_, Some(R::ForfeitLoss)) => forfeit(Lost),
        (Some(opponent), None) => RoundFate::Unfinished { opponent, color },
        (Some(opponent), Some(result)) => {
            let result = match result {
                R::Win | R::ShortWin => Won,
                R::Draw | R::ShortDraw => Drawn,
                _ => Lost,
            };
            RoundFate::Played {
                opponent,
                color,
                result,
            }
        }
        (None, Some(R::PairingAllocatedBye)) => RoundFate::Bye(Bye::PairingAllocated),
        (None, Some(R::FullPointBye)) => RoundFate::Bye(Bye::FullPoint),
        (None, Some(R::HalfPointBye)) => RoundFate::Bye(Bye::HalfPoint),
        (None, _) => RoundFate::Bye(Bye::ZeroPoint),
    }
}

/// A round of an individual as one game.
fn games(fate: RoundFate, color: Option<Color>, points: Points) -> GameCounts {
    let mut games = GameCounts::default();
    match fate {
        RoundFate::Played { color, result, .. } => {
            let counts = ColorCounts {
                won: u32::from(result == MatchResult::Won),
                drawn: u32::from(result == MatchResult::Drawn),
                lost: u32::from(result == MatchResult::Lost),
            };
            match color {
                FirstColor::White => games.white = counts,
                FirstColor::Black => games.black = counts,
            }
        }
        RoundFate::Forfeit { result, .. } => {
            games.forfeit_points = points;
            games.forfeits_won = u32::from(result == MatchResult::Won);
            if color == Some(Color::Black) {
                games.forfeits_won_with_black = games.forfeits_won;
            }
            games.forfeits_lost = u32::from(result == MatchResult::Lost);
        }
        RoundFate::Unfinished { .. } | RoundFate::Bye(_) | RoundFate::Free | RoundFate::Annulled => {}
    }
    games
}
