//! Links named `fastchess` and `cutechess-cli`: the arguments, the lines and the exit codes of these programs, read as workers of test
//! frameworks and public workflows read them.

use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};
use std::time::Instant;

use regex::Regex;

use crate::support::{Place, Ran, engine, finish, swissmatch};

const BOOK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - hmvc 0;\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0;\n";

/// Calls the program by a link of this name.
pub(crate) fn call(place: &Place, name: &str, words: &[&str]) -> Ran {
    let link = place.path(name);
    if !link.exists() {
        symlink(swissmatch(), &link).expect("a link");
    }
    let mut linked = Command::new(link);
    linked.args(words);
    linked.current_dir(place.path("")).stdin(Stdio::null());
    linked.stdout(Stdio::piped()).stderr(Stdio::piped());
    linked.env("TMPDIR", place.path(""));
    let began = Instant::now();
    let output = finish(linked.spawn().expect("a link starts"));
    Ran {
        output,
        took: began.elapsed(),
    }
}

/// What such an expression finds, group by group.
fn all(text: &str, expression: &str) -> Vec<Vec<String>> {
    let expression = Regex::new(expression).expect("an expression");
    let found = expression.captures_iter(text);
    found
        .map(|captures| {
            captures
                .iter()
                .skip(1)
                .flatten()
                .map(|group| group.as_str().to_owned())
                .collect()
        })
        .collect()
}

fn number(text: &str) -> u32 {
    text.parse().expect("a number")
}

#[test]
fn a_link_named_fastchess_is_read_as_fastchess_is() {
    let place = Place::new();
    place.write("book.epd", BOOK);
    let (alphabeta, greedy) = (
        format!("cmd={}", engine("alphabeta")),
        format!("cmd={}", engine("greedy")),
    );
    let words = [
        "-testEnv",
        "-recover",
        "-repeat",
        "-games",
        "2",
        "-rounds",
        "2",
        "-ratinginterval",
        "1",
        "-report",
        "penta=true",
        "-pgnout",
        "file=out.pgn",
        "append=false",
        "match_line=^bestmove",
        "nodes=true",
        "-crc32",
        "pgn=true",
        "-log",
        "file=fast.log",
        "engine=true",
        "-srand",
        "7",
        "-concurrency",
        "2",
        "-openings",
        "file=book.epd",
        "format=epd",
        "order=random",
        "-engine",
        "name=New",
        &alphabeta,
        "nodes=200",
        "-engine",
        "name=Base",
        &greedy,
        "nodes=200",
        "-each",
        "proto=uci",
        "tc=inf",
    ];
    let ran = call(&place, "fastchess", &words);
    ran.expect_code(0);
    let out = ran.stdout();
    // Each game begins before it ends, and each is told once.
    assert_eq!(
        all(&out, r"(?m)^Started game (\d+) of 4 \((\w+) vs (\w+)\)$").len(),
        4,
        "{out}"
    );
    let ends = all(
        &out,
        r"(?m)^Finished game (\d+) \((\w+) vs (\w+)\): (1-0|0-1|1/2-1/2) \{([^}]+)\}$",
    );
    assert_eq!(ends.len(), 4, "{out}");
    let mut points = 0.0;
    for end in &ends {
        let is_odd = number(&end[0]) % 2 == 1;
        // The first engine has White in odd games: that is how pairs are put together.
        assert_eq!(end[1] == "New", is_odd, "{end:?}");
        points += match (end[3].as_str(), is_odd) {
            ("1/2-1/2", _) => 0.5,
            ("1-0", true) | ("0-1", false) => 1.0,
            _ => 0.0,
        };
    }
    let games = all(
        &out,
        r"Games: ([0-9]+), Wins: ([0-9]+), Losses: ([0-9]+), Draws: ([0-9]+), Points: ([0-9.]+) \(",
    );
    let pairs = all(
        &out,
        r"Ptnml\(0-2\): \[([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+), ([0-9]+)\]",
    );
    assert_eq!((games.len(), pairs.len()), (2, 2), "{out}");
    for (games, pairs) in games.iter().zip(&pairs) {
        let pairs: u32 = pairs.iter().map(|count| number(count)).sum();
        assert_eq!(number(&games[0]), 2 * pairs, "{out}");
    }
    assert_eq!(games[1][4], format!("{points:.1}"), "{out}");
    for line in [
        r"(?m)^Results of New vs Base \(200 nodes, 1t, NULL, book\.epd\):$",
        r"(?m)^Elo: \S+ \+/- \S+, nElo: \S+ \+/- \S+$",
        r"(?m)^LOS: \S+ %, DrawRatio: \S+ %, PairsRatio: \S+$",
        r"(?m)^Finished match$",
        r"(?m)^Total Time: \d\d:\d\d:\d\d \(hours:minutes:seconds\)$",
    ] {
        assert!(!all(&out, line).is_empty(), "{line}\n{out}");
    }
    // Greps of workflows.
    assert!(!out.contains("disconnect") && !out.contains("Warning;"), "{out}");
    let log = place.read("fast.log");
    assert!(
        log.contains("New <--- go nodes 200") && log.contains("Base ---> bestmove"),
        "{log}"
    );
    let pgn = place.read("out.pgn");
    assert_eq!(pgn.matches("[Event ").count(), 4);
    assert!(pgn.contains("line=\"bestmove "), "{pgn}");
    let mut crc = flate2::Crc::new();
    crc.update(pgn.as_bytes());
    assert!(
        out.contains(&format!("File out.pgn has CRC32: {:#x}\n", crc.sum())),
        "{out}"
    );
    // A second call is a second match.
    let again = call(&place, "fastchess", &words);
    again.expect_code(0);
    assert!(again.stdout().contains("Started game 1 of 4 ("), "{}", again.stdout());
}

