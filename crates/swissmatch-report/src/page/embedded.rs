//! Data and code within HTML: text that cannot end a script or a string, and the policy that allows nothing else to run.
//!
//! The games of a large report are scripts: from disk a browser reads no file beside a page, but it runs scripts. The policy
//! (`'strict-dynamic'`) allows only scripts that the page's own script loads.
//!
//! May not: know the meaning of the data.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maud::PreEscaped;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

use super::Where;
use super::front_end::FrontEnd;

/// A value as JSON within a script element. Characters that could end the element, begin a comment in it or end a line of a script are
/// escaped: in JSON they occur only in strings.
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

pub(super) fn base64(bytes: &[u8]) -> PreEscaped<String> {
    PreEscaped(BASE64_STANDARD.encode(bytes))
}

/// The policy of the page: it may run its own script and use its own style, both by their hashes. If its games are beside it, it may read
/// them; if they are scripts, its own script may load them. Nothing else is allowed.
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
