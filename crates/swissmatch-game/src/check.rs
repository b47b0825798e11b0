//! Checks if a record can be that of the game that was to be played, from the task and from the record itself.
//!
//! No record can show if its times are those that were taken, its moves those of the agents, and its faults true.
//! May not: know where a game was played, or by whom.

use std::time::Duration;

use crate::Side;
use crate::adjudicate::{Adjudication, Adjudicator};
use crate::clock::Clocks;
use crate::record::{AttemptEnd, Attempts, EngineEnd, FailedAttempt, GameRecord, GameSpec, InDoubt};
use crate::rules::Board;
use crate::termination::{Outcome, Termination};
use crate::time_control::Limit;

/// A contradiction, as a sentence without its end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ContradictionError(String);

type CheckResult<T = ()> = Result<T, ContradictionError>;

fn wrong<T>(what: String) -> CheckResult<T> {
    Err(ContradictionError(what))
}

impl GameRecord {
    /// Checks that this is a record of that game.
    ///
    /// # Errors
    /// When it is of another game, has a move that is not legal, goes on after its end or ends before it, or when its
    /// times, attempts or end contradict its limits.
    pub fn check(&self, spec: &GameSpec) -> Result<(), ContradictionError> {
        self.is_of(spec)?;
        self.has_whole_columns()?;
        self.excuses_rightly()?;
        let replayed = self.replay(spec)?;
        let last = self.keeps_time(spec)?;
        self.ends_so(spec, &replayed, last)
    }

    fn is_of(&self, spec: &GameSpec) -> CheckResult {
        if self.version != Self::VERSION {
            return wrong(format!("its version is {}", self.version));
        }
        match (self.id, self.white, self.black, &self.opening) == (spec.id, spec.white, spec.black, &spec.opening) {
            true => Ok(()),
            false => wrong("it is another game than was to be played".to_owned()),
        }
    }

    /// Each column has an entry for every ply, or none at all.
    fn has_whole_columns(&self) -> CheckResult {
        let plies = self.plies();
        let columns = [
            ("clock_us", self.clock_us.len()),
            ("eval", self.eval.len()),
            ("depth", self.depth.len()),
            ("nodes", self.nodes.len()),
            ("seldepth", self.seldepth.len()),
            ("nps", self.nps.len()),
            ("hashfull", self.hashfull.len()),
            ("tbhits", self.tbhits.len()),
            ("engine_time_ms", self.engine_time_ms.len()),
            ("wakeup_us", self.wakeup_us.len()),
            ("processor_us", self.processor_us.len()),
            ("service_us", self.service_us.len()),
        ];
        if self.moves.split_ascii_whitespace().count() != plies {
            return wrong("it has more or fewer times than moves".to_owned());
        }
        match columns.into_iter().find(|(_, entries)| ![0, plies].contains(entries)) {
            None => Ok(()),
            Some((column, entries)) => wrong(format!("its column {column} has {entries} entries for {plies} plies")),
        }
    }

    /// Excuses follow from their figures, and nothing is said of moves that were not asked for.
    fn excuses_rightly(&self) -> CheckResult {
        for answer in &self.in_doubt {
            let counts = answer.doubt.counts(answer.time_us);
            if counts != answer.doubt.doubt_us || answer.time_us > answer.limit_us.saturating_add(counts) {
                let ply = answer.ply;
                return wrong(format!(
                    "according to its figures, the answer at ply {ply} was not in time"
                ));
            }
        }
        let mut asked = self.in_doubt.iter().map(|answer| answer.ply);
        let mut failed = self.failed_attempts.iter().map(|attempt| attempt.ply);
        let is_after = |ply: u32, last: usize| ply as usize > last;
        // A side that is not to move may fail to get ready for its own move.
        match asked.any(|ply| is_after(ply, self.plies())) || failed.any(|ply| is_after(ply, self.plies() + 1)) {
            true => wrong("it has something of a move that was not asked for".to_owned()),
            false => Ok(()),
        }
    }

