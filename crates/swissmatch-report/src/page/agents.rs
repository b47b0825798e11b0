//! The agents, one in each row: place, points, mini-matches, games by colour, faults, byes.
//!
//! May not: show more of an agent than docs/page.md allows: its name, rating and author.

use std::collections::BTreeMap;

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::StandingsRow;
use swiss_system::standings::results::{MatchResult, PlayerRound, RoundFate};
use swiss_system::text::{LONGEST_NAME, brief, harmless};

use super::super::standings::wdl;
use super::super::unplayed::gone;
use super::super::untrusted::name;
use super::asked::CallTexts;
use super::model::boards;
use swissmatch_tournament::figures::figures_after;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::{ranking_after, standings_after};
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::setup::PlayerKeys;
use swissmatch_tournament::state::State;

struct Agent {
    number: PairingNumber,
    /// Empty in an event without parts.
    part: String,
    /// `None` for a player who is not ranked.
    place: Option<u32>,
    row: Option<StandingsRow>,
}

pub(super) fn section(state: &State) -> Markup {
    let agents = agents(state);
    let faults = faults(state);
    let results = results_after(state, state.rounds().len());
    let has_parts = agents.iter().any(|agent| !agent.part.is_empty());
    let has_faults = !faults.is_empty();
    let gone = gone(state, state.rounds().len());
    let figures = figures_after(state, state.rounds().len());
    let asked = |agent: &Agent| CallTexts::of(state, agent.number, agent.row.as_ref()?, &figures[agent.number.index()]);
    let asked: Vec<Option<CallTexts>> = agents.iter().map(asked).collect();
    let has_asked = asked.iter().any(Option::is_some);
    let has_byes = agents
        .iter()
        .any(|agent| agent.row.as_ref().is_some_and(|row| row.byes > 0));
    html! {
        div.scroll { table.data {
            caption.unseen { "All agents: points, mini-matches and games won, drawn and lost" }
            thead { tr {
                th.figure scope="col" { "#" }
                th.name scope="col" { "Agent" }
                @if has_parts { th scope="col" { "Part" } }
                th.figure scope="col" { "Points" }
                th.figure scope="col" { "Mini-matches W/D/L" }
                th.figure scope="col" { "Games as White W/D/L" }
                th.figure scope="col" { "Games as Black W/D/L" }
                @if has_byes { th.figure scope="col" { "Byes" } }
                @if has_asked { th.figure scope="col" { "Legal %" } th.figure scope="col" { "Cost" } }
                @if has_faults { th scope="col" { "Lost by a fault" } }
            } }
            tbody { @for (agent, asked) in agents.iter().zip(&asked) { tr {
                td.figure { @if let Some(place) = agent.place { (place) } }
                td.name {
                    a href={ "#agent-" (agent.number) } { (name(state, agent.number)) }
                    @if let Some(why) = gone.get(&agent.number) { " " span.chip { (why.word()) } }
                    (rating_and_author(state.player(agent.number)))
                }
                @if has_parts { td { (agent.part) } }
                td.figure { @if let Some(row) = &agent.row { (row.points) } }
                td.figure { (mini_matches(&results.players[agent.number.index()].rounds)) }
                td.figure { @if let Some(row) = &agent.row { (wdl(row.games.white)) } }
                td.figure { @if let Some(row) = &agent.row { (wdl(row.games.black)) } }
                @if has_byes { td.figure { @if let Some(row) = &agent.row { (row.byes) } } }
                @if has_asked {
                    td.figure { @if let Some(asked) = asked { (asked.legal_share) } }
                    td.figure { @if let Some(asked) = asked { (asked.cost) } }
                }
                @if has_faults { td { (faults.get(&agent.number).map_or("", String::as_str)) } }
            } } }
        } }
        @if has_asked {
            p.note { "Legal %: of all attempts of a player that is asked over the network, those that gave a legal move in time, with the \
                      95 % interval; cost: in the unit of the prices, – where a part of it is unknown." }
        }
        p.note { "W/D/L: won, drawn, lost. Choose an agent for its results by round, by colour and by opponent." }
    }
}

