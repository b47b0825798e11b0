//! The graph of a scope, as the matching reads it.
//!
//! Players who are alike in all that the criteria use form one class, so that the cost of a pair is looked up by two
//! classes.
//!
//! May not: know the criteria.

use std::collections::HashMap;

use crate::pairing::dutch::criterion::Profile;
use crate::pairing::dutch::criterion_digits::CriterionDigits;
use crate::pairing::dutch::digits::{Digit, DigitPlaces, DigitWeight};
use crate::pairing::dutch::player::DutchField;
use crate::pairing::dutch::prices::{Class, Prices, ScopePart};
use crate::pairing::dutch::scope::Scope;
use crate::pairing::dutch::shortfall::Shortfall;
use crate::pairing::matching;

/// The pairs of vertices that must not meet, a bit each.
pub(super) struct BarredPairs {
    words: usize,
    bits: Vec<u64>,
}

impl BarredPairs {
    pub(super) fn new(field: &DutchField, vertices: &[usize], order: usize) -> Self {
        let words = order.div_ceil(64);
        let mut at = vec![None; field.players.len()];
        for (vertex, &place) in vertices.iter().enumerate() {
            at[place] = Some(vertex);
        }
        let mut barred = Self {
            words,
            bits: vec![0; words * order],
        };
        for (vertex, &place) in vertices.iter().enumerate() {
            for other in field.players[place].barred.iter().filter_map(|&other| at[other]) {
                barred.bits[vertex * words + other / 64] |= 1 << (other % 64);
            }
        }
        barred
    }

    fn has(&self, u: usize, v: usize) -> bool {
        self.bits[u * self.words + v / 64] & (1 << (v % 64)) != 0
    }
}

/// What a vertex of the bracket may still become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexRole {
    /// Nothing is settled.
    Any,
    /// Must be paired in this bracket.
    Paired,
    /// Must leave the bracket.
    Leaves,
    /// Must not be the higher ranked of a pair in the bracket.
    NotHigher,
    /// Must be the higher ranked of a pair in the bracket.
    Higher,
}

/// A question about one vertex, put to the matching as the least important digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexQuestion {
    /// Can it be paired in the bracket?
    Paired,
    /// Can it avoid being the higher ranked of a pair in the bracket?
    NotHigher,
    /// Can it be the higher ranked of a pair in the bracket?
    Higher,
    /// Who is the highest ranked partner that it can have?
    FirstPartner,
}

/// The costs of a scope, as the matching reads them.
pub(super) struct ScopeCosts<W: DigitWeight> {
    /// Vertices below this are in the bracket.
    pub(super) bracket: usize,
    pub(super) class_of: Vec<usize>,
    pub(super) classes: usize,
    pub(super) table: Vec<Option<W>>,
    pub(super) outside: Vec<Option<W>>,
    pub(super) barred: BarredPairs,
    pub(super) roles: Vec<VertexRole>,
    /// For each vertex, the extra cost if it is the higher ranked of a pair, and if it is not (article 4.3).
    pub(super) higher: Vec<W>,
    pub(super) lower: Vec<W>,
    pub(super) question: Option<(usize, VertexQuestion)>,
    pub(super) places: DigitPlaces,
    pub(super) digits: CriterionDigits,
}

