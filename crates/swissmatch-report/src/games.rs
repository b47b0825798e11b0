//! Lists of games: those that have ended, and the pairings of a round with their results.
//!
//! May not: know moves.

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;
use swissmatch_tournament::part::section_name;

use super::byes;
use super::progress::RoundProgress;
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::resource::Resource;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::state::{EndedGame, State};

/// A table of games that have ended.
pub fn table(state: &State, games: &[EndedGame]) -> Table {
    let columns = vec![
        Column::figures("Round"),
        Column::figures("Board"),
        Column::figures("Game"),
        Column::names("White"),
        Column::names("Black"),
        Column::words("Result"),
        Column::words("Termination"),
        Column::words("Fault of"),
        Column::figures("Plies played"),
        Column::words("Ruling"),
        Column::words("Ended as"),
        Column::words("Annulled"),
        Column::figures("Replays"),
    ];
    let rows = games.iter().map(|game| {
        let GameId {
            round,
            playoff,
            board,
            game: number,
        } = game.finished.id;
        vec![
            match playoff {
                0 => round.to_string(),
                playoff => format!("{round}p{playoff}"),
            },
            board.to_string(),
            number.to_string(),
            name(state, game.finished.white),
            name(state, game.finished.black),
            game.outcome().word().to_owned(),
            game.finished.termination.word().to_owned(),
            fault_of(game.finished.termination).unwrap_or_default().to_owned(),
            game.finished.plies.to_string(),
            Ruling::on(game).map(Ruling::name).unwrap_or_default().to_owned(),
            ended_as(game).map_or_else(String::new, |ended| format!("{}, {}", ended.result, ended.termination)),
            annulled(state, game).map_or("", |_| "yes").to_owned(),
            replays(state, game).to_string(),
        ]
    });
    Table {
        columns,
        rows: rows.collect(),
    }
}

/// Games that have ended, as a JSON object.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, games: &[EndedGame]) -> String {
    let games = games.iter().map(|game| FinishedGameJson::new(state, game)).collect();
    let document = GamesJson {
        schema: 1,
        event: event(state),
        games,
    };
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}

/// The pairings of a round (from 1) with the results so far; `None` before it is paired.
pub fn round(state: &State, number: usize) -> Option<Page> {
    let round = state.rounds().get(number.checked_sub(1)?)?;
    let scoring = &state.setup().scoring;
    let rows = (1..).zip(&round.mini_matches).map(|(board, mini_match): (usize, _)| {
        let pair = mini_match.pair;
        let points = |player| mini_match.game_points(player, scoring);
        let played = mini_match.games.iter().flatten().count();
        vec![
            board.to_string(),
            section_name(state, pair.white).map(harmless).unwrap_or_default(),
            name(state, pair.white),
            if played == 0 {
                String::new()
            } else {
                format!("{} – {}", points(pair.white), points(pair.black))
            },
            name(state, pair.black),
            format!("{played} of {}", mini_match.games.len()),
            if pair.repeat { "met before" } else { "" }.to_owned(),
        ]
    });
    let mut columns = vec![
        Column::figures("Board"),
        Column::names("Section").goes(1),
        Column::names("White in game 1"),
        Column::words("Game points"),
        Column::names("Black in game 1"),
        Column::words("Played").goes(0),
        Column::words("Note").goes(2),
    ];
    let mut rows: Vec<Vec<String>> = rows.collect();
    if !round.pairing.pairs.iter().any(|pair| pair.repeat) {
        columns.pop();
        for row in &mut rows {
            row.pop();
        }
    }
    if state.created().format != TournamentFormat::Sections {
        columns.remove(1);
        for row in &mut rows {
            row.remove(1);
        }
    }
    let RoundProgress { played, games, .. } = RoundProgress::new(number, round);
    let rounds = state.created().rounds;
    let bye = |player| name(state, player) + byes::note(state, &round.pairing, player);
    let byes: Vec<String> = round.pairing.byes().map(bye).collect();
    let byes = match byes.as_slice() {
        [] => None,
        [one] => Some(format!("Bye: {one}.")),
        several => Some(format!("Byes: {}.", several.join("; "))),
    };
    Some(Page {
        title: format!(
            "{}: round {number} of {rounds}, {played} of {} played",
            event(state),
            count::of(games, "game", "games")
        ),
        table: Table { columns, rows },
        notes: byes.into_iter().collect(),
    })
}

