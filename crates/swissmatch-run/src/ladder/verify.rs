//! Whether the rounds of a ladder follow from what was there before each: their players, pairs and ratings, and the history of them all.
//!
//! May not: look into a round's games, which are verified as those of any run.

use std::path::Path;

use jiff::Timestamp;

use super::round::RoundNotes;
use super::{directory, event, history, ratings, round, rules};
use crate::error::RunError;
use crate::open_run::OpenRun;
use swissmatch_host::files;
use swissmatch_report::nights::{History, Night};
use swissmatch_tournament::log::Entry;
use swissmatch_tournament::setup::{LadderRound, PlayerKeys, Setup};

/// The numbers of the rounds that lie in the ladder of the event whose run is in `run`, in their order.
///
/// # Errors
/// When the directory cannot be read.
pub(crate) fn rounds_of(run: &Path) -> Result<Vec<u32>, RunError> {
    let directory = directory(run);
    let entries = match std::fs::read_dir(&directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RunError::machine(files::about(&directory, &error))),
    };
    let mut rounds = Vec::new();
    for entry in entries {
        let name = entry.map_err(RunError::machine)?.file_name();
        rounds.extend(name.to_str().and_then(|name| name.parse::<u32>().ok()));
    }
    rounds.sort_unstable();
    Ok(rounds)
}

/// The rounds of a ladder as they are looked at, one after the other.
#[derive(Debug, Default)]
pub(crate) struct CheckedLadder {
    history: History,
    last: Option<LadderRound>,
    /// By what the last one was played.
    setup: Option<Setup>,
    /// What the last one's event is called, and the hash of the last entry of its log.
    name: String,
    head: Option<String>,
}

impl CheckedLadder {
    /// Looks at the next round, which is over or not yet.
    ///
    /// # Errors
    /// What does not follow.
    pub(crate) fn at(&mut self, run: &OpenRun, is_over: bool) -> Result<(), String> {
        let created = run.logged.first().and_then(|first| match &first.entry {
            Entry::Created(created) => Some(created),
            _ => None,
        });
        let created = created.ok_or("its log does not begin with its creation")?;
        let setup = &created.setup;
        let round = setup.ladder.round.as_ref().ok_or("it is no round of a ladder")?;
        self.is_next(setup, round)?;
        if round.previous != self.head {
            return Err("it does not follow the round before it: it carries the hash of another one".to_owned());
        }
        self.rules_go_on(setup, false)?;
        let name = setup
            .event
            .name
            .strip_suffix(&format!("{} {}", event::LADDER, round.number));
        let name = name.ok_or("it is not called as a round of a ladder")?;
        if round.number > 1 && name != self.name {
            return Err(format!("it is of another event than the round before it: {name}"));
        }
        name.clone_into(&mut self.name);
        self.head = run.logged.last().map(|logged| logged.hash.clone());
        let (names, rated) = derived(&self.history, setup).map_err(|error| error.to_string())?;
        if let Some((player, other)) = setup
            .players
            .iter()
            .zip(&names)
            .find(|(player, name)| player.name != **name)
        {
            return Err(format!(
                "{} has the place of {other} in the order from which the pairs follow",
                player.name
            ));
        }
        if let Some((player, _)) = setup
            .players
            .iter()
            .zip(&rated)
            .find(|(player, rated)| player.ladder != rated.ladder)
        {
            return Err(format!(
                "{} has another rating than the rounds before give",
                player.name
            ));
        }
        (self.last, self.setup) = (Some(round.clone()), Some(setup.clone()));
        if !is_over {
            return Ok(());
        }
        let night = round::night(run, &self.history, RoundNotes::default()).map_err(|error| error.to_string())?;
        self.history.add(night);
        Ok(())
    }

    /// Whether the round of this number is in the history of the event whose run is in `run`.
    ///
    /// # Errors
    /// When that cannot be read.
    pub(crate) fn has(&self, run: &Path, number: u32) -> Result<bool, String> {
        let kept = history(run).map_err(|error| error.to_string())?;
        Ok(kept.nights.iter().any(|night| night.dir == number.to_string()))
    }

    /// Whether the rounds are of an event with this setup, and its players have the ratings that these give.
    ///
    /// # Errors
    /// What differs.
    pub(crate) fn of_event(&self, setup: &Setup) -> Result<(), String> {
        // Who takes the ladder out of the event file before the event begins plays without it.
        if self.last.is_none() || setup.ladder.schedule.is_none() {
            return Ok(());
        }
        if self.name != setup.event.name {
            return Err(format!("its rounds are of another event: {}", self.name));
        }
        self.rules_go_on(setup, true)?;
        let rated = ratings(&self.history, setup, &setup.players).map_err(|error| error.to_string())?;
        let mut players = setup.players.iter().zip(rated);
        match players.find(|(player, rating)| player.ladder != *rating) {
            Some((player, _)) => Err(format!("{} has another rating than the ladder gives", player.name)),
            None => Ok(()),
        }
    }

    fn rules_go_on(&self, setup: &Setup, is_locked: bool) -> Result<(), String> {
        rules::is_of_its_version(setup)?;
        match &self.setup {
            Some(last) => rules::goes_on(last, setup, is_locked).map_err(|odd| odd.to_string()),
            None => Ok(()),
        }
    }

    fn is_next(&self, setup: &Setup, round: &LadderRound) -> Result<(), String> {
        let due = self.history.nights.len() + 1;
        if round.number as usize != due {
            return Err(format!("it is round {} where {due} comes next", round.number));
        }
        if self
            .last
            .as_ref()
            .is_some_and(|last| last.due >= round.due || last.submissions > round.submissions)
        {
            return Err("it was due before the one before it".to_owned());
        }
        let zone = setup.schedule.time_zone.rules();
        let schedule = setup.ladder.schedule.ok_or("it has no schedule")?;
        let is_of_schedule = |due: Timestamp| schedule.last_until(due, zone) == Some(due);
        match is_of_schedule(round.due) && setup.submissions.lock.is_none_or(|lock| round.due < lock) {
            true => Ok(()),
            false => Err(format!("no round was due at {}", round.due)),
        }
    }

    /// That the history in the ladder of the event whose run is in `run` is what the rounds give.
    ///
    /// # Errors
    /// Where it differs.
    pub(crate) fn compare(&self, run: &Path) -> Result<(), String> {
        let kept = history(run).map_err(|error| error.to_string())?;
        let alone = |night: &Night| Night {
            machine: String::new(),
            noise: Default::default(),
            ..night.clone()
        };
        let differs = kept
            .nights
            .iter()
            .zip(&self.history.nights)
            .find(|(kept, is)| alone(kept) != alone(is));
        match differs {
            Some((kept, _)) => Err(format!(
                "its history has another {} than the log of that round gives",
                kept.name
            )),
            // A runner that was killed adds it later.
            None if kept.nights.len() > self.history.nights.len() => {
                Err("its history has rounds of which there is no log".to_owned())
            }
            None => Ok(()),
        }
    }
}

/// The names of a round's players in the order that follows from a history, and they with their ratings.
fn derived(history: &History, setup: &Setup) -> Result<(Vec<String>, Vec<PlayerKeys>), RunError> {
    let mut setup = setup.clone();
    setup.players.iter_mut().for_each(|player| player.ladder = None);
    setup.players.sort_by(|one, other| one.name.cmp(&other.name));
    let order = event::rate_and_order(history, &mut setup)?;
    let players: Vec<PlayerKeys> = order.iter().map(|place| setup.players[*place].clone()).collect();
    Ok((players.iter().map(|player| player.name.clone()).collect(), players))
}