impl<W: DigitWeight> ScopeCosts<W> {
    /// The costs of all pairs in view.
    pub(super) fn new(field: &DutchField, scope: &Scope) -> Self {
        let (layout, digits) = CriterionDigits::laid_out(scope, field);
        let prices = Prices {
            places: DigitPlaces::new(&layout),
            digits,
            field,
            scope,
            differences: scope.differences(field),
            artificial_score: scope.artificial_score(field),
        };
        let vertices = scope.vertices();
        let mut classes: Vec<Class> = vec![Class::gone()];
        let mut known = HashMap::new();
        let mut class_of = Vec::with_capacity(scope.order());
        let groups = scoregroup_numbers(field);
        let moved_down = scope.moved_down_scores(field);
        let parts = (0..)
            .zip(moved_down)
            .flat_map(|(group, members)| members.map(move |_| ScopePart::MovedDown(group)));
        let parts = parts
            .chain(scope.residents.iter().map(|_| ScopePart::Resident))
            .chain(scope.next.iter().map(|_| ScopePart::Next))
            .chain(scope.later.iter().map(|_| ScopePart::Later));
        let players = vertices.iter().zip(parts).map(|(&place, part)| {
            let player = &field.players[place];
            let score = scope.is_collapsed.then_some(player.score);
            Class::of_player(player, part, scope.bye_cost(field, place, &groups), score)
        });
        for class in players.chain(scope.has_bye().then(Class::bye)) {
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
        Self {
            bracket: scope.moved_down.len() + scope.residents.len(),
            table,
            outside: classes.iter().map(|class| prices.outside(class)).collect(),
            classes: classes.len(),
            barred: BarredPairs::new(field, &vertices, scope.order()),
            roles: vec![VertexRole::Any; class_of.len()],
            higher: vec![W::ZERO; class_of.len()],
            lower: vec![W::ZERO; class_of.len()],
            class_of,
            question: None,
            places: prices.places,
            digits: prices.digits,
        }
    }

    /// Takes a vertex out of the graph.
    pub(super) fn remove(&mut self, vertex: usize) {
        self.class_of[vertex] = 0;
    }

    /// Article 4.3: puts a cost on exchanges between S1, the first `pairs` vertices of the remainder, and S2, the
    /// others: "the smallest number of players exchanged, then the smallest difference between the sums of their
    /// numbers".
    ///
    /// In a pairing of the remainder the higher ranked of each pair is in S1 after the exchange. So an original S2
    /// player who is the higher ranked of a pair was moved up, and an original S1 player who is not was moved down.
    /// As many go up as down, so that differences may be counted from the border.
    pub(super) fn charge_exchanges(&mut self, remainder: &[usize], pairs: usize) {
        for (position, &vertex) in remainder.iter().enumerate() {
            let count = |distance: usize| {
                let distance = u32::try_from(distance).expect("few players");
                self.places.units::<W>(self.digits.difference, distance)
            };
            if position < pairs {
                self.lower[vertex] = count(pairs - 1 - position);
            } else {
                self.higher[vertex] = count(position - pairs) + self.places.units(self.digits.exchanges, 1);
            }
        }
    }

    /// C8: how well the next bracket can be paired in a matching of this total.
    pub(super) fn next_shortfall(&self, total: W) -> Shortfall {
        self.read(
            self.digits.next_downfloaters,
            &self.digits.next_downfloater_scores,
            total,
        )
    }

    /// C6 and C7 of a matching of this total.
    pub(super) fn shortfall(&self, total: W) -> Shortfall {
        self.read(self.digits.downfloaters, &self.digits.downfloater_scores, total)
    }

    /// The counts of a matching of this total against each criterion, in their order.
    pub(super) fn profile(&self, total: W) -> Profile {
        let digits = self.digits.criteria();
        digits
            .into_iter()
            .map(|(criterion, digit)| (criterion, self.places.read(digit, total)))
            .collect()
    }

    fn read(&self, downfloaters: Digit, by_score: &[Digit], total: W) -> Shortfall {
        Shortfall {
            downfloaters: self.places.read(downfloaters, total),
            by_score: by_score.iter().map(|&digit| self.places.read(digit, total)).collect(),
        }
    }

    fn question_cost(&self, u: usize, v: Option<usize>) -> W {
        let Some((asked, wish)) = self.question else {
            return W::ZERO;
        };
        if asked != u && Some(asked) != v {
            return W::ZERO;
        }
        let inside = v.is_some_and(|v| v < self.bracket);
        let is_higher = asked == u && inside;
        let cost = match wish {
            VertexQuestion::Paired => u32::from(!inside),
            VertexQuestion::NotHigher => u32::from(is_higher),
            VertexQuestion::Higher => u32::from(!is_higher),
            VertexQuestion::FirstPartner => {
                let partner = if asked == u { v.unwrap_or(0) } else { u };
                u32::try_from(partner.min(self.bracket)).expect("few players")
            }
        };
        self.places.units(self.digits.question, cost)
    }
}

impl<W: DigitWeight> matching::EdgeCosts for ScopeCosts<W> {
    type Weight = W;

    fn order(&self) -> usize {
        self.class_of.len()
    }

    fn doubled(&self, u: usize, v: usize) -> Option<W> {
        let (u, v) = (u.min(v), u.max(v));
        let inside = v < self.bracket;
        let may = match (self.roles[u], self.roles[v]) {
            (VertexRole::Leaves | VertexRole::NotHigher, _) | (_, VertexRole::Leaves | VertexRole::Higher)
                if inside =>
            {
                false
            }
            (VertexRole::Paired | VertexRole::Higher, _) => inside,
            _ => true,
        };
        if !may || self.barred.has(u, v) {
            return None;
        }
        let base = self.table[self.class_of[u] * self.classes + self.class_of[v]]?;
        if u >= self.bracket {
            return Some(base);
        }
        let cost = if inside {
            base + self.higher[u] + self.lower[v]
        } else {
            base + self.lower[u]
        };
        match self.question {
            None => Some(cost),
            Some(_) => Some(cost + self.question_cost(u, Some(v))),
        }
    }

    fn outside(&self, vertex: usize) -> Option<W> {
        let price = self.outside[self.class_of[vertex]]?;
        if vertex >= self.bracket {
            return Some(price);
        }
        let may = !matches!(self.roles[vertex], VertexRole::Paired | VertexRole::Higher);
        may.then(|| price + self.lower[vertex] + self.question_cost(vertex, None))
    }
}

/// The number of parts that the weights of a scope need.
pub(super) fn parts(field: &DutchField, scope: &Scope) -> usize {
    let (layout, _) = CriterionDigits::laid_out(scope, field);
    layout.parts()
}

/// The number of each player's scoregroup, by place.
fn scoregroup_numbers(field: &DutchField) -> Vec<usize> {
    let groups = field.scoregroups();
    (0..)
        .zip(groups)
        .flat_map(|(number, group)| group.map(move |_| number))
        .collect()
}
