//! How models are asked and how their answers are read, `[model]`. A player can also have each key, which then replaces
//! the event's.
//!
//! May not: know any service.

use serde::{Deserialize, Serialize};
pub use swissmatch_broker::manner::{
    Again, Keep, LegalMoves, Notation, Rationale, ResponseFormat, Take, Thousandths, TokenKey,
};

/// `[model]`, or the same keys of a player. A player's `None` takes the event's value, and the event's `None` takes
/// that of [`ModelSetup::default`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelKeys {
    /// The template's file, as written; relative to the event file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The system message, sent before everything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// The most tokens of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// The service's name for that limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_key: Option<TokenKey>,
    /// The temperature: how random an answer is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Thousandths>,
    /// The share of likely tokens that is chosen from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<Thousandths>,
    /// The seed for randomness in answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling_seed: Option<i64>,
    /// Texts at which an answer ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_texts: Option<Vec<String>>,
    /// How much a model reasons, in the service's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// What constrains the form of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// How many of its last moves stay in the dialogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// The tag that holds the move; a text that ends in a colon is one that the move follows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Which one counts if there are several tags.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<Take>,
    /// The notation of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
    /// Whether a move within the reasoning counts, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_reasoning: Option<bool>,
    /// Whether `resign` in place of a move resigns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<bool>,
    /// The prompt of another attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again_prompt: Option<Again>,
    /// Which prompts and answers become evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// Where the model's rationale is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Rationale>,
}

impl ModelKeys {
    /// True if no key is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These keys of the event with a player's own keys in their place where set.
    #[must_use]
    pub fn under(&self, own: &Self) -> Self {
        /// The player's value, or else the event's.
        macro_rules! over {
            ($($key:ident),+) => { Self { $($key: own.$key.clone().or_else(|| self.$key.clone())),+ } };
        }
        over!(
            prompt,
            system,
            max_tokens,
            token_key,
            temperature,
            top_p,
            sampling_seed,
            stop_texts,
            reasoning_effort,
            response_format,
            history,
            tag,
            take,
            notation,
            in_reasoning,
            resign,
            again_prompt,
            keep,
            rationale
        )
    }

    /// The resulting setup of a player with these keys of its own.
    #[must_use]
    pub fn of_player(&self, own: &Self) -> ModelSetup {
        let keys = self.under(own);
        let usual = ModelSetup::default();
        ModelSetup {
            prompt: keys.prompt,
            system: keys.system,
            max_tokens: keys.max_tokens.unwrap_or(usual.max_tokens),
            token_key: keys.token_key.unwrap_or_default(),
            temperature: keys.temperature,
            top_p: keys.top_p,
            sampling_seed: keys.sampling_seed,
            stop_texts: keys.stop_texts.unwrap_or_default(),
            reasoning_effort: keys.reasoning_effort,
            response_format: keys.response_format.unwrap_or_default(),
            history: keys.history.unwrap_or_default(),
            tag: keys.tag.unwrap_or(usual.tag),
            take: keys.take.unwrap_or_default(),
            notation: keys.notation.unwrap_or_default(),
            in_reasoning: keys.in_reasoning.unwrap_or_default(),
            resign: keys.resign.unwrap_or(usual.resign),
            again_prompt: keys.again_prompt.unwrap_or_default(),
            keep: keys.keep.unwrap_or_default(),
            rationale: keys.rationale.unwrap_or_default(),
        }
    }
}

/// The complete setup for asking a model; the fields are those of [`ModelKeys`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSetup {
    pub prompt: Option<String>,
    pub system: Option<String>,
    pub max_tokens: u64,
    pub token_key: TokenKey,
    pub temperature: Option<Thousandths>,
    pub top_p: Option<Thousandths>,
    pub sampling_seed: Option<i64>,
    pub stop_texts: Vec<String>,
    pub reasoning_effort: Option<String>,
    pub response_format: ResponseFormat,
    pub history: u32,
    pub tag: String,
    pub take: Take,
    pub notation: Notation,
    pub in_reasoning: bool,
    pub resign: bool,
    pub again_prompt: Again,
    pub keep: Keep,
    pub rationale: Rationale,
}

impl Default for ModelSetup {
    fn default() -> Self {
        Self {
            prompt: None,
            system: None,
            max_tokens: 500,
            token_key: TokenKey::default(),
            temperature: None,
            top_p: None,
            sampling_seed: None,
            stop_texts: Vec::new(),
            reasoning_effort: None,
            response_format: ResponseFormat::default(),
            history: 0,
            tag: "uci_move".to_owned(),
            take: Take::default(),
            notation: Notation::default(),
            in_reasoning: false,
            resign: true,
            again_prompt: Again::default(),
            keep: Keep::default(),
            rationale: Rationale::default(),
        }
    }
}
