//! `swissmatch workers`

use std::path::PathBuf;

use clap::{Args, Subcommand};

use swissmatch_report::workers::Workers as OfRun;

use super::exit::{Exit, Failure};
use super::form::FormFlags;
use super::output::print;
use super::which_run::WhichRunArgs;

/// Which machines play a run beside the runner's
///
/// From the log of a run: each worker by its key, the class of its machine, how many games it played and how many an hour, how many of them
/// ended by a fault of an agent, and its last one (docs/workers.md).
///
///   swissmatch workers results/spring
///   swissmatch workers key worker.nk
///   swissmatch workers drain UABC… --at nats://127.0.0.1:4222
#[derive(Debug, Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub(super) struct WorkersArgs {
    #[command(subcommand)]
    act: Option<WorkersCommand>,
    #[command(flatten)]
    run: WhichRunArgs,
    #[command(flatten)]
    form: FormFlags,
}

#[derive(Debug, Subcommand)]
enum WorkersCommand {
    Key(WorkersKeyArgs),
    Drain(WorkersDrainArgs),
}

/// Make a key by which the server knows a machine, and print what its configuration says of it
#[derive(Debug, Args)]
struct WorkersKeyArgs {
    /// The file for the key's seed; one that is there is kept
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// It is the runner's, which may do everything there
    #[arg(long)]
    runner: bool,
}

/// Have a worker finish its games, begin no more, and end
#[derive(Debug, Args)]
struct WorkersDrainArgs {
    /// The worker, by its key
    #[arg(value_name = "WORKER")]
    worker: String,
    #[command(flatten)]
    run: WhichRunArgs,
    /// The server (nats://HOST:PORT), without credentials
    #[arg(long, value_name = "ADDRESS")]
    at: String,
    /// The key by which the server knows this runner: a file with the seed of an NKey
    #[arg(long, value_name = "FILE")]
    nkey: Option<PathBuf>,
    /// The certificate of who vouches for the server, in PEM: the line is encrypted with TLS
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
}

impl WorkersArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        match &self.act {
            Some(WorkersCommand::Drain(drain)) => return drain.main(),
            Some(WorkersCommand::Key(key)) => return key.main(),
            None => {}
        }
        let run = self.run.open()?;
        let entries = run.logged.iter();
        let timed = entries.filter_map(|logged| Some((logged.at.parse().ok()?, &logged.entry)));
        let workers = OfRun::of(timed);
        Ok(print(&self.form.text(|| workers.page(), || workers.json())))
    }
}

impl WorkersKeyArgs {
    #[cfg(feature = "workers")]
    fn main(&self) -> Result<Exit, Failure> {
        use anyhow::anyhow;
        use swissmatch_workers::nkey;
        use swissmatch_workers::permissions::Permissions;

        let refused = |why: String| Failure::usage(anyhow!(why));
        if !self.file.exists() {
            nkey::make(&self.file).map_err(refused)?;
        }
        let seed = nkey::read_seed(&self.file).map_err(refused)?;
        let key = nkey::public(&seed).map_err(refused)?;
        Ok(print(&match self.runner {
            true => format!("{{ nkey: {key} }}\n"),
            false => format!("{{ nkey: {key}, permissions: {} }}\n", Permissions::of_worker(&key)),
        }))
    }

    #[cfg(not(feature = "workers"))]
    fn main(&self) -> Result<Exit, Failure> {
        Err(Failure::usage(anyhow::anyhow!("{}", super::at_workers::NOT_BUILT_IN)))
    }
}

impl WorkersDrainArgs {
    #[cfg(feature = "workers")]
    fn main(&self) -> Result<Exit, Failure> {
        use anyhow::anyhow;

        let run = self.run.open()?;
        let access = super::at_workers::with::access(&self.at, self.nkey.as_deref(), self.ca.as_deref(), "--at")?;
        let first = run
            .logged
            .first()
            .ok_or_else(|| Failure::machine(anyhow!("the log is empty")))?;
        let lease = run.state.setup().run.lease;
        swissmatch_workers::host::drain((&self.at, &access), (&first.hash, lease), &self.worker)
            .map_err(Failure::machine)?;
        Ok(print(&format!(
            "worker {} begins no more games, and ends when those under way are over\n",
            self.worker
        )))
    }

    #[cfg(not(feature = "workers"))]
    fn main(&self) -> Result<Exit, Failure> {
        Err(Failure::usage(anyhow::anyhow!("{}", super::at_workers::NOT_BUILT_IN)))
    }
}
