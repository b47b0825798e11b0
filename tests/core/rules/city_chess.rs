//! City Chess, "Information for New Players", and what it quotes of US Chess (Official Rules of Chess, 7th edition). It has no
//! numbers: tests are named after its headings. What byes by request do is tested with the arbiter's acts.

use std::path::Path;
use std::time::Duration;

use swiss_system::pairing::all_play_all::{SectionFormat, quads};
use swiss_system::pairing::rounds::{Rounds, TournamentFormat};
use swiss_system::score::Points;
use swissmatch::config;
use swissmatch::game::conformance::CheckVerdict;
use swissmatch::game::time_control::TimeControl;
use swissmatch::tournament::eligibility::{self, QualifiedEngine, Record, Why};
use swissmatch::tournament::log::FileHash;
use swissmatch::tournament::playoff_rules::{Colors, PlayoffStage};
use swissmatch::tournament::setup::{Entrants, HeadToHeadDays, PairingSystem, PlayoffNumbers, PlayoffWhen};
use swissmatch::tournament::ties;

use super::event;

fn rounds(text: &str) -> Rounds {
    text.parse().expect("a format")
}

fn minutes(text: &str, moves: u32) -> u64 {
    let control: TimeControl = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let whole = control.longest(moves);
    whole.as_secs() / 60
}

#[test]
fn ss_is_a_number_of_rounds_swiss_system() {
    let plan = rounds("5-SS").plan(8);
    assert_eq!((plan.rounds, plan.format), (5, TournamentFormat::Swiss));
}

#[test]
fn rr_is_a_game_with_every_other_player() {
    let plan = rounds("RR").plan(6);
    assert_eq!((plan.rounds, plan.format), (5, TournamentFormat::AllPlayAll));
}

#[test]
fn quads_are_four_player_round_robin_sections() {
    let sizes = |players: usize| -> Vec<(usize, SectionFormat)> {
        let sections = quads(players);
        sections
            .iter()
            .map(|section| (section.players.len(), section.format))
            .collect()
    };
    assert_eq!(sizes(8), [(4, SectionFormat::AllPlayAll); 2]);
    assert_eq!(
        sizes(11),
        [(4, SectionFormat::AllPlayAll), (7, SectionFormat::Swiss { rounds: 3 })],
        "a remainder of 5 to 7 plays a 3-SS"
    );
}

#[test]
fn double_swiss_and_double_round_robin_have_two_games_a_round() {
    for format in ["5-double-SS", "double-SS", "double-RR"] {
        let setup = event("us-chess", &format!("[swiss]\nrounds = \"{format}\""));
        assert_eq!(setup.mini_match.games, 2, "{format}");
    }
}

#[test]
fn one_game_a_round_unless_told_otherwise() {
    assert_eq!(event("us-chess", "").mini_match.games, 1);
}

#[test]
fn g_is_the_base_time_in_minutes() {
    assert_eq!(minutes("G/90", 60), 180);
}

#[test]
fn plus_is_an_increment_in_seconds() {
    assert_eq!(minutes("G/90 +30", 60), 240, "this game could last around four hours");
}

#[test]
fn d_is_a_delay_in_seconds() {
    assert_eq!(
        minutes("G/45 d5", 60),
        100,
        "this game could last as long as an hour and forty minutes"
    );
}

#[test]
fn a_second_time_control_comes_after_so_many_moves_and_the_delay_applies_to_both() {
    assert_eq!(minutes("40/90 SD/30 d5", 60), 2 * (90 + 30 + 5));
    assert_eq!(minutes("40/90, SD/30 +30", 60), 2 * (90 + 30 + 30));
}

#[test]
fn byes_a_forced_one_is_a_full_point() {
    let setup = event("us-chess", "");
    assert_eq!(setup.swiss.pairing, PairingSystem::UsChess);
    assert_eq!(
        setup.bye_points().in_round(setup.mini_match.games),
        (Points::ONE, Points::ONE)
    );
}

#[test]
fn tiebreaks_are_played_for_indivisible_prizes() {
    let trophy = "[prizes]\nby_place = [{ trophy = \"Cup\" }]";
    let money = "[prizes]\nby_place = [100]";
    assert_eq!(event("us-chess", "").playoff.when, PlayoffWhen::IndivisiblePrize);
    assert_eq!(ties::places(&event("us-chess", trophy)), [1]);
    assert_eq!(
        ties::places(&event("us-chess", money)),
        [0_u32; 0],
        "divisible prizes are shared"
    );
}

