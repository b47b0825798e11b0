//! Figures of records made by hand.

use serde_json::{Value, json};

use super::*;
use crate::setup::Setup;
use crate::sprt::tests::state;
use swissmatch_game::record::PartialSum;
use swissmatch_game::time_control::TimeControl;

/// A record of game 1, in which the player of pairing number 1 has White.
fn record(more: &Value) -> GameRecord {
    let mut record = json!({
        "version": GameRecord::VERSION,
        "id": "1.1.1",
        "white": 1,
        "black": 2,
        "opening": { "fen": null, "moves": "", "name": "" },
        "moves": "",
        "result": "1-0",
        "termination": "checkmate",
        "time_us": [],
        "ready_us": [0, 0],
    });
    let more = more.as_object().expect("a table").clone();
    record.as_object_mut().expect("a table").extend(more);
    serde_json::from_value(record).expect("a record")
}

fn wanted(players: &[u32]) -> ThinkingQuery {
    ThinkingQuery {
        players: players.iter().map(|number| PairingNumber(*number)).collect(),
        one_by_one: 1,
        band: NonZeroU32::new(2).expect("above 0"),
        near: None,
    }
}

fn under(control: &str, change: impl FnOnce(&mut Setup)) -> State {
    let control: TimeControl = control.parse().expect("a time control");
    state(|setup| {
        setup.game.time_control = control;
        change(setup);
    })
}

fn thought(state: &State, wanted: ThinkingQuery, records: &[Value]) -> Thinking {
    let mut thinking = Thinking::new(wanted);
    for more in records {
        thinking.add(state, &record(more));
    }
    thinking
}

#[test]
fn moves_belong_to_whoever_made_them_and_to_their_band() {
    let state = under("1s/move", |_| {});
    let game = json!({
        "time_us": [100_000, 7, 200_000, 9, 300_000],
        "depth": [3, null, 5, null, null],
        "nodes": [1000, null, 3000, null, null],
        "eval": [null, 25, "#3", -75, 10],
        "engine_time_ms": [90, null, 210, null, null],
    });
    let thinking = thought(&state, wanted(&[1, 2]), &[game]);
    let [one, two] = &thinking.players[..] else {
        panic!("two players")
    };
    assert_eq!((thinking.games, one.games, two.games), (1, 1, 1));
    assert_eq!((one.all.time.sum(), two.all.time.sum()), (600_000, 16));
    assert_eq!(
        (one.all.moves(), one.all.depth.count(), one.all.nodes.sum()),
        (3, 2, 4000)
    );
    // 4000 nodes in 0.3 s: the move without nodes does not count.
    assert_eq!(one.all.mean_speed(), Some(13_333));
    assert_eq!(one.all.speed.count(), 2);
    assert_eq!(two.all.mean_speed(), None);
    let moves = |figures: &[Figures]| figures.iter().map(Figures::moves).collect::<Vec<_>>();
    assert_eq!((moves(&one.bands), moves(&two.bands)), (vec![2, 1], vec![2]));
    assert_eq!(
        (moves(&one.moves), moves(&two.moves)),
        (vec![1, 1, 1], vec![]),
        "only the first one by one"
    );
    // The first evaluation came with White's second move, and was a mate.
    let first = one.first_evals[0];
    assert_eq!((first.games(), first.mates, first.moves), (1, [1, 0], 2));
    assert_eq!(one.first_evals[1].games(), 0);
    assert_eq!(two.first_evals[1].centipawns.ends(), Some((25, 25)));
    let own = &one.own_time;
    assert_eq!(
        (own.said.sum(), own.measured.sum(), own.beyond.sum(), own.beyond.count()),
        (300_000, 300_000, 10_000, 1)
    );
    assert_eq!(own.longer, 1);
    let short = json!({ "time_us": [999], "nodes": [5], "engine_time_ms": [1] });
    let short = thought(&state, wanted(&[1]), &[short]).players.remove(0);
    assert_eq!((short.all.speed.count(), short.all.mean_speed()), (0, Some(5005)));
    assert_eq!(
        (short.own_time.longer, short.own_time.beyond.count()),
        (0, 0),
        "it is rounded"
    );
    assert_eq!(thinking.time_per_move(), Some(Duration::from_secs(1)));
}

