//! The order of submission, the starting order, and the players who are kept apart.
//!
//! May not: know anything but the entries and the keys.

use std::cmp::Reverse;

use swiss_system::lot;
use swiss_system::pairing::history::PairingNumber;

use super::setup::{Kinship, PlayerKeys, Seeding, SwissKeys};

/// The place of each entry, in file order, in the order of submission, from 0: entries with a time come first, by time,
/// then those without in file order.
pub fn submission(players: &[PlayerKeys]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..players.len()).collect();
    order.sort_by_key(|&entry| {
        (
            players[entry].submitted_at.is_none(),
            players[entry].submitted_at,
            entry,
        )
    });
    let mut place = vec![0; players.len()];
    for (rank, entry) in (0..).zip(order) {
        place[entry] = rank;
    }
    place
}

/// The entries (indices in the file) in the order of their pairing numbers.
pub fn starting_order(players: &[PlayerKeys], seeding: Seeding, rng_seed: u64) -> Vec<usize> {
    let submitted = submission(players);
    let mut order: Vec<usize> = (0..players.len()).collect();
    match seeding {
        // "By rating (highest first), then earlier submission, then name; unrated after rated."
        Seeding::Rating | Seeding::Ladder => order.sort_by(|&a, &b| {
            let rating = |entry: usize| match seeding {
                Seeding::Ladder => players[entry].ladder.map(|ladder| ladder.rating),
                _ => players[entry].rating(),
            };
            let key = |entry: usize| (Reverse(rating(entry)), submitted[entry]);
            key(a).cmp(&key(b)).then_with(|| players[a].name.cmp(&players[b].name))
        }),
        Seeding::Submitted => order.sort_by_key(|&entry| submitted[entry]),
        Seeding::Listed => {}
        Seeding::Random => order = lot::order(rng_seed, "starting order", players.len()),
    }
    order
}

/// True if two players share one of these attributes.
pub(crate) fn are_alike(one: &PlayerKeys, other: &PlayerKeys, in_one_of: &[Kinship]) -> bool {
    in_one_of.iter().any(|kinship| match kinship {
        Kinship::Team => one.team.is_some() && one.team == other.team,
        Kinship::Author => one.author.is_some() && one.author == other.author,
    })
}

/// Pairs that are never made, by `swiss.keep_apart` and `swiss.forbidden`. `order` has the entries in the order of
/// their pairing numbers.
pub fn forbidden_pairs(
    players: &[PlayerKeys],
    order: &[usize],
    swiss: &SwissKeys,
) -> Vec<(PairingNumber, PairingNumber)> {
    let together = |one: &PlayerKeys, other: &PlayerKeys| {
        let named = |group: &Vec<String>| group.contains(&one.name) && group.contains(&other.name);
        are_alike(one, other, &swiss.keep_apart) || swiss.forbidden.iter().any(named)
    };
    if swiss.keep_apart.is_empty() && swiss.forbidden.is_empty() {
        return Vec::new();
    }
    let numbers = || (0..order.len()).map(PairingNumber::from_index);
    let player = |number: PairingNumber| &players[order[number.index()]];
    let pairs = numbers().flat_map(|one| numbers().map(move |other| (one, other)));
    pairs
        .filter(|&(one, other)| one < other && together(player(one), player(other)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, rating: Option<i32>, day: Option<u8>) -> PlayerKeys {
        PlayerKeys {
            name: name.to_owned(),
            command: "engine".to_owned(),
            rating,
            submitted_at: day.map(|day| format!("2026-01-{day:02}T00:00:00Z").parse().expect("a time")),
            ..PlayerKeys::default()
        }
    }

    #[test]
    fn orders_by_rating_then_submission_and_unrated_last() {
        let players = [
            player("unrated early", None, Some(1)),
            player("1800 late", Some(1800), Some(9)),
            player("2000", Some(2000), None),
            player("1800 early", Some(1800), Some(2)),
            player("unrated, no time", None, None),
        ];
        let names = |seeding| -> Vec<&str> {
            starting_order(&players, seeding, 7)
                .into_iter()
                .map(|entry| players[entry].name.as_str())
                .collect()
        };
        assert_eq!(
            names(Seeding::Rating),
            ["2000", "1800 early", "1800 late", "unrated early", "unrated, no time"]
        );
        assert_eq!(
            names(Seeding::Submitted),
            ["unrated early", "1800 early", "1800 late", "2000", "unrated, no time"]
        );
        assert_eq!(names(Seeding::Listed)[0], "unrated early");
        assert_eq!(submission(&players), [0, 2, 3, 1, 4]);
    }
}
