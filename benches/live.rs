//! What live lines cost: a ply of the core alone, beside views that nobody watches and views that are looked at ten times a second;
//! then whole events without a listener and with one at `live.sock`. `cargo bench --bench live`; `RUNS=N GAMES=N` change its length,
//! `GAMES=0` leaves the whole events out.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::hint::black_box;
use std::io::{BufRead as _, BufReader};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::flag_fall::FlagFall;
use swissmatch::game::opening::Opening;
use swissmatch::game::play::{Game, Input, Output};
use swissmatch::game::record::{Attempts, Bounds, GameId, GameLimits, GameSpec};
use swissmatch::game::rules::{Claims, PliesFrom};
use swissmatch::game::termination::BothFailed;
use swissmatch::game::time_control::{Clock, Limit};
use swissmatch::game::variant::Variant;
use swissmatch::shell::host::views::{View, Views};

use process::{children, processor_time};
use workshop::Workshop;

#[path = "support/process.rs"]
#[expect(dead_code, reason = "shared")]
mod process;
#[path = "support/workshop.rs"]
mod workshop;

/// Plies of each game.
const PLIES: usize = 200;
/// Games of one measure.
const GAMES: usize = 300;

fn main() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (runs, games): (usize, usize) = (number("RUNS", 15), number("GAMES", 2000));
    let shop = Workshop::with(&["parrot"]);
    let moves = std::fs::read_to_string(shop.path("game300.txt")).expect("the game");
    let lines: Vec<[String; 2]> = moves.lines().take(PLIES).map(said).collect();
    of_the_core(&lines, runs);
    if games > 0 {
        of_events(&shop, games, runs.min(7));
    }
}

/// What an engine says of a move, then the move.
fn said(uci: &str) -> [String; 2] {
    let pv = ["e2e4 e7e5 g1f3 b8c6"; 5].join(" ");
    [
        format!(
            "info depth 21 seldepth 30 score cp 31 nodes 1234567 nps 2345678 hashfull 12 tbhits 0 time 500 pv {pv}"
        ),
        format!("bestmove {uci}"),
    ]
}

/// Beside which views a game is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beside {
    None,
    Unwatched,
    Watched,
}

