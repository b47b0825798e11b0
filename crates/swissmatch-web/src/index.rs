//! The list of the runs that are served, where there are several.
//!
//! May not: know where they lie.

use std::sync::Arc;

use maud::{DOCTYPE, html};

use super::site::Site;

/// The page, as HTML. It asks for itself again now and then.
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
                        div.scroll { table.data {
                            thead { tr { th.name scope="col" { "Event" } th.name scope="col" { "State" } } }
                            tbody {
                                @for site in sites {
                                    @let ready = site.ready();
                                    tr {
                                        td.name { a href={ "./" (site.name) "/" } {
                                            (ready.as_ref().map_or(site.name.as_str(), |ready| ready.event.as_str()))
                                        } }
                                        td.name { (ready.as_ref().map_or("", |ready| ready.standing.as_str())) }
                                    }
                                }
                            }
                        } }
                    }
                }
            }
        }
    };
    page.into_string()
}
