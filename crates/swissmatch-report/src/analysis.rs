//! A reference engine's view of the moves: a table of players, a list of games, JSON, and the note below the standings.
//!
//! May not: evaluate or count anything.

use std::path::Path;

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;
use swissmatch_tournament::analysis::{QualityTally, Tallies, analysed_after, tallies_after};

use super::decimal::Decimal;
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_game::evaluation::ScoreChoice;
use swissmatch_game::record::GameId;
use swissmatch_game::time_control::write_duration;
use swissmatch_tournament::log::{FileHash, Quality};
use swissmatch_tournament::setup::{AnalysisKeys, Mean};
use swissmatch_tournament::state::{Analysis, State};

/// The beginning of a note on columns that only an analysis fills.
const MISSING: &str = "Left out until the games are analysed (`swissmatch analyse`)";
const HASH_DIGITS: usize = 12;

/// Tenths as a decimal: `234` is `23.4`.
pub fn tenths(value: u64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

/// A player's average centipawn loss, by the mean that the analysis takes.
pub(super) fn acpl(state: &State, tally: &QualityTally) -> Option<String> {
    let mean = state.analysis()?.begun.keys.mean;
    tally.acpl(mean).map(tenths)
}

/// A note on how the analysis was made, and how much of the first `rounds` rounds it covers; `None` without one.
pub(super) fn note(state: &State, rounds: usize) -> Option<String> {
    let analysis = state.analysis()?;
    let (games, done) = analysed_after(state, rounds);
    let so_far = match done == games {
        true => String::new(),
        false => format!(
            " So far {done} of {} analysed.",
            count::of(games, "game is", "games are")
        ),
    };
    Some(format!("ACPL: {}.{so_far}", settings(analysis)))
}

/// A note that these columns are left out, where nothing has been analysed; `None` without such columns.
pub(super) fn missing(headers: &[String]) -> Option<String> {
    (!headers.is_empty()).then(|| format!("{MISSING}: {}.", headers.join(", ")))
}

/// Whether a note was made by [`missing`].
pub(super) fn is_missing(note: &str) -> bool {
    note.starts_with(MISSING)
}

/// How the analysis was made, as part of a sentence:
/// `Stockfish 16 (SHA-256 0123456789ab…), 100000 nodes a position, evaluations clamped to ±1000, mean over all moves`
pub(super) fn settings(analysis: &Analysis) -> String {
    let keys = &analysis.begun.keys;
    let engine = match analysis.begun.engine.files.first() {
        Some(file) => format!(
            "{} (SHA-256 {}…)",
            engine_name(analysis),
            file.sha256.get(..HASH_DIGITS).unwrap_or(&file.sha256)
        ),
        None => engine_name(analysis),
    };
    let nodes = keys.nodes.map(|nodes| format!("{nodes} nodes a position"));
    let depth = keys.depth.map(|depth| format!("depth {depth}"));
    let bounds: Vec<String> = nodes.into_iter().chain(depth).collect();
    let mean = match keys.mean {
        Mean::Moves => "mean over all moves",
        Mean::Games => "mean of the games' means",
    };
    let resignation = keys.resignation_move.map_or_else(String::new, |lost| {
        format!(", a fault that ends a game counts as one more move that loses {lost}")
    });
    let scores = match keys.scores {
        ScoreChoice::Last => "",
        ScoreChoice::Exact => "exact scores only, ",
    };
    format!(
        "{engine}, {}, {scores}evaluations clamped to ±{}, {mean}{resignation}",
        bounds.join(" and "),
        keys.clamp
    )
}

/// The engine's own name; if it gave none, the name of its file without its directory.
fn engine_name(analysis: &Analysis) -> String {
    let introduction = analysis.begun.engine.introduction.as_ref();
    let named = introduction
        .map(|said| harmless(&said.name))
        .filter(|name| !name.is_empty());
    named.unwrap_or_else(|| {
        let file = Path::new(&analysis.begun.keys.command).file_name();
        file.map_or_else(
            || "an engine without a name".to_owned(),
            |name| harmless(&name.to_string_lossy()),
        )
    })
}

struct AnalysisReport<'a> {
    state: &'a State,
    analysis: &'a Analysis,
    rounds: usize,
    players: Vec<(PairingNumber, Tallies)>,
}

impl<'a> AnalysisReport<'a> {
    /// The analysis of a run; `None` where nothing was analysed. Players with the least loss come first, those without a move last.
    fn find(state: &'a State) -> Option<Self> {
        let (analysis, rounds) = (state.analysis()?, state.rounds().len());
        let mut players: Vec<_> = state.numbers().zip(tallies_after(state, rounds)?).collect();
        let mean = analysis.begun.keys.mean;
        players.sort_by_key(|(number, tallies)| (tallies.both.acpl(mean).unwrap_or(u64::MAX), *number));
        Some(Self {
            state,
            analysis,
            rounds,
            players,
        })
    }

