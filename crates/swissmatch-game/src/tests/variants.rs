//! Chess960 beside standard chess: how castling is written and read, start positions, Black to move.

use super::*;
use crate::rules::Board;
use crate::termination::{Outcome, Termination};
use shakmaty::uci::UciMove;
use shakmaty::{Role, Square};

fn opening(variant: Variant, fen: &str, moves: &str) -> Opening {
    Opening {
        fen: Some(fen.to_owned()),
        moves: moves
            .split_whitespace()
            .map(|uci| uci.parse().expect("a move"))
            .collect(),
        ..Opening::start(variant)
    }
}

fn board(variant: Variant, fen: &str) -> Board {
    Board::new(&opening(variant, fen, "")).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

fn is_legal(board: &Board, uci: &str) -> bool {
    board.legal(&uci.parse().expect("a move")).is_some()
}

#[test]
fn castling_has_one_spelling_in_each_variant() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let standard = board(Variant::Standard, fen);
    let chess960 = board(Variant::Chess960, fen);
    for (kings, rooks) in [("e1g1", "e1h1"), ("e1c1", "e1a1")] {
        assert!(is_legal(&standard, kings) && !is_legal(&standard, rooks), "{kings}");
        assert!(is_legal(&chess960, rooks) && !is_legal(&chess960, kings), "{rooks}");
    }
    // A step of the king is not castling, wherever the rook is.
    for board in [&standard, &chess960] {
        assert!(is_legal(board, "e1f1") && is_legal(board, "e1d1"));
    }
}

/// After castling, king and rook stand where they do in standard chess, wherever both stood before.
#[test]
fn castling_of_chess960() {
    for (fen, uci, after) in [
        // Neither, one, or both already stand on their target squares.
        ("4k3/8/8/8/8/8/8/6KR w H - 0 1", "g1h1", "5RK1"),
        ("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", "f1g1", "5RK1"),
        ("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1", "5RK1"),
        ("4k3/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1", "2KR4"),
        ("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", "d1c1", "2KR4"),
        ("4k3/8/8/8/8/8/8/1R4K1 w B - 0 1", "g1b1", "2KR4"),
        // Of two rooks on one side, the one with the right castles.
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "e1b1", "R1KR4"),
    ] {
        let mut board = board(Variant::Chess960, fen);
        let legal = board.legal(&uci.parse().expect("a move"));
        let legal = legal.unwrap_or_else(|| panic!("{uci} in {fen}"));
        assert!(legal.is_castle());
        assert_eq!(board.uci(legal).to_string(), uci);
        board.play(legal);
        let position = opening(Variant::Chess960, fen, uci).start_position().expect("legal");
        let reached = shakmaty::Position::play(position, legal).expect("legal");
        let first_rank = Variant::Chess960.fen(&reached);
        let first_rank = first_rank.split([' ', '/']).nth(7);
        assert_eq!(first_rank, Some(after), "{uci} in {fen}");
    }
    for (fen, uci) in [
        ("4k3/8/8/8/8/8/8/RR2K3 w B - 0 1", "e1a1"),
        // Something stands in the way of the king or of the rook.
        ("4k3/8/8/8/8/8/8/1K1N1R2 w F - 0 1", "b1f1"),
        ("4k3/8/8/8/8/8/8/RN2K3 w A - 0 1", "e1a1"),
        // Through check, out of check, into check; the rook may pass an attacked square.
        ("2r1k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1"),
        ("1r2k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1"),
        ("4k1r1/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1f1"),
        // The rook shields the king from the side until it castles.
        ("4k3/8/8/8/8/8/8/rRK5 w B - 0 1", "c1b1"),
    ] {
        assert!(!is_legal(&board(Variant::Chess960, fen), uci), "{uci} in {fen}");
    }
    let passing = board(Variant::Chess960, "1r2k3/8/8/8/8/8/8/RNK5 w A - 0 1");
    assert!(!is_legal(&passing, "c1a1"), "the knight is in its way");
    let passing = board(Variant::Chess960, "1r2k3/8/8/8/8/8/8/R2K4 w A - 0 1");
    assert!(is_legal(&passing, "d1a1"), "b1 is passed by the rook alone");
}

