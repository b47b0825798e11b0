//! A round that is over, as the history keeps it: made from the log of its run, with the ratings after it.
//!
//! May not: decide who plays.

use super::plan::build_of_submission;
use super::ratings;
use crate::error::RunError;
use crate::league::builds::Settings;
use crate::league::night::of_run;
use crate::open_run::OpenRun;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_host::machine;
use swissmatch_report::nights::{History, Night, NightBuild};
use swissmatch_tournament::noise::Noise;
use swissmatch_tournament::setup::PlayerKeys;

/// What the log of a round does not say.
#[derive(Clone, Debug)]
pub struct RoundNotes {
    /// The class of the machine.
    pub machine: String,
    /// What it was busy with.
    pub noise: Noise,
}

impl Default for RoundNotes {
    fn default() -> Self {
        Self {
            machine: machine::class(),
            noise: Noise::default(),
        }
    }
}

/// A round that is over, after those of a history.
///
/// # Errors
/// When its run cannot be read.
pub(super) fn night(run: &OpenRun, history: &History, noted: RoundNotes) -> Result<Night, RunError> {
    let (state, setup) = (&run.state, run.state.setup());
    let round = setup.ladder.round.as_ref();
    let round = round.ok_or_else(|| RunError::Machine(format!("{} is no round of a ladder", run.dir.display())))?;
    let build = |number: PairingNumber| {
        let player = state.player(number);
        let files = &state.agent(number).files;
        let build = build_of_submission(player, setup);
        NightBuild {
            version: match &player.submission {
                Some(submission) => submission.called(),
                None => "own".to_owned(),
            },
            elo: setup.ladder.fixed.get(&player.name).copied(),
            ..NightBuild::new(
                &player.name,
                build.unwrap_or_else(|| Settings::of(player, setup).identity(files)),
            )
        }
    };
    let builds = state.numbers().map(build).collect();
    let place = |number: PairingNumber| u16::try_from(number.index()).unwrap_or(u16::MAX);
    let paired = state
        .rounds()
        .first()
        .into_iter()
        .flat_map(|round| &round.pairing.pairs);
    let mut night = Night {
        name: format!("round {}", round.number),
        dir: round.number.to_string(),
        machine: noted.machine,
        noise: noted.noise,
        pairs: paired.map(|pair| [place(pair.white), place(pair.black)]).collect(),
        // Who could end a game before it counts would not lose by it.
        ..of_run(run, builds, |_| true).map_err(RunError::Machine)?
    };
    let mut after = history.clone();
    after.add(night.clone());
    let players: Vec<PlayerKeys> = state.numbers().map(|number| state.player(number).clone()).collect();
    for (build, rating) in night.builds.iter_mut().zip(ratings(&after, setup, &players)?) {
        build.ladder = rating;
    }
    Ok(night)
}
