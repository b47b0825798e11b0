//! The page of a real run, in a real browser and by readers that are not ours.

use std::path::Path;
use std::process::Command;

use crate::support::{Place, engine};

const EVENT: &str = "</script><img src=x onerror=alert(1)> & \"q\"";
/// Names as entrants might choose them.
const NAMES: [&str; 4] = [
    "<b>bold</b>",
    "a' onmouseover='x",
    "=SUM(A1)",
    "<!-- <script>alert(2)</script>",
];

/// A run of four agents with hostile names, one of which fails.
fn played() -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("suites")).expect("a directory");
    place.write(
        "suites/own.epd",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n",
    );
    let players: String = NAMES
        .iter()
        .map(|name| {
            let fault = if name.starts_with('=') {
                "args = [\"--fault\", \"illegal\", \"--at\", \"3\", \"--times\", \"1\"]\n"
            } else {
                ""
            };
            format!(
                "[[player]]\nname = {name:?}\ncommand = '{}'\n{fault}",
                engine("fault-agent")
            )
        })
        .collect();
    place.write(
        "event.toml",
        &format!(
            "[event]\nname = {EVENT:?}\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 2\nopenings = \"suites/own.epd\"\n[game]\n\
             time_control = \"10s/move\"\nmax_plies = 40\n[run]\nmax_faults = \"100%\"\n{players}"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place
}

fn read(command: &mut Command) -> String {
    let output = command.output().expect("it is installed by make test");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}\n{err}");
    out.into_owned()
}

/// "`report` opens from disk in Chromium, and a game is replayed on its board": every game.
#[test]
fn every_game_is_replayed_in_a_browser() {
    let place = played();
    let ran = place.swissmatch(&["report", "run", "--output", "event.html"]);
    ran.expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    place.write("records.jsonl", &records);
    looked_at(&place, "event.html");
    // The same as a folder, from a server.
    let publish = || place.swissmatch(&["publish", "public", "run"]);
    let said = publish();
    said.expect_code(0);
    assert!(said.stderr().contains("public: 8 files written"), "{}", said.stderr());
    looked_at(&place, "public");
    assert!(publish().stderr().contains("public: 0 files written"));
}

/// What the browser shows of the page: all twelve games.
fn looked_at(place: &Place, page: &str) {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let said = read(
        Command::new("node")
            .arg(web.join("test/of_run.mjs"))
            .args([place.path(page), place.path("records.jsonl")])
            .arg(EVENT),
    );
    assert_eq!(said.trim(), "12 games replayed");
}

