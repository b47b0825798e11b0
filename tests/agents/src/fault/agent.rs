//! The command loop of the fault agent.

#![expect(
    clippy::disallowed_methods,
    reason = "the agent waits, ends and starts threads where its fault wants it"
)]

use std::io;
use std::mem;
use std::ops::ControlFlow;
use std::process::{self, ExitCode};
use std::thread;
use std::time::Duration;

use super::arguments::{Arguments, Request, help, parse};
use super::kind::Kind;
use super::outlet::{Outlet, write_raw};
use super::relatives::{self, Stream};
use super::timing::{Timing, start_fails};
use super::{burn, door, flood, greed, identity};
use crate::life;
use swissmatch_engines::game::Game;
use swissmatch_engines::protocol::{Command, commands};
use swissmatch_engines::random;

/// Said unasked by the kind that speaks early.
const UNASKED: &str = "bestmove e2e4\nreadyok\ninfo depth 1 score cp 13 nodes 1 pv e2e4";

/// Runs the fault agent with the arguments after the program's name.
pub fn run(words: impl Iterator<Item = String>) -> ExitCode {
    let arguments = match parse(words) {
        Ok(Request::Play(arguments)) => *arguments,
        Ok(Request::Help) => {
            let _gone = write_raw(help().as_bytes());
            return ExitCode::SUCCESS;
        }
        Ok(Request::Burn) => {
            burn::briefly();
            return ExitCode::SUCCESS;
        }
        Ok(Request::Linger(time)) => {
            relatives::linger(time);
            return ExitCode::SUCCESS;
        }
        Err(complaint) => {
            eprintln!("fault-agent: {complaint}; see --help");
            return ExitCode::from(2);
        }
    };
    life::limit(arguments.life);
    match start_fails(&arguments) {
        Ok(false) => {}
        Ok(true) => return ExitCode::from(1),
        Err(error) => {
            eprintln!("fault-agent: cannot count the start: {error}");
            return ExitCode::from(2);
        }
    }
    let timing = Timing::new(&arguments);
    let mut agent = Agent::new(arguments, timing);
    if agent.has(Kind::ExitAtStart) {
        return ExitCode::from(1);
    }
    agent.begin();
    let asked_to_end = commands(io::stdin().lock())
        .try_for_each(|command| agent.obey(command))
        .is_break();
    if agent.outlives_input && !asked_to_end {
        sleep_for_ever();
    }
    ExitCode::SUCCESS
}

fn sleep_for_ever() -> ! {
    loop {
        thread::park();
    }
}

/// What the agent pays heed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Heed {
    /// Everything.
    All,
    /// Nothing but `quit`.
    Quit,
    /// Nothing but `isready`.
    IsReady,
    /// `isready` and `quit`.
    IsReadyAndQuit,
    /// Nothing.
    Nothing,
}

struct Agent {
    arguments: Arguments,
    timing: Timing,
    out: Outlet,
    game: Option<Game>,
    heed: Heed,
    /// Set by the faults that make it stay when its input ends.
    outlives_input: bool,
    newgame_seen: bool,
    /// Whether it uses the next `isready` to think.
    thinks_at_isready: bool,
    /// An answer that waits for `stop`, and how long it waits after that.
    held_back: Option<(String, Duration)>,
}

impl Agent {
    fn new(arguments: Arguments, timing: Timing) -> Self {
        let crlf = timing.is_chosen() && arguments.is(Kind::Crlf);
        let outlives_input = timing.is_chosen() && arguments.is(Kind::IgnoreQuit);
        Self {
            arguments,
            timing,
            out: Outlet::new(crlf),
            game: Some(Game::default()),
            heed: Heed::All,
            outlives_input,
            newgame_seen: false,
            thinks_at_isready: false,
            held_back: None,
        }
    }

    /// Whether this process has a fault that is there from the start.
    fn has(&self, kind: Kind) -> bool {
        self.timing.is_chosen() && self.arguments.is(kind)
    }

    fn begin(&self) {
        if self.has(Kind::GarbageStart) {
            identity::garbage();
        }
        if self.has(Kind::Burn) {
            burn::threads();
        }
        if self.has(Kind::BurnHidden) {
            burn::in_children(self.arguments.lines);
        }
        if self.has(Kind::SpeaksEarly) {
            self.out.say(UNASKED);
        }
    }

