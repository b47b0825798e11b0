//! Whole knockouts of many sizes, with level ties and absent players.

use proptest::prelude::*;

use super::*;
use crate::pairing::tests::{every_time, fresh, had, written};
use crate::score::Points;

const RULES: KnockoutRules = KnockoutRules {
    initial_color: FirstColor::White,
    match_for_third: false,
};
const WITH_THIRD: KnockoutRules = KnockoutRules {
    match_for_third: true,
    ..RULES
};

/// Adds a paired round to the history, with these half points for White; a player in no pair was absent.
fn play(history: &mut History, round: &RoundPairing, to_white: impl Fn(&Pair) -> i64) {
    for number in history.numbers() {
        let paired = |pair: &&Pair| pair.white == number || pair.black == number;
        let Some(pair) = round.pairs.iter().find(paired) else {
            had(history, number.0, Encounter::Absent, 0);
            continue;
        };
        let (opponent, color, halves) = if pair.white == number {
            (pair.black, FirstColor::White, to_white(pair))
        } else {
            (pair.white, FirstColor::Black, 2 - to_white(pair))
        };
        had(history, number.0, Encounter::Met { opponent, color }, halves);
    }
}

/// The better seed wins.
fn by_seed(pair: &Pair) -> i64 {
    if pair.white < pair.black { 2 } else { 0 }
}

fn check(history: &History, expected: Result<&str, NoPairingError>) {
    let found = pair(history, &RULES).map(|pairing| written(&pairing));
    assert_eq!(found.as_deref(), expected.as_ref().copied());
}

fn undecided(one: u32, other: u32) -> NoPairingError {
    NoPairingError::Undecided {
        one: PairingNumber(one),
        other: PairingNumber(other),
    }
}

#[test]
fn nobody_and_one() {
    check(&History::default(), Err(NoPairingError::NobodyPresent));
    check(&fresh(&[0]), Err(NoPairingError::NoRoundLeft));
    assert_eq!(through(&fresh(&[0])), Ok(vec![Some(PairingNumber(1))]));
    assert_eq!([0, 1, 2, 3, 4, 5, 8, 9, 33].map(rounds), [0, 0, 1, 2, 2, 3, 3, 4, 6]);
}

#[test]
fn the_standard_bracket() {
    let check = |players: usize, expected: &str| {
        let pairing = pair(&fresh(&vec![0; players]), &RULES).expect("round 1");
        let pairs = pairing
            .pairs
            .iter()
            .map(|pair| format!("{}-{}", pair.white.min(pair.black), pair.white.max(pair.black)));
        assert_eq!(pairs.collect::<Vec<_>>().join(" "), expected, "{players} players");
    };
    check(2, "1-2");
    check(3, "2-3");
    check(4, "1-4 2-3");
    check(5, "4-5");
    check(6, "4-5 3-6");
    check(8, "1-8 4-5 3-6 2-7");
    check(16, "1-16 8-9 5-12 4-13 3-14 6-11 7-10 2-15");
}

#[test]
fn a_knockout_of_six_by_hand() {
    let mut history = fresh(&[0; 6]);
    check(&history, Ok("5-4 3-6"));
    let round = pair(&history, &RULES).expect("round 1");
    // 5 beats 4, 6 beats 3.
    play(&mut history, &round, |pair| if pair.white.0 == 5 { 2 } else { 0 });
    // 1 and 2 come in and have had no White: 5 had one; 6 had Black.
    check(&history, Ok("1-5 6-2"));
    let round = pair(&history, &RULES).expect("semi-finals");
    play(&mut history, &round, by_seed);
    check(&history, Ok("2-1"));
    let round = pair(&history, &RULES).expect("final");
    play(&mut history, &round, |_| 2);
    check(&history, Err(NoPairingError::NoRoundLeft));
    assert_eq!(through(&history), Ok(vec![Some(PairingNumber(2))]));
}

#[test]
fn a_level_tie_is_undecided_until_its_points_differ() {
    let mut history = fresh(&[0; 4]);
    let round = pair(&history, &RULES).expect("round 1");
    play(&mut history, &round, |_| 1);
    check(&history, Err(undecided(1, 4)));
    history.players[3].rounds[0].points = Points::ONE;
    check(&history, Err(undecided(2, 3)));
    // One of two level players withdraws: the other goes through.
    history.players[1].present = false;
    check(&history, Ok("4-3"));
}

