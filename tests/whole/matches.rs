//! `swissmatch match`: an ordinary run from words alone. The same words go on with it, another agent or another opening is another
//! match, and what other programs' words ask for is done or refused by name.

use std::fs;

use crate::support::{Place, Ran, engine};

/// Two agents that play the same each time, as files of this directory: what is in them is part of the match.
fn agents(place: &Place) {
    for name in ["new", "old"] {
        fs::copy(engine("alphabeta"), place.path(name)).expect("a copy");
    }
}

/// Words of a short match.
const SHORT: [&str; 13] = [
    "match",
    "./new",
    "nodes=300",
    "option.Skill=5",
    "./old",
    "nodes=60",
    "--games",
    "4",
    "--time",
    "nodes=1000",
    "--openings",
    "book.epd",
    "--quiet",
];

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0;\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0;\n";

/// The runs that are there.
fn runs(place: &Place) -> Vec<String> {
    let found = fs::read_dir(place.path("results")).into_iter().flatten().flatten();
    let mut found: Vec<String> = found
        .map(|run| run.file_name().to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}

fn expect_said(ran: &Ran, words: &[&str]) {
    for word in words {
        assert!(ran.stderr().contains(word), "no `{word}` in\n{}", ran.stderr());
    }
}

#[test]
fn the_same_words_are_the_same_match_and_other_files_another_one() {
    let place = Place::new();
    agents(&place);
    place.write("book.epd", BOOK);
    place.swissmatch(&SHORT).expect_code(0);
    let first = runs(&place);
    let [name] = first.as_slice() else {
        panic!("{first:?}");
    };
    assert!(name.starts_with("new-old-"), "{name}");
    let run = format!("results/{name}");
    place.swissmatch(&["verify", &run]).expect_code(0);
    let event = place.read(&format!("{name}.toml"));
    assert!(
        event.contains("games = 4\n") && event.contains("nodes = 60\n"),
        "{event}"
    );
    // It is shown without being played, and is an event file like any other.
    let shown = place.swissmatch(&[&SHORT[..], &["--print-event"]].concat());
    shown.expect_code(0);
    assert_eq!(shown.stdout(), event);
    place.swissmatch(&["config", &format!("{name}.toml")]).expect_code(0);

    let games = place.read(&format!("{run}/games.pgn"));
    place.swissmatch(&SHORT).expect_code(0);
    assert_eq!(runs(&place), first);
    assert_eq!(place.read(&format!("{run}/games.pgn")), games);

    // An agent that was built anew, and an opening more.
    let mut rebuilt = fs::read(place.path("new")).expect("a program");
    rebuilt.push(b'\n');
    fs::write(place.path("new"), rebuilt).expect("a program");
    place.swissmatch(&SHORT).expect_code(0);
    place.write("book.epd", &BOOK.replace("3P4", "2P5").replace("PPP1PPPP", "PP1PPPPP"));
    place.swissmatch(&SHORT).expect_code(0);
    assert_eq!(runs(&place).len(), 3);
}

#[test]
fn an_event_file_of_that_name_that_is_another_one_is_left_alone() {
    let place = Place::new();
    agents(&place);
    place.write("book.epd", BOOK);
    place.swissmatch(&SHORT).expect_code(0);
    let file = format!("{}.toml", runs(&place)[0]);
    place.write(&file, "# mine\n");
    let ran = place.swissmatch(&SHORT);
    ran.expect_code(4);
    expect_said(&ran, &[&file, "is not the file of this match", "--name"]);
    assert_eq!(place.read(&file), "# mine\n");
}

#[test]
fn more_agents_play_the_same_openings() {
    let place = Place::new();
    agents(&place);
    place.write("book.epd", BOOK);
    let greedy = engine("greedy");
    let words = [
        "match",
        "./new",
        "./old",
        &greedy,
        "--gauntlet",
        "1",
        "--games",
        "4",
        "--time",
        "nodes=100",
        "--openings",
        "book.epd",
        "--quiet",
    ];
    place.swissmatch(&words).expect_code(0);
    let run = format!("results/{}", runs(&place)[0]);
    let games = place.export_json(&run, "games-json");
    let games = games["games"].as_array().expect("games");
    assert_eq!(games.len(), 8);
    let pgn = place.read(&format!("{run}/games.pgn"));
    for line in BOOK.lines() {
        let fen = line.split(" - ").next().expect("a position");
        assert_eq!(pgn.matches(&format!("[FEN \"{fen}")).count(), 4, "{fen}");
    }
    place.swissmatch(&["verify", &run]).expect_code(0);
}

#[test]
fn words_that_make_no_match_are_refused_together() {
    let place = Place::new();
    agents(&place);
    let ran = place.swissmatch(&["match", "./new", "nods=5", "./old", "--games", "3", "--sprt", "5,0"]);
    ran.expect_code(4);
    expect_said(&ran, &["these words make no match", "nods=5", "3", "5,0"]);
    let ran = place.swissmatch(&["match", "./new", "./nobody"]);
    ran.expect_code(4);
    expect_said(&ran, &["./nobody"]);
    assert_eq!(runs(&place), [""; 0]);
}

/// The words of fastchess: done, or refused by name before anything is played.
#[test]
fn words_of_other_programs_are_carried_out_or_refused() {
    let place = Place::new();
    agents(&place);
    let words = "match --quiet -- -engine cmd=./new name=New nodes=300 -engine cmd=./old name=Old nodes=60 \
                 -each tc=10+0.1 -rounds 2 -repeat -concurrency 1 -pgnout file=out.pgn -strict";
    let words: Vec<&str> = words.split_whitespace().collect();
    let ran = place.swissmatch(&words);
    ran.expect_code(4);
    expect_said(&ran, &["nothing was played", "-strict", "instead", "--accept-partial"]);
    assert_eq!(runs(&place), [""; 0]);
    let partial = [&["match", "--accept-partial"], &words[1..]].concat();
    place.swissmatch(&partial).expect_code(0);
    let run = format!("results/{}", runs(&place)[0]);
    assert_eq!(place.read("out.pgn"), place.read(&format!("{run}/games.pgn")));
    assert_eq!(place.read("out.pgn").matches("[Event ").count(), 4);
    // Again: it goes on, and its games are in the file once. Those of another match are put behind them.
    let games = place.read("out.pgn");
    place.swissmatch(&partial).expect_code(0);
    assert_eq!(place.read("out.pgn"), games);
    let other: Vec<&str> = partial
        .iter()
        .map(|word| if *word == "nodes=60" { "nodes=61" } else { word })
        .collect();
    place.swissmatch(&other).expect_code(0);
    let both = place.read("out.pgn");
    assert!(both.starts_with(&games), "{both}");
    assert_eq!(both.matches("[Event ").count(), 8);
    // Some games of this match, and not all at the end, cannot be told from what was there before.
    let ran = place.swissmatch(&partial);
    ran.expect_code(4);
    expect_said(&ran, &["out.pgn", "append=false"]);
}
