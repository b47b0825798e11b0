//! Analysing the finished games of a run: positions go to reference engines, evaluations come back, games that have all of
//! theirs go to the log.
//!
//! One thread reads records, keeps evaluations and appends to the log; each engine has a thread of its own. A position that
//! several games have is asked for once. What was committed is never asked for again, so that going on is the same as
//! beginning.
//!
//! May not: count what a move cost, decide which games are due.

use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::evaluation::{self, Position};
use swissmatch_game::record::GameId;
use swissmatch_tournament::analysis;
use swissmatch_tournament::analysis::due_for_analysis;
use swissmatch_tournament::log::{AnalysisBegun, Entry, Evaluations as Stored, GameAnalysed};
use swissmatch_tournament::state::{BrokenLogError, EndedGame, State};

use super::evaluations::{CacheError, Evaluations};
use super::open_run::StoredGame;
use swissmatch_host::engine::EngineCommand;
use swissmatch_host::evaluator::{EvaluationError, Evaluator, Search};
use swissmatch_host::store::{Bundle, Store, StoreError, sha256};
use swissmatch_host::{machine, threads};

/// How often it is looked whether to stop, where no answer comes.
const LOOK: Duration = Duration::from_millis(200);
/// Positions that wait for each engine, so that none waits for them.
const AHEAD: usize = 16;

/// What an analysis is done with.
#[derive(Debug)]
pub(super) struct AnalysisPlan<'a> {
    /// As the log will have it.
    pub begun: &'a AnalysisBegun,
    /// How to start the engine.
    pub command: &'a EngineCommand,
    /// How it searches.
    pub search: Search,
    /// Engines at once.
    pub concurrency: usize,
    /// When true, no position is begun any more.
    pub stop: &'a AtomicBool,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnalysisCounts {
    /// Games that were appended to the log.
    pub games: usize,
    /// Positions of the games that were begun, but those that the rules decide.
    pub positions: usize,
    /// How many of them an engine was asked for.
    pub evaluated: usize,
}

/// Why an analysis ends early. What was committed before stays.
#[derive(Debug, thiserror::Error)]
pub enum AnalyseError {
    /// The engine.
    #[error("the reference engine {0}: {1}")]
    Engine(String, EvaluationError),
    /// The machine gives no thread for each engine.
    #[error("{0}; use fewer engines at once with --concurrency")]
    Thread(io::Error),
    /// The log.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Kept evaluations.
    #[error(transparent)]
    Cache(#[from] CacheError),
    /// A record is missing, damaged, or none of a game.
    #[error("{0}")]
    Record(String),
    /// What was appended does not follow what was there, which is a bug.
    #[error(transparent)]
    Broken(#[from] BrokenLogError),
}

/// A game of which evaluations are missing.
struct Pending {
    id: GameId,
    first: Side,
    evals: Vec<Option<Eval>>,
    missing: usize,
}

/// Where an evaluation is missing: which pending game, which of its positions.
type Gap = (GameId, usize);
type EvalAnswer = (String, Result<Eval, EvaluationError>);

/// Analyses every game that is due, and brings state and log up to it. `step` is called for each game that is done.
///
/// # Errors
/// The first thing that went wrong; `state` and log have what was done until then.
pub(super) fn analyse(
    plan: &AnalysisPlan<'_>,
    state: &mut State,
    store: &mut Store,
    cache: &mut Evaluations,
    step: &dyn Fn(),
) -> Result<AnalysisCounts, AnalyseError> {
    let due: VecDeque<EndedGame> = due_for_analysis(state, plan.begun).into();
    let goes_on = state.analysis().is_some_and(|last| last.begun.goes_on_with(plan.begun));
    let mut desk = AnalysisDesk {
        due,
        pending: HashMap::new(),
        gaps: HashMap::new(),
        finished: Vec::new(),
        done: AnalysisCounts::default(),
        state,
        store,
        cache,
        step,
    };
    if !goes_on {
        let begun = Entry::AnalysisBegun(Box::new(plan.begun.clone()));
        desk.append(vec![begun.into()])?;
    }
    let (jobs, queue) = mpsc::channel::<String>();
    let (answers, answered) = mpsc::channel::<EvalAnswer>();
    let queue = Mutex::new(queue);
    let failed = AtomicBool::new(false);
    let worked = std::thread::scope(|scope| {
        for _ in 0..plan.concurrency.max(1) {
            let (queue, answers, failed) = (&queue, answers.clone(), &failed);
            threads::start_in(scope, move || work(plan, queue, &answers, failed)).map_err(AnalyseError::Thread)?;
        }
        drop(answers);
        let worked = desk.work(plan, jobs, &answered);
        failed.store(worked.is_err(), Ordering::Relaxed);
        // What the engines were at is kept, whatever happened.
        let rest = answered.iter().try_for_each(|answer| desk.answer(answer, plan));
        worked.and(rest)
    });
    let saved = desk.save();
    let kept = desk.cache.write();
    worked?;
    saved?;
    kept?;
    Ok(desk.done)
}

/// What an engine's thread does: starts it when there is something to ask, asks, and ends it.
fn work(plan: &AnalysisPlan<'_>, queue: &Mutex<Receiver<String>>, answers: &Sender<EvalAnswer>, failed: &AtomicBool) {
    let mut engine: Option<Evaluator> = None;
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
    while let Some(fen) = next() {
        if plan.stop.load(Ordering::Relaxed) || failed.load(Ordering::Relaxed) {
            break;
        }
        let running = match engine.take() {
            Some(running) => Ok(running),
            None => Evaluator::start(plan.command, plan.search),
        };
        let eval = running.and_then(|mut running| {
            let eval = running.evaluate(&fen)?;
            engine = Some(running);
            Ok(eval)
        });
        let is_over = eval.is_err();
        if answers.send((fen, eval)).is_err() || is_over {
            break;
        }
    }
    if let Some(engine) = engine {
        engine.end();
    }
}

/// The one who reads records, hands out positions and appends games.
struct AnalysisDesk<'a> {
    due: VecDeque<EndedGame>,
    pending: HashMap<GameId, Pending>,
    /// Positions that are asked for, and for whom.
    gaps: HashMap<String, Vec<Gap>>,
    /// Not yet in the log.
    finished: Vec<Bundle>,
    done: AnalysisCounts,
    state: &'a mut State,
    store: &'a mut Store,
    cache: &'a mut Evaluations,
    step: &'a dyn Fn(),
}

impl AnalysisDesk<'_> {
    /// Until nothing is due, or it is to stop. Dropping `jobs` ends the engines' threads.
    fn work(
        &mut self,
        plan: &AnalysisPlan<'_>,
        jobs: Sender<String>,
        answered: &Receiver<EvalAnswer>,
    ) -> Result<(), AnalyseError> {
        let ahead = AHEAD * plan.concurrency.max(1);
        loop {
            if plan.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            while self.gaps.len() < ahead && !plan.stop.load(Ordering::Relaxed) {
                let Some(game) = self.due.pop_front() else { break };
                self.begin(&game, &jobs)?;
            }
            if self.gaps.is_empty() && self.due.is_empty() {
                return Ok(());
            }
            // Games wait to be appended only while there is something to do.
            let answer = match answered.try_recv() {
                Ok(answer) => answer,
                Err(_) => {
                    self.save()?;
                    // Who was asked to stop may leave what it was given unanswered.
                    match answered.recv_timeout(LOOK) {
                        Ok(answer) => answer,
                        Err(RecvTimeoutError::Timeout) => continue,
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    }
                }
            };
            self.answer(answer, plan)?;
        }
    }

