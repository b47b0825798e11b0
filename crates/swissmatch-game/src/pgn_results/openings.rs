//! What files say of the openings of their games: names, start positions, moves, each opening once.
//!
//! May not: decide which games have the same opening.

use std::collections::HashMap;

/// An opening's labels. All of it is foreign text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpeningLabel {
    /// ECO code and name; empty if there are none, or games with this opening disagree.
    pub name: String,
    /// The start position as FEN; empty for the usual one.
    pub fen: String,
    /// The moves of the opening as written in the first game that has it.
    pub moves: String,
    /// True if games with it have different names.
    differs: bool,
}

/// The openings of any number of games, by the number that a game has of its opening.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    labels: HashMap<u64, OpeningLabel>,
}

impl Openings {
    pub fn label(&self, number: u64) -> Option<&OpeningLabel> {
        self.labels.get(&number)
    }

    /// Notes what a game says of its opening.
    pub(super) fn note(&mut self, number: u64, name: &str, fen: &str, moves: &str) {
        let Some(known) = self.labels.get_mut(&number) else {
            let label = OpeningLabel {
                name: name.to_owned(),
                fen: fen.to_owned(),
                moves: moves.to_owned(),
                differs: false,
            };
            self.labels.insert(number, label);
            return;
        };
        if known.name != name && !known.differs {
            known.differs = true;
            known.name.clear();
        }
    }
}
