//! Bringing up an engine: `uci` → `uciok`, options, `isready` → `readyok`, each within its limit.
//!
//! May not: ask the time, touch the process.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use swiss_system::text::escaped;

use super::record::EngineEnd;
use super::resource::{Allowance, Overuse, Resource};
use super::uci::{self, DeclaredOption, OptionError, OptionKind, UciLine};
use super::wanted::WantedOptions;

/// What an engine said about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// `id name`, made harmless.
    pub name: String,
    /// `id author`, made harmless.
    pub author: String,
    pub options: Vec<DeclaredOption>,
    /// The options whose declarations are not understood.
    #[serde(default)]
    pub unread: Vec<DeclaredOption>,
    /// The time from its start until it was ready.
    pub took: Duration,
}

impl Introduction {
    /// All declared options; those that were understood come first.
    pub fn declared(&self) -> Vec<DeclaredOption> {
        [self.options.as_slice(), &self.unread].concat()
    }
}

/// Why an engine is not there to play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StartError {
    /// The machine could not start it: no descriptors, processes or memory. No player is at fault.
    #[error("this machine could not start it: {0}")]
    Host(String),
    /// The program differs from the one registered.
    #[error("it is not what was registered: {0}")]
    Changed(String),
    #[error("it could not be run: {0}")]
    NotRun(String),
    /// The arguments and variables are longer than this machine allows.
    #[error("its arguments and variables are longer than this machine allows for a program (`getconf ARG_MAX`)")]
    TooLong,
    /// The engine ended, or closed a pipe, before it was ready.
    #[error("it ended before it was ready")]
    Ended,
    /// The engine used more of a resource than its limit.
    #[error("it {0}, and was ended")]
    OverLimit(Overuse),
    /// The engine did not say `uciok` in time.
    #[error("no `uciok` within {0:?}")]
    NoUciOk(Duration),
    /// As [`Self::NoUciOk`], and it had not read `uci` by then.
    #[error("no `uciok` within {0:?}: it runs, and has not read `uci` from its standard input")]
    NotRead(Duration),
    /// As [`Self::NoUciOk`], though it runs, had read `uci` and had written nothing.
    #[error("no `uciok` within {0:?}: it runs, and has read `uci`, but nothing came from its standard output")]
    Silent(Duration),
    /// As above, but `uciok` came when the engine was told to end.
    #[error("no `uciok` within {0:?}: it read `uci`, but its answer came only when it was told to end")]
    Unflushed(Duration),
    /// The engine did not say `readyok` in time.
    #[error("no `readyok` within {0:?} after its options were set")]
    NoReadyOk(Duration),
    /// The engine was not ready when the time for it was up.
    #[error("it was not ready when its time was up")]
    TooLate,
    /// An option of the event file does not fit the engine.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl StartError {
    /// The key of the limit that the engine broke, if the error's own words do not name it.
    pub const fn key(&self) -> Option<&'static str> {
        match self {
            Self::NoUciOk(_)
            | Self::NotRead(_)
            | Self::Silent(_)
            | Self::Unflushed(_)
            | Self::NoReadyOk(_)
            | Self::TooLate => Some("engine.start_limit"),
            Self::Host(_)
            | Self::Changed(_)
            | Self::NotRun(_)
            | Self::TooLong
            | Self::Ended
            | Self::OverLimit(_)
            | Self::Option(_) => None,
        }
    }
}

impl From<EngineEnd> for StartError {
    fn from(end: EngineEnd) -> Self {
        match end {
            EngineEnd::OverLimit(overuse) => Self::OverLimit(overuse),
            EngineEnd::Exited(_) | EngineEnd::Signalled(_) | EngineEnd::ClosedPipe | EngineEnd::KeeperLost => {
                Self::Ended
            }
        }
    }
}

/// Advice for an engine whose answers do not come out.
pub const FLUSH: &str = "have it flush its standard output after each line, as `print(…, flush=True)` and `python3 -u` do in Python, and \
                         `setvbuf(stdout, NULL, _IOLBF, 0)` in C";

/// An observed cause why the engine does not start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The cause, as the end of a sentence, harmless.
    pub why: String,
    /// What to do about it, harmless.
    pub remedy: String,
}

impl Cause {
    pub fn new(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        let [why, remedy] = [why.into(), remedy.into()];
        Self { why, remedy }
    }

    /// Says why an engine does not start, harmless, with the cause if one was seen.
    pub fn in_words(cause: Option<&Self>, failure: &StartError) -> String {
        let why = escaped(failure.to_string());
        cause.map_or_else(|| why.clone(), |cause| format!("{why}: {}", cause.why))
    }
}

/// The next step for the caller, who holds the pipes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandshakeStep {
    Send(Vec<u8>),
    /// Read a line, until this time since the handshake began.
    Wait(Duration),
    Ready,
}

