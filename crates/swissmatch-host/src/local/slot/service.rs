//! A side that is asked over the broker: its calls are reported, time that is the service's is off its clock, and a
//! game that a service does not let be played is not played.
//!
//! Only the broker's word counts, whatever an adapter says. May not: judge a move, or grow without bound by what a
//! model says.

use std::io;
use std::time::{Duration, Instant};

use swiss_system::word::Word as _;
use swissmatch_broker::kept::KeptCall;
use swissmatch_broker::player::{BrokerPlayer, CallReport};
use swissmatch_broker::wire::Failure;
use swissmatch_game::Side;
use swissmatch_game::play::Game;
use swissmatch_game::record::{AttemptEnd, Calls, GameId, GameRecord, ServiceCall};
use swissmatch_game::transcript::Room;
use swissmatch_tournament::setup::AtLimit;

use super::texts::Texts;

use crate::engine::{Engine, EngineCommand};
use crate::host::NotPlayedCause;
use crate::services::Caller;

/// How much later than the game the broker comes to a limit: the game asks first, and waits for the broker's word.
const AFTER: Duration = Duration::from_millis(2);
/// How long to wait for the broker's word on a call at its limit.
const WORD: Duration = Duration::from_millis(50);
/// How long a call that is hung up may take to end. It takes an instant, unless others have the processors. Without its
/// report nobody would know why there is no answer, and the clocks stand meanwhile.
const HANG_UP: Duration = Duration::from_secs(2);
/// The reason of an answer that ended at its limit of tokens.
const LENGTH: &str = "length";

/// A service did not let a game be played.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub(super) struct NotServedError {
    whose: NotPlayedCause,
    why: String,
}

/// Who or what kept a game from being played, if that is the error.
pub(super) fn not_served(error: &io::Error) -> Option<NotPlayedCause> {
    let inner = error.get_ref()?.downcast_ref::<NotServedError>()?;
    Some(inner.whose)
}

#[derive(Debug)]
pub(super) struct AskedCalls {
    list: Vec<ServiceCall>,
    /// The ply for which each side was last asked, and the number of the attempt.
    last: [(u32, u32); 2],
    texts: Texts,
    /// What was said beside moves, with their plies.
    rationale: Vec<(usize, String)>,
}

impl AskedCalls {
    /// No calls yet, in a game that begins at an instant.
    pub(super) fn new(begun: Instant, room: Room) -> Self {
        Self {
            list: Vec::new(),
            last: [(0, 0); 2],
            texts: Texts::new(begun, room),
            rationale: Vec::new(),
        }
    }

    /// Notes that a side is about to be asked for a move, and has this long.
    pub(super) fn ask(
        &mut self,
        game: (GameId, &Game),
        side: Side,
        (engine, command): (&Engine, &EngineCommand),
        limit: Duration,
    ) {
        let Some(player) = engine.player() else { return };
        let (id, game) = game;
        self.take(side, player);
        self.settle(side, game.plies(), command);
        let ply = u32::try_from(game.plies()).unwrap_or(u32::MAX);
        self.last[side.index()] = (ply, game.attempt(side));
        player.play(&id.to_string());
        player.ask(Instant::now(), Some(limit + AFTER));
    }

    /// Takes a side's answer, a move or a word that `is_none`; returns how much of its time was the service's, and how
    /// its attempt ended if there is no answer to judge.
    ///
    /// # Errors
    /// The service did not let the game be played.
    pub(super) fn answered(
        &mut self,
        side: Side,
        player: &BrokerPlayer,
        command: &EngineCommand,
        is_none: bool,
    ) -> io::Result<(Duration, Option<AttemptEnd>)> {
        // A side that says something while a call is open was stopped.
        player.hang_up(HANG_UP);
        let last = self.take(side, player);
        let off_clock = player.off_clock(Instant::now());
        let (Some(last), Some(caller)) = (last, &command.caller) else {
            return Ok((off_clock, None));
        };
        let end = match ended(&last, caller, &command.name)? {
            None if is_none && last.is_hung_up => Some(AttemptEnd::Late),
            None if is_none && last.finish.as_deref() == Some(LENGTH) => Some(AttemptEnd::Truncated),
            end => end,
        };
        Ok((off_clock, end))
    }

    /// Notes that an engine plays no further in this game.
    pub(super) fn end(&mut self, side: Side, engine: &Engine) {
        if let Some(player) = engine.player() {
            player.hang_up(HANG_UP);
            self.take(side, player);
        }
    }

    /// Puts all calls into the record of the game, once it is over and its engines play no further in it.
    ///
    /// # Errors
    /// The disk does not take the ledger's lines about them.
    pub(super) fn finish(&mut self, record: &mut GameRecord, commands: &[EngineCommand; 2]) -> io::Result<()> {
        let plies = record.plies();
        for (side, command) in Side::BOTH.into_iter().zip(commands) {
            self.settle(side, plies, command);
        }
        if !self.rationale.is_empty() {
            record.rationale = vec![None; plies];
        }
        for (ply, said) in std::mem::take(&mut self.rationale) {
            record.rationale[ply] = Some(said);
        }
        record.calls = self.calls(record.id, commands)?;
        Ok(())
    }

