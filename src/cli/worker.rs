//! `swissmatch worker nats://…`

use std::path::PathBuf;

use clap::Args;

use super::exit::{Exit, Failure};

/// Play games of an event on this machine for a runner elsewhere
///
/// Plays games of an event whose runner was started with --workers at the same NATS server (docs/workers.md). It brings the agents here,
/// starts each once, and plays until the event is over. Events that are not signed by --owner are not played.
///
/// Agents are guarded, and may do nothing beyond that which is allowed here by its own flag; what is not is named before a byte of an agent
/// is started. Whoever has this machine can read every agent that plays here.
///
/// After one Ctrl-C (or SIGTERM) games under way are finished; after a second one it ends at once, and others play those games again. What
/// has been played is kept in --dir until the runner's log has it: also after kill -9 or a power cut the same command sends it.
#[derive(Debug, Args)]
pub(super) struct WorkerArgs {
    /// The server (nats://HOST:PORT), without credentials
    #[arg(value_name = "ADDRESS")]
    address: String,
    /// Public keys of those whose events are played: a .pub file of ssh-keygen, or allowed_signers
    #[arg(long, value_name = "FILE")]
    owner: PathBuf,
    /// The key by which the server knows this worker, and the log its games: a file with the seed of an NKey, which is made where there
    /// is none
    #[arg(long, value_name = "FILE")]
    nkey: PathBuf,
    /// The certificate of who vouches for the server, in PEM: the line is encrypted with TLS
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Play the event of this name, and wait until it begins (default: the one that is played there)
    #[arg(long, value_name = "NAME", conflicts_with = "any")]
    event: Option<String>,
    /// Play whichever events there are, one after the other, without end
    #[arg(long)]
    any: bool,
    /// Games at once (default: as many as have a core for each of their threads)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=512))]
    slots: Option<u32>,
    /// GPUs that are lent to agents that need one, by their numbers (swissmatch doctor lists them); one that is listed twice is lent to two
    /// (default: none, so that such agents do not play here)
    #[arg(long, value_name = "NUMBER", value_delimiter = ',')]
    gpus: Vec<u32>,
    /// The class of this machine: on machines of one class agents play alike (default: the model of its processor, its cores and their
    /// hardware threads, and the kernel's version)
    #[arg(long, value_name = "CLASS", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    class: Option<String>,
    /// Where agents are kept, and what was played
    #[arg(long, value_name = "DIR", default_value = "worker")]
    dir: PathBuf,
    /// Directories with endgame tablebases, for events that are adjudicated by them
    #[arg(long, value_name = "DIR")]
    tablebases: Vec<PathBuf>,
    /// Let agents be isolated from nothing (engine.isolation = "off")
    #[arg(long)]
    allow_off: bool,
    /// Let agents have this variable of the environment here ($NAME in player.env)
    #[arg(long, value_name = "NAME")]
    allow_env: Vec<String>,
    /// Let agents write here, as player.write names it
    #[arg(long, value_name = "PLACE")]
    allow_write: Vec<String>,
    /// Let agents reach this, as player.connect names it
    #[arg(long, value_name = "HOST:PORT")]
    allow_connect: Vec<String>,
}

impl WorkerArgs {
    #[cfg(feature = "workers")]
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        use anyhow::anyhow;
        use swissmatch_host::machine;
        use swissmatch_host::signature::Signers;
        use swissmatch_workers::admission::AdmissionError;
        use swissmatch_workers::allows::Allows;
        use swissmatch_workers::nkey;
        use swissmatch_workers::server::Access;
        use swissmatch_workers::worker::{WantedEvents, Worker, WorkerEnd, WorkerStopper};

        use super::at_workers::with;
        use super::screen;

        let owners = Signers::read(&self.owner).map_err(|why| Failure::usage(anyhow!("--owner {why}")))?;
        if !self.nkey.exists() {
            nkey::make(&self.nkey).map_err(|why| Failure::usage(anyhow!("--nkey: {why}")))?;
            screen::say(&format!("a key was made: {}", self.nkey.display()));
        }
        let access = with::access(&self.address, Some(&self.nkey), self.ca.as_deref(), "ADDRESS")?;
        let key = access.seed.as_deref().map(nkey::public).transpose();
        let key = key
            .map_err(|why| Failure::usage(anyhow!("--nkey: {why}")))?
            .unwrap_or_default();
        screen::say(&format!("worker {key}"));
        let worker = Worker {
            address: self.address.clone(),
            access: Access {
                worker: Some(key),
                ..access
            },
            owners,
            wanted: match (&self.event, self.any) {
                (Some(name), _) => WantedEvents::Named(name.clone()),
                (None, true) => WantedEvents::Any,
                (None, false) => WantedEvents::Only,
            },
            slots: self.slots,
            gpus: self.gpus.clone(),
            class: self.class.clone(),
            directory: self.dir.clone(),
            allows: Allows {
                off: self.allow_off,
                env: self.allow_env.clone(),
                write: self.allow_write.clone(),
                connect: self.allow_connect.clone(),
            },
            tablebases: self.tablebases.clone(),
            host: None,
        };
        let (stopper, stops) = WorkerStopper::new();
        let stop = move || {
            if !stopper.stop() {
                screen::say("stopped at once");
                std::process::exit(Exit::Interrupted.code().into());
            }
        };
        machine::on_stop_signals(stop).map_err(Failure::machine)?;
        match worker.work(stops, &mut |line| screen::say(line)) {
            Ok(WorkerEnd::Over) => Ok(Exit::Done),
            Ok(WorkerEnd::Stopped) => Ok(Exit::Interrupted),
            Err(refusal @ AdmissionError::Here(_)) => Err(Failure::usage(refusal)),
            Err(refusal) => Err(Failure::machine(refusal)),
        }
    }

    #[cfg(not(feature = "workers"))]
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        Err(Failure::usage(anyhow::anyhow!("{}", super::at_workers::NOT_BUILT_IN)))
    }
}
