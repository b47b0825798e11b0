//! A command that is asked once per move: a line of JSON on its standard input, a line with a move on its standard output.
//!
//! May not: start it.

use serde::Deserialize;

use crate::question::Question;
use crate::turn::{AttemptFailure, Failure, PlayerAnswer, Turn};
use crate::uci::AskedPlayer;

#[derive(Debug)]
pub struct Program {
    name: String,
}

impl Program {
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned() }
    }
}

impl AskedPlayer for Program {
    fn name(&self) -> &str {
        &self.name
    }

    fn question(&mut self, turn: &Turn<'_>) -> Result<String, String> {
        Ok(serde_json::to_string(&Question::new(turn)).expect("plain data"))
    }

    fn answer(&mut self, turn: &Turn<'_>, line: &str) -> Option<PlayerAnswer> {
        Some(read(line, turn))
    }
}

/// An answer that is an object; its other fields are the player's own.
#[derive(Deserialize)]
struct Object {
    #[serde(rename = "move")]
    word: String,
}

/// Reads a line that is a move, or a JSON object with one.
pub(crate) fn read(line: &str, turn: &Turn<'_>) -> PlayerAnswer {
    let line = line.trim();
    let no = |failure| PlayerAnswer::No(AttemptFailure::without_answer(failure));
    match line.chars().next() {
        None => no(Failure::Empty),
        Some('{') => match serde_json::from_str(line) {
            Ok(Object { word }) if word.trim().is_empty() => no(Failure::Empty),
            Ok(Object { word }) => PlayerAnswer::of_word(word.trim(), turn.placed),
            Err(_) => no(Failure::Unparsable),
        },
        Some(_) => PlayerAnswer::of_word(line, turn.placed),
    }
}
