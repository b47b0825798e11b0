//! Files that are there whole or not at all: they are written under a temporary name and synced before they take their
//! place, and the new name is synced before anyone relies on it.
//!
//! The only place that renames files (`tests/core/tidy.rs` checks it): a file replaced elsewhere could be left empty by
//! a power cut.

mod many;
mod unpacked;

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags};
use rustix::io::Errno;

use super::machine;
pub use many::write_many_whole;
pub use unpacked::write_read_only;
pub use unpacked::{remove_below, settle_below};

/// The beginning and the end of a temporary file's name; a process id and a number stand between.
const DRAFT: (&str, &str) = (".swissmatch-", ".part");

/// How often, and after how long, a file locked by another process is tried again.
const LOOKS: u32 = 3000;
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// A file that is being written and stays invisible until it is placed. If it is dropped before that it goes, and the
/// old file stays.
#[derive(Debug)]
pub struct Draft {
    file: File,
    path: PathBuf,
    /// Its temporary path. If a link leads to a file that does not exist yet, that file is written directly.
    part: Option<PathBuf>,
}

impl Draft {
    /// Begins the file for `path`. A link stays, and what it leads to is replaced; owner and permissions stay, too.
    /// Anything but a plain file is left alone: opening a pipe might wait for its reader for ever.
    ///
    /// # Errors
    /// The directory cannot be written to, or something other than a plain file is there; the error names the file.
    pub fn at(path: &Path) -> io::Result<Self> {
        Self::begin(path).map_err(|error| about(path, &error))
    }

    fn begin(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(no_plain_file());
        }
        let there = match fs::symlink_metadata(path) {
            Ok(there) if there.is_symlink() => match fs::canonicalize(path) {
                Ok(real) => return Self::begin(&real),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Some(there),
                Err(error) => return Err(error),
            },
            Ok(there) => Some(there),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if there.as_ref().is_some_and(fs::Metadata::is_symlink) {
            let file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
            let path = path.to_path_buf();
            return Ok(Self { file, path, part: None });
        }
        Self::beside(path, there.as_ref())
    }

    /// Begins the file for `path` in a directory that others may have prepared. A link or pipe there gives way, and
    /// nothing that it leads to is touched.
    ///
    /// # Errors
    /// The directory cannot be written to; the error names the file.
    pub fn instead(path: &Path) -> io::Result<Self> {
        let there = fs::symlink_metadata(path).ok().filter(fs::Metadata::is_file);
        Self::beside(path, there.as_ref()).map_err(|error| about(path, &error))
    }

    /// Begins it under a temporary name, next to what is there.
    fn beside(path: &Path, there: Option<&fs::Metadata>) -> io::Result<Self> {
        let path = path.to_path_buf();
        let part = part_in(directory_of(&path));
        // Left by an earlier process with the same id. Whatever has that name is never followed, nor written to.
        let _ = fs::remove_file(&part);
        let file = OpenOptions::new().append(true).create_new(true).open(&part)?;
        let draft = Self {
            file,
            path,
            part: Some(part),
        };
        if let Some(there) = there {
            // It keeps its owner if this user may give files away. If not, nobody gets a program that runs as this
            // user.
            let _ = std::os::unix::fs::fchown(&draft.file, Some(there.uid()), Some(there.gid()));
            let rights = fs::Permissions::from_mode(there.mode() & 0o777);
            draft.file.set_permissions(rights)?;
        }
        Ok(draft)
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// The disk is full or gone; the error names the file.
    pub fn write(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let written = self.file.write_all(bytes.as_ref());
        written.map_err(|error| about(&self.path, &error))
    }

    /// Its temporary path, for writing it by other means than [`Self::write`].
    pub fn part(&self) -> &Path {
        self.part.as_deref().unwrap_or(&self.path)
    }

    /// Puts it in its place. When this returns it survives a crash of the machine; after an error the old file is still
    /// there. Returns the file, for appending.
    ///
    /// # Errors
    /// The disk is full or gone; the error names the file.
    pub fn place(self) -> io::Result<File> {
        let directory = directory_of(&self.path).to_path_buf();
        let file = self.take_place()?;
        sync_directory(&directory)?;
        Ok(file)
    }

    fn take_place(mut self) -> io::Result<File> {
        let of_file = |error: io::Error| about(&self.path, &error);
        synced(&self.file).map_err(of_file)?;
        if let Some(part) = &self.part {
            fs::rename(part, &self.path).map_err(of_file)?;
        }
        self.part = None;
        self.file.try_clone().map_err(|error| about(&self.path, &error))
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            // If it is left behind it is swept up later.
            let _ = fs::remove_file(part);
        }
    }
}

