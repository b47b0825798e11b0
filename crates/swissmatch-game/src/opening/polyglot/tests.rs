//! Books written by this test's own writer.

use std::num::NonZeroU32;

use super::*;
use crate::opening::{OpeningSuite, SuiteFormat, parse_suite};

/// The position after moves from the usual start.
fn after(moves: &str) -> Chess {
    moves.split_whitespace().fold(Chess::default(), |position, uci| {
        let uci: UciMove = uci.parse().expect("a move");
        let legal = uci.to_move(&position).expect("legal");
        position.play(legal).expect("legal")
    })
}

/// The bytes of an entry. The move is given as it is to be written, castling included.
fn entry(line: &str, uci: &str, weight: u16) -> [u8; ENTRY] {
    let UciMove::Normal { from, to, promotion } = uci.parse().expect("a move") else {
        panic!("{uci}")
    };
    let promotion = promotion.map_or(0, |role| role as u16 - 1);
    let of = |square: Square| (square.rank() as u16) << 3 | square.file() as u16;
    let mut bytes = [0xee; ENTRY];
    bytes[..8].copy_from_slice(&key(&after(line)).to_be_bytes());
    bytes[8..10].copy_from_slice(&(promotion << 12 | of(from) << 6 | of(to)).to_be_bytes());
    bytes[10..12].copy_from_slice(&weight.to_be_bytes());
    bytes
}

fn book(entries: &[(&str, &str, u16)]) -> Vec<u8> {
    let entries = entries.iter().map(|&(line, uci, weight)| entry(line, uci, weight));
    entries.collect::<Vec<_>>().concat()
}

fn read(bytes: &[u8], plies: u32) -> Result<OpeningSuite, SuiteError> {
    parse_suite(bytes, SuiteFormat::Polyglot, Variant::Standard, Some(plies))
}

fn lines(bytes: &[u8], plies: u32) -> Vec<String> {
    let suite = read(bytes, plies).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(suite.repeats().count, 0);
    suite.iter().map(|opening| opening.moves_text()).collect()
}

/// The nine positions that the description of the format gives with their keys.
#[test]
fn keys_are_those_of_the_format() {
    for (moves, expected) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        let key = key(&after(moves));
        assert_eq!(key, expected, "{moves}: {key:016x}");
    }
}

/// A pawn that could capture but is pinned still counts.
#[test]
fn en_passant_counts_where_a_pawn_stands_beside() {
    let position = |ep: &str| {
        let fen = format!("4r1k1/8/8/3pP3/8/8/8/4K3 w - {ep} 0 2");
        let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
        fen.into_position::<Chess>(shakmaty::CastlingMode::Standard)
            .expect("legal")
    };
    assert_ne!(key(&position("d6")), key(&position("-")));
}

#[test]
fn lines_come_by_weight_then_by_notation() {
    let bytes = book(&[
        ("", "g1f3", 5),
        ("", "d2d4", 5),
        ("", "e2e4", 9),
        ("", "a2a3", 0),
        ("e2e4", "c7c5", 1),
        ("e2e4", "e7e5", 65535),
        ("e2e4 e7e5", "g1f3", 1),
        ("d2d4", "d7d5", 1),
    ]);
    let expected = ["e2e4 e7e5 g1f3", "e2e4 c7c5", "d2d4 d7d5", "g1f3"];
    assert_eq!(lines(&bytes, 9), expected);
    assert_eq!(lines(&bytes, 2), ["e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5", "g1f3"]);
    assert_eq!(lines(&bytes, 1), ["e2e4", "d2d4", "g1f3"]);
    // The order of the entries in the file does not matter, and a duplicate entry changes nothing.
    let mut entries: Vec<&[u8]> = bytes.chunks(ENTRY).collect();
    entries.reverse();
    let again = [entries.concat(), entry("", "e2e4", 3).to_vec()].concat();
    assert_eq!(lines(&again, 9), expected);
}

#[test]
fn transpositions_are_kept_once() {
    let bytes = book(&[
        ("", "d2d4", 2),
        ("", "g1f3", 1),
        ("d2d4", "d7d5", 1),
        ("d2d4 d7d5", "g1f3", 1),
        ("g1f3", "d7d5", 1),
        ("g1f3 d7d5", "d2d4", 1),
        ("g1f3 d7d5", "g2g3", 1),
    ]);
    assert_eq!(lines(&bytes, 3), ["d2d4 d7d5 g1f3", "g1f3 d7d5 g2g3"]);
    // The earlier line may end at another ply, too.
    let bytes = book(&[
        ("", "e2e3", 2),
        ("", "e2e4", 1),
        ("e2e3", "e7e5", 1),
        ("e2e3 e7e5", "e3e4", 1),
        ("e2e3 e7e5 e3e4", "g8f6", 1),
        ("e2e4", "g8f6", 1),
        ("e2e4 g8f6", "b1c3", 1),
        ("e2e4 g8f6 b1c3", "e7e5", 1),
        ("e2e4 g8f6 b1c3 e7e5", "c3b1", 1),
    ]);
    assert_eq!(lines(&bytes, 9).len(), 2, "the side to move differs");
}

