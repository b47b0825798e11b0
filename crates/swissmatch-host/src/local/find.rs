//! Agents of this machine: found by the words of the event file, examined, started once.
//!
//! May not: play.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::adapter::template;
use crate::confine::grants::{Grants, is_its_own};
use crate::confine::isolator::{self, Isolator};
use crate::confine::shim::followed;
use crate::engine::EngineCommand;
use crate::gpus::Pool;
use crate::host::agent::names;
use crate::host::{AgentFound, AgentSpec, FindAgentError, HostError, IntroductionReport};
use crate::paths::resolved;
use crate::services::{Caller, Services};
use crate::this_program::OWN;
use crate::{agents, directory, machine};
use swissmatch_game::uci::{DeclaredOption, OptionKind, find_option};
use swissmatch_game::wanted::WantedOptions;
use swissmatch_tournament::setup::{Exec, MoveSource};

/// Finds agents, and settles how they are started.
#[derive(Debug)]
pub(super) struct Finder {
    /// The directory of the event file, from which agents' words lead.
    directory: PathBuf,
    isolator: Isolator,
    /// The services of players that are not programs here; `None` if agents only have to say what they are.
    services: Option<Arc<Services>>,
}

impl Finder {
    /// A finder for agents whose words lead from `directory`.
    pub(super) fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_path_buf(),
            isolator: Isolator::new(directory),
            services: None,
        }
    }

    /// Adds services that players ask.
    pub(super) fn with_services(self, services: Arc<Services>) -> Self {
        Self {
            services: Some(services),
            ..self
        }
    }

    /// Makes what isolated agents share, before the first of them is started.
    pub(super) fn make_ahead(&self) {
        self.isolator.make_ahead();
    }

    /// How to start an agent.
    ///
    /// # Errors
    /// Its program, its directory or a variable is missing, or the machine cannot isolate it.
    pub(super) fn command(&self, spec: &AgentSpec) -> Result<EngineCommand, FindAgentError> {
        let mut plain = self.words(spec)?;
        if let Some(services) = &self.services {
            let caller = Caller::new(services, &spec.player).map_err(FindAgentError::Service)?;
            plain.caller = caller.map(Arc::new);
        }
        let (program, directory) = (plain.launch.program.display().to_string(), &plain.launch.directory);
        let registered = spec.registered(&program, directory);
        // As for changes: what it writes itself is not part of it.
        let counted = registered.into_iter();
        let counted = counted.filter(|file| !is_its_own(&plain, &spec.player, Path::new(&file.path)));
        let counted = counted.collect();
        let from = spec.words_from.as_ref().map_or(self.directory.as_path(), Path::new);
        self.isolator.isolate(plain, spec, counted, &listed(spec, from)?)
    }

    /// Like [`Self::command`].
    ///
    /// # Errors
    /// Like [`Self::command`], with the player in question.
    pub(super) fn command_of_player(&self, spec: &AgentSpec) -> Result<EngineCommand, HostError> {
        self.command(spec).map_err(|why| HostError::Agent {
            player: spec.player.name.clone(),
            why,
        })
    }

    /// An agent by its words, not isolated; they lead from the directory of the command.
    fn words(&self, spec: &AgentSpec) -> Result<EngineCommand, FindAgentError> {
        let lacks = isolator::lacks(&spec.requires)
            .or_else(|| isolator::lacks_a_way_to_stop(spec))
            .or_else(|| isolator::lacks_a_way_to_refuse(spec));
        if let Some(why) = lacks {
            return Err(FindAgentError::Isolation(why));
        }
        let from = spec.words_from.as_ref().map_or(self.directory.as_path(), Path::new);
        let program = match spec.player.asks() {
            Some(MoveSource::Model(..)) => {
                let template = from.join(&spec.player.command);
                template::files(&template).map_err(FindAgentError::Template)?;
                template
            }
            // This program itself is started.
            Some(MoveSource::Url(_)) => PathBuf::from(OWN),
            Some(MoveSource::Command(_)) | None => {
                let program = agents::find_program(&spec.player.command, from);
                program.map_err(|error| FindAgentError::Command(error.to_string()))?
            }
        };
        let works_in = agents::working_directory(&spec.player, from).map_err(FindAgentError::Directory)?;
        let command = agents::command(spec, program, works_in);
        let mut command = command.map_err(|error| FindAgentError::Variable(error.to_string()))?;
        // In older runs its program is the shim.
        if spec.works_in.is_some() && !command.launch.asks_broker() {
            command.launch.program = {
                let is_handed_in = spec.player.submission.is_some();
                followed(&command.launch.program, &command.launch, is_handed_in)
            };
        }
        Ok(command)
    }

    /// Finds what an agent is made of.
    ///
    /// # Errors
    /// It is not there, or cannot be read.
    pub(super) fn find(&self, spec: &AgentSpec) -> Result<AgentFound, FindAgentError> {
        let command = self.words(spec)?;
        let mut files = agents::hash_files(&command, &spec.player).map_err(|error| unreadable(&error))?;
        let grants = Grants::new(&command, spec, &self.directory);
        let (mut manifests, mut leading_out) = (Vec::new(), Vec::new());
        for directory in &grants.directories {
            let mut contents = directory.look().map_err(|error| unreadable(&error))?;
            if !directory.is_whole {
                contents.leave_out_what_is_written();
            }
            let manifest = directory.manifest(&contents).map_err(|error| unreadable(&error))?;
            directory::remember(&manifest.text);
            files.push(manifest.hash());
            manifests.push(manifest);
            let leads_out = |link: &&PathBuf| !grants.may_read(&resolved(link));
            leading_out.extend(
                contents
                    .leading_out
                    .iter()
                    .filter(leads_out)
                    .map(|link| link.display().to_string()),
            );
        }
        let named = agents::named_paths(&command, &spec.player.env).into_iter();
        let named = named.filter(|path| is_its_own(&command, &spec.player, path));
        let places = spec
            .player
            .write
            .iter()
            .map(|name| resolved(&command.launch.directory.join(name)));
        Ok(AgentFound {
            program: match spec.player.asks() {
                Some(MoveSource::Url(url)) => url.to_owned(),
                _ => command.launch.program.display().to_string(),
            },
            directory: command.launch.directory.display().to_string(),
            left_out: spec.left_out.clone(),
            own: named.chain(places).map(|path| path.display().to_string()).collect(),
            patterns: agents::patterns(&command, &spec.player).map(str::to_owned).collect(),
            files,
            manifests,
            leading_out,
            interpreter: grants.interpreters.unlike,
            legal_moves: match spec.player.asks() {
                Some(MoveSource::Model(..)) => {
                    let shown = template::legal_moves(&command.launch.program);
                    Some(shown.map_err(FindAgentError::Template)?)
                }
                _ => None,
            },
        })
    }

    /// Starts each agent once, `at_once` at a time.
    ///
    /// # Errors
    /// An agent is no longer there, or the machine has no thread for it.
    pub(super) fn introduce(
        &self,
        specs: &[AgentSpec],
        at_once: usize,
        gpus: &Arc<Pool>,
    ) -> Result<Vec<IntroductionReport>, HostError> {
        let commands = specs.iter().map(|spec| self.command_of_player(spec));
        let commands: Vec<EngineCommand> = commands.collect::<Result<_, _>>()?;
        let started = agents::introduce(&commands, at_once, gpus);
        let started = started.map_err(|error| HostError::Machine(error.to_string()))?;
        // A run could not be continued with an agent whose files change when it starts.
        let changes = specs.par_iter().map(|spec| match spec.content.is_empty() {
            true => Vec::new(),
            false => self.find(spec).map_or_else(|_| Vec::new(), |now| now.changed(spec)),
        });
        let changes: Vec<Vec<String>> = changes.collect();
        let each = specs.iter().zip(&commands).zip(started).zip(changes);
        let introduced = each.map(|(((spec, command), started), changes)| IntroductionReport {
            no_names: started
                .said
                .as_ref()
                .map_or_else(|_| Vec::new(), |said| no_names(spec, &said.declared())),
            said: started
                .said
                .map(|said| agents::introduction(command, &said, started.unopened)),
            printed: started.printed,
            lacks: started.lacks,
            cause: started.cause,
            changes,
        });
        Ok(introduced.collect())
    }
}

