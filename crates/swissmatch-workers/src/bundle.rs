//! An agent in the form in which it travels to another machine: its words, and every file that they lead to, by
//! content.
//!
//! Everything below the event file's directory is unpacked with the same layout, so that all words lead where they did.
//! A program from elsewhere travels by itself. Parts of the system, such as an interpreter, must already be there, and
//! are compared like all files. May not: know how files get from one machine to the other; trust what came; allow an
//! agent anything, because the worker decides what it may do there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use swissmatch_host::directory::{self, END};
use swissmatch_host::file_hash::hash_file;
use swissmatch_host::files;
use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_tournament::setup::Exec;

use crate::elf::{Elf, HEAD};

/// The directory for programs from outside the event file's directory.
const PROGRAMS: &str = ".programs";
/// The directories of a machine's system.
const SYSTEM: [&str; 4] = ["/usr", "/bin", "/lib", "/lib64"];
/// Directories below these that are not part of the system: chess engines, and what someone put there by hand.
const PUT_THERE: [&str; 3] = ["/usr/games", "/usr/local/bin", "/usr/local/games"];

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bundle {
    /// Its words lead from where the files are unpacked.
    pub agent: AgentSpec,
    /// Its files, in order of their paths after unpacking.
    pub files: BTreeMap<String, PackedFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PackedFile {
    /// A plain file.
    File {
        /// The SHA-256 of its bytes, in hexadecimal.
        sha256: String,
        /// It may be run.
        is_program: bool,
    },
    /// A link, with its target.
    Link(String),
}

/// Programs for the first kind of processor also run on the second.
const OLDER: (u16, u16) = (3, 62);

/// Why an agent cannot travel, as a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BundlePackError(String);

impl BundlePackError {
    pub(crate) fn because(why: &dyn std::fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// Why a bundle was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum BundleUnpackError {
    /// This program would not make such a bundle.
    #[error("{0}")]
    Bundle(String),
    /// A file came with other content.
    #[error("{path} is not what it should be (SHA-256 is {is}…, not {should_be}…)")]
    Content {
        path: String,
        /// The first digits of the hash of what came.
        is: String,
        /// The first digits of the expected hash.
        should_be: String,
    },
    /// The agent cannot run here.
    #[error("{0}")]
    Machine(String),
    /// The disk is full, or fetching the files failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Packs an agent that was found, whose words lead from `event`, the directory of the event file. Also returns its
/// files by content, with the place of each.
///
/// # Errors
/// The content of some part is unknown, or a part lies where it could not lie on another machine.
pub fn pack(
    spec: &AgentSpec,
    found: &AgentFound,
    event: &Path,
) -> Result<(Bundle, BTreeMap<String, PathBuf>), BundlePackError> {
    may_travel(spec, found)?;
    let mut packing = Packing {
        event: [event.to_path_buf(), std::fs::canonicalize(event).unwrap_or_default()],
        files: BTreeMap::new(),
        sources: BTreeMap::new(),
    };
    let mut agent = spec.clone();
    // Nothing of this machine's is elsewhere.
    agent.kept_from.clear();
    for file in &found.files {
        if file.path.ends_with(END) {
            let manifest = found.manifests.iter().find(|manifest| manifest.path == file.path);
            let manifest =
                manifest.ok_or_else(|| BundlePackError(format!("nobody looked at what is in {}", file.path)))?;
            manifest
                .files()
                .try_for_each(|file| packing.add(&file.path, &file.sha256))?;
        } else if file.path == found.program {
            if let Some(word) = packing.add_program(&file.path, &file.sha256)? {
                // The path may have been written in another way: as a whole path, or as a name in PATH.
                let was = std::mem::replace(&mut agent.player.command, word.clone());
                let of_it = agent.content.iter_mut().filter(|content| content.word == was);
                of_it.for_each(|content| content.word.clone_from(&word));
            }
        } else {
            packing.add(&file.path, &file.sha256)?;
        }
    }
    if let Some(dir) = spec.player.dir.as_ref().filter(|dir| packing.is_elsewhere(dir)) {
        return Err(BundlePackError(format!(
            "the way to its directory {dir} leads through a link"
        )));
    }
    let Packing { files, sources, .. } = packing;
    Ok((Bundle { agent, files }, sources))
}

/// Checks that an agent is not bound to the machine that it is on, as far as its words show.
fn may_travel(spec: &AgentSpec, found: &AgentFound) -> Result<(), BundlePackError> {
    let player = &spec.player;
    if player.is_elsewhere() {
        let why = "it is asked over the network, by addresses and keys that stay with the runner";
        return Err(BundlePackError(why.to_owned()));
    }
    let is_whole = |word: &&str| Path::new(word).is_absolute() && !is_of_system(word);
    let listed = match &spec.exec {
        Exec::Own(programs) => programs.as_slice(),
        _ => &[],
    };
    let words = spec.words().chain(player.dir.as_deref());
    let mut words = words.chain(listed.iter().map(String::as_str));
    if let Some(word) = words.find(is_whole) {
        return Err(BundlePackError(format!(
            "its word {word} is a whole path, which leads nowhere on another machine"
        )));
    }
    if let Some(program) = listed
        .iter()
        .find(|program| program.contains('/') && !is_of_system(program))
    {
        return Err(BundlePackError(format!(
            "it may run {program} (exec), which does not travel with it"
        )));
    }
    match found.leading_out.first() {
        Some(link) => Err(BundlePackError(format!("the link {link} leads out of its directory"))),
        None => Ok(()),
    }
}

struct Packing {
    /// The directory of the event file, as named and as resolved.
    event: [PathBuf; 2],
    files: BTreeMap<String, PackedFile>,
    sources: BTreeMap<String, PathBuf>,
}

impl Packing {
    /// The path of a file relative to the event file's directory, if it is below it.
    fn below(&self, path: &str) -> Option<String> {
        let path = Path::new(path);
        let below = self.event.iter().find_map(|event| path.strip_prefix(event).ok())?;
        let is_plain = below.components().all(|part| matches!(part, Component::Normal(_)));
        below.to_str().filter(|_| is_plain).map(str::to_owned)
    }

    /// Adds a file, or what a manifest says about one.
    fn add(&mut self, path: &str, what: &str) -> Result<(), BundlePackError> {
        let Some(name) = self.below(path) else {
            return match is_of_system(path) {
                true => Ok(()),
                false => Err(BundlePackError(format!(
                    "{path} lies neither below the event file's directory nor in the system's"
                ))),
            };
        };
        if let Some(leads_to) = what.strip_prefix(directory::LINK) {
            let leads_to = leads_to.replace("\\x20", " ");
            if leads_to.contains('\\') {
                return Err(BundlePackError(format!(
                    "the link {name} leads to a name that is no text"
                )));
            }
            require_within(&name, &leads_to).map_err(BundlePackError)?;
            self.files.insert(name, PackedFile::Link(leads_to));
            return Ok(());
        }
        self.add_file(name, path, what)
    }

    /// True if a path below the event file's directory leads out of it.
    fn is_elsewhere(&self, dir: &str) -> bool {
        let [_, event] = &self.event;
        std::fs::canonicalize(event.join(dir)).is_ok_and(|there| {
            let below = there.strip_prefix(event);
            below.map_or(true, |below| {
                below != Path::new(dir.trim_start_matches("./").trim_end_matches('/'))
            })
        })
    }

    /// Adds the program and returns the word that leads to it after unpacking; `None` if it belongs to the system.
    fn add_program(&mut self, path: &str, sha256: &str) -> Result<Option<String>, BundlePackError> {
        if let Some(name) = self.below(path) {
            self.add_file(name.clone(), path, sha256)?;
            // Without a slash it would be looked for in PATH.
            return Ok(Some(if name.contains('/') { name } else { format!("./{name}") }));
        }
        if is_of_system(path) {
            return Ok(None);
        }
        let name = Path::new(path).file_name().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| BundlePackError(format!("{path} has no name")))?;
        let word = format!("{PROGRAMS}/{name}");
        self.add_file(word.clone(), path, sha256)?;
        Ok(Some(word))
    }

    fn add_file(&mut self, name: String, path: &str, sha256: &str) -> Result<(), BundlePackError> {
        if !is_hash(sha256) {
            return Err(BundlePackError(format!(
                "{path} is known by its size alone, as tablebases are"
            )));
        }
        let data = std::fs::metadata(path).map_err(|error| BundlePackError(format!("{path}: {error}")))?;
        let is_program = data.permissions().mode() & 0o111 != 0;
        let sha256 = sha256.to_owned();
        self.sources.insert(sha256.clone(), PathBuf::from(path));
        self.files.insert(name, PackedFile::File { sha256, is_program });
        Ok(())
    }
}

impl Bundle {
    /// The hashes of its files.
    pub(crate) fn hashes(&self) -> BTreeSet<&str> {
        let files = self.files.values().filter_map(|packed| match packed {
            PackedFile::File { sha256, .. } => Some(sha256.as_str()),
            PackedFile::Link(_) => None,
        });
        files.collect()
    }

    /// Unpacks the bundle in `root`, which is created, from files that `bring` puts to a path by their content.
    /// Everything is checked before anything is written, and each file once more when it is there. Returns the agent as
    /// it is found there.
    ///
    /// # Errors
    /// The bundle is not a proper one, a part does not come, or it cannot run on this machine.
    pub fn unpack(
        &self,
        root: &Path,
        bring: &mut dyn FnMut(&str, &Path) -> io::Result<()>,
    ) -> Result<AgentSpec, BundleUnpackError> {
        self.require_right()?;
        std::fs::create_dir(root)?;
        // Half an agent is of no use.
        self.put(root, bring)
            .inspect_err(|_| drop(std::fs::remove_dir_all(root)))?;
        Ok(AgentSpec {
            words_from: Some(root.display().to_string()),
            ..self.agent.clone()
        })
    }

    fn put(&self, root: &Path, bring: &mut dyn FnMut(&str, &Path) -> io::Result<()>) -> Result<(), BundleUnpackError> {
        if let Some(dir) = &self.agent.player.dir {
            files::make_directory(&root.join(dir))?;
        }
        let plain = self.files.iter().filter_map(|(name, packed)| match packed {
            PackedFile::File { sha256, is_program } => Some((name, sha256, *is_program)),
            PackedFile::Link(_) => None,
        });
        for (name, sha256, is_program) in plain {
            let path = root.join(name);
            files::make_directory(path.parent().unwrap_or(root))?;
            bring(sha256, &path)?;
            let is = hash_file(&path)?.sha256;
            if is != *sha256 {
                let [is, should_be] = [&is, sha256].map(|hash| hash.chars().take(12).collect());
                let path = name.clone();
                return Err(BundleUnpackError::Content { path, is, should_be });
            }
            let bits = if is_program { 0o755 } else { 0o644 };
            std::fs::set_permissions(&path, Permissions::from_mode(bits))?;
        }
        // Writing through a link could write anywhere.
        for (name, packed) in &self.files {
            if let PackedFile::Link(leads_to) = packed {
                let path = root.join(name);
                files::make_directory(path.parent().unwrap_or(root))?;
                symlink(leads_to, path)?;
            }
        }
        let command = &self.agent.player.command;
        match root.join(command) {
            program if command.contains('/') && program.is_file() => runs_here(command, &program),
            _ => Ok(()),
        }
    }

    /// Checks that it names nothing outside the directory that it is unpacked in.
    fn require_right(&self) -> Result<(), BundleUnpackError> {
        let player = &self.agent.player;
        let way = |word: &&str| word.trim_start_matches("./").trim_end_matches('/').to_owned();
        let command = Some(player.command.as_str()).filter(|command| command.contains('/') && !is_of_system(command));
        let dir = player.dir.as_deref().filter(|dir| *dir != ".");
        let ways = command.iter().chain(dir.iter()).map(way).collect::<Vec<_>>();
        let written = player.write.iter().map(|place| way(&place.as_str()));
        let mut all = self.files.keys().cloned().chain(ways).chain(written);
        if let Some(name) = all.find(|name| !is_plain(name)) {
            return Err(BundleUnpackError::Bundle(format!("{name:?} is no path within it")));
        }
        let mut links = Vec::new();
        for (name, packed) in &self.files {
            match packed {
                PackedFile::File { sha256, .. } if !is_hash(sha256) => {
                    return Err(BundleUnpackError::Bundle(format!("{name} has no hash")));
                }
                PackedFile::File { .. } => {}
                PackedFile::Link(leads_to) => {
                    require_within(name, leads_to).map_err(BundleUnpackError::Bundle)?;
                    links.push(Path::new(name));
                }
            }
        }
        let is_through = |name: &&String| {
            let mut above = Path::new(name.as_str()).ancestors().skip(1);
            above.any(|above| links.contains(&above))
        };
        match self.files.keys().find(is_through) {
            Some(name) => Err(BundleUnpackError::Bundle(format!("{name} leads through a link of it"))),
            None => Ok(()),
        }
    }
}

/// True if a path leads straight down, without detours.
fn is_plain(path: &str) -> bool {
    let parts = || Path::new(path).components();
    let is_down = parts().all(|part| matches!(part, Component::Normal(_)));
    is_down && !path.is_empty() && !path.contains('\0') && parts().collect::<PathBuf>().as_os_str() == path
}

/// Checks that a link leads to something in the bundle or to the system. A step up may not follow a step down, which
/// may be another link.
fn require_within(name: &str, leads_to: &str) -> Result<(), String> {
    let way = match Path::new(leads_to).is_absolute() {
        true => {
            return match is_of_system(leads_to) {
                true => Ok(()),
                false => Err(format!("the link {name} leads out, to {leads_to}")),
            };
        }
        false => Path::new(name).parent().unwrap_or(Path::new("")).join(leads_to),
    };
    let out = || format!("the link {name} leads out, to {leads_to}");
    let mut own = Path::new(leads_to)
        .components()
        .skip_while(|part| matches!(part, Component::ParentDir | Component::CurDir));
    if own.any(|part| matches!(part, Component::ParentDir)) {
        return Err(out());
    }
    let mut depth = 0_u32;
    for part in way.components() {
        depth = match part {
            Component::Normal(_) => depth + 1,
            Component::CurDir => depth,
            _ => depth.checked_sub(1).ok_or_else(out)?,
        };
    }
    Ok(())
}

/// True if a path belongs to a machine's system.
fn is_of_system(path: &str) -> bool {
    let path = Path::new(path);
    let is_plain = path.components().all(|part| !matches!(part, Component::ParentDir));
    let is_in = |places: &[&str]| places.iter().any(|place| path.starts_with(place));
    is_plain && is_in(&SYSTEM) && !is_in(&PUT_THERE)
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Checks that a program in Linux's format is for this kind of processor, and that its loader is here.
fn runs_here(name: &str, path: &Path) -> Result<(), BundleUnpackError> {
    let head = |path: &Path| -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        File::open(path)?.take(HEAD).read_to_end(&mut head)?;
        Ok(head)
    };
    let (its, own) = (head(path)?, head(Path::new("/proc/self/exe"))?);
    let (Some(its), Some(own)) = (Elf::read(&its), Elf::read(&own)) else {
        return Ok(());
    };
    if its.machine != own.machine && (its.machine, own.machine) != OLDER {
        let (its, own) = (its.of(), own.of());
        return Err(BundleUnpackError::Machine(format!(
            "{name} is a program for {its}, and this machine is {own}"
        )));
    }
    match its.loader.filter(|loader| !Path::new(loader).exists()) {
        Some(loader) => Err(BundleUnpackError::Machine(format!(
            "{name} needs the loader {loader:?}, which is not here"
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
