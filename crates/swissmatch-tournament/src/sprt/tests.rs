//! Which games count when; that the verdict does not depend on the order in which games end.

use proptest::prelude::*;
use swiss_system::pairing::history::{Pair, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;

use super::*;
use crate::log::{Agent, Entry, GameFinished, LOG_VERSION, RoundPaired, RunCreated, Suite};
use crate::setup::{PlayerKeys, Rounds, Setup};
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Termination;
use swissmatch_stats::sprt::{Decimal, Verdict};

const GAMES: u32 = 60;

fn created(change: impl FnOnce(&mut Setup)) -> Entry {
    let mut setup = Setup::default();
    for name in ["New", "Old"] {
        setup.players.push(PlayerKeys {
            name: name.to_owned(),
            ..PlayerKeys::default()
        });
    }
    setup.swiss.rounds = Rounds::AllPlayAll { cycles: 1 };
    setup.mini_match.games = GAMES;
    setup.sprt.elo0 = Some(Decimal::from_millionths(0));
    setup.sprt.elo1 = Some(Decimal::from_millionths(100_000_000));
    change(&mut setup);
    let agent = || Agent::default();
    Entry::Created(Box::new(RunCreated {
        log_version: LOG_VERSION,
        software: String::new(),
        setup,
        rounds: 1,
        format: TournamentFormat::AllPlayAll,
        // The first player of the file has the pairing number 2.
        order: vec![1, 0],
        agents: vec![agent(), agent()],
        openings: Suite {
            source: String::new(),
            sha256: None,
            count: 0,
        },
        tour: None,
        machine: None,
    }))
}

/// A match of two that is to begin; the first player of the file has the pairing number 2.
pub(crate) fn state(change: impl FnOnce(&mut Setup)) -> State {
    let [white, black] = [1, 2].map(PairingNumber);
    let pair = Pair {
        white,
        black,
        repeat: false,
    };
    let paired = Entry::RoundPaired(RoundPaired {
        round: 1,
        pairing: RoundPairing::new(vec![pair], None),
        day: jiff::civil::Date::ZERO,
        starts: None,
    });
    State::fold(&[created(change), paired]).expect("a log")
}

/// A game, by what it gave the first player of the file.
pub(crate) fn game(number: u32, score: Score, termination: Termination) -> Entry {
    let id = GameId {
        round: 1,
        playoff: 0,
        board: 1,
        game: number,
    };
    let players = if number % 2 == 1 { [1, 2] } else { [2, 1] }.map(PairingNumber);
    let side = if players[0] == PairingNumber(2) {
        Side::White
    } else {
        Side::Black
    };
    let outcome = match score {
        Score::Win => Outcome::win(side),
        Score::Draw => Outcome::Draw,
        Score::Loss => Outcome::win(side.other()),
    };
    Entry::GameFinished(GameFinished {
        record: Some("0".repeat(64)),
        ..GameFinished::unplayed(id, players, (outcome, termination))
    })
}

fn ended(score: Score) -> Termination {
    match score {
        Score::Draw => Termination::Stalemate,
        Score::Win | Score::Loss => Termination::Checkmate,
    }
}

#[test]
fn pairs_count_when_all_before_them_are_there() {
    let mut state = state(|_| {});
    for number in [1, 3, 4] {
        state
            .apply(&game(number, Score::Win, Termination::Checkmate))
            .expect("it is due");
    }
    let mut test = Test::of(&state).expect("a test");
    test.go_on(&state, |_| {});
    assert_eq!((test.tally.after, test.tally.pairs), (0, Pairs::NONE));
    state
        .apply(&game(2, Score::Draw, Termination::Stalemate))
        .expect("it is due");
    test.go_on(&state, |_| {});
    let pairs = Pairs {
        wd: 1,
        ww: 1,
        ..Pairs::NONE
    };
    assert_eq!((test.tally.after, test.tally.pairs), (2, pairs));
    assert_eq!(test.tally.games, pairs.games());
    assert_eq!(test_of(&state), Some(test));
}

#[test]
fn faults_count_or_are_left_out_with_their_pairs() {
    for (faults, pairs) in [(Faulty::Count, 2), (Faulty::LeaveOut, 1)] {
        let mut state = state(|setup| setup.sprt.faults = faults);
        let of = |number, termination| game(number, Score::Win, termination);
        // The first player has Black in game 1.
        let crash = Termination::Crash { by: Side::White };
        for entry in [
            of(1, crash),
            of(2, Termination::Checkmate),
            of(3, Termination::Checkmate),
            of(4, Termination::Checkmate),
        ] {
            state.apply(&entry).expect("it is due");
        }
        let test = test_of(&state).expect("a test");
        assert_eq!((test.tally.after, test.tally.pairs.count()), (2, pairs), "{faults:?}");
        // The second player has withdrawn.
        for (number, absent) in [(5, Side::White), (6, Side::Black)] {
            let forfeited = of(number, Termination::DidNotCome { by: absent });
            state.apply(&forfeited).expect("it is due");
        }
        let counted = match faults {
            Faulty::Count => 3,
            Faulty::LeaveOut => 1,
        };
        let test = test_of(&state).expect("a test");
        assert_eq!((test.tally.after, test.tally.pairs.count()), (3, counted), "{faults:?}");
    }
}

#[test]
fn after_the_verdict_nothing_is_due_and_what_was_being_played_may_end() {
    let mut state = state(|_| {});
    let mut number = 0;
    let decided = loop {
        number += 1;
        state
            .apply(&game(number, Score::Win, Termination::Checkmate))
            .expect("it is due");
        if let Some(decided) = test_of(&state).and_then(|test| test.verdict()) {
            break decided;
        }
    };
    assert_eq!(decided.after * 2, number);
    assert!(state.due().next().is_some());
    state
        .apply(&Entry::SprtDecided(decided.clone()))
        .expect("it is decided");
    assert_eq!(state.due().next(), None);
    assert!(state.rounds_are_over());
    assert_eq!(state.progress(), (number as usize, number as usize));
    // Two of them begun, the second one ended.
    let late = number + 2;
    state
        .apply(&game(late, Score::Loss, Termination::Checkmate))
        .expect("it was being played");
    assert_eq!(state.due().next(), None);
    assert_eq!(state.finished_games().count(), number as usize + 1);
    assert_eq!(test_of(&state).and_then(|test| test.verdict()), Some(decided.clone()));
    state
        .apply(&game(late, Score::Loss, Termination::Checkmate))
        .expect_err("once");
    state
        .apply(&game(GAMES + 1, Score::Loss, Termination::Checkmate))
        .expect_err("there is no such game");
    state.apply(&Entry::SprtDecided(decided)).expect_err("once");
}

/// A match of six pairs knows that no likelihood ratio comes to a bound: a pair that is level ends it, and so does its end if it was lost.
#[test]
fn a_test_that_knows_its_games_ends_with_them() {
    let verdict = |scores: &[Score], truncated: bool| {
        let mut state = state(|setup| {
            setup.mini_match.games = 12;
            setup.sprt.elo1 = Some(Decimal::from_millionths(5_000_000));
            setup.sprt.truncated = truncated;
        });
        for (number, score) in (1..).zip(scores) {
            state.apply(&game(number, *score, ended(*score))).expect("it is due");
        }
        let decided = test_of(&state).and_then(|test| test.verdict());
        decided.map(|decided| {
            state
                .apply(&Entry::SprtDecided(decided.clone()))
                .expect("it is decided");
            assert_eq!(state.due().next(), None);
            (decided.verdict, decided.after)
        })
    };
    let (lost, level) = ([Score::Loss; 12], [Score::Win, Score::Loss]);
    assert_eq!(verdict(&lost, true), Some((Verdict::H0, 6)));
    assert_eq!(verdict(&lost, false), None);
    assert_eq!(verdict(&lost[..11], true), None);
    assert_eq!(verdict(&[Score::Win; 12], true), Some((Verdict::H1, 6)));
    let one_level = [&lost[..4], &level].concat();
    assert_eq!(verdict(&one_level, true), Some((Verdict::Neither, 3)));
    assert_eq!(verdict(&one_level, false), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Whatever ends first.
    #[test]
    fn the_verdict_does_not_depend_on_what_ends_first(
        scores in proptest::collection::vec(0_u8..4, GAMES as usize),
        order in Just((1..=GAMES).collect::<Vec<u32>>()).prop_shuffle(),
        trinomial: bool,
    ) {
        let scores: Vec<Score> = scores.iter().map(|score| [Score::Win, Score::Win, Score::Draw, Score::Loss][usize::from(*score)]).collect();
        let begin = || state(|setup| if trinomial { setup.sprt.counts = Units::Trinomial });
        let play = |order: &[u32]| {
            let mut state = begin();
            let mut test = Test::of(&state).expect("a test");
            let mut first = None;
            for &number in order {
                let score = scores[number as usize - 1];
                state.apply(&game(number, score, ended(score))).expect("it is due");
                test.go_on(&state, |_| {});
                first = first.or(test.verdict());
            }
            first
        };
        let in_order: Vec<u32> = (1..=GAMES).collect();
        prop_assert_eq!(play(&in_order), play(&order));
    }
}
