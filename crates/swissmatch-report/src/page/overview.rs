//! The overview: what is announced, standings with how they moved and how sure they are, brackets and play-offs, the schedule,
//! prizes.
//!
//! May not: rank anybody, share anything out.

use maud::{Markup, html};
use swiss_system::count;
use swiss_system::pairing::rounds::Format;
use swiss_system::text::harmless;

use super::super::analysis;
use super::super::html::{self, Links};
use super::super::parts;
use super::super::table::Page;
use super::super::{playoff, prizes, tour};
use super::Source;
use super::bracket;
use super::course::{Announcement, Course};
use super::moment;
use super::movement;
use super::schedule;
use super::sure::{self, Sure};
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::resampled::{Board, in_event};
use swissmatch_tournament::setup::Zone;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

/// Announcements that are shown at once; the earlier ones fold away.
const LATEST: usize = 3;

/// Notes below a table that are shown at once.
const MOST_NOTES: usize = 5;

pub(super) fn section(source: &Source<'_>, links: &Links<'_>) -> Markup {
    let (state, course) = (source.state, source.course);
    let playoffs = playoff::pages(state);
    html! {
        (announced(course, &state.setup().schedule.time_zone))
        @if let Some(rounds) = embargo(state) {
            p.note {
                "The last " (held_back(state.setup().publish.embargo_rounds)) "; the page shows " (count::of(rounds, "round", "rounds")) " at most."
            }
        }
        div.overview {
            div { (standings(state, links)) (bracket::of_event(state, links)) (in_detail(&playoffs, links)) }
            div {
                (schedule::section(state, course))
                @if event_is_over(state) && state.setup().has_prizes() {
                    @for page in prizes::pages(state).iter() { (html::page(page, links)) }
                }
            }
        }
    }
}

fn held_back(rounds: u32) -> String {
    match rounds {
        1 => "round is held back until the arbiter releases it".to_owned(),
        rounds => format!("{rounds} rounds are held back until the arbiter releases them"),
    }
}

fn in_detail(playoffs: &[Page], links: &Links<'_>) -> Markup {
    html! {
        @if !playoffs.is_empty() {
            details.more {
                summary { h2 { "Play-offs, game by game" } }
                @for page in playoffs { (html::page(page, links)) }
            }
        }
    }
}

fn announced(course: &Course, zone: &Zone) -> Markup {
    let one = |announcement: &Announcement| {
        html! { li { p.when { (moment::logged(&announcement.at, zone)) ", " (announcement.by) } p { (announcement.text) } } }
    };
    let newest: Vec<&Announcement> = course.announcements.iter().rev().collect();
    let (latest, earlier) = newest.split_at(newest.len().min(LATEST));
    html! {
        @if !latest.is_empty() {
            div.announcements role="region" aria-labelledby="announcements" {
                h2 #announcements { "Announcements" }
                ol reversed { @for announcement in latest { (one(announcement)) } }
                @if !earlier.is_empty() {
                    details {
                        summary { (count::of(earlier.len(), "earlier announcement", "earlier announcements")) }
                        ol reversed { @for announcement in earlier { (one(announcement)) } }
                    }
                }
            }
        }
    }
}

/// The standings after all rounds, a table a part, or those of a tour; where there are stages, the ranking before them.
fn standings(state: &State, links: &Links<'_>) -> Markup {
    if let Some((overall, _)) = tour::report(state) {
        return html! { h2.title { (harmless(&overall.title)) } (html::table_and_notes(&overall, links)) };
    }
    let rounds = state.rounds().len();
    let pages = parts::standings(state, rounds);
    if !state.is_divided() {
        return html! { @for page in pages.iter() { (one(state, rounds, page, links, &|board| board)) } };
    }
    let parts = parts_after(state, rounds);
    let ranking = usize::from(state.created().format == Format::Stages);
    html! {
        @for page in pages.iter().take(ranking) {
            h2.title { (harmless(&page.title)) }
            (html::table_and_notes(page, links))
        }
        @for (page, (part, own, rounds)) in pages.iter().skip(ranking).zip(&parts) {
            (one(own, *rounds, page, links, &|board| in_event(state, part, board)))
        }
    }
}

/// The standings of an event that is one, or of a part; `page` has them as they are without what is added here.
fn one(state: &State, rounds: usize, page: &Page, links: &Links<'_>, named: &dyn Fn(Board) -> Board) -> Markup {
    let sure = sure::of(state, rounds, named);
    let (table, more) = match &sure {
        Sure::Page(with) => (&with.table, with.notes.as_slice()),
        Sure::Note(note) => (&page.table, std::slice::from_ref(note)),
        Sure::Nothing => (&page.table, [].as_slice()),
    };
    let more = more
        .iter()
        .filter(|note| !page.notes.contains(note) && !analysis::is_missing(note));
    let movement = movement::column(state, rounds);
    html! {
        h2.title { (harmless(&page.title)) }
        (html::table_with(table, links, movement.as_ref()))
        (notes(&page.notes.iter().chain(more).collect::<Vec<_>>()))
    }
}

/// What stands below a table; of many notes the later ones fold away.
fn notes(all: &[&String]) -> Markup {
    let shown = if all.len() > MOST_NOTES {
        MOST_NOTES - 1
    } else {
        all.len()
    };
    let (first, rest) = all.split_at(shown);
    html! {
        @for note in first { (html::note(note)) }
        @if !rest.is_empty() {
            details.notes {
                summary { (rest.len()) " more notes" }
                @for note in rest { (html::note(note)) }
            }
        }
    }
}
