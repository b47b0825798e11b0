//! A game in 32 bytes: a million games take 32 MB.

use super::ending::{Blame, Ending, PgnResult};
use super::names::NameId;
use crate::Side;

/// A longer game is kept as one of so many plies.
pub const MOST_PLIES: u32 = (1 << PLIES) - 1;

/// Bits of a name: `names::MOST_NAMES`.
const NAME: u32 = 22;
const PLIES: u32 = 12;

/// What is kept of a game, by name; [`GameRow`] has it packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFields {
    /// Who had the white pieces.
    pub white: NameId,
    /// Who had the black pieces.
    pub black: NameId,
    /// Its result.
    pub result: PgnResult,
    /// Why it ended.
    pub ending: Ending,
    /// Whose fault that was.
    pub blame: Blame,
    /// Plies from its start position, those of the opening among them.
    pub plies: u32,
    /// The same of games from the same opening: variant, FEN, and the moves with the comment `{book}` that follow the start position.
    /// Where a file has neither, it is the start position.
    pub opening: u64,
    /// The same of games with the same start position and the same moves in the same notation; comments, variations and
    /// annotations do not count. `None` of a game without moves, and where moves were not asked for.
    pub moves: Option<u64>,
    /// Its place in the schedule: the numbers of its round. Games without have 0.
    pub round: u64,
}

/// What is kept of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow {
    opening: u64,
    /// 0: not known.
    moves: u64,
    round: u64,
    /// From below: White, Black, plies, result (2 bits), blame (2 bits), ending (4 bits).
    packed: u64,
}

const _: () = assert!(size_of::<GameRow>() == 32);

const BLACK: u32 = NAME;
const AFTER_NAMES: u32 = 2 * NAME;
const RESULT: u32 = AFTER_NAMES + PLIES;
const BLAME: u32 = RESULT + 2;
const ENDING: u32 = BLAME + 2;

impl GameRow {
    /// Packs a game.
    pub fn new(played: &GameFields) -> Self {
        let plies = u64::from(played.plies.min(MOST_PLIES));
        let packed = u64::from(played.white.0)
            | u64::from(played.black.0) << BLACK
            | plies << AFTER_NAMES
            | (played.result as u64) << RESULT
            | (played.blame as u64) << BLAME
            | (played.ending as u64) << ENDING;
        Self {
            opening: played.opening,
            // One hash of 2⁶⁴ is moved.
            moves: played.moves.map_or(0, |moves| moves.max(1)),
            round: played.round,
            packed,
        }
    }

    /// Who had the pieces of `side`.
    pub fn player(self, side: Side) -> NameId {
        match side {
            Side::White => NameId(self.bits(0, NAME)),
            Side::Black => NameId(self.bits(BLACK, NAME)),
        }
    }

    /// The side that `player` had.
    pub fn side_of(self, player: NameId) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.player(side) == player)
    }

    /// Plies from its start position, at most [`MOST_PLIES`].
    pub fn plies(self) -> u32 {
        self.bits(AFTER_NAMES, PLIES)
    }

    /// Its result.
    pub fn result(self) -> PgnResult {
        PgnResult::ALL[self.bits(RESULT, 2) as usize]
    }

    /// Why it ended.
    pub fn ending(self) -> Ending {
        Ending::ALL[self.bits(ENDING, 4) as usize]
    }

    /// Whose fault that was.
    pub fn blame(self) -> Blame {
        Blame::ALL[self.bits(BLAME, 2) as usize]
    }

    /// The same of games from the same opening.
    pub const fn opening(self) -> u64 {
        self.opening
    }

    /// The same of games with the same start position and the same moves, if they are known.
    pub fn moves(self) -> Option<u64> {
        (self.moves != 0).then_some(self.moves)
    }

    /// Its place in the schedule; 0 if the file does not say.
    pub const fn round(self) -> u64 {
        self.round
    }

    fn bits(self, from: u32, bits: u32) -> u32 {
        let mask = (1 << bits) - 1;
        u32::try_from((self.packed >> from) & mask).expect("at most 22 bits")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_row_gives_back_what_was_put_in(
            names in (0..1_u32 << NAME, 0..1_u32 << NAME),
            kinds in (0..4_usize, 0..16_usize, 0..4_usize),
            plies in 0..=MOST_PLIES,
            hashes in (any::<u64>(), any::<Option<u64>>(), any::<u64>()),
        ) {
            let played = GameFields {
                white: NameId(names.0),
                black: NameId(names.1),
                result: PgnResult::ALL[kinds.0],
                ending: Ending::ALL[kinds.1],
                blame: Blame::ALL[kinds.2],
                plies,
                opening: hashes.0,
                moves: hashes.1.map(|moves| moves.max(1)),
                round: hashes.2,
            };
            let row = GameRow::new(&played);
            let back = GameFields {
                white: row.player(Side::White),
                black: row.player(Side::Black),
                result: row.result(),
                ending: row.ending(),
                blame: row.blame(),
                plies: row.plies(),
                opening: row.opening(),
                moves: row.moves(),
                round: row.round(),
            };
            prop_assert_eq!(back, played);
        }
    }

    #[test]
    fn kinds_stand_at_their_numbers() {
        assert!(
            Ending::ALL
                .iter()
                .enumerate()
                .all(|(number, &ending)| ending as usize == number)
        );
        assert!(
            Blame::ALL
                .iter()
                .enumerate()
                .all(|(number, &blame)| blame as usize == number)
        );
        assert!(
            PgnResult::ALL
                .iter()
                .enumerate()
                .all(|(number, &result)| result as usize == number)
        );
    }
}
