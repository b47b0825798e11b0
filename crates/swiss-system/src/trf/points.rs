//! The points for results, from all records that set them.
//!
//! May not: read lines; add up anybody's points.

use super::record::{AbnormalPoints, BbCode, Color, PointsSymbol, Record, ResultCode, RoundCell, XxsCode};
use crate::score::Points;

/// The points that each kind of round gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointSystem {
    /// A win over the board, with White and with Black.
    pub win: [Points; 2],
    /// A draw over the board, with White and with Black.
    pub draw: [Points; 2],
    /// A loss over the board, with White and with Black.
    pub loss: [Points; 2],
    /// A win by forfeit.
    pub forfeit_win: Points,
    /// A loss by forfeit.
    pub forfeit_loss: Points,
    /// The pairing-allocated bye.
    pub pairing_allocated_bye: Points,
    /// A full-point bye.
    pub full_point_bye: Points,
    /// A half-point bye.
    pub half_point_bye: Points,
    /// A zero-point bye, and a blank round.
    pub zero_point_bye: Points,
    /// A game whose result is not known yet.
    pub unknown: Points,
}

impl Default for PointSystem {
    /// 1, ½, 0; all byes but the half-point and the zero-point bye are worth a win.
    fn default() -> Self {
        Self {
            win: [Points::ONE; 2],
            draw: [Points::HALF; 2],
            loss: [Points::ZERO; 2],
            forfeit_win: Points::ONE,
            forfeit_loss: Points::ZERO,
            pairing_allocated_bye: Points::ONE,
            full_point_bye: Points::ONE,
            half_point_bye: Points::HALF,
            zero_point_bye: Points::ZERO,
            unknown: Points::HALF,
        }
    }
}

impl PointSystem {
    /// The point system by the records `162`, `XXS` and `BBW` to `BBU`, in their order.
    ///
    /// A win of `162` and `BBW` is also the worth of the pairing-allocated bye if no record gives that; `XXS W=3` is
    /// not: JaVaFo takes a bye that it does not name as 1.
    pub fn from_records(records: &[Record]) -> Self {
        let mut system = Self::default();
        let mut given = ExplicitPoints::default();
        for record in records {
            match record {
                Record::PointValues(values) => {
                    for &(symbol, points) in values {
                        system.set_symbol(symbol, points, &mut given);
                    }
                }
                Record::XxsValues(values) => {
                    for &(code, points) in values {
                        system.set_xxs(code, points, &mut given);
                    }
                }
                &Record::BbValue(code, points) => system.set_bb(code, points, &mut given),
                _ => {}
            }
        }
        system
    }

    fn set_symbol(&mut self, symbol: PointsSymbol, points: Points, given: &mut ExplicitPoints) {
        match symbol {
            PointsSymbol::Win => self.set_win(points, given),
            PointsSymbol::Draw => self.set_draw(points, given),
            PointsSymbol::Loss => self.loss = [points; 2],
            PointsSymbol::Absence => (self.zero_point_bye, self.forfeit_loss) = (points, points),
            PointsSymbol::PairingAllocatedBye => self.set_bye(points, given),
            PointsSymbol::Unknown => {
                self.unknown = points;
                given.unknown = true;
            }
        }
    }

    fn set_bb(&mut self, code: BbCode, points: Points, given: &mut ExplicitPoints) {
        match code {
            BbCode::Win => self.set_win(points, given),
            BbCode::Draw => self.set_draw(points, given),
            BbCode::Loss => self.loss = [points; 2],
            BbCode::ZeroPointBye => self.zero_point_bye = points,
            BbCode::ForfeitLoss => self.forfeit_loss = points,
            BbCode::PairingAllocatedBye => self.set_bye(points, given),
        }
    }

    fn set_xxs(&mut self, code: XxsCode, points: Points, given: &mut ExplicitPoints) {
        match code {
            XxsCode::WinWithWhite => self.win[0] = points,
            XxsCode::WinWithBlack => self.win[1] = points,
            XxsCode::DrawWithWhite => self.draw[0] = points,
            XxsCode::DrawWithBlack => self.draw[1] = points,
            XxsCode::LossWithWhite => self.loss[0] = points,
            XxsCode::LossWithBlack => self.loss[1] = points,
            XxsCode::ZeroPointBye => self.zero_point_bye = points,
            XxsCode::HalfPointBye => self.half_point_bye = points,
            XxsCode::FullPointBye => self.full_point_bye = points,
            XxsCode::PairingAllocatedBye => self.set_bye(points, given),
            XxsCode::ForfeitWin => self.forfeit_win = points,
            XxsCode::ForfeitLoss => self.forfeit_loss = points,
            XxsCode::Win => (self.win, self.forfeit_win, self.full_point_bye) = ([points; 2], points, points),
            XxsCode::Draw => self.set_draw(points, given),
        }
    }

    fn set_win(&mut self, points: Points, given: &ExplicitPoints) {
        (self.win, self.forfeit_win, self.full_point_bye) = ([points; 2], points, points);
        if !given.bye {
            self.pairing_allocated_bye = points;
        }
    }

    fn set_draw(&mut self, points: Points, given: &ExplicitPoints) {
        (self.draw, self.half_point_bye) = ([points; 2], points);
        if !given.unknown {
            self.unknown = points;
        }
    }

    fn set_bye(&mut self, points: Points, given: &mut ExplicitPoints) {
        self.pairing_allocated_bye = points;
        given.bye = true;
    }

    /// The points that a round gave.
    pub fn of_round(&self, cell: RoundCell) -> Points {
        let side = match cell.color {
            Some(Color::Black) => 1,
            Some(Color::White) | None => 0,
        };
        match cell.result {
            None if cell.opponent.is_some() => self.unknown,
            None | Some(ResultCode::ZeroPointBye) => self.zero_point_bye,
            Some(ResultCode::Win | ResultCode::ShortWin) => self.win[side],
            Some(ResultCode::Draw | ResultCode::ShortDraw) => self.draw[side],
            Some(ResultCode::Loss | ResultCode::ShortLoss) => self.loss[side],
            Some(ResultCode::ForfeitWin) => self.forfeit_win,
            Some(ResultCode::ForfeitLoss) => self.forfeit_loss,
            Some(ResultCode::PairingAllocatedBye) => self.pairing_allocated_bye,
            Some(ResultCode::FullPointBye) => self.full_point_bye,
            Some(ResultCode::HalfPointBye) => self.half_point_bye,
        }
    }
}

/// The values that a record has set: from then on a win, or a draw, does not change them.
#[derive(Default)]
struct ExplicitPoints {
    bye: bool,
    unknown: bool,
}

impl AbnormalPoints {
    /// The numbers named, or 0 for all.
    pub fn named(&self) -> &[u32] {
        if self.numbers.is_empty() { &[0] } else { &self.numbers }
    }

    /// The player and round that a record may name if it applies to one round of one player or team, the most
    /// specific first; 0 for all.
    pub const fn narrowest_first(number: u32, round: u32) -> [(u32, u32); 4] {
        [(number, round), (number, 0), (0, round), (0, 0)]
    }
}

impl ResultCode {
    /// The result by which `299` names it: its W, D and L stand for all games played.
    #[must_use]
    pub const fn as_abnormal(self) -> Self {
        match self {
            Self::ShortWin => Self::Win,
            Self::ShortDraw => Self::Draw,
            Self::ShortLoss => Self::Loss,
            other => other,
        }
    }
}
