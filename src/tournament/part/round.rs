//! A round of the event as a part of it sees it.
//!
//! May not: count points.

use crate::game::record::GameId;
use crate::pairing::history::{Pair, PairingNumber};
use crate::tournament::event::GameFinished;
use crate::tournament::mini_match::MiniMatch;
use crate::tournament::state::Round;

use super::Part;

/// What a round of the event is for a part, as its round of that number.
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
        .map(|(mini_match, (pair, board))| {
            let game = |game: &GameFinished| {
                let id = GameId {
                    round: number,
                    mini_match,
                    ..game.id
                };
                Some(GameFinished {
                    id,
                    white: own(game.white)?,
                    black: own(game.black)?,
                    ..game.clone()
                })
            };
            let games = board.games.iter().map(|played| played.as_ref().and_then(game));
            MiniMatch {
                pair,
                games: games.collect(),
                played_off: board.played_off.and_then(own),
                came: board.came,
            }
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
