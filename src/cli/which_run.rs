//! Which run a command is about, and of which round and part of it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use swiss_system::count;
use swiss_system::pairing::rounds::TournamentFormat;
use swissmatch_host::run_dir;
use swissmatch_report as report;
use swissmatch_run::EventFile;
use swissmatch_run::open_run;
use swissmatch_run::open_run::{OpenError, OpenRun};
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::part_events::parts_after;
use swissmatch_tournament::state::State;

use super::exit::Failure;

/// Which run.
#[derive(Debug, Args)]
pub(super) struct WhichRunArgs {
    /// Directory of the run, or its event file (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    run: Option<PathBuf>,
}

/// Which run, by its place among the words or by a flag.
#[derive(Debug, Args)]
pub(super) struct NamedRunArgs {
    /// Directory of the run, or its event file (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    place: Option<PathBuf>,
    /// The same as RUN
    #[arg(long, value_name = "RUN", conflicts_with = "place")]
    run: Option<PathBuf>,
}

impl NamedRunArgs {
    pub(super) fn open(&self) -> Result<OpenRun, Failure> {
        open(self.path())
    }

    /// As it was given.
    pub(super) fn path(&self) -> Option<&Path> {
        self.place.as_deref().or(self.run.as_deref())
    }
}

impl WhichRunArgs {
    pub(super) fn open(&self) -> Result<OpenRun, Failure> {
        open(self.run.as_deref())
    }

    /// This one.
    pub(super) const fn named(run: PathBuf) -> Self {
        Self { run: Some(run) }
    }

    /// Whether one was named.
    pub(super) const fn is_named(&self) -> bool {
        self.run.is_some()
    }

    /// The run by its directory, found once: another one may be written to last by the next time.
    pub(super) fn found(&self) -> Result<Self, Failure> {
        let run = place(self.run.as_deref())?;
        Ok(Self { run: Some(run) })
    }

    /// See [`open_silently`].
    pub(super) fn open_silently(&self) -> Result<OpenRun, Failure> {
        open_silently(self.run.as_deref())
    }

    /// The run that something is to be done with: of several that are played at once it has to be said which.
    pub(super) fn to_act(&self) -> Result<Self, Failure> {
        let only = match &self.run {
            Some(_) => None,
            None => only_run_at_work()?,
        };
        if let Some(dir) = &only {
            say_which(dir, "the run that is being played");
        }
        // Found once: another run may be written to last by the time it is opened again.
        let run = open_silently(only.as_deref().or(self.run.as_deref()))?.dir;
        Ok(Self { run: Some(run) })
    }

    /// See [`open_event`].
    pub(super) fn open_event(&self) -> Result<OpenRun, Failure> {
        open_event(self.run.as_deref())
    }
}

/// The one run in `results/` that a runner is at work on, if any is.
///
/// # Errors
/// Wrong usage where there are several.
fn only_run_at_work() -> Result<Option<PathBuf>, Failure> {
    let mut runs = open_run::at_work();
    if runs.len() <= 1 {
        return Ok(runs.pop());
    }
    let lines = runs.iter().map(|dir| {
        let event = OpenRun::open(Some(dir)).map(|run| report::event_name(&run.state));
        let event = event.map_or_else(|_| String::new(), |name| format!(" ({name})"));
        format!("\n  {}{event}", dir.display())
    });
    Err(Failure::usage(anyhow!(
        "{} runs are being played: name one of them as RUN:{}",
        runs.len(),
        lines.collect::<String>()
    )))
}

/// Where the run is: the newest one where none is named, which is said; of an event file its run.
///
/// # Errors
/// Wrong usage where there is none, or the event file cannot be read.
pub(super) fn place(run: Option<&Path>) -> Result<PathBuf, Failure> {
    match run {
        None => {
            let dir = open_run::latest().ok_or_else(|| Failure::usage(OpenError::NoneYet))?;
            say_which(&dir, "the newest run");
            Ok(dir)
        }
        Some(file) if is_event_file(file) => {
            let event = EventFile::read(file)?;
            let dir = open_run::usual_place(file, &event.loaded.setup.event.name);
            match run_dir::log(&dir).exists() {
                true => Ok(dir),
                false => Err(Failure::usage(anyhow!(
                    "{file} is an event file, but there is no run of it in {dir} yet; `swissmatch run {file}` begins one; if it has a \
                    run elsewhere, give the directory of that run",
                    file = file.display(),
                    dir = dir.display()
                ))),
            }
        }
        Some(dir) => Ok(dir.to_path_buf()),
    }
}

/// Says which run was taken, since none was named.
fn say_which(dir: &Path, what: &str) {
    // Whoever read this may have gone.
    let _ = writeln!(std::io::stderr(), "note: {}, {what}", dir.display());
}

/// Whether it is an event file rather than a run.
pub(super) fn is_event_file(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml") && path.is_file()
}

