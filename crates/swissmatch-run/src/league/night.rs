//! A night as the history keeps it: made from the log of its run.
//!
//! May not: measure, or decide what is a change.

use std::collections::HashMap;

use jiff::Timestamp;
use swiss_system::pairing::history::PairingNumber;

use super::builds::{Program, Settings};
use super::earlier::short;
use crate::earlier::rows;
use crate::open_run::OpenRun;
use swissmatch_config::league::{BuildKeys, LeagueFormat};
use swissmatch_game::record::GameId;
use swissmatch_game::time_control::Limit;
use swissmatch_host::directory::END;
use swissmatch_host::store::sha256;
use swissmatch_report::faults::over_bound_by_player;
use swissmatch_report::nights::{BrokenBuild, Night, NightBuild, NightEnd, VERSION, games_of, is_unrated};
use swissmatch_tournament::faults;
use swissmatch_tournament::log::Agent;
use swissmatch_tournament::noise::Noise;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::EndedGame;

/// What the log of a night does not say.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    /// What the night is called.
    pub name: &'a str,
    /// The directory of its run, among those of all nights.
    pub dir: &'a str,
    /// The class of the machine.
    pub machine: &'a str,
    /// How it ended.
    pub ended: NightEnd,
    /// Who meets whom.
    pub format: LeagueFormat,
    /// What the machine was busy with.
    pub noise: Noise,
    /// The builds that played, with their programs.
    pub builds: Vec<(&'a BuildKeys, Program)>,
    /// Those that did not.
    pub broken: Vec<BrokenBuild>,
}

/// The night of a run; what changed in it is not known yet.
///
/// # Errors
/// When the run has a player that is no build of the league, or cannot be read.
pub fn night(run: &OpenRun, facts: Facts<'_>) -> Result<Night, String> {
    let (state, created) = (&run.state, run.state.created());
    let build = |number: PairingNumber| {
        let player = state.player(number);
        let known = facts.builds.iter().find(|(build, _)| build.name == player.name);
        let (keys, program) = known.ok_or_else(|| format!("{} is no build of the league", player.name))?;
        let agent = &created.agents[created.order[number.index()]];
        let settings = Settings::of(player, &created.setup);
        Ok(NightBuild {
            version: program.version(&sha256_of(agent), &settings),
            instead: program.instead.clone(),
            elo: keys.elo,
            opponent: facts.format == LeagueFormat::Gauntlet && !keys.main,
            ..NightBuild::new(&player.name, settings.identity(&agent.files))
        })
    };
    let builds: Result<Vec<NightBuild>, String> = state.numbers().map(build).collect();
    Ok(Night {
        name: facts.name.to_owned(),
        dir: facts.dir.to_owned(),
        machine: facts.machine.to_owned(),
        ended: facts.ended,
        noise: facts.noise,
        broken: facts.broken,
        ..of_run(run, builds?, |game| !is_unrated(game))?
    })
}

/// What the log of a run says of a night in which these played, by their pairing numbers, and which of its games are rated.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn of_run(
    run: &OpenRun,
    mut builds: Vec<NightBuild>,
    is_rated: fn(&EndedGame) -> bool,
) -> Result<Night, String> {
    let state = &run.state;
    for game in state.finished_games().filter(|game| !is_rated(game)) {
        for player in [game.finished.white, game.finished.black] {
            builds[player.index()].unrated += 1;
        }
    }
    for count in faults::counts(state) {
        let build = &mut builds[count.player.index()];
        (build.faults, build.alarms) = (count.lost, count.alarms);
    }
    for (player, _) in over_bound_by_player(state) {
        builds[player.index()].too_many_faults = true;
    }
    let keys: HashMap<GameId, String> = rows(&run.dir)
        .map_err(|error| error.to_string())?
        .into_iter()
        .map(|row| (row.game, short(&row.key)))
        .collect();
    let first = run.logged.first().ok_or("its log is empty")?;
    Ok(Night {
        version: VERSION,
        run: first.hash.clone(),
        name: String::new(),
        dir: String::new(),
        began: first.at.parse::<Timestamp>().map_err(|error| error.to_string())?,
        machine: String::new(),
        ended: NightEnd::Complete,
        noise: Noise::default(),
        by_time: state
            .setup()
            .time_controls()
            .any(|control| control.limit != Limit::Guard),
        conditions: conditions(state.setup(), &state.created().openings.source),
        builds,
        broken: Vec::new(),
        changes: Vec::new(),
        pairs: Vec::new(),
        games: games_of(state, is_rated, |game| {
            let finished = run.finished(game)?;
            Ok::<_, String>((keys.get(&finished.id).cloned(), finished.taken_from.clone()))
        })?,
    })
}

/// The SHA-256 of its program; with that of the directories that it is given whole, where there are any.
fn sha256_of(agent: &Agent) -> String {
    let counted = agent.files.iter();
    let counted = counted.filter(|file| file.path == agent.program || file.path.ends_with(END));
    let all: Vec<&str> = counted.map(|file| file.sha256.as_str()).collect();
    match all.as_slice() {
        [] => String::new(),
        [program] => (*program).to_owned(),
        several => sha256(several.join("\n").as_bytes()),
    }
}

/// By what games are played, in words.
fn conditions(setup: &Setup, openings: &str) -> String {
    format!("{}, openings {openings}", setup.game.time_control)
}
