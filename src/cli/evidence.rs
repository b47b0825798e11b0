//! `swissmatch evidence GAME [RUN]`

use std::path::PathBuf;

use clap::Args;

use swissmatch_host::files;
use swissmatch_run::account::Account;
use swissmatch_run::archive::{Archive, README};

use super::account::{failure, game_id};
use super::exit::{Exit, Failure};
use super::output::print;
use super::which_run::NamedRunArgs;

/// A game of a run: one archive with all that is kept of it
///
/// For whoever has to judge a game without the run and without this program: the account of
/// `explain game --full`, the record, what was said on both sides with who, when and which stream,
/// the entries of the log about the game, every key, and how to check all of it by hand. Begin with
/// README.txt in it. The same run gives the same archive, byte for byte. See docs/appeals.md.
///
///   swissmatch evidence 3.2.14                  round 3, board 2, game 14, of the latest run in results/
///   swissmatch evidence 3.2.14 results/event --output appeal.tar.gz
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct EvidenceArgs {
    /// The game: ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    run: NamedRunArgs,
    /// Where to write it (default: evidence-GAME.tar.gz)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl EvidenceArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let id = game_id(&self.game)?;
        let run = self.run.open()?;
        let account = Account::of(&run, id).map_err(failure)?;
        let archive = Archive::of(&account).map_err(failure)?;
        let path = match &self.output {
            Some(path) => path.clone(),
            None => PathBuf::from(format!("{}.tar.gz", archive.name)),
        };
        files::write_out(&path, archive.pack()).map_err(Failure::machine)?;
        let path = path.display();
        Ok(print(&format!(
            "{path}: {} files about game {id}; begin with {README}\n",
            archive.files()
        )))
    }
}
