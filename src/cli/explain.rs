//! `swissmatch explain round N`

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use clap::{Args, Subcommand};
use serde_json::{Value, json};

use crate::pairing::dutch::explain as by_dutch;
use crate::pairing::history::PairingNumber;
use crate::pairing::match_points::explain as by_match_points;
use crate::pairing::{dutch, file, match_points};
use crate::report::explain;
use crate::shell::open_run::{OpenError, OpenRun};
use crate::tournament::director;
use crate::tournament::event::Format;
use crate::tournament::setup::PairingSystem;
use crate::tournament::state::State;
use crate::trf;

use super::exit::{Exit, Failure};

/// Says why a pairing is what it is: score groups, floaters, which better-looking pair was ruled out and by which rule.
#[derive(Debug, Args)]
pub(super) struct Explain {
    #[command(subcommand)]
    subject: Subject,
}

#[derive(Debug, Subcommand)]
enum Subject {
    /// The pairing of a round, of a run or of a tournament file
    Round(Round),
}

/// Why a round was paired as it was. Every reason is computed: the better-looking pair is forced, and the best round that
/// still has it is compared with the pairing, criterion by criterion.
///
///   swissmatch explain round 3                       the latest run in results/
///   swissmatch explain round 3 --run results/event
///   swissmatch explain round 6 --trf tournament.trf  the Dutch system
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
struct Round {
    /// The round, from 1; of a file also the one that is to be paired next
    #[arg(value_parser = clap::value_parser!(u32).range(1..=10_000))]
    number: u32,
    /// Directory of the run (default: the one in results/ that was written to last)
    #[arg(long, value_name = "RUN", conflicts_with = "trf")]
    run: Option<PathBuf>,
    /// A tournament file (TRF) instead of a run
    #[arg(long, value_name = "FILE")]
    trf: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let Subject::Round(round) = &self.subject;
        let (text, json) = match &round.trf {
            Some(path) => of_file(path, round.number)?,
            None => of_run(round.run.as_deref(), round.number)?,
        };
        let mut out = std::io::stdout().lock();
        let written = if round.json {
            writeln!(out, "{json:#}")
        } else {
            write!(out, "{text}")
        };
        written.map_err(Failure::machine)?;
        Ok(Exit::Done)
    }
}

fn of_file(path: &std::path::Path, round: u32) -> Result<(String, Value), Failure> {
    let shown = path.display();
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {shown}"));
    let reading =
        trf::read(&bytes.map_err(Failure::usage)?).map_err(|error| Failure::usage(anyhow!("{shown}:{error}")))?;
    let before =
        file::before_round(&reading.tournament, round).map_err(|error| Failure::usage(anyhow!("{shown}: {error}")))?;
    let explanation = by_dutch::explain(&before.history, &before.rules).map_err(Failure::usage)?;
    let name = |number: PairingNumber| number.to_string();
    Ok((
        explain::dutch(round, &explanation, before.rules.edition, &name),
        explain::dutch_json(round, &explanation, before.rules.edition, &name),
    ))
}

fn of_run(run: Option<&std::path::Path>, round: u32) -> Result<(String, Value), Failure> {
    let run = OpenRun::open(run).map_err(|error| match error {
        OpenError::Store(_) | OpenError::Broken(_) => Failure::machine(error),
        OpenError::NoRun(_) | OpenError::NoneYet | OpenError::Empty(_) => Failure::usage(error),
    })?;
    of_state(&run.state, round)
}

fn of_state(state: &State, round: u32) -> Result<(String, Value), Failure> {
    let paired = state.rounds().len();
    if round as usize > paired {
        return Err(Failure::usage(anyhow!(
            "round {round} is not paired yet: {paired} rounds are"
        )));
    }
    let before = round as usize - 1;
    let name = |number: PairingNumber| explain::called(state, number);
    let history = state.history(before);
    Ok(match (state.created().format, state.setup().swiss.pairing) {
        (Format::AllPlayAll, _) => {
            let pairing = &state.rounds()[before].pairing;
            (
                explain::all_play_all(round, pairing, &name),
                json!({ "schema": 1, "round": round, "pairing": "all-play-all", "pairs": pairing.pairs, "bye": pairing.bye }),
            )
        }
        (Format::Swiss, PairingSystem::MatchPoints) => {
            let rules = match_points::Rules {
                bye_order: state.setup().bye.order.clone(),
            };
            let explanation = by_match_points::explain(&history, &rules).map_err(Failure::usage)?;
            (
                explain::match_points(round, &explanation, &name),
                explain::match_points_json(round, &explanation),
            )
        }
        (Format::Swiss, PairingSystem::Dutch) => {
            let rules: dutch::rules::Rules = director::dutch_rules(state);
            let explanation = by_dutch::explain(&history, &rules).map_err(Failure::usage)?;
            (
                explain::dutch(round, &explanation, rules.edition, &name),
                explain::dutch_json(round, &explanation, rules.edition, &name),
            )
        }
    })
}
