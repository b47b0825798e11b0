//! The upset of a round: the win against the largest difference in rating, or in place before the round.
//!
//! May not: rank anybody.

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;

use super::super::html::Links;
use super::super::untrusted::name;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::{MiniMatch, State};

/// The measure of the difference.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Rating,
    Place,
}

/// A win of the player who was thought to be weaker.
struct Upset {
    board: usize,
    winner: PairingNumber,
    loser: PairingNumber,
    difference: i64,
}

/// The upset of a round, from 1, that is over; empty if the stronger players won, or nobody knows who they were.
pub(super) fn of_round(state: &State, number: usize, links: &Links<'_>) -> Markup {
    let Some(round) = state.rounds().get(number - 1).filter(|round| round.is_over()) else {
        return Markup::default();
    };
    let (by, strength) = strengths(state, number);
    let scoring = &state.setup().scoring;
    let upsets = (1..).zip(&round.mini_matches).filter_map(|(board, of)| {
        let (winner, loser) = winner(state, of)?;
        let difference = strength(loser)? - strength(winner)?;
        (difference > 0).then_some(Upset {
            board,
            winner,
            loser,
            difference,
        })
    });
    // The first of equal ones.
    let Some(upset) = upsets.reduce(|most, next| if next.difference > most.difference { next } else { most }) else {
        return Markup::default();
    };
    let of = &round.mini_matches[upset.board - 1];
    let points = |player| of.game_points(player, scoring).to_string();
    let agent = |player: PairingNumber| {
        let shown = name(state, player);
        html! { a href=[links(&shown)] { (shown) } }
    };
    html! {
        p.note.upset {
            strong { "Upset of the round: " }
            (agent(upset.winner)) " beat " (agent(upset.loser)) " "
            a href={ "#match-" (number) "." (upset.board) } { (points(upset.winner)) " – " (points(upset.loser)) }
            @match by {
                By::Rating => { ", rated " (upset.difference) " lower. Of all wins of the round that against the largest difference of rating." }
                By::Place => { ", from " (upset.difference) " places below. Of all wins of the round that against the largest difference of places before it." }
            }
        }
    }
}

type Strength<'a> = Box<dyn Fn(PairingNumber) -> Option<i64> + 'a>;

/// The expected strength of each player: by ratings if everybody has one, otherwise by the places before the round.
fn strengths(state: &State, number: usize) -> (By, Strength<'_>) {
    if state.numbers().all(|player| state.player(player).rating.is_some()) {
        return (
            By::Rating,
            Box::new(|player| state.player(player).rating.map(i64::from)),
        );
    }
    // Places of several parts cannot be compared.
    if number < 2 || state.is_divided() {
        return (By::Place, Box::new(|_| None));
    }
    let before = standings_after(state, number - 1);
    let places: std::collections::HashMap<PairingNumber, i64> = before
        .rows
        .iter()
        .map(|row| (row.player, -i64::from(row.place)))
        .collect();
    (By::Place, Box::new(move |player| places.get(&player).copied()))
}

/// The winner and the loser of a mini-match that was played; `None` if it was drawn or forfeited, or does not count.
fn winner(state: &State, of: &MiniMatch) -> Option<(PairingNumber, PairingNumber)> {
    let (white, black) = (of.pair.white, of.pair.black);
    let is_played = of
        .games
        .iter()
        .flatten()
        .any(|game| game.finished.termination.was_played());
    let counts = ![white, black].iter().any(|player| state.orders().is_annulled(*player));
    let scoring = &state.setup().scoring;
    let points = |player| of.game_points(player, scoring);
    let decided = match points(white).cmp(&points(black)) {
        std::cmp::Ordering::Greater => Some((white, black)),
        std::cmp::Ordering::Less => Some((black, white)),
        std::cmp::Ordering::Equal => None,
    };
    decided.filter(|_| is_played && counts && !of.is_void())
}
