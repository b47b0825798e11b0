//! Keys of `[prizes]` and `[tour]` that do not go together.
//!
//! May not: change a value.

use crate::config::value::shown;
use crate::config::{ConfigError, Loaded};
use crate::score::Points;
use crate::tournament::money::Cents;
use crate::tournament::setup::PrizeKeys;

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let (prizes, tour) = (&loaded.setup.prizes, &loaded.setup.tour);
    let is_idle = |key: &str, idle: &Idle| *idle == Idle::WithoutFirstPrize && !super::is_given(loaded, key);
    match unfit(prizes) {
        // A preset may have a part of the first prize without any prizes.
        Some(unfit) if !is_idle(unfit.key, &unfit.idle) => return refused(unfit.key, unfit.message, unfit.help),
        _ => {}
    }
    for section in &loaded.setup.event.sections {
        if let Some(unfit) = section.prizes.as_ref().and_then(unfit) {
            let name = shown(&section.name);
            let message = format!("section {name}: {}: {}", unfit.key, unfit.message);
            return refused("event.sections", message, unfit.help);
        }
    }
    if tour.qualified > 0 && tour.runs.is_empty() && super::is_given(loaded, "tour.qualified") {
        let message = "there are no runs that would make a tour".to_owned();
        let help = "write tour.runs = [\"results/spring\", \"results/autumn\"] or the like";
        return refused("tour.qualified", message, help);
    }
    if prizes.are_set() && !tour.runs.is_empty() {
        let what = "a tour has a bonus by overall place (tour.bonus) in place of prizes";
        return refused("prizes.by_place", what.to_owned(), "leave [prizes] out");
    }
    if !tour.bonus.is_empty() && tour.runs.is_empty() {
        let message = "there are no runs that would make a tour".to_owned();
        let help = "write tour.runs = [\"results/spring\", \"results/autumn\"] or the like";
        return refused("tour.bonus", message, help);
    }
    Ok(())
}

/// Keys of `[prizes]`, or of a section's prizes, that do not fit each other.
struct Unfit {
    key: &'static str,
    message: String,
    help: &'static str,
    idle: Idle,
}

/// Whether that may stand where nobody wrote it.
#[derive(PartialEq, Eq)]
enum Idle {
    /// There are no prizes that it could be of.
    WithoutFirstPrize,
    /// It contradicts what there is.
    No,
}

fn unfit(prizes: &PrizeKeys) -> Option<Unfit> {
    let divisible = prizes.by_place.first().map(|first| match first.indivisible {
        true => Cents::ZERO,
        false => first.money,
    });
    match divisible {
        Some(divisible) if prizes.winner_fixed > divisible => Some(Unfit {
            key: "prizes.winner_fixed",
            message: format!(
                "{} is more than the {divisible} of the first prize that can be divided",
                prizes.winner_fixed
            ),
            help: "it is a part of the first prize of prizes.by_place",
            idle: Idle::No,
        }),
        None if prizes.winner_fixed > Cents::ZERO => Some(Unfit {
            key: "prizes.winner_fixed",
            message: "there is no first prize that it could be a part of".to_owned(),
            help: "write prizes.by_place = [40000, 30000] or the like",
            idle: Idle::WithoutFirstPrize,
        }),
        _ if prizes.outright_bonus > Points::ZERO && prizes.points.is_empty() => Some(Unfit {
            key: "prizes.outright_bonus",
            message: "there are no tour points that it could add to".to_owned(),
            help: "write prizes.points = [12, 10, 8] or the like",
            idle: Idle::No,
        }),
        _ => None,
    }
}
