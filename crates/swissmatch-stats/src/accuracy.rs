//! The cost of moves by a reference engine's evaluations: centipawns lost, and accuracy.
//!
//! The accuracy of a move is Lichess's (lichess.org/page/accuracy): the chance to win by an evaluation of c centipawns is
//! 50 + 50·(2 / (1 + exp(−0.00368208·c)) − 1) per cent, and a move that lets it fall by Δ has
//! 103.1668·exp(−0.04354·Δ) − 3.1669 per cent, from 0 to 100. Means are rounded half up.
//!
//! May not: know games or players.

/// A hundred per cent in thousandths of a per cent.
pub const PERFECT: u32 = 100_000;

/// The chance to win by an evaluation in centipawns, in per cent.
fn win_percent(centipawns: i32) -> f64 {
    50.0 + 50.0 * (2.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp()) - 1.0)
}

/// The accuracy of a move, in thousandths of a per cent: evaluations before and after it from the mover's side, in
/// centipawns.
pub fn of_move(before: i32, after: i32) -> u32 {
    if after >= before {
        return PERFECT;
    }
    let fall = win_percent(before) - win_percent(after);
    let percent = 103.1668 * (-0.04354 * fall).exp() - 3.1669;
    (percent.clamp(0.0, 100.0) * 1000.0).round() as u32
}

/// Centipawns lost in a game, and the number of moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    pub centipawns: u64,
    pub moves: u32,
}

/// The mean loss per move over all moves of all games, in tenths of a centipawn; `None` without a move.
pub fn mean_over_moves(games: &[Loss]) -> Option<u64> {
    let lost: u64 = games.iter().map(|game| game.centipawns).sum();
    let moves: u64 = games.iter().map(|game| u64::from(game.moves)).sum();
    rounded(10 * lost, moves)
}

/// The mean of the games' means, in tenths of a centipawn; games without a move are left out. `None` if there are no
/// others.
pub fn mean_over_games(games: &[Loss]) -> Option<u64> {
    let means = games.iter().filter(|game| game.moves > 0);
    let means = means.map(|game| game.centipawns as f64 / f64::from(game.moves));
    let (sum, count) = means.fold((0.0, 0_u32), |(sum, count), mean| (sum + mean, count + 1));
    (count > 0).then(|| (10.0 * sum / f64::from(count)).round() as u64)
}

/// `sum / count`, rounded half up; `None` if `count` is 0.
pub fn rounded(sum: u64, count: u64) -> Option<u64> {
    (sum + count / 2).checked_div(count)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn accuracy_is_that_of_the_published_formula() {
        // Worked by hand: the chances are 59.1026 (100), 50 (0), 40.8974 (−100), 97.5447 (1000) and 2.4553 (−1000) per
        // cent, so falls of 9.1026, 18.2052, 95.0895; exp(−0.04354·9.1026) = 0.672787, and 103.1668 times that less 3.1669
        // is 66.242.
        for (before, after, thousandths) in [
            (0, 0, 100_000),
            (-300, 40, 100_000),
            (100, 0, 66_242),
            (0, -100, 66_242),
            (100, -100, 43_531),
            (1000, -1000, 0),
        ] {
            assert_eq!(of_move(before, after), thousandths, "{before} {after}");
        }
    }

    #[test]
    fn the_two_means_differ() {
        // 10 moves that lost 100 in all, and 2 that lost 200: 300 / 12 = 25, and (10 + 100) / 2 = 55.
        let games = [(100, 10), (200, 2), (0, 0)].map(|(centipawns, moves)| Loss { centipawns, moves });
        assert_eq!(mean_over_moves(&games), Some(250));
        assert_eq!(mean_over_games(&games), Some(550));
        assert_eq!(
            (mean_over_moves(&games[2..]), mean_over_games(&games[2..])),
            (None, None)
        );
        // 1 / 8 = 0.125 is 0.1; 1 / 4 = 0.25 is 0.3.
        assert_eq!([(1, 8), (1, 4)].map(|(c, m)| rounded(10 * c, m)), [Some(1), Some(3)]);
    }

    proptest! {
        #[test]
        fn accuracy_falls_with_what_is_lost(before in -1000..=1000_i32, one in 0..2000_i32, more in 0..2000_i32) {
            let (first, second) = (of_move(before, before - one), of_move(before, before - one - more));
            prop_assert!(second <= first && first <= PERFECT);
        }

        #[test]
        fn equal_games_have_one_mean(centipawns in 0..10_000_u64, moves in 1..300_u32, games in 1..20_usize) {
            // By tenths: if the exact mean lies between two of them, floats may fall to either side.
            let games = vec![Loss { centipawns, moves }; games];
            let (by_moves, by_games) = (mean_over_moves(&games), mean_over_games(&games));
            prop_assert!(by_moves.zip(by_games).is_some_and(|(one, other)| one.abs_diff(other) <= 1));
        }
    }
}