    fn title(&self) -> String {
        let (games, done) = analysed_after(self.state, self.rounds);
        let games = count::of(games, "game", "games");
        format!("{}: {done} of {games} analysed", event(self.state))
    }

    fn notes(&self) -> Vec<String> {
        let keys = &self.analysis.begun.keys;
        let of_playoffs = self.analysis.games.keys().filter(|id| id.playoff > 0).count();
        // Logs of older versions do not say how many moves had nothing to lose.
        let sides = || self.analysis.games.values().flat_map(|game| &game.sides);
        let mean = match sides().all(|side| side.settled.is_some()) {
            true => format!(
                "mean over the moves that had something to lose (not those before and after which one side was ahead by {} \
                 centipawns or more)",
                keys.clamp
            ),
            false => "mean over all moves".to_owned(),
        };
        let mut notes = vec![
            format!("Engine: {}.", settings(self.analysis)),
            format!(
                "Inaccuracies lose {} centipawns or more, mistakes {}, blunders {}; a move counts once. Accuracy in per cent, \
                 as Lichess defines it for a move, {mean}.",
                keys.inaccuracy, keys.mistake, keys.blunder
            ),
        ];
        if of_playoffs > 0 {
            notes.push(format!(
                "Play-offs do not count here; analysed play-off games: {}.",
                count::of(of_playoffs, "game", "games")
            ));
        }
        notes
    }
}

/// A table of the players with what their moves were worth; `None` where nothing was analysed.
pub fn page(state: &State) -> Option<Page> {
    let shown = AnalysisReport::find(state)?;
    let mut columns = vec![Column::names("Name")];
    let mean = shown.analysis.begun.keys.mean;
    let acpl = |header, of: Mean| match of == mean {
        true => Column::figures(header),
        false => Column::figures(header).goes(5),
    };
    columns.extend([
        Column::figures("Games").goes(6),
        Column::figures("Moves").goes(6),
        acpl("ACPL (moves)", Mean::Moves),
        acpl("ACPL (games)", Mean::Games),
        Column::figures("ACPL white").goes(4),
        Column::figures("ACPL black").goes(4),
        Column::figures("Accuracy").goes(0),
        Column::figures("Inaccuracies").goes(3),
        Column::figures("Mistakes").goes(2),
        Column::figures("Blunders").goes(1),
    ]);
    let rows = shown.players.iter().map(|(number, tallies)| {
        let decimal = |value: Option<u64>| value.map_or_else(String::new, tenths);
        let Tallies {
            by_color: [white, black],
            both,
        } = tallies;
        let moves = &both.moves;
        vec![
            name(state, *number),
            both.games.to_string(),
            moves.moves.to_string(),
            decimal(both.acpl(Mean::Moves)),
            decimal(both.acpl(Mean::Games)),
            decimal(white.acpl(mean)),
            decimal(black.acpl(mean)),
            decimal(both.accuracy()),
            moves.inaccuracies.to_string(),
            moves.mistakes.to_string(),
            moves.blunders.to_string(),
        ]
    });
    Some(Page {
        title: shown.title(),
        table: Table {
            columns,
            rows: rows.collect(),
        },
        notes: shown.notes(),
    })
}

/// Every analysed game, play-offs too, one line for each side; `None` where nothing was analysed.
pub fn games(state: &State) -> Option<Page> {
    let shown = AnalysisReport::find(state)?;
    let columns = vec![
        Column::words("Game"),
        Column::names("Name"),
        Column::words("Colour"),
        Column::words("Result").goes(5),
        Column::figures("Moves").goes(4),
        Column::figures("ACPL"),
        Column::figures("Accuracy").goes(0),
        Column::figures("Inaccuracies").goes(3),
        Column::figures("Mistakes").goes(2),
        Column::figures("Blunders").goes(1),
    ];
    let mut rows = Vec::new();
    for (id, analysed) in &shown.analysis.games {
        let Some(game) = state.finished_game(*id) else { continue };
        let sides = [("white", game.finished.white), ("black", game.finished.black)];
        for ((color, player), quality) in sides.into_iter().zip(&analysed.sides) {
            let decimal = |value: Option<u64>| value.map_or_else(String::new, tenths);
            rows.push(vec![
                id.to_string(),
                name(state, player),
                color.to_owned(),
                game.outcome().word().to_owned(),
                quality.moves.to_string(),
                decimal(quality.acpl()),
                decimal(quality.mean_accuracy()),
                quality.inaccuracies.to_string(),
                quality.mistakes.to_string(),
                quality.blunders.to_string(),
            ]);
        }
    }
    Some(Page {
        title: shown.title(),
        table: Table { columns, rows },
        notes: shown.notes(),
    })
}

