//! `swissmatch check AGENT`, `swissmatch check --all EVENT.toml`

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use anyhow::anyhow;
use clap::Args;

use crate::config::Loaded;
use crate::game::conformance::{Finding, Verdict};
use crate::game::opening::OpeningSuite;
use crate::game::transcript::escape;
use crate::report::check::{self as report, Light, Listed, Report};
use crate::run::check::{self, Opponent, Subject};
use crate::run::eligibility as file;
use crate::shell::engine::EngineCommand;
use crate::shell::threads;
use crate::shell::topology::Topology;
use crate::shell::{files, machine};
use crate::tournament::eligibility::{Eligible, Made, Records, Why, of};
use crate::tournament::event::{FileHash, Suite};
use crate::tournament::setup::PlayerKeys;

use super::eligibility::{baseline, blank_entry, records};
use super::exit::{Exit, Failure};
use super::prepare::{self, Overrides, directory_of};
use super::views::print;

/// Check whether an agent can play: protocol, positions, time, memory, games; and whether it qualifies
///
/// Starts the agent and looks at it step by step: handshake, options, isready, stop, quit, a legal move in positions of every
/// kind, time keeping, the same search twice, a game against itself, memory; with a baseline also a mini-match against it. Each
/// step passes, warns or fails, with what was seen and what to do.
///
///   swissmatch check stockfish
///   swissmatch check ./agent.py --option Hash=64 -- --weights net.bin
///   swissmatch check ./agent --against random-mover --games 20 --score 0.75
///   swissmatch check --event event.toml --player "My agent"
///   swissmatch check --all event.toml                  every player, and a light for each
///   swissmatch check --all event.toml --only-stale     those without a current, passed check
///
/// With an event the limits, options and the baseline are those of the event file ([eligibility]), and what a player's check came
/// to is kept in eligibility.record: with eligibility.required = true nobody plays without it.
///
/// Exit codes: 0 passed (warnings included), 1 failed, 2 the machine kept the check from its end, 4 wrong usage.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Check {
    /// The agent: a name to look up, or a path
    #[arg(value_name = "AGENT", required_unless_present_any = ["event", "all"], conflicts_with_all = ["event", "all"])]
    agent: Option<String>,
    /// Its arguments
    #[arg(value_name = "ARGS", last = true, conflicts_with_all = ["event", "all"])]
    args: Vec<String>,
    /// A UCI option of the agent; may be given several times
    #[arg(long = "option", value_name = "NAME=VALUE", conflicts_with_all = ["event", "all"])]
    options: Vec<String>,
    /// Check a player of this event
    #[arg(long, value_name = "EVENT.toml", requires = "player", conflicts_with = "all")]
    event: Option<PathBuf>,
    /// Which player
    #[arg(long, value_name = "NAME", requires = "event")]
    player: Option<String>,
    /// Check every player of this event
    #[arg(long, value_name = "EVENT.toml")]
    all: Option<PathBuf>,
    /// Leave out players whose last check passed and still holds
    #[arg(long, requires = "all")]
    only_stale: bool,
    /// Play a baseline to qualify (eligibility.baseline): a name to look up, or a path
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// Games against it (eligibility.games)
    #[arg(long, value_name = "N")]
    games: Option<String>,
    /// Share of their points that is required, from 0 to 1 (eligibility.score)
    #[arg(long, value_name = "SHARE")]
    score: Option<String>,
    /// Limits of the check's games (eligibility.time_control)
    #[arg(long, value_name = "LIMIT")]
    time_control: Option<String>,
    /// Most memory of the agent's processes together, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_memory: Option<u64>,
    /// Write the report to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    overrides: Overrides,
}

/// A player to be checked.
struct Entry {
    player: PlayerKeys,
    command: EngineCommand,
    made: Made,
}

impl Entry {
    fn new(player: &PlayerKeys, loaded: &Loaded, (command, files): (EngineCommand, Vec<FileHash>)) -> Self {
        Self {
            made: Made::of(player, &loaded.setup, files),
            player: player.clone(),
            command,
        }
    }
}

