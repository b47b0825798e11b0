//! The reference engine of an analysis: one process, one position after the other.
//!
//! Before each position the engine is told of a new game, so that its answer does not depend on earlier ones: with one
//! thread and a bound on nodes or depth a position always has the same evaluation, in whatever order and in however
//! many processes positions are asked for.
//!
//! May not: know games, caches or the log.

use std::time::Duration;

use swissmatch_game::conformance::gone;
use swissmatch_game::eval::Eval;
use swissmatch_game::evaluation::{BadAnswerError, CLEAR, Question, ScoreChoice};
use swissmatch_game::handshake::StartError;
use swissmatch_game::record::EngineEnd;
use swissmatch_game::time_control::Bounds;
use swissmatch_game::uci::{self, UciLine};
use swissmatch_game::variant::Variant;

use super::engine::{Engine, EngineAnswer, EngineCommand};

/// How to search a position.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    /// The chess variant of the positions.
    pub variant: Variant,
    /// The bounds that the engine is told.
    pub bounds: Bounds,
    /// Which of its scores counts.
    pub scores: ScoreChoice,
    /// How long it may take.
    pub limit: Duration,
    /// From `isready` to `readyok` before it.
    pub ready_limit: Duration,
}

/// Why a position has no evaluation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvaluationError {
    #[error("it does not start: {0}")]
    Start(#[from] StartError),
    #[error("it {} at the position {fen}", gone(*end))]
    Gone {
        fen: String,
        /// How its process ended.
        end: EngineEnd,
    },
    /// It did not get ready.
    #[error("no `readyok` within {limit:?} before the position {fen}")]
    NotReady {
        fen: String,
        /// Its limit.
        limit: Duration,
    },
    /// It did not answer.
    #[error(
        "no `bestmove` within {limit:?} (analysis.limit) at the position {fen}; does it heed `go nodes`, or `go depth`?"
    )]
    Silent {
        fen: String,
        /// Its limit.
        limit: Duration,
    },
    /// Its answer cannot be used.
    #[error("{source} at the position {fen}")]
    Answer {
        fen: String,
        /// What is wrong with the answer.
        source: BadAnswerError,
    },
}

/// A running reference engine. Dropping it ends its process and everything below it.
pub struct Evaluator {
    engine: Engine,
    search: Search,
}

impl Evaluator {
    /// Starts the engine.
    ///
    /// # Errors
    /// Why it is not ready.
    pub fn start(command: &EngineCommand, search: Search) -> Result<Self, EvaluationError> {
        let (engine, _) = Engine::start(command)?;
        Ok(Self { engine, search })
    }

    /// The evaluation of a position, from the side to move.
    ///
    /// # Errors
    /// Why there is none; the engine is then of no more use.
    pub fn evaluate(&mut self, fen: &str) -> Result<Eval, EvaluationError> {
        let Search {
            variant,
            bounds,
            scores,
            limit,
            ready_limit,
        } = self.search;
        let of_answer = |source| EvaluationError::Answer {
            fen: fen.to_owned(),
            source,
        };
        let (mut question, lines) = Question::new(fen, variant, bounds, scores).map_err(of_answer)?;
        let is_ready = |line: &[u8]| (uci::read(line) == UciLine::ReadyOk).then_some(());
        self.ask(fen, CLEAR, ready_limit, is_ready)?
            .ok_or_else(|| EvaluationError::NotReady {
                fen: fen.to_owned(),
                limit: ready_limit,
            })?;
        let answered = self.ask(fen, &lines, limit, |line| question.line(line))?;
        let answered = answered.ok_or_else(|| EvaluationError::Silent {
            fen: fen.to_owned(),
            limit,
        })?;
        answered.map_err(of_answer)
    }

    /// Writes lines and reads until `answer` finds what it waits for; `None` if the limit is over first.
    fn ask<T>(
        &mut self,
        fen: &str,
        lines: &[u8],
        limit: Duration,
        answer: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<Option<T>, EvaluationError> {
        let gone = |end| EvaluationError::Gone {
            fen: fen.to_owned(),
            end,
        };
        match self.engine.ask(lines, limit, answer) {
            EngineAnswer::Answered(answer, _) => Ok(Some(answer)),
            EngineAnswer::Deadline => Ok(None),
            EngineAnswer::Closed(end) => Err(gone(end)),
        }
    }

    /// Ends the engine, with `quit` first.
    pub fn end(self) {
        Engine::dismiss(vec![self.engine]);
    }
}
