//! The first, in order of its list of pairs, of all minimum-weight perfect matchings.
//!
//! A pair is written (smaller vertex, larger vertex), the list is sorted, and lists are compared entry by entry. In
//! other words: vertex 0 gets the smallest partner it has in any matching of least weight, then the smallest vertex
//! still without a partner, and so on.
//!
//! The duals of one solution give the edges of all others: they are its tight edges, and they form connected parts
//! that have nothing to do with each other. Each part is solved again with new weights. First (by the count of
//! blossoms, see [`Matching::tight_edges`]) it must stay a matching of least weight; then the choices of its first
//! vertices are the digits of one number, as many as fit. These vertices and their partners are settled. The rest
//! forms smaller parts, for which the same is done until nothing is left.
//!
//! May not: know players or rounds.

use crate::pairing::matching::{
    EdgeCosts, Graph, Matching, NoMatchingError, TightEdge, minimum_weight_perfect_matching,
};

/// The partner of each vertex in the first of all perfect matchings of least weight.
///
/// # Errors
/// [`NoMatchingError`] when there is none.
pub(crate) fn first_minimum_weight_perfect_matching(
    costs: &impl EdgeCosts<Weight = i128>,
) -> Result<Vec<usize>, NoMatchingError> {
    let matching = minimum_weight_perfect_matching(costs)?;
    let everybody: Vec<usize> = (0..costs.order()).collect();
    let mut parts = split(&matching, costs, &everybody, |_| true);
    let mut mate = matching.mate;
    while let Some(part) = parts.pop() {
        if let [u, v] = *part.vertices {
            mate[u] = v;
            mate[v] = u;
            continue;
        }
        let choices = Choices::new(&part);
        let matching = minimum_weight_perfect_matching(&choices)?;
        let mut open = vec![true; part.vertices.len()];
        for u in 0..choices.places.len() {
            let v = matching.mate[u];
            (mate[part.vertices[u]], mate[part.vertices[v]]) = (part.vertices[v], part.vertices[u]);
            (open[u], open[v]) = (false, false);
        }
        parts.extend(split(&matching, &choices, &part.vertices, |vertex| open[vertex]));
    }
    Ok(mate)
}

/// A connected part of the edges that matchings of least weight may have.
struct TightComponent {
    /// The vertices by their numbers in the whole graph, ascending. Below they are called by their index in this
    /// list.
    vertices: Vec<usize>,
    /// For each index, its edges to later ones, ascending.
    later: Vec<Vec<TightEdge>>,
}

/// Weights whose optima are those matchings of least weight that come first, compared by the partners of the first
/// vertices of a part.
struct Choices<'a> {
    part: &'a TightComponent,
    /// For each of the first vertices (at least one), the weight of a step to its next partner: their digits in one
    /// number.
    places: Vec<i128>,
    /// The weight of a blossom: more than all digits together.
    range: i128,
}

impl<'a> Choices<'a> {
    fn new(part: &'a TightComponent) -> Self {
        let limit = Graph::limit(part.vertices.len());
        let blossoms = part.later.iter().flatten().map(|edge| edge.blossoms).max();
        let deepest = i128::try_from(blossoms.unwrap_or(0)).expect("fits");

        // Digits are largest-first, so that places are known from the last digit back.
        let mut radixes = Vec::new();
        let mut range = 1;
        for edges in &part.later {
            let radix = i128::try_from(edges.len().max(1)).expect("fits");
            if !radixes.is_empty() && range * radix > limit / (deepest + 1) {
                break;
            }
            range *= radix;
            radixes.push(radix);
        }
        let mut place = range;
        let places = radixes.into_iter().map(|radix| {
            place /= radix;
            place
        });
        Self {
            part,
            places: places.collect(),
            range,
        }
    }
}

impl EdgeCosts for Choices<'_> {
    type Weight = i128;

    fn order(&self) -> usize {
        self.part.vertices.len()
    }

    fn doubled(&self, u: usize, v: usize) -> Option<i128> {
        let (u, v) = (u.min(v), u.max(v));
        let edges = &self.part.later[u];
        let at = edges.binary_search_by_key(&v, |edge| edge.to).ok()?;
        let digit = i128::try_from(at).expect("fits") * self.places.get(u).copied().unwrap_or(0);
        let blossoms = i128::try_from(edges[at].blossoms).expect("fits");
        Some(2 * (digit - blossoms * self.range))
    }

    fn outside(&self, _: usize) -> Option<i128> {
        None
    }
}

