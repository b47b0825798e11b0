//! The grammar of `swissmatch match`: words and flags → keys, or what is wrong.

use proptest::prelude::*;

use super::{MatchEvent, MatchWordsError, has_line, loads, players, words};
use crate::match_words::{MatchFlags, MatchFormat, of_agents};

fn read(line: &str, flags: &MatchFlags) -> Result<MatchEvent, MatchWordsError> {
    of_agents(&words(line), flags)
}

/// Agents with their words, and lines of the event.
const AGENTS: &[(&str, &[&str])] = &[
    (
        "./new ./old",
        &[
            "name = \"new\"",
            "command = \"./new\"",
            "name = \"old\"",
            "command = \"./old\"",
            "games = 2",
            "time_control = \"10+0.1\"",
        ],
    ),
    ("stockfish greedy", &["command = \"stockfish\"", "name = \"greedy\""]),
    ("a/sf b/sf", &["name = \"sf\"", "name = \"sf_2\""]),
    ("sf-16.1 sf-16.2", &["name = \"sf-16.1\"", "name = \"sf-16.2\""]),
    ("sf name=A sf name=B", &["name = \"A\"", "name = \"B\""]),
    (
        "sf option.Hash=16 option.Skill\\ Level=3 sf",
        &["options = { Hash = \"16\", \"Skill Level\" = \"3\" }"],
    ),
    ("sf nodes=5000 depth=12 sf", &["nodes = 5000", "depth = 12"]),
    (
        "sf time=5+0.05 sf tc=10+0.1",
        &["time_control = \"5+0.05\"", "time_control = \"10+0.1\""],
    ),
    (
        "sf args='--net \"a b\"' arg=-x sf",
        &["args = [\"--net\", \"a b\", \"-x\"]"],
    ),
    (
        "./sf dir=engines/sf sf",
        &["command = \"./sf\"", "dir = \"engines/sf\""],
    ),
    (
        "sf env.OMP_NUM_THREADS=1 env.KEY='$KEY' sf",
        &["env = { KEY = \"$KEY\", OMP_NUM_THREADS = \"1\" }"],
    ),
    (
        "sf margin=20ms restart=game sf",
        &["margin = \"20ms\"", "restart = \"game\""],
    ),
    (
        "sf ponder=true isolation=sealed sf",
        &["ponder = true", "isolation = \"sealed\""],
    ),
    (
        "sf write=a.log,learnt connect=a.example.org:443 sf",
        &["write = [\"a.log\", \"learnt\"]", "connect = [\"a.example.org:443\"]"],
    ),
    ("sf write='[\"a,b\"]' sf", &["write = [\"a,b\"]"]),
    ("sf rating=1800 team=X sf", &["rating = 1800", "team = \"X\""]),
    ("./a=b sf", &["command = \"./a=b\"", "name = \"a=b\""]),
    ("sf option.A=1 option.a=2 sf", &["options = { a = \"2\" }"]),
    ("sf option.Book= sf", &["options = { Book = \"\" }"]),
    (
        "'my engine' 'a \"b\"'",
        &[
            "command = \"my engine\"",
            "command = \"a \\\"b\\\"\"",
            "name = \"a \\\"b\\\"\"",
        ],
    ),
];

#[test]
fn agents() {
    for (line, expected) in AGENTS {
        let read = read(line, &MatchFlags::default()).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        for text in *expected {
            assert!(has_line(&read.event, text), "{line}: {text}\n{}", read.event);
        }
        loads(&read);
    }
}

