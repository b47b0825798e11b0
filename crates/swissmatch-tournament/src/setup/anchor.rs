//! Where the head of the log is published while a run is played, `run.anchor`.
//!
//! May not: publish anything, or look whether something is there.

use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Most characters of one.
pub const LONGEST_ANCHOR: usize = 4096;

/// Who takes the lines with the log's head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Anchor {
    /// `file:PATH`: they are added to a file.
    File(String),
    /// `https://…`, or `http://…` of this machine: they are sent to a web server.
    Web(String),
    /// `exec:PROGRAM`: a program has each on its standard input.
    Program(String),
}

/// Why a text names no anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAnchor {
    /// It begins otherwise.
    #[error("write file:PATH, https://… or exec:PROGRAM")]
    Kind,
    /// It is no address of a web server.
    #[error("write https://…")]
    Scheme,
    /// Nothing follows.
    #[error("nothing follows what it begins with")]
    Empty,
    /// It is too long, or has a control character.
    #[error("it has control characters, or more than {LONGEST_ANCHOR} characters")]
    Text,
    /// The address of a web server is none.
    #[error("an address has a host, and no blank, user, fragment or letter outside ASCII")]
    Address,
    /// The network would carry it in the open.
    #[error("http:// is for a server of this machine alone (localhost, 127.0.0.1, [::1]); write https://")]
    Open,
}

impl FromStr for Anchor {
    type Err = NoAnchor;

    fn from_str(text: &str) -> Result<Self, NoAnchor> {
        if text.chars().count() > LONGEST_ANCHOR || text.chars().any(char::is_control) {
            return Err(NoAnchor::Text);
        }
        let named = |rest: &str, anchor: fn(String) -> Self| match rest.is_empty() {
            true => Err(NoAnchor::Empty),
            false => Ok(anchor(rest.to_owned())),
        };
        if let Some(path) = text.strip_prefix("file:") {
            return named(path, Self::File);
        }
        if let Some(program) = text.strip_prefix("exec:") {
            return named(program, Self::Program);
        }
        require_web(text)?;
        Ok(Self::Web(text.to_owned()))
    }
}

/// That a text is the address of a web server that nobody on the way can listen to.
pub(super) fn require_web(text: &str) -> Result<(), NoAnchor> {
    if text.chars().count() > LONGEST_ANCHOR {
        return Err(NoAnchor::Text);
    }
    let (rest, is_open) = match (text.strip_prefix("https://"), text.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return Err(NoAnchor::Kind),
    };
    let host = host_of(rest).ok_or(NoAnchor::Address)?;
    match is_open && !is_this_machine(host) {
        true => Err(NoAnchor::Open),
        false => Ok(()),
    }
}

/// The host of an address without its scheme.
fn host_of(rest: &str) -> Option<&str> {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '@' | '\\' | '#' | '"' | '<' | '>');
    if !rest.chars().all(is_plain) {
        return None;
    }
    let (authority, _) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, port)) => (host, port.strip_prefix(':').or(port.is_empty().then_some("443"))?),
        None => authority.rsplit_once(':').unwrap_or((authority, "443")),
    };
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_host = match authority.starts_with('[') {
        true => host.parse::<Ipv6Addr>().is_ok(),
        false => !host.is_empty() && host.chars().all(is_name),
    };
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    (is_host && is_port).then_some(host)
}

fn is_this_machine(host: &str) -> bool {
    let of_127 = host
        .parse::<std::net::Ipv4Addr>()
        .is_ok_and(|address| address.is_loopback());
    of_127 || host.eq_ignore_ascii_case("localhost") || host.parse() == Ok(Ipv6Addr::LOCALHOST)
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
    type Error = NoAnchor;

    fn try_from(text: String) -> Result<Self, NoAnchor> {
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
            "https://example.org",
            "https://example.org:8443/anchors?league=1",
            "http://127.0.0.1:8080/",
            "http://localhost/x",
            "http://[::1]:9/x",
        ] {
            let anchor: Anchor = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(anchor.to_string(), text);
        }
    }

    #[test]
    fn what_is_no_anchor_is_refused_with_the_reason() {
        for (text, why) in [
            ("anchors.ndjson", NoAnchor::Kind),
            ("ftp://example.org/", NoAnchor::Kind),
            ("file:", NoAnchor::Empty),
            ("exec:", NoAnchor::Empty),
            ("file:a\nb", NoAnchor::Text),
            ("https://", NoAnchor::Address),
            ("https:///x", NoAnchor::Address),
            ("https://me:secret@example.org/", NoAnchor::Address),
            ("https://example.org:0/", NoAnchor::Address),
            ("https://[::1/", NoAnchor::Address),
            ("https://[::1]x/", NoAnchor::Address),
            ("https://exa mple.org/", NoAnchor::Address),
            ("https://exämple.org/", NoAnchor::Address),
            ("http://example.org/", NoAnchor::Open),
            ("http://127.0.0.1.example.org/", NoAnchor::Open),
            ("http://localhost.example.org/", NoAnchor::Open),
            ("http://[::2]/", NoAnchor::Open),
        ] {
            assert_eq!(text.parse::<Anchor>(), Err(why), "{text}");
        }
    }
}
