//! Article 2: a round, bracket after bracket from the top.
//!
//! May not: know how a bracket is paired; give colours.

use std::ops::Range;

use crate::pairing::dutch::bracket::{self, BracketChoice};
use crate::pairing::dutch::completion;
use crate::pairing::dutch::player::DutchField;
use crate::pairing::dutch::rules::DutchEdition;
use crate::pairing::dutch::scope::{BracketAim, ByeSeat, Scope};
use crate::pairing::dutch::shortfall::Shortfall;
use crate::pairing::matching::NoMatchingError;

/// How far below a bracket the first look goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Foresight {
    /// At everybody if no more than `few` players are below; else at nobody, then at one scoregroup, two, four …,
    /// until the choice is seen to complete the round.
    Growing { few: usize },
    /// At everybody.
    Full,
}

/// Pairs the field, bracket by bracket from the top, and finds who has the bye.
///
/// # Errors
/// [`NoMatchingError`] when no pairing keeps the absolute criteria.
pub(super) fn pair(
    field: &DutchField,
    foresight: Foresight,
) -> Result<(Vec<BracketChoice>, Option<usize>), NoMatchingError> {
    let mut groups = field.scoregroups();
    let lowest_bye = completion::lowest_bye(field)?;
    let bye_group = lowest_bye.and_then(|place| groups.iter().position(|group| group.contains(&place)));
    let mut brackets: Vec<BracketChoice> = Vec::new();
    let mut moved_down: Vec<usize> = Vec::new();
    while brackets.len() < groups.len() {
        let number = brackets.len();
        let round = DutchRound {
            field,
            groups: &groups,
            bye_group,
            foresight,
        };
        let (chosen, is_penultimate) = match field.edition {
            DutchEdition::Of2026 => (round.bracket(&moved_down, number)?, false),
            DutchEdition::Of2017 => round.bracket_of_2017(&moved_down, number)?,
        };
        moved_down.clone_from(&chosen.downfloaters);
        brackets.push(chosen);
        if is_penultimate {
            let last = groups[number].end..groups[groups.len() - 1].end;
            groups.truncate(number + 1);
            groups.push(last);
        }
    }
    Ok((brackets, moved_down.first().copied()))
}

struct DutchRound<'a> {
    field: &'a DutchField,
    groups: &'a [Range<usize>],
    /// The scoregroup of the player with the bye; `None` without a bye.
    bye_group: Option<usize>,
    foresight: Foresight,
}

