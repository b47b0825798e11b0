//! Small files, and what a pairing system is told of them.

use super::*;
use crate::pairing::dutch::rules::DutchEdition;
use crate::trf::{Record, Spelling, read};

const NONE: [&str; 0] = [];

/// A file of players in the order of their numbers; each with points, if any, and cells.
fn file(head: &str, players: &[(&str, &str)]) -> Tournament {
    let mut text = head.to_owned();
    for (number, (points, cells)) in (1..).zip(players) {
        if *cells != "no line" {
            text += &format!("001 {number:>4}{:72}{points:>4}       {cells}\n", "");
        }
    }
    let reading = read(text.as_bytes()).unwrap_or_else(|error| panic!("{text}: {error}"));
    reading.tournament
}

/// Four players after one round of three; 1 beat 3, 2 drew with 4.
fn after_one_round(head: &str) -> Tournament {
    let cells = ["   3 w 1", "   4 b =", "   1 b 0", "   2 w ="];
    file(&format!("142 3\n152 W\n{head}"), &cells.map(|cells| ("", cells)))
}

fn before(tournament: &Tournament, round: u32) -> BeforeRound {
    before_round(tournament, round).unwrap_or_else(|error| panic!("round {round}: {error}"))
}

fn present(tournament: &Tournament, round: u32) -> Vec<u32> {
    let history = before(tournament, round).history;
    let present = history.numbers().filter(|&number| history.player(number).present);
    present.map(|number| number.0).collect()
}

/// Pairs as (White, Black, met before).
fn pairs(tournament: &Tournament, round: u32) -> (Vec<(u32, u32, bool)>, Option<u32>) {
    let pairing = pairing_of_round(tournament, round);
    let pairs = pairing
        .pairs
        .iter()
        .map(|pair| (pair.white.0, pair.black.0, pair.repeat));
    (pairs.collect(), pairing.bye.map(|bye| bye.0))
}

fn pairs_forbidden(tournament: &Tournament, round: u32) -> Vec<(u32, u32)> {
    let forbidden = before(tournament, round).history.forbidden;
    forbidden.into_iter().map(|(one, other)| (one.0, other.0)).collect()
}

#[test]
fn each_kind_of_round() {
    let met = |opponent, color| Encounter::Met {
        opponent: PairingNumber(opponent),
        color,
    };
    let forfeit = |opponent| Encounter::Forfeit {
        opponent: PairingNumber(opponent),
    };
    let (white, black) = (FirstColor::White, FirstColor::Black);
    let (win, draw, loss) = (Points::whole(3), Points::ONE, Points::ZERO);
    let players = [
        ("   2 w 1", met(2, white), win),
        ("   1 b 0", met(1, black), loss),
        ("   4 w D", met(4, white), draw),
        ("   3 b D", met(3, black), draw),
        ("   6 b +", forfeit(6), win),
        ("   5 w -", forfeit(5), Points::HALF),
        ("0000 - U", Encounter::PairingAllocatedBye, draw),
        ("0000 - H", Encounter::Absent, draw),
        ("0000 - F", Encounter::Absent, win),
        ("0000 - Z", Encounter::Absent, Points::HALF),
        ("0000 - +", Encounter::Absent, win),
        ("0000 - -", Encounter::Absent, Points::HALF),
        ("  14 w", met(14, white), draw),
        ("  13 b", met(13, black), draw),
        ("", Encounter::Absent, Points::HALF),
        (" 777 w -", Encounter::Absent, Points::HALF),
    ];
    let lines = players.map(|(cells, ..)| ("", cells));
    let tournament = file("142 3\n162  W 3.0    D 1.0    P 1.0    A 0.5\n", &lines);
    let history = before(&tournament, 2).history;
    for (number, (cells, encounter, points)) in history.numbers().zip(players) {
        let player = history.player(number);
        assert_eq!(player.rounds, [encounter.worth(points)], "{cells:?}");
        assert_eq!(player.points, points, "{cells:?}");
        assert!(player.present, "{cells:?}");
    }
    // To be paired again are those who were paired in it.
    assert_eq!(present(&tournament, 1), [1, 2, 3, 4, 5, 6, 7, 13, 14]);
    assert_eq!(
        pairs(&tournament, 1),
        (
            vec![(1, 2, false), (3, 4, false), (6, 5, false), (13, 14, false)],
            Some(7)
        )
    );
}

