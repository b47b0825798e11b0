//! Who leaves while a round is played.

use std::collections::BTreeSet;

use swissmatch::game::Side;
use swissmatch::game::termination::{Outcome, Termination};
use swissmatch::tournament::arbiter::Command;
use swissmatch::tournament::arbiter::decide::decide;
use swissmatch::tournament::log::{Act, ArbiterActed, Entry, GameFinished};
use swissmatch::tournament::ranking::standings_after;
use swissmatch::tournament::schedule;

use super::{NoPairingError, Played, entry, game, player, setup};

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

/// A wins all, B beats C and D, C beats D.
fn played(keys: &str) -> Played {
    let keys = format!(
        "[swiss]\nrounds = 3\npairing = \"dutch\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
         [standings]\norder = [\"match-points\", \"BH\"]\n{keys}"
    );
    let mut event = Played::new(setup("none", &keys, 4));
    for _ in 0..3 {
        event.round();
    }
    event
}

fn disqualify(annul: bool) -> Act {
    Act::Disqualify {
        player: player(1),
        annul,
    }
}

/// Names with match points and Buchholz, the best first.
fn table(event: &Played) -> Vec<String> {
    let rows = standings_after(&event.state, event.state.rounds().len()).rows;
    let row = |row: &swiss_system::standings::StandingsRow| {
        let value = |cell: usize| row.cells[cell].value.expect("everybody has it").to_string();
        let name = &event.state.player(row.player).name;
        format!("{name} {} {}", value(0), value(1))
    };
    rows.iter().map(row).collect()
}

#[test]
fn a_disqualification_after_the_end_does_what_the_key_says() {
    let off_the_list = ["B 2 4", "C 1 5", "D 0 6"];
    let annulled = ["B 2 1", "C 1 2", "D 0 3"];
    for (keys, expected) in [
        ("disqualified = \"annulled\"\n", annulled),
        ("disqualified = \"off-the-list\"\n", off_the_list),
        ("", off_the_list),
    ] {
        let mut event = played(keys);
        event.act(disqualify(false)).expect("it is there");
        assert_eq!(table(&event), expected, "{keys}");
        let is_annulled = expected == annulled;
        let Some(Entry::Acted(acted)) = event.log.last() else {
            panic!("the act is the last entry");
        };
        assert_eq!(acted.act, disqualify(is_annulled), "the act says it by itself");
        assert_eq!(event.act(disqualify(true)).is_err(), is_annulled, "{keys}");
        assert_eq!(table(&event), annulled);
        event.act(Act::Reinstate { player: player(1) }).expect("it is out");
        assert_eq!(table(&event)[0], "A 3 3");
    }
}

/// Before the end it is for the arbiter to say, by `--annul`.
#[test]
fn a_disqualification_before_the_end_annuls_nothing_by_itself() {
    let keys = "[swiss]\nrounds = 2\n[mini_match]\ngames = 2\n[standings]\ndisqualified = \"annulled\"\n";
    let mut event = Played::new(setup("none", keys, 4));
    event.round();
    event.act(disqualify(false)).expect("it is there");
    assert!(!event.state.orders().is_annulled(player(1)));
}

/// Acts of older logs mean what they meant, and are still acts that could be done.
#[test]
fn a_disqualification_that_a_log_has_is_not_read_otherwise() {
    let event = played("disqualified = \"annulled\"\n");
    let acted = ArbiterActed {
        act: disqualify(false),
        by: "the arbiter".to_owned(),
        reason: "a test".to_owned(),
        overruled: Vec::new(),
    };
    assert!(decide(&event.state, &BTreeSet::new(), &Command::Act(acted.clone())).is_ok());
    let mut older = event;
    older.add(Entry::Acted(Box::new(acted)));
    assert_eq!(table(&older), ["B 2 4", "C 1 5", "D 0 6"]);
}

/// "If a player has completed less than 50 % of the games …" (C.05, art. 6.6): the arbiter is told, in a round robin alone.
#[test]
fn who_leaves_a_round_robin_before_half_of_its_games_is_told_of() {
    for (rounds, after, early) in [("\"RR\"", 1, true), ("\"RR\"", 2, false), ("3", 1, false)] {
        let keys =
            format!("[swiss]\nrounds = {rounds}\npairing = \"dutch\"\n[mini_match]\ngames = 2\nopenings = \"none\"\n");
        let mut event = Played::new(setup("none", &keys, 4));
        for _ in 0..after {
            event.round();
        }
        for leave in [Act::Withdraw { player: player(2) }, disqualify(false)] {
            let said = leave.takes_effect(&event.state);
            assert_eq!(said.contains("fewer than half"), early, "{rounds} {after}: {said}");
            assert_eq!(said.contains("--annul"), early, "{said}");
        }
        assert!(!disqualify(true).takes_effect(&event.state).contains("fewer than half"));
    }
}

/// Where all have left the event goes to its end, or waits for who may still enter.
#[test]
fn an_event_that_all_have_left_ends_where_nobody_may_enter() {
    for (until, waits) in [("\"closed\"", false), ("1", false), ("2", true)] {
        let keys = format!(
            "[swiss]\nrounds = 3\npairing = \"dutch\"\n[registration]\nuntil = {until}\n[mini_match]\ngames = 2\nopenings = \"none\"\n"
        );
        let mut event = Played::new(setup("none", &keys, 4));
        event.round();
        for number in 1..=4 {
            let leaves = Act::Withdraw { player: player(number) };
            event.act(leaves).expect("it is there");
        }
        match waits {
            true => {
                assert_eq!(event.advance(), Err(NoPairingError::NobodyPresent), "{until}");
                let enters = entry(event.state.setup(), "E");
                event.act(enters).expect("registration is open");
                event.round();
            }
            false => while event.advance().expect("a round without anybody") {},
        }
        assert_eq!(event.state.rounds().len(), if waits { 2 } else { 3 }, "{until}");
    }
}

/// Whose agent did not start in so many games is not paired on, until the arbiter takes it in again. A game that it forfeits for that counts,
/// one that the arbiter annulled does not.
#[test]
fn whose_agent_does_not_start_is_withdrawn_and_may_be_taken_in_again() {
    let keys = "[swiss]\nrounds = 3\n[mini_match]\ngames = 2\nopenings = \"none\"\n[faults]\nunpaired_after = 2";
    for is_annulled in [false, true] {
        let mut event = Played::new(setup("none", keys, 4));
        assert!(event.advance().expect("a pairing"));
        let pair = event.state.rounds()[0].pairing.pairs[0];
        let lazy = pair.white;
        event.add(Entry::GameFinished(GameFinished {
            record: Some("0".repeat(64)),
            ..GameFinished::unplayed(
                game(1, 1, 1),
                [pair.white, pair.black],
                Termination::not_started([false, true]),
            )
        }));
        event.play();
        if is_annulled {
            event.act(Act::Void { game: game(1, 1, 2) }).expect("it has ended");
        }
        assert!(event.advance().expect("a withdrawal or a pairing"));
        assert_eq!(event.state.orders().gone.contains_key(&lazy), !is_annulled);
        if is_annulled {
            continue;
        }
        event.round();
        let in_round = |event: &Played, round: usize| {
            let pairing = &event.state.rounds()[round].pairing;
            let paired = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
            paired.chain(pairing.byes()).any(|player| player == lazy)
        };
        assert!(!in_round(&event, 1), "neither paired nor left over");
        event.act(Act::Reinstate { player: lazy }).expect("it is out");
        event.round();
        assert!(in_round(&event, 2), "the rules leave it in");
        assert_eq!(event.points().len(), 4, "it stays in the standings");
    }
}

/// A mini-match in which both agents failed: an unplayed round of both, as one that both forfeit, which gives no points.
#[test]
fn a_void_mini_match_is_an_unplayed_round_of_both() {
    let after = |both_failed: &str, loss: &str| {
        let keys = format!(
            "[swiss]\nrounds = 3\n[mini_match]\ngames = 2\nopenings = \"none\"\n[faults]\nboth_failed = \"{both_failed}\"\n\
             [scoring]\nmatch = [1, 0.5, {loss}]\n[standings]\norder = [\"match-points\", \"BH\", \"SB\"]"
        );
        let mut event = Played::new(setup("none", &keys, 6));
        assert!(event.advance().expect("a pairing"));
        let pair = event.state.rounds()[0].pairing.pairs[0];
        let ended = event
            .state
            .setup()
            .faults
            .both_failed
            .applied(Termination::not_started([false; 2]));
        event.add(Entry::GameFinished(GameFinished {
            record: Some("0".repeat(64)),
            ..GameFinished::unplayed(game(1, 1, 1), [pair.white, pair.black], ended)
        }));
        let forfeited = schedule::forfeits(&event.state, &BTreeSet::new());
        assert_eq!(forfeited.iter().map(|game| game.outcome).collect::<Vec<_>>(), [ended.0]);
        event.play();
        let of_round_1 = event.points();
        event.round();
        event.round();
        let rows = standings_after(&event.state, 3).rows;
        let rows: Vec<_> = rows
            .into_iter()
            .map(|row| (row.player, row.points, row.cells))
            .collect();
        (of_round_1, rows)
    };
    // Where a loss gives nothing there is no difference for points and tie-breaks.
    assert_eq!(after("void", "0").1, after("lost", "0").1);
    let points = |both_failed| {
        let (points, _) = after(both_failed, "0.25");
        points.iter().map(|(_, points)| points.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(points("lost"), ["1", "1", "0.25", "0.25", "0.25", "0.25"]);
    assert_eq!(points("void"), ["1", "1", "0.25", "0.25", "0", "0"]);
}
