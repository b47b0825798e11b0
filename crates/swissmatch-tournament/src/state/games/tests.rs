//! What is noted of the games is what a look at all of them gives.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::log::GameFinished;
use crate::setup::ScoringKeys;
use swissmatch_game::Side;
use swissmatch_game::alarm::AlarmOf;
use swissmatch_game::record::{CallTotals, PartialSum, Thinking};
use swissmatch_game::termination::Termination;

/// More than two packs; only some of the games are looked at.
const COUNT: u32 = 2 * PACKED + 2;
const NUMBERS: [u32; 9] = [1, 2, 3, 4, PACKED - 1, PACKED, PACKED + 1, COUNT - 1, COUNT];
const PLAYERS: [PairingNumber; 2] = [PairingNumber(3), PairingNumber(1)];

const PLACE: GameId = GameId {
    round: 7,
    playoff: 0,
    board: 5,
    game: 1,
};

fn ended(number: u32, termination: Termination, was_asked: bool) -> EndedGame {
    let id = GameId { game: number, ..PLACE };
    let [first, second] = PLAYERS;
    let players = if number % 2 == 1 {
        [first, second]
    } else {
        [second, first]
    };
    let thinking = |moves| Thinking {
        moves,
        time_us: 1_000_000_000 * u64::from(moves),
    };
    // Of some games the plies tell how many moves each side made, whoever had the first.
    let (plies, moves) = match number % 3 {
        0 => (100 * number, [number, number + 1]),
        1 => (2 * number + 1, [number, number + 1]),
        _ => (2 * number + 1, [number + 1, number]),
    };
    let entry = GameFinished {
        record: was_asked.then(|| "0".repeat(64)),
        evidence: number.is_multiple_of(3).then(|| "1".repeat(64)),
        movetext: was_asked.then(|| format!("{number:064x}").chars().rev().collect()),
        plies,
        failed_attempts: [u32::from(number.is_multiple_of(4)), 0],
        alarms: alarms_of(number),
        thinking: was_asked.then(|| moves.map(thinking)),
        asked: number.is_multiple_of(2).then(|| [asked(number), CallTotals::NONE]),
        ..GameFinished::unplayed(id, players, (Outcome::BlackWins, termination))
    };
    // Games do not end in order.
    EndedGame::from(LoggedGame::of_entry(1000 - number * 7 % 50, &entry))
}

/// Of some games nobody knows what one call cost.
fn asked(number: u32) -> CallTotals {
    CallTotals {
        calls: number.into(),
        cost: PartialSum {
            sum: 1000,
            untold: u64::from(number.is_multiple_of(4)),
        },
        ..CallTotals::NONE
    }
}

/// Some games have an alarm, of one side or of both.
fn alarms_of(number: u32) -> Vec<AlarmOf> {
    let sides = Side::BOTH.into_iter().zip([3, 2]);
    let of_game = sides.filter(|(_, every)| number.is_multiple_of(*every));
    let alarm = |(side, _)| AlarmOf {
        side,
        pattern: "panicked at".to_owned(),
    };
    of_game.map(alarm).collect()
}

/// What happens to a game: it ends so, is taken away, or is ruled on.
#[derive(Clone, Debug)]
enum Happens {
    Ends(Termination, bool),
    Goes,
    IsRuled(Outcome),
}

fn happens() -> impl Strategy<Value = (u32, Happens)> {
    let terminations = vec![
        Termination::Checkmate,
        Termination::NeitherStarted,
        Termination::DidNotStart { by: Side::Black },
        Termination::Crash { by: Side::White },
        Termination::TimeForfeit { by: Side::Black },
    ];
    let what = prop_oneof![
        4 => (proptest::sample::select(terminations), any::<bool>()).prop_map(|(how, asked)| Happens::Ends(how, asked)),
        1 => Just(Happens::Goes),
        2 => proptest::sample::select(vec![Outcome::Void, Outcome::Draw]).prop_map(Happens::IsRuled),
    ];
    (proptest::sample::select(NUMBERS.to_vec()), what)
}

/// The side that a player of a game has lost by its agent, or for which that did not start.
fn is_fault_of(game: &EndedGame, player: PairingNumber) -> bool {
    GameKind::of(game).is_fault_of(game.side_of(player))
}

/// A game that was played, and that a player lost by a fault of its own whatever the arbiter says of others.
fn is_lost_by_fault(game: &EndedGame, player: PairingNumber) -> bool {
    let side = game.side_of(player);
    let is_lost = game.outcome() == Outcome::win(side.other()) || game.outcome() == Outcome::BothLose;
    let termination = game.finished.termination;
    is_lost && termination.was_played() && termination.is_fault_of(side)
}

fn did_not_start(game: &EndedGame, player: PairingNumber) -> bool {
    GameKind::of(game).did_not_start(game.side_of(player))
}