#[test]
fn rounds_that_a_file_has() {
    let check = |cells: &[&str], expected: u32| {
        let lines: Vec<(&str, &str)> = cells.iter().map(|&cells| ("", cells)).collect();
        assert_eq!(rounds_played(&file("142 9\n", &lines)), expected, "{cells:?}");
    };
    check(&[], 0);
    check(&["", ""], 0);
    check(&["   2 w 1", "   1 b 0"], 1);
    check(&["   2 w -", "   1 b -"], 1);
    check(&["0000 - U", ""], 1);
    // A bye that was chosen for the round to be paired.
    check(&["0000 - U", "", ""], 0);
    check(&["0000 - U", "", "0000 - Z"], 1);
    check(&["   2 w 1", "   1 b 0", "0000 - U  0000 - U"], 1);
    check(&["   2 w 1", "   1 b 0", "0000 - U            0000 - U"], 1);
    check(&["   2 w 1  0000 - +", "   1 b 0", "0000 - U  0000 - U"], 2);
    // Byes granted beforehand.
    check(&["   2 w 1  0000 - H", "   1 b 0"], 1);
    check(&["0000 - Z", ""], 0);
    check(&["0000 - -", ""], 0);
    // Nobody is left to pair.
    check(&["   2 w 1  0000 - H", "   1 b 0  0000 - Z"], 2);
    check(&["0000 - Z  0000 - Z", "0000 - Z"], 1);
    // An empty round before one that was played.
    check(&["             2 w 1", "             1 b 0"], 2);
}

#[test]
fn who_is_to_be_paired_in_the_next_round() {
    let tournament = after_one_round("XXZ 4\n240 H   2    1\n240 F   3    2\n");
    assert_eq!(present(&tournament, 2), [2, 3]);
    assert_eq!(
        present(&tournament, 1),
        [1, 2, 3, 4],
        "the round that was played is another one"
    );
    let cells = ["   2 w 1  0000 - H", "   1 b 0", "0000 - U", "0000 - Z  0000 - Z"];
    let tournament = file("142 3\n", &cells.map(|cells| ("", cells)));
    assert_eq!(present(&tournament, 2), [2, 3]);
}

#[test]
fn a_bye_that_was_chosen_for_the_round_to_be_paired() {
    let of = |head: &str, cells: &[&str]| {
        let lines: Vec<(&str, &str)> = cells.iter().map(|&cells| ("", cells)).collect();
        file(&format!("142 5\nXXC white1\n{head}"), &lines)
    };
    let bye = |tournament: &Tournament, round| before(tournament, round).bye.map(|player| player.0);
    let first = of("", &["", "", "", "0000 - U", ""]);
    assert_eq!((present(&first, 1), bye(&first, 1)), (vec![1, 2, 3, 5], Some(4)));
    assert_eq!(before(&first, 1).history.paired_apart, [PairingNumber(4)]);
    // With other byes of the round, in the lines and in 240.
    let more = of("240 H   1    1\n", &["", "", "", "0000 - U", "0000 - Z"]);
    assert_eq!((present(&more, 1), bye(&more, 1)), (vec![2, 3], Some(4)));
    // In a later round; the one before stays as it was.
    let later = of("", &["   2 w 1", "   1 b 0  0000 - U", "0000 - U"]);
    assert_eq!((present(&later, 2), bye(&later, 2)), (vec![1, 3], Some(2)));
    assert_eq!((present(&later, 1), bye(&later, 1)), (vec![1, 2, 3], None));
    let points = |tournament: &Tournament| {
        before(tournament, 2)
            .history
            .players
            .iter()
            .map(|player| player.points)
            .collect()
    };
    let points: Vec<Points> = points(&later);
    assert_eq!(points, [Points::ONE, Points::ZERO, Points::ONE]);
    let refused = |cells: &[&str]| before_round(&of("", cells), 1).expect_err("two byes").to_string();
    assert_eq!(
        refused(&["0000 - U", "0000 - U", "", ""]),
        "players 1 and 2 both have the allocated bye (0000 - U) of the round to be paired; write H, F or Z for one of them"
    );
    assert_eq!(
        refused(&["0000 - U", "", "", ""]),
        "player 1 has the allocated bye (0000 - U) of the round to be paired, and of the 3 others nobody can be left over; write H, \
         F or Z for a bye beside it"
    );
}

