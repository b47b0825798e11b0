//! A submission: received, looked at, tried, and kept or refused.
//!
//! It is in the log from the moment at which it has come, so what comes before the lock counts, however long trying it takes. Whoever is
//! killed meanwhile leaves it waiting; who comes next goes on with it. Who came first is tried first. May not: try more at once than
//! `submissions.slots` says.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::contract::{Starter, python_of, refusals};
use super::store::Store;
use super::template::try_prompt;
use super::trial::{TrialReport, try_it};
use super::unpack::{HandedIn, MEGABYTE, unpack};
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::submission_error::SubmissionError;
use swissmatch_host::file_hash::copy_hashed;
use swissmatch_host::local::apart::{Apart, stay_for_now};
use swissmatch_host::zipped::ArchiveError;
use swissmatch_host::{files, run_dir};
use swissmatch_tournament::setup::{Contract, PlayerKeys};
use swissmatch_tournament::submission::{JudgedSubmission, ReceivedArchive, Submission, SubmissionEntry, Submissions};

/// What an archive may have beside its files.
const BESIDE: u64 = MEGABYTE;
/// How many of a player are tried on one day, refused ones among them, for each that may be accepted.
const TRIES: u32 = 5;
/// How often it is looked whether there is room to try one.
const LOOK_AGAIN: Duration = Duration::from_millis(200);

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

/// Takes an archive that a player hands in to an event whose run is, or will be, in `run`.
///
/// # Errors
/// When the event takes none, the player hands nothing in or too much on a day, the file cannot be read, or the machine cannot try it. An
/// archive that is refused is no error.
pub fn submit(
    event: &EventFile,
    run: &Path,
    (player, archive): (&str, &Path),
    tell: &mut dyn FnMut(SubmissionStep),
) -> Result<Came, RunError> {
    let event = &event.in_force(Timestamp::now());
    let (contract, index) = who(event, player)?;
    has_python(event)?;
    let store = Store::of_run(run);
    if let Some(parent) = run.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        files::make_directory(parent).map_err(SubmissionError::Machine)?;
    }
    files::make_directory(run).map_err(SubmissionError::Machine)?;
    store.make().map_err(SubmissionError::Machine)?;
    let keys = &event.loaded.setup.submissions;
    let incoming = receive(&store, archive, keys.max_unpacked)?;
    let before = store.read()?;
    if let Some(same) = before.plays(player, keys.lock)
        && same.received.archive == incoming.sha256
    {
        files::remove(&incoming.path).map_err(SubmissionError::Machine)?;
        return Ok(Came::Plays(Box::new(same.clone())));
    }
    // Whoever tried the same was killed.
    let newest = before.all().iter().rev().find(|one| one.received.player == player);
    let same = newest.filter(|one| one.judged.is_none() && one.received.archive == incoming.sha256);
    if let Some(same) = same.filter(|same| keys.lock.is_none_or(|lock| same.at < lock))
        && let number = same.received.number
        && let Some(own) = store.try_hold(&turn(number)).map_err(SubmissionError::Machine)?
    {
        files::remove(&incoming.path).map_err(SubmissionError::Machine)?;
        tell(SubmissionStep::Received(number));
        return judge(event, &store, (contract, index, number), (Some(own), tell));
    }
    let file = archive.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let received = |all: &Submissions, at: Timestamp| {
        // What comes too late is told that, whatever day it is.
        if keys.lock.is_none_or(|lock| at < lock) {
            within_the_day(event, all, player, at)?;
        }
        incoming.place(&store)?;
        Ok::<_, SubmissionError>(SubmissionEntry::Received(ReceivedArchive {
            number: all.next(),
            player: player.to_owned(),
            archive: incoming.sha256.clone(),
            bytes: incoming.bytes,
            file,
        }))
    };
    // Nobody who comes later is tried before it.
    let mut own = None;
    let added = store.add(received, |all| {
        own = store.try_hold(&turn(all.next() - 1))?;
        Ok(())
    });
    if added.is_err() {
        files::remove(&incoming.path).map_err(SubmissionError::Machine)?;
    }
    let number = added?.next() - 1;
    tell(SubmissionStep::Received(number));
    judge(event, &store, (contract, index, number), (own, tell))
}

