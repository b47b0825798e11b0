//! What is in an archive, as a directory and by its content.
//!
//! May not: say whether it may play.

use std::io;
use std::path::Path;

use super::contract::is_unpacked;
use swissmatch_host::directory::Directory;
use swissmatch_host::files;
use swissmatch_host::zipped::{Unfit, Zipped};
use swissmatch_tournament::setup::{Contract, SubmissionKeys};

/// Bytes in a megabyte, as `submissions.max_unpacked` counts.
pub(super) const MEGABYTE: u64 = 1_000_000;

/// Unpacks an archive into a directory that is there then whole or not at all.
///
/// # Errors
/// When the archive is larger than it says, or the disk is full.
pub(super) fn unpack(
    zipped: &mut Zipped,
    (keys, contract): (&SubmissionKeys, Contract),
    into: &Path,
) -> Result<(), Unfit> {
    let draft = into.with_extension("part");
    files::remove_below(&draft)?;
    files::remove_below(into)?;
    let entry = (contract == Contract::Uci).then(|| keys.entry(contract));
    let unpacked = zipped.unpack(&draft, &is_unpacked, entry);
    if let Err(unfit) = unpacked {
        files::remove_below(&draft)?;
        return Err(unfit);
    }
    files::settle_below(&draft)?;
    Ok(files::rename(&draft, into)?)
}

/// The SHA-256 of the list of what is in a directory, with the hash of each file.
///
/// # Errors
/// When it cannot be read.
pub(super) fn content_of(root: &Path) -> io::Result<String> {
    let directory = Directory {
        root: std::fs::canonicalize(root)?,
        left_out: Vec::new().into(),
        own: Vec::new().into(),
    };
    let contents = directory.look()?;
    Ok(directory.manifest(&contents)?.hash().sha256)
}
