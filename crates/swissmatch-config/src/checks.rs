//! Checks across values: combinations that cannot be played, and those that are probably not meant.
//!
//! May not: change a value.

mod adjudication;
pub(super) mod analysis;
mod byes;
mod devices;
mod eligibility;
mod house;
mod isolation;
mod ladder;
mod lichess;
mod models;
mod openings;
mod pairing;
mod playoff;
mod prizes;
mod publish;
mod rules;
mod schedule;
mod sections;
mod sprt;
mod stages;
mod stop;
mod submissions;
mod time;

use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::text::is_no_part_of_a_name;

use super::value::{shown, shown_beside};
use super::{ConfigError, LoadedEvent, Origin, nearest};
use swissmatch_tournament::column::Column;
use swissmatch_tournament::names::{DIFFERENCE, TakenNames};
use swissmatch_tournament::setup::{ByeCriterion, Seeding};
use swissmatch_tournament::stage::Stage;

/// Refuses what cannot be played, and returns warnings.
pub(super) fn check(loaded: &LoadedEvent) -> Result<Vec<String>, ConfigError> {
    event_name(loaded)?;
    prizes::check(loaded)?;
    publish::check(loaded)?;
    analysis::check(loaded)?;
    eligibility::check(loaded)?;
    if !loaded.setup.tour.runs.is_empty() && loaded.setup.players.is_empty() {
        // Nothing is played: the tour's runs are only looked at.
        return Ok(Vec::new());
    }
    number_of_players(loaded)?;
    distinct_names(loaded)?;
    sections::check(loaded)?;
    house::check(loaded)?;
    devices::check(loaded)?;
    isolation::check(loaded)?;
    models::check(loaded)?;
    submissions::check(loaded)?;
    ladder::check(loaded)?;
    rules::check(loaded)?;
    stages::check(loaded)?;
    lichess::check(loaded)?;
    pairing::check(loaded)?;
    byes::check(loaded)?;
    playoff::check(loaded)?;
    time::check(loaded)?;
    adjudication::check(loaded)?;
    openings::check(loaded)?;
    sprt::check(loaded)?;
    stop::check(loaded)?;
    let warnings = [
        stages::warning(loaded),
        submission_times(loaded),
        forced_repeats(loaded),
        pairing::byes_that_run_out(loaded),
        time::attempts_under_a_clock(loaded),
        time::attempts_with_nothing_to_share(loaded),
        time::capped_overhead(loaded),
        openings::none(loaded),
        koya_in_a_swiss(loaded),
        pairing::bye_of_double_swiss(loaded),
        ratings_that_are_missing(loaded),
        playoff::warning(loaded),
        sprt::warning(loaded),
        stop::warning(loaded),
    ];
    Ok(warnings
        .into_iter()
        .flatten()
        .chain(openings::idle(loaded))
        .chain(adjudication::warnings(loaded))
        .chain(schedule::warnings(loaded))
        .chain(models::warnings(loaded))
        .collect())
}

/// The checks that concern the agent of a single player.
pub(super) fn check_alone(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    event_name(loaded)?;
    eligibility::check(loaded)?;
    devices::check(loaded)?;
    isolation::check(loaded)?;
    models::check(loaded)?;
    submissions::check(loaded)?;
    time::check(loaded)?;
    openings::check(loaded)
}

/// A name that comes from the file's name follows the same rule as a written one.
fn event_name(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let name = &loaded.setup.event.name;
    if (1..=100).contains(&name.chars().count()) && !name.contains(is_no_part_of_a_name) && name.trim() == name {
        return Ok(());
    }
    let error = loaded.error_at(
        "event.name",
        format!("the name of the file cannot be the name of the event: {}", shown(name)),
    );
    Err(ConfigError {
        help: Some("write name = \"…\" under [event]".to_owned()),
        ..error
    })
}

fn number_of_players(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let number = loaded.setup.ranked().count();
    if number >= 2 {
        return Ok(());
    }
    let house = if number < loaded.setup.players.len() {
        " besides house players"
    } else {
        ""
    };
    let error = loaded.error_at(
        "player",
        format!("an event needs at least 2 players{house}, found {number}"),
    );
    Err(ConfigError {
        help: Some("add [[player]] tables, each with name and command".to_owned()),
        ..error
    })
}

fn distinct_names(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let mut taken = TakenNames::new();
    for (index, player) in loaded.setup.players.iter().enumerate() {
        if let Err(other) = taken.take(&player.name, index) {
            let line = loaded.players[other].head.line;
            let other = &loaded.setup.players[other].name;
            let (name, other) = (shown_beside(&player.name, other), shown_beside(other, &player.name));
            let message = format!("{name} reads like {other}, the name of the player at line {line}");
            let error = loaded.error_at_player(index, "player.name", message);
            return Err(ConfigError {
                help: Some(DIFFERENCE.to_owned()),
                ..error
            });
        }
    }
    Ok(())
}

