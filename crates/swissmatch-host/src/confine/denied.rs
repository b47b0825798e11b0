//! What an isolated agent that does not start seems to lack, by what it said last: which key of its player would give it.
//!
//! May not: start it without isolation to find out, or grant anything.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use swiss_system::text::escaped;

use super::{Confinement, interpreter, system};
use crate::engine::EngineCommand;
use crate::paths::resolved;
use swissmatch_game::handshake::StartError;
use swissmatch_game::isolation::{Isolation, Lack, UnopenedFile};
use swissmatch_game::transcript::Direction;

/// Lines that are looked at, and bytes of each.
const KEPT: usize = 40;
const KEPT_BYTES: usize = 2000;
/// Most that is said to be lacking.
const MOST: usize = 4;

/// Words of those who miss a file, who may not change one, who want a network, and who want a GPU.
const MISSING: &[&str] = &["no such file", "not found", "open", "not exist", "errno 2]", "enoent"];
const CLOSED: &[&str] = &["read-only", "permission denied", "not permitted", "creat", "writ"];
const READ_ONLY: &[&str] = &["read-only file system", "[errno 30]", "erofs"];
const NETWORK: &[&str] = &[
    "socket",
    "getaddrinfo",
    "name resolution",
    "resolve host",
    "network is unreachable",
    "connection refused",
    "urlopen",
];
const GPU: &[&str] = &[
    "cuda",
    "nvidia",
    "rocm",
    "hip error",
    "opencl",
    "level zero",
    "/dev/dri",
    "/dev/kfd",
];

/// Words of those who may not run a program.
const REFUSED: &[&str] = &["permission denied", "not permitted", "eacces", "errno 13]", "error=13"];

/// Words of those who go on without a file.
const FAILED: &[&str] = &[
    "cannot open",
    "can't open",
    "could not open",
    "couldn't open",
    "unable to open",
    "failed to open",
    "error opening",
    "cannot find",
    "can't find",
    "could not find",
    "couldn't find",
    "unable to find",
    "cannot load",
    "can't load",
    "could not load",
    "couldn't load",
    "unable to load",
    "failed to load",
    "error loading",
    "cannot read",
    "could not read",
    "unable to read",
    "failed to read",
    "no such file",
    "not found",
    "not exist",
    "doesn't exist",
    "errno 2]",
    "enoent",
];
/// What they may miss without its name.
const KINDS: &[&str] = &[
    "file",
    "book",
    "net",
    "nnue",
    "weight",
    "tablebase",
    "syzygy",
    "config",
    "model",
];
/// Most characters of a line that are told.
const SHOWN: usize = 200;

/// The last lines of an agent, as it said them.
#[derive(Debug, Default)]
pub(crate) struct Clues {
    last: VecDeque<String>,
    /// The first lines that speak of a file that could not be opened, harmless and short.
    complaints: Vec<String>,
}

impl Clues {
    /// Adds a line; those that were sent to it tell nothing.
    pub(crate) fn hear(&mut self, direction: Direction, line: &[u8]) {
        if direction == Direction::Sent {
            return;
        }
        if self.last.len() == KEPT {
            self.last.pop_front();
        }
        let line = String::from_utf8_lossy(&line[..line.len().min(KEPT_BYTES)]);
        if self.complaints.len() < MOST && complains(&line) {
            let said = escaped(line.trim().chars().take(SHOWN).collect::<String>());
            if !self.complaints.contains(&said) {
                self.complaints.push(said);
            }
        }
        self.last.push_back(line.into_owned());
    }

    /// What it said of files that it could not open, and went on.
    pub(crate) fn unopened(&self, command: &EngineCommand) -> Vec<UnopenedFile> {
        let told = |said: &String| UnopenedFile {
            side: None,
            said: said.clone(),
            lack: names(said).find_map(|name| in_its_folder(command, name)),
        };
        self.complaints.iter().map(told).collect()
    }

    /// The lines that are kept.
    pub(crate) fn lines(&self) -> impl DoubleEndedIterator<Item = &str> + Clone {
        self.last.iter().map(String::as_str)
    }

