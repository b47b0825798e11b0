//! Every written form and its meaning, and texts that are not time controls.
//!
//! May not: know clocks of games.

use proptest::prelude::*;

use super::*;

/// Checks a good text, its canonical form and its PGN form.
fn check(text: &str, canonical: &str, pgn: &str) {
    let control: TimeControl = text.parse().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        (control.to_string().as_str(), control.pgn().as_str()),
        (canonical, pgn),
        "{text}"
    );
    assert_eq!(canonical.parse(), Ok(control), "{canonical}");
}

fn refused(text: &str, message: &str) {
    let error = text.parse::<TimeControl>().expect_err(text);
    assert_eq!(error.to_string(), message);
}

#[test]
fn reads_and_writes_every_form() {
    check("30s/move", "30s/move", "30/move");
    check("500ms/move", "500ms/move", "0.5/move");
    check("1m/move", "60s/move", "60/move");
    check("1.5s/move", "1.5s/move", "1.5/move");
    check("0.000001ms/move", "0.000001ms/move", "0.000000001/move");
    check("1000.000001ms/move", "1000.000001ms/move", "1.000000001/move");
    check("10+0.1", "10+0.1", "10+0.1");
    check("40/60+0.6", "40/60+0.6", "40/60+0.6");
    check("60", "60", "60");
    check("60+0", "60", "60");
    check("40/60", "40/60", "40/60");
    check("5:00+2", "300+2", "300+2");
    check("40/1:30.5+0.25", "40/90.5+0.25", "40/90.5+0.25");
    check("604800", "604800", "604800");
    check("0.000001", "0.000001", "0.000001");
}

#[test]
fn means_what_it_says() {
    let clock = Limit::Clock(Clock {
        moves: Some(40),
        increment: Duration::from_millis(600),
        ..Clock::sudden_death(Duration::from_secs(60))
    });
    assert_eq!("40/60+0.6".parse(), Ok(TimeControl::from(clock)));
    let limit = Limit::MoveTime(Duration::from_millis(500));
    assert_eq!("500ms/move".parse(), Ok(TimeControl::from(limit)));
}

#[test]
fn points_at_the_character() {
    refused(
        "",
        "``: expected a time control such as `30s/move`, `10+0.1`, `40/60+0.6` or `G/45 d5` (character 1)",
    );
    refused(
        "fast",
        "`fast`: expected a time control such as `30s/move`, `10+0.1`, `40/60+0.6` or `G/45 d5` (character 1)",
    );
    refused("10+x", "`10+x`: expected seconds, such as 0.1 (character 4)");
    refused(
        "10+0.1 ",
        "`10+0.1 `: expected `+30`, `d5`, `SD/30`, `nodes=5000` or `depth=8` (character 8)",
    );
    refused("10+0.1x", "`10+0.1x`: expected nothing more (character 7)");
    refused(
        "1,5",
        "`1,5`: expected no stage after one that lasts for the rest of the game (character 3)",
    );
    refused("1.", "`1.`: expected a digit after the point (character 3)");
    refused("1.0000001", "`1.0000001`: expected at most six decimals (character 9)");
    refused("30h/move", "`30h/move`: expected a unit: ms, s or m (character 3)");
    refused(
        "30/move",
        "`30/move`: expected a unit: a time per move is written as `30s/move` (character 3)",
    );
    refused(
        "30s",
        "`30s`: expected `/move`: a time per move is written as `30s/move`, a clock as `10+0.1` (character 4)",
    );
    refused("5:7", "`5:7`: expected seconds from 00 to 59 after `:` (character 3)");
    refused("5:75", "`5:75`: expected seconds from 00 to 59 after `:` (character 3)");
    refused("1.5:00", "`1.5:00`: expected whole minutes before `:` (character 1)");
    refused(
        "0/60",
        "`0/60`: expected a number of moves from 1 to 1000 (character 1)",
    );
    refused("40/", "`40/`: expected a time, such as 60 (character 4)");
}

