//! Openings of every format, and Chess960, in whole events with real engines.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position, uci::UciMove};

use crate::support::{Place, engine, system_engine};

/// An event of one mini-match of stockfish and alphabeta, one after the other, with these keys.
fn event(games: u32, mini_match: &str, game: &str) -> String {
    let (stockfish, alphabeta) = (system_engine("stockfish"), engine("alphabeta"));
    format!(
        "preset = \"none\"\n[event]\nname = \"openings\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = {games}\n{mini_match}\n\
         [game]\nmax_moves = 40\nmargin = \"5s\"\n{game}\n[run]\nconcurrency = 2\n\
         [[player]]\nname = \"Stockfish\"\ncommand = \"{stockfish}\"\nnodes = 300\noptions = {{ Hash = 1, Threads = 1 }}\n\
         [[player]]\nname = \"Alpha\"\ncommand = \"{alphabeta}\"\ndepth = 2\n"
    )
}

/// Plays it without a fault; gives what it said, and the records.
#[track_caller]
fn play(place: &Place, text: &str) -> (String, Vec<Value>) {
    place.write("event.toml", text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let standings = place.export_json("run", "json");
    let players = standings["players"].as_array().expect("a list of players");
    assert!(players.iter().all(|player| player["faults"] == 0), "{players:#?}");
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let records = records
        .lines()
        .map(|line| serde_json::from_str(line).expect("a record"));
    (ran.stderr(), records.collect())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn pack(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a Vec takes everything");
    encoder.finish().expect("a Vec takes everything")
}

fn write_bytes(place: &Place, name: &str, bytes: &[u8]) {
    std::fs::write(place.path(name), bytes).expect("the file is written");
}

#[test]
fn chess960_from_its_start_positions_with_stockfish() {
    let place = Place::new();
    let (_, records) = play(&place, &event(8, "openings = \"chess960\"", "variant = \"chess960\""));
    assert_eq!(records.len(), 8);
    for pair in records.chunks(2) {
        assert_eq!(pair[0]["opening"], pair[1]["opening"], "the colours alone are reversed");
        assert_eq!(
            (&pair[0]["white"], &pair[0]["black"]),
            (&pair[1]["black"], &pair[1]["white"])
        );
        assert_eq!(pair[0]["opening"]["variant"], "chess960");
    }
    let pgn = place.read("run/games.pgn");
    assert_eq!(pgn.matches("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"").count(), 8);
    let manifest = place.read("run/manifest.json");
    assert!(manifest.contains("\"source\": \"chess960\""), "{manifest}");
}

/// Castling is in the opening, so that every engine has to read it, and can be in the game.
#[test]
fn castling_of_chess960_is_read_and_written() {
    let place = Place::new();
    let suite = "[Variant \"Chess960\"]\n[FEN \"nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w KQkq - 0 1\"]\n\n\
                 1. Nf3 Nf6 2. O-O O-O *\n";
    write_bytes(&place, "suite.pgn.gz", &pack(suite.as_bytes()));
    let text_of = event(2, "openings = \"suite.pgn.gz\"", "variant = \"chess960\"");
    let (_, records) = play(&place, &text_of);
    for record in &records {
        assert_eq!(text(&record["opening"]["moves"]), "g1f3 g8f6 f1h1 f8h8");
        assert_eq!(
            text(&record["opening"]["fen"]),
            "nrbbqknr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQKNR w HBhb - 0 1"
        );
    }
    assert_eq!(
        place.read("run/games.pgn").matches("2. O-O {book} O-O {book}").count(),
        2
    );
}

#[test]
fn an_engine_that_does_not_play_chess960_is_refused() {
    let place = Place::new();
    let gnuchess = system_engine("gnuchess");
    let text = event(2, "openings = \"chess960\"", "variant = \"chess960\"")
        + &format!("[[player]]\nname = \"GNU Chess\"\ncommand = \"{gnuchess}\"\nargs = [\"--uci\"]\n");
    place.write("event.toml", &text);
    let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    ran.expect_code(4);
    let said = ran.stderr();
    assert!(
        said.contains("player.command: it does not play Chess960 (game.variant): it has no option UCI_Chess960"),
        "{said}"
    );
    assert!(!place.path("run").exists());
}

#[test]
fn games_from_a_fen_with_black_to_move() {
    let place = Place::new();
    place.write(
        "suite.fen",
        "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2\n\
         r3k2r/ppp2ppp/2n5/3pq3/8/2N1B3/PPP2PPP/R2QK2R b KQkq - 3 12\n",
    );
    let mini_match = "openings = \"suite.fen\"\nopening_order = \"sequential\"";
    let (_, records) = play(&place, &event(4, mini_match, "time_control = \"60+1\"\nmax_plies = 5"));
    let pgn = place.read("run/games.pgn");
    let games: Vec<&str> = pgn.split("[Event ").skip(1).collect();
    // Black mates at once, with either player.
    for (game, record) in games[..2].iter().zip(&records) {
        assert!(
            game.contains("[Result \"0-1\"]") && game.contains("[PlyCount \"1\"]"),
            "{game}"
        );
        assert!(game.contains("\n2... Qh4#") && game.contains("[SetUp \"1\"]"), "{game}");
        assert_eq!(record["result"], "0-1");
        assert_eq!(record["time_us"].as_array().map(Vec::len), Some(1));
    }
    for (game, record) in games[2..].iter().zip(&records[2..]) {
        let movetext = game.split_once("\n\n").expect("movetext").1;
        assert!(
            movetext.starts_with("12... ") && movetext.contains(" 13. "),
            "{movetext}"
        );
        assert!(!movetext.contains("13... "), "{movetext}");
        assert!(game.contains("[PlyCount \"5\"]"), "{game}");
        // Black has moved three times, White twice: each clock has lost its own time alone.
        let clocks: Vec<u64> = serde_json::from_value(record["clock_us"].clone()).expect("clocks");
        let times: Vec<u64> = serde_json::from_value(record["time_us"].clone()).expect("times");
        let (base, increment) = (60_000_000, 1_000_000);
        for ply in 0..5 {
            let own: u64 = times[..=ply].iter().rev().step_by(2).sum();
            let left = base + increment * (ply as u64 / 2 + 1) - own;
            // Times are rounded down to microseconds, each one.
            assert!(
                (left - 3..=left).contains(&clocks[ply]),
                "ply {ply}: {} of {left}",
                clocks[ply]
            );
        }
    }
}

/// The position after some moves, and an entry of a book for it. Weights fall with the place in the list.
fn entry(line: &str, uci: &str, weight: u16) -> Vec<u8> {
    let position = line.split_whitespace().fold(Chess::default(), |position, uci| {
        let uci: UciMove = uci.parse().expect("a move");
        let legal = uci.to_move(&position).expect("legal");
        position.play(legal).expect("legal")
    });
    let key: u64 = position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0;
    let at = |place: usize| u16::from(uci.as_bytes()[place] - if place.is_multiple_of(2) { b'a' } else { b'1' });
    let mv = at(3) << 3 | at(2) | at(1) << 9 | at(0) << 6;
    [
        &key.to_be_bytes()[..],
        &mv.to_be_bytes(),
        &weight.to_be_bytes(),
        &[0; 4],
    ]
    .concat()
}

#[test]
fn a_packed_polyglot_book_gives_its_lines_in_order() {
    let place = Place::new();
    let book = [
        entry("", "d2d4", 1),
        entry("", "e2e4", 2),
        entry("e2e4", "c7c5", 2),
        entry("e2e4", "e7e5", 3),
        entry("d2d4", "d7d5", 1),
        entry("d2d4 d7d5", "c2c4", 1),
    ];
    write_bytes(&place, "Book.BIN.gz", &pack(&book.concat()));
    let keys = "openings = \"Book.BIN.gz\"\nopening_order = \"sequential\"\nopening_plies = 2\nopening_start = 2";
    let (said, records) = play(&place, &event(8, keys, "max_plies = 4"));
    let moves: Vec<&str> = records.iter().map(|record| text(&record["opening"]["moves"])).collect();
    let (kings, sicilian, queens) = ("e2e4 e7e5", "e2e4 c7c5", "d2d4 d7d5");
    assert_eq!(
        moves,
        [sicilian, sicilian, queens, queens, kings, kings, sicilian, sicilian]
    );
    assert!(
        said.contains("the event may need 4 openings, but Book.BIN.gz has 3: after that they are used again"),
        "{said}"
    );
    // Without a number of plies a tree has no lines.
    place.write("no-plies.toml", &event(8, "openings = \"Book.BIN.gz\"", ""));
    let ran = place.swissmatch(&["run", "no-plies.toml", "--out", "other"]);
    ran.expect_code(4);
    assert!(
        ran.stderr().contains("mini_match.opening_plies = 8"),
        "{}",
        ran.stderr()
    );
}

/// One opening for four games, whose move numbers differ: what deterministic agents played is played again, and told.
#[test]
fn duplicate_games_are_told() {
    let place = Place::new();
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -";
    place.write("suite.epd", &format!("{board}\n{board} fmvn 5; id \"again\";\n"));
    let (said, records) = play(&place, &event(4, "openings = \"suite.epd\"", "max_plies = 12"));
    assert!(
        said.contains("1 of the 2 openings of suite.epd lead to the same position as an earlier one: line 2 as line 1"),
        "{said}"
    );
    assert_eq!(records[0]["moves"], records[2]["moves"], "deterministic agents");
    let status = place.swissmatch(&["status", "run"]).stdout();
    assert!(
        status
            .contains("2 games repeat an earlier one move by move, 2 of them an earlier game of the same two players"),
        "{status}"
    );
    let list = place.swissmatch(&["status", "run", "--duplicates"]);
    list.expect_code(0);
    for line in ["Stockfish – Alpha: 2 games", "1.1.1", "1.1.3", "1.1.4"] {
        assert!(list.stdout().contains(line), "{line}: {}", list.stdout());
    }
    let json = place.swissmatch(&["status", "run", "--duplicates", "--json"]).stdout();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["repeated_games"], 2);
    assert_eq!(json["sets"].as_array().map(Vec::len), Some(2));
}

/// What the cap counts: of an opening of moves those, of a position what its number says.
#[test]
fn with_plies_from_the_start_the_opening_counts_for_the_cap() {
    let place = Place::new();
    place.write(
        "suite.pgn",
        "[Event \"four plies\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n[Event \"Black to move\"]\n[SetUp \"1\"]\n\
         [FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 5\"]\n\n*\n",
    );
    let mini_match = "openings = \"suite.pgn\"\nopening_order = \"sequential\"";
    let keys = "time_control = \"60+1\"\nplies_from = \"start\"\nmax_plies = 14";
    let (_, records) = play(&place, &event(4, mini_match, keys));
    for (record, plies) in records.iter().zip([10, 10, 5, 5]) {
        assert_eq!(text(&record["termination"]), "move-cap", "{record}");
        assert_eq!(record["time_us"].as_array().map(Vec::len), Some(plies), "{record}");
    }
    let rules = place.read("run/rules.md");
    assert!(
        rules.contains("A game is a draw after 14 plies; those of the opening count."),
        "{rules}"
    );
    let account = place.swissmatch(&["explain", "game", "1.1.3", "run"]).stdout();
    for told in [
        "After 14 plies, those of the opening counted, the game is a draw (game.plies_from).",
        "The game reached 14 plies, those of its opening counted (game.plies_from), the cap",
    ] {
        assert!(account.contains(told), "{told}: {account}");
    }
    place.write("short.toml", &event(4, mini_match, &keys.replace("14", "9")));
    let refused = place.swissmatch(&["run", "short.toml", "--out", "other"]);
    refused.expect_code(4);
    let why = refused.stderr();
    assert!(
        why.contains("game.plies_from") && why.contains("of suite.pgn has 9, as many as a game may have"),
        "{why}"
    );
}

#[test]
fn openings_that_cannot_be_had_are_refused_before_the_start() {
    let place = Place::new();
    place.write("suite.txt", "x");
    place.write("empty.epd", "# nothing\n");
    place.write("one.fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    write_bytes(&place, "broken.epd.gz", b"no gzip");
    for (openings, expected) in [
        (
            "\"suite.txt\"",
            "the extension must be .epd, .fen, .pgn or .bin, with or without .gz",
        ),
        (
            "\"empty.epd\"",
            "empty.epd: line 1: the suite has no openings; expected at least one",
        ),
        ("\"broken.epd.gz\"", "broken.epd.gz: it cannot be unpacked: "),
        (
            "\"one.fen\"\nopening_start = 2",
            "mini_match.opening_start: one.fen has 1 opening, so none to begin with",
        ),
        ("\"absent.epd.gz\"", "absent.epd.gz cannot be read: "),
    ] {
        place.write("event.toml", &event(2, &format!("openings = {openings}"), ""));
        let ran = place.swissmatch(&["run", "event.toml", "--out", "run"]);
        ran.expect_code(4);
        assert!(ran.stderr().contains(expected), "{expected}: {}", ran.stderr());
        assert!(!place.path("run").exists());
    }
}
