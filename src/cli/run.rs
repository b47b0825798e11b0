//! `swissmatch run EVENT.toml`

mod ladder;
mod words;

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use swiss_system::text::harmless;
use swissmatch_config::Flag;
use swissmatch_config::match_words::Dialect;
use swissmatch_game::time_control::write_duration;
use swissmatch_host::beside::SideServer;
use swissmatch_host::machine;
use swissmatch_host::run_log::RUN_LOG;
use swissmatch_report as report;
use swissmatch_report::live_figures::LiveRatings;
use swissmatch_report::versus::Versus;
use swissmatch_report::{beginning, faults, interruptions, playoff};
use swissmatch_run::conduct::{Reader, RunEnd, Stopper};
use swissmatch_run::earlier::{EarlierRuns, Index};
use swissmatch_run::open_run;
use swissmatch_run::{
    self as runs, EventFile, FinishedRun, GameHost, HeldRun, Machine, Notice, PlayedRun, PreparedRun, publish,
};
use swissmatch_stats::sprt::Verdict;
use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::setup::Setup;
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

use super::at_workers::WorkersFlags;
use super::beside::{Page, PageFlags, PageManner};
use super::console::{Console, Every, Mode};
use super::exit::{Exit, Failure};
use super::logging::Logging;
use super::output::print;
use super::overrides::OverrideArgs;
use super::progress::can_draw;
use super::screen;
use super::serve::Listening;
use super::stop::StopRequests;
use words::{again, no_pairing};
pub(super) use words::{playing_is_held, waits_for_a_yes};

/// What is said of an event in which nothing is left to be played.
const PLAYED: &str = "this event has been played to its end (--fresh would play it anew)";

/// Play an event to its end, or go on with it
///
/// Plays an event to its end. Everything goes to one directory: results/NAME/ beside the event file, unless --out names another. A run
/// begins only in a directory that holds nothing but the event file, its lock and the files it names, and only if every agent starts (see
/// --go-on).
///
/// After one Ctrl-C (or SIGTERM), games under way are finished and saved; then the program ends with exit code 130. After a second one it
/// ends at once, and games under way will be played again. After any interruption, even kill -9 or a power cut, the same command continues
/// where it stopped. A script that starts the program with `&` may keep SIGINT from it; SIGTERM always works. A run goes on only with the event file, agents and openings that it began with. Keys that do not affect results
/// (run.*, analysis.*, publish.*, lichess.*, spending.*, times of schedule.* and others: docs/keys.md) may change.
///
/// An event with a [ladder] plays rated rounds until submissions.lock, each when it is due; then the event itself (docs/ladder.md).
///
/// With --reuse nothing is played twice: a game of two agents that are the same by their content, from the same opening, under the same
/// limits and on a machine of the same class as one of an earlier run, is taken from there. The log says from where (docs/reuse.md).
///
/// If there is a lock of the roster beside the event file (`swissmatch roster lock`), a new run is refused if anything differs from it.
///
/// Play-offs ([playoff]) follow the rounds; a play-off may wait for its time (playoff.start_after). A tie that is left after the
/// last stage of a play-off is decided by the arbiter: the run ends with exit code 2 and says so, and goes on after `swissmatch
/// arbiter decide`. The run also ends with exit code 2 if no game can begin because games were interrupted too often (run.replays),
/// or if a round has no pairing (pairing = "dutch" or "double-swiss"): it names the acts that help, among them `swissmatch arbiter
/// end`. A tour file (tour.runs) has no rounds: its ties are played off.
///
/// While a service that plays for models is away, games at it wait. If nothing else is left to be played, or something of a service has to
/// be mended, the run pauses with exit code 5 and says what; the same command goes on (docs/models.md).
#[derive(Debug, Args)]
pub(super) struct RunArgs {
    /// The event file (TOML); `swissmatch init` writes one
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
    #[command(flatten)]
    overrides: OverrideArgs,
    /// Directory of the run (default: results/NAME beside the event file)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Start anew: the old run is kept aside in DIR.1, the next one in DIR.2 … (the highest is the newest); all other files stay
    #[arg(long)]
    fresh: bool,
    /// Begin even if an agent does not start: its games are forfeited (engine.must_start)
    #[arg(long)]
    go_on: bool,
    /// Print progress and warnings as NDJSON on standard output, one object per line
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print only errors
    #[arg(long, short)]
    quiet: bool,
    /// How many games an agent may lose by a fault: N, P% of its own games, or "none"; more gives exit code 3 (run.max_faults)
    #[arg(long, value_name = "N|P%")]
    max_faults: Option<String>,
    /// Tell an anchor the head of the log as it grows: file:PATH or exec:PROGRAM; may be given several times (run.anchor)
    #[arg(long, value_name = "ANCHOR", value_delimiter = ',')]
    anchor: Vec<String>,
    /// Take games from this earlier run instead of playing equal ones again: its directory; may be given several times, the first one
    /// goes first (docs/reuse.md)
    #[arg(long, value_name = "DIR")]
    reuse: Vec<PathBuf>,
    /// The class of this machine: games are taken only from runs on machines of the same class (default: the model of its processor
    /// and the number of its cores)
    #[arg(long, value_name = "CLASS", value_parser = NonEmptyStringValueParser::new())]
    machine: Option<String>,
    /// Show each pairing and wait for `swissmatch arbiter confirm` (arbiter.confirm_rounds)
    #[arg(long)]
    confirm_rounds: bool,
    /// Before submissions.lock: play the round of the ladder that is due, if any, and do not wait for the next one ([ladder])
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    workers: WorkersFlags,
    #[command(flatten)]
    page: PageFlags,
    /// What holds for it, where that is another than by these flags.
    #[arg(skip)]
    page_manner: Option<PageManner>,
    /// How often figures of two players are told.
    #[arg(skip)]
    every: Every,
    /// Whose words wrote the event file, where nobody did.
    #[arg(skip)]
    asked_in: Option<Dialect>,
}

