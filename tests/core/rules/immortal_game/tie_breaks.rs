//! "In the event of a tie, the following systems are applied in the following order": each with worked numbers, and as what
//! tells two players apart.
//!
//! May not: know more of the rules.

use swissmatch::tournament::setup::{BlackWins, Setup};

use super::SHORT;
use super::setup;
use super::tournament::Tournament;

const CUT_1: &str = "BH/C1";
const DIRECT_ENCOUNTER: &str = "immortal-direct-encounter";
const AROC: &str = "ARO/C1";

/// Every number of a small tournament.
#[test]
fn tie_breaks_worked() {
    let tournament = Tournament::of(6, "").told(&["1-4 +, 5-2 -, 3-6 +", "1-2 =, 3-5 +, 6-4 -", "3-1 =, 2-4 +, 5-6 ="]);
    let order: Vec<String> = setup("").standings.order.iter().map(ToString::to_string).collect();
    assert_eq!(
        order,
        ["match-points", CUT_1, "BH", "SB", "WIN", "BWG", DIRECT_ENCOUNTER, AROC]
    );
    assert_eq!(
        tournament.values("match-points"),
        ["2", "2.5", "2.5", "1", "0.5", "0.5"]
    );
    // 1 met 4, 2 and 3: 1 + 2.5 + 2.5, without the 1; and so on.
    assert_eq!(tournament.values(CUT_1), ["5", "3", "2.5", "4.5", "5", "3.5"]);
    assert_eq!(tournament.values("BH"), ["6", "3.5", "3", "5", "5.5", "4"]);
    // 1 beat 4 and drew with 2 and 3: 1 + 2.5/2 + 2.5/2.
    assert_eq!(tournament.values("SB"), ["3.5", "2.5", "2", "0.5", "0.25", "0.25"]);
    assert_eq!(tournament.values("WIN"), ["1", "2", "2", "1", "0", "0"]);
    assert_eq!(tournament.values("BWG"), ["0", "1", "0", "1", "0", "0"]);
    // 1 met 1700, 1900 and 1800, without the 1700.
    assert_eq!(
        tournament.values(AROC),
        ["1850", "1850", "1800", "1950", "1850", "1750"]
    );
    assert_eq!(tournament.table(), ["1 P2", "2 P3", "3 P1", "4 P4", "5 P5", "6 P6"]);
}

/// 1 and 2 are level on all that comes before a criterion, and it tells them apart.
fn separates(criterion: &str, rounds: &[&str], [first, second]: [&str; 2]) {
    let tournament = Tournament::of(8, "").told(rounds);
    let values = tournament.values(criterion);
    assert_eq!([values[0].as_str(), values[1].as_str()], [first, second], "{criterion}");
    assert_eq!(tournament.first_before_second(), criterion);
}

#[test]
fn tie_breaks_1_buchholz_cut_1() {
    separates(CUT_1, &["1-3 +, 2-4 +", "1-5 +, 2-6 +, 3-7 +", "5-8 +"], ["1", "0"]);
}

#[test]
fn tie_breaks_2_buchholz() {
    // 1 met 3 with 2 points and 5 with 1, 2 met 4 with 2 and 6 with none. Neither played in the last round.
    let rounds = ["1-3 +, 2-4 +, 5-7 +", "1-5 +, 2-6 +, 3-7 +, 4-8 +", "3-8 +, 4-7 +"];
    separates("BH", &rounds, ["3", "2"]);
}

#[test]
fn tie_breaks_3_sonneborn_berger() {
    // 1 beat the one who has 2 points and lost to the one who has 1; 2 did it the other way round.
    let rounds = ["1-3 +, 4-2 +", "5-1 +, 2-6 +, 3-7 +, 4-8 +", "3-8 +, 6-7 +"];
    separates("SB", &rounds, ["2", "1"]);
}

#[test]
fn tie_breaks_4_number_of_wins() {
    // All whom they met have 1 point: a win and a loss against two draws.
    separates(
        "WIN",
        &["1-3 +, 2-4 =, 6-7 =", "5-1 +, 6-2 =, 3-7 +, 4-8 ="],
        ["1", "0"],
    );
}

#[test]
fn tie_breaks_5_number_of_wins_with_the_black_pieces() {
    separates("BWG", &["3-1 -, 2-4 +"], ["1", "0"]);
}

/// "A game won because the opponent did not come counts as a win, and as a win with Black where Black was had."
#[test]
fn tie_breaks_5_a_game_won_because_the_opponent_did_not_come_is_one_with_the_black_pieces() {
    let forfeits = ["3-1 -f, 2-4 +f"];
    separates("BWG", &forfeits, ["1", "0"]);
    let over_the_board = Tournament::of(8, "standings.black_wins = \"over-the-board\"").told(&forfeits);
    assert_eq!(over_the_board.values("BWG")[..2], ["0", "0"]);
    assert_eq!(over_the_board.table()[..2], ["1 P1", "1 P2"]);
}

/// A run that began before there was the key goes on by what was counted then.
#[test]
fn tie_breaks_5_a_log_without_the_key_counts_what_was_won_over_the_board() {
    let mut stored = serde_json::to_value(setup("")).expect("JSON");
    let keys = stored["standings"].as_object_mut().expect("a table");
    assert_eq!(keys.remove("black_wins"), Some("with-forfeits".into()));
    let older: Setup = serde_json::from_value(stored).expect("a setup");
    assert_eq!(older.standings.black_wins, BlackWins::OverTheBoard);
}

