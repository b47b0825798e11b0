//! The ladder before an event: its rounds as they are due, each a run.
//!
//! May not: decide when one is due, or who plays.

use std::path::{Path, PathBuf};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use jiff::Timestamp;
use swiss_system::count;

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

impl RunArgs {
    /// Plays the rounds of the ladder of an event as they are due; `None`: the event follows, or it has none.
    pub(super) fn play_ladder(
        &self,
        event: &EventFile,
        path: &Path,
        stops: &StopRequests,
        logging: &Logging,
        page: &mut Page,
    ) -> Result<Option<Exit>, Failure> {
        let Some(ladder) = Ladder::of(event, path)? else {
            return Ok(None);
        };
        let _taken = match ladder.is_over() {
            true => None,
            false => Some(ladder.take()?),
        };
        let zone = &event.loaded.setup.schedule.time_zone;
        let mut told = None;
        while !ladder.is_over() {
            let (next, too_few, doubts) = match ladder.due(Timestamp::now())? {
                Due::Locked => break,
                Due::Round(round, dir) => {
                    let is_over = self.play_round(&ladder, (*round, &dir), stops, logging, page)?;
                    match is_over {
                        Some(exit) => return Ok(Some(exit)),
                        None if self.once => {
                            self.doubt(&ladder.try_what_was_left(Timestamp::now())?);
                            return Ok(Some(Exit::Done));
                        }
                        None => continue,
                    }
                }
                Due::Nothing(next, too_few, doubts) => (next, too_few, doubts),
            };
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
                return Ok(Some(Exit::Done));
            }
            self.say(&format!("waiting until {}", zone.moment(next)));
            if !wait_until(next, stops) {
                return Ok(Some(self.stopped("interrupted")));
            }
        }
        match stops.begin_again(Exit::Interrupted.code()) {
            true => Ok(None),
            false => Ok(Some(self.stopped("interrupted"))),
        }
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

/// Whether nobody asked to stop until then.
fn wait_until(then: Timestamp, stops: &StopRequests) -> bool {
    let ends = stops.stay(Exit::Interrupted.code());
    loop {
        let left = Timestamp::now().until(then).ok();
        let left = left
            .and_then(|left| Duration::try_from(left).ok())
            .filter(|left| !left.is_zero());
        let Some(left) = left else { return true };
        // The clock may be set while it is waited.
        match ends.recv_timeout(left.min(Duration::from_secs(1))) {
            Err(RecvTimeoutError::Timeout) => {}
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}
