//! The figures of each ply of a game, in a column for each kind, as a record has them.
//!
//! May not: have anything that grows by more than a few numbers a ply.

use serde::{Deserialize, Serialize};

use super::super::eval::Eval;
use super::super::record::GameRecord;

/// Columns of a game, or of its plies from some number on. A column is empty if it has no value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Columns {
    /// The time of each move, in microseconds.
    pub time_us: Vec<u64>,
    /// The time on the clock after each move, in microseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clock_us: Vec<u64>,
    /// From the mover's side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub eval: Vec<Option<Eval>>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depth: Vec<Option<u32>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<Option<u64>>,
}

impl Columns {
    pub const fn plies(&self) -> usize {
        self.time_us.len()
    }

    /// Adds the new plies of a record.
    pub(super) fn follow(&mut self, record: &GameRecord) {
        let known = self.plies();
        self.time_us.extend_from_slice(&record.time_us[known..]);
        self.clock_us.extend_from_slice(after(&record.clock_us, known));
        let plies = self.plies();
        extend(&mut self.eval, known, after(&record.eval, known), plies);
        extend(&mut self.depth, known, after(&record.depth, known), plies);
        extend(&mut self.nodes, known, after(&record.nodes, known), plies);
    }

    /// The plies from `from` to before `to`; empty if there are not so many.
    #[must_use]
    pub fn part(&self, from: usize, to: usize) -> Self {
        fn cut<T: Clone>(column: &[T], from: usize, to: usize) -> Vec<T> {
            column.get(from..to).unwrap_or_default().to_vec()
        }
        fn values<T: Clone>(column: &[Option<T>], from: usize, to: usize) -> Vec<Option<T>> {
            let mut part = cut(column, from, to);
            if part.iter().all(Option::is_none) {
                part.clear();
            }
            part
        }
        Self {
            time_us: cut(&self.time_us, from, to),
            clock_us: cut(&self.clock_us, from, to),
            eval: values(&self.eval, from, to),
            depth: values(&self.depth, from, to),
            nodes: values(&self.nodes, from, to),
        }
    }

    /// Adds the new plies of a part whose first ply is `from`. Returns false, and adds nothing, if plies before it
    /// are missing or its columns are not equally long.
    pub fn add(&mut self, from: usize, part: &Self) -> bool {
        let known = self.plies();
        let lengths = [part.clock_us.len(), part.eval.len(), part.depth.len(), part.nodes.len()];
        if from > known || lengths.iter().any(|length| ![0, part.plies()].contains(length)) {
            return false;
        }
        let new = known - from;
        self.time_us.extend_from_slice(after(&part.time_us, new));
        self.clock_us.extend_from_slice(after(&part.clock_us, new));
        let plies = self.plies();
        extend(&mut self.eval, known, after(&part.eval, new), plies);
        extend(&mut self.depth, known, after(&part.depth, new), plies);
        extend(&mut self.nodes, known, after(&part.nodes, new), plies);
        true
    }
}

fn after<T>(column: &[T], known: usize) -> &[T] {
    column.get(known..).unwrap_or_default()
}

/// Adds the entries after the known plies, with `None` where there is no value; a column without any stays empty.
fn extend<T: Copy>(column: &mut Vec<Option<T>>, known: usize, more: &[Option<T>], plies: usize) {
    if column.is_empty() && more.iter().all(Option::is_none) {
        return;
    }
    column.resize(known, None);
    column.extend_from_slice(more);
    column.resize(plies, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_together_again_whatever_was_had_before() {
        let whole = Columns {
            time_us: vec![10, 20, 30, 40, 50],
            clock_us: vec![9, 8, 7, 6, 5],
            eval: vec![None, None, Some(Eval::Centipawns(3)), None, Some(Eval::Mate(-2))],
            depth: Vec::new(),
            nodes: vec![Some(1), None, None, None, None],
        };
        for first in 0..=5 {
            for second in 0..=5 {
                let mut known = whole.part(0, first);
                let part = whole.part(second, 5);
                assert_eq!(known.add(second, &part), second <= first, "{first} {second}");
                assert_eq!(known, whole.part(0, if second <= first { 5 } else { first }));
            }
        }
        assert_eq!(whole.part(3, 9), Columns::default(), "there are not so many");
        let mut known = whole.part(0, 2);
        let odd = Columns {
            depth: vec![Some(1)],
            ..whole.part(2, 4)
        };
        assert!(!known.add(2, &odd));
        assert_eq!(known, whole.part(0, 2));
    }
}
