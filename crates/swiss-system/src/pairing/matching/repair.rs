//! Changes costs after the search, and repairs its result instead of starting again.
//!
//! Duals that leave no slack below zero stay as they are; only what is no longer tight is taken apart and matched
//! anew.
//!
//! This serves callers that ask hundreds of questions about one graph, each about one vertex, as the order of
//! generation of the Dutch system does about a bracket: an answer costs a short search.
//!
//! May not: know why costs change.

use crate::pairing::matching::search::VertexState;
use crate::pairing::matching::{EdgeCosts, NoMatchingError, Search, Weight};

/// The number of vertices for which [`Search::exchange`] looks for another place.
const MOST_SEEKERS: usize = 64;

impl<C: EdgeCosts> Search<C> {
    /// Raises the dual of each free vertex as far as it goes, and matches it with the first free vertex that is tight
    /// then.
    pub(super) fn match_greedily(&mut self) {
        for u in 0..self.order {
            if self.place[u] != VertexState::Free {
                continue;
            }
            self.raise(u);
            let tight =
                |&v: &usize| v != u && self.place[v] == VertexState::Free && self.slack(u, v) == Some(C::Weight::ZERO);
            if let Some(v) = (0..self.order).find(tight) {
                self.place[u] = VertexState::With(v);
                self.place[v] = VertexState::With(u);
            }
        }
    }

    /// Sets the dual of a vertex in no blossom to the most that leaves no slack below zero.
    fn raise(&mut self, u: usize) {
        let edges = self.live.iter().copied().filter(|&v| v != u);
        let edges = edges.filter_map(|v| Some(self.costs.doubled(u, v)? - self.y[v]));
        if let Some(most) = edges.chain(self.costs.outside(u)).min() {
            self.y[u] = most;
        }
    }

    pub(super) fn into_duals(self) -> Vec<C::Weight> {
        self.y
    }

    /// True if the vertex has no slack where it is.
    fn is_tight(&self, vertex: usize) -> bool {
        matches!(self.place[vertex], VertexState::Settled(_)) || self.fits(vertex, self.place[vertex])
    }

    /// Takes a vertex, and its partner if it has one, out of the matching.
    fn set_free(&mut self, vertex: usize) {
        if let VertexState::With(mate) = self.place[vertex] {
            self.place[mate] = VertexState::Free;
        }
        self.place[vertex] = VertexState::Free;
    }

    /// Takes a top-level blossom apart: its dual goes into those of its vertices, so that edges inside keep their
    /// slack and edges out of it gain some.
    fn dissolve(&mut self, blossom: usize) -> Vec<usize> {
        let share = self.z[blossom - self.order].halved();
        if share > C::Weight::ZERO {
            let mut vertices = Vec::new();
            self.each_vertex(blossom, &mut |vertex| vertices.push(vertex));
            for vertex in vertices {
                self.y[vertex] = self.y[vertex] - share;
            }
            self.set_free(self.base[blossom]);
        }
        self.take_apart(blossom)
    }

    /// Takes all blossoms around a vertex apart.
    pub(super) fn dissolve_around(&mut self, vertex: usize) {
        while self.top[vertex] != vertex {
            self.dissolve(self.top[vertex]);
        }
    }

    /// Takes apart all top-level blossoms with dual zero, and then such blossoms among their parts.
    pub(super) fn dissolve_empty_blossoms(&mut self) {
        let blossoms = self.live_blossoms();
        let mut empty: Vec<usize> = blossoms.filter(|&blossom| self.parent[blossom].is_none()).collect();
        while let Some(node) = empty.pop() {
            if node >= self.order && self.z[node - self.order] == C::Weight::ZERO {
                empty.extend(self.take_apart(node));
            }
        }
    }

    /// Changes the costs of edges of `vertex` alone, and finds the least total again.
    ///
    /// # Errors
    /// [`NoMatchingError`] when the change leaves none.
    pub(crate) fn change_at(&mut self, vertex: usize, change: impl FnOnce(&mut C)) -> Result<(), NoMatchingError> {
        self.dissolve_around(vertex);
        change(&mut self.costs);
        self.raise(vertex);
        self.refresh_ports(vertex);
        if !self.is_tight(vertex) {
            self.set_free(vertex);
        }
        self.run()
    }

    /// Raises costs anywhere (this may remove edges), and finds the least total again.
    ///
    /// # Errors
    /// [`NoMatchingError`] when the change leaves none.
    pub(crate) fn raise_costs(&mut self, change: impl FnOnce(&mut C)) -> Result<(), NoMatchingError> {
        for vertex in 0..self.order {
            self.dissolve_around(vertex);
        }
        change(&mut self.costs);
        for vertex in 0..self.order {
            if !self.is_tight(vertex) {
                self.set_free(vertex);
            }
        }
        self.run()
    }

    /// Takes a matched pair out of the graph for good; `remove` must take away all their edges, and their price
    /// outside. The rest keeps a matching of least total.
    ///
    /// # Errors
    /// Never, if the two are partners in a matching of least total.
    pub(crate) fn settle(&mut self, u: usize, v: usize, remove: impl FnOnce(&mut C)) -> Result<(), NoMatchingError> {
        self.take_out(u, v, remove);
        self.run()
    }

