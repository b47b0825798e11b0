//! When what comes next may happen, and who is there for it: the conductor's clock.
//!
//! The clock on the wall is asked anew each time, so that one that is set forward or back moves the instants that are waited for
//! with it; how long ago something ended, and so a break, does not grow by a clock that is set back. May not: judge times; that is
//! `tournament::timetable`.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use swissmatch_host::host::HostOrder;
use swissmatch_tournament::director::{self, Coming, Next};
use swissmatch_tournament::log::{Entry, PresenceChecked};
use swissmatch_tournament::schedule::SlotRequest;
use swissmatch_tournament::setup::ClockStart;
use swissmatch_tournament::timetable::Timetable;
use swissmatch_tournament::waiting::{self, AwaitedPlay, Wait};
use swissmatch_tournament::{presence, schedule};

use super::{ConductError, Conductor, Reader, TICK, item};

/// How long before a round its engines are started where its clocks run by the schedule: as long as the notice of the Immortal
/// Game.
const SEATED_BEFORE: Duration = Duration::from_secs(30);

/// A clock that is set back by less is being corrected.
const LEAST_SET_BACK: Duration = Duration::from_secs(1);

/// The clock on the wall as it was seen last, beside one that nobody sets.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    wall: Timestamp,
    steady: Instant,
}

impl Clock {
    pub(super) fn now() -> Self {
        Self {
            wall: Timestamp::now(),
            steady: Instant::now(),
        }
    }

    /// How far the clock on the wall has been set back between the last look and `now`; `None`: not at all.
    fn set_back(&mut self, now: Self) -> Option<Duration> {
        let last = std::mem::replace(self, now);
        let expected = last.wall.checked_add(now.steady.duration_since(last.steady)).ok()?;
        let by = Duration::try_from(expected.duration_since(now.wall)).ok()?;
        (by >= LEAST_SET_BACK).then_some(by)
    }
}

impl Conductor {
    /// Sees whether the clock on the wall has been set back.
    pub(super) fn heed_the_wall(&mut self) {
        if let Some(by) = self.clock.set_back(Clock::now()) {
            self.ends.set_back(by);
        }
    }

    /// What kind of thing comes next, until the next event is committed.
    fn coming(&mut self) -> &Coming {
        self.coming.get_or_insert_with(|| director::coming(&self.state))
    }

    /// What is to be appended now.
    pub(super) fn next(&mut self) -> Result<Next, director::NoPairingError> {
        // A pairing that waits to be confirmed stays what it is until something is in the log.
        if self.pending > 0 || !self.in_flight.is_empty() || self.is_proposed {
            return Ok(Next::Nothing);
        }
        let now = Timestamp::now();
        let today = Timetable::from(self.state.setup()).day(now);
        let coming = self.coming().clone();
        let planned = waiting::plan(&self.state, &coming, self.ends, now);
        let Some((awaited, plan)) = planned else {
            return director::next(&self.state, today);
        };
        if let AwaitedPlay::Round(round) = awaited
            && presence::is_to_be_checked(&self.state, round)
        {
            if self.roll_call.is_none() && now >= plan.ask {
                self.call_the_roll(round);
            }
            return Ok(Next::Nothing);
        }
        if now < plan.pair {
            return Ok(Next::Nothing);
        }
        let mut next = director::next(&self.state, today)?;
        if let Next::Entries(entries) = &mut next {
            let timetable = Timetable::from(self.state.setup());
            for entry in entries {
                match entry {
                    Entry::RoundPaired(paired) => paired.starts = timetable.starts(plan, now),
                    Entry::PlayoffPaired(paired) => paired.later = timetable.later(self.ends.last_game(), now),
                    _ => {}
                }
            }
        }
        Ok(next)
    }

    /// Tells readers what is waited for where that has changed. Returns how long nothing can happen by time alone.
    pub(super) fn look_at_the_clock(&mut self, holds: bool, reader: &mut impl Reader) -> Duration {
        // While games are played nothing else comes, and it is not looked at.
        let coming = match self.in_flight.is_empty() {
            true => self.coming().clone(),
            false => Coming::Nothing,
        };
        // Whoever answered before a pause, or before a game is played again, may have gone by the time of the pairing.
        if let Some(round) = self.roll_call
            && (holds || coming != Coming::Round(round))
        {
            self.host.order(HostOrder::Abandon);
            self.roll_call = None;
        }
        let now = Timestamp::now();
        let is_timed = self.in_flight.is_empty() || !Timetable::from(self.state.setup()).is_empty();
        let wait = match holds || !is_timed {
            true => None,
            false => {
                let wait = waiting::awaited(&self.state, &coming, self.ends, now);
                wait.filter(|wait| self.is_waited_for(*wait))
            }
        };
        if wait != self.wait {
            reader.waiting(&self.state, wait);
            self.wait = wait;
        }
        wait.map_or(TICK, |Wait { until, .. }| {
            TICK.min(until.duration_since(now).unsigned_abs())
        })
    }

