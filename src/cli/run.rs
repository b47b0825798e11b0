//! `swissmatch run EVENT.toml`

mod desk;
mod found;
mod readers;
pub(super) mod seats;
mod words;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::RwLock;

use anyhow::anyhow;
use clap::Args;

use crate::cli::console::{Console, Mode};
use crate::cli::stop::StopRequests;
use crate::config::{self, Class, KeyChange, Loaded};
use crate::game::handshake::StartFailure;
use crate::game::transcript::escape;
use crate::pairing::history::PairingNumber;
use crate::report;
use crate::report::playoff;
use crate::run::conduct::{Conductor, Ended};
use crate::run::open_run;
use crate::run::publish::{self, Publisher};
use crate::run::run_files;
use crate::shell::agents;
use crate::shell::cores::Seating;
use crate::shell::desk::is_in_use;
use crate::shell::engine::EngineCommand;
use crate::shell::machine;
use crate::shell::run_dir::{self, DirError, RunDir};
use crate::shell::slot::{Agents, Verdicts};
use crate::shell::store::{Entry, Logged, Store};
use crate::tournament::arbiter::Act;
use crate::tournament::event::{Agent, Created, Event, FileHash, Format, LOG_VERSION, Resumed};
use crate::tournament::opening_plan::OpeningPlan;
use crate::tournament::roster;
use crate::tournament::setup::{PlayerKeys, PresenceCheck};
use crate::tournament::state::State;
use crate::tournament::tour::TourEvent;
use crate::tournament::waiting::Ends;

use super::eligibility;
use super::exit::{Exit, Failure};
use super::prepare::{Materials, Overrides, directory_of};
use super::tour::events_to_play_off;
use desk::OpenDesk;
use readers::Readers;
use seats::Room;
use words::{again, no_pairing, no_shows};
pub(super) use words::{playing_is_held, waits_for_a_yes};

/// Play an event to its end, or go on with it where it stopped
///
/// Plays an event to its end. Everything goes to one directory, results/<event name>/ unless --out says otherwise. A run begins only
/// where nothing lies but the event file, its lock and what it names.
///
/// Ctrl-C (or SIGTERM) once: games under way are finished and saved, then it ends with exit code 130. Twice: it ends at once; games under
/// way will be played again. After any interruption, kill -9 and power cuts included, the same command goes on where it
/// stopped. A run goes on only with the event file, agents and openings it began with; keys that change no result
/// (run.*, analysis.*, standings.columns, playoff.start_after, player.write, times of schedule.*) may change.
///
/// Where a lock of the roster lies beside the event file (`swissmatch roster lock`), a new run is refused if anything differs from it.
///
/// Ties that are to be played off ([playoff]) are, after the rounds; a play-off may wait for its time (playoff.start_after). What no
/// stage of it is left for the chief arbiter decides: the run ends with exit code 2 and says so, and goes on after
/// `swissmatch arbiter decide`. So it does where a round has no pairing (pairing = "dutch" or "double-swiss"): it names the acts
/// that would allow one, and `swissmatch arbiter end`. A tour file (tour.runs) has no rounds: its ties are played off.
#[derive(Debug, Args)]
pub(super) struct Run {
    /// The event file (TOML); `swissmatch init` writes one
    #[arg(value_name = "EVENT.toml")]
    file: PathBuf,
    #[command(flatten)]
    overrides: Overrides,
    /// Directory of the run
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Start anew; the files of a run that is there are kept aside in DIR.1, DIR.2 …, every other file stays
    #[arg(long)]
    fresh: bool,
    /// Progress as NDJSON on standard output, one object a line; warnings too
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Say nothing but errors
    #[arg(long, short)]
    quiet: bool,
    /// Show each pairing and wait for `swissmatch arbiter confirm` (arbiter.confirm_rounds)
    #[arg(long)]
    confirm_rounds: bool,
}

