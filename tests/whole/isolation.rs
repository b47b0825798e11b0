//! What isolated agents can do: play, read what is theirs, write where they may; and nothing that was asked for is left out in
//! silence. What they cannot do is in `hostile`.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, send, until};
use crate::resume::shell;
use crate::storage::can_trace;
use crate::support::{Guest, Place, complaints, engine, finish, say_what_is_missing, swissmatch, without_bubblewrap};

#[track_caller]
pub(crate) fn expect(output: &Output, code: i32, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    assert!(said.contains(words), "{said}");
}

pub(crate) fn agents_of(place: &Place) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/agents");
    for directory in ["agents", "nets", "classes"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    for (from, to) in [
        ("knights.py", "agents/knights.py"),
        ("knights.js", "agents/knights.js"),
        ("Knights.class", "classes/Knights.class"),
    ] {
        std::fs::copy(programs.join(from), place.path(to)).expect("a copy");
    }
    let script = place.path("agents/knights.py");
    std::fs::set_permissions(&script, Permissions::from_mode(0o755)).expect("a program");
    place.write("nets/a.bin", "a net");
    let venv = Command::new("/usr/bin/python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(place.path("venv"))
        .status();
    assert!(venv.expect("python3 is there").success());
}

/// Engines as they are installed, and small ones under common interpreters.
pub(crate) const STOCK: &str = r#"
event.name = "stock"
swiss.rounds = 2
mini_match.games = 2
mini_match.openings = "none"
game.depth = 1
game.max_moves = 2
engine.isolation = "guarded"
[[player]]
name = "Stockfish"
command = "stockfish"
[[player]]
name = "GNU Chess"
command = "gnuchess"
args = ["--uci"]
[[player]]
name = "Python"
command = "/usr/bin/python3"
args = ["agents/knights.py"]
[[player]]
name = "Venv"
command = "venv/bin/python3"
args = ["agents/knights.py"]
[[player]]
name = "Net"
command = "agents/knights.py"
args = ["nets/a.bin"]
[[player]]
name = "Node"
command = "node"
args = ["agents/knights.js"]
[[player]]
name = "Java"
command = "java"
args = ["-cp", "nets:classes", "Knights"]
[[player]]
name = "Bundled"
command = "greedy"
"#;

#[test]
fn stock_engines_play_without_a_word() {
    let place = Place::new();
    agents_of(&place);
    place.write("event.toml", STOCK);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let record = place.export_json("run", "games-json");
    assert!(record["games"].as_array().is_some_and(|games| games.len() == 16));
    let manifest = place.read("run/manifest.json");
    assert!(manifest.contains("\"isolation\""), "{manifest}");
    if rustix::process::geteuid().is_root() {
        let hidden = without_bubblewrap(place.command(&["run", "event.toml", "--out", "hidden"]));
        expect(&hidden, 0, "Isolation     guarded");
    } else {
        say_what_is_missing("bubblewrap can only be hidden by root");
    }
}

#[test]
fn stock_engines_play_for_an_ordinary_user() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    agents_of(&guest.place);
    guest.place.write("event.toml", STOCK);
    guest
        .swissmatch(&[], &["run", "event.toml", "--out", "run"])
        .expect_code(0);
    let mut hidden = guest.command(&[], &guest.place.path("swissmatch"));
    hidden.args(["run", "event.toml", "--out", "hidden"]);
    expect(&without_bubblewrap(hidden), 0, "this machine lacks: pids");
}

