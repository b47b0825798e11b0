//! `swissmatch run --workers`: where the workers of a run are.

use std::path::PathBuf;

use clap::Args;

use swissmatch_run::{EventFile, GameHost};

use super::exit::Failure;

/// What says how to get a build with workers, where this is none.
#[cfg(not(feature = "workers"))]
pub(super) const NOT_BUILT_IN: &str = "this build plays without workers; releases have them, and so has a build with: cargo build --release --features workers";

/// Where a server is, and how one is let in there.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct WorkersFlags {
    /// Have workers play games, too: the NATS server at which they are (nats://HOST:PORT; docs/workers.md). The event needs a key that
    /// signs it (publish.sign)
    #[arg(long, value_name = "ADDRESS")]
    workers: Option<String>,
    /// Have programs play at workers alone, and here models and web services
    #[arg(long, requires = "workers")]
    workers_only: bool,
    /// The key by which the server knows this runner: a file with the seed of an NKey
    #[arg(long, value_name = "FILE", requires = "workers")]
    workers_nkey: Option<PathBuf>,
    /// The certificate of who vouches for the server, in PEM: the line is encrypted with TLS
    #[arg(long, value_name = "FILE", requires = "workers")]
    workers_ca: Option<PathBuf>,
}

impl WorkersFlags {
    /// Whether workers play, too.
    pub(super) const fn is_asked(&self) -> bool {
        self.workers.is_some()
    }

    /// Slots for them.
    #[cfg(feature = "workers")]
    pub(super) const fn slots(&self) -> usize {
        if self.is_asked() {
            swissmatch_workers::host::MOST_AT_ONCE
        } else {
            0
        }
    }

    /// As there are none in this build.
    #[cfg(not(feature = "workers"))]
    pub(super) const fn slots(&self) -> usize {
        0
    }

    /// The host of a run in `dir` whose games workers play beside `inner`, where that is asked for.
    ///
    /// # Errors
    /// When a key cannot be read, the event is not signed, or this build has no workers.
    #[cfg(feature = "workers")]
    pub(super) fn host(
        &self,
        inner: Box<dyn GameHost>,
        event: &EventFile,
        (dir, class): (&std::path::Path, Option<&str>),
    ) -> Result<Box<dyn GameHost>, Failure> {
        use swissmatch_game::record::Bounds;
        use swissmatch_host::machine;
        use swissmatch_workers::host::{Workers, WorkersHost};

        let Some(address) = &self.workers else {
            return Ok(inner);
        };
        let access = with::access(
            address,
            self.workers_nkey.as_deref(),
            self.workers_ca.as_deref(),
            "--workers",
        )?;
        let setup = &event.loaded.setup;
        // Nobody's moves depend on how fast a machine is.
        let is_fixed = |player| setup.limit(player).bounds != Bounds::default();
        let class = match setup.players.iter().all(is_fixed) {
            true => None,
            false => Some(class.map_or_else(machine::exact_class, str::to_owned)),
        };
        Ok(Box::new(WorkersHost::new(
            inner,
            Workers {
                address: address.clone(),
                access,
                lease: setup.run.lease,
                signer: swissmatch_run::signer(event, dir)?,
                event: setup.event.name.clone(),
                directory: event.directory.clone(),
                class,
                only: self.workers_only,
            },
        )))
    }

    /// As there are none in this build.
    #[cfg(not(feature = "workers"))]
    pub(super) fn host(
        &self,
        inner: Box<dyn GameHost>,
        _: &EventFile,
        _: (&std::path::Path, Option<&str>),
    ) -> Result<Box<dyn GameHost>, Failure> {
        match self.is_asked() {
            true => Err(Failure::usage(anyhow::anyhow!("--workers: {NOT_BUILT_IN}"))),
            false => Ok(inner),
        }
    }
}

/// What needs a build with workers.
#[cfg(feature = "workers")]
pub(super) mod with {
    use std::path::Path;

    use anyhow::anyhow;
    use swissmatch_workers::server::Access;

    use super::super::exit::Failure;

    /// How somebody is let in at an address, which has no credentials in it.
    ///
    /// # Errors
    /// When the address is none, a line to another machine would not be encrypted, or a key cannot be read.
    pub(in super::super) fn access(
        address: &str,
        nkey: Option<&Path>,
        ca: Option<&Path>,
        flag: &str,
    ) -> Result<Access, Failure> {
        let refused = |why: &str| Failure::usage(anyhow!("{flag}: {why}"));
        let place = address.strip_prefix("nats://");
        let place = place.ok_or_else(|| refused("an address is nats://HOST:PORT"))?;
        if place.contains('@') {
            return Err(refused(
                "an address has no credentials in it, which others could see: a key is in a file",
            ));
        }
        let host = place.rsplit_once(':').map_or(place, |(host, _)| host);
        let is_here = ["127.0.0.1", "localhost", "[::1]"].contains(&host);
        if !is_here && ca.is_none() {
            let why = "a line to another machine has to be encrypted: give the certificate of who vouches for the server \
                       (ca), or come through a tunnel (ssh -L)";
            return Err(refused(why));
        }
        if let Some(ca) = ca
            && !ca.is_file()
        {
            return Err(refused(&format!("{}: there is no such certificate", ca.display())));
        }
        let seed = nkey.map(swissmatch_workers::nkey::read_seed).transpose();
        Ok(Access {
            seed: seed.map_err(|why| refused(&why))?,
            ca: ca.map(Path::to_path_buf),
            worker: None,
        })
    }
}
