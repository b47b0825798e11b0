//! The half of UCI that agents hear: commands and the limits of a `go`.

use std::io::{self, BufRead, Write};

/// One command from the runner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`
    Uci,
    /// `isready`
    IsReady,
    /// `ucinewgame`
    NewGame,
    /// `setoption name NAME value VALUE`
    SetOption {
        /// The name as it was sent.
        name: String,
        /// The value, empty if there was none.
        value: String,
    },
    /// `position ...`
    Position(PositionText),
    /// `go ...`
    Go(Limits),
    /// `stop`
    Stop,
    /// `ponderhit`
    PonderHit,
    /// `quit`
    Quit,
    /// Anything else; UCI wants it ignored.
    Unknown,
}

/// The words of a `position` command, not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionText {
    /// The FEN, or `None` for `startpos`.
    pub fen: Option<String>,
    /// The moves that follow.
    pub moves: Vec<String>,
}

/// The limits of a `go` command. Times are in milliseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// White's clock; runners may send a negative one.
    pub wtime: Option<i64>,
    /// Black's clock.
    pub btime: Option<i64>,
    /// White's increment.
    pub winc: i64,
    /// Black's increment.
    pub binc: i64,
    /// Moves until the next time control.
    pub moves_to_go: Option<i64>,
    /// Time for this move.
    pub move_time: Option<i64>,
    /// Nodes to search, exactly.
    pub nodes: Option<u64>,
    /// Depth to search.
    pub depth: Option<i32>,
    /// Only `stop` ends the search.
    pub infinite: bool,
    /// The only root moves to consider; empty for all.
    pub search_moves: Vec<String>,
}

impl Command {
    /// Reads one line.
    pub fn parse(line: &str) -> Self {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("uci") => Self::Uci,
            Some("isready") => Self::IsReady,
            Some("ucinewgame") => Self::NewGame,
            Some("setoption") => parse_option(words),
            Some("position") => Self::Position(parse_position(words)),
            Some("go") => Self::Go(parse_limits(words)),
            Some("stop") => Self::Stop,
            Some("ponderhit") => Self::PonderHit,
            Some("quit") => Self::Quit,
            _ => Self::Unknown,
        }
    }
}

fn parse_option<'a>(words: impl Iterator<Item = &'a str>) -> Command {
    let words: Vec<&str> = words.skip_while(|word| *word == "name").collect();
    // A name may hold spaces, so only the word `value` ends it.
    let split = words.iter().position(|word| *word == "value").unwrap_or(words.len());
    Command::SetOption {
        name: words[..split].join(" "),
        value: words.get(split + 1..).map(|value| value.join(" ")).unwrap_or_default(),
    }
}

fn parse_position<'a>(words: impl Iterator<Item = &'a str>) -> PositionText {
    let words: Vec<&str> = words.collect();
    let split = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let fen = match words[..split].split_first() {
        Some((&"fen", fen)) => Some(fen.join(" ")),
        _ => None,
    };
    let moves = words
        .get(split + 1..)
        .unwrap_or_default()
        .iter()
        .map(ToString::to_string)
        .collect();
    PositionText { fen, moves }
}

fn parse_limits<'a>(words: impl Iterator<Item = &'a str>) -> Limits {
    let mut limits = Limits::default();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        match word {
            "infinite" | "ponder" => limits.infinite = true,
            "searchmoves" => {
                while let Some(mv) = words.next_if(|word| looks_like_move(word)) {
                    limits.search_moves.push(mv.to_owned());
                }
            }
            "wtime" => limits.wtime = number(words.next()),
            "btime" => limits.btime = number(words.next()),
            "winc" => limits.winc = number(words.next()).unwrap_or(0),
            "binc" => limits.binc = number(words.next()).unwrap_or(0),
            "movestogo" => limits.moves_to_go = number(words.next()),
            "movetime" => limits.move_time = number(words.next()),
            "nodes" => limits.nodes = number(words.next()),
            "depth" => limits.depth = number(words.next()),
            _ => {}
        }
    }
    limits
}

fn number<T: std::str::FromStr>(word: Option<&str>) -> Option<T> {
    word?.parse().ok()
}

fn looks_like_move(word: &str) -> bool {
    matches!(word.len(), 4 | 5) && word.as_bytes()[1].is_ascii_digit()
}

/// Reads commands until the end of the input. Bytes that are no UTF-8 are
/// replaced, because a strange file name in an option must not end an agent.
pub fn commands(mut input: impl BufRead) -> impl Iterator<Item = Command> {
    std::iter::from_fn(move || {
        let mut line = Vec::new();
        match input.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(Command::parse(&String::from_utf8_lossy(&line))),
        }
    })
}

/// Writes one line to the runner at once.
///
/// A write that fails is not reported: it means that the runner has gone, and
/// then the end of the input is about to end the agent anyway.
pub fn say(line: &str) {
    let mut out = io::stdout().lock();
    let _gone = writeln!(out, "{line}").and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_keep_spaces() {
        assert_eq!(
            Command::parse("setoption name Clear My Hash value a b"),
            Command::SetOption {
                name: "Clear My Hash".into(),
                value: "a b".into()
            }
        );
    }

    #[test]
    fn position_and_limits() {
        assert_eq!(
            Command::parse("position fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a2a3 h7h5"),
            Command::Position(PositionText {
                fen: Some("8/8/8/8/8/8/8/8 w - - 0 1".into()),
                moves: vec!["a2a3".into(), "h7h5".into()],
            })
        );
        let Command::Go(limits) = Command::parse("go searchmoves e2e4 d2d4 wtime -5 nodes 7") else {
            panic!("not a go");
        };
        assert_eq!(limits.search_moves, ["e2e4", "d2d4"]);
        assert_eq!(limits.wtime, Some(-5));
        assert_eq!(limits.nodes, Some(7));
    }
}
