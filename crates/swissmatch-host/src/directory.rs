//! A directory that an agent is given whole: which of the files below it are the agent's, what is left out, and the manifest of
//! the rest.
//!
//! What is left out is looked for before each start: a run, a secret or another agent's file may have come meanwhile.
//!
//! May not: follow a link, or open what is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::io::{self, Read as _};
use std::ops::Bound;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::file_hash::hash_again;
use super::files::{self, about};
use super::run_dir;
use super::scratch;
use super::store::sha256;
use swissmatch_tournament::log::FileHash;

/// Most files of such a directory, and most bytes that are read of them: more is no directory of an agent.
pub const MOST_FILES: usize = 50_000;
const MOST_BYTES: u64 = 4 << 30;

/// Bytes of a file that are looked at to see whether it is an event file.
const LOOKED_AT: u64 = 64 << 10;

/// Endings of tablebase files, which are known by name and size alone.
const TABLEBASES: &[&str] = &["rtbw", "rtbz", "cp4", "emd", "nbb", "nbw"];

/// Where a link leads is told after this.
pub const LINK: &str = "link:";

/// What the path of a manifest ends with.
pub const END: char = '/';

/// A directory that is given to an agent whole.
#[derive(Clone, Debug)]
pub struct Directory {
    /// Where it is, resolved.
    pub root: PathBuf,
    /// What is not the agent's, resolved.
    pub left_out: Arc<[PathBuf]>,
    /// What the agent writes itself, resolved.
    pub own: Arc<[PathBuf]>,
    /// Whether all of it is the agent's, whatever its name: it was handed in as a whole, and each file counts by its bytes.
    pub is_whole: bool,
}

/// What is in a directory.
#[derive(Debug, Default)]
pub struct Contents {
    /// The agent's files and links, by their paths.
    files: BTreeMap<PathBuf, Metadata>,
    /// What is left out.
    pub hidden: Vec<PathBuf>,
    /// Links that lead to nothing that is below the directory.
    pub leading_out: Vec<PathBuf>,
    /// What others may not read.
    pub closed: Option<PathBuf>,
}

/// A directory by what is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryManifest {
    /// The directory, with [`END`] behind it.
    pub path: String,
    /// A line for each file, in order of their names: its SHA-256 (of a tablebase file that was not handed in its size, of a link where
    /// it leads), two blanks, its path within the directory. As `sha256sum` has it.
    pub text: String,
}

impl Directory {
    /// Looks at what is there.
    ///
    /// # Errors
    /// When something cannot be looked at, or there is too much.
    pub fn look(&self) -> io::Result<Contents> {
        let mut found = Contents::default();
        let mut hidden_files = BTreeSet::new();
        let mut directories = vec![self.root.clone()];
        while let Some(directory) = directories.pop() {
            for entry in std::fs::read_dir(&directory).map_err(|error| about(&directory, &error))? {
                let path = entry.map_err(|error| about(&directory, &error))?.path();
                let data = path.symlink_metadata().map_err(|error| about(&path, &error))?;
                let kind = data.file_type();
                if self.is_left_out(&path, &data) {
                    hidden_files.insert((data.dev(), data.ino()));
                    // A link shows nothing but what it leads to.
                    found.hidden.extend((!kind.is_symlink()).then_some(path));
                    continue;
                }
                let bits = if kind.is_dir() { 0o5 } else { 0o4 };
                if !kind.is_symlink() && data.mode() & bits != bits {
                    found.closed.get_or_insert_with(|| path.clone());
                }
                if self.own.iter().any(|own| path.starts_with(own)) {
                    continue;
                }
                if kind.is_dir() {
                    directories.push(path);
                } else if kind.is_symlink() && !self.leads_within(&path) {
                    found.leading_out.push(path);
                } else {
                    found.files.insert(path, data);
                }
                if found.files.len() + directories.len() > MOST_FILES {
                    let why = format!("more than {MOST_FILES} files are too many for the directory of one agent");
                    return Err(too_much(&self.root, &why));
                }
            }
        }
        let left_out = self.left_out.iter().filter_map(|path| path.metadata().ok());
        hidden_files.extend(left_out.map(|data| (data.dev(), data.ino())));
        // By a second name it would be opened by each.
        found.leave_out(|data| data.nlink() > 1 && hidden_files.contains(&(data.dev(), data.ino())));
        Ok(found)
    }

