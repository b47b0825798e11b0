//! What a template may show, by the names of the Global Chess Challenge's kit (`_build_prompt_context` of its `local_evaluation.py`).
//!
//! The kit replays the moves of every game from the usual start position, which is wrong after an opening that begins elsewhere: here
//! they begin where the game did. `attempt`, `last_error` and `last_answer` are our own.
//!
//! May not: change the meaning of a name.

use std::collections::BTreeMap;

use minijinja::Value;
use serde::Serialize;
use shakmaty::san::SanPlus;
use swiss_system::word::Word as _;

use super::board;
use crate::position::Placed;
use crate::turn::Turn;

/// How the names of those begin that have all legal moves.
pub(super) const ALL_LEGAL_MOVES: &str = "legal_moves_";
/// The one that has the first of them.
pub(super) const FIRST_LEGAL_MOVE: &str = "first_legal_move";

/// A value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Variable {
    /// Text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

impl Variable {
    pub(super) fn value(&self) -> Value {
        match self {
            Self::Text(text) => Value::from(text.as_str()),
            Self::List(texts) => Value::from(texts.clone()),
        }
    }
}

/// Those of a position with the moves that led to it.
pub fn of_position(placed: &Placed) -> BTreeMap<&'static str, Variable> {
    let board = placed.board();
    let position = board.position();
    let legal = placed.legal();
    let legal_san: Vec<String> = legal
        .iter()
        .map(|legal| SanPlus::from_move(position.clone(), *legal).to_string())
        .collect();
    let legal_uci = placed.legal_uci();
    let history_uci: Vec<String> = placed.moves().collect();
    let history_san = placed.moves_san();
    let last_move = match history_san.last() {
        Some(last) => format!("{} played {last}", board.turn().other().name()),
        None => "(start of game)".to_owned(),
    };
    let first = legal_uci.first().cloned().unwrap_or_default();
    let mut all = BTreeMap::from([
        ("board_utf", Variable::Text(board::framed(position))),
        ("board_ascii", Variable::Text(board::plain(position))),
        ("FEN", Variable::Text(board.fen())),
        ("side_to_move", Variable::Text(board.turn().name().to_owned())),
        ("last_move", Variable::Text(last_move)),
        (FIRST_LEGAL_MOVE, Variable::Text(first)),
    ]);
    let lists = [
        ("legal_moves_uci", "legal_moves_uci_list", legal_uci, ""),
        ("legal_moves_san", "legal_moves_san_list", legal_san, ""),
        ("move_history_uci", "move_history_uci_list", history_uci, NO_MOVES),
        ("move_history_san", "move_history_san_list", history_san, NO_MOVES),
    ];
    for (name, name_of_list, list, if_empty) in lists {
        let text = match list.is_empty() {
            true => if_empty.to_owned(),
            false => list.join(" "),
        };
        all.insert(name, Variable::Text(text));
        all.insert(name_of_list, Variable::List(list));
    }
    all
}

const NO_MOVES: &str = "(no moves yet)";

/// Those of a turn; what was wrong with the answer before only where the player is `told`.
pub(crate) fn of_turn(turn: &Turn<'_>, told: bool) -> BTreeMap<&'static str, Variable> {
    let mut all = of_position(turn.placed);
    let last = turn.last.filter(|_| told);
    let text = |text: Option<&str>| Variable::Text(text.unwrap_or_default().to_owned());
    all.insert("attempt", Variable::Text(turn.attempt.to_string()));
    all.insert("last_error", text(last.map(|last| last.failure.word())));
    all.insert("last_answer", text(last.and_then(|last| last.answer.as_deref())));
    all
}
