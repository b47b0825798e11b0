//! Duplicate games: games that equal an earlier one move by move, from the start position on.
//!
//! May not: know moves; games are compared by the hash that the log keeps of them.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::games::FinishedGameJson;
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_game::record::GameId;
use swissmatch_tournament::state::{EndedGame, State};

/// The number of games that repeat an earlier one. This can be told without keeping any game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RepeatedGames {
    count: usize,
    /// Games that repeat one of the same two players, with either colours.
    by_pair: BTreeMap<[PairingNumber; 2], usize>,
}

impl RepeatedGames {
    /// Counts among the games that have ended and in which a move was played.
    pub(crate) fn of(state: &State) -> Self {
        let hashes = repeated(state);
        let mut sets: HashMap<(u64, [PairingNumber; 2]), usize> = HashMap::new();
        let mut games = 0;
        for (hash, game) in with_moves(state).filter(|(hash, _)| hashes.contains(hash)) {
            let mut pair = [game.finished.white, game.finished.black];
            pair.sort_unstable();
            *sets.entry((hash, pair)).or_default() += 1;
            games += 1;
        }
        let mut by_pair = BTreeMap::new();
        for ((_, pair), games) in sets.into_iter().filter(|(_, games)| *games > 1) {
            *by_pair.entry(pair).or_default() += games - 1;
        }
        Self {
            count: games - hashes.len(),
            by_pair,
        }
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// The games that repeat one of the same two players, with either colours.
    pub(crate) fn of_same_players(&self) -> usize {
        self.by_pair.values().sum()
    }

    /// A sentence on them; `None` where there are none.
    pub(crate) fn sentence(&self) -> Option<String> {
        let (count, same) = (self.count(), self.of_same_players());
        (count > 0).then(|| {
            let games = count::of(count, "game repeats", "games repeat");
            format!("{games} an earlier one move by move, {same} of them an earlier game of the same two players")
        })
    }
}

/// The games in which a move was played, with the hash of their moves.
fn with_moves(state: &State) -> impl Iterator<Item = (u64, EndedGame)> {
    let games = state.finished_games();
    games.filter_map(|game| Some((game.finished.movetext?, game)))
}

/// The hashes that several games have.
fn repeated(state: &State) -> HashSet<u64> {
    let mut hashes: Vec<u64> = with_moves(state).map(|(hash, _)| hash).collect();
    hashes.sort_unstable();
    let several = hashes.windows(2).filter(|two| two[0] == two[1]);
    several.map(|two| two[0]).collect()
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Duplicates<'a> {
    state: &'a State,
    /// Sets of equal games, each in schedule order, and ordered by their first games.
    sets: Vec<Vec<GameId>>,
    repeated: RepeatedGames,
}

impl<'a> Duplicates<'a> {
    /// Searches the games that have ended and in which a move was played.
    pub fn find(state: &'a State) -> Self {
        let hashes = repeated(state);
        let mut by_moves: HashMap<u64, Vec<GameId>> = HashMap::new();
        for (hash, game) in with_moves(state).filter(|(hash, _)| hashes.contains(hash)) {
            by_moves.entry(hash).or_default().push(game.finished.id);
        }
        let mut sets: Vec<_> = by_moves.into_values().collect();
        sets.iter_mut().for_each(|games| games.sort_unstable());
        sets.sort_unstable_by_key(|games| games[0]);
        Self {
            state,
            sets,
            repeated: RepeatedGames::of(state),
        }
    }

    fn games(&self, ids: &[GameId]) -> impl Iterator<Item = EndedGame> {
        ids.iter().filter_map(|id| self.state.finished_game(*id))
    }