/// How a run is played that is not asked for by `run`.
#[derive(Clone, Debug, Default)]
pub(super) struct How {
    pub(super) fresh: bool,
    pub(super) go_on: bool,
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) every: Every,
    /// Whose words wrote the event file.
    pub(super) asked_in: Option<Dialect>,
    pub(super) page: PageFlags,
    /// What holds for it, where that is another than by what is said here.
    pub(super) page_manner: Option<PageManner>,
}

/// Who reads a run besides the console.
pub(super) trait RunObserver: Reader {
    /// The run begins or goes on, and can be asked to stop.
    fn begin(&mut self, state: &State, stopper: Option<Stopper>);
    /// It has ended.
    fn end(&mut self, state: &State, ended: &RunEnd);
    /// Whether it has asked the run to stop, and says itself why.
    fn has_asked_to_stop(&self) -> bool {
        false
    }
    /// Whether a request to stop does not wait for games.
    fn stops_at_once(&self) -> bool {
        false
    }
}

impl RunArgs {
    /// The run of an event file in this directory.
    pub(super) fn of(file: PathBuf, out: PathBuf, how: How) -> Self {
        Self {
            file,
            overrides: OverrideArgs::default(),
            out: Some(out),
            fresh: how.fresh,
            go_on: how.go_on,
            json: how.json,
            quiet: how.quiet,
            max_faults: None,
            anchor: Vec::new(),
            reuse: Vec::new(),
            machine: None,
            confirm_rounds: false,
            once: false,
            workers: WorkersFlags::default(),
            page: how.page,
            page_manner: how.page_manner,
            every: how.every,
            asked_in: how.asked_in,
        }
    }

    pub(super) fn main(&self, logging: &Logging) -> Result<Exit, Failure> {
        let mut page = Page::default();
        let played = self.main_told(logging, None, None, &mut page);
        page.stay(played)
    }

    /// The same on a machine of this class.
    pub(super) fn on(self, machine: String) -> Self {
        Self {
            machine: Some(machine),
            ..self
        }
    }

    /// The same, telling another one what happens; `earlier` knows games that need not be played again. A page that stays goes to
    /// `page`.
    pub(super) fn main_told(
        &self,
        logging: &Logging,
        mut beside: Option<&mut dyn RunObserver>,
        earlier: Option<Box<dyn Index>>,
        page: &mut Page,
    ) -> Result<Exit, Failure> {
        let stops = StopRequests::heed(Exit::Interrupted.code()).map_err(Failure::machine)?;
        let event = self.event().inspect_err(|failure| {
            let console = Console::new(self.mode(), self.every);
            console.refused(failure.exit.code(), &failure.error.to_string());
        })?;
        let path = match &self.out {
            Some(out) => out.clone(),
            None => open_run::usual_place(&self.file, &event.loaded.setup.event.name),
        };
        match self.play_ladder(event, &path, &stops, logging, page)? {
            ControlFlow::Break(exit) => Ok(exit),
            ControlFlow::Continue(event) => self.main_of((event, &path), &stops, logging, beside.take(), earlier, page),
        }
    }

