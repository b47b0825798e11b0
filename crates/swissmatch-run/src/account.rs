//! All that a run keeps of one game, for whoever has to decide on an appeal.

use serde_json::Value;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::open_run::{LoggedEntry, OpenRun, place};
use swissmatch_game::claims::{self, Warning};
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_host::files;
use swissmatch_host::run_dir::MANIFEST;
use swissmatch_report::appeal::{self, AppealCase, EarlierEnd, OnGame};
use swissmatch_tournament::log::{Entry, GamesInterrupted};
use swissmatch_tournament::state::{EndedGame, State};

/// Why there is no account of a game.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// There is no such game.
    #[error("{0}")]
    NoGame(String),
    /// What is kept of it is damaged.
    #[error("{0}")]
    Broken(String),
}

/// What is kept of a game.
pub struct Account<'a> {
    pub(super) run: &'a OpenRun,
    pub(super) id: GameId,
    game: Option<EndedGame>,
    record: Option<GameRecord>,
    warnings: Vec<Warning>,
    evidence: Option<String>,
    manifest: Option<Value>,
    dir: String,
    /// The end that counts.
    end: Option<EarlierEnd<'a>>,
    /// Those that no longer do.
    replayed: Vec<EarlierEnd<'a>>,
    acts: Vec<OnGame<'a>>,
    interrupted: Vec<(appeal::EntryReference<'a>, &'a GamesInterrupted)>,
}

impl<'a> Account<'a> {
    /// Of a game of a run.
    ///
    /// # Errors
    /// When there is no such game, or what is kept of it is damaged.
    pub fn of(run: &'a OpenRun, id: GameId) -> Result<Self, AccountError> {
        let board = run.state.mini_match(id);
        let is_scheduled = board.is_some_and(|board| (1..=board.games.len()).contains(&(id.game as usize)));
        if !is_scheduled {
            return Err(AccountError::NoGame(no_game(run, id)));
        }
        let game = run.state.finished_game(id);
        let mut replayed = ends(run, id);
        // The last one counts, unless the game is to be played again.
        let end = game.and_then(|_| replayed.pop());
        let (record, evidence) = match &end {
            Some(end) => (run.record(end.finished), run.evidence(end.finished)),
            None => (Ok(None), Ok(None)),
        };
        let record = record.map_err(AccountError::Broken)?;
        let warnings = record.as_ref().map(claims::warnings).transpose();
        let manifest = files::read_plain(&run.dir.join(MANIFEST)).ok();
        Ok(Self {
            run,
            id,
            game,
            warnings: warnings.map_err(|error| broken(id, &error))?.unwrap_or_default(),
            record,
            evidence: evidence.map_err(AccountError::Broken)?,
            manifest: manifest.and_then(|text| serde_json::from_str(&text).ok()),
            dir: run.dir.display().to_string(),
            end,
            replayed,
            acts: acts(run, id),
            interrupted: interruptions(run, id),
        })
    }

