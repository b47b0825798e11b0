//! What agents that were handed in said of themselves in the round before: whoever plays on unchanged is not started once more for that,
//! which takes as long as its import.
//!
//! May not: start anything.

use std::path::Path;

use super::plan::build_of_submission;
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::materials::Materials;
use crate::open_run::OpenRun;
use swissmatch_host::host::AgentFound;
use swissmatch_host::run_dir;
use swissmatch_tournament::log::AgentIntroduction;

/// Of each player of an event, whose run will be in `path`; `None`: it has to be started.
///
/// # Errors
/// When the round before cannot be read.
pub(crate) fn introduced(
    event: &EventFile,
    materials: &Materials,
    path: &Path,
) -> Result<Vec<Option<AgentIntroduction>>, RunError> {
    let setup = &event.loaded.setup;
    let nobody = || Ok(vec![None; setup.players.len()]);
    let Some(round) = &setup.ladder.round else {
        return nobody();
    };
    let before = path.with_file_name((round.number - 1).to_string());
    if !run_dir::log(&before).exists() {
        return nobody();
    }
    let state = OpenRun::open(Some(&before))?.state;
    let then = state.setup();
    if (&then.engine, then.game.variant) != (&setup.engine, setup.game.variant) {
        return nobody();
    }
    let introduction = |(player, found): (_, &AgentFound)| {
        let build = build_of_submission(player, setup)?;
        let mut numbers = state.numbers();
        let number = numbers.find(|number| {
            let was = state.player(*number);
            was.name == player.name && build_of_submission(was, then).as_ref() == Some(&build)
        })?;
        let was = state.agent(number);
        (was.files == found.files).then(|| was.introduction.clone()).flatten()
    };
    let players = setup.players.iter().zip(&materials.found);
    Ok(players.map(introduction).collect())
}
