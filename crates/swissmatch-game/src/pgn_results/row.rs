//! A game in 32 bytes: a million games take 32 MB.

use super::ending::{Blame, Ending, PgnResult};
use super::names::NameId;
use crate::Side;

/// The most plies that are kept; a longer game is kept with this many.
pub const MOST_PLIES: u32 = (1 << PLIES) - 1;

/// Bits of a name: see `names::MOST_NAMES`.
const NAME: u32 = 22;
const PLIES: u32 = 12;

/// The kept fields of a game; [`GameRow`] is the packed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameFields {
    pub white: NameId,
    pub black: NameId,
    pub result: PgnResult,
    pub ending: Ending,
    pub blame: Blame,
    /// Plies from the start position, including those of the opening.
    pub plies: u32,
    /// A hash, equal for games from the same opening: variant, FEN, and the moves with the comment `{book}` that
    /// follow the start position. If a file has neither, it is that of the start position.
    pub opening: u64,
    /// A hash, equal for games with the same start position and the same moves in the same notation; comments,
    /// variations and annotations do not count. `None` for a game without moves, and if moves were not asked for.
    pub moves: Option<u64>,
    /// The place in the schedule: the numbers of its round; 0 without any.
    pub round: u64,
}

/// A game, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameRow {
    opening: u64,
    /// 0 if not known.
    moves: u64,
    round: u64,
    /// From the lowest bits: White, Black, plies, result (2 bits), blame (2 bits), ending (4 bits).
    packed: u64,
}

const _: () = assert!(size_of::<GameRow>() == 32);

const BLACK: u32 = NAME;
const AFTER_NAMES: u32 = 2 * NAME;
const RESULT: u32 = AFTER_NAMES + PLIES;
const BLAME: u32 = RESULT + 2;
const ENDING: u32 = BLAME + 2;

impl GameRow {
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
            // Of 2⁶⁴ hashes one is moved, since 0 is taken.
            moves: played.moves.map_or(0, |moves| moves.max(1)),
            round: played.round,
            packed,
        }
    }

    pub fn player(self, side: Side) -> NameId {
        match side {
            Side::White => NameId(self.bits(0, NAME)),
            Side::Black => NameId(self.bits(BLACK, NAME)),
        }
    }

    pub fn side_of(self, player: NameId) -> Option<Side> {
        Side::BOTH.into_iter().find(|&side| self.player(side) == player)
    }

    /// Plies from the start position, at most [`MOST_PLIES`].
    pub fn plies(self) -> u32 {
        self.bits(AFTER_NAMES, PLIES)
    }

    pub fn result(self) -> PgnResult {
        PgnResult::ALL[self.bits(RESULT, 2) as usize]
    }

    pub fn ending(self) -> Ending {
        Ending::ALL[self.bits(ENDING, 4) as usize]
    }

    pub fn blame(self) -> Blame {
        Blame::ALL[self.bits(BLAME, 2) as usize]
    }

    /// Equal for games from the same opening.
    pub const fn opening(self) -> u64 {
        self.opening
    }

    /// Equal for games with the same start position and the same moves, if they are known.
    pub fn moves(self) -> Option<u64> {
        (self.moves != 0).then_some(self.moves)
    }

    /// The place in the schedule; 0 if the file does not say.
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
