//! Article 3: the best candidate of one bracket, and among the best the one that is generated first.
//!
//! The matching of least cost in view settles how good the best is: every best candidate is a matching of the same
//! cost. Then the order of generation is followed. Each step asks if there is a matching of that cost with the choice
//! that comes first: which moved-down players are paired (3.2.4, 4.4), with whom (4.2), who is exchanged between S1
//! and S2 of the remainder (4.3), who meets whom there (4.2). "The remainder is paired in all ways before the pairs
//! of the moved-down players are altered" (3.7), so that these come first.
//!
//! May not: look beyond its scope.

use std::collections::VecDeque;

use crate::pairing::dutch::costs::{self, ScopeCosts, VertexQuestion, VertexRole};
use crate::pairing::dutch::criterion::Profile;
use crate::pairing::dutch::digits::DigitWeight;
use crate::pairing::dutch::player::DutchField;
use crate::pairing::dutch::scope::Scope;
use crate::pairing::dutch::shortfall::Shortfall;
use crate::pairing::matching::{EdgeCosts as _, Lexicographic, NoMatchingError, Search, Stuck};

/// The choice for a bracket, in places of the field.
#[derive(Clone, Debug)]
pub(super) struct BracketChoice {
    /// The scope from which it was chosen.
    pub(super) scope: Scope,
    /// The pairs, the higher ranked player first.
    pub(super) pairs: Vec<(usize, usize)>,
    /// The players who are not paired in the bracket, ascending.
    pub(super) downfloaters: Vec<usize>,
    /// How well the next bracket can be paired, as far as it is in view.
    pub(super) next: Shortfall,
}

/// The candidate for the bracket of a scope.
///
/// # Errors
/// [`NoMatchingError`] when those in view cannot be paired.
pub(super) fn choose(field: &DutchField, scope: &Scope) -> Result<BracketChoice, NoMatchingError> {
    match costs::parts(field, scope) {
        0..=1 => choose_in::<i128>(field, scope),
        2 => choose_in::<Lexicographic<2>>(field, scope),
        3..=4 => choose_in::<Lexicographic<4>>(field, scope),
        5..=16 => choose_in::<Lexicographic<16>>(field, scope),
        _ => choose_in::<Lexicographic<256>>(field, scope),
    }
}

/// How well the bracket of a scope can be paired, with one set of downfloaters that reaches this.
///
/// # Errors
/// [`NoMatchingError`] when those in view cannot be paired.
pub(super) fn measure(field: &DutchField, scope: &Scope) -> Result<(Shortfall, Vec<usize>), NoMatchingError> {
    match costs::parts(field, scope) {
        0..=1 => BracketMatching::<i128>::solve(field, scope).map(BracketMatching::into_measure),
        2 => BracketMatching::<Lexicographic<2>>::solve(field, scope).map(BracketMatching::into_measure),
        _ => BracketMatching::<Lexicographic<64>>::solve(field, scope).map(BracketMatching::into_measure),
    }
}

/// The place of the player with the bye in a matching of least cost.
///
/// # Errors
/// [`NoMatchingError`] when those in view cannot be paired.
pub(super) fn bye_of(field: &DutchField, scope: &Scope) -> Result<Option<usize>, NoMatchingError> {
    let bracket = BracketMatching::<i128>::solve(field, scope)?;
    let seat = bracket.places.len();
    let has_seat = bracket.search.costs().order() > seat;
    let bye = has_seat.then(|| bracket.search.mate(seat).expect("nobody is left outside"));
    Ok(bye.map(|vertex| bracket.places[vertex]))
}

/// Why the players in view cannot be paired, in places of the field; the bye has the place after the last. `None` if
/// they can.
pub(super) fn stuck(field: &DutchField, scope: &Scope) -> Option<Stuck> {
    let costs = ScopeCosts::<i128>::new(field, scope);
    let order = costs.order();
    let mut search = Search::new(costs, vec![0; order]);
    search.run().err()?;
    Some(search.stuck())
}