#[test]
fn refuses_no_time_and_absurd_time() {
    refused("0", "`0`: expected a time above zero (character 1)");
    refused("0+1", "`0+1`: expected a time above zero (character 1)");
    refused("0s/move", "`0s/move`: expected a time above zero (character 1)");
    refused("40/0:00", "`40/0:00`: expected a time above zero (character 4)");
    refused("604800.000001", "`604800.000001`: more than 7 days (character 1)");
    refused("10+604801", "`10+604801`: more than 7 days (character 4)");
    refused("99999999999", "`99999999999`: more than 7 days (character 1)");
}

#[test]
fn durations_carry_their_unit() {
    for (text, canonical) in [
        ("10s", "10s"),
        ("50ms", "50ms"),
        ("2m", "120s"),
        ("0ms", "0s"),
        ("0.05s", "50ms"),
    ] {
        assert_eq!(parse_duration(text).map(write_duration).as_deref(), Ok(canonical));
    }
    for text in ["10", "", "s", "-1s", "1 s", "8d", "1e3s", "11000m", "10s\n"] {
        assert!(parse_duration(text).is_err(), "{text:?}");
    }
}

/// The forms that organizers write, in minutes.
#[test]
fn minutes_where_something_says_so() {
    check("G/90 +30", "5400+30", "5400+30");
    check("G/90+30", "5400+30", "5400+30");
    check("g/5 D0", "300", "300");
    check("G/5+3", "300+3", "300+3");
    check("SD/30", "1800", "1800");
    check("G/0.5", "30", "30");
    check("G/45 d5", "G/45 d5", "2700+5d");
    check("G/45;d5", "G/45 d5", "2700+5d");
    check("G/45d5", "G/45 d5", "2700+5d");
    check("2700+5d", "G/45 d5", "2700+5d");
    check("45 d5", "G/45 d5", "2700+5d");
    check("G/45 b2.5", "G/45 b2.5", "2700+2.5b");
    check("G/3:30 +2 d1", "G/3:30 +2 d1", "210+2+1d");
    check("40/90 SD/30 d5", "40/90 SD/30 d5", "40/5400+5d:1800+5d");
    check("40/90, SD/30; d5", "40/90 SD/30 d5", "40/5400+5d:1800+5d");
    check("40/90 ,  sd/30,d5", "40/90 SD/30 d5", "40/5400+5d:1800+5d");
    check("40/90 SD/30 +30", "40/90 SD/30 +30", "40/5400+30:1800+30");
    check(
        "40/120 20/60 SD/15 +30",
        "40/120 20/60 SD/15 +30",
        "40/7200+30:20/3600+30:900+30",
    );
    check("40/90 d5", "40/90 d5", "40/5400+5d");
    check("40/90 SD/0:30", "40/90 SD/0:30", "40/5400:030");
    // Without any of these they are seconds, even if stages follow each other.
    check("40/90", "40/90", "40/90");
    check("40/90 d0", "40/5400", "40/5400");
    check("40/90 20/30", "40/90 20/30", "40/90:20/30");
    check("40/90 20/30+2", "40/90 20/30+2", "40/90+2:20/30+2");
    check("40/90 30", "40/1:30 SD/0:30", "40/90:030");
    check("40/7200:3600", "40/120 SD/60", "40/7200:3600");
    check("40/7200:20/3600:900", "40/120 20/60 SD/15", "40/7200:20/3600:900");
}

#[test]
fn a_colon_is_minutes_and_seconds_where_two_digits_follow() {
    check("40/1:30", "40/90", "40/90");
    check("40/1:30+1", "40/90+1", "40/90+1");
    check("40/60:20/30", "40/60 20/30", "40/60:20/30");
    check("40/60:030", "40/1 SD/0:30", "40/60:030");
    check("40/60:5", "40/1 SD/0:05", "40/60:5");
    check("40/60:300", "40/1 SD/5", "40/60:300");
    check("40/1:30:60", "40/1:30 SD/1", "40/90:60");
}

