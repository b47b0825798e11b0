//! Interpreters that are not the system's: below a home, in a virtual environment. An agent that is run by one reads its whole
//! prefix; one that is run by Python, what was installed for its user too.
//!
//! May not: run anything.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Component, Path, PathBuf};

use super::prefix::{ENVIRONMENT, modules, prefix};
use super::shim::{SHIMS, followed, look_up};
use super::system::PATH;
use crate::files::open_plain;
use crate::launch::Launch;
use crate::paths::{can_start, is_plain, resolved};

/// Longest first line of a script that the kernel reads.
const LINE: u64 = 256;
/// Bytes of a script that are looked at for the names of interpreters that it starts.
const LOOKED_AT: u64 = 16 << 10;
/// Most links that the kernel follows.
const LINKS: usize = 40;

/// How an interpreter is called in an environment, and in what that is made from.
const NAMES: [&str; 4] = ["python", "python3", "pypy3", "pypy"];
/// What the names of modules of these begin with.
const OF_PYTHON: [&str; 2] = ["python", "pypy"];

/// Where Python looks for what was installed for its user, and that it does not.
pub(super) const USER_BASE: &str = "PYTHONUSERBASE";
const NO_USER_SITE: &str = "PYTHONNOUSERSITE";

/// What an agent is run by.
#[derive(Debug, Default)]
pub(crate) struct Interpreters {
    /// The one that the shell would take.
    pub(super) program: PathBuf,
    /// What it may read for that.
    pub(super) reads: Vec<PathBuf>,
    /// Where it looks programs up first.
    pub(super) programs: Vec<PathBuf>,
    /// Where Python has what was installed for its user.
    pub(super) user_base: Option<PathBuf>,
    /// That the shell has another one, and what to write: a sentence.
    pub(crate) unlike: Option<String>,
}

/// What is granted to nobody by the way.
pub(super) struct GrantBounds<'a> {
    /// The runner's home.
    pub(super) home: Option<PathBuf>,
    /// The event file's directory.
    pub(super) event: &'a Path,
    /// What is not the agent's.
    pub(super) left_out: Vec<&'a str>,
    /// Whether it was handed in: what it is run by its contract says, and the organizer, and nothing in its archive.
    pub(super) is_handed_in: bool,
}

impl Interpreters {
    /// Those of an agent: its program, where that is one; what its first line names; what it starts by name, where it is a script; the
    /// environments in its directory.
    pub(super) fn new(launch: &Launch, own: Option<&Path>, bounds: &GrantBounds<'_>) -> Self {
        let mut found = Self::by_path(launch, own, bounds);
        let mut by = vec![launch.program.clone()];
        by.extend(first_line(&launch.program));
        for program in by_name(&launch.program) {
            let program = followed(&program, launch, bounds.is_handed_in);
            let place = program.parent().unwrap_or(&program);
            if place.ends_with(SHIMS) && prefix(&program, bounds.home.as_deref()).is_none() {
                found.unlike = found.unlike.or_else(|| unlike(&program));
                continue;
            }
            found.programs.insert(0, place.to_path_buf());
            found.program.clone_from(&program);
            chain(&program).iter().for_each(|hop| found.add(hop, bounds));
            by.push(program);
        }
        let is_set = |name| launch.environment.contains_key(name);
        by.retain(|_| !is_set(USER_BASE) && !is_set(NO_USER_SITE));
        by.iter().for_each(|program| found.add_user_site(program, bounds));
        let mut seen = BTreeSet::new();
        found.programs.retain(|place| seen.insert(place.clone()));
        found
            .reads
            .extend(found.user_base.as_ref().map(|base| base.join("bin")));
        found
    }

    /// As in runs of before: what is looked up is not followed, nor found first, and nothing is there that was installed for a user.
    pub(super) fn of_before(launch: &Launch, bounds: &GrantBounds<'_>) -> Self {
        let mut found = Self::by_path(launch, None, bounds);
        let looked_up = first_line(&launch.program).into_iter().skip(1);
        for hop in looked_up.flat_map(|program| chain(&program)) {
            found.add(&hop, bounds);
        }
        found
    }

