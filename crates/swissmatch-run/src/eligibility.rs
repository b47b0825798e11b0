//! Who may play: the file of qualifications, read, and written with every entry that others wrote; the qualifications of an
//! event's players, asked before a run begins; and the baseline they play.
//!
//! May not: decide who is eligible.

use std::io;
use std::path::{Path, PathBuf};

use swiss_system::text::escaped;

use swissmatch_config::ConfigError;
use swissmatch_host::files::{about, hold, read_plain, write_new, write_whole};
use swissmatch_host::host::{AgentSpec, FindAgentError};
use swissmatch_host::machine;
use swissmatch_tournament::eligibility::{QualifiedEngine, Record, Records, Terms, judge};
use swissmatch_tournament::log::FileHash;
use swissmatch_tournament::setup::PlayerKeys;

use super::check::Opponent;
use super::error::RunError;
use super::event_file::EventFile;
use super::hosted::HostConnection;

/// Reads the file; where there is none nobody is qualified.
///
/// # Errors
/// When it cannot be read, or is no such file; the error names it.
pub fn read(path: &Path) -> io::Result<Records> {
    match read_plain(path) {
        Ok(text) => Records::read(&text).map_err(|error| about(path, &io::Error::other(error))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Records::default()),
        Err(error) => Err(about(path, &error)),
    }
}

/// Puts the record of a player into the file, in place of an older one, and keeps all others, whoever else writes at the same
/// time.
///
/// # Errors
/// When it cannot be read or written, or another program holds it.
pub fn keep(path: &Path, player: &str, record: Record) -> io::Result<()> {
    match write_new(path, &Records::default().write()) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(about(path, &error)),
        _ => {}
    }
    let _held = hold(path)?;
    let mut records = read(path)?;
    records.players.insert(player.to_owned(), record);
    write_whole(path, records.write())
}

/// An entry with nothing but a name and a command.
pub fn blank_entry(name: &str, command: &str) -> PlayerKeys {
    PlayerKeys {
        name: name.to_owned(),
        command: command.to_owned(),
        ..PlayerKeys::default()
    }
}

/// The baseline of an event, found and hashed; `None` where it has none.
///
/// # Errors
/// When its program is not there, or cannot be read.
pub(super) fn baseline(event: &EventFile, hosted: &mut HostConnection) -> Result<Option<Opponent>, RunError> {
    let setup = &event.loaded.setup;
    let Some(keys) = &setup.eligibility.baseline else {
        return Ok(None);
    };
    let at = |error: String| RunError::Event(event.loaded.error_at("eligibility.baseline", error));
    let player = PlayerKeys {
        args: keys.args.clone(),
        options: keys.options.clone(),
        ..blank_entry("baseline", &keys.command)
    };
    let spec = AgentSpec::of_player(&player, setup);
    let found = hosted.find_one(spec.clone())?.map_err(|why| match why {
        FindAgentError::Unreadable(why) => at(format!("cannot be read: {why}")),
        why => at(why.to_string()),
    })?;
    let made = QualifiedEngine::new(&player, setup, found.files);
    Ok(Some(Opponent {
        terms: Terms::new(setup, made),
        spec,
    }))
}

/// The event's file of qualifications, and what is in it.
///
/// # Errors
/// When it cannot be read.
pub fn records(event: &EventFile) -> Result<(PathBuf, Records), RunError> {
    let path = event.directory.join(&event.loaded.setup.eligibility.record);
    let records = read(&path).map_err(|error| {
        RunError::Event(ConfigError {
            help: Some("repair or remove it; then `swissmatch check --all` writes it anew".to_owned()),
            ..event.loaded.error_at("eligibility.record", error.to_string())
        })
    })?;
    Ok((path, records))
}

/// Refuses an event that asks for qualifications and has players without one, of those who enter now: all of them in one
/// message. The record is looked for beside the file in which they enter.
///
/// # Errors
/// When one is missing or stale, or the record cannot be read.
pub(super) fn require<'a>(
    event: &EventFile,
    hosted: &mut HostConnection,
    enter: impl Iterator<Item = (&'a PlayerKeys, &'a Vec<FileHash>)>,
) -> Result<(), RunError> {
    let setup = &event.loaded.setup;
    if !setup.eligibility.required {
        return Ok(());
    }
    let (path, records) = records(event)?;
    let terms = baseline(event, hosted)?.map(|opponent| opponent.terms);
    let today = machine::today();
    let mut refused = Vec::new();
    let mut entrants = 0;
    for (player, files) in enter {
        entrants += 1;
        let made = QualifiedEngine::new(player, setup, files.clone());
        if let Err(why) = judge(records.players.get(&player.name), &made, terms.as_ref(), today) {
            let line = format!("{}: {why}", player.name);
            refused.push(escaped(&line));
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    Err(RunError::Unqualified {
        file: event.loaded.file().to_owned(),
        record: path,
        refused,
        entrants,
    })
}