/// Writes a whole file, so that a reader sees the old or the new one, even after a power cut.
///
/// # Errors
/// The disk is full or gone; the error names the file, and the old one is still there.
pub fn write_whole(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut draft = Draft::at(path)?;
    draft.write(bytes)?;
    draft.place().map(drop)
}

/// Like [`write_whole`], in a directory that others may have prepared: see [`Draft::instead`].
///
/// # Errors
/// Like [`write_whole`].
pub fn write_instead(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut draft = Draft::instead(path)?;
    draft.write(bytes)?;
    draft.place().map(drop)
}

/// Writes a file that will soon be written again: a reader sees the old or the new one, but nothing waits for the disk,
/// and after a power cut it may be empty.
///
/// # Errors
/// The disk is full or gone; the error names the file.
pub fn write_passing(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut draft = Draft::at(path)?;
    draft.write(bytes)?;
    if let Some(part) = &draft.part {
        fs::rename(part, &draft.path).map_err(|error| about(&draft.path, &error))?;
    }
    draft.part = None;
    Ok(())
}

/// Writes output to where the user said: a file as a whole, a pipe or a device as it is.
///
/// # Errors
/// Like [`write_whole`].
pub fn write_out(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    if fs::metadata(path).map_or(true, |there| there.is_file() || there.is_dir()) {
        return write_whole(path, bytes);
    }
    let written = OpenOptions::new().write(true).open(path);
    let written = written.and_then(|mut file| file.write_all(bytes.as_ref()));
    written.map_err(|error| about(path, &error))
}

/// Like [`write_whole`], for several files in one directory, each replaced by itself. A file with the right content is
/// left as it is: it was synced when one of these functions wrote it, and this one waits for its name to be synced.
///
/// # Errors
/// Like [`write_whole`]; files before the one that the error names have been replaced.
pub fn write_all_whole(directory: &Path, files: &[(String, String)]) -> io::Result<()> {
    for (name, text) in files {
        let path = directory.join(name);
        if says(&path, text) {
            continue;
        }
        let mut draft = Draft::at(&path)?;
        draft.write(text)?;
        draft.take_place()?;
    }
    sync_directory(directory)
}

/// True if a plain file has this content.
pub fn says(path: &Path, text: &str) -> bool {
    let is_so_long = |there: fs::Metadata| there.is_file() && there.len() == text.len() as u64;
    fs::symlink_metadata(path).is_ok_and(is_so_long) && fs::read(path).is_ok_and(|bytes| bytes == text.as_bytes())
}

/// Writes a file that must not exist yet.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if it exists; otherwise the disk is full or gone, and nothing is left of the file.
pub fn write_new(path: &Path, text: &str) -> io::Result<()> {
    write_new_with(path, text, 0o666)
}

/// Like [`write_new`], for a file that nobody else may read.
///
/// # Errors
/// Like [`write_new`].
pub fn write_secret(path: &Path, text: &str) -> io::Result<()> {
    write_new_with(path, text, 0o600)
}

fn write_new_with(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| synced(&file));
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written.and_then(|()| sync_directory(directory_of(path)))
}

/// Copies an open file to one that must not exist yet. Disks that can share blocks between files do so.
///
/// # Errors
/// It exists, or the disk is full or gone.
pub(crate) fn copy_new(from: &mut impl io::Read, to: &Path) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(to)?;
    let copied = io::copy(from, &mut file);
    if copied.is_err() {
        let _ = fs::remove_file(to);
    }
    copied.map(drop)
}

/// Renames a file or a directory and syncs that.
///
/// # Errors
/// It cannot be renamed; the error names it.
pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to).map_err(|error| about(from, &error))?;
    let (old, new) = (directory_of(from), directory_of(to));
    sync_directory(new)?;
    match old == new {
        true => Ok(()),
        false => sync_directory(old),
    }
}

/// Removes a file, if it exists.
///
/// # Errors
/// It cannot be removed; the error names it.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(about(path, &error)),
        _ => Ok(()),
    }
}

