//! The settings that the Dutch system leaves to the event.
//!
//! May not: know players or their past.

use crate::pairing::history::FirstColor;
use crate::score::Points;
use crate::word::words;

/// The edition of C.04.3 that applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DutchEdition {
    /// In force from 1 July 2017 until 31 January 2026.
    Of2017,
    /// In force since 1 February 2026.
    #[default]
    Of2026,
}

words!(DutchEdition {
    Of2026 => "2026",
    Of2017 => "2017",
});

/// How far colours decide who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ColorRule {
    /// `"first-game"`: the colour of a meeting's first game (or of its only one) is the player's colour in that
    /// round, and every rule about colours applies to it.
    #[default]
    FirstGame,
    /// `"ignore"`: pairs are made without regard to colour (no C3, no C10 to C13); White is given out only then.
    Ignore,
}

words!(ColorRule {
    FirstGame => "first-game",
    Ignore => "ignore",
});

/// The number that must be odd or even if neither player of a pair has a colour preference (article 5.2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TpnParity {
    /// `"listed"`: the pairing number as listed.
    Listed,
    /// `"participants"`: the place in the order of pairing numbers among those who have been paired (a game, a forfeit or
    /// a pairing-allocated bye) in an earlier round or are to be paired in this one.
    #[default]
    Participants,
}

words!(TpnParity {
    Participants => "participants",
    Listed => "listed",
});

/// The settings of the Dutch system for one round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DutchRules {
    /// The text in force.
    pub edition: DutchEdition,
    /// The rule on colours.
    pub color: ColorRule,
    /// The reading of article 5.2.5.
    pub tpn_parity: TpnParity,
    /// The initial colour, drawn by lot before round 1 (article 5.1).
    pub initial_color: FirstColor,
    /// Rounds of the whole tournament: only the last one has topscorers (article 1.8).
    pub rounds: u32,
    /// The points of a win.
    pub win: Points,
    /// The points of a loss: a player who scored more without playing has floated down (article 1.4.3 of 2026).
    pub loss: Points,
    /// Virtual points by round, from the first on, and by player (index of the pairing number): what acceleration
    /// adds to a player's score before each round. Rounds and players that are not listed have none.
    pub virtual_points: Vec<Vec<Points>>,
}

impl Default for DutchRules {
    /// The edition in force, one game per round worth 1, ½ and 0, White for the first odd number, no acceleration.
    fn default() -> Self {
        Self {
            edition: DutchEdition::default(),
            color: ColorRule::default(),
            tpn_parity: TpnParity::default(),
            initial_color: FirstColor::White,
            rounds: 0,
            win: Points::ONE,
            loss: Points::ZERO,
            virtual_points: Vec::new(),
        }
    }
}

impl DutchRules {
    /// The virtual points of the player at `index` (from 0) before round `round` (from 1) is paired.
    pub fn virtual_points(&self, index: usize, round: usize) -> Points {
        let of_round = self.virtual_points.get(round.wrapping_sub(1));
        of_round
            .and_then(|players| players.get(index))
            .copied()
            .unwrap_or(Points::ZERO)
    }
}

/// Baku acceleration (C.04.7 of 2026, before it C.04.5.1): virtual points by round and player.
///
/// "GA: the first 2·⌈N/4⌉ players" by pairing number. Of the first ⌈R/2⌉ rounds, in the first half (rounded up) GA
/// has as many virtual points as a win is worth, in the others half of that.
pub fn baku(players: usize, rounds: u32, win: Points) -> Vec<Vec<Points>> {
    let group = 2 * players.div_ceil(4);
    let accelerated = rounds.div_ceil(2);
    let full = accelerated.div_ceil(2);
    (0..accelerated)
        .map(|round| vec![if round < full { win } else { win.halved_times(1) }; group.min(players)])
        .collect()
}
