//! The roster of an event as it is now: to be locked, or compared with its lock.
//!
//! May not: hold a secret: of the values of variables and options it takes one hash for each player.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_host::directory::{DirectoryManifest, END};
use swissmatch_host::host::{AgentFound, AgentSpec};
use swissmatch_host::machine;
use swissmatch_host::store::sha256;
use swissmatch_report::moment::spoken;
use swissmatch_tournament::eligibility::FILES_OF_ITS_OWN;
use swissmatch_tournament::log::FileHash;
use swissmatch_tournament::setup::{ModelKeys, PlayerKeys};

use super::error::RunError;
use super::event_file::{EventFile, read_text};
use super::materials::Materials;
use super::notice::Notice;
use super::roster_lock::{Lock, LockedPlayer, Openings, VERSION, lines, path_of};

/// Compares a new run with the lock of its roster, where there is one, and says so.
///
/// # Errors
/// When anything differs, or the lock cannot be read.
pub(super) fn honour(event: &EventFile, materials: &Materials) -> Result<Option<Notice>, RunError> {
    let path = path_of(event.path());
    let Some(lock) = Lock::read(&path)? else {
        return Ok(None);
    };
    let differences = lock.differences(&Lock::now(event, materials)?);
    if differences.is_empty() {
        return Ok(Some(Notice::AsLocked {
            players: lock.player.len(),
            files: lock.files(),
            lock: path,
            locked_at: lock.locked_at,
        }));
    }
    Err(RunError::NotAsLocked(format!(
        "{}: the roster is not as it was locked at {}. What differs:{}\n\
         Put back what was locked, or lock the roster as it is now with `swissmatch roster lock {}`; \
         {FILES_OF_ITS_OWN}.",
        path.display(),
        spoken(&lock.locked_at),
        lines(&differences),
        event.loaded.file()
    )))
}

impl Lock {
    /// What an event is made of now; its materials have every file below a `player.dir`.
    ///
    /// # Errors
    /// When the event file cannot be read.
    pub fn now(event: &EventFile, materials: &Materials) -> Result<Self, RunError> {
        let file = event.path();
        let text = read_text(file)?;
        let (directory, suite) = (&event.directory, &materials.suite);
        let player = |(player, (agent, found)): (&PlayerKeys, (&AgentSpec, &AgentFound))| {
            let named = found.files.iter().filter(|file| !file.path.ends_with(END)).cloned();
            let named: Vec<FileHash> = named.collect();
            let below = found.manifests.iter().flat_map(DirectoryManifest::files);
            let below: Vec<FileHash> = below
                .filter(|file| named.iter().all(|named| named.path != file.path))
                .collect();
            let mut all = [named, below].concat();
            for file in &mut all {
                if let Ok(inside) = Path::new(&file.path).strip_prefix(directory) {
                    file.path = inside.display().to_string();
                }
            }
            let options = agent.options.for_all.keys().chain(agent.options.own.keys());
            LockedPlayer {
                name: player.name.clone(),
                submitted_at: player.submitted_at.map(|moment| moment.to_string()),
                program: found.program.clone(),
                options: options.cloned().collect::<BTreeSet<_>>().into_iter().collect(),
                env: player.env.keys().cloned().collect(),
                settings_sha256: settings(player, agent),
                file: all,
            }
        };
        let players = event.loaded.setup.players.iter();
        let players = players.zip(materials.agents.iter().zip(&materials.found)).map(player);
        let name = file.file_name().unwrap_or(file.as_os_str());
        Ok(Self {
            version: VERSION,
            software: env!("CARGO_PKG_VERSION").to_owned(),
            locked_at: machine::now(),
            event: FileHash {
                path: name.to_string_lossy().into_owned(),
                sha256: sha256(text.as_bytes()),
            },
            openings: Openings {
                source: suite.source.clone(),
                sha256: suite.sha256.clone(),
            },
            player: players.collect(),
        })
    }
}

/// SHA-256 of a JSON array of arguments, options and variables; of a model or a web service also what is asked, and how.
fn settings(player: &PlayerKeys, agent: &AgentSpec) -> String {
    let WantedOptions { own, for_all } = &agent.options;
    let mut all = vec![json!(player.args), json!(own), json!(for_all), json!(player.env)];
    if player.is_elsewhere() {
        let PlayerKeys { model, move_url, .. } = &agent.player;
        // What is kept and shown of it changes nothing of it.
        let model_keys = ModelKeys {
            keep: None,
            rationale: None,
            ..agent.player.model_keys.clone()
        };
        all.push(json!([model, model_keys, move_url]));
    }
    sha256(json!(all).to_string().as_bytes())
}