impl Run {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let stops = StopRequests::heed(Exit::Interrupted.code()).map_err(Failure::machine)?;
        let mut loaded = self.overrides.load(&self.file)?;
        loaded.setup.arbiter.confirm_rounds |= self.confirm_rounds;
        let directory = directory_of(&self.file)?;
        let path = match &self.out {
            Some(out) => out.clone(),
            None => Path::new("results").join(run_dir::safe_name(&loaded.setup.event.name)),
        };
        found::require_directory(&path)?;
        if is_in_use(&path) {
            return Err(Failure::usage(DirError::Locked(path)));
        }
        let stored = match self.fresh {
            true => Vec::new(),
            false => found::stored(&path)?,
        };
        take_in_late_entries(&mut loaded, &stored);
        let materials = Materials::gather(&loaded, &directory)?;
        if !self.fresh {
            found::require_own(&path, &stored, &materials.named(&loaded, &directory))?;
        }
        // Who may play was settled when the run began.
        if stored.is_empty() {
            let entrants = loaded.setup.players.iter().zip(&materials.files);
            eligibility::require(&loaded, &directory, entrants)?;
        }
        let room = Room::of_this_machine(&loaded, materials.open_files())?;
        let tour = match loaded.setup.tour.runs.as_slice() {
            [] => None,
            _ => Some(events_to_play_off(&loaded, &directory)?),
        };
        let mut console = Console::new(self.mode());
        for warning in loaded.warnings.iter().chain(&materials.warnings) {
            console.warn(warning);
        }

