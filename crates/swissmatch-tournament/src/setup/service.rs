//! Services that run models, `[endpoint.NAME]`, and what may be spent on them, `[spending]`.
//!
//! May not: hold a key; send anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;
pub use swissmatch_broker::manner::{Dialect, OURS};
pub use swissmatch_broker::money::{Micros, Price, Tokens};

/// The value of `endpoint.owner` for an endpoint that belongs to the event.
pub const EVENT: &str = "event";

/// `[endpoint.NAME]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointKeys {
    /// The name by which players refer to it.
    pub name: String,
    /// Its address, `http://…` or `https://…`.
    pub url: String,
    /// The environment variable of the runner that holds its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The file that holds its key, as written; relative to the event file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<String>,
    /// The protocol that it speaks.
    pub dialect: Dialect,
    /// The owner: [`EVENT`], or the player who pays for its outages.
    pub owner: String,
    /// The most calls open at once.
    pub at_once: u32,
    /// The most requests in any minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_a_minute: Option<u64>,
    /// The most tokens in any minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_a_minute: Option<u64>,
    /// How long a call is repeated if the service fails it.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub patience: Duration,
    /// The price of tokens; `None` if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// Additional content of each call.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub extra: Map<String, Value>,
    /// Whether answers are streamed.
    pub stream: bool,
    /// Whether agents that are not isolated may play in an event that has its key.
    pub trust_off: bool,
}

impl Default for EndpointKeys {
    fn default() -> Self {
        Self {
            name: String::new(),
            url: String::new(),
            key_env: None,
            key_file: None,
            dialect: Dialect::default(),
            owner: EVENT.to_owned(),
            at_once: 8,
            requests_a_minute: None,
            tokens_a_minute: None,
            patience: Duration::from_mins(10),
            price: None,
            extra: Map::new(),
            stream: true,
            trust_off: false,
        }
    }
}

impl EndpointKeys {
    /// True if it has a key.
    pub const fn has_key(&self) -> bool {
        self.key_env.is_some() || self.key_file.is_some()
    }
}

/// True if the text can be the name of an endpoint: up to 100 letters, digits, `-` and `_`.
pub fn is_endpoint_name(text: &str) -> bool {
    let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=100).contains(&text.len()) && text.bytes().all(is_of_a_name)
}

/// What happens when a spending limit is reached, `spending.at_limit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtLimit {
    /// The run pauses, and the game is due again.
    #[default]
    Pause,
    /// The player who needs the call loses the game.
    Forfeit,
}

words!(AtLimit {
    Pause => "pause",
    Forfeit => "forfeit",
});

/// `[spending]`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SpendingKeys {
    /// The most that all players may spend, in the unit of the prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Micros>,
    /// The most that each player may spend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Micros>,
    /// The most tokens of all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The most requests of all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// What happens when one of these limits is reached.
    pub at_limit: AtLimit,
}

impl SpendingKeys {
    /// True if no limit is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
