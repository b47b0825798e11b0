//! Getting both engines ready: at the beginning of a game, after a failed attempt, after a new start.
//!
//! May not: ask for moves.

use std::time::Duration;

use super::{Game, Input, Meanwhile, Output, Phase, micros};
use crate::game::Side;
use crate::game::termination::{Outcome, Termination};
use crate::game::transcript::Direction;
use crate::game::uci::{self, Line};

/// Whether an engine is known to listen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    /// `ucinewgame` and `isready` are to be sent.
    NewGame,
    /// `isready` is to be sent.
    InStep,
    /// Waiting for `readyok`; `in_step` if the process is one that plays already.
    Await {
        until: Duration,
        in_step: bool,
    },
    Ready,
    /// No process of it got ready for the game's first move.
    Dead,
}

/// How late the side came whose clock runs first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// What its clock had run when its engine was up.
    by: Duration,
    /// When both engines were asked to get ready.
    asked: Option<Duration>,
    /// When it was.
    ready: Duration,
}

impl Game {
    /// The clock of the side to move first runs by the schedule, since the game's time 0: for `late` until its engine was up,
    /// and on while that gets ready, but not while the other one is waited for. "White's clock starts at the scheduled time,
    /// whether White is connected or not" (Immortal Game). All of it is time of its first move.
    #[must_use]
    pub fn by_schedule(mut self, late: Duration) -> Self {
        self.late = Some(Late {
            by: late,
            asked: None,
            ready: Duration::ZERO,
        });
        self
    }

    /// The side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        self.board.turn()
    }

    /// What `side` may take for its next move: before the game, the time within which it must come.
    #[must_use]
    pub fn limit(&self, side: Side) -> Duration {
        self.judged_limit(side)
    }

    pub(super) fn poll_readiness(&mut self, now: Duration) -> Output {
        let until = now + self.spec.limits.ready_limit;
        if let Some(late) = &mut self.late {
            late.asked.get_or_insert(now);
        }
        for side in Side::BOTH {
            match self.readiness[side.index()] {
                Readiness::NewGame => self.set_outgoing(b"ucinewgame\nisready\n"),
                Readiness::InStep => self.set_outgoing(b"isready\n"),
                Readiness::Await { .. } | Readiness::Ready | Readiness::Dead => continue,
            }
            return Output::Send {
                side,
                until,
                fresh: true,
            };
        }
        for side in Side::BOTH {
            if let Readiness::Await { until, .. } = self.readiness[side.index()] {
                return Output::Wait {
                    side,
                    until,
                    other: Meanwhile::Answers,
                };
            }
        }
        match self.readiness.map(|readiness| readiness != Readiness::Dead) {
            [true, true] => {
                if let Some(late) = self.late.take() {
                    let asked = late.asked.unwrap_or(now);
                    let waited = late.by + late.ready.saturating_sub(asked);
                    self.record.late_us = Some(micros(waited));
                    self.pondered.has_waited(waited);
                }
                self.phase = Phase::Asking { since: None };
            }
            started => {
                let (outcome, termination) = Termination::not_started(started);
                self.end(outcome, termination);
            }
        }
        self.poll(now)
    }

    /// The side that [`Self::poll`] last named in [`Phase::GettingReady`].
    fn unready_side(&self) -> Side {
        let pick = |wanted: fn(Readiness) -> bool| Side::BOTH.into_iter().find(|s| wanted(self.readiness[s.index()]));
        pick(|r| matches!(r, Readiness::NewGame | Readiness::InStep))
            .or_else(|| pick(|r| matches!(r, Readiness::Await { .. })))
            .unwrap_or(Side::White)
    }

    pub(super) fn handle_readiness(&mut self, now: Duration, input: Input<'_>) {
        let side = self.unready_side();
        match input {
            Input::Sent { .. } => {
                self.log(now, side, Direction::Sent, self.position_len, false);
                self.readiness[side.index()] = Readiness::Await {
                    until: now + self.spec.limits.ready_limit,
                    in_step: self.readiness[side.index()] == Readiness::InStep,
                };
            }
            Input::Line(line) => {
                self.transcript.add(now, side, Direction::Received, line, false);
                if uci::read(line) == Line::ReadyOk {
                    self.readiness[side.index()] = Readiness::Ready;
                    let first = self.board.turn();
                    if let Some(late) = self.late.as_mut().filter(|_| side == first) {
                        late.ready = now;
                    }
                }
            }
            Input::Closed(end)
                if matches!(
                    self.readiness[side.index()],
                    Readiness::InStep | Readiness::Await { in_step: true, .. }
                ) =>
            {
                self.gone(now, end);
            }
            Input::Deadline | Input::Closed(_) => {
                let remark: &[u8] = if matches!(input, Input::Deadline) {
                    b"no readyok in time"
                } else {
                    b"has gone"
                };
                self.transcript.add(now, side, Direction::Remark, remark, true);
                self.unready[side.index()] += 1;
                // The process may be one of an earlier game: a new one is tried in any case.
                if self.unready[side.index()] < self.spec.limits.start_attempts.max(2) {
                    self.phase = Phase::Restarting(side);
                } else {
                    self.spoilt[side.index()] = true;
                    self.cannot_go_on(side);
                }
            }
            Input::Restarted | Input::StartFailed | Input::Probed(_) => {}
        }
    }

    /// No process of `side` gets ready: before the first move it did not start, and the other side has yet to show that it
    /// did; later its silence is what lost.
    pub(super) fn cannot_go_on(&mut self, side: Side) {
        if self.board.plies() == 0 && self.record.failed_attempts.is_empty() {
            self.readiness[side.index()] = Readiness::Dead;
            self.phase = Phase::GettingReady;
        } else {
            self.end(Outcome::win(side.other()), Termination::TimeForfeit { by: side });
        }
    }
}