    /// Those that are named by their paths.
    fn by_path(launch: &Launch, own: Option<&Path>, bounds: &GrantBounds<'_>) -> Self {
        let mut found = Self {
            program: first_line(&launch.program)
                .pop()
                .unwrap_or_else(|| launch.program.clone()),
            ..Self::default()
        };
        let led_to = led_to(&launch.program, own, bounds.is_handed_in);
        for (number, hop) in led_to.iter().enumerate() {
            // The program itself the event file names.
            if number == 0 || !bounds.hold(hop) {
                found.add(hop, bounds);
            }
        }
        found
    }

    /// That nobody but the superuser can reach `path`, on the way to something that is read for it; and what to write.
    pub(super) fn closed(&self, read: &Path, path: &Path) -> String {
        let (program, path) = (self.program.display(), path.display());
        let is_user_site = self.user_base.as_ref().is_some_and(|base| read.starts_with(base));
        let instead = match (is_user_site, of_the_system(&self.program)) {
            (true, _) => format!("; env = {{ {NO_USER_SITE} = \"1\" }} does without what was installed for its user"),
            (false, Some(system)) => format!("; or have it run by {}, which all can reach", system.display()),
            (false, None) => String::new(),
        };
        format!(
            "the shell has it run by {program}, and no user but the superuser can reach {path} (`chmod o+rX` lets all{instead})"
        )
    }

    fn add(&mut self, hop: &Path, bounds: &GrantBounds<'_>) {
        if let Some(prefix) = prefix(hop, bounds.home.as_deref()) {
            self.programs.push(prefix.join("bin"));
            if !bounds.are_within(&prefix) {
                self.reads.push(prefix);
                return;
            }
            // What it is in is more than an interpreter's.
            let parts = [hop.to_path_buf(), prefix.join(ENVIRONMENT)];
            let parts = parts.into_iter().chain(modules(&prefix, &OF_PYTHON));
            let parts = parts.filter(|part| part.exists() && !bounds.are_within(part) && !bounds.hold(part));
            self.reads.extend(parts);
            return;
        }
        if !is_plain(hop) || !can_start(hop) {
            return;
        }
        // Of Python that is installed among other things, what it is made of alone.
        let library = hop.parent().and_then(Path::parent).zip(hop.file_name());
        let library = library.map(|(prefix, name)| prefix.join("lib").join(name));
        let library = library.filter(|path| path.join("os.py").is_file() && !resolved(path).starts_with("/usr"));
        let library = library.filter(|path| !bounds.are_within(path));
        let leads_on = hop.is_symlink() && prefix(&resolved(hop), bounds.home.as_deref()).is_some();
        if library.is_some() || leads_on {
            self.reads.extend(library);
            self.reads.push(hop.to_path_buf());
        }
    }

    /// What was installed for the user of Python, which an environment may want nothing of.
    fn add_user_site(&mut self, program: &Path, bounds: &GrantBounds<'_>) {
        let real = resolved(program);
        let is_python = |name: &&str| name.starts_with("python") || name.starts_with("pypy");
        let Some(name) = real.file_name().and_then(OsStr::to_str).filter(is_python) else {
            return;
        };
        let own = environment_of(program).and_then(|place| setting(&place, "include-system-site-packages"));
        let base = std::env::var_os(USER_BASE)
            .filter(|base| !base.is_empty())
            .map(PathBuf::from);
        let base = base.or_else(|| Some(bounds.home.as_ref()?.join(".local")));
        let Some(base) = base.filter(|base| base.is_absolute() && own.is_none_or(|own| own == "true")) else {
            return;
        };
        let site = base.join("lib").join(name).join("site-packages");
        if site.is_dir() && !bounds.hold(&site) && !bounds.are_within(&site) {
            self.reads.push(site);
            self.user_base = Some(base);
        }
    }
}

