//! The prefix that an interpreter is installed in, which an agent that it runs reads whole: only where one is installed there, and never
//! a directory that others have something in.
//!
//! May not: trust a path; an entrant may have chosen it.

use std::path::{Path, PathBuf};

use super::shim::{SHIMS, root};
use crate::paths::{can_start, is_plain, resolved};

/// What says of a directory that it is a virtual environment, and where its interpreter is.
pub(super) const ENVIRONMENT: &str = "pyvenv.cfg";
/// Directories that are nobody's prefix, nor is anything below them.
const SYSTEM: [&str; 12] = [
    "/bin", "/boot", "/dev", "/etc", "/lib", "/lib32", "/lib64", "/libx32", "/proc", "/sbin", "/sys", "/usr",
];
/// Directories that are nobody's prefix as a whole.
const SHARED: [&str; 10] = [
    "/", "/home", "/media", "/mnt", "/opt", "/root", "/run", "/srv", "/tmp", "/var",
];
/// What a user's own programs are installed in, with much else of the user's.
const LOCAL: &str = ".local";
/// What the name of a library of modules begins with, beside `bin`.
const MODULES: [&str; 7] = ["python", "node_modules", "pypy", "ruby", "jvm", "modules", "lua"];

/// The prefix that a program is installed in, where it is an interpreter's: `bin` beside a library of its modules.
pub(super) fn prefix(program: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let bin = program.parent().filter(|_| is_plain(program) && can_start(program))?;
    let prefix = match bin.ends_with(SHIMS) {
        // A script there looks up the version, which is below the same root.
        true => root(program)?,
        false => bin.parent().filter(|_| bin.ends_with("bin"))?.to_path_buf(),
    };
    let is_shared = |path: &Path| {
        let is_home = |home: &Path| home.starts_with(path) || resolved(home).starts_with(path);
        path.ends_with(LOCAL)
            || SHARED.iter().any(|shared| path == Path::new(shared))
            || SYSTEM.iter().any(|place| path.starts_with(place))
            || home.is_some_and(is_home)
    };
    if is_shared(&prefix) || is_shared(&resolved(&prefix)) {
        return None;
    }
    let is_installed =
        bin.ends_with(SHIMS) || prefix.join(ENVIRONMENT).is_file() || !modules(&prefix, &MODULES).is_empty();
    is_installed.then_some(prefix)
}

/// What of a prefix holds modules, by the beginnings of its names.
pub(super) fn modules(prefix: &Path, begins: &[&str]) -> Vec<PathBuf> {
    let libraries = ["lib", "lib64"].map(|library| prefix.join(library));
    let entries = libraries.iter().filter_map(|library| std::fs::read_dir(library).ok());
    let entries = entries.flatten().flatten();
    let named = entries.filter(|entry| {
        let name = entry.file_name();
        begins.iter().any(|begin| name.to_string_lossy().starts_with(begin))
    });
    named.map(|entry| entry.path()).collect()
}
