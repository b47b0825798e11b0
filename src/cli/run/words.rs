//! What a run says at its end: why it cannot go on, and how it goes on.
//!
//! May not: change the run.

use anyhow::anyhow;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::escaped;

use swissmatch_host::roles;
use swissmatch_report::explain;
use swissmatch_tournament::arbiter::remedies::remedies;
use swissmatch_tournament::director::{Coming, NoPairingError};
use swissmatch_tournament::log::Act;
use swissmatch_tournament::state::State;
use swissmatch_tournament::{director, presence};

/// Why an event ends before its last round: with the names of the numbers that are mentioned.
pub(super) fn no_pairing(state: &State, why: &NoPairingError) -> anyhow::Error {
    let round = state.rounds().len() + 1;
    let players = match why {
        NoPairingError::NoLegalPairing(deadlock) => deadlock.players(),
        NoPairingError::Undecided { one, other } => vec![*one, *other],
        _ => Vec::new(),
    };
    // Of an event of several parts, the part that cannot be paired: numbers are its own.
    let stuck = state.is_divided().then(|| director::unpaired_part(state)).flatten();
    let named = stuck.as_ref().map_or(state, |(_, own)| own);
    let part = stuck.as_ref().map_or_else(String::new, |(part, _)| format!("{part}: "));
    let names: Vec<String> = players.iter().map(|&number| explain::called(named, number)).collect();
    let names = if names.is_empty() {
        String::new()
    } else {
        format!(" (players: {})", names.join(", "))
    };
    let others = match why {
        NoPairingError::NobodyPresent => {
            " Registration is open: `swissmatch arbiter enter PLAYER.toml --reason …` takes a late entry."
        }
        _ => "",
    };
    anyhow!(
        "round {round} of {}: {part}{why}{names}.{others} {}",
        state.created().rounds,
        way_out(state)
    )
}

/// The acts that would allow a pairing, and the one that ends the event.
fn way_out(state: &State) -> String {
    let done = state.rounds().len();
    let called = |player: PairingNumber| format!("{player}");
    let command = |act: &Act| match act {
        Act::Present { player, round } => Some(format!("present {} --round {round}", called(*player))),
        Act::Reinstate { player } => Some(format!("reinstate {}", called(*player))),
        Act::AwardBye { player, round, .. } => Some(format!(
            "award-bye {} --round {round} --points zero|half|full",
            called(*player)
        )),
        _ => None,
    };
    let found: Vec<String> = remedies(state)
        .iter()
        .filter_map(command)
        .map(|words| format!("`swissmatch arbiter {words} --reason …`"))
        .collect();
    let allow = match found.as_slice() {
        [] => "No single act of the arbiter gives it a pairing".to_owned(),
        [one] => format!("{one} allows a pairing"),
        several => format!("Any of these allows a pairing: {}", several.join(", ")),
    };
    match done {
        0 => format!("{allow}; or play the event again with other rules"),
        _ => format!(
            "{allow}; `swissmatch arbiter end --reason …` ends the event with the {} it has, and play-offs and prizes \
             follow. Then the same command continues: swissmatch {}",
            count::of(done, "round", "rounds"),
            again()
        ),
    }
}

/// That the event is paused, by whom and why; `None` where it is not.
pub(in crate::cli) fn playing_is_held(state: &State) -> Option<String> {
    let (by, reason) = state.orders().paused.as_ref()?;
    let (by, reason) = (escaped(by), escaped(reason));
    Some(format!(
        "The event is paused, by {by}: {reason}. `swissmatch arbiter resume` lets it go on."
    ))
}

/// What is to be said of a round whose pairing waits for the arbiter's yes.
pub(in crate::cli) fn waits_for_a_yes(state: &State) -> Option<String> {
    let Coming::Round(round) = director::coming(state) else {
        return None;
    };
    let orders = state.orders();
    let is_confirmed = orders.confirmed.as_ref().is_some_and(|(of, _)| *of == round);
    let waits = state.setup().arbiter.confirm_rounds && orders.paused.is_none() && !is_confirmed;
    (waits && !presence::is_to_be_checked(state, round)).then(|| {
        format!(
            "Round {round} waits to be confirmed: `swissmatch arbiter pairing` shows its pairing, `swissmatch arbiter confirm` gives it."
        )
    })
}

/// The command line after `run`, for the sentence that says how to go on; without `--fresh`, which would start anew.
pub(super) fn again() -> String {
    let words = roles::arguments().map(|word| word.to_string_lossy().into_owned());
    let plain = |word: &String| word.chars().all(|c| c.is_alphanumeric() || "_./=:,+-".contains(c));
    let quoted = |word: String| {
        if plain(&word) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    words
        .filter(|word| word != "--fresh")
        .map(quoted)
        .collect::<Vec<_>>()
        .join(" ")
}
