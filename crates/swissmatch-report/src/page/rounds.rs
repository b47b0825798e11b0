//! The rounds: pairings with scores, players who did not play, the upset, and the reasons for the pairing.
//!
//! May not: pair anybody.

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::results::Results;

use super::super::html::Links;
use super::super::unplayed;
use super::super::untrusted::name;
use super::PageSource;
use super::model::{board_name, boards};
use super::reasons::Reasons;
use super::upset;
use swissmatch_game::record::GameId;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::{MiniMatch, Round, State};

/// With fewer rounds there is no row of links to them.
const FEWEST_TO_JUMP: usize = 3;

/// All rounds, the latest first.
pub(super) fn section(source: &PageSource<'_>, links: &Links<'_>) -> Markup {
    let state = source.state;
    let results = results_after(state, state.rounds().len());
    let all: Vec<(usize, &Round)> = (1..).zip(state.rounds()).collect();
    html! {
        @if all.len() >= FEWEST_TO_JUMP {
            nav.jump aria-label="Rounds" {
                @for (number, _) in &all { a href={ "#round-" (number) } { span.unseen { "Round " } (number) } }
            }
        }
        @for (number, round) in all.into_iter().rev() {
            @let reasons = source.course.rounds.get(number - 1).map_or(&[][..], |told| told.reasons.as_slice());
            article.round id={ "round-" (number) } {
                h2 { "Round " (number) }
                (meetings(state, number, reasons, links))
                (not_playing(state, &results, number, reasons))
                @if round.is_over() { (upset::of_round(state, number, links)) }
                (why(number, reasons))
            }
        }
    }
}

/// The players who have the bye, are absent, have withdrawn, or were disqualified.
fn not_playing(state: &State, results: &Results, number: usize, reasons: &[Reasons]) -> Markup {
    let round = u32::try_from(number).expect("few rounds");
    let is_told = reasons.iter().any(|reasons| !reasons.bye.is_empty());
    html! { @for (index, list) in unplayed::of_round(state, results, round).iter().enumerate() { p.note {
        (list)
        // Byes come first.
        @if index == 0 && is_told { " " a.ask href={ "#bye-" (number) } aria-label="why? The bye" { "why?" } }
    } } }
}

/// The mini-matches of a round, with those of its play-offs last.
fn meetings(state: &State, round: usize, reasons: &[Reasons], links: &Links<'_>) -> Markup {
    let is_told = reasons.iter().any(|reasons| !reasons.pairs.is_empty());
    let first = if state.setup().mini_match.games > 1 {
        " first"
    } else {
        ""
    };
    html! {
        div.scroll { table.data {
            thead { tr {
                th.figure scope="col" { "Board" }
                th.name scope="col" { "White" (first) }
                th.score scope="col" { "Score" }
                th.name scope="col" { "Black" (first) }
                th.figure scope="col" { "Games" }
                @if is_told { th scope="col" { span.unseen { "Why so paired" } } }
            } }
            tbody {
                @for (id, mini_match) in boards(state).filter(|(id, _)| id.round as usize == round) {
                    (meeting(state, id, mini_match, is_told.then_some(reasons), links))
                }
            }
        } }
    }
}

fn meeting(
    state: &State,
    id: GameId,
    mini_match: &MiniMatch,
    reasons: Option<&[Reasons]>,
    links: &Links<'_>,
) -> Markup {
    let (pair, scoring) = (mini_match.pair, &state.setup().scoring);
    let points = |player| mini_match.game_points(player, scoring);
    let is_over = mini_match.is_over();
    let agent = |player: PairingNumber| {
        let shown = name(state, player);
        let has_won = is_over && points(player) > points(mini_match.other(player));
        html! { td.name.winner[has_won] { a href=[links(&shown)] { (shown) } } }
    };
    let played = mini_match.games.count_ended();
    let board = board_name(id);
    let has_reason = |reasons: &&[Reasons]| {
        let mut boards = reasons.iter().flat_map(|reasons| &reasons.pairs);
        id.playoff == 0 && boards.any(|(board, _)| *board == id.board as usize)
    };
    html! { tr {
        td.figure { @if id.playoff > 0 { "play-off " (id.playoff) ", " } (id.board) }
        (agent(pair.white))
        td.score { a href={ "#match-" (board) } data-match=(board) {
            @if played == 0 { "no result yet" } @else { (points(pair.white)) " – " (points(pair.black)) }
        } }
        (agent(pair.black))
        td.figure.count { (games_of(mini_match, played)) }
        @if let Some(reasons) = reasons { td { @if has_reason(&reasons) {
            a.ask href={ "#pair-" (id.round) "-" (id.board) } aria-label={ "why? Board " (id.board) } { "why?" }
        } } }
    } }
}

/// The number of games played, or why none was.
fn games_of(mini_match: &MiniMatch, played: usize) -> String {
    let ended = || mini_match.games.iter().flatten();
    let is_forfeit = played > 0 && !ended().any(|game| game.finished.termination.was_played());
    match (mini_match.is_void(), is_forfeit && mini_match.is_over()) {
        (true, _) => "annulled".to_owned(),
        (false, true) => "forfeit".to_owned(),
        (false, false) => format!("{played} of {}", mini_match.games.len()),
    }
}

fn in_part(reasons: &Reasons) -> Markup {
    html! { @if !reasons.part.is_empty() { strong { (reasons.part) ": " } } }
}

/// The reasons for a round's pairing; where one sentence covers it, only that.
fn why(round: usize, reasons: &[Reasons]) -> Markup {
    let is_short = reasons
        .iter()
        .all(|reasons| reasons.pairs.is_empty() && reasons.bye.is_empty());
    if is_short {
        return html! { @for reasons in reasons { p.note { (in_part(reasons)) (reasons.by) } } };
    }
    let first_with_bye = reasons.iter().position(|reasons| !reasons.bye.is_empty());
    html! {
        details.why {
            summary { "Why round " (round) " was paired so" }
            @for (index, reasons) in reasons.iter().enumerate() {
                p { (in_part(reasons)) (reasons.by) }
                @if !reasons.pairs.is_empty() {
                    ol { @for (board, sentence) in &reasons.pairs {
                        li value=(board) id={ "pair-" (round) "-" (board) } { (sentence) }
                    } }
                    @if round > 1 { p.note { "W, B: who had White or Black in the first game of earlier rounds." } }
                    @if reasons.is_told {
                        p.note {
                            "Which better-looking pairs were ruled out, and by which rule: "
                            code { "swissmatch explain round " (round) " RUN" } "."
                        }
                    }
                }
                @if let Some((heading, steps)) = reasons.bye.split_first() {
                    p id=[(first_with_bye == Some(index)).then(|| format!("bye-{round}"))] { (heading) }
                    ol { @for step in steps { li { (step) } } }
                }
            }
        }
    }
}
