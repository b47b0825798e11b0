//! Whether recorded times are true. `make bench`, and alone `cargo bench --bench timing`.
//!
//! 1. Two parrots sleep 5 ms a move and stamp the clock around their sleep; one game at once. The recorded time less the
//!    parrot's own is what the runner adds. `MOVES=N` changes how many; `C_CHESS_CLI=… FASTCHESS=… CUTECHESS=…` name other
//!    runners, whose PGN has whole milliseconds.
//! 2. With `FORFEIT_GAMES=2000`: so many games of stockfish at 0.2+0.002, as many at once as there are cores. Between the
//!    runner and each engine a witness stamps questions and answers; each time forfeit is the engine's if by the witness's
//!    stamps alone the limit was over. Else it is the runner's, if without its own wait for a processor the answer had been
//!    in time, or lies between the two (the witness waited for a processor before its stamp); and this benchmark fails.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::collections::HashMap;
use std::process::{ExitCode, Stdio};

use peers::{Job, Kind, Peer, Told};
use serde_json::Value;
use workshop::Workshop;

#[path = "support/peers.rs"]
mod peers;
#[path = "support/workshop.rs"]
mod workshop;

/// Plies of a game of the parrots.
const PLIES: usize = 200;
/// What the parrots sleep, in microseconds.
const SLEEP: u32 = 5000;
/// Of the second part, in microseconds: 0.2+0.002.
const CLOCK: f64 = 200_000.0;

fn main() -> ExitCode {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<usize>().ok());
    let games = (number("MOVES").unwrap_or(10_000) / PLIES).max(1).next_multiple_of(2);
    let shop = Workshop::with(&["parrot", "witness"]);
    let peers = Peer::found();

    println!("{games} games of {PLIES} plies, {SLEEP} µs of sleep each, one game at once");
    println!("recorded less the engine's own measurement, in µs:");
    println!(
        "  {:<13} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "least", "median", "90 %", "99 %", "99.9 %", "most", "moves"
    );
    let mut ours = added(&shop, &sleep_with_swissmatch(&shop, games));
    spread("swissmatch", &mut ours);
    for peer in &peers {
        let told = sleep_with(peer, &shop, games);
        spread(peer.name, &mut added(&shop, &told));
    }
    println!(
        "swissmatch: median at most 200 µs: {}",
        yes(percentile(&ours, 50.0) <= 200.0)
    );
    println!(
        "swissmatch: 99.9 % at most 1000 µs: {}",
        yes(percentile(&ours, 99.9) <= 1000.0)
    );

    match number("FORFEIT_GAMES") {
        Some(games) => forfeits(&shop, games.next_multiple_of(2)),
        None => {
            println!("time forfeits: not measured (FORFEIT_GAMES=2000 plays them)");
            ExitCode::SUCCESS
        }
    }
}

const fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "NO" }
}

/// Of sorted values.
fn percentile(sorted: &[f64], percent: f64) -> f64 {
    let at = (sorted.len() as f64 * percent / 100.0) as usize;
    sorted[at.min(sorted.len() - 1)]
}

/// Sorts the values and prints their distribution.
fn spread(name: &str, values: &mut [f64]) {
    values.sort_by(f64::total_cmp);
    if values.is_empty() {
        println!("  {name:<13} not known");
        return;
    }
    print!("  {name:<13}");
    for percent in [0.0, 50.0, 90.0, 99.0, 99.9, 100.0] {
        print!(" {:>8.0}", percentile(values, percent));
    }
    println!(" {:>8}", values.len());
}

/// `export records`, a game an entry, in schedule order.
fn records(shop: &Workshop) -> Vec<Value> {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_swissmatch"))
        .args(["export", "records", "run"])
        .current_dir(shop.path(""))
        .output()
        .expect("swissmatch exports");
    let text = String::from_utf8(output.stdout).expect("records are text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a record"))
        .collect()
}

fn times(record: &Value, field: &str) -> Vec<f64> {
    let times = record[field].as_array().expect("a column of the record");
    times.iter().map(|time| time.as_f64().expect("microseconds")).collect()
}

/// The files to which the two parrots write.
const STAMPS: [&str; 2] = ["A.stamps", "B.stamps"];

fn forget_stamps(shop: &Workshop) {
    for file in STAMPS {
        let _ = std::fs::remove_file(shop.path(file));
    }
}

fn sleep_with_swissmatch(shop: &Workshop, games: usize) -> Vec<Told> {
    forget_stamps(shop);
    let mut event = format!(
        "preset = \"none\"\n[event]\nname = \"sleep\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n\
         openings = \"none\"\n[game]\ntime_control = \"10+0.1\"\nmax_plies = {PLIES}\n"
    );
    for (name, stamps) in ["A", "B"].into_iter().zip(STAMPS) {
        event += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"./parrot\"\nargs = [\"game300.txt\", \"{SLEEP}\", \"{stamps}\"]\n"
        );
    }
    let status = shop
        .swissmatch(workshop::BUILT, &event, 1)
        .stdin(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "swissmatch failed");
    let told = |record: &Value| Told {
        a_is_white: record["white"] == 1,
        times: times(record, "time_us"),
    };
    records(shop).iter().map(told).collect()
}

