//! Games of the nights of a league, as a night that is played asks for them.
//!
//! The history has the key of each game, and the log of the night in which it was played is read when one of its games is asked for.
//! Nights that took a game from there are not looked at. May not: take a game whose whole key is another one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use tracing::warn;

use crate::earlier::{Index, ReusableGame, ReuseSource, rows};
use swissmatch_game::record::GameId;
use swissmatch_report::nights::{History, with_noise};

/// Digits of a key that the history keeps.
const KEPT: usize = 32;

/// A key as the history keeps it.
pub(super) fn short(key: &str) -> String {
    key.get(..KEPT).unwrap_or(key).to_owned()
}

/// The games of all nights, each where it was played.
#[derive(Debug)]
pub struct NightGames {
    /// The directories of the nights' runs, in the order of the history.
    runs: Vec<PathBuf>,
    /// The key of each game as a number, the number of its night, and which game; sorted.
    games: Vec<(u128, usize, GameId)>,
    /// The nights whose logs were read.
    read: HashMap<usize, HashMap<GameId, ReusableGame>>,
}

impl NightGames {
    /// Those of a history whose runs are in this directory.
    pub fn new(nights: &Path, history: &History) -> Self {
        let mut games = Vec::new();
        // Games on a noisy machine are not rated: they are played again.
        let quiet = (0..)
            .zip(with_noise(history))
            .filter(|(_, (_, noisy))| noisy.is_empty());
        for (number, (night, _)) in quiet {
            let played = night.games.iter().filter(|game| game.from.is_none());
            games.extend(played.filter_map(|game| Some((as_number(game.key.as_deref()?)?, number, game.id))));
        }
        games.sort_unstable();
        Self {
            runs: history.nights.iter().map(|night| nights.join(&night.dir)).collect(),
            games,
            read: HashMap::new(),
        }
    }

    fn row(&mut self, night: usize, game: GameId) -> Option<ReusableGame> {
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

/// A key as the history keeps it, as a number; `None` of what is no key.
fn as_number(short: &str) -> Option<u128> {
    u128::from_str_radix(short, 16).ok()
}

impl Index for NightGames {
    fn find(&mut self, key: &str) -> Vec<ReuseSource> {
        let Some(wanted) = as_number(&short(key)) else {
            return Vec::new();
        };
        let first = self.games.partition_point(|(key, ..)| *key < wanted);
        let found = self.games[first..].iter().take_while(|(key, ..)| *key == wanted);
        let found: Vec<(usize, GameId)> = found.map(|(_, night, game)| (*night, *game)).collect();
        let rows = found.into_iter().filter_map(|(night, game)| {
            let ReusableGame {
                key: whole,
                from,
                record,
                ..
            } = self.row(night, game)?;
            let dir = self.runs[night].clone();
            (whole == key).then_some(ReuseSource { dir, record, from })
        });
        rows.collect()
    }
}
