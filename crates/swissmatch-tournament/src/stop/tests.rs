//! When the rule ends an event, on a Swiss of four players whose games are made by hand.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;

use super::*;
use crate::director::{self, Coming, Next};
use crate::log::{Agent, Entry, GameFinished, LOG_VERSION, RunCreated, Suite};
use crate::setup::{PlayerKeys, Rounds};
use crate::state::BrokenLogError;
use swissmatch_game::Side;
use swissmatch_game::record::{GameId, Thinking};
use swissmatch_game::termination::{Outcome, Termination};

const ROUNDS: u32 = 3;
const GAMES: u32 = 4;
/// How long each side of a game thinks, in microseconds.
const THINKING: u64 = 1_000_000;

fn begin(change: impl FnOnce(&mut Setup)) -> State {
    let mut setup = Setup::default();
    for number in 1..=4 {
        setup.players.push(PlayerKeys {
            name: format!("P{number}"),
            ..PlayerKeys::default()
        });
    }
    setup.swiss.rounds = Rounds::Number(ROUNDS);
    setup.mini_match.games = GAMES;
    change(&mut setup);
    let agent = Agent::default();
    let created = RunCreated {
        log_version: LOG_VERSION,
        software: String::new(),
        agents: vec![agent; setup.players.len()],
        order: (0..setup.players.len()).collect(),
        setup,
        rounds: ROUNDS,
        format: TournamentFormat::Swiss,
        openings: Suite {
            source: String::new(),
            sha256: None,
            count: 0,
        },
        tour: None,
        machine: None,
    };
    State::fold(&[Entry::Created(Box::new(created))]).expect("a log")
}

fn next(state: &State) -> Vec<Entry> {
    match director::next(state, jiff::civil::Date::ZERO).expect("a pairing") {
        Next::Entries(entries) => entries,
        Next::Decision | Next::Nothing => Vec::new(),
    }
}

/// Pairs a round and plays it: the one with the lower number wins, but for every second game where they are `even`.
fn play_round(state: &mut State, even: bool) {
    for entry in next(state) {
        assert!(matches!(entry, Entry::RoundPaired(_)), "{entry:?}");
        state.apply(&entry).expect("it is due");
    }
    let due: Vec<(GameId, [PairingNumber; 2])> = state
        .due()
        .map(|(id, board)| (id, [board.white_of(id.game), board.black_of(id.game)]))
        .collect();
    for (id, [white, black]) in due {
        let lower = match white < black {
            true => Side::White,
            false => Side::Black,
        };
        // A game pair is whole, so that pairs differ.
        let is_lost = even && id.game.div_ceil(2).is_multiple_of(2);
        let winner = if is_lost { lower.other() } else { lower };
        let side = Thinking {
            moves: 30,
            time_us: THINKING,
        };
        let mut game = GameFinished::unplayed(id, [white, black], (Outcome::win(winner), Termination::Checkmate));
        (game.plies, game.record, game.thinking) = (60, Some(String::new()), Some([side; 2]));
        state.apply(&Entry::GameFinished(game)).expect("it is due");
    }
}

fn places(text: &str) -> impl FnOnce(&mut Setup) {
    let places = text.parse().expect("places");
    move |setup| setup.stop.when = Some(places)
}

#[test]
fn sure_places_end_it_after_the_first_look_at_the_earliest() {
    let mut state = begin(places("place 1 at 95%"));
    assert_eq!(due(&state), None, "nothing is paired");
    play_round(&mut state, false);
    assert_eq!(due(&state), None, "four players: the first look is after round 2");
    let mut during = state.clone();
    for entry in next(&during) {
        during.apply(&entry).expect("it is due");
    }
    assert_eq!(due(&during), None, "a round is being played");
    play_round(&mut state, false);
    let stopped = due(&state).expect("it ends");
    assert_eq!((stopped.round, stopped.why, stopped.games), (2, StopReason::Sure, 16));
    assert_eq!(stopped.thinking_us, 32 * THINKING);
    let held: Vec<(u32, u32, String)> = stopped
        .held
        .iter()
        .map(|held| (held.place, held.player.0, held.share.to_string()))
        .collect();
    assert_eq!(held, [(1, 1, "1".to_owned())]);

    assert_eq!(director::coming(&state), Coming::Stop(stopped.clone()));
    assert_eq!(next(&state), [Entry::EventStopped(stopped.clone())]);
    let paired = begin(|_| {});
    let third = state.by_other_rules(Setup {
        stop: StopKeys::default(),
        ..state.setup().clone()
    });
    let third = next(&third);
    state.apply(&Entry::EventStopped(stopped.clone())).expect("it is due");
    assert!(state.rounds_are_over());
    assert_eq!((state.last_round(), state.stopped()), (2, Some(&stopped)));
    assert_eq!((due(&state), director::coming(&state)), (None, Coming::Nothing));
    // Nothing comes after it, and it comes once, where there is such a rule.
    assert_eq!(state.clone().apply(&third[0]), Err(BrokenLogError::Stop));
    let again = Entry::EventStopped(stopped);
    assert_eq!(state.apply(&again), Err(BrokenLogError::Stop));
    assert_eq!(paired.clone().apply(&again), Err(BrokenLogError::Stop));
}

