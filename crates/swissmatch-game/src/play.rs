//! One game, sans-IO: `poll` says what to do, `handle` is told what happened.
//!
//! All times are since the game began, and come from the caller. May not: ask the time, touch pipes or processes.
//! This module keeps the contract on limits: what is sent, when a clock runs, when a move is late.
//!
//! - **Sent.** `position startpos|fen … moves …` and `go …` leave in one write. Each side has its own control: docs/time-controls.md.
//!   - Under a time per move the engine gets `go movetime` = limit − `game.move_overhead`, and less the time that ending a ponder search
//!     took. The overhead is at most a tenth of the limit.
//!   - Under a clock it gets `wtime btime winc binc` and, if a stage follows, `movestogo`, in whole milliseconds rounded down, times never
//!     below 1. A delay is sent as an increment.
//!   - `nodes` and `depth` are added if set. The time limit stays: if there are only bounds it is 60 s per move, which is not sent.
//! - **Runs.** A side's clock starts when its `go` has been written in full and stops when its `bestmove` line was read. If its input is
//!   full, so that the write has to wait for it, the clock starts with the first try.
//!   - Deadlines are absolute: no output moves them. What a side says unasked is thrown away, at the latest before its next `go`; what it
//!     says while it ponders is kept for its move.
//!   - A pondering side's clock runs from its `ponderhit`. A search that missed is stopped; the time it takes to end is part of the move.
//! - **Judges.** A move may take its limit (under a simple delay the time left on the clock and the delay), `game.margin`, and the doubt.
//!   The times that the engine was sent do not matter.
//!   - The **doubt** of a time is the part that the machine may have taken: how long the runner waited for a processor when it could have
//!     read the answer; its pauses; and how long the mover's threads waited for a processor (the longest wait of one, or all waits over the
//!     declared threads). The time that its processes ran and waited beyond declared threads × time is subtracted: off the longest wait no
//!     more than they ran, off all waits twice that.
//!   - An answer later than limit and doubt never counts, even if it was read before `stop` could be sent. An answer within them counts,
//!     also after `stop`.
//!   - At the limit the doubt so far moves the deadline, again until that grows by less than a millisecond. Then `stop` is sent. Without a
//!     `bestmove` within `engine.stop_grace`, moved likewise, the whole process tree is killed and the engine started anew.
//!   - For a side that is asked over the network, the time that the broker attributes to the service is off the clock: an answer is
//!     judged and charged without it. Until an answer comes, all of it counts in the doubt.
//!   - The core (this file) asks for the doubt of a time (`Output::Doubt`) and judges; the shell measures. A clock is charged with the
//!     whole time and goes no lower than zero before the increment. Each use of doubt is in the record with its figures.
//! - **Getting in step.** Under a time per move the engine is brought in step with `isready` after every failed attempt, so that a stray
//!   answer costs only one attempt. The next attempt has the full limit.
//!   - To get in step an engine has, after a refused answer, the rest of that answer's limit; after an overrun `engine.step_limit`; as a
//!     new process as long as it took to start before the event, and `engine.step_limit`. An engine that takes longer has failed the next
//!     attempt too, as an overrun, and is killed.
//!   - Between games each process has `engine.ready_limit` once, and `engine.step_limit` more for each game that it began. An engine that
//!     has used more forfeits the next game. Getting ready before a game counts from the time when the other side is no longer waited for.
//! - **Counts.** Under a time per move, and with only bounds, a move has `game.attempts` attempts; under a clock an overrun loses at once,
//!   unless the other side cannot mate (`game.flag_fall`).
//!   - Illegal and unparsable moves share those attempts (`"shared"`) or have their own number; under a clock they are tried again on the
//!     running clock, and share the delay of the move.
//!   - Attempts that share a time per move (`game.attempts_share`) follow each other at once, as under a clock; using it up loses.
//!   - The last failure names the termination. A crash or a closed pipe loses as soon as something is asked of that side.
//! - Tests: `src/tests/` (time is an input: flag falls to the microsecond), `tests/whole/faults/`, `tests/whole/clock.rs`.

mod adjudication;
mod attempts;
mod doubt;
mod ponder;
mod ready;
mod sent;
mod service;
mod show;

use std::time::Duration;

use self::doubt::Looking;
use self::ponder::{AfterPonder, PonderState};
pub use self::ready::PreparationTime;
use self::ready::{Late, Readiness, ReadyReason};
use self::service::OfService;

