//! The quality criteria that depend on who meets whom: C9 to C21 of 2026, C6 and C8 to C19 of 2017.
//!
//! Each criterion is a list; fewer and smaller is better, compared in the order of the criteria. More pairs or
//! downfloaters never make a list smaller, so a part of a candidate is never worse than the whole.
//!
//! May not: choose anything.

use swiss_system::pairing::dutch::rules::ColorRule;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::history::FirstColor;

use super::bracket::Bracket;
use super::bracket::Worth;
use super::bracket::descending;
use super::completion::Completion;
use super::position::Float;
use super::position::Position;
use super::position::Set;
use super::position::Strength;
use super::position::members;
use super::position::one;
use super::position::other;
use super::position::set_of;

/// The names of what [`quality`] lists, in its order.
pub(crate) fn names(position: &Position<'_>, bracket: &Bracket) -> Vec<&'static str> {
    let first: &[&str] = match position.rules.edition {
        DutchEdition::Of2026 => &["C9"],
        DutchEdition::Of2017 if bracket.is_collapsed(position) => &["C6", "C8", "C9"],
        DutchEdition::Of2017 => &["C8", "C9"],
    };
    let both = ["C10", "C11", "C12", "C13", "C14", "C15", "C16", "C17", "C18", "C19"];
    let last: &[&str] = match position.rules.edition {
        DutchEdition::Of2026 => &["C20", "C21"],
        DutchEdition::Of2017 => &[],
    };
    first.iter().copied().chain(both).chain(last.iter().copied()).collect()
}

/// How a candidate, or the part of it that stands, meets the criteria. Pairs name the higher ranked player first;
/// `downfloaters` are those who are known to float.
pub(crate) fn quality(
    position: &Position<'_>,
    completion: &Completion<'_>,
    bracket: &Bracket,
    pairs: &[(usize, usize)],
    downfloaters: Set,
) -> Worth {
    let mut lists = Vec::new();
    match position.rules.edition {
        DutchEdition::Of2026 => lists.push(vec![c9(position, completion, bracket, downfloaters)]),
        DutchEdition::Of2017 if bracket.is_collapsed(position) => {
            lists.push(psd(position, bracket, pairs, downfloaters))
        }
        DutchEdition::Of2017 => {}
    }
    lists.extend(colors(position, pairs));
    lists.extend(floats(position, bracket, pairs, downfloaters));
    lists
}

/// C9: unplayed games of the bye's receiver, in a bracket that floats down exactly one player, who gets the bye.
///
/// That one gets it when somebody has to (an odd number is left) and has the score that C5 demands: everybody below has
/// a lower one.
fn c9(position: &Position<'_>, completion: &Completion<'_>, bracket: &Bracket, downfloaters: Set) -> i64 {
    match members(downfloaters)[..] {
        [only]
            if (downfloaters | bracket.below()).count_ones() % 2 == 1
                && completion.bye_score() == Some(position.score(only)) =>
        {
            i64::try_from(position.players[only].unplayed).expect("a number of rounds")
        }
        _ => 0,
    }
}

/// C6 of 2017: the list of score differences (A.8), without the zeros at its end: all candidates have as many entries.
fn psd(position: &Position<'_>, bracket: &Bracket, pairs: &[(usize, usize)], downfloaters: Set) -> Vec<i64> {
    let artificial = bracket.artificial_score(position);
    let of_pairs = pairs
        .iter()
        .map(|&(higher, lower)| position.score(higher) - position.score(lower));
    let of_floaters = members(downfloaters)
        .into_iter()
        .map(|player| position.score(player) - artificial);
    descending(
        of_pairs
            .chain(of_floaters)
            .map(|difference| difference.units())
            .collect(),
    )
}

/// C10 to C13 (C8 to C11 of 2017), with the colours that article 5 gives.
fn colors(position: &Position<'_>, pairs: &[(usize, usize)]) -> [Vec<i64>; 4] {
    let (mut too_wide, mut three_running, mut unwished, mut strongly_unwished) = (0, 0, 0, 0);
    for &(higher, lower) in pairs {
        let white = position.white_of(higher, lower);
        let topscorers = [higher, lower].iter().any(|&player| position.players[player].topscorer);
        for player in [higher, lower] {
            let color = if player == white {
                FirstColor::White
            } else {
                FirstColor::Black
            };
            let player = &position.players[player];
            let step = if color == FirstColor::White { 1 } else { -1 };
            // C10: a topscorer or a topscorer's opponent gets a colour difference beyond 2.
            too_wide += i64::from(topscorers && (player.difference + step).abs() > 2);
            // C11: … gets one colour three times running.
            three_running += i64::from(topscorers && player.colors.ends_with(&[color, color]));
            // C12: the colour wished for. C13: the one strongly wished for (1.7.2); an absolute wish (1.7.1) is another thing.
            if let Some((wished, strength)) = player.preference
                && wished == other(color)
            {
                unwished += 1;
                strongly_unwished += i64::from(strength == Strength::Strong);
            }
        }
    }
    if position.rules.color == ColorRule::Ignore {
        return [vec![0], vec![0], vec![0], vec![0]];
    }
    [
        vec![too_wide],
        vec![three_running],
        vec![unwished],
        vec![strongly_unwished],
    ]
}

/// C14 to C21 (C12 to C19 of 2017).
fn floats(position: &Position<'_>, bracket: &Bracket, pairs: &[(usize, usize)], downfloaters: Set) -> Vec<Vec<i64>> {
    let had = |player: usize, back: usize, float| position.players[player].floats[back] == Some(float);
    let mdps = set_of(&bracket.mdps);
    let artificial = bracket.artificial_score(position);
    // Who floats in this bracket, with the difference of scores.
    let mut down: Vec<(usize, i64)> = Vec::new();
    let mut up: Vec<(usize, i64)> = Vec::new();
    // Who is counted by C14 and C16, C12 and C14 of 2017.
    let mut counted_down: Vec<usize> = Vec::new();
    for &(higher, lower) in pairs {
        let difference = (position.score(higher) - position.score(lower)).units();
        let floats = match position.rules.edition {
            // "MDPs" and "MDP opponents".
            DutchEdition::Of2026 => mdps & one(higher) != 0,
            // "Players who receive" a float: all who meet another score, as in a collapsed bracket.
            DutchEdition::Of2017 => difference > 0,
        };
        if floats {
            down.push((higher, difference));
            up.push((lower, difference));
        }
    }
    for player in members(downfloaters) {
        let difference = (position.score(player) - artificial).units();
        match position.rules.edition {
            // 2026 counts residents, and measures MDPs. One who is left over again is as far from an opponent as can be.
            DutchEdition::Of2026 if mdps & one(player) != 0 => down.push((player, difference)),
            DutchEdition::Of2026 => counted_down.push(player),
            DutchEdition::Of2017 => down.push((player, difference)),
        }
    }
    if position.rules.edition == DutchEdition::Of2017 {
        counted_down = down.iter().map(|&(player, _)| player).collect();
    }
    let count = |players: &mut dyn Iterator<Item = usize>, back, float| {
        let number = players.filter(|&player| had(player, back, float)).count();
        vec![i64::try_from(number).expect("a number of players")]
    };
    let differences = |list: &[(usize, i64)], back, float| {
        let repeated = list.iter().filter(|&&(player, _)| had(player, back, float));
        descending(repeated.map(|&(_, difference)| difference).collect())
    };
    let mut lists = Vec::new();
    for back in [0, 1] {
        lists.push(count(&mut counted_down.iter().copied(), back, Float::Down));
        lists.push(count(&mut up.iter().map(|&(player, _)| player), back, Float::Up));
    }
    for back in [0, 1] {
        lists.push(differences(&down, back, Float::Down));
        lists.push(differences(&up, back, Float::Up));
    }
    lists
}
