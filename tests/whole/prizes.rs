//! `swissmatch prizes` and `swissmatch tour` from outside.

use serde_json::{Value, json};
use swissmatch::game::termination::Outcome;

use crate::damage::unguarded;
use crate::resume::tiny_event;
use crate::support::{Place, engine};

/// An event of these players in which every game is drawn after a move, so that all are level.
fn drawn(name: &str, players: &[&str], keys: &str) -> String {
    let mut event = format!(
        "[event]\nname = \"{name}\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n[game]\nnodes = 1\nmax_moves = 1\n{keys}\n"
    );
    let command = engine("random-mover");
    for name in players {
        event += &format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n");
    }
    event
}

fn play(place: &Place, name: &str, event: &str) {
    let file = format!("{name}.toml");
    place.write(&file, event);
    place.swissmatch(&["run", &file, "--out", name]).expect_code(0);
}

/// The same of one in which every game is drawn.
fn play_drawn(place: &Place, name: &str, event: &str) {
    place.write(&format!("{name}.toml"), event);
    place.play_by_script(event, name, |_| Outcome::Draw);
}

fn printed(place: &Place, args: &[&str]) -> String {
    let ran = place.swissmatch(args);
    ran.expect_code(0);
    ran.stdout()
}

fn json_of(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&printed(place, args)).expect("JSON")
}

/// Cents of `36666.67`.
fn cents(money: &Value) -> u64 {
    let text = money.as_number().expect("money").to_string();
    let (whole, cents) = text.split_once('.').unwrap_or((&text, ""));
    assert!(cents.len() <= 2, "{text}");
    format!("{whole}{cents:0<2}").parse().expect("a number")
}

#[test]
fn a_prize_statement_adds_up_and_is_published() {
    let place = Place::new();
    let keys = "[prizes]\ncurrency = \"USD\"\nby_place = [100.01, { money = 50, trophy = \"Cup\" }, 20]\nwinner_fixed = 10\n\
                points = [12, 10, 8]\noutright_bonus = 1\n";
    play(
        &place,
        "run",
        &(tiny_event().replace("[game]", &format!("{keys}[game]"))),
    );
    let statement = json_of(&place, &["prizes", "run", "--json"]);
    let mut all = cents(&statement["pending_money"]);
    for player in statement["players"].as_array().expect("players") {
        let lines = player["lines"].as_array().expect("lines");
        let money = lines.iter().filter_map(|line| line.get("money")).map(cents);
        let sum: u64 = money.sum();
        assert_eq!(sum, cents(&player["money"]), "{player}");
        all += sum;
    }
    assert_eq!(all, 17_001);

    assert_eq!(
        place.read("run/prizes.json"),
        printed(&place, &["prizes", "run", "--json"])
    );
    assert_eq!(
        place.read("run/prizes.md"),
        printed(&place, &["prizes", "run", "--markdown"])
    );
    let csv = printed(&place, &["prizes", "run", "--csv"]);
    assert!(csv.starts_with("#,Name,Money,Trophy,Tour points\n"), "{csv}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let forged = place.read("run/prizes.json").replace("\"given\": ", "\"given\": 1");
    place.write("run/prizes.json", &forged);
    let ran = place.swissmatch(&["verify", "run"]);
    ran.expect_code(1);
    assert!(ran.stdout().contains("prizes.json"), "{}", ran.stdout());
}

#[test]
fn four_level_share_and_the_winner_is_still_to_be_found() {
    let place = Place::new();
    let keys = "[prizes]\nby_place = [40000, 30000, 20000]\nwinner_fixed = 10000\n";
    play_drawn(&place, "run", &drawn("Draws", &["A", "B", "C", "D"], keys));
    let text = printed(&place, &["prizes", "run"]);
    assert!(text.starts_with("Draws: prizes\n\n#  Name     Money\n"), "{text}");
    assert!(
        text.contains("\nA: places 1 to 4, 80000.00 among 4, 20000.00.\n"),
        "{text}"
    );
    let pending = "Pending: 10000.00 of the first prize, for the winner, among A, B, C, D.\n";
    assert!(text.ends_with(pending), "{text}");
}

