//! Where paths lead, and words that name something.
//!
//! May not: change anything.

use std::path::{Component, Path, PathBuf};

/// Makes a word the whole path that it is `named` to be, or what is after its `=`.
pub fn put_whole(word: &mut String, named: impl Fn(&str) -> Option<String>) {
    if let Some(path) = named(word) {
        *word = path;
    } else if let Some((flag, value)) = word.split_once('=')
        && let Some(path) = named(value)
    {
        *word = format!("{flag}={path}");
    }
}

/// Where a path leads: links and `..` are followed as far as something is there; the rest is taken as it is written.
pub fn resolved(path: &Path) -> PathBuf {
    let real = |above: &Path| {
        Some((
            std::fs::canonicalize(above).ok()?,
            path.strip_prefix(above).ok()?.to_path_buf(),
        ))
    };
    let Some((mut whole, rest)) = path.ancestors().find_map(real) else {
        return path.to_path_buf();
    };
    for part in rest.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    whole
}
