//! Play-offs of whole events: each branch played by real agents.

use std::io::{BufRead as _, BufReader};
use std::process::Child;

use rustix::process::Signal;
use serde_json::Value;
use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::Side;
use swissmatch::game::termination::Outcome;

use crate::death::send;
use crate::support::{Place, engine, finish};

/// An event of these agents in which every game of the rounds is drawn by the cap, with these lines of `[playoff]`.
fn event(agents: &[String], playoff: &str) -> String {
    let mut event = format!(
        "preset = \"none\"\n[event]\nname = \"level\"\n[swiss]\nrounds = \"RR\"\nseeding = \"listed\"\n[mini_match]\n\
         games = 2\nopenings = \"none\"\n[game]\ntime_control = \"2s/move\"\nmax_plies = 4\n[standings]\n\
         order = [\"match-points\"]\n[run]\nmax_faults = \"none\"\n[playoff]\n{playoff}\n"
    );
    for (name, agent) in ["Ada", "Ben", "Cy", "Di"].iter().zip(agents) {
        event += &format!("[[player]]\nname = \"{name}\"\n{agent}\n");
    }
    event
}

fn greedy() -> String {
    format!("command = \"{}\"", engine("greedy"))
}

/// Takes 150 ms for every move.
fn slow() -> String {
    let agent = engine("fault-agent");
    format!("command = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"150\"]")
}

/// A run that waits for the time of its play-off, and whether it says something from now on, before it ends.
fn begun_and_waiting(place: &Place) -> (Child, impl FnMut(&str) -> bool + use<>) {
    let mut command = place.command(&["run", "event.toml", "--out", "run", "--json"]);
    let mut child = command.spawn().expect("it starts");
    let mut said = BufReader::new(child.stdout.take().expect("it is caught")).lines();
    let mut says = move |wanted: &str| said.by_ref().map_while(Result::ok).any(|line| line.contains(wanted));
    assert!(says("\"type\":\"waiting\""));
    (child, says)
}

fn playoff(place: &Place) -> Value {
    serde_json::from_str(&place.read("run/playoff.json")).expect("JSON")
}

const ROBIN: &str = "{ kind = \"round-robin\", two = \"2s/move\", more = \"2s/move\" }";
const ARMAGEDDON: &str = "{ kind = \"armageddon\", white = \"6:00\", black = \"5:00\", colors = \"lot\" }";

#[test]
fn two_tied_are_told_apart_by_a_mini_match_of_two_games() {
    let place = Place::new();
    let stages = "stages = [{ kind = \"round-robin\", two = \"50ms/move\", more = \"2s/move\" }]";
    place.write(
        "event.toml",
        &event(&[slow(), greedy()], &format!("places = [1]\n{stages}")),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);

    let told = playoff(&place);
    let tie = &told["ties"][0];
    assert_eq!(tie["settled"], serde_json::json!([["Ben"], ["Ada"]]));
    let games = tie["contests"][0]["games"].as_array().expect("games");
    assert_eq!(games.len(), 2, "a mini-match of two games");
    assert!(games.iter().all(|game| game["termination"] == "time-forfeit"));
    // Shown apart, and never counted.
    let standings: Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    let points = |row: usize| standings["players"][row]["match_points"].clone();
    assert_eq!((points(0), points(1)), (0.5.into(), 0.5.into()));
    let page = place.read("run/standings.md");
    assert!(page.contains("Played off, places 1–2: Ben; then Ada."), "{page}");
    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Stage \"play-off\"]\n").count(), 2);
    assert_eq!(pgn.matches("[TimeControl \"0.05/move\"]\n").count(), 2);
    assert!(pgn.contains("[Round \"1p1.1.2\"]"), "{pgn}");
    let only = |id: &str| {
        let exported = place.swissmatch(&["export", "games-json", "run", "--only", id]);
        exported.expect_code(0);
        let listed: Value = serde_json::from_str(&exported.stdout()).expect("JSON");
        listed["games"].as_array().map(Vec::len)
    };
    assert_eq!((only("1"), only("1p1"), only("1p1.1.2")), (Some(2), Some(2), Some(1)));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let shown = place.swissmatch(&["playoff", "run"]);
    shown.expect_code(0);
    assert!(shown.stdout().contains("Settled: Ben; then Ada."), "{}", shown.stdout());
}