#[test]
fn tie_breaks_6_direct_encounter() {
    // 1 beat 2, lost to 5, who has 2 points, and beat 6; 2 beat 3, who has 2, and 4.
    let rounds = ["1-2 +, 3-7 +, 5-8 +", "2-3 +, 5-1 +", "2-4 +, 1-6 +, 3-8 +"];
    separates(DIRECT_ENCOUNTER, &rounds, ["1", "2"]);
}

#[test]
fn tie_breaks_7_average_rating_of_opponents_cut_1() {
    // 1 met 3, 5 and 7, rated 1800, 1600 and 1400; 2 met 4, 6 and 8.
    let rounds = ["1-3 +, 2-4 +", "1-5 +, 2-6 +", "1-7 +, 2-8 +"];
    separates(AROC, &rounds, ["1700", "1600"]);
    // Nothing is rounded: a mean of 1500.5 is more than one of 1500.
    let ratings = [2000, 1900, 1501, 1500, 1500, 1500, 1000, 1000].map(|rating| Some(format!("rating = {rating}")));
    let tournament = Tournament::rated(&ratings, "").told(&rounds);
    assert_eq!(tournament.values(AROC)[..2], ["1500.5", "1500"]);
    assert_eq!(tournament.first_before_second(), AROC);
}

/// "Opponent rating is based on rating at the start of each round."
#[test]
fn tie_breaks_7_ratings_at_the_start_of_each_round() {
    let ratings = [
        "rating = 2000",
        "rating = 1900",
        "rating = 1800\nratings = [1800, 1850, 1900]",
        "rating = 1700",
    ];
    let tournament = |rounds: &[&str]| {
        let ratings = ratings.map(|line| Some(line.to_owned()));
        Tournament::rated(&ratings, "swiss.rounds = 3")
            .told(rounds)
            .values(AROC)[0]
            .clone()
    };
    assert_eq!(tournament(&["1-3 +", "1-4 +"]), "1800");
    assert_eq!(tournament(&["1-4 +", "1-3 +"]), "1850");
    assert_eq!(tournament(&["1-4 +", "2-4 +", "1-3 +"]), "1900");
}

/// "If all tied players have played against each other, then the player with the most points out of those games is the winner":
/// that one is placed, the rest go on.
#[test]
fn direct_encounter_whoever_is_alone_on_top_is_placed_and_the_rest_go_on() {
    let rounds = ["1-2 +, 3-4 +", "1-3 +, 2-4 +", "2-3 =, 4-1 +", "2-5 =, 3-6 ="];
    let tournament = Tournament::of(6, SHORT).told(&rounds);
    assert_eq!(tournament.values("match-points")[..3], ["2", "2", "2"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["1", "2", "2"]);
    // 2 met 2000, 1800, 1700 and 1600; 3 met 2000, 1900, 1700 and 1500, of which the mean is 1866.67.
    assert_eq!(tournament.values(AROC)[1..3], ["1833.33", "1866.67"]);
    assert_eq!(tournament.table()[..3], ["1 P1", "2 P3", "3 P2"]);
}

/// "If … there is a tie for points within those games, then it is still a tie", for all of them.
#[test]
fn direct_encounter_a_tie_on_top_is_still_a_tie_of_all() {
    let tournament = Tournament::of(6, SHORT).told(&["1-2 =, 3-4 +", "1-3 +", "2-3 +", "3-5 ="]);
    assert_eq!(tournament.values("match-points")[..3], ["1.5", "1.5", "1.5"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["–", "–", "–"]);
    assert_eq!(tournament.table()[..3], ["1 P2", "2 P1", "3 P3"], "by AROC");
}

/// "If the tied players have not all played each other …, then it is still a tie."
#[test]
fn direct_encounter_only_if_all_tied_have_met() {
    // 1 beat 2, and neither has met 3.
    let tournament = Tournament::of(7, SHORT).told(&["1-2 +, 3-5 +", "1-6 -, 2-4 +, 3-7 -"]);
    assert_eq!(tournament.values("match-points")[..3], ["1", "1", "1"]);
    assert_eq!(tournament.values(DIRECT_ENCOUNTER)[..3], ["–", "–", "–"]);
    assert_eq!(tournament.table()[..3], ["1 P2", "2 P1", "3 P3"], "by AROC");
}

/// "Each player you played against."
#[test]
fn unplayed_rounds_in_tie_breaks() {
    // 1 had the bye, beat 2, and was away; 3 won by forfeit, beat 4 and lost to 5.
    let tournament = Tournament::of(6, "").told(&["(1), 3-6 +f, 2-5 +", "1-2 +, 3-4 +, 5-6 +", "5-3 +, 2-4 +"]);
    assert_eq!(tournament.values("match-points"), ["2", "2", "2", "0", "2", "0"]);
    // Of 1 only the game with 2 counts, and what the cut removes is that game.
    let of = |criterion: &str| {
        let values = tournament.values(criterion);
        [values[0].clone(), values[2].clone()]
    };
    assert_eq!(of("BH"), ["2", "2"], "3 met 4 and 5, the forfeit was no game");
    assert_eq!(of(CUT_1), ["0", "2"]);
    assert_eq!(of("SB"), ["2", "0"]);
    assert_eq!(of("WIN"), ["1", "2"], "the bye is no win, the forfeit is one");
    assert_eq!(of(AROC), ["–", "1700"]);
}
