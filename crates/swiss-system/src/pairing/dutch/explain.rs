//! Why a pairing is what it is: what would have looked better, and which rule stood against it.
//!
//! Each answer is computed, not guessed: the better-looking pair (or downfloater, or S1) is forced, what is generated
//! before it stays, and the best that is still possible is compared with the pairing criterion by criterion.
//!
//! May not: write sentences.

use crate::pairing::deadlock::Obstacle;
use crate::pairing::dutch::Bracket;
use crate::pairing::dutch::bracket::{self, Chosen};
use crate::pairing::dutch::costs::Role;
use crate::pairing::dutch::criterion::Criterion;
use crate::pairing::dutch::deadlock::obstacle;
use crate::pairing::dutch::player::{Field, Player};
use crate::pairing::dutch::round::Foresight;
use crate::pairing::dutch::rules::{DutchRules, Edition};
use crate::pairing::dutch::scope::Scope;
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::infeasible::Infeasible;

/// Better-looking choices that are looked into in one bracket; in a large one there are more.
const MOST: usize = 60;
/// Of so many downfloaters it is said why they are not paired with each other.
const DOWNFLOATERS: usize = 4;

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
    /// To pair these two, who float down.
    PairDownfloaters(PairingNumber, PairingNumber),
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
    /// No criterion: it is only as good with another exchange between the halves, which comes later (article 4.3).
    Exchange,
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
pub fn explain(history: &History, rules: &DutchRules) -> Result<Explanation, Infeasible> {
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
        let taken = bracket::profile(self.field, self.scope, &[], &[]).expect("it was paired");
        let by = |pairs: &[(usize, usize)], roles: &[(usize, Role)]| {
            let best = bracket::profile(self.field, self.scope, pairs, roles);
            best.map_or(Rule::Completion, |best| {
                let mut criteria = taken.iter().zip(&best);
                let worse = criteria.find(|((_, had), (_, would_have))| would_have > had);
                worse.map_or(Rule::Order, |((criterion, _), _)| Rule::Criterion(*criterion))
            })
        };
        let mut ruled_out = Vec::new();
        let mut add = |choice: Choice, by: Rule| ruled_out.push(RuledOut { choice, by });

        let is_moved_down = |place: &usize| self.scope.moved_down.contains(place);
        let limbo = view.downfloaters.iter().filter(|place| is_moved_down(place));
        for &place in limbo.clone() {
            let choice = Choice::PairMovedDown(self.number(place));
            add(choice, by(&[], &[(place, Role::Paired)]));
        }
        let floating = view.downfloaters.iter().take(DOWNFLOATERS).enumerate();
        for (at, &one) in floating {
            for &other in view.downfloaters.iter().take(DOWNFLOATERS).skip(at + 1) {
                if is_moved_down(&other) {
                    continue;
                }
                let rule = if self.field.may_meet(one, other) {
                    by(&[(one, other)], &[])
                } else {
                    Rule::Barred(obstacle(self.field, self.history, one, other))
                };
                add(Choice::PairDownfloaters(self.number(one), self.number(other)), rule);
            }
        }
        if let Some(place) = self.better_looking_downfloater(view) {
            let choice = Choice::FloatDown(self.number(place));
            add(choice, by(&[], &[(place, Role::Leaves)]));
        }
        let (of_moved_down, mut of_remainder): (Vec<_>, Vec<_>) = view
            .pairs
            .iter()
            .copied()
            .partition(|(higher, _)| is_moved_down(higher));
        of_remainder.sort_unstable();
        let s1: Vec<usize> = of_remainder.iter().map(|&(higher, _)| higher).collect();
        let remainder = self.remainder(&of_moved_down);
        let halves = |s1: &[usize]| -> Vec<(usize, Role)> {
            let role = |place: &usize| {
                if s1.contains(place) {
                    Role::Higher
                } else {
                    Role::NotHigher
                }
            };
            remainder.iter().map(|place| (*place, role(place))).collect()
        };
        let upper = &remainder[..s1.len()];
        if upper != s1 {
            add(Choice::NoExchange, by(&of_moved_down, &halves(upper)));
        }

        // What is settled before the pair in question: who is in the limbo, the pairs generated before, the exchange.
        let of_limbo: Vec<(usize, Role)> = limbo.map(|&place| (place, Role::Leaves)).collect();
        let mut looked_into = 0;
        let mut settled: Vec<(usize, usize)> = Vec::new();
        for &(one, mate) in of_moved_down.iter().chain(&of_remainder) {
            let is_open = |place: &usize| !settled.iter().any(|&(u, v)| u == *place || v == *place);
            let residents = self.scope.residents.iter().copied().take_while(|&place| place < mate);
            let earlier = residents
                .filter(|place| *place > one && is_open(place))
                .filter(|place| is_moved_down(&one) || !s1.contains(place));
            for other in earlier {
                looked_into += 1;
                if looked_into > MOST {
                    break;
                }
                let rule = if self.field.may_meet(one, other) {
                    let pairs: Vec<(usize, usize)> = settled.iter().copied().chain([(one, other)]).collect();
                    let roles = if is_moved_down(&one) {
                        of_limbo.clone()
                    } else {
                        halves(&s1)
                    };
                    let is_free = |place: usize| !pairs.iter().any(|&(u, v)| u == place || v == place);
                    let roles: Vec<_> = roles.into_iter().filter(|&(place, _)| is_free(place)).collect();
                    match by(&pairs, &roles) {
                        // Not everybody can keep the part that is laid down: see what is best when they need not.
                        Rule::Completion => match by(&pairs, &[]) {
                            Rule::Order => Rule::Exchange,
                            rule => rule,
                        },
                        rule => rule,
                    }
                } else {
                    Rule::Barred(obstacle(self.field, self.history, one, other))
                };
                add(
                    Choice::Pair(self.number(one), self.number(other), self.number(mate)),
                    rule,
                );
            }
            settled.push((one, mate));
        }
        Explained {
            bracket: super::as_numbers(self.field, view),
            ruled_out,
            unmet: taken.into_iter().filter(|&(_, count)| count > 0).collect(),
        }
    }

    /// The residents who meet nobody moved down.
    fn remainder(&self, of_moved_down: &[(usize, usize)]) -> Vec<usize> {
        let residents = self.scope.residents.iter().copied();
        residents
            .filter(|place| !of_moved_down.iter().any(|(_, lower)| lower == place))
            .collect()
    }

    /// The lowest ranked resident, where somebody ranked higher floats down instead.
    fn better_looking_downfloater(&self, view: &Chosen) -> Option<usize> {
        let floats = |place: &usize| view.downfloaters.contains(place);
        let somebody = self.scope.residents.iter().any(floats);
        let last = self.scope.residents.iter().rev().find(|place| !floats(place));
        let highest = self.scope.residents.iter().find(|place| floats(place));
        last.filter(|&last| somebody && Some(last) > highest).copied()
    }
}