#[test]
fn armageddon_ends_what_a_round_robin_leaves_level() {
    let place = Place::new();
    let stages = "stages = [{ kind = \"head-to-head\" }, { kind = \"round-robin\", two = \"2s/move\", more = \"2s/move\" }, \
                  { kind = \"armageddon\", white = \"5:00+2@61\", black = \"4:00+2@61\", colors = \"choice\" }]";
    let chooses_white = format!("{}\narmageddon = \"white\"", greedy());
    let agents = [greedy(), chooses_white, greedy()];
    place.write("event.toml", &event(&agents, &format!("places = [1]\n{stages}")));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);

    let told = playoff(&place);
    let contests = told["ties"][0]["contests"].as_array().expect("contests");
    let kinds: Vec<&Value> = contests.iter().map(|contest| &contest["kind"]).collect();
    assert_eq!(kinds, ["round-robin", "armageddon"], "three tied: no head to head");
    let knockout = &contests[1];
    assert_eq!(
        knockout["byes"].as_array().map(Vec::len),
        Some(1),
        "three left: one bye, then two"
    );
    let games = knockout["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    for (game, lot) in games.iter().zip(knockout["lots"].as_array().expect("lots")) {
        assert_eq!(game["result"], "1/2-1/2");
        let toss = &lot["drawn"][0];
        let chosen = if toss == "Ben" { &game["white"] } else { &game["black"] };
        assert_eq!(chosen, toss, "who won the coin has the colour of their choice");
    }
    let last = games.last().expect("a game");
    assert_eq!(
        told["ties"][0]["settled"][0][0], last["black"],
        "a draw is a win for Black"
    );
    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[WhiteTimeControl \"60/300:0+2\"]\n").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[BlackTimeControl \"60/240:0+2\"]\n").count(), 2);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn the_arbiter_decides_what_no_stage_is_left_for() {
    let place = Place::new();
    let keys = format!("places = [1]\nnumbers = \"lot\"\nstages = [{ROBIN}, {ROBIN}]");
    place.write("event.toml", &event(&[greedy(), greedy(), greedy()], &keys));
    let run = || place.swissmatch(&["run", "event.toml", "--out", "run"]);
    let stopped = run();
    stopped.expect_code(2);
    assert!(
        stopped.stderr().contains("swissmatch arbiter decide run"),
        "{}",
        stopped.stderr()
    );
    place.swissmatch(&["playoff", "run"]).expect_code(2);
    assert_eq!(playoff(&place)["ties"][0]["settled"], Value::Null);
    run().expect_code(2);

    let decide = |more: &[&str]| {
        let words = [
            "arbiter",
            "decide",
            "run",
            "--by",
            "C. Arbiter",
            "--consulted",
            "Ada",
            "--reason",
            "all level",
        ];
        place.swissmatch(&[words.as_slice(), more].concat())
    };
    decide(&["--result", "Zoe"]).expect_code(4);
    decide(&["--round-robin", "soon"]).expect_code(4);
    decide(&["--round-robin", "1s/move"]).expect_code(0);
    // Only what is asked is decided.
    decide(&["--result", "Ada"]).expect_code(4);
    run().expect_code(2);
    decide(&["--result", "Cy"]).expect_code(0);
    run().expect_code(0);

    let told = playoff(&place);
    assert_eq!(told["ties"][0]["settled"], serde_json::json!([["Cy"], ["Ada", "Ben"]]));
    let contests = told["ties"][0]["contests"].as_array().expect("contests");
    let numbered: Vec<&Value> = contests.iter().map(|contest| &contest["numbered"]).collect();
    let expected: [Value; 4] = ["lot".into(), "reversed".into(), "lot".into(), Value::Null];
    assert_eq!(numbered, expected.iter().collect::<Vec<_>>());
    assert_eq!(contests[3]["decision"]["by"], "C. Arbiter");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    decide(&["--result", "Ada"]).expect_code(4);
}

