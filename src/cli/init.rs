//! `swissmatch init ENGINE…`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::Args;

use swiss_system::count;
use swissmatch_config::{INIT_PROMPT, InitModels, InitPlayer, NewEvent, PRESETS};
use swissmatch_game::time_control::TimeControl;
use swissmatch_game::well_known::{interpreted, is_interpreter};
use swissmatch_host::{files, machine};
use swissmatch_run::error::NotStarted;
use swissmatch_run::offered::{self, OfferedModels};
use swissmatch_run::try_out::try_out;

use super::exit::{Exit, Failure};
use super::output::print;

/// A preset of a tour file, which has no players.
const OF_TOURS: &str = "gct-tour";
/// Where an event file is that goes to standard output, as messages name it.
const ELSEWHERE: &str = "event.toml";

/// Write an event file to start from
///
/// Writes a short event file with the players named and the keys that are changed most often. With its values, a first
/// event takes two minutes at most, or little more. `swissmatch config EVENT.toml` shows every key.
///
/// Engines are commands, as in an event file: a name to look up, or a path. Put a command with arguments in quotation
/// marks: "greedy --x 5". If no engine is given, agents that ship with swissmatch are entered. Each engine is started once
/// and has to answer `uci` and `isready`; a well-known engine that needs an argument for that, such as gnuchess, gets it.
/// It has the name that it says. If it starts only in its own directory, that becomes its `dir`. If an engine does not
/// start at all, nothing is written, and the exit code is 3.
///
/// With --endpoint, language models of a service enter, too: those that --model names, or the first eight that the service has;
/// the others are named. Nothing is asked but the list of its models. If the template of their prompt is not there, one is
/// written beside the event file; docs/models.md has the rest.
#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Engines to enter: names such as stockfish, or paths
    #[arg(value_name = "ENGINE")]
    engines: Vec<String>,
    /// Write to this file instead of standard output; an existing file is not overwritten
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The rules to play by; `swissmatch config --preset NAME` shows them
    #[arg(long, value_name = "NAME", value_parser = preset)]
    preset: Option<String>,
    /// Games of two players in one round
    #[arg(long, value_name = "N", value_parser = games)]
    games: Option<u32>,
    /// Time for each move or game, such as 1s/move or 10+0.1
    #[arg(long, value_name = "TIME")]
    time_control: Option<TimeControl>,
    /// Enter models of this service, which speaks as OpenAI's chat completions do, such as http://127.0.0.1:8000/v1
    #[arg(long, value_name = "URL", requires = "output")]
    endpoint: Option<String>,
    /// A model to enter, by the service's name for it; may be given several times
    #[arg(long = "model", value_name = "NAME", requires = "endpoint")]
    models: Vec<String>,
    /// The environment variable with the service's key
    #[arg(long, value_name = "VARIABLE", requires = "endpoint")]
    key_env: Option<String>,
    /// The template of the prompt, relative to the event file; if it is there, it is used as it is
    #[arg(long, value_name = "FILE", default_value = "move.jinja")]
    prompt: String,
    /// Write the file even if an engine does not start
    #[arg(long)]
    go_on: bool,
}

fn preset(name: &str) -> Result<String, String> {
    let mut names: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
    names.retain(|name| *name != OF_TOURS);
    match names.contains(&name) {
        true => Ok(name.to_owned()),
        false => Err(format!("the presets are {}", names.join(", "))),
    }
}

fn games(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(games @ 1..=10_000) if games == 1 || games % 2 == 0 => Ok(games),
        _ => Err("write 1 or an even number".to_owned()),
    }
}

