//! `swissmatch plan` from outside.

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
