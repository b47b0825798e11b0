//! The digits of a weight: one for each criterion C5 to C21, then those of the order of generation.
//!
//! May not: know what a pair costs.

use crate::pairing::dutch::criterion::DutchCriterion;
use crate::pairing::dutch::digits::{Digit, Layout};
use crate::pairing::dutch::player::{DutchField, DutchPlayer};
use crate::pairing::dutch::rules::ColorRule;
use crate::pairing::dutch::scope::{BracketAim, ByeSeat, Scope};

/// The digits of a weight, by criterion.
pub(super) struct CriterionDigits {
    /// C5
    pub(super) bye_score: Digit,
    /// C6
    pub(super) downfloaters: Digit,
    /// C7: by score of the moved-down players.
    pub(super) downfloater_scores: Vec<Digit>,
    /// C6 of 2017 in a collapsed bracket: the differences of scores, the widest first.
    pub(super) pair_differences: Vec<Digit>,
    /// C8: C6 of the next bracket.
    pub(super) next_downfloaters: Digit,
    /// C8: C7 of the next bracket: moved-down players by score, then residents.
    pub(super) next_downfloater_scores: Vec<Digit>,
    /// C9
    pub(super) unplayed: Digit,
    /// C10 to C13
    pub(super) colors: [Digit; 4],
    /// C14 and C16
    pub(super) downfloats: [Digit; 2],
    /// C15 and C17
    pub(super) upfloats: [Digit; 2],
    /// C18 and C20: by score of the moved-down players.
    pub(super) downfloat_scores: [Vec<Digit>; 2],
    /// C19 and C21: by score of the moved-down players.
    pub(super) upfloat_scores: [Vec<Digit>; 2],
    /// Article 4.3: exchanges.
    pub(super) exchanges: Digit,
    /// Article 4.3: the difference of the bracket numbers exchanged.
    pub(super) difference: Digit,
    /// For questions to the matching.
    pub(super) question: Digit,
}

impl CriterionDigits {
    /// Gives each criterion a digit wide enough for its largest count in this scope, the most important first. A
    /// criterion that does not count gets a digit of no width.
    pub(super) fn laid_out(scope: &Scope, field: &DutchField) -> (Layout, Self) {
        let mut layout = Layout::default();
        let bracket = scope.moved_down.len() + scope.residents.len();
        let scores: Vec<usize> = scope
            .moved_down_scores(field)
            .into_iter()
            .map(|group| group.len())
            .collect();
        let has_next = !scope.next.is_empty();
        let best = scope.aim == BracketAim::Best;
        let colors = best && field.color == ColorRule::FirstGame;
        let among = |places: &[usize], is: fn(&DutchPlayer) -> bool| {
            places.iter().filter(|&&at| is(&field.players[at])).count()
        };
        let when = |condition: bool, most: usize| if condition { most } else { 0 };
        let by_score = |layout: &mut Layout, condition: bool| -> Vec<Digit> {
            scores.iter().map(|&size| layout.digit(when(condition, size))).collect()
        };
        let differences = scope.differences(field).len();
        let by_difference =
            |layout: &mut Layout| -> Vec<Digit> { (0..differences).map(|_| layout.digit(bracket)).collect() };
        let moved = scope.moved_down.len();

        let bye_score = layout.digit(when(scope.bye == ByeSeat::AsLowAsPossible, field.players.len()));
        let downfloaters = layout.digit(bracket);
        let downfloater_scores = by_score(&mut layout, true);
        let pair_differences = by_difference(&mut layout);
        let next_downfloaters = layout.digit(when(has_next, bracket + scope.next.len()));
        let mut next_downfloater_scores = by_score(&mut layout, has_next);
        next_downfloater_scores.push(layout.digit(when(has_next, scope.residents.len())));
        let is_counted = matches!(scope.bye, ByeSeat::ForScoregroup { is_counted: true, .. });
        let most_unplayed = field.players.iter().map(|player| player.unplayed as usize).max();
        let unplayed = layout.digit(when(is_counted, most_unplayed.unwrap_or(0)));
        let pairs = bracket / 2;
        let last = colors && field.is_last_round;
        let colors = [last, last, colors, colors].map(|condition| layout.digit(when(condition, pairs)));
        let down = |layout: &mut Layout, is: fn(&DutchPlayer) -> bool| {
            layout.digit(when(best, among(&scope.residents, is) + moved))
        };
        let up = |layout: &mut Layout, is: fn(&DutchPlayer) -> bool| {
            let most = if scope.is_collapsed { bracket } else { moved };
            layout.digit(when(best, among(&scope.residents, is).min(most)))
        };
        let (down_1, up_1) = (
            down(&mut layout, |p| p.downfloats[0]),
            up(&mut layout, |p| p.upfloats[0]),
        );
        let (down_2, up_2) = (
            down(&mut layout, |p| p.downfloats[1]),
            up(&mut layout, |p| p.upfloats[1]),
        );
        let mut float_scores = || {
            if scope.is_collapsed {
                by_difference(&mut layout)
            } else {
                by_score(&mut layout, best)
            }
        };
        let (down_scores_1, up_scores_1) = (float_scores(), float_scores());
        let (down_scores_2, up_scores_2) = (float_scores(), float_scores());
        let residents = scope.residents.len();
        let digits = Self {
            bye_score,
            downfloaters,
            downfloater_scores,
            pair_differences,
            next_downfloaters,
            next_downfloater_scores,
            unplayed,
            colors,
            downfloats: [down_1, down_2],
            upfloats: [up_1, up_2],
            downfloat_scores: [down_scores_1, down_scores_2],
            upfloat_scores: [up_scores_1, up_scores_2],
            exchanges: layout.digit(when(best, residents / 2)),
            difference: layout.digit(when(best, residents * residents / 2)),
            question: layout.digit(when(best, bracket)),
        };
        (layout, digits)
    }

    /// Every digit in which a criterion of quality counts, in order of precedence.
    pub(super) fn criteria(&self) -> Vec<(DutchCriterion, Digit)> {
        let single = |number: u8, digit: Digit| vec![(DutchCriterion(number), digit)];
        let many = |number: u8, digits: &[Digit]| digits.iter().map(|&digit| (DutchCriterion(number), digit)).collect();
        let of_colors = self.colors.iter().zip(10..);
        let lists: Vec<Vec<(DutchCriterion, Digit)>> = [
            single(5, self.bye_score),
            single(6, self.downfloaters),
            many(7, &self.downfloater_scores),
            many(7, &self.pair_differences),
            single(8, self.next_downfloaters),
            many(8, &self.next_downfloater_scores),
            single(9, self.unplayed),
        ]
        .into_iter()
        .chain(of_colors.map(|(&digit, number)| single(number, digit)))
        .chain([
            single(14, self.downfloats[0]),
            single(15, self.upfloats[0]),
            single(16, self.downfloats[1]),
            single(17, self.upfloats[1]),
            many(18, &self.downfloat_scores[0]),
            many(19, &self.upfloat_scores[0]),
            many(20, &self.downfloat_scores[1]),
            many(21, &self.upfloat_scores[1]),
        ])
        .collect();
        lists.concat()
    }
}
