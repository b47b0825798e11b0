//! An event of two players and one round, kept in memory: for games that are to be played as those of an event, and not kept.
//!
//! May not: pair, schedule or score otherwise than an event does.

use swiss_system::pairing::rounds::Rounds;

use swissmatch_host::machine;
use swissmatch_tournament::director::{self, Next};
use swissmatch_tournament::log::{Agent, Entry, FileHash, LOG_VERSION, RunCreated, Suite};
use swissmatch_tournament::setup::{
    EligibilityKeys, PairingSystem, PlayerKeys, PlayoffKeys, PresenceKeys, PrizeKeys, ScheduleKeys, Seeding, Setup,
    TourKeys,
};
use swissmatch_tournament::state::{BrokenLogError, State};

/// An agent of which nothing but its files is known.
pub(super) fn made_of(files: &[FileHash]) -> Agent {
    Agent {
        program: files.first().map_or_else(String::new, |program| program.path.clone()),
        files: files.to_vec(),
        ..Agent::default()
    }
}

/// The keys of an event in which these two play so many games: those of the real one, but for what is played and by whom.
pub(super) fn setup(of_event: &Setup, players: [PlayerKeys; 2], games: u32) -> Setup {
    let mut setup = Setup {
        playoff: PlayoffKeys::default(),
        prizes: PrizeKeys::default(),
        tour: TourKeys::default(),
        schedule: ScheduleKeys::default(),
        presence: PresenceKeys::default(),
        eligibility: EligibilityKeys::default(),
        players: players
            .map(|player| PlayerKeys {
                byes: Vec::new(),
                section: None,
                house: false,
                ..player
            })
            .to_vec(),
        ..of_event.clone()
    };
    setup.event.stages.clear();
    setup.event.sections.clear();
    setup.swiss.rounds = Rounds::Number(1);
    setup.swiss.pairing = PairingSystem::MatchPoints;
    setup.swiss.seeding = Seeding::Listed;
    setup.swiss.keep_apart.clear();
    setup.swiss.forbidden.clear();
    setup.mini_match.games = games;
    setup.adjudication.tablebases.clear();
    setup
}

/// The event with its only round paired.
pub(super) fn paired(setup: Setup, agents: [Agent; 2], openings: Suite) -> Result<State, BrokenLogError> {
    let plan = setup.plan();
    let created = RunCreated {
        log_version: LOG_VERSION,
        software: env!("CARGO_PKG_VERSION").to_owned(),
        rounds: plan.rounds,
        format: plan.format,
        order: (0..setup.players.len()).collect(),
        agents: agents.to_vec(),
        openings,
        tour: None,
        machine: None,
        setup,
    };
    let mut state = State::fold([&Entry::Created(Box::new(created))])?;
    if let Ok(Next::Entries(entries)) = director::next(&state, machine::today()) {
        for entry in &entries {
            state.apply(entry)?;
        }
    }
    Ok(state)
}
