//! The crosstable of the page: for each player and round the game points, the opponent, the colour, and a link to the mini-match. Where
//! everybody meets everybody, it is a square of all against all.
//!
//! May not: rank anybody, count points.

use std::collections::{BTreeSet, HashMap};

use maud::{Markup, html};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::results::{MatchResult, PlayerRound, Results, RoundFate};
use swiss_system::standings::{Standings, StandingsRow};

use super::super::html::note;
use super::super::playoff;
use super::super::progress::CountedRounds;
use super::super::unplayed::{self, UnplayedRound};
use super::super::untrusted::name;
use super::part_title;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::resampled::{FixedBoard, in_event};
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// Most players for which a square of all against all stays readable.
const MOST_IN_A_SQUARE: usize = 60;
/// With more players, cells do not explain themselves: the explanations would be most of the page.
const MOST_TOLD: usize = 60;
/// With more rows the table scrolls by itself, with its head in view.
const TALL: usize = 14;

/// A table for each part.
pub(super) fn section(state: &State) -> Markup {
    let rounds = state.rounds().len();
    let has_forfeits = |state: &State| {
        let results = results_after(state, rounds);
        let mut had = results.players.iter().flat_map(|player| &player.rounds);
        had.any(|round| matches!(round.fate, RoundFate::Forfeit { .. }))
    };
    html! {
        @if state.is_divided() {
            @for (part, own, rounds) in &parts_after(state, rounds) {
                h2 { (part_title(part)) }
                (table(own, *rounds, &|number| part.players[number.index()], &|board| in_event(state, part, board)))
            }
        } @else {
            (table(state, rounds, &|number| number, &|board| board))
        }
        (legend(has_forfeits(state)))
    }
}

/// An event without parts, or a part, and its place in the event.
struct PartCrosstable<'a> {
    own: &'a State,
    standings: &'a Standings,
    results: &'a Results,
    /// The line of each player, from 1; 0 for a player who is not ranked.
    lines: Vec<u32>,
    /// For each round the board of each player, as the event names it.
    boards: Vec<HashMap<PairingNumber, FixedBoard>>,
    /// Converts a player's number to that in the event.
    number: &'a dyn Fn(PairingNumber) -> PairingNumber,
}

fn table(
    own: &State,
    rounds: usize,
    number: &dyn Fn(PairingNumber) -> PairingNumber,
    named: &dyn Fn(FixedBoard) -> FixedBoard,
) -> Markup {
    let rounds = CountedRounds::new(own, rounds).rounds.len();
    let (standings, results) = (standings_after(own, rounds), results_after(own, rounds));
    let boards = (1..).zip(&own.rounds()[..rounds]).map(|(round, paired)| {
        let pairs = (1..).zip(&paired.pairing.pairs);
        let of_pair = |(board, pair): (usize, &swiss_system::pairing::history::Pair)| {
            let board = named((round, board));
            [(pair.white, board), (pair.black, board)]
        };
        pairs.flat_map(of_pair).collect()
    });
    let shown = PartCrosstable {
        own,
        standings: &standings,
        results: &results,
        lines: standings.listing_places(),
        boards: boards.collect(),
        number,
    };
    let is_square = own.created().format == TournamentFormat::AllPlayAll && own.player_count() <= MOST_IN_A_SQUARE;
    let tall = standings.rows.len() > TALL;
    html! {
        @if is_square { (shown.square(tall)) } @else { (shown.by_round(rounds, tall)) }
        @for told in playoff::decided_of(own, &standings) { (note(&told)) }
    }
}