#[derive(Serialize)]
struct AnalysisJson<'a> {
    schema: u32,
    event: String,
    software: &'a str,
    engine: Engine<'a>,
    /// As the event file writes them.
    keys: serde_json::Value,
    /// Games of the rounds, without play-offs.
    games: usize,
    analysed: usize,
    players: Vec<PlayerAnalysisJson>,
    games_analysed: Vec<GameAnalysisJson>,
}

#[derive(Serialize)]
struct Engine<'a> {
    name: String,
    files: &'a [FileHash],
}

#[derive(Serialize)]
struct PlayerAnalysisJson {
    pairing_number: u32,
    name: String,
    games: u32,
    acpl: Option<Decimal>,
    acpl_over_moves: Option<Decimal>,
    acpl_over_games: Option<Decimal>,
    acpl_white: Option<Decimal>,
    acpl_black: Option<Decimal>,
    accuracy: Option<Decimal>,
    resignations: u32,
    #[serde(flatten)]
    moves: Moves,
}

/// Numbers of moves, and the centipawns they lost in all.
#[derive(Serialize)]
struct Moves {
    moves: u32,
    centipawns_lost: u64,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
}

impl From<&Quality> for Moves {
    fn from(quality: &Quality) -> Self {
        Self {
            moves: quality.moves,
            centipawns_lost: quality.lost,
            inaccuracies: quality.inaccuracies,
            mistakes: quality.mistakes,
            blunders: quality.blunders,
        }
    }
}

#[derive(Serialize)]
struct GameAnalysisJson {
    id: GameId,
    white: Side,
    black: Side,
    /// SHA-256 of the evaluations in the log.
    evaluations: String,
}

#[derive(Serialize)]
struct Side {
    name: String,
    acpl: Option<Decimal>,
    accuracy: Option<Decimal>,
    #[serde(flatten)]
    moves: Moves,
}

/// The keys with the values of an event file; the log has them as the program holds them.
fn as_written(keys: &AnalysisKeys) -> serde_json::Value {
    let mut written = serde_json::to_value(keys).expect("plain data");
    written["limit"] = write_duration(keys.limit).into();
    written["mean"] = match keys.mean {
        Mean::Moves => "moves",
        Mean::Games => "games",
    }
    .into();
    written
}

/// Everything as a JSON object; `None` where nothing was analysed.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State) -> Option<String> {
    let shown = AnalysisReport::find(state)?;
    let analysis = shown.analysis;
    let keys = &analysis.begun.keys;
    let decimal = |value: Option<u64>| value.map(tenths).map(Decimal::of);
    let players = shown.players.iter().map(|(number, tallies)| {
        let both = &tallies.both;
        PlayerAnalysisJson {
            pairing_number: number.0,
            name: name(state, *number),
            games: both.games,
            acpl: acpl(state, both).map(Decimal::of),
            acpl_over_moves: decimal(both.acpl(Mean::Moves)),
            acpl_over_games: decimal(both.acpl(Mean::Games)),
            acpl_white: acpl(state, &tallies.by_color[0]).map(Decimal::of),
            acpl_black: acpl(state, &tallies.by_color[1]).map(Decimal::of),
            accuracy: decimal(both.accuracy()),
            resignations: both.resignations,
            moves: (&both.moves).into(),
        }
    });
    let games = analysis.games.iter().filter_map(|(id, analysed)| {
        let game = state.finished_game(*id)?;
        let side = |player: PairingNumber, quality: &Quality| Side {
            name: name(state, player),
            acpl: decimal(quality.acpl()),
            accuracy: decimal(quality.mean_accuracy()),
            moves: quality.into(),
        };
        Some(GameAnalysisJson {
            id: *id,
            white: side(game.finished.white, &analysed.sides[0]),
            black: side(game.finished.black, &analysed.sides[1]),
            evaluations: analysed.evaluations.clone(),
        })
    });
    let (of_rounds, analysed) = analysed_after(state, shown.rounds);
    let document = AnalysisJson {
        schema: 1,
        event: event(state),
        software: &analysis.begun.software,
        engine: Engine {
            name: engine_name(analysis),
            files: &analysis.begun.engine.files,
        },
        keys: as_written(keys),
        games: of_rounds,
        analysed,
        players: players.collect(),
        games_analysed: games.collect(),
    };
    Some(serde_json::to_string_pretty(&document).expect("plain data") + "\n")
}

#[cfg(test)]
mod tests;
