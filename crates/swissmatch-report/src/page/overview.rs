//! The overview: before the first round the players, at the end the winner; announcements, standings with movement and how sure they are,
//! brackets and play-offs, the schedule, prizes.
//!
//! May not: rank anybody, share anything out.

use maud::{Markup, html};
use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::text::harmless;

use super::super::analysis;
use super::super::html::{self, Dress, Links};
use super::super::parts;
use super::super::table::{Page, Table};
use super::super::unplayed::OUT;
use super::super::untrusted::event;
use super::super::{playoff, prizes, tour};
use super::PageSource;
use super::before;
use super::bracket;
use super::course::{Announcement, EventCourse};
use super::meaning::verdict;
use super::moment;
use super::movement;
use super::places;
use super::schedule;
use super::sure::{self, Sure};
use super::winner;
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::resampled::in_event;
use swissmatch_tournament::setup::Zone;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

/// Announcements that are shown at once; earlier ones are folded away.
const LATEST: usize = 3;

/// Places that are set off at the end.
const TOP: usize = 3;

/// Most notes below a table that are shown at once.
const MOST_NOTES: usize = 5;

pub(super) fn section(source: &PageSource<'_>, links: &Links<'_>) -> Markup {
    let (state, course) = (source.state, source.course);
    let playoffs = playoff::pages(state);
    let is_over = event_is_over(state);
    let is_knockout = state.created().format == TournamentFormat::Knockout;
    let is_before = state.rounds().is_empty() && state.created().tour.is_none();
    let sure = match state.is_divided() {
        true => Sure::Nothing,
        false => sure::of(state, state.rounds().len(), &|board| board),
    };
    html! {
        @if is_over { (winner::section(state, &sure, links)) }
        (announced(course, &state.setup().schedule.time_zone, is_over))
        @if let Some(rounds) = embargo(state) {
            p.note {
                "The last " (held_back(state.setup().publish.embargo_rounds)) "; the page shows " (count::of(rounds, "round", "rounds")) " at most."
            }
        }
        @for asked in playoff::all_asked(state) { p.asked { strong { "The arbiter has to decide. " } (html::prose(&asked)) } }
        (verdict::of_match(state, links))
        div.overview {
            div {
                @if is_before { (before::section(state, links)) }
                @if is_knockout { (bracket::of_event(state, links)) }
                @if !is_before { (standings(state, &sure, links)) }
                @if !is_knockout { (bracket::of_event(state, links)) }
                (in_detail(&playoffs, links))
            }
            div {
                (schedule::section(state, course))
                @if is_over && state.setup().has_prizes() {
                    @for page in prizes::pages_of_given(state).iter() {
                        h2 { (harmless(&of_this_event(state, &page.title))) }
                        (html::table_and_notes(page, links))
                    }
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

/// Announcements; once the event is over they are folded away.
fn announced(course: &EventCourse, zone: &Zone, is_over: bool) -> Markup {
    let one = |announcement: &Announcement| {
        html! { li { p.when { (moment::logged(&announcement.at, zone)) ", " (announcement.by) } p { (announcement.text) } } }
    };
    let newest: Vec<&Announcement> = course.announcements.iter().rev().collect();
    if is_over && !newest.is_empty() {
        return html! {
            details.announcements {
                summary { (count::of(newest.len(), "announcement", "announcements")) }
                ol reversed { @for announcement in newest { (one(announcement)) } }
            }
        };
    }
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

/// The standings after all rounds, with a table for each part, or those of a tour; in an event of stages, the ranking comes first. `sure`
/// is for an event without parts.
fn standings(state: &State, sure: &Sure, links: &Links<'_>) -> Markup {
    if let Some((overall, _)) = tour::report(state) {
        return html! { h2.title { (harmless(&overall.title)) } (html::table_and_notes(&overall, links)) };
    }
    let rounds = state.rounds().len();
    let pages = parts::standings(state, rounds);
    if !state.is_divided() {
        return html! { @for page in pages.iter() { (one(state, (rounds, 0), page, links, sure)) } };
    }
    let parts = parts_after(state, rounds);
    let ranking = usize::from(state.created().format == TournamentFormat::Stages);
    html! {
        @for page in pages.iter().take(ranking) {
            h2.title { (harmless(&page.title)) }
            (html::table_and_notes(page, links))
        }
        @for (index, (page, (part, own, rounds))) in pages.iter().skip(ranking).zip(&parts).enumerate() {
            (one(own, (*rounds, index), page, links, &sure::of(own, *rounds, &|board| in_event(state, part, board))))
        }
    }
}

/// The standings of an event without parts, or of a part, after `rounds` rounds; `index` is the number of the table. `page` has them
/// without what is added here.
fn one(state: &State, (rounds, index): (usize, usize), page: &Page, links: &Links<'_>, sure: &Sure) -> Markup {
    let (table, more) = match sure {
        Sure::Page(with) => (&with.table, with.notes.as_slice()),
        Sure::Note(note) => (&page.table, std::slice::from_ref(note)),
        Sure::Nothing => (&page.table, [].as_slice()),
    };
    let more = more
        .iter()
        .filter(|note| !page.notes.contains(note) && !analysis::is_missing(note));
    let (mut table, out) = without_out(table);
    let (reasons, told) = places::of(state, rounds, index)
        .map(|places| (places.links, places.told))
        .unzip();
    let mut meanings = places::meanings(state);
    meanings.iter_mut().for_each(|(header, _)| *header = in_words(header));
    table
        .columns
        .iter_mut()
        .for_each(|column| column.header = in_words(&column.header));
    let dress = Dress {
        extra: movement::column(state, rounds).into_iter().chain(reasons).collect(),
        chips: out.iter().map(String::as_str).collect(),
        rows: kinds(state, &table),
        meanings,
    };
    html! {
        h2.title { (harmless(&page.title)) }
        (html::table_with(&table, links, &dress))
        @if let Some(told) = told { (told) }
        (notes(&page.notes.iter().chain(more).collect::<Vec<_>>()))
    }
}

/// Splits the column of players who are out from the table.
fn without_out(table: &Table) -> (Table, Vec<String>) {
    let mut table = table.clone();
    let Some(at) = table.columns.iter().position(|column| column.header == OUT) else {
        return (table, Vec::new());
    };
    table.columns.remove(at);
    let out = table.rows.iter_mut().map(|row| row.remove(at)).collect();
    (table, out)
}

/// A title without the name of the event, which stands at the top.
fn of_this_event(state: &State, title: &str) -> String {
    let rest = title.strip_prefix(&format!("{}: ", event(state))).unwrap_or(title);
    let mut letters = rest.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

/// A code of several words, such as `win-rate`, as words; any other header as it is.
fn in_words(header: &str) -> String {
    let is_code = header.contains('-') && header.chars().all(|c| c.is_ascii_lowercase() || c == '-');
    let mut letters = header.chars();
    match (is_code, letters.next()) {
        (true, Some(first)) => format!("{}{}", first.to_ascii_uppercase(), letters.as_str().replace('-', " ")),
        _ => header.to_owned(),
    }
}

/// The classes of rows: the first three once the event is over, and the last one with a prize.
fn kinds(state: &State, table: &Table) -> Vec<Option<&'static str>> {
    let prizes = state.setup().prizes.by_place.len();
    let place = |row: &Vec<String>| row.first().and_then(|place| place.parse::<usize>().ok());
    let is_first = |row: &Vec<String>| place(row).is_some_and(|place| place <= TOP);
    // Where all rows are among the first, as players are few or share places, none is set off.
    let is_over = event_is_over(state) && !table.rows.iter().all(is_first);
    let has_prize = |row: &Vec<String>| place(row).is_some_and(|place| place <= prizes);
    let last = table
        .rows
        .iter()
        .rposition(has_prize)
        .filter(|last| last + 1 < table.rows.len());
    let kind = |(index, row): (usize, &Vec<String>)| {
        let is_top = is_over && is_first(row);
        match (is_top, last == Some(index)) {
            (true, true) => Some("first-three last-prize"),
            (true, false) => Some("first-three"),
            (false, true) => Some("last-prize"),
            (false, false) => None,
        }
    };
    table.rows.iter().enumerate().map(kind).collect()
}

/// The notes below a table; if they are many, the later ones are folded away.
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