/// Tries an archive as it would be tried if it were handed in to an event, and keeps nothing of it.
///
/// # Errors
/// When the event takes none, the file cannot be read, or this machine cannot try it.
pub fn try_out(event: &EventFile, archive: &Path) -> Result<JudgedSubmission, RunError> {
    let event = &event.in_force(Timestamp::now());
    let players = &event.loaded.setup.players;
    let Some(index) = players.iter().position(PlayerKeys::awaits_submission) else {
        return Err(SubmissionError::NoContract {
            file: event.loaded.file().to_owned(),
        }
        .into());
    };
    let (contract, _) = who(event, &players[index].name)?;
    has_python(event)?;
    let place = tempfile::tempdir().map_err(RunError::machine)?;
    let store = Store::of_run(place.path());
    store.make().map_err(SubmissionError::Machine)?;
    let incoming = receive(&store, archive, event.loaded.setup.submissions.max_unpacked)?;
    incoming.place(&store).map_err(SubmissionError::Machine)?;
    let tried = tried(event, &store, (contract, index), (0, &incoming.sha256))?;
    Ok(tried.judged(0))
}

/// What of an event has come before the lock and is not judged is judged, one after the other.
///
/// # Errors
/// When the machine cannot try one.
pub(super) fn judge_what_waits(event: &EventFile, store: &Store) -> Result<(), RunError> {
    let setup = &event.loaded.setup;
    let all = store.read()?;
    for waiting in all.waiting(setup.submissions.lock) {
        let (contract, index) = who(event, &waiting.received.player)?;
        judge(
            event,
            store,
            (contract, index, waiting.received.number),
            (None, &mut |_| {}),
        )?;
    }
    Ok(())
}

/// What nobody tries any more, because whoever did was killed, is tried.
///
/// # Errors
/// When the machine cannot try one.
pub(crate) fn judge_what_was_left(event: &EventFile, store: &Store) -> Result<(), RunError> {
    let all = store.read()?;
    for waiting in all.waiting(event.loaded.setup.submissions.lock) {
        let number = waiting.received.number;
        if let Some(own) = store.try_hold(&turn(number)).map_err(SubmissionError::Machine)? {
            let (contract, index) = who(event, &waiting.received.player)?;
            judge(event, store, (contract, index, number), (Some(own), &mut |_| {}))?;
        }
    }
    Ok(())
}

/// What is asked of a player's archive, and where it stands in the event file.
fn who(event: &EventFile, player: &str) -> Result<(Contract, usize), SubmissionError> {
    let setup = &event.loaded.setup;
    let file = || event.loaded.file().to_owned();
    let Some(contract) = setup.submissions.contract else {
        return Err(SubmissionError::NoContract { file: file() });
    };
    let Some(index) = setup.players.iter().position(|of| of.name == player) else {
        let waiting = setup.players.iter().filter(|player| player.awaits_submission());
        let names: Vec<&str> = waiting.map(|player| player.name.as_str()).collect();
        return Err(SubmissionError::NoPlayer {
            file: file(),
            player: player.to_owned(),
            help: match swissmatch_config::nearest(player, &names) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "its [[player]] tables say who there is".to_owned(),
            },
        });
    };
    if setup.submissions.is_out(player) {
        return Err(SubmissionError::Out {
            file: file(),
            player: player.to_owned(),
        });
    }
    match setup.players[index].awaits_submission() {
        true => Ok((contract, index)),
        false => Err(SubmissionError::PlaysOtherwise {
            file: file(),
            player: player.to_owned(),
        }),
    }
}

/// That a player may hand in one more on this day.
fn within_the_day(event: &EventFile, all: &Submissions, player: &str, at: Timestamp) -> Result<(), SubmissionError> {
    let setup = &event.loaded.setup;
    let Some(most) = setup.submissions.per_day else {
        return Ok(());
    };
    let zone: &TimeZone = setup.schedule.time_zone.rules();
    let day = |at: Timestamp| at.to_zoned(zone.clone()).date();
    let today = day(at);
    let of_day = all.of_day(player, |at| day(at) == today);
    let is_of_day = |one: &&Submission| one.received.player == player && day(one.at) == today;
    let tried = all.all().iter().filter(is_of_day).count();
    let most_tried = most.saturating_mul(TRIES);
    if of_day < most as usize && tried < most_tried as usize {
        return Ok(());
    }
    let tomorrow = today.tomorrow().and_then(|date| date.to_zoned(zone.clone()));
    let player = player.to_owned();
    let from = tomorrow.map_or_else(
        |_| "tomorrow".to_owned(),
        |moment| moment.strftime("%F %R %:z").to_string(),
    );
    Err(match of_day < most as usize {
        true => SubmissionError::TooManyTried {
            player,
            tried,
            most,
            most_tried,
            from,
        },
        false => SubmissionError::TooMany {
            player,
            of_day,
            most,
            from,
        },
    })
}