/// Going back and forth leads nowhere: such a line ends where it stands.
#[test]
fn a_position_is_not_gone_into_twice_in_a_line() {
    let bytes = book(&[
        ("", "g1f3", 1),
        ("g1f3", "g8f6", 1),
        ("g1f3 g8f6", "f3g1", 1),
        ("g1f3 g8f6 f3g1", "f6g8", 1),
    ]);
    assert_eq!(lines(&bytes, 1000), ["g1f3 g8f6 f3g1"]);
}

#[test]
fn moves_of_every_kind_are_read() {
    let castle = "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5";
    let promote = "a2a4 b7b5 a4b5 a7a6 b5a6 c8b7 a6b7 h7h6";
    let passant = "e2e4 a7a6 e4e5 d7d5";
    for (line, written, expected) in [
        (castle, "e1h1", "e1g1"),
        (castle, "e1g1", "e1g1"),
        (promote, "b7a8q", "b7a8q"),
        (promote, "b7a8n", "b7a8n"),
        (promote, "b7a8b", "b7a8b"),
        (promote, "b7a8r", "b7a8r"),
        (passant, "e5d6", "e5d6"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let mut bytes: Vec<u8> = (0..words.len())
            .flat_map(|ply| entry(&words[..ply].join(" "), words[ply], 1))
            .collect();
        bytes.extend(entry(line, written, 1));
        assert_eq!(lines(&bytes, 20), [format!("{line} {expected}")]);
    }
    // In Chess960 the same castling is spelled differently.
    let words: Vec<&str> = castle.split(' ').collect();
    let mut bytes: Vec<u8> = (0..words.len())
        .flat_map(|ply| entry(&words[..ply].join(" "), words[ply], 1))
        .collect();
    bytes.extend(entry(castle, "e1h1", 1));
    let suite = parse_suite(&bytes, SuiteFormat::Polyglot, Variant::Chess960, Some(20)).expect("a book");
    assert!(suite.get(0).moves_text().ends_with(" e1h1"));
}

#[test]
fn a_game_is_not_over_in_the_book() {
    let mate = "f2f3 e7e5 g2g4";
    let words: Vec<&str> = mate.split(' ').collect();
    let mut bytes: Vec<u8> = (0..words.len())
        .flat_map(|ply| entry(&words[..ply].join(" "), words[ply], 1))
        .collect();
    bytes.extend(entry(mate, "d8h4", 1));
    assert_eq!(lines(&bytes, 20), [mate]);
}

#[test]
fn broken_books_are_refused() {
    let message = |bytes: &[u8]| read(bytes, 9).expect_err("broken").to_string();
    let good = book(&[("", "e2e4", 1)]);
    assert_eq!(
        message(&good[..15]),
        "the book has 15 bytes; expected entries of 16 bytes each, as Polyglot writes them"
    );
    assert_eq!(message(b""), "the suite has no openings; expected at least one");
    assert_eq!(
        message(&book(&[("", "e2e4", 0), ("e2e4", "e7e5", 1)])),
        "the suite has no openings; expected at least one"
    );
    assert_eq!(
        message(&book(&[("", "e2e5", 1)])),
        "the book has the move e2e5 in the start position, which is not legal there"
    );
    assert_eq!(
        message(&book(&[("", "e2e4", 1), ("e2e4", "e2e4", 1)])),
        "the book has the move e2e4 after e2e4, which is not legal there"
    );
    let mut odd = good.clone();
    odd[8] = 0x70;
    assert!(
        message(&odd).starts_with("the book has the move 0x7"),
        "{}",
        message(&odd)
    );
    let error = parse_suite(&good, SuiteFormat::Polyglot, Variant::Standard, None).expect_err("no plies");
    assert_eq!(error.kind, SuiteLineError::BookPlies);
}

/// The longest line that can be asked for does not overflow the stack, and names stay short.
#[test]
fn long_lines_end_by_the_fifty_moves() {
    // Rooks and knights that wander: no captures, no pawn moves, and no position twice.
    let mut position = Chess::default();
    let mut line: Vec<String> = Vec::new();
    let mut seen = HashSet::from([key(&position)]);
    let mut bytes = Vec::new();
    for _ in 0..120 {
        let moves = position.legal_moves();
        let quiet = moves.iter().filter(|mv| mv.role() != Role::Pawn && !mv.is_capture());
        let next = quiet
            .map(|mv| (*mv, position.clone().play(*mv).expect("legal")))
            .find(|(_, next)| !seen.contains(&key(next)) && !next.is_check());
        let Some((mv, next)) = next else { break };
        let uci = mv.to_uci(shakmaty::CastlingMode::Standard).to_string();
        bytes.extend(entry(&line.join(" "), &uci, 1));
        line.push(uci);
        seen.insert(key(&next));
        position = next;
    }
    assert!(
        position.halfmoves() > 100 && position.fullmoves() > NonZeroU32::MIN,
        "{}",
        line.len()
    );
    assert_eq!(lines(&bytes, 1000), [line[..99].join(" ")]);
}
