//! Engines tried out before there is an event: whether each speaks UCI, and by which arguments.
//!
//! May not: write anything, speak to a person.

use std::path::Path;
use std::time::Duration;

use swiss_system::text::escaped;

use crate::config::{InitPlayer, NewEvent};
use crate::game::handshake::{Cause, StartFailure};
use crate::game::isolation::Isolation;
use crate::game::well_known::{self, Known};
use crate::shell::host::{AgentSpec, Introduced, NotFound};

use super::error::{NotStarted, RunError};
use super::event_file::EventFile;
use super::hosted::Hosted;
use super::introduction::remedy;
use super::own_directory;

/// For `uciok` and for `readyok` each.
const LIMIT: Duration = Duration::from_secs(5);

/// Starts each player's engine once, in the directory of the event file `path`, and ends it again. Where one does not start by its
/// plain name, the arguments by which a well-known engine speaks UCI are tried, and become its own. Also gives who does not start.
///
/// # Errors
/// When there is no such directory, or the machine lacks something.
pub fn try_out(event: &mut NewEvent, path: &Path) -> Result<Vec<NotStarted>, RunError> {
    let all: Vec<usize> = (0..event.players.len()).collect();
    let (mut failed, mut again) = (Vec::new(), Vec::new());
    for (index, dead) in start(event, path, &all)? {
        let player = &mut event.players[index];
        match well_known::known(&player.command) {
            Some(Known::Speaks(words)) if player.args.is_empty() => {
                player.args = words.iter().map(|word| (*word).to_owned()).collect();
                again.push(index);
            }
            _ => failed.push((index, dead)),
        }
    }
    failed.extend(start(event, path, &again)?);
    failed.sort_by_key(|(index, _)| *index);
    Ok(failed.into_iter().map(|(_, dead)| dead).collect())
}

/// Starts the engines of the players at these indices: which do not.
fn start(event: &NewEvent, path: &Path, players: &[usize]) -> Result<Vec<(usize, NotStarted)>, RunError> {
    let mut of_file = EventFile::parse(path, &event.file().text)?;
    of_file.loaded.setup.engine.start_limit = LIMIT;
    let setup = &of_file.loaded.setup;
    let mut hosted = Hosted::at(&of_file.directory);
    let all = own_directory::agents(&of_file);
    let spec = |index: &usize| all[*index].clone();
    let specs: Vec<AgentSpec> = players.iter().map(spec).collect();
    let (mut dead, mut there) = (Vec::new(), Vec::new());
    for (index, found) in players.iter().zip(hosted.find(specs)?) {
        let name = escaped(&event.players[*index].name);
        match found {
            Ok(_) => there.push(*index),
            Err(NotFound::Machine(why)) => return Err(RunError::Machine(why)),
            Err(why) => dead.push((
                *index,
                NotStarted {
                    what: format!("{name}: {}", escaped(why.to_string())),
                    printed: None,
                    remedy: "give the path of a program, or its name if it is in PATH".to_owned(),
                },
            )),
        }
    }
    let introduced = hosted.introduce(there.iter().map(spec).collect(), &of_file.loaded)?;
    for (index, introduced) in there.into_iter().zip(introduced) {
        let isolation = setup.isolation(&setup.players[index]);
        let failed = not_started(&event.players[index], isolation, introduced)?;
        dead.extend(failed.map(|dead| (index, dead)));
    }
    Ok(dead)
}

/// That an engine did not start; `None`: it did.
fn not_started(
    player: &InitPlayer,
    isolation: Isolation,
    introduced: Introduced,
) -> Result<Option<NotStarted>, RunError> {
    match introduced.said {
        Ok(_) => Ok(None),
        Err(failure @ StartFailure::Host(_)) => Err(RunError::Machine(format!("{}: {failure}", player.name))),
        Err(failure) => Ok(Some(NotStarted {
            what: format!(
                "{} does not start: {}",
                escaped(&player.name),
                Cause::in_words(introduced.cause.as_ref(), &failure)
            ),
            printed: Some(introduced.printed),
            remedy: introduced.cause.map_or_else(
                || remedy(&player.command, &player.args, isolation, &failure),
                |cause| cause.remedy,
            ),
        })),
    }
}
