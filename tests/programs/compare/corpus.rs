//! Parts of the corpus that are no tests: presets and examples, kept runs, forged logs, and an arbiter of one build at the desk of a
//! runner of the other.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rusqlite::Connection;
use serde_json::Value;
use swissmatch::shell::store::chain_hash;

use crate::document::Documents;

/// What reads a run and says all that there is to say of it; `{}` is the run.
const READING: [&str; 22] = [
    "verify {}",
    "verify {} --json",
    "status {} --json",
    "standings {} --json",
    "standings {}",
    "crosstable {}",
    "playoff {} --json",
    "prizes {} --json",
    "thinking {} --json",
    "stats {} --json",
    "explain round 1 --run {}",
    "explain 1 --run {}",
    "explain game 1.1.1 --run {}",
    "arbiter log {} --json",
    "arbiter pairing {}",
    "export pgn {}",
    "export games-json {}",
    "export markdown {}",
    "export trf {}",
    "export records {}",
    "export sqlite {} --output {}/exported.sqlite",
    "export warnings {}",
];
/// What is asked of event files; `{}` is the file.
const OF_EVENTS: [&str; 6] = [
    "config {}",
    "config {} --json",
    "config {} --rules",
    "plan {} --events 20",
    "plan {} --events 20 --json",
    "match --print-event --event {} greedy random-mover",
];
const PRESETS: [&str; 7] = [
    "global-chess-challenge",
    "none",
    "us-chess",
    "gct-rapid-blitz",
    "gct-classical",
    "gct-tour",
    "immortal-game",
];
const KEPT: [&str; 5] = [
    "kept-run",
    "kept-run-announced",
    "kept-run-decided",
    "kept-run-interrupted",
    "kept-run-stopped",
];
/// Of how many forged logs each kept run is the father.
const FORGED: usize = 60;

/// What a part is given: the program, one of the other build, and its tape.
pub(crate) struct Part<'a> {
    pub(crate) root: &'a Path,
    pub(crate) program: &'a Path,
    pub(crate) other: &'a Path,
    pub(crate) tape: &'a Path,
}

type Play = fn(&Part<'_>);

/// The parts by their names.
pub(crate) const PARTS: [(&str, Play); 4] = [
    ("corpus::events", events),
    ("corpus::kept", kept),
    ("corpus::forged", forged),
    ("corpus::mixed", mixed),
];

impl Part<'_> {
    /// Calls the program in a folder and keeps what it says.
    fn call(&self, program: &Path, at: &Path, line: &str) {
        let output = Command::new(program)
            .args(line.split(' '))
            .current_dir(at)
            .stdin(Stdio::null())
            .output();
        let output = output.expect("the program starts");
        let calls = self.tape.join("calls");
        fs::create_dir_all(&calls).expect("a folder");
        let number = fs::read_dir(&calls).expect("a folder").count();
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        let text = format!("{line}\n{}\n--- stdout\n{out}\n--- stderr\n{err}\n", output.status);
        fs::write(calls.join(number.to_string()), text).expect("a file");
    }

    /// A folder in the tape.
    fn folder(&self, name: &str) -> PathBuf {
        let folder = self.tape.join("files/0").join(name);
        fs::create_dir_all(&folder).expect("a folder");
        folder
    }
}

fn events(part: &Part<'_>) {
    for preset in PRESETS {
        part.call(part.program, part.root, &format!("config --preset {preset}"));
        part.call(
            part.program,
            part.root,
            &format!("match --print-event --preset {preset} greedy random-mover"),
        );
    }
    part.call(part.program, part.root, "config --schema");
    let files = ["configs", "tests/data/config"].map(|folder| part.root.join(folder));
    let files = files
        .iter()
        .flat_map(|folder| fs::read_dir(folder).expect("a folder").flatten());
    let mut files: Vec<PathBuf> = files
        .map(|file| file.path())
        .filter(|path| path.extension().is_some_and(|end| end == "toml"))
        .collect();
    files.sort();
    for (file, line) in files.iter().flat_map(|file| OF_EVENTS.map(|line| (file, line))) {
        let file = file.strip_prefix(part.root).expect("below it");
        part.call(part.program, part.root, &line.replace("{}", &file.to_string_lossy()));
    }
}

fn kept(part: &Part<'_>) {
    for name in KEPT {
        copy(&part.root.join("tests/data").join(name), &part.folder(name));
        for line in READING {
            part.call(part.program, &part.tape.join("files/0"), &line.replace("{}", name));
        }
    }
}

/// Changes at chosen places, with a chain of hashes that is right.
fn forged(part: &Part<'_>) {
    let home = part.folder("");
    for (name, number) in KEPT
        .into_iter()
        .flat_map(|name| (0..FORGED).map(move |number| (name, number)))
    {
        let run = part.folder("forged");
        copy(&part.root.join("tests/data").join(name), &run);
        let label = format!("{name}-{number}");
        forge(&run.join("run.sqlite"), number);
        fs::rename(&run, home.join(&label)).expect("a folder");
        for line in ["verify {}", "standings {} --json"] {
            part.call(part.program, &home, &line.replace("{}", &label));
        }
        fs::remove_dir_all(home.join(&label)).expect("a folder");
    }
}

