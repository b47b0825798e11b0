//! What an agent is granted by name: its program with its interpreter, its directory, what its words name and what it may write.
//!
//! An agent's words stay as they are: a word may have the name of a file by chance (`uci`, `64`), and an agent may show it.
//! What a word names is granted, and stands under that name where the agent works. Runs that began before that go on with whole
//! paths (`works_in` of an agent in the log).
//!
//! May not: apply it, or change anything.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::interpreter::{GrantBounds, Interpreters};
use crate::directory::Directory;
use crate::engine::EngineCommand;
use crate::host::AgentSpec;
use crate::host::agent::names;
use crate::paths::{goes_up, is_within, put_whole, resolved, without_way_up};
use crate::run_dir;
use swissmatch_tournament::log::WorksIn;
use swissmatch_tournament::setup::PlayerKeys;

/// Whether an agent writes a file itself: `player.write` names it, or a directory that it is in, in whatever way. Its program it
/// does not.
pub(crate) fn is_its_own(command: &EngineCommand, player: &PlayerKeys, path: &Path) -> bool {
    let is_in = |named: &String| is_within(path, &command.launch.directory.join(named));
    path != command.launch.program && player.write.iter().any(is_in)
}

/// What an agent is granted by name.
#[derive(Debug, Default)]
pub(crate) struct Grants {
    /// Where its words lead from.
    base: PathBuf,
    /// The event file's directory.
    event: PathBuf,
    pub(super) reads: Vec<PathBuf>,
    pub(super) writes: Vec<PathBuf>,
    /// What it is run by.
    pub(crate) interpreters: Interpreters,
    /// Directories that it is given whole; in runs of before none is looked into.
    pub(crate) directories: Vec<Directory>,
    /// What stands under its own name where it works, in its scratch directory: the name, and where it is.
    pub(super) links: Vec<(String, PathBuf)>,
    /// Whether what its words name is put into them as whole paths, as in runs of before.
    makes_whole: bool,
}

impl Grants {
    pub(crate) fn new(command: &EngineCommand, spec: &AgentSpec, event: &Path) -> Self {
        let (launch, player) = (&command.launch, &spec.player);
        let mut grants = Self {
            base: launch.directory.clone(),
            event: resolved(event),
            makes_whole: spec.works_in.is_none(),
            ..Self::default()
        };
        launch.made_of().iter().for_each(|path| grants.read(path));
        let bounds = GrantBounds {
            home: std::env::var_os("HOME").map(PathBuf::from),
            event: &grants.event,
            left_out: spec
                .left_out
                .iter()
                .chain(&spec.kept_from)
                .map(String::as_str)
                .collect(),
            is_handed_in: spec.player.submission.is_some(),
        };
        let own = player.dir.as_ref().map(|_| launch.directory.as_path());
        grants.interpreters = match grants.makes_whole {
            // It starts no program.
            _ if launch.asks_broker() => Interpreters::default(),
            true => Interpreters::of_before(launch, &bounds),
            false => Interpreters::new(launch, own, &bounds),
        };
        for path in grants.interpreters.reads.clone() {
            grants.read(&path);
        }
        let places: Vec<PathBuf> = player.write.iter().map(|name| grants.base.join(name)).collect();
        let whole = |root: &Path| Directory {
            root: resolved(root),
            left_out: spec.left_out.iter().map(PathBuf::from).collect(),
            own: places.iter().map(|place| resolved(place)).collect::<Arc<[_]>>(),
            is_whole: player.submission.is_some(),
        };
        if player.dir.is_some() && (!grants.makes_whole || !grants.holds_the_event(&launch.directory)) {
            grants.read(&launch.directory);
            grants.directories.push(whole(&launch.directory));
        }
        // What lies in another place of its own may be a link that it made.
        let is_in_another = |path: &Path| {
            let above = path.parent().unwrap_or(path);
            places.iter().any(|place| is_within(above, place))
        };
        for path in &places {
            if path.exists() && !is_in_another(path) && grants.may_be_named(path) {
                grants.writes.push(resolved(path));
            }
        }
        for word in names(&launch.args, &command.options, &player.env) {
            let Some(path) = grants.named(word) else { continue };
            if spec.works_in == Some(WorksIn::Scratch) && Path::new(word).is_relative() && !goes_up(word) {
                grants.link(word, &path);
            }
            // What it writes itself it may read, and no more: there may be a link by now that leads elsewhere.
            if !is_its_own(command, player, &path) {
                grants.read(&path);
                if path.is_dir() {
                    grants.directories.push(whole(&path));
                }
            }
        }
        if grants.makes_whole {
            grants.directories.clear();
        }
        grants.keep_outermost();
        grants
    }

