//! The last rounds are held back of every published file until the arbiter releases them.

use std::path::Path;

use swissmatch::shell::store::Bundle;
use swissmatch::tournament::log::{Act, ArbiterActed, Entry};

use crate::support::{Place, engine, opened};

fn event(embargo: u32) -> String {
    let mut text = format!(
        "preset = \"global-chess-challenge\"\n[event]\nname = \"embargo\"\n[swiss]\nrounds = 3\nseeding = \"listed\"\n\
         [mini_match]\ngames = 2\nopenings = \"none\"\n[game]\ntime_control = \"10s/move\"\nmax_plies = 10\n\
         [run]\nconcurrency = 2\noversubscribe = true\nevidence = \"all\"\n[publish]\nevidence = true\nembargo_rounds = {embargo}\n"
    );
    for (seed, name) in ["Anna", "Berta", "Carla", "Dora"].into_iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = {:?}\nargs = [\"--seed\", \"{seed}\"]\n",
            engine("fault-agent")
        );
    }
    text
}

/// Every published file with its text: everything in the run but its log.
fn published(run: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut dirs = vec![run.to_path_buf()];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).expect("the run").flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if !path.to_string_lossy().contains("run.sqlite") {
                let name = path.strip_prefix(run).expect("inside").display().to_string();
                files.push((
                    name,
                    String::from_utf8(std::fs::read(&path).expect("a file")).expect("text"),
                ));
            }
        }
    }
    files.sort();
    files
}

/// Movetexts of a round without comments, which no file may have before they are released.
fn movetexts(place: &Place, run: &str, round: u32) -> Vec<String> {
    let ran = place.swissmatch(&["export", "pgn", run, "--only", &round.to_string(), "--no-comments"]);
    let pgn = ran.expect_code(0).stdout();
    let texts = pgn.split("\n\n").filter(|part| part.starts_with("1. "));
    texts
        .map(|text| text.split_whitespace().take(12).collect::<Vec<_>>().join(" "))
        .collect()
}

fn plain(pgn: &str) -> String {
    let without_comments: Vec<&str> = pgn
        .split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, rest)| rest))
        .collect();
    let text = without_comments.join(" ").replace("...", " ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_of_the_last_round_is_in_any_published_file_until_it_is_released() {
    let place = Place::new();
    place.write("event.toml", &event(1));
    let ran = place.swissmatch(&["run", "event.toml", "--out", "out", "-vv"]);
    ran.expect_code(0);
    assert!(
        ran.stderr()
            .contains("under embargo: until `swissmatch arbiter release`, the files of the run show rounds 1 to 2"),
        "{}",
        ran.stderr()
    );
    // It lies among them, and says who meets whom as little: whose engines start together, what the arbiter forces.
    let log = place.read("out/run.log");
    let (_, log) = log.split_once("run begins").expect("it began");
    assert!(
        log.contains("round paired round=3 pairs=2") && log.contains("run ends"),
        "{log}"
    );
    for name in ["Anna", "Berta", "Carla", "Dora", "3.1.", "game="] {
        assert!(!log.contains(name), "{name}: {log}");
    }
    assert!(
        ran.stderr().contains("engine started player=\"Anna\""),
        "{}",
        ran.stderr()
    );
    let moves = movetexts(&place, "out", 3);
    assert_eq!(moves.len(), 4);
    let run = place.path("out");
    let files = published(&run);
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert!(
        names.contains(&"evidence/2.2.2.txt") && names.contains(&"standings.md"),
        "{names:?}"
    );
    assert!(!names.iter().any(|name| name.starts_with("evidence/3.")), "{names:?}");
    for (name, text) in &files {
        assert!(!text.contains("[Round \"3."), "{name}");
        for moves in &moves {
            assert!(!plain(text).contains(moves.as_str()), "{name}: {moves}");
        }
    }
    // What was held back is what the same event shows after two rounds, byte by byte.
    let of_two = place.swissmatch(&["standings", "out", "--round", "2", "--markdown"]);
    assert_eq!(place.read("out/standings.md"), of_two.stdout());
    assert!(of_two.stderr().contains("this shows all"), "{}", of_two.stderr());
    let report = place
        .swissmatch(&["explain", "game", "3.1.1", "out"])
        .expect_code(0)
        .stdout();
    assert!(
        report.contains("under embargo: no file of the run shows it"),
        "{report}"
    );
    assert!(
        place
            .swissmatch(&["standings", "out"])
            .stdout()
            .contains("final standings")
    );
    place.swissmatch(&["verify", "out"]).expect_code(0);

    // A file that shows more than it may is found.
    let standings = place.read("out/standings.md");
    place.write(
        "out/standings.md",
        &place.swissmatch(&["standings", "out", "--markdown"]).stdout(),
    );
    place.swissmatch(&["verify", "out"]).expect_code(1);
    place.write("out/standings.md", &standings);

    let mut store = opened(&place.path("out/run.sqlite"));
    let release = ArbiterActed {
        act: Act::Release,
        by: "C. Arbiter".to_owned(),
        reason: "prizes have been given".to_owned(),
        overruled: Vec::new(),
    };
    let entry = Bundle::from(Entry::Acted(Box::new(release)));
    store.append(&[entry], "2026-01-30T10:00:00Z").expect("appended");
    drop(store);
    place.swissmatch(&["verify", "out"]).expect_code(1);
    place
        .swissmatch(&["run", "event.toml", "--out", "out", "-q"])
        .expect_code(0);
    place.swissmatch(&["verify", "out"]).expect_code(0);
    let pgn = plain(&place.read("out/games.pgn"));
    for moves in &moves {
        assert!(pgn.contains(moves.as_str()), "{moves}");
    }
    assert!(place.path("out/evidence/3.1.1.txt").exists());
    assert!(place.read("out/standings.md").contains("final standings"));
}

#[test]
fn an_embargo_that_is_longer_than_the_event_shows_nothing_and_none_shows_everything() {
    let place = Place::new();
    place.write("event.toml", &event(9));
    place
        .swissmatch(&["run", "event.toml", "--out", "out", "-q"])
        .expect_code(0);
    assert_eq!(place.read("out/games.pgn"), "");
    assert!(!place.path("out/evidence").exists(), "no evidence was written");
    place.swissmatch(&["verify", "out"]).expect_code(0);
    // It is no key of results: without it the same run shows everything.
    place.write("event.toml", &event(0));
    place
        .swissmatch(&["run", "event.toml", "--out", "out", "-q"])
        .expect_code(0);
    assert!(place.read("out/games.pgn").contains("[Round \"3.1.2\"]"));
    assert!(place.path("out/evidence/1.1.1.txt").exists());
    place.swissmatch(&["verify", "out"]).expect_code(0);
    // And with it again it hides what was shown.
    place.write("event.toml", &event(2));
    place
        .swissmatch(&["run", "event.toml", "--out", "out", "-q"])
        .expect_code(0);
    assert!(!place.read("out/games.pgn").contains("[Round \"2."));
    assert!(place.path("out/evidence/1.1.1.txt").exists() && !place.path("out/evidence/2.1.1.txt").exists());
    place.swissmatch(&["verify", "out"]).expect_code(0);
}
