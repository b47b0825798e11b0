//! `swissmatch roster import | lock | verify | show`: who enters an event with what.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand, ValueEnum};
use swiss_system::count;

use swissmatch_config::{self as config, ConfigError, PLAYER_KEYS, Players, RosterFormat};
use swissmatch_host::{files, machine};
use swissmatch_report as report;
use swissmatch_report::moment::spoken;
use swissmatch_run::event_file::{read_bounded, read_text};
use swissmatch_run::materials::Materials;
use swissmatch_run::roster_lock::{self, Lock};
use swissmatch_run::trust::Trust;
use swissmatch_tournament::eligibility::FILES_OF_ITS_OWN;
use swissmatch_tournament::roster::starting_order;
use swissmatch_tournament::setup::PlayerKeys;

use super::exit::{Exit, Failure};
use super::output::print;
use super::overrides::OverrideArgs;

/// Lists of entrants, and what their agents are made of
#[derive(Debug, Args)]
pub(super) struct RosterArgs {
    #[command(subcommand)]
    act: RosterCommand,
}

#[derive(Debug, Subcommand)]
enum RosterCommand {
    Import(RosterImportArgs),
    Lock(RosterLockArgs),
    Verify(RosterVerifyArgs),
    Show(RosterShowArgs),
}

impl RosterArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        match &self.act {
            RosterCommand::Import(import) => import.main(),
            RosterCommand::Lock(lock) => lock.main(),
            RosterCommand::Verify(verify) => verify.main(),
            RosterCommand::Show(show) => show.main(),
        }
    }
}

/// How a list is written.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RosterFormatWord {
    /// Comma-separated values; the first row names the keys
    Csv,
    /// An array of objects
    Json,
    /// [[player]] tables
    Toml,
}

/// Read a list of entrants and write it as players of an event file
///
/// Every key that a [[player]] can have is a column in CSV, a member of an object in JSON, or a key
/// in TOML. In CSV, arguments are split as a shell splits them, tables are written Hash=16;Skill
/// Level=3, and an empty cell means that the key is not given. If anything in the list is wrong,
/// nothing is written: every problem is shown with line, column and remedy. See docs/roster.md.
///
/// Entrants write their rows themselves. With --below, a row may have name, command, args, options,
/// move_command, keep_alive, prompt, dir, author, team and contact, and names only what is in the
/// entrant's own directory below DIR.
/// Other keys, and files elsewhere, need --trust KEY; each value that is taken on trust is shown.
///
///   swissmatch roster import entrants.csv --below submissions                [[player]] tables on standard output
///   swissmatch roster import entrants.csv --below submissions --into event.toml     appended to the event file
///   swissmatch roster import entrants.json --trust command,rating --into event.toml --replace
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct RosterImportArgs {
    /// The list: CSV, JSON or TOML; - for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Append the players to this event file; its other lines stay as they are
    #[arg(long, value_name = "EVENT.toml")]
    into: Option<PathBuf>,
    /// Remove the players that the event file already has
    #[arg(long, requires = "into")]
    replace: bool,
    /// Where each entrant has a directory: the first part of its dir below DIR; without dir, the one of its name
    #[arg(long, value_name = "DIR")]
    below: Option<PathBuf>,
    /// Take these keys over as the rows have them, and show each value; separated by commas
    #[arg(long, value_name = "KEY", value_delimiter = ',', hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(PLAYER_KEYS.iter().map(|key| key.table_and_name().1)))]
    trust: Vec<String>,
    /// Format of the list (default: by the ending of its name)
    #[arg(long)]
    format: Option<RosterFormatWord>,
}

