//! Beside files of others that are not in the repository. `make oracles DIR=…` runs these tests on a folder that has them:
//! `dutch-edge` (hard positions with their pairings), `real` (tournaments as they were found), `tiebreak/published` (tables of
//! federations), `stats` (games that another runner played and counted), `prompts` (variables of prompts).
#![expect(clippy::disallowed_methods, reason = "the environment says where the files are")]

mod files;
mod match_files;
mod prompts;
mod tie_breaks;

use std::path::{Path, PathBuf};

/// The environment variable that names the folder.
const VARIABLE: &str = "SWISSMATCH_ORACLES";

/// A folder in it.
fn folder(name: &str) -> PathBuf {
    let oracles =
        std::env::var_os(VARIABLE).unwrap_or_else(|| panic!("{VARIABLE} names no folder: make oracles DIR=…"));
    let folder = Path::new(&oracles).join(name);
    assert!(folder.is_dir(), "there is no folder {}", folder.display());
    folder
}
