//! The number of games that are played at once, in words.
//!
//! May not: count them.

use swissmatch_tournament::setup::{MoveSource, Setup};

/// `on_cores` games on cores, and `beside` games that need none.
pub(super) fn at_once(setup: &Setup, on_cores: u32, beside: u32) -> String {
    match (on_cores, beside) {
        (_, 0) => format!("{on_cores} at once"),
        (0, _) => format!("{beside} at once, which need no core"),
        _ => format!(
            "{on_cores} at once on cores, and {beside} of {} beside them",
            asked(setup)
        ),
    }
}

/// A word for those who are asked over the network.
fn asked(setup: &Setup) -> &'static str {
    let has = |is_one: fn(MoveSource<'_>) -> bool| setup.players.iter().any(|player| player.asks().is_some_and(is_one));
    let models = has(|asks| matches!(asks, MoveSource::Model(..)));
    let services = has(|asks| matches!(asks, MoveSource::Url(_)));
    match (models, services) {
        (true, true) => "models and web services",
        (false, true) => "web services",
        _ => "models",
    }
}
