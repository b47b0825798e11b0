//! `verify-pairings`: agreement, the first difference, broken rules, exit codes.

use swiss_system::trf::Color;
use swiss_system::trf::ResultCode;
use swiss_system::trf::RoundCell;

use super::ALL_HAVE_MET;
use super::SMALL;
use super::files;
use super::with_players;
use super::with_round;
use crate::support::Place;

const WON: [ResultCode; 2] = [ResultCode::Win, ResultCode::Loss];
const BYE: RoundCell = RoundCell::bye(ResultCode::PairingAllocatedBye);

fn white(opponent: u32) -> RoundCell {
    RoundCell::against(opponent, Color::White, WON[0])
}

fn black(opponent: u32) -> RoundCell {
    RoundCell::against(opponent, Color::Black, WON[1])
}

#[test]
fn tournaments_of_two_other_programs_agree() {
    let place = Place::new();
    let whole = files(|name| name.ends_with(".trf") && !name.contains('-'));
    assert_eq!(whole.len(), 207, "tests/data/dutch has whole tournaments");
    for (name, path) in whole {
        let ran = place.swissmatch(&["verify-pairings", &path.display().to_string()]);
        ran.expect_code(0);
        let said = ran.stdout();
        let (by, rounds) = said.split_once('\n').expect("several lines");
        assert!(by.starts_with("By C.04.3, edition 2026: "), "{name}:\n{said}");
        let (rounds, last) = rounds.trim_end().rsplit_once('\n').expect("several lines");
        let count = rounds.lines().count();
        assert!(rounds.lines().all(|line| line.ends_with(": OK")), "{name}:\n{said}");
        assert_eq!(last, format!("{count} of {count} rounds agree"), "{name}");
        assert_eq!(ran.stderr(), "", "{name}");
    }
}

#[test]
fn the_first_difference_ends_it() {
    let place = Place::new();
    let changed = with_round(SMALL, 1, &[black(3), black(4), white(1), white(2), BYE]);
    place.write("changed.trf", &changed);
    let ran = place.swissmatch(&["verify-pairings", "changed.trf"]);
    ran.expect_code(1);
    insta::assert_snapshot!(ran.stdout(), @"
    By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)
    Round 1: DIFFERENT (only colours)
      in the file:  3 1
      paired again: 1 3
    Stopped at the first difference, after 0 of 1 round; --all goes on
    ");
}

#[test]
fn every_difference_is_shown_on_request() {
    let place = Place::new();
    let changed = with_players(SMALL, |player| {
        player.rounds = match player.number {
            1 => vec![black(3), white(2), BYE],
            2 => vec![black(4), black(1), white(5)],
            3 => vec![white(1), BYE, white(4)],
            4 => vec![white(2), white(5), black(3)],
            _ => vec![BYE, black(4), black(2)],
        };
        player.points = None;
    });
    place.write("changed.trf", &changed);
    let ran = place.swissmatch(&["verify-pairings", "changed.trf", "--all"]);
    ran.expect_code(1);
    insta::assert_snapshot!(ran.stdout(), @"
    By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)
    Round 1: DIFFERENT (only colours)
      in the file:  3 1
      paired again: 1 3
    Round 2: DIFFERENT
      in the file:  1 2, 4 5, 3 0
      paired again: 5 3, 1 4, 2 0
    Round 3: DIFFERENT
      in the file:  2 5, 1 0
      paired again: 5 1, 2 0
    0 of 3 rounds agree
    ");
}

#[test]
fn colors_do_not_count_where_only_pairs_are_asked_for() {
    let place = Place::new();
    let changed = with_round(SMALL, 1, &[black(3), black(4), white(1), white(2), BYE]);
    place.write("changed.trf", &changed);
    let ran = place.swissmatch(&["verify-pairings", "changed.trf", "--pairs-only"]);
    ran.expect_code(0);
    let by = "By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)";
    assert_eq!(ran.stdout(), format!("{by}\nRound 1: OK\n1 of 1 round agrees\n"));
}

