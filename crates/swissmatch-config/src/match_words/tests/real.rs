//! Command lines with the options of real ones, from workflows, test frameworks and scripts of engine authors; names, paths and
//! numbers are our own. Each is read, or refused by name.

use super::{loads, read_as};
use crate::match_words::Dialect;

/// The outcome of a command line.
enum LineOutcome {
    /// It is played: so many games of two engines.
    Games(u32),
    /// It is played without these words.
    Without(u32, &'static [&'static str]),
    /// It is no match, because of these words.
    Wrong(&'static [&'static str]),
}

use LineOutcome::{Games, Without, Wrong};

/// Each with the dialect that is found without the program's name.
const LINES: &[(&str, Dialect, LineOutcome)] = &[
    (
        "-rounds 6 -games 2 -repeat -concurrency 3 -openings file=data/lines.epd format=epd order=random -srand 20077 \
         -engine name=e1 cmd=/srv/build/src/engine -engine name=e2 cmd=/srv/build/src/engine -ratinginterval 1 \
         -report penta=true -each proto=uci tc=3+0.03 -log file=play.log",
        Dialect::Fastchess,
        Games(12),
    ),
    (
        "-rounds 2 -openings file=data/lines.epd format=epd order=random -srand 11 -engine name=one cmd=../bin/e \
         -engine name=two cmd=../bin/e -ratinginterval 1 -report penta=true -each proto=uci tc=40/8 option.Threads=4 \
         -log file=play.log",
        Dialect::Fastchess,
        Games(4),
    ),
    (
        "-variant fischerandom -rounds 2 -openings file=start.epd format=epd order=random -srand 11 -engine name=one \
         cmd=../bin/e -engine name=two cmd=../bin/e -each proto=uci tc=40/8 option.Threads=4 -log file=play.log",
        Dialect::Fastchess,
        Games(4),
    ),
    (
        "-rounds 1 -openings -engine name=one cmd=../bin/e -engine name=two cmd=../bin/e -each proto=uci tc=40/8",
        Dialect::Fastchess,
        Wrong(&["-openings: it takes words KEY=VALUE; instead: what it takes, or leave it out"]),
    ),
    (
        "-engine cmd=./target/release/e name='Current E' -engine cmd=./stable/E name='Stable E' -games 120 \
         -each tc=8+0.08 -concurrency 4 -openings file=lines.pgn order=random format=pgn",
        Dialect::Fastchess,
        Games(240),
    ),
    (
        "-engine cmd=target/release/duck name=test -engine cmd=target/release/duck_base name=base \
         -openings file=books/lines.pgn format=pgn order=random -each tc=2+0.02 -rounds 150 -repeat -concurrency 2 -recover \
         -sprt elo0=0 elo1=6 alpha=0.05 beta=0.1",
        Dialect::Fastchess,
        Games(300),
    ),
    (
        "-testEnv -recover -repeat -games 2 -rounds 48 -ratinginterval 1 -scoreinterval 1 -autosaveinterval 0 \
         -report penta=true -pgnout file=results-7.pgn append=false -crc32 pgn=true -site https://tests.example.org/view/7 \
         -event 'Batch 7: patch vs main' -srand 3141592653 -resign movecount=3 score=600 \
         -draw movenumber=34 movecount=8 score=20 -variant standard -concurrency 4 \
         -openings file=lines.epd format=epd order=random plies=16 start=97 \
         -engine name=New-0a1b tc=8.31+0.08 cmd=engine_new dir=. option.Hash=16 \
         -engine name=Base-2c3d tc=8.31+0.08 cmd=engine_base dir=. option.Hash=16 -each proto=uci option.Threads=1",
        Dialect::Fastchess,
        Games(96),
    ),
    (
        "-repeat -recover -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -srand 1700000001 \
         -variant standard -concurrency 6 -games 96 -engine dir=Engines/ cmd=./e-12ab proto=uci tc=8.77+0.09 \
         option.Threads=1 option.Hash=8 name=e-12ab -engine dir=Engines/ cmd=./e-34cd proto=uci tc=8.77+0.09 \
         option.Threads=1 option.Hash=8 name=e-34cd -openings file=Books/lines.epd format=epd order=random plies=16 \
         -pgnout PGNs/e-12ab_vs_e-34cd.0 -tb /srv/syzygy:/srv/syzygy6 -tbpieces 5",
        Dialect::Cutechess,
        Games(96),
    ),
    (
        "-repeat -recover -resign movecount=3 score=400 -draw movenumber=40 movecount=8 score=10 -variant fischerandom \
         -concurrency 6 -rounds 32 -engine dir=Engines/ cmd=./e proto=uci tc=inf nodes=25000 option.Threads=1 name=e \
         -engine dir=Engines/ cmd=./f proto=uci tc=inf nodes=25000 option.Threads=1 name=f \
         -openings file=Books/frc.epd format=epd order=random start=321 -srand 7 -pgnout file=PGNs/0.pgn timeleft=true",
        Dialect::Fastchess,
        Games(64),
    ),
    (
        "-engine name=Current cmd=dotnet arg=artifacts/current/E.dll proto=uci -engine name=Previous cmd=dotnet \
         arg=artifacts/previous/E.dll proto=uci -each tc=1+0.1 timemargin=100 -games 2 -rounds 150 -repeat -recover \
         -concurrency 4 -openings file=lines.epd format=epd order=random plies=12 -pgnout matches/latest.pgn \
         -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -ratinginterval 10 -event nightly",
        Dialect::Cutechess,
        Games(300),
    ),
    (
        "-engine name=R cmd=build/R proto=uci -engine name=SF_2400 cmd=stockfish proto=uci \
         option.UCI_LimitStrength=true option.UCI_Elo=2400 option.Threads=1 -each tc=40/50 -rounds 12 -games 2 -repeat \
         -pgnout files/matches.pgn",
        Dialect::Cutechess,
        Games(24),
    ),
    (
        "-engine cmd=rival conf=Plain -engine cmd=old -each proto=uci book=/srv/pro.bin timemargin=1000 st=0.3 \
         -resign movecount=10 score=600 -rounds 4 -pgnout test.pgn -epdout test.epd -debug",
        Dialect::Cutechess,
        Without(4, &["-each book=/srv/pro.bin", "-epdout test.epd", "-debug"]),
    ),
    (
        "-engine cmd=e-no-tt -engine cmd=e -each tc=60+1 proto=uci restart=on -rounds 64 -concurrency 4 \
         -sprt elo0=50 elo1=0 alpha=0.05 beta=0.05 -openings file=lines.pgn plies=8 -debug",
        Dialect::Cutechess,
        Wrong(&["elo0 must be below elo1", "-debug: what engines say is not printed"]),
    ),
    (
        "-engine cmd=o-dev -engine cmd=o-dev -each proto=uci tc=1+0.5 -games 80 \
         -openings file=/srv/positions/lines.epd format=epd order=random -repeat 1 -pgnout games.pgn -concurrency 5",
        Dialect::Cutechess,
        Without(80, &["-games 80 -repeat 1"]),
    ),
    (
        "-engine cmd=target/release/v name=dev -engine cmd=target/release/v name=dev2 -each timemargin=300 proto=uci \
         tc=100/6+0.06 -rounds 200000 -concurrency 8 -openings file=../lines.pgn format=pgn -pgnout selfplay.pgn fi",
        Dialect::Cutechess,
        Without(200_000, &["-rounds 200000"]),
    ),
    (
        "-engine cmd=target/release/carp -engine cmd=target/release/carp -each proto=uci option.Hash=32 depth=6 tc=inf \
         -rounds 1 -concurrency 2 -openings file=lines.pgn format=pgn order=random plies=6 -pgnout temp.pgn",
        Dialect::Cutechess,
        Games(1),
    ),
    (
        "-engine cmd=./head name=head -engine cmd=./base name=base -each proto=uci tc=8+0.08 -concurrency 4 -repeat \
         -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 -pgnout file=out/sprt.pgn notation=san \
         -log file=out/sprt.log level=info engine=true -report penta=true -rounds 200 \
         -sprt elo0=0 elo1=10 alpha=0.05 beta=0.05",
        Dialect::Fastchess,
        Games(400),
    ),
    (
        "-engine cmd=bin/ai name=ai -engine cmd=old/e args='-q --threads 1' name=old -engine cmd=other/e name=other \
         -each tc=inf st=1 timemargin=1000 option.Hash=16 -openings file=lines.pgn format=pgn order=random -repeat \
         -rounds 20 -tournament gauntlet -concurrency 5 -pgnout file=gauntlet.pgn",
        Dialect::Fastchess,
        Games(40),
    ),
    (
        "-engine cmd=./e name=new option.Margin=90 option.Depth=3 -engine cmd=./e name=base -each tc=5+0.05 option.Hash=64 \
         -openings file=res/lines.pgn format=pgn order=random plies=16 -rounds 500 -repeat -concurrency 4 \
         -ratinginterval 1000 -recover -pgnout file=tests/ab_margin.pgn",
        Dialect::Fastchess,
        Games(1000),
    ),
    (
        "-engine cmd=./e name=candidate option.K=3 -engine cmd=./e name=rival -each proto=uci tc=1+0.01 \
         -openings file=/srv/lines.epd format=epd order=sequential start=41 -rounds 1 -games 2 -repeat -concurrency 1 \
         -recover -draw movenumber=40 movecount=8 score=10 -resign movecount=4 score=500 -output format=cutechess \
         -scoreinterval 1 -ratinginterval 0",
        Dialect::Fastchess,
        Games(2),
    ),
    (
        "-engine cmd=engines/d name=D args='\"setoption name Hash value 16\"' -engine cmd=engines/stash name=S \
         -each tc=8+0.08 -rounds 50 -repeat -concurrency 4 --force-concurrency -recover -ratinginterval 1 \
         -openings file=lines.epd format=epd order=random -pgnout file=games.pgn nodes=true nps=true",
        Dialect::Fastchess,
        Wrong(&["--force-concurrency: neither fastchess nor cutechess-cli has it; instead: `-force-concurrency`"]),
    ),
    (
        "-engine name=QS cmd=bin/new -engine name=ID cmd=bin/base -each proto=uci tc=10+0.1 -openings file=lines.pgn \
         format=pgn order=random -games 2 -rounds 5000 -repeat -recover -concurrency 4 \
         -sprt elo0=0 elo1=30 alpha=0.05 beta=0.05 -ratinginterval 10 -scoreinterval 10 -pgnout out/games.pgn fi \
         -log file=out/fastchess.log level=info",
        Dialect::Fastchess,
        Games(10_000),
    ),
    (
        "-engine cmd=new/e name=new dir=new -engine cmd=base/e name=base dir=base -each tc=10+0.1 \
         -openings file=lines.pgn format=pgn order=random -plies 16 -repeat -adjudication movenumber=40 score=10 \
         -resign movecount=4 score=800 -games 2 -concurrency 2 -report penta=true -strict",
        Dialect::Fastchess,
        Wrong(&[
            "-plies: neither",
            "-adjudication: neither",
            "-strict: warnings do not end a match",
        ]),
    ),
    (
        "-engine cmd=./a name=A_1 tc=10+0.1 -engine cmd=./a name=A_2 tc=10+0.1 -pgnout file=selfplay.pgn -rounds 1 \
         -log file=play.log level=trace engine=true",
        Dialect::Fastchess,
        Games(2),
    ),
];

#[test]
fn each_is_read_or_refused_by_name() {
    assert!(LINES.len() >= 20);
    for (line, dialect, expected) in LINES {
        let read = match (read_as(None, line), expected) {
            (Ok(read), Games(_) | Without(..)) => read,
            (Err(wrong), Wrong(words)) => {
                let said = wrong.to_string();
                for words in *words {
                    assert!(said.contains(words), "{line}\n{words}\n{said}");
                }
                continue;
            }
            (Ok(read), Wrong(_)) => panic!("{line}\n{}", read.event),
            (Err(wrong), _) => panic!("{line}\n{wrong}"),
        };
        let (games, without) = match expected {
            Games(games) => (games, &[][..]),
            Without(games, without) => (games, *without),
            Wrong(_) => continue,
        };
        assert!(
            read.event.contains(&format!("\ngames = {games}\n")),
            "{line}\n{}",
            read.event
        );
        let refused: Vec<&str> = read.refused.iter().map(|refused| refused.words.as_str()).collect();
        assert_eq!(refused, without, "{line}");
        assert_eq!(read.dialect, *dialect, "{line}");
        loads(&read);
    }
}
