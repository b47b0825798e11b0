//! Static evaluation: material, placement, mobility, pawns and king safety,
//! blended between middlegame and endgame by the pieces left.

use shakmaty::attacks::{bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks};
use shakmaty::{Bitboard, Board, Chess, Color, File, Position, Role, Square};

use super::squares::{Phased, phased, worth};

/// Phase weight of the full set of pieces.
const FULL_PHASE: i32 = 24;

const TEMPO: i32 = 10;
const BISHOP_PAIR: Phased = phased(28, 45);
const ISOLATED: Phased = phased(-10, -12);
const DOUBLED: Phased = phased(-8, -18);
const OPEN_FILE: Phased = phased(24, 12);
const HALF_OPEN_FILE: Phased = phased(10, 8);
const SHIELD_PAWN: Phased = phased(9, 0);
const OPEN_FILE_AT_KING: Phased = phased(-14, 0);

/// By the rank as its owner sees it.
const PASSED: [Phased; 8] = [
    phased(0, 0),
    phased(0, 8),
    phased(4, 12),
    phased(8, 24),
    phased(22, 45),
    phased(45, 80),
    phased(80, 130),
    phased(0, 0),
];

/// How much of the attackers' weight counts, by their number: a lone piece
/// near the king is no attack.
const ATTACK_PERCENT: [i32; 6] = [0, 0, 55, 80, 95, 105];

/// Scores a position for the side to move.
pub(super) fn evaluate(position: &Chess) -> i32 {
    let board = position.board();
    let mut total = Phased::default();
    let mut phase = 0;
    for color in Color::ALL {
        let side = Side::new(board, color);
        let mut score = side.pieces(&mut phase);
        score += side.pawns();
        score += side.king();
        match color {
            Color::White => total += score,
            Color::Black => total -= score,
        }
    }
    let phase = phase.min(FULL_PHASE);
    let blended = (total.middle * phase + total.end * (FULL_PHASE - phase)) / FULL_PHASE;
    let winning = Color::from_white(blended > 0);
    let white_view = scale(board, winning, blended) + drive(board);
    // Progress must look better than shuffling, or a won game is drawn by the
    // fifty-move rule.
    let halfmoves = i32::try_from(position.halfmoves()).unwrap_or(100).min(100);
    let faded = white_view * (200 - halfmoves) / 200;
    position.turn().fold_wb(faded, -faded) + TEMPO
}

/// One side's view of the board.
struct Side<'a> {
    board: &'a Board,
    color: Color,
    own_pawns: Bitboard,
    their_pawns: Bitboard,
    their_king: Square,
    own_king: Square,
    /// Squares worth going to: not held by an own piece, not hit by a pawn.
    free: Bitboard,
}

impl<'a> Side<'a> {
    fn new(board: &'a Board, color: Color) -> Self {
        let own_pawns = board.by_piece(color.pawn());
        let their_pawns = board.by_piece((!color).pawn());
        let king_of = |color| board.king_of(color).unwrap_or(Square::A1);
        Self {
            board,
            color,
            own_pawns,
            their_pawns,
            own_king: king_of(color),
            their_king: king_of(!color),
            free: !(board.by_color(color) | pawn_hits(their_pawns, !color)),
        }
    }

    /// Material, placement and mobility of all men, and the attack on the
    /// enemy king.
    fn pieces(&self, phase: &mut i32) -> Phased {
        let board = self.board;
        let occupied = board.occupied();
        let king_zone = king_attacks(self.their_king).with(self.their_king);
        let mut score = Phased::default();
        let (mut attackers, mut attack) = (0, 0);

        for role in Role::ALL {
            for square in board.by_piece(role.of(self.color)) {
                score += worth(self.color, role, square);
                let (hits, typical, per_square, weight, danger) = match role {
                    Role::Knight => (knight_attacks(square), 4, phased(4, 4), 1, 18),
                    Role::Bishop => (bishop_attacks(square, occupied), 6, phased(4, 5), 1, 16),
                    Role::Rook => (rook_attacks(square, occupied), 7, phased(2, 4), 2, 26),
                    Role::Queen => (queen_attacks(square, occupied), 13, phased(1, 3), 4, 42),
                    Role::Pawn | Role::King => continue,
                };
                *phase += weight;
                let reach = count(hits & self.free);
                score += per_square * (reach - typical);
                if hits.intersects(king_zone) {
                    attackers += 1;
                    attack += danger;
                }
                if role == Role::Rook {
                    score += self.file_bonus(square.file());
                }
            }
        }

        if count(board.by_piece(self.color.bishop())) >= 2 {
            score += BISHOP_PAIR;
        }
        let percent = ATTACK_PERCENT[attackers.min(ATTACK_PERCENT.len() - 1)];
        score += phased(attack * percent / 100, 0);
        score
    }

    fn file_bonus(&self, file: File) -> Phased {
        if self.own_pawns.intersects(file) {
            Phased::default()
        } else if self.their_pawns.intersects(file) {
            HALF_OPEN_FILE
        } else {
            OPEN_FILE
        }
    }

    fn pawns(&self) -> Phased {
        let mut score = Phased::default();
        for square in self.own_pawns {
            let file = Bitboard::from_file(square.file());
            let ahead = ahead_of(square, self.color);
            if (self.own_pawns & beside(file)).is_empty() {
                score += ISOLATED;
            }
            if self.own_pawns.intersects(file & ahead) {
                score += DOUBLED;
            } else if self.their_pawns.is_disjoint((file | beside(file)) & ahead) {
                score += self.passed(square);
            }
        }
        score
    }

