//! Bounds for groups that scored everything, or nothing, against the main group.
//!
//! May not: give a bound to anyone whom the main group never met.

use super::fitted::Fit;
use super::games::Bout;
use super::groups::{GroupOrder, Groups};
use super::solve;

/// The chance that a result at the bound has: one minus the confidence.
const CHANCE: f64 = 0.05;
/// In Elo; farther than any bound.
const FAR: f64 = 1e6;

/// The number to be added to the ratings of a group for its bound beside the main group. At the bound, the result
/// between them, all won by one side, has a chance of 5 %. It is the bound of C. J. Clopper and E. S. Pearson, "The
/// use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26 (1934) 404–413, for a
/// score of all or nothing.
pub(super) fn bound(fit: &Fit, groups: &Groups, group: usize) -> Option<f64> {
    let above = match groups.order[group] {
        GroupOrder::Above => true,
        GroupOrder::Below => false,
        GroupOrder::Main | GroupOrder::Apart => return None,
    };
    let main = groups.main[group];
    let between = fit.bouts.iter().filter(|bout| {
        let of = bout.players.map(|player| groups.of[player]);
        of == [main, group] || of == [group, main]
    });
    let between: Vec<_> = between.collect();
    if between.is_empty() {
        return None;
    }
    let mut at = fit.parameters.clone();
    at.ratings.clone_from(&fit.ratings);
    let too_likely = |ahead: f64| {
        let mut at = at.clone();
        groups.members[group]
            .iter()
            .for_each(|&player| at.ratings[player] += ahead);
        let log = |bout: &&Bout| -> f64 {
            let logs = |(counts, x): (&[f64; 3], f64)| {
                let chances = fit.model.chances(x, at.draw, fit.draw.value);
                let of = |(count, chance): (f64, f64)| if count > 0.0 { count * chance.ln() } else { 0.0 };
                of((counts[0], chances.win)) + of((counts[2], chances.loss))
            };
            let differences = solve::differences(fit.model.stretch(at.draw), bout.players, &at);
            bout.counts.iter().zip(differences).map(logs).sum()
        };
        between.iter().map(log).sum::<f64>() > CHANCE.ln()
    };
    // The farther ahead the group, the likelier a result that it won; the farther behind, one that it lost.
    let (mut near, mut far) = match above {
        true => (-FAR, FAR),
        false => (FAR, -FAR),
    };
    for _ in 0..100 {
        let middle = f64::midpoint(near, far);
        match too_likely(middle) {
            true => far = middle,
            false => near = middle,
        }
    }
    Some(far)
}
