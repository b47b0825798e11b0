//! The page of a real run, in a real browser and by readers that are not ours.

use std::path::Path;
use std::process::{Child, Command};

use swissmatch::game::termination::Outcome;
use swissmatch::run::{EventFile, HeldRun, Run, RunEnd};
use swissmatch::shell::host::scripted::ScriptedHost;

use crate::schemas::page::{check_folder, check_report, check_scripts};
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
    assert!(said.stderr().contains("public: 9 files written"), "{}", said.stderr());
    looked_at(&place, "public");
    assert!(publish().stderr().contains("public: 0 files written"));
    check_folder(&place.path("public"));
}

/// The page at the end of a run is what `report` writes. Its games go to a folder where they are larger than a key says: every game is
/// replayed from there, and what is no longer of the page goes, but for files of others.
#[test]
fn a_run_ends_with_its_report_whose_games_may_be_beside_it() {
    let place = played();
    let at_the_end = place.read("run/report.html");
    place
        .swissmatch(&["report", "run", "--output", "event.html"])
        .expect_code(0);
    assert!(at_the_end == place.read("event.html"));
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    place.write("records.jsonl", &records);
    std::fs::create_dir(place.path("event_games")).expect("a directory");
    place.write("event_games/7.7.js", "of an earlier event");
    place.write("event_games/mine.js", "mine");
    let beside = ["report", "run", "--output", "event.html", "--report-size", "0"];
    let said = place.swissmatch(&beside);
    said.expect_code(0);
    assert!(
        said.stderr()
            .contains("and its games in 6 files in event_games/, which belongs to it"),
        "{}",
        said.stderr()
    );
    assert!(!place.path("event_games/7.7.js").exists() && place.path("event_games/mine.js").exists());
    let page = place.read("event.html");
    assert!(page.contains("'strict-dynamic'") && !page.contains("id=\"games-"));
    looked_at(&place, "event.html");
    check_report(&page);
    check_scripts(&place.path("event_games"));
    // In the page again.
    place
        .swissmatch(&["report", "run", "--output", "event.html"])
        .expect_code(0);
    assert!(at_the_end == place.read("event.html") && !at_the_end.contains("'strict-dynamic'"));
    let left: Vec<_> = std::fs::read_dir(place.path("event_games"))
        .expect("it has a file of others")
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    assert_eq!(left, ["mine.js"]);
    let refused = place.swissmatch(&["report", "run", "--output", "/dev/stdout", "--report-size", "0"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("nothing can lie beside it"),
        "{}",
        refused.stderr()
    );
    let printed = place.swissmatch(&["report", "run", "--output", "/dev/stdout"]).stdout();
    assert!(at_the_end == printed);

    // The keys do the same for the run, and are no keys of results.
    let again = |keys: &[&str]| {
        let keys = keys.iter().flat_map(|key| ["--set", key]);
        let words = ["run", "event.toml", "--out", "run"].into_iter().chain(keys);
        place.swissmatch(&words.collect::<Vec<_>>()).expect_code(0);
    };
    again(&["publish.report_size=0"]);
    assert!(
        place
            .read("run/report_games/3.2.js")
            .starts_with("swissmatchGames(\"3.2\",\"H4sI")
    );
    std::fs::remove_file(place.path("run/report.html")).expect("it was there");
    again(&["publish.report=false"]);
    assert!(!place.path("run/report.html").exists() && place.path("run/report_games").exists());
    again(&[]);
    // The log says which keys hold, so the page has another hash.
    let last = place.read("run/report.html");
    assert!(last.contains("id=\"games-3.2\"") && !place.path("run/report_games").exists());
    let fresh = [
        "run",
        "event.toml",
        "--out",
        "run",
        "--fresh",
        "--set",
        "publish.report=false",
    ];
    place.swissmatch(&fresh).expect_code(0);
    assert!(!place.path("run/report.html").exists() && last == place.read("run.1/report.html"));
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

/// Two hundred agents: all is there without scripts, axe-core finds nothing serious in any part, and each agent's view opens.
#[test]
fn two_hundred_agents_are_looked_at_in_a_browser() {
    const EVENT: &str = "two hundred";
    let place = Place::new();
    let mover = engine("random-mover");
    let players = (1..=200).map(|number| format!("[[player]]\nname = \"P{number}\"\ncommand = '{mover}'\n"));
    place.write(
        "event.toml",
        &format!(
            "[event]\nname = {EVENT:?}\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\n[game]\ntime_control = \"10s/move\"\n\
             max_plies = 6\n[engine]\nmust_start = false\nisolation = \"off\"\n{}",
            players.collect::<String>()
        ),
    );
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    let said = read(
        Command::new("node")
            .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("web/test/of_many.mjs"))
            .arg(place.path("run/report.html"))
            .arg(EVENT),
    );
    assert_eq!(said.trim(), "200 agents");
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
    // Nor what a folder leads to that somebody else prepared.
    place.write("precious", "mine");
    for (folder, name, to) in [
        ("a", "index.html", "../new"),
        ("b", "games", "../mine"),
        ("c", "event.json", "../precious"),
    ] {
        std::fs::create_dir(place.path(folder)).expect("a directory");
        std::os::unix::fs::symlink(to, place.path(&format!("{folder}/{name}"))).expect("a link");
        let code = if folder == "c" { 0 } else { 4 };
        place.swissmatch(&["publish", folder, "run"]).expect_code(code);
    }
    assert_eq!(place.read("precious"), "mine");
    assert!(place.read("c/event.json").contains("\"schema\":1"));
    assert!(!place.path("new").exists());
    assert_eq!(std::fs::read_dir(place.path("mine")).expect("it is there").count(), 1);
    place
        .swissmatch(&["publish", "public", "run", "--follow"])
        .expect_code(0);
    let event: serde_json::Value = serde_json::from_str(&place.read("public/event.json")).expect("JSON");
    assert_eq!((&event["over"], &event["games"]), (&true.into(), &"files".into()));
    let games: serde_json::Value = serde_json::from_str(&place.read("public/games/3.2.json")).expect("JSON");
    assert_eq!(games["games"].as_array().map(Vec::len), Some(2));
}

/// A program that is ended where the test ends before it.
struct Follower(Child);

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A run that nobody plays is waited for, with a line that says so; and it is gone on with when somebody does.
#[test]
fn whoever_follows_a_run_is_told_that_nobody_plays_it() {
    let place = Place::new();
    let event = "[swiss]\nrounds = 1\n[mini_match]\ngames = 2\n[[player]]\nname = \"A\"\ncommand = \"a\"\n[[player]]\nname = \"B\"\n\
                 command = \"b\"\n";
    let dir = place.path("run");
    let event = || EventFile::parse(&place.path("event.toml"), event).expect("an event");
    let host = || Box::new(ScriptedHost::new(|_| Outcome::Draw));
    drop(Run::create(event(), &dir, host(), &mut |_| {}).expect("a run"));
    let mut command = place.command(&["publish", "public", "run", "--follow"]);
    let said = std::fs::File::create(place.path("said")).expect("a file");
    let mut follower = Follower(command.stderr(said).spawn().expect("it starts"));
    let waits = "no runner is at work on this run";
    for _ in 0..600 {
        if place.read("said").contains(waits) || follower.0.try_wait().expect("a process").is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(place.read("said").contains(waits), "{}", place.read("said"));
    let HeldRun::Run(run) = Run::resume(event(), &dir, host(), &mut |_| {}).expect("it is there") else {
        panic!("it is not over");
    };
    assert_eq!(run.play(&mut []).expect("it is played").ended, RunEnd::Complete);
    let ended = follower.0.wait().expect("it ends by itself");
    assert!(ended.success(), "{}", place.read("said"));
    assert_eq!(place.read("said").matches(waits).count(), 1);
    assert!(place.read("public/event.json").contains("\"over\":true"));
    check_folder(&place.path("public"));
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
    assert!(kept_back == place.read("run/report.html"));
    assert!(kept_back.contains("id=\"games-2.1\"") && !kept_back.contains("id=\"games-3.1\""));
    assert!(!kept_back.contains("id=\"round-3\"") && !kept_back.contains("\"3.1\""));
    // Held back again, nothing stays that shows it, also where no page is written.
    let again = |set: &str| {
        let words = ["run", "event.toml", "--out", "run", "--set", set];
        place.swissmatch(&words).expect_code(0);
    };
    again("publish.embargo_rounds=0");
    assert!(place.read("run/report.html").contains("id=\"games-3.1\""));
    again("publish.report=false");
    assert!(!place.path("run/report.html").exists());
    again("publish.report=true");
    assert!(!place.read("run/report.html").contains("id=\"games-3.1\""));
    place
        .swissmatch(&["arbiter", "release", "run", "--by", "Anna", "--reason", "it is over"])
        .expect_code(0);
    assert!(place.read("run/report.html").contains("id=\"games-3.1\""));
    let released = page();
    assert!(released == place.read("run/report.html"));
    assert!(released.contains("id=\"games-3.1\"") && released.contains("id=\"minutes\""));
}