    /// Whether something in it is not the agent's, wherever it is: what the event names for itself, other agents' files, runs, event
    /// files, secrets by their usual names, compiled Python, which nobody compares, and what is no file.
    fn is_left_out(&self, path: &Path, data: &Metadata) -> bool {
        let name = path.file_name().unwrap_or_default().as_bytes();
        let kind = data.file_type();
        let is_environment = || ["pyvenv.cfg", "conda-meta"].iter().any(|mark| path.join(mark).exists());
        let is_of_another = || {
            [&b"__pycache__"[..], b".git", b".ssh"].contains(&name)
                || (name.starts_with(b".env") && !is_environment())
                || scratch::is_place(name)
                || (kind.is_dir() && path.join(run_dir::LOG).symlink_metadata().is_ok())
                || (kind.is_file() && name.ends_with(b".toml") && is_event_file(path))
        };
        !(kind.is_dir() || kind.is_file() || kind.is_symlink())
            || (!self.is_whole && is_of_another())
            || self.left_out.iter().any(|left_out| left_out == path)
    }

    /// Whether a link leads to something below the directory, or to the system's.
    fn leads_within(&self, link: &Path) -> bool {
        std::fs::canonicalize(link).is_ok_and(|leads_to| {
            let is_own = leads_to.starts_with(&self.root);
            let is_left_out = || self.left_out.iter().any(|left_out| leads_to.starts_with(left_out));
            (is_own && !is_left_out()) || leads_to.starts_with("/usr")
        })
    }

    /// That nothing of what was registered with this manifest has changed. What has come since is left out.
    ///
    /// # Errors
    /// When it cannot be read. What has changed, otherwise.
    pub fn compare(&self, contents: &mut Contents, registered: &str) -> io::Result<Option<String>> {
        let now = self.manifest(contents)?;
        let Some(before) = remembered(registered) else {
            let root = self.root.display();
            return Ok((now.hash().sha256 != registered).then(|| format!("{root} has changed")));
        };
        let known: BTreeSet<&str> = lines(&before).map(|(_, name)| name).collect();
        let new = contents.files.keys().map(|path| (path, plain(self.below(path))));
        let new = new.filter(|(_, name)| !known.contains(name.as_str()));
        // A link cannot be left out, but what it came in.
        let new = new.filter_map(|(path, name)| match path.is_symlink() {
            true => new_above(&name, &known).map(|above| self.root.join(above)),
            false => Some(path.clone()),
        });
        let new: BTreeSet<PathBuf> = new.collect();
        contents.hidden.extend(new);
        let no_longer_its = self.left_out.iter().chain(self.own.iter());
        let no_longer_its: Vec<String> = no_longer_its.map(|path| path.display().to_string()).collect();
        Ok(now.changes(&before, &no_longer_its).into_iter().next())
    }

    fn below<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.root).unwrap_or(path)
    }

    /// Its manifest, of what was found there.
    ///
    /// # Errors
    /// When a file cannot be read, or there is too much.
    pub fn manifest(&self, contents: &Contents) -> io::Result<DirectoryManifest> {
        let mut text = String::new();
        let mut bytes = 0_u64;
        for (path, data) in &contents.files {
            let what = if data.is_symlink() {
                let leads_to = std::fs::read_link(path).map_err(|error| about(path, &error))?;
                // No blank in it, or it would not be told where the name begins.
                format!("{LINK}{}", plain(&leads_to).replace(' ', "\\x20"))
            } else if is_tablebase(path) && !self.is_whole {
                format!("size:{}", data.len())
            } else {
                bytes = bytes.saturating_add(data.len());
                if bytes > MOST_BYTES {
                    let why = "more than 4 GiB are too much for the directory of one agent";
                    return Err(too_much(&self.root, why));
                }
                hash_again(path).map_err(|error| about(path, &error))?
            };
            text += &format!("{what}  {}\n", plain(self.below(path)));
        }
        Ok(DirectoryManifest {
            path: path_of(&self.root),
            text,
        })
    }
}

impl Contents {
    /// Leaves out files besides.
    fn leave_out(&mut self, is_left_out: impl Fn(&Metadata) -> bool) {
        let left_out = self.files.extract_if(.., |_, data| data.is_file() && is_left_out(data));
        self.hidden.extend(left_out.map(|(path, _)| path));
    }

    /// Leaves out what somebody writes: output that goes to a file, a log. Nobody could say later what it was.
    pub(crate) fn leave_out_what_is_written(&mut self) {
        let written = open_to_write();
        self.leave_out(|data| written.contains(&(data.dev(), data.ino())));
    }
}

impl DirectoryManifest {
    /// The directory as a file by its hash: that of its manifest.
    pub fn hash(&self) -> FileHash {
        FileHash {
            path: self.path.clone(),
            sha256: sha256(self.text.as_bytes()),
        }
    }

    /// Its files, by their whole paths.
    pub fn files(&self) -> impl Iterator<Item = FileHash> {
        lines(&self.text).map(|(what, name)| FileHash {
            path: format!("{}{name}", self.path),
            sha256: what.to_owned(),
        })
    }

