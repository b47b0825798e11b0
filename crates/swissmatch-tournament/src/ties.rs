//! The ties of an event that are played off, and how far that has come.
//!
//! May not: draw lots, decide for the arbiter, remember anything.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use swiss_system::pairing::history::{Pair, PairingNumber};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings;
use swiss_system::standings::criterion::Criterion;

use super::part::{Part, as_event};
use super::playoff::facts::{BegunBoard, Ended, EventGame, Facts, Tie};
use super::playoff::stand::{Due, Stand};
use super::playoff_rules::{Numbers, PlayoffRules};
use super::setup::{Entrants, HeadToHeadDays, LevelTie, PlayoffNumbers, PlayoffWhen, Prize, PrizeKeys, Setup, TiedOn};
use super::state::{EndedGame, MiniMatch, OfEvent, RefinedTie, Round, State};
use super::tour::OpenTie;
use super::{playoff, tour};
use crate::log::{TieKey, TourEvent};
use crate::part::{is_of_knockout, parts_of};
use crate::results::results_after;

/// The play-offs after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playoffs {
    /// From 1.
    pub round: u32,
    /// The ties that are played off.
    pub ties: Vec<Tie>,
    /// How far they have come.
    pub stand: Stand,
}

/// The play-offs after a round (from 1) that is over: of level mini-matches of a knockout, and after the last round of
/// ties for a place that is played off. `None` if there are none.
pub fn after(state: &State, round: u32) -> Option<Playoffs> {
    let ties = ties(state, round);
    if ties.is_empty() {
        return None;
    }
    let stand = playoff::stand(&ties, &rules(state.setup()), &facts(state, round));
    Some(Playoffs { round, ties, stand })
}

/// The play-offs after the last round; `None` if there are none, or rounds are still to come.
pub fn at_the_end(state: &State) -> Option<Playoffs> {
    if !state.rounds_are_over() {
        return None;
    }
    after(state, state.last_round())
}

/// All play-offs so far, in order of rounds.
pub fn all(state: &State) -> Vec<Playoffs> {
    let rounds = u32::try_from(state.rounds_over()).expect("few rounds");
    (1..=rounds).filter_map(|round| after(state, round)).collect()
}

/// True if every round of an event has been played, and every play-off that is due.
pub fn event_is_over(state: &State) -> bool {
    state.rounds_are_over() && are_settled(state)
}

/// True if no play-off after the last round is open.
pub(crate) fn are_settled(state: &State) -> bool {
    if let Some(of_event) = &state.of_event {
        return of_event.refined.iter().all(|tie| tie.is_over);
    }
    at_the_end(state).is_none_or(|playoffs| playoffs.stand.due == Due::Nothing)
}

/// The players tied for a place that is played off, after the rounds that are over. If this changes, the wait begins
/// anew.
pub fn tied(state: &State) -> Vec<(TieKey, BTreeSet<PairingNumber>)> {
    let last = u32::try_from(state.rounds().len()).expect("few rounds");
    if last == 0 || state.rounds_over() < state.rounds().len() {
        return Vec::new();
    }
    let tied = ties(state, last).into_iter();
    tied.map(|tie| (tie.key, tie.groups.into_iter().flatten().collect()))
        .collect()
}

/// The winners of the play-offs of level mini-matches in a knockout's round, from 1, as far as they are settled.
pub(crate) fn went_through(state: &State, round: u32) -> BTreeSet<PairingNumber> {
    if let Some(of_event) = &state.of_event {
        return of_event.went_through.clone();
    }
    let Some(playoffs) = after(state, round) else {
        return BTreeSet::new();
    };
    let ties = playoffs.ties.iter().zip(&playoffs.stand.parts);
    let of_boards = ties.filter(|(tie, _)| tie.key.board > 0);
    of_boards
        .filter_map(|(_, parts)| parts.as_ref()?.first()?.first().copied())
        .collect()
}

/// True if a tie is left to the arbiter.
pub fn waits_for_decision(state: &State) -> bool {
    all(state).iter().any(|playoffs| !playoffs.stand.questions.is_empty())
}

pub fn rules(setup: &Setup) -> PlayoffRules {
    let keys = &setup.playoff;
    PlayoffRules {
        boundaries: places(setup),
        of_sections: places_of_sections(setup),
        top_two: keys.entrants == Entrants::TopTwo,
        numbers: match keys.numbers {
            PlayoffNumbers::Lot => Numbers::Lot,
            PlayoffNumbers::By(_) => Numbers::Order,
        },
        stages: keys.stages.clone(),
    }
}

