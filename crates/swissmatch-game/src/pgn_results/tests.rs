//! Games of each runner, games that are cut or broken, random bytes.

use std::io::BufReader;

use proptest::prelude::*;

use super::ending::ending;
use super::tags::LONGEST_VALUE;
use super::*;
use crate::Side;
use crate::termination::{Outcome, Termination};

mod pairs;

/// A game as fastchess writes it.
const FASTCHESS: &str = r#"[Event "Fastchess Tournament"]
[Site "?"]
[Date "2026.10.02"]
[Round "7"]
[White "Ada 3"]
[Black "Bob \"B\""]
[Result "0-1"]
[SetUp "1"]
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"]
[GameDuration "00:00:04"]
[PlyCount "3"]
[Termination "time forfeit"]
[TimeControl "1+0.01"]

1. Nf3 {+0.31/12 0.052s, n=1022} Nc6 {-0.20/11 0.061s, n=990, pv="b8c6 f1b5"}
2. Bb5 {+0.22/12 0.049s, n=1100, White loses on time (31ms overrun)} 0-1

"#;

/// Games as cutechess-cli writes them: no termination if it is a usual one, `{book}`.
const CUTECHESS: &str = r#"[Event "x"]
[Site "y"]
[Date "2026.10.02"]
[Round "1"]
[White "Bob"]
[Black "Ada"]
[Result "1/2-1/2"]
[PlyCount "6"]

1. e4 {book} e5 {book} 2. Nf3 {+0.40/9 0.11s} Nc6 {0.00/9 0.1s} 3. Ng1 {0.00/1 0s}
Nb8 {0.00/1 0s, Draw by 3-fold repetition} 1/2-1/2

[Event "x"]
[Site "y"]
[Date "2026.10.02"]
[Round "1"]
[White "Ada"]
[Black "Bob"]
[Result "1-0"]
[PlyCount "3"]
[Termination "stalled connection"]