    /// What it seems to lack; nothing where it is not isolated, or the failure has another reason.
    pub(crate) fn lacks(&self, command: &EngineCommand, failure: &StartError) -> Vec<Lack> {
        let Some(confinement) = &command.launch.confinement else {
            return Vec::new();
        };
        let asking = Asking { command, confinement };
        let mut found = match failure {
            StartError::Host(_)
            | StartError::Changed(_)
            | StartError::TooLong
            | StartError::TooLate
            | StartError::OverLimit(_)
            | StartError::Option(_) => return Vec::new(),
            StartError::NotRun(_) => asking.interpreters().chain(asking.programs()).collect(),
            StartError::Ended
            | StartError::NoUciOk(_)
            | StartError::NotRead(_)
            | StartError::Silent(_)
            | StartError::Unflushed(_)
            | StartError::NoReadyOk(_) => Vec::new(),
        };
        for lack in self.last.iter().flat_map(|line| asking.of_line(line)) {
            if !found.contains(&lack) {
                found.push(lack);
            }
        }
        found.truncate(MOST);
        found
    }
}

/// Whether a line speaks of a file that could not be opened.
fn complains(line: &str) -> bool {
    let low = line.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let is_declared = ["option ", "id "]
        .iter()
        .any(|begin| low.trim_start().starts_with(begin));
    !is_declared && says(FAILED) && (names(line).next().is_some() || says(KINDS))
}

/// Which key gives an isolated agent a file of its own directory: `player.dir`, or else that of its program.
fn in_its_folder(command: &EngineCommand, name: &str) -> Option<Lack> {
    let confinement = command.launch.confinement.as_ref()?;
    let beside = resolved(command.launch.program.parent()?);
    let works_in_its_own = command.launch.directory == command.base;
    let folder = if works_in_its_own {
        resolved(&command.base)
    } else {
        beside
    };
    let path = resolved(&folder.join(name));
    if !path.exists() || path == folder || !path.starts_with(&folder) || is_of_system(&folder) {
        return None;
    }
    let why = match (works_in_its_own, Asking { command, confinement }.may_read(&path)) {
        (true, false) => return None,
        (true, true) => format!(
            "works in {}, where {} may be left out (docs/isolation.md)",
            shown(&folder),
            escaped(name)
        ),
        (false, _) => {
            let why = format!(
                "does not work in its own directory: dir = {} makes it work there",
                quoted(&folder)
            );
            return Some(giving("player.dir", &folder, why));
        }
    };
    Some(lack("player.dir", why))
}

/// The same with what would give it.
fn giving(key: &str, gives: &Path, why: impl Into<String>) -> Lack {
    Lack {
        gives: gives.to_str().map(str::to_owned),
        ..lack(key, why)
    }
}

fn lack(key: &str, why: impl Into<String>) -> Lack {
    Lack {
        gives: None,
        key: key.to_owned(),
        why: why.into(),
    }
}

/// An agent that said something.
struct Asking<'a> {
    command: &'a EngineCommand,
    confinement: &'a Confinement,
}

