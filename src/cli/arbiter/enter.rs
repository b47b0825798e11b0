//! `swissmatch arbiter enter`: a late entry.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use crate::config;
use crate::game::handshake::StartFailure;
use crate::game::transcript::escape;
use crate::shell::agents;
use crate::tournament::arbiter::Act;
use crate::tournament::event::Agent;
use crate::tournament::setup::PlayerKeys;
use crate::tournament::state::State;

use super::order::Signed;
use crate::cli::eligibility;
use crate::cli::exit::{Exit, Failure};
use crate::cli::prepare::{agent_of, directory_of, read_event};
use crate::cli::run::seats;

/// Enter a player late, as long as registration is open (registration.until)
///
/// FILE has one [[player]] as an event file has, and nothing else; commands and files are looked up
/// beside it. The agent is started once, here, and refused where it does not start. It gets the next
/// pairing number and is paired from the next round on; for rounds missed it has what the event gives
/// (registration.missed). Where the event asks for a qualification (eligibility.required) it must have
/// one, in the record beside FILE.
///
///   swissmatch arbiter enter late.toml --by "C. Arbiter" --reason "its train was late"
///   swissmatch arbiter enter waiting-list.toml --player Echo results/spring --by "C. Arbiter" \
///     --reason "a place became free"
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Enter {
    /// A file with one [[player]]
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    signed: Signed,
    /// Which player enters, where the file has several
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
}

impl Enter {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        // Nothing is asked for before the agent has shown that it starts.
        self.signed.signature.by()?;
        let place = self.signed.place.to_act()?;
        let run = place.open_event()?;
        let (player, agent) = self.entry(&run.state)?;
        self.signed.submit_at(&place, |_| {
            Ok(Act::Enter {
                player: Box::new(player.clone()),
                agent: Box::new(agent.clone()),
            })
        })
    }

    /// The entry, its command and directory as whole paths: the runner looks for them from elsewhere.
    fn entry(&self, state: &State) -> Result<(PlayerKeys, Agent), Failure> {
        let text = read_event(&self.file)?;
        let loaded = config::load_entry(&self.file, &text, state.setup(), self.player.as_deref());
        let loaded = loaded.map_err(Failure::usage)?;
        let index = loaded.setup.players.len() - 1;
        let directory = directory_of(&self.file)?;
        let (command, files) = agent_of(&loaded, index, &directory)?;
        let entrant = (&loaded.setup.players[index], &files);
        eligibility::require(&loaded, &directory, std::iter::once(entrant))?;
        let mut introductions = agents::introduce(std::slice::from_ref(&command), 1).map_err(Failure::machine)?;
        let introduction = introductions
            .pop()
            .expect("one for each")
            .map_err(|failure| match failure {
                StartFailure::Option(refused) => seats::option_refused(&loaded, index, &command, &refused),
                StartFailure::Host(_) => Failure::machine(anyhow!("{failure}")),
                failure => {
                    let failure = escape(failure.to_string().as_bytes());
                    let message = format!("it does not start: {failure}");
                    Failure::usage(loaded.error_at_player(index, "player.command", message))
                }
            })?;
        let whole = |path: &Path| {
            let text = path.to_str().map(str::to_owned);
            text.ok_or_else(|| Failure::usage(anyhow!("{} is no text, and cannot be kept in the log", path.display())))
        };
        let player = PlayerKeys {
            command: whole(&command.program)?,
            dir: Some(whole(&command.directory)?),
            ..loaded.setup.players[index].clone()
        };
        let agent = agents::agent(&command, files, Some(&introduction));
        Ok((player, agent))
    }
}