proptest! {
    #[test]
    fn what_is_noted_is_what_a_look_at_all_games_gives(all in proptest::collection::vec(happens(), 0..30)) {
        let mut games = MiniMatchGames::due(PLACE, PLAYERS, COUNT);
        let mut kept: BTreeMap<u32, EndedGame> = BTreeMap::new();
        for (number, what) in all {
            match what {
                Happens::Ends(how, was_asked) => {
                    let game = ended(number, how, was_asked);
                    games.set(number, Some(game));
                    kept.insert(number, game);
                }
                Happens::Goes => {
                    games.set(number, None);
                    kept.remove(&number);
                }
                Happens::IsRuled(outcome) => {
                    games.rule(number, outcome);
                    kept.entry(number).and_modify(|game| game.ruled = Some(outcome));
                }
            }
            let all: Vec<Option<EndedGame>> = (1..=COUNT).map(|number| kept.get(&number).copied()).collect();
            prop_assert_eq!(&games.iter().collect::<Vec<_>>(), &all);
            for number in NUMBERS {
                prop_assert_eq!(games.ended(number), all[number as usize - 1]);
                prop_assert_eq!(games.is_due(number), all[number as usize - 1].is_none());
                prop_assert_eq!(games.iter().nth(number as usize - 1), Some(all[number as usize - 1]));
                prop_assert!(games.iter().skip(number as usize).eq(all[number as usize..].iter().copied()));
            }
            let ended = kept.last_key_value().map_or(0, |(last, _)| *last as usize);
            let pairs: Vec<[Option<EndedGame>; 2]> = all[..ended].chunks(2).map(|two| [two[0], two.get(1).copied().flatten()]).collect();
            prop_assert_eq!(games.pairs().collect::<Vec<_>>(), pairs);
            let tally = GameTally::of(&kept.values().copied().collect::<Vec<_>>(), PLAYERS[0]);
            let scoring = ScoringKeys::default();
            for player in [0, 1] {
                prop_assert_eq!(games.tally().counts(player, &scoring), tally.counts(player, &scoring));
                prop_assert_eq!(games.tally().asked(player), tally.asked(player));
                let lost = kept.values().filter(|game| is_lost_by_fault(game, PLAYERS[player]));
                prop_assert_eq!(games.tally().lost_by_fault(player) as usize, lost.count());
                prop_assert_eq!(games.tally().game_points(player, &scoring), tally.game_points(player, &scoring));
            }
            prop_assert_eq!(games.count_ended(), kept.len());
            let due: Vec<u32> = (1..).zip(&all).filter(|(_, game)| game.is_none()).map(|(number, _)| number).collect();
            prop_assert_eq!(games.all_due().collect::<Vec<_>>(), due.clone());
            prop_assert_eq!((games.count_due(), games.are_over()), (due.len(), due.is_empty()));
            let is_any = |player, of: fn(&EndedGame, PairingNumber) -> bool| kept.values().filter(|game| of(game, player)).count();
            let gave = |player| kept.values().filter(|game| game.finished.alarms[game.side_of(player).index()]).count();
            prop_assert_eq!(games.tally().alarms().map(|games| games as usize), PLAYERS.map(gave));
            for player in PLAYERS {
                prop_assert_eq!(games.faults_of(player), is_any(player, is_fault_of));
                prop_assert_eq!(games.failed_to_start(player), is_any(player, did_not_start) > 0);
                for number in NUMBERS {
                    let before = kept.range(..number).map(|(_, game)| game);
                    prop_assert_eq!(games.faults_before(number, player), before.filter(|game| is_fault_of(game, player)).count());
                    prop_assert_eq!(games.due_before(number), due.iter().filter(|due| **due < number).count());
                }
            }
        }
    }
}

/// A million games take some fifteen MB, of which eight are the hashes of their moves.
#[test]
fn a_game_takes_little_room() {
    let place = GameId { game: 1, ..PLACE };
    let mut games = MiniMatchGames::due(place, PLAYERS, 10_000);
    let thinking = |moves| Thinking {
        moves,
        time_us: 300 * u64::from(moves),
    };
    for number in 1..=10_000 {
        let game = ended(number, Termination::Checkmate, true);
        let finished = LoggedGame {
            plies: 81,
            // Of every second opening Black has the first move.
            thinking: Some([thinking(41 - number / 2 % 2), thinking(40 + number / 2 % 2)]),
            asked: None,
            failed_attempts: [0, 0],
            entry: number + 2,
            ..game.finished
        };
        games.set(number, Some(EndedGame { finished, ..game }));
    }
    let bytes: usize = games.packs.iter().map(Pack::len).sum();
    assert!(bytes < 16 * 10_000, "{bytes}");
}
