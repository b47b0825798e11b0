//! When two games are equal: the key of a game, which has everything that may change how it is played, and nothing
//! else.
//!
//! Games with one key have the same agents by content, the same opening, the same limits, and machines of one class.
//! The names and ratings of agents, and the places of their files, are not part of it. May not: read a file, or ask the
//! machine: a key made from a log must be the one that the host made.
//!
//! An agent that may depend on something that nobody looked at has no identity, and its games have no key:
//!
//! - its program is not known by its content, as with a host that has no files;
//! - it has a directory of its own (`player.dir`) whose manifest is not known, writes files (`player.write`), reaches the network
//!   (`player.connect`) or a device (`player.devices`);
//! - it is a model or a web service, which runs elsewhere;
//! - one of its variables comes from the runner's environment (`$NAME`);
//! - one of its words has a slash and is not a file or directory that was looked at, such as a file that the agent
//!   makes;
//! - one of its files was looked at, but none of its words names it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};

use super::agent::{AgentFile, AgentSpec};
use crate::directory::END;
use crate::paths::SEPARATORS;
use crate::store::sha256;
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{GameLimits, GameSpec};
use swissmatch_tournament::setup::Exec;

/// Grows when games that had the same key may be played differently.
const VERSION: u32 = 1;

/// The identity of an agent, from everything that may change how it plays: a SHA-256 in hexadecimal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity(String);

impl Identity {
    /// The identity of an agent; `None` if it may depend on something that nobody looked at.
    pub fn of(agent: &AgentSpec) -> Option<Self> {
        let player = &agent.player;
        let own_directory = content_of(&agent.content, ".");
        let reaches_outside = player.dir.is_some() != own_directory.is_some()
            || !player.write.is_empty()
            || !player.connect.is_empty()
            || !player.devices.is_empty()
            || player.is_elsewhere()
            || player.env.values().any(|value| is_of_the_runner(value));
        let is_named = |file: &AgentFile| {
            let name = file.word.strip_suffix(END).unwrap_or(&file.word);
            file.word == player.command || agent.words().any(|word| word == file.word || word == name)
        };
        if reaches_outside || !agent.content.iter().all(is_named) {
            return None;
        }
        let program = content_of(&agent.content, &player.command)?;
        let args: Option<Vec<Value>> = player.args.iter().map(|word| argument(&agent.content, word)).collect();
        // Its own options replace those for all; engines do not tell names apart by case.
        let options = agent.options.for_all.iter().chain(&agent.options.own);
        let options = options.map(|(name, value)| Some((name.to_ascii_lowercase(), word(&agent.content, value)?)));
        let options: Option<BTreeMap<String, Value>> = options.collect();
        let variables = player.env.iter();
        let variables = variables.map(|(name, value)| Some((name.clone(), word(&agent.content, value)?)));
        let variables: Option<BTreeMap<String, Value>> = variables.collect();
        let mut all = json!({
            "version": VERSION,
            "program": program,
            "args": args?,
            "options": options?,
            "env": variables?,
            "start_limit": written(&agent.start_limit),
            "restart": written(&agent.restart),
            "ponder": agent.ponder,
            "isolation": written(&agent.isolation),
            "allowance": written(&agent.allowance),
            "requires": written(&agent.requires),
        });
        if player.is_asked() {
            all["keep_alive"] = written(&player.keep_alive);
        }
        if player.says_ready {
            all["says_ready"] = json!(true);
        }
        if agent.exec != Exec::Any {
            all["exec"] = written(&agent.exec);
        }
        if let Some(directory) = own_directory {
            all["dir"] = json!(directory);
        }
        Some(Self(digest(&all)))
    }
}

/// The key of a game between these two, White first, on a machine of this class: a SHA-256 in hexadecimal. The game's
/// number, the players' numbers and the name of the opening are not part of it.
pub fn key(machine: &str, agents: [&Identity; 2], spec: &GameSpec) -> String {
    let Opening {
        fen, moves, variant, ..
    } = &spec.opening;
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    digest(&json!({
        "version": VERSION,
        "machine": machine,
        "agents": agents.map(|agent| &agent.0),
        "opening": { "fen": fen, "moves": moves, "variant": written(variant) },
        "limits": limits(&spec.limits),
        "bounds": written(&spec.bounds),
        "adjudication": written(&spec.adjudication),
    }))
}

/// All limits but three: how long an engine may take to come back when its process was killed in the game, which is
/// measured anew in each run; what a flag fall costs, because keys of earlier runs do not have it; and the result of a
/// game in which both agents failed. A game in which one of them mattered is not taken.
fn limits(limits: &GameLimits) -> Value {
    let mut limits = written(limits);
    if let Value::Object(limits) = &mut limits {
        limits.remove("restart_limits");
        limits.remove("flag_fall");
        limits.remove("both_failed");
    }
    limits
}

/// True if the written value of a variable comes from the runner's environment.
fn is_of_the_runner(value: &str) -> bool {
    value.starts_with('$') && !value.starts_with("$$")
}

/// The content of the file or directory that a word names.
fn content_of<'a>(content: &'a [AgentFile], word: &str) -> Option<&'a str> {
    let is_it = |file: &&AgentFile| file.word == word || file.word.strip_suffix(END) == Some(word);
    let file = content.iter().find(is_it)?;
    Some(&file.sha256)
}

/// An argument; the part after its `=` may name a file.
fn argument(content: &[AgentFile], text: &str) -> Option<Value> {
    if content_of(content, text).is_none()
        && let Some((name, value)) = text.split_once('=')
        && let Some(Value::Object(mut named)) = word(content, value)
    {
        named.insert("name".to_owned(), json!(name));
        return Some(Value::Object(named));
    }
    word(content, text)
}

/// A word: the content of the file that it names, or of the files of a list, or the word itself. `None` if it seems to
/// name something that nobody looked at.
fn word(content: &[AgentFile], word: &str) -> Option<Value> {
    let one = |name: &str| match content_of(content, name.strip_suffix("/*").unwrap_or(name)) {
        Some(sha256) => Some(json!({ "file": sha256 })),
        None if name.contains('/') => None,
        None => Some(json!(name)),
    };
    let names: Vec<&str> = word.split(SEPARATORS).collect();
    let is_list = names.len() > 1 && content_of(content, word).is_none();
    let names_some = || {
        names
            .iter()
            .any(|name| content_of(content, name.strip_suffix("/*").unwrap_or(name)).is_some())
    };
    match is_list && names_some() {
        true => names
            .into_iter()
            .map(one)
            .collect::<Option<Vec<_>>>()
            .map(|list| json!({ "list": list })),
        false => one(word),
    }
}

fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("plain data")
}

/// SHA-256 of a value as JSON without blanks and with sorted names.
fn digest(value: &Value) -> String {
    let mut value = value.clone();
    value.sort_all_objects();
    sha256(value.to_string().as_bytes())
}

#[cfg(test)]
pub(crate) mod tests;