use super::Side;
use super::adjudicate::{Adjudicator, TablebaseVerdict};
use super::clock::Clocks;
use super::doubt::{Doubt, MeasuredTime};
use super::opening::OpeningError;
use super::record::{AttemptEnd, EngineEnd, GameRecord, GameSpec};
use super::rules::Board;
use super::said::InfoLines;
use super::termination::{Outcome, Termination};
use super::transcript::{Direction, Room, Transcript};
use super::uci::{self, UciLine};

/// An event, always about the side that the last [`Output`] named.
#[derive(Clone, Debug)]
pub enum Input<'a> {
    /// The bytes of [`Game::outgoing`] have been written whole.
    Sent {
        /// True if the pipe was full at first, so that the engine had to be waited for.
        was_full: bool,
    },
    /// A line was read; its end is not part of it.
    Line(&'a [u8]),
    /// The time given by `until` has come.
    Deadline,
    /// The engine has ended, or a pipe to it was closed.
    Closed(EngineEnd),
    /// The engine has been killed and a new process is ready.
    Restarted {
        /// The part of the time since then that was spent on killing, and on waiting for what the machine lacked.
        waited: Duration,
    },
    /// The engine was killed; a new process was not ready in time and was killed too.
    StartTooLong {
        /// As in [`Input::Restarted`].
        waited: Duration,
    },
    /// The engine was killed, and no new process got ready.
    StartFailed,
    /// The tablebases' verdict on [`Game::position`]; `None` if they do not know.
    Probed(Option<TablebaseVerdict>),
    /// The measurement that [`Output::Doubt`] asked for.
    Doubt(MeasuredTime),
}

/// The next thing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// Write [`Game::outgoing`] to `side`; give up at `until`.
    Send {
        side: Side,
        until: Duration,
        /// True if this asks something new, so that nothing said so far answers it.
        fresh: bool,
        /// True if this starts a time that [`Output::Doubt`] may ask about.
        begins: bool,
    },
    /// Read a line from `side`, until `until`.
    Wait {
        side: Side,
        until: Duration,
        /// What the other side does meanwhile.
        other: Meanwhile,
    },
    /// Kill the process tree of `side` and start the engine anew.
    Restart {
        side: Side,
        /// The most time for the start, if limited.
        within: Option<Duration>,
    },
    /// Ask the tablebases about [`Game::position`]; no clock runs.
    Probe,
    /// `side` is over its time, which began at `since`: measure what part of it, up to now, was not the engine's.
    Doubt {
        side: Side,
        /// When that time began, from the start of the game.
        since: Duration,
        /// True if the side has answered; otherwise it is still waited for, and slow measurements are skipped.
        answered: bool,
    },
    /// The game is over: call [`Game::finish`].
    Over,
}

/// What a side does while the other is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meanwhile {
    /// Nothing was asked of it: its output is thrown away.
    Rests,
    /// It has been asked something too: its output is its answer, and is left for later.
    Answers,
    /// It ponders: its output is kept for later, so that it need not wait for a reader.
    Ponders,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GamePhase {
    /// Both sides must be ready before a move is asked for.
    GettingReady,
    /// `position` and `go` are to be written; `since` is the first try.
    Asking {
        since: Option<Duration>,
    },
    /// The side that has just moved is about to be told what to ponder on; `since` is the first try.
    SendPonder {
        since: Option<Duration>,
    },
    /// `stop` is to be written to a side that ponders; `since` is the first try.
    StopPonder {
        side: Side,
        since: Option<Duration>,
        then: AfterPonder,
    },
    /// Waiting for the `bestmove` that answers that `stop`, written at `sent`.
    AwaitPonder {
        side: Side,
        sent: Duration,
        until: Duration,
        then: AfterPonder,
    },
    /// The clock has been running since `sent`.
    Thinking {
        sent: Duration,
        until: Duration,
    },
    /// The limit is over: `stop` is to be written, until the end of the grace.
    SendStop {
        sent: Duration,
        until: Duration,
    },
    /// Waiting for the late `bestmove`.
    Stopping {
        sent: Duration,
        until: Duration,
    },
    /// A new process is to be started; `since` is when that was asked for.
    Restarting {
        side: Side,
        since: Option<Duration>,
    },
    /// The rules did not end the game after the move; the tablebases may.
    Probing,
    Over,
}

