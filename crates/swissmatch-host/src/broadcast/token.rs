//! A secret that is sent and never shown.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use crate::files;

/// The most characters of a token.
const LONGEST: usize = 200;

/// A token. Messages show three dots in its place.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// There is no such variable.
    #[error("the environment has no variable {0}")]
    NoVariable(String),
    /// The file cannot be read.
    #[error("it cannot be read: {0}")]
    Unreadable(std::io::Error),
    /// There is no token there.
    #[error("what is there is no token: one line of letters, digits and signs, without a blank")]
    NoToken,
}

impl Token {
    /// The token in an environment variable of this process.
    ///
    /// # Errors
    /// There is none.
    pub fn of_variable(name: &str) -> Result<Self, TokenError> {
        let value = std::env::var_os(name).ok_or_else(|| TokenError::NoVariable(name.to_owned()))?;
        value.to_str().and_then(Self::new).ok_or(TokenError::NoToken)
    }

    /// The token in a file, which may end with a line break.
    ///
    /// # Errors
    /// It cannot be read, or has no token in it.
    pub fn of_file(path: &Path) -> Result<Self, TokenError> {
        let mut text = String::new();
        let file = files::open_plain(path).map_err(TokenError::Unreadable)?;
        let most = LONGEST as u64 * 2;
        match file.take(most).read_to_string(&mut text) {
            Ok(_) => Self::new(text.trim()).ok_or(TokenError::NoToken),
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => Err(TokenError::NoToken),
            Err(error) => Err(TokenError::Unreadable(error)),
        }
    }

    fn new(text: &str) -> Option<Self> {
        let is_one = (1..=LONGEST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_one.then(|| Self(text.to_owned()))
    }

    /// The header that carries it to the server.
    pub(super) fn header(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text without the token.
    pub(super) fn redacted(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_not_shown() {
        let token = Token::new("lip_abc").expect("a token");
        assert_eq!(format!("{token:?} {:?}", Some(&token)), "Token(…) Some(Token(…))");
        assert_eq!(token.redacted("no lip_abc here, lip_abc"), "no … here, …");
        assert_eq!(token.header(), "Bearer lip_abc");
    }

    #[test]
    fn what_is_no_token_is_refused_without_showing_it() {
        let place = tempfile::tempdir().expect("a directory");
        let file = |text: &[u8]| {
            let path = place.path().join("token");
            std::fs::write(&path, text).expect("it is written");
            Token::of_file(&path)
        };
        assert_eq!(file(b" lip_abc\n").expect("a token"), Token("lip_abc".to_owned()));
        for text in [&b""[..], b"\n", b"two words", b"two\nlines", &[0xff], &[b'x'; 300]] {
            let error = file(text).expect_err("it is none").to_string();
            assert!(error.starts_with("what is there is no token"), "{error}");
        }
        let gone = Token::of_file(&place.path().join("none")).expect_err("it is not there");
        assert!(gone.to_string().starts_with("it cannot be read"), "{gone}");
        let name = "SWISSMATCH_NO_SUCH_TOKEN";
        assert!(
            Token::of_variable(name)
                .expect_err("it is not there")
                .to_string()
                .contains(name)
        );
    }
}
