//! Games that were taken from earlier runs must be what those runs have.
//!
//! A run that is nowhere is noted; it is wrong where somebody has said where earlier runs are. May not: change anything in an earlier run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use swiss_system::count;

use super::{Finding, finding};
use crate::earlier::{Keys, may_be_taken};
use crate::open_run::OpenRun;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::GameRecord;
use swissmatch_host::run_dir;
use swissmatch_host::store::Store;
use swissmatch_tournament::log::{Entry, GameFinished, TakenFrom};

/// A game of a log, with all that is compared.
struct ComparedGame<'a> {
    finished: &'a GameFinished,
    record: GameRecord,
    key: Option<String>,
}

/// A game that was taken, and from where.
struct TakenGame<'a> {
    game: ComparedGame<'a>,
    from: &'a TakenFrom,
}

/// What a look at those games gave, where their runs lie beside this one or in `earlier`; `None` where there are none.
pub(super) fn look(run: &OpenRun, earlier: &[PathBuf]) -> Option<Finding> {
    let is_taken = |entry: &Entry| matches!(entry, Entry::GameFinished(finished) if finished.taken_from.is_some());
    if !run.logged.iter().any(|logged| is_taken(&logged.entry)) {
        return None;
    }
    let mut missing = Missing::default();
    let checked = taken(run).and_then(|games| follow(run, games, earlier, &mut missing));
    let found = |checked| finding("earlier games", ["game", "games"], checked);
    Some(match (checked, missing.sentence()) {
        (Ok(_), Some(sentence)) if !earlier.is_empty() => found(Err(sentence)),
        (checked, note) => Finding {
            note: note.map(|note| format!("{note}; --earlier DIR says where")),
            ..found(checked)
        },
    })
}

/// Games whose runs are not there.
#[derive(Default)]
struct Missing {
    games: usize,
    runs: BTreeSet<String>,
}

impl Missing {
    fn sentence(&self) -> Option<String> {
        let runs: Vec<&str> = self.runs.iter().map(String::as_str).collect();
        (self.games > 0).then(|| {
            format!(
                "{} not looked up, as {} not found: {}",
                count::of(self.games, "game was", "games were"),
                if runs.len() == 1 {
                    "the run was"
                } else {
                    "the runs were"
                },
                runs.join(", ")
            )
        })
    }
}

/// The games that were taken. Each must be one that may be, and of each earlier game there must be one alone.
fn taken(run: &OpenRun) -> Result<Vec<TakenGame<'_>>, String> {
    let games = kept(run, |finished| finished.taken_from.is_some())?.into_iter();
    let games = games.filter_map(|game| {
        Some(TakenGame {
            from: game.finished.taken_from.as_ref()?,
            game,
        })
    });
    let games: Vec<TakenGame<'_>> = games.collect();
    let mut seen = BTreeSet::new();
    for TakenGame { game, from } in &games {
        let id = game.finished.id;
        if !seen.insert(*from) {
            return Err(format!("game {id}: {from} had been taken for another game"));
        }
        if !may_be_taken(game.finished) {
            return Err(format!("game {id} ended so that it may not be taken from {from}"));
        }
        if game.key.is_none() {
            return Err(format!(
                "game {id}: its agents may depend on what nobody looked at, so that it is not known to be {from}"
            ));
        }
    }
    Ok(games)
}

/// Each game must be the same where it was played; how many were looked up.
fn follow(
    run: &OpenRun,
    games: Vec<TakenGame<'_>>,
    earlier: &[PathBuf],
    missing: &mut Missing,
) -> Result<usize, String> {
    let mut by_run: BTreeMap<&str, Vec<TakenGame<'_>>> = BTreeMap::new();
    for taken in games {
        by_run.entry(taken.from.run.as_str()).or_default().push(taken);
    }
    let places = places(run, earlier);
    let mut checked = 0;
    for (id, games) in by_run {
        match places.get(id) {
            Some(dirs) => {
                // There may be copies, also such as were made before all of it was played.
                let mut compared: Vec<_> = dirs.iter().map(|dir| compare(dir, &games)).collect();
                if !compared.iter().any(Result::is_ok) {
                    compared.swap_remove(0)?;
                }
                checked += games.len();
            }
            None => {
                missing.games += games.len();
                missing
                    .runs
                    .insert(id.chars().filter(char::is_ascii_hexdigit).take(8).collect());
            }
        }
    }
    Ok(checked)
}