impl PartCrosstable<'_> {
    /// A table with a column for each round.
    fn by_round(&self, rounds: usize, tall: bool) -> Markup {
        let mut words = BTreeSet::new();
        let (out, gone) = unplayed::out(self.own, rounds, &self.standings.rows).unzip();
        let rows = (1..)
            .zip(&self.standings.rows)
            .map(|(line, row): (usize, &StandingsRow)| {
                let had = (1..).zip(&self.results.players[row.player.index()].rounds);
                let cells = had.map(
                    |(round, had)| match UnplayedRound::of(self.own, round, row.player, had) {
                        Some(unplayed) => {
                            words.insert(unplayed.word());
                            html! { td.none { (unplayed.word()) } }
                        }
                        None => self.met(row.player, round as usize, had),
                    },
                );
                let cells: Vec<Markup> = cells.collect();
                html! { tr {
                    (self.beginning(line, row))
                    @for cell in cells { (cell) }
                    (points(row))
                    @if let Some(gone) = &gone { td { (gone[line - 1]) } }
                } }
            });
        let rows: Vec<Markup> = rows.collect();
        html! {
            div.scroll.tall[tall] { table.data.cross {
                thead { tr {
                    th.figure scope="col" { "#" }
                    th.name scope="col" { "Name" }
                    @for round in 1..=rounds { th scope="col" title={ "Round " (round) } { (round) } }
                    (heads_of_points())
                    @if let Some(out) = &out { th scope="col" { (out.header) } }
                } }
                tbody { @for row in rows { (row) } }
            } }
            @for unplayed in UnplayedRound::ALL {
                @if let Some(meaning) = unplayed.meaning().filter(|_| words.contains(unplayed.word())) {
                    p.note { strong { (unplayed.word()) } ": " (meaning) "." }
                }
            }
        }
    }

    fn square(&self, tall: bool) -> Markup {
        html! {
            div.scroll.tall[tall] { table.data.cross.square {
                thead { tr {
                    th.figure scope="col" { "#" }
                    th.name scope="col" { "Name" }
                    @for (line, row) in (1..).zip(&self.standings.rows) {
                        @let line: usize = line;
                        th scope="col" title=(name(self.own, row.player)) { (line) }
                    }
                    (heads_of_points())
                } }
                tbody { @for (line, row) in (1..).zip(&self.standings.rows) { tr {
                    (self.beginning(line, row))
                    @for other in &self.standings.rows { (self.against(row.player, other.player)) }
                    (points(row))
                } } }
            } }
        }
    }

    fn beginning(&self, line: usize, row: &StandingsRow) -> Markup {
        html! {
            td.figure { (line) }
            td.name { a href={ "#agent-" ((self.number)(row.player)) } { (name(self.own, row.player)) } }
        }
    }

    /// Everything that two players played.
    fn against(&self, player: PairingNumber, other: PairingNumber) -> Markup {
        if player == other {
            return html! { td.self { span aria-hidden="true" { "×" } } };
        }
        let rounds = (1..).zip(&self.results.players[player.index()].rounds);
        let met: Vec<(usize, &PlayerRound)> = rounds.filter(|(_, had)| had.fate.paired() == Some(other)).collect();
        html! { td class=[class(met.iter().map(|(_, had)| *had))] {
            @for (round, had) in met { (self.link(player, round, had, false)) " " }
        } }
    }

    /// The cell of a round in which a player was paired.
    fn met(&self, player: PairingNumber, round: usize, had: &PlayerRound) -> Markup {
        html! { td class=[class(std::iter::once(had))] { (self.link(player, round, had, true)) } }
    }

    /// The game points, with a link to the mini-match, and the opponent below them.
    fn link(&self, player: PairingNumber, round: usize, had: &PlayerRound, has_opponent: bool) -> Markup {
        let opponent = had.fate.paired();
        let line = opponent.and_then(|opponent| self.lines.get(opponent.index()).copied());
        let line = line.filter(|line| *line > 0).map(|line| line.to_string());
        let board = self
            .boards
            .get(round - 1)
            .and_then(|boards| boards.get(&player))
            .copied();
        let pair = self.own.rounds()[round - 1].pairing.pairs.iter();
        let is_white = pair.clone().any(|pair| pair.white == player);
        let is_forfeit = matches!(had.fate, RoundFate::Forfeit { .. });
        let told = opponent
            .filter(|_| self.standings.rows.len() <= MOST_TOLD)
            .map(|opponent| {
                let how = if is_forfeit { ", by forfeit" } else { "" };
                let color = if is_white { "White" } else { "Black" };
                let again = if had.repeat { "; they had met before" } else { "" };
                format!(
                    "{} against {}{how}, {color} in game 1{again}",
                    said(had),
                    name(self.own, opponent)
                )
            });
        let shown = html! {
            strong { (had.game_points) @if is_forfeit { "f" } }
            @if has_opponent { span class=(if is_white { "of white" } else { "of black" }) {
                (line.or_else(|| opponent.map(|opponent| name(self.own, opponent))).unwrap_or_default())
            } }
        };
        match board {
            Some((round, board)) => html! { a href={ "#match-" (round) "." (board) } title=[told] { (shown) } },
            None => shown,
        }
    }
}

/// The tint of a cell: the result of the mini-matches together.
fn class<'a>(met: impl Iterator<Item = &'a PlayerRound>) -> Option<&'static str> {
    let results: Vec<MatchResult> = met.filter_map(|had| had.fate.result()).collect();
    let count = |wanted| results.iter().filter(|result| **result == wanted).count();
    match (count(MatchResult::Won), count(MatchResult::Lost)) {
        _ if results.is_empty() => None,
        (won, lost) if won > lost => Some("met win"),
        (won, lost) if won < lost => Some("met loss"),
        _ => Some("met draw"),
    }
}

const fn said(had: &PlayerRound) -> &'static str {
    match had.fate.result() {
        Some(MatchResult::Won) => "won",
        Some(MatchResult::Drawn) => "drawn",
        Some(MatchResult::Lost) => "lost",
        None => "not over",
    }
}

fn heads_of_points() -> Markup {
    html! {
        th.figure scope="col" title="Match points" { "MP" }
        th.figure scope="col" title="Game points" { "GP" }
    }
}

fn points(row: &StandingsRow) -> Markup {
    html! { td.figure { strong { (row.points) } } td.figure { (row.game_points) } }
}

/// An explanation of the cells.
fn legend(has_forfeits: bool) -> Markup {
    html! {
        p.note.legend {
            "Each cell has the game points, and leads to the mini-match: "
            span.met.win { "won" } " " span.met.draw { "drawn" } " " span.met.loss { "lost" } "."
            " Where a column is a round, the number of the opponent’s line stands below them, with the colour in game 1: "
            span.of.white { "White" } " or " span.of.black { "Black" } "."
            @if has_forfeits { " An f: by forfeit." }
        }
    }
}
