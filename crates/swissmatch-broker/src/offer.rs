//! The list of models that a service has: `GET URL/models`, as most services answer it.
//!
//! May not: choose one.

use std::io;
use std::time::Duration;

use serde::Deserialize;
use swiss_system::text::harmless;

use super::endpoint::Endpoint;
use super::grade;
use super::http::{BlockingClient, HttpResponse};

/// The time limit for the head of the answer, and for the rest.
const STEP: Duration = Duration::from_secs(10);
/// The most bytes of a list.
const LONGEST: usize = 16 << 20;

/// Why there is no list of a service's models.
#[derive(Debug, thiserror::Error)]
pub enum ModelListError {
    /// The service cannot be reached.
    #[error("it does not answer: {0}")]
    Away(String),
    /// The service wants a key, or another one.
    #[error("{0}")]
    Locked(String),
    /// The service has no such list.
    #[error("{0}")]
    Refused(String),
    /// The answer is not a list of models.
    #[error("what it answered is {0}, and no list of models")]
    NoList(&'static str),
    /// The list is empty.
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

/// The service's names for its models, in its order; at least one.
///
/// # Errors
/// If there is no list.
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
