//! A submission is judged: it is looked at, tried, and kept or refused.
//!
//! Whoever is killed meanwhile leaves it waiting; who comes next goes on with it. Who came first is tried first. May not: try more at once
//! than `submissions.slots` says, or let one that cannot be judged keep others from it.

use std::fs::File;
use std::io::{self, Write as _};
use std::time::Duration;

use swiss_system::text::harmless;

use super::contract::{Starter, refusals};
use super::entrant::who;
use super::store::Store;
use super::template::try_prompt;
use super::trial::{TrialReport, try_it};
use super::unpack::{HandedIn, MEGABYTE, unpack};
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::submission_error::SubmissionError;
use swissmatch_host::local::apart::{Apart, stay_for_now};
use swissmatch_host::zipped::ArchiveError;
use swissmatch_host::{files, run_dir};
use swissmatch_tournament::setup::Contract;
use swissmatch_tournament::submission::{Submission, SubmissionEntry, Submissions};

/// How often it is looked whether there is room to try one.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// What is added to the file of its turn when one is begun to be tried, and how often that is done for one with which this program ended.
const BEGUN: &[u8; 1] = b".";
const MOST_BEGUN: u64 = 2;

/// What is told while a submission is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionStep {
    /// It has come, as this one of all.
    Received(u64),
    /// So many are tried before it.
    Waits(usize),
    /// It is tried.
    Tried,
}

/// What came of a submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Came {
    /// The same archive plays already, as this one of all.
    Plays(Box<Submission>),
    /// It was judged.
    Judged(Box<Submission>),
}

/// A submission that is to be judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Waiting {
    /// What is asked of it, and where its player stands in the event file.
    pub(super) of: (Contract, usize),
    /// Which one of all it is.
    pub(super) number: u64,
    /// Whether the event is about to begin, perhaps anew.
    pub(super) begins: bool,
}

/// What of an event that begins has come before the lock and is not judged is judged, one after the other. Returns what could not be, a
/// sentence each.
///
/// # Errors
/// When the log cannot be read.
pub(super) fn judge_what_waits(event: &EventFile, store: &Store) -> Result<Vec<String>, RunError> {
    judge_each(event, store, true)
}

/// What nobody tries any more, because whoever did was killed, is judged. Returns what could not be, a sentence each.
///
/// # Errors
/// When the log cannot be read.
pub(crate) fn judge_what_was_left(event: &EventFile, store: &Store) -> Result<Vec<String>, RunError> {
    judge_each(event, store, false)
}

fn judge_each(event: &EventFile, store: &Store, begins: bool) -> Result<Vec<String>, RunError> {
    let keys = &event.loaded.setup.submissions;
    let all = store.read()?;
    let mut doubts = Vec::new();
    // Whoever is out may be back before the lock.
    for waiting in all.waiting(keys.lock).filter(|one| !keys.is_out(&one.received.player)) {
        let (number, player) = (waiting.received.number, &waiting.received.player);
        let judge = || -> Result<(), RunError> {
            let of = who(event, player)?;
            let turn = store.try_hold_turn(number).map_err(SubmissionError::Machine)?;
            // Only who begins the event waits for whoever is at it.
            if turn.is_none() && !begins {
                return Ok(());
            }
            let waiting = Waiting { of, number, begins };
            judge(event, store, waiting, (turn, &mut |_| {})).map(drop)
        };
        if let Err(why) = judge() {
            let player = harmless(player);
            doubts.push(format!(
                "submission {number}, of {player}, could not be tried, and waits: {why}"
            ));
        }
    }
    Ok(doubts)
}

