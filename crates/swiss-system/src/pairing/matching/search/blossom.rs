//! Blossoms: building them from odd cycles, taking them apart, and the matching inside them.
//!
//! May not: decide when.

use std::mem;

use crate::pairing::matching::search::{Child, Label, Search, VertexState, nothing_near};
use crate::pairing::matching::{EdgeCosts, Weight};

impl<C: EdgeCosts> Search<C> {
    /// Makes one outer blossom of the odd cycle that the tight edge between outer vertices `u` and `v` closes.
    pub(in crate::pairing::matching) fn shrink(&mut self, u: usize, v: usize) {
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
        self.z[slot] = C::Weight::ZERO;
        self.children[slot] = cycle;
        self.ports[slot] = ports;
        self.make_outer(blossom);
    }

    /// For each vertex, the vertex of the children with the least slack to it (meaningless for vertices of the
    /// children).
    fn merged_ports(&self, cycle: &[Child]) -> Vec<usize> {
        let mut best = vec![(C::Weight::UNKNOWN, 0); self.order];
        for child in cycle {
            for (vertex, best) in best.iter_mut().enumerate() {
                if self.top[vertex] == child.node {
                    continue;
                }
                let port = self.port(child.node, vertex);
                let reduced = self.costs.doubled(port, vertex).map(|doubled| doubled - self.y[port]);
                match reduced {
                    Some(reduced) if reduced < best.0 => *best = (reduced, port),
                    None if best.0 == C::Weight::UNKNOWN => best.1 = port,
                    _ => {}
                }
            }
        }
        best.into_iter().map(|(_, port)| port).collect()
    }

    fn new_slot(&mut self) -> usize {
        self.label.push(Label::Outside);
        self.base.push(0);
        self.parent.push(None);
        self.near_outer.push(nothing_near());
        self.near_outside.push((C::Weight::UNKNOWN, 0));
        self.z.push(C::Weight::ZERO);
        self.children.push(Vec::new());
        self.ports.push(Vec::new());
        self.label.len() - 1
    }

    pub(in crate::pairing::matching) fn set_top(&mut self, node: usize, top: usize) {
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

    /// The way from the child at position `start` to the base child along an even number of cycle edges: positions,
    /// each but the last with the edge to the next one. It begins with a matched edge, unless it is empty.
    fn even_way(&self, blossom: usize, start: usize) -> Vec<(usize, (usize, usize))> {
        let cycle = &self.children[blossom - self.order];
        if start.is_multiple_of(2) {
            let back = |at: usize| (cycle[at - 1].out.1, cycle[at - 1].out.0);
            (1..=start).rev().map(|at| (at, back(at))).collect()
        } else {
            (start..cycle.len()).map(|at| (at, cycle[at].out)).collect()
        }
    }

    /// Frees the slot of a blossom and makes its children top-level nodes outside the tree; they are returned.
    pub(in crate::pairing::matching) fn take_apart(&mut self, blossom: usize) -> Vec<usize> {
        self.label[blossom] = Label::Outside;
        let cycle = mem::take(&mut self.children[blossom - self.order]);
        self.ports[blossom - self.order] = Vec::new();
        self.z[blossom - self.order] = C::Weight::ZERO;
        self.unused.push(blossom);
        for child in &cycle {
            self.parent[child.node] = None;
            self.label[child.node] = Label::Outside;
            self.set_top(child.node, child.node);
        }
        cycle.into_iter().map(|child| child.node).collect()
    }

    /// Takes an inner blossom with dual zero apart: the children on the even way from where the tree enters to the base
    /// stay in the tree, the others leave it, matched to each other.
    pub(in crate::pairing::matching) fn expand(&mut self, blossom: usize) {
        let Label::Inner(from, to) = self.label[blossom] else {
            unreachable!("only inner blossoms are expanded")
        };
        let way = self.even_way(blossom, self.child_with(blossom, to));
        let cycle = self.take_apart(blossom);
        let mut entry = Label::Inner(from, to);
        for edges in way.chunks_exact(2) {
            let [(inner, _), (outer, (leaving, entering))] = *edges else {
                unreachable!("chunks of two")
            };
            self.label[cycle[inner]] = entry;
            entry = Label::Inner(leaving, entering);
            self.make_outer(cycle[outer]);
        }
        self.label[cycle[0]] = entry;
    }

    /// Makes `vertex` the one of the node that is matched outside it, by moving the matching inside the node.
    pub(in crate::pairing::matching) fn rebase(&mut self, node: usize, vertex: usize) {
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
            self.place[u] = VertexState::With(v);
            self.place[v] = VertexState::With(u);
        }
        self.children[slot].rotate_left(start);
    }

    /// The blossoms with a dual above zero: vertices, ascending, and that dual.
    pub(in crate::pairing::matching) fn blossoms(&self) -> Vec<(Vec<usize>, C::Weight)> {
        let mut vertices = vec![Vec::new(); self.children.len()];
        for vertex in 0..self.order {
            let mut node = vertex;
            while let Some(blossom) = self.parent[node] {
                vertices[blossom - self.order].push(vertex);
                node = blossom;
            }
        }
        let blossoms = vertices.into_iter().zip(&self.z);
        blossoms
            .filter(|&(_, &dual)| dual > C::Weight::ZERO)
            .map(|(vertices, &dual)| (vertices, dual))
            .collect()
    }

    pub(in crate::pairing::matching) fn live_blossoms(&self) -> impl Iterator<Item = usize> + use<'_, C> {
        let slots = self.children.iter().enumerate();
        slots
            .filter(|(_, children)| !children.is_empty())
            .map(|(slot, _)| slot + self.order)
    }

    /// Finds the ports of every blossom to `vertex` anew.
    pub(in crate::pairing::matching) fn refresh_ports(&mut self, vertex: usize) {
        let blossoms: Vec<usize> = self.live_blossoms().collect();
        for blossom in blossoms {
            let mut best = (C::Weight::UNKNOWN, self.base[blossom]);
            self.each_vertex(blossom, &mut |port| {
                if let Some(doubled) = self.costs.doubled(port, vertex) {
                    best = best.min((doubled - self.y[port], port));
                }
            });
            self.ports[blossom - self.order][vertex] = best.1;
        }
    }
}