impl Check {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        machine::on_stop_signals(|| std::process::exit(Exit::Interrupted.code().into())).map_err(Failure::machine)?;
        match (&self.agent, &self.event, &self.all) {
            (_, _, Some(path)) => self.check_all(path),
            (_, Some(path), _) => self.check_player(path, self.player.as_deref().unwrap_or_default()),
            (Some(agent), ..) => self.check_agent(agent),
            (None, None, None) => Err(Failure::usage(anyhow!("name an agent, or an event with --all"))),
        }
    }

    /// Values of flags that stand for keys.
    fn flags(&self) -> Vec<(String, String)> {
        let against = self.against.as_ref();
        let baseline = against.map(|command| format!("{{ command = {} }}", toml::Value::from(command.as_str())));
        let flags = [
            ("eligibility.baseline", baseline),
            ("eligibility.games", self.games.clone()),
            ("eligibility.score", self.score.clone()),
            ("eligibility.time_control", self.time_control.clone()),
        ];
        let given = flags.into_iter();
        given
            .filter_map(|(key, value)| Some((key.to_owned(), value?)))
            .collect()
    }

    /// An agent without an event: the keys of an engine match, with some margin.
    fn check_agent(&self, agent: &str) -> Result<Exit, Failure> {
        let mut options = Vec::new();
        for pair in &self.options {
            let (name, value) = pair
                .split_once('=')
                .ok_or_else(|| Failure::usage(anyhow!("--option {pair}: write NAME=VALUE, such as Hash=64")))?;
            let [name, value] = [name, value].map(|text| toml::Value::from(text.trim()).to_string());
            // A key is quoted like a string of one line.
            options.push(format!("{name} = {value}"));
        }
        let text = format!(
            "preset = \"none\"\ngame.margin = \"50ms\"\ngame.move_overhead = \"50ms\"\n\
             [[player]]\nname = \"agent\"\ncommand = \"agent\"\noptions = {{ {} }}\n\
             [[player]]\nname = \"baseline\"\ncommand = \"baseline\"\n",
            options.join(", ")
        );
        let loaded = self.overrides.load_text(Path::new("--option"), &text, self.flags())?;
        let mut loaded = loaded.given_by(&escape(agent.as_bytes()));
        let directory = std::env::current_dir().map_err(Failure::machine)?;
        let first = &mut loaded.setup.players[0];
        *first = PlayerKeys {
            args: self.args.clone(),
            options: first.options.clone(),
            ..blank_entry(agent, agent)
        };
        let entry = self.entry(&loaded, 0, &directory)?;
        let opponent = baseline(&loaded, &directory)?;
        let report = self.check(&loaded, &directory, &entry, opponent.as_ref())?;
        self.tell(&report)
    }

    /// One player of an event.
    fn check_player(&self, path: &Path, name: &str) -> Result<Exit, Failure> {
        let loaded = self.overrides.load_with(path, self.flags())?;
        let directory = directory_of(path)?;
        let mut players = loaded.setup.players.iter();
        let index = players.position(|player| player.name == name).ok_or_else(|| {
            let names: Vec<String> = loaded
                .setup
                .players
                .iter()
                .map(|player| escape(player.name.as_bytes()))
                .collect();
            Failure::usage(anyhow!(
                "{} has no player {name:?}; it has {}",
                path.display(),
                names.join(", ")
            ))
        })?;
        let (record, _) = records(&loaded, &directory)?;
        let entry = self.entry(&loaded, index, &directory)?;
        let opponent = baseline(&loaded, &directory)?;
        let report = self.check(&loaded, &directory, &entry, opponent.as_ref())?;
        keep(&loaded, &record, &report)?;
        self.tell(&report)
    }

    fn entry(&self, loaded: &Loaded, index: usize, directory: &Path) -> Result<Entry, Failure> {
        let found = prepare::agent_of(loaded, index, directory)?;
        Ok(Entry::new(&loaded.setup.players[index], loaded, found))
    }

    fn check(
        &self,
        loaded: &Loaded,
        directory: &Path,
        entry: &Entry,
        opponent: Option<&Opponent>,
    ) -> Result<Report, Failure> {
        let (suite, source, _) = prepare::openings(loaded, directory)?;
        let shows = std::io::stderr().is_terminal();
        let subject = self.subject(loaded, entry, opponent, (&suite, &source));
        Ok(check::check(&subject, &mut |finding: &Finding| {
            if shows {
                // Whoever read this may have gone.
                let _ = writeln!(std::io::stderr(), "{} …", finding.step.name());
            }
        }))
    }

    fn subject<'a>(
        &self,
        loaded: &'a Loaded,
        entry: &Entry,
        opponent: Option<&'a Opponent>,
        openings: (&'a OpeningSuite, &'a Suite),
    ) -> Subject<'a> {
        Subject {
            setup: &loaded.setup,
            player: entry.player.clone(),
            command: entry.command.clone(),
            made: entry.made.clone(),
            baseline: opponent,
            openings,
            max_memory: self.max_memory.map(|mebibytes| mebibytes * 1024 * 1024),
        }
    }

    /// Every player of an event, several at once.
    fn check_all(&self, path: &Path) -> Result<Exit, Failure> {
        let loaded = self.overrides.load_with(path, self.flags())?;
        let directory = directory_of(path)?;
        let setup = &loaded.setup;
        let (record, known) = records(&loaded, &directory)?;
        let opponent = baseline(&loaded, &directory)?;
        let (suite, source, _) = prepare::openings(&loaded, &directory)?;
        let entries: Vec<Result<Entry, String>> = (0..setup.players.len())
            .map(|index| {
                self.entry(&loaded, index, &directory)
                    .map_err(|failure| failure.error.to_string())
            })
            .collect();
        let due: Vec<usize> = (0..entries.len())
            .filter(|index| match &entries[*index] {
                Ok(entry) => !self.only_stale || standing(&known, entry, opponent.as_ref()).is_err(),
                Err(_) => false,
            })
            .collect();
        let at_once = at_once(&loaded, &entries)?.min(due.len().max(1));
        let (done, reports) = mpsc::channel::<(usize, Report)>();
        let next = AtomicUsize::new(0);
        let mut of_player: Vec<Option<Report>> = entries.iter().map(|_| None).collect();
        std::thread::scope(|scope| -> Result<(), Failure> {
            for _ in 0..at_once {
                let (done, next, due, entries) = (done.clone(), &next, &due, &entries);
                let (loaded, opponent, openings) = (&loaded, opponent.as_ref(), (&suite, &source));
                let started = threads::start_in(scope, move || {
                    while let Some(&index) = due.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let Ok(entry) = &entries[index] else { continue };
                        let subject = self.subject(loaded, entry, opponent, openings);
                        let report = check::check(&subject, &mut |_| {});
                        if done.send((index, report)).is_err() {
                            return;
                        }
                    }
                });
                if let Err(error) = started {
                    next.store(due.len(), Ordering::Relaxed);
                    return Err(Failure::machine(error));
                }
            }
            drop(done);
            for (count, (index, report)) in reports.iter().enumerate() {
                let name = escape(report.name.as_bytes());
                let (count, of) = (count + 1, due.len());
                let _ = writeln!(
                    std::io::stderr(),
                    "{count} of {of}: {name}: {}",
                    report::sentence(&report)
                );
                if let Err(failure) = keep(&loaded, &record, &report) {
                    // No further check is begun; those under way end.
                    next.store(due.len(), Ordering::Relaxed);
                    return Err(failure);
                }
                of_player[index] = Some(report);
            }
            Ok(())
        })?;
        let (_, known) = records(&loaded, &directory)?;
        let listed: Vec<Listed> = entries
            .iter()
            .zip(of_player)
            .zip(&setup.players)
            .map(|((entry, report), player)| Listed {
                name: player.name.clone(),
                standing: match (entry, report.as_ref().map(Report::verdict)) {
                    (Ok(_), Some(verdict @ Verdict::Inconclusive)) => Err(Why::Failed {
                        verdict,
                        steps: Vec::new(),
                    }),
                    (Ok(entry), _) => standing(&known, entry, opponent.as_ref()),
                    (Err(why), _) => Err(Why::Missing(why.clone())),
                },
                report,
            })
            .collect();
        let text = match self.json {
            true => report::list_json(&listed),
            false => report::list(&listed),
        };
        self.put(&text)?;
        let has = |light: Light| listed.iter().any(|player| player.light() == light);
        Ok(match (has(Light::Red), has(Light::Unclear)) {
            (true, _) => Exit::CheckFailed,
            (false, true) => Exit::Inconclusive,
            (false, false) => Exit::Done,
        })
    }

    fn tell(&self, report: &Report) -> Result<Exit, Failure> {
        let text = match self.json {
            true => report::json(report),
            false => report::text(report),
        };
        self.put(&text)?;
        Ok(match report.verdict() {
            Verdict::Passed | Verdict::Warned => Exit::Done,
            Verdict::Failed => Exit::CheckFailed,
            Verdict::Inconclusive => Exit::Inconclusive,
        })
    }

    fn put(&self, text: &str) -> Result<(), Failure> {
        match &self.out {
            Some(path) => files::write_whole(path, text).map_err(Failure::machine),
            None => print(text).map(|_| ()),
        }
    }
}

