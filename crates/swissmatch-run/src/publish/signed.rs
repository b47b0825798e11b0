//! The signed list: which run, how far its log had grown, and what the published files were then.
//!
//! It is a function of the log, as they are, so that `verify` computes it again. So it is not `manifest.json`, which says on
//! which machine a run was played; no log gives that. May not: read a file, of which anybody may have changed the content.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use swissmatch_host::signature::Signer;
use swissmatch_host::store::{Head, hexadecimal, sha256};

/// The list.
pub(crate) const SIGNED: &str = "signed.json";
/// Its signature.
pub const SIGNATURE: &str = "signed.json.sig";

/// With what a runner signs, and what it says of the log.
#[derive(Clone, Debug)]
pub(crate) struct Signing {
    /// The key.
    pub signer: Signer,
    /// Which run: the hash of its first entry.
    pub run: String,
    /// Where the log ends.
    pub head: Head,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ContentHash {
    sha256: String,
    pub(super) bytes: u64,
}

impl ContentHash {
    pub(super) fn of(text: &str) -> Self {
        Self {
            sha256: sha256(text.as_bytes()),
            bytes: text.len() as u64,
        }
    }

    /// The same of a file that has grown, of which `hash` has seen every byte.
    pub(super) fn of_grown(hash: &Sha256, bytes: u64) -> Self {
        let digest: [u8; 32] = hash.clone().finalize().into();
        Self {
            sha256: hexadecimal(digest),
            bytes,
        }
    }
}

/// As it is written.
#[derive(Serialize)]
struct List<'a> {
    schema: u32,
    run: &'a str,
    entry: i64,
    hash: &'a str,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    sha256: &'a str,
    bytes: u64,
}

/// The text of [`SIGNED`] for files by their names.
pub(super) fn list(run: &str, head: &Head, files: &BTreeMap<String, ContentHash>) -> String {
    let list = List {
        schema: 1,
        run,
        entry: head.entry,
        hash: &head.hash,
        files: files
            .iter()
            .map(|(name, content)| File {
                name,
                sha256: &content.sha256,
                bytes: content.bytes,
            })
            .collect(),
    };
    let text = serde_json::to_string_pretty(&list).expect("plain data");
    format!("{text}\n")
}

/// The text of [`SIGNED`] for all files that a log gives.
pub(crate) fn list_of(run: &str, head: &Head, files: &[(String, String)]) -> String {
    let files = files.iter().map(|(name, text)| (name.clone(), ContentHash::of(text)));
    list(run, head, &files.collect())
}