/// All words that are moves: each legal move has one, so the number of lines equals the published counts.
fn lines(board: &Board, depth: u32) -> usize {
    if depth == 0 {
        return 1;
    }
    let promotions = [
        None,
        Some(Role::Queen),
        Some(Role::Rook),
        Some(Role::Bishop),
        Some(Role::Knight),
    ];
    let words = Square::ALL.into_iter().flat_map(|from| {
        let ends = Square::ALL.into_iter().filter(move |to| *to != from);
        ends.flat_map(move |to| promotions.map(|promotion| UciMove::Normal { from, to, promotion }))
    });
    let legal = words.filter_map(|uci| board.legal(&uci));
    legal
        .map(|legal| {
            let mut next = board.clone();
            next.play(legal);
            lines(&next, depth - 1)
        })
        .sum()
}

#[test]
fn every_legal_move_has_exactly_one_spelling() {
    for (variant, fen, expected) in [
        (
            Variant::Standard,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2039],
        ),
        (
            Variant::Chess960,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            [48, 2039],
        ),
        (
            Variant::Chess960,
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            [21, 528],
        ),
        (
            Variant::Chess960,
            "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
            [21, 807],
        ),
    ] {
        let board = board(variant, fen);
        assert_eq!([1, 2].map(|depth| lines(&board, depth)), expected, "{fen}");
    }
}

/// Castling is sent and kept in the spelling of the variant; the other spelling is an illegal move.
#[test]
fn a_game_sends_and_keeps_castling_as_the_variant_writes_it() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for (variant, said, other) in [
        (Variant::Standard, "bestmove e1g1", "bestmove e1h1"),
        (Variant::Chess960, "bestmove e1h1", "bestmove e1g1"),
    ] {
        let spec = |limits| GameSpec {
            opening: opening(variant, fen, ""),
            ..spec(limits)
        };
        let limits = GameLimits {
            max_plies: Some(2),
            ..protocol_limits()
        };
        let played = Script::new(spec(limits)).play(&[Does::Says(MILLI, said), Does::Says(MILLI, "bestmove e8e7")]);
        let record = &played.record;
        let moves = format!("{} e8e7", &said[9..]);
        assert_eq!(
            (record.moves.as_str(), record.termination),
            (moves.as_str(), Termination::MoveCap)
        );
        let asked = format!("position fen {fen} moves {}\n", &said[9..]);
        assert!(
            played.sent.iter().any(|sent| sent.starts_with(&asked)),
            "{:?}",
            played.sent
        );
        let limits = GameLimits {
            attempts: Attempts::Shared(1),
            ..protocol_limits()
        };
        let refused = Script::new(spec(limits)).play(&[Does::Says(MILLI, other)]);
        assert_eq!(refused.record.termination, Termination::IllegalMove { by: Side::White });
    }
}

/// Black begins: the record, the clocks and the cap count from there.
#[test]
fn black_to_move() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R b KQ - 7 12";
    let limits = GameLimits {
        max_plies: Some(3),
        ..clock_limits(10 * SECOND, SECOND, None)
    };
    let script = [
        Does::Says(2 * SECOND, "bestmove e8e7"),
        Does::Says(3 * SECOND, "bestmove e1g1"),
        Does::Says(4 * SECOND, "bestmove e7e6"),
    ];
    let played = Script::new(from_fen(limits, fen)).play(&script);
    let record = played.record;
    assert_eq!(
        (record.outcome, record.termination),
        (Outcome::Draw, Termination::MoveCap)
    );
    assert_eq!(record.moves, "e8e7 e1g1 e7e6");
    let seconds = |us: &[u64]| us.iter().map(|us| us / 1_000_000).collect::<Vec<_>>();
    assert_eq!(seconds(&record.clock_us), [9, 8, 6]);
    let thinking = record.thinking();
    assert_eq!((thinking[0].moves, thinking[0].time_us), (1, 3_000_000));
    assert_eq!((thinking[1].moves, thinking[1].time_us), (2, 6_000_000));
}

/// If Black mates with the first move of the game, Black wins.
#[test]
fn black_to_move_mates() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let played = Script::new(from_fen(protocol_limits(), fen)).play(&[Does::Says(MILLI, "bestmove d8h4")]);
    assert_eq!(
        (played.record.outcome, played.record.termination),
        (Outcome::BlackWins, Termination::Checkmate)
    );
}
