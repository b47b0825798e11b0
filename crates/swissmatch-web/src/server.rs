//! The server itself: what it listens on, its threads, and its end.
//!
//! Its process yields to games: it has the lowest priority, and stays off the processors that games are pinned to if another is left.
//! May not: know what is shown.

use std::collections::BTreeSet;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;

use swissmatch_host::beside::RunnerProcess;
use swissmatch_host::run_dir::safe_name;
use swissmatch_host::store::sha256;
use swissmatch_host::{behind, machine, threads};
use swissmatch_report::page::FrontEnd;
use swissmatch_run::follow::Follow;
use swissmatch_run::open_run::OpenError;
use swissmatch_run::page::PageError;

use super::admission::Admission;
use super::connections::{Connections, WAITING};
use super::content::{Keep, ResponseContent};
use super::lines::{self, Boards, LineSource};
use super::news::News;
use super::places::VisitorPlaces;
use super::routes::{self, router};
use super::site::{Assets, Site};
use super::stop::{Stop, StopStage};
use super::watcher::{Watcher, watch};

/// Most connections at once; newcomers then wait.
const CONNECTIONS: usize = 4000;
/// Fewest connections, where the machine gives few descriptors.
const FEWEST: usize = 16;
/// Descriptors needed for other things: files, logs, and visitors who wait.
const BESIDE: usize = 100 + WAITING;
/// Bytes that the kernel is to hold, roughly, for a reader who takes nothing. By default it holds megabytes, and a thousand such readers
/// would use up all its memory for connections.
const HELD: usize = 64 << 10;
/// How long to wait for the first page: one that cannot be made does not keep the server closed.
const FIRST_PAGE: Duration = Duration::from_secs(20);
/// How often the server checks that the runner beside it is still there.
const AT_RUNNER: Duration = Duration::from_millis(200);
/// Time between two looks for the first page.
const LOOK: Duration = Duration::from_millis(10);
/// How long answers that are being made have at the end.
const GOODBYE: Duration = Duration::from_millis(800);