/// In PGN, an increment that starts at a later move is a stage of no time.
#[test]
fn increments_may_begin_at_a_move() {
    check("5:00+2@61", "300+2@61", "60/300:0+2");
    check("60/300:0+2", "300+2@61", "60/300:0+2");
    check("G/4 +2@61", "240+2@61", "60/240:0+2");
    check("+2@1".replace("+", "300+").as_str(), "300+2", "300+2");
    check("40/90 SD/30 +30@41", "40/90 SD/30 +30@41", "40/5400:1800+30");
    check("40/5400:1800+30", "40/90 SD/30 +30@41", "40/5400:1800+30");
    check("40/90 SD/30 +30@61", "40/90 SD/30 +30@61", "40/5400:20/1800:0+30");
    check("40/60+0.6@61", "40/60+0.6@61", "40/60:20/60:20/0+0.6:40/60+0.6");
    check("300+0@61", "300", "300");
    refused(
        "300+2@0",
        "`300+2@0`: expected the number of a move from 1 to 1001 (character 7)",
    );
    refused(
        "300+2@1002",
        "`300+2@1002`: expected the number of a move from 1 to 1001 (character 7)",
    );
    refused(
        "40/60+2:30/60+2@9:5+2",
        "`40/60+2:30/60+2@9:5+2`: expected no `@` in stages that `:` joins: each has its own increment (character 14)",
    );
    refused(
        "40/60+2:600+3",
        "`40/60+2:600+3`: expected the same increment in every stage, or none in the first ones (character 12)",
    );
    refused(
        "40/60+2d:600",
        "`40/60+2d:600`: expected the same delay in every stage (character 13)",
    );
}

#[test]
fn the_same_clock_has_one_form() {
    check("40/60 40/60", "40/60", "40/60");
    check("20/60 40/60 40/60", "20/60 40/60", "20/60:40/60");
    check("40/60:0", "60", "60");
    check("40/60:20/0", "60", "60");
    check("40/60:20/0:10/30", "60/60 10/30", "60/60:10/30");
}

#[test]
fn hourglasses_and_bounds() {
    check("hourglass 1:00", "hourglass 1:00", "*60");
    check("Hourglass 90.5", "hourglass 1:30.5", "*90.5");
    check("*60", "hourglass 1:00", "*60");
    check("nodes=5000", "nodes=5000", "-");
    check("DEPTH=8, nodes=1", "nodes=1 depth=8", "-");
    check("10+0.1 nodes=5000", "10+0.1 nodes=5000", "10+0.1");
    check("30S/MOVE;depth=3", "30s/move depth=3", "30/move");
    check("G/45 d5 nodes=1000000000000", "G/45 d5 nodes=1000000000000", "2700+5d");
    let control: TimeControl = "nodes=5000".parse().expect("a control");
    assert_eq!((control.limit, control.bounds.nodes), (Limit::Guard, Some(5000)));
}

#[test]
fn refuses_what_does_not_go_together() {
    let pointed = |text: &str, problem: &str, at: usize| {
        refused(text, &format!("`{text}`: {problem} (character {at})"));
    };
    let part = "expected `+30`, `d5`, `SD/30`, `nodes=5000` or `depth=8`";
    let only_bounds =
        "expected only `nodes=` and `depth=` together with this limit: increments and delays belong to clocks";
    pointed("G/45;", part, 6);
    pointed("G/45; ", part, 7);
    pointed("G/45,,d5", part, 6);
    pointed("40/90 x", part, 7);
    pointed("G/", "expected minutes, such as 90", 3);
    pointed("G/45 d", part, 6);
    pointed("G/45 d5 b3", "given twice", 9);
    pointed("G/45 +5 +3", "given twice", 9);
    pointed("nodes=5 nodes=6", "given twice", 9);
    pointed("nodes=0", "expected a number of nodes from 1 to 1000000000000", 7);
    pointed("depth=1001", "expected a depth in plies from 1 to 1000", 7);
    pointed(
        "nodes=99999999999999999999999",
        "expected a number of nodes from 1 to 1000000000000",
        7,
    );
    pointed("hourglass", "expected the time of an hourglass, such as 1:00", 10);
    pointed("hourglass 0", "expected a time above zero", 11);
    pointed("hourglass 1:00 d5", only_bounds, 16);
    pointed("30s/move +5", only_bounds, 10);
    pointed("30s/move 40/60", "expected no clock together with this limit", 10);
    pointed("nodes=5 +3", only_bounds, 9);
    pointed(
        "G/45 d5 40/60",
        "expected the times before increment, delay, nodes and depth",
        9,
    );
    pointed(
        "SD/45 40/60",
        "expected no stage after one that lasts for the rest of the game",
        7,
    );
    pointed("40/90 G/30", "expected `SD/`: `G/` is the whole game", 7);
    pointed("40/60 SD/0", "expected a time above zero", 10);
    pointed("40/60 0/10", "expected a number of moves from 1 to 1000", 7);
    pointed(
        "40/60:20/60 10/30",
        "expected `:` before a further stage, as before the others",
        13,
    );
    pointed("40/60 20/60:300", "expected a blank, as between the stages before", 12);
    pointed(
        "40/7200:3600 d5",
        "expected a blank: `:` joins stages in seconds, but `G/`, `SD/` and delays mean minutes",
        8,
    );
    pointed("G/10081", "more than 7 days", 3);
    pointed("60\u{663}", "expected nothing more", 3);
    pointed("G/4\u{ff15}", "expected nothing more", 4);
    let eleven = ["1/2 1/3"; 6].join(" ");
    pointed(&eleven, "more than 10 stages or 1000 moves in one", 1);
}

