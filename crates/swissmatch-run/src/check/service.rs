//! The step of a player that is asked over the network: two calls, of which the first is a warm-up and off the clock. Whether it answers,
//! as which model, by a legal move; how long it takes, what it uses, what a game of it costs.
//!
//! May not: read an answer otherwise than games do.

use std::time::Duration;

use swiss_system::count;
use swiss_system::text::shortened;
use swiss_system::word::Word as _;

use super::fault::{problem, tenths};
use super::games::{CheckGame, LENIENT, PlayedCheckGame};
use super::{Check, CheckError, Subject, key_of_clock};
use swissmatch_broker::wire::Failure;
use swissmatch_game::conformance::StepReport;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{AttemptEnd, Bounds, GameRecord, ServiceCall};
use swissmatch_game::time_control::{Limit, TimeControl};
use swissmatch_game::trials::MIDDLEGAME;
use swissmatch_host::host::NotPlayedCause;
use swissmatch_tournament::duration::Assumptions;
use swissmatch_tournament::setup::{Micros, MoveSource};

/// How long the first call may take: a service may have to load its model.
const WARM_UP: Duration = Duration::from_mins(2);
/// Most characters of a model's name that are told.
const NAMED: usize = 100;

/// The word for what a service of the event failed.
pub(super) fn word(whose: NotPlayedCause) -> &'static str {
    match whose {
        NotPlayedCause::Configuration => Failure::Configuration.word(),
        NotPlayedCause::Service | NotPlayedCause::Host | NotPlayedCause::Machine | NotPlayedCause::Stop => {
            Failure::Transport.word()
        }
    }
}

/// What to do about a service of the event that does not let a player be asked.
pub(super) const fn remedy_of_event(whose: NotPlayedCause) -> &'static str {
    match whose {
        NotPlayedCause::Configuration => {
            "mend what it says: its key (key_env, key_file) where it answered 401 or 403, its address (url) or the name of the model where \
             it answered 404, its account or [spending] where there is no money; then check again"
        }
        NotPlayedCause::Service | NotPlayedCause::Host | NotPlayedCause::Machine | NotPlayedCause::Stop => {
            "does the service run, and is this its address (url of its [endpoint])? Once it answers, check again"
        }
    }
}

impl Check<'_> {
    pub(super) fn service(&mut self) -> Result<StepReport, CheckError> {
        let subject = self.subject;
        let game = &subject.setup().game;
        let start = || Opening::start(game.variant);
        let warm_up = self.call(start(), Limit::MoveTime(WARM_UP).into(), LENIENT)?;
        let player = &subject.agent.player;
        let limit = subject.setup().time_control(player).clone();
        let clock = key_of_clock(player);
        let middlegame = MIDDLEGAME.opening(game.variant).unwrap_or_else(start);
        let measured = self.call(middlegame, limit, self.margin())?;
        let both = [warm_up, measured];
        let last = both[1].record.calls.list.last();
        let faults: Vec<String> = both.iter().filter_map(|played| fault(&played.record, clock)).collect();
        let legal = both.len() - faults.len();
        let mut seen = vec![format!("a legal move in {legal} of {}", both.len())];
        seen.extend(faults);
        seen.dedup();
        seen.extend(last.into_iter().flat_map(|last| told(last, subject)));
        let calls: usize = both.iter().map(|played| played.record.calls.list.len()).sum();
        let ledger = match subject.agent.player.asks() {
            Some(MoveSource::Model(..)) => ", in the ledger of no run",
            _ => "",
        };
        seen.push(format!("{}{ledger}", count::of(calls, "call", "calls")));
        let seen = seen.join("; ");
        let is_bad = |played: &&PlayedCheckGame| fault(&played.record, clock).is_some();
        let lines =
            |played: &PlayedCheckGame| [vec![played.record.position_command()], played.evidence.clone()].concat();
        let bad: Vec<&PlayedCheckGame> = both.iter().filter(is_bad).collect();
        let other = last.and_then(|last| other_model(last, subject));
        let found = match (bad.as_slice(), other) {
            ([], None) => StepReport::pass(seen),
            ([], Some(_)) => StepReport::warn(seen, "is it the model that is meant? Name it as the service does"),
            ([one], _) => StepReport::warn(seen, remedy(&one.record)).with(lines(one)),
            ([one, ..], _) => StepReport::fail(seen, remedy(&one.record)).with(lines(one)),
        };
        self.calls = both.into_iter().flat_map(|played| played.record.calls.list).collect();
        Ok(found)
    }

    /// A game of one move, which is one call.
    fn call(
        &mut self,
        opening: Opening,
        time_control: TimeControl,
        margin: Duration,
    ) -> Result<PlayedCheckGame, CheckError> {
        self.play(CheckGame {
            opening,
            time_control,
            bounds: Bounds::default(),
            max_plies: 1,
            margin,
        })
    }
}

