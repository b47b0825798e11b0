//! Steps that are games of the agent against itself, most of them cut short: positions, time keeping, determinism, self-play.
//!
//! They are played by the code that plays an event's games, at two seats of the same agent; two more play Chess960. May not:
//! judge a game otherwise than an event does.

use std::time::Duration;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::fault::{problem, tenths};
use super::fits::plies;
use super::{Check, CheckError};
use swissmatch_game::adjudicate::AdjudicationRules;
use swissmatch_game::conformance::StepReport;
use swissmatch_game::excerpt::last_lines;
use swissmatch_game::flag_fall::FlagFall;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{AttemptEnd, Attempts, Bounds, GameId, GameLimits, GameRecord, GameSpec};
use swissmatch_game::rules::Claims;
use swissmatch_game::termination::Termination;
use swissmatch_game::time_control::{Clock, Limit, TimeControl};
use swissmatch_game::trials::{CHESS960, TRIALS, Trial, long_game};
use swissmatch_game::variant::Variant;
use swissmatch_tournament::limits::limits_of_trial;

/// How late an answer may be where time is not what is looked at.
pub(super) const LENIENT: Duration = Duration::from_secs(1);
/// After so many positions without a legal move the others are not tried.
const ENOUGH: usize = 3;
/// Plies of a game of which the time is looked at.
const TIMED_PLIES: u32 = 12;
/// Nodes of a search that is made twice.
const NODES: u64 = 2000;
/// Plies of the game in which it is.
const TWICE_PLIES: u32 = 8;
/// Longest time of such a search at least.
const NODES_LIMIT: Duration = Duration::from_secs(1);
/// Limit of a move where no event says one.
const USUAL_MOVE: Duration = Duration::from_millis(100);
/// Moves that the clock of a timed game is made for.
const CLOCK_MOVES: u32 = 10;

/// A game to be played.
pub(super) struct CheckGame {
    pub(super) opening: Opening,
    pub(super) time_control: TimeControl,
    pub(super) bounds: Bounds,
    pub(super) max_plies: u32,
    pub(super) margin: Duration,
}

/// A game that was played.
pub(super) struct PlayedCheckGame {
    pub(super) record: GameRecord,
    pub(super) evidence: Vec<String>,
}

