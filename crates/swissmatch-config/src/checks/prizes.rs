//! Checks of the keys of `[prizes]` and `[tour]` together.
//!
//! May not: change a value.

use swiss_system::score::Points;

use crate::value::shown;
use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::money::Cents;
use swissmatch_tournament::setup::PrizeKeys;

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let (prizes, tour) = (&loaded.setup.prizes, &loaded.setup.tour);
    // A preset may fix a part of the first prize although there are no prizes.
    if let Some(unfit) = unfit(prizes, super::is_given(loaded, "prizes.winner_fixed")) {
        return refused(unfit.key, unfit.message, unfit.help);
    }
    for section in &loaded.setup.event.sections {
        if let Some(unfit) = section.prizes.as_ref().and_then(|prizes| unfit(prizes, true)) {
            let name = shown(&section.name);
            let message = format!("section {name}: {}: {}", unfit.key, unfit.message);
            return refused("event.sections", message, unfit.help);
        }
    }
    if tour.qualified > 0 && tour.runs.is_empty() && super::is_given(loaded, "tour.qualified") {
        let message = "there are no runs to make a tour".to_owned();
        let help = "write, for example, tour.runs = [\"results/spring\", \"results/autumn\"]";
        return refused("tour.qualified", message, help);
    }
    if prizes.are_set() && !tour.runs.is_empty() {
        let what = "a tour has a bonus by overall place (tour.bonus) instead of prizes";
        return refused("prizes.by_place", what.to_owned(), "leave [prizes] out");
    }
    if !tour.bonus.is_empty() && tour.runs.is_empty() {
        let message = "there are no runs to make a tour".to_owned();
        let help = "write, for example, tour.runs = [\"results/spring\", \"results/autumn\"]";
        return refused("tour.bonus", message, help);
    }
    Ok(())
}

/// Keys of `[prizes]`, or of a section's prizes, that do not fit together.
struct Unfit {
    key: &'static str,
    message: String,
    help: &'static str,
}

/// Finds keys that do not fit together. A part of the first prize may stand without any prizes, unless it `needs_first_prize`.
fn unfit(prizes: &PrizeKeys, needs_first_prize: bool) -> Option<Unfit> {
    let divisible = prizes.by_place.first().map(|first| match first.indivisible {
        true => Cents::ZERO,
        false => first.money,
    });
    match divisible {
        Some(divisible) if prizes.winner_fixed > divisible => Some(Unfit {
            key: "prizes.winner_fixed",
            message: format!(
                "{} is more than the {divisible} of the first prize that can be shared",
                prizes.winner_fixed
            ),
            help: "it must be a part of the first prize in prizes.by_place",
        }),
        None if needs_first_prize && prizes.winner_fixed > Cents::ZERO => Some(Unfit {
            key: "prizes.winner_fixed",
            message: "there is no first prize for it to be part of".to_owned(),
            help: "write, for example, prizes.by_place = [40000, 30000]",
        }),
        _ if prizes.outright_bonus > Points::ZERO && prizes.points.is_empty() => Some(Unfit {
            key: "prizes.outright_bonus",
            message: "there are no tour points for it to add to".to_owned(),
            help: "write, for example, prizes.points = [12, 10, 8]",
        }),
        _ => None,
    }
}
