//! Keys of `[playoff]` that do not go together.
//!
//! May not: change a value.

use super::is_given;
use crate::config::{ConfigError, Loaded};
use crate::pairing::rounds::Rounds;
use crate::standings::criterion::Code;
use crate::tournament::setup::{Entrants, PlayoffNumbers};

pub(super) fn check(loaded: &Loaded) -> Result<(), ConfigError> {
    let (keys, players) = (&loaded.setup.playoff, loaded.setup.players.len());
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let beyond = keys.places.iter().find(|place| **place as usize >= players);
    // A preset's place that nobody has is no slip.
    if let Some(place) = beyond.filter(|_| is_given(loaded, "playoff.places")) {
        let message = format!("place {place} has no next one to be told from: there are {players} players");
        return refused("playoff.places", message, "write a smaller place, or leave it out");
    }
    if keys.entrants == Entrants::TopTwo && keys.places.iter().any(|place| *place != 1) {
        let message = "\"top-two\" plays for the first place, and playoff.places has others".to_owned();
        return refused("playoff.entrants", message, "write places = [1], or entrants = \"all\"");
    }
    if let PlayoffNumbers::By(criteria) = &keys.numbers
        && criteria.iter().any(|criterion| criterion.code == Code::Lot)
    {
        let message =
            "lots come after the criteria by themselves, drawn when they are needed and kept in the log".to_owned();
        return refused(
            "playoff.numbers",
            message,
            "leave that criterion out, or write numbers = \"lot\"",
        );
    }
    Ok(())
}

/// Play-offs that will not be played, or that begin with a question.
pub(super) fn warning(loaded: &Loaded) -> Option<String> {
    let keys = &loaded.setup.playoff;
    let has_knockout = loaded
        .setup
        .stages()
        .iter()
        .any(|stage| stage.format == Rounds::Knockout);
    if has_knockout && keys.stages.is_empty() {
        return Some(
            "playoff.stages: without stages every level mini-match of the knockout is left to the chief arbiter; write for \
             example stages = [{ kind = \"armageddon\", white = \"5:00\", black = \"4:00\", colors = \"choice\" }]"
                .to_owned(),
        );
    }
    match (keys.places.is_empty(), keys.stages.is_empty()) {
        (true, false) if is_given(loaded, "playoff.stages") && !has_knockout => Some(
            "playoff.stages: nothing is played off, because playoff.places is empty; write places = [1]".to_owned(),
        ),
        _ if crate::tournament::ties::places(&loaded.setup).is_empty() && is_given(loaded, "playoff.when") => Some(
            "playoff.when: nothing is played off, because no prize of such a place is indivisible; write for example \
             prizes.by_place = [{ trophy = \"Cup\" }]"
                .to_owned(),
        ),
        (false, true) => Some(
            "playoff.places: without playoff.stages every tie for such a place is left to the chief arbiter".to_owned(),
        ),
        _ => None,
    }
}
