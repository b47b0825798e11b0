//! Games that were interrupted: how often they are handed out again, and what the arbiter does about them.

use std::collections::BTreeSet;

use swissmatch::game::termination::Outcome;
use swissmatch::report::interruptions;
use swissmatch::tournament::log::{Act, Entry, GamesInterrupted, HowEnded};
use swissmatch::tournament::schedule::{next_for_slot, waits_for_rulings};
use swissmatch::tournament::state::BrokenLogError;

use super::{Played, game, setup};

const KILLED: HowEnded = HowEnded {
    signal: Some(9),
    exit_code: None,
};

/// Four players, two games of two; `replays` as given.
fn event(replays: &str) -> Played {
    let keys = format!("[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[run]\n{replays}\n");
    let mut event = Played::new(setup("global-chess-challenge", &keys, 4));
    assert!(event.advance().expect("a pairing"));
    event
}

fn interrupted(games: &[(u32, u32)], ended: HowEnded) -> Entry {
    let games = games.iter().map(|&(board, number)| game(1, board, number));
    Entry::Interrupted(GamesInterrupted {
        games: Some(games.collect()),
        ended,
        ..GamesInterrupted::default()
    })
}

fn unknown() -> Entry {
    Entry::Interrupted(GamesInterrupted {
        games: None,
        ..GamesInterrupted::default()
    })
}

/// All that is handed out, one after the other.
fn handed_out(event: &Played) -> Vec<(u32, u32)> {
    let mut taken = BTreeSet::new();
    while let Some(id) = next_for_slot(&event.state, &taken, &BTreeSet::new(), None) {
        taken.insert(id);
    }
    taken.into_iter().map(|id| (id.board, id.game)).collect()
}

#[test]
fn a_game_that_was_interrupted_too_often_waits_for_the_arbiter_and_the_others_are_played() {
    let mut event = event("replays = 2");
    for _ in 0..2 {
        event.add(interrupted(&[(1, 2)], KILLED));
        assert_eq!(handed_out(&event).len(), 4, "as often as the key allows");
    }
    event.add(interrupted(
        &[(1, 2), (2, 1)],
        HowEnded {
            signal: None,
            exit_code: Some(130),
        },
    ));
    assert_eq!(handed_out(&event), [(1, 1), (2, 1), (2, 2)]);
    assert!(!waits_for_rulings(&event.state), "others are due");
    event.play();
    assert!(waits_for_rulings(&event.state));
    assert!(!event.advance().expect("nothing is wrong"), "the round is not over");
    let board = event.state.mini_match(game(1, 1, 2)).expect("a board");
    let [white, black] = [board.white_of(2), board.black_of(2)].map(|player| event.state.player(player).name.clone());
    assert_eq!(interruptions::held(&event.state), [
        format!(
            "Game 1.1.2 ({white} – {black}) was interrupted 3 times, so it is not played again by itself (run.replays = 2): the runner ended with exit \
             code 130 (1 time), the runner was killed by signal 9 (2 times)."
        ),
        "`swissmatch arbiter adjudicate 1.1.2 RESULT --by NAME --reason TEXT` gives the game a result; `swissmatch arbiter replay 1.1.2 \
         --by NAME --reason TEXT` has it handed out again. With a higher run.replays the same `run` plays all of them."
            .to_owned(),
    ]);
    event
        .act(Act::Adjudicate {
            game: game(1, 1, 2),
            outcome: Outcome::Draw,
        })
        .expect("it has not ended");
    assert!(!waits_for_rulings(&event.state));
    assert!(interruptions::held(&event.state).is_empty());
    assert!(event.state.rounds_are_over());
}

#[test]
fn replayed_by_the_arbiter_its_interruptions_are_counted_anew() {
    let mut event = event("replays = 0");
    let replay = Act::Replay { game: game(1, 1, 1) };
    let early = event.act(replay.clone()).expect_err("it was not interrupted");
    assert_eq!(
        early.to_string(),
        "game 1.1.1 has not been played yet; `arbiter adjudicate` gives it a result"
    );
    event.add(interrupted(&[(1, 1)], KILLED));
    assert_eq!(handed_out(&event), [(1, 2), (2, 1), (2, 2)]);
    event.act(replay.clone()).expect("it waits for the arbiter");
    assert_eq!(handed_out(&event).len(), 4);
    event.act(replay).expect_err("it is handed out already");
    event.add(interrupted(&[(1, 1)], KILLED));
    assert_eq!(handed_out(&event).len(), 3);
    let all = event.state.interruptions(game(1, 1, 1)).expect("two");
    assert_eq!((all.causes.len(), all.counted().len()), (2, 1));
    assert!(
        event.state.orders().replayed.is_empty(),
        "it was never played to an end"
    );
}

#[test]
fn where_nobody_knows_which_games_were_open_it_counts_for_each_that_was_due() {
    let mut event = event("replays = 1");
    event.finish(game(1, 1, 1), Outcome::Draw);
    event.add(unknown());
    assert_eq!(handed_out(&event).len(), 3);
    event.add(unknown());
    assert_eq!(handed_out(&event), []);
    assert!(waits_for_rulings(&event.state));
    assert_eq!(interruptions::held(&event.state).len(), 4);
}

/// Also of a player who is gone: its games are forfeited, and need no ruling.
#[test]
fn games_of_who_is_gone_are_forfeited_all_the_same() {
    let mut event = event("replays = 0");
    event.add(unknown());
    let gone = event.state.rounds()[0].pairing.pairs[0].white;
    event
        .act(Act::Disqualify {
            player: gone,
            annul: false,
        })
        .expect("it plays");
    assert!(!waits_for_rulings(&event.state));
    event.forfeit();
    assert!(waits_for_rulings(&event.state), "the other board is left");
    assert_eq!(event.state.held_games().count(), 2);
}

#[test]
fn an_entry_that_names_what_was_not_due_is_a_broken_log() {
    let mut event = event("");
    event.finish(game(1, 1, 1), Outcome::Draw);
    for games in [
        &[(1, 1)][..],
        &[(3, 1)],
        &[(1, 3)],
        &[(1, 0)],
        &[(2, 1), (2, 1)],
        &[(2, 1), (1, 2)],
    ] {
        let mut state = event.state.clone();
        let broken = state.apply(&interrupted(games, KILLED));
        assert!(matches!(broken, Err(BrokenLogError::Interrupted(_))), "{games:?}");
    }
}

/// Where faults forfeit the rest of a mini-match, its games are played one after the other.
#[test]
fn a_game_that_waits_for_one_that_was_interrupted_too_often_waits_for_the_arbiter_too() {
    let mut event = event("replays = 0\n[faults]\nforfeit_after = 1");
    event.add(interrupted(&[(1, 1)], KILLED));
    assert_eq!(handed_out(&event), [(2, 1)]);
    event.play();
    assert_eq!(event.state.due().count(), 2);
    assert!(waits_for_rulings(&event.state));
    assert_eq!(event.state.held_games().count(), 1, "the other one is not interrupted");
    event
        .act(Act::Adjudicate {
            game: game(1, 1, 1),
            outcome: Outcome::Draw,
        })
        .expect("it has not ended");
    assert!(!waits_for_rulings(&event.state));
    assert_eq!(handed_out(&event), [(1, 2)]);
}