impl DutchRound<'_> {
    fn below(&self, number: usize) -> &[Range<usize>] {
        &self.groups[number + 1..]
    }

    fn looks_at_all(&self, number: usize) -> bool {
        let players = self.field.players.len() - self.groups[number].end;
        match self.foresight {
            Foresight::Growing { few } => players <= few,
            Foresight::Full => true,
        }
    }

    /// The candidate for the bracket of scoregroup `number`.
    ///
    /// As long as not everybody is in view, the view is open: C4 is not asked, and C8 only about players in view. The
    /// best candidate of this easier task is taken; if it completes the round with the same C8, it is the best of the
    /// full task too, which allows no more candidates and no better ones.
    fn bracket(&self, moved_down: &[usize], number: usize) -> Result<BracketChoice, NoMatchingError> {
        let below = self.below(number);
        let bye_is_here = self.bye_group.is_some_and(|group| group <= number);
        let mut seen = if self.looks_at_all(number) || bye_is_here {
            below.len()
        } else {
            0
        };
        while seen < below.len() {
            let chosen = bracket::choose(self.field, &self.scope(moved_down, number, seen))?;
            let promised = if seen == 0 {
                self.best_possible(&chosen, &below[0])
            } else {
                chosen.next.clone()
            };
            let (next, left) = completion::next_shortfall(self.field, &chosen.downfloaters, &below[0]);
            let left = left.into_iter().chain(below[1..].iter().cloned().flatten()).collect();
            if next == promised && completion::can_be_completed(self.field, left, self.bye_seat(false)) {
                return Ok(chosen);
            }
            seen = (2 * seen).max(1);
        }
        self.with_everybody_in_view(moved_down, number, bye_is_here)
    }

    /// C9: "minimise the number of unplayed games of the assignee of the pairing-allocated bye", which applies if the
    /// one downfloater of a bracket gets the bye.
    fn with_everybody_in_view(
        &self,
        moved_down: &[usize],
        number: usize,
        bye_is_here: bool,
    ) -> Result<BracketChoice, NoMatchingError> {
        let mut scope = self.scope(moved_down, number, self.below(number).len());
        if bye_is_here {
            scope.bye = self.bye_seat(true);
            let chosen = bracket::choose(self.field, &scope)?;
            if chosen.downfloaters.len() == 1 {
                return Ok(chosen);
            }
        }
        scope.bye = self.bye_seat(false);
        bracket::choose(self.field, &scope)
    }

    /// Edition of 2017, A.9: a bracket is paired without asking if the round can be completed. If it cannot, this is
    /// the penultimate bracket: it is paired again so that it can (C4), without C7, and all below become one
    /// scoregroup, the collapsed last bracket. Returns the candidate, and true if it is that of a penultimate
    /// bracket.
    fn bracket_of_2017(&self, moved_down: &[usize], number: usize) -> Result<(BracketChoice, bool), NoMatchingError> {
        let below = self.below(number);
        let Some(next) = below.first() else {
            let mut last = self.scope(moved_down, number, 0);
            let residents = &self.groups[number];
            let score = |place: usize| self.field.players[place].score;
            last.is_collapsed = score(residents.start) != score(residents.end - 1);
            return Ok((bracket::choose(self.field, &last)?, false));
        };
        let mut scope = self.scope(moved_down, number, 0);
        scope.is_open = true;
        scope.bye = ByeSeat::Absent;
        let mut chosen = None;
        if !self.looks_at_all(number) {
            let hasty = bracket::choose(self.field, &scope)?;
            let (shortfall, _) = completion::next_shortfall(self.field, &hasty.downfloaters, next);
            chosen = (shortfall == self.best_possible(&hasty, next)).then_some(hasty);
        }
        let chosen = match chosen {
            Some(chosen) => chosen,
            None => {
                scope.next = next.clone().collect();
                bracket::choose(self.field, &scope)?
            }
        };
        let rest: Vec<usize> = below.iter().cloned().flatten().collect();
        let chosen = self.with_last_bracket(&scope, chosen, below);
        let left = chosen
            .downfloaters
            .iter()
            .copied()
            .chain(rest.iter().copied())
            .collect();
        if completion::can_be_completed(self.field, left, self.bye_seat(false)) {
            return Ok((chosen, false));
        }
        scope.next = Vec::new();
        scope.later = rest;
        scope.is_open = false;
        scope.bye = self.bye_seat(false);
        Ok((bracket::choose(self.field, &scope)?, true))
    }

    /// Edition of 2017: if the next bracket is the last, C7 asks how it can be paired with the bye given (C2). Of
    /// those who are equally good by C5 and C6, players who let the last bracket be completed are better than others.
    fn with_last_bracket(&self, open: &Scope, chosen: BracketChoice, below: &[Range<usize>]) -> BracketChoice {
        let [last] = below else { return chosen };
        let closed = Scope {
            next: last.clone().collect(),
            is_open: false,
            bye: self.bye_seat(false),
            ..open.clone()
        };
        let scores = |chosen: &BracketChoice| -> Vec<_> {
            let scores = chosen.downfloaters.iter().map(|&place| self.field.players[place].score);
            scores.collect()
        };
        match bracket::choose(self.field, &closed) {
            Ok(completed) if scores(&completed) == scores(&chosen) => completed,
            _ => chosen,
        }
    }

    /// The seat of the bye: in the edition of 2026 for the score settled by C5, before that for anybody.
    fn bye_seat(&self, is_counted: bool) -> ByeSeat {
        match (self.bye_group, self.field.edition) {
            (None, _) => ByeSeat::Absent,
            (Some(group), DutchEdition::Of2026) => ByeSeat::ForScoregroup {
                group: Some(group),
                is_counted,
            },
            (Some(_), DutchEdition::Of2017) => ByeSeat::ForScoregroup {
                group: None,
                is_counted: false,
            },
        }
    }

    fn scope(&self, moved_down: &[usize], number: usize, seen: usize) -> Scope {
        let below = self.below(number);
        let (next, later) = below[..seen]
            .split_first()
            .map_or((None, &[][..]), |(next, later)| (Some(next), later));
        let is_open = seen < below.len();
        Scope {
            moved_down: moved_down.to_vec(),
            residents: self.groups[number].clone().collect(),
            next: next.into_iter().cloned().flatten().collect(),
            later: later.iter().cloned().flatten().collect(),
            is_open,
            bye: if is_open { ByeSeat::Absent } else { self.bye_seat(false) },
            aim: BracketAim::Best,
            is_collapsed: false,
        }
    }

    /// The best result for the next bracket with this number of players moved down: all of them are paired, and at
    /// most one resident is left.
    fn best_possible(&self, chosen: &BracketChoice, next: &Range<usize>) -> Shortfall {
        let players = chosen.downfloaters.len() + next.len();
        let mut scores: Vec<_> = chosen
            .downfloaters
            .iter()
            .map(|&place| self.field.players[place].score)
            .collect();
        scores.dedup();
        Shortfall {
            downfloaters: u64::from(players % 2 == 1),
            by_score: vec![0; scores.len()],
        }
    }
}
