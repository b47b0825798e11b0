//! Polyglot books: the bytes, and the list of openings that such a tree stands for.
//!
//! A book has entries of 16 bytes: the key of a position (8 bytes), a move (2), its weight (2) and 4 bytes for
//! learning, which are not used. The most significant byte comes first.
//!
//! Its openings are its lines from the usual start position, depth first. At each position moves are tried by weight,
//! highest first, and among equals in the order of their notation. A move of weight 0 is not played. A line ends
//! after the number of plies asked for, or where the book has no move that goes on. Three kinds of positions are not
//! entered: one that the line has reached before, one that an earlier line reached at the same ply, and one in which
//! the game is over. A line to a position to which another led before is left out, so that each opening leads to a
//! position of its own.
//!
//! May not: draw by lot.

use std::collections::HashSet;

use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, File, Position, Rank, Role, Square};

use super::replay::Replay;
use super::suite::Builder;
use super::{SuiteError, SuiteLineError};
use crate::variant::Variant;

/// Bytes per entry.
const ENTRY: usize = 16;
/// The most positions that are entered, counted anew at each ply; in a larger book fewer plies must be asked for.
const MOST_POSITIONS: usize = 1_000_000;

/// An entry: the key of its position, its weight with the highest first, its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PolyglotEntry {
    key: u64,
    weight: std::cmp::Reverse<u16>,
    mv: u16,
}

/// The book's key of a position. En passant counts if a pawn stands beside the one that has moved, whether or not it
/// may capture.
fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// Adds the openings of a book, up to `plies` plies each.
pub(super) fn parse_book(bytes: &[u8], variant: Variant, plies: u32, into: &mut Builder) -> Result<(), SuiteError> {
    let entries = read_entries(bytes)?;
    Walk {
        entries: &entries,
        plies: plies as usize,
        gone_into: HashSet::new(),
        ended: HashSet::new(),
    }
    .run(variant, into)
    .map_err(SuiteLineError::nowhere)
}

/// The entries that can be played, sorted.
fn read_entries(bytes: &[u8]) -> Result<Vec<PolyglotEntry>, SuiteError> {
    let (entries, rest) = bytes.as_chunks::<ENTRY>();
    if !rest.is_empty() {
        return Err(SuiteLineError::BookLength(bytes.len()).nowhere());
    }
    let mut read: Vec<PolyglotEntry> = entries
        .iter()
        .map(|entry| PolyglotEntry {
            key: u64::from_be_bytes(std::array::from_fn(|at| entry[at])),
            mv: u16::from_be_bytes([entry[8], entry[9]]),
            weight: std::cmp::Reverse(u16::from_be_bytes([entry[10], entry[11]])),
        })
        .filter(|entry| entry.weight.0 > 0)
        .collect();
    read.sort_unstable();
    Ok(read)
}

/// Reads a move of a book: three bits each for the file and rank of its end and of its beginning, then the piece
/// promoted to. Castling is the king taking its own rook. `None` if it is not a move.
fn read_move(mv: u16) -> Option<UciMove> {
    let bits = |from: u32| u32::from(mv >> from & 7);
    let square = |file, rank| Square::from_coords(File::new(file), Rank::new(rank));
    let promotion = match mv >> 12 {
        0 => None,
        1 => Some(Role::Knight),
        2 => Some(Role::Bishop),
        3 => Some(Role::Rook),
        4 => Some(Role::Queen),
        _ => return None,
    };
    Some(UciMove::Normal {
        from: square(bits(6), bits(9)),
        to: square(bits(0), bits(3)),
        promotion,
    })
}

/// The walk through a book.
struct Walk<'a> {
    entries: &'a [PolyglotEntry],
    plies: usize,
    /// Positions entered, with the plies before them.
    gone_into: HashSet<(u64, usize)>,
    /// Positions that an opening leads to.
    ended: HashSet<u64>,
}

/// A position of the line being walked, and its moves still to be tried, the next one last.
struct Node {
    replay: Replay,
    key: u64,
    moves: Vec<shakmaty::Move>,
    /// True if a line goes on from here.
    goes_on: bool,
}

impl Walk<'_> {
    fn run(mut self, variant: Variant, into: &mut Builder) -> Result<(), SuiteLineError> {
        let mut line = vec![self.node(Replay::new(variant, None)?)?];
        let mut openings = 0;
        while let Some(node) = line.last_mut() {
            if let Some(mv) = node.moves.pop() {
                let mut replay = node.replay.clone();
                let is_over = replay.play_legal(mv).is_err();
                let reached = key(&replay.position);
                let again = line.iter().any(|before| before.key == reached);
                if is_over || again {
                    continue;
                }
                let ply = line.len();
                line[ply - 1].goes_on = true;
                if self.gone_into.insert((reached, ply)) {
                    let next = self.node(replay)?;
                    line.push(next);
                }
                if self.gone_into.len() > MOST_POSITIONS {
                    return Err(SuiteLineError::BookTooLarge(MOST_POSITIONS));
                }
                continue;
            }
            let node = line.pop().expect("there is a last one");
            if !node.goes_on && !line.is_empty() && self.ended.insert(node.key) {
                openings += 1;
                into.push(&node.replay.finish(&[], openings));
            }
        }
        Ok(())
    }

    /// A position, with what the book plays in it.
    fn node(&self, replay: Replay) -> Result<Node, SuiteLineError> {
        let key = key(&replay.position);
        let mut moves: Vec<shakmaty::Move> = Vec::new();
        if replay.moves.len() < self.plies {
            let first = self.entries.partition_point(|entry| entry.key < key);
            let here = self.entries[first..].iter().take_while(|entry| entry.key == key);
            let mut spelled = Vec::new();
            for entry in here {
                let uci = read_move(entry.mv).ok_or(entry.mv);
                let legal = uci.and_then(|uci| uci.to_move(&replay.position).map_err(|_| entry.mv));
                let legal = legal.map_err(|mv| SuiteLineError::BookMove {
                    mv: read_move(mv).map_or_else(|| format!("{mv:#06x}"), |uci| uci.to_string()),
                    after: replay.moves_text(),
                })?;
                spelled.push((entry.weight, replay.uci(legal).to_string(), legal));
            }
            spelled.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
            for (_, _, legal) in spelled {
                if !moves.contains(&legal) {
                    moves.push(legal);
                }
            }
            moves.reverse();
        }
        Ok(Node {
            replay,
            key,
            moves,
            goes_on: false,
        })
    }
}

#[cfg(test)]
mod tests;
