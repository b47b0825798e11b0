//! Nobody is started who may not play: a program that somebody swaps while games are played, and who is out of the event.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use crate::death::{Background, until};
use crate::resume::shell;
use crate::support::{Place, engine, say_what_is_missing, without_bubblewrap};

/// A's program is a copy of `greedy` in a directory of its own; B puts another one in its place as it starts for the second of
/// four games, in which it has White and so starts first.
fn swapped(of_a: &str) -> Place {
    let place = Place::new();
    std::fs::create_dir(place.path("a")).expect("a directory");
    std::fs::copy(engine("greedy"), place.path("a/agent")).expect("a copy");
    let executable = |name: &str, script: &str| {
        let path = place.write(name, script);
        std::fs::set_permissions(path, Permissions::from_mode(0o755)).expect("a program");
    };
    executable("other.sh", "#!/bin/sh\necho swapped >&2\nexec \"$GREEDY\"\n");
    executable(
        "b.sh",
        "#!/bin/sh\necho start >> starts\n[ \"$(wc -l < starts)\" -ne 3 ] || { cp other.sh a/new; mv a/new a/agent; }\n\
         exec \"$GREEDY\"\n",
    );
    let greedy = engine("greedy");
    place.write(
        "event.toml",
        &format!(
            "event.name = \"swapped\"\nswiss.rounds = 1\nmini_match.games = 4\nmini_match.openings = \"none\"\n\
             game.max_moves = 3\nengine.restart = \"game\"\nengine.start_attempts = 2\nrun.concurrency = 1\n\
             run.max_faults = \"none\"\nrun.evidence = \"all\"\n\
             [[player]]\nname = \"A\"\ncommand = \"a/agent\"\nenv = {{ GREEDY = \"{greedy}\" }}\n{of_a}\n\
             [[player]]\nname = \"B\"\ncommand = \"./b.sh\"\nenv = {{ GREEDY = \"{greedy}\" }}\nisolation = \"off\"\n"
        ),
    );
    place
}

/// How the games ended, and what was seen of A's other program.
#[track_caller]
fn ended(place: &Place) -> Vec<String> {
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("games").iter();
    let ended = games.map(|game| game["termination"].as_str().expect("a word").to_owned());
    let ended = ended.collect();
    for number in 1..=4 {
        let evidence = place.evidence("run", &format!("1.1.{number}"));
        assert!(!evidence.unwrap_or_default().contains("swapped"), "game {number}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
    ended
}

const PATIENCE: Duration = Duration::from_secs(60);
const REFUSED: [&str; 4] = ["move-cap", "not-started", "not-started", "not-started"];
const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

#[test]
fn a_program_that_is_swapped_is_started_no_more() {
    let place = swapped("isolation = \"off\"");
    let ran = place.swissmatch(&RUN);
    assert_eq!(ended(&place), REFUSED, "{}", ran.stderr());
    let said = ran.stderr();
    assert!(
        said.contains("it is not what was registered") && said.contains("a/agent has changed"),
        "{said}"
    );
}

/// Its private copy plays on, where it can have one.
#[test]
fn a_program_that_is_swapped_changes_nothing_for_an_isolated_agent() {
    let place = swapped("isolation = \"sealed\"");
    let ran = place.swissmatch(&RUN);
    if ran.output.status.code() == Some(5) {
        say_what_is_missing("namespaces are not to be had here");
        return;
    }
    assert_eq!(ended(&place), ["move-cap"; 4], "{}", ran.stderr());
}

#[test]
fn a_program_that_is_swapped_is_started_no_more_without_namespaces() {
    if !rustix::process::geteuid().is_root() {
        say_what_is_missing("bubblewrap cannot be hidden here");
        return;
    }
    let place = swapped("isolation = \"guarded\"");
    let ran = without_bubblewrap(place.command(&RUN));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ended(&place), REFUSED, "{said}");
    assert!(said.contains("a/agent has changed"), "{said}");
}

/// A copy for which there is no room is the machine's lack, and said before anything begins.
#[test]
fn a_copy_that_cannot_be_made_is_told() {
    let doctor = Place::new().swissmatch(&["doctor", "--json"]).stdout();
    let doctor: serde_json::Value = serde_json::from_str(&doctor).expect("JSON");
    if doctor["means"]["bubblewrap"].is_null() {
        say_what_is_missing("namespaces are not to be had here");
        return;
    }
    let place = swapped("isolation = \"guarded\"");
    let limited = "trap '' XFSZ; ulimit -f 16; exec \"$SWISSMATCH\" run event.toml --out run";
    let said = shell(&place, limited).expect_code(5).stderr();
    assert!(
        said.contains("a/agent cannot be copied to ") && said.contains("`ulimit -f`"),
        "{said}"
    );
    assert!(!place.path("run").exists());
}

/// An isolated agent may write neither what it is made of nor what another one is.
#[test]
fn what_agents_are_made_of_is_not_given_to_agents() {
    let place = Place::new();
    for directory in ["a", "b"] {
        std::fs::create_dir(place.path(directory)).expect("a directory");
        std::fs::copy(engine("greedy"), place.path(directory).join("agent")).expect("a copy");
    }
    for (write, whose) in [(".", "its own program, "), ("../b", "a file that B is made of, ")] {
        place.write(
            "event.toml",
            &format!(
                "event.name = \"made\"\nswiss.rounds = 1\nmini_match.games = 2\nengine.isolation = \"guarded\"\n\
                 [[player]]\nname = \"A\"\ncommand = \"a/agent\"\ndir = \"a\"\nwrite = [\"{write}\"]\n\
                 [[player]]\nname = \"B\"\ncommand = \"b/agent\"\n"
            ),
        );
        let refused = place.swissmatch(&RUN);
        let said = refused.expect_code(4).stderr();
        let words = format!("player.write: `{write}` would let it write {whose}");
        assert!(said.contains("event.toml:") && said.contains(&words), "{said}");
        assert!(!place.path("run").exists());
    }
}

/// Whoever is disqualified in the middle of a round is not started again, and what it has not begun is forfeited.
#[test]
fn who_is_disqualified_is_started_no_more() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let script = place.write("a.sh", &format!("#!/bin/sh\necho start >> starts\nexec {agent}\n"));
    std::fs::set_permissions(script, Permissions::from_mode(0o755)).expect("a program");
    place.write(
        "event.toml",
        &format!(
            "event.name = \"out\"\nswiss.rounds = 1\nmini_match.games = 4\nmini_match.openings = \"none\"\n\
             game.max_moves = 10\nengine.restart = \"game\"\nengine.isolation = \"off\"\nrun.concurrency = 1\n\
             [[player]]\nname = \"A\"\ncommand = \"./a.sh\"\n\
             [[player]]\nname = \"B\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--every\", \"--ms\", \"200\"]\n"
        ),
    );
    let mut run = Background::start(&place, &RUN);
    let starts = || std::fs::read_to_string(place.path("starts")).map_or(0, |starts| starts.lines().count());
    // Once before the event.
    until("the first game", PATIENCE, || (starts() == 2).then_some(()));
    let out = [
        "arbiter",
        "disqualify",
        "A",
        "run",
        "--by",
        "Ann",
        "--reason",
        "it is a copy of B",
    ];
    let said = place.swissmatch(&out).expect_code(0).stdout();
    assert!(said.contains("Games that have not begun are forfeited."), "{said}");
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    assert_eq!(starts(), 2);
    assert_eq!(ended(&place)[1..], ["did-not-come"; 3]);
}
