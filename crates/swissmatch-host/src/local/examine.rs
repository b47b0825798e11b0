//! The steps in which one process is asked by itself: handshake, options, `isready`, `stop`, `quit`.
//!
//! May not: play games.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{Duration, Instant};

use swiss_system::text::escaped;

use crate::cause;
use crate::confine::denied::Clues;
use crate::engine::{Engine, EngineAnswer, EngineCommand, Quit};
use crate::host::ExaminationReport;
use swissmatch_game::conformance::{CheckStep, StepReport, gone};
use swissmatch_game::excerpt::SaidLines;
use swissmatch_game::handshake::{self, Cause, Introduction, StartError};
use swissmatch_game::isolation::Lack;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::EngineEnd;
use swissmatch_game::rules::Board;
use swissmatch_game::transcript::Direction;
use swissmatch_game::uci::{self, DeclaredOption, OptionKind, UciLine};
use swissmatch_game::variant::Variant;
use swissmatch_tournament::setup::EngineKeys;

/// How long it searches before it is told to stop.
const SEARCH: Duration = Duration::from_millis(300);
/// How long to wait for a `readyok` while it searches.
const BUSY: Duration = Duration::from_secs(1);
/// How many times it is stopped, and for how long.
const STOPS: u32 = 3;
const STOP: Duration = Duration::from_millis(20);
/// What to do about an agent that does not survive being stopped.
const STOPPED: &str = "a call that waits may come back with EINTR once a program goes on: it has to be made again; `game.freeze = false` stops \
                       no agent while its opponent thinks";
/// The values for common options, within their bounds.
const COMMON: [(&str, i64); 2] = [("Hash", 16), ("Threads", 1)];

/// The outcome of a question, with what was said.
struct Talk<'a> {
    engine: &'a mut Engine,
    said: SaidLines,
    begin: Instant,
}

impl<'a> Talk<'a> {
    fn with(engine: &'a mut Engine) -> Self {
        Self {
            engine,
            said: SaidLines::default(),
            begin: Instant::now(),
        }
    }

    fn ask<T>(&mut self, lines: &str, limit: Duration, mut answer: impl FnMut(&[u8]) -> Option<T>) -> EngineAnswer<T> {
        let Self { engine, said, begin } = self;
        for line in lines.lines() {
            said.add(begin.elapsed(), Direction::Sent, line.as_bytes());
        }
        engine.ask(lines.as_bytes(), limit, |line| {
            said.add(begin.elapsed(), Direction::Received, line);
            answer(line)
        })
    }

    fn is_ready(&mut self, before: &str, limit: Duration) -> EngineAnswer<()> {
        self.ask(&format!("{before}isready\n"), limit, |line| {
            (uci::read(line) == UciLine::ReadyOk).then_some(())
        })
    }

    fn best_move(&mut self, lines: &str, limit: Duration) -> EngineAnswer<Vec<u8>> {
        self.ask(lines, limit, |line| match uci::read(line) {
            UciLine::BestMove(word) => Some(word.to_vec()),
            _ => None,
        })
    }
}

/// An agent that is asked by itself, step by step.
#[derive(Debug)]
pub(super) struct Examination {
    command: EngineCommand,
    keys: EngineKeys,
    /// It is stopped while its opponent thinks.
    freezes: bool,
    /// It is asked once a move, so it never searches without end.
    asked_once: bool,
    introduction: Option<Introduction>,
    /// An option of the event that it did not accept.
    refused: Option<String>,
    /// Options that it declared and that could not be read, made harmless.
    unread_options: Vec<String>,
    /// What it seems to lack, if it did not start.
    lacks: Vec<Lack>,
    /// Its process between two steps.
    engine: Option<Engine>,
}

impl Examination {
    /// An examination that has asked nothing yet.
    pub(super) const fn new(command: EngineCommand, keys: EngineKeys, freezes: bool, asked_once: bool) -> Self {
        Self {
            command,
            keys,
            freezes,
            asked_once,
            introduction: None,
            refused: None,
            unread_options: Vec::new(),
            lacks: Vec::new(),
            engine: None,
        }
    }