    /// The same of this event, whose run is, or will be, in this directory.
    fn main_of(
        &self,
        (event, path): (EventFile, &Path),
        stops: &StopRequests,
        logging: &Logging,
        mut beside: Option<&mut dyn RunObserver>,
        earlier: Option<Box<dyn Index>>,
        page: &mut Page,
    ) -> Result<Exit, Failure> {
        let console = Console::new(self.mode(), self.every).in_words_of(self.asked_in);
        let mut tell = |notice: Notice| {
            console.notice(&notice);
            if let (Some(beside), true) = (&mut beside, notice.is_warning()) {
                beside.warn(&notice.to_string());
            }
        };
        let taken = self.take((event, path), stops, &console, &mut tell, earlier);
        let taken = taken.map_err(|failure| self.in_its_words(failure));
        let taken = taken.inspect_err(|failure| console.refused(failure.exit.code(), &failure.error.to_string()))?;
        let (taken, server) = taken;
        let manner = self.page_manner();
        match taken {
            HeldRun::Run(mut run) => {
                let address = server.map(|(server, listening)| {
                    manner.say(&listening.told());
                    run.serve(server, self.page.stays(manner));
                    listening.address
                });
                self.play(*run, stops, console, logging, beside, (page, address))
            }
            HeldRun::Over(over) => {
                if let Some(beside) = beside {
                    beside.begin(over.state(), None);
                    beside.end(over.state(), &RunEnd::Complete);
                }
                let dir = over.dir().to_path_buf();
                let delay = over.state().setup().publish.delay;
                let exit = self.show_again(*over, console)?;
                if let Some((server, listening)) = server
                    && !(self.page.stays(manner) && page.keep((server, listening.address), stops, manner))
                {
                    self.say_where_the_page_is(delay, &dir);
                }
                Ok(exit)
            }
        }
    }

    /// The event file as it is meant.
    fn event(&self) -> Result<EventFile, Failure> {
        let max_faults = self.max_faults.iter();
        let max_faults = max_faults.map(|bound| Flag::new("--max-faults", "run.max_faults", bound));
        let anchors = (!self.anchor.is_empty()).then(|| Flag::new("--anchor", "run.anchor", &self.anchor.join(",")));
        let event = self
            .overrides
            .event_with(&self.file, max_faults.chain(anchors).collect());
        let mut event = event.map_err(|failure| self.in_its_words(failure))?;
        if let Some(dialect) = self.asked_in {
            event.loaded = event.loaded.by_words(dialect);
        }
        event.loaded.setup.arbiter.confirm_rounds |= self.confirm_rounds;
        event.loaded.setup.engine.must_start &= !self.go_on;
        Ok(event)
    }

    /// In the words of whoever asked.
    fn in_its_words(&self, failure: Failure) -> Failure {
        match self.asked_in {
            Some(dialect) => failure.in_words(dialect),
            None => failure,
        }
    }

    /// Everything before the first game: takes the directory.
    fn take(
        &self,
        (event, path): (EventFile, &Path),
        stops: &StopRequests,
        console: &Console,
        tell: &mut dyn FnMut(Notice),
        earlier: Option<Box<dyn Index>>,
    ) -> Result<(HeldRun, Option<(SideServer, Listening)>), Failure> {
        let server = self.page.server(path)?;
        let told = server.as_ref().and_then(|_| live_to_agents(&event.loaded.setup));
        told.iter().for_each(|warning| console.warn(warning));
        let host = self.host(&event, path, console, earlier)?;
        let prepared = PreparedRun::new(event, path, self.fresh, host, tell)?;
        if let Some((setup, place)) = prepared.begins().filter(|(setup, _)| setup.tour.runs.is_empty()) {
            let lines = beginning::lines(setup, place, path);
            lines.iter().for_each(|line| console.say(line));
        }
        stops.begin();
        Ok((prepared.take(tell)?, server))
    }

    /// Who plays the games: this machine, but for those that earlier runs have.
    fn host(
        &self,
        event: &EventFile,
        path: &Path,
        console: &Console,
        earlier: Option<Box<dyn Index>>,
    ) -> Result<Box<dyn GameHost>, Failure> {
        let class = self.machine.as_deref();
        let machine = Machine {
            class,
            slots_elsewhere: self.workers.slots(),
        };
        let host = self
            .workers
            .host(runs::this_machine_as(event, machine)?, event, (path, class))?;
        if let Some(index) = earlier {
            return Ok(runs::sparing(host, EarlierRuns::by(index)));
        }
        if self.reuse.is_empty() {
            return Ok(host);
        }
        let (earlier, notes) = EarlierRuns::read(&self.reuse, path);
        notes.iter().for_each(|note| console.warn(note));
        Ok(runs::sparing(host, earlier))
    }