    /// Takes up a game: looks up what is known, asks for the rest.
    fn begin(&mut self, game: &EndedGame, jobs: &Sender<String>) -> Result<(), AnalyseError> {
        let id = game.finished.id;
        let record = StoredGame::of(self.store, game).and_then(|kept| kept.record());
        let record = record.map_err(AnalyseError::Record)?;
        let record = record.ok_or_else(|| AnalyseError::Record(format!("game {id} has no record")))?;
        let positions = evaluation::positions(&record);
        let positions = positions.map_err(|error| AnalyseError::Record(format!("game {id}: {error}")))?;
        let mut pending = Pending {
            id,
            first: positions.first,
            evals: vec![None; positions.all.len()],
            missing: 0,
        };
        for (place, position) in positions.all.into_iter().enumerate() {
            let fen = match position {
                Position::Known(eval) => {
                    pending.evals[place] = Some(eval);
                    continue;
                }
                Position::Asked(fen) => fen,
            };
            self.done.positions += 1;
            if let Some(eval) = self.cache.find(&fen)? {
                pending.evals[place] = Some(eval);
                continue;
            }
            pending.missing += 1;
            let gaps = self.gaps.entry(fen.clone()).or_default();
            gaps.push((id, place));
            if gaps.len() == 1 {
                // Whoever has gone has said why.
                let _ = jobs.send(fen);
            }
        }
        match pending.missing {
            0 => self.finish(pending),
            _ => {
                self.pending.insert(id, pending);
            }
        }
        Ok(())
    }

    fn answer(&mut self, (fen, eval): EvalAnswer, plan: &AnalysisPlan<'_>) -> Result<(), AnalyseError> {
        let program = || plan.command.launch.program.display().to_string();
        let eval = eval.map_err(|failed| AnalyseError::Engine(program(), failed))?;
        self.done.evaluated += 1;
        for (id, place) in self.gaps.remove(&fen).unwrap_or_default() {
            let Some(pending) = self.pending.get_mut(&id) else {
                continue;
            };
            pending.evals[place] = Some(eval);
            pending.missing -= 1;
            if pending.missing == 0
                && let Some(pending) = self.pending.remove(&id)
            {
                self.finish(pending);
            }
        }
        Ok(self.cache.keep(fen, eval)?)
    }

    /// A game that has all its evaluations.
    fn finish(&mut self, game: Pending) {
        let evals: Vec<Eval> = game.evals.into_iter().flatten().collect();
        let keys = self.state.analysis().map(|analysis| &analysis.begun.keys);
        let keys = keys.expect("an analysis has begun");
        let sides = analysis::judge(keys, game.first, &evals);
        let stored = Stored {
            version: Stored::VERSION,
            id: game.id,
            evals,
        };
        let text = serde_json::to_string(&stored).expect("plain data");
        let hash = sha256(text.as_bytes());
        self.finished.push(Bundle {
            entry: Entry::GameAnalysed(GameAnalysed {
                id: game.id,
                sides,
                evaluations: hash.clone(),
            }),
            blobs: vec![(hash, text)],
            evidence: None,
        });
        (self.step)();
    }

    /// Appends the games that are finished.
    fn save(&mut self) -> Result<(), AnalyseError> {
        let finished = std::mem::take(&mut self.finished);
        if finished.is_empty() {
            return Ok(());
        }
        let games = finished.len();
        self.append(finished)?;
        self.done.games += games;
        Ok(())
    }

    fn append(&mut self, entries: Vec<Bundle>) -> Result<(), AnalyseError> {
        self.store.append(&entries, &machine::now())?;
        for entry in &entries {
            self.state.apply(&entry.entry)?;
        }
        Ok(())
    }
}
