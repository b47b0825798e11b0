//! Getting both engines ready: at the beginning of a game, after a failed attempt, after a new start.
//!
//! No time is given away meanwhile. After a refused answer an engine has what is left of that attempt's limit to get
//! in step, after an overrun `engine.step_limit`; a new process in mid-game has as long as the agent's slowest start
//! before the event and `engine.step_limit`. An engine that takes longer has failed the next attempt too, as an
//! overrun, and is killed and started anew. Between games each process has `engine.ready_limit` once, and
//! `engine.step_limit` more for each game that it has begun.
//!
//! May not: ask for moves.

use std::time::Duration;

use super::{Game, GamePhase, Input, Meanwhile, Output, begun, micros};
use crate::Side;
use crate::record::{AttemptEnd, GameLimits};
use crate::termination::{Outcome, Termination};
use crate::transcript::Direction;
use crate::uci::{self, UciLine};

/// What is known about whether an engine listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Readiness {
    /// `isready` is to be sent; `since` is the first try.
    Due {
        why: ReadyReason,
        since: Option<Duration>,
    },
    /// Waiting for `readyok`.
    Await {
        why: ReadyReason,
        /// When the measured time begins; before a game, not until the other side is no longer waited for.
        from: Duration,
        until: Duration,
    },
    Ready,
    /// The engine is running, but was not ready for the game in time.
    NotReady,
    /// No process of the engine got ready for the game's first move.
    Dead,
}

impl Readiness {
    pub(super) const fn due(why: ReadyReason) -> Self {
        Self::Due { why, since: None }
    }
}

/// The occasion for which an engine has to get ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReadyReason {
    /// The game: `ucinewgame` goes before `isready`.
    Game,
    /// The next attempt, after one that failed at `from`.
    InStep { from: Duration, limit: Duration },
    /// The next attempt, as a new process whose start began at `from`: `ucinewgame` goes before `isready`.
    Anew { from: Duration, limit: Duration },
}

/// The time that a process has used to get ready between games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PreparationTime {
    /// From `isready` to `readyok`, in all its games.
    pub time: Duration,
    /// Games that the process has begun, or forfeited because it was not ready.
    pub games: u32,
}

impl PreparationTime {
    /// "`engine.ready_limit` once and `engine.step_limit` more for each game that it began."
    fn is_over(self, limits: &GameLimits) -> bool {
        let allowed = limits
            .ready_limit
            .saturating_add(limits.step_limit.saturating_mul(self.games));
        self.time > allowed
    }
}

/// How late the side came whose clock runs first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Late {
    /// How long its clock had run when its engine was up.
    by: Duration,
    /// When both engines were asked to get ready.
    asked: Option<Duration>,
    /// When the late side was ready.
    ready: Duration,
}

impl Game {
    /// Says that the clock of the side to move first runs by the schedule, since the game's time 0: for `late` until
    /// its engine was up, and on while that gets ready, but not while the other one is waited for. "White's clock
    /// starts at the scheduled time, whether White is connected or not" (Immortal Game). All of it is time of the
    /// side's first move.
    #[must_use]
    pub fn by_schedule(mut self, late: Duration) -> Self {
        self.late = Some(Late {
            by: late,
            asked: None,
            ready: Duration::ZERO,
        });
        self
    }

    /// Tells how much time the processes have used to get ready for earlier games, White's first.
    pub const fn after(mut self, prepared: [PreparationTime; 2]) -> Self {
        self.prepared = prepared;
        self
    }

    /// The time that the process of `side` has used so far.
    pub const fn prepared(&self, side: Side) -> PreparationTime {
        self.prepared[side.index()]
    }

    pub fn turn(&self) -> Side {
        self.board.turn()
    }

    /// The time that `side` has for its next move; before the game, the time within which it must come.
    pub fn limit(&self, side: Side) -> Duration {
        self.judged_limit(side)
    }

    /// True once a move has been asked for.
    pub(super) fn is_under_way(&self) -> bool {
        self.board.plies() > 0 || !self.record.failed_attempts.is_empty()
    }

    pub(super) fn poll_readiness(&mut self, now: Duration) -> Output {
        if let Some(late) = &mut self.late {
            late.asked.get_or_insert(now);
        }
        for side in Side::BOTH {
            let Readiness::Due { why, since } = self.readiness[side.index()] else {
                continue;
            };
            if why == ReadyReason::Game && self.prepared[side.index()].is_over(&self.spec.limits) {
                self.not_ready(now, side);
                continue;
            }
            let begins = since.is_none();
            if begins {
                self.moved[side.index()] = Duration::ZERO;
            }
            let since = since.unwrap_or(now);
            self.readiness[side.index()] = Readiness::Due {
                why,
                since: Some(since),
            };
            self.set_outgoing(match why {
                ReadyReason::Game | ReadyReason::Anew { .. } => b"ucinewgame\nisready\n",
                ReadyReason::InStep { .. } => b"isready\n",
            });
            let (_, until) = self.time_to_get_ready(why, since);
            return Output::Send {
                side,
                until,
                fresh: true,
                begins,
            };
        }
        for side in Side::BOTH {
            if let Readiness::Await { until, .. } = self.readiness[side.index()] {
                return Output::Wait {
                    side,
                    until: until + self.moved[side.index()],
                    other: Meanwhile::Answers,
                };
            }
        }
        self.begin_or_end(now);
        self.poll(now)
    }

