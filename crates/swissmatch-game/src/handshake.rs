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

/// What an engine said of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Introduction {
    /// `id name`, made harmless.
    pub name: String,
    /// `id author`, made harmless.
    pub author: String,
    /// Its options.
    pub options: Vec<DeclaredOption>,
    /// Those that it declared in a way that is not understood.
    #[serde(default)]
    pub unread: Vec<DeclaredOption>,
    /// From its start until it was ready.
    pub took: Duration,
}

impl Introduction {
    /// All that it declared, what was understood first.
    pub fn declared(&self) -> Vec<DeclaredOption> {
        [self.options.as_slice(), &self.unread].concat()
    }
}

/// Why an engine is not there to play.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StartError {
    /// The machine could not start it: no descriptors, processes or memory. Nobody's fault who plays.
    #[error("this machine could not start it: {0}")]
    Host(String),
    /// It is not what was registered.
    #[error("it is not what was registered: {0}")]
    Changed(String),
    /// The program could not be run at all.
    #[error("it could not be run: {0}")]
    NotRun(String),
    /// Its arguments and variables are more than any program may be given here.
    #[error("its arguments and variables are longer than this machine allows for a program (`getconf ARG_MAX`)")]
    TooLong,
    /// It ended, or closed a pipe, before it was ready.
    #[error("it ended before it was ready")]
    Ended,
    /// It used more than its limit of something.
    #[error("it {0}, and was ended")]
    OverLimit(Overuse),
    /// It did not say `uciok` in time.
    #[error("no `uciok` within {0:?}")]
    NoUciOk(Duration),
    /// Nor had it read `uci` by then.
    #[error("no `uciok` within {0:?}: it runs, and has not read `uci` from its standard input")]
    NotRead(Duration),
    /// It had read `uci`, runs, and had written nothing.
    #[error("no `uciok` within {0:?}: it runs, and has read `uci`, but nothing came from its standard output")]
    Silent(Duration),
    /// The same, and then `uciok` came when it was told to end.
    #[error("no `uciok` within {0:?}: it read `uci`, but its answer came only when it was told to end")]
    Unflushed(Duration),
    /// It did not say `readyok` in time.
    #[error("no `readyok` within {0:?} after its options were set")]
    NoReadyOk(Duration),
    /// It was not ready when nobody waited for it any longer.
    #[error("it was not ready when its time was up")]
    TooLate,
    /// An option of the event file does not fit it.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl StartError {
    /// The key of the limit that it broke, where its own words do not name it.
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

/// What to do about an engine whose answers do not come out.
pub const FLUSH: &str = "have it flush its standard output after each line, as `print(…, flush=True)` and `python3 -u` do in Python, and \
                         `setvbuf(stdout, NULL, _IOLBF, 0)` in C";

/// What was seen to be the cause that an engine does not start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// What it is, as the end of a sentence, harmless.
    pub why: String,
    /// What to do about it, harmless.
    pub remedy: String,
}

impl Cause {
    /// A cause with its remedy.
    pub fn new(why: impl Into<String>, remedy: impl Into<String>) -> Self {
        let [why, remedy] = [why.into(), remedy.into()];
        Self { why, remedy }
    }

    /// Why an engine does not start, harmless, with the cause where one was seen.
    pub fn in_words(cause: Option<&Self>, failure: &StartError) -> String {
        let why = escaped(failure.to_string());
        cause.map_or_else(|| why.clone(), |cause| format!("{why}: {}", cause.why))
    }
}

/// What the one who holds the pipes is to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HandshakeStep {
    /// Write these bytes.
    Send(Vec<u8>),
    /// Read a line, until this time since the handshake began.
    Wait(Duration),
    /// The engine is ready.
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

/// The handshake of one engine; times are since it began.
#[derive(Debug)]
pub struct Handshake<'a> {
    wanted: &'a WantedOptions,
    limit: Duration,
    ponder: bool,
    phase: HandshakePhase,
    allowance: Allowance,
    /// How long what is kept of it was as it was said.
    said: u64,
    introduction: Introduction,
}

impl<'a> Handshake<'a> {
    /// A handshake that sets the options `wanted`; `limit` is for `uciok` and for `readyok` each.
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

    /// The same for an engine that is to ponder: its option `Ponder` is set, where it has one.
    #[must_use]
    pub fn with_ponder(self, ponder: bool) -> Self {
        Self { ponder, ..self }
    }

    /// The same of an engine that may declare only so many options, in so many words.
    #[must_use]
    pub fn within(self, allowance: Allowance) -> Self {
        Self { allowance, ..self }
    }

    /// What it has declared more than it may, if it has.
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

    /// The engine said `line`.
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

    /// The time given by [`HandshakeStep::Wait`] has come: what is missing.
    pub fn overdue(&self) -> StartError {
        match self.phase {
            HandshakePhase::AwaitReadyOk { .. } => StartError::NoReadyOk(self.limit),
            _ => StartError::NoUciOk(self.limit),
        }
    }

    /// What the engine said of itself.
    pub fn into_introduction(self) -> Introduction {
        self.introduction
    }
}