/// The effect of one flag with two or three agents.
#[test]
fn flags() {
    let some = |text: &str| Some(text.to_owned());
    let plain = MatchFlags::default;
    let (two, three) = ("./a ./b", "./a ./b ./c");
    let cases: Vec<(&str, MatchFlags, &[&str])> = vec![
        (
            two,
            plain(),
            &[
                "rounds = \"RR\"",
                "seeding = \"listed\"",
                "concurrency = \"cores\"",
                "attempts = 1",
                "!opening_policy",
            ],
        ),
        (
            three,
            plain(),
            &[
                "rounds = \"RR\"",
                "opening_policy = \"event\"  # every pairing plays the same openings",
            ],
        ),
        (
            two,
            MatchFlags {
                games: Some(1),
                ..plain()
            },
            &["games = 1"],
        ),
        (
            two,
            MatchFlags {
                games: Some(2000),
                ..plain()
            },
            &["games = 2000"],
        ),
        (
            two,
            MatchFlags {
                games: Some(1_000_000),
                ..plain()
            },
            &["games = 1000000"],
        ),
        (
            three,
            MatchFlags {
                format: MatchFormat::Gauntlet(1),
                ..plain()
            },
            &["rounds = \"gauntlet-1\""],
        ),
        (
            two,
            MatchFlags {
                format: MatchFormat::Gauntlet(1),
                ..plain()
            },
            &["rounds = \"RR\""],
        ),
        (
            three,
            MatchFlags {
                format: MatchFormat::Swiss(3),
                ..plain()
            },
            &["rounds = 3", "![standings]"],
        ),
        (
            two,
            MatchFlags {
                time: some("nodes=5000"),
                ..plain()
            },
            &["time_control = \"nodes=5000\""],
        ),
        (
            two,
            MatchFlags {
                time: some("40/1:30+1"),
                ..plain()
            },
            &["time_control = \"40/90+1\""],
        ),
        (
            two,
            MatchFlags {
                openings: some("book.epd"),
                ..plain()
            },
            &["openings = \"book.epd\"", "opening_order = \"random\""],
        ),
        (
            three,
            MatchFlags {
                openings: some("none"),
                ..plain()
            },
            &["openings = \"none\"", "!opening_"],
        ),
        (
            two,
            MatchFlags {
                sprt: some("0,5"),
                ..plain()
            },
            &[
                "elo0 = 0",
                "elo1 = 5",
                "alpha = 0.05",
                "beta = 0.05",
                "model = \"normalized\"",
                "counts = \"pentanomial\"",
            ],
        ),
        (
            two,
            MatchFlags {
                sprt: some("-1.75, .25"),
                alpha: some("0.1"),
                model: some("logistic"),
                counts: some("trinomial"),
                ..plain()
            },
            &[
                "elo0 = -1.75",
                "elo1 = 0.25",
                "alpha = 0.1",
                "model = \"logistic\"",
                "counts = \"trinomial\"",
            ],
        ),
        (
            two,
            MatchFlags {
                sprt: some("0,5"),
                model: some("bayesian"),
                ..plain()
            },
            &["counts = \"trinomial\""],
        ),
        (
            two,
            MatchFlags {
                options: vec!["Hash=16".to_owned(), "Threads=2".to_owned()],
                ..plain()
            },
            &["options = { Hash = \"16\", Threads = \"2\" }"],
        ),
        (
            two,
            MatchFlags {
                concurrency: some("4"),
                ..plain()
            },
            &["concurrency = 4"],
        ),
        (
            two,
            MatchFlags {
                set: vec![
                    "adjudication.resign_score=600".to_owned(),
                    "event.rng_seed=7".to_owned(),
                ],
                ..plain()
            },
            &["resign_score = 600", "rng_seed = 7"],
        ),
        (
            two,
            MatchFlags {
                set: vec!["mini_match.opening_order=sequential".to_owned()],
                ..plain()
            },
            &["opening_order = \"sequential\"", "!\"random\""],
        ),
        (
            two,
            MatchFlags {
                set: vec!["bye.score=protocol".to_owned()],
                ..plain()
            },
            &["match_points = 0.5", "game_points = 1"],
        ),
    ];
    for (line, flags, expected) in cases {
        let read = read(line, &flags).unwrap_or_else(|wrong| panic!("{line} {flags:?}: {wrong}"));
        for text in expected {
            match text.strip_prefix('!') {
                Some(text) => assert!(!read.event.contains(text), "{flags:?}: {text}\n{}", read.event),
                None => assert!(has_line(&read.event, text), "{flags:?}: {text}\n{}", read.event),
            }
        }
        assert_eq!(read.has_sprt, flags.sprt.is_some());
        loads(&read);
    }
}

/// The start positions of Chess960 fit no other variant.
#[test]
fn openings_of_chess960_are_played_as_chess960() {
    let of = |openings: Option<&str>, set: &[&str]| {
        let flags = MatchFlags {
            openings: openings.map(str::to_owned),
            set: set.iter().map(|word| (*word).to_owned()).collect(),
            ..MatchFlags::default()
        };
        read("a b", &flags).expect("it is read")
    };
    let variant = "variant = \"chess960\"";
    for event in [
        of(Some("chess960"), &[]),
        of(None, &["mini_match.openings=chess960"]),
        of(Some("chess960"), &["game.variant=chess960"]),
    ] {
        assert!(has_line(&event.event, variant), "{}", event.event);
        assert_eq!(event.event.matches("variant").count(), 1, "{}", event.event);
        loads(&event);
    }
    for event in [
        of(Some("book-chess960.pgn"), &[]),
        of(Some("chess960"), &["mini_match.openings=none"]),
    ] {
        assert!(!event.event.contains("variant"), "{}", event.event);
    }
    // A variant that is asked for is not changed, but refused as in any event.
    let other = of(Some("chess960"), &["game.variant=standard"]);
    assert!(crate::load(std::path::Path::new("match.toml"), &other.event, &[]).is_err());
}

#[test]
fn names_have_up_to_200_characters() {
    let name = |length: usize| "\u{e4}".repeat(length);
    let event = read(
        &format!("a name={} b name={}", name(200), name(199)),
        &MatchFlags::default(),
    )
    .expect("it is read");
    assert_eq!(event.names, [name(200), name(199)]);
    loads(&event);
    let refused = read(&format!("a name={} b", name(201)), &MatchFlags::default());
    let said = refused.expect_err("it is refused").to_string();
    assert!(said.contains("expected a name of 1 to 200 characters"), "{said}");
}