/// Three level for first in a classical event of the Grand Chess Tour, and what of it waits for the play-off.
fn classical(stage: &str) -> Place {
    let place = Place::new();
    let keys = format!(
        "[prizes]\nby_place = [40000, 30000, 20000]\nwinner_fixed = 10000\npoints = [12, 10, 8]\noutright_bonus = 1\n\
         [playoff]\nplaces = [1]\nstages = [{stage}]\n"
    );
    let event = drawn("Classical", &["A", "B", "C"], &keys).replace("rounds = 1", "rounds = \"RR\"");
    place.write("event.toml", &event);
    place
}

#[test]
fn gct_3_6_a_play_off_gives_the_winner_his_part_and_nothing_else() {
    let place = classical("{ kind = \"armageddon\", white = \"60\", black = \"60\", colors = \"lot\" }");
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let statement: Value = serde_json::from_str(&place.read("run/prizes.json")).expect("JSON");
    let players = statement["players"].as_array().expect("players");
    let of = |key: &str| players.iter().map(|player| player[key].clone()).collect::<Vec<_>>();
    assert_eq!(of("money"), [36666.67, 26666.67, 26666.66]);
    assert_eq!(of("tour_points"), vec![json!({ "value": 10 }); 3], "no bonus");
    assert_eq!(statement["pending"], json!([]));
    let playoff: Value = serde_json::from_str(&place.read("run/playoff.json")).expect("JSON");
    assert_eq!(playoff["ties"][0]["settled"][0][0], statement["winner"]);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn what_the_arbiter_has_to_settle_is_pending() {
    let place = classical("{ kind = \"round-robin\", two = \"60\", more = \"60\" }");
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(2);
    let statement = json_of(&place, &["prizes", "run", "--json"]);
    assert_eq!(
        (&statement["winner"], &statement["given"]),
        (&Value::Null, &79999.98.into())
    );
    let kinds: Vec<_> = statement["pending"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|pending| &pending["kind"])
        .collect();
    assert_eq!(kinds, ["winner", "spare-cents"]);
    assert_eq!(statement["pending_money"], 10000.02);
    assert!(!place.path("run/prizes.json").exists(), "it is not over");
}

#[test]
fn no_prizes_without_an_end_or_without_any() {
    let place = Place::new();
    play_drawn(&place, "bare", &drawn("Bare", &["A", "B"], ""));
    let ran = place.swissmatch(&["prizes", "bare"]);
    ran.expect_code(4);
    assert_eq!(
        ran.stderr(),
        "swissmatch: bare has no prizes: its event file sets neither prizes.by_place nor prizes.points\n"
    );
    assert!(!place.path("bare/prizes.json").exists() && !place.path("bare/prizes.md").exists());

    play_drawn(
        &place,
        "run",
        &drawn("Drawn", &["A", "B"], "[prizes]\nby_place = [10]\n"),
    );
    forget_the_last_game(&place, "run");
    let ran = place.swissmatch(&["prizes", "run"]);
    ran.expect_code(4);
    assert_eq!(
        ran.stderr(),
        "swissmatch: run is not over: 0 of 1 round is over; prizes are given at the end\n"
    );
}

/// The run as it was before its last game was saved.
fn forget_the_last_game(place: &Place, run: &str) {
    let last = "DELETE FROM entries WHERE seq = (SELECT max(seq) FROM entries)";
    let deleted = unguarded(&place.path(run)).execute(last, ()).expect("the log is there");
    assert_eq!(deleted, 1);
}

const TOUR: &str = "preset = \"gct-tour\"\n[event]\nname = \"Tour\"\n[tour]\nruns = [\"spring\", \"autumn\"]\nbonus = [100, 50.01, 20]\nqualified = 3\n";

/// Spring: A, B, C and D level; autumn: A and B level.
fn season() -> Place {
    let place = Place::new();
    let points = |points: &str| format!("[prizes]\npoints = {points}\noutright_bonus = 1\n");
    play_drawn(
        &place,
        "spring",
        &drawn("Spring", &["A", "B", "C", "D"], &points("[12, 10, 8, 6]")),
    );
    play_drawn(&place, "autumn", &drawn("Autumn", &["A", "B"], &points("[7, 6]")));
    place.write("tour.toml", TOUR);
    place
}

#[test]
fn a_tour_of_two_events() {
    let place = season();
    insta::assert_snapshot!(printed(&place, &["tour", "tour.toml"]), @"
    Tour: overall standings after 2 events

    #  Name  E1   E2  Total  Qualified  Bonus
    ─────────────────────────────────────────
    1  A      9  6.5   15.5  yes        75.00
    1  B      9  6.5   15.5  yes        75.00
    3  C      9    -      9  open       10.00
    3  D      9    -      9  open       10.00

    E1: Spring.
    E2: Autumn.
    To be played off: places 1 to 2, A, B.
    To be played off: places 3 to 4, C, D.
    Pending: 0.01 of the bonuses, spare cents by placing.
    ");
    let overall = json_of(&place, &["tour", "tour.toml", "--json"]);
    assert_eq!(overall["players"][2]["tour_points"], json!([{ "value": 9 }, null]));
    assert_eq!(
        overall["to_play_off"][1],
        json!({ "places": [3, 4], "players": ["C", "D"] })
    );
    assert!(printed(&place, &["tour", "tour.toml", "--markdown"]).contains("| 1 | A | 9 | 6.5 | 15.5 | yes | 75.00 |"));
    assert!(printed(&place, &["tour", "tour.toml", "--csv"]).contains("\n3,C,9,-,9,open,10.00\n"));
    // From elsewhere: runs are relative to the file.
    let file = place.path("tour.toml").display().to_string();
    let elsewhere = Place::new();
    printed(&elsewhere, &["tour", &file]);
}

#[test]
fn tours_that_are_none_are_refused_by_name() {
    let place = season();
    play_drawn(&place, "bare", &drawn("Bare", &["A", "B"], ""));
    let refused = |args: &[&str], message: &str| {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert_eq!(ran.stderr(), format!("swissmatch: {message}\n"));
    };
    let with_runs = |runs: &str, message: &str| {
        place.write("other.toml", &TOUR.replace("[\"spring\", \"autumn\"]", runs));
        refused(
            &["tour", "other.toml"],
            &format!("other.toml:5:1: tour.runs: {message}"),
        );
    };
    with_runs("[\"spring\", \"./spring/\"]", "./spring/: this run is given twice");
    with_runs(
        "[\"spring\", \"bare\"]",
        "bare: its event gives no tour points (prizes.points)",
    );
    let gone = place.path("gone").display().to_string();
    let no_run = "holds no run (there is no run.sqlite in it); give the directory that `swissmatch run` wrote to";
    with_runs("[\"gone\"]", &format!("gone: {gone} {no_run}"));
    refused(
        &["tour", "spring.toml"],
        "preset global-chess-challenge: tour.runs: this event is not a tour; \
         write tour.runs = [\"results/spring\", \"results/autumn\"], for example",
    );
    refused(
        &["plan", "tour.toml"],
        "tour.toml:5:1: tour.runs: a tour has no rounds; `swissmatch tour tour.toml` shows its standings",
    );
    refused(
        &["run", "tour.toml"],
        "tour.toml: player: these players have to play off, but have no agent here: A, B, C, D; for each, add a [[player]] \
         with that name and a command",
    );
    forget_the_last_game(&place, "autumn");
    with_runs(
        "[\"spring\", \"autumn\"]",
        "autumn: it is not over: 0 of 1 round is over",
    );
}
