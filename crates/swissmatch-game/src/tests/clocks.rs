//! "Under a clock (`base+inc`) there is no second attempt: a fallen clock loses."

use proptest::prelude::*;

use super::*;
use crate::clock::Clocks;
use crate::termination::Termination;

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

/// The clock of an engine that does not read its `go` runs from the first try.
#[test]
fn a_go_that_is_not_taken_runs_on_the_clock() {
    let limits = clock_limits(10 * SECOND, SECOND, None);
    let script = [
        Does::TakesLate(4 * SECOND, SECOND, "bestmove f2f3"),
        Does::Says(SECOND, "bestmove e7e5"),
        Does::Says(SECOND, "bestmove g2g4"),
        Does::Says(SECOND, "bestmove d8h4"),
    ];
    let played = Script::new(spec(limits.clone())).play(&script);
    assert_eq!(played.record.time_us[0], 5_000_000);
    assert_eq!(played.record.clock_us[0], 6_000_000, "10 - 5 and one increment");
    let late = [Does::TakesLate(4 * SECOND, 6 * SECOND + MICRO, "bestmove f2f3")];
    let played = Script::new(spec(limits)).play(&late);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
}

#[test]
fn the_overhead_is_at_most_a_tenth_of_the_limit() {
    let limits = GameLimits {
        time_controls: both(Limit::MoveTime(100 * MILLI)),
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

fn control(text: &str) -> TimeControl {
    text.parse().unwrap_or_else(|error| panic!("{error}"))
}

/// Limits with these controls, White first.
fn odds(white: &str, black: &str) -> GameLimits {
    GameLimits {
        time_controls: [control(white), control(black)],
        ..protocol_limits()
    }
}

fn same(text: &str) -> GameLimits {
    odds(text, text)
}

/// Knights that go out and home again, eight plies at most; each move takes this long.
fn knights(times: &[Duration]) -> Vec<Does> {
    let there_and_back = ["bestmove g1f3", "bestmove g8f6", "bestmove f3g1", "bestmove f6g8"];
    let line = there_and_back.into_iter().cycle();
    times
        .iter()
        .zip(line)
        .map(|(time, said)| Does::Says(*time, said))
        .collect()
}

/// A game that a cap ends after the script.
fn capped(limits: GameLimits, script: &[Does]) -> PlayedGame {
    let answers = script
        .iter()
        .filter(|does| matches!(does, Does::Says(_, said) if !said.contains("a1a1")));
    let plies = u32::try_from(answers.count()).expect("a short script");
    let played = Script::new(spec(GameLimits {
        max_plies: Some(plies),
        ..limits
    }))
    .play(script);
    assert_eq!(played.record.plies(), plies as usize);
    played
}

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// "A given number of seconds will pass before it resumes counting down."
#[test]
fn a_delay_does_not_count() {
    let limits = same("G/1 d5");
    let times = [s(5), s(5) + MICRO, s(3), s(64) + 999_999 * MICRO];
    let played = capped(limits.clone(), &knights(&times));
    assert_eq!(played.record.clock_us, [60_000_000, 59_999_999, 60_000_000, 0]);
    assert_eq!(
        played.gos()[..2],
        [
            "go wtime 60000 btime 60000 winc 5000 binc 5000",
            "go wtime 60000 btime 60000 winc 5000 binc 5000",
        ]
    );
    assert_eq!(played.gos()[2], "go wtime 60000 btime 59999 winc 5000 binc 5000");
    // The flag falls at the end of clock and delay, to the microsecond.
    let late = knights(&[s(65) + MICRO]);
    let played = Script::new(spec(limits.clone())).play(&late);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    let with_margin = GameLimits {
        margins: [MICRO, Duration::ZERO],
        ..limits
    };
    let played = capped(with_margin, &late);
    assert_eq!(played.record.clock_us, [0], "a margin gives no time");
}

/// A clock with nothing left still has its delay.
#[test]
fn a_delay_carries_an_empty_clock() {
    let limits = same("G/1 d5");
    let played = capped(limits.clone(), &knights(&[s(65), s(1), s(5), s(1)]));
    assert_eq!(played.record.clock_us, [0, 60_000_000, 0, 60_000_000]);
    assert_eq!(played.gos()[2], "go wtime 1 btime 60000 winc 5000 binc 5000");
    let played = Script::new(spec(limits)).play(&knights(&[s(65), s(1), s(5) + MICRO]));
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
}

/// Illegal attempts at one move share its delay.
#[test]
fn a_move_has_one_delay() {
    let limits = same("G/1 d5");
    let script = [
        Does::Says(s(3), "bestmove a1a1"),
        Does::Says(s(3), "bestmove a1a1"),
        Does::Says(s(2), "bestmove g1f3"),
        Does::Says(s(5), "bestmove g8f6"),
        Does::Says(s(5), "bestmove f3g1"),
    ];
    let played = capped(limits.clone(), &script);
    assert_eq!(played.record.clock_us, [57_000_000, 60_000_000, 57_000_000]);
    assert_eq!(
        played.gos()[..3],
        [
            "go wtime 60000 btime 60000 winc 5000 binc 5000",
            "go wtime 60000 btime 60000 winc 5000 binc 5000",
            "go wtime 59000 btime 60000 winc 5000 binc 5000",
        ]
    );
    let script = [
        Does::Says(s(64), "bestmove a1a1"),
        Does::Says(s(1) + MICRO, "bestmove g1f3"),
    ];
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
}

/// The clock counts everything, and gets back the time used, at most the delay.
#[test]
fn bronsteins_delay_is_given_back() {
    let limits = same("G/1 b5");
    let played = capped(limits.clone(), &knights(&[s(5), s(6), s(3), s(59), s(60), MICRO]));
    assert_eq!(
        played.record.clock_us,
        [60_000_000, 59_000_000, 60_000_000, 5_000_000, 5_000_000, 5_000_000]
    );
    assert_eq!(played.gos()[0], "go wtime 60000 btime 60000 winc 5000 binc 5000");
    let played = Script::new(spec(limits.clone())).play(&knights(&[s(60) + MICRO]));
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    let script = [Does::Says(s(3), "bestmove a1a1"), Does::Says(s(4), "bestmove g1f3")];
    let played = capped(limits, &script);
    assert_eq!(
        played.record.clock_us,
        [58_000_000],
        "7 s taken, 5 s of the move given back"
    );
    assert_eq!(played.gos()[1], "go wtime 57000 btime 60000 winc 5000 binc 5000");
}

#[test]
fn an_hourglass_turns() {
    let limits = same("hourglass 1:00");
    let played = capped(limits.clone(), &knights(&[s(10), s(70), s(120), MICRO]));
    assert_eq!(played.record.clock_us, [50_000_000, 0, 0, 119_999_999]);
    assert_eq!(
        played.gos(),
        [
            "go wtime 60000 btime 60000 winc 0 binc 0",
            "go wtime 50000 btime 70000 winc 0 binc 0",
            "go wtime 120000 btime 1 winc 0 binc 0",
            "go wtime 1 btime 120000 winc 0 binc 0",
        ]
    );
    let played = Script::new(spec(limits.clone())).play(&knights(&[s(10), s(70) + MICRO]));
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::Black });
    let script = [
        Does::Says(s(4), "bestmove a1a1"),
        Does::Says(s(2), "bestmove g1f3"),
        Does::Says(s(1), "bestmove g8f6"),
    ];
    let played = capped(limits, &script);
    assert_eq!(
        played.record.clock_us,
        [54_000_000, 65_000_000],
        "failed attempts go over too"
    );
    assert_eq!(played.gos()[1], "go wtime 56000 btime 64000 winc 0 binc 0");
}