#[test]
fn a_link_named_cutechess_cli_is_read_as_cutechess_is() {
    let place = Place::new();
    place.write("book.epd", BOOK);
    let (alphabeta, greedy) = (
        format!("cmd={}", engine("alphabeta")),
        format!("cmd={}", engine("greedy")),
    );
    let words = [
        "-engine",
        "name=New",
        &alphabeta,
        "nodes=200",
        "-engine",
        "name=Base",
        &greedy,
        "nodes=200",
        "-each",
        "proto=uci",
        "tc=inf",
        "-rounds",
        "2",
        "-games",
        "2",
        "-repeat",
        "-openings",
        "file=book.epd",
        "format=epd",
        "-pgnout",
        "out.pgn",
        "min",
        "-outcomeinterval",
        "2",
    ];
    let ran = call(&place, "cutechess-cli", &words);
    ran.expect_code(0);
    let out = ran.stdout();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(
        lines[..2]
            .iter()
            .filter(|line| line.starts_with("Started game 1 of 4 (New vs Base)"))
            .count(),
        1,
        "{out}"
    );
    let scores = all(
        &out,
        r"(?m)^Score of New vs Base: (\d+) - (\d+) - (\d+)  \[([0-9.]+)\] (\d+)$",
    );
    assert_eq!(scores.len(), 4, "{out}");
    for (number_of_games, score) in (1..).zip(&scores) {
        let games: u32 = score[..3].iter().map(|count| number(count)).sum();
        assert_eq!((games, number(&score[4])), (number_of_games, number_of_games), "{out}");
    }
    assert_eq!(
        all(
            &out,
            r"(?m)^Elo difference: (\S+) \+/- (\S+), LOS: (\S+) %, DrawRatio: (\S+) %$"
        )
        .len(),
        1,
        "{out}"
    );
    assert!(
        out.contains("...      New playing White: ") && out.contains("\nPlayer: New\n"),
        "{out}"
    );
    assert_eq!(lines.last(), Some(&"Finished match"), "{out}");
    let pgn = place.read("out.pgn");
    assert!(!pgn.contains('{') && !pgn.contains("[Board "), "{pgn}");
    assert_eq!(pgn.matches("[FEN ").count(), 4, "{pgn}");
}