#[derive(Debug)]
pub struct Game {
    spec: GameSpec,
    board: Board,
    clocks: Clocks,
    adjudicator: Adjudicator,
    phase: GamePhase,
    readiness: [Readiness; 2],
    /// How often each side failed to get ready.
    unready: [u32; 2],
    /// The time that each side's process has used to get ready between games.
    prepared: [PreparationTime; 2],
    /// Failed attempts of each side at its present move, or at the next.
    overruns: [u32; 2],
    illegal: [u32; 2],
    /// `position …`, which grows, then whatever follows it in this write.
    outgoing: Vec<u8>,
    position_len: usize,
    has_moves: bool,
    said: InfoLines,
    /// See [`Game::wakeup`].
    wakeup: Option<Duration>,
    /// See [`Game::of_service`].
    of_service: Option<OfService>,
    /// The overrun that is being looked into.
    looking: Option<Looking>,
    /// How far doubt has moved each side's deadline.
    moved: [Duration; 2],
    /// The doubt about the time being judged.
    found: Option<Doubt>,
    record: GameRecord,
    transcript: Transcript,
    /// Sides whose process must not be used again.
    spoilt: [bool; 2],
    pondered: PonderState,
    /// Set if the first clock runs by the schedule and nobody has been asked for a move yet.
    late: Option<Late>,
}

impl Game {
    /// A game about to begin, with both engines up.
    ///
    /// # Errors
    /// When the opening is illegal.
    pub fn new(spec: GameSpec) -> Result<Self, OpeningError> {
        let board = Board::new(&spec.opening)?;
        let mut outgoing = Vec::with_capacity(4096);
        match &spec.opening.fen {
            None => outgoing.extend_from_slice(b"position startpos"),
            Some(fen) => {
                outgoing.extend_from_slice(b"position fen ");
                outgoing.extend_from_slice(fen.as_bytes());
            }
        }
        let mut game = Self {
            clocks: Clocks::new(&spec.limits),
            board,
            adjudicator: Adjudicator::new(spec.adjudication),
            phase: GamePhase::GettingReady,
            readiness: [Readiness::due(ReadyReason::Game); 2],
            unready: [0; 2],
            prepared: [PreparationTime::default(); 2],
            overruns: [0; 2],
            illegal: [0; 2],
            position_len: outgoing.len(),
            has_moves: false,
            outgoing,
            said: InfoLines::default(),
            wakeup: None,
            of_service: None,
            looking: None,
            moved: [Duration::ZERO; 2],
            found: None,
            record: GameRecord::begin(&spec),
            transcript: Transcript::default(),
            spoilt: [false; 2],
            pondered: PonderState::default(),
            late: None,
            spec,
        };
        for uci in game.spec.opening.moves.clone() {
            game.extend_position(uci);
        }
        if let Some((outcome, termination)) = game.board.ending(game.spec.limits.ends()) {
            game.end(outcome, termination);
        }
        Ok(game)
    }

    /// Limits the transcript to the given room.
    #[must_use]
    pub fn keeping(mut self, room: Room) -> Self {
        self.transcript = Transcript::within(room);
        self
    }

    /// The bytes to write for [`Output::Send`].
    pub fn outgoing(&self) -> &[u8] {
        match self.phase {
            GamePhase::GettingReady | GamePhase::SendStop { .. } | GamePhase::StopPonder { .. } => {
                &self.outgoing[self.position_len..]
            }
            GamePhase::Asking { .. } if self.pondered.is_hit() => &self.outgoing[self.position_len..],
            _ => &self.outgoing,
        }
    }

    pub fn poll(&mut self, now: Duration) -> Output {
        if let Some(ask) = self.poll_doubt() {
            return ask;
        }
        match self.phase {
            GamePhase::GettingReady => self.poll_readiness(now),
            GamePhase::Asking { since } => {
                let side = self.board.turn();
                // The wait for the end of a search that missed is part of the move.
                let begins = since.is_none() && self.pondered.waited().is_zero();
                let since = since.unwrap_or_else(|| {
                    self.write_go(side);
                    self.phase = GamePhase::Asking { since: Some(now) };
                    now
                });
                if begins {
                    self.moved[side.index()] = Duration::ZERO;
                }
                Output::Send {
                    side,
                    until: since + self.judged_limit(side),
                    // What the engine said while it pondered on this very move belongs to this move.
                    fresh: !self.pondered.is_hit(),
                    begins,
                }
            }
            GamePhase::SendPonder { .. } | GamePhase::StopPonder { .. } | GamePhase::AwaitPonder { .. } => {
                self.poll_ponder(now)
            }
            GamePhase::Thinking { until, .. } | GamePhase::Stopping { until, .. } => Output::Wait {
                side: self.board.turn(),
                until: until + self.moved[self.board.turn().index()],
                other: if self.pondered.is_by(self.board.turn().other()) {
                    Meanwhile::Ponders
                } else {
                    Meanwhile::Rests
                },
            },
            GamePhase::SendStop { until, .. } => {
                self.set_outgoing(b"stop\n");
                Output::Send {
                    side: self.board.turn(),
                    until: until + self.moved[self.board.turn().index()],
                    fresh: false,
                    begins: false,
                }
            }
            GamePhase::Restarting { side, since } => {
                self.phase = GamePhase::Restarting {
                    side,
                    since: since.or(Some(now)),
                };
                let limit = self.spec.limits.restart_limits[side.index()];
                let within = self.is_under_way().then_some(limit);
                Output::Restart { side, within }
            }
            GamePhase::Probing => Output::Probe,
            GamePhase::Over => Output::Over,
        }
    }

