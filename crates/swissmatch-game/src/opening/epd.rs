//! Suites with one position per line: EPD and FEN.
//!
//! Knows lines, fields and operations; what a position may be is decided by the module above.

use super::replay::{CheckedOpening, Replay};
use super::suite::Builder;
use super::{SuiteError, SuiteLineError, one_line};
use crate::variant::Variant;

/// Fields of an EPD before its operations.
const FIELDS: usize = 4;

/// Reads every line of `text` that is neither blank nor a comment by `parse_line`, which gets the line and its
/// number.
pub(super) fn parse_lines(
    text: &str,
    variant: Variant,
    parse_line: impl Fn(&str, Variant, usize) -> Result<CheckedOpening, SuiteLineError>,
    into: &mut Builder,
) -> Result<(), SuiteError> {
    for (content, line) in text.lines().map(str::trim).zip(1..) {
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let line_of = |kind| SuiteError { line: Some(line), kind };
        into.push(&parse_line(content, variant, line).map_err(line_of)?);
    }
    Ok(())
}

/// Reads a FEN of four or six fields.
pub(super) fn parse_fen(content: &str, variant: Variant, line: usize) -> Result<CheckedOpening, SuiteLineError> {
    let content = without_end(content);
    let found = content.split_whitespace().count();
    if found != 4 && found != 6 {
        return Err(SuiteLineError::Fields {
            found,
            expected: "the 4 or 6 of a FEN",
        });
    }
    let fen = content.split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Replay::new(variant, Some(&fen))?.finish(&[], line))
}

/// Reads the four fields of an EPD, the counters of a FEN if they follow, and the operations.
pub(super) fn parse_epd(content: &str, variant: Variant, line: usize) -> Result<CheckedOpening, SuiteLineError> {
    let found = content.split_whitespace().count();
    if found < FIELDS {
        return Err(SuiteLineError::Fields {
            found,
            expected: "the 4 of an EPD",
        });
    }
    let epd = Epd::read(content)?;
    Ok(Replay::new(variant, Some(&epd.fen))?.finish(&[&epd.id], line))
}

/// A position, with what an EPD says about it.
#[derive(Default)]
pub(super) struct Epd {
    /// A FEN of six fields, or of fewer if the text lacks them.
    pub(super) fen: String,
    /// The position's name; empty if it has none.
    pub(super) id: String,
}

impl Epd {
    /// Reads a text that may stop within its fields.
    pub(super) fn read(content: &str) -> Result<Self, SuiteLineError> {
        let mut fields = Vec::new();
        let mut rest = content;
        while fields.len() < FIELDS && !rest.is_empty() {
            let (field, after) = split_word(rest);
            fields.push(without_end(field));
            rest = after;
        }
        if fields.len() < FIELDS {
            let fen = fields.join(" ");
            return Ok(Self { fen, id: String::new() });
        }

        // The counters of a position at the start of a game, until something says otherwise.
        let (mut halfmoves, mut fullmoves) = (0, 1);
        for counter in [&mut halfmoves, &mut fullmoves] {
            let (field, after) = split_word(rest);
            let Ok(value) = without_end(field).parse() else { break };
            *counter = value;
            rest = after;
        }

        let mut id = String::new();
        while !rest.is_empty() {
            let (operation, after) = split_operation(rest)?;
            rest = after;
            let (opcode, operand) = split_word(operation);
            match opcode {
                "id" => operand.trim_matches('"').clone_into(&mut id),
                "hmvc" => halfmoves = parse_counter(operation, operand)?,
                "fmvn" => fullmoves = parse_counter(operation, operand)?,
                _ => {}
            }
        }
        let fen = format!("{} {halfmoves} {fullmoves}", fields.join(" "));
        Ok(Self { fen, id })
    }
}

/// Drops the semicolons that end a position in some suites.
fn without_end(text: &str) -> &str {
    text.trim_end_matches(|c: char| c == ';' || c.is_whitespace())
}