#[test]
fn a_link_answers_and_refuses_as_those_programs() {
    let place = Place::new();
    let version = call(&place, "fastchess-ob", &["--version"]);
    version.expect_code(0);
    assert_eq!(all(&version.stdout(), r"^fastchess alpha (\d+\.\d+\.\d+)"), [["1.8.2"]]);
    let version = call(&place, "cutechess-cli", &["-version"]);
    assert_eq!(all(&version.stdout(), r"^cutechess-cli (\d+\.\d+\.\d+)"), [["1.5.1"]]);
    let help = call(&place, "fastchess", &["-help"]);
    help.expect_code(0);
    assert!(
        help.stdout().contains("-pgnout file=FILE") && !help.stdout().contains("-epdout FILE"),
        "{}",
        help.stdout()
    );
    let greedy = format!("cmd={}", engine("greedy"));
    let words = [
        "-engine", &greedy, "-engine", &greedy, "name=b", "-each", "nodes=9", "-rounds", "1", "-strict",
    ];
    let refused = call(&place, "fastchess", &words);
    refused.expect_code(1);
    assert_eq!(refused.stdout(), "");
    assert!(
        refused.stderr().contains("-strict: warnings do not end a match"),
        "{}",
        refused.stderr()
    );
    let partial = call(&place, "fastchess", &[&words[..], &["--accept-partial"]].concat());
    partial.expect_code(0);
    assert!(partial.stdout().contains("\nFinished match\n"), "{}", partial.stdout());
    // Without a link these lines are printed where they are asked for.
    let asked = [
        &["match", "--quiet", "--accept-partial", "--"],
        &words[..],
        &["-srand", "3", "-output", "format=cutechess"],
    ]
    .concat();
    let asked = place.swissmatch(&asked);
    asked.expect_code(0);
    assert!(
        asked.stdout().contains("\nScore of ") && asked.stdout().contains("\nFinished match\n"),
        "{}",
        asked.stdout()
    );
}

/// What is told on standard error names no key and no event file: nobody has written one.
#[test]
fn links_name_no_key_of_an_event_file() {
    let place = Place::new();
    let [faulty, greedy] = ["fault-agent", "greedy"].map(|agent| format!("cmd={}", engine(agent)));
    for (name, args) in [
        ("fastchess", &["args=--fault illegal --every --at 2"][..]),
        (
            "cutechess-cli",
            &["arg=--fault", "arg=illegal", "arg=--every", "arg=--at", "arg=2"],
        ),
    ] {
        let words = [
            &["-engine", "name=A", &faulty][..],
            args,
            &[
                "-engine",
                "name=B",
                &greedy,
                "-each",
                "proto=uci",
                "st=2",
                "-games",
                "2",
                "-rounds",
                "1",
            ],
        ]
        .concat();
        let said = call(&place, name, &words).stderr();
        assert!(said.contains("A lost 2 of its 2 games by a fault"), "{name}: {said}");
        assert!(said.contains("less than a time per move"), "{name}: {said}");
        for key in ["game.", "run.", "engine.", "player.", ".toml", "event file"] {
            assert!(!said.contains(key), "{name}, {key}: {said}");
        }
    }
}

/// As tuners call it (SPSA: thousands of short matches of one engine with itself): they stop reading at the first empty line, and take the
/// last score and Elo.
#[test]
fn a_tuner_reads_the_link_as_it_reads_fastchess() {
    let place = Place::new();
    place.write("book.epd", BOOK);
    std::fs::create_dir(place.path("tuner")).expect("a directory");
    std::fs::copy(engine("alphabeta"), place.path("tuner/engine")).expect("a copy");
    let words = "-config discard=true outname=tuner/fastchess_config.json -output format=cutechess \
                 -engine cmd=./tuner/engine name=engine-1 proto=uci option.Hash=8 option.Skill=8 \
                 -engine cmd=./tuner/engine name=engine-2 proto=uci option.Hash=8 option.Skill=2 \
                 -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -recover -concurrency 1 -each tc=5.0+0.05 \
                 -openings file=book.epd format=epd order=random plies=16 -repeat 2 -games 2 -rounds 2 -pgnout tuner/games.pgn";
    let words: Vec<&str> = words.split_whitespace().collect();
    for iteration in 1..=2 {
        let ran = call(&place, "fastchess", &words);
        ran.expect_code(0);
        let said = ran.stdout();
        let read: Vec<&str> = said.lines().take_while(|line| !line.trim().is_empty()).collect();
        let last = |begin: &str| read.iter().rev().find(|line| line.starts_with(begin)).copied();
        let score = last("Score of").expect("a score");
        let score = all(score, r": (\d+) - (\d+) - (\d+)  \[");
        assert_eq!(score[0].iter().map(|part| number(part)).sum::<u32>(), 4, "{said}");
        let elo = all(last("Elo difference").expect("a difference"), r": (\S+) \+");
        assert!(elo[0][0].parse::<f64>().is_ok(), "{said}");
        let games = place.read("tuner/games.pgn").matches("[Event ").count();
        assert_eq!(games, 4 * iteration, "each iteration adds its games");
    }
}