        if is_in_use(&path) {
            return Err(Failure::usage(DirError::Locked(path)));
        }
        // What is wrong with an agent's options shows here, before anything is made or moved.
        let created = match stored.is_empty() {
            true => Some(create(&loaded, &materials, tour.clone(), &room, &console)?),
            false => None,
        };
        if let Some(created) = &created {
            room.seat(&loaded, &created.agents, &materials.commands)?;
        }
        stops.begin();
        let (dir, aside) = self.take_directory(&path)?;
        if let Some(aside) = aside {
            console.say(&format!("the run that was there is kept as {}", aside.display()));
        }
        let logged = match self.fresh {
            true => Vec::new(),
            false => found::stored(dir.path())?,
        };
        if !self.fresh {
            // Whatever was looked at before the directory was ours may have changed since.
            found::require_own(dir.path(), &logged, &materials.named(&loaded, &directory))?;
            if let Some(doubt) = found::doubt(dir.path()) {
                console.warn(&doubt);
            }
        }
        let desk = OpenDesk::open(dir.path(), &console);
        let resumed = !logged.is_empty();
        let event = match (resumed, created) {
            (true, _) => resume(&loaded, &materials, tour.as_ref(), &logged, dir.path(), &console)?
                .map(Box::new)
                .map(Event::Resumed),
            (false, Some(created)) => Some(Event::Created(Box::new(created))),
            (false, None) => {
                let gone = format!(
                    "{}: the log that was there has gone",
                    run_dir::log(dir.path()).display()
                );
                return Err(Failure::machine(anyhow!(gone)));
            }
        };
        let Some(event) = event else {
            return self.show_again(&logged, dir.path(), &mut console);
        };
        let seating = match (&event, logged.first().map(|first| &first.event)) {
            (Event::Created(created), _) | (_, Some(Event::Created(created))) => {
                room.seat(&loaded, &created.agents, &materials.commands)?
            }
            _ => unreachable!("a log begins with what was created"),
        };
        let (log, at, entries) = (run_dir::log(dir.path()), machine::now(), [Entry::from(event)]);
        let store = match resumed {
            true => Store::open(&log, &logged).and_then(|mut store| store.append(&entries, &at).map(|()| store)),
            false => Store::create(&log, &entries[0], &at),
        };
        let store = store.map_err(Failure::machine)?;
        let events = logged
            .iter()
            .map(|logged| &logged.event)
            .chain(entries.iter().map(|entry| &entry.event));
        let state = State::fold(events).map_err(Failure::machine)?;
        if resumed {
            let (planned, done) = state.progress();
            console.say(&format!("going on: {done} of {planned} scheduled games are finished"));
            if let Some(paused) = playing_is_held(&state) {
                console.say(&paused);
            }
        }
        let created_at = logged.first().map_or(at, |first| first.at.clone());
        let ends = open_run::ends(&logged).map_err(Failure::machine)?;
        self.play(Session {
            state,
            store,
            materials,
            seating,
            dir,
            created_at,
            console,
            resumed,
            ends,
            stops,
            desk,
        })
    }

    fn mode(&self) -> Mode {
        match (self.quiet, self.json) {
            (true, _) => Mode::Quiet,
            (_, true) => Mode::Json,
            _ if std::io::stderr().is_terminal() => Mode::Bars,
            _ => Mode::Lines,
        }
    }

    fn take_directory(&self, path: &Path) -> Result<(RunDir, Option<PathBuf>), Failure> {
        let machine = |error: DirError| match error {
            DirError::Locked(_) => Failure::usage(error),
            DirError::Io { .. } | DirError::Named(_) => Failure::machine(error),
        };
        let dir = RunDir::take(path).map_err(machine)?;
        let aside = match self.fresh {
            true => run_files::keep_aside(&dir).map_err(machine)?,
            false => None,
        };
        Ok((dir, aside))
    }

    fn play(&self, session: Session) -> Result<Exit, Failure> {
        let Session {
            state,
            store,
            materials,
            seating,
            dir,
            created_at,
            console,
            resumed,
            ends,
            stops,
            desk,
        } = session;
        let by_number = &state.created().order;
        let agents = Agents {
            commands: RwLock::new(
                by_number
                    .iter()
                    .map(|&entry| materials.commands[entry].clone())
                    .collect(),
            ),
            start_attempts: state.setup().engine.start_attempts,
            evidence: state.setup().run.evidence,
            cores: seating.slots(),
            tablebases: materials.tablebases,
            verdicts: Verdicts::default(),
        };
        let openings = OpeningPlan::new(state.setup(), materials.openings);
        let publisher = Publisher::start(dir.path(), &state, &created_at, Some(&seating)).map_err(Failure::machine)?;
        console.begin(&state, resumed);
        let mut readers = Readers {
            console,
            publisher,
            desk,
        };
        let (conductor, stopper) = Conductor::new(state, openings, agents, store, ends).map_err(Failure::machine)?;
        readers.desk.conduct(stopper.clone());
        stops.conduct(stopper);
        let conducted = conductor.run(&mut readers);
        let Readers {
            mut console,
            publisher,
            mut desk,
        } = readers;
        desk.close();
        console.end();
        let (ended, state, store) = conducted.map_err(Failure::machine)?;
        let published = publisher.finish(&state);
        if let Err(error) = store.settle() {
            console.say(&format!(
                "note: the log keeps its -wal file beside it for now ({error})"
            ));
        }
        published.map_err(|error| Failure::machine(words::unpublished(&state, &error)))?;
        say_what_is_left_out(&state, &console);
        console.result(
            &state,
            match ended {
                Ended::Complete => "complete",
                Ended::Decision => "decision",
                Ended::NoPairing(_) => "no-pairing",
                Ended::Stopped | Ended::StoppedAtOnce | Ended::AfterRound => "interrupted",
            },
        );
        if let Ended::NoPairing(why) = &ended {
            self.print_standings(&state, dir.path())?;
            return Err(Failure::waits_for_the_arbiter(no_pairing(&state, why)));
        }
        if ended == Ended::Decision {
            self.print_standings(&state, dir.path())?;
            self.say_what_is_asked(&state, dir.path());
            return Ok(Exit::Inconclusive);
        }
        if ended != Ended::Complete {
            let again = format!("the same command goes on where it stopped: swissmatch {}", again());
            if !self.quiet {
                // Whoever read this may have gone by the same Ctrl-C.
                let what = if ended == Ended::AfterRound {
                    "stopped after the round, as the arbiter asked"
                } else {
                    "interrupted"
                };
                let _ = writeln!(std::io::stderr(), "{what}; {again}");
            }
            return Ok(Exit::Interrupted);
        }
        self.conclude(&state, dir.path())
    }

    /// The tie that is left to the arbiter, and how to decide it.
    fn say_what_is_asked(&self, state: &State, dir: &Path) {
        if self.quiet {
            return;
        }
        for line in playoff::status(state) {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
        // Whoever read this may have gone.
        let _ = writeln!(
            std::io::stderr(),
            "the event waits for a decision: `swissmatch arbiter decide {}`; then the same command goes on: swissmatch {}",
            dir.display(),
            again()
        );
    }

    /// A run that is over and stays as it is: its files are seen to, and its standings shown.
    fn show_again(&self, logged: &[Logged], dir: &Path, console: &mut Console) -> Result<Exit, Failure> {
        let state = State::fold(logged.iter().map(|logged| &logged.event)).map_err(Failure::machine)?;
        let publisher = Publisher::start(dir, &state, &logged[0].at, None).map_err(Failure::machine)?;
        console.begin(&state, true);
        console.say("this event has been played to its end (--fresh would play it anew)");
        console.end();
        let published = publisher.finish(&state);
        // A runner may have ended before it merged the log. Where a reader holds it, it is complete all the same.
        let _ = Store::merge(&run_dir::log(dir));
        published.map_err(Failure::machine)?;
        say_what_is_left_out(&state, console);
        console.result(&state, "complete");
        self.conclude(&state, dir)
    }

    fn print_standings(&self, state: &State, dir: &Path) -> Result<(), Failure> {
        if self.quiet || self.json {
            return Ok(());
        }
        let table = match report::tour::report(state) {
            Some((page, _)) => page.text(machine::columns()),
            None => report::parts::standings(state, state.rounds_over()).text(machine::columns()),
        };
        let mut out = std::io::stdout().lock();
        let playoff = playoff::text(state, machine::columns()).map_or_else(String::new, |text| format!("\n{text}"));
        writeln!(out, "{table}{playoff}\nFiles: {}", dir.display()).map_err(Failure::machine)
    }

    /// The last words on an event that is over.
    fn conclude(&self, state: &State, dir: &Path) -> Result<Exit, Failure> {
        self.print_standings(state, dir)?;
        Ok(if no_shows(state).is_empty() {
            Exit::Done
        } else {
            Exit::AgentsAtFault
        })
    }
}