#[test]
fn a_play_off_waits_for_its_time_and_goes_on_after_an_interruption() {
    let place = Place::new();
    let keys = |wait: &str| format!("places = [1]\nstart_after = \"{wait}\"\nstages = [{ARMAGEDDON}]");
    let agents = [greedy(), greedy()];
    place.write("event.toml", &event(&agents, &keys("60m")));
    let (child, mut says) = begun_and_waiting(&place);
    send(child.id(), Signal::INT);
    assert!(!says("playoff-paired"));
    assert_eq!(finish(child).status.code(), Some(130));

    place.write("event.toml", &event(&agents, &keys("0s")));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let told = playoff(&place);
    let game = &told["ties"][0]["contests"][0]["games"][0];
    assert_eq!(told["ties"][0]["settled"][0][0], game["black"]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Every mini-match is level: the blitz leaves it so, draw odds do not. So it is in the match for third place beside the final, amid
/// which the run is killed.
#[test]
fn a_knockout_plays_off_what_is_level_before_the_next_round() {
    let place = Place::new();
    let stages = format!("third = \"match\"\nstages = [{ROBIN}, {ARMAGEDDON}]");
    let agents = [greedy(), greedy(), greedy(), greedy()];
    place.write("event.toml", &event(&agents, &stages).replace("\"RR\"", "\"knockout\""));
    let planned = place.swissmatch(&["plan", "event.toml"]);
    assert!(
        planned.stdout().contains("Pairs a round     2\n"),
        "{}",
        planned.stdout()
    );
    assert!(
        planned.stdout().contains("Games             8, 2"),
        "{}",
        planned.stdout()
    );
    let mut child = place
        .command(&["run", "event.toml", "--out", "run", "--json"])
        .spawn()
        .expect("it starts");
    let mut said = BufReader::new(child.stdout.take().expect("it is caught")).lines();
    assert!(
        said.by_ref()
            .map_while(Result::ok)
            .any(|line| line.contains("\"2.1.1\""))
    );
    send(child.id(), Signal::KILL);
    child.wait().expect("it is our child");
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let told = playoff(&place);
    let ties = told["ties"].as_array().expect("ties");
    let boards: Vec<(&Value, &Value)> = ties.iter().map(|tie| (&tie["round"], &tie["board"])).collect();
    assert_eq!(
        boards,
        [
            (&1.into(), &1.into()),
            (&1.into(), &2.into()),
            (&2.into(), &1.into()),
            (&2.into(), &2.into())
        ]
    );
    let winner = &ties[2]["settled"][0][0];
    let standings: Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    assert_eq!(&standings["players"][0]["name"], winner);
    assert_eq!(standings["players"][2]["name"], ties[3]["settled"][0][0]);
    let places: Vec<&Value> = (0..4).map(|row| &standings["players"][row]["place"]).collect();
    assert_eq!(places, [1, 2, 3, 4]);
    assert!(place.read("run/rules.md").contains("who wins is third"));
    let pgn = place.read("run/games.pgn");
    let rounds: Vec<&str> = pgn
        .lines()
        .filter_map(|line| line.strip_prefix("[Round \"")?.strip_suffix("\"]"))
        .collect();
    let expected = [
        "1.1.1", "1.1.2", "1.2.1", "1.2.2", "1p1.1.1", "1p1.1.2", "1p1.2.1", "1p1.2.2", "1p2.1.1", "1p2.2.1", "2.1.1",
        "2.1.2", "2.2.1", "2.2.2", "2p1.1.1", "2p1.1.2", "2p1.2.1", "2p1.2.2", "2p2.1.1", "2p2.2.1",
    ];
    assert_eq!(rounds, expected, "schedule order: each round, then its play-off rounds");
    assert_eq!(pgn.matches("[Armageddon \"drawn: Black wins\"]\n").count(), 4, "{pgn}");
    let words = pgn.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("; Black wins the Armageddon game} 1/2-1/2"), "{pgn}");
    assert_eq!(pgn.matches("[GamePair \"1p1.2.1\"]\n").count(), 2, "{pgn}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&["status", "run"]).expect_code(0);
}

#[test]
fn the_top_two_of_a_round_robin_play_a_final_that_goes_to_the_play_off() {
    let place = Place::new();
    let stages = format!("stages = [{ARMAGEDDON}]");
    let agents = [greedy(), greedy(), greedy()];
    let list = "[event]\nstages = [{ format = \"RR\" }, { format = \"knockout\", top = 2, games = 4 }]\n";
    let text = event(&agents, &stages)
        .replace("rounds = \"RR\"\n", "")
        .replace("[event]\n", list);
    place.write("event.toml", &text);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let told = playoff(&place);
    assert_eq!(
        (&told["ties"][0]["round"], &told["ties"][0]["board"]),
        (&4.into(), &1.into())
    );
    let winner = &told["ties"][0]["settled"][0][0];
    let standings: Value = serde_json::from_str(&place.read("run/standings.json")).expect("JSON");
    assert_eq!(&standings["ranking"][0]["name"], winner);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn sections_of_quads_are_played_off_each_for_itself() {
    let place = Place::new();
    let keys = format!("places = [1]\nstages = [{ARMAGEDDON}]");
    let mut text = event(&[], &keys).replace("\"RR\"", "\"quads\"");
    for number in 1..=8 {
        text += &format!(
            "[[player]]\nname = \"P{number}\"\nrating = {}\n{}\n",
            2000 - number,
            greedy()
        );
    }
    place.write("event.toml", &text);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let told = playoff(&place);
    let sections: Vec<&Value> = told["ties"]
        .as_array()
        .expect("ties")
        .iter()
        .map(|tie| &tie["section"])
        .collect();
    assert_eq!(sections, [1, 2]);
    for (tie, of) in told["ties"].as_array().expect("ties").iter().zip([1..=4, 5..=8]) {
        let winner = tie["settled"][0][0].as_str().expect("a name");
        assert!(of.into_iter().any(|number| winner == format!("P{number}")), "{winner}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Two events in which Ada and Ben share the first place, Cy and Di the third.
fn season(place: &Place) {
    let is_strong = |player: PairingNumber| player.index() < 2;
    for name in ["spring", "autumn"] {
        let agents: [String; 4] = std::array::from_fn(|_| greedy());
        let event = event(&agents, "places = []");
        let event = event.replace("[playoff]", "[prizes]\npoints = [10, 7, 3, 1]\n[playoff]");
        place.play_by_script(&event, name, move |game| {
            match (is_strong(game.white), is_strong(game.black)) {
                (true, false) => Outcome::win(Side::White),
                (false, true) => Outcome::win(Side::Black),
                _ => Outcome::Draw,
            }
        });
    }
}

/// 4.5: "separate ties for first and second place and for third place and below"; 4.6: two players play two games.
#[test]
fn a_tour_is_played_off_for_first_and_third_and_the_arbiter_breaks_what_is_left() {
    let place = Place::new();
    season(&place);
    let mut tour = format!(
        "preset = \"gct-tour\"\n[event]\nname = \"Tour\"\n[tour]\nruns = [\"spring\", \"autumn\"]\n[mini_match]\n\
         openings = \"none\"\n[game]\nmax_plies = 4\n[playoff]\nstages = [{ROBIN}, {ROBIN}]\n"
    );
    for name in ["Ada", "Ben", "Cy", "Di"] {
        tour += &format!("[[player]]\nname = \"{name}\"\n{}\n", greedy());
    }
    place.write("tour.toml", &tour);
    let before = place.swissmatch(&["tour", "tour.toml"]);
    before.expect_code(0);
    for tie in ["places 1 to 2, Ada, Ben.", "places 3 to 4, Cy, Di."] {
        assert!(before.stdout().contains(tie), "{}", before.stdout());
    }
    let run = || place.swissmatch(&["run", "tour.toml", "--out", "run"]);
    run().expect_code(2);
    let told = playoff(&place);
    for tie in told["ties"].as_array().expect("ties") {
        let contests = tie["contests"].as_array().expect("contests");
        let games: Vec<Option<usize>> = contests
            .iter()
            .map(|contest| contest["games"].as_array().map(Vec::len))
            .collect();
        assert_eq!(games, [Some(2), Some(2)], "two stages of two games");
    }

    let decide = |tie: &str, more: &[&str]| {
        let words = [
            "arbiter",
            "decide",
            "run",
            "--by",
            "C. Arbiter",
            "--reason",
            "level",
            "--tie",
            tie,
        ];
        place.swissmatch(&[words.as_slice(), more].concat())
    };
    decide("1-4", &["--result", "Ada"]).expect_code(4);
    decide("1-2", &["--result", "Cy"]).expect_code(4);
    decide("1-2", &["--result", "Ben"]).expect_code(0);
    decide("3-4", &["--round-robin", "1s/move"]).expect_code(0);
    run().expect_code(2);
    decide("3-4", &["--result", "Di"]).expect_code(0);
    run().expect_code(0);

    let tour: Value = serde_json::from_str(&place.read("run/tour.json")).expect("JSON");
    let rows = tour["players"].as_array().expect("players");
    let names: Vec<&Value> = rows.iter().map(|row| &row["name"]).collect();
    assert_eq!(names, ["Ben", "Ada", "Di", "Cy"]);
    let shown = place.swissmatch(&["tour", "run"]);
    shown.expect_code(0);
    assert!(!shown.stdout().contains("To be played off"), "{}", shown.stdout());
    place.swissmatch(&["verify", "run"]).expect_code(0);
    place.swissmatch(&["standings", "run"]).expect_code(4);
    place.swissmatch(&["status", "run"]).expect_code(0);
}

/// The log's own times: what was appended when.
fn times(place: &Place, kind: &str) -> Vec<jiff::Timestamp> {
    let log = rusqlite::Connection::open(place.path("run/run.sqlite")).expect("the log");
    let mut rows = log
        .prepare("SELECT at FROM entries WHERE kind = ?1 ORDER BY seq")
        .expect("a query");
    let times = rows.query_map([kind], |row| row.get::<_, String>(0)).expect("rows");
    times.map(|at| at.expect("a row").parse().expect("a time")).collect()
}

#[test]
fn gct_2_2_the_play_off_begins_not_sooner_than_the_wait_after_the_last_game() {
    let place = Place::new();
    let keys = format!("places = [1]\nstart_after = \"1500ms\"\nstages = [{ARMAGEDDON}]");
    place.write("event.toml", &event(&[greedy(), greedy()], &keys));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let last_of_round = times(&place, "game-finished")[1];
    let drawn = times(&place, "lot-drawn")[0];
    assert!(drawn.duration_since(last_of_round) >= jiff::SignedDuration::from_millis(1500));
    let begun = times(&place, "playoff-paired")[0];
    assert!(begun.duration_since(last_of_round) >= jiff::SignedDuration::from_millis(1500));
}

/// "Until the first game of that play-off begins a result may still be corrected": by a stopped run, and the next runner draws
/// again.
#[test]
fn a_result_is_corrected_during_the_wait_and_after_the_drawing() {
    let place = Place::new();
    let keys = |wait: &str| {
        format!("places = [1]\nstart_after = \"{wait}\"\nnumbers = \"lot\"\nstages = [{ROBIN}, {ARMAGEDDON}]")
    };
    let agents = [greedy(), greedy(), greedy()];
    place.write("event.toml", &event(&agents, &keys("60m")));
    let (child, mut says) = begun_and_waiting(&place);
    let arbiter = |words: &[&str]| {
        let all = [
            &["arbiter"],
            words,
            &["run", "--by", "C. Arbiter", "--reason", "protests"],
        ]
        .concat();
        place.swissmatch(&all)
    };
    // Both have lost that game, and are level all the same.
    arbiter(&["set-result", "1.1.1", "0-0"]).expect_code(0);
    send(child.id(), Signal::INT);
    assert!(!says("lot-drawn"), "the wait is not over");
    assert_eq!(finish(child).status.code(), Some(130));
    arbiter(&["set-result", "1.1.1", "1/2-1/2"]).expect_code(0);
    place.write("event.toml", &event(&agents, &keys("0s")));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let refused = arbiter(&["set-result", "1.1.1", "1-0"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("a play-off rests on the result"),
        "{}",
        refused.stderr()
    );
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// Two who have met are left, and never meet again by the Dutch system: the run says what would allow a pairing, its tables are
/// there, and the arbiter ends it.
#[test]
fn an_event_without_a_pairing_can_be_ended() {
    let place = Place::new();
    let mut text = "preset = \"none\"\n[event]\nname = \"stuck\"\n[swiss]\nrounds = 3\npairing = \"dutch\"\ncolor = \
                    \"first-game\"\nseeding = \"listed\"\n[bye]\nrequests = [{ rounds = 3, byes = 2 }]\n[mini_match]\ngames = 1\nopenings = \
                    \"none\"\n[game]\ntime_control = \"2s/move\"\nmax_plies = 4\n[standings]\norder = [\"match-points\"]\n[playoff]\n\
                    places = [1]\nnumbers = \"lot\"\nstages = [{ kind = \"armageddon\", white = \"6:00\", black = \"5:00\", colors = \
                    \"lot\" }]\n[prizes]\nby_place = [100]\n"
        .to_owned();
    for (name, byes) in [("Ada", ""), ("Ben", "byes = [2]"), ("Cy", ""), ("Di", "byes = [2]")] {
        text += &format!("[[player]]\nname = \"{name}\"\n{}\n{byes}\n", greedy());
    }
    place.write("event.toml", &text);
    let run = || place.swissmatch(&["run", "event.toml", "--out", "run"]);
    let stopped = run();
    stopped.expect_code(2);
    let said = stopped.stderr();
    assert!(
        said.contains("`swissmatch arbiter present 2 --round 2 --reason …`"),
        "{said}"
    );
    assert!(said.contains("`swissmatch arbiter end --reason …`"), "{said}");
    let tables = [
        "standings.csv",
        "standings.json",
        "crosstable.csv",
        "tournament.trf",
        "games.pgn",
    ];
    assert!(tables.iter().all(|table| place.path(&format!("run/{table}")).exists()));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    run().expect_code(2);

    let end = [
        "arbiter",
        "end",
        "run",
        "--by",
        "C. Arbiter",
        "--reason",
        "nobody is left to play",
    ];
    let ended = place.swissmatch(&end);
    ended.expect_code(0);
    assert!(
        ended.stdout().contains("The event has ended after round 1 of 3"),
        "{}",
        ended.stdout()
    );
    place.swissmatch(&end).expect_code(4);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    run().expect_code(0);
    assert_eq!(playoff(&place)["ties"][0]["settled"].as_array().map(Vec::len), Some(2));
    assert!(
        place
            .read("run/standings.md")
            .contains("Ended after round 1 of 3 by C. Arbiter: nobody is left to play.")
    );
    assert!(
        place
            .read("run/tournament.trf")
            .contains("### Ended after round 1 of 3 by C. Arbiter")
    );
    assert!(place.read("run/prizes.md").contains("Money"));
    for view in [
        &["status", "run"][..],
        &["explain", "Ada", "--run", "run"],
        &["arbiter", "log", "run"],
        &["verify", "run"],
    ] {
        place.swissmatch(view).expect_code(0);
    }
    run().expect_code(0);
}

/// What the arbiter decides is told by the files of the run at once.
#[test]
fn a_decision_that_ends_the_event_leaves_its_files() {
    let place = Place::new();
    let keys = "places = [1]\n[prizes]\nby_place = [{ trophy = \"Cup\" }]";
    place.write("event.toml", &event(&[greedy(), greedy()], keys));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(2);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let words = [
        "arbiter", "decide", "run", "--by", "A", "--reason", "B", "--result", "Ben",
    ];
    place.swissmatch(&words).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    assert!(place.read("run/prizes.md").contains("Ben: place 1, Cup"));
    let status: Value = serde_json::from_str(&place.swissmatch(&["status", "run", "--json"]).stdout()).expect("JSON");
    assert_eq!(
        (&status["final"], &status["leaders"][0]["name"]),
        (&true.into(), &"Ben".into())
    );
}