fn of_the_core(lines: &[[String; 2]], runs: usize) {
    let (unwatched, watched, over) = (Views::new(1), Views::new(1), AtomicBool::new(false));
    watched.watch();
    let mut times = [const { Vec::new() }; 3];
    let mut alone = [const { Vec::new() }; 2];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut version = 0;
            while !over.load(Ordering::Relaxed) {
                if let Some((now, ..)) = watched.look(0, version) {
                    version = now;
                }
                std::thread::sleep(Duration::from_millis(100));
            }
        });
        for _ in 0..=runs {
            for (kind, times) in [Beside::None, Beside::Unwatched, Beside::Watched]
                .into_iter()
                .zip(&mut times)
            {
                let view = if kind == Beside::Watched {
                    watched.at(0)
                } else {
                    unwatched.at(0)
                };
                let begun = ran();
                for _ in 0..GAMES {
                    play(lines, view, kind, &mut |show| show());
                }
                times.push(nanos(ran() - begun));
            }
            for (view, alone) in [unwatched.at(0), watched.at(0)].into_iter().zip(&mut alone) {
                let mut taken = Duration::ZERO;
                for _ in 0..GAMES {
                    play(lines, view, Beside::Watched, &mut |show| {
                        let begun = Instant::now();
                        show();
                        taken += begun.elapsed();
                    });
                }
                let mut clock = Duration::ZERO;
                for _ in 0..GAMES {
                    play(lines, view, Beside::Watched, &mut |_| {
                        let begun = Instant::now();
                        black_box(());
                        clock += begun.elapsed();
                    });
                }
                alone.push(nanos(taken) - nanos(clock));
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    let [none, nobody, somebody] = times.map(least);
    println!("a ply of the core, processor time, {GAMES} games of {PLIES} plies, least of {runs}:");
    println!("  without views                {none:>7.1} ns");
    println!(
        "  nobody watches                {nobody:>7.1} ns   {:>+6.1} ns",
        nobody - none
    );
    println!(
        "  looked at ten times a second  {somebody:>7.1} ns   {:>+6.1} ns",
        somebody - none
    );
    let [nobody, somebody] = alone.map(median);
    println!("showing alone, the time of the clock taken off, median: {nobody:.1} ns, watched {somebody:.1} ns a ply");
}

/// What this thread has run.
fn ran() -> Duration {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").expect("the kernel counts");
    let nanos = stat.split(' ').next().and_then(|nanos| nanos.parse().ok());
    Duration::from_nanos(nanos.expect("a number"))
}

/// The first run is a warm-up. Whatever else the machine does only adds.
fn least(times: Vec<f64>) -> f64 {
    times.into_iter().skip(1).fold(f64::INFINITY, f64::min)
}

/// The first run is a warm-up.
fn median(mut times: Vec<f64>) -> f64 {
    times.remove(0);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Nanoseconds a ply.
fn nanos(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9 / (GAMES * PLIES) as f64
}

/// Plays a game as a slot does; each time that it would be shown `show` says how.
fn play(lines: &[[String; 2]], view: &View, beside: Beside, show: &mut impl FnMut(&mut dyn FnMut())) {
    let spec = spec();
    let mut game = Game::new(spec.clone()).expect("a legal opening");
    let mut shows = view.game(&spec, Instant::now());
    let mut lines = lines.iter().flatten();
    let (mut now, mut asked) = (Duration::ZERO, false);
    loop {
        // Twice a ply, as in a slot: before it is asked, and before it is waited for.
        if beside != Beside::None {
            show(&mut || shows.show(&game, false));
        }
        match game.poll(now) {
            Output::Send { .. } => {
                asked = game.outgoing().ends_with(b"isready\n");
                game.handle(now, Input::Sent { was_full: false });
            }
            Output::Wait { .. } if asked => game.handle(now, Input::Line(b"readyok")),
            Output::Wait { .. } => {
                for _ in 0..2 {
                    now += Duration::from_micros(5);
                    let line = lines.next().expect("a line for each ply");
                    game.handle(now, Input::Line(line.as_bytes()));
                }
            }
            Output::Over => break,
            other => panic!("{other:?}"),
        }
    }
    let (record, _) = game.finish();
    assert_eq!(record.plies(), PLIES);
    if beside != Beside::None {
        view.end(&record);
    }
}

fn spec() -> GameSpec {
    let second = Duration::from_secs(1);
    let clock = || {
        Limit::Clock(Clock {
            increment: second,
            ..Clock::sudden_death(600 * second)
        })
        .into()
    };
    GameSpec {
        id: GameId {
            round: 1,
            playoff: 0,
            board: 1,
            game: 1,
        },
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: GameLimits {
            time_controls: [clock(), clock()],
            margins: [Duration::ZERO; 2],
            move_overhead: Duration::ZERO,
            attempts_share: false,
            attempts: Attempts::Shared(1),
            max_plies: Some(PLIES as u32),
            plies_from: PliesFrom::Opening,
            claims: Claims::Automatic,
            both_failed: BothFailed::Lost,
            ready_limit: second,
            step_limit: second,
            restart_limits: [second; 2],
            threads: [1; 2],
            stop_grace: second,
            start_attempts: 1,
            ponder: [false; 2],
            freeze: false,
            resigns: [false; 2],
            flag_fall: FlagFall::DrawIfCannotMate,
        },
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

fn of_events(shop: &Workshop, games: usize, runs: usize) {
    println!("whole events of {games} games of {PLIES} plies, 2 at once, medians of {runs}:");
    let mut figures = [const { (Vec::new(), Vec::new()) }; 2];
    for _ in 0..=runs {
        for (listens, (speeds, costs)) in [false, true].into_iter().zip(&mut figures) {
            let (speed, cost) = event(shop, games, listens);
            speeds.push(speed);
            costs.push(cost);
        }
    }
    for (name, (speeds, costs)) in ["nobody listens", "one listens"].into_iter().zip(figures) {
        println!(
            "  {name:<15} {:>7.0} plies/s, {:.2} µs CPU of the runner a ply",
            median(speeds),
            median(costs)
        );
    }
}

/// Plies a second, and microseconds of the playing process a ply.
fn event(shop: &Workshop, games: usize, listens: bool) -> (f64, f64) {
    let text = format!(
        "preset = \"none\"\n[event]\nname = \"bench\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\ntime_control = \"10+0.1\"\nmax_plies = {PLIES}\n\
         [[player]]\nname = \"A\"\ncommand = \"./parrot\"\nargs = [\"game300.txt\", \"0\"]\n\
         [[player]]\nname = \"B\"\ncommand = \"./parrot\"\nargs = [\"game300.txt\", \"0\"]\n"
    );
    let mut command = shop.swissmatch(workshop::BUILT, &text, 2);
    let begun = Instant::now();
    let mut guard = command.stdin(Stdio::null()).spawn().expect("swissmatch starts");
    let socket = shop.path("run/live.sock");
    let listener = listens.then(|| {
        let until = Instant::now() + Duration::from_secs(20);
        let stream = loop {
            match UnixStream::connect(&socket) {
                Ok(stream) => break stream,
                Err(error) => assert!(Instant::now() < until, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(1));
        };
        std::thread::spawn(move || BufReader::new(stream).lines().map_while(Result::ok).count())
    });
    let mut used: f64 = 0.0;
    let status = loop {
        if let Some(status) = guard.try_wait().expect("the child is ours") {
            break status;
        }
        if let Some(player) = children(guard.id()).first() {
            used = used.max(processor_time(*player).unwrap_or_default());
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success(), "{status}");
    let took = begun.elapsed();
    if let Some(listener) = listener {
        assert!(listener.join().expect("it reads to the end") > 2, "it heard something");
    }
    let plies = (games * PLIES) as f64;
    (plies / took.as_secs_f64(), used / plies * 1e6)
}
