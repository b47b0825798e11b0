//! `standings FILE.trf` of files that say something in two ways, or not at all: ranked all the same, and said.

use serde_json::Value;

use crate::resume::{RUN, tiny_event};
use crate::support::Place;

/// Three teams of two, three rounds: each meets each, each has the bye.
const TEAMS: &str = "\
012 Team Cup
192 FIDE_TEAM_SWISS_MP_GP
212 PTS,GPTS
352 WB
001    1      Ann                                                                2.0          3 w 1               5 b 1
001    2      Ben                                                                1.0          4 b =               6 w =
001    3      Cat                                                                1.0          1 b 0     5 w 1
001    4      Dan                                                                1.0          2 w =     6 b =
001    5      Eva                                                                0.0                    3 b 0     1 w 0
001    6      Fay                                                                1.0                    4 w =     2 b =
310   1 Alphas                                           6.0    5.0   1     1    2
310   2 Betas                                            4.0    4.0   2     3    4
310   3 Gammas                                           2.0    3.0   3     5    6
320  2.0  2.0   3   1   2
";

/// Places in turn with match points and game points, and the warnings.
fn ranked(text: &str, args: &[&str]) -> (Vec<String>, Vec<String>) {
    let place = Place::new();
    place.write("file.trf", text);
    let ran = place.swissmatch(&[&["standings", "file.trf", "--json"], args].concat());
    ran.expect_code(0);
    let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let rows = document["players"].as_array().expect("players").iter().map(|row| {
        let values = &row["values"];
        let mut numbers = [&values["PTS"], &values["game-points"]]
            .into_iter()
            .filter_map(Value::as_number);
        let mut number = || numbers.next().map_or_else(String::new, ToString::to_string);
        format!("{} {} {}", row["pairing_number"], number(), number())
    });
    let warnings: Vec<String> = document["warnings"]
        .as_array()
        .expect("warnings")
        .iter()
        .map(text)
        .collect();
    let stderr = ran.stderr();
    for warning in &warnings {
        assert!(
            stderr.contains(&format!("swissmatch: file.trf: {warning}\n")),
            "{stderr}"
        );
    }
    (rows.collect(), warnings)
}

/// The file with one part replaced.
#[track_caller]
fn changed(from: &str, to: &str) -> String {
    assert_eq!(TEAMS.matches(from).count(), 1, "{from}");
    TEAMS.replace(from, to)
}

#[track_caller]
fn said(text: &str, expected: &[&str]) -> Vec<String> {
    let (rows, warnings) = ranked(text, &[]);
    assert_eq!(warnings, expected);
    rows
}

#[test]
fn a_file_of_teams_that_says_one_thing() {
    assert_eq!(said(TEAMS, &[]), ["1 6 5", "2 4 4", "3 2 3"]);
}

#[test]
fn players_and_teams_that_do_not_fit() {
    let rows = said(
        &changed("     3    4\n", "     3    4    1\n"),
        &[
            "line 12: players of team 2 are in another team too, and their games count only for that one: 1, the first in team 1",
        ],
    );
    assert_eq!(rows, ["1 6 5", "2 4 4", "3 2 3"]);
    said(
        &changed("     3    4\n", "     3    4   77   78\n"),
        &["line 12: players of team 2 have no 001 line, and no results: 77, 78"],
    );
    let rows = said(
        &changed("     5    6\n", "     5\n"),
        &[
            "line 10: 1 players with games are in no team (310), the first is player 6; their games count for no team",
            "the game points of 1 team differ from their results, which count: team 3 has 3 in the line, 2 by results",
        ],
    );
    assert_eq!(rows, ["1 6 5", "2 4 4", "3 2 2"]);
}

#[test]
fn a_bye_on_the_boards_alone() {
    let boards = TEAMS
        .replace("320  2.0  2.0   3   1   2\n", "320  2.0  2.0   0   1   2\n")
        .replace(
            "001    5      Eva                                                                0.0               ",
            "001    5      Eva                                                                1.0       0000 - U",
        )
        .replace(
            "001    6      Fay                                                                1.0               ",
            "001    6      Fay                                                                2.0       0000 - U",
        );
    let rows = said(
        &boards,
        &[
            "1 byes of teams are recorded only on their boards (U, F, H), without record 320 or 240, the first is that of \
             team 3 in round 1; taken as such byes, worth a won match and a win on each board (H: drawn)",
        ],
    );
    assert_eq!(rows, ["1 6 5", "2 4 4", "3 2 3"]);
}

