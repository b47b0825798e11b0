//! `swissmatch plan` from outside.

use serde_json::{Value, json};

use crate::adapters::{Request, first_legal, service};
use crate::models::said;
use crate::resume::tiny_event;
use crate::support::{Place, Ran, finish};

/// An event of so many agents, which need not be there.
fn place(players: u32, more: &str) -> Place {
    let place = Place::new();
    let games = if more.contains("double") { 2 } else { 4 };
    let mut event = format!("[event]\nname = \"field\"\nrng_seed = 3\n[mini_match]\ngames = {games}\n{more}\n");
    for number in 1..=players {
        event += &format!("[[player]]\nname = \"A{number}\"\ncommand = \"not-here\"\n");
        event += &format!("submitted_at = 2026-01-{number:02}T00:00:00Z\n");
        if !more.contains("unrated") {
            event += &format!("rating = {}\n", 2400 - 100 * number);
        }
    }
    place.write("event.toml", &event);
    place
}

fn plan(place: &Place, args: &[&str]) -> Ran {
    place.swissmatch(&[&["plan", "event.toml", "--events", "50"], args].concat())
}

fn json(place: &Place, args: &[&str]) -> serde_json::Value {
    let ran = plan(place, &[&["--json"], args].concat());
    ran.expect_code(0);
    serde_json::from_str(&ran.stdout()).expect("JSON")
}

#[test]
fn a_plan_needs_no_agents_and_is_the_same_on_1_and_4_threads() {
    let place = place(11, "");
    let printed = |threads: &str| {
        let mut command = place.command(&["plan", "event.toml", "--events", "50"]);
        let output = finish(command.env("RAYON_NUM_THREADS", threads).spawn().expect("it runs"));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let text = printed("1");
    assert_eq!(text, printed("4"));
    assert!(text.contains("Rounds            7, Swiss by match points"), "{text}");
    assert!(text.contains("Games             140, 4 a mini-match"), "{text}");
    let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('→')).collect();
    assert_eq!(lines.len(), 2, "the event stands in both tables: {text}");
    assert_eq!(lines[0], lines[1], "and is the same in both");
}

#[test]
fn known_strengths_far_apart_give_the_best_the_win() {
    let found = json(
        &place(8, ""),
        &["--ratings", "--draws", "0", "--set", "mini_match.games=40"],
    );
    let lines = found["simulated"].as_array().expect("lines").clone();
    let rounds: Vec<u64> = lines
        .iter()
        .filter(|line| line["games"] == 40)
        .filter_map(|line| line["rounds"].as_u64())
        .collect();
    assert_eq!(rounds, [4, 5, 6, 7], "no more than every opponent once");
    let chosen = lines
        .iter()
        .find(|line| line["games"] == 80)
        .expect("80 games are looked at");
    assert!(chosen["best_wins"].as_u64() >= Some(45), "{chosen}");
    assert_eq!(found["spread"], serde_json::Value::Null);
}

