//! The view of a game while it is played.

use super::*;
use crate::seen::{GameEnd, GameView, Running};
use crate::termination::{Outcome, Termination};

/// Plays these lines, a millisecond each; `look` sees the game after every step.
fn shown(spec: GameSpec, lines: &[&str], mut look: impl FnMut(&Game)) -> GameRecord {
    let mut game = Game::new(spec).expect("a legal opening");
    let mut now = Duration::ZERO;
    for line in ["readyok", "readyok"].iter().chain(lines) {
        while let Output::Send { .. } = game.poll(now) {
            game.handle(now, Input::Sent { was_full: false });
            look(&game);
        }
        now += MILLI;
        game.handle(now, Input::Line(line.as_bytes()));
        look(&game);
    }
    assert_eq!(game.poll(now), Output::Over, "the lines are a whole game");
    game.finish().0
}

const MATE: [&str; 6] = [
    "info depth 3 score cp -5 nodes 70 nps 9 pv f2f3 e7e5",
    "bestmove f2f3",
    "bestmove e7e5",
    "bestmove g2g4",
    "info depth 9 score mate 1 pv D8H4 \x1b[2J evil",
    "bestmove d8h4",
];

#[test]
fn it_is_the_same_whenever_it_is_looked_at() {
    let spec = spec(clock_limits(10 * SECOND, SECOND, None));
    for every in 1..9 {
        let (mut kept, mut step) = (GameView::begin(&spec), 0);
        let record = shown(spec.clone(), &MATE, |game| {
            step += 1;
            if step % every == 0 {
                game.show(&mut kept);
                let mut fresh = GameView::begin(&spec);
                game.show(&mut fresh);
                assert_eq!(kept, fresh, "looked at every {every}");
            }
        });
        assert!(record.moves.starts_with(&kept.moves));
        kept.end(&record);
        let mut whole = GameView::whole(&record);
        assert_eq!(
            whole.sides.clone().map(|side| side.clock_us),
            [None; 2],
            "which is not in a record alone"
        );
        for (whole, kept) in whole.sides.iter_mut().zip(&kept.sides) {
            whole.clock_us = kept.clock_us;
        }
        assert_eq!(kept, whole);
    }
}

#[test]
fn it_has_moves_clocks_and_what_was_said_last() {
    let spec = spec(clock_limits(10 * SECOND, SECOND, None));
    let mut seen = Vec::new();
    let record = shown(spec.clone(), &MATE, |game| {
        let mut now = GameView::begin(&spec);
        game.show(&mut now);
        seen.push(now);
    });
    let first = &seen[0];
    assert_eq!(
        (first.moves.as_str(), first.plies, first.turn, first.running),
        ("", 0, Side::White, None)
    );
    assert_eq!(first.sides.each_ref().map(|side| side.clock_us), [Some(10_000_000); 2]);
    let thinks = seen.iter().find(|seen| seen.plies == 2 && seen.running.is_some());
    let thinks = thinks.expect("White thinks again");
    assert_eq!((thinks.moves.as_str(), thinks.turn), ("f2f3 e7e5", Side::White));
    let running = Running {
        since: 5 * MILLI,
        limit: 11 * SECOND - 2 * MILLI,
    };
    assert_eq!(thinks.running, Some(running));
    assert_eq!(
        thinks.sides[0].clock_us,
        Some(10_998_000),
        "two milliseconds, and the increment"
    );
    let last = thinks.sides[0].last.as_ref().expect("it has moved");
    assert_eq!(
        (last.ply, last.time_us, last.depth, last.nodes),
        (0, 2000, Some(3), Some(70))
    );
    assert_eq!(last.pv, "f2f3 e7e5");

    let mut over = thinks.clone();
    over.end(&record);
    assert_eq!(
        (over.moves.as_str(), over.plies, over.running),
        ("f2f3 e7e5 g2g4 d8h4", 4, None)
    );
    let mated = GameEnd {
        outcome: Outcome::BlackWins,
        termination: Termination::Checkmate,
    };
    assert_eq!(over.ended, Some(mated));
    let last = over.sides[1].last.as_ref().expect("it has moved");
    assert_eq!(last.pv, "d8h4", "what is no move is left out");
    let text = serde_json::to_string(&over).expect("it serializes");
    assert_eq!(serde_json::from_str::<GameView>(&text).expect("and back"), over);
}

#[test]
fn black_may_begin_and_times_a_move_are_no_clocks() {
    // Mate in two, by Black.
    let fen = "1r5k/8/8/8/8/2q5/8/7K b - - 0 1";
    let spec = from_fen(protocol_limits(), fen);
    let mut turns = Vec::new();
    let lines = ["bestmove b8b2", "bestmove h1g1", "bestmove c3c1"];
    let record = shown(spec.clone(), &lines, |game| {
        let mut seen = GameView::begin(&spec);
        game.show(&mut seen);
        assert_eq!(seen.turn, game.turn());
        assert_eq!(seen.sides.each_ref().map(|side| side.clock_us), [None; 2]);
        turns.push(seen.turn);
    });
    assert_eq!(turns[0], Side::Black);
    assert_eq!((record.plies(), record.termination), (3, Termination::Checkmate));
}
