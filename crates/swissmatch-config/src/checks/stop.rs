//! Checks of the rule that ends an event before its last round.
//!
//! May not: change a value.

use swiss_system::pairing::rounds::{Rounds, TournamentFormat};

use crate::{ConfigError, LoadedEvent};
use swissmatch_tournament::setup::StopKeys;

/// With fewer games in a mini-match there are no two game pairs to draw from.
const FEWEST_GAMES: u32 = 4;

/// Refuses a rule that cannot be applied.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let setup = &loaded.setup;
    let keys = &setup.stop;
    let refuse = |key: &str, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at(key, message)
        })
    };
    let Some(first) = first_key(keys) else {
        return Ok(());
    };
    let plan = setup.plan();
    if !setup.event.stages.is_empty() || !setup.event.sections.is_empty() {
        let message = "a rule that ends an event early is for an event of one part".to_owned();
        return refuse(first, message, "leave out [stop], or event.stages and event.sections");
    }
    let stages = setup.stages();
    let stage = &stages[0];
    let is_table = matches!(plan.format, TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet);
    if plan.format != TournamentFormat::Swiss && !is_table {
        let message =
            "a rule that ends an event early is for a Swiss, and for the cycles of an all-play-all or a gauntlet: in other \
                       formats players have met other opponents, or fewer of them, until the last round is over"
                .to_owned();
        let help = "write rounds = \"9-SS\", \"5-RR\" or \"5-gauntlet\" under [swiss], or leave out [stop]";
        return refuse(first, message, help);
    }
    if is_table && setup.swiss.rounds.cycles() == 1 {
        let message =
            "an all-play-all or a gauntlet ends early after a cycle, in which everybody has met the same opponents, \
                       and this one has a single cycle"
                .to_owned();
        let help = "write a number of cycles before it, as in rounds = \"5-RR\" or \"5-gauntlet-2\" under [swiss]";
        return refuse(first, message, help);
    }
    let players = setup.ranked().count();
    let (cycle, unit) = match is_table {
        true => (stage.cycle(), "the first cycle"),
        false => (1, "round 1"),
    };
    let least = stage.games_of(cycle);
    if keys.games.is_some_and(|games| u64::from(games) < least) {
        let message = format!("{unit} alone has {least} games");
        return refuse(
            "stop.games",
            message,
            "write more games, or play shorter mini-matches (mini_match.games)",
        );
    }
    let Some(places) = keys.when else {
        return Ok(());
    };
    if setup.mini_match.games < FEWEST_GAMES {
        let message =
            "how sure places are is found by drawing game pairs anew, and one pair can only draw itself".to_owned();
        let help = "write games = 4 or more under [mini_match]";
        return refuse("stop.when", message, help);
    }
    if places.last as usize > players {
        let message = format!("there is no place {}: {players} players are ranked", places.last);
        return refuse("stop.when", message, "name places that there are");
    }
    let from = keys.first_look(players, setup.swiss.rounds);
    if from >= plan.rounds {
        let message = format!(
            "places would be looked at from round {from} on, but round {} is the last one anyway",
            plan.rounds
        );
        let help = match is_table {
            true => "write more cycles under [swiss], or a smaller stop.from_round",
            false => "write more rounds under [swiss], or a smaller stop.from_round",
        };
        return refuse("stop.when", message, help);
    }
    Ok(())
}

/// Warns of keys without a rule, and of a bound that is never reached.
pub(super) fn warning(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    let keys = &setup.stop;
    if keys.when.is_none() && keys.from_round.is_some() {
        return Some("stop.from_round: no places are looked at without stop.when, so it does nothing".to_owned());
    }
    if keys.when.is_some() && matches!(setup.swiss.rounds, Rounds::Gauntlet { runners: 1, .. }) {
        let told = "stop.when: the one who runs the gauntlet has more games than any other, so places by points say little; stop.games and \
                    stop.time end it by what was played";
        return Some(told.to_owned());
    }
    let in_all: u64 = setup.stages().iter().map(|stage| stage.games_of(stage.rounds)).sum();
    let is_idle = keys.games.is_some_and(|games| u64::from(games) >= in_all);
    is_idle.then(|| format!("stop.games: it ends nothing, because all rounds together have {in_all} games"))
}

fn first_key(keys: &StopKeys) -> Option<&'static str> {
    let given = [
        ("stop.when", keys.when.is_some()),
        ("stop.games", keys.games.is_some()),
        ("stop.time", keys.time.is_some()),
    ];
    given.into_iter().find_map(|(key, is_given)| is_given.then_some(key))
}
