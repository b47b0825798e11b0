//! The template of an entrant, filled in for some positions by a process of its own: what it may do to that process it does to no other.
//!
//! The process has bounds on its memory and on what it computes, and an end; it opens none but the template and what that includes, and
//! what it finds out it writes as one line. May not: ask a service.

use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, Signal};
use serde::{Deserialize, Serialize};

use super::template::{files, read};
use crate::begun;
use crate::this_program::OWN;
use swissmatch_adapter::position::UciPosition;
use swissmatch_adapter::prompt::variables::{Variable, of_position};
use swissmatch_game::variant::Variant;

/// First argument by which the program knows that it is this process; what it tries comes after it.
pub(crate) const ARGUMENT: &str = "__template";

/// What it may compute.
const PROCESSOR: Duration = Duration::from_secs(10);
/// How long it may take in all, on a machine that does other things beside.
const PATIENCE: Duration = Duration::from_secs(120);
/// Its memory, with this program itself.
const MEMORY: u64 = 1 << 30;
/// Most that it may say: three of the longest prompts, in which each byte may be an escape.
const SAID: u64 = 32 << 20;
/// Times that both sides move a knight there and back in the longest of the games.
const SHUFFLES: usize = 75;

/// What is tried.
#[derive(Debug, Serialize, Deserialize)]
struct Order {
    template: PathBuf,
    variant: Variant,
}

/// A template, filled in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilledTemplate {
    /// What each position is called, and the prompt for it.
    pub prompts: Vec<(String, String)>,
    /// Names that it asks for and that no variable has.
    pub unknown: Vec<String>,
}

/// Fills in a template for a few positions; or why that cannot be done.
///
/// # Errors
/// When the machine cannot start the process.
pub fn fill_in(template: &Path, variant: Variant) -> io::Result<Result<FilledTemplate, String>> {
    begun::require_begun().map_err(io::Error::other)?;
    let order = Order {
        template: template.to_path_buf(),
        variant,
    };
    let mut process = Command::new(OWN)
        .arg(ARGUMENT)
        .arg(serde_json::to_string(&order)?)
        .env_clear()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let said = match &mut process.stdout {
        Some(output) => said_before(output, Instant::now() + PATIENCE),
        None => Ok(None),
    };
    // Whatever it did: it ends here.
    process.kill()?;
    let status = process.wait()?;
    let answer = said?.and_then(|text| serde_json::from_slice(&text).ok());
    Ok(answer.unwrap_or_else(|| Err(why_it_ended(status))))
}

/// All that it says before this moment, and before its end; `None`: that is not all.
fn said_before(output: &mut std::process::ChildStdout, until: Instant) -> io::Result<Option<Vec<u8>>> {
    let mut said = Vec::new();
    let mut chunk = [0; 1 << 14];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        let timeout = Timespec::try_from(left).map_err(io::Error::other)?;
        let mut polled = [PollFd::from_borrowed_fd(output.as_fd(), PollFlags::IN)];
        match rustix::event::poll(&mut polled, Some(&timeout)) {
            Err(Errno::INTR) => continue,
            Err(error) => return Err(error.into()),
            Ok(0) => return Ok(None),
            Ok(_) => {}
        }
        match output.read(&mut chunk)? {
            0 => return Ok(Some(said)),
            count => said.extend_from_slice(&chunk[..count]),
        }
        if said.len() as u64 > SAID {
            return Ok(None);
        }
    }
}

fn why_it_ended(status: ExitStatus) -> String {
    let signal = status.signal();
    match signal {
        // By this process, or by the kernel.
        Some(libc::SIGKILL | libc::SIGXCPU) => {
            format!("filling it in takes longer than {} s", PROCESSOR.as_secs())
        }
        _ => format!(
            "filling it in breaks off: it needs more than {} MiB, or a value in it contains itself or is nested too deep",
            MEMORY >> 20
        ),
    }
}

/// Is that process by the argument after [`ARGUMENT`]; gives its exit code.
pub(crate) fn run(order: Option<std::ffi::OsString>) -> u8 {
    let order = order.and_then(|text| serde_json::from_str(&text.to_string_lossy()).ok());
    let Some(Order { template, variant }) = order else {
        return super::USAGE;
    };
    let done = shut_in().and_then(|()| {
        let mut text = serde_json::to_vec(&filled(&template, variant))?;
        text.push(b'\n');
        io::stdout().lock().write_all(&text)
    });
    match done {
        Ok(()) => 0,
        Err(_) => super::CANNOT,
    }
}

/// This process has bounds from here on.
fn shut_in() -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    for (resource, most) in [
        (Resource::Cpu, PROCESSOR.as_secs()),
        (Resource::As, MEMORY),
        (Resource::Fsize, 0),
        (Resource::Core, 0),
    ] {
        let own = rustix::process::getrlimit(resource).maximum;
        let most = Some(own.map_or(most, |own| own.min(most)));
        rustix::process::setrlimit(
            resource,
            Rlimit {
                current: most,
                maximum: most,
            },
        )?;
    }
    Ok(())
}

fn filled(template: &Path, variant: Variant) -> Result<FilledTemplate, String> {
    if std::fs::read(template).is_ok_and(|text| str::from_utf8(&text).is_err()) {
        return Err(format!("{}: it is not UTF-8", template.display()));
    }
    files(template)?;
    let prompt = read(template)?;
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(SHUFFLES);
    let mut filled = FilledTemplate::default();
    for (called, moves) in [
        ("the start position", ""),
        ("a position with Black to move", " moves e2e4"),
        ("a game of 300 plies", &format!(" moves{shuffle}")),
    ] {
        let placed =
            UciPosition::read(&format!("startpos{moves}"), variant).ok_or("the positions are none of this event")?;
        let mut variables = of_position(&placed);
        for (name, text) in [("attempt", "1"), ("last_error", ""), ("last_answer", "")] {
            variables.insert(name, Variable::Text(text.to_owned()));
        }
        let (text, unknown) = prompt
            .render_noting(&variables)
            .map_err(|why| format!("with {called}: {why}"))?;
        if text.trim().is_empty() {
            return Err(format!("with {called} it gives no text"));
        }
        for name in unknown {
            if !filled.unknown.contains(&name) {
                filled.unknown.push(name);
            }
        }
        filled.prompts.push((called.to_owned(), text));
    }
    Ok(filled)
}