    /// Carries out one step.
    ///
    /// # Errors
    /// The machine lacks something.
    pub(super) fn step(&mut self, step: CheckStep) -> io::Result<ExaminationReport> {
        let seen = match step {
            CheckStep::Handshake => self.handshake()?,
            CheckStep::Options => self.options(),
            CheckStep::IsReady => self.is_ready()?,
            CheckStep::Stop => self.stop()?,
            CheckStep::Quit => self.quit()?,
            CheckStep::Service
            | CheckStep::Positions
            | CheckStep::TimeKeeping
            | CheckStep::Determinism
            | CheckStep::SelfPlay
            | CheckStep::Memory
            | CheckStep::Qualification => StepReport::not_reached("it needs games"),
        };
        let introduction = self.introduction.clone();
        Ok(ExaminationReport {
            seen,
            introduction,
            lacks: std::mem::take(&mut self.lacks),
        })
    }

    fn handshake(&mut self) -> io::Result<StepReport> {
        let mut said = SaidLines::default();
        let mut clues = Clues::default();
        let mut has_printed = false;
        let mut introduced = None;
        let mut unread = Vec::new();
        let begin = Instant::now();
        let started = Engine::start_heard(&self.command, &mut |at, direction, line| {
            said.add(at, direction, line);
            clues.hear(direction, line);
            has_printed |= direction != Direction::Sent && !line.trim_ascii().is_empty();
            match uci::read(line) {
                _ if direction != Direction::Received => {}
                UciLine::UciOk => introduced = introduced.or(Some(at)),
                UciLine::Option(rest) if unread.len() < 20 => {
                    let read = uci::read_option(rest).filter(|option| option.kind != OptionKind::Unread);
                    unread.extend(read.is_none().then(|| uci::kept(line)));
                }
                _ => {}
            }
        });
        self.unread_options = unread;
        let (engine, introduction) = match started {
            Ok(started) => started,
            Err(StartError::Host(why)) => return Err(io::Error::other(why)),
            Err(StartError::Option(refused)) => {
                self.refused = Some(escaped(refused.to_string()));
                return Ok(StepReport::pass(in_time("uciok", introduced)));
            }
            Err(failure) => {
                let (lacks, cause) = cause::of_failure(&self.command, &failure, &clues);
                self.lacks = lacks;
                let key = failure.key().map_or_else(String::new, |key| format!(" ({key})"));
                let why = Cause::in_words(cause.as_ref(), &failure) + &key;
                if let Some(cause) = cause {
                    return Ok(StepReport::fail(why, &cause.remedy).with(said.lines()));
                }
                let remedy = match &failure {
                    StartError::NotRun(_) => "is it a program for this machine, with the libraries it needs?",
                    StartError::Ended if has_printed => "run it by hand; what it printed last is above",
                    StartError::Ended => "run it by hand; it printed nothing",
                    StartError::OverLimit(_) => "if that is right for it, raise this key for the event",
                    StartError::NoUciOk(_) | StartError::NotRead(_) => "it has to answer `uci` with `uciok`",
                    StartError::Silent(_) | StartError::Unflushed(_) => handshake::FLUSH,
                    _ => "it has to answer `isready` with `readyok` once its options are set",
                };
                let command = &self.command;
                let remedy = command
                    .isolated
                    .isolation
                    .remedy(remedy, command.launch.directory == command.base);
                return Ok(StepReport::fail(why, &remedy).with(said.lines()));
            }
        };
        let ready = begin.elapsed().as_millis();
        self.engine = Some(engine);
        let seen = format!("{}, ready after {ready} ms", in_time("uciok", introduced));
        let has_name = !introduction.name.is_empty() && !introduction.author.is_empty();
        self.introduction = Some(introduction);
        Ok(match has_name {
            true => StepReport::pass(seen),
            false => StepReport::warn(
                format!("{seen}; without `id name` or `id author`"),
                "say both before `uciok`",
            )
            .with(said.lines()),
        })
    }

