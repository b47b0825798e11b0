//! What the arbiter announces is in the log, on the console, in `run --json`, in the minutes and on the page, also while an embargo
//! lasts; with a runner at work and without one.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, send, until};
use crate::support::{Place, Ran, engine};

const PATIENCE: Duration = Duration::from_secs(60);

fn announce(place: &Place, text: &str) -> Ran {
    place.swissmatch(&["arbiter", "announce", text, "run", "--by", "Ann"])
}

#[test]
fn an_announcement_reaches_everybody_who_follows_the_event() {
    let place = Place::new();
    let players: String = ["Alpha", "Bravo", "Charlie", "Delta"]
        .iter()
        .map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"{}\"\n", engine("greedy")))
        .collect();
    place.write(
        "event.toml",
        &format!(
            "preset = \"none\"\n[event]\nname = \"Spring\"\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
             [game]\nnodes = 200\nmax_moves = 10\n[publish]\nembargo_rounds = 1\n{players}"
        ),
    );
    let mut run = Background::start(
        &place,
        &["run", "event.toml", "--out", "run", "--confirm-rounds", "--json"],
    );
    until("the first pairing", PATIENCE, || {
        place.read("said").contains("\"round-proposed\"").then_some(())
    });
    let said = announce(&place, "Round 1 begins at <noon> & not before");
    said.expect_code(0);
    assert!(
        said.stdout().contains(
            "Spring: Ann announced: Round 1 begins at <noon> & not before. The page of the event shows it at once."
        ),
        "{}",
        said.stdout()
    );
    for (text, why) in [
        ("two\nlines", "an announcement must be one line of 1 to 1000 characters"),
        ("", "1 to 1000"),
    ] {
        let refused = announce(&place, text);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
    send(run.guard(), Signal::TERM);
    assert_eq!(run.end(PATIENCE).code(), Some(130));
    let lines = place.read("said");
    let acted: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .filter(|line: &Value| line["type"] == "acted")
        .collect();
    assert_eq!(acted.len(), 1, "{lines}");
    assert_eq!(acted[0]["did"], "announced: Round 1 begins at <noon> & not before");

    // Without a runner, and after it by one that plays to the end.
    let said = announce(&place, "The runner is back in an hour.");
    said.expect_code(0);
    assert!(said.stdout().contains("in an hour. The page"), "{}", said.stdout());
    let played = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    played.expect_code(0);
    announce(&place, "Thank you all").expect_code(0);
    let minutes = place.swissmatch(&["arbiter", "log", "run"]).stdout();
    for text in ["Round 1 begins at <noon>", "The runner is back", "Thank you all"] {
        assert!(minutes.contains(&format!("Ann announced: {text}")), "{minutes}");
    }
    assert!(!minutes.contains(".."), "{minutes}");
    place.swissmatch(&["verify", "run"]).expect_code(0);

    // The last round is held back, and no minutes are shown, but what was announced is.
    place
        .swissmatch(&["report", "run", "--output", "event.html"])
        .expect_code(0);
    let page = place.read("event.html");
    assert!(!page.contains("id=\"minutes\"") && !page.contains("id=\"round-2\""));
    let [newest, oldest] = [
        "<p>Thank you all</p>",
        "<p>Round 1 begins at &lt;noon&gt; &amp; not before</p>",
    ]
    .map(|text| page.find(text).unwrap_or_else(|| panic!("{text}")));
    assert!(newest < oldest, "the newest comes first");
    assert_eq!(page.matches("<p class=\"when\"><time datetime=\"20").count(), 3);
}
