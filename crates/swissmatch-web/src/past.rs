//! The earlier plies of a game that is first seen in the middle, each with the time at which it was made.
//!
//! Where spectators are behind, whoever connects in the middle of a game would otherwise have nothing to show until the state of that
//! moment is due. May not: show a ply before its time; where that time is unknown, the latest possible one is taken.

use std::time::{Duration, Instant};

use jiff::Timestamp;

use swissmatch_game::Side;
use swissmatch_game::seen::LastMove;
use swissmatch_tournament::live::{LiveColumns, LiveGame, LiveSide};

/// Of a game that is shown late, one state is kept for each interval of this length.
pub(super) const KEPT: Duration = Duration::from_secs(1);

/// The states of a game that was seen at `now`, each with its moment: those of its new plies that were made earlier, at most one for each
/// [`KEPT`], then the game itself. Each has the columns of the plies since the state before it.
pub(super) fn states(game: LiveGame, now: Instant) -> Vec<(Instant, LiveGame)> {
    let Some(new) = &game.columns else {
        return vec![(now, game)];
    };
    let from = new.from as usize;
    let mut counts = Vec::new();
    // A move takes its time after the one before it, so that one was made at least that much earlier.
    let mut made = game.since.unwrap_or(game.at).min(game.at);
    let mut next = game.at;
    for (place, time) in new.columns.time_us.iter().enumerate().rev() {
        if made.checked_add(KEPT).is_ok_and(|least| least <= next) {
            counts.push((from + place + 1, made));
            next = made;
        }
        made = made.checked_sub(Duration::from_micros(*time)).unwrap_or(Timestamp::MIN);
    }
    let mut states = Vec::new();
    let mut known = from;
    for (count, made) in counts.into_iter().rev() {
        let ago = game.at.duration_since(made).unsigned_abs();
        states.push((now.checked_sub(ago).unwrap_or(now), cut(&game, known, count, made)));
        known = count;
    }
    let columns = LiveColumns::after(&new.columns, known - from).map(|rest| LiveColumns {
        from: new.from + rest.from,
        ..rest
    });
    states.push((now, LiveGame { columns, ..game }));
    states
}

/// The game as it was after `count` plies, the last one made at `made`, with the columns from `known` on.
fn cut(game: &LiveGame, known: usize, count: usize, made: Timestamp) -> LiveGame {
    let moves: Vec<&str> = game.moves.split(' ').take(count).collect();
    let to_move = mover(game, count);
    let side = |side: Side, of: &LiveSide| {
        let ply = if side == to_move {
            count.checked_sub(2)
        } else {
            count.checked_sub(1)
        };
        let has_clock = of.clock_us.is_some();
        LiveSide {
            pairing_number: of.pairing_number,
            name: of.name.clone(),
            clock_us: ply
                .and_then(|ply| value(game, ply, |new, at| new.columns.clock_us.get(at).copied()))
                .filter(|_| has_clock),
            last: ply.and_then(|ply| last(game, ply)),
        }
    };
    LiveGame {
        at: made,
        white: side(Side::White, &game.white),
        black: side(Side::Black, &game.black),
        opening: game.opening.clone(),
        moves: moves.join(" "),
        plies: u32::try_from(count).unwrap_or(u32::MAX),
        to_move: Some(to_move),
        since: Some(made),
        limit_us: None,
        ended: None,
        columns: game.columns.as_ref().map(|new| LiveColumns {
            from: u32::try_from(known).unwrap_or(u32::MAX),
            columns: new.columns.part(known - new.from as usize, count - new.from as usize),
        }),
        ..*game
    }
}

fn mover(game: &LiveGame, ply: usize) -> Side {
    let first = game.opening.turn();
    if ply.is_multiple_of(2) { first } else { first.other() }
}

/// A figure of a ply; `None` where the columns lack it.
fn value<T>(game: &LiveGame, ply: usize, read: impl Fn(&LiveColumns, usize) -> Option<T>) -> Option<T> {
    let new = game.columns.as_ref()?;
    read(new, ply.checked_sub(new.from as usize)?)
}