fn forge(log: &Path, number: usize) {
    let log = Connection::open(log).expect("a log");
    let entries: Vec<(String, String)> = {
        let mut query = log
            .prepare("SELECT at, body FROM entries ORDER BY seq")
            .expect("a query");
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        rows.map(|row| row.expect("a row")).collect()
    };
    let mut entries: Vec<(String, Value)> = entries
        .into_iter()
        .map(|(at, body)| (at, serde_json::from_str(&body).expect("JSON")))
        .collect();
    let at = number * 7 % entries.len();
    match number % 6 {
        0 => drop(entries.remove(at)),
        1 => entries.insert(at, entries[at].clone()),
        _ => {
            let mut places = Vec::new();
            let (_, body) = &mut entries[at];
            leaves(body, String::new(), &mut places);
            let place = body
                .pointer_mut(&places[number * 31 % places.len()])
                .expect("it is there");
            *place = match &*place {
                Value::Number(value) => value.as_i64().map_or(Value::Null, |value| Value::from(value + 1)),
                Value::Bool(value) => Value::Bool(!value),
                Value::String(text) => Value::String(format!("{text}1")),
                _ => Value::from(1),
            };
        }
    }
    log.execute_batch(
        "DROP TRIGGER entries_are_never_changed; DROP TRIGGER entries_are_never_deleted; BEGIN; DELETE FROM entries",
    )
    .expect("they go");
    let mut previous = String::new();
    for (seq, (at, body)) in (1..).zip(&entries) {
        let (kind, body) = (body["entry"].as_str().unwrap_or_default(), body.to_string());
        previous = chain_hash(&previous, seq, at, &body);
        log.execute(
            "INSERT INTO entries VALUES (?1, ?2, ?3, ?4, ?5)",
            (seq, at, kind, body, &previous),
        )
        .expect("it is written");
    }
    log.execute_batch("COMMIT").expect("they are there");
}

fn leaves(value: &Value, path: String, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields
            .iter()
            .for_each(|(name, value)| leaves(value, format!("{path}/{name}"), found)),
        Value::Array(items) => (0..)
            .zip(items)
            .for_each(|(at, value)| leaves(value, format!("{path}/{at}"), found)),
        _ => found.push(path),
    }
}

/// A runner of this build and an arbiter of the other, and the other way round.
fn mixed(part: &Part<'_>) {
    const ACTS: [&str; 16] = [
        "status {}",
        "arbiter pairing {}",
        "arbiter pause {}",
        "arbiter pause {}",
        "arbiter resume {}",
        "arbiter withdraw F {}",
        "arbiter reinstate F {}",
        "arbiter absent E {}",
        "arbiter present E {}",
        "arbiter forbid A B {}",
        "arbiter request-bye D 2 {}",
        "arbiter announce Hello {}",
        "arbiter enter late.toml {}",
        "arbiter confirm {}",
        "arbiter end {}",
        "arbiter log {} --json",
    ];
    for (name, runner, arbiter) in [("here", part.program, part.other), ("there", part.other, part.program)] {
        let home = part.folder(name);
        let agent = part.program.with_file_name("greedy");
        let player = |name: &str| format!("[[player]]\nname = \"{name}\"\ncommand = \"{}\"\n", agent.display());
        let players: String = ["A", "B", "C", "D", "E", "F"].map(player).concat();
        let event = "preset = \"none\"\nswiss.rounds = 2\nregistration.until = 2\nrun.concurrency = 1\n\
                     bye.requests = [{ rounds = 9, byes = 1 }]\nmini_match = { games = 2, openings = \"none\" }\ngame = { nodes = 200, max_moves = 10 }\n";
        fs::write(home.join("event.toml"), format!("{event}{players}")).expect("a file");
        fs::write(home.join("late.toml"), player("G")).expect("a file");
        let said = fs::File::create(home.join("said")).expect("a file");
        let mut run = Command::new(runner);
        run.args(["run", "event.toml", "--out", "run", "--confirm-rounds"])
            .current_dir(&home)
            .stdin(Stdio::null());
        run.stdout(said.try_clone().expect("a file")).stderr(said);
        let mut run = Runner(run.spawn().expect("the program starts"));
        let is_told = |words: &str| fs::read_to_string(home.join("said")).is_ok_and(|said| said.contains(words));
        wait_until("round 1 waits", || is_told("waits to be confirmed"));
        for act in ACTS {
            if act.starts_with("arbiter end") {
                wait_until("round 2 waits", || is_told("Round 2 would be"));
            }
            let is_act = act.starts_with("arbiter") && !act.contains("log") && !act.contains("pairing");
            let signed = if is_act { " --by Ann --reason why" } else { "" };
            part.call(arbiter, &home, &(act.replace("{}", "run") + signed));
        }
        let mut ended = None;
        wait_until("the run ends", || {
            ended = run.0.try_wait().expect("a process of ours");
            ended.is_some()
        });
        fs::write(home.join("ended"), format!("{ended:?}")).expect("a file");
    }
}

/// A run that is played; none is left behind.
struct Runner(Child);

impl Drop for Runner {
    fn drop(&mut self) {
        // It has ended, but where something went wrong.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// # Panics
///
/// When it does not come within a minute.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("{what}: not within a minute");
}

/// Folders of runs on a tape.
pub(crate) fn runs_in(tape: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if tape.join("run.sqlite").is_file() {
        found.push(tape.to_owned());
    }
    let below = fs::read_dir(tape)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path());
    let mut below: Vec<PathBuf> = below.filter(|path| path.is_dir()).collect();
    below.sort();
    found.extend(below.iter().flat_map(|path| runs_in(path)));
    found
}

/// What a program says of a run of another.
pub(crate) fn read(program: &Path, run: &Path) -> Documents {
    let home = tempfile::tempdir().expect("a folder");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let part = Part {
        root,
        program,
        other: program,
        tape: home.path(),
    };
    copy(run, &part.folder("run"));
    for line in ["verify {}", "standings {} --json"] {
        part.call(program, &home.path().join("files/0"), &line.replace("{}", "run"));
    }
    let _ = fs::remove_dir_all(home.path().join("files"));
    Documents::of_tape(home.path())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).expect("a copy");
        }
    }
}
