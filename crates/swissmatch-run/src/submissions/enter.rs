//! The players of an event by what they handed in; and whether a run was played by just that.
//!
//! May not: take a submission.

use std::path::Path;

use jiff::Timestamp;

use super::contract::Starter;
use super::judge::judge_what_waits;
use super::packages::{note_packages, require_packages};
use super::store::Store;
use super::unpack::{HandedIn, MEGABYTE, manifest_of, unpack};
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::submission_error::SubmissionError;
use swissmatch_host::directory::{DirectoryManifest, END};
use swissmatch_host::file_hash::hash_file;
use swissmatch_host::files;
use swissmatch_tournament::log::{FileHash, RunCreated};
use swissmatch_tournament::setup::{Contract, PlayerKeys, Setup, SubmissionId};
use swissmatch_tournament::submission::Submissions;

/// Has each player that is to hand in what plays play by what it did, in the event whose run is, or will be, in `run`; whoever has
/// handed in nothing is left out. A run that has begun, with the setup `registered`, goes on with what it began with. Returns the names
/// of those who are left out.
///
/// # Errors
/// When something can still be handed in, fewer than two can play, or submissions cannot be read.
pub(crate) fn enter(event: &mut EventFile, run: &Path, registered: Option<&Setup>) -> Result<Vec<String>, RunError> {
    let setup = &event.loaded.setup;
    // What plays in a round of a ladder was settled when it was paired.
    if setup.submissions.contract.is_none() || setup.ladder.round.is_some() {
        return Ok(Vec::new());
    }
    let lock = setup.submissions.lock;
    match registered {
        Some(registered) => require_packages(event, registered)?,
        None => note_packages(event, None)?,
    }
    let setup = &event.loaded.setup;
    let mut players = setup.players.clone();
    let is_missing: Vec<bool> = match registered {
        Some(registered) => players
            .iter_mut()
            .map(|player| {
                let awaits = player.awaits_submission();
                let of_run = registered.players.iter().find(|of| of.name == player.name);
                if let Some(of_run) = of_run.filter(|_| awaits) {
                    play_as_in(player, of_run);
                }
                of_run.is_none() && (awaits || setup.submissions.is_out(&player.name))
            })
            .collect(),
        None => {
            if let Some(lock) = lock.filter(|lock| Timestamp::now() < *lock) {
                return Err(SubmissionError::Open { lock: lock.to_string() }.into());
            }
            let store = Store::of_run(run);
            let doubts = judge_what_waits(event, &store)?;
            event.loaded.warnings.extend(doubts);
            let all = store.read()?;
            require_all(event, &all)?;
            by_submissions(event, (&store, &all), &mut players)?
        }
    };
    let names = players.iter().zip(&is_missing).filter(|(_, is_missing)| **is_missing);
    let names: Vec<String> = names.map(|(player, _)| player.name.clone()).collect();
    let count = players.len() - names.len();
    if count < 2 {
        return Err(SubmissionError::TooFew { count }.into());
    }
    event.loaded.setup.players = players;
    let stay: Vec<usize> = (0..is_missing.len()).filter(|place| !is_missing[*place]).collect();
    event.loaded.choose(&stay);
    Ok(names)
}

/// Has a player play by what it handed in as it does in a run that has begun.
pub(crate) fn play_as_in(player: &mut PlayerKeys, of_run: &PlayerKeys) {
    let submitted_at = player.submitted_at.or(of_run.submitted_at);
    *player = PlayerKeys {
        command: of_run.command.clone(),
        args: of_run.args.clone(),
        move_command: of_run.move_command.clone(),
        keep_alive: of_run.keep_alive,
        says_ready: of_run.says_ready,
        model: of_run.model.clone(),
        model_keys: of_run.model_keys.clone(),
        dir: of_run.dir.clone(),
        submission: of_run.submission.clone(),
        submitted_at,
        ..player.clone()
    };
}

/// Has each player that has handed in something play by what it did, in the event whose run is, or will be, in `run`; others stay as
/// they are.
///
/// # Errors
/// When submissions cannot be read.
pub(crate) fn as_handed_in(event: &mut EventFile, run: &Path) -> Result<(), RunError> {
    let setup = &event.loaded.setup;
    if setup.submissions.contract.is_none() {
        return Ok(());
    }
    let (mut players, store) = (setup.players.clone(), Store::of_run(run));
    by_submissions(event, (&store, &store.read()?), &mut players)?;
    event.loaded.setup.players = players;
    Ok(())
}

