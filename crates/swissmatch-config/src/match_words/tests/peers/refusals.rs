//! One case a line: words that are refused or wrong, and the message on them.

use super::cases::WordsCase;
use super::{THREE, TWO};
use crate::match_words::Dialect;
use crate::match_words::tests::{loads, read_as};

/// Words, and what is said of them, beside two engines of fastchess: refused, and left out of the event.
const REFUSED: &[WordsCase] = &[
    (
        "-noswap",
        &["-noswap: both have each colour equally often; instead: leave it out"],
    ),
    (
        "-rounds 5 -games 1 -openings file=a.epd",
        &["games = 6", "-rounds 5 -games 1: both have each colour"],
    ),
    (
        "-rounds 10 -games 1 -openings file=a.epd",
        &["games = 10", "each opening is played twice"],
    ),
    (
        "-rounds 9000000 -repeat",
        &["games = 1000000", "at most 1,000,000 games"],
    ),
    ("-wait 50", &["-wait 50: there are no pauses"]),
    ("-epdout file=a.epd", &["last positions have no file"]),
    (
        "-pgnout file=a.pgn notation=uci min=true match_line=x",
        &[
            "notation=uci: PGN has its moves in SAN",
            "match_line=x: games without comments",
        ],
    ),
    ("-log file=a.log compress=true", &["the file is not packed"]),
    ("-outcomeinterval 5", &["outcomes are not printed in between"]),
    (
        "-config file=c.json outname=d.json",
        &["-config file=c.json: a state of fastchess"],
    ),
    (
        "-show-latency -strict -debug",
        &[
            "-show-latency: it is not printed",
            "-strict: warnings do not",
            "-debug: what engines say",
        ],
    ),
    (
        "-each option.UCI_Chess960=true",
        &[
            "it is set for all engines alike; instead: `-variant fischerandom`",
            "!UCI_Chess960 =",
        ],
    ),
    (
        "-each trust whitepov tscale=2 initstr=x stderr=e.log book=a.bin bookdepth=4 debug",
        &[
            "-each trust: results follow",
            "whitepov",
            "tscale=2",
            "initstr=x",
            "stderr=e.log",
            "book=a.bin",
            "bookdepth=4",
            "-each debug",
        ],
    ),
    (
        "-each ponder nodes=5000",
        &["a bound would end the search before its turn", "!ponder ="],
    ),
    (
        "-engine cmd=./c -sprt elo0=0 elo1=5",
        &["-sprt elo0=0 elo1=5: a sequential test compares two", "![sprt]"],
    ),
    (
        "-engine cmd=./c -engine cmd=./d -tournament gauntlet -seeds 2",
        &["its seeds meet each other too", "rounds = \"gauntlet-2\""],
    ),
];

/// Words beside two engines, and what is wrong with them.
const WRONG: &[WordsCase] = &[
    ("-fast", &["-fast: neither fastchess nor cutechess-cli has it"]),
    ("--concurrency 4", &["instead: `-concurrency`, if that is meant"]),
    ("-concurrency", &["-concurrency: it takes one value"]),
    ("-concurrency x", &["expected a whole number"]),
    ("-concurrency -8", &["there are 8 hardware threads"]),
    ("-recover yes", &["-recover yes: it takes no value"]),
    (
        "-each nods=5",
        &["-each nods=5: it has no such word; instead: `nodes=`"],
    ),
    ("-each tc=", &["nothing follows the `=`"]),
    ("-each tc=0+0.1", &["a clock that begins with its increment is 0.1+0.1"]),
    ("-each tc=abc", &["-each tc=abc: expected seconds"]),
    ("-each st=5", &["tc= and st= limit the same moves twice"]),
    ("-each tc=inf", &["nothing limits its moves"]),
    ("-each proto=xboard", &["agents speak UCI"]),
    ("-each restart=maybe", &["expected on, off or auto"]),
    ("-each timemargin=-1", &["expected a whole number from 0"]),
    ("-each conf=Nobody", &["engines.json has no engine of this name"]),
    ("-each args='\"x'", &["a quote is not closed"]),
    (
        "-engine cmd=./c tc=hg60 -each tc=hg60 -engine name=X",
        &["-engine X: it names no program"],
    ),
    ("-variant atomic", &["the rules of an event are those of chess"]),
    ("-tournament swiss", &["there is no such kind"]),
    ("-games 3 -rounds 3", &["fastchess plays 1 or 2 games a round"]),
    ("-rounds 0", &["at least one round"]),
    ("-openings order=random", &["it names no file"]),
    (
        "-openings file=book.txt",
        &[
            "its name does not say what it is",
            "instead: `format=epd` or `format=pgn`",
        ],
    ),
    ("-use-affinity 4-2", &["-use-affinity 4-2: expected numbers of CPUs"]),
    ("-use-affinity 0,x", &["-use-affinity 0,x: expected numbers of CPUs"]),
    ("-use-affinity 1024", &["below 1024"]),
    ("-openings file=book.bin", &["a Polyglot book is a tree of moves"]),
    ("-openings file=book.pgn start=0", &["from 1"]),
    ("-openings file=book.pgn order=best", &["there is no such order"]),
    ("-draw score=-1", &["from 0"]),
    ("-draw movecount=0", &["from 1"]),
    ("-resign movecount=3", &["without a score"]),
    ("-resign score=10 -draw score=10", &["both as level and as lost"]),
    ("-tb a -tbpieces 8", &["from 3 to 7"]),
    ("-sprt elo0=5 elo1=0 alpha=0.05 beta=0.05", &["elo0 must be below elo1"]),
    ("-sprt elo0=0 elo1=5 alpha=0.5 beta=0.5", &["together below 1"]),
    ("-sprt elo0=a elo1=5", &["expected a number"]),
    ("-sprt elo0=0.1234567 elo1=5", &["at most six digits after the point"]),
    ("-sprt elo1=5 model=bayes", &["there is no such model"]),
    ("-srand -1", &["expected a whole number"]),
    ("-report penta=yes", &["expected true or false"]),
    ("-event ''", &["expected a name of 1 to 100"]),
    ("-quick cmd=a", &["two programs and openings"]),
];