/// What `exec` lists, found like commands; a directory stands for everything in it.
///
/// # Errors
/// There is no such program.
fn listed(spec: &AgentSpec, directory: &Path) -> Result<Vec<PathBuf>, FindAgentError> {
    let Exec::Own(words) = &spec.exec else {
        return Ok(Vec::new());
    };
    let found = words.iter().map(|word| match directory.join(word) {
        path if word.contains('/') && path.is_dir() => Ok(path),
        _ => agents::find_program(word, directory).map_err(|error| FindAgentError::Command(format!("exec: {error}"))),
    });
    found.collect()
}

/// Names that only stand in values of options that the engine does not declare as texts.
fn no_names(spec: &AgentSpec, declared: &[DeclaredOption]) -> Vec<String> {
    let is_text = |name: &str| {
        find_option(declared, name).is_none_or(|option| option.kind == OptionKind::String || option.is_unread())
    };
    let split = |options: &BTreeMap<String, String>| -> (BTreeMap<_, _>, BTreeMap<_, _>) {
        options.clone().into_iter().partition(|(name, _)| is_text(name))
    };
    let ((own, no_own), (for_all, no_for_all)) = (split(&spec.options.own), split(&spec.options.for_all));
    let of = |own, for_all| WantedOptions { own, for_all };
    let (texts, others) = (of(own, for_all), of(no_own, no_for_all));
    let named: BTreeSet<&str> = names(&spec.player.args, &texts, &spec.player.env).collect();
    let nothing = BTreeMap::new();
    let others = names(&[], &others, &nothing);
    others.filter(|name| !named.contains(name)).map(str::to_owned).collect()
}

fn unreadable(error: &io::Error) -> FindAgentError {
    match machine::is_short(error) || machine::is_broken(error) {
        true => FindAgentError::Machine(error.to_string()),
        false => FindAgentError::Unreadable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn what_the_machine_lacks_is_not_the_agents_doing() {
        let of = |errno: Errno| unreadable(&io::Error::from_raw_os_error(errno.raw_os_error()));
        assert!(matches!(of(Errno::MFILE), FindAgentError::Machine(_)));
        assert!(matches!(of(Errno::IO), FindAgentError::Machine(_)));
        assert!(matches!(of(Errno::NOENT), FindAgentError::Unreadable(_)));
        assert!(matches!(of(Errno::ACCESS), FindAgentError::Unreadable(_)));
    }
}