/// That the environment of Python is there in which submissions play.
fn has_python(event: &EventFile) -> Result<(), SubmissionError> {
    let Some(environment) = &event.loaded.setup.submissions.python else {
        return Ok(());
    };
    let python = event.directory.join(python_of(environment));
    match python.exists() {
        true => Ok(()),
        false => Err(SubmissionError::NoPython {
            file: event.loaded.file().to_owned(),
            python,
        }),
    }
}

/// An archive that has come, and is not in its place yet.
struct Incoming {
    path: PathBuf,
    sha256: String,
    bytes: u64,
}

impl Incoming {
    /// Puts it in its place, by its content.
    fn place(&self, store: &Store) -> io::Result<()> {
        let kept = store.archive(&self.sha256);
        match kept.is_file() {
            true => files::remove(&self.path),
            false => files::rename(&self.path, &kept),
        }
    }
}

/// Copies an archive.
fn receive(store: &Store, archive: &Path, most: u64) -> Result<Incoming, SubmissionError> {
    let unreadable = |source| SubmissionError::Unreadable {
        file: archive.to_path_buf(),
        source,
    };
    let mut file = files::open_plain(archive).map_err(unreadable)?;
    let path = store.dir().join(format!("turns/incoming-{}", std::process::id()));
    files::remove(&path)?;
    match copy_hashed(&mut file, &path, most * MEGABYTE + BESIDE)? {
        Some((sha256, bytes)) => Ok(Incoming { path, sha256, bytes }),
        None => Err(SubmissionError::TooLarge {
            file: archive.to_path_buf(),
            most,
        }),
    }
}

/// Judges a submission, unless another process has done so meanwhile; `own` is its turn, where it is held already.
fn judge(
    event: &EventFile,
    store: &Store,
    (contract, index, number): (Contract, usize, u64),
    (own, tell): (Option<File>, &mut dyn FnMut(SubmissionStep)),
) -> Result<Came, RunError> {
    let judged = |all: &Submissions| {
        let of = all.all().iter().find(|one| one.received.number == number);
        of.filter(|one| one.judged.is_some()).cloned()
    };
    // Whoever dies lets go of it.
    let _own = match own {
        Some(own) => own,
        None => wait_for(|| Ok(store.try_hold(&turn(number))?))?,
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
            before += usize::from(store.try_hold(&turn(one.received.number))?.is_none());
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
    let tried = match is_late(event, store, submission) {
        Some(why) => TrialReport {
            refused: vec![why],
            ..TrialReport::default()
        },
        None => tried(event, store, (contract, index), (number, &submission.received.archive))?,
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
    files::remove(&store.dir().join(turn(number))).map_err(SubmissionError::Machine)?;
    let done = judged(&all).ok_or_else(|| RunError::Machine(format!("submission {number} is gone from its log")))?;
    Ok(Came::Judged(Box::new(done)))
}

/// The file that whoever judges a submission holds.
fn turn(number: u64) -> String {
    format!("turns/{number}")
}

/// Why a submission comes too late; `None`: it does not.
fn is_late(event: &EventFile, store: &Store, submission: &Submission) -> Option<String> {
    let setup = &event.loaded.setup;
    match setup.submissions.lock {
        Some(lock) if submission.at >= lock => {
            let zone = &setup.schedule.time_zone;
            let (came, lock) = (zone.moment(submission.at), zone.moment(lock));
            Some(format!(
                "it came at {came}, and the lock was at {lock} (submissions.lock)"
            ))
        }
        Some(_) => None,
        None => {
            let run = store.dir().parent()?;
            let begun = run_dir::log(run).exists();
            begun.then(|| "it came after the event had begun".to_owned())
        }
    }
}

/// Looks at an archive, unpacks it, and tries it.
fn tried(
    event: &EventFile,
    store: &Store,
    (contract, index): (Contract, usize),
    (number, sha256): (u64, &str),
) -> Result<TrialReport, RunError> {
    let keys = &event.loaded.setup.submissions;
    let refused = |refused: Vec<String>| TrialReport {
        refused,
        ..TrialReport::default()
    };
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