    pub(super) fn read(&mut self, path: &Path) {
        for path in [path.to_path_buf(), resolved(path)] {
            if !self.reads.contains(&path) {
                self.reads.push(path);
            }
        }
    }

    fn link(&mut self, name: &str, path: &Path) {
        let name = name.trim_start_matches("./").trim_end_matches('/');
        if !name.is_empty() && name != "." && !self.links.iter().any(|(other, _)| other == name) {
            self.links.push((name.to_owned(), path.to_path_buf()));
        }
    }

    /// Of directories within each other, and of the system's, none but the outer one of an agent's is looked into.
    fn keep_outermost(&mut self) {
        let all: Vec<PathBuf> = self.directories.iter().map(|one| one.root.clone()).collect();
        let mut kept: Vec<PathBuf> = Vec::new();
        self.directories.retain(|one| {
            let is_within = all
                .iter()
                .any(|other| one.root != *other && one.root.starts_with(other));
            let is_kept = !is_within && !one.root.starts_with("/usr") && !kept.contains(&one.root);
            kept.extend(is_kept.then(|| one.root.clone()));
            is_kept
        });
    }

    /// What a word names that is there and may be granted.
    fn named(&self, word: &str) -> Option<PathBuf> {
        let path = (!word.is_empty()).then(|| self.base.join(word))?;
        (path.exists() && self.may_be_named(&path)).then(|| std::path::absolute(&path).unwrap_or(path))
    }

    /// Neither what holds the event nor anything of a run.
    fn may_be_named(&self, path: &Path) -> bool {
        let path = resolved(path);
        !self.holds_the_event(&path) && !is_of_a_run(&path)
    }

    fn holds_the_event(&self, directory: &Path) -> bool {
        self.event.starts_with(resolved(directory))
    }

    /// Whether it may read what is at a path, as far as names go.
    pub(crate) fn may_read(&self, path: &Path) -> bool {
        self.reads.iter().any(|read| path.starts_with(read))
    }

    /// Makes the program's path whole, and those parts of words that go up to something: both are read elsewhere. In runs of before all
    /// words that name something.
    pub(super) fn place(&self, command: &mut EngineCommand, player: &PlayerKeys) {
        let named = |word: &str| Some(self.named(word)?.to_str()?.to_owned());
        let place = |word: &mut String| match self.makes_whole {
            true => put_whole(word, named),
            false => *word = without_way_up(word, &named),
        };
        command.launch.args.iter_mut().for_each(place);
        command.options.own.values_mut().for_each(place);
        command.options.for_all.values_mut().for_each(place);
        for (name, value) in &mut command.launch.environment {
            let is_copied = player.env.get(name).is_some_and(|written| written.starts_with('$'));
            let placed = value
                .to_str()
                .filter(|_| !is_copied)
                .and_then(|word| match self.makes_whole {
                    true => self.named(word).map(PathBuf::into_os_string),
                    false => Some(without_way_up(word, &named).into()),
                });
            if let Some(placed) = placed {
                *value = placed;
            }
        }
        let program = &mut command.launch.program;
        *program = std::path::absolute(&program).unwrap_or_else(|_| program.clone());
    }

