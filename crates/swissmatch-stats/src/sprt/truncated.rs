//! A test of a match with a known maximum of pairs, or games.
//!
//! It ends as soon as no outcome of the rest changes the verdict. If one side has lost everything, that too is a
//! verdict, at the end of a match that is too short for the likelihood ratio. The chance of this under the other
//! hypothesis is subtracted from the allowed chance of that error, and the test on the way has what remains, so that
//! both together err no more often than is asked for. May not: know games or when they ended.

use super::{Decimal, Sprt, SprtModel, Units, Verdict};
use crate::pairs::{Pairs, Wdl, score_of_elo};

/// How near a bound counts as reaching it, when asking if one can still be reached: the results that lead farthest
/// are searched for among those of one kind.
const NEAR: f64 = 0.05;
/// The largest share of alpha, or of beta, for the end of the match.
const MOST: f64 = 0.5;

/// A test that is cut off at the end of its match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TruncatedSprt {
    /// The test on the way.
    pub sprt: Sprt,
    /// Pairs, or games, of the whole match.
    units: u64,
    /// True if H0 is accepted when all of them are lost, and if H1 is when all are won.
    ends: [bool; 2],
    /// The number of losses in a row that lead from the one bound to the other.
    across: u64,
}

impl TruncatedSprt {
    /// A test of this many pairs, or games.
    pub fn new(asked: &Sprt, units: u64) -> Self {
        // For a player exactly as strong as the one hypothesis says, the chance of losing or winning everything is
        // greatest if nothing is drawn.
        let chance = |elo: f64| rounded_up(asked.chance_of_loss(elo).powf(units as f64));
        let [lost, won] = [chance(asked.elo1.value()), chance(-asked.elo0.value())];
        let has_room = |chance: Decimal, whole: Decimal| units > 0 && chance.value() <= MOST * whole.value();
        let ends = [has_room(lost, asked.beta), has_room(won, asked.alpha)];
        let less = |whole: Decimal, chance: Decimal, is_taken: bool| match is_taken {
            true => whole.plus(chance.times(-1)),
            false => whole,
        };
        let sprt = Sprt {
            alpha: less(asked.alpha, won, ends[1]),
            beta: less(asked.beta, lost, ends[0]),
            ..*asked
        };
        let [lower, upper] = sprt.bounds();
        let [more, less] = [asked.elo0, asked.elo1].map(|elo| asked.chance_of_loss(elo.value()));
        Self {
            sprt,
            units,
            ends,
            across: ((upper - lower) / (more / less).ln()).ceil() as u64,
        }
    }

    /// The verdict after this many pairs, or games, if no bound was crossed: that all were lost or won, or that
    /// neither hypothesis can be accepted any more. `None` if the match goes on, or is over without a verdict.
    pub fn verdict(&self, pairs: &Pairs, games: &Wdl, after: u64) -> Option<Verdict> {
        let counts: &[u64] = match self.sprt.counts {
            Units::Pentanomial => &pairs.pentanomial(),
            Units::Trinomial => &games.trinomial(),
        };
        let (lost, won) = (counts[0], counts[counts.len() - 1]);
        let left = self.units.saturating_sub(after);
        let may_end = [(lost, Verdict::H0), (won, Verdict::H1)].into_iter().zip(self.ends);
        let mut may_end = may_end.filter(|((count, _), is_verdict)| *is_verdict && *count == after);
        match (left, may_end.next()) {
            (0, end) => end.map(|((_, verdict), _)| verdict),
            (_, Some(_)) => None,
            (left, None) if left >= self.across => None,
            (left, None) => (!self.reaches_a_bound(pairs, games, left)).then_some(Verdict::Neither),
        }
    }

    /// True if a bound can be crossed within `left` more results.
    fn reaches_a_bound(&self, pairs: &Pairs, games: &Wdl, left: u64) -> bool {
        let [lower, upper] = self.sprt.bounds();
        let crosses = |llr: f64| llr <= lower + NEAR || llr >= upper - NEAR;
        [left, left.div_ceil(2)].into_iter().any(|more| match self.sprt.counts {
            Units::Pentanomial => (0..5).any(|kind| {
                let mut pairs = *pairs;
                *[
                    &mut pairs.ll,
                    &mut pairs.ld,
                    &mut pairs.dd,
                    &mut pairs.wd,
                    &mut pairs.ww,
                ][kind] += more;
                crosses(self.sprt.of_pairs(&pairs))
            }),
            Units::Trinomial => (0..3).any(|kind| {
                let mut games = *games;
                *[&mut games.losses, &mut games.draws, &mut games.wins][kind] += more;
                crosses(self.sprt.of_games(&games))
            }),
        })
    }
}

impl Sprt {
    /// The greatest chance that one pair, or one game, is lost by a player this far ahead: of all distributions of
    /// results with that difference, it is that of wins and losses alone.
    pub(super) fn chance_of_loss(&self, elo: f64) -> f64 {
        match self.model {
            SprtModel::Normalized => {
                let deviations = self.deviations(elo);
                0.5 - deviations / (2.0 * (1.0 + deviations * deviations).sqrt())
            }
            SprtModel::Logistic | SprtModel::Bayesian => 1.0 - score_of_elo(elo),
        }
    }
}

/// The next decimal that is no smaller.
fn rounded_up(chance: f64) -> Decimal {
    Decimal::from_millionths((chance * 1e6).ceil() as i64)
}
