//! Explains a pairing: which choices would have looked better, and which rule stood against each.
//!
//! Each answer is computed, not guessed: the better-looking pair (or downfloater, or S1) is forced, everything
//! generated before it stays, and the best that is still possible is compared with the pairing criterion by
//! criterion.
//!
//! May not: write sentences.

use crate::pairing::deadlock::Obstacle;
use crate::pairing::dutch::PairingBracket;
use crate::pairing::dutch::bracket::{self, BracketChoice};
use crate::pairing::dutch::costs::VertexRole;
use crate::pairing::dutch::criterion::{DutchCriterion, Profile};
use crate::pairing::dutch::deadlock::obstacle;
use crate::pairing::dutch::player::{DutchField, DutchPlayer};
use crate::pairing::dutch::round::Foresight;
use crate::pairing::dutch::rules::{DutchEdition, DutchRules};
use crate::pairing::dutch::scope::Scope;
use crate::pairing::history::{History, PairingNumber};
use crate::pairing::infeasible::NoPairingError;

/// The most better-looking choices that are examined in one bracket; in a large one there are more.
const MOST: usize = 60;
/// The largest number of downfloaters of whom it is said why they are not paired with each other.
const DOWNFLOATERS: usize = 4;

/// Why a round was paired as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DutchExplanation {
    /// The player with the bye, and those who would have come before.
    pub bye: Option<ByeChoice>,
    /// The brackets, the highest first.
    pub brackets: Vec<ExplainedBracket>,
}

/// Why the bye goes to this player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByeChoice {
    /// The player who has it.
    pub player: PairingNumber,
    /// Players of a lower score who must not have it (C2).
    pub barred: Vec<PairingNumber>,
    /// Players of a lower score without whom the others could not all be paired (C4).
    pub needed: Vec<PairingNumber>,
}

/// A bracket, with the choices that were ruled out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedBracket {
    /// The bracket.
    pub bracket: PairingBracket,
    /// The choices that would have looked better, in the order in which they would have been tried.
    pub ruled_out: Vec<RuledOutChoice>,
    /// The criteria that the pairing itself does not meet in full, and how often: what could not be avoided.
    pub unmet: Vec<(DutchCriterion, u64)>,
}

/// A choice that would have come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuledOutChoice {
    /// The choice.
    pub choice: Choice,
    /// The rule that stood against it.
    pub by: Rule,
}

/// A possible choice in a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// Pairing the first with the second, instead of the third.
    Pair(PairingNumber, PairingNumber, PairingNumber),
    /// Pairing this moved-down player.
    PairMovedDown(PairingNumber),
    /// Pairing these two, who float down.
    PairDownfloaters(PairingNumber, PairingNumber),
    /// Letting this player float down.
    FloatDown(PairingNumber),
    /// Pairing the upper half with the lower half, without exchanges.
    NoExchange,
}

/// The rule against a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The two must not meet.
    Barred(Obstacle),
    /// C4: not everybody could be paired.
    Completion,
    /// The first criterion that would be met less well.
    Criterion(DutchCriterion),
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
/// Never: a round that was paired once can be paired again.
pub fn explain(history: &History, rules: &DutchRules) -> Result<DutchExplanation, NoPairingError> {
    let (field, chosen, bye) = super::choose(history, rules, Foresight::Full)?;
    let explained = chosen
        .iter()
        .map(|chosen| Inquiry::new(&field, history, chosen).explain());
    Ok(DutchExplanation {
        brackets: explained.collect(),
        bye: bye.map(|place| bye_choice(&field, place)),
    })
}

