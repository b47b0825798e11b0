//! Whether agents that lie on this machine are still what the log says they were.
//!
//! May not: be a reason to fail: what became of an agent after its games changes none of them.

use std::path::{Path, PathBuf};

use super::{Finding, finding};
use crate::open_run::OpenRun;
use swissmatch_host::directory::{self, Directory, END};
use swissmatch_host::file_hash::hash_file;
use swissmatch_host::paths::resolved;
use swissmatch_tournament::log::{Agent, FileHash};
use swissmatch_tournament::setup::PlayerKeys;

/// Most agents that are named.
const NAMED: usize = 5;

/// Which agents are no longer what was registered.
pub(super) fn look(run: &OpenRun) -> Finding {
    let created = run.state.created();
    let agents = created.setup.players.iter().zip(&created.agents);
    let mut changed: Vec<String> = agents
        .filter_map(|(player, agent)| {
            let what = agent.files.iter().find_map(|file| change(run, player, agent, file))?;
            Some(format!("{}: {what} since it was registered", player.name))
        })
        .collect();
    let more = changed.len().saturating_sub(NAMED);
    changed.truncate(NAMED);
    changed.extend((more > 0).then(|| format!("and {more} more")));
    Finding {
        note: (!changed.is_empty()).then(|| changed.join("; ")),
        ..finding("agents", ["agent", "agents"], Ok::<_, String>(created.agents.len()))
    }
}

/// What became of a file; `None` where it is what it was, or not on this machine.
fn change(run: &OpenRun, player: &PlayerKeys, agent: &Agent, file: &FileHash) -> Option<String> {
    let path = Path::new(&file.path);
    if !file.path.ends_with(END) {
        let now = hash_file(path).ok()?;
        return (now.sha256 != file.sha256).then(|| format!("{} has changed", file.path));
    }
    let root = path.is_dir().then(|| resolved(path))?;
    let of_its_own = Directory {
        left_out: agent.left_out.iter().map(PathBuf::from).collect(),
        own: player.write.iter().map(|name| resolved(&root.join(name))).collect(),
        is_whole: player.submission.is_some(),
        root,
    };
    if let Ok(Some(text)) = run.store.blob(&file.sha256) {
        directory::remember(&text);
    }
    let mut contents = of_its_own.look().ok()?;
    of_its_own.compare(&mut contents, &file.sha256).ok()?
}