#[test]
fn forfeits_of_330() {
    let contradiction = "line 15: the boards of teams 3 and 1 in round 3 do not agree with 330; the forfeit counts, for \
                         match points and game points";
    let points = [
        "the match points of 2 teams differ from their results, which count: team 1 has 6 in the line, 4 by results",
        "the game points of 2 teams differ from their results, which count: team 1 has 5 in the line, 3.5 by results",
    ];
    let rows = said(
        &format!("{TEAMS}330 +-   3   3   1\n"),
        &[contradiction, points[0], points[1]],
    );
    assert_eq!(rows, ["3 4 4.5", "2 4 4", "1 4 3.5"]);
    // Boards that are forfeits, and say the same, give the game points.
    let forfeited = TEAMS
        .replace("5 b 1\n", "5 - -\n")
        .replace("6 w =\n", "6 - -\n")
        .replace("1 w 0\n", "1 - +\n")
        .replace("2 b =\n", "2 - -\n");
    let (rows, warnings) = ranked(&format!("{forfeited}330 +-   3   3   1\n"), &[]);
    assert_eq!(rows, ["2 4 4", "1 4 3.5", "3 4 3.5"].map(str::to_owned));
    assert!(!warnings.iter().any(|warning| warning.contains("330")), "{warnings:?}");
    for (line, doubt) in [
        ("330 +-   3   3   9\n", "330 names team 9, which no record 310 has"),
        (
            "330 +-   3   3   3\n",
            "330 has team 3 against itself; its match is a forfeit without an opponent",
        ),
    ] {
        let (_, warnings) = ranked(&format!("{TEAMS}{line}"), &[]);
        assert!(warnings.contains(&format!("line 15: {doubt}")), "{warnings:?}");
    }
}

#[test]
fn points_of_lines_that_are_not_those_of_the_rounds() {
    said(
        &changed("6.0    5.0", "5.0    4.5"),
        &[
            "the match points of 1 team differ from their results, which count: team 1 has 5 in the line, 6 by results",
            "the game points of 1 team differ from their results, which count: team 1 has 4.5 in the line, 5 by results",
        ],
    );
    said(
        &changed("2.0          3 w 1", "9.0          3 w 1"),
        &["the points of 1 player differ from their results, which count: player 1 has 9 in the line, 2 by results"],
    );
    // Virtual points of teams, in the line or not.
    said(
        &format!(
            "{}250  2.0  1.0   3   3    1    1\n",
            changed("6.0    5.0", "8.0    6.0")
        ),
        &[],
    );
    said(&format!("{TEAMS}250  2.0  1.0   3   3    1    1\n"), &[]);
}

/// Two players, one round.
const PAIR: &str = "\
012 Pair
001    1      Ada                                                                1.0    1     2 w 1
001    2      Bob                                                                0.0    2     1 b 0
";

#[test]
fn game_points_in_a_file_of_individuals() {
    let codes = ["h2h", "GPTS", "MPvGP", "EDE", "BH:GP", "EMGSB", "EGMSB", "EGGSB"];
    let (_, warnings) = ranked(PAIR, &["--tiebreaks", &codes.join(",")]);
    let names = ["h2h", "game-points", "MPvGP", "EDE", "BH:GP", "EMGSB", "EGMSB", "EGGSB"];
    let expected = names
        .map(|name| format!("{name} counts game points, and a file of individuals has none: its points count instead"));
    assert_eq!(warnings, expected);
    let (_, warnings) = ranked(PAIR, &["--tiebreaks", "BH,EMMSB,DE"]);
    assert_eq!(warnings, [""; 0]);
    let (_, warnings) = ranked(TEAMS, &["--tiebreaks", &codes.join(",")]);
    assert_eq!(warnings, [""; 0]);
}

#[test]
fn points_of_a_line_of_individuals() {
    let (_, warnings) = ranked(&PAIR.replace("0.0    2", "0.5    2"), &["--tiebreaks", "BH"]);
    assert_eq!(
        warnings,
        ["the points of 1 player differ from their results, which count: player 2 has 0.5 in the line, 0 by results"]
    );
    let accelerated = PAIR.replace("1.0    1", "2.0    1") + "250       1.0   1   1    1    1\n";
    assert_eq!(ranked(&accelerated, &["--tiebreaks", "BH"]).1, [""; 0]);
}

