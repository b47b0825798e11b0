//! One case a line: words beside two engines, and lines of the event that they give.

use super::{THREE, TWO};
use crate::match_words::Dialect;
use crate::match_words::tests::{has_line, loads, read_as};

/// Words, and lines that the event has because of them; a line that begins with `!` is one that it has not.
pub(super) type WordsCase = (&'static str, &'static [&'static str]);

const FASTCHESS: &[WordsCase] = &[
    (
        "",
        &[
            "games = 4",
            "openings = \"none\"",
            "concurrency = 1",
            "rounds = \"RR\"",
            "attempts = 1",
            "!opening_order",
        ],
    ),
    ("-rounds 500 -games 2 -repeat", &["games = 1000"]),
    ("-rounds 500 -repeat", &["games = 1000"]),
    ("-rounds 500", &["games = 1000"]),
    ("-games 500 -rounds 2", &["games = 1000"]),
    ("-rounds 1 -games 1", &["games = 1"]),
    ("-games 1 -repeat -rounds 3", &["games = 6"]),
    (
        "-rounds 10 -games 1 -sprt elo0=0 elo1=5",
        &["games = 10", "counts = \"trinomial\""],
    ),
    ("-rounds 10 -games 1", &["games = 10"]),
    ("-rounds 500000 -repeat", &["games = 1000000"]),
    (
        "-rounds 0 -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05",
        &["games = 1000000"],
    ),
    (
        "-openings file=book.epd format=epd order=random",
        &["openings = \"book.epd\"", "opening_order = \"random\"", "rng_seed = 1"],
    ),
    (
        "-openings file=book.epd plies=16",
        &["opening_order = \"sequential\"", "!opening_plies"],
    ),
    (
        "-openings file=b/book.pgn order=random plies=16 start=33",
        &["opening_plies = 16", "opening_start = 33"],
    ),
    ("-openings file=book.pgn plies=-1", &["!opening_plies"]),
    (
        "-openings file=book.bin plies=8",
        &["openings = \"book.bin\"", "opening_plies = 8"],
    ),
    (
        "-openings file=book.epd.gz format=epd policy=round",
        &["openings = \"book.epd.gz\"", "!opening_policy"],
    ),
    ("-srand 18446744073709551615", &["rng_seed = 18446744073709551615"]),
    (
        "-resign movecount=3 score=600",
        &["resign_score = 600", "resign_moves = 3", "resign_two_sided = false"],
    ),
    (
        "-resign movecount=3 score=600 twosided=true",
        &["resign_two_sided = true"],
    ),
    ("-resign score=600", &["resign_moves = 1"]),
    (
        "-draw movenumber=40 movecount=8 score=10",
        &["draw_score = 10", "draw_moves = 8", "draw_from_move = 40"],
    ),
    ("-draw score=10", &["draw_moves = 1", "draw_from_move = 1"]),
    ("-maxmoves 200", &["max_moves = 200"]),
    (
        "-tb a:b;c -tbpieces 6 -tbignore50",
        &[
            "tablebases = [\"a\", \"b\", \"c\"]",
            "tablebase_men = 6",
            "tablebase_rule50 = false",
        ],
    ),
    ("-tb a -tbadjudicate WIN_LOSS", &["tablebase_adjudicate = \"win\""]),
    ("-concurrency 8", &["concurrency = 8"]),
    ("-concurrency 0", &["concurrency = 8"]),
    (
        "-concurrency -2 -force-concurrency",
        &["concurrency = 6", "oversubscribe = true"],
    ),
    ("-use-affinity", &["pin = \"always\""]),
    ("-use-affinity 2,4-9", &["pin = \"always\"  # on the CPUs 2,4-9"]),
    (
        "-openings file=book.txt format=epd",
        &["openings = \"book.txt\"", "opening_format = \"epd\""],
    ),
    (
        "-openings file=book.epd format=pgn plies=8",
        &[
            "openings = \"book.epd\"",
            "opening_format = \"pgn\"",
            "opening_plies = 8",
        ],
    ),
    ("-openings file=book format=pgn", &["opening_format = \"pgn\""]),
    ("-openings file=b.gz format=epd", &["opening_format = \"epd\""]),
    ("-openings file=book.bin format=epd", &["opening_format = \"epd\""]),
    ("-sprt elo0=-5000 elo1=999999999", &["elo0 = -5000", "elo1 = 999999999"]),
    ("-event Test match", &["name = \"Testmatch\""]),
    (
        "-event 'Batch 0: a vs b' -site https://example.org/1",
        &["name = \"Batch 0: a vs b\"", "site = \"https://example.org/1\""],
    ),
    (
        "-variant fischerandom",
        &["variant = \"chess960\"", "openings = \"chess960\""],
    ),
    (
        "-variant fischerandom -openings file=frc.epd",
        &["variant = \"chess960\"", "openings = \"frc.epd\""],
    ),
    ("-variant standard", &["!variant"]),
    (
        "-sprt elo0=-1.75 elo1=0.25 alpha=.05 beta=0.1",
        &[
            "elo0 = -1.75",
            "elo1 = 0.25",
            "alpha = 0.05",
            "beta = 0.1",
            "model = \"normalized\"",
            "counts = \"pentanomial\"",
        ],
    ),
    (
        "-sprt elo0=0 elo1=5 model=logistic",
        &["model = \"logistic\"", "counts = \"pentanomial\""],
    ),
    (
        "-sprt elo0=0 elo1=5 model=bayesian",
        &["model = \"bayesian\"", "counts = \"trinomial\""],
    ),
    ("-sprt elo0=0 elo1=5 -report penta=false", &["counts = \"trinomial\""]),
    ("-sprt elo0=0 elo1=5 -report penta=false", &["counts = \"trinomial\""]),
    (
        "-pgnout file=a.pgn nodes=true pv=true timeleft=true nps=false",
        &["pgn_extras = [\"clock\", \"nodes\", \"pv\"]"],
    ),
    (
        "-startup-ms 20000 -ucinewgame-ms 5000 -ping-ms 2000",
        &[
            "start_limit = \"20000ms\"",
            "ready_limit = \"5000ms\"",
            "step_limit = \"2000ms\"",
        ],
    ),
    (
        "-recover -autosaveinterval 0 -check-mate-pvs -config discard=true -wait 0",
        &["games = 4"],
    ),
    (
        "-each option.Hash=16 proto=uci restart=on timemargin=50",
        &[
            "options = { Hash = \"16\" }",
            "restart = \"game\"",
            "margin = \"50ms\"",
            "time_control = \"10+0.1\"",
        ],
    ),
    ("-each tc=40/1:30+1", &["time_control = \"40/90+1\""]),
    // As a program writes a scaled time.
    ("-each tc=1:07.1234567890123+.5", &["time_control = \"67.123456+0.5\""]),
    (
        "-each tc=inf nodes=5000",
        &["time_control = \"nodes=5000\"  # a move may take 60 s, which engines are not told"],
    ),
    ("-each tc=inf st=0.5", &["time_control = \"500ms/move\""]),
    ("-each plies=12 tc=inf", &["time_control = \"depth=12\""]),
    ("-tournament gauntlet -seeds 1", &["rounds = \"RR\""]),
];

const CUTECHESS: &[WordsCase] = &[
    ("", &["games = 1", "openings = \"none\""]),
    ("-rounds 100", &["games = 100"]),
    (
        "-games 2 -rounds 50 -repeat -openings file=a.pgn",
        &["games = 100", "opening_order = \"sequential\""],
    ),
    ("-games 1 -rounds 50 -repeat -openings file=a.pgn", &["games = 50"]),
    (
        "-games 100 -repeat 2 -openings file=a.epd format=epd plies=1024",
        &["games = 100", "!opening_plies"],
    ),
    ("-each tc=hg60", &["time_control = \"hourglass 1:00\""]),
    ("-each ponder", &["ponder = true"]),
    (
        "-each restart=auto arg=-x arg=y",
        &["!restart", "args = [\"-x\", \"y\"]"],
    ),
    ("-draw movenumber=0 movecount=8 score=10", &["!draw_score"]),
    ("-draw movenumber=40 movecount=8 score=10", &["draw_from_move = 40"]),
    ("-resign movecount=3 score=400", &["resign_two_sided = false"]),
    ("-maxmoves 0", &["!max_moves"]),
    (
        "-sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -rounds 2",
        &["model = \"normalized\"", "counts = \"pentanomial\""],
    ),
    ("-bookmode disk -recover", &["games = 1"]),
    ("-event 'My match' -srand 7", &["name = \"My match\"", "rng_seed = 7"]),
];

/// Beside three engines.
const OF_THREE: &[WordsCase] = &[
    (
        "-rounds 10 -openings file=a.epd",
        &[
            "rounds = \"RR\"",
            "games = 20",
            "opening_policy = \"event\"  # every pairing plays the same openings",
        ],
    ),
    (
        "-rounds 10 -openings file=a.epd policy=round",
        &["opening_policy = \"event\"  # every pairing plays the same openings"],
    ),
    ("-rounds 10", &["!opening_policy"]),
    (
        "-tournament gauntlet -rounds 10",
        &["rounds = \"gauntlet-1\"", "seeding = \"listed\""],
    ),
    ("-tournament gauntlet -seeds 2", &["rounds = \"RR\""]),
];

/// Like [`OF_THREE`], but for cutechess-cli.
const OF_THREE_CUTECHESS: &[WordsCase] = &[
    (
        "-games 2 -rounds 5 -repeat -openings file=a.epd policy=encounter",
        &["games = 10", "opening_policy = \"mini-match\""],
    ),
    (
        "-games 2 -repeat -openings file=a.epd policy=round",
        &["opening_policy = \"round\""],
    ),
    (
        "-games 2 -repeat -openings file=a.epd",
        &["opening_policy = \"event\"  # every pairing plays the same openings"],
    ),
    ("-tournament gauntlet -seeds 2 -games 2", &["rounds = \"gauntlet-2\""]),
    ("-tournament gauntlet -seeds 9 -games 2", &["rounds = \"gauntlet-2\""]),
    ("-tournament pyramid -games 2", &["rounds = \"RR\""]),
    (
        "-tournament knockout -games 2",
        &["rounds = \"knockout\"", "seeding = \"random\"", "!order ="],
    ),
    (
        "-tournament knockout -games 2 -seeds 3",
        &["rounds = \"knockout\"", "seeding = \"listed\""],
    ),
];

/// Whole lines of engines, as of fastchess.
const ENGINES: &[WordsCase] = &[
    (
        "-engine cmd=./a -engine cmd=./b -each tc=1",
        &["name = \"a\"", "command = \"./a\"", "name = \"b\""],
    ),
    (
        "-engine cmd=x/sf-16.1 -engine cmd=y/sf-16.1 -each tc=1",
        &["name = \"sf-16\"", "name = \"sf-16_2\""],
    ),
    (
        "-engine cmd=sf dir=build -engine cmd=./sf dir=. -each tc=1",
        &[
            "command = \"build/sf\"",
            "dir = \"build\"",
            "command = \"./sf\"",
            "dir = \".\"",
        ],
    ),
    (
        "-engine cmd=/opt/sf dir=build -engine cmd=sf -each tc=1",
        &["command = \"/opt/sf\"", "command = \"sf\""],
    ),
    (
        "-engine cmd=a args='--net \"my net\" -q' -engine cmd=b -each tc=1",
        &["args = [\"--net\", \"my net\", \"-q\"]"],
    ),
    (
        "-engine cmd=a tc=5+0.05 -engine cmd=b tc=10+0.1",
        &["time_control = \"5+0.05\"", "time_control = \"10+0.1\""],
    ),
    (
        "-engine cmd=a nodes=100 -engine cmd=b nodes=200 -each tc=10",
        &["time_control = \"10 nodes=100\"", "time_control = \"10 nodes=200\""],
    ),
    (
        "-engine cmd=a tc=5 -engine cmd=b -each tc=10",
        &["time_control = \"10\"", "!time_control = \"5\""],
    ),
    (
        "-engine cmd=a timemargin=100 -engine cmd=b -each st=1",
        &["margin = \"100ms\"", "margin = \"0ms\""],
    ),
    (
        "-engine cmd=a restart=on -engine cmd=b -each st=1",
        &["restart = \"game\""],
    ),
    (
        "-engine cmd=a option.Hash=1 option.hash=2 -engine cmd=b -each st=1",
        &["options = { hash = \"2\" }"],
    ),
    (
        "-engine cmd=a option.Hash=1 -engine cmd=b -each st=1 option.Hash=4",
        &["options = { Hash = \"4\" }", "!Hash = \"1\""],
    ),
    (
        "-engine cmd=a option.Skill\\ Level=1 'option.Path=a b=c' -engine cmd=b -each st=1",
        &["options = { Path = \"a b=c\", \"Skill Level\" = \"1\" }"],
    ),
    (
        "-engine cmd=a option.SyzygyPath= -engine cmd=b -each st=1",
        &["options = { SyzygyPath = \"\" }"],
    ),
    (
        "-engine cmd=a option.UCI_Chess960=true -engine cmd=b -each st=1 -variant fischerandom",
        &["!UCI_Chess960"],
    ),
    (
        "-engine conf=Full -engine conf=Plain name=Mine -each st=1",
        &[
            "name = \"Full\"",
            "command = \"engines/full/full\"",
            "options = { Hash = \"64\", OwnBook = \"true\" }",
            "restart = \"game\"",
            "ponder = true",
            "name = \"Mine\"",
            "command = \"./plain\"",
        ],
    ),
    (
        "-quick cmd=./a cmd=./b book=a.epd",
        &[
            "games = 50000",
            "time_control = \"10+0.1\"",
            "opening_order = \"random\"",
            "concurrency = 6",
            "draw_from_move = 30",
            "draw_moves = 8",
            "draw_score = 8",
        ],
    ),
    (
        "-engine name='A \"quoted\" \\ name' cmd=a -engine cmd='my engine' -each st=1",
        &["name = \"A \\\"quoted\\\" \\\\ name\"", "command = \"my engine\""],
    ),
];

#[track_caller]
fn check(called: Dialect, before: &str, cases: &[WordsCase]) {
    for (words, expected) in cases {
        let line = format!("{before} {words}");
        let read = read_as(Some(called), &line).unwrap_or_else(|wrong| panic!("{line}: {wrong}"));
        for line_of_event in *expected {
            let (is_there, text) = match line_of_event.strip_prefix('!') {
                Some(text) => (read.event.contains(text), text),
                None => (!has_line(&read.event, line_of_event), *line_of_event),
            };
            assert!(!is_there, "{line}: {text}\n{}", read.event);
        }
        assert_eq!(read.refused, [], "{line}");
        assert_eq!(read.dialect, called);
        loads(&read);
    }
}

#[test]
fn fastchess() {
    check(Dialect::Fastchess, TWO, FASTCHESS);
    check(Dialect::Fastchess, THREE, OF_THREE);
}

#[test]
fn cutechess() {
    check(Dialect::Cutechess, TWO, CUTECHESS);
    check(Dialect::Cutechess, THREE, OF_THREE_CUTECHESS);
}

#[test]
fn engines() {
    check(Dialect::Fastchess, "", ENGINES);
}