#[test]
fn a_blank_in_a_round_that_was_played_is_an_absence() {
    let cells = ["   2 w 1", "   1 b 0", "", ""];
    let tournament = file("142 3\n240 H   1    4\n", &cells.map(|cells| ("", cells)));
    assert_eq!(present(&tournament, 1), [1, 2]);
    assert_eq!(present(&tournament, 2), [1, 2, 3, 4]);
    let history = before(&tournament, 2).history;
    let given: Vec<Points> = history.players.iter().map(|player| player.points).collect();
    assert_eq!(
        given,
        [Points::ONE, Points::ZERO, Points::ZERO, Points::HALF],
        "240 has the bye of 4"
    );
}

#[test]
fn numbers_that_nobody_has() {
    let tournament = file("142 3\n152 W\n", &[("", "   3 w 1"), ("", "no line"), ("", "   1 b 0")]);
    let before = before(&tournament, 2);
    assert_eq!(before.warnings, ["pairing number 2 has no 001 line; no player has it"]);
    let nobody = before.history.player(PairingNumber(2));
    assert_eq!((nobody.present, nobody.points), (false, Points::ZERO));
    assert_eq!(nobody.rounds, [Encounter::Absent.worth(Points::ZERO)]);
    assert_eq!(present(&tournament, 2), [1, 3]);
}

#[test]
fn points_of_the_lines_and_of_the_results() {
    let check = |head: &str, points: [&str; 2], cells: [&str; 2], warnings: &[&str]| {
        let tournament = file(
            &format!("142 5\n152 W\n{head}"),
            &[(points[0], cells[0]), (points[1], cells[1])],
        );
        assert_eq!(before(&tournament, 2).warnings, warnings, "{points:?} {cells:?}");
    };
    let cells = ["   2 w 1", "   1 b 0"];
    check("", ["1.0", "0.0"], cells, &NONE);
    check("", ["", ""], cells, &NONE);
    check(
        "",
        ["1.0", "0.5"],
        cells,
        &["the points of 1 player differ from their results, which count: player 2 has 0.5 in the line, 0 by results"],
    );
    // With or without the bye of the next round.
    let with_bye = ["   2 w 1", "   1 b 0  0000 - H"];
    check("", ["1.0", "0.5"], with_bye, &NONE);
    check("", ["1.0", "0.0"], with_bye, &NONE);
    // With or without virtual points.
    let virtual_points = "250       1.0   1   2    1    1\n";
    check(virtual_points, ["2.0", "0.0"], cells, &NONE);
    check(virtual_points, ["1.0", "0.0"], cells, &NONE);
}

#[test]
fn points_out_of_the_ordinary() {
    let points = |head: &str| -> Vec<String> {
        let history = before(&after_one_round(head), 2).history;
        history.players.iter().map(|player| player.points.to_string()).collect()
    };
    assert_eq!(points(""), ["1", "0.5", "0", "0.5"]);
    assert_eq!(points("299 W         2.0    1    1    2\n"), ["2", "0.5", "0", "0.5"]);
    assert_eq!(points("299 D         0.0         2    4\n"), ["1", "0", "0", "0"]);
    assert_eq!(
        points("299 W         2.0    2    1\n"),
        ["1", "0.5", "0", "0.5"],
        "another round"
    );
    assert_eq!(
        points("299          -1.0    1    1\n299           0.5         3\n"),
        ["0", "0.5", "0.5", "0.5"]
    );
    assert_eq!(
        points("299           0.5    2    3\n"),
        ["1", "0.5", "0", "0.5"],
        "a round to come"
    );
}