    /// Tells how long the caller, when it could go on reading, waited for a processor. To be called before the
    /// [`Input::Line`] that it belongs to; recorded with the move if that line is one. `None` if not known.
    pub fn wakeup(&mut self, delay: Option<Duration>) {
        self.wakeup = delay;
    }

    /// Tells the processor time of `side` for its last move, if it was measured.
    pub fn worked(&mut self, side: Side, time: Option<Duration>) {
        // A side that has been asked for a move and has not given one yet was not measured for a move.
        let is_of_last_move = self.board.turn() != side && self.record.plies() > 0;
        if let Some(time) = time.filter(|_| is_of_last_move) {
            let last = self.record.plies() - 1;
            self.record.processor_us.resize(last, None);
            self.record.processor_us.push(Some(micros(time)));
        }
    }

    /// Tells what happened at `now`.
    pub fn handle(&mut self, now: Duration, input: Input<'_>) {
        if let Input::Doubt(measured) = input {
            return self.handle_doubt(measured);
        }
        if matches!(input, Input::Deadline) && self.looks_into_deadline(now) {
            return;
        }
        match self.phase {
            GamePhase::GettingReady => self.handle_readiness(now, input),
            GamePhase::Asking { since } => match input {
                Input::Sent { was_full } => {
                    let side = self.board.turn();
                    self.log(now, side, Direction::Sent, self.position_len, true);
                    // The wait for the end of a search that missed is part of the move: see `ponder`.
                    let sent = begun(now, since, was_full).saturating_sub(self.pondered.begun(side));
                    self.phase = GamePhase::Thinking {
                        sent,
                        until: sent + self.judged_limit(side),
                    };
                }
                Input::Deadline => self.fail(now, now.saturating_sub(since.unwrap_or(now)), AttemptEnd::Silent),
                Input::Closed(end) => self.gone(now, end),
                _ => {}
            },
            GamePhase::SendPonder { .. } | GamePhase::StopPonder { .. } | GamePhase::AwaitPonder { .. } => {
                self.handle_ponder(now, input);
            }
            GamePhase::Thinking { sent, .. } => match input {
                Input::Line(line) => self.thinking_line(now, sent, line),
                Input::Closed(end) => self.gone(now, end),
                _ => {}
            },
            GamePhase::SendStop { sent, until } => match input {
                Input::Sent { .. } => {
                    self.log(now, self.board.turn(), Direction::Sent, self.position_len, true);
                    self.phase = GamePhase::Stopping { sent, until };
                }
                Input::Deadline => self.fail(now, now.saturating_sub(sent), AttemptEnd::Silent),
                Input::Closed(end) => self.gone(now, end),
                _ => {}
            },
            GamePhase::Stopping { .. } => match input {
                Input::Line(line) => {
                    let read = uci::read(line);
                    let answered = matches!(read, UciLine::BestMove(_));
                    self.transcript
                        .add(now, self.board.turn(), Direction::Received, line, answered);
                    if answered {
                        self.look_into_answer(now, line);
                    }
                }
                Input::Closed(end) => self.gone(now, end),
                _ => {}
            },
            GamePhase::Restarting { side, since } => self.handle_restart(now, side, since.unwrap_or(now), input),
            GamePhase::Probing => {
                if let Input::Probed(verdict) = input {
                    self.adjudicate(verdict);
                }
            }
            GamePhase::Over => {}
        }
    }

