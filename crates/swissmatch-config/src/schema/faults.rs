//! Keys on the consequences of faults, `[faults]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{choice, or, whole};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            faults.no_show,
            choice(),
            r#"What an engine forfeits that does not start: the rest of its "mini-match", or the "game" alone."#,
        ),
        key!(
            faults.forfeit_after,
            or("none", whole("a number of games", 1..=10_000)),
            "Who lost so many games of a mini-match by a fault forfeits the rest of it.",
        ),
        key!(
            faults.withdraw_after,
            or("none", whole("a number of games", 1..=10_000)),
            "Who lost so many games by a fault is withdrawn before the next round.",
        ),
        key!(
            faults.both_failed,
            choice(),
            r#"What a game is in which neither agent starts or gets ready, or both had too many faults: "lost" by both, or "void", for nobody: docs/faults.md."#,
        ),
        key!(
            faults.unpaired_after,
            or("none", whole("a number of games", 1..=10_000)),
            "Whose agent did not start in so many games is withdrawn before the next round, so that it is not paired and has no bye.",
        ),
    ]
}
