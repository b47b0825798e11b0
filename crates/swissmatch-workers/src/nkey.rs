//! Keys by which a server knows its users: NKeys, with the seed in a file.
//!
//! May not: print a seed.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use nkeys::KeyPair;
use swissmatch_host::files;

/// More bytes than such a file has.
const MOST_BYTES: u64 = 4096;

/// Reads the seed from a file that nobody else may read.
///
/// # Errors
/// It cannot be read, others can read it, or it is not a seed; a sentence without its end.
pub fn read_seed(path: &Path) -> Result<String, String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let file = files::open_plain(path).map_err(|error| told(&error))?;
    let mode = file.metadata().map_err(|error| told(&error))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(told(&format!(
            "other users may read or write it (chmod 600 {})",
            path.display()
        )));
    }
    let text = files::read_at_most(file, MOST_BYTES).map_err(|error| told(&error))?;
    let text = String::from_utf8(text).map_err(|_| told(&"it is no text"))?;
    let seed = text.lines().map(str::trim).find(|line| line.starts_with("SU"));
    let seed = seed.ok_or_else(|| told(&"it has no seed of an NKey for a user (SU…)"))?;
    match KeyPair::from_seed(seed) {
        Ok(_) => Ok(seed.to_owned()),
        Err(_) => Err(told(&"its seed of an NKey is not right")),
    }
}

/// The public key of a seed, by which the server knows its holder.
///
/// # Errors
/// It is not a seed.
pub fn public(seed: &str) -> Result<String, String> {
    let pair = KeyPair::from_seed(seed).map_err(|error| error.to_string())?;
    Ok(pair.public_key())
}

/// Makes a key, in a file that nobody else may read.
///
/// # Errors
/// The file exists, or cannot be written.
pub fn make(path: &Path) -> Result<(), String> {
    let told = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let seed = KeyPair::new_user().seed().map_err(|error| told(&error))?;
    files::write_secret(path, &format!("{seed}\n")).map_err(|error| told(&error))
}
