//! Every key of `[adjudication]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{ValueKind, choice, list, or, path, switch, whole};
use swissmatch_tournament::setup::Setup;

/// Keys on ending a game early.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            adjudication.resign_score,
            or("none", whole("centipawns", 1..=100_000)),
            r#"A side loses when its score is at least this many centipawns below zero and its opponent's as far above; "none": play goes on."#,
        ),
        key!(
            adjudication.resign_moves,
            moves(),
            "How many moves in a row a side must be that far behind.",
        ),
        key!(
            adjudication.resign_two_sided,
            switch(),
            "Whether both engines must say so; if false, the loser's own scores decide alone.",
        ),
        key!(
            adjudication.draw_score,
            or("none", whole("centipawns", 0..=100_000)),
            r#"A game is drawn when both engines say that it is within this many centipawns of level; "none": play goes on."#,
        ),
        key!(
            adjudication.draw_moves,
            moves(),
            "How many moves in a row both must say so; a capture or a pawn move restarts the count.",
        ),
        key!(
            adjudication.draw_from_move,
            whole("the number of a move", 1..=10_000),
            "Number of the move that both sides must have made before such a draw.",
        ),
        key!(
            adjudication.tablebases,
            list(
                r#"a list of directories with Syzygy tables, such as ["/srv/syzygy/345", "/srv/syzygy/6"], or []"#,
                path("a directory")
            ),
            "Directories of Syzygy tables that end games, relative to this file; []: none. See docs/adjudication.md.",
        ),
        key!(
            adjudication.tablebase_men,
            whole("a number of men", 3..=7),
            "Positions with at most this many men are looked up; the tables for all of them must be there.",
        ),
        key!(
            adjudication.tablebase_rule50,
            switch(),
            "Whether a tablebase win that the fifty-move rule spoils is a draw.",
        ),
        key!(
            adjudication.tablebase_adjudicate,
            choice(),
            r#"What the tablebases end: won and drawn games ("win-draw"), or only one of the two ("win" or "draw")."#,
        ),
    ]
}

fn moves() -> ValueKind<u32> {
    whole("a number of moves", 1..=1000)
}
