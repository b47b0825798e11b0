//! The rounds: pairings with their scores, byes, why they were paired so.
//!
//! May not: pair anybody.

use maud::{Markup, html};

use super::super::byes;
use super::super::html::Links;
use super::super::untrusted::name;
use super::Source;
use super::model::{board_name, boards};
use super::reasons::Reasons;
use swissmatch_game::record::GameId;
use swissmatch_tournament::state::{MiniMatch, Round, State};

/// The latest round first.
pub(super) fn section(source: &Source<'_>, links: &Links<'_>) -> Markup {
    let state = source.state;
    let all: Vec<(usize, &Round)> = (1..).zip(state.rounds()).collect();
    html! {
        @for (number, round) in all.into_iter().rev() {
            article.round id={ "round-" (number) } {
                h2 { "Round " (number) }
                (meetings(state, number, links))
                @for player in round.pairing.byes() {
                    p.note { "Bye: " (name(state, player)) (byes::note(state, &round.pairing, player)) "." }
                }
                @if let Some(told) = source.course.rounds.get(number - 1) { (why(number, &told.reasons)) }
            }
        }
    }
}

/// The mini-matches of a round, those of its play-offs after the others.
fn meetings(state: &State, round: usize, links: &Links<'_>) -> Markup {
    html! {
        div.scroll { table.data {
            thead { tr {
                th.figure scope="col" { "Board" }
                th.name scope="col" { "White in game 1" }
                th scope="col" { "Game points" }
                th.name scope="col" { "Black in game 1" }
                th.figure scope="col" { "Played" }
            } }
            tbody {
                @for (id, mini_match) in boards(state).filter(|(id, _)| id.round as usize == round) {
                    (meeting(state, id, mini_match, links))
                }
            }
        } }
    }
}

fn meeting(state: &State, id: GameId, mini_match: &MiniMatch, links: &Links<'_>) -> Markup {
    let (pair, scoring) = (mini_match.pair, &state.setup().scoring);
    let points = |player| mini_match.game_points(player, scoring).to_string();
    let agent = |player| {
        let shown = name(state, player);
        let link = links(&shown);
        html! { a href=[link] { (shown) } }
    };
    let played = mini_match.games.count_ended();
    let board = board_name(id);
    html! { tr {
        td.figure { @if id.playoff > 0 { "play-off " (id.playoff) ", " } (id.board) }
        td.name { (agent(pair.white)) }
        td { a href={ "#match-" (board) } data-match=(board) {
            @if played == 0 { "not begun" } @else { (points(pair.white)) " – " (points(pair.black)) }
        } }
        td.name { (agent(pair.black)) }
        td.figure { (played) " of " (mini_match.games.len()) }
    } }
}

fn in_part(reasons: &Reasons) -> Markup {
    html! { @if !reasons.part.is_empty() { strong { (reasons.part) ": " } } }
}

/// Why a round was paired so: where one sentence says it, that alone.
fn why(round: usize, reasons: &[Reasons]) -> Markup {
    let is_short = reasons
        .iter()
        .all(|reasons| reasons.pairs.is_empty() && reasons.bye.is_empty());
    if is_short {
        return html! { @for reasons in reasons { p.note { (in_part(reasons)) (reasons.by) } } };
    }
    html! {
        details.why {
            summary { "Why round " (round) " was paired so" }
            @for reasons in reasons {
                p { (in_part(reasons)) (reasons.by) }
                @if !reasons.pairs.is_empty() {
                    ol { @for sentence in &reasons.pairs { li { (sentence) } } }
                    @if round > 1 { p.note { "W, B: who had White or Black in the first game of earlier rounds." } }
                    @if reasons.is_told {
                        p.note {
                            "Which better-looking pairs were ruled out, and by which rule: "
                            code { "swissmatch explain round " (round) " RUN" } "."
                        }
                    }
                }
                @if let Some((heading, steps)) = reasons.bye.split_first() {
                    p { (heading) }
                    ol { @for step in steps { li { (step) } } }
                }
            }
        }
    }
}
