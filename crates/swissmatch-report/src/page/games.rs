//! The games of a mini-match as JSON: moves, times, what engines said, and the account of each. docs/page.md.
//!
//! May not: have anything that an agent wrote to standard error, or of its command.

use serde::Serialize;
use swiss_system::text::{brief, harmless};

use super::super::appeal::{AccountSection, FromLog, told};
use super::super::pgn;
use super::meaning::{self, Meaning};
use super::reference::{self, Reference};
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{FailedAttempt, GameRecord, LONGEST_RATIONALE};
use swissmatch_game::variant::Variant;
use swissmatch_game::variations::Variations;
use swissmatch_tournament::limits::limits_of;
use swissmatch_tournament::setup::Rationale;
use swissmatch_tournament::state::{EndedGame, State};
use swissmatch_tournament::thinking::clock_used;

/// A game that was played, with everything that the page tells of it.
pub struct PageGame<'a> {
    /// How it counts.
    pub game: EndedGame,
    pub record: GameRecord,
    /// The reference engine's evaluations of all its positions, from the side to move; `None` if it was not analysed.
    pub evals: Option<Vec<Eval>>,
    pub log: FromLog<'a>,
}

#[derive(Serialize)]
struct MiniMatchGamesJson<'a> {
    schema: u32,
    games: Vec<OneGame<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Meaning>,
    /// Kept together: they are much alike, and so compress well.
    accounts: Vec<Account>,
}

/// Columns have one entry for each ply of `moves`, or none at all.
#[derive(Serialize)]
struct OneGame<'a> {
    game: u32,
    fen: String,
    opening: String,
    opening_name: Option<String>,
    moves: &'a str,
    chess960: bool,
    time_us: &'a [u64],
    clock_us: &'a [u64],
    eval: &'a [Option<Eval>],
    depth: &'a [Option<u32>],
    nodes: &'a [Option<u64>],
    pv: &'a Variations,
    attempts: Vec<Attempt>,
    ending: String,
    /// What a model said beside each of its moves, if that is shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rationale: Vec<Option<String>>,
    /// Time for which the first clock had run before the first `go`; it is part of the time of the first move or attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    late_us: Option<u64>,
    /// Thousandths of the time that the clock gave, White first.
    #[serde(skip_serializing_if = "Option::is_none")]
    clock_used: Option<[Option<u64>; 2]>,
    #[serde(flatten)]
    reference: Option<Reference>,
}

#[derive(Serialize)]
struct Attempt {
    ply: u32,
    side: Side,
    attempt: u32,
    time_us: u64,
    text: String,
}

#[derive(Serialize)]
struct Account {
    game: u32,
    /// The tags of its PGN.
    tags: String,
    account: Vec<AccountSection>,
}

/// The games of one mini-match that were played, as JSON. `date` is the value of the tag `Date`.
///
/// # Errors
/// When a record is no legal game.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json(state: &State, played: &[PageGame<'_>], date: &str) -> Result<String, OpeningError> {
    let mini_match = played
        .first()
        .and_then(|first| state.mini_match(first.game.finished.id));
    let accounts = played.iter().map(|played| account(state, played, date));
    let document = MiniMatchGamesJson {
        schema: 1,
        games: played.iter().map(|played| one_game(state, played)).collect(),
        score: mini_match.and_then(|mini_match| meaning::of_mini_match(state, mini_match)),
        accounts: accounts.collect::<Result<_, _>>()?,
    };
    Ok(serde_json::to_string(&document).expect("plain data"))
}

fn one_game<'a>(state: &State, played: &'a PageGame<'_>) -> OneGame<'a> {
    let PageGame {
        game, record, evals, ..
    } = played;
    let id = game.finished.id;
    let limits = limits_of(state, id, [record.white, record.black]);
    let used = clock_used(record, &limits);
    OneGame {
        game: id.game,
        fen: record.opening.start_fen(),
        opening: record.opening.moves_text(),
        opening_name: (!record.opening.name.is_empty()).then(|| harmless(&record.opening.name)),
        moves: &record.moves,
        chess960: record.opening.variant == Variant::Chess960,
        time_us: &record.time_us,
        clock_us: &record.clock_us,
        eval: &record.eval,
        depth: &record.depth,
        nodes: &record.nodes,
        pv: &record.pv,
        attempts: record.failed_attempts.iter().map(attempt).collect(),
        ending: pgn::reason(state, game, record),
        rationale: rationale(state, game, record),
        late_us: record.late_us,
        clock_used: used.iter().any(Option::is_some).then_some(used),
        reference: evals.clone().and_then(|evals| reference::of_game(state, id, evals)),
    }
}

fn rationale(state: &State, game: &EndedGame, record: &GameRecord) -> Vec<Option<String>> {
    let is_shown = pgn::rationale_of(state, game, Rationale::Page);
    let said = record.rationale.iter().enumerate().map(|(ply, said)| {
        let said = said.as_deref().filter(|_| is_shown[record.side_at(ply).index()]);
        said.map(|said| brief(said, LONGEST_RATIONALE))
    });
    let said: Vec<Option<String>> = said.collect();
    match said.iter().any(Option::is_some) {
        true => said,
        false => Vec::new(),
    }
}

fn attempt(failed: &FailedAttempt) -> Attempt {
    Attempt {
        ply: failed.ply,
        side: failed.side,
        attempt: failed.attempt,
        time_us: failed.time_us,
        text: harmless(&failed.ended()),
    }
}

fn account(state: &State, played: &PageGame<'_>, date: &str) -> Result<Account, OpeningError> {
    let PageGame { game, record, log, .. } = played;
    Ok(Account {
        game: game.finished.id.game,
        tags: pgn::tags_of(state, game, record, date),
        account: told(state, game, record, log)?,
    })
}

#[cfg(test)]
mod tests;
