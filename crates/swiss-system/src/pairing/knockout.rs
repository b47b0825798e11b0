//! Knockout: losers are out, and the last one left has won.
//!
//! The draw is fixed by pairing number before round 1. It is the standard bracket, in which the best two can meet
//! only in the final, the best four only from the semi-finals on, and so on, with 1 at the top against the last of
//! them, and 2 at the bottom. Its size is the next power of two; numbers that nobody has leave empty places, so that
//! the top seeds are *free* in round 1 and go through it without play. Everybody in the history has a place in the
//! draw, present or not; so nobody may be entered once round 1 is paired.
//!
//! The winner of a tie is read from the history. Of two who were paired, it is the one with more points in that
//! round. If that decides nothing (equal points, or not paired because somebody was absent), it is the one who was
//! paired again in a later round, and so is through; else the only one who is present; nobody, if both are absent.
//! Two who are present and level are undecided: they have to be played off, or an organizer has to decide, so that
//! the points of that round differ. A player who is absent when a round is paired is out, and its opponent is free in
//! that round; the event must not let it come back.
//!
//! If the event says so, the two who lost in the semi-finals meet once more, in the last round, after the final: a
//! match for third place. It needs two losers who are there, so four players or more. It decides nothing in the
//! bracket, but the loser of a semi-final that was level plays on as its winner does: its points must tell the two
//! apart.
//!
//! White goes to the one whose Whites exceed its Blacks by less; then by alternation to the latest time when one of the
//! two had White and the other Black; then by alternation to the last colour of the better seed, then of the other;
//! then to the better seed by the initial colour if its pairing number is odd, else to its opponent.
//!
//! May not: know what points were given for, or the names of players; seed by anything but the pairing number.

use crate::pairing::colors;
use crate::pairing::colors::ColorSequence;
use crate::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, PastRound, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::meetings;

/// The settings that the pairing leaves to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnockoutRules {
    /// The colour of odd pairing numbers if neither of two players has played.
    pub initial_color: FirstColor,
    /// True if the losers of the semi-finals meet beside the final.
    pub match_for_third: bool,
}

/// The number of rounds of a knockout with this many players: none for one or nobody.
pub const fn rounds(players: usize) -> u32 {
    if players == 0 {
        return 0;
    }
    players.next_power_of_two().trailing_zeros()
}

