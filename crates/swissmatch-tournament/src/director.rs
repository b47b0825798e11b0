//! What may happen next: the pairing of the next round or play-off, or lots. Nothing may while a round is being played.
//!
//! May not: play, store, or look at anything other than the state and its keys.

use crate::history::{forbidden_pairs, forced_pairs, history_after};
use crate::part::parts_of;
use crate::part_events::event_of_part;
use crate::ranking::field_by_rank;
use crate::results::has_byes;
use jiff::civil::Date;
use swiss_system::lot;
use swiss_system::pairing::history::{History, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::pairing::{all_play_all, gauntlet, knockout, round_robin, wishes};

use super::part::Part;
use super::playoff::facts::DueLot;
use super::playoff::stand::Due;
use super::policy;
use super::setup::{Rounds, Third};
use super::state::State;
use super::stop;
use super::system::{initial_color, system_of};
use super::ties;
use super::ties::Playoffs;
use crate::log::{ArbiterActed, Entry, EventStopped, Lot, PlayoffPaired, RoundPaired, StageBegun};

/// The next round has no pairing.
pub use swiss_system::pairing::infeasible::NoPairingError;

/// What has to happen now that nothing is being played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// These entries, in order. They end the event early, pair the next round, draw lots or pair a play-off round.
    Entries(Vec<Entry>),
    /// The arbiter has to decide a tie.
    Decision,
    /// Nothing: a round is being played, or everything is over.
    Nothing,
}

impl Next {
    /// The paired round, if a round was paired.
    pub fn into_round(self) -> Option<RoundPaired> {
        let Self::Entries(entries) = self else {
            return None;
        };
        entries.into_iter().find_map(|entry| match entry {
            Entry::RoundPaired(paired) => Some(paired),
            _ => None,
        })
    }
}

/// The kind of thing that comes next, without its details.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Coming {
    /// Nothing: a round is being played, or everything is over.
    Nothing,
    /// The stop rule ends the event with the rounds that are over.
    Stop(EventStopped),
    /// Play-offs after a round that are not settled yet.
    Playoffs(Playoffs),
    /// The rules withdraw these players.
    Withdrawals(Vec<ArbiterActed>),
    /// A stage after the first, by number.
    Stage(u32),
    /// A round, from 1.
    Round(u32),
}

pub fn coming(state: &State) -> Coming {
    if state.sittings().any(|sitting| !sitting.is_over()) {
        return Coming::Nothing;
    }
    if let Some(stopped) = stop::due(state) {
        return Coming::Stop(stopped);
    }
    let played = u32::try_from(state.rounds().len()).expect("few rounds");
    if played > 0
        && let Some(playoffs) = ties::after(state, played)
        && playoffs.stand.due != Due::Nothing
    {
        return Coming::Playoffs(playoffs);
    }
    if state.rounds_are_over() {
        return Coming::Nothing;
    }
    let withdrawals = policy::withdrawals(state);
    if !withdrawals.is_empty() {
        return Coming::Withdrawals(withdrawals);
    }
    state.next_stage().map_or(Coming::Round(played + 1), Coming::Stage)
}

/// What comes next; `today` is the date by `schedule.time_zone`.
///
/// # Errors
/// The next round has no pairing.
pub fn next(state: &State, today: Date) -> Result<Next, NoPairingError> {
    Ok(match coming(state) {
        Coming::Nothing => Next::Nothing,
        Coming::Stop(stopped) => Next::Entries(vec![Entry::EventStopped(stopped)]),
        Coming::Playoffs(playoffs) => of_playoffs(state, playoffs),
        Coming::Withdrawals(withdrawn) => {
            let acts = withdrawn.into_iter().map(|acted| Entry::Acted(Box::new(acted)));
            Next::Entries(acts.collect())
        }
        Coming::Stage(stage) => {
            let players = field_by_rank(state, stage);
            Next::Entries(vec![Entry::StageBegun(StageBegun { stage, players })])
        }
        Coming::Round(round) => Next::Entries(vec![Entry::RoundPaired(RoundPaired {
            round,
            pairing: pairing_after(state, state.rounds().len())?,
            day: today,
            starts: None,
        })]),
    })
}

/// The next thing that people wait for, and the event at that point: withdrawals by the rules and the start of a stage
/// that come first have been applied.
///
/// # Errors
/// The next round has no pairing.
pub fn next_of_note(state: &State, today: Date) -> Result<(State, Next), NoPairingError> {
    let mut state = state.clone();
    loop {
        match next(&state, today)? {
            Next::Entries(entries) if entries.iter().all(is_by_the_way) => {
                for entry in entries {
                    state.apply(&entry).expect("the director fits the state");
                }
            }
            next => return Ok((state, next)),
        }
    }
}

