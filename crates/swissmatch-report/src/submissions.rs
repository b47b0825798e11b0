//! What was handed in, by whom, when, and what came of it.
//!
//! May not: show one entrant what another one's submission printed.

use serde_json::{Value, json};
use swiss_system::text::harmless;

use super::table::{Column, Page, Table};
use swissmatch_tournament::setup::Zone;
use swissmatch_tournament::submission::{JudgedSubmission, Submission, Submissions};

/// Digits of a hash in a table.
const DIGITS: usize = 12;

/// What becomes of one that waits.
pub const WAITS: &str =
    "What waits is being tried, or its turn was cut short: the next `swissmatch run` tries it then.";

/// What of a submission is told.
fn state(all: &Submissions, one: &Submission, lock: Option<jiff::Timestamp>) -> &'static str {
    let plays = all.plays(&one.received.player, lock);
    match &one.judged {
        None => "waits",
        Some((judged, _)) if !judged.refused.is_empty() => "refused",
        Some(_) if plays.is_some_and(|plays| plays.received.number == one.received.number) => "plays",
        Some(_) => "accepted",
    }
}

/// A line for each as its organizer reads it, the newest last, by the clocks of the event. What comes from the lock on does not play.
pub fn page(all: &Submissions, lock: Option<jiff::Timestamp>, zone: &Zone) -> Page {
    let mut page = page_with((all, lock, zone), |judged| &judged.refused);
    if all.waiting(lock).next().is_some() {
        page.notes.push(WAITS.to_owned());
    }
    page
}

/// The same as anybody may read it: why one is refused stands there without words of whoever handed it in.
pub fn public_page(all: &Submissions, lock: Option<jiff::Timestamp>, zone: &Zone) -> Page {
    page_with((all, lock, zone), |judged| match judged.public.is_empty() {
        true => &judged.refused,
        false => &judged.public,
    })
}

fn page_with(
    (all, lock, zone): (&Submissions, Option<jiff::Timestamp>, &Zone),
    why: fn(&JudgedSubmission) -> &Vec<String>,
) -> Page {
    let columns = vec![
        Column::figures("#"),
        Column::names("Player"),
        Column::words("Received at"),
        Column::words("State"),
        Column::words("Archive"),
        Column::names("Why not"),
    ];
    let row = |one: &Submission| {
        let refused = one.judged.iter().flat_map(|(judged, _)| why(judged));
        let refused: Vec<String> = refused.map(|why| harmless(why)).collect();
        vec![
            one.received.number.to_string(),
            harmless(&one.received.player),
            zone.moment(one.at),
            state(all, one, lock).to_owned(),
            one.received.archive.get(..DIGITS).unwrap_or_default().to_owned(),
            refused.join("; "),
        ]
    };
    let notes = match all.all() {
        [] => vec!["Nothing was handed in yet.".to_owned()],
        _ => Vec::new(),
    };
    Page {
        title: "Submissions".to_owned(),
        table: Table {
            columns,
            rows: all.all().iter().map(row).collect(),
        },
        notes,
    }
}

/// The same for other programs.
pub fn json(all: &Submissions, lock: Option<jiff::Timestamp>) -> String {
    let each = all.all().iter().map(|one| value(one, state(all, one, lock)));
    let listed = json!({ "schema": 1, "submissions": each.collect::<Vec<Value>>() });
    serde_json::to_string_pretty(&listed).expect("plain data") + "\n"
}

/// One for other programs, as `submit` tells it: with its log.
pub fn one_json(one: &Submission) -> String {
    let state = match (&one.judged, one.is_accepted()) {
        (None, _) => "waits",
        (Some(_), true) => "accepted",
        (Some(_), false) => "refused",
    };
    let mut told = value(one, state);
    told["schema"] = 1.into();
    if let Some(times) = one.judged.as_ref().and_then(|(judged, _)| judged.times) {
        told["times"] = json!(times);
    }
    told["log"] = one.judged.iter().flat_map(|(judged, _)| judged.log.clone()).collect();
    serde_json::to_string_pretty(&told).expect("plain data") + "\n"
}

fn value(one: &Submission, state: &str) -> Value {
    let received = &one.received;
    let judged = one.judged.as_ref();
    json!({
        "number": received.number,
        "player": received.player,
        "received_at": one.at,
        "judged_at": judged.map(|(_, at)| at),
        "state": state,
        "file": received.file,
        "archive": received.archive,
        "bytes": received.bytes,
        "refused": judged.map_or_else(Vec::new, |(judged, _)| judged.refused.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_tournament::submission::{ReceivedArchive, SubmissionEntry};

    #[test]
    fn the_page_has_no_words_of_an_entrant_and_its_organizer_reads_all() {
        let mut all = Submissions::default();
        let entries = [
            SubmissionEntry::Received(ReceivedArchive {
                number: 1,
                player: "A".to_owned(),
                archive: "hash".to_owned(),
                bytes: 1,
                file: "a.zip".to_owned(),
            }),
            SubmissionEntry::Judged(JudgedSubmission {
                number: 1,
                refused: vec!["it ended: ValueError: buy at example.org".to_owned()],
                public: vec!["it ended: ValueError".to_owned()],
                content: None,
                log: Vec::new(),
                times: None,
            }),
        ];
        for entry in entries {
            all.apply(entry, jiff::Timestamp::UNIX_EPOCH).expect("it follows");
        }
        let why = |page: Page| page.table.rows[0].last().expect("a column").clone();
        assert_eq!(why(public_page(&all, None, &Zone::default())), "it ended: ValueError");
        assert_eq!(
            why(page(&all, None, &Zone::default())),
            "it ended: ValueError: buy at example.org"
        );
    }
}
