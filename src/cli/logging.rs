//! Where the runner's own doings go: to `run.log`, and with --verbose to standard error.
//!
//! The library tells of them by `tracing` and sets no subscriber; this is the program's. May not: hold anybody up who tells.

use std::fmt;
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::fmt::writer::MakeWriterExt as _;
use tracing_subscriber::layer::{Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

use swissmatch_host::log_queue::{LogQueue, LostLines};
use swissmatch_host::run_log::{self, RunLog};

use super::screen;

/// How long lines may take to be written at the end.
const PATIENCE: Duration = Duration::from_secs(2);

/// The program's subscriber.
pub(super) struct Logging {
    run_log: LogQueue,
    shown: Option<LogQueue>,
}

impl Logging {
    /// Sets it. `verbose`: how often that was asked for. Only where there is a run to be played lines are kept for its `run.log`.
    pub(super) fn start(verbose: u8, plays: bool) -> Self {
        let run_log = LogQueue::default();
        let (shown_level, kept_level) = match verbose {
            0 => (None, LevelFilter::INFO),
            1 => (Some(LevelFilter::INFO), LevelFilter::INFO),
            2.. => (Some(LevelFilter::DEBUG), LevelFilter::DEBUG),
        };
        let shown = shown_level.and_then(|level| {
            let queue = LogQueue::default();
            // A machine without a thread for it is told of by whoever needs one.
            let started = queue.write_by(|line| screen::print(line.as_bytes()));
            started.is_ok().then_some((queue, level))
        });
        let kept = plays.then(|| layer(writer(&run_log).with_filter(may_be_kept), kept_level));
        let layers = tracing_subscriber::registry()
            .with(kept)
            .with(shown.as_ref().map(|(queue, level)| layer(writer(queue), *level)));
        if plays || shown.is_some() {
            // A program that has one of its own and calls this one keeps it.
            let _ = tracing::subscriber::set_global_default(layers);
        }
        Self {
            run_log,
            shown: shown.map(|(queue, _)| queue),
        }
    }

    /// From now on lines go to the `run.log` of the run in `dir`, those first that have waited.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) fn keep(&self, dir: &Path) -> io::Result<()> {
        let kept = RunLog::open(dir).and_then(|mut log| self.run_log.write_by(move |line| log.line(line)));
        if kept.is_err() {
            self.run_log.close(Duration::ZERO);
        }
        kept
    }

    /// The run is over: what was lost of its `run.log`.
    pub(super) fn kept(&self) -> Option<LostLines> {
        self.run_log.close(PATIENCE)
    }

    /// The program is over.
    pub(super) fn end(self) {
        if let Some(lost) = self.shown.and_then(|shown| shown.close(PATIENCE)) {
            // Nobody may read it any more.
            let _ = writeln!(io::stderr(), "swissmatch: --verbose: {lost}");
        }
    }
}

/// Fields that name players or games, or may.
const NAMING: [&str; 5] = ["player", "game", "did", "answer", "sentence"];

/// Whether `run.log` may have such a line just now.
fn may_be_kept(of: &Metadata<'_>) -> bool {
    !run_log::is_silent_on_players() || NAMING.iter().all(|name| of.fields().field(name).is_none())
}

fn writer(queue: &LogQueue) -> impl Fn() -> LogQueue + use<> {
    let queue = queue.clone();
    move || queue.clone()
}

/// Lines of at most this level, of this program alone.
fn layer<S, W>(writer: W, level: LevelFilter) -> impl Layer<S>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    W: for<'a> MakeWriter<'a> + 'static,
{
    tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .event_format(OneLine)
        .with_writer(writer)
        .with_filter(Targets::new().with_target(env!("CARGO_PKG_NAME"), level))
}

/// How a line looks: the time in UTC, the level, the thread where it has a name, what happened.
struct OneLine;

impl<S, F> FormatEvent<S, F> for OneLine
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    F: for<'a> FormatFields<'a> + 'static,
{
    fn format_event(&self, context: &FmtContext<'_, S, F>, mut line: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        write!(line, "{:.3} {:>5} ", Timestamp::now(), event.metadata().level())?;
        if let Some(name) = std::thread::current().name() {
            write!(line, "{name}: ")?;
        }
        context.format_fields(line.by_ref(), event)?;
        writeln!(line)
    }
}
