//! How a command of the arbiter becomes entries of the log: at the desk of the runner at work, or here where none is.
//!
//! May not: judge a command, or know what it asks for.

use std::collections::BTreeSet;
use std::time::Duration;

use swissmatch_host::desk::{self, DeskError};
use swissmatch_host::machine;
use swissmatch_host::run_dir::{self, DirError, RunDir};
use swissmatch_host::store::{Bundle, LoggedEntry, Store};
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::arbiter::decide::decide;
use swissmatch_tournament::log::{Act, ArbiterActed, Entry};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

use super::conduct::ActAnswer;
use super::entered::with_manifests;
use super::error::RunError;
use super::interrupted::{self, InterruptionNote, LeftRun, begins};
use super::late;
use super::open_run::OpenRun;
use super::publish::Publisher;

/// How long a runner that starts or ends is waited for.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a run may change hands meanwhile.
const TRIES: u32 = 5;

/// What was done.
#[derive(Debug)]
pub struct DoneAct {
    /// What was asked for.
    pub command: Command,
    /// Who did what, as a sentence without its end.
    pub what: String,
    /// When it takes effect, as a sentence.
    pub effect: String,
    /// Who carried it out.
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
        self,
        command: impl Fn(&State) -> Result<Command, E>,
        told: impl FnMut(&'static str),
    ) -> Result<DoneAct, E> {
        let mut answer = None;
        let commands = |state: &State| Ok(vec![command(state)?]);
        self.act_all::<E>(commands, told, |answered| answer = Some(answered))?;
        Ok(answer.expect("one answer to one command")?)
    }

