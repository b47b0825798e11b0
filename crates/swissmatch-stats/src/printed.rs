//! Figures of two players as fastchess and cutechess-cli print them, even where a figure is not defined; it is then
//! infinite or not a number. Where it is defined, it equals that of [`crate::pairs`].
//!
//! May not: format.

use super::pairs::{Pairs, Wdl, Z95, moments, normal};

/// Normalized Elo of a score that is one deviation above ½.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;
/// The quantile that cutechess-cli uses for [`Z95`]: by the approximation of the inverse error function of S.
/// Winitzki, "A handy approximation for the error function and its inverse" (2008), with a = 8 (π − 3) / (3 π (4 −
/// π)).
const Z95_OF_CUTECHESS: f64 = 1.957_161_931_656_077_5;

/// Figures about the difference of two players. Fields are infinite or not a number if a score is 0 or 1, or if
/// results do not vary.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintedFigures {
    /// Mean score of a game, 0 to 1.
    pub score: f64,
    /// Elo: −400·log10(1 / s − 1).
    pub elo: f64,
    /// Half of its 95 % interval.
    pub elo_error: f64,
    /// Normalized Elo.
    pub nelo: f64,
    /// Half of its 95 % interval.
    pub nelo_error: f64,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl PrintedFigures {
    /// As fastchess prints them for single games.
    pub fn of_games(games: &Wdl) -> Self {
        Self::of(&games.trinomial(), 1.0, Z95)
    }

    /// As fastchess prints them for game pairs.
    pub fn of_pairs(pairs: &Pairs) -> Self {
        Self::of(&pairs.pentanomial(), 2.0, Z95)
    }

    /// As cutechess-cli prints them, which has no normalized Elo. Its LOS uses the games that were not drawn: Φ((w −
    /// l) / √(w + l)).
    pub fn of_cutechess(games: &Wdl) -> Self {
        let (wins, losses) = (games.wins as f64, games.losses as f64);
        Self {
            los: normal((wins - losses) / (wins + losses).sqrt()),
            ..Self::of(&games.trinomial(), 1.0, Z95_OF_CUTECHESS)
        }
    }

    /// The figures of counts of results by rising score from 0 to 1 in equal steps, each result of `games` games.
    fn of(counts: &[u64], games: f64, quantile: f64) -> Self {
        let results = counts.iter().sum::<u64>() as f64;
        let (score, variance) = moments(counts.iter().map(|&count| count as f64 / results));
        let deviation = (variance / results).sqrt();
        let [low, high] = [score - quantile * deviation, score + quantile * deviation].map(elo);
        let of_game = (games * variance).sqrt();
        Self {
            score,
            elo: elo(score),
            elo_error: (high - low) / 2.0,
            nelo: (score - 0.5) / of_game * NORMALIZED,
            nelo_error: quantile * deviation / of_game * NORMALIZED,
            los: normal((score - 0.5) / deviation),
        }
    }
}

fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A share of counts, in percent; not a number if `whole` is 0.
pub fn percent(part: u64, whole: u64) -> f64 {
    ratio(part, whole) * 100.0
}

/// One count by another; infinite or not a number if `whole` is 0.
pub fn ratio(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Equal to the figures of this program, wherever they are numbers.
    #[test]
    fn it_is_the_same_where_it_is_a_number() {
        let pairs = Pairs {
            ll: 10,
            ld: 14,
            wl: 31,
            dd: 2,
            wd: 18,
            ww: 25,
        };
        for (printed, figures) in [
            (PrintedFigures::of_pairs(&pairs), pairs.figures()),
            (PrintedFigures::of_games(&pairs.games()), pairs.games().figures()),
        ] {
            let figures = figures.expect("pairs");
            let both = [
                (printed.score, Some(figures.score)),
                (printed.elo, figures.elo),
                (printed.elo_error, figures.elo_error),
                (printed.nelo, figures.nelo),
                (printed.nelo_error, figures.nelo_error),
                (printed.los, figures.los),
            ];
            for (printed, figure) in both {
                let figure = figure.expect("a number");
                assert!((printed - figure).abs() < 1e-9, "{printed} {figure}");
            }
        }
    }

    #[test]
    fn cutechess_has_another_error_and_another_likelihood() {
        let games = Wdl {
            wins: 99,
            draws: 36,
            losses: 65,
        };
        let printed = PrintedFigures::of_cutechess(&games);
        assert!((printed.elo_error - 44.298_321_791_2).abs() < 1e-6, "{printed:?}");
        assert!((printed.los - 0.996_034_038_234).abs() < 1e-9, "{printed:?}");
    }

    #[test]
    fn what_is_no_number_is_none_or_infinite() {
        let won = Wdl { wins: 10, ..Wdl::NONE };
        let printed = PrintedFigures::of_games(&won);
        assert_eq!(
            (printed.elo, printed.nelo, printed.los),
            (f64::INFINITY, f64::INFINITY, 1.0)
        );
        assert!(printed.elo_error.is_nan() && printed.nelo_error.is_nan());
        assert!(PrintedFigures::of_games(&Wdl::NONE).elo.is_nan() && ratio(0, 0).is_nan());
        assert_eq!(percent(1, 4), 25.0);
    }
}
