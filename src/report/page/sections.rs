//! The sections of the page, as HTML: tables and texts that are there without a script.
//!
//! May not: know how the page looks.

use std::path::Path;

use maud::{Markup, html};
use swiss_system::pairing::rounds::RoundPlan;
use swiss_system::text::harmless;

use super::super::byes;
use super::super::figures::Figures;
use super::super::html::{self, Links};
use super::super::minutes;
use super::super::parts::{self, Pages};
use super::super::untrusted::name;
use super::super::{playoff, prizes, rules};
use super::Source;
use super::check;
use super::model::{board_name, boards};
use crate::game::record::GameId;
use crate::tournament::setup::{Openings, Setup};
use crate::tournament::state::{MiniMatch, Round, State};
use crate::tournament::ties::event_is_over;

/// A section.
pub(super) struct Section {
    pub(super) id: &'static str,
    /// What leads to it.
    pub(super) link: &'static str,
    pub(super) heading: &'static str,
    pub(super) content: Markup,
}

/// All that the event has.
pub(super) fn all(source: &Source<'_>) -> Vec<Section> {
    let state = source.state;
    let players: Vec<(String, u32)> = state.numbers().map(|player| (name(state, player), player.0)).collect();
    let by_name = |shown: &str| {
        let number = players.iter().find(|(name, _)| name == shown);
        number.map(|(_, number)| format!("#agent-{number}"))
    };
    let links: &Links<'_> = &by_name;
    let section = |id, link, heading, content| Section {
        id,
        link,
        heading,
        content,
    };
    let is_begun = !state.rounds().is_empty();
    let sections = [
        Some(section("overview", "Overview", "Standings", overview(state, links))),
        is_begun.then(|| section("rounds", "Rounds", "Rounds", rounds(state, links))),
        is_begun.then(|| {
            let crosstables = parts::crosstables(state, state.rounds().len());
            section("crosstable", "Crosstable", "Crosstable", pages(&crosstables, links))
        }),
        is_begun.then(|| {
            let figures = html::table_and_notes(&Figures::new(state).page(""), links);
            section("summary", "Summary", "The event in figures", figures)
        }),
        Some(section("rules", "Rules", "Rules in force", of_rules(state))),
        (!source.minutes.is_empty()).then(|| section("minutes", "Minutes", "Minutes", of_minutes(source))),
        Some(section(
            "check",
            "Check it yourself",
            "Check it yourself",
            check::section(state, &source.log),
        )),
    ];
    sections.into_iter().flatten().collect()
}

/// Pages that belong together; a single one has its title in its section.
fn pages(pages: &Pages, links: &Links<'_>) -> Markup {
    html! {
        @match pages.one() {
            Some(only) => { p.title { (harmless(&only.title)) } (html::table_and_notes(only, links)) }
            None => { @for page in pages.iter() { (html::page(page, links)) } }
        }
    }
}

fn overview(state: &State, links: &Links<'_>) -> Markup {
    let rounds = state.rounds().len();
    html! {
        (pages(&parts::standings(state, rounds), links))
        @for page in playoff::pages(state) { (html::page(&page, links)) }
        @if event_is_over(state) && state.setup().has_prizes() {
            @for page in prizes::pages(state).iter() { (html::page(page, links)) }
        }
    }
}

/// The latest round first.
fn rounds(state: &State, links: &Links<'_>) -> Markup {
    let all: Vec<(usize, &Round)> = (1..).zip(state.rounds()).collect();
    html! {
        @for (number, round) in all.into_iter().rev() {
            article.round id={ "round-" (number) } {
                h2 { "Round " (number) }
                (meetings(state, number, links))
                @for player in round.pairing.byes() {
                    p.note { "Bye: " (name(state, player)) (byes::note(state, &round.pairing, player)) "." }
                }
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
    html! { tr {
        td.figure { @if id.playoff > 0 { "play-off " (id.playoff) ", " } (id.board) }
        td.name { (agent(pair.white)) }
        td { a href={ "#match-" (board_name(id)) } {
            @if played == 0 { "not begun" } @else { (points(pair.white)) " – " (points(pair.black)) }
        } }
        td.name { (agent(pair.black)) }
        td.figure { (played) " of " (mini_match.games.len()) }
    } }
}

/// The keys as the page may tell them: of a file of openings its name alone.
fn without_paths(setup: &Setup) -> Setup {
    let mut setup = setup.clone();
    if let Openings::File(path) = &mut setup.mini_match.openings {
        let name = Path::new(path.as_str()).file_name();
        *path = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    }
    setup
}

fn of_rules(state: &State) -> Markup {
    let created = state.created();
    let plan = RoundPlan {
        rounds: created.rounds,
        format: created.format,
    };
    html! {
        @for section in rules::sections(&without_paths(state.setup()), plan) {
            h2 { (section.title) }
            ol { @for rule in &section.rules { li { (harmless(rule)) } } }
        }
    }
}

fn of_minutes(source: &Source<'_>) -> Markup {
    html! {
        ol { @for (heading, lines) in minutes::paragraphs(source.minutes) { li {
            p { (harmless(&heading)) }
            @for line in lines { p { (harmless(&line)) } }
        } } }
    }
}
