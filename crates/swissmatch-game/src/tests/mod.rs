//! Games played without engines: the tests set the time, so a flag falls to the microsecond.

mod adjudication;
mod attempts;
mod check;
mod claims;
mod clocks;
mod doubt;
mod draws;
mod endings;
mod flag_falls;
mod ponder;
mod protocol;
mod readiness;
mod said;
mod schedule;
mod seen;
mod service;
mod variants;

use std::collections::VecDeque;
use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;

use super::Side;
use super::adjudicate::{AdjudicationRules, TablebaseVerdict};
use super::doubt::MeasuredTime;
use super::flag_fall::FlagFall;
use super::opening::Opening;
use super::play::{Game, Input, Output};
use super::record::{AttemptEnd, Attempts, Bounds, EngineEnd, GameId, GameLimits, GameRecord, GameSpec};
use super::rules::{Claims, PliesFrom};
use super::termination::BothFailed;
use super::time_control::{Clock, Limit, TimeControl};
use super::variant::Variant;

use shakmaty::Chess;

const SECOND: Duration = Duration::from_secs(1);
const MILLI: Duration = Duration::from_millis(1);
const MICRO: Duration = Duration::from_micros(1);

/// Thirty seconds a move and three attempts, which illegal moves share: the reference protocol.
pub(crate) fn protocol_limits() -> GameLimits {
    GameLimits {
        time_controls: both(Limit::MoveTime(30 * SECOND)),
        margins: [Duration::ZERO; 2],
        move_overhead: 50 * MILLI,
        attempts: Attempts::Shared(3),
        attempts_share: false,
        max_plies: Some(400),
        plies_from: PliesFrom::Opening,
        claims: Claims::Automatic,
        both_failed: BothFailed::Lost,
        ready_limit: 10 * SECOND,
        step_limit: SECOND,
        restart_limits: [2 * SECOND; 2],
        threads: [1; 2],
        stop_grace: SECOND,
        start_attempts: 3,
        ponder: [false; 2],
        freeze: false,
        resigns: [false; 2],
        flag_fall: FlagFall::DrawIfCannotMate,
    }
}

fn both(limit: Limit) -> [TimeControl; 2] {
    [limit.clone().into(), limit.into()]
}

fn clock_limits(base: Duration, increment: Duration, moves: Option<u32>) -> GameLimits {
    GameLimits {
        time_controls: both(Limit::Clock(Clock {
            moves,
            increment,
            ..Clock::sudden_death(base)
        })),
        ..protocol_limits()
    }
}