    /// Starts or ends the game once both sides have shown whether they are ready.
    fn begin_or_end(&mut self, now: Duration) {
        let ready = self.readiness.map(|readiness| readiness == Readiness::Ready);
        let dead = self.readiness.contains(&Readiness::Dead);
        let late = self.readiness.contains(&Readiness::NotReady);
        match (ready, dead, late) {
            ([true, true], ..) => {
                if let Some(late) = self.late.take() {
                    let asked = late.asked.unwrap_or(now);
                    let waited = late.by + late.ready.saturating_sub(asked);
                    self.record.late_us = Some(micros(waited));
                    self.pondered.has_waited(waited);
                }
                self.phase = GamePhase::Asking { since: None };
            }
            (_, _, false) => {
                let (outcome, termination) = self.spec.limits.both_failed.applied(Termination::not_started(ready));
                self.end(outcome, termination);
            }
            ([false, false], ..) => {
                let both_lose = (Outcome::BothLose, Termination::NeitherReady);
                let (outcome, termination) = self.spec.limits.both_failed.applied(both_lose);
                self.end(outcome, termination);
            }
            ([white, _], ..) => {
                let by = if white { Side::Black } else { Side::White };
                self.end(Outcome::win(by.other()), Termination::NotReady { by });
            }
        }
        debug_assert!(!dead || self.phase != GamePhase::GettingReady);
    }

    /// When the time to get ready begins and ends for a side that is asked `now`.
    fn time_to_get_ready(&self, why: ReadyReason, now: Duration) -> (Duration, Duration) {
        match why {
            ReadyReason::Game => (now, now + self.spec.limits.ready_limit),
            ReadyReason::InStep { from, limit } | ReadyReason::Anew { from, limit } => (from, from + limit),
        }
    }

    /// The side that [`Self::poll`] last named in [`GamePhase::GettingReady`].
    pub(super) fn unready_side(&self) -> Side {
        let pick = |wanted: fn(Readiness) -> bool| Side::BOTH.into_iter().find(|s| wanted(self.readiness[s.index()]));
        pick(|r| matches!(r, Readiness::Due { .. }))
            .or_else(|| pick(|r| matches!(r, Readiness::Await { .. })))
            .unwrap_or(Side::White)
    }

    pub(super) fn handle_readiness(&mut self, now: Duration, input: Input<'_>) {
        let side = self.unready_side();
        let (why, from) = match self.readiness[side.index()] {
            Readiness::Due { why, since } => (why, self.time_to_get_ready(why, since.unwrap_or(now)).0),
            Readiness::Await { why, from, .. } => (why, from),
            Readiness::Ready | Readiness::NotReady | Readiness::Dead => return,
        };
        match (input, why) {
            (Input::Sent { was_full }, _) => {
                self.log(now, side, Direction::Sent, self.position_len, false);
                let since = match self.readiness[side.index()] {
                    Readiness::Due { since, .. } => since,
                    _ => None,
                };
                let (from, until) = self.time_to_get_ready(why, begun(now, since, was_full));
                self.readiness[side.index()] = Readiness::Await { why, from, until };
            }
            (Input::Line(line), _) => {
                self.transcript.add(now, side, Direction::Received, line, false);
                let took = now.saturating_sub(from);
                match uci::read(line) == UciLine::ReadyOk {
                    true if self.is_late(now, side, took) => self.look_into_answer(now, line),
                    true => self.is_ready(now, side, why, took),
                    false => {}
                }
            }
            (Input::Closed(end), ReadyReason::InStep { .. } | ReadyReason::Anew { .. }) => {
                self.gone_from(now, side, end)
            }
            (Input::Deadline, _) => self.overdue_to_get_ready(now),
            (Input::Closed(_), ReadyReason::Game) => {
                self.unready_for_the_game(now, side, now.saturating_sub(from), b"has gone");
            }
            (
                Input::Restarted { .. }
                | Input::StartTooLong { .. }
                | Input::StartFailed
                | Input::Probed(_)
                | Input::Doubt(_),
                _,
            ) => {}
        }
    }

    /// True if, even with its doubt, `readyok` comes too late, or uses up more than `side` has for its games.
    fn is_late(&self, now: Duration, side: Side, took: Duration) -> bool {
        match self.readiness[side.index()] {
            Readiness::Await {
                why: ReadyReason::Game, ..
            } => {
                let prepared = self.prepared[side.index()];
                let time = prepared.time + took;
                PreparationTime { time, ..prepared }.is_over(&self.spec.limits)
            }
            Readiness::Await { until, .. } => now > until,
            _ => false,
        }
    }

