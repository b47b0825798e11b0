//! 2024 Grand Chess Tour, Tiebreak Regulations. The source numbers the rules of its sections 3 and 4 as 2.x and 3.x; here they
//! have the numbers of their sections.

use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::standings::criterion::{Code, Criterion, Score};
use swissmatch::config::{PRESETS, load};
use swissmatch::game::Side;
use swissmatch::tournament::column::Column;
use swissmatch::tournament::log::{Draw, Lot, PlayoffBoard, TieKey};
use swissmatch::tournament::money::Cents;
use swissmatch::tournament::placing::Placing;
use swissmatch::tournament::playoff::facts::{Facts, Tie};
use swissmatch::tournament::playoff::stand::Due;
use swissmatch::tournament::prizes::{PrizeLine, statement};
use swissmatch::tournament::setup::{PlayoffNumbers, PlayoffWhen, Setup, TiedOn};
use swissmatch::tournament::state::RefinedTie;
use swissmatch::tournament::{playoff, ties};

use super::event;

const RAPID_BLITZ: &str = "gct-rapid-blitz";
const CLASSICAL: &str = "gct-classical";
const TOUR: &str = "gct-tour";

fn tie(first: u32, players: u32) -> Tie {
    Tie {
        key: TieKey {
            round: 9,
            section: 0,
            board: 0,
            first,
            last: first + players - 1,
        },
        groups: (1..=players).map(|player| vec![PairingNumber(player)]).collect(),
    }
}

/// The first round of a play-off by a preset, lots drawn as they are asked for.
fn first_round(preset: &str, players: u32) -> Vec<PlayoffBoard> {
    let rules = ties::rules(&event(preset, ""));
    let mut facts = Facts::default();
    loop {
        match playoff::stand(&[tie(1, players)], &rules, &facts).due {
            Due::Lots(due) => facts.lots.extend(due.into_iter().map(|lot| Lot {
                purpose: lot.purpose,
                drawn: lot.among,
            })),
            Due::Round(boards) => return boards,
            other => panic!("{other:?}"),
        }
    }
}

fn limits(board: &PlayoffBoard) -> [String; 2] {
    board.limits.each_ref().map(ToString::to_string)
}

/// How many seconds both sides have in a game of so many moves each, if they use all of it.
fn seconds(board: &PlayoffBoard, moves: u32) -> [u64; 2] {
    board
        .limits
        .each_ref()
        .map(|limits| limits.longest_of_side(moves).as_secs())
}

/// "In the event of a tie for first place there shall be a playoff amongst all the players involved in the tie."
fn first_place_is_played_off_by_all(setup: &Setup) {
    let keys = &setup.playoff;
    assert_eq!(
        (keys.places.as_slice(), keys.when, keys.tied_on),
        ([1].as_slice(), PlayoffWhen::Tied, TiedOn::Points)
    );
    let rules = ties::rules(setup);
    assert!(!rules.top_two);
    assert_eq!(setup.standings.order.len(), 1, "nothing but the points ranks");
}

#[test]
fn gct_1_a_playoff_only_for_first_place_of_an_event_and_in_the_final_standings() {
    for (name, text) in PRESETS {
        let is_of_the_tour = name.starts_with("gct-");
        assert_eq!(
            text.contains("\nplaces = [1"),
            is_of_the_tour || name == "us-chess",
            "{name}"
        );
    }
}

/// Its events are all-play-alls of single games; "tied" is level on the points of the games, and nothing but those ranks.
#[test]
fn gct_1_an_event_is_an_all_play_all_of_single_games_ranked_by_their_points() {
    for preset in [RAPID_BLITZ, CLASSICAL] {
        let setup = event(preset, "");
        assert_eq!(
            (setup.swiss.rounds.to_string().as_str(), setup.mini_match.games),
            ("RR", 1),
            "{preset}"
        );
        let plan = setup.swiss.rounds.plan(10);
        assert_eq!(
            (plan.rounds, plan.format),
            (9, TournamentFormat::AllPlayAll),
            "{preset}"
        );
        let points = [Criterion::from(Code::GamePoints)];
        assert_eq!(setup.standings.order, points, "{preset}");
        assert_eq!(ties::tied_on(&setup), points, "{preset}");
        assert_eq!(setup.standings.columns[0], Column::Criterion(points[0]), "{preset}");
        assert_eq!(
            setup.standings.rules().primary(),
            Score::Game,
            "{preset}: direct encounter is on game points"
        );
    }
}