/// "A `G/45 d5` game of 60 moves a side lasts at most 2 × (45 + 5) = 100 minutes; `G/90 +30` with 60 moves 240."
#[test]
fn the_longest_games() {
    let worked = [
        ("G/45 d5", 60, 100),
        ("G/90 +30", 60, 240),
        ("40/90 SD/30 d5", 60, 250),
        ("40/90 SD/30", 40, 180),
        ("40/90 SD/30", 41, 240),
        ("40/120 20/60 SD/15 +30", 61, 451),
        ("G/5 +2@61", 60, 10),
        ("G/5 +2@61", 90, 12),
        ("G/45 b5", 60, 100),
        ("40/60", 80, 4),
        ("40/60", 81, 6),
        ("30s/move", 10, 10),
        ("nodes=5", 10, 20),
        ("hourglass 1:00", 1, 3),
        ("hourglass 1:00", 2, 7),
        ("G/5", u32::MAX, 10),
        ("hourglass 1:00", 0, 0),
    ];
    for (text, moves, minutes) in worked {
        let control: TimeControl = text.parse().expect("a control");
        assert_eq!(control.longest(moves).as_secs(), 60 * minutes, "{text}, {moves} moves");
    }
}

/// The time that a clock adds at each move, and the moves that it says are to go.
#[test]
fn stages_change_at_their_move() {
    let Limit::Clock(clock) = "3/100 2/50 SD/10 +1@5".parse::<TimeControl>().expect("a control").limit else {
        panic!("a clock")
    };
    let seconds: Vec<u64> = (1..=8).map(|number| clock.earned_by(number).as_secs()).collect();
    assert_eq!(seconds, [0, 0, 3000, 0, 601, 1, 1, 1]);
    let to_go: Vec<Option<u32>> = (0..7).map(|made| clock.moves_to_go(made)).collect();
    assert_eq!(to_go, [Some(3), Some(2), Some(1), Some(2), Some(1), None, None]);
    let Limit::Clock(clock) = "2/100 3/50".parse::<TimeControl>().expect("a control").limit else {
        panic!("a clock")
    };
    let seconds: Vec<u64> = (1..=8).map(|number| clock.earned_by(number).as_secs()).collect();
    assert_eq!(seconds, [0, 50, 0, 0, 50, 0, 0, 50]);
    let to_go: Vec<Option<u32>> = (0..7).map(|made| clock.moves_to_go(made)).collect();
    assert_eq!(to_go, [2, 1, 3, 2, 1, 3, 2].map(Some));
}

