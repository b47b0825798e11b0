//! The search: alternating trees, blossoms and dual changes.
//!
//! Top-level nodes (vertices and outermost blossoms) in the tree are *outer*, at an even distance from the root, or
//! *inner*, at an odd one. The duals change until an edge becomes tight or an inner blossom's dual zero; then the tree
//! grows by an edge, an odd cycle shrinks to a blossom, a blossom expands, or a free vertex is reached and the path to
//! it augments the matching. After that the tree is forgotten, the blossoms stay.
//!
//! May not: judge its own result, see [`Matching::is_certified`].

use std::mem;

use crate::pairing::matching::{ABSENT, ABSENT_SLACK, Graph, Matching, NoPerfectMatching};

/// No slack known: larger than any slack.
const UNKNOWN: i128 = i128::MAX;

/// What a top-level node (vertex or blossom) is in the alternating tree.
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

/// The least-slack edge known: `(slack, from, to)`.
type Nearest = (i128, usize, usize);
const NOTHING_NEAR: Nearest = (UNKNOWN, 0, 0);

/// What limits the next dual change.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The edge from an outer vertex to one outside the tree becomes tight.
    Grow(usize, usize),
    /// The edge between two outer nodes becomes tight.
    Shrink(usize, usize),
    /// The dual of an inner blossom reaches zero.
    Expand(usize),
}

/// Nodes are numbered: vertices `0..order`, then blossoms in reusable slots.
pub(super) struct Search<'g> {
    graph: &'g Graph,
    order: usize,
    /// Partner of each vertex.
    mate: Vec<Option<usize>>,
    /// Dual of each vertex.
    y: Vec<i128>,
    /// The outermost node around each vertex.
    top: Vec<usize>,
    /// Of each vertex not in an outer node, its least-slack edge from an outer vertex.
    near: Vec<Nearest>,
    /// How far the duals have moved in all; see [`Graph::limit`].
    moved: i128,
    /// The most that `moved` can be while a perfect matching exists.
    most_moved: i128,

    // Per node:
    label: Vec<Label>,
    /// The vertex of the node that is matched outside it, or free.
    base: Vec<usize>,
    /// The blossom directly around the node.
    parent: Vec<Option<usize>>,
    /// Of each outer node, its least-slack edge to the nodes that were outer before it.
    near_outer: Vec<Nearest>,

    // Per blossom, at its node number less `order`:
    z: Vec<i128>,
    /// The odd cycle, beginning with the child that holds the base; empty for an unused slot.
    children: Vec<Vec<Child>>,
    /// For each vertex outside, the vertex of the blossom with the least slack to it. All duals of a blossom's vertices
    /// move together, so that this holds as long as the blossom does.
    ports: Vec<Vec<usize>>,
    unused: Vec<usize>,
}

impl<'g> Search<'g> {
    /// Duals without negative slack, and a matching of tight edges found greedily.
    pub(super) fn new(graph: &'g Graph) -> Result<Self, NoPerfectMatching> {
        let order = graph.order;
        let largest = graph
            .doubled
            .iter()
            .filter(|&&doubled| doubled != ABSENT)
            .map(|doubled| doubled.abs())
            .max();
        let mut search = Self {
            graph,
            order,
            mate: vec![None; order],
            y: Vec::with_capacity(order),
            top: (0..order).collect(),
            near: vec![NOTHING_NEAR; order],
            moved: 0,
            most_moved: i128::try_from(order).expect("fits") * largest.unwrap_or(0),
            label: vec![Label::Outside; order],
            base: (0..order).collect(),
            parent: vec![None; order],
            near_outer: vec![NOTHING_NEAR; order],
            z: Vec::new(),
            children: Vec::new(),
            ports: Vec::new(),
            unused: Vec::new(),
        };
        for u in 0..order {
            let least = (0..order)
                .map(|v| graph.doubled(u, v))
                .min()
                .filter(|&least| least != ABSENT);
            search.y.push(least.ok_or(NoPerfectMatching)? >> 1);
        }
        for u in 0..order {
            if search.mate[u].is_some() {
                continue;
            }
            let others = (0..order).filter(|&v| v != u);
            let slack = others
                .clone()
                .map(|v| search.slack(u, v))
                .min()
                .ok_or(NoPerfectMatching)?;
            search.y[u] += slack;
            if let Some(v) = others
                .into_iter()
                .find(|&v| search.mate[v].is_none() && search.slack(u, v) == 0)
            {
                search.mate[u] = Some(v);
                search.mate[v] = Some(u);
            }
        }
        Ok(search)
    }

