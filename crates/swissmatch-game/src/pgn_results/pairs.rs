//! Game pairs in the games of a file: two games of the same players from the same opening with colours reversed.
//!
//! A file does not say which games belong together, and runners that play several games at once write them in the order in
//! which they end. The rule, for the finished games of each two players:
//!
//! 1. Games of one round with the same opening belong together: the first in which one player has White with the
//!    first in which the other has, the second with the second, and so on, in the order of the file. fastchess gives
//!    both games of a pair one number, cutechess-cli the games of one encounter; this program says by the tag `GamePair`
//!    which two they are. Games without a number are of one round.
//! 2. Of the rest, two games that follow one another in the schedule (by round, then by the order of the file, with
//!    no game of these players between them) belong together if they have the same opening and colours are reversed. The
//!    games of a pair have different numbers if each is a round of its own (cutechess-cli with one game a round,
//!    c-chess-cli).
//!
//! Every game is in at most one pair. A game whose partner is missing, unfinished or unusable stays alone. May not:
//! pair games of different files, whose rounds have nothing to do with one another.

use super::ending::PgnResult;
use super::names::NameId;
use super::row::GameRow;
use crate::Side;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GamePair {
    /// The earlier game in the schedule, by its index among the games.
    pub first: u32,
    /// The later game.
    pub second: u32,
}

impl GamePair {
    /// Game points of `player` in both games, in half points: 0 to 4. `None` for anyone else.
    pub fn half_points(self, games: &[GameRow], player: NameId) -> Option<u8> {
        let of = |game: u32| {
            let row = games.get(game as usize)?;
            row.result().half_points(row.side_of(player)?)
        };
        Some(of(self.first)? + of(self.second)?)
    }
}

/// The game pairs among the games of one file. `games` are in the order of the file; pairs are in the order of the
/// schedule.
///
/// # Panics
/// When there are more than 2³² games.
pub fn game_pairs(games: &[GameRow]) -> Vec<GamePair> {
    let count = u32::try_from(games.len()).expect("fewer games than 2³²");
    let row = |game: u32| &games[game as usize];
    let mut order: Vec<u32> = (0..count)
        .filter(|&game| row(game).result() != PgnResult::Unfinished)
        .collect();
    order.sort_unstable_by_key(|&game| (players(row(game)), row(game).round(), game));
    let mut is_paired = vec![false; games.len()];
    let mut pairs = Vec::with_capacity(order.len() / 2);
    let mut pair = |first: u32, second: u32, is_paired: &mut [bool]| {
        is_paired[first as usize] = true;
        is_paired[second as usize] = true;
        pairs.push(GamePair { first, second });
    };
    let mut of_round = Vec::new();
    let same_round =
        |&one: &u32, &other: &u32| players(row(one)) == players(row(other)) && row(one).round() == row(other).round();
    for round in order.chunk_by(same_round).filter(|round| round.len() > 1) {
        of_round.clear();
        of_round.extend_from_slice(round);
        of_round.sort_unstable_by_key(|&game| (row(game).opening(), game));
        for group in of_round.chunk_by(|&one, &other| row(one).opening() == row(other).opening()) {
            let white = row(group[0]).player(Side::White);
            let has_white = |&&game: &&u32| row(game).player(Side::White) == white;
            let one = group.iter().filter(has_white);
            let other = group.iter().filter(|game| !has_white(game));
            for (&one, &other) in one.zip(other) {
                pair(one.min(other), one.max(other), &mut is_paired);
            }
        }
    }
    for two in order.windows(2) {
        let &[one, other] = two else { continue };
        if !is_paired[one as usize] && !is_paired[other as usize] && are_pair(row(one), row(other)) {
            pair(one, other, &mut is_paired);
        }
    }
    pairs.sort_unstable_by_key(|pair| (row(pair.first).round(), pair.first));
    pairs
}

/// Both players, whichever has White.
fn players(row: &GameRow) -> (NameId, NameId) {
    let (white, black) = (row.player(Side::White), row.player(Side::Black));
    (white.min(black), white.max(black))
}

fn are_pair(one: &GameRow, other: &GameRow) -> bool {
    players(one) == players(other)
        && one.player(Side::White) == other.player(Side::Black)
        && one.opening() == other.opening()
}