/// Places that are told from the next one: `playoff.places`. With `when = "indivisible-prize"` only those next to a
/// prize that cannot be divided, on either side: such a prize needs a single player at its place, level with nobody
/// above or below.
pub fn places(setup: &Setup) -> Vec<u32> {
    places_by(setup, &setup.prizes)
}

/// Like [`places`], for each of the event's sections, by its number from 1.
pub(crate) fn places_of_sections(setup: &Setup) -> BTreeMap<u32, Vec<u32>> {
    let of_sections = setup.all_prizes().filter(|(section, _)| *section > 0);
    of_sections
        .map(|(section, prizes)| (section, places_by(setup, prizes)))
        .collect()
}

/// True if any tie for a place is played off, in the event or in one of its sections.
pub fn are_possible(setup: &Setup) -> bool {
    let mut all = setup.all_prizes();
    all.any(|(_, prizes)| !places_by(setup, prizes).is_empty())
}

fn places_by(setup: &Setup, prizes: &PrizeKeys) -> Vec<u32> {
    let prize = |place: u32| prizes.by_place.get(place as usize - 1);
    let counts = |place: &u32| match setup.playoff.when {
        PlayoffWhen::Tied => true,
        PlayoffWhen::IndivisiblePrize => {
            let mut either = [*place, *place + 1].into_iter().filter_map(prize);
            either.any(Prize::is_indivisible)
        }
    };
    setup.playoff.places.iter().copied().filter(counts).collect()
}

/// The criteria on which players are tied: the first of the standings, or all of them.
pub fn tied_on(setup: &Setup) -> &[Criterion] {
    let order = &setup.standings.order;
    match setup.playoff.tied_on {
        TiedOn::Points => &order[..1],
        TiedOn::Order => order,
    }
}

/// Ties in a tour's overall standings that have to be played off.
fn of_tour(state: &State, round: u32, events: &[TourEvent]) -> Vec<Tie> {
    let setup = state.setup();
    let overall = tour::overall(events, &setup.tour, &places(setup), &[]);
    let open = overall.expect("the fold refuses what is no tour").open;
    let tie = |open: OpenTie| {
        let is_in = |number: &PairingNumber| open.names.contains(&state.player(*number).name);
        Tie {
            key: TieKey {
                round,
                section: 0,
                board: 0,
                first: open.first,
                last: open.last,
            },
            groups: vec![state.numbers().filter(is_in).collect()],
        }
    };
    open.into_iter().map(tie).collect()
}

fn ties(state: &State, round: u32) -> Vec<Tie> {
    // Play-offs belong to the whole event, whose parts get their results from it.
    if state.of_event.is_some() {
        return Vec::new();
    }
    if let Some(events) = &state.created().tour {
        return of_tour(state, round, events);
    }
    if is_of_knockout(state, round) {
        return of_knockout(state, round);
    }
    if round != state.last_round() || !are_possible(state.setup()) {
        return Vec::new();
    }
    // Sections are played off together, when the last of them is over; of several stages only the last is played off.
    let is_last = |part: &Part| part.stage.is_none() || part.has_round(round as usize - 1);
    let last = parts_of(state).into_iter().filter(is_last);
    let of_part = |part: Part| match state.is_divided() {
        false => of_standings(state, round, 0),
        true => {
            let number = |own: PairingNumber| part.players[own.index()];
            let own_rounds = (round - part.rounds_before).min(part.rounds);
            let mut ties = of_standings(
                &as_event(state, &part, OfEvent::default()),
                own_rounds,
                part.section.unwrap_or(0),
            );
            for tie in &mut ties {
                tie.key.round = round;
                let groups = tie.groups.iter();
                tie.groups = groups
                    .map(|group| group.iter().map(|own| number(*own)).collect())
                    .collect();
            }
            ties
        }
    };
    last.flat_map(of_part).collect()
}

