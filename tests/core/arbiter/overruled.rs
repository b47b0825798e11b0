//! Limits that the arbiter overrules: what is done then, what is said of it, and what stays refused.

use swissmatch::report::minutes;
use swissmatch::tournament::log::{Act, Entry, Limit};
use swissmatch::tournament::state::State;

use super::{Played, entry, player, setup};

fn swiss(rounds: u32, more: &str, players: usize) -> Played {
    let keys = format!("[swiss]\nrounds = {rounds}\n{more}[mini_match]\ngames = 1\nopenings = \"none\"\n");
    Played::new(setup("global-chess-challenge", &keys, players))
}

/// What the minutes say was done, each act once.
fn done(event: &Played) -> Vec<String> {
    let logged: Vec<_> = event.log.iter().map(|entry| ("", entry)).collect();
    let minutes = minutes::of_log(&logged).expect("an event");
    minutes.into_iter().map(|minute| minute.what).collect()
}

/// Refused without `--overrule`, which the refusal names; done with it, and read back from the log as it was.
fn only_overruled(event: &mut Played, act: &Act, refused: &str, limits: &[Limit]) {
    let said = event.act(act.clone()).expect_err("a limit is against it").to_string();
    assert_eq!(said, format!("{refused}; `--overrule` does it anyway"));
    event.overrule(act.clone()).expect("the limit is overruled");
    let Some(Entry::Acted(acted)) = event.log.last() else {
        panic!("an act");
    };
    assert_eq!(acted.overruled, limits);
    let stored = serde_json::to_string(&event.log).expect("plain data");
    let read: Vec<Entry> = serde_json::from_str(&stored).expect("as it was stored");
    assert_eq!(State::fold(&read).as_ref(), Ok(&event.state));
}

#[test]
fn a_late_entry_after_registration_was_closed() {
    let mut event = swiss(3, "", 4);
    event.round();
    let late = entry(event.state.setup(), "Late");
    let closed = "registration is closed: registration.until allows no late entries";
    only_overruled(&mut event, &late, closed, &[Limit::Registration]);
    event.round();
    assert!(event.paired(2).contains(&player(5)));
    assert_eq!(done(&event), ["entered Late, and overruled registration.until"]);
    event.round();
    let too_late = entry(event.state.setup(), "Too late");
    let refused = event.overrule(too_late).expect_err("no round is left").to_string();
    assert_eq!(refused, "all rounds are already paired");
}

#[test]
fn a_bye_beyond_the_limit() {
    let mut event = swiss(4, "[bye]\nrequests = [{ rounds = 5, byes = 1 }]\n", 4);
    let ask = |round| Act::RequestBye {
        player: player(2),
        round,
    };
    event.act(ask(2)).expect("one is allowed");
    let refused = "B (2) has asked for 1 bye, and bye.requests allows 1";
    only_overruled(&mut event, &ask(3), refused, &[Limit::ByeRequests]);
    for _ in 0..3 {
        event.round();
    }
    assert!(!event.paired(3).contains(&player(2)));
    assert_eq!(
        done(&event),
        [
            "accepted the request of B (2) for a half-point bye in round 2",
            "accepted the request of B (2) for a half-point bye in round 3, and overruled bye.requests"
        ]
    );
    let paired = event.overrule(ask(3)).expect_err("it is paired").to_string();
    assert_eq!(paired, "round 3 has already been paired");
}

#[test]
fn a_pair_that_is_kept_apart() {
    let mut event = swiss(3, "forbidden = [[\"A\", \"B\"]]\n", 6);
    let force = |white, black| Act::Force {
        white: player(white),
        black: player(black),
        round: 1,
    };
    event
        .act(Act::Forbid {
            one: player(3),
            other: player(4),
            round: 1,
        })
        .expect("the coming round");
    let kept = "D (4) and C (3) are kept apart in round 1 by an earlier `forbid`";
    only_overruled(&mut event, &force(4, 3), kept, &[Limit::Forbid]);
    let kept = "A (1) and B (2) are kept apart by the event (swiss.keep_apart, swiss.forbidden)";
    only_overruled(&mut event, &force(1, 2), kept, &[Limit::KeptApart]);
    let again = event.overrule(force(1, 3)).expect_err("it is paired").to_string();
    assert!(!again.contains("--overrule"), "{again}");
    event.round();
    let pairs = &event.state.rounds()[0].pairing.pairs;
    let pairs: Vec<_> = pairs.iter().map(|pair| (pair.white.0, pair.black.0)).collect();
    assert_eq!(pairs, [(1, 2), (4, 3), (5, 6)]);
    assert_eq!(
        done(&event)[1..],
        [
            "paired D (4) – C (3) in round 1, and overruled an earlier `forbid` of the two",
            "paired A (1) – B (2) in round 1, and overruled what the event keeps apart (swiss.keep_apart, swiss.forbidden)"
        ]
    );
    // For that round alone.
    event.round();
    assert!(
        !event.state.rounds()[1]
            .pairing
            .pairs
            .iter()
            .any(|pair| [pair.white.0, pair.black.0] == [1, 2])
    );
}

#[test]
fn nothing_is_overruled_in_vain() {
    let mut event = swiss(3, "", 4);
    let refused = event.act_overruling(Act::Pause, vec![Limit::ByeRequests]);
    assert_eq!(
        refused.expect_err("no bye is asked for").to_string(),
        "bye.requests does not stand in the way: there is nothing to overrule"
    );
    event.overrule(Act::Pause).expect("no limit is against it");
    assert_eq!(done(&event), ["paused the event"]);
}