/// What is required and not to be had is said before anything starts, with what would give it.
#[test]
fn a_requirement_fails_closed() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    let place = &guest.place;
    let text = |keys: &str| {
        format!(
            "event.name = \"strict\"\nswiss.rounds = 1\nmini_match.games = 2\ngame.max_moves = 2\n{keys}\n\
             [[player]]\nname = \"A\"\ncommand = \"greedy\"\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
        )
    };
    place.write(
        "event.toml",
        &text("engine.isolation = \"off\"\nengine.isolation_require = [\"pids\"]"),
    );
    let refused = guest.swissmatch(&[], &["run", "event.toml", "--out", "run"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("engine.isolation_require: A is not isolated"),
        "{}",
        refused.stderr()
    );
    for (keys, at) in [
        (
            "engine.isolation = \"guarded\"\nengine.isolation_require = [\"pids\"]",
            "6:8: engine.isolation_require",
        ),
        ("engine.isolation = \"sealed\"", "5:8: engine.isolation"),
    ] {
        place.write("event.toml", &text(keys));
        let mut hidden = guest.command(&[], &place.path("swissmatch"));
        hidden.args(["run", "event.toml", "--out", "run"]);
        let words = "\"pids\" (more processes and threads than it may have) needs control groups that bound processes, an ordinary user";
        let refused = without_bubblewrap(hidden);
        expect(&refused, 5, words);
        expect(
            &refused,
            5,
            &format!("event.toml:{at}: this machine cannot isolate agents"),
        );
        assert!(!place.path("run").exists());
    }
    place.write(
        "event.toml",
        &text("engine.isolation = \"sealed\"\nengine.isolation_require = \"all\""),
    );
    guest
        .swissmatch(&[], &["run", "event.toml", "--out", "run"])
        .expect_code(0);
}

/// Without Landlock an agent cannot be kept to its own program, and nothing starts; strace makes such a kernel.
#[test]
fn without_landlock_a_sealed_agent_is_refused() {
    if !can_trace() {
        return;
    }
    let place = Place::new();
    let agents = ["A", "B"].map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"random-mover\"\n"));
    place.write("event.toml", &format!("preset = \"none\"\n{}", agents.concat()));
    let script = "exec strace -f --seccomp-bpf -o /dev/null -e inject=landlock_create_ruleset:error=ENOSYS \
                  \"$SWISSMATCH\" run event.toml --isolation sealed --out run";
    let refused = shell(&place, script);
    refused.expect_code(5);
    let said = refused.stderr();
    assert!(said.contains("A may run its own program alone"), "{said}");
    assert!(said.contains("needs a kernel with Landlock"), "{said}");
    assert!(!place.path("run").exists());
}

/// `--isolation` goes over the word of the event, and over that of a player only where it is stricter.
#[test]
fn the_flag_isolates_no_less_than_a_player_asks_for() {
    let place = Place::new();
    let player =
        |name: &str, own: &str| format!("[[player]]\nname = \"{name}\"\ncommand = \"greedy\"\nisolation = \"{own}\"\n");
    let event = "event.name = \"flag\"\nswiss.rounds = 1\nswiss.seeding = \"listed\"\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
                 game.depth = 1\ngame.max_moves = 2\n";
    place.write(
        "event.toml",
        &[event, &player("A", "guarded"), &player("B", "off")].concat(),
    );
    for (word, header, of_both) in [
        ("off", "Isolation     guarded (A), off (B)\n", ["guarded", "off"]),
        ("guarded", "Isolation     guarded\n", ["guarded", "guarded"]),
    ] {
        let ran = place.swissmatch(&["run", "event.toml", "--out", word, "--isolation", word]);
        ran.expect_code(0);
        assert!(ran.stderr().contains(header), "{}", ran.stderr());
        let records = place.swissmatch(&["export", "records", word]);
        let records = records.stdout();
        assert_eq!(records.lines().count(), 2, "{records}");
        for record in records.lines() {
            let record: serde_json::Value = serde_json::from_str(record).expect("a record");
            for (side, of_side) in [("white", 0), ("black", 1)] {
                let number = record[side].as_u64().expect("a pairing number");
                let expected = of_both[if number == 1 { 0 } else { 1 }];
                assert_eq!(record["isolation"][of_side]["isolation"], expected, "{record:#}");
            }
        }
    }
    let other = place.swissmatch(&["run", "event.toml", "--out", "off", "--isolation", "guarded"]);
    other.expect_code(4);
    let said = other.stderr();
    assert!(said.contains("engine.isolation: was \"off\", is \"guarded\""), "{said}");
}

/// A shell script in the event's directory, which says what it finds on its standard error and then is the fault agent.
pub(crate) fn script(place: &Place, name: &str, says: &str) -> PathBuf {
    let path = place.write(name, &format!("#!/bin/sh\n{{ {says}; }} >&2 2>&1\nexec \"$1\"\n"));
    std::fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("a program");
    path
}