fn choose_in<W: DigitWeight>(field: &DutchField, scope: &Scope) -> Result<BracketChoice, NoMatchingError> {
    let mut bracket = BracketMatching::<W>::solve(field, scope)?;
    let next = bracket.search.costs().next_shortfall(bracket.total());
    bracket.choose_moved_down()?;
    bracket.choose_opponents_of_moved_down()?;
    bracket.choose_remainder()?;
    Ok(bracket.into_chosen(scope, next))
}

/// How well the criteria can be met, with the counts against each, if these pairs, and these roles of others, are
/// laid down. `None` if not everybody in view can then be paired.
pub(super) fn profile(
    field: &DutchField,
    scope: &Scope,
    pairs: &[(usize, usize)],
    roles: &[(usize, VertexRole)],
) -> Option<Profile> {
    match costs::parts(field, scope) {
        0..=1 => profile_in::<i128>(field, scope, pairs, roles),
        2..=4 => profile_in::<Lexicographic<4>>(field, scope, pairs, roles),
        _ => profile_in::<Lexicographic<256>>(field, scope, pairs, roles),
    }
}

fn profile_in<W: DigitWeight>(
    field: &DutchField,
    scope: &Scope,
    pairs: &[(usize, usize)],
    roles: &[(usize, VertexRole)],
) -> Option<Profile> {
    let places = scope.vertices();
    let vertex = |place: usize| {
        let found = places.iter().position(|&other| other == place);
        found.expect("who is asked about is in view")
    };
    let pairs: Vec<(usize, usize)> = pairs.iter().map(|&(u, v)| (vertex(u), vertex(v))).collect();
    let mut costs = ScopeCosts::<W>::new(field, scope);
    let mut total = W::ZERO;
    for &(u, v) in &pairs {
        total = total + costs.doubled(u, v)?;
    }
    for &(place, role) in roles {
        costs.roles[vertex(place)] = role;
    }
    let order = costs.order();
    let mut search = Search::new(costs, vec![W::ZERO; order]);
    for (u, v) in pairs {
        search.take_out(u, v, |costs| {
            costs.remove(u);
            costs.remove(v);
        });
    }
    let mut bracket = BracketMatching {
        moved_down: scope.moved_down.len(),
        end: search.costs().bracket,
        places,
        search,
    };
    bracket.propose_first_candidates(scope);
    bracket.search.run().ok()?;
    let total = total + bracket.total();
    Some(bracket.search.costs().profile(total))
}

/// A bracket with a matching of least cost.
struct BracketMatching<W: DigitWeight> {
    search: Search<ScopeCosts<W>>,
    places: Vec<usize>,
    /// Vertices below this are moved-down players.
    moved_down: usize,
    /// Vertices below this are in the bracket.
    end: usize,
}

impl<W: DigitWeight> BracketMatching<W> {
    fn solve(field: &DutchField, scope: &Scope) -> Result<Self, NoMatchingError> {
        let costs = ScopeCosts::<W>::new(field, scope);
        let order = costs.order();
        let mut bracket = Self {
            places: scope.vertices(),
            moved_down: scope.moved_down.len(),
            end: costs.bracket,
            search: Search::new(costs, vec![W::ZERO; order]),
        };
        bracket.propose_first_candidates(scope);
        bracket.search.run()?;
        Ok(bracket)
    }

    /// Starts with what is most often right: moved-down players with the first residents, S1 with S2, and neighbours
    /// below the bracket.
    fn propose_first_candidates(&mut self, scope: &Scope) {
        let residents: Vec<usize> = (self.moved_down..self.end).collect();
        let left = self.propose_each((0..self.moved_down).collect(), residents);
        let (s1, s2) = left.split_at(left.len() / 2);
        self.propose_each(s1.to_vec(), s2.to_vec());
        let order = self.search.costs().order();
        let last_player = self.places.len();
        if last_player < order {
            self.propose_each(vec![last_player], (self.end..last_player).rev().collect());
        }
        let next = self.end..self.end + scope.next.len();
        for part in [next.clone(), next.end..last_player] {
            let mut open: VecDeque<usize> = part.filter(|&vertex| self.search.is_free(vertex)).collect();
            while let Some(u) = open.pop_front() {
                if let Some(at) = open.iter().position(|&v| self.search.may_be_matched(u, v)) {
                    let v = open.remove(at).expect("it was found");
                    self.search.propose(u, v);
                }
            }
        }
    }

