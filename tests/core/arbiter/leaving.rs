//! Who leaves while a round is played.

use std::collections::BTreeSet;

use swissmatch::game::Side;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::log::{Act, GameFinished};
use swissmatch::tournament::schedule;

use super::{Played, player, setup};

/// Whoever leaves while a round is played begins no further game in it, and begins again when it is back.
#[test]
fn who_leaves_forfeits_what_it_has_not_begun() {
    let leaves = [
        Act::Withdraw { player: player(1) },
        Act::Disqualify {
            player: player(1),
            annul: false,
        },
    ];
    for leave in leaves {
        let mut event = Played::new(setup("none", "[swiss]\nrounds = 2\n[mini_match]\ngames = 4\n", 4));
        assert!(event.advance().expect("a pairing"));
        let nothing = BTreeSet::new();
        assert_eq!(schedule::forfeits(&event.state, &nothing), []);
        let said = leave.takes_effect(&event.state);
        assert!(said.ends_with(" Games that have not begun are forfeited."), "{said}");
        event.act(leave).expect("a round is being played");
        let forfeits = schedule::forfeits(&event.state, &nothing);
        assert_eq!(forfeits.len(), 4);
        let lost = |game: &GameFinished| {
            let by = if game.white == player(1) {
                Side::White
            } else {
                Side::Black
            };
            (game.termination, game.outcome) == (Termination::DidNotCome { by }, Outcome::win(by.other()))
        };
        assert!(forfeits.iter().all(lost), "{forfeits:?}");
        // What is being played is finished.
        let playing = BTreeSet::from([forfeits[0].id]);
        assert_eq!(schedule::forfeits(&event.state, &playing), forfeits[1..]);
        let mut next = schedule::next_for_slot(&event.state, &nothing, &nothing, None);
        assert_ne!(next.take().expect("the other board").board, forfeits[0].id.board);
        event.act(Act::Reinstate { player: player(1) }).expect("it is out");
        assert_eq!(schedule::forfeits(&event.state, &nothing), []);
    }
}
