//! One request to Lichess, with the changed games of a broadcast's round.
//!
//! May not: send it again.

use std::fmt;
use std::io;
use std::time::Duration;

use serde::Deserialize;
use swiss_system::text::{escaped, harmless};
use swissmatch_broker::http::BlockingClient;

use super::token::Token;

/// How long the server may take for the head of an answer, and for its body.
const STEP: Duration = Duration::from_secs(10);
/// The most bytes of an answer that are read.
const MOST_BYTES: usize = 1 << 20;
/// The most characters of the server's message that are repeated.
const MOST_WORDS: usize = 200;

/// Why a request failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PushFailure {
    /// There were too many requests; the server may say how long to wait.
    TooOften(Option<Duration>),
    /// The server rejects this request.
    Refused(String),
    /// The server was not reached, or is in trouble.
    Other(String),
}

impl fmt::Display for PushFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooOften(_) => f.write_str("it asks for fewer requests (429)"),
            Self::Refused(why) | Self::Other(why) => f.write_str(why),
        }
    }
}

/// The server, with the token for it.
#[derive(Debug)]
pub(super) struct Server {
    address: String,
    token: Token,
    client: BlockingClient,
}

/// The server's answer.
#[derive(Deserialize)]
struct LichessAnswer {
    #[serde(default)]
    games: Vec<OfGame>,
}

#[derive(Deserialize)]
struct OfGame {
    error: Option<String>,
}

/// The server's answer if it takes nothing.
#[derive(Deserialize)]
struct LichessRefusal {
    error: String,
}

impl Server {
    /// # Errors
    /// The machine cannot set it up.
    pub(super) fn new(address: String, token: Token) -> io::Result<Self> {
        let client = BlockingClient::new()?;
        Ok(Self { address, token, client })
    }

    /// Sends games to a round. Returns the index of each game that was taken, but not as it is, with the reason.
    ///
    /// # Errors
    /// Why no game was taken.
    pub(super) fn push(&self, round: &str, games: &[&str]) -> Result<Vec<(usize, String)>, PushFailure> {
        let address = format!("{}/api/broadcast/round/{round}/push", self.address);
        let bounds = (STEP, MOST_BYTES);
        let answer = self.client.post(&address, &self.token.header(), games.concat(), bounds);
        let answer = answer.map_err(|error| PushFailure::Other(self.shown(&error)))?;
        let (status, said) = (answer.status, answer.body);
        if status.as_u16() == 429 {
            return Err(PushFailure::TooOften(answer.wait));
        }
        if status.is_success() {
            let answer: Option<LichessAnswer> = serde_json::from_slice(&said).ok();
            let games = answer
                .map_or_else(Vec::new, |answer| answer.games)
                .into_iter()
                .enumerate();
            return Ok(games
                .filter_map(|(index, game)| Some((index, self.shown(&game.error?))))
                .collect());
        }
        let complaint: Option<LichessRefusal> = serde_json::from_slice(&said).ok();
        let complaint = complaint.map_or_else(String::new, |complaint| format!(": {}", self.shown(&complaint.error)));
        let hint = match status.as_u16() {
            401 | 403 => {
                " (the token must be valid, have the scope study:write, and be of somebody who may edit the broadcast)"
            }
            404 => " (it knows no such round)",
            _ => "",
        };
        let why = format!("the server answered {status}{complaint}{hint}");
        Err(match status.is_client_error() {
            true => PushFailure::Refused(why),
            false => PushFailure::Other(why),
        })
    }

    /// The part of a server's text that may be shown.
    fn shown(&self, text: &str) -> String {
        // Removing characters first: one of them might stand between two halves of the token.
        let text = self.token.redacted(&harmless(text));
        escaped(text.chars().take(MOST_WORDS).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_that_says_the_token_again_has_it_shown_to_nobody() {
        let place = tempfile::tempdir().expect("a directory");
        let file = place.path().join("token");
        std::fs::write(&file, "lip_abc").expect("it is written");
        let server =
            Server::new("http://127.0.0.1:1".to_owned(), Token::of_file(&file).expect("a token")).expect("a client");
        for said in ["lip_abc", "lip\u{200b}_abc", "l\u{1b}ip_a\nbc"] {
            assert_eq!(server.shown(&format!("no {said}!")), "no …!", "{said:?}");
        }
    }
}
