//! Random sequences of what the pairing systems do with a matching that is repaired, on small graphs rich in ties,
//! against brute force: after each step the matching is of least cost, its duals prove it, and questions are answered
//! correctly.
//!
//! Environment: `SWISSMATCH_LONG=1` runs a hundred times as many sequences.

mod table;

use proptest::prelude::*;
use proptest::sample::Index;

use crate::pairing::matching::search::VertexState;
use crate::pairing::matching::tests::at;
use crate::pairing::matching::{EdgeCosts, Lexicographic, NoMatchingError, Search};
use table::{BracketCosts, BracketQuestion, BracketRole, Digits, Truth, brute_force};

const MOST: usize = 10;
/// Sequences for each kind of weight.
const CASES: u32 = 1500;

/// A search, the vertices still in the graph, and the answers of brute force.
struct MendedSearch<W: Digits> {
    search: Search<BracketCosts<W>>,
    live: Vec<usize>,
    truth: Truth<W>,
}

impl<W: Digits> MendedSearch<W> {
    /// The first matching, with these pairs laid down and these proposed. `None` if there really is none.
    fn begin(table: BracketCosts<W>, laid_down: &[(Index, Index)], proposed: &[(Index, Index)]) -> Option<Self> {
        let order = table.order;
        let mut mended = Self {
            search: Search::new(table, vec![W::ZERO; order]),
            live: (0..order).collect(),
            truth: Truth {
                least: W::ZERO,
                outcomes: Vec::new(),
            },
        };
        for (u, v) in laid_down {
            mended.take_out(u.index(order), v.index(order));
        }
        for (u, v) in proposed {
            let (u, v) = (u.index(order), v.index(order));
            if u != v && mended.search.may_be_matched(u, v) {
                mended.search.propose(u, v);
            }
        }
        let result = mended.search.run();
        mended.compare(result).then_some(mended)
    }

    /// Checks everything after a step with this result; returns true if there still is a matching.
    fn compare(&mut self, result: Result<(), NoMatchingError>) -> bool {
        let truth = brute_force(self.search.costs(), &self.live);
        assert_eq!(result.is_ok(), truth.is_some(), "whether there is a matching");
        let Some(truth) = truth else {
            self.assert_stuck();
            return false;
        };
        self.truth = truth;
        self.assert_matching();
        self.assert_blossoms();
        self.assert_duals();
        true
    }

    /// Checks that every vertex has a place, and that the total cost is least.
    fn assert_matching(&self) {
        let costs = self.search.costs();
        let mut total = W::ZERO;
        for vertex in 0..costs.order {
            let place = self.search.place[vertex];
            let cost = match place {
                VertexState::With(mate) => {
                    assert_eq!(self.search.place[mate], VertexState::With(vertex));
                    costs.doubled(vertex, mate).filter(|_| vertex < mate)
                }
                VertexState::Outside => Some(costs.outside(vertex).expect("a price")),
                VertexState::Settled(mate) => {
                    assert_eq!(self.search.place[mate], VertexState::Settled(vertex));
                    None
                }
                VertexState::Free => panic!("{vertex} has no place"),
            };
            assert_eq!(self.live.contains(&vertex), !matches!(place, VertexState::Settled(_)));
            total = cost.map_or(total, |cost| total + cost);
            if self.live.contains(&vertex) {
                let mate = self.search.mate(vertex);
                assert!(self.truth.outcomes[vertex].contains(&mate), "{vertex} with {mate:?}");
            }
        }
        assert_eq!(total, self.truth.least);
    }

    /// The blossoms around a vertex, from the inside.
    fn around(&self, vertex: usize) -> Vec<usize> {
        let parents = std::iter::successors(self.search.parent[vertex], |&blossom| self.search.parent[blossom]);
        parents.collect()
    }

