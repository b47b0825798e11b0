//! The matching against brute force where that is possible, against its own proof everywhere.

mod sequences;

use proptest::prelude::*;

use super::*;

/// The least weight of a perfect matching of the `free` vertices (a bit each), by trying all.
fn brute_force(weight: &impl Fn(usize, usize) -> Option<i128>, free: u32) -> Option<i128> {
    if free == 0 {
        return Some(0);
    }
    let first = free.trailing_zeros();
    let rest = free & !(1 << first);
    let partners = (0..u32::BITS).filter(|&partner| rest & (1 << partner) != 0);
    let with =
        |partner: u32| Some(weight(first as usize, partner as usize)? + brute_force(weight, rest & !(1 << partner))?);
    partners.filter_map(with).min()
}

/// The position of an edge in the upper triangle, row by row.
fn at(order: usize, u: usize, v: usize) -> usize {
    let (u, v) = (u.min(v), u.max(v));
    u * order + v - (u + 1) * (u + 2) / 2
}

fn check(order: usize, weights: &[Option<i128>]) {
    let weight = |u: usize, v: usize| weights[at(order, u, v)];
    let graph = Graph::new(order, weight);
    let found = minimum_weight_perfect_matching(&graph);
    if let Ok(matching) = &found {
        assert!(matching.is_certified(&graph));
        let tight = matching.tight_edges(&graph);
        let held = |u: usize| tight[u].iter().any(|edge| edge.to == matching.mate[u]);
        assert!((0..order).all(held));
    }
    if order <= 10 {
        let total = |matching: Matching| -> i128 {
            (0..order)
                .filter(|&u| u < matching.mate[u])
                .filter_map(|u| weight(u, matching.mate[u]))
                .sum()
        };
        assert_eq!(found.ok().map(total), brute_force(&weight, (1 << order) - 1));
    }
}

fn triangle(order: usize) -> usize {
    order * order.saturating_sub(1) / 2
}

fn graphs(
    orders: impl Strategy<Value = usize>,
    weight: impl Strategy<Value = Option<i128>> + Clone,
) -> impl Strategy<Value = (usize, Vec<Option<i128>>)> {
    orders.prop_flat_map(move |order| (Just(order), proptest::collection::vec(weight.clone(), triangle(order))))
}

#[test]
fn smallest_graphs() {
    check(0, &[]);
    check(1, &[]);
    check(2, &[None]);
    check(2, &[Some(-7)]);
    check(3, &[Some(1), Some(1), Some(1)]);
}

#[test]
fn two_triangles_need_the_edge_between_them() {
    let weight = |u: usize, v: usize| {
        if u / 3 == v / 3 {
            Some(0)
        } else {
            (u == 2 && v == 3).then_some(100)
        }
    };
    let weights: Vec<_> = (0..6).flat_map(|u| (u + 1..6).map(move |v| weight(u, v))).collect();
    check(6, &weights);
}

#[test]
fn two_triangles_alone_have_none() {
    let weights: Vec<_> = (0..6)
        .flat_map(|u| (u + 1..6).map(move |v| (u / 3 == v / 3).then_some(5)))
        .collect();
    check(6, &weights);
}

#[test]
fn weights_at_the_limit() {
    for sign in [-1, 1] {
        let limit = sign * Graph::limit(8);
        let weights: Vec<_> = (0..triangle(8))
            .map(|i| Some(if i % 3 == 0 { limit } else { limit / 3 - 1 }))
            .collect();
        check(8, &weights);
    }
}

#[test]
#[should_panic(expected = "beyond")]
fn weights_beyond_the_limit() {
    let _ = Graph::new(4, |_, _| Some(Graph::limit(4) + 1));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn few_weights_many_ties((order, weights) in graphs(0..=10_usize, (0..4_i128).prop_map(Some))) {
        check(order, &weights);
    }

    #[test]
    fn wide_weights((order, weights) in graphs(0..=10_usize, (-1000..1000_i128).prop_map(Some))) {
        check(order, &weights);
    }

    #[test]
    fn missing_edges((order, weights) in graphs(0..=10_usize, proptest::option::of(-3..10_i128))) {
        check(order, &weights);
    }

    #[test]
    fn few_edges((order, weights) in graphs(4..=10_usize, proptest::option::weighted(0.3, 0..6_i128))) {
        check(order, &weights);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn larger_with_ties((order, weights) in graphs((6..=30_usize).prop_map(|half| 2 * half), (0..6_i128).prop_map(Some))) {
        check(order, &weights);
    }

    #[test]
    fn larger_wide((order, weights) in graphs((6..=30_usize).prop_map(|half| 2 * half), (0..1_000_000_i128).prop_map(Some))) {
        check(order, &weights);
    }

    #[test]
    fn larger_few_edges((order, weights) in graphs((6..=30_usize).prop_map(|half| 2 * half), proptest::option::weighted(0.1, 0..9_i128))) {
        check(order, &weights);
    }
}