/// Adds the late entries of a run that is to go on to the players of its event file.
fn take_in_late_entries(loaded: &mut Loaded, logged: &[Logged]) {
    for Logged { event, .. } in logged {
        if let Event::Acted(acted) = event
            && let Act::Enter { player, .. } = &acted.act
        {
            loaded.setup.players.push((**player).clone());
        }
    }
}

/// A run that is about to go on.
struct Session {
    state: State,
    store: Store,
    materials: Materials,
    seating: Seating,
    dir: RunDir,
    created_at: String,
    console: Console,
    resumed: bool,
    /// When what has been played ended.
    ends: Ends,
    stops: StopRequests,
    /// Closed before the directory is let go.
    desk: OpenDesk,
}

/// Says why a file of the run is not there, or does not show everything.
fn say_what_is_left_out(state: &State, console: &Console) {
    if let Some(note) = super::views::under_embargo(state) {
        console.say(&format!("note: {note}"));
    }
    if let Err(reason) = publish::tournament(state) {
        console.say(&format!("note: no {}: {reason}", publish::TOURNAMENT));
    }
}

/// The first event of a new run. Every agent is started once, so that its options can be checked.
fn create(
    loaded: &Loaded,
    materials: &Materials,
    tour: Option<Vec<TourEvent>>,
    room: &Room,
    console: &Console,
) -> Result<Created, Failure> {
    let setup = &loaded.setup;
    if let Some(said) = super::roster::honour_lock(loaded, materials)? {
        console.say(&said);
    }
    let players = u32::try_from(setup.players.len()).map_err(Failure::usage)?;
    let plan = setup.plan();
    // "The list of tie-breaks and variations are printed and locked before round 1": they decide results, so they stay.
    if tour.is_none() {
        let order: Vec<String> = setup.standings.order.iter().map(ToString::to_string).collect();
        console.say(&format!("ranked by {}", order.join(", ")));
    }
    console.say(&format!("checking {players} agents"));
    let introductions = agents::introduce(&materials.commands, room.at_once()).map_err(Failure::machine)?;
    let mut agents = Vec::new();
    for (index, introduction) in introductions.into_iter().enumerate() {
        let name = &setup.players[index].name;
        let introduction = match introduction {
            Ok(introduction) => Some(introduction),
            Err(StartFailure::Option(refused)) => {
                return Err(seats::option_refused(
                    loaded,
                    index,
                    &materials.commands[index],
                    &refused,
                ));
            }
            Err(failure @ StartFailure::TooLong) => {
                let error = loaded.error_at_player(index, "player.args", failure.to_string());
                return Err(Failure::usage(error));
            }
            Err(failure @ StartFailure::Host(_)) => return Err(Failure::machine(anyhow!("{name}: {failure}"))),
            Err(failure) => {
                let failure = escape(failure.to_string().as_bytes());
                console.warn(&format!(
                    "{name} does not start: {failure}; its games will be forfeited"
                ));
                None
            }
        };
        let command = &materials.commands[index];
        let agent = agents::agent(command, materials.files[index].clone(), introduction.as_ref());
        // One that starts by changing what it is made of could not be gone on with.
        let player = &setup.players[index];
        if let Ok(now) = agents::hash_files(command, player) {
            for line in changed_files(player, &agent, &now, command) {
                console.warn(&format!("{line}; the run goes on only while it stays as it was"));
            }
        }
        agents.push(agent);
    }
    for warning in seats::options_left_out(setup, &agents) {
        console.warn(&warning);
    }
    if plan.format == Format::AllPlayAll {
        console.say(&format!(
            "{players} players in {} rounds: every opponent once, by Berger tables",
            plan.rounds
        ));
    }
    Ok(Created {
        log_version: LOG_VERSION,
        software: env!("CARGO_PKG_VERSION").to_owned(),
        setup: setup.clone(),
        rounds: plan.rounds,
        format: plan.format,
        order: roster::starting_order(&setup.players, setup.swiss.seeding, setup.event.rng_seed),
        agents,
        openings: materials.suite.clone(),
        tour,
    })
}