    /// The same for many commands, one after the other: each is judged by what those before it have left, and one that is refused
    /// keeps no other from being done. The run is read once, and its files are written once. `answered` has the answer to each in
    /// their order.
    ///
    /// # Errors
    /// When what was done cannot be saved, or nobody can be asked for the rest; or what `commands` says.
    pub fn act_all<E: From<RunError>>(
        mut self,
        commands: impl Fn(&State) -> Result<Vec<Command>, E>,
        mut told: impl FnMut(&'static str),
        mut answered: impl FnMut(Result<DoneAct, RunError>),
    ) -> Result<(), E> {
        let mut count = 0;
        for _ in 0..TRIES {
            let asked = commands(&self.state)?;
            let (answers, ended) = self.ask_runner(&asked[count..], &mut told);
            count += answers.len();
            self.logged_of(answers)?.into_iter().for_each(&mut answered);
            match ended {
                None => return Ok(()),
                Some(DeskError::NoRunner) => {}
                Some(error) => return Err(RunError::Desk(error).into()),
            }
            match RunDir::take(&self.dir) {
                Ok(dir) => {
                    // A reader would keep the log's -wal file where it is.
                    drop(self);
                    // What was read before the directory was ours may have changed since.
                    let run = Self::open(Some(dir.path())).map_err(RunError::Open)?;
                    let asked = commands(&run.state)?.split_off(count);
                    append(&dir, run, asked)?.into_iter().for_each(answered);
                    return Ok(());
                }
                // Somebody came first.
                Err(DirError::Locked(_)) => {}
                Err(error) => return Err(RunError::Directory(error).into()),
            }
            self = Self::open(Some(&self.dir)).map_err(RunError::Open)?;
        }
        Err(RunError::Contended.into())
    }

    /// What the runner at work answers to one command after the other, and why it does not answer all.
    fn ask_runner(
        &self,
        commands: &[Command],
        mut told: impl FnMut(&'static str),
    ) -> (Vec<(Command, ActAnswer)>, Option<DeskError>) {
        let mut answers = Vec::new();
        for command in commands {
            match desk::ask(&self.dir, command, PATIENCE, &mut told) {
                Ok(answer) => answers.push((command.clone(), answer)),
                Err(why) => return (answers, Some(why)),
            }
        }
        (answers, None)
    }

    /// What was asked for as the log has it, behind what was in it before: whoever can write to the directory can put a socket of
    /// its own in the place of the runner's.
    fn logged_of(&self, answers: Vec<(Command, ActAnswer)>) -> Result<Vec<Result<DoneAct, RunError>>, RunError> {
        if answers.iter().all(|(_, answer)| answer.is_err()) {
            let refused = answers.into_iter().filter_map(|(_, answer)| answer.err());
            return Ok(refused.map(|why| Err(RunError::Refused(why))).collect());
        }
        let now = Self::open(Some(&self.dir)).map_err(RunError::Open)?;
        let hashes = |logged: &[LoggedEntry]| logged.last().map(|last| last.hash.clone());
        let (before, since) = now.logged.split_at(self.logged.len().min(now.logged.len()));
        let has_grown = hashes(before) == hashes(&self.logged);
        let mut logged = since
            .iter()
            .filter(|_| has_grown)
            .filter_map(|logged| logged_as(&logged.entry));
        let done = answers.into_iter().map(|(asked, answer)| {
            let effect = answer.map_err(RunError::Refused)?;
            // One act is in the log before the next is asked for.
            let command = logged.find(|logged| may_become(&asked, logged));
            let command = command.ok_or_else(|| RunError::NotLogged(self.dir.clone()))?;
            Ok(DoneAct {
                what: what(&command, &self.state),
                command,
                effect,
                by: By::Runner,
            })
        });
        Ok(done.collect())
    }
}

/// Who did what, as a sentence without its end.
fn what(command: &Command, state: &State) -> String {
    match command {
        Command::Act(acted) => format!("{} {}", acted.by, acted.done(state)),
        Command::Decide(decided) => format!("{} decided the play-off of {}", decided.by, decided.decision.contest),
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
    if let Command::Act(ArbiterActed {
        act: Act::Disqualify { annul, .. },
        ..
    }) = &mut annulled
    {
        *annul = true;
    }
    logged == asked || *logged == annulled
}

/// Carries commands out where no runner is: under the lock of the run's directory.
fn append(dir: &RunDir, run: OpenRun, commands: Vec<Command>) -> Result<Vec<Result<DoneAct, RunError>>, RunError> {
    let OpenRun {
        logged,
        mut state,
        store: reader,
        ..
    } = run;
    drop(reader);
    // A list that does not count is left for the next runner, which tells so.
    let InterruptionNote { entry, ignored } =
        LeftRun::in_dir(dir.path()).noted(&logged, &logged[logged.len() - 1], &state);
    let mut entries: Vec<Entry> = entry.map(Entry::Interrupted).into_iter().collect();
    for noted in &entries {
        state.apply(noted)?;
    }
    let mut answers = Vec::new();
    for command in commands {
        let judged = judged(&state, command);
        if let Ok((_, acts)) = &judged {
            for entry in acts {
                state.apply(entry)?;
            }
        }
        answers.push(judged.map(|(done, acts)| {
            entries.extend(acts);
            done
        }));
    }
    if answers.iter().all(Result::is_err) {
        return Ok(answers);
    }
    let mut store = Store::open(&run_dir::log(dir.path()), &logged)?;
    let entries: Vec<Bundle> = entries.into_iter().map(with_manifests).collect();
    store.append(&entries, &machine::now())?;
    if ignored.is_none() {
        interrupted::remove(dir.path()).map_err(RunError::ActUnpublished)?;
    }
    // The files of the run tell of it at once.
    Publisher::start(dir.path(), &state, &logged[0].at, None, None)
        .and_then(|publisher| publisher.finish(&state))
        .map_err(RunError::ActUnpublished)?;
    // The log is complete also where its -wal file has to stay for a reader's sake, which must not look like a killed runner.
    let began = logged.iter().rev().find(|logged| begins(logged)).map(LoggedEntry::head);
    if let (Err(_), Some(began)) = (store.settle(), began) {
        interrupted::leave_none(dir.path(), began).map_err(RunError::ActUnpublished)?;
    }
    // Known only when the last one is done.
    let is_over = event_is_over(&state);
    for done in answers.iter_mut().flatten() {
        done.by = By::Here { is_over };
    }
    Ok(answers)
}

/// What a command comes to in this state, and the entries that it becomes.
fn judged(state: &State, command: Command) -> Result<(DoneAct, Vec<Entry>), RunError> {
    let acts = decide(state, &BTreeSet::new(), &command);
    let acts = acts.map_err(|refused| RunError::Refused(refused.to_string()))?;
    let command = acts.first().and_then(logged_as).unwrap_or(command);
    let effect = match &command {
        Command::Act(acted) => {
            if let Act::Enter { player, agent } = &acted.act {
                late::require(player, agent, state.created())?;
            }
            acted.act.takes_effect(state)
        }
        Command::Decide(_) => "The decision is in the log.".to_owned(),
    };
    let done = DoneAct {
        what: what(&command, state),
        command,
        effect,
        by: By::Here { is_over: false },
    };
    Ok((done, acts))
}
