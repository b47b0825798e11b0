//! Which of two pairings of a round is better, and by which criterion: the judge of disagreements.
//!
//! Both pairings are cut into brackets as the rules would have made them: whoever has no opponent in the bracket floats
//! down. The first bracket in which they differ decides, criterion after criterion, and at last the order of generation.
//! There is no answer to "which pairing of a whole round is better" beyond that: after a difference the brackets below
//! have other players.
//!
//! May not: pair anybody by itself (2017 needs to know whether the rest collapses, and asks `literal`).

use std::collections::BTreeSet;
use std::fmt;

use swiss_system::pairing::check::IllegalPairingError;
use swiss_system::pairing::check::illegalities;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::dutch::rules::DutchRules;
use swiss_system::pairing::history::History;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::history::RoundPairing;
use swiss_system::score::Points;

use super::literal::bracket::Bracket;
use super::literal::bracket::Kind;
use super::literal::bracket::worth_of;
use super::literal::completion::Completion;
use super::literal::completion::TooLarge;
use super::literal::completion_of;
use super::literal::generation::generation_key;
use super::literal::pair_bracket;
use super::literal::position::Position;
use super::literal::position::Set;
use super::literal::position::members;
use super::literal::position::one;
use super::literal::quality;

/// Work granted to one comparison.
const STEPS: u64 = 10_000_000;

/// One of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// The first one given.
    First,
    /// The second one given.
    Second,
}

/// The judgement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The same pairs with the same colours, and the same bye.
    Same,
    /// At least one of them breaks the absolute criteria: nothing else matters.
    Illegal {
        /// Breaches of the first.
        first: Vec<IllegalPairingError>,
        /// Breaches of the second.
        second: Vec<IllegalPairingError>,
    },
    /// One is better.
    Better {
        /// Which one.
        which: Which,
        /// The bracket, by the score of its residents; `None` for what is settled before any bracket, or after all.
        bracket: Option<Points>,
        /// "C5" … "C21" of the edition, "generation order", or "article 5" for colours.
        criterion: &'static str,
        /// How both stand in it: less is better.
        why: String,
    },
    /// The round is too large to be judged by trying.
    TooLarge,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Same => write!(f, "the same"),
            Self::TooLarge => write!(f, "too large to be judged"),
            Self::Illegal { first, second } => {
                let list = |breaches: &[IllegalPairingError]| {
                    let sentences: Vec<String> = breaches.iter().map(ToString::to_string).collect();
                    if sentences.is_empty() {
                        "legal".to_owned()
                    } else {
                        sentences.join("; ")
                    }
                };
                write!(f, "first: {}; second: {}", list(first), list(second))
            }
            Self::Better {
                which,
                bracket,
                criterion,
                why,
            } => {
                let which = if *which == Which::First { "first" } else { "second" };
                let bracket = bracket.map_or_else(String::new, |score| format!(" in the bracket of {score}"));
                write!(f, "the {which} is better by {criterion}{bracket}: {why}")
            }
        }
    }
}

/// Judges two pairings of the coming round.
pub(crate) fn compare(history: &History, rules: &DutchRules, first: &RoundPairing, second: &RoundPairing) -> Verdict {
    let breaches = [first, second].map(|pairing| illegalities(history, rules, pairing));
    if let [first, second] = &breaches
        && !(first.is_empty() && second.is_empty())
    {
        let [first, second] = breaches;
        return Verdict::Illegal { first, second };
    }
    judge(history, rules, first, second).unwrap_or(Verdict::TooLarge)
}

/// One of the two pairings, in the position's order of players.
struct Judged {
    opponent: Vec<Option<usize>>,
    whites: BTreeSet<usize>,
}

impl Judged {
    fn new(position: &Position<'_>, pairing: &RoundPairing) -> Self {
        let rank = |number: PairingNumber| {
            let found = position.players.iter().position(|player| player.number == number);
            found.expect("a legal pairing pairs those present")
        };
        let mut opponent = vec![None; position.players.len()];
        let mut whites = BTreeSet::new();
        for pair in &pairing.pairs {
            let (white, black) = (rank(pair.white), rank(pair.black));
            (opponent[white], opponent[black]) = (Some(black), Some(white));
            whites.insert(white);
        }
        Self { opponent, whites }
    }

    /// The pairs inside a bracket, the higher ranked player first, and who floats down from it.
    fn in_bracket(&self, bracket: &Bracket) -> (Vec<(usize, usize)>, Set) {
        let inside = bracket.everybody();
        let opponent = |player: usize| self.opponent[player].filter(|&other| inside & one(other) != 0);
        let players = members(inside).into_iter();
        let floaters = players.clone().filter(|&player| opponent(player).is_none());
        let downfloaters = floaters.fold(0, |set, player| set | one(player));
        let pairs = players.filter_map(|player| opponent(player).map(|other| (player, other)));
        (pairs.filter(|(higher, lower)| higher < lower).collect(), downfloaters)
    }