    /// Proposes to each of `first` the first of `second` that costs nothing; returns those of `second` that are left.
    fn propose_each(&mut self, first: Vec<usize>, mut second: Vec<usize>) -> Vec<usize> {
        for u in first {
            if let Some(at) = second.iter().position(|&v| self.search.may_be_matched(u, v)) {
                self.search.propose(u, second.remove(at));
            }
        }
        second
    }

    /// The cost of the matching, doubled.
    fn total(&self) -> W {
        let costs = self.search.costs();
        let cost = |u: usize| match self.search.mate(u) {
            Some(v) if u < v => costs.doubled(u, v),
            Some(_) => None,
            None => costs.outside(u),
        };
        (0..costs.order())
            .filter_map(cost)
            .fold(W::ZERO, |sum, cost| sum + cost)
    }

    fn is_paired_inside(&self, vertex: usize) -> bool {
        self.search.mate(vertex).is_some_and(|mate| mate < self.end)
    }

    fn is_higher(&self, vertex: usize) -> bool {
        self.search
            .mate(vertex)
            .is_some_and(|mate| vertex < mate && mate < self.end)
    }

    /// Asks if a wish can be granted at no cost to anything more important; the matching grants it if so.
    fn ask(&mut self, vertex: usize, wish: VertexQuestion) -> Result<(), NoMatchingError> {
        self.search
            .change_at(vertex, |costs| costs.question = Some((vertex, wish)))
    }

    fn settle_role(&mut self, vertex: usize, role: VertexRole) -> Result<(), NoMatchingError> {
        self.search.change_at(vertex, |costs| {
            costs.question = None;
            costs.roles[vertex] = role;
        })
    }

    fn settle_pair(&mut self, u: usize, v: usize) -> Result<(), NoMatchingError> {
        self.search.settle(u, v, |costs| {
            costs.question = None;
            costs.remove(u);
            costs.remove(v);
        })
    }

    /// Articles 3.2.4 and 4.4: S1 holds the moved-down players who are paired, the others are in the limbo. The S1
    /// that comes first in lexicographic order of the bracket numbers is tried first.
    fn choose_moved_down(&mut self) -> Result<(), NoMatchingError> {
        if (0..self.moved_down).all(|vertex| self.is_paired_inside(vertex)) {
            return Ok(());
        }
        for vertex in 0..self.moved_down {
            if !self.is_paired_inside(vertex) {
                self.ask(vertex, VertexQuestion::Paired)?;
            }
            let role = if self.is_paired_inside(vertex) {
                VertexRole::Paired
            } else {
                VertexRole::Leaves
            };
            self.settle_role(vertex, role)?;
        }
        Ok(())
    }

    /// Article 4.2: transpositions of the residents, in lexicographic order of the opponents of S1.
    fn choose_opponents_of_moved_down(&mut self) -> Result<(), NoMatchingError> {
        let candidates: Vec<usize> = (self.moved_down..self.end).collect();
        for vertex in 0..self.moved_down {
            if self.is_paired_inside(vertex) {
                self.choose_first_partner(vertex, &candidates)?;
            }
        }
        Ok(())
    }

    /// Gives a vertex the first partner it can have, among candidates in ascending order, and settles the pair.
    fn choose_first_partner(&mut self, vertex: usize, candidates: &[usize]) -> Result<(), NoMatchingError> {
        let mate = |search: &Search<ScopeCosts<W>>| search.mate(vertex).expect("it is paired in the bracket");
        let now = mate(&self.search);
        let mut earlier = candidates.iter().take_while(|&&candidate| candidate < now);
        if let Some(&first) = earlier.find(|&&candidate| self.search.may_be_matched(vertex, candidate))
            && !self.search.exchange(vertex, first)
        {
            self.ask(vertex, VertexQuestion::FirstPartner)?;
        }
        self.settle_pair(vertex, mate(&self.search))
    }

