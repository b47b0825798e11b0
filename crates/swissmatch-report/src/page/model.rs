//! The page's data of an event beyond its tables, as JSON: docs/page.md. It is an allow-list: it has nothing of a command, a path, a
//! variable or what an agent wrote to standard error.
//!
//! May not: make HTML.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use super::super::analysis::settings;
use super::super::untrusted::{event as event_name, name};
use super::asked::CallTexts;
use super::meaning::{Match, of_match};
use super::reference::{AnalysedPlayer, of_player};
use super::{PageSource, Where};
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::analysis::tallies_after;
use swissmatch_tournament::figures::figures_after;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::orders::Departure;
use swissmatch_tournament::state::{EndedGame, MiniMatch, State};
use swissmatch_tournament::ties::event_is_over;

#[derive(Serialize)]
pub(super) struct Event {
    schema: u32,
    event: String,
    over: bool,
    /// By pairing number.
    players: Vec<PagePlayer>,
    /// In schedule order.
    mini_matches: Vec<PageMiniMatch>,
    /// The list that `endings` of a mini-match index: all that exist, so that each has the same index in every event.
    endings: Vec<PageTermination>,
    games: GameStorage,
    /// The folder beside the page that has them as scripts.
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<String>,
    /// How games were analysed, as part of a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    analysis: Option<String>,
    /// For an event of two players in one mini-match.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    of_two: Option<Match>,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "kebab-case")]
enum GameStorage {
    Inline,
    Files,
    Scripts,
    None,
}

#[derive(Serialize)]
struct PagePlayer {
    number: PairingNumber,
    name: String,
    /// `None` for a player who is not ranked; so is the next field.
    place: Option<String>,
    points: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    /// Why it is paired no more.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    analysed: Option<AnalysedPlayer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<CallTexts>,
}

/// A mini-match; colours alternate game by game.
#[derive(Serialize)]
struct PageMiniMatch {
    id: String,
    round: u32,
    playoff: u32,
    board: u32,
    /// White in game 1.
    white: PairingNumber,
    black: PairingNumber,
    /// Game points of both, as they count.
    points: [String; 2],
    over: bool,
    /// One character for each game.
    results: String,
    endings: Vec<Option<usize>>,
    plies: Vec<Option<u32>>,
}

#[derive(PartialEq, Serialize)]
struct PageTermination {
    word: &'static str,
    text: String,
    fault: Option<&'static str>,
}

pub(super) fn event(source: &PageSource<'_>) -> Event {
    let state = source.state;
    let endings = all_endings();
    let mini_matches = boards(state).map(|(id, of)| meeting(state, id, of, &endings)).collect();
    Event {
        schema: 1,
        event: event_name(state),
        over: event_is_over(state),
        players: players(state),
        mini_matches,
        endings,
        games: match &source.games {
            Where::Inside(games) if games.is_empty() => GameStorage::None,
            Where::Inside(_) => GameStorage::Inline,
            Where::Beside => GameStorage::Files,
            Where::Scripts(_) => GameStorage::Scripts,
        },
        folder: match &source.games {
            Where::Scripts(folder) => Some(folder.clone()),
            Where::Inside(_) | Where::Beside => None,
        },
        analysis: state.analysis().map(settings),
        of_two: of_match(state),
    }
}

/// The mini-match of a game, in the shape it has in the event; `None` if there is none.
pub fn mini_match(state: &State, id: GameId) -> Option<impl Serialize> {
    let of = state.mini_match(id)?;
    Some(meeting(state, id, of, &all_endings()))
}

/// All mini-matches in schedule order, each with the name of its first game.
pub fn boards(state: &State) -> impl Iterator<Item = (GameId, &MiniMatch)> {
    state.sittings().flat_map(|sitting| {
        let (round, playoff) = (sitting.round, sitting.playoff);
        (1..).zip(sitting.mini_matches).map(move |(board, mini_match)| {
            let game = 1;
            (
                GameId {
                    round,
                    playoff,
                    board,
                    game,
                },
                mini_match,
            )
        })
    })
}

/// The name of a mini-match: `3.2`, or `9p1.1` in a play-off.
pub fn board_name(id: GameId) -> String {
    match id.playoff {
        0 => format!("{}.{}", id.round, id.board),
        playoff => format!("{}p{playoff}.{}", id.round, id.board),
    }
}

fn players(state: &State) -> Vec<PagePlayer> {
    let standings = standings_after(state, state.rounds().len());
    let tallies = tallies_after(state, state.rounds().len());
    let analysed = |number: PairingNumber| of_player(state, tallies.as_ref()?.get(number.index())?);
    let figures = figures_after(state, state.rounds().len());
    let player = |number: PairingNumber| {
        let row = standings.rows.iter().find(|row| row.player == number);
        PagePlayer {
            number,
            name: name(state, number),
            place: row.map(|row| row.place.to_string()),
            points: row.map(|row| row.points.to_string()),
            rating: state.player(number).rating,
            author: state.player(number).author.as_deref().map(harmless),
            out: state.orders().gone.get(&number).map(|gone| match gone {
                Departure::Withdrawn => "withdrawn",
                Departure::Disqualified { .. } => "disqualified",
            }),
            analysed: analysed(number),
            asked: row.and_then(|row| CallTexts::of(state, number, row, &figures[number.index()])),
        }
    };
    state.numbers().map(player).collect()
}

fn meeting(state: &State, id: GameId, mini_match: &MiniMatch, endings: &[PageTermination]) -> PageMiniMatch {
    let (pair, scoring) = (mini_match.pair, &state.setup().scoring);
    let games: Vec<Option<EndedGame>> = mini_match.games.iter().collect();
    let place = |game: &EndedGame| {
        let ending = ending(game.finished.termination, game.ruled.is_some());
        endings.iter().position(|known| *known == ending)
    };
    let plies = |game: &Option<EndedGame>| game.as_ref().map(|game| game.finished.plies);
    PageMiniMatch {
        id: board_name(id),
        round: id.round,
        playoff: id.playoff,
        board: id.board,
        white: pair.white,
        black: pair.black,
        points: [pair.white, pair.black].map(|player| mini_match.game_points(player, scoring).to_string()),
        over: mini_match.is_over(),
        results: games.iter().map(|game| game.as_ref().map_or('.', result)).collect(),
        endings: games.iter().map(|game| game.as_ref().and_then(place)).collect(),
        plies: games.iter().map(plies).collect(),
    }
}

fn result(game: &EndedGame) -> char {
    match game.outcome() {
        Outcome::WhiteWins => '1',
        Outcome::BlackWins => '0',
        Outcome::Draw => '=',
        Outcome::BothLose | Outcome::Void => '-',
    }
}

/// Every way in which a game may end, each once.
fn all_endings() -> Vec<PageTermination> {
    let mut endings = Vec::new();
    for is_ruled in [false, true] {
        for ending in Termination::all().map(|termination| ending(termination, is_ruled)) {
            if !endings.contains(&ending) {
                endings.push(ending);
            }
        }
    }
    endings
}

/// A game's termination, and whether the arbiter ruled its result.
fn ending(termination: Termination, is_ruled: bool) -> PageTermination {
    let faults = Side::BOTH.map(|side| termination.is_fault_of(side));
    PageTermination {
        word: termination.word(),
        text: termination.word().replace('-', " ") + if is_ruled { ", then ruled by the arbiter" } else { "" },
        fault: match faults {
            [true, true] => Some("both"),
            [true, false] => Some("white"),
            [false, true] => Some("black"),
            [false, false] => None,
        },
    }
}
