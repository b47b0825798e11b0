//! The words of `go` that a player is told: its time, and other bounds on its search.
//!
//! May not: judge a move by them.

use swissmatch_game::Side;

/// The values of `go`; a word that is not a number is ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Clock and increment of each side, in milliseconds, White first.
    clocks: [(Option<u64>, Option<u64>); 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u64>,
    /// Milliseconds for this move.
    pub movetime: Option<u64>,
    /// Bound on nodes.
    pub nodes: Option<u64>,
    /// Bound on depth.
    pub depth: Option<u64>,
}

impl Go {
    /// Reads what follows `go`.
    pub(crate) fn read(words: &str) -> Self {
        let mut go = Self::default();
        let mut words = words.split_ascii_whitespace().peekable();
        while let Some(word) = words.next() {
            let [white, black] = &mut go.clocks;
            let place = match word {
                "wtime" => &mut white.0,
                "btime" => &mut black.0,
                "winc" => &mut white.1,
                "binc" => &mut black.1,
                "movestogo" => &mut go.moves_to_go,
                "movetime" => &mut go.movetime,
                "nodes" => &mut go.nodes,
                "depth" => &mut go.depth,
                _ => continue,
            };
            // A negative clock is not time that anybody has left.
            *place = words.peek().and_then(|number| number.parse().ok());
        }
        go
    }

    /// The time on a side's clock, in milliseconds.
    pub(crate) fn time_left(&self, side: Side) -> Option<u64> {
        self.clocks[side.index()].0
    }

    /// The time that a move of the side adds, in milliseconds.
    pub(crate) fn increment(&self, side: Side) -> Option<u64> {
        self.clocks[side.index()].1
    }
}
