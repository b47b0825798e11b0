//! What a bracket is paired with in view: its players, the next scoregroup, those below, and the bye.
//!
//! Players who are alike in all that the criteria read form one class, so that the cost of a pair is looked up by two
//! classes.
//!
//! May not: seek a pairing.

use std::collections::HashMap;
use std::ops::Range;

use crate::pairing::dutch::costs::{Barred, Costs, Role};
use crate::pairing::dutch::digits::{Digits, FieldId, Layout, Places};
use crate::pairing::dutch::player::{Field, Player};
use crate::pairing::dutch::prices::{Class, Fields, Part, Prices};
use crate::pairing::dutch::rules::ColorRule;
use crate::score::Points;

/// Who gets the bye, as far as the matching in view is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ByeSeat {
    /// There is none in view.
    Absent,
    /// One must be given to somebody who may have it (C2) and whose scoregroup is the one of this number (from 0, the
    /// highest); `None`: any. `is_counted`: C9 holds, unplayed games count.
    ForScoregroup { group: Option<usize>, is_counted: bool },
    /// One must be given, and the lower the score of who gets it the better (C5).
    AsLowAsPossible,
}

/// Which criteria count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    /// C6 and C7 alone: how well a bracket can be paired.
    Pairs,
    /// C6 to C21, and the order of generation.
    Best,
}

/// Who is in view, as places in the field, each part ascending.
#[derive(Clone, Debug)]
pub(super) struct Scope {
    /// Moved-down players of the bracket.
    pub(super) moved_down: Vec<usize>,
    /// The scoregroup that is being paired.
    pub(super) residents: Vec<usize>,
    /// The scoregroup after it, for C8; empty where C8 is not in view.
    pub(super) next: Vec<usize>,
    /// Others below.
    pub(super) later: Vec<usize>,
    /// Whether players may leave the view unpaired, because more are below.
    pub(super) is_open: bool,
    pub(super) bye: ByeSeat,
    pub(super) aim: Aim,
    /// Edition of 2017: whether the residents have several scores, because the last scoregroups had to be joined (A.9).
    pub(super) is_collapsed: bool,
}

impl Scope {
    fn order(&self) -> usize {
        self.moved_down.len() + self.residents.len() + self.next.len() + self.later.len() + usize::from(self.has_bye())
    }

