//! Rounds by the clock on the wall: who is there, what is waited for, and clocks that run whether anybody is there or not.
//!
//! Agents that are late or away count their own starts, so that what they do depends on no time: the first start is that of the
//! look at all agents before the event.

use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, assert_empty, send, until};
use crate::support::{Place, Ran, at_once, engine};

/// No wait of these tests takes longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command of players that count their starts.
const SHELL: &str = "/bin/sh";

/// A player: its name, its command, its arguments.
type Player<'a> = (&'a str, String, Vec<String>);

fn plays<'a>(name: &'a str, agent: &str) -> Player<'a> {
    (name, engine(agent), Vec::new())
}

/// A greedy player as a script, which counts its starts in `NAME.starts` and may do something else first, where `$n` is the
/// number of this start.
fn counted<'a>(place: &Place, name: &'a str, first: &str) -> Player<'a> {
    let starts = place.write(&format!("{name}.starts"), "").display().to_string();
    let script = format!("echo . >> '{starts}'\nn=$(wc -l < '{starts}')\n{first}\nexec \"$1\"");
    let args = ["-c".to_owned(), script, "agent".to_owned(), engine("greedy")];
    (name, SHELL.to_owned(), args.into())
}

/// An event of single games, short and without openings, in the order of the players.
fn event(keys: &str, players: &[Player<'_>]) -> String {
    let mut text = format!(
        "preset = \"none\"\n[event]\nname = \"by the clock\"\n[mini_match]\ngames = 1\nopenings = \"none\"\n\
         [run]\nconcurrency = 2\noversubscribe = true\npin = \"none\"\n[game]\nmax_plies = 12\n\
         time_control = \"60+1\"\n{keys}\n"
    );
    for (name, command, args) in players {
        let args: Vec<String> = args.iter().map(|arg| Value::from(arg.as_str()).to_string()).collect();
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {}\nargs = [{}]\n",
            Value::from(command.as_str()),
            args.join(", ")
        );
        if command == SHELL {
            text += &format!("write = [\"{name}.starts\"]\n");
        }
    }
    text
}

fn play(place: &Place, keys: &str, players: &[Player<'_>]) -> Ran {
    place.write("event.toml", &event(keys, players));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run", "--json"]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    ran
}

/// The objects of that type among NDJSON lines.
fn told(lines: &str, kind: &str) -> Vec<Value> {
    let objects = lines
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    objects.filter(|object| object["type"] == kind).collect()
}

/// Events of the log of that kind, and when they were appended.
fn logged(place: &Place, kind: &str) -> Vec<(Timestamp, Value)> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
    let log = Connection::open_with_flags(place.path("run/run.sqlite"), flags).expect("the log");
    let mut query = log
        .prepare("select at, body from entries where kind = ?1 order by seq")
        .expect("the table");
    let rows = query.query_map([kind], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)));
    let row = |row: Result<(String, String), _>| {
        let (at, body) = row.expect("a row");
        (
            at.parse().expect("an instant"),
            serde_json::from_str(&body).expect("an event"),
        )
    };
    rows.expect("rows").map(row).collect()
}

