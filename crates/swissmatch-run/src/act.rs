//! How a command of the arbiter becomes entries of the log: at the desk of the runner at work, or here where none is.
//!
//! May not: judge a command, or know what it asks for.

use std::collections::BTreeSet;
use std::time::Duration;

use swissmatch_host::desk::{self, NoAnswer};
use swissmatch_host::machine;
use swissmatch_host::run_dir::{self, DirError, RunDir};
use swissmatch_host::store::{Bundle, Logged, Store};
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::decide;
use swissmatch_tournament::log::{Act, Acted, Entry};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

use super::conduct::Answer;
use super::entered::with_manifests;
use super::error::RunError;
use super::interrupted::{self, Left, Noted, begins};
use super::late;
use super::open_run::OpenRun;
use super::publish::Publisher;

/// How long a runner that starts or ends is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a run may change hands meanwhile.
const TRIES: u32 = 5;

/// What was done.
#[derive(Debug)]
pub struct Done {
    /// What was asked for.
    pub command: Command,
    /// The state in which it was asked for.
    pub state: State,
    /// When it takes effect, as a sentence.
    pub effect: String,
    /// Who did it.
    pub by: By,
}

/// Who carried a command out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The runner at work.
    Runner,
    /// This process, as no runner is at work.
    Here {
        /// Whether the event is over.
        is_over: bool,
    },
}

impl OpenRun {
    /// Has the command carried out that `command` makes of the state; it is made anew where the run has changed hands meanwhile.
    /// `told` is told why there is a wait.
    ///
    /// # Errors
    /// When it may not be done, or what was done cannot be saved; or what `command` says.
    pub fn act<E: From<RunError>>(
        mut self,
        command: impl Fn(&State) -> Result<Command, E>,
        mut told: impl FnMut(&'static str),
    ) -> Result<Done, E> {
        for _ in 0..TRIES {
            let asked = command(&self.state)?;
            match desk::ask::<_, Answer>(&self.dir, &asked, PATIENCE, &mut told) {
                Ok(Ok(effect)) => {
                    return Ok(Done {
                        command: self.require_logged(&asked)?,
                        state: self.state,
                        effect,
                        by: By::Runner,
                    });
                }
                Ok(Err(refused)) => return Err(RunError::Refused(refused).into()),
                Err(NoAnswer::NoRunner) => {}
                Err(error) => return Err(RunError::Desk(error).into()),
            }
            match RunDir::take(&self.dir) {
                Ok(dir) => {
                    // A reader would keep the log's -wal file where it is.
                    drop(self);
                    return act_here(&dir, command);
                }
                // Somebody came first.
                Err(DirError::Locked(_)) => {}
                Err(error) => return Err(RunError::Directory(error).into()),
            }
            self = Self::open(Some(&self.dir)).map_err(RunError::Open)?;
        }
        Err(RunError::Contended.into())
    }

    /// What was asked for as the log has it, behind what was in it before: whoever can write to the directory can put a socket of
    /// its own in the place of the runner's.
    fn require_logged(&self, asked: &Command) -> Result<Command, RunError> {
        let now = Self::open(Some(&self.dir)).map_err(RunError::Open)?;
        let hashes = |logged: &[Logged]| logged.last().map(|last| last.hash.clone());
        let (before, since) = now.logged.split_at(self.logged.len().min(now.logged.len()));
        let has_grown = hashes(before) == hashes(&self.logged);
        let logged = since
            .iter()
            .filter(|_| has_grown)
            .filter_map(|logged| logged_as(&logged.entry));
        let mut it = logged.filter(|logged| may_become(asked, logged));
        it.next().ok_or_else(|| RunError::NotLogged(self.dir.clone()))
    }
}

/// The command that an entry is.
fn logged_as(entry: &Entry) -> Option<Command> {
    match entry {
        Entry::Acted(acted) => Some(Command::Act((**acted).clone())),
        Entry::Decided(decided) => Some(Command::Decide(decided.clone())),
        _ => None,
    }
}

/// Whether a command may stand in the log so: [`decide`] may have annulled the results of who was disqualified.
fn may_become(asked: &Command, logged: &Command) -> bool {
    let mut annulled = asked.clone();
    if let Command::Act(Acted {
        act: Act::Disqualify { annul, .. },
        ..
    }) = &mut annulled
    {
        *annul = true;
    }
    logged == asked || *logged == annulled
}

/// Carries the command out where no runner is: under the lock of the run's directory.
fn act_here<E: From<RunError>>(dir: &RunDir, command: impl Fn(&State) -> Result<Command, E>) -> Result<Done, E> {
    // What was read before the directory was ours may have changed since.
    let run = OpenRun::open(Some(dir.path())).map_err(RunError::Open)?;
    let asked = command(&run.state)?;
    Ok(append(dir, run, asked)?)
}

fn append(dir: &RunDir, run: OpenRun, command: Command) -> Result<Done, RunError> {
    let OpenRun {
        logged,
        state: mut before,
        store: reader,
        ..
    } = run;
    drop(reader);
    // A list that does not count is left for the next runner, which tells so.
    let Noted { entry, ignored } = Left::in_dir(dir.path()).noted(&logged, &logged[logged.len() - 1], &before);
    let noted = entry.map(Entry::Interrupted);
    if let Some(noted) = &noted {
        before.apply(noted)?;
    }
    let acts = decide(&before, &BTreeSet::new(), &command);
    let acts = acts.map_err(|refused| RunError::Refused(refused.to_string()))?;
    let command = acts.first().and_then(logged_as).unwrap_or(command);
    let effect = match &command {
        Command::Act(acted) => {
            if let Act::Enter { player, agent } = &acted.act {
                late::require(player, agent, before.created())?;
            }
            acted.act.takes_effect(&before)
        }
        Command::Decide(_) => "The decision is in the log.".to_owned(),
    };
    let mut state = before.clone();
    for entry in &acts {
        state.apply(entry)?;
    }
    let mut store = Store::open(&run_dir::log(dir.path()), &logged)?;
    let entries: Vec<Bundle> = noted.into_iter().chain(acts).map(with_manifests).collect();
    store.append(&entries, &machine::now())?;
    if ignored.is_none() {
        interrupted::remove(dir.path()).map_err(RunError::ActUnpublished)?;
    }
    // The files of the run tell of it at once.
    Publisher::start(dir.path(), &state, &logged[0].at, None, None)
        .and_then(|publisher| publisher.finish(&state))
        .map_err(RunError::ActUnpublished)?;
    // The log is complete also where its -wal file has to stay for a reader's sake, which must not look like a killed runner.
    let began = logged.iter().rev().find(|logged| begins(logged)).map(Logged::head);
    if let (Err(_), Some(began)) = (store.settle(), began) {
        interrupted::leave_none(dir.path(), began).map_err(RunError::ActUnpublished)?;
    }
    let is_over = event_is_over(&state);
    Ok(Done {
        command,
        state: before,
        effect,
        by: By::Here { is_over },
    })
}
