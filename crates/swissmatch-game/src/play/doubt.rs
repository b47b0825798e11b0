//! Times over the limit: before one is judged, the caller says what part of it was not the engine's.
//!
//! "An answer within the limit plus the doubt is in time": at a deadline the doubt so far moves it, again and again
//! until it no longer moves. An answer after the limit is judged by the doubt up to it, whatever has been sent since.
//! May not: measure.

use std::time::Duration;

use super::ready::{Readiness, ReadyReason};
use super::{Game, GamePhase, Output, micros};
use crate::Side;
use crate::doubt::{Doubt, MeasuredTime, seconds};
use crate::record::{AttemptEnd, InDoubt};
use crate::transcript::Direction;

/// The smallest step by which a deadline moves: on a busy machine, measuring makes the figures grow a little.
const LEAST: Duration = Duration::from_millis(1);

/// An overrun whose doubt is not known yet.
#[derive(Debug)]
pub(super) struct Looking {
    /// When it was noticed.
    at: Duration,
    /// Who was waited for.
    side: Side,
    /// When the time of that side began.
    since: Duration,
    /// The line that came too late; `None` if nothing has come by the deadline.
    answer: Option<Vec<u8>>,
}

impl Game {
    /// The side whose answer is waited for, and when its time began. A write that is not taken has no doubt.
    fn waited_for(&self) -> Option<(Side, Duration)> {
        match self.phase {
            GamePhase::Thinking { sent, .. } | GamePhase::Stopping { sent, .. } => Some((self.board.turn(), sent)),
            GamePhase::AwaitPonder { side, sent, .. } => Some((side, sent)),
            GamePhase::GettingReady => {
                let side = self.unready_side();
                match self.readiness[side.index()] {
                    Readiness::Await { from, .. } => Some((side, from)),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(super) fn poll_doubt(&self) -> Option<Output> {
        let Looking {
            side, since, answer, ..
        } = self.looking.as_ref()?;
        Some(Output::Doubt {
            side: *side,
            since: *since,
            answered: answer.is_some(),
        })
    }

    /// Handles a deadline; returns true if its doubt is to be looked into first.
    pub(super) fn looks_into_deadline(&mut self, now: Duration) -> bool {
        self.look(now, None);
        self.looking.is_some()
    }

    /// Handles an answer that came after its time.
    pub(super) fn look_into_answer(&mut self, now: Duration, line: &[u8]) {
        self.look(now, Some(line.to_vec()));
    }

    fn look(&mut self, at: Duration, answer: Option<Vec<u8>>) {
        self.looking = self.waited_for().map(|(side, since)| Looking {
            at,
            side,
            since,
            answer,
        });
    }

    /// Takes the measurement that was asked for.
    pub(super) fn handle_doubt(&mut self, measured: MeasuredTime) {
        let Some(Looking {
            at,
            side,
            since,
            answer,
        }) = self.looking.take()
        else {
            return;
        };
        let waited = at.saturating_sub(since);
        let is_asked = matches!(self.phase, GamePhase::Thinking { .. } | GamePhase::Stopping { .. });
        if is_asked && answer.is_some() && self.of_service.is_none() {
            self.of_service(measured.service, None);
        }
        let time = match answer.is_some() {
            true => self.own_time(waited),
            false => waited,
        };
        let measured = MeasuredTime {
            // What has been taken off the time of an answer is no longer in doubt.
            service: match is_asked && answer.is_none() {
                true => measured.service,
                false => Duration::ZERO,
            },
            // A side that ponders may run.
            rested: match self.spec.limits.ponder[side.other().index()] {
                true => Duration::ZERO,
                false => measured.rested,
            },
            ..measured
        };
        let doubt = Doubt::new(measured, self.spec.limits.threads[side.index()], time);
        let moved = &mut self.moved[side.index()];
        match answer {
            None if doubt.time() >= *moved + LEAST => *moved = doubt.time(),
            None => {
                self.found = Some(doubt);
                self.overdue(at);
            }
            Some(line) => match (self.phase, self.readiness[side.index()]) {
                (GamePhase::GettingReady, Readiness::Await { why, until, .. }) => {
                    if why == ReadyReason::Game || at <= until + doubt.time() {
                        self.is_ready(at, side, why, time.saturating_sub(doubt.time()));
                    } else {
                        self.found = Some(doubt);
                        self.overdue(at);
                    }
                }
                _ => self.judge_late(at, time, &line, doubt),
            },
        }
    }

    /// Judges an answer that came after the limit.
    fn judge_late(&mut self, at: Duration, elapsed: Duration, line: &[u8], doubt: Doubt) {
        let side = self.board.turn();
        let limit = self.judged_limit(side);
        self.found = Some(doubt);
        if elapsed > limit + doubt.time() {
            self.fail(at, elapsed, AttemptEnd::Late);
            return;
        }
        let remark = format!(
            "in time: answered after {} under a limit of {} and a doubt of {}: {}",
            seconds(micros(elapsed)),
            seconds(micros(limit)),
            seconds(doubt.doubt_us),
            doubt.figures()
        );
        self.transcript
            .add(at, side, Direction::Remark, remark.as_bytes(), true);
        self.record.in_doubt.push(InDoubt {
            ply: self.board.plies(),
            side,
            time_us: micros(elapsed),
            limit_us: micros(limit),
            doubt,
        });
        self.answered(at, side, line, elapsed);
    }

    /// Handles a deadline that no doubt moves any further, without an answer.
    fn overdue(&mut self, at: Duration) {
        match self.phase {
            GamePhase::Thinking { sent, .. } => {
                let moved = self.moved[self.board.turn().index()];
                self.phase = GamePhase::SendStop {
                    sent,
                    until: (at + self.spec.limits.stop_grace).saturating_sub(moved),
                };
            }
            GamePhase::Stopping { sent, .. } => self.fail(at, at.saturating_sub(sent), AttemptEnd::Silent),
            GamePhase::AwaitPonder { side, sent, then, .. } => {
                self.not_stopped(at, side, at.saturating_sub(sent), then);
            }
            _ => self.overdue_to_get_ready(at),
        }
    }
}
