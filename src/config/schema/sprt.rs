//! Keys of the test that ends a match of two players, `[sprt]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::config::kind::{choice, or, small_decimal};
use crate::tournament::setup::Setup;

/// The most that a hypothesis says, in millionths of an Elo point.
const MOST_ELO: i64 = 1_000_000_000;

/// The test that ends a match of two players.
pub(super) fn keys() -> Vec<Key<Setup>> {
    let elo = || {
        or(
            "none",
            small_decimal("a difference in Elo from -1000 to 1000", -MOST_ELO..=MOST_ELO),
        )
    };
    let chance = || small_decimal("a probability above 0 and below 0.5, such as 0.05", 1..=499_999);
    vec![
        key!(
            sprt.elo0,
            elo(),
            r#"A match of two ends when a test (SPRT) decides between this difference (H0) and elo1 (H1); "none": no test."#,
        ),
        key!(
            sprt.elo1,
            elo(),
            "The difference of H1, greater than elo0; of the first [[player]] against the second.",
        ),
        key!(
            sprt.alpha,
            chance(),
            "The probability that the test accepts H1 although H0 is true.",
        ),
        key!(
            sprt.beta,
            chance(),
            "The probability that the test accepts H0 although H1 is true.",
        ),
        key!(
            sprt.model,
            choice(),
            r#"What a difference means: "normalized" Elo, "logistic" Elo, or "bayesian" (BayesElo's): docs/statistics.md."#,
        ),
        key!(
            sprt.counts,
            choice(),
            r#"What the test counts: game pairs ("pentanomial") or games ("trinomial"), in the order of the schedule."#,
        ),
        key!(
            sprt.faults,
            choice(),
            r#"Games that ended by a fault or were forfeited unplayed: "count" them as any others, or "leave-out" them and their pairs."#,
        ),
    ]
}
