//! The view of an event in which an engine is a player and a mini-match one result.
//!
//! May not: look into games beyond whether one was played.

use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::results::{Bye, MatchResult, PlayerResults, PlayerRound, RoundFate};
use swiss_system::trf::{Header, PlayerRecord, Record, ResultCode, RoundCell, Tournament};

use super::{
    COLORS, MOST_PLAYERS, TrfExportError, about_the_event, about_the_places, absence, accelerations, ascii, counted,
    header, kind_in_words, of_players, point_values, rating, type_code,
};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::{has_byes, results_after};
use swissmatch_tournament::state::{MiniMatch, Round, State};

/// Characters of a player's name.
const NAME_WIDTH: usize = 33;

/// One `001` line an engine, by pairing number; one letter a mini-match, by match points, with the colour of its first
/// game. Points and places are those of the standings after these rounds: the first `rounds` ones, or all that are over.
///
/// A mini-match of which no game was played is `+` and `-`, or `-` for both where both lost it. Level all the same (each
/// engine failed to start in as many games), it is `D`, the letter for a draw in less than a move: the format has none
/// for a drawn forfeit.
///
/// # Errors
/// [`TrfExportError`] for too many players, and for absences that are not worth what a forfeit lost is.
///
/// # Panics
/// Never: who has a result is in the pairing.
pub fn individual(state: &State, rounds: usize) -> Result<Tournament, TrfExportError> {
    let count = state.player_count();
    if count > MOST_PLAYERS {
        return Err(TrfExportError::Players(count));
    }
    let rounds = counted(state, rounds);
    let cells = cells(state, rounds);
    let standings = standings_after(state, rounds.len());
    let mut players: Vec<PlayerRecord> = state
        .numbers()
        .zip(cells)
        .map(|(number, rounds)| PlayerRecord {
            number: number.0,
            name: ascii(&state.player(number).name, NAME_WIDTH),
            rating: rating(state, number),
            rounds,
            ..PlayerRecord::default()
        })
        .collect();
    for row in &standings.rows {
        let player = &mut players[row.player.index()];
        (player.points, player.rank) = (Some(row.points), Some(row.place));
    }
    // A player who is not listed has points, but no rank.
    for (player, had) in players.iter_mut().zip(&results_after(state, rounds.len()).players) {
        let points = had.rounds.iter().map(|round| round.points).sum();
        player.points.get_or_insert(points);
    }
    let rated = players.iter().filter(|player| player.rating.is_some()).count();
    let points = state.setup().scoring.r#match;
    let absence = absence(players.iter().flat_map(|player| &player.rounds), points.loss)?;
    let had_one = rounds.iter().any(|round| round.pairing.byes().next().is_some());
    let may_have_one = count % 2 == 1 && has_byes(state);
    let bye = (may_have_one || had_one).then_some(state.setup().bye.match_points);

    let mut records = about_the_event(state, rounds.len());
    records.extend(about_the_places(state, &standings));
    records.extend([
        header(Header::Players, count.to_string()),
        header(Header::RatedPlayers, rated.to_string()),
        header(Header::Type, format!("Individual: {}", kind_in_words(state))),
        header(Header::TypeCode, type_code(state)),
    ]);
    records.extend(point_values(points, absence, bye));
    records.extend(accelerations(state).into_iter().map(of_players));
    records.extend(players.into_iter().map(|player| Record::Player(Box::new(player))));
    let mut tournament = Tournament { records };
    tournament.put_in_order();
    Ok(tournament)
}

/// The cells of each player in the first rounds, which are over.
fn cells(state: &State, rounds: &[Round]) -> Vec<Vec<RoundCell>> {
    let results = results_after(state, rounds.len());
    let is_of_table = state.created().format != TournamentFormat::Swiss;
    let unpaired = |round: &PlayerRound| match round.fate {
        RoundFate::Free if is_of_table => RoundCell::BLANK,
        fate => RoundCell::bye(unpaired(fate)),
    };
    let of_player = |had: &PlayerResults| had.rounds.iter().map(unpaired).collect();
    let mut cells: Vec<Vec<RoundCell>> = results.players.iter().map(of_player).collect();
    for (index, round) in rounds.iter().enumerate() {
        for board in &round.mini_matches {
            let (white, black) = (board.pair.white, board.pair.black);
            for ((player, opponent), color) in [(white, black), (black, white)].into_iter().zip(COLORS) {
                let had = &results.players[player.index()].rounds[index];
                // An annulled result stays a round without an opponent.
                if let Some(letter) = letter(had, board) {
                    cells[player.index()][index] = RoundCell::against(opponent.0, color, letter);
                }
            }
        }
    }
    // Blanks at the end of a line mean nothing.
    for cells in &mut cells {
        let last = cells.iter().rposition(|cell| !cell.is_blank());
        cells.truncate(last.map_or(0, |last| last + 1));
    }
    cells
}

/// The letter of a round without an opponent.
const fn unpaired(fate: RoundFate) -> ResultCode {
    match fate {
        RoundFate::Bye(Bye::PairingAllocated) => ResultCode::PairingAllocatedBye,
        RoundFate::Bye(Bye::FullPoint) => ResultCode::FullPointBye,
        RoundFate::Bye(Bye::HalfPoint) => ResultCode::HalfPointBye,
        _ => ResultCode::ZeroPointBye,
    }
}

/// The letter of a finished mini-match; `None` if none fits.
fn letter(had: &PlayerRound, board: &MiniMatch) -> Option<ResultCode> {
    let mut games = board.games.iter().flatten();
    let played = games.any(|game| game.finished.termination.was_played());
    Some(match (had.fate.result()?, played) {
        (MatchResult::Won, true) => ResultCode::Win,
        (MatchResult::Drawn, true) => ResultCode::Draw,
        (MatchResult::Lost, true) => ResultCode::Loss,
        (MatchResult::Won, false) => ResultCode::ForfeitWin,
        (MatchResult::Drawn, false) => ResultCode::ShortDraw,
        (MatchResult::Lost, false) => ResultCode::ForfeitLoss,
    })
}
