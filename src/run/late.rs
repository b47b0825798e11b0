//! A late entry: its agent looked at and started once, before the arbiter enters it.
//!
//! May not: enter it.

use std::path::{Path, PathBuf};

use crate::shell::host::AgentSpec;
use crate::tournament::log::{Agent, Created};
use crate::tournament::setup::PlayerKeys;

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::{Hosted, not_found};
use super::{eligibility, introduction};

/// The last player of `event`, which is the event's with the entry added, and what its agent is made of; its command and directory
/// as whole paths, since the runner looks for them from elsewhere.
///
/// # Errors
/// When its agent is not there, does not start, or may not play; the key is named.
pub fn late_entry(event: &EventFile) -> Result<(PlayerKeys, Agent), RunError> {
    let loaded = &event.loaded;
    let index = loaded.setup.players.len() - 1;
    let player = &loaded.setup.players[index];
    let mut hosted = Hosted::at(&event.directory);
    let spec = AgentSpec::of_player(player, &loaded.setup);
    let found = hosted.find_one(spec.clone())?;
    let found = found.map_err(|why| not_found(loaded, index, why))?;
    let entrant = (player, &found.files);
    eligibility::require(event, &mut hosted, std::iter::once(entrant))?;
    let introduced = hosted.introduce_one(spec.clone(), loaded)?;
    let (said, printed) = (introduced.said, introduced.printed);
    let said = said.map_err(|failure| introduction::failed(loaded, index, &spec, &failure, printed))?;
    let whole = |path: &String| match path.contains(char::REPLACEMENT_CHARACTER) {
        false => Ok(path.clone()),
        true => Err(RunError::NoText(PathBuf::from(path))),
    };
    let player = PlayerKeys {
        command: whole(&found.program)?,
        dir: Some(whole(&found.directory)?),
        ..player.clone()
    };
    Ok((player, found.agent(Some(said))))
}

/// That the agent of a late entry is there, where no runner is at work.
///
/// # Errors
/// When it is not, or games of this run have no room for it.
pub(super) fn require(player: &PlayerKeys, agent: &Agent, created: &Created) -> Result<(), RunError> {
    let spec = AgentSpec::of_late_entry(player, agent, created).map_err(RunError::Refused)?;
    let found = Hosted::at(Path::new("/")).find_one(spec)?;
    found.map(drop).map_err(|why| RunError::Refused(why.to_string()))
}
