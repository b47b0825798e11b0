//! The grammar of fastchess and cutechess-cli: words → keys, or a refusal.

mod cases;
mod refusals;

use proptest::prelude::*;

use super::*;
use crate::match_words::peers::{How, OptionRow, rows};
use swissmatch_tournament::peer_lines::{PeerFormat, PeerOutput};

/// Two engines and their time, for options that are tested by themselves.
const TWO: &str = "-engine cmd=./a -engine cmd=./b -each tc=10+0.1";
const THREE: &str = "-engine cmd=./a -engine cmd=./b -engine cmd=./c -each tc=10+0.1";

/// An example of the word of a row, with what must stand beside it.
fn example(row: &OptionRow) -> String {
    let key = row.key();
    let words = match (row.option, key) {
        ("-quick", _) => "cmd=./c cmd=./d book=b.epd".to_owned(),
        ("-openings", "plies=") => "plies=8 file=b.pgn".to_owned(),
        ("-openings", _) => {
            let value = match key {
                "file=" => return "-openings file=b.epd".to_owned(),
                "format=" => "epd",
                "order=" => "random",
                "policy=" => "round",
                _ => "2",
            };
            format!("{key}{value} file=b.epd")
        }
        ("-sprt", "elo0=") => "elo0=-1".to_owned(),
        ("-sprt", "elo1=") => "elo1=5".to_owned(),
        ("-sprt", "model=") => "model=logistic elo1=5".to_owned(),
        ("-sprt", _) => format!("{key}0.1 elo1=5"),
        ("-resign", "score=") => "score=600".to_owned(),
        ("-resign", "movecount=") => "movecount=3 score=600".to_owned(),
        ("-resign", _) => "twosided=true score=600".to_owned(),
        ("-log", "level=") => "level=info".to_owned(),
        ("-output", _) => "format=cutechess".to_owned(),
        ("-log", "compress=") => "compress=false".to_owned(),
        ("-pgnout", "match_line=") => "match_line=^x".to_owned(),
        ("-tournament", _) => "gauntlet".to_owned(),
        ("-variant", _) => "fischerandom".to_owned(),
        ("-bookmode", _) => "ram".to_owned(),
        ("-tbadjudicate", _) => "BOTH".to_owned(),
        ("-tbpieces", _) => "5".to_owned(),
        ("-seeds", _) => "1".to_owned(),
        ("-each", _) => "option.Hash=8".to_owned(),
        ("-engine", "conf=") => "conf=Plain".to_owned(),
        ("-engine", "tc=") => "tc=10+0.1".to_owned(),
        ("-engine", "option.NAME=") => "option.Hash=16".to_owned(),
        ("-repeat" | "-use-affinity" | "-debug", _) => String::new(),
        // `restart=on`, and words without a value.
        (_, _)
            if row.word.contains(|c: char| c.is_ascii_lowercase())
                && !row.word.contains(|c: char| c.is_ascii_uppercase()) =>
        {
            row.word.to_owned()
        }
        (_, _) if row.word.ends_with("BOOL") => format!("{key}true"),
        (_, _) if key.ends_with('=') => format!("{key}2"),
        (_, "") => String::new(),
        (_, "0") => "0".to_owned(),
        _ => "2".to_owned(),
    };
    format!("{} {words}", row.option).trim_end().to_owned()
}

