//! What the whole-program tests share: a directory of their own, event files, the program run with a time limit, and a look
//! at what processes are left.
#![expect(
    clippy::disallowed_methods,
    reason = "whole-program tests run programs and read files"
)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use swissmatch::game::record::GameSpec;
use swissmatch::game::termination::Outcome;
use swissmatch::run::{EventFile, Run, RunEnd};
use swissmatch::shell::host::scripted::ScriptedHost;
use swissmatch::shell::store::Store;

use crate::{schemas, tape};

/// The program under test: the built one, or another that `make compare` names, which has its agents beside it as well.
pub(crate) fn swissmatch() -> &'static str {
    static OTHER: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("SWISSMATCH_COMPARED").ok());
    OTHER.as_deref().unwrap_or(env!("CARGO_BIN_EXE_swissmatch"))
}

/// No run of a test takes longer.
const LIMIT: Duration = Duration::from_secs(120);

/// Where the project is.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// How often a test does what it does at random: as often as its short form does, or its long form where `SWISSMATCH_LONG` is 1
/// (`make long`).
pub(crate) fn times(short: usize, long: usize) -> usize {
    match std::env::var("SWISSMATCH_LONG").as_deref() {
        Ok("1") => long,
        Err(_) | Ok("") => short,
        Ok(other) => panic!("SWISSMATCH_LONG is {other:?}, and may only be 1 or not be set"),
    }
}

/// A directory that goes with the test, in which event files are written and runs are made.
pub(crate) struct Place {
    dir: tempfile::TempDir,
}

impl Drop for Place {
    fn drop(&mut self) {
        tape::files(self.dir.path());
    }
}

impl Place {
    /// A new, empty one.
    pub(crate) fn new() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a temporary directory"),
        }
    }

    /// Copies a directory in it with all that it holds.
    pub(crate) fn copy(&self, from: &str, to: &str) {
        std::fs::create_dir(self.path(to)).expect("a directory");
        for entry in std::fs::read_dir(self.path(from)).expect("a directory").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let [from, to] = [from, to].map(|dir| format!("{dir}/{name}"));
            match entry.path().is_dir() {
                true => self.copy(&from, &to),
                false => drop(std::fs::copy(self.path(&from), self.path(&to)).expect("a copy")),
            }
        }
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file in it.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, text).expect("the file is written");
        path
    }

    /// Reads a file in it.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// What the log of a run keeps of what was said in a game; nothing where it keeps none.
    pub(crate) fn evidence(&self, run: &str, game: &str) -> Option<String> {
        let exported = self.swissmatch(&["export", "evidence", run, "--only", game]);
        if exported.stderr().contains("no evidence was kept of this game") {
            return None;
        }
        exported.expect_code(0);
        Some(exported.stdout())
    }

    /// `swissmatch ARGS…`, its directory this one, its output caught.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(swissmatch());
        command.args(args).current_dir(self.dir.path()).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        // So that agents work in the test's own directory, however they are isolated.
        command.env("TMPDIR", self.dir.path());
        command
    }

    /// Runs `swissmatch ARGS…` to its end.
    pub(crate) fn swissmatch(&self, args: &[&str]) -> Ran {
        self.swissmatch_with(args, &[])
    }

    /// The same, with variables.
    pub(crate) fn swissmatch_with(&self, args: &[&str], variables: &[(&str, &str)]) -> Ran {
        let begun = Instant::now();
        let mut command = self.command(args);
        let child = command
            .envs(variables.iter().copied())
            .spawn()
            .expect("swissmatch starts");
        let output = wait_for(child);
        tape::call(&args.join(" "), &output);
        schemas::check_output(args, &output.stdout);
        let mut words = args.iter().skip_while(|arg| arg.starts_with('-'));
        if matches!(words.next(), Some(&("run" | "check" | "analyse"))) && output.status.success() {
            schemas::check_files(self.dir.path());
            for run in words.map(|word| self.path(word)).filter(|path| path.is_dir()) {
                schemas::check_files(&run);
            }
        }
        Ran {
            output,
            took: begun.elapsed(),
        }
    }

    /// Plays an event to its end by a script, without a process: for tests that need results alone.
    pub(crate) fn play_by_script(
        &self,
        event: &str,
        run: &str,
        script: impl FnMut(&GameSpec) -> Outcome + Send + 'static,
    ) {
        let event = EventFile::parse(&self.path("event.toml"), event).expect("an event");
        let host = Box::new(ScriptedHost::new(script));
        let dir = self.path(run);
        let run = Run::create(event, &dir, host, &mut |_| {}).expect("a run");
        let played = run.play(&mut []).expect("it is played");
        assert_eq!(played.ended, RunEnd::Complete);
        schemas::check_files(&dir);
    }

    /// Reads what a run exports as JSON: `standings`, `games-json` and so on.
    pub(crate) fn export_json(&self, run: &str, what: &str) -> serde_json::Value {
        let ran = self.swissmatch(&["export", what, run]);
        ran.expect_code(0);
        serde_json::from_str(&ran.stdout()).unwrap_or_else(|error| panic!("{what}: {error}\n{}", ran.stdout()))
    }
}