    /// All of them, set by set, and the number for each two players.
    pub fn page(&self, state: &State) -> Page {
        let columns = vec![
            Column::figures("Set"),
            Column::words("Game"),
            Column::names("White"),
            Column::names("Black"),
            Column::words("Result").goes(0),
            Column::figures("Plies played").goes(1),
        ];
        let rows = (1..).zip(&self.sets).flat_map(|(set, games): (usize, _)| {
            self.games(games).map(move |game| {
                vec![
                    set.to_string(),
                    game.finished.id.to_string(),
                    name(state, game.finished.white),
                    name(state, game.finished.black),
                    game.outcome().word().to_owned(),
                    game.finished.plies.to_string(),
                ]
            })
        });
        let sentence = self.repeated.sentence();
        let notes = self
            .repeated
            .by_pair
            .iter()
            .map(|(&[one, other], &games)| {
                let games = count::of(games, "game", "games");
                format!("{} – {}: {games}", name(state, one), name(state, other))
            })
            .collect();
        Page {
            table: match sentence {
                Some(_) => Table {
                    columns,
                    rows: rows.collect(),
                },
                None => Table::default(),
            },
            title: sentence.unwrap_or_else(|| "No game repeats an earlier one move by move".to_owned()),
            notes,
        }
    }

    /// Like [`Self::page`], but as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self, state: &State) -> String {
        let pairs = self
            .repeated
            .by_pair
            .iter()
            .map(|(&players, &repeated_games)| PairDuplicatesJson {
                players: players.map(|player| name(state, player)),
                pairing_numbers: players.map(|player| player.0),
                repeated_games,
            });
        let lines = |games: &Vec<GameId>| {
            self.games(games)
                .map(|game| FinishedGameJson::new(state, &game))
                .collect()
        };
        let document = DuplicatesJson {
            schema: 1,
            event: event(state),
            repeated_games: self.repeated.count(),
            between_the_same_players: self.repeated.of_same_players(),
            pairs: pairs.collect(),
            sets: self.sets.iter().map(lines).collect(),
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }
}

#[derive(Serialize)]
struct DuplicatesJson {
    schema: u32,
    event: String,
    repeated_games: usize,
    between_the_same_players: usize,
    pairs: Vec<PairDuplicatesJson>,
    sets: Vec<Vec<FinishedGameJson>>,
}

#[derive(Serialize)]
struct PairDuplicatesJson {
    players: [String; 2],
    pairing_numbers: [u32; 2],
    repeated_games: usize,
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;

    #[test]
    fn none() {
        let state = fixture::over();
        let found = Duplicates::find(&state);
        assert_eq!((found.repeated.count(), found.repeated.sentence()), (0, None));
        assert_snapshot!(found.page(&state).text(None), @"No game repeats an earlier one move by move");
    }

    #[test]
    fn by_set_and_by_pair() {
        // The number of plies stands for the moves of each game, except for the first two of round 1 and the last of all.
        let state = fixture::with_movetexts(|game| {
            let alike = matches!(
                (game.id.round, game.id.board, game.id.game),
                (1, 1, _) | (3, 1, 2) | (2, 2, 1)
            );
            (game.plies > 0).then(|| {
                if alike {
                    "a".repeat(64)
                } else {
                    format!("{:016x}", game.plies).repeat(4)
                }
            })
        });
        let found = Duplicates::find(&state);
        assert_eq!((found.repeated.count(), found.repeated.of_same_players()), (3, 2));
        assert_snapshot!(found.page(&state).text(None), @"
        3 games repeat an earlier one move by move, 2 of them an earlier game of the same two players

        Set  Game   White    Black    Result   Plies played
        ───────────────────────────────────────────────────
          1  1.1.1  Alpha    Charlie  1-0                61
          1  1.1.2  Charlie  Alpha    1/2-1/2            48
          1  2.2.1  Charlie  Bravo    1-0                 9
          1  3.1.2  Alpha    Charlie  1-0                31

        Alpha – Charlie: 2 games
        ");
        let json: serde_json::Value = serde_json::from_str(&found.json(&state)).expect("JSON");
        assert_eq!(json["repeated_games"], 3);
        assert_eq!(json["between_the_same_players"], 2);
        assert_eq!(json["pairs"][0]["players"], serde_json::json!(["Alpha", "Charlie"]));
        assert_eq!(json["sets"][0].as_array().map(Vec::len), Some(4));
    }
}