#[test]
fn gct_2_1_rapid_and_blitz_a_tie_for_first_is_played_off() {
    first_place_is_played_off_by_all(&event(RAPID_BLITZ, ""));
}

#[test]
fn gct_3_1_classical_a_tie_for_first_is_played_off() {
    first_place_is_played_off_by_all(&event(CLASSICAL, ""));
}

/// "On the same day and shall commence not less than fifteen minutes after the end of the last game": by the program itself, at
/// once when the time has come.
#[test]
fn gct_2_2_not_less_than_fifteen_minutes_after_the_last_game() {
    assert_eq!(event(RAPID_BLITZ, "").playoff.start_after, Duration::from_mins(15));
}

#[test]
fn gct_3_2_not_less_than_fifteen_minutes_after_the_last_game() {
    assert_eq!(event(CLASSICAL, "").playoff.start_after, Duration::from_mins(15));
}

fn most_wins_most_blacks_direct_encounter(preset: &str) {
    let PlayoffNumbers::By(criteria) = event(preset, "").playoff.numbers else {
        panic!("by criteria");
    };
    let codes: Vec<String> = criteria.iter().map(ToString::to_string).collect();
    assert_eq!(codes, ["WIN", "BPG", "DE"]);
}

#[test]
fn gct_2_3_most_wins_most_blacks_direct_encounter_then_lots() {
    most_wins_most_blacks_direct_encounter(RAPID_BLITZ);
}

#[test]
fn gct_3_3_most_wins_most_blacks_direct_encounter_then_lots() {
    most_wins_most_blacks_direct_encounter(CLASSICAL);
}

fn a_mini_match_of_two_games(preset: &str, limit: &str, sixty_moves: u64) {
    let boards = first_round(preset, 2);
    assert_eq!((boards.len(), boards[0].games, boards[0].draw), (1, 2, Draw::Shared));
    assert_eq!(limits(&boards[0]), [limit, limit]);
    assert_eq!(seconds(&boards[0], 60), [sixty_moves; 2]);
}

#[test]
fn gct_2_3_1_two_players_two_games_of_8_minutes_and_3_seconds() {
    a_mini_match_of_two_games(RAPID_BLITZ, "480+3", 480 + 60 * 3);
}

#[test]
fn gct_3_3_1_two_players_two_games_of_10_minutes_and_5_seconds() {
    a_mini_match_of_two_games(CLASSICAL, "600+5", 600 + 60 * 5);
}

fn a_single_round_robin(preset: &str, limit: &str) {
    let boards = first_round(preset, 4);
    assert_eq!(boards.len(), 2);
    assert!(
        boards
            .iter()
            .all(|board| board.games == 1 && limits(board) == [limit, limit])
    );
}

#[test]
fn gct_2_3_2_three_or_more_a_round_robin_of_5_minutes_and_2_seconds() {
    a_single_round_robin(RAPID_BLITZ, "300+2");
}

#[test]
fn gct_3_3_2_three_or_more_a_round_robin_of_10_minutes_and_5_seconds() {
    a_single_round_robin(CLASSICAL, "600+5");
}