#[test]
fn every_system_is_simulated() {
    let dutch = "[swiss]\npairing = \"dutch\"\nrounds = 4\ncolor = \"first-game\"\nacceleration = \"baku\"";
    let immortal = "[swiss]\npairing = \"immortal\"\nrounds = 4";
    let double =
        "[swiss]\npairing = \"double-swiss\"\nrounds = \"4-double-SS\"\n[standings]\norder = [\"game-points\", \"BH\"]";
    for (players, more, expected) in [
        (9, dutch, "Dutch system"),
        (9, immortal, "immortal system"),
        (9, double, "Double-Swiss system"),
        (5, "", "all-play-all"),
        (9, "[swiss]\nrounds = 3", "match points"),
    ] {
        let ran = plan(&place(players, more), &[]);
        ran.expect_code(0);
        assert!(ran.stdout().contains(expected), "{}", ran.stdout());
        assert!(
            !ran.stdout().contains("left out"),
            "every round has a pairing: {}",
            ran.stdout()
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_remedy() {
    let unrated = place(4, "# unrated");
    for (args, expected) in [
        (&["--ratings"][..], "A1 has none"),
        (&["--rating-error", "50"], "swiss.seeding = \"rating\""),
        (&["--spread", "wide"], "such as 200"),
        (&["--spread", "-1"], "such as 200"),
        (&["--ratings", "--spread", "100"], "cannot be used with"),
        (&["--draws", "101"], "101"),
    ] {
        let ran = plan(&unrated, args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(expected), "{args:?}: {}", ran.stderr());
    }
}

#[test]
fn openings_that_are_too_few_or_not_there_are_told() {
    let place = place(4, "openings = \"one.epd\"\nopening_policy = \"event\"");
    let warned = |expected: &str| {
        let ran = plan(&place, &["--json"]);
        ran.expect_code(0);
        assert!(ran.stderr().contains(expected), "{}", ran.stderr());
        let json: serde_json::Value = serde_json::from_str(&ran.stdout()).expect("JSON");
        let warning = json["warnings"][0].as_str().unwrap_or_default();
        assert!(warning.contains(expected), "{json}");
    };
    warned("one.epd cannot be read");
    place.write("one.epd", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n");
    warned("the event may need 2 openings, but one.epd has 1");
}

/// What is imported for each game anew takes its time, too.
#[test]
fn starting_agents_anew_for_each_game_is_counted_beside() {
    let place = place(4, "[engine]\nrestart = \"game\"\nstart_limit = \"40s\"");
    let ran = plan(&place, &["--set", "run.concurrency=1"]);
    // 24 games of two starts each.
    let told = "Starting          up to 32 min 00 s more: each game starts its agents anew (engine.restart), each within 40 s (engine.start_limit)";
    assert!(ran.expect_code(0).stdout().contains(told), "{}", ran.stdout());
    let found = json(&place, &["--set", "run.concurrency=1"]);
    assert_eq!(found["starting_seconds"], 1920, "{found}");
    let never = json(&place, &["--set", "engine.restart=never"]);
    assert!(never["starting_seconds"].is_null(), "{never}");
}

/// Nodes say nothing about time; a few games do.
#[test]
fn time_is_measured_where_nothing_is_known_of_it() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    let plan = |more: &[&str]| {
        let args = [&["plan", "event.toml", "--events", "10", "--json"], more].concat();
        let ran = place.swissmatch(&args);
        ran.expect_code(0);
        serde_json::from_str::<serde_json::Value>(&ran.stdout()).expect("JSON")
    };
    let seconds = |json: &serde_json::Value| json["likely_seconds"].as_u64();
    let (unknown, measured) = (plan(&[]), plan(&["--measure"]));
    assert_eq!(seconds(&unknown), None, "{unknown}");
    assert!(seconds(&measured).is_some_and(|seconds| seconds < 60), "{measured}");
}

/// Tokens and money come from games that were played, and what they are too much for is told before.
#[test]
fn what_models_use_is_estimated_from_games_that_were_played() {
    fn plays(_: usize, request: &Request) -> Option<String> {
        Some(said(&format!("<uci_move>{}</uci_move>", first_legal(request)?), "stop"))
    }
    let (url, _told) = service(plays);
    let place = Place::new();
    place.write("move.jinja", "{{ FEN }}\nLegal: {{ legal_moves_uci }}\n");
    let event = format!(
        "event.name = \"priced\"\nswiss.rounds = 1\nmini_match.games = 2\nmini_match.openings = \"none\"\ngame.max_moves = 3\n\
         model.prompt = \"move.jinja\"\nengine.isolation = \"off\"\n[spending]\nevent = 0.0005\n\
         [endpoint.local]\nurl = \"{url}/v1\"\nstream = false\nprice = {{ input = 1.0, output = 2.0, cached = 0.5 }}\n\
         [[player]]\nname = \"Qwen\"\nmodel = \"local:small\"\n[[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n"
    );
    place.write("event.toml", &event);
    let told = |args: &[&str]| {
        let ran = place.swissmatch(&[&["plan", "event.toml", "--events", "10", "--json"], args].concat());
        ran.expect_code(0);
        (
            serde_json::from_str::<Value>(&ran.stdout()).expect("JSON"),
            ran.stderr(),
        )
    };
    let (unknown, quiet) = told(&[]);
    let player = &unknown["spending"]["players"][0];
    assert_eq!(
        (&player["games"], &player["games_measured"], &player["cost"]),
        (&json!(2), &json!(0), &json!(null))
    );
    assert!(!quiet.contains("spending.event"), "{quiet}");
    let (measured, warned) = told(&["--measure", "--set", "spending.event=1"]);
    assert!(!warned.contains("spending.event"), "{warned}");
    place
        .swissmatch(&["run", "event.toml", "--out", "run", "--set", "spending.event=1"])
        .expect_code(0);
    let (read, warned) = told(&["--from", "run"]);
    // Half a minute's limit says little of who answers at once.
    assert!(unknown["likely_seconds"].as_u64() > Some(60), "{unknown}");
    assert!(
        read["likely_seconds"].as_u64().is_some_and(|seconds| seconds < 10),
        "{read}"
    );
    // Three moves of each of two games; 60, 40 at half the price, and 2 times 10 for each.
    let range = |number: u64| json!({ "least": number, "most": number });
    for found in [&measured, &read] {
        let player = &found["spending"]["players"][0];
        assert_eq!(player["requests"], range(6), "{player}");
        assert_eq!(
            (&player["input_tokens"], &player["cost"]),
            (&range(600), &range(600)),
            "{player}"
        );
    }
    let limit = "spending.event is 0.000500, and the event is likely to cost 0.000600: raise it, or play fewer games";
    assert!(warned.contains(limit), "{warned}");
    assert!(read["warnings"].to_string().contains(limit), "{read}");
}
