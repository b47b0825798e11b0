//! How models are asked and their answers read, `[model]`; each key also stands on a player, where it goes over the event's.
//!
//! May not: know a service.

use serde::{Deserialize, Serialize};
pub use swissmatch_broker::manner::{
    Again, Keep, LegalMoves, Notation, Rationale, ResponseFormat, Take, Thousandths, TokenKey,
};

/// `[model]`, and the same keys of a player: what is `None` is as the event has it, and what the event does not say is as in
/// [`ModelSetup::default`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelKeys {
    /// The template's file, as written; relative to the event file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// What a model is told before everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system: Option<String>,
    /// Most tokens of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// What the service calls that limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_key: Option<TokenKey>,
    /// How much chance there is in an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<Thousandths>,
    /// From how much of what is likely is chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top_p: Option<Thousandths>,
    /// What chance begins with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampling_seed: Option<i64>,
    /// Texts at which an answer ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_texts: Option<Vec<String>>,
    /// How long a model thinks, in the service's word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// What constrains an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// Its last moves that stay in the dialogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// The tag that has the move; a text that ends in a colon is what the move stands after.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<String>,
    /// Which of several tags counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub take: Option<Take>,
    /// How the move is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notation: Option<Notation>,
    /// Whether a move within the reasoning counts, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_reasoning: Option<bool>,
    /// Whether `resign` in place of a move gives up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resign: Option<bool>,
    /// What the prompt of another attempt is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub again_prompt: Option<Again>,
    /// Which prompts and answers become evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<Keep>,
    /// Where it is shown what it said beside its move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rationale: Option<Rationale>,
}

impl ModelKeys {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// A player's keys over these of the event.
    #[must_use]
    pub fn under(&self, own: &Self) -> Self {
        /// The player's, else the event's.
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

    /// What a player's keys over these of the event give.
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

/// How a model is asked, all of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSetup {
    /// The template's file, as written.
    pub prompt: Option<String>,
    /// What it is told before everything.
    pub system: Option<String>,
    /// Most tokens of an answer.
    pub max_tokens: u64,
    /// What the service calls that limit.
    pub token_key: TokenKey,
    /// How much chance there is in an answer.
    pub temperature: Option<Thousandths>,
    /// From how much of what is likely is chosen.
    pub top_p: Option<Thousandths>,
    /// What chance begins with.
    pub sampling_seed: Option<i64>,
    /// Texts at which an answer ends.
    pub stop_texts: Vec<String>,
    /// How long it thinks, in the service's word.
    pub reasoning_effort: Option<String>,
    /// What constrains an answer.
    pub response_format: ResponseFormat,
    /// Its last moves that stay in the dialogue.
    pub history: u32,
    /// The tag that has the move; a text that ends in a colon is what the move stands after.
    pub tag: String,
    /// Which of several tags counts.
    pub take: Take,
    /// How the move is written.
    pub notation: Notation,
    /// Whether a move within the reasoning counts, too.
    pub in_reasoning: bool,
    /// Whether `resign` in place of a move gives up.
    pub resign: bool,
    /// What the prompt of another attempt is.
    pub again_prompt: Again,
    /// Which prompts and answers become evidence.
    pub keep: Keep,
    /// Where it is shown what it said beside its move.
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
