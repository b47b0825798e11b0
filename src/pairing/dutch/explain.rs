//! Why a pairing is what it is: what would have looked better, and which rule stood against it.
//!
//! Each answer is computed, not guessed: the better-looking pair (or downfloater, or S1) is forced, what is generated
//! before it stays, and the best that is still possible is compared with the pairing criterion by criterion.
//!
//! May not: write sentences.

use crate::pairing::dutch::Bracket;
use crate::pairing::dutch::bracket::{self, Chosen, Forced};
use crate::pairing::dutch::criterion::Criterion;
use crate::pairing::dutch::deadlock::{Obstacle, obstacle};
use crate::pairing::dutch::player::{Field, Player};
use crate::pairing::dutch::round::Foresight;
use crate::pairing::dutch::rules::{Edition, Rules};
use crate::pairing::dutch::scope::Scope;
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::infeasible::Infeasible;

/// Better-looking choices that are looked into in one bracket; in a large one there are more.
const MOST: usize = 60;

/// Why a round was paired as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Who has the bye, and who would have had it more readily.
    pub bye: Option<ByeChoice>,
    /// The brackets, the highest first.
    pub brackets: Vec<Explained>,
}

/// Why the bye goes to whom it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByeChoice {
    /// Who has it.
    pub player: PairingNumber,
    /// Players of a lower score who must not have it (C2).
    pub barred: Vec<PairingNumber>,
    /// Players of a lower score without whom the others could not all be paired (C4).
    pub needed: Vec<PairingNumber>,
}

/// A bracket and what it was not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The bracket.
    pub bracket: Bracket,
    /// What would have looked better, in the order in which it would have been tried.
    pub ruled_out: Vec<RuledOut>,
    /// What could not be avoided: criteria that the pairing itself does not meet in full, and how often.
    pub unmet: Vec<(Criterion, u64)>,
}

/// A choice that would have come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledOut {
    /// The choice.
    pub choice: Choice,
    /// What stood against it.
    pub by: Rule,
}

/// What could have been chosen in a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// To pair the first with the second, instead of the third.
    Pair(PairingNumber, PairingNumber, PairingNumber),
    /// To pair this moved-down player.
    PairMovedDown(PairingNumber),
    /// To let this player float down.
    FloatDown(PairingNumber),
    /// To pair the upper half with the lower half, without exchanges.
    NoExchange,
}

/// What stands against a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The two must not meet.
    Barred(Obstacle),
    /// C4: then not everybody could be paired.
    Completion,
    /// The first criterion that would be met less well.
    Criterion(Criterion),
    /// No criterion: the order in which candidates are generated (article 4) prefers what was taken.
    Order,
}

/// Explains the pairing of the coming round.
///
/// # Errors
/// As [`super::pair`].
///
/// # Panics
/// Never: what was paired once is paired again.
pub fn explain(history: &History, rules: &Rules) -> Result<Explanation, Infeasible> {
    let (field, chosen, bye) = super::choose(history, rules, Foresight::Full)?;
    let explained = chosen.iter().map(|chosen| {
        let inquiry = Inquiry {
            field: &field,
            history,
            scope: &chosen.scope,
        };
        inquiry.explain(chosen)
    });
    Ok(Explanation {
        brackets: explained.collect(),
        bye: bye.map(|place| bye_choice(&field, place)),
    })
}

/// Who had a lower score than the player with the bye, and why they do not have it.
fn bye_choice(field: &Field, place: usize) -> ByeChoice {
    let score = field.players[place].score;
    let lower = field.players.iter().filter(|other| other.score < score);
    let (needed, barred): (Vec<_>, Vec<_>) = lower.partition(|other| other.may_have_bye);
    let numbers =
        |players: Vec<&Player>| -> Vec<PairingNumber> { players.into_iter().map(|player| player.number).collect() };
    let needed = if field.edition == Edition::Of2026 {
        numbers(needed)
    } else {
        Vec::new()
    };
    ByeChoice {
        player: field.players[place].number,
        barred: numbers(barred),
        needed,
    }
}

/// Questions about one bracket.
struct Inquiry<'a> {
    field: &'a Field,
    history: &'a History,
    scope: &'a Scope,
}

