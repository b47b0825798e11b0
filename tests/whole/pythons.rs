//! Python as people have it: the interpreter that the shell would take runs an isolated agent too, with what is installed for it; and
//! `init` enters such agents as they play.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::isolation::expect;
use crate::support::{Guest, Place, engine, finish, say_what_is_missing, swissmatch, without_bubblewrap};

/// A UCI agent that plays only where `mark`, which is installed for an interpreter, says what its first argument does.
const AGENT: &str = r#"
import importlib, sys
MARK = "none"
for module in ("user_mark", "mark"):
    try:
        MARK = importlib.import_module(module).MARK
    except ImportError:
        pass
assert MARK == sys.argv[1], f"{MARK} by {sys.executable}"
import helper
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        print(f"id name {helper.NAME} {MARK}\nuciok", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["go"]:
        print("bestmove 0000", flush=True)
    elif words[:1] == ["quit"]:
        break
"#;

/// The interpreters of a home, made from the system's.
struct Home {
    path: PathBuf,
    /// `python3.11`, as the system has it.
    name: String,
}

fn directory(path: PathBuf) -> PathBuf {
    fs::create_dir_all(&path).expect("a directory");
    path
}

fn program(path: &Path, text: &str) {
    fs::write(path, text).expect("a file");
    fs::set_permissions(path, Permissions::from_mode(0o755)).expect("a program");
}

impl Home {
    fn new(place: &Place) -> Self {
        let system = fs::canonicalize("/usr/bin/python3").expect("python3 is installed: make test-tools");
        let name = system.file_name().expect("a name").to_string_lossy().into_owned();
        let path = directory(fs::canonicalize(place.path("")).expect("it is there").join("home"));
        Self { path, name }
    }

    /// A prefix with a copy of the interpreter, whose modules are the system's, and its mark.
    fn install(&self, prefix: &str, mark: &str) -> PathBuf {
        let prefix = self.path.join(prefix);
        let [bin, lib] = ["bin", "lib"].map(|name| directory(prefix.join(name)));
        fs::copy(Path::new("/usr/bin").join(&self.name), bin.join(&self.name)).expect("a copy");
        for name in ["python", "python3"] {
            symlink(&self.name, bin.join(name)).expect("a link");
        }
        let modules = directory(lib.join(&self.name));
        for entry in fs::read_dir(Path::new("/usr/lib").join(&self.name))
            .expect("modules")
            .flatten()
        {
            symlink(entry.path(), modules.join(entry.file_name())).expect("a link");
        }
        // Debian has another place for them.
        for place in [lib.join("python3/dist-packages"), modules.join("site-packages")] {
            if !place.is_symlink() {
                fs::write(directory(place).join("mark.py"), format!("MARK = {mark:?}\n")).expect("a file");
            }
        }
        prefix
    }

    /// pyenv, uv, conda, and what `pip install --user` made for the system's Python.
    fn fill(&self) {
        let root = self.path.join(".pyenv");
        self.install(".pyenv/versions/3.98.1", "pyenv");
        self.install(".pyenv/versions/3.99.2", "other");
        fs::write(root.join("version"), "3.98\n").expect("a file");
        let shims = directory(root.join("shims"));
        let shim = format!(
            "#!/usr/bin/env bash\ntouch \"{0}/ran\" \"{0}/../ran\"\nexec \"{1}/libexec/pyenv\" exec \"${{0##*/}}\" \"$@\"\n",
            self.path.display(),
            root.display()
        );
        program(&shims.join("python3"), &shim);
        let uv = self.install(".local/share/uv/python/cpython-3.97.3", "uv");
        symlink("cpython-3.97.3", uv.with_file_name("cpython-3.97")).expect("a link");
        let minor = uv.with_file_name("cpython-3.97").join("bin").join(&self.name);
        symlink(minor, directory(self.path.join(".local/bin")).join("python3.97")).expect("a link");
        for (prefix, mark) in [("miniconda3", "conda"), ("miniconda3/envs/chess", "chess")] {
            directory(self.install(prefix, mark).join("conda-meta"));
        }
        let site = directory(self.path.join(".local/lib").join(&self.name).join("site-packages"));
        fs::write(site.join("user_mark.py"), "MARK = \"user\"\n").expect("a file");
    }

    /// Runs `swissmatch` where this is the home, and what is in it is found before the system's.
    fn set(&self, command: &mut Command) {
        let places = [".pyenv/shims", ".local/bin", "miniconda3/bin"].map(|place| self.path.join(place));
        let places = places.into_iter().chain(["/usr/bin".into(), "/bin".into()]);
        command
            .env("HOME", &self.path)
            .env("PATH", std::env::join_paths(places).expect("a path"));
        // As if whoever runs the tests had set neither.
        command.env("PYENV_VERSION", "").env("PYTHONUSERBASE", "");
    }
}

/// An agent with a module beside it, whose first line is this; its player's keys.
fn agent(place: &Place, name: &str, line: &str, keys: &str) -> String {
    let at = directory(place.path("agents").join(name));
    program(&at.join("agent.py"), &format!("#!{line}\n{AGENT}"));
    fs::write(at.join("helper.py"), format!("NAME = {name:?}\n")).expect("a file");
    format!("[[player]]\nname = \"{name}\"\ndir = \"agents/{name}\"\n{keys}\n")
}

/// Each way in which people have Python, in one event.
fn event(place: &Place, home: &Home) -> String {
    let by_line = |name: &str, line: &str, mark: &str| {
        agent(
            place,
            name,
            line,
            &format!("command = \"agents/{name}/agent.py\"\nargs = [{mark:?}]"),
        )
    };
    let mut players = vec![
        by_line("pyenv", "/usr/bin/env python3", "pyenv"),
        by_line("local", "/usr/bin/env python3", "other"),
        by_line("uv", "/usr/bin/env python3.97", "uv"),
        by_line("conda", "/usr/bin/env python", "conda"),
        by_line("user", "/usr/bin/python3", "user"),
        agent(
            place,
            "module",
            "",
            "command = \"python3\"\nargs = [\"-m\", \"agent\", \"pyenv\"]",
        ),
        agent(place, "shell", "", "command = \"agents/shell/run.sh\""),
    ];
    fs::write(place.path("agents/local/.python-version"), "3.99.2\n").expect("a file");
    program(
        &place.path("agents/shell/run.sh"),
        "#!/bin/sh\nexec python3 agent.py pyenv\n",
    );
    let conda = home.path.join("miniconda3/envs/chess/bin/python");
    let keys = format!("command = {conda:?}\nargs = [\"agent.py\", \"chess\"]");
    players.push(agent(place, "chess", "", &keys));
    // Of an environment only its own packages count: there are none.
    for (name, base) in [
        ("inside", home.path.join(".local/bin/python3.97")),
        ("outside", home.path.join(".pyenv/versions/3.98.1/bin/python3")),
    ] {
        let environment = if name == "inside" {
            "agents/inside/.venv"
        } else {
            "venv"
        };
        let keys = format!("command = \"{environment}/bin/python\"\nargs = [\"agent.py\", \"none\"]");
        players.push(agent(place, name, "", &keys));
        let bin = directory(place.path(environment).join("bin"));
        symlink(&base, bin.join("python")).expect("a link");
        let from = fs::read_link(&base)
            .ok()
            .filter(|path| path.is_absolute())
            .unwrap_or(base);
        let from = from.parent().expect("a directory");
        let text = format!("home = {}\ninclude-system-site-packages = false\n", from.display());
        fs::write(place.path(environment).join("pyvenv.cfg"), text).expect("a file");
        directory(
            place
                .path(environment)
                .join("lib")
                .join(&home.name)
                .join("site-packages"),
        );
    }
    format!(
        "event.name = \"pythons\"\nswiss.rounds = 1\nmini_match.games = 1\nmini_match.openings = \"none\"\ngame.depth = 1\n\
         game.attempts = 1\nengine.isolation = \"guarded\"\nrun.max_faults = \"none\"\n{}",
        players.concat()
    )
}

/// That all agents started, and nothing is amiss with what they are run by.
fn look(place: &Place, run: &str, ran: &Output) {
    expect(ran, 0, "Isolation     guarded");
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(!said.contains("leads out") && !said.contains("for the shell"), "{said}");
    let entries = place.export_json(run, "games-json");
    let games = entries["games"].as_array().expect("games");
    assert_eq!(games.len(), 5, "{games:#?}");
    for ran in ["home/ran", "ran"] {
        assert!(!place.path(ran).exists(), "a shim ran outside");
    }
}

#[test]
fn agents_are_run_by_the_python_of_the_shell() {
    let place = Place::new();
    let home = Home::new(&place);
    home.fill();
    place.write("event.toml", &event(&place, &home));
    let command = |run: &str| {
        let mut command = place.command(&["run", "event.toml", "--out", run]);
        home.set(&mut command);
        command
    };
    let ran = finish(command("run").spawn().expect("swissmatch starts"));
    look(&place, "run", &ran);
    if rustix::process::geteuid().is_root() {
        look(&place, "hidden", &without_bubblewrap(command("hidden")));
    } else {
        say_what_is_missing("bubblewrap can only be hidden by root");
    }
}

#[test]
fn agents_of_an_ordinary_user_are_run_by_its_python() {
    let Some(guest) = Guest::new(&[]) else { return };
    let home = Home::new(&guest.place);
    home.fill();
    guest.place.write("event.toml", &event(&guest.place, &home));
    guest.give(&["."]);
    let command = |run: &str| {
        let mut command = guest.command(&[], &guest.place.path("swissmatch"));
        command.args(["run", "event.toml", "--out", run]);
        home.set(&mut command);
        command
    };
    let ran = finish(command("run").spawn().expect("setpriv starts"));
    look(&guest.place, "run", &ran);
    look(&guest.place, "hidden", &without_bubblewrap(command("hidden")));
}

/// What the shell has may look for another program in its turn, which nobody here does in its place.
#[test]
fn another_interpreter_than_the_shells_is_told() {
    let place = Place::new();
    let home = Home::new(&place);
    let shims = directory(home.path.join(".asdf/shims"));
    program(
        &shims.join("python3"),
        "#!/usr/bin/env bash\nexec asdf exec python3 \"$@\"\n",
    );
    let keys = "command = \"agents/A/agent.py\"\nargs = [\"none\"]";
    let player = agent(&place, "A", "/usr/bin/env python3", keys);
    let greedy = engine("greedy");
    let text = format!(
        "event.name = \"asdf\"\nswiss.rounds = 1\nmini_match.games = 1\nmini_match.openings = \"none\"\ngame.depth = 1\n\
         game.attempts = 1\nrun.max_faults = \"none\"\n{player}[[player]]\nname = \"B\"\ncommand = {greedy:?}\n"
    );
    place.write("event.toml", &text);
    let mut run = place.command(&["run", "event.toml", "--out", "run"]);
    run.env("HOME", &home.path)
        .env("PATH", format!("{}:/usr/bin:/bin", shims.display()));
    let words = format!(
        "A: `python3` is {} for the shell, which looks for another program in its turn; isolated, it is /usr/bin/python3: write",
        shims.join("python3").display()
    );
    expect(&finish(run.spawn().expect("swissmatch starts")), 0, &words);
}

/// Where an agent has to have a user of its own, who cannot come to the interpreter of the shell.
#[test]
fn who_cannot_be_run_by_the_python_of_the_shell_is_told_what_to_write() {
    if !rustix::process::geteuid().is_root() {
        say_what_is_missing("agents have users of their own only where root runs swissmatch");
        return;
    }
    let place = Place::new();
    let home = Home::new(&place);
    home.fill();
    let keys = "isolation = \"sealed\"\ncommand = \"agents/A/agent.py\"\nargs = [\"pyenv\"]";
    let player = agent(&place, "A", "/usr/bin/env python3", keys);
    place.write(
        "event.toml",
        &format!("swiss.rounds = 1\n{player}[[player]]\nname = \"B\"\ncommand = \"greedy\"\n"),
    );
    for directory in ["", "home", "home/.pyenv"] {
        fs::set_permissions(place.path(directory), Permissions::from_mode(0o700)).expect("it is ours");
    }
    let mut run = place.command(&["run", "event.toml", "--out", "run"]);
    home.set(&mut run);
    let python = home.path.join(".pyenv/versions/3.98.1/bin/python3");
    let words = format!(
        "the shell has it run by {}, and no user but the superuser can reach ",
        python.display()
    );
    let refused = without_bubblewrap(run);
    expect(&refused, 5, &words);
    expect(&refused, 5, "or have it run by /usr/bin/python3, which all can reach");
}

/// Libraries of numbers start a thread for each core, in every game that an agent plays at once.
#[test]
fn each_engine_of_an_agent_has_its_threads() {
    let place = Place::new();
    let starts = "import threading, time\nfor _ in range(35):\n    threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n";
    let waits = AGENT.replace("print(\"bestmove 0000\"", "time.sleep(0.5); print(\"bestmove 0000\"");
    let players = ["A", "B"].map(|name| {
        let keys = "command = \"/usr/bin/python3\"\nargs = [\"agent.py\", \"none\"]";
        let player = agent(
            &place,
            name,
            "",
            &format!("{keys}\nenv = {{ PYTHONNOUSERSITE = \"1\" }}"),
        );
        program(
            &place.path("agents").join(name).join("agent.py"),
            &format!("{starts}{waits}"),
        );
        player
    });
    let text = format!(
        "event.name = \"threads\"\nswiss.rounds = 1\nmini_match.games = 4\nmini_match.openings = \"none\"\ngame.depth = 1\n\
         game.attempts = 1\nengine.max_processes = 40\nrun.concurrency = 4\nrun.oversubscribe = true\n\
         run.max_faults = \"none\"\n{}",
        players.concat()
    );
    place.write("event.toml", &text);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("games");
    assert!(
        games.iter().all(|game| game["termination"] == "illegal-move"),
        "{games:#?}"
    );
}

#[test]
fn init_writes_the_name_and_the_directory_that_an_agent_needs() {
    let place = Place::new();
    let text = format!("#!/usr/bin/python3\n{AGENT}");
    program(&place.path("agent.py"), &text);
    place.write("helper.py", "NAME = \"Deep\"\n");
    let line = "agent.py none";
    for (engines, written) in [
        (
            [format!("./{line}"), "greedy".to_owned()],
            "name = \"Deep none\"\ncommand = \"./agent.py\"\ndir = \".\"\nargs = [\"none\"]\n",
        ),
        (
            [
                format!("/usr/bin/python3 {line}"),
                format!("python3 -m {}", line.replace(".py", "")),
            ],
            "name = \"Deep none 2\"\ncommand = \"python3\"\ndir = \".\"\nargs = [\"-m\", \"agent\", \"none\"]\n",
        ),
    ] {
        let file = format!("{}.toml", engines[0].len());
        let [one, other] = engines.each_ref().map(String::as_str);
        place
            .swissmatch(&["init", one, other, "--output", &file])
            .expect_code(0);
        let event = place.read(&file);
        assert!(event.contains(written), "{event}");
        let quick = [
            "--set",
            "mini_match.games=2",
            "--set",
            "game.depth=1",
            "--set",
            "run.max_faults=none",
        ];
        place.swissmatch(&[&["run", &file][..], &quick].concat()).expect_code(0);
    }
    // One that starts without a directory has none.
    let greedy = place.path("greedy");
    fs::copy(Path::new(swissmatch()).with_file_name("greedy"), &greedy).expect("a copy");
    let init = place.swissmatch(&["init", "./greedy"]);
    assert!(!init.expect_code(0).stdout().contains("\ndir = "), "{}", init.stdout());
}
