//! What is stored beside an entry of the log.
//!
//! May not: store it.

use swissmatch_host::directory::{END, remembered};
use swissmatch_host::store::Bundle;
use swissmatch_tournament::log::{Act, Entry};

/// An entry with what is stored beside it: of a late entry, what is in the directories of its agent.
pub(super) fn with_manifests(entry: Entry) -> Bundle {
    let mut bundle = Bundle::from(entry);
    if let Entry::Acted(acted) = &bundle.entry
        && let Act::Enter { agent, .. } = &acted.act
    {
        let directories = agent.files.iter().filter(|file| file.path.ends_with(END));
        let texts = directories.filter_map(|file| Some((file.sha256.clone(), remembered(&file.sha256)?.to_string())));
        bundle.blobs = texts.collect();
    }
    bundle
}
