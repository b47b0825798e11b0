//! Can these players all be paired? By trying.
//!
//! Also the place that counts the work, so that a field too large for trying is given up.
//!
//! May not: know brackets or quality.

use std::cell::Cell;
use std::cell::RefCell;
use std::collections::HashMap;

use swiss_system::score::Points;

use super::position::Position;
use super::position::Set;
use super::position::members;
use super::position::one;

/// A round is too large to be tried in the steps that were granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// Which sets of players can be paired under the absolute criteria; answers are kept.
pub(crate) struct Completion<'a> {
    position: &'a Position<'a>,
    /// The only score the bye's receiver may have (C5 of 2026); `None` where every score will do.
    bye_score: Option<Points>,
    known: RefCell<HashMap<Set, bool>>,
    /// Steps that may still be made.
    steps: Cell<u64>,
}

impl<'a> Completion<'a> {
    /// Asks about this field, with any score for the bye.
    pub(crate) fn new(position: &'a Position<'a>, steps: u64) -> Self {
        Self {
            position,
            bye_score: None,
            known: RefCell::new(HashMap::new()),
            steps: Cell::new(steps),
        }
    }

    /// C5: from now on the bye goes to the least score it can go to in a pairing of the whole field.
    pub(crate) fn settle_bye(&mut self, everybody: Set) {
        let mut possible = members(everybody);
        possible.retain(|&player| everybody.count_ones() % 2 == 1 && self.can_be_left_over(everybody, player));
        self.bye_score = possible.iter().map(|&player| self.position.score(player)).min();
    }

    /// From now on the bye goes to this score, as a pairing that is to be judged has it.
    pub(crate) fn give_bye_to(&mut self, score: Points) {
        self.bye_score = Some(score);
    }

    /// Counts work.
    ///
    /// # Errors
    /// [`TooLarge`] when there was too much of it.
    pub(crate) fn spend(&self, steps: u64) -> Result<(), TooLarge> {
        self.steps.set(self.steps.get().saturating_sub(steps));
        if self.steps.get() > 0 { Ok(()) } else { Err(TooLarge) }
    }

    /// The score that C5 leaves to the bye's receiver.
    pub(crate) fn bye_score(&self) -> Option<Points> {
        self.bye_score
    }

    /// Whether all of them can meet somebody of them under C1 and C3. Of no worth once the steps are spent.
    pub(crate) fn all_meet(&self, set: Set) -> bool {
        if set == 0 || !set.count_ones().is_multiple_of(2) {
            return set == 0;
        }
        if let Some(&known) = self.known.borrow().get(&set) {
            return known;
        }
        if self.spend(1).is_err() {
            return false;
        }
        // Whoever has the fewest opponents first: any order gives the same answer.
        let left = |&player: &usize| (self.position.may_meet[player] & set).count_ones();
        let first = members(set).into_iter().min_by_key(left).expect("not empty");
        let mut opponents = members(self.position.may_meet[first] & set).into_iter();
        let answer = opponents.any(|opponent| self.all_meet(set & !one(first) & !one(opponent)));
        self.known.borrow_mut().insert(set, answer);
        answer
    }

    /// C4: whether all of them can be paired, with the bye for one of them if they are odd in number (C1, C2, C3, C5).
    pub(crate) fn can_be_completed(&self, set: Set) -> bool {
        if set.count_ones().is_multiple_of(2) {
            return self.all_meet(set);
        }
        let mut receivers = members(set).into_iter();
        receivers.any(|player| self.can_be_left_over(set, player))
    }

    fn can_be_left_over(&self, set: Set, player: usize) -> bool {
        let position = self.position;
        let score_allows = self.bye_score.is_none_or(|score| score == position.score(player));
        score_allows && !position.players[player].barred_from_bye && self.all_meet(set & !one(player))
    }
}