/// As the event file gives them, on a line of their own.
fn rating_and_author(player: &PlayerKeys) -> Markup {
    html! { @if player.rating.is_some() || player.author.is_some() {
        div.note {
            @if let Some(rating) = player.rating { "Rated " (rating) @if player.author.is_some() { ", " } }
            @if let Some(author) = &player.author { "by " bdi { (brief(author, LONGEST_NAME)) } }
        }
    } }
}

/// Everybody, best first; players who are not ranked come last.
fn agents(state: &State) -> Vec<Agent> {
    let rounds = state.rounds().len();
    let mut agents: Vec<Agent> = match state.created().format {
        TournamentFormat::Sections | TournamentFormat::Quads => parts_after(state, rounds)
            .into_iter()
            .flat_map(|(part, own, rounds)| {
                let rows = standings_after(&own, rounds).rows.into_iter();
                let agent = move |row: StandingsRow| Agent {
                    number: part.players[row.player.index()],
                    part: harmless(&part.to_string()),
                    place: Some(row.place),
                    row: Some(row),
                };
                rows.map(agent).collect::<Vec<_>>()
            })
            .collect(),
        TournamentFormat::Stages => {
            let rows: BTreeMap<PairingNumber, StandingsRow> = standings_after(state, rounds)
                .rows
                .into_iter()
                .map(|row| (row.player, row))
                .collect();
            let ranking = ranking_after(state, rounds).into_iter();
            let agent = |(place, number)| Agent {
                number,
                part: String::new(),
                place: Some(place),
                row: rows.get(&number).cloned(),
            };
            ranking.map(agent).collect()
        }
        TournamentFormat::Swiss
        | TournamentFormat::AllPlayAll
        | TournamentFormat::Gauntlet
        | TournamentFormat::Knockout => {
            let rows = standings_after(state, rounds).rows.into_iter();
            let agent = |row: StandingsRow| Agent {
                number: row.player,
                part: String::new(),
                place: Some(row.place),
                row: Some(row),
            };
            rows.map(agent).collect()
        }
    };
    let listed: std::collections::BTreeSet<PairingNumber> = agents.iter().map(|agent| agent.number).collect();
    let others = state.numbers().filter(|number| !listed.contains(number));
    agents.extend(others.map(|number| Agent {
        number,
        part: String::new(),
        place: None,
        row: None,
    }));
    agents
}

/// Mini-matches won, drawn and lost, including those that nobody played.
fn mini_matches(rounds: &[PlayerRound]) -> String {
    let results = || {
        rounds.iter().filter_map(|round| match round.fate {
            RoundFate::Played { result, .. } | RoundFate::Forfeit { result, .. } => Some(result),
            RoundFate::Unfinished { .. } | RoundFate::Bye(_) | RoundFate::Free | RoundFate::Annulled => None,
        })
    };
    let count = |wanted: MatchResult| results().filter(|result| *result == wanted).count();
    let [won, drawn, lost] = [MatchResult::Won, MatchResult::Drawn, MatchResult::Lost].map(count);
    format!("{won}/{drawn}/{lost}")
}

/// The games that each player lost, by fault: `2 time forfeit, 1 crash`.
fn faults(state: &State) -> BTreeMap<PairingNumber, String> {
    let mut counts: BTreeMap<PairingNumber, BTreeMap<String, u32>> = BTreeMap::new();
    for (_, mini_match) in boards(state) {
        for (player, termination, games) in mini_match.faults() {
            let kind = termination.word().replace('-', " ");
            *counts.entry(player).or_default().entry(kind).or_default() += games;
        }
    }
    let words = |kinds: BTreeMap<String, u32>| {
        let kinds = kinds.into_iter().map(|(kind, games)| format!("{games} {kind}"));
        kinds.collect::<Vec<_>>().join(", ")
    };
    counts
        .into_iter()
        .map(|(player, kinds)| (player, words(kinds)))
        .collect()
}