#[test]
fn tiebreaks_1_head_to_head_2_blitz_3_armageddon() {
    let playoff = event("us-chess", "").playoff;
    assert_eq!(
        (playoff.entrants, playoff.head_to_head),
        (Entrants::TopTwo, HeadToHeadDays::SameDay)
    );
    let [
        PlayoffStage::HeadToHead,
        PlayoffStage::RoundRobin { two, .. },
        PlayoffStage::Armageddon { white, black, colors },
    ] = playoff.stages.as_slice()
    else {
        panic!("{:?}", playoff.stages);
    };
    let longest = |control: &TimeControl| control.longest_of_side(100);
    assert_eq!(longest(two), Duration::from_mins(5), "game in 5 minutes with no delay");
    assert_eq!(
        (longest(white), longest(black)),
        (Duration::from_mins(6), Duration::from_mins(5))
    );
    assert_eq!(*colors, Colors::Lot);
}

#[test]
fn second_and_third_place_ties_go_by_the_list() {
    let list = ["modified-median", "solkoff", "cumulative", "cumulative-of-opposition"];
    let setup = event("us-chess", "");
    let order: Vec<String> = setup.standings.order.iter().map(ToString::to_string).collect();
    assert_eq!(order[1..], list);
    let PlayoffNumbers::By(numbers) = setup.playoff.numbers else {
        panic!("by the list");
    };
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    assert_eq!(numbers, list, "the top two by the list play");
}

/// "A membership is required for every player", which runs out: here a qualification of the agent itself.
#[test]
fn eligibility_is_a_current_passed_qualification_that_can_expire() {
    let setup = event("us-chess", "");
    assert!(setup.eligibility.required);
    let checked = jiff::civil::date(2026, 1, 31);
    let file = |sha256: &str| FileHash {
        path: "agent".to_owned(),
        sha256: sha256.to_owned(),
    };
    let made = |sha256: &str| QualifiedEngine::new(&setup.players[0], &setup, vec![file(sha256)]);
    let record = |verdict| Record {
        agent: made("0a"),
        verdict,
        failed: Vec::new(),
        warned: Vec::new(),
        played: None,
        date: checked,
        expires: eligibility::expiry(checked, setup.eligibility.valid_for),
        software: String::new(),
    };
    let may_enter = |record: Option<&Record>, agent: &str, today| eligibility::judge(record, &made(agent), None, today);
    let passed = record(CheckVerdict::Passed);
    let last_day = jiff::civil::date(2027, 1, 30);
    assert!(may_enter(Some(&passed), "0a", last_day).is_ok());
    let over = jiff::civil::date(2027, 1, 31);
    assert_eq!(may_enter(Some(&passed), "0a", over), Err(Why::Expired(over)), "a year");
    assert_eq!(may_enter(None, "0a", checked), Err(Why::NoRecord));
    assert!(may_enter(Some(&record(CheckVerdict::Failed)), "0a", checked).is_err());
    assert!(
        may_enter(Some(&passed), "0b", checked).is_err(),
        "another agent by the same name"
    );
}

/// "If a player … lets the tournament director know in advance", a half point "for one or more of these, depending on the
/// number of rounds. The bye policy is usually posted with the rest of the tournament information."
#[test]
fn requested_byes_are_as_many_as_the_number_of_rounds_allows() {
    let bye = event("us-chess", "").bye;
    let allowed: Vec<u32> = [1, 3, 4, 6, 7, 9, 12].map(|rounds| bye.requests_in(rounds)).to_vec();
    assert_eq!(allowed, [1, 1, 2, 2, 3, 3, 3]);
    let swiss = |byes: &str| {
        let text = format!(
            "preset = \"us-chess\"\n[[player]]\nname = \"A\"\ncommand = \"a\"\nbyes = {byes}\n[[player]]\nname = \"B\"\ncommand = \"b\"\n"
        );
        config::load(Path::new("event.toml"), &text, &[]).map(|loaded| loaded.setup.players[0].byes.clone())
    };
    assert_eq!(swiss("[2, 5]").expect("two in five rounds"), [2, 5]);
    let refused = swiss("[1, 2, 3]").map(|_| ()).expect_err("three are too many");
    assert!(refused.to_string().contains("bye.requests allows 2"), "{refused}");
}