fn sleep_with(peer: &Peer, shop: &Workshop, games: usize) -> Vec<Told> {
    forget_stamps(shop);
    let job = Job {
        engine: "parrot",
        // c-chess-cli changes to the engine's directory, the others stay in this one, which is the same.
        args: STAMPS.map(|stamps| format!("game300.txt {SLEEP} {stamps}")),
        games,
        plies: PLIES,
        at_once: 1,
    };
    let status = peer.command(&shop.path(""), &job).status();
    assert!(status.is_ok_and(|status| status.success()), "{} failed", peer.name);
    assert!(
        peer.kind != Kind::CChessCli || games.is_multiple_of(2),
        "pairs of games"
    );
    peers::games(&shop.path(""))
}

/// Microseconds by which each recorded time exceeds the parrot's own.
fn added(shop: &Workshop, told: &[Told]) -> Vec<f64> {
    let [a, b] = STAMPS.map(|file| sleeps(&std::fs::read_to_string(shop.path(file)).expect("stamps")));
    assert_eq!([a.len(), b.len()], [told.len(); 2], "as many games as the parrots saw");
    let mut added = Vec::new();
    for (game, (a, b)) in told.iter().zip(a.iter().zip(&b)) {
        let sides = if game.a_is_white { [a, b] } else { [b, a] };
        let asked = a.len() + b.len();
        // A runner may leave out the move at which it called the game drawn.
        assert!(
            asked.abs_diff(game.times.len()) <= 1,
            "{asked} questions, {} moves",
            game.times.len()
        );
        for (ply, time) in game.times.iter().enumerate() {
            added.push(time - sides[ply % 2][ply / 2]);
        }
    }
    added
}

/// A parrot's sleeps in microseconds, game by game.
fn sleeps(stamps: &str) -> Vec<Vec<f64>> {
    let mut games: Vec<Vec<f64>> = Vec::new();
    for line in stamps.lines() {
        match (line.split_once(' '), games.last_mut()) {
            (Some((before, after)), Some(game)) => {
                let [before, after] = [before, after].map(|stamp| stamp.parse::<u64>().expect("a stamp"));
                game.push((after - before) as f64 / 1e3);
            }
            _ => games.push(Vec::new()),
        }
    }
    games
}

/// A question as the witness saw it, in microseconds.
struct Seen {
    /// From reading it to writing the answer; `None` if there was no answer.
    own: Option<f64>,
    /// The time that the engine gave in its last `info`.
    said: Option<f64>,
}

/// What one side was asked in the games that begin with one position and have the same last word in each later one: mostly
/// one game.
type Witnessed = HashMap<(String, Vec<String>), Vec<Vec<Seen>>>;

fn witnessed(shop: &Workshop) -> Witnessed {
    let mut all = Witnessed::new();
    for file in std::fs::read_dir(shop.path("")).expect("it is there").flatten() {
        if !file.file_name().to_string_lossy().starts_with("witnessed.") {
            continue;
        }
        let text = std::fs::read_to_string(file.path()).expect("what was seen");
        for game in text.split("p position ").skip(1) {
            let mut lines = game.lines();
            let first = lines.next().unwrap_or_default().to_owned();
            let (mut words, mut seen, mut asked) = (Vec::new(), Vec::<Seen>::new(), 0.0);
            for line in lines {
                let fields: Vec<&str> = line.split(' ').collect();
                let stamp = fields[1].parse::<f64>().expect("a stamp") / 1e3;
                if fields[0] == "g" {
                    words.push(fields[2].to_owned());
                    seen.push(Seen { own: None, said: None });
                    asked = stamp;
                } else if let Some(last) = seen.last_mut() {
                    last.own = Some(stamp - asked);
                    last.said = fields[2]
                        .parse()
                        .ok()
                        .filter(|said| *said >= 0.0)
                        .map(|said: f64| said * 1e3);
                }
            }
            words.remove(0);
            all.entry((first, words)).or_default().push(seen);
        }
    }
    all
}

/// What the side that begins with ply `first` was asked when `asked` plies had been played or tried, as the witness keys it.
fn key(record: &Value, first: usize, asked: usize) -> (String, Vec<String>) {
    let words = |value: &Value| -> Vec<String> {
        let text = value.as_str().unwrap_or_default();
        text.split_whitespace().map(str::to_owned).collect()
    };
    let opening = &record["opening"];
    let mut moves = words(&opening["moves"]);
    let before = moves.len();
    moves.extend(words(&record["moves"]));
    let mut position = opening["fen"]
        .as_str()
        .map_or("startpos".to_owned(), |fen| format!("fen {fen}"));
    if before + first > 0 {
        position += &format!(" moves {}", moves[..before + first].join(" "));
    }
    let later = (first + 2..asked).step_by(2).map(|ply| moves[before + ply - 1].clone());
    (position, later.collect())
}

