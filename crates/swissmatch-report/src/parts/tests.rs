//! Events of several parts, played by the rule that of two players the one with the smaller number wins every game.

mod by_round;
mod sections;
mod third;

use insta::assert_snapshot;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_tournament::games::games_in_all;
use swissmatch_tournament::knockout;
use swissmatch_tournament::part::parts_of;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::ranking::{ranking_after, standings_after};
use swissmatch_tournament::ties::event_is_over;

use super::super::fixture;
use super::*;
use swissmatch_game::opening::{OpeningSuite, SuiteFormat, parse_suite};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::director::{self, Next};
use swissmatch_tournament::log::{Entry, StageBegun};
use swissmatch_tournament::opening_plan::{self, OpeningPlan};
use swissmatch_tournament::playoff_rules::PlayoffStage;
use swissmatch_tournament::schedule::spec;
use swissmatch_tournament::setup::{
    HeadToHeadDays, LevelTie, OpeningOrder, OpeningPolicy, Setup, StageKeys, Third, Variant,
};

fn stage(format: &str, top: Option<u32>, games: Option<u32>) -> StageKeys {
    StageKeys {
        format: format.parse().expect("a format"),
        top,
        games,
        games_by_round: Vec::new(),
        time_control: None,
    }
}

fn before(players: usize, change: impl FnOnce(&mut Setup)) -> State {
    fixture::of_players(players, |created| {
        change(&mut created.setup);
        let plan = created.setup.plan();
        (created.rounds, created.format) = (plan.rounds, plan.format);
    })
}

/// Plays the games of the last round: whoever has `better` against the other player wins.
fn play_round(state: &mut State, better: impl Fn(PairingNumber, PairingNumber) -> Option<bool>) {
    let round = u32::try_from(state.rounds().len()).expect("few rounds");
    let boards = state.rounds().last().expect("paired").mini_matches.clone();
    for (mini_match, board) in (1..).zip(&boards) {
        for game in 1..=u32::try_from(board.games.len()).expect("few games") {
            let (white, black) = (board.white_of(game), board.black_of(game));
            let (outcome, termination) = match better(white, black) {
                Some(true) => (Outcome::WhiteWins, Termination::Checkmate),
                Some(false) => (Outcome::BlackWins, Termination::Checkmate),
                None => (Outcome::Draw, Termination::Stalemate),
            };
            let finished = fixture::entry_of((round, mini_match, game), (white.0, black.0), outcome, termination);
            state.apply(&Entry::GameFinished(finished)).expect("on the schedule");
        }
    }
}

/// Does what comes next; `Some` tells whether it was a round.
fn next(state: &mut State) -> Option<bool> {
    next_on(state, 30)
}

/// Like [`next`], but on a day of January 2026.
fn next_on(state: &mut State, day: i8) -> Option<bool> {
    let Next::Entries(entries) = director::next(state, jiff::civil::date(2026, 1, day)).expect("a pairing") else {
        return None;
    };
    for entry in &entries {
        state.apply(entry).expect("in turn");
    }
    Some(matches!(entries.as_slice(), [Entry::RoundPaired(_)]))
}

fn played(players: usize, change: impl FnOnce(&mut Setup)) -> State {
    let mut state = before(players, change);
    while let Some(is_round) = next(&mut state) {
        if is_round {
            play_round(&mut state, |white, black| Some(white < black));
        }
    }
    assert!(event_is_over(&state));
    assert_eq!(state.finished_games().count(), games_in_all(&state));
    state
}

fn rounds(written: &str) -> impl FnOnce(&mut Setup) {
    let rounds = written.parse().expect("a format");
    move |setup| setup.swiss.rounds = rounds
}

fn numbers(ranking: &[(u32, PairingNumber)]) -> Vec<(u32, u32)> {
    ranking.iter().map(|(place, number)| (*place, number.0)).collect()
}

