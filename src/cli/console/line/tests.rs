//! Every kind of line, as it is printed.

use serde_json::json;

use super::*;
use swissmatch_game::Side;
use swissmatch_report::waiting::WaitJson;
use swissmatch_tournament::log::HowEnded;

fn begun() -> RunBegunLine<'static> {
    RunBegunLine {
        event: "Open",
        players: 3,
        rounds: 2,
        format: TournamentFormat::Swiss,
        games_scheduled: 4,
        games_planned: 6,
        games_finished: 0,
    }
}

fn round(further: &[&'static str], starts: Option<&str>) -> RoundPairingLine<'static> {
    RoundPairingLine {
        round: 1,
        pairs: vec![PairOfRound {
            white: "A",
            black: "B",
            repeat: false,
        }],
        bye: Some("C"),
        further_byes: further.to_vec(),
        bye_again: further.to_vec(),
        starts: starts.map(|instant| instant.parse().expect("an instant")),
    }
}

fn last(playoff: Option<Value>) -> EndLine {
    EndLine {
        standings: Some(json!({ "schema": 1 })),
        tour: None,
        playoff,
        games_taken: None,
    }
}

/// Whoever reads the lines may compare them as text: these are the bytes of each kind.
#[test]
fn each_kind_is_written_so() {
    let time: TimeControl = "60+1".parse().expect("a time control");
    let playoff = PlayoffRoundLine {
        round: 2,
        playoff: 1,
        boards: vec![BoardOfPlayoff {
            contest: "1.1".to_owned(),
            white: "A",
            black: "B",
            games: 2,
            time_controls: [time.clone(), time],
        }],
        later: None,
    };
    let game = GameOverLine {
        id: "1.1.2".parse().expect("a game"),
        round: 1,
        playoff: 0,
        board: 1,
        game: 2,
        white: "A",
        black: "B",
        result: "1-0",
        termination: Termination::Crash { by: Side::Black },
        plies: 61,
        failed_attempts: [0, 1],
        in_doubt: [0, 0],
        faults: vec![FaultOfGame {
            player: "B",
            why: "crash: its process was killed by signal 11",
        }],
        alarms: &[],
        taken_from: None,
        played_on: None,
    };
    let mini_match = MiniMatchOver {
        round: 1,
        playoff: 0,
        board: 1,
        white: "A",
        black: "B",
        white_game_points: "1.5".parse().expect("points"),
        black_game_points: "0.5".parse().expect("points"),
    };
    let until = "2026-01-30T18:00:00Z".parse().expect("an instant");
    let waiting = WaitJson {
        r#for: "round",
        round: Some(3),
        until,
    };
    let machine = Machine {
        answers: 1,
        games: 1,
        of_games: 4,
        too_busy: true,
        first: None,
        one_by_one: false,
    };
    let causes = [
        Cause::Runner(HowEnded {
            signal: Some(9),
            exit_code: None,
        }),
        Cause::Service("local: 503".to_owned()),
    ];
    let lines = [
        RunLine::Started(begun()),
        RunLine::Resumed(begun()),
        RunLine::Warning { text: "odd" },
        RunLine::Refused {
            exit_code: 4,
            text: "no such file",
        },
        RunLine::StageBegun {
            stage: 2,
            players: vec!["A", "B"],
        },
        RunLine::RoundProposed(round(&[], None)),
        RunLine::RoundPaired(round(&["D"], Some("2026-01-30T18:00:00Z"))),
        RunLine::PlayoffPaired(playoff),
        RunLine::PresenceChecked {
            round: 1,
            absent: &["C (gone)".to_owned()],
        },
        RunLine::LotDrawn {
            purpose: "colours".to_owned(),
            drawn: vec!["B", "A"],
        },
        RunLine::Acted {
            by: "N",
            did: "paused",
            reason: "lunch",
        },
        RunLine::Waiting(waiting),
        RunLine::GameFinished(game),
        RunLine::MiniMatchOver(mini_match),
        RunLine::RoundOver {
            round: 1,
            leaders: vec!["A", "B"],
            in_doubt: None,
        },
        RunLine::RoundOver {
            round: 2,
            leaders: Vec::new(),
            in_doubt: Some(machine),
        },
        RunLine::Complete {
            last: last(None),
            at_fault: Vec::new(),
        },
        RunLine::Interrupted(last(None)),
        RunLine::Decision(last(Some(json!({})))),
        RunLine::Rulings {
            last: last(None),
            games: vec![HeldGame {
                id: "1.1.2".parse().expect("a game"),
                white: "A",
                black: "B",
                interruptions: causes.iter().collect(),
            }],
        },
        RunLine::NoPairing(last(None)),
    ];
    let found: Vec<String> = lines.iter().map(RunLine::text).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
    {"event":"Open","format":"swiss","games_finished":0,"games_planned":6,"games_scheduled":4,"players":3,"rounds":2,"schema":1,"type":"started"}
    {"event":"Open","format":"swiss","games_finished":0,"games_planned":6,"games_scheduled":4,"players":3,"rounds":2,"schema":1,"type":"resumed"}
    {"schema":1,"text":"odd","type":"warning"}
    {"exit_code":4,"schema":1,"text":"no such file","type":"refused"}
    {"players":["A","B"],"schema":1,"stage":2,"type":"stage-begun"}
    {"bye":"C","pairs":[{"black":"B","repeat":false,"white":"A"}],"round":1,"schema":1,"type":"round-proposed"}
    {"bye":"C","bye_again":["D"],"further_byes":["D"],"pairs":[{"black":"B","repeat":false,"white":"A"}],"round":1,"schema":1,"starts":"2026-01-30T18:00:00Z","type":"round-paired"}
    {"boards":[{"black":"B","contest":"1.1","games":2,"time_controls":["60+1","60+1"],"white":"A"}],"later":null,"playoff":1,"round":2,"schema":1,"type":"playoff-paired"}
    {"absent":["C (gone)"],"round":1,"schema":1,"type":"presence-checked"}
    {"drawn":["B","A"],"purpose":"colours","schema":1,"type":"lot-drawn"}
    {"by":"N","did":"paused","reason":"lunch","schema":1,"type":"acted"}
    {"for":"round","round":3,"schema":1,"type":"waiting","until":"2026-01-30T18:00:00Z"}
    {"black":"B","board":1,"failed_attempts":[0,1],"faults":[{"player":"B","why":"crash: its process was killed by signal 11"}],"game":2,"id":"1.1.2","in_doubt":[0,0],"lost_by":"black","playoff":0,"plies":61,"result":"1-0","round":1,"schema":1,"termination":"crash","type":"game-finished","white":"A"}
    {"black":"B","black_game_points":0.5,"board":1,"playoff":0,"round":1,"schema":1,"type":"mini-match-over","white":"A","white_game_points":1.5}
    {"in_doubt":null,"leaders":["A","B"],"round":1,"schema":1,"type":"round-over"}
    {"in_doubt":{"answers":1,"games":1,"of_games":4,"too_busy":true},"leaders":[],"round":2,"schema":1,"type":"round-over"}
    {"at_fault":[],"schema":1,"standings":{"schema":1},"type":"complete"}
    {"schema":1,"standings":{"schema":1},"type":"interrupted"}
    {"playoff":{},"schema":1,"standings":{"schema":1},"type":"decision"}
    {"games":[{"black":"B","id":"1.1.2","interruptions":[{"signal":9},{"service":"local: 503"}],"white":"A"}],"schema":1,"standings":{"schema":1},"type":"rulings"}
    {"schema":1,"standings":{"schema":1},"type":"no-pairing"}
    "#);
}
