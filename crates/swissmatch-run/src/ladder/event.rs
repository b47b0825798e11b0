//! A round of a ladder as an event of its own: a Swiss of one round.
//!
//! May not: play it, or decide when it is due.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;

use super::{Store, plan, ratings};
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::materials;
use crate::open_run::OpenRun;
use crate::submissions::{by_submissions, note_packages, play_as_in, require_all, require_packages};
use swiss_system::count;
use swiss_system::pairing::rounds::Rounds;
use swiss_system::pairing::system::PairingSystem;
use swiss_system::score::Points;
use swissmatch_config::{ConfigError, take_to};
use swissmatch_game::opening::Opening;
use swissmatch_game::rules::Board;
use swissmatch_host::store::sha256;
use swissmatch_report::nights::History;
use swissmatch_tournament::setup::{
    ArbiterKeys, ByeKeys, ColorRule, InitialColor, LadderRound, LichessKeys, MiniMatchKeys, Openings, PlayerKeys,
    PlayoffKeys, PresenceKeys, PrizeKeys, PublishKeys, RegistrationKeys, ScheduleKeys, Seeding, Setup, SprtKeys,
    StandingsKeys, StopKeys, SwissKeys,
};

/// What follows the name of the event in that of a round, before its number.
pub(super) const LADDER: &str = ", ladder";
/// Hexadecimal digits of a seed: as many as every program reads exactly.
const DIGITS: usize = 13;

/// The round that follows those of a history and was due then, by what plays now; or how many can play, where these are fewer than two.
///
/// # Errors
/// When submissions cannot be read, or were changed.
pub(super) fn round(
    event: &EventFile,
    run: &Path,
    history: &History,
    (due, last): (Timestamp, Option<&OpenRun>),
) -> Result<Result<EventFile, usize>, RunError> {
    let store = Store::of_run(run);
    let (all, entries) = store.read_counted(None)?;
    let mut event = event.in_force(due);
    note_packages(&mut event, last.map(|last| (last.state.setup(), called(last))))?;
    let mut players = event.loaded.setup.players.clone();
    require_all(&event, &all)?;
    let is_missing = by_submissions(&event, (&store, &all), &mut players)?;
    let mut entered: Vec<usize> = (0..players.len()).filter(|entry| !is_missing[*entry]).collect();
    if entered.len() < 2 {
        return Ok(Err(entered.len()));
    }
    // What comes of it does not depend on the order of the file.
    entered.sort_by(|one, other| players[*one].name.cmp(&players[*other].name));
    event.loaded.setup.players = players;
    event.loaded.choose(&entered);
    let number = u32::try_from(history.nights.len() + 1).unwrap_or(u32::MAX);
    let round = LadderRound {
        number,
        due,
        submissions: entries,
        previous: last.and_then(|last| Some(last.logged.last()?.hash.clone())),
    };
    event.loaded.setup = setup(&event.loaded.setup, round);
    let order = rate_and_order(history, &mut event.loaded.setup)?;
    event.loaded.choose(&order);
    Ok(Ok(event))
}

/// Gives each player its rating by a history, and has the order of the pairing numbers. The players are in the order of their names.
///
/// # Errors
/// When there are no ratings.
pub(super) fn rate_and_order(history: &History, setup: &mut Setup) -> Result<Vec<usize>, RunError> {
    let number = setup.ladder.round.as_ref().map_or(0, |round| round.number);
    let rated = ratings(history, setup, &setup.players)?;
    let order = plan::order(history, setup, &setup.players, &rated, number);
    for (player, rating) in setup.players.iter_mut().zip(rated) {
        player.ladder = rating;
    }
    Ok(order)
}

/// What a round is called.
pub(super) fn called(round: &OpenRun) -> String {
    let number = round
        .state
        .setup()
        .ladder
        .round
        .as_ref()
        .map_or(0, |round| round.number);
    format!("round {number} of the ladder")
}

/// A round as it was begun, with what may change while it is played as the event file has it now.
///
/// # Errors
/// When a player of it is gone from the event file.
pub(super) fn as_begun(event: &EventFile, run: &OpenRun) -> Result<EventFile, RunError> {
    let begun = run.state.setup();
    let place = |player: &PlayerKeys| {
        let mut players = event.loaded.setup.players.iter();
        players.position(|of| of.name == player.name).ok_or_else(|| {
            RunError::Machine(format!(
                "{} plays in {}, and {} no longer has it: put it back until that round is over",
                player.name,
                run.dir.display(),
                event.loaded.file()
            ))
        })
    };
    let entered: Vec<usize> = begun.players.iter().map(place).collect::<Result<_, _>>()?;
    let mut event = event.clone();
    event.loaded.choose(&entered);
    let mut setup = again(&event.loaded.setup, begun)?;
    let names = event.loaded.setup.players.iter().zip(&begun.players);
    let as_in_round = names.map(|(player, of_round)| {
        let mut player = of_round_alone(player);
        if player.awaits_submission() {
            play_as_in(&mut player, of_round);
        }
        player.ladder = of_round.ladder;
        player
    });
    setup.players = as_in_round.collect();
    event.loaded.setup = setup;
    require_packages(&mut event, begun)?;
    Ok(event)
}

