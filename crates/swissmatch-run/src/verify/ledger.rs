//! The ledger beside the log: what records say of the calls of a game is what the ledger has of it.
//!
//! The file may be a stranger's: it is read line by line, and no link is followed. May not: ask a service.

use std::io;

use swiss_system::count;

use super::{CheckFailure, Finding, finding};
use crate::open_run::OpenRun;
use swissmatch_broker::ledger::{BookedSpending, booked};
use swissmatch_game::Side;
use swissmatch_game::record::ServiceCall;
use swissmatch_host::files;
use swissmatch_host::services::LEDGER;
use swissmatch_tournament::log::{Entry, GameFinished};
use swissmatch_tournament::setup::{Micros, MoveSource, Tokens};

/// What an organizer is to do where the ledger lacks what records count on.
const REMEDY: &str = "Put back a copy of the ledger, if there is one. If a power cut took its lines, the results stand, but what those calls cost \
                      is not counted: see what the service says, and lower the limits of [spending] by it (docs/models.md, After a power \
                      cut)";

/// What a record says of the calls of its game.
struct RecordedCalls {
    game: String,
    /// Hash of the ledger's lines of it when it ended.
    hash: String,
    /// The least that these lines have.
    least: BookedSpending,
}

/// Compares the ledger with the records; `None`: no player of the event can ask a model.
pub(super) fn look(run: &OpenRun) -> Option<Finding> {
    let is_asked = !run.state.setup().endpoints.is_empty();
    is_asked.then(|| finding("ledger", ["game", "games"], games(run)))
}

/// Of each game that was played, also of one that was annulled since; how many of them have calls.
fn games(run: &OpenRun) -> Result<usize, CheckFailure> {
    let mut all = Vec::new();
    for logged in &run.logged {
        if let Entry::GameFinished(finished) = &logged.entry {
            all.extend(told(run, finished)?);
        }
    }
    let named: Vec<(&str, &str)> = all
        .iter()
        .map(|told| (told.game.as_str(), told.hash.as_str()))
        .collect();
    let path = run.dir.join(LEDGER);
    if path.is_symlink() {
        return Err(CheckFailure::Wrong(format!(
            "{}: it is a link, which is not followed: put the ledger itself there",
            path.display()
        )));
    }
    let found = match files::open_plain(&path) {
        Ok(file) => booked(file, &named),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Whoever asked only servers of players' own has none.
            booked(io::empty(), &named).map_err(|_| error)
        }
        Err(error) => Err(error),
    };
    let found = found.map_err(|error| CheckFailure::of(&path, &error))?;
    let is_there = path.symlink_metadata().is_ok();
    let is_without = |(_, named): &(&RecordedCalls, &(&str, &str))| !found.contains_key(*named);
    let mut without = all.iter().zip(&named).filter(is_without);
    if let Some((told, _)) = without.next() {
        let others = match without.count() {
            0 => String::new(),
            others => format!(" (and {} more)", count::of(others, "game", "games")),
        };
        let what = match is_there {
            true => format!(
                "{}: its lines are not those whose hash the record has: some are missing, or were changed",
                path.display()
            ),
            false => format!("{} is missing, which has its calls", path.display()),
        };
        return Err(CheckFailure::Wrong(format!(
            "game {}{others}: {what}. {REMEDY}",
            told.game
        )));
    }
    for (told, named) in all.iter().zip(&named) {
        let booked = found[named];
        let BookedSpending {
            requests,
            tokens,
            money,
        } = told.least;
        let short = [
            (requests > booked.requests).then(|| count::of(requests, "request", "requests")),
            (tokens > booked.tokens).then(|| count::of(tokens.0, "token", "tokens")),
            (money > booked.money).then(|| format!("a cost of {money}")),
        ];
        if let Some(more) = short.into_iter().flatten().next() {
            return Err(CheckFailure::Wrong(format!(
                "game {}: its record has {more}, the ledger has less",
                told.game
            )));
        }
    }
    Ok(all.len())
}

/// What the record of a game says; `None`: it has no calls.
fn told(run: &OpenRun, finished: &GameFinished) -> Result<Option<RecordedCalls>, String> {
    let Some(record) = run.record(finished)?.filter(|record| !record.calls.ledger.is_empty()) else {
        return Ok(None);
    };
    // What the server of a player's own is asked costs nobody anything, and is in no ledger.
    let is_model = |side: Side| {
        let number = if side == Side::White {
            finished.white
        } else {
            finished.black
        };
        matches!(run.state.player(number).asks(), Some(MoveSource::Model(..)))
    };
    let of_models = record.calls.list.iter().filter(|call| is_model(call.side));
    let least = of_models.fold(BookedSpending::default(), and);
    Ok(Some(RecordedCalls {
        game: finished.id.to_string(),
        hash: record.calls.ledger,
        least,
    }))
}

/// With a call: what is not known of it counts as nothing.
fn and(sum: BookedSpending, call: &ServiceCall) -> BookedSpending {
    let tokens = call
        .input
        .unwrap_or_default()
        .saturating_add(call.output.unwrap_or_default());
    BookedSpending {
        requests: sum.requests.saturating_add(call.tries.into()),
        tokens: sum.tokens.and(Tokens(tokens)),
        money: sum.money.and(Micros(call.cost.unwrap_or_default())),
    }
}