/// A folder that is somebody else's is left alone, and one that is followed is up to date when the event is over.
#[test]
fn a_folder_is_kept_up_to_date_and_no_other_is_touched() {
    let place = played();
    std::fs::create_dir(place.path("mine")).expect("a directory");
    place.write("mine/index.html", "<p>mine</p>");
    for (folder, why) in [
        ("mine", "has an index.html that swissmatch did not make"),
        ("run", "holds a run"),
    ] {
        let refused = place.swissmatch(&["publish", folder, "run"]);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
    assert_eq!(place.read("mine/index.html"), "<p>mine</p>");
    place
        .swissmatch(&["publish", "public", "run", "--follow"])
        .expect_code(0);
    let event: serde_json::Value = serde_json::from_str(&place.read("public/event.json")).expect("JSON");
    assert_eq!((&event["over"], &event["games"]), (&true.into(), &"files".into()));
    let games: serde_json::Value = serde_json::from_str(&place.read("public/games/3.2.json")).expect("JSON");
    assert_eq!(games["games"].as_array().map(Vec::len), Some(2));
}

/// What others wrote is text for Python's parser of HTML too, and nothing in the page says what it is an allow-list against.
#[test]
fn another_parser_finds_text_and_no_markup_of_others() {
    const SCRIPT: &str = r##"
import json, sys
from html.parser import HTMLParser
class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.handlers, self.loaded, self.text, self.within, self.data = {}, [], [], [], [], ""
    def handle_starttag(self, tag, attributes):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.handlers += [name for name, _ in attributes if name.startswith("on") or name == "style"]
        self.loaded += [value for name, value in attributes if name in ("src", "data", "action") or (name == "href" and not value.startswith("#"))]
        self.within.append((tag, dict(attributes).get("id")))
    def handle_endtag(self, tag):
        while self.within and self.within.pop()[0] != tag: pass
    def handle_data(self, text):
        if self.within and self.within[-1] == ("script", "event"): self.data += text
        elif not self.within or self.within[-1][0] not in ("script", "style", "pre"): self.text.append(text)
page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
event = json.loads(page.data)
print(json.dumps({"b": page.tags.get("b", 0), "img": page.tags.get("img", 0), "handlers": page.handlers, "loaded": page.loaded,
                  "text": "\n".join(page.text), "names": [player["name"] for player in event["players"]], "event": event["event"],
                  "scripts": page.tags["script"], "mini_matches": len(event["mini_matches"])}))
"##;
    let place = played();
    place
        .swissmatch(&["report", "run", "--output", "event.html"])
        .expect_code(0);
    let said = read(
        Command::new("/usr/bin/python3")
            .args(["-c", SCRIPT])
            .arg(place.path("event.html")),
    );
    let found: serde_json::Value = serde_json::from_str(&said).expect("JSON");
    assert_eq!((&found["b"], &found["img"]), (&0.into(), &0.into()));
    assert_eq!(
        (&found["handlers"], &found["loaded"]),
        (&serde_json::json!([]), &serde_json::json!([]))
    );
    assert_eq!(found["event"], EVENT);
    let mut names: Vec<&str> = found["names"]
        .as_array()
        .expect("names")
        .iter()
        .filter_map(|name| name.as_str())
        .collect();
    names.sort_unstable();
    let mut expected = NAMES.to_vec();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let text = found["text"].as_str().expect("text");
    for name in NAMES {
        assert!(text.contains(name), "{name}: {text}");
    }
    // The event, six mini-matches, the front end.
    assert_eq!((&found["mini_matches"], &found["scripts"]), (&6.into(), &8.into()));
    let whole = place.read("event.html");
    for private in [
        engine("fault-agent").as_str(),
        "--fault",
        "suites/",
        place.path("run").to_str().expect("a path"),
    ] {
        assert!(!whole.contains(private), "{private}");
    }
    assert!(whole.contains("openings from the file own.epd"));
}

/// While an embargo lasts, the rounds that it keeps back are not in the page.
#[test]
fn an_embargo_holds_for_the_page() {
    let place = Place::new();
    let players: String = (1..=4)
        .map(|number| {
            format!(
                "[[player]]\nname = \"P{number}\"\ncommand = '{}'\n",
                engine("random-mover")
            )
        })
        .collect();
    place.write(
        "event.toml",
        &format!(
            "[event]\nname = \"kept back\"\n[swiss]\nrounds = \"RR\"\n[mini_match]\ngames = 2\n[game]\ntime_control = \"10s/move\"\n\
             max_plies = 20\n[publish]\nembargo_rounds = 1\n{players}"
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let page = || {
        place
            .swissmatch(&["report", "run", "--output", "event.html"])
            .expect_code(0);
        place.read("event.html")
    };
    let kept_back = page();
    assert!(kept_back.contains("id=\"games-2.1\"") && !kept_back.contains("id=\"games-3.1\""));
    assert!(!kept_back.contains("id=\"round-3\"") && !kept_back.contains("\"3.1\""));
    place
        .swissmatch(&["arbiter", "release", "run", "--by", "Anna", "--reason", "it is over"])
        .expect_code(0);
    let released = page();
    assert!(released.contains("id=\"games-3.1\"") && released.contains("id=\"minutes\""));
}