    /// Whether there is anything that waits: not where all games that are left are being played.
    fn is_waited_for(&self, wait: Wait) -> bool {
        let is_due = || schedule::next_for_slot(&self.state, &self.in_flight, &self.playing, None).is_some();
        wait.awaited != AwaitedPlay::Games || is_due()
    }

    /// Asks who is there.
    fn call_the_roll(&mut self, round: u32) {
        let state = &self.state;
        self.host.order(HostOrder::Present {
            round,
            players: presence::asked(state, round).into_iter().collect(),
            limit: state.setup().presence.limit,
        });
        self.roll_call = Some(round);
    }

    /// Whether a game may be started now.
    pub(super) fn may_start_games(&self) -> bool {
        let now = Timestamp::now();
        waiting::games_may_begin(&self.state, self.ends, now) <= now
    }

    /// Since when the first clock of a game runs that is handed out now; `None`: it starts with the game.
    pub(super) fn clock_runs_since(&self) -> Option<Timestamp> {
        (self.state.setup().schedule.clock == ClockStart::Schedule).then(Timestamp::now)
    }

    /// A presence check has been made; one that was abandoned is made again when it is due.
    pub(super) fn called(&mut self, checked: Result<PresenceChecked, String>) -> Result<(), ConductError> {
        if self.roll_call.take().is_some() {
            let checked = checked.map_err(ConductError::Presence)?;
            self.pending += 1;
            self.writer.append(item(Entry::PresenceChecked(checked)));
        }
        Ok(())
    }

    /// No game may be started yet: free slots are at rest, or bring up the engines of games whose clocks will not wait for
    /// them.
    pub(super) fn keep_free_slots(&mut self) {
        let now = Timestamp::now();
        let left = waiting::games_may_begin(&self.state, self.ends, now)
            .duration_since(now)
            .unsigned_abs();
        let is_soon = self.state.setup().schedule.clock == ClockStart::Schedule && left <= SEATED_BEFORE;
        let mut promised = self.in_flight.clone();
        let mut playing = self.playing.clone();
        // GPUs of the games that groups of slots are promised.
        let mut gpus = vec![0; self.groups.len()];
        let waiting = self.services.waiting(&self.state);
        for number in 0..self.slots.len() {
            let slot = &self.slots[number];
            if !slot.is_free() {
                continue;
            }
            let wanted = SlotRequest {
                takes: slot.takes,
                gpus: self.gpus_left(slot.group).saturating_sub(gpus[slot.group]),
                seated: slot.seated,
                waiting: &waiting,
                home: None,
            };
            let next = match is_soon {
                true => schedule::next_that_it_takes(&self.state, &promised, &playing, wanted),
                false => None,
            };
            let order = match next.and_then(|id| Some((id, self.state.mini_match(id)?))) {
                Some((id, board)) => {
                    promised.insert(id);
                    playing.insert(id);
                    gpus[slot.group] += schedule::gpus_of_game(&self.state, id);
                    if !slot.resting && slot.seated == Some(id) {
                        continue;
                    }
                    self.slots[number].seat(id);
                    HostOrder::Seat {
                        slot: number,
                        players: [board.white_of(id.game), board.black_of(id.game)],
                    }
                }
                None if slot.resting => continue,
                None => {
                    self.slots[number].rest();
                    HostOrder::Rest { slot: number }
                }
            };
            self.host.order(order);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_on_the_wall_that_is_set_back_is_seen_once() {
        let begin = Instant::now();
        let at = |steady: u64, wall: i64| Clock {
            wall: Timestamp::from_second(wall).expect("an instant"),
            steady: begin + Duration::from_secs(steady),
        };
        let mut clock = at(0, 10_000);
        assert_eq!(clock.set_back(at(2, 10_002)), None);
        // An hour back, while 3 seconds went by; then it goes on.
        assert_eq!(clock.set_back(at(5, 6405)), Some(Duration::from_secs(3600)));
        assert_eq!(clock.set_back(at(6, 6406)), None);
        // Set forward, or the machine slept.
        assert_eq!(clock.set_back(at(7, 90_000)), None);
    }
}