/// That everybody of whom something was accepted is a player of the event.
///
/// # Errors
/// When somebody is not.
pub(crate) fn require_all(event: &EventFile, all: &Submissions) -> Result<(), SubmissionError> {
    let players = &event.loaded.setup.players;
    let accepted = all.all().iter().rev().filter(|one| one.is_accepted());
    let mut gone = accepted.filter(|one| players.iter().all(|player| player.name != one.received.player));
    match gone.next() {
        Some(gone) => Err(SubmissionError::Gone {
            file: event.loaded.file().to_owned(),
            player: gone.received.player.clone(),
            number: gone.received.number,
        }),
        None => Ok(()),
    }
}

/// Has players play by what they handed in; whether each stays away: there is nothing of it, or it was taken out.
///
/// # Errors
/// When what plays was changed since it was accepted, or cannot be read.
pub(crate) fn by_submissions(
    event: &EventFile,
    (store, all): (&Store, &Submissions),
    players: &mut [PlayerKeys],
) -> Result<Vec<bool>, RunError> {
    let lock = event.loaded.setup.submissions.lock;
    let Some(contract) = event.loaded.setup.submissions.contract else {
        return Ok(vec![false; players.len()]);
    };
    let starter = Starter::new(event, store, contract);
    let mut is_missing = Vec::new();
    for player in players {
        let awaits = player.awaits_submission();
        if event.loaded.setup.submissions.is_out(&player.name) {
            is_missing.push(true);
            continue;
        }
        let plays = all.plays(&player.name, lock).filter(|_| awaits);
        is_missing.push(awaits && plays.is_none());
        let Some(plays) = plays else { continue };
        let submission = SubmissionId::of(plays);
        let version = store.version(submission.number);
        if !version.is_dir() {
            unpack_anew(store, &event.loaded.setup, contract, &submission)?;
        }
        let content = manifest_of(&version).map_err(SubmissionError::Machine)?.hash().sha256;
        let accepted = plays.judged.as_ref().and_then(|(judged, _)| judged.content.as_ref());
        if accepted != Some(&content) {
            return Err(SubmissionError::Swapped {
                player: player.name.clone(),
                number: submission.number,
                dir: version,
            }
            .into());
        }
        *player = starter
            .player(player, &version, submission)
            .map_err(RunError::machine)?;
        player.submitted_at = player.submitted_at.or(Some(plays.at));
    }
    Ok(is_missing)
}

/// How a run that was created so, then, and lies in `run`, was not played by the newest submissions that were accepted in time, a sentence
/// each; and how these are not what was handed in.
///
/// # Errors
/// When they cannot be read.
pub(crate) fn verify(created: &RunCreated, began: Timestamp, run: &Path) -> Result<Vec<String>, RunError> {
    let setup = &created.setup;
    let Some(contract) = setup.submissions.contract else {
        return Ok(Vec::new());
    };
    let store = Store::of_setup(run, setup);
    let round = setup.ladder.round.as_ref();
    let all = match store.read_counted(round.map(|round| round.submissions)) {
        Ok((all, _)) => all,
        Err(error @ (SubmissionError::Chain { .. } | SubmissionError::Broken { .. })) => {
            return Ok(vec![error.to_string()]);
        }
        Err(error) => return Err(error.into()),
    };
    let lock = setup.submissions.lock.map_or(began, |lock| lock.min(began));
    let mut wrong = Vec::new();
    for (player, agent) in setup.players.iter().zip(&created.agents) {
        let Some(submission) = &player.submission else { continue };
        let name = &player.name;
        let Some(plays) = all.plays(name, Some(lock)) else {
            wrong.push(format!(
                "{name} played submission {}, and none of its was accepted in time",
                submission.number
            ));
            continue;
        };
        let received = &plays.received;
        if (received.number, &received.archive) != (submission.number, &submission.archive) {
            wrong.push(format!(
                "{name} played submission {}, and its newest one that was accepted in time is {}",
                submission.number, received.number
            ));
            continue;
        }
        let content = plays.judged.as_ref().and_then(|(judged, _)| judged.content.as_ref());
        let manifest = manifest_of_archive(&store, setup, contract, &submission.archive)?;
        let files = &agent.files;
        let is_what_played = match (contract, &manifest) {
            (Contract::Prompt, Ok(manifest)) => is_of(manifest, setup.submissions.entry(contract), files),
            (Contract::Prompt, Err(_)) => true,
            _ => files
                .iter()
                .any(|file| file.path.ends_with(END) && Some(&file.sha256) == content),
        };
        if !is_what_played {
            wrong.push(format!(
                "{name} played other files than those of submission {}",
                submission.number
            ));
        }
        match manifest.map(|manifest| manifest.hash().sha256) {
            Ok(is) if Some(&is) == content => {}
            Ok(_) => wrong.push(format!(
                "the archive of submission {} has other files than were played",
                submission.number
            )),
            Err(why) => wrong.push(format!("the archive of submission {}: {why}", submission.number)),
        }
    }
    let plays = |name: &str| {
        let mut names = setup.players.iter().map(|player| player.name.as_str());
        names.any(|of| of == name) || setup.submissions.is_out(name)
    };
    let mut left_out: Vec<&str> = all
        .all()
        .iter()
        .filter(|one| one.is_accepted() && one.at < lock && !plays(&one.received.player))
        .map(|one| one.received.player.as_str())
        .collect();
    left_out.dedup();
    wrong.extend(
        left_out
            .iter()
            .map(|name| format!("{name} has a submission that was accepted in time, and was left out")),
    );
    Ok(wrong)
}