/// The keys of an event, or of another round of its ladder, as those of a round that was begun: what each round has for itself is as that
/// one has it. These are its players and what they play by, its version of the rules, and the keys that say who plays and when.
///
/// # Errors
/// When a change of the rules is none of a key.
pub(super) fn again(event: &Setup, begun: &Setup) -> Result<Setup, ConfigError> {
    let mut now = event.clone();
    take_to(&mut now, begun.version())?;
    match (&event.ladder.round, &begun.ladder.round) {
        (None, Some(round)) => now = setup(&now, round.clone()),
        // Each has a name and a seed of its own.
        _ => now.event = begun.event.clone(),
    }
    now.players.clone_from(&begun.players);
    now.rules.clone_from(&begun.rules);
    now.ladder = begun.ladder.clone();
    now.mini_match = begun.mini_match.clone();
    now.bye = begun.bye.clone();
    now.submissions.lock = begun.submissions.lock;
    now.submissions.out.clone_from(&begun.submissions.out);
    // Other packages make other versions.
    now.submissions.python.clone_from(&begun.submissions.python);
    now.submissions.packages.clone_from(&begun.submissions.packages);
    Ok(now)
}

/// A round of the ladder of an event in which every player of the file plays.
pub(super) fn of_all(event: &Setup) -> Setup {
    let round = LadderRound {
        number: 1,
        due: Timestamp::UNIX_EPOCH,
        submissions: 0,
        previous: None,
    };
    setup(event, round)
}

/// The keys of an event as those of a round of its ladder.
pub(super) fn setup(of: &Setup, round: LadderRound) -> Setup {
    let mut setup = of.clone();
    setup.event.name = format!("{}{LADDER} {}", of.event.name, round.number);
    let seed = sha256(format!("{} ladder {}", of.event.rng_seed, round.number).as_bytes());
    setup.event.rng_seed = u64::from_str_radix(&seed[..DIGITS], 16).unwrap_or(of.event.rng_seed);
    setup.event.stages.clear();
    setup.event.sections.clear();
    setup.swiss = SwissKeys {
        rounds: Rounds::Number(1),
        pairing: PairingSystem::Dutch,
        color: ColorRule::FirstGame,
        seeding: Seeding::Listed,
        initial_color: InitialColor::White,
        ..SwissKeys::default()
    };
    setup.mini_match = MiniMatchKeys {
        games: of.ladder.games,
        openings: of.ladder.openings.clone(),
        ..MiniMatchKeys::default()
    };
    // Who sits out has won nothing.
    setup.bye = ByeKeys {
        match_points: Points::ZERO,
        game_points: Some(Points::ZERO),
        ..ByeKeys::default()
    };
    setup.standings = StandingsKeys::default();
    setup.playoff = PlayoffKeys::default();
    setup.prizes = PrizeKeys::default();
    setup.sprt = SprtKeys::default();
    setup.stop = StopKeys::default();
    setup.registration = RegistrationKeys::default();
    setup.arbiter = ArbiterKeys::default();
    setup.publish = PublishKeys::default();
    setup.lichess = LichessKeys::default();
    setup.presence = PresenceKeys::default();
    setup.schedule = ScheduleKeys {
        time_zone: of.schedule.time_zone.clone(),
        ..ScheduleKeys::default()
    };
    // Whoever does not start loses its games: a ladder goes on.
    setup.engine.must_start = false;
    setup.engine.start_attempts = 1;
    setup.players = of.players.iter().map(of_round_alone).collect();
    setup.ladder.round = Some(round);
    setup
}

/// A player without what counts in the event alone.
fn of_round_alone(player: &PlayerKeys) -> PlayerKeys {
    PlayerKeys {
        byes: Vec::new(),
        section: None,
        house: false,
        ..player.clone()
    }
}

/// "Ladder games never use openings of the later stages."
///
/// # Errors
/// When some of the ladder's are also some of the event's.
pub(super) fn require_other_openings(event: &EventFile) -> Result<(), RunError> {
    let own = &event.loaded.setup.mini_match;
    let of_ladder = &event.loaded.setup.ladder.openings;
    if [&own.openings, of_ladder].contains(&&Openings::None) {
        return Ok(());
    }
    let mut ladder = event.clone();
    ladder.loaded.setup.mini_match = MiniMatchKeys {
        openings: of_ladder.clone(),
        ..MiniMatchKeys::default()
    };
    let [(of_event, ..), (of_ladder, ..)] = [materials::openings(event)?, materials::openings(&ladder)?];
    let end = |opening: &Opening| Board::new(opening).map(|board| board.fen()).ok();
    let positions: BTreeSet<String> = of_event.iter().filter_map(|opening| end(&opening)).collect();
    let is_shared = |opening: &Opening| end(opening).is_some_and(|end| positions.contains(&end));
    let shared = of_ladder.iter().filter(is_shared).count();
    if shared == 0 {
        return Ok(());
    }
    let message = format!(
        "{} also in mini_match.openings, and whoever plays in the ladder would have seen them: take them out",
        count::of(shared, "of its openings is", "of its openings are"),
    );
    Err(RunError::Event(event.loaded.error_at("ladder.openings", message)))
}
