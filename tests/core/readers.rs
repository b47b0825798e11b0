//! Whoever reads what others wrote takes any bytes: they are read or refused, and nobody panics or waits for ever. Event files, openings,
//! tournament files and logs have such tests of their own (`config::tests`, `game::opening`, `trf`, `forged`).

#![expect(clippy::disallowed_methods, reason = "some read files")]

use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use swissmatch::config::{RosterFormat, read_roster};
use swissmatch::game::doubt::MeasuredTime;
use swissmatch::game::handshake::{Handshake, HandshakeStep};
use swissmatch::game::opening::{SuiteFormat, parse_suite};
use swissmatch::game::play::{Game, Input, Output};
use swissmatch::game::record::{Attempts, EngineEnd, GameRecord, GameSpec};
use swissmatch::game::time_control::TimeControl;
use swissmatch::game::uci;
use swissmatch::game::variant::Variant;
use swissmatch::game::wanted::WantedOptions;
use swissmatch::game::{claims, gz};
use swissmatch::report::anchor::AnchorFile;
use swissmatch::shell::signature;

use super::specs;

/// A line as the program writes it.
const ANCHOR_LINE: &str = "{\"run\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\",\"entry\":2,\
                           \"hash\":\"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\",\"time\":\"2026-01-30T10:00:00Z\"}";

/// Bytes that look like something of a language, or like nothing.
fn text(words: &'static [&'static str]) -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        6 => proptest::sample::select(words.to_vec()).prop_map(|word| word.as_bytes().to_vec()),
        2 => any::<i64>().prop_map(|number| number.to_string().into_bytes()),
        1 => vec(any::<u8>(), 0..8),
        1 => Just(b" ".to_vec()),
    ];
    vec(word, 0..24).prop_map(|words| words.join(&b" "[..]))
}

const UCI: &[&str] = &[
    "uciok",
    "readyok",
    "bestmove",
    "ponder",
    "info",
    "depth",
    "seldepth",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "wdl",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "time",
    "multipv",
    "pv",
    "string",
    "currmove",
    "refutation",
    "id",
    "name",
    "author",
    "option",
    "type",
    "check",
    "spin",
    "combo",
    "button",
    "default",
    "min",
    "max",
    "var",
    "Hash",
    "true",
    "e2e4",
    "e7e5",
    "g1f3",
    "e7e8q",
    "0000",
    "(none)",
    "copyprotection",
    "registration",
];

fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => text(UCI),
        1 => Just(b"readyok".to_vec()),
        1 => proptest::sample::select(vec!["e2e4", "d2d4", "g1f3", "e7e5", "d7d5", "g8f6", "a1a1", "e1g1"])
            .prop_map(|word| format!("bestmove {word}").into_bytes()),
    ]
}

fn spec(clock: usize, ponder: bool, attempts: u32) -> GameSpec {
    let control: TimeControl = ["1s/move", "0:10+1", "hourglass 1:00", "40/90 SD/30"][clock]
        .parse()
        .expect("a time control");
    let mut spec = specs::spec(control);
    spec.limits.attempts = Attempts::Shared(attempts);
    spec.limits.max_plies = Some(40);
    spec.limits.ponder = [ponder, false];
    spec
}