impl Inquiry<'_> {
    fn number(&self, place: usize) -> PairingNumber {
        self.field.players[place].number
    }

    fn explain(&self, view: &Chosen) -> Explained {
        let taken = bracket::profile(self.field, self.scope, &[], Forced::Nothing).expect("it was paired");
        let mut ruled_out = Vec::new();
        let by = |settled: &[(usize, usize)], forced: Forced| {
            let best = bracket::profile(self.field, self.scope, settled, forced);
            best.map_or(Rule::Completion, |best| {
                let mut criteria = taken.iter().zip(&best);
                let worse = criteria.find(|((_, had), (_, would_have))| would_have > had);
                worse.map_or(Rule::Order, |((criterion, _), _)| Rule::Criterion(*criterion))
            })
        };
        let is_moved_down = |place: &usize| self.scope.moved_down.contains(place);

        for &place in view.downfloaters.iter().filter(|place| is_moved_down(place)) {
            let choice = Choice::PairMovedDown(self.number(place));
            ruled_out.push(RuledOut {
                choice,
                by: by(&[], Forced::Paired(place)),
            });
        }
        let float_down = self.better_looking_downfloater(view);
        if let Some(place) = float_down {
            ruled_out.push(RuledOut {
                choice: Choice::FloatDown(self.number(place)),
                by: by(&[], Forced::Leaves(place)),
            });
        }
        let (of_moved_down, mut of_remainder): (Vec<_>, Vec<_>) = view
            .pairs
            .iter()
            .copied()
            .partition(|(higher, _)| is_moved_down(higher));
        of_remainder.sort_unstable();
        if let Some(halves) = self.exchanged(view, &of_remainder) {
            ruled_out.push(RuledOut {
                choice: Choice::NoExchange,
                by: by(&of_moved_down, Forced::Halves(halves)),
            });
        }
        let mut settled: Vec<(usize, usize)> = Vec::new();
        let higher: Vec<usize> = of_remainder.iter().map(|&(higher, _)| higher).collect();
        for &(one, mate) in of_moved_down.iter().chain(&of_remainder) {
            let is_open = |place: &usize| !settled.iter().any(|&(u, v)| u == *place || v == *place);
            let residents = self.scope.residents.iter().copied();
            let earlier: Vec<usize> = residents
                .take_while(|&place| place < mate)
                .filter(|&place| place > one && is_open(&place))
                .filter(|place| is_moved_down(&one) || !higher.contains(place))
                .collect();
            for other in earlier {
                if ruled_out.len() >= MOST {
                    break;
                }
                let rule = if self.field.may_meet(one, other) {
                    by(&settled, Forced::Pair(one, other))
                } else {
                    Rule::Barred(obstacle(self.field, self.history, one, other))
                };
                ruled_out.push(RuledOut {
                    choice: Choice::Pair(self.number(one), self.number(other), self.number(mate)),
                    by: rule,
                });
            }
            settled.push((one, mate));
        }
        Explained {
            bracket: super::as_numbers(self.field, view),
            ruled_out,
            unmet: taken.into_iter().filter(|&(_, count)| count > 0).collect(),
        }
    }

    /// The lowest ranked resident, where somebody ranked higher floats down instead.
    fn better_looking_downfloater(&self, view: &Chosen) -> Option<usize> {
        let floats = |place: &usize| view.downfloaters.contains(place);
        let somebody = self.scope.residents.iter().any(|place| floats(place));
        let last = self.scope.residents.iter().rev().find(|place| !floats(place));
        let highest = self.scope.residents.iter().find(|place| floats(place));
        last.filter(|&last| somebody && Some(last) > highest).copied()
    }

    /// How many of the remainder are in S1, where the higher ranked of its pairs are not just these.
    fn exchanged(&self, view: &Chosen, of_remainder: &[(usize, usize)]) -> Option<usize> {
        let met_moved_down = |place: &usize| {
            let mut pairs = view.pairs.iter();
            pairs.any(|(higher, lower)| lower == place && self.scope.moved_down.contains(higher))
        };
        let residents = self.scope.residents.iter();
        let remainder = residents.filter(|place| !met_moved_down(place));
        let halves = of_remainder.len();
        let s1: Vec<usize> = remainder.copied().take(halves).collect();
        let higher: Vec<usize> = of_remainder.iter().map(|&(higher, _)| higher).collect();
        (s1 != higher).then_some(halves)
    }
}
