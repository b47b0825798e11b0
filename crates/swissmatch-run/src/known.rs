//! What a run keeps of its games, for the page: records, evaluations of the reference engine, and what the log says of each.
//!
//! May not: tell acts of the arbiter while an embargo lasts, as they say what is going on.

use std::collections::BTreeMap;

use crate::open_run::{StoredGame, place};
use swissmatch_game::eval::Eval;
use swissmatch_game::record::GameId;
use swissmatch_host::store::{LoggedEntry, Store};
use swissmatch_report::appeal::{EarlierEnd, FromLog, OnGame};
use swissmatch_report::page::games::PageGame;
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::log::{Act, Entry, Evaluations};
use swissmatch_tournament::state::{EndedGame, State};

/// What a log says of games beside their ends, by game.
#[derive(Clone, Debug, Default)]
pub(super) struct OfGames {
    /// When rounds and play-off rounds were paired.
    paired: BTreeMap<(u32, u32), String>,
    acts: BTreeMap<GameId, Vec<LoggedEntry>>,
    /// Of games that were played again, the numbers of the entries with their ends before.
    ends: BTreeMap<GameId, Vec<u32>>,
    /// Runners that ended while they were open, or may have been.
    interrupted: BTreeMap<GameId, Vec<LoggedEntry>>,
}

/// A game with what is kept of it, not yet read.
pub(super) struct KnownGame<'a> {
    game: EndedGame,
    kept: StoredGame,
    evaluations: Option<String>,
    /// The entry with its end.
    logged: LoggedEntry,
    /// Those with its ends before it was played again.
    ends: Vec<LoggedEntry>,
    of: &'a OfGames,
    has_embargo: bool,
}

/// The game that an act is about.
fn game_of(act: &Act) -> Option<GameId> {
    match act {
        Act::Replay { game } | Act::Void { game } | Act::SetResult { game, .. } | Act::Adjudicate { game, .. } => {
            Some(*game)
        }
        _ => None,
    }
}

impl OfGames {
    /// An entry of the log that follows this state.
    pub(super) fn take(&mut self, before: &State, logged: &LoggedEntry) {
        match &logged.entry {
            Entry::RoundPaired(paired) => {
                self.paired.insert((paired.round, 0), logged.at.clone());
            }
            Entry::PlayoffPaired(paired) => {
                self.paired.insert((paired.round, paired.playoff), logged.at.clone());
            }
            Entry::Acted(acted) => {
                let Some(id) = game_of(&acted.act) else { return };
                if let (Act::Replay { .. }, Some(end)) = (&acted.act, end_of(before, id)) {
                    self.ends.entry(id).or_default().push(end);
                }
                self.acts.entry(id).or_default().push(logged.clone());
            }
            Entry::Interrupted(interrupted) => {
                for id in before.open_games(interrupted) {
                    self.interrupted.entry(id).or_default().push(logged.clone());
                }
            }
            _ => {}
        }
    }

    /// A game that has ended, with what is kept of it.
    pub(super) fn game(&self, (state, store): (&State, &Store), game: EndedGame) -> Result<KnownGame<'_>, String> {
        let id = game.finished.id;
        let analysis = state.analysis().and_then(|analysis| analysis.games.get(&id));
        let evaluations = analysis.map(|analysed| {
            let text = store.blob(&analysed.evaluations).map_err(|error| error.to_string())?;
            text.ok_or_else(|| format!("the evaluations of game {id} are missing or were changed"))
        });
        let logged = |seq: u32| store.logged(i64::from(seq)).map_err(|error| error.to_string());
        let ends = self.ends.get(&id).into_iter().flatten();
        Ok(KnownGame {
            kept: StoredGame::of(store, &game)?,
            evaluations: evaluations.transpose()?,
            logged: logged(game.finished.entry)?,
            ends: ends.map(|seq| logged(*seq)).collect::<Result<_, _>>()?,
            of: self,
            has_embargo: embargo(state).is_some(),
            game,
        })
    }
}

/// The number of the entry with which a game ended.
fn end_of(state: &State, id: GameId) -> Option<u32> {
    let games = &state.mini_match(id)?.games;
    let game = games.iter().nth((id.game as usize).checked_sub(1)?).flatten();
    game.map(|game| game.finished.entry)
}

impl KnownGame<'_> {
    /// Reads it; `None` of a game without a record.
    pub(super) fn played(&self) -> Result<Option<PageGame<'_>>, String> {
        let Some(record) = self.kept.record()? else {
            return Ok(None);
        };
        let evals = self.evaluations.as_ref();
        let evals = evals.map(|text| evals_in(text, record.id, record.plies()));
        Ok(Some(PageGame {
            game: self.game,
            evals: evals.transpose()?,
            record,
            log: self.log(),
        }))
    }

    fn log(&self) -> FromLog<'_> {
        let id = self.game.finished.id;
        let mut log = FromLog {
            paired_at: self.of.paired.get(&(id.round, id.playoff)).map(String::as_str),
            logged: Some(place(&self.logged)),
            ..FromLog::default()
        };
        if self.has_embargo {
            return log;
        }
        for logged in self.of.acts.get(&id).into_iter().flatten() {
            if let Entry::Acted(acted) = &logged.entry {
                let logged = place(logged);
                log.acts.push(OnGame { logged, acted });
            }
        }
        for logged in &self.ends {
            if let Entry::GameFinished(finished) = &logged.entry {
                let logged = place(logged);
                log.replayed.push(EarlierEnd { logged, finished });
            }
        }
        for logged in self.of.interrupted.get(&id).into_iter().flatten() {
            if let Entry::Interrupted(interrupted) = &logged.entry {
                log.interrupted.push((place(logged), interrupted));
            }
        }
        log
    }
}

/// The evaluations of a game of so many plies.
fn evals_in(text: &str, id: GameId, plies: usize) -> Result<Vec<Eval>, String> {
    let stored: Evaluations =
        serde_json::from_str(text).map_err(|error| format!("the evaluations of game {id} cannot be read: {error}"))?;
    let fits = (stored.version, stored.id, stored.evals.len()) == (Evaluations::VERSION, id, plies + 1);
    fits.then_some(stored.evals)
        .ok_or_else(|| format!("the evaluations of game {id} are not of its positions"))
}