#[test]
fn absent_players_are_out_and_stay_out() {
    let mut history = fresh(&[0; 4]);
    history.players[0].present = false;
    // 4 is free in round 1, and so goes through.
    check(&history, Ok("3-2"));
    let round = pair(&history, &RULES).expect("round 1");
    play(&mut history, &round, by_seed);
    assert_eq!(
        through(&history),
        Ok(vec![Some(PairingNumber(4)), Some(PairingNumber(2))])
    );
    let round = pair(&history, &RULES).expect("final");
    play(&mut history, &round, |pair| if pair.white.0 == 4 { 2 } else { 0 });
    // 4 has won and leaves: it has still won, though in round 1 nobody present beat anybody.
    history.players[3].present = false;
    assert_eq!(through(&history), Ok(vec![Some(PairingNumber(4))]));
    check(&history, Err(NoPairingError::NoRoundLeft));
}

#[test]
fn both_absent_leave_their_place_empty() {
    let mut history = fresh(&[0; 4]);
    history.players[0].present = false;
    history.players[3].present = false;
    let round = pair(&history, &RULES).expect("round 1");
    play(&mut history, &round, by_seed);
    assert_eq!(through(&history), Ok(vec![None, Some(PairingNumber(2))]));
    check(&history, Ok(""));
    play(&mut history, &RoundPairing::default(), by_seed);
    assert_eq!(through(&history), Ok(vec![Some(PairingNumber(2))]));
}

#[test]
fn a_forfeit_decides_like_a_game() {
    let mut history = fresh(&[0; 2]);
    let forfeit = |number| Encounter::Forfeit {
        opponent: PairingNumber(number),
    };
    had(&mut history, 1, forfeit(2), 0);
    had(&mut history, 2, forfeit(1), 2);
    assert_eq!(through(&history), Ok(vec![Some(PairingNumber(2))]));
    history.players[1].rounds[0].points = Points::ZERO;
    assert_eq!(through(&history), Err(undecided(1, 2)));
}

#[test]
fn forbidden_pairs_bind_when_they_have_to_meet() {
    let mut history = fresh(&[0; 4]);
    history.forbidden = vec![(PairingNumber(2), PairingNumber(1))];
    check(&history, Ok("1-4 3-2"));
    let round = pair(&history, &RULES).expect("round 1");
    play(&mut history, &round, by_seed);
    check(&history, Err(NoPairingError::Forbidden));
}

/// Plays to the end; returns the rounds.
fn play_out(
    players: usize,
    rules: &KnockoutRules,
    to_white: impl Fn(usize, &Pair) -> i64,
) -> (History, Vec<RoundPairing>) {
    let mut history = fresh(&vec![0; players]);
    let mut played = Vec::new();
    loop {
        match pair(&history, rules) {
            Ok(round) => {
                play(&mut history, &round, |pair| to_white(played.len(), pair));
                played.push(round);
            }
            Err(error) => {
                assert_eq!(error, NoPairingError::NoRoundLeft);
                return (history, played);
            }
        }
    }
}

#[test]
fn from_2_to_33_players_to_the_end() {
    for players in 2..=33 {
        let (history, played) = play_out(players, &RULES, |_, pair| by_seed(pair));
        assert_eq!(played.len(), rounds(players) as usize);
        let ties: usize = played.iter().map(|round| round.pairs.len()).sum();
        assert_eq!(ties, players - 1, "everybody but the winner loses once");
        assert_eq!(through(&history), Ok(vec![Some(PairingNumber(1))]));
        // The best 2^k are left k rounds before the end, and meet in pairs of equal sums.
        for (left, round) in played
            .iter()
            .rev()
            .enumerate()
            .filter(|&(left, _)| left + 1 < played.len())
        {
            let best = 2_u32 << left;
            let sums: Vec<u32> = round.pairs.iter().map(|pair| pair.white.0 + pair.black.0).collect();
            assert_eq!(sums, vec![best + 1; 1 << left], "{players} players, last {best}");
        }
        // Round 1: the top seeds are free, the others meet.
        let size = players.next_power_of_two();
        assert_eq!(played[0].pairs.len(), players - size / 2);
        let worst = u32::try_from(size - players).expect("small");
        let all = played[0].pairs.iter().flat_map(|pair| [pair.white.0, pair.black.0]);
        assert_eq!(all.min(), Some(worst + 1));
    }
}