#[derive(Debug)]
enum HandshakePhase {
    Begin,
    AwaitUciOk,
    SendOptions,
    AwaitReadyOk { until: Duration },
    Ready,
}

/// The handshake of one engine; all times are since it began.
#[derive(Debug)]
pub struct Handshake<'a> {
    wanted: &'a WantedOptions,
    limit: Duration,
    ponder: bool,
    phase: HandshakePhase,
    allowance: Allowance,
    /// The length of the kept declarations as the engine wrote them.
    said: u64,
    introduction: Introduction,
}

impl<'a> Handshake<'a> {
    /// A handshake that sets the options `wanted`; `limit` applies to `uciok` and to `readyok` separately.
    pub fn new(wanted: &'a WantedOptions, limit: Duration) -> Self {
        Self {
            wanted,
            limit,
            ponder: false,
            phase: HandshakePhase::Begin,
            allowance: Allowance::UNLIMITED,
            said: 0,
            introduction: Introduction::default(),
        }
    }

    /// Says if the engine is to ponder: its option `Ponder` is then set, if it has one.
    #[must_use]
    pub fn with_ponder(self, ponder: bool) -> Self {
        Self { ponder, ..self }
    }

    /// Limits how many options the engine may declare, and how long they may be.
    #[must_use]
    pub fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// The resource that the engine overused by its declarations, if any.
    fn overuse(&self) -> Option<Overuse> {
        let options = (self.introduction.options.len() + self.introduction.unread.len()) as u64;
        let counts = [
            (Resource::Options, options, self.allowance.options),
            (Resource::Introduction, self.said, self.allowance.introduction),
        ];
        let over = counts.into_iter().find(|(_, used, limit)| used > limit);
        over.map(|(resource, used, limit)| Overuse { resource, used, limit })
    }

    /// The next thing to do, at `now`.
    ///
    /// # Errors
    /// When an option does not fit the engine, or it declares too much.
    pub fn poll(&mut self, now: Duration) -> Result<HandshakeStep, StartError> {
        if let Some(overuse) = self.overuse() {
            return Err(StartError::OverLimit(overuse));
        }
        match self.phase {
            HandshakePhase::Begin => {
                self.phase = HandshakePhase::AwaitUciOk;
                Ok(HandshakeStep::Send(b"uci\n".to_vec()))
            }
            HandshakePhase::AwaitUciOk => Ok(HandshakeStep::Wait(self.limit)),
            HandshakePhase::SendOptions => {
                let declared = self.introduction.declared();
                let mut lines = uci::set_options(&self.wanted.for_engine(&declared), &declared)?.concat();
                let is_ponder = |option: &&DeclaredOption| option.name.eq_ignore_ascii_case("ponder");
                let option = declared.iter().find(is_ponder);
                if let Some(option) = option.filter(|_| self.ponder) {
                    lines.push_str(&format!("setoption name {} value true\n", option.name));
                }
                lines.push_str("isready\n");
                self.phase = HandshakePhase::AwaitReadyOk {
                    until: now + self.limit,
                };
                Ok(HandshakeStep::Send(lines.into_bytes()))
            }
            HandshakePhase::AwaitReadyOk { until } => Ok(HandshakeStep::Wait(until)),
            HandshakePhase::Ready => Ok(HandshakeStep::Ready),
        }
    }

    /// Takes a line from the engine.
    pub fn line(&mut self, line: &[u8]) {
        if matches!(self.phase, HandshakePhase::AwaitUciOk)
            && matches!(uci::read(line), UciLine::Id(..) | UciLine::Option(_))
        {
            self.said += line.len() as u64;
        }
        match (uci::read(line), &self.phase) {
            (UciLine::Id(b"name", name), HandshakePhase::AwaitUciOk) => self.introduction.name = uci::kept(name),
            (UciLine::Id(b"author", author), HandshakePhase::AwaitUciOk) => {
                self.introduction.author = uci::kept(author)
            }
            (UciLine::Option(rest), HandshakePhase::AwaitUciOk) => {
                let option = uci::read_option(rest);
                let is_read = option.as_ref().is_some_and(|option| option.kind != OptionKind::Unread);
                match is_read {
                    true => self.introduction.options.extend(option),
                    false => self.introduction.unread.extend(option),
                }
            }
            (UciLine::UciOk, HandshakePhase::AwaitUciOk) => self.phase = HandshakePhase::SendOptions,
            (UciLine::ReadyOk, HandshakePhase::AwaitReadyOk { .. }) => self.phase = HandshakePhase::Ready,
            _ => {}
        }
    }

    /// The error when the time of [`HandshakeStep::Wait`] has come: what is missing.
    pub fn overdue(&self) -> StartError {
        match self.phase {
            HandshakePhase::AwaitReadyOk { .. } => StartError::NoReadyOk(self.limit),
            _ => StartError::NoUciOk(self.limit),
        }
    }

    pub fn into_introduction(self) -> Introduction {
        self.introduction
    }
}
