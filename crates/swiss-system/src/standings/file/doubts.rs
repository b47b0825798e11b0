//! What a tournament file says in two ways, or leaves out, and how it was read.
//!
//! May not: read or write lines; refuse a file; rank anybody.

use std::collections::BTreeMap;

use super::teams::Teams;
use crate::pairing::dutch::rules;
use crate::pairing::file::{self, PairingFileError};
use crate::score::Points;
use crate::standings::results::RoundFate;
use crate::trf::{MatchSymbol, PlayerRecord, Reading, Record, ResultCode, RoundCell, Team, TeamForfeit, Tournament};

/// The warnings about a file that can be ranked nevertheless.
pub fn doubts(reading: &Reading) -> Vec<String> {
    let tournament = &reading.tournament;
    let mut doubts = if tournament.teams().next().is_some() {
        of_teams(reading)
    } else {
        of_players(reading)
    };
    match file::doubtful_points(tournament) {
        Ok(doubt) => doubts.extend(doubt),
        Err(PairingFileError::NoPlayers) => {
            doubts.push("the file has no players (001), so its teams have no results".to_owned())
        }
        Err(error) => doubts.push(format!(
            "the points in the lines were not compared with the results: {error}"
        )),
    }
    doubts
}

fn of_teams(reading: &Reading) -> Vec<String> {
    let tournament = &reading.tournament;
    let teams = Teams::new(tournament);
    let mut doubts = Vec::new();
    let (mut without_team, mut first_without) = (0_usize, None);
    for (record, line) in reading.tournament.records.iter().zip(&reading.lines) {
        match record {
            Record::Team(team) => {
                doubts.extend(
                    of_team(&teams, team)
                        .into_iter()
                        .map(|doubt| format!("line {line}: {doubt}")),
                );
            }
            Record::TeamForfeit(forfeit) => {
                doubts.extend(of_forfeit(&teams, forfeit).map(|doubt| format!("line {line}: {doubt}")));
            }
            Record::Byes(byes) => {
                let opposed = |number: u32| {
                    teams
                        .index_of(number)
                        .filter(|&index| teams.is_opposed(index, byes.round))
                };
                let opposed = byes
                    .numbers
                    .iter()
                    .filter_map(|&number| opposed(number).map(|_| (byes.round, number)));
                doubts.extend(bye_beside_a_game(*line, "240", "team", opposed));
            }
            Record::TeamByes(byes) => {
                let rounds = (1..).zip(byes.teams.iter().copied());
                let opposed = rounds.filter_map(|(round, team)| {
                    let number = team?;
                    teams
                        .is_opposed(teams.index_of(number)?, round)
                        .then_some((round, number))
                });
                doubts.extend(bye_beside_a_game(*line, "320", "team", opposed));
            }
            Record::Player(player) if !teams.team_of.contains_key(&player.number) && has_games(player) => {
                without_team += 1;
                first_without.get_or_insert((player.number, line));
            }
            _ => {}
        }
    }
    if let Some((number, line)) = first_without {
        doubts.push(format!(
            "line {line}: {without_team} players with games are in no team (310), the first is player {number}; their games \
             count for no team"
        ));
    }
    let played = file::rounds_played(tournament);
    let byes = (0..teams.teams.len()).flat_map(|index| (1..=played).map(move |round| (index, round)));
    let mut byes = byes.filter(|&(index, round)| {
        matches!(teams.round(index, round).fate, RoundFate::Bye(_)) && teams.bye_on_boards(index, round).is_some()
    });
    if let Some((index, round)) = byes.next() {
        doubts.push(format!(
            "{} byes of teams are recorded only on their boards (U, F, H), without record 320 or 240, the first is that of \
             team {} in round {round}; taken as such byes, worth a won match and a win on each board (H: drawn)",
            byes.count() + 1,
            teams.teams[index].number,
        ));
    }
    doubts.extend(points(tournament, &teams, played));
    doubts
}

/// The byes of 240 that players have beside a game.
fn of_players(reading: &Reading) -> Vec<String> {
    let players: BTreeMap<u32, &PlayerRecord> = reading
        .tournament
        .players()
        .map(|player| (player.number, player))
        .collect();
    let has_game = |number: u32, round: u32| {
        let cell = players
            .get(&number)
            .and_then(|player| player.rounds.get(round as usize - 1));
        cell.is_some_and(|cell| cell.opponent.is_some())
    };
    let records = reading.tournament.records.iter().zip(&reading.lines);
    let byes = records.filter_map(|(record, line)| match record {
        Record::Byes(byes) => Some((byes, *line)),
        _ => None,
    });
    byes.filter_map(|(byes, line)| {
        let opposed = byes.numbers.iter().filter(|&&number| has_game(number, byes.round));
        bye_beside_a_game(line, "240", "player", opposed.map(|&number| (byes.round, number)))
    })
    .collect()
}

/// Warns that a record gives byes in rounds in which there are games, with the round and number of each.
fn bye_beside_a_game(
    line: usize,
    record: &str,
    whom: &str,
    mut opposed: impl Iterator<Item = (u32, u32)>,
) -> Option<String> {
    let (round, number) = opposed.next()?;
    let more = match opposed.count() {
        0 => String::new(),
        more => format!(", and likewise for {more} more"),
    };
    Some(format!(
        "line {line}: {record} has a bye of {whom} {number} in round {round}, but the 001 lines have an opponent there{more}; \
         the 001 lines count"
    ))
}

