//! The runner's own doings as events of `tracing`: what a run is, what happens in it, how it ends. What single engines, the log
//! and the files are about is told of where it happens, in `shell`.
//!
//! There is one subscriber in a process, and it belongs to the program that has `main`. The bounded file (`run_log`) and the
//! queue before it are in the library, so that any program can use them. Nothing is emitted during a ply, and who emits never
//! waits for a disk or a terminal.
//!
//! While an embargo lasts players and games are named in fields alone, which a subscriber can leave out
//! (`run_log::is_silent_on_players`). May not: set a subscriber; whoever uses the library does.

use std::collections::BTreeSet;
use std::path::Path;

use tracing::{debug, error, info, warn};

use swiss_system::word::Word as _;
use swissmatch_game::record::GameId;
use swissmatch_host::store::CommittedEntry;
use swissmatch_host::{machine, run_log};
use swissmatch_report::waiting::WaitJson;
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::log::{Entry, GameFinished, RoundPaired};
use swissmatch_tournament::state::State;
use swissmatch_tournament::waiting::Wait;

use super::conduct::{Reader, RunEnd};
use super::error::RunError;
use super::notice::Notice;

/// A run is about to be played.
pub(super) fn begins(state: &State, dir: &Path, is_resumed: bool, slots: &serde_json::Value) {
    look_for_embargo(state);
    let (event, version) = (state.setup().event.name.as_str(), env!("CARGO_PKG_VERSION"));
    let (_, finished) = state.progress();
    let (players, rounds) = (state.player_count(), state.created().rounds);
    let what = match is_resumed {
        true => "run goes on",
        false => "run begins",
    };
    info!(version, event, dir = %dir.display(), players, rounds, finished, "{what}");
    let machine = machine::describe().map_or_else(|why| why.to_string(), |machine| machine.to_string());
    info!(%machine, %slots, "played here");
}

/// A run is not played any further.
pub(super) fn ends(played: Result<(&RunEnd, &State), &RunError>) {
    match played {
        Ok((ended, state)) => {
            let (games, finished) = state.progress();
            info!(?ended, games, finished, "run ends");
        }
        Err(why) => error!(%why, "run ends"),
    }
}

/// The same as `tell`, noting each.
pub(super) fn noting(tell: &mut dyn FnMut(Notice)) -> impl FnMut(Notice) {
    |notice| {
        match notice.is_warning() {
            true => warn_of(&notice.to_string()),
            false => inform_of(&notice.to_string()),
        }
        tell(notice);
    }
}

/// Whether an embargo lasts decides what `run.log` has.
pub(super) fn look_for_embargo(state: &State) {
    run_log::be_silent_on_players(embargo(state).is_some());
}

/// A sentence, which may name anybody.
fn inform_of(sentence: &str) {
    match run_log::is_silent_on_players() {
        true => info!(sentence),
        false => info!("{sentence}"),
    }
}

fn warn_of(sentence: &str) {
    match run_log::is_silent_on_players() {
        true => warn!(sentence),
        false => warn!("{sentence}"),
    }
}

/// Whoever is told of a run, and notes it.
pub(super) struct Doings;

impl Reader for Doings {
    fn committed(&mut self, state: &State, entry: &CommittedEntry) {
        look_for_embargo(state);
        match &entry.bundle.entry {
            Entry::RoundPaired(paired) => {
                let (pairs, byes) = (paired.pairing.pairs.len(), paired.pairing.byes().count());
                info!(round = paired.round, pairs, byes, "round paired");
            }
            Entry::StageBegun(begun) => info!(stage = begun.stage, players = begun.players.len(), "stage begins"),
            Entry::PlayoffPaired(paired) => {
                let (round, playoff, boards) = (paired.round, paired.playoff, paired.boards.len());
                info!(round, playoff, boards, "play-off round paired");
            }
            Entry::LotDrawn(lot) => info!(purpose = %lot.purpose, "lot drawn"),
            Entry::Acted(acted) => info!(by = acted.by, did = acted.done(state), "the arbiter acted"),
            Entry::Decided(decided) => info!(by = decided.by, "the arbiter decided a tie"),
            Entry::PresenceChecked(checked) => {
                info!(
                    round = checked.round,
                    absent = checked.absent.len(),
                    "presence was checked"
                );
                for absence in &checked.absent {
                    let player = state.player(absence.player).name.as_str();
                    warn!(player, why = absence.why, "agent is absent");
                }
            }
            Entry::SprtDecided(decided) => {
                info!(verdict = decided.verdict.word(), after = decided.after, llr = %decided.llr, "the test is decided");
            }
            Entry::EventStopped(stopped) => {
                info!(
                    round = stopped.round,
                    why = stopped.why.word(),
                    "the event ends early by its stop rule"
                );
            }
            Entry::WorkerAdmitted(admitted) => {
                info!(worker = admitted.worker, class = admitted.class, "a worker is admitted");
            }
            Entry::GameFinished(finished) => game(state, finished),
            Entry::Created(_)
            | Entry::Resumed(_)
            | Entry::AnalysisBegun(_)
            | Entry::GameAnalysed(_)
            | Entry::Interrupted(_) => {}
        }
    }

    fn tick(&mut self, _: &State, _: &BTreeSet<GameId>) {}

    fn stopping(&mut self, playing: usize) {
        info!(playing, "asked to stop: games under way are finished");
    }

    fn waiting(&mut self, _: &State, wait: Option<Wait>) {
        if let Some(WaitJson { r#for, round, until }) = wait.map(WaitJson::from) {
            info!(what = r#for, round, %until, "the event waits for its time");
        }
    }

    fn proposed(&mut self, _: &State, paired: &RoundPaired) {
        info!(round = paired.round, "a pairing waits for the arbiter's yes");
    }

    fn remark(&mut self, sentence: &str) {
        inform_of(sentence);
    }

    fn warn(&mut self, sentence: &str) {
        warn_of(sentence);
    }
}

fn game(state: &State, finished: &GameFinished) {
    let (game, result, how) = (finished.id, finished.outcome.pgn(), finished.termination);
    debug!(%game, result, ?how, plies = finished.plies, "game finished");
    let is_of_round = finished.id.playoff == 0;
    if is_of_round && state.rounds().last().is_some_and(|round| round.is_over()) {
        info!(round = finished.id.round, "round is over");
    }
}
