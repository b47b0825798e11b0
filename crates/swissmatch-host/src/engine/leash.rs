//! The keeper of an engine as the player holds it: its process and the socket between them.
//!
//! May not: touch the engine's own pipes.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags};
use rustix::process::{Pid, PidfdFlags, Signal};
use swiss_system::word::Word as _;
use tracing::info;

use swissmatch_broker::player::BrokerPlayer;
use swissmatch_game::handshake::StartError;
use swissmatch_game::record::EngineEnd;
use swissmatch_game::resource::{Overuse, Resource};

use super::EngineCommand;
use super::tree::EngineProcesses;
use crate::door::Door;
use crate::environment::without_secrets;
use crate::group::{Group, Groups, groups};
use crate::launch::{self, Confinement};
use crate::wait::poll_until;
use crate::{begun, machine};

/// How long a keeper may take to end its tree: longer than it gives itself. After that it is killed and leaves the rest
/// to the guard.
const PATIENCE: Duration = Duration::from_secs(12);
/// How often it is woken meanwhile.
const WAKING: Duration = Duration::from_millis(20);

/// One start at a time, so that the descriptors of the keeper's side are open only once, however many slots start
/// engines.
static STARTING: Mutex<()> = Mutex::new(());

/// Does some work while no engine starts, because a new keeper would hold open what is open here.
pub(super) fn while_none_starts<T>(work: impl FnOnce() -> T) -> T {
    let _no_start = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    work()
}

/// The process that keeps an engine, and the connection to it.
#[derive(Debug)]
pub(super) struct Leash {
    process: Child,
    socket: UnixStream,
    /// The engine's control group, if this machine gives one.
    group: Option<Group>,
    /// The engine's door, if it has one and has not been let go.
    door: Option<Door>,
    /// What answers an engine that asks over the broker. Such an engine is an adapter of this program, whose threads
    /// are these once they are known.
    asked: Option<EngineAnswerer>,
    threads: OnceLock<Vec<i32>>,
    /// What the keeper said and nobody has taken yet.
    said: Vec<u8>,
    /// The keeper has said all it will.
    is_mute: bool,
    /// How the engine ended, once that is known.
    end: Option<EngineEnd>,
    /// The most memory of its group when last asked, in bytes.
    memory_peak: Option<u64>,
    /// The processes that made the engine's namespaces, once it has started.
    helpers: Vec<Pid>,
    /// It is several processes that may think, as far as that counts.
    are_several: bool,
    /// The engine for reports: its player, and its process if it has one that has not been let go.
    player: String,
    pid: Option<u32>,
}

/// What answers an engine that asks over the broker.
#[derive(Debug)]
enum EngineAnswerer {
    /// The broker, which reports on the engine here.
    Broker(Arc<BrokerPlayer>),
    /// Nobody: there is no broker if an agent only has to say what it is.
    Nobody { _end: UnixStream },
}

impl EngineAnswerer {
    /// Begins answering; also returns the engine's end of the stream. `None` if it asks nobody.
    fn begin(command: &EngineCommand) -> io::Result<Option<(Self, OwnedFd)>> {
        let (asked, theirs) = match &command.caller {
            Some(caller) => {
                let (player, theirs) = caller.connect()?;
                (Self::Broker(player), theirs)
            }
            None if command.launch.asks_broker() => {
                let (_end, theirs) = UnixStream::pair()?;
                (Self::Nobody { _end }, theirs)
            }
            None => return Ok(None),
        };
        Ok(Some((asked, theirs.into())))
    }
}