#[test]
fn an_agent_reads_and_writes_what_is_its_own() {
    let place = Place::new();
    for directory in ["own", "own/learnt", "other"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    place.write("secret.txt", "of the organizer");
    place.write("other/secret.txt", "of another agent");
    place.write("own/book.txt", "openings");
    place.write("own/beside.txt", "beside");
    place.write("own/kept.txt", "");
    let event = place.path("");
    let event = event.display();
    let says = format!(
        "cat {event}/secret.txt {event}/other/secret.txt {event}/event.toml; cat {event}/own/beside.txt; echo; \
         cat \"$2\"; echo; echo \"$2 $3 $BOOK\"; echo x >> learnt/x; echo y > new || echo not written; \
         cat kept.txt; echo seen >> kept.txt; ls $TMPDIR/gone.txt; echo gone > $TMPDIR/gone.txt; pwd; echo \"[$HOME] [$TMPDIR] [$SECRET] [$GREETING]\""
    );
    script(&place, "own/agent.sh", &says);
    let agent = engine("fault-agent");
    place.write(
        "event.toml",
        &format!(
            "event.name = \"own\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
             engine.restart = \"game\"\nengine.isolation = \"guarded\"\nrun.evidence = \"all\"\nrun.concurrency = 1\n\
             [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\ndir = \"own\"\nargs = [\"{agent}\", \"book.txt\", \"nothing\"]\n\
             env = {{ BOOK = \"book.txt\", GREETING = \"hi\" }}\nwrite = [\"learnt\", \"kept.txt\"]\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
        ),
    );
    let mut run = place.command(&["run", "event.toml", "--out", "run"]);
    let ran = finish(run.env("SECRET", "s3cr3t").spawn().expect("swissmatch starts"));
    expect(&ran, 0, "Isolation     guarded");
    let said = place.evidence("run", "1.1.2").expect("evidence");
    for closed in ["of the organizer", "of another agent", "event.name", "s3cr3t"] {
        assert!(!said.contains(closed), "{closed}: {said}");
    }
    let said = complaints(&said);
    let home = std::fs::canonicalize(place.path("")).expect("it is there");
    for open in [
        "\nbeside\n",
        "\nopenings\n",
        // As they were written.
        "\nbook.txt nothing book.txt\n",
        &format!("\n{}\n", home.join("own").display()),
        "\nnot written\n",
        // Of the start before the event, and of the first game.
        "\nseen\nseen\n",
        "] [] [hi]\n",
    ] {
        assert!(said.contains(open), "{open}: {said}");
    }
    assert!(!said.contains("/gone.txt\n"), "{said}");
    assert_eq!(place.read("own/learnt/x"), "x\nx\nx\n");
    let left: Vec<_> = std::fs::read_dir(place.path(""))
        .expect("it is there")
        .flatten()
        .collect();
    assert!(
        left.iter()
            .all(|entry| !entry.file_name().to_string_lossy().contains("scratch")),
        "{left:?}"
    );
    assert!(Path::new(swissmatch()).exists());
}

/// Locks that only seem to be there are no hindrance for who keeps a database or locks files of its own.
#[test]
fn a_sealed_agent_may_keep_a_database() {
    let place = Place::new();
    std::fs::create_dir(place.path("own")).expect("a directory");
    let says = "cd $TMPDIR; sqlite3 a.db 'pragma journal_mode=wal; create table t(x); insert into t values (7); select x from t'; \
                sqlite3 b.db 'create table t(x); begin immediate; insert into t values (8); commit; select x from t'; \
                flock a.db echo locked; perl -e 'open my $f, \"<\", \"a.db\"; print flock($f, 6) ? \"yes\\n\" : \"no\\n\"'";
    script(&place, "own/agent.sh", says);
    let agent = engine("fault-agent");
    place.write(
        "event.toml",
        &format!(
            "swiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
             engine.isolation = \"sealed\"\nrun.evidence = \"all\"\nrun.concurrency = 1\n\
             [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\ndir = \"own\"\nargs = [\"{agent}\"]\n\
             exec = [\"sqlite3\", \"flock\", \"perl\"]\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
        ),
    );
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    if ran.output.status.code() == Some(5) && ran.stderr().contains("cannot isolate agents as they have to be") {
        return say_what_is_missing(&ran.stderr());
    }
    ran.expect_code(0);
    let said = complaints(&place.evidence("run", "1.1.1").expect("evidence"));
    assert!(said.contains("wal\n7\n8\nlocked\nyes\n"), "{said}");
}

/// A script that starts an engine beside itself plays by hand; isolated, it needs a key that names the engine.
#[test]
fn who_lacks_a_file_is_told_the_keys_that_name_it() {
    let place = Place::new();
    std::fs::create_dir(place.path("agents")).expect("a directory");
    std::fs::copy(engine("greedy"), place.path("agents/engine")).expect("a copy");
    let start = place.write("agents/start.sh", "#!/bin/sh\ncd \"${0%/*}\"\nexec ./engine\n");
    std::fs::set_permissions(start, Permissions::from_mode(0o755)).expect("a program");
    let write = |keys: &str| {
        let text = format!(
            "event.name = \"lacks\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 2\n\
             [[player]]\nname = \"A\"\ncommand = \"agents/start.sh\"\n{keys}\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n"
        );
        place.write("event.toml", &text);
    };
    let named = "agents/./engine, which it was not given: dir = ";
    let remedy = "; as it is \"guarded\", every file that it needs has to be named in player.args, options or env, or to lie in \
                  player.dir (docs/isolation.md)";
    write("");
    let run = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    run.expect_code(3);
    assert!(
        run.stderr().contains("player.dir: A asks for ") && run.stderr().contains(named),
        "{}",
        run.stderr()
    );
    let check = place.swissmatch(&["check", "--event", "event.toml", "--player", "A"]);
    check.expect_code(1);
    assert!(
        check.stdout().contains("player.dir: A asks for ") && check.stdout().contains(named),
        "{}",
        check.stdout()
    );
    let dead = place.write("agents/dead.sh", "#!/bin/sh\nexit 1\n");
    std::fs::set_permissions(dead, Permissions::from_mode(0o755)).expect("a program");
    let init = place.swissmatch(&["init", "agents/dead.sh", "--output", "new.toml"]);
    init.expect_code(3);
    assert!(init.stderr().contains(remedy), "{}", init.stderr());
    // What would be missing is given where that is enough.
    let init = place.swissmatch(&["init", "agents/start.sh"]);
    let text = init.expect_code(0).stdout();
    assert!(
        text.contains("command = \"agents/start.sh\"\ndir = \"agents\"\n"),
        "{text}"
    );
    for (number, keys) in ["args = [\"agents/engine\"]", "dir = \"agents\"", "isolation = \"off\""]
        .iter()
        .enumerate()
    {
        write(keys);
        let out = format!("run{number}");
        place.swissmatch(&["run", "event.toml", "--out", &out]).expect_code(0);
    }
}

/// A late entry reads what its words name, and nothing else of the directory that its file is in.
#[test]
fn the_directory_of_a_late_entry_is_nobodys_own() {
    let place = Place::new();
    for directory in ["entries", "agents"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    place.write("entries/other.txt", "of another entrant");
    place.write("entries/book.txt", "openings");
    let entries = place.path("entries");
    let says = format!("cat {}/other.txt || echo closed; cat \"$2\"; echo", entries.display());
    script(&place, "entries/late.sh", &says);
    let agent = engine("fault-agent");
    let event = "event.name = \"late\"\nswiss.rounds = 3\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
                 game.max_moves = 3\nrun.evidence = \"all\"\n";
    let others = ["A", "B", "C"].map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"greedy\"\n"));
    place.write("event.toml", &(event.to_owned() + &others.concat()));
    place.write(
        "entries/late.toml",
        &format!("[[player]]\nname = \"Late\"\ncommand = \"./late.sh\"\nargs = [\"{agent}\", \"book.txt\"]\n"),
    );
    let mut run = Background::start(&place, &["run", "event.toml", "--out", "run", "--confirm-rounds"]);
    let patience = Duration::from_secs(60);
    let act = |words: &[&str]| {
        let signed = ["--by", "Ann", "--reason", "why"];
        place.swissmatch(&[&["arbiter"], words, &["run"], &signed].concat())
    };
    until("the first pairing", patience, || {
        let pairing = place.swissmatch(&["arbiter", "pairing", "run"]);
        (pairing.output.status.code() == Some(0)).then_some(())
    });
    let entry = place.read("entries/late.toml");
    let greedy = engine("greedy");
    let place_of_greedy = greedy.rsplit_once('/').expect("a directory").0;
    for (write, whose) in [(".", "its own program"), (place_of_greedy, "a file that A is made of")] {
        place.write("entries/late.toml", &format!("{entry}write = [\"{write}\"]\n"));
        let refused = act(&["enter", "entries/late.toml", "--overrule"]);
        let said = refused.expect_code(4).stderr();
        assert!(
            said.contains("player.write") && said.contains(&format!("would let it write {whose}, ")),
            "{said}"
        );
    }
    place.write("entries/late.toml", &entry);
    act(&["enter", "entries/late.toml", "--overrule"]).expect_code(0);
    for _ in 0..3 {
        until("a pairing to confirm", patience, || {
            (act(&["confirm"]).output.status.code() == Some(0)).then_some(())
        });
    }
    assert_eq!(run.end(patience).code(), Some(0));
    let said = place.swissmatch(&["export", "evidence", "run"]).expect_code(0).stdout();
    let found = complaints(&said);
    assert!(found.contains("\nclosed\n") && found.contains("\nopenings\n"), "{said}");
    assert!(!said.contains("of another entrant"), "{said}");
}

