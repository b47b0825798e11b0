//! A night of a league as a page of its own: its table, the course of its builds, and those that changed.
//!
//! It needs nothing but itself. May not: fit.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use swiss_system::text::harmless;

use super::plots::{course, ratings};
use super::{NightView, trend};
use crate::html;
use crate::nights::Series;
use swissmatch_stats::rating::fitted::Fit;

/// Nothing from elsewhere, and no script.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";
const STYLE: &str = include_str!("page.css");

/// The page.
pub fn page(view: &NightView<'_>, series: &Series<'_>, fit: Option<&Fit>) -> String {
    let nowhere = |_: &str| None;
    let table = view.page();
    let drawn = |svg: String| -> Markup {
        html! { figure { (PreEscaped(svg)) } }
    };
    let main: Vec<&str> = view
        .rows
        .iter()
        .filter(|row| row.change.is_some())
        .map(|row| row.name.as_str())
        .collect();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="referrer" content="no-referrer";
                title { (harmless(&table.title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { (view.league) ", " (harmless(&view.night.name)) }
                    p { (harmless(&view.night.conditions)) ", " (harmless(&view.night.machine)) }
                    (html::table_and_notes(&table, &nowhere))
                    @if let Some(fit) = fit {
                        (drawn(course(&view.league, series, fit).svg()))
                        (drawn(ratings(view).svg()))
                    }
                    @for name in main {
                        @if let Some(trend) = trend(series, fit, name) { (html::page(&trend.page(), &nowhere)) }
                    }
                    p.note { a href="report.html" { "The games of this night" } }
                }
            }
        }
    };
    page.into_string()
}