/// The players with a lower score than the player with the bye, and why they do not have it.
fn bye_choice(field: &DutchField, place: usize) -> ByeChoice {
    let score = field.players[place].score;
    let lower = field.players.iter().filter(|other| other.score < score);
    let (needed, barred): (Vec<_>, Vec<_>) = lower.partition(|other| other.may_have_bye);
    let numbers = |players: Vec<&DutchPlayer>| -> Vec<PairingNumber> {
        players.into_iter().map(|player| player.number).collect()
    };
    let needed = if field.edition == DutchEdition::Of2026 {
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
    field: &'a DutchField,
    history: &'a History,
    scope: &'a Scope,
    /// The choice that was made.
    view: &'a BracketChoice,
    /// The counts against each criterion in it.
    taken: Profile,
}

/// The pairs of a bracket by the way in which they were generated.
struct GeneratedPairs {
    of_moved_down: Vec<(usize, usize)>,
    /// Those of the remainder, by the higher ranked player.
    of_remainder: Vec<(usize, usize)>,
    /// Residents who meet nobody moved down.
    remainder: Vec<usize>,
    /// S1 of the remainder.
    s1: Vec<usize>,
}

impl GeneratedPairs {
    /// The roles of the remainder with this S1.
    fn halves(&self, s1: &[usize]) -> Vec<(usize, VertexRole)> {
        let role = |place: &usize| {
            if s1.contains(place) {
                VertexRole::Higher
            } else {
                VertexRole::NotHigher
            }
        };
        self.remainder.iter().map(|place| (*place, role(place))).collect()
    }
}

impl<'a> Inquiry<'a> {
    fn new(field: &'a DutchField, history: &'a History, view: &'a BracketChoice) -> Self {
        Self {
            field,
            history,
            scope: &view.scope,
            view,
            taken: bracket::profile(field, &view.scope, &[], &[]).expect("it was paired"),
        }
    }

    fn number(&self, place: usize) -> PairingNumber {
        self.field.players[place].number
    }

    fn is_moved_down(&self, place: usize) -> bool {
        self.scope.moved_down.contains(&place)
    }

    /// Moved-down players who are not paired.
    fn limbo(&self) -> impl Iterator<Item = usize> {
        let downfloaters = self.view.downfloaters.iter().copied();
        downfloaters.filter(|&place| self.is_moved_down(place))
    }

    fn explain(self) -> ExplainedBracket {
        let generated = self.generated();
        let mut ruled_out = self.downfloats_ruled_out();
        ruled_out.extend(self.halves_ruled_out(&generated));
        ruled_out.extend(self.pairs_ruled_out(&generated));
        ExplainedBracket {
            bracket: super::as_numbers(self.field, self.view),
            ruled_out,
            unmet: self.taken.into_iter().filter(|&(_, count)| count > 0).collect(),
        }
    }

    /// The rule against these pairs and roles: the first criterion that the best bracket with them meets less well.
    fn against(&self, pairs: &[(usize, usize)], roles: &[(usize, VertexRole)]) -> Rule {
        let best = bracket::profile(self.field, self.scope, pairs, roles);
        best.map_or(Rule::Completion, |best| {
            let mut criteria = self.taken.iter().zip(&best);
            let worse = criteria.find(|((_, had), (_, would_have))| would_have > had);
            worse.map_or(Rule::Order, |((criterion, _), _)| Rule::Criterion(*criterion))
        })
    }

    /// The rule against a pair of players: the obstacle if they must not meet, else `otherwise`.
    fn against_pair(&self, one: usize, other: usize, otherwise: impl FnOnce() -> Rule) -> Rule {
        if self.field.may_meet(one, other) {
            otherwise()
        } else {
            Rule::Barred(obstacle(self.field, self.history, one, other))
        }
    }

    /// Other players who would float down, or nobody.
    fn downfloats_ruled_out(&self) -> Vec<RuledOutChoice> {
        let paired = self.limbo().map(|place| RuledOutChoice {
            choice: Choice::PairMovedDown(self.number(place)),
            by: self.against(&[], &[(place, VertexRole::Paired)]),
        });
        let mut ruled_out: Vec<RuledOutChoice> = paired.collect();
        let downfloaters = &self.view.downfloaters[..DOWNFLOATERS.min(self.view.downfloaters.len())];
        for (at, &one) in downfloaters.iter().enumerate() {
            for &other in downfloaters[at + 1..]
                .iter()
                .filter(|&&other| !self.is_moved_down(other))
            {
                ruled_out.push(RuledOutChoice {
                    choice: Choice::PairDownfloaters(self.number(one), self.number(other)),
                    by: self.against_pair(one, other, || self.against(&[(one, other)], &[])),
                });
            }
        }
        let better_looking = self.better_looking_downfloater().map(|place| RuledOutChoice {
            choice: Choice::FloatDown(self.number(place)),
            by: self.against(&[], &[(place, VertexRole::Leaves)]),
        });
        ruled_out.extend(better_looking);
        ruled_out
    }

    /// The upper half of the remainder as S1, if there was an exchange.
    fn halves_ruled_out(&self, generated: &GeneratedPairs) -> Option<RuledOutChoice> {
        let upper = &generated.remainder[..generated.s1.len()];
        (upper != generated.s1).then(|| RuledOutChoice {
            choice: Choice::NoExchange,
            by: self.against(&generated.of_moved_down, &generated.halves(upper)),
        })
    }

    /// Opponents whom a player would have had earlier in the order of generation.
    fn pairs_ruled_out(&self, generated: &GeneratedPairs) -> Vec<RuledOutChoice> {
        // Settled before the pair in question: who is in the limbo, the pairs generated before, the exchange.
        let of_limbo: Vec<(usize, VertexRole)> = self.limbo().map(|place| (place, VertexRole::Leaves)).collect();
        let of_halves = generated.halves(&generated.s1);
        let mut ruled_out = Vec::new();
        let mut settled: Vec<(usize, usize)> = Vec::new();
        for &(one, mate) in generated.of_moved_down.iter().chain(&generated.of_remainder) {
            let is_open = |place: usize| !settled.iter().any(|&(u, v)| u == place || v == place);
            let residents = self.scope.residents.iter().copied().take_while(|&place| place < mate);
            let earlier = residents
                .filter(|&place| place > one && is_open(place))
                .filter(|place| self.is_moved_down(one) || !generated.s1.contains(place));
            for other in earlier.take(MOST - ruled_out.len()).collect::<Vec<_>>() {
                let roles = if self.is_moved_down(one) { &of_limbo } else { &of_halves };
                ruled_out.push(RuledOutChoice {
                    choice: Choice::Pair(self.number(one), self.number(other), self.number(mate)),
                    by: self.against_pair(one, other, || self.against_next(&settled, (one, other), roles)),
                });
            }
            settled.push((one, mate));
        }
        ruled_out
    }

    /// The rule against a pair after those that are settled, with these roles of all others.
    fn against_next(&self, settled: &[(usize, usize)], pair: (usize, usize), roles: &[(usize, VertexRole)]) -> Rule {
        let pairs: Vec<(usize, usize)> = settled.iter().copied().chain([pair]).collect();
        let is_free = |place: usize| !pairs.iter().any(|&(u, v)| u == place || v == place);
        let roles: Vec<_> = roles.iter().copied().filter(|&(place, _)| is_free(place)).collect();
        match self.against(&pairs, &roles) {
            // Not everybody can keep the role that is laid down: find the best without that.
            Rule::Completion => match self.against(&pairs, &[]) {
                Rule::Order => Rule::Exchange,
                rule => rule,
            },
            rule => rule,
        }
    }

    fn generated(&self) -> GeneratedPairs {
        let pairs = self.view.pairs.iter().copied();
        let (of_moved_down, mut of_remainder): (Vec<_>, Vec<_>) =
            pairs.partition(|&(higher, _)| self.is_moved_down(higher));
        of_remainder.sort_unstable();
        GeneratedPairs {
            remainder: self.remainder(&of_moved_down),
            s1: of_remainder.iter().map(|&(higher, _)| higher).collect(),
            of_moved_down,
            of_remainder,
        }
    }

    /// The residents who meet nobody moved down.
    fn remainder(&self, of_moved_down: &[(usize, usize)]) -> Vec<usize> {
        let residents = self.scope.residents.iter().copied();
        residents
            .filter(|place| !of_moved_down.iter().any(|(_, lower)| lower == place))
            .collect()
    }

    /// The lowest ranked resident, if somebody ranked higher floats down instead.
    fn better_looking_downfloater(&self) -> Option<usize> {
        let floats = |place: &usize| self.view.downfloaters.contains(place);
        let somebody = self.scope.residents.iter().any(floats);
        let last = self.scope.residents.iter().rev().find(|place| !floats(place));
        let highest = self.scope.residents.iter().find(|place| floats(place));
        last.filter(|&last| somebody && Some(last) > highest).copied()
    }
}
