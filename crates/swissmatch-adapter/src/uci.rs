//! The adapter itself: lines of the runner and answers of the player go in, and lines for both come out.
//!
//! May not: wait, or know what it speaks over.

use std::sync::Arc;

use swissmatch_game::variant::{self, Variant};

use crate::go::Go;
use crate::position::UciPosition;
use crate::turn::{AttemptFailure, Failure, PlayerAnswer, Turn};

/// A player that is asked once per move.
pub trait AskedPlayer {
    /// The name for `id name`.
    fn name(&self) -> &str;

    /// Called when another game begins.
    fn new_game(&mut self) {}

    /// The line that asks for a move.
    ///
    /// # Errors
    /// The reason why the player cannot be asked.
    fn question(&mut self, turn: &Turn<'_>) -> Result<String, String>;

    /// Reads the player's line; `None` if it answers nothing that is waited for.
    fn answer(&mut self, turn: &Turn<'_>, line: &str) -> Option<PlayerAnswer>;
}

/// An action for the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Say(String),
    /// Report a problem to readers of the evidence.
    Complain(String),
    /// Make the player ready to be asked.
    Prepare,
    /// Ask the player, who is waited for from now on.
    Ask(String),
    /// Stop waiting for the player's answer.
    HangUp,
    Quit,
}

#[derive(Debug)]
pub struct Adapter<A> {
    asked: A,
    variant: Variant,
    /// The words after `position`, and the position that they give.
    position: String,
    placed: Option<Arc<UciPosition>>,
    go: Go,
    /// Attempts at this position so far.
    attempts: u32,
    /// The failure of the last attempt, if it gave no move.
    last: Option<AttemptFailure>,
    is_waited_for: bool,
}

impl<A: AskedPlayer> Adapter<A> {
    pub fn new(asked: A) -> Self {
        let position = "startpos".to_owned();
        Self {
            asked,
            variant: Variant::Standard,
            placed: UciPosition::read(&position, Variant::Standard).map(Arc::new),
            position,
            go: Go::default(),
            attempts: 0,
            last: None,
            is_waited_for: false,
        }
    }

    /// Takes a line from the runner.
    pub fn hear(&mut self, line: &str) -> Vec<Effect> {
        let line = line.trim();
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match command {
            "uci" => self.introduce(),
            "isready" => vec![Effect::Prepare, say("readyok")],
            "setoption" => {
                self.set_option(rest);
                Vec::new()
            }
            "ucinewgame" => {
                self.asked.new_game();
                self.place(String::new(), "startpos")
            }
            "position" => self.place(rest.trim().to_owned(), rest),
            "go" => self.go(rest),
            "stop" => self.stop(),
            "quit" => self.hang_up().into_iter().chain([Effect::Quit]).collect(),
            _ => Vec::new(),
        }
    }

    /// Takes a line from the player, who was asked.
    pub fn answered(&mut self, line: &str) -> Vec<Effect> {
        let Some(placed) = self.placed.as_ref().filter(|_| self.is_waited_for) else {
            return Vec::new();
        };
        let turn = Turn {
            placed,
            go: &self.go,
            attempt: self.attempts,
            last: self.last.as_ref(),
        };
        match self.asked.answer(&turn, line) {
            Some(answer) => {
                let why = match &answer {
                    PlayerAnswer::No(failed) => failed.why.clone(),
                    PlayerAnswer::Move(_) | PlayerAnswer::Resign => None,
                };
                let told = why.map(Effect::Complain);
                told.into_iter().chain(self.say(&answer)).collect()
            }
            None => Vec::new(),
        }
    }

    /// Why the last attempt gave no move; `None` if it gave one.
    #[cfg(test)]
    pub(crate) fn last_failure(&self) -> Option<Failure> {
        self.last.as_ref().map(|last| last.failure)
    }

    fn introduce(&self) -> Vec<Effect> {
        let lines = [
            format!("id name {}", self.asked.name()),
            "id author its entrant".to_owned(),
            format!("option name {} type check default false", variant::OPTION),
            "uciok".to_owned(),
        ];
        lines.into_iter().map(Effect::Say).collect()
    }

    fn set_option(&mut self, words: &str) {
        // `name UCI_Chess960 value true`
        let mut words = words.split_ascii_whitespace().skip(1);
        if words.next() == Some(variant::OPTION) {
            self.variant = match words.nth(1) {
                Some("true") => Variant::Chess960,
                _ => Variant::Standard,
            };
        }
    }

    /// Sets the position, which is a new one if its words are new.
    fn place(&mut self, position: String, words: &str) -> Vec<Effect> {
        let hung_up = self.hang_up();
        if self.position != position {
            let before = self.placed.take();
            let before = before.filter(|placed| placed.board().variant() == self.variant);
            let placed = match (before, more_moves(&self.position, &position)) {
                (Some(before), Some(moves)) => Arc::unwrap_or_clone(before).after(moves),
                _ => UciPosition::read(words, self.variant),
            };
            self.placed = placed.map(Arc::new);
            self.position = position;
            self.attempts = 0;
            self.last = None;
        }
        hung_up.into_iter().collect()
    }

    fn go(&mut self, words: &str) -> Vec<Effect> {
        let hung_up = self.hang_up();
        self.go = Go::read(words);
        self.attempts += 1;
        let Some(placed) = &self.placed else {
            return hung_up.into_iter().chain([say("bestmove (none)")]).collect();
        };
        // A player that is asked again for a move that was legal gave it too late.
        let late = AttemptFailure::without_answer(Failure::Late);
        let last = self.last.get_or_insert(late);
        let turn = Turn {
            placed,
            go: &self.go,
            attempt: self.attempts,
            last: (self.attempts > 1).then_some(&*last),
        };
        match self.asked.question(&turn) {
            Ok(question) => {
                self.is_waited_for = true;
                hung_up.into_iter().chain([Effect::Ask(question)]).collect()
            }
            Err(why) => {
                let said = self.say(&PlayerAnswer::No(AttemptFailure::without_answer(Failure::Unparsable)));
                hung_up.into_iter().chain([Effect::Complain(why)]).chain(said).collect()
            }
        }
    }

    fn stop(&mut self) -> Vec<Effect> {
        let late = PlayerAnswer::No(AttemptFailure::without_answer(Failure::Late));
        match self.hang_up() {
            Some(hung_up) => [hung_up].into_iter().chain(self.say(&late)).collect(),
            None => Vec::new(),
        }
    }

    fn hang_up(&mut self) -> Option<Effect> {
        std::mem::take(&mut self.is_waited_for).then_some(Effect::HangUp)
    }

    fn say(&mut self, answer: &PlayerAnswer) -> Vec<Effect> {
        self.is_waited_for = false;
        self.last = match answer {
            PlayerAnswer::No(failed) => Some(failed.clone()),
            PlayerAnswer::Move(_) | PlayerAnswer::Resign => None,
        };
        vec![say(&format!("bestmove {}", answer.word()))]
    }
}

/// The moves by which a position continues another one, both as `position` has them; `None` if it does not.
fn more_moves<'a>(before: &str, position: &'a str) -> Option<&'a str> {
    let more = position.strip_prefix(before)?;
    // They must be a word of their own, not a promotion added to the last one.
    let moves = more.strip_prefix(char::is_whitespace)?.trim_start();
    match before.contains("moves") {
        true => Some(moves),
        false => moves.strip_prefix("moves"),
    }
}

fn say(line: &str) -> Effect {
    Effect::Say(line.to_owned())
}
