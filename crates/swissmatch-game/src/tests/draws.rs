//! Draws by repetition or fifty moves, compared with what python-chess says of the same games.

use super::*;
use crate::rules::{Board, Claims, Ends};
use crate::termination::{Outcome, Termination};

/// Made by python-chess; the head of the file says how.
const GAMES: &str = include_str!("../../../../tests/data/claims/games.txt");

/// The ply at which a rule ends a game of the table, and the rule, as the table writes it.
fn end(opening: &Opening, moves: &str, claims: Claims) -> String {
    let ends = Ends {
        claims,
        ..Ends::default()
    };
    let mut board = Board::new(opening).expect("a legal position");
    let mut words = moves.split_ascii_whitespace();
    loop {
        if let Some((_, termination)) = board.ending(ends) {
            return format!("{} {}", board.plies(), termination.word());
        }
        let Some(word) = words.next() else {
            return "-".to_owned();
        };
        let legal = board.legal(&word.parse().expect("a move")).expect("a legal move");
        board.play(legal);
    }
}

#[test]
fn games_are_drawn_when_python_chess_says_so() {
    let (mut checked, mut earlier) = (0, 0);
    for line in GAMES.lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split("; ").collect();
        let [from, moves, automatic, claimable] = columns[..] else {
            panic!("four columns: {line}")
        };
        let opening = Opening {
            fen: (from != "startpos").then(|| from.to_owned()),
            ..Opening::start(Variant::Standard)
        };
        assert_eq!(end(&opening, moves, Claims::Automatic), automatic, "{line}");
        assert_eq!(end(&opening, moves, Claims::Claimable), claimable, "{line}");
        checked += 1;
        earlier += u32::from(automatic != claimable);
    }
    assert_eq!((checked, earlier), (98, 73));
}

/// A knight goes out and back: Black's last move would bring the starting position about for the third time, and
/// Black need not make it.
#[test]
fn a_game_ends_as_soon_as_the_side_to_move_could_claim_it() {
    const LINE: [&str; 7] = [
        "bestmove g1f3",
        "bestmove g8f6",
        "bestmove f3g1",
        "bestmove f6g8",
        "bestmove g1f3",
        "bestmove g8f6",
        "bestmove f3g1",
    ];
    let limits = GameLimits {
        claims: Claims::Claimable,
        ..protocol_limits()
    };
    let played = Script::new(spec(limits)).play(&moves(&LINE));
    assert_eq!(
        (played.record.outcome, played.record.termination),
        (Outcome::Draw, Termination::ThreefoldRepetition)
    );
    assert_eq!(played.record.plies(), 7);
    // By the default rule the same record goes on.
    assert!(played.record.check(&spec(protocol_limits())).is_err());
    // The reference engine is not asked to evaluate a drawn position.
    let positions = crate::evaluation::positions(&played.record).expect("positions");
    assert!(matches!(
        positions.all.last(),
        Some(crate::evaluation::Position::Known(crate::eval::Eval::Centipawns(0)))
    ));
}
