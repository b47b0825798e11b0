//! Sections side by side, and the house player.

use std::collections::BTreeSet;

use proptest::prelude::*;
use swiss_system::pairing::history::Pair;

use super::*;
use crate::after_round;
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::decide;
use swissmatch_tournament::games::games_in_all;
use swissmatch_tournament::log::{Absence, Act, ArbiterActed, PresenceChecked};
use swissmatch_tournament::part::parts_of;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::{final_places, standings_after};
use swissmatch_tournament::setup::{
    ByeCriterion, ByeLimit, PairingSystem, PlayerKeys, RegistrationUntil, Rounds, SectionKeys,
};
use swissmatch_tournament::ties;
use swissmatch_tournament::ties::event_is_over;

fn section(name: &str, from: Option<i32>, to: Option<i32>, format: &str) -> SectionKeys {
    SectionKeys {
        name: name.to_owned(),
        from,
        to,
        format: Some(format.parse().expect("a format")),
        prizes: None,
    }
}

/// So many players in the section of high ratings, in that of low ones, and in one that they name; what these play.
fn of_sections(sizes: [usize; 3], formats: [&str; 3], more: impl FnOnce(&mut Setup)) -> State {
    let most = sizes.into_iter().max().unwrap_or(0);
    fixture::of_players(3 * most, |created| {
        let setup = &mut created.setup;
        setup.event.sections = vec![
            section("Open", Some(2000), None, formats[0]),
            section("Under 2000", None, Some(1999), formats[1]),
            section("Juniors", None, None, formats[2]),
        ];
        setup.event.sections.truncate(if sizes[2] > 0 { 3 } else { 2 });
        for (index, player) in setup.players.iter_mut().enumerate() {
            // Mixed, so that numbers of a section are no run.
            let below = i32::try_from(index).expect("few players");
            match index % 3 {
                0 => player.rating = Some(2800 - below),
                1 => player.rating = Some(1999 - below),
                _ => player.section = Some("Juniors".to_owned()),
            }
        }
        let mut places = 0..;
        setup.players.retain(|_| {
            let place = places.next().unwrap_or(0);
            place / 3 < sizes[place % 3]
        });
        more(setup);
        let plan = setup.plan();
        let count = setup.players.len();
        (created.rounds, created.format) = (plan.rounds, plan.format);
        created.order = (0..count).collect();
        created.agents.truncate(count);
    })
}

fn play_all(mut state: State) -> State {
    while let Some(is_round) = next(&mut state) {
        if is_round {
            play_round(&mut state, |white, black| Some(white < black));
        }
    }
    assert!(event_is_over(&state));
    state
}

