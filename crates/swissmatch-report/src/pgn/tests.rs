//! What `pgn` writes, read as text and by another reader.

use std::ops::ControlFlow;

use insta::assert_snapshot;
use pgn_reader::{RawComment, RawTag, Reader, SanPlus, Skip, Visitor};

use super::super::fixture;
use super::*;
use Comments::{Full, None as NoComments};
use swiss_system::pairing::history::PairingNumber;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::{AttemptEnd, FailedAttempt};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::log::{Act, ArbiterActed, Entry};
use swissmatch_tournament::setup::{PgnExtra, Rationale, Setup};

const DATE: &str = "2026.11.20";

fn opening(fen: Option<&str>, moves: &str, name: &str) -> Opening {
    let moves = moves.split_ascii_whitespace().map(|uci| uci.parse().expect("a move"));
    Opening {
        fen: fen.map(str::to_owned),
        moves: moves.collect(),
        name: name.to_owned(),
        variant: Variant::Standard,
    }
}

/// The record of game 1 on board 1 of round 1, Alpha against Charlie, a tenth of a second a move, nothing evaluated.
fn record(opening: Opening, moves: &str) -> GameRecord {
    let plies = moves.split_ascii_whitespace().count();
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
    GameRecord {
        opening,
        moves: moves.to_owned(),
        time_us: vec![100_000; plies],
        eval: vec![None; plies],
        depth: vec![None; plies],
        ..fixture::empty_record(&finished)
    }
}

fn ended(record: GameRecord, outcome: Outcome, termination: Termination) -> String {
    let finished = fixture::finished((1, 1, 1), (1, 3), outcome, termination);
    let record = GameRecord {
        outcome,
        termination,
        ..record
    };
    game(&fixture::two_rounds(), &finished, Some(&record), DATE, Full).expect("legal moves")
}

/// The movetext alone.
fn moves_of(pgn: &str) -> &str {
    pgn.split_once("\n\n")
        .expect("an empty line after the tags")
        .1
        .trim_end()
}