#[test]
fn refused() {
    for (words, expected) in REFUSED {
        let line = format!("{TWO} {words}");
        let read = read_as(Some(Dialect::Fastchess), &line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        let said: Vec<String> = read.refused.iter().map(ToString::to_string).collect();
        let all = format!("{}\n{}", said.join("\n"), read.event);
        for text in *expected {
            match text.strip_prefix('!') {
                Some(text) => assert!(!read.event.contains(text), "{line}: {text}\n{all}"),
                None => assert!(all.contains(text), "{line}: {text}\n{all}"),
            }
        }
        assert!(!read.refused.is_empty(), "{line}");
        loads(&read);
    }
}

#[test]
fn wrong() {
    for (words, expected) in WRONG {
        let line = format!("{TWO} {words}");
        let said = match read_as(Some(Dialect::Fastchess), &line) {
            Ok(read) => panic!("{line}\n{}", read.event),
            Err(wrong) => wrong.to_string(),
        };
        for text in *expected {
            assert!(said.contains(text), "{line}: {text}\n{said}");
        }
    }
}

/// One mistake is told once, however many engines it concerns, with what to write.
#[test]
fn a_wrong_limit_is_one_message() {
    for (words, expected) in [
        ("-each tc=", "-each tc=: nothing follows the `=`; instead: `tc=10+0.1`"),
        ("-each tc", "-each tc: nothing follows the `=`; instead: `tc=10+0.1`"),
        (
            "-each plies=",
            "-each plies=: nothing follows the `=`; instead: `plies=8`",
        ),
        (
            "-each tc=abc",
            "-each tc=abc: expected seconds such as 10+0.1, 1:30+1 or 40/60",
        ),
        (
            "-each tc=inf",
            "every engine: nothing limits its moves; instead: `tc=10+0.1`, `st=1`, `nodes=5000` or `depth=8`",
        ),
        (
            "-each tc=10 st=1",
            "every engine: tc= and st= limit the same moves twice; instead: `tc=10+0.1`, `st=1`, `nodes=5000` or `depth=8`",
        ),
    ] {
        let line = format!("-engine cmd=./a -engine cmd=./b {words}");
        let said = read_as(Some(Dialect::Fastchess), &line).map(|read| read.event);
        let said = said.expect_err(&line).to_string();
        assert_eq!(said, expected, "{line}");
    }
    let line = "-engine cmd=./a tc= -engine cmd=./b";
    let said = read_as(Some(Dialect::Fastchess), line).map(|read| read.event);
    let said = said.expect_err(line).to_string();
    assert!(
        said.contains("-engine tc=: nothing") && said.contains("-engine cmd=./b: nothing limits"),
        "{said}"
    );
}

/// cutechess-cli has no defaults where fastchess has them.
#[test]
fn wrong_as_cutechess() {
    for (words, text) in [
        ("-draw score=10", "missing: movenumber, movecount"),
        ("-resign score=10", "missing: movecount"),
        ("-sprt elo0=0 elo1=5", "missing: alpha, beta"),
        ("-pgnout fi", "it names no file"),
        (
            "-tournament knockout -rounds 2",
            "a knockout has its own number of rounds",
        ),
    ] {
        let line = format!("{TWO} {words}");
        let said = read_as(Some(Dialect::Cutechess), &line)
            .map(|read| read.event)
            .map_err(|wrong| wrong.to_string());
        assert!(said.clone().is_err_and(|said| said.contains(text)), "{line}: {said:?}");
    }
}

/// With cutechess-cli an opening is played once unless the words say otherwise.
#[test]
fn refused_as_cutechess() {
    for (before, words, text) in [
        (TWO, "-rounds 10 -openings file=a.pgn", "each opening is played twice"),
        (
            TWO,
            "-rounds 10 -repeat 1 -openings file=a.pgn",
            "each opening is played twice",
        ),
        (
            TWO,
            "-games 4 -repeat 4 -openings file=a.pgn",
            "each opening is played twice",
        ),
        (
            THREE,
            "-games 1 -rounds 10 -repeat -openings file=a.pgn",
            "each opening is played twice",
        ),
        (TWO, "-rounds 11 -repeat", "both have each colour equally often"),
        (
            THREE,
            "-tournament knockout -games 2 -seeds 1",
            "seeds are by order or by lot",
        ),
        (TWO, "-resultformat wide2", "the table has its own columns"),
    ] {
        let line = format!("{before} {words}");
        let read = read_as(Some(Dialect::Cutechess), &line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        assert!(
            read.refused.iter().any(|refused| refused.why.contains(text)),
            "{line}: {:?}",
            read.refused
        );
        loads(&read);
    }
}

/// A wrong limit gives one message, and no further one for each engine without another limit.
#[test]
fn a_wrong_limit_is_told_once() {
    for words in ["tc=abc", "st=x", "tc=0+0.1", "tc=40/"] {
        let line = format!("-engine cmd=./a -engine cmd=./b -each {words}");
        let said = read_as(Some(Dialect::Fastchess), &line).expect_err(&line).to_string();
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains(words), "{said}");
    }
}