    fn options(&mut self) -> StepReport {
        if let Some(refused) = &self.refused {
            return StepReport::fail(
                refused,
                "correct the options of the event file, or declare the option as UCI requires",
            );
        }
        let declared = self.introduction.as_ref().map_or(&[][..], |said| &said.options);
        let mut odd: Vec<String> = self
            .unread_options
            .iter()
            .map(|line| format!("not understood: {line}"))
            .collect();
        odd.extend(malformed(declared));
        let set = common(declared, |name| self.command.options.has_own(name));
        let lines = uci::set_options(&set, declared).unwrap_or_default().concat();
        let count = declared.len();
        let own = self
            .introduction
            .as_ref()
            .map(Introduction::declared)
            .unwrap_or_default();
        let own = self.command.options.for_engine(&own).len();
        let mut seen = format!("{count} declared");
        if own > 0 {
            seen += &format!(", {own} of the event set");
        }
        for (name, value) in &set {
            seen += &format!(", {name} = {value} taken");
        }
        let limit = self.keys.start_limit;
        let Some(engine) = &mut self.engine else {
            return StepReport::not_reached("it does not run");
        };
        let mut talk = Talk::with(engine);
        if let Some(silence) = silence(talk.is_ready(&lines, limit), (limit, "engine.start_limit")) {
            let seen = format!("after its options were set {silence} instead of `readyok`");
            let lines = talk.said.lines();
            self.engine = None;
            return StepReport::fail(seen, "it has to take every value within the bounds that it declares").with(lines);
        }
        match odd.is_empty() {
            true => StepReport::pass(seen),
            false => StepReport::warn(
                format!("{seen}; {} declared differently from what UCI requires", odd.len()),
                "`option name N type T …`, a default within `min` and `max`, each name once",
            )
            .with(odd),
        }
    }

    fn is_ready(&mut self) -> io::Result<StepReport> {
        let engine_keys = &self.keys;
        let (freezes, asked_once) = (self.freezes, self.asked_once);
        let (ready_limit, stop_grace) = (engine_keys.ready_limit, engine_keys.stop_grace);
        let engine = match self.running()? {
            Ok(engine) => engine,
            Err(seen) => return Ok(seen),
        };
        let mut talk = Talk::with(engine);
        let idle = match talk.is_ready("ucinewgame\n", ready_limit) {
            EngineAnswer::Answered((), took) => took,
            silent => {
                let what = silence(silent, (ready_limit, "engine.ready_limit")).unwrap_or_default();
                let lines = talk.said.lines();
                self.engine = None;
                return Ok(StepReport::fail(
                    format!("{what} after `ucinewgame` and `isready`"),
                    "it has to answer every `isready` with `readyok`",
                )
                .with(lines));
            }
        };
        let mut has_moved = false;
        let busy = (!asked_once).then(|| {
            talk.ask(
                "position startpos\ngo infinite\nisready\n",
                BUSY.min(ready_limit),
                |line| {
                    let read = uci::read(line);
                    has_moved |= matches!(read, UciLine::BestMove(_));
                    (read == UciLine::ReadyOk).then_some(())
                },
            )
        });
        let is_at_rest = asked_once || has_moved;
        let has_ended = is_at_rest || matches!(talk.best_move("stop\n", stop_grace), EngineAnswer::Answered(..));
        let in_step = has_ended && matches!(talk.is_ready("", ready_limit), EngineAnswer::Answered(..));
        let broken = in_step.then(|| broken_by_a_stop(&mut talk, ready_limit)).flatten();
        let lines = talk.said.lines();
        if !in_step || broken.is_some() {
            self.engine = None;
        }
        if let Some(how) = broken {
            let seen = format!("stopped and set going again while it waited for its input, {how}");
            return Ok(match freezes {
                true => StepReport::fail(seen, STOPPED),
                false => StepReport::warn(seen, STOPPED),
            }
            .with(lines));
        }
        let seen = format!("readyok after {}", ms(idle));
        Ok(match busy {
            None => StepReport::pass(seen),
            Some(EngineAnswer::Answered((), took)) => {
                StepReport::pass(format!("{seen}, after {} while it searches", ms(took)))
            }
            Some(EngineAnswer::Deadline) => StepReport::warn(
                format!("{seen}; none while it searches"),
                "UCI requires `readyok` during a search too; games here do not depend on it",
            )
            .with(lines),
            Some(EngineAnswer::Closed(end)) => StepReport::fail(
                format!("it {} at `isready` while it searches", gone(end)),
                "see its last lines",
            )
            .with(lines),
        })
    }

