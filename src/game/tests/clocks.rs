//! "Under a clock (`base+inc`) there is no second attempt: a fallen clock loses."

use super::*;
use crate::game::termination::Termination;

#[test]
fn a_flag_falls_to_the_microsecond() {
    let limits = clock_limits(10 * SECOND, 100 * MILLI, None);
    let in_time = [
        Does::Says(10 * SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove e7e5"),
        Does::Says(100 * MILLI, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let played = Script::new(spec(limits.clone())).play(&in_time);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.clock_us, [100_000, 9_100_000, 100_000, 8_200_000]);
    let mut fallen = in_time;
    fallen[2] = Does::Says(100 * MILLI + MICRO, "bestmove g2g4");
    let played = Script::new(spec(limits)).play(&fallen[..3]);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(played.record.failed_attempts.len(), 1);
}

#[test]
fn engines_are_told_whole_milliseconds_rounded_down() {
    let limits = clock_limits(10 * SECOND, 100 * MILLI, None);
    let script = [
        Does::Says(1_500 * MICRO, "bestmove f2f3"),
        Does::Says(MICRO, "bestmove e7e5"),
        Does::Says(MILLI, "bestmove g2g4"),
        Does::Says(MILLI, "bestmove d8h4"),
    ];
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(
        played.gos(),
        [
            "go wtime 10000 btime 10000 winc 100 binc 100",
            "go wtime 10098 btime 10000 winc 100 binc 100",
            "go wtime 10098 btime 10099 winc 100 binc 100",
            "go wtime 10197 btime 10099 winc 100 binc 100",
        ]
    );
}

#[test]
fn a_stage_adds_its_time_again_and_counts_moves_to_go() {
    let limits = clock_limits(60 * SECOND, Duration::ZERO, Some(2));
    let line: &[&str] = &[
        "bestmove g1f3",
        "bestmove g8f6",
        "bestmove f3g1",
        "bestmove f6g8",
        "bestmove g1f3",
        "bestmove g8f6",
        "bestmove f3g1",
        "bestmove f6g8",
    ];
    let script: Vec<Does> = line.iter().map(|said| Does::Says(SECOND, said)).collect();
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(played.record.termination, Termination::ThreefoldRepetition);
    let to_go: Vec<_> = played
        .gos()
        .iter()
        .map(|go| go.rsplit(' ').next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(to_go, ["2", "2", "1", "1", "2", "2", "1", "1"]);
    assert_eq!(played.record.clock_us[2], 118_000_000);
}

#[test]
fn an_illegal_move_is_retried_on_the_running_clock() {
    let limits = clock_limits(10 * SECOND, SECOND, None);
    let script = [
        Does::Says(4 * SECOND, "bestmove a1a1"),
        Does::Says(2 * SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove e7e5"),
        Does::Says(SECOND, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(played.record.termination, Termination::Checkmate);
    assert_eq!(played.record.clock_us[0], 5_000_000, "10 - 4 - 2 and one increment");
    assert_eq!(played.gos()[1], "go wtime 6000 btime 10000 winc 1000 binc 1000");
}

#[test]
fn the_overhead_is_at_most_a_tenth_of_the_limit() {
    let limits = Limits {
        time_control: TimeControl::MoveTime(100 * MILLI),
        ..protocol_limits()
    };
    let played = Script::new(spec(limits)).play(&moves(&FOOLS_MATE));
    assert_eq!(played.gos()[0], "go movetime 90");
}

#[test]
fn nodes_and_depth_stand_beside_the_limit() {
    let mut spec = spec(protocol_limits());
    spec.bounds = [
        Bounds {
            nodes: Some(1000),
            depth: None,
        },
        Bounds {
            nodes: None,
            depth: Some(7),
        },
    ];
    let played = Script::new(spec).play(&moves(&FOOLS_MATE));
    assert_eq!(
        played.gos()[..2],
        ["go movetime 29950 nodes 1000", "go movetime 29950 depth 7"]
    );
}
