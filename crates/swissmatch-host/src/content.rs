//! Makes sure that what is started is what was registered: the files of an agent are checked before each start.
//!
//! If an agent has its own view of files, private copies stand in their place, and later changes to the files do not
//! matter. Otherwise files are compared by their hashes, which are taken anew if a file may have been written to.

use std::collections::BTreeSet;
use std::fs::Permissions;
use std::io::{self, ErrorKind};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use swissmatch_tournament::log::FileHash;

use super::directory::Directory;
use super::file_hash::{hash_again, hash_file};
use super::paths::resolved;
use super::{files, machine};

/// Copies of agents' files, by hash, in a directory that no agent can reach. They are made when they are first needed.
#[derive(Debug)]
pub struct Copies {
    directory: PathBuf,
    made: Mutex<BTreeSet<String>>,
}

impl Copies {
    /// Copies in `directory`, which exists and is empty.
    pub fn new(directory: PathBuf) -> Self {
        Self {
            directory,
            made: Mutex::default(),
        }
    }

    /// The path of a file's copy.
    pub fn place(&self, file: &FileHash) -> PathBuf {
        self.directory.join(&file.sha256)
    }

    /// Makes the copy of a file if it has not been made yet.
    fn make(&self, file: &FileHash) -> Result<(), Unlike> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.contains(&file.sha256) {
            return Ok(());
        }
        let place = self.place(file);
        // If it cannot be read the agent is to blame; if the copy cannot be written, the machine.
        let mut there = files::open_plain(Path::new(&file.path)).map_err(|error| Unlike::unread(file, &error))?;
        let unread = |error: io::Error| {
            let error = files::about(&place, &error);
            Unlike::Lacking(format!("{} cannot be copied to {error}", file.path))
        };
        files::copy_new(&mut there, &place).map_err(unread)?;
        match hash_file(&place).map_err(unread)?.sha256 == file.sha256 {
            true => {
                // The copy is the same for every user that the agent may run as.
                std::fs::set_permissions(&place, Permissions::from_mode(0o555)).map_err(unread)?;
                made.insert(file.sha256.clone());
                Ok(())
            }
            false => {
                std::fs::remove_file(&place).map_err(unread)?;
                Err(Unlike::changed(file, "has changed"))
            }
        }
    }
}

/// The files of an agent as registered, and the directories that it is given whole.
#[derive(Debug, Default)]
pub struct RegisteredFiles {
    files: Vec<Registration>,
    /// With the hashes of their manifests, if these were registered.
    directories: Vec<(Directory, Option<String>)>,
    /// Paths that do not belong to the agent since a late entry came.
    of_late_entries: Mutex<Vec<PathBuf>>,
}

#[derive(Debug)]
struct Registration {
    file: FileHash,
    copies: Option<Arc<Copies>>,
}

/// Why an agent is not what was registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlike {
    /// A file has changed or is gone; a sentence.
    Changed(String),
    /// The machine cannot look at it or copy it; a sentence.
    Lacking(String),
}

impl Unlike {
    /// The sentence on what happened to a file.
    fn changed(file: &FileHash, what: &str) -> Self {
        Self::Changed(format!("{} {what} since it was registered", file.path))
    }

    fn unread(file: &FileHash, error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => Self::changed(file, "has gone"),
            _ if machine::is_short(error) || machine::is_broken(error) => {
                Self::Lacking(format!("{}: {error}", file.path))
            }
            _ => Self::Changed(format!("{} cannot be read: {error}", file.path)),
        }
    }
}

impl RegisteredFiles {
    /// Registers these files; those with copies are started from them.
    pub fn new(files: impl IntoIterator<Item = (FileHash, Option<Arc<Copies>>)>) -> Self {
        let files = files.into_iter().map(|(file, copies)| Registration { file, copies });
        Self {
            files: files.collect(),
            ..Self::default()
        }
    }

    /// Adds these directories.
    #[must_use]
    pub(crate) fn with_directories(self, directories: Vec<(Directory, Option<String>)>) -> Self {
        Self { directories, ..self }
    }

    /// Leaves these paths out of its directories from now on, except its own files and the directories themselves.
    pub(crate) fn leave_out(&self, paths: &[PathBuf]) {
        let is_its_own = |path: &PathBuf| {
            let mut files = self.files.iter();
            files.any(|one| resolved(Path::new(&one.file.path)) == *path)
                || self.directories.iter().any(|(directory, _)| directory.root == *path)
        };
        let mut left_out = self.of_late_entries.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.extend(paths.iter().filter(|path| !is_its_own(path)).cloned());
    }