    fn stop(&mut self) -> io::Result<StepReport> {
        let grace = self.keys.stop_grace;
        let ready_limit = self.keys.ready_limit;
        let engine = match self.running()? {
            Ok(engine) => engine,
            Err(seen) => return Ok(seen),
        };
        let mut talk = Talk::with(engine);
        let early = talk.best_move("position startpos\ngo infinite\n", SEARCH);
        let (answer, took) = match &early {
            EngineAnswer::Answered(word, _) => (EngineAnswer::Answered(word.clone(), Duration::ZERO), None),
            _ => {
                let answer = talk.best_move("stop\n", grace);
                let took = match &answer {
                    EngineAnswer::Answered(_, took) => Some(*took),
                    _ => None,
                };
                (answer, took)
            }
        };
        let word = match answer {
            EngineAnswer::Answered(word, _) => word,
            silent => {
                let what = silence(silent, (grace, "engine.stop_grace")).unwrap_or_default();
                let lines = talk.said.lines();
                self.engine = None;
                return Ok(StepReport::fail(
                    format!("after `stop` {what} instead of `bestmove`"),
                    "it has to read its input while it searches, and answer `stop` with `bestmove` at once; an event kills it \
                     otherwise",
                )
                .with(lines));
            }
        };
        if !is_legal(&word) {
            let said = uci::kept(&word);
            return Ok(StepReport::fail(
                format!("after `stop` `bestmove {said}`, which is not a legal move in the start position"),
                "even a search that is stopped at once has to give a legal move",
            )
            .with(talk.said.lines()));
        }
        let ready = talk.is_ready("", ready_limit);
        let lines = talk.said.lines();
        if let Some(what) = silence(ready, (ready_limit, "engine.ready_limit")) {
            self.engine = None;
            return Ok(StepReport::fail(
                format!("after a search that was stopped {what} instead of `readyok`"),
                "it has to keep reading its input after `stop`",
            )
            .with(lines));
        }
        Ok(match took {
            Some(took) => StepReport::pass(format!("bestmove {} after `stop`", ms(took))),
            None => StepReport::warn(
                "it ended an endless search by itself, before `stop`",
                "after `go infinite`, UCI allows no `bestmove` before `stop`; games here do not depend on it",
            )
            .with(lines),
        })
    }

    fn quit(&mut self) -> io::Result<StepReport> {
        let grace = self.keys.quit_grace;
        if let Err(seen) = self.running()? {
            return Ok(seen);
        }
        let Some(engine) = self.engine.take() else {
            return Ok(StepReport::not_reached("it does not run"));
        };
        let Quit { end, took, left } = engine.quit();
        let names: Vec<String> = left.iter().map(escaped).collect();
        let remedy = "it has to end at `quit`, with every process that it started";
        Ok(match end {
            None | Some(EngineEnd::ClosedPipe) => StepReport::fail(
                format!(
                    "still there {} after `quit` (engine.quit_grace); it was killed",
                    ms(grace)
                ),
                remedy,
            ),
            Some(_) if !names.is_empty() => StepReport::fail(
                format!("it left processes behind, which were killed: {}", names.join(", ")),
                remedy,
            ),
            Some(EngineEnd::Exited(0)) => StepReport::pass(format!("ended {} after `quit`, nothing left", ms(took))),
            Some(end) => StepReport::warn(format!("at `quit` it {}", gone(end)), "it should end with exit code 0"),
        })
    }

    /// The process that is asked, started anew if it had to be ended.
    fn running(&mut self) -> io::Result<Result<&mut Engine, StepReport>> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => match Engine::start(&self.command) {
                Ok((engine, _)) => engine,
                Err(StartError::Host(why)) => return Err(io::Error::other(why)),
                Err(failure) => {
                    let seen = format!("started once more, {}", escaped(failure.to_string()));
                    return Ok(Err(StepReport::fail(seen, "it has to start every time")));
                }
            },
        };
        Ok(Ok(self.engine.insert(engine)))
    }
}

