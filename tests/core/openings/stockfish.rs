//! Stockfish, asked for the value of positions. One thread, 64 MB of hash, a new game before each position: with the same version
//! the same values.

use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};

/// Stockfish from `PATH`, or from where Debian puts games, which is often not on it.
fn path() -> PathBuf {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|directory| directory.join("stockfish"))
        .find(|file| file.is_file())
        .expect("stockfish in PATH or /usr/games")
}

/// A running Stockfish, ended when dropped.
pub(super) struct Stockfish {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What it calls itself, with its version.
    pub(super) name: String,
}

impl Stockfish {
    pub(super) fn start() -> Self {
        let mut process = Command::new(path())
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

    /// The lines of a search to `depth` after `moves` from the usual start position, with the values of the best `variations` moves.
    fn search(&mut self, moves: &[UciMove], depth: u32, variations: usize) -> Vec<String> {
        let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        self.send(&format!("setoption name MultiPV value {variations}"));
        // What earlier searches left behind must not make the value depend on the order of positions.
        self.send("ucinewgame");
        self.send("isready");
        self.read_until("readyok");
        self.send(&format!("position startpos moves {}", moves.join(" ")));
        self.send(&format!("go depth {depth}"));
        self.read_until("bestmove")
    }

    /// The value for White, in centipawns, of the position after `moves`; `None` for a forced mate.
    pub(super) fn value(&mut self, moves: &[UciMove], position: &Chess, depth: u32) -> Option<i32> {
        let search = self.search(moves, depth, 1);
        let last = search.iter().rev().find_map(|line| line.split_once(" score "));
        of_white(last.expect("a search gives a score").1, position)
    }

    /// The same after each legal move of `position`, which is the one after `moves`.
    pub(super) fn values(&mut self, moves: &[UciMove], position: &Chess, depth: u32) -> Vec<(UciMove, i32)> {
        let search = self.search(moves, depth, position.legal_moves().len());
        let depth = format!("info depth {depth} ");
        let of_line = |line: &String| {
            let (_, score) = line.strip_prefix(&depth)?.split_once(" score ")?;
            let (_, line) = score.split_once(" pv ")?;
            let first = line.split(' ').next()?.parse().expect("a move");
            Some((first, of_white(score, position)?))
        };
        search.iter().filter_map(of_line).collect()
    }
}

/// What follows the word `score`, as the value for White.
fn of_white(score: &str, position: &Chess) -> Option<i32> {
    let value = score.strip_prefix("cp ")?.split(' ').next()?;
    let value: i32 = value.parse().expect("a score is a whole number");
    Some(match position.turn() {
        Color::White => value,
        Color::Black => -value,
    })
}

impl Drop for Stockfish {
    fn drop(&mut self) {
        // Either may fail only because the process has ended, which is what they are for.
        _ = self.process.kill();
        _ = self.process.wait();
    }
}
