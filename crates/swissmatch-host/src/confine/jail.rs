//! The process between an agent's keeper and the agent: it shuts itself in and then becomes the agent.
//!
//! Its standard input is a socket to the keeper, which hands over what is to be started ([`Launch`]) with the agent's pipes, one
//! more, over which it says why it could not, and the agent's door, or its stream to the broker, where it has one. The one more closes when
//! the agent runs.
//!
//! A third process, because the keeper has to read `/proc` and to signal, so it cannot be shut in. Nothing is left of this one:
//! it executes the agent. In namespaces bubblewrap runs it inside, or `init`, which bubblewrap runs.

use std::convert::Infallible;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use rustix::process::{Gid, Resource, Rlimit, Uid};
use rustix::thread::{CapabilitySet, CapabilitySets};

use super::{Confinement, bwrap, calls, files};
use crate::launch::{Ends, EngineHandover, Launch, why};
use crate::machine;

/// First argument by which the program knows that it is this process.
pub(crate) const ARGUMENT: &str = "__jail";

/// Its first word to the keeper: it is there.
pub(crate) const THERE: &[u8] = b"\n";

/// Descriptors of a process: what they stand for is memory of the kernel. Java and Node take all that they may, and need some hundreds.
const MOST_DESCRIPTORS: u64 = 4096;

/// The exit code of a process that did not become an agent.
pub(super) const CANNOT: u8 = 5;

/// Shuts this process in and becomes the agent; gives an exit code where it cannot.
pub(crate) fn run() -> u8 {
    close_inherited();
    let Ok(socket) = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), 3) else {
        return CANNOT;
    };
    let Ok(Some(EngineHandover { launch, ends, .. })) = Launch::take_over(&UnixStream::from(socket)) else {
        return CANNOT;
    };
    let [input, output, errors, word] = ends.pipes;
    let ends = Ends {
        pipes: [input, output, errors],
        socket: ends.socket,
    };
    let mut word = io::PipeWriter::from(word);
    let error = match word.write_all(THERE).and_then(|()| become_agent(&launch, ends)) {
        Ok(never) => match never {},
        Err(error) => error,
    };
    let _ = word.write_all(why(&error).as_bytes());
    CANNOT
}

/// Closes all descriptors but the standard ones: whatever whoever started swissmatch, or bubblewrap, left open. Nothing else has been
/// opened yet.
pub(super) fn close_inherited() {
    let entries = std::fs::read_dir("/proc/self/fd").into_iter().flatten().flatten();
    let numbers: Vec<i32> = entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for number in numbers.into_iter().filter(|number| *number > 2) {
        // The one by which they were listed is closed already.
        let _ = nix::unistd::close(number);
    }
}

/// # Errors
/// Why this process is not the agent.
fn become_agent(launch: &Launch, ends: Ends<3>) -> io::Result<Infallible> {
    let confinement = launch.confinement.clone().unwrap_or_default();
    rustix::process::setsid()?;
    launch.limits.apply()?;
    limit(&confinement)?;
    machine::be_sacrificed_first()?;
    bwrap::finish(&confinement)?;
    files::shut_in(&confinement, launch.adapter.is_some())?;
    give_up_rights(confinement.user)?;
    link(&launch.directory, &confinement)?;
    calls::refuse(calls::Agent {
        has_our_files: confinement.bubblewrap.is_none(),
        is_sealed: confinement.is_sealed,
        has_a_door: !launch.connect.is_empty(),
        runs_any: confinement.programs.is_none(),
    })?;
    let [input, output, errors] = ends.pipes;
    let mut agent = launch.command(ends.socket.as_ref())?;
    Err(agent.stdin(input).stdout(output).stderr(errors).exec())
}

/// Puts what its words name where it works, under its own name. What the agent has put there itself stays.
fn link(works_in: &Path, confinement: &Confinement) -> io::Result<()> {
    let unless_there = |made: io::Result<()>| match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    };
    for (name, leads_to) in &confinement.links {
        let link = works_in.join(name);
        let above = link.ancestors().skip(1).take_while(|above| *above != works_in);
        let above: Vec<&Path> = above.collect();
        for directory in above.into_iter().rev() {
            unless_there(std::fs::create_dir(directory))?;
        }
        unless_there(std::os::unix::fs::symlink(leads_to, link))?;
    }
    Ok(())
}

fn limit(confinement: &Confinement) -> io::Result<()> {
    let of = |most| Rlimit {
        current: most,
        maximum: most,
    };
    rustix::process::setrlimit(Resource::Core, of(Some(0)))?;
    let own = rustix::process::getrlimit(Resource::Nofile);
    let at_most = |own: Option<u64>| Some(own.map_or(MOST_DESCRIPTORS, |own| own.min(MOST_DESCRIPTORS)));
    let descriptors = Rlimit {
        current: at_most(own.current),
        maximum: at_most(own.maximum),
    };
    rustix::process::setrlimit(Resource::Nofile, descriptors)?;
    if let Some(most) = confinement.processes {
        // It may be less already.
        let least = rustix::process::getrlimit(Resource::Nproc)
            .maximum
            .map_or(most, |own| own.min(most));
        rustix::process::setrlimit(Resource::Nproc, of(Some(least)))?;
    }
    Ok(())
}

/// What a superuser may do beyond others goes for ever; with a user of its own also what the runner's user may.
fn give_up_rights(user: Option<u32>) -> io::Result<()> {
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    // Until the kernel knows no further one.
    let every = (0..64).map(|number| CapabilitySet::from_bits_retain(1 << number));
    for capability in every {
        if rustix::thread::remove_capability_from_bounding_set(capability).is_err() {
            break;
        }
    }
    rustix::thread::clear_ambient_capability_set()?;
    if let Some(user) = user {
        rustix::thread::set_thread_groups(&[])?;
        rustix::thread::set_thread_gid(Gid::from_raw(user))?;
        rustix::thread::set_thread_uid(Uid::from_raw(user))?;
    }
    let none = CapabilitySets {
        effective: CapabilitySet::empty(),
        permitted: CapabilitySet::empty(),
        inheritable: CapabilitySet::empty(),
    };
    Ok(rustix::thread::set_capabilities(None, none)?)
}