/// Level mini-matches of a knockout's round. Numbers go by what the two players did in the knockout alone.
fn of_knockout(state: &State, round: u32) -> Vec<Tie> {
    if state.setup().playoff.knockout == LevelTie::BetterSeed {
        return Vec::new();
    }
    let level: Vec<_> = level_boards(state, round).collect();
    let part = parts_of(state)
        .into_iter()
        .find(|part| part.has_round(round as usize - 1));
    let (Some(part), false) = (part, level.is_empty()) else {
        return Vec::new();
    };
    let numbered = numbered_groups(
        &as_event(state, &part, OfEvent::default()),
        round - part.rounds_before,
        &[],
        None,
    );
    let number = |own: &PairingNumber| part.players[own.index()];
    let numbered: Vec<Vec<PairingNumber>> = numbered
        .iter()
        .map(|(_, group)| group.iter().map(number).collect())
        .collect();
    let ties = level.into_iter().map(|(board, pair)| {
        let groups = numbered.iter().map(|group| {
            let of_pair = group
                .iter()
                .copied()
                .filter(|player| [pair.white, pair.black].contains(player));
            of_pair.collect::<Vec<PairingNumber>>()
        });
        Tie {
            key: TieKey {
                round,
                section: 0,
                board,
                first: 1,
                last: 2,
            },
            groups: groups.filter(|group| !group.is_empty()).collect(),
        }
    });
    ties.collect()
}

/// Everyone but `without` after `rounds` rounds, ordered by these criteria and then those of play-off numbers.
fn numbered_groups(
    state: &State,
    rounds: u32,
    level: &[Criterion],
    without: Option<&BTreeSet<PairingNumber>>,
) -> Vec<(u32, Vec<PairingNumber>)> {
    let mut order = level.to_vec();
    if let PlayoffNumbers::By(criteria) = &state.setup().playoff.numbers {
        order.extend(criteria.iter().filter(|criterion| !level.contains(criterion)));
    }
    groups(state, rounds, order, without)
}

fn groups(
    state: &State,
    rounds: u32,
    order: Vec<Criterion>,
    without: Option<&BTreeSet<PairingNumber>>,
) -> Vec<(u32, Vec<PairingNumber>)> {
    let rules = standings::RankingRules {
        order,
        also: Vec::new(),
        ..state.setup().standings.rules()
    };
    let mut results = results_after(state, rounds as usize);
    match without {
        Some(without) => results.leave_off(without),
        None => (results.left_out, results.struck) = (Vec::new(), Vec::new()),
    }
    level_groups(&standings::rank(&results, &rules))
}

/// Ties in the standings across a place to be told from the next one.
fn of_standings(state: &State, round: u32, section: u32) -> Vec<Tie> {
    let setup = state.setup();
    let level = tied_on(setup);
    let without = out_of_ties(state);
    let numbered = numbered_groups(state, round, level, Some(&without));
    let places = places(setup);
    let mut ties = Vec::new();
    for (first, group) in groups(state, round, level.to_vec(), Some(&without)) {
        let last = first + u32::try_from(group.len()).expect("few players") - 1;
        let is_cut = |place: &u32| (first..last).contains(place);
        if places.iter().any(is_cut) {
            let inside = numbered.iter().filter(|(place, _)| (first..=last).contains(place));
            ties.push(Tie {
                key: TieKey {
                    round,
                    section,
                    board: 0,
                    first,
                    last,
                },
                groups: inside.map(|(_, group)| group.clone()).collect(),
            });
        }
    }
    ties
}

/// Each place with the players who share it, in order.
fn level_groups(standings: &standings::Standings) -> Vec<(u32, Vec<PairingNumber>)> {
    let groups = standings.rows.chunk_by(|one, other| one.place == other.place);
    let group = |rows: &[standings::StandingsRow]| {
        let mut players: Vec<PairingNumber> = rows.iter().map(|row| row.player).collect();
        players.sort_unstable();
        (rows[0].place, players)
    };
    groups.map(group).collect()
}

/// What play-offs make of the ties in the standings of an event or a part; a tie that is still open is one part.
/// Results of a knockout's play-offs are in its places already; sections have no common places, and a tour has no
/// standings of its own.
pub fn refined(state: &State) -> Vec<RefinedTie> {
    if let Some(of_event) = &state.of_event {
        return of_event.refined.clone();
    }
    match (&state.created().tour, at_the_end(state)) {
        (None, Some(playoffs)) => refined_of(&playoffs, 0, Some),
        _ => Vec::new(),
    }
}

/// What an event's play-offs make of the ties in one of its parts, by the part's own numbers.
pub(super) fn refined_of_part(playoffs: &Playoffs, part: &Part) -> Vec<RefinedTie> {
    let is_last = part.has_round(playoffs.round as usize - 1) || part.stage.is_none();
    let section = part.section.unwrap_or(0);
    match is_last {
        true => refined_of(playoffs, section, |player| part.own_number(player)),
        false => Vec::new(),
    }
}

