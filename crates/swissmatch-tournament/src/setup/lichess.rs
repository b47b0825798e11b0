//! Keys for showing games on Lichess, `[lichess]`.
//!
//! May not: send anything; hold a token.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::web::{LONGEST_ADDRESS, host_of};

/// The most games that Lichess takes in one round of a broadcast.
pub const GAMES_A_BROADCAST: usize = 100;

/// `[lichess]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LichessKeys {
    /// The rounds of broadcasts that games are sent to, in the order in which they are filled; empty means that nothing
    /// is sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<String>,
    /// Whether each round of the event begins with the next round of the broadcast.
    pub by_round: bool,
    /// The environment variable of the runner that holds the token.
    pub token_env: String,
    /// The file that holds the token, instead of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<String>,
    /// The address of the server.
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

/// The address of a server, without a `/` at the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Server(String);

impl Default for Server {
    fn default() -> Self {
        Self("https://lichess.org".to_owned())
    }
}

/// Why a text is not the address of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseServerError {
    /// It does not begin like a web address.
    #[error("write https://…")]
    Scheme,
    /// It has no host, or something that an address cannot have.
    #[error("an address has a host, and no blank, user, fragment or letter outside ASCII")]
    Address,
    /// The token would cross the network unencrypted.
    #[error("http:// is for a server of this machine alone (localhost, 127.0.0.1, [::1]); write https://")]
    Open,
    /// It is too long.
    #[error("it has more than {LONGEST_ADDRESS} characters")]
    Long,
}

impl FromStr for Server {
    type Err = ParseServerError;

    fn from_str(text: &str) -> Result<Self, ParseServerError> {
        if text.chars().count() > LONGEST_ADDRESS {
            return Err(ParseServerError::Long);
        }
        let (rest, is_open) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
            (Some(rest), _) => (rest, false),
            (None, Some(rest)) => (rest, true),
            (None, None) => return Err(ParseServerError::Scheme),
        };
        let host = host_of(rest).ok_or(ParseServerError::Address)?;
        match is_open && !is_this_machine(host) {
            true => Err(ParseServerError::Open),
            false => Ok(Self(text.trim_end_matches('/').to_owned())),
        }
    }
}

fn is_this_machine(host: &str) -> bool {
    let of_127 = host
        .parse::<std::net::Ipv4Addr>()
        .is_ok_and(|address| address.is_loopback());
    of_127 || host.eq_ignore_ascii_case("localhost") || host.parse() == Ok(Ipv6Addr::LOCALHOST)
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for Server {
    type Error = ParseServerError;

    fn try_from(text: String) -> Result<Self, ParseServerError> {
        text.parse()
    }
}

impl From<Server> for String {
    fn from(server: Server) -> Self {
        server.0
    }
}

/// True if the text can be the name of a broadcast's round: eight letters and digits.
pub fn is_broadcast_round(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// True if the text can be the name of an environment variable.
pub fn is_variable(text: &str) -> bool {
    let is_of_a_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    !text.is_empty() && text.bytes().all(is_of_a_name) && !text.as_bytes()[0].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_are_read_as_they_are_shown() {
        for text in [
            "https://example.org",
            "https://example.org:8443/broadcasts?league=1",
            "http://127.0.0.1:8080",
            "http://localhost/x",
            "http://[::1]:9/x",
        ] {
            let server: Server = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(server.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_server_is_refused_with_the_reason() {
        for (text, why) in [
            ("ftp://example.org/", ParseServerError::Scheme),
            ("https://", ParseServerError::Address),
            ("https:///x", ParseServerError::Address),
            ("https://me:secret@example.org/", ParseServerError::Address),
            ("https://example.org:0/", ParseServerError::Address),
            ("https://[::1/", ParseServerError::Address),
            ("https://[::1]x/", ParseServerError::Address),
            ("https://exa mple.org/", ParseServerError::Address),
            ("https://exämple.org/", ParseServerError::Address),
            ("http://example.org/", ParseServerError::Open),
            ("http://127.0.0.1.example.org/", ParseServerError::Open),
            ("http://localhost.example.org/", ParseServerError::Open),
            ("http://[::2]/", ParseServerError::Open),
        ] {
            assert_eq!(text.parse::<Server>(), Err(why), "{text}");
        }
    }
}
