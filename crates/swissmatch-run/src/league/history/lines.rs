//! A history of one line of JSON for each night.

use std::io::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::HistoryError;
use swissmatch_host::files;
use swissmatch_report::nights::{Night, VERSION};

/// What is known of a line of any version.
#[derive(Deserialize)]
struct Head {
    version: u32,
}

pub(super) fn read(path: &Path) -> Result<Vec<Night>, HistoryError> {
    let text = files::read_plain(path).map_err(|error| HistoryError::File(path.to_path_buf(), error))?;
    let mut nights = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let broken = |why: String| HistoryError::Broken {
            path: path.to_path_buf(),
            night: format!("line {number}"),
            why,
        };
        if line.trim().is_empty() {
            continue;
        }
        if let Ok(Head { version }) = serde_json::from_str(line)
            && version > VERSION
        {
            return Err(broken(format!(
                "a later version of swissmatch wrote it (version {version})"
            )));
        }
        nights.push(serde_json::from_str(line).map_err(|error| broken(error.to_string()))?);
    }
    Ok(nights)
}

/// The file is written anew, so that nobody reads half a night.
pub(super) fn add(path: &Path, night: &Night) -> Result<(), HistoryError> {
    let failed = |error| HistoryError::File(path.to_path_buf(), error);
    let mut text = match path.exists() {
        true => {
            if read(path)?.iter().any(|other| other.run == night.run) {
                return Ok(());
            }
            std::fs::read(path).map_err(failed)?
        }
        false => Vec::new(),
    };
    if text.last().is_some_and(|last| *last != b'\n') {
        text.push(b'\n');
    }
    let line = serde_json::to_string(night).expect("plain data");
    writeln!(text, "{line}").map_err(failed)?;
    files::write_whole(path, text).map_err(failed)
}
