//! How fast PGN files of engine matches are read for statistics: results alone, and with moves; then how long it takes to find the
//! game pairs of a million games. `make bench-pgn`; `MB=N` changes how much text is made.
//!
//! Bars: 100 MB/s for results, 30 MB/s with moves, on one core. The best of several runs is printed, because other work on the
//! machine only ever adds.
#![expect(clippy::disallowed_methods, reason = "a benchmark measures the world")]

use std::fmt::Write as _;
use std::io::BufReader;
use std::time::Instant;

use swiss_system::lot::Draws;
use swissmatch::game::pgn_results::{Depth, GameRow, Names, game_pairs, read};

const PLAYERS: u64 = 1000;
const MOVES: [&str; 12] = [
    "e4", "Nf3", "O-O", "Bxc6+", "exd5", "Rfe1", "Qd1xd7", "a8=Q", "Kg2", "h5", "Nbd2", "Rxe8#",
];

fn main() {
    let megabytes = std::env::var("MB").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    println!("PGN of engine matches, {megabytes} MB of each kind: MB/s, best of several");
    println!("{:<34}{:>9}{:>12}{:>12}", "", "games", "results", "with moves");
    let kinds = [
        ("evaluation and time of each move", Some("")),
        (
            "… and variations",
            Some(", n=48210, nps=812000, pv=\"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6\""),
        ),
        ("moves alone", None),
    ];
    for (name, comments) in kinds {
        let text = games(megabytes << 20, comments);
        let [(games, results), (_, moves)] = [Depth::Results, Depth::Moves].map(|depth| best(&text, depth));
        println!("{name:<34}{games:>9}{results:>12.0}{moves:>12.0}");
    }
    pairs_of_a_million();
}

/// How many games a text has, and how fast it was read.
fn best(text: &str, depth: Depth) -> (usize, f64) {
    let mut games = 0;
    let took = (0..5).map(|_| {
        let start = Instant::now();
        let rows = rows(text, depth);
        let took = start.elapsed().as_secs_f64();
        games = rows.len();
        took
    });
    let took = took.min_by(f64::total_cmp).expect("several");
    (games, text.len() as f64 / 1e6 / took)
}

fn rows(text: &str, depth: Depth) -> Vec<GameRow> {
    let mut names = Names::default();
    let mut rows = Vec::new();
    // As a file is read.
    let source = BufReader::with_capacity(1 << 16, text.as_bytes());
    let read = read(source, depth, &mut names, |game| {
        rows.push(game.expect("the text is right").row);
    });
    read.expect("memory can be read");
    rows
}

/// A million games of a thousand players, the two of a pair up to eight games apart.
fn pairs_of_a_million() {
    const GAMES: u64 = 1_000_000;
    let draws = &mut Draws::new(1, "benchmark");
    let mut text = String::new();
    for block in 0..GAMES / 16 {
        let mut games: Vec<u64> = (block * 16..(block + 1) * 16).collect();
        games.rotate_left(draws.below(8) as usize);
        for game in games {
            head(&mut text, game, "1-0", 0);
            text.push_str("\n1-0\n\n");
        }
    }
    let rows = rows(&text, Depth::Results);
    drop(text);
    let took = (0..5).map(|_| {
        let start = Instant::now();
        let pairs = game_pairs(&rows);
        let took = start.elapsed().as_secs_f64();
        assert_eq!(pairs.len() as u64, GAMES / 2);
        took
    });
    let took = took.min_by(f64::total_cmp).expect("several");
    println!("the game pairs of a million games: {:.0} ms", took * 1000.0);
}

/// Games of about so many bytes; `comments` is what stands in each comment behind evaluation and time.
fn games(bytes: usize, comments: Option<&str>) -> String {
    let draws = &mut Draws::new(1, "benchmark");
    let mut text = String::with_capacity(bytes + (1 << 20));
    let mut game = 0;
    while text.len() < bytes {
        let result = ["1-0", "0-1", "1/2-1/2"][draws.below(3) as usize];
        let plies = 60 + draws.below(120);
        head(&mut text, game, result, plies);
        movetext(&mut text, plies, comments, draws);
        text.extend([" ", result, "\n\n"]);
        game += 1;
    }
    text
}

/// The tags of a game; two successive games are a pair.
fn head(text: &mut String, game: u64, result: &str, plies: u64) {
    let pair = game / 2;
    let [one, other] = [pair % PLAYERS, (pair + 1 + pair / PLAYERS % (PLAYERS - 1)) % PLAYERS];
    let [white, black] = if game.is_multiple_of(2) {
        [one, other]
    } else {
        [other, one]
    };
    let fen = pair % 5000;
    let tags = write!(
        text,
        "[Event \"Match\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"{}\"]\n[White \"Agent {white}\"]\n\
         [Black \"Agent {black}\"]\n[Result \"{result}\"]\n[SetUp \"1\"]\n\
         [FEN \"r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/3P1N2/PPP2PPP/RNBQK2R w KQkq - 0 {fen}\"]\n\
         [GameDuration \"00:00:12\"]\n[PlyCount \"{plies}\"]\n[Termination \"normal\"]\n[TimeControl \"10+0.1\"]\n",
        pair + 1
    );
    tags.expect("a string takes everything");
}

fn movetext(text: &mut String, plies: u64, comments: Option<&str>, draws: &mut Draws) {
    let mut line = text.len();
    for ply in 0..plies {
        text.push(if text.len() > line + 60 { '\n' } else { ' ' });
        if text.ends_with('\n') {
            line = text.len();
        }
        let lot = draws.below(1 << 40);
        let san = MOVES[(lot % 12) as usize];
        let number = if ply.is_multiple_of(2) {
            format!("{}. ", ply / 2 + 1)
        } else {
            String::new()
        };
        let wrote = match comments {
            Some(more) => write!(
                text,
                "{number}{san} {{+{}.{:02}/{} 0.{:03}s{more}}}",
                lot % 7,
                lot % 100,
                lot % 31,
                lot % 1000
            ),
            None => write!(text, "{number}{san}"),
        };
        wrote.expect("a string takes everything");
    }
}
