//! Opening suites: from their text to a list of checked [`Opening`]s.
//!
//! Three formats are read: EPD, one FEN per line, and PGN. Whatever the format, an opening that comes out of
//! [`parse_suite`] starts from a legal position of standard chess, has only legal moves, and has not ended on the way.
//!
//! This module may not open files, read clocks, talk to agents, or choose which opening a game gets: it works on text
//! that its caller has read, and gives the openings in the order of that text.

use std::collections::HashMap;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::san::{SanError, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use thiserror::Error;

mod epd;
mod pgn;
mod stored;

/// The suite that comes with the program, as text in [`BUNDLED_FORMAT`].
pub const BUNDLED: &str = include_str!("../../../configs/openings.pgn");

/// The format of [`BUNDLED`].
pub const BUNDLED_FORMAT: SuiteFormat = SuiteFormat::Pgn;

/// The longest [`Opening::name`], in characters.
const NAME_CHARS: usize = 80;

/// The halfmove clock, in plies, at which a player may claim a draw (fifty moves each).
const FIFTY_MOVES_PLIES: u32 = 100;

/// How often a position must have occurred for a player to claim a draw.
const REPETITIONS: u32 = 3;

/// One opening: where a game starts and what has been played before the agents take over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The start position as a FEN of six fields, `None` for the usual start position of chess.
    ///
    /// The en passant field is filled only where such a capture is legal.
    pub fen: Option<String>,
    /// The moves played from the start position, castling in standard notation (`e1g1`); may be empty.
    pub moves: Vec<UciMove>,
    /// A name for people: one line without control characters, 1 to 80 characters.
    ///
    /// Where the suite gives none, it is the line of the suite that the opening is on, like `line 12`.
    pub name: String,
}

/// How the text of a suite is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SuiteFormat {
    /// One position per line: four FEN fields, then operations; `id`, `hmvc` and `fmvn` are used.
    ///
    /// The two counters of a FEN are taken in front of the operations, since many suites have them there.
    Epd,
    /// One position per line: four or six FEN fields.
    Fen,
    /// Games in PGN, each from the usual start position or from that of its `FEN` tag.
    Pgn,
}

impl SuiteFormat {
    /// The format that a file name's `extension` (no dot, upper or lower case) stands for; `None` if it is not known.
    #[must_use]
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "epd" => Some(Self::Epd),
            "fen" => Some(Self::Fen),
            "pgn" => Some(Self::Pgn),
            _ => None,
        }
    }
}

/// Why a suite is refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct SuiteError {
    /// The line of the suite, from 1. For PGN the line that the game starts on, for an empty suite the last line.
    pub line: usize,
    /// What is wrong there.
    pub kind: SuiteErrorKind,
}

/// What is wrong with a suite.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SuiteErrorKind {
    /// There is no opening in the text.
    #[error("the suite has no openings; expected at least one")]
    Empty,
    /// A line has another number of fields than its format asks for.
    #[error("{found} fields; expected {expected}")]
    Fields {
        /// The number of fields found.
        found: usize,
        /// The numbers of fields that the format allows.
        expected: &'static str,
    },
    /// A position cannot be read.
    #[error("{0}; expected board, side to move, castling rights, en passant square and, if any, two counters")]
    Fen(ParseFenError),
    /// A position has the pockets or check counters of another variant.
    #[error("the position belongs to another variant of chess; expected standard chess")]
    Variant,
    /// A position has castling rights that only Chess960 has.
    #[error(
        "the castling rights exist only in Chess960; expected standard chess, with kings on e1/e8 and rooks on a/h"
    )]
    Chess960,
    /// A position breaks the rules of chess. The text says which.
    #[error("{0}; expected a legal position of standard chess")]
    Position(String),
    /// An operation of an EPD line cannot be read.
    #[error("cannot read the operation `{operation}`; expected {expected}")]
    Operation {
        /// The start of the operation.
        operation: String,
        /// What it should look like.
        expected: &'static str,
    },
    /// A game breaks PGN in a way that cannot be read past. The text says how.
    #[error("cannot read the game that starts here: {0}; expected PGN")]
    Pgn(String),
    /// Something among a game's moves is neither a move nor an annotation.
    #[error("cannot read `{0}` in the game that starts here; expected a move in standard algebraic notation")]
    Move(String),
    /// A game's move is not legal where it is played, or fits several legal moves.
    #[error("move {san} (ply {ply} of the game that starts here) is {problem}; expected one legal move")]
    Illegal {
        /// The move as the game has it.
        san: String,
        /// The number of the move, from 1, both sides counted.
        ply: usize,
        /// `illegal` or `ambiguous`.
        problem: &'static str,
    },
    /// A game has neither moves nor a start position.
    #[error("the game that starts here has no moves; expected moves or a FEN tag")]
    NoMoves,
    /// The opening has ended, so there is nothing left to play.
    #[error("the game is over after {plies} plies by {reason}; expected a position in which play goes on")]
    Ended {
        /// The number of plies after which it has ended.
        plies: usize,
        /// The rule that ended it.
        reason: &'static str,
    },
}

