//! What the process of an engine is and may do: one value, handed to the engine's keeper over its socket together with
//! the engine's pipes, and applied there in one place.
//!
//! The keeper is a process of the same program: a variable such as LD_PRELOAD is for the engine, not for it, and its
//! limits are not the engine's. Others can read command lines and environments, so nothing goes that way. The player
//! runs no code between fork and exec, and none of its descriptors can leak into other children. May not: put a value
//! where others can read it, such as a command line.

mod words;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::io::{Errno, FdFlags};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
};
use rustix::process::{Resource, Rlimit};
use serde::{Deserialize, Serialize};

use super::group::{self, Process};
use super::{adapter, door, machine};
use crate::this_program::OWN;
use swissmatch_game::resource::Allowance;

/// Bytes read at once.
const CHUNK: usize = 16 << 10;
/// Standard input, output and error.
const PIPES: usize = 3;
/// The most descriptors handed over at once.
const MOST_HANDED: usize = 8;

/// The first argument by which the program knows that it is a keeper; then comes the name of the engine's player, for
/// `shortage`.
pub(super) const ARGUMENT: &str = "__keeper";

/// The player's word to stop the engine with all its processes.
pub(super) const FREEZE: u8 = b'f';
pub(super) const THAW: u8 = b't';
/// The keeper's word that the engine runs again.
pub(super) const THAWED: &str = "thawed";
/// The keeper's word once the engine is several processes that may think.
pub(super) const SEVERAL: &str = "several";

/// The process of an engine, with everything resolved. Its cores are those of the thread that starts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    #[serde(with = "path")]
    pub program: PathBuf,
    pub args: Vec<String>,
    /// Its working directory.
    #[serde(with = "path")]
    pub directory: PathBuf,
    /// Its environment variables: in addition to the runner's, or alone if it is confined.
    pub environment: BTreeMap<String, OsString>,
    /// The limits that the kernel enforces.
    pub limits: ProcessLimits,
    /// What all its processes together may use.
    pub allowance: Allowance,
    /// Addresses, `HOST:PORT`, that it has a door to; if there are any, the door's socket comes after its pipes. An
    /// adapter that asks over the broker has none, and has a stream to the broker in its place.
    pub connect: Vec<String>,
    /// What it is shut into; `None` if it is not.
    pub confinement: Option<Confinement>,
    /// The adapter of this program that starts it, if it is not an engine itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adapter: Option<adapter::AdapterKind>,
}

/// An engine's own ends of its pipes, and of its door or its stream to the broker.
#[derive(Debug)]
pub(super) struct Ends<const N: usize> {
    pub(super) pipes: [OwnedFd; N],
    pub(super) socket: Option<OwnedFd>,
}

/// What is handed over to the process that starts an engine.
#[derive(Debug)]
pub(super) struct EngineHandover<const N: usize> {
    pub(super) launch: Launch,
    /// The control group for it and all its processes.
    pub(super) group: Option<PathBuf>,
    pub(super) ends: Ends<N>,
}

/// Limits of a process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// The soft limit on descriptors; `None` means the runner's.
    pub descriptors: Option<u64>,
}

/// What the process of an agent is shut into, with everything resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Files and directories that it may read and run, with all below them.
    #[serde(with = "words::list")]
    pub reads: Vec<OsString>,
    /// Those of them that it is given whole: only what is in them now, and nothing that comes later.
    #[serde(with = "words::list")]
    pub directories: Vec<OsString>,
    /// Paths in them that it may not read.
    #[serde(with = "words::list")]
    pub hidden: Vec<OsString>,
    /// Links in its working directory: the name, and the target.
    pub links: Vec<(String, OsString)>,
    /// Private copies of files that it reads and of devices, with the path that each is put over; only with namespaces.
    #[serde(with = "words::pairs")]
    pub copies: Vec<(OsString, OsString)>,
    /// Files and directories that it may change, with all below them.
    #[serde(with = "words::list")]
    pub writes: Vec<OsString>,
    /// Device nodes that it may open, beside those that everyone may.
    #[serde(with = "words::list")]
    pub devices: Vec<OsString>,
    /// The programs that it may run; `None` means any.
    pub programs: Option<Programs>,
    /// The program that makes namespaces, if they are available.
    pub bubblewrap: Option<OsString>,
    /// A user and group of its own.
    pub user: Option<u32>,
    /// The most processes and threads.
    pub processes: Option<u64>,
    /// It is kept from passing information to others through files that they can all read.
    pub is_sealed: bool,
}