impl Check<'_> {
    pub(super) fn positions(&mut self) -> Result<StepReport, CheckError> {
        let variant = self.subject.setup().game.variant;
        let usual = TRIALS.iter().filter_map(|trial| trial.opening(variant));
        let mut openings: Vec<Opening> = usual.chain([long_game(variant)]).collect();
        let too = self.plays_chess960_too();
        if too || variant == Variant::Chess960 {
            let opening = |trial: &Trial| trial.opening(Variant::Chess960);
            openings.extend(CHESS960.iter().filter_map(opening));
        }
        let count = openings.len();
        let (mut tried, mut problems, mut evidence) = (0, Vec::new(), Vec::new());
        for opening in openings {
            let kind = opening.name.clone();
            let played = self.play(CheckGame {
                opening,
                time_control: self.of_a_move(),
                bounds: Bounds::default(),
                max_plies: 1,
                margin: LENIENT + self.timing.more,
            })?;
            tried += 1;
            if let Some(problem) = problem(&played.record, self.timing.key) {
                problems.push(format!("{kind}: {problem}"));
                if evidence.is_empty() {
                    evidence = [vec![played.record.position_command()], played.evidence].concat();
                }
                if problems.len() == ENOUGH {
                    break;
                }
            }
        }
        if problems.is_empty() {
            let and = if too { ", Chess960 too" } else { "" };
            return Ok(StepReport::pass(format!("a legal move in {count} of {count}{and}")));
        }
        let untried = match count - tried {
            0 => String::new(),
            left => format!("; {left} were not tried"),
        };
        Ok(StepReport::fail(
            format!(
                "no legal move in {} of {tried}{untried}: {}",
                problems.len(),
                problems.join("; ")
            ),
            "send it the position above by hand, with all its moves, then `go` with a time, and see what it answers",
        )
        .with(evidence))
    }

    pub(super) fn time_keeping(&mut self) -> Result<StepReport, CheckError> {
        let controls = match self.subject.of_event {
            true => vec![self.timing.control.clone()],
            false => self.both_kinds(),
        };
        let mut seen = Vec::new();
        let mut warned = None;
        for control in controls {
            let each = control.at_first() + self.timing.more;
            // What happens once on a busy machine is not held against it; what happens again is.
            for attempt in 0..2 {
                let played = self.play(CheckGame {
                    opening: Opening::start(self.subject.setup().game.variant),
                    time_control: control.clone(),
                    bounds: Bounds::default(),
                    max_plies: TIMED_PLIES,
                    margin: self.margin() + self.timing.more,
                })?;
                let record = &played.record;
                let longest = record
                    .time_us
                    .iter()
                    .max()
                    .map_or(Duration::ZERO, |us| Duration::from_micros(*us));
                let Some(what) = problem(record, self.timing.key) else {
                    let overdrawn = self.timing.overdrawn(record);
                    warned = warned.or(overdrawn.map(|what| (format!("at {control} {what}"), played.evidence)));
                    let plies = u32::try_from(record.plies()).unwrap_or(1).max(1);
                    self.pace = Duration::from_micros(record.time_us.iter().sum()) / plies;
                    seen.push(format!(
                        "{} at {control}: the longest took {}{}",
                        count::of(record.plies(), "move", "moves"),
                        tenths(longest),
                        over(record, longest, each, &control)
                    ));
                    break;
                };
                let is_overrun = matches!(record.termination, Termination::TimeForfeit { .. });
                let what = overrun(record, each, (&control, self.timing.key)).unwrap_or(what);
                let delay = wakeup_delay(record);
                let is_explained = |record| is_within(record, each + self.margin() + delay, &control);
                if is_overrun && attempt == 1 && is_explained(record) {
                    return Ok(StepReport::warn(
                        format!(
                            "at {control} {what}; this machine was busy: it woke this program up as much as {} late",
                            tenths(delay)
                        ),
                        "check it again when the machine has nothing else to do",
                    )
                    .with(played.evidence));
                }
                if !is_overrun || attempt == 1 {
                    return Ok(StepReport::fail(
                        format!("at {control} {what}"),
                        remedy(
                            record,
                            "it has to send `bestmove` before its time is over, with some time to spare for the way; game.margin \
                             and game.move_overhead say how much",
                        ),
                    )
                    .with(played.evidence));
                }
                warned = Some((format!("once at {control} {what}, and not again"), played.evidence));
            }
        }
        Ok(match warned {
            None => StepReport::pass(seen.join("; ")),
            Some((once, evidence)) => StepReport::warn(
                format!("{}; {once}", seen.join("; ")),
                "is this machine busy, or does the agent play so close to its limit?",
            )
            .with(evidence),
        })
    }

    pub(super) fn determinism(&mut self) -> Result<StepReport, CheckError> {
        let bounds = Bounds {
            nodes: Some(NODES),
            depth: None,
        };
        let limit = (self.move_time() * CLOCK_MOVES).max(NODES_LIMIT);
        let control = match self.subject.of_event {
            true => self.timing.control.clone(),
            false => Limit::MoveTime(limit).into(),
        };
        let mut games = Vec::new();
        for _ in 0..2 {
            let played = self.play(CheckGame {
                opening: Opening::start(self.subject.setup().game.variant),
                time_control: control.clone(),
                bounds,
                max_plies: TWICE_PLIES,
                margin: LENIENT + self.timing.more,
            })?;
            if let Some(problem) = problem(&played.record, self.timing.key) {
                return Ok(StepReport::warn(
                    format!("at `go nodes {NODES}` {problem}"),
                    remedy(
                        &played.record,
                        "it has to end a search at the number of nodes that it is given",
                    ),
                )
                .with(played.evidence));
            }
            games.push(played.record.moves);
        }
        let [first, again] = [&games[0], &games[1]].map(|moves| moves.split(' ').collect::<Vec<_>>());
        let different = first.iter().zip(&again).position(|(one, other)| one != other);
        Ok(match different {
            None => StepReport::pass(format!("{} searches of {NODES} nodes, the same both times", first.len())),
            Some(at) => StepReport::warn(
                format!("at {NODES} nodes ply {} was {}, then {}", at + 1, first[at], again[at]),
                "after `ucinewgame`, nothing of one game may affect the next; with a seed and one thread it repeats itself",
            )
            .with(games.iter().map(|moves| format!("{NODES} nodes: {moves}")).collect()),
        })
    }

    pub(super) fn self_play(&mut self) -> Result<StepReport, CheckError> {
        let played = self.play(CheckGame {
            opening: Opening::start(self.subject.setup().game.variant),
            time_control: self.timing.control.clone(),
            bounds: Bounds::default(),
            max_plies: plies(self.subject.of_event, self.pace),
            margin: LENIENT + self.timing.more,
        })?;
        let record = &played.record;
        Ok(
            match (problem(record, self.timing.key), self.timing.overdrawn(record)) {
                (None, _) => {
                    let ending = record.termination.sentence(record.outcome, 0);
                    StepReport::pass(format!(
                        "{ending} after {}",
                        count::of(record.plies().div_ceil(2), "move", "moves")
                    ))
                }
                // The event itself gives it the time that it used.
                (Some(problem), Some(overdrawn)) => StepReport::warn(
                    format!(
                        "after {} {problem}; {overdrawn}",
                        count::of(record.plies(), "ply", "plies")
                    ),
                    "have it heed the time that it is told",
                )
                .with(played.evidence),
                (Some(problem), None) => StepReport::fail(
                    format!("after {} {problem}", count::of(record.plies(), "ply", "plies")),
                    remedy(record, "see what was said last, above"),
                )
                .with(played.evidence),
            },
        )
    }

    /// The time of a move where no event says how its games are timed.
    fn move_time(&self) -> Duration {
        match self.timing.control.limit {
            Limit::MoveTime(time) => time,
            _ => USUAL_MOVE,
        }
    }

    /// What a single move is played under.
    fn of_a_move(&self) -> TimeControl {
        match self.subject.of_event {
            true => self.timing.control.clone(),
            false => Limit::MoveTime(self.move_time()).into(),
        }
    }

    /// A time per move, and a clock of ten such times with an increment of one.
    fn both_kinds(&self) -> Vec<TimeControl> {
        let each = self.move_time();
        let clock = Clock {
            increment: each,
            ..Clock::sudden_death(each * CLOCK_MOVES)
        };
        vec![Limit::MoveTime(each).into(), Limit::Clock(clock).into()]
    }

    pub(super) fn margin(&self) -> Duration {
        self.subject
            .agent
            .player
            .margin
            .unwrap_or(self.subject.setup().game.margin)
    }

    /// Plays a game. Where the event starts an agent anew for each game, what goes wrong in a process that has played before is not held
    /// against it: the game is played again in one that has not.
    pub(super) fn play(&mut self, wanted: CheckGame) -> Result<PlayedCheckGame, CheckError> {
        let anew = (wanted.opening.variant, true);
        let played = self.play_in((wanted.opening.variant, false), &wanted)?;
        let may_be_by_history = std::mem::replace(&mut self.has_played, true) && self.seats().contains(&anew);
        let is_late = played
            .record
            .failed_attempts
            .last()
            .is_some_and(|last| last.end == AttemptEnd::Late);
        if !may_be_by_history || is_late || problem(&played.record, self.timing.key).is_none() {
            return Ok(played);
        }
        self.has_played = false;
        self.play_in(anew, &wanted)
    }

    fn play_in(&mut self, seat: (Variant, bool), wanted: &CheckGame) -> Result<PlayedCheckGame, CheckError> {
        let setup = self.subject.setup();
        let seats = self.seats();
        let seat = seats.iter().position(|of| *of == seat).unwrap_or(0);
        let number = |place: usize| PairingNumber::from_index(2 * seat + place);
        let player = &self.subject.agent.player;
        let control = wanted.time_control.clone();
        let of_event = match self.subject.of_event {
            true => setup.bounds(player, &control),
            false => control.bounds,
        };
        let spec = GameSpec {
            id: GameId {
                round: 1,
                playoff: 0,
                board: 1,
                game: 1,
            },
            white: number(0),
            black: number(1),
            opening: wanted.opening.clone(),
            bounds: [wanted.bounds.or(of_event); 2],
            limits: GameLimits {
                margins: [wanted.margin; 2],
                attempts: Attempts::Shared(1),
                attempts_share: false,
                max_plies: Some(wanted.max_plies),
                claims: Claims::Automatic,
                freeze: self.subject.agent.freezes,
                flag_fall: FlagFall::Loses,
                ..limits_of_trial(setup, player, &control)
            },
            adjudication: AdjudicationRules::default(),
        };
        let played = self.table()?.play(spec)?;
        self.peak = self.peak.max(played.memory.unwrap_or(0));
        Ok(PlayedCheckGame {
            record: played.record,
            evidence: last_lines(played.evidence.as_deref()),
        })
    }
}

