//! `standings FILE.trf`, `explain A B`, `rescore`: what an arbiter asks of a table.

use insta::assert_snapshot;
use serde_json::Value;

use crate::resume::{RUN, tiny_event};
use crate::support::Place;

/// Six players, four rounds, every kind of unplayed round.
const OPEN: &str = "\
012 Autumn Open
062 6
092 Individual: Swiss-System
142 4
152 W
192 FIDE_DUTCH
202 BH/C1,SB,DE
001    1      Ada                               2200                             3.0    1     4 w 1     2 b =     3 w =     5 b 1
001    2      Bela                              2150                             2.5    2     5 b 1     1 w =  0000 - H     3 b =
001    3      Cato                              2100                             2.5    3     6 w +     4 b =     1 b =     2 w =
001    4      Dora                              2050                             2.5    4     1 b 0     3 w =     6 b 1  0000 - U
001    5      Egon                              2000                             1.0    5     2 w 0  0000 - U  0000 - Z     1 w 0
001    6      Fumi                              1950                             0.0    6     3 b -  0000 - Z     4 w 0  0000 - Z
";

fn open() -> Place {
    let place = Place::new();
    place.write("open.trf", OPEN);
    place
}

/// What the program prints, where it is to end well.
fn said(place: &Place, args: &[&str]) -> String {
    let ran = place.swissmatch(args);
    ran.expect_code(0);
    ran.stdout()
}

fn json(place: &Place, args: &[&str]) -> Value {
    serde_json::from_str(&said(place, args)).expect("JSON")
}

