//! Whether each round of the ladder before an event is as its log and the rounds before give it.
//!
//! May not: decide what follows from a round.

use std::path::Path;

use super::{Against, Failed, Finding, finding, findings, merge, open_at_rest, require_rest};
use crate::ladder::{Looked, of_event, rounds_of};
use swissmatch_host::run_dir;
use swissmatch_tournament::log::Created;
use swissmatch_tournament::ties::event_is_over;

/// What is found of the ladder of the event whose run is, or will be, in `dir`, and which was created so; `None`: there is none.
pub(super) fn look(dir: &Path, event: Option<&Created>, against: Against<'_>) -> Option<Finding> {
    let found = match rounds_of(dir) {
        Ok(rounds) if rounds.is_empty() => return None,
        Ok(rounds) => rounds_are_right(dir, &rounds, event, against),
        Err(error) => Err(Failed::Skipped(error.to_string())),
    };
    Some(finding("ladder", ["round", "rounds"], found))
}

fn rounds_are_right(
    dir: &Path,
    rounds: &[u32],
    event: Option<&Created>,
    against: Against<'_>,
) -> Result<usize, Failed> {
    // Neither signature nor anchor is that of a round.
    let against = Against {
        anchor: None,
        signers: None,
        ..against
    };
    let (mut looked, mut count) = (Looked::default(), 0);
    for number in rounds {
        let of_round = |why: String| format!("round {number}: {why}");
        let round = dir.join(run_dir::LADDER).join(number.to_string());
        // Its first entry was not written.
        if !run_dir::log(&round).exists() {
            continue;
        }
        let run = open_at_rest(Some(&round)).map_err(|error| of_round(error.to_string()))?;
        require_rest(&run)?;
        for finding in findings(&run, against) {
            if let Some(problem) = finding.problem {
                return Err(Failed::Wrong(of_round(format!("{}: {problem}", finding.check))));
            }
            if let Some(why) = finding.skipped {
                return Err(Failed::Skipped(of_round(format!("{}: {why}", finding.check))));
            }
        }
        looked.at(&run, event_is_over(&run.state)).map_err(of_round)?;
        drop(run);
        merge(&round);
        count += 1;
    }
    looked.compare(dir)?;
    if let Some(created) = event {
        of_event(&looked, &created.setup)?;
    }
    Ok(count)
}