/// True if nobody waits for this entry: it only states what follows from the log before it.
fn is_by_the_way(entry: &Entry) -> bool {
    matches!(entry, Entry::StageBegun(_) | Entry::Acted(_) | Entry::EventStopped(_))
}

fn of_playoffs(state: &State, playoffs: Playoffs) -> Next {
    match playoffs.stand.due {
        Due::Nothing | Due::Playing => Next::Nothing,
        Due::Decision => Next::Decision,
        Due::Lots(lots) => Next::Entries(lots.iter().map(|lot| Entry::LotDrawn(drawn(state, lot))).collect()),
        Due::Round(boards) => {
            let held = state.rounds()[playoffs.round as usize - 1].playoffs.len();
            Next::Entries(vec![Entry::PlayoffPaired(PlayoffPaired {
                round: playoffs.round,
                playoff: u32::try_from(held + 1).expect("few rounds"),
                boards,
                later: None,
            })])
        }
    }
}

/// Draws a lot from `event.rng_seed` and the words of its purpose, over the players in order of pairing numbers.
pub fn drawn(state: &State, due: &DueLot) -> Lot {
    let order = lot::order(state.setup().event.rng_seed, &due.purpose.to_string(), due.among.len());
    Lot {
        purpose: due.purpose,
        drawn: order.into_iter().map(|place| due.among[place]).collect(),
    }
}

/// The pairing of round `rounds + 1`, using only the first `rounds` rounds.
///
/// # Errors
/// No pairing exists.
pub fn pairing_after(state: &State, rounds: usize) -> Result<RoundPairing, NoPairingError> {
    if state.created().tour.is_some() {
        return Ok(RoundPairing::default());
    }
    match state.created().format {
        TournamentFormat::Swiss => swiss_pairing_after(state, rounds),
        TournamentFormat::Knockout => {
            let rules = knockout::KnockoutRules {
                initial_color: initial_color(state.setup()),
                match_for_third: state.setup().playoff.third == Third::Match,
            };
            // An absent player stays in the bracket and forfeits.
            let mut history = history_after(state, rounds);
            history.players.iter_mut().for_each(|player| player.present = true);
            knockout::pair(&history, &rules)
        }
        TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            let mut pairing = RoundPairing::default();
            for part in parts_of(state).iter().filter(|part| part.has_round(rounds)) {
                let own = pairing_after(&event_of_part(state, part), rounds - part.rounds_before as usize)?;
                pairing.add(own.renumbered(|own| Some(part.players[own.index()])));
            }
            Ok(pairing)
        }
        format @ (TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet) => {
            let round = round_of_table(format, state.setup().swiss.rounds, state.player_count(), rounds);
            let round = round.ok_or(NoPairingError::NoRoundLeft)?;
            Ok(if has_byes(state) {
                without_absent(state, &round, rounds)
            } else {
                round
            })
        }
    }
}

/// The part whose next round has no pairing, as an event of its own; for an event of several parts.
pub fn unpaired_part(state: &State) -> Option<(Part, State)> {
    let done = state.rounds().len();
    let parts = parts_of(state).into_iter().filter(|part| part.has_round(done));
    let mut parts = parts.map(|part| {
        let own = event_of_part(state, &part);
        (part, own)
    });
    parts.find(|(_, own)| pairing_after(own, own.rounds().len()).is_err())
}

/// A Swiss round with the arbiter's wishes for it. A wish must not end an event, so wishes lapse where the round has no
/// pairing with them: first forced pairs of players who are not there, then all forced pairs, then the forbidden pairs.
fn swiss_pairing_after(state: &State, rounds: usize) -> Result<RoundPairing, NoPairingError> {
    let history = history_after(state, rounds);
    let forced = forced_pairs(state, rounds);
    if forced.is_empty() && history.forbidden == forbidden_pairs(state) {
        return swiss_pairing(state, &history);
    }
    let is_there = |number: PairingNumber| history.player(number).present;
    let of_present = forced
        .iter()
        .copied()
        .filter(|&(white, black)| is_there(white) && is_there(black));
    let of_present: Vec<_> = of_present.collect();
    let paired = wishes::with_forced(&history, &forced, |others| swiss_pairing(state, others))
        .or_else(|_| wishes::with_forced(&history, &of_present, |others| swiss_pairing(state, others)))
        .or_else(|_| swiss_pairing(state, &history));
    paired.or_else(|why| {
        let usual = forbidden_pairs(state);
        if usual == history.forbidden {
            return Err(why);
        }
        let history = History {
            forbidden: usual,
            ..history
        };
        swiss_pairing(state, &history)
    })
}