    /// Checks that blossoms are odd, that only the base of one is matched out of it, and that no dual is below zero.
    fn assert_blossoms(&self) {
        let mut members = vec![Vec::new(); self.search.parent.len()];
        for &vertex in &self.live {
            let around = self.around(vertex);
            assert_eq!(self.search.top[vertex], around.last().copied().unwrap_or(vertex));
            for blossom in around {
                members[blossom].push(vertex);
            }
        }
        for blossom in (0..members.len()).filter(|&node| !members[node].is_empty()) {
            let members = &members[blossom];
            let is_inside = |vertex: &usize| self.search.mate(*vertex).is_some_and(|mate| members.contains(&mate));
            let leading_out: Vec<usize> = members.iter().copied().filter(|vertex| !is_inside(vertex)).collect();
            assert_eq!(members.len() % 2, 1);
            assert_eq!(leading_out.len(), 1);
            if self.search.parent[blossom].is_none() {
                assert_eq!(leading_out, [self.search.base[blossom]]);
            }
            assert!(self.search.z[blossom - self.search.costs().order] >= W::ZERO);
        }
    }

    /// Checks that no slack is below zero, that there is none where the matching is or could be, and that the search
    /// says so.
    fn assert_duals(&self) {
        let costs = self.search.costs();
        for &u in &self.live {
            for &v in self.live.iter().filter(|&&v| v != u) {
                let Some(cost) = costs.doubled(u, v) else {
                    assert!(!self.search.may_be_matched(u, v));
                    continue;
                };
                let theirs = self.around(v);
                let common = self.around(u).into_iter().filter(|blossom| theirs.contains(blossom));
                let duals = common.map(|blossom| self.search.z[blossom - costs.order]);
                let slack = duals.fold(cost - self.search.y[u] - self.search.y[v], |slack, z| slack + z);
                assert!(slack >= W::ZERO, "slack of {u} and {v}");
                assert_eq!(self.search.may_be_matched(u, v), slack == W::ZERO);
                assert!(slack == W::ZERO || !self.truth.outcomes[u].contains(&Some(v)));
            }
            if let Some(price) = costs.outside(u) {
                let slack = price - self.search.y[u];
                assert!(slack >= W::ZERO, "slack of {u} outside");
                assert!(slack == W::ZERO || !self.truth.outcomes[u].contains(&None));
            }
        }
    }

    /// Checks that the reason given for having no matching is valid.
    fn assert_stuck(&self) {
        let stuck = self.search.stuck();
        assert!(stuck.groups.len() > stuck.opponents.len());
        for group in &stuck.groups {
            assert_eq!(group.len() % 2, 1);
            for &member in group {
                assert!(!stuck.opponents.contains(&member));
                assert_eq!(self.search.costs().outside(member), None);
                let others = self.live.iter().filter(|&&other| other != member);
                let met: Vec<&usize> = others
                    .filter(|&&other| self.search.costs().doubled(member, other).is_some())
                    .collect();
                assert!(
                    met.iter()
                        .all(|other| group.contains(other) || stuck.opponents.contains(other))
                );
            }
        }
    }

    fn mates(&self) -> Vec<Option<usize>> {
        (0..self.search.costs().order)
            .map(|vertex| self.search.mate(vertex))
            .collect()
    }

    fn is_higher(&self, vertex: usize) -> bool {
        let mate = self.search.mate(vertex);
        self.search.costs().is_granted(BracketQuestion::Higher, vertex, mate)
    }

    fn change_at(&mut self, vertex: usize, change: impl FnOnce(&mut BracketCosts<W>)) -> bool {
        let result = self.search.change_at(vertex, change);
        self.compare(result)
    }

    fn raise_costs(&mut self, change: impl FnOnce(&mut BracketCosts<W>)) -> bool {
        let result = self.search.raise_costs(change);
        self.compare(result)
    }

