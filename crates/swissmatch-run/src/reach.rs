//! What agents must not be given, though a word of theirs names it: what others check a run by, and the key that signs it.
//!
//! May not: look for agents.

use std::path::{Path, PathBuf};

use swissmatch_config::ConfigError;
use swissmatch_game::isolation::Isolation;
use swissmatch_host::host::AgentSpec;
use swissmatch_host::paths::is_within;

use super::error::RunError;
use super::event_file::EventFile;
use super::{anchors, services, signing, viewers};

/// A file that agents must not change.
struct ProtectedFile {
    path: PathBuf,
    what: &'static str,
    /// Nor read.
    is_secret: bool,
}

/// That the isolated agent of the player at `index`, which has its words from `directory`, can change nothing by which others check
/// the run, nor read its key.
///
/// # Errors
/// When it can; the key is named.
pub(super) fn require_none(
    event: &EventFile,
    (index, spec, directory): (usize, &AgentSpec, &str),
) -> Result<(), RunError> {
    if spec.isolation == Isolation::Off {
        return Ok(());
    }
    let directory = Path::new(directory);
    let refused = |key: &str, message: String| {
        Err(RunError::Event(ConfigError {
            help: Some("name another file, or a directory without it".to_owned()),
            ..event.loaded.error_at_player(index, key, message)
        }))
    };
    for ProtectedFile { path, what, is_secret } in kept(event) {
        let is_named = |name: &str| is_within(&path, &directory.join(name));
        let shown = path.display();
        if let Some(name) = spec.player.write.iter().find(|name| is_named(name)) {
            return refused("player.write", format!("`{name}` would let it write {what}, {shown}"));
        }
        // What holds the event is granted to nobody.
        let is_read = |name: &str| is_named(name) && !is_within(&event.directory, &directory.join(name));
        // In runs of before nothing is left out of it.
        if is_secret && spec.works_in.is_none() && spec.player.dir.as_deref().is_some_and(|_| is_read("")) {
            return refused("player.dir", format!("it would let it read {what}, {shown}"));
        }
        if let Some(word) = spec.words().find(|word| *word != "." && is_secret && is_read(word)) {
            let message = format!("`{word}` (of args, options or env) would let it read {what}, {shown}");
            return refused("player.args", message);
        }
    }
    Ok(())
}

/// What is to be said of a key where agents are not isolated.
pub(super) fn doubt(event: &EventFile, specs: &[AgentSpec]) -> Option<String> {
    let path = signing::path_of(event)?;
    let open = specs.iter().find(|spec| spec.isolation == Isolation::Off)?;
    Some(format!(
        "publish.sign: {} is not isolated, so it can read {} and sign with it (docs/isolation.md)",
        open.player.name,
        path.display()
    ))
}

/// The same, for whom they are nothing but left out.
pub(super) fn kept_paths(event: &EventFile) -> impl Iterator<Item = PathBuf> {
    kept(event).into_iter().map(|kept| kept.path)
}

fn kept(event: &EventFile) -> Vec<ProtectedFile> {
    let anchors = anchors::on_disk(event).map(|(path, what)| ProtectedFile {
        path,
        what,
        is_secret: false,
    });
    let key = signing::path_of(event).map(|path| ProtectedFile {
        path,
        what: "the private key of publish.sign",
        is_secret: true,
    });
    let token = viewers::token_file(event).map(|path| ProtectedFile {
        path,
        what: "the token of lichess.token_file",
        is_secret: true,
    });
    let of_services = services::key_files(event).map(|path| ProtectedFile {
        path,
        what: "the key of an endpoint's key_file",
        is_secret: true,
    });
    anchors.chain(key).chain(token).chain(of_services).collect()
}
