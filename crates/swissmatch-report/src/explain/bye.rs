//! The steps by which the bye of a round was found, in words.
//!
//! May not: find the steps; they are handed in.

use std::cmp::Reverse;

use serde_json::{Value, json};
use swiss_system::pairing::bye::steps::{ByeStep, Figure, Ground};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::Names;

const NAMED: usize = 12;
/// Most players whose figures are given one by one.
const FIGURES: usize = 4;

/// The steps as a paragraph; empty where there are none. `submitted` tells who has a submission time.
pub fn text(steps: &[ByeStep], name: Names<'_>, submitted: &dyn Fn(PairingNumber) -> bool) -> String {
    let mut text = String::new();
    if let Some(chosen) = steps.last().and_then(|step| step.left.first()) {
        text = format!("\nHow the bye came to {}:\n", name(*chosen));
    }
    for step in steps {
        let left = match step.left.len() {
            1 => String::new(),
            left => format!(" {left} are left."),
        };
        text += &format!("  {}.{left}\n", sentence(step, name, submitted));
    }
    text
}

/// Like [`text`], but for programs.
pub fn json(steps: &[ByeStep]) -> Value {
    let step = |step: &ByeStep| json!({ "by": step.by.word(), "left": step.left });
    steps.iter().map(step).collect()
}

fn sentence(step: &ByeStep, name: Names<'_>, submitted: &dyn Fn(PairingNumber) -> bool) -> String {
    let dropped: Vec<_> = step
        .before
        .iter()
        .filter(|(number, _)| !step.left.contains(number))
        .copied()
        .collect();
    let who = match (dropped.is_empty(), step.left.len()) {
        (true, 2) => format!("{} both", named(&step.left, name)),
        (true, left) => format!("all {left}"),
        (false, _) => named(&step.left, name),
    };
    let is_one = step.left.len() == 1;
    let verb = |one: &'static str, several: &'static str| if is_one { one } else { several };
    let had = step.left.first().and_then(|left| {
        let mut before = step.before.iter();
        before
            .find(|(number, _)| number == left)
            .and_then(|(_, figure)| *figure)
    });
    let said = |verb: &str| {
        format!(
            "{who} {verb} {}{}",
            had.map_or_else(String::new, word),
            rest(&dropped, name)
        )
    };
    match step.by {
        Ground::Right => match had {
            Some(Figure::Barred(true)) => "Right to the bye: nobody has it (bye.again)".to_owned(),
            _ => format!("Right to the bye: {who} {}", verb("has it", "have it")),
        },
        Ground::Others => {
            let numbers: Vec<PairingNumber> = dropped.iter().map(|(number, _)| *number).collect();
            format!(
                "The pairing of the others: without {} the others could not all be paired, or would meet again more often",
                named(&numbers, name)
            )
        }
        Ground::FewestByes => format!("Fewest byes: {}", said(verb("has had", "have had"))),
        Ground::LowestMatchPoints => format!("Lowest match points: {}", said(verb("has", "have"))),
        Ground::LowestPoints => format!("Lowest points: {}", said(verb("has", "have"))),
        Ground::WorstPreviousPlace => format!("Worst place in the standings: {}", said(verb("is", "are"))),
        Ground::EarliestSubmission => {
            let left = named(&step.left, name);
            // Players with a time come before all who have none.
            match step.left.iter().any(|&number| submitted(number)) {
                true => format!("Earliest submission: {left}"),
                false => format!(
                    "Earliest submission: none of them has a submission time; first in the event file is {left}"
                ),
            }
        }
        Ground::LowestRating => format!("Lowest rating: {}", said(verb("has", "have"))),
        Ground::MostPlayed => format!("Most rounds with a game: {}", said(verb("has", "have"))),
        Ground::LargestNumber => format!("Largest pairing number: {}", named(&step.left, name)),
    }
}

