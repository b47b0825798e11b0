//! `swissmatch publish`

use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use clap::Args;
use jiff::Timestamp;
use swiss_system::count;

use swissmatch_host::{files, run_dir};
use swissmatch_report::page::GENERATOR;
use swissmatch_run::open_run::OpenRun;
use swissmatch_run::page::{self, INDEX, PageError};
use swissmatch_tournament::embargo::embargo;
use swissmatch_tournament::ties::event_is_over;

use super::exit::{Exit, Failure};
use super::screen;
use super::which_run::{WhichRunArgs, page_under_embargo};

/// Where its games are.
const GAMES: &str = "games";
/// How often a run that is followed is looked at, at most.
const PAUSE: Duration = Duration::from_secs(2);

/// The page of an event as a folder for any web server
///
/// The folder has the page, `index.html`, and its games and data beside it.
/// Each file is replaced whole, and only where it has changed, so the folder
/// can be served, copied or synchronised at any time. With --follow it is kept
/// up to date until the event is over; while nobody plays it, it says so and
/// waits. docs/page.md.
///
///   swissmatch publish /var/www/event                 of the latest run in results/
///   swissmatch publish public results/event --follow
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct PublishArgs {
    /// The folder; it is made where there is none
    #[arg(value_name = "DIR")]
    dir: PathBuf,
    #[command(flatten)]
    run: WhichRunArgs,
    /// Go on until the event is over and nothing of it is held back
    #[arg(long)]
    follow: bool,
}

impl PublishArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let (mut is_first, mut said, mut noted) = (true, None, None);
        let which = self.run.found()?;
        loop {
            let begun = Instant::now();
            let run = which.open_silently()?;
            let note = page_under_embargo(&run.state);
            if let Some(note) = note.as_ref().filter(|_| note != noted) {
                screen::say(&format!("note: {note}"));
            }
            noted = note;
            let is_over = event_is_over(&run.state);
            let run = run.as_shown_at(Timestamp::now()).map_err(Failure::machine)?;
            if is_first {
                may_be_written(&self.dir)?;
            }
            let changed = self.write(&run)?;
            if is_first || changed > 0 {
                let files = count::of(changed, "file", "files");
                screen::say(&format!("{}: {files} written", self.dir.display()));
            }
            is_first = false;
            if !self.follow || (event_is_over(&run.state) && embargo(&run.state).is_none()) {
                return Ok(Exit::Done);
            }
            let waits = waits_for(&run).filter(|_| !is_over || event_is_over(&run.state));
            if let Some(line) = waits.filter(|_| waits != said) {
                screen::say(line);
            }
            said = waits;
            drop(run);
            // A long event takes no more than a tenth of a processor.
            thread::sleep(PAUSE.max(begun.elapsed() * 9));
        }
    }

    /// How many files were not there as they are now.
    fn write(&self, run: &OpenRun) -> Result<usize, Failure> {
        let all = page::folder(run).map_err(|error| match error {
            PageError::NoFrontEnd => Failure::usage(error),
            PageError::Broken(_) | PageError::NotWritten(_) => Failure::machine(error),
        })?;
        // Whoever may write to the folder could have prepared what leads elsewhere.
        for name in [GAMES, run_dir::LADDER] {
            let inner = self.dir.join(name);
            if inner.is_symlink() {
                let shown = inner.display();
                return Err(Failure::usage(anyhow!(
                    "{shown} is a link: what it leads to is left alone; remove the link"
                )));
            }
            if name == GAMES || all.iter().any(|(file, _)| Path::new(file).starts_with(name)) {
                files::make_directory(&inner).map_err(Failure::machine)?;
            }
        }
        let mut changed = 0;
        for (name, text) in all {
            let path = self.dir.join(name);
            if files::holds(&path, text.as_bytes()) {
                continue;
            }
            files::write_instead(&path, &text).map_err(Failure::machine)?;
            changed += 1;
        }
        Ok(changed)
    }
}

/// What has to be done before there is anything new, where nobody is at it.
fn waits_for(run: &OpenRun) -> Option<&'static str> {
    match (event_is_over(&run.state), run.played) {
        (true, _) => Some(
            "the event is over; the rounds that are held back follow after `swissmatch arbiter release` (Ctrl-C ends the waiting)",
        ),
        (false, false) => Some(
            "no runner is at work on this run, and its event is not over; what is new follows when `swissmatch run` goes on with it \
             (Ctrl-C ends the waiting)",
        ),
        (false, true) => None,
    }
}

/// A folder in which another page lies, or a run, is left alone.
fn may_be_written(dir: &Path) -> Result<(), Failure> {
    let refuse = |why: &str| {
        let dir = dir.display();
        Err(Failure::usage(anyhow!(
            "{dir} {why}: name a folder of its own for the page"
        )))
    };
    if run_dir::log(dir).exists() {
        return refuse("holds a run");
    }
    let index = dir.join(INDEX);
    match files::read_plain(&index) {
        Err(error) if error.kind() == io::ErrorKind::NotFound && !index.is_symlink() => Ok(()),
        Ok(page) if page.contains(&format!("<meta name=\"generator\" content=\"{GENERATOR}\">")) => Ok(()),
        _ => refuse(&format!("has an {INDEX} that swissmatch did not make")),
    }
}