/// Makes a directory and those above it, and syncs that.
///
/// # Errors
/// It cannot be made; the error names it.
pub fn make_directory(path: &Path) -> io::Result<()> {
    let missing: Vec<&Path> = path
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && !above.exists())
        .collect();
    fs::create_dir_all(path).map_err(|error| about(path, &error))?;
    missing.iter().try_for_each(|made| sync_directory(directory_of(made)))
}

/// Makes a directory in an existing one, and syncs that. If the outer directory was taken away it is not made anew.
///
/// # Errors
/// It cannot be made; the error names it.
pub fn make_inner_directory(path: &Path) -> io::Result<()> {
    match fs::create_dir(path) {
        Ok(()) => sync_directory(directory_of(path)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(about(path, &error)),
    }
}

/// Syncs the content of a file.
///
/// # Errors
/// It cannot be synced; the error names it.
pub fn sync(path: &Path) -> io::Result<()> {
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(|error| about(path, &error))
}

/// Removes half-written files of ended processes from a directory.
pub fn sweep(directory: &Path) {
    sweep_of(directory, |writer| !is_alive(writer));
}

/// Removes half-written files from a directory that only this process may write to, even if the process id of an ended
/// writer has since been reused.
pub fn sweep_all(directory: &Path) {
    sweep_of(directory, |writer| writer != std::process::id());
}

fn sweep_of(directory: &Path, is_over: impl Fn(u32) -> bool) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for entry in entries.flatten() {
        if writer_of(&entry.file_name().to_string_lossy()).is_some_and(&is_over) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// True if the name is that of a file that is, or was, being written.
pub fn is_draft(name: &str) -> bool {
    writer_of(name).is_some()
}

/// Locks a file that is replaced as a whole, so that only one process at a time reads it and writes it anew; waits for
/// others that have it. A link counts as what it leads to.
///
/// # Errors
/// It does not exist, or stays locked for a minute; the error names it.
pub fn hold(path: &Path) -> io::Result<File> {
    let real = fs::canonicalize(path).map_err(|error| about(path, &error))?;
    let hold = || {
        for _ in 0..LOOKS {
            let file = open_plain(&real)?;
            match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
                // The process that had it may have put another in its place.
                Ok(()) if is_at(&file, &real)? => return Ok(file),
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => std::thread::sleep(LOOK_AGAIN),
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::other("another program has held it for a minute"))
    };
    hold().map_err(|error| about(path, &error))
}

/// Locks a file for as long as it is open, and makes it if it does not exist; `None` if another process has it.
///
/// # Errors
/// It cannot be made or locked; the error names it.
pub fn try_hold(path: &Path) -> io::Result<Option<File>> {
    let file = open_to_append(path)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(Some(file)),
        Err(Errno::WOULDBLOCK) => Ok(None),
        Err(error) => Err(about(path, &error.into())),
    }
}

/// True if an open file is the one that is now at `path`.
///
/// # Errors
/// The path cannot be looked at.
pub fn is_at(file: impl std::os::fd::AsFd, path: &Path) -> io::Result<bool> {
    let own = rustix::fs::fstat(file)?;
    match rustix::fs::stat(path) {
        Ok(there) => Ok((own.st_dev, own.st_ino) == (there.st_dev, there.st_ino)),
        Err(Errno::NOENT) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Opens a plain file for reading. Anything else is refused: opening a pipe might wait for its writer for ever.
///
/// # Errors
/// It does not exist, or it cannot be read.
pub fn open_plain(path: &Path) -> io::Result<File> {
    if !fs::metadata(path)?.is_file() {
        return Err(no_plain_file());
    }
    // What has come into its place since is not waited for either.
    let at_once = i32::from_ne_bytes(OFlags::NONBLOCK.bits().to_ne_bytes());
    let file = OpenOptions::new().read(true).custom_flags(at_once).open(path)?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(no_plain_file()),
    }
}

/// Refuses an SQLite database that is not a plain file, or whose journal or write-ahead log is something else than a
/// plain file: SQLite would wait for the writer of a pipe.
///
/// # Errors
/// The file in question.
pub fn require_plain_database(path: &Path) -> io::Result<()> {
    for end in ["", "-journal", "-wal", "-shm"] {
        let mut beside = path.as_os_str().to_owned();
        beside.push(end);
        if fs::metadata(&beside).is_ok_and(|there| !there.is_file()) {
            return Err(about(Path::new(&beside), &no_plain_file()));
        }
    }
    Ok(())
}

fn no_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file")
}

/// Reads to the end, which a device may not have: more than `most` bytes are an error.
///
/// # Errors
/// It cannot be read, or has more.
pub fn read_at_most(source: impl io::Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it has more than {} MiB", most >> 20),
        )),
        false => Ok(bytes),
    }
}

