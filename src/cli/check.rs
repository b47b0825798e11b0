//! `swissmatch check AGENT`, `swissmatch check --all EVENT.toml`

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;
use swiss_system::text::escaped;

use swissmatch_config::{ConfigError, Flag};
use swissmatch_game::conformance::{CheckVerdict, Finding};
use swissmatch_game::isolation::Isolation;
use swissmatch_host::{files, machine};
use swissmatch_report::check::{self as report, CheckReport, Light};
use swissmatch_report::compared::IsolationComparison;
use swissmatch_report::junit::{of_check, of_checks};
use swissmatch_run::EventFile;
use swissmatch_run::checks::Checks;
use swissmatch_run::eligibility::{self, blank_entry};
use swissmatch_tournament::setup::PlayerKeys;

use super::exit::{Exit, Failure};
use super::job::write;
use super::output::{missed, print};
use super::overrides::{EventLoadError, OverrideArgs};
use super::screen::confirmed;
use super::which_run::is_event_file;

/// Whether an agent can play, and whether it qualifies
///
/// Starts the agent and checks it step by step: handshake, options, isready, stop, quit, a legal
/// move in positions of every kind, time keeping, the same search twice, a game against itself,
/// memory; with a baseline, also a mini-match against it. Each step passes, warns or fails; the
/// report shows what was seen and says what to do.
///
///   swissmatch check stockfish
///   swissmatch check ./agent.py --option Hash=64 -- --weights net.bin
///   swissmatch check ./agent --against random-mover --games 20 --score 0.75
///   swissmatch check --event event.toml --player "My agent"
///   swissmatch check --all event.toml                  every player, one line for each
///   swissmatch check --all event.toml --only-stale     those without a current, passed check
///
/// With an event, the limits, the options and the baseline come from the event file
/// ([eligibility]). The outcome of a player's check is kept in eligibility.record; with
/// eligibility.required = true, nobody plays without a passed check.
///
/// A language model, or a player with move_url, is asked for two moves instead, of which the first
/// is a warm-up: whether it answers, as which model, how soon, by a legal move, and what a game of
/// it costs. These calls may cost money, and are in the ledger of no run.
///
/// Exit codes: 0 passed, perhaps with warnings; 1 failed; 2 the machine, or a service of the event,
/// kept the check from ending; 4 wrong usage.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct CheckArgs {
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
    /// Skip players whose last check passed and is still valid
    #[arg(long, requires = "all")]
    only_stale: bool,
    /// Play a baseline to qualify (eligibility.baseline): a name to look up, or a path
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,
    /// Games against it (eligibility.games)
    #[arg(long, value_name = "N")]
    games: Option<String>,
    /// Share of the points that the agent must score in them, from 0 to 1 (eligibility.score)
    #[arg(long, value_name = "SHARE")]
    score: Option<String>,
    /// Time control of the check's games (eligibility.time_control)
    #[arg(long, value_name = "LIMIT")]
    time_control: Option<String>,
    /// Most memory that all processes of the agent may use together, in MiB
    #[arg(long, value_name = "MIB", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    max_memory: Option<u64>,
    /// Write the report to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Start the agent by hand, too, without isolation, and tell what differs: its lines, its first move at fixed nodes, its speed
    #[arg(long, conflicts_with = "all")]
    compare_unisolated: bool,
    /// Do not ask before the agent is started without isolation
    #[arg(long, requires = "compare_unisolated")]
    yes: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Write a JUnit report to this file, too: a case for each step
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    #[command(flatten)]
    overrides: OverrideArgs,
}

impl CheckArgs {
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
    fn flags(&self) -> Vec<Flag> {
        let against = self.against.as_ref();
        let baseline = against.map(|command| format!("{{ command = {} }}", toml::Value::from(command.as_str())));
        let flags = [
            ("--against", "eligibility.baseline", baseline.as_ref()),
            ("--games", "eligibility.games", self.games.as_ref()),
            ("--score", "eligibility.score", self.score.as_ref()),
            ("--time-control", "eligibility.time_control", self.time_control.as_ref()),
        ];
        let given = flags.into_iter();
        given
            .filter_map(|(flag, key, value)| Some(Flag::new(flag, key, value?)))
            .collect()
    }

