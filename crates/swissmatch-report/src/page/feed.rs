//! The event for other viewers: players, schedule, pairings, games, byes and standings round by round, flat and small. docs/page.md.
//!
//! It has what the page has and nothing else. May not: make HTML; know which games are being played.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;

use super::super::byes::note;
use super::super::standings::values;
use super::super::untrusted::{event as event_name, name};
use super::model::{board_name, boards};
use super::schedule::{RoundStart, lines};
use super::{PageSource, standing};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::{self, State};
use swissmatch_tournament::ties::event_is_over;

/// A feed, without the games that are being played.
#[derive(Clone, Debug)]
pub struct Feed(String);

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameUnderWay {
    pub id: GameId,
    pub white: PairingNumber,
    pub black: PairingNumber,
    /// When it began, RFC 3339 in UTC.
    pub begun: String,
}

#[derive(Serialize)]
struct FeedJson {
    schema: u32,
    event: String,
    over: bool,
    /// The event's progress, in words.
    standing: String,
    /// By pairing number.
    players: Vec<FeedPlayer>,
    rounds: Vec<FeedRound>,
    pairings: Vec<Pairing>,
    byes: Vec<Bye>,
    games: Vec<FeedGame>,
    standings: Vec<FeedStanding>,
}

#[derive(Serialize)]
struct FeedPlayer {
    number: PairingNumber,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i32>,
}

/// A round that was paired, or is known to be possible.
#[derive(Serialize)]
struct FeedRound {
    round: usize,
    paired: bool,
    over: bool,
    /// When it began, or begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    begins: Option<String>,
    /// The earliest time at which it begins.
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<String>,
    /// When its last game ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<String>,
}

#[derive(Serialize)]
struct Pairing {
    id: String,
    round: u32,
    playoff: u32,
    board: u32,
    /// White in game 1.
    white: PairingNumber,
    black: PairingNumber,
    /// Game points, as they count.
    white_points: String,
    black_points: String,
    over: bool,
}

#[derive(Serialize)]
struct Bye {
    round: usize,
    player: PairingNumber,
    note: &'static str,
}

#[derive(Serialize)]
struct FeedGame {
    id: GameId,
    pairing: String,
    white: PairingNumber,
    black: PairingNumber,
    result: Outcome,
    termination: &'static str,
    plies: u32,
}

/// A player's place after a round.
#[derive(Serialize)]
struct FeedStanding {
    round: usize,
    place: u32,
    player: PairingNumber,
    points: String,
    game_points: String,
    /// Every criterion with its value; an empty text where it is not defined.
    tie_breaks: BTreeMap<String, String>,
}

impl Feed {
    /// The feed of an event as it may be published.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn of(source: &PageSource<'_>) -> Self {
        let state = source.state;
        let document = FeedJson {
            schema: 1,
            event: event_name(state),
            over: event_is_over(state),
            standing: standing(state),
            players: state.numbers().map(|number| player(state, number)).collect(),
            rounds: rounds(source),
            pairings: pairings(state),
            byes: byes(state),
            games: games(state),
            standings: (1..=state.rounds().len())
                .flat_map(|round| rows(state, round))
                .collect(),
        };
        Self(serde_json::to_string(&document).expect("plain data"))
    }

    /// As JSON, without the games that are being played.
    pub fn text(&self) -> String {
        format!("{}\n", self.0)
    }

    /// As JSON, with the games that are being played.
    ///
    /// # Panics
    /// Never: they can be written.
    pub fn with_games_under_way(&self, games: &[GameUnderWay]) -> String {
        let games = serde_json::to_string(games).expect("plain data");
        let document = self.0.strip_suffix('}').expect("an object");
        format!("{document},\"under_way\":{games}}}\n")
    }
}

fn player(state: &State, number: PairingNumber) -> FeedPlayer {
    FeedPlayer {
        number,
        name: name(state, number),
        rating: state.player(number).rating(),
    }
}

fn rounds(source: &PageSource<'_>) -> Vec<FeedRound> {
    let state = source.state;
    let lines = lines(state, source.course).into_iter();
    let told = lines.map(|line| {
        let of = state.rounds().get(line.round - 1);
        let (begins, not_before) = match line.begins {
            RoundStart::At(at) => (Some(at.to_string()), None),
            RoundStart::NotBefore(at) => (None, Some(at.to_string())),
            RoundStart::After | RoundStart::Unknown => (None, None),
        };
        FeedRound {
            round: line.round,
            paired: of.is_some(),
            over: of.is_some_and(state::Round::is_over),
            begins,
            not_before,
            ended: line.ended.map(|at| at.to_string()),
        }
    });
    told.collect()
}

fn pairings(state: &State) -> Vec<Pairing> {
    let scoring = &state.setup().scoring;
    let told = boards(state).map(|(id, of)| {
        let points = |player| of.game_points(player, scoring).to_string();
        Pairing {
            id: board_name(id),
            round: id.round,
            playoff: id.playoff,
            board: id.board,
            white: of.pair.white,
            black: of.pair.black,
            white_points: points(of.pair.white),
            black_points: points(of.pair.black),
            over: of.is_over(),
        }
    });
    told.collect()
}

fn byes(state: &State) -> Vec<Bye> {
    let rounds = (1..).zip(state.rounds());
    let told = rounds.flat_map(|(number, round)| {
        round.pairing.byes().map(move |player| Bye {
            round: number,
            player,
            note: note(state, &round.pairing, player).trim(),
        })
    });
    told.collect()
}

fn games(state: &State) -> Vec<FeedGame> {
    let told = state.finished_games().map(|game| FeedGame {
        id: game.finished.id,
        pairing: board_name(game.finished.id),
        white: game.finished.white,
        black: game.finished.black,
        result: game.outcome(),
        termination: game.finished.termination.word(),
        plies: game.finished.plies,
    });
    told.collect()
}

fn rows(state: &State, round: usize) -> Vec<FeedStanding> {
    let standings = standings_after(state, round);
    let told = standings.rows.iter().map(|row| FeedStanding {
        round,
        place: row.place,
        player: row.player,
        points: row.points.to_string(),
        game_points: row.game_points.to_string(),
        tie_breaks: values(&standings, row)
            .into_iter()
            .map(|(criterion, value)| (criterion, value.map_or_else(String::new, |value| value.to_string())))
            .collect(),
    });
    told.collect()
}
