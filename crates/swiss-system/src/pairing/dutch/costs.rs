//! The graph of a scope, as the matching reads it.
//!
//! May not: know the criteria.

use crate::pairing::dutch::bracket::Shortfall;
use crate::pairing::dutch::digits::{Digits, FieldId, Places};
use crate::pairing::dutch::player::Field;
use crate::pairing::dutch::prices::{Fields, Profile};
use crate::pairing::matching;

/// Who must not meet whom among the vertices, a bit each.
pub(super) struct Barred {
    words: usize,
    bits: Vec<u64>,
}

impl Barred {
    pub(super) fn new(field: &Field, vertices: &[usize], order: usize) -> Self {
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
pub(super) enum Role {
    /// Nothing is settled.
    Any,
    /// Must be paired in this bracket.
    Paired,
    /// Must leave the bracket.
    Leaves,
    /// Not the higher-numbered of a pair's S1 side: must not be the higher ranked of a pair in the bracket.
    NotHigher,
    /// Must be the higher ranked of a pair in the bracket.
    Higher,
}

/// A question about one vertex, put to the matching as the least important digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// To be paired in the bracket.
    Paired,
    /// Not to be the higher ranked of a pair in the bracket.
    NotHigher,
    /// To be the higher ranked of a pair in the bracket.
    Higher,
    /// To have the highest ranked partner.
    FirstPartner,
}

/// The costs of a scope, as the matching reads them.
pub(super) struct Costs<W: Digits> {
    /// Vertices below this are in the bracket.
    pub(super) bracket: usize,
    pub(super) class_of: Vec<usize>,
    pub(super) classes: usize,
    pub(super) table: Vec<Option<W>>,
    pub(super) outside: Vec<Option<W>>,
    pub(super) barred: Barred,
    pub(super) roles: Vec<Role>,
    /// By vertex, what it costs more if it is the higher ranked of a pair, and if it is not (article 4.3).
    pub(super) higher: Vec<W>,
    pub(super) lower: Vec<W>,
    pub(super) question: Option<(usize, Wish)>,
    pub(super) places: Places,
    pub(super) fields: Fields,
}

impl<W: Digits> Costs<W> {
    /// Takes a vertex out of the graph.
    pub(super) fn remove(&mut self, vertex: usize) {
        self.class_of[vertex] = 0;
    }

    /// Article 4.3: makes exchanges between S1, the first `pairs` vertices of the remainder, and S2, the others, cost:
    /// "the smallest number of players exchanged, then the smallest difference between the sums of their numbers".
    ///
    /// In a pairing of the remainder the higher ranked of each pair is in S1 after the exchange. So an original S2
    /// player who is the higher ranked of a pair was moved up, an original S1 player who is not was moved down. As many
    /// go up as down, so that differences may be counted from the border.
    pub(super) fn charge_exchanges(&mut self, remainder: &[usize], pairs: usize) {
        for (position, &vertex) in remainder.iter().enumerate() {
            let count = |distance: usize| {
                let distance = u32::try_from(distance).expect("few players");
                self.places.units::<W>(self.fields.difference, distance)
            };
            if position < pairs {
                self.lower[vertex] = count(pairs - 1 - position);
            } else {
                self.higher[vertex] = count(position - pairs) + self.places.units(self.fields.exchanges, 1);
            }
        }
    }

    /// C8: how well the next bracket can be paired in a matching of this total.
    pub(super) fn next_shortfall(&self, total: W) -> Shortfall {
        self.read(
            self.fields.next_downfloaters,
            &self.fields.next_downfloater_scores,
            total,
        )
    }

    /// C6 and C7 of a matching of this total.
    pub(super) fn shortfall(&self, total: W) -> Shortfall {
        self.read(self.fields.downfloaters, &self.fields.downfloater_scores, total)
    }

    /// What a matching of this total has against each criterion, in their order.
    pub(super) fn profile(&self, total: W) -> Profile {
        let fields = self.fields.criteria();
        fields
            .into_iter()
            .map(|(criterion, field)| (criterion, self.places.read(field, total)))
            .collect()
    }

    fn read(&self, downfloaters: FieldId, by_score: &[FieldId], total: W) -> Shortfall {
        Shortfall {
            downfloaters: self.places.read(downfloaters, total),
            by_score: by_score.iter().map(|&field| self.places.read(field, total)).collect(),
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
            Wish::Paired => u32::from(!inside),
            Wish::NotHigher => u32::from(is_higher),
            Wish::Higher => u32::from(!is_higher),
            Wish::FirstPartner => {
                let partner = if asked == u { v.unwrap_or(0) } else { u };
                u32::try_from(partner.min(self.bracket)).expect("few players")
            }
        };
        self.places.units(self.fields.question, cost)
    }
}

impl<W: Digits> matching::Costs for Costs<W> {
    type Weight = W;

    fn order(&self) -> usize {
        self.class_of.len()
    }

    fn doubled(&self, u: usize, v: usize) -> Option<W> {
        let (u, v) = (u.min(v), u.max(v));
        let inside = v < self.bracket;
        let may = match (self.roles[u], self.roles[v]) {
            (Role::Leaves | Role::NotHigher, _) | (_, Role::Leaves | Role::Higher) if inside => false,
            (Role::Paired | Role::Higher, _) => inside,
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
        let may = !matches!(self.roles[vertex], Role::Paired | Role::Higher);
        may.then(|| price + self.lower[vertex] + self.question_cost(vertex, None))
    }
}
