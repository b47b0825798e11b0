//! The file of qualifications: read, and written with every entry that others wrote.
//!
//! May not: decide who is eligible.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use crate::shell::files::{about, read_plain, write_whole};
use crate::tournament::eligibility::{Record, Records};

/// How often, and after how long, a file that another one writes is looked at again.
const LOOKS: u32 = 200;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// Reads the file; where there is none nobody is qualified.
///
/// # Errors
/// When it cannot be read, or is no such file; the error names it.
pub fn read(path: &Path) -> io::Result<Records> {
    match read_plain(path) {
        Ok(text) => Records::read(&text).map_err(|error| about(path, &io::Error::other(error))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Records::default()),
        Err(error) => Err(about(path, &error)),
    }
}

/// Puts the record of a player into the file, in place of an older one, and keeps all others, whoever else writes at the same
/// time.
///
/// # Errors
/// When it cannot be read or written, or another program holds its directory.
pub fn keep(path: &Path, player: &str, record: Record) -> io::Result<()> {
    // Locked is the directory: the file itself is replaced.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new("."));
    let lock = File::open(directory).map_err(|error| about(directory, &error))?;
    let mut looks = 0;
    loop {
        match rustix::fs::flock(&lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => break,
            Err(Errno::WOULDBLOCK) if looks < LOOKS => {
                looks += 1;
                std::thread::sleep(LOOK_AGAIN);
            }
            Err(error) => return Err(about(directory, &error.into())),
        }
    }
    let mut records = read(path)?;
    records.players.insert(player.to_owned(), record);
    write_whole(path, &records.write())
}
