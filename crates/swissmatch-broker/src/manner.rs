//! How models are asked and where their answers have the move: the words that event files and command lines have for it.
//!
//! May not: ask, or read an answer.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;

use super::money::decimal;

/// What `endpoint.extra` may not have, because the broker alone says it.
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

/// What a call names the limit of its tokens, `model.token_key`.
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

/// What a service speaks, `endpoint.dialect`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// `POST /chat/completions`, as OpenAI has it.
    #[default]
    OpenAi,
    /// `POST /completions`: the dialogue as one text.
    OpenAiCompletions,
}

words!(Dialect {
    OpenAi => "openai",
    OpenAiCompletions => "openai-completions",
});

/// What the prompt of another attempt is, `model.again_prompt`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Again {
    /// The same.
    #[default]
    Same,
    /// The same, with the bad answer and what was wrong with it.
    Told,
}

words!(Again {
    Same => "same",
    Told => "told",
});

/// Which prompts and answers become evidence, `model.keep`; the ledger has the hashes of all.
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

/// Where it is shown what a model said beside its move, `model.rationale`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rationale {
    /// Nowhere, and it is not kept.
    #[default]
    None,
    /// In the comments of PGNs.
    Pgn,
    /// There, and beside the moves of the page.
    Page,
}

words!(Rationale {
    None => "none",
    Pgn => "pgn",
    Page => "page",
});

/// Which occurrence of the tag counts, `model.take`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Take {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// The only one; where there are several none does.
    Only,
}

words!(Take {
    First => "first",
    Last => "last",
    Only => "only",
});

/// How a move is written, `model.notation`.
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

/// Which legal moves a prompt shows, by the variables that its template names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LegalMoves {
    /// None.
    None,
    /// One, as an example.
    One,
    /// All.
    All,
}

words!(LegalMoves {
    None => "none",
    One => "one",
    All => "all",
});

/// What constrains an answer, `model.response_format`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResponseFormat {
    /// Nothing.
    #[default]
    None,
    /// It is an object with one of the legal moves.
    LegalMoves,
    /// What the event says, word for word.
    Table(Map<String, Value>),
}

/// A number with up to three decimals, as sampling has them: 0.7 is 700.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Thousandths(pub u32);

impl Thousandths {
    /// As calls have it.
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

/// A text that is no number with up to three decimals.
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
