//! `swissmatch arbiter enter`: a late entry.

use std::path::PathBuf;

use clap::Args;

use swissmatch_config as config;
use swissmatch_run::EventFile;
use swissmatch_run::event_file::read_text;
use swissmatch_run::late::late_entry;
use swissmatch_tournament::log::{Act, Agent};
use swissmatch_tournament::setup::PlayerKeys;
use swissmatch_tournament::state::State;

use super::order::OverrulingArgs;
use crate::cli::exit::{Exit, Failure};

/// Enter a player late, as long as registration is open (registration.until)
///
/// FILE has one [[player]], as in an event file, and nothing else; commands and files are looked up
/// beside it. FILE is yours and is taken as it is: a row that a stranger wrote becomes one by
/// `swissmatch roster import ROW --below DIR`, which looks at it. The agent is started once, here, and refused if it does not start. It gets the next
/// pairing number and is paired from the next round on; for the rounds it missed, it gets what the
/// event gives (registration.missed). If the event requires a qualification (eligibility.required),
/// the agent must have one, in the record beside FILE. With --overrule, the player is accepted even
/// when registration is closed; the log and the minutes say so.
///
///   swissmatch arbiter enter late.toml --by "C. Arbiter" --reason "its train was late"
///   swissmatch arbiter enter waiting-list.toml --player Echo results/spring --by "C. Arbiter" \
///     --reason "a place became free"
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct EnterArgs {
    /// A file with one [[player]]
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    overruling: OverrulingArgs,
    /// Which player enters, if the file has several
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

impl EnterArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        // Nothing is asked for before the agent has shown that it starts.
        let signed = &self.overruling.signed;
        signed.signature.by()?;
        let place = signed.run.to_act()?;
        let run = place.open_event()?;
        let (player, agent) = self.entry(&run.state)?;
        self.overruling.submit_at(&place, |_| {
            Ok(Act::Enter {
                player: Box::new(player.clone()),
                agent: Box::new(agent.clone()),
            })
        })
    }

    fn entry(&self, state: &State) -> Result<(PlayerKeys, Agent), Failure> {
        let text = read_text(&self.file)?;
        let loaded = config::load_entry(&self.file, &text, state.setup(), self.player.as_deref());
        let event = EventFile::new(loaded.map_err(Failure::usage)?, &self.file)?;
        Ok(late_entry(&event, state.created())?)
    }
}