    /// Matches one free vertex after the other.
    pub(super) fn run(mut self) -> Result<Matching, NoPerfectMatching> {
        for root in 0..self.order {
            if self.mate[root].is_none() {
                self.augment_from(root)?;
            }
        }
        Ok(self.into_matching())
    }

    /// Slack of an edge between different top-level nodes.
    fn slack(&self, u: usize, v: usize) -> i128 {
        self.graph.doubled(u, v) - self.y[u] - self.y[v]
    }

    /// Grows a tree from the free vertex `root` until a second free vertex is reached, and matches both.
    fn augment_from(&mut self, root: usize) -> Result<(), NoPerfectMatching> {
        self.label.fill(Label::Outside);
        self.near.fill(NOTHING_NEAR);
        self.make_outer(self.top[root]);
        loop {
            let (delta, event) = self.next_event().ok_or(NoPerfectMatching)?;
            self.moved += delta;
            if self.moved > self.most_moved {
                return Err(NoPerfectMatching);
            }
            self.change_duals(delta);
            match event {
                Event::Grow(from, to) => {
                    let inner = self.top[to];
                    let Some(mate) = self.mate[self.base[inner]] else {
                        self.augment(from, to);
                        return Ok(());
                    };
                    self.label[inner] = Label::Inner(from, to);
                    self.make_outer(self.top[mate]);
                }
                Event::Shrink(u, v) => self.shrink(u, v),
                Event::Expand(blossom) => self.expand(blossom),
            }
        }
    }

    /// The least change of the duals that makes something happen, and what. `None` when no change is too large.
    fn next_event(&self) -> Option<(i128, Event)> {
        let mut least = (ABSENT_SLACK, None);
        for (&(slack, from, to), &top) in self.near.iter().zip(&self.top) {
            if slack < least.0 && self.label[top] == Label::Outside {
                least = (slack, Some(Event::Grow(from, to)));
            }
        }
        for (node, label) in self.label.iter().enumerate() {
            match label {
                Label::Outer => {
                    let (slack, u, v) = self.near_outer[node];
                    // Two outer vertices have duals of the same parity, so that their slack is even.
                    if slack < ABSENT_SLACK && slack >> 1 < least.0 {
                        least = (slack >> 1, Some(Event::Shrink(u, v)));
                    }
                }
                Label::Inner(..) if node >= self.order => {
                    let limit = self.z[node - self.order] >> 1;
                    if limit < least.0 {
                        least = (limit, Some(Event::Expand(node)));
                    }
                }
                Label::Inner(..) | Label::Outside => {}
            }
        }
        least.1.map(|event| (least.0, event))
    }

    /// Outer vertices gain, inner ones lose `delta`; blossoms the other way round and twice, so that tree edges and
    /// edges inside blossoms stay tight.
    fn change_duals(&mut self, delta: i128) {
        if delta == 0 {
            return;
        }
        for vertex in 0..self.order {
            match self.label[self.top[vertex]] {
                Label::Outer => self.y[vertex] += delta,
                Label::Inner(..) => self.y[vertex] -= delta,
                Label::Outside if self.near[vertex].0 != UNKNOWN => self.near[vertex].0 -= delta,
                Label::Outside => {}
            }
        }
        for (node, label) in self.label.iter().enumerate() {
            let blossom = node.checked_sub(self.order);
            match label {
                Label::Outer => {
                    if self.near_outer[node].0 != UNKNOWN {
                        self.near_outer[node].0 -= 2 * delta;
                    }
                    if let Some(blossom) = blossom {
                        self.z[blossom] += 2 * delta;
                    }
                }
                Label::Inner(..) => {
                    if let Some(blossom) = blossom {
                        self.z[blossom] -= 2 * delta;
                    }
                }
                Label::Outside => {}
            }
        }
    }

