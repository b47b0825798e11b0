//! Standings on small fields, by every column and round.

use insta::assert_snapshot;

use super::super::fixture;
use super::*;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::record::{CallTotals, PartialSum, Thinking};
use swissmatch_tournament::log::{Entry, RunCreated};

#[test]
fn before_the_first_round() {
    let page = page(&fixture::created_only(), 0);
    assert_eq!(page.title, "Spring qualifier: before round 1 of 3");
    assert_eq!((page.table.rows.len(), page.notes.len()), (5, 1));
}

#[test]
fn after_a_round() {
    assert_snapshot!(page(&fixture::two_rounds(), 2).text(None), @"
    Spring qualifier: standings after round 2 of 3

    #  Name      MP   H2H  Buchholz    SB   GP  Win %  W/D/L  Games  Byes  Faults
    ─────────────────────────────────────────────────────────────────────────────
    1  Alpha    1.5               2   1.5  2.5   50.0  2/1/1      4     0       0
    2  Charlie    1  1.5*       2.5     1    2   25.0  1/2/1      4     0       0
    3  Bravo      1  0.5*       1.5   0.5  2.5   50.0  2/1/1      4     0       1
    4  Echo       1    0*       1.5  0.75    2   50.0  1/0/1      2     1       1
    5  Delta    0.5               1     0    1    0.0  0/0/2      2     1       1

    * H2H among players level with each other who have not all met.
    Byes: round 1 Echo; round 2 Delta.
    Left out until the games are analysed (`swissmatch analyse`): ACPL.
    ");
}

#[test]
fn earlier_standings_are_still_to_be_had() {
    let page = page(&fixture::third_round_begun(), 1);
    assert_eq!(page.title, "Spring qualifier: standings after round 1 of 3");
    assert_eq!(
        page.notes,
        [
            "* H2H among players level with each other who have not all met.",
            "Byes: round 1 Echo.",
            "Left out until the games are analysed (`swissmatch analyse`): ACPL."
        ]
    );
}

#[test]
fn during_a_round_in_a_narrow_terminal() {
    assert_snapshot!(page(&fixture::third_round_begun(), 3).text(Some(60)), @"
    Spring qualifier: standings during round 3 of 3, 2 of 4
      games played

    #  Name      MP  H2H  Buchholz    SB   GP  Win %  W/D/L
    ───────────────────────────────────────────────────────
    1  Alpha    1.5   0*         2   1.5  2.5   40.0  2/1/2
    2  Bravo    1.5   0*       1.5   0.5  3.5   50.0  2/1/1
    3  Charlie    1   0*         3   1.5    3   40.0  2/2/1
    4  Echo       1   0*       1.5  0.75    2   50.0  1/0/1
    5  Delta    0.5            1.5     0    2    0.0  0/0/2

    Left out, for lack of room: Games, Byes, Faults. A wider
      terminal has them, or `| less -S`.

    * H2H among players level with each other who have not all
      met.
    Match points are from finished mini-matches only.
    Byes: round 1 Echo; round 2 Delta; round 3 Bravo.
    Forced repeats: round 3 Charlie – Alpha.
    Left out until the games are analysed
      (`swissmatch analyse`): ACPL.
    ");
}

#[test]
fn at_the_end_in_markdown() {
    assert_snapshot!(page(&fixture::over(), 3).markdown(), @r"
    ## Spring qualifier: final standings after 3 rounds

    | # | Name | MP | H2H | Buchholz | SB | GP | Win % | W/D/L | Games | Byes | Faults |
    | ---: | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | 1 | Alpha | 2 |  | 4 | 2.75 | 3.5 | 50.0 | 3/1/2 | 6 | 0 | 0 |
    | 2 | Bravo | 1.5 | 2.5* | 3 | 1.5 | 3.5 | 50.0 | 2/1/1 | 4 | 1 | 1 |
    | 3 | Charlie | 1.5 | 1.5* | 5.5 | 2.5 | 3 | 33.3 | 2/2/2 | 6 | 0 | 0 |
    | 4 | Delta | 1.5 | 0* | 2.5 | 1 | 3 | 0.0 | 0/0/2 | 2 | 1 | 1 |
    | 5 | Echo | 1 |  | 3.5 | 1 | 2 | 50.0 | 1/0/1 | 2 | 1 | 3 |

    \* H2H among players level with each other who have not all met.

    Byes: round 1 Echo; round 2 Delta; round 3 Bravo.

    Forfeits: round 3 Delta won against Echo.

    Forced repeats: round 3 Charlie – Alpha.

    Left out until the games are analysed (\`swissmatch analyse\`): ACPL.
    ");
}

#[test]
fn csv() {
    assert_snapshot!(page(&fixture::over(), 3).table.csv(), @"
    #,Name,MP,H2H,Buchholz,SB,GP,Win %,W/D/L,Games,Byes,Faults
    1,Alpha,2,,4,2.75,3.5,50.0,3/1/2,6,0,0
    2,Bravo,1.5,2.5,3,1.5,3.5,50.0,2/1/1,4,1,1
    3,Charlie,1.5,1.5,5.5,2.5,3,33.3,2/2/2,6,0,0
    4,Delta,1.5,0,2.5,1,3,0.0,0/0/2,2,1,1
    5,Echo,1,,3.5,1,2,50.0,1/0/1,2,1,3
    ");
}

#[test]
fn json_has_points_as_numbers() {
    let value: serde_json::Value = serde_json::from_str(&json(&fixture::two_rounds(), 2)).expect("JSON");
    assert_eq!(
        (&value["round"], &value["rounds"], &value["final"]),
        (&2.into(), &3.into(), &false.into())
    );
    assert_eq!(value["in_progress"], serde_json::Value::Null);
    assert_snapshot!(value["players"][1], @r#"{"acpl":null,"black":{"drawn":1,"lost":1,"won":0},"buchholz":2.5,"byes":0,"drawn":2,"faults":0,"forfeits_lost":0,"forfeits_won":0,"game_points":2,"games":4,"h2h":{"all_met":false,"points":1.5},"lost":1,"match_points":1,"name":"Charlie","pairing_number":3,"place":2,"repeats":0,"sonneborn_berger":1,"values":{"buchholz":2.5,"game-points":2,"h2h":1.5,"match-points":1,"sonneborn-berger":1},"white":{"drawn":1,"lost":0,"won":1},"win_rate":25,"won":1}"#);
    assert_eq!(value["players"][0]["h2h"], serde_json::Value::Null);
    let value: serde_json::Value = serde_json::from_str(&json(&fixture::third_round_begun(), 3)).expect("JSON");
    assert_snapshot!(value["in_progress"], @r#"{"games":4,"played":2,"round":3}"#);
    let value: serde_json::Value = serde_json::from_str(&json(&fixture::over(), 3)).expect("JSON");
    assert_eq!(value["final"], true);
}

/// Attempts that failed are in a column that is asked for, and nowhere else.
#[test]
fn failed_attempts_have_a_column() {
    let of = |columns: &str| {
        let columns: Vec<Column> = columns
            .split(' ')
            .map(|column| column.parse().expect("a column"))
            .collect();
        fixture::over_with(|setup| setup.standings.columns = columns)
    };
    let value = |state| serde_json::from_str::<serde_json::Value>(&json(&state, 3)).expect("JSON");
    assert_eq!(value(of("games"))["players"][3].get("failed_attempts"), None);
    assert_snapshot!(page(&of("games attempts"), 3).table.csv(), @"
    #,Name,Games,Failed attempts,MP,H2H,Buchholz,SB
    1,Alpha,6,1,2,,4,2.75
    2,Bravo,4,3,1.5,2.5,3,1.5
    3,Charlie,6,0,1.5,1.5,5.5,2.5
    4,Delta,2,3,1.5,0,2.5,1
    5,Echo,2,0,1,,3.5,1
    ");
    assert_eq!(value(of("games attempts"))["players"][3]["failed_attempts"], 3);
}

#[test]
fn all_play_all_is_said() {
    let created = RunCreated {
        format: TournamentFormat::AllPlayAll,
        ..fixture::created_only().created().clone()
    };
    let state = State::fold(&[Entry::Created(Box::new(created))]).expect("a log");
    let notes = page(&state, 0).notes;
    assert_eq!(
        notes.last().map(String::as_str),
        Some("All-play-all: everybody meets everybody once, by Berger tables.")
    );
}

/// Alpha and Delta are asked over the network; of a call of Delta nobody knows what it cost. Bravo has lost a game by illegal moves.
#[test]
fn players_that_are_asked_over_the_network_have_their_columns() {
    let told = |sum, untold| PartialSum { sum, untold };
    let alpha = CallTotals {
        calls: 20,
        input: told(9_000, 0),
        output: told(410, 0),
        cost: told(1_250_001, 0),
        cut_off: 2,
    };
    let delta = CallTotals {
        calls: 3,
        input: told(900, 1),
        output: told(0, 3),
        cost: told(5, 1),
        cut_off: 0,
    };
    let mut entries = fixture::log_of_two_rounds();
    for entry in &mut entries {
        match entry {
            Entry::Created(created) => {
                let columns = "tokens-in tokens-out cost cost-a-win legal-share score score-without-faults";
                created.setup.standings.columns = columns
                    .split(' ')
                    .map(|column| column.parse().expect("a column"))
                    .collect();
                created.setup.standings.order = vec![Code::MatchPoints.into()];
                let mut players = created.setup.players.iter_mut();
                let alpha = players.find(|player| player.name == "Alpha").expect("it plays");
                alpha.model = Some("local:small".to_owned());
            }
            Entry::GameFinished(game) => {
                let of_player = |PairingNumber(player)| match player {
                    1 => alpha,
                    4 => delta,
                    _ => CallTotals::NONE,
                };
                game.asked = Some([game.white, game.black].map(of_player));
                game.thinking = Some([0, 1].map(|side| Thinking {
                    moves: game.plies / 2 + u32::from(side == 0) * (game.plies % 2),
                    time_us: 1,
                }));
            }
            _ => {}
        }
    }
    let state = State::fold(&entries).expect("a log");
    let page = page(&state, 2);
    assert_snapshot!(page.table.csv(), @"
    #,Name,Tokens in,Tokens out,Cost,Cost/win,Legal %,Score %,Score % without faults,MP
    1,Alpha,36000,1640,5.000004,2.500002,99.1 (95.5–100),62.5 (0–100),62.5 (0–100),1.5
    2,Bravo,,,,,98.8 (96.7–100),62.5 (0–100),83.3 (0–100),1
    2,Charlie,,,,,100 (98.6–100),50.0 (0–100),50.0 (0–100),1
    2,Echo,,,,,100 (93.0–100),50.0 (0–100),100 (0–100),1
    5,Delta,1800+,–,–,,91.7 (78.7–100),0 (0–100),0 (0–100),0.5
    ");
    for told in [
        "A cost of which a part is unknown is –.",
        "Legal %: of all attempts, those that gave a legal move in time.",
        "did not lose by a fault of its own",
        "In brackets: 95 % intervals",
        "Answers that were cut off: Alpha, 8 of 80 at 500 tokens (model.max_tokens).",
    ] {
        assert!(
            page.notes.iter().any(|note| note.contains(told)),
            "{told}: {:#?}",
            page.notes
        );
    }
    let value: serde_json::Value = serde_json::from_str(&json(&state, 2)).expect("JSON");
    let of = |place: usize| &value["players"][place];
    let tokens = |sum: u64, untold: u64| serde_json::json!({ "sum": sum, "calls_untold": untold });
    assert_eq!(
        (&of(0)["cost"], &of(0)["cost_a_win"]),
        (&5_000_004.into(), &2_500_002.into())
    );
    assert_eq!(
        (&of(4)["input_tokens"], &of(4)["output_tokens"]),
        (&tokens(1800, 2), &tokens(0, 6))
    );
    for unknown in [
        &of(4)["cost"],
        &of(4)["cost_a_win"],
        &of(1)["input_tokens"],
        &of(1)["cost"],
    ] {
        assert_eq!(unknown, &serde_json::Value::Null);
    }
    let share = &of(4)["legal_share"];
    let share = [&share["percent"], &share["interval"][0], &share["interval"][1]].map(serde_json::Value::as_f64);
    assert_eq!(share, [Some(91.67), Some(78.69), Some(100.0)]);
    assert_eq!(of(1)["score_without_faults"]["percent"], 83.33);
}