    /// What of it a user of its own cannot reach: within namespaces what is granted counts, otherwise also the way there.
    pub(super) fn closed(&self, in_namespaces: bool, scratches: &Path) -> Option<UnreachableGrant> {
        if let Some(path) = self.writes.first() {
            return Some(UnreachableGrant::Write(path.clone()));
        }
        let closed_above = |path: &Path| {
            let mut above = path.ancestors().skip(1).filter(|_| !in_namespaces);
            above.find(|above| !others_may(above, 0o1)).map(Path::to_path_buf)
        };
        let closed = |path: &PathBuf| {
            let needed = if path.is_dir() { 0o5 } else { 0o4 };
            match others_may(path, needed) {
                true => closed_above(path),
                false => Some(path.clone()),
            }
        };
        let within = || {
            let mut looked = self.directories.iter().filter_map(|one| one.look().ok());
            looked.find_map(|contents| contents.closed)
        };
        let mut by = self.interpreters.reads.iter();
        if let Some((read, path)) = by.find_map(|read| Some((read, closed(read)?))) {
            let why = self.interpreters.closed(read, &path);
            return Some(UnreachableGrant::Interpreter(why));
        }
        let closed = self.reads.iter().find_map(closed);
        closed
            .or_else(|| closed_above(scratches))
            .or_else(within)
            .map(UnreachableGrant::Read)
    }
}

/// What of an agent a user of its own could not reach.
#[derive(Clone, Debug)]
pub(super) enum UnreachableGrant {
    Read(PathBuf),
    /// What it is run by: a sentence.
    Interpreter(String),
    Write(PathBuf),
    Gpu,
}

fn others_may(path: &Path, bits: u32) -> bool {
    // What has gone meanwhile nobody needs.
    std::fs::metadata(path).map_or(true, |data| data.mode() & bits == bits)
}

/// Whether a path leads into the directory of a run, or to one that holds such.
fn is_of_a_run(path: &Path) -> bool {
    let is_run = |directory: &Path| directory.join(run_dir::LOG).exists();
    let within = || {
        std::fs::read_dir(path)
            .into_iter()
            .flatten()
            .flatten()
            .any(|entry| is_run(&entry.path()))
    };
    // What players of a run play by lies in it where it was handed in.
    let is_played = |run: &Path| path.strip_prefix(run).is_ok_and(run_dir::is_played);
    path.ancestors().any(|above| is_run(above) && !is_played(above)) || within()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::command;
    use swissmatch_tournament::setup::Setup;

    /// A run that began before goes on with whole paths for all words that name something; now they stay as they are.
    #[test]
    fn words_are_what_they_were_when_the_run_began() {
        let place = tempfile::tempdir().expect("a directory");
        let event = std::fs::canonicalize(place.path()).expect("it is there").join("event");
        for name in ["event/nets", "tables"] {
            std::fs::create_dir_all(place.path().join(name)).expect("a directory");
        }
        let net = event.join("nets/a.bin");
        std::fs::write(&net, "a net").expect("a file");
        let player = PlayerKeys {
            args: ["nets/a.bin", "--tables=../tables", "uci"].map(str::to_owned).to_vec(),
            ..PlayerKeys::default()
        };
        let mut spec = AgentSpec::of_player(&player, &Setup::default());
        let placed = |spec: &AgentSpec| {
            let mut command = command(spec, "/bin/sh".into(), event.clone()).expect("no variable");
            let grants = Grants::new(&command, spec, &event);
            grants.place(&mut command, &spec.player);
            (command.launch.args, grants.links)
        };
        let tables = format!("--tables={}", event.join("../tables").display());
        spec.works_in = Some(WorksIn::Scratch);
        let as_written = ["nets/a.bin".to_owned(), tables.clone(), "uci".to_owned()].to_vec();
        assert_eq!(
            placed(&spec),
            (as_written, vec![("nets/a.bin".to_owned(), net.clone())])
        );
        spec.works_in = None;
        let whole = [net.display().to_string(), tables, "uci".to_owned()].to_vec();
        assert_eq!(placed(&spec), (whole, Vec::new()));
    }
}
