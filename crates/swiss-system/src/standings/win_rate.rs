//! Win rate: "games won / games played × 100 (a draw is no win)".
//!
//! May not: use floats; rank anybody.

use std::fmt;

use crate::standings::results::GameCounts;

/// An exact win rate; it is shown as a percentage with one decimal, rounded half up, without a sign: `52.5`. Without
/// games played it is shown as `–`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRate {
    /// Played games won.
    pub won: u32,
    /// Played games.
    pub played: u32,
}

impl From<GameCounts> for WinRate {
    fn from(games: GameCounts) -> Self {
        Self {
            won: games.both().won,
            played: games.played(),
        }
    }
}

impl fmt::Display for WinRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (won, played) = (u64::from(self.won), u64::from(self.played));
        match (2000 * won + played).checked_div(2 * played) {
            Some(tenths) => f.pad(&format!("{}.{}", tenths / 10, tenths % 10)),
            None => f.pad("–"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_decimal_half_up() {
        for (won, played, expected) in [
            (0, 0, "–"),
            (0, 7, "0.0"),
            (7, 7, "100.0"),
            (21, 40, "52.5"),
            (1, 3, "33.3"),
            (2, 3, "66.7"),
            (1, 2000, "0.1"),
            (1, 2001, "0.0"),
            (1999, 2000, "100.0"),
            (u32::MAX, u32::MAX, "100.0"),
        ] {
            assert_eq!(WinRate { won, played }.to_string(), expected, "{won} of {played}");
        }
        assert_eq!(format!("{:>6}", WinRate { won: 1, played: 8 }), "  12.5");
    }
}
