//! What the arbiter's commands say, and one act on many games.

use std::collections::BTreeSet;
use std::process::Stdio;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;
use swissmatch::game::termination::Outcome;

use crate::death::{Background, games_in_log, send, until};
use crate::support::{Place, Ran, engine};

const PATIENCE: Duration = Duration::from_secs(60);
const EVENT: &str =
    "[event]\nname = \"Open\"\n[swiss]\nrounds = 3\n[mini_match]\ngames = 4\nopenings = \"none\"\n[game]\nnodes = 10\n";

fn event(keys: &str) -> String {
    let players = ["A", "B", "C", "D"].map(|name| format!("[[player]]\nname = \"{name}\"\ncommand = \"{name}\"\n"));
    format!("{EVENT}{keys}{}", players.concat())
}

/// Played by a script: White wins all.
fn played(place: &Place, keys: &str, run: &str) {
    place.play_by_script(&event(keys), run, |_| Outcome::WhiteWins);
}

fn act(place: &Place, words: &[&str]) -> Ran {
    let signed = ["--by", "Ann", "--reason", "a rule that was wrong"];
    place.swissmatch(&[&["arbiter"], words, &signed].concat())
}

#[test]
fn games_are_voided_by_what_they_have_in_common() {
    let place = Place::new();
    played(&place, "", "run");
    let voids =
        |conditions: &str, more: &[&str]| act(&place, &[&["void", "run", "--where", conditions], more].concat());
    for (conditions, why) in [
        ("termination=stalemate", "no game that has ended meets all of this"),
        (
            "end=checkmate",
            "no column is called \"end\"; there are round, board, game, white",
        ),
        ("round", "write COLUMN=VALUE"),
        ("before=noon", "write 10:48 or 2026-01-30T10:48"),
    ] {
        let refused = voids(conditions, &["--yes"]);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{conditions}: {}", refused.stderr());
    }
    // Nobody says yes, and nothing is done.
    let log = || place.swissmatch(&["arbiter", "log", "run"]).stdout();
    let before = log();
    let mut asked = place.command(&[
        "arbiter", "void", "run", "--where", "round=1", "--by", "Ann", "--reason", "why",
    ]);
    let asked = asked.stdin(Stdio::null()).output().expect("it starts");
    assert_eq!((asked.status.code(), log()), (Some(4), before));
    let listed = String::from_utf8_lossy(&asked.stderr);
    assert!(
        listed.contains("8 games") && listed.contains("or give --yes"),
        "{listed}"
    );

    let voided = voids(
        "termination=checkmate, Round = 1, fault_of=, game>=3, after=2020-01-01",
        &["--yes"],
    );
    voided.expect_code(0);
    let said = voided.stdout();
    let games = said.lines().filter_map(|line| line.split("voided game ").nth(1));
    let games: Vec<&str> = games.filter_map(|game| game.split(". ").next()).collect();
    assert_eq!(games, ["1.1.3", "1.1.4", "1.2.3", "1.2.4"]);
    assert!(
        voided.stderr().contains("It changed the standings:"),
        "{}",
        voided.stderr()
    );
    // One act each, all of which are saved at once.
    assert_eq!(log().matches("Ann voided game").count(), 4);
    let log_of = place.swissmatch(&["arbiter", "log", "run", "--json"]).stdout();
    let log_of: Value = serde_json::from_str(&log_of).expect("JSON");
    let acts = log_of["minutes"].as_array().expect("a list");
    let times: BTreeSet<&str> = acts.iter().filter_map(|act| act["at"].as_str()).collect();
    assert_eq!((acts.len(), times.len()), (4, 1), "{times:?}");
    assert_eq!(said.matches("its files are written anew").count(), 1, "{said}");
    // What is refused is said of each, and the others are done.
    let again = voids("round=1, board=1", &["--yes"]);
    again.expect_code(4);
    assert!(
        again.stderr().contains("game 1.1.3 is already void"),
        "{}",
        again.stderr()
    );
    assert!(again.stderr().contains("2 of 4 games refused"), "{}", again.stderr());
    assert_eq!(log().matches("Ann voided game").count(), 6);
    // What later rounds rest on is not played again.
    let replayed = act(&place, &["replay", "--where", "round=1", "run", "--yes"]);
    replayed.expect_code(4);
    assert!(replayed.stderr().contains("nothing was done"), "{}", replayed.stderr());
    act(&place, &["void", "1.1.1", "run", "--where", "round=1"]).expect_code(4);
    act(&place, &["void", "run"]).expect_code(4);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

/// A runner at work does them one by one, and what it refuses keeps none from being done.
#[test]
fn many_games_are_voided_while_a_runner_is_at_work() {
    let place = Place::new();
    let players = ["A", "B", "C", "D"].map(|name| {
        let command = engine("greedy");
        format!("[[player]]\nname = \"{name}\"\ncommand = \"{command}\"\n")
    });
    place.write("event.toml", &format!("{EVENT}max_moves = 10\n{}", players.concat()));
    let run = Background::start(&place, &["run", "event.toml", "--out", "run", "--confirm-rounds"]);
    let is_asked = |round: u32| {
        until("a pairing", PATIENCE, || {
            let asked = place.read("complained").matches("it waits to be confirmed").count();
            (asked as u32 >= round).then_some(())
        });
    };
    is_asked(1);
    act(&place, &["confirm", "run"]).expect_code(0);
    is_asked(2);
    act(&place, &["void", "1.1.2", "run"]).expect_code(0);
    let voided = act(&place, &["void", "run", "--where", "round=1", "--yes"]);
    voided.expect_code(4);
    assert!(voided.stderr().contains("1 of 8 games refused"), "{}", voided.stderr());
    assert_eq!(
        voided.stdout().matches("Ann voided game").count(),
        7,
        "{}",
        voided.stdout()
    );
    assert!(!voided.stdout().contains("No runner"), "{}", voided.stdout());
    let log = place.swissmatch(&["arbiter", "log", "run"]).stdout();
    assert_eq!(log.matches("Ann voided game").count(), 8, "{log}");
    drop(run);
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn results_are_written_as_people_write_them() {
    let place = Place::new();
    played(&place, "", "run");
    for (game, word) in [("1.1.1", "draw"), ("1.1.2", "1/2"), ("1.1.3", "½-½"), ("1.1.4", "Draw")] {
        act(&place, &["set-result", game, word, "run"]).expect_code(0);
    }
    let refused = act(&place, &["set-result", "1.2.1", "half", "run"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("draw and 1/2 are 1/2-1/2"),
        "{}",
        refused.stderr()
    );
    let table = place.read("run/games.csv");
    assert_eq!(
        table.lines().filter(|line| line.contains(",1/2-1/2,")).count(),
        4,
        "{table}"
    );
}

/// Whoever has two runs of one name is told which one it was.
#[test]
fn answers_name_the_directory_where_a_name_is_not_enough() {
    let place = Place::new();
    let answer = |run: &str| act(&place, &["announce", "Round 4 begins at 18:00.", run]).stdout();
    played(&place, "", "one");
    assert!(
        answer("one").starts_with("Open: Ann announced: Round 4 begins at 18:00. The page"),
        "{}",
        answer("one")
    );
    played(&place, "", "two");
    assert!(
        answer("two").starts_with("Open (two): Ann announced"),
        "{}",
        answer("two")
    );
    let refused = act(&place, &["stop-after-round", "one"]);
    assert!(
        refused.stderr().contains("Open (one): the event is over"),
        "{}",
        refused.stderr()
    );
    let empty = Place::new().swissmatch(&["status"]);
    empty.expect_code(4);
    assert!(
        empty.stderr().contains("`swissmatch run EVENT.toml` begins one"),
        "{}",
        empty.stderr()
    );
}

/// The note of an embargo is for who looks, not for who lifts it.
#[test]
fn who_releases_is_not_told_of_an_embargo() {
    let place = Place::new();
    played(&place, "[publish]\nembargo_rounds = 1\n", "run");
    let noted = act(&place, &["announce", "Soon.", "run"]);
    assert_eq!(noted.stderr().matches("under embargo").count(), 1, "{}", noted.stderr());
    let released = act(&place, &["release", "run"]);
    assert_eq!(released.expect_code(0).stderr(), "");
}

/// After a rebuild the same words are another match, and the one that was interrupted is not forgotten.
#[test]
fn a_match_of_other_bytes_is_told_of() {
    let place = Place::new();
    let agents = ["a", "b"].map(|name| {
        std::fs::copy(engine("greedy"), place.path(name)).expect("a copy");
        format!("./{name}")
    });
    let [a, b] = agents.each_ref().map(String::as_str);
    let words = [
        "match",
        a,
        b,
        "--games",
        "4000",
        "--time",
        "nodes=1",
        "--set",
        "game.max_plies=2",
    ];
    let run = || std::fs::read_dir(place.path("results")).ok()?.flatten().next();
    let mut first = Background::start(&place, &words);
    until("some games", PATIENCE, || {
        let run = format!("results/{}", run()?.file_name().to_string_lossy());
        (games_in_log(&place, &run) > 3).then_some(())
    });
    send(first.guard(), Signal::INT);
    assert_eq!(first.end(PATIENCE).code(), Some(130));
    assert!(!place.read("complained").contains("a match of the same words"));
    let mut changed = std::fs::read(place.path("a")).expect("a program");
    changed.push(0);
    std::fs::write(place.path("a"), changed).expect("a program");
    let second = Background::start(&place, &words);
    until("the note", PATIENCE, || {
        let said = place.read("complained");
        said.contains("is a match of the same words, of which ").then_some(())
    });
    drop(second);
}
