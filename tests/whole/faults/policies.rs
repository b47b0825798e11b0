//! What the event's rules do with agents that are at fault again and again: each rule by an event in which it acts.

use serde_json::Value;

use super::door::{Agent, Event, four, play};
use crate::support::Place;

const CRASHES: &str = "--fault exit --at 2";

fn event(flags: &str, keys: &[&str]) -> Event {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, flags));
    play(place, &players, keys)
}

/// How the games of the faulty player ended, in schedule order.
fn endings(event: &Event) -> Vec<&str> {
    let games = event.of_faulty().into_iter();
    games
        .map(|game| game.line["termination"].as_str().expect("a word"))
        .collect()
}

fn entries(event: &Event, kind: &str) -> Vec<Value> {
    let log = swissmatch::shell::store::Store::open_to_read(&event.place.path("run/run.sqlite")).expect("the log");
    let entries = log.entries().expect("the log").into_iter();
    let of_kind = entries.filter(|logged| logged.entry.kind() == kind);
    of_kind
        .map(|logged| serde_json::to_value(&logged.entry).expect("JSON"))
        .collect()
}

/// However many games are played at once.
#[test]
fn who_is_at_fault_too_often_forfeits_the_rest_of_the_mini_match() {
    for at_once in ["1", "4"] {
        let event = event(
            CRASHES,
            &[
                "faults.forfeit_after=2",
                "mini_match.games=6",
                &format!("run.concurrency={at_once}"),
                "run.max_games_per_player=\"none\"",
            ],
        );
        let forfeited = "too-many-faults";
        assert_eq!(
            endings(&event),
            ["crash", "crash", forfeited, forfeited, forfeited, forfeited]
        );
        for game in &event.of_faulty()[2..] {
            let won = if game.line["white"] == "Faulty" { "0-1" } else { "1-0" };
            assert_eq!(game.line["result"], won, "{:#}", game.line);
            let account = event.place.swissmatch(&["explain", "game", &game.id(), "run"]).stdout();
            let rule = "Who lost 2 games of a mini-match by a fault forfeits the games that come after those in it";
            assert!(
                account.contains(rule) && account.contains("(faults.forfeit_after)"),
                "{account}"
            );
        }
        // They are no further faults, and nobody else loses anything.
        assert_eq!(event.standing("Faulty")["faults"], 2);
        let others = event.games.iter().filter(|game| game.side_of("Faulty").is_none());
        assert_eq!(others.filter(|game| game.line["termination"] == "move-cap").count(), 6);
        assert!(
            event
                .place
                .read("run/rules.md")
                .contains("An agent that lost 2 games of a mini-match by a fault forfeits")
        );
        event.place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn who_is_at_fault_too_often_is_withdrawn_before_the_next_round() {
    let event = event(CRASHES, &["faults.withdraw_after=3", "swiss.rounds=3"]);
    assert_eq!(endings(&event), ["crash"; 4], "two rounds");
    let acts = entries(&event, "acted");
    assert_eq!(acts.len(), 1, "{acts:#?}");
    assert_eq!(
        (&acts[0]["by"], &acts[0]["act"]),
        (&"the rules".into(), &"withdraw".into())
    );
    assert_eq!(
        acts[0]["reason"],
        "it lost 4 games by a fault; faults.withdraw_after is 3"
    );
    let said = event.ran.stderr();
    assert!(said.contains("the rules withdrew Faulty"), "{said}");
    assert!(
        event
            .place
            .read("run/rules.md")
            .contains("An agent that lost 3 games by a fault is withdrawn before the next round")
    );
    event.place.swissmatch(&["verify", "run"]).expect_code(0);

    // Nobody else acts in that name, and a log without the withdrawal is found.
    let log = crate::damage::unguarded(&event.place.path("run"));
    let without = "CREATE TEMP TABLE it AS SELECT seq FROM entries WHERE kind = 'acted'; DELETE FROM entries WHERE kind = 'acted'; \
                   UPDATE entries SET seq = seq - 1 WHERE seq > (SELECT seq FROM it)";
    log.execute_batch(without).expect("it is changed");
    crate::damage::forge(&log);
    drop(log);
    let found = event.place.swissmatch(&["verify", "run"]);
    found.expect_code(1);
    assert!(found.stdout().contains("ok      log "), "{}", found.stdout());
    assert!(found.stdout().contains("WRONG"), "{}", found.stdout());
}

/// It is neither paired on nor left over with a bye, and stays in the standings.
#[test]
fn whose_agent_does_not_start_is_not_paired_on() {
    let place = Place::new();
    let players = four(&place, Agent::script(&place, "exit 3"));
    let event = play(place, &players, &["faults.unpaired_after=2", "swiss.rounds=3"]);
    assert_eq!(endings(&event), ["not-started"; 2], "one round");
    let acts = entries(&event, "acted");
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let said = acts
        .iter()
        .map(|act| [&act["by"], &act["act"], &act["reason"]].map(text));
    let said: Vec<[String; 3]> = said.collect();
    let reason = "its agent did not start in 2 games; faults.unpaired_after is 2";
    assert_eq!(said, [["the rules", "withdraw", reason]]);
    let paired = entries(&event, "round-paired");
    assert_eq!(paired.len(), 3);
    assert_eq!(event.standing("Faulty")["name"], "Faulty");
    let byes = event.place.export_json("run", "json");
    let byes = byes["players"].as_array().expect("a list").iter();
    let zero = byes
        .filter(|player| player["name"] == "Faulty")
        .map(|player| &player["match_points"]);
    assert_eq!(zero.collect::<Vec<_>>(), [0], "no bye");
    let rules = event.place.read("run/rules.md");
    assert!(
        rules.contains("A player whose agent did not start in 2 games is withdrawn before the next round"),
        "{rules}"
    );
    event.place.swissmatch(&["verify", "run"]).expect_code(0);
    // A log in which it was paired on is found.
    let log = crate::damage::unguarded(&event.place.path("run"));
    let without = "CREATE TEMP TABLE it AS SELECT seq FROM entries WHERE kind = 'acted'; DELETE FROM entries WHERE kind = 'acted'; \
                   UPDATE entries SET seq = seq - 1 WHERE seq > (SELECT seq FROM it)";
    log.execute_batch(without).expect("it is changed");
    crate::damage::forge(&log);
    drop(log);
    let found = event.place.swissmatch(&["verify", "run"]);
    found.expect_code(1);
    assert!(
        found
            .stdout()
            .contains("has to be withdrawn before: its agent did not start"),
        "{}",
        found.stdout()
    );
}

/// Two agents that never start meet: nobody has anything of it, and both are at fault.
#[test]
fn a_game_in_which_neither_agent_starts_is_void_if_the_event_says_so() {
    for (both_failed, result, points) in [("lost", "0-0", 0.5), ("void", "void", 0.0)] {
        let place = Place::new();
        let honest = |seed: u32| Agent::fault(&place, &format!("--seed {seed}"));
        let dead = || Agent::script(&place, "exit 3");
        let players = [
            ("Faulty", dead()),
            ("Alice", honest(2)),
            ("Dead", dead()),
            ("Bob", honest(3)),
        ];
        let keys = [
            &format!("faults.both_failed={both_failed}"),
            "scoring.match=[2, 1, 0.5]",
        ];
        let event = play(place, &players, &keys);
        let ended = event.of_faulty().into_iter().map(|game| {
            assert!(
                game.line["white"] == "Dead" || game.line["black"] == "Dead",
                "{:#}",
                game.line
            );
            ["result", "termination"].map(|column| game.line[column].as_str().unwrap_or_default().to_owned())
        });
        let ended: Vec<[String; 2]> = ended.collect();
        assert_eq!(
            ended,
            [[result, "neither-started"]; 2],
            "one was tried, the other follows"
        );
        for player in ["Faulty", "Dead"] {
            let standing = event.standing(player);
            assert_eq!(standing["match_points"], points, "{standing:#}");
            assert_eq!(standing["game_points"], 0, "{standing:#}");
            assert_eq!(standing["faults"], 2, "{standing:#}");
        }
        let is_void = both_failed == "void";
        // A tournament file has one value for a forfeit lost and for this.
        let file = event.place.swissmatch(&["export", "trf", "run"]);
        assert_eq!(
            file.stderr().contains("both agents failed gives nothing here"),
            is_void,
            "{}",
            file.stderr()
        );
        assert_eq!(event.place.path("run/tournament.trf").exists(), !is_void);
        assert_eq!(
            event
                .place
                .read("run/rules.md")
                .contains("A game is void if neither engine starts"),
            is_void
        );
        let told = event
            .place
            .swissmatch(&["explain", "game", &event.of_faulty()[0].id(), "run"])
            .stdout();
        assert_eq!(
            told.contains("so the game counts for nobody (faults.both_failed)"),
            is_void,
            "{told}"
        );
        event.place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}

#[test]
fn nobody_acts_in_the_name_of_the_rules() {
    let event = event(CRASHES, &["swiss.rounds=3", "faults.withdraw_after=100"]);
    let signed = ["--by", "the rules", "--reason", "it crashed"];
    let act = [&["arbiter", "withdraw", "Faulty", "run"], &signed[..]].concat();
    let refused = event.place.swissmatch(&act);
    refused.expect_code(4);
    assert!(
        refused
            .stderr()
            .contains("\"the rules\" is no name of an arbiter: the rules act by themselves"),
        "{}",
        refused.stderr()
    );
}

/// Started anew for each game, or forfeited with the rest of the mini-match.
#[test]
fn an_agent_that_does_not_start_once_forfeits_what_the_rules_say() {
    for (no_show, expected) in [
        ("mini-match", ["not-started"; 4]),
        ("game", ["not-started", "move-cap", "move-cap", "move-cap"]),
    ] {
        let place = Place::new();
        // It starts when it is asked what it is, not for the first game, and for all that come later.
        let once = place.path("once").display().to_string();
        let text = format!(
            "if ! mkdir '{once}' 2> /dev/null && mkdir '{once}/more' 2> /dev/null; then exit 3; fi\n\
             exec \"$AGENT\" --mark \"$MARK\""
        );
        let players = four(&place, Agent::script(&place, &text));
        let event = play(
            place,
            &players,
            &[
                &format!("faults.no_show={no_show}"),
                "mini_match.games=4",
                "engine.start_attempts=1",
                "run.concurrency=1",
            ],
        );
        assert_eq!(endings(&event), expected, "{no_show}");
        event.place.swissmatch(&["verify", "run"]).expect_code(0);
    }
}
