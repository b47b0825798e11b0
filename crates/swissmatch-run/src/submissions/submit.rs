//! A submission is received: who hands it in, and whether it may be one more.
//!
//! It is in the log from the moment at which it has come, so what comes before the lock counts, however long trying it takes. May not:
//! judge it.

use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::contract::python_of;
use super::entrant::who;
use super::incoming::receive;
use super::judge::{Came, SubmissionStep, Waiting, judge, tried};
use super::store::Store;
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::submission_error::SubmissionError;
use swissmatch_host::files;
use swissmatch_tournament::setup::PlayerKeys;
use swissmatch_tournament::submission::{JudgedSubmission, ReceivedArchive, Submission, SubmissionEntry, Submissions};

/// How many of a player are tried on one day, refused ones among them, for each that may be accepted.
const TRIES: u32 = 5;

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
    let waiting = |number| Waiting {
        of: (contract, index),
        number,
        begins: false,
    };
    if let Some(same) = before.plays(player, keys.lock)
        && same.received.archive == incoming.sha256
    {
        return Ok(Came::Plays(Box::new(same.clone())));
    }
    // Whoever tried the same was killed.
    let newest = before.all().iter().rev().find(|one| one.received.player == player);
    let same = newest.filter(|one| one.judged.is_none() && one.received.archive == incoming.sha256);
    if let Some(same) = same.filter(|same| keys.lock.is_none_or(|lock| same.at < lock))
        && let number = same.received.number
        && let Some(own) = store.try_hold_turn(number).map_err(SubmissionError::Machine)?
    {
        tell(SubmissionStep::Received(number));
        return judge(event, &store, waiting(number), (Some(own), tell));
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
        own = store.try_hold_turn(all.next() - 1)?;
        Ok(())
    });
    let number = added?.next() - 1;
    tell(SubmissionStep::Received(number));
    judge(event, &store, waiting(number), (own, tell))
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