/// What an agent may run, if not everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Programs {
    /// What lies beside the system's programs, with all below: what it may read of the places where programs and
    /// libraries are. Names that are not UTF-8 are left out; text is read many times faster than numbers of bytes, and
    /// there are hundreds.
    pub beside: Vec<String>,
    /// Programs of the system that it may run all the same.
    #[serde(with = "words::list")]
    pub opened: Vec<OsString>,
}

impl Launch {
    /// Starts the engine, in its keeper, and in its control group if it has one. Everything that its process gets it
    /// gets here.
    ///
    /// # Errors
    /// The program cannot be run, or the machine cannot run it.
    pub(super) fn start(&self, ends: Ends<PIPES>, group: Option<&Path>) -> io::Result<Process> {
        let mut engine = self.command(ends.socket.as_ref())?;
        let [input, output, errors] = ends.pipes;
        // So that an engine that signals its group does not hit its keeper.
        engine.process_group(0).stdin(input).stdout(output).stderr(errors);
        let before = machine::be_sacrificed_first()?;
        let started = self.limits.around(|| group::spawn(&mut engine, group));
        machine::be_sacrificed_as(&before)?;
        started
    }

    /// True if it is an adapter that asks over the broker.
    pub(super) fn asks_broker(&self) -> bool {
        self.adapter.as_ref().is_some_and(adapter::AdapterKind::asks_broker)
    }

    /// Its program, or the template of a model with what it includes; empty for a web service.
    pub(super) fn made_of(&self) -> Vec<PathBuf> {
        match self.adapter {
            Some(adapter::AdapterKind::Url { .. }) => Vec::new(),
            // A template that cannot be read has been reported.
            Some(adapter::AdapterKind::Model { .. }) => {
                adapter::template::files(&self.program).unwrap_or_else(|_| vec![self.program.clone()])
            }
            Some(adapter::AdapterKind::Command { .. }) | None => vec![self.program.clone()],
        }
    }

    /// The program with everything it gets, except its pipes and limits. All that this process starts from here on has
    /// its socket.
    ///
    /// # Errors
    /// The socket cannot be handed on.
    pub(super) fn command(&self, socket: Option<&OwnedFd>) -> io::Result<Command> {
        let mut engine = match &self.adapter {
            None => Command::new(&self.program),
            Some(kind) => {
                let mut adapter = Command::new(OWN);
                adapter.arg0("swissmatch").args(kind.arguments());
                if !kind.asks_broker() {
                    adapter.arg(&self.program);
                }
                adapter
            }
        };
        if self.confinement.is_some() {
            engine.env_clear();
        }
        engine
            .args(&self.args)
            .current_dir(&self.directory)
            .envs(&self.environment);
        if let Some(socket) = socket {
            rustix::io::fcntl_setfd(socket, FdFlags::empty())?;
            let variable = match self.asks_broker() {
                true => adapter::VARIABLE,
                false => door::VARIABLE,
            };
            engine.env(variable, socket.as_raw_fd().to_string());
        }
        Ok(engine)
    }

