//! Direct encounter: C.07 art. 6, extended, and Immortal Game's.
//!
//! May not: look at games with others.

use super::Name;
use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::view::View;

/// The table of the games among those tied (6.1).
struct Crosstable {
    group: Vec<usize>,
    scores: Vec<Fraction>,
    /// How many of the others were not met.
    missing: Vec<usize>,
    /// What a missing game could give.
    win: Fraction,
}

impl Crosstable {
    /// "Forfeits do not count in a Swiss unless announced (`DE/P`). Several meetings of a pair: their average."
    fn new(view: &View, name: &Name, game: bool, group: &[usize]) -> Self {
        let mut table = Self {
            group: group.to_vec(),
            scores: Vec::new(),
            missing: Vec::new(),
            win: view.win(game),
        };
        for &one in group {
            let (mut score, mut missing) = (NOTHING, 0);
            for &other in group.iter().filter(|&&other| other != one) {
                let mut points = Vec::new();
                for round in view.rounds(one) {
                    if view.opponent_of(round, name.forfeits_played()) == Some(other) {
                        points.push(round.points(game));
                    }
                }
                if points.is_empty() {
                    missing += 1;
                } else {
                    score = score + points.iter().copied().sum::<Fraction>().over(points.len());
                }
            }
            table.scores.push(score);
            table.missing.push(missing);
        }
        table
    }

    fn all_met(&self) -> bool {
        self.missing.iter().all(|&missing| missing == 0)
    }

    /// 6.2: "order by the score in that table".
    fn by_score(&self) -> Vec<Vec<usize>> {
        let mut scores = self.scores.clone();
        scores.sort_unstable();
        scores.dedup();
        let with = |score: &Fraction| {
            let indices = (0..self.group.len()).filter(|&index| self.scores[index] == *score);
            indices.map(|index| self.group[index]).collect()
        };
        scores.iter().rev().map(with).collect()
    }

    /// 6.3: "a player who is alone on top whatever the missing results would be is first; then the same question for the
    /// second place, and so on"; "each rival's missing games at their worst for us, independently".
    fn for_certain(&self) -> Vec<Vec<usize>> {
        let mut left: Vec<usize> = (0..self.group.len()).collect();
        let mut places = Vec::new();
        loop {
            let best_case = |index: usize| self.scores[index] + self.win.times(self.missing[index]);
            let is_above_all = |&index: &usize| {
                let others = left.iter().filter(|&&other| other != index);
                others.copied().all(|other| self.scores[index] > best_case(other))
            };
            let Some(place) = left.iter().position(is_above_all) else {
                break;
            };
            places.push(vec![self.group[left.remove(place)]]);
        }
        if !left.is_empty() {
            places.push(left.iter().map(|&index| self.group[index]).collect());
        }
        places
    }

    /// "Only if all tied have met: whoever is alone on top is placed, the rest go on; else still tied."
    fn alone_on_top(&self) -> Vec<Vec<usize>> {
        let mut places = self.by_score();
        if !self.all_met() || places[0].len() > 1 {
            return vec![self.group.clone()];
        }
        let first = places.remove(0);
        let rest: Vec<usize> = places.into_iter().flatten().collect();
        if rest.is_empty() {
            vec![first]
        } else {
            vec![first, rest]
        }
    }
}

/// A group put in order, as groups still tied, the best first; and whether all of it have met.
pub(super) fn direct_encounter(view: &View, name: &Name, group: &[usize]) -> (Vec<Vec<usize>>, bool) {
    let all_met = Crosstable::new(view, name, name.is_of_game_points(view), group).all_met();
    (in_order(view, name, group), all_met)
}

/// "Apply the whole article again to each group still tied, until nothing changes."
fn in_order(view: &View, name: &Name, group: &[usize]) -> Vec<Vec<usize>> {
    // "DE on the primary score; if nothing breaks, on the secondary; start again when a subset splits."
    let secondary = (name.code == "EDE").then_some(!view.game_points_rank);
    for game in [Some(name.is_of_game_points(view)), secondary].into_iter().flatten() {
        let table = Crosstable::new(view, name, game, group);
        let groups = match name.code.as_str() {
            "immortal-direct-encounter" => table.alone_on_top(),
            _ if table.all_met() => table.by_score(),
            _ => table.for_certain(),
        };
        if groups.len() > 1 {
            return groups.iter().flat_map(|group| in_order(view, name, group)).collect();
        }
    }
    vec![group.to_vec()]
}