#[test]
fn what_is_stored_is_the_text() {
    let read = |json: &str| serde_json::from_str::<TimeControl>(json).map(|control| control.to_string());
    let control: TimeControl = "40/90 SD/30 d5 nodes=7".parse().expect("a control");
    let json = serde_json::to_string(&control).expect("it is text");
    assert_eq!(json, r#""40/90 SD/30 d5 nodes=7""#);
    assert_eq!(serde_json::from_str::<TimeControl>(&json).ok(), Some(control));
    let damaged = [
        r#"{"Clock":{"moves":0,"base":{"secs":60,"nanos":0},"increment":{"secs":0,"nanos":0}}}"#,
        r#"{"MoveTime":{"secs":0,"nanos":0}}"#,
        r#"{"MoveTime":{"secs":18446744073709551615,"nanos":999999999}}"#,
        r#"{"Clock":{"moves":null,"base":{"secs":18446744073709551615,"nanos":4294967295},"increment":{"secs":0,"nanos":0}}}"#,
        r#"{"Hourglass":5}"#,
        r#""fast""#,
        "3",
    ];
    for json in damaged {
        assert!(read(json).is_err(), "{json}");
    }
}

fn time(most_seconds: u64) -> impl Strategy<Value = Duration> {
    prop_oneof![
        (1..=most_seconds).prop_map(Duration::from_secs),
        (1..=most_seconds * 1_000_000).prop_map(Duration::from_micros),
        (1..=most_seconds.div_ceil(60)).prop_map(Duration::from_mins),
    ]
}

fn any_clock() -> impl Strategy<Value = Limit> {
    let stage = (1..=60_u32, time(9_000)).prop_map(|(moves, base)| ClockStage { moves, base });
    let delay = prop_oneof![
        Just(Delay::None),
        time(60).prop_map(Delay::Simple),
        time(60).prop_map(Delay::Bronstein)
    ];
    let increment = prop_oneof![Just((Duration::ZERO, 1)), (time(60), Just(1)), (time(60), 1..=200_u32)];
    let last = (proptest::option::of(1..=60_u32), time(9_000));
    (proptest::collection::vec(stage, 0..4), last, increment, delay).prop_map(
        |(mut earlier, (moves, base), (increment, increment_from), delay)| {
            earlier.retain(|stage| (Some(stage.moves), stage.base) != (moves, base));
            Limit::Clock(Clock {
                earlier,
                moves,
                base,
                increment,
                increment_from,
                delay,
            })
        },
    )
}

fn any_control() -> impl Strategy<Value = TimeControl> {
    let limit = prop_oneof![
        5 => any_clock(),
        1 => time(9_000).prop_map(Limit::MoveTime),
        1 => time(9_000).prop_map(Limit::Hourglass),
        1 => Just(Limit::Guard),
    ];
    let nodes = proptest::option::of(1..=MOST_NODES);
    let depth = proptest::option::of(1..=MOST_DEPTH);
    (limit, nodes, depth).prop_map(|(limit, nodes, depth)| {
        let nodes = if limit == Limit::Guard && depth.is_none() {
            nodes.or(Some(1))
        } else {
            nodes
        };
        let bounds = Bounds { nodes, depth };
        TimeControl { limit, bounds }
    })
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,12}|[0-9./:+smdGoveb@*,; ]{0,14}|(40/|SD/|G/|[0-9]{1,4}|\\+2|@9|:|d5|b3|5d|nodes=|depth=|[ ,;]){0,9}") {
        if let Ok(control) = text.parse::<TimeControl>() {
            prop_assert_eq!(control.to_string().parse(), Ok(control));
        }
    }

    #[test]
    fn what_is_written_reads_as_the_same(control in any_control()) {
        prop_assert_eq!(control.to_string().parse(), Ok(control.clone()));
        let json = serde_json::to_string(&control).expect("it is text");
        prop_assert_eq!(serde_json::from_str(&json).ok(), Some(control.clone()));
        if let Limit::Clock(_) | Limit::Hourglass(_) = control.limit {
            let bare = TimeControl::from(control.limit);
            prop_assert_eq!(bare.pgn().parse(), Ok(bare.clone()), "{}", bare.pgn());
        }
    }

    /// The longest game takes the sum of the times that its stages add.
    #[test]
    fn the_longest_is_the_sum_of_what_is_added(limit in any_clock(), moves in 1..300_u32) {
        let control = TimeControl::from(limit);
        let Limit::Clock(clock) = &control.limit else { unreachable!("a clock") };
        let added: Duration = (1..moves).map(|number| clock.earned_by(number)).sum();
        let last = clock.increment_of(moves);
        let delays = clock.delay.time() * moves;
        prop_assert_eq!(control.longest_of_side(moves), clock.first_base() + added + last + delays);
    }
}
