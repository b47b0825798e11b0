//! Which games of files are games of a run.
//!
//! A file has moves in standard notation, a run in that of UCI. So a run's game is written as its PGN file has it, and read as a file, where a
//! file has a game of the same two players with the same colours at its place in the schedule.
//!
//! May not: count games.

use std::collections::{BTreeSet, HashMap};

use swiss_system::text::harmless;

use super::only_game;
use crate::open_run::OpenRun;
use swissmatch_game::Side;
use swissmatch_game::pgn_results::{Depth, GameRow, NameId, Names, Openings, place_of_round};
use swissmatch_report::pgn::{self, Comments};
use swissmatch_tournament::state::EndedGame;

/// A game of a file: the number of the file, and its own in the file.
type GameOfFile = (u32, u32);

/// Games of files, and which of them are a run's.
#[derive(Debug)]
pub(super) struct Same {
    /// By White, Black and the place in the schedule.
    by_place: HashMap<(NameId, NameId, u64), Vec<GameOfFile>>,
    /// Of each file its games that are a run's.
    of_runs: Vec<BTreeSet<u32>>,
}

impl Same {
    /// Of files with these games.
    pub(super) fn new(files: &[&[GameRow]]) -> Self {
        let mut by_place: HashMap<_, Vec<GameOfFile>> = HashMap::new();
        for (file, rows) in (0..).zip(files) {
            for (number, row) in (0..).zip(*rows) {
                let key = (row.player(Side::White), row.player(Side::Black), row.round());
                by_place.entry(key).or_default().push((file, number));
            }
        }
        Self {
            by_place,
            of_runs: vec![BTreeSet::new(); files.len()],
        }
    }

    /// Notes the games of a run.
    ///
    /// # Errors
    /// When a record is missing or damaged.
    pub(super) fn note(&mut self, run: &OpenRun, files: &[&[GameRow]], names: &Names) -> Result<(), String> {
        // As they stand in its PGN file.
        let find = |number| names.find(harmless(&run.state.player(number).name).trim());
        let players: Vec<Option<NameId>> = run.state.numbers().map(find).collect();
        let moves_of = |(file, number): GameOfFile| files[file as usize][number as usize].moves();
        let mut without_moves = Vec::new();
        for game in run.state.finished_games() {
            let places = self.places(run, &game, &players);
            if places.is_empty() {
                continue;
            }
            let Some(moves) = moves(run, &game)? else {
                without_moves.extend(places.into_iter().filter(|place| moves_of(*place).is_none()));
                continue;
            };
            let same = places.into_iter().filter(|place| moves_of(*place) == Some(moves));
            for (file, number) in same {
                self.of_runs[file as usize].insert(number);
            }
        }
        // Where nothing was moved, the other games of the file tell whether it is the run's.
        for (file, number) in without_moves {
            let has_moves = files[file as usize].iter().any(|row| row.moves().is_some());
            let of_run = &mut self.of_runs[file as usize];
            if !of_run.is_empty() || !has_moves {
                of_run.insert(number);
            }
        }
        Ok(())
    }

    /// Of each file its games that are a run's.
    pub(super) fn of_runs(self) -> Vec<BTreeSet<u32>> {
        self.of_runs
    }

    /// The games of files that may be this one.
    fn places(&self, run: &OpenRun, game: &EndedGame, players: &[Option<NameId>]) -> Vec<GameOfFile> {
        let finished = &game.finished;
        let [white, black] = [finished.white, finished.black].map(|player| players[player.index()]);
        let Some((white, black)) = white.zip(black) else {
            return Vec::new();
        };
        // A program that copied the file may have left out which games are a pair.
        let pair = pgn::first_of_pair(&run.state, finished.id);
        let mut rounds: Vec<u64> = [Some(finished.id), pair]
            .into_iter()
            .flatten()
            .map(|id| place_of_round(&id.to_string()))
            .collect();
        rounds.dedup();
        let places = rounds
            .iter()
            .filter_map(|round| self.by_place.get(&(white, black, *round)));
        places.flatten().copied().collect()
    }
}

/// The moves of a run's game as those of a file's game are told apart; `None` where there are none.
fn moves(run: &OpenRun, game: &EndedGame) -> Result<Option<u64>, String> {
    if game.finished.movetext.is_none() {
        return Ok(None);
    }
    let record = run.record(run.finished(game)?)?;
    let text = pgn::game(&run.state, game, record.as_ref(), "????.??.??", Comments::None);
    let text = text.map_err(|error| format!("game {}: {error}", game.finished.id))?;
    Ok(only_game(&text, Depth::Moves, &mut Openings::default())?.row.moves())
}
