//! The brackets of knockouts: the meetings with their scores, and who went on.
//!
//! May not: decide who goes on.

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::knockout::through;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::harmless;

use super::super::html::Links;
use super::super::untrusted::name;
use super::model::{board_name, boards};
use swissmatch_game::record::GameId;
use swissmatch_tournament::history::history_after;
use swissmatch_tournament::knockout::winners;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::resampled::{FixedBoard, in_event};
use swissmatch_tournament::setup::Third;
use swissmatch_tournament::state::State;

/// A place of the bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BracketPlace {
    Player(PairingNumber),
    /// Nobody: whoever is drawn against it is free.
    Empty,
    /// The winner of the tie before.
    Open,
}

/// Two places that meet, the upper one first.
struct BracketTie {
    places: [BracketPlace; 2],
    /// The board, from 1, where the two were paired.
    board: Option<usize>,
    winner: BracketPlace,
}

/// A bracket for each knockout that an event has or is.
pub(super) fn of_event(state: &State, links: &Links<'_>) -> Markup {
    if !state.is_divided() {
        let is_knockout = state.created().format == TournamentFormat::Knockout;
        return html! { @if is_knockout { (bracket("Bracket", state, state, &|board| board, links)) } };
    }
    let parts = parts_after(state, state.rounds().len());
    let knockouts = parts
        .iter()
        .filter(|(_, own, _)| own.created().format == TournamentFormat::Knockout);
    html! {
        @for (part, own, _) in knockouts {
            (bracket(&format!("Bracket: {part}"), state, own, &|board| in_event(state, part, board), links))
        }
    }
}

