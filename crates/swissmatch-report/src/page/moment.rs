//! A moment on the page: as data, and as the clocks of the event's time zone show it.
//!
//! May not: ask the time.

use jiff::Timestamp;
use maud::{Markup, html};
use swiss_system::text::harmless;

use swissmatch_tournament::setup::Zone;

/// `2026-11-21 18:00 CET`, by the zone.
pub(super) fn shown(at: Timestamp, zone: &Zone) -> Markup {
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    let here = at.to_zoned(zone.rules().clone());
    html! { time datetime=(at) { (here.strftime("%Y-%m-%d %H:%M %Z")) } }
}

/// The same of a moment as the log has it.
pub(super) fn logged(at: &str, zone: &Zone) -> Markup {
    match at.parse::<Timestamp>() {
        Ok(at) => shown(at, zone),
        Err(_) => html! { (harmless(at)) },
    }
}
