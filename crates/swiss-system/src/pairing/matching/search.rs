//! The search: alternating trees, blossoms and dual changes.
//!
//! Top-level nodes (vertices and outermost blossoms) in the tree are *outer*, at an even distance from the root, or
//! *inner*, at an odd one. The duals change until an edge becomes tight or an inner blossom's dual zero; then the tree
//! grows by an edge, an odd cycle shrinks to a blossom, a blossom expands, or a free vertex is reached and the path to
//! it augments the matching. After that the tree is forgotten, the blossoms stay.
//!
//! A vertex may also be left outside the matching if the costs have a price for that: an edge to a place with room
//! for everybody, whose dual is zero. Costs may change between two runs, see `repair`.
//!
//! May not: judge its own result, see `Matching::is_certified`.

mod blossom;

use std::collections::VecDeque;

use crate::pairing::matching::{EdgeCosts, NoMatchingError, Weight};

/// The role of a top-level node (vertex or blossom) in the alternating tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    /// Not in the tree, or not top-level.
    Outside,
    /// At an even distance from the root ("S").
    Outer,
    /// At an odd distance ("T"); reached by the edge from `.0`, an outer vertex, to `.1`, a vertex of the node.
    Inner(usize, usize),
}

/// One child of a blossom, in the order of its odd cycle.
#[derive(Clone, Copy, Debug)]
struct Child {
    node: usize,
    /// The edge to the next child: from a vertex of this one to a vertex of that one.
    out: (usize, usize),
}

/// The least-slack edge known: `(slack, from, to)`; [`Weight::UNKNOWN`] if there is none.
type Nearest<W> = (W, usize, usize);

const fn nothing_near<W: Weight>() -> Nearest<W> {
    (W::UNKNOWN, 0, 0)
}

/// The place of a vertex in the matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexState {
    /// Not settled yet.
    Free,
    /// Left outside, at its price.
    Outside,
    /// With this partner.
    With(usize),
    /// With this partner for good, and no longer in the graph.
    Settled(usize),
}

/// The event that limits the next dual change.
#[derive(Clone, Copy, Debug)]
enum DualLimit {
    /// The edge from an outer vertex to one outside the tree becomes tight.
    Grow(usize, usize),
    /// The edge between two outer nodes becomes tight.
    Shrink(usize, usize),
    /// The dual of an inner blossom reaches zero.
    Expand(usize),
    /// The price of leaving an outer vertex outside is reached.
    Leave(usize),
}

/// Why a run failed: a set of groups of vertices, each odd, whose edges out of their group lead only to fewer others
/// than there are groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stuck {
    pub(crate) groups: Vec<Vec<usize>>,
    /// All vertices that their edges lead to.
    pub(crate) opponents: Vec<usize>,
}

/// The state of a search. Nodes are numbered: vertices `0..order`, then blossoms in reusable slots.
pub(crate) struct Search<C: EdgeCosts> {
    pub(super) costs: C,
    pub(super) order: usize,
    /// The vertices that are still in the graph, ascending.
    pub(super) live: Vec<usize>,
    /// The place of each vertex.
    pub(super) place: Vec<VertexState>,
    /// Dual of each vertex.
    pub(super) y: Vec<C::Weight>,
    /// The outermost node around each vertex.
    pub(super) top: Vec<usize>,
    /// For each vertex not in an outer node, its least-slack edge from an outer vertex.
    near: Vec<Nearest<C::Weight>>,
    /// Edges without slack from the tree to nodes that were outside it when the edges were found.
    ready: VecDeque<(usize, usize)>,
    /// One of them that leads to a node without a partner, and so ends the search.
    last: Option<(usize, usize)>,

    // Per node:
    label: Vec<Label>,
    /// The vertex of the node that is matched outside it, or free.
    pub(super) base: Vec<usize>,
    /// The blossom directly around the node.
    pub(super) parent: Vec<Option<usize>>,
    /// For each outer node, its least-slack edge to the nodes that were outer before it.
    near_outer: Vec<Nearest<C::Weight>>,
    /// For each outer node, the vertex that is cheapest to leave outside: slack, vertex.
    near_outside: Vec<(C::Weight, usize)>,