/// Judges a submission, unless another process has done so meanwhile; `own` is its turn, where it is held already.
pub(super) fn judge(
    event: &EventFile,
    store: &Store,
    waiting: Waiting,
    (own, tell): (Option<File>, &mut dyn FnMut(SubmissionStep)),
) -> Result<Came, RunError> {
    let number = waiting.number;
    let judged = |all: &Submissions| {
        let of = all.all().iter().find(|one| one.received.number == number);
        of.filter(|one| one.judged.is_some()).cloned()
    };
    // Whoever dies lets go of it.
    let turn = match own {
        Some(own) => own,
        None => wait_for(|| Ok(store.try_hold_turn(number)?))?,
    };
    let all = store.read()?;
    if let Some(done) = judged(&all) {
        return Ok(Came::Judged(Box::new(done)));
    }
    let slots = event.loaded.setup.submissions.slots;
    let mut told = None;
    let (_slot, slot) = wait_for(|| {
        // Whoever was killed holds nothing, and nobody waits for it.
        let mut before = 0;
        for one in store.read()?.waiting(None).filter(|one| one.received.number < number) {
            before += usize::from(store.try_hold_turn(one.received.number)?.is_none());
        }
        if before < slots as usize {
            for slot in 1..=slots {
                if let Some(held) = store.try_hold_slot(slot)? {
                    return Ok(Some((held, slot)));
                }
            }
        }
        let before = before.max(1);
        if told != Some(before) {
            told = Some(before);
            tell(SubmissionStep::Waits(before));
        }
        Ok(None)
    })?;
    // Beside the games of a ladder, on a core that these leave alone.
    let apart = event
        .loaded
        .setup
        .ladder
        .schedule
        .map(|_| Apart::of_this_machine(slots as usize));
    let apart = apart.transpose().map_err(RunError::machine)?;
    let own = apart.as_ref().and_then(|apart| apart.kept.get(slot as usize - 1));
    let _staying = own
        .map(|cpus| stay_for_now(cpus))
        .transpose()
        .map_err(RunError::machine)?;
    tell(SubmissionStep::Tried);
    let submission = all.all().iter().find(|one| one.received.number == number);
    let submission =
        submission.ok_or_else(|| RunError::Machine(format!("submission {number} is gone from its log")))?;
    let tried = match why_not(event, store, (submission, &all), &waiting) {
        Some(why) => refused(vec![why]),
        None => try_in_turn(event, store, (submission, &waiting), &turn)?,
    };
    let sha256 = &submission.received.archive;
    let entry = tried.judged(number);
    // What nobody plays by need not be kept.
    let is_kept = |one: &Submission| one.received.archive == *sha256 && (one.is_accepted() || one.judged.is_none());
    let let_go = |all: &Submissions| match all.all().iter().any(is_kept) {
        true => Ok(()),
        false => files::remove(&store.archive(sha256)),
    };
    let entry = |_: &Submissions, _| Ok::<_, SubmissionError>(SubmissionEntry::Judged(entry));
    let all = store.add(entry, let_go)?;
    store.end_turn(number).map_err(SubmissionError::Machine)?;
    let done = judged(&all).ok_or_else(|| RunError::Machine(format!("submission {number} is gone from its log")))?;
    Ok(Came::Judged(Box::new(done)))
}

/// Tries a submission by the rules that were in force when it came. That it is begun is noted before, so that what ends this program is not
/// begun for ever.
fn try_in_turn(
    event: &EventFile,
    store: &Store,
    (submission, waiting): (&Submission, &Waiting),
    mut turn: &File,
) -> Result<TrialReport, RunError> {
    let begun = turn.metadata().map_err(SubmissionError::Machine)?.len();
    if begun >= MOST_BEGUN {
        return Ok(refused(vec![
            "swissmatch was ended twice while it tried this, so it does not try it again; it may be handed in anew"
                .to_owned(),
        ]));
    }
    let noted = turn.write_all(BEGUN).and_then(|()| turn.sync_all());
    noted.map_err(SubmissionError::Machine)?;
    let (number, archive) = (waiting.number, &submission.received.archive);
    let tried = tried(&event.in_force(submission.at), store, waiting.of, (number, archive));
    // What the machine could not do says nothing of what was handed in.
    if tried.is_err() {
        turn.set_len(begun).map_err(SubmissionError::Machine)?;
    }
    let tried = tried?;
    // The event may have begun meanwhile.
    match is_late(event, store, submission, waiting) {
        Some(why) if tried.refused.is_empty() => {
            files::remove_below(&store.version(number)).map_err(SubmissionError::Machine)?;
            Ok(refused(vec![why]))
        }
        _ => Ok(tried),
    }
}