    /// Checks that every move is legal, and that none comes after an end; returns the last position.
    fn replay(&self, spec: &GameSpec) -> CheckResult<ReplayedGame> {
        let mut board = Board::new(&self.opening).map_err(|error| ContradictionError(error.to_string()))?;
        let mut adjudicator = Adjudicator::new(spec.adjudication);
        let mut by_scores = None;
        // A column without any value is not stored.
        let unsaid = vec![None; self.plies()];
        let evals = if self.eval.is_empty() { &unsaid } else { &self.eval };
        for (ply, word) in self.moves.split_ascii_whitespace().enumerate() {
            if board.ending(spec.limits.ends()).is_some() || by_scores.is_some() {
                return wrong("it goes on after its end".to_owned());
            }
            let Some(legal) = word.parse().ok().and_then(|uci| board.legal(&uci)) else {
                return wrong(format!("{word} at ply {ply} is not legal"));
            };
            board.play(legal);
            by_scores = adjudicator.by_scores(board.position(), &evals[..=ply]);
        }
        // The tables are not asked again: their recorded verdict must give this ending here.
        let by_tables = match &self.adjudication {
            Some(Adjudication::Tablebase { verdict, .. }) => adjudicator.by_tables(board.position(), *verdict),
            _ => None,
        };
        let ruling = by_tables.or(by_scores);
        let ruled = ruling.map(|ruling| (ruling.outcome, ruling.termination, Some(ruling.adjudication)));
        Ok(ReplayedGame { board, ruled })
    }