/// A Swiss round with all of the arbiter's wishes.
///
/// # Errors
/// A wish cannot be granted.
pub(crate) fn with_wishes(state: &State, rounds: usize) -> Result<RoundPairing, wishes::WishError> {
    let history = history_after(state, rounds);
    wishes::with_forced(&history, &forced_pairs(state, rounds), |others| {
        swiss_pairing(state, others)
    })
}

/// A Swiss round by the event's pairing system.
///
/// # Errors
/// No pairing exists.
pub(super) fn swiss_pairing(state: &State, history: &History) -> Result<RoundPairing, NoPairingError> {
    if history.players.iter().all(|player| !player.present) {
        return match waits_for_entries(state) {
            true => Err(NoPairingError::NobodyPresent),
            false => Ok(RoundPairing::default()),
        };
    }
    system_of(state).pair(history)
}

/// True if everyone has left but late entries are still allowed.
fn waits_for_entries(state: &State) -> bool {
    let (rounds, played) = (state.created().rounds, state.rounds_over());
    let until = state.setup().registration.until.played(rounds);
    let is_open = until.is_some_and(|until| played < until as usize || state.rounds().is_empty());
    let gone = &state.orders().gone;
    let house: Vec<PairingNumber> = state.house_players().collect();
    let mut players = (0..state.player_count()).map(PairingNumber::from_index);
    is_open && players.all(|player| gone.contains_key(&player) || house.contains(&player))
}

/// A round of the table that stands for the protocol's Swiss: "an agent whose opponent by the table is gone or absent
/// is left over too and has a bye with its score".
fn without_absent(state: &State, round: &RoundPairing, rounds: usize) -> RoundPairing {
    let out = state.out_of_round(u32::try_from(rounds + 1).expect("few rounds"));
    let is_there = |number| !out.contains_key(&number);
    let pairs = round.pairs_there(is_there);
    let broken = round.pairs.iter().filter(|pair| !pairs.contains(pair));
    let left_over = broken.flat_map(|pair| [pair.white, pair.black]);
    let byes = round.byes().chain(left_over).filter(|number| is_there(*number));
    let byes: Vec<PairingNumber> = byes.collect();
    RoundPairing::with_byes(pairs, byes)
}

/// All rounds of a format whose pairs do not depend on results; empty for any other format. In an all-play-all that
/// `"auto"` made of a Swiss, a player without an opponent has a bye; in any other format that is a free round, not a
/// bye.
pub fn table(format: TournamentFormat, written: Rounds, players: usize) -> Vec<RoundPairing> {
    let rounds = (1..=written.cycles()).flat_map(|cycle| cycle_of_table(format, written, players, cycle));
    rounds.collect()
}

/// The round that follows the first `rounds` rounds of the table.
fn round_of_table(format: TournamentFormat, written: Rounds, players: usize, rounds: usize) -> Option<RoundPairing> {
    let of_cycle = written.rounds_of_cycle(u32::try_from(players).ok()?) as usize;
    let cycle = u32::try_from(rounds.checked_div(of_cycle)? + 1).ok()?;
    if cycle > written.cycles() {
        return None;
    }
    let table = cycle_of_table(format, written, players, cycle);
    table.into_iter().nth(rounds % of_cycle)
}

fn cycle_of_table(format: TournamentFormat, written: Rounds, players: usize, cycle: u32) -> Vec<RoundPairing> {
    match (format, written) {
        (TournamentFormat::AllPlayAll, Rounds::Auto) => round_robin::berger(players),
        (TournamentFormat::AllPlayAll, _) => {
            let rounds = all_play_all::cycle(players, written.cycles(), cycle).into_iter();
            as_written(rounds.map(|round| RoundPairing::new(round.pairs, None)))
        }
        (TournamentFormat::Gauntlet, Rounds::Gauntlet { runners, .. }) => {
            as_written(gauntlet::cycle(players, runners as usize, cycle).into_iter())
        }
        _ => Vec::new(),
    }
}

/// Marks rematches in later cycles as part of the format, not as pairings for lack of others.
fn as_written(rounds: impl Iterator<Item = RoundPairing>) -> Vec<RoundPairing> {
    let mut rounds: Vec<RoundPairing> = rounds.collect();
    for pair in rounds.iter_mut().flat_map(|round| &mut round.pairs) {
        pair.repeat = false;
    }
    rounds
}
