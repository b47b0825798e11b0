//! The worth of a bye.
//!
//! The rule: `bye.game_points` has the default `"auto"`: the match points of the bye over those of a win, times the
//! games of the mini-match, all of them won. (In the Double-Swiss system it is a win and a draw, which is a separate
//! number.)
//!
//! May not: say who has one.

use crate::score::Points;

/// The worth of a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByePoints {
    /// Match points of the bye.
    pub match_points: Points,
    /// Game points of the bye, whatever the number of games in a round; `None` for the share of a won round that its
    /// match points are of a win's.
    pub game_points: Option<Points>,
    /// Match points of a win.
    pub match_won: Points,
    /// Game points of a game won.
    pub game_won: Points,
}

impl ByePoints {
    /// The bye's match points and game points in a round of `games` games.
    pub fn in_round(&self, games: u32) -> (Points, Points) {
        let game_points = self.game_points.unwrap_or_else(|| self.auto(games).0);
        (self.match_points, game_points)
    }

    /// True if the bye's game points in a round of `games` games are a number that can be written.
    pub fn is_exact(&self, games: u32) -> bool {
        self.game_points.is_some() || self.auto(games).1
    }

    fn auto(&self, games: u32) -> (Points, bool) {
        let all_won = self.game_won.halved_times(2 * i64::from(games));
        all_won.in_proportion(self.match_points, self.match_won)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Points {
        text.parse().expect("points")
    }

    /// Game points of a bye with these match points, if a win gives `win`; `None` if they are not an exact number.
    fn auto(bye: &str, win: &str, games: u32) -> Option<String> {
        let worth = ByePoints {
            match_points: points(bye),
            game_points: None,
            match_won: points(win),
            game_won: Points::ONE,
        };
        let (match_points, game_points) = worth.in_round(games);
        assert_eq!(match_points, points(bye));
        worth.is_exact(games).then(|| game_points.to_string())
    }

    #[test]
    fn auto_is_the_part_of_a_won_round_that_the_match_points_are() {
        for (bye, win, games, expected) in [
            ("1", "1", 1, "1"),
            ("1", "1", 2, "2"),
            ("0.5", "1", 40, "20"),
            ("1", "2", 1, "0.5"),
            ("0", "1", 2, "0"),
            ("1", "3", 6, "2"),
        ] {
            assert_eq!(
                auto(bye, win, games).as_deref(),
                Some(expected),
                "{bye} of {win}, {games}"
            );
        }
        assert_eq!(auto("1", "3", 1), None, "a third of a point");
        assert_eq!(auto("1", "0", 2), None, "a win that gives nothing has no parts");
    }

    #[test]
    fn a_number_stands_whatever_the_games() {
        let worth = ByePoints {
            match_points: Points::HALF,
            game_points: Some(Points::ONE),
            match_won: Points::ZERO,
            game_won: Points::ONE,
        };
        assert_eq!(worth.in_round(40), (Points::HALF, Points::ONE));
        assert!(worth.is_exact(40));
    }
}
