//! The cost of a pair: the criteria C5 to C21 for two players, in the rule's order.
//!
//! An example. Round 4, edition of 2026: 1 has 2½ points and floated down; the residents 2, 3 and 4 have 2. 1 and 2
//! prefer White strongly, 3 and 4 Black; 3 floated up in round 3. The counts against each pair of 1:
//!
//! | pair | C12: a colour not preferred | C13: one strongly preferred | C15: an upfloat as in the last round |
//! |---|---|---|---|
//! | 1–2 | 1 | 1 | 0 |
//! | 1–3 | 0 | 0 | 1 |
//! | 1–4 | 0 | 0 | 0 |
//!
//! Written as digits, the earlier criterion on the left, 1–2 costs 110, 1–3 costs 001 and 1–4 nothing. The cost of
//! the residents who are left is added: with 1–4 goes 2–3, which costs nothing, so that the bracket costs nothing. If
//! 1 and 4 had met, that pair would have no price at all (C1). Then 1–3 with 2–4 costs 001, and 1–2 with 3–4, who
//! both prefer Black, 220: so 3 floats up again, because a later criterion gives way to an earlier one. Each digit is
//! so wide that all pairs of a bracket together never carry over into the next; its final value is how often the
//! criterion is violated. (C15 has a companion, C19, which counts the same upfloat by the score of the moved-down
//! player.)
//!
//! May not: know who else is in view.

use crate::pairing::dutch::criterion_digits::CriterionDigits;
use crate::pairing::dutch::digits::{Digit, DigitPlaces, DigitWeight};
use crate::pairing::dutch::player::{ColorHistory, DutchField, DutchPlayer, Floats, Strength, clash};
use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::dutch::scope::{BracketAim, ByeSeat, Scope};
use crate::pairing::history::FirstColor;
use crate::score::Points;

/// The part of the scope that a vertex is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ScopePart {
    /// Moved down, with the index of its score among those of the moved-down players, the highest score first.
    MovedDown(usize),
    Resident,
    Next,
    Later,
    Bye,
    /// Settled, and no longer in view.
    Gone,
}

/// Everything about a player that the criteria use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Class {
    part: ScopePart,
    color: ColorHistory,
    is_topscorer: bool,
    downfloats: Floats,
    upfloats: Floats,
    /// The cost of giving the bye to this player; `None` if it cannot be given.
    bye: Option<u32>,
    /// The score, in a collapsed bracket only.
    score: Option<Points>,
}

const NO_COLOR: ColorHistory = ColorHistory {
    preference: None,
    strength: Strength::None,
    difference: 0,
    repeated: None,
};

impl Class {
    const fn nobody(part: ScopePart) -> Self {
        Self {
            part,
            color: NO_COLOR,
            is_topscorer: false,
            downfloats: [false; 2],
            upfloats: [false; 2],
            bye: None,
            score: None,
        }
    }

    pub(super) const fn gone() -> Self {
        Self::nobody(ScopePart::Gone)
    }

    pub(super) const fn bye() -> Self {
        Self::nobody(ScopePart::Bye)
    }

    /// Below the bracket only the right to meet and the bye matter.
    pub(super) fn of_player(player: &DutchPlayer, part: ScopePart, bye: Option<u32>, score: Option<Points>) -> Self {
        let in_bracket = matches!(part, ScopePart::MovedDown(_) | ScopePart::Resident);
        let absolute = player.color.strength == Strength::Absolute;
        let color = match (in_bracket, absolute) {
            (true, _) => player.color,
            (false, true) => ColorHistory {
                difference: 0,
                repeated: None,
                ..player.color
            },
            (false, false) => NO_COLOR,
        };
        let floats = |floats: Floats| if in_bracket { floats } else { [false; 2] };
        Self {
            part,
            color,
            is_topscorer: player.is_topscorer,
            downfloats: floats(player.downfloats),
            upfloats: floats(player.upfloats),
            bye,
            score: score.filter(|_| in_bracket),
        }
    }
}

/// The costs of pairs, by class.
pub(super) struct Prices<'a> {
    pub(super) places: DigitPlaces,
    pub(super) digits: CriterionDigits,
    pub(super) field: &'a DutchField,
    pub(super) scope: &'a Scope,
    /// In a collapsed bracket, the possible differences of scores, and what stands for no opponent.
    pub(super) differences: Vec<Points>,
    pub(super) artificial_score: Points,
}