impl InitArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        machine::on_stop_signals(|| std::process::exit(Exit::Interrupted.code().into())).map_err(Failure::machine)?;
        if let Some(path) = self.output.as_ref().filter(|path| path.symlink_metadata().is_ok()) {
            return Err(is_there(path));
        }
        let engines: Vec<InitPlayer> = self.engines.iter().map(|command| player(command)).collect();
        let offered = self.offered()?;
        let left_out = offered.as_ref().and_then(|offered| offered.left_out.clone());
        let models = offered.zip(self.endpoint.as_deref());
        let models =
            models.map(|(offered, url)| InitModels::new(url, self.key_env.as_deref(), &self.prompt, offered.models));
        let mut event = NewEvent {
            preset: self.preset.clone(),
            games: self.games,
            time_control: self.time_control.clone(),
            ..NewEvent::of(&engines, models)
        };
        let path = self.output.as_deref().unwrap_or(Path::new(ELSEWHERE));
        // Whoever read this may have gone.
        let say = |line: &str| drop(writeln!(std::io::stderr(), "{line}"));
        left_out.iter().for_each(|left_out| say(left_out));
        match event.filled_up.as_slice() {
            [] => {}
            [one] => say(&format!(
                "An event needs two players: {one}, which comes with swissmatch, is entered too."
            )),
            several => say(&format!(
                "No engine was named: {}, which come with swissmatch, are entered.",
                several.join(" and ")
            )),
        }
        if !event.players.is_empty() {
            say(&format!(
                "checking {}",
                count::of(event.players.len(), "agent", "agents")
            ));
        }
        let failed = try_out(&mut event, path)?;
        if !failed.is_empty() && !self.go_on {
            return Err(refused(&failed));
        }
        failed.iter().for_each(|dead| say(&format!("warning: {dead}")));
        let file = event.file();
        if self.endpoint.is_some() {
            say(&self.have_prompt(path)?);
        }
        match &self.output {
            None => {
                print(&file.text);
            }
            Some(path) => files::write_new(path, &file.text).map_err(|error| match error.kind() {
                std::io::ErrorKind::AlreadyExists => is_there(path),
                _ => unwritten(path, &error),
            })?,
        }
        file.lowered.iter().for_each(|lowered| say(lowered));
        if let Some(path) = &self.output {
            say(&format!("Wrote {0}. Play it: swissmatch run {0}", path.display()));
        }
        Ok(Exit::Done)
    }
}

impl InitArgs {
    /// The models that enter, where there is a service.
    fn offered(&self) -> Result<Option<OfferedModels>, Failure> {
        let Some(url) = &self.endpoint else { return Ok(None) };
        offered::models(url, self.key_env.as_deref(), &self.models)
            .map(Some)
            .map_err(Failure::usage)
    }

    /// Writes a template of the prompt of the event file at `path`, if there is none; what became of it, in a sentence.
    fn have_prompt(&self, path: &Path) -> Result<String, Failure> {
        let prompt = path.parent().unwrap_or(path).join(&self.prompt);
        let shown = prompt.display();
        match files::write_new(&prompt, INIT_PROMPT) {
            Ok(()) => Ok(format!("Wrote {shown}, the template of the models' prompt.")),
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
                Ok(format!("The models are asked by {shown}, which is there already."))
            }
            Err(error) => Err(unwritten(&prompt, &error)),
        }
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> Failure {
    Failure::machine(anyhow!("{}: {error}", path.display()))
}

fn is_there(path: &Path) -> Failure {
    Failure::usage(anyhow!("{} is there already", path.display()))
}

/// That nothing is written, and why.
fn refused(failed: &[NotStarted]) -> Failure {
    let failed: Vec<String> = failed.iter().map(ToString::to_string).collect();
    Failure {
        exit: Exit::AgentsAtFault,
        error: anyhow!(
            "{}\nNothing was written. With --go-on the event file is written all the same.",
            failed.join("\n")
        ),
    }
}

/// One engine, with its arguments where the name of no file was given but a line as for a shell.
fn player(line: &str) -> InitPlayer {
    let words = match Path::new(line).exists() {
        true => None,
        false => shlex::split(line),
    };
    let mut words = words.unwrap_or_else(|| vec![line.to_owned()]).into_iter();
    let command = words.next().unwrap_or_else(|| line.to_owned());
    let args: Vec<String> = words.collect();
    // Where it says no name itself. What runs others is nobody's name.
    let program = match is_interpreter(&command) {
        true => interpreted(&args).unwrap_or("agent"),
        false => &command,
    };
    let stem = Path::new(program).file_stem().unwrap_or_default();
    InitPlayer {
        name: stem.to_string_lossy().into_owned(),
        command,
        args,
        dir: None,
    }
}
