//! Scores of the search, in centipawns for the side to move.

/// Deepest line ever searched, quiescence included.
pub(super) const MAX_PLY: usize = 120;

/// Beyond every score.
pub(super) const INFINITE: i32 = 31_000;

/// Being mated now is minus this; a mate found `n` plies away is worth `n` less.
const MATE: i32 = 30_000;

/// Scores at least this large are mates.
pub(super) const MATE_FLOOR: i32 = MATE - 2 * MAX_PLY as i32;

/// The score of the side that is mated at this distance from the root.
pub(super) const fn mated_at(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Whether a score says that someone is mated.
pub(super) const fn is_mate(score: i32) -> bool {
    score.abs() >= MATE_FLOOR
}

/// A mate as the table keeps it: counted from the node, not from the root, as
/// the same position may be met at several distances from the root.
pub(super) const fn to_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_FLOOR {
        score + ply as i32
    } else if score <= -MATE_FLOOR {
        score - ply as i32
    } else {
        score
    }
}

/// The reverse of [`to_table`].
pub(super) const fn from_table(score: i32, ply: usize) -> i32 {
    if score >= MATE_FLOOR {
        score - ply as i32
    } else if score <= -MATE_FLOOR {
        score + ply as i32
    } else {
        score
    }
}

/// The score as UCI writes it.
pub(super) fn write(score: i32) -> String {
    if !is_mate(score) {
        return format!("cp {score}");
    }
    let plies = MATE - score.abs();
    if score > 0 {
        format!("mate {}", (plies + 1) / 2)
    } else {
        format!("mate {}", -(plies / 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(write(-mated_at(1)), "mate 1");
        assert_eq!(write(-mated_at(3)), "mate 2");
        assert_eq!(write(mated_at(2)), "mate -1");
        assert_eq!(write(-37), "cp -37");
    }

    #[test]
    fn table_keeps_distance_from_node() {
        let score = -mated_at(7);
        assert_eq!(from_table(to_table(score, 4), 4), score);
        assert_eq!(to_table(score, 4), -mated_at(3));
    }
}
