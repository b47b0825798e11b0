//! The upset of a round: the win against the largest difference of rating, or of place before the round.
//!
//! May not: rank anybody.

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;

use super::super::html::Links;
use super::super::untrusted::name;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::{MiniMatch, State};

/// What the difference is of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Rating,
    Place,
}

/// A win of who was thought to be the weaker one.
struct Upset {
    board: usize,
    winner: PairingNumber,
    loser: PairingNumber,
    difference: i64,
}

/// Of a round, from 1, that is over; nothing where the better ones won, or nobody knows who they were.
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
    // Of equal ones the first.
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

/// How strong each was thought to be: by ratings where everybody has one, else by the places before the round.
fn strengths(state: &State, number: usize) -> (By, Strength<'_>) {
    if state.numbers().all(|player| state.player(player).rating.is_some()) {
        return (
            By::Rating,
            Box::new(|player| state.player(player).rating.map(i64::from)),
        );
    }
    // Places of several parts are no measure for each other.
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

/// Who won and lost what was played; `None` of a drawn mini-match, a forfeit, and of what does not count.
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
