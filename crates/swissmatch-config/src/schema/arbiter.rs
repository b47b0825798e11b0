//! Keys on matters beside the games: `[registration]`, `[arbiter]` and `[publish]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{choice, duration, optional, or, path, switch, whole};
use swissmatch_tournament::setup::{RegistrationUntil, Setup};

/// Keys on late entries, questions to the arbiter, and what is held back.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            registration.until,
            or("closed", or("half", whole("a number of rounds", 0..=1000)))
                .map(
                    |until| match until {
                        None => RegistrationUntil::Closed,
                        Some(None) => RegistrationUntil::Half,
                        Some(Some(rounds)) => RegistrationUntil::Rounds(rounds),
                    },
                    |until| match until {
                        RegistrationUntil::Closed => Some(None),
                        RegistrationUntil::Half => Some(Some(None)),
                        RegistrationUntil::Rounds(rounds) => Some(Some(Some(*rounds))),
                    },
                )
                .called(r#""closed", "half", or a number of rounds from 0 to 1000"#),
            r#"Late entries: none ("closed"), or until this many rounds have been played; "half": rounds / 2 − 1, rounded up."#,
        ),
        key!(
            registration.missed,
            choice(),
            r#"What a late entry gets for each round that it missed: nothing ("zero"), or a "half-point" bye."#,
        ),
        key!(
            arbiter.confirm_rounds,
            switch(),
            "Whether each pairing is shown first and waits for `swissmatch arbiter confirm`.",
        )
        .output(),
        key!(
            publish.embargo_rounds,
            whole("a number of rounds", 0..=10_000),
            "How many of the last rounds are kept out of the published files until `swissmatch arbiter release`; 0: none.",
        )
        .output(),
        key!(
            publish.live_files,
            switch(),
            "Whether the games under way are written to live.pgn and live.json in the run's directory: docs/live.md.",
        )
        .output(),
        key!(
            publish.evidence,
            switch(),
            "Whether the transcript and standard error of games whose evidence is kept are published, each in a file in evidence/.",
        )
        .output(),
        key!(
            publish.report,
            switch(),
            "Whether the page of the event, `report.html`, is written into the directory of the run when the runner ends; see docs/page.md.",
        )
        .output(),
        key!(
            publish.report_size,
            whole("a number of megabytes", 0..=1000),
            "How many megabytes of games `report.html` has in it; where there are more, all are in the folder `report_games` beside it.",
        )
        .output(),
        key!(
            publish.junit,
            switch(),
            "Whether a JUnit report, `junit.xml`, is among the files of the run: a case for each mini-match, for each agent's faults, and for the test of a match.",
        )
        .output(),
        key!(
            publish.submissions,
            switch(),
            "Whether the page of the ladder, `ladder/index.html`, lists what was handed in: whose, when, what came of it, and why not.",
        )
        .output(),
        key!(
            publish.sign,
            optional(path("the file of a private key, as `ssh-keygen -t ed25519` writes it")),
            "The file of a private key of OpenSSH (Ed25519): after each round the published files are listed and signed; see docs/anchor.md.",
        )
        .output(),
        key!(
            publish.delay,
            duration("15m").called(r#"a duration such as "15m" or "0s""#),
            "How much later than it happens spectators see it: on the page that is served or kept up to date, and wherever games are shown while they are played.",
        )
        .output(),
    ]
}