fn fault_of(termination: Termination) -> Option<&'static str> {
    match Side::BOTH.map(|side| termination.is_fault_of(side)) {
        [true, true] => Some("both"),
        [true, false] => Some("white"),
        [false, true] => Some("black"),
        [false, false] => None,
    }
}

/// What the arbiter did to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ruling {
    /// Gave it a result before it ended.
    Adjudicated,
    /// Set its result.
    Set,
    Void,
}

impl Ruling {
    pub(super) fn on(game: &EndedGame) -> Option<Self> {
        match (game.ruled, game.outcome(), game.finished.termination) {
            (Some(_), Outcome::Void, _) => Some(Self::Void),
            (Some(_), ..) => Some(Self::Set),
            (None, _, Termination::ArbiterAdjudication | Termination::Awarded) => Some(Self::Adjudicated),
            (None, ..) => None,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Adjudicated => "adjudicated",
            Self::Set => "set",
            Self::Void => "void",
        }
    }
}

/// How a game ended whose result the arbiter changed.
fn ended_as(game: &EndedGame) -> Option<OriginalEnding> {
    game.ruled?;
    Some(OriginalEnding {
        result: game.finished.outcome.word(),
        termination: game.finished.termination.word(),
    })
}

/// The player, White first, whose results, including this one, are annulled.
pub(super) fn annulled(state: &State, game: &EndedGame) -> Option<PairingNumber> {
    let orders = state.orders();
    [game.finished.white, game.finished.black]
        .into_iter()
        .find(|&player| orders.is_annulled(player))
}

/// How often the arbiter had a game played again. Lists have its last playing.
pub(super) fn replays(state: &State, game: &EndedGame) -> u32 {
    state
        .orders()
        .replayed
        .get(&game.finished.id)
        .copied()
        .unwrap_or_default()
}

#[derive(Serialize)]
struct GamesJson {
    schema: u32,
    event: String,
    games: Vec<FinishedGameJson>,
}

/// A game in JSON.
#[derive(Serialize)]
pub struct FinishedGameJson {
    /// Its name, `ROUND.BOARD.GAME`.
    pub id: String,
    pub round: u32,
    /// The play-off round after that round; 0 in the round itself.
    pub playoff: u32,
    pub board: u32,
    pub game: u32,
    pub white: String,
    pub black: String,
    pub white_pairing_number: u32,
    pub black_pairing_number: u32,
    pub result: &'static str,
    pub termination: &'static str,
    /// The resource of which the loser used more than its limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<Resource>,
    /// `white`, `black`, `both`, or `null`.
    pub fault_of: Option<&'static str>,
    pub plies: u32,
    /// Failed attempts at moves, White's and Black's.
    pub failed_attempts: [u32; 2],
    /// `set`, `void`, `adjudicated`, or `null`.
    pub ruling: Option<&'static str>,
    /// How it had ended by itself, if the arbiter set the result or voided it.
    pub ended_as: Option<OriginalEnding>,
    /// Whether a player's results, including this one, are annulled.
    pub annulled: bool,
    /// How often it was played again by order of the arbiter.
    pub replays: u32,
}

/// How a game had ended by itself.
#[derive(Serialize)]
pub struct OriginalEnding {
    pub result: &'static str,
    pub termination: &'static str,
}

