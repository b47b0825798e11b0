//! Failed attempts at a move, and engines whose process ends.
//!
//! May not: judge moves.

use std::time::Duration;

use super::ready::{Readiness, ReadyReason};
use super::{Game, GamePhase, micros};
use crate::record::{AttemptEnd, Attempts, EngineEnd, FailedAttempt};
use crate::termination::{Outcome, Termination};
use crate::transcript::Direction;
use crate::{Side, notation};

impl Game {
    /// Handles a failed attempt of the side to move.
    pub(super) fn fail(&mut self, now: Duration, elapsed: Duration, end: AttemptEnd) {
        self.failed(now, self.board.turn(), elapsed, end);
    }

    /// Handles a failed attempt of `side`. "On overrun the same move is asked again … the last failure names the
    /// ending."
    pub(super) fn failed(&mut self, now: Duration, side: Side, elapsed: Duration, end: AttemptEnd) {
        let (at, overrun, killed) = (side.index(), end.is_overrun(), end.is_killed());
        *(if overrun {
            &mut self.overruns[at]
        } else {
            &mut self.illegal[at]
        }) += 1;
        let attempt = self.overruns[at] + self.illegal[at];
        // If `side` is not to move, the attempt is for the move that it will be asked for next.
        let ply = self.board.plies() + u32::from(side != self.board.turn());
        // What is left of the limit after an answer that was refused.
        let found = self.found.take();
        let doubt = found.map_or(Duration::ZERO, |doubt| doubt.time());
        let left = (self.judged_limit(side) + doubt).saturating_sub(elapsed);
        let failed = FailedAttempt {
            ply,
            side,
            attempt,
            time_us: micros(elapsed),
            meant: end.said().and_then(|said| notation::meant(&self.board, said)),
            end,
            wakeup_us: self.wakeup.take().filter(|_| !killed).map(micros),
            service_us: self.service_took().filter(|_| !killed),
            ready_us: None,
            doubt: found,
        };
        let remark = format!("attempt {attempt} failed: {}", failed.ended());
        self.transcript
            .add(now, side, Direction::Remark, remark.as_bytes(), true);
        self.record.failed_attempts.push(failed);
        self.clocks.spent(side, elapsed);
        self.pondered.forget(side);
        let lost = match self.spec.limits.attempts {
            // "Under a clock there is no second attempt: a fallen clock loses, unless the other side has no material to mate."
            _ if overrun && self.clocks.attempts_share(side) => true,
            // A refused answer has used up a time per move that its attempts share.
            _ if !self.clocks.runs_through(side) && self.clocks.limit(side).is_zero() => true,
            Attempts::Shared(attempts) => attempt >= attempts,
            Attempts::Apart { overruns, .. } if overrun => self.overruns[at] >= overruns,
            Attempts::Apart { illegal, .. } => self.illegal[at] >= illegal,
        };
        if lost {
            self.spoilt[at] |= killed;
            if overrun {
                self.out_of_time(side);
            } else {
                self.end(Outcome::win(side.other()), Termination::IllegalMove { by: side });
            }
        } else if killed {
            self.phase = GamePhase::Restarting { side, since: None };
        } else if !self.clocks.attempts_share(side) {
            // A stray answer must not be followed by others, each to the question before. If attempts share a limit,
            // the next one begins at once: no time is given away.
            let limit = if overrun { self.spec.limits.step_limit } else { left };
            self.readiness[at] = Readiness::due(ReadyReason::InStep { from: now, limit });
            self.phase = GamePhase::GettingReady;
        } else {
            self.phase = GamePhase::Asking { since: None };
        }
    }

    /// Ends the game because `side` has overrun its last attempt, or its clock.
    pub(super) fn out_of_time(&mut self, side: Side) {
        let rule = self.spec.limits.flag_fall;
        let (outcome, termination) = rule.ending(self.board.position(), side, self.clocks.runs_through(side));
        self.end(outcome, termination);
    }

    /// The process of the side to move has ended: the game is lost at once.
    pub(super) fn gone(&mut self, now: Duration, end: EngineEnd) {
        self.gone_from(now, self.board.turn(), end);
    }

    /// The process of `side` has ended.
    pub(super) fn gone_from(&mut self, now: Duration, side: Side, end: EngineEnd) {
        let remark = format!("its process {end}");
        self.transcript
            .add(now, side, Direction::Remark, remark.as_bytes(), true);
        self.record.engine_end = Some(end);
        self.spoilt[side.index()] = true;
        let termination = match end {
            EngineEnd::ClosedPipe => Termination::Disconnect { by: side },
            EngineEnd::OverLimit(overuse) => Termination::ResourceLimit {
                by: side,
                resource: overuse.resource,
            },
            EngineEnd::Exited(_) | EngineEnd::Signalled(_) | EngineEnd::KeeperLost => Termination::Crash { by: side },
        };
        self.end(Outcome::win(side.other()), termination);
    }
}