#[test]
fn the_edition_that_a_record_names() {
    let edition = |head: &str| {
        let rules = before(&after_one_round(head), 2);
        (rules.rules.edition, rules.edition_by.to_string())
    };
    let by = |edition, record: &str| (edition, format!("by record {record}"));
    let early = "042 2025/10/01\n";
    for (code, known) in [
        ("FIDE_DUTCH_2025", DutchEdition::Of2026),
        ("fide_dutch_2025", DutchEdition::Of2026),
        ("FIDE_DUTCH_2025_BAKU", DutchEdition::Of2026),
        ("FIDE_DUTCH_2026", DutchEdition::Of2026),
        ("FIDE_DUTCH_2017", DutchEdition::Of2017),
        ("Fide_Dutch_2017_Baku", DutchEdition::Of2017),
    ] {
        assert_eq!(edition(&format!("{early}192 {code}\n")), by(known, "192"), "{code}");
        assert_eq!(edition(&format!("{early}092 {code}\n")), by(known, "092"), "{code}");
        assert_eq!(
            edition(&format!("{early}192 FIDE_DUTCH\n092 {code}\n")),
            by(known, "092"),
            "{code}"
        );
        let accelerated = before(&after_one_round(&format!("192 {code}\n")), 2)
            .rules
            .virtual_points;
        assert_eq!(
            accelerated.is_empty(),
            !code.to_ascii_uppercase().ends_with("BAKU"),
            "{code}"
        );
    }
    assert_eq!(
        edition("192 FIDE_DUTCH_2017\n092 FIDE_DUTCH_2025\n"),
        by(DutchEdition::Of2017, "192")
    );
    for plain in ["192 FIDE_DUTCH\n", "192 FIDE_DUTCH_2031\n", "092 Swiss 2025\n"] {
        assert_eq!(edition(&format!("{early}{plain}")).0, DutchEdition::Of2017, "{plain}");
    }
}

#[test]
fn the_rules_of_a_file() {
    let rules = |head: &str| before(&after_one_round(head), 2).rules;
    let default = DutchRules {
        rounds: 3,
        ..DutchRules::default()
    };
    assert_eq!(rules(""), default);
    assert_eq!(rules("192 FIDE_DUTCH_2025\n"), default);
    assert_eq!(rules("192 FIDE_DUTCH_2017\n").edition, DutchEdition::Of2017);
    let values = rules("162  W 3.0    D 1.5    L 1.0\n");
    assert_eq!((values.win, values.loss), (Points::whole(3), Points::ONE));
    let colors = before(&after_one_round("XXS BW=2\n"), 2);
    assert_eq!(colors.rules.win, Points::ONE);
    assert_eq!(
        colors.warnings,
        ["wins or losses are worth more with one colour; the Dutch rules go by White's"]
    );
}

#[test]
fn the_initial_colour_of_a_file_and_of_round_1() {
    let check = |head: &str, cells: &[&str], round: u32, color: FirstColor, warning: &str| {
        let lines: Vec<(&str, &str)> = cells.iter().map(|&cells| ("", cells)).collect();
        let before = before(&file(&format!("142 5\n{head}"), &lines), round);
        assert_eq!(before.rules.initial_color, color, "{head:?} {cells:?}");
        assert_eq!(before.warnings.concat(), warning, "{head:?} {cells:?}");
    };
    let missing = |taken: &str| format!("the initial colour is missing (record 152 or XXC); taken as {taken}");
    let cells = ["   3 w 1", "   4 b 1", "   1 b 0", "   2 w 0"];
    let (white, black) = (FirstColor::White, FirstColor::Black);
    check("152 B\n", &cells, 1, black, "");
    check("XXC white1\n", &cells, 1, white, "");
    check("", &cells, 1, white, &missing("White, as round 1 shows"));
    check("", &cells, 2, white, &missing("White, as round 1 shows"));
    let turned = ["   3 b 1", "   4 w 1", "   1 w 0", "   2 b 0"];
    check("", &turned, 2, black, &missing("Black, as round 1 shows"));
    // A player who was absent in round 1 does not count; one with a forfeit without colours does.
    let late = ["0000 - H", "   4 b 1", "   5 w 1", "   2 w 0", "   3 b 0"];
    check("", &late, 2, black, &missing("Black, as round 1 shows"));
    let forfeit = ["   3 - +", "   4 w 1", "   1 - -", "   2 b 0"];
    check("", &forfeit, 2, black, &missing("Black, as round 1 shows"));
    check(
        "",
        &["", ""],
        1,
        white,
        &missing("White, because round 1 does not show it"),
    );
}

