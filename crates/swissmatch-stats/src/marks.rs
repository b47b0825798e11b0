//! Decides which of several differences are changes, by intervals that are wide enough for all of them together.
//!
//! Each of m differences has an interval that holds with 1 − [`FALSE_MARKS`]/m, so that all hold together with at
//! least 1 − [`FALSE_MARKS`], however they depend on each other: O. J. Dunn, "Multiple comparisons among means",
//! Journal of the American Statistical Association 56 (1961) 52–64. A difference is a change if its interval leaves
//! out 0.
//!
//! Repeated looks at one difference, as games are added, would mark it in the end even without a change. So the k-th
//! look has only a part of that chance, 1/(k(k + 1)), and all looks together have no more than one look alone: the
//! parts add up to 1.
//!
//! If one of the two lost, or won, everything that it played, the normal distribution says nothing about how far they
//! are apart at least; the interval is then exact ([`OneSided`]).
//!
//! May not: know what is compared.

use super::pairs::{bounds_of_alike, normal, score_of_elo};

/// The chance that any of the differences looked at together is marked though none is a change. Standard errors of
/// few game pairs are somewhat too small, so this is half of the 5 % that is promised.
pub(crate) const FALSE_MARKS: f64 = 0.025;

/// In Elo; farther than any bound.
const FAR: f64 = 1e5;

/// A difference that is to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// In Elo, with its standard error.
    pub value: [f64; 2],
    /// The number of this look, from 1; `None` if there will be no other.
    pub look: Option<u32>,
    /// Those of the two that always had the same result.
    pub one_sided: Vec<OneSided>,
}

/// A player that lost all of its game pairs, or won them all; a game without a pair counts as one, too.
#[derive(Clone, Debug, PartialEq)]
pub struct OneSided {
    /// True if it is the one that is ahead by the difference, false if it is the other.
    pub is_first: bool,
    pub has_won: bool,
    /// Its pairs against each of its opponents, and how far that opponent is ahead of the other of the two, in Elo,
    /// with the standard error.
    pub met: Vec<(u64, [f64; 2])>,
}

impl OneSided {
    /// Half of the width of an interval around the difference `ahead`, outside of which it lies with at most this
    /// chance; `None` if the difference has the opposite sign of its results. One half of the chance is that of its
    /// results, the other that of the ratings of its opponents.
    fn bound(&self, ahead: f64, chance: f64) -> Option<f64> {
        // Mirrors a win, as if it had lost everything.
        let of_loser = |ahead: f64| if self.has_won { -ahead } else { ahead };
        let ahead = of_loser(if self.is_first { ahead } else { -ahead });
        let results: f64 = self.met.iter().map(|(results, _)| *results as f64).sum();
        if ahead >= 0.0 || results == 0.0 {
            return None;
        }
        let [_, most] = bounds_of_alike(0.0, results, chance / 2.0);
        let errors = two_sided(chance);
        let score = |at: f64| {
            let met = self.met.iter();
            let of_each = met.map(|(results, [opponent, error])| {
                *results as f64 * score_of_elo(at - of_loser(*opponent) - errors * error)
            });
            of_each.sum::<f64>() / results
        };
        let (mut low, mut high) = (-FAR, FAR);
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            match score(middle) < most {
                true => low = middle,
                false => high = middle,
            }
        }
        Some((high - ahead).max(0.0))
    }
}

impl Difference {
    /// The part of the chance of a false mark that this look has.
    fn part(&self) -> f64 {
        self.look
            .map_or(1.0, |look| 1.0 / (f64::from(look) * (f64::from(look) + 1.0)))
    }
}

/// A difference that was looked at together with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DifferenceInterval {
    /// The difference, in Elo.
    pub ahead: f64,
    /// Half of the width of its interval, in Elo.
    pub bound: f64,
}

