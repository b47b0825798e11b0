//! A season: rated rounds until the lock, submissions between them, then the event; killed on the way, and derived again by `verify`.

use std::collections::BTreeMap;

use jiff::{Timestamp, ToSpan as _};
use rustix::process::Signal;
use serde_json::Value;
use swissmatch::shell::store::Store;
use swissmatch::tournament::log::{AgentIntroduction, Entry, RunCreated};

use crate::death::{Background, games_in_log, send, until};
use crate::submissions::{good, kill_while_tried};
use crate::support::{Place, Ran};

/// Two entrants, a player of the organizer's with a fixed rating and one without, and a round each second.
fn event(lock: Timestamp) -> String {
    with_rules(lock, "")
}

/// The same with rules that change.
fn with_rules(lock: Timestamp, rules: &str) -> String {
    format!(
        "event.name = \"season\"\nswiss.seeding = \"ladder\"\nmini_match.games = 2\npublish.submissions = true\n\
         event.stages = [{{ format = \"2-SS\" }}, {{ format = \"knockout\", top = 2 }}]\n\
         [game]\ntime_control = \"10+0.1\"\nmax_moves = 4\n[playoff]\nknockout = \"better-seed\"\n\
         [engine]\nstart_limit = \"20s\"\n[prizes]\nby_place = [60, 40]\n\
         [submissions]\ncontract = \"get-move\"\npython = \"env\"\nlock = {lock}\n\
         [ladder]\nschedule = \"every 1s\"\nfixed = {{ House = 1800 }}\n{rules}\
         [[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n\
         [[player]]\nname = \"House\"\ncommand = \"greedy\"\n[[player]]\nname = \"Other\"\ncommand = \"random-mover\"\n"
    )
}

fn submit(place: &Place, file: &str, player: &str) {
    let submit = ["submit", file, "--as", player, "--event", "season.toml"];
    place.swissmatch(&submit).expect_code(0);
}

fn once(place: &Place) -> Ran {
    place.swissmatch(&["run", "season.toml", "--once"])
}

fn ladder(place: &Place) -> Value {
    let shown = place.swissmatch(&["ladder", "season.toml", "--json"]);
    serde_json::from_str(&shown.expect_code(0).stdout()).expect("JSON")
}

fn player(ladder: &Value, name: &str) -> Value {
    let mut players = ladder["players"].as_array().expect("a list").iter();
    players.find(|player| player["name"] == name).expect("a player").clone()
}

/// How a run began.
fn created(place: &Place, run: &str) -> Box<RunCreated> {
    let log = Store::open_to_read(&place.path(run).join("run.sqlite")).expect("the log");
    match log.entries().expect("the log").swap_remove(0).entry {
        Entry::Created(created) => created,
        other => panic!("it begins with {other:?}"),
    }
}

/// What each player's agent said of itself before a run, with how long that took.
fn introductions(place: &Place, run: &str) -> BTreeMap<String, AgentIntroduction> {
    let created = created(place, run);
    let players = created.setup.players.into_iter().zip(created.agents);
    let said = players.map(|(player, agent)| (player.name, agent.introduction.expect("it starts")));
    said.collect()
}

/// Waits until a second begins, and tells it: the round of it is due.
fn until_the_next_second() -> Timestamp {
    let now = Timestamp::now();
    let next = Timestamp::from_second(now.as_second() + 1).expect("a time");
    let left = std::time::Duration::try_from(next - now).expect("it is to come");
    std::thread::sleep(left);
    next
}

/// Puts what an installer leaves of a package into the environment of the event.
fn install(place: &Place, package: &str) {
    let lib = std::fs::read_dir(place.path("env/lib")).expect("an environment");
    let python = lib.flatten().next().expect("a python").path();
    let directory = python.join(format!("site-packages/{package}.dist-info"));
    std::fs::create_dir_all(&directory).expect("it is made");
    std::fs::write(directory.join("RECORD"), package).expect("it is written");
}

/// What `verify` says of the event's directory, with its exit code.
#[track_caller]
fn verified(place: &Place, code: i32, says: &str) {
    let verified = place.swissmatch(&["verify", "results/season"]);
    let said = verified.expect_code(code).stdout();
    assert!(said.contains(says), "{said}");
}

