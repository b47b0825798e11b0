//! A language model: a prompt from a template, perhaps with the dialogue before it, and a move from the reply.
//!
//! May not: know where the model is.

use serde::{Deserialize, Serialize};
use swiss_system::word::Word as _;
pub use swissmatch_broker::manner::Again;
use swissmatch_broker::wire::{Call, Message, Reply, Role};

use crate::answer::Reading;
use crate::call::{Calls, line};
use crate::prompt::Prompt;
use crate::prompt::variables::OfTurn;
use crate::turn::{AttemptFailure, Failure, PlayerAnswer, Turn};
use crate::uci::AskedPlayer;

/// How a model is asked, and how its answers are read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manner {
    /// The instructions that come first.
    pub system: Option<String>,
    /// The number of its last moves that stay in the dialogue.
    pub history: usize,
    /// The prompt of another attempt.
    pub again: Again,
    /// Where its move is.
    pub reading: Reading,
}

#[derive(Debug)]
pub struct LanguageModel {
    name: String,
    prompt: Prompt,
    manner: Manner,
    /// Prompts and replies of its last moves.
    dialogue: Vec<[String; 2]>,
    /// The last prompt, and the reply to it.
    last: [String; 2],
    calls: Calls,
}

impl LanguageModel {
    /// A model with this name, asked in this manner.
    pub fn new(name: &str, prompt: Prompt, manner: Manner) -> Self {
        Self {
            name: name.to_owned(),
            prompt,
            manner,
            dialogue: Vec::new(),
            last: Default::default(),
            calls: Calls::default(),
        }
    }

    fn messages(&self, turn: &Turn<'_>, prompt: &str) -> Vec<Message> {
        let say = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        let before = self.dialogue.iter();
        let before = before.flat_map(|[asked, said]| [say(Role::User, asked), say(Role::Assistant, said)]);
        let mut all: Vec<Message> = self.manner.system.iter().map(|text| say(Role::System, text)).collect();
        all.extend(before);
        all.push(say(Role::User, prompt));
        if let (Again::Told, Some(last)) = (self.manner.again, turn.last) {
            let [_, said] = &self.last;
            // Services refuse messages without content.
            all.extend((!said.trim().is_empty()).then(|| say(Role::Assistant, said)));
            all.push(say(Role::User, &told(last)));
        }
        all
    }
}

impl AskedPlayer for LanguageModel {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self) {
        self.dialogue.clear();
    }

    fn question(&mut self, turn: &Turn<'_>) -> Result<String, String> {
        let variables = OfTurn::new(turn, self.manner.again == Again::Told);
        let prompt = self.prompt.render_turn(variables)?;
        let messages = self.messages(turn, &prompt);
        self.last[0] = prompt;
        Ok(line(&Call::Model {
            number: self.calls.next(),
            messages,
            legal: turn.placed.legal_uci(),
        }))
    }

    fn answer(&mut self, turn: &Turn<'_>, line: &str) -> Option<PlayerAnswer> {
        let heard = self.calls.hear(line)?;
        self.last[1].clear();
        Some(heard.map_or_else(PlayerAnswer::No, |reply| self.read(turn, reply)))
    }
}

impl LanguageModel {
    fn read(&mut self, turn: &Turn<'_>, reply: Reply) -> PlayerAnswer {
        let answer = self.manner.reading.of_reply(&reply, turn.placed);
        if !matches!(&answer, PlayerAnswer::No(failed) if failed.failure == Failure::Refused) {
            self.last[1] = reply.content;
        }
        if matches!(answer, PlayerAnswer::Move(_)) {
            self.dialogue.push(self.last.clone());
            let too_many = self.dialogue.len().saturating_sub(self.manner.history);
            self.dialogue.drain(..too_many);
        }
        answer
    }
}

/// The words that tell a model of its bad answer.
fn told(last: &AttemptFailure) -> String {
    let answer = last.answer.as_deref().unwrap_or_default();
    let what = match last.failure {
        Failure::Illegal => format!("Your move {answer} is not legal here."),
        Failure::Unparsable => "No move could be read from your answer.".to_owned(),
        Failure::Empty => "Your answer was empty.".to_owned(),
        Failure::Truncated => "Your answer was cut off before its move.".to_owned(),
        Failure::Refused => "You gave no move.".to_owned(),
        Failure::Late | Failure::Transport | Failure::Configuration => "Your answer did not come in time.".to_owned(),
    };
    format!(
        "{what} Choose a legal move, and answer in the same form. ({})",
        last.failure.word()
    )
}