#[test]
fn a_round_that_is_paired_and_not_played() {
    let place = Place::new();
    place.write(
        "file.trf",
        &PAIR
            .replace("w 1", "w  ")
            .replace("b 0", "b  ")
            .replace("1.0    1", "0.0    1"),
    );
    let ran = place.swissmatch(&["standings", "file.trf", "--tiebreaks", "BH"]);
    ran.expect_code(0);
    assert!(
        ran.stdout().starts_with("Pair: standings during round 1\n"),
        "{}",
        ran.stdout()
    );
    assert!(!ran.stderr().contains("differ from their results"), "{}", ran.stderr());
}

#[test]
fn lists_in_a_file_have_nothing_twice() {
    let refused = |record: &str| {
        let place = Place::new();
        place.write("file.trf", &format!("{record}\n{PAIR}"));
        let ran = place.swissmatch(&["standings", "file.trf"]);
        ran.expect_code(4);
        ran.stderr()
    };
    let end = "; or give --tiebreaks\n";
    assert_eq!(
        refused("202 BH,SB,bh"),
        format!("swissmatch: file.trf:1: BH is given twice{end}")
    );
    assert_eq!(
        refused("212 PTS,SB,SB"),
        format!("swissmatch: file.trf:1: SB is given twice{end}")
    );
    assert_eq!(
        refused("212 PTS,BH/C1/C2"),
        format!("swissmatch: file.trf:1: BH has both `/C1` and `/C2`; write only one of them{end}")
    );
    assert_eq!(
        refused("212 PTS,BCC"),
        format!("swissmatch: file.trf:1: `BCC` is not a tie-break, such as BH/C1, SB or DE{end}")
    );
    let place = Place::new();
    place.write("file.trf", &format!("202 PTS,BH\n{PAIR}"));
    let ran = place.swissmatch(&["standings", "file.trf", "--json"]);
    let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    assert_eq!(document["tiebreaks"], serde_json::json!(["PTS", "BH"]));
}

#[test]
fn what_of_a_files_list_is_not_computed_is_said() {
    let place = Place::new();
    let list = TEAMS.replace("212 PTS,GPTS", "202 EDET/P,EMGSB/C1/P,BC,BH:MP/C1/P,SSSC,MPvGP");
    place.write("file.trf", &list);
    let ran = place.swissmatch(&["standings", "file.trf", "--json"]);
    ran.expect_code(0);
    let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    let order = ["PTS", "EDE/P", "EMGSB/C1/P", "BH:MP/C1/P", "MPvGP"];
    assert_eq!(document["tiebreaks"], serde_json::json!(order));
    let stderr = ran.stderr();
    for said in [
        "line 3: EDET/P taken as EDE/P: the order of boards is not computed",
        "line 3: BC is left out: BC ranks by the order of boards, which is not computed",
        "line 3: SSSC is left out: SSSC divides by the points of a match",
    ] {
        assert!(stderr.contains(&format!("swissmatch: file.trf: {said}")), "{stderr}");
    }
    // On the command line alike.
    let list = "EDET/P,EMGSB/C1/P,BC,BH:MP/C1/P,SSSC/K4,MPvGP,OTHER_OURS";
    let ran = place.swissmatch(&["standings", "file.trf", "--json", "--tiebreaks", list]);
    ran.expect_code(0);
    let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
    assert_eq!(document["tiebreaks"], serde_json::json!(order));
    let stderr = ran.stderr();
    for said in [
        "EDET/P taken as EDE/P: the order of boards is not computed",
        "BC is left out: BC ranks by the order of boards, which is not computed",
        "SSSC/K4 is left out: SSSC divides by the points of a match",
        "OTHER_OURS is left out: OTHER_OURS is a tie-break of a tournament's own (C.07 art. 4.1)",
    ] {
        assert!(
            stderr.contains(&format!("swissmatch: file.trf: --tiebreaks: {said}")),
            "{stderr}"
        );
    }
    // What is left of a list of which nothing is computed.
    for list in ["212 BC", "202 TBR,SSSC"] {
        place.write("file.trf", &TEAMS.replace("212 PTS,GPTS", list));
        let ran = place.swissmatch(&["standings", "file.trf", "--json"]);
        let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
        assert_eq!(document["tiebreaks"], serde_json::json!(["PTS"]));
    }
    // What is no code is refused as before.
    place
        .swissmatch(&["standings", "file.trf", "--tiebreaks", "EDETT/P"])
        .expect_code(4);
}

