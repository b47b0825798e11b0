//! The view of an event in which an engine is a team and a game of a mini-match a board.
//!
//! May not: decide who won a mini-match; the file's reader does that from the boards.

use super::{
    COLORS, MOST_PLAYERS, TrfExportError, about_the_event, about_the_places, absence, accelerations, ascii, counted,
    header, kind_in_words, point_values, rating, unlisted,
};
use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Score;
use swiss_system::standings::results::{Bye, Results, RoundFate};
use swiss_system::trf::{
    AbnormalPoints, Acceleration, ByeKind, Byes, Header, MatchSymbol, PlayerRecord, PointSystem, Record, ResultCode,
    RoundCell, Team, TeamByes, Tournament,
};

use swissmatch_game::Side;
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::{EndedGame, Round, State};

/// The largest number of a team.
pub(super) const MOST_TEAMS: usize = 999;
/// The largest number of a team's first player that all readers of `310` accept.
const LARGEST_FIRST: usize = 999;
const TEAM_NAME_WIDTH: usize = 32;
const PLAYER_NAME_WIDTH: usize = 33;

/// The players on each board: numbers from 1.
#[derive(Clone, Copy)]
struct Boards {
    teams: usize,
    boards: usize,
}

impl Boards {
    /// Numbers go team by team, or board by board if a team's first player would have a number above 999.
    const fn number(self, team: PairingNumber, board: usize) -> usize {
        if self.is_by_team() {
            team.index() * self.boards + board + 1
        } else {
            board * self.teams + team.index() + 1
        }
    }

    const fn is_by_team(self) -> bool {
        self.teams.saturating_sub(1) * self.boards < LARGEST_FIRST
    }

    const fn players(self) -> usize {
        self.teams * self.boards
    }
}

/// One `310` line an engine, by pairing number, and one `001` line for each of its boards: game k of a mini-match is
/// board k, so that colours go `WBWB` from the engine that has White in game 1.
///
/// With B games in a mini-match, board k of team t is player (t−1)·B + k. Some programs read a team's first player only
/// where its number is below 1000; where that would not be so, it is player (k−1)·N + t, with N teams.
///
/// Match points, game points and places are those of the standings after these rounds: the first `rounds` ones, or all that
/// are over. A bye is in `320` alone, with what it is worth.
///
/// # Errors
/// [`TrfExportError`] for too many teams or boards.
pub fn teams(state: &State, rounds: usize) -> Result<Tournament, TrfExportError> {
    let boards = Boards {
        teams: state.player_count(),
        boards: state.setup().mini_match.games as usize,
    };
    if boards.teams > MOST_TEAMS || boards.players() > MOST_PLAYERS {
        return Err(TrfExportError::Boards {
            teams: boards.teams,
            boards: boards.boards,
        });
    }
    let rounds = counted(state, rounds);
    let results = results_after(state, rounds.len());
    if !can_be_said(state, rounds, &results) {
        return Err(TrfExportError::Rounds);
    }
    let points = state.setup().scoring.game;
    let mut players = players(state, rounds, boards);
    let absence = absence(players.iter().flat_map(|player| &player.rounds), points.loss)?;
    let values = point_values(points, absence, None);
    let system = PointSystem::from_records(values.as_slice());
    for player in &mut players {
        let cells = player.rounds.iter().filter(|cell| !cell.is_blank());
        player.points = Some(cells.map(|&cell| system.of_round(cell)).sum());
    }

    let mut records = about_the_event(state, rounds.len());
    records.extend(headers(state, boards, &players));
    records.extend(values);
    records.extend(accelerations(state).into_iter().map(|(rounds, numbers, points)| {
        Record::Acceleration(Acceleration {
            match_points: Some(points),
            points: Points::ZERO,
            rounds,
            numbers,
        })
    }));
    records.extend(byes(state, rounds, &results));
    records.extend(granted(state, &results));
    records.extend(players.into_iter().map(|player| Record::Player(Box::new(player))));
    let standings = standings_after(state, rounds.len());
    records.extend(about_the_places(state, &standings));
    records.extend(standings.rows.iter().map(|row| {
        Record::Team(Box::new(Team {
            match_points: Some(row.points),
            game_points: Some(row.game_points),
            rank: Some(row.place),
            ..team(state, boards, row.player)
        }))
    }));
    // A team that is not listed has no rank.
    records.extend(unlisted(state, &standings).map(|number| {
        let had = &results.players[number.index()].rounds;
        Record::Team(Box::new(Team {
            match_points: Some(had.iter().map(|round| round.points).sum()),
            game_points: Some(had.iter().map(|round| round.game_points).sum()),
            ..team(state, boards, number)
        }))
    }));
    let mut tournament = Tournament { records };
    tournament.put_in_order();
    Ok(tournament)
}