    /// Hands the engine to its keeper, or to the process that becomes it, at the other end of `socket`, together with
    /// its control group, if it has one.
    ///
    /// # Errors
    /// The other side has gone, or does not take it within the socket's time.
    pub(super) fn hand_over(
        &self,
        socket: &UnixStream,
        ends: &[BorrowedFd<'_>],
        group: Option<&Path>,
    ) -> io::Result<()> {
        let mut text = serde_json::to_vec(&(self, group))?;
        text.push(b'\n');
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_HANDED))];
        let mut beside = SendAncillaryBuffer::new(&mut space);
        if !beside.push(SendAncillaryMessage::ScmRights(ends)) {
            return Err(io::Error::other("no room for so many descriptors"));
        }
        let mut sent = 0;
        while sent < text.len() {
            let rest = &text[sent..];
            // The descriptors go with the first byte, once.
            let taken = match sent {
                0 => rustix::net::sendmsg(socket, &[IoSlice::new(rest)], &mut beside, SendFlags::NOSIGNAL),
                _ => rustix::net::send(socket, rest, SendFlags::NOSIGNAL),
            };
            match taken {
                Err(Errno::INTR) => {}
                taken => sent += taken?,
            }
        }
        Ok(())
    }

    /// Takes what is handed over, on the other side. `None` if the sender has gone.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn take_over<const N: usize>(socket: &UnixStream) -> io::Result<Option<EngineHandover<N>>> {
        let (mut text, mut handed) = (Vec::new(), Vec::new());
        while text.last() != Some(&b'\n') {
            let mut chunk = [0; CHUNK];
            let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_HANDED))];
            let mut beside = RecvAncillaryBuffer::new(&mut space);
            let into = &mut [IoSliceMut::new(&mut chunk)];
            let read = match rustix::net::recvmsg(socket, into, &mut beside, RecvFlags::CMSG_CLOEXEC) {
                Err(Errno::INTR) => continue,
                read => read?.bytes,
            };
            for message in beside.drain() {
                if let RecvAncillaryMessage::ScmRights(more) = message {
                    handed.extend(more);
                }
            }
            if read == 0 {
                return Ok(None);
            }
            text.extend_from_slice(&chunk[..read]);
        }
        let (launch, group): (Self, _) = serde_json::from_slice(&text)?;
        // The kernel leaves out what it cannot give this process.
        let short = || io::Error::from_raw_os_error(Errno::MFILE.raw_os_error());
        let socket = match launch.connect.is_empty() && !launch.asks_broker() {
            true => None,
            false => Some(handed.pop().ok_or_else(short)?),
        };
        let pipes = handed.try_into().map_err(|_| short())?;
        Ok(Some(EngineHandover {
            launch,
            group,
            ends: Ends { pipes, socket },
        }))
    }
}

impl ProcessLimits {
    /// The limits that this program was started with, before it raised them for its games.
    pub fn of_this_program() -> Self {
        Self {
            descriptors: machine::descriptors_at_start(),
        }
    }

    /// Sets these as the limits of this process.
    pub(super) fn apply(self) -> io::Result<()> {
        let own = rustix::process::getrlimit(Resource::Nofile);
        if let Some(descriptors) = self.descriptors {
            let current = Some(own.maximum.map_or(descriptors, |most| most.min(descriptors)));
            rustix::process::setrlimit(Resource::Nofile, Rlimit { current, ..own })?;
        }
        Ok(())
    }

    /// Does some work within these limits, then restores this process's own.
    fn around<T>(self, work: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        let own = rustix::process::getrlimit(Resource::Nofile);
        self.apply()?;
        let done = work();
        rustix::process::setrlimit(Resource::Nofile, own)?;
        done
    }
}

/// The message about a failed start: it tells whether the machine lacks something, or the program, its directory or
/// what it is given is at fault.
pub(super) fn why(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::ArgumentListTooLong => "long".to_owned(),
        _ if machine::is_short(error) => format!("host {error}"),
        _ => format!("failed {error}"),
    }
}

