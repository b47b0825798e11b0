//! Files that agents left in their scratch directories, where an option names them, copied into the run: `agents/NUMBER-NAME/`.
//!
//! Nothing follows from them: they are in no table, and `verify` does not know them. May not: make play wait for a disk, or stop it.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use swiss_system::text::escaped;

use swissmatch_host::files::{self, make_inner_directory, sweep_all, write_whole};
use swissmatch_host::host::{LeftFile, MOST_LEFT};
use swissmatch_host::run_dir::safe_name;
use swissmatch_host::threads;

/// The directory that they are in.
pub(super) const AGENTS: &str = "agents";

/// Most copies of files of one name.
const MOST_COPIES: u32 = 1000;

/// What one agent left: the name of its directory, and the files.
type LeftFiles = (String, Vec<LeftFile>);

/// The thread that copies them.
#[derive(Debug)]
pub(super) struct AgentFiles {
    left: Sender<LeftFiles>,
    warnings: Receiver<String>,
    thread: JoinHandle<()>,
}

impl AgentFiles {
    /// For the run in `dir`. What is there already stays.
    ///
    /// # Errors
    /// When the machine gives no thread.
    pub(super) fn start(dir: &Path) -> io::Result<Self> {
        let (left, queue) = mpsc::channel::<LeftFiles>();
        let (warn, warnings) = mpsc::channel();
        let all = dir.join(AGENTS);
        let thread = threads::start("files of agents", move || {
            // What an agent leaves again and again is told once.
            let mut told = BTreeSet::new();
            for (name, files) in queue {
                // Whoever asked for the files may not read warnings.
                let new = copy(&all, &name, &files)
                    .into_iter()
                    .filter(|warning| told.insert(warning.clone()));
                new.for_each(|warning| drop(warn.send(warning)));
            }
        })?;
        Ok(Self { left, warnings, thread })
    }

    /// The agent with this number and name left these.
    pub(super) fn take(&self, number: u32, name: &str, files: Vec<LeftFile>) {
        let _ = self.left.send((format!("{number}-{}", safe_name(name)), files));
    }

    /// What could not be copied since this was asked last, a sentence each.
    pub(super) fn warnings(&self) -> impl Iterator<Item = String> {
        self.warnings.try_iter()
    }

    /// Copies what is left to be copied, and ends: what could not be.
    pub(super) fn finish(self) -> Vec<String> {
        drop(self.left);
        let _ = self.thread.join();
        self.warnings.try_iter().collect()
    }
}

/// Copies what an agent left, beside what is there; gives what could not be copied.
fn copy(all: &Path, name: &str, files: &[LeftFile]) -> Vec<String> {
    let directory = all.join(name);
    let there = make_inner_directory(all).and_then(|()| make_inner_directory(&directory));
    let used = there.and_then(|()| {
        // A runner that was killed may have left a part of one.
        sweep_all(&directory);
        size_of(&directory)
    });
    let mut used = match used {
        Ok(used) => used,
        Err(error) => return vec![failed(files.iter().map(|file| file.name.as_str()), &error)],
    };
    let mut warnings = Vec::new();
    for file in files {
        let shown = escaped(&file.name);
        let room = MOST_LEFT.saturating_sub(used);
        let kept = &file.bytes[..file.bytes.len().min(usize::try_from(room).unwrap_or(usize::MAX))];
        let place = free_place(&directory, &safe_name(&file.name));
        if file.is_cut || kept.len() < file.bytes.len() {
            warnings.push(format!(
                "{AGENTS}/{name} takes {} MiB and no more: `{shown}` is not copied whole; play goes on",
                MOST_LEFT >> 20
            ));
        }
        if kept.is_empty() && !file.bytes.is_empty() {
            continue;
        }
        let written = place.ok_or_else(|| io::Error::other("there are too many copies of it"));
        match written.and_then(|place| write_whole(&place, kept)) {
            Ok(()) => used += kept.len() as u64,
            Err(error) => warnings.push(failed(std::iter::once(file.name.as_str()), &error)),
        }
    }
    warnings
}

fn failed<'a>(names: impl Iterator<Item = &'a str>, error: &io::Error) -> String {
    let names: Vec<String> = names.map(|name| format!("`{}`", escaped(name))).collect();
    format!(
        "what an agent left could not be copied ({}): {error}; play goes on",
        names.join(", ")
    )
}

/// What the files in a directory take.
fn size_of(directory: &Path) -> io::Result<u64> {
    let entries = std::fs::read_dir(directory).map_err(|error| files::about(directory, &error))?;
    let sizes = entries.map(|entry| Ok(entry?.metadata()?.len()));
    sizes
        .sum::<io::Result<u64>>()
        .map_err(|error| files::about(directory, &error))
}

/// A name that is free: `sf.log`, `sf.log.2`, `sf.log.3` …
fn free_place(directory: &Path, name: &str) -> Option<PathBuf> {
    let names = std::iter::once(name.to_owned()).chain((2..=MOST_COPIES).map(|copy| format!("{name}.{copy}")));
    let mut places = names.map(|name| directory.join(name));
    places.find(|place| place.symlink_metadata().is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(name: &str, size: usize) -> LeftFile {
        LeftFile {
            name: name.to_owned(),
            bytes: vec![b'x'; size],
            is_cut: false,
        }
    }

    #[test]
    fn copies_are_added_and_have_a_bound() {
        let place = tempfile::tempdir().expect("a directory");
        let half = usize::try_from(MOST_LEFT / 2).expect("it fits");
        // Twice, as where a run is interrupted and goes on.
        for (first, expected) in [("a b", 0), ("../c", 1)] {
            let files = AgentFiles::start(place.path()).expect("a thread");
            files.take(7, "The/Agent", vec![left(first, 10), left("sf.log", half)]);
            let warnings = files.finish();
            assert_eq!(warnings.len(), expected, "{warnings:?}");
        }
        let own = place.path().join("agents/7-The-Agent");
        let size = |name: &str| own.join(name).metadata().map(|data| data.len()).ok();
        assert_eq!(
            [size("a-b"), size("c"), size("sf.log")],
            [Some(10), Some(10), Some(MOST_LEFT / 2)]
        );
        assert_eq!(size("sf.log.2"), Some(MOST_LEFT / 2 - 20), "what has room of it");
        assert_eq!(size_of(&own).expect("it is there"), MOST_LEFT);
        let full = copy(&place.path().join("agents"), "7-The-Agent", &[left("more", 1)]);
        assert!(
            full[0].starts_with("agents/7-The-Agent takes 16 MiB and no more: `more` is not copied whole"),
            "{full:?}"
        );
        assert_eq!(size("more"), None);
    }

    #[test]
    fn what_cannot_be_copied_is_told_and_stops_nothing() {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("agents"), "in the way").expect("a file");
        let files = AgentFiles::start(place.path()).expect("a thread");
        for _ in 0..3 {
            files.take(1, "A", vec![left("sf.log", 1)]);
        }
        let warnings = files.finish();
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(
            warnings[0].starts_with("what an agent left could not be copied (`sf.log`): "),
            "{warnings:?}"
        );
    }
}
