//! The question to a command or a web service: one JSON object per move. `docs/schema/question.schema.json` has its fields.
//!
//! May not: change a field's meaning; other people's programs read them.

use serde::Serialize;
use swiss_system::word::Word as _;
use swissmatch_game::Side;

use crate::turn::{Failure, Turn};

/// The version of the question's format.
const SCHEMA: u32 = 1;

#[derive(Debug, Serialize)]
pub(crate) struct Question<'a> {
    schema: u32,
    fen: String,
    start: String,
    moves: Vec<String>,
    legal: Vec<String>,
    side: Side,
    variant: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    movetime_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_left_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    increment_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponent_time_left_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves_to_go: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u64>,
    attempt: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_answer: Option<&'a str>,
}

impl<'a> Question<'a> {
    pub(crate) fn new(turn: &Turn<'a>) -> Self {
        let (board, go) = (turn.placed.board(), turn.go);
        let side = board.turn();
        Self {
            schema: SCHEMA,
            fen: board.fen(),
            start: turn.placed.start(),
            moves: turn.placed.moves().collect(),
            legal: turn.placed.legal_uci(),
            side,
            variant: board.variant().word(),
            movetime_ms: go.movetime,
            time_left_ms: go.time_left(side),
            increment_ms: go.increment(side),
            opponent_time_left_ms: go.time_left(side.other()),
            moves_to_go: go.moves_to_go,
            nodes: go.nodes,
            depth: go.depth,
            attempt: turn.attempt,
            last_error: turn.last.map(|last| last.failure),
            last_answer: turn.last.and_then(|last| last.answer.as_deref()),
        }
    }
}
