//! Suites of games in PGN.
//!
//! Knows games, tags and movetext; what a position may be and which moves are legal is decided by the module above.

use std::borrow::Cow;
use std::io::{Cursor, Seek};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, Visitor};
use shakmaty::san::SanPlus;

use super::epd::Epd;
use super::replay::{CheckedOpening, Replay};
use super::suite::Builder;
use super::{SuiteError, SuiteLineError, is_chess960, is_place, one_line};
use crate::variant::Variant;

/// The tag line length, in bytes, up to which the reader promises to find the end of a tag.
const TAG_LINE_BYTES: usize = 4096;

/// Reads all games of `text`, at most `plies` plies of each.
pub(super) fn parse_games(text: &str, variant: Variant, plies: usize, into: &mut Builder) -> Result<(), SuiteError> {
    let text = &ended(text)[..];
    let mut reader = Reader::build(Cursor::new(text))
        .set_supported_tag_line_length(TAG_LINE_BYTES)
        .finish();
    let mut line = 1;
    let mut counted = 0;
    loop {
        let more = reader.has_more();
        // The offset is unknown only if the reader has failed; then the last game's line is the best there is.
        let start = offset(&mut reader).unwrap_or(counted);
        line += count_lines(text, counted, start);
        counted = start;

        let broken = |error: std::io::Error| SuiteError {
            line: Some(line),
            kind: SuiteLineError::Pgn(error.to_string()),
        };
        if !more.map_err(broken)? {
            return Ok(());
        }
        let Some(game) = reader.read_game(&mut GameVisitor { plies }).map_err(broken)? else {
            return Ok(());
        };
        let end = offset(&mut reader).unwrap_or(text.len());
        let source = text.get(start..end).unwrap_or_default();
        if let Some(opening) = game
            .into_opening(source, variant, plies, line)
            .map_err(|kind| SuiteError { line: Some(line), kind })?
        {
            into.push(&opening);
        }
    }
}

/// The text with a result added after each game that has only tags, on the empty line behind them: otherwise the
/// reader would take the next game's tags for more of its own. A tag that comes again starts another game.
fn ended(text: &str) -> Cow<'_, str> {
    let mut parts = Vec::new();
    let (mut written, mut at) = (0, 0);
    let mut names: Vec<&str> = Vec::new();
    // The last empty line, and whether anything but tags has followed the last tags.
    let (mut empty, mut has_more) = (None, false);
    for line in text.split_inclusive('\n') {
        let content = line.trim();
        match content.strip_prefix('[').and_then(|tag| tag.split_whitespace().next()) {
            _ if content.is_empty() => empty = Some(at),
            _ if content.starts_with(['%', ';']) => {}
            Some(name) if !has_more || empty.is_some() => {
                if has_more {
                    names.clear();
                } else if let Some(empty) = empty.filter(|_| names.contains(&name)) {
                    parts.extend([&text[written..empty], "*"]);
                    written = empty;
                    names.clear();
                }
                names.push(name);
                (empty, has_more) = (None, false);
            }
            _ => (empty, has_more) = (None, true),
        }
        at += line.len();
    }
    match parts.is_empty() {
        true => text.into(),
        false => (parts.concat() + &text[written..]).into(),
    }
}

/// How far into its text `reader` is, in bytes.
fn offset(reader: &mut Reader<Cursor<&str>>) -> Option<usize> {
    usize::try_from(reader.stream_position().ok()?).ok()
}

/// The line ends among the bytes `from` to `to` of `text`.
fn count_lines(text: &str, from: usize, to: usize) -> usize {
    let bytes = text.as_bytes().get(from..to).unwrap_or_default();
    bytes.split(|&byte| byte == b'\n').count() - 1
}

/// The tags of a game that matter to an opening.
#[derive(Default)]
struct OpeningTags {
    /// True if the game has any tags, these or others.
    any: bool,
    fen: Option<String>,
    variant: String,
    opening: String,
    variation: String,
    eco: String,
}

/// A game as read: its tags, and its moves up to the limit.
struct PgnGame {
    tags: OpeningTags,
    moves: Vec<SanPlus>,
    /// True if the game has moves, even if a limit of no plies keeps them out of `moves`.
    has_moves: bool,
}

