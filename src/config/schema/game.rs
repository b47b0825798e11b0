//! How a game is played, and what it is worth: the keys of `[game]` and `[scoring]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::config::kind::{choice, depth, duration, nodes, or, points_table, switch, time_control, whole};
use crate::tournament::setup::{IllegalAttempts, Setup};

/// How a game is played, and what it is worth.
pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            game.time_control,
            time_control(
                r#"a time control as a string: "30s/move", "10+0.1", "G/45 d5", "hourglass 1:00" or "nodes=5000""#
            ),
            r#"Limit that is always enforced: "30s/move", "10+0.1", "40/90 SD/30 +30", "G/45 d5" …: docs/time-controls.md."#,
        ),
        key!(
            game.attempts,
            whole("a whole number", 1..=1000),
            "Attempts at one move under a time per move; under a clock a fallen clock loses at once.",
        ),
        key!(
            game.illegal_attempts,
            or("shared", whole("a whole number", 1..=1000)).map(
                |attempts| attempts.map_or(IllegalAttempts::Shared, IllegalAttempts::Apart),
                |attempts| match attempts {
                    IllegalAttempts::Shared => Some(None),
                    IllegalAttempts::Apart(attempts) => Some(Some(*attempts)),
                },
            ),
            r#"Illegal moves at one move that lose: a number of their own, or "shared" with overruns, game.attempts in all."#,
        ),
        key!(
            game.max_moves,
            or("none", whole("a number of full moves", 1..=100_000)),
            r#"Draw after so many full moves of play, the opening's not counted; "none": no cap."#,
        ),
        key!(
            game.max_plies,
            or("none", whole("a number of plies", 1..=200_000)),
            "The same in plies; where both are given, what is reached first counts.",
        ),
        key!(
            game.move_overhead,
            duration("50ms"),
            "How much less than the time per move the engine is told, at most a tenth of it.",
        ),
        key!(
            game.margin,
            duration("50ms"),
            "How far over its limit a move may be before it counts as an overrun.",
        ),
        key!(
            game.nodes,
            or("none", nodes()),
            r#"Nodes a move, beside the time limit, for players that have no number of their own; or "none"."#,
        ),
        key!(
            game.depth,
            or("none", depth()),
            r#"Depth in plies, beside the time limit, for players that have none of their own; or "none"."#,
        ),
        key!(
            game.variant,
            choice(),
            r#"Which chess: "standard", or "chess960", for which engines must declare UCI_Chess960."#,
        ),
        key!(
            game.ponder,
            switch(),
            "Whether agents think while their opponents do: true or false.",
        ),
        key!(
            scoring.game,
            points_table(),
            "Game points for a win, a draw, a loss: { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0].",
        ),
        key!(
            "scoring.match",
            scoring.r#match,
            points_table(),
            "Match points for more game points than the opponent, equally many, fewer.",
        ),
        key!(
            scoring.forfeited_game,
            or("as-played", points_table()).called(r#""as-played" or points as { win = 1, draw = 0.5, loss = 0 }"#),
            r#"Game points of a game that was not played because an engine did not start: "as-played", or points of their own."#,
        ),
        key!(
            scoring.forfeited_match,
            or("as-played", points_table()).called(r#""as-played" or points as { win = 1, draw = 0.5, loss = 0 }"#),
            r#"Match points of a mini-match without a played game: "as-played", or points of their own."#,
        ),
    ]
}