/// Three pipes of an engine, for standard input, output and error: its own ends, and the other ends.
///
/// # Errors
/// The machine has no descriptor left.
pub(super) fn pipes() -> io::Result<([OwnedFd; PIPES], [OwnedFd; PIPES])> {
    let (to_read, input) = io::pipe()?;
    let (output, to_write) = io::pipe()?;
    let (errors, to_complain) = io::pipe()?;
    Ok((
        [to_read.into(), to_write.into(), to_complain.into()],
        [input.into(), output.into(), errors.into()],
    ))
}

/// Paths by their bytes, since not every path is text.
mod path {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        path.as_os_str().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
        OsString::deserialize(deserializer).map(PathBuf::from)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::fd::AsFd as _;
    use std::os::unix::ffi::OsStringExt as _;

    use super::*;
    use crate::threads;

    fn launch(script: &str) -> Launch {
        Launch {
            program: "/bin/sh".into(),
            args: ["-c", script].map(str::to_owned).to_vec(),
            directory: "/".into(),
            environment: BTreeMap::from([("GREETING".to_owned(), OsString::from_vec(vec![b'h', 0xff]))]),
            limits: ProcessLimits::default(),
            allowance: Allowance::UNLIMITED,
            connect: Vec::new(),
            confinement: None,
            adapter: None,
        }
    }

    #[test]
    fn what_is_handed_over_arrives_whole_with_its_pipes() {
        let (ours, theirs) = UnixStream::pair().expect("a socket");
        let (of_engine, mine) = pipes().expect("pipes");
        let mut long = launch("true");
        // Longer than the socket's buffer, and not text.
        long.args.push("x".repeat(1 << 20));
        let no_text = OsString::from_vec(vec![b'/', 0xfe, b'\n']);
        long.directory = no_text.clone().into();
        long.confinement = Some(Confinement {
            reads: vec![no_text.clone(), "a \"b\"\n".into()],
            copies: vec![(no_text, "/proc/stat".into())],
            ..Confinement::default()
        });
        let taker = std::thread::scope(|scope| {
            let taker = threads::start_in(scope, || Launch::take_over::<PIPES>(&theirs)).expect("a thread");
            long.hand_over(&ours, &of_engine.each_ref().map(|pipe| pipe.as_fd()), None)
                .expect("it is taken");
            taker.join().expect("no panic")
        });
        let taken = taker.expect("it is read").expect("it is there");
        assert_eq!(taken.launch, long);
        let [_, output, _] = taken.ends.pipes;
        std::fs::File::from(output).write_all(b"hi").expect("a pipe");
        drop(of_engine);
        let [_, output, _] = mine;
        assert_eq!(io::read_to_string(std::fs::File::from(output)).expect("text"), "hi");
        drop(ours);
        assert_eq!(Launch::take_over::<PIPES>(&theirs).expect("its end").map(|_| ()), None);
    }

    #[test]
    fn a_process_has_what_its_launch_says_and_this_one_keeps_its_own() {
        let before = rustix::process::getrlimit(Resource::Nofile);
        let (of_engine, [_, output, _]) = pipes().expect("pipes");
        let script = "pwd; printf %s \"$GREETING\"; echo; ulimit -Sn; cut -d' ' -f1,5 /proc/$$/stat";
        let mut launch = launch(script);
        // Other tests may run beside this one: they hardly notice one less.
        let fewer = before.current.map_or(1 << 10, |own| own - 1);
        launch.limits.descriptors = Some(fewer);
        let ends = Ends {
            pipes: of_engine,
            socket: None,
        };
        let child = launch.start(ends, None).expect("sh starts");
        let mut said = Vec::new();
        std::fs::File::from(output).read_to_end(&mut said).expect("its output");
        child.wait().expect("it ends");
        let pid = child.pid();
        let expected = [&b"/\nh\xff\n"[..], format!("{fewer}\n{pid} {pid}\n").as_bytes()].concat();
        assert_eq!(said, expected, "{}", String::from_utf8_lossy(&said));
        let after = rustix::process::getrlimit(Resource::Nofile);
        assert_eq!((before.current, before.maximum), (after.current, after.maximum));
    }
}
