//! A ladder on the disk: rated rounds until what is handed in is locked, each a run of its own, and the history of them all.
//!
//! It lies in `ladder/` of the event's run: `1/`, `2/` and so on, and `history.jsonl`, which is a league's. May not: play.

mod event;
mod introduced;
mod plan;
mod round;
mod rules;
mod verify;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;

use crate::error::RunError;
use crate::event_file::EventFile;
use crate::league::history::{HistoryError, HistoryFile};
use crate::open_run::OpenRun;
use crate::room::games_on_cores;
use crate::submissions::{Store, judge_what_was_left, note_packages};
use swissmatch_host::local::apart::{Apart, Staying, stay_for_now};
use swissmatch_host::run_dir::{DirError, RunDir};
use swissmatch_host::{files, run_dir};
use swissmatch_report::ladder::LadderView;
use swissmatch_report::nights::History;
use swissmatch_report::nights::ladder::{InLadder, ladder_ratings};
use swissmatch_report::submissions::public_page;
use swissmatch_tournament::setup::{LadderRating, PlayerKeys, Setup, SubmissionId};
use swissmatch_tournament::submission::Submissions;

pub(crate) use introduced::introduced;
use plan::build_of_submission;
pub use round::RoundNotes;
pub use rules::known_rules;
pub(crate) use verify::{CheckedLadder, rounds_of};

/// How often it is looked whether a submission has been tried.
const LOOK_AGAIN: Duration = Duration::from_millis(200);
/// The page in the directory.
pub(crate) const LADDER_PAGE: &str = "index.html";
/// Its table for programs.
pub(crate) const LADDER_TABLE: &str = "table.json";
/// The history in the directory.
const HISTORY: &str = "history.jsonl";

/// The ladder of an event.
#[derive(Debug)]
pub struct Ladder {
    event: EventFile,
    run: PathBuf,
}

/// What is to be done for a ladder.
#[derive(Debug)]
pub enum Due {
    /// This round is to be played, in this directory; it may have begun already.
    Round(Box<EventFile>, PathBuf),
    /// Nothing before this moment. Of a round that was due fewer than two could play; and these submissions could not be tried, a sentence
    /// each.
    Nothing(Timestamp, Option<TooFew>, Vec<String>),
    /// Nothing any more: it is locked, and the event follows.
    Locked,
}

/// Why a round does not take place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooFew {
    /// When it was due.
    pub due: Timestamp,
    /// How many could play.
    pub players: usize,
}

impl Ladder {
    /// That of an event whose run is, or will be, in `run`; `None`: it has none, or is one of its rounds.
    ///
    /// # Errors
    /// When it would play openings of the event itself.
    pub fn of(event: &EventFile, run: &Path) -> Result<Option<Self>, RunError> {
        let keys = &event.loaded.setup.ladder;
        if keys.schedule.is_none() || keys.round.is_some() {
            return Ok(None);
        }
        event::require_other_openings(event)?;
        Ok(Some(Self {
            event: event.clone(),
            run: run.to_path_buf(),
        }))
    }

    /// Locks it for this process as long as what is returned lives.
    ///
    /// # Errors
    /// When another one plays it, or its directory cannot be made.
    pub fn take(&self) -> Result<RunDir, RunError> {
        let taken = RunDir::take(&directory(&self.run));
        Ok(taken.map_err(|error| match error {
            DirError::Locked(_) => DirError::Locked(self.run.clone()),
            error => error,
        })?)
    }

    /// Whether the event itself has begun: then it has no more rounds.
    pub fn is_over(&self) -> bool {
        run_dir::log(&self.run).exists()
    }

    /// What is to be done now. A round that is over and not in the history yet is given, too: its files are seen to, and it ends.
    ///
    /// # Errors
    /// When a round or the submissions cannot be read.
    pub fn due(&self, now: Timestamp) -> Result<Due, RunError> {
        let setup = &self.event.loaded.setup;
        let (Some(schedule), Some(lock)) = (setup.ladder.schedule, setup.submissions.lock) else {
            return Ok(Due::Locked);
        };
        let history = history(&self.run)?;
        if let Some(run) = self.open_round(&history)? {
            rules::require(&self.event, run.state.setup(), false)?;
            return Ok(Due::Round(Box::new(event::as_begun(&self.event, &run)?), run.dir));
        }
        let last = last(&self.run, &history)?;
        if let Some(last) = &last {
            rules::require(&self.event, last.state.setup(), now >= lock)?;
        }
        if now >= lock {
            return Ok(Due::Locked);
        }
        let zone = setup.schedule.time_zone.rules();
        let last_due = last
            .as_ref()
            .and_then(|last| Some(last.state.setup().ladder.round.as_ref()?.due));
        let next = schedule.first_after(now, zone).unwrap_or(lock).min(lock);
        let due = schedule.last_until(now, zone);
        // One that nobody played in its time does not take place.
        let due = due.filter(|due| last_due.is_none_or(|last| last < *due) && schedule.is_in_time(*due, now));
        let Some(due) = due else {
            return Ok(Due::Nothing(next, None, self.try_what_was_left(now)?));
        };
        let players = match event::round(&self.event, &self.run, &history, (due, last.as_ref()))? {
            Ok(event) => {
                let number = event.loaded.setup.ladder.round.as_ref().map_or(0, |round| round.number);
                return Ok(Due::Round(Box::new(event), run_of(&self.run, number)));
            }
            Err(players) => players,
        };
        let doubts = self.try_what_was_left(now)?;
        Ok(Due::Nothing(next, Some(TooFew { due, players }), doubts))
    }

