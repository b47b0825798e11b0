//! `swissmatch rescore [RUN]`
//!
//! May not: rank anybody; touch what is stored.

use anyhow::anyhow;
use clap::Args;

use crate::config;
use crate::pairing::history::PairingNumber;
use crate::report::rescore::{Changes, json, page};
use crate::shell::machine;
use crate::tournament::rescore::rescore;
use crate::tournament::setup::Setup;

use super::exit::{Exit, Failure};
use super::views::{Place, checked_round, print};
use super::why::find;

/// Keys that say what was played is worth.
const FREE: [&str; 3] = ["scoring.", "bye.", "standings."];

/// Ranks a stored run by other rules: scoring, what a bye is worth, the list of tie-breaks, their edition; or without a
/// player. Shows the new standings, and what moves against the old. Nothing that is stored changes.
///
///   swissmatch rescore --set scoring.match=[3,1,0]
///   swissmatch rescore results/event --order match-points,BH/C1,SB --edition 2024
///   swissmatch rescore --exclude "Alpha 3"               off the list; those below move up, scores stay
///   swissmatch rescore --exclude "Alpha 3" --set standings.disqualified=annulled
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Rescore {
    #[command(flatten)]
    place: Place,
    /// A key of [scoring], [bye] or [standings], as KEY=VALUE; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// What ranks, strictly in turn: short for --set standings.order=LIST
    #[arg(long, value_name = "LIST")]
    order: Option<String>,
    /// Text of C.07: short for --set standings.edition=YEAR
    #[arg(long, value_name = "YEAR")]
    edition: Option<String>,
    /// Without this player, by name or pairing number; standings.disqualified says how. May be given several times
    #[arg(long, value_name = "PLAYER")]
    exclude: Vec<String>,
    /// After this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    /// Print as JSON
    #[arg(long, conflicts_with_all = ["markdown", "csv"])]
    json: bool,
    /// Print as Markdown
    #[arg(long, conflicts_with = "csv")]
    markdown: bool,
    /// Print as CSV
    #[arg(long)]
    csv: bool,
}

impl Rescore {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.place.open()?;
        let round = checked_round(&run, self.round)?;
        let old = run.state.setup();
        let setup = self.setup(old)?;
        let results = run.state.results(round);
        let mut out: Vec<PairingNumber> = Vec::new();
        for wanted in &self.exclude {
            let player = find(&results, wanted)?;
            if !out.contains(&player) {
                out.push(player);
            }
        }
        if out.len() >= run.state.player_count() {
            return Err(Failure::usage(anyhow!("--exclude leaves nobody to be ranked")));
        }
        let keys = config::difference(old, &setup).into_iter().map(|change| {
            let shown = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
            format!("{}: {} → {}", change.key, shown(change.old), shown(change.new))
        });
        let changes = Changes {
            keys: keys.collect(),
            out,
            usage: setup.standings.disqualified,
        };
        let rescored = rescore(&run.state, setup, round, &changes.out);
        print(&match (self.json, self.markdown, self.csv) {
            (true, ..) => json(&run.state, &rescored, &changes),
            (_, true, _) => page(&run.state, &rescored, &changes).markdown(),
            (_, _, true) => page(&run.state, &rescored, &changes).table.csv(),
            _ => page(&run.state, &rescored, &changes).text(machine::columns()),
        })
    }

    /// The run's setup with what the flags say.
    fn setup(&self, old: &Setup) -> Result<Setup, Failure> {
        let mut setup = old.clone();
        for pair in &self.set {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Failure::usage(anyhow!("--set {pair}: write KEY=VALUE, such as scoring.match=[3,1,0]"))
            })?;
            if !FREE.iter().any(|table| key.starts_with(table)) || key == "bye.order" {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: what was played stays; keys of [scoring] and [standings], bye.score, bye.match_points and \
                     bye.game_points can be changed"
                )));
            }
            // A list and a table may be written as in the file.
            let value = value
                .trim_start_matches('[')
                .trim_end_matches(']')
                .replace(['"', '\''], "");
            config::set("--set", key, &value, &mut setup).map_err(Failure::usage)?;
        }
        for (flag, key, value) in [
            ("--order", "standings.order", &self.order),
            ("--edition", "standings.edition", &self.edition),
        ] {
            if let Some(value) = value {
                config::set(flag, key, value, &mut setup).map_err(Failure::usage)?;
            }
        }
        Ok(setup)
    }
}