/// Each difference with its interval.
pub fn judge(differences: &[Difference]) -> Vec<DifferenceInterval> {
    let chance = FALSE_MARKS / differences.len().max(1) as f64;
    let judged = differences.iter().map(|difference| {
        let [ahead, error] = difference.value;
        let chance = chance * difference.part();
        let mut exact = difference.one_sided.iter();
        // It errs on one side alone.
        let exact = exact.find_map(|one_sided| one_sided.bound(ahead, chance / 2.0));
        let bound = exact.unwrap_or_else(|| two_sided(chance) * error);
        DifferenceInterval { ahead, bound }
    });
    judged.collect()
}

/// The number of standard errors that a normal number is away from its mean at most, except with this chance.
fn two_sided(chance: f64) -> f64 {
    let (mut low, mut high) = (0.0_f64, 40.0_f64);
    // Halved until no number lies between them.
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return high;
        }
        match 2.0 * normal(-middle) > chance {
            true => low = middle,
            false => high = middle,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles as tables of the normal distribution have them.
    #[test]
    fn intervals_are_wider_the_more_there_are() {
        for (chance, z) in [(0.05, 1.959_963_985), (0.01, 2.575_829_304), (0.0025, 3.023_341_439)] {
            assert!((two_sided(chance) - z).abs() < 1e-8, "{chance}: {}", two_sided(chance));
        }
        let once = Difference {
            value: [10.0, 3.0],
            look: None,
            one_sided: Vec::new(),
        };
        let judged = judge(&vec![once.clone(); 10]);
        assert!((judged[0].bound - 3.0 * 3.023_341_439).abs() < 1e-7);
        assert!(judge(&[once])[0].bound < judged[0].bound);
        assert!(judge(&[]).is_empty());
    }

    /// The first look has half of the chance, the fourth a twentieth.
    #[test]
    fn a_look_has_a_part_of_the_chance() {
        let bound = |look| {
            let value = [10.0, 1.0];
            let one_sided = Vec::new();
            judge(&[Difference { value, look, one_sided }])[0].bound
        };
        for (look, whole) in [(1, 2), (4, 20)] {
            assert!((bound(Some(look)) - two_sided(FALSE_MARKS / f64::from(whole))).abs() < 1e-9);
        }
        assert!(bound(None) < bound(Some(1)));
    }

    /// A player that lost 20 pairs against the one that it is compared with is weaker, whatever an error of the
    /// normal distribution says. After four pairs nobody knows, nor if the opponents' own ratings are not known.
    #[test]
    fn who_lost_everything_is_weaker() {
        let lost = |pairs: u64, error: f64, [is_first, has_won]: [bool; 2]| {
            let ahead = if is_first == has_won { 587.0 } else { -587.0 };
            let one_sided = OneSided {
                is_first,
                has_won,
                met: vec![(pairs, [0.0, error])],
            };
            let difference = Difference {
                value: [ahead, 325.0],
                look: None,
                one_sided: vec![one_sided],
            };
            let judged = judge(&[difference])[0];
            judged.ahead.abs() > judged.bound
        };
        for sides in [[true, false], [true, true], [false, false], [false, true]] {
            assert!(
                lost(20, 0.0, sides) && lost(20, 60.0, sides) && lost(10, 0.0, sides),
                "{sides:?}"
            );
            assert!(!lost(4, 0.0, sides) && !lost(20, 120.0, sides), "{sides:?}");
        }
        let against = |ahead: f64| OneSided {
            is_first: true,
            has_won: false,
            met: vec![(20, [ahead, 0.0])],
        };
        assert_eq!(against(0.0).bound(12.0, 0.01), None, "its results say the contrary");
        // An opponent that is 100 points stronger shifts the bound by as many.
        let [near, far] = [0.0, 100.0].map(|ahead| against(ahead).bound(-587.0, 0.01).expect("a bound"));
        assert!((far - near - 100.0).abs() < 1e-6, "{near} {far}");
        assert!(
            (score_of_elo(near - 587.0) - 0.232_729_500_989_074).abs() < 1e-9,
            "{near}"
        );
    }
}
