//! In the keeper: the start of an agent that is shut in.
//!
//! May not: shut in the keeper.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Confinement, bwrap, init, jail};
use crate::group::{self, Process};
use crate::launch::{Ends, Launch, why};

/// How long the first process of its namespaces may take to do what it is told.
const PATIENCE: Duration = Duration::from_secs(1);

/// An agent that was started within its confinement.
pub(crate) struct ConfinedAgent {
    pub(crate) process: Process,
    /// To the first process of its namespaces, where that can stop it.
    pub(crate) first: Option<UnixStream>,
}

/// Starts the agent within its confinement, and in its control group where it has one. When this returns it runs.
///
/// # Errors
/// The keeper's word for why it does not; something of it may still be there.
pub(crate) fn start(
    launch: &Launch,
    confinement: &Confinement,
    ends: Ends<3>,
    group: Option<&Path>,
) -> Result<ConfinedAgent, String> {
    let (entered, heard) = begin(launch, confinement, &ends, group).map_err(|error| why(&error))?;
    let mut said = Vec::new();
    io::PipeReader::from(heard)
        .read_to_end(&mut said)
        .map_err(|error| why(&error))?;
    match said.strip_prefix(jail::THERE) {
        Some(b"") => Ok(entered),
        Some(why) => Err(String::from_utf8_lossy(why).into_owned()),
        None if confinement.bubblewrap.is_some() => Err("host bubblewrap could not make namespaces".to_owned()),
        None => Err("host the process that shuts it in did not start".to_owned()),
    }
}

fn begin(
    launch: &Launch,
    confinement: &Confinement,
    ends: &Ends<3>,
    group: Option<&Path>,
) -> io::Result<(ConfinedAgent, OwnedFd)> {
    let (ours, theirs) = UnixStream::pair()?;
    let (heard, word) = io::pipe()?;
    let program = File::open("/proc/self/exe")?;
    let mut first = None;
    let mut command = match &confinement.bubblewrap {
        None => Command::new("/proc/self/exe"),
        Some(bubblewrap) => {
            let mut command = bwrap::command(bubblewrap, confinement, &program, group.is_none())?;
            // Its complaints are where the agent's are.
            command.stderr(ends.pipes[2].try_clone()?).process_group(0);
            first = group.is_none().then(UnixStream::pair).transpose()?;
            command
        }
    };
    let role = if first.is_some() {
        init::ARGUMENT
    } else {
        jail::ARGUMENT
    };
    let (first, of_first) = first.unzip();
    if let Some(first) = &first {
        first.set_read_timeout(Some(PATIENCE))?;
    }
    // Nothing that the runner knows of is in the memory of a process that the agent may look into.
    command
        .env_clear()
        .arg(role)
        .stdin(OwnedFd::from(theirs))
        .stdout(of_first.map_or_else(Stdio::null, |socket| OwnedFd::from(socket).into()));
    let started = group::spawn(&mut command, group);
    drop(command);
    let entered = ConfinedAgent {
        process: started?,
        first,
    };
    let mut handed: Vec<BorrowedFd<'_>> = ends.pipes.iter().map(|pipe| pipe.as_fd()).collect();
    handed.push(word.as_fd());
    handed.extend(ends.socket.iter().map(|socket| socket.as_fd()));
    // One that has gone already says so by its silence.
    let _ = launch.hand_over(&ours, &handed, None);
    Ok((entered, heard.into()))
}
