//! A night that is shown: its table, its files, its exit code.
//!
//! May not: fit, or say what is a change.

use std::path::PathBuf;

use clap::Args;

use crate::cli::console::line_of_league;
use crate::cli::exit::{Exit, Failure};
use crate::cli::job::{JobFileArgs, add_to_page, is_github, leave, write};
use crate::cli::output::{missed, print};
use crate::cli::screen;
use swissmatch_host::machine;
use swissmatch_report::league::{NightView, benchmark, junit, page, summary};
use swissmatch_report::nights::{BuildComparison, History, Night, NightChanges, NightSeries, changes};
use swissmatch_report::workflow::night_marks;
use swissmatch_run::open_run::OpenRun;
use swissmatch_stats::rating::fitted::Fit;

use super::OpenedLeague;

/// Files that are left in the run of a night.
const FILES: [&str; 5] = [
    "league.json",
    "league.md",
    "league.html",
    "league.junit.xml",
    "benchmark.json",
];

/// Files that are asked for.
#[derive(Clone, Debug, Args)]
pub(super) struct NightFileArgs {
    #[command(flatten)]
    pub(super) job: JobFileArgs,
    /// Write the ratings as github-action-benchmark reads them (customBiggerIsBetter) to this file
    #[arg(long, value_name = "FILE")]
    benchmark: Option<PathBuf>,
}

/// A night with what is said of it.
pub(super) struct ShownNight<'a> {
    view: NightView<'a>,
    series: NightSeries<'a>,
    fit: Option<Fit>,
}

impl<'a> ShownNight<'a> {
    /// Says what changed in a night of the history, and notes it there.
    pub(super) fn judge(history: &mut History, run: &str) {
        let compared: Vec<BuildComparison> = {
            let Some(night) = history.night_of_run(run) else { return };
            let series = NightSeries::until(history, night);
            let fit = series.fit();
            fit.map(|fit| changes(&series, &fit).compared).unwrap_or_default()
        };
        let night = history.nights.iter_mut().find(|night| night.run == run);
        if let Some(night) = night {
            night.changes = compared;
        }
    }

    /// A night of a history.
    pub(super) fn of(opened: &OpenedLeague, history: &'a History, night: &'a Night) -> Result<Self, Failure> {
        let series = NightSeries::until(history, night);
        let fit = series.fit().map_err(|refused| refused.to_string());
        let found = fit.as_ref().map(|fit| changes(&series, fit)).unwrap_or_default();
        let fitted: Result<&Fit, String> = fit.as_ref().map_err(Clone::clone);
        // What the night found then stands.
        let found = NightChanges {
            compared: night.changes.clone(),
            ..found
        };
        let view = NightView::new(&opened.league.keys.name, &series, fitted, &found);
        let view = view.ok_or_else(|| Failure::machine(anyhow::anyhow!("the night is not in its series")))?;
        let fit = fit.ok();
        Ok(Self { view, series, fit })
    }

    /// The page of the night, as text, Markdown or CSV, or its JSON.
    pub(super) const fn view(&self) -> &NightView<'a> {
        &self.view
    }

    /// As a page of its own, with plots.
    pub(super) fn html(&self) -> String {
        page(&self.view, &self.series, self.fit.as_ref())
    }

    /// Leaves its files in the directory of its run.
    pub(super) fn write_to(&self, run: &OpenRun) {
        let texts = [
            Some(self.view.json()),
            Some(summary(&self.view)),
            Some(self.html()),
            self.junit(run),
            Some(benchmark(&self.view)),
        ];
        for (name, text) in FILES.iter().zip(texts) {
            if let Some(text) = text {
                leave(&run.dir.join(name), &text);
            }
        }
    }

    /// Its JUnit report: the builds and what changed, beside the cases of its run. What keeps it from being made is said.
    fn junit(&self, run: &OpenRun) -> Option<String> {
        let text = junit(&self.view, &run.state, |game| {
            let finished = run.finished(game)?;
            run.evidence(finished)
        });
        text.inspect_err(|why: &String| missed(why)).ok()
    }

    /// Writes what was asked for, prints the table, and says how the night ended.
    pub(super) fn finish(&self, run: Option<&OpenRun>, outputs: &NightFileArgs, is_json: bool) -> Exit {
        let text = summary(&self.view);
        for (file, text) in [
            (&outputs.job.summary, &text),
            (&outputs.benchmark, &benchmark(&self.view)),
        ] {
            if let Some(file) = file {
                write(file, text.clone());
            }
        }
        let junit = outputs.job.junit.as_ref().zip(run);
        if let Some((file, text)) = junit.and_then(|(file, run)| Some((file, self.junit(run)?))) {
            write(file, text);
        }
        add_to_page(&text);
        print(&match is_json {
            true => line_of_league(&self.view.json()) + "\n",
            false => self.view.page().text(machine::columns()),
        });
        if is_github() {
            night_marks(&self.view).iter().for_each(|line| screen::say(line));
        }
        match (self.view.has_faults(), self.view.weaker().next()) {
            (true, _) => Exit::AgentsAtFault,
            (false, Some(_)) => Exit::CheckFailed,
            (false, None) => Exit::Done,
        }
    }
}