/// "40 moves in 90 minutes, then the rest in 30", with two moves in the first stage and one in the second.
#[test]
fn stages_follow_each_other() {
    let limits = same("2/90 1/20 SD/30 +30");
    let played = capped(limits, &knights(&[s(60); 8]));
    let minutes: Vec<u64> = played.record.clock_us.iter().map(|us| us / 30_000_000).collect();
    // In half minutes: each move takes 2 and earns 1.
    assert_eq!(minutes, [179, 179, 218, 218, 277, 277, 276, 276]);
    let to_go: Vec<&str> = played
        .gos()
        .iter()
        .map(|go| go.split_once("movestogo ").map_or("", |(_, rest)| rest))
        .collect();
    assert_eq!(to_go, ["2", "2", "1", "1", "1", "1", "", ""]);
    // The time that a stage adds cannot be used before it begins.
    let played = Script::new(spec(same("1/1 SD/10"))).play(&knights(&[s(60), s(60) + MICRO]));
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::Black });
    let played = capped(same("1/1 SD/10"), &knights(&[s(60), s(60), s(600), s(1)]));
    assert_eq!(played.record.clock_us, [600_000_000, 600_000_000, 0, 599_000_000]);
}

/// "White 5 min, Black 4 min, increment 2 s from move 61."
#[test]
fn armageddon() {
    let mut clocks = Clocks::new(&GameLimits {
        time_controls: [control("5:00+2@61"), control("4:00+2@61")],
        ..protocol_limits()
    });
    let go = |clocks: &Clocks, side| {
        let mut line = Vec::new();
        clocks.write_go(side, Duration::ZERO, &protocol_limits(), Bounds::default(), &mut line);
        String::from_utf8(line).expect("a line")
    };
    assert_eq!(go(&clocks, Side::White), "go wtime 300000 btime 240000 winc 0 binc 0\n");
    for _ in 0..60 {
        clocks.moved(Side::White, s(4));
        clocks.moved(Side::Black, s(3));
    }
    assert_eq!(
        go(&clocks, Side::White),
        "go wtime 60000 btime 60000 winc 2000 binc 2000\n"
    );
    assert_eq!(
        clocks.moved(Side::White, s(4)),
        Some(s(58)),
        "move 61 is the first that earns"
    );
    assert_eq!(clocks.moved(Side::Black, s(3)), Some(s(59)));
}