/// Tells, also where the test passes, that it tests nothing: the machine does not give it a right that root has.
pub(crate) fn say_what_is_missing(what: &str) {
    // Straight to the stream: what is printed is hidden of a test that passes.
    writeln!(std::io::stderr(), "skipped: {what}").expect("standard error");
}

/// A directory of another user, with programs of its own: that user need not reach where they were built, and its processes are
/// counted apart from all others.
pub(crate) struct Guest {
    /// The directory.
    pub(crate) place: Place,
    user: u32,
}

impl Guest {
    /// Somebody new, with these bundled engines beside swissmatch; `None` where becoming another user is not allowed, which only
    /// root may. Said then is that the test is skipped.
    pub(crate) fn new(engines: &[&str]) -> Option<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let user = 20_000 + (std::process::id() * 8 + NEXT.fetch_add(1, Ordering::Relaxed)) % 40_000;
        let become_user = |program: &Path| Self::command_of(user, &[], program).arg("--version").output();
        if !become_user(Path::new("true")).is_ok_and(|ran| ran.status.success()) {
            say_what_is_missing("becoming another user is not allowed here");
            return None;
        }
        let usual = ["/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
        for home in [std::env::temp_dir()].into_iter().chain(usual) {
            let Ok(dir) = tempfile::tempdir_in(home) else { continue };
            let guest = Self {
                place: Place { dir },
                user,
            };
            for name in ["swissmatch"].iter().chain(engines) {
                std::fs::copy(engine(name), guest.place.path(name)).expect("a copy");
            }
            std::os::unix::fs::chown(guest.place.path(""), Some(user), None).expect("root gives it away");
            if become_user(&guest.place.path("swissmatch")).is_ok_and(|ran| ran.status.success()) {
                return Some(guest);
            }
        }
        panic!("no directory for temporary files that another user reaches");
    }

    fn command_of(user: u32, limits: &[String], program: &Path) -> Command {
        let mut command = Command::new("setpriv");
        command.args([&format!("--reuid={user}"), "--clear-groups", "prlimit"]);
        command.args(limits).arg(program).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Gives it files in its directory, with all that they hold.
    pub(crate) fn give(&self, names: &[&str]) {
        let mut command = Command::new("chown");
        command
            .args(["-R", &self.user.to_string()])
            .args(names)
            .current_dir(self.place.path(""));
        assert!(
            command.status().is_ok_and(|status| status.success()),
            "root gives it away"
        );
    }

    /// A program as this user, in its directory, within limits as `prlimit` takes them.
    pub(crate) fn command(&self, limits: &[String], program: &Path) -> Command {
        let mut command = Self::command_of(self.user, limits, program);
        command.current_dir(self.place.path(""));
        command
    }

    /// Runs `swissmatch ARGS…` as this user, within limits, to its end.
    pub(crate) fn swissmatch(&self, limits: &[String], args: &[&str]) -> Ran {
        let begun = Instant::now();
        let mut command = self.command(limits, &self.place.path("swissmatch"));
        let output = wait_for(command.args(args).spawn().expect("setpriv starts"));
        tape::call(&args.join(" "), &output);
        Ran {
            output,
            took: begun.elapsed(),
        }
    }
}

/// Runs a program where bubblewrap is hidden from it, which only root may do.
#[track_caller]
pub(crate) fn without_bubblewrap(program: Command) -> Output {
    without(&[Means::Bubblewrap], program)
}

/// What an agent may be isolated by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Means {
    Bubblewrap,
    ControlGroups,
}

/// Runs a program where these are hidden from it, which only root may do.
#[track_caller]
pub(crate) fn without(hidden: &[Means], mut program: Command) -> Output {
    if hidden.is_empty() {
        return finish(program.spawn().expect("it starts"));
    }
    let mut script: String = hidden
        .iter()
        .map(|means| match means {
            Means::Bubblewrap => "mount --bind /dev/null /usr/bin/bwrap && ",
            Means::ControlGroups => "mount -t tmpfs none /sys/fs/cgroup && ",
        })
        .collect();
    script.push_str("exec \"$@\"");
    let mut outer = Command::new("unshare");
    outer.args(["--mount", "sh", "-c", &script, "sh"]);
    outer.arg(program.get_program()).args(program.get_args());
    if let Some(directory) = program.get_current_dir() {
        outer.current_dir(directory);
    }
    for (name, value) in program.get_envs() {
        outer.env(name, value.expect("a value"));
    }
    outer.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(outer.spawn().expect("unshare starts"))
}

/// Waits for a child with everything it says; ends it when it takes too long.
#[track_caller]
pub(crate) fn finish(child: Child) -> Output {
    let output = wait_for(child);
    tape::call(std::panic::Location::caller().file(), &output);
    output
}

