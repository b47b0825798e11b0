//! Which of several differences are changes: intervals that are wide enough for all of them together.
//!
//! Of m differences each has an interval that holds with 1 − [`FALSE_MARKS`]/m, so that all hold together with at least
//! 1 − [`FALSE_MARKS`], however they depend on each other: O. J. Dunn, "Multiple comparisons among means", Journal of the
//! American Statistical Association 56 (1961) 52–64. A difference is a change where its interval leaves out 0.
//!
//! Whoever looks at one difference again and again, as games are added, would mark it at last though it is none. So the k-th look at it
//! has only a part of that chance, 1/(k(k + 1)), and all looks at it together have no more than one look alone: the parts add up to 1.
//!
//! May not: know what is compared.

use super::pairs::normal;

/// How likely any of the differences that are looked at together is marked though none is one. Standard errors of few game pairs are
/// somewhat too small, so this is half of the 5 % that is promised.
pub const FALSE_MARKS: f64 = 0.025;

/// A difference that is to be judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// In Elo, with its standard error.
    pub value: [f64; 2],
    /// Which look at it this is, from 1; `None`: the only one there will be.
    pub look: Option<u32>,
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
pub struct Judged {
    /// The difference, in Elo.
    pub ahead: f64,
    /// Half of the width of its interval, in Elo.
    pub bound: f64,
}

/// Each difference with its interval.
pub fn judge(differences: &[Difference]) -> Vec<Judged> {
    let chance = FALSE_MARKS / differences.len().max(1) as f64;
    let judged = differences.iter().map(|difference| {
        let [ahead, error] = difference.value;
        let bound = two_sided(chance * difference.part()) * error;
        Judged { ahead, bound }
    });
    judged.collect()
}

/// How many standard errors a normal number is away from its mean, at most, but for this chance.
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
        };
        let judged = judge(&[once; 10]);
        assert!((judged[0].bound - 3.0 * 3.023_341_439).abs() < 1e-7);
        assert!(judge(&[once])[0].bound < judged[0].bound);
        assert!(judge(&[]).is_empty());
    }

    /// The first look has half of the chance, the fourth a twentieth.
    #[test]
    fn a_look_has_a_part_of_the_chance() {
        let bound = |look| {
            let value = [10.0, 1.0];
            judge(&[Difference { value, look }])[0].bound
        };
        for (look, whole) in [(1, 2), (4, 20)] {
            assert!((bound(Some(look)) - two_sided(FALSE_MARKS / f64::from(whole))).abs() < 1e-9);
        }
        assert!(bound(None) < bound(Some(1)));
    }
}
