//! The games in the form in which TCEC's viewers read one: `Headers`, the tags, and `Moves`, each with the position after it.
//!
//! May not: decide which games there are.

use serde_json::{Map, Value, json};

use super::board::{Move, VariationMove, ViewerGame};
use super::heads::Heads;
use super::pgn::{Pawns, Tenths, of_white, tags};

/// The version of the shape of [`text`].
const SCHEMA: u32 = 1;

/// The last moves whose variations have positions: one of either side.
const NEWEST: usize = 2;

/// The first of `boards`, with the others in `Games`.
pub(super) fn text<'a>(heads: &Heads, boards: impl Iterator<Item = &'a ViewerGame>) -> String {
    let mut games = boards.map(|board| game(heads, board));
    let mut first = games.next().unwrap_or_else(|| {
        let mut nothing = Map::new();
        nothing.insert(
            "Headers".to_owned(),
            json!({ "Event": heads.event, "Site": heads.site }),
        );
        nothing.insert("Moves".to_owned(), json!([]));
        nothing
    });
    first.insert("schema".to_owned(), json!(SCHEMA));
    first.insert("Games".to_owned(), games.map(Value::Object).collect());
    format!("{}\n", Value::Object(first))
}

fn game(heads: &Heads, board: &ViewerGame) -> Map<String, Value> {
    let headers: Map<String, Value> = tags(heads, board)
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let newest = board.moves.len().saturating_sub(NEWEST);
    let moves = board.moves.iter().enumerate();
    let moves: Vec<Value> = moves.map(|(index, made)| made_move(made, index >= newest)).collect();
    let mut game = Map::new();
    game.insert("Headers".to_owned(), Value::Object(headers));
    game.insert("Moves".to_owned(), moves.into());
    game
}

fn made_move(made: &Move, is_new: bool) -> Value {
    let mut of = step(&made.san, &made.uci, &made.fen);
    of.insert("book".to_owned(), made.is_book.into());
    if let Some(note) = &made.note {
        let said = &note.said;
        let mut fact = |name: &str, value: Option<Value>| {
            if let Some(value) = value {
                of.insert(name.to_owned(), value);
            }
        };
        fact("d", said.depth.map(Value::from));
        fact("sd", said.seldepth.map(Value::from));
        fact("mt", Some((said.time_us / 1000).into()));
        fact("tl", note.clock_us.map(|left| (left / 1000).into()));
        fact("s", said.nps.map(Value::from));
        fact("n", said.nodes.map(Value::from));
        fact("tb", said.tbhits.map(Value::from));
        fact("h", said.hashfull.map(|full| Tenths(full).to_string().into()));
        let value = said.eval.map(|eval| Pawns(of_white(eval, made.side)).to_string());
        fact("wv", value.map(Value::from));
        let line = (!made.variation.is_empty()).then(|| variation(&made.variation, is_new));
        fact("pv", line);
    }
    Value::Object(of)
}

fn variation(planned: &[VariationMove], with_positions: bool) -> Value {
    let words: Vec<&str> = planned.iter().map(|planned| planned.san.as_str()).collect();
    let mut of = Map::new();
    of.insert("San".to_owned(), words.join(" ").into());
    if with_positions {
        let moves = planned
            .iter()
            .map(|planned| Value::Object(step(&planned.san, &planned.uci, &planned.fen)));
        of.insert("Moves".to_owned(), moves.collect());
    }
    Value::Object(of)
}

fn step(san: &str, uci: &str, fen: &str) -> Map<String, Value> {
    let square = |from: usize| uci.get(from..from + 2).unwrap_or_default();
    let mut of = Map::new();
    of.insert("m".to_owned(), san.into());
    of.insert("from".to_owned(), square(0).into());
    of.insert("to".to_owned(), square(2).into());
    of.insert("fen".to_owned(), fen.into());
    of
}