impl RosterImportArgs {
    fn main(&self) -> Result<Exit, Failure> {
        let label = self.file.display().to_string();
        let format = self.format()?;
        let bytes = match self.file.as_os_str() == "-" {
            true => read_bounded(std::io::stdin()),
            false => File::open(&self.file).and_then(read_bounded),
        };
        let bytes = bytes.map_err(|error| Failure::usage(anyhow!("{label}: the list cannot be read: {error}")))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count();
            Failure::usage(anyhow!(
                "{label}:{line}: this is not UTF-8 text; save the list as UTF-8"
            ))
        })?;
        // What is wrong with the event file is told when it is written to; what is no file could be read only once.
        let into = self.into.as_deref().filter(|path| path.is_file());
        let into = into.and_then(|path| Some((path, read_text(path).ok()?)));
        let hands_in = into.is_some_and(|(path, text)| config::hands_in(path, &text));
        let read = config::read_roster(&label, &text, format, hands_in);
        let mut entrants = read.map_err(|errors| all(&errors))?;
        let event = self.into.as_deref().unwrap_or(Path::new(""));
        let trust = Trust::new(&label, &self.trust, self.below.as_deref(), event)?;
        let trusted = trust.judge(&mut entrants).map_err(|errors| all(&errors))?;
        let Some(path) = &self.into else {
            let players: Vec<&PlayerKeys> = entrants.iter().map(|entrant| &entrant.player).collect();
            let apart = trust.are_apart(&entrants, players.iter().copied());
            apart.map_err(|errors| all(&errors))?;
            show(&trusted);
            let tables = config::player_tables(&players);
            return Ok(print(tables.trim_start_matches('\n')));
        };
        // What is read and what is written then must be one: whoever imports at the same time waits.
        let _held = files::hold(path).map_err(|error| match error.kind() {
            std::io::ErrorKind::Other => Failure::machine(error),
            _ => Failure::usage(anyhow!("the event file cannot be read: {error}")),
        })?;
        let event = read_text(path)?;
        let present = if self.replace { Players::Go } else { Players::Stay };
        let (text, loaded) =
            config::with_players((path, &event), (&label, &entrants), present).map_err(|errors| all(&errors))?;
        let apart = trust.are_apart(&entrants, &loaded.setup.players);
        apart.map_err(|errors| all(&errors))?;
        files::write_whole(path, &text).map_err(Failure::machine)?;
        show(&trusted);
        for warning in &loaded.warnings {
            eprintln!("warning: {warning}");
        }
        let players = loaded.setup.players.len();
        eprintln!(
            "{}: {} added, {} in all",
            path.display(),
            count::of(entrants.len(), "entrant", "entrants"),
            count::of(players, "player", "players")
        );
        if roster_lock::path_of(path).exists() {
            let lock = roster_lock::path_of(path);
            eprintln!(
                "{} locks the roster as it was before: lock it again with `swissmatch roster lock`",
                lock.display()
            );
        }
        Ok(Exit::Done)
    }

    fn format(&self) -> Result<RosterFormat, Failure> {
        let by_name = || RosterFormat::from_file_name(&self.file.to_string_lossy());
        match self.format {
            Some(RosterFormatWord::Csv) => Ok(RosterFormat::Csv),
            Some(RosterFormatWord::Json) => Ok(RosterFormat::Json),
            Some(RosterFormatWord::Toml) => Ok(RosterFormat::Toml),
            None => by_name().ok_or_else(|| {
                let name = self.file.display();
                Failure::usage(anyhow!(
                    "{name}: its name does not end in .csv, .json or .toml; add --format csv, json or toml"
                ))
            }),
        }
    }
}

/// What was taken over on trust.
fn show(trusted: &[String]) {
    for line in trusted {
        eprintln!("{line}");
    }
}

/// Everything that is wrong, a line each.
fn all(errors: &[ConfigError]) -> Failure {
    let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
    match lines.as_slice() {
        [one] => Failure::usage(anyhow!("{one}")),
        _ => Failure::usage(anyhow!(
            "{} problems; nothing was written\n  {}",
            lines.len(),
            lines.join("\n  ")
        )),
    }
}

/// What the event in a file is made of now.
fn present(file: &Path) -> Result<Lock, Failure> {
    let event = OverrideArgs::default().event(file)?;
    let materials = Materials::here(&event)?;
    Ok(Lock::now(&event, &materials)?)
}

fn read_lock(file: &Path) -> Result<(PathBuf, Option<Lock>), Failure> {
    let path = roster_lock::path_of(file);
    let lock = Lock::read(&path).map_err(Failure::usage)?;
    Ok((path, lock))
}