/// What is known of the move that made this ply.
fn last(game: &LiveGame, ply: usize) -> Option<LastMove> {
    let time_us = value(game, ply, |new, at| new.columns.time_us.get(at).copied())?;
    Some(LastMove {
        ply: u32::try_from(ply).unwrap_or(u32::MAX),
        time_us,
        eval: value(game, ply, |new, at| new.columns.eval.get(at).copied().flatten()),
        depth: value(game, ply, |new, at| new.columns.depth.get(at).copied().flatten()),
        nodes: value(game, ply, |new, at| new.columns.nodes.get(at).copied().flatten()),
        ..LastMove::default()
    })
}

/// Replaces a state that waits to be shown by a newer one, which takes over its columns.
pub(super) fn join(waiting: &mut LiveGame, newer: &mut LiveGame) {
    if (waiting.id, waiting.begun) != (newer.id, newer.begun) {
        return;
    }
    let Some(mut columns) = waiting.columns.take() else {
        return;
    };
    if let Some(more) = newer.columns.take() {
        let has_all = more.from.checked_sub(columns.from);
        if !has_all.is_some_and(|from| columns.columns.add(from as usize, &more.columns)) {
            tracing::warn!(game = %newer.id, from = more.from, "plies of a game under way are missing");
        }
    }
    newer.columns = Some(columns);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A game of four plies, of 10, 2, 0.1 and 5 seconds, the last of them made three seconds before it was seen.
    fn game() -> LiveGame {
        let side = |number: u32| json!({"pairing_number": number, "name": "A", "clock_us": 1});
        let game = json!({
            "schema": 1, "at": "2026-11-01T12:01:00Z", "slot": 3, "id": "1.1.1", "begun": "2026-11-01T12:00:00Z",
            "white": side(1), "black": side(2), "opening": {"name": "startpos"}, "moves": "e2e4 e7e5 g1f3 b8c6", "plies": 4,
            "to_move": "white", "since": "2026-11-01T12:00:57Z",
            "columns": {
                "from": 0, "time_us": [10_000_000, 2_000_000, 100_000, 5_000_000], "clock_us": [11, 12, 13, 14],
                "eval": [null, 7, "#3", null]
            }
        });
        serde_json::from_value(game).expect("a game")
    }

    #[test]
    fn plies_of_before_have_the_latest_time_at_which_they_can_have_been_made() {
        let now = Instant::now() + Duration::from_secs(3600);
        let states = states(game(), now);
        let told = |(since, game): &(Instant, LiveGame)| {
            let columns = game.columns.as_ref().expect("new plies");
            let ago = now.duration_since(*since).as_millis();
            (
                ago,
                game.moves.clone(),
                game.plies,
                columns.from,
                columns.columns.time_us.len(),
            )
        };
        let of = |ago, moves: &str, plies, from, new| (ago, moves.to_owned(), plies, from, new);
        // The second ply was made a tenth of a second before the third: nobody is shown it alone.
        assert_eq!(
            states[..3].iter().map(told).collect::<Vec<_>>(),
            [
                of(10_100, "e2e4", 1, 0, 1),
                of(8000, "e2e4 e7e5 g1f3", 3, 1, 2),
                of(3000, "e2e4 e7e5 g1f3 b8c6", 4, 3, 1)
            ]
        );
        let (_, third) = &states[1];
        assert_eq!(
            (third.to_move, third.white.clock_us, third.black.clock_us),
            (Some(Side::Black), Some(13), Some(12))
        );
        let last = |side: &LiveSide| side.last.as_ref().map(|last| (last.ply, last.eval.is_some()));
        assert_eq!(
            (last(&third.white), last(&third.black)),
            (Some((2, true)), Some((1, true)))
        );
        assert_eq!(third.since, "2026-11-01T12:00:52Z".parse().ok());
        let (since, itself) = &states[3];
        assert_eq!(
            (*since, itself.columns.is_some(), itself.limit_us),
            (now, false, game().limit_us)
        );
    }

    #[test]
    fn a_newer_state_has_the_plies_of_the_one_whose_place_it_takes() {
        let (mut waiting, mut newer) = (game(), game());
        waiting.columns = waiting.columns.map(|all| LiveColumns {
            from: 0,
            columns: all.columns.part(0, 3),
        });
        newer.columns = newer.columns.map(|all| LiveColumns {
            from: 3,
            columns: all.columns.part(3, 4),
        });
        join(&mut waiting, &mut newer);
        assert_eq!(newer.columns, game().columns);
        let mut other = LiveGame {
            id: "1.1.2".parse().expect("a game"),
            columns: None,
            ..game()
        };
        join(&mut game(), &mut other);
        assert_eq!(other.columns, None);
    }
}