impl GrantBounds<'_> {
    /// Whether a path leads to where nothing is the agent's.
    fn hold(&self, path: &Path) -> bool {
        let path = resolved(path);
        self.left_out.iter().any(|left_out| path.starts_with(left_out))
    }

    /// Whether something that is not the agent's is below a path, or the event.
    fn are_within(&self, path: &Path) -> bool {
        let path = resolved(path);
        self.event.starts_with(&path)
            || self
                .left_out
                .iter()
                .any(|left_out| Path::new(left_out).starts_with(&path))
    }
}

/// Where an agent's program leads, with its first line and the environments in its directory, by paths that its entrant may have
/// chosen; first the program itself. Of one that was handed in nothing in its directory leads anywhere but to the system.
pub fn led_to(program: &Path, own: Option<&Path>, is_handed_in: bool) -> Vec<PathBuf> {
    let first = first_line(program).into_iter().take(1).filter(|path| is_plain(path));
    let all = std::iter::once(program.to_path_buf()).chain(first);
    if is_handed_in {
        let is_own = own.is_some_and(|own| resolved(program).starts_with(resolved(own)));
        let is_of_system = |path: &PathBuf| path == program || resolved(path).starts_with("/usr");
        return match is_own {
            true => all.filter(is_of_system).collect(),
            false => all.flat_map(|path| chain(&path)).collect(),
        };
    }
    let entries = own.and_then(|own| std::fs::read_dir(own).ok());
    let entries = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let places = own.into_iter().map(Path::to_path_buf).chain(entries);
    let environments = places.filter(|path| path.join(ENVIRONMENT).is_file());
    let environments = environments.filter_map(|place| interpreter_in(&place.join("bin")));
    all.chain(environments).flat_map(|path| chain(&path)).collect()
}

/// The interpreter in a directory, by its usual names.
fn interpreter_in(directory: &Path) -> Option<PathBuf> {
    let mut named = NAMES.iter().map(|name| directory.join(name));
    named.find(|program| can_start(program))
}

/// A program and all that the links on the way to it lead to; with it the interpreter that an environment is made from.
fn chain(program: &Path) -> Vec<PathBuf> {
    let mut hops = links(program);
    let home = environment_of(program).and_then(|place| setting(&place, "home"));
    let home = home.map(PathBuf::from).filter(|home| is_plain(home));
    let base = home.and_then(|home| interpreter_in(&home));
    hops.extend(base.iter().flat_map(|base| links(base)));
    hops
}

fn links(path: &Path) -> Vec<PathBuf> {
    let mut hops = vec![path.to_path_buf()];
    while let Some(last) = hops.last().filter(|_| hops.len() < LINKS)
        && let Ok(leads_to) = std::fs::read_link(last)
    {
        let mut next = PathBuf::new();
        for part in last.parent().unwrap_or(last).join(leads_to).components() {
            match part {
                Component::ParentDir => drop(next.pop()),
                part => next.push(part),
            }
        }
        hops.push(next);
    }
    hops.push(resolved(path));
    hops.dedup();
    hops
}

/// The virtual environment that a program is in.
pub(super) fn environment_of(program: &Path) -> Option<PathBuf> {
    let place = program.parent()?.parent()?;
    place.join(ENVIRONMENT).is_file().then(|| place.to_path_buf())
}

/// What an environment says of itself.
fn setting(environment: &Path, name: &str) -> Option<String> {
    let text = read(&environment.join(ENVIRONMENT))?;
    let mut lines = text.lines().filter_map(|line| line.split_once('='));
    lines
        .find(|(key, _)| key.trim() == name)
        .map(|(_, value)| value.trim().to_owned())
}