    /// An agent without an event: the keys of an engine match, with some margin.
    fn check_agent(&self, agent: &str) -> Result<Exit, Failure> {
        if is_event_file(Path::new(agent)) {
            return Err(Failure::usage(anyhow!(
                "{0} is an event file, not an agent; `swissmatch check --all {0}` checks its players",
                escaped(agent)
            )));
        }
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
             eligibility.time_control = \"100ms/move\"\n\
             [[player]]\nname = \"agent\"\ncommand = \"agent\"\noptions = {{ {} }}\n\
             [[player]]\nname = \"baseline\"\ncommand = \"baseline\"\n",
            options.join(", ")
        );
        let loaded = self.overrides.load_text(Path::new(agent), &text, self.flags());
        let loaded = loaded.map_err(typed)?.given_by(&escaped(agent));
        let directory = std::env::current_dir().map_err(Failure::machine)?;
        let mut event = EventFile { loaded, directory };
        let first = &mut event.loaded.setup.players[0];
        *first = PlayerKeys {
            args: self.args.clone(),
            options: first.options.clone(),
            ..blank_entry(agent, agent)
        };
        let checks = self.checks(event, false)?;
        self.may_compare(checks.isolation(0), agent)?;
        let report = checks.one(0, &mut self.heard())?;
        Ok(self.tell(&report, self.compared(&checks, 0)?.as_ref()))
    }

    /// One player of an event.
    fn check_player(&self, path: &Path, name: &str) -> Result<Exit, Failure> {
        let event = self.overrides.agents_of_event(path, self.flags())?;
        let mut players = event.loaded.setup.players.iter();
        let index = players.position(|player| player.name == name).ok_or_else(|| {
            let names: Vec<String> = event
                .loaded
                .setup
                .players
                .iter()
                .map(|player| escaped(&player.name))
                .collect();
            Failure::usage(anyhow!(
                "{} has no player {name:?}; it has {}",
                path.display(),
                names.join(", ")
            ))
        })?;
        eligibility::records(&event)?;
        let checks = self.checks(event, true)?;
        self.may_compare(checks.isolation(index), name)?;
        let report = checks.one(index, &mut self.heard())?;
        checks.keep(&report)?;
        Ok(self.tell(&report, self.compared(&checks, index)?.as_ref()))
    }

    fn checks(&self, event: EventFile, of_event: bool) -> Result<Checks, Failure> {
        let max_memory = self.max_memory.map(|mebibytes| mebibytes * 1024 * 1024);
        Ok(Checks::new(event, of_event, max_memory)?)
    }

    /// Every player of an event, several at once.
    fn check_all(&self, path: &Path) -> Result<Exit, Failure> {
        let checks = self.checks(self.overrides.agents_of_event(path, self.flags())?, true)?;
        let listed = checks.all(self.only_stale, &mut |count, of, report| {
            let name = escaped(&report.name);
            // Whoever read this may have gone.
            let _ = writeln!(
                std::io::stderr(),
                "{count} of {of}: {name}: {}",
                report::sentence(report)
            );
        })?;
        let text = match self.json {
            true => report::list_json(&listed),
            false => report::list(&listed, self.width()),
        };
        self.put(&text);
        if let Some(file) = &self.junit {
            write(file, of_checks(&listed));
        }
        let has = |light: Light| listed.iter().any(|player| player.light() == light);
        Ok(match (has(Light::Red), has(Light::Unclear)) {
            (true, _) => Exit::CheckFailed,
            (false, true) => Exit::Inconclusive,
            (false, false) => Exit::Done,
        })
    }

    /// That the agent may be started without isolation, where that is asked for: nobody starts a stranger's program so by mistake.
    fn may_compare(&self, isolation: Isolation, agent: &str) -> Result<(), Failure> {
        if !self.compare_unisolated {
            return Ok(());
        }
        if isolation == Isolation::Off {
            return Err(Failure::usage(anyhow!(
                "--compare-unisolated: {} is not isolated, so there is nothing to compare",
                escaped(agent)
            )));
        }
        if isolation == Isolation::Sealed {
            return Err(Failure::usage(anyhow!(
                "--compare-unisolated: {} is to be sealed, so it is never started without isolation",
                escaped(agent)
            )));
        }
        if self.yes {
            return Ok(());
        }
        let question = "starts without isolation, as you: it can read and change what you can. Go on?";
        match confirmed(&format!("{} {question}", escaped(agent))) {
            true => Ok(()),
            false => Err(Failure::usage(anyhow!(
                "--compare-unisolated starts {} without isolation, as you; --yes says that you trust it",
                escaped(agent)
            ))),
        }
    }

    fn compared(&self, checks: &Checks, index: usize) -> Result<Option<IsolationComparison>, Failure> {
        match self.compare_unisolated {
            true => Ok(Some(checks.compared(index)?)),
            false => Ok(None),
        }
    }

    fn tell(&self, report: &CheckReport, compared: Option<&IsolationComparison>) -> Exit {
        let text = match self.json {
            true => report::json(report, compared),
            false => {
                let compared = compared.map_or_else(String::new, |compared| format!("\n{}", compared.text()));
                report::text(report, self.width()) + &compared
            }
        };
        self.put(&text);
        if let Some(file) = &self.junit {
            write(file, of_check(report));
        }
        match report.verdict() {
            CheckVerdict::Passed | CheckVerdict::Warned => Exit::Done,
            CheckVerdict::Failed => Exit::CheckFailed,
            CheckVerdict::Inconclusive => Exit::Inconclusive,
        }
    }

    /// Columns of the terminal that the report goes to, if any.
    fn width(&self) -> Option<u16> {
        self.output.is_none().then(machine::columns).flatten()
    }

    /// Shows each step of a check when it is done; with JSON only on a terminal.
    fn heard(&self) -> impl FnMut(&Finding) + use<> {
        let shows = !self.json || std::io::stderr().is_terminal();
        move |finding| {
            if shows {
                // Whoever read this may have gone.
                let _ = writeln!(std::io::stderr(), "{} …", finding.step.name());
            }
        }
    }

    /// A report that its file does not take goes to standard output, so that nobody has checked for nothing.
    fn put(&self, text: &str) {
        match self.output.as_ref().map(|path| files::write_out(path, text)) {
            Some(Ok(())) => {}
            Some(Err(error)) => {
                missed(&error);
                print(text);
            }
            None => {
                print(text);
            }
        }
    }
}

/// What is wrong with what was typed, where there is no event file: its places are nowhere.
fn typed(error: EventLoadError) -> EventLoadError {
    match error {
        EventLoadError::Config(error) if error.place.is_some() => EventLoadError::Config(ConfigError {
            file: match error.key.starts_with("player.options") {
                true => "--option".to_owned(),
                false => error.file,
            },
            place: None,
            ..error
        }),
        other => other,
    }
}
