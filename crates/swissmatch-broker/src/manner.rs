//! How models are asked, and where the move is in their answers: the words that event files and command lines use for it.
//!
//! May not: ask, or read an answer.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;

use super::money::decimal;

/// Fields that `endpoint.extra` may not have, because only the broker sets them.
pub const OURS: [&str; 13] = [
    "model",
    "messages",
    "prompt",
    "n",
    "best_of",
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "functions",
    "function_call",
];

/// The name that a call uses for its token limit, `model.token_key`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenKey {
    /// `max_tokens`
    #[default]
    MaxTokens,
    /// `max_completion_tokens`
    MaxCompletionTokens,
}

words!(TokenKey {
    MaxTokens => "max_tokens",
    MaxCompletionTokens => "max_completion_tokens",
});

/// The protocol of a service, `endpoint.dialect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `POST /chat/completions`, as OpenAI has it.
    #[default]
    OpenAi,
    /// `POST /completions`: the dialogue as a single text.
    OpenAiCompletions,
}

words!(Dialect {
    OpenAi => "openai",
    OpenAiCompletions => "openai-completions",
});

/// The prompt of another attempt, `model.again_prompt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// The first prompt again.
    #[default]
    Same,
    /// The first prompt, followed by the bad answer and what was wrong with it.
    Told,
}

words!(Again {
    Same => "same",
    Told => "told",
});

/// The prompts and answers that become evidence, `model.keep`; the ledger has the hashes of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None.
    Hashes,
    /// Those of attempts that gave no legal move in time.
    #[default]
    Faults,
    /// All.
    All,
}

words!(Keep {
    Hashes => "hashes",
    Faults => "faults",
    All => "all",
});

/// Where a model's words beside its move are shown, `model.rationale`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rationale {
    /// Nowhere, and they are not kept.
    #[default]
    None,
    /// In the comments of PGNs.
    Pgn,
    /// In PGNs, and beside the moves of the page.
    Page,
}

words!(Rationale {
    None => "none",
    Pgn => "pgn",
    Page => "page",
});

/// The occurrence of the tag that counts, `model.take`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Take {
    #[default]
    First,
    Last,
    /// The only one; if there are several, none counts.
    Only,
}

words!(Take {
    First => "first",
    Last => "last",
    Only => "only",
});

/// The notation of a move, `model.notation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// As in UCI.
    #[default]
    Uci,
    /// Standard algebraic notation.
    San,
}

words!(Notation {
    Uci => "uci",
    San => "san",
});

/// The legal moves that a prompt shows, by the variables that its template names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegalMoves {
    None,
    /// One, as an example.
    One,
    All,
}

words!(LegalMoves {
    None => "none",
    One => "one",
    All => "all",
});

/// A constraint on the answer, `model.response_format`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseFormat {
    /// No constraint.
    #[default]
    None,
    /// The answer is an object with one of the legal moves.
    LegalMoves,
    /// The event's own format, word for word.
    Table(Map<String, Value>),
}

/// A number with up to three decimals, as sampling settings have: 0.7 is 700.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Thousandths(pub u32);

impl Thousandths {
    /// The number as calls have it.
    pub fn number(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        let short = text.trim_end_matches('0');
        write!(f, "{short}{}", if short.ends_with('.') { "0" } else { "" })
    }
}

/// A text that is not a number with up to three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a number with up to three decimals, such as 0.7")]
pub struct ThousandthsError;

impl FromStr for Thousandths {
    type Err = ThousandthsError;

    fn from_str(text: &str) -> Result<Self, ThousandthsError> {
        let thousandths = decimal(text, 3).and_then(|number| u32::try_from(number).ok());
        thousandths.map(Self).ok_or(ThousandthsError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousandths_are_written_as_they_are_read() {
        for (text, number) in [("0.7", 700), ("1.0", 1000), ("0.125", 125), ("12.05", 12_050)] {
            let read: Thousandths = text.parse().expect("a number");
            assert_eq!((read.0, read.to_string().as_str()), (number, text));
        }
        assert_eq!("2".parse(), Ok(Thousandths(2000)));
        for text in ["", ".", "1.", ".5", "-1", "1.2345", "1e3", "99999999", "NaN"] {
            assert_eq!(text.parse::<Thousandths>(), Err(ThousandthsError), "{text}");
        }
    }
}