/// Checks that a file of teams can say everything about these rounds.
fn can_be_said(state: &State, rounds: &[Round], results: &Results) -> bool {
    let mut fates = results.players.iter().flat_map(|player| &player.rounds);
    let is_void = |game: &EndedGame| game.outcome() == Outcome::Void;
    let has_two_byes = |round: &Round| !round.pairing.further_byes.is_empty();
    !fates.any(|round| matches!(round.fate, RoundFate::Annulled))
        && !state.finished_games().any(|game| is_void(&game))
        && !rounds.iter().any(has_two_byes)
}

/// The headers: numbers, type, colours, and the worth of a match.
fn headers(state: &State, boards: Boards, players: &[PlayerRecord]) -> [Record; 7] {
    let setup = state.setup();
    let rated = players.iter().filter(|player| player.rating.is_some()).count();
    let type_code = match state.created().format {
        TournamentFormat::Swiss => match setup.pairing_score() {
            Score::Match => "CUSTOM_TEAM_SWISS_MP",
            Score::Game => "CUSTOM_TEAM_SWISS_GP",
        },
        TournamentFormat::AllPlayAll => "FIDE_TEAM_ROUNDROBIN",
        TournamentFormat::Gauntlet => "CUSTOM_TEAM_GAUNTLET",
        TournamentFormat::Knockout => "CUSTOM_TEAM_KNOCKOUT",
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => "CUSTOM_TEAM",
    };
    [
        header(Header::Players, players.len().to_string()),
        header(Header::RatedPlayers, rated.to_string()),
        header(Header::Teams, boards.teams.to_string()),
        header(Header::Type, format!("Team: {}", kind_in_words(state))),
        header(Header::TypeCode, type_code),
        Record::BoardColors(COLORS.into_iter().cycle().take(boards.boards).collect()),
        Record::MatchValues(vec![
            (MatchSymbol::Win, setup.scoring.r#match.win),
            (MatchSymbol::Draw, setup.scoring.r#match.draw),
            (MatchSymbol::Loss, setup.scoring.r#match.loss),
        ]),
    ]
}

/// A team without points: its name and its boards.
fn team(state: &State, boards: Boards, team: PairingNumber) -> Team {
    let number = |board| u32::try_from(boards.number(team, board)).expect("four digits");
    Team {
        number: team.0,
        name: ascii(&state.player(team).name, TEAM_NAME_WIDTH),
        strength: rating(state, team).map_or_else(String::new, |rating| rating.to_string()),
        players: (0..boards.boards).map(number).collect(),
        ..Team::default()
    }
}

/// The lines of the boards in order of their numbers, without points.
fn players(state: &State, rounds: &[Round], boards: Boards) -> Vec<PlayerRecord> {
    let mut players = vec![PlayerRecord::default(); boards.players()];
    for team in state.numbers() {
        for board in 0..boards.boards {
            let number = boards.number(team, board);
            let suffix = format!(" #{}", board + 1);
            let name = ascii(&state.player(team).name, PLAYER_NAME_WIDTH - suffix.len());
            players[number - 1] = PlayerRecord {
                number: u32::try_from(number).expect("four digits"),
                name: name + &suffix,
                rating: rating(state, team),
                rounds: vec![RoundCell::BLANK; rounds.len()],
                ..PlayerRecord::default()
            };
        }
    }
    for (index, round) in rounds.iter().enumerate() {
        for (board, game) in round
            .mini_matches
            .iter()
            .flat_map(|mini_match| (0..).zip(mini_match.games.iter().flatten()))
        {
            let numbers = [game.finished.white, game.finished.black].map(|team| boards.number(team, board));
            for ((side, color), (number, opponent)) in Side::BOTH
                .into_iter()
                .zip(COLORS)
                .zip([(numbers[0], numbers[1]), (numbers[1], numbers[0])])
            {
                let opponent = u32::try_from(opponent).expect("four digits");
                players[number - 1].rounds[index] = RoundCell::against(opponent, color, letter(&game, side));
            }
        }
    }
    for player in &mut players {
        let paired = player.rounds.iter().rposition(|cell| !cell.is_blank());
        player.rounds.truncate(paired.map_or(0, |last| last + 1));
    }
    players
}

/// The letter of a game for one side.
fn letter(game: &EndedGame, side: Side) -> ResultCode {
    let won = game.outcome() == Outcome::win(side);
    match (game.outcome(), game.finished.termination.was_played()) {
        (Outcome::Draw, _) => ResultCode::Draw,
        (_, true) if won => ResultCode::Win,
        (_, true) => ResultCode::Loss,
        (_, false) if won => ResultCode::ForfeitWin,
        (_, false) => ResultCode::ForfeitLoss,
    }
}

/// `240`, the full-point and half-point byes, and `299`, their worth, if that is not a won or a drawn match on all boards.
fn granted(state: &State, results: &Results) -> Vec<Record> {
    let setup = state.setup();
    let (of_match, of_games) = (setup.scoring.r#match, setup.scoring.game.times(setup.mini_match.games));
    let kinds = [
        (
            Bye::FullPoint,
            ByeKind::Full,
            ResultCode::FullPointBye,
            (of_match.win, of_games.win),
        ),
        (
            Bye::HalfPoint,
            ByeKind::Half,
            ResultCode::HalfPointBye,
            (of_match.draw, of_games.draw),
        ),
    ];
    let mut records = Vec::new();
    for (index, round) in (1..).take(results.rounds()).enumerate() {
        for (bye, kind, letter, usual) in kinds {
            let mut by_worth: BTreeMap<(Points, Points), Vec<u32>> = BTreeMap::new();
            for (player, had) in state.numbers().zip(&results.players) {
                let had = &had.rounds[index];
                if had.fate == RoundFate::Bye(bye) {
                    by_worth
                        .entry((had.points, had.game_points))
                        .or_default()
                        .push(player.0);
                }
            }
            let mut numbers: Vec<u32> = by_worth.values().flatten().copied().collect();
            numbers.sort_unstable();
            if numbers.is_empty() {
                continue;
            }
            records.push(Record::Byes(Byes { kind, round, numbers }));
            let unusual = by_worth.into_iter().filter(|(worth, _)| *worth != usual);
            records.extend(unusual.map(|((match_points, points), numbers)| {
                Record::AbnormalPoints(AbnormalPoints {
                    result: Some(letter),
                    match_points: Some(match_points),
                    points: Some(points),
                    round: Some(round),
                    numbers,
                })
            }));
        }
    }
    records
}

/// `320`, if anybody had a bye with the worth that it states.
fn byes(state: &State, rounds: &[Round], results: &Results) -> Option<Record> {
    let is_bye = |team: PairingNumber, round: usize| {
        results.players[team.index()].rounds[round].fate == RoundFate::Bye(Bye::PairingAllocated)
    };
    let of_round = |(index, round): (usize, &Round)| round.pairing.bye.filter(|&team| is_bye(team, index));
    let teams: Vec<Option<u32>> = rounds
        .iter()
        .enumerate()
        .map(|round| of_round(round).map(|team| team.0))
        .collect();
    let setup = state.setup();
    let (match_points, game_points) = setup.bye_points().in_round(setup.mini_match.games);
    teams.iter().any(Option::is_some).then_some(Record::TeamByes(TeamByes {
        match_points: Some(match_points),
        game_points: Some(game_points),
        teams,
    }))
}
