//! Opening suites: from their text to a list of checked [`Opening`]s.
//!
//! Four formats are read: EPD, one FEN per line, PGN, and Polyglot's books. Whatever the format, an opening that comes out
//! of [`parse_suite`] starts from a legal position of its variant, has only legal moves, and has not ended on the way.
//!
//! May not: open files, read clocks, talk to agents, or choose which opening a game gets. It works on bytes that its caller
//! has read, and gives the openings in their order.

use shakmaty::Chess;
use shakmaty::fen::ParseFenError;
use shakmaty::uci::UciMove;
use swiss_system::count;
use thiserror::Error;

use super::Side;
use super::uci;
use super::variant::Variant;

pub mod chess960;
mod epd;
mod pgn;
mod polyglot;
mod replay;
mod stored;
mod suite;

use suite::Builder;
pub use suite::{OpeningSuite, Repeats};

/// The suite that comes with the program, as text in [`BUNDLED_FORMAT`].
pub const BUNDLED: &str = include_str!("../../../../configs/openings.pgn");

/// The other suite that comes with the program, in which one side is ahead, as text in [`BUNDLED_FORMAT`].
pub const UNBALANCED: &str = include_str!("../../../../configs/unbalanced.pgn");

pub const BUNDLED_FORMAT: SuiteFormat = SuiteFormat::Pgn;

/// The ending of the name of a file packed by gzip.
const PACKED: &str = ".gz";

/// The longest [`Opening::name`], in characters.
const NAME_CHARS: usize = 80;

/// One opening: where a game starts and what has been played before the agents take over.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Opening {
    /// The start position as a FEN of six fields, `None` for the usual start position of chess.
    ///
    /// The en passant field is filled only where such a capture is legal.
    pub fen: Option<String>,
    /// The moves played from the start position, castling as the variant writes it; may be empty.
    pub moves: Vec<UciMove>,
    /// A name for people: one line without control characters, 1 to 80 characters.
    ///
    /// Where the suite gives none, it is the line of the suite that the opening is on, like `line 12`.
    pub name: String,
    pub variant: Variant,
}

impl Opening {
    /// The start position of chess, with nothing played.
    pub fn start(variant: Variant) -> Self {
        Self {
            fen: None,
            moves: Vec::new(),
            name: "start position".to_owned(),
            variant,
        }
    }

    /// The name, if the suite gave one; a line of the suite is not a name.
    pub fn given_name(&self) -> Option<&str> {
        Some(self.name.as_str()).filter(|name| !name.is_empty() && !is_place(name))
    }

    /// The moves in UCI notation, separated by blanks.
    pub fn moves_text(&self) -> String {
        moves_text(&self.moves)
    }

    /// The side to move after the opening.
    pub fn turn(&self) -> Side {
        let black_began = self.fen.as_deref().and_then(|fen| fen.split(' ').nth(1)) == Some("b");
        match black_began == self.moves.len().is_multiple_of(2) {
            true => Side::Black,
            false => Side::White,
        }
    }

    /// Plies from the beginning of the game to the end of the opening: those before its position, by the position's
    /// move number and side to move, and its moves.
    pub fn plies(&self) -> u32 {
        let fields = self.fen.as_deref().unwrap_or_default().split(' ').collect::<Vec<_>>();
        let moves_before = fields
            .get(5)
            .and_then(|number| number.parse::<u32>().ok())
            .unwrap_or(1)
            .saturating_sub(1);
        let of_moves = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        let of_black = u32::from(fields.get(1) == Some(&"b"));
        moves_before
            .saturating_mul(2)
            .saturating_add(of_black)
            .saturating_add(of_moves)
    }

    ///
    /// # Errors
    /// When the FEN is not of the variant.
    pub fn start_position(&self) -> Result<Chess, OpeningError> {
        match &self.fen {
            None => Ok(Chess::default()),
            Some(fen) => self
                .variant
                .position(fen)
                .ok_or_else(|| OpeningError::Position(uci::kept(fen.as_bytes()))),
        }
    }

    /// The FEN of that position, even if it is the usual one.
    pub fn start_fen(&self) -> String {
        let fen = self.fen.clone();
        fen.unwrap_or_else(|| self.variant.fen(&Chess::default()))
    }
}

fn moves_text(moves: &[UciMove]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Why an opening cannot start a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The FEN cannot be read, or its position is impossible.
    #[error("`{0}` is not a legal position")]
    Position(String),
    /// A move of the line is not legal.
    #[error("`{0}` is not a legal move of the opening")]
    Move(String),
}

/// How the bytes of a suite are to be read.
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
    /// A Polyglot book; its openings are its lines up to a number of plies, in the order that docs/openings.md gives.
    Polyglot,
}