    // Per blossom, at its node number minus `order`:
    pub(super) z: Vec<C::Weight>,
    /// The odd cycle, starting with the child that holds the base; empty for an unused slot.
    children: Vec<Vec<Child>>,
    /// For each vertex outside, the vertex of the blossom with the least slack to it. All duals of a blossom's
    /// vertices move together, so this holds as long as the blossom exists and costs stay.
    ports: Vec<Vec<usize>>,
    unused: Vec<usize>,
}

impl<C: EdgeCosts> Search<C> {
    /// Starts with these duals, which leave no slack below zero, and with nobody matched.
    pub(crate) fn new(costs: C, y: Vec<C::Weight>) -> Self {
        let order = costs.order();
        Self {
            costs,
            order,
            live: (0..order).collect(),
            place: vec![VertexState::Free; order],
            y,
            top: (0..order).collect(),
            near: vec![nothing_near(); order],
            ready: VecDeque::new(),
            last: None,
            label: vec![Label::Outside; order],
            base: (0..order).collect(),
            parent: vec![None; order],
            near_outer: vec![nothing_near(); order],
            near_outside: vec![(C::Weight::UNKNOWN, 0); order],
            z: Vec::new(),
            children: Vec::new(),
            ports: Vec::new(),
            unused: Vec::new(),
        }
    }

    /// Matches `u` and `v` if both are free and in no blossom, and the edge between them is tight.
    pub(crate) fn propose(&mut self, u: usize, v: usize) {
        let free = self.place[u] == VertexState::Free && self.place[v] == VertexState::Free;
        if free && self.top[u] == u && self.top[v] == v && self.slack(u, v) == Some(C::Weight::ZERO) {
            self.place[u] = VertexState::With(v);
            self.place[v] = VertexState::With(u);
        }
    }

    /// Matches one free vertex after the other.
    ///
    /// # Errors
    /// [`NoMatchingError`] when one of them can neither be matched nor left outside.
    pub(crate) fn run(&mut self) -> Result<(), NoMatchingError> {
        for root in 0..self.order {
            if self.place[root] == VertexState::Free {
                self.augment_from(root)?;
                self.dissolve_empty_blossoms();
            }
        }
        Ok(())
    }

    /// Why the last run failed: the tree in which it got stuck.
    pub(crate) fn stuck(&self) -> Stuck {
        let vertices = |node: usize| {
            let mut vertices = Vec::new();
            self.each_vertex(node, &mut |vertex| vertices.push(vertex));
            vertices.sort_unstable();
            vertices
        };
        let labelled = |is: fn(&Label) -> bool| {
            let nodes = self.label.iter().enumerate().filter(move |(_, label)| is(label));
            nodes.map(|(node, _)| vertices(node))
        };
        Stuck {
            groups: labelled(|label| *label == Label::Outer).collect(),
            opponents: labelled(|label| matches!(label, Label::Inner(..))).flatten().collect(),
        }
    }

    /// The partner of a vertex; `None` if it is left outside.
    pub(crate) fn mate(&self, vertex: usize) -> Option<usize> {
        match self.place[vertex] {
            VertexState::With(mate) | VertexState::Settled(mate) => Some(mate),
            VertexState::Free | VertexState::Outside => None,
        }
    }

    pub(crate) const fn costs(&self) -> &C {
        &self.costs
    }

    /// Slack of an edge between different top-level nodes; `None` if there is no edge.
    pub(super) fn slack(&self, u: usize, v: usize) -> Option<C::Weight> {
        Some(self.costs.doubled(u, v)? - self.y[u] - self.y[v])
    }

    /// Grows a tree from the free vertex `root` until a second free vertex is reached, and matches both.
    fn augment_from(&mut self, root: usize) -> Result<(), NoMatchingError> {
        self.label.fill(Label::Outside);
        self.near.fill(nothing_near());
        self.ready.clear();
        self.last = None;
        self.make_outer(self.top[root]);
        loop {
            let (delta, event) = self.next_event().ok_or(NoMatchingError)?;
            self.change_duals(delta);
            match event {
                DualLimit::Grow(from, to) => {
                    let inner = self.top[to];
                    let VertexState::With(mate) = self.place[self.base[inner]] else {
                        self.augment(from, to);
                        return Ok(());
                    };
                    self.label[inner] = Label::Inner(from, to);
                    self.make_outer(self.top[mate]);
                }
                DualLimit::Shrink(u, v) => self.shrink(u, v),
                DualLimit::Expand(blossom) => self.expand(blossom),
                DualLimit::Leave(vertex) => {
                    self.leave(vertex);
                    return Ok(());
                }
            }
        }
    }