    fn has_bye(&self) -> bool {
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

    /// Players of each score among the moved-down players, the highest score first. In a collapsed bracket, where every
    /// difference of scores counts by itself, all of them together.
    fn moved_down_scores(&self, field: &Field) -> Vec<Range<usize>> {
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

    /// Edition of 2017, A.8: the differences of scores there can be in a collapsed bracket, the widest first. Who is left
    /// over counts as paired with "one point less than the lowest score of the bracket".
    pub(super) fn differences(&self, field: &Field) -> Vec<Points> {
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
    pub(super) fn artificial_score(&self, field: &Field) -> Points {
        let bracket = self.moved_down.iter().chain(&self.residents);
        let lowest = bracket.map(|&place| field.players[place].score).min();
        lowest.unwrap_or(Points::ZERO) - Points::ONE
    }

    fn fields(&self, field: &Field) -> (Layout, Fields) {
        let mut layout = Layout::default();
        let bracket = self.moved_down.len() + self.residents.len();
        let scores: Vec<usize> = self
            .moved_down_scores(field)
            .into_iter()
            .map(|group| group.len())
            .collect();
        let has_next = !self.next.is_empty();
        let best = self.aim == Aim::Best;
        let colors = best && field.color == ColorRule::FirstGame;
        let among =
            |places: &[usize], is: fn(&Player) -> bool| places.iter().filter(|&&at| is(&field.players[at])).count();
        let when = |condition: bool, most: usize| if condition { most } else { 0 };
        let by_score = |layout: &mut Layout, condition: bool| -> Vec<FieldId> {
            scores.iter().map(|&size| layout.field(when(condition, size))).collect()
        };
        let differences = self.differences(field).len();
        let by_difference =
            |layout: &mut Layout| -> Vec<FieldId> { (0..differences).map(|_| layout.field(bracket)).collect() };
        let moved = self.moved_down.len();

        let bye_score = layout.field(when(self.bye == ByeSeat::AsLowAsPossible, field.players.len()));
        let downfloaters = layout.field(bracket);
        let downfloater_scores = by_score(&mut layout, true);
        let pair_differences = by_difference(&mut layout);
        let next_downfloaters = layout.field(when(has_next, bracket + self.next.len()));
        let mut next_downfloater_scores = by_score(&mut layout, has_next);
        next_downfloater_scores.push(layout.field(when(has_next, self.residents.len())));
        let is_counted = matches!(self.bye, ByeSeat::ForScoregroup { is_counted: true, .. });
        let most_unplayed = field.players.iter().map(|player| player.unplayed as usize).max();
        let unplayed = layout.field(when(is_counted, most_unplayed.unwrap_or(0)));
        let pairs = bracket / 2;
        let last = colors && field.is_last_round;
        let colors = [last, last, colors, colors].map(|condition| layout.field(when(condition, pairs)));
        let down =
            |layout: &mut Layout, is: fn(&Player) -> bool| layout.field(when(best, among(&self.residents, is) + moved));
        let up = |layout: &mut Layout, is: fn(&Player) -> bool| {
            let most = if self.is_collapsed { bracket } else { moved };
            layout.field(when(best, among(&self.residents, is).min(most)))
        };
        let (down_1, up_1) = (
            down(&mut layout, |p| p.downfloats[0]),
            up(&mut layout, |p| p.upfloats[0]),
        );
        let (down_2, up_2) = (
            down(&mut layout, |p| p.downfloats[1]),
            up(&mut layout, |p| p.upfloats[1]),
        );
        let mut float_scores = || {
            if self.is_collapsed {
                by_difference(&mut layout)
            } else {
                by_score(&mut layout, best)
            }
        };
        let (down_scores_1, up_scores_1) = (float_scores(), float_scores());
        let (down_scores_2, up_scores_2) = (float_scores(), float_scores());
        let residents = self.residents.len();
        let fields = Fields {
            bye_score,
            downfloaters,
            downfloater_scores,
            pair_differences,
            next_downfloaters,
            next_downfloater_scores,
            unplayed,
            colors,
            downfloats: [down_1, down_2],
            upfloats: [up_1, up_2],
            downfloat_scores: [down_scores_1, down_scores_2],
            upfloat_scores: [up_scores_1, up_scores_2],
            exchanges: layout.field(when(best, residents / 2)),
            difference: layout.field(when(best, residents * residents / 2)),
            question: layout.field(when(best, bracket)),
        };
        (layout, fields)
    }

    /// How many parts the weights of this scope need.
    pub(super) fn parts(&self, field: &Field) -> usize {
        self.fields(field).0.parts()
    }

    /// The costs of all pairs in view.
    pub(super) fn costs<W: Digits>(&self, field: &Field) -> Costs<W> {
        let (layout, fields) = self.fields(field);
        let prices = Prices {
            places: Places::new(&layout),
            fields,
            field,
            scope: self,
            differences: self.differences(field),
            artificial_score: self.artificial_score(field),
        };
        let vertices = self.vertices();
        let mut classes: Vec<Class> = vec![Class::gone()];
        let mut known = HashMap::new();
        let mut class_of = Vec::with_capacity(self.order());
        let groups = scoregroup_numbers(field);
        let moved_down = self.moved_down_scores(field);
        let parts = (0..)
            .zip(moved_down)
            .flat_map(|(group, members)| members.map(move |_| Part::MovedDown(group)));
        let parts = parts
            .chain(self.residents.iter().map(|_| Part::Resident))
            .chain(self.next.iter().map(|_| Part::Next))
            .chain(self.later.iter().map(|_| Part::Later));
        let players = vertices.iter().zip(parts).map(|(&place, part)| {
            let player = &field.players[place];
            let score = self.is_collapsed.then_some(player.score);
            Class::of(player, part, self.bye_cost(field, place, &groups), score)
        });
        for class in players.chain(self.has_bye().then(Class::bye)) {
            let number = *known.entry(class).or_insert_with(|| {
                classes.push(class);
                classes.len() - 1
            });
            class_of.push(number);
        }
        let pairs = classes
            .iter()
            .flat_map(|one| classes.iter().map(move |other| (one, other)));
        let table = pairs.map(|(one, other)| prices.pair(one, other)).collect();
        Costs {
            bracket: self.moved_down.len() + self.residents.len(),
            table,
            outside: classes.iter().map(|class| prices.outside(class)).collect(),
            classes: classes.len(),
            barred: Barred::new(field, &vertices, self.order()),
            roles: vec![Role::Any; class_of.len()],
            higher: vec![W::ZERO; class_of.len()],
            lower: vec![W::ZERO; class_of.len()],
            class_of,
            question: None,
            places: prices.places,
            fields: prices.fields,
        }
    }

    /// What it would cost to give the bye to a player; `None` where it must not be.
    fn bye_cost(&self, field: &Field, place: usize, groups: &[usize]) -> Option<u32> {
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

/// The number of each player's scoregroup, by place.
fn scoregroup_numbers(field: &Field) -> Vec<usize> {
    let groups = field.scoregroups();
    (0..)
        .zip(groups)
        .flat_map(|(number, group)| group.map(move |_| number))
        .collect()
}