    /// Handles a side that has not got ready in time.
    pub(super) fn overdue_to_get_ready(&mut self, now: Duration) {
        let side = self.unready_side();
        let (why, from) = match self.readiness[side.index()] {
            Readiness::Due { why, since } => (why, self.time_to_get_ready(why, since.unwrap_or(now)).0),
            Readiness::Await { why, from, .. } => (why, from),
            Readiness::Ready | Readiness::NotReady | Readiness::Dead => return,
        };
        let took = now.saturating_sub(from);
        match why {
            ReadyReason::InStep { .. } => self.failed(now, side, took, AttemptEnd::OutOfStep),
            ReadyReason::Anew { .. } => self.failed(now, side, took, AttemptEnd::SlowStart),
            ReadyReason::Game => {
                let took = took.min(self.spec.limits.ready_limit);
                self.unready_for_the_game(now, side, took, b"no readyok in time");
            }
        }
    }

    /// Handles a `readyok` of `side` after `took`.
    pub(super) fn is_ready(&mut self, now: Duration, side: Side, why: ReadyReason, took: Duration) {
        self.readiness[side.index()] = Readiness::Ready;
        if why != ReadyReason::Game {
            let failed = self.record.failed_attempts.iter_mut().rev();
            if let Some(last) = failed.into_iter().find(|attempt| attempt.side == side) {
                last.ready_us = Some(micros(took));
            }
            return;
        }
        self.record.ready_us[side.index()] = micros(took);
        self.waits_for_one(now, side);
        let first = self.board.turn();
        if let Some(late) = self.late.as_mut().filter(|_| side == first) {
            late.ready = now;
        }
        let prepared = &mut self.prepared[side.index()];
        prepared.time += took;
        if prepared.is_over(&self.spec.limits) {
            self.not_ready(now, side);
        } else {
            prepared.games += 1;
        }
    }

    /// Notes that `side` is no longer waited for; until now the other one's output was not listened to.
    fn waits_for_one(&mut self, now: Duration, side: Side) {
        if let Readiness::Await { from, .. } = &mut self.readiness[side.other().index()] {
            *from = now;
        }
    }

    /// "Who has used more than that sum forfeits the game that comes, and that game adds to the sum."
    fn not_ready(&mut self, now: Duration, side: Side) {
        let prepared = &mut self.prepared[side.index()];
        let remark = format!(
            "has used {:?} to get ready for its games, of which it began {}: more than it has for that",
            prepared.time, prepared.games
        );
        prepared.games += 1;
        self.transcript
            .add(now, side, Direction::Remark, remark.as_bytes(), true);
        self.readiness[side.index()] = Readiness::NotReady;
    }

    /// Kills a process that is not ready for the game in time. It may have got through earlier games; a new one is
    /// tried, unless it has used up its time for getting ready.
    fn unready_for_the_game(&mut self, now: Duration, side: Side, took: Duration, remark: &[u8]) {
        self.transcript.add(now, side, Direction::Remark, remark, true);
        self.record.ready_us[side.index()] = micros(took);
        self.waits_for_one(now, side);
        self.prepared[side.index()].time += took;
        self.unready[side.index()] += 1;
        if self.prepared[side.index()].is_over(&self.spec.limits) {
            self.spoilt[side.index()] = true;
            self.not_ready(now, side);
        } else if self.unready[side.index()] < self.spec.limits.start_attempts.max(2) {
            self.phase = GamePhase::Restarting { side, since: None };
        } else {
            self.spoilt[side.index()] = true;
            self.cannot_go_on(side);
        }
    }

    /// Handles the result of starting the engine of `side` anew, which began at `since`.
    pub(super) fn handle_restart(&mut self, now: Duration, side: Side, since: Duration, input: Input<'_>) {
        match input {
            Input::Restarted { waited } => {
                self.transcript
                    .add(now, side, Direction::Remark, b"killed and started anew", true);
                self.prepared[side.index()] = PreparationTime::default();
                self.readiness[side.index()] = Readiness::due(match self.is_under_way() {
                    false => ReadyReason::Game,
                    true => ReadyReason::Anew {
                        from: since + waited,
                        limit: self.spec.limits.restart_limits[side.index()],
                    },
                });
                self.phase = GamePhase::GettingReady;
            }
            Input::StartTooLong { waited } => {
                self.failed(now, side, now.saturating_sub(since + waited), AttemptEnd::SlowStart);
            }
            Input::StartFailed => self.cannot_go_on(side),
            _ => {}
        }
    }

    /// No process of `side` gets ready. Before the first move that means that it did not start, and the other side
    /// has yet to show that it did; later, its silence is what lost.
    pub(super) fn cannot_go_on(&mut self, side: Side) {
        if self.is_under_way() {
            self.out_of_time(side);
        } else {
            self.readiness[side.index()] = Readiness::Dead;
            self.phase = GamePhase::GettingReady;
        }
    }
}