impl SuiteFormat {
    /// The format of a file, by the ending of its name (upper or lower case, perhaps with `.gz` after it); `None` if
    /// the ending is not known.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        Some(match name.strip_suffix(PACKED).unwrap_or(&name).rsplit_once('.')?.1 {
            "epd" => Self::Epd,
            "fen" => Self::Fen,
            "pgn" => Self::Pgn,
            "bin" => Self::Polyglot,
            _ => return None,
        })
    }

    /// True if a file of that name is packed by gzip.
    pub fn is_packed(name: &str) -> bool {
        name.to_ascii_lowercase().ends_with(PACKED)
    }
}

/// Why a suite is refused, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{}{kind}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct SuiteError {
    /// The line of the suite, from 1. For PGN it is the line on which the game starts, for an empty suite the last
    /// line; a book has none.
    pub line: Option<usize>,
    pub kind: SuiteLineError,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SuiteLineError {
    #[error("the suite has no openings; expected at least one")]
    Empty,
    /// The bytes are not text in UTF-8.
    #[error("the text is not in UTF-8; expected EPD, FEN or PGN in UTF-8 or ASCII")]
    NotText,
    /// A line does not have the number of fields that its format asks for.
    #[error("{found} fields; expected {expected}")]
    Fields {
        /// Fields in the line.
        found: usize,
        expected: &'static str,
    },
    /// A position cannot be read.
    #[error("{0}; expected board, side to move, castling rights, en passant square and, if any, two counters")]
    Fen(ParseFenError),
    /// A position has the pockets or check counters of another variant.
    #[error("the position belongs to another variant of chess; expected standard chess or Chess960")]
    Variant,
    /// A position has castling rights that only Chess960 has.
    #[error(
        "the castling rights exist only in Chess960; expected standard chess, with kings on e1/e8 and rooks on a/h \
         (game.variant = \"chess960\" plays Chess960)"
    )]
    Chess960,
    /// A game says that it is of another variant.
    #[error(
        "the game that starts here is one of {}; expected standard chess or Chess960{}",
        one_line(.0),
        if is_chess960(.0) { " (game.variant = \"chess960\" plays Chess960)" } else { "" }
    )]
    OtherVariant(String),
    /// A position breaks the rules of chess. The text says which.
    #[error("{0}; expected a legal position")]
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
        /// The number of the move in plies, from 1.
        ply: usize,
        /// `illegal` or `ambiguous`.
        problem: &'static str,
    },
    /// A book was to be read without a number of plies.
    #[error(
        "a Polyglot book is a tree of moves; say how many plies an opening takes from it: mini_match.opening_plies = 8"
    )]
    BookPlies,
    /// The length of a book is not that of whole entries.
    #[error("the book has {0} bytes; expected entries of 16 bytes each, as Polyglot writes them")]
    BookLength(usize),
    /// A move of a book is not legal.
    #[error("the book has the move {mv}{}, which is not legal there", match after.as_str() {
        "" => " in the start position".to_owned(),
        after => format!(" after {after}"),
    })]
    BookMove {
        /// The move as the book has it.
        mv: String,
        /// The line that leads to the position.
        after: String,
    },
    #[error("within mini_match.opening_plies the book has more than {0} positions; expected fewer plies")]
    BookTooLarge(usize),
    /// The opening has ended, so there is nothing left to play.
    #[error("the game is over after {} by {reason}; expected a position in which play goes on", count::of(*plies, "ply", "plies"))]
    Ended {
        /// Plies until the end.
        plies: usize,
        reason: &'static str,
    },
}

impl SuiteLineError {
    /// An error without a line.
    fn nowhere(self) -> SuiteError {
        SuiteError { line: None, kind: self }
    }
}

