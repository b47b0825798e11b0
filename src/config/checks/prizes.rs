//! Keys of `[prizes]` and `[tour]` that do not go together.
//!
//! May not: change a value.

use crate::config::{ConfigError, Loaded};
use crate::pairing::rounds::Rounds;
use crate::score::Points;
use crate::tournament::money::Cents;

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let (prizes, tour) = (&loaded.setup.prizes, &loaded.setup.tour);
    // A preset may have it without any prizes.
    let divisible = prizes.by_place.first().map(|first| match first.indivisible {
        true => Cents::ZERO,
        false => first.money,
    });
    if let Some(divisible) = divisible.filter(|divisible| prizes.winner_fixed > *divisible) {
        let message = format!(
            "{} is more than the {divisible} of the first prize that can be divided",
            prizes.winner_fixed
        );
        return refused(
            "prizes.winner_fixed",
            message,
            "it is a part of the first prize of prizes.by_place",
        );
    }
    if prizes.winner_fixed > Cents::ZERO && prizes.by_place.is_empty() && super::is_given(loaded, "prizes.winner_fixed")
    {
        let message = "there is no first prize that it could be a part of".to_owned();
        return refused(
            "prizes.winner_fixed",
            message,
            "write prizes.by_place = [40000, 30000] or the like",
        );
    }
    if tour.qualified > 0 && tour.runs.is_empty() && super::is_given(loaded, "tour.qualified") {
        let message = "there are no runs that would make a tour".to_owned();
        let help = "write tour.runs = [\"results/spring\", \"results/autumn\"] or the like";
        return refused("tour.qualified", message, help);
    }
    if prizes.outright_bonus > Points::ZERO && prizes.points.is_empty() {
        let message = "there are no tour points that it could add to".to_owned();
        return refused(
            "prizes.outright_bonus",
            message,
            "write prizes.points = [12, 10, 8] or the like",
        );
    }
    let has_prizes = prizes.are_set()
        && (!tour.runs.is_empty() || loaded.setup.stages().iter().any(|stage| stage.format == Rounds::Quads));
    if has_prizes {
        let what = if tour.runs.is_empty() {
            "the sections of quads are ranked each for itself, and have no prizes yet"
        } else {
            "a tour has a bonus by overall place (tour.bonus) in place of prizes"
        };
        return refused("prizes.by_place", what.to_owned(), "leave [prizes] out");
    }
    if !tour.bonus.is_empty() && tour.runs.is_empty() {
        let message = "there are no runs that would make a tour".to_owned();
        let help = "write tour.runs = [\"results/spring\", \"results/autumn\"] or the like";
        return refused("tour.bonus", message, help);
    }
    Ok(())
}