/// Which of games that are alike has these times, recorded from ply `first` on: the nearest one.
fn nearest<'a>(alike: &'a [Vec<Seen>], recorded: &[f64], first: usize) -> Option<&'a Vec<Seen>> {
    let distance = |game: &&Vec<Seen>| -> f64 {
        let of_side = recorded.iter().skip(first).step_by(2);
        let pairs = of_side.zip(game.iter().filter_map(|seen| seen.own));
        pairs.map(|(recorded, own)| (recorded - own).abs()).sum()
    };
    alike.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
}

/// Plays the games and says of each time forfeit whose it is.
fn forfeits(shop: &Workshop, games: usize) -> ExitCode {
    let places = std::env::var("PATH").unwrap_or_default() + ":/usr/games";
    let found = places.split(':').map(|place| format!("{place}/stockfish"));
    let stockfish = found.into_iter().find(|path| std::path::Path::new(path).is_file());
    let stockfish = stockfish.expect("stockfish is installed: make test-tools");
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let mut event = format!(
        "preset = \"none\"\n[event]\nname = \"forfeits\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n[game]\n\
         time_control = \"0.2+0.002\"\nmargin = \"0ms\"\n"
    );
    for name in ["A", "B"] {
        event += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"./witness\"\nargs = [\"{stockfish}\", \"witnessed.\"]\n\
             options = {{ Hash = 16, Threads = 1 }}\n"
        );
    }
    println!("{games} games of stockfish at 0.2+0.002, {cores} at once");
    let status = shop
        .swissmatch(workshop::BUILT, &event, cores)
        .stdin(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "swissmatch failed");

    let witnessed = witnessed(shop);
    let (mut all, mut wakeups, mut blamed) = (Vec::new(), Vec::new(), [0_usize; 3]);
    println!("time forfeits, in µs:");
    println!(
        "  {:<10} {:>5} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}  whose",
        "game", "ply", "limit", "recorded", "engine's", "its info", "between", "wake-up"
    );
    for record in records(shop) {
        let (recorded, clocks) = (times(&record, "time_us"), times(&record, "clock_us"));
        let known = record["wakeup_us"].as_array().into_iter().flatten();
        wakeups.extend(known.filter_map(Value::as_f64));
        let failed = record["failed_attempts"]
            .as_array()
            .and_then(|attempts| attempts.first());
        let asked = recorded.len() + usize::from(failed.is_some());
        for first in 0..asked.min(2) {
            let alike = witnessed.get(&key(&record, first, asked));
            let seen = alike.and_then(|alike| nearest(alike, &recorded, first));
            let seen = seen.unwrap_or_else(|| panic!("no witness of game {}", record["id"]));
            for (ply, seen) in (first..asked).step_by(2).zip(seen) {
                if let (Some(recorded), Some(own)) = (recorded.get(ply), seen.own) {
                    all.push(recorded - own);
                } else if let Some(failed) = failed {
                    let limit = ply.checked_sub(2).map_or(CLOCK, |before| clocks[before]);
                    let recorded = failed["time_us"].as_f64().expect("microseconds");
                    let wakeup = failed["wakeup_us"].as_f64();
                    let whose = match seen.own {
                        // Without an answer until it was killed, it is the engine's.
                        None => 0,
                        Some(own) if own > limit => 0,
                        Some(_) if wakeup.is_some_and(|wakeup| recorded - wakeup <= limit) => 1,
                        Some(_) => 2,
                    };
                    blamed[whose] += 1;
                    let text = |time: Option<f64>| time.map_or("-".to_owned(), |time| format!("{time:.0}"));
                    println!(
                        "  {:<10} {ply:>5} {limit:>9.0} {recorded:>9.0} {:>9} {:>9} {:>9} {:>9}  {}",
                        format!("{}.{}", record["id"]["mini_match"], record["id"]["game"]),
                        text(seen.own),
                        text(seen.said),
                        text(seen.own.map(|own| recorded - own)),
                        text(wakeup),
                        ["the engine's", "THE RUNNER'S wake-up", "BETWEEN the two"][whose]
                    );
                }
            }
        }
    }
    println!("of all moves, in µs: recorded less the witness's own measurement, and the runner's wake-up in it:");
    spread("recorded", &mut all);
    spread("wake-up", &mut wakeups);
    let [engines, runners, between] = blamed;
    println!(
        "{} time forfeits: {engines} the engine's, {runners} the runner's wake-up, {between} between the two",
        engines + runners + between
    );
    if runners + between == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