impl FinishedGameJson {
    pub fn new(state: &State, game: &EndedGame) -> Self {
        Self {
            id: game.finished.id.to_string(),
            round: game.finished.id.round,
            playoff: game.finished.id.playoff,
            board: game.finished.id.board,
            game: game.finished.id.game,
            white: name(state, game.finished.white),
            black: name(state, game.finished.black),
            white_pairing_number: game.finished.white.0,
            black_pairing_number: game.finished.black.0,
            result: game.outcome().word(),
            termination: game.finished.termination.word(),
            resource: game.finished.termination.resource(),
            fault_of: fault_of(game.finished.termination),
            plies: game.finished.plies,
            failed_attempts: game.finished.failed_attempts,
            ruling: Ruling::on(game).map(Ruling::name),
            ended_as: ended_as(game),
            annulled: annulled(state, game).is_some(),
            replays: replays(state, game),
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;

    #[test]
    fn all_that_ended() {
        let state = fixture::third_round_begun();
        let games: Vec<_> = state.finished_games().collect();
        assert_snapshot!(table(&state, &games).text(None), @"
        Round  Board  Game  White    Black    Result   Termination           Fault of  Plies played  Ruling  Ended as  Annulled  Replays
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
            1      1     1  Alpha    Charlie  1-0      checkmate                                 61                                    0
            1      1     2  Charlie  Alpha    1/2-1/2  threefold-repetition                      48                                    0
            1      2     1  Bravo    Delta    1-0      checkmate                                 55                                    0
            1      2     2  Delta    Bravo    0-1      time-forfeit          white               12                                    0
            2      1     1  Echo     Alpha    1-0      checkmate                                 71                                    0
            2      1     2  Alpha    Echo     1-0      crash                 black               30                                    0
            2      2     1  Charlie  Bravo    1-0      illegal-move          black                9                                    0
            2      2     2  Bravo    Charlie  1/2-1/2  move-cap                                 400                                    0
            3      1     1  Charlie  Alpha    1-0      checkmate                                 77                                    0
            3      2     1  Delta    Echo     1-0      not-started           black                0                                    0
        ");
    }

    #[test]
    fn json_has_every_game() {
        let state = fixture::third_round_begun();
        let text = json(&state, &state.finished_games().collect::<Vec<_>>());
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(value["schema"], 1);
        let games = value["games"].as_array().expect("a list");
        assert_eq!(games.len(), 10);
        assert_snapshot!(serde_json::to_string(&games[3]).expect("JSON"), @r#"{"annulled":false,"black":"Bravo","black_pairing_number":2,"board":2,"ended_as":null,"failed_attempts":[3,0],"fault_of":"white","game":2,"id":"1.2.2","playoff":0,"plies":12,"replays":0,"result":"0-1","round":1,"ruling":null,"termination":"time-forfeit","white":"Delta","white_pairing_number":4}"#);
    }

    #[test]
    fn a_round_that_is_over() {
        assert_snapshot!(round(&fixture::two_rounds(), 1).expect("paired").text(None), @"
        Spring qualifier: round 1 of 3, 4 of 4 games played

        Board  White in game 1  Game points  Black in game 1  Played
        ────────────────────────────────────────────────────────────
            1  Alpha            1.5 – 0.5    Charlie          2 of 2
            2  Bravo            2 – 0        Delta            2 of 2

        Bye: Echo.
        ");
    }

    #[test]
    fn a_round_being_played() {
        assert_snapshot!(round(&fixture::third_round_begun(), 3).expect("paired").text(None), @"
        Spring qualifier: round 3 of 3, 2 of 4 games played

        Board  White in game 1  Game points  Black in game 1  Played  Note
        ────────────────────────────────────────────────────────────────────────
            1  Charlie          1 – 0        Alpha            1 of 2  met before
            2  Delta            1 – 0        Echo             1 of 2

        Bye: Bravo.
        ");
    }

    #[test]
    fn rounds_that_are_not_paired() {
        let state = fixture::two_rounds();
        assert_eq!((round(&state, 0), round(&state, 3)), (None, None));
    }

    #[test]
    fn a_game_that_both_lost() {
        assert_eq!(Outcome::BothLose.word(), "0-0");
        assert_eq!(fault_of(Termination::NeitherStarted), Some("both"));
    }
}