fn wait_for(mut child: Child) -> Output {
    let id = child.id();
    let (done, watched) = std::sync::mpsc::channel::<()>();
    let watch = std::thread::spawn(move || {
        if watched.recv_timeout(LIMIT) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            let _ = Command::new("kill").args(["-TERM", &id.to_string()]).status();
            std::thread::sleep(Duration::from_secs(2));
            let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
        }
    });
    drop(child.stdin.take());
    let output = child.wait_with_output().expect("the program ends");
    drop(done);
    watch.join().expect("the watch ends");
    output
}

/// A finished program.
pub(crate) struct Ran {
    /// Its exit status and what it said.
    pub(crate) output: Output,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Ran {
    /// Standard output as text.
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }

    /// Standard error as text.
    pub(crate) fn stderr(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Asserts the exit code, showing what was said where it is another.
    #[track_caller]
    pub(crate) fn expect_code(&self, code: i32) -> &Self {
        let found = self.output.status.code();
        assert_eq!(
            found,
            Some(code),
            "stdout:\n{}\nstderr:\n{}",
            self.stdout(),
            self.stderr()
        );
        self
    }
}

/// What engines wrote to standard error, of a game's evidence: the lines without the frame that says whose they are and when they
/// came, after an empty one.
pub(crate) fn complaints(evidence: &str) -> String {
    let framed = evidence.lines().filter_map(|line| {
        let (time, rest) = line.trim_start().split_once(' ')?;
        time.parse::<f64>().ok()?;
        rest.strip_prefix("White ! ").or_else(|| rest.strip_prefix("Black ! "))
    });
    std::iter::once("")
        .chain(framed)
        .map(|line| format!("{line}\n"))
        .collect()
}

/// Tests cases side by side, of which each is mostly waiting.
pub(crate) fn at_once<T: Send>(cases: impl IntoIterator<Item = T>, test: impl Fn(T) + Sync) {
    let test = &test;
    std::thread::scope(|scope| {
        for case in cases {
            scope.spawn(move || test(case));
        }
    });
}

/// A log, opened to append to it.
pub(crate) fn opened(log: &Path) -> Store {
    let read = Store::open_to_read(log).and_then(|store| store.entries());
    Store::open(log, &read.expect("the log")).expect("the log")
}

/// A bundled engine, by the name of its binary: it lies beside the program under test.
pub(crate) fn engine(name: &str) -> String {
    let path = Path::new(swissmatch()).with_file_name(name);
    assert!(
        path.is_file(),
        "{} is not built: cargo build --workspace --bins",
        path.display()
    );
    path.display().to_string()
}

/// A real engine from the system.
pub(crate) fn system_engine(name: &str) -> String {
    let places = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let found = places
        .split(':')
        .map(|place| Path::new(place).join(name))
        .find(|path| path.is_file());
    found
        .unwrap_or_else(|| panic!("{name} is not installed: make test-tools"))
        .display()
        .to_string()
}

/// Processes whose command line or environment holds `mark`, but for this test's own.
pub(crate) fn processes_with(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").expect("/proc is there").flatten() {
        let Ok(pid) = entry.file_name().to_string_lossy().parse::<u32>() else {
            continue;
        };
        if pid == std::process::id() {
            continue;
        }
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let is_zombie = stat
            .rsplit(')')
            .next()
            .is_some_and(|rest| rest.trim_start().starts_with('Z'));
        if line.contains(mark) && !is_zombie {
            found.push(format!("{pid} {line}"));
        }
    }
    found
}

/// Asserts that within `patience` no process with `mark` is left.
#[track_caller]
pub(crate) fn assert_gone(mark: &str, patience: Duration) {
    let until = Instant::now() + patience;
    loop {
        let left = processes_with(mark);
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < until, "still there after {patience:?}: {left:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// JUnit as Python's parser of XML reads it: each case with its name, what became of it, its message and its text.
pub(crate) fn junit_cases(place: &Place, file: &str) -> Vec<[String; 4]> {
    const READ: &str = "
import json, sys, xml.etree.ElementTree as tree
cases = []
for case in tree.parse(sys.argv[1]).getroot().iter('testcase'):
    ends = [part for part in case if part.tag in ('failure', 'error', 'skipped')]
    assert len(ends) <= 1
    end = ends[0] if ends else None
    cases.append([case.get('name'), 'passed' if end is None else end.tag, '' if end is None else end.get('message') or '', '' if end is None else end.text or ''])
print(json.dumps(cases))
";
    let output = Command::new("python3")
        .arg("-c")
        .arg(READ)
        .arg(place.path(file))
        .output();
    let output = output.expect("python3 is installed: make test-tools");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Runs git in a directory, as an author of its own; what it prints.
pub(crate) fn git(at: &Path, args: &[&str]) -> String {
    let mut git = Command::new("git");
    git.args([
        "-c",
        "user.name=Author",
        "-c",
        "user.email=author@example.org",
        "-c",
        "commit.gpgsign=false",
    ]);
    let output = git
        .args(args)
        .current_dir(at)
        .output()
        .expect("git is installed: make test-tools");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
}
