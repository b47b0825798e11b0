//! What the database says, beside the other exports of the same run.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{count, rows};
use crate::support::Place;

/// The value of a member, a yes or no as the database has it.
fn as_cell(value: &Value) -> Value {
    match value {
        Value::Bool(yes) => i64::from(*yes).into(),
        other => other.clone(),
    }
}

pub(super) fn check_games(place: &Place, run: &str, database: &Connection) {
    let list = place.export_json(run, "games-json");
    let list = list["games"].as_array().expect("a list of games");
    let games = rows(database, "SELECT * FROM games ORDER BY game_id");
    assert_eq!(games.len(), list.len(), "{run}");
    for (game, line) in games.iter().zip(list) {
        for name in [
            "round",
            "playoff",
            "board",
            "game",
            "white",
            "black",
            "white_pairing_number",
            "black_pairing_number",
            "result",
            "termination",
            "fault_of",
            "plies",
            "ruling",
            "annulled",
            "replays",
        ] {
            assert_eq!(game[name], as_cell(&line[name]), "{run}: {name} of {}", line["id"]);
        }
        assert_eq!(game["name"], line["id"]);
        assert_eq!(game["white_failed_attempts"], line["failed_attempts"][0]);
        assert_eq!(game["black_failed_attempts"], line["failed_attempts"][1]);
        assert_eq!(game["ended_as_result"], line["ended_as"]["result"]);
        assert_eq!(game["ended_as_termination"], line["ended_as"]["termination"]);
        assert!(game["log_entry"].is_i64() && game["ended_at"].is_string(), "{game:?}");
    }
    let faults = list.iter().map(|line| match line["fault_of"].as_str() {
        None => 0,
        Some("both") => 2,
        Some(_) => 1,
    });
    assert_eq!(
        count(database, "SELECT count(*) FROM faults WHERE kind = 'game'"),
        faults.sum::<usize>() as i64
    );
    assert_eq!(
        count(database, "SELECT count(*) FROM faults WHERE kind = 'attempt'"),
        count(
            database,
            "SELECT coalesce(sum(white_failed_attempts + black_failed_attempts), 0) FROM games"
        )
    );
}

