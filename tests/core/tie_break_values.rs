//! Tie-breaks beside values that others computed: `tests/data/tiebreak/`.
#![expect(clippy::disallowed_methods, reason = "it reads test data")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value as Json;
use swiss_system::standings::criterion::{Code, Criterion};
use swiss_system::standings::unplayed::TieBreakEdition;
use swiss_system::standings::{RankingRules, Standings, file, rank};
use swiss_system::trf;

/// Pairing numbers with their values as written; `None` where not defined.
pub(super) type Column = BTreeMap<u32, Option<String>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(super) fn json(path: &Path) -> Json {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(super) fn ranked(path: &Path, codes: &[&str], edition: TieBreakEdition) -> Standings {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reading = trf::read(&bytes).unwrap_or_else(|error| panic!("{}: {error:?}", path.display()));
    let results = file::results(&reading.tournament, None, None, 1).expect("a tournament");
    let order = codes.iter().map(|code| code.parse::<Criterion>().expect("a tie-break"));
    let rules = RankingRules {
        order: order.collect(),
        edition,
        ..RankingRules::default()
    };
    rank(&results, &rules)
}

/// What a criterion gives, shown as the oracles write it: a direct encounter that broke nothing is 0.
pub(super) fn column(standings: &Standings, index: usize) -> Column {
    let criterion = standings.criteria[index];
    let cell = |value: Option<String>| value.or_else(|| criterion.code.is_place().then(|| "0".to_owned()));
    let rows = standings.rows.iter();
    rows.map(|row| {
        (
            row.player.0,
            cell(row.cells[index].value.map(|value| value.to_string())),
        )
    })
    .collect()
}

/// The values of an oracle; numbers as they are written there.
pub(super) fn expected(values: &Json) -> Column {
    let values = values.as_object().expect("values by pairing number");
    let value = |(number, value): (&String, &Json)| {
        let text = (!value.is_null()).then(|| value.to_string().trim_end_matches(".0").to_owned());
        (number.parse().expect("a pairing number"), text)
    };
    values.iter().map(value).collect()
}

/// Two decimals, half up: how the oracles print means.
fn rounded(value: Option<&String>) -> Option<i64> {
    let hundredths = |text: &String| {
        let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
        let thousandths: i64 = format!("{whole}{:0<3.3}", rest).parse().expect("a decimal");
        (thousandths + 5).div_euclid(10)
    };
    value.map(hundredths)
}

/// Compares one column; counts what was compared.
pub(super) fn compare(name: &str, code: &str, got: &Column, expected: &Column) -> usize {
    for (number, value) in expected {
        let ours = got.get(number).unwrap_or_else(|| panic!("{name}: no player {number}"));
        let is_same = match code {
            "AOB" => rounded(ours.as_ref()) == rounded(value.as_ref()),
            _ => ours == value,
        };
        assert!(is_same, "{name}: {code} of {number}: {ours:?}, expected {value:?}");
    }
    expected.len()
}

/// One file of values beside its tournament; gives how many numbers were compared.
fn check(values: &Path, tournament: &Path) -> usize {
    let name = values.display().to_string();
    let oracle = json(values);
    let mut compared = 0;
    for (edition, word) in [(TieBreakEdition::Of2024, "2024"), (TieBreakEdition::Of2026, "2026")] {
        let of_edition = &oracle["editions"][word];
        let columns = of_edition["values"].as_object().expect("values");
        // Direct encounter right after the points, as the oracles have it.
        let others = columns
            .keys()
            .map(String::as_str)
            .filter(|&code| code != "PTS" && code != "DE");
        let codes: Vec<&str> = ["PTS", "DE"].into_iter().chain(others).collect();
        let standings = ranked(tournament, &codes, edition);
        for (index, &code) in codes.iter().enumerate() {
            compared += compare(&name, code, &column(&standings, index), &expected(&columns[code]));
        }
        for (list, places) in of_edition["places"].as_object().expect("places") {
            let codes: Vec<&str> = list.split(", ").collect();
            let places_of = ranked(tournament, &codes, edition);
            let places_of = places_of
                .rows
                .iter()
                .map(|row| (row.player.0, Some(row.place.to_string())))
                .collect();
            compared += compare(&name, list, &places_of, &expected(places));
        }
    }
    compared
}

/// All files of a folder; the tournament of each lies in `tournaments`.
fn check_all(folder: &Path, tournaments: &Path) -> usize {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} has values", folder.display());
    let tournament = |values: &Path| tournaments.join(values.with_extension("trf").file_name().expect("a name"));
    files.iter().map(|values| check(values, &tournament(values))).sum()
}

#[test]
fn computed_values() {
    let data = root().join("tests/data");
    assert_eq!(check_all(&data.join("tiebreak"), &data.join("dutch")), 70_280);
}

#[test]
fn every_code_can_be_ranked_by() {
    let tournament = root().join("tests/data/dutch/s020.trf");
    let names: Vec<&str> = Code::all().map(Code::name).collect();
    let standings = ranked(&tournament, &names, TieBreakEdition::Of2026);
    assert_eq!(standings.criteria.len(), names.len());
    // The lot is among them, so nobody shares a place.
    assert!((1..).zip(&standings.rows).all(|(place, row)| row.place == place));
}