#[test]
fn a_pairing_of_the_file_that_breaks_the_rules_is_named_with_the_rule() {
    let place = Place::new();
    place.write(
        "again.trf",
        &with_round(SMALL, 2, &[white(3), white(4), black(1), black(2), BYE]),
    );
    let ran = place.swissmatch(&["verify-pairings", "again.trf"]);
    ran.expect_code(1);
    insta::assert_snapshot!(ran.stdout(), @"
    By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)
    Round 1: OK
    Round 2: DIFFERENT
      in the file:  1 3, 2 4, 5 0
      paired again: 5 1, 2 3, 4 0
      the file breaks the rules: players 1 and 3 have met before, in round 1 (C1: C.04.3 article 2.1.1, C.04.1 article 2)
      the file breaks the rules: players 2 and 4 have met before, in round 1 (C1: C.04.3 article 2.1.1, C.04.1 article 2)
      the file breaks the rules: player 5 has the bye, but had one in round 1 (C2: C.04.3 article 2.1.2, C.04.1 article 4)
    Stopped at the first difference, after 1 of 2 rounds; --all goes on
    ");
}

#[test]
fn a_round_that_has_no_legal_pairing_is_no_agreement() {
    let place = Place::new();
    let fourth = [white(2), black(1), white(4), black(3)];
    place.write("met.trf", &with_round(ALL_HAVE_MET, 4, &fourth));
    let ran = place.swissmatch(&["verify-pairings", "met.trf"]);
    ran.expect_code(1);
    insta::assert_snapshot!(ran.stdout(), @"
    By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)
    Round 1: OK
    Round 2: OK
    Round 3: OK
    Round 4: NO LEGAL PAIRING
      no pairing of this round keeps the absolute criteria: 1 can meet nobody. Who must not meet: 1 and 2 (met in round 2, C1); 1 and 3 (met in round 1, C1); 1 and 4 (met in round 3, C1). What an arbiter can do: let somebody sit this round out with a requested bye, or end the tournament here
      the file breaks the rules: players 1 and 2 have met before, in round 2 (C1: C.04.3 article 2.1.1, C.04.1 article 2)
      the file breaks the rules: players 3 and 4 have met before, in round 2 (C1: C.04.3 article 2.1.1, C.04.1 article 2)
    Stopped at the first difference, after 3 of 4 rounds; --all goes on
    ");
}

#[test]
fn a_round_without_anybody_to_pair_agrees() {
    let place = Place::new();
    place.generated(
        "idle.trf",
        &["--players", "3", "--rounds", "2", "--half-point-bye-rate", "100"],
    );
    let ran = place.swissmatch(&["verify-pairings", "idle.trf"]);
    ran.expect_code(0);
    assert_eq!(
        ran.stdout(),
        "By C.04.3, edition 2026: by the comment `### editions`\nRound 1: OK (nobody to pair)\nRound 2: OK (nobody to pair)\n2 of \
         2 rounds agree\n"
    );
}

#[test]
fn the_edition_is_that_of_the_file() {
    let place = Place::new();
    let by = |head: &str, flags: &[&str]| {
        place.write("dated.trf", &format!("{head}{SMALL}"));
        let ran = place.swissmatch(&[&["verify-pairings", "dated.trf"], flags].concat());
        ran.expect_code(0);
        let said = ran.stdout();
        let json = place.swissmatch(&[&["verify-pairings", "dated.trf", "--json"], flags].concat());
        let json: serde_json::Value = serde_json::from_str(&json.stdout()).expect("JSON");
        let by = said.lines().next().expect("a line").to_owned();
        let [edition, why] = ["edition", "edition_by"].map(|key| json["rules"][key].as_str().expect("text"));
        assert_eq!(by, format!("By C.04.3, edition {edition}: {why}"));
        for command in [&["pair", "dated.trf"][..], &["pair", "dated.trf", "--json"]] {
            let paired = place.swissmatch(&[command, flags].concat());
            assert_eq!(paired.stderr(), format!("swissmatch: dated.trf: {}\n", &by[3..]));
        }
        let explained = place.swissmatch(&[&["explain", "trf", "dated.trf", "--round", "1"], flags].concat());
        assert!(explained.stdout().contains(&by[3..]), "{}", explained.stdout());
        by
    };
    assert_eq!(
        by("042 2026/01/31\n", &[]),
        "By C.04.3, edition 2017: by the first day, 2026-01-31 (record 042)"
    );
    assert_eq!(
        by("042 01.02.2026\n", &[]),
        "By C.04.3, edition 2026: by the first day, 2026-02-01 (record 042)"
    );
    assert_eq!(
        by("042 2026/05/01\n### editions: C.04.3 2017\n", &[]),
        "By C.04.3, edition 2017: by the comment `### editions`"
    );
    assert_eq!(
        by("042 2021/05/01\n192 FIDE_DUTCH_2026\n", &[]),
        "By C.04.3, edition 2026: by record 192"
    );
    assert_eq!(
        by("042 2021/05/01\n192 FIDE_DUTCH_2017\n", &["--edition", "2026"]),
        "By C.04.3, edition 2026: by --edition"
    );
}