#[test]
fn black_may_move_first() {
    let state = under("1s/move", |_| {});
    let game = json!({
        "opening": { "fen": null, "moves": "e2e4", "name": "" },
        "time_us": [5, 70, 6],
        "eval": [-30, 20, null],
    });
    let thinking = thought(&state, wanted(&[2]), &[game]);
    assert_eq!(thinking.players[0].all.time.sum(), 11);
    assert_eq!(thinking.players[0].first_evals[1].centipawns.ends(), Some((-30, -30)));
}

#[test]
fn long_games_end_in_the_last_band() {
    let state = under("1s/move", |_| {});
    let game = json!({ "time_us": vec![1; 2000] });
    let thinking = thought(&state, wanted(&[1, 2]), &[game]);
    let player = &thinking.players[0];
    assert_eq!((player.bands.len(), player.moves.len()), (MOST_BANDS, MOST_MOVES));
    assert_eq!(player.bands[MOST_BANDS - 1].moves(), 1000 - 2 * (MOST_BANDS as u64 - 1));
    assert_eq!(player.moves[MOST_MOVES - 1].moves(), 1000 - (MOST_MOVES as u64 - 1));
}

#[test]
fn what_is_left_of_a_time_per_move_is_that_of_each_move() {
    let limits = |overhead: u64| {
        let state = under("1s/move", |setup| {
            setup.game.move_overhead = Duration::from_millis(overhead);
            setup.game.margin = Duration::from_millis(50);
        });
        let game = json!({ "time_us": [985_000, 0, 996_000, 0, 1_030_000, 0, 950_000] });
        thought(&state, wanted(&[1]), &[game]).players[0].limits.clone()
    };
    // It is told 990 ms: more than 995 ms are near.
    let found = limits(10);
    assert_eq!((found.near_misses, found.excused), (1, 1));
    let (left, at) = found.least_left.expect("moves");
    assert_eq!((left, at.game.to_string().as_str(), at.number), (-30_000, "1.1.1", 3));
    assert_eq!(limits(0).near_misses, 2);
    assert_eq!(
        limits(500).near_misses,
        2,
        "no more than a tenth of the limit is taken off, half of it is 50 ms"
    );
    assert_eq!(found.clock_used.count(), 0);
}

#[test]
fn a_clock_is_run_again() {
    let state = under("2+0.1", |_| {});
    let game = json!({
        "time_us": [1_500_000, 100_000, 590_000, 100_000, 5_000],
        "clock_us": [600_000, 2_000_000, 110_000, 2_000_000, 205_000],
    });
    let thinking = thought(&state, wanted(&[1, 2]), &[game]);
    let limits = &thinking.players[0].limits;
    // 2000 − 1500 + 100 − 590 = 10 ms are left of White's clock before the increment.
    assert_eq!(
        (limits.near_misses, limits.least_left.map(|(left, _)| left)),
        (1, Some(10_000))
    );
    // 2095 ms used, 205 left.
    assert_eq!(limits.clock_used.sum(), 2_095_000 * 1000 / 2_300_000);
    assert_eq!(thinking.time_per_move(), None);
    let given = ThinkingQuery {
        near: Some(Duration::from_secs(1)),
        ..wanted(&[1])
    };
    let game = json!({ "time_us": [1_500_000, 0, 100_000] });
    assert_eq!(thought(&state, given, &[game]).players[0].limits.near_misses, 2);
}

#[test]
fn overruns_are_counted_with_how_far_they_were() {
    let state = under("1s/move", |_| {});
    let failed = |ply: u32, side: &str, time: u64, end: Value| json!({ "ply": ply, "side": side, "attempt": 1, "time_us": time, "end": end });
    let game = json!({
        "time_us": [10, 10],
        "result": "0-1",
        "termination": "time-forfeit",
        "lost_by": "white",
        "failed_attempts": [
            failed(0, "white", 1_200_000, json!("late")),
            failed(1, "black", 300_000, json!({ "illegal": "e2e4" })),
            failed(2, "white", 1_050_000, json!("late")),
            failed(2, "white", 4_000_000, json!("silent")),
        ],
    });
    let thinking = thought(&state, wanted(&[1, 2]), &[game]);
    let limits = thinking.players[0].limits.clone();
    assert_eq!((limits.overruns, limits.unanswered, limits.time_forfeits), (3, 1, 1));
    let (beyond, at) = limits.largest_overrun.expect("late");
    assert_eq!((beyond, at.number), (200_000, 1));
    let other = &thinking.players[1].limits;
    assert_eq!((other.overruns, other.time_forfeits, other.near_misses), (0, 0, 0));
}