pub struct ServerSettings {
    pub runs: Vec<PathBuf>,
    pub listener: TcpListener,
    pub admission: Admission,
    /// Whether a proxy on this machine says on whose behalf it asks.
    pub is_behind_proxy: bool,
    pub is_live: bool,
    /// A connection on which the runner of the only run gives its live lines; `None`: its socket is looked for.
    pub lines: Option<UnixStream>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address can be reached from elsewhere, and the admission is for this machine alone.
    #[error(
        "{0} can be reached from elsewhere: give --token-file FILE for those who have a token, or --public for everybody"
    )]
    Open(SocketAddr),
    #[error(transparent)]
    Run(#[from] OpenError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("{0}")]
    Machine(#[from] io::Error),
}

#[derive(Debug)]
pub struct ServerAddresses {
    pub address: SocketAddr,
    /// What the addresses of runs end with, where there are several.
    pub names: Vec<String>,
}

/// Serves until SIGINT or SIGTERM. Calls `begun` with the addresses when the first page is there.
///
/// # Errors
/// When a run cannot be read, the address may not be used, or the machine refuses; all before it begins.
pub fn serve(asked: ServerSettings, begun: impl FnOnce(&ServerAddresses)) -> Result<(), ServeError> {
    let address = asked.listener.local_addr()?;
    if !asked.admission.may_listen_at(address) {
        return Err(ServeError::Open(address));
    }
    let front_end = FrontEnd::embedded().ok_or(PageError::NoFrontEnd)?;
    behind::stand_back(&asked.runs)?;
    let room = machine::raise_descriptors((CONNECTIONS + BESIDE) as u64)?;
    let room = usize::try_from(room).unwrap_or(usize::MAX);
    let connections = room.saturating_sub(BESIDE).clamp(FEWEST, CONNECTIONS);
    machine::hold_at_most(&asked.listener, HELD)?;
    machine::queue_at_most(&asked.listener, CONNECTIONS)?;
    let (assets, contents) = assets_of(front_end);
    let stop = Arc::new(Stop::default());
    let sites = sites(&asked.runs, &assets)?;
    let heard = Arc::clone(&stop);
    machine::on_stop_signals(move || heard.ask())?;
    let is_beside = asked.lines.is_some();
    if let Some(lines) = &asked.lines {
        let (runner, stop) = (RunnerProcess::of(lines)?, Arc::clone(&stop));
        // A runner that is killed tells nobody, and the next one needs its address.
        threads::start("runner", move || {
            while runner.is_there() && !stop.is_asked() {
                stop.wait(AT_RUNNER);
            }
            stop.ask();
        })?;
    }
    let mut given = asked.lines.map(LineSource::Given);
    let mut watching = Vec::new();
    for site in &sites {
        if asked.is_live {
            let (site, stop) = (Arc::clone(site), Arc::clone(&stop));
            let source = given.take().unwrap_or(LineSource::Socket);
            let delay = site.followed().delay();
            let tell = move || lines::tell(&site.dir(), source, delay, &Boards::of(&site), &stop);
            watching.push(threads::start("live lines", tell)?);
        }
        let (site, stop) = (Arc::clone(site), Arc::clone(&stop));
        let watcher = Watcher {
            is_live: asked.is_live,
            first_version: since_1970(),
        };
        watching.push(threads::start("watcher", move || watch(&site, &watcher, &stop))?);
    }
    let served = Arc::new(routes::ServedSites {
        sites: sites.clone(),
        assets: contents,
        stop: Arc::clone(&stop),
        streams: VisitorPlaces::new(connections - connections / 4),
        is_behind_proxy: asked.is_behind_proxy,
    });
    let router = router(&served, asked.admission);
    asked.listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .max_blocking_threads(2)
        .build()?;
    let announced = ServerAddresses {
        address,
        names: sites.iter().map(|site| site.name.clone()).collect(),
    };
    let ends = Arc::clone(&stop);
    threads::start("end of serving", move || {
        // Each of them takes a last look first.
        watching.into_iter().for_each(|thread| drop(thread.join()));
        ends.reach(StopStage::HasTold);
    })?;
    // Whoever comes as soon as the address is known should find a page.
    let begins = Instant::now();
    let is_ready = || sites.iter().all(|site| site.ready().is_some());
    while !is_ready() && !stop.is_asked() && begins.elapsed() < FIRST_PAGE {
        stop.wait(LOOK);
    }
    runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(asked.listener)?;
        begun(&announced);
        let are_over = || sites.iter().all(|site| site.is_just_over());
        Connections::new(connections, router, stop)
            .serve(&listener, || is_beside && are_over())
            .await;
        Ok::<(), io::Error>(())
    })?;
    runtime.shutdown_timeout(GOODBYE);
    Ok(())
}

/// Script and style, with their content, under names that change with it.
fn assets_of(front_end: FrontEnd) -> (Assets, Vec<(String, ResponseContent)>) {
    let named = |name: &str, kind: &str, text: &str| format!("{name}.{}.{kind}", &sha256(text.as_bytes())[..12]);
    let script = named("page", "js", &front_end.script);
    let style = named("page", "css", &front_end.style);
    let contents = vec![
        (
            script.clone(),
            ResponseContent::new("text/javascript; charset=utf-8", Keep::ForEver, front_end.script),
        ),
        (
            style.clone(),
            ResponseContent::new("text/css; charset=utf-8", Keep::ForEver, front_end.style),
        ),
    ];
    (Assets { script, style }, contents)
}

fn sites(runs: &[PathBuf], assets: &Assets) -> Result<Vec<Arc<Site>>, ServeError> {
    let mut names = BTreeSet::new();
    let site = |dir: &PathBuf| {
        let follow = Follow::open(dir, Timestamp::now())?;
        let own = std::path::absolute(dir)?;
        let own = own
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let plain: String = safe_name(&own)
            .chars()
            .map(|c| {
                if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') {
                    c
                } else {
                    '-'
                }
            })
            .collect();
        let all = std::iter::once(plain.clone()).chain((2..).map(|number: u32| format!("{plain}-{number}")));
        let free = all
            .into_iter()
            .find(|name| !RESERVED.contains(&name.as_str()) && !names.contains(name));
        let name = free.unwrap_or(plain);
        names.insert(name.clone());
        // A server that begins later has higher numbers.
        let news = Arc::new(News::after(since_1970() * 1000));
        Ok(Arc::new(Site::new(name, follow, assets.clone(), news)))
    };
    runs.iter().map(site).collect()
}

/// Names that no run in the list may have.
const RESERVED: [&str; 1] = ["healthz"];

/// Milliseconds since 1970.
fn since_1970() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
