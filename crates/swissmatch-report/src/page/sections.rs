//! The sections of the page as HTML: tables and texts that need no script.
//!
//! May not: know how the page looks.

use std::path::Path;

use maud::{Markup, html};
use swiss_system::pairing::rounds::RoundPlan;
use swiss_system::text::harmless;

use super::super::figures::EventFigures;
use super::super::html::{self, Links};
use super::super::minutes;
use super::super::rules;
use super::super::untrusted::name;
use super::PageSource;
use super::agents;
use super::check;
use super::crosstable;
use super::moment;
use super::overview;
use super::rounds;
use swissmatch_tournament::setup::{Openings, Setup};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

pub(super) struct PageSection {
    pub(super) id: &'static str,
    /// The anchor of the section.
    pub(super) link: &'static str,
    pub(super) heading: &'static str,
    pub(super) content: Markup,
}

/// All sections that the event has.
pub(super) fn all(source: &PageSource<'_>) -> Vec<PageSection> {
    let state = source.state;
    let players: Vec<(String, u32)> = state.numbers().map(|player| (name(state, player), player.0)).collect();
    let by_name = |shown: &str| {
        let number = players.iter().find(|(name, _)| name == shown);
        number.map(|(_, number)| format!("#agent-{number}"))
    };
    let links: &Links<'_> = &by_name;
    let section = |id, link, heading, content| PageSection {
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
            of_overview(state),
            overview::section(source, links),
        )),
        is_begun.then(|| section("rounds", "Rounds", "Rounds", rounds::section(source, links))),
        is_begun.then(|| section("agents", "Agents", "Agents", agents::section(state))),
        is_begun.then(|| section("crosstable", "Crosstable", "Crosstable", crosstable::section(state))),
        is_begun.then(|| {
            let figures = html::table_and_notes(&EventFigures::new(state).page_in_words(), links);
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

/// The heading of the overview's first part.
fn of_overview(state: &State) -> &'static str {
    match event_is_over(state) {
        true => "Final standings",
        false if state.rounds().is_empty() && state.created().tour.is_none() => "Who plays",
        false => "Standings",
    }
}

/// The keys as the page may tell them: for a file of openings, only its name.
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

/// A timeline of acts, each with its reason and, folded, its effects.
fn of_minutes(source: &PageSource<'_>) -> Markup {
    let zone = &source.state.setup().schedule.time_zone;
    html! {
        ol.timeline { @for (minute, (_, lines)) in source.minutes.iter().zip(minutes::paragraphs(source.minutes)) { li {
            @let (said, followed) = lines.split_at(lines.len().min(1 + usize::from(minute.reason.is_some())));
            p.when { (moment::logged(&minute.at, zone)) " · " (harmless(&minute.during)) }
            @for (index, line) in said.iter().enumerate() {
                @if index == 0 { p { strong { (harmless(line)) } } } @else { p { (harmless(line)) } }
            }
            @if !followed.is_empty() {
                details {
                    summary { "What followed" }
                    @for line in followed { p { (harmless(line)) } }
                }
            }
        } } }
    }
}
