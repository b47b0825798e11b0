//! The winner at the end of an event, with points, margin, prize and how sure it is, then the next two.
//!
//! May not: rank anybody, share anything out.

use maud::{Markup, html};
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::criterion::Score;
use swiss_system::text::{LONGEST_NAME, brief, harmless};

use super::super::confidence::FIRST;
use super::super::html::Links;
use super::super::prizes::is_given_something;
use super::super::untrusted::name;
use super::super::why::ExplainedStandings;
use super::part_title;
use super::sure::Sure;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::placing::Placing;
use swissmatch_tournament::prizes::{Statement, statement};
use swissmatch_tournament::ranking::{final_places, standings_after};
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// Places that are shown.
const PODIUM: u32 = 3;
/// Most players who share a place and are named.
const MOST_TOGETHER: usize = 4;

/// The section of an event that is over; in an event of sections, one for each.
pub(super) fn section(state: &State, sure: &Sure, links: &Links<'_>) -> Markup {
    // In a round of a ladder nobody has a place.
    if state.created().tour.is_some() || state.setup().ladder.round.is_some() {
        return Markup::default();
    }
    let rounds = state.rounds().len();
    let has_sections = matches!(
        state.created().format,
        TournamentFormat::Sections | TournamentFormat::Quads
    );
    if !has_sections {
        return html! { div.winners { (of_one(state, "", sure, links)) } };
    }
    html! { div.winners { @for (part, own, _) in &parts_after(state, rounds) {
        (of_one(own, &part_title(part), &Sure::Nothing, links))
    } } }
}

fn of_one(state: &State, part: &str, sure: &Sure, links: &Links<'_>) -> Markup {
    let placing = final_places(state);
    let ranked = || placing.places.iter().copied().zip(placing.order.iter().copied());
    let at = |place: u32| ranked().filter(move |(at, _)| *at == place).map(|(_, player)| player);
    let first: Vec<PairingNumber> = at(1).collect();
    if first.is_empty() {
        return Markup::default();
    }
    let rest: Vec<(u32, PairingNumber)> = ranked()
        .filter(|(place, _)| (2..=PODIUM).contains(place))
        .take(MOST_TOGETHER)
        .collect();
    let prizes = Prizes::of(state, &placing);
    let agent = |player: PairingNumber| {
        let shown = name(state, player);
        html! { a href=[links(&shown)] { (shown) } }
    };
    let shared = first.len() > 1;
    html! {
        div.winner role="group" aria-label={ (if shared { "Winners" } else { "Winner" }) @if !part.is_empty() { ", " (part) } } {
            p.kicker {
                (if shared { "First place is shared" } else { "Winner" })
                @if !part.is_empty() { ": " (part) }
            }
            p.champion {
                @for (index, player) in first.iter().take(MOST_TOGETHER).enumerate() {
                    @if index > 0 { ", " }
                    (agent(*player))
                }
                @if first.len() > MOST_TOGETHER { " and " (first.len() - MOST_TOGETHER) " more" }
            }
            p {
                @if let Some(points) = points(state, first[0]) { strong { (points) } ". " }
                (margin(state, first[0], rest.first().map(|(_, player)| *player)))
                @if let (false, Some(prize)) = (shared, prizes.of_player(first[0])) { " Prize: " strong { (prize) } "." }
            }
            @if let (false, Some(share)) = (shared, first_share(sure)) {
                p.note { "How sure: first in " (share) " % of the samples that draw the game pairs anew." }
            }
            @if !rest.is_empty() {
                ol.podium { @for (place, player) in &rest { li {
                    span.place { (place) "." } " " (agent(*player))
                    @if let Some(points) = points(state, *player) { span.small { " " (points) } }
                    @if let Some(prize) = prizes.of_player(*player) { span.small { ", " (prize) } }
                } } }
            }
        }
    }
}

/// `5.5 match points`; `None` if points rank nobody.
fn points(state: &State, player: PairingNumber) -> Option<String> {
    let format = state.created().format;
    if matches!(format, TournamentFormat::Knockout | TournamentFormat::Stages) {
        return None;
    }
    let standings = standings_after(state, state.rounds().len());
    let row = standings.rows.iter().find(|row| row.player == player)?;
    let score = state.setup().standings.rules().primary();
    let (one, several) = match score {
        Score::Match if state.setup().mini_match.games == 1 => ("point", "points"),
        Score::Match => ("match point", "match points"),
        Score::Game => ("game point", "game points"),
    };
    Some(count::of(row.points_by(score), one, several))
}

/// What puts the winner before the next player.
fn margin(state: &State, first: PairingNumber, next: Option<PairingNumber>) -> String {
    let format = state.created().format;
    let (Some(next), false) = (
        next,
        matches!(format, TournamentFormat::Knockout | TournamentFormat::Stages),
    ) else {
        return String::new();
    };
    let rounds = state.rounds().len();
    let (standings, results) = (standings_after(state, rounds), results_after(state, rounds));
    let rules = state.setup().standings.rules();
    let called = |number: PairingNumber| brief(&state.player(number).name, LONGEST_NAME);
    ExplainedStandings::of_event(state, &rules, (&results, &standings), &called).in_short(first, next)
}

/// The winner's cell in the column of how often it is first.
fn first_share(sure: &Sure) -> Option<&str> {
    let Sure::Page(page) = sure else {
        return None;
    };
    let column = page.table.columns.iter().position(|column| column.header == FIRST)?;
    page.table.rows.first()?.get(column).map(String::as_str)
}

struct Prizes {
    statement: Option<Statement<PairingNumber>>,
    currency: String,
}

impl Prizes {
    fn of(state: &State, placing: &Placing) -> Self {
        let keys = &state.setup().prizes;
        Self {
            statement: keys.are_set().then(|| statement(placing, keys)),
            currency: harmless(&keys.currency),
        }
    }

    fn of_player(&self, player: PairingNumber) -> Option<String> {
        let accounts = &self.statement.as_ref()?.accounts;
        let account = accounts.iter().find(|account| account.player == player)?;
        if !is_given_something(account) {
            return None;
        }
        let money = account.money().to_string();
        let money = (money != "0.00").then(|| format!("{money} {}", self.currency).trim().to_owned());
        let points = account.points();
        let points = (points > swiss_system::standings::value::Value::ZERO).then(|| format!("{points} tour points"));
        let given = money.into_iter().chain(account.trophies().map(harmless)).chain(points);
        Some(given.collect::<Vec<_>>().join(", "))
    }
}
