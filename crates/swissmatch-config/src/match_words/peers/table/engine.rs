//! The words of `-engine` and `-each`.
//!
//! May not: read a word.

use super::Peers::{Both, Cutechess, Fastchess};
use super::{How, Row, case, row};

const ENGINE: &str = "-engine";

pub(super) const ROWS: &[Row] = &[
    row(
        ENGINE,
        "cmd=PROGRAM",
        Both,
        How::Honoured("`player.command`; with `dir=`, relative to that directory, as in each of them"),
    ),
    row(
        ENGINE,
        "name=NAME",
        Both,
        How::Honoured("`player.name`; without it the name of the file; equal names get numbers"),
    ),
    row(ENGINE, "dir=DIR", Both, How::Honoured("`player.dir`")),
    row(
        ENGINE,
        "args=\"A B\"",
        Fastchess,
        How::Honoured("`player.args`, split as a shell does"),
    ),
    row(ENGINE, "arg=A", Cutechess, How::Honoured("`player.args`, one each")),
    row(
        ENGINE,
        "conf=NAME",
        Cutechess,
        How::Honoured("the engine of that name in `engines.json`"),
    ),
    row(
        ENGINE,
        "tc=TC",
        Both,
        How::Honoured(
            "`game.time_control`, or `player.time_control` where they differ; in seconds, `m:ss` too; `inf` needs a bound; `hgTIME` is an hourglass. The clock begins without the first increment",
        ),
    ),
    row(
        ENGINE,
        "st=SECONDS",
        Both,
        How::Honoured(
            "`game.time_control = \"5s/move\"`; engines are told 10 ms less, a tenth at most (`game.move_overhead`)",
        ),
    ),
    row(
        ENGINE,
        "nodes=N",
        Both,
        How::Honoured("a bound in the time control, `\"nodes=5000\"`; alone, each move has 60 s"),
    ),
    row(
        ENGINE,
        "depth=N",
        Both,
        How::Honoured("a bound in the time control, `\"depth=8\"`; alone, each move has 60 s"),
    ),
    row(ENGINE, "plies=N", Fastchess, How::Honoured("the same as `depth=`")),
    row(
        ENGINE,
        "timemargin=MS",
        Both,
        How::Honoured("`game.margin`, or `player.margin` where they differ"),
    ),
    row(
        ENGINE,
        "restart=on",
        Both,
        How::Honoured("`engine.restart = \"game\"`, or `player.restart`; `off` and `auto`: `\"never\"`"),
    ),
    row(
        ENGINE,
        "option.NAME=VALUE",
        Both,
        How::Honoured(
            "`player.options`; of `-each`, `engine.options`, which an engine without that option plays without",
        ),
    ),
    row(ENGINE, "proto=uci", Both, How::Honoured("always")),
    row(
        ENGINE,
        "ponder",
        Cutechess,
        How::Honoured("`game.ponder`, or `player.ponder`"),
    ),
    row(
        ENGINE,
        "stderr=FILE",
        Cutechess,
        How::Refused(
            "standard error is kept with the game",
            "`-log engine=true`, then `swissmatch export evidence`",
        ),
    ),
    row(
        ENGINE,
        "initstr=TEXT",
        Cutechess,
        How::Refused(
            "nothing is sent to an engine but UCI",
            "an option of the engine, or a script that starts it",
        ),
    ),
    row(
        ENGINE,
        "trust",
        Cutechess,
        How::Refused("results follow from the rules alone", "leave it out"),
    ),
    row(
        ENGINE,
        "tscale=FACTOR",
        Cutechess,
        How::Refused(
            "there is no common factor",
            "`-startup-ms`, `-ucinewgame-ms`, `-ping-ms`",
        ),
    ),
    row(
        ENGINE,
        "book=FILE",
        Cutechess,
        How::Refused(
            "openings belong to the match, so that both sides have the same",
            "`-openings file=FILE.bin plies=N`, or the engine's own book by its options",
        ),
    ),
    row(
        ENGINE,
        "bookdepth=N",
        Cutechess,
        How::Refused(
            "openings belong to the match",
            "`-openings file=FILE.bin plies=N`, in plies and not moves",
        ),
    ),
    row(
        ENGINE,
        "whitepov",
        Cutechess,
        How::Refused(
            "UCI has scores from the engine's point of view",
            "a script between the two that turns them",
        ),
    ),
    row(
        ENGINE,
        "debug",
        Cutechess,
        How::Refused("the UCI command `debug` is not sent", "`-log engine=true`"),
    ),
    case(
        ENGINE,
        "proto=xboard",
        Cutechess,
        "agents speak UCI",
        "an adapter between the two protocols",
    ),
    case(
        ENGINE,
        "option.UCI_Chess960",
        Both,
        "it is set for all engines alike",
        "`-variant fischerandom`",
    ),
    case(
        ENGINE,
        "ponder with nodes= or depth=",
        Cutechess,
        "a bound would end the search before its turn",
        "leave one of them out",
    ),
];
