//! Tournament files of others: how they are read, and the hard positions among them paired.
#![expect(clippy::disallowed_methods, reason = "it reads files")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use swiss_system::pairing::dutch;
use swiss_system::pairing::dutch::rules::DutchEdition;
use swiss_system::pairing::file::{before_round, pairing_of_round, rounds_played};
use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swiss_system::pairing::infeasible::NoPairingError;
use swiss_system::trf::{Reading, read, write};

use super::folder;
use crate::trf::{expected, files_in, load, name, paired, present, survive_damage};

fn foreign_files() -> Vec<PathBuf> {
    let folders = ["real", "tiebreak/published"];
    folders.into_iter().flat_map(|name| files_in(&folder(name))).collect()
}

/// The round that a hard position is about.
fn round_of(name: &str) -> u32 {
    match name {
        "accel-round1" | "py4swiss-d2" => 1,
        "bbp-dutch-2025-c9" => 2,
        "accel-mid-brackets" => 3,
        "forbidden-only-legal" | "forbidden-group" | "accel-float-history" | "bye-c9-tie" => 4,
        "py4swiss-no-legal-odd" => 4,
        "py4swiss-both-absolute-1" => 5,
        "dispute-seed735265-r7" | "open-c6-completion-6" => 7,
        "rule-delta-1-seed1-r8" | "rule-delta-7-seed24-r8" | "dispute-seed7073463-r8" => 8,
        "rule-delta-3-seed8-r9" | "rule-delta-5-seed19-r9" => 9,
        "deep-rounds-ineligible" => 15,
        other => panic!("{other} is new"),
    }
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn hard_positions_are_read_as_the_round_that_they_are_about() {
    for path in files_in(&folder("dutch-edge")) {
        let name = name(&path);
        let (_, Reading { tournament, .. }) = load(&path);
        let round = round_of(&name);
        assert_eq!(rounds_played(&tournament) + 1, round, "{name}");
        let present = present(&tournament, round, &name);
        if let Some(pairing) = expected(&path) {
            assert_eq!(present, pairing, "{name}");
        }
        let warnings = before_round(&tournament, round).expect("it can be paired").warnings;
        let told: Vec<&str> = match name.as_str() {
            "bbp-dutch-2025-c9" => {
                vec!["the initial colour is missing (record 152 or XXC); taken as White, as round 1 shows"]
            }
            _ => Vec::new(),
        };
        assert_eq!(warnings, told, "{name}");
    }
}

/// What is known of a file that others made: players, rounds, warnings of reading, kinds of warnings before the last
/// round that it has.
fn known(name: &str) -> (usize, u32, usize, &'static [&'static str]) {
    const ROUNDS: &str = "the number of rounds is missing";
    const COLOR: &str = "the initial colour is missing";
    match name {
        "bbppairings-raw" => (209, 5, 2, &[ROUNDS, COLOR]),
        "gros-2010-round-4" => (52, 4, 0, &[]),
        "karl-mala-2005" => (284, 7, 10, &[ROUNDS, COLOR]),
        "lichess-2020-05-29" => (13, 10, 0, &[]),
        "moscow-open-2018-a" => (220, 9, 0, &[COLOR]),
        "tec-direct-encounter" => (16, 9, 0, &[COLOR]),
        "tec-individual-2024" | "tec-individual-2026" => (16, 5, 0, &[COLOR]),
        other => panic!("{other} is new"),
    }
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn foreign_files_are_read_with_warnings() {
    for path in foreign_files() {
        let name = name(&path);
        let (
            _,
            Reading {
                tournament, warnings, ..
            },
        ) = load(&path);
        let played = rounds_played(&tournament);
        let (players, rounds, told, before_last) = known(&name);
        assert_eq!(
            (tournament.players().count(), played, warnings.len()),
            (players, rounds, told),
            "{name}"
        );
        let text = write(&tournament).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            read(text.as_bytes()).expect("own text").tournament,
            tournament,
            "{name}"
        );
        for round in 1..=played {
            let was_paired = paired(&pairing_of_round(&tournament, round));
            assert_eq!(present(&tournament, round, &name), was_paired, "{name}, round {round}");
        }
        let warnings = before_round(&tournament, played).expect("it can be paired").warnings;
        let kinds: Vec<bool> = warnings
            .iter()
            .zip(before_last)
            .map(|(warning, kind)| warning.starts_with(kind))
            .collect();
        assert_eq!(kinds, vec![true; before_last.len()], "{name}: {warnings:?}");
        assert_eq!(warnings.len(), before_last.len(), "{name}: {warnings:?}");
    }
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn a_file_in_the_middle_of_a_tournament_names_who_is_absent() {
    let path = folder("real").join("gros-2010-round-4.trf");
    let (_, Reading { tournament, .. }) = load(&path);
    let present = present(&tournament, 5, "gros");
    let absent: Vec<u32> = (1..=52)
        .filter(|&number| !present.contains(&PairingNumber(number)))
        .collect();
    assert_eq!(absent, [22, 28, 43], "record XXZ");
}

/// White and Black of each pair, and the bye as opponent 0, in no order.
fn sorted(pairing: &RoundPairing) -> BTreeSet<(u32, u32)> {
    let pairs = pairing.pairs.iter().map(|pair| (pair.white.0, pair.black.0));
    pairs.chain(pairing.bye.map(|bye| (bye.0, 0))).collect()
}

/// As [`sorted`]; `None` where there is no legal pairing.
fn told(path: &Path) -> Option<BTreeSet<(u32, u32)>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let pair = |line: &str| {
        let (white, black) = line.split_once(' ').expect("a pair");
        (white.parse().expect("a number"), black.parse().expect("a number"))
    };
    (!text.starts_with("none")).then(|| text.lines().skip(1).map(pair).collect())
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn hard_positions_are_paired_as_expected() {
    let mut older = 0;
    for path in files_in(&folder("dutch-edge")) {
        let name = name(&path);
        let (_, Reading { tournament, .. }) = load(&path);
        let mut before = before_round(&tournament, round_of(&name)).expect("it can be paired");
        for (edition, extension) in [
            (DutchEdition::Of2026, "expected"),
            (DutchEdition::Of2017, "expected-before-2026"),
        ] {
            let expected = path.with_extension(extension);
            if edition == DutchEdition::Of2017 && !expected.is_file() {
                continue;
            }
            older += usize::from(edition == DutchEdition::Of2017);
            before.rules.edition = edition;
            let ours = match dutch::pair(&before.history, &before.rules) {
                Ok(pairing) => Some(sorted(&pairing)),
                Err(NoPairingError::NoLegalPairing(_)) => None,
                Err(other) => panic!("{name}: {other}"),
            };
            assert_eq!(ours, told(&expected), "{name}, {edition:?}");
        }
    }
    assert_eq!(older, 4, "positions that the text before 2026 pairs too");
}

#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn damaged_files_of_others_are_read_or_refused() {
    let mut files = foreign_files();
    files.extend(files_in(&folder("dutch-edge")));
    survive_damage(&files);
}