#[test]
fn a_file_is_ranked_by_its_own_tie_breaks() {
    let place = open();
    assert_snapshot!(said(&place, &["standings", "open.trf"]), @"
    Autumn Open: standings after round 4

    #  No.  Name   Rtg  PTS  BH/C1    SB  DE
    ────────────────────────────────────────
    1    1  Ada   2200    3    7.5     6
    2    3  Cato  2100  2.5      8   4.5
    3    4  Dora  2050  2.5    7.5  3.75
    4    2  Bela  2150  2.5    6.5  4.75
    5    5  Egon  2000    1    6.5     1
    6    6  Fumi  1950    0    2.5     0

    C.07, edition 2026: the one in force, because the file has no first day (record 042).
    ");
}

#[test]
fn a_file_is_ranked_by_others() {
    let place = open();
    let args = [
        "standings",
        "open.trf",
        "--tiebreaks",
        "BH/C1,SB,DE,AOB",
        "--edition",
        "2024",
        "--json",
    ];
    let standings = json(&place, &args);
    assert_eq!(
        standings["tiebreaks"],
        serde_json::json!(["PTS", "BH/C1", "SB", "DE", "AOB"])
    );
    let third = &standings["players"][1];
    assert_eq!(
        (&third["pairing_number"], &third["points"]),
        (&Value::from(3), &Value::from(2.5))
    );
    assert_snapshot!(third["values"], @r#"{"AOB":8.67,"BH/C1":8,"DE":0,"PTS":2.5,"SB":6.5}"#);
    // A mean that is no decimal is rounded, and stands beside it as it is.
    assert_snapshot!(third["exact"], @r#"{"AOB":"26/3"}"#);
}

/// By the rules of Immortal Game, which that edition is of, a game won because the opponent did not come is one with Black too.
#[test]
fn wins_with_black_of_a_file() {
    let place = Place::new();
    let with_black = OPEN
        .replace("     6 w +", "     6 b +")
        .replace("     3 b -", "     3 w -");
    place.write("open.trf", &with_black);
    for (edition, wins) in [("played-only", [1, 1]), ("2026", [1, 0])] {
        let args = [
            "standings",
            "open.trf",
            "--tiebreaks",
            "BWG",
            "--edition",
            edition,
            "--json",
        ];
        let standings = json(&place, &args);
        let of = |number: u32| {
            let mut rows = standings["players"].as_array().expect("players").iter();
            let row = rows.find(|row| row["pairing_number"] == number);
            row.expect("in the table")["values"]["BWG"].clone()
        };
        assert_eq!([1, 3].map(of), wins, "{edition}");
    }
}

#[test]
fn a_list_that_cannot_be_is_refused() {
    let place = open();
    for (list, message) in [
        ("BHX", "--tiebreaks: `BHX` is not a tie-break; did you mean `BH`?"),
        ("BH,SB,BH", "--tiebreaks: BH is given twice"),
        (
            "BH/C7",
            "--tiebreaks: BH takes no `/C7`; it takes :MP, :GP, /C1, /C2, /M1, /M2, /P",
        ),
    ] {
        let ran = place.swissmatch(&["standings", "open.trf", "--tiebreaks", list]);
        ran.expect_code(4);
        assert_eq!(ran.stderr(), format!("swissmatch: {message}\n"));
    }
    let spoilt = OPEN.replace("202 BH/C1,SB,DE", "202 BH/C1,XX");
    place.write("spoilt.trf", &spoilt);
    let ran = place.swissmatch(&["standings", "spoilt.trf"]);
    ran.expect_code(4);
    assert!(
        ran.stderr()
            .starts_with("swissmatch: spoilt.trf:7: `XX` is not a tie-break"),
        "{}",
        ran.stderr()
    );
    let ran = place.swissmatch(&["standings", "open.trf", "--round", "9"]);
    ran.expect_code(4);
    assert_eq!(
        ran.stderr(),
        "swissmatch: open.trf: there is no round 9; the file has 4\n"
    );
}

#[test]
fn what_is_doubtful_is_said() {
    let place = open();
    let unrated = OPEN.replace("2000", "    ");
    place.write("unrated.trf", &unrated);
    let ran = place.swissmatch(&["standings", "unrated.trf", "--tiebreaks", "ARO,KS"]);
    ran.expect_code(0);
    assert!(
        ran.stderr().contains("ARO is left out, because a player has no rating"),
        "{}",
        ran.stderr()
    );
    assert!(ran.stderr().contains("KS is only for round robins"), "{}", ran.stderr());
    let args = [
        "standings",
        "unrated.trf",
        "--tiebreaks",
        "ARO",
        "--unrated",
        "2000",
        "--json",
    ];
    assert_eq!(json(&place, &args)["players"][0]["values"]["ARO"], 2075);
}

#[test]
fn two_players_are_told_apart_term_by_term() {
    let place = open();
    let cato_bela = said(&place, &["explain", "bela", "cato", "--file", "open.trf"]);
    assert_snapshot!(cato_bela, @"
    #3 Cato (place 2) is before #2 Bela (place 4).

    They are level on
      PTS: 2.5

    BH/C1 separates them, 8 to 6.5 – Buchholz: points of the opponents, without the lowest.

    #3 Cato: 8
      round 1  won by forfeit against #6 Fumi  0.5 (dummy with the player's own score, 2.5, but at most that of the scheduled opponent, 0.5) – cut: the lowest
      round 2  drew with #4 Dora               2.5
      round 3  drew with #1 Ada                3
      round 4  drew with #2 Bela               2.5
      sum: 8

    #2 Bela: 6.5
      round 1  beat #5 Egon       1
      round 2  drew with #1 Ada   3
      round 3  half-point bye     2 (dummy with the player's own score, 2.5, but at most 2, a draw for each of 4 rounds) – cut: the lowest of the player's own voluntary unplayed rounds, which are cut first
      round 4  drew with #3 Cato  2.5
      sum: 6.5

    The later criteria no longer matter: SB, DE.

    C.07, edition 2026: the one in force, because the file has no first day (record 042).

    Unplayed rounds, C.07 as of March 2026:
      a round that a player did not play counts for the player as one against a dummy with the player's
      own score, but at most the scheduled opponent's where a game was forfeited, else a draw for each round;
      for others, a requested bye counts as a draw where only such byes and lost forfeits came after it.
    ");
    let direct = said(
        &place,
        &["explain", "3", "4", "--file", "open.trf", "--tiebreaks", "DE,WIN"],
    );
    assert_snapshot!(direct, @"
    #4 Dora (place 2) is before #3 Cato (place 3).

    They are level on
      PTS: 2.5
      DE: nobody told apart

      Among 3 players who have not all played each other, points in their games:
        #3 Cato: 1
        #2 Bela: 0.5, did not play one of them
        #4 Dora: 0.5, did not play one of them
      A missing game (a forfeited game counts as missing) could still have changed who is on top: they stay level.

    WIN separates them, 2 to 1 – rounds with the points of a win, played or not.

    #4 Dora: 2
      round 3  beat #6 Fumi           1
      round 4  pairing-allocated bye  1
      sum: 2

    #3 Cato: 1
      round 1  won by forfeit against #6 Fumi  1

    C.07, edition 2026: the one in force, because the file has no first day (record 042).
    ");
}

#[test]
fn a_row_is_told_number_by_number() {
    let place = open();
    let args = [
        "explain",
        "2",
        "--file",
        "open.trf",
        "--tiebreaks",
        "SB/C1,EDE,TPR,cumulative",
        "--edition",
        "2022",
    ];
    assert_snapshot!(said(&place, &args), @"
    #2 Bela: place 2.

    PTS: 2.5 – points
      round 1  beat #5 Egon       1
      round 2  drew with #1 Ada   0.5
      round 3  half-point bye     0.5
      round 4  drew with #3 Cato  0.5
      sum: 2.5

    SB/C1: 3.75 – Sonneborn-Berger: points of the opponents times the points against them, without the lowest
      round 1  beat #5 Egon       1 × 1 = 1 – cut: the lowest
      round 2  drew with #1 Ada   3 × 0.5 = 1.5
      round 3  half-point bye     2.5 × 0.5 = 1.25 (virtual opponent)
      round 4  drew with #3 Cato  2 × 0.5 = 1 (has 2.5; counts as 2, unplayed rounds as draws)
      sum: 3.75

    EDE: nobody told apart – direct encounter by the score, then by the other score

      Among 2 players who have played each other, match points in their games:
        #2 Bela: 0.5
        #3 Cato: 0.5
      They stay level.

      Among 2 players who have played each other, game points in their games:
        #2 Bela: 0.5
        #3 Cato: 0.5
      They stay level.

    TPR: 2225 – tournament performance rating
      round 1  beat #5 Egon       2000
      round 2  drew with #1 Ada   2200
      round 4  drew with #3 Cato  2100
                                  +125 (rating difference for 67 %)
      mean of the ratings, and the difference: 2225

    cumulative: 6.5 – US Chess: sum of the running score, less unplayed points
      round 1  beat #5 Egon       1
      round 2  drew with #1 Ada   1.5
      round 3  half-point bye     2
      round 4  drew with #3 Cato  2.5
      round 3  half-point bye     -0.5 (taken off once, because it was not played)
      sum: 6.5

    C.07, edition 2022: by --edition.

    Unplayed rounds, C.07 before September 2023:
      a round that a player did not play counts for the player as one against a virtual opponent,
      and for others as a draw.
    ");
}

#[test]
fn explanations_add_up_for_programs_too() {
    let place = open();
    let args = ["explain", "bela", "cato", "--file", "open.trf", "--json"];
    let why = json(&place, &args);
    assert_eq!(why["separated_by"], "BH/C1");
    for (player, sum) in [(0, 8.0), (1, 6.5)] {
        let line = &why["players"][player]["criteria"][1];
        let terms = line["terms"].as_array().expect("terms");
        let counted = terms.iter().filter(|term| term["counts"] == true);
        let exact = |text: &Value| text.as_str().expect("text").parse::<f64>().expect("a decimal");
        assert_eq!(counted.map(|term| exact(&term["amount"])).sum::<f64>(), sum);
        assert_eq!(line["value"], sum);
    }
}

#[test]
fn nobody_by_that_name() {
    let place = open();
    for (name, message) in [
        ("x", "no player is called `x`; the nearest name is #1 Ada"),
        (
            "1.1.1",
            "no player is called `1.1.1`; for the game: `swissmatch explain game 1.1.1`",
        ),
        (
            "gaem",
            "no player is called `gaem`; did you mean `swissmatch explain game GAME`?",
        ),
        ("#9", "nobody has the number 9; there are 6 players"),
        (
            "a",
            "`a` may mean #1 Ada, #2 Bela, #3 Cato, #4 Dora; give the whole name, or the pairing number",
        ),
    ] {
        let ran = place.swissmatch(&["explain", name, "--file", "open.trf"]);
        ran.expect_code(4);
        assert_eq!(ran.stderr(), format!("swissmatch: {message}\n"));
    }
    // Two of one name are told apart by their numbers alone.
    let alike = OPEN.replace("Bela", "Cato");
    place.write("alike.trf", &alike);
    let ran = place.swissmatch(&["explain", "cato", "--file", "alike.trf"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("`cato` may mean #2 Cato, #3 Cato"),
        "{}",
        ran.stderr()
    );
    let ran = place.swissmatch(&["explain", "ada", "1", "--file", "open.trf"]);
    ran.expect_code(4);
    assert!(ran.stderr().contains("the same player twice"), "{}", ran.stderr());
    place.swissmatch(&["explain"]).expect_code(4);
}

#[test]
fn a_run_by_other_rules() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let standings = json(&place, &["standings", "run", "--json"]);
    let stored = place.read("run/standings.json");

    let same = json(&place, &["rescore", "run", "--json"]);
    assert_eq!(same["changes"], serde_json::json!([]));
    let pairs = same["players"]
        .as_array()
        .expect("players")
        .iter()
        .zip(standings["players"].as_array().expect("players"));
    for (rescored, row) in pairs {
        assert_eq!((&rescored["place"], &rescored["was"]), (&row["place"], &row["place"]));
        assert_eq!(rescored["values_before"], rescored["values"]);
    }

    let three = json(
        &place,
        &[
            "rescore",
            "run",
            "--json",
            "--set",
            "scoring.match=[3,1,0]",
            "--set",
            "bye.score=leaderboard",
        ],
    );
    assert_eq!(three["changes"].as_array().map(Vec::len), Some(3));
    let points = |players: &Value| -> Vec<String> {
        let players = players.as_array().expect("players").iter();
        let mut points: Vec<String> = players
            .map(|row| row["match_points"].as_number().expect("a number").to_string())
            .collect();
        points.sort();
        points
    };
    assert_ne!(points(&three["players"]), points(&standings["players"]));

    let text = said(
        &place,
        &[
            "rescore",
            "run",
            "--order",
            "match-points,BH/C1,SB",
            "--edition",
            "2022",
        ],
    );
    assert!(text.contains("standings.edition: \"2026\" → \"2022\""), "{text}");
    assert!(text.contains("Nothing stored was changed."), "{text}");
    let table = "scoring.match={ win = 3, draw = 1, loss = 0 }";
    let why = said(&place, &["rescore", "run", "--set", table, "--explain", "1", "2"]);
    assert!(why.contains("match-points: 1.5"), "{why}");
    assert_eq!(place.read("run/standings.json"), stored);
    place.swissmatch(&["verify", "run"]).expect_code(0);

    let ran = place.swissmatch(&["rescore", "run", "--set", "game.nodes=5"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("rescore changes nothing that was played"),
        "{}",
        ran.stderr()
    );
    let ran = place.swissmatch(&["standings", "run", "--tiebreaks", "BH"]);
    ran.expect_code(4);
    assert!(ran.stderr().contains("swissmatch rescore"), "{}", ran.stderr());
}

#[test]
fn disqualified_after_the_end() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let before = json(&place, &["standings", "run", "--json"]);
    let winner = before["players"][0]["name"].as_str().expect("a name").to_owned();

    // "Taken off the leaderboard; everyone below moves up; nobody's score or tie-break changes."
    let off = json(&place, &["rescore", "run", "--json", "--exclude", &winner]);
    let rows = off["players"].as_array().expect("players");
    assert_eq!((rows.len(), &off["out"][0]["name"]), (2, &Value::from(winner.as_str())));
    for (row, old) in rows.iter().zip(&before["players"].as_array().expect("players")[1..]) {
        assert_eq!(row["name"], old["name"]);
        assert_eq!(row["place"].as_u64(), old["place"].as_u64().map(|place| place - 1));
        assert_eq!(row["values"], row["values_before"]);
    }

    // The other usage: the mini-matches against that player give nothing.
    let usage = "standings.disqualified=annulled";
    let annulled = json(
        &place,
        &["rescore", "run", "--json", "--exclude", &winner, "--set", usage],
    );
    let game_points = |row: &Value| row["game_points"].as_f64();
    for row in annulled["players"].as_array().expect("players") {
        let old = before["players"]
            .as_array()
            .expect("players")
            .iter()
            .find(|old| old["name"] == row["name"]);
        assert!(game_points(row) <= game_points(old.expect("was there")));
    }
    // Who was struck still counts in the group in which others scored head to head.
    let other = rows[0]["name"].as_str().expect("a name");
    let args = ["rescore", "run", "--exclude", &winner, "--explain", other, "--json"];
    let why = json(&place, &args);
    let h2h = &why["criteria"][1];
    assert_eq!(h2h["criterion"], "h2h");
    let scored = h2h["terms"].as_array().expect("terms").iter().map(|term| {
        let amount = term["amount"].as_str().expect("text");
        amount.parse::<f64>().expect("a decimal")
    });
    let value = h2h["value"].as_f64().unwrap_or_default();
    assert_eq!(scored.sum::<f64>(), value);
    let ran = place.swissmatch(&["rescore", "run", "--exclude", &winner, "--explain", &winner]);
    ran.expect_code(4);
    assert!(ran.stderr().contains("is not in this table"), "{}", ran.stderr());
    let everybody = ["rescore", "run", "--exclude", "A", "--exclude", "B", "--exclude", "C"];
    place.swissmatch(&everybody).expect_code(4);
}

#[test]
fn disqualified_after_the_end_in_the_tournament_file() {
    let place = Place::new();
    place.write("event.toml", &tiny_event());
    place.swissmatch(&RUN).expect_code(0);
    let before = json(&place, &["standings", "run/tournament.trf", "--json"]);
    assert_eq!(before["players"].as_array().map(Vec::len), Some(3));
    let act = ["arbiter", "disqualify", "A", "run", "--by", "Ann", "--reason", "a copy"];
    place.swissmatch(&act).expect_code(0);
    let names = |table: &Value| -> Vec<(u64, String)> {
        let rows = table["players"].as_array().expect("players").iter();
        let of_row = |row: &Value| {
            (
                row["place"].as_u64().expect("a place"),
                row["name"].as_str().expect("a name").to_owned(),
            )
        };
        rows.map(of_row).collect()
    };
    let run = names(&json(&place, &["standings", "run", "--json"]));
    assert_eq!(run.len(), 2);
    for view in ["individual", "teams"] {
        place
            .swissmatch(&["export", "trf", "run", "--view", view, "-o", &format!("{view}.trf")])
            .expect_code(0);
        let file = format!("{view}.trf");
        assert!(
            place.read(&file).contains("### Off the list: "),
            "{}",
            place.read(&file)
        );
        assert_eq!(names(&json(&place, &["standings", &file, "--json"])), run, "{view}");
    }
    assert_eq!(place.read("run/tournament.trf"), place.read("individual.trf"));
}

/// `arbiter disqualify` after the end does what `standings.disqualified` says, and the log says so by itself.
#[test]
fn disqualified_after_the_end_and_annulled_by_the_key() {
    let place = Place::new();
    place.write(
        "event.toml",
        &(tiny_event() + "[standings]\ndisqualified = \"annulled\"\n"),
    );
    place.swissmatch(&RUN).expect_code(0);
    let act = ["arbiter", "disqualify", "A", "run", "--by", "Ann", "--reason", "a copy"];
    let ran = place.swissmatch(&act);
    ran.expect_code(0);
    assert!(ran.stdout().contains("and annulled its results"), "{}", ran.stdout());
    let after = json(&place, &["standings", "run", "--json"]);
    let rows = after["players"].as_array().expect("players");
    assert!(rows.iter().all(|row| row["name"] != "A"), "{after:#}");
    // B and C have met once at most, in two games.
    let games = |row: &Value| row["games"].as_u64().expect("a number");
    assert!(rows.iter().all(|row| games(row) <= 2), "{after:#}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
}