    /// The least change of the duals that makes something happen, and what; `None` if nothing ever will. An edge
    /// without slack to a node without a partner comes first, because it ends the search.
    fn next_event(&mut self) -> Option<(C::Weight, DualLimit)> {
        while let Some((from, to)) = self.last.or_else(|| self.ready.pop_front()) {
            if self.label[self.top[to]] == Label::Outside {
                return Some((C::Weight::ZERO, DualLimit::Grow(from, to)));
            }
        }
        let mut least = (C::Weight::UNKNOWN, None);
        for &vertex in &self.live {
            let (slack, from, to) = self.near[vertex];
            if slack < least.0 && self.label[self.top[vertex]] == Label::Outside {
                least = (slack, Some(DualLimit::Grow(from, to)));
            }
        }
        for (node, label) in self.label.iter().enumerate() {
            match label {
                Label::Outer => {
                    let (slack, u, v) = self.near_outer[node];
                    // Two outer vertices have duals of the same parity, so their slack is even.
                    if slack != C::Weight::UNKNOWN && slack.halved() < least.0 {
                        least = (slack.halved(), Some(DualLimit::Shrink(u, v)));
                    }
                    let (slack, vertex) = self.near_outside[node];
                    if slack < least.0 {
                        least = (slack, Some(DualLimit::Leave(vertex)));
                    }
                }
                Label::Inner(..) if node >= self.order => {
                    let limit = self.z[node - self.order].halved();
                    if limit < least.0 {
                        least = (limit, Some(DualLimit::Expand(node)));
                    }
                }
                Label::Inner(..) | Label::Outside => {}
            }
        }
        least.1.map(|event| (least.0, event))
    }

    /// Adds `delta` to outer vertices and subtracts it from inner ones; for blossoms the other way round and twice,
    /// so that tree edges and edges inside blossoms stay tight.
    fn change_duals(&mut self, delta: C::Weight) {
        if delta == C::Weight::ZERO {
            return;
        }
        let lower = |slack: &mut C::Weight, by: C::Weight| {
            if *slack != C::Weight::UNKNOWN {
                *slack = *slack - by;
            }
        };
        let twice = delta + delta;
        let mut found = Vec::new();
        for &vertex in &self.live {
            match self.label[self.top[vertex]] {
                Label::Outer => self.y[vertex] = self.y[vertex] + delta,
                Label::Inner(..) => self.y[vertex] = self.y[vertex] - delta,
                Label::Outside => {
                    let (slack, from, to) = &mut self.near[vertex];
                    lower(slack, delta);
                    if *slack == C::Weight::ZERO {
                        found.push((*from, *to));
                    }
                }
            }
        }
        for (node, label) in self.label.iter().enumerate() {
            let blossom = node.checked_sub(self.order);
            match label {
                Label::Outer => {
                    lower(&mut self.near_outer[node].0, twice);
                    lower(&mut self.near_outside[node].0, delta);
                    if let Some(blossom) = blossom {
                        self.z[blossom] = self.z[blossom] + twice;
                    }
                }
                Label::Inner(..) => {
                    if let Some(blossom) = blossom {
                        self.z[blossom] = self.z[blossom] - twice;
                    }
                }
                Label::Outside => {}
            }
        }
        for (from, to) in found {
            self.can_grow(from, to);
        }
    }

    /// Notes an edge without slack that leads out of the tree.
    fn can_grow(&mut self, from: usize, to: usize) {
        if matches!(self.place[self.base[self.top[to]]], VertexState::With(_)) {
            self.ready.push_back((from, to));
        } else {
            self.last.get_or_insert((from, to));
        }
    }