#[test]
fn virtual_points() {
    let rules = |head: &str| before(&after_one_round(head), 2);
    let of = |before: &BeforeRound, round: usize| -> Vec<String> {
        (0..4)
            .map(|index| before.rules.virtual_points(index, round).to_string())
            .collect()
    };
    let ranges = rules("250       1.0   1   1    1    2\n250       0.5   2   9    2 9999\n");
    assert_eq!(of(&ranges, 1), ["1", "1", "0", "0"]);
    assert_eq!(of(&ranges, 2), ["0", "0.5", "0.5", "0.5"]);
    assert_eq!(of(&ranges, 3), ["0", "0.5", "0.5", "0.5"]);
    assert_eq!(ranges.warnings, NONE);
    let of_players = rules("XXA    2  1.0  0.5\nXXA    4  1.0  1.0  1.0  1.0\n");
    assert_eq!(of(&of_players, 1), ["0", "1", "0", "1"]);
    assert_eq!(of(&of_players, 3), ["0", "0", "0", "1"]);
    let twice = rules("250       1.0   1   1    1    2\nXXA    2  0.5\n");
    assert_eq!(of(&twice, 1), ["1", "0.5", "0", "0"]);
    assert_eq!(
        twice.warnings,
        ["virtual points are given twice (records 250, XXA); the later record counts"]
    );
    // The type of the tournament counts where no record gives virtual points: two of four, two of three rounds.
    let baku = rules("192 FIDE_DUTCH_BAKU\n");
    assert_eq!(of(&baku, 1), ["1", "1", "0", "0"]);
    assert_eq!(of(&baku, 2), ["0.5", "0.5", "0", "0"]);
    assert_eq!(of(&baku, 3), ["0", "0", "0", "0"]);
    let own = rules("192 FIDE_DUTCH_BAKU\nXXA    4  1.0\n");
    assert_eq!(of(&own, 1), ["0", "0", "0", "1"]);
    // Numbers that nobody has are not counted among the players.
    let lines = [
        ("", "   4 w 1"),
        ("", "no line"),
        ("", "   5 b 0"),
        ("", "   1 b 0"),
        ("", "   3 w 1"),
    ];
    let gap = before(&file("142 3\n192 FIDE_DUTCH_BAKU\n", &lines), 2);
    assert_eq!(of(&gap, 1), ["1", "0", "1", "0"]);
}

#[test]
fn forbidden_pairs() {
    let head = "260   1   1    1    2\n260   2   3    3    1    4    3\nXXP 4 3\nXXP 2 4\n";
    let tournament = after_one_round(head);
    assert_eq!(pairs_forbidden(&tournament, 1), [(1, 2), (2, 4), (3, 4)]);
    assert_eq!(pairs_forbidden(&tournament, 2), [(1, 3), (1, 4), (2, 4), (3, 4)]);
    let strange = after_one_round("XXP 2 77\n");
    assert_eq!(pairs_forbidden(&strange, 2), []);
    let warnings = before(&strange, 2).warnings;
    assert_eq!(
        warnings,
        ["a forbidden pair names a player who has no 001 line; left out"]
    );
}

#[test]
fn pairings_of_rounds() {
    let cells = [
        "   2 w 1     2 b 0",
        "   1 b 0     1 w 1",
        "   4 - +     4 w +",
        "   3 - -     3 b -",
        "0000 - U     6 b +",
        "0000 - Z",
    ];
    let tournament = file("142 3\n", &cells.map(|cells| ("", cells)));
    assert_eq!(pairs(&tournament, 1), (vec![(1, 2, false), (3, 4, false)], Some(5)));
    // A forfeit is not a meeting, so that only 1 and 2 meet again; the forfeit of 5 is in one line alone.
    assert_eq!(
        pairs(&tournament, 2),
        (vec![(2, 1, true), (3, 4, false), (6, 5, false)], None)
    );
    assert_eq!(pairs(&tournament, 3), (Vec::new(), None));
    assert_eq!(pairs(&tournament, 0), (Vec::new(), None));
}

