//! What a worker may do at the server: what it needs, and nothing by which it could be another worker, or take away what others do.
//!
//! One thing the server cannot keep apart: who may end a task of a class may end every task of it. Such a task is given out again.

use std::fmt;

use crate::names::{inbox_of, mark_of, token};

/// The permissions of a worker, as the server's configuration has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permissions {
    /// Subjects to which it may send.
    pub publish: Vec<String>,
    /// Subjects on which it may listen.
    pub subscribe: Vec<String>,
}

impl Permissions {
    /// Those of a worker of this class, known by its key, in the event whose log's first entry has this hash.
    pub fn of_worker(event: &str, worker: &str, class: &str) -> Self {
        let (mark, class, worker) = (mark_of(event), token(class), token(worker));
        let api = |what: &str| format!("$JS.API.{what}");
        let (tasks, files) = (format!("T_{mark}"), format!("OBJ_O_{mark}"));
        Self {
            publish: vec![
                format!("r.{mark}.{worker}.>"),
                api(&format!("STREAM.INFO.{tasks}")),
                api(&format!("CONSUMER.INFO.{tasks}.{class}")),
                api(&format!("CONSUMER.MSG.NEXT.{tasks}.{class}")),
                format!("$JS.ACK.{tasks}.{class}.>"),
                api(&format!("STREAM.INFO.{files}")),
                api(&format!("STREAM.MSG.GET.{files}")),
                api(&format!("DIRECT.GET.{files}.>")),
                api(&format!("CONSUMER.CREATE.{files}")),
                api(&format!("CONSUMER.CREATE.{files}.>")),
                api(&format!("CONSUMER.INFO.{files}.>")),
                api(&format!("CONSUMER.DELETE.{files}.>")),
                format!("$JS.FC.{files}.>"),
            ],
            subscribe: vec![format!("{}.>", inbox_of(&worker))],
        }
    }
}

impl fmt::Display for Permissions {
    /// As the value of `permissions` in the server's configuration.
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