impl Leash {
    /// Starts a keeper that starts the engine; returns the pipes to its input and from its output and errors.
    ///
    /// # Errors
    /// The machine cannot make a process, or this program may start none.
    pub(super) fn start(command: &EngineCommand) -> io::Result<(Self, [OwnedFd; 3])> {
        begun::require_begun().map_err(io::Error::other)?;
        machine::outlive_closed_pipes()?;
        let _one_at_a_time = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_write_timeout(Some(PATIENCE))?;
        let (of_engine, pipes) = launch::pipes()?;
        let helpers = command.launch.confinement.as_ref().map_or(0, Confinement::helpers);
        let make = |groups: &Groups| groups.make(command.launch.allowance, helpers);
        let group = groups().ok().map(make).transpose()?;
        let addresses = &command.launch.connect;
        let door = match addresses.is_empty() {
            true => None,
            false => Some(Door::open(&command.name, addresses, command.doors.add())?),
        };
        let (door, of_door) = door.unzip();
        let (asked, of_asked) = EngineAnswerer::begin(command)?.unzip();
        let process = without_secrets(&mut Command::new("/proc/self/exe"))
            .arg0("swissmatch-keeper")
            .arg(launch::ARGUMENT)
            .arg(&command.name)
            .stdin(OwnedFd::from(theirs))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let leash = Self {
            process,
            socket: ours,
            group,
            door,
            asked,
            threads: OnceLock::new(),
            said: Vec::new(),
            is_mute: false,
            end: None,
            memory_peak: None,
            helpers: Vec::new(),
            are_several: false,
            player: command.name.clone(),
            pid: None,
        };
        let ends = of_engine.iter().chain(&of_door).chain(&of_asked).map(OwnedFd::as_fd);
        let path = leash.group.as_ref().map(Group::path);
        let handed_over = command.launch.hand_over(&leash.socket, &ends.collect::<Vec<_>>(), path);
        handed_over.map_err(|error| io::Error::other(format!("its keeper did not start: {error}")))?;
        leash.socket.set_nonblocking(true)?;
        Ok((leash, pipes))
    }

    /// What the broker knows about it, if it asks over the broker.
    pub(super) const fn player(&self) -> Option<&Arc<BrokerPlayer>> {
        match &self.asked {
            Some(EngineAnswerer::Broker(player)) => Some(player),
            Some(EngineAnswerer::Nobody { .. }) | None => None,
        }
    }