/// What to do about it: `usual`, unless it ended, did not get ready, or answered with no legal move.
fn remedy<'a>(record: &GameRecord, usual: &'a str) -> &'a str {
    let last = record.failed_attempts.last().map(|attempt| &attempt.end);
    match (record.engine_end, last) {
        (Some(_), _) => "it has to keep running until `quit`; see what was said last, above",
        _ if !record.termination.was_played() => "it has to answer `isready` with `readyok` before each game",
        (None, Some(AttemptEnd::Illegal(_) | AttemptEnd::Unparsable(_))) => {
            "it has to answer with a legal move, such as `bestmove e2e4`; see what was said last, above"
        }
        _ => usual,
    }
}

/// Whether the answer that came too late was in time by this limit, where it was one a move.
fn is_within(record: &GameRecord, limit: Duration, control: &TimeControl) -> bool {
    let last = record.failed_attempts.last();
    let came = last.filter(|last| last.end == AttemptEnd::Late && matches!(control.limit, Limit::MoveTime(_)));
    came.is_some_and(|last| Duration::from_micros(last.time_us) <= limit)
}

/// How late the machine woke this program at most, when there was an answer to read: a measure of how busy it is.
fn wakeup_delay(record: &GameRecord) -> Duration {
    let of_failed = record.failed_attempts.iter().map(|attempt| attempt.wakeup_us);
    let all = record.wakeup_us.iter().copied().chain(of_failed).flatten();
    Duration::from_micros(all.max().unwrap_or(0))
}

