//! `swissmatch league show` and `trend`: what the history says.
//!
//! May not: play, or change the history.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use crate::cli::exit::{Exit, Failure};
use crate::cli::form::FormFlags;
use crate::cli::job::write;
use crate::cli::output::print;
use swissmatch_report::league::trend;
use swissmatch_report::nights::{History, Night, NightSeries};

use super::night::ShownNight;
use super::{OpenedLeague, unread};

/// Show a night of a league with the ratings of all nights
#[derive(Debug, Args)]
pub(super) struct LeagueShowArgs {
    /// The league file (default: LEAGUE.toml, or league/LEAGUE.toml)
    #[arg(value_name = "LEAGUE.toml")]
    file: Option<PathBuf>,
    /// Which night (default: the last one)
    #[arg(long, value_name = "NIGHT")]
    night: Option<String>,
    /// Write it as a page with plots to this file, too
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
}

/// Show the way of a build through the nights
#[derive(Debug, Args)]
pub(super) struct LeagueTrendArgs {
    /// The name of the build
    #[arg(value_name = "BUILD")]
    build: String,
    /// The league file (default: LEAGUE.toml, or league/LEAGUE.toml)
    #[arg(value_name = "LEAGUE.toml")]
    file: Option<PathBuf>,
    #[command(flatten)]
    form: FormFlags,
}

impl LeagueShowArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let opened = OpenedLeague::open(self.file.as_deref())?;
        let history = opened.history.read().map_err(unread)?;
        let night = match &self.night {
            Some(name) => named(&history, name)?,
            None => last(&opened, &history)?,
        };
        let shown = ShownNight::of(&opened, &history, night)?;
        if let Some(file) = &self.html {
            write(file, shown.html());
        }
        Ok(print(&self.form.text(|| shown.view().page(), || shown.view().json())))
    }
}

impl LeagueTrendArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let opened = OpenedLeague::open(self.file.as_deref())?;
        let history = opened.history.read().map_err(unread)?;
        let series = NightSeries::until(&history, last(&opened, &history)?);
        let fit = series.fit().ok();
        let found = trend(&series, fit.as_ref(), &self.build).ok_or_else(|| {
            let mut names: Vec<&str> = Vec::new();
            for build in series.nights.iter().flat_map(|(night, _)| &night.builds) {
                if !names.contains(&build.name.as_str()) {
                    names.push(&build.name);
                }
            }
            Failure::usage(anyhow!(
                "no build named {} played on this class of machine; those that did are {}",
                self.build,
                names.join(", ")
            ))
        })?;
        Ok(print(&self.form.text(|| found.page(), || found.json())))
    }
}

fn named<'a>(history: &'a History, name: &str) -> Result<&'a Night, Failure> {
    history.night(name).ok_or_else(|| {
        let last: Vec<&str> = history
            .nights
            .iter()
            .rev()
            .take(5)
            .map(|night| night.name.as_str())
            .collect();
        Failure::usage(anyhow!(
            "there is no night {name}; the last ones are {}",
            last.join(", ")
        ))
    })
}

fn last<'a>(opened: &OpenedLeague, history: &'a History) -> Result<&'a Night, Failure> {
    history.nights.last().ok_or_else(|| {
        Failure::usage(anyhow!(
            "{} has no night yet; `swissmatch league run` plays one",
            opened.history.path().display()
        ))
    })
}