#[test]
fn an_agent_that_is_called_otherwise_is_told() {
    let read = read("a name=X b name=x", &MatchFlags::default()).expect("it is read");
    assert_eq!(
        (read.names, read.notes),
        (
            vec!["X".to_owned(), "x_2".to_owned()],
            vec!["the name \"x\" is taken; it is called \"x_2\" here".to_owned()]
        )
    );
}

#[test]
fn wrong_words() {
    for (line, text) in [
        ("./a", "agents: 1 of at least two"),
        ("", "agents: 0 of at least two"),
        ("name=A ./a ./b", "there is no agent before it"),
        ("./a nodse=5 ./b", "did you mean nodes=?"),
        ("./a hash=5 ./b", "no word of an agent"),
        ("./a command=x ./b", "no word of an agent"),
        ("./a nodes=many ./b", "expected a number of nodes"),
        ("./a time=abc ./b", "./a"),
        ("./a args='\"x' ./b", "a quote is not closed"),
        ("./a name=' x' ./b", "expected a name"),
        ("./a env.1=x ./b", "expected a name of letters"),
        ("./a option.=x ./b", "not a valid name"),
        ("'' ./b", "expected a program"),
    ] {
        let wrong = read(line, &MatchFlags::default()).map(|read| read.event);
        let wrong = wrong.expect_err(line).to_string();
        let is_said = wrong.contains(text) || (text == "./a" && wrong.contains("time=abc"));
        assert!(is_said, "{line}: {wrong}");
    }
}

#[test]
fn wrong_flags() {
    let some = |text: &str| Some(text.to_owned());
    let plain = MatchFlags::default;
    for (line, flags, text) in [
        (
            "a b",
            MatchFlags {
                games: Some(3),
                ..plain()
            },
            "--games 3: both have each colour",
        ),
        (
            "a b c",
            MatchFlags {
                format: MatchFormat::Gauntlet(3),
                ..plain()
            },
            "--gauntlet 3: expected 1 to 2 of 3 agents",
        ),
        (
            "a b",
            MatchFlags {
                format: MatchFormat::Gauntlet(0),
                ..plain()
            },
            "--gauntlet 0",
        ),
        (
            "a b",
            MatchFlags {
                format: MatchFormat::Swiss(0),
                ..plain()
            },
            "--swiss 0",
        ),
        (
            "a b",
            MatchFlags {
                games: Some(0),
                ..plain()
            },
            "--games 0",
        ),
        (
            "a b",
            MatchFlags {
                games: Some(10_000_002),
                ..plain()
            },
            "up to 1000000",
        ),
        (
            "a b",
            MatchFlags {
                time: some("10x"),
                ..plain()
            },
            "--time 10x",
        ),
        (
            "a b",
            MatchFlags {
                sprt: some("5"),
                ..plain()
            },
            "expected ELO0,ELO1",
        ),
        (
            "a b",
            MatchFlags {
                sprt: some("5,0"),
                ..plain()
            },
            "the lower first",
        ),
        (
            "a b c",
            MatchFlags {
                sprt: some("0,5"),
                ..plain()
            },
            "compares two agents",
        ),
        (
            "a b",
            MatchFlags {
                alpha: some("0.1"),
                ..plain()
            },
            "--alpha: belongs to --sprt",
        ),
        (
            "a b",
            MatchFlags {
                sprt: some("0,5"),
                beta: some("1"),
                ..plain()
            },
            "--beta 1: expected a share",
        ),
        (
            "a b",
            MatchFlags {
                sprt: some("0,5"),
                model: some("elo"),
                ..plain()
            },
            "--model elo: no such word",
        ),
        (
            "a b",
            MatchFlags {
                sprt: some("0,5"),
                model: some("bayesian"),
                counts: some("pentanomial"),
                ..plain()
            },
            "no figures of pairs",
        ),
        (
            "a b",
            MatchFlags {
                options: vec!["Hash".to_owned()],
                ..plain()
            },
            "--option Hash: expected NAME=VALUE",
        ),
        (
            "a b",
            MatchFlags {
                concurrency: some("many"),
                ..plain()
            },
            "--concurrency run.concurrency=many",
        ),
        (
            "a b",
            MatchFlags {
                set: vec!["game.atempts=3".to_owned()],
                ..plain()
            },
            "did you mean game.attempts?",
        ),
        (
            "a b",
            MatchFlags {
                set: vec!["x".to_owned()],
                ..plain()
            },
            "expected TABLE.KEY=VALUE",
        ),
    ] {
        let wrong = read(line, &flags).map(|read| read.event).expect_err(text).to_string();
        assert!(wrong.contains(text), "{text}: {wrong}");
    }
}

proptest! {
    /// Any words are read or refused; an event is always TOML, with as many players as names.
    #[test]
    fn any_words(all in prop::collection::vec(prop_oneof!["[a-z]{1,5}", "(name|nodes|args|arg|dir|option\\.A|env\\.B|write)=\\PC{0,9}", "\\PC{0,9}"], 0..9), sprt in proptest::option::of("\\PC{0,9}")) {
        let flags = MatchFlags { sprt, ..MatchFlags::default() };
        if let Ok(read) = of_agents(&all, &flags) {
            prop_assert_eq!(players(&read.event), read.names.len());
        }
    }
}
