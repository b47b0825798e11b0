//! Agents that overrun their limit, are silent, or do not end.

use std::time::Duration;

use super::door::{self, Agent, Ends, PATIENT, SHORT, check, check_agent, four, slowed};
use crate::support::Place;

const LATE: Ends<'_> = Ends::on_time(&["late", "late"]);
const SILENT: Ends<'_> = Ends::on_time(&["silent", "silent"]);

#[test]
fn stall() {
    check("--fault stall --at 2", &[SHORT, PATIENT], LATE);
}

/// Silent past the grace: its process is killed before the next attempt, and not used for the next game either.
#[test]
fn stall_hard() {
    let event = check("--fault stall-hard --at 2", &[SHORT], SILENT);
    for game in event.of_faulty() {
        let evidence = event.evidence(game).expect("evidence");
        assert_eq!(evidence.matches("# killed and started anew").count(), 1, "{evidence}");
        assert_eq!(evidence.matches("> stop").count(), 2, "{evidence}");
    }
}

#[test]
fn late_within_the_grace() {
    check("--fault late --at 2 --ms 500", &[SHORT, PATIENT], LATE);
}

#[test]
fn late_beyond_the_grace() {
    check("--fault late --at 2 --ms 5000", &[SHORT], SILENT);
}

#[test]
fn late_after_stop_within_the_grace() {
    check("--fault late-after-stop --at 2 --ms 100", &[SHORT, PATIENT], LATE);
}

#[test]
fn late_after_stop_beyond_the_grace() {
    check("--fault late-after-stop --at 2 --ms 5000", &[SHORT], SILENT);
}

#[test]
fn sleep_within_the_limit() {
    check("--fault sleep --ms 20", &[], Ends::UNHARMED);
}

/// Deaf while it sleeps: `stop` is read after the answer. Its first move is late already.
#[test]
fn sleep_beyond_the_limit() {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, "--fault sleep --ms 500"));
    let event = door::play(place, &players, &[SHORT, PATIENT]);
    event.ran.expect_code(0);
    for game in event.of_faulty() {
        assert_eq!(game.line["termination"], "time-forfeit");
        assert_eq!(game.line["fault_of"], game.side_of("Faulty").unwrap_or_default());
        assert_eq!(game.attempts(), ["late", "late"]);
    }
}

/// The deadline is absolute: output does not move it.
#[test]
fn drip() {
    check("--fault drip --at 2", &[SHORT], SILENT);
}

