//! Players that are programs asked once a move.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt;
use std::process::{ChildStdin, ChildStdout, Stdio};

use crate::support::{Place, finish, say_what_is_missing};

/// That of docs/move-command.md.
pub(crate) fn first_legal(place: &Place) {
    let page = include_str!("../../docs/move-command.md");
    let script = page.split("```sh\n").nth(1).and_then(|rest| rest.split("```").next());
    program(place, "move.sh", script.expect("the page has a script"));
}

fn program(place: &Place, name: &str, text: &str) {
    let path = place.write(name, text);
    std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).expect("its mode");
}

/// Answers each question by the legal move that its argument counts.
const KEPT: &str = "#!/bin/sh\nwhile read -r question; do\nlegal=${question#*'\"legal\":[\"'}\necho \"{\\\"move\\\": \\\"${legal%%'\"'*}\\\"}\"\ndone\n";

fn event(isolation: &str) -> String {
    format!(
        "event.name = \"mixed\"\nswiss.rounds = 2\nmini_match.games = 2\ngame.max_moves = 6\nengine.isolation = \"{isolation}\"\n\
         [[player]]\nname = \"Shell\"\nmove_command = [\"./move.sh\"]\n\
         [[player]]\nname = \"Kept\"\nmove_command = [\"own/kept.sh\", \"net.bin\"]\ndir = \"own\"\nkeep_alive = true\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n[[player]]\nname = \"Random\"\ncommand = \"random-mover\"\n"
    )
}

fn players(place: &Place) {
    first_legal(place);
    std::fs::create_dir(place.path("own")).expect("a directory");
    place.write("own/net.bin", "weights");
    program(place, "own/kept.sh", KEPT);
}

#[test]
fn programs_play_beside_engines_however_they_are_isolated() {
    for isolation in ["guarded", "sealed", "off"] {
        let place = Place::new();
        players(&place);
        place.write("event.toml", &event(isolation));
        let ran = finish(
            place
                .command(&["run", "event.toml", "--out", "run"])
                .spawn()
                .expect("it starts"),
        );
        let said = String::from_utf8_lossy(&ran.stderr);
        if said.contains("cannot isolate agents as they have to be") {
            say_what_is_missing(&said);
            continue;
        }
        assert_eq!(ran.status.code(), Some(0), "{isolation}: {said}");
        place.swissmatch(&["verify", "run"]).expect_code(0);
        let games = place.read("run/games.csv");
        assert_eq!(games.lines().count(), 9, "{games}");
        for fault in ["illegal-move", "time-forfeit", "crash", "stall"] {
            assert!(!games.contains(fault), "{isolation}: {games}");
        }
        let manifest = place.read("run/manifest.json");
        for file in ["move.sh", "own/kept.sh", "own/net.bin"] {
            assert!(manifest.contains(file), "{file}: {manifest}");
        }
        // What it is made of may not change.
        let text = place.read("move.sh") + "# changed\n";
        place.write("move.sh", &text);
        let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
        refused.expect_code(4);
        assert!(refused.stderr().contains("move.sh has changed"), "{}", refused.stderr());
    }
}