impl Prices<'_> {
    pub(super) fn pair<W: DigitWeight>(&self, one: &Class, other: &Class) -> Option<W> {
        let rank = |class: &Class| match class.part {
            ScopePart::MovedDown(_) => 0,
            ScopePart::Resident => 1,
            ScopePart::Next => 2,
            ScopePart::Later => 3,
            ScopePart::Bye => 4,
            ScopePart::Gone => 5,
        };
        let (upper, lower) = if rank(one) <= rank(other) {
            (one, other)
        } else {
            (other, one)
        };
        if self.absolutely_barred(one, other) {
            return None;
        }
        match (upper.part, lower.part) {
            // Moved-down players meet residents; two of them could have met above.
            (ScopePart::MovedDown(_), ScopePart::MovedDown(_))
            | (ScopePart::Bye, ScopePart::Bye)
            | (_, ScopePart::Gone) => None,
            (ScopePart::MovedDown(_) | ScopePart::Resident, ScopePart::Resident) => Some(self.in_bracket(upper, lower)),
            (ScopePart::MovedDown(_) | ScopePart::Resident, ScopePart::Next) => Some(self.leaving(upper)),
            (ScopePart::MovedDown(_) | ScopePart::Resident, ScopePart::Later) => {
                Some(self.leaving::<W>(upper) + self.past_next(upper))
            }
            (ScopePart::Next, ScopePart::Later) => Some(self.past_next(upper)),
            (_, ScopePart::Bye) => {
                let cost = upper.bye?;
                Some(self.below_next::<W>(upper) + self.bye_cost(cost))
            }
            _ => Some(W::ZERO),
        }
    }

    /// C3: "two non-topscorers with the same absolute colour preference shall not meet."
    fn absolutely_barred(&self, one: &Class, other: &Class) -> bool {
        self.field.color == ColorRule::FirstGame
            && clash(one.color, other.color)
            && !one.is_topscorer
            && !other.is_topscorer
    }

    fn bye_cost<W: DigitWeight>(&self, cost: u32) -> W {
        match self.scope.bye {
            ByeSeat::AsLowAsPossible => self.places.units(self.digits.bye_score, cost),
            _ => self.places.units(self.digits.unplayed, cost),
        }
    }

    pub(super) fn outside<W: DigitWeight>(&self, class: &Class) -> Option<W> {
        let exists = self.scope.is_open && !matches!(class.part, ScopePart::Bye | ScopePart::Gone);
        exists.then(|| self.below_next(class))
    }

    /// Paired neither in this bracket nor in the next.
    fn below_next<W: DigitWeight>(&self, class: &Class) -> W {
        match class.part {
            ScopePart::MovedDown(_) | ScopePart::Resident => self.leaving::<W>(class) + self.past_next(class),
            ScopePart::Next => self.past_next(class),
            _ => W::ZERO,
        }
    }

    /// C6 and C7, C14, C16, C18, C20: not paired in this bracket.
    fn leaving<W: DigitWeight>(&self, class: &Class) -> W {
        let mut cost: W = self.places.units(self.digits.downfloaters, 1);
        // In a collapsed bracket a player left over counts by the difference of scores alone, moved down or not.
        if let Some(score) = class.score {
            return cost + self.float_down(class, score - self.artificial_score);
        }
        let mut add = |digit: Digit| cost = cost + self.places.units(digit, 1);
        if let ScopePart::MovedDown(score) = class.part {
            add(self.digits.downfloater_scores[score]);
        }
        if self.scope.aim == BracketAim::Pairs {
            return cost;
        }
        for back in [0, 1] {
            match class.part {
                _ if !class.downfloats[back] => {}
                ScopePart::MovedDown(score) => add(self.digits.downfloat_scores[back][score]),
                _ => add(self.digits.downfloats[back]),
            }
        }
        cost
    }

    /// C8: not paired in the next bracket.
    fn past_next<W: DigitWeight>(&self, class: &Class) -> W {
        if self.scope.next.is_empty() {
            return W::ZERO;
        }
        let scores = &self.digits.next_downfloater_scores;
        let score = match class.part {
            ScopePart::MovedDown(score) => self.places.units(scores[score], 1),
            ScopePart::Resident => self.places.units(scores[scores.len() - 1], 1),
            _ => W::ZERO,
        };
        score + self.places.units(self.digits.next_downfloaters, 1)
    }

    /// C10 to C13, C15, C17, C19, C21: the cost of a pair in the bracket; `lower` is a resident.
    fn in_bracket<W: DigitWeight>(&self, upper: &Class, lower: &Class) -> W {
        let mut cost = W::ZERO;
        if self.scope.aim == BracketAim::Pairs {
            return cost;
        }
        let mut add = |digit: Digit| cost = cost + self.places.units(digit, 1);
        if self.field.color == ColorRule::FirstGame {
            let violated = color_violations(upper.color, lower.color);
            let relevant = [self.field.is_last_round, self.field.is_last_round, true, true];
            for (at, violated) in violated.into_iter().enumerate() {
                if violated && relevant[at] {
                    add(self.digits.colors[at]);
                }
            }
        }
        if let (Some(one), Some(other)) = (upper.score, lower.score) {
            let (upper, lower, difference) = if one >= other {
                (upper, lower, one - other)
            } else {
                (lower, upper, other - one)
            };
            if difference > Points::ZERO {
                cost = cost + self.float_down(upper, difference) + self.float_up(lower, difference);
            }
        } else if let ScopePart::MovedDown(score) = upper.part {
            for back in [0, 1] {
                if lower.upfloats[back] {
                    add(self.digits.upfloats[back]);
                    add(self.digits.upfloat_scores[back][score]);
                }
            }
        }
        cost
    }
}

