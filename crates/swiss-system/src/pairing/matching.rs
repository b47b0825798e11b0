//! Minimum-weight perfect matching on a general graph, exact, in O(n³) on integers.
//!
//! The algorithm is Edmonds' primal–dual ("blossom") method: J. Edmonds, "Paths, trees, and flowers", Canadian
//! Journal of Mathematics 17 (1965), and "Maximum matching and a polyhedron with 0,1-vertices", Journal of Research of
//! the National Bureau of Standards 69B (1965), organised after Z. Galil, "Efficient algorithms for finding maximum
//! matching in graphs", ACM Computing Surveys 18 (1986). One alternating tree is grown at a time from a free vertex;
//! an event costs time linear in n, because each vertex, and each outer blossom, remembers its least-slack edge to
//! the tree.
//!
//! The linear program behind it, for weights w: a dual y of any sign for each vertex and z ≥ 0 for each blossom (odd
//! set) B, such that the *slack* of every edge, w(uv) − y(u) − y(v) + Σ z(B) over all B that hold both ends, is never
//! negative. A perfect matching whose edges have no slack and which has (|B| − 1)/2 edges inside each B with z(B) > 0
//! is of least weight, and every perfect matching of least weight is like that. The duals are returned, so that
//! anybody can check the optimum without trusting the search.
//!
//! Costs are asked for again and again and need not be stored: with thousands of vertices a matrix of them would take
//! far more memory and time than the search.
//!
//! May not: know players or rounds.

mod repair;
mod search;
mod weight;

pub(crate) use search::{Search, Stuck};
pub(crate) use weight::{Lexicographic, Weight};

/// The edges of a graph and their costs. All costs are given doubled, so that half of the slack between two outer
/// vertices is exact.
pub(crate) trait EdgeCosts {
    /// The type of the costs.
    type Weight: Weight;

    fn order(&self) -> usize;

    /// Twice the cost of an edge between different vertices, the same both ways; `None` if there is no edge.
    fn doubled(&self, u: usize, v: usize) -> Option<Self::Weight>;

    /// Twice the price of leaving a vertex without a partner; `None` for a vertex that must have one.
    fn outside(&self, vertex: usize) -> Option<Self::Weight>;
}

/// An undirected graph with integer edge weights, held as a full matrix.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    order: usize,
    doubled: Vec<Option<i128>>,
}

impl Graph {
    /// The graph on vertices `0..order`; `weight(u, v)` is asked once for each `u < v`, `None` is no edge.
    ///
    /// # Panics
    /// When a weight is beyond ± [`Graph::limit`].
    pub(crate) fn new(order: usize, mut weight: impl FnMut(usize, usize) -> Option<i128>) -> Self {
        let limit = Self::limit(order);
        let mut doubled = vec![None; order * order];
        for u in 0..order {
            for v in u + 1..order {
                if let Some(weight) = weight(u, v) {
                    assert!((-limit..=limit).contains(&weight), "weight {weight} beyond ±{limit}");
                    doubled[u * order + v] = Some(2 * weight);
                    doubled[v * order + u] = Some(2 * weight);
                }
            }
        }
        Self { order, doubled }
    }

    /// The largest weight, of either sign, that a graph of this order may have: 2¹¹⁶ / order.
    ///
    /// With doubled weights up to W, the duals of the vertices begin within 3W, and the sum of all dual changes is at
    /// most nW while a perfect matching exists: the dual objective begins at −nW/2 or more, grows by each change, and
    /// never passes the optimum, which is at most nW/2. So no dual of a vertex is beyond (n + 3)W ≤ 2¹¹⁹, the blossoms
    /// around a vertex, of which only the outermost changes at a time, have at most 2nW ≤ 2¹¹⁸ together, and no slack
    /// is beyond 2¹²¹.
    ///
    /// # Panics
    /// When `order` is not below 2¹¹⁶; no memory is that large.
    pub(crate) fn limit(order: usize) -> i128 {
        (1 << 116) / i128::try_from(order.max(1)).expect("fits")
    }
}

impl EdgeCosts for Graph {
    type Weight = i128;

    fn order(&self) -> usize {
        self.order
    }

    fn doubled(&self, u: usize, v: usize) -> Option<i128> {
        self.doubled[u * self.order + v]
    }

    fn outside(&self, _: usize) -> Option<i128> {
        None
    }
}

impl<C: EdgeCosts> EdgeCosts for &C {
    type Weight = C::Weight;

    fn order(&self) -> usize {
        (**self).order()
    }

    fn doubled(&self, u: usize, v: usize) -> Option<C::Weight> {
        (**self).doubled(u, v)
    }

    fn outside(&self, vertex: usize) -> Option<C::Weight> {
        (**self).outside(vertex)
    }
}

/// The graph has no perfect matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no perfect matching")]
pub(crate) struct NoMatchingError;

/// A perfect matching of least weight, with the proof that it is one.
#[derive(Clone, Debug)]
pub(crate) struct Matching {
    pub(crate) mate: Vec<usize>,
    /// The dual of each vertex, for doubled weights.
    vertex_duals: Vec<i128>,
    /// The blossoms with a dual above zero: vertices and that dual.
    blossoms: Vec<(Vec<usize>, i128)>,
}