/// Stops it some times while it waits for input, and continues it. Returns what went wrong if it does not go on.
fn broken_by_a_stop(talk: &mut Talk<'_>, limit: Duration) -> Option<String> {
    (0..STOPS).find_map(|_| {
        // By then it waits again.
        std::thread::sleep(STOP);
        talk.engine.freeze();
        std::thread::sleep(STOP);
        silence(talk.is_ready("", limit), (limit, "engine.ready_limit"))
    })
}

/// The message about a missing answer, with the key of the limit.
fn silence<T>(asked: EngineAnswer<T>, (limit, key): (Duration, &str)) -> Option<String> {
    match asked {
        EngineAnswer::Answered(..) => None,
        EngineAnswer::Deadline => Some(format!("it was silent for {} ({key})", ms(limit))),
        EngineAnswer::Closed(end) => Some(format!("it {}", gone(end))),
    }
}

fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}

fn in_time(what: &str, at: Option<Duration>) -> String {
    at.map_or_else(|| format!("no {what}"), |at| format!("{what} after {}", ms(at)))
}

fn is_legal(word: &[u8]) -> bool {
    let board = Board::new(&Opening::start(Variant::Standard));
    let uci = uci::read_move(word);
    matches!((board, uci), (Ok(board), Some(uci)) if board.legal(&uci).is_some())
}

/// Faults in the declarations.
fn malformed(declared: &[DeclaredOption]) -> Vec<String> {
    let mut names = BTreeSet::new();
    let mut odd = Vec::new();
    for DeclaredOption { name, kind } in declared {
        if !names.insert(name.to_lowercase()) {
            odd.push(format!("{name} is declared twice"));
        }
        match kind {
            OptionKind::Spin { min, max, default } => {
                let is_within = |value: i64| min.is_none_or(|min| value >= min) && max.is_none_or(|max| value <= max);
                if min.zip(*max).is_some_and(|(min, max)| min > max) {
                    odd.push(format!("{name}: min is above max"));
                } else if default.is_some_and(|default| !is_within(default)) {
                    odd.push(format!("{name}: its default is not within min and max"));
                }
            }
            OptionKind::Combo(choices) if choices.is_empty() => odd.push(format!("{name}: a combo without var")),
            _ => {}
        }
    }
    odd
}

/// Common options that are declared and not set by the event, with values for them.
fn common(declared: &[DeclaredOption], is_set: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
    let mut set = BTreeMap::new();
    for (name, wanted) in COMMON {
        let option = declared.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let Some(DeclaredOption {
            name,
            kind: OptionKind::Spin { min, max, .. },
        }) = option
        else {
            continue;
        };
        let value = wanted.min(max.unwrap_or(wanted)).max(min.unwrap_or(wanted.min(1)));
        if !is_set(name) {
            set.insert(name.clone(), value.to_string());
        }
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn declared(lines: &[&str]) -> Vec<DeclaredOption> {
        let read = lines.iter().map(|line| uci::read_option(line.as_bytes()));
        read.map(|option| option.expect("it reads")).collect()
    }

    #[test]
    fn options_that_are_declared_oddly_are_found() {
        let found = malformed(&declared(&[
            "name Hash type spin default 16 min 1 max 64",
            "name hash type spin default 1 min 2 max 64",
            "name Depth type spin default 5 min 9 max 1",
            "name Style type combo default calm",
            "name Book type string default <empty>",
        ]));
        let expected = [
            "hash is declared twice",
            "hash: its default is not within min and max",
            "Depth: min is above max",
            "Style: a combo without var",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn common_options_are_set_within_their_bounds() {
        let small = declared(&[
            "name Hash type spin default 1 min 1 max 4",
            "name threads type spin min 2 max 8",
        ]);
        let set = |is_set: fn(&str) -> bool| common(&small, is_set).into_iter().collect::<Vec<_>>();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(set(|_| false), [pair("Hash", "4"), pair("threads", "2")]);
        assert_eq!(set(|name| name == "Hash"), [pair("threads", "2")]);
        assert!(common(&declared(&["name Hash type string"]), |_| false).is_empty());
    }
}
