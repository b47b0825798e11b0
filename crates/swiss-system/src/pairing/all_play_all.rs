//! All-play-all, once or in cycles, by the Berger tables of [`round_robin`], and `quads`.
//!
//! In every second cycle colours are reversed. For two cycles the Handbook (C.05, annex 1) recommends exchanging the
//! last two rounds of the first one, so that nobody has the same colour three times in a row. For the same reason
//! that is done in every cycle but the last; with four players in every second cycle. (`double-RR` as an event format
//! is something else: a *single* all-play-all whose rounds are two games each.)
//!
//! `quads` are sections of four by rating, each an all-play-all; a remainder of players makes the last section one of
//! five to seven, which plays a Swiss of three rounds, `3-SS`.
//!
//! The table is settled before round 1 and never changed: an absent or withdrawn player stays in it. A player whom
//! the table pairs with an absent one is *free* in that round: in no pair, and without the bye, see [`free`]. Like
//! other rounds without an opponent it is `Encounter::Absent` in the history; the event says what it is worth. The
//! bye of a round is the table's: it goes to the player who would meet the missing last number of an odd field.
//! Nobody may be entered once round 1 is paired.
//!
//! May not: look at results.

use crate::pairing::cycles;
use crate::pairing::history::{History, PairingNumber, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::meetings;
use crate::pairing::round_robin;

/// The settings that the pairing leaves to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllPlayAllRules {
    /// How often everybody meets everybody.
    pub cycles: u32,
}

impl Default for AllPlayAllRules {
    fn default() -> Self {
        Self { cycles: 1 }
    }
}

/// All rounds for this many players, with pairs in the order of the table. In every cycle but the first all pairs are
/// repeats.
pub fn schedule(players: usize, cycles: u32) -> Vec<RoundPairing> {
    let rounds = (1..=cycles).flat_map(|number| cycle(players, cycles, number));
    rounds.collect()
}

/// The rounds of one of `cycles` cycles; `number` counts from 1.
pub fn cycle(players: usize, cycles: u32, number: u32) -> Vec<RoundPairing> {
    let mut rounds = cycles::again(round_robin::berger(players), number);
    let is_exchanged = match players {
        4 => cycles > 1 && !number.is_multiple_of(2),
        _ => number < cycles,
    };
    if is_exchanged && let [.., last_but_one, last] = rounds.as_mut_slice() {
        std::mem::swap(last_but_one, last);
    }
    rounds
}

/// The pairing of the coming round: the table's for all players of the history, without the pairs of absent players.
/// Pairs are in the order of the table. A pair is a repeat if the two have met, as in every second cycle.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::NoRoundLeft`] after the last round;
/// [`NoPairingError::Forbidden`] if the table pairs two present players who may not meet: it has no other opponent
/// for them.
pub fn pair(history: &History, rules: &AllPlayAllRules) -> Result<RoundPairing, NoPairingError> {
    if meetings::present(history).is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    let rounds = schedule(history.players.len(), rules.cycles);
    let mut round = rounds
        .into_iter()
        .nth(history.rounds_paired())
        .ok_or(NoPairingError::NoRoundLeft)?;
    let present = |number: PairingNumber| history.player(number).present;
    round.pairs = round.pairs_there(present);
    round.bye = round.bye.filter(|&number| present(number));
    for pair in &mut round.pairs {
        if meetings::is_forbidden(history, pair.white, pair.black) {
            return Err(NoPairingError::Forbidden);
        }
        pair.repeat = meetings::have_met(history, pair.white, pair.black);
    }
    Ok(round)
}

/// Players who are present, but neither paired nor with the bye: their opponent by the table is absent.
pub fn free(history: &History, round: &RoundPairing) -> Vec<PairingNumber> {
    let mut busy = vec![false; history.players.len()];
    for number in round
        .pairs
        .iter()
        .flat_map(|pair| [pair.white, pair.black])
        .chain(round.bye)
    {
        busy[number.index()] = true;
    }
    let mut numbers = meetings::present(history);
    numbers.retain(|number| !busy[number.index()]);
    numbers
}

/// The format of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionFormat {
    /// Everybody meets everybody once.
    AllPlayAll,
    /// A Swiss with this many rounds.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
}

/// A part of the field that plays for itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The section's players by their place in the whole field, from 1: 1 is the highest rated of all.
    pub players: Vec<PairingNumber>,
    /// The format in which it is played.
    pub format: SectionFormat,
}

/// The number of rounds of the Swiss that a remainder plays.
const REMAINDER_ROUNDS: u32 = 3;

/// "Sections of four by rating, each an all-play-all; the remainder: 5 to 7 players play a 3-SS", for a field whose
/// numbers are in order of rating. One to three players are too few for a quad: they are one all-play-all.
pub fn quads(players: usize) -> Vec<Section> {
    let numbers: Vec<PairingNumber> = (0..players).map(PairingNumber::from_index).collect();
    let remainder = if players.is_multiple_of(4) || players < 4 {
        0
    } else {
        4 + players % 4
    };
    let (quads, last) = numbers.split_at(players - remainder);
    let quad = |players: &[PairingNumber]| Section {
        players: players.to_vec(),
        format: SectionFormat::AllPlayAll,
    };
    let swiss = (!last.is_empty()).then(|| Section {
        players: last.to_vec(),
        format: SectionFormat::Swiss {
            rounds: REMAINDER_ROUNDS,
        },
    });
    quads.chunks(4).map(quad).chain(swiss).collect()
}

#[cfg(test)]
mod tests;