    fn page_manner(&self) -> PageManner {
        self.page_manner
            .unwrap_or(PageManner::of_a_person(self.quiet || self.json))
    }

    fn mode(&self) -> Mode {
        match (self.quiet, self.json) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Json,
            _ if std::io::stderr().is_terminal() && can_draw() => Mode::Bars,
            _ => Mode::Lines,
        }
    }

    fn play(
        &self,
        run: runs::Run,
        stops: &StopRequests,
        mut console: Console,
        logging: &Logging,
        mut beside: Option<&mut dyn RunObserver>,
        (page, address): (&mut Page, Option<SocketAddr>),
    ) -> Result<Exit, Failure> {
        if let Err(why) = logging.keep(run.dir()) {
            console.warn(&format!("no {}: {why}; play goes on without it", RUN_LOG[0]));
        }
        if run.is_resumed() {
            say_how_it_goes_on(&run, &console);
            if let Some(paused) = playing_is_held(run.state()) {
                console.say(&paused);
            }
        }
        let dir = run.dir().to_path_buf();
        console.begin(run.state(), run.is_resumed());
        stops.conduct(
            run.stopper(),
            beside.as_ref().is_some_and(|beside| beside.stops_at_once()),
        );
        let played = match &mut beside {
            Some(beside) => {
                beside.begin(run.state(), Some(run.stopper()));
                run.play(&mut [&mut console, &mut **beside])
            }
            None => run.play(&mut [&mut console]),
        };
        console.end();
        if let Some(lost) = logging.kept() {
            console.warn(&format!("{}: {lost}", RUN_LOG[0]));
        }
        let PlayedRun { ended, state, server } = played?;
        let is_kept = server
            .zip(address)
            .is_some_and(|served| page.keep(served, stops, self.page_manner()));
        let has_asked = beside.as_ref().is_some_and(|beside| beside.has_asked_to_stop());
        if let Some(beside) = beside {
            beside.end(&state, &ended);
        }
        say_what_is_left_out(&state, &console);
        if ended == RunEnd::Complete {
            say_who_is_at_fault(&state, &console);
        }
        console.result(&state, &ended);
        if self.page.is_asked() && !is_kept {
            self.say_where_the_page_is(state.setup().publish.delay, &dir);
        }
        match ended {
            RunEnd::Complete => Ok(self.conclude(&state, &dir)),
            RunEnd::NoPairing(why) => {
                self.print_standings(&state, &dir);
                Err(Failure::waits_for_the_arbiter(no_pairing(&state, &why)))
            }
            RunEnd::Decision => {
                self.print_standings(&state, &dir);
                self.say_what_is_asked(&state, &dir);
                Ok(Exit::Inconclusive)
            }
            RunEnd::Rulings => {
                self.print_standings(&state, &dir);
                interruptions::held(&state).iter().for_each(|line| screen::say(line));
                screen::say(&format!("then continue with: swissmatch {}", again()));
                Ok(Exit::Inconclusive)
            }
            RunEnd::AfterRound => Ok(self.stopped("stopped after the round, as the arbiter asked")),
            RunEnd::Stopped if has_asked => Ok(Exit::Interrupted),
            RunEnd::Stopped | RunEnd::StoppedAtOnce => Ok(self.stopped("interrupted")),
            RunEnd::ToMend { why } => Err(Failure::machine(anyhow::anyhow!(
                "no other game begins until this is mended: {why}; nobody has lost a game by it, and `swissmatch {}` goes on",
                again()
            ))),
            RunEnd::NoSlot { slot, why } => Err(Failure::machine(anyhow::anyhow!("slot {slot} cannot play: {why}"))),
        }
    }

    /// The page is not served, or no more.
    fn say_where_the_page_is(&self, delay: Duration, dir: &Path) {
        let late = match delay.is_zero() {
            true => String::new(),
            false => format!(
                ", also what publish.delay ({}) held back at the end",
                write_duration(delay)
            ),
        };
        let dir = dir.display();
        self.page_manner().say(&format!(
            "the page is no longer served; `swissmatch serve {dir}` shows it{late}"
        ));
    }

    fn stopped(&self, what: &str) -> Exit {
        if !self.quiet {
            screen::say(&format!(
                "{what}; the same command continues where it stopped: swissmatch {}",
                again()
            ));
        }
        Exit::Interrupted
    }

    /// The tie that is left to the arbiter, and how to decide it.
    fn say_what_is_asked(&self, state: &State, dir: &Path) {
        if !self.quiet {
            playoff::status(state).iter().for_each(|line| screen::say(line));
        }
        screen::say(&format!(
            "the event waits for a decision: `swissmatch arbiter decide {}`; then continue with: swissmatch {}",
            dir.display(),
            again()
        ));
    }

    /// A run that is over and stays as it is: its files are seen to, and its standings shown.
    fn show_again(&self, over: FinishedRun, mut console: Console) -> Result<Exit, Failure> {
        let (state, dir) = (over.state().clone(), over.dir().to_path_buf());
        console.begin(&state, true);
        console.say(PLAYED);
        console.end();
        over.publish()?;
        say_what_is_left_out(&state, &console);
        say_who_is_at_fault(&state, &console);
        console.result(&state, &RunEnd::Complete);
        Ok(self.conclude(&state, &dir))
    }

    fn print_standings(&self, state: &State, dir: &Path) {
        if self.quiet || self.json || state.setup().ladder.round.is_some() {
            return;
        }
        let table = match report::tour::report(state) {
            Some((page, _)) => page.text(machine::columns()),
            None => report::parts::standings(state, state.rounds_over()).text(machine::columns()),
        };
        let playoff = playoff::text(state, machine::columns()).map_or_else(String::new, |text| format!("\n{text}"));
        let figures: String = Versus::now(state)
            .lines(state)
            .into_iter()
            .flat_map(|line| [line, "\n".to_owned()])
            .collect();
        let ratings = self.every.ratings.then(|| LiveRatings::of(state)).flatten();
        let figures = figures + &ratings.map_or_else(String::new, |ratings| ratings.text(machine::columns()));
        let figures = if figures.is_empty() {
            figures
        } else {
            format!("\n{figures}")
        };
        print(&format!("{table}{playoff}{figures}\nFiles: {}\n", dir.display()));
    }

    /// The last words on an event that is over.
    fn conclude(&self, state: &State, dir: &Path) -> Exit {
        self.print_standings(state, dir);
        match faults::over_bound(state).as_slice() {
            [] => of_test(state),
            _ => Exit::AgentsAtFault,
        }
    }
}

