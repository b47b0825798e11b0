//! Options that say how the machine is used, what is printed, and which files are written.
//!
//! May not: read a word.

use super::Peers::{Both, Cutechess, Fastchess};
use super::{How, Row, case, row};

pub(super) const ROWS: &[Row] = &[
    row(
        "-concurrency",
        "N",
        Both,
        How::Honoured("`run.concurrency`; 1 without it; 0 and less count down from the hardware threads"),
    ),
    row(
        "-force-concurrency",
        "",
        Fastchess,
        How::Honoured("`run.oversubscribe = true`"),
    ),
    row("-use-affinity", "", Fastchess, How::Honoured("`run.pin = \"always\"`")),
    case(
        "-use-affinity",
        "CPUS",
        Fastchess,
        "the cores are those that swissmatch may use",
        "`taskset -c CPUS swissmatch …`; with `--accept-partial` they are chosen among all",
    ),
    row("-event", "NAME", Both, How::Honoured("`event.name`")),
    row("-site", "NAME", Both, How::Honoured("`event.site`")),
    row(
        "-pgnout",
        "FILE",
        Both,
        How::Honoured("the games also in this file, in schedule order, when the match ends or is interrupted"),
    ),
    row("-pgnout", "file=FILE", Fastchess, How::Honoured("the same")),
    row(
        "-pgnout",
        "append=BOOL",
        Fastchess,
        How::Honoured("games are added to a file that is there; `false` replaces it"),
    ),
    row(
        "-pgnout",
        "min",
        Cutechess,
        How::Honoured("the seven tags and those of a start position, and no comments"),
    ),
    row(
        "-pgnout",
        "min=BOOL",
        Fastchess,
        How::Honoured("the seven tags and those of a start position, and no comments"),
    ),
    row("-pgnout", "fi", Cutechess, How::Honoured("always: only finished games")),
    row(
        "-pgnout",
        "notation=san",
        Fastchess,
        How::Honoured("always, as PGN has it"),
    ),
    case(
        "-pgnout",
        "notation=lan, notation=uci",
        Fastchess,
        "PGN has its moves in SAN",
        "`swissmatch export records`, which has them as UCI does",
    ),
    row(
        "-pgnout",
        "nodes=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `nodes`"),
    ),
    row(
        "-pgnout",
        "seldepth=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `seldepth`"),
    ),
    row(
        "-pgnout",
        "nps=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `nps`"),
    ),
    row(
        "-pgnout",
        "hashfull=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `hashfull`"),
    ),
    row(
        "-pgnout",
        "tbhits=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `tbhits`"),
    ),
    row(
        "-pgnout",
        "timeleft=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `clock`"),
    ),
    row(
        "-pgnout",
        "latency=BOOL",
        Fastchess,
        How::Honoured("`run.pgn_extras`: `latency`"),
    ),
    row("-pgnout", "pv=BOOL", Fastchess, How::Honoured("`run.pgn_extras`: `pv`")),
    row(
        "-pgnout",
        "match_line=REGEX",
        Fastchess,
        How::Honoured(
            "`run.evidence = \"all\"`; the last line that it finds is in the comment of the move, as `line=\"…\"`",
        ),
    ),
    case(
        "-pgnout",
        "match_line= with min",
        Fastchess,
        "games without comments have no place for it",
        "leave one of them out",
    ),
    row(
        "-crc32",
        "pgn=BOOL",
        Fastchess,
        How::Honoured("`File FILE has CRC32: 0x…` once, when the file has been written"),
    ),
    row(
        "-epdout",
        "FILE",
        Cutechess,
        How::Refused(
            "last positions have no file of their own",
            "`games.pgn` of the run, whose games end in them",
        ),
    ),
    row(
        "-epdout",
        "file=FILE",
        Fastchess,
        How::Refused(
            "last positions have no file of their own",
            "`games.pgn` of the run, whose games end in them",
        ),
    ),
    row(
        "-epdout",
        "append=BOOL",
        Fastchess,
        How::Refused(
            "last positions have no file of their own",
            "`games.pgn` of the run, whose games end in them",
        ),
    ),
    row(
        "-output",
        "format=FORMAT",
        Fastchess,
        How::Honoured(
            "whose lines are printed: `fastchess`, `cutechess`; without a link, these in place of those of `swissmatch run`",
        ),
    ),
    row(
        "-report",
        "penta=BOOL",
        Fastchess,
        How::Honoured(
            "with `false` (and with `-games 1`) the sequential test counts single games, as in fastchess; figures of pairs are printed in any case",
        ),
    ),
    row(
        "-ratinginterval",
        "N",
        Both,
        How::Honoured(
            "figures of two, or ratings of more, after so many games, 0 for none in between; in fastchess's lines with pairs, \
             after so many pairs, 10 without it",
        ),
    ),
    row(
        "-scoreinterval",
        "N",
        Fastchess,
        How::Honoured("the score of two agents after so many games"),
    ),
    row(
        "-outcomeinterval",
        "N",
        Cutechess,
        How::Honoured(
            "how the games of each engine ended, after so many games, where the lines of cutechess-cli are printed",
        ),
    ),
    case(
        "-outcomeinterval",
        "without the lines of cutechess-cli",
        Cutechess,
        "outcomes are not printed in between",
        "a link named cutechess-cli, or `swissmatch status`, also while it runs",
    ),
    row(
        "-resultformat",
        "FORMAT",
        Cutechess,
        How::Refused(
            "the table has its own columns",
            "`standings.columns`, `swissmatch standings`",
        ),
    ),
    row(
        "-log",
        "file=FILE",
        Fastchess,
        How::Honoured(
            "what is warned of, and games lost by a process or by the clock, with what the engine wrote to standard error, as each game ends",
        ),
    ),
    row(
        "-log",
        "level=LEVEL",
        Fastchess,
        How::Honoured(
            "`err` and `fatal` have no warnings; what swissmatch does itself is in `run.log` of the run, whichever it is",
        ),
    ),
    row(
        "-log",
        "append=BOOL",
        Fastchess,
        How::Honoured("lines are added to a file that is there; `false` replaces it"),
    ),
    row(
        "-log",
        "realtime=BOOL",
        Fastchess,
        How::Honoured("as each game ends, whichever it is"),
    ),
    row(
        "-log",
        "engine=BOOL",
        Fastchess,
        How::Honoured(
            "`run.evidence = \"all\"`; also what engines say and are told, with the time since the game began",
        ),
    ),
    row("-log", "compress=false", Fastchess, How::Honoured("always")),
    case(
        "-log",
        "compress=true",
        Fastchess,
        "the file is not packed",
        "`gzip` after it",
    ),
    row(
        "-autosaveinterval",
        "N",
        Fastchess,
        How::Honoured("every game is saved at its end, whichever it is"),
    ),
    row(
        "-config",
        "discard=true",
        Fastchess,
        How::Honoured("nothing goes on from a file of fastchess"),
    ),
    row(
        "-config",
        "file=FILE",
        Fastchess,
        How::Refused(
            "a state of fastchess is not read",
            "the same command line again, which goes on where it ended",
        ),
    ),
    row(
        "-config",
        "outname=FILE",
        Fastchess,
        How::Refused(
            "the state is in the directory of the run",
            "`results/NAME-HASH/`, kept without being asked for",
        ),
    ),
    row(
        "-config",
        "stats=BOOL",
        Fastchess,
        How::Refused(
            "a state of fastchess is not read",
            "the same command line again, which goes on where it ended",
        ),
    ),
    row(
        "-check-mate-pvs",
        "",
        Fastchess,
        How::Honoured("always: `swissmatch status --warnings`"),
    ),
    row(
        "-show-latency",
        "",
        Fastchess,
        How::Refused(
            "it is not printed",
            "`-pgnout latency=true`; records have it in any case",
        ),
    ),
    row(
        "-testEnv",
        "",
        Fastchess,
        How::Honoured("warnings have one line each, which those of swissmatch have in any case"),
    ),
    row(
        "-strict",
        "",
        Fastchess,
        How::Refused(
            "warnings do not end a match",
            "`swissmatch status --warnings` after it; `run.max_faults = 0` gives exit code 3 for any fault",
        ),
    ),
    row(
        "-debug",
        "[all]",
        Cutechess,
        How::Refused(
            "what engines say is not printed",
            "`--set run.evidence=all`, then `swissmatch export evidence`",
        ),
    ),
    row(
        "--compliance",
        "ENGINE [ARGS]",
        Fastchess,
        How::Refused("it is a command of its own", "`swissmatch check ENGINE`"),
    ),
    row(
        "-engines",
        "",
        Cutechess,
        How::Honoured("the names in `engines.json`; also `--engines`"),
    ),
    row(
        "-version",
        "",
        Both,
        How::Honoured("the version; also `--version`, `-v`, of fastchess `--v`"),
    ),
    row("-help", "", Both, How::Honoured("help; also `--help`")),
];