1. e4 {book} e5 {book} 2. Nc3 {+0.40/9 0.11s, Black's connection stalls} 1-0

"#;

/// Games as this program writes them: one that was played, one that was not.
const OWN: &str = r#"[Event "?"]
[Site "?"]
[Date "2026.10.02"]
[Round "3.1.2"]
[White "Ada"]
[Black "Eve"]
[Result "1-0"]
[Board "1"]
[GamePair "3.1.1"]
[Termination "rules infraction"]
[PlyCount "2"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"]
[Opening "?"]

9. e4 {book} c4 {+0.31/12 0.520s, illegal=1,
n=1022, Black makes an illegal move after 2 attempts:
e9} {Black makes an illegal move after 2 attempts: e9} 1-0

[Event "?"]
[Round "4.1.1"]
[White "Ada"]
[Black "Eve"]
[Result "*"]
[Termination "unterminated"]
[PlyCount "0"]

{Both forfeit: neither engine started} *

"#;

/// What a text holds: games in the order of the file, by names, and why some cannot be used.
#[derive(Debug, Default, PartialEq)]
struct FoundGames {
    games: Vec<UsableGame>,
    names: Vec<[String; 2]>,
    unusable: Vec<UnusableGameError>,
}

fn found_with(source: impl BufRead, depth: Depth) -> FoundGames {
    let mut names = Names::default();
    let mut found = FoundGames::default();
    let read = read(source, depth, &mut names, |game| match game {
        Ok(game) => found.games.push(game),
        Err(unusable) => found.unusable.push(unusable),
    });
    read.expect("memory can be read");
    let both = |game: &UsableGame| Side::BOTH.map(|side| names.name(game.row.player(side)).to_owned());
    found.names = found.games.iter().map(both).collect();
    found
}

fn found(text: impl AsRef<[u8]>) -> FoundGames {
    found_with(text.as_ref(), Depth::Moves)
}

fn only(text: impl AsRef<[u8]>) -> GameRow {
    let found = found(text);
    assert_eq!(found.unusable, []);
    assert_eq!(found.games.len(), 1);
    found.games[0].row
}

/// Why the only game of a text cannot be used, and the line where that showed.
fn why(text: &str) -> (u64, PgnGameError) {
    let mut found = found(text);
    assert_eq!(found.games, [], "{text}");
    assert_eq!(found.unusable.len(), 1, "{text}: {found:?}");
    let unusable = found.unusable.remove(0);
    (unusable.at, unusable.why)
}

/// A game of Ada and Bob with this movetext.
fn with(movetext: &str) -> String {
    format!("[White \"Ada\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n{movetext}\n\n")
}

#[test]
fn games_of_fastchess() {
    let found = found(FASTCHESS.repeat(2));
    assert_eq!(found.unusable, []);
    assert_eq!(found.names[0], ["Ada 3", "Bob \"B\""]);
    assert_eq!([found.games[0].line, found.games[1].line], [1, 18]);
    let row = found.games[0].row;
    assert_eq!(row, found.games[1].row);
    assert_eq!(row.result(), PgnResult::BlackWins);
    assert_eq!((row.ending(), row.blame()), (Ending::TimeLoss, Blame::White));
    assert_eq!(row.plies(), 3);
    assert!(row.moves().is_some());
}

#[test]
fn games_of_cutechess() {
    let found = found(CUTECHESS);
    assert_eq!(found.unusable, []);
    assert_eq!(found.names, [["Bob", "Ada"], ["Ada", "Bob"]]);
    let [one, other] = [found.games[0].row, found.games[1].row];
    assert_eq!((one.ending(), one.blame()), (Ending::Repetition, Blame::Nobody));
    assert_eq!((other.ending(), other.blame()), (Ending::Stall, Blame::Black));
    assert_eq!(one.opening(), other.opening(), "the opening is the moves of the book");
    assert_ne!(one.moves(), other.moves());
    assert_eq!(game_pairs(&[one, other]), [GamePair { first: 0, second: 1 }]);
}

#[test]
fn games_of_this_program() {
    let found = found(OWN);
    assert_eq!(found.unusable, []);
    let [one, other] = [found.games[0].row, found.games[1].row];
    assert_eq!((one.ending(), one.blame()), (Ending::IllegalMove, Blame::Black));
    assert_eq!((other.ending(), other.blame()), (Ending::OtherFault, Blame::Both));
    assert_eq!(other.result(), PgnResult::Unfinished);
    assert_eq!((other.plies(), other.moves()), (0, None));
}

#[test]
fn forms_that_make_no_difference() {
    let plain = "[White \"Ada\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 exf3 3. O-O e8=Q+ 1-0\n";
    let expected = only(plain);
    for text in [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.replace("\n\n", "\n"),
        plain.replace("\"]\n", "\"] "),
        plain.replace("\"]\n", "\"]\n\n"),
        plain.replace(" 2.", "\n% not for us { ( 1. a4\n2. "),
        plain.replace(" 2.", "; not for us } ( 1-0\n2. "),
        plain.replace(
            " 2.",
            " {a ( ; [b]\n[%clk 1]} (1. d4 {)} (1. c4 ; )\n 0-1) zork 1-0) $1 !? 2...",
        ),
        plain.replace("2. Nf3", "2.Nf3!?").replace("exf3", "ef3"),
        plain.replace("O-O", "0-0").replace("e8=Q+", "e8Q#"),
        plain.replace("[Result \"1-0\"]\n", ""),
        plain.replace("\"1-0\"", "\"?\""),
        plain.trim_end().to_owned(),
        format!("{{from elsewhere}}\n; and more\n{plain}"),
        plain.replace("[White ", "[Opening \"the \"Big\" one\"]\n[White \"Ada\"] [ White "),
        plain.replace(
            "[White ",
            "[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"]\n[White ",
        ),
        plain.replace(
            "[White ",
            "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n[SetUp \"0\"]\n[White ",
        ),
    ] {
        assert_eq!(only(&text), expected, "{text}");
    }
    for text in [
        plain.replace("2. Nf3", "2. Nc3"),
        plain.replace("[White ", "[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n[White "),
        plain.replace("[White ", "[Variant \"fischerandom\"]\n[White "),
    ] {
        assert_ne!(only(&text).moves(), expected.moves(), "{text}");
    }
    let chess960 = |name| only(plain.replace("[White ", &format!("[Variant \"{name}\"]\n[White ")));
    assert_eq!(chess960("Chess960"), chess960("fischerandom"));
}

#[test]
fn the_opening_ends_with_the_book() {
    let opening = |movetext: &str| only(with(movetext)).opening();
    let book = opening("1. e4 {book} e5 {book} 2. Nf3 Nc6 1-0");
    assert_eq!(
        opening("1. e4 { book } e5 {book} 2. Nc3 (2. d4 {book}) Nc6 {book} 1-0"),
        book
    );
    assert_ne!(opening("1. e4 {book} e5 2. Nf3 Nc6 1-0"), book);
    let start = opening("1. e4 e5 {book} 1-0");
    assert_eq!(opening("1. d4 1-0"), start);
    assert_eq!(opening("1-0"), start);
}

#[test]
fn depths_differ_by_moves_alone() {
    let row = found_with(FASTCHESS.as_bytes(), Depth::Results).games[0].row;
    assert_eq!(row.moves(), None);
    assert_eq!(row.opening(), only(FASTCHESS).opening());
    assert_eq!(row.plies(), 3);
}

#[test]
fn names_may_be_any_bytes() {
    let found = found(b"[White \"A\xffd\0a\"]\n[Black \" Z\xc3\xbc \"]\n\n1. e4 0-1".as_slice());
    assert_eq!(found.names, [["A\u{fffd}d\0a", "Z\u{fc}"]]);
}

#[test]
fn plies_are_counted_where_no_tag_tells() {
    assert_eq!(only(with("1. e4 (1. d4 d5) e5 -- 1-0")).plies(), 3);
    assert_eq!(
        only(with("1-0").replace("[White", "[PlyCount \"41\"]\n[White")).plies(),
        41
    );
    assert_eq!(
        only(with("1-0").replace("[White", "[PlyCount \"999999\"]\n[White")).plies(),
        MOST_PLIES
    );
}

#[test]
fn games_that_cannot_be_used_are_told() {
    let cases = [
        (with("1. e4 e5"), 6, PgnGameError::CutAtEnd),
        (with("1. e4 {a"), 6, PgnGameError::CutAtEnd),
        (with("1. e4 1-0 1. d4"), 6, PgnGameError::CutAtEnd),
        (with("1. e4 0-1"), 5, PgnGameError::Contradiction("1-0", "0-1")),
        (with("1. e4 *"), 5, PgnGameError::Contradiction("1-0", "*")),
        (with("1. e4 zork 1-0"), 5, PgnGameError::NoMove("zork".to_owned())),
        (with("1. e4\n) 1-0"), 6, PgnGameError::NoMove(")".to_owned())),
        (
            with("1. e4\n[x 1-0\n 1-0"),
            6,
            PgnGameError::BrokenTag("[x 1-0".to_owned()),
        ),
        (
            with("1-0").replace("[Black \"Bob\"]\n", ""),
            4,
            PgnGameError::NoName("Black"),
        ),
        (with("1-0").replace("Ada", "?"), 5, PgnGameError::NoName("White")),
        (
            with("1-0").replace("Ada", "Bob"),
            5,
            PgnGameError::AgainstItself("Bob".to_owned()),
        ),
        (
            with("1-0").replace("\"1-0\"", "\"won\""),
            5,
            PgnGameError::BadResult("won".to_owned()),
        ),
        (
            with("1-0").replace("[Black", "[Result \"0-1\"]\n[Black"),
            4,
            PgnGameError::RepeatedTag("Result"),
        ),
        // An engine's name for itself, which a runner did not escape.
        (
            with("1-0").replace("Ada", "A\"] [Result \"0-1\"] [X \"y"),
            3,
            PgnGameError::RepeatedTag("Result"),
        ),
        (
            with("1-0").replace("Ada", "A\"d"),
            1,
            PgnGameError::BrokenTag("[White \"A\"d\"]".to_owned()),
        ),
        (
            with("1-0").replace("Ada", &"A".repeat(LONGEST_VALUE + 1)),
            1,
            PgnGameError::LongTag("White"),
        ),
        ("\u{1}\u{2}\n".to_owned(), 1, PgnGameError::CutAtEnd),
        ("1. e4 1-0\n".to_owned(), 1, PgnGameError::NoName("White")),
    ];
    for (text, at, expected) in cases {
        let found = found(&text);
        let unusable = found.unusable.last().expect("one is told");
        assert_eq!((unusable.at, &unusable.why), (at, &expected), "{text}");
        assert_eq!(found.unusable.len(), 1, "{text}");
    }
    let shown = found(with("1. e4 \u{1b}[2J 1-0")).unusable[0].to_string();
    assert!(!shown.contains('\u{1b}'), "{shown}");
}

#[test]
fn a_line_that_is_too_long_costs_its_game() {
    let mut text = with("1. e4 {").trim_end().to_owned();
    text.extend(std::iter::repeat_n('x', LONGEST_LINE));
    text.push_str("} 1-0\n\n");
    text.push_str(FASTCHESS);
    let found = found(&text);
    assert_eq!(found.unusable.len(), 1);
    assert_eq!(
        (found.unusable[0].at, &found.unusable[0].why),
        (5, &PgnGameError::LineTooLong)
    );
    assert_eq!(found.games.len(), 1);
}

#[test]
fn long_comments_cost_no_time() {
    // Each of them could begin a sentence: an algorithm that is quadratic in the length would not finish.
    let comment = "White,".repeat(10_000);
    let text = with(&format!("1. e4 {{{comment}}} 1-0")).repeat(20);
    assert_eq!(found(&text).games[19].row.ending(), Ending::Unspecified);
    let brackets = "[A \"".repeat(1_000_000);
    assert!(matches!(found(&brackets).unusable[0].why, PgnGameError::CutAtEnd));
}

#[test]
fn a_game_that_was_cut_costs_no_other() {
    // A runner was killed in a comment, a variation, a move or a tag, and another was started.
    for (cut, why) in [
        ("1. e4 {+0.3/1 0.", PgnGameError::Cut),
        ("1. e4 (1. d4 ", PgnGameError::Cut),
        ("1. e4 e5 ", PgnGameError::Cut),
        ("1. e4 e", PgnGameError::NoMove("e".to_owned())),
        ("1. e4 {+0.3/1 0.\n", PgnGameError::Cut),
        ("1. e4 (1. d4\n", PgnGameError::Cut),
        ("1. e4 e5\n", PgnGameError::Cut),
    ] {
        let before = with(cut);
        let text = format!("{FASTCHESS}{}{FASTCHESS}{FASTCHESS}", before.trim_end_matches("\n\n"));
        let found = found(&text);
        assert_eq!(found.games.len(), 3, "{cut}: {found:?}");
        assert_eq!(found.unusable.len(), 1, "{cut}");
        assert_eq!(found.unusable[0].why, why, "{cut}");
        assert_eq!(found.unusable[0].line, 18, "{cut}");
    }
}

#[test]
fn games_may_be_nothing_but_tags() {
    let tags = "[Event \"x\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n";
    for (between, games) in [("\n", 3), ("\n\n", 3), ("", 1)] {
        let found = found(format!("{tags}{between}").repeat(3));
        assert_eq!(
            (found.games.len(), found.unusable.len()),
            (games, 3 - games),
            "{between:?}"
        );
    }
    // Among other games they are one, if an empty line ends them.
    let spaced = found(format!("{FASTCHESS}{tags}\n{FASTCHESS}"));
    assert_eq!((spaced.games.len(), spaced.unusable.len()), (3, 0));
    let cut = found(format!("{FASTCHESS}{tags}{FASTCHESS}"));
    assert_eq!((cut.games.len(), cut.unusable[0].why.clone()), (2, PgnGameError::Cut));
    // At the end of the file more may come.
    assert_eq!(
        found(format!("{FASTCHESS}{tags}\n")).unusable[0].why,
        PgnGameError::CutAtEnd
    );
    assert_eq!(why(tags).1, PgnGameError::CutAtEnd);
}

#[test]
fn names_are_kept_once() {
    let mut names = Names::default();
    for _ in 0..3 {
        read(CUTECHESS.as_bytes(), Depth::Results, &mut names, |_| {}).expect("memory can be read");
    }
    assert_eq!(names.len(), 2);
    let ada = names.find("Ada").expect("she played");
    assert_eq!((names.name(ada), ada.index()), ("Ada", 1));
    assert_eq!(names.intern("Ada"), Some(ada));
    assert_eq!(names.find("Eve"), None);
}

/// Pieces of PGN, and things that disturb it.
fn soup() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "[Event \"x\"]\n",
        "[White \"Ada\"]",
        "[Black \"Bob\"]\n",
        "[Result \"1-0\"]\n",
        "[Result \"1/2-1/2\"]",
        "[FEN \"x\"]\n",
        "[Round \"1\"]\n",
        "\n",
        "\r\n",
        " ",
        "1.",
        "e4 ",
        "Nf3+ ",
        "O-O",
        "{book}",
        "{",
        "}",
        "(",
        ")",
        ";",
        "%",
        "\n%",
        "[",
        "]",
        "\"",
        "\\",
        "1-0",
        "1/2-1/2 ",
        "*",
        "$1",
        "$",
        "!?",
        "e.p.",
        "\u{feff}",
        "\u{0}",
        "{White loses on time}",
        "zork",
    ]);
    prop::collection::vec(pieces, 0..80).prop_map(|pieces| pieces.concat())
}