    fn bye(&self) -> Option<usize> {
        self.opponent.iter().position(Option::is_none)
    }
}

fn judge(
    history: &History,
    rules: &DutchRules,
    first: &RoundPairing,
    second: &RoundPairing,
) -> Result<Verdict, TooLarge> {
    let position = Position::read(history, rules).ok_or(TooLarge)?;
    let both = [first, second].map(|pairing| Judged::new(&position, pairing));
    let mut completion = completion_of(&position, STEPS)?.expect("both pairings are legal, so there is one");
    if let ([Some(first), Some(second)], DutchEdition::Of2026) = (both.each_ref().map(Judged::bye), rules.edition) {
        let scores = [first, second].map(|player| position.score(player));
        if let Some(verdict) = better(None, "C5", &scores[0], &scores[1]) {
            return Ok(verdict);
        }
        // Both may have missed C5 alike: what follows is judged as if they had not.
        completion.give_bye_to(scores[0]);
    }
    let mut downfloaters: Set = 0;
    let mut below = position.scoregroups();
    while !below.is_empty() {
        let residents = below.remove(0);
        let mut bracket = Bracket {
            kind: Kind::Usual,
            mdps: members(downfloaters),
            residents,
            below,
        };
        if rules.edition == DutchEdition::Of2017 {
            pair_bracket(&position, &completion, &mut bracket)?;
        }
        let [first, second] = both.each_ref().map(|judged| judged.in_bracket(&bracket));
        if first != second {
            return judge_bracket(&position, &completion, &bracket, &first, &second);
        }
        downfloaters = first.1;
        below = bracket.below;
    }
    Ok(judge_colors(&position, &both))
}

/// Pairs and downfloaters of one bracket.
type Candidate = (Vec<(usize, usize)>, Set);

fn judge_bracket(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
    first: &Candidate,
    second: &Candidate,
) -> Result<Verdict, TooLarge> {
    let score = Some(position.score(bracket.residents[0]));
    let lists = |candidate: &Candidate| -> Result<Vec<Vec<i64>>, TooLarge> {
        let mut lists = worth_of(position, completion, bracket, candidate.1)?;
        lists.extend(quality::quality(
            position,
            completion,
            bracket,
            &candidate.0,
            candidate.1,
        ));
        completion.spend(0)?;
        Ok(lists)
    };
    let of_floaters = match position.rules.edition {
        DutchEdition::Of2026 => ["C6", "C7", "C8"],
        DutchEdition::Of2017 => ["C5", "C6", "C7"],
    };
    let names = of_floaters.into_iter().chain(quality::names(position, bracket));
    for ((name, first), second) in names.zip(lists(first)?).zip(lists(second)?) {
        if let Some(verdict) = better(score, name, &first, &second) {
            return Ok(verdict);
        }
    }
    let key = |candidate: &Candidate| generation_key(position, bracket, &candidate.0);
    let verdict = better(score, "generation order", &key(first), &key(second));
    Ok(verdict.expect("other pairs are generated at another time"))
}

/// Article 5, pair by pair, from the highest ranked player.
fn judge_colors(position: &Position<'_>, both: &[Judged; 2]) -> Verdict {
    let [first, second] = both;
    let Some(higher) = (0..position.players.len()).find(|player| {
        first.opponent[*player].is_some_and(|opponent| opponent > *player)
            && first.whites.contains(player) != second.whites.contains(player)
    }) else {
        return Verdict::Same;
    };
    let lower = first.opponent[higher].expect("just found");
    let white = position.white_of(higher, lower);
    let name = |player: usize| position.players[player].number;
    Verdict::Better {
        which: if first.whites.contains(&white) {
            Which::First
        } else {
            Which::Second
        },
        bracket: None,
        criterion: "article 5",
        why: format!("White is {}'s, Black {}'s", name(white), name(higher + lower - white)),
    }
}

/// The one with less, if they differ.
fn better<T: Ord + fmt::Debug>(
    bracket: Option<Points>,
    criterion: &'static str,
    first: &T,
    second: &T,
) -> Option<Verdict> {
    let which = match first.cmp(second) {
        std::cmp::Ordering::Less => Which::First,
        std::cmp::Ordering::Greater => Which::Second,
        std::cmp::Ordering::Equal => return None,
    };
    Some(Verdict::Better {
        which,
        bracket,
        criterion,
        why: format!("{first:?} against {second:?}"),
    })
}

mod tests;