    /// Unless the wish is granted already, asks if it can be, and lays the answer down or takes the question back.
    fn ask(&mut self, vertex: usize, wish: BracketQuestion, is_kept: bool) -> bool {
        let granted = |mended: &Self, mate: Option<usize>| mended.search.costs().is_granted(wish, vertex, mate);
        let is_possible = self.truth.outcomes[vertex].iter().any(|&mate| granted(self, mate));
        if !granted(self, self.search.mate(vertex)) {
            assert!(self.change_at(vertex, |table| table.question = Some((vertex, wish))));
        }
        let is_granted = granted(self, self.search.mate(vertex));
        assert_eq!(is_granted, is_possible, "{wish:?} of {vertex}");
        let role = match (wish, is_granted) {
            _ if !is_kept => self.search.costs().roles[vertex],
            (BracketQuestion::Paired, true) => BracketRole::Paired,
            (BracketQuestion::Paired, false) => BracketRole::Leaves,
            (BracketQuestion::Higher, true) | (BracketQuestion::NotHigher, false) => BracketRole::Higher,
            _ => BracketRole::NotHigher,
        };
        assert!(self.change_at(vertex, |table| {
            table.question = None;
            table.roles[vertex] = role;
        }));
        true
    }

    /// Changes partners along edges without slack, so that `u` has the partner `v`.
    fn exchange(&mut self, u: usize, v: usize) -> bool {
        let before = self.mates();
        let is_done = self.search.exchange(u, v);
        if is_done {
            assert_eq!(self.search.mate(u), Some(v));
        } else {
            assert_eq!(self.mates(), before);
        }
        assert!(self.compare(Ok(())));
        is_done
    }

    /// Gives a vertex the first partner that it can have, and settles the pair.
    fn choose_first_partner(&mut self, vertex: usize) -> bool {
        let Some(&Some(expected)) = self.truth.outcomes[vertex].first() else {
            return true;
        };
        let now = self.search.mate(vertex).unwrap_or(MOST);
        let mut earlier = self.live.iter().copied().take_while(|&other| other < now);
        if let Some(first) = earlier.find(|&other| other != vertex && self.search.may_be_matched(vertex, other))
            && !self.exchange(vertex, first)
        {
            assert!(self.change_at(vertex, |table| table.question =
                Some((vertex, BracketQuestion::FirstPartner))));
        }
        assert_eq!(self.search.mate(vertex), Some(expected), "first partner of {vertex}");
        self.settle(vertex)
    }

    fn settle(&mut self, u: usize) -> bool {
        let Some(v) = self.search.mate(u) else {
            return true;
        };
        self.live.retain(|&vertex| vertex != u && vertex != v);
        let result = self.search.settle(u, v, |table| {
            table.question = None;
            table.remove(u);
            table.remove(v);
        });
        assert_eq!(self.search.mate(u), Some(v));
        assert!(self.compare(result));
        true
    }

    /// Takes two vertices with an edge between them out of the graph.
    fn take_out(&mut self, u: usize, v: usize) {
        let is_live = |vertex: &usize| self.live.contains(vertex);
        if u != v && is_live(&u) && is_live(&v) && self.search.costs().doubled(u, v).is_some() {
            self.live.retain(|&vertex| vertex != u && vertex != v);
            self.search.take_out(u, v, |table| {
                table.remove(u);
                table.remove(v);
            });
        }
    }

    /// Charges exchanges for the vertices left of the bracket, with the number of pairs among them.
    fn charge_exchanges(&mut self) -> bool {
        let bracket = self.search.costs().bracket;
        let vertices: Vec<usize> = self.live.iter().copied().filter(|&vertex| vertex < bracket).collect();
        let pairs = vertices.iter().filter(|&&vertex| self.is_higher(vertex)).count();
        self.raise_costs(|table| table.charge_exchanges(&vertices, pairs))
    }

    /// Lays down, for every vertex in the bracket with nothing laid down yet, if it is the higher of a pair.
    fn keep_roles(&mut self) -> bool {
        let roles = |&vertex: &usize| {
            let role = if self.is_higher(vertex) {
                BracketRole::Higher
            } else {
                BracketRole::NotHigher
            };
            (vertex, role)
        };
        let table = self.search.costs();
        let open = |vertex: &&usize| **vertex < table.bracket && table.roles[**vertex] == BracketRole::Any;
        let roles: Vec<(usize, BracketRole)> = self.live.iter().filter(open).map(roles).collect();
        assert!(self.raise_costs(|table| {
            for (vertex, role) in roles {
                table.roles[vertex] = role;
            }
        }));
        true
    }