pub(crate) fn spec(limits: GameLimits) -> GameSpec {
    GameSpec {
        id: GameId {
            round: 1,
            playoff: 0,
            board: 1,
            game: 1,
        },
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits,
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

fn from_fen(limits: GameLimits, fen: &str) -> GameSpec {
    GameSpec {
        opening: Opening {
            fen: Some(fen.to_owned()),
            ..Opening::start(Variant::Standard)
        },
        ..spec(limits)
    }
}

/// What an engine of the script does when it is asked.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// Writes this text after this time.
    Says(Duration, &'static str),
    /// Writes this score, then this move, at once; an empty score is left out.
    Holds(&'static str, &'static str),
    /// Stays silent until the runner sends `stop`; then writes this text, this long after it.
    OverrunsThen(Duration, &'static str),
    /// Stays silent for ever.
    Nothing,
    /// Does not read what is written to it.
    ReadsNothing,
    /// Reads it after the first time, and writes the text after the second.
    TakesLate(Duration, Duration, &'static str),
    /// Ends.
    Goes(EngineEnd),
}

/// A game against a script: each entry answers one `go`, in turn. Everything else is answered at once.
struct Script {
    game: Game,
    now: Duration,
    sent: Vec<String>,
    restarts: Vec<Side>,
    /// How long each `isready`, in turn, takes to be answered; after the last, at once. Likewise for new starts.
    ready: VecDeque<Duration>,
    starts: VecDeque<Duration>,
    /// The measurements of overruns, in turn; after the last, nothing.
    measured: VecDeque<MeasuredTime>,
    /// What the broker says of each answer, in turn; after the last, nothing.
    told: VecDeque<(Duration, Option<AttemptEnd>)>,
    tables: Option<fn(&Chess) -> Option<TablebaseVerdict>>,
}

impl Script {
    fn new(spec: GameSpec) -> Self {
        let game = Game::new(spec).expect("a legal opening");
        Self {
            game,
            now: Duration::ZERO,
            sent: Vec::new(),
            restarts: Vec::new(),
            ready: VecDeque::new(),
            starts: VecDeque::new(),
            measured: VecDeque::new(),
            told: VecDeque::new(),
            tables: None,
        }
    }

    /// Makes each `isready` and each new start, in turn, take this long.
    fn slowly(mut self, ready: &[Duration], starts: &[Duration]) -> Self {
        (self.ready, self.starts) = (ready.to_vec().into(), starts.to_vec().into());
        self
    }

    /// Plays the script; the game must end exactly at its end.
    fn play(mut self, script: &[Does]) -> PlayedGame {
        let mut script = script.iter().copied();
        let mut doing = None;
        loop {
            match self.game.poll(self.now) {
                Output::Send { until, .. } => {
                    let text = String::from_utf8_lossy(self.game.outgoing()).into_owned();
                    if text.contains("\ngo ") {
                        doing = Some(script.next().unwrap_or_else(|| panic!("asked too often: {text}")));
                        if let Some(Does::ReadsNothing) = doing {
                            self.now = until;
                            self.game.handle(self.now, Input::Deadline);
                            continue;
                        }
                    }
                    let mut was_full = false;
                    if text.contains("\ngo ")
                        && let Some(Does::TakesLate(waits, ..)) = doing
                    {
                        self.now += waits;
                        was_full = true;
                    }
                    self.sent.push(text);
                    self.game.handle(self.now, Input::Sent { was_full });
                }
                Output::Wait { until, .. } => self.answer(until, doing),
                Output::Restart { side, within } => {
                    self.restarts.push(side);
                    let (takes, waited) = (self.starts.pop_front().unwrap_or_default(), Duration::ZERO);
                    let too_long = within.is_some_and(|within| takes > within);
                    self.now += within.map_or(takes, |within| takes.min(within));
                    self.game.handle(
                        self.now,
                        match too_long {
                            true => Input::StartTooLong { waited },
                            false => Input::Restarted { waited },
                        },
                    );
                }
                Output::Probe => {
                    let verdict = self.tables.and_then(|tables| tables(self.game.position()));
                    self.game.handle(self.now, Input::Probed(verdict));
                }
                Output::Doubt { .. } => {
                    let measured = self.measured.pop_front().unwrap_or_default();
                    self.game.handle(self.now, Input::Doubt(measured));
                }
                Output::Over => break,
            }
        }
        assert_eq!(script.count(), 0, "the game ended before its script");
        let spoilt = Side::BOTH.map(|side| self.game.is_spoilt(side));
        let (record, transcript) = self.game.finish();
        PlayedGame {
            record,
            sent: self.sent,
            restarts: self.restarts,
            spoilt,
            transcript: transcript.render(),
            took: self.now,
        }
    }

    fn answer(&mut self, until: Duration, doing: Option<Does>) {
        let last = self.sent.last().expect("something was sent").clone();
        if last.ends_with("isready\n") {
            let takes = self.ready.pop_front().unwrap_or_default();
            let in_time = self.now + takes <= until;
            self.now = until.min(self.now + takes);
            self.game.handle(
                self.now,
                match in_time {
                    true => Input::Line(b"readyok"),
                    false => Input::Deadline,
                },
            );
            return;
        }
        let stopped = last.ends_with("stop\n");
        match doing.expect("something was asked") {
            Does::Says(after, line) | Does::TakesLate(_, after, line) => {
                self.now += after;
                if let Some((service, end)) = self.told.pop_front() {
                    self.game.of_service(service, end);
                }
                self.game.handle(self.now, Input::Line(line.as_bytes()));
            }
            Does::Holds(score, uci) => {
                let info = format!("info depth 5 score {score}");
                if !score.is_empty() {
                    self.game.handle(self.now, Input::Line(info.as_bytes()));
                }
                self.game
                    .handle(self.now, Input::Line(format!("bestmove {uci}").as_bytes()));
            }
            Does::OverrunsThen(after, line) if stopped => {
                self.now += after;
                self.game.handle(self.now, Input::Line(line.as_bytes()));
            }
            Does::Goes(end) => self.game.handle(self.now, Input::Closed(end)),
            Does::OverrunsThen(..) | Does::Nothing | Does::ReadsNothing => {
                self.now = until;
                self.game.handle(self.now, Input::Deadline);
            }
        }
    }
}

struct PlayedGame {
    record: GameRecord,
    sent: Vec<String>,
    restarts: Vec<Side>,
    spoilt: [bool; 2],
    transcript: String,
    took: Duration,
}

impl PlayedGame {
    fn gos(&self) -> Vec<&str> {
        self.sent
            .iter()
            .filter_map(|text| text.lines().find(|line| line.starts_with("go")))
            .collect()
    }
}

/// Both sides answer with these moves at once.
fn moves(line: &'static [&'static str]) -> Vec<Does> {
    line.iter().map(|bestmove| Does::Says(MILLI, bestmove)).collect()
}

/// Fool's mate, as engines would write it.
const FOOLS_MATE: [&str; 4] = ["bestmove f2f3", "bestmove e7e5", "bestmove g2g4", "bestmove d8h4"];