/// Keeps what a player's check came to. One that the machine kept from its end says nothing of the agent, and takes nothing
/// from what is there.
fn keep(loaded: &Loaded, path: &Path, report: &Report) -> Result<(), Failure> {
    if report.verdict() == Verdict::Inconclusive {
        return Ok(());
    }
    let record = report.record(machine::today(), loaded.setup.eligibility.valid_for);
    file::keep(path, &report.name, record).map_err(Failure::machine)
}

fn standing(known: &Records, entry: &Entry, opponent: Option<&Opponent>) -> Result<Eligible, Why> {
    let record = known.players.get(&entry.player.name);
    let terms = opponent.map(|opponent| &opponent.terms);
    of(record, &entry.made, terms, machine::today())
}

/// Checks at once: as many as games, of which each has a core for each thread of its agent.
fn at_once(loaded: &Loaded, entries: &[Result<Entry, String>]) -> Result<usize, Failure> {
    let threads = entries
        .iter()
        .flatten()
        .map(|entry| entry.command.options.threads_asked_for());
    let at_once = match loaded.setup.run.concurrency {
        Some(checks) => checks as usize,
        None => Topology::of_this_machine()
            .map_err(Failure::machine)?
            .at_once(threads.max().unwrap_or(1) as usize),
    };
    // Beside the two engines of a game there may be one that is asked by itself.
    let raised =
        machine::raise_descriptor_limit(2 * at_once, 0).and_then(|()| machine::raise_process_limit(2 * at_once));
    raised.map_err(|error| Failure::machine(anyhow!(error)))?;
    Ok(at_once)
}
