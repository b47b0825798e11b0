//! Who may play: the qualifications of an event's players, asked before a run begins; and the baseline they play.
//!
//! May not: check an agent.

use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::config::{self, ConfigError, Loaded};
use crate::game::transcript::escape;
use crate::run::check::Opponent;
use crate::run::eligibility as file;
use crate::shell::{agents, machine};
use crate::tournament::eligibility::{Made, Records, Terms, of};
use crate::tournament::event::FileHash;
use crate::tournament::setup::PlayerKeys;

use super::exit::Failure;

/// An entry with nothing but a name and a command.
pub(super) fn blank_entry(name: &str, command: &str) -> PlayerKeys {
    let text = "[[player]]\nname = \"A\"\ncommand = \"a\"\n[[player]]\nname = \"B\"\ncommand = \"b\"\n";
    let mut loaded = config::load(Path::new("check"), text, &[]).expect("two players are an event");
    let mut player = loaded.setup.players.swap_remove(0);
    player.name = name.to_owned();
    player.command = command.to_owned();
    player
}

/// The baseline of an event, found and hashed; `None` where it has none.
pub(super) fn baseline(loaded: &Loaded, directory: &Path) -> Result<Option<Opponent>, Failure> {
    let setup = &loaded.setup;
    let Some(keys) = &setup.eligibility.baseline else {
        return Ok(None);
    };
    let at = |error: String| Failure::usage(loaded.error_at("eligibility.baseline", error));
    let player = PlayerKeys {
        args: keys.args.clone(),
        options: keys.options.clone(),
        ..blank_entry("baseline", &keys.command)
    };
    let program = agents::find_program(&keys.command, directory).map_err(|error| at(error.to_string()))?;
    let command = agents::command(&player, setup, program, directory.to_path_buf());
    let command = command.map_err(|error| at(error.to_string()))?;
    let files = agents::hash_files(&command, &player).map_err(|error| at(format!("cannot be read: {error}")))?;
    let made = Made::of(&player, setup, files);
    Ok(Some(Opponent {
        terms: Terms::new(&setup.eligibility, made),
        player,
        command,
    }))
}

/// The event's file of qualifications, and what is in it.
pub(super) fn records(loaded: &Loaded, directory: &Path) -> Result<(PathBuf, Records), Failure> {
    let path = directory.join(&loaded.setup.eligibility.record);
    let records = file::read(&path).map_err(|error| {
        Failure::usage(ConfigError {
            help: Some("mend or remove it, then `swissmatch check --all` writes it anew".to_owned()),
            ..loaded.error_at("eligibility.record", error.to_string())
        })
    })?;
    Ok((path, records))
}

/// Refuses an event that asks for qualifications and has players without one, of those who enter now: all of them in one
/// message. The record is looked for from `directory`, that of the file in which they enter.
pub(super) fn require<'a>(
    loaded: &Loaded,
    directory: &Path,
    enter: impl Iterator<Item = (&'a PlayerKeys, &'a Vec<FileHash>)>,
) -> Result<(), Failure> {
    let setup = &loaded.setup;
    if !setup.eligibility.required {
        return Ok(());
    }
    let (path, records) = records(loaded, directory)?;
    let terms = baseline(loaded, directory)?.map(|opponent| opponent.terms);
    let today = machine::today();
    let mut refused = Vec::new();
    let mut entrants = 0;
    for (player, files) in enter {
        entrants += 1;
        let made = Made::of(player, setup, files.clone());
        if let Err(why) = of(records.players.get(&player.name), &made, terms.as_ref(), today) {
            let line = format!("{}: {why}", player.name);
            refused.push(format!("\n  {}", escape(line.as_bytes())));
        }
    }
    if refused.is_empty() {
        return Ok(());
    }
    let count = refused.len();
    Err(Failure::usage(anyhow!(
        "{}: only agents with a current, passed qualification may play (eligibility.required), and {count} of {entrants} have none in \
         {}:{}\nCheck them: swissmatch check --all {} --only-stale",
        loaded.file(),
        path.display(),
        refused.concat(),
        loaded.file(),
    )))
}