/// The run in `dir` must have these games as they were taken.
fn compare(dir: &Path, games: &[TakenGame<'_>]) -> Result<(), String> {
    let first = &games[0];
    let id = first.game.finished.id;
    let unread = |why: String| {
        format!(
            "game {id}: {} is in {}, which cannot be read: {why}",
            first.from,
            dir.display()
        )
    };
    let source = OpenRun::open(Some(dir)).map_err(|error| unread(error.to_string()))?;
    let wanted: BTreeSet<_> = games.iter().map(|taken| taken.from.game).collect();
    let played = kept(&source, |finished| {
        wanted.contains(&finished.id) && finished.taken_from.is_none() && finished.record.is_some()
    });
    let played = played.map_err(unread)?;
    for TakenGame { game, from } in games {
        let id = game.finished.id;
        let mut ends = played.iter().filter(|end| end.finished.id == from.game).peekable();
        if ends.peek().is_none() {
            return Err(format!(
                "game {id}: {} has no {from} that was played there",
                dir.display()
            ));
        }
        let same: Vec<&ComparedGame<'_>> = ends.filter(|end| is_same(&game.record, &end.record)).collect();
        if same.is_empty() {
            return Err(format!("game {id}: {from} is another game in {}", dir.display()));
        }
        if !same.iter().any(|end| end.key == game.key) {
            return Err(format!(
                "game {id}: {from} was played by other agents, from another opening, under other limits or on another class of machine"
            ));
        }
    }
    Ok(())
}

/// Whether a record is that of an earlier game but for what the game is called, who played, and the name of the opening.
fn is_same(taken: &GameRecord, played: &GameRecord) -> bool {
    let as_there = GameRecord {
        id: played.id,
        white: played.white,
        black: played.black,
        opening: Opening {
            name: played.opening.name.clone(),
            ..taken.opening.clone()
        },
        ..taken.clone()
    };
    as_there == *played
}

/// The ends of games of a log that are wanted, in its order, with their keys.
fn kept(run: &OpenRun, wanted: impl Fn(&GameFinished) -> bool) -> Result<Vec<ComparedGame<'_>>, String> {
    let (mut keys, mut found) = (None::<Keys>, Vec::new());
    for logged in &run.logged {
        let followed = match &mut keys {
            Some(keys) => keys.apply(&logged.entry),
            None => Keys::begin(&logged.entry).map(|begun| keys = Some(begun)),
        };
        followed.map_err(|error| error.to_string())?;
        let (Entry::GameFinished(finished), Some(keys)) = (&logged.entry, &keys) else {
            continue;
        };
        if wanted(finished) {
            let record = run.record(finished)?;
            let record = record.ok_or_else(|| format!("game {} has no record", finished.id))?;
            found.push(ComparedGame {
                key: keys.of(finished, record.opening.clone()),
                finished,
                record,
            });
        }
    }
    Ok(found)
}

/// The runs in the directories beside this one, in those of `earlier` and right below them, by what they are known by.
fn places(run: &OpenRun, earlier: &[PathBuf]) -> BTreeMap<String, Vec<PathBuf>> {
    let beside = run.dir.canonicalize().ok();
    let beside = beside.as_deref().and_then(Path::parent).map(Path::to_path_buf);
    let mut places: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for place in beside.iter().chain(earlier) {
        let below = std::fs::read_dir(place).into_iter().flatten().flatten();
        let mut dirs: Vec<PathBuf> = below.map(|entry| entry.path()).collect();
        dirs.sort();
        for dir in std::iter::once(place.clone()).chain(dirs) {
            let Ok(dir) = dir.canonicalize() else { continue };
            if seen.insert(dir.clone())
                && let Some(id) = id_of(&dir)
            {
                places.entry(id).or_default().push(dir);
            }
        }
    }
    places
}

/// What the run in a directory is known by, where there is one.
fn id_of(dir: &Path) -> Option<String> {
    let log = run_dir::log(dir);
    let store = log.is_file().then(|| Store::open_to_read(&log))?.ok()?;
    Some(store.first().ok()??.hash)
}