/// Reads all openings of a suite, in the order of the text.
///
/// `plies` is the most that is taken of each PGN game (`None`: all of it); shorter games are taken whole, and what
/// follows the limit is not checked. The other formats have no moves, so it does not matter to them. CRLF line ends, a
/// byte order mark and blanks at line ends are fine. In EPD and FEN, blank lines and lines that start with `#` are
/// skipped. Openings that occur twice come out twice.
///
/// An opening counts as over by mate, stalemate, lack of material to mate with, threefold repetition and the
/// fifty-move rule. Dead positions with enough material, such as locked pawn chains, are not recognised.
///
/// # Errors
///
/// The first opening that cannot be read, is not legal, is not standard chess, or is over; or that there are none.
pub fn parse_suite(text: &str, format: SuiteFormat, plies: Option<u32>) -> Result<Vec<Opening>, SuiteError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let openings = match format {
        SuiteFormat::Epd => epd::parse_lines(text, epd::parse_epd)?,
        SuiteFormat::Fen => epd::parse_lines(text, epd::parse_fen)?,
        SuiteFormat::Pgn => {
            let plies = plies.map_or(usize::MAX, |plies| usize::try_from(plies).unwrap_or(usize::MAX));
            pgn::parse_games(text, plies)?
        }
    };
    if openings.is_empty() {
        let line = text.lines().count().max(1);
        return Err(SuiteError {
            line,
            kind: SuiteErrorKind::Empty,
        });
    }
    Ok(openings)
}

/// An opening while its moves are played.
struct Replay {
    start: Chess,
    position: Chess,
    moves: Vec<UciMove>,
    /// How often each position has occurred.
    seen: HashMap<Zobrist64, u32>,
}

impl Replay {
    /// Starts from the position `fen`, which has four to six fields, or from the usual one.
    fn new(fen: Option<&str>) -> Result<Self, SuiteErrorKind> {
        let start = fen.map_or_else(|| Ok(Chess::default()), standard_position)?;
        let mut replay = Self {
            position: start.clone(),
            start,
            moves: Vec::new(),
            seen: HashMap::new(),
        };
        replay.check_not_over()?;
        Ok(replay)
    }

    /// Plays one more move, which must be legal and leave something to play.
    fn play(&mut self, san: SanPlus) -> Result<(), SuiteErrorKind> {
        let chess_move = san
            .san
            .to_move(&self.position)
            .map_err(|error| SuiteErrorKind::Illegal {
                san: san.to_string(),
                ply: self.moves.len() + 1,
                problem: match error {
                    SanError::IllegalSan => "illegal",
                    SanError::AmbiguousSan => "ambiguous",
                },
            })?;
        self.position.play_unchecked(chess_move);
        self.moves.push(UciMove::from_standard(chess_move));
        self.check_not_over()
    }

    /// Counts the position reached and refuses it if the game is over there.
    fn check_not_over(&mut self) -> Result<(), SuiteErrorKind> {
        let times = self
            .seen
            .entry(self.position.zobrist_hash(EnPassantMode::Legal))
            .or_default();
        *times += 1;
        let reason = if self.position.is_checkmate() {
            "checkmate"
        } else if self.position.is_stalemate() {
            "stalemate"
        } else if self.position.is_insufficient_material() {
            "lack of material to mate with"
        } else if *times >= REPETITIONS {
            "threefold repetition"
        } else if self.position.halfmoves() >= FIFTY_MOVES_PLIES {
            "the fifty-move rule"
        } else {
            return Ok(());
        };
        Err(SuiteErrorKind::Ended {
            plies: self.moves.len(),
            reason,
        })
    }

