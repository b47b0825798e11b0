//! Which of its processes this one is. The program is started again beside every engine, as its keeper, and behind a
//! guard, as the player; so its `main` has to ask first.
//!
//! All are one program, because guard, player and keeper must be there wherever swissmatch is; nothing has to be installed
//! separately.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::process::exit;

use super::begun::{self, is_guarded};
use super::confine::{init, inside, jail};
use super::group::probe;
use super::{adapter, guard, keeper, launch, machine};

/// The exit code of a process that cannot be what it was started as: the machine is at fault.
const CANNOT: i32 = 5;

/// The first line of the `main` of every program that plays games with this library on its own machine. Without it no
/// engine is started.
///
/// The program is started again beside each engine, as the keeper that ends the engine with all its processes. There
/// this function is the whole program: it never returns. Everywhere else it returns at once. From then on a file that
/// grows over its limit (`ulimit -f`) is an error instead of a signal, and from the first engine on so is a closed
/// pipe.
///
/// However the program ends, each keeper sees its socket close and kills its engine. Processes are left only if a
/// keeper was killed first, which an engine can do to its own: nobody ends them unless a guard stands behind the
/// program, see [`begin_guarded`].
pub fn begin() {
    let mut arguments = std::env::args_os().skip(1);
    let guarded = match arguments.next() {
        Some(word) if word == launch::ARGUMENT => exit(keeper::run().into()),
        Some(word) if word == adapter::ARGUMENT => exit(adapter::run(arguments).into()),
        Some(word) if word == adapter::trial::ARGUMENT => exit(adapter::trial::run(arguments.next()).into()),
        Some(word) if word == jail::ARGUMENT => exit(jail::run().into()),
        Some(word) if word == init::ARGUMENT => exit(init::run().into()),
        Some(word) if word == inside::ARGUMENT => {
            let tries = arguments.next().unwrap_or_default();
            exit(inside::run(&tries.to_string_lossy()).into())
        }
        Some(word) if word == probe::ARGUMENT => exit(probe::run(arguments.next().as_deref()).into()),
        Some(word) if word == guard::ARGUMENT => {
            let guard = arguments.next().unwrap_or_default();
            guard::tie_to(&guard.to_string_lossy()).map(|()| true)
        }
        _ => Ok(false),
    };
    let begun = guarded.and_then(|guarded| machine::outlive_file_limits().map(|()| guarded));
    match begun {
        Ok(guarded) => begun::note(guarded),
        Err(error) => fail(&error),
    }
}

/// Like [`begin`], but behind a guard: the program goes on in a second process. The first one waits for its end, kills
/// every remaining process of an engine, and ends with its exit code (128 plus the signal's number if a signal ended
/// it).
///
/// The program's arguments are [`arguments`] then. SIGINT, SIGTERM and SIGHUP are passed on, the last one as SIGTERM; the
/// program is in no group of the terminal's, and so may not read from it.
pub fn begin_guarded() {
    begin();
    if is_guarded() {
        return;
    }
    match guard::run(std::env::args_os().skip(1)) {
        Ok(status) => exit(status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))),
        Err(error) => fail(&error),
    }
}

/// The arguments of the program as it was given them, without its own name.
pub fn arguments() -> impl Iterator<Item = OsString> {
    // The player's mark and the guard's word come before them.
    std::env::args_os().skip(if is_guarded() { 3 } else { 1 })
}

fn fail(error: &io::Error) -> ! {
    // Standard error may be a pipe that nobody reads any more.
    let _ = writeln!(io::stderr(), "swissmatch: {error}");
    exit(CANNOT)
}