/// No increment is told before the first move that earns it, separately for each side.
#[test]
fn an_increment_begins_at_its_move() {
    let played = capped(odds("60+2@2", "60+3"), &knights(&[s(1); 4]));
    assert_eq!(
        played.gos(),
        [
            "go wtime 60000 btime 60000 winc 0 binc 3000",
            "go wtime 59000 btime 60000 winc 2000 binc 3000",
            "go wtime 59000 btime 62000 winc 2000 binc 3000",
            "go wtime 60000 btime 62000 winc 2000 binc 3000",
        ]
    );
}

/// Each side is told what concerns it: a side without a clock has its limit as its time.
#[test]
fn a_clock_against_a_time_per_move() {
    let limits = odds("10s/move", "2/60+1");
    let played = capped(limits.clone(), &knights(&[s(9), s(9), s(1), s(1)]));
    assert_eq!(
        played.gos(),
        [
            "go movetime 9950",
            "go wtime 10000 btime 60000 winc 0 binc 1000 movestogo 2",
            "go movetime 9950",
            "go wtime 10000 btime 52000 winc 0 binc 1000 movestogo 1",
        ]
    );
    assert_eq!(
        played.record.clock_us,
        [10_000_000, 52_000_000, 10_000_000, 112_000_000]
    );
    // A time per move has attempts, a clock has none.
    let script = [
        Does::OverrunsThen(MILLI, "bestmove g1f3"),
        Does::Says(s(10), "bestmove g1f3"),
        Does::OverrunsThen(MILLI, "bestmove g8f6"),
    ];
    let played = Script::new(spec(limits)).play(&script);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::Black });
    assert_eq!(played.record.failed_attempts.len(), 2);
}

/// "`nodes` and `depth` are bounds beside a limit that is always enforced."
#[test]
fn bounds_alone_are_guarded() {
    let limits = odds("nodes=5000", "depth=3 nodes=9");
    let played = capped(limits.clone(), &knights(&[s(60), s(1)]));
    assert_eq!(played.gos(), ["go nodes 5000", "go nodes 9 depth 3"]);
    assert!(played.record.clock_us.is_empty());
    let overrun = Does::OverrunsThen(MILLI, "bestmove g1f3");
    let played = Script::new(spec(limits)).play(&[overrun, Does::Says(s(60) + MICRO, "bestmove g1f3"), overrun]);
    assert_eq!(played.record.termination, Termination::TimeForfeit { by: Side::White });
    assert_eq!(played.took, s(180) + 2 * MILLI + MICRO);
}

proptest! {
    /// Under a delay of either kind, and in an hourglass, no time appears from nowhere: the time left is the time at
    /// the start, less what was used and not covered.
    #[test]
    fn no_time_is_made(moves in proptest::collection::vec((0..40_u64, 0..40_u64), 1..40)) {
        let text = ["G/1 d5", "G/1 b5", "hourglass 1:00"];
        for (kind, text) in text.into_iter().enumerate() {
            let mut clocks = Clocks::new(&same(text));
            let mut left = [60; 2];
            for (ply, (failed, thought)) in moves.iter().enumerate() {
                let side = Side::BOTH[ply % 2];
                let (now, other) = (side.index(), side.other().index());
                let used = failed + thought;
                let limit = left[now] + if kind == 0 { 5 } else { 0 };
                if used > limit {
                    break;
                }
                clocks.spent(side, s(*failed));
                prop_assert_eq!(clocks.limit(side), s(limit - failed));
                let after = clocks.moved(side, s(*thought));
                left[now] -= if kind == 2 { used } else { used.saturating_sub(5) };
                left[other] += if kind == 2 { used } else { 0 };
                prop_assert_eq!(after, Some(s(left[now])));
            }
        }
    }
}