    /// How the game ended, each time: those ends first that no longer count.
    pub(super) fn ends(&self) -> impl Iterator<Item = &EarlierEnd<'a>> {
        self.replayed.iter().chain(&self.end)
    }

    /// The game, where it has ended.
    pub fn game(&self) -> Option<&EndedGame> {
        self.game.as_ref()
    }

    /// White and Black.
    pub(super) fn players(&self) -> [PairingNumber; 2] {
        let board = self.run.state.mini_match(self.id);
        board.map_or([PairingNumber(1); 2], |board| {
            [board.white_of(self.id.game), board.black_of(self.id.game)]
        })
    }

    /// The entries about the game, in their order: the pairing of its round, its ends, its interruptions, acts about it.
    pub(super) fn entries(&self) -> Vec<i64> {
        let ends = self.ends().map(|end| end.logged.seq);
        let acts = self.acts.iter().map(|act| act.logged.seq);
        let interrupted = self.interrupted.iter().map(|(logged, _)| logged.seq);
        let paired = paired(self.run, self.id).map(|logged| logged.seq);
        let mut entries: Vec<i64> = paired.into_iter().chain(ends).chain(acts).chain(interrupted).collect();
        entries.sort_unstable();
        entries
    }

    fn case(&self) -> AppealCase<'_> {
        AppealCase {
            state: &self.run.state,
            id: self.id,
            game: self.game,
            finished: self.end.map(|end| end.finished),
            record: self.record.as_ref(),
            warnings: &self.warnings,
            paired_at: paired(self.run, self.id).map(|logged| logged.at.as_str()),
            logged: self.end.map(|end| end.logged),
            evidence: self.evidence.as_deref(),
            manifest: self.manifest.as_ref(),
            run: &self.dir,
            is_played: self.run.played,
            acts: &self.acts,
            replayed: &self.replayed,
            interrupted: &self.interrupted,
        }
    }

    /// In words; `full` has the whole transcript.
    ///
    /// # Errors
    /// When the record is no legal game.
    pub fn text(&self, full: bool) -> Result<String, AccountError> {
        appeal::text(&self.case(), full).map_err(|error| broken(self.id, &error))
    }

    /// For programs: JSON; `full` has the whole transcript.
    ///
    /// # Errors
    /// When the record is no legal game.
    pub fn json(&self, full: bool) -> Result<String, AccountError> {
        let value = appeal::json(&self.case(), full).map_err(|error| broken(self.id, &error))?;
        Ok(format!("{value:#}\n"))
    }
}

fn broken(id: GameId, error: &OpeningError) -> AccountError {
    AccountError::Broken(format!("the record of game {id}: {error}"))
}

/// Every end of a game in the log.
fn ends(run: &OpenRun, id: GameId) -> Vec<EarlierEnd<'_>> {
    let ends = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::GameFinished(finished) if finished.id == id => Some(EarlierEnd {
            logged: place(logged),
            finished,
        }),
        _ => None,
    });
    ends.collect()
}

/// Every act about a game.
fn acts(run: &OpenRun, id: GameId) -> Vec<OnGame<'_>> {
    let acts = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::Acted(acted) if appeal::is_about(&acted.act, id) => Some(OnGame {
            logged: place(logged),
            acted,
        }),
        _ => None,
    });
    acts.collect()
}

/// All that interrupted the game while it was open, or may have been.
pub(super) fn interruptions(run: &OpenRun, id: GameId) -> Vec<(appeal::EntryReference<'_>, &GamesInterrupted)> {
    let Some((created, later)) = run.logged.split_first() else {
        return Vec::new();
    };
    let mut state = State::fold([&created.entry]).expect("it was folded before");
    let mut found = Vec::new();
    for logged in later {
        let count = |state: &State| state.interruptions(id).map_or(0, |game| game.causes.len());
        let before = count(&state);
        state.apply(&logged.entry).expect("it was folded before");
        if let Entry::Interrupted(interrupted) = &logged.entry
            && count(&state) > before
        {
            found.push((place(logged), interrupted));
        }
    }
    found
}

/// Where the round of a game was paired.
fn paired(run: &OpenRun, id: GameId) -> Option<&LoggedEntry> {
    let is_it = |entry: &Entry| match entry {
        Entry::RoundPaired(paired) => id.playoff == 0 && paired.round == id.round,
        Entry::PlayoffPaired(paired) => (paired.round, paired.playoff) == (id.round, id.playoff),
        _ => false,
    };
    run.logged.iter().find(|logged| is_it(&logged.entry))
}

/// Why there is no such game, and which there are.
fn no_game(run: &OpenRun, id: GameId) -> String {
    let sittings: Vec<_> = run.state.sittings().collect();
    let sitting = sittings
        .iter()
        .find(|sitting| (sitting.round, sitting.playoff) == (id.round, id.playoff));
    let Some(sitting) = sitting else {
        let rounds = run.state.rounds().len();
        return format!(
            "game {id}: that round is not paired; the event has {} so far",
            count::of(rounds, "round", "rounds")
        );
    };
    match sitting.mini_matches.get((id.board as usize).wrapping_sub(1)) {
        None => format!("game {id}: that round has boards 1 to {}", sitting.mini_matches.len()),
        Some(board) => format!("game {id}: its mini-match has games 1 to {}", board.games.len()),
    }
}