#[test]
fn a_season_goes_from_its_ladder_over_the_lock_to_its_prizes() {
    let place = Place::new();
    let open = Timestamp::now() + 24.hours();
    place.write("season.toml", &event(open));
    let made = std::process::Command::new("python3")
        .args(["-m", "venv", "--without-pip"])
        .arg(place.path("env"))
        .status();
    assert!(made.expect("python3").success());
    // Two can play, who hand nothing in.
    once(&place).expect_code(0);
    verified(&place, 0, "ladder           1 round");
    good(&place, "a1.zip", "# first\n");
    good(&place, "a2.zip", "# second\n");
    good(&place, "b.zip", "# of B\n");
    submit(&place, "a1.zip", "A");
    let page = || place.read("results/season/ladder/index.html");
    assert!(
        page().contains("<h2>Submissions</h2>") && page().contains("plays"),
        "{}",
        page()
    );
    submit(&place, "b.zip", "B");
    let second = once(&place);
    assert!(
        second
            .expect_code(0)
            .stderr()
            .contains("Round 2 of the ladder is over: "),
        "{}",
        second.stderr()
    );
    let before = player(&ladder(&place), "A");
    assert_eq!(
        (&before["version"], &before["games"]),
        (&Value::from("#1"), &Value::from(2))
    );

    // Each played the other one in that round, and by the same games.
    let opponent = |name: &Value| -> Value {
        let course = &player(&ladder(&place), name.as_str().expect("a name"))["course"];
        course.as_array().and_then(|course| course.last()).expect("it played")["opponent"].clone()
    };
    let of_a = opponent(&"A".into());
    let of_other = opponent(&of_a["name"]);
    assert_eq!(of_other["name"], "A");
    let points = [&of_a, &of_other].map(|of| of["points"].as_f64().expect("points"));
    assert_eq!((points.iter().sum::<f64>(), &of_a["games"]), (2.0, &Value::from(2)));

    // What is new sets out from where the old one stands.
    submit(&place, "a2.zip", "A");
    let new = player(&ladder(&place), "A");
    assert_eq!((&new["version"], &new["games"]), (&Value::from("#3"), &Value::from(0)));
    assert_eq!((&new["rating"], &new["error"]), (&before["rating"], &before["error"]));
    assert_eq!(new["provisional"], true);

    // Rules change with the next round, and not with one that was played.
    let table = |from: Timestamp, plies: u32| {
        format!("[[rules]]\nfrom = {from}\nwhy = \"Games are too short.\"\ngame.max_plies = {plies}\n")
    };
    let refused = |text: String, says: &str| {
        place.write("season.toml", &text);
        let said = once(&place).expect_code(4).stderr();
        assert!(said.contains(says), "{said}");
    };
    let from = until_the_next_second();
    refused(
        with_rules(open, &table(from - 1.hours(), 7)),
        "rules.from: round 2 of the ladder was due at",
    );
    refused(
        event(open).replace("max_moves = 4", "max_moves = 5"),
        "game.max_moves: it is 5, and round 2 of the ladder was played by 4; write that again, and what changes in a [[rules]]",
    );
    let changed = table(from, 7);
    // Another library is another version of what plays by it.
    assert_eq!(player(&ladder(&place), "B")["games"], 2);
    install(&place, "numpy-2.0");
    assert_eq!(player(&ladder(&place), "B")["games"], 0);
    place.write("season.toml", &with_rules(open, &changed));

    // Killed in the middle of a round, it goes on with that one.
    let mut running = Background::start(&place, &["run", "season.toml"]);
    until("a game of round 3", std::time::Duration::from_secs(60), || {
        (games_in_log(&place, "results/season/ladder/3") > 0).then_some(())
    });
    // Only one may play it, also where it stands still.
    let pids = [running.guard(), running.player()];
    pids.iter().for_each(|pid| send(*pid, Signal::STOP));
    let other = once(&place);
    let said = other.expect_code(4).stderr();
    assert!(
        said.contains("another swissmatch is running in results/season"),
        "{said}"
    );
    send(pids[1], Signal::KILL);
    send(pids[0], Signal::CONT);
    running.end(std::time::Duration::from_secs(30));
    once(&place).expect_code(0);
    // Whoever plays on unchanged is not started for its introduction again.
    until_the_next_second();
    let fourth = once(&place).expect_code(0).stderr();
    assert!(fourth.contains("checking 2 agents"), "{fourth}");
    let [second, third, fourth] =
        [2, 3, 4].map(|round| introductions(&place, &format!("results/season/ladder/{round}")));
    assert_eq!((&fourth["A"], &fourth["B"]), (&third["A"], &third["B"]));
    assert_ne!(third["B"], second["B"]);
    let rounds = ladder(&place)["rounds"].as_array().expect("a list").len();
    assert!((4..=6).contains(&rounds), "{rounds}");
    assert_eq!(player(&ladder(&place), "House")["rating"], 1800);
    for round in [1, 2, 3] {
        let log = place.read(&format!("results/season/ladder/{round}/run.log"));
        assert!(log.contains("INFO"), "round {round}: {log}");
    }
    assert!(
        place
            .read("results/season/ladder/index.html")
            .contains("A through the rounds")
    );

    // What was played by stays, and after the lock nothing is added.
    let gone = format!("is gone, and round {rounds} of the ladder was played by it");
    refused(event(open), &gone);
    let moved = format!("game.max_plies: it is 6, and round {rounds} of the ladder was played by 7");
    refused(with_rules(open, &table(from, 6)), &moved);
    let locked = until_the_next_second() + 1.seconds();
    let late = format!("{changed}{}", table(locked - 1.seconds(), 6));
    std::thread::sleep(std::time::Duration::from_secs(1));
    refused(
        with_rules(locked, &late),
        "rules.from: nobody knew it when the last round of the ladder was played",
    );

    // Whom the organizer takes out hands nothing in, and does not play.
    let without_b =
        |lock: Timestamp| with_rules(lock, &changed).replace("[submissions]", "[submissions]\nout = [\"B\"]");
    place.write("season.toml", &without_b(open));
    let said = place.swissmatch(&["submit", "b.zip", "--as", "B", "--event", "season.toml"]);
    let said = said.expect_code(4).stderr();
    assert!(
        said.contains("B was taken out by the organizer (submissions.out)"),
        "{said}"
    );

    // The lock has come: the event follows, in the order of the ladder.
    place.write("season.toml", &without_b(locked));
    let ran = place.swissmatch(&["run", "season.toml"]);
    let said = ran.expect_code(0).stderr();
    assert!(
        said.contains("these players were taken out, and do not play (submissions.out): B"),
        "{said}"
    );
    verified(&place, 0, &format!("ladder           {rounds} rounds"));
    let created = created(&place, "results/season");
    // Each game names its rules.
    let version = |pgn: &str| {
        let pgn = place.read(&format!("results/season/{pgn}"));
        let tag = pgn.lines().find(|line| line.starts_with("[Rules "));
        tag.map(str::to_owned)
    };
    assert_eq!(version("ladder/2/games.pgn"), None);
    assert_eq!(version("ladder/3/games.pgn").as_deref(), Some("[Rules \"2\"]"));
    assert_eq!(version("games.pgn").as_deref(), Some("[Rules \"2\"]"));
    assert_eq!(created.setup.game.max_plies, Some(7));
    let names: Vec<&str> = created
        .setup
        .players
        .iter()
        .map(|player| player.name.as_str())
        .collect();
    assert_eq!(names, ["A", "House", "Other"]);
    // What another version would have moved, also of a round that did not know it.
    let other = |round: u32, version: &str| {
        let round = format!("results/season/ladder/{round}");
        place.swissmatch(&["rescore", &round, "--rules", version])
    };
    let said = other(2, "2").expect_code(0).stdout();
    assert!(said.contains("game.max_plies: \"none\" → 7"), "{said}");
    let said = other(3, "1").expect_code(0).stdout();
    assert!(
        said.contains("ended by move-cap, and would have gone on; its result stays."),
        "{said}"
    );
    let said = other(3, "3").expect_code(4).stderr();
    assert!(
        said.contains("--rules 3: the rules of this run have 2 versions"),
        "{said}"
    );
    let ended = ladder(&place);
    let mut before = i32::MAX;
    for entry in &created.order {
        let entered = &created.setup.players[*entry];
        let rating = entered.ladder.expect("it has played").rating;
        assert_eq!(player(&ended, &entered.name)["rating"], rating);
        assert!(rating <= before, "{} comes after lower ones", entered.name);
        before = rating;
    }

    // Whoever publishes the event publishes its ladder with it.
    place
        .swissmatch(&["publish", "public", "results/season"])
        .expect_code(0);
    for file in ["ladder/index.html", "ladder/table.json"] {
        assert_eq!(
            place.read(&format!("public/{file}")),
            place.read(&format!("results/season/{file}"))
        );
    }

    // What it was played with is in the log, and nothing else is taken.
    let packages = created.setup.submissions.packages.iter().flatten();
    let packages: Vec<String> = packages.map(|of| format!("{} {}", of.name, of.version)).collect();
    assert_eq!(packages, ["numpy 2.0"]);
    install(&place, "chess-1.11");
    let refused = place.swissmatch(&["run", "season.toml"]).expect_code(4).stderr();
    let says = "submissions.python: the environment is not as it was when the run began: chess 1.11 is new";
    assert!(refused.contains(says), "{refused}");

    // Nothing of it can be changed afterwards.
    let history = "results/season/ladder/history.jsonl";
    let kept = place.read(history);
    place.write(history, &kept.replacen("\"result\":", "\"result\": ", 1));
    verified(&place, 0, "ladder");
    let other = kept.replacen("\"games\":2", "\"games\":3", 1);
    assert_ne!(other, kept);
    place.write(history, &other);
    verified(&place, 1, "its history has another round");
    place.write(history, &kept);
    std::fs::rename(place.path("results/season/ladder/2"), place.path("aside")).expect("it is moved");
    verified(&place, 1, "round 3: it is round 3 where 2 comes next");
    std::fs::rename(place.path("aside"), place.path("results/season/ladder/2")).expect("it is moved back");
    verified(&place, 0, "ok      ladder");
}

