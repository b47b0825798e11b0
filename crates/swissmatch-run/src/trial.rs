//! Remedies for agents that lack something, tried before they are told.
//!
//! May not: try one by isolating less.

use swissmatch_game::isolation::{Lack, UnopenedFile};
use swissmatch_host::host::IntroductionReport;
use swissmatch_host::paths::put_whole;
use swissmatch_tournament::setup::PlayerKeys;

use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::HostConnection;
use super::own_directory;

/// The variable by which a file is given.
const VARIABLE: &str = "SWISSMATCH_GIVES";

/// What an agent that does not start lacks, by what makes it start; of what was not tried, all.
///
/// # Errors
/// When the machine lacks something.
pub(super) fn that_help(
    event: &EventFile,
    hosted: &mut HostConnection,
    index: usize,
    lacks: Vec<Lack>,
) -> Result<Vec<Lack>, RunError> {
    let (tried, others): (Vec<Lack>, Vec<Lack>) = lacks.into_iter().partition(|lack| lack.gives.is_some());
    let is_dir = |lack: &&Lack| lack.key == "player.dir";
    let mut sets: Vec<Vec<&Lack>> = Vec::new();
    for lack in tried.iter().filter(is_dir) {
        // Several files may lie in one directory.
        if sets.iter().all(|set| set[0].gives != lack.gives) {
            sets.push(vec![lack]);
        }
    }
    sets.push(tried.iter().filter(|lack| !is_dir(lack)).collect());
    sets.push(tried.iter().collect());
    sets.dedup();
    for set in sets.into_iter().filter(|set| !set.is_empty()) {
        if with(event, hosted, index, &set)?.said.is_ok() {
            return Ok(set.into_iter().cloned().collect());
        }
    }
    Ok(others)
}

/// What an agent said of a file that it could not open, with the key only where that gives it.
///
/// # Errors
/// When the machine lacks something.
pub(super) fn that_opens(
    event: &EventFile,
    hosted: &mut HostConnection,
    index: usize,
    unopened: &mut UnopenedFile,
) -> Result<(), RunError> {
    let Some(lack) = unopened.lack.take().filter(|lack| lack.gives.is_some()) else {
        return Ok(());
    };
    let said = with(event, hosted, index, &[&lack])?.said;
    if said.is_ok_and(|said| said.unopened.iter().all(|other| other.said != unopened.said)) {
        unopened.lack = Some(Lack { gives: None, ..lack });
    }
    Ok(())
}

/// Starts an agent with what these would give.
fn with(
    event: &EventFile,
    hosted: &mut HostConnection,
    index: usize,
    lacks: &[&Lack],
) -> Result<IntroductionReport, RunError> {
    let mut trial = event.clone();
    let player = &mut trial.loaded.setup.players[index];
    for (number, lack) in lacks.iter().enumerate() {
        match (&lack.gives, lack.key.as_str()) {
            (Some(directory), "player.dir") => give_directory(player, directory, event),
            (Some(interpreter), "player.command") => run_by(player, interpreter, event),
            (Some(file), _) => drop(player.env.insert(format!("{VARIABLE}_{number}"), file.clone())),
            (None, _) => {}
        }
    }
    let spec = own_directory::agents(&trial).swap_remove(index);
    hosted.introduce_one(spec, &trial.loaded)
}

/// Its program becomes the first word of its interpreter.
fn run_by(player: &mut PlayerKeys, interpreter: &str, event: &EventFile) {
    let script = event.directory.join(&player.command);
    player.args.insert(0, script.display().to_string());
    interpreter.clone_into(&mut player.command);
}

/// What its words named beside the event file they go on to name.
fn give_directory(player: &mut PlayerKeys, directory: &str, event: &EventFile) {
    let named = |word: &str| {
        let path = event.directory.join(word);
        let is_there = !word.is_empty() && path.exists();
        is_there.then(|| path.to_str().map(str::to_owned)).flatten()
    };
    let values = player.options.values_mut().chain(player.env.values_mut());
    let values = values.filter(|value| !value.starts_with('$'));
    for word in player.args.iter_mut().chain(values) {
        put_whole(word, named);
    }
    player.dir = Some(directory.to_owned());
}
