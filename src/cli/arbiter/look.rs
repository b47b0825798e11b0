//! What the arbiter looks at: the pairing that is proposed, and the minutes of what was done.

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::machine;
use swissmatch_report::minutes;
use swissmatch_report::proposal::{self, Proposal};
use swissmatch_tournament::log::{Act, RoundPaired};
use swissmatch_tournament::state::State;

use super::order::{ArbiterNameArgs, SignatureArgs};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::cli::which_run::WhichRunArgs;

/// Say yes to the pairing of the next round, if the event waits for it (arbiter.confirm_rounds)
///
/// Confirms the pairing that `swissmatch arbiter pairing` shows now, and prints it. If an act
/// changes the pairing afterwards, it needs another yes. You need not give a reason.
///
///   swissmatch arbiter pairing
///   swissmatch arbiter confirm --by "C. Arbiter"
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ConfirmArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    #[command(flatten)]
    who: ArbiterNameArgs,
    /// Why; this is kept in the log
    #[arg(long, value_name = "TEXT", default_value = "as it was shown")]
    reason: String,
    /// Print the answer as JSON
    #[arg(long)]
    json: bool,
}

impl ConfirmArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let place = self.run.to_act()?;
        let run = place.open_event()?;
        // Once: what is shown is what is confirmed, and is refused where it is no longer the pairing.
        let proposed = proposed(&run.state)?;
        if let Proposal::Round { paired, state } = &proposed
            && !self.json
            && !is_confirmed(&run.state, paired)
        {
            print(&proposal::text(state, paired, machine::columns()));
        }
        let signature = SignatureArgs {
            who: self.who.clone(),
            reason: self.reason.clone(),
            json: self.json,
        };
        signature.submit_at(&place, false, |_| match &proposed {
            Proposal::Round { paired, .. } => Ok(Act::Confirm {
                round: paired.round,
                pairing: paired.pairing.clone(),
            }),
            Proposal::None(why) => Err(Failure::usage(anyhow!("no pairing is waiting for confirmation: {why}"))),
        })
    }
}

/// The pairing of the next round as it would be made now
///
/// It takes into account the arbiter's acts, and the requests and absences that are known. While a
/// round is being played there is no such pairing: it depends on results that are not known yet.
///
///   swissmatch arbiter pairing
///   swissmatch arbiter pairing results/spring --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ArbiterPairingArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl ArbiterPairingArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open_event()?;
        match proposed(&run.state)? {
            Proposal::Round { paired, state } => Ok(print(&match self.json {
                true => proposal::json(&state, &paired),
                false => proposal::text(&state, &paired, machine::columns()),
            })),
            Proposal::None(why) => Err(Failure::usage(anyhow!("no pairing is due: {why}"))),
        }
    }
}

/// Whether it has been agreed to, and was printed then.
fn is_confirmed(state: &State, paired: &RoundPaired) -> bool {
    let confirmed = state.orders().confirmed.as_ref();
    confirmed.is_some_and(|(round, pairing)| (*round, pairing) == (paired.round, &paired.pairing))
}

fn proposed(state: &State) -> Result<Proposal, Failure> {
    proposal::next(state, machine::today()).map_err(|why| Failure::no_pairing(anyhow!("{why}")))
}

/// What the arbiter did, when, why, and what it changed, as minutes
///
/// Shows every act, decision, late entry and presence check of the run, with what was going on at
/// the time, when it took effect, and who moved in the standings. It also works while the run is
/// being played.
///
///   swissmatch arbiter log
///   swissmatch arbiter log results/spring --json
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ArbiterLogArgs {
    #[command(flatten)]
    run: WhichRunArgs,
    /// Print as JSON
    #[arg(long)]
    json: bool,
}

impl ArbiterLogArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let run = self.run.open()?;
        let entries: Vec<_> = run
            .logged
            .iter()
            .map(|logged| (logged.at.as_str(), &logged.entry))
            .collect();
        let minutes = minutes::of_log(&entries).map_err(Failure::machine)?;
        Ok(print(&match self.json {
            true => minutes::json(&run.state, &minutes),
            false => minutes::text(&run.state, &minutes),
        }))
    }
}