/// Plays a game with an engine that says these lines, each after so many microseconds, then nothing.
fn play(spec: GameSpec, lines: &[(Vec<u8>, u32)]) -> GameRecord {
    let mut game = Game::new(spec).expect("the start position");
    let (mut now, mut lines) = (Duration::ZERO, lines.iter());
    for _ in 0..10_000 {
        let input = match game.poll(now) {
            Output::Over => return game.finish().0,
            Output::Send { .. } => Input::Sent { was_full: false },
            Output::Restart { .. } => Input::Restarted { waited: Duration::ZERO },
            Output::Probe => Input::Probed(None),
            Output::Doubt { .. } => Input::Doubt(MeasuredTime::default()),
            Output::Wait { until, .. } => match lines.next() {
                Some((_, after)) if now + Duration::from_micros((*after).into()) > until => {
                    now = until.max(now);
                    Input::Deadline
                }
                Some((line, after)) => {
                    now += Duration::from_micros((*after).into());
                    Input::Line(line)
                }
                None if until > now + Duration::from_secs(60) => Input::Closed(EngineEnd::ClosedPipe),
                None => {
                    now = until.max(now);
                    Input::Deadline
                }
            },
        };
        game.handle(now, input);
    }
    panic!("the game does not end");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(crate::cases(150)) })]

    #[test]
    fn any_line_of_an_engine(line in prop_oneof![line(), vec(any::<u8>(), 0..200)]) {
        let _ = (uci::read(&line), uci::read_option(&line), uci::read_move(&line), uci::ponder_word(&line));
        prop_assert!(!uci::kept(&line).chars().any(char::is_control));
        let info = uci::read_info(&line);
        let shown = format!("{info:?}");
        prop_assert!(!shown.is_empty());
        let _ = uci::variation(&line).count();
    }

    #[test]
    fn any_handshake_ends(lines in vec(line(), 0..40)) {
        let wanted = WantedOptions::default();
        let limit = Duration::from_secs(1);
        let mut handshake = Handshake::new(&wanted, limit);
        for line in &lines {
            match handshake.poll(Duration::ZERO) {
                Ok(HandshakeStep::Ready) | Err(_) => break,
                Ok(HandshakeStep::Send(_) | HandshakeStep::Wait(_)) => handshake.line(line),
            }
        }
        prop_assert!(!handshake.overdue().to_string().is_empty());
    }

    /// Its record is one that can be stored, and read by whoever looks at it.
    #[test]
    fn any_game_ends(
        lines in vec((line(), prop_oneof![9 => 0_u32..2_000, 1 => 0_u32..2_000_000]), 0..200),
        clock in 0_usize..4,
        ponder: bool,
        attempts in 1_u32..4,
    ) {
        let record = play(spec(clock, ponder, attempts), &lines);
        let stored = serde_json::to_string(&record).expect("records serialize");
        prop_assert_eq!(serde_json::from_str::<GameRecord>(&stored).expect("it is one"), record.clone());
        prop_assert!(claims::warnings(&record).is_ok());
    }

    #[test]
    fn any_roster(text in text(&[
        "name", "command", "=", "[[player]]", "\n", "\"A\"", "\"", ",", "{", "}", "[", "]", ":", "rating", "author", "options", "é", "\r\n",
        "null", "true", "name,command\n", "A,./a\n",
    ])) {
        let text = String::from_utf8_lossy(&text);
        for name in ["a.csv", "a.json", "a.toml"] {
            let format = RosterFormat::from_file_name(name).expect("a format");
            if let Err(errors) = read_roster(name, &text, format, false) {
                let is_harmless = errors.iter().all(|error| !error.to_string().contains(char::is_control));
                prop_assert!(is_harmless);
            }
        }
    }

    #[test]
    fn any_book(bytes in vec(any::<u8>(), 0..200), plies in 1_u32..12) {
        let _ = parse_suite(&bytes, SuiteFormat::Polyglot, Variant::Standard, Some(plies));
    }

    #[test]
    fn any_lines_of_an_anchor(text in text(&[
        ANCHOR_LINE, ANCHOR_LINE, "{", "}", "\"run\":", "\"entry\":", "\n", "\n\n", "null",
        "\"hash\"", "\"time\"", "-1", "1e99", ",",
    ])) {
        let text = String::from_utf8_lossy(&text);
        if let Ok(file) = AnchorFile::read(&text) {
            let _ = file.compare(&["ab", "cd"]).map(|compared| compared.note());
            let _ = file.compare(&[&"a".repeat(64), &"b".repeat(64)]).map(|compared| compared.note());
        }
    }

    #[test]
    fn any_packed_evidence(bytes in vec(any::<u8>(), 0..300), cut in 0_usize..40, of in any::<u8>()) {
        prop_assert!(gz::unpack(&bytes, 1000).map_or(0, |text| text.len()) <= 1000);
        let mut packed = gz::pack(&vec![of; 2000]);
        prop_assert!(gz::unpack(&packed, 1000).is_err());
        packed.truncate(cut);
        packed.extend(&bytes);
        let _ = gz::unpack(&packed, 3000);
    }

    #[test]
    fn any_signers(bytes in text(&[
        "ssh-ed25519", "AAAAC3NzaC1lZDI1NTE5AAAA", "cup@example.org", "namespaces=\"swissmatch\"", "\n", "#", "ecdsa-sha2-nistp256", "\"",
    ])) {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), bytes).expect("it is written");
        let _ = signature::Signers::read(file.path());
        let _ = signature::Signer::read(file.path());
    }

    #[test]
    fn any_signature(text in "\\PC{0,80}", signature in text(&[
        "-----BEGIN SSH SIGNATURE-----\n", "U1NIU0lHAAAAAQ==", "\n", "-----END SSH SIGNATURE-----\n", "AAAA",
    ])) {
        let signature = String::from_utf8_lossy(&signature);
        prop_assert!(signature::check(&text, &signature, None).is_err());
    }
}
