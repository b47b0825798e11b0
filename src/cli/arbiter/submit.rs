//! What is said of a command that became an act.
//!
//! May not: judge a command, or know what it asks for.

use std::io::Write as _;
use std::path::PathBuf;

use serde_json::json;
use swiss_system::text::{escaped, sentence};

use swissmatch_report::event_name;
use swissmatch_run::act::{self, By};
use swissmatch_run::open_run::has_namesake;
use swissmatch_tournament::arbiter::Command;
use swissmatch_tournament::log::Act;
use swissmatch_tournament::state::State;

use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::cli::which_run::{WhichRun, say_under_embargo};

/// Version of the answers' shape.
const SCHEMA: u32 = 1;

/// What was done.
struct Done {
    dir: PathBuf,
    /// The event's name, and what it is called where another run has the same one.
    event: String,
    called: String,
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
    place: &WhichRun,
    command: &dyn Fn(&State) -> Result<Command, Failure>,
    is_json: bool,
) -> Result<Exit, Failure> {
    let run = place.open_silently()?;
    let lifts_embargo = matches!(command(&run.state), Ok(Command::Act(acted)) if acted.act == Act::Release);
    if !lifts_embargo {
        say_under_embargo(&run.state);
    }
    let (dir, event) = (run.dir.display().to_string(), event_name(&run.state));
    // The name alone would not tell which run it was.
    let called = match has_namesake(&run) {
        true => format!("{event} ({})", escaped(&dir)),
        false => event.clone(),
    };
    let place = run.dir.clone();
    let told = |why: &'static str| {
        // Whoever read this may have gone.
        let _ = writeln!(std::io::stderr(), "waiting: {why}");
    };
    let done = run
        .act(command, told)
        .map(|done| Done::new(place, called.clone(), done));
    match (&done, is_json) {
        (Ok(done), true) => print(&done.json()),
        (Ok(done), false) => print(&done.text()),
        (Err(failure), true) if failure.exit == Exit::Usage => {
            let refused = json!({
                "schema": SCHEMA, "done": false, "run": dir, "event": event, "refused": failure.error.to_string()
            });
            print(&(refused.to_string() + "\n"))
        }
        (Err(_), _) => Exit::Usage,
    };
    match done {
        Ok(_) => Ok(Exit::Done),
        Err(Failure { exit, error }) => {
            let told = format!("{called}: {error}");
            let error = error.context(told);
            Err(Failure { exit, error })
        }
    }
}

impl Done {
    fn text(&self) -> String {
        let next = self.next.map_or_else(String::new, |next| format!("{next}\n"));
        format!(
            "{}: {} {}\n{next}",
            self.called,
            sentence(self.what.as_str()),
            self.effect
        )
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

/// What a runner is not there to say.
const fn next(by: By) -> Option<&'static str> {
    match by {
        By::Runner => None,
        By::Here { is_over: true } => Some("The event is over; its files are written anew."),
        By::Here { is_over: false } => {
            Some("No runner is at work on it; to go on, call `swissmatch run` with the event file.")
        }
    }
}

impl Done {
    fn new(dir: PathBuf, called: String, done: act::Done) -> Self {
        let state = &done.state;
        let what = match &done.command {
            Command::Act(acted) => format!("{} {}", acted.by, acted.done(state)),
            Command::Decide(decided) => format!("{} decided the play-off of {}", decided.by, decided.decision.contest),
        };
        Self {
            dir,
            event: event_name(state),
            called,
            what: escaped(&what),
            effect: escaped(&done.effect),
            next: next(done.by),
            command: done.command,
        }
    }
}
