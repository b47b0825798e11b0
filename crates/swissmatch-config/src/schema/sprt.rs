//! Keys of the test that ends a match of two players, `[sprt]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{chance_of_error, choice, elo_difference, or, switch};
use swissmatch_tournament::setup::Setup;

pub(super) fn keys() -> Vec<Key<Setup>> {
    let elo = || or("none", elo_difference());
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
            chance_of_error(),
            "The probability that the test accepts H1 although H0 is true.",
        ),
        key!(
            sprt.beta,
            chance_of_error(),
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
            sprt.truncated,
            switch(),
            "The test ends as soon as no outcome of the games that are left changes its verdict; of a match that was lost or won whole it \
             accepts H0 or H1 at the end.",
        ),
        key!(
            sprt.faults,
            choice(),
            r#"Games that ended by a fault or were forfeited unplayed: "count" them as any others, or "leave-out" them and their pairs."#,
        ),
    ]
}
