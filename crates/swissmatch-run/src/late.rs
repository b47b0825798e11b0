//! A late entry: its agent looked at and started once, before the arbiter enters it.
//!
//! The event file stays as it is: only the log says who plays, and `run` adds late entries to the players of the file.
//!
//! May not: enter it.

use std::path::{Path, PathBuf};

use swissmatch_host::host::AgentSpec;
use swissmatch_tournament::log::{Agent, RunCreated};
use swissmatch_tournament::setup::PlayerKeys;

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::{HostConnection, not_found};
use super::materials::writes_no_agent;
use super::{eligibility, introduction, own_directory, reach, trial};

/// The last player of `event`, which is that of the run `created` with the entry added, and what its agent is made of; its command and its
/// directory as whole paths, since the runner looks for them from elsewhere.
///
/// # Errors
/// When its agent is not there, does not start, or may not play; the key is named.
pub fn late_entry(event: &EventFile, created: &RunCreated) -> Result<(PlayerKeys, Agent), RunError> {
    let loaded = &event.loaded;
    let index = loaded.setup.players.len() - 1;
    let player = &loaded.setup.players[index];
    let mut hosted = HostConnection::at(&event.directory);
    let spec = own_directory::agents(event).swap_remove(index);
    let spec = AgentSpec {
        words_from: Some(event.directory.display().to_string()).filter(|_| player.dir.is_none()),
        ..spec
    };
    own_directory::words_lead_from_its_directory(event, index, &spec)?;
    let found = hosted.find_one(spec.clone())?;
    let found = found.map_err(|why| not_found(loaded, index, why))?;
    let others = created.setup.players.iter().zip(&created.agents);
    let others = others.map(|(other, agent)| (other.name.as_str(), agent.files.as_slice()));
    let made = others.chain([(player.name.as_str(), found.files.as_slice())]);
    writes_no_agent(loaded, (index, &spec, &found.directory), made)?;
    reach::require_none(event, (index, &spec, &found.directory))?;
    let entrant = (player, &found.files);
    eligibility::require(event, &mut hosted, std::iter::once(entrant))?;
    let introduced = hosted.introduce_one(spec.clone(), loaded)?;
    let lacks = trial::that_help(event, &mut hosted, index, introduced.lacks)?;
    let (said, last) = (introduced.said, (introduced.printed, lacks, introduced.cause));
    let said = said.map_err(|failure| introduction::failed(loaded, index, &spec, &failure, last))?;
    let whole = |path: &String| match path.contains(char::REPLACEMENT_CHARACTER) {
        false => Ok(path.clone()),
        true => Err(RunError::NoText(PathBuf::from(path))),
    };
    let directory = whole(&found.directory)?;
    let player = PlayerKeys {
        // The directory of its file is nobody's own, as that of the event is.
        dir: player.dir.as_ref().map(|_| directory),
        command: match player.move_url.is_some() {
            true => player.command.clone(),
            false => whole(&found.program)?,
        },
        ..player.clone()
    };
    Ok((player, found.agent(&spec, Some(said))))
}

/// That the agent of a late entry is there, where no runner is at work.
///
/// # Errors
/// When it is not, or games of this run have no room for it.
pub(super) fn require(player: &PlayerKeys, agent: &Agent, created: &RunCreated) -> Result<(), RunError> {
    let spec =
        AgentSpec::of_late_entry(player, agent, created, created.setup.run.gpus.len()).map_err(RunError::Refused)?;
    let found = HostConnection::at(Path::new("/")).find_one(spec)?;
    found.map(drop).map_err(|why| RunError::Refused(why.to_string()))
}