impl Asking<'_> {
    fn of_line(&self, line: &str) -> Vec<Lack> {
        let low = line.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| low.contains(word));
        let mut found: Vec<Lack> = names(line).filter_map(|name| self.of_name(name, &says)).collect();
        found.extend(module_of_python(line).and_then(|name| self.of_module(name)));
        found.extend(variables(line).filter_map(|name| self.of_variable(name)));
        if says(REFUSED) {
            let words = line.split(|c: char| !c.is_ascii_alphanumeric() && !"._-+/".contains(c));
            found.extend(words.filter_map(|word| self.of_program(Path::new(word.trim_end_matches('.')))));
        }
        if says(GPU) && !self.command.needs_gpu {
            found.push(lack(
                "player.devices",
                "seems to want a GPU: devices = [\"gpu\"] gives it one of run.gpus",
            ));
        }
        if says(NETWORK) {
            let why = match (self.command.isolated.isolation, self.command.launch.connect.is_empty()) {
                (Isolation::Sealed, _) => "seems to want the network, which no sealed agent has",
                (_, true) => {
                    "seems to want the network: connect = [\"HOST:PORT\"] lets it have connections made (docs/isolation.md)"
                }
                (_, false) => "has no network but what it asks for at SWISSMATCH_CONNECT_FD (docs/isolation.md)",
            };
            found.push(lack("player.connect", why));
        }
        found
    }

    /// Interpreters of its program that it may not run.
    fn interpreters(&self) -> impl Iterator<Item = Lack> {
        let closed = interpreter::first_line(&self.command.launch.program).into_iter();
        let closed = closed.filter(|path| path.exists() && !self.may_read(path));
        let launch = &self.command.launch;
        let args = std::iter::once(&launch.program).map(|script| shown(script));
        let args: Vec<String> = args.chain(launch.args.iter().cloned()).collect();
        closed.map(move |path| {
            let why = format!(
                "is run by {}, which it may not open: write it as the program, command = {}, args = {}",
                shown(&path),
                quoted(&path),
                toml::Value::from(args.clone())
            );
            giving("player.command", &path, why)
        })
    }

    /// What is needed to run it that it may not run.
    fn programs(&self) -> impl Iterator<Item = Lack> {
        let program = resolved(&self.command.launch.program);
        let by = interpreter::first_line(&program).into_iter();
        by.chain([program]).filter_map(|program| self.of_program(&program))
    }

    /// What lets it run a program of the system that it names.
    fn of_program(&self, name: &Path) -> Option<Lack> {
        let programs = self.confinement.programs.as_ref()?;
        let found = match name.is_absolute() {
            true => name.is_file().then(|| name.to_path_buf()),
            false => interpreter::of_the_system(name).filter(|_| name.components().count() == 1),
        };
        let program = found.filter(|program| programs.refuse(program))?;
        let why = format!(
            "may not run {0}: exec = [{1}] lets it run that, exec = \"any\" any program",
            shown(&program),
            quoted(&program)
        );
        Some(lack("player.exec", why))
    }

    /// What it lacks where it speaks of a file or directory by this name.
    fn of_name(&self, name: &str, says: &dyn Fn(&[&str]) -> bool) -> Option<Lack> {
        let beside = self.command.launch.program.parent()?;
        let is_whole = name.starts_with('/');
        // Without a directory of its own what it makes by a relative name is in its scratch directory.
        let is_of_its_own = is_whole || self.works_in_its_own();
        let path = [&self.command.base, beside]
            .map(|place: &Path| place.join(name))
            .into_iter()
            .find(|path| path.exists());
        let Some(path) = path else {
            // What it makes beside itself is to be there before.
            let path = self.command.base.join(name);
            let is_beside = path
                .parent()
                .is_some_and(|above| above.is_dir() && self.is_its_own(above));
            let is_made = is_of_its_own && is_beside && (is_whole || says(READ_ONLY));
            return is_made.then(|| {
                let why = format!(
                    "seems to make {}: have it make it in its scratch directory, or make it beforehand and name it in write",
                    shown(&path)
                );
                lack("player.write", why)
            });
        };
        if resolved(&path) == resolved(&self.command.launch.program) {
            return None;
        }
        if ["/dev", "/proc", "/sys"].iter().any(|place| path.starts_with(place)) {
            return None;
        }
        if let Some(environment) = interpreter::environment_of(&path).filter(|place| !self.may_read(place)) {
            let why = format!(
                "asks for {}, which it was not given: env = {{ VIRTUAL_ENV = {} }} gives it that environment",
                shown(&path),
                quoted(&resolved(&environment))
            );
            return Some(giving("player.env", &resolved(&environment), why));
        }
        if !self.may_read(&path) {
            let is_beside = resolved(&path).starts_with(resolved(beside));
            if is_beside && !self.has_directory() {
                let why = format!(
                    "asks for {}, which it was not given: dir = {} gives it its directory",
                    shown(&path),
                    quoted(beside)
                );
                return Some(giving("player.dir", beside, why));
            }
            let why = format!(
                "asks for {}, which it was not given: name it in args, options or env",
                shown(&path)
            );
            let gives = if is_whole { &path } else { Path::new(name) };
            return Some(giving("player.args", gives, why));
        }
        let is_refused = if is_whole { says(CLOSED) } else { says(READ_ONLY) };
        if is_of_its_own && is_refused && !self.may_write(&path) && !is_of_system(&path) {
            let why = format!(
                "seems to change {}, which it may only read: name it in write",
                shown(&path)
            );
            return Some(lack("player.write", why));
        }
        (!is_whole && says(MISSING) && path.is_file() && !is_of_system(&path)).then(|| {
            let why = format!(
                "looks for {} where it runs, in its scratch directory: name it in args, options or env, and it stands there",
                escaped(name)
            );
            giving("player.args", Path::new(name), why)
        })
    }

    /// What gives it a module that lies beside its program, or where its words lead from.
    fn of_module(&self, name: &str) -> Option<Lack> {
        let beside = self.command.launch.program.parent()?;
        let first = name.split('.').next().filter(|first| !first.is_empty())?;
        let is_there = |place: &Path| place.join(first).is_dir() || place.join(format!("{first}.py")).is_file();
        let mut places = [beside, &self.command.base].into_iter();
        let place = places.find(|place| is_there(place)).filter(|_| !self.has_directory())?;
        let why = format!(
            "imports {first}, which it was not given: dir = {} gives it its directory",
            quoted(place)
        );
        Some(giving("player.dir", place, why))
    }

    fn of_variable(&self, name: &str) -> Option<Lack> {
        let is_kept = std::env::var_os(name).is_some() && !self.command.launch.environment.contains_key(name);
        is_kept.then(|| {
            let why =
                format!("speaks of the variable {name}, which it was not given: env = {{ {name} = \"${name}\" }}");
            lack("player.env", why)
        })
    }

    /// Whether a path is in the directory of its program, or where its words lead from.
    fn is_its_own(&self, path: &Path) -> bool {
        let path = resolved(path);
        let places = [Some(self.command.base.as_path()), self.command.launch.program.parent()];
        places
            .into_iter()
            .flatten()
            .any(|place| path.starts_with(resolved(place)))
    }

    fn works_in_its_own(&self) -> bool {
        self.command.launch.directory == self.command.base
    }

    fn has_directory(&self) -> bool {
        self.confinement.reads().any(|path| path == self.command.base)
    }

    fn may_read(&self, path: &Path) -> bool {
        let path = resolved(path);
        let granted = self.confinement.reads().chain(self.confinement.writes());
        is_of_system(&path) || granted.map(resolved).any(|granted| path.starts_with(granted))
    }

    fn may_write(&self, path: &Path) -> bool {
        let path = resolved(path);
        self.confinement
            .writes()
            .map(resolved)
            .any(|granted| path.starts_with(granted))
    }
}

