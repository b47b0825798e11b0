//! What a gate leaves for whoever has asked: a verdict on the screen, files, the page of the job, marks at the job.
//!
//! May not: decide anything.

use std::path::Path;

use swissmatch_report::gate::Gate;
use swissmatch_report::junit;
use swissmatch_report::workflow;
use swissmatch_run::open_run::OpenRun;
use swissmatch_tournament::state::State;

use super::console::line_of_gate;
use super::job::{JobFileArgs, add_to_page, is_github, leave, write};
use super::output::{missed, print};
use super::screen;

/// The JUnit report in the run, beside that of the run itself.
const JUNIT: &str = "gate.junit.xml";
/// The summary in the run.
const SUMMARY: &str = "gate.md";

impl JobFileArgs {
    /// Writes what was asked for, and says how a gate ends for which nothing was played.
    pub(super) fn leave_unplayed(&self, name: &str, gate: &Gate, is_json: bool) {
        let summary = gate.markdown_of_unplayed(name);
        self.tell(gate, Some(junit::of_unplayed(name, gate)), &summary, None, is_json);
    }

    /// Writes what was asked for, and says how the gate ends.
    pub(super) fn leave(&self, dir: &Path, state: &State, gate: &Gate, is_json: bool) {
        let summary = gate.markdown(state);
        leave(&dir.join(SUMMARY), &summary);
        let run = OpenRun::open(Some(dir)).map_err(|error| error.to_string());
        let junit = run.and_then(|run| junit::of_gate(state, gate, |game| run.evidence(run.finished(game)?)));
        let junit = junit.inspect_err(|why| missed(why)).ok();
        if let Some(junit) = &junit {
            leave(&dir.join(JUNIT), junit);
        }
        self.tell(gate, junit, &summary, Some(dir), is_json);
    }

    fn tell(&self, gate: &Gate, junit: Option<String>, summary: &str, dir: Option<&Path>, is_json: bool) {
        if let (Some(file), Some(junit)) = (&self.junit, junit) {
            write(file, junit);
        }
        if let Some(file) = &self.summary {
            write(file, summary);
        }
        add_to_page(summary);
        print(&match is_json {
            true => line_of_gate(gate, dir) + "\n",
            false => format!("gate {}: {}\n", gate.word(), gate.why.join("; ")),
        });
        if is_github() {
            workflow::marks(gate).iter().for_each(|line| screen::say(line));
        }
    }
}