    /// Articles 3.5 and 3.6: the remainder, paired as a homogeneous bracket.
    fn choose_remainder(&mut self) -> Result<(), NoMatchingError> {
        let residents = self.moved_down..self.end;
        let is_left = |vertex: &usize| self.search.mate(*vertex).is_none_or(|mate| mate >= self.moved_down);
        let remainder: Vec<usize> = residents.filter(is_left).collect();
        let pairs = remainder.iter().filter(|&&vertex| self.is_higher(vertex)).count();
        self.search
            .raise_costs(|costs| costs.charge_exchanges(&remainder, pairs))?;
        self.choose_exchanges(&remainder, pairs)?;

        let higher: Vec<usize> = remainder
            .iter()
            .copied()
            .filter(|&vertex| self.is_higher(vertex))
            .collect();
        let lower: Vec<usize> = remainder
            .iter()
            .copied()
            .filter(|&vertex| !self.is_higher(vertex))
            .collect();
        self.search.raise_costs(|costs| {
            for &vertex in &higher {
                costs.roles[vertex] = VertexRole::Higher;
            }
            for &vertex in &lower {
                costs.roles[vertex] = VertexRole::NotHigher;
            }
        })?;
        let mut open = lower;
        for vertex in higher {
            self.choose_first_partner(vertex, &open)?;
            let mate = self.search.mate(vertex);
            open.retain(|&candidate| Some(candidate) != mate);
        }
        Ok(())
    }

    /// Article 4.3: of the exchanges with the fewest players and the smallest difference, "the highest different number
    /// among those moved from S1 to S2", then "the lowest among those moved from S2 to S1".
    fn choose_exchanges(&mut self, remainder: &[usize], pairs: usize) -> Result<(), NoMatchingError> {
        let (s1, s2) = remainder.split_at(pairs);
        let exchanges = s2.iter().filter(|&&vertex| self.is_higher(vertex)).count();
        let mut left = exchanges;
        for &vertex in s1.iter().rev() {
            if left == 0 {
                break;
            }
            if self.is_higher(vertex) {
                self.ask(vertex, VertexQuestion::NotHigher)?;
            }
            let moves = !self.is_higher(vertex);
            self.settle_role(
                vertex,
                if moves {
                    VertexRole::NotHigher
                } else {
                    VertexRole::Higher
                },
            )?;
            left -= usize::from(moves);
        }
        let mut left = exchanges;
        for &vertex in s2 {
            if left == 0 {
                break;
            }
            if !self.is_higher(vertex) {
                self.ask(vertex, VertexQuestion::Higher)?;
            }
            let moves = self.is_higher(vertex);
            self.settle_role(
                vertex,
                if moves {
                    VertexRole::Higher
                } else {
                    VertexRole::NotHigher
                },
            )?;
            left -= usize::from(moves);
        }
        Ok(())
    }

    fn downfloaters(&self) -> Vec<usize> {
        let vertices = (0..self.end).filter(|&vertex| !self.is_paired_inside(vertex));
        let mut places: Vec<usize> = vertices.map(|vertex| self.places[vertex]).collect();
        places.sort_unstable();
        places
    }

    fn into_measure(self) -> (Shortfall, Vec<usize>) {
        (self.search.costs().shortfall(self.total()), self.downfloaters())
    }

    fn into_chosen(self, scope: &Scope, next: Shortfall) -> BracketChoice {
        let mates = (0..self.end).filter_map(|vertex| Some((vertex, self.search.mate(vertex)?)));
        BracketChoice {
            scope: scope.clone(),
            pairs: mates
                .filter(|&(vertex, mate)| vertex < mate && mate < self.end)
                .map(|(vertex, mate)| (self.places[vertex], self.places[mate]))
                .collect(),
            downfloaters: self.downfloaters(),
            next,
        }
    }
}
