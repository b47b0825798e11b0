//! A service at which models run, as the event describes it.

use std::fmt;
use std::time::Duration;

use hyper::Uri;
use hyper::header::HeaderValue;
use serde_json::{Map, Value};

pub use super::manner::Dialect;
use super::manner::OURS;
use super::money::{Price, Tokens};

/// How long calls that the service fails are tried again, unless the event says otherwise.
pub const PATIENCE: Duration = Duration::from_mins(10);
/// The most calls open at once, unless the event says otherwise.
pub const AT_ONCE: usize = 8;

/// A secret that is sent and never shown.
#[derive(Clone)]
pub struct ServiceKey(String);

impl fmt::Debug for ServiceKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ServiceKey(…)")
    }
}

impl ServiceKey {
    /// A key: one line of letters, digits and signs.
    pub fn new(text: &str) -> Option<Self> {
        let is_one = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_one.then(|| Self(text.to_owned()))
    }

    /// The header that sends it to the service.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value = HeaderValue::try_from(format!("Bearer {}", self.0)).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// A text with the key removed.
    pub(crate) fn redacted(&self, text: &str) -> String {
        text.replace(&self.0, "…")
    }
}

#[derive(Clone, Debug)]
pub struct Endpoint {
    /// The event's name for the service.
    pub name: String,
    /// The base address, to which a call's own path is added.
    pub url: Uri,
    pub key: Option<ServiceKey>,
    pub dialect: Dialect,
    /// The most calls that are open at once.
    pub at_once: usize,
    /// The most requests in any minute.
    pub requests_a_minute: Option<u64>,
    /// The most tokens in any minute.
    pub tokens_a_minute: Option<Tokens>,
    /// How long a call that the service fails is tried again.
    pub patience: Duration,
    /// The price of tokens.
    pub price: Option<Price>,
    /// Further fields that go into each call.
    pub extra: Map<String, Value>,
    /// True if answers are streamed.
    pub stream: bool,
    /// True if the service is the event's; a player pays for the outages of a service of his own.
    pub owner_is_event: bool,
}

/// Why the description of a service is not valid.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// The text is not an address.
    #[error("{0:?} is no address of a service: write one such as http://127.0.0.1:8000/v1")]
    Url(String),
    /// `extra` has a field that the broker sets.
    #[error("endpoint.{0}.extra may not have `{1}`: that is swissmatch's to say")]
    Extra(String, String),
}

impl Endpoint {
    /// A service of the event with default settings.
    ///
    /// # Errors
    /// When the text is not an address.
    pub fn new(name: &str, url: &str) -> Result<Self, EndpointError> {
        Ok(Self {
            name: name.to_owned(),
            url: address(url)?,
            key: None,
            dialect: Dialect::default(),
            at_once: AT_ONCE,
            requests_a_minute: None,
            tokens_a_minute: None,
            patience: PATIENCE,
            price: None,
            extra: Map::new(),
            stream: true,
            owner_is_event: true,
        })
    }

    /// # Errors
    /// When `extra` has a field that the broker sets.
    pub(crate) fn check(&self) -> Result<(), EndpointError> {
        let bad = self.extra.keys().find(|key| OURS.contains(&key.as_str()));
        bad.map_or(Ok(()), |key| Err(EndpointError::Extra(self.name.clone(), key.clone())))
    }

    pub(crate) fn address(&self) -> String {
        self.address_of(match self.dialect {
            Dialect::OpenAi => "chat/completions",
            Dialect::OpenAiCompletions => "completions",
        })
    }

    /// The address of another path of the service.
    pub(crate) fn address_of(&self, path: &str) -> String {
        format!("{}/{path}", self.url.to_string().trim_end_matches('/'))
    }
}

/// An address that can be called.
///
/// # Errors
/// When the text is not an address.
pub(crate) fn address(url: &str) -> Result<Uri, EndpointError> {
    let bad = || EndpointError::Url(url.to_owned());
    let address: Uri = url.parse().map_err(|_| bad())?;
    let is_web = matches!(address.scheme_str(), Some("http" | "https"));
    // Text before an `@` would be a key in an address.
    let authority = address.authority().ok_or_else(bad)?;
    let is_plain = !authority.as_str().contains('@') && !authority.host().is_empty();
    (is_web && is_plain).then_some(address).ok_or_else(bad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_one_that_can_be_called() {
        for url in ["ftp://a/v1", "127.0.0.1:80", "/v1", "", "http://key@a/v1", "http:///v1"] {
            assert!(Endpoint::new("a", url).is_err(), "{url}");
        }
        let endpoint = Endpoint::new("a", "http://127.0.0.1:8000/v1/").expect("an address");
        assert_eq!(endpoint.address(), "http://127.0.0.1:8000/v1/chat/completions");
    }

    #[test]
    fn extra_says_nothing_that_the_broker_says() {
        let mut endpoint = Endpoint::new("a", "http://a/v1").expect("an address");
        endpoint.extra.insert("top_k".to_owned(), Value::from(1));
        assert!(endpoint.check().is_ok());
        endpoint.extra.insert("tools".to_owned(), Value::Null);
        let error = endpoint.check().expect_err("a tool").to_string();
        assert_eq!(
            error,
            "endpoint.a.extra may not have `tools`: that is swissmatch's to say"
        );
    }

    #[test]
    fn a_key_is_in_no_message() {
        let key = ServiceKey::new("sk-abc").expect("a key");
        assert_eq!(format!("{key:?}"), "ServiceKey(…)");
        assert_eq!(key.redacted("no sk-abc!"), "no …!");
        assert!(format!("{:?}", key.header()).contains("Sensitive"));
        assert!(ServiceKey::new("a b").is_none() && ServiceKey::new("").is_none());
    }
}