    fn calls(&mut self, game: GameId, commands: &[EngineCommand; 2]) -> io::Result<Calls> {
        let list = std::mem::take(&mut self.list);
        let caller = commands.iter().find_map(|command| command.caller.as_ref());
        Ok(match caller.filter(|_| !list.is_empty()) {
            Some(caller) => Calls {
                list,
                ledger: caller.ledger_hash(&game.to_string())?,
            },
            None => Calls::default(),
        })
    }

    /// The kept prompts and answers, once the game is over.
    pub(super) fn into_texts(self) -> Texts {
        self.texts
    }

    /// Takes reports of calls that ended; returns the last one.
    fn take(&mut self, side: Side, player: &BrokerPlayer) -> Option<CallReport> {
        let (ply, attempt) = self.last[side.index()];
        let mut reports = player.take_reports();
        for report in &mut reports {
            let called = called(side, ply, report);
            if let Some(texts) = report.texts.take() {
                let kept = KeptCall {
                    ply,
                    attempt,
                    failed: called.failed.clone(),
                    why: report.failed.as_ref().map(|(_, why)| why.clone()),
                    texts,
                };
                self.texts.add(side, kept);
            }
            self.list.push(called);
        }
        reports.pop()
    }

    /// Notes how far the game has come, so that it is known whether the last attempt of a side gave a move.
    fn settle(&mut self, side: Side, plies: usize, command: &EngineCommand) {
        let Some(caller) = &command.caller else { return };
        let ply = self.last[side.index()].0 as usize;
        let gave_move = ply < plies;
        if gave_move && let Some(kept) = self.texts.last(side) {
            let said = caller.rationale(&kept.texts.reply.content);
            self.rationale.extend(said.map(|said| (ply, said)));
        }
        self.texts.settle(side, gave_move, caller.keep());
    }
}

/// How much of a side's time so far was the service's, once the broker has given its word.
pub(super) fn off_clock(engine: &Engine, has_answered: bool) -> Duration {
    let Some(player) = engine.player() else {
        return Duration::ZERO;
    };
    if !has_answered {
        player.judged(WORD);
    }
    player.off_clock(Instant::now())
}

/// How an attempt ended by the broker's word; `None` if there is an answer.
///
/// # Errors
/// The game cannot be played.
fn ended(last: &CallReport, caller: &Caller, player: &str) -> io::Result<Option<AttemptEnd>> {
    let Some((failure, why)) = &last.failed else {
        return Ok(None);
    };
    let not_served = |whose| {
        let remedy = last
            .mend
            .map_or_else(String::new, |mend| format!("; {}", caller.remedy(mend)));
        let why = format!("{} did not serve {player}: {why}{remedy}", caller.called());
        Err(io::Error::other(NotServedError { whose, why }))
    };
    match failure {
        Failure::Empty => Ok(Some(AttemptEnd::Empty)),
        Failure::Truncated => Ok(Some(AttemptEnd::Truncated)),
        Failure::Refused => Ok(Some(AttemptEnd::Refused)),
        // Whatever doubt the machine gives, there is no answer.
        Failure::Late => Ok(Some(AttemptEnd::Late)),
        // A player who needs a call that there is no money for gives no answer.
        Failure::Configuration if last.is_spent => match caller.at_limit() {
            AtLimit::Pause => not_served(NotPlayedCause::Configuration),
            AtLimit::Forfeit => Ok(Some(AttemptEnd::Empty)),
        },
        // If a service of the player's own gives no answer, that is the player's own failure.
        Failure::Transport | Failure::Configuration if !caller.is_events() => Ok(Some(AttemptEnd::Empty)),
        Failure::Transport => not_served(NotPlayedCause::Service),
        Failure::Configuration => not_served(NotPlayedCause::Configuration),
    }
}

fn called(side: Side, ply: u32, report: &CallReport) -> ServiceCall {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let failed = report.failed.as_ref().map(|(failure, _)| failure.word());
    ServiceCall {
        side,
        ply,
        input: report.usage.map(|usage| usage.input.0),
        cached: report.usage.map(|usage| usage.cached.0),
        output: report.usage.map(|usage| usage.output.0),
        reasoning: report.usage.map(|usage| usage.reasoning.0),
        cost: report.cost.map(|cost| cost.0),
        first_byte_us: report.first_byte.map(micros),
        latency_us: micros(report.latency),
        off_clock_us: micros(report.off_clock),
        tries: report.tries,
        finish: report.finish.clone(),
        model: report.served_model.clone(),
        fingerprint: report.fingerprint.clone(),
        failed: failed.or(report.is_hung_up.then_some("hung-up")).map(str::to_owned),
    }
}
