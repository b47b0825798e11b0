//! Services at which models run, `[endpoint.NAME]`, and what may be spent there, `[spending]`.
//!
//! May not: hold a key; send anything.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use swiss_system::word::words;
pub use swissmatch_broker::manner::{Dialect, OURS};
pub use swissmatch_broker::money::{Micros, Price, Tokens};

/// What `endpoint.owner` has where it is the event's.
pub const EVENT: &str = "event";

/// `[endpoint.NAME]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EndpointKeys {
    /// Its name, by which players have it.
    pub name: String,
    /// Its address, `http://…` or `https://…`.
    pub url: String,
    /// The variable of the runner's environment that holds its key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// The file that holds its key, as written; relative to the event file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_file: Option<String>,
    /// What it speaks.
    pub dialect: Dialect,
    /// Whose it is: [`EVENT`], or the player who pays for its outages.
    pub owner: String,
    /// Most calls that are open at once.
    pub at_once: u32,
    /// Most requests in any minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_a_minute: Option<u64>,
    /// Most tokens in any minute.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_a_minute: Option<u64>,
    /// How long a call that the service fails is made again.
    #[serde(with = "swissmatch_game::time_control::written")]
    pub patience: Duration,
    /// What tokens cost; `None`: nobody knows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
    /// What goes into each call besides.
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
    /// Whether it has a key.
    pub const fn has_key(&self) -> bool {
        self.key_env.is_some() || self.key_file.is_some()
    }
}

/// Whether a text may be the name of an endpoint: up to 100 letters, digits, `-` and `_`.
pub fn is_endpoint_name(text: &str) -> bool {
    let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    (1..=100).contains(&text.len()) && text.bytes().all(is_of_a_name)
}

/// What happens where a limit of the spending is reached, `spending.at_limit`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AtLimit {
    /// The run pauses, and the game is due again.
    #[default]
    Pause,
    /// Whoever needs the call loses the game.
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
    /// By all players, in the unit of the prices.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Micros>,
    /// By each player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Micros>,
    /// Tokens of all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Requests of all players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// What happens where one of these is reached.
    pub at_limit: AtLimit,
}

impl SpendingKeys {
    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
