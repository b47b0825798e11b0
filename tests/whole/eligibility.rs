//! Who may play: `check --all`, the file of qualifications, and `run` that asks for them.

use std::path::Path;

use serde_json::Value;

use crate::support::{Place, Ran, engine};

/// An event of three, which asks for qualifications against the random mover.
fn event(place: &Place, more: &str) {
    for agent in ["alphabeta", "greedy", "random-mover"] {
        let link = place.path(agent);
        if !link.exists() {
            std::fs::copy(engine(agent), link).expect("a copy");
        }
    }
    let text = format!(
        "event.name = \"entry\"\nswiss.rounds = 1\nmini_match.games = 2\ngame.max_moves = 3\ngame.margin = \"2s\"\n\
         run.concurrency = 2\n\
         [eligibility]\nrequired = true\nbaseline = \"./random-mover\"\ngames = 2\nscore = 0.5\n\
         time_control = \"20ms/move\"\nvalid_for = \"90d\"\n{more}\n\
         [[player]]\nname = \"Strong\"\ncommand = \"./alphabeta\"\n\
         [[player]]\nname = \"Greedy\"\ncommand = \"./greedy\"\n\
         [[player]]\nname = \"Faulty\"\ncommand = \"{}\"\nargs = [\"--fault\", \"illegal\", \"--every\"]\n",
        engine("fault-agent")
    );
    place.write("event.toml", &text);
}

fn run(place: &Place) -> Ran {
    place.swissmatch(&["run", "event.toml", "--out", "run"])
}

fn all(place: &Place, more: &[&str]) -> (Ran, Value) {
    let ran = place.swissmatch(&[&["check", "--all", "event.toml", "--json"], more].concat());
    let listed = serde_json::from_str(&ran.stdout());
    let listed = listed.unwrap_or_else(|error| panic!("{error}\n{}\n{}", ran.stdout(), ran.stderr()));
    (ran, listed)
}

fn records(place: &Place) -> Value {
    serde_json::from_str(&place.read("eligibility.json")).expect("JSON")
}

fn lights(listed: &Value) -> Vec<(&str, &str)> {
    let players = listed["players"].as_array().expect("players");
    players
        .iter()
        .map(|player| {
            (
                player["name"].as_str().expect("a name"),
                player["light"].as_str().expect("a light"),
            )
        })
        .collect()
}

/// The whole way: refused without records, checked, refused for the one that failed, mended, played; then expired, changed.
#[test]
fn only_the_qualified_play_and_what_keeps_others_out_is_said() {
    let place = Place::new();
    event(&place, "");
    let refused = run(&place);
    refused.expect_code(4);
    for line in [
        "3 of 3 have none",
        "\n  Strong: it has no qualification\n  Greedy: it has no qualification\n  Faulty: it has no qualification\n",
        "swissmatch check --all event.toml --only-stale",
    ] {
        assert!(refused.stderr().contains(line), "{}", refused.stderr());
    }
    assert!(!Path::new(&place.path("run")).exists(), "nothing was made");

    let (ran, listed) = all(&place, &[]);
    ran.expect_code(1);
    let found = lights(&listed);
    assert_eq!(found.len(), 3);
    assert!(matches!(found[0], ("Strong", "green" | "yellow")), "{listed:#}");
    assert_eq!(found[2], ("Faulty", "red"), "{listed:#}");
    let of_strong = &records(&place)["players"]["Strong"];
    assert_eq!(of_strong["agent"]["files"].as_array().map(Vec::len), Some(1));
    assert_eq!(of_strong["played"]["terms"]["games"], 2);
    assert!(of_strong["expires"].is_string() && of_strong["date"].is_string());

    let refused = run(&place);
    refused.expect_code(4);
    let expected = "Faulty: it failed its check (stop, positions";
    assert!(refused.stderr().contains(expected), "{}", refused.stderr());
    assert!(!refused.stderr().contains("Strong:"), "{}", refused.stderr());

    // The faulty one is mended: of its check alone the others keep theirs. Who is greedy may have lost to chance.
    let text = place
        .read("event.toml")
        .replace("args = [\"--fault\", \"illegal\", \"--every\"]", "args = []");
    let text = text.replace("score = 0.5", "score = 0");
    place.write("event.toml", &text);
    let before = records(&place);
    let one = place.swissmatch(&["check", "--event", "event.toml", "--player", "Faulty"]);
    assert!(matches!(one.output.status.code(), Some(0 | 1)), "{}", one.stderr());
    assert_eq!(records(&place)["players"]["Strong"], before["players"]["Strong"]);
    let (ran, listed) = all(&place, &["--only-stale"]);
    ran.expect_code(0);
    assert_eq!(listed["players"][0]["report"], Value::Null, "it was not checked again");
    run(&place).expect_code(0);
    // Going on asks nobody: even a file of qualifications that is gone.
    let kept = place.read("eligibility.json");
    std::fs::remove_file(place.path("eligibility.json")).expect("it goes");
    run(&place).expect_code(0);
    place.write("eligibility.json", &kept);

    // What expires and what changes keeps out of the next run.
    let mut old = records(&place);
    old["players"]["Greedy"]["expires"] = Value::from("2020-02-29");
    place.write("eligibility.json", &old.to_string());
    let mut bytes = std::fs::read(place.path("alphabeta")).expect("its program");
    bytes.push(0);
    std::fs::write(place.path("alphabeta"), bytes).expect("it changes");
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run", "--fresh"]);
    refused.expect_code(4);
    for line in [
        "2 of 3 have none",
        "Strong: it is not what was checked: ",
        "alphabeta has changed (SHA-256 was ",
        "Greedy: its qualification expired on 2020-02-29",
    ] {
        assert!(refused.stderr().contains(line), "{line}: {}", refused.stderr());
    }
}

#[test]
fn a_player_that_cannot_be_found_is_red_and_the_others_are_checked() {
    let place = Place::new();
    event(&place, "");
    let text = place.read("event.toml").replace("./greedy", "./gone");
    place.write("event.toml", &text);
    let (ran, listed) = all(&place, &[]);
    ran.expect_code(1);
    assert_eq!(lights(&listed)[1], ("Greedy", "red"));
    let says = listed["players"][1]["says"].as_str().expect("text");
    assert!(says.contains("player.command: there is no file"), "{says}");
    assert!(records(&place)["players"]["Greedy"].is_null());
    assert!(records(&place)["players"]["Strong"].is_object());
}

#[test]
fn a_file_that_is_no_record_is_refused_before_anything_starts() {
    let place = Place::new();
    event(&place, "");
    for (text, expected) in [
        ("{}", "it is not a file of qualifications: missing field `version`"),
        (
            "{\"version\": 9}",
            "it has version 9, but this swissmatch knows version 1",
        ),
    ] {
        place.write("eligibility.json", text);
        for args in [
            &["run", "event.toml", "--out", "run"][..],
            &["check", "--all", "event.toml"],
        ] {
            let refused = place.swissmatch(args);
            refused.expect_code(4);
            assert!(refused.stderr().contains(expected), "{}", refused.stderr());
        }
        assert_eq!(place.read("eligibility.json"), text, "it stays as it was");
    }
}