    /// Checks right before a start that each file without a copy, and each directory, is what it was. Returns what is
    /// left out of the directories now.
    ///
    /// # Errors
    /// What has changed, or why that is not known.
    pub fn compare(&self) -> Result<Vec<PathBuf>, Unlike> {
        let mut compared = self.files.iter().filter(|one| one.copies.is_none());
        compared.try_for_each(Registration::compare)?;
        let mut hidden = Vec::new();
        let of_late_entries = self
            .of_late_entries
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        for (directory, registered) in &self.directories {
            let mut directory = directory.clone();
            if !of_late_entries.is_empty() {
                directory.left_out = directory.left_out.iter().chain(&of_late_entries).cloned().collect();
            }
            let file = FileHash {
                path: directory.root.display().to_string(),
                sha256: registered.clone().unwrap_or_default(),
            };
            let unread = |error: io::Error| Unlike::unread(&file, &error);
            let mut contents = directory.look().map_err(unread)?;
            if let Some(registered) = registered
                && let Some(what) = directory.compare(&mut contents, registered).map_err(unread)?
            {
                return Err(Unlike::Changed(format!("{what} since it was registered")));
            }
            hidden.extend(contents.hidden);
        }
        Ok(hidden)
    }

    /// Makes the copies that are still missing. Nothing may start meanwhile: it would hold a copy open for writing, and
    /// such a program cannot be started.
    ///
    /// # Errors
    /// What is not what it was, or why it cannot be copied.
    pub fn copy(&self) -> Result<(), Unlike> {
        let copied = self
            .files
            .iter()
            .filter_map(|one| Some((&one.file, one.copies.as_ref()?)));
        copied.into_iter().try_for_each(|(file, copies)| copies.make(file))
    }
}

impl Registration {
    fn compare(&self) -> Result<(), Unlike> {
        let path = Path::new(&self.file.path);
        let fail = |error: io::Error| Unlike::unread(&self.file, &error);
        let is_same = hash_again(path).map_err(fail)? == self.file.sha256;
        match is_same {
            true => Ok(()),
            false => Err(Unlike::changed(&self.file, "has changed")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn file(path: &Path) -> FileHash {
        hash_file(path).expect("it is read")
    }

    #[test]
    fn what_is_compared_is_what_was_registered() {
        let place = tempfile::tempdir().expect("a directory");
        let path = place.path().join("agent");
        fs::write(&path, "one").expect("it is written");
        let registered = RegisteredFiles::new([(file(&path), None)]);
        assert_eq!(registered.compare(), Ok(Vec::new()));
        // Same length, at once, and with the old time of change.
        let written = fs::metadata(&path).and_then(|data| data.modified()).expect("its time");
        fs::write(&path, "two").expect("it is written");
        let again = fs::File::options().write(true).open(&path).expect("it is there");
        again.set_modified(written).expect("its time");
        let name = path.display();
        let changed = |what| Err(Unlike::Changed(format!("{name} {what} since it was registered")));
        assert_eq!(registered.compare(), changed("has changed"));
        fs::write(&path, "one").expect("it is written");
        assert_eq!(registered.compare(), Ok(Vec::new()));
        fs::remove_file(&path).expect("it was there");
        assert_eq!(registered.compare(), changed("has gone"));
    }

    #[test]
    fn a_copy_stays_what_was_registered() {
        let place = tempfile::tempdir().expect("a directory");
        let (path, directory) = (place.path().join("agent"), place.path().join("copies"));
        fs::create_dir(&directory).expect("a directory");
        fs::write(&path, "one").expect("it is written");
        let copies = Arc::new(Copies::new(directory));
        let was = file(&path);
        let registered = RegisteredFiles::new([(was.clone(), Some(Arc::clone(&copies)))]);
        fs::write(&path, "two").expect("it is written");
        assert!(matches!(registered.copy(), Err(Unlike::Changed(_))));
        assert!(!copies.place(&was).exists());
        fs::write(&path, "one").expect("it is written");
        assert_eq!(registered.copy(), Ok(()));
        fs::write(&path, "two").expect("it is written");
        assert_eq!(registered.copy(), Ok(()));
        assert_eq!(fs::read_to_string(copies.place(&was)).expect("it is there"), "one");
    }
}
