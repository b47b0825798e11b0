//! `swissmatch serve`

use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::beside::{self, Beside};
use swissmatch_run::page::NoPage;
use swissmatch_web::{self as web, Admission, Asked, CannotServe, Served};

use super::exit::{Exit, Failure};
use super::screen;
use super::which_run;

/// The page of runs, live while they are played
///
/// Serves the page over HTTP until Ctrl-C: standings and games as they come,
/// and boards that follow the games that are being played. It only reads, and
/// its end costs no game. Several runs are listed on one page. What an embargo
/// or publish.delay keeps back is not served. docs/page.md.
///
///   swissmatch serve                               the latest run in results/, at http://127.0.0.1:8000/
///   swissmatch serve results/a results/b --address 0.0.0.0:80 --public
///   swissmatch serve --address 0.0.0.0:8000 --token-file token     for who has the token
///
/// An address that can be reached from elsewhere needs --public or
/// --token-file. With a token the page is opened as
/// http://HOST:8000/?token=TOKEN, and the browser keeps it in a cookie.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Serve {
    /// Directories of runs, or their event files (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "IP:PORT", default_value = "127.0.0.1:8000", value_parser = address)]
    address: SocketAddr,
    #[command(flatten)]
    to: To,
    /// Listen on the socket at standard output, and take live lines from that at standard input: how a runner starts it
    #[arg(long, hide = true)]
    beside: bool,
}

/// `IP:PORT`; the name of this machine for itself is taken too.
///
/// # Errors
/// What was expected.
pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let written = match text.strip_prefix("localhost:") {
        Some(port) => format!("127.0.0.1:{port}"),
        None => text.to_owned(),
    };
    written
        .parse()
        .map_err(|_| "expected an address and a port, such as 127.0.0.1:8000 or localhost:8000".to_owned())
}

/// To whom a page is served, and what.
#[derive(Clone, Debug, Default, Args)]
pub(super) struct To {
    /// Serve to those who have the token in this file
    #[arg(long, value_name = "FILE", conflicts_with = "public")]
    pub(super) token_file: Option<PathBuf>,
    /// Serve to everybody who reaches the address
    #[arg(long)]
    pub(super) public: bool,
    /// Know visitors by the X-Forwarded-For of a web server on this machine that passes them on
    #[arg(long)]
    pub(super) proxy: bool,
    /// Do not show games while they are played
    #[arg(long)]
    pub(super) no_live: bool,
}

impl To {
    /// Whether anything of it is given.
    pub(super) const fn is_given(&self) -> bool {
        self.token_file.is_some() || self.public || self.proxy || self.no_live
    }

    /// Who may look.
    pub(super) fn admission(&self) -> Result<Admission, Failure> {
        match (&self.token_file, self.public) {
            (Some(file), _) => Admission::by_token(file).map_err(Failure::usage),
            (None, true) => Ok(Admission::Public),
            (None, false) => Ok(Admission::ThisMachine),
        }
    }
}

/// A socket at this address, for those who may look.
pub(super) fn listen(address: SocketAddr, admission: &Admission) -> Result<TcpListener, Failure> {
    if !admission.may_listen_at(address) {
        return Err(Failure::usage(CannotServe::Open(address)));
    }
    let listener = TcpListener::bind(address).map_err(|error| {
        let remedy = match error.kind() {
            ErrorKind::AddrInUse => "; port 0 takes a free one",
            ErrorKind::PermissionDenied => "; ports below 1024 are for the administrator: take a higher one",
            _ => "",
        };
        anyhow!("the page cannot be served at {address}: {error}{remedy}")
    });
    listener.map_err(Failure::machine)
}

/// A server beside the run in `dir`, to be started by whoever plays it, and the address of its page.
pub(super) fn beside(address: SocketAddr, to: &To, dir: &Path) -> Result<(Beside, SocketAddr), Failure> {
    if !web::has_page() {
        return Err(Failure::usage(NoPage::NoFrontEnd));
    }
    let listener = listen(address, &to.admission()?)?;
    let address = listener.local_addr().map_err(Failure::machine)?;
    let mut arguments: Vec<OsString> = vec!["serve".into(), dir.into(), "--beside".into()];
    if let Some(file) = &to.token_file {
        arguments.extend(["--token-file".into(), file.into()]);
    }
    arguments.extend(to.public.then(|| "--public".into()));
    arguments.extend(to.proxy.then(|| "--proxy".into()));
    arguments.extend(to.no_live.then(|| "--no-live".into()));
    Ok((Beside::new(listener, arguments), address))
}

impl Serve {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let admission = self.to.admission()?;
        let runs = match self.runs.as_slice() {
            [] => vec![which_run::place(None)?],
            named => named
                .iter()
                .map(|run| which_run::place(Some(run)))
                .collect::<Result<_, _>>()?,
        };
        let (listener, lines) = match self.beside {
            true => beside::inherited()
                .map(|(listener, lines)| (listener, Some(lines)))
                .map_err(Failure::machine)?,
            false => (listen(self.address, &admission)?, None),
        };
        let asked = Asked {
            runs,
            listener,
            admission,
            is_behind_proxy: self.to.proxy,
            is_live: !self.to.no_live,
            lines,
        };
        let is_beside = self.beside;
        let served = web::serve(asked, |served| {
            if !is_beside {
                say(served);
            }
        });
        match served {
            Ok(()) => Ok(Exit::Done),
            Err(error @ CannotServe::Machine(_)) => Err(Failure::machine(error)),
            Err(error) => Err(Failure::usage(error)),
        }
    }
}

fn say(served: &Served) {
    let address = served.address;
    screen::say(&format!("the page: http://{address}/  (Ctrl-C ends it)"));
    if served.names.len() > 1 {
        for name in &served.names {
            screen::say(&format!("  http://{address}/{name}/"));
        }
    }
}
