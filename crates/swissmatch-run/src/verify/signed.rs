//! The signed list of a run: it must be what the log gives, and its signature must be right.

use swissmatch_host::files::read_plain;
use swissmatch_host::signature::{self, Signers};
use swissmatch_host::store::LoggedEntry;
use swissmatch_tournament::state::State;

use crate::open_run::OpenRun;
use crate::publish::{self, SIGNATURE, SIGNED};

use super::{CheckFailure, Finding, require_rest};

/// Checks the signed list, where there is or has to be one; `signers` are those whose signature counts.
pub(super) fn finding(run: &OpenRun, signers: Option<&Signers>) -> Option<Finding> {
    let is_there = [SIGNED, SIGNATURE].iter().any(|name| run.dir.join(name).exists());
    let is_wanted = run.state.setup().publish.sign.is_some() || signers.is_some();
    if !(is_there || is_wanted) {
        return None;
    }
    // While a runner is at work the list and its signature need not be of one time.
    let checked = require_rest(run).and_then(|()| check(run, signers));
    let (result, note) = match checked {
        Ok((count, note)) => (Ok(count), Some(note)),
        Err(failed) => (Err(failed), None),
    };
    Some(Finding {
        note,
        ..super::finding("signature", ["file", "files"], result)
    })
}

fn check(run: &OpenRun, signers: Option<&Signers>) -> Result<(usize, String), CheckFailure> {
    let read = |name: &str| {
        let path = run.dir.join(name);
        read_plain(&path).map_err(|error| CheckFailure::of(&path, &error))
    };
    let (list, signature) = (read(SIGNED)?, read(SIGNATURE)?);
    let print = signature::check(&list, &signature, signers).map_err(|why| format!("{SIGNATURE}: {why}"))?;
    let of = entry_of(&list).and_then(|entry| run.logged.get(entry.checked_sub(1)?));
    let of = of.ok_or_else(|| format!("{SIGNED} is of no entry that the log has: the log was cut off or rewritten"))?;
    let (expected, count) = list_at(run, of)?;
    if list != expected {
        return Err(CheckFailure::Wrong(format!(
            "{SIGNED} differs from what the log gives at entry {}: the log was rewritten, or the list is of another run (if the \
             runner was killed, or was an earlier version, `run` writes it anew)",
            of.seq
        )));
    }
    let whose = match signers {
        Some(_) => format!("signed by {print}, a key of --signer"),
        None => format!("signed by {print}, not checked against any key: --signer FILE does that"),
    };
    let last = run.logged.len();
    let late = match of.seq == run.logged[last - 1].seq {
        true => String::new(),
        false => format!("; as of entry {} of {last}: `run` signs the files anew", of.seq),
    };
    Ok((count, whose + &late))
}

/// Of which entry a list is.
fn entry_of(list: &str) -> Option<usize> {
    let list: serde_json::Value = serde_json::from_str(list).ok()?;
    usize::try_from(list.get("entry")?.as_u64()?).ok()
}

/// The list as the log gives it up to an entry, and how many files it has.
fn list_at(run: &OpenRun, of: &LoggedEntry) -> Result<(String, usize), String> {
    let entries = run.logged.iter().take_while(|logged| logged.seq <= of.seq);
    let state = State::fold(entries.map(|logged| &logged.entry)).map_err(|error| error.to_string())?;
    let files = publish::all(&state, run.created_at(), &run.store).map_err(|error| error.to_string())?;
    Ok((publish::list_of(&run.logged[0].hash, &of.head(), &files), files.len()))
}
