//! Where games are shown on Lichess, `[lichess]`.
//!
//! May not: send anything; hold a token.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::anchor::{NoAnchor, require_web};

/// Most games that Lichess takes in one round of a broadcast.
pub const GAMES_A_BROADCAST: usize = 100;

/// `[lichess]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LichessKeys {
    /// The rounds of broadcasts that games are sent to, in the order in which they are filled; none: nothing is sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<String>,
    /// Whether each round of the event begins with the next round of the broadcast.
    pub by_round: bool,
    /// The variable of the runner's environment that holds the token.
    pub token_env: String,
    /// The file that holds the token, instead of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<String>,
    /// The server.
    pub server: Server,
}

impl Default for LichessKeys {
    fn default() -> Self {
        Self {
            rounds: Vec::new(),
            by_round: false,
            token_env: "LICHESS_TOKEN".to_owned(),
            token_file: None,
            server: Server::default(),
        }
    }
}

/// The address of a server, without a `/` at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Server(String);

impl Default for Server {
    fn default() -> Self {
        Self("https://lichess.org".to_owned())
    }
}

impl FromStr for Server {
    type Err = NoAnchor;

    fn from_str(text: &str) -> Result<Self, NoAnchor> {
        require_web(text).map_err(|no| match no {
            NoAnchor::Kind => NoAnchor::Scheme,
            no => no,
        })?;
        Ok(Self(text.trim_end_matches('/').to_owned()))
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Server {
    type Error = NoAnchor;

    fn try_from(text: String) -> Result<Self, NoAnchor> {
        text.parse()
    }
}

impl From<Server> for String {
    fn from(server: Server) -> Self {
        server.0
    }
}

/// Whether a text may be the name of a broadcast's round: eight letters and digits.
pub fn is_broadcast_round(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Whether a text may be the name of a variable.
pub fn is_variable(text: &str) -> bool {
    let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_of_a_name) && !text.as_bytes()[0].is_ascii_digit()
}
