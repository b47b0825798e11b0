//! The process that is the UCI engine of a player that is none: it speaks to the runner on its standard input and output, and asks the
//! player. Everything that it says and asks is `swissmatch_adapter`'s.
//!
//! It is one thread that waits for whoever speaks first, since there is one beside each such player. May not: understand a line.

mod broker;
mod program;
mod stream;
pub mod template;
pub mod trial;

use std::io::{self, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::path::Path;

use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use swissmatch_adapter::model::{LanguageModel, Manner};
use swissmatch_adapter::program::Program;
use swissmatch_adapter::service::Service;
use swissmatch_adapter::uci::{Adapter, AskedPlayer, Effect};
use swissmatch_broker::endpoint::Endpoint;
use swissmatch_broker::ledger::{Ledger, SpendingLimits};
use swissmatch_broker::player::AnswerSource;

use super::threads;
use broker::BrokerLink;
use program::Command;
use stream::LineBuffer;

/// First argument by which the program knows that it is an adapter; what it is one of comes after it, then the words of the player.
pub(super) const ARGUMENT: &str = "__adapter";

/// The variable with the number of the descriptor that leads to the broker of a run.
pub(super) const VARIABLE: &str = "SWISSMATCH_BROKER_FD";

/// What an adapter is one of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AdapterKind {
    /// A program that is asked once a move (`player.move_command`).
    Command {
        /// Whether it goes on after its answer, and is asked the next time, too.
        keep_alive: bool,
        /// Whether it says by a line when it can be asked.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        says_ready: bool,
    },
    /// A language model.
    Model {
        /// What it is called.
        name: String,
        /// The file of its template, which includes none but those below its directory.
        prompt: String,
        /// How it is asked, and its answers are read.
        manner: Manner,
    },
    /// A web service that is asked once a move.
    Url {
        /// What it is called.
        name: String,
    },
}

impl AdapterKind {
    /// Whether it asks over a broker, and starts no program.
    pub(super) const fn asks_broker(&self) -> bool {
        match self {
            Self::Command { .. } => false,
            Self::Model { .. } | Self::Url { .. } => true,
        }
    }

    /// The arguments of this program before the player's own program and words.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub(super) fn arguments(&self) -> [String; 2] {
        [ARGUMENT.to_owned(), serde_json::to_string(self).expect("plain data")]
    }
}

/// Whoever is asked, as the adapter reaches it.
trait PlayerLink {
    /// Has it ready to be asked; whether it is, or will say so ([`PlayerMessage::Ready`]).
    ///
    /// # Errors
    /// When it cannot be asked.
    fn prepare(&mut self) -> io::Result<bool>;

    /// Begins to ask it.
    ///
    /// # Errors
    /// When it cannot be asked any more.
    fn ask(&mut self, question: &str) -> io::Result<()>;

    /// Does not wait for its answer any more.
    ///
    /// # Errors
    /// When it cannot be told.
    fn hang_up(&mut self) -> io::Result<()>;

