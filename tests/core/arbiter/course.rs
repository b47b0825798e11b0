//! How the event goes on: pauses, and ends of a runner.

use swissmatch::tournament::arbiter::decide::ActError;
use swissmatch::tournament::log::Act;

use super::{Played, setup};

/// Also while the run is stopped between two rounds: then the next round is meant.
#[test]
fn the_runner_stops_after_the_round_that_is_played_or_the_next_one() {
    let mut event = Played::new(setup(
        "none",
        "[swiss]\nrounds = 3\n[mini_match]\ngames = 2\nopenings = \"none\"\n",
        4,
    ));
    let order = |event: &mut Played, round: usize| {
        let said = Act::StopAfterRound.takes_effect(&event.state);
        assert_eq!(said, format!("The runner ends when round {round} is over."));
        event.act(Act::StopAfterRound).expect("it is not over");
        assert_eq!(event.state.orders().stop_after, Some(round));
        assert!(matches!(event.act(Act::StopAfterRound), Err(ActError::Already(_))));
    };
    order(&mut event, 1);
    assert!(event.advance().expect("a pairing"));
    event.play();
    order(&mut event, 2);
    assert!(event.advance().expect("a pairing"));
    event.play();
    order(&mut event, 3);
    assert!(event.advance().expect("a pairing"));
    event.play();
    assert!(event.act(Act::StopAfterRound).is_err(), "the event is over");
}