/// True if a name only says on which line of a suite an opening is, as openings without a name are called.
pub(crate) fn is_place(name: &str) -> bool {
    let number = name.strip_prefix("line ");
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a PGN tag `Variant` means Chess960.
fn is_chess960(tag: &str) -> bool {
    let letters = tag.chars().filter(char::is_ascii_alphanumeric);
    let word = letters.collect::<String>().to_ascii_lowercase();
    matches!(word.as_str(), "chess960" | "fischerandom" | "fischerrandom" | "960")
}

/// Reads all openings of a suite, in the order of its bytes.
///
/// `plies` is the most that is taken from each PGN game (`None` takes all of it) or line of a book (which needs a
/// number). Shorter ones are taken whole, and what follows the limit is not checked. EPD and FEN have no moves, so it
/// does not matter to them. CRLF line ends, a byte order mark and blanks at line ends are fine. In EPD and FEN, blank
/// lines and lines that start with `#` are skipped. Openings that occur twice come out twice, except those of a book.
///
/// An opening counts as over by mate, stalemate, lack of material to mate with, threefold repetition and the
/// fifty-move rule. Dead positions with enough material, such as locked pawn chains, are not recognised.
///
/// # Errors
///
/// The first opening that cannot be read, is not legal, is not of the variant, or is over; or that there are none.
pub fn parse_suite(
    bytes: &[u8],
    format: SuiteFormat,
    variant: Variant,
    plies: Option<u32>,
) -> Result<OpeningSuite, SuiteError> {
    let mut suite = Builder::new(variant);
    let last_line = if format == SuiteFormat::Polyglot {
        let plies = plies.ok_or_else(|| SuiteLineError::BookPlies.nowhere())?;
        polyglot::parse_book(bytes, variant, plies, &mut suite)?;
        None
    } else {
        let text = text_of(bytes)?;
        match format {
            SuiteFormat::Epd => epd::parse_lines(text, variant, epd::parse_epd, &mut suite)?,
            SuiteFormat::Fen => epd::parse_lines(text, variant, epd::parse_fen, &mut suite)?,
            SuiteFormat::Pgn | SuiteFormat::Polyglot => {
                let plies = plies.map_or(usize::MAX, |plies| usize::try_from(plies).unwrap_or(usize::MAX));
                pgn::parse_games(text, variant, plies, &mut suite)?;
            }
        }
        Some(text.lines().count().max(1))
    };
    let suite = suite.finish();
    if suite.is_empty() {
        let kind = SuiteLineError::Empty;
        return Err(SuiteError { line: last_line, kind });
    }
    Ok(suite)
}

/// The bytes as text without a byte order mark.
fn text_of(bytes: &[u8]) -> Result<&str, SuiteError> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        SuiteError {
            line: Some(before.split(|byte| *byte == b'\n').count()),
            kind: SuiteLineError::NotText,
        }
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
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
    const VARIANTS: [Variant; 2] = [Variant::Standard, Variant::Chess960];

    #[test]
    fn endings_of_names() {
        let of = SuiteFormat::from_file_name;
        assert_eq!(of("a.b/BOOK.EPD"), Some(SuiteFormat::Epd));
        assert_eq!(of("x.fen"), Some(SuiteFormat::Fen));
        assert_eq!(of("x.Pgn.GZ"), Some(SuiteFormat::Pgn));
        assert_eq!(of("x.bin.gz"), Some(SuiteFormat::Polyglot));
        assert_eq!(of("x.bin"), Some(SuiteFormat::Polyglot));
        let packed = ["x.Pgn.GZ", "x.bin.gz", "x.gz", "x.bin", "gz"].map(SuiteFormat::is_packed);
        assert_eq!(packed, [true, true, true, false, false]);
        for unknown in ["x.txt", "x", "x.gz", "x.epd.zip", "epd"] {
            assert_eq!(of(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn empty_suites_are_refused() {
        for text in ["", "\u{feff}", "\r\n \n", "\n\n\n"] {
            for format in FORMATS {
                let error = parse_suite(text.as_bytes(), format, Variant::Standard, None).unwrap_err();
                assert_eq!(error.kind, SuiteLineError::Empty, "{text:?} as {format:?}");
                assert_eq!(error.line, Some(text.matches('\n').count().max(1)));
            }
        }
        let error = parse_suite(b"# nothing\n\n", SuiteFormat::Fen, Variant::Standard, None).unwrap_err();
        assert_eq!(
            error.to_string(),
            "line 2: the suite has no openings; expected at least one"
        );
        let error = parse_suite(b"# 1\n# \xff\n", SuiteFormat::Epd, Variant::Standard, None).unwrap_err();
        assert_eq!((error.line, error.kind), (Some(2), SuiteLineError::NotText));
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
            for (format, variant) in FORMATS.into_iter().flat_map(|format| VARIANTS.map(|variant| (format, variant))) {
                match parse_suite(text.as_bytes(), format, variant, plies) {
                    Ok(suite) => for opening in suite.iter() {
                        prop_assert!(super::super::rules::Board::new(&opening).is_ok());
                        prop_assert!((1..=NAME_CHARS).contains(&opening.name.chars().count()));
                        prop_assert!(!opening.name.chars().any(char::is_control));
                        prop_assert!(plies.is_none_or(|plies| opening.moves.len() <= plies as usize));
                    },
                    Err(error) => prop_assert!((1..=text.lines().count().max(1)).contains(&error.line.unwrap_or(0))),
                }
            }
        }
    }
}
