//! The streams of others: what they say and hear, and the organizer's terminal.
#![expect(clippy::disallowed_methods, reason = "it waits for the other's time to think")]

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::fs::OFlags;

use super::means::Means;
use super::others::{self, Role};
use super::outcome::{Failed, Tried, perl};

/// How often and how long words are put into another's mouth.
const PAUSE: Duration = Duration::from_millis(5);
const WORDS: usize = 100;
/// A title of the window: harmless, but nobody else's to set.
const ESCAPE: &[u8] = b"\x1b]0;hostile\x07";

static SPEAKING: AtomicBool = AtomicBool::new(false);

/// Says nothing for others any more.
pub(super) fn fall_silent() {
    SPEAKING.store(false, Ordering::Relaxed);
}

fn open(path: &str) -> Result<File, Failed> {
    // Neither waits for somebody at the other end nor takes a terminal for its own.
    let flags = OFlags::NONBLOCK | OFlags::NOCTTY;
    let flags = i32::try_from(flags.bits()).unwrap_or(0);
    Ok(OpenOptions::new().write(true).custom_flags(flags).open(path)?)
}

/// Answers for the others while they think: from this move's answer to the next
/// `go`, beginning now.
pub(super) fn speak_for_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |pid| {
        let mut mouth = open(&format!("/proc/{pid}/fd/1"))?;
        mouth.write_all(b"bestmove a1a1\n")?;
        SPEAKING.store(true, Ordering::Relaxed);
        thread::spawn(move || {
            for _ in 0..WORDS {
                thread::sleep(PAUSE);
                if !SPEAKING.load(Ordering::Relaxed) || mouth.write_all(b"bestmove a1a1\n").is_err() {
                    return;
                }
            }
        });
        Ok("spoke through its output".to_owned())
    })
}

/// Tells the others something in the runner's place.
pub(super) fn tell_other(means: &Means, _: &str) -> Tried {
    others::each(Role::Other, means.others.as_deref(), |pid| {
        open(&format!("/proc/{pid}/fd/0"))?.write_all(b"isready\n")?;
        Ok("wrote to its input".to_owned())
    })
}

/// An escape sequence through the streams of guard and player.
pub(super) fn write_terminal(means: &Means, _: &str) -> Tried {
    let through = |pid| {
        let tried = [1, 2].map(|stream| Ok(open(&format!("/proc/{pid}/fd/{stream}"))?.write_all(ESCAPE)?));
        tried
            .into_iter()
            .reduce(Result::or)
            .unwrap_or_else(|| Err(Failed::refused("none")))
            .map(|()| "an escape sequence".to_owned())
    };
    let told = means.others.as_deref();
    others::each(Role::Guard, told, through).or_else(|_| others::each(Role::Player, told, through))
}

/// The terminals of guard and player; all of them could be opened by name.
fn terminals(means: &Means) -> Vec<PathBuf> {
    let told = means.others.as_deref();
    let roles = [Role::Guard, Role::Player].map(|role| others::of(role, told).unwrap_or_default());
    let links = roles
        .into_iter()
        .flatten()
        .flat_map(|pid| (0..3).map(move |fd| format!("/proc/{pid}/fd/{fd}")));
    let paths = links.filter_map(|link| fs::read_link(link).ok());
    paths.filter(|path| path.starts_with("/dev/pts")).collect()
}

/// Opens terminals by name, and writes only to one that is the run's.
pub(super) fn open_terminals(means: &Means, _: &str) -> Tried {
    for path in terminals(means) {
        if open(&path.to_string_lossy()).is_ok_and(|mut terminal| terminal.write_all(ESCAPE).is_ok()) {
            return Ok(format!("an escape sequence on {}", path.display()));
        }
    }
    let names = fs::read_dir("/dev/pts").map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let names: Vec<PathBuf> = names.unwrap_or_default();
    let numbered = names.iter().filter(|path| !path.ends_with("ptmx"));
    let paths = numbered.cloned().chain([PathBuf::from("/dev/tty")]);
    let mut why = Failed::refused("there is no terminal");
    for path in paths {
        match open(&path.to_string_lossy()) {
            Ok(_) => return Ok(format!("{} opened", path.display())),
            Err(refused) => why = refused,
        }
    }
    Err(why)
}

/// Types a character for the organizer, by TIOCSTI.
pub(super) fn type_key(means: &Means, value: &str) -> Tried {
    let terminal = terminals(means).into_iter().next();
    let terminal = terminal.map_or(value.to_owned(), |path| path.display().to_string());
    perl(
        "open(my $terminal, '+<', $ARGV[0]) or refused(); my $key = ' '; ioctl($terminal, 0x5412, $key) or refused(); print 'typed'",
        &[&terminal],
    )
}