/// The number, and the beginning of a list.
fn few(numbers: &[u32]) -> String {
    let shown: Vec<String> = numbers.iter().take(5).map(ToString::to_string).collect();
    let more = match numbers.len() - shown.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    shown.join(", ") + &more
}

fn of_team(teams: &Teams<'_>, team: &Team) -> Vec<String> {
    let number = team.number;
    let mut doubts = Vec::new();
    let unknown: Vec<u32> = team
        .players
        .iter()
        .copied()
        .filter(|&player| teams.file.player(player).is_none())
        .collect();
    if !unknown.is_empty() {
        let who = few(&unknown);
        doubts.push(format!(
            "players of team {number} have no 001 line, and no results: {who}"
        ));
    }
    let own = teams.index_of(number);
    let elsewhere = |player: &u32| teams.team_of.get(player).copied() != own;
    let elsewhere: Vec<u32> = team.players.iter().copied().filter(elsewhere).collect();
    if let Some(other) = elsewhere.first().and_then(|player| teams.team_of.get(player)) {
        doubts.push(format!(
            "players of team {number} are in another team too, and their games count only for that one: {}, the first in team {}",
            few(&elsewhere),
            teams.teams[*other].number
        ));
    }
    doubts
}

fn of_forfeit(teams: &Teams<'_>, forfeit: &TeamForfeit) -> Option<String> {
    let &TeamForfeit {
        round, white, black, ..
    } = forfeit;
    if white == black {
        return Some(format!(
            "330 has team {white} against itself; its match is a forfeit without an opponent"
        ));
    }
    for number in [white, black] {
        match teams.index_of(number) {
            None => return Some(format!("330 names team {number}, which no record 310 has")),
            Some(index) if teams.forfeit(index, round) != Some(forfeit) => {
                return Some(format!(
                    "another 330 has team {number} in round {round}; the first counts"
                ));
            }
            Some(_) => {}
        }
    }
    (teams.boards_agree(forfeit) == Some(false)).then(|| {
        format!(
            "the boards of teams {white} and {black} in round {round} do not agree with 330; the forfeit counts, for match \
             points and game points"
        )
    })
}

fn has_games(player: &PlayerRecord) -> bool {
    let is_game = |cell: &RoundCell| cell.opponent.is_some() || cell.result == Some(ResultCode::ForfeitWin);
    player.rounds.iter().any(is_game)
}

/// Compares the points of the records `310` with the matches, for match points and game points. Either may include
/// the byes of the next round and the virtual points of the last or the next one, and leave out a match that still
/// goes on.
fn points(tournament: &Tournament, teams: &Teams<'_>, played: u32) -> Vec<String> {
    let baku = if tournament.accelerations().next().is_none() && tournament.is_baku() {
        let win = teams.match_points(MatchSymbol::Win);
        rules::baku(teams.teams.len(), tournament.rounds().unwrap_or(played), win)
    } else {
        Vec::new()
    };
    let virtual_points = |index: usize, round: u32| {
        let number = teams.teams[index].number;
        let given = tournament.accelerations().filter(|given| {
            (given.rounds.first..=given.rounds.last).contains(&round)
                && (given.numbers.first..=given.numbers.last).contains(&number)
        });
        match given.last() {
            Some(given) => [given.match_points.unwrap_or_default(), given.points],
            None => {
                let of_round = (round as usize).checked_sub(1).and_then(|round| baku.get(round));
                let points = of_round.and_then(|places| places.get(index).copied());
                [points.unwrap_or_default(), Points::ZERO]
            }
        }
    };
    let mut differing = [Vec::new(), Vec::new()];
    for (index, team) in teams.teams.iter().enumerate() {
        let (mut sum, mut under_way) = ([Points::ZERO; 2], [Points::ZERO; 2]);
        for round in (1..=played).map(|round| teams.round(index, round)) {
            let gave = [round.points, round.game_points];
            for (which, &points) in gave.iter().enumerate() {
                sum[which] += points;
                if matches!(round.fate, RoundFate::Unfinished { .. }) {
                    under_way[which] += points;
                }
            }
        }
        for (sum, bonus) in sum.iter_mut().zip(teams.bonus(index, played)) {
            *sum += bonus;
        }
        let next = teams.without_opponent(index, played + 1);
        let next = [next.points, next.game_points];
        let virtual_points = [
            [Points::ZERO; 2],
            virtual_points(index, played),
            virtual_points(index, played + 1),
        ];
        for (which, stated) in [team.match_points, team.game_points].into_iter().enumerate() {
            let Some(stated) = stated else { continue };
            let sums = [sum[which], sum[which] - under_way[which], sum[which] + next[which]];
            let right = |more: &[Points; 2]| sums.contains(&(stated - more[which]));
            if !virtual_points.iter().any(right) {
                differing[which].push((team.number, stated, sum[which]));
            }
        }
    }
    let [match_points, game_points] = differing;
    let of_match = file::differing_points("match points", "team", match_points.into_iter());
    let of_games = file::differing_points("game points", "team", game_points.into_iter());
    of_match.into_iter().chain(of_games).collect()
}