    fn thinking_line(&mut self, now: Duration, sent: Duration, line: &[u8]) {
        let side = self.board.turn();
        match uci::read(line) {
            read @ (UciLine::Score | UciLine::BadScore | UciLine::Details) => {
                self.transcript.add(now, side, Direction::Received, line, false);
                self.said.line(line, &read);
            }
            UciLine::BestMove(_) => {
                self.transcript.add(now, side, Direction::Received, line, true);
                let elapsed = self.own_time(now.saturating_sub(sent));
                match elapsed > self.judged_limit(side) {
                    true => self.look_into_answer(now, line),
                    false => self.answered(now, side, line, elapsed),
                }
            }
            _ => self.transcript.add(now, side, Direction::Received, line, false),
        }
    }

    /// Handles an answer that `side` gave in time.
    fn answered(&mut self, now: Duration, side: Side, line: &[u8], elapsed: Duration) {
        let UciLine::BestMove(text) = uci::read(line) else {
            return;
        };
        if let Some(end) = self.of_service.as_mut().and_then(|of_service| of_service.end.take()) {
            return self.fail(now, elapsed, end);
        }
        if self.spec.limits.resigns[side.index()] && text.eq_ignore_ascii_case(uci::RESIGN.as_bytes()) {
            return self.end(Outcome::win(side.other()), Termination::Resignation { by: side });
        }
        let Some(uci) = uci::read_move(text) else {
            self.fail(now, elapsed, AttemptEnd::Unparsable(uci::kept(text)));
            return;
        };
        match self.board.legal(&uci) {
            Some(legal) => {
                self.pondered_on(side, legal, uci::ponder_word(line));
                self.accept(side, legal, elapsed);
            }
            None => self.fail(now, elapsed, AttemptEnd::Illegal(uci.to_string())),
        }
    }

    fn accept(&mut self, side: Side, legal: shakmaty::Move, elapsed: Duration) {
        let uci = self.board.uci(legal);
        self.board.play(legal);
        if !self.record.moves.is_empty() {
            self.record.moves.push(' ');
        }
        let before = self.position_len;
        self.extend_position(uci);
        let written = &self.outgoing[before..self.position_len];
        let text = written.rsplit(|b| *b == b' ').next().unwrap_or_default();
        self.record
            .moves
            .push_str(std::str::from_utf8(text).unwrap_or_default());
        self.record.time_us.push(micros(elapsed));
        if let Some(left) = self.clocks.moved(side, elapsed) {
            self.record.clock_us.push(micros(left));
        }
        self.record.wakeup_us.push(self.wakeup.take().map(micros));
        self.took_of_service();
        self.record.push_said(self.board.plies() - 1, &self.said.info());
        (self.overruns[side.index()], self.illegal[side.index()]) = (0, 0);
        self.found = None;
        self.unready[side.index()] = 0;
        match self.board.ending(self.spec.limits.ends()) {
            Some((outcome, termination)) => self.end(outcome, termination),
            None if self.adjudicator.asks_tables(self.board.position()) => self.phase = GamePhase::Probing,
            None => self.adjudicate(None),
        }
    }

    /// The arbiter ends the game, whatever is going on; both engines may be thinking, and are not used again.
    pub fn end_by_arbiter(&mut self, outcome: Outcome) {
        let is_over = match self.phase {
            GamePhase::StopPonder { then, .. } | GamePhase::AwaitPonder { then, .. } => {
                matches!(then, AfterPonder::Over)
            }
            phase => phase == GamePhase::Over,
        };
        if !is_over {
            self.spoilt = [true; 2];
            self.end(outcome, Termination::ArbiterAdjudication);
        }
    }

    fn end(&mut self, outcome: Outcome, termination: Termination) {
        self.looking = None;
        self.record.outcome = outcome;
        self.record.termination = termination;
        self.phase = self.after_end();
    }

    /// The limit that judges the next move of `side`.
    fn judged_limit(&self, side: Side) -> Duration {
        self.clocks.limit(side) + self.spec.limits.margins[side.index()]
    }

    /// True if the process of `side` must be ended and not used for another game.
    pub const fn is_spoilt(&self, side: Side) -> bool {
        self.spoilt[side.index()]
    }

    /// The record and the transcript of a game that is [`Output::Over`].
    pub fn finish(mut self) -> (GameRecord, Transcript) {
        self.record.drop_empty_columns();
        #[cfg(test)]
        if self.phase == GamePhase::Over {
            assert_eq!(self.record.check(&self.spec), Ok(()), "{:#?}", self.record);
        }
        (self.record, self.transcript)
    }
}

/// When the time for what was written at `now` began: at the end of the write or, if the engine did not take it at
/// once, at the first try.
fn begun(now: Duration, since: Option<Duration>, was_full: bool) -> Duration {
    since.filter(|_| was_full).unwrap_or(now)
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}