/// The directory of a late entry is known by its files, in the runner that it joins and in the next: what is swapped is named, and
/// what came later is left out.
#[test]
fn the_directory_of_a_late_entry_is_known_by_its_files() {
    for is_running in [true, false] {
        let place = Place::new();
        std::fs::create_dir(place.path("late")).expect("a directory");
        script(&place, "late/late.sh", "cat helper.txt new.txt 2>&1; echo");
        place.write("late/helper.txt", "of its own");
        let event = "event.name = \"late\"\nswiss.rounds = 2\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
                     game.max_moves = 3\nrun.evidence = \"all\"\n";
        let others = ["A", "B", "C"].map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"greedy\"\n"));
        place.write("event.toml", &(event.to_owned() + &others.concat()));
        place.write(
            "late.toml",
            &format!(
                "[[player]]\nname = \"Late\"\ncommand = \"late/late.sh\"\nargs = [\"{}\"]\ndir = \"late\"\n",
                engine("fault-agent")
            ),
        );
        let act = |words: &[&str]| {
            let signed = ["--by", "Ann", "--reason", "why"];
            place.swissmatch(&[&["arbiter"], words, &["run"], &signed].concat())
        };
        let patience = Duration::from_secs(60);
        let mut run = Background::start(&place, &["run", "event.toml", "--out", "run", "--confirm-rounds"]);
        until("the first pairing", patience, || {
            let pairing = place.swissmatch(&["arbiter", "pairing", "run"]);
            (pairing.output.status.code() == Some(0)).then_some(())
        });
        let enter = || {
            act(&["enter", "late.toml", "--overrule"]).expect_code(0);
        };
        if is_running {
            enter();
        }
        send(run.guard(), Signal::TERM);
        run.end(patience);
        if !is_running {
            enter();
        }
        let go_on = || place.swissmatch(&["run", "event.toml", "--out", "run"]);
        place.write("late/helper.txt", "of another");
        let said = go_on().expect_code(4).stderr();
        assert!(said.contains("late/helper.txt has changed"), "{said}");
        place.write("late/helper.txt", "of its own");
        place.write("late/new.txt", "that came later");
        go_on().expect_code(0);
        let said = place.swissmatch(&["export", "evidence", "run"]).expect_code(0).stdout();
        let found = complaints(&said);
        assert!(
            found.contains("of its own") && !found.contains("that came later"),
            "{said}"
        );
    }
}