#[test]
fn places_that_are_not_sure_end_nothing() {
    let mut state = begin(places("places 1-2 at 95%"));
    for _ in 0..ROUNDS {
        play_round(&mut state, true);
        assert_eq!(due(&state), None);
    }
    assert!(state.rounds_are_over());
}

#[test]
fn the_last_round_needs_no_rule() {
    let mut state = begin(|setup| {
        setup.stop.when = Some("place 1 at 95%".parse().expect("places"));
        setup.stop.from_round = Some(ROUNDS);
        setup.stop.games = Some(24);
    });
    for _ in 0..ROUNDS {
        play_round(&mut state, false);
        assert_eq!(due(&state), None);
    }
}

#[test]
fn a_bound_is_not_passed_by_the_next_round() {
    let ends_after = |change: fn(&mut StopKeys)| {
        let mut state = begin(|setup| change(&mut setup.stop));
        while !state.rounds_are_over() {
            play_round(&mut state, true);
            if let Some(stopped) = due(&state) {
                assert_eq!(stopped.held, []);
                return Some((stopped.round, stopped.why));
            }
        }
        None
    };
    let games = |round| Some((round, StopReason::Games));
    assert_eq!(ends_after(|keys| keys.games = Some(8)), games(1));
    assert_eq!(ends_after(|keys| keys.games = Some(15)), games(1));
    assert_eq!(ends_after(|keys| keys.games = Some(16)), games(2));
    assert_eq!(ends_after(|keys| keys.games = Some(24)), None);
    // 8 games a round, both sides of each think for a second.
    let time = |round| Some((round, StopReason::Time));
    assert_eq!(ends_after(|keys| keys.time = Some(Duration::from_secs(1))), time(1));
    assert_eq!(ends_after(|keys| keys.time = Some(Duration::from_secs(16))), time(1));
    assert_eq!(ends_after(|keys| keys.time = Some(Duration::from_secs(17))), time(2));
    assert_eq!(ends_after(|keys| keys.time = Some(Duration::from_secs(33))), None);
}

#[test]
fn a_bound_is_simulated_as_rounds() {
    let rule = |games: Option<u32>, time: Option<u64>, game: Option<u64>| {
        let mut setup = Setup::default();
        setup.mini_match.games = 4;
        setup.stop.games = games;
        setup.stop.time = time.map(Duration::from_secs);
        simulated(&setup, (8, 9), game.map(Duration::from_secs)).bound
    };
    // Three cycles of seven rounds, 112 games each: no cycle begins that would pass the bound.
    let of_cycles = |games: u32| {
        let mut setup = Setup::default();
        setup.mini_match.games = 4;
        setup.swiss.rounds = Rounds::AllPlayAll { cycles: 3 };
        setup.stop.games = Some(games);
        let rule = simulated(&setup, (8, 21), None);
        assert_eq!((rule.cycle, rule.from_round), (7, 7));
        rule.bound
    };
    assert_eq!(of_cycles(223), Some((7, StopReason::Games)));
    assert_eq!(of_cycles(224), Some((14, StopReason::Games)));
    assert_eq!(of_cycles(336), None);
    // 16 games a round.
    assert_eq!(rule(None, None, Some(1)), None);
    assert_eq!(rule(Some(47), None, Some(1)), Some((2, StopReason::Games)));
    assert_eq!(rule(Some(48), None, Some(1)), Some((3, StopReason::Games)));
    assert_eq!(rule(Some(16 * 9), None, Some(1)), None);
    assert_eq!(rule(None, Some(32), Some(1)), Some((2, StopReason::Time)));
    assert_eq!(rule(None, Some(33), Some(1)), Some((3, StopReason::Time)));
    assert_eq!(rule(None, Some(33), None), None);
    assert_eq!(rule(Some(48), Some(32), Some(1)), Some((2, StopReason::Time)));
    assert_eq!(rule(Some(47), Some(32), Some(1)), Some((2, StopReason::Games)));
}
