//! Tie-breaks beside tables that federations published.

use std::collections::BTreeMap;

use serde_json::Value as Json;
use swiss_system::standings::unplayed::TieBreakEdition;

use super::folder;
use crate::tie_break_values::{column, compare, expected, json, ranked};

/// The exercises of FIDE's Technical Commission. Where they print 0 for a mean of nothing, it is not defined here.
#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn published_exercises() {
    let folder = folder("tiebreak/published");
    let oracle = json(&folder.join("tec-individual.json"));
    let same = oracle["same_in_2024"].as_array().expect("codes");
    let mut compared = 0;
    for (edition, word) in [(TieBreakEdition::Of2024, "2024"), (TieBreakEdition::Of2026, "2026")] {
        let tournament = folder.join(format!("tec-individual-{word}.trf"));
        let own = oracle[&format!("values_{word}")].as_object().expect("values");
        let shared = same.iter().map(|code| code.as_str().expect("a code"));
        let shared = shared.map(|code| (code, &oracle["values_2026"][code]));
        let mut columns: BTreeMap<&str, &Json> = shared.collect();
        columns.extend(own.iter().map(|(code, values)| (code.as_str(), values)));
        // Scores as opponents see them are no tie-breaks.
        columns.retain(|code, _| !["ABH", "AFB"].contains(code));
        let others = columns.keys().copied().filter(|&code| code != "PTS");
        let codes: Vec<&str> = std::iter::once("PTS").chain(others).collect();
        let standings = ranked(&tournament, &codes, edition);
        for (index, code) in codes.iter().enumerate() {
            let Some(values) = columns.get(code) else { continue };
            let mut values = expected(values);
            for value in values
                .values_mut()
                .filter(|value| code.starts_with("ARO") && value.as_deref() == Some("0"))
            {
                *value = None;
            }
            compared += compare(
                &format!("exercises of {word}"),
                code,
                &column(&standings, index),
                &values,
            );
        }
    }
    assert!(compared > 600, "{compared} values");

    let encounter = &oracle["direct_encounter"];
    let standings = ranked(
        &folder.join("tec-direct-encounter.trf"),
        &["PTS", "DE"],
        TieBreakEdition::Of2026,
    );
    let stage = standings
        .stages
        .iter()
        .find(|stage| stage.group.len() == 4)
        .expect("four are level");
    let order: Vec<Vec<u32>> = stage
        .encounters
        .groups
        .iter()
        .map(|group| group.iter().map(|player| player.0).collect())
        .collect();
    assert_eq!(Json::from(order), encounter["order"]);
}

/// The final table of the Moscow Open 2018 A, under the rule of the virtual opponent.
#[test]
#[ignore = "needs files that are not in the repository: make oracles"]
fn published_table_of_2018() {
    let folder = folder("tiebreak/published");
    let oracle = json(&folder.join("moscow-open-2018-a.json"));
    let codes = ["PTS", "BH", "BH/C1", "SB"];
    let standings = ranked(&folder.join("moscow-open-2018-a.trf"), &codes, TieBreakEdition::Of2022);
    for (index, code) in codes.iter().enumerate() {
        let values = expected(&oracle["values"][code]);
        assert_eq!(
            compare("Moscow Open 2018 A", code, &column(&standings, index), &values),
            220
        );
    }
}
