//! Pondering: a side that has moved goes on thinking about the answer that it expects.
//!
//! After `bestmove X ponder Y` the engine is sent the position after X and Y, and `go ponder …`. If Y is played, it
//! is told `ponderhit`, and its clock runs from there. Otherwise it is told `stop`, its `bestmove` is waited for and
//! thrown away, and the position is sent as always. The time until that `bestmove` is part of its move: its clock
//! stands still only between that word and its next `go`. If it stays silent past `engine.stop_grace`, it has overrun
//! its limit.
//!
//! Nothing here is written while a clock of the other side runs. May not: judge moves.

use std::borrow::Cow;
use std::io::Write as _;
use std::time::Duration;

use shakmaty::Move;
use shakmaty::uci::UciMove;

use super::{Game, GamePhase, Input, Meanwhile, Output, begun};
use crate::Side;
use crate::clock::Clocks;
use crate::record::{AttemptEnd, EngineEnd};
use crate::transcript::Direction;
use crate::uci::{self, UciLine};

/// What follows after a ponder search has been stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AfterPonder {
    /// The side is asked for its move.
    Asking,
    /// Nothing: the game is over.
    Over,
}

/// Who ponders, and on what.
#[derive(Debug, Default)]
pub(super) struct PonderState {
    /// The move that each side ponders on, White first.
    on: [Option<Move>; 2],
    /// The next to be told to ponder: the side, the expected move as it wrote it, and the legal move that this means.
    next: Option<(Side, UciMove, Move)>,
    /// True if the side to move ponders on this very position.
    hit: bool,
    /// The last move: the side, the move, and the expected answer.
    last: Option<(Side, Move, Option<UciMove>)>,
    /// The time that the side to move has taken to end a search that missed, or to come to a game whose clock ran.
    waited: Duration,
}

impl PonderState {
    /// True if the side to move is to be told `ponderhit` in place of a position.
    pub(super) const fn is_hit(&self) -> bool {
        self.hit
    }

    pub(super) const fn is_by(&self, side: Side) -> bool {
        self.on[side.index()].is_some()
    }

    /// `side` no longer ponders, whatever was to follow.
    pub(super) fn forget(&mut self, side: Side) {
        self.on[side.index()] = None;
        (self.hit, self.waited) = (false, Duration::ZERO);
    }

    /// The clock of `side`, which is to move, starts. Returns the time that it has taken already.
    pub(super) fn begun(&mut self, side: Side) -> Duration {
        let waited = self.waited;
        self.forget(side);
        waited
    }

    /// The clock of the side to move ran for `time` before the side could be asked.
    pub(super) const fn has_waited(&mut self, time: Duration) {
        self.waited = time;
    }

    /// The time of its move that the side to move has taken already.
    pub(super) const fn waited(&self) -> Duration {
        self.waited
    }

    /// The clocks as `side`, which is to move, is told them.
    pub(super) fn clocks_told<'a>(&self, side: Side, clocks: &'a Clocks) -> Cow<'a, Clocks> {
        // For a time per move it is subtracted where that is told.
        if self.waited.is_zero() || !clocks.runs_through(side) {
            return Cow::Borrowed(clocks);
        }
        let mut told = clocks.clone();
        told.spent(side, self.waited);
        Cow::Owned(told)
    }
}

impl Game {
    /// `mover` plays `played`, and gave `expected` after `ponder`.
    pub(super) fn pondered_on(&mut self, mover: Side, played: Move, expected: &[u8]) {
        if self.spec.limits.ponder != [false; 2] {
            self.pondered.last = Some((mover, played, uci::read_move(expected)));
        }
    }

    /// The game goes on after a move.
    pub(super) fn next_turn(&mut self) {
        self.phase = GamePhase::Asking { since: None };
        let Some((mover, played, expected)) = self.pondered.last.take() else {
            return;
        };
        if let Some(expected) = expected.filter(|_| self.spec.limits.ponder[mover.index()]) {
            self.pondered.next = self.pondering(mover, expected);
        }
        let side = mover.other();
        match self.pondered.on[side.index()] {
            None => self.phase = self.after_stop(),
            Some(expected) if expected == played => {
                self.pondered.hit = true;
                self.phase = self.after_stop();
            }
            Some(_) => {
                self.phase = GamePhase::StopPonder {
                    side,
                    since: None,
                    then: AfterPonder::Asking,
                };
            }
        }
    }

    /// What `mover` can ponder on: a legal answer that does not end the game.
    fn pondering(&self, mover: Side, uci: UciMove) -> Option<(Side, UciMove, Move)> {
        let legal = self.board.legal(&uci)?;
        let mut then = self.board.clone();
        then.play(legal);
        let goes_on = then.ending(self.spec.limits.ends()).is_none();
        goes_on.then_some((mover, uci, legal))
    }

    /// The next phase, when nothing is to be stopped any more.
    const fn after_stop(&self) -> GamePhase {
        match self.pondered.next {
            Some(_) => GamePhase::SendPonder { since: None },
            None => GamePhase::Asking { since: None },
        }
    }

    /// After the end of the game: the next side to be stopped, so that it does not think on into the next game.
    pub(super) fn after_end(&self) -> GamePhase {
        let ponders = |side: &Side| self.pondered.is_by(*side) && !self.spoilt[side.index()];
        match Side::BOTH.into_iter().find(ponders) {
            None => GamePhase::Over,
            Some(side) => GamePhase::StopPonder {
                side,
                since: None,
                then: AfterPonder::Over,
            },
        }
    }