/// How far the last move was over its limit, where that is known.
fn overrun(record: &GameRecord, each: Duration, (control, key): (&TimeControl, &str)) -> Option<String> {
    let last = record.failed_attempts.last()?;
    if last.end != AttemptEnd::Late || !matches!(control.limit, Limit::MoveTime(_)) {
        return None;
    }
    let took = Duration::from_micros(last.time_us);
    let late = last.wakeup_us.map_or(Duration::ZERO, Duration::from_micros);
    let machine = match late > Duration::from_millis(1) {
        true => format!(", of which this machine was {} late", tenths(late)),
        false => String::new(),
    };
    Some(format!(
        "it took {}, {} over{machine} ({key})",
        tenths(took),
        tenths(took.saturating_sub(each))
    ))
}

/// How far the longest move of a game without an overrun was over what the limit says, and what allowed that.
fn over(record: &GameRecord, longest: Duration, each: Duration, control: &TimeControl) -> String {
    let over = longest.saturating_sub(each);
    if over.is_zero() || !matches!(control.limit, Limit::MoveTime(_)) {
        return String::new();
    }
    let mut in_doubt = record.in_doubt.iter();
    let allowed = in_doubt.find(|answer| Duration::from_micros(answer.time_us) == longest);
    let allowed = allowed.map_or_else(
        || "within the margin".to_owned(),
        |answer| {
            format!(
                "in time, because the machine took {} of it",
                tenths(answer.doubt.time())
            )
        },
    );
    format!(", {} over and {allowed}", tenths(over))
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_game::Side;
    use swissmatch_game::doubt::{Doubt, MeasuredTime};
    use swissmatch_game::record::{EngineEnd, FailedAttempt, InDoubt};
    use swissmatch_game::rules::PliesFrom;
    use swissmatch_game::termination::BothFailed;
    use swissmatch_tournament::setup::{PlayerKeys, Setup};

    use super::super::fits::Timing;

    fn spec() -> GameSpec {
        let control = TimeControl::from(Limit::MoveTime(Duration::from_secs(30)));
        GameSpec {
            id: GameId {
                round: 1,
                playoff: 0,
                board: 1,
                game: 1,
            },
            white: PairingNumber(1),
            black: PairingNumber(2),
            opening: Opening::start(Variant::Standard),
            limits: GameLimits {
                time_controls: [control.clone(), control],
                margins: [Duration::ZERO; 2],
                move_overhead: Duration::from_millis(50),
                attempts: Attempts::Shared(3),
                attempts_share: false,
                max_plies: Some(400),
                plies_from: PliesFrom::Opening,
                claims: Claims::Automatic,
                both_failed: BothFailed::Lost,
                ready_limit: Duration::from_secs(10),
                step_limit: Duration::from_secs(1),
                restart_limits: [Duration::from_secs(2); 2],
                threads: [1; 2],
                stop_grace: Duration::from_secs(1),
                start_attempts: 3,
                ponder: [false; 2],
                freeze: false,
                resigns: [false; 2],
                flag_fall: FlagFall::DrawIfCannotMate,
            },
            bounds: [Bounds::default(); 2],
            adjudication: AdjudicationRules::default(),
        }
    }

    #[test]
    fn what_the_machine_was_late_explains_so_much_and_no_more() {
        let ms = Duration::from_millis;
        let control = TimeControl::from(Limit::MoveTime(ms(100)));
        let mut record = GameRecord::begin(&spec());
        record.wakeup_us = vec![Some(300), None, Some(28_000), Some(1_000)];
        assert_eq!(wakeup_delay(&record), ms(28));
        assert!(!is_within(&record, ms(128), &control), "nothing was late");
        record.failed_attempts.push(FailedAttempt {
            ply: 4,
            side: Side::White,
            attempt: 1,
            time_us: 128_000,
            end: AttemptEnd::Late,
            wakeup_us: Some(2_000),
            service_us: None,
            ready_us: None,
            doubt: None,
            meant: None,
        });
        assert!(is_within(&record, ms(128), &control));
        assert!(!is_within(&record, ms(127), &control));
        record.termination = Termination::TimeForfeit { by: Side::White };
        let usual = "answer sooner";
        assert_eq!(remedy(&record, usual), usual);
        let ended = GameRecord {
            engine_end: Some(EngineEnd::Exited(1)),
            ..record.clone()
        };
        assert!(remedy(&ended, usual).starts_with("it has to keep running"));
        record.failed_attempts[0].end = AttemptEnd::Silent;
        assert!(!is_within(&record, ms(128), &control), "it never came");
    }

    #[test]
    fn a_clock_that_the_event_has_longer_is_overdrawn() {
        let mut setup = Setup::default();
        let of = |setup: &Setup, times: &[u64]| {
            let mut record = GameRecord::begin(&spec());
            record.time_us = times.iter().map(|ms| ms * 1000).collect();
            Timing::of(setup, &PlayerKeys::default()).overdrawn(&record)
        };
        setup.game.time_control = "120+0.5".parse().expect("a time control");
        assert_eq!(
            of(&setup, &[6000, 0, 5000, 12_000]),
            Some("it used 12.0 s where it was told 11.0 s; the event has 110.0 s more (game.time_control)".to_owned())
        );
        assert_eq!(of(&setup, &[6000, 0, 5000, 0]), None);
        setup.game.time_control = "5+0.5".parse().expect("a time control");
        assert_eq!(of(&setup, &[60_000]), None, "the event has no more");
    }

    #[test]
    fn what_allowed_an_answer_after_the_limit_is_named() {
        let ms = Duration::from_millis;
        let control = TimeControl::from(Limit::MoveTime(ms(100)));
        let mut record = GameRecord::begin(&spec());
        let said = |record: &GameRecord| over(record, ms(116), ms(100), &control);
        assert_eq!(said(&record), ", 16.0 ms over and within the margin");
        let measured = MeasuredTime {
            pauses: ms(20),
            ..MeasuredTime::default()
        };
        record.in_doubt.push(InDoubt {
            ply: 0,
            side: Side::White,
            time_us: 116_000,
            limit_us: 100_000,
            doubt: Doubt::new(measured, 1, ms(116)),
        });
        assert_eq!(
            said(&record),
            ", 16.0 ms over and in time, because the machine took 20.0 ms of it"
        );
    }
}
