//! The sections of the page, as HTML: tables and texts that are there without a script.
//!
//! May not: know how the page looks.

use std::path::Path;

use maud::{Markup, html};
use swiss_system::pairing::rounds::RoundPlan;
use swiss_system::text::harmless;

use super::super::figures::Figures;
use super::super::html::{self, Links};
use super::super::minutes;
use super::super::parts::{self, Pages};
use super::super::rules;
use super::super::untrusted::name;
use super::Source;
use super::agents;
use super::check;
use super::overview;
use super::rounds;
use swissmatch_tournament::setup::{Openings, Setup};
use swissmatch_tournament::state::State;

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
        Some(section(
            "overview",
            "Overview",
            "Standings",
            overview::section(source, links),
        )),
        is_begun.then(|| section("rounds", "Rounds", "Rounds", rounds::section(source, links))),
        is_begun.then(|| section("agents", "Agents", "Agents", agents::section(state))),
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
        @for section in rules::sections(&without_paths(state.setup()), plan, &created.agents) {
            h2 { (section.title) }
            ol { @for rule in &section.rules { li { (html::prose(rule)) } } }
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