    /// Obeys a command as far as the fault lets it; breaks at a `quit`.
    fn obey(&mut self, command: Command) -> ControlFlow<()> {
        let heeded = match self.heed {
            Heed::All => true,
            Heed::Quit => command == Command::Quit,
            Heed::IsReady => command == Command::IsReady,
            Heed::IsReadyAndQuit => matches!(command, Command::IsReady | Command::Quit),
            Heed::Nothing => false,
        };
        if !heeded {
            return ControlFlow::Continue(());
        }
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.ready(),
            Command::NewGame => {
                self.newgame_seen = true;
                self.thinks_at_isready = self.has(Kind::SlowNewgame);
                self.game = Some(Game::default());
            }
            Command::Position(text) => {
                // Both notations of castling are read; which one is written
                // matters to no fault.
                self.game = Game::new(&text, false)
                    .inspect_err(|error| self.out.say(&format!("info string {error}")))
                    .ok();
            }
            Command::Go(limits) => self.go(limits.infinite),
            Command::Stop => {
                if let Some((answer, delay)) = self.held_back.take() {
                    thread::sleep(delay);
                    self.answer(&answer);
                }
            }
            Command::Quit if self.has(Kind::IgnoreQuit) => {}
            Command::Quit => return ControlFlow::Break(()),
            Command::SetOption { .. } | Command::PonderHit | Command::Unknown => {}
        }
        ControlFlow::Continue(())
    }

    fn introduce(&self) {
        if self.has(Kind::EvilName) {
            identity::evil_name();
        } else {
            identity::name(self.out);
        }
        identity::author(self.out);
        if self.has(Kind::GarbageStart) {
            identity::too_many_options();
        }
        if self.has(Kind::ManyOptions) {
            identity::many_options();
        }
        if self.has(Kind::SlowUciok) {
            thread::sleep(self.arguments.delay());
        }
        if !self.has(Kind::NoUciok) {
            self.out.say("uciok");
        }
    }

    fn ready(&mut self) {
        let silent = self.has(Kind::NoReadyok) || (self.newgame_seen && self.has(Kind::NoReadyokAtNewgame));
        if mem::take(&mut self.thinks_at_isready) {
            thread::sleep(self.arguments.delay());
        }
        if !silent {
            self.out.say("readyok");
        }
        if self.has(Kind::NeverRead) {
            sleep_for_ever();
        }
    }

    fn go(&mut self, endless: bool) {
        for address in mem::take(&mut self.arguments.connect) {
            eprintln!("{}", door::ask(&address));
        }
        let mv = self.proper_move();
        let own_move = self.game.as_ref().map_or(0, Game::own_moves) + 1;
        if self.timing.is_due(&self.arguments, own_move) {
            return self.misbehave(&mv);
        }
        if self.has(Kind::Sleep) {
            thread::sleep(self.arguments.delay());
        }
        if self.has(Kind::BurnHidden) {
            burn::for_own_time(self.arguments.delay());
        }
        let answer = format!("info depth 1 score cp 0 nodes 1 pv {mv}\nbestmove {mv}");
        if endless {
            self.held_back = Some((answer, Duration::ZERO));
        } else {
            self.answer(&answer);
        }
    }

    fn answer(&self, text: &str) {
        self.out.say(text);
        if self.has(Kind::SpeaksEarly) {
            self.out.say(UNASKED);
        }
        if self.has(Kind::FillStdin) {
            match relatives::fill_own_input() {
                Ok(()) => thread::sleep(self.arguments.delay()),
                Err(error) => eprintln!("fault-agent: its input cannot be filled: {error}"),
            }
        }
    }

    /// The move it would play if nothing were wrong with it.
    fn proper_move(&self) -> String {
        self.game
            .as_ref()
            .and_then(|game| {
                let choice = random::choose(game, self.arguments.seed)?;
                Some(game.write_move(choice.mv))
            })
            .unwrap_or_else(|| "(none)".to_owned())
    }

    fn misbehave(&mut self, mv: &str) {
        let Some(kind) = self.arguments.fault else {
            return;
        };
        let best = format!("bestmove {mv}");
        let delay = self.arguments.delay();
        let mark = &self.arguments.mark;
        let done = match kind {
            // Later than anything that a busy machine may be to blame for.
            Kind::Stall => self.hold_back(best, Duration::from_millis(80)),
            Kind::LateAfterStop => self.hold_back(best, delay),
            Kind::StallHard => self.fall_silent(Heed::Nothing),
            Kind::IgnoreStopQuit => self.fall_silent(Heed::IsReady),
            Kind::Late => {
                thread::sleep(delay);
                self.say(&best)
            }
            Kind::BurnLate => {
                burn::threads();
                burn::for_long(delay);
                self.say(&best)
            }
            Kind::Illegal => self.say("bestmove a1a1"),
            Kind::IllegalThenThink => {
                self.thinks_at_isready = true;
                self.say("bestmove a1a1")
            }
            Kind::Malformed => self.say("bestmove xyzzy"),
            Kind::None => self.say("bestmove (none)"),
            Kind::Null => self.say("bestmove 0000"),
            Kind::Empty => self.say("bestmove"),
            Kind::Twice => self.say(&format!("{best}\n{best}")),
            Kind::TwiceLate => {
                let out = self.out;
                out.say(&best);
                thread::spawn(move || {
                    thread::sleep(Duration::from_millis(20));
                    out.say(&best);
                });
                Ok(())
            }
            Kind::Uppercase => self.say(&format!("bestmove {}", mv.to_uppercase())),
            Kind::NoNewline => {
                self.heed = Heed::Quit;
                write_raw(best.as_bytes())
            }
            Kind::FloodLines => {
                flood::lines();
                self.fall_silent(Heed::Nothing)
            }
            Kind::FloodBytes => {
                flood::bytes();
                self.fall_silent(Heed::Nothing)
            }
            Kind::Drip => {
                flood::drip();
                self.heed = Heed::IsReadyAndQuit;
                Ok(())
            }
            Kind::FloodLinesAnswer => flood::many_lines().and_then(|()| self.say(&best)),
            Kind::FloodStderr => flood::errors().and_then(|()| self.say(&best)),
            Kind::Alarm => flood::alarm(&self.arguments.text, self.arguments.lines).and_then(|()| self.say(&best)),
            Kind::HugeLine => flood::huge_line().and_then(|()| self.say(&best)),
            Kind::TakeMemory => greed::memory().and_then(|()| self.say(&best)),
            Kind::TakeUnmapped => greed::unmapped_memory().and_then(|()| self.say(&best)),
            Kind::TakeHidden => greed::hidden_memory().and_then(|()| self.say(&best)),
            Kind::TakeShared => greed::shared_memory().and_then(|()| self.say(&best)),
            Kind::TakeTables => greed::page_tables().and_then(|()| self.say(&best)),
            Kind::TakeSockets => greed::sockets().and_then(|()| self.say(&best)),
            Kind::TakeNames => greed::names().and_then(|()| self.say(&best)),
            Kind::TakeThreads => {
                greed::threads();
                self.say(&best)
            }
            Kind::TakeDisk => greed::disk().and_then(|()| self.say(&best)),
            Kind::TakePipes => greed::pipes().and_then(|()| self.say(&best)),
            Kind::TakeWatches => greed::watches().and_then(|()| self.say(&best)),
            Kind::TakeDiskUnnamed => greed::unnamed_disk().and_then(|()| self.say(&best)),
            Kind::TakeDiskAtOnce => greed::disk_at_once().and_then(|()| self.say(&best)),
            Kind::WrongInfo => self.say(&format!("{}\n{best}", flood::WRONG_INFO)),
            Kind::Exit => process::exit(3),
            Kind::ExitZero => process::exit(0),
            Kind::Abort => process::abort(),
            Kind::CloseStdout => Err(relatives::live_on_without(Stream::Stdout, mark)),
            Kind::CloseStdin => Err(relatives::live_on_without(Stream::Stdin, mark)),
            Kind::ForkSetsid => relatives::orphan_in_own_session(mark).and_then(|()| self.say(&best)),
            Kind::ForkKeepStdout => relatives::child_holding_stdout(mark).and_then(|()| self.say(&best)),
            // These are there from the start and have no `go` of their own.
            Kind::Sleep
            | Kind::Burn
            | Kind::BurnHidden
            | Kind::FillStdin
            | Kind::IgnoreQuit
            | Kind::SlowUciok
            | Kind::NoUciok
            | Kind::NoReadyok
            | Kind::NoReadyokAtNewgame
            | Kind::NeverRead
            | Kind::SpeaksEarly
            | Kind::ManyOptions
            | Kind::EvilName
            | Kind::GarbageStart
            | Kind::SlowNewgame
            | Kind::ExitAtStart
            | Kind::Crlf => self.say(&best),
        };
        if let Err(error) = done {
            eprintln!("fault-agent: {}: {error}", kind.name());
            process::exit(5);
        }
    }

    fn say(&self, text: &str) -> io::Result<()> {
        self.out.say(text);
        Ok(())
    }

    fn hold_back(&mut self, answer: String, delay: Duration) -> io::Result<()> {
        self.held_back = Some((answer, delay));
        Ok(())
    }

    fn fall_silent(&mut self, heed: Heed) -> io::Result<()> {
        self.heed = heed;
        self.outlives_input = true;
        Ok(())
    }
}
