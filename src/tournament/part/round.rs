//! A round of the event as a part of it sees it.
//!
//! May not: count points.

use swiss_system::pairing::history::{Pair, PairingNumber};

use crate::game::record::GameId;
use crate::tournament::log::GameFinished;
use crate::tournament::state::{Game, Games, MiniMatch, Round};

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
            let game = |game: &Game| {
                let finished = &game.finished;
                let id = GameId {
                    round: number,
                    board: mini_match,
                    ..finished.id
                };
                Some(Game {
                    finished: GameFinished {
                        id,
                        white: own(finished.white)?,
                        black: own(finished.black)?,
                        ..finished.clone()
                    },
                    ruled: game.ruled,
                })
            };
            let games = board.games.iter().map(|played| played.as_ref().and_then(game));
            MiniMatch {
                pair,
                games: Games::new(games.collect()),
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