    /// Labels a node outer and offers its edges to everything outside it.
    fn make_outer(&mut self, node: usize) {
        self.label[node] = Label::Outer;
        self.near_outer[node] = nothing_near();
        self.near_outside[node] = self.cheapest_outside(node);
        for at in 0..self.live.len() {
            let vertex = self.live[at];
            let top = self.top[vertex];
            if top == node {
                continue;
            }
            let port = self.port(node, vertex);
            let Some(slack) = self.slack(port, vertex) else {
                continue;
            };
            let label = self.label[top];
            let nearest = if label == Label::Outer {
                &mut self.near_outer[node]
            } else {
                &mut self.near[vertex]
            };
            if slack < nearest.0 {
                *nearest = (slack, port, vertex);
                if slack == C::Weight::ZERO && label == Label::Outside {
                    self.can_grow(port, vertex);
                }
            }
        }
    }

    /// The vertex of a node with the least slack to the outside.
    fn cheapest_outside(&self, node: usize) -> (C::Weight, usize) {
        let mut cheapest = (C::Weight::UNKNOWN, 0);
        self.each_vertex(node, &mut |vertex| {
            if let Some(price) = self.costs.outside(vertex) {
                cheapest = cheapest.min((price - self.y[vertex], vertex));
            }
        });
        cheapest
    }

    /// Calls `visit` with each vertex of a node.
    pub(super) fn each_vertex(&self, node: usize, visit: &mut impl FnMut(usize)) {
        if node < self.order {
            visit(node);
            return;
        }
        for child in &self.children[node - self.order] {
            self.each_vertex(child.node, visit);
        }
    }

    /// The vertex of `node` with the least slack to `vertex`, which is outside it.
    fn port(&self, node: usize, vertex: usize) -> usize {
        if node < self.order {
            node
        } else {
            self.ports[node - self.order][vertex]
        }
    }

    /// The tree path of top-level nodes from the outer `node` to the root: outer, inner, outer, …
    fn path_to_root(&self, mut node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let VertexState::With(mate) = self.place[self.base[node]] {
            let inner = self.top[mate];
            let Label::Inner(from, _) = self.label[inner] else {
                unreachable!("an outer node hangs on an inner one")
            };
            node = self.top[from];
            path.extend([inner, node]);
        }
        path
    }

    /// The tight edge that joins the `node` to the node above it in the tree, as (vertex above, vertex of the node).
    fn hanging_edge(&self, node: usize) -> (usize, usize) {
        match self.label[node] {
            Label::Inner(from, to) => (from, to),
            _ => {
                let above = self.mate(self.base[node]);
                (above.expect("only the root hangs on nothing"), self.base[node])
            }
        }
    }

    /// Matches the vertex `to`, which is outside the tree and has no partner, with the tree: along the path to the
    /// root, unmatched and matched edges change places.
    fn augment(&mut self, from: usize, to: usize) {
        self.rebase(self.top[to], to);
        let above = self.above(from);
        self.rebase(self.top[from], from);
        self.place[to] = VertexState::With(from);
        self.place[from] = VertexState::With(to);
        self.flip_from(above);
    }

    /// Leaves an outer vertex outside, and changes the matching along the path from it to the root.
    fn leave(&mut self, vertex: usize) {
        let above = self.above(vertex);
        self.rebase(self.top[vertex], vertex);
        self.place[vertex] = VertexState::Outside;
        self.flip_from(above);
    }

    /// The inner node above the outer node of `vertex`; `None` above the root.
    fn above(&self, vertex: usize) -> Option<usize> {
        self.mate(self.base[self.top[vertex]]).map(|mate| self.top[mate])
    }

    /// Matches inner nodes upwards along the edges by which they hang, from the one given to the root.
    fn flip_from(&mut self, mut inner: Option<usize>) {
        while let Some(node) = inner {
            let Label::Inner(from, to) = self.label[node] else {
                unreachable!("above an outer node")
            };
            inner = self.above(from);
            self.rebase(self.top[to], to);
            self.rebase(self.top[from], from);
            self.place[to] = VertexState::With(from);
            self.place[from] = VertexState::With(to);
        }
    }
}