/// Why an answer gave no legal move, with the word for it; `None`: it gave one.
fn fault(record: &GameRecord, clock: &str) -> Option<String> {
    if record.plies() > 0 {
        return None;
    }
    let what = problem(record, clock).unwrap_or_else(|| "it resigned".to_owned());
    Some(match failure(record) {
        Some(word) => format!("{word}: {what}"),
        None => what,
    })
}

/// The word for what an answer without a legal move failed.
fn failure(record: &GameRecord) -> Option<&str> {
    let of_service = record.calls.list.last().and_then(|last| last.failed.as_deref());
    let of_attempt = record.failed_attempts.last().map(|attempt| attempt.end.word());
    match of_service {
        // Of a service of the player's own the attempt alone says that there was nothing.
        Some(word) if word == Failure::Transport.word() || word == Failure::Configuration.word() => Some(word),
        _ => of_attempt,
    }
}

/// What to do about an answer that gave no legal move.
fn remedy(record: &GameRecord) -> &'static str {
    let end = record.failed_attempts.last().map(|attempt| &attempt.end);
    match (failure(record), end) {
        (Some(word), _) if word == Failure::Transport.word() => {
            "it is the player's own service: does it run, and is this its address? What it answered is above"
        }
        (Some(word), _) if word == Failure::Configuration.word() => {
            "it is the player's own service: are its key, its address and its model right? What it answered is above"
        }
        (_, Some(AttemptEnd::Illegal(_))) => {
            "a prompt can name the legal moves ({{ legal_moves_uci }}), and response_format = \"legal-moves\" allows no others"
        }
        (_, Some(AttemptEnd::Unparsable(_))) => {
            "its move has to stand where it is read: the prompt has to ask for that; model.tag, model.take and model.notation say where"
        }
        (_, Some(AttemptEnd::Truncated)) => "raise model.max_tokens, or have the prompt ask for a shorter answer",
        (_, Some(AttemptEnd::Refused)) => "see what it says above; another prompt may help",
        (_, Some(AttemptEnd::Late)) => {
            "it has to answer within the limit (game.time_control): fewer tokens (model.max_tokens), less reasoning, or more time"
        }
        (_, Some(AttemptEnd::Empty)) => {
            "see what it says above; a model that reasons may need more tokens (model.max_tokens)"
        }
        _ => "see what was said last, above",
    }
}

/// What is told of a call.
fn told(call: &ServiceCall, subject: &Subject<'_>) -> Vec<String> {
    let time = |us: u64| tenths(Duration::from_micros(us));
    let first_byte = call.first_byte_us.map(|us| format!("first byte after {}, ", time(us)));
    let mut told = vec![format!(
        "{}all of the answer after {}",
        first_byte.unwrap_or_default(),
        time(call.latency_us)
    )];
    if call.tries > 1 {
        let tries = format!("{} tries", call.tries);
        told.push(format!("{tries}, with {} off the clock", time(call.off_clock_us)));
    }
    let Some(MoveSource::Model(endpoint, asked)) = subject.agent.player.asks() else {
        return told;
    };
    let named = |model: &str| shortened(model, NAMED);
    told.push(match (&call.model, other_model(call, subject)) {
        (_, Some(served)) => format!("the model is {}, asked for was {asked}", named(served)),
        (Some(served), None) => format!("the model is {}", named(served)),
        (None, None) => "it does not say which model it is".to_owned(),
    });
    let Some((input, output)) = call.input.zip(call.output) else {
        told.push("it does not say what it uses, so what a game costs is unknown".to_owned());
        return told;
    };
    let cached = call.cached.filter(|cached| *cached > 0);
    let cached = cached.map_or_else(String::new, |cached| format!(" ({cached} cached)"));
    let reasoning = call.reasoning.filter(|reasoning| *reasoning > 0);
    let reasoning = reasoning.map_or_else(String::new, |reasoning| format!(" ({reasoning} reasoning)"));
    told.push(format!("tokens: {input} in{cached}, {output} out{reasoning}"));
    let moves = Assumptions::default().moves_of(subject.setup());
    let of_game = count::of(moves as usize, "move", "moves");
    told.push(match call.cost {
        Some(cost) => {
            let cost = Micros(cost.saturating_mul(moves.into()));
            format!("a game of {of_game} costs about {cost}")
        }
        None => format!("what a game of {of_game} costs is unknown: endpoint.{endpoint} has no price"),
    });
    told
}

/// The model that answered, where it is another one than was asked for.
fn other_model<'a>(call: &'a ServiceCall, subject: &Subject<'_>) -> Option<&'a str> {
    let player = &subject.agent.player;
    call.model.as_deref().filter(|served| player.is_other_model(served))
}