impl PgnGame {
    /// The opening that this game is, or `None` if its text, `source`, holds only comments. A game of tags alone has
    /// no moves.
    fn into_opening(
        self,
        source: &str,
        variant: Variant,
        plies: usize,
        line: usize,
    ) -> Result<Option<CheckedOpening>, SuiteLineError> {
        let said = &self.tags.variant;
        let is_ours = match variant {
            _ if said.is_empty() || is_standard(said) => true,
            Variant::Standard => false,
            Variant::Chess960 => is_chess960(said),
        };
        if !is_ours {
            return Err(SuiteLineError::OtherVariant(self.tags.variant));
        }
        let movetext = bare_movetext(source);
        if let Some(token) = unreadable_token(&movetext, plies) {
            return Err(SuiteLineError::Move(one_line(token)));
        }
        if !self.has_moves && !self.tags.any {
            return Ok(None);
        }
        let epd = self.tags.fen.as_deref().map(Epd::read).transpose()?;
        let mut replay = Replay::new(variant, epd.as_ref().map(|epd| epd.fen.as_str()))?;
        for &san in &self.moves {
            replay.play(san)?;
        }
        let full_name = format!("{}: {}", self.tags.opening, self.tags.variation);
        let both = !self.tags.opening.is_empty() && !self.tags.variation.is_empty();
        let names = [
            if both { &full_name } else { "" },
            &self.tags.opening,
            &self.tags.variation,
            &self.tags.eco,
            epd.as_ref().map_or("", |epd| &epd.id),
        ];
        Ok(Some(replay.finish(&names, line)))
    }
}

/// True if a tag `Variant` means standard chess.
fn is_standard(tag: &str) -> bool {
    matches!(
        tag.to_ascii_lowercase().as_str(),
        "standard" | "chess" | "normal" | "from position"
    )
}

/// Collects a [`PgnGame`]; never breaks off, so that the reader always ends up at the end of the game.
struct GameVisitor {
    plies: usize,
}

impl Visitor for GameVisitor {
    type Tags = OpeningTags;
    type Movetext = PgnGame;
    type Output = PgnGame;

    fn begin_tags(&mut self) -> ControlFlow<PgnGame, OpeningTags> {
        ControlFlow::Continue(OpeningTags::default())
    }

