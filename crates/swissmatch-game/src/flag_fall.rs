//! The consequence if a side overruns its time while the other side cannot mate.
//!
//! May not: know clocks, or who overran what.

use shakmaty::{Chess, Color, Position};
use swiss_system::word::words;

use super::Side;
use super::termination::{Outcome, Termination};

/// The rule, `game.flag_fall`. Before this key existed, a flag fall lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FlagFall {
    /// `"draw-if-cannot-mate"`: "the game is drawn if the position is such that the opponent cannot checkmate the player's king
    /// by any possible series of legal moves" (Laws of Chess 6.9), by the material that is left.
    DrawIfCannotMate,
    /// `"us-chess"`: the game is also drawn if the opponent has "only king and bishop or king and knight", or "only
    /// king and two knights, the player has no pawns" (US Chess, Official Rules, 14E). A forced win, which that rule
    /// excepts, is for the arbiter to find.
    UsChess,
    /// `"draw-if-bare-king"`: the game is drawn if the opponent has nothing but a king, whatever the time control, as
    /// cutechess-cli scores it.
    DrawIfBareKing,
    /// `"loses"`: a flag fall loses whatever the other side has.
    #[default]
    Loses,
}

words!(FlagFall {
    DrawIfCannotMate => "draw-if-cannot-mate",
    UsChess => "us-chess",
    DrawIfBareKing => "draw-if-bare-king",
    Loses => "loses",
});

impl FlagFall {
    /// The exceptions in which a fallen flag does not lose, as the end of a sentence that says it does.
    pub const fn unless_drawn(self) -> &'static str {
        match self {
            Self::DrawIfCannotMate => ", unless the other side cannot mate",
            Self::UsChess => {
                ", unless the other side cannot mate, or has only a king, a king with one bishop or knight, or, against no pawns, a \
                 king with two knights"
            }
            Self::DrawIfBareKing => ", unless the other side has nothing but a king",
            Self::Loses => "",
        }
    }

    /// The end of a game in which `by` has overrun its time for good; `is_flag` is true if by a clock that runs
    /// through the game.
    pub fn ending(self, position: &Chess, by: Side, is_flag: bool) -> (Outcome, Termination) {
        let winner = Color::from_white(by == Side::Black);
        let is_drawn = match self {
            Self::Loses => false,
            Self::DrawIfBareKing => position.board().by_color(winner).count() == 1,
            Self::DrawIfCannotMate => is_flag && position.has_insufficient_material(winner),
            Self::UsChess => {
                is_flag && (position.has_insufficient_material(winner) || has_no_more_than_minors(position, winner))
            }
        };
        match is_drawn {
            true => (Outcome::Draw, Termination::FlagFallDraw { by }),
            false => (Outcome::win(by.other()), Termination::TimeForfeit { by }),
        }
    }
}

/// "14E2. King and bishop or king and knight. 14E3. King and two knights", the other side having no pawns.
fn has_no_more_than_minors(position: &Chess, winner: Color) -> bool {
    let (own, other) = (
        position.board().material_side(winner),
        position.board().material_side(!winner),
    );
    own.pawn + own.rook + own.queen == 0
        && match (own.bishop, own.knight) {
            (0, 0) | (1, 0) | (0, 1) => true,
            (0, 2) => other.pawn == 0,
            _ => false,
        }
}
