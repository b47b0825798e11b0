//! A night of a league as a page of its own: its table, the course of its builds, and those that changed.
//!
//! It needs no other file. May not: fit.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use swiss_system::text::harmless;

use super::plots::{course, ratings};
use super::{NightView, trend};
use crate::html;
use crate::nights::NightSeries;
use crate::plot::Heading;
use crate::table::Page;
use swissmatch_stats::rating::fitted::Fit;

/// Forbids scripts and anything from elsewhere.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
/// The colours and sizes of an event's page, and the look of this one.
const STYLE: &str = concat!(
    include_str!("../../../../web/src/style/tokens.css"),
    include_str!("page.css")
);

pub fn page(view: &NightView<'_>, series: &NightSeries<'_>, fit: Option<&Fit>) -> String {
    let table = view.page();
    let main: Vec<&str> = view
        .rows
        .iter()
        .filter(|row| row.change.is_some())
        .map(|row| row.name.as_str())
        .collect();
    let body = html! {
        h1 { (view.league) ", " (harmless(&view.night.name)) }
        p { (harmless(&view.night.conditions)) ", " (harmless(&view.night.machine)) }
        (shown(&table))
        @if let Some(fit) = fit { (through_the_nights(view, series, fit)) (of_this_night(view)) }
        @for name in main {
            @if let Some(trend) = trend(series, fit, name) {
                @let page = trend.page();
                h2 { (harmless(&page.title)) }
                (shown(&page))
            }
        }
        p.games { a href="report.html" { "The games of this night" } }
    };
    document(&table.title, &body)
}

pub(crate) fn document(title: &str, body: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="referrer" content="no-referrer";
                title { (harmless(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body { main { (body) } }
        }
    };
    page.into_string()
}

/// A table that scrolls by itself, also with the keyboard, and its notes.
pub(crate) fn shown(page: &Page) -> Markup {
    html! {
        div.wide tabindex="0" role="region" aria-label=(harmless(&page.title)) { (html::table(&page.table, &|_| None)) }
        @for note in &page.notes { (html::note(note)) }
    }
}

/// The plot of the builds through the nights, once there is one.
fn through_the_nights(view: &NightView<'_>, series: &NightSeries<'_>, fit: &Fit) -> Markup {
    let course = course(&view.league, series, fit);
    if course.agents.iter().all(|line| line.moves.len() < 2) {
        return html! { p.note { "How the builds fare through the nights is drawn once one of them has played in two nights." } };
    }
    drawn(&course.heading, course.svg())
}

/// The plot of the builds of the night, if any is rated.
fn of_this_night(view: &NightView<'_>) -> Markup {
    let ratings = ratings(view);
    if !ratings.agents.iter().any(|rated| rated.rating.is_finite()) {
        return html! {};
    }
    drawn(&ratings.heading, ratings.svg())
}

/// A plot with its title and its caption.
pub(crate) fn drawn(heading: &Heading, svg: String) -> Markup {
    html! {
        h2 { (harmless(&heading.title)) }
        figure {
            (PreEscaped(svg))
            figcaption { "n = " (heading.counted.of(heading.n)) ". " (harmless(&heading.note)) }
        }
    }
}
