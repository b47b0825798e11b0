//! Remedies for agents that lack something, tried before they are told.
//!
//! May not: try one by isolating less.

use std::path::Path;

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
    let tried: Vec<Lack> = tried.into_iter().filter(|lack| may_give(event, index, lack)).collect();
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
    let lack = unopened.lack.take().filter(|lack| lack.gives.is_some());
    let Some(lack) = lack.filter(|lack| may_give(event, index, lack)) else {
        return Ok(());
    };
    let said = with(event, hosted, index, &[&lack])?.said;
    if said.is_ok_and(|said| said.unopened.iter().all(|other| other.said != unopened.said)) {
        unopened.lack = Some(Lack { gives: None, ..lack });
    }
    Ok(())
}

/// Whether an agent may be tried with what it says that it lacks: an entrant whose archive is played chooses nothing by saying so, and
/// nobody is given what is not the agent's.
fn may_give(event: &EventFile, index: usize, lack: &Lack) -> bool {
    let is_handed_in = event.loaded.setup.players[index].submission.is_some();
    let mut gives = lack.gives.iter();
    !is_handed_in && !gives.any(|path| own_directory::is_not_its_own(event, index, Path::new(path)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::own_directory::{agent_by, is_not_its_own};
    use swissmatch_host::paths::resolved;
    use swissmatch_tournament::setup::SubmissionId;

    /// What lies in its version alone is an entrant's, of the run in which that lies.
    #[test]
    fn what_was_handed_in_is_granted_nothing_of_the_run_or_the_event() {
        let place = tempfile::tempdir().expect("a directory");
        let at = resolved(place.path());
        let versions = "results/e/submissions/versions";
        for name in [&format!("{versions}/1"), &format!("{versions}/2"), "nets"].map(String::from) {
            std::fs::create_dir_all(at.join(name)).expect("a directory");
        }
        for file in [
            "final.epd",
            "nets/free.bin",
            "nets/other.bin",
            &format!("{versions}/1/agent.py"),
            &format!("{versions}/2/agent.py"),
        ] {
            std::fs::write(at.join(file), "").expect("a file");
        }
        let text = "mini_match.openings = \"final.epd\"\n[[player]]\nname = \"A\"\ncommand = \"greedy\"\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n\
                    args = [\"nets/other.bin\"]\n[[player]]\nname = \"C\"\ncommand = \"greedy\"\n";
        let mut event = EventFile::parse(&at.join("event.toml"), text).expect("an event");
        let lack = |gives: &str| Lack {
            key: "player.args".to_owned(),
            gives: Some(gives.to_owned()),
            why: String::new(),
        };
        let (of_event, of_another) = (at.join("final.epd"), at.join("nets/other.bin"));
        for (path, is_kept) in [
            ("final.epd", true),
            ("nets/other.bin", true),
            ("nets/free.bin", false),
            ("event.toml", true),
        ] {
            assert_eq!(is_not_its_own(&event, 2, Path::new(path)), is_kept, "{path}");
        }
        assert!(may_give(&event, 2, &lack("nets/free.bin")));
        assert!(!may_give(&event, 2, &lack(&of_event.display().to_string())));
        assert!(!may_give(&event, 2, &lack(&of_another.display().to_string())));
        let handed_in = PlayerKeys {
            command: format!("{versions}/1/agent.py"),
            dir: Some(format!("{versions}/1")),
            submission: Some(SubmissionId {
                archive: String::new(),
                number: 1,
            }),
            ..event.loaded.setup.players[0].clone()
        };
        let spec = agent_by(&event, 0, handed_in.clone());
        let run = at.join("results/e").display().to_string();
        assert!(spec.kept_from.contains(&run) && spec.kept_from.contains(&of_event.display().to_string()));
        event.loaded.setup.players[0] = handed_in;
        assert!(
            !may_give(&event, 0, &lack("nets/free.bin")),
            "its entrant chooses nothing"
        );
        let of_run = at.join("results/e/submissions/log.jsonl").display().to_string();
        for path in [of_run, format!("{versions}/1/agent.py"), "results".to_owned()] {
            assert!(!may_give(&event, 2, &lack(&path)), "{path}");
        }
    }
}