/// Three rounds of six players; 1, 4 and 5 are level, and 2, 3 and 6.
const TWICE: &str = "\
012 DE twice
142 3
042 2026/05/01
001    1 m    Ann                               2350                             2.0          6 w 1     3 b 1     5 b 0
001    2 m    Bob                               2300                             1.0          5 b 0     4 w 0     3 w 1
001    3 m    Cyd                               2250                             1.0          4 w 1     1 w 0     2 b 0
001    4 m    Dan                               2200                             2.0          3 b 0     2 b 1     6 w 1
001    5 m    Eve                               2150                             2.0          2 w 1     6 b 0     1 w 1
001    6 m    Fay                               2100                             1.0          1 b 0     5 w 1     4 b 0
";

/// "May be listed more than once" (C.07 art. 4.3): asked anew of those who are still level.
#[test]
fn direct_encounter_twice() {
    let place = Place::new();
    place.write("plain.trf", TWICE);
    place.write("after.trf", &TWICE.replace("142 3\n", "142 3\n202 DE,bh,de\n"));
    place.write("whole.trf", &TWICE.replace("142 3\n", "142 3\n212 PTS,DE,BH,DE\t\n"));
    for args in [
        &["plain.trf", "--tiebreaks", "DE,BH,DE"][..],
        &["plain.trf", "--tiebreaks", "de;BH De"],
        &["after.trf"],
        &["whole.trf"],
    ] {
        let ran = place.swissmatch(&[&["standings", "--json"], args].concat());
        ran.expect_code(0);
        assert_eq!(ran.stderr(), "", "{args:?}");
        let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
        assert_eq!(document["tiebreaks"], serde_json::json!(["PTS", "DE", "BH", "DE"]));
        let rows = document["players"].as_array().expect("players").iter();
        let rows: Vec<String> = rows
            .map(|row| {
                format!(
                    "{} {} {}",
                    row["place"],
                    row["name"].as_str().expect("a name"),
                    row["values"]
                )
            })
            .collect();
        assert_eq!(
            rows,
            [
                r#"1 Eve {"BH":4,"DE":0,"DE#2":1,"PTS":2}"#,
                r#"2 Ann {"BH":4,"DE":0,"DE#2":2,"PTS":2}"#,
                r#"3 Dan {"BH":3,"DE":0,"DE#2":0,"PTS":2}"#,
                r#"4 Fay {"BH":6,"DE":0,"DE#2":0,"PTS":1}"#,
                r#"5 Bob {"BH":5,"DE":0,"DE#2":1,"PTS":1}"#,
                r#"6 Cyd {"BH":5,"DE":0,"DE#2":2,"PTS":1}"#,
            ],
            "{args:?}"
        );
    }
    let told = place.swissmatch(&["explain", "5", "1", "--file", "whole.trf"]);
    told.expect_code(0);
    assert!(told.stdout().contains("DE"), "{}", told.stdout());
    let once = place
        .swissmatch(&["standings", "plain.trf", "--tiebreaks", "DE,BH"])
        .stdout();
    assert!(once.contains("1    1  Ann") && once.contains("1    5  Eve"), "{once}");
}

/// In the middle of a tournament nobody knows the games of the last round.
#[test]
fn fore_buchholz_before_the_last_round() {
    let place = Place::new();
    let values = |rounds: &str, args: &[&str], code: &str| -> Vec<String> {
        place.write("file.trf", &TWICE.replace("142 3\n", rounds));
        let args = [&["standings", "file.trf", "--json", "--tiebreaks", "FB,BH"], args].concat();
        let document: Value = serde_json::from_str(&place.swissmatch(&args).stdout()).expect("JSON");
        let rows = document["players"].as_array().expect("players").iter();
        let mut rows: Vec<(u64, String)> = rows
            .map(|row| {
                (
                    row["pairing_number"].as_u64().expect("a number"),
                    row["values"][code].to_string(),
                )
            })
            .collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, value)| value).collect()
    };
    for (rounds, args) in [
        ("142 5\n", &[][..]),
        ("XXR 4\n", &[]),
        ("142 3\n", &["--round", "2"]),
        ("", &["--round", "1"]),
    ] {
        assert_eq!(
            values(rounds, args, "FB"),
            values(rounds, args, "BH"),
            "{rounds} {args:?}"
        );
    }
    for rounds in ["142 3\n", ""] {
        assert_ne!(values(rounds, &[], "FB"), values(rounds, &[], "BH"), "{rounds}");
    }
}