    /// Takes a pair, matched or not, out of the graph for good, without finding the least total again.
    pub(crate) fn take_out(&mut self, u: usize, v: usize, remove: impl FnOnce(&mut C)) {
        self.dissolve_around(u);
        self.dissolve_around(v);
        remove(&mut self.costs);
        for (one, other) in [(u, v), (v, u)] {
            if self.mate(one) != Some(other) {
                self.set_free(one);
            }
        }
        self.place[u] = VertexState::Settled(v);
        self.place[v] = VertexState::Settled(u);
        self.live.retain(|&vertex| vertex != u && vertex != v);
    }

    /// Gives `u` the partner `v` if that costs nothing and touches no blossom. The two former partners are then
    /// matched with each other, stay outside in place of `v`, or take somebody else's partner, who does so in turn.
    /// Only few are looked at; returns true if it was done.
    pub(crate) fn exchange(&mut self, u: usize, v: usize) -> bool {
        let VertexState::With(x) = self.place[u] else {
            return false;
        };
        let (first, goal) = match self.place[v] {
            VertexState::With(w) => (w, VertexState::With(x)),
            VertexState::Outside => (x, VertexState::Outside),
            VertexState::Free | VertexState::Settled(_) => return false,
        };
        let is_plain = |vertex: usize| self.top[vertex] == vertex;
        if first == u || ![u, v, first, x].into_iter().all(is_plain) || !self.fits(u, VertexState::With(v)) {
            return false;
        }
        let Some(changes) = self.way_out(first, goal, [u, v, x, first]) else {
            return false;
        };
        for (vertex, place) in changes.into_iter().chain([(u, VertexState::With(v))]) {
            self.place[vertex] = place;
            if let VertexState::With(mate) = place {
                self.place[mate] = VertexState::With(vertex);
            }
        }
        true
    }

    /// The moves by which `first` and all who lose their partners by that find a place, the last one by `goal`.
    fn way_out(&self, first: usize, goal: VertexState, taken: [usize; 4]) -> Option<Vec<(usize, VertexState)>> {
        // Each with the index in this list of the vertex that took its partner.
        let mut seekers = vec![(first, 0)];
        // True for vertices that are not in a pair on the way already.
        let mut open = vec![true; self.order];
        for vertex in taken {
            open[vertex] = false;
        }
        let mut others = self.live.clone();
        let mut found = self.fits(first, goal).then_some(0);
        let mut at = 0;
        while found.is_none() && at < seekers.len().min(MOST_SEEKERS) {
            let seeker = seekers[at].0;
            others.retain(|&other| {
                let VertexState::With(robbed) = self.place[other] else {
                    return false;
                };
                if !open[other] {
                    return false;
                }
                let plain = self.top[other] == other && self.top[robbed] == robbed;
                if found.is_some() || !plain || robbed == seeker || !self.fits(seeker, VertexState::With(other)) {
                    return true;
                }
                if self.fits(robbed, goal) {
                    found = Some(seekers.len());
                }
                seekers.push((robbed, at));
                (open[other], open[robbed]) = (false, false);
                false
            });
            at += 1;
        }
        let mut changes = Vec::new();
        let (mut at, mut place) = (found?, goal);
        loop {
            let (seeker, before) = seekers[at];
            changes.push((seeker, place));
            if at == 0 {
                return Some(changes);
            }
            place = self.place[seeker];
            at = before;
        }
    }

    /// True if the vertex, which is in no blossom, would have no slack in that place.
    fn fits(&self, vertex: usize, place: VertexState) -> bool {
        let slack = match place {
            VertexState::With(mate) => self.slack(vertex, mate),
            VertexState::Outside => self.costs.outside(vertex).map(|price| price - self.y[vertex]),
            VertexState::Free | VertexState::Settled(_) => None,
        };
        slack == Some(C::Weight::ZERO)
    }

    /// True if a vertex is neither matched nor left outside.
    pub(crate) fn is_free(&self, vertex: usize) -> bool {
        self.place[vertex] == VertexState::Free
    }

    /// True if an edge can be in a matching of least total, as far as its slack tells.
    pub(crate) fn may_be_matched(&self, u: usize, v: usize) -> bool {
        let Some(mut slack) = self.slack(u, v) else {
            return false;
        };
        let mut around = self.parent[u];
        while let Some(blossom) = around {
            if self.is_inside(v, blossom) {
                slack = slack + self.z[blossom - self.order];
            }
            around = self.parent[blossom];
        }
        slack == C::Weight::ZERO
    }

