//! The arbiter's acts on a game, and its earlier ends before it was played again.
//!
//! May not: judge an act.

use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::text::harmless;

use super::{AppealCase, EntryReference, Section};
use crate::interruptions::why;
use swissmatch_game::record::GameId;
use swissmatch_tournament::log::{Act, ArbiterActed, GameFinished, GamesInterrupted};

use swiss_system::word::Word as _;

/// An act about a game, as it stands in the log.
#[derive(Clone, Copy, Debug)]
pub struct OnGame<'a> {
    /// Its entry of the log.
    pub logged: EntryReference<'a>,
    pub acted: &'a ArbiterActed,
}

/// An end of a game that no longer counts, because the game was played again.
#[derive(Clone, Copy, Debug)]
pub struct EarlierEnd<'a> {
    /// Its entry of the log.
    pub logged: EntryReference<'a>,
    pub finished: &'a GameFinished,
}

pub fn is_about(act: &Act, id: GameId) -> bool {
    match act {
        Act::Replay { game } | Act::Void { game } | Act::SetResult { game, .. } | Act::Adjudicate { game, .. } => {
            *game == id
        }
        _ => false,
    }
}

pub(super) fn section(case: &AppealCase<'_>) -> Section {
    let mut lines: Vec<(i64, String)> = case
        .acts
        .iter()
        .map(|act| (act.logged.seq, of_act(case, act)))
        .collect();
    lines.extend(case.replayed.iter().map(|replayed| {
        let (outcome, termination) = (replayed.finished.outcome, replayed.finished.termination);
        let plies = count::of(replayed.finished.plies, "ply", "plies");
        let line = format!(
            "{}: it had ended {}, {}, after {plies} (entry {}); that no longer counts.",
            harmless(replayed.logged.at),
            outcome.word(),
            termination.word(),
            replayed.logged.seq
        );
        (replayed.logged.seq, line)
    }));
    lines.sort_by_key(|(seq, _)| *seq);
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    if let Some(game) = case.game.filter(|game| game.ruled.is_some()) {
        lines.push(format!(
            "It ended {} by itself, and counts as {}.",
            game.finished.outcome.word(),
            game.outcome().word()
        ));
    }
    Section::new("Rulings of the arbiter", lines)
}

/// The interruptions of a game and what they mean for it: runners that ended while it was open, or may have been, services that did not
/// answer, and machines that did not play.
pub(super) fn interruptions(case: &AppealCase<'_>) -> Section {
    let line = |(logged, interrupted): &(EntryReference<'_>, &GamesInterrupted)| {
        let (at, seq, why) = (harmless(logged.at), logged.seq, why(&interrupted.cause()));
        match interrupted.games {
            Some(_) if !interrupted.is_of_runner() => {
                let uncounted = match interrupted.outage {
                    true => " It does not count for run.replays.",
                    false => "",
                };
                format!("{at}: {why} (entry {seq}); nothing of that playing counts, and nobody lost by it.{uncounted}")
            }
            Some(_) => {
                format!(
                    "{at}: it was noted that {why} while the game was open (entry {seq}); nothing of that playing counts."
                )
            }
            None => format!("{at}: it was noted that {why}; the game was due, and may have been open (entry {seq})."),
        }
    };
    let mut lines: Vec<String> = case.interrupted.iter().map(line).collect();
    if case.state.is_held(case.id) {
        let replays = case.state.setup().run.replays;
        lines.push(format!(
            "It was interrupted more often than run.replays = {replays} allows: the arbiter rules on it."
        ));
    }
    Section::new("Interruptions", lines)
}

pub(super) fn interruptions_json(case: &AppealCase<'_>) -> Value {
    let one = |(logged, interrupted): &(EntryReference<'_>, &GamesInterrupted)| {
        let mut told = json!({
            "seq": logged.seq,
            "at": harmless(logged.at),
            "is_known": interrupted.games.is_some(),
            "signal": interrupted.ended.signal,
            "exit_code": interrupted.ended.exit_code,
        });
        for (what, why) in [("service", &interrupted.service), ("machine", &interrupted.machine)] {
            if let Some(why) = why {
                told[what] = harmless(why).into();
                told["outage"] = interrupted.outage.into();
            }
        }
        told
    };
    case.interrupted.iter().map(one).collect::<Vec<_>>().into()
}

fn of_act(case: &AppealCase<'_>, act: &OnGame<'_>) -> String {
    format!(
        "{}: {} {} (entry {}). Reason: {}",
        harmless(act.logged.at),
        harmless(&act.acted.by),
        harmless(&act.acted.act.done(case.state)),
        act.logged.seq,
        harmless(&act.acted.reason)
    )
}

pub(super) fn json(case: &AppealCase<'_>) -> Value {
    let acts = case.acts.iter().map(|act| {
        json!({
            "seq": act.logged.seq,
            "at": harmless(act.logged.at),
            "by": harmless(&act.acted.by),
            "reason": harmless(&act.acted.reason),
            "act": act.acted.act,
            "in_words": of_act(case, act),
        })
    });
    let replayed = case.replayed.iter().map(|replayed| {
        let (outcome, termination) = (replayed.finished.outcome, replayed.finished.termination);
        json!({
            "seq": replayed.logged.seq,
            "at": harmless(replayed.logged.at),
            "result": outcome.word(),
            "termination": termination.word(),
            "plies": replayed.finished.plies,
            "record_sha256": replayed.finished.record.as_deref().map(harmless),
        })
    });
    json!({ "acts": acts.collect::<Vec<_>>(), "replayed": replayed.collect::<Vec<_>>() })
}
