//! Games of the nights of a league, as a night that is played asks for them.
//!
//! The history has the key of each game, and the log of a night is read when one of its games is asked for. May not: take a game
//! whose whole key is another one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tracing::warn;

use crate::game::record::GameId;
use crate::report::nights::History;
use crate::run::earlier::{Index, Place, Row, rows};

/// Digits of a key that the history keeps.
const KEPT: usize = 32;

/// A key as the history keeps it.
pub(super) fn short(key: &str) -> String {
    key.get(..KEPT).unwrap_or(key).to_owned()
}

/// The games of all nights.
#[derive(Debug)]
pub struct NightGames {
    /// The directories of the nights' runs, in the order of the history.
    runs: Vec<PathBuf>,
    /// Where the games of each key are: the number of the night, and which game.
    games: HashMap<String, Vec<(usize, GameId)>>,
    /// The nights whose logs were read.
    read: HashMap<usize, HashMap<GameId, Row>>,
}

impl NightGames {
    /// Those of a history whose runs are in this directory.
    pub fn new(nights: &Path, history: &History) -> Self {
        let mut games: HashMap<String, Vec<(usize, GameId)>> = HashMap::new();
        for (number, night) in history.nights.iter().enumerate() {
            for game in &night.games {
                if let Some(key) = &game.key {
                    games.entry(key.clone()).or_default().push((number, game.id));
                }
            }
        }
        Self {
            runs: history.nights.iter().map(|night| nights.join(&night.dir)).collect(),
            games,
            read: HashMap::new(),
        }
    }

    fn row(&mut self, night: usize, game: GameId) -> Option<Row> {
        let dir = &self.runs[night];
        let read = self.read.entry(night).or_insert_with(|| {
            let rows = rows(dir).unwrap_or_else(|why| {
                warn!(dir = %dir.display(), %why, "no games are taken from a night");
                Vec::new()
            });
            rows.into_iter().map(|row| (row.game, row)).collect()
        });
        read.get(&game).cloned()
    }
}

impl Index for NightGames {
    fn find(&mut self, key: &str) -> Vec<Place> {
        let games = self.games.get(&short(key)).cloned().unwrap_or_default();
        let rows = games.into_iter().filter_map(|(night, game)| {
            let Row {
                key: whole,
                from,
                record,
                ..
            } = self.row(night, game)?;
            let dir = self.runs[night].clone();
            (whole == key).then_some(Place { dir, record, from })
        });
        rows.collect()
    }
}
