//! `swissmatch config EVENT.toml`

use std::path::PathBuf;

use clap::Args;

use serde_json::Value;

use swissmatch_config as config;
use swissmatch_report::rules;
use swissmatch_tournament::setup::Setup;

use super::exit::{Exit, Failure};
use super::output::print;
use super::overrides::OverrideArgs;

/// Version of the JSON's shape.
const SCHEMA: u32 = 1;

/// Every value of an event, and where it comes from
///
/// Prints every key of an event with its effective value and where that came from: the preset, a line of the file, or a
/// flag. The output is itself an event file that gives the same event. With --rules it says the same in words, like
/// `rules.md` of a run.
#[derive(Debug, Args)]
pub(super) struct ConfigArgs {
    /// The event file (TOML)
    #[arg(value_name = "EVENT.toml", required_unless_present_any = ["preset", "schema"])]
    file: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// Print a preset's own commented TOML instead: global-chess-challenge, none, kaggle-chess, us-chess, gct-rapid-blitz, gct-classical, gct-tour or immortal-game
    #[arg(long, value_name = "PRESET", conflicts_with = "file")]
    preset: Option<String>,
    /// Print the JSON Schema of event files instead, with which editors complete and check them (docs/keys.md)
    #[arg(long, conflicts_with_all = ["file", "preset"])]
    schema: bool,
    /// Print the rules of the event in words instead (Markdown), to publish before the event
    #[arg(long, requires = "file", conflicts_with = "json")]
    rules: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl ConfigArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let text = match (&self.preset, &self.file) {
            _ if self.schema => format!("{:#}\n", config::json_schema()),
            (Some(preset), _) => preset_text(preset)?,
            (None, None) => return Err(Failure::usage(anyhow::anyhow!("an event file is needed"))),
            (None, Some(file)) => {
                let loaded = self.overrides.load(file)?;
                match (self.rules, self.json) {
                    (true, _) => rules::markdown(&loaded.setup, loaded.setup.plan(), &[]),
                    (false, true) => format!("{:#}\n", document(&loaded.setup)?),
                    (false, false) => config::effective(&loaded),
                }
            }
        };
        Ok(print(&text))
    }
}

/// Every key as JSON.
fn document(setup: &Setup) -> Result<Value, Failure> {
    let mut document = serde_json::to_value(setup).map_err(Failure::machine)?;
    document["schema"] = SCHEMA.into();
    Ok(document)
}

fn preset_text(wanted: &str) -> Result<String, Failure> {
    config::preset_text(wanted).ok_or_else(|| {
        let names = config::PRESETS.map(|(name, _)| name).join(", ");
        Failure::usage(anyhow::anyhow!("there is no preset {wanted}; the presets are {names}"))
    })
}