    /// Checks that each move was made within its limit, and that clocks ran as recorded. Returns the last attempt, if
    /// it gave no move.
    fn keeps_time(&self, spec: &GameSpec) -> CheckResult<Option<LastAttempt<'_>>> {
        let mut clocks = Clocks::new(&spec.limits);
        let mut attempts = AttemptsOfGame::default();
        // Times are kept without their fractions of a microsecond: a clock had a little less than they say, and an
        // hourglass, which gets the other side's time, a little more.
        let mut slack = Duration::ZERO;
        let is_hourglass = |side: Side| matches!(spec.limits.time_controls[side.index()].limit, Limit::Hourglass(_));
        let more = |side, slack| if is_hourglass(side) { slack } else { Duration::ZERO };
        let mut last = None;
        for ply in 0..=self.plies() {
            let side = self.side_at(ply);
            for failed in self.failed_at(ply) {
                if last.take().is_some_and(|last: LastAttempt<'_>| last.is_lost) || failed.side != side {
                    return wrong(format!(
                        "it has an attempt at ply {ply} after its end, or of the other side"
                    ));
                }
                let limit = clocks.limit(side) + spec.limits.margins[side.index()];
                self.fails_rightly(spec, failed, limit, [more(side, slack), slack])?;
                clocks.spent(side, Duration::from_micros(failed.time_us));
                slack += Duration::from_micros(1);
                last = Some(attempts.failed(spec, &clocks, failed, slack)?);
            }
            let Some(&time_us) = self.time_us.get(ply) else { break };
            if last.take().is_some_and(|last| last.is_lost) {
                return wrong("it goes on after its end".to_owned());
            }
            let limit = clocks.limit(side) + spec.limits.margins[side.index()];
            self.is_in_time(ply, side, time_us, limit + more(side, slack))?;
            slack += Duration::from_micros(1);
            attempts.moved(side);
            let left = clocks.moved(side, Duration::from_micros(time_us));
            let recorded = self.clock_us.get(ply).copied().map(Duration::from_micros);
            let agree = match (left, recorded) {
                (Some(left), Some(recorded)) => left.abs_diff(recorded) <= slack,
                // A host that plays by a script writes no clocks.
                (_, None) => true,
                (None, Some(_)) => false,
            };
            if !agree {
                return wrong(format!("its clock after ply {ply} does not follow from its times"));
            }
        }
        Ok(last)
    }

    fn is_in_time(&self, ply: usize, side: Side, time_us: u64, limit: Duration) -> CheckResult {
        let is_excused = |answer: &InDoubt| {
            (answer.ply as usize, answer.side, answer.time_us) == (ply, side, time_us)
                && Duration::from_micros(answer.limit_us) <= limit
        };
        match Duration::from_micros(time_us) <= limit || self.in_doubt.iter().any(is_excused) {
            true => Ok(()),
            false => wrong(format!("the move at ply {ply} took longer than its limit")),
        }
    }

    /// Checks that an overrun took longer than its limit and anything else did not, give or take `slack`.
    fn fails_rightly(
        &self,
        spec: &GameSpec,
        failed: &FailedAttempt,
        limit: Duration,
        [more, slack]: [Duration; 2],
    ) -> CheckResult {
        let (ply, time) = (failed.ply, Duration::from_micros(failed.time_us));
        let doubt = failed.doubt.map_or(0, |doubt| doubt.counts(failed.time_us));
        match failed.end {
            // For a side that is asked over the network the broker decides this, by its own clock.
            AttemptEnd::Late if self.calls.list.iter().any(|call| call.side == failed.side) => Ok(()),
            AttemptEnd::Late => match time + slack >= limit + Duration::from_micros(doubt) {
                true => Ok(()),
                false => wrong(format!("an answer at ply {ply} counts as late, and was in time")),
            },
            // A search of a side that ponders has a limit of its own to end.
            AttemptEnd::Silent if !spec.limits.ponder[failed.side.index()] => match time + slack >= limit {
                true => Ok(()),
                false => wrong(format!("an attempt at ply {ply} counts as silent, and had time left")),
            },
            AttemptEnd::Silent | AttemptEnd::OutOfStep | AttemptEnd::SlowStart => Ok(()),
            AttemptEnd::Illegal(_)
            | AttemptEnd::Unparsable(_)
            | AttemptEnd::Empty
            | AttemptEnd::Truncated
            | AttemptEnd::Refused => self.is_in_time(ply as usize, failed.side, failed.time_us, limit + more),
        }
    }

    /// Checks that the game ended where and how the record says.
    fn ends_so(
        &self,
        spec: &GameSpec,
        ReplayedGame { board, ruled }: &ReplayedGame,
        last: Option<LastAttempt<'_>>,
    ) -> CheckResult {
        let limits = &spec.limits;
        let unlike = || wrong("its moves and scores do not lead to its termination".to_owned());
        let end = self.termination;
        let is_untouched = self.time_us.is_empty() && self.failed_attempts.is_empty();
        let is_unplayed = matches!(
            end,
            Termination::DidNotStart { .. }
                | Termination::NeitherStarted
                | Termination::NotReady { .. }
                | Termination::NeitherReady
        );
        if is_unplayed && !is_untouched {
            return wrong("it was played by agents that were not there".to_owned());
        }
        let attempts_say = match (end, &last) {
            // A side that ponders may be given up while the other one is to move.
            (Termination::TimeForfeit { by } | Termination::FlagFallDraw { by }, _)
                if limits.ponder[by.index()] && by != board.turn() =>
            {
                true
            }
            // Such a host has games lost on time as they begin.
            (Termination::TimeForfeit { .. }, None) if is_untouched => true,
            (Termination::IllegalMove { by }, Some(last)) => {
                last.failed.side == by && last.may_be_lost && !last.failed.end.is_overrun()
            }
            (Termination::TimeForfeit { by } | Termination::FlagFallDraw { by }, Some(last)) => {
                let is_overrun = last.may_be_lost && last.failed.end.is_overrun();
                last.failed.side == by && (is_overrun || last.failed.end.is_killed())
            }
            (
                Termination::IllegalMove { .. } | Termination::TimeForfeit { .. } | Termination::FlagFallDraw { .. },
                None,
            ) => false,
            (_, Some(last)) => !last.is_lost,
            (_, None) => true,
        };
        if !attempts_say {
            return wrong("its attempts do not lead to its termination".to_owned());
        }
        let is_gone = match (end, self.engine_end) {
            (Termination::Crash { .. }, Some(gone)) => {
                matches!(
                    gone,
                    EngineEnd::Exited(_) | EngineEnd::Signalled(_) | EngineEnd::KeeperLost
                )
            }
            (Termination::Disconnect { .. }, Some(gone)) => gone == EngineEnd::ClosedPipe,
            (Termination::ResourceLimit { resource, .. }, Some(gone)) => {
                matches!(gone, EngineEnd::OverLimit(overuse) if overuse.resource == resource)
            }
            (Termination::Crash { .. } | Termination::Disconnect { .. } | Termination::ResourceLimit { .. }, None) => {
                false
            }
            (_, gone) => gone.is_none(),
        };
        if !is_gone {
            return wrong("its processes did not end as its termination says".to_owned());
        }
        let by_rules = board
            .ending(limits.ends())
            .map(|(outcome, termination)| (outcome, termination, None));
        // The arbiter may be quicker than the ruling by scores of the last move.
        let by_arbiter = (end == Termination::ArbiterAdjudication).then_some((self.outcome, end, None));
        let by_end = match end {
            Termination::TimeForfeit { by } | Termination::FlagFallDraw { by } => {
                let is_flag = limits.time_controls[by.index()].runs_through();
                let (outcome, termination) = limits.flag_fall.ending(board.position(), by, is_flag);
                Some((outcome, termination, None))
            }
            Termination::Resignation { by } => {
                let may = by == board.turn() && limits.resigns[by.index()];
                may.then_some((Outcome::win(by.other()), end, None))
            }
            _ if end.is_fault_of_both() => {
                let (outcome, end) = limits.both_failed.applied((Outcome::BothLose, end));
                Some((outcome, end, None))
            }
            _ => end.blame().map(|by| (Outcome::win(by.other()), end, None)),
        };
        let recorded = (self.outcome, end, self.adjudication.clone());
        match by_rules.or(by_arbiter).or_else(|| ruled.clone()).or(by_end) == Some(recorded) {
            true => Ok(()),
            false => unlike(),
        }
    }
}