/// The connected parts of the tight edges among the vertices that are still open; `names` are the numbers of the
/// vertices in the whole graph.
fn split(
    matching: &Matching,
    costs: &impl EdgeCosts<Weight = i128>,
    names: &[usize],
    open: impl Fn(usize) -> bool,
) -> Vec<TightComponent> {
    let tight = matching.tight_edges(costs);
    let mut seen: Vec<bool> = (0..costs.order()).map(|vertex| !open(vertex)).collect();
    // For each vertex, its place in its part.
    let mut place = vec![None; costs.order()];
    let mut parts = Vec::new();
    for start in 0..costs.order() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut members = vec![start];
        let mut next = 0;
        while let Some(&u) = members.get(next) {
            for edge in &tight[u] {
                if !seen[edge.to] {
                    seen[edge.to] = true;
                    members.push(edge.to);
                }
            }
            next += 1;
        }
        members.sort_unstable();
        for (at, &member) in members.iter().enumerate() {
            place[member] = Some(at);
        }
        let later = |&u: &usize| {
            let edges = tight[u].iter().filter(|edge| edge.to > u);
            let renamed = edges.filter_map(|edge| {
                Some(TightEdge {
                    to: place[edge.to]?,
                    ..*edge
                })
            });
            renamed.collect()
        };
        parts.push(TightComponent {
            later: members.iter().map(later).collect(),
            vertices: members.iter().map(|&u| names[u]).collect(),
        });
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Weight and list of pairs of every perfect matching of `free`, in order of the lists.
    fn all(free: &[usize]) -> Vec<Vec<(usize, usize)>> {
        let Some((&u, rest)) = free.split_first() else {
            return vec![Vec::new()];
        };
        let without = |v: usize| rest.iter().copied().filter(|&other| other != v).collect::<Vec<_>>();
        let with = |&v: &usize| {
            all(&without(v)).into_iter().map(move |mut pairs| {
                pairs.insert(0, (u, v));
                pairs
            })
        };
        rest.iter().flat_map(with).collect()
    }

    fn check(order: usize, weights: &[Option<i128>]) {
        let weight = |u: usize, v: usize| weights[u * order + v];
        let found = first_minimum_weight_perfect_matching(&Graph::new(order, weight)).ok();
        let pairs = |mate: Vec<usize>| (0..order).filter(|&u| u < mate[u]).map(|u| (u, mate[u])).collect();
        let total = |pairs: &[(usize, usize)]| pairs.iter().map(|&(u, v)| weight(u, v)).sum::<Option<i128>>();
        let expected = all(&(0..order).collect::<Vec<_>>())
            .into_iter()
            .filter_map(|pairs| Some((total(&pairs)?, pairs)))
            .min();
        assert_eq!(found.map(pairs), expected.map(|(_, pairs)| pairs));
    }

    #[test]
    fn everything_level() {
        for order in [0, 2, 4, 6, 8] {
            check(order, &vec![Some(0); order * order]);
        }
    }

    #[test]
    fn many_digits_need_several_turns() {
        // Every matching is of least weight: 62 vertices have more choices than one number has digits for.
        let mate = first_minimum_weight_perfect_matching(&Graph::new(62, |_, _| Some(3))).expect("complete and even");
        assert!((0..62).all(|u| mate[u] == u ^ 1));
    }

    /// The same result in another way: each vertex in turn tries its partners, smallest first, until the weight of
    /// the best matching stays what it was.
    fn by_trying(order: usize, weights: &[i128]) -> Vec<usize> {
        let mut mate = vec![order; order];
        let graph = |mate: &[usize]| {
            Graph::new(order, |u, v| {
                let allowed = mate[u] == v || (mate[u] == order && mate[v] == order);
                allowed.then(|| weights[u * order + v])
            })
        };
        let total = |graph: Graph| {
            let matching = minimum_weight_perfect_matching(&graph).ok()?;
            Some(
                (0..order)
                    .filter(|&u| u < matching.mate[u])
                    .map(|u| weights[u * order + matching.mate[u]])
                    .sum::<i128>(),
            )
        };
        let best = total(graph(&mate));
        for u in 0..order {
            if mate[u] != order {
                continue;
            }
            for v in (u + 1..order).filter(|&v| mate[v] == order).collect::<Vec<_>>() {
                (mate[u], mate[v]) = (v, u);
                if total(graph(&mate)) == best {
                    break;
                }
                (mate[u], mate[v]) = (order, order);
            }
        }
        mate
    }

    #[test]
    fn odd_has_none() {
        let graph = Graph::new(3, |_, _| Some(0));
        assert_eq!(first_minimum_weight_perfect_matching(&graph), Err(NoMatchingError));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn first_of_all_by_brute_force(
            (order, weights) in (0..=4_usize).prop_flat_map(|half| {
                (Just(2 * half), proptest::collection::vec((0..3_i128).prop_map(Some), 4 * half * half))
            })
        ) {
            check(order, &weights);
        }

        #[test]
        fn first_of_all_with_missing_edges(
            (order, weights) in (1..=4_usize).prop_flat_map(|half| {
                let weight = proptest::option::weighted(0.6, 0..3_i128);
                (Just(2 * half), proptest::collection::vec(weight, 4 * half * half))
            })
        ) {
            check(order, &weights);
        }

        #[test]
        fn first_of_all_in_larger_graphs(
            (order, weights) in (8..=15_usize, 1..4_i128).prop_flat_map(|(half, widest)| {
                (Just(2 * half), proptest::collection::vec(0..=widest, 4 * half * half))
            })
        ) {
            let graph = Graph::new(order, |u, v| Some(weights[u * order + v]));
            let mate = first_minimum_weight_perfect_matching(&graph).expect("complete and even");
            prop_assert_eq!(mate, by_trying(order, &weights));
        }
    }
}