fn check_any(text: &[u8], buffer: usize) -> Result<(), TestCaseError> {
    let whole = found_with(text, Depth::Moves);
    let results = found_with(BufReader::with_capacity(buffer, text), Depth::Results);
    prop_assert_eq!(&whole.unusable, &results.unusable);
    prop_assert_eq!(&whole.names, &results.names);
    prop_assert_eq!(whole.games.len(), results.games.len());
    for (one, other) in whole.games.iter().zip(&results.games) {
        prop_assert_eq!(
            (one.line, one.row.opening(), one.row.plies()),
            (other.line, other.row.opening(), other.row.plies())
        );
    }
    let lines = text.split(|&byte| byte == b'\n').count() as u64;
    prop_assert!(whole.games.iter().all(|game| (1..=lines).contains(&game.line)));
    prop_assert!(
        whole
            .unusable
            .iter()
            .all(|game| game.line <= game.at && (1..=lines).contains(&game.at))
    );
    let rows: Vec<GameRow> = whole.games.iter().map(|game| game.row).collect();
    prop_assert!(game_pairs(&rows).len() <= rows.len() / 2);
    Ok(())
}

proptest! {
    #[test]
    fn any_bytes_are_read(text in prop::collection::vec(any::<u8>(), 0..400), buffer in 1..20_usize) {
        check_any(&text, buffer)?;
    }

    #[test]
    fn any_pieces_are_read(text in soup(), buffer in 1..20_usize) {
        check_any(text.as_bytes(), buffer)?;
    }

    #[test]
    fn a_game_with_changed_bytes_is_read(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        buffer in 1..200_usize,
    ) {
        let mut text = [FASTCHESS, CUTECHESS, OWN].concat().into_bytes();
        for (place, byte) in changes {
            let at = place.index(text.len());
            text[at] = byte;
        }
        check_any(&text, buffer)?;
    }
}