/// One end of an edge that can be in a matching of least weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TightEdge {
    pub(crate) to: usize,
    /// The number of blossoms with a dual above zero around both ends.
    pub(crate) blossoms: usize,
}

impl Matching {
    /// For each vertex, the edges that a matching of least weight can have, as far as their slack tells, by the
    /// vertex at the other end.
    ///
    /// The perfect matchings of least weight are the perfect matchings of these edges with the largest sum of
    /// [`TightEdge::blossoms`] (by complementary slackness).
    pub(crate) fn tight_edges(&self, costs: &impl EdgeCosts<Weight = i128>) -> Vec<Vec<TightEdge>> {
        let proof = Proof::new(self);
        let order = costs.order();
        let mut tight = vec![Vec::new(); order];
        for v in 0..order {
            for u in 0..v {
                if let Some((0, blossoms)) = proof.slack(costs, u, v) {
                    tight[u].push(TightEdge { to: v, blossoms });
                    tight[v].push(TightEdge { to: u, blossoms });
                }
            }
        }
        for edges in &mut tight {
            edges.sort_unstable_by_key(|edge| edge.to);
        }
        tight
    }

    /// True if the duals prove that this is a perfect matching of least weight: no slack and no blossom dual is below
    /// zero, the edges of the matching have no slack, and every blossom is full of them.
    pub(crate) fn is_certified(&self, costs: &impl EdgeCosts<Weight = i128>) -> bool {
        let proof = Proof::new(self);
        let order = costs.order();
        let slack = |u: usize, v: usize| proof.slack(costs, u, v).map(|(slack, _)| slack);
        let paired = |u: usize| {
            let v = self.mate[u];
            v < order && v != u && self.mate[v] == u && slack(u, v) == Some(0)
        };
        let full = |(vertices, dual): &(Vec<usize>, i128)| {
            let inside = vertices
                .iter()
                .filter(|&&u| vertices.binary_search(&self.mate[u]).is_ok())
                .count();
            vertices.is_sorted_by(|u, v| u < v) && *dual >= 0 && inside + 1 == vertices.len()
        };
        self.mate.len() == order
            && (0..order).all(paired)
            && self.blossoms.iter().all(full)
            && (0..order).all(|v| (0..v).all(|u| slack(u, v).is_none_or(|slack| slack >= 0)))
    }
}

/// The duals of a matching, with the blossoms around each vertex.
struct Proof<'a> {
    matching: &'a Matching,
    /// For each vertex, the indexes of its blossoms in the matching's list, ascending.
    around: Vec<Vec<usize>>,
}

impl<'a> Proof<'a> {
    fn new(matching: &'a Matching) -> Self {
        let mut around = vec![Vec::new(); matching.vertex_duals.len()];
        for (at, (vertices, _)) in matching.blossoms.iter().enumerate() {
            for &vertex in vertices {
                around[vertex].push(at);
            }
        }
        Self { matching, around }
    }

    /// The slack of an edge and the number of blossoms around both ends; `None` if there is no edge.
    fn slack(&self, costs: &impl EdgeCosts<Weight = i128>, u: usize, v: usize) -> Option<(i128, usize)> {
        let duals = &self.matching.vertex_duals;
        let mut slack = costs.doubled(u, v)? - duals[u] - duals[v];
        let mut blossoms = 0;
        for at in &self.around[u] {
            if self.around[v].binary_search(at).is_ok() {
                slack += self.matching.blossoms[*at].1;
                blossoms += 1;
            }
        }
        Some((slack, blossoms))
    }
}

/// A perfect matching of least total weight.
///
/// # Errors
/// [`NoMatchingError`] when there is none; never for a complete graph on an even number of vertices.
pub(crate) fn minimum_weight_perfect_matching(
    costs: &impl EdgeCosts<Weight = i128>,
) -> Result<Matching, NoMatchingError> {
    let order = costs.order();
    if !order.is_multiple_of(2) {
        return Err(NoMatchingError);
    }
    let mut search = Search::new(costs, least_duals(costs)?);
    search.match_greedily();
    search.run()?;
    let mates = (0..order).map(|vertex| search.mate(vertex));
    let matching = Matching {
        mate: mates.map(|mate| mate.expect("every vertex is matched")).collect(),
        blossoms: search.blossoms(),
        vertex_duals: search.into_duals(),
    };
    debug_assert!(matching.is_certified(costs), "a matching without proof");
    Ok(matching)
}

/// For each vertex, half of its least doubled weight: duals without negative slack.
fn least_duals(costs: &impl EdgeCosts<Weight = i128>) -> Result<Vec<i128>, NoMatchingError> {
    let others = |u: usize| (0..costs.order()).filter(move |&v| v != u);
    let least = |u: usize| others(u).filter_map(|v| costs.doubled(u, v)).min();
    (0..costs.order())
        .map(|u| least(u).map(Weight::halved).ok_or(NoMatchingError))
        .collect()
}

#[cfg(test)]
mod tests;
