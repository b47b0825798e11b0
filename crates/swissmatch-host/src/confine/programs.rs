//! Which programs an agent may run (`engine.exec`, `player.exec`): its own command with its interpreter, and what the key lists.
//!
//! What may not be run may not be read either, since a loader runs what it can read. So all programs of the system are closed,
//! and those that the agent may run are opened again. Its own files it may run wherever it cannot write.
//!
//! May not: run anything, or apply it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::files::all_but;
use super::interpreter::{first_line, led_to, of_the_system, text_of_shell};
use super::system;
use crate::engine::EngineCommand;
use crate::host::AgentSpec;
use crate::host::agent::names;
use crate::launch::Programs;
use crate::paths::{is_plain, resolved};
use swissmatch_tournament::setup::Exec;

/// Directories of which everything is a program, whatever it looks like.
const PLACES: &[&str] = &[
    "/usr/bin",
    "/usr/sbin",
    "/usr/games",
    "/usr/local/bin",
    "/usr/local/sbin",
    "/usr/local/games",
    "/bin",
    "/sbin",
];

/// What runs agents that are no programs by themselves, without its version. A first line may name only these.
const INTERPRETERS: &[&str] = &[
    "ash", "awk", "bash", "bun", "dash", "deno", "dotnet", "elixir", "env", "erl", "escript", "gawk", "guile", "java",
    "julia", "ksh", "lua", "luajit", "mawk", "mono", "node", "nodejs", "ocaml", "perl", "php", "pypy", "python",
    "racket", "ruby", "sbcl", "sh", "swipl", "tclsh", "zsh",
];

/// What scripts of the shell call beside these.
const TOOLS: &[&str] = &[
    "basename", "cat", "chmod", "cp", "cut", "date", "dirname", "echo", "env", "expr", "false", "grep", "head", "id",
    "ln", "ls", "mkdir", "mkfifo", "mktemp", "mv", "nice", "nohup", "nproc", "printf", "pwd", "readlink", "realpath",
    "rm", "sed", "seq", "sleep", "sort", "stdbuf", "tail", "tee", "test", "timeout", "touch", "tr", "true", "uname",
    "uniq", "wc", "xargs",
];

impl Programs {
    /// Those of an agent that may run `listed`, too; `None`: it may run anything.
    pub(super) fn new(command: &EngineCommand, spec: &AgentSpec, listed: &[PathBuf]) -> Option<Self> {
        if spec.exec == Exec::Any {
            return None;
        }
        let (launch, player) = (&command.launch, &spec.player);
        let own = player.dir.as_ref().map(|_| launch.directory.as_path());
        let words = names(&launch.args, &command.options, &player.env).map(Path::new);
        let named = std::iter::once(launch.program.as_path()).chain(words);
        // A link of an entrant's may lead to any program of the system.
        let named = named.filter(|path| is_of_system(path)).map(Path::to_path_buf);
        let mut opened: BTreeSet<PathBuf> = named.chain(listed.iter().cloned()).collect();
        opened.extend(
            led_to(&launch.program, own, player.submission.is_some())
                .into_iter()
                .filter(|hop| is_interpreter(hop)),
        );
        for script in opened
            .iter()
            .cloned()
            .chain(scripts(&launch.program, own))
            .collect::<Vec<_>>()
        {
            opened.extend(interpreters(&script));
        }
        let helpers = opened
            .iter()
            .flat_map(|program| helpers(&resolved(program)))
            .collect::<Vec<_>>();
        let opened = opened.iter().map(|path| resolved(path)).chain(helpers);
        Some(Self {
            beside: beside_those_of_system().to_vec(),
            opened: opened.map(PathBuf::into_os_string).collect(),
        })
    }

    /// What it may read of the places where programs and libraries lie, but for programs.
    pub(super) fn beside(&self) -> impl Iterator<Item = &Path> {
        self.beside.iter().map(Path::new)
    }

    /// Those of them that it may run.
    pub(super) fn opened(&self) -> impl Iterator<Item = &Path> {
        self.opened.iter().map(Path::new)
    }

    /// Whether it may not run, and so not read, a program, nor a directory with such.
    pub(super) fn refuse(&self, program: &Path) -> bool {
        let program = resolved(program);
        let is_of_system = of_system()
            .iter()
            .any(|place| program.starts_with(place) || place.starts_with(&program));
        is_of_system && !self.opened().any(|place| program.starts_with(place))
    }
}