#[test]
fn a_ladder_that_is_being_played_goes_by_its_event_file_as_it_is() {
    let place = Place::new();
    let file = |lock: Timestamp, rules: &str| {
        let text = with_rules(lock, rules).replace("\"get-move\"\npython = \"env\"", "\"uci\"");
        place.write("season.toml", &text.replace("2-SS", "1-SS"));
    };
    let open = Timestamp::now() + 24.hours();
    let rounds = || {
        let kept = std::fs::read_to_string(place.path("results/season/ladder/history.jsonl"));
        kept.unwrap_or_default().lines().count()
    };
    let version = |round: usize| {
        created(&place, &format!("results/season/ladder/{round}"))
            .setup
            .version()
    };
    let patience = std::time::Duration::from_secs(60);
    file(open, "");
    let mut running = Background::start(&place, &["run", "season.toml"]);
    until("round 1", patience, || (rounds() > 0).then_some(()));

    // No round is played by a file that is wrong, which is told once.
    place.write("season.toml", "event.name = 1\n");
    let wrong = "no round begins until this is mended";
    let said = || place.read("complained");
    until("a sentence on the file", patience, || {
        said().contains(wrong).then_some(())
    });
    let played = rounds();
    std::thread::sleep(std::time::Duration::from_millis(2500));
    assert_eq!((rounds(), said().matches(wrong).count()), (played, 1), "{}", said());
    assert!(said().contains("season.toml:1:"), "{}", said());

    // Then what was appended counts, and an earlier lock.
    let rules = format!(
        "[[rules]]\nfrom = {}\nwhy = \"Games are too short.\"\ngame.max_plies = 7\n",
        until_the_next_second()
    );
    file(open, &rules);
    until("another round", patience, || (rounds() > played).then_some(()));
    assert_eq!([version(1), version(played + 1)], [1, 2]);
    file(until_the_next_second(), &rules);
    let ended = running.end(patience);
    assert!(ended.success(), "{}", said());
    assert_eq!(created(&place, "results/season").setup.game.max_plies, Some(7));
}

