//! The permissions of a worker at the server: all that it needs, and nothing with which it could pose as another worker
//! or take away work of others.

use std::fmt;

use crate::names::{EVENTS, FILES_STREAM, TASKS, inbox_of, result_of, runner, tasks_consumer, token, worker};

/// The permissions of a worker, as in the server's configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// Subjects that it may send to.
    pub publish: Vec<String>,
    /// Subjects that it may listen on.
    pub subscribe: Vec<String>,
}

impl Permissions {
    /// The permissions of the worker with this key, for all events at the server.
    pub fn of_worker(key: &str) -> Self {
        let name = token(key);
        let api = |what: &str| format!("$JS.API.{what}");
        let (consumer, files) = (tasks_consumer(key), FILES_STREAM);
        Self {
            publish: vec![
                result_of(key),
                worker("*", &name),
                api(&format!("STREAM.INFO.{TASKS}")),
                api(&format!("CONSUMER.INFO.{consumer}")),
                api(&format!("CONSUMER.MSG.NEXT.{consumer}")),
                format!("$JS.ACK.{consumer}.>"),
                api(&format!("STREAM.INFO.{EVENTS}")),
                api(&format!("STREAM.MSG.GET.{EVENTS}")),
                api(&format!("STREAM.INFO.{files}")),
                api(&format!("STREAM.MSG.GET.{files}")),
                api(&format!("DIRECT.GET.{files}.>")),
                api(&format!("CONSUMER.CREATE.{files}")),
                api(&format!("CONSUMER.CREATE.{files}.>")),
                api(&format!("CONSUMER.INFO.{files}.>")),
                api(&format!("CONSUMER.DELETE.{files}.>")),
                format!("$JS.FC.{files}.>"),
            ],
            subscribe: vec![format!("{}.>", inbox_of(&name)), runner("*", "all"), runner("*", &name)],
        }
    }
}

impl fmt::Display for Permissions {
    /// Written as the value of `permissions` in the server's configuration.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |subjects: &[String]| {
            let quoted: Vec<String> = subjects.iter().map(|subject| format!("\"{subject}\"")).collect();
            quoted.join(", ")
        };
        let (publish, subscribe) = (list(&self.publish), list(&self.subscribe));
        write!(
            f,
            "{{ publish: {{ allow: [{publish}] }}, subscribe: {{ allow: [{subscribe}] }} }}"
        )
    }
}
