//! Analyses of the fixture's event, worked by hand.

use insta::assert_snapshot;
use swissmatch_tournament::analysis::tallies_after;

use super::super::fixture::{AnalysedGame, analysed, analysed_by};
use super::*;
use crate::standings;

/// Delta lost its second game, as White, on time.
const DELTA: [AnalysedGame; 3] = [
    ((1, 1, 1), [(31, 620), (30, 1500)]),
    ((1, 2, 1), [(28, 280), (27, 270)]),
    ((1, 2, 2), [(2, 40), (6, 0)]),
];

fn delta(state: &State) -> QualityTally {
    tallies_after(state, 3).expect("an analysis")[3].both.clone()
}

#[test]
fn both_means_and_the_move_for_a_resignation() {
    let plain = delta(&analysed(&DELTA, |_| ()));
    // 310 / 29 = 10.69; (10 + 20) / 2.
    assert_eq!((plain.games, plain.moves.moves, plain.resignations), (2, 29, 0));
    assert_eq!(
        (plain.acpl(Mean::Moves), plain.acpl(Mean::Games)),
        (Some(107), Some(150))
    );
    let charged = delta(&analysed(&DELTA, |keys| keys.resignation_move = Some(1000)));
    // 1310 / 30 = 43.67; (10 + 1040 / 3) / 2 = 178.33.
    assert_eq!((charged.moves.moves, charged.resignations), (29, 1));
    assert_eq!(
        (charged.acpl(Mean::Moves), charged.acpl(Mean::Games)),
        (Some(437), Some(1783))
    );
}

#[test]
fn the_standings_have_what_has_been_analysed() {
    let state = analysed(&DELTA, |_| ());
    let lines = |text: String| -> Vec<String> {
        let cut = text
            .lines()
            .map(|line| line.get(..58).unwrap_or(line).trim_end().to_owned());
        cut.collect()
    };
    assert_snapshot!(lines(standings::page(&state, 2).text(None)).join("\n"), @r"
    Spring qualifier: standings after round 2 of 3

    #  Name      MP   H2H  Buchholz    SB   GP  ACPL  Win %  W
    ───────────────────────────────────────────────────────────────────────────────────
    1  Alpha    1.5               2   1.5  2.5  20.0   50.0  2
    2  Charlie    1  1.5*       2.5     1    2  50.0   25.0  1
    3  Bravo      1  0.5*       1.5   0.5  2.5   8.2   50.0  2
    4  Echo       1    0*       1.5  0.75    2         50.0  1
    5  Delta    0.5               1     0    1  10.7    0.0  0

    * H2H among players level with each other who have not all
    Byes: round 1 Echo; round 2 Delta.
    ACPL: Reference 1 (SHA-256 0123456789ab…), 100000 nodes
    ");
    let json: serde_json::Value = serde_json::from_str(&standings::json(&state, 2)).expect("JSON");
    let of = |name: &str| {
        let players = json["players"].as_array().expect("players");
        let player = players
            .iter()
            .find(|player| player["name"] == name)
            .expect("the player");
        (
            player["acpl"].clone(),
            player["accuracy"].clone(),
            player["blunders"].clone(),
        )
    };
    assert_eq!(of("Delta"), (10.7.into(), 90.into(), 0.into()));
    assert_eq!(
        of("Echo"),
        (
            serde_json::Value::Null,
            serde_json::Value::Null,
            serde_json::Value::Null
        )
    );
}

#[test]
fn players_with_the_least_loss_come_first() {
    let state = analysed(&DELTA, |keys| keys.mean = Mean::Games);
    assert_snapshot!(page(&state).expect("an analysis").text(None), @r"
    Spring qualifier: 3 of 8 games analysed

    Name     Games  Moves  ACPL (moves)  ACPL (games)  ACPL white  ACPL black  Accuracy  Inaccuracies  Mistakes  Blunders
    ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Bravo        2     34           8.2           5.0        10.0         0.0      90.0             0         0         0
    Delta        2     29          10.7          15.0        20.0        10.0      90.0             0         0         0
    Alpha        1     31          20.0          20.0        20.0                  90.0             0         0         0
    Charlie      1     30          50.0          50.0                    50.0      90.0             0         0         0
    Echo         0      0                                                                           0         0         0

    Engine: Reference 1 (SHA-256 0123456789ab…), 100000 nodes a position, evaluations clamped to ±1000, mean of the games' means.
    Inaccuracies lose 50 centipawns or more, mistakes 100, blunders 300; a move counts once. Accuracy in per cent, as Lichess defines it for a move, mean over all moves.
    ");
    assert_snapshot!(games(&state).expect("an analysis").table.csv(), @r"
    Game,Name,Colour,Result,Moves,ACPL,Accuracy,Inaccuracies,Mistakes,Blunders
    1.1.1,Alpha,white,1-0,31,20.0,90.0,0,0,0
    1.1.1,Charlie,black,1-0,30,50.0,90.0,0,0,0
    1.2.1,Bravo,white,1-0,28,10.0,90.0,0,0,0
    1.2.1,Delta,black,1-0,27,10.0,90.0,0,0,0
    1.2.2,Delta,white,0-1,2,20.0,90.0,0,0,0
    1.2.2,Bravo,black,0-1,6,0.0,90.0,0,0,0
    ");
}

#[test]
fn what_an_engine_calls_itself_is_harmless() {
    let state = analysed_by("Ev\u{202e}il\u{1b}[2J | <b>", &DELTA);
    let page = page(&state).expect("an analysis");
    for text in [page.text(None), page.markdown(), json(&state).expect("an analysis")] {
        assert!(!text.contains(['\u{202e}', '\u{1b}']), "{text:?}");
    }
}