    /// Where all processes of the engine are.
    pub(super) fn whose(&self) -> EngineProcesses<'_> {
        EngineProcesses {
            keeper: Pid::from_child(&self.process),
            group: self.group.as_ref(),
            helpers: &self.helpers,
            are_several: self.are_several,
            fixed: self.asked.as_ref().map(|_| &self.threads),
        }
    }

    /// Becomes readable when the engine ends; `None` once that is known.
    pub(super) fn poll_fd(&self) -> Option<PollFd<'_>> {
        self.end.is_none().then(|| PollFd::new(&self.socket, PollFlags::IN))
    }

    /// Waits until the program runs.
    ///
    /// # Errors
    /// Why it does not.
    pub(super) fn started(&mut self, until: Instant) -> Result<(), StartError> {
        if self.word(until).is_none_or(|word| word != "ready") {
            return Err(StartError::Host("its keeper did not start".to_owned()));
        }
        // From here on the engine may have caused what goes wrong.
        let word = self.word(until).unwrap_or_default();
        match word.split_once(' ').unwrap_or((&word, "")) {
            ("started", pids) => {
                let mut pids = pids.split(' ').filter_map(|pid| pid.parse().ok());
                self.pid = pids.next();
                self.helpers = pids.filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?)).collect();
                info!(player = self.player, pid = self.pid, "engine started");
                // If it has ended already, word of that may have come at the same time.
                let _ = self.engine_end(Instant::now());
                Ok(())
            }
            ("long", _) => Err(StartError::TooLong),
            ("failed", why) => Err(StartError::NotRun(why.to_owned())),
            ("host", why) => Err(StartError::Host(why.to_owned())),
            _ => Err(StartError::NotRun("its keeper did not start it".to_owned())),
        }
    }

    /// How the engine ended, if it ends before `until`.
    pub(super) fn engine_end(&mut self, until: Instant) -> Option<EngineEnd> {
        // Words about something else may come first.
        while self.end.is_none() {
            let word = self.word(until);
            self.note(word.as_deref());
            if word.is_none() {
                break;
            }
        }
        self.end
    }

    /// Notes the keeper's word about the engine's end.
    fn note(&mut self, word: Option<&str>) {
        self.are_several |= word == Some(launch::SEVERAL);
        let number = |text: &str| text.trim().parse().unwrap_or(0);
        let end = match word.and_then(|word| word.split_once(' ')) {
            Some(("over", overuse)) => overused(overuse).map(EngineEnd::OverLimit),
            Some(("exited", code)) => Some(EngineEnd::Exited(number(code))),
            Some(("signalled", signal)) => Some(EngineEnd::Signalled(number(signal))),
            _ if self.is_mute => Some(EngineEnd::KeeperLost),
            _ => None,
        };
        self.end = self.end.or(end);
    }

    /// The most memory that all its processes together have had so far, in bytes; `None` if no group counts that.
    pub(super) fn memory_peak(&mut self) -> Option<u64> {
        let now = self.group.as_ref().and_then(Group::memory_peak);
        self.memory_peak = now.or(self.memory_peak);
        self.memory_peak
    }

    /// True if the kernel ended it because others had too much memory.
    pub(super) fn was_ended_for_others(&self) -> bool {
        self.group.as_ref().is_some_and(Group::was_ended_for_others)
    }

    /// Stops the engine with all its processes.
    pub(super) fn freeze(&mut self) {
        match &self.group {
            Some(group) => group.freeze(),
            // A missing keeper shows when the engine is next asked.
            None => drop(self.socket.write(&[launch::FREEZE])),
        }
    }

    /// Continues the engine; when this returns it runs, if its keeper says so before `until`.
    pub(super) fn thaw(&mut self, until: Instant) {
        if let Some(group) = &self.group {
            return group.thaw();
        }
        let _ = self.socket.write(&[launch::THAW]);
        while let Some(word) = self.word(until) {
            if word == launch::THAWED {
                break;
            }
            self.note(Some(&word));
        }
    }

    /// Ends the engine with all its processes because it used more than it may of something counted here.
    pub(super) fn end_for(&mut self, overuse: Overuse) -> EngineEnd {
        let end = *self.end.get_or_insert(EngineEnd::OverLimit(overuse));
        self.let_go();
        end
    }

    /// The keeper's next line, if it comes before `until`.
    fn word(&mut self, until: Instant) -> Option<String> {
        loop {
            if let Some(end) = memchr::memchr(b'\n', &self.said) {
                let line: Vec<u8> = self.said.drain(..=end).collect();
                return Some(String::from_utf8_lossy(&line).trim_end().to_owned());
            }
            if self.is_mute || !poll_until(&mut [PollFd::new(&self.socket, PollFlags::IN)], until) {
                return None;
            }
            self.hear();
        }
    }

    /// Takes what the keeper has said, without waiting.
    fn hear(&mut self) {
        let mut chunk = [0_u8; 256];
        match self.socket.read(&mut chunk) {
            Ok(0) => self.is_mute = true,
            Ok(read) => self.said.extend_from_slice(&chunk[..read]),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.is_mute = true,
        }
    }

    /// Continues the keeper, which an engine can stop, so that it can end the engine.
    fn wake(&self) {
        // Its pid stays its own until it is reaped.
        let _ = rustix::process::kill_process(Pid::from_child(&self.process), Signal::CONT);
    }

    /// Begins to let go: the keeper kills the engine with its whole tree, and is not waited for. Returns whether the
    /// keeper was reached.
    pub(super) fn loosen(&mut self) -> bool {
        if let Some(pid) = self.pid.take() {
            let how = self
                .end
                .map_or_else(|| "killed by its keeper".to_owned(), |end| format!("{end:?}"));
            info!(player = self.player, pid, how, "engine ended");
        }
        self.memory_peak();
        // Nothing leaves this machine any more.
        self.door = None;
        // Half-closing tells the keeper to kill; its own end of the socket closes when nothing is left.
        self.socket.shutdown(Shutdown::Write).is_ok()
    }

    /// Lets go: the keeper kills the engine with its whole tree. When this returns nothing of it is left, or the rest
    /// is up to the guard.
    pub(super) fn let_go(&mut self) {
        let until = Instant::now() + PATIENCE;
        if self.loosen() {
            while !self.is_mute && Instant::now() < until {
                if poll_until(&mut [PollFd::new(&self.socket, PollFlags::IN)], Instant::now() + WAKING) {
                    self.hear();
                } else {
                    self.wake();
                }
            }
        }
        while matches!(self.process.try_wait(), Ok(None)) {
            if Instant::now() >= until {
                let _ = self.process.kill();
                let _ = self.process.wait();
                return;
            }
            self.wake();
            let ended = rustix::process::pidfd_open(Pid::from_child(&self.process), PidfdFlags::empty());
            match ended {
                Ok(ended) => drop(poll_until(
                    &mut [PollFd::new(&ended, PollFlags::IN)],
                    Instant::now() + WAKING,
                )),
                Err(_) => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }
}

/// Reads `RESOURCE USED LIMIT`, as a keeper says it.
fn overused(words: &str) -> Option<Overuse> {
    let mut words = words.split(' ');
    Some(Overuse {
        resource: Resource::of_word(words.next()?)?,
        used: words.next()?.parse().ok()?,
        limit: words.next()?.parse().ok()?,
    })
}

impl Drop for Leash {
    fn drop(&mut self) {
        self.let_go();
    }
}