    /// Does a step; returns true if there still is a matching.
    fn follow(&mut self, step: &MatchingStep, palette: &Palette) -> bool {
        match step {
            MatchingStep::Ask { vertex, wish, is_kept } => self.ask(*vertex.get(&self.live), *wish, *is_kept),
            MatchingStep::Exchange { which, is_tight } => {
                let live = &self.live;
                let all = live.iter().flat_map(|&u| live.iter().map(move |&v| (u, v)));
                let is_new = |&(u, v): &(usize, usize)| u != v && self.search.mate(u) != Some(v);
                let may_be = |&(u, v): &(usize, usize)| !is_tight || self.search.may_be_matched(u, v);
                let edges: Vec<(usize, usize)> = all.filter(is_new).filter(may_be).collect();
                if !edges.is_empty() {
                    let &(u, v) = which.get(&edges);
                    self.exchange(u, v);
                }
                true
            }
            MatchingStep::FirstPartner(vertex) => self.choose_first_partner(*vertex.get(&self.live)),
            MatchingStep::Settle(vertex) => self.settle(*vertex.get(&self.live)),
            MatchingStep::TakeOut(u, v) => {
                self.take_out(*u.get(&self.live), *v.get(&self.live));
                let result = self.search.run();
                self.compare(result)
            }
            MatchingStep::ChargeExchanges => self.charge_exchanges(),
            MatchingStep::KeepRoles => self.keep_roles(),
            MatchingStep::Raise(edges) => {
                let name = |vertex: &Index| *vertex.get(&self.live);
                let edges: Vec<_> = edges.iter().map(|(u, v, chance)| (name(u), name(v), *chance)).collect();
                self.raise_costs(|table| {
                    for (u, v, chance) in edges.into_iter().filter(|(u, v, _)| u != v) {
                        let old = table.edges[at(table.order, u, v)];
                        table.set(u, v, old.and_then(|old| Some(old + palette.cost(chance)?)));
                    }
                })
            }
            MatchingStep::Change(vertex, chances) => {
                let vertex = *vertex.get(&self.live);
                let others: Vec<usize> = self.live.iter().copied().filter(|&other| other != vertex).collect();
                self.change_at(vertex, |table| {
                    table.roles[vertex] = BracketRole::Any;
                    for (other, chance) in others.into_iter().zip(chances) {
                        table.set(vertex, other, palette.cost(*chance));
                    }
                })
            }
        }
    }
}

/// An operation on a matching; vertices are picked among those still in the graph.
#[derive(Clone, Debug)]
enum MatchingStep {
    Ask {
        vertex: Index,
        wish: BracketQuestion,
        is_kept: bool,
    },
    Exchange {
        which: Index,
        is_tight: bool,
    },
    FirstPartner(Index),
    Settle(Index),
    TakeOut(Index, Index),
    ChargeExchanges,
    KeepRoles,
    Raise(Vec<(Index, Index, u16)>),
    Change(Index, Vec<u16>),
}

/// The few costs that edges have, and how many of a hundred edges there are.
#[derive(Clone, Debug)]
struct Palette {
    costs: Vec<i128>,
    share: u16,
}

impl Palette {
    fn cost<W: Digits>(&self, chance: u16) -> Option<W> {
        let cost = self.costs[usize::from(chance / 100) % self.costs.len()];
        (chance % 100 < self.share).then(|| W::doubled(cost, 0, 0))
    }
}

/// A graph, and the operations on it.
#[derive(Clone, Debug)]
struct Scene {
    order: usize,
    bracket: usize,
    palette: Palette,
    edges: Vec<u16>,
    outside: (Palette, Vec<u16>),
    laid_down: Vec<(Index, Index)>,
    proposed: Vec<(Index, Index)>,
    steps: Vec<MatchingStep>,
}