/// C.07 art. 15.2: "tournaments with pre-determined pairings".
#[test]
fn tournaments_whose_pairings_are_predetermined() {
    let place = Place::new();
    for (record, format) in [
        ("192 FIDE_ROUNDROBIN", "round-robin"),
        ("192 fide_scheveningen\t", "round-robin"),
        ("192 FIDE_SCHILLER_4x3", "round-robin"),
        ("092 Rundenturnier", "round-robin"),
        ("092 Scheveningen", "round-robin"),
        ("192 FIDE_BURSTEIN", "swiss"),
        ("092 Schweizer System", "swiss"),
    ] {
        place.write("file.trf", &format!("{record}\n{PAIR}"));
        let ran = place.swissmatch(&["standings", "file.trf", "--json"]);
        let document: Value = serde_json::from_str(&ran.stdout()).expect("JSON");
        assert_eq!(document["format"], format, "{record}");
    }
}

#[test]
fn points_out_of_the_ordinary_of_teams() {
    // Rounds 1 to 3: 1 beat 2 and 3, 2 drew with 3.
    let usual = ["1 6 5", "2 4 4", "3 2 3"];
    assert_eq!(ranked(TEAMS, &[]).0, usual);
    let of = |records: &str| {
        let (rows, warnings) = ranked(&format!("{TEAMS}{records}"), &[]);
        let told: Vec<String> = warnings
            .into_iter()
            .filter(|warning| !warning.contains("differ from their"))
            .collect();
        (rows, told)
    };
    let rows = |rows: [&str; 3]| (rows.map(str::to_owned).to_vec(), Vec::<String>::new());
    let record = |letter: &str, match_points: &str, points: &str, round: &str, team: &str| {
        format!("299 {letter:1} {match_points:>5} {points:>5}  {round:>3} {team:>4}\n")
    };
    // A penalty of a team, in a round and without one; a bonus of everybody.
    assert_eq!(of(&record("", "-1.0", "", "2", "1")), rows(["1 5 5", "2 4 4", "3 2 3"]));
    assert_eq!(
        of(&record("", "", "-0.5", "", "1")),
        rows(["1 6 4.5", "2 4 4", "3 2 3"])
    );
    assert_eq!(of(&record("", "1.0", "2.0", "", "")), rows(["1 7 7", "2 5 6", "3 3 5"]));
    // A won match of one team in one round; of all.
    assert_eq!(
        of(&record("W", "3.0", "2.5", "1", "1")),
        rows(["1 7 6", "2 4 4", "3 2 3"])
    );
    let both = record("W", "3.0", "", "", "") + &record("W", "2.5", "", "", "1");
    assert_eq!(of(&both), rows(["1 7 5", "2 5 4", "3 2 3"]), "the narrower one counts");
    // A match that was forfeited by both, in the columns of the sample of 2024.
    assert_eq!(
        of("330 --   3   1   3\n299 -  0.0  0.5\n").0,
        ["1 4 4", "2 4 4", "3 2 3"]
    );
    let (rows, warnings) = of("330 --   3   1   3\n299 -  0.0  0.5   3    1\n");
    assert_eq!(rows, ["1 4 4", "2 4 4", "3 2 2.5"]);
    assert!(
        warnings
            .iter()
            .any(|warning| warning.contains("columns of FIDE's sample")),
        "{warnings:?}"
    );
}

#[test]
fn virtual_match_points_alone_are_read() {
    let (rows, warnings) = ranked(&format!("{TEAMS}250  2.0        1   1    1    2\n"), &[]);
    assert_eq!(rows, ["1 6 5", "2 4 4", "3 2 3"]);
    assert_eq!(warnings, Vec::<String>::new());
}