    /// Tries what nobody tries any more, because whoever did was killed. Returns what could not be tried, a sentence each.
    ///
    /// # Errors
    /// When the submissions or the history cannot be read.
    pub fn try_what_was_left(&self, now: Timestamp) -> Result<Vec<String>, RunError> {
        let doubts = judge_what_was_left(&self.event.in_force(now), &Store::of_run(&self.run))?;
        self.list_submissions()?;
        Ok(doubts)
    }

    /// The round that was begun and is not in the history.
    ///
    /// # Errors
    /// When one before it is gone.
    fn open_round(&self, history: &History) -> Result<Option<OpenRun>, RunError> {
        let begun = rounds_of(&self.run)?;
        let begun = begun
            .iter()
            .filter(|number| run_dir::log(&run_of(&self.run, **number)).exists());
        let known = history.nights.iter().filter_map(|night| night.dir.parse::<u32>().ok());
        let last = begun.clone().copied().chain(known).max().unwrap_or(0);
        if let Some(gone) = (1..=last).find(|number| !begun.clone().any(|there| there == number)) {
            return Err(RunError::Machine(format!(
                "{} is gone, and the rounds after it rest on it: put it back",
                run_of(&self.run, gone).display()
            )));
        }
        let is_known = |number: &u32| history.nights.iter().any(|night| night.dir == number.to_string());
        match begun.copied().find(|number| !is_known(number)) {
            Some(number) => Ok(Some(OpenRun::open(Some(&run_of(&self.run, number)))?)),
            None => Ok(None),
        }
    }

    /// Keeps this thread, and what it starts, from the cores on which submissions are tried, as long as what is returned lives. Where
    /// there are fewer cores than `submissions.slots`, the others are not tried meanwhile; those that are, are waited for.
    ///
    /// # Errors
    /// When the machine says no.
    pub fn keep_apart(&self) -> io::Result<(Staying, Vec<File>)> {
        let slots = self.event.loaded.setup.submissions.slots;
        let apart = Apart::of_this_machine(slots as usize)?;
        let store = Store::of_run(&self.run);
        store.make()?;
        let mut held = Vec::new();
        for slot in u32::try_from(apart.kept.len()).unwrap_or(slots) + 1..=slots {
            held.push(loop {
                match store.try_hold_slot(slot)? {
                    Some(slot) => break slot,
                    None => std::thread::sleep(LOOK_AGAIN),
                }
            });
        }
        Ok((stay_for_now(&apart.rest)?, held))
    }

    /// Puts the round in `dir`, which is over, into the history.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub fn ends(&self, dir: &Path, noted: RoundNotes) -> Result<(), RunError> {
        let file = history_file(&self.run);
        let mut history = read(&file)?;
        let run = OpenRun::open(Some(dir))?;
        let night = round::night(&run, &history, noted)?;
        file.add(&night).map_err(RunError::machine)?;
        history.add(night);
        self.publish(&history)
    }

    /// The ladder as it stands.
    ///
    /// # Errors
    /// When its history or the submissions cannot be read.
    pub fn view(&self) -> Result<LadderView, RunError> {
        self.view_of(&history(&self.run)?, &Store::of_run(&self.run).read()?)
    }

    fn view_of(&self, history: &History, all: &Submissions) -> Result<LadderView, RunError> {
        let mut event = self.event.clone();
        note_packages(&mut event, None)?;
        let setup = &event.loaded.setup;
        let mut players = setup.players.clone();
        for player in players.iter_mut().filter(|player| player.awaits_submission()) {
            player.submission = all.plays(&player.name, setup.submissions.lock).map(SubmissionId::of);
        }
        let ratings = ratings(history, setup, &players)?;
        let version = |player: &PlayerKeys| player.submission.as_ref().map(SubmissionId::called);
        let rated = players.iter().zip(ratings);
        let now: Vec<_> = rated
            .filter_map(|(player, rating)| Some((player.name.as_str(), version(player), rating?)))
            .collect();
        Ok(LadderView::new(setup, history, &now))
    }

    /// Leaves the page and its figures beside the rounds.
    fn publish(&self, history: &History) -> Result<(), RunError> {
        let all = Store::of_run(&self.run).read()?;
        let view = self.view_of(history, &all)?;
        let setup = &self.event.loaded.setup;
        let zone = &setup.schedule.time_zone;
        let listed = setup
            .publish
            .submissions
            .then(|| public_page(&all, setup.submissions.lock, zone));
        let directory = directory(&self.run);
        files::make_directory(&directory).map_err(RunError::machine)?;
        for (name, text) in [(LADDER_PAGE, view.html(listed.as_ref())), (LADDER_TABLE, view.json())] {
            files::write_whole(&directory.join(name), &text).map_err(RunError::machine)?;
        }
        Ok(())
    }

    /// Brings the page up to date after a submission, where it lists them.
    ///
    /// # Errors
    /// When the history or the submissions cannot be read, or the page cannot be written.
    pub fn list_submissions(&self) -> Result<(), RunError> {
        match self.event.loaded.setup.publish.submissions {
            true => self.publish(&history(&self.run)?),
            false => Ok(()),
        }
    }
}