#[test]
fn whoever_wins_one_is_left() {
    every_time(
        300,
        (2..=33_usize, proptest::collection::vec(any::<bool>(), 64)),
        |(players, whites)| {
            let wins = |round: usize, pair: &Pair| {
                let at = (round * 7 + pair.white.index() * 3 + pair.black.index()) % whites.len();
                if whites[at] { 2 } else { 0 }
            };
            let (history, played) = play_out(players, &RULES, wins);
            assert_eq!(played.len(), rounds(players) as usize);
            let left = through(&history).expect("all decided");
            let winner = left[0].expect("nobody was absent");
            assert_eq!(left.len(), 1);
            let mut losses = vec![0; players];
            for (round, pairing) in played.iter().enumerate() {
                let mut seen = Vec::new();
                for pair in &pairing.pairs {
                    assert!(losses[pair.white.index()] == 0 && losses[pair.black.index()] == 0);
                    assert!(!pair.repeat);
                    seen.extend([pair.white, pair.black]);
                    let loser = if wins(round, pair) == 2 { pair.black } else { pair.white };
                    losses[loser.index()] += 1;
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), 2 * pairing.pairs.len());
            }
            assert_eq!(losses[winner.index()], 0);
            assert_eq!(losses.iter().sum::<usize>(), players - 1);
        },
    );
}

#[test]
fn who_lost_in_the_semi_finals_meets_beside_the_final() {
    let last_rounds = [2, 3, 4, 5, 6].map(|players| {
        let (_, played) = play_out(players, &WITH_THIRD, |_, pair| by_seed(pair));
        played.last().map(written)
    });
    // Of three players one is free in the semi-finals.
    let expected = ["1-2", "2-1", "2-1 4-3", "1-2 4-3", "1-2 3-4"];
    assert_eq!(last_rounds, expected.map(|pairs| Some(pairs.to_owned())));
}

/// Nobody plays for third place against an absent player.
#[test]
fn a_semi_final_without_a_loser_leaves_no_match_for_third_place() {
    let mut history = fresh(&[0; 4]);
    let round = pair(&history, &RULES).expect("semi-finals");
    play(&mut history, &round, by_seed);
    history.players[3].present = false;
    let last = pair(&history, &WITH_THIRD).map(|pairing| written(&pairing));
    assert_eq!(last, pair(&history, &RULES).map(|pairing| written(&pairing)));
}

/// The bracket goes on as without the match, which is between those whom the finalists beat in the round before.
#[test]
fn a_match_for_third_place_changes_nothing_else() {
    every_time(
        300,
        (2..=33_usize, proptest::collection::vec(any::<bool>(), 64)),
        |(players, whites)| {
            let wins = |round: usize, pair: &Pair| {
                let at = (round * 7 + pair.white.index() * 3 + pair.black.index()) % whites.len();
                if whites[at] { 2 } else { 0 }
            };
            let (history, mut with) = play_out(players, &WITH_THIRD, wins);
            let (other, without) = play_out(players, &RULES, wins);
            assert_eq!(through(&history), through(&other));
            let last = with.last_mut().expect("a final");
            if players < 4 {
                assert_eq!(with, without);
                return;
            }
            let third = last.pairs.pop().expect("a match for third place");
            assert_eq!(with, without);
            let is_of_last = |number: PairingNumber| {
                let of_semi_finals = &without[without.len() - 2].pairs;
                let beaten = of_semi_finals
                    .iter()
                    .filter(|pair| [pair.white, pair.black].contains(&number));
                let lost = beaten.map(|pair| wins(without.len() - 2, pair) == if pair.white == number { 0 } else { 2 });
                lost.eq([true])
            };
            assert!(is_of_last(third.white) && is_of_last(third.black) && third.white != third.black);
        },
    );
}