    /// Labels a node outer and offers its edges to everything outside it.
    fn make_outer(&mut self, node: usize) {
        self.label[node] = Label::Outer;
        self.near_outer[node] = NOTHING_NEAR;
        for vertex in 0..self.order {
            let top = self.top[vertex];
            if top == node {
                continue;
            }
            let port = self.port(node, vertex);
            let slack = self.slack(port, vertex);
            let outer = self.label[top] == Label::Outer;
            let nearest = if outer {
                &mut self.near_outer[node]
            } else {
                &mut self.near[vertex]
            };
            if slack < nearest.0 {
                *nearest = (slack, port, vertex);
            }
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
        while let Some(mate) = self.mate[self.base[node]] {
            let inner = self.top[mate];
            let Label::Inner(from, _) = self.label[inner] else {
                unreachable!("an outer node hangs on an inner one")
            };
            node = self.top[from];
            path.extend([inner, node]);
        }
        path
    }

    /// The tight edge that hangs the `node` on the node above it in the tree, as (vertex above, vertex of the node).
    fn hanging_edge(&self, node: usize) -> (usize, usize) {
        match self.label[node] {
            Label::Inner(from, to) => (from, to),
            _ => (
                self.mate[self.base[node]].expect("only the root hangs on nothing"),
                self.base[node],
            ),
        }
    }

    /// Makes one outer blossom of the odd cycle that the tight edge between outer vertices `u` and `v` closes.
    fn shrink(&mut self, u: usize, v: usize) {
        let mut u_side = self.path_to_root(self.top[u]);
        let mut v_side = self.path_to_root(self.top[v]);
        let mut crown = u_side[u_side.len() - 1];
        while let (Some(a), Some(b)) = (u_side.last(), v_side.last())
            && a == b
        {
            crown = *a;
            u_side.pop();
            v_side.pop();
        }
        // From the crown down to u, over the edge to v, and up again.
        let mut cycle = Vec::with_capacity(u_side.len() + v_side.len() + 1);
        let mut node = crown;
        for &below in u_side.iter().rev() {
            cycle.push(Child {
                node,
                out: self.hanging_edge(below),
            });
            node = below;
        }
        cycle.push(Child { node, out: (u, v) });
        for &above in &v_side {
            let (parent_vertex, own_vertex) = self.hanging_edge(above);
            cycle.push(Child {
                node: above,
                out: (own_vertex, parent_vertex),
            });
        }

        let ports = self.merged_ports(&cycle);
        let blossom = self.unused.pop().unwrap_or_else(|| self.new_slot());
        self.base[blossom] = self.base[crown];
        self.parent[blossom] = None;
        for child in &cycle {
            self.parent[child.node] = Some(blossom);
            self.label[child.node] = Label::Outside;
            self.set_top(child.node, blossom);
        }
        let slot = blossom - self.order;
        self.z[slot] = 0;
        self.children[slot] = cycle;
        self.ports[slot] = ports;
        self.make_outer(blossom);
    }

    /// For each vertex, the vertex of the children with the least slack to it (of no use for vertices of the children).
    fn merged_ports(&self, cycle: &[Child]) -> Vec<usize> {
        let mut best = vec![(UNKNOWN, 0); self.order];
        for child in cycle {
            for (vertex, best) in best.iter_mut().enumerate() {
                let port = if self.top[vertex] == child.node {
                    vertex
                } else {
                    self.port(child.node, vertex)
                };
                let reduced = self.graph.doubled(port, vertex) - self.y[port];
                if reduced < best.0 {
                    *best = (reduced, port);
                }
            }
        }
        best.into_iter().map(|(_, port)| port).collect()
    }

    /// An empty slot for a blossom.
    fn new_slot(&mut self) -> usize {
        self.label.push(Label::Outside);
        self.base.push(0);
        self.parent.push(None);
        self.near_outer.push(NOTHING_NEAR);
        self.z.push(0);
        self.children.push(Vec::new());
        self.ports.push(Vec::new());
        self.label.len() - 1
    }

    fn set_top(&mut self, node: usize, top: usize) {
        if node < self.order {
            self.top[node] = top;
            return;
        }
        for at in 0..self.children[node - self.order].len() {
            self.set_top(self.children[node - self.order][at].node, top);
        }
    }

    /// The position in the blossom's cycle of the child that holds `vertex`.
    fn child_with(&self, blossom: usize, vertex: usize) -> usize {
        let mut node = vertex;
        while let Some(parent) = self.parent[node]
            && parent != blossom
        {
            node = parent;
        }
        let held = self.children[blossom - self.order]
            .iter()
            .position(|child| child.node == node);
        held.expect("the vertex is in the blossom")
    }

    /// The way from the child at position `start` to the base child along an even number of cycle edges: positions, each
    /// but the last with the edge to the next one. Begins with a matched edge, unless it is empty.
    fn even_way(&self, blossom: usize, start: usize) -> Vec<(usize, (usize, usize))> {
        let cycle = &self.children[blossom - self.order];
        if start.is_multiple_of(2) {
            let back = |at: usize| (cycle[at - 1].out.1, cycle[at - 1].out.0);
            (1..=start).rev().map(|at| (at, back(at))).collect()
        } else {
            (start..cycle.len()).map(|at| (at, cycle[at].out)).collect()
        }
    }

    /// Takes an inner blossom with dual zero apart: the children on the even way from where the tree enters to the base
    /// stay in the tree, the others leave it, matched to each other.
    fn expand(&mut self, blossom: usize) {
        let Label::Inner(from, to) = self.label[blossom] else {
            unreachable!("only inner blossoms are expanded")
        };
        let way = self.even_way(blossom, self.child_with(blossom, to));
        self.label[blossom] = Label::Outside;
        let cycle = mem::take(&mut self.children[blossom - self.order]);
        self.ports[blossom - self.order] = Vec::new();
        self.unused.push(blossom);
        for child in &cycle {
            self.parent[child.node] = None;
            self.label[child.node] = Label::Outside;
            self.set_top(child.node, child.node);
        }
        let mut entry = Label::Inner(from, to);
        for edges in way.chunks_exact(2) {
            let [(inner, _), (outer, (leaving, entering))] = *edges else {
                unreachable!("chunks of two")
            };
            self.label[cycle[inner].node] = entry;
            entry = Label::Inner(leaving, entering);
            self.make_outer(cycle[outer].node);
        }
        self.label[cycle[0].node] = entry;
    }

    /// Matches the free vertex `to`'s node with the tree: along the path to the root, unmatched and matched edges change
    /// places.
    fn augment(&mut self, from: usize, to: usize) {
        let (mut from, mut to) = (from, to);
        loop {
            let outer = self.top[from];
            let above = self.mate[self.base[outer]].map(|mate| self.top[mate]);
            self.rebase(self.top[to], to);
            self.rebase(outer, from);
            self.mate[to] = Some(from);
            self.mate[from] = Some(to);
            let Some(inner) = above else { return };
            let Label::Inner(next_from, next_to) = self.label[inner] else {
                unreachable!("above an outer node")
            };
            (from, to) = (next_from, next_to);
        }
    }

    /// Makes `vertex` the one of the node that is matched outside it, by moving the matching inside the node.
    fn rebase(&mut self, node: usize, vertex: usize) {
        self.base[node] = vertex;
        if node < self.order {
            return;
        }
        let start = self.child_with(node, vertex);
        let way = self.even_way(node, start);
        let slot = node - self.order;
        self.rebase(self.children[slot][start].node, vertex);
        for edges in way.chunks_exact(2) {
            let (u, v) = edges[1].1;
            let length = self.children[slot].len();
            let at = edges[1].0;
            let next = if start.is_multiple_of(2) {
                at - 1
            } else {
                (at + 1) % length
            };
            self.rebase(self.children[slot][at].node, u);
            self.rebase(self.children[slot][next].node, v);
            self.mate[u] = Some(v);
            self.mate[v] = Some(u);
        }
        self.children[slot].rotate_left(start);
    }

    fn into_matching(self) -> Matching {
        let mut vertices = vec![Vec::new(); self.children.len()];
        for vertex in 0..self.order {
            let mut node = vertex;
            while let Some(blossom) = self.parent[node] {
                vertices[blossom - self.order].push(vertex);
                node = blossom;
            }
        }
        let blossoms = vertices.into_iter().zip(self.z).filter(|&(_, dual)| dual > 0).collect();
        let mate = self
            .mate
            .into_iter()
            .map(|mate| mate.expect("every vertex is matched"))
            .collect();
        Matching {
            mate,
            vertex_duals: self.y,
            blossoms,
        }
    }
}