    fn is_inside(&self, vertex: usize, blossom: usize) -> bool {
        let mut node = vertex;
        while let Some(parent) = self.parent[node] {
            if parent == blossom {
                return true;
            }
            node = parent;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    //! After any sequence of changes the search agrees with brute force.

    use proptest::prelude::*;

    use super::*;
    use crate::pairing::matching::Lexicographic;

    const ORDER: usize = 9;

    /// Costs in two parts, and prices outside.
    #[derive(Clone, Debug)]
    struct TwoPartCosts {
        edges: Vec<Option<[i128; 2]>>,
        outside: Vec<Option<[i128; 2]>>,
    }

    fn doubled(parts: [i128; 2]) -> Lexicographic<2> {
        Lexicographic(parts.map(|part| 2 * part))
    }

    impl EdgeCosts for TwoPartCosts {
        type Weight = Lexicographic<2>;

        fn order(&self) -> usize {
            ORDER
        }

        fn doubled(&self, u: usize, v: usize) -> Option<Lexicographic<2>> {
            self.edges[u.min(v) * ORDER + u.max(v)].map(doubled)
        }

        fn outside(&self, vertex: usize) -> Option<Lexicographic<2>> {
            self.outside[vertex].map(doubled)
        }
    }

    impl TwoPartCosts {
        fn set(&mut self, u: usize, v: usize, cost: Option<[i128; 2]>) {
            self.edges[u.min(v) * ORDER + u.max(v)] = cost;
        }

        fn brute_force(&self, free: &[usize]) -> Option<Lexicographic<2>> {
            let Some((&u, rest)) = free.split_first() else {
                return Some(Lexicographic::ZERO);
            };
            let alone = self.outside(u).and_then(|price| Some(price + self.brute_force(rest)?));
            let with = |&v: &usize| {
                let left: Vec<usize> = rest.iter().copied().filter(|&other| other != v).collect();
                Some(self.doubled(u, v)? + self.brute_force(&left)?)
            };
            rest.iter().filter_map(with).chain(alone).min()
        }
    }

    /// The total that the search found; checks that it is a matching of existing edges.
    fn total(search: &Search<TwoPartCosts>, left: &[usize]) -> Lexicographic<2> {
        let cost = |u: usize| match search.mate(u) {
            Some(v) => {
                assert_eq!(search.mate(v), Some(u));
                (u < v).then(|| search.costs().doubled(u, v).expect("an edge"))
            }
            None => Some(search.costs().outside(u).expect("a price")),
        };
        left.iter()
            .filter_map(|&u| cost(u))
            .fold(Lexicographic::ZERO, |sum, cost| sum + cost)
    }

    fn cost() -> impl Strategy<Value = Option<[i128; 2]>> {
        proptest::option::weighted(0.8, proptest::array::uniform2(0..4_i128))
    }

    fn tables() -> impl Strategy<Value = TwoPartCosts> {
        let edges = proptest::collection::vec(cost(), ORDER * ORDER);
        let outside = proptest::collection::vec(
            proptest::option::weighted(0.6, proptest::array::uniform2(0..9_i128)),
            ORDER,
        );
        (edges, outside).prop_map(|(edges, outside)| TwoPartCosts { edges, outside })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn mended_is_as_good_as_new(
            table in tables(),
            changes in proptest::collection::vec((0..4_u8, 0..ORDER, 0..ORDER, proptest::collection::vec(cost(), ORDER)), 0..12),
        ) {
            let everybody: Vec<usize> = (0..ORDER).collect();
            let best = table.brute_force(&everybody);
            let mut search = Search::new(table, vec![Lexicographic::ZERO; ORDER]);
            search.match_greedily();
            prop_assert_eq!(search.run().is_ok(), best.is_some());
            if best.is_none() {
                return Ok(());
            }
            let mut left = everybody;
            for (kind, u, v, costs) in changes {
                let result = match kind {
                    _ if !left.contains(&u) || !left.contains(&v) => continue,
                    0 => search.change_at(u, |table| {
                        for &other in left.iter().filter(|&&other| other != u) {
                            table.set(u, other, costs[other]);
                        }
                    }),
                    1 => search.raise_costs(|table| {
                        for (&a, cost) in left.iter().zip(&costs) {
                            for &b in left.iter().filter(|&&b| b > a) {
                                let old = table.edges[a * ORDER + b];
                                let raised = |old: [i128; 2]| cost.map(|more| [old[0] + more[0], old[1] + more[1]]);
                                let new = if (a + b) % 3 == 0 { old.and_then(raised) } else { old };
                                table.set(a, b, new);
                            }
                        }
                    }),
                    2 => {
                        let before = total(&search, &left);
                        if u != v && search.exchange(u, v) {
                            prop_assert_eq!(search.mate(u), Some(v));
                            prop_assert_eq!(total(&search, &left), before);
                        }
                        Ok(())
                    }
                    _ => {
                        let Some(mate) = search.mate(u) else { continue };
                        left.retain(|&other| other != u && other != mate);
                        let result = search.settle(u, mate, |table| {
                            for other in 0..ORDER {
                                for gone in [u, mate] {
                                    table.set(gone, other, None);
                                    table.outside[gone] = None;
                                }
                            }
                        });
                        prop_assert_eq!(search.mate(u), Some(mate));
                        result
                    }
                };
                let best = search.costs().brute_force(&left);
                prop_assert_eq!(result.is_ok(), best.is_some());
                if best.is_none() {
                    return Ok(());
                }
                prop_assert_eq!(Some(total(&search, &left)), best);
            }
        }
    }
}