/// Opens a plain file for appending, and makes it if it does not exist. Anything else is refused.
///
/// # Errors
/// It cannot be written; the error names it.
pub fn open_to_append(path: &Path) -> io::Result<File> {
    append_by(OpenOptions::new().append(true), path)
}

/// Like [`open_to_append`], and also for reading from the beginning.
///
/// # Errors
/// Like [`open_to_append`].
pub(crate) fn open_to_read_and_append(path: &Path) -> io::Result<File> {
    append_by(OpenOptions::new().read(true).append(true), path)
}

fn append_by(how: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let opened = match fs::metadata(path).is_ok_and(|there| !there.is_file()) {
        true => Err(no_plain_file()),
        false => how.create(true).open(path),
    };
    opened.map_err(|error| about(path, &error))
}

/// Appends a line to a file and syncs it; makes the file if it does not exist. An unfinished line at the end stays a
/// line of its own.
///
/// # Errors
/// It cannot be written; the error names it.
pub fn append_line(path: &Path, line: &str) -> io::Result<()> {
    let append = || {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(no_plain_file());
        }
        let is_new = !path.exists();
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
        let is_torn = match file.seek(SeekFrom::End(0))? {
            0 => false,
            _ => {
                let mut last = [0];
                file.seek(SeekFrom::End(-1))?;
                file.read_exact(&mut last)?;
                last != *b"\n"
            }
        };
        let end = if is_torn { "\n" } else { "" };
        file.write_all(format!("{end}{line}\n").as_bytes())?;
        synced(&file)?;
        match is_new {
            true => sync_directory(directory_of(path)),
            false => Ok(()),
        }
    };
    append().map_err(|error| about(path, &error))
}

/// True if a plain file, not a link to one, has exactly this content.
pub fn holds(path: &Path, bytes: &[u8]) -> bool {
    let is_as_long = fs::symlink_metadata(path).is_ok_and(|there| there.is_file() && there.len() == bytes.len() as u64);
    let read = || read_at_most(open_plain(path)?, bytes.len() as u64);
    is_as_long && read().is_ok_and(|there| there == bytes)
}

/// The text of a plain file.
///
/// # Errors
/// Like [`open_plain`]; also if it is not text.
pub fn read_plain(path: &Path) -> io::Result<String> {
    io::read_to_string(open_plain(path)?)
}

/// An error that names the file in question.
pub fn about(path: &Path, error: &io::Error) -> io::Error {
    let limit = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::FBIG) => machine::file_limit().map_or_else(String::new, |limit| format!(" ({limit})")),
        _ => String::new(),
    };
    io::Error::new(error.kind(), format!("{}: {error}{limit}", path.display()))
}

/// A temporary name in a directory for a file that is being written.
pub(crate) fn part_in(directory: &Path) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let (before, after) = DRAFT;
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    directory.join(format!("{before}{}-{number}{after}", std::process::id()))
}

/// The process that writes, or wrote, the file with this name.
fn writer_of(name: &str) -> Option<u32> {
    let inner = name.strip_prefix(DRAFT.0)?.strip_suffix(DRAFT.1)?;
    let (pid, number) = inner.split_once('-')?;
    number.parse::<u32>().ok()?;
    pid.parse().ok()
}

fn is_alive(pid: u32) -> bool {
    Path::new("/proc").join(pid.to_string()).exists()
}

/// The directory of a path.
fn directory_of(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

fn sync_directory(path: &Path) -> io::Result<()> {
    let synced = File::open(path).and_then(|directory| synced(&directory));
    synced.map_err(|error| about(path, &error))
}

/// Some file systems, pipes and devices cannot be synced, and say so.
fn synced(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Ok(()),
        synced => synced,
    }
}

#[cfg(test)]
mod tests;
