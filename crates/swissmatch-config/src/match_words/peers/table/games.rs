//! Options that say what is played, and how games end.
//!
//! May not: read a word.

use super::Peers::{Both, Cutechess, Fastchess};
use super::{How, Row, case, row};

const ONCE: &str = "each opening is played twice, with colours reversed";

pub(super) const ROWS: &[Row] = &[
    row(
        "-each",
        "WORDS",
        Both,
        How::Honoured(
            "the words of `-engine` for all engines; they go over an engine's own, as in both programs, and a note says where they differ",
        ),
    ),
    row("-rounds", "N", Both, How::Honoured("`mini_match.games = N × games`")),
    row(
        "-games",
        "N",
        Both,
        How::Honoured(
            "`mini_match.games = rounds × N`; without it 2 for fastchess, 1 for cutechess-cli; fastchess swaps rounds and games if games are more than 2",
        ),
    ),
    case(
        "-games",
        "1, with openings and without -repeat",
        Both,
        ONCE,
        "`-games 2 -repeat` with half the rounds, which is what `--accept-partial` plays",
    ),
    case(
        "-games",
        "an odd number of games",
        Both,
        "both have each colour equally often",
        "an even number; `--accept-partial` plays one more",
    ),
    case(
        "-games",
        "more than 1000000 games",
        Both,
        "a mini-match has at most 1,000,000 games",
        "fewer; `--accept-partial` plays so many",
    ),
    row(
        "-repeat",
        "[N]",
        Both,
        How::Honoured("each opening twice: always; for fastchess the same as `-games N`, or 2"),
    ),
    case("-repeat", "N other than 2", Cutechess, ONCE, "`-repeat`"),
    row(
        "-noswap",
        "",
        Both,
        How::Refused("both have each colour equally often", "leave it out"),
    ),
    row(
        "-reverse",
        "",
        Both,
        How::Refused(
            "both colours of each opening are played, whoever has White first",
            "leave it out",
        ),
    ),
    row(
        "-tournament",
        "TYPE",
        Both,
        How::Honoured(
            "`swiss.rounds`: `roundrobin` and `round-robin` are `\"RR\"`, `gauntlet` is `\"gauntlet-N\"`, `knockout` is `\"knockout\"`, `pyramid` is `\"RR\"`, which has the same pairings in another order",
        ),
    ),
    row(
        "-seeds",
        "N",
        Both,
        How::Honoured("`\"gauntlet-N\"`, with `swiss.seeding = \"listed\"`; of a knockout, all or none"),
    ),
    case(
        "-seeds",
        "above 1, of a gauntlet of fastchess",
        Fastchess,
        "its seeds meet each other too, which those of a gauntlet here do not",
        "`-tournament roundrobin`, or `-seeds 1`; with `--accept-partial` the seeds do not meet",
    ),
    case(
        "-seeds",
        "a part of a knockout",
        Cutechess,
        "seeds are by order or by lot for all",
        "`-seeds` with the number of all engines, or none; with `--accept-partial` all stand in their order",
    ),
    row(
        "-variant",
        "NAME",
        Both,
        How::Honoured(
            "`game.variant`: `standard`, `fischerandom` (`\"chess960\"`; without openings its 960 start positions)",
        ),
    ),
    case(
        "-variant",
        "others",
        Cutechess,
        "the rules of an event are those of chess",
        "`standard` or `fischerandom`",
    ),
    row(
        "-openings",
        "file=FILE",
        Both,
        How::Honoured("`mini_match.openings`; also `.fen`, Polyglot `.bin`, each also `.gz`"),
    ),
    row(
        "-openings",
        "format=FORMAT",
        Both,
        How::Honoured("by the name of the file, which must agree"),
    ),
    case(
        "-openings",
        "format= and a file of another name",
        Both,
        "the format is that of the file's name",
        "a name that ends in .epd, .fen, .pgn or .bin, perhaps .gz",
    ),
    row(
        "-openings",
        "order=ORDER",
        Both,
        How::Honoured(
            "`mini_match.opening_order`; the random order is drawn by `-srand`, 1 without it, and is another than theirs",
        ),
    ),
    row(
        "-openings",
        "plies=N",
        Both,
        How::Honoured("`mini_match.opening_plies`, of PGN and Polyglot; positions have none"),
    ),
    row(
        "-openings",
        "start=N",
        Both,
        How::Honoured("`mini_match.opening_start`"),
    ),
    row(
        "-openings",
        "policy=POLICY",
        Both,
        How::Honoured(
            "`mini_match.opening_policy`, of more than two engines: `\"event\"` without it and with `default`, `\"mini-match\"` with `encounter`, `\"round\"` with `round` of cutechess-cli",
        ),
    ),
    row(
        "-bookmode",
        "MODE",
        Cutechess,
        How::Honoured("always in memory, whichever it is"),
    ),
    row("-srand", "N", Both, How::Honoured("`event.rng_seed`")),
    row(
        "-quick",
        "cmd=PROGRAM",
        Fastchess,
        How::Honoured(
            "two engines, and all that fastchess makes of it: 10+0.1, 25,000 pairs, random order, all but two hardware threads, `-draw movenumber=30 movecount=8 score=8`, `-output format=cutechess`",
        ),
    ),
    row("-quick", "book=FILE", Fastchess, How::Honoured("`mini_match.openings`")),
    row("-sprt", "elo0=ELO", Both, How::Honoured("`sprt.elo0`")),
    row("-sprt", "elo1=ELO", Both, How::Honoured("`sprt.elo1`")),
    row(
        "-sprt",
        "alpha=SHARE",
        Both,
        How::Honoured("`sprt.alpha`; 0.05 without it"),
    ),
    row(
        "-sprt",
        "beta=SHARE",
        Both,
        How::Honoured("`sprt.beta`; 0.05 without it"),
    ),
    row(
        "-sprt",
        "model=MODEL",
        Fastchess,
        How::Honoured("`sprt.model`; `normalized` without it, also for cutechess-cli, whose own LLR is another"),
    ),
    case(
        "-sprt",
        "more than two engines",
        Both,
        "a sequential test compares two agents",
        "two engines",
    ),
    row(
        "-draw",
        "movenumber=N",
        Both,
        How::Honoured("`adjudication.draw_from_move`; 0 is 1 for fastchess, and no such draws for cutechess-cli"),
    ),
    row("-draw", "movecount=N", Both, How::Honoured("`adjudication.draw_moves`")),
    row(
        "-draw",
        "score=CENTIPAWNS",
        Both,
        How::Honoured("`adjudication.draw_score`"),
    ),
    row(
        "-resign",
        "movecount=N",
        Both,
        How::Honoured("`adjudication.resign_moves`; 0 is none for cutechess-cli"),
    ),
    row(
        "-resign",
        "score=CENTIPAWNS",
        Both,
        How::Honoured("`adjudication.resign_score`"),
    ),
    row(
        "-resign",
        "twosided=true",
        Both,
        How::Honoured("`adjudication.resign_two_sided`; `false` without it, as in both programs"),
    ),
    row(
        "-maxmoves",
        "N",
        Both,
        How::Honoured("`game.max_moves`; moves of the opening do not count; 0 is none for cutechess-cli"),
    ),
    row(
        "-tb",
        "PATHS",
        Both,
        How::Honoured("`adjudication.tablebases`, between `:` or `;`"),
    ),
    row(
        "-tbpieces",
        "N",
        Both,
        How::Honoured("`adjudication.tablebase_men`, 3 to 7; without it 5, where they take all that are there"),
    ),
    row(
        "-tbignore50",
        "",
        Both,
        How::Honoured("`adjudication.tablebase_rule50 = false`"),
    ),
    row(
        "-tbadjudicate",
        "WHICH",
        Fastchess,
        How::Honoured("`adjudication.tablebase_adjudicate`: `BOTH`, `WIN_LOSS`, `DRAW`"),
    ),
    row("-wait", "0", Both, How::Honoured("no pause is needed")),
    case(
        "-wait",
        "above 0",
        Both,
        "there are no pauses between games",
        "leave it out",
    ),
    row(
        "-recover",
        "",
        Both,
        How::Honoured("always: the game is lost, the next one has a new engine"),
    ),
    row("-startup-ms", "MS", Fastchess, How::Honoured("`engine.start_limit`")),
    row("-ucinewgame-ms", "MS", Fastchess, How::Honoured("`engine.ready_limit`")),
    row("-ping-ms", "MS", Fastchess, How::Honoured("`engine.step_limit`")),
];
