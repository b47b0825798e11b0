//! A bracket, and which players are best left over by it: the criteria that depend on the downfloaters alone.
//!
//! May not: know who meets whom inside the bracket.

use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::score::Points;

use super::completion::Completion;
use super::completion::TooLarge;
use super::position::Position;
use super::position::Set;
use super::position::members;
use super::position::one;
use super::position::set_of;

/// A bracket's part in the round (A.9 of 2017; in 2026 every bracket is alike, the last one included).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One scoregroup and who came down to it.
    Usual,
    /// 2017: the penultimate one, paired again because the rest could not be completed.
    Penultimate,
    /// 2017: the last one, collapsed or not.
    Last,
}

/// Who is to be paired now, and who later.
#[derive(Clone, Debug)]
pub(crate) struct Bracket {
    /// Its part in the round.
    pub(crate) kind: Kind,
    /// Moved-down players, in order.
    pub(crate) mdps: Vec<usize>,
    /// Players of the scoregroup, in order.
    pub(crate) residents: Vec<usize>,
    /// The scoregroups below, highest first.
    pub(crate) below: Vec<Vec<usize>>,
}

impl Bracket {
    /// All players of the bracket.
    pub(crate) fn everybody(&self) -> Set {
        set_of(&self.mdps) | set_of(&self.residents)
    }

    /// All players of lower scoregroups.
    pub(crate) fn below(&self) -> Set {
        self.below.iter().fold(0, |set, group| set | set_of(group))
    }

    /// Whether its residents have several scores: the collapsed last bracket of 2017.
    pub(crate) fn is_collapsed(&self, position: &Position<'_>) -> bool {
        let mut scores = self.residents.iter().map(|&player| position.score(player));
        scores.any(|score| score != position.score(self.residents[0]))
    }

    /// The bracket that follows when these float down. `None` below the last scoregroup.
    pub(crate) fn following(&self, downfloaters: Set) -> Option<Self> {
        let (group, below) = self.below.split_first()?;
        Some(Self {
            kind: Kind::Usual,
            mdps: members(downfloaters),
            residents: group.clone(),
            below: below.to_vec(),
        })
    }

    /// A.8 of 2017: "one point less than the lowest score of the bracket". Also what a moved-down player who is left
    /// over again is taken to meet in C18 and C20 of 2026: less than everybody here.
    pub(crate) fn artificial_score(&self, position: &Position<'_>) -> Points {
        let lowest = members(self.everybody())
            .into_iter()
            .map(|player| position.score(player))
            .min();
        lowest.expect("a bracket has players") - Points::ONE
    }
}

/// What a choice of downfloaters is worth: criterion after criterion, each a list, less is better.
pub(crate) type Worth = Vec<Vec<i64>>;

/// The sets of downfloaters that are best by C4 to C8 (2017: C4 to C7), with what they are worth by C6, C7 and C8.
///
/// Everything up to C8 asks only who floats down, not who meets whom: so all sets that leave a bracket which can be
/// paired are tried, fewest players first (C6 stands above C7 and C8).
///
/// # Errors
/// [`TooLarge`].
pub(crate) fn best_downfloaters(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
) -> Result<Vec<Set>, TooLarge> {
    let (sets, _) = best_without_following(position, completion, bracket)?;
    let mut judged = Vec::new();
    for set in sets {
        judged.push((worth_of_following(position, completion, bracket, set)?, set));
    }
    let best = judged.iter().map(|(worth, _)| worth.clone()).min();
    judged.retain(|(worth, _)| Some(worth) == best.as_ref());
    Ok(judged.into_iter().map(|(_, set)| set).collect())
}

/// What these downfloaters are worth by C6, C7 and C8 (2017: C5, C6 and C7), in this order.
///
/// # Errors
/// [`TooLarge`].
pub(crate) fn worth_of(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
    downfloaters: Set,
) -> Result<Worth, TooLarge> {
    let mut worth = worth_here(position, bracket, downfloaters);
    worth.push(worth_of_following(position, completion, bracket, downfloaters)?.concat());
    Ok(worth)
}

