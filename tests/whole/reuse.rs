//! Nothing is played twice: games are taken from earlier runs by `run --reuse`, and `verify` follows them.

use std::fs;
use std::time::Duration;

use rusqlite::params;
use rustix::process::Signal;
use serde_json::Value;
use swissmatch::shell::store::{Store, sha256};

use crate::damage::{forge, unguarded};
use crate::death::{Background, games_in_log, send, until};
use crate::support::{Place, Ran, engine, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

/// An agent of an event: its name, its command, further keys.
type Agent<'a> = (&'a str, String, &'a str);

/// Everybody meets everybody; all mini-matches have the same openings.
fn event(games: u32, keys: &str, agents: &[Agent<'_>]) -> String {
    let mut text = format!(
        "[event]\nname = \"night\"\nrng_seed = 7\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = {games}\n\
         opening_policy = \"event\"\n[game]\nmax_moves = 12\n{keys}\n"
    );
    for (name, command, keys) in agents {
        text += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n{keys}\n");
    }
    text
}

/// Three agents with a file of their own among them; 12 games.
fn night(place: &Place) -> Vec<Agent<'static>> {
    let greedy = place.path("greedy");
    if !greedy.exists() {
        fs::copy(engine("greedy"), &greedy).expect("a copy");
    }
    vec![
        (
            "Fish",
            system_engine("stockfish"),
            "options = { Hash = 16 }\nrating = 2500",
        ),
        ("Alpha", engine("alphabeta"), "options = { Skill = 5 }\nrating = 2000"),
        ("Greedy", "./greedy".to_owned(), "rating = 1500"),
    ]
}

const NODES: &str = "nodes = 500";

fn run(place: &Place, dir: &str, more: &[&str]) -> Ran {
    place.swissmatch(&[&["run", "event.toml", "--out", dir], more].concat())
}

/// The bodies of a log's entries of a kind.
fn entries(place: &Place, run: &str, kind: &str) -> Vec<Value> {
    let store = Store::open_to_read(&place.path(run).join("run.sqlite")).expect("a log");
    let entries = store.entries().expect("a log").into_iter();
    let bodies = entries.map(|logged| serde_json::to_value(&logged.entry).expect("JSON"));
    bodies.filter(|body| body["entry"] == kind).collect()
}

/// What a run is known by.
fn id_of(place: &Place, run: &str) -> String {
    let store = Store::open_to_read(&place.path(run).join("run.sqlite")).expect("a log");
    store.first().expect("a log").expect("an entry").hash
}

/// The line of `verify` about taken games.
fn followed(ran: &Ran) -> String {
    let out = ran.stdout();
    let line = out.lines().find(|line| line.contains("earlier games"));
    line.unwrap_or_default().to_owned()
}

#[test]
fn a_run_of_games_that_were_played_plays_none() {
    let place = Place::new();
    let agents = night(&place);
    place.write("event.toml", &event(4, NODES, &agents));
    let first = run(&place, "first", &[]);
    first.expect_code(0);
    assert!(!first.stderr().contains("taken"), "{}", first.stderr());

    let second = run(&place, "second", &["--reuse", "first"]);
    second.expect_code(0);
    let said = second.stderr();
    assert!(said.contains("12 of 12 games were taken from earlier runs"), "{said}");
    assert_eq!(said.matches(" (all taken from earlier runs)\n").count(), 3, "{said}");
    let records = |run: &str| {
        let ran = place.swissmatch(&["export", "records", run]);
        ran.expect_code(0);
        ran.stdout()
    };
    assert_eq!(records("second"), records("first"), "with every time");
    assert_eq!(place.read("second/standings.csv"), place.read("first/standings.csv"));
    let verified = place.swissmatch(&["verify", "second"]);
    verified.expect_code(0);
    assert_eq!(followed(&verified), "ok      earlier games    12 games");
    assert_eq!(followed(&place.swissmatch(&["verify", "first"])), "", "it has none");

    let explained = place.swissmatch(&["explain", "game", "1.1.1", "second"]).stdout();
    let id = id_of(&place, "first");
    let told = format!(
        "It was not played in this run: it is game 1.1.1 of run {}, whose log begins with the hash {id}.",
        &id[..8]
    );
    assert!(explained.contains(&told), "{explained}");
    assert!(
        explained.contains(&format!("it was played as game 1.1.1 of run {}.", &id[..8])),
        "{explained}"
    );
    let json: Value = serde_json::from_str(
        &place
            .swissmatch(&["explain", "game", "1.1.1", "second", "--json"])
            .stdout(),
    )
    .expect("JSON");
    assert_eq!(json["taken_from"]["run"], id.as_str());
    assert_eq!(place.read("second/games.pgn").matches("[Taken ").count(), 12);
    assert_eq!(place.read("first/games.pgn").matches("[Taken ").count(), 0);

    // Other names, another order and other ratings are the same agents; what was taken is told as where it was played.
    let mut renamed = agents;
    renamed.reverse();
    for ((name, _, keys), (other, rating)) in renamed.iter_mut().zip([("X", 2900), ("Y", 100), ("Z", 1900)]) {
        *name = other;
        *keys = match keys.split_once('\n') {
            Some((options, _)) if rating == 100 => format!("{options}\nrating = 100").leak(),
            Some((options, _)) => format!("{options}\nrating = 1900").leak(),
            None => "rating = 2900",
        };
    }
    place.write("event.toml", &event(4, NODES, &renamed));
    let third = run(&place, "third", &["--reuse", "second", "--json"]);
    third.expect_code(0);
    let lines: Vec<Value> = third
        .stdout()
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let taken = lines.iter().filter(|line| line["type"] == "game-finished");
    let taken: Vec<&Value> = taken.map(|line| &line["taken_from"]["run"]).collect();
    assert_eq!(taken, [id.as_str(); 12]);
    assert_eq!(lines.last().expect("a line")["games_taken"], 12);
    let verified = place.swissmatch(&["verify", "third"]);
    verified.expect_code(0);
    assert_eq!(followed(&verified), "ok      earlier games    12 games");

    // In whatever order runs are rated together, a game counts once.
    for (runs, games, left_out) in [
        (&["first", "second"][..], [12, 0], 12),
        (&["second", "first"], [12, 0], 12),
        (&["second", "third"], [12, 0], 12),
        (&["second"], [12, 0], 0),
    ] {
        let ran = place.swissmatch(&[&["stats"], runs, &["--json"]].concat());
        ran.expect_code(0);
        let json: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
        let counted = json["sources"]
            .as_array()
            .expect("sources")
            .iter()
            .map(|source| &source["games"]);
        assert!(counted.eq(&games[..runs.len()]), "{runs:?}: {json:#}");
        assert_eq!(
            json["left_out"]["taken"].as_u64().unwrap_or_default(),
            left_out,
            "{runs:?}"
        );
    }
}

#[test]
fn what_changed_is_played() {
    let place = Place::new();
    let agents = night(&place);
    place.write("event.toml", &event(4, NODES, &agents));
    run(&place, "first", &[]).expect_code(0);
    let with = |number: usize, keys: &'static str| {
        let mut changed = night(&place);
        changed[number].2 = keys;
        event(4, NODES, &changed)
    };
    let cases: [(&str, String, &[&str], Option<&str>); 6] = [
        ("option", with(1, "options = { Skill = 6 }"), &[], Some("4 of 12")),
        ("directory", with(2, "dir = \".\""), &[], Some("4 of 12")),
        (
            "nodes of one",
            with(0, "nodes = 400\noptions = { Hash = 16 }"),
            &[],
            Some("4 of 12"),
        ),
        ("nodes of all", event(4, "nodes = 501", &agents), &[], None),
        ("machine", event(4, NODES, &agents), &["--machine", "an abacus"], None),
        ("more games", event(6, NODES, &agents), &[], Some("12 of 18")),
    ];
    for (what, text, more, taken) in cases {
        place.write("event.toml", &text);
        let dir = what.replace(' ', "-");
        let ran = run(&place, &dir, &[&["--reuse", "first"], more].concat());
        ran.expect_code(0);
        let said = ran.stderr();
        match taken {
            Some(taken) => assert!(
                said.contains(&format!("{taken} games were taken from earlier runs")),
                "{what}: {said}"
            ),
            None => assert!(!said.contains("taken from"), "{what}: {said}"),
        }
        place.swissmatch(&["verify", &dir]).expect_code(0);
    }
    // Another program by the same name.
    let mut program = fs::read(place.path("greedy")).expect("a program");
    program.push(0);
    fs::write(place.path("greedy"), program).expect("it changes");
    place.write("event.toml", &event(4, NODES, &agents));
    let ran = run(
        &place,
        "program",
        &["--reuse", "first", "--reuse", "nowhere", "--reuse", "program"],
    );
    ran.expect_code(0);
    let said = ran.stderr();
    assert!(said.contains("4 of 12 games were taken from earlier runs"), "{said}");
    assert!(
        said.contains("warning: no games are taken from nowhere: nowhere holds no run"),
        "{said}"
    );
    // Of two runs that have a game the first that was named counts; together they have all of them.
    let ran = run(&place, "both", &["--reuse", "program", "--reuse", "first"]);
    ran.expect_code(0);
    assert!(ran.stderr().contains("12 of 12 games"), "{}", ran.stderr());
    let of_program = id_of(&place, "program");
    let games = entries(&place, "both", "game-finished");
    let from_program = games
        .iter()
        .filter(|game| game["taken_from"]["run"] == of_program.as_str());
    assert_eq!(
        from_program.count(),
        8,
        "what it had taken itself is told as the first run's"
    );
}