#[test]
fn the_edition_of_a_file_is_told() {
    let place = Place::new();
    let by = |head: &str, flags: &[&str]| {
        place.write("file.trf", &format!("{head}202 BH\n{PAIR}"));
        let args = [&["standings", "file.trf"], flags].concat();
        let text = place.swissmatch(&args).stdout();
        let document = place.swissmatch(&[&args[..], &["--json"]].concat()).stdout();
        let document: Value = serde_json::from_str(&document).expect("JSON");
        let [edition, why] = ["edition", "edition_by"].map(|key| document[key].as_str().expect("text").to_owned());
        let line = format!("C.07, edition {edition}: {why}.");
        assert!(text.lines().any(|told| told == line), "{text}");
        for who in [&["1"][..], &["1", "2"]] {
            let args = [&["explain"], who, &["--file", "file.trf"], flags].concat();
            let explained = place.swissmatch(&args).stdout();
            assert!(explained.lines().any(|told| told == line), "{explained}");
            let explained = place.swissmatch(&[&args[..], &["--json"]].concat()).stdout();
            let explained: Value = serde_json::from_str(&explained).expect("JSON");
            assert_eq!(
                (&explained["edition"], &explained["edition_by"]),
                (&document["edition"], &document["edition_by"])
            );
        }
        line
    };
    for (day, edition, shown) in [
        ("2023/08/31", "2022", "2023-08-31"),
        ("01.09.2023", "2024", "2023-09-01"),
        ("28-02-2026", "2024", "2026-02-28"),
        ("25/08/28", "2024", "2025-08-28"),
        ("08/28/2025", "2024", "2025-08-28"),
        ("2025/08/28 10:00\t", "2024", "2025-08-28"),
        ("Mar 1, 2026", "2026", "2026-03-01"),
    ] {
        assert_eq!(
            by(&format!("042 {day}\n"), &[]),
            format!("C.07, edition {edition}: by the first day, {shown} (record 042).")
        );
    }
    assert_eq!(
        by("", &[]),
        "C.07, edition 2026: the one in force, because the file has no first day (record 042)."
    );
    assert_eq!(
        by("042 spring\n", &[]),
        "C.07, edition 2026: the one in force, because `spring` (record 042) is not a known date."
    );
    assert_eq!(
        by("042 2021/05/01\n### editions: C.07 2024, C.04.3 2026\n", &[]),
        "C.07, edition 2024: by the comment `### editions`."
    );
    assert_eq!(
        by("### editions: C.07 2024\n", &["--edition", "played-only"]),
        "C.07, edition played-only: by --edition."
    );
}

#[test]
fn what_a_run_writes_raises_no_doubt() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let ran = place.swissmatch(&["export", "trf", "run", "--view", "teams", "-o", "teams.trf"]);
    ran.expect_code(0);
    let ran = place.swissmatch(&["standings", "teams.trf"]);
    ran.expect_code(0);
    assert_eq!(ran.stderr(), "");
}

#[test]
fn a_bye_beside_a_game_is_said_and_the_game_counts() {
    let (places, _) = ranked(TEAMS, &[]);
    let (with_bye, warnings) = ranked(&TEAMS.replace("320 ", "240 H   2    3    1\n320 "), &[]);
    let line =
        "line 14: 240 has a bye of team 3 in round 2, but the 001 lines have an opponent there; the 001 lines count";
    assert_eq!(warnings, [line]);
    assert_eq!(with_bye, places);
    let (_, warnings) = ranked(&TEAMS.replace("   3   1   2\n", "   3   3   2\n"), &[]);
    let line =
        "line 14: 320 has a bye of team 3 in round 2, but the 001 lines have an opponent there; the 001 lines count";
    assert!(warnings.contains(&line.to_owned()), "{warnings:?}");
    let players: String = TEAMS.lines().take(10).map(|line| line.to_owned() + "\n").collect();
    let (_, warnings) = ranked(&(players + "240 Z   1    1    2\n"), &["--tiebreaks", "PTS"]);
    let line = "line 11: 240 has a bye of player 1 in round 1, but the 001 lines have an opponent there, and likewise for 1 more; the 001 \
                lines count";
    assert!(warnings.contains(&line.to_owned()), "{warnings:?}");
}