    /// What it may be read from and written to now.
    fn ends(&self) -> [Option<(BorrowedFd<'_>, PollFlags)>; 2];

    /// Reads and writes what there is without waiting; an answer that came whole, or that there will be none.
    ///
    /// # Errors
    /// When that fails.
    fn go_on(&mut self) -> io::Result<Option<PlayerMessage>>;

    /// Lets it go.
    fn dismiss(&mut self);
}

/// What a player said.
#[derive(Debug, PartialEq, Eq)]
enum PlayerMessage {
    /// A line in answer.
    Line(String),
    /// It can be asked.
    Ready,
    /// It has ended, with this exit code, as shells give it.
    Ended(u8),
}

/// Is an adapter by the arguments after [`ARGUMENT`]; gives its exit code.
pub(super) fn run(arguments: impl Iterator<Item = std::ffi::OsString>) -> u8 {
    let mut arguments = arguments.map(|word| word.to_string_lossy().into_owned());
    let kind = arguments.next().and_then(|text| serde_json::from_str(&text).ok());
    match kind {
        Some(kind) => be(&kind, &arguments.collect::<Vec<_>>(), None),
        None => USAGE,
    }
}

/// The exit codes of an adapter that cannot be one, and of one whose player cannot be asked.
pub const USAGE: u8 = 4;
const CANNOT: u8 = 5;

/// Is the adapter of a player until the runner lets it go; gives its exit code. A program is asked by its words, a model and a service
/// by their source, or where there is none over the runner's broker.
pub fn be(kind: &AdapterKind, words: &[String], asked: Option<(AnswerSource, Vec<Endpoint>)>) -> u8 {
    let done = match kind {
        AdapterKind::Command { keep_alive, says_ready } => {
            let Some((program, args)) = words.split_first() else {
                return USAGE;
            };
            let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
            attend(
                Adapter::new(Program::new(&name)),
                &mut Command::new(program, args, (*keep_alive, *says_ready)),
            )
        }
        AdapterKind::Model { name, prompt, manner } => match template::read(Path::new(prompt)) {
            Ok(prompt) => {
                let model = LanguageModel::new(name, prompt, manner.clone());
                over_broker(asked, |broker| attend(Adapter::new(model), broker))
            }
            Err(why) => {
                complain(&why);
                Ok(USAGE)
            }
        },
        AdapterKind::Url { name } => over_broker(asked, |broker| attend(Adapter::new(Service::new(name)), broker)),
    };
    done.unwrap_or_else(|error| {
        complain(&error.to_string());
        CANNOT
    })
}

/// Is an adapter with a broker in this process, or over the runner's.
fn over_broker(
    asked: Option<(AnswerSource, Vec<Endpoint>)>,
    attend: impl FnOnce(&mut BrokerLink) -> io::Result<u8>,
) -> io::Result<u8> {
    let Some((source, endpoints)) = asked else {
        return attend(&mut BrokerLink::over(handed_down()?)?);
    };
    let ledger = Ledger::open(None, SpendingLimits::default())?;
    let (broker, work) = swissmatch_broker::Broker::new(endpoints, ledger).map_err(io::Error::other)?;
    let working = threads::start("broker", move || work.run())?;
    let (ours, theirs) = UnixStream::pair()?;
    let _player = broker.serve(source, theirs)?;
    let done = BrokerLink::over(ours).and_then(|mut stream| attend(&mut stream));
    drop(broker);
    // What it does beside, it does no more.
    let _ = working.join();
    done
}

/// The stream to the runner's broker.
#[expect(unsafe_code, reason = "nothing else takes a descriptor by its number")]
fn handed_down() -> io::Result<UnixStream> {
    let number = std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok());
    let number: RawFd = number.ok_or_else(|| io::Error::other("there is nobody to be asked"))?;
    // SAFETY: It was handed down to this process, which has taken no descriptor by its number before.
    let stream = unsafe { OwnedFd::from_raw_fd(number) };
    Ok(stream.into())
}

fn complain(why: &str) {
    // Nobody may read it.
    let _ = writeln!(io::stderr(), "swissmatch adapter: {why}");
}

/// Speaks to the runner and the player until one of them ends.
fn attend(mut adapter: Adapter<impl AskedPlayer>, player: &mut dyn PlayerLink) -> io::Result<u8> {
    let mut runner = LineBuffer::default();
    let stdin = io::stdin();
    // What is to be done once the player is ready.
    let mut later: Option<Vec<Effect>> = None;
    loop {
        let wait = [(stdin.as_fd(), PollFlags::IN)]
            .into_iter()
            .chain(player.ends().into_iter().flatten());
        let mut polled: Vec<PollFd<'_>> = wait.map(|(end, flags)| PollFd::from_borrowed_fd(end, flags)).collect();
        match rustix::event::poll(&mut polled, None) {
            Err(Errno::INTR) => continue,
            polled => polled?,
        };
        let [is_runner, is_player] =
            [0..1, 1..polled.len()].map(|ends| polled[ends].iter().any(|one| !one.revents().is_empty()));
        let mut effects = Vec::new();
        if is_player {
            match player.go_on()? {
                Some(PlayerMessage::Line(line)) => effects.extend(adapter.answered(&line)),
                Some(PlayerMessage::Ready) => effects.extend(later.take().into_iter().flatten()),
                Some(PlayerMessage::Ended(code)) => return Ok(code),
                None => {}
            }
        }
        // What it answered before it was told to stop counts.
        let mut is_over = do_all(effects, player, &mut later)?;
        if is_runner {
            let is_open = runner.read(&stdin)?;
            while let Some(line) = runner.next() {
                is_over = is_over || do_all(adapter.hear(&line), player, &mut later)?;
            }
            is_over = is_over || !is_open;
        }
        if is_over {
            player.dismiss();
            return Ok(0);
        }
    }
}

/// Does what is to be done, but `later` what has to wait for the player; whether that is to end.
fn do_all(effects: Vec<Effect>, player: &mut dyn PlayerLink, later: &mut Option<Vec<Effect>>) -> io::Result<bool> {
    let mut is_over = false;
    for effect in effects {
        if let Some(later) = later.as_mut().filter(|_| effect != Effect::Quit) {
            later.push(effect);
            continue;
        }
        match effect {
            Effect::Say(line) => {
                let mut out = io::stdout().lock();
                writeln!(out, "{line}")?;
                out.flush()?;
            }
            Effect::Complain(why) => complain(&why),
            Effect::Prepare => *later = (!player.prepare()?).then(Vec::new),
            Effect::Ask(question) => player.ask(&question)?,
            Effect::HangUp => player.hang_up()?,
            Effect::Quit => is_over = true,
        }
    }
    Ok(is_over)
}
