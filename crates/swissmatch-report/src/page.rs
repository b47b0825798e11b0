//! The page of an event: standings, rounds, games and all else, in one file that works from disk.
//!
//! All of it is a function of the event as it may be published, its minutes and its records: docs/page.md. Tables and texts are
//! HTML; the front end takes them over and shows what is in [`model`]. May not: read files.

mod agents;
mod asked;
mod before;
mod bracket;
mod check;
mod course;
mod crosstable;
mod embedded;
mod feed;
mod front_end;
pub mod games;
mod meaning;
pub mod model;
mod moment;
mod movement;
mod overview;
mod places;
mod reasons;
mod reference;
mod rounds;
mod schedule;
mod sections;
mod sure;
mod upset;
mod winner;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use swiss_system::count;
use swiss_system::text::harmless;

pub use self::check::Log;
pub use self::course::EventCourse;
pub use self::feed::{Feed, GameUnderWay};
pub use self::front_end::FrontEnd;
use self::sections::PageSection;
use super::minutes::Minute;
use super::progress::RoundProgress;
use super::untrusted::{self, event};
use swissmatch_tournament::part::Part;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

/// Marks a page as made by this program.
pub const GENERATOR: &str = "swissmatch";

pub struct PageSource<'a> {
    /// The event as it may be published.
    pub state: &'a State,
    /// Acts by hand.
    pub minutes: &'a [Minute],
    /// Its times and announcements, for the rounds that may be published.
    pub course: &'a EventCourse,
    /// The log by which it can be checked.
    pub log: Log,
    pub games: Where,
    /// How a server gives it while the event goes on; `None` if it stands by itself.
    pub served: Option<ServedPage>,
}

/// A page from a server of this program, which sends news of what happens: docs/page.md.
pub struct ServedPage {
    /// The address of the script, beside the page.
    pub script: String,
    /// The address of the style sheet.
    pub style: String,
    /// Identifies this version of the page.
    pub version: String,
    /// The number of games that are played at once, if known, so that boards can have their places in advance.
    pub slots: Option<usize>,
}

pub enum Where {
    /// In the page: the games of each mini-match that has any, by its id, packed with gzip, in schedule order.
    Inside(Vec<(String, Vec<u8>)>),
    /// In a file for each mini-match beside the page, `games/ID.json`.
    Beside,
    /// In a file for each part, in a folder of this name beside the page. Each file is a script ([`script_of_games`]), which a browser can
    /// also read from disk.
    Scripts(String),
}

/// The file with the packed games of a part.
pub fn script_of_games(part: &str, packed: &[u8]) -> String {
    format!("swissmatchGames(\"{part}\",\"{}\")\n", embedded::base64(packed).0)
}

pub fn html(source: &PageSource<'_>, front_end: &FrontEnd) -> String {
    let sections = sections::all(source);
    let name = event(source.state);
    let served = source.served.as_ref();
    let page = html! {
        (DOCTYPE)
        html lang="en" data-live=[served.map(|_| "events")] data-version=[served.map(|served| &served.version)] data-slots=[served.and_then(|served| served.slots)] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                // A server says it beside the page.
                @if served.is_none() {
                    meta http-equiv="Content-Security-Policy" content=(embedded::policy(front_end, &source.games));
                }
                meta name="generator" content=(GENERATOR);
                meta name="referrer" content="no-referrer";
                title { (name) }
                @match served {
                    Some(served) => {
                        link rel="stylesheet" href=(served.style);
                        script defer src=(served.script) {}
                    }
                    None => style { (PreEscaped(&front_end.style)) }
                }
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                (head(source.state, &name, served.is_some(), &sections))
                main #main { @for section in &sections { (shown(section)) } }
                footer.bottom {
                    p { "Made by swissmatch " (env!("CARGO_PKG_VERSION")) ", free software under the GNU GPL, version 3 or later." }
                    details.licences {
                        summary { "Licences of what is in this page" }
                        pre { (front_end.licences) }
                    }
                }
                script type="application/json" #event { (embedded::json(&model::event(source))) }
                @if let Where::Inside(games) = &source.games {
                    @for (id, packed) in games {
                        script.games type="text/plain" id={ "games-" (id) } { (embedded::base64(packed)) }
                    }
                }
                @if served.is_none() { script { (PreEscaped(&front_end.script)) } }
            }
        }
    };
    page.into_string()
}

/// The data of the page as a file beside it.
///
/// # Panics
/// Never: everything in it can be written.
pub fn event_json(source: &PageSource<'_>) -> String {
    serde_json::to_string(&model::event(source)).expect("plain data") + "\n"
}

fn head(state: &State, name: &str, is_served: bool, sections: &[PageSection]) -> Markup {
    html! {
        header.top {
            p.event { (name) }
            // On a served page, the server says beside it that the event is paused, and why.
            div.status { @match is_served {
                true => { p.state { (how_far(state)) } }
                false => { p.state.paused[is_paused(state)] { (standing(state)) } }
            } }
            button.find type="button" { "Find a player" kbd { "/" } }
            nav.sections aria-label="Sections" {
                @for section in sections { a href={ "#" (section.id) } { (section.link) } }
            }
        }
    }
}

fn shown(section: &PageSection) -> Markup {
    html! {
        section.view id=(section.id) {
            h1 { (section.heading) }
            (section.content)
        }
    }
}

/// A part as a heading; a name from the organizer stays as it is.
fn part_title(part: &Part) -> String {
    let title = harmless(&part.to_string());
    let mut letters = title.chars();
    match (&part.name, letters.next()) {
        (None, Some(first)) => format!("{}{}", first.to_ascii_uppercase(), letters.as_str()),
        _ => title,
    }
}

/// The event's size and start, to tell it from others in a list.
pub fn about(state: &State, course: &EventCourse) -> String {
    let zone = &state.setup().schedule.time_zone;
    let begun = course.rounds.first().and_then(|round| round.paired.parse().ok());
    let begun = begun.map_or_else(String::new, |at| format!(", begun {}", moment::day(at, zone)));
    let players = count::of(state.player_count(), "agent", "agents");
    format!(
        "{players}, {}{begun}",
        count::of(state.created().rounds, "round", "rounds")
    )
}

/// Who leads, or has won; `None` if nobody does alone, or if there are several tables.
pub fn leader(state: &State) -> Option<String> {
    if state.rounds_over() == 0 || state.is_divided() || state.created().tour.is_some() {
        return None;
    }
    let standings = standings_after(state, state.rounds().len());
    let mut first = standings.rows.iter().filter(|row| row.place == 1);
    match (first.next(), first.next()) {
        (Some(row), None) => Some(untrusted::name(state, row.player)),
        _ => None,
    }
}

/// The event's progress, and whether it is paused.
pub fn standing(state: &State) -> String {
    match is_paused(state) {
        true => format!("{} · paused", how_far(state)),
        false => how_far(state),
    }
}

fn how_far(state: &State) -> String {
    let rounds = state.created().rounds;
    let paired = state.rounds().len();
    match state.rounds().last() {
        _ if event_is_over(state) => "The event is over".to_owned(),
        None if state.created().tour.is_some() => "Play-offs of the tour".to_owned(),
        None => format!("Before round 1 of {rounds}"),
        Some(round) if round.is_over() => format!("Round {paired} of {rounds} is over"),
        Some(round) => {
            let RoundProgress { played, games, .. } = RoundProgress::new(paired, round);
            format!("Round {paired} of {rounds} · {played} of {games} games")
        }
    }
}

fn is_paused(state: &State) -> bool {
    state.orders().paused.is_some() && !event_is_over(state)
}
