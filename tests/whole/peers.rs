//! Words of fastchess and cutechess-cli that reach beyond the event: files that grow while a match is played, the CPUs that it stays
//! on, openings by their format and beyond the end of their file.

use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, assert_empty, send, until};
use crate::links::call;
use crate::support::{Place, engine};

const PATIENCE: Duration = Duration::from_secs(60);
const BOOK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1;\n\
                    rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1;\n\
                    rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1;\n";
const OLD: &str = "[Event \"old\"]\n\n1. e4 *\n\n";

/// A match of two agents, the first of which takes its time for each move.
fn words(more: &str) -> Vec<String> {
    let [slow, quick] = [engine("fault-agent"), engine("greedy")];
    let line = format!(
        "-engine cmd={slow} name=A arg=--fault arg=sleep arg=--ms arg=20 -engine cmd={quick} name=B -each proto=uci tc=inf depth=1 \
         -maxmoves 5 {more}"
    );
    line.split_whitespace().map(str::to_owned).collect()
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

#[test]
fn a_format_decides_and_a_start_beyond_the_end_begins_again() {
    for program in ["fastchess", "cutechess-cli"] {
        let place = Place::new();
        place.write("book.pgn", BOOK);
        let words = words("-rounds 2 -games 2 -repeat -openings file=book.pgn format=epd start=8 -pgnout games.pgn");
        let ran = call(&place, program, &borrowed(&words));
        ran.expect_code(0);
        let note = "note: -openings start=8: the file has 3 openings, so they begin again, with number 2";
        assert!(ran.stderr().contains(note), "{program}: {}", ran.stderr());
        let games = place.read("games.pgn");
        let fens: Vec<&str> = games.lines().filter(|line| line.starts_with("[FEN ")).collect();
        let pawns: Vec<bool> = fens.iter().map(|fen| fen.contains("/3P4/")).collect();
        assert_eq!(pawns, [true, true, false, false], "{program}: {fens:?}");
        assert!(
            fens[3].contains("/2P5/") && !games.contains("[Opening "),
            "{program}: {games}"
        );
    }
}

#[test]
fn a_match_stays_on_its_cpus() {
    let allowed = rustix::thread::sched_getaffinity(None).expect("its affinity");
    let cpu = (0..1024).rev().find(|cpu| allowed.is_set(*cpu)).expect("a CPU");
    let place = Place::new();
    let text = format!(
        "#!/bin/sh\ngrep Cpus_allowed_list /proc/self/status >> where.txt\nexec '{}'\n",
        engine("greedy")
    );
    let script = place.write("agent.sh", &text);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    let line = |list: &str| {
        format!(
            "-engine cmd=./agent.sh name=A -engine cmd=./agent.sh name=B -each proto=uci tc=inf depth=1 dir=. -maxmoves 2 -rounds 1 \
             --isolation off -use-affinity {list}"
        )
    };
    let played = |list: &str| {
        let line = format!("match -- {}", line(list));
        place.swissmatch(&line.split(' ').collect::<Vec<_>>())
    };
    played(&cpu.to_string()).expect_code(0);
    let found = place.read("where.txt");
    let expected = format!("Cpus_allowed_list:\t{cpu}");
    assert!(
        found.lines().count() >= 2 && found.lines().all(|line| line == expected),
        "{found}"
    );
    let other = played("1023");
    other.expect_code(4);
    let why = "-use-affinity: there is no CPU 1023 that swissmatch may use here; name some of";
    assert!(other.stderr().contains(why), "{}", other.stderr());
}

/// Whole games, pair by pair in their order, whatever ends the match; the same words go on with it.
#[test]
fn a_file_of_games_grows_and_survives_a_kill() {
    let place = Place::new();
    place.write("games.pgn", OLD);
    let words = words("-rounds 12 -games 2 -concurrency 2 -force-concurrency -event E -pgnout file=games.pgn");
    let words: Vec<&str> = ["match", "--"].into_iter().chain(borrowed(&words)).collect();
    let numbers = |text: &str| -> Vec<u32> {
        let rounds = text.lines().filter_map(|line| line.strip_prefix("[Round \"1.1."));
        rounds
            .map(|rest| rest.trim_end_matches("\"]").parse().expect("a number"))
            .collect()
    };
    for kill in 0..2 {
        let mut running = Background::start(&place, &words);
        let more = |least: usize| {
            let text = place.read("games.pgn");
            (numbers(&text).len() >= least).then_some(())
        };
        until("pairs of games", PATIENCE, || more(4 + 6 * kill));
        send(running.player(), Signal::KILL);
        running.end(PATIENCE);
        assert_empty(&place, Duration::from_secs(1));
        let text = place.read("games.pgn");
        assert!(text.starts_with(OLD) && text.ends_with("\n\n"), "{text}");
        let found = numbers(&text);
        let count = u32::try_from(found.len()).expect("a few");
        assert_eq!(found, (1..=count).collect::<Vec<u32>>(), "{text}");
        assert!(count % 2 == 0 && count < 24, "{count}");
    }
    place.swissmatch(&words).expect_code(0);
    let text = place.read("games.pgn");
    assert!(text.starts_with(OLD), "{text}");
    assert_eq!(numbers(&text), (1..=24).collect::<Vec<u32>>());
}

/// Whatever an engine was told, in its order, so that a crash can be played again: of each process from its first line on.
#[test]
fn a_log_has_every_line_of_the_engines() {
    let place = Place::new();
    let text = format!(
        "#!/bin/sh\ntee -a told.txt | '{}' | tee -a said.txt\n",
        engine("random-mover")
    );
    let script = place.write("agent.sh", &text);
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it becomes a program");
    place.write("book.epd", BOOK);
    let line = format!(
        "match -- -engine cmd=./agent.sh name=A option.Seed=5 restart=on -engine cmd={} name=B -each proto=uci tc=inf depth=1 \
         -maxmoves 130 -rounds 1 -games 2 -openings file=book.epd -log file=a.log engine=true --isolation off",
        engine("random-mover")
    );
    place
        .swissmatch(&line.split_whitespace().collect::<Vec<_>>())
        .expect_code(0);
    let log = place.read("a.log");
    let logged = |arrow: &str| -> Vec<String> {
        let lines = log.lines().filter_map(|line| line.split_once(arrow));
        lines.map(|(_, said)| said.to_owned()).collect()
    };
    // Before the match each agent is started once, to be looked at; games are told from the start of their engines on.
    let of_games = |file: &str, begin: &str| -> Vec<String> {
        let text = place.read(file);
        let lines: Vec<String> = text.lines().filter(|line| *line != "quit").map(str::to_owned).collect();
        let second = lines.iter().skip(1).position(|line| line.starts_with(begin));
        lines[second.expect("a second start") + 1..].to_vec()
    };
    assert_eq!(logged(" A <--- "), of_games("told.txt", "uci"));
    assert_eq!(logged(" A ---> "), of_games("said.txt", "id name"));
    assert!(
        log.lines()
            .any(|line| line.contains(" A <--- position fen ") && line.len() > 1000),
        "a long game"
    );
    assert!(!log.contains("not kept") && !log.contains("[cut]"));
}
