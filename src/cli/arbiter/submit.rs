//! What is said of a command that became an act.
//!
//! May not: judge a command, or know what it asks for.

use std::io::Write as _;

use serde_json::json;
use swiss_system::text::{escaped, sentence};

use swissmatch_report::event_name;
use swissmatch_run::act::{By, DoneAct};
use swissmatch_run::open_run::{OpenRun, has_namesake};
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::log::Act;
use swissmatch_tournament::state::State;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::cli::which_run::{WhichRunArgs, say_under_embargo};

/// Version of the answers' shape.
const SCHEMA: u32 = 1;

/// Has the command carried out that `command` makes of the run, and says what came of it.
pub(super) fn main(
    place: &WhichRunArgs,
    command: &dyn Fn(&State) -> Result<Command, Failure>,
    is_json: bool,
) -> Result<Exit, Failure> {
    let run = place.open_silently()?;
    let lifts_embargo = matches!(command(&run.state), Ok(Command::Act(acted)) if acted.act == Act::Release);
    if !lifts_embargo {
        say_under_embargo(&run.state);
    }
    let clerk = Clerk::of(&run, is_json);
    let done = run.act(command, waits);
    let by = clerk.answer(done)?;
    clerk.say_next(by);
    Ok(Exit::Done)
}

/// The same for many commands on a run that was opened to look at it. `refused` has each that is refused, by its place among them.
///
/// # Errors
/// As soon as one is not done for another reason.
pub(super) fn all(
    run: OpenRun,
    commands: &[Command],
    is_json: bool,
    mut refused: impl FnMut(usize, Failure),
) -> Result<(), Failure> {
    let clerk = Clerk::of(&run, is_json);
    let (mut count, mut last, mut failed) = (0, None, None);
    let done = run.act_all::<Failure>(
        |_| Ok(commands.to_vec()),
        waits,
        |answer| {
            match clerk.answer(answer.map_err(Failure::from)) {
                Ok(by) => last = Some(by),
                Err(failure) if failure.exit == Exit::Usage => refused(count, failure),
                Err(failure) => failed = failed.take().or(Some(failure)),
            }
            count += 1;
        },
    );
    if let Some(by) = last {
        clerk.say_next(by);
    }
    done.map_err(|failure| clerk.named(failure))?;
    failed.map_or(Ok(()), Err)
}

fn waits(why: &'static str) {
    // Whoever read this may have gone.
    let _ = writeln!(std::io::stderr(), "waiting: {why}");
}

/// Who answers for a run.
struct Clerk {
    dir: String,
    /// The event's name, and what it is called where another run has the same one.
    event: String,
    called: String,
    is_json: bool,
}

impl Clerk {
    fn of(run: &OpenRun, is_json: bool) -> Self {
        let (dir, event) = (run.dir.display().to_string(), event_name(&run.state));
        // The name alone would not tell which run it was.
        let called = match has_namesake(run) {
            true => format!("{event} ({})", escaped(&dir)),
            false => event.clone(),
        };
        Self {
            dir,
            event,
            called,
            is_json,
        }
    }

    /// Says what came of a command.
    fn answer(&self, done: Result<DoneAct, Failure>) -> Result<By, Failure> {
        match (&done, self.is_json) {
            (Ok(done), true) => print(&self.json(done)),
            (Ok(done), false) => print(&self.text(done)),
            (Err(failure), true) if failure.exit == Exit::Usage => {
                let refused = json!({
                    "schema": SCHEMA, "done": false, "run": self.dir, "event": self.event, "refused": failure.error.to_string()
                });
                print(&(refused.to_string() + "\n"))
            }
            (Err(_), _) => Exit::Usage,
        };
        done.map(|done| done.by).map_err(|failure| self.named(failure))
    }

    /// What a runner is not there to say.
    fn say_next(&self, by: By) {
        let next = match by {
            By::Runner => return,
            By::Here { is_over: true } => "The event is over; its files are written anew.\n",
            By::Here { is_over: false } => {
                "No runner is at work on it; to go on, call `swissmatch run` with the event file.\n"
            }
        };
        if !self.is_json {
            print(next);
        }
    }

    fn text(&self, done: &DoneAct) -> String {
        let (what, effect) = (escaped(&done.what), escaped(&done.effect));
        format!("{}: {} {effect}\n", self.called, sentence(what.as_str()))
    }

    fn json(&self, done: &DoneAct) -> String {
        let document = json!({
            "schema": SCHEMA,
            "done": true,
            "run": self.dir,
            "event": self.event,
            "runner": done.by == By::Runner,
            "command": done.command,
            "what": escaped(&done.what),
            "takes_effect": escaped(&done.effect),
        });
        document.to_string() + "\n"
    }

    /// A failure that says of which run it is.
    fn named(&self, Failure { exit, error }: Failure) -> Failure {
        let told = format!("{}: {error}", self.called);
        let error = error.context(told);
        Failure { exit, error }
    }
}
