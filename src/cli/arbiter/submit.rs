//! How a command becomes an act: at the desk of the runner at work, or here where none is.
//!
//! May not: judge a command, or know what it asks for.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use serde_json::json;

use crate::game::transcript::escape;
use crate::report::event_name;
use crate::run::conduct::Answer;
use crate::run::open_run::OpenRun;
use crate::run::publish::Publisher;
use crate::shell::desk::{self, NoAnswer};
use crate::shell::run_dir::{self, DirError, RunDir};
use crate::shell::store::{Entry, Store};
use crate::shell::{agents, machine};
use crate::tournament::arbiter::decide::decide;
use crate::tournament::arbiter::{Act, Command};
use crate::tournament::state::State;

use crate::cli::exit::{Exit, Failure};
use crate::cli::views::{self, Place};

/// Version of the answers' shape.
const SCHEMA: u32 = 1;
/// How long a runner that starts or ends is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a run may change hands meanwhile.
const TRIES: u32 = 5;

/// What was done.
struct Done {
    dir: PathBuf,
    /// The event's name.
    event: String,
    command: Command,
    /// Who did what, as a sentence without its end.
    what: String,
    /// When it takes effect, as a sentence.
    effect: String,
    /// What comes next, where no runner is at work.
    next: Option<&'static str>,
}

/// Has the command carried out that `command` makes of the run, and says what came of it.
pub(super) fn main(
    place: &Place,
    command: impl Fn(&State) -> Result<Command, Failure>,
    is_json: bool,
) -> Result<Exit, Failure> {
    let run = place.open()?;
    let (dir, event) = (run.dir.display().to_string(), event_name(&run.state));
    let done = submit(run, command);
    match (&done, is_json) {
        (Ok(done), true) => views::print(&done.json())?,
        (Ok(done), false) => views::print(&done.text())?,
        (Err(failure), true) if failure.exit == Exit::Usage => {
            let refused = json!({
                "schema": SCHEMA, "done": false, "run": dir, "event": event, "refused": failure.error.to_string()
            });
            views::print(&(refused.to_string() + "\n"))?
        }
        (Err(_), _) => Exit::Usage,
    };
    match done {
        Ok(_) => Ok(Exit::Done),
        Err(Failure { exit, error }) => {
            let told = format!("{event}: {error}");
            let error = error.context(told);
            Err(Failure { exit, error })
        }
    }
}

impl Done {
    fn text(&self) -> String {
        let next = self.next.map_or_else(String::new, |next| format!("{next}\n"));
        format!("{}: {}. {}\n{next}", self.event, self.what, self.effect)
    }

    fn json(&self) -> String {
        let document = json!({
            "schema": SCHEMA,
            "done": true,
            "run": self.dir.display().to_string(),
            "event": self.event,
            "runner": self.next.is_none(),
            "command": self.command,
            "what": self.what,
            "takes_effect": self.effect,
        });
        document.to_string() + "\n"
    }
}

fn submit(mut run: OpenRun, command: impl Fn(&State) -> Result<Command, Failure>) -> Result<Done, Failure> {
    for _ in 0..TRIES {
        let asked = command(&run.state)?;
        let told = |why: &'static str| {
            // Whoever read this may have gone.
            let _ = writeln!(std::io::stderr(), "waiting: {why}");
        };
        match desk::ask::<_, Answer>(&run.dir, &asked, PATIENCE, told) {
            Ok(Ok(effect)) => return Ok(Done::new(&run.dir, &run.state, asked, effect, None)),
            Ok(Err(refused)) => return Err(Failure::usage(anyhow!(escape(refused.as_bytes())))),
            Err(NoAnswer::NoRunner) => {}
            Err(error @ (NoAnswer::NotTaken(_) | NoAnswer::Refused(_))) => return Err(Failure::usage(error)),
            Err(error @ (NoAnswer::Lost | NoAnswer::Unanswered | NoAnswer::Unreachable(_))) => {
                return Err(Failure::machine(error));
            }
        }
        match RunDir::take(&run.dir) {
            Ok(dir) => return on_stopped_run(&dir, command),
            // Somebody came first.
            Err(DirError::Locked(_)) => {}
            Err(error) => return Err(Failure::machine(error)),
        }
        run = OpenRun::open(Some(&run.dir)).map_err(Failure::machine)?;
    }
    Err(Failure::usage(anyhow!(
        "nothing was done: others keep taking the run; try again"
    )))
}

/// Carries the command out where no runner is: under the lock of the run's directory.
fn on_stopped_run(dir: &RunDir, command: impl Fn(&State) -> Result<Command, Failure>) -> Result<Done, Failure> {
    // What was read before the directory was ours may have changed since.
    let run = OpenRun::open(Some(dir.path())).map_err(Failure::machine)?;
    let asked = command(&run.state)?;
    let events = decide(&run.state, &BTreeSet::new(), &asked).map_err(Failure::usage)?;
    let effect = match &asked {
        Command::Act(acted) => {
            if let Act::Enter { player, agent } = &acted.act {
                agents::late_entry(player, agent, run.state.created())
                    .map_err(|error| Failure::usage(anyhow!(error)))?;
            }
            acted.act.takes_effect(&run.state)
        }
        Command::Decide(_) => "The decision is in the log.".to_owned(),
    };
    let mut state = run.state.clone();
    for event in &events {
        state.apply(event).map_err(Failure::machine)?;
    }
    let mut store = Store::open(&run_dir::log(dir.path()), &run.logged).map_err(Failure::machine)?;
    let entries: Vec<Entry> = events.into_iter().map(Entry::from).collect();
    store.append(&entries, &machine::now()).map_err(Failure::machine)?;
    // The files of the run tell of it at once.
    let published = Publisher::start(dir.path(), &state, run.created_at(), None)
        .map_err(anyhow::Error::from)
        .and_then(|publisher| publisher.finish(&state).map_err(anyhow::Error::from));
    published.map_err(|error| {
        Failure::machine(error.context("the act is in the log, but the run's files could not be written"))
    })?;
    // The log is complete also where its -wal file has to stay for a reader's sake.
    let _ = store.settle();
    let next = match state.is_over() {
        true => "The event is over; its files are written anew.",
        false => "No runner is at work on it; `swissmatch run` with the event file goes on.",
    };
    Ok(Done::new(dir.path(), &run.state, asked, effect, Some(next)))
}

impl Done {
    fn new(dir: &Path, state: &State, command: Command, effect: String, next: Option<&'static str>) -> Self {
        let what = match &command {
            Command::Act(acted) => format!("{} {}", acted.by, acted.act.done(state)),
            Command::Decide(decided) => format!("{} decided the play-off of {}", decided.by, decided.decision.contest),
        };
        Self {
            dir: dir.to_owned(),
            event: event_name(state),
            what: escape(what.as_bytes()),
            effect: escape(effect.as_bytes()),
            command,
            next,
        }
    }
}
