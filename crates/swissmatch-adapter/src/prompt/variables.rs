//! What a template may show, by the names of the Global Chess Challenge's kit (`_build_prompt_context` of its `local_evaluation.py`).
//!
//! The kit replays the moves of every game from the usual start position, which is wrong after an opening that begins elsewhere: here
//! they begin where the game did. `attempt`, `last_error` and `last_answer` are our own.
//!
//! May not: change the meaning of a name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use minijinja::Value;
use minijinja::value::{Enumerator, Object};
use serde::Serialize;
use shakmaty::san::SanPlus;
use swiss_system::word::Word as _;

use super::board;
use crate::position::UciPosition;
use crate::turn::{AttemptFailure, Turn};

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

/// All names, in their order.
pub const NAMES: [&str; 17] = [
    "FEN",
    "attempt",
    "board_ascii",
    "board_utf",
    FIRST_LEGAL_MOVE,
    "last_answer",
    "last_error",
    "last_move",
    "legal_moves_san",
    "legal_moves_san_list",
    "legal_moves_uci",
    "legal_moves_uci_list",
    "move_history_san",
    "move_history_san_list",
    "move_history_uci",
    "move_history_uci_list",
    "side_to_move",
];

const NO_MOVES: &str = "(no moves yet)";

/// Those of a position with the moves that led to it.
pub fn of_position(placed: &UciPosition) -> BTreeMap<&'static str, Variable> {
    let all = NAMES.into_iter();
    all.filter_map(|name| Some((name, one_of_position(placed, name)?)))
        .collect()
}

fn one_of_position(placed: &UciPosition, name: &str) -> Option<Variable> {
    let board = placed.board();
    let position = board.position();
    let legal_san = || -> Vec<String> {
        let legal = placed.legal().into_iter();
        let written = legal.map(|legal| SanPlus::from_move(position.clone(), legal).to_string());
        written.collect()
    };
    let history_uci = || placed.moves().collect();
    let history_san = || placed.moves_san().iter().map(ToString::to_string).collect();
    let joined = |list: Vec<String>, if_empty: &str| match list.is_empty() {
        true => if_empty.to_owned(),
        false => list.join(" "),
    };
    Some(match name {
        "FEN" => Variable::Text(board.fen()),
        "board_ascii" => Variable::Text(board::plain(position)),
        "board_utf" => Variable::Text(board::framed(position)),
        FIRST_LEGAL_MOVE => Variable::Text(placed.legal_uci().into_iter().next().unwrap_or_default()),
        "last_move" => Variable::Text(match placed.moves_san().last() {
            Some(last) => format!("{} played {last}", board.turn().other().name()),
            None => "(start of game)".to_owned(),
        }),
        "legal_moves_san" => Variable::Text(joined(legal_san(), "")),
        "legal_moves_san_list" => Variable::List(legal_san()),
        "legal_moves_uci" => Variable::Text(joined(placed.legal_uci(), "")),
        "legal_moves_uci_list" => Variable::List(placed.legal_uci()),
        "move_history_san" => Variable::Text(joined(history_san(), NO_MOVES)),
        "move_history_san_list" => Variable::List(history_san()),
        "move_history_uci" => Variable::Text(joined(history_uci(), NO_MOVES)),
        "move_history_uci_list" => Variable::List(history_uci()),
        "side_to_move" => Variable::Text(board.turn().name().to_owned()),
        _ => return None,
    })
}

/// Those of a turn. Each is made when a template first comes to it: most show few, and histories are long.
#[derive(Debug)]
pub(crate) struct OfTurn {
    placed: Arc<UciPosition>,
    attempt: u32,
    /// What was wrong with the answer before, where the player is told.
    last: Option<AttemptFailure>,
    made: [OnceLock<Value>; NAMES.len()],
}

impl OfTurn {
    /// Those of this turn; what was wrong with the answer before only where the player is `told`.
    pub(crate) fn new(turn: &Turn<'_>, told: bool) -> Self {
        Self {
            placed: Arc::clone(turn.placed),
            attempt: turn.attempt,
            last: turn.last.filter(|_| told).cloned(),
            made: [const { OnceLock::new() }; NAMES.len()],
        }
    }

    fn make(&self, name: &str) -> Value {
        let last = self.last.as_ref();
        match name {
            "attempt" => Value::from(self.attempt.to_string()),
            "last_error" => Value::from(last.map_or("", |last| last.failure.word())),
            "last_answer" => Value::from(last.and_then(|last| last.answer.as_deref()).unwrap_or_default()),
            _ => one_of_position(&self.placed, name).map_or(Value::UNDEFINED, |variable| variable.value()),
        }
    }
}

impl Object for OfTurn {
    fn get_value(self: &Arc<Self>, name: &Value) -> Option<Value> {
        self.get_value_by_str(name.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<Value> {
        let place = NAMES.binary_search(&name).ok()?;
        Some(self.made[place].get_or_init(|| self.make(name)).clone())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&NAMES)
    }
}

/// Variables that note which others are asked for.
#[derive(Debug)]
pub(super) struct NotingVariables {
    values: BTreeMap<&'static str, Value>,
    unknown: Mutex<BTreeSet<String>>,
}

impl NotingVariables {
    pub(super) fn new(variables: &BTreeMap<&'static str, Variable>) -> Self {
        let values = variables.iter().map(|(name, variable)| (*name, variable.value()));
        Self {
            values: values.collect(),
            unknown: Mutex::default(),
        }
    }

    pub(super) fn unknown(&self) -> BTreeSet<String> {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Object for NotingVariables {
    fn get_value(self: &Arc<Self>, name: &Value) -> Option<Value> {
        let name = name.as_str()?;
        let value = self.values.get(name).cloned();
        if value.is_none() {
            let mut unknown = self.unknown.lock().unwrap_or_else(PoisonError::into_inner);
            unknown.insert(name.to_owned());
        }
        value
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&NAMES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::go::Go;
    use crate::prompt::Prompt;
    use crate::turn::Failure;
    use swissmatch_game::variant::Variant;

    #[test]
    fn what_a_template_comes_to_is_what_there_is() {
        assert!(NAMES.is_sorted());
        let last = AttemptFailure::of_word(Failure::Illegal, "e2e5");
        for words in ["startpos", "startpos moves e2e4 e7e5 g1f3"] {
            let placed = Arc::new(UciPosition::read(words, Variant::Standard).expect("a position"));
            let turn = Turn {
                placed: &placed,
                go: &Go::default(),
                attempt: 2,
                last: Some(&last),
            };
            let shown = |name: &str, told| {
                let text = format!("{{{{ {name} }}}} {{{{ {name} }}}}");
                let prompt = Prompt::new("p", move |_| Some(text.clone())).expect("a template");
                prompt.render_turn(OfTurn::new(&turn, told))
            };
            let all = of_position(&placed);
            assert_eq!(all.len(), NAMES.len() - 3);
            for (name, variable) in all {
                let text = variable.value().to_string();
                assert_eq!(shown(name, true), Ok(format!("{text} {text}")), "{name}");
            }
            for (name, text) in [("attempt", "2"), ("last_error", "illegal"), ("last_answer", "e2e5")] {
                assert_eq!(shown(name, true), Ok(format!("{text} {text}")));
            }
            assert_eq!(shown("last_error", false), Ok(" ".to_owned()));
        }
    }
}