#[test]
fn a_round_that_was_altered_by_hand_agrees_as_its_comment_says() {
    let place = Place::new();
    let altered = with_round(SMALL, 1, &[white(4), white(3), black(2), black(1), BYE]);
    let verify = |comment: &str, flags: &[&str]| {
        place.write("altered.trf", &format!("{altered}{comment}"));
        place.swissmatch(&[&["verify-pairings", "altered.trf"], flags].concat())
    };
    verify("", &[]).expect_code(1);
    let ran = verify("### MPA @ Round 1: 1-3 4-2 => 1-4 2-3\n", &[]);
    ran.expect_code(0);
    insta::assert_snapshot!(ran.stdout(), @"
    By C.04.3, edition 2026: the one in force, because the file has no first day (record 042)
    Round 1: OK (altered by hand, as the file's comment says)
      in the file:  1 4, 2 3
      paired again: 1 3, 4 2
    1 of 1 round agrees
    ");
    let json = verify("### MPA @ Round 1: 1-3, 4-2 => 2-3, 1-4\n", &["--json"]).stdout();
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["rounds"][0]["verdict"], "altered");
    // Another round, other boards, other colours.
    for comment in [
        "### MPA @ Round 2: 1-3 4-2 => 1-4 2-3\n",
        "### MPA @ Round 1: 1-3 4-2 => 1-2 3-4\n",
        "### MPA @ Round 1: 1-3 4-2 => 4-1 3-2\n",
        "### MPA @ Round 1: 1-3 => 1-4 2-3\n",
        "### MPA @ Round 1: 1-3 2-4 => 1-4 2-3\n",
    ] {
        verify(comment, &[]).expect_code(1);
    }
    let colors = "### MPA @ Round 1: 1-3 2-4 => 4-1 2-3\n";
    verify(colors, &["--pairs-only"]).expect_code(0);
}

#[test]
fn a_bye_that_was_given_by_hand_and_a_round_without_a_pairing() {
    let place = Place::new();
    let cells = [white(3), BYE, black(1), white(5), black(4)];
    let altered = with_round(SMALL, 1, &cells) + "### MPA @ Round 1: 4-2 5=PAB => 4-5 2=PAB\n";
    place.write("bye.trf", &altered);
    place.swissmatch(&["verify-pairings", "bye.trf"]).expect_code(0);
    let fourth = [white(2), black(1), white(4), black(3)];
    let altered = with_round(ALL_HAVE_MET, 4, &fourth) + "### MPA @ Round 4: none => 1-2 3-4\n";
    place.write("met.trf", &altered);
    let ran = place.swissmatch(&["verify-pairings", "met.trf"]);
    ran.expect_code(0);
    let said = ran.stdout();
    assert!(said.contains("Round 4: OK (altered by hand"), "{said}");
    assert!(
        said.contains("what was altered breaks the rules: players 1 and 2 have met before"),
        "{said}"
    );
}

#[test]
fn json_has_both_pairings_of_each_round() {
    let place = Place::new();
    place.write(
        "again.trf",
        &with_round(SMALL, 2, &[white(3), white(4), black(1), black(2), BYE]),
    );
    let ran = place.swissmatch(&["verify-pairings", "again.trf", "--json", "--all"]);
    ran.expect_code(1);
    insta::assert_snapshot!(ran.stdout(), @r#"
    {
      "agree": false,
      "file": "again.trf",
      "rounds": [
        {
          "again": {
            "breaches": [],
            "bye": null,
            "pairs": []
          },
          "file": {
            "breaches": [],
            "bye": null,
            "pairs": []
          },
          "reason": null,
          "round": 1,
          "verdict": "same"
        },
        {
          "again": {
            "breaches": [],
            "bye": 4,
            "pairs": [
              [
                5,
                1
              ],
              [
                2,
                3
              ]
            ]
          },
          "file": {
            "breaches": [
              "players 1 and 3 have met before, in round 1 (C1: C.04.3 article 2.1.1, C.04.1 article 2)",
              "players 2 and 4 have met before, in round 1 (C1: C.04.3 article 2.1.1, C.04.1 article 2)",
              "player 5 has the bye, but had one in round 1 (C2: C.04.3 article 2.1.2, C.04.1 article 4)"
            ],
            "bye": 5,
            "pairs": [
              [
                1,
                3
              ],
              [
                2,
                4
              ]
            ]
          },
          "reason": null,
          "round": 2,
          "verdict": "different"
        }
      ],
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
      "warnings": []
    }
    "#);
}

#[test]
fn what_was_assumed_is_told_once() {
    let place = Place::new();
    place.write("silent.trf", &SMALL.replace("142 4\n", "").replace("152 W\n", ""));
    let ran = place.swissmatch(&["verify-pairings", "silent.trf"]);
    ran.expect_code(0);
    insta::assert_snapshot!(ran.stderr(), @"
    swissmatch: silent.trf: the number of rounds is missing (record 142 or XXR); taken as 2
    swissmatch: silent.trf: the initial colour is missing (record 152 or XXC); taken as White, as round 1 shows
    ");
}

#[test]
fn a_file_that_cannot_be_verified_is_exit_4() {
    let place = Place::new();
    place.write("new.trf", &with_players(SMALL, |player| player.rounds.clear()));
    place.write("small.trf", SMALL);
    place.write(
        "team.trf",
        &format!("{SMALL}310   1 Alphas                                                                 1    2\n"),
    );
    for (args, said) in [
        (
            &["verify-pairings", "new.trf"][..],
            "new.trf: the file has no rounds to verify",
        ),
        (
            &["verify-pairings", "team.trf"],
            "team.trf: the file is of a team tournament",
        ),
        (
            &["verify-pairings", "small.trf", "--rounds", "1"],
            "the tournament has 1 round (",
        ),
        (&["verify-pairings", "absent.trf"], "absent.trf: cannot be read: "),
        (&["verify-pairings"], "FILE.trf"),
    ] {
        let ran = place.swissmatch(args);
        ran.expect_code(4);
        assert!(ran.stderr().contains(said), "{args:?}: {}", ran.stderr());
    }
}

#[test]
fn another_system_is_named_and_refused() {
    let place = Place::new();
    for (record, said) in [
        ("192 CUSTOM_SWISS", "record 192 says `CUSTOM_SWISS`"),
        ("192 FIDE_ROUNDROBIN", "record 192 says `FIDE_ROUNDROBIN`"),
        (
            "092 Individual: Round-Robin",
            "record 092 says `Individual: Round-Robin`",
        ),
    ] {
        place.write("other.trf", &format!("{record}\n{SMALL}"));
        let ran = place.swissmatch(&["verify-pairings", "other.trf"]);
        ran.expect_code(4);
        assert_eq!(ran.stdout(), "");
        assert!(ran.stderr().contains(said), "{}", ran.stderr());
        assert!(ran.stderr().contains("--edition 2026"), "{}", ran.stderr());
        place
            .swissmatch(&["verify-pairings", "other.trf", "--edition", "2026"])
            .expect_code(0);
    }
    for record in [
        "192 FIDE_DUTCH_2026",
        "092 Individual: Swiss-System",
        "092 FIDE_DUTCH_2025",
    ] {
        place.write("dutch.trf", &format!("{record}\n{SMALL}"));
        place.swissmatch(&["verify-pairings", "dutch.trf"]).expect_code(0);
    }
}
