//! Which models a service has: `GET URL/models`, as most services answer it.
//!
//! May not: choose one.

use std::io;
use std::time::Duration;

use serde::Deserialize;
use swiss_system::text::harmless;

use super::endpoint::Endpoint;
use super::grade;
use super::http::{BlockingClient, HttpResponse};

/// How long the head, and the rest, of the answer may take.
const STEP: Duration = Duration::from_secs(10);
/// Most bytes of a list.
const LONGEST: usize = 16 << 20;

/// Why a service does not say which models it has.
#[derive(Debug, thiserror::Error)]
pub enum ModelListError {
    /// It is not there.
    #[error("it does not answer: {0}")]
    Away(String),
    /// It wants a key, or another one.
    #[error("{0}")]
    Locked(String),
    /// It has no such list.
    #[error("{0}")]
    Refused(String),
    /// What it answered is something else.
    #[error("what it answered is {0}, and no list of models")]
    NoList(&'static str),
    /// There is none.
    #[error("it has no models")]
    Nothing,
    /// The machine refuses.
    #[error(transparent)]
    Machine(#[from] io::Error),
}

#[derive(Deserialize)]
struct List {
    data: Vec<One>,
}

#[derive(Deserialize)]
struct One {
    id: String,
}

/// What a service calls its models, in its order; at least one.
///
/// # Errors
/// When it does not say.
pub fn models(endpoint: &Endpoint) -> Result<Vec<String>, ModelListError> {
    let address = endpoint.address_of("models");
    let answered = BlockingClient::new()?.get(&address, endpoint.key.as_ref(), (STEP, LONGEST));
    let shown = |why: &str| {
        let why = harmless(why);
        endpoint
            .key
            .as_ref()
            .map_or_else(|| why.to_string(), |key| key.redacted(&why))
    };
    let HttpResponse { status, body, .. } = answered.map_err(|why| ModelListError::Away(shown(&why)))?;
    if !status.is_success() {
        let why = shown(&grade::of_status(status.as_u16(), &body).why);
        return Err(match status.as_u16() {
            401 | 403 => ModelListError::Locked(why),
            _ => ModelListError::Refused(why),
        });
    }
    read(&body)
}

fn read(body: &[u8]) -> Result<Vec<String>, ModelListError> {
    let list: List = serde_json::from_slice(body).map_err(|_| {
        ModelListError::NoList(match body.trim_ascii_start().first() {
            None => "nothing",
            Some(b'<') => "a page of HTML",
            Some(_) => "something else",
        })
    })?;
    let mut models = Vec::new();
    for One { id } in list.data {
        if !id.is_empty() && !models.contains(&id) {
            models.push(id);
        }
    }
    match models.is_empty() {
        true => Err(ModelListError::Nothing),
        false => Ok(models),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_has_the_names_of_models_and_what_is_none_is_told() {
        let names =
            read(br#"{"object":"list","data":[{"id":"a:7b","owned_by":"x"},{"id":"b"},{"id":"a:7b"},{"id":""}]}"#);
        assert_eq!(names.expect("a list"), ["a:7b", "b"]);
        for (body, why) in [
            ("", "what it answered is nothing, and no list of models"),
            ("<html>", "what it answered is a page of HTML, and no list of models"),
            (
                r#"{"models":[]}"#,
                "what it answered is something else, and no list of models",
            ),
            (r#"{"data":[]}"#, "it has no models"),
        ] {
            assert_eq!(read(body.as_bytes()).expect_err(why).to_string(), why);
        }
    }
}
