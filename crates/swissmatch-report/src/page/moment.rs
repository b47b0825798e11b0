//! A moment on the page: as data, and as clocks in the event's time zone show it.
//!
//! May not: ask the time.

use jiff::Timestamp;
use maud::{Markup, html};
use swiss_system::text::harmless;

use swissmatch_tournament::setup::Zone;

/// `2026-11-21 18:00 CET`, in the zone.
pub(super) fn shown(at: Timestamp, zone: &Zone) -> Markup {
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    let here = at.to_zoned(zone.rules().clone());
    html! { time datetime=(at) { (here.strftime("%Y-%m-%d %H:%M %Z")) } }
}

/// The day alone, `2026-11-21`.
pub(super) fn day(at: Timestamp, zone: &Zone) -> String {
    at.to_zoned(zone.rules().clone()).strftime("%Y-%m-%d").to_string()
}

/// The time of day alone, `18:00`.
pub(super) fn time(at: Timestamp, zone: &Zone) -> Markup {
    let at = Timestamp::from_second(at.as_second()).unwrap_or(at);
    let here = at.to_zoned(zone.rules().clone());
    html! { time datetime=(at) { (here.strftime("%H:%M")) } }
}

/// The zone's abbreviation at that time, `CET`.
pub(super) fn clocks(at: Timestamp, zone: &Zone) -> String {
    at.to_zoned(zone.rules().clone()).strftime("%Z").to_string()
}

/// A moment as the log has it, shown in the zone.
pub(super) fn logged(at: &str, zone: &Zone) -> Markup {
    match at.parse::<Timestamp>() {
        Ok(at) => shown(at, zone),
        Err(_) => html! { (harmless(at)) },
    }
}