/// The beginning of a file.
fn read(file: &Path) -> Option<String> {
    let mut text = Vec::new();
    open_plain(file).ok()?.take(LOOKED_AT).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

/// That the shell would take this program, which cannot be followed.
fn unlike(program: &Path) -> Option<String> {
    let name = program.file_name()?;
    let runs = of_the_system(program).map_or_else(|| "no program".to_owned(), |path| path.display().to_string());
    Some(format!(
        "`{0}` is {1} for the shell, which looks for another program in its turn; isolated, it is {runs}: write the path of the \
         interpreter itself as command, and the script in args",
        name.display(),
        program.display(),
    ))
}

/// The system's program of the same name.
pub(super) fn of_the_system(program: &Path) -> Option<PathBuf> {
    let name = program.file_name()?;
    let mut places = std::env::split_paths(PATH).map(|place| place.join(name));
    places.find(|path| path.is_file())
}

/// What the first line of a script names: the interpreter, and where that is `env` the program that it looks up.
pub(super) fn first_line(script: &Path) -> Vec<PathBuf> {
    let Ok(file) = open_plain(script) else {
        return Vec::new();
    };
    let mut line = Vec::new();
    let _ = BufReader::new(file.take(LINE)).read_until(b'\n', &mut line);
    let line = String::from_utf8_lossy(&line);
    let Some(words) = line.strip_prefix("#!") else {
        return Vec::new();
    };
    let mut words = words.split_whitespace();
    let interpreter = PathBuf::from(words.next().unwrap_or_default());
    let is_env = interpreter.file_name().is_some_and(|name| name == "env");
    let looked_up = words
        .find(|word| !word.starts_with('-') && !word.contains('='))
        .filter(|_| is_env)
        .and_then(|name| look_up(name.as_ref(), |_| true));
    std::iter::once(interpreter).chain(looked_up).collect()
}

/// The beginning of a script of the shell.
pub(super) fn text_of_shell(script: &Path) -> Option<String> {
    let by = first_line(script).pop()?;
    let is_shell = ["sh", "bash", "dash"].iter().any(|shell| by.ends_with(shell));
    is_shell.then(|| read(script)).flatten()
}

/// What a script looks up: by its first line, and as a command of the shell, where it is Python.
fn by_name(script: &Path) -> Vec<PathBuf> {
    let line = first_line(script);
    let text = text_of_shell(script).unwrap_or_default();
    let is_python = |word: &&str| {
        let version = word.strip_prefix("python").or_else(|| word.strip_prefix("pypy"));
        version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    let words = text.lines().skip(1).flat_map(str::split_whitespace).filter(is_python);
    let started: BTreeSet<&str> = words.collect();
    let started = started.into_iter().filter_map(|name| look_up(name.as_ref(), |_| true));
    line.into_iter().skip(1).chain(started).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::launch::ProcessLimits;
    use swissmatch_game::resource::Allowance;

    fn make(home: &Path, directories: &[&str]) {
        for directory in directories {
            std::fs::create_dir_all(home.join(directory)).expect("a directory");
        }
    }

    /// Programs that can be started.
    fn install(home: &Path, programs: &[&str]) {
        for program in programs.iter().map(|program| home.join(program)) {
            std::fs::create_dir_all(program.parent().expect("a directory")).expect("a directory");
            std::fs::write(&program, "").expect("a file");
            std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("a mode");
        }
    }

    fn link(leads_to: impl AsRef<Path>, path: impl AsRef<Path>) {
        std::os::unix::fs::symlink(leads_to, path).expect("a link");
    }

    /// What the agent in `program` may read for its interpreters, where `left_out` is another's.
    fn reads(home: &Path, program: &str, own: Option<&str>, left_out: &[&str]) -> Vec<String> {
        let all = granted(home, program, (own, false), left_out);
        let below = all.iter().filter_map(|path| path.strip_prefix(home).ok());
        below.map(|path| path.display().to_string()).collect()
    }

    /// The same of one that was handed in or not, wherever it is.
    fn granted(
        home: &Path,
        program: &str,
        (own, is_handed_in): (Option<&str>, bool),
        left_out: &[&str],
    ) -> BTreeSet<PathBuf> {
        let launch = Launch {
            program: home.join(program),
            args: Vec::new(),
            directory: home.to_path_buf(),
            environment: BTreeMap::from([(NO_USER_SITE.to_owned(), "1".into())]),
            limits: ProcessLimits::default(),
            allowance: Allowance::UNLIMITED,
            connect: Vec::new(),
            confinement: None,
            adapter: None,
        };
        let left_out: Vec<String> = left_out
            .iter()
            .map(|path| home.join(path).display().to_string())
            .collect();
        let bounds = GrantBounds {
            home: Some(home.to_path_buf()),
            event: &home.join("event"),
            left_out: left_out.iter().map(String::as_str).collect(),
            is_handed_in,
        };
        let own = own.map(|own| home.join(own));
        let found = Interpreters::new(&launch, own.as_deref(), &bounds);
        found.reads.into_iter().collect()
    }

    #[test]
    fn a_virtual_environment_is_granted_and_a_home_is_not() {
        let place = tempfile::tempdir().expect("a directory");
        let home = &resolved(place.path());
        make(
            home,
            &[
                ".local/lib/python3.11",
                "lib/python3",
                "nvm/lib/node_modules",
                "gone/lib/python3",
            ],
        );
        install(
            home,
            &[
                "venv/bin/python",
                "venv/engine",
                "bin/python",
                ".local/bin/python",
                "nvm/bin/node",
            ],
        );
        std::fs::write(home.join("venv/pyvenv.cfg"), "").expect("a file");
        let of = |program: &str| prefix(&home.join(program), Some(home));
        assert_eq!(of("venv/bin/python"), Some(home.join("venv")));
        assert_eq!(of("nvm/bin/node"), Some(home.join("nvm")));
        assert_eq!(of("bin/python"), None, "the home is not a prefix");
        assert_eq!(of(".local/bin/python"), None);
        assert_eq!(of("venv/engine"), None);
        assert_eq!(of("gone/bin/python"), None, "there is no such interpreter");
        assert_eq!(of("nvm/../venv/bin/python"), None, "it goes up");
        for program in [
            "/usr/bin/python3",
            "/bin/sh",
            "/tmp/../usr/bin/python3",
            "/proc/self/root/usr/bin/python3",
        ] {
            assert_eq!(prefix(Path::new(program), Some(home)), None, "{program}");
        }
        let write = |text: String| std::fs::write(home.join("engine"), text).expect("a file");
        write(format!("#!{}\n", home.join("venv/bin/python").display()));
        assert_eq!(reads(home, "engine", None, &[]), ["venv"]);
        write("#!/usr/bin/env -S sh -x\n".to_owned());
        assert!(first_line(&home.join("engine"))[1].ends_with("sh"));
        write("#!/usr/bin/env -S A=1 sh\n".to_owned());
        assert!(first_line(&home.join("engine"))[1].ends_with("sh"));
        // Nothing but an interpreter is opened by a first line.
        std::fs::write(home.join("secret"), "").expect("a file");
        write(format!("#!{}\n", home.join("secret").display()));
        assert_eq!(reads(home, "engine", None, &[]), [""; 0]);
    }

    /// Where an environment leads on the way to its interpreter is granted, link by link.
    #[test]
    fn what_an_environment_is_made_from_is_granted() {
        let place = tempfile::tempdir().expect("a directory");
        let home = &resolved(place.path());
        let uv = home.join("uv/python/cpython-3.12.8");
        make(home, &[".local/bin", "uv/python/cpython-3.12.8/lib/python3.12"]);
        make(home, &["entry/.venv/bin", "event/entries"]);
        install(&uv, &["bin/python3.12"]);
        link("python3.12", uv.join("bin/python"));
        link("cpython-3.12.8", home.join("uv/python/cpython-3.12"));
        link(
            "../../uv/python/cpython-3.12/bin/python3.12",
            home.join(".local/bin/python3.12"),
        );
        link(home.join(".local/bin/python3.12"), home.join("entry/.venv/bin/python"));
        let minor = home.join("uv/python/cpython-3.12/bin");
        std::fs::write(
            home.join("entry/.venv/pyvenv.cfg"),
            format!("home = {}\n", minor.display()),
        )
        .expect("a file");
        let base = [
            ".local/bin/python3.12",
            "entry/.venv",
            "uv/python/cpython-3.12",
            "uv/python/cpython-3.12.8",
        ];
        assert_eq!(reads(home, "entry/.venv/bin/python", None, &[]), base);
        // Found also where a script of its own runs it.
        std::fs::write(home.join("entry/run.sh"), "#!/bin/sh\nexec .venv/bin/python agent.py\n").expect("a file");
        assert_eq!(reads(home, "entry/run.sh", Some("entry"), &[]), base);
        // An entrant's environment opens no other's, by a link or by what it says.
        assert_eq!(reads(home, "entry/run.sh", Some("entry"), &["uv"]), [""; 0]);
        // Of what was handed in nothing in it leads anywhere.
        let handed_in = granted(home, "entry/run.sh", (Some("entry"), true), &[]);
        assert_eq!(handed_in, BTreeSet::new());
    }

    /// Where something of the event is in what an interpreter is installed in, nothing but its modules is granted.
    #[test]
    fn no_prefix_is_granted_with_what_is_not_the_agents() {
        let place = tempfile::tempdir().expect("a directory");
        let home = &resolved(place.path());
        install(home, &["event/bin/python", "x/bin/python3", "entry/engine"]);
        std::fs::write(home.join("event/pyvenv.cfg"), "").expect("a file");
        make(
            home,
            &["event/lib/python3.11", "x/lib/python3.11", "x/lib/season/others"],
        );
        assert_eq!(
            reads(home, "event/bin/python", None, &[]),
            ["event/bin/python", "event/lib/python3.11", "event/pyvenv.cfg"]
        );
        assert_eq!(
            reads(home, "x/bin/python3", None, &["x/lib/season/others"]),
            ["x/bin/python3", "x/lib/python3.11"]
        );
        assert_eq!(
            reads(home, "x/bin/python3", None, &["x/lib/python3.11/others"]),
            ["x/bin/python3"]
        );
        let engine = |text: String| std::fs::write(home.join("entry/engine"), text).expect("a file");
        engine(format!("#!/usr/bin/env {}\n", home.join("x/bin/python3").display()));
        assert_eq!(
            reads(home, "entry/engine", Some("entry"), &["x"]),
            [""; 0],
            "no path is looked up"
        );
    }

    /// What an entrant says that its environment is made from has to be an interpreter's.
    #[test]
    fn an_environment_opens_nothing_but_an_interpreter_that_is_there() {
        let place = tempfile::tempdir().expect("a directory");
        let home = &resolved(place.path());
        install(
            home,
            &[
                "entry/engine",
                "entry/bin/python",
                ".local/bin/python",
                "real/bin/python3",
            ],
        );
        make(
            home,
            &[
                ".local/share/keys",
                ".local/lib/python3.11",
                "results/submissions/versions",
                "results/submissions/shims",
                "real/lib/python3.11",
                "x",
            ],
        );
        let from = |base: &str| {
            std::fs::write(home.join("entry/pyvenv.cfg"), format!("home = {base}\n")).expect("a file");
            let granted = granted(home, "entry/engine", (Some("entry"), false), &[]);
            granted
                .into_iter()
                .filter(|path| !path.starts_with(home.join("entry")))
                .collect::<Vec<_>>()
        };
        let at = |path: &str| home.join(path).display().to_string();
        assert_eq!(from(&at("real/bin")), [home.join("real")]);
        for base in [
            "/tmp/../usr/bin".to_owned(),
            "/usr/bin".to_owned(),
            "/proc/self/root/usr/bin".to_owned(),
            "/proc/self/../../usr/bin".to_owned(),
            "/var/bin".to_owned(),
            "/bin".to_owned(),
            at("results/submissions/shims"),
            at("x/../real/bin"),
            at("x/../.local/bin"),
            at(".local/bin"),
        ] {
            assert_eq!(from(&base), Vec::<PathBuf>::new(), "{base}");
        }
    }
}
