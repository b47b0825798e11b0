//! The meaning of a difference in strength for a game.
//!
//! The model: the expected score is Elo's, 1 / (1 + 10^(−d/400)) for a difference of d. Between equals a given share
//! of the games is drawn; between others the share is smaller by the factor 4·E·(1 − E), and never so large that it
//! would change the expected score. White has no advantage: in a game pair both sides have it. Games do not depend on
//! each other.
//!
//! May not: draw a result.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EloChances {
    /// Chance of a win, 0 to 1.
    pub win: f64,
    /// Chance of a draw, 0 to 1.
    pub draw: f64,
}

impl EloChances {
    /// The chances of a player who is `ahead` Elo points stronger, if `draws` (0 to 1) of the games between equals
    /// are drawn.
    pub(crate) fn new(ahead: f64, draws: f64) -> Self {
        let expected = 1.0 / (1.0 + 10_f64.powf(-ahead / 400.0));
        let most = 2.0 * expected.min(1.0 - expected);
        let draw = (draws * 4.0 * expected * (1.0 - expected)).min(most);
        Self {
            win: expected - draw / 2.0,
            draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_score_is_elos_whatever_the_draws() {
        for draws in [0.0, 0.3, 0.9, 1.0] {
            for (ahead, expected) in [(0.0, 0.5), (200.0, 0.7597), (-400.0, 1.0 / 11.0), (3000.0, 1.0)] {
                let EloChances { win, draw } = EloChances::new(ahead, draws);
                assert!((win + draw / 2.0 - expected).abs() < 1e-4, "{ahead} {draws}");
                assert!(
                    win >= 0.0 && draw >= 0.0 && win + draw <= 1.0,
                    "{ahead} {draws}: {win} {draw}"
                );
            }
        }
        assert_eq!(EloChances::new(0.0, 0.3), EloChances { win: 0.35, draw: 0.3 });
    }
}
