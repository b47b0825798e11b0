//! Machines that have two GPUs of NVIDIA, whatever this one has: a runner whose games workers play alone, and such a worker.
//!
//! `gpus_at_workers run EVENT.toml DIRECTORY ADDRESS` and `gpus_at_workers worker DIRECTORY ADDRESS OWNER GPU …`, where no GPU is named by a
//! worker that lends none.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

use swissmatch::run::{EventFile, Run};
use swissmatch::shell::gpus::{Listing, gpus_of};
use swissmatch::shell::host::GameHost;
use swissmatch::shell::local::LocalHost;
use swissmatch::shell::signature::{Signer, Signers};
use swissmatch_workers::allows::Allows;
use swissmatch_workers::host::{MOST_AT_ONCE, Workers, WorkersHost};
use swissmatch_workers::nkey;
use swissmatch_workers::server::Access;
use swissmatch_workers::worker::{WantedEvents, Worker, WorkerStopper};

fn host(directory: &Path) -> Box<dyn GameHost> {
    let listing = Listing {
        nodes: ["nvidia0", "nvidia1"].map(str::to_owned).into(),
        ..Listing::default()
    };
    let host = LocalHost::new(directory, None).with_gpus(gpus_of(&listing));
    Box::new(host.with_more_views(MOST_AT_ONCE))
}

fn run(file: &str, directory: &str, address: &str) -> Result<(), Box<dyn Error>> {
    let event = EventFile::read(&PathBuf::from(file))?;
    let workers = Workers {
        address: address.to_owned(),
        access: Access::default(),
        lease: Duration::from_secs(2),
        signer: Signer::read(&event.directory.join("owner.key"))?,
        event: event.loaded.setup.event.name.clone(),
        directory: event.directory.clone(),
        class: None,
        only: true,
    };
    let host = WorkersHost::new(host(&event.directory), workers);
    Run::create(event, &PathBuf::from(directory), Box::new(host), &mut |line| {
        eprintln!("{line:?}");
    })?
    .play(&mut [])?;
    Ok(())
}

fn work(directory: &str, address: &str, owner: &str, gpus: &[String]) -> Result<(), Box<dyn Error>> {
    let key = PathBuf::from(directory).with_extension("nk");
    nkey::make(&key)?;
    let seed = nkey::read_seed(&key)?;
    let worker = Worker {
        address: address.to_owned(),
        access: Access {
            worker: Some(nkey::public(&seed)?),
            seed: Some(seed),
            ca: None,
        },
        owners: Signers::read(Path::new(owner))?,
        wanted: WantedEvents::Only,
        slots: Some(2),
        gpus: gpus.iter().map(|gpu| gpu.parse()).collect::<Result<_, _>>()?,
        class: None,
        directory: PathBuf::from(directory),
        allows: Allows {
            off: true,
            env: vec!["HERE".to_owned()],
            ..Allows::default()
        },
        tablebases: Vec::new(),
        host: Some(host),
    };
    let (_stopper, stops) = WorkerStopper::new();
    worker.work(stops, &mut |line| eprintln!("{line}"))?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    swissmatch::begin();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match &words[..] {
        ["run", file, directory, address] => run(file, directory, address),
        ["worker", directory, address, owner, gpus @ ..] => {
            let gpus: Vec<String> = gpus.iter().map(|gpu| (*gpu).to_owned()).collect();
            work(directory, address, owner, &gpus)
        }
        _ => Err("gpus_at_workers run EVENT.toml DIRECTORY ADDRESS, or worker DIRECTORY ADDRESS OWNER GPU …".into()),
    }
}
