//! Web addresses as event files have them.
//!
//! May not: look a name up; connect to anything.

use std::net::Ipv6Addr;

/// The most characters of an address.
pub(super) const LONGEST_ADDRESS: usize = 4096;

/// The host of an address given without its scheme.
pub(super) fn host_of(rest: &str) -> Option<&str> {
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

/// True if the text is a web address, `http://…` or `https://…`, without a user, a password or a fragment.
pub fn is_web_address(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    text.len() <= LONGEST_ADDRESS && rest.and_then(host_of).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_told_from_other_texts() {
        for text in [
            "http://127.0.0.1:8000/v1",
            "https://agent.example.org/move?level=3",
            "http://[::1]:9",
            "https://localhost",
        ] {
            assert!(is_web_address(text), "{text}");
        }
        for text in [
            "",
            "agent.example.org/move",
            "ftp://a/v1",
            "HTTP://a/v1",
            "http://",
            "http:///v1",
            "http://a:0/v1",
            "http://a:http/v1",
            "http://me:secret@a/v1",
            "http://a/v1#top",
            "http://a b/v1",
            "http://[::1/v1",
        ] {
            assert!(!is_web_address(text), "{text}");
        }
    }
}
