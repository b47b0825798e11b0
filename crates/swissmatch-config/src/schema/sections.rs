//! The list of sections, `event.sections`.
//!
//! May not: know layers or files; see whether sections fit each other or their players.

use super::{entry, prizes};
use crate::kind::{Tone, ValueKind, name, optional, rounds, table, whole};
use swissmatch_tournament::setup::SectionKeys;

/// One of `event.sections`.
pub(super) fn section() -> ValueKind<SectionKeys> {
    let tone = Tone::Of {
        table: "a section",
        has: "a section has",
        found: false,
    };
    let blank = || SectionKeys {
        name: String::new(),
        from: None,
        to: None,
        format: None,
        prizes: None,
    };
    let rating = || optional(whole("a rating, a whole number", -10_000..=10_000));
    table(
        tone,
        blank,
        vec![
            entry!(SectionKeys.name, name(), "Name of the section.")
                .required_saying("a section has no name", "give it one, such as name = \"Open\""),
            entry!(SectionKeys.from, rating(), "The lowest rating of its players."),
            entry!(SectionKeys.to, rating(), "The highest rating of its players."),
            entry!(
                SectionKeys.format,
                optional(rounds("a format as in swiss.rounds")),
                "What is played, in place of swiss.rounds.",
            ),
            entry!(
                SectionKeys.prizes,
                optional(prizes::of_section()),
                "Its prizes, in place of [prizes].",
            ),
        ],
    )
}