fn bracket(
    heading: &str,
    event: &State,
    own: &State,
    named: &dyn Fn(FixedBoard) -> FixedBoard,
    links: &Links<'_>,
) -> Markup {
    let rounds = rounds(own);
    if rounds.is_empty() {
        return Markup::default();
    }
    let for_third = for_third(own, &rounds);
    html! {
        h2 { (harmless(heading)) }
        div.scroll.knockout tabindex="0" role="group" aria-label=(harmless(heading)) {
            ol.bracket {
                @for (number, ties) in (1..).zip(&rounds) {
                    li {
                        h3 { (called(ties.len(), number)) }
                        ol.ties { @for tie in ties { li { (shown(tie, number, ", goes on", event, own, named, links)) } } }
                        @if let (true, Some(tie)) = (number == rounds.len(), &for_third) {
                            div {
                                h3 { "Third place" }
                                ol.ties { li { (shown(tie, number, ", is third", event, own, named, links)) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The rounds of a bracket, including those to come.
fn rounds(own: &State) -> Vec<Vec<BracketTie>> {
    let Ok(draw) = through(&history_after(own, 0)) else {
        return Vec::new();
    };
    let known = |place: Option<PairingNumber>| place.map_or(BracketPlace::Empty, BracketPlace::Player);
    let mut places: Vec<BracketPlace> = draw.into_iter().map(known).collect();
    let winners = winners(own);
    let mut rounds = Vec::new();
    while places.len() > 1 {
        let before = rounds.len();
        // A player who went on without play, because somebody was absent, is known from the next pairing.
        let after = (before < own.rounds_over())
            .then(|| through(&history_after(own, before + 1)).ok())
            .flatten();
        let tie = |(at, two): (usize, &[BracketPlace])| {
            let places = [two[0], two[1]];
            let board = board_of(own, before, places);
            let won = board.and_then(|board| winners.get(before)?.get(board).copied()?);
            let winner = match (won, after.as_ref().and_then(|after| after.get(at)), places) {
                (Some(player), ..) => BracketPlace::Player(player),
                (None, Some(place), _) => known(*place),
                (None, None, [BracketPlace::Empty, other] | [other, BracketPlace::Empty]) => other,
                (None, None, _) => BracketPlace::Open,
            };
            BracketTie {
                places,
                board: board.map(|board| board + 1),
                winner,
            }
        };
        let ties: Vec<BracketTie> = places.chunks(2).enumerate().map(tie).collect();
        places = ties.iter().map(|tie| tie.winner).collect();
        rounds.push(ties);
    }
    rounds
}

/// The match for third place beside the final; `None` without one.
fn for_third(own: &State, rounds: &[Vec<BracketTie>]) -> Option<BracketTie> {
    if own.setup().playoff.third.among(own.player_count()) != Third::Match {
        return None;
    }
    let last = rounds.len() - 1;
    let loser = |tie: &BracketTie| match tie.winner {
        BracketPlace::Player(_) => tie.places[usize::from(tie.places[0] == tie.winner)],
        _ => BracketPlace::Open,
    };
    let semi_finals = &rounds[last - 1];
    let places = [loser(&semi_finals[0]), loser(&semi_finals[1])];
    let board = board_of(own, last, places);
    let won = board.and_then(|board| winners(own).get(last)?.get(board).copied()?);
    Some(BracketTie {
        places,
        board: board.map(|board| board + 1),
        winner: won.map_or(BracketPlace::Open, BracketPlace::Player),
    })
}

/// The board of a round, both from 0, on which the two were paired.
fn board_of(own: &State, round: usize, places: [BracketPlace; 2]) -> Option<usize> {
    let mut pairs = own.rounds().get(round)?.pairing.pairs.iter();
    let has = |player| places.contains(&BracketPlace::Player(player));
    pairs.position(|pair| has(pair.white) && has(pair.black))
}

/// The name of a round of so many ties.
fn called(ties: usize, round: usize) -> String {
    match ties {
        1 => "Final".to_owned(),
        2 => "Semi-finals".to_owned(),
        4 => "Quarter-finals".to_owned(),
        _ => format!("Round {round}"),
    }
}

fn shown(
    tie: &BracketTie,
    round: usize,
    won: &str,
    event: &State,
    own: &State,
    named: &dyn Fn(FixedBoard) -> FixedBoard,
    links: &Links<'_>,
) -> Markup {
    let board = tie.board.map(|board| named((round, board)));
    let mini_match = tie
        .board
        .and_then(|board| own.rounds().get(round - 1)?.mini_matches.get(board - 1));
    let side = |place: BracketPlace| {
        let has_won = place == tie.winner && place != BracketPlace::Open && place != BracketPlace::Empty;
        let points = match place {
            BracketPlace::Player(player) => mini_match
                .filter(|board| board.games.count_ended() > 0)
                .map(|board| board.game_points(player, &own.setup().scoring).to_string()),
            BracketPlace::Empty | BracketPlace::Open => None,
        };
        html! {
            div.seat.through[has_won] {
                @match place {
                    BracketPlace::Player(player) => {
                        @let shown = name(own, player);
                        a href=[links(&shown)] { (shown) }
                    }
                    BracketPlace::Empty => { span.nobody { "free" } }
                    BracketPlace::Open => { span.nobody { "not known yet" } }
                }
                @if let Some(points) = points { span.points { " " (points) } }
                @if has_won { span.unseen { (won) } }
            }
        }
    };
    html! {
        (side(tie.places[0]))
        (side(tie.places[1]))
        @if let Some((round, board)) = board {
            p.to {
                a href={ "#match-" (round) "." (board) } { "board " (round) "." (board) }
                @for id in played_off(event, round, tie.places) {
                    ", " a href={ "#match-" (board_name(id)) } { "play-off " (board_name(id)) }
                }
            }
        }
    }
}

/// The games of play-offs after a round in which the two met.
fn played_off(event: &State, round: usize, places: [BracketPlace; 2]) -> Vec<GameId> {
    let meet = |players: [PairingNumber; 2]| {
        players
            .iter()
            .all(|player| places.contains(&BracketPlace::Player(*player)))
    };
    let after = boards(event).filter(|(id, _)| id.playoff > 0 && id.round as usize == round);
    let held = after.filter(|(_, board)| meet([board.pair.white, board.pair.black]));
    held.map(|(id, _)| id).collect()
}
