//! The bundled opening suite: that it is well-formed, and, on request, that it is balanced.
//!
//! The second check takes about a minute and needs Stockfish: `make openings-check` runs it and shows the value of each opening.

#![expect(
    clippy::disallowed_methods,
    reason = "this test stands outside the program: it runs Stockfish itself"
)]

use std::collections::{HashMap, HashSet};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Position, Role};
use swissmatch::game::opening::{BUNDLED, BUNDLED_FORMAT, Opening, parse_suite};
use swissmatch::game::variant::Variant;

/// The fewest openings that the suite may have.
const MIN_OPENINGS: usize = 100;

/// The plies that an opening of the suite may have.
const PLIES: std::ops::RangeInclusive<usize> = 6..=10;

/// The largest difference in material, in pawns: a gambit, but no piece that is still to be taken back.
const MAX_MATERIAL: i32 = 1;

/// The depth of the search, in plies.
const DEPTH: u32 = 16;

/// The largest value, in centipawns for either side, of a balanced opening.
const MAX_CENTIPAWNS: i32 = 70;

fn bundled() -> Vec<Opening> {
    let suite = parse_suite(BUNDLED.as_bytes(), BUNDLED_FORMAT, Variant::Standard, None);
    suite.expect("the bundled suite parses").iter().collect()
}

fn start_position(opening: &Opening) -> Chess {
    opening.fen.as_ref().map_or_else(Chess::default, |fen| {
        let fen: Fen = fen.parse().expect("a parsed opening has a FEN");
        fen.into_position(CastlingMode::Standard)
            .expect("a parsed opening starts from a legal position")
    })
}

fn final_position(opening: &Opening) -> Chess {
    opening.moves.iter().fold(start_position(opening), |position, uci| {
        let chess_move = uci.to_move(&position).expect("a parsed opening has legal moves");
        position.play(chess_move).expect("a parsed opening has legal moves")
    })
}

#[test]
fn bundled_suite_is_well_formed() {
    let openings = bundled();
    assert!(openings.len() >= MIN_OPENINGS, "only {} openings", openings.len());

    let mut names = HashSet::new();
    let mut positions = HashMap::new();
    for opening in &openings {
        let name = &opening.name;
        assert!(
            PLIES.contains(&opening.moves.len()),
            "{name}: {} plies",
            opening.moves.len()
        );
        // A name made up from the line would mean that the suite has none.
        assert!(!name.starts_with("line "), "the opening on {name} has no name");
        assert!(names.insert(name), "two openings are named {name}");

        let position = final_position(opening);
        let other_to_move = position
            .clone()
            .swap_turn()
            .unwrap_or_else(|_| panic!("{name} ends in check"));
        assert!(
            !other_to_move.legal_moves().is_empty(),
            "{name}: the side that has moved could not move again"
        );
        let difference = (material(&position, Color::White) - material(&position, Color::Black)).abs();
        assert!(difference <= MAX_MATERIAL, "{name} ends in the middle of an exchange");
        if let Some(other) = positions.insert(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal), name) {
            panic!("{name} and {other} end in the same position");
        }
    }
}

/// The material of a side, in pawns, by the usual 1, 3, 3, 5 and 9.
fn material(position: &Chess, color: Color) -> i32 {
    let worth = [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    worth
        .iter()
        .map(|&(role, pawns)| {
            position
                .board()
                .by_piece(role.of(color))
                .into_iter()
                .map(|_| pawns)
                .sum::<i32>()
        })
        .sum()
}

#[test]
#[ignore = "takes a minute: make openings-check"]
fn bundled_suite_is_balanced() {
    let mut stockfish = Stockfish::start(&stockfish_path());
    println!("{}, depth {DEPTH}", stockfish.name);

    let values: Vec<(String, Option<i32>)> = bundled()
        .into_iter()
        .map(|opening| {
            let value = stockfish.evaluate(&opening);
            println!("{value:?}\t{}", opening.name);
            (opening.name, value)
        })
        .collect();
    let worst = values
        .iter()
        .filter_map(|(_, value)| *value)
        .max_by_key(|value| value.abs());
    println!("{} openings, worst value {worst:?}", values.len());

    let balanced = |value: Option<i32>| value.is_some_and(|value| value.abs() <= MAX_CENTIPAWNS);
    let unbalanced: Vec<_> = values.iter().filter(|(_, value)| !balanced(*value)).collect();
    assert!(
        unbalanced.is_empty(),
        "beyond {MAX_CENTIPAWNS} centipawns: {unbalanced:#?}"
    );
}

/// Stockfish from `PATH`, or from where Debian puts games, which is often not on it.
fn stockfish_path() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|directory| directory.join("stockfish"))
        .find(|file| file.is_file())
        .expect("stockfish in PATH or /usr/games")
}

/// A running Stockfish, ended when dropped.
struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    name: String,
}

impl Stockfish {
    fn start(path: &Path) -> Self {
        let mut process = Command::new(path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("stockfish starts");
        let input = process.stdin.take().expect("standard input is piped");
        let output = BufReader::new(process.stdout.take().expect("standard output is piped"));
        let mut stockfish = Self {
            process,
            input,
            output,
            name: String::new(),
        };
        stockfish.send("uci");
        let greeting = stockfish.read_until("uciok");
        let name = greeting.iter().find_map(|line| line.strip_prefix("id name "));
        name.expect("stockfish names itself").clone_into(&mut stockfish.name);
        stockfish.send("setoption name Threads value 1");
        stockfish.send("setoption name Hash value 64");
        stockfish
    }

    fn send(&mut self, command: &str) {
        writeln!(self.input, "{command}").expect("stockfish reads its input");
        self.input.flush().expect("stockfish reads its input");
    }

    /// Reads lines up to the one that begins with the word `last`, that one included.
    fn read_until(&mut self, last: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let bytes = self.output.read_line(&mut line).expect("stockfish writes text");
            assert_ne!(bytes, 0, "stockfish ended before it said {last}");
            let found = line.split_whitespace().next() == Some(last);
            lines.push(line.trim_end().to_owned());
            if found {
                return lines;
            }
        }
    }

    /// The value of an opening's final position for White, in centipawns; `None` for a forced mate.
    fn evaluate(&mut self, opening: &Opening) -> Option<i32> {
        let start = opening
            .fen
            .as_ref()
            .map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
        let moves: Vec<String> = opening.moves.iter().map(ToString::to_string).collect();
        // What earlier searches left behind must not make the value depend on the order of the suite.
        self.send("ucinewgame");
        self.send("isready");
        self.read_until("readyok");
        self.send(&format!("position {start} moves {}", moves.join(" ")));
        self.send(&format!("go depth {DEPTH}"));
        let search = self.read_until("bestmove");

        let last = search
            .iter()
            .rev()
            .find_map(|line| line.split_once(" score "))
            .expect("a search gives a score")
            .1;
        let value: i32 = last
            .strip_prefix("cp ")?
            .split(' ')
            .next()?
            .parse()
            .expect("a score is a whole number");
        Some(if final_position(opening).turn() == Color::White {
            value
        } else {
            -value
        })
    }
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Either may fail only because the process has ended, which is what they are for.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