#[test]
fn quads_are_a_table_each() {
    let state = played(9, rounds("quads"));
    assert_snapshot!(standings(&state, 3).csv(), @"
    Part,#,Name,MP,H2H,Buchholz,SB,GP,Win %,W/D/L,Games,Byes,Faults
    section 1,1,Player 1,3,,3,3,6,100.0,6/0/0,6,0,0
    section 1,2,Player 2,2,,4,1,4,66.7,4/0/2,6,0,0
    section 1,3,Player 3,1,,5,0,2,33.3,2/0/4,6,0,0
    section 1,4,Player 4,0,,6,0,0,0.0,0/0/6,6,0,0
    section 2,1,Player 5,3,,4,4,6,100.0,6/0/0,6,0,0
    section 2,2,Player 6,2,,4,1,4,66.7,4/0/2,6,0,0
    section 2,3,Player 7,1.5,,3.5,0.5,3,50.0,2/0/2,4,1,0
    section 2,4,Player 8,0.5,0,5,0,1,0.0,0/0/4,4,1,0
    section 2,5,Player 9,0.5,0,3.5,0,1,0.0,0/0/4,4,1,0
    ");
    assert_snapshot!(crosstables(&state, 3).csv(), @"
    Part,#,Name,1,2,3,MP,GP
    section 1,1,Player 1,4w+ 2,2w+ 2,3b+ 2,3,6
    section 1,2,Player 2,3w+ 2,1b- 0,4w+ 2,2,4
    section 1,3,Player 3,2b- 0,4b+ 2,1w- 0,1,2
    section 1,4,Player 4,1b- 0,3w- 0,2b- 0,0,0
    section 2,1,Player 5,3w+ 2,2w+ 2,4b+ 2,3,6
    section 2,2,Player 6,4w+ 2,1b- 0,5b+ 2,2,4
    section 2,3,Player 7,1b- 0,5w+ 2,bye,1.5,3
    section 2,4,Player 8,2b- 0,bye,1w- 0,0.5,1
    section 2,5,Player 9,bye,3b- 0,2w- 0,0.5,1
    ");
    let value: serde_json::Value = serde_json::from_str(&standings_json(&state, 3)).expect("JSON");
    assert_eq!(value["final"], true);
    let parts = value["parts"].as_array().expect("a list");
    assert_eq!(parts.len(), 2);
    assert_eq!(
        (&parts[1]["part"], &parts[1]["format"]),
        (&"section 2".into(), &"3".into())
    );
    assert_eq!(parts[1]["players"][0]["name"], "Player 5");
    assert_eq!(parts[1]["players"].as_array().map(Vec::len), Some(5));
    assert!(
        value.get("ranking").is_none(),
        "nobody of one section is ranked before another"
    );
}

#[test]
fn sections_never_meet() {
    for players in 2..24 {
        let state = played(players, rounds("quads"));
        let parts = parts_of(&state);
        let section = |number| parts.iter().position(|part| part.own_number(number).is_some());
        for round in state.rounds() {
            for pair in &round.pairing.pairs {
                assert_eq!(section(pair.white), section(pair.black), "{players}");
            }
        }
        let sizes: usize = parts.iter().map(|part| part.players.len()).sum();
        assert_eq!(sizes, players);
    }
}

#[test]
fn a_part_is_ranked_as_an_event_of_its_own() {
    let alone = played(7, rounds("3-SS"));
    let staged = played(7, |setup| {
        setup.event.stages = vec![stage("3-SS", None, None), stage("knockout", Some(4), None)];
    });
    let (part, own, rounds) = parts_after(&staged, 3).remove(0);
    assert_eq!((part.to_string().as_str(), rounds), ("stage 1", 3));
    assert_eq!(standings_after(&own, 3), standings_after(&alone, 3));
    assert_eq!(own.rounds(), alone.rounds());
}

#[test]
fn stages_go_on_with_the_top_of_the_one_before() {
    let state = played(7, |setup| {
        setup.event.stages = vec![stage("3-SS", None, None), stage("knockout", Some(4), Some(4))];
    });
    assert_eq!((state.created().rounds, state.rounds().len()), (5, 5));
    let seeds: Vec<u32> = state.fields()[0].iter().map(|number| number.0).collect();
    // After three rounds of seven players these were first, in this order.
    assert_eq!(seeds, [1, 3, 2, 6]);
    assert_eq!(state.rounds()[3].pairing.pairs.len(), 2);
    assert_eq!(state.rounds()[3].mini_matches[0].games.len(), 4);
    assert_eq!(
        numbers(&ranking_after(&state, 5))[..4],
        [(1, 1), (2, 2), (3, 3), (3, 6)]
    );
    let rest: Vec<u32> = ranking_after(&state, 5)[4..].iter().map(|(place, _)| *place).collect();
    assert_eq!((rest[0], rest.len()), (5, 3));
    let listed: Vec<PairingNumber> = standings_after(&state, 5).rows.iter().map(|row| row.player).collect();
    assert_eq!(
        listed,
        ranking_after(&state, 5)
            .iter()
            .map(|(_, number)| *number)
            .collect::<Vec<_>>()
    );
    // After round 3 the knockout has not begun.
    assert_eq!(parts_after(&state, 3).len(), 1);
    assert_snapshot!(standings(&state, 5).text(None), @"
    Spring qualifier: final ranking

    #  Name
    ───────────
    1  Player 1
    2  Player 2
    3  Player 3
    3  Player 6
    5  Player 4
    6  Player 7
    7  Player 5

    The players of the last stage come first, as it ranks them; then the others, as the stage before left them.

    Spring qualifier, stage 1: final standings after 3 rounds

    #  Name       MP  H2H  Buchholz   SB  GP  Win %  W/D/L  Games  Byes  Faults
    ───────────────────────────────────────────────────────────────────────────
    1  Player 1    3              5    5   6  100.0  6/0/0      6     0       0
    2  Player 3    2   0*         5    2   4   66.7  4/0/2      6     0       0
    3  Player 2    2   0*       4.5  1.5   4   66.7  4/0/2      6     0       0
    4  Player 6  1.5            2.5  0.5   3   50.0  2/0/2      4     1       0
    5  Player 4    1            5.5  0.5   2   33.3  2/0/4      6     0       0
    6  Player 7  0.5   0*       3.5    0   1    0.0  0/0/4      4     1       0
    7  Player 5  0.5   0*         3    0   1    0.0  0/0/4      4     1       0

    * H2H among players level with each other who have not all met.
    Byes: round 1 Player 7; round 2 Player 6; round 3 Player 5.

    Spring qualifier, stage 2: final standings after 2 rounds

    #  Name      MP  H2H  Buchholz  SB  GP  Win %  W/D/L  Games  Byes  Faults
    ─────────────────────────────────────────────────────────────────────────
    1  Player 1   2              1   1   8  100.0  8/0/0      8     0       0
    2  Player 2   1              2   0   4   50.0  4/0/4      8     0       0
    3  Player 3   0   0*         1   0   0    0.0  0/0/4      4     0       0
    3  Player 6   0   0*         2   0   0    0.0  0/0/4      4     0       0

    * H2H among players level with each other who have not all met.
    Knockout: places go by the round in which a player went out; those who went out together share a place.
    Left out until the games are analysed (`swissmatch analyse`): ACPL.
    ");
}

#[test]
fn a_stage_for_more_than_there_are_is_played_by_them_all() {
    // Of eight who might have handed something in, three have.
    let state = played(3, |setup| {
        setup.event.stages = vec![
            stage("2-SS", None, None),
            stage("3-SS", Some(8), None),
            stage("knockout", Some(4), None),
        ];
    });
    let sizes: Vec<usize> = state.fields().iter().map(Vec::len).collect();
    assert_eq!((sizes, state.created().rounds), (vec![3, 3], 7));
    // The first of the stage before is free in the first round of a knockout of three.
    assert_eq!(state.rounds()[5].pairing.pairs.len(), 1);
    assert_eq!(numbers(&ranking_after(&state, 7)), [(1, 1), (2, 2), (3, 3)]);
}

#[test]
fn a_stage_of_others_or_out_of_turn_is_no_history() {
    let mut state = before(7, |setup| {
        setup.event.stages = vec![stage("2-SS", None, None), stage("RR", Some(3), None)];
    });
    let begun = |stage: u32, players: &[u32]| {
        Entry::StageBegun(StageBegun {
            stage,
            players: players.iter().map(|&number| PairingNumber(number)).collect(),
        })
    };
    assert!(
        state.clone().apply(&begun(2, &[1, 2, 3])).is_err(),
        "stage 1 is not over"
    );
    for _ in 0..2 {
        assert_eq!(next(&mut state), Some(true));
        play_round(&mut state, |white, black| Some(white < black));
    }
    for (stage, players) in [(2, &[1, 2][..]), (2, &[1, 2, 2]), (2, &[1, 2, 8]), (3, &[1, 2, 3])] {
        assert!(
            state.clone().apply(&begun(stage, players)).is_err(),
            "{stage} {players:?}"
        );
    }
    assert_eq!(state.clone().apply(&begun(2, &[3, 1, 2])), Ok(()));
}

#[test]
fn a_knockout_places_by_the_round_in_which_one_went_out() {
    let state = played(6, rounds("knockout"));
    // 1 and 2 are free in round 1.
    assert_eq!(
        numbers(&knockout::places_after(&state, 1)),
        [(1, 1), (1, 2), (1, 3), (1, 4), (5, 5), (5, 6)]
    );
    assert_eq!(
        numbers(&knockout::places_after(&state, 3)),
        [(1, 1), (2, 2), (3, 3), (3, 4), (5, 5), (5, 6)]
    );
    let places: Vec<u32> = standings_after(&state, 3).rows.iter().map(|row| row.place).collect();
    assert_eq!(places, [1, 2, 3, 3, 5, 5]);
}

#[test]
fn the_better_seed_goes_on_and_is_third_where_the_keys_say_so() {
    let mut state = before(6, |setup| {
        rounds("knockout")(setup);
        (setup.playoff.knockout, setup.playoff.third) = (LevelTie::BetterSeed, Third::BetterSeed);
    });
    for _ in 0..3 {
        assert_eq!(next(&mut state), Some(true));
        play_round(&mut state, |_, _| None);
    }
    assert!(event_is_over(&state), "nothing is played off");
    let places = |rounds| numbers(&knockout::places_after(&state, rounds));
    assert_eq!(places(1), [(1, 1), (1, 2), (1, 3), (1, 4), (5, 5), (5, 6)]);
    assert_eq!(places(2), [(1, 1), (1, 2), (3, 3), (4, 4), (5, 5), (5, 6)]);
    assert_eq!(places(3), [(1, 1), (2, 2), (3, 3), (4, 4), (5, 5), (5, 6)]);
}

/// The seeds follow the places of the stage before, whatever the numbers in the event.
#[test]
fn seeds_of_a_later_stage_are_the_places_of_the_one_before() {
    let mut state = before(6, |setup| {
        setup.event.stages = vec![stage("RR", None, None), stage("knockout", Some(4), Some(2))];
        (setup.playoff.knockout, setup.playoff.third) = (LevelTie::BetterSeed, Third::BetterSeed);
    });
    for round in 0..7 {
        while next(&mut state) == Some(false) {}
        assert_eq!(state.rounds().len(), round + 1);
        play_round(&mut state, |white, black| (round < 5).then_some(white > black));
    }
    assert!(event_is_over(&state));
    let ranking: Vec<u32> = ranking_after(&state, 7).iter().map(|(_, player)| player.0).collect();
    assert_eq!(ranking, [6, 5, 4, 3, 2, 1]);
    assert_eq!(
        ranking_after(&state, 7)
            .iter()
            .map(|(place, _)| *place)
            .collect::<Vec<_>>(),
        [1, 2, 3, 4, 5, 6]
    );
}

#[test]
fn a_level_tie_is_left_to_the_arbiter_where_there_are_no_stages() {
    let mut state = before(4, rounds("knockout"));
    assert_eq!(next(&mut state), Some(true));
    play_round(&mut state, |white, black| {
        (white.0 + black.0 != 5 || white.0.min(black.0) == 1).then_some(white < black)
    });
    assert_eq!(knockout::winners(&state)[0][0], Some(PairingNumber(1)));
    assert_eq!(knockout::winners(&state)[0][1], None);
    let next = director::next(&state, jiff::civil::date(2026, 1, 30));
    assert_eq!(next, Ok(director::Next::Decision));
    assert_eq!(
        numbers(&knockout::places_after(&state, 1)),
        [(1, 1), (1, 2), (1, 3), (4, 4)]
    );
}

/// Openings with their numbers from 0 as names.
fn numbered(count: usize) -> OpeningSuite {
    let line = |number| format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"{number}\";\n");
    let text: String = (0..count).map(line).collect();
    parse_suite(text.as_bytes(), SuiteFormat::Epd, Variant::Standard, None).expect("positions")
}

#[test]
fn openings_go_on_from_stage_to_stage() {
    let state = played(4, |setup| {
        setup.mini_match.opening_order = OpeningOrder::Sequential;
        let quick = StageKeys {
            time_control: Some("1".parse().expect("a time control")),
            ..stage("RR", Some(2), Some(4))
        };
        setup.event.stages = vec![stage("3-SS", None, None), quick, stage("double-RR", Some(2), None)];
    });
    let mut plan = OpeningPlan::new(state.setup(), numbered(20));
    let mut of = |round, game| {
        let id = GameId {
            round,
            playoff: 0,
            board: 1,
            game,
        };
        spec(&state, &mut plan, id).map(|spec| (spec.opening.name, spec.limits.time_controls[1].to_string()))
    };
    let said = |name: &str, control: &str| Some((name.to_owned(), control.to_owned()));
    assert_eq!(of(3, 2), said("2", "30s/move"));
    assert_eq!(of(4, 2), said("3", "1"));
    assert_eq!(of(4, 4), said("4", "1"));
    assert_eq!(of(5, 1), said("5", "30s/move"));
}

/// The openings of a round's games, by number, board by board.
fn of_round(
    state: &State,
    plan: &mut OpeningPlan,
    round: u32,
    playoff: u32,
    boards: u32,
    games: u32,
) -> Vec<Vec<String>> {
    let mut of = |mini_match, game| {
        let id = GameId {
            round,
            playoff,
            board: mini_match,
            game,
        };
        plan.opening_of(state, id).name
    };
    let mut board = |mini_match| (1..=games).map(|game| of(mini_match, game)).collect();
    (1..=boards).map(&mut board).collect()
}

#[test]
fn openings_are_those_of_the_round_or_of_the_mini_match() {
    let of = |policy| {
        let state = played(5, |setup| {
            setup.mini_match.opening_order = OpeningOrder::Sequential;
            setup.mini_match.opening_policy = policy;
            setup.mini_match.games = 4;
            setup.swiss.rounds = "2-SS".parse().expect("a format");
        });
        let needed = opening_plan::needed(state.setup());
        let mut plan = OpeningPlan::new(state.setup(), numbered(20));
        let rounds = [1, 2].map(|round| of_round(&state, &mut plan, round, 0, 2, 4));
        // A play-off after the last round goes on where that ended.
        let playoff = of_round(&state, &mut plan, 2, 1, 2, 2);
        (rounds, playoff, needed)
    };
    let (rounds, playoff, needed) = of(OpeningPolicy::Round);
    assert_eq!(rounds, [[["0", "0", "1", "1"]; 2], [["2", "2", "3", "3"]; 2]]);
    assert_eq!(
        (playoff, needed),
        (
            [["4", "4"]; 2].map(|board| board.map(str::to_owned).to_vec()).to_vec(),
            4
        )
    );
    let (rounds, playoff, needed) = of(OpeningPolicy::MiniMatch);
    assert_eq!(
        rounds,
        [
            [["0", "0", "1", "1"], ["2", "2", "3", "3"]],
            [["4", "4", "5", "5"], ["6", "6", "7", "7"]]
        ]
    );
    assert_eq!(playoff, [["8", "8"], ["9", "9"]]);
    assert_eq!(needed, 8);
}

/// A knockout has fewer boards every round: no opening is passed over.
#[test]
fn openings_of_mini_matches_are_taken_without_gaps() {
    let state = played(8, |setup| {
        setup.mini_match.opening_order = OpeningOrder::Sequential;
        setup.mini_match.opening_policy = OpeningPolicy::MiniMatch;
        setup.mini_match.games = 2;
        setup.swiss.rounds = "knockout".parse().expect("a format");
    });
    let mut plan = OpeningPlan::new(state.setup(), numbered(20));
    let mut first = |round, boards| of_round(&state, &mut plan, round, 0, boards, 1).concat();
    assert_eq!(first(1, 4), ["0", "1", "2", "3"]);
    assert_eq!(first(2, 2), ["4", "5"]);
    assert_eq!(first(3, 1), ["6"]);
}

/// The start moves along the order, drawn or not; every opening is played before one comes again.
#[test]
fn openings_begin_where_the_key_says() {
    let of = |order, start| {
        let state = played(4, |setup| {
            setup.mini_match.opening_order = order;
            setup.mini_match.opening_start = start;
            setup.mini_match.games = 10;
            setup.swiss.rounds = "2-SS".parse().expect("a format");
        });
        let mut plan = OpeningPlan::new(state.setup(), numbered(5));
        let mut of_pairs = |round| {
            let games = of_round(&state, &mut plan, round, 0, 1, 10).concat();
            assert!(games.chunks(2).all(|pair| pair[0] == pair[1]), "{games:?}");
            games.into_iter().step_by(2).collect::<Vec<_>>().concat()
        };
        [of_pairs(1), of_pairs(2)]
    };
    assert_eq!(of(OpeningOrder::Sequential, 1), ["01234", "01234"]);
    assert_eq!(of(OpeningOrder::Sequential, 4), ["34012", "34012"]);
    let [first, second] = of(OpeningOrder::Random, 1);
    assert_ne!(first, second, "each time through has an order of its own");
    let [moved, _] = of(OpeningOrder::Random, 3);
    assert_eq!(moved, [&first[2..], &first[..2]].concat());
}

/// 1 and 2 are level ahead of the others, and 1 has beaten 2, in round 2 of three, which are played on these days.
fn won_head_to_head(days: [i8; 3], counted: HeadToHeadDays) -> Next {
    let mut state = before(4, |setup| {
        setup.swiss.rounds = "RR".parse().expect("a format");
        setup.playoff.places = vec![1];
        setup.playoff.stages = vec![PlayoffStage::HeadToHead];
        setup.playoff.head_to_head = counted;
    });
    let better = |white: PairingNumber, black: PairingNumber| match (white.0.min(black.0), white.0.max(black.0)) {
        (1, 3) => Some(black.0 == 1),
        (3, 4) => None,
        _ => Some(white < black),
    };
    for day in days {
        assert_eq!(next_on(&mut state, day), Some(true));
        play_round(&mut state, better);
    }
    let tied = swissmatch_tournament::ties::all(&state);
    let tied: Vec<PairingNumber> = tied[0].ties[0].groups.concat();
    assert_eq!(tied.len(), 2);
    director::next(&state, jiff::civil::date(2026, 1, 30)).expect("a pairing")
}

/// "If the tied players have already faced each other in a round that day and the result was decisive, that result is used."
#[test]
fn city_chess_head_to_head_that_day() {
    let (same, any) = (HeadToHeadDays::SameDay, HeadToHeadDays::AnyDay);
    assert_eq!(won_head_to_head([8, 8, 8], same), Next::Nothing, "settled");
    assert_eq!(
        won_head_to_head([7, 8, 8], same),
        Next::Nothing,
        "the day of the last round"
    );
    assert_eq!(won_head_to_head([7, 7, 8], same), Next::Decision, "another day");
    assert_eq!(won_head_to_head([7, 7, 8], any), Next::Nothing);
}

/// A head-to-head result settles a level final without any further event.
#[test]
fn a_level_final_goes_to_who_won_before() {
    let mut state = before(3, |setup| {
        setup.event.stages = vec![stage("RR", None, None), stage("knockout", Some(2), Some(2))];
        setup.playoff.stages = vec![PlayoffStage::HeadToHead];
    });
    for _ in 0..3 {
        assert_eq!(next(&mut state), Some(true));
        play_round(&mut state, |white, black| Some(white < black));
    }
    assert_eq!(next(&mut state), Some(false), "the stage begins");
    assert_eq!(next(&mut state), Some(true));
    play_round(&mut state, |_, _| None);
    assert_eq!(knockout::winners(&state)[3][0], Some(PairingNumber(1)));
    assert_eq!(next(&mut state), None);
    assert!(event_is_over(&state));
    assert_eq!(numbers(&ranking_after(&state, 4)), [(1, 1), (2, 2), (3, 3)]);
}

#[test]
fn of_several_pages_one_without_a_row_is_its_notes() {
    let page = |title: &str, rows: Vec<Vec<String>>| Page {
        title: title.to_owned(),
        table: Table {
            columns: vec![Column::words("Game")],
            rows,
        },
        notes: vec!["That is all.".to_owned()],
    };
    let full = page("One", vec![vec!["1.1.1".to_owned()]]);
    let empty = page("Two", Vec::new());
    let pages = Pages::of_parts(vec![("one".to_owned(), full), ("two".to_owned(), empty.clone())]);
    let (text, markdown) = (pages.text(None), pages.markdown());
    assert!(
        text.starts_with("One\n\nGame\n") && text.ends_with("\nTwo\n\nThat is all.\n"),
        "{text}"
    );
    assert!(
        markdown.contains("| Game |") && markdown.ends_with("\n## Two\n\nThat is all.\n"),
        "{markdown}"
    );
    assert_eq!(pages.csv(), "Part,Game\none,1.1.1\n");
    assert!(Pages::from(empty).text(None).contains("\nGame\n"));
}