#[test]
fn scholars_mate_after_an_opening() {
    let mut record = record(
        opening(None, "e2e4 e7e5", "King's Pawn \"Game\""),
        "f1c4 b8c6 d1h5 g8f6 h5f7",
    );
    record.eval = vec![
        Some(Eval::Centipawns(31)),
        Some(Eval::Centipawns(-105)),
        Some(Eval::Centipawns(0)),
        Some(Eval::Mate(-1)),
        Some(Eval::Mate(1)),
    ];
    record.depth = vec![Some(12), Some(9), None, Some(4), Some(39)];
    record.time_us = vec![520_000, 1_234_567, 499, 500, 30_000_000];
    assert_snapshot!(ended(record, Outcome::WhiteWins, Termination::Checkmate), @r#"
    [Event "Spring qualifier"]
    [Site "?"]
    [Date "2026.11.20"]
    [Round "1.1.1"]
    [White "Alpha"]
    [Black "Charlie"]
    [Result "1-0"]
    [Board "1"]
    [GamePair "1.1.1"]
    [WhiteElo "2100"]
    [BlackElo "1900"]
    [WhiteType "program"]
    [BlackType "program"]
    [TimeControl "30/move"]
    [Termination "normal"]
    [PlyCount "7"]
    [Opening "King's Pawn \"Game\""]

    1. e4 {book} e5 {book} 2. Bc4 {+0.31/12 0.520s} Nc6 {-1.05/9 1.235s} 3. Qh5
    {0.00/0 0.000s} Nf6 {-M2/4 0.001s} 4. Qxf7# {+M1/39 30.000s, White mates} 1-0
    "#);
}

#[test]
fn without_comments_moves_alone_are_left() {
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
    let record = record(opening(None, "e2e4 e7e5", "x"), "g1f3 b8c6");
    let pgn = game(&fixture::two_rounds(), &finished, Some(&record), DATE, NoComments).expect("legal moves");
    assert_eq!(moves_of(&pgn), "1. e4 e5 2. Nf3 Nc6 1/2-1/2");
    assert!(pgn.ends_with("1/2-1/2\n\n"));
}

#[test]
fn castling_promotion_en_passant_and_disambiguation_from_a_fen() {
    let fen = "r3k2r/P5p1/8/5P2/8/8/8/R3K2R b KQkq - 3 17";
    let moves = "g7g5 f5g6 e8c8 a7a8q c8d7 a8b7 d7e8 e1g1 h8h1 g1h1 d8d1 a1d1";
    let pgn = ended(
        record(opening(Some(fen), "", "an ending"), moves),
        Outcome::Draw,
        Termination::MoveCap,
    );
    assert_snapshot!(pgn, @r#"
    [Event "Spring qualifier"]
    [Site "?"]
    [Date "2026.11.20"]
    [Round "1.1.1"]
    [White "Alpha"]
    [Black "Charlie"]
    [Result "1/2-1/2"]
    [Board "1"]
    [GamePair "1.1.1"]
    [WhiteElo "2100"]
    [BlackElo "1900"]
    [WhiteType "program"]
    [BlackType "program"]
    [TimeControl "30/move"]
    [Termination "adjudication"]
    [PlyCount "12"]
    [SetUp "1"]
    [FEN "r3k2r/P5p1/8/5P2/8/8/8/R3K2R b KQkq - 3 17"]
    [Opening "an ending"]

    17... g5 {0.100s} 18. fxg6 {0.100s} O-O-O {0.100s} 19. a8=Q+ {0.100s} Kd7
    {0.100s} 20. Qb7+ {0.100s} Ke8 {0.100s} 21. O-O {0.100s} Rh1+ {0.100s} 22. Kxh1
    {0.100s} Rd1 {0.100s} 23. Raxd1 {0.100s, Draw by the move cap} 1/2-1/2
    "#);
}

#[test]
fn two_rooks_that_reach_one_square() {
    let fen = "4k3/8/8/8/R7/8/4K3/R6R w - - 0 1";
    let pgn = ended(
        record(opening(Some(fen), "", "x"), "a1d1 e8e7 a4a1"),
        Outcome::Draw,
        Termination::MoveCap,
    );
    assert!(moves_of(&pgn).contains("1. Rad1 "), "{pgn}");
    assert!(pgn.contains("[Opening \"x\"]"), "{pgn}");
    let unnamed = record(opening(Some(fen), "", "line 2"), "a1d1");
    let pgn = ended(unnamed, Outcome::Draw, Termination::MoveCap);
    assert!(pgn.contains("[FEN ") && !pgn.contains("[Opening "), "{pgn}");
}

#[test]
fn lines_are_shorter_than_eighty_characters() {
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(40);
    let mut record = record(opening(None, "e2e4 e7e5", "x"), &shuffle);
    record.eval.fill(Some(Eval::Mate(i32::MIN)));
    record.depth.fill(Some(u32::MAX));
    record.time_us.fill(u64::MAX);
    record.failed_attempts = attempts(160, &AttemptEnd::Illegal("ü".repeat(200)));
    let pgn = ended(record, Outcome::WhiteWins, Termination::IllegalMove { by: Side::Black });
    assert!(pgn.lines().all(|line| line.chars().count() < 80), "{pgn}");
    assert_eq!(read(&pgn).moves, 162);
}

#[test]
fn what_a_model_said_beside_its_move_is_one_comment() {
    let state = fixture::over_with(|setup| {
        let alpha = setup.players.iter_mut().find(|player| player.name == "Alpha");
        alpha.expect("it plays").model = Some("local:m".to_owned());
        setup.model.rationale = Some(Rationale::Pgn);
    });
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
    let long = ["%", "[Event", "x", "{}"].map(|word| word.repeat(120)).join(" ");
    for said in ["The \"centre\" {e4}.\n[Result \"0-1\"]\n% so", &long, "}", ""] {
        let mut record = record(opening(None, "", "x"), "e2e4 e7e5");
        record.rationale = vec![Some(said.to_owned()); 2];
        let pgn = game(&state, &finished, Some(&record), DATE, Full).expect("legal moves");
        assert!(pgn.lines().all(|line| line.chars().count() < 80), "{pgn}");
        let moves = moves_of(&pgn);
        // Black is an engine.
        assert_eq!((moves.matches("rationale=").count(), read(&pgn).moves), (1, 2), "{pgn}");
        assert_eq!(
            (moves.matches('{').count(), moves.matches('}').count()),
            (2, 2),
            "{pgn}"
        );
        assert!(!moves.lines().any(|line| line.starts_with(['%', '['])), "{pgn}");
        if said.starts_with("The") {
            assert!(
                moves.contains("rationale=\"The 'centre' (e4).[Result '0-1']% so\""),
                "{pgn}"
            );
        }
    }
}

/// Three failed attempts at a ply.
fn attempts(ply: u32, end: &AttemptEnd) -> Vec<FailedAttempt> {
    let attempt = |attempt| FailedAttempt {
        ply,
        side: Side::Black,
        attempt,
        time_us: 1,
        end: end.clone(),
        wakeup_us: None,
        service_us: None,
        ready_us: None,
        doubt: None,
        meant: None,
    };
    (1..=3).map(attempt).collect()
}

#[test]
fn the_reason_names_what_was_said() {
    let lost = Termination::IllegalMove { by: Side::Black };
    let said = |end| {
        let mut record = record(opening(None, "", "x"), "e2e4");
        record.failed_attempts = attempts(1, &end);
        moves_of(&ended(record, Outcome::WhiteWins, lost)).to_owned()
    };
    assert_snapshot!(said(AttemptEnd::Illegal("e7e4".to_owned())), @"1. e4 {0.100s, Black makes an illegal move after 3 attempts: e7e4} 1-0");
    assert_snapshot!(said(AttemptEnd::Unparsable("} 1. e4 {\n[Result \"0-1\"]".to_owned())), @r#"
    1. e4 {0.100s,
    Black makes an illegal move after 3 attempts: 1. e4 [Result "0-1"]} 1-0
    "#);
    assert_snapshot!(said(AttemptEnd::Unparsable("{}\u{1b}".to_owned())), @"1. e4 {0.100s, Black makes an illegal move after 3 attempts} 1-0");
}

#[test]
fn a_time_forfeit_after_the_opening() {
    let mut record = record(opening(None, "e2e4", "x"), "");
    record.failed_attempts = attempts(0, &AttemptEnd::Silent);
    let pgn = ended(record, Outcome::WhiteWins, Termination::TimeForfeit { by: Side::Black });
    assert_eq!(
        moves_of(&pgn),
        "1. e4 {book} {Black resigns (loses on time after 3 attempts)} 1-0"
    );
    assert!(
        pgn.contains("[Termination \"time forfeit\"]\n[PlyCount \"1\"]\n"),
        "{pgn}"
    );
}

#[test]
fn a_game_that_was_not_played() {
    let by = Side::White;
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::BlackWins, Termination::DidNotStart { by });
    let state = fixture::two_rounds();
    assert_snapshot!(game(&state, &finished, None, "????.??.??", Full).expect("no moves"), @r#"
    [Event "Spring qualifier"]
    [Site "?"]
    [Date "????.??.??"]
    [Round "1.1.1"]
    [White "Alpha"]
    [Black "Charlie"]
    [Result "0-1"]
    [Board "1"]
    [GamePair "1.1.1"]
    [WhiteElo "2100"]
    [BlackElo "1900"]
    [WhiteType "program"]
    [BlackType "program"]
    [TimeControl "30/move"]
    [Termination "abandoned"]
    [PlyCount "0"]

    {White forfeits: its engine did not start} 0-1
    "#);
    let pgn = game(&state, &finished, None, DATE, NoComments).expect("no moves");
    assert_eq!(moves_of(&pgn), "0-1");
}

/// Game 1.2.2, which Delta lost on time, after these acts.
fn after(acts: Vec<Act>) -> String {
    let mut entries = fixture::log_of_two_rounds();
    let played = entries[5].clone();
    for act in acts {
        let is_replay = matches!(act, Act::Replay { .. });
        entries.truncate(6);
        entries.push(Entry::Acted(Box::new(ArbiterActed {
            act,
            by: "Ann".to_owned(),
            reason: "why".to_owned(),
            overruled: Vec::new(),
        })));
        if is_replay {
            entries.push(played.clone());
        }
    }
    let state = State::fold(&entries).expect("a log");
    let id = GameId {
        round: 1,
        playoff: 0,
        board: 2,
        game: 2,
    };
    let mut games = state.finished_games();
    let finished = games.find(|game| game.finished.id == id).expect("it has ended");
    let pgn = game(&state, &finished, None, DATE, Full).expect("no moves");
    let tags = [
        "[Round",
        "[Result",
        "[GamePair",
        "[Termination",
        "[Ruling",
        "[Annulled",
        "[Replayed",
        "{",
    ];
    let lines: Vec<&str> = pgn
        .lines()
        .filter(|line| tags.iter().any(|tag| line.starts_with(tag)))
        .collect();
    lines.join("\n")
}

#[test]
fn what_the_arbiter_made_of_a_game_stands_in_it() {
    let id: GameId = "1.2.2".parse().expect("a game");
    assert_snapshot!(after(Vec::new()), @r#"
    [Round "1.2.2"]
    [Result "0-1"]
    [GamePair "1.2.1"]
    [Termination "time forfeit"]
    {White loses on time} 0-1
    "#);
    assert_snapshot!(after(vec![Act::Void { game: id }]), @r#"
    [Round "1.2.2"]
    [Result "*"]
    [GamePair "1.2.1"]
    [Termination "time forfeit"]
    [Ruling "void by the arbiter; it had ended 0-1, time-forfeit"]
    {White loses on time; void by the arbiter} *
    "#);
    let drawn = Act::SetResult {
        game: id,
        outcome: Outcome::Draw,
    };
    assert_snapshot!(after(vec![drawn]), @r#"
    [Round "1.2.2"]
    [Result "1/2-1/2"]
    [GamePair "1.2.1"]
    [Termination "time forfeit"]
    [Ruling "1/2-1/2 by the arbiter; it had ended 0-1, time-forfeit"]
    {White loses on time; 1/2-1/2 by the arbiter} 1/2-1/2
    "#);
    assert_snapshot!(after(vec![Act::Replay { game: id }]), @r#"
    [Round "1.2.2"]
    [Result "0-1"]
    [GamePair "1.2.1"]
    [Termination "time forfeit"]
    [Replayed "once by order of the arbiter; this is the last playing"]
    {White loses on time} 0-1
    "#);
    let annulled = Act::Disqualify {
        player: PairingNumber(4),
        annul: true,
    };
    assert_snapshot!(after(vec![annulled]), @r#"
    [Round "1.2.2"]
    [Result "0-1"]
    [GamePair "1.2.1"]
    [Termination "time forfeit"]
    [Annulled "Delta is disqualified, and its results are annulled"]
    {White loses on time} 0-1
    "#);
}

#[test]
fn attempts_that_failed_before_a_move_are_marked() {
    let mut record = record(opening(None, "", "x"), "e2e4 e7e5");
    record.eval[1] = Some(Eval::Centipawns(-12));
    record.depth[1] = Some(7);
    record.failed_attempts = attempts(1, &AttemptEnd::Late);
    record.failed_attempts[2].end = AttemptEnd::Illegal("} {".to_owned());
    let pgn = ended(record, Outcome::Draw, Termination::MoveCap);
    assert_eq!(
        moves_of(&pgn),
        "1. e4 {0.100s} e5 {-0.12/7 0.100s, overruns=2, illegal=1, Draw by the move cap}\n1/2-1/2"
    );
}

#[test]
fn illegal_records_are_refused() {
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
    let refused = |record: GameRecord| {
        let broken = game(&fixture::two_rounds(), &finished, Some(&record), DATE, Full).expect_err("illegal");
        broken.to_string()
    };
    assert_eq!(
        refused(record(opening(None, "", "x"), "e2e4 e2e4")),
        "`e2e4` (ply 1 of the game) is not a legal move"
    );
    assert_eq!(
        refused(record(opening(None, "e2e5", "x"), "")),
        "`e2e5` is not a legal move of the opening"
    );
    assert_eq!(
        refused(record(opening(Some("x"), "", "x"), "")),
        "`x` is not a legal position"
    );
}

/// The contents of a game as a reader of PGN finds them.
#[derive(Default)]
struct PgnContents {
    tags: Vec<(String, String)>,
    moves: usize,
    comments: Vec<String>,
}

fn read(pgn: &str) -> PgnContents {
    struct Collect;
    impl Visitor for Collect {
        type Tags = PgnContents;
        type Movetext = PgnContents;
        type Output = PgnContents;
        fn begin_tags(&mut self) -> ControlFlow<PgnContents, PgnContents> {
            ControlFlow::Continue(PgnContents::default())
        }
        fn tag(&mut self, found: &mut PgnContents, name: &[u8], value: RawTag<'_>) -> ControlFlow<PgnContents> {
            let name = String::from_utf8_lossy(name).into_owned();
            found.tags.push((name, value.decode_utf8_lossy().into_owned()));
            ControlFlow::Continue(())
        }
        fn begin_movetext(&mut self, found: PgnContents) -> ControlFlow<PgnContents, PgnContents> {
            ControlFlow::Continue(found)
        }
        fn san(&mut self, found: &mut PgnContents, _: SanPlus) -> ControlFlow<PgnContents> {
            found.moves += 1;
            ControlFlow::Continue(())
        }
        fn comment(&mut self, found: &mut PgnContents, comment: RawComment<'_>) -> ControlFlow<PgnContents> {
            found
                .comments
                .push(String::from_utf8_lossy(comment.as_bytes()).into_owned());
            ControlFlow::Continue(())
        }
        fn begin_variation(&mut self, _: &mut PgnContents) -> ControlFlow<PgnContents, Skip> {
            panic!("no variations are written");
        }
        fn end_game(&mut self, found: PgnContents) -> PgnContents {
            found
        }
    }
    let mut reader = Reader::new(pgn.as_bytes());
    let found = reader.read_game(&mut Collect).expect("readable").expect("a game");
    assert!(
        reader.read_game(&mut Collect).expect("readable").is_none(),
        "one game was written as several: {pgn}"
    );
    found
}

#[test]
fn nothing_breaks_out_of_tags_or_comments() {
    let evil = "Evil\"] [Result \"1-0\"] {x} \\\r\n[Result \"1-0\"]\n\n1. e4 1-0 ; %\u{202e}";
    let state = fixture::with_names([evil; 5]);
    let lost = Termination::IllegalMove { by: Side::Black };
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::WhiteWins, lost);
    let mut record = record(opening(None, "e2e4", evil), "e7e5");
    record.failed_attempts = attempts(1, &AttemptEnd::Unparsable(evil.to_owned()));
    let pgn = game(&state, &finished, Some(&record), evil, Full).expect("legal moves");
    let found = read(&pgn);
    let names: Vec<&str> = found.tags.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "Event",
            "Site",
            "Date",
            "Round",
            "White",
            "Black",
            "Result",
            "Board",
            "GamePair",
            "WhiteElo",
            "BlackElo",
            "WhiteType",
            "BlackType",
            "TimeControl",
            "Termination",
            "PlyCount",
            "Opening"
        ]
    );
    let harmless = "Evil\"] [Result \"1-0\"] {x} \\[Result \"1-0\"]1. e4 1-0 ; %";
    for (name, value) in &found.tags {
        if matches!(name.as_str(), "White" | "Black" | "Opening" | "Date") {
            assert_eq!(value, harmless, "{name}");
        }
    }
    assert_eq!((found.moves, found.comments.len()), (2, 2));
    // This also holds for readers that go line by line: a tag begins with its bracket, movetext never does.
    let tags = pgn.lines().take_while(|line| !line.is_empty()).count();
    assert_eq!(tags, found.tags.len());
    assert!(
        pgn.lines().skip(tags).all(|line| !line.starts_with(['[', '%'])),
        "{pgn}"
    );
}

/// A record in which every extra has a value.
fn full_record() -> GameRecord {
    let mut record = record(opening(None, "", "x"), "e2e4 e7e5");
    record.eval = vec![Some(Eval::Centipawns(31)), None];
    record.depth = vec![Some(12), None];
    record.clock_us = vec![9_900_000, 9_800_000];
    record.nodes = vec![Some(4000), None];
    record.seldepth = vec![Some(20), None];
    record.nps = vec![Some(100_000), None];
    record.hashfull = vec![Some(3), None];
    record.tbhits = vec![Some(0), None];
    record.engine_time_ms = vec![Some(98), Some(103)];
    record.wakeup_us = vec![Some(52), None];
    record.processor_us = vec![Some(97_000), None];
    record
        .pv
        .push("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 e8g8 c2c3 d7d5");
    record.pv.push("");
    record
}

fn with_extras(record: &GameRecord, extras: &[PgnExtra]) -> String {
    let mut state = fixture::two_rounds();
    let mut created = state.created().clone();
    created.setup.run.pgn_extras = extras.to_vec();
    state = State::fold(&[swissmatch_tournament::log::Entry::Created(Box::new(created))]).expect("a log");
    let finished = fixture::finished((1, 1, 1), (1, 3), Outcome::Draw, Termination::MoveCap);
    moves_of(&game(&state, &finished, Some(record), DATE, Full).expect("legal moves")).to_owned()
}

#[test]
fn extras_stand_in_the_order_and_spelling_of_other_runners() {
    let reversed: Vec<_> = PgnExtra::IN_ORDER.into_iter().rev().collect();
    assert_snapshot!(with_extras(&full_record(), &reversed), @r#"
    1. e4 {+0.31/12 0.100s, tl=9.900s, latency=0.002s, n=4000, sd=20, nps=100000,
    hashfull=3, tbhits=0, engine-time=0.098s, wakeup=0.000052s, processor=0.097s,
    pv="e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 e8g8 c2c3
    d7d5"} e5 {0.100s, tl=9.800s, latency=-0.003s, engine-time=0.103s,
    Draw by the move cap} 1/2-1/2
    "#);
    let few = with_extras(&full_record(), &[PgnExtra::Nodes, PgnExtra::Seldepth]);
    assert_eq!(
        few,
        "1. e4 {+0.31/12 0.100s, n=4000, sd=20} e5 {0.100s, Draw by the move cap}\n1/2-1/2"
    );
}

/// Whatever a record holds, a comment stays one comment and no line of it begins with text of an agent.
#[test]
fn extras_stay_inside_their_comment() {
    let mut record = full_record();
    record.nodes = vec![Some(u64::MAX); 2];
    record.nps = vec![Some(u64::MAX); 2];
    record.engine_time_ms = vec![Some(u64::MAX); 2];
    record.processor_us = vec![Some(u64::MAX); 2];
    record.pv = Default::default();
    record.pv.push("e2e4 e7e5 } 1. d4 {\n[Result \"0-1\"] %x e7e5");
    record.pv.push(&"e7e5 ".repeat(500));
    let pgn = with_extras(&record, &PgnExtra::IN_ORDER);
    assert!(pgn.replace('\n', " ").contains("pv=\"e2e4 e7e5\"}"), "{pgn}");
    assert!(pgn.lines().all(|line| line.len() < 80), "{pgn}");
    assert_eq!((pgn.matches('{').count(), pgn.matches('}').count()), (2, 2));
    let text = format!("[Event \"x\"]\n\n{pgn}\n\n");
    assert_eq!(read(&text).moves, 2);
}

#[test]
fn search_bounds_are_tags_of_their_own() {
    let tags = |change: &dyn Fn(&mut Setup)| {
        let state = fixture::over_with(|setup| change(setup));
        let of_game = state.finished_games().next().expect("a game");
        let pgn = game(&state, &of_game, None, DATE, Full).expect("no moves");
        let lines = pgn
            .lines()
            .filter(|line| line.contains("Nodes") || line.contains("Depth"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    assert!(tags(&|_| ()).is_empty());
    assert_eq!(tags(&|setup| setup.game.nodes = Some(500)), ["[Nodes \"500\"]"]);
    let of_each = (0..5).flat_map(|index| tags(&|setup| setup.players[index].depth = Some(7)));
    let mut own: Vec<String> = of_each.collect();
    own.sort_unstable();
    assert_eq!(own, ["[BlackDepth \"7\"]", "[WhiteDepth \"7\"]"], "of the two who play");
}