/// A round of the ladder of an event as an event of its own, with all players, and for how many of its games there are cores; `None`: it
/// has no ladder.
///
/// # Errors
/// When the machine says no.
pub fn planned(event: &Setup) -> Result<Option<(Setup, usize)>, RunError> {
    if event.ladder.schedule.is_none() {
        return Ok(None);
    }
    let round = event::of_all(event);
    let apart = Apart::of_this_machine(event.submissions.slots as usize).map_err(RunError::machine)?;
    let _staying = stay_for_now(&apart.rest).map_err(RunError::machine)?;
    let cores = games_on_cores(&round)?;
    Ok(Some((round, cores)))
}

/// The rounds of the ladder of the event whose run is in `run`, as its history has them; none where there is no ladder.
///
/// # Errors
/// When the history cannot be read.
pub(crate) fn history(run: &Path) -> Result<History, RunError> {
    read(&history_file(run))
}

/// Gives the players of an event, whose run is, or will be, in `run`, their ratings in its ladder; of a run that has begun, with the setup
/// `registered`, those with which it began.
///
/// # Errors
/// When the ladder cannot be read.
pub(crate) fn rate(event: &mut EventFile, run: &Path, registered: Option<&Setup>) -> Result<(), RunError> {
    let setup = &event.loaded.setup;
    if setup.ladder.schedule.is_none() || setup.ladder.round.is_some() {
        return Ok(());
    }
    let history = history(run)?;
    if let (None, Some(last)) = (registered, last(run, &history)?) {
        note_packages(event, Some((last.state.setup(), event::called(&last))))?;
    }
    let setup = &mut event.loaded.setup;
    let rated = match registered {
        Some(registered) => {
            let of = |player: &PlayerKeys| registered.players.iter().find(|of| of.name == player.name);
            setup.players.iter().map(|player| of(player)?.ladder).collect()
        }
        None => ratings(&history, setup, &setup.players)?,
    };
    for (player, rating) in setup.players.iter_mut().zip(rated) {
        player.ladder = rating;
    }
    Ok(())
}

/// Each player's rating by a history, in their order; what plays for a player that hands in is what it plays by now.
///
/// # Errors
/// When there is no fit.
fn ratings(history: &History, setup: &Setup, players: &[PlayerKeys]) -> Result<Vec<Option<LadderRating>>, RunError> {
    let builds: Vec<Option<String>> = players
        .iter()
        .map(|player| build_of_submission(player, setup))
        .collect();
    let in_ladder: Vec<InLadder<'_>> = players
        .iter()
        .zip(&builds)
        .map(|(player, build)| InLadder {
            name: &player.name,
            build: build.as_deref(),
            fixed: setup.ladder.fixed.get(&player.name).copied(),
        })
        .collect();
    ladder_ratings(history, &in_ladder)
        .map_err(|error| RunError::Machine(format!("the ladder has no ratings: {error}")))
}

/// The last round of a history.
fn last(run: &Path, history: &History) -> Result<Option<OpenRun>, RunError> {
    let Some(last) = history.nights.last() else {
        return Ok(None);
    };
    Ok(Some(OpenRun::open(Some(&directory(run).join(&last.dir)))?))
}

fn read(file: &HistoryFile) -> Result<History, RunError> {
    file.read().map_err(|error| match error {
        HistoryError::Broken { .. } => RunError::Machine(format!(
            "{error}; move it away: `swissmatch run` writes it anew from the rounds"
        )),
        error => RunError::machine(error),
    })
}

fn history_file(run: &Path) -> HistoryFile {
    HistoryFile::new(directory(run).join(HISTORY), true)
}

fn directory(run: &Path) -> PathBuf {
    run.join(run_dir::LADDER)
}

/// Where the run of a round is.
fn run_of(run: &Path, number: u32) -> PathBuf {
    directory(run).join(number.to_string())
}
