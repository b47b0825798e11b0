//! Tournament files of others, read, written and looked at as a pairing system does.
#![expect(clippy::disallowed_methods, reason = "it reads files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestRunner;
use swiss_system::pairing::file::{before_round, pairing_of_round, rounds_played};
use swiss_system::pairing::history::{Encounter, PairingNumber, RoundPairing};
use swiss_system::trf::{Reading, Record, Tournament, read, write};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The tournament files in a folder, sorted.
pub(super) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "trf"));
    files.sort();
    files
}

/// The files that are in the repository.
fn own_files() -> Vec<PathBuf> {
    let files = files_in(&root().join("tests/data/dutch"));
    assert_eq!(
        files.len(),
        207 + 294,
        "whole tournaments, and those of which a round is to be paired"
    );
    files
}

pub(super) fn name(path: &Path) -> String {
    path.file_stem().expect("a name").to_string_lossy().into_owned()
}

pub(super) fn load(path: &Path) -> (Vec<u8>, Reading) {
    let bytes = std::fs::read(path).expect("the file is there");
    let reading = read(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (bytes, reading)
}

/// All pairing numbers of a round.
pub(super) fn paired(pairing: &RoundPairing) -> BTreeSet<PairingNumber> {
    let pairs = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
    pairs.chain(pairing.bye).collect()
}

/// Who is to be paired in a round.
pub(super) fn present(tournament: &Tournament, round: u32, name: &str) -> BTreeSet<PairingNumber> {
    let before = before_round(tournament, round).unwrap_or_else(|error| panic!("{name}, round {round}: {error}"));
    let history = before.history;
    assert_eq!(history.rounds_paired(), round as usize - 1, "{name}, round {round}");
    history
        .numbers()
        .filter(|&number| history.player(number).present)
        .collect()
}

/// Who is paired by another program.
pub(super) fn expected(path: &Path) -> Option<BTreeSet<PairingNumber>> {
    let text = std::fs::read_to_string(path.with_extension("expected")).ok()?;
    let numbers = text.lines().skip(1).flat_map(|line| line.split(' '));
    let numbers: BTreeSet<PairingNumber> = numbers
        .map(|word| PairingNumber(word.parse().expect("a number")))
        .filter(|number| number.0 > 0)
        .collect();
    (!text.starts_with("none")).then_some(numbers)
}

/// What has to hold for a file that a program wrote which follows the format.
fn check_made_file(path: &Path) {
    let name = name(path);
    let (
        bytes,
        Reading {
            tournament, warnings, ..
        },
    ) = load(path);
    assert_eq!(warnings, [], "{name}");
    let text = write(&tournament).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(
        text.as_bytes() == bytes,
        "{name} is not the same after reading and writing"
    );
    let played = rounds_played(&tournament);
    let rounds = tournament.rounds().expect("a record 142");
    for round in 1..=played {
        assert_eq!(
            present(&tournament, round, &name),
            paired(&pairing_of_round(&tournament, round)),
            "{name}, round {round}: who is present is who was paired"
        );
    }
    match name.split_once('-') {
        None => assert_eq!(played, rounds, "{name} is complete"),
        Some((_, rounds_in_name)) => {
            assert_eq!(played.to_string(), rounds_in_name, "{name}");
            let pairing = expected(path).expect("the next round");
            assert_eq!(
                present(&tournament, played + 1, &name),
                pairing,
                "{name}, the next round"
            );
        }
    }
    if played > 0 {
        let color = |tournament: &Tournament| {
            before_round(tournament, 1)
                .expect("it can be paired")
                .rules
                .initial_color
        };
        let mut unsaid = tournament.clone();
        unsaid
            .records
            .retain(|record| !matches!(record, Record::InitialColor(_)));
        assert_eq!(
            color(&unsaid),
            color(&tournament),
            "{name}: the initial colour as round 1 shows it"
        );
    }
    let last = before_round(&tournament, played.min(rounds - 1) + 1).expect("it can be paired");
    assert_eq!(
        last.warnings,
        Vec::<String>::new(),
        "{name}: the points of the lines are those of the results"
    );
}

#[test]
fn files_in_canonical_form_come_out_as_they_went_in() {
    for path in own_files() {
        check_made_file(&path);
    }
}

/// What must hold for any bytes: no panic, and what is read can be looked at.
fn survives(bytes: &[u8]) {
    let Ok(reading) = read(bytes) else {
        return;
    };
    let tie_breaks = reading.tie_breaks().map(|(_, tie_breaks)| tie_breaks);
    assert_eq!(tie_breaks, reading.tournament.tie_breaks());
    let codes = tie_breaks.map_or(&[][..], |tie_breaks| &tie_breaks.codes);
    assert!(codes.len() <= 100 && codes.concat().bytes().all(|byte| byte.is_ascii_graphic()));
    let Reading {
        tournament,
        lines,
        warnings,
    } = reading;
    assert_eq!(lines.len(), tournament.records.len());
    assert!(warnings.len() <= 301);
    if let Ok(text) = write(&tournament) {
        assert_eq!(read(text.as_bytes()).expect("own text").tournament, tournament);
    }
    let next = rounds_played(&tournament) + 1;
    for round in (0..=next.min(20)).chain([next + 1]) {
        let pairing = pairing_of_round(&tournament, round);
        let Ok(before) = before_round(&tournament, round) else {
            continue;
        };
        let history = before.history;
        let known = |number: &PairingNumber| number.index() < history.players.len();
        assert!(paired(&pairing).iter().all(known));
        assert!(
            history
                .forbidden
                .iter()
                .all(|(one, other)| known(one) && known(other) && one < other)
        );
        for player in &history.players {
            assert_eq!(player.rounds.len(), round as usize - 1);
            for past in &player.rounds {
                if let Encounter::Met { opponent, .. } | Encounter::Forfeit { opponent } = past.encounter {
                    assert!(known(&opponent));
                }
            }
        }
    }
}

/// One change of a file.
#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Cut(usize, usize),
    Repeat(usize, usize),
    Insert(usize, String),
    Truncate(usize),
}