#[test]
fn each_section_has_its_bye_and_its_table() {
    let state = play_all(of_sections([3, 5, 0], ["2-SS", "3-SS", "RR"], |_| ()));
    assert_eq!(state.created().format, TournamentFormat::Sections);
    let byes = state.rounds().iter().map(|round| round.pairing.byes().count());
    assert_eq!(
        byes.collect::<Vec<_>>(),
        [2, 2, 1],
        "the shorter section rests in the last round"
    );
    assert_snapshot!(standings(&state, 3).csv(), @"
    Part,#,Name,MP,H2H,Buchholz,SB,GP,Win %,W/D/L,Games,Byes,Faults
    Open,1,Player 1,2,,1,1,4,100.0,4/0/0,4,0,0
    Open,2,Player 4,0.5,0,2,0,1,0.0,0/0/2,2,1,0
    Open,2,Player 7,0.5,0,2,0,1,0.0,0/0/2,2,1,0
    Under 2000,1,Player 2,3,,4,4,6,100.0,6/0/0,6,0,0
    Under 2000,2,Player 5,2,,4,1,4,66.7,4/0/2,6,0,0
    Under 2000,3,Player 8,1.5,,3.5,0.5,3,50.0,2/0/2,4,1,0
    Under 2000,4,Player 11,0.5,0,5,0,1,0.0,0/0/4,4,1,0
    Under 2000,5,Player 14,0.5,0,3.5,0,1,0.0,0/0/4,4,1,0
    ");
    assert_snapshot!(crosstables(&state, 3).csv(), @"
    Part,#,Name,1,2,3,MP,GP
    Open,1,Player 1,2w+ 2,3b+ 2,,2,4
    Open,2,Player 4,1b- 0,bye,,0.5,1
    Open,3,Player 7,bye,1w- 0,,0.5,1
    Under 2000,1,Player 2,3w+ 2,2w+ 2,4b+ 2,3,6
    Under 2000,2,Player 5,4w+ 2,1b- 0,5b+ 2,2,4
    Under 2000,3,Player 8,1b- 0,5w+ 2,bye,1.5,3
    Under 2000,4,Player 11,2b- 0,bye,1w- 0,0.5,1
    Under 2000,5,Player 14,bye,3b- 0,2w- 0,0.5,1
    ");
    let round = crate::games::round(&state, 1).expect("paired").text(None);
    assert_snapshot!(round, @"
    Spring qualifier: round 1 of 3, 6 of 6 games played

    Board  Section     White in game 1  Game points  Black in game 1  Played
    ────────────────────────────────────────────────────────────────────────
        1  Open        Player 1         2 – 0        Player 4         2 of 2
        2  Under 2000  Player 2         2 – 0        Player 8         2 of 2
        3  Under 2000  Player 5         2 – 0        Player 11        2 of 2

    Byes: Player 7; Player 14.
    ");
    assert_eq!(
        after_round::places_of_parts(&state, 3),
        [
            "Under 2000",
            "  1. Player 2 (3)",
            "  2. Player 5 (2)",
            "  3. Player 8 (1.5)",
            "  4. Player 11 (0.5)",
            "  5. Player 14 (0.5)"
        ],
        "the other section had ended"
    );
    let value: serde_json::Value = serde_json::from_str(&standings_json(&state, 3)).expect("JSON");
    assert_eq!(
        (&value["parts"][1]["part"], &value["parts"][1]["section"]),
        (&"Under 2000".into(), &2.into())
    );
    assert!(value.get("ranking").is_none());
}

#[test]
fn a_section_is_played_as_an_event_of_its_own() {
    let state = play_all(of_sections([7, 4, 6], ["3-SS", "RR", "4-SS"], |_| ()));
    let alone = played(7, rounds("3-SS"));
    let (part, own, of_it) = parts_after(&state, 4).remove(0);
    assert_eq!((part.to_string().as_str(), of_it), ("Open", 3));
    let boards = |state: &State| -> Vec<_> {
        let boards = state.rounds().iter().flat_map(|round| &round.mini_matches);
        boards.map(|board| (board.pair, board.came)).collect()
    };
    assert_eq!(boards(&own), boards(&alone));
    // They stand in other entries of the log.
    let games = |state: &State| -> Vec<_> {
        let games = state.finished_games();
        games
            .map(|game| (game.finished.id, game.finished.white, game.outcome()))
            .collect()
    };
    assert_eq!(games(&own), games(&alone));
    let places = |state: &State| -> Vec<_> {
        let rows = standings_after(state, 3).rows;
        rows.iter().map(|row| (row.place, row.player)).collect()
    };
    assert_eq!(places(&own), places(&alone));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// In each round of a section everybody of it is on one board or has its one bye, or is free in an all-play-all; nobody meets
    /// another section.
    #[test]
    fn everybody_of_a_section_once(
        sizes in [2_usize..9, 2_usize..9, 0_usize..6],
        rounds in [1_u32..5, 1_u32..5],
        all_play_all: bool,
    ) {
        let [first, second] = rounds.map(|rounds| format!("{rounds}-SS"));
        let last = if all_play_all { "RR" } else { "1-SS" };
        prop_assume!(sizes[2] != 1);
        let state = play_all(of_sections(sizes, [&first, &second, last], |setup| {
            setup.bye.order = vec![ByeCriterion::FewestByes, ByeCriterion::WorstPreviousPlace];
        }));
        prop_assert_eq!(parts_of(&state).len(), sizes.iter().filter(|size| **size > 0).count());
        for (before, round) in state.rounds().iter().enumerate() {
            let mut all = 0;
            for part in parts_of(&state) {
                let own: BTreeSet<PairingNumber> = part.players.iter().copied().collect();
                let pairs = round.pairing.pairs.iter().filter(|pair| own.contains(&pair.white));
                let mut seated: Vec<PairingNumber> = pairs.flat_map(|pair| [pair.white, pair.black]).collect();
                prop_assert_eq!(seated.len() % 2, 0);
                seated.extend(round.pairing.byes().filter(|player| own.contains(player)));
                all += seated.len();
                // Whom the table of an all-play-all has no opponent for.
                let is_odd = matches!(part.format, Rounds::AllPlayAll { .. }) && own.len() % 2 == 1 && part.has_round(before);
                let free = own.iter().filter(|_| is_odd).find(|player| !seated.contains(player));
                prop_assert_eq!(free.is_some(), is_odd);
                seated.extend(free);
                seated.sort_unstable();
                let expected: Vec<PairingNumber> = own.into_iter().filter(|_| part.has_round(before)).collect();
                prop_assert_eq!(seated, expected);
            }
            prop_assert_eq!(all, 2 * round.pairing.pairs.len() + round.pairing.byes().count());
        }
        prop_assert_eq!(state.finished_games().count(), games_in_all(&state));
    }
}

/// A Swiss of so many players, and a house player after them.
fn with_house(players: usize, format: &str) -> State {
    with_house_and(players, format, |_| ())
}

fn with_house_and(players: usize, format: &str, more: impl FnOnce(&mut Setup)) -> State {
    fixture::of_players(players + 1, |created| {
        let setup = &mut created.setup;
        setup.swiss.rounds = format.parse().expect("a format");
        setup.swiss.pairing = PairingSystem::MatchPoints;
        setup.bye.requests = vec![ByeLimit { rounds: 9, byes: 1 }];
        setup.players[players].house = true;
        setup.players[players].name = "House".to_owned();
        more(setup);
        let plan = setup.plan();
        (created.rounds, created.format) = (plan.rounds, plan.format);
    })
}

fn act(state: &mut State, act: Act) {
    let acted = ArbiterActed {
        act,
        by: "the arbiter".to_owned(),
        reason: "a test".to_owned(),
        overruled: Vec::new(),
    };
    let entries = decide(state, &BTreeSet::new(), &Command::Act(acted)).expect("it can be done now");
    for entry in &entries {
        state.apply(entry).expect("it follows");
    }
}

fn plays_in(state: &State, player: PairingNumber, round: usize) -> bool {
    let is_in = |pair: &Pair| pair.white == player || pair.black == player;
    state.rounds()[round - 1].pairing.pairs.iter().any(is_in)
}

#[test]
fn a_house_player_makes_an_odd_field_even() {
    let house = PairingNumber(6);
    let mut state = with_house(5, "4-SS");
    while next(&mut state) == Some(true) {
        // The house player beats all others: it is none the less ranked nowhere, and its points are what its opponents faced.
        play_round(&mut state, |white, black| {
            Some(white == house || (black != house && white < black))
        });
    }
    assert_eq!(state.house_players().collect::<Vec<_>>(), [house]);
    assert!(state.rounds().iter().all(|round| round.pairing.byes().next().is_none()));
    assert!((1..=4).all(|round| plays_in(&state, house, round)));
    assert_eq!(state.finished_games().count(), games_in_all(&state));
    assert_eq!(standings_after(&state, 4).rows.len(), 5);
    assert_snapshot!(standings(&state, 4).text(None), @"
    Spring qualifier: final standings after 4 rounds

    #  Name      MP  H2H  Buchholz  SB  GP  Win %  W/D/L  Games  Byes  Faults
    ─────────────────────────────────────────────────────────────────────────
    1  Player 1   3              7   3   6   75.0  6/0/2      8     0       0
    2  Player 2   2    2         9   2   4   50.0  4/0/4      8     0       0
    3  Player 3   2    0         7   1   4   50.0  4/0/4      8     0       0
    4  Player 4   1              9   0   2   25.0  2/0/6      8     0       0
    5  Player 5   0              8   0   0    0.0  0/0/8      8     0       0

    House player, who plays when the number of the others is odd, and is not ranked: House.
    Left out until the games are analysed (`swissmatch analyse`): ACPL.
    ");
    assert_snapshot!(crosstables(&state, 4).text(None), @"
    Spring qualifier: crosstable

    #  Name      1           2           3           4           MP  GP
    ───────────────────────────────────────────────────────────────────
    1  Player 1  4w+ 2       2w+ 2       House b- 0  5b+ 2        3   6
    2  Player 2  5w+ 2       1b- 0       3w+ 2       House b- 0   2   4
    3  Player 3  House w- 0  5b+ 2       2b- 0       4w+ 2        2   4
    4  Player 4  1b- 0       House w- 0  5w+ 2       3b- 0        1   2
    5  Player 5  2b- 0       3w- 0       4b- 0       1w- 0        0   0

    4w+ 2 means: against line 4, White in game 1, won, 2 game points.
    Other signs: b Black in game 1, - lost.
    A name in place of a line: a player who is not ranked.
    ");
}

#[test]
fn a_house_player_rests_where_the_others_are_even() {
    let state = play_all(with_house(6, "3-SS"));
    let house = PairingNumber(7);
    assert!((1..=3).all(|round| !plays_in(&state, house, round)));
    assert!(state.rounds().iter().all(|round| round.pairing.byes().next().is_none()));
    assert_eq!(state.finished_games().count(), games_in_all(&state));
}

#[test]
fn whether_the_house_player_plays_is_decided_after_who_is_there() {
    let mut state = with_house(6, "5-SS");
    let house = PairingNumber(7);
    let round = |state: &mut State| {
        assert_eq!(next(state), Some(true));
        play_round(state, |white, black| Some(white < black));
        let paired = state.rounds().len();
        let byes = state.rounds()[paired - 1].pairing.byes().count();
        (plays_in(state, house, paired), byes)
    };
    assert_eq!(round(&mut state), (false, 0));
    let player = PairingNumber(2);
    act(&mut state, Act::Withdraw { player });
    assert_eq!(round(&mut state), (true, 0), "five are left");
    let checked = PresenceChecked {
        round: 3,
        absent: vec![Absence {
            player: PairingNumber(4),
            why: "no answer".to_owned(),
        }],
    };
    state.apply(&Entry::PresenceChecked(checked)).expect("it follows");
    assert_eq!(round(&mut state), (false, 0), "four of them are there");
    let player = PairingNumber(1);
    act(&mut state, Act::RequestBye { player, round: 4 });
    assert_eq!(round(&mut state), (false, 0), "one of the five asked for a bye");
    act(&mut state, Act::Withdraw { player: house });
    assert_eq!(round(&mut state), (false, 1), "five, and nobody to make them even");
}

#[test]
fn acts_on_players_of_sections() {
    let mut state = of_sections([4, 4, 3], ["3-SS", "5-SS", "RR"], |setup| {
        setup.bye.requests = vec![ByeLimit { rounds: 9, byes: 1 }];
    });
    let refused = |state: &State, act: Act| {
        let acted = ArbiterActed {
            act,
            by: "the arbiter".to_owned(),
            reason: "a test".to_owned(),
            overruled: Vec::new(),
        };
        let refused = decide(state, &BTreeSet::new(), &Command::Act(acted));
        refused.map(|_| ()).expect_err("it cannot be done").to_string()
    };
    let parts = parts_of(&state);
    let [open, under, junior] = [0, 1, 2].map(|part| parts[part].players[0]);
    let other = parts[0].players[2];
    let (one, round) = (open, 1);
    assert_eq!(
        refused(
            &state,
            Act::Forbid {
                one,
                other: under,
                round
            }
        ),
        "the two play in different sections, so they are never paired"
    );
    assert_eq!(
        refused(&state, Act::RequestBye { player: junior, round }),
        "a bye can be asked for only in a Swiss"
    );
    assert_eq!(
        refused(&state, Act::RequestBye { player: open, round: 4 }),
        "Spring qualifier, Open has 3 rounds"
    );
    act(
        &mut state,
        Act::Force {
            white: open,
            black: parts[0].players[1],
            round,
        },
    );
    act(&mut state, Act::Withdraw { player: under });
    assert_eq!(next(&mut state), Some(true));
    let pairing = state.rounds()[0].pairing.clone();
    let forced = pairing.pairs.iter().find(|pair| pair.white == open);
    assert_eq!(forced.map(|pair| pair.black), Some(parts[0].players[1]));
    let byes: Vec<PairingNumber> = pairing.byes().collect();
    assert_eq!(byes.len(), 1, "of the section that lost a player");
    assert!(byes.iter().all(|player| parts[0].own_number(*player).is_none()));
    assert!(!plays_in(&state, under, 1));
    play_round(&mut state, |white, black| Some(white < black));
    act(
        &mut state,
        Act::RequestBye {
            player: other,
            round: 2,
        },
    );
    assert_eq!(next(&mut state), Some(true));
    let has_bye = |player| state.rounds()[1].pairing.byes().any(|bye| bye == player);
    assert!(!plays_in(&state, other, 2) && !has_bye(other));
    assert_eq!(state.rounds()[1].pairing.byes().count(), 2);
}

#[test]
fn the_house_player_is_in_no_tie_and_has_no_place() {
    let mut state = with_house_and(3, "2-SS", |setup| setup.playoff.places = vec![1]);
    while next(&mut state) == Some(true) {
        play_round(&mut state, |_, _| None);
    }
    let house = PairingNumber(4);
    let tied = ties::at_the_end(&state).expect("all are level").ties;
    let tied: Vec<PairingNumber> = tied.iter().flat_map(|tie| &tie.groups).flatten().copied().collect();
    assert!(tied.len() == 3 && !tied.contains(&house), "{tied:?}");
    let placing = final_places(&state);
    assert!(placing.order.len() == 3 && !placing.order.contains(&house));
}

#[test]
fn late_entries_belong_to_a_section_too() {
    let mut state = of_sections([4, 4, 0], ["3-SS", "2-SS", "RR"], |setup| {
        setup.registration.until = RegistrationUntil::Half;
    });
    let late = |name: &str, rating: Option<i32>, house: bool| {
        let player = Box::new(PlayerKeys {
            name: name.to_owned(),
            rating,
            house,
            section: None,
            ..state.setup().players[0].clone()
        });
        let agent = Box::new(state.created().agents[0].clone());
        Act::Enter { player, agent }
    };
    let [open, house, second, unrated] = [
        late("Late", Some(2100), false),
        late("House", Some(2200), true),
        late("Second house", Some(2300), true),
        late("Nobody", None, false),
    ];
    act(&mut state, open);
    act(&mut state, house);
    let plays = |state: &State| {
        parts_of(state)
            .iter()
            .map(|part| (part.players.len(), part.rounds))
            .collect::<Vec<_>>()
    };
    assert_eq!(plays(&state), [(6, 3), (4, 2)]);
    for (refused, why) in [
        (second, "House (10) is already the house player"),
        (
            unrated,
            "Nobody does not belong to exactly one section of the event: it has neither a rating nor a section",
        ),
    ] {
        let acted = ArbiterActed {
            act: refused,
            by: "the arbiter".to_owned(),
            reason: "a test".to_owned(),
            overruled: Vec::new(),
        };
        let refused = decide(&state, &BTreeSet::new(), &Command::Act(acted));
        let said = refused.map(|_| ()).expect_err("it cannot be done").to_string();
        assert!(said.ends_with(why), "{said}");
    }
    assert_eq!(games_in_all(&state), (3 * 3 + 2 * 2) * 2);
    let state = play_all(state);
    assert_eq!(state.finished_games().count(), games_in_all(&state));
    // Five and the house player; four.
    assert!(state.rounds().iter().all(|round| round.pairing.byes().next().is_none()));
    assert!((1..=3).all(|round| plays_in(&state, PairingNumber(10), round)));
    let tables: Vec<usize> = parts_after(&state, 3)
        .iter()
        .map(|(_, own, rounds)| standings_after(own, *rounds).rows.len())
        .collect();
    assert_eq!(tables, [5, 4]);
}

/// Late entries add the games of the rounds to come, withdrawals take them away; what is paired counts as it is.
#[test]
fn games_in_all_follow_who_is_there() {
    let mut state = before(4, |setup| {
        setup.swiss.rounds = "3-SS".parse().expect("a format");
        setup.registration.until = RegistrationUntil::Half;
    });
    assert_eq!(games_in_all(&state), 3 * 2 * 2);
    assert_eq!(next(&mut state), Some(true));
    for name in ["Late", "Later"] {
        let player = Box::new(PlayerKeys {
            name: name.to_owned(),
            ..state.setup().players[0].clone()
        });
        let agent = Box::new(state.created().agents[0].clone());
        act(&mut state, Act::Enter { player, agent });
    }
    assert_eq!(games_in_all(&state), (2 + 3 + 3) * 2);
    play_round(&mut state, |white, black| Some(white < black));
    assert_eq!(next(&mut state), Some(true));
    play_round(&mut state, |white, black| Some(white < black));
    act(
        &mut state,
        Act::Withdraw {
            player: PairingNumber(1),
        },
    );
    assert_eq!(games_in_all(&state), (2 + 3 + 2) * 2);
    let state = play_all(state);
    assert_eq!(state.finished_games().count(), games_in_all(&state));
}
