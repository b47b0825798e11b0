//! Keys on the play and the worth of a game: `[game]` and `[scoring]`.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{choice, depth, duration, nodes, or, points_table, switch, time_control, whole};
use swissmatch_tournament::setup::{Freeze, IllegalAttempts, Setup};

pub(super) fn keys() -> Vec<Key<Setup>> {
    vec![
        key!(
            game.time_control,
            time_control(
                r#"a time control as a string: "30s/move", "10+0.1", "G/45 d5", "hourglass 1:00" or "nodes=5000""#
            ),
            r#"Time control, always enforced: "30s/move", "10+0.1", "40/90 SD/30 +30", "G/45 d5" and more: docs/time-controls.md."#,
        ),
        key!(
            game.attempts,
            whole("a whole number", 1..=1000),
            "Attempts that a player has at one move under a time per move; under a clock, running out of time loses at once.",
        ),
        key!(
            game.attempts_share,
            switch(),
            "Whether the attempts at a move have its time per move together, as under a clock; false: each has it whole.",
        ),
        key!(
            game.flag_fall,
            choice(),
            r#"Under a clock a side whose flag falls loses; "draw-if-cannot-mate": unless the other side cannot mate. Others: docs/time-controls.md."#,
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
            r#"How many illegal attempts at one move lose the game; "shared": together with overruns, game.attempts in all."#,
        ),
        key!(
            game.max_moves,
            or("none", whole("a number of full moves", 1..=100_000)),
            r#"The game is drawn after this many full moves, counted from game.plies_from on; "none": no cap."#,
        ),
        key!(
            game.max_plies,
            or("none", whole("a number of plies", 1..=200_000)),
            "The same cap in plies; where both are given, the one that is reached first counts.",
        ),
        key!(
            game.claims,
            choice(),
            r#"When repetition and fifty moves draw a game: "automatic", when they are there; "claimable", as soon as the side to move could claim it: docs/adjudication.md."#,
        ),
        key!(
            game.plies_from,
            choice(),
            r#"From where game.max_moves and game.max_plies count: the end of the "opening", or the "start" of the game, so that the opening counts: docs/openings.md."#,
        ),
        key!(
            game.move_overhead,
            duration("50ms"),
            "How much less than the time per move the engine is told it has; at most a tenth of that time.",
        ),
        key!(
            game.margin,
            duration("50ms"),
            "How long a move may take beyond its limit before it counts as an overrun.",
        ),
        key!(
            game.nodes,
            or("none", nodes()),
            r#"Nodes per move, besides the time limit, for players without a number of their own; or "none"."#,
        ),
        key!(
            game.depth,
            or("none", depth()),
            r#"Search depth in plies, besides the time limit, for players without one of their own; or "none"."#,
        ),
        key!(
            game.variant,
            choice(),
            r#"Which chess is played: "standard", or "chess960", for which engines must declare UCI_Chess960."#,
        ),
        key!(
            game.ponder,
            switch(),
            "Whether agents ponder (think on their opponents' time): true or false.",
        ),
        key!(
            game.freeze,
            or("auto", switch()).map(
                |freeze| match freeze {
                    None => Freeze::Auto,
                    Some(true) => Freeze::Always,
                    Some(false) => Freeze::Never,
                },
                |freeze| match freeze {
                    Freeze::Auto => Some(None),
                    Freeze::Always => Some(Some(true)),
                    Freeze::Never => Some(Some(false)),
                },
            ),
            r#"Whether an agent that does not ponder is stopped while the other side is to move; "auto": in games of a sealed one: docs/resources.md."#,
        ),
        key!(
            scoring.game,
            points_table(),
            "Game points for a win, a draw and a loss: { win = 1, draw = 0.5, loss = 0 } or [1, 0.5, 0].",
        ),
        key!(
            "scoring.match",
            scoring.r#match,
            points_table(),
            "Match points for winning, drawing or losing a mini-match, by its game points; written as in scoring.game.",
        ),
        key!(
            scoring.forfeited_game,
            or("as-played", points_table())
                .called(r#""as-played" or points, such as { win = 1, draw = 0.5, loss = 0 }"#),
            r#"Game points if a game is not played because an engine does not start: "as-played", or points of their own."#,
        ),
        key!(
            scoring.forfeited_match,
            or("as-played", points_table())
                .called(r#""as-played" or points, such as { win = 1, draw = 0.5, loss = 0 }"#),
            r#"Match points if no game of a mini-match is played: "as-played", or points of their own."#,
        ),
    ]
}