#[test]
fn a_ladder_never_plays_openings_of_the_event() {
    let place = Place::new();
    let open = Timestamp::now() + 24.hours();
    place.write(
        "own.fen",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n",
    );
    place.write("ladder.pgn", "1. d4 *\n\n1. e4 *\n");
    let openings = |own: &str, ladder: &str| {
        let text = event(open).replace(
            "mini_match.games = 2",
            &format!("mini_match.games = 2\nmini_match.openings = \"{own}\""),
        );
        place.write(
            "season.toml",
            &text.replace("[ladder]", &format!("[ladder]\nopenings = \"{ladder}\"")),
        );
        place.swissmatch(&["run", "season.toml", "--once"])
    };
    let refused = openings("own.fen", "ladder.pgn");
    let said = refused.expect_code(4).stderr();
    assert!(
        said.contains("ladder.openings") && said.contains("1 of its openings is also in mini_match.openings"),
        "{said}"
    );
    let refused = openings("own.fen", "own.fen");
    assert!(
        refused
            .expect_code(4)
            .stderr()
            .contains("would see openings of the event itself")
    );
    assert!(!place.path("results").exists());
}

/// Each of its calls plays a round, as a new one is due by then.
#[test]
fn a_call_for_one_round_also_tries_what_was_left() {
    let place = Place::new();
    place.write(
        "season.toml",
        &event(Timestamp::now() + 24.hours()).replace("python = \"env\"\n", ""),
    );
    good(&place, "a.zip", "import time\ntime.sleep(1.5)\n");
    kill_while_tried(&place, "a.zip", 1);
    once(&place).expect_code(0);
    let listed = place.swissmatch(&["submissions", "season.toml", "--json"]);
    let listed: Value = serde_json::from_str(&listed.expect_code(0).stdout()).expect("JSON");
    assert_eq!(listed["submissions"][0]["state"], "plays", "{listed}");
}