/// All programs of the system, looked for once: files, and directories of nothing else.
pub(super) fn of_system() -> &'static BTreeSet<PathBuf> {
    static FOUND: OnceLock<BTreeSet<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let places = PLACES.iter().map(|place| resolved(Path::new(place)));
        let mut found: BTreeSet<PathBuf> = places.filter(|place| place.is_dir()).collect();
        let mut left = system::places();
        while let Some(directory) = left.pop() {
            for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                match kind {
                    Ok(kind) if kind.is_dir() && !found.contains(&path) => left.push(path),
                    Ok(kind) if kind.is_file() && is_program(&entry) => drop(found.insert(path)),
                    _ => {}
                }
            }
        }
        found
    })
}

/// What lies beside the system's programs, looked for once: it is much.
fn beside_those_of_system() -> &'static [String] {
    static FOUND: OnceLock<Vec<String>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let closed: BTreeSet<&Path> = of_system().iter().map(PathBuf::as_path).collect();
        let places = system::places().into_iter();
        let open = places.filter(|place| !closed.contains(place.as_path()));
        // What cannot be listed no agent can read.
        let found = open.flat_map(|place| all_but(&place, &closed, 0).unwrap_or_default());
        found
            .filter_map(|path| path.into_os_string().into_string().ok())
            .collect()
    })
}

/// Whether a file is made to be run by itself, and is no shared library.
fn is_program(entry: &std::fs::DirEntry) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    if name.contains(".so") || name.ends_with(".node") {
        return false;
    }
    let may_run = entry
        .metadata()
        .is_ok_and(|data| data.permissions().mode() & 0o111 != 0);
    may_run && {
        let mut begin = [0; 4];
        let read = File::open(entry.path()).and_then(|mut file| file.read_exact(&mut begin));
        // One that may be run and not be read is one, too; a file of fewer bytes is none.
        read.map_or_else(
            |error| error.kind() == std::io::ErrorKind::PermissionDenied,
            |()| begin == *b"\x7fELF",
        )
    }
}

/// Whether a path is the system's by its own words, wherever links there lead.
fn is_of_system(path: &Path) -> bool {
    is_plain(path) && system::READ.iter().any(|place| path.starts_with(place))
}

/// Whether it is an interpreter of the system.
fn is_interpreter(path: &Path) -> bool {
    is_of_system(path) && names_interpreter(path)
}

fn names_interpreter(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit() || last == '.' || last == '-');
    INTERPRETERS.contains(&name)
}

/// Own files that are run by an interpreter: the program, and what may be run in its directory.
fn scripts(program: &Path, own: Option<&Path>) -> Vec<PathBuf> {
    let entries = own
        .and_then(|own| std::fs::read_dir(own).ok())
        .into_iter()
        .flatten()
        .flatten();
    let may_run = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
    };
    let beside = entries.map(|entry| entry.path()).filter(may_run);
    std::iter::once(program.to_path_buf()).chain(beside).collect()
}

/// Interpreters of the system that a script is run by, or starts by name where it is the shell's; with what that calls.
fn interpreters(script: &Path) -> BTreeSet<PathBuf> {
    let line = first_line(script);
    // Another one of the same name may have been found first, and is granted by its prefix.
    let mut found: BTreeSet<PathBuf> = line
        .iter()
        .cloned()
        .chain(line.iter().filter_map(|path| of_the_system(path)))
        .collect();
    if let Some(text) = text_of_shell(script) {
        found.extend(TOOLS.iter().filter_map(|tool| of_the_system(Path::new(tool))));
        let words = text
            .split(|c: char| !c.is_ascii_alphanumeric() && !"._-/".contains(c))
            .map(Path::new);
        found.extend(words.filter(|word| names_interpreter(word)).filter_map(of_the_system));
    }
    found.retain(|path| is_interpreter(path) || (is_of_system(path) && path.file_name().is_some_and(is_tool)));
    found
}

fn is_tool(name: &OsStr) -> bool {
    TOOLS.iter().any(|tool| name == *tool)
}

/// What a program with a prefix of its own below `/usr/lib` starts itself, such as Java's: what is beside its libraries.
fn helpers(program: &Path) -> Vec<PathBuf> {
    let prefix = program.parent().and_then(Path::parent);
    let libraries = prefix
        .filter(|prefix| prefix.starts_with("/usr/lib"))
        .map(|prefix| prefix.join("lib"));
    let libraries = libraries.iter();
    libraries
        .flat_map(|place| of_system().iter().filter(move |path| path.starts_with(place)))
        .cloned()
        .collect()
}