/// Why a submission is not tried; `None`: it is.
fn why_not(
    event: &EventFile,
    store: &Store,
    (submission, all): (&Submission, &Submissions),
    waiting: &Waiting,
) -> Option<String> {
    let replaced = || {
        let plays = all.plays(&submission.received.player, event.loaded.setup.submissions.lock)?;
        let newer = plays.received.number;
        (newer > waiting.number)
            .then(|| format!("submission {newer}, which came later, was accepted before this one could be tried"))
    };
    is_late(event, store, submission, waiting).or_else(replaced)
}

/// Why a submission comes too late; `None`: it does not.
fn is_late(event: &EventFile, store: &Store, submission: &Submission, waiting: &Waiting) -> Option<String> {
    let setup = &event.loaded.setup;
    if let Some(lock) = setup.submissions.lock.filter(|lock| submission.at >= *lock) {
        let zone = &setup.schedule.time_zone;
        let (came, lock) = (zone.moment(submission.at), zone.moment(lock));
        return Some(format!(
            "it came at {came}, and the lock was at {lock} (submissions.lock)"
        ));
    }
    // Whatever the lock says by now: what plays was settled then.
    let has_begun = store.dir().parent().is_some_and(|run| run_dir::log(run).exists());
    (has_begun && !waiting.begins)
        .then(|| "it came after the event had begun, or could not be tried before that".to_owned())
}

fn refused(refused: Vec<String>) -> TrialReport {
    TrialReport {
        refused,
        ..TrialReport::default()
    }
}

/// Looks at an archive, unpacks it, and tries it.
pub(super) fn tried(
    event: &EventFile,
    store: &Store,
    (contract, index): (Contract, usize),
    (number, sha256): (u64, &str),
) -> Result<TrialReport, RunError> {
    let keys = &event.loaded.setup.submissions;
    let kept = store.archive(sha256);
    let file = match files::open_plain(&kept) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(refused(vec!["its archive is gone: hand it in again".to_owned()]));
        }
        Err(error) => return Err(SubmissionError::Machine(files::about(&kept, &error)).into()),
    };
    let mut handed_in = match HandedIn::open(file, contract, keys.max_unpacked * MEGABYTE) {
        Ok(handed_in) => handed_in,
        Err(unfit) => return Ok(refused(vec![of_archive(unfit)?])),
    };
    let members = match handed_in.members(keys.entry(contract)) {
        Ok(members) => members,
        Err(unfit) => return Ok(refused(vec![of_archive(unfit)?])),
    };
    let forbidden = refusals(keys, contract, &members);
    if !forbidden.is_empty() {
        return Ok(refused(forbidden));
    }
    let version = store.version(number);
    if let Err(unfit) = unpack(&mut handed_in, (keys, contract), &version) {
        return Ok(refused(vec![of_archive(unfit)?]));
    }
    let starter = Starter::new(event, store, contract);
    let tried = match contract {
        Contract::Prompt => try_prompt(event, &starter.shown(&version), &version)?,
        _ => try_it(event, &starter, index, &version)?,
    };
    if !tried.refused.is_empty() {
        files::remove_below(&version).map_err(SubmissionError::Machine)?;
    }
    Ok(tried)
}

/// What is wrong with an archive.
fn of_archive(unfit: ArchiveError) -> Result<String, RunError> {
    match unfit {
        ArchiveError::Archive(why) => Ok(why),
        ArchiveError::Machine(error) => Err(SubmissionError::Machine(error).into()),
    }
}

/// Waits until something is to be had.
fn wait_for<T>(mut take: impl FnMut() -> Result<Option<T>, SubmissionError>) -> Result<T, SubmissionError> {
    loop {
        match take()? {
            Some(taken) => return Ok(taken),
            None => std::thread::sleep(LOOK_AGAIN),
        }
    }
}
