//! Pairs that an organizer asks for in a round, around any pairing system.
//!
//! If the system makes the wished pairs by itself, its round stands. Otherwise they are taken out, the system pairs
//! the others as if those two were absent, and the pairs are put back; all boards are then in the order of C.04.2,
//! article 3.6. The first named of a wished pair has White. A wish outweighs "never twice": a pair that has met
//! already is marked as a repeat. It does not outweigh a forbidden pair, which is itself a wish.
//!
//! May not: know any pairing system.

use crate::pairing::boards;
use crate::pairing::history::{History, Pair, PairingNumber, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::meetings;

/// Why a wish is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WishError {
    /// Nobody has this number.
    #[error("there is no player {0} to be paired as wished")]
    Unknown(PairingNumber),
    /// The player is not to be paired in this round.
    #[error("player {0} is absent and cannot be paired as wished")]
    Absent(PairingNumber),
    /// The player is in two wished pairs, or on both sides of one.
    #[error("player {0} would be in two forced pairs of this round")]
    Twice(PairingNumber),
    /// The pair is forbidden.
    #[error("players {0} and {1} may not meet: allow the pair before wishing for it")]
    Forbidden(PairingNumber, PairingNumber),
    /// The others cannot be paired.
    #[error(transparent)]
    Infeasible(#[from] NoPairingError),
}

/// The pairing of the coming round with these pairs (White, Black) in it, and all others paired by `pair`, which is
/// not called if nobody is left.
///
/// # Errors
/// [`WishError`] for the first wish that cannot be granted, in the order of the list; [`WishError::Infeasible`] if
/// `pair` has no answer for the others, which includes [`NoPairingError::NobodyPresent`] without any wish.
pub fn with_forced(
    history: &History,
    forced: &[(PairingNumber, PairingNumber)],
    pair: impl Fn(&History) -> Result<RoundPairing, NoPairingError>,
) -> Result<RoundPairing, WishError> {
    if forced.is_empty() {
        return Ok(pair(history)?);
    }
    let (others, mut wished) = take_out_all(history, forced)?;
    if let Some(pairing) = pair(history).ok().and_then(|round| with_colors(round, forced)) {
        return Ok(pairing);
    }
    let somebody = others.players.iter().any(|player| player.present);
    let mut pairing = if somebody {
        pair(&others)?
    } else {
        RoundPairing::default()
    };
    pairing.pairs.append(&mut wished);
    boards::sort(history, &mut pairing.pairs);
    Ok(pairing)
}

fn take_out_all(
    history: &History,
    forced: &[(PairingNumber, PairingNumber)],
) -> Result<(History, Vec<Pair>), WishError> {
    let mut others = history.clone();
    let mut wished = Vec::new();
    for &(white, black) in forced {
        for number in [white, black] {
            take_out(history, &mut others, number)?;
        }
        if meetings::is_forbidden(history, white, black) {
            return Err(WishError::Forbidden(white, black));
        }
        wished.push(Pair {
            white,
            black,
            repeat: meetings::have_met(history, white, black),
        });
    }
    Ok((others, wished))
}

/// A round with the colours that the wishes give these pairs; `None` if it does not have all of them.
fn with_colors(mut round: RoundPairing, forced: &[(PairingNumber, PairingNumber)]) -> Option<RoundPairing> {
    for &(white, black) in forced {
        let is_it = |pair: &&mut Pair| [(white, black), (black, white)].contains(&(pair.white, pair.black));
        let pair = round.pairs.iter_mut().find(is_it)?;
        (pair.white, pair.black) = (white, black);
    }
    Some(round)
}

/// Marks a player of a wished pair as absent among the others, though it takes part in the round.
fn take_out(history: &History, others: &mut History, number: PairingNumber) -> Result<(), WishError> {
    let known = (number.0 as usize).checked_sub(1);
    let player = known.and_then(|index| others.players.get_mut(index));
    let player = player.ok_or(WishError::Unknown(number))?;
    if !history.player(number).present {
        return Err(WishError::Absent(number));
    }
    if !std::mem::replace(&mut player.present, false) {
        return Err(WishError::Twice(number));
    }
    others.paired_apart.push(number);
    Ok(())
}

#[cfg(test)]
mod tests;