/// Two answers of White that were refused, before each of its two moves; the clock had run for a second before the first.
#[test]
fn failed_attempts_are_counted_and_are_part_of_the_time() {
    let failed = |ply: u32, attempt: u32, time: u64| {
        let end = json!({ "illegal": "0000" });
        json!({ "ply": ply, "side": "white", "attempt": attempt, "time_us": time, "end": end })
    };
    let game = json!({
        "time_us": [200_000, 10, 400_000],
        "nodes": [100, null, 100],
        "late_us": 100_000,
        "failed_attempts": [failed(0, 1, 300_000), failed(0, 2, 300_000), failed(2, 1, 500_000)],
    });
    let of = |share: bool| {
        let state = under("1s/move", |setup| setup.game.attempts_share = share);
        thought(&state, wanted(&[1, 2]), std::slice::from_ref(&game))
    };
    let thinking = of(false);
    let [white, black] = &thinking.players[..] else {
        panic!("two players")
    };
    assert_eq!((white.failed_attempts, white.tried_again, white.all.moves()), (3, 2, 2));
    assert_eq!((black.failed_attempts, black.tried_again), (0, 0));
    assert_eq!(white.all.time.sum(), 700_000 + 900_000);
    assert_eq!(white.all.time_with_nodes, 600_000, "the attempts that gave the moves");
    // Each attempt has the whole limit, or the last one what the others left.
    let least = |thinking: &Thinking| thinking.players[0].limits.least_left.map(|(left, _)| left);
    assert_eq!((least(&thinking), least(&of(true))), (Some(600_000), Some(100_000)));
}

#[test]
fn the_clock_that_ran_before_the_first_move_is_nobodys_thinking() {
    let state = under("10+0", |_| {});
    let game = json!({ "time_us": [3_000_000], "late_us": 2_900_000, "clock_us": [7_000_000] });
    let thinking = thought(&state, wanted(&[1]), &[game]);
    let player = &thinking.players[0];
    assert_eq!(player.all.time.sum(), 100_000);
    assert_eq!(player.limits.least_left.map(|(left, _)| left), Some(7_000_000));
}

/// Of White one call costs nobody knows what; of Black all is told.
#[test]
fn calls_belong_to_who_asked_and_what_is_unknown_is_no_zero() {
    let call = |side: &str, more: &Value| {
        let mut call = json!({ "side": side, "ply": 0, "latency_us": 2_000, "tries": 1 });
        let more = more.as_object().expect("a table").clone();
        call.as_object_mut().expect("a table").extend(more);
        call
    };
    let told = json!({ "input": 900, "cached": 100, "output": 40, "reasoning": 30, "cost": 7, "first_byte_us": 500 });
    let game = json!({
        "time_us": [10, 10, 10],
        "failed_attempts": [{ "ply": 2, "side": "white", "attempt": 1, "time_us": 5, "end": "empty" }],
        "calls": { "ledger": "aa", "list": [
            call("white", &told),
            call("white", &json!({ "tries": 3, "latency_us": 8_000, "failed": "late" })),
            call("black", &told),
        ] },
    });
    let state = under("1s/move", |_| {});
    let thinking = thought(&state, wanted(&[1, 2]), &[game]);
    let [white, black] = &thinking.players[..] else {
        panic!("{:?}", thinking.players);
    };
    assert_eq!((white.calls.count, white.calls.tries, white.calls.failed), (2, 4, 1));
    assert_eq!(
        (white.calls.input, white.calls.cost),
        (PartialSum { sum: 900, untold: 1 }, PartialSum { sum: 7, untold: 1 })
    );
    assert_eq!((white.calls.cost.whole(), black.calls.cost.whole()), (None, Some(7)));
    let of_black = [black.calls.cached, black.calls.output, black.calls.reasoning].map(|told| told.whole());
    assert_eq!(of_black, [Some(100), Some(40), Some(30)]);
    assert_eq!(
        (white.calls.first_byte.count(), white.calls.latency.quantile(99)),
        (1, Some(8_000))
    );
    assert_eq!((white.legal_share(), black.legal_share()), (Some(666), Some(1000)));
    assert_eq!(PlayerThinking::default().legal_share(), None);
}