/// Checks each row of the table: words that it calls honoured are taken, and those that it calls refused are refused with its text.
#[test]
fn every_row_is_so() {
    let mut count = (0, 0);
    for row in rows().filter(|row| !row.is_case) {
        if matches!(row.option, "-version" | "-help" | "-engines" | "--compliance") {
            continue;
        }
        let example = example(row);
        // An engine has a program, and one limit.
        let line = match (row.option, row.key()) {
            ("-quick", _) => example,
            ("-engine", "cmd=" | "conf=") => format!("{TWO} {example}"),
            ("-engine", "tc=" | "st=") => format!("{example} cmd=./c -engine cmd=./d st=1"),
            ("-engine", _) => format!("{TWO} {example} cmd=./c"),
            _ => format!("{TWO} {example}"),
        };
        let called = match row.option {
            // Only its own lines have the option.
            "-outcomeinterval" => Dialect::Cutechess,
            _ => Dialect::Fastchess,
        };
        let read = read_as(Some(called), &line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        let refused: Vec<&str> = read.refused.iter().map(|refused| refused.why.as_str()).collect();
        match row.how {
            How::Honoured(_) => {
                assert!(refused.is_empty(), "{line}: {refused:?}");
                count.0 += 1;
            }
            How::Refused(why, _) => {
                assert_eq!(refused, [why], "{line}");
                count.1 += 1;
            }
        }
    }
    assert!(count.0 > 80 && count.1 > 15, "{count:?}");
}

/// Each option and each word has one row, with a text.
#[test]
fn the_table_has_each_once() {
    let mut seen = std::collections::BTreeSet::new();
    for row in rows() {
        assert!(seen.insert((row.option, row.word)), "{row:?}");
        let (How::Honoured(said) | How::Refused(said, _)) = row.how;
        assert!(!said.is_empty() && row.option.starts_with('-'), "{row:?}");
        let text = format!("{} {} {said}", row.option, row.word);
        assert!(!text.contains(['|', '\n']), "{row:?}");
    }
}

#[test]
fn what_is_no_match() {
    let asked = |line: &str| of_peers(&words(line), None, &around());
    assert_eq!(asked("-version"), Ok(PeerRequest::Version));
    assert_eq!(asked("-engine cmd=a --version"), Ok(PeerRequest::Version));
    assert_eq!(asked("-help"), Ok(PeerRequest::Help));
    assert_eq!(asked(""), Ok(PeerRequest::Help));
    let names = ["Plain", "Old", "Full", "Odd"].map(str::to_owned).to_vec();
    assert_eq!(asked("--engines"), Ok(PeerRequest::Engines(names)));
    let none = Surroundings::default();
    assert_eq!(
        of_peers(&words("-engines"), None, &none),
        Ok(PeerRequest::Engines(Vec::new()))
    );
    let compliance = asked("--compliance ./a x").map_err(|wrong| wrong.to_string());
    assert_eq!(
        compliance,
        Err("--compliance ./a x: it is a command of its own; instead: `swissmatch check ENGINE`".to_owned())
    );
}

/// Options that only one program has say whose dialect it is; the program's name says it before them.
#[test]
fn the_dialect() {
    let check = |words: &str, called, expected| {
        let read = read_as(called, &format!("{TWO} {words}")).unwrap_or_else(|wrong| panic!("{words}: {wrong}"));
        assert_eq!(read.dialect, expected, "{words}");
    };
    check("-rounds 2", None, Dialect::Fastchess);
    check("-rounds 2", Some(Dialect::Cutechess), Dialect::Cutechess);
    check("-outcomeinterval 5", None, Dialect::Cutechess);
    check("-outcomeinterval 5", Some(Dialect::Fastchess), Dialect::Fastchess);
    check("-pgnout games.pgn fi", None, Dialect::Cutechess);
    check("-pgnout file=games.pgn", None, Dialect::Fastchess);
    check("-tournament round-robin", None, Dialect::Cutechess);
    check("-tournament roundrobin", None, Dialect::Fastchess);
    check(
        "-openings file=a.epd policy=encounter -repeat",
        None,
        Dialect::Cutechess,
    );
    check("-engine conf=Plain", None, Dialect::Cutechess);
    check("-pgnout games.pgn -report penta=true", None, Dialect::Fastchess);
    let both = read_as(None, &format!("{TWO} -outcomeinterval 5 -report penta=true")).expect("it is read");
    assert!(
        both.notes.iter().any(|note| note.contains("as fastchess has them")),
        "{:?}",
        both.notes
    );
    assert_eq!(Dialect::of_program("cutechess-cli"), Some(Dialect::Cutechess));
    assert_eq!(Dialect::of_program("fastchess-ob"), Some(Dialect::Fastchess));
    assert_eq!(Dialect::of_program("swissmatch"), None);
    assert_eq!(Dialect::of_program("fastchessy"), None);
}

/// All that is refused and all that is wrong is told in one message.
#[test]
fn one_message_has_all() {
    let line = "-engine cmd=./a -engine proto=xboard cmd=./b -each tc=10 -noswap -reverse -fastt -draw scor=3 -event";
    let wrong = read_as(None, line).expect_err("much is wrong");
    insta::assert_snapshot!(wrong.to_string(), @"
    -fastt: neither fastchess nor cutechess-cli has it
    -draw scor=3: it has no such word; instead: `score=`, if that is meant
    -engine proto=xboard: agents speak UCI; instead: an adapter between the two protocols
    -draw: missing: movenumber, movecount, score
    -event : expected a name of 1 to 100 characters without blanks at its ends
    -noswap: both have each colour equally often; instead: leave it out
    -reverse: both colours of each opening are played, whoever has White first; instead: leave it out
    ");
}

/// Notes tell what is done in another way than the writer may expect.
#[test]
fn notes() {
    let check = |called, line: &str, note: &str| {
        let read = read_as(Some(called), line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        assert!(
            read.notes.iter().any(|said| said.contains(note)),
            "{line}: {:?}",
            read.notes
        );
    };
    let sprt = "-rounds 20 -repeat -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05";
    check(
        Dialect::Cutechess,
        &format!("{TWO} {sprt}"),
        "cutechess-cli would compute another LLR",
    );
    check(Dialect::Fastchess, &format!("{TWO} -games 2"), "2 rounds");
    let read = read_as(Some(Dialect::Fastchess), &format!("{TWO} {sprt}")).expect("it is read");
    assert_eq!((read.notes, read.has_sprt), (Vec::new(), true));
    check(Dialect::Fastchess, TWO, "2 rounds");
    check(
        Dialect::Fastchess,
        &format!("{TWO} -rounds 1 -sprt elo1=5"),
        "without alpha: 0.05",
    );
    check(Dialect::Fastchess, &format!("{TWO} -tb a"), "up to 5 men");
    check(
        Dialect::Fastchess,
        &format!("{TWO} -tbignore50"),
        "does nothing without -tb",
    );
    check(
        Dialect::Fastchess,
        &format!("{THREE} -openings file=a.epd"),
        "every pairing plays the same openings",
    );
    check(
        Dialect::Fastchess,
        "-engine cmd=./a tc=5+0.05 -engine cmd=./b -each tc=10+0.1",
        "-each tc=10+0.1 goes over -engine tc=5+0.05",
    );
    check(
        Dialect::Fastchess,
        "-engine cmd=x/a -engine cmd=y/a name=a -each st=1",
        "the name \"a\" is taken",
    );
}

/// Settings that are no keys of an event.
#[test]
fn output() {
    let read = |called, line: &str| {
        let line = format!("{TWO} -rounds 2 -repeat {line}");
        read_as(Some(called), &line)
            .unwrap_or_else(|wrong| panic!("{line}: {wrong}"))
            .output
    };
    let fastchess = read(
        Dialect::Fastchess,
        "-pgnout file=a.pgn append=false -ratinginterval 0 -testEnv",
    );
    let file = |path: &str| PgnFile {
        path: Some(path.to_owned()),
        append: true,
        ..PgnFile::default()
    };
    let expected = Output {
        pgn: Some(PgnFile {
            append: false,
            ..file("a.pgn")
        }),
        rating_interval: Some(0),
        wanted: PeerOutput {
            lines: PeerFormat::Fastchess,
            pairs: true,
            score: 1,
            is_one_line: true,
            ..PeerOutput::default()
        },
        ..Output::default()
    };
    assert_eq!(fastchess, expected);
    let cutechess = read(Dialect::Cutechess, "-pgnout a.pgn fi -ratinginterval 3");
    let expected = Output {
        pgn: Some(file("a.pgn")),
        rating_interval: Some(3),
        wanted: PeerOutput {
            lines: PeerFormat::Cutechess,
            rating: 3,
            score: 1,
            ..PeerOutput::default()
        },
        ..Output::default()
    };
    assert_eq!(cutechess, expected);
    let scores = read(Dialect::Fastchess, "-scoreinterval 5");
    assert_eq!((scores.pgn, scores.score_interval), (None, Some(5)));
    assert_eq!(read(Dialect::Fastchess, "-pgnout").pgn.map(|pgn| pgn.path), Some(None));
    let min = read(Dialect::Cutechess, "-pgnout a.pgn min -outcomeinterval 5");
    assert_eq!((min.pgn.map(|pgn| pgn.is_min), min.wanted.outcomes), (Some(true), 5));
    let all = read(
        Dialect::Fastchess,
        "-pgnout file=a.pgn match_line=^x -crc32 pgn=true -output format=cutechess -check-mate-pvs -log file=b.log engine=true \
         level=err append=false",
    );
    assert_eq!(all.pgn.map(|pgn| pgn.lines), Some(vec!["^x".to_owned()]));
    assert!(all.crc32 && all.is_asked && all.wanted.has_mates && !all.wanted.pairs);
    assert_eq!(
        (all.wanted.lines, all.wanted.rating),
        (PeerFormat::FastchessAsCutechess, 10)
    );
    let log = all.log.expect("a log");
    assert_eq!((log.path.as_str(), log.append), ("b.log", false));
    assert!(log.logged.has_engines && !log.logged.has_warnings);
    let quick = read(Dialect::Fastchess, "-quick cmd=./c cmd=./d book=b.epd");
    assert_eq!(quick.wanted.lines, PeerFormat::FastchessAsCutechess);
}

/// The lines of fastchess that are those of cutechess-cli have no figures of pairs, and so its test counts games.
#[test]
fn other_lines_are_another_test() {
    let counts = |line: &str| {
        let line = format!("{TWO} -rounds 2 -repeat -openings file=b.epd -sprt elo0=0 elo1=5 {line}");
        let read = read_as(Some(Dialect::Fastchess), &line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        has_line(&read.event, "counts = \"pentanomial\"")
    };
    assert!(counts("") && counts("-output format=fastchess"));
    assert!(!counts("-output format=cutechess") && !counts("-report penta=false"));
}

/// Words that are likely to be near to what is read.
fn word() -> impl Strategy<Value = String> {
    let options: Vec<String> = rows()
        .map(|row| row.option.to_owned())
        .chain(["-engine", "-each"].map(str::to_owned))
        .collect();
    let known: Vec<String> = rows().map(|row| row.word.to_owned()).collect();
    let keys: Vec<&'static str> = rows().map(OptionRow::key).filter(|key| key.ends_with('=')).collect();
    let value = prop_oneof![
        "[0-9.:/+-]{0,12}",
        "\\PC{0,12}",
        Just("-9223372036854775808".to_owned()),
        Just("99999999999999999999".to_owned())
    ];
    prop_oneof![
        2 => proptest::sample::select(options),
        1 => proptest::sample::select(known),
        3 => (proptest::sample::select(keys), value.clone()).prop_map(|(key, value)| format!("{key}{value}")),
        1 => value,
    ]
}

proptest! {
    /// Any words are read or refused, alone or beside a match; an event is always TOML, with as many players as names.
    #[test]
    fn any_words(all in prop::collection::vec(word(), 0..12), called in 0_usize..3, is_beside in any::<bool>()) {
        let called = [None, Some(Dialect::Fastchess), Some(Dialect::Cutechess)][called];
        let before = if is_beside { words(TWO) } else { Vec::new() };
        let all: Vec<String> = before.into_iter().chain(all).collect();
        match of_peers(&all, called, &around()) {
            Ok(PeerRequest::Match(read)) => {
                prop_assert_eq!(players(&read.event), read.names.len());
            }
            Ok(_) => {}
            Err(wrong) => prop_assert!(!wrong.wrong.is_empty() && !wrong.to_string().is_empty()),
        }
    }
}

/// Both programs start again from the first opening.
#[test]
fn a_start_beyond_the_last_opening_begins_again() {
    let read = |dialect, start: u32, openings| {
        let line = format!("{TWO} -rounds 2 -repeat -openings file=b.epd start={start}");
        let around = Surroundings { openings, ..around() };
        match of_peers(&words(&line), dialect, &around) {
            Ok(PeerRequest::Match(event)) => *event,
            other => panic!("{other:?}"),
        }
    };
    for dialect in [None, Some(Dialect::Fastchess), Some(Dialect::Cutechess)] {
        for (start, openings, begun) in [
            (3, None, 3),
            (3, Some(3), 3),
            (4, Some(3), 1),
            (300, Some(7), 6),
            (5, Some(1), 1),
            (5, Some(0), 5),
        ] {
            let event = read(dialect, start, openings);
            assert!(
                has_line(&event.event, &format!("opening_start = {begun}")),
                "{}",
                event.event
            );
            let told = event
                .notes
                .iter()
                .any(|note| note.contains("they begin again, with number"));
            assert_eq!(told, begun != start, "{start} of {openings:?}: {:?}", event.notes);
        }
    }
}

#[test]
fn cpus_are_a_list() {
    let cpus = |list: &str| {
        read_as(None, &format!("{TWO} -rounds 1 -use-affinity {list}"))
            .expect("a match")
            .output
            .cpus
    };
    assert_eq!(cpus("2,4-9"), [2, 4, 5, 6, 7, 8, 9]);
    assert_eq!(cpus("3 1-1 3"), [1, 3]);
    assert_eq!(cpus(""), Vec::<usize>::new());
}