#[test]
fn no_newline() {
    let event = check("--fault no-newline --at 2", &[SHORT], SILENT);
    let played = event.of_faulty()[0].record["moves"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(played.split(' ').count() >= 2, "{played}");
}

#[test]
fn ignores_stop_and_quit() {
    check("--fault ignore-stop-quit --at 2", &[SHORT], SILENT);
}

/// Who thinks while it should get ready has failed the next attempt too: after a refused answer the limit runs on.
#[test]
fn thinking_while_getting_ready() {
    let lost = Ends::on_time(&["illegal a1a1", "out-of-step"]);
    check("--fault illegal-then-think --at 2 --ms 3000", &[SHORT], lost);
}

/// A new process in mid-game has as long as the agent's start before the event and `engine.step_limit`.
#[test]
fn a_slow_start_in_mid_game() {
    let place = Place::new();
    let stalled = place.path("stalled").display().to_string();
    let agent = format!(
        "[ -e '{stalled}' ] && sleep 4\nexec \"$AGENT\" --mark \"$MARK\" --fault stall-hard --at 2 --once-file '{stalled}'"
    );
    let players = four(&place, Agent::script(&place, &agent));
    let event = door::play(place, &players, &[SHORT]);
    let games = event.of_faulty();
    assert_eq!(games[0].line["termination"], "time-forfeit");
    assert_eq!(games[0].attempts(), ["silent", "slow-start"]);
    // Before a game the start has engine.start_limit.
    assert_eq!(games[1].line["termination"], "move-cap", "{:#}", games[1].record);
}

/// Between games a process has its time once, and a little more with each game.
#[test]
fn slow_to_get_ready_for_each_game() {
    let place = Place::new();
    let players = four(&place, Agent::fault(&place, "--fault slow-newgame --ms 2000"));
    let event = door::play(place, &players, &["engine.ready_limit=3s", "engine.step_limit=500ms"]);
    let games = event.of_faulty();
    assert_eq!(games[0].line["termination"], "move-cap", "{:#}", games[0].record);
    assert_eq!(games[1].line["termination"], "not-ready", "{:#}", games[1].record);
    assert_eq!(
        games[1].line["fault_of"],
        games[1].side_of("Faulty").unwrap_or_default()
    );
    assert_eq!(games[1].line["plies"], 0);
}

/// Its input is full when its `go` comes, so that the write waits: it thinks on its own clock all the same.
#[test]
fn a_go_that_is_not_taken_runs_on_the_clock() {
    let keys = ["preset=none", "game.time_control=60+1"];
    let filling = |place: &Place| Agent::at_large(place, "--fault fill-stdin --ms 400");
    let event = check_agent(filling, &keys, Ends::UNHARMED);
    for game in event.of_faulty() {
        let of_faulty = usize::from(game.side_of("Faulty") == Some("black"));
        let times = game.record["time_us"].as_array().expect("times");
        let own = times.iter().skip(of_faulty).step_by(2).filter_map(|time| time.as_u64());
        assert!(own.max() > Some(200_000), "{:#}", game.record);
    }
}

/// Eight threads that it burns keep its own thread waiting: no time is gained by that.
#[test]
fn burning_on_its_own_move() {
    check("--fault burn-late --at 2 --ms 1400", &[SHORT, PATIENT], LATE);
}

/// Nor by those that it burns while its opponents think: none of them loses on time.
#[test]
fn burning_while_others_think() {
    let place = Place::new();
    let players = slowed(&place, four(&place, Agent::fault(&place, "--fault burn")), 30);
    let keys = ["preset=none", "game.time_control=0.4+0.05"];
    let event = door::play(place, &players, &keys);
    for name in ["Alice", "Bob", "Carol"] {
        assert_eq!(event.standing(name)["faults"], 0, "{name}: {:#?}", event.games);
    }
}

/// Plays well and is killed when it should have ended.
#[test]
fn ignores_quit() {
    let event = check("--fault ignore-quit", &["engine.quit_grace=300ms"], Ends::UNHARMED);
    // It was asked to end twice: after the check before the event, and after its games.
    assert!(event.ran.took >= Duration::from_millis(600), "{:?}", event.ran.took);
}

/// An agent that needs less than the grace is waited for.
#[test]
fn slow_to_quit() {
    let faulty = |place: &Place| {
        let file = place.path("ended");
        let end = format!("sleep 0.3; echo ended >> '{}'", file.display());
        Agent::script(place, &format!("\"$AGENT\" --mark \"$MARK\"\n{end}"))
    };
    let event = check_agent(faulty, &["engine.quit_grace=5s"], Ends::UNHARMED);
    // After the check before the event, and after its games.
    assert_eq!(event.place.read("ended"), "ended\nended\n");
}

/// The same move is asked again, and the answer to the second attempt counts; the first stands in the record.
#[test]
fn a_retry_after_stall() {
    let once = Ends::PlaysOn([&["late"], &[]]);
    let event = check("--fault stall --at 2 --times 1", &[SHORT, PATIENT], once);
    let game = event.of_faulty()[0];
    let attempt = &game.record["failed_attempts"][0];
    let ply = attempt["ply"].as_u64().expect("a ply");
    assert_eq!(ply / 2, 1, "{attempt}");
    // The time of the move is that of the attempt that succeeded.
    let time = game.record["time_us"][ply as usize].as_u64().expect("a time");
    assert!(time < 300_000, "{time}");
    let evidence = event.evidence(game).expect("evidence");
    let asked = evidence
        .split("# attempt 1 failed: answered too late")
        .nth(1)
        .unwrap_or_default();
    let asked: Vec<_> = asked
        .lines()
        .skip(1)
        .take(3)
        .filter_map(|line| line.split(' ').next_back())
        .collect();
    assert_eq!(asked[..2], ["isready", "readyok"], "{evidence}");
}

/// After a kill a new process has the second attempt.
#[test]
fn a_retry_after_stall_hard() {
    let faulty = |place: &Place| {
        let file = place.path("once");
        Agent::at_large(
            place,
            &format!("--fault stall-hard --at 2 --once-file {}", file.display()),
        )
    };
    let once = Ends::PlaysOn([&["silent"], &[]]);
    let event = check_agent(faulty, &[SHORT], once);
    let evidence = event.evidence(event.of_faulty()[0]).expect("evidence");
    assert!(evidence.contains("# killed and started anew"), "{evidence}");
}

/// With attempts to spare the third one counts.
#[test]
fn two_retries() {
    let twice = Ends::PlaysOn([&["late", "late"], &[]]);
    let keys = [SHORT, PATIENT, "game.attempts=3"];
    check("--fault stall --at 2 --times 2", &keys, twice);
}

/// Under a clock there is no second attempt, whatever the number of attempts.
#[test]
fn a_fallen_clock_loses_at_once() {
    let keys = ["preset=none", "game.time_control=0.3+0.05", "game.attempts=3", PATIENT];
    check("--fault stall --at 2", &keys, Ends::on_time(&["late"]));
}

/// Nor for silence, and the move before it was made on the same clock.
#[test]
fn silence_under_a_clock() {
    let keys = ["preset=none", "game.time_control=0.3+0.05"];
    let event = check("--fault stall-hard --at 2", &keys, Ends::on_time(&["silent"]));
    for game in event.of_faulty() {
        let clocks = game.record["clock_us"].as_array().expect("clocks");
        assert_eq!(clocks.len() as u64, game.line["plies"].as_u64().expect("plies"));
    }
}

/// Under a delay the flag falls when the clock and the delay are over: not before, and it is told as a loss on time.
#[test]
fn a_flag_falls_under_a_delay() {
    let keys = [
        "preset=none",
        "game.time_control=G/0:00.4 d0.3",
        "game.attempts=3",
        PATIENT,
    ];
    let event = check("--fault stall --at 2", &keys, Ends::on_time(&["late"]));
    for game in event.of_faulty() {
        let attempt = &game.record["failed_attempts"][0];
        let time = attempt["time_us"].as_u64().expect("a time");
        assert!((700_000..5_000_000).contains(&time), "{time}");
    }
    let pgn = event.place.read("run/games.pgn");
    assert_eq!(pgn.matches("[TimeControl \"0.4+0.3d\"]").count(), 4);
    assert!(
        pgn.contains(" loses on time}") && pgn.contains("[Termination \"time forfeit\"]"),
        "{pgn}"
    );
}
