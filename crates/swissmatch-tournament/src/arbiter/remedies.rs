//! Ways to go on for an event whose next round has no pairing: acts of the arbiter, each of them tried out.
//!
//! May not: carry them out.

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;

use crate::director;
use crate::ranking::standings_after;
use crate::state::State;

use super::Command;
use super::decide::decide;
use crate::log::{Act, ArbiterActed, ByeWorth};

/// The most acts of one kind that are found, and the most players tried for them.
const FOUND: usize = 3;
const TRIED: usize = 50;

/// Acts that would each give the coming round a pairing: a player who is out comes back, or someone has a bye. Players
/// at the bottom of the standings are tried first.
pub fn remedies(state: &State) -> Vec<Act> {
    if !matches!(
        state.created().format,
        TournamentFormat::Swiss | TournamentFormat::Sections
    ) {
        return Vec::new();
    }
    let done = state.rounds().len();
    let Ok(round) = u32::try_from(done + 1) else {
        return Vec::new();
    };
    let out = state.out_of_round(round);
    let listed = standings_after(state, done).rows;
    let lowest_first: Vec<PairingNumber> = listed.iter().rev().map(|row| row.player).collect();
    let gone = state.orders().gone.keys().copied();
    let back = gone.map(|player| Act::Reinstate { player });
    let there = out.keys().map(|&player| Act::Present { player, round });
    let byes = lowest_first
        .iter()
        .filter(|player| !out.contains_key(player))
        .map(|&player| Act::AwardBye {
            player,
            round,
            worth: ByeWorth::Zero,
        });
    let found = |acts: &mut dyn Iterator<Item = Act>| {
        let works = acts.take(TRIED).filter(|act| gives_a_pairing(state, act));
        works.take(FOUND).collect::<Vec<Act>>()
    };
    [
        found(&mut there.into_iter()),
        found(&mut back.into_iter()),
        found(&mut byes.into_iter()),
    ]
    .concat()
}

fn gives_a_pairing(state: &State, act: &Act) -> bool {
    let acted = ArbiterActed {
        act: act.clone(),
        by: "the arbiter".to_owned(),
        reason: "tried".to_owned(),
        overruled: Vec::new(),
    };
    let may_be_done = decide(state, &BTreeSet::new(), &Command::Act(acted.clone())).is_ok();
    let mut then = state.clone();
    may_be_done && then.apply_act(&acted).is_ok() && director::pairing_after(&then, then.rounds().len()).is_ok()
}
