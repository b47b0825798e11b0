//! Whose failure it is when a service gives no answer.

use std::time::Duration;

use serde_json::Value;

use super::wire::Failure;

/// The most characters of a service's words that are passed on.
const MOST_WORDS: usize = 300;
/// Codes by which services say that waiting does not help.
const QUOTA: [&str; 5] = ["insufficient_quota", "billing", "credit", "spend", "payment"];
/// Codes for a prompt that does not fit.
const TOO_LONG: [&str; 4] = ["context_length", "exceed_context", "context size", "context length"];
/// Codes for a prompt that is not answered.
const FILTERED: [&str; 3] = ["content_filter", "content_policy", "moderation"];

/// The part of the organizer's setup that a service complains about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mend {
    /// The key, or its permissions.
    Key,
    /// The address, or the name of the model.
    Name,
    /// The account: its quota or its money is used up.
    Account,
}

/// A try that gave no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) whose: Failure,
    pub(crate) why: String,
    /// What has to be mended, if the service says so.
    pub(crate) mend: Option<Mend>,
    /// True if the service itself reports a failure: another model of it may still answer.
    pub(crate) is_said: bool,
    /// True if the service is known to have answered nobody at that time.
    pub(crate) is_silence: bool,
    /// How long the service asks to wait.
    pub(crate) wait: Option<Duration>,
    /// True if the service did nothing that could cost.
    pub(crate) is_free: bool,
}

impl Fault {
    pub(crate) fn new(whose: Failure, why: impl Into<String>) -> Self {
        Self {
            whose,
            why: why.into(),
            mend: None,
            is_said: false,
            is_silence: false,
            wait: None,
            is_free: false,
        }
    }

    pub(crate) fn transport(why: impl Into<String>) -> Self {
        Self::new(Failure::Transport, why)
    }

    /// The service says nothing, to anybody.
    pub(crate) fn silence(why: impl Into<String>) -> Self {
        Self {
            is_silence: true,
            ..Self::transport(why)
        }
    }

    pub(crate) fn free(self) -> Self {
        Self { is_free: true, ..self }
    }

    pub(crate) fn after(self, wait: Option<Duration>) -> Self {
        Self { wait, ..self }
    }
}

/// The fault of an answer whose status is not one of success.
pub(crate) fn of_status(status: u16, body: &[u8]) -> Fault {
    let said = serde_json::from_slice::<Value>(body).ok();
    let complaint = said.as_ref().and_then(complaint).unwrap_or_default();
    let words = complaint.words();
    let why = match words.is_empty() {
        true => format!("the service answered {status}"),
        false => format!("the service answered {status}: {words}"),
    };
    complaint.fault(Some(status), why).free()
}

/// An error inside an answer of success: in its body, or in one event of its stream.
pub(crate) fn of_answer(value: &Value) -> Option<Fault> {
    let complaint = complaint(value)?;
    let why = format!("the service answered 200 with an error: {}", complaint.words());
    Some(complaint.fault(None, why))
}

/// The service's description of what is wrong.
#[derive(Debug, Default)]
struct Complaint {
    message: String,
    code: String,
}

fn complaint(value: &Value) -> Option<Complaint> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let text = |key: &str| match error.get(key) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    };
    Some(Complaint {
        message: error.as_str().map_or_else(|| text("message"), str::to_owned),
        code: [text("code"), text("type")].join(" ").trim().to_owned(),
    })
}

impl Complaint {
    fn words(&self) -> String {
        let words = match self.message.is_empty() {
            true => &self.code,
            false => &self.message,
        };
        words.chars().take(MOST_WORDS).collect()
    }

    fn fault(&self, status: Option<u16>, why: String) -> Fault {
        // A service that passes on another's answer gives its status here.
        let status = status.or_else(|| self.code.split(' ').find_map(|word| word.parse().ok()));
        let mend = match status {
            _ if self.is_of_quota() => Some(Mend::Account),
            Some(401 | 403) => Some(Mend::Key),
            Some(402) => Some(Mend::Account),
            Some(404) => Some(Mend::Name),
            _ => None,
        };
        Fault {
            mend,
            is_said: true,
            ..Fault::new(self.whose(status), why)
        }
    }

