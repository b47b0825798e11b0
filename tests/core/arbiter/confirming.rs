//! Rounds that wait for the arbiter's yes, where something comes before them that follows from the log.

use swiss_system::pairing::history::RoundPairing;
use swissmatch::game::Side;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::report::proposal::{self, Proposal};
use swissmatch::tournament::log::{Act, Entry, GameFinished};

use super::{Played, TODAY, game, setup};

/// What is shown to the arbiter to be confirmed.
fn proposed(event: &Played) -> (u32, RoundPairing) {
    match proposal::next(&event.state, TODAY).expect("a pairing") {
        Proposal::Round { paired, .. } => (paired.round, paired.pairing),
        Proposal::None(why) => panic!("{why}"),
    }
}

/// The next round as it is shown can be confirmed, and is what is paired then.
fn confirmed(event: &mut Played) {
    let (round, pairing) = proposed(event);
    let confirm = Act::Confirm {
        round,
        pairing: pairing.clone(),
    };
    event.act(confirm).expect("it is as it was shown");
    while event.state.rounds().len() < round as usize {
        assert!(event.advance().expect("a pairing"));
    }
    assert_eq!(event.state.rounds()[round as usize - 1].pairing, pairing);
}

#[test]
fn a_round_is_shown_and_confirmed_without_whom_the_rules_withdraw_before_it() {
    let keys = "[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n[faults]\nwithdraw_after = 1\n[arbiter]\n\
                confirm_rounds = true";
    let mut event = Played::new(setup("global-chess-challenge", keys, 6));
    confirmed(&mut event);
    let pair = event.state.rounds()[0].pairing.pairs[0];
    let crashed = (Outcome::BlackWins, Termination::Crash { by: Side::White });
    event.add(Entry::GameFinished(GameFinished {
        plies: 10,
        record: Some("0".repeat(64)),
        ..GameFinished::unplayed(game(1, 1, 1), [pair.white, pair.black], crashed)
    }));
    event.play();
    let (_, pairing) = proposed(&event);
    let gone = pairing
        .pairs
        .iter()
        .all(|other| ![other.white, other.black].contains(&pair.white));
    assert!(gone && pairing.bye.is_some(), "{pairing:?}");
    assert!(
        !event.state.orders().gone.contains_key(&pair.white),
        "it is not withdrawn yet"
    );
    confirmed(&mut event);
    assert!(event.state.orders().gone.contains_key(&pair.white));
}

#[test]
fn the_first_round_of_a_stage_is_confirmed_before_the_stage_begins() {
    let keys = "[event]\nname = \"Two stages\"\nstages = [{ format = \"2-SS\" }, { format = \"knockout\", top = 4 }]\n\
                [mini_match]\ngames = 2\nopenings = \"none\"\n[arbiter]\nconfirm_rounds = true";
    let mut event = Played::new(setup("global-chess-challenge", keys, 6));
    for _ in 0..2 {
        confirmed(&mut event);
        event.play();
    }
    assert!(event.state.rounds_over() == 2 && !event.state.rounds_are_over());
    confirmed(&mut event);
    assert_eq!(event.state.rounds()[2].pairing.pairs.len(), 2);
}
