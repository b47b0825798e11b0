//! How to check the page: the log that it follows from, and the commands that derive it again.
//!
//! May not: say where the run lies.

use maud::{Markup, html};
use sha2::{Digest as _, Sha256};
use swiss_system::text::harmless;

use crate::trf::{self, View};
use swissmatch_tournament::state::State;

/// Identifies a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Log {
    pub entries: usize,
    pub head: String,
}

pub(super) fn section(state: &State, log: &Log) -> Markup {
    let created = state.created();
    html! {
        p {
            "Everything on this page follows from the log of the run, in which each entry has the hash of the one before it. With the \
             directory of the run, and the version of swissmatch that played it, anybody can derive it again:"
        }
        pre { "swissmatch verify RUN\nswissmatch report RUN --output report.html" }
        p {
            "The pairings and the standings can be checked without the run, by this program or another one, from its tournament file "
            code { "tournament.trf" } ":"
        }
        pre { "swissmatch verify-pairings tournament.trf\nswissmatch standings tournament.trf" }
        dl {
            dt { "Entries of the log" } dd { (log.entries) }
            dt { "Hash of the last entry" } dd { code { (log.head) } }
            dt { "Played by" } dd { "swissmatch " (harmless(&created.software)) }
            dt { "Random seed" } dd { (created.setup.event.rng_seed) }
            @if let Some(hash) = tournament_file(state) { dt { "SHA-256 of " code { "tournament.trf" } } dd { code { (hash) } } }
            @if let Some(hash) = &created.openings.sha256 { dt { "SHA-256 of the openings" } dd { code { (hash) } } }
        }
    }
}

/// The hash of the tournament file as the run publishes it, in hexadecimal; `None` where it has none.
fn tournament_file(state: &State) -> Option<String> {
    let rounds = state.rounds_over();
    let text = trf::text(state, View::Individual, rounds).ok().filter(|_| rounds > 0)?;
    let digest = Sha256::digest(text);
    Some(digest.iter().map(|byte| format!("{byte:02x}")).collect())
}
