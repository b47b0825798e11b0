//! The page beside a run that is played: how it is asked for, and how long it stays.
//!
//! May not: play; know what the page shows.

use std::io::{IsTerminal as _, stderr};
use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::beside::{ServerChange, SideServer};

use super::exit::{Exit, Failure};
use super::progress::can_draw;
use super::screen;
use super::serve::{self, Listening, PageAccessArgs};
use super::stop::StopRequests;

/// Between two looks whether a page that stays is still served.
const LOOK: Duration = Duration::from_millis(200);

/// A page that is asked for.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct PageFlags {
    /// Serve the page while games are played, by a process of its own whose end costs no game (see `swissmatch serve`); without an
    /// address at 127.0.0.1:8000, or the next port that is free
    #[arg(long, value_name = "IP:PORT", num_args = 0..=1, require_equals = true, value_parser = serve::address)]
    serve: Option<Option<SocketAddr>>,
    /// Keep the page when play is over, until Ctrl-C
    #[arg(long, conflicts_with = "serve_until_end")]
    serve_after: bool,
    /// End the page when play is over, on a terminal too
    #[arg(long)]
    serve_until_end: bool,
    #[command(flatten)]
    to: PageAccessArgs,
}

/// What holds for a page where no flag says it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageManner {
    /// Whether it stays on a terminal when play is over; it ends with play elsewhere.
    pub(super) stays: bool,
    /// Whether nothing is said of it.
    pub(super) is_quiet: bool,
}

impl PageManner {
    /// Of what a person plays, where words are for people.
    pub(super) const fn of_a_person(is_quiet: bool) -> Self {
        Self {
            stays: !is_quiet,
            is_quiet,
        }
    }

    /// Of what others wait for: it ends with play.
    pub(super) const fn of_a_job(is_quiet: bool) -> Self {
        Self { stays: false, is_quiet }
    }

    pub(super) fn say(self, text: &str) {
        if !self.is_quiet {
            screen::say(text);
        }
    }
}

impl PageFlags {
    pub(super) const fn is_asked(&self) -> bool {
        self.serve.is_some()
    }

    /// A server of the page of the run in `dir`, to be started by whoever plays it.
    pub(super) fn server(&self, dir: &Path) -> Result<Option<(SideServer, Listening)>, Failure> {
        match self.serve {
            Some(address) => serve::beside(address, &self.to, dir).map(Some),
            None if self.to.is_given() || self.serve_after || self.serve_until_end => Err(Failure::usage(anyhow!(
                "--public, --token-file, --proxy, --no-live, --serve-after and --serve-until-end are about the page: give --serve with them"
            ))),
            None => Ok(None),
        }
    }

    /// Whether the page stays when play is over.
    pub(super) fn stays(&self, manner: PageManner) -> bool {
        let is_terminal = || can_draw() && stderr().is_terminal();
        match (self.serve_after, self.serve_until_end) {
            (true, _) => true,
            (_, true) => false,
            _ => manner.stays && is_terminal(),
        }
    }
}

/// The page of a run that is played no more.
#[derive(Default)]
pub(super) struct Page(Option<KeptPage>);

struct KeptPage {
    server: SideServer,
    address: SocketAddr,
    stops: StopRequests,
    manner: PageManner,
}

impl Page {
    /// Keeps this server, unless somebody has asked for the end; whether it does.
    pub(super) fn keep(
        &mut self,
        (server, address): (SideServer, SocketAddr),
        stops: &StopRequests,
        manner: PageManner,
    ) -> bool {
        let is_kept = !stops.were_heard();
        match is_kept {
            true => {
                self.0 = Some(KeptPage {
                    server,
                    address,
                    stops: stops.clone(),
                    manner,
                });
            }
            false => server.finish(),
        }
        is_kept
    }

    /// Serves it until Ctrl-C, after everything else has been done and said; the exit code is that of the run.
    pub(super) fn stay(self, played: Result<Exit, Failure>) -> Result<Exit, Failure> {
        let Some(KeptPage {
            mut server,
            address,
            stops,
            manner,
        }) = self.0
        else {
            return played;
        };
        let exit = played.unwrap_or_else(|failure| failure.tell());
        manner.say(&format!("the page stays at http://{address}/ until Ctrl-C"));
        let asked = stops.stay(exit.code());
        while asked.recv_timeout(LOOK).is_err() {
            match server.keep_up() {
                // Nobody plays: it looks itself for whoever begins to.
                None | Some(ServerChange::Begun(_)) => {}
                Some(ServerChange::Ended(why)) => {
                    manner.say(&format!("the page's server has ended ({why}) and is started again"));
                }
            }
        }
        server.finish();
        Ok(exit)
    }
}
