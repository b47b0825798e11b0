//! Opening a log to read it, whatever lies beside it.
//!
//! May not: leave anything beside it that was not there.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use rusqlite::{ErrorCode, OpenFlags};

use super::{Store, StoreError, with_end};
use crate::{files, machine, run_dir};

/// Where an SQLite file says how it is written and read, and the value if both need a write-ahead log.
const VERSIONS: std::ops::Range<usize> = 18..20;
const WRITE_AHEAD: [u8; 2] = [2, 2];

impl Store {
    /// Opens a run's file to read it, even while a runner appends to it.
    ///
    /// # Errors
    /// It cannot be opened, or is not a run.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        if lacks_its_end(path).unwrap_or(false) {
            return Self::open_as_it_is(path);
        }
        let mut store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let mut identity = store.check_identity();
        if let Err(StoreError::Sqlite { source, .. }) = &identity
            && source.sqlite_error_code() == Some(ErrorCode::ReadOnly)
        {
            // A crash left a half-written transaction; undoing it takes writing.
            store = Self::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            identity = store.check_identity();
        }
        if let Err(StoreError::Sqlite { source, .. }) = &identity
            && source.sqlite_error_code() == Some(ErrorCode::CannotOpen)
            && with_end(path, "-wal").exists()
        {
            // What is beside it can only be read with a file that may not be made here, as on a read-only disk.
            store = Self::open_copy(path)?;
            identity = store.check_identity();
        }
        identity.map(|()| store)
    }

    /// Opens the file by itself. SQLite would create the missing write-ahead log.
    fn open_as_it_is(path: &Path) -> Result<Self, StoreError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
        let store = Self::connect_as(path, &unchanging(path), flags)?;
        store.check_identity().map(|()| store)
    }

    /// Opens a copy of a log and what is beside it, merged in a place where that is allowed. It goes with this value.
    fn open_copy(path: &Path) -> Result<Self, StoreError> {
        let place = std::env::temp_dir().join(format!("swissmatch-{}-{}", std::process::id(), machine::now()));
        let copy = run_dir::log(&place);
        let copied = std::fs::DirBuilder::new()
            .mode(0o700)
            .create(&place)
            .and_then(|()| std::fs::copy(path, &copy))
            .and_then(|_| std::fs::copy(with_end(path, "-wal"), with_end(&copy, "-wal")));
        let opened = match copied {
            Ok(_) => Self::merge(&copy).and_then(|()| Self::connect(&copy, OpenFlags::SQLITE_OPEN_READ_ONLY)),
            Err(error) => Err(StoreError::Copy(path.display().to_string(), error)),
        };
        // An open file stays readable without its name.
        let _ = std::fs::remove_dir_all(&place);
        let name = path.display().to_string();
        opened.map(|store| Self { path: name, ..store })
    }
}

/// True if a log was written with a write-ahead log beside it that is now missing; a killed runner always leaves one.
///
/// # Errors
/// The log cannot be looked at.
pub fn lacks_its_end(log: &Path) -> io::Result<bool> {
    // Closing the file releases all locks that this process has on it, so with a runner at work this comes first.
    for end in ["-wal", "-journal"] {
        if with_end(log, end).try_exists()? {
            return Ok(false);
        }
    }
    let mut head = Vec::new();
    files::open_plain(log)?
        .take(VERSIONS.end as u64)
        .read_to_end(&mut head)?;
    Ok(head.get(VERSIONS) == Some(&WRITE_AHEAD[..]))
}

/// The name by which SQLite reads a file alone, as one that nobody writes to.
fn unchanging(path: &Path) -> PathBuf {
    let mut name = "file:".to_owned();
    for byte in path.as_os_str().as_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => name.push(char::from(*byte)),
            _ => write!(name, "%{byte:02X}").expect("writing to a String does not fail"),
        }
    }
    PathBuf::from(OsString::from(name + "?immutable=1"))
}
