//! What is kept of what was said in games must be what was there when they ended.

use crate::open_run::OpenRun;
use swissmatch_tournament::log::Entry;

/// Every entry that names evidence has it, also of a game that was annulled since; how many there are.
pub(super) fn texts(run: &OpenRun) -> Result<usize, String> {
    let mut texts = 0;
    for logged in &run.logged {
        let Entry::GameFinished(finished) = &logged.entry else {
            continue;
        };
        let text = run
            .evidence(finished)
            .map_err(|why| format!("entry {}: {why}", logged.seq))?;
        texts += usize::from(text.is_some());
    }
    Ok(texts)
}