/// The event that takes up a run, refused when its results would no longer be those of one event. There is nothing to take
/// up when the run is over and nothing has changed.
fn resume(
    loaded: &Loaded,
    materials: &Materials,
    tour: Option<&Vec<TourEvent>>,
    logged: &[Logged],
    dir: &Path,
    console: &Console,
) -> Result<Option<Resumed>, Failure> {
    let state = State::fold(logged.iter().map(|logged| &logged.event)).map_err(Failure::machine)?;
    let changes = config::difference(state.setup(), &loaded.setup);
    let mut refused: Vec<String> = changes
        .iter()
        .filter(|change| change.class == Class::Results)
        .map(describe)
        .collect();
    // With other players their files cannot be compared one by one, and need not be.
    if refused.is_empty() {
        let created = state.created();
        let of_each = loaded.setup.players.iter().zip(&created.agents).zip(&materials.files);
        for (entry, ((player, agent), files)) in of_each.enumerate() {
            let lines = changed_files(player, agent, files, &materials.commands[entry]);
            let number = created
                .order
                .iter()
                .position(|&of| of == entry)
                .map(PairingNumber::from_index);
            let is_gone = number.is_some_and(|number| state.orders().gone.contains_key(&number));
            if loaded.setup.presence.check == PresenceCheck::BeforeEachRound || is_gone {
                // "A registered agent with unchanged hash": it is absent from the next pairing on.
                lines.iter().for_each(|line| console.warn(line));
            } else {
                refused.extend(lines);
            }
        }
        let (old, new) = (&state.created().openings, &materials.suite);
        if old.sha256 != new.sha256 {
            refused.push(format!("the openings {} are not what they were", new.source));
        }
        if state.created().tour.as_ref() != tour {
            refused.push("the events of the tour are not what they were".to_owned());
        }
    }
    if !refused.is_empty() {
        let list: String = refused.iter().map(|line| format!("\n  {line}")).collect();
        return Err(Failure::usage(anyhow!(
            "{} holds a run of this event as it was before; going on would mix two events. What differs:{list}\n\
             Undo the change to go on, or start anew with --fresh (the old run is kept aside), or play into another \
             directory with --out.",
            dir.display()
        )));
    }
    for change in &changes {
        console.say(&format!("changed since the run began: {}", describe(change)));
    }
    if state.is_over() && changes.is_empty() {
        return Ok(None);
    }
    Ok(Some(Resumed {
        software: env!("CARGO_PKG_VERSION").to_owned(),
        setup: loaded.setup.clone(),
    }))
}

fn describe(change: &KeyChange) -> String {
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
    format!("{}: was {}, is {}", change.key, value(&change.old), value(&change.new))
}

/// What of a player's agent is not as it was, one sentence each.
fn changed_files(player: &PlayerKeys, agent: &Agent, now: &[FileHash], command: &EngineCommand) -> Vec<String> {
    let lines = agents::changed_files(&agent.files, now, command, player);
    lines
        .into_iter()
        .map(|line| format!("{}: {line}", player.name))
        .collect()
}