    pub(super) fn poll_ponder(&mut self, now: Duration) -> Output {
        let grace = self.spec.limits.stop_grace;
        match self.phase {
            GamePhase::SendPonder { since } => {
                let Some((side, uci, _)) = &self.pondered.next else {
                    self.phase = GamePhase::Asking { since: None };
                    return self.poll(now);
                };
                let side = *side;
                if since.is_none() {
                    self.outgoing.truncate(self.position_len);
                    writeln!(self.outgoing, " {uci}").expect("writing to a Vec does not fail");
                    let go = self.outgoing.len() + b"go".len();
                    let bounds = self.spec.bounds[side.index()];
                    self.clocks
                        .write_go(side, Duration::ZERO, &self.spec.limits, bounds, &mut self.outgoing);
                    self.outgoing.splice(go..go, *b" ponder");
                    self.phase = GamePhase::SendPonder { since: Some(now) };
                }
                Output::Send {
                    side,
                    until: since.unwrap_or(now) + grace,
                    fresh: true,
                    begins: false,
                }
            }
            GamePhase::StopPonder { side, since, then } => {
                self.set_outgoing(b"stop\n");
                let begins = since.is_none();
                if begins {
                    self.moved[side.index()] = Duration::ZERO;
                }
                let since = since.unwrap_or(now);
                self.phase = GamePhase::StopPonder {
                    side,
                    since: Some(since),
                    then,
                };
                Output::Send {
                    side,
                    until: since + grace,
                    fresh: false,
                    begins,
                }
            }
            GamePhase::AwaitPonder { side, until, .. } => Output::Wait {
                side,
                until: until + self.moved[side.index()],
                other: Meanwhile::Answers,
            },
            _ => self.poll(now),
        }
    }

    pub(super) fn handle_ponder(&mut self, now: Duration, input: Input<'_>) {
        match self.phase {
            GamePhase::SendPonder { since } => match (input, self.pondered.next.take()) {
                (Input::Sent { .. }, Some((side, uci, expected))) => {
                    let line_end = self.outgoing[self.position_len..].iter().position(|b| *b == b'\n');
                    let go = self.position_len + line_end.map_or(0, |at| at + 1);
                    let remark = format!("ponders on {uci}");
                    self.transcript
                        .add(now, side, Direction::Remark, remark.as_bytes(), true);
                    self.log(now, side, Direction::Sent, go, true);
                    self.pondered.on[side.index()] = Some(expected);
                    self.phase = GamePhase::Asking { since: None };
                }
                (Input::Deadline, Some((side, ..))) => {
                    // The engine has half a command, and does not read on.
                    self.transcript.add(
                        now,
                        side,
                        Direction::Remark,
                        b"does not read what it is to ponder on",
                        true,
                    );
                    self.phase = GamePhase::Restarting { side, since: None };
                }
                (Input::Closed(end), Some((side, ..))) => self.gone_from(now, side, end),
                (_, next) => {
                    self.pondered.next = next;
                    self.phase = GamePhase::SendPonder { since };
                }
            },
            GamePhase::StopPonder { side, since, then } => match input {
                Input::Sent { was_full } => {
                    self.log(now, side, Direction::Sent, self.position_len, true);
                    let sent = begun(now, since, was_full);
                    self.phase = GamePhase::AwaitPonder {
                        side,
                        sent,
                        until: sent + self.spec.limits.stop_grace,
                        then,
                    };
                }
                Input::Deadline => self.not_stopped(now, side, now.saturating_sub(since.unwrap_or(now)), then),
                Input::Closed(end) => self.gone_pondering(now, side, end, then),
                _ => {}
            },
            GamePhase::AwaitPonder { side, sent, then, .. } => match input {
                Input::Line(line) => {
                    let stopped = matches!(uci::read(line), UciLine::BestMove(_));
                    self.transcript.add(now, side, Direction::Received, line, stopped);
                    if stopped {
                        self.pondered.forget(side);
                        self.phase = match then {
                            AfterPonder::Over => self.after_end(),
                            AfterPonder::Asking => {
                                self.pondered.waited = now.saturating_sub(sent);
                                self.after_stop()
                            }
                        };
                    }
                }
                Input::Closed(end) => self.gone_pondering(now, side, end, then),
                _ => {}
            },
            _ => {}
        }
    }

    /// `side` does not end its search in time: an overrun of the move that it has to make, if it has one.
    pub(super) fn not_stopped(&mut self, now: Duration, side: Side, elapsed: Duration, then: AfterPonder) {
        self.pondered.next = None;
        match then {
            AfterPonder::Asking => self.fail(now, elapsed, AttemptEnd::Silent),
            AfterPonder::Over => {
                self.transcript
                    .add(now, side, Direction::Remark, b"does not end its search", true);
                self.spoilt[side.index()] = true;
                self.phase = self.after_end();
            }
        }
    }

    /// The process of `side` ended while it was to end its search.
    fn gone_pondering(&mut self, now: Duration, side: Side, end: EngineEnd, then: AfterPonder) {
        match then {
            AfterPonder::Asking => self.gone_from(now, side, end),
            AfterPonder::Over => {
                self.spoilt[side.index()] = true;
                self.phase = self.after_end();
            }
        }
    }
}