struct ReplayedGame {
    board: Board,
    /// The ruling by its scores or by the tables.
    ruled: Option<(Outcome, Termination, Option<Adjudication>)>,
}

struct LastAttempt<'a> {
    failed: &'a FailedAttempt,
    /// True if the game is lost by it.
    is_lost: bool,
    /// True if it may lose the game, as far as its times tell.
    may_be_lost: bool,
}

/// Failed attempts of each side since its last move, White first: overruns, and those that gave no legal move.
#[derive(Default)]
struct AttemptsOfGame {
    overruns: [u32; 2],
    illegal: [u32; 2],
}

impl AttemptsOfGame {
    /// Counts a failed attempt, after which the clocks stand like this.
    fn failed<'a>(
        &mut self,
        spec: &GameSpec,
        clocks: &Clocks,
        failed: &'a FailedAttempt,
        slack: Duration,
    ) -> CheckResult<LastAttempt<'a>> {
        let (side, overrun) = (failed.side, failed.end.is_overrun());
        let at = side.index();
        *(if overrun {
            &mut self.overruns[at]
        } else {
            &mut self.illegal[at]
        }) += 1;
        let attempt = self.overruns[at] + self.illegal[at];
        if failed.attempt != attempt {
            return wrong(format!("its attempts at ply {} are not numbered in order", failed.ply));
        }
        let by_count = match spec.limits.attempts {
            Attempts::Shared(attempts) => attempt >= attempts,
            Attempts::Apart { overruns, .. } if overrun => self.overruns[at] >= overruns,
            Attempts::Apart { illegal, .. } => self.illegal[at] >= illegal,
        };
        let is_lost = overrun && clocks.attempts_share(side) || by_count;
        let is_used_up = !clocks.runs_through(side) && clocks.limit(side) <= slack;
        Ok(LastAttempt {
            failed,
            is_lost: is_lost || !clocks.runs_through(side) && clocks.limit(side).is_zero(),
            may_be_lost: is_lost || is_used_up,
        })
    }

    fn moved(&mut self, side: Side) {
        (self.overruns[side.index()], self.illegal[side.index()]) = (0, 0);
    }
}