fn is_of_system(path: &Path) -> bool {
    let places = system::READ.iter().map(PathBuf::from);
    places
        .chain(system::versions_in_etc())
        .any(|place| path.starts_with(place))
}

/// What in a line may be the name of a file: words, and what stands between quotation marks.
fn names(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|character: char| character.is_whitespace() || "'\"`‘’“”,;()[]<>=".contains(character));
    let quoted = line.split(['\'', '"']).skip(1).step_by(2);
    let names = words
        .chain(quoted)
        .map(|name| without_place(name.trim_end_matches([':', '.', '!', '?'])));
    names.filter(|name| (2..=KEPT_BYTES).contains(&name.len()) && name.contains(['/', '.']) && !name.ends_with(".."))
}

/// The module that Python does not find.
fn module_of_python(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("No module named ")?;
    let name = rest.trim_start_matches('\'');
    Some(
        name.split(|c: char| c.is_whitespace() || c == '\'')
            .next()
            .unwrap_or(name),
    )
}

/// The name of a file without the line and the column in it, as traces have them: `agent.js:2:11`.
fn without_place(name: &str) -> &str {
    let without = |name| match str::rsplit_once(name, ':') {
        Some((file, place)) if !place.is_empty() && place.bytes().all(|byte| byte.is_ascii_digit()) => file,
        _ => name,
    };
    without(without(name))
}

/// What in a line may be the name of a variable.
fn variables(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words.filter(|word| {
        let is_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
        word.len() > 2 && word.bytes().all(is_name)
    })
}

fn shown(path: &Path) -> String {
    escaped(path.display().to_string())
}

/// A path as a string of TOML.
fn quoted(path: &Path) -> String {
    toml::Value::from(shown(path)).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_and_variables_are_found_in_what_people_write() {
        let of = |line| names(line).collect::<Vec<_>>();
        assert!(of("FileNotFoundError: [Errno 2] No such file or directory: 'a b/net.bin'").contains(&"a b/net.bin"));
        assert_eq!(
            of("/x/agent: error while loading shared libraries: libnet.so.1: cannot open it."),
            ["/x/agent", "libnet.so.1"]
        );
        assert_eq!(of("info string .. hello"), [""; 0]);
        assert_eq!(of("    at Object.<anonymous> (/x/agent.js:2:11)"), ["/x/agent.js"]);
        let of = |line| variables(line).collect::<Vec<_>>();
        assert_eq!(of("KeyError: 'MODEL_KEY' (ID)"), ["MODEL_KEY"]);
    }
}