    /// A passed pawn, worth more when the enemy king is further from the square
    /// in front of it than the own king is.
    fn passed(&self, square: Square) -> Phased {
        let own_rank = self.color.fold_wb(square, square.flip_vertical()).rank();
        let mut score = PASSED[own_rank as usize];
        if let Some(front) = square.offset(self.color.fold_wb(8, -8)) {
            let race = distance(self.their_king, front) - distance(self.own_king, front);
            score += phased(0, race * own_rank as i32);
            if self.board.occupied().contains(front) {
                score += phased(-score.middle / 3, -score.end / 3);
            }
        }
        score
    }

    /// The pawns in front of the own king.
    fn king(&self) -> Phased {
        let file = Bitboard::from_file(self.own_king.file());
        let wing = file | beside(file);
        let rank = Bitboard::from_rank(self.own_king.rank());
        let near = forward(rank, self.color);
        let shield = wing & (near | forward(near, self.color));
        let mut score = SHIELD_PAWN * count(self.own_pawns & shield);
        for file in File::ALL {
            if wing.intersects(file) && self.own_pawns.is_disjoint(file) {
                score += OPEN_FILE_AT_KING;
            }
        }
        score
    }
}

/// Shrinks a lead that can hardly be won: without pawns it takes about a rook.
fn scale(board: &Board, winning: Color, score: i32) -> i32 {
    if board.by_piece(winning.pawn()).any() {
        return score;
    }
    let lead = pieces_price(board, winning) - pieces_price(board, !winning);
    if lead < 400 { score / 4 } else { score }
}

fn pieces_price(board: &Board, color: Color) -> i32 {
    let side = board.material_side(color);
    let count = |n: u8| i32::from(n);
    (count(side.knight) + count(side.bishop)) * 310 + count(side.rook) * 500 + count(side.queen) * 950
}

/// Against a bare king: drive it to the rim and bring the own king near.
fn drive(board: &Board) -> i32 {
    let bare = Color::ALL.into_iter().find(|color| board.by_color(*color).count() == 1);
    let (Some(bare), Some(white), Some(black)) = (bare, board.king_of(Color::White), board.king_of(Color::Black))
    else {
        return 0;
    };
    if pieces_price(board, !bare) < 500 {
        return 0;
    }
    let hunted = bare.fold_wb(white, black);
    let bonus = 12 * off_centre(hunted) + 6 * (7 - distance(white, black));
    bare.fold_wb(-bonus, bonus)
}

/// Steps from the four centre squares, rank and file added up.
fn off_centre(square: Square) -> i32 {
    let off = |line: i32| (2 * line - 7).abs() / 2;
    off(square.file() as i32) + off(square.rank() as i32)
}

fn distance(a: Square, b: Square) -> i32 {
    a.distance(b) as i32
}

fn count(squares: Bitboard) -> i32 {
    squares.count() as i32
}

/// All squares on the ranks in front of a square.
fn ahead_of(square: Square, color: Color) -> Bitboard {
    let rank = square.rank() as u32;
    Bitboard(match color {
        Color::White => u64::MAX.checked_shl(8 * (rank + 1)).unwrap_or(0),
        Color::Black => !u64::MAX.checked_shl(8 * rank).unwrap_or(0),
    })
}

fn forward(squares: Bitboard, color: Color) -> Bitboard {
    squares.shift(color.fold_wb(8, -8))
}

/// The squares left and right of the given ones.
fn beside(squares: Bitboard) -> Bitboard {
    let left = squares.without(File::A).shift(-1);
    let right = squares.without(File::H).shift(1);
    left | right
}

fn pawn_hits(pawns: Bitboard, color: Color) -> Bitboard {
    beside(forward(pawns, color))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, EnPassantMode};

    fn score(fen: &str) -> i32 {
        let fen: Fen = fen.parse().expect("fen");
        evaluate(&fen.into_position(CastlingMode::Standard).expect("legal"))
    }

    #[test]
    fn colours_are_treated_alike() {
        for fen in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
            "8/2k5/3p4/p2P1p2/P2P1P2/8/8/4K2R w - - 0 1",
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        ] {
            let parsed: Fen = fen.parse().expect("fen");
            let mirrored = Fen::try_from_setup(parsed.into_setup().into_mirrored())
                .expect("a fen")
                .to_string();
            assert_eq!(score(fen), score(&mirrored), "{fen}");
        }
    }

    #[test]
    fn start_position_is_only_a_tempo() {
        let start = Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string();
        assert_eq!(score(&start), TEMPO);
    }

    #[test]
    fn squares_ahead() {
        assert_eq!(ahead_of(Square::E7, Color::White).count(), 8);
        assert_eq!(ahead_of(Square::E8, Color::White).count(), 0);
        assert_eq!(ahead_of(Square::E2, Color::Black).count(), 8);
        assert_eq!(ahead_of(Square::E1, Color::Black).count(), 0);
    }

    #[test]
    fn bare_king_is_driven_to_the_rim() {
        let centre = score("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
        let corner = score("7k/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert!(corner > centre, "{corner} against {centre}");
    }
}
