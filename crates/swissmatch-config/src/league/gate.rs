//! The keys of a league's gate, `[gate]`, which otherwise come from the flags of `swissmatch gate`.
//!
//! May not: know layers or files, or have a default that a flag has, too.

use std::sync::LazyLock;
use std::time::Duration;

use swiss_system::word::words;

use crate::kind::{Key, entry};
use crate::kind::{chance_of_error, choice, elo_difference, optional, player_name, time, whole};
use swissmatch_stats::sprt::{Decimal, SprtModel};

/// The outcome for a match that decides nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Inconclusive {
    /// The gate is passed.
    Pass,
    /// The gate fails.
    Fail,
    /// Neither.
    #[default]
    Neutral,
}

words!(Inconclusive {
    Pass => "pass",
    Fail => "fail",
    Neutral => "neutral",
});

/// `[gate]`; `None` leaves a key to the flags.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GateKeys {
    /// The name of the new build.
    pub new: Option<String>,
    /// The name of the build that it is measured against.
    pub old: Option<String>,
    pub max_games: Option<u32>,
    pub max_time: Option<Duration>,
    /// The difference that is a regression.
    pub elo0: Option<Decimal>,
    /// The difference that is wanted.
    pub elo1: Option<Decimal>,
    /// The probability of passing although H0 is true.
    pub alpha: Option<Decimal>,
    /// The probability of failing although H1 is true.
    pub beta: Option<Decimal>,
    /// The meaning of the differences.
    pub model: Option<SprtModel>,
    /// The bound of the interval that decides in place of a test.
    pub interval: Option<Decimal>,
    pub inconclusive: Option<Inconclusive>,
}

pub(crate) static GATE_KEYS: LazyLock<Vec<Key<GateKeys>>> = LazyLock::new(|| {
    let elo = || optional(elo_difference());
    let chance = || optional(chance_of_error());
    vec![
        entry!(
            "gate.new",
            GateKeys.new,
            optional(player_name()),
            "The new build, by its name."
        ),
        entry!(
            "gate.old",
            GateKeys.old,
            optional(player_name()),
            "The build that it is measured against, by its name.",
        ),
        entry!(
            "gate.max_games",
            GateKeys.max_games,
            optional(whole("a number of games", 2..=1_000_000).unless(is_odd)),
            "Games at most, an even number.",
        ),
        entry!(
            "gate.max_time",
            GateKeys.max_time,
            optional(time("25m")),
            "Time at most."
        ),
        entry!(
            "gate.elo0",
            GateKeys.elo0,
            elo(),
            "The difference that is a regression (H0)."
        ),
        entry!("gate.elo1", GateKeys.elo1, elo(), "The difference that is wanted (H1)."),
        entry!(
            "gate.alpha",
            GateKeys.alpha,
            chance(),
            "The chance to pass although H0 is true."
        ),
        entry!(
            "gate.beta",
            GateKeys.beta,
            chance(),
            "The chance to fail although H1 is true."
        ),
        entry!(
            "gate.model",
            GateKeys.model,
            optional(choice()),
            r#"What the differences mean: "normalized", "logistic" or "bayesian"."#,
        ),
        entry!(
            "gate.interval",
            GateKeys.interval,
            elo(),
            "Play all games, and decide by the 95 % interval.",
        ),
        entry!(
            "gate.inconclusive",
            GateKeys.inconclusive,
            optional(choice()),
            r#"What becomes of a match that decides nothing: "pass", "fail" or "neutral"."#,
        ),
    ]
});

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what a kind hands over")]
fn is_odd(games: &u32) -> Option<String> {
    (games % 2 == 1).then(|| "both builds have each colour equally often: expected an even number".to_owned())
}