const OVER: &str = "of memory, over its limit of 100.0 MiB (engine.max_memory), and was ended";

/// An agent that takes more memory than it may is ended, and the machine goes on.
#[test]
fn a_greedy_agent_is_ended() {
    let place = Place::new();
    place.write(
        "event.toml",
            "event.name = \"greed\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\nengine.isolation = \"guarded\"\n\
             engine.max_memory = 100\nrun.max_faults = \"none\"\n\
             [[player]]\nname = \"A\"\ncommand = \"hostile-agent\"\nargs = [\"--try\", \"swell=4000\", \"--at\", \"1\"]\n\
             [[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
    );
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    assert!(ran.stderr().contains(OVER), "{}", ran.stderr());
    let games = place.export_json("run", "games-json");
    assert_eq!(games["games"][0]["termination"], "resource-limit", "{games:#}");
}

/// With bubblewrap, and where it can be hidden without it.
fn with_and_without_bubblewrap(place: &Place, words: &[&str], mut look: impl FnMut(&Output, &str)) {
    let all = |run| [words, &["run", "event.toml", "--out", run]].concat();
    look(&place.swissmatch(&all("run")).output, "run");
    if rustix::process::geteuid().is_root() {
        look(&without_bubblewrap(place.command(&all("hidden"))), "hidden");
    } else {
        say_what_is_missing("bubblewrap can only be hidden by root");
    }
}