/// How the test of a match ended; an event without one is done.
fn of_test(state: &State) -> Exit {
    match (
        state.setup().sprt.test(),
        state.verdict().map(|decided| decided.verdict),
    ) {
        (None, _) | (_, Some(Verdict::H1)) => Exit::Done,
        (_, Some(Verdict::H0)) => Exit::CheckFailed,
        (_, Some(Verdict::Neither) | None) => Exit::Inconclusive,
    }
}

/// Says how far a run is that is taken up again, and what is left of it.
fn say_how_it_goes_on(run: &runs::Run, console: &Console) {
    let state = run.state();
    if event_is_over(state) {
        console.say(PLAYED);
        return;
    }
    let (_, done) = state.progress();
    console.say(&format!(
        "going on: {done} of {} games are finished",
        games_planned(state)
    ));
    let lines = beginning::lines_again(state, run.place(), run.dir());
    lines.iter().for_each(|line| console.say(line));
}

/// Says who makes it exit code 3.
fn say_who_is_at_fault(state: &State, console: &Console) {
    for sentence in faults::over_bound(state) {
        console.error(&sentence);
    }
}

/// Says why a file of the run is not there, or does not show everything, and how many games were not played in it.
fn say_what_is_left_out(state: &State, console: &Console) {
    if let Some(note) = super::which_run::under_embargo(state) {
        console.say(&format!("note: {note}"));
    }
    if let Some(line) = report::taken::line(state) {
        console.say(&line);
    }
    if let Err(reason) = publish::tournament(state) {
        console.say(&format!("note: no {}: {reason}", publish::TOURNAMENT));
    }
    if let Some(reason) = runs::report::left_out(state) {
        console.say(&format!("note: no {}: {reason}", runs::report::REPORT));
    }
}

/// That agents with a door could be told what the page shows of their own games, where that is.
fn live_to_agents(setup: &Setup) -> Option<String> {
    let with_doors = setup.players.iter().filter(|player| !player.connect.is_empty());
    let names: Vec<String> = with_doors.map(|player| harmless(&player.name)).collect();
    (setup.publish.delay.is_zero() && !names.is_empty()).then(|| {
        format!(
            "the page shows games live, and player.connect lets {} reach others, who can tell what its opponent thinks; \
             publish.delay = \"5m\" holds that back",
            names.join(", ")
        )
    })
}