    fn is_of_quota(&self) -> bool {
        let code = self.code.to_lowercase();
        QUOTA.iter().any(|word| code.contains(word)) || self.message.to_lowercase().contains("insufficient_quota")
    }

    fn whose(&self, status: Option<u16>) -> Failure {
        if self.is_of_quota() {
            return Failure::Configuration;
        }
        let code = self.code.to_lowercase();
        let message = self.message.to_lowercase();
        match status {
            Some(401..=404) => Failure::Configuration,
            Some(408 | 409 | 425 | 429 | 500..) | None => Failure::Transport,
            Some(_)
                if TOO_LONG
                    .iter()
                    .any(|word| code.contains(word) || message.contains(word)) =>
            {
                Failure::Truncated
            }
            Some(_) if FILTERED.iter().any(|word| code.contains(word)) => Failure::Refused,
            Some(_) => Failure::Configuration,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_says_whose_failure_it_is() {
        let body = |text: &str| text.as_bytes().to_owned();
        for (status, said, whose) in [
            (408, body(""), Failure::Transport),
            (409, body("{}"), Failure::Transport),
            (
                429,
                body(r#"{"error":{"message":"slow down","type":"rate_limit"}}"#),
                Failure::Transport,
            ),
            (500, body("<html>"), Failure::Transport),
            (
                529,
                body(r#"{"type":"error","error":{"type":"overloaded_error"}}"#),
                Failure::Transport,
            ),
            (
                429,
                body(r#"{"error":{"message":"no","code":"insufficient_quota"}}"#),
                Failure::Configuration,
            ),
            (401, body(""), Failure::Configuration),
            (402, body(""), Failure::Configuration),
            (403, body(""), Failure::Configuration),
            (404, body(r#"{"error":"no such model"}"#), Failure::Configuration),
            (302, body(""), Failure::Configuration),
            (
                400,
                body(r#"{"error":{"code":400,"message":"x","type":"exceed_context_size_error"}}"#),
                Failure::Truncated,
            ),
            (
                400,
                body(r#"{"error":{"code":"content_filter","message":"x"}}"#),
                Failure::Refused,
            ),
            (
                400,
                body(r#"{"error":{"message":"unsupported parameter"}}"#),
                Failure::Configuration,
            ),
        ] {
            assert_eq!(
                of_status(status, &said).whose,
                whose,
                "{status} {}",
                String::from_utf8_lossy(&said)
            );
        }
    }

    #[test]
    fn what_the_organizer_has_to_mend_is_known_by_the_status() {
        for (status, said, mend) in [
            (401, "", Some(Mend::Key)),
            (403, "", Some(Mend::Key)),
            (402, "", Some(Mend::Account)),
            (404, r#"{"error":"no such model"}"#, Some(Mend::Name)),
            (
                429,
                r#"{"error":{"message":"no","code":"insufficient_quota"}}"#,
                Some(Mend::Account),
            ),
            (429, "", None),
            (400, r#"{"error":{"message":"unsupported parameter"}}"#, None),
        ] {
            assert_eq!(of_status(status, said.as_bytes()).mend, mend, "{status} {said}");
        }
    }

    #[test]
    fn an_error_in_an_answer_of_success_is_one() {
        let grade = |text: &str| of_answer(&serde_json::from_str(text).expect("JSON")).map(|fault| fault.whose);
        assert_eq!(
            grade(r#"{"error":{"message":"upstream","code":502}}"#),
            Some(Failure::Transport)
        );
        assert_eq!(grade(r#"{"error":"gone"}"#), Some(Failure::Transport));
        assert_eq!(
            grade(r#"{"error":{"message":"pay","code":402}}"#),
            Some(Failure::Configuration)
        );
        assert_eq!(grade(r#"{"error":null,"choices":[]}"#), None);
    }
}