/// Warns that players without a submission time count in the order of the file, if that decides something.
fn submission_times(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    // A submission has its time.
    if setup.submissions.contract.is_some() {
        return None;
    }
    // The first stage, or the sections; the log says who plays in later stages.
    let stages = setup.stages();
    let first = stages.iter().filter(|stage| stage.rounds_before == 0);
    // The remainder of quads is a Swiss.
    let has_byes = |stage: &&Stage| {
        matches!(
            stage.format.plan(stage.players).format,
            TournamentFormat::Swiss | TournamentFormat::Quads
        )
    };
    let mut first = first.filter(|stage| !stage.house).filter(has_byes);
    let is_odd = first.any(|stage| stage.players % 2 == 1);
    let decides_bye = is_odd && setup.bye.order.contains(&ByeCriterion::EarliestSubmission);
    let decides_seeding = setup.swiss.seeding == Seeding::Submitted;
    let some_have_one = setup.players.iter().any(|player| player.submitted_at.is_some());
    let missing: Vec<_> = setup
        .players
        .iter()
        .filter(|p| p.submitted_at.is_none())
        .map(|p| shown(&p.name))
        .collect();
    if missing.is_empty() || !(some_have_one || decides_bye || decides_seeding) {
        return None;
    }
    let who = if missing.len() == setup.players.len() {
        "no player has submitted_at".to_owned()
    } else {
        format!("these players have no submitted_at: {}", missing.join(", "))
    };
    let use_of_it = if decides_bye {
        "byes and places are still tied"
    } else {
        "places are still tied"
    };
    Some(format!("{who}; where {use_of_it}, the order of the file decides"))
}

fn forced_repeats(loaded: &LoadedEvent) -> Option<String> {
    let event = &loaded.setup.event;
    if !event.stages.is_empty() {
        return None;
    }
    // The event as a whole, or each of its sections.
    loaded.setup.stages().iter().find_map(|of| {
        let players = of.players as usize;
        let rounds = of.rounds;
        if of.format.plan(of.players).format != TournamentFormat::Swiss {
            return None;
        }
        let section = of
            .section
            .map(|place| format!("section {}: ", shown(&event.sections[place].name)));
        let section = section.unwrap_or_default();
        let without_repeats = pairing::rounds_without_repeats(players);
        (rounds as usize > without_repeats).then(|| {
            format!(
                "{section}{rounds} rounds of {players} players: after {} everybody has met, and then pairings repeat",
                count::of(without_repeats, "round", "rounds")
            )
        })
    })
}

/// Koya is for round robins alone (C.07).
fn koya_in_a_swiss(loaded: &LoadedEvent) -> Option<String> {
    let koya = computed(loaded).find(|criterion| criterion.code == Code::Koya)?;
    let is_swiss = |stage: Stage| stage.format.plan(stage.players).format == TournamentFormat::Swiss;
    let has_swiss = loaded.setup.stages().into_iter().any(is_swiss);
    has_swiss.then(|| format!("standings: {koya} is only for round robins (C.07), and this event is a Swiss"))
}

/// Warns that tie-breaks of ratings are left out for players without a rating (C.07).
fn ratings_that_are_missing(loaded: &LoadedEvent) -> Option<String> {
    let setup = &loaded.setup;
    if setup.standings.unrated.is_some() {
        return None;
    }
    let criteria: Vec<String> = computed(loaded)
        .filter(|criterion| criterion.code.is_of_ratings())
        .map(|criterion| criterion.to_string())
        .collect();
    let unrated = setup
        .players
        .iter()
        .filter(|player| player.ratings_by_round().is_empty());
    let unrated: Vec<_> = unrated.map(|player| shown(&player.name)).collect();
    (!criteria.is_empty() && !unrated.is_empty()).then(|| {
        format!(
            "standings: {} will be left out (C.07), because these players have no rating: {}; write rating = … for each, or \
             standings.unrated = …, one rating for all of them",
            criteria.join(", "),
            unrated.join(", ")
        )
    })
}

/// The criteria that rank, and those that are shown.
fn computed(loaded: &LoadedEvent) -> impl Iterator<Item = Criterion> + '_ {
    let standings = &loaded.setup.standings;
    let shown = standings.columns.iter().filter_map(|column| match column {
        Column::Criterion(criterion) if !standings.order.contains(criterion) => Some(*criterion),
        _ => None,
    });
    standings.order.iter().copied().chain(shown)
}

/// Whether a person gave the value for this event, rather than a preset.
fn is_given(loaded: &LoadedEvent, key: &str) -> bool {
    matches!(loaded.origin(key), Some(Origin::File(_) | Origin::Flag(_)))
}

/// Refuses a key that names a player who does not exist.
fn require_player(loaded: &LoadedEvent, key: &str, name: &str) -> Result<(), ConfigError> {
    let names: Vec<&str> = loaded.setup.players.iter().map(|player| player.name.as_str()).collect();
    if names.contains(&name) {
        return Ok(());
    }
    let help = nearest(name, &names).map_or_else(
        || "write the name of a [[player]]".to_owned(),
        |near| format!("did you mean {}?", shown(near)),
    );
    Err(ConfigError {
        help: Some(help),
        ..loaded.error_at(key, format!("there is no player {}", shown(name)))
    })
}