#[test]
fn places_and_ratings() {
    let mut tournament = file("142 3\n", &[]);
    for (number, rating, rank) in [(1, 2000, 0), (2, 0, 7)] {
        tournament.records.push(Record::Player(Box::new(PlayerRecord {
            number,
            rating: Some(rating),
            rank: Some(rank),
            ..PlayerRecord::default()
        })));
    }
    let told = |tournament: &Tournament, round| -> Vec<(Option<u32>, Option<u32>)> {
        let history = before(tournament, round).history;
        history
            .players
            .iter()
            .map(|player| (player.rating, player.previous_place))
            .collect()
    };
    assert_eq!(told(&tournament, 1), [(Some(2000), None), (None, None)]);
    for record in &mut tournament.records {
        if let Record::Player(player) = record {
            player.rounds = vec![RoundCell::bye(ResultCode::PairingAllocatedBye)];
        }
    }
    assert_eq!(told(&tournament, 2), [(Some(2000), None), (None, Some(7))]);
    assert_eq!(
        told(&tournament, 1),
        [(Some(2000), None), (None, None)],
        "the places are those after round 1"
    );
}

#[test]
fn what_cannot_be_paired() {
    let check = |tournament: &Tournament, round: u32, expected: PairingFileError| {
        assert_eq!(before_round(tournament, round), Err(expected));
    };
    let tournament = after_one_round("");
    check(&file("142 3\n", &[]), 1, PairingFileError::NoPlayers);
    check(&tournament, 0, PairingFileError::NotNext { round: 0, played: 1 });
    check(&tournament, 3, PairingFileError::NotNext { round: 3, played: 1 });
    check(&after_one_round("310   1\n"), 2, PairingFileError::Teams);
    let cells = [("", "   2 w 1"), ("", "   1 b 0")];
    check(
        &file("142 1\n", &cells),
        2,
        PairingFileError::Over { round: 2, rounds: 1 },
    );
    let mut open = file("", &cells);
    check(&open, 2, PairingFileError::RoundsMissing);
    let warnings = before(&open, 1).warnings;
    assert_eq!(
        warnings[0],
        "the number of rounds is missing (record 142 or XXR); taken as 1"
    );
    let spelling = Spelling::Fide;
    open.records.push(Record::Rounds { spelling, rounds: 2 });
    assert_eq!(before(&open, 2).rules.rounds, 2);
    // For lines in order, XXC rank changes nothing.
    let mut by_position = after_one_round("XXC rank\n");
    assert_eq!(present(&by_position, 2), [1, 2, 3, 4]);
    by_position.records.reverse();
    check(&by_position, 2, PairingFileError::ByPosition);
    let mut unnumbered = tournament;
    unnumbered.records.push(Record::Player(Box::default()));
    check(&unnumbered, 2, PairingFileError::Number(0));
}

#[test]
fn files_that_no_tournament_needs() {
    let much = |head: &str| match before_round(&file(head, &[("", ""); 1500]), 1) {
        Err(PairingFileError::TooMuch { what, .. }) => what,
        other => panic!("{head:.30}: {other:?}"),
    };
    let all: String = (1..=1500).map(|number| format!(" {number}")).collect();
    assert_eq!(much(&format!("142 3\nXXP{all}\n")), "forbidden pairs");
    let accelerated = "250       1.0   1 999    1 9999\n".repeat(2);
    assert_eq!(much(&format!("142 999\n{accelerated}")), "virtual points");
    let cells = "0000 - Z  ".repeat(998) + "0000 - U";
    let mut last = PlayerRecord {
        number: 9999,
        ..PlayerRecord::default()
    };
    let mut tournament = file("142 999\n", &[("", cells.trim_end())]);
    last.rounds
        .clone_from(&tournament.player(1).expect("it is there").rounds);
    tournament.records.push(Record::Player(Box::new(last)));
    let refused = before_round(&tournament, 999);
    assert!(
        matches!(refused, Err(PairingFileError::TooMuch { most: MOST_ROUNDS, .. })),
        "{refused:?}"
    );
}
