//! A late entry: its agent looked at and started once, before the arbiter enters it.
//!
//! May not: enter it.

use std::path::Path;

use crate::game::handshake::StartFailure;
use crate::game::transcript::escape;
use crate::shell::agents;
use crate::tournament::event::Agent;
use crate::tournament::setup::PlayerKeys;

use super::eligibility;
use super::error::RunError;
use super::event_file::EventFile;
use super::materials::agent_of;
use super::room;

/// The last player of `event`, which is the event's with the entry added, and what its agent is made of; its command and directory
/// as whole paths, since the runner looks for them from elsewhere.
///
/// # Errors
/// When its agent is not there, does not start, or may not play; the key is named.
pub fn late_entry(event: &EventFile) -> Result<(PlayerKeys, Agent), RunError> {
    let loaded = &event.loaded;
    let index = loaded.setup.players.len() - 1;
    let (command, files) = agent_of(event, index)?;
    let entrant = (&loaded.setup.players[index], &files);
    eligibility::require(event, std::iter::once(entrant))?;
    let mut introductions = agents::introduce(std::slice::from_ref(&command), 1).map_err(RunError::machine)?;
    let introduction = introductions
        .pop()
        .expect("one for each")
        .map_err(|failure| match failure {
            StartFailure::Option(refused) => room::option_refused(loaded, index, &command, &refused).into(),
            StartFailure::Host(_) => RunError::machine(failure),
            failure => {
                let failure = escape(failure.to_string().as_bytes());
                let message = format!("it does not start: {failure}");
                RunError::Event(loaded.error_at_player(index, "player.command", message))
            }
        })?;
    let whole = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .ok_or_else(|| RunError::NoText(path.to_path_buf()))
    };
    let player = PlayerKeys {
        command: whole(&command.launch.program)?,
        dir: Some(whole(&command.launch.directory)?),
        ..loaded.setup.players[index].clone()
    };
    let agent = agents::agent(&command, files, Some(&introduction));
    Ok((player, agent))
}
