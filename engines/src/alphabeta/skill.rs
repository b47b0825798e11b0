//! Playing weaker on purpose, and the same way every time.

use crate::hashing::mix;

/// The strongest level: no caps, and noise that no one can feel.
pub(super) const FULL: u64 = 20;

/// How a level holds the search back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    /// Errors of the evaluation stay within plus and minus this.
    amplitude: i32,
    lot: u64,
    /// Most nodes for a move.
    pub(super) nodes: Option<u64>,
    /// Greatest depth of a search.
    pub(super) depth: Option<i32>,
}

impl Skill {
    /// The handicap of a level from 0 to [`FULL`].
    ///
    /// The lot should change from move to move. If a position were misjudged
    /// in the same way all game, weak levels would shuffle to and fro between
    /// the two they like best.
    pub(super) fn new(level: u64, lot: u64) -> Self {
        if level >= FULL {
            // Two centipawns only decide between near equals, so that other
            // seeds give other games.
            return Self {
                amplitude: 2,
                lot,
                nodes: None,
                depth: None,
            };
        }
        // Steps of equal proportion feel like steps of equal size: each level
        // searches half as many nodes again, from 30 up to some 65,000, and
        // errs by 15 % less, from 600 centipawns down to some 20.
        let steps = 0..level;
        let nodes = steps.clone().fold(30, |nodes: u64, _| nodes + nodes / 2);
        let amplitude = steps.fold(600, |amplitude, _| amplitude * 17 / 20);
        Self {
            amplitude,
            lot,
            nodes: Some(nodes),
            depth: Some(1 + i32::try_from(level).unwrap_or(0)),
        }
    }

    /// The error that this level makes in judging a position. It stays the same
    /// for the whole search, which therefore cannot average it away.
    pub(super) fn error(self, key: u64) -> i32 {
        let width = 2 * self.amplitude as u64 + 1;
        let drawn = ((mix(self.lot, key) >> 32) * width) >> 32;
        drawn as i32 - self.amplitude
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_freer_than_the_one_below() {
        for level in 1..FULL {
            let (weak, strong) = (Skill::new(level - 1, 1), Skill::new(level, 1));
            assert!(weak.amplitude > strong.amplitude);
            assert!(weak.nodes < strong.nodes);
            assert!(weak.depth < strong.depth);
        }
        assert_eq!(Skill::new(FULL, 1).nodes, None);
    }

    #[test]
    fn errors_stay_in_bounds_on_both_sides() {
        let skill = Skill::new(0, 9);
        let errors: Vec<i32> = (0..1000).map(|key| skill.error(key << 7)).collect();
        assert!(errors.iter().all(|error| error.abs() <= skill.amplitude));
        assert!(errors.iter().any(|error| *error > skill.amplitude / 2));
        assert!(errors.iter().any(|error| *error < -skill.amplitude / 2));
    }
}
