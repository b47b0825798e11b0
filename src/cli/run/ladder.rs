//! The ladder before an event: its rounds as they are due, each a run.
//!
//! May not: decide when one is due, or who plays.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use swiss_system::count;
use swiss_system::text::escaped;

use super::{How, RunArgs};
use crate::cli::beside::{Page, PageManner};
use crate::cli::exit::{Exit, Failure};
use crate::cli::logging::Logging;
use crate::cli::screen;
use crate::cli::stop::StopRequests;
use swissmatch_host::machine;
use swissmatch_host::noise::NoiseWatch;
use swissmatch_run::EventFile;
use swissmatch_run::ladder::{Due, Ladder, RoundNotes};

/// How often it is looked whether the clock was set, or the event file written.
const LOOK_AGAIN: Duration = Duration::from_secs(1);

impl RunArgs {
    /// Plays the rounds of the ladder of an event as they are due, each by what its file says then; the event that follows, by the file as
    /// it is at the lock.
    pub(super) fn play_ladder(
        &self,
        mut event: EventFile,
        path: &Path,
        stops: &StopRequests,
        logging: &Logging,
        page: &mut Page,
    ) -> Result<ControlFlow<Exit, EventFile>, Failure> {
        let Some(ladder) = Ladder::of(&event, path)? else {
            return Ok(ControlFlow::Continue(event));
        };
        let _taken = match ladder.is_over() {
            true => None,
            false => Some(ladder.take()?),
        };
        let interrupted = || Ok(ControlFlow::Break(self.stopped("interrupted")));
        let mut is_first = true;
        let (mut told, mut awaited, mut wrong) = (None, None, None);
        loop {
            let as_read = modified(&self.file);
            let read = self.due(&event, path);
            let was_first = std::mem::replace(&mut is_first, false);
            let due = match read {
                Ok((read, due)) => {
                    event = read;
                    due
                }
                Err(failure) if failure.exit == Exit::Usage && !was_first && !self.once => {
                    let why = failure.error.to_string();
                    if wrong.as_ref() != Some(&why) {
                        screen::say(&format!("{why}; no round begins until this is mended"));
                        wrong = Some(why);
                    }
                    match wait_until(Timestamp::now() + LOOK_AGAIN, stops, || false) {
                        true => continue,
                        false => return interrupted(),
                    }
                }
                Err(failure) => return Err(failure),
            };
            wrong = None;
            let Some((ladder, due)) = due else { break };
            let (next, too_few, doubts) = match due {
                Due::Locked => break,
                Due::Round(round, dir) => {
                    let is_over = self.play_round(&ladder, (*round, &dir), stops, logging, page)?;
                    match is_over {
                        Some(exit) => return Ok(ControlFlow::Break(exit)),
                        None if self.once => {
                            self.doubt(&ladder.try_what_was_left(Timestamp::now())?);
                            return Ok(ControlFlow::Break(Exit::Done));
                        }
                        None => continue,
                    }
                }
                Due::Nothing(next, too_few, doubts) => (next, too_few, doubts),
            };
            let zone = &event.loaded.setup.schedule.time_zone;
            self.doubt(&doubts);
            if let Some(too_few) = too_few.filter(|too_few| told != Some(*too_few)) {
                told = Some(too_few);
                self.say(&format!(
                    "the round of {} does not take place: {} can play",
                    zone.moment(too_few.due),
                    count::of(too_few.players, "player", "players")
                ));
            }
            if self.once {
                self.say(&format!("no round of the ladder is due before {}", zone.moment(next)));
                return Ok(ControlFlow::Break(Exit::Done));
            }
            if awaited.replace(next) != Some(next) {
                self.say(&format!("waiting until {}", zone.moment(next)));
            }
            if !wait_until(next, stops, || modified(&self.file) != as_read) {
                return interrupted();
            }
        }
        match stops.begin_again(Exit::Interrupted.code()) {
            true => Ok(ControlFlow::Continue(event)),
            false => interrupted(),
        }
    }

    /// The event as its file has it now, and what is due of its ladder; `None`: the event follows.
    fn due(&self, before: &EventFile, path: &Path) -> Result<(EventFile, Option<(Ladder, Due)>), Failure> {
        // A pipe is read once.
        let event = match self.file.is_file() {
            true => self.event()?,
            false => before.clone(),
        };
        let name = |event: &EventFile| event.loaded.setup.event.name.clone();
        if name(&event) != name(before) {
            let message = format!(
                "it is {}, and the ladder that is being played is that of {}: write that again",
                escaped(name(&event)),
                escaped(name(before))
            );
            return Err(Failure::usage(event.loaded.error_at("event.name", message)));
        }
        let ladder = Ladder::of(&event, path)?.filter(|ladder| !ladder.is_over());
        let due = match ladder {
            Some(ladder) => {
                let due = ladder.due(Timestamp::now())?;
                Some((ladder, due))
            }
            None => None,
        };
        Ok((event, due))
    }

    /// Plays a round; `None`: it is over, and the next one may come.
    fn play_round(
        &self,
        ladder: &Ladder,
        (round, dir): (EventFile, &Path),
        stops: &StopRequests,
        logging: &Logging,
        page: &mut Page,
    ) -> Result<Option<Exit>, Failure> {
        if !stops.begin_again(Exit::Interrupted.code()) {
            return Ok(Some(self.stopped("interrupted")));
        }
        let noted = RoundNotes {
            machine: self.machine.clone().unwrap_or_else(machine::class),
            ..RoundNotes::default()
        };
        let _apart = ladder.keep_apart().map_err(Failure::machine)?;
        let watch = NoiseWatch::begin().map_err(Failure::machine)?;
        let played = self
            .as_a_round()
            .main_of((round, dir), stops, logging, None, None, page);
        let noise = watch.end();
        match played? {
            // Whoever is at fault in a round is at fault in the next one, too: the ladder goes on.
            Exit::Done | Exit::AgentsAtFault => {
                ladder.ends(dir, RoundNotes { noise, ..noted })?;
                self.say(&ladder.view()?.in_short());
                Ok(None)
            }
            exit => Ok(Some(exit)),
        }
    }

    /// The same for a round of its ladder: what concerns the event alone is left out.
    fn as_a_round(&self) -> Self {
        let how = How {
            json: self.json,
            quiet: self.quiet,
            every: self.every,
            page: self.page.clone(),
            page_manner: Some(PageManner::of_a_job(self.quiet || self.json)),
            ..How::default()
        };
        Self {
            machine: self.machine.clone(),
            workers: self.workers.clone(),
            ..Self::of(self.file.clone(), PathBuf::new(), how)
        }
    }

    fn doubt(&self, doubts: &[String]) {
        for doubt in doubts {
            self.say(&format!("warning: {doubt}"));
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            screen::say(text);
        }
    }
}

/// When a file was written last; `None`: it is not there.
fn modified(file: &Path) -> Option<SystemTime> {
    std::fs::metadata(file).and_then(|found| found.modified()).ok()
}

/// Waits until then, or until something has changed; whether nobody asked to stop meanwhile.
fn wait_until(then: Timestamp, stops: &StopRequests, has_changed: impl Fn() -> bool) -> bool {
    let ends = stops.stay(Exit::Interrupted.code());
    loop {
        let left = Timestamp::now().until(then).ok();
        let left = left
            .and_then(|left| Duration::try_from(left).ok())
            .filter(|left| !left.is_zero() && !has_changed());
        let Some(left) = left else { return true };
        // The clock may be set while it is waited.
        match ends.recv_timeout(left.min(LOOK_AGAIN)) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
