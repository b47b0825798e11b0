//! A round of the event as seen from one of its parts.
//!
//! May not: count points.

use swiss_system::pairing::history::{Pair, PairingNumber};

use crate::state::{MiniMatch, Round};
use swissmatch_game::record::GameId;

use super::Part;

/// A round of the event as the part's round `number`.
pub(super) fn own(part: &Part, number: u32, round: &Round) -> Round {
    let own = |player: PairingNumber| part.own_number(player);
    let own_pair = |pair: &Pair| {
        Some(Pair {
            white: own(pair.white)?,
            black: own(pair.black)?,
            ..*pair
        })
    };
    let boards = round
        .mini_matches
        .iter()
        .filter_map(|board| Some((own_pair(&board.pair)?, board)));
    let mini_matches: Vec<MiniMatch> = (1..)
        .zip(boards)
        .map(|(mini_match, (pair, board)): (u32, (Pair, &MiniMatch))| MiniMatch {
            pair,
            games: board
                .games
                .renamed(GameId::first_of(number, 0, mini_match), [pair.white, pair.black]),
            came: board.came,
        })
        .collect();
    Round {
        pairing: round.pairing.renumbered(own),
        mini_matches,
        day: round.day,
        playoffs: Vec::new(),
        void_drawings: 0,
        settled_before: (0, 0),
        starts: round.starts,
        out: round
            .out
            .iter()
            .filter_map(|(player, out)| Some((own(*player)?, *out)))
            .collect(),
    }
}