#[test]
fn what_a_program_does_wrong_is_its_fault() {
    let place = Place::new();
    program(&place, "illegal.sh", "#!/bin/sh\necho e2e5\n");
    program(&place, "silent.sh", "#!/bin/sh\nexec sleep 60\n");
    program(&place, "ends.sh", "#!/bin/sh\nread -r question\nexit 7\n");
    let player =
        |name: &str, keys: &str| format!("[[player]]\nname = \"{name}\"\nmove_command = [\"./{name}.sh\"]\n{keys}\n");
    let text = format!(
        "event.name = \"wrong\"\nswiss.rounds = \"RR\"\nmini_match.games = 2\ngame.max_moves = 6\ngame.time_control = \"300ms/move\"\n\
         mini_match.openings = \"none\"\nrun.max_faults = \"none\"\n[[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n{}{}{}",
        player("illegal", ""),
        player("silent", ""),
        player("ends", "keep_alive = true")
    );
    place.write("event.toml", &text);
    place.swissmatch(&["run", "event.toml", "--out", "run"]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    let of = |name: &str| {
        let both = games
            .lines()
            .filter(|line| line.contains(name) && line.contains("Greedy"));
        both.map(str::to_owned).collect::<Vec<_>>()
    };
    for (name, termination) in [
        ("illegal", "illegal-move"),
        ("silent", "time-forfeit"),
        ("ends", "crash"),
    ] {
        let both = of(name);
        assert_eq!(both.len(), 2, "{games}");
        assert!(both.iter().all(|line| line.contains(termination)), "{name}: {games}");
    }
}

#[test]
fn a_program_may_resign() {
    let place = Place::new();
    program(&place, "gone.sh", "#!/bin/sh\necho ReSign\n");
    place.write(
        "event.toml",
        "event.name = \"resigned\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\n\
         [[player]]\nname = \"Gone\"\nmove_command = [\"./gone.sh\"]\n[[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n",
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    assert_eq!(games.matches(",resignation,").count(), 2, "{games}");
    let pgn = place.read("run/games.pgn");
    for text in [
        "Gone resigns",
        "White resigns",
        "Black resigns",
        "[Termination \"normal\"]",
    ] {
        assert_eq!(pgn.contains(text), text != "Gone resigns", "{text}: {pgn}");
    }
    let told = place.swissmatch(&["explain", "game", "1.1.1", "run"]);
    let told = told.expect_code(0).stdout();
    assert!(told.contains("may resign by `resign` in place of a move"), "{told}");
    assert!(
        place.read("run/standings.md").contains("Greedy"),
        "{}",
        place.read("run/standings.md")
    );
    let lines = place.swissmatch(&["export", "records", "run"]);
    assert!(
        lines
            .expect_code(0)
            .stdout()
            .contains("\"termination\":\"resignation\",\"lost_by\":")
    );
}

#[test]
fn the_key_is_told_where_a_program_is_not_there() {
    let place = Place::new();
    place.write("event.toml", &event("guarded"));
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(
        said.contains("event.toml:8:1: player.move_command: there is no file "),
        "{said}"
    );
}

#[test]
fn a_list_of_entrants_names_programs_of_their_own_alone() {
    let place = Place::new();
    std::fs::create_dir_all(place.path("in/A")).expect("a directory");
    std::fs::create_dir_all(place.path("in/B")).expect("a directory");
    program(&place, "in/A/move.sh", "#!/bin/sh\n");
    let list = |program: &str| format!("[[player]]\nname = \"A\"\nmove_command = [\"{program}\"]\nkeep_alive = true\n");
    let import = ["roster", "import", "list.toml", "--below", "in"];
    place.write("list.toml", &list("in/A/move.sh"));
    let told = place.swissmatch(&import);
    let taken = told.expect_code(0).stdout();
    assert!(
        taken.contains("move_command = [\"in/A/move.sh\"]\nkeep_alive = true\n"),
        "{taken}"
    );
    for (program, why) in [
        ("in/B/move.sh", "leads out of in/A"),
        ("python3", "is looked up, and not in in/A"),
    ] {
        place.write("list.toml", &list(program));
        let refused = place.swissmatch(&import);
        refused.expect_code(4);
        let wanted = format!("player.move_command: entry 1 (\"A\"): \"{program}\" {why}");
        assert!(refused.stderr().contains(&wanted), "{}", refused.stderr());
    }
    let refused = place.swissmatch(&["roster", "import", "list.toml"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("it is taken from a list only on trust"),
        "{}",
        refused.stderr()
    );
}

/// That of docs/move-command.md, as it stands there.
#[test]
fn a_web_service_of_twenty_lines_plays() {
    let page = include_str!("../../docs/move-command.md");
    let text = page
        .split("```python\n")
        .nth(1)
        .and_then(|rest| rest.split("```").next());
    let place = Place::new();
    place.write("server.py", text.expect("the page has a server"));
    let mut server = std::process::Command::new("python3")
        .args(["server.py", "0"])
        .current_dir(place.path("."))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("python3 starts");
    let mut line = String::new();
    let read = BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line);
    let port = line.trim().strip_prefix("port ").expect("its port");
    let text = format!(
        "event.name = \"web\"\nswiss.rounds = 1\nmini_match.games = 2\ngame.max_moves = 6\nrun.concurrency = 2\n\
         [[player]]\nname = \"Web\"\nmove_url = \"http://localhost:{port}/move\"\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n"
    );
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    let checked = place.swissmatch(&["check", "--event", "event.toml", "--player", "Web"]);
    let _ = server.kill().and_then(|()| server.wait());
    assert!(read.is_ok());
    ran.expect_code(0);
    let games = place.read("run/games.csv");
    assert_eq!(games.lines().count(), 3, "{games}");
    for fault in ["illegal-move", "time-forfeit", "crash", "stall"] {
        assert!(!games.contains(fault), "{games}");
    }
    let said = checked.expect_code(0).stdout();
    assert!(
        said.contains("a legal move in 2 of 2; all of the answer after "),
        "{said}"
    );
}

/// An adapter beside its standard input and output.
pub(crate) fn ask(input: &mut ChildStdin, output: &mut BufReader<ChildStdout>, lines: &str, until: &str) -> String {
    input.write_all(lines.as_bytes()).expect("it reads");
    loop {
        let mut line = String::new();
        assert!(
            output.read_line(&mut line).expect("it speaks") > 0,
            "it ended before {until}"
        );
        if line.starts_with(until) {
            return line;
        }
    }
}

#[test]
fn an_adapter_plays_under_another_runner() {
    let place = Place::new();
    program(&place, "kept.sh", KEPT);
    program(&place, "slow.sh", "#!/bin/sh\nsleep 60 &\nwait\necho e2e4\n");
    let start = |words: &[&str]| {
        let mut command = place.command(&[&["adapter", "command"][..], words].concat());
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut adapter = started.expect("it starts");
        let input = adapter.stdin.take().expect("a pipe");
        let output = BufReader::new(adapter.stdout.take().expect("a pipe"));
        (adapter, input, output)
    };
    let (mut adapter, mut input, mut output) = start(&["--keep-alive", "--", "./kept.sh"]);
    ask(&mut input, &mut output, "uci\n", "uciok");
    ask(&mut input, &mut output, "isready\n", "readyok");
    for moves in ["", " moves e2e4", " moves e2e4 e7e5"] {
        let lines = format!("position startpos{moves}\ngo movetime 1000\n");
        let answer = ask(&mut input, &mut output, &lines, "bestmove");
        let wanted = if moves == " moves e2e4" {
            "bestmove g8h6\n"
        } else {
            "bestmove g1h3\n"
        };
        assert!(answer == wanted || moves.len() > 12, "{moves}: {answer}");
    }
    input.write_all(b"quit\n").expect("it reads");
    assert_eq!(adapter.wait().expect("it ends").code(), Some(0));
    let (mut adapter, mut input, mut output) = start(&["--", "./slow.sh"]);
    ask(&mut input, &mut output, "isready\n", "readyok");
    let stopped = ask(
        &mut input,
        &mut output,
        "position startpos\ngo movetime 50\nstop\n",
        "bestmove",
    );
    assert_eq!(stopped, "bestmove (none)\n");
    // Its runner has gone.
    drop(input);
    assert_eq!(adapter.wait().expect("it ends").code(), Some(0));
    program(
        &place,
        "asked.sh",
        "#!/bin/sh\nread -r question\nprintf '%s\\n' \"$question\" >> asked.jsonl\necho e2e5\n",
    );
    let (mut adapter, mut input, mut output) = start(&["--", "./asked.sh"]);
    for lines in [
        "position startpos\ngo movetime 50\n",
        "go wtime 9 btime 8 winc 1 binc 1 movestogo 3 nodes 5 depth 2\n",
    ] {
        assert_eq!(ask(&mut input, &mut output, lines, "bestmove"), "bestmove e2e5\n");
    }
    drop(input);
    adapter.wait().expect("it ends");
    let asked = place.read("asked.jsonl");
    assert_eq!(asked.lines().count(), 2, "{asked}");
    for question in asked.lines() {
        crate::schemas::check("question", &serde_json::from_str(question).expect("JSON"));
    }
    for answer in ["e2e4", "e7e8Q", "ReSign"] {
        crate::schemas::check("answer", &serde_json::json!({ "move": answer, "thought": "mine" }));
    }
}

/// Loading is no thinking: whoever says when it is done has not lost its first move by it.
#[test]
fn a_program_that_loads_says_when_it_is_ready() {
    let place = Place::new();
    let loads = "sleep 0.8\necho loading\necho ready\n";
    program(&place, "loads.sh", &KEPT.replacen('\n', &format!("\n{loads}"), 1));
    let player = |name: &str, keys: &str| {
        format!("[[player]]\nname = \"{name}\"\nmove_command = [\"./loads.sh\"]\nkeep_alive = true\n{keys}\n")
    };
    let text = format!(
        "event.name = \"loads\"\nswiss.rounds = \"RR\"\nmini_match.games = 2\ngame.max_moves = 3\ngame.time_control = \"300ms/move\"\n\
         mini_match.openings = \"none\"\nrun.max_faults = \"none\"\n[[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n{}{}",
        player("Says", "says_ready = true"),
        player("Silent", "")
    );
    place.write("event.toml", &text);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    let lost = games.lines().filter(|line| line.contains(",time-forfeit,"));
    let lost: Vec<&str> = lost.collect();
    assert!(
        !lost.is_empty() && lost.iter().all(|line| line.contains("Silent")),
        "{games}"
    );
}