fn refined_of(
    playoffs: &Playoffs,
    section: u32,
    own: impl Fn(PairingNumber) -> Option<PairingNumber>,
) -> Vec<RefinedTie> {
    let ties = playoffs.ties.iter().zip(&playoffs.stand.parts);
    let of_places = ties.filter(|(tie, _)| (tie.key.board, tie.key.section) == (0, section));
    let refined = of_places.map(|(tie, parts)| {
        let numbered = parts.clone().unwrap_or_else(|| vec![tie.groups.concat()]);
        let own = |part: &Vec<PairingNumber>| part.iter().filter_map(|&player| own(player)).collect();
        RefinedTie {
            first_place: tie.key.first,
            parts: numbered.iter().map(own).collect(),
            is_over: parts.is_some(),
        }
    });
    refined.collect()
}

/// Players who take no part in ties: house players, and everyone who is disqualified or was when the play-offs began.
pub(crate) fn out_of_ties(state: &State) -> BTreeSet<PairingNumber> {
    let mut out = state.out_of_ties.clone().unwrap_or_else(|| state.orders.disqualified());
    out.extend(state.house_players());
    out
}

/// Boards of a round, from 1, whose mini-match is over and level.
fn level_boards(state: &State, round: u32) -> impl Iterator<Item = (u32, Pair)> {
    let scoring = &state.setup().scoring;
    let points =
        |board: &MiniMatch| [board.pair.white, board.pair.black].map(|player| board.game_points(player, scoring));
    let is_level = move |board: &MiniMatch| board.is_over() && points(board)[0] == points(board)[1];
    let boards = (1..).zip(&state.rounds[round as usize - 1].mini_matches);
    boards
        .filter(move |(_, board)| is_level(board))
        .map(|(number, board)| (number, board.pair))
}

/// Everything recorded of the play-offs after a round.
fn facts(state: &State, round: u32) -> Facts {
    let after = &state.rounds()[round as usize - 1];
    let held = after.playoffs.iter().flat_map(|playoff| {
        let boards = playoff.boards.iter().zip(&playoff.mini_matches);
        boards.map(|(board, mini_match)| BegunBoard {
            board: board.clone(),
            games: mini_match.games.iter().map(|game| game.as_ref().map(ended)).collect(),
        })
    });
    // For a section, the day is that of its own last round.
    let last_days: Vec<(Part, Date)> = match state.created().format {
        TournamentFormat::Sections => {
            let day = |part: &Part| state.rounds()[(part.rounds.min(round) as usize).saturating_sub(1)].day;
            let parts = parts_of(state).into_iter();
            parts
                .map(|part| {
                    let day = day(&part);
                    (part, day)
                })
                .collect()
        }
        _ => Vec::new(),
    };
    let last_day = |board: &MiniMatch| {
        let of_section = last_days
            .iter()
            .find(|(part, _)| part.players.contains(&board.pair.white));
        of_section.map_or(after.day, |(_, day)| *day)
    };
    let counts = |other: &Round, board: &MiniMatch| match state.setup().playoff.head_to_head {
        HeadToHeadDays::SameDay => other.day == last_day(board),
        HeadToHeadDays::AnyDay => true,
    };
    let met = |game: EndedGame| EventGame {
        white: game.finished.white,
        black: game.finished.black,
        ended: ended(&game),
    };
    let rounds = &state.rounds()[..round as usize];
    let counts = &counts;
    let boards = rounds.iter().flat_map(|round| {
        let boards = round.mini_matches.iter();
        boards.filter(move |board| counts(round, board))
    });
    Facts {
        lots: state.lots().to_vec(),
        void_drawings: after.void_drawings,
        boards: held.collect(),
        decisions: state
            .decisions()
            .iter()
            .map(|decided| decided.decision.clone())
            .collect(),
        that_day: boards.flat_map(|board| board.games.iter().flatten()).map(met).collect(),
        choices: state
            .numbers()
            .filter_map(|number| Some((number, state.player(number).armageddon?)))
            .collect(),
    }
}

fn ended(game: &EndedGame) -> Ended {
    Ended {
        outcome: game.outcome(),
        termination: game.finished.termination,
    }
}
