//! What was due when: every pairing, lot, decision and act of a log against the state in which it was made.

use std::collections::BTreeSet;

use swiss_system::pairing::history::{PairingNumber, RoundPairing};
use swiss_system::word::Word as _;

use crate::open_run::OpenRun;
use swissmatch_game::termination::Termination;
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::decide;
use swissmatch_tournament::director;
use swissmatch_tournament::director::Next;
use swissmatch_tournament::log::{Act, ArbiterActed, Entry, EventStopped, PlayoffPaired, RoundPaired};
use swissmatch_tournament::policy;
use swissmatch_tournament::ranking::field_by_rank;
use swissmatch_tournament::schedule;
use swissmatch_tournament::sprt::test_of;
use swissmatch_tournament::state::State;
use swissmatch_tournament::stop;
use swissmatch_tournament::ties::event_is_over;

/// Stages and rounds must be what the rules gave when they were logged.
pub(super) fn pairings(run: &OpenRun) -> Result<usize, String> {
    walk(run, |state, _, entry| match entry {
        Entry::RoundPaired(paired) => Some(paired_as_due(state, paired)),
        Entry::StageBegun(begun) => Some(match field_by_rank(state, begun.stage) == begun.players {
            true => Ok(()),
            false => Err(format!(
                "stage {}: its players are not those that the stage before sent there",
                begun.stage
            )),
        }),
        _ => None,
    })
}

/// Every lot and play-off round must be what was due, every decision one that could be made.
pub(super) fn playoffs(run: &OpenRun) -> Result<usize, String> {
    walk(run, |state, _, entry| match entry {
        Entry::LotDrawn(_) | Entry::PlayoffPaired(_) => Some(was_due(state, entry)),
        Entry::Decided(decided) => Some(may_be_done(state, &Command::Decide(decided.clone()))),
        _ => None,
    })
}

/// Every act must be one that could be done; a game that the arbiter ended must follow the act.
pub(super) fn acts(run: &OpenRun) -> Result<usize, String> {
    walk(run, |state, before, entry| match entry {
        Entry::Acted(acted) => Some(may_be_done(state, &Command::Act((**acted).clone()))),
        Entry::GameFinished(game)
            if matches!(
                game.termination,
                Termination::ArbiterAdjudication | Termination::Awarded
            ) =>
        {
            let adjudicated = Act::Adjudicate {
                game: game.id,
                outcome: game.outcome,
            };
            Some(match before {
                Entry::Acted(acted) if acted.act == adjudicated => Ok(()),
                _ => Err(format!("game {} was ended by the arbiter, but no act says so", game.id)),
            })
        }
        _ => None,
    })
}

/// A test must have been decided where it was, and as it was; one that was played to its end must not have been decided before.
pub(super) fn verdicts(run: &OpenRun) -> Result<usize, String> {
    let checked = walk(run, |state, _, entry| match entry {
        Entry::SprtDecided(decided) => Some(match test_of(state).and_then(|test| test.verdict()) {
            Some(due) if due == *decided => Ok(()),
            Some(due) => Err(format!(
                "the test was decided for {} after {} (LLR {}), the games give {} after {} (LLR {})",
                decided.verdict.word(),
                decided.after,
                decided.llr,
                due.verdict.word(),
                due.after,
                due.llr
            )),
            None => Err("the test was decided although no bound was crossed".to_owned()),
        }),
        _ => None,
    })?;
    let state = &run.state;
    let is_decided = || test_of(state).is_some_and(|test| test.verdict().is_some());
    match event_is_over(state) && state.verdict().is_none() && is_decided() {
        true => Err("the games cross a bound of the test, and the log has no verdict".to_owned()),
        false => Ok(checked),
    }
}

/// The event's stop rule must have ended it where it did, and as it did; no round must have been paired where it had to end it.
pub(super) fn stops(run: &OpenRun) -> Result<usize, String> {
    walk(run, |state, _, entry| match entry {
        Entry::EventStopped(stopped) => Some(match stop::due(state) {
            Some(due) if due == *stopped => Ok(()),
            Some(due) => Err(format!(
                "the event was ended by its stop rule as {}, the games give {}",
                told(stopped),
                told(&due)
            )),
            None => Err(format!(
                "the event was ended by its stop rule as {}, the games give no reason to",
                told(stopped)
            )),
        }),
        Entry::RoundPaired(paired) => Some(match stop::due(state) {
            None => Ok(()),
            Some(due) => Err(format!(
                "round {} was paired, but the event had to be ended by its stop rule: {}",
                paired.round,
                told(&due)
            )),
        }),
        _ => None,
    })
}

