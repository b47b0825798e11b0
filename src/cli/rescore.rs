//! `swissmatch rescore [RUN]`
//!
//! May not: rank anybody; touch what is stored.

use crate::tournament::results::results_after;
use anyhow::anyhow;
use clap::Args;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::Format;
use swiss_system::standings::criterion::Code;
use swiss_system::word::Word as _;

use crate::config;
use crate::report::rescore::{Changes, json, page};
use crate::report::why::Case;
use crate::tournament::rescore::rescore;
use crate::tournament::setup::Setup;

use swiss_system::text::{LONGEST_NAME, brief};

use super::exit::{Exit, Failure};
use super::file_ranking::parse_list;
use super::form::FormFlags;
use super::output::print;
use super::which_run::{WhichRun, checked_round};
use super::why::{explain, find};

/// Keys that say what was played is worth.
const FREE: [&str; 3] = ["scoring.", "bye.", "standings."];

/// Rank a run by other rules, and show what moves
///
/// You can change scoring, what a bye is worth, the list of tie-breaks and their edition. Shows
/// the new standings, and who moves compared with the old ones. Nothing that is stored changes.
///
///   swissmatch rescore --set scoring.match=[3,1,0]
///   swissmatch rescore results/event --order match-points,BH/C1,SB --edition 2024
///   swissmatch rescore --exclude "Alpha 3"      off the list; those below move up, scores stay
///   swissmatch rescore --exclude "Alpha 3" --set standings.disqualified=annulled
///   swissmatch rescore --edition 2024 --explain Beta Gamma     why one is then before the other
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Rescore {
    #[command(flatten)]
    run: WhichRun,
    /// A key of [scoring], [bye] or [standings], as KEY=VALUE; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Criteria in their order, such as BH/C1,SB,DE: short for --set standings.order=…; points come first
    #[arg(long, value_name = "LIST", visible_alias = "tiebreaks")]
    order: Option<String>,
    /// Edition of C.07: short for --set standings.edition=YEAR
    #[arg(long, value_name = "YEAR")]
    edition: Option<String>,
    /// Leave out this player, by name or pairing number; standings.disqualified says how; may be given several times
    #[arg(long, value_name = "PLAYER")]
    exclude: Vec<String>,
    /// Explain a player's row of the new table, or with two players, what puts one before the other
    #[arg(long, value_name = "PLAYER", num_args = 1..=2, conflicts_with_all = ["markdown", "csv"])]
    explain: Vec<String>,
    /// The standings as they stood after this round
    #[arg(long, value_name = "N")]
    round: Option<usize>,
    #[command(flatten)]
    form: FormFlags,
}

impl Rescore {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        let round = checked_round(&run, self.round)?;
        if run.state.is_divided() || run.state.created().format == Format::Knockout {
            return Err(Failure::usage(anyhow!(
                "rescore ranks one table by other rules; this event has several parts, or is a knockout, in which the winner goes on"
            )));
        }
        let old = run.state.setup();
        let setup = self.setup(old)?;
        let results = results_after(&run.state, round);
        let mut out: Vec<PairingNumber> = Vec::new();
        for wanted in &self.exclude {
            let player = find(&results, wanted)?;
            if !out.contains(&player) {
                out.push(player);
            }
        }
        let keys = config::difference(old, &setup).into_iter().map(|change| {
            let shown = |value: Option<String>| value.unwrap_or_else(|| "not set".to_owned());
            format!("{}: {} → {}", change.key, shown(change.old), shown(change.new))
        });
        let mut keys: Vec<String> = keys.collect();
        let byes_given = run
            .state
            .rounds()
            .iter()
            .any(|round| round.pairing.byes().next().is_some());
        if byes_given && old.scoring.r#match != setup.scoring.r#match && old.bye.match_points == setup.bye.match_points
        {
            keys.push(format!(
                "A bye stays worth {} match points; --set bye.match_points=… changes that.",
                setup.bye.match_points
            ));
        }
        let changes = Changes {
            keys,
            out,
            unrated: setup.standings.unrated,
            usage: setup.standings.disqualified,
        };
        let rules = setup.standings.rules();
        let rescored = rescore(&run.state, setup, round, &changes.out);
        if rescored.after.rows.is_empty() {
            return Err(Failure::usage(anyhow!("nobody is left to rank")));
        }
        if !self.explain.is_empty() {
            let case = Case {
                results: &rescored.results,
                rules: &rules,
                standings: &rescored.after,
                edition: rules.edition.word(),
                edition_by: None,
                name: &|number| brief(&run.state.player(number).name, LONGEST_NAME),
            };
            let (text, json) = explain(&case, &self.explain[0], self.explain.get(1).map(String::as_str))?;
            return Ok(print(&if self.form.json { format!("{json:#}\n") } else { text }));
        }
        Ok(print(&self.form.text(
            || page(&run.state, round, &rescored, &changes),
            || json(&run.state, &rescored, &changes),
        )))
    }

    /// The run's setup with what the flags say.
    fn setup(&self, old: &Setup) -> Result<Setup, Failure> {
        let mut setup = old.clone();
        for pair in &self.set {
            let (key, value) = pair.split_once('=').ok_or_else(|| {
                Failure::usage(anyhow!("--set {pair}: write KEY=VALUE, such as scoring.match=[3,1,0]"))
            })?;
            if key == "standings.columns" {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: rescore shows only criteria that rank; name the criterion in --order"
                )));
            }
            if !FREE.iter().any(|table| key.starts_with(table)) || key == "bye.order" {
                return Err(Failure::usage(anyhow!(
                    "--set {key}: rescore changes nothing that was played; it can change keys of [scoring] and [standings], bye.score, \
                    bye.match_points and bye.game_points"
                )));
            }
            config::set("--set", key, value, &mut setup).map_err(Failure::usage)?;
        }
        if let Some(list) = &self.order {
            let mut order = parse_list("--order", list)?;
            // `PTS`: the points that rank, as in the run.
            let ranking = old.standings.order.first().copied();
            match ranking {
                Some(ranking) if order[0].code == Code::Points && !order.contains(&ranking) => order[0] = ranking,
                _ => {}
            }
            setup.standings.order = order;
        }
        if let Some(edition) = &self.edition {
            config::set("--edition", "standings.edition", edition, &mut setup).map_err(Failure::usage)?;
        }
        Ok(setup)
    }
}
