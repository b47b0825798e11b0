//! `swissmatch serve`

use std::ffi::OsString;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use swissmatch_host::beside::{self, SideServer};
use swissmatch_run::page::PageError;
use swissmatch_web::{self as web, Admission, ServeError, ServerAddresses, ServerSettings};

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
pub(super) struct ServeArgs {
    /// Directories of runs, or their event files (default: the run in results/ that was written to last)
    #[arg(value_name = "RUN")]
    runs: Vec<PathBuf>,
    /// Where to listen; port 0 takes a free one (default: 127.0.0.1:8000, or the next port that is free)
    #[arg(long, value_name = "IP:PORT", value_parser = address)]
    address: Option<SocketAddr>,
    #[command(flatten)]
    to: PageAccessArgs,
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
pub(super) struct PageAccessArgs {
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

impl PageAccessArgs {
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

/// The port where nobody asks for one; where it is taken, the next that is free.
const PORT: u16 = 8000;
/// So many are tried.
const PORTS: u16 = 20;

/// Where a page is served.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listening {
    pub(super) address: SocketAddr,
    /// Whether another program has the usual port.
    is_usual_taken: bool,
}

impl Listening {
    /// In words.
    pub(super) fn told(&self) -> String {
        let why = match self.is_usual_taken {
            true => format!("  (port {PORT} is taken)"),
            false => String::new(),
        };
        format!("the page: http://{}/{why}", self.address)
    }
}

/// A socket at the address that is asked for, or at a usual one that is free, for those who may look.
fn listen(asked: Option<SocketAddr>, admission: &Admission) -> Result<(TcpListener, Listening), Failure> {
    if let Some(open) = asked.filter(|asked| !admission.may_listen_at(*asked)) {
        return Err(Failure::usage(ServeError::Open(open)));
    }
    let usual = SocketAddr::from((Ipv4Addr::LOCALHOST, PORT));
    let mut bound = TcpListener::bind(asked.unwrap_or(usual));
    let is_taken =
        |bound: &std::io::Result<TcpListener>| bound.as_ref().is_err_and(|error| error.kind() == ErrorKind::AddrInUse);
    let is_usual_taken = asked.is_none() && is_taken(&bound);
    if is_usual_taken {
        let mut others = (PORT + 1..PORT + PORTS).map(|port| TcpListener::bind((Ipv4Addr::LOCALHOST, port)));
        bound = others.find(|bound| !is_taken(bound)).unwrap_or(bound);
    }
    let listener = bound.map_err(|error| {
        let at = asked.unwrap_or(usual);
        let remedy = match error.kind() {
            ErrorKind::AddrInUse => "; port 0 takes a free one",
            ErrorKind::PermissionDenied => "; ports below 1024 are for the administrator: take a higher one",
            _ => "",
        };
        let others = match is_usual_taken {
            true => format!(", nor at the {} ports after it", PORTS - 1),
            false => String::new(),
        };
        Failure::machine(anyhow!("the page cannot be served at {at}{others}: {error}{remedy}"))
    })?;
    let address = listener.local_addr().map_err(Failure::machine)?;
    let listening = Listening {
        address,
        is_usual_taken,
    };
    Ok((listener, listening))
}

/// A server beside the run in `dir`, to be started by whoever plays it, and where its page is.
pub(super) fn beside(
    asked: Option<SocketAddr>,
    to: &PageAccessArgs,
    dir: &Path,
) -> Result<(SideServer, Listening), Failure> {
    if !web::has_page() {
        return Err(Failure::usage(PageError::NoFrontEnd));
    }
    let (listener, listening) = listen(asked, &to.admission()?)?;
    let mut arguments: Vec<OsString> = vec!["serve".into(), dir.into(), "--beside".into()];
    if let Some(file) = &to.token_file {
        arguments.extend(["--token-file".into(), file.into()]);
    }
    arguments.extend(to.public.then(|| "--public".into()));
    arguments.extend(to.proxy.then(|| "--proxy".into()));
    arguments.extend(to.no_live.then(|| "--no-live".into()));
    Ok((SideServer::new(listener, arguments), listening))
}

impl ServeArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let admission = self.to.admission()?;
        let runs = match self.runs.as_slice() {
            [] => vec![which_run::place(None)?],
            named => named
                .iter()
                .map(|run| which_run::place(Some(run)))
                .collect::<Result<_, _>>()?,
        };
        let (listener, lines, listening) = match self.beside {
            true => {
                let (listener, lines) = beside::inherited().map_err(Failure::machine)?;
                (listener, Some(lines), None)
            }
            false => {
                let (listener, listening) = listen(self.address, &admission)?;
                (listener, None, Some(listening))
            }
        };
        let asked = ServerSettings {
            runs,
            listener,
            admission,
            is_behind_proxy: self.to.proxy,
            is_live: !self.to.no_live,
            lines,
        };
        let served = web::serve(asked, |served| {
            if let Some(listening) = &listening {
                say(served, listening);
            }
        });
        match served {
            Ok(()) => Ok(Exit::Done),
            Err(error @ ServeError::Machine(_)) => Err(Failure::machine(error)),
            Err(error) => Err(Failure::usage(error)),
        }
    }
}

fn say(served: &ServerAddresses, listening: &Listening) {
    let address = served.address;
    screen::say(&format!("{}  (Ctrl-C ends it)", listening.told()));
    if served.names.len() > 1 {
        for name in &served.names {
            screen::say(&format!("  http://{address}/{name}/"));
        }
    }
}