#[test]
fn a_file_that_is_still_written_loses_its_last_game_alone() {
    let text = [FASTCHESS, CUTECHESS, OWN].concat();
    let all = found(&text);
    for cut in 0..text.len() {
        let now = found(&text[..cut]);
        let told = now.games.len() + now.unusable.len();
        assert_eq!(now.games, all.games[..now.games.len()], "{cut}");
        assert_eq!(
            told,
            text.match_indices("[Event").filter(|&(begin, _)| begin < cut).count(),
            "{cut}"
        );
        assert!(
            now.unusable
                .iter()
                .all(|unusable| unusable.why == PgnGameError::CutAtEnd),
            "{cut}"
        );

        // It was cut there, and written on.
        let again = found(format!("{}{text}", &text[..cut]));
        let expected = now.games.len() + all.games.len();
        assert!(again.games.len() >= expected || !again.unusable.is_empty(), "{cut}");
        // Tags that an empty line ends are a game.
        let bare = usize::from(cut > 0 && text[..cut].ends_with("\"]\n\n"));
        assert!((expected - 1..=expected + bare).contains(&again.games.len()), "{cut}");
    }
}

#[test]
fn openings_have_labels_where_they_are_noted() {
    let game =
        |tags: &str, moves: &str| format!("[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n{tags}\n{moves} 1-0\n\n");
    let long = format!("[Opening \"{}\"]\n", "x".repeat(LONGEST_VALUE + 1));
    let text = [
        game("[ECO \"C20\"]\n[Opening \"One\"]\n", "1. e4 {book} e5 {book} 2. Nf3"),
        game("[Opening \"Two\"]\n", "1. e4 {book} e5 {book} 2. Nc3"),
        game("[ECO \"B01\"]\n[Opening \"Three\"]\n", "1. e4 d5"),
        game("[FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"]\n", "1. Ka2"),
        // Neither a tag without an end to its value nor a long one makes a game unusable.
        game("[Opening \"a \"b\" c\"]\n", "1. c4 {book} c5"),
        game(&long, "1. d4 d5"),
        game("[Opening \"line 2\"]\n", "1. d4 Nf6"),
    ]
    .concat();
    let (mut names, mut openings) = (Names::default(), Openings::default());
    let (mut games, mut plain) = (Vec::new(), Vec::new());
    let each = |game: Result<UsableGame, UnusableGameError>| games.push(game.expect("a game"));
    read_with_openings(text.as_bytes(), Depth::Moves, &mut names, &mut openings, each).expect("a text");
    let each = |game: Result<UsableGame, UnusableGameError>| plain.push(game.expect("a game").row);
    read(text.as_bytes(), Depth::Moves, &mut names, each).expect("a text");
    // Rows are the same with and without openings.
    assert_eq!(games.iter().map(|game| game.row).collect::<Vec<_>>(), plain);
    let label = |game: usize| {
        let label = openings.label(games[game].opening).expect("a label");
        [label.name.as_str(), &label.fen, &label.moves]
    };
    assert_eq!(games[0].opening, games[1].opening);
    assert_eq!(label(0), ["", "", "e4 e5"]);
    assert_eq!(label(2), ["B01 Three", "", ""]);
    assert_ne!(games[2].opening, games[2].row.opening());
    assert_eq!(label(3), ["", "8/8/8/8/8/8/8/K1k5 w - - 0 1", ""]);
    assert_eq!(label(4)[2], "c4");
    assert_eq!(label(5), ["", "", ""]);
    // A line of a suite is not a name.
    assert_eq!(label(6), ["", "", ""]);
    assert_eq!(games[6].opening, games[6].row.opening());
}

/// As this program and cutechess-cli write it, and as Lichess does, which says no more.
#[test]
fn a_flag_that_cost_nothing_is_no_loss_on_time() {
    let own = Termination::FlagFallDraw { by: Side::White };
    let sentence = own.sentence(Outcome::Draw, 1);
    for (tag, comment) in [
        (own.pgn(), sentence.as_str()),
        ("time forfeit", "Draw by timeout"),
        ("Time forfeit", ""),
        ("", "Draw by timeout"),
    ] {
        let found = ending(tag, comment, PgnResult::Draw);
        assert_eq!(found, (Ending::Material, Blame::Nobody), "{tag} {comment}");
    }
    let by_the_arbiter = ending(
        "time forfeit",
        "White loses on time; 1/2-1/2 by the arbiter",
        PgnResult::Draw,
    );
    assert_eq!(by_the_arbiter, (Ending::TimeLoss, Blame::White));
}