    fn tag(&mut self, tags: &mut OpeningTags, name: &[u8], value: RawTag<'_>) -> ControlFlow<PgnGame> {
        tags.any = true;
        let value = value.decode_utf8_lossy();
        let value = value.trim();
        // `?` and `-` are how PGN writes that a value is not known or that there is none.
        let value = if matches!(value, "?" | "-") { "" } else { value };
        match name {
            b"FEN" => tags.fen = (!value.is_empty()).then(|| value.to_owned()),
            b"Variant" => value.clone_into(&mut tags.variant),
            b"Opening" if is_place(value) => tags.opening.clear(),
            b"Opening" => value.clone_into(&mut tags.opening),
            b"Variation" => value.clone_into(&mut tags.variation),
            b"ECO" => value.clone_into(&mut tags.eco),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: OpeningTags) -> ControlFlow<PgnGame, PgnGame> {
        ControlFlow::Continue(PgnGame {
            tags,
            moves: Vec::new(),
            has_moves: false,
        })
    }

    fn san(&mut self, game: &mut PgnGame, san: SanPlus) -> ControlFlow<PgnGame> {
        game.has_moves = true;
        if game.moves.len() < self.plies {
            game.moves.push(san);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> PgnGame {
        game
    }
}

/// The text of a game without tags, comments, variations and glyphs such as `!?`.
fn bare_movetext(source: &str) -> String {
    let mut bare = String::new();
    let mut chars = source.chars();
    let mut previous = '\n';
    let mut in_tags = true;
    let mut depth = 0_usize;
    while let Some(c) = chars.next() {
        let skipped_up_to = match c {
            '{' => Some('}'),
            ';' => Some('\n'),
            '%' if previous == '\n' => Some('\n'),
            '[' if in_tags => Some('\n'),
            _ => None,
        };
        previous = skipped_up_to.unwrap_or(c);
        if let Some(end) = skipped_up_to {
            chars.find(|&c| c == end);
            bare.push(' ');
            continue;
        }
        in_tags &= c.is_whitespace();
        match c {
            '(' => {
                depth += 1;
                bare.push(' ');
            }
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '!' | '?' | '*' => bare.push(' '),
            '$' => bare.push_str(" $"),
            '–' | '—' => bare.push('-'),
            _ => bare.push(c),
        }
    }
    bare
}

/// The first thing before move number `plies` + 1 that stands where a move belongs, but is not one.
///
/// The reader silently skips such things, which would leave a game that nobody wrote.
fn unreadable_token(bare_movetext: &str, plies: usize) -> Option<&str> {
    let mut moves = 0;
    for token in bare_movetext.split_whitespace() {
        if moves == plies {
            break;
        }
        if matches!(token, "1-0" | "0-1" | "1/2-1/2" | "½-½") || token.starts_with('$') {
            continue;
        }
        let unnumbered = token
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start_matches('.');
        let castles = |text: &str| matches!(text.trim_end_matches(['+', '#']), "0-0" | "0-0-0");
        if unnumbered.is_empty() {
            continue;
        }
        if SanPlus::from_ascii(unnumbered.as_bytes()).is_err() && !castles(unnumbered) && !castles(token) {
            return Some(token);
        }
        moves += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::{NAME_CHARS, Opening, SuiteError, SuiteFormat, SuiteLineError, parse_suite};
    use crate::variant::Variant;

    fn read(text: &str, variant: Variant, plies: Option<u32>) -> Result<Vec<Opening>, SuiteError> {
        parse_suite(text.as_bytes(), SuiteFormat::Pgn, variant, plies).map(|suite| suite.iter().collect())
    }

    fn parse(text: &str, plies: Option<u32>) -> Result<Vec<Opening>, SuiteError> {
        read(text, Variant::Standard, plies)
    }

    fn message(text: &str) -> String {
        parse(text, None).unwrap_err().to_string()
    }

    fn moves(opening: &Opening) -> String {
        opening
            .moves
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" ")
    }

    #[test]
    fn games_with_everything_around_the_moves() {
        let text = "\u{feff}% escaped\r\n[Event \"?\"]\r\n[Opening \"Ruy Lopez\"]\r\n[Variation \"Closed\"]\r\n\r\n\
            1.e4! e5$1 2. Nf3{[a] comment\r\nof (two lines} Nc6(2... d6 3. xx (3. d4))3. Bb5 ; rest Zz9\r\n\
            3... a6?! 4. Ba4$14 Nf6 5. O-O 1/2-1/2  \r\n\r\n\r\n\
            [Opening \"?\"]\r\n[ECO \"B00\"]\r\n\r\n1. e4 *\r\n";
        let openings = parse(text, None).unwrap();
        assert_eq!(openings.len(), 2);
        assert_eq!(moves(&openings[0]), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1");
        assert_eq!(openings[0].name, "Ruy Lopez: Closed");
        assert_eq!(openings[0].fen, None);
        assert_eq!(
            (moves(&openings[1]).as_str(), openings[1].name.as_str()),
            ("e2e4", "B00")
        );
    }

    #[test]
    fn the_limit_counts_plies_and_ends_the_checks() {
        let text = "1. e4 e5 2. Nf3 Nc6 3. Ke8 junk 1-0";
        assert_eq!(moves(&parse(text, Some(3)).unwrap()[0]), "e2e4 e7e5 g1f3");
        assert_eq!(parse(text, Some(4)).unwrap()[0].moves.len(), 4);
        assert_eq!(parse(text, Some(0)).unwrap()[0].moves.len(), 0);
        assert_eq!(parse("1. e4 *", Some(9)).unwrap()[0].moves.len(), 1);
        assert!(parse(text, Some(5)).is_err());
    }

    #[test]
    fn games_from_another_position() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 20";
        let openings = parse(
            &format!("[FEN \"{fen}\"]\n\n20... O-O-O 21. 0-0 *\n\n[FEN \"{fen}\"]\n\n*\n"),
            None,
        )
        .unwrap();
        assert_eq!(openings[0].fen.as_deref(), Some(fen));
        assert_eq!(moves(&openings[0]), "e8c8 e1g1");
        assert_eq!(
            openings[1],
            Opening {
                fen: Some(fen.into()),
                moves: vec![],
                name: "line 5".into(),
                variant: Variant::Standard,
            }
        );
        let error = message("[FEN \"bnrkrqnb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRQNB w KQkq - 0 1\"]\n\n1. b3 *");
        assert!(error.contains("Chess960"), "{error}");
    }

    /// A FEN tag is read like a line of EPD, with what suites write behind a position.
    #[test]
    fn a_tag_fen_is_read_as_epd() {
        let board = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq -";
        let opening = |fen: &str| parse(&format!("[FEN \"{fen}\"]\n\n1... O-O *\n"), None).map(|all| all[0].clone());
        for (behind, counters, name) in [
            ("", "0 1", "line 1"),
            (" 5 20;", "5 20", "line 1"),
            (" 5 20 ;", "5 20", "line 1"),
            (";", "0 1", "line 1"),
            (" 5", "5 1", "line 1"),
            (" bm O-O; hmvc 5; fmvn 20;", "5 20", "line 1"),
            (" 5 20 id \\\"Rooks\\\";", "5 20", "Rooks"),
            ("   5\t20  c0 x", "5 20", "line 1"),
        ] {
            let found = opening(&format!("{board}{behind}")).unwrap();
            assert_eq!(found.fen, Some(format!("{board} {counters}")), "{behind}");
            assert_eq!(
                (moves(&found).as_str(), found.name.as_str()),
                ("e8g8", name),
                "{behind}"
            );
        }
        let named = format!("[Opening \"A\"]\n[FEN \"{board} id \\\"B\\\";\"]\n\n*\n");
        assert_eq!(parse(&named, None).unwrap()[0].name, "A");
        let unknown = "[FEN \"?\"]\n\n1. e4 *\n";
        assert_eq!(parse(unknown, None).unwrap()[0].fen, None);
        assert!(opening("8/8/8/8/8/8/8/8 w - - 0 1;").is_err() && opening("r3k2r b").is_err());
    }

    #[test]
    fn a_game_of_tags_alone_is_an_opening_of_no_moves() {
        let text = "[Event \"A\"]\n[Opening \"y\"]\n\n*\n\n[Event \"B\"]\n\n1. e4 *\n\n[Event \"C\"]\n[Result \"*\"]\n\n[Event \"D\"]\n";
        let openings = parse(text, None).unwrap();
        let found: Vec<_> = openings.iter().map(|one| (one.name.as_str(), moves(one))).collect();
        let expected = [("y", ""), ("line 6", "e2e4"), ("line 10", ""), ("line 13", "")];
        assert_eq!(found, expected.map(|(name, moves)| (name, moves.to_owned())));
        assert!(openings.iter().all(|one| one.fen.is_none()));
        // Tags of one game may stand apart; those of another game are its own.
        let apart = "[Event \"A\"]\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n[Event \"B\"]\n\n1. e4 *\n";
        let openings = parse(apart, None).unwrap();
        assert_eq!(openings.len(), 2);
        assert!(openings[0].fen.is_some() && openings[1].fen.is_none());
        let of_960 = read("[Variant \"Chess960\"]\n\n*\n", Variant::Chess960, None).unwrap();
        assert_eq!((of_960.len(), of_960[0].moves.len()), (1, 0));
    }

    /// The text written for an opening without a name is not read back as a name.
    #[test]
    fn a_line_of_a_suite_is_no_name() {
        let name = |tags: &str| parse(&format!("{tags}\n1. e4 *\n"), None).unwrap().remove(0).name;
        assert_eq!(name("\n[Opening \"line 7\"]\n"), "line 2");
        assert_eq!(name("[Opening \"line 7\"]\n[ECO \"B00\"]\n"), "B00");
        assert_eq!(name("[Opening \"line 7\"]\n[Variation \"Closed\"]\n"), "Closed");
        for kept in ["line", "line up 7", "Main line 7", "line 7a"] {
            assert_eq!(name(&format!("[Opening \"{kept}\"]\n")), kept);
        }
    }

    #[test]
    fn names_are_sanitised() {
        let text = format!("[Opening \"a\u{1b}\t\\\"b\\\" {}\"]\n\n1. e4 *", "x".repeat(200));
        let name = parse(&text, None).unwrap().remove(0).name;
        assert!(name.starts_with("a \"b\" xxx"), "{name}");
        assert_eq!(name.chars().count(), NAME_CHARS);
    }

    #[test]
    fn comments_are_no_game() {
        assert_eq!(parse("; about\n{ more }\n\n\n1. e4 *\n", None).unwrap().len(), 1);
        assert_eq!(parse("; about\n\n\n1. e4 *\n", Some(0)).unwrap().len(), 1);
        assert_eq!(parse("; about\n", None).unwrap_err().kind, SuiteLineError::Empty);
    }

    #[test]
    fn errors_name_the_game_and_the_move() {
        let good = "[Opening \"x\"]\n\n1. e4 e5 *\n\n";
        assert_eq!(
            message(&format!("{good}[Opening \"y\"]\n\n1. e4 e5\n2. Nf6 *\n")),
            "line 5: move Nf6 (ply 3 of the game that starts here) is illegal; expected one legal move"
        );
        assert_eq!(
            message("1. d4 d5 2. Nf3 Nf6 3. Nd2 *"),
            "line 1: move Nd2 (ply 5 of the game that starts here) is ambiguous; expected one legal move"
        );
        assert_eq!(
            message(&format!("{good}\n1. e4 e5 2. Nf33 *\n")),
            "line 6: cannot read `Nf33` in the game that starts here; expected a move in standard algebraic notation"
        );
        for broken in ["1. e4 { never closed", "[Opening \"never closed"] {
            assert!(
                message(&format!("{good}{broken}")).starts_with("line 5: cannot read the game"),
                "{broken}"
            );
        }
        assert!(message("1. e4 e5 2. 0-0x *").starts_with("line 1: cannot read `0-0x`"));
        assert!(message("1. e4 e5 2. -- *").starts_with("line 1: move --"));
        assert!(message("[not a tag\n1. e4 [oops e5 *").starts_with("line 1: cannot read `[oops`"));
    }

    #[test]
    fn games_of_chess960() {
        let fen = "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1";
        let text = format!("[Variant \"Chess 960\"]\n[FEN \"{fen}\"]\n\n1. Nf3 Nf6 2. O-O O-O *\n");
        let openings = read(&text, Variant::Chess960, None).unwrap();
        assert_eq!(openings[0].fen.as_deref(), Some(fen));
        assert_eq!(moves(&openings[0]), "g1f3 g8f6 f1h1 f8h8");
        let error = message(&text);
        assert_eq!(
            error,
            "line 1: the game that starts here is one of Chess 960; expected standard chess or Chess960 (game.variant = \
             \"chess960\" plays Chess960)"
        );
        // Standard openings are also openings of Chess960; castling has the spelling of that variant.
        let openings = read(
            "[Variant \"Standard\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *",
            Variant::Chess960,
            None,
        );
        assert!(moves(&openings.unwrap()[0]).ends_with(" e1h1"));
        for variant in [Variant::Standard, Variant::Chess960] {
            let error = read("[Variant \"Atomic\"]\n\n1. e4 *", variant, None).unwrap_err();
            assert_eq!(error.kind, SuiteLineError::OtherVariant("Atomic".to_owned()));
        }
    }

    #[test]
    fn finished_games_are_refused() {
        let ended = |text: &str, plies, reason| {
            let error = parse(text, None).unwrap_err();
            assert_eq!(error.kind, SuiteLineError::Ended { plies, reason }, "{error}");
        };
        ended("1. f3 e5 2. g4 Qh4# 0-1", 4, "checkmate");
        ended(
            "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2",
            8,
            "threefold repetition",
        );
    }
}
