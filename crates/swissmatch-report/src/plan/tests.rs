//! Plans as they are shown, with counts made by hand.

use insta::assert_snapshot;
use serde_json::json;

use super::super::fixture;
use super::*;
use swiss_system::pairing::rounds::Rounds;
use swissmatch_stats::plan::stopping::{Ends, Stops};
use swissmatch_tournament::duration::{GameTime, OfRound};
use swissmatch_tournament::estimate::{PlayerEstimate, Range};
use swissmatch_tournament::setup::{EndpointKeys, Micros, Restart};

const ROOM: Room = Room { cores: 2, beside: 0 };

fn found(rounds: u32, games: u32, [unpaired, best_wins, top_three, in_order]: [u32; 4]) -> SimulatedLength {
    SimulatedLength {
        rounds,
        games,
        events: 1000 - unpaired,
        unpaired,
        best_wins,
        top_three,
        in_order,
    }
}

fn shown(check: impl FnOnce(&EventPlan<'_>)) {
    let state = fixture::created_only();
    let assumed = StrengthAssumptions {
        strengths: Strengths::Drawn {
            spread: 200.0,
            rated: 0,
        },
        rating_error: 0.0,
        draws: 0.3,
    };
    check(&EventPlan {
        setup: state.setup(),
        format: TournamentFormat::Swiss,
        rounds: 3,
        room: ROOM,
        time: Assumptions {
            moves: 60,
            time_used: 50,
            measured: None,
        },
        is_of_run: false,
        assumed: &assumed,
        rng_seed: 7,
        found: &[
            found(3, 40, [0, 999, 1000, 500]),
            found(2, 2, [0, 400, 100, 0]),
            found(3, 2, [0, 500, 200, 20]),
            found(4, 2, [1000, 0, 0, 0]),
        ],
        stopping: None,
        ladder: None,
        estimate: None,
        not_simulated: None,
        warnings: &[],
    });
}

#[test]
fn a_plan_says_what_an_event_takes_and_can_tell() {
    shown(|plan| {
        assert_snapshot!(plan.text(Some(80)), @"
        Spring qualifier: before anything is played

        Agents            5
        Rounds            3, Swiss by match points
        Pairs a round     2
        Games             12, 2 a mini-match, 2 at once
        Likely time       3 h 00 min
        Longest possible  2 d 14 h

        Likely: 60 moves of each side in a game (--moves), 50 % of the time used
          (--time-used); --measure plays up to four games to find out.
        Longest: every attempt at every move, up to the cap on moves, takes its whole
          limit; starting engines anew is not counted.

        Byes
        1. When the number of players is odd, one player has the bye. These decide who,
          one after the other: (1) the fewest byes so far; (2) the largest pairing
          number.
        2. A bye is worth 0.5 match points and 1 game point.
        3. Nobody may ask for a bye.

        Standings
        1. Players are ranked by match points.
        2. Then by game points scored among those level, even if not all of them met
          (h2h).
        3. Then by match points of all opponents faced; a bye adds nothing (buchholz).
        4. Then by opponents' match points times 1, 1/2 or 0; a bye adds nothing
          (sonneborn-berger).
        5. Players who are level on all of these share a place.
        6. A player who is disqualified is taken off the list and everybody below moves
          up; nobody's points or tie-breaks change, unless the arbiter annuls the
          player's results.

        With 2 games a mini-match

           Rounds  Games each  Games  Likely time  Best wins %  Top 3 %  In order %
        ───────────────────────────────────────────────────────────────────────────
                2           2      8   2 h 00 min         40.0     10.0           0
        →       3           2     12   3 h 00 min         50.0     20.0         2.0
                4           2     16   4 h 00 min

        In 3 rounds

           Rounds  Games each  Games  Likely time  Best wins %  Top 3 %  In order %
        ───────────────────────────────────────────────────────────────────────────
                3          40    240     2 d 12 h         99.9      100        50.0
        →       3           2     12   3 h 00 min         50.0     20.0         2.0

        1000 simulated events, rng_seed 7; shares are right to about ±3.2 %.
        Assumed: strengths are drawn with a standard deviation of 200 Elo (--spread);
          pairing numbers do not depend on strength; 30 % draws between equals
          (--draws).
        Best wins: the strongest agent comes first. Top 3: the strongest 3 take the
          first 3 places. In order: they also come in the order of their strength.
        4 rounds of 2 games: 1000 of the events had a round without a legal pairing and
          are left out.
        ");
    });
}

#[test]
fn json_has_the_counts() {
    shown(|plan| {
        let json: serde_json::Value = serde_json::from_str(&plan.json()).expect("it is JSON");
        assert_eq!(
            (json["games"].as_u64(), json["spread"].as_f64()),
            (Some(12), Some(200.0))
        );
        let line = &json["simulated"][3];
        assert_eq!(
            (line["rounds"].as_u64(), line["unpaired"].as_u64()),
            (Some(4), Some(1000))
        );
        assert_eq!(line["games_in_all"], 16);
    });
}

#[test]
fn times_are_spoken_in_two_units() {
    let cases = [
        (0, "0 s"),
        (59_001, "1 min 00 s"),
        (3_599_000, "59 min 59 s"),
        (7_500_000, "2 h 05 min"),
        (270_000_000, "3 d 3 h"),
    ];
    for (millis, expected) in cases {
        assert_eq!(spoken(Duration::from_millis(millis)), expected);
    }
}

/// Minutes of a game, likely and longest, and of an event of 3 rounds with 7 games each, 4 of them at once.
#[test]
fn games_take_what_their_limits_say() {
    /// Nodes end searches, so that the time is unknown.
    const UNKNOWN: u64 = u64::MAX;
    let state = fixture::over_with(|setup| setup.game.max_plies = None);
    let check = |control: &str, max_moves: Option<u32>, attempts: u32, likely: u64, longest: Option<u64>| {
        let mut setup = state.setup().clone();
        setup.game.time_control = control.parse().expect("a time control");
        setup.game.max_moves = max_moves;
        setup.game.attempts = attempts;
        setup.game.illegal_attempts = swissmatch_tournament::setup::IllegalAttempts::Shared;
        setup.game.margin = Duration::from_secs(1);
        setup.engine.stop_grace = Duration::from_secs(2);
        setup.engine.step_limit = Duration::from_secs(3);
        let time = Assumptions {
            moves: 50,
            time_used: 50,
            measured: None,
        };
        assert_eq!(
            duration::likely_game(&setup, time).map_or(UNKNOWN, |likely| likely.as_secs()),
            likely,
            "{control} {max_moves:?}"
        );
        assert_eq!(
            duration::longest_game(&setup).map(|longest| longest.as_secs()),
            longest,
            "{control} {max_moves:?}"
        );
    };
    check("10s/move", None, 1, 500, None);
    check("10s/move", Some(40), 1, 400, Some(80 * 11));
    check("10s/move", Some(40), 3, 400, Some(80 * (11 + 2 * 16)));
    check("60", None, 1, 60, Some(122));
    check("60+1", None, 1, 110, None);
    check("60+1", Some(100), 1, 110, Some(2 * 161));
    check("40/60", Some(100), 1, 120, Some(2 * 181));
    check("40/1 SD/1", None, 1, 120, Some(2 * 121));
    check("G/1 d5", None, 1, 60 + 250, None);
    check("G/1 d5", Some(100), 1, 60 + 250, Some(2 * 561));
    check("hourglass 1:00", Some(10), 1, 60, Some(39 * 60 + 2));
    check("nodes=5", Some(40), 2, UNKNOWN, Some(80 * (61 + 66)));

    // Attempts that share the limit of their move.
    let mut shared = state.setup().clone();
    shared.game.time_control = "10s/move".parse().expect("a time control");
    (shared.game.max_moves, shared.game.attempts) = (Some(40), 3);
    shared.game.margin = Duration::from_secs(1);
    shared.game.attempts_share = true;
    assert_eq!(duration::longest_game(&shared), Some(Duration::from_secs(80 * 11)));

    // The mean of those who play, and at most what the slowest may take.
    let mut odds = state.setup().clone();
    odds.game.max_moves = None;
    odds.game.time_control = "60".parse().expect("a time control");
    odds.players[0].time_control = Some("100".parse().expect("a time control"));
    let time = Assumptions {
        moves: 50,
        time_used: 100,
        measured: None,
    };
    let mean = 2 * (60 + 40 / odds.players.len() as u64);
    assert_eq!(duration::likely_game(&odds, time).expect("by time").as_secs(), mean);
    assert_eq!(duration::longest_game(&odds), Some(Duration::from_secs(200)));

    let game = Duration::from_secs(10);
    let round = OfRound { games: 7, at_once: 4 };
    let round = RoundGames {
        on_cores: round,
        ..RoundGames::default()
    };
    assert_eq!(round.takes(game).saturating_mul(3), Duration::from_secs(60));
    let mut setup = state.setup().clone();
    setup.run.concurrency = Some(16);
    setup.run.max_games_per_player = Some(3);
    let at_once = |setup: &Setup| RoundGames::new(setup, ROOM, 4, 40).at_once();
    assert_eq!(at_once(&setup), 12, "three of each of four pairs");
    setup.run.concurrency = None;
    assert_eq!(at_once(&setup), 2);
}

/// 4 games a round, two at once.
#[test]
fn games_that_were_measured_are_told_by_where_they_are_played() {
    shown(|plan| {
        let of = |on_cores: u64, beside: u64, is_of_run: bool| EventPlan {
            time: Assumptions {
                measured: Some(GameTime {
                    mean: Duration::from_secs(8),
                    on_cores: Duration::from_secs(on_cores),
                    beside: Duration::from_secs(beside),
                }),
                ..plan.time
            },
            is_of_run,
            ..plan.clone()
        };
        for (plan, told) in [
            (
                of(8, 8, false),
                "a game takes 8.0 s, by games of the event's agents (--measure).",
            ),
            (of(8, 8, true), "a game takes 8.0 s, by the games of a run (--from)."),
            (
                of(8, 600, true),
                "a game takes 8.0 s on cores and 600.0 s beside them, by the games of a run (--from).",
            ),
        ] {
            let text = plan.text(None);
            assert!(
                text.contains(told) && text.contains("Likely time       48 s\n"),
                "{text}"
            );
        }
    });
}

/// An event of 5 players, two games a mini-match: 4 games a round.
#[test]
fn a_stop_rule_is_told_by_rounds_and_reasons() {
    let ends = |[sure, sure_and_right, games, last_round, right]: [u32; 5]| Ends {
        sure,
        sure_and_right,
        games,
        time: 0,
        last_round,
        right,
    };
    shown(|plan| {
        let mut setup = plan.setup.clone();
        setup.stop.when = Some("places 1-2 at 95%".parse().expect("places"));
        setup.stop.time = Some(Duration::from_secs(60));
        let plan = EventPlan {
            setup: &setup,
            stopping: Some(Stopping {
                rule: "the rule".to_owned(),
                stops: Stops {
                    by_rounds: [(2, ends([40, 30, 10, 0, 32])), (3, ends([0, 0, 0, 50, 20]))].into(),
                    unpaired: 0,
                },
                knows_time: false,
            }),
            ..plan.clone()
        };
        let text = plan.text(None);
        for told in [
            "With its stop rule: the rule",
            "It ends after 2.5 rounds on average (standard deviation 0.5), with 10 games.",
            "It ends in 40.0 % because its places are sure, in 10.0 % because of the bound on games, in 50.0 % with the last round.",
            "Right: each of the places 1 to 2 has the agent of that number by strength.",
            "they were right in 75.0 %. The 95 % of the rule",
            "stop.time is not simulated",
        ] {
            assert!(text.contains(told), "{told}: {text}");
        }
        let json: serde_json::Value = serde_json::from_str(&plan.json()).expect("JSON");
        let stopping = &json["stopping"];
        assert_eq!((&stopping["events"], &stopping["right"]), (&100.into(), &52.into()));
        assert_eq!(stopping["by_rounds"][0]["games_in_all"], 8);
        assert_eq!(stopping["time_simulated"], false);
    });
}

/// Two models, of which one was measured, and an engine.
#[test]
fn what_models_are_likely_to_use_is_told_with_what_is_not_known() {
    let of = |name: &str, measured: usize, range: Option<Range>, most: Option<u64>| PlayerEstimate {
        name: name.to_owned(),
        games: 6,
        measured,
        requests: range,
        input: range,
        output: range,
        cost: range.map(|Range { least, .. }| Range { least, most: least }),
        most_output: most,
    };
    let range = Some(Range {
        least: 1000,
        most: 2500,
    });
    shown(|plan| {
        let mut setup = plan.setup.clone();
        setup.endpoints.push(EndpointKeys {
            name: "local".to_owned(),
            ..EndpointKeys::default()
        });
        let told = |players: Vec<PlayerEstimate>| spending::page(&setup, &Estimate { players }).text(Some(100));
        assert_snapshot!(told(vec![of("Qwen", 2, range, None), of("Llama", 0, None, Some(90_000))]), @"
        What models are likely to use

        Player  Games  Measured    Requests   Tokens in  Tokens out       Cost
        ──────────────────────────────────────────────────────────────────────
        Qwen        6         2   1000–2500   1000–2500   1000–2500   0.001000
        Llama       6         0           –           –           –          –
        All                      1000–2500+  1000–2500+  1000–2500+  0.001000+

        From the least to the most that a measured game took, for all games. Calls without an answer are
          requests alone, and what a service did not tell is left out; with a + not everything is known.
        Not all are measured: --measure plays up to four games, whose calls cost what calls cost; --from RUN
          takes the games of a run.
        Answers of those without a measured game have at most 90000 tokens, by model.max_tokens, the
          attempts and the cap on moves; how long their prompts are is not known.
        Without endpoint.local.price a cost is known only where the service tells it.
        ");
        let unbounded = told(vec![of("Qwen", 0, None, None)]);
        assert!(unbounded.contains("nothing bounds the tokens"), "{unbounded}");
        let estimate = Estimate {
            players: vec![of("Qwen", 2, range, None), of("Llama", 0, None, Some(90_000))],
        };
        let with = EventPlan {
            estimate: Some(&estimate),
            ..plan.clone()
        };
        assert!(with.text(None).contains("What models are likely to use"));
        let json: serde_json::Value = serde_json::from_str(&with.json()).expect("JSON");
        let spending = &json["spending"];
        assert_eq!(
            spending["players"][0]["input_tokens"],
            json!({ "least": 1000, "most": 2500 })
        );
        assert_eq!(spending["players"][1]["cost"], json!(null));
        assert_eq!(
            spending["all"]["cost"],
            json!({ "known": { "least": 1000, "most": 1000 }, "players_unknown": 1 })
        );
    });
}

#[test]
fn limits_that_are_likely_to_be_passed_are_told() {
    let player = |name: &str, [requests, input, output, cost]: [[u64; 2]; 4]| {
        let range = |[least, most]: [u64; 2]| Some(Range { least, most });
        PlayerEstimate {
            name: name.to_owned(),
            games: 4,
            measured: 2,
            requests: range(requests),
            input: range(input),
            output: range(output),
            cost: range(cost),
            most_output: None,
        }
    };
    let estimate = Estimate {
        players: vec![
            player("M", [[4, 8], [880, 1200], [80, 200], [1040, 1600]]),
            player("N", [[0; 2]; 4]),
        ],
    };
    shown(|plan| {
        let mut limited = plan.setup.clone();
        assert_eq!(beyond(&limited, &estimate), Vec::<String>::new());
        limited.spending.event = Some(Micros(1500));
        limited.spending.player = Some(Micros(1600));
        limited.spending.tokens = Some(1000);
        limited.spending.requests = Some(8);
        assert_eq!(
            beyond(&limited, &estimate),
            [
                "spending.event is 0.001500, and the event is likely to cost 0.001040–0.001600: raise it, or play fewer games",
                "spending.tokens is 1000, and the event is likely to use 960–1400: raise it, or play fewer games",
            ]
        );
        limited.spending.player = Some(Micros(1599));
        limited.spending.requests = Some(7);
        let told = beyond(&limited, &estimate);
        assert!(
            told[2].starts_with("spending.requests is 7, and the event is likely to make 4–8:"),
            "{told:?}"
        );
        assert!(
            told[3].starts_with("spending.player is 0.001599, and M is likely to cost 0.001040–0.001600:"),
            "{told:?}"
        );
    });
}

#[test]
fn rounds_of_a_ladder_may_take_longer_than_there_is_time() {
    shown(|plan| {
        let mut round = plan.setup.clone();
        round.ladder.schedule = Some("every 30m".parse().expect("a schedule"));
        round.swiss.rounds = Rounds::Number(1);
        (round.game.attempts, round.engine.restart) = (1, Restart::Game);
        let mut with = |limit: &str| {
            round.game.time_control = limit.parse().expect("a time control");
            let ladder = LadderRounds {
                round: &round,
                room: ROOM,
            };
            let (doubt, text) = (ladder.doubt(plan.time), ladder.text(plan.time));
            let json = serde_json::to_value(ladder.json(plan.time)).expect("plain data");
            (doubt, text, json["longest_seconds"].clone())
        };
        assert_snapshot!(with("10ms/move").1, @"every 30m; a round of all players: 4 games, 2 at once; likely 2 s, 48 s at most, with the starts of agents");
        assert_eq!(with("10ms/move").0, None);
        let (doubt, _, longest) = with("10s/move");
        assert_snapshot!(format!("{longest}: {}", doubt.unwrap_or_default()), @"8040: ladder.schedule: a round may take 2 h 14 min, and the next one is due after 30 min 00 s; what is due while one is played begins late, or does not take place");
    });
}
