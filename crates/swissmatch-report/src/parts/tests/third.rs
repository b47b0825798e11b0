//! The match for third place of a knockout.

use super::*;
use swissmatch_tournament::log::{ArbiterDecided, ArbiterDirection, ContestId, Decision, TieKey};

/// In the semi-finals 2 beats 3, and 1 and 4 are level: 1 goes on. 4 wins the match for third place, or is level with 3 there.
#[test]
fn who_lost_in_the_semi_finals_plays_for_third_place() {
    let after = |is_level: bool| {
        let mut state = before(6, |setup| {
            rounds("knockout")(setup);
            (setup.playoff.knockout, setup.playoff.third) = (LevelTie::BetterSeed, Third::Match);
        });
        assert_eq!(games_in_all(&state), 6 * 2, "one mini-match more than the bracket has");
        for _ in 0..3 {
            assert_eq!(next(&mut state), Some(true));
            play_round(&mut state, |white, black| match white.0 + black.0 {
                7 if is_level => None,
                7 => Some(white > black),
                5 => None,
                _ => Some(white < black),
            });
        }
        assert!(event_is_over(&state), "nothing is left to play");
        state
    };
    let state = after(false);
    let last: Vec<_> = state.rounds()[2]
        .pairing
        .pairs
        .iter()
        .map(|pair| [pair.white.0, pair.black.0])
        .collect();
    assert_eq!(last.len(), 2);
    assert_eq!([last[0].iter().sum::<u32>(), last[1].iter().sum::<u32>()], [3, 7]);
    let places = |state: &State, rounds| numbers(&knockout::places_after(state, rounds));
    assert_eq!(places(&state, 2), [(1, 1), (1, 2), (3, 3), (3, 4), (5, 5), (5, 6)]);
    assert_eq!(places(&state, 3), [(1, 1), (2, 2), (3, 4), (4, 3), (5, 5), (5, 6)]);
    assert_eq!(
        places(&after(true), 3),
        [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)]
    );
}

/// Both semi-finals are level and go to the play-off, which the arbiter decides: the finalists are told from the two who play beside them.
#[test]
fn semi_finals_that_were_played_off_have_their_losers_in_the_match_for_third_place() {
    let mut state = before(4, |setup| {
        setup.event.stages = vec![stage("1-SS", None, None), stage("knockout", Some(4), Some(2))];
        setup.playoff.third = Third::Match;
    });
    while next(&mut state) == Some(false) {}
    play_round(&mut state, |white, black| Some(white < black));
    while next(&mut state) == Some(false) {}
    play_round(&mut state, |_, _| None);
    let date = jiff::civil::date(2026, 1, 30);
    assert_eq!(director::next(&state, date), Ok(Next::Decision));
    let semi_finals: Vec<_> = state.rounds()[1].pairing.pairs.clone();
    for (board, pair) in (1..).zip(&semi_finals) {
        let tie = TieKey {
            round: 2,
            section: 0,
            board,
            first: 1,
            last: 2,
        };
        let decided = ArbiterDecided {
            decision: Decision {
                contest: ContestId { tie, number: 1 },
                directed: ArbiterDirection::Result(vec![vec![pair.black], vec![pair.white]]),
            },
            by: "A".to_owned(),
            consulted: Vec::new(),
            reason: "B".to_owned(),
        };
        state.apply(&Entry::Decided(decided)).expect("what is asked");
    }
    assert_eq!(next(&mut state), Some(true));
    let pairs = &state.rounds()[2].pairing.pairs;
    let sorted = |mut two: [PairingNumber; 2]| {
        two.sort_unstable();
        two
    };
    let met: Vec<_> = pairs.iter().map(|pair| sorted([pair.white, pair.black])).collect();
    let all = [&semi_finals[0], &semi_finals[1]];
    assert_eq!(
        met,
        [sorted(all.map(|pair| pair.black)), sorted(all.map(|pair| pair.white))]
    );
    let (part, own, _) = parts_after(&state, 3).pop().expect("the knockout");
    let winners: Vec<_> = knockout::winners(&own)[0]
        .iter()
        .map(|own| own.map(|own| part.players[own.index()]))
        .collect();
    assert_eq!(winners, all.map(|pair| Some(pair.black)), "nobody else went on");
}

#[test]
fn with_three_players_nothing_is_played_for_third_place() {
    let state = played(3, |setup| {
        rounds("knockout")(setup);
        setup.playoff.third = Third::Match;
    });
    assert_eq!(state.rounds()[1].pairing.pairs.len(), 1);
    assert_eq!(numbers(&knockout::places_after(&state, 2)), [(1, 1), (2, 2), (3, 3)]);
}