fn records(place: &Place) -> Vec<Value> {
    let ran = place.swissmatch(&["export", "records", "run"]);
    let lines = ran.stdout();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

/// Each game: white, black, result, termination, fault.
fn games(place: &Place) -> Vec<[String; 5]> {
    let list = place.export_json("run", "games-json");
    let games = list["games"].as_array().expect("games").iter();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    games
        .map(|game| ["white", "black", "result", "termination", "fault_of"].map(|key| text(&game[key])))
        .collect()
}

const CHECKED: &str = "[presence]\ncheck = \"before-each-round\"\n";

/// D starts before the event, before round 1 and for its game; then it is asked before round 2, and hangs.
#[test]
fn who_does_not_answer_is_not_paired_and_may_come_back() {
    let place = Place::new();
    let away = counted(&place, "D", "[ \"$n\" -eq 4 ] && exec sleep 600");
    let players = [plays("A", "greedy"), plays("B", "greedy"), plays("C", "greedy"), away];
    let keys = format!("[swiss]\nrounds = 3\nseeding = \"listed\"\n{CHECKED}limit = \"9s\"");
    let ran = play(&place, &keys, &players);
    ran.expect_code(0);
    let said: Vec<Value> = told(&ran.stdout(), "presence-checked")
        .into_iter()
        .map(|object| object["absent"].clone())
        .collect();
    assert_eq!(
        said,
        [
            serde_json::json!([]),
            serde_json::json!(["D (it was not ready within 9s)"]),
            serde_json::json!([]),
        ]
    );
    let rounds = told(&ran.stdout(), "round-paired");
    assert_eq!(rounds[1]["pairs"].as_array().map(Vec::len), Some(1));
    assert_ne!(rounds[1]["bye"], Value::Null);
    assert_eq!(
        games(&place)
            .iter()
            .filter(|game| game[0] == "D" || game[1] == "D")
            .count(),
        2
    );
    // Before each pairing, and in the log before it.
    let kinds: Vec<u64> = logged(&place, "presence-checked")
        .iter()
        .filter_map(|(_, of)| of["round"].as_u64())
        .collect();
    assert_eq!(kinds, [1, 2, 3]);
}

/// B's own game changes a file that it was registered with. Then A is alone, and has the bye of round 2.
#[test]
fn who_has_changed_is_not_paired_and_a_round_of_one_is_a_round() {
    let place = Place::new();
    let book = place.write("book.txt", "1. e4\n").display().to_string();
    let mut changing = counted(&place, "B", &format!("[ \"$n\" -eq 3 ] && echo '1. d4' >> '{book}'"));
    changing.2.push(book.clone());
    // If it were isolated it could not.
    let keys = format!("[swiss]\nrounds = 2\nseeding = \"listed\"\n[engine]\nisolation = \"off\"\n{CHECKED}");
    let ran = play(&place, &keys, &[plays("A", "greedy"), changing]);
    ran.expect_code(0);
    let absent = &told(&ran.stdout(), "presence-checked")[1]["absent"];
    let said = absent
        .as_array()
        .map(|absent| absent.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    let [said] = said.as_deref().unwrap_or_default() else {
        panic!("{absent}");
    };
    assert!(
        said.starts_with(&format!("B ({book} has changed (SHA-256 was ")),
        "{said}"
    );
    assert!(
        said.ends_with("; player.write names files that an agent writes itself)"),
        "{said}"
    );
    assert_eq!(told(&ran.stdout(), "round-paired")[1]["bye"], "A");
    let standings = place.export_json("run", "json");
    let rows = standings["players"].as_array().expect("rows");
    let of = |name: &str| rows.iter().find(|row| row["name"] == name).expect("a row");
    assert_eq!((&of("A")["byes"], &of("B")["byes"]), (&1.into(), &0.into()));
    assert_eq!(games(&place).len(), 1);
}

/// Nobody is there: a round of nobody, and the event goes on to its end.
#[test]
fn a_round_of_nobody_is_a_round() {
    let place = Place::new();
    let away = |name| counted(&place, name, "[ \"$n\" -eq 2 ] && exit 1");
    let players = [away("A"), away("B")];
    let keys = format!("[swiss]\nrounds = 2\nseeding = \"listed\"\n{CHECKED}");
    play(&place, &keys, &players).expect_code(0);
    let absent = |at: usize| {
        logged(&place, "presence-checked")[at].1["absent"]
            .as_array()
            .map(Vec::len)
    };
    assert_eq!((absent(0), absent(1)), (Some(2), Some(0)));
    let games = games(&place);
    assert_eq!(games.len(), 1, "{games:?}");
}

const BY_SCHEDULE: &str = "[swiss]\nrounds = 1\nseeding = \"listed\"\n[schedule]\nclock = \"schedule\"\n";

/// Two starts fail after the one before the event; one attempt would be all that the game itself gives.
#[test]
fn the_first_clock_runs_while_its_engine_is_started() {
    let place = Place::new();
    let late = counted(
        &place,
        "A",
        "[ \"$n\" -eq 2 ] && exit 1\n[ \"$n\" -eq 3 ] && { sleep 2; exit 1; }",
    );
    let keys = format!("{BY_SCHEDULE}[engine]\nstart_attempts = 1\nmust_start = false");
    play(&place, &keys, &[late, plays("B", "greedy")]).expect_code(0);
    assert_eq!(place.read("A.starts").lines().count(), 4);
    let record = &records(&place)[0];
    let number = |value: &Value| value.as_u64().expect("a number");
    let (late, first, clock) = (
        number(&record["late_us"]),
        number(&record["time_us"][0]),
        number(&record["clock_us"][0]),
    );
    assert!(late >= 2_000_000 && first >= late, "{record}");
    // Microseconds are rounded down, each for itself; the increment of a second is added.
    let is_whole = |time: u64, clock: u64| (time + clock).abs_diff(61_000_000) <= 1;
    assert!(is_whole(first, clock), "{record}");
    // Black, who was there, has its whole clock.
    let of_black = [&record["time_us"][1], &record["clock_us"][1]].map(number);
    assert!(is_whole(of_black[0], of_black[1]), "{record}");
    let pgn = place.read("run/games.pgn");
    let comment = pgn
        .split_once("1. ")
        .and_then(|(_, moves)| moves.split_once('}'))
        .expect("a comment")
        .0
        .to_owned();
    let seconds = comment
        .rsplit(' ')
        .next()
        .and_then(|text| text.strip_suffix('s'))
        .map(str::to_owned);
    let seconds: f64 = seconds.unwrap_or(comment).parse().expect("seconds");
    assert!(seconds >= 2.0, "{pgn}");
}

/// "You are connected and your opponent is not, you win the game"; neither: nobody does. It is tried until the clock has run
/// out, however few attempts a game by itself would give.
#[test]
fn who_is_not_up_when_its_clock_has_run_out_loses() {
    let fails = |place: &Place, name| counted(place, name, "exit 1");
    let cases = [
        (false, true, ["A", "B", "0-1", "not-started", "white"]),
        (true, false, ["A", "B", "1-0", "not-started", "black"]),
        (false, false, ["A", "B", "0-0", "neither-started", "both"]),
    ];
    at_once(cases, |(white, black, expected)| {
        let place = Place::new();
        let player = |name, is_up| {
            if is_up {
                plays(name, "greedy")
            } else {
                fails(&place, name)
            }
        };
        let keys = format!("{BY_SCHEDULE}[engine]\nstart_attempts = 1\nmust_start = false");
        let text = event(&keys, &[player("A", white), player("B", black)]).replace("\"60+1\"", "\"6+0\"");
        place.write("event.toml", &text);
        place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(3);
        place.swissmatch(&["verify", "run"]).expect_code(0);
        assert_eq!(games(&place), [expected.map(str::to_owned)]);
        let evidence = place.evidence("run", "1.1.1").expect("evidence");
        for (name, is_up) in [("A", white), ("B", black)] {
            if !is_up {
                let starts = place.read(&format!("{name}.starts")).lines().count();
                assert!(starts > 2, "{starts} starts");
                let number = if name == "A" { 1 } else { 2 };
                let said = format!(
                    "player {number}: not up when its time was over, after {} starts",
                    starts - 1
                );
                assert!(evidence.contains(&said), "{said} is not in\n{evidence}");
            }
        }
    });
}

/// In a notice engines are started before their clocks run: who takes two seconds to come up loses none of them. The notice
/// is long, so that a busy machine has brought it up by then.
#[test]
fn engines_come_up_during_the_notice() {
    let place = Place::new();
    let slow = counted(&place, "A", "[ \"$n\" -gt 1 ] && sleep 2");
    let keys = format!("{BY_SCHEDULE}notice = \"10s\"");
    let ran = play(&place, &keys, &[slow, plays("B", "greedy")]);
    ran.expect_code(0);
    let late = records(&place)[0]["late_us"].as_u64().expect("a number");
    assert!(late < 2_000_000, "{late}");
    let (paired, body) = logged(&place, "round-paired").swap_remove(0);
    let starts: Timestamp = body["starts"].as_str().and_then(|at| at.parse().ok()).expect("a start");
    assert!(starts.duration_since(paired) > jiff::SignedDuration::from_secs(9));
    assert!(logged(&place, "game-finished")[0].0 >= starts);
    let wait = &told(&ran.stdout(), "waiting")[0];
    assert_eq!(
        (&wait["for"], &wait["round"], &wait["until"]),
        (&"round".into(), &1.into(), &body["starts"])
    );
}

/// The first round is paired at the start; killed in the break, the runner keeps the start that was announced.
#[test]
fn a_start_that_was_announced_outlives_the_runner() {
    let place = Place::new();
    let start = Timestamp::now() + jiff::SignedDuration::from_secs(2);
    let keys = |pause: &str| {
        format!("[swiss]\nrounds = 2\nseeding = \"listed\"\n[schedule]\nstart = {start}\nbreak = \"{pause}\"")
    };
    let players = [plays("A", "greedy"), plays("B", "random-mover")];
    place.write("event.toml", &event(&keys("8s"), &players));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run", "--json"]);
    let second = |lines: &str| told(lines, "waiting").into_iter().find(|wait| wait["round"] == 2);
    let announced = until("the break", PATIENCE, || second(&place.read("said")))["until"].clone();
    send(running.guard(), Signal::KILL);
    running.end(PATIENCE);
    assert_empty(&place, PATIENCE);
    assert!(logged(&place, "round-paired")[0].0 >= start);

    // Another break is for the rounds to come.
    place.write("event.toml", &event(&keys("60m"), &players));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run", "--json"]);
    ran.expect_code(0);
    let waits: Vec<Value> = told(&ran.stdout(), "waiting");
    assert!(waits.iter().all(|wait| wait["until"] == announced), "{waits:?}");
    let rounds = logged(&place, "round-paired");
    assert_eq!((rounds.len(), &rounds[1].1["starts"]), (2, &announced));
    let announced: Timestamp = announced.as_str().and_then(|at| at.parse().ok()).expect("an instant");
    assert!(logged(&place, "game-finished")[1].0 >= announced);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// The window opens in two hours: nothing is started, which is shown, and one request to stop ends the runner at once.
#[test]
fn a_closed_window_is_waited_for_in_plain_sight() {
    let place = Place::new();
    let opens = Timestamp::now() + jiff::SignedDuration::from_hours(2);
    let hours = |after: i64| {
        let instant = opens + jiff::SignedDuration::from_hours(after);
        instant.strftime("%H:%M").to_string()
    };
    let window = format!("{}-{}", hours(0), hours(1));
    let keys = format!("[swiss]\nrounds = 1\n[schedule]\nwindow = \"{window}\"");
    place.write(
        "event.toml",
        &event(&keys, &[plays("A", "greedy"), plays("B", "greedy")]),
    );
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
    let line = |text: &str| {
        text.lines()
            .find(|line| line.starts_with("round 1 begins at "))
            .map(str::to_owned)
    };
    let said = until("a word about it", PATIENCE, || line(&place.read("complained")));
    assert!(
        said.contains(&format!("{}:00 UTC, in 1 h 59 min", hours(0))) || said.contains("in 2 h"),
        "{said}"
    );
    let status = place.swissmatch(&["status", "run"]);
    assert!(
        status.stdout().contains("Waiting: round 1 begins at "),
        "{}",
        status.stdout()
    );
    let status: Value = serde_json::from_str(&place.swissmatch(&["status", "run", "--json"]).stdout()).expect("JSON");
    assert_eq!(
        (&status["waiting"]["for"], &status["waiting"]["round"]),
        (&"round".into(), &1.into())
    );
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    assert!(logged(&place, "round-paired").is_empty());
}

/// A check that is being made does not keep the runner from stopping, and leaves no process.
#[test]
fn a_check_is_abandoned_on_request() {
    let place = Place::new();
    let away = counted(&place, "B", "[ \"$n\" -gt 1 ] && exec sleep 600");
    let keys = format!("[swiss]\nrounds = 1\n{CHECKED}limit = \"600s\"\n[engine]\nstart_limit = \"600s\"");
    place.write("event.toml", &event(&keys, &[plays("A", "greedy"), away]));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run"]);
    until("the check", PATIENCE, || {
        let starts = std::fs::read_to_string(place.path("B.starts")).unwrap_or_default();
        (starts.lines().count() == 2).then_some(())
    });
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(130));
    assert_empty(&place, PATIENCE);
    assert!(logged(&place, "presence-checked").is_empty());
}