/// "1 A, 3 C and 6 F", or only their number if they are many.
fn named(numbers: &[PairingNumber], name: Names<'_>) -> String {
    let names: Vec<String> = numbers.iter().map(|&number| name(number)).collect();
    match names.split_last() {
        Some(_) if names.len() > NAMED => format!("{} players", names.len()),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => "nobody".to_owned(),
    }
}

/// The figures of the players who were dropped, in brackets.
fn rest(dropped: &[(PairingNumber, Option<Figure>)], name: Names<'_>) -> String {
    let figures = || dropped.iter().filter_map(|(_, figure)| *figure);
    let (Some(least), Some(most)) = (figures().min(), figures().max()) else {
        return String::new();
    };
    let each = |&(number, figure): &(PairingNumber, Option<Figure>)| {
        let figure = figure.map_or_else(String::new, word);
        format!("{} {figure}", name(number))
    };
    match dropped {
        _ if dropped.len() <= FIGURES && (least != most || dropped.len() == 1) => {
            let each: Vec<String> = dropped.iter().map(each).collect();
            format!(" ({})", each.join(", "))
        }
        _ if least == most => format!(" (the others {})", word(least)),
        _ => format!(" (the others {} to {})", word(least), word(most)),
    }
}

fn word(figure: Figure) -> String {
    match figure {
        Figure::Barred(barred) => if barred { "no" } else { "yes" }.to_owned(),
        Figure::Count(0) => "none".to_owned(),
        Figure::Count(count) | Figure::Most(Reverse(count)) => count.to_string(),
        Figure::Points(points) => points.to_string(),
        Figure::Place(Reverse(u32::MAX)) => "without a place".to_owned(),
        Figure::Place(Reverse(place)) => format!("in place {place}"),
        Figure::Rating(Some(rating)) => rating.to_string(),
        Figure::Rating(None) => "no rating".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swiss_system::score::Points;

    #[test]
    fn each_step_tells_who_is_left_by_which_figure() {
        let numbers = |numbers: &[u32]| -> Vec<PairingNumber> { numbers.iter().copied().map(PairingNumber).collect() };
        let step = |by, before: &[(u32, Figure)], left: &[u32]| ByeStep {
            by,
            before: before
                .iter()
                .map(|&(number, figure)| (PairingNumber(number), Some(figure)))
                .collect(),
            left: numbers(left),
        };
        let points = |halves| Figure::Points(Points::halves(halves));
        let steps = [
            step(
                Ground::FewestByes,
                &[1, 2, 3, 4, 5, 6].map(|number| (number, Figure::Count(usize::from([2, 4, 5].contains(&number))))),
                &[1, 3, 6],
            ),
            step(
                Ground::LowestMatchPoints,
                &[(1, points(8)), (3, points(6)), (6, points(6))],
                &[3, 6],
            ),
            step(
                Ground::WorstPreviousPlace,
                &[(3, Figure::Place(Reverse(4))), (6, Figure::Place(Reverse(5)))],
                &[6],
            ),
        ];
        let name = |number: PairingNumber| char::from(b'@' + u8::try_from(number.0).expect("few")).to_string();
        insta::assert_snapshot!(text(&steps, &name, &|_| true), @"

        How the bye came to F:
          Fewest byes: A, C and F have had none (the others 1). 3 are left.
          Lowest match points: C and F have 3 (A 4). 2 are left.
          Worst place in the standings: F is in place 5 (C in place 4).
        ");
        let first = |submitted: bool| {
            let steps = [step(
                Ground::EarliestSubmission,
                &[(1, Figure::Count(1)), (3, Figure::Count(0))],
                &[3],
            )];
            text(&steps, &name, &|_| submitted)
                .lines()
                .last()
                .unwrap_or_default()
                .to_owned()
        };
        assert_eq!(first(true), "  Earliest submission: C.");
        assert_eq!(
            first(false),
            "  Earliest submission: none of them has a submission time; first in the event file is C."
        );
        assert_eq!(json(&steps)[2], json!({ "by": "worst-previous-place", "left": [6] }));
        assert_eq!(text(&[], &name, &|_| true), "");
    }
}