/// Opens a run to look at it.
///
/// # Errors
/// Wrong usage where there is none; the machine where it cannot be read.
pub(super) fn open(run: Option<&Path>) -> Result<OpenRun, Failure> {
    let opened = open_silently(run)?;
    say_under_embargo(&opened.state);
    Ok(opened)
}

/// Says that others do not see all of it yet.
pub(super) fn say_under_embargo(state: &State) {
    if let Some(note) = under_embargo(state) {
        // Whoever read this may have gone.
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
}

/// The same for what keeps the embargo: nothing is said of it.
pub(super) fn open_silently(run: Option<&Path>) -> Result<OpenRun, Failure> {
    if let Some(path) = run.filter(|path| !path.exists()) {
        return Err(Failure::usage(anyhow!(
            "there is no run {}: no such file or directory",
            path.display()
        )));
    }
    if let Some(path) = run.filter(|path| is_tournament_file(path)) {
        return Err(Failure::usage(anyhow!(
            "{} is not a run; `swissmatch standings FILE.trf --tiebreaks …` ranks a tournament file by any rules, and \
             `swissmatch explain A B --file FILE.trf` explains it",
            path.display()
        )));
    }
    OpenRun::open(Some(&place(run)?)).map_err(|error| match error {
        OpenError::Unseen(..) | OpenError::Store(_) | OpenError::Broken(_) => Failure::machine(error),
        OpenError::NoRun(dir) if dir.join(run_dir::LADDER).is_dir() => Failure::usage(anyhow!(
            "the event of {} has not begun yet; its ladder is played until the lock: `swissmatch ladder EVENT.toml` shows it",
            dir.display()
        )),
        OpenError::NoRun(_) | OpenError::NoneYet | OpenError::Empty(_) => Failure::usage(error),
    })
}

/// What the organizer sees and others do not.
pub(super) fn under_embargo(state: &State) -> Option<String> {
    let shown = shown_under_embargo(state)?;
    Some(format!(
        "under embargo: until `swissmatch arbiter release`, the files of the run show {shown} (publish.embargo_rounds); this shows all"
    ))
}

/// What the page shows while an embargo lasts.
pub(super) fn page_under_embargo(state: &State) -> Option<String> {
    let shown = shown_under_embargo(state)?;
    Some(format!(
        "under embargo: until `swissmatch arbiter release`, the page shows {shown} (publish.embargo_rounds)"
    ))
}

/// Rounds that may be seen, where others are held back.
fn shown_under_embargo(state: &State) -> Option<String> {
    let shown = embargo(state).filter(|shown| state.rounds().len() > *shown)?;
    Some(match shown {
        0 => "no round".to_owned(),
        1 => "only round 1".to_owned(),
        _ => format!("rounds 1 to {shown}"),
    })
}

/// Opens the run of an event that has rounds.
///
/// # Errors
/// As [`open`]; wrong usage for the run of a tour's play-offs.
pub(super) fn open_event(run: Option<&Path>) -> Result<OpenRun, Failure> {
    let run = open(run)?;
    refuse_tour(&run)?;
    Ok(run)
}

pub(super) fn refuse_tour(run: &OpenRun) -> Result<(), Failure> {
    match run.state.created().tour {
        None => Ok(()),
        Some(_) => Err(Failure::usage(anyhow!(
            "{dir} holds the play-offs of a tour, which has no rounds; see `swissmatch tour {dir}` and `swissmatch playoff {dir}`",
            dir = run.dir.display()
        ))),
    }
}

/// Whether it is a tournament file rather than a run, which may be given by its database.
pub(super) fn is_tournament_file(path: &Path) -> bool {
    let is_database = path.extension().is_some_and(|extension| extension == "sqlite");
    path == Path::new("-") || (path.exists() && !path.is_dir() && !is_database && !is_event_file(path))
}

/// The number of rounds asked for: all that have been paired, or a given one.
pub(super) fn checked_round(run: &OpenRun, round: Option<usize>) -> Result<usize, Failure> {
    let paired = run.state.rounds().len();
    match round {
        None => Ok(paired),
        Some(round) if (1..=paired).contains(&round) => Ok(round),
        Some(round) => Err(Failure::usage(anyhow!(
            "there is no round {round}; {paired} have been paired so far"
        ))),
    }
}

/// One part of an event as an event of its own, and how many of the event's first rounds are its own; without a number the
/// event.
pub(super) fn chosen_part(state: State, number: Option<usize>, rounds: usize) -> Result<(State, usize), Failure> {
    let Some(number) = number else {
        return Ok((state, rounds));
    };
    let parts = parts_after(&state, rounds);
    let count = parts.len();
    match parts.into_iter().nth(number.wrapping_sub(1)) {
        _ if !state.is_divided() => Err(Failure::usage(anyhow!(
            "--part {number}: the event has no parts; leave it out"
        ))),
        Some((_, own, rounds)) => Ok((own, rounds)),
        None => Err(Failure::usage(anyhow!(
            "--part {number}: the event has {}{}",
            count::of(count, "part", "parts"),
            if state.created().format == TournamentFormat::Stages {
                " by then"
            } else {
                ""
            }
        ))),
    }
}
