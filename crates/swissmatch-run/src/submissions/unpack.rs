//! What is in an archive, as a directory and by its content.
//!
//! May not: say whether it may play.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::Path;

use super::contract::is_unpacked;
use swissmatch_host::directory::{Directory, DirectoryManifest};
use swissmatch_host::files;
use swissmatch_host::zipped::{ArchiveError, BoundedArchive, Member};
use swissmatch_tournament::setup::{Contract, SubmissionKeys};

/// Bytes in a megabyte, as `submissions.max_unpacked` counts.
pub(super) const MEGABYTE: u64 = 1_000_000;

/// What every zip archive begins with.
const ZIP: [u8; 2] = *b"PK";

/// What was handed in.
pub(super) enum HandedIn {
    Archive(BoundedArchive),
    /// The template of a prompt by itself, as long as it is.
    Template(File, u64),
}

impl HandedIn {
    /// Opens what was handed in under a contract, of which at most so many bytes are unpacked.
    ///
    /// # Errors
    /// When it is no archive, and has to be one.
    pub(super) fn open(mut file: File, contract: Contract, most: u64) -> Result<Self, ArchiveError> {
        let mut begins = Vec::new();
        (&file).take(ZIP.len() as u64).read_to_end(&mut begins)?;
        file.rewind()?;
        if contract == Contract::Prompt && begins != ZIP {
            let bytes = file.metadata()?.len();
            return Ok(Self::Template(file, bytes));
        }
        BoundedArchive::open(file, most).map(Self::Archive)
    }

    /// Its files.
    ///
    /// # Errors
    /// When it is no archive that is taken.
    pub(super) fn members(&mut self, entry: &str) -> Result<Vec<Member>, ArchiveError> {
        match self {
            Self::Archive(zipped) => zipped.members(),
            Self::Template(_, bytes) => Ok(vec![Member {
                name: entry.to_owned(),
                bytes: *bytes,
                begins: Vec::new(),
            }]),
        }
    }
}

/// Unpacks what was handed in into a directory that is there then whole or not at all.
///
/// # Errors
/// When the archive is larger than it says, or the disk is full.
pub(super) fn unpack(
    handed_in: &mut HandedIn,
    (keys, contract): (&SubmissionKeys, Contract),
    into: &Path,
) -> Result<(), ArchiveError> {
    let draft = into.with_extension("part");
    files::remove_below(&draft)?;
    files::remove_below(into)?;
    let entry = keys.entry(contract);
    let unpacked = match handed_in {
        HandedIn::Archive(zipped) => zipped.unpack(&draft, &is_unpacked, (contract == Contract::Uci).then_some(entry)),
        HandedIn::Template(file, bytes) => files::write_read_only(&draft.join(entry), file, *bytes, false)
            .map(drop)
            .map_err(ArchiveError::from),
    };
    if let Err(unfit) = unpacked {
        files::remove_below(&draft)?;
        return Err(unfit);
    }
    files::settle_below(&draft)?;
    Ok(files::rename(&draft, into)?)
}

/// The list of what is in a directory, with the hash of each file.
///
/// # Errors
/// When it cannot be read.
pub(super) fn manifest_of(root: &Path) -> io::Result<DirectoryManifest> {
    let directory = Directory {
        root: std::fs::canonicalize(root)?,
        left_out: Vec::new().into(),
        own: Vec::new().into(),
        is_whole: true,
    };
    let contents = directory.look()?;
    directory.manifest(&contents)
}