/// An end by the event's rule in short.
fn told(stopped: &EventStopped) -> String {
    let held = stopped
        .held
        .iter()
        .map(|held| format!("{}. {} ({})", held.place, held.player, held.share));
    let held: Vec<String> = held.collect();
    format!(
        "{} after round {} (games {}, thinking {} µs, places [{}])",
        stopped.why.word(),
        stopped.round,
        stopped.games,
        stopped.thinking_us,
        held.join(", ")
    )
}

/// A game without a record must be a forfeit that was due.
pub(super) fn forfeits(run: &OpenRun) -> Result<usize, String> {
    walk(run, |state, _, entry| match entry {
        // That an act stands before one that is awarded is checked with the acts.
        Entry::GameFinished(game) if game.record.is_none() && game.termination != Termination::Awarded => {
            let board = state.mini_match(game.id);
            let due = board.and_then(|board| schedule::forfeit(state, game.id, board));
            Some(match due {
                Some(due) if due == *game => Ok(()),
                _ => Err(format!("game {} was forfeited without a reason in the log", game.id)),
            })
        }
        _ => None,
    })
}

/// Looks at each event with the state before it and the event before it; counts those that were judged.
fn walk(run: &OpenRun, judge: impl Fn(&State, &Entry, &Entry) -> Option<Result<(), String>>) -> Result<usize, String> {
    let Some(created) = run.logged.first() else {
        return Ok(0);
    };
    let mut state = State::fold([&created.entry]).map_err(|error| error.to_string())?;
    let mut checked = 0;
    for [before, logged] in run.logged.array_windows() {
        if let Some(judged) = judge(&state, &before.entry, &logged.entry) {
            judged.map_err(|problem| format!("entry {}: {problem}", logged.seq))?;
            checked += 1;
        }
        state.apply(&logged.entry).map_err(|error| error.to_string())?;
    }
    Ok(checked)
}

fn paired_as_due(state: &State, paired: &RoundPaired) -> Result<(), String> {
    if let Some(ArbiterActed {
        act: Act::Withdraw { player },
        reason,
        ..
    }) = policy::withdrawals(state).first()
    {
        return Err(format!(
            "round {}: it was paired although player {player} has to be withdrawn before: {reason}",
            paired.round
        ));
    }
    let derived = director::pairing_after(state, state.rounds().len()).map_err(|error| error.to_string())?;
    if derived == paired.pairing {
        return Ok(());
    }
    let text = |pairing: &RoundPairing| {
        let pairs = pairing
            .pairs
            .iter()
            .map(|pair| format!("{}-{}", pair.white, pair.black));
        let byes = pairing.byes().map(|player: PairingNumber| format!("{player} bye"));
        pairs.chain(byes).collect::<Vec<_>>().join(" ")
    };
    Err(format!(
        "round {}: the log has {}, the rules give {}",
        paired.round,
        text(&paired.pairing),
        text(&derived)
    ))
}

fn was_due(state: &State, entry: &Entry) -> Result<(), String> {
    // Days are no part of what is compared here.
    let entry = match entry {
        Entry::PlayoffPaired(paired) => &Entry::PlayoffPaired(PlayoffPaired {
            later: None,
            ..paired.clone()
        }),
        other => other,
    };
    let due = match director::next(state, jiff::civil::Date::ZERO) {
        Ok(Next::Entries(due)) => due,
        Ok(Next::Decision | Next::Nothing) | Err(_) => Vec::new(),
    };
    match due.contains(entry) {
        true => Ok(()),
        false => Err(format!("{} differs from what the rules give there", entry.kind())),
    }
}

fn may_be_done(state: &State, command: &Command) -> Result<(), String> {
    decide(state, &BTreeSet::new(), command)
        .map(|_| ())
        .map_err(|refused| format!("it could not be done there: {refused}"))
}