fn split_word(text: &str) -> (&str, &str) {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

/// Cuts off the first operation with its semicolon, which the last one may lack. A semicolon in quotes ends nothing.
fn split_operation(text: &str) -> Result<(&str, &str), SuiteLineError> {
    let mut quoted = false;
    let end = text.find(|c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    });
    match end {
        Some(end) => Ok((text[..end].trim_end(), text[end + 1..].trim_start())),
        None if quoted => Err(unreadable(text, "a closing quote")),
        None => Ok((text, "")),
    }
}

fn parse_counter(operation: &str, operand: &str) -> Result<u32, SuiteLineError> {
    operand
        .parse()
        .map_err(|_| unreadable(operation, "a whole number from 0 to 4294967295"))
}

fn unreadable(operation: &str, expected: &'static str) -> SuiteLineError {
    SuiteLineError::Operation {
        operation: one_line(operation),
        expected,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Opening, SuiteError, SuiteFormat, SuiteLineError, parse_suite};
    use crate::variant::Variant;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3";

    fn read(text: &str, format: SuiteFormat, variant: Variant) -> Result<Vec<Opening>, SuiteError> {
        parse_suite(text.as_bytes(), format, variant, None).map(|suite| suite.iter().collect())
    }

    fn epd(text: &str) -> Result<Vec<Opening>, SuiteError> {
        read(text, SuiteFormat::Epd, Variant::Standard)
    }

    fn fen(text: &str) -> Result<Vec<Opening>, SuiteError> {
        read(text, SuiteFormat::Fen, Variant::Standard)
    }

    fn fen_kind(text: &str) -> SuiteLineError {
        fen(text).unwrap_err().kind
    }

    #[test]
    fn fen_lines_with_four_or_six_fields() {
        let text = format!("\u{feff}# comment\r\n\r\n{START} 0 1 \t\r\n  {AFTER_E4}\r\n{AFTER_E4}   7\t9\n");
        let openings = fen(&text).unwrap();
        assert_eq!(
            openings[0],
            Opening {
                fen: None,
                moves: vec![],
                name: "line 3".into(),
                variant: Variant::Standard,
            }
        );
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        assert_eq!(openings[1].fen.as_deref(), Some(format!("{board} 0 1").as_str()));
        assert_eq!(openings[2].fen.as_deref(), Some(format!("{board} 7 9").as_str()));
        assert_eq!(openings.len(), 3);
    }

    #[test]
    fn fen_lines_with_other_fields_are_refused() {
        let error = fen(&format!("{START}\n{START} 0\n")).unwrap_err();
        assert_eq!(error.to_string(), "line 2: 5 fields; expected the 4 or 6 of a FEN");
        assert!(matches!(fen_kind("x w - -"), SuiteLineError::Fen(_)));
        assert!(matches!(
            fen_kind("4k3/8/8/8/8/8/4P3/4K3 w - - x 1"),
            SuiteLineError::Fen(_)
        ));
    }

    #[test]
    fn positions_that_break_the_rules_are_refused() {
        for (bad, reason) in [
            ("8/8/8/8/8/8/4P3/4K3 w - -", "missing king"),
            ("4k3/8/8/8/8/8/4Q3/4K3 w - -", "opposite check"),
            ("4k3/8/8/8/8/8/8/P3K3 w - -", "pawns on backrank"),
            ("4k3/8/8/8/8/8/4P3/4K3 w K -", "invalid castling rights"),
            ("4k3/8/8/8/8/8/4P3/4K3 b - e3", "invalid ep square"),
        ] {
            let message = fen(bad).unwrap_err().to_string();
            assert!(
                message.starts_with("line 1: ") && message.contains(reason),
                "{bad}: {message}"
            );
        }
    }

    #[test]
    fn other_variants_are_refused() {
        assert_eq!(
            fen_kind("bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w KQkq - 0 1"),
            SuiteLineError::Chess960
        );
        assert_eq!(fen_kind("4k3/8/8/8/8/8/8/1R2K3 w Q -"), SuiteLineError::Chess960);
        assert_eq!(fen_kind("4k3/4p3/8/8/8/8/4P3/4K3[Q] w - -"), SuiteLineError::Variant);
        assert!(fen("bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w - - 0 1").is_ok());
    }

    #[test]
    fn chess960_reads_both_ways_of_castling_rights() {
        let board = "bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w";
        let text = format!("{board} KQkq -\n{board} ECec - 0 1\n{START}\n");
        let openings = read(&text, SuiteFormat::Fen, Variant::Chess960).unwrap();
        let shredder = format!("{board} ECec - 0 1");
        assert_eq!(openings[0].fen.as_deref(), Some(shredder.as_str()));
        assert_eq!(openings[1].fen, openings[0].fen);
        assert_eq!((&openings[2].fen, openings[2].variant), (&None, Variant::Chess960));
        let rook_gone = read(&format!("{board} KQHkq -"), SuiteFormat::Fen, Variant::Chess960);
        assert!(rook_gone.is_err());
    }

    #[test]
    fn finished_games_are_refused() {
        for (over, reason) in [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                "checkmate",
            ),
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"),
            ("7k/8/6K1/8/8/8/8/6B1 b - - 0 1", "lack of material to mate with"),
            ("7k/8/6K1/8/8/8/8/6R1 b - - 100 90", "the fifty-move rule"),
        ] {
            assert_eq!(fen_kind(over), SuiteLineError::Ended { plies: 0, reason });
        }
    }

    #[test]
    fn epd_operations() {
        let text = format!("{AFTER_E4} bm e5; id \"King's; pawn\"; fmvn 12; hmvc 3;\n{AFTER_E4}\tid Bare\n{START}\n");
        let openings = epd(&text).unwrap();
        assert_eq!(openings[0].name, "King's; pawn");
        assert!(openings[0].fen.as_deref().unwrap().ends_with(" b KQkq - 3 12"));
        assert_eq!(openings[1].name, "Bare");
        assert_eq!(
            openings[2],
            Opening {
                fen: None,
                moves: vec![],
                name: "line 3".into(),
                variant: Variant::Standard,
            }
        );
    }

    #[test]
    fn epd_takes_the_counters_of_a_fen() {
        let openings = epd(&format!("{AFTER_E4} 4 6\n{AFTER_E4} 4 6 id \"x\";\n")).unwrap();
        assert!(
            openings
                .iter()
                .all(|opening| opening.fen.as_deref().unwrap().ends_with(" 4 6"))
        );
        assert_eq!(openings[1].name, "x");
    }

    /// Some suites end each position with a semicolon, as if it were an operation.
    #[test]
    fn a_semicolon_ends_a_position() {
        let end = |text: &str, format| {
            let openings = read(text, format, Variant::Standard).unwrap();
            openings[0].fen.clone().unwrap_or_default()
        };
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -";
        for (behind, counters) in [
            (";", "0 1"),
            (" ;", "0 1"),
            (" 3 12;", "3 12"),
            (" 3 12 ;", "3 12"),
            (" 3; 12;", "3 12"),
            (" 3 12; id \"x\";", "3 12"),
        ] {
            let found = end(&format!("{board}{behind}\n"), SuiteFormat::Epd);
            assert_eq!(found, format!("{board} {counters}"), "{behind}");
            if !behind.contains("id") && behind != " 3; 12;" {
                let found = end(&format!("{board}{behind}\n"), SuiteFormat::Fen);
                assert_eq!(found, format!("{board} {counters}"), "{behind}");
            }
        }
    }

    #[test]
    fn broken_epd_is_refused() {
        let message = |text: &str| epd(text).unwrap_err().to_string();
        assert_eq!(
            message("8/8/8/8/8/8/8/8 w -"),
            "line 1: 3 fields; expected the 4 of an EPD"
        );
        assert_eq!(
            message(&format!("{START} id \"x; hmvc 1;")),
            "line 1: cannot read the operation `id \"x; hmvc 1;`; expected a closing quote"
        );
        assert_eq!(
            message(&format!("\n{START} hmvc x;")),
            "line 2: cannot read the operation `hmvc x`; expected a whole number from 0 to 4294967295"
        );
    }
}