/// Write what every agent is made of to EVENT.lock, beside the event file
///
/// The lock has the SHA-256 of the event file, of the openings and of every file of every agent: its program, the files
/// that its arguments, options and variables name, and everything in its player.dir except what player.write names. It
/// has one hash for the values of options and variables, and nothing for contacts. `swissmatch run` does not begin an
/// event that differs from its lock. If there is already a lock, it is replaced.
#[derive(Debug, Args)]
struct RosterLockArgs {
    /// The event file (TOML)
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
}

impl RosterLockArgs {
    fn main(&self) -> Result<Exit, Failure> {
        let lock = present(&self.file)?;
        let path = roster_lock::path_of(&self.file);
        // One that cannot be read is replaced too: that is its remedy.
        let before = Lock::read(&path).ok().flatten();
        files::write_whole(&path, lock.text()).map_err(Failure::machine)?;
        let players = count::of(lock.player.len(), "player", "players");
        let files = count::of(lock.files(), "file", "files");
        let mut text = format!("{}: {players}, {files}\n", path.display());
        if let Some(before) = before {
            let differences = before.differences(&lock);
            text += &match differences.as_slice() {
                [] => format!("nothing has changed since {}\n", spoken(&before.locked_at)),
                _ => format!(
                    "since {}:{}\n",
                    spoken(&before.locked_at),
                    roster_lock::lines(&differences)
                ),
            };
        }
        Ok(print(&text))
    }
}

/// Compare the agents with the lock of the roster; the exit code is 1 if anything differs
#[derive(Debug, Args)]
struct RosterVerifyArgs {
    /// The event file (TOML)
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl RosterVerifyArgs {
    fn main(&self) -> Result<Exit, Failure> {
        let (path, lock) = read_lock(&self.file)?;
        let Some(lock) = lock else {
            return Err(Failure::usage(anyhow!(
                "there is no {}; `swissmatch roster lock {}` writes it",
                path.display(),
                self.file.display()
            )));
        };
        let differences = lock.differences(&present(&self.file)?);
        let text = match (self.json, differences.as_slice()) {
            (true, _) => format!(
                "{:#}\n",
                serde_json::json!({
                    "schema": 1,
                    "lock": path,
                    "locked_at": lock.locked_at,
                    "files": lock.files(),
                    "differences": differences,
                })
            ),
            (false, []) => {
                let path = path.display();
                match lock.files() {
                    1 => format!("{path}: its file is as it was locked\n"),
                    files => format!("{path}: all {files} files are as they were locked\n"),
                }
            }
            (false, _) => format!(
                "{}: what differs since {}:{}\n{FILES_OF_ITS_OWN}\n",
                path.display(),
                spoken(&lock.locked_at),
                roster_lock::lines(&differences)
            ),
        };
        print(&text);
        Ok(if differences.is_empty() {
            Exit::Done
        } else {
            Exit::CheckFailed
        })
    }
}

/// Show the roster in order of pairing numbers, contacts included, and whether it is as it was locked
#[derive(Debug, Args)]
struct RosterShowArgs {
    /// The event file (TOML)
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl RosterShowArgs {
    fn main(&self) -> Result<Exit, Failure> {
        let loaded = OverrideArgs::default().load(&self.file)?;
        let setup = &loaded.setup;
        let (path, lock) = read_lock(&self.file)?;
        let differences = match &lock {
            Some(lock) => Some(lock.differences(&present(&self.file)?)),
            None => None,
        };
        let order = starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed);
        if self.json {
            let is_as_locked = differences.map(|differences| differences.is_empty());
            return Ok(print(&report::roster::json(
                &setup.event.name,
                &setup.players,
                &order,
                is_as_locked,
            )));
        }
        let about = match (&lock, differences.as_deref()) {
            (Some(lock), Some([])) => format!("As locked at {} ({}).", spoken(&lock.locked_at), path.display()),
            (Some(lock), _) => format!(
                "Not as it was locked at {}: see `swissmatch roster verify {}`.",
                spoken(&lock.locked_at),
                self.file.display()
            ),
            (None, _) => "Not locked.".to_owned(),
        };
        let page = report::roster::page(&setup.event.name, &setup.players, &order, vec![about]);
        Ok(print(&page.text(machine::columns())))
    }
}