#[test]
fn games_that_faults_ended_are_played_again() {
    let place = Place::new();
    let faulty = engine("fault-agent");
    let agents = [
        ("Crash", faulty, "args = [\"--fault\", \"exit\", \"--every\"]"),
        ("Alpha", engine("alphabeta"), ""),
    ];
    place.write("event.toml", &event(2, NODES, &agents));
    run(&place, "first", &[]).expect_code(0);
    let faults = entries(&place, "first", "game-finished");
    assert!(faults.iter().all(|game| game["termination"] == "crash"), "{faults:?}");
    let ran = run(&place, "second", &["--reuse", "first"]);
    ran.expect_code(0);
    assert!(!ran.stderr().contains("taken from"), "{}", ran.stderr());
}

#[test]
fn a_run_that_was_killed_takes_no_game_twice() {
    let place = Place::new();
    let slow = |ms: u32| -> &'static str { format!("args = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\"]").leak() };
    let agents = [("A", 8), ("B", 9), ("C", 10)].map(|(name, ms)| (name, engine("fault-agent"), slow(ms)));
    let keys = "time_control = \"5s/move\"\n[run]\nconcurrency = 2\noversubscribe = true";
    place.write("event.toml", &event(4, keys, &agents));
    run(&place, "first", &[]).expect_code(0);

    place.write("event.toml", &event(12, keys, &agents));
    let words = ["run", "event.toml", "--out", "second", "--reuse", "first"];
    for games in [3, 14, 26] {
        let mut running = Background::start(&place, &words);
        until("games", PATIENCE, || {
            (games_in_log(&place, "second") >= games).then_some(())
        });
        send(running.player(), Signal::KILL);
        running.end(PATIENCE);
    }
    let ran = place.swissmatch(&words);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("12 of 36 games were taken from earlier runs"),
        "{}",
        ran.stderr()
    );
    let verified = place.swissmatch(&["verify", "second"]);
    verified.expect_code(0);
    assert_eq!(followed(&verified), "ok      earlier games    12 games");
}