/// The game that follows two drawn ones, and who plays it.
fn armageddon(preset: &str) -> PlayoffBoard {
    use swissmatch::game::termination::{Outcome, Termination};
    use swissmatch::tournament::playoff::facts::{BegunBoard, Ended};
    let rules = ties::rules(&event(preset, ""));
    let drawn = Some(Ended {
        outcome: Outcome::Draw,
        termination: Termination::Stalemate,
    });
    let mut facts = Facts::default();
    for board in first_round(preset, 2) {
        facts.boards.push(BegunBoard {
            games: vec![drawn; board.games as usize],
            board,
        });
    }
    loop {
        match playoff::stand(&[tie(1, 2)], &rules, &facts).due {
            Due::Lots(due) => facts.lots.extend(due.into_iter().map(|lot| Lot {
                purpose: lot.purpose,
                drawn: lot.among,
            })),
            Due::Round(mut boards) => return boards.remove(0),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn gct_2_4_what_stays_tied_goes_to_single_armageddon_games() {
    assert_eq!(armageddon(RAPID_BLITZ).games, 1);
}

#[test]
fn gct_3_4_what_stays_tied_goes_to_single_armageddon_games() {
    assert_eq!(armageddon(CLASSICAL).games, 1);
}

/// "White shall have 5 minutes and Black shall have 4 minutes, with a 2 second increment from move 61."
fn five_against_four_and_two_seconds_from_move_61(preset: &str) {
    let game = armageddon(preset);
    assert_eq!(seconds(&game, 60), [300, 240]);
    assert_eq!(seconds(&game, 61), [302, 242]);
}

#[test]
fn gct_2_5_1_five_against_four_minutes_and_two_seconds_from_move_61() {
    five_against_four_and_two_seconds_from_move_61(RAPID_BLITZ);
}

#[test]
fn gct_3_5_1_five_against_four_minutes_and_two_seconds_from_move_61() {
    five_against_four_and_two_seconds_from_move_61(CLASSICAL);
}

#[test]
fn gct_2_5_2_and_3_5_2_a_draw_is_a_win_for_black() {
    for preset in [RAPID_BLITZ, CLASSICAL] {
        assert_eq!(armageddon(preset).draw, Draw::WinForBlack, "{preset}");
    }
}

/// The coin falls for the lower pairing number here, who chooses Black where nothing else is said.
#[test]
fn gct_2_5_3_and_3_5_3_the_winner_of_the_toss_chooses_the_colour() {
    for preset in [RAPID_BLITZ, CLASSICAL] {
        assert_eq!(armageddon(preset).player(Side::Black, 1), PairingNumber(1), "{preset}");
    }
    let setup = event("none", "");
    assert_eq!(setup.players[0].armageddon, None);
}

/// Two tied for first, told apart by a play-off: what each has, the winner first.
fn shares_of_two(preset: &str, first: u32, second: u32) -> Vec<Cents> {
    let setup = event(preset, &format!("[prizes]\nby_place = [{first}, {second}]"));
    let refined = RefinedTie {
        first_place: 1,
        parts: vec![vec![2], vec![1]],
        is_over: true,
    };
    let placing = Placing::new(
        vec![vec![1, 2], vec![3], vec![4]],
        vec![vec![1, 2], vec![3], vec![4]],
        &[refined],
    );
    let statement = statement(&placing, &setup.prizes);
    assert_eq!(statement.accounts[0].player, 2);
    assert!(statement.pending.is_empty());
    statement.accounts.iter().map(|account| account.money()).collect()
}

fn money(amounts: [u64; 4]) -> Vec<Cents> {
    amounts.map(|amount| Cents::new(amount * 100)).to_vec()
}

#[test]
fn gct_2_6_5000_of_the_first_prize_go_to_the_winner_and_the_rest_is_shared() {
    assert_eq!(
        shares_of_two(RAPID_BLITZ, 40_000, 30_000),
        money([37_500, 32_500, 0, 0])
    );
}

#[test]
fn gct_3_6_10000_of_the_first_prize_go_to_the_winner_and_the_rest_is_shared() {
    assert_eq!(shares_of_two(CLASSICAL, 40_000, 30_000), money([40_000, 30_000, 0, 0]));
}

fn points_of_two(preset: &str, played_off: bool) -> Vec<String> {
    let keys = "[prizes]\npoints = [12, 10, 8]\noutright_bonus = 1";
    let refined = RefinedTie {
        first_place: 1,
        parts: vec![vec![2], vec![1]],
        is_over: true,
    };
    let (levels, refined) = if played_off {
        (vec![vec![1, 2], vec![3], vec![4]], vec![refined])
    } else {
        (vec![vec![1], vec![2], vec![3], vec![4]], Vec::new())
    };
    let placing = Placing::new(levels.clone(), levels, &refined);
    let statement = statement(&placing, &event(preset, keys).prizes);
    statement
        .accounts
        .iter()
        .map(|account| account.points().to_string())
        .collect()
}

#[test]
fn gct_2_7_and_3_7_points_are_divided_evenly_and_no_bonus_after_a_playoff() {
    for preset in [RAPID_BLITZ, CLASSICAL] {
        assert_eq!(points_of_two(preset, true), ["11", "11", "8", "0"], "{preset}");
        assert_eq!(
            points_of_two(preset, false),
            ["13", "10", "8", "0"],
            "{preset}: won outright"
        );
    }
}

#[test]
fn gct_2_8_and_3_8_other_ties_share_money_and_points_and_are_not_played_off() {
    for preset in [RAPID_BLITZ, CLASSICAL] {
        let setup = event(
            preset,
            "[prizes]\nby_place = [40000, 30000, 20000]\npoints = [12, 10, 8]",
        );
        let settled = playoff::stand(&[tie(2, 2)], &ties::rules(&setup), &Facts::default());
        assert_eq!(settled.due, Due::Nothing, "{preset}");
        let levels = vec![vec![1], vec![2, 3], vec![4]];
        let statement = statement(&Placing::new(levels.clone(), levels, &[]), &setup.prizes);
        let fixed = |line: &PrizeLine| matches!(line, PrizeLine::Fixed(_));
        assert!(!statement.accounts.iter().flat_map(|account| &account.lines).any(fixed));
        let shares: Vec<Cents> = statement.accounts.iter().map(|account| account.money()).collect();
        assert_eq!(shares, money([40_000, 25_000, 25_000, 0]), "{preset}");
        let points: Vec<String> = statement
            .accounts
            .iter()
            .map(|account| account.points().to_string())
            .collect();
        assert_eq!(points, ["12", "9", "9", "0"], "{preset}");
    }
}

#[test]
fn gct_4_1_and_4_2_ties_for_first_and_third_are_played_off_and_no_others() {
    let setup = event(TOUR, "");
    assert_eq!(ties::places(&setup), [1, 3]);
    let rules = ties::rules(&setup);
    for (first, players, is_played_off) in [(1, 2, true), (3, 2, true), (1, 5, true), (2, 2, false), (4, 3, false)] {
        let due = playoff::stand(&[tie(first, players)], &rules, &Facts::default()).due;
        assert_eq!(due != Due::Nothing, is_played_off, "{players} from place {first} on");
    }
}

#[test]
fn gct_4_3_the_first_three_are_invited() {
    assert_eq!(event(TOUR, "").tour.qualified, 3);
}

/// "On the day immediately following the end of the last scheduled round": a tour file is run when its day has come, and then
/// waits for nothing.
#[test]
fn gct_4_4_the_playoff_has_a_day_of_its_own() {
    assert_eq!(event(TOUR, "").playoff.start_after, Duration::ZERO);
}

#[test]
fn gct_4_6_two_players_play_two_games_at_the_limit_of_the_stage() {
    a_mini_match_of_two_games(TOUR, "900+10", 900 + 60 * 10);
}

#[test]
fn gct_4_7_a_rapid_round_robin_of_15_minutes_and_10_seconds_by_lot() {
    a_single_round_robin(TOUR, "900+10");
    assert_eq!(event(TOUR, "").playoff.numbers, PlayoffNumbers::Lot);
}

/// 4.8: "a further Rapid Round Robin at the above time limit"; 4.9: "game in 5 minutes with a 2 second increment"; 4.10, 4.11:
/// "four Round Robins (two Rapid and two Blitz)".
#[test]
fn gct_4_8_to_4_11_two_rapid_and_two_blitz_round_robins_then_the_arbiter() {
    let rules = ties::rules(&event(TOUR, ""));
    let limits: Vec<String> = rules
        .stages
        .iter()
        .map(|stage| match stage {
            swissmatch::tournament::playoff_rules::PlayoffStage::RoundRobin { two, more } => format!("{two} {more}"),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(limits, ["900+10 900+10", "900+10 900+10", "300+2 300+2", "300+2 300+2"]);
}

/// A file may take the published numbers, shortened.
#[test]
fn the_presets_load_with_their_own_places_and_stages_replaced() {
    let text = "preset = \"gct-tour\"\n[playoff]\nplaces = [1]\nstages = []\n[[player]]\nname = \"A\"\ncommand = \"a\"\n[[player]]\nname = \"B\"\ncommand = \"b\"\n";
    let loaded = load(std::path::Path::new("event.toml"), text, &[]).expect("a good file");
    assert_eq!(loaded.setup.playoff.places, [1]);
}