impl Change {
    /// Places are taken modulo the length.
    fn apply(&self, bytes: &mut Vec<u8>) {
        let length = bytes.len().max(1);
        let range = |from: &usize, long: &usize| (from % length)..(from % length + long).min(length);
        if bytes.is_empty() {
            return;
        }
        match self {
            Self::Flip(at, byte) => bytes[at % length] = *byte,
            Self::Cut(from, long) => drop(bytes.drain(range(from, long))),
            Self::Repeat(from, long) => {
                let copy = bytes[range(from, long)].to_vec();
                bytes.splice(from % length..from % length, copy);
            }
            Self::Insert(at, text) => drop(bytes.splice(at % length..at % length, text.bytes())),
            Self::Truncate(at) => bytes.truncate(at % length),
        }
    }
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let at = any::<usize>;
    let byte = prop_oneof![any::<u8>(), b'0'..=b'9', Just(b' '), Just(b'\n'), Just(b'\r')];
    let words = vec![
        " ",
        "\n",
        "\r\n",
        "\t",
        "0000 - Z",
        "9999",
        "½",
        "\nXXP 1 2 3",
        "\n250       1.0   1 999    1 9999",
        "\n142 999",
        "\n260   1 999    1    2",
        "\nXXA    1  9.9",
        "\nXXZ 1",
        "\nXXC rank",
        "\n299           1.0         1",
        "\n162  W 3.0",
        "\n202 BH/C1,SB",
        "\n212 PTS;DE BH",
        "\n240 H   1    1",
        "\n310   1",
    ];
    let change = prop_oneof![
        4 => (at(), byte).prop_map(|(at, byte)| Change::Flip(at, byte)),
        1 => (at(), 0..200_usize).prop_map(|(from, long)| Change::Cut(from, long)),
        1 => (at(), 0..200_usize).prop_map(|(from, long)| Change::Repeat(from, long)),
        2 => (at(), select(words)).prop_map(|(at, word)| Change::Insert(at, word.to_owned())),
        1 => at().prop_map(Change::Truncate),
    ];
    vec(change, 1..6)
}

/// Lines of records that are known, with anything behind the code.
const LINES: &str = concat!(
    "((001|012|142|152|162|202|212|240|250|260|299|300|310|320|330|352|362|013|XX[RCAPSZ]|BB[WU])",
    "[ -~½\t]{0,60}\r?\n){0,8}"
);

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn any_lines_are_read_or_refused(text in LINES) {
        survives(text.as_bytes());
    }
}

#[test]
fn damaged_files_are_read_or_refused() {
    survive_damage(&own_files());
}

/// The small ones of these files, damaged at random.
pub(super) fn survive_damage(files: &[PathBuf]) {
    let bytes = files.iter().map(|path| std::fs::read(path).expect("the file is there"));
    let samples: Vec<Vec<u8>> = bytes.filter(|bytes| bytes.len() < 16_000).collect();
    let config = ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let damaged = (select(samples), changes()).prop_map(|(mut bytes, changes)| {
        changes.iter().for_each(|change| change.apply(&mut bytes));
        bytes
    });
    let result = TestRunner::new(config).run(&damaged, |bytes| {
        survives(&bytes);
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn files_made_to_be_slow_are_not() {
    let numbers: String = (1..=9999).map(|number| format!(" {number:>4}")).collect();
    let players: String = (1..=9999).map(|number| format!("001 {number:>4}\n")).collect();
    let lines = |line: &str, times: usize| format!("142 999\n{players}{}", format!("{line}\n").repeat(times));
    for text in [
        lines(&format!("XXP{numbers}"), 20),
        lines(&format!("260   1 999{numbers}"), 20),
        lines(&format!("240 H   1{numbers}"), 20),
        lines(&format!("299           1.0     {numbers}"), 20),
        lines(&format!("XXZ{numbers}"), 20),
        lines("250       1.0   1 999    1 9999", 2000),
        lines("XXP 1 2", 100_000),
        format!("001 9999{:83}{}", "", "0000 - U  ".repeat(999)),
    ] {
        survives(text.as_bytes());
    }
}
