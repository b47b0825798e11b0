//! `pair`: what other programs print, byte for byte; flags; exit codes.

use std::io::Write as _;
use std::process::Stdio;

use swiss_system::score::Points;
use swiss_system::trf;

use super::ALL_HAVE_MET;
use super::SMALL;
use super::files;
use super::with_players;
use crate::support::Place;
use crate::support::finish;

#[test]
fn the_next_round_is_printed_as_bbp_pairings_prints_it() {
    let place = Place::new();
    let expected = files(|name| name.ends_with(".expected"));
    assert_eq!(expected.len(), 294, "tests/data/dutch has rounds to be paired");
    for (name, path) in expected {
        let file = path.with_extension("trf").display().to_string();
        let ran = place.swissmatch(&["pair", &file]);
        ran.expect_code(0);
        let expected = std::fs::read_to_string(&path).expect("text");
        assert_eq!(ran.stdout(), expected, "{name}");
        let stderr = ran.stderr();
        let edition = format!("swissmatch: {file}: C.04.3, edition 2026: ");
        assert!(
            stderr.starts_with(&edition) && stderr.lines().count() == 1,
            "{name}: {stderr}"
        );
    }
}

#[test]
fn pairs_come_in_order_of_boards_and_the_bye_last() {
    let place = Place::new();
    place.write("small.trf", SMALL);
    let ran = place.swissmatch(&["pair", "small.trf"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout(), "3\n1 2\n5 4\n3 0\n");
    assert_eq!(
        ran.stderr(),
        "swissmatch: small.trf: C.04.3, edition 2026: the one in force, because the file has no first day (record 042)\n"
    );
}

#[test]
fn an_earlier_round_is_paired_as_it_stood_then() {
    let place = Place::new();
    place.write("small.trf", SMALL);
    for (round, expected) in [("1", "3\n1 3\n4 2\n5 0\n"), ("2", "3\n5 1\n2 3\n4 0\n")] {
        let ran = place.swissmatch(&["pair", "small.trf", "--round", round]);
        ran.expect_code(0);
        assert_eq!(ran.stdout(), expected, "round {round}");
    }
}

#[test]
fn standard_input_is_a_file_too() {
    let place = Place::new();
    let mut child = place
        .command(&["pair", "-"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("swissmatch starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(SMALL.as_bytes()).expect("it reads");
    drop(stdin);
    let output = finish(child);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "3\n1 2\n5 4\n3 0\n");
}

#[test]
fn json_says_by_which_rules() {
    let place = Place::new();
    place.write("small.trf", &SMALL.replace("152 W\n", ""));
    let ran = place.swissmatch(&["pair", "small.trf", "--json"]);
    ran.expect_code(0);
    insta::assert_snapshot!(ran.stdout(), @r#"
    {
      "bye": 3,
      "file": "small.trf",
      "pairs": [
        [
          1,
          2
        ],
        [
          5,
          4
        ]
      ],
      "round": 3,
      "rules": {
        "accelerated": false,
        "color": "first-game",
        "edition": "2026",
        "edition_by": "the one in force, because the file has no first day (record 042)",
        "initial_color": "white",
        "rounds": 4,
        "tpn_parity": "participants"
      },
      "schema": 1,
      "warnings": [
        "the initial colour is missing (record 152 or XXC); taken as White, as round 1 shows"
      ]
    }
    "#);
}

/// Each flag changes a pairing that is known to hang on it.
#[test]
fn flags_go_over_what_the_file_says() {
    let place = Place::new();
    for seed in ["1", "2", "12"] {
        let rates = [
            "--zero-point-bye-rate",
            "8",
            "--late-entry-rate",
            "20",
            "--half-point-bye-rate",
            "5",
        ];
        let size = ["--players", "11", "--rounds", "7", "--rng-seed", seed];
        place.generated(&format!("{seed}.trf"), &[&size[..], &rates].concat());
    }
    for (file, round, flag, value) in [
        ("12.trf", "5", "--edition", "2017"),
        ("12.trf", "2", "--tpn-parity", "listed"),
        ("1.trf", "3", "--color", "ignore"),
        ("2.trf", "7", "--rounds", "20"),
        ("1.trf", "2", "--baku", ""),
    ] {
        let plain = place.swissmatch(&["pair", file, "--round", round]);
        let args = ["pair", file, "--round", round, flag, value];
        let flagged = place.swissmatch(&args[..if value.is_empty() { 5 } else { 6 }]);
        plain.expect_code(0);
        flagged.expect_code(0);
        assert_ne!(plain.stdout(), flagged.stdout(), "{flag} {value}");
    }
}

#[test]
fn the_initial_color_of_the_flag_goes_over_that_of_the_file() {
    let place = Place::new();
    place.generated(
        "four.trf",
        &["--players", "4", "--rounds", "1", "--initial-color", "white"],
    );
    for (color, expected) in [("white", "2\n1 3\n4 2\n"), ("black", "2\n3 1\n2 4\n")] {
        let ran = place.swissmatch(&["pair", "four.trf", "--round", "1", "--initial-color", color]);
        ran.expect_code(0);
        assert_eq!(ran.stdout(), expected, "{color}");
    }
}

#[test]
fn baku_makes_two_groups_of_round_1() {
    let place = Place::new();
    place.generated(
        "eight.trf",
        &["--players", "8", "--rounds", "5", "--initial-color", "white"],
    );
    let ran = place.swissmatch(&["pair", "eight.trf", "--round", "1", "--baku"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout(), "4\n1 3\n4 2\n5 7\n8 6\n");
    place.generated("own.trf", &["--players", "8", "--rounds", "5", "--baku"]);
    let ran = place.swissmatch(&["pair", "own.trf", "--round", "1", "--baku"]);
    ran.expect_code(0);
    assert!(ran.stderr().contains("--baku changes nothing"), "{}", ran.stderr());
}

#[test]
fn a_round_without_a_legal_pairing_is_exit_1_with_the_reason() {
    let place = Place::new();
    place.write("met.trf", ALL_HAVE_MET);
    let ran = place.swissmatch(&["pair", "met.trf"]);
    ran.expect_code(1);
    assert_eq!(ran.stdout(), "");
    assert!(
        ran.stderr().starts_with("swissmatch: met.trf: round 4: "),
        "{}",
        ran.stderr()
    );
    assert!(ran.stderr().contains("C1"), "{}", ran.stderr());
    let ran = place.swissmatch(&["pair", "met.trf", "--json"]);
    ran.expect_code(1);
    assert_eq!(ran.stdout(), "");
}

#[test]
fn a_file_that_says_too_little_is_exit_4_with_the_remedy() {
    let place = Place::new();
    place.write("small.trf", SMALL);
    place.write("endless.trf", &SMALL.replace("142 4\n", ""));
    place.write("over.trf", &SMALL.replace("142 4\n", "142 2\n"));
    place.write("empty.trf", "");
    place.write("shifted.trf", &SMALL.replace("001    2 ", "001     2 "));
    place.write("twice.trf", &SMALL.replace("001    2 ", "001    1 "));
    place.write("image.trf", "\u{1}\u{2}\u{0}");
    std::fs::create_dir(place.path("folder.trf")).expect("made");
    for (args, said) in [
        (
            &["pair", "endless.trf"][..],
            "endless.trf: the number of rounds is missing",
        ),
        (
            &["pair", "over.trf"],
            "over.trf: round 3 cannot be paired: the tournament has 2 rounds",
        ),
        (&["pair", "small.trf", "--round", "4"], "the next is 3"),
        (&["pair", "empty.trf"], "empty.trf: the file has no players"),
        (&["pair", "shifted.trf"], "shifted.trf:6:9: "),
        (
            &["pair", "twice.trf"],
            "twice.trf:6:5: number 1 already has a line, line 5",
        ),
        (&["pair", "image.trf"], "image.trf:1:1: control character"),
        (&["pair", "absent.trf"], "absent.trf: cannot be read: "),
        (&["pair", "folder.trf"], "folder.trf: cannot be read: "),
        (&["pair"], "FILE.trf"),
        (&["pair", "small.trf", "--round", "0"], "--round"),
        (&["pair", "small.trf", "--edition", "2025"], "2017"),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
        assert_eq!(ran.stdout(), "", "{args:?}");
    }
    let ran = place.swissmatch(&["pair", "endless.trf", "--rounds", "4"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout(), "3\n1 2\n5 4\n3 0\n");
}

#[test]
fn what_is_unusual_is_told_and_does_not_disturb_the_pairs() {
    let place = Place::new();
    let odd = with_players(SMALL, |player| {
        if player.number == 2 {
            player.points = Some(Points::whole(3));
        }
    });
    place.write("odd.trf", &format!("{odd}ABX what is this\n"));
    let ran = place.swissmatch(&["pair", "odd.trf"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout(), "3\n1 2\n5 4\n3 0\n");
    let said = ran.stderr();
    assert!(said.contains("swissmatch: odd.trf: the points of "), "{said}");
}

#[test]
fn the_output_file_is_not_overwritten_without_a_word() {
    let place = Place::new();
    place.write("small.trf", SMALL);
    let ran = place.swissmatch(&["pair", "small.trf", "--output", "pairs.txt"]);
    ran.expect_code(0);
    assert_eq!(
        (ran.stdout().as_str(), place.read("pairs.txt").as_str()),
        ("", "3\n1 2\n5 4\n3 0\n")
    );
    let ran = place.swissmatch(&["pair", "small.trf", "--output", "small.trf"]);
    ran.expect_code(4);
    assert!(ran.stderr().contains("small.trf is there already"), "{}", ran.stderr());
    assert_eq!(place.read("small.trf"), SMALL);
    place.write("pairs.txt", "something much longer than the pairs of five players");
    place
        .swissmatch(&["pair", "small.trf", "--output", "pairs.txt", "--force"])
        .expect_code(0);
    assert_eq!(place.read("pairs.txt"), "3\n1 2\n5 4\n3 0\n");
    place
        .swissmatch(&["pair", "small.trf", "--output", "absent/pairs.txt"])
        .expect_code(5);
}

#[test]
fn a_file_of_another_system_is_refused() {
    let place = Place::new();
    for (record, said) in [
        ("192 FIDE_BURSTEIN", "record 192 says `FIDE_BURSTEIN`"),
        ("192 fide_dubov", "record 192 says `fide_dubov`"),
        ("192 FIDE_LIM", "record 192 says `FIDE_LIM`"),
        ("192 FIDE_ROUNDROBIN", "record 192 says `FIDE_ROUNDROBIN`"),
        ("192 CUSTOM_SWISS", "record 192 says `CUSTOM_SWISS`"),
        ("192 FIDE_DOUBLESWISS", "record 192 says `FIDE_DOUBLESWISS`"),
        ("192 FIDE_TEAM", "record 192 says `FIDE_TEAM`"),
        ("192 CUSTOM_KNOCKOUT", "record 192 says `CUSTOM_KNOCKOUT`"),
        ("192 FIDE_SCHEVENINGEN\t\t", "record 192 says `FIDE_SCHEVENINGEN`"),
        ("092 FIDE-BURSTEIN", "record 092 says `FIDE-BURSTEIN`"),
        ("092 Rundenturnier", "record 092 says `Rundenturnier`"),
    ] {
        place.write("other.trf", &format!("{record}\n{SMALL}"));
        for command in [
            &["pair", "other.trf"][..],
            &["verify-pairings", "other.trf"],
            &["explain", "trf", "other.trf"],
        ] {
            let ran = place.swissmatch(command);
            ran.expect_code(4);
            assert_eq!(ran.stdout(), "", "{command:?}");
            let stderr = ran.stderr();
            assert!(stderr.contains(said) && stderr.contains("--system dutch"), "{stderr}");
            let goes_on = place.swissmatch(&[command, &["--system", "dutch"]].concat());
            goes_on.expect_code(0);
            if command[0] == "pair" {
                assert_eq!(goes_on.stdout(), "3\n1 2\n5 4\n3 0\n", "{record}");
            }
        }
    }
    for record in ["192 fide_dutch_2026", "192 FIDE_DUTCH_2025", "092 Swiss-System"] {
        place.write("dutch.trf", &format!("{record}\n{SMALL}"));
        place.swissmatch(&["pair", "dutch.trf"]).expect_code(0);
    }
    place
        .swissmatch(&["pair", "dutch.trf", "--system", "dubov"])
        .expect_code(4);
}

#[test]
fn the_name_of_the_system_says_the_edition() {
    let place = Place::new();
    for (record, by) in [
        ("192 FIDE_DUTCH_2025", "edition 2026: by record 192"),
        ("192 Fide_Dutch_2017", "edition 2017: by record 192"),
        ("092 FIDE_DUTCH_2025", "edition 2026: by record 092"),
        (
            "192 FIDE_DUTCH",
            "edition 2017: by the first day, 2025-10-01 (record 042)",
        ),
    ] {
        place.write("small.trf", &format!("042 25/10/01\n{record}\n{SMALL}"));
        let ran = place.swissmatch(&["pair", "small.trf"]);
        ran.expect_code(0);
        assert_eq!(
            ran.stderr(),
            format!("swissmatch: small.trf: C.04.3, {by}\n"),
            "{record}"
        );
        let ran = place.swissmatch(&["verify-pairings", "small.trf"]);
        assert!(
            ran.stdout().starts_with(&format!("By C.04.3, {by}\n")),
            "{}",
            ran.stdout()
        );
    }
}

/// Five players before round 1, of whom the fourth has chosen its bye.
const BYE_CHOSEN: &str = "\
012 Small
142 5
XXC white1
001    1      A                                 2400                             0.0
001    2      B                                 2300                             0.0
001    3      C                                 2200                             0.0
001    4      D                                 2100                             1.0       0000 - U
001    5      E                                 2000                             0.0
";

#[test]
fn a_bye_that_the_file_has_is_kept() {
    let place = Place::new();
    place.write("chosen.trf", BYE_CHOSEN);
    let ran = place.swissmatch(&["pair", "chosen.trf"]);
    ran.expect_code(0);
    assert_eq!(ran.stdout(), "3\n1 3\n5 2\n4 0\n");
    let json: serde_json::Value =
        serde_json::from_str(&place.swissmatch(&["pair", "chosen.trf", "--json"]).stdout()).expect("JSON");
    assert_eq!(
        (&json["round"], &json["bye"], &json["warnings"]),
        (&1.into(), &4.into(), &serde_json::json!([]))
    );
    let ran = place.swissmatch(&["explain", "trf", "chosen.trf"]);
    assert!(
        ran.stdout().contains("has the bye, which the file has for that round"),
        "{}",
        ran.stdout()
    );
    place.swissmatch(&["verify-pairings", "chosen.trf"]).expect_code(4);
    let ran = place.swissmatch(&["standings", "chosen.trf"]);
    assert!(ran.stdout().starts_with("Small: before round 1\n"), "{}", ran.stdout());
    assert!(!ran.stderr().contains("differ from their results"), "{}", ran.stderr());
    // In a later round.
    let later = with_players(SMALL, |player| {
        if player.number == 1 {
            player
                .rounds
                .push(trf::RoundCell::bye(trf::ResultCode::PairingAllocatedBye));
        }
    });
    place.write("later.trf", &later);
    let ran = place.swissmatch(&["pair", "later.trf"]);
    ran.expect_code(0);
    assert!(
        ran.stdout().starts_with("3\n") && ran.stdout().ends_with("\n1 0\n"),
        "{}",
        ran.stdout()
    );
    place.swissmatch(&["verify-pairings", "later.trf"]).expect_code(0);
    place.write(
        "two.trf",
        &BYE_CHOSEN.replace("0.0\n001    2", "1.0       0000 - U\n001    2"),
    );
    let ran = place.swissmatch(&["pair", "two.trf"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("players 1 and 4 both have the allocated bye"),
        "{}",
        ran.stderr()
    );
}
