//! The ties of an event that are played off, and where that stands.
//!
//! May not: draw lots, decide for the arbiter, remember anything.

use crate::pairing::history::PairingNumber;
use crate::standings;
use crate::standings::criterion::Criterion;

use super::event::{Format, GameFinished};
use super::playoff;
use super::playoff::facts::{Ended, Facts, Held, Met, Tie, TieKey};
use super::playoff::rules::{Numbers, Rules};
use super::playoff::stand::{Due, Stand};
use super::setup::{Entrants, HeadToHeadDays, PlayoffNumbers, PlayoffWhen, Prize, Setup, TiedOn};
use super::state::{Round, State};
use super::tour;
use super::tour::{OpenTie, TourEvent};

/// The play-offs after a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playoffs {
    /// The round, from 1.
    pub round: u32,
    /// What is played off.
    pub ties: Vec<Tie>,
    /// Where each of them stands.
    pub stand: Stand,
}

/// The play-offs after a round (from 1) that is over; `None` where nobody is tied for a place that is played off.
#[must_use]
pub fn after(state: &State, round: u32) -> Option<Playoffs> {
    let ties = ties(state, round);
    if ties.is_empty() {
        return None;
    }
    let stand = playoff::stand(&ties, &rules(state.setup()), &facts(state, round));
    Some(Playoffs { round, ties, stand })
}

/// The play-offs after the last round; `None` while rounds are to come, and where there are none.
#[must_use]
pub fn at_the_end(state: &State) -> Option<Playoffs> {
    let rounds = state.created().rounds;
    // Places that are told apart are those of one table.
    if state.is_divided() || state.created().format == Format::Knockout {
        return None;
    }
    if !state.rounds_are_over() || places(state.setup()).is_empty() {
        return None;
    }
    after(state, rounds)
}

/// All play-offs so far, in order of rounds.
#[must_use]
pub fn all(state: &State) -> Vec<Playoffs> {
    at_the_end(state).into_iter().collect()
}

/// Whether no play-off after the last round is open.
#[must_use]
pub fn are_settled(state: &State) -> bool {
    at_the_end(state).is_none_or(|playoffs| playoffs.stand.due == Due::Nothing)
}

/// Whether a tie is left to the arbiter.
#[must_use]
pub fn waits_for_decision(state: &State) -> bool {
    all(state).iter().any(|playoffs| !playoffs.stand.questions.is_empty())
}

/// The rules of play-offs, from the keys.
#[must_use]
pub fn rules(setup: &Setup) -> Rules {
    let keys = &setup.playoff;
    Rules {
        boundaries: places(setup),
        top_two: keys.entrants == Entrants::TopTwo,
        numbers: match keys.numbers {
            PlayoffNumbers::Lot => Numbers::Lot,
            PlayoffNumbers::By(_) => Numbers::Order,
        },
        stages: keys.stages.clone(),
    }
}

/// Places that are told from the next one: `playoff.places`; with `when = "indivisible-prize"` those of them whose prize has
/// something that cannot be divided.
#[must_use]
pub fn places(setup: &Setup) -> Vec<u32> {
    let prize = |place: u32| setup.prizes.by_place.get(place as usize - 1);
    let counts = |place: &u32| match setup.playoff.when {
        PlayoffWhen::Tied => true,
        PlayoffWhen::IndivisiblePrize => prize(*place).is_some_and(Prize::is_indivisible),
    };
    setup.playoff.places.iter().copied().filter(counts).collect()
}

/// What players are tied on: the first criterion of the standings, or all of them.
#[must_use]
pub fn tied_on(setup: &Setup) -> &[Criterion] {
    let order = &setup.standings.order;
    match setup.playoff.tied_on {
        TiedOn::Points => &order[..1],
        TiedOn::Order => order,
    }
}

/// Ties of a tour's overall standings that have to be played off.
fn of_tour(state: &State, round: u32, events: &[TourEvent]) -> Vec<Tie> {
    let setup = state.setup();
    // Whether they are a tour was seen to before the run was made.
    let overall = tour::overall(events, &setup.tour, &places(setup), &[]);
    let open = overall.map(|overall| overall.open).unwrap_or_default();
    let tie = |open: OpenTie| {
        let is_in = |number: &PairingNumber| open.names.contains(&state.player(*number).name);
        Tie {
            key: TieKey {
                round,
                board: 0,
                first: open.first,
                last: open.last,
            },
            groups: vec![state.numbers().filter(is_in).collect()],
        }
    };
    open.into_iter().map(tie).collect()
}

/// Ties of the standings that cover a place to be told from the next one.
fn ties(state: &State, round: u32) -> Vec<Tie> {
    if let Some(events) = &state.created().tour {
        return of_tour(state, round, events);
    }
    let setup = state.setup();
    let results = state.results(round as usize);
    let level = tied_on(setup);
    let groups = |order: Vec<Criterion>| {
        let rules = standings::Rules {
            order,
            also: Vec::new(),
            ..setup.standings.rules()
        };
        level_groups(&standings::rank(&results, &rules))
    };
    let mut numbering = level.to_vec();
    if let PlayoffNumbers::By(criteria) = &setup.playoff.numbers {
        numbering.extend(criteria.iter().filter(|criterion| !level.contains(criterion)));
    }
    let numbered = groups(numbering);
    let places = places(setup);
    let mut ties = Vec::new();
    for (first, group) in groups(level.to_vec()) {
        let last = first + u32::try_from(group.len()).expect("few players") - 1;
        let is_cut = |place: &u32| (first..last).contains(place);
        if places.iter().any(is_cut) {
            let inside = numbered.iter().filter(|(place, _)| (first..=last).contains(place));
            ties.push(Tie {
                key: TieKey {
                    round,
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

/// Who shares each place, with that place, in order.
fn level_groups(standings: &standings::Standings) -> Vec<(u32, Vec<PairingNumber>)> {
    let groups = standings.rows.chunk_by(|one, other| one.place == other.place);
    let group = |rows: &[standings::Row]| {
        let mut players: Vec<PairingNumber> = rows.iter().map(|row| row.player).collect();
        players.sort_unstable();
        (rows[0].place, players)
    };
    groups.map(group).collect()
}

/// Everything recorded of the play-offs after a round.
fn facts(state: &State, round: u32) -> Facts {
    let after = &state.rounds()[round as usize - 1];
    let held = after.playoffs.iter().flat_map(|playoff| {
        let boards = playoff.boards.iter().zip(&playoff.mini_matches);
        boards.map(|(board, mini_match)| Held {
            board: board.clone(),
            games: mini_match.games.iter().map(|game| game.as_ref().map(ended)).collect(),
        })
    });
    let counts = |other: &&Round| match state.setup().playoff.head_to_head {
        HeadToHeadDays::SameDay => other.day == after.day,
        HeadToHeadDays::AnyDay => true,
    };
    let met = |game: &GameFinished| Met {
        white: game.white,
        black: game.black,
        ended: ended(game),
    };
    let rounds = state.rounds()[..round as usize].iter().filter(counts);
    let boards = rounds.flat_map(|round| &round.mini_matches);
    Facts {
        lots: state.lots().to_vec(),
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

const fn ended(game: &GameFinished) -> Ended {
    Ended {
        outcome: game.outcome,
        termination: game.termination,
    }
}