impl Scene {
    fn table<W: Digits>(&self) -> BracketCosts<W> {
        let edges = self.edges.iter().take(self.order * (self.order - 1) / 2);
        let (prices, chances) = &self.outside;
        BracketCosts {
            order: self.order,
            bracket: self.bracket.min(self.order),
            edges: edges.map(|&chance| self.palette.cost(chance)).collect(),
            outside: chances.iter().map(|&chance| prices.cost(chance)).collect(),
            roles: vec![BracketRole::Any; self.order],
            higher: vec![W::ZERO; self.order],
            lower: vec![W::ZERO; self.order],
            question: None,
        }
    }

    fn play<W: Digits>(&self) {
        let Some(mut mended) = MendedSearch::<W>::begin(self.table(), &self.laid_down, &self.proposed) else {
            return;
        };
        for step in &self.steps {
            if mended.live.is_empty() || !mended.follow(step, &self.palette) {
                break;
            }
        }
    }
}

fn steps() -> impl Strategy<Value = MatchingStep> {
    let vertex = any::<Index>;
    let wish = prop_oneof![
        Just(BracketQuestion::Paired),
        Just(BracketQuestion::NotHigher),
        Just(BracketQuestion::Higher)
    ];
    let ask = (vertex(), wish, any::<bool>());
    let chances = proptest::collection::vec(any::<u16>(), MOST);
    prop_oneof![
        6 => ask.prop_map(|(vertex, wish, is_kept)| MatchingStep::Ask { vertex, wish, is_kept }),
        8 => (vertex(), proptest::bool::weighted(0.8)).prop_map(|(which, is_tight)| MatchingStep::Exchange { which, is_tight }),
        3 => vertex().prop_map(MatchingStep::FirstPartner),
        1 => vertex().prop_map(MatchingStep::Settle),
        1 => (vertex(), vertex()).prop_map(|(u, v)| MatchingStep::TakeOut(u, v)),
        1 => Just(MatchingStep::ChargeExchanges),
        1 => Just(MatchingStep::KeepRoles),
        2 => proptest::collection::vec((vertex(), vertex(), any::<u16>()), 1..8).prop_map(MatchingStep::Raise),
        2 => (vertex(), chances).prop_map(|(vertex, chances)| MatchingStep::Change(vertex, chances)),
    ]
}

fn palettes(shares: &'static [u16]) -> impl Strategy<Value = Palette> {
    let costs = proptest::collection::vec(0..4_i128, 1..=4);
    (costs, proptest::sample::select(shares)).prop_map(|(costs, share)| Palette { costs, share })
}

fn scenes() -> impl Strategy<Value = Scene> {
    let chances = |size: usize| proptest::collection::vec(any::<u16>(), size);
    let pairs = |most: usize| proptest::collection::vec(any::<(Index, Index)>(), 0..=most);
    let order = prop_oneof![1 => 2..6_usize, 4 => 6..=MOST];
    let edges = (palettes(&[30, 50, 80, 100]), chances(MOST * (MOST - 1) / 2));
    let outside = (palettes(&[0, 30, 100]), chances(MOST));
    let steps = proptest::collection::vec(steps(), 0..16);
    (order, 0..=MOST, edges, outside, pairs(1), pairs(6), steps).prop_map(
        |(order, bracket, (palette, edges), outside, laid_down, proposed, steps)| Scene {
            order,
            bracket,
            palette,
            edges,
            outside,
            laid_down,
            proposed,
            steps,
        },
    )
}

#[expect(
    clippy::disallowed_methods,
    reason = "how many sequences is the environment's choice"
)]
fn config() -> ProptestConfig {
    let is_long = std::env::var("SWISSMATCH_LONG").as_deref() == Ok("1");
    ProptestConfig {
        cases: if is_long { 100 * CASES } else { CASES },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn in_one_number(scene in scenes()) {
        scene.play::<i128>();
    }

    #[test]
    fn in_several_numbers(scene in scenes()) {
        scene.play::<Lexicographic<2>>();
    }
}
