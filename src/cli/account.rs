//! `swissmatch explain game GAME [RUN]`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;

use swissmatch_game::record::GameId;
use swissmatch_host::{files, machine};
use swissmatch_report::table::folded;
use swissmatch_run::account::{self, AccountError};

use super::exit::{Exit, Failure};
use super::output::print;
use super::which_run::NamedRunArgs;

/// A game of a run: what happened in it, in words
///
/// Shows who played and by which limits, how the game ended and by which rule, every failed
/// attempt with its time, what the game did to the mini-match, the clocks, the agents with the
/// hashes of their files, the machine, the transcript and standard error if they were kept, and
/// how to check all of it. See docs/appeals.md.
///
///   swissmatch explain game 3.2.14                  round 3, board 2, game 14, of the latest run in results/
///   swissmatch explain game 9p2.1.1 results/event   a game of the second play-off round after round 9
///   swissmatch explain game 3.2.14 --full --output appeal.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct ExplainGameArgs {
    /// The game: ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    run: NamedRunArgs,
    /// The whole transcript instead of its last lines
    #[arg(long)]
    full: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl ExplainGameArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let id = game_id(&self.game)?;
        let run = self.run.open()?;
        let account = account::Account::of(&run, id).map_err(failure)?;
        let text = match self.json {
            false => account.text(self.full),
            true => account.json(self.full),
        };
        let text = text.map_err(failure)?;
        let Some(path) = &self.output else {
            return match self.json {
                true => Ok(print(&text)),
                false => Ok(print(&folded(&text, machine::columns()))),
            };
        };
        files::write_out(path, text).map_err(Failure::machine)?;
        Ok(Exit::Done)
    }
}

/// A game by its number.
pub(super) fn game_id(word: &str) -> Result<GameId, Failure> {
    word.parse().map_err(|_| {
        Failure::usage(anyhow!(
            "{word}: write ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1"
        ))
    })
}

pub(super) fn failure(error: AccountError) -> Failure {
    match error {
        AccountError::NoGame(_) => Failure::usage(error),
        AccountError::Broken(_) => Failure::machine(error),
    }
}
