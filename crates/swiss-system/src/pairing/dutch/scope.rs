//! The view with which a bracket is paired: its players, the next scoregroup, those below, and the bye.
//!
//! An example. Nine players have 2, 2, 2, 1, 1, 1, 1, 0 and 0 points, and so the places 0 to 8 in the field. The bracket of 2
//! points is paired first:
//!
//! | part | places | why they are in view |
//! |---|---|---|
//! | `moved_down` | none | nobody is above |
//! | `residents` | 0, 1, 2 | two of them are paired, one floats down: whom the criteria of this bracket choose |
//! | `next` | 3, 4, 5, 6 | C8: the downfloater should leave the next bracket as well paired as can be |
//! | `later` | 7, 8 | C4: whoever is left must be able to be paired |
//! | the bye | | the number is odd: one of 7 and 8 gets it, unless C2 forbids that |
//!
//! If 2 floats down, the next bracket has 2 as `moved_down`, 3 to 6 as `residents` and 7 and 8 as `next`. If many
//! players are below, those far below are left out of view at first, and the scope is *open*: players may leave it
//! unpaired.
//!
//! May not: seek a pairing.

use std::ops::Range;

use crate::pairing::dutch::player::DutchField;
use crate::score::Points;

/// The possible receivers of the bye, as far as the matching in view is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByeSeat {
    /// There is no bye in view.
    Absent,
    /// The bye must go to somebody who may have it (C2) and whose scoregroup has this number (from 0, the highest);
    /// `None` for any. With `is_counted`, C9 applies: unplayed games count.
    ForScoregroup { group: Option<usize>, is_counted: bool },
    /// The bye must be given, and the lower the score of its receiver the better (C5).
    AsLowAsPossible,
}

/// The criteria that count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BracketAim {
    /// C6 and C7 alone: how well a bracket can be paired.
    Pairs,
    /// C6 to C21, and the order of generation.
    Best,
}

/// The players in view, as places in the field, each part ascending.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Moved-down players of the bracket.
    pub(super) moved_down: Vec<usize>,
    /// The scoregroup that is being paired.
    pub(super) residents: Vec<usize>,
    /// The scoregroup after it, for C8; empty if C8 is not in view.
    pub(super) next: Vec<usize>,
    /// Other players below.
    pub(super) later: Vec<usize>,
    /// True if players may leave the view unpaired, because more are below.
    pub(super) is_open: bool,
    pub(super) bye: ByeSeat,
    pub(super) aim: BracketAim,
    /// Edition of 2017: true if the residents have several scores, because the last scoregroups had to be joined
    /// (A.9).
    pub(super) is_collapsed: bool,
}

impl Scope {
    /// The number of vertices.
    pub(super) fn order(&self) -> usize {
        self.moved_down.len() + self.residents.len() + self.next.len() + self.later.len() + usize::from(self.has_bye())
    }

    pub(super) fn has_bye(&self) -> bool {
        self.bye != ByeSeat::Absent
    }

    /// The places of all vertices but the bye, in order.
    pub(super) fn vertices(&self) -> Vec<usize> {
        [&self.moved_down, &self.residents, &self.next, &self.later]
            .into_iter()
            .flatten()
            .copied()
            .collect()
    }

    /// The moved-down players of each score, the highest score first. In a collapsed bracket, where every difference
    /// of scores counts by itself, all of them together.
    pub(super) fn moved_down_scores(&self, field: &DutchField) -> Vec<Range<usize>> {
        let mut groups: Vec<Range<usize>> = Vec::new();
        if self.is_collapsed {
            return (!self.moved_down.is_empty())
                .then_some(0..self.moved_down.len())
                .into_iter()
                .collect();
        }
        for (at, &place) in self.moved_down.iter().enumerate() {
            match groups.last_mut() {
                Some(group) if field.players[self.moved_down[group.start]].score == field.players[place].score => {
                    group.end = at + 1;
                }
                _ => groups.push(at..at + 1),
            }
        }
        groups
    }

    /// Edition of 2017, A.8: the possible differences of scores in a collapsed bracket, the widest first. A player
    /// left over counts as paired with "one point less than the lowest score of the bracket".
    pub(super) fn differences(&self, field: &DutchField) -> Vec<Points> {
        if !self.is_collapsed {
            return Vec::new();
        }
        let bracket = self.moved_down.iter().chain(&self.residents);
        let mut scores: Vec<Points> = bracket.map(|&place| field.players[place].score).collect();
        scores.dedup();
        scores.push(self.artificial_score(field));
        let pairs = scores
            .iter()
            .enumerate()
            .flat_map(|(at, &one)| scores[at + 1..].iter().map(move |&other| one - other));
        let mut differences: Vec<Points> = pairs.filter(|&difference| difference > Points::ZERO).collect();
        differences.sort_unstable_by(|one, other| other.cmp(one));
        differences.dedup();
        differences
    }

    /// Edition of 2017, A.8.
    pub(super) fn artificial_score(&self, field: &DutchField) -> Points {
        let bracket = self.moved_down.iter().chain(&self.residents);
        let lowest = bracket.map(|&place| field.players[place].score).min();
        lowest.unwrap_or(Points::ZERO) - Points::ONE
    }

    /// The cost of giving the bye to a player; `None` if that is not allowed.
    pub(super) fn bye_cost(&self, field: &DutchField, place: usize, groups: &[usize]) -> Option<u32> {
        let player = &field.players[place];
        let cost = match self.bye {
            ByeSeat::Absent => None,
            ByeSeat::ForScoregroup { group, is_counted } => {
                let is_there = group.is_none_or(|group| groups[place] == group);
                is_there.then_some(if is_counted { player.unplayed } else { 0 })
            }
            ByeSeat::AsLowAsPossible => {
                let lowest = groups.last().copied().unwrap_or(0);
                Some(u32::try_from(lowest - groups[place]).expect("few scoregroups"))
            }
        };
        cost.filter(|_| player.may_have_bye)
    }
}
