//! The list of the runs that are served, if there are several.
//!
//! May not: know where they lie.

use std::sync::Arc;

use maud::{DOCTYPE, Markup, html};

use super::site::Site;

/// The page as HTML; it reloads itself now and then.
pub(super) fn html(sites: &[Arc<Site>]) -> String {
    let assets = sites.first().map(|site| &site.assets);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="refresh" content="30";
                title { "Events" }
                @if let Some(assets) = assets { link rel="stylesheet" href={ "./" (assets.style) }; }
            }
            body {
                main #main.ready {
                    section.view {
                        h1 { "Events" }
                        div.scroll { table.data.events {
                            thead { tr {
                                th.name scope="col" { "Event" }
                                th.name scope="col" { "State" }
                                th.name scope="col" { "First" }
                            } }
                            tbody { @for site in sites { (row(site)) } }
                        } }
                    }
                }
            }
        }
    };
    page.into_string()
}

/// A row of the list. Runs of one name are told apart by the ends of their addresses.
fn row(site: &Site) -> Markup {
    let ready = site.ready();
    let event = ready.as_ref().map_or(site.name.as_str(), |ready| ready.event.as_str());
    html! { tr {
        td.name {
            a href={ "./" (site.name) "/" } { (event) }
            p.small {
                @if let Some(ready) = &ready { (ready.about) ", " }
                "run " code { (site.name) }
            }
        }
        td.name { @if let Some(ready) = &ready { (ready.standing) } }
        td.name { @if let Some(leader) = ready.as_ref().and_then(|ready| ready.leader.as_ref()) { (leader) } }
    } }
}