#[test]
fn verify_follows_games_to_where_they_were_played() {
    let place = Place::new();
    let agents = [("A", engine("alphabeta"), ""), ("B", engine("greedy"), "")];
    place.write("event.toml", &event(2, "nodes = 50", &agents));
    run(&place, "first", &[]).expect_code(0);
    run(&place, "second", &["--reuse", "first"]).expect_code(0);
    let id = id_of(&place, "first");
    let game = format!("game 1.1.1 of run {}", &id[..8]);

    // Moved away, and found by a word.
    fs::create_dir(place.path("attic")).expect("a directory");
    fs::rename(place.path("first"), place.path("attic/first")).expect("it is moved");
    let verified = place.swissmatch(&["verify", "second"]);
    verified.expect_code(0);
    let missing = format!(
        "ok      earlier games    0 games (2 games were not looked up, as the run was not found: {}; --earlier DIR says where)",
        &id[..8]
    );
    assert_eq!(followed(&verified), missing);
    // Whoever says where they are wants them looked up.
    let nowhere = place.swissmatch(&["verify", "second", "--earlier", "second"]);
    nowhere.expect_code(1);
    assert_eq!(
        followed(&nowhere),
        format!(
            "WRONG   earlier games    2 games were not looked up, as the run was not found: {}",
            &id[..8]
        )
    );
    for there in ["attic", "attic/first"] {
        let verified = place.swissmatch(&["verify", "second", "--earlier", there]);
        verified.expect_code(0);
        assert_eq!(followed(&verified), "ok      earlier games    2 games");
    }

    let wrong = |run: &str, there: &str, why: &str| {
        let verified = place.swissmatch(&["verify", run, "--earlier", there]);
        verified.expect_code(1);
        let line = followed(&verified);
        assert!(line.starts_with("WRONG") && line.contains(why), "{why}: {line}");
    };
    // A record that somebody changed.
    place.copy("attic", "changed");
    let log = unguarded(&place.path("changed/first"));
    let change =
        "UPDATE blobs SET body = replace(body, '\"time_us\":[', '\"time_us\":[1') WHERE body LIKE '%\"id\":\"1.1.1\"%'";
    assert_eq!(log.execute(change, []).expect("a record"), 1);
    drop(log);
    wrong(
        "second",
        "changed",
        "which cannot be read: the record of game 1.1.1 is missing or was changed",
    );

    // An entry that somebody changed.
    place.copy("attic", "broken");
    let log = unguarded(&place.path("broken/first"));
    let change = "UPDATE entries SET body = json_set(body, '$.plies', 3) WHERE body ->> 'id' = '1.1.2'";
    assert_eq!(log.execute(change, []).expect("an entry"), 1);
    drop(log);
    wrong("second", "broken", "which cannot be read: entry ");

    // A log that somebody wrote anew, with a chain that is right.
    place.copy("attic", "forged");
    let log = unguarded(&place.path("forged/first"));
    let text: String = log
        .query_row(
            "SELECT body FROM blobs WHERE body LIKE '%\"id\":\"1.1.1\"%'",
            [],
            |row| row.get(0),
        )
        .expect("a record");
    let other = text.replacen("\"ready_us\":[", "\"ready_us\":[7", 1);
    assert_ne!(other, text);
    let put = "INSERT INTO blobs (hash, body) VALUES (?1, ?2)";
    log.execute(put, params![sha256(other.as_bytes()), other])
        .expect("it is put there");
    let change = "UPDATE entries SET body = json_set(body, '$.record', ?1) WHERE body ->> 'id' = '1.1.1'";
    assert_eq!(log.execute(change, [sha256(other.as_bytes())]).expect("an entry"), 1);
    forge(&log);
    drop(log);
    wrong("second", "forged", &format!("game 1.1.1: {game} is another game in "));

    // A run that says that it was played on another class of machine, or that it took one game twice, or one that was not there.
    for (copy, change, why) in [
        (
            "elsewhere",
            "UPDATE entries SET body = json_set(body, '$.machine', 'an abacus') WHERE kind = 'created'".to_owned(),
            format!(
                "{game} was played by other agents, from another opening, under other limits or on another class of machine"
            ),
        ),
        (
            "twice",
            "UPDATE entries SET body = json_set(body, '$.taken_from.game', '1.1.1') WHERE body ->> 'id' = '1.1.2'"
                .to_owned(),
            format!("game 1.1.2: {game} had been taken for another game"),
        ),
        (
            "no-game",
            "UPDATE entries SET body = json_set(body, '$.taken_from.game', '7.1.1') WHERE body ->> 'id' = '1.1.2'"
                .to_owned(),
            format!("has no game 7.1.1 of run {} that was played there", &id[..8]),
        ),
    ] {
        place.copy("second", copy);
        let log = unguarded(&place.path(copy));
        assert_eq!(log.execute(&change, []).expect("an entry"), 1);
        forge(&log);
        drop(log);
        wrong(copy, "attic", &why);
    }
}
