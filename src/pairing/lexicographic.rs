//! Among all minimum-weight perfect matchings the one whose list of pairs comes first.
//!
//! A pair is written (smaller vertex, larger vertex), the list is sorted, and lists are compared entry by entry. In
//! other words: vertex 0 gets the smallest partner it has in any matching of least weight, then the smallest vertex
//! still without a partner, and so on.
//!
//! One solution gives, by its duals, the edges of all others: they are its tight edges, and they fall into connected
//! parts that have nothing to do with each other. Each part is solved again with new weights: first (by the count of
//! blossoms, see [`Matching::tight_edges`]) that it stays a matching of least weight, then the choices of its first
//! vertices as the digits of one number, as many as fit. These vertices and their partners are settled; what is left
//! falls into smaller parts, for which the same is done until nothing is left.
//!
//! May not: know players or rounds.

use crate::pairing::matching::{Graph, Matching, NoPerfectMatching, minimum_weight_perfect_matching};

/// The partner of each vertex in the first of all perfect matchings of least weight.
///
/// # Errors
/// [`NoPerfectMatching`] when there is none.
pub fn first_minimum_weight_perfect_matching(graph: &Graph) -> Result<Vec<usize>, NoPerfectMatching> {
    let matching = minimum_weight_perfect_matching(graph)?;
    let mut parts = split(&matching, graph, &(0..graph.order()).collect::<Vec<_>>(), |_| true);
    let mut mate = matching.mate;
    while let Some(part) = parts.pop() {
        if let [u, v] = *part.vertices {
            mate[u] = v;
            mate[v] = u;
            continue;
        }
        let order = part.vertices.len();
        let (weights, settled) = part.weights();
        let matching = minimum_weight_perfect_matching(&weights)?;
        let mut open = vec![true; order];
        for u in 0..settled {
            let v = matching.mate[u];
            (mate[part.vertices[u]], mate[part.vertices[v]]) = (part.vertices[v], part.vertices[u]);
            (open[u], open[v]) = (false, false);
        }
        parts.extend(split(&matching, &weights, &part.vertices, |vertex| open[vertex]));
    }
    Ok(mate)
}

/// A connected part of the edges that matchings of least weight may have.
struct Part {
    /// The vertices by their numbers in the whole graph, ascending. Below they are called by their place in this list.
    vertices: Vec<usize>,
    /// For each pair of places, as a full matrix, whether there is an edge, and the blossoms around it.
    edges: Vec<Option<u32>>,
}

impl Part {
    /// Weights whose optima are those matchings of least weight that come first as far as the partners of the first
    /// vertices go; how many vertices that are, at least one.
    fn weights(&self) -> (Graph, usize) {
        let order = self.vertices.len();
        let limit = Graph::limit(order);
        let later = |u: usize| (u + 1..order).filter(move |&v| self.edges[u * order + v].is_some());
        let deepest = i128::from(self.edges.iter().flatten().max().copied().unwrap_or(0));

        // Digits are largest-first, so that places are known from the last digit back.
        let mut radixes = Vec::new();
        let mut range = 1;
        for u in 0..order {
            let radix = i128::try_from(later(u).count().max(1)).expect("fits");
            if u > 0 && range * radix > limit / (deepest + 1) {
                break;
            }
            range *= radix;
            radixes.push(radix);
        }
        let settled = radixes.len();
        let mut digits = vec![0_i128; order * order];
        let mut place = range;
        for (u, radix) in radixes.into_iter().enumerate() {
            place /= radix;
            for (digit, v) in (0..).zip(later(u)) {
                digits[u * order + v] = digit * place;
            }
        }
        let weight = |u: usize, v: usize| {
            self.edges[u * order + v].map(|blossoms| digits[u * order + v] - i128::from(blossoms) * range)
        };
        (Graph::new(order, weight), settled)
    }
}

/// The connected parts of the tight edges among the vertices that are still open; `names` are the numbers of the
/// vertices in the whole graph.
fn split(matching: &Matching, graph: &Graph, names: &[usize], open: impl Fn(usize) -> bool) -> Vec<Part> {
    let order = graph.order();
    let tight = matching.tight_edges(graph);
    let mut seen: Vec<bool> = (0..order).map(|vertex| !open(vertex)).collect();
    let mut parts = Vec::new();
    for start in 0..order {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut members = vec![start];
        let mut next = 0;
        while let Some(&u) = members.get(next) {
            for v in 0..order {
                if !seen[v] && tight[u * order + v].is_some() {
                    seen[v] = true;
                    members.push(v);
                }
            }
            next += 1;
        }
        members.sort_unstable();
        let edges = members.iter().flat_map(|&u| members.iter().map(move |&v| (u, v)));
        let edges = edges.map(|(u, v)| tight[u * order + v]).collect();
        parts.push(Part {
            vertices: members.iter().map(|&u| names[u]).collect(),
            edges,
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

    fn check(order: usize, weights: &[i128]) {
        let weight = |u: usize, v: usize| weights[u * order + v];
        let graph = Graph::new(order, |u, v| Some(weight(u, v)));
        let mate = first_minimum_weight_perfect_matching(&graph).expect("complete and even");
        let found: Vec<_> = (0..order).filter(|&u| u < mate[u]).map(|u| (u, mate[u])).collect();
        let total = |pairs: &[(usize, usize)]| pairs.iter().map(|&(u, v)| weight(u, v)).sum::<i128>();
        let expected = all(&(0..order).collect::<Vec<_>>())
            .into_iter()
            .min_by_key(|pairs| (total(pairs), pairs.clone()));
        assert_eq!(Some(found), expected);
    }

    #[test]
    fn everything_level() {
        for order in [0, 2, 4, 6, 8] {
            check(order, &vec![0; order * order]);
        }
    }

    #[test]
    fn many_digits_need_several_turns() {
        // Every matching is of least weight: 62 vertices have more choices than one number has digits for.
        let mate = first_minimum_weight_perfect_matching(&Graph::new(62, |_, _| Some(3))).expect("complete and even");
        assert!((0..62).all(|u| mate[u] == u ^ 1));
    }

    /// The same by another road: each vertex in turn tries its partners, smallest first, until the weight of the best
    /// matching stays what it was.
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
        assert_eq!(first_minimum_weight_perfect_matching(&graph), Err(NoPerfectMatching));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn first_of_all_by_brute_force(
            (order, weights) in (0..=4_usize).prop_flat_map(|half| {
                (Just(2 * half), proptest::collection::vec(0..3_i128, 4 * half * half))
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
