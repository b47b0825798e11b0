//! Why a round was paired as it was, in a sentence for each pair: scores, floaters, halves, colours.
//!
//! May not: find out why a system chose this pair and no other; `swissmatch explain round` compares them, which takes long.

use swiss_system::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, RoundPairing};

use super::part_title;
use crate::explain;
use crate::explain::made::PairingBasis;
use crate::untrusted::name;
use swissmatch_tournament::log::RoundPaired;
use swissmatch_tournament::part::parts_of;
use swissmatch_tournament::part_events::event_of_part;
use swissmatch_tournament::state::State;
use swissmatch_tournament::system::system_of;

/// Reasons for the pairing of a round, or of its share in one part of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Reasons {
    /// The part; empty for an event without parts.
    pub(super) part: String,
    /// A sentence on the system or table by which it was paired.
    pub(super) by: String,
    /// A sentence for each pair with its board in the event, from 1, in that order; empty if the format fixes the pairs.
    pub(super) pairs: Vec<(usize, String)>,
    /// Whether `swissmatch explain round` tells what ruled out other pairs.
    pub(super) is_told: bool,
    /// The steps by which the bye was found.
    pub(super) bye: Vec<String>,
}

/// The reasons for the round that follows on `before`.
pub(super) fn of_round(before: &State, paired: &RoundPaired) -> Vec<Reasons> {
    if !before.is_divided() {
        let boards = 1..=paired.pairing.pairs.len();
        return vec![of_event(before, paired.round, &paired.pairing, boards)];
    }
    let parts = parts_of(before).into_iter();
    let parts = parts.filter(|part| part.has_round(paired.round as usize - 1));
    let of_part = |part| {
        let own = event_of_part(before, &part);
        // Numbers of the event become those of the part.
        let number = |player: PairingNumber| part.own_number(player);
        let pairs = (1..)
            .zip(&paired.pairing.pairs)
            .filter_map(|(board, pair): (usize, _)| {
                let (white, black) = (number(pair.white)?, number(pair.black)?);
                Some((board, Pair { white, black, ..*pair }))
            });
        let (boards, pairs): (Vec<usize>, Vec<Pair>) = pairs.unzip();
        let mut byes = paired.pairing.byes().filter_map(number);
        let pairing = RoundPairing {
            pairs,
            bye: byes.next(),
            further_byes: byes.collect(),
            again: paired
                .pairing
                .again
                .iter()
                .filter_map(|&player| number(player))
                .collect(),
        };
        Reasons {
            part: part_title(&part),
            ..of_event(&own, paired.round - part.rounds_before, &pairing, boards)
        }
    };
    parts.map(of_part).collect()
}

/// The reasons in an event without parts; `boards` are those of its pairs.
fn of_event(before: &State, round: u32, pairing: &RoundPairing, boards: impl IntoIterator<Item = usize>) -> Reasons {
    if let Some(why) = explain::fixed(before.created().format) {
        return Reasons {
            by: format!("Round {round} {why}."),
            ..Reasons::default()
        };
    }
    let called = |number: PairingNumber| name(before, number);
    let system = system_of(before);
    let PairingBasis { history, by_arbiter } = PairingBasis::from(before, pairing);
    let sentences = match system.is_accelerated() {
        // The round is not paired by points.
        true => String::new(),
        false => explain::pairs::text(&history, system.name(), pairing, &by_arbiter, &called),
    };
    let sentences = sentences.lines().zip(&pairing.pairs).zip(boards);
    let sentences = sentences.map(|((sentence, pair), board)| {
        let colours = colours(&history, [pair.white, pair.black], &called);
        (board, format!("{sentence}{colours}"))
    });
    let steps = pairing.bye.map(|bye| system.bye_steps(&history, bye));
    let submitted = |number| before.player(number).submitted_at.is_some();
    let bye = explain::bye::text(&steps.unwrap_or_default(), &called, &submitted);
    Reasons {
        part: String::new(),
        by: format!("Paired {}.", explain::how(system.name())),
        is_told: explain::is_told(system.name()),
        pairs: sentences.collect(),
        bye: bye
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect(),
    }
}

/// A sentence on how often the two had each colour before, in the first games of their mini-matches; empty before round 2.
fn colours(history: &History, pair: [PairingNumber; 2], called: &dyn Fn(PairingNumber) -> String) -> String {
    let had = |number: PairingNumber| {
        let encounters = history.player(number).rounds.iter().map(|round| round.encounter);
        let colours = encounters.filter_map(|encounter| match encounter {
            Encounter::Met { color, .. } => Some(color),
            _ => None,
        });
        let colours: String = colours
            .map(|color| match color {
                FirstColor::White => 'W',
                FirstColor::Black => 'B',
            })
            .collect();
        (!colours.is_empty()).then(|| format!("{} {colours}", called(number)))
    };
    let had: Vec<String> = pair.into_iter().filter_map(had).collect();
    match had.as_slice() {
        [] => String::new(),
        had => format!(" Colours before: {}.", had.join(", ")),
    }
}
