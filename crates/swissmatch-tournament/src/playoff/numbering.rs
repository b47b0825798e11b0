//! The pairing numbers of a play-off.
//!
//! May not: look at results.

use swiss_system::pairing::history::PairingNumber;

use super::stand::ContestNumbering;
use super::walk::{Open, Walk, sorted};
use crate::log::{ContestId, LotOf};
use crate::playoff_rules::Numbers;

impl Walk<'_> {
    /// The numbers of a contest, best first; `None` while a lot is due.
    pub(super) fn number(&mut self, open: &Open, contest: usize) -> Option<(Vec<PairingNumber>, ContestNumbering)> {
        let (numbers, numbered) = if open.numbers.is_empty() {
            self.first_numbers(open, contest)?
        } else {
            let mut kept = open.numbers.clone();
            kept.retain(|number| open.players.contains(number));
            (kept, ContestNumbering::Kept)
        };
        self.numbered(contest, &numbers, numbered);
        Some((numbers, numbered))
    }

    /// The numbers of a round robin. By criteria they stay. By lot: "Where there have been an odd number of Round
    /// Robins and all the players are the same as in the previous Round Robin, the next Round Robin shall take place
    /// with colours reversed. Otherwise, new pairing numbers determined by lot will be used" (4.10.1, and so 4.7,
    /// 4.8.1, 4.9).
    pub(super) fn number_of_robin(
        &mut self,
        open: &Open,
        contest: usize,
    ) -> Option<(Vec<PairingNumber>, ContestNumbering)> {
        if self.rules.numbers == Numbers::Order {
            return self.number(open, contest);
        }
        let same = sorted(open.numbers.iter().copied()) == open.players;
        let (numbers, numbered) = if same && !open.robins.is_multiple_of(2) {
            (open.numbers.clone(), ContestNumbering::Reversed)
        } else {
            self.by_lot(open, contest)?
        };
        self.numbered(contest, &numbers, numbered);
        Some((numbers, numbered))
    }

    /// "with the pairing numbers determined in the following tie-break order, with player 1 having the best tie-breaks:
    /// Most wins, most blacks, direct encounter, drawing of lots" (2.3, 3.3); or by lot.
    fn first_numbers(&mut self, open: &Open, contest: usize) -> Option<(Vec<PairingNumber>, ContestNumbering)> {
        match self.rules.numbers {
            Numbers::Order => self.by_criteria(contest),
            Numbers::Lot => self.by_lot(open, contest),
        }
    }

    /// The numbers of the whole tie: the first contest with numbers always has all the tied players.
    fn by_criteria(&mut self, contest: usize) -> Option<(Vec<PairingNumber>, ContestNumbering)> {
        let tie = self.tie;
        let mut numbers = Vec::new();
        let mut numbered = ContestNumbering::Criteria;
        let mut complete = true;
        for (group, at) in tie.groups.iter().zip(1..) {
            if group.len() < 2 {
                numbers.extend(group);
                continue;
            }
            numbered = ContestNumbering::CriteriaAndLot;
            let whole = ContestId {
                tie: tie.key,
                number: 1,
            };
            match self.lot(contest, (whole, LotOf::Numbers(at)), group) {
                Some(lot) => numbers.extend(&lot.drawn),
                None => complete = false,
            }
        }
        complete.then_some((numbers, numbered))
    }

    fn by_lot(&mut self, open: &Open, contest: usize) -> Option<(Vec<PairingNumber>, ContestNumbering)> {
        let lot = self.lot(contest, (open.id, LotOf::Numbers(1)), &open.players)?;
        Some((lot.drawn.clone(), ContestNumbering::Lot))
    }
}
