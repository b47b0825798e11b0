//! Checks of the keys of `[playoff]` together.
//!
//! May not: change a value.

use swiss_system::pairing::rounds::Rounds;
use swiss_system::standings::criterion::Code;

use super::is_given;
use crate::{ConfigError, LoadedEvent};
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_tournament::playoff_rules::PlayoffStage;
use swissmatch_tournament::setup::{Entrants, LevelTie, PlayoffNumbers, Third};

pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let keys = &loaded.setup.playoff;
    let refused = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    if keys.entrants == Entrants::TopTwo && keys.places.iter().any(|place| *place != 1) {
        let message = "\"top-two\" plays only for first place, but playoff.places has others".to_owned();
        return refused("playoff.entrants", message, "write places = [1], or entrants = \"all\"");
    }
    if let PlayoffNumbers::By(criteria) = &keys.numbers
        && criteria.iter().any(|criterion| criterion.code == Code::Lot)
    {
        let message =
            "lots always follow the criteria; they are drawn when they are needed, and kept in the log".to_owned();
        return refused(
            "playoff.numbers",
            message,
            "leave that criterion out, or write numbers = \"lot\"",
        );
    }
    if !has_knockout(loaded) {
        let chosen = [
            ("playoff.knockout", keys.knockout != LevelTie::default()),
            ("playoff.third", keys.third != Third::default()),
        ];
        if let Some((key, _)) = chosen.into_iter().find(|(_, is_chosen)| *is_chosen) {
            let message = "it is a rule of knockouts, and the event has none".to_owned();
            return refused(
                key,
                message,
                "leave it out, or play a knockout, such as rounds = \"knockout\"",
            );
        }
    }
    let is_hourglass = |control: &TimeControl| matches!(control.limit, Limit::Hourglass(_));
    for stage in &keys.stages {
        if let PlayoffStage::Armageddon { white, black, .. } = stage
            && (is_hourglass(white) || is_hourglass(black))
            && white.limit != black.limit
        {
            let message =
                "an hourglass gives each side the time that the other uses, so both sides need one".to_owned();
            return refused(
                "playoff.stages",
                message,
                "give white and black the same hourglass, or none",
            );
        }
    }
    Ok(())
}

/// Whether the event is a knockout, or a part of it is.
fn has_knockout(loaded: &LoadedEvent) -> bool {
    let stages = loaded.setup.stages();
    stages.iter().any(|stage| stage.format == Rounds::Knockout)
}

/// Warns of play-offs that will not be played, or that begin with a question.
pub(super) fn warning(loaded: &LoadedEvent) -> Option<String> {
    let keys = &loaded.setup.playoff;
    let players = loaded.setup.players.len();
    let beyond = keys.places.iter().find(|place| **place as usize >= players);
    if let Some(place) = beyond.filter(|_| is_given(loaded, "playoff.places")) {
        return Some(format!(
            "playoff.places: place {place} has no next place to be separated from: there are {players} players"
        ));
    }
    let has_armageddon = keys
        .stages
        .iter()
        .any(|stage| matches!(stage, PlayoffStage::Armageddon { .. }));
    if has_armageddon && keys.places.iter().any(|place| *place != 1) && is_given(loaded, "playoff.places") {
        return Some(
            "playoff.stages: Armageddon finds one winner, so it is skipped if a tie must be split anywhere but after its \
             first place; then the next stage follows, or the arbiter decides"
                .to_owned(),
        );
    }
    let is_for_third = |stage: &swissmatch_tournament::stage::Stage| stage.third == Third::Match;
    if keys.third == Third::Match && !loaded.setup.stages().iter().any(is_for_third) {
        return Some(
            "playoff.third: nothing is played for third place, because fewer than four players play the knockout"
                .to_owned(),
        );
    }
    let is_played_off = has_knockout(loaded) && keys.knockout == LevelTie::PlayOff;
    if is_played_off && keys.stages.is_empty() {
        return Some(
            "playoff.stages: without stages every level mini-match of the knockout is left to the arbiter; write, for \
             example, stages = [{ kind = \"armageddon\", white = \"5:00\", black = \"4:00\", colors = \"choice\" }]"
                .to_owned(),
        );
    }
    match (keys.places.is_empty(), keys.stages.is_empty()) {
        (true, false) if is_given(loaded, "playoff.stages") && !is_played_off => Some(
            "playoff.stages: nothing is played off, because playoff.places is empty; write places = [1]".to_owned(),
        ),
        _ if !swissmatch_tournament::ties::are_possible(&loaded.setup) && is_given(loaded, "playoff.when") => Some(
            "playoff.when: nothing is played off, because no such place has an indivisible prize; write, for example, \
             prizes.by_place = [{ trophy = \"Cup\" }]"
                .to_owned(),
        ),
        (false, true) => {
            Some("playoff.places: without playoff.stages every tie for such a place is left to the arbiter".to_owned())
        }
        _ => None,
    }
}
