//! What rank confidence is drawn from: the game pairs of finished mini-matches.
//!
//! Games 2k − 1 and 2k of a mini-match are one opening with the colours reversed: a game pair, if both were played.
//!
//! May not: draw anything.

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::results::RoundFate;

use crate::results::results_after;
use swissmatch_stats::confidence::{MiniMatch as Drawn, ResampledEvent, Share};

use super::part::Part;
use super::state::{EndedGame, GameTally, MiniMatch, State};

/// With fewer game pairs than this, drawing teaches nothing: a single pair always gives itself again, as if it were
/// certain.
const FEWEST_PAIRS: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResampleError {
    /// Too few game pairs.
    #[error(
        "round {round} board {board} has {} (two games of one opening, colours reversed), and drawing \
         from fewer than {FEWEST_PAIRS} would show a certainty that is not there: rank confidence needs mini-matches of 4 \
         games or more (mini_match.games)",
        count::of(*pairs, "played game pair", "played game pairs")
    )]
    TooFewPairs {
        /// From 1.
        round: usize,
        /// From 1.
        board: usize,
        /// Game pairs that were played.
        pairs: usize,
    },
    /// No mini-match has been played to its end.
    #[error("no mini-match has been played to its end yet: there are no games to draw from")]
    NothingPlayed,
}

impl ResampleError {
    /// The same error with the board renamed by `named`.
    #[must_use]
    pub fn named(self, named: impl Fn(FixedBoard) -> FixedBoard) -> Self {
        match self {
            Self::TooFewPairs { round, board, pairs } => {
                let (round, board) = named((round, board));
                Self::TooFewPairs { round, board, pairs }
            }
            Self::NothingPlayed => self,
        }
    }
}

/// A board that is not drawn anew: its round and number, both from 1.
pub type FixedBoard = (usize, usize);

/// The name in the event of a board of a part: boards are numbered through everything that is played in a round.
///
/// # Panics
/// If the part has no such board.
pub fn in_event(event: &State, part: &Part, (round, board): FixedBoard) -> FixedBoard {
    let round = round + part.rounds_before as usize;
    let mut boards = (1..).zip(&event.rounds()[round - 1].mini_matches);
    let mut own = boards
        .by_ref()
        .filter(|(_, of)| part.own_number(of.pair.white).is_some());
    let (number, _) = own.nth(board - 1).expect("a board of the part");
    (round, number)
}

/// The event after the first `rounds` rounds, with the game pairs to be drawn anew, and the boards that are not drawn
/// anew although games were played on them: those of the round being played, and those that were cut short before a
/// second game pair because an engine did not start.
///
/// # Errors
/// A mini-match that was played to its end has too few game pairs, or there is no finished mini-match.
pub fn resampled(state: &State, rounds: usize) -> Result<(ResampledEvent, Vec<FixedBoard>), ResampleError> {
    let mut mini_matches = Vec::new();
    let mut fixed = Vec::new();
    let results = results_after(state, rounds);
    let is_annulled = |round: usize, player: PairingNumber| {
        let had = results.players[player.index()].rounds.get(round);
        had.is_some_and(|had| had.fate == RoundFate::Annulled)
    };
    for (round, paired) in state.rounds().iter().take(rounds).enumerate() {
        for (board, mini_match) in (1..).zip(&paired.mini_matches) {
            let games = || mini_match.games.iter().flatten();
            if !games().any(|game| was_played(&game)) || is_annulled(round, mini_match.pair.white) {
                continue;
            }
            let drawn = drawn(state, round, mini_match);
            let pairs = drawn.pairs.len();
            if mini_match.is_over() && pairs >= FEWEST_PAIRS {
                mini_matches.push(drawn);
            } else if !mini_match.is_over() || !games().all(|game| was_played(&game)) {
                fixed.push((round + 1, board));
            } else {
                return Err(ResampleError::TooFewPairs {
                    round: round + 1,
                    board,
                    pairs,
                });
            }
        }
    }
    if mini_matches.is_empty() {
        return Err(ResampleError::NothingPlayed);
    }
    let event = ResampledEvent {
        results,
        rules: state.setup().standings.rules(),
        match_points: state.setup().scoring.r#match,
        mini_matches,
    };
    Ok((event, fixed))
}

fn was_played(game: &EndedGame) -> bool {
    game.finished.termination.was_played()
}

fn drawn(state: &State, round: usize, mini_match: &MiniMatch) -> Drawn {
    let players = [mini_match.pair.white, mini_match.pair.black];
    // The result of some of the games is the result that a mini-match of these games alone would have had.
    let shares = |games: &[EndedGame]| {
        let tally = GameTally::of(games, mini_match.pair.white);
        [0, 1].map(|player| Share {
            points: tally.game_points(player, &state.setup().scoring),
            games: tally.counts(player, &state.setup().scoring),
        })
    };
    let is_pair = |games: &Vec<EndedGame>| games.iter().filter(|game| was_played(game)).count() == 2;
    let of_pairs = mini_match
        .games
        .pairs()
        .map(|games| games.into_iter().flatten().collect());
    let (pairs, rest): (Vec<Vec<EndedGame>>, Vec<_>) = of_pairs.partition(is_pair);
    Drawn {
        round,
        players,
        pairs: pairs.iter().map(|games| shares(games)).collect(),
        rest: shares(&rest.concat()),
    }
}
