//! Data and code within HTML: what ends neither a script nor a string, and the policy that lets nothing else run.
//!
//! The games of a large report are scripts: from disk a browser reads no file beside a page, but it runs one. The policy
//! (`'strict-dynamic'`) lets only what the page's own script begins run.
//!
//! May not: know what the data is.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::PreEscaped;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Where;
use super::front_end::FrontEnd;

/// A value as JSON within a script element. What could end the element, begin a comment in it or end a line of a script is written
/// as an escape: JSON has these characters in strings alone.
pub(super) fn json(value: &impl Serialize) -> PreEscaped<String> {
    let text = serde_json::to_string(value).expect("plain data");
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => safe += &format!("\\u{:04x}", u32::from(c)),
            c => safe.push(c),
        }
    }
    PreEscaped(safe)
}

/// Bytes as text that has no meaning in HTML.
pub(super) fn base64(bytes: &[u8]) -> PreEscaped<String> {
    PreEscaped(BASE64_STANDARD.encode(bytes))
}

/// What the page may do: run its own script and take its own style, both by their hashes; read files beside it, where its games are
/// there, or have its own script begin them, where they are scripts; and nothing else.
pub(super) fn policy(front_end: &FrontEnd, games: &Where) -> String {
    let (begin, read) = match games {
        Where::Inside(_) => ("", ""),
        Where::Beside => ("", " connect-src 'self';"),
        Where::Scripts(_) => (" 'strict-dynamic'", ""),
    };
    let hash = |text: &str| BASE64_STANDARD.encode(Sha256::digest(text));
    format!(
        "default-src 'none'; script-src 'sha256-{}'{begin}; style-src 'sha256-{}'; img-src data:; font-src data:;{read} base-uri 'none'; \
         form-action 'none'",
        hash(&front_end.script),
        hash(&front_end.style)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_ends_no_script() {
        let hostile = "</script><!-- <script> & \u{2028}\u{2029} \"\\";
        let PreEscaped(text) = json(&hostile);
        assert!(!text.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{text}");
        assert_eq!(serde_json::from_str::<String>(&text).expect("JSON"), hostile);
    }
}