pub(super) fn check_moves(place: &Place, run: &str, database: &Connection) {
    let exported = place.swissmatch(&["export", "records", run]);
    exported.expect_code(0);
    let (mut played, mut book) = (0, 0);
    for line in exported.stdout().lines() {
        let record: Value = serde_json::from_str(line).expect("JSON");
        let id = record["id"].as_str().expect("a name");
        let of_game = format!("FROM moves JOIN games USING (game_id) WHERE name = '{id}'");
        let moves = rows(
            database,
            &format!("SELECT moves.* {of_game} AND NOT is_book ORDER BY ply"),
        );
        let opening = rows(database, &format!("SELECT moves.* {of_game} AND is_book ORDER BY ply"));
        let text = |rows: &[BTreeMap<String, Value>]| {
            let words = rows.iter().map(|row| row["uci"].as_str().expect("a move").to_owned());
            Value::from(words.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(text(&moves), record["moves"], "{run} {id}");
        assert_eq!(
            text(&opening),
            record["opening"].get("moves").cloned().unwrap_or("".into())
        );
        for (ply, row) in moves.iter().enumerate() {
            assert_eq!(row["ply"], json!(opening.len() + ply + 1));
            for column in [
                "time_us",
                "clock_us",
                "depth",
                "seldepth",
                "nodes",
                "nps",
                "hashfull",
                "processor_us",
            ] {
                let recorded = record.get(column).map_or(&Value::Null, |all| &all[ply]);
                assert_eq!(&row[column], recorded, "{run} {id}: {column} of ply {ply}");
            }
            let eval = match (&row["eval_cp"], &row["eval_mate"]) {
                (Value::Null, Value::Null) => Value::Null,
                (Value::Null, mate) => format!("#{mate}").into(),
                (centipawns, _) => centipawns.clone(),
            };
            assert_eq!(
                &eval,
                record.get("eval").map_or(&Value::Null, |all| &all[ply]),
                "{run} {id}"
            );
            let player = if row["side"] == "white" { "white" } else { "black" };
            assert_eq!(row["pairing_number"], record[player]);
        }
        (played, book) = (played + moves.len(), book + opening.len());
    }
    assert_eq!(
        count(database, "SELECT count(*) FROM moves") as usize,
        played + book,
        "{run}"
    );
    assert_eq!(
        count(database, "SELECT coalesce(sum(plies), 0) FROM games") as usize,
        played
    );
}

/// Each part of a document that has parts, or the document.
fn parts(document: &Value) -> Vec<&Value> {
    document["parts"]
        .as_array()
        .map_or(vec![document], |parts| parts.iter().collect())
}

/// Points of JSON beside those of a row.
fn same_points(row: &Value, json: &Value) -> bool {
    row.as_f64() == json.as_f64() && row.is_f64()
}

pub(super) fn check_standings(place: &Place, run: &str, database: &Connection) {
    let document = place.export_json(run, "json");
    for (number, part) in (1..).zip(parts(&document)) {
        let lines = rows(
            database,
            &format!(
                "SELECT * FROM standings WHERE part = {number} AND round = (SELECT max(round) FROM standings WHERE part = {number}) \
                 ORDER BY line"
            ),
        );
        let players = part["players"].as_array().expect("a list of players");
        assert_eq!(lines.len(), players.len(), "{run}");
        for (line, player) in lines.iter().zip(players) {
            for name in [
                "place",
                "name",
                "won",
                "drawn",
                "lost",
                "games",
                "byes",
                "repeats",
                "faults",
                "forfeits_won",
                "forfeits_lost",
            ] {
                assert_eq!(line[name], player[name], "{run}: {name} of {}", player["name"]);
            }
            for name in ["match_points", "game_points"] {
                assert!(same_points(&line[name], &player[name]), "{run}: {line:?} {player}");
            }
            let of_event = &rows(
                database,
                &format!(
                    "SELECT name FROM players WHERE pairing_number = {}",
                    line["pairing_number"]
                ),
            )[0]["name"];
            assert_eq!(of_event, &player["name"], "numbers are those of the event");
            let criteria = rows(
                database,
                &format!(
                    "SELECT criterion, value FROM criteria WHERE part = {number} AND round = {} AND pairing_number = {}",
                    line["round"], line["pairing_number"]
                ),
            );
            let values = player["values"].as_object().expect("values");
            assert_eq!(criteria.len(), values.len(), "{run}");
            for row in criteria {
                let value = &values[row["criterion"].as_str().expect("a name")];
                assert!(
                    row["value"] == *value || same_points(&row["value"], value),
                    "{run}: {row:?} {value}"
                );
            }
        }
    }
    // What rounds gave adds up, and what mini-matches gave is in it.
    let off = rows(
        database,
        "SELECT * FROM (
           SELECT standings.part, standings.round, standings.name, standings.match_points, standings.game_points,
             sum(rounds.match_points) AS given, sum(rounds.game_points) AS games_given
           FROM standings
           JOIN player_rounds AS rounds ON rounds.part = standings.part AND rounds.round <= standings.round
             AND rounds.pairing_number = standings.pairing_number
           GROUP BY standings.part, standings.round, standings.pairing_number
         ) WHERE match_points <> given OR game_points <> games_given",
    );
    assert_eq!(off, [], "{run}");
    let off = rows(
        database,
        "SELECT mini_matches.name, white_game_points, sum(CASE WHEN games.white = mini_matches.white THEN white_points ELSE black_points END)
         AS given FROM mini_matches JOIN games USING (mini_match_id) WHERE white_game_points IS NOT NULL
         GROUP BY mini_match_id HAVING given <> white_game_points",
    );
    assert_eq!(off, [], "{run}");
}

pub(super) fn check_rounds(place: &Place, run: &str, database: &Connection) {
    let crosstable = place.swissmatch(&["crosstable", run, "--json"]);
    let document: Value = serde_json::from_str(&crosstable.stdout()).expect("JSON");
    for (number, part) in (1..).zip(parts(&document)) {
        let before = part["rounds_before"].as_u64().unwrap_or(0);
        for player in part["players"].as_array().expect("a list of players") {
            for round in player["rounds"].as_array().expect("a list of rounds") {
                let of_event = before + round["round"].as_u64().expect("a number");
                let had = rows(
                    database,
                    &format!(
                        "SELECT * FROM player_rounds WHERE part = {number} AND round = {of_event} AND name = '{}'",
                        player["name"].as_str().expect("a name")
                    ),
                );
                let [had] = &had[..] else { panic!("{run}: {had:?}") };
                assert_eq!(
                    (&had["fate"], &had["result"]),
                    (&round["fate"], &round["result"]),
                    "{run}"
                );
                assert!(same_points(&had["match_points"], &round["match_points"]));
                assert_eq!(had["is_repeat"], as_cell(&round["repeat"]));
                let white = round["white_first"]
                    .as_bool()
                    .map(|white| if white { "white" } else { "black" });
                assert_eq!(had["color"].as_str(), white, "{run}");
            }
        }
    }
}