/// Unpacks an accepted submission whose directory is not there.
fn unpack_anew(store: &Store, setup: &Setup, contract: Contract, of: &SubmissionId) -> Result<(), RunError> {
    let path = store.archive(&of.archive);
    let file = files::open_plain(&path).map_err(|error| SubmissionError::Machine(files::about(&path, &error)))?;
    let opened = HandedIn::open(file, contract, setup.most_unpacked() * MEGABYTE);
    let into = store.version(of.number);
    let unpacked = opened.and_then(|mut handed_in| unpack(&mut handed_in, (&setup.submissions, contract), &into));
    unpacked.map_err(|unfit| RunError::Machine(format!("{}: {unfit}", path.display())))
}

/// Whether a model's template, the first of these files, and those that it includes, are those of an archive.
fn is_of(manifest: &DirectoryManifest, entry: &str, files: &[FileHash]) -> bool {
    let lines = || manifest.text.lines().filter_map(|line| line.split_once("  "));
    let is_entry = |first: &FileHash| lines().any(|(sha256, name)| name == entry && sha256 == first.sha256);
    files.first().is_some_and(is_entry)
        && files
            .iter()
            .all(|file| lines().any(|(sha256, _)| sha256 == file.sha256))
}

/// The list of the files in an archive; or why it is not the archive that was handed in.
fn manifest_of_archive(
    store: &Store,
    setup: &Setup,
    contract: Contract,
    sha256: &str,
) -> Result<Result<DirectoryManifest, String>, RunError> {
    let path = store.archive(sha256);
    let file = match hash_file(&path) {
        Ok(is) if is.sha256 == sha256 => files::open_plain(&path),
        Ok(is) => return Ok(Err(format!("its SHA-256 is {}", is.sha256))),
        Err(error) => Err(error),
    };
    let file = match file {
        Ok(file) => file,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let place = tempfile::tempdir().map_err(RunError::machine)?;
    let root = place.path().join("unpacked");
    let opened = HandedIn::open(file, contract, setup.most_unpacked() * MEGABYTE);
    let unpacked = opened.and_then(|mut handed_in| unpack(&mut handed_in, (&setup.submissions, contract), &root));
    if let Err(unfit) = unpacked {
        return Ok(Err(unfit.to_string()));
    }
    Ok(Ok(manifest_of(&root).map_err(SubmissionError::Machine)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_template_that_played_is_that_of_the_archive_with_all_that_it_includes() {
        let manifest = DirectoryManifest {
            path: "versions/1/".to_owned(),
            text: "aa  parts/fen.jinja\nbb  prompt.jinja\n".to_owned(),
        };
        let is_played = |hashes: &[&str]| {
            let files = hashes.iter().map(|sha256| FileHash {
                path: "versions/1/prompt.jinja".to_owned(),
                sha256: (*sha256).to_owned(),
            });
            is_of(&manifest, "prompt.jinja", &files.collect::<Vec<_>>())
        };
        assert!(is_played(&["bb", "aa"]) && is_played(&["bb"]));
        assert!(!is_played(&[]) && !is_played(&["aa"]) && !is_played(&["cc"]) && !is_played(&["bb", "cc"]));
    }
}
