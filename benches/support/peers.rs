//! Other match runners, measured beside swissmatch where an environment variable names their program.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    CChessCli,
    Fastchess,
    Cutechess,
}

/// Another runner.
pub(crate) struct Peer {
    pub(crate) kind: Kind,
    pub(crate) name: &'static str,
    program: PathBuf,
}

/// Two players that differ in their arguments alone.
pub(crate) struct Job<'a> {
    /// The engine's program, below the directory.
    pub(crate) engine: &'a str,
    /// Its arguments, for A and for B, separated by blanks.
    pub(crate) args: [String; 2],
    pub(crate) games: usize,
    /// An even number: games end there, drawn.
    pub(crate) plies: usize,
    pub(crate) at_once: usize,
}

/// Where [`Peer::command`] puts the games.
pub(crate) const PGN: &str = "peer.pgn";

impl Peer {
    /// Those whose variable is set; of the others it is said that they are not measured.
    pub(crate) fn found() -> Vec<Self> {
        let all = [
            (Kind::CChessCli, "c-chess-cli", "C_CHESS_CLI"),
            (Kind::Fastchess, "fastchess", "FASTCHESS"),
            (Kind::Cutechess, "cutechess-cli", "CUTECHESS"),
        ];
        let mut found = Vec::new();
        for (kind, name, variable) in all {
            match std::env::var_os(variable) {
                Some(program) => {
                    let program = PathBuf::from(program);
                    assert!(program.is_file(), "{variable}: {} is no file", program.display());
                    let program = program.canonicalize().expect("a path");
                    found.push(Self { kind, name, program });
                }
                None => println!("{name}: not measured ({variable} names no program)"),
            }
        }
        found
    }

    /// What plays the job in `dir`: clock 10+0.1, no openings, full comments.
    pub(crate) fn command(&self, dir: &Path, job: &Job<'_>) -> Command {
        let _ = std::fs::remove_file(dir.join(PGN));
        let mut command = Command::new(&self.program);
        command
            .current_dir(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let engine = dir.join(job.engine);
        let engine = engine.display();
        for (name, args) in ["A", "B"].into_iter().zip(&job.args) {
            command.arg("-engine").arg(format!("name={name}"));
            match self.kind {
                Kind::CChessCli => command.arg(format!("cmd={engine} {args}")),
                Kind::Fastchess => command.arg(format!("cmd={engine}")).arg(format!("args={args}")),
                // It runs engines elsewhere unless told.
                Kind::Cutechess => command
                    .arg(format!("cmd={engine}"))
                    .arg(format!("dir={}", dir.display()))
                    .args(args.split(' ').map(|arg| format!("arg={arg}"))),
            };
        }
        let (games, half, full_moves) = (
            job.games.to_string(),
            (job.games / 2).to_string(),
            (job.plies / 2).to_string(),
        );
        command.args(["-each", "tc=10+0.1"]);
        match self.kind {
            // It knows no longest game: the parrots' scores of 12 make it a draw two plies earlier.
            Kind::CChessCli => command.args(["-games", &games, "-pgn", PGN, "3"]).args([
                "-draw",
                &format!("number={full_moves}"),
                "count=1",
                "score=100",
            ]),
            Kind::Fastchess => command
                .args(["-rounds", &half, "-games", "2", "-maxmoves", &full_moves])
                .args(["-pgnout", &format!("file={PGN}")]),
            Kind::Cutechess => command
                .args(["proto=uci", "-rounds", &half, "-games", "2", "-maxmoves", &full_moves])
                .args(["-pgnout", PGN]),
        };
        command.args(["-concurrency", &job.at_once.to_string()]);
        command
    }
}

/// A game as a PGN file tells it.
pub(crate) struct Told {
    /// Whether player A had White.
    pub(crate) a_is_white: bool,
    /// The time of each commented move, in microseconds.
    pub(crate) times: Vec<f64>,
}

/// The games that a peer wrote.
pub(crate) fn games(dir: &Path) -> Vec<Told> {
    let text = std::fs::read_to_string(dir.join(PGN)).expect("a PGN file");
    let (mut games, mut in_tags) = (Vec::new(), false);
    for line in text.lines() {
        if line.starts_with('[') {
            if !in_tags {
                games.push(String::new());
            }
            in_tags = true;
        } else {
            in_tags &= line.trim().is_empty();
        }
        if let Some(game) = games.last_mut() {
            game.push_str(line);
            game.push(' ');
        }
    }
    let told = |game: String| Told {
        a_is_white: game.contains("[White \"A\"]"),
        times: game.split('{').skip(1).filter_map(time_of_comment).collect(),
    };
    games.into_iter().map(told).collect()
}

/// `+0.12/1 0.005s, Draw by adjudication}` or `12/1 5ms}`.
fn time_of_comment(comment: &str) -> Option<f64> {
    let comment = comment.split(['}', ',']).next()?;
    let time = comment.split_whitespace().nth(1)?;
    match time.strip_suffix("ms") {
        Some(milliseconds) => Some(milliseconds.parse::<f64>().ok()? * 1e3),
        None => Some(time.strip_suffix('s')?.parse::<f64>().ok()? * 1e6),
    }
}
