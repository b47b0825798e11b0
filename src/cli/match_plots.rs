//! `swissmatch stats --plot DIR` of one run or file of two players: plots of their match.
//!
//! May not: draw anything.

use std::path::Path;

use swissmatch_report::course::{plots_of_file, plots_of_run};
use swissmatch_report::plot::Plot;
use swissmatch_run::course;
use swissmatch_tournament::state::State;

use super::exit::Failure;

/// Plots of the match, where what is rated is one.
#[derive(Default)]
pub(super) struct MatchPlots {
    is_wanted: bool,
    leave_out_faults: bool,
    /// What was drawn.
    pub(super) plots: Vec<Plot>,
}

impl MatchPlots {
    /// Those that are wanted: of one run or file alone.
    pub(super) const fn new(is_wanted: bool, leave_out_faults: bool) -> Self {
        Self {
            is_wanted,
            leave_out_faults,
            plots: Vec::new(),
        }
    }

    /// Draws the match of a run.
    pub(super) fn of_run(&mut self, state: &State) -> Result<(), Failure> {
        if self.is_wanted {
            self.plots = plots_of_run(state, self.leave_out_faults);
        }
        Ok(())
    }

    /// Draws the match of a file.
    pub(super) fn of_file(&mut self, file: &Path) -> Result<(), Failure> {
        let course = match self.is_wanted {
            true => course::of_file(file, self.leave_out_faults).map_err(Failure::usage)?,
            false => None,
        };
        if let Some(course) = course {
            self.plots = plots_of_file(&course);
        }
        Ok(())
    }
}