    /// How it differs from what `before` has, one sentence each, but for what is in a place of `others`. What is new is left out, but
    /// for a link beside what was there.
    pub fn changes(&self, before: &str, others: &[String]) -> Vec<String> {
        let is_of_others = |name: &str| {
            let path = PathBuf::from(format!("{}{name}", self.path));
            others.iter().any(|other| path.starts_with(other))
        };
        let of = |text| -> BTreeMap<String, String> {
            let lines = lines(text).filter(|(_, name)| !is_of_others(name));
            lines.map(|(what, name)| (name.to_owned(), what.to_owned())).collect()
        };
        let (was, is) = (of(before), of(&self.text));
        let path = |name: &String| format!("{}{name}", self.path);
        let changed = was.iter().filter_map(|(name, was)| match is.get(name) {
            Some(is) if is == was => None,
            Some(_) => Some(format!("{} has changed", path(name))),
            None => Some(format!("{} is no longer there", path(name))),
        });
        let known: BTreeSet<&str> = lines(before).map(|(_, name)| name).collect();
        let new_links = is.iter().filter(|(name, what)| {
            what.starts_with(LINK) && !known.contains(name.as_str()) && new_above(name, &known).is_none()
        });
        changed
            .chain(new_links.map(|(name, _)| format!("{} is a new link", path(name))))
            .collect()
    }
}

/// The outermost directory above a new path in which nothing was known.
fn new_above<'a>(name: &'a str, known: &BTreeSet<&str>) -> Option<&'a str> {
    let above = name.match_indices('/').map(|(end, _)| &name[..=end]);
    let is_known = |above: &&str| {
        let next = known
            .range::<str, _>((Bound::Included(*above), Bound::Unbounded))
            .next();
        next.is_some_and(|next| next.starts_with(above))
    };
    above.into_iter().find(|above| !is_known(above))
}

/// The path of the manifest of a directory.
pub fn path_of(root: &Path) -> String {
    let mut path = root.display().to_string();
    if !path.ends_with(END) {
        path.push(END);
    }
    path
}

fn lines(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.split_once("  "))
}

fn too_much(root: &Path, why: &str) -> io::Error {
    let remedy = "put the agent into a directory of its own; tablebases are not counted";
    io::Error::new(
        io::ErrorKind::QuotaExceeded,
        format!("{}: {why}: {remedy}", root.display()),
    )
}

/// Whether a file is an event file, or a list of entries: of this event, or another one.
fn is_event_file(path: &Path) -> bool {
    let mut begin = Vec::new();
    let read = files::open_plain(path).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut begin));
    let has_players = |line: &[u8]| {
        let bare: Vec<u8> = line
            .iter()
            .copied()
            .filter(|byte| !byte.is_ascii_whitespace())
            .collect();
        [&b"[[player]]"[..], b"[[\"player\"]]", b"player=["]
            .iter()
            .any(|key| bare.starts_with(key))
    };
    read.is_ok() && begin.split(|byte| *byte == b'\n').any(has_players)
}

/// What is open to be written, by device and inode, in this process and all others that may be looked at.
fn open_to_write() -> BTreeSet<(u64, u64)> {
    let entries = |path: PathBuf| std::fs::read_dir(path).into_iter().flatten().flatten();
    let processes = entries(PathBuf::from("/proc")).map(|process| process.path());
    let open = processes.flat_map(|process| {
        let infos = process.join("fdinfo");
        entries(process.join("fd")).map(move |open| (open.path(), infos.join(open.file_name())))
    });
    let written = open.filter_map(|(open, info)| {
        let data = std::fs::metadata(&open).ok().filter(Metadata::is_file)?;
        let said = std::fs::read_to_string(info).ok()?;
        let flags = said.lines().find_map(|line| line.strip_prefix("flags:"))?;
        let flags = u32::from_str_radix(flags.trim(), 8).ok()?;
        (flags & 0o3 != 0).then(|| (data.dev(), data.ino()))
    });
    written.collect()
}

fn is_tablebase(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    TABLEBASES.iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// A path as it stands in a line: bytes that are no text, and what would look like it, are escaped.
fn plain(path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    match path.to_str() {
        Some(text) if !text.contains(|c: char| c.is_control() || c == '\\') => text.to_owned(),
        _ => bytes.escape_ascii().to_string(),
    }
}

/// Manifests that were seen, by their hashes: so that what differs can be named.
static SEEN: Mutex<BTreeMap<String, Arc<str>>> = Mutex::new(BTreeMap::new());

/// Keeps a manifest, to say later what differs from it.
pub fn remember(text: &str) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    seen.entry(sha256(text.as_bytes())).or_insert_with(|| text.into());
}

/// A manifest that was kept.
pub fn remembered(hash: &str) -> Option<Arc<str>> {
    SEEN.lock().unwrap_or_else(PoisonError::into_inner).get(hash).cloned()
}

#[cfg(test)]
mod tests;