/// The pairing of the coming round, in the order of the bracket from top to bottom; after the final, the match for
/// third place. It has no bye: a player who is still in but in no pair is free and goes through, see [`through`].
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::Undecided`] while a tie of the last round is level;
/// [`NoPairingError::NoRoundLeft`] after the final; [`NoPairingError::Forbidden`] if two who have to meet may not.
///
/// # Panics
/// When a player has fewer rounds in the history than the others.
pub fn pair(history: &History, rules: &KnockoutRules) -> Result<RoundPairing, NoPairingError> {
    if meetings::present(history).is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    let places = through(history)?;
    let mut pairing = RoundPairing::default();
    if places.len() <= 1 {
        return Err(NoPairingError::NoRoundLeft);
    }
    let still_here = |place: Option<PairingNumber>| place.filter(|&number| history.player(number).present);
    let mut ties: Vec<[Option<PairingNumber>; 2]> = places.chunks(2).map(|tie| [tie[0], tie[1]]).collect();
    if rules.match_for_third && ties.len() == 1 {
        ties.extend(losers_of_semi_finals(history, &places)?);
    }
    for tie in ties {
        if let (Some(one), Some(other)) = (still_here(tie[0]), still_here(tie[1])) {
            if meetings::is_forbidden(history, one, other) {
                return Err(NoPairingError::Forbidden);
            }
            pairing
                .pairs
                .push(seated(history, rules, one.min(other), one.max(other)));
        }
    }
    Ok(pairing)
}

/// The players who have come through all rounds so far, by place in the bracket from top to bottom; `None` is an
/// empty place. Neighbours (first and second, third and fourth, …) meet next. One place is left after the final: the
/// winner's.
///
/// # Errors
/// [`NoPairingError::Undecided`] for the first tie that is level.
///
/// # Panics
/// When a player has fewer rounds in the history than the others.
pub fn through(history: &History) -> Result<Vec<Option<PairingNumber>>, NoPairingError> {
    through_first(history, history.rounds_paired())
}

/// Like [`through`], but after this many rounds.
fn through_first(history: &History, rounds_paired: usize) -> Result<Vec<Option<PairingNumber>>, NoPairingError> {
    let players = history.players.len();
    let mut places: Vec<Option<PairingNumber>> = draw(rounds(players))
        .into_iter()
        .map(|index| (index < players).then(|| PairingNumber::from_index(index)))
        .collect();
    for round in 0..rounds_paired {
        if places.len() == 1 {
            break;
        }
        let ties = places.chunks(2).map(|tie| winner(history, round, tie[0], tie[1]));
        places = ties.collect::<Result<_, _>>()?;
    }
    Ok(places)
}

/// The losers of the semi-finals that these two won; `None` if there were no semi-finals.
fn losers_of_semi_finals(
    history: &History,
    finalists: &[Option<PairingNumber>],
) -> Result<Option<[Option<PairingNumber>; 2]>, NoPairingError> {
    let Some(before) = history.rounds_paired().checked_sub(1) else {
        return Ok(None);
    };
    let semi_finalists = through_first(history, before)?;
    let loser = |tie: usize| {
        let mut of_tie = semi_finalists[2 * tie..].iter().take(2).copied();
        of_tie.find(|place| *place != finalists[tie]).flatten()
    };
    Ok(Some([loser(0), loser(1)]))
}

/// The bracket of 2^`rounds` seeds, from 0, from top to bottom. It grows from the final backwards: in each earlier
/// round every seed gets an opponent out of those that are new, the best the worst. In every other tie the better seed
/// stands below, so that 1 is at the top and 2 at the bottom.
fn draw(rounds: u32) -> Vec<usize> {
    let mut seeds = vec![0];
    for _ in 0..rounds {
        let last = 2 * seeds.len() - 1;
        let pair = |(at, seed): (usize, usize)| {
            if at.is_multiple_of(2) {
                [seed, last - seed]
            } else {
                [last - seed, seed]
            }
        };
        seeds = seeds.into_iter().enumerate().flat_map(pair).collect();
    }
    seeds
}

/// The one of two neighbours who goes through a round (from 0).
fn winner(
    history: &History,
    round: usize,
    one: Option<PairingNumber>,
    other: Option<PairingNumber>,
) -> Result<Option<PairingNumber>, NoPairingError> {
    let (Some(one), Some(other)) = (one, other) else {
        return Ok(one.or(other));
    };
    let of_round = |number: PairingNumber| history.player(number).rounds[round];
    let points = |number| of_round(number).points;
    let present = |number| history.player(number).present;
    if paired_with(of_round(one), other) && points(one) != points(other) {
        return Ok(Some(if points(one) > points(other) { one } else { other }));
    }
    let went_on = |number| {
        let mut later = history.player(number).rounds[round + 1..].iter();
        later.any(|round| matches!(round.encounter, Encounter::Met { .. } | Encounter::Forfeit { .. }))
    };
    if let Some(through) = [one, other].into_iter().find(|&number| went_on(number)) {
        return Ok(Some(through));
    }
    match (present(one), present(other)) {
        (true, true) => Err(NoPairingError::Undecided {
            one: one.min(other),
            other: one.max(other),
        }),
        (true, false) => Ok(Some(one)),
        (false, true) => Ok(Some(other)),
        (false, false) => Ok(None),
    }
}

fn paired_with(round: PastRound, number: PairingNumber) -> bool {
    match round.encounter {
        Encounter::Met { opponent, .. } | Encounter::Forfeit { opponent } => opponent == number,
        Encounter::PairingAllocatedBye | Encounter::Absent => false,
    }
}

/// The board of two players, with colours.
fn seated(history: &History, rules: &KnockoutRules, better: PairingNumber, worse: PairingNumber) -> Pair {
    let [colors, theirs] = [better, worse].map(|number| ColorSequence::had_by(history.player(number)));
    let color = colors.equalised(&theirs, colors::first_color(better, rules.initial_color));
    colors::seated(better, color, worse, meetings::have_met(history, better, worse))
}

#[cfg(test)]
mod tests;