/// Neither is memory out of sight when the first thread of a process has ended, nor while signals come fast to who looks.
#[test]
fn a_greedy_agent_that_hides_is_ended() {
    let exit = if cfg!(target_arch = "x86_64") { 60 } else { 93 };
    let first_thread_ends =
        format!("threads->create(sub {{ sleep 1; my $x = \"x\" x (300 << 20); sleep 20 }}); syscall({exit}, 0)");
    let signals = "if (!fork) { for (1 .. 400) { if (!fork) { if (!fork) { select undef, undef, undef, .002 } exit } wait; \
                   select undef, undef, undef, .02 } exit } sleep 1; my $x = \"x\" x (300 << 20); sleep 20";
    for hides in [&first_thread_ends, signals] {
        let place = Place::new();
        let agent = script(&place, "agent.sh", &format!("perl -Mthreads -e '{hides}' & true"));
        place.write(
            "event.toml",
            &format!(
                "event.name = \"greed\"\nswiss.rounds = 1\nmini_match.games = 1\nmini_match.openings = \"none\"\ngame.max_moves = 20\n\
                 engine.isolation = \"guarded\"\nengine.max_memory = 100\nrun.max_faults = \"none\"\n\
                 [[player]]\nname = \"A\"\ncommand = {agent:?}\nargs = [\"{fault}\"]\n\
                 [[player]]\nname = \"B\"\ncommand = \"fault-agent\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"200\"]\n",
                fault = engine("fault-agent"),
            ),
        );
        with_and_without_bubblewrap(&place, &[], |ran, run| {
            expect(ran, 0, OVER);
            let games = place.export_json(run, "games-json");
            assert_eq!(games["games"][0]["termination"], "resource-limit", "{games:#}");
        });
    }
}

/// A link that an agent makes where it may write, in the place of a file that its words name.
#[test]
fn what_an_agent_writes_leads_to_no_file_of_others() {
    let place = Place::new();
    for directory in ["own", "own/learnt"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
    }
    place.write("secret.txt", "of the organizer");
    let event = place.path("");
    let says = format!(
        "ln -sf {0}/secret.txt {0}/own/learnt/log; ls {0}/own/learnt; cat {0}/own/learnt/log {0}/secret.txt",
        event.display()
    );
    script(&place, "own/agent.sh", &says);
    place.write(
        "event.toml",
        &format!(
            "event.name = \"link\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
             engine.restart = \"game\"\nengine.isolation = \"guarded\"\nrun.evidence = \"all\"\n\
             [[player]]\nname = \"A\"\ncommand = \"own/agent.sh\"\ndir = \"own\"\nargs = [\"{agent}\"]\n\
             env = {{ LOG = \"learnt/log\" }}\nwrite = [\"learnt\", \"learnt/log\"]\n[[player]]\nname = \"B\"\ncommand = \"greedy\"\n",
            agent = engine("fault-agent"),
        ),
    );
    with_and_without_bubblewrap(&place, &[], |ran, run| {
        expect(ran, 0, "Isolation     guarded");
        let said = place.evidence(run, "1.1.2").expect("evidence");
        assert!(complaints(&said).contains("\nlog\n"), "{said}");
        assert!(!said.contains("of the organizer"), "{said}");
    });
}