impl Prices<'_> {
    fn difference_at(&self, difference: Points) -> usize {
        let at = self.differences.iter().position(|&known| known == difference);
        at.expect("all differences of the bracket are known")
    }

    /// Edition of 2017, collapsed bracket: C6, and C12, C14, C16, C18 for the higher scored of a pair or one left over.
    fn float_down<W: DigitWeight>(&self, class: &Class, difference: Points) -> W {
        let at = self.difference_at(difference);
        let mut cost: W = self.places.units(self.digits.pair_differences[at], 1);
        for back in [0, 1] {
            if class.downfloats[back] {
                cost = cost
                    + self.places.units(self.digits.downfloats[back], 1)
                    + self.places.units(self.digits.downfloat_scores[back][at], 1);
            }
        }
        cost
    }

    /// Edition of 2017, collapsed bracket: C13, C15, C17, C19 for the lower scored of a pair.
    fn float_up<W: DigitWeight>(&self, class: &Class, difference: Points) -> W {
        let at = self.difference_at(difference);
        let mut cost = W::ZERO;
        for back in [0, 1] {
            if class.upfloats[back] {
                cost = cost
                    + self.places.units(self.digits.upfloats[back], 1)
                    + self.places.units(self.digits.upfloat_scores[back][at], 1);
            }
        }
        cost
    }
}

/// C10 to C13 of one pair: true for each of these that somebody gets
/// - a colour difference beyond ±2 (C3 lets only topscorers and their opponents come that far),
/// - the same colour for the third time running,
/// - not the colour preferred,
/// - not the colour strongly preferred (of two absolute preferences none is a strong one).
fn color_violations(one: ColorHistory, other: ColorHistory) -> [bool; 4] {
    let same = one.preference.is_some() && one.preference == other.preference;
    let both = |is: fn(ColorHistory) -> bool| is(one) && is(other);
    let absolute = |color: ColorHistory| color.strength == Strength::Absolute;
    let third = || match one.difference.abs().cmp(&other.difference.abs()) {
        // Equal: the history says who is right, and either may have to give way.
        std::cmp::Ordering::Equal => one.repeated.is_some() && one.repeated == other.repeated,
        // The player with the wider difference gets its colour, the other does not.
        std::cmp::Ordering::Greater => other.repeated == other.preference.map(FirstColor::opposite),
        std::cmp::Ordering::Less => one.repeated == one.preference.map(FirstColor::opposite),
    };
    [
        same && both(|color| color.difference.abs() > 1),
        same && both(absolute) && third(),
        same,
        same && both(|color| color.strength >= Strength::Strong) && !both(absolute),
    ]
}
