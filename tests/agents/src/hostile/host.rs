//! What it finds where it was started: environment, descriptors, processes.
#![expect(clippy::disallowed_methods, reason = "it looks into /proc and the environment")]

use std::env;
use std::fs;

use super::means::Means;
use super::others;
use super::outcome::{Failed, Tried};

/// A variable of the organizer's environment.
pub(super) fn variable(_: &Means, name: &str) -> Tried {
    match env::var_os(name) {
        Some(value) => Ok(format!("{} bytes", value.len())),
        None => Err(Failed::refused("it is not in the environment")),
    }
}

/// Descriptors beyond the three of an agent.
pub(super) fn descriptors(_: &Means, _: &str) -> Tried {
    let entries = fs::read_dir("/proc/self/fd")?.flatten();
    // The one that reads the directory is closed when its own link is read.
    let links = entries.filter_map(|entry| Some((entry.file_name(), fs::read_link(entry.path()).ok()?)));
    let more = links.filter_map(|(name, link)| {
        let number: u32 = name.to_str()?.parse().ok()?;
        (number > 2).then(|| format!("{number} -> {}", link.display()))
    });
    let own = format!("/proc/{}/fd", std::process::id());
    let more: Vec<String> = more.filter(|found| !found.ends_with(&own)).collect();
    match more.is_empty() {
        true => Err(Failed::refused("there are none beyond 2")),
        false => Ok(more.join(", ")),
    }
}

/// Other processes in /proc.
pub(super) fn see(_: &Means, _: &str) -> Tried {
    others::seen()
}