/// C8, C7 of 2017: how well the following bracket, "just the following bracket", can do. In 2017 the penultimate and
/// the last bracket do not ask.
fn worth_of_following(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
    downfloaters: Set,
) -> Result<Worth, TooLarge> {
    let Some(mut following) = bracket.following(downfloaters).filter(|_| bracket.kind == Kind::Usual) else {
        return Ok(Worth::new());
    };
    let mut worth = Worth::new();
    if position.rules.edition == DutchEdition::Of2017 && following.below.is_empty() {
        // The bye is part of the last bracket, so C2 binds there as well: a pairing that leaves over somebody else is
        // none. Where there is no pairing at all, the choice is worse than any.
        let completes = completion.can_be_completed(following.everybody());
        worth.push(vec![i64::from(!completes)]);
        if completes {
            following.kind = Kind::Last;
        }
    }
    worth.extend(best_without_following(position, completion, &following)?.1);
    Ok(worth)
}

/// The sets of downfloaters that are best by C4, C6 and C7 (2017: C4 to C6), and their common worth.
///
/// # Panics
/// When no set will do: then the round could not be completed before, either.
fn best_without_following(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
) -> Result<(Vec<Set>, Worth), TooLarge> {
    let players = members(bracket.everybody());
    for count in 0..=players.len() {
        completion.spend(ways(players.len(), count))?;
        let mut sets = subsets(&players, count);
        sets.retain(|&set| is_allowed(position, completion, bracket, set));
        completion.spend(0)?;
        if let Some(best) = sets.iter().map(|&set| worth_here(position, bracket, set)).min() {
            sets.retain(|&set| worth_here(position, bracket, set) == best);
            return Ok((sets, best));
        }
    }
    panic!("the round can be completed, so some set may float down");
}

/// Whether the others of the bracket can all be paired with each other, and the round be completed.
fn is_allowed(position: &Position<'_>, completion: &Completion<'_>, bracket: &Bracket, downfloaters: Set) -> bool {
    let completes = completion.can_be_completed(downfloaters | bracket.below());
    // 2017: a bracket is first paired without looking further (A.9); C4 binds the penultimate bracket. The last one has
    // to end the round, with the bye as "part of the pairing of the last bracket".
    let looks_no_further = position.rules.edition == DutchEdition::Of2017 && bracket.kind == Kind::Usual;
    (looks_no_further || completes) && completion.all_meet(bracket.everybody() & !downfloaters)
}

fn worth_here(position: &Position<'_>, bracket: &Bracket, downfloaters: Set) -> Worth {
    let count = vec![i64::from(downfloaters.count_ones())];
    match (position.rules.edition, bracket.kind) {
        // C6: fewest downfloaters. C7: their scores, the highest first.
        (DutchEdition::Of2026, _) => {
            let scores = members(downfloaters)
                .into_iter()
                .map(|player| position.score(player).units());
            vec![count, descending(scores.collect())]
        }
        // C5: most pairs. C6: the list of score differences (A.8), as far as it hangs on the downfloaters: all residents
        // have one score, so the differences inside the bracket do not depend on who meets whom.
        (DutchEdition::Of2017, _) if !bracket.is_collapsed(position) => {
            let residents = position.score(bracket.residents[0]);
            let left_over = residents - Points::ONE;
            let psd = members(bracket.everybody()).into_iter().filter_map(|player| {
                if downfloaters & one(player) != 0 {
                    Some((position.score(player) - left_over).units())
                } else if position.score(player) > residents {
                    Some((position.score(player) - residents).units())
                } else {
                    None
                }
            });
            vec![count, descending(psd.collect())]
        }
        // The collapsed bracket has residents of many scores: C6 is judged candidate by candidate.
        (DutchEdition::Of2017, _) => vec![count, Vec::new()],
    }
}

/// "Taken in descending order."
pub(crate) fn descending(mut list: Vec<i64>) -> Vec<i64> {
    list.sort_by(|a, b| b.cmp(a));
    list
}

/// All sets of so many of these players.
pub(crate) fn subsets(players: &[usize], count: usize) -> Vec<Set> {
    if count == 0 {
        return vec![0];
    }
    let Some((&first, rest)) = players.split_first() else {
        return Vec::new();
    };
    let with = subsets(rest, count - 1).into_iter().map(|set| set | one(first));
    with.chain(subsets(rest, count)).collect()
}

/// How many sets of `count` there are.
fn ways(players: usize, count: usize) -> u64 {
    let step = |ways: u64, taken: usize| ways.saturating_mul((players - taken) as u64) / (taken as u64 + 1);
    (0..count.min(players - count)).fold(1, step)
}
