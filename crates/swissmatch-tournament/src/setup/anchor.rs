//! Where the head of the log is published during a run, `run.anchor`.
//!
//! May not: publish anything, or check whether it exists.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The most characters of an anchor.
pub(crate) const LONGEST_ANCHOR: usize = 4096;

/// The receiver of the lines with the log's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Anchor {
    /// `file:PATH`: the lines are appended to a file.
    File(String),
    /// `https://…`, `http://…`: a web server; only in older runs, which could send lines to one.
    Web(String),
    /// `exec:PROGRAM`: a program gets each line on its standard input.
    Program(String),
}

/// Why a text is not an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseAnchorError {
    /// It has an unknown beginning.
    #[error("write file:PATH or exec:PROGRAM")]
    Kind,
    /// Nothing follows the beginning.
    #[error("nothing follows what it begins with")]
    Empty,
    /// It is too long, or has a control character.
    #[error("it has control characters, or more than {LONGEST_ANCHOR} characters")]
    Text,
}

impl FromStr for Anchor {
    type Err = ParseAnchorError;

    fn from_str(text: &str) -> Result<Self, ParseAnchorError> {
        if text.chars().count() > LONGEST_ANCHOR || text.chars().any(char::is_control) {
            return Err(ParseAnchorError::Text);
        }
        let named = |rest: &str, anchor: fn(String) -> Self| match rest.is_empty() {
            true => Err(ParseAnchorError::Empty),
            false => Ok(anchor(rest.to_owned())),
        };
        if let Some(path) = text.strip_prefix("file:") {
            return named(path, Self::File);
        }
        if let Some(program) = text.strip_prefix("exec:") {
            return named(program, Self::Program);
        }
        match text.starts_with("https://") || text.starts_with("http://") {
            true => Ok(Self::Web(text.to_owned())),
            false => Err(ParseAnchorError::Kind),
        }
    }
}

impl fmt::Display for Anchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "file:{path}"),
            Self::Web(address) => f.write_str(address),
            Self::Program(program) => write!(f, "exec:{program}"),
        }
    }
}

impl TryFrom<String> for Anchor {
    type Error = ParseAnchorError;

    fn try_from(text: String) -> Result<Self, ParseAnchorError> {
        text.parse()
    }
}

impl From<Anchor> for String {
    fn from(anchor: Anchor) -> Self {
        anchor.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_as_they_are_shown() {
        for text in [
            "file:../anchors.ndjson",
            "exec:tools/publish",
            "https://example.org:8443/anchors?league=1",
            "http://127.0.0.1:8080/",
        ] {
            let anchor: Anchor = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(anchor.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_anchor_is_refused_with_the_reason() {
        for (text, why) in [
            ("anchors.ndjson", ParseAnchorError::Kind),
            ("ftp://example.org/", ParseAnchorError::Kind),
            ("file:", ParseAnchorError::Empty),
            ("exec:", ParseAnchorError::Empty),
            ("file:a\nb", ParseAnchorError::Text),
        ] {
            assert_eq!(text.parse::<Anchor>(), Err(why), "{text}");
        }
    }
}
