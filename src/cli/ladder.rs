//! `swissmatch ladder`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use swiss_system::text::escaped;
use swissmatch_config::nearest;
use swissmatch_run::ladder::Ladder as OfEvent;
use swissmatch_run::{EventFile, open_run};

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;

/// The ladder of an event: who stands where
///
/// Each player with what plays for it, its rating and how far that may be off (95 %), its games and
/// rounds. A rating with `?` is provisional. The same is in ladder/index.html and ladder/table.json
/// of the run's directory, with the course of each player.
///
///   swissmatch ladder season.toml
///   swissmatch ladder season.toml --player Miskeen
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LadderArgs {
    /// The event
    #[arg(value_name = "EVENT.toml")]
    event: PathBuf,
    /// Directory of the run (default: results/NAME beside the event file)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Show one player through the rounds
    #[arg(long, value_name = "NAME", conflicts_with = "json")]
    player: Option<String>,
    #[command(flatten)]
    form: FormFlags,
}

impl LadderArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let event = EventFile::read(&self.event)?;
        let name = &event.loaded.setup.event.name;
        let run = self
            .out
            .clone()
            .unwrap_or_else(|| open_run::usual_place(&self.event, name));
        let Some(ladder) = OfEvent::of(&event, &run)? else {
            return Err(Failure::usage(anyhow!(
                "{}: this event has no ladder; [ladder] with schedule = \"hourly\" or another one makes it one",
                self.event.display()
            )));
        };
        let view = ladder.view()?;
        let Some(player) = &self.player else {
            return Ok(print(&self.form.text(|| view.page(), || view.json())));
        };
        let Some(row) = view.players.iter().find(|row| row.name == *player) else {
            let names: Vec<&str> = view.players.iter().map(|row| row.name.as_str()).collect();
            let near = nearest(player, &names).map_or_else(String::new, |near| format!("; did you mean {near:?}?"));
            let setup = &event.loaded.setup;
            let is_listed = setup.players.iter().any(|listed| listed.name == *player);
            let shown = escaped(player);
            return Err(Failure::usage(match (is_listed, setup.submissions.is_out(player)) {
                (true, true) => anyhow!("{shown} was taken out (submissions.out) before it had played in the ladder"),
                (true, false) => anyhow!("{shown} has not played in the ladder yet"),
                (false, _) => anyhow!("nobody in the ladder is named {shown}{near}"),
            }));
        };
        Ok(print(&self.form.text(|| view.page_of(row), || view.json())))
    }
}
