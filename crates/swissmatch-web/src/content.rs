//! Content of answers: bytes of one type, compressed once for all readers who accept that, with a tag by which a reader who already has
//! them is told so.
//!
//! May not: know what the bytes mean.

use axum::body::Body;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::Response;
use bytes::Bytes;

use swissmatch_game::gz;
use swissmatch_host::store::sha256;

pub(super) const JSON: &str = "application/json";

/// Shorter texts are not compressed: they fit into one packet anyway.
const WORTH_PACKING: usize = 1400;

/// How long a reader may keep an answer without asking again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The reader asks each time whether it is still current.
    AskAgain,
    /// Its address changes with its content.
    ForEver,
}

#[derive(Clone, Debug)]
pub(super) struct ResponseContent {
    kind: &'static str,
    keep: Keep,
    plain: Bytes,
    packed: Option<Bytes>,
    /// Hexadecimal, so that it needs quotation marks but no escapes.
    tag: String,
}

impl ResponseContent {
    pub(super) fn new(kind: &'static str, keep: Keep, text: String) -> Self {
        let tag = sha256(text.as_bytes())[..20].to_owned();
        let packed = (text.len() > WORTH_PACKING).then(|| Bytes::from(gz::pack(text.as_bytes())));
        Self {
            kind,
            keep,
            plain: Bytes::from(text),
            packed,
            tag,
        }
    }

    /// Bytes of memory that it takes.
    pub(super) fn size(&self) -> usize {
        self.plain.len() + self.packed.as_ref().map_or(0, Bytes::len)
    }

    pub(super) fn answer(&self, asked: &HeaderMap) -> Response {
        let mut answer = Response::new(Body::empty());
        let headers = answer.headers_mut();
        let keep = match self.keep {
            Keep::AskAgain => "no-cache",
            Keep::ForEver => "public, max-age=31536000, immutable",
        };
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(keep));
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{}\"", self.tag)) {
            headers.insert(ETAG, tag);
        }
        if has(asked, IF_NONE_MATCH.as_str(), |known| {
            known == "*" || known.contains(&self.tag)
        }) {
            *answer.status_mut() = StatusCode::NOT_MODIFIED;
            return answer;
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.kind));
        let takes_packed = has(asked, ACCEPT_ENCODING.as_str(), |taken| {
            let taken = taken.split(';').map(str::trim).collect::<Vec<_>>();
            taken[0] == "gzip" && !taken[1..].iter().any(|weight| matches!(*weight, "q=0" | "q=0.0"))
        });
        let body = match (&self.packed, takes_packed) {
            (Some(packed), true) => {
                headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                packed
            }
            _ => &self.plain,
        };
        *answer.body_mut() = Body::from(body.clone());
        answer
    }
}

/// Whether a header has an item, between commas, for which `is_it` holds.
fn has(asked: &HeaderMap, name: &str, is_it: impl Fn(&str) -> bool) -> bool {
    let values = asked.get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|part| is_it(part.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(headers: &[(&'static str, &str)]) -> HeaderMap {
        let header =
            |(name, value): &(&'static str, &str)| (name.parse().expect("a name"), value.parse().expect("a value"));
        headers.iter().map(header).collect()
    }

    #[test]
    fn it_is_packed_for_who_takes_it_so_and_not_sent_to_who_has_it() {
        let text = "All of it, again and again. ".repeat(200);
        let content = ResponseContent::new("text/plain", Keep::AskAgain, text.clone());
        assert!(content.size() < text.len() * 2);
        let encoding = |headers: &[(&'static str, &str)]| {
            let answer = content.answer(&asked(headers));
            (
                answer.status().as_u16(),
                answer.headers().contains_key(CONTENT_ENCODING),
            )
        };
        assert_eq!(encoding(&[]), (200, false));
        assert_eq!(encoding(&[("accept-encoding", "br, gzip;q=0.5")]), (200, true));
        assert_eq!(encoding(&[("accept-encoding", "gzip;q=0")]), (200, false));
        let tag = content.answer(&asked(&[])).headers()[ETAG]
            .to_str()
            .expect("text")
            .to_owned();
        assert_eq!(encoding(&[("if-none-match", &format!("\"x\", {tag}"))]), (304, false));
        assert_eq!(encoding(&[("if-none-match", "\"x\"")]), (200, false));
        let short = ResponseContent::new("text/plain", Keep::ForEver, "short".to_owned());
        let answer = short.answer(&asked(&[("accept-encoding", "gzip")]));
        assert!(!answer.headers().contains_key(CONTENT_ENCODING));
    }
}