    /// The opening played so far, under the first of `names` that has anything to show, else under its line.
    fn finish(self, names: &[&str], line: usize) -> Opening {
        let name = names.iter().map(|name| one_line(name)).find(|name| !name.is_empty());
        let fen = |position: &Chess| Fen::from_position(position, EnPassantMode::Legal).to_string();
        let start = fen(&self.start);
        Opening {
            fen: (start != fen(&Chess::default())).then_some(start),
            moves: self.moves,
            name: name.unwrap_or_else(|| format!("line {line}")),
        }
    }
}

/// The position of a FEN, if it is one of standard chess.
fn standard_position(fen: &str) -> Result<Chess, SuiteErrorKind> {
    let fen = Fen::from_ascii(fen.as_bytes()).map_err(SuiteErrorKind::Fen)?;
    if fen.as_setup().pockets.is_some() || fen.as_setup().remaining_checks.is_some() {
        return Err(SuiteErrorKind::Variant);
    }
    fen.clone().into_position(CastlingMode::Standard).map_err(|error| {
        // Told apart, because the cure differs: such a position is sound, but not one of this game.
        if fen.into_position::<Chess>(CastlingMode::Chess960).is_ok() {
            SuiteErrorKind::Chess960
        } else {
            SuiteErrorKind::Position(error.to_string())
        }
    })
}

/// `text` as one line that is safe to print: blanks joined, control characters dropped, 80 characters at most.
fn one_line(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect();
    words
        .join(" ")
        .chars()
        .take(NAME_CHARS)
        .collect::<String>()
        .trim_end()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const FORMATS: [SuiteFormat; 3] = [SuiteFormat::Epd, SuiteFormat::Fen, SuiteFormat::Pgn];

    #[test]
    fn extensions() {
        assert_eq!(SuiteFormat::from_extension("EPD"), Some(SuiteFormat::Epd));
        assert_eq!(SuiteFormat::from_extension("fen"), Some(SuiteFormat::Fen));
        assert_eq!(SuiteFormat::from_extension("Pgn"), Some(SuiteFormat::Pgn));
        assert_eq!(SuiteFormat::from_extension("txt"), None);
    }

    #[test]
    fn empty_suites_are_refused() {
        for text in ["", "\u{feff}", "\r\n \n", "\n\n\n"] {
            for format in FORMATS {
                let error = parse_suite(text, format, None).unwrap_err();
                assert_eq!(error.kind, SuiteErrorKind::Empty, "{text:?} as {format:?}");
                assert_eq!(error.line, text.matches('\n').count().max(1));
            }
        }
        let error = parse_suite("# nothing\n\n", SuiteFormat::Fen, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: the suite has no openings; expected at least one"
        );
    }

    #[test]
    fn names_are_one_short_line() {
        assert_eq!(one_line(" a\u{1b}[31m\tb\r\n\u{2028}c "), "a [31m b c");
        assert_eq!(one_line(&"ä".repeat(200)).chars().count(), NAME_CHARS);
        assert_eq!(one_line("\u{7}"), "");
    }

    /// Pieces of all three formats, so that inputs get past the first check more often than arbitrary text does.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "\n",
            "\r\n",
            "\n\n",
            " ",
            "\u{feff}",
            "%",
            ";",
            "{",
            "}",
            "(",
            ")",
            "$",
            "1",
            "0-0",
            "1-0",
            "*",
            "!?",
            "\"",
            "\\",
            "#",
            "[",
            "]",
            "[FEN \"",
            "\"]",
            "[Opening \"x\"]\n",
            "id \"",
            "hmvc 3;",
            "fmvn 0;",
            "e4",
            "e5",
            "Nf3",
            "O-O",
            "e8=Q#",
            "N@f3",
            "--",
            "½-½",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
            "w",
            "b",
            "KQkq",
            "HAha",
            "-",
            "e3",
            "0 1",
            "4294967295",
            "4k3/8/8/8/8/8/4P3/4K3",
            "3+3",
            "é",
            "\u{0}",
        ]);
        prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 512, ..ProptestConfig::default() })]

        #[test]
        fn any_text_gives_a_result(text in prop_oneof![any::<String>(), pieces()], plies in any::<Option<u32>>()) {
            for format in FORMATS {
                match parse_suite(&text, format, plies) {
                    Ok(openings) => for opening in openings {
                        prop_assert!((1..=NAME_CHARS).contains(&opening.name.chars().count()));
                        prop_assert!(!opening.name.chars().any(char::is_control));
                        prop_assert!(plies.is_none_or(|plies| opening.moves.len() <= plies as usize));
                    },
                    Err(error) => prop_assert!((1..=text.lines().count().max(1)).contains(&error.line)),
                }
            }
        }
    }
}
