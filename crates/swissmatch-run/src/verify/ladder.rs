//! Whether each round of the ladder before an event is as its log and the rounds before give it.
//!
//! May not: decide what follows from a round.

use std::path::Path;

use super::{Against, CheckFailure, Finding, finding, findings, merge, open_at_rest, require_rest};
use crate::ladder::{CheckedLadder, history, rounds_of};
use swissmatch_host::run_dir;
use swissmatch_tournament::log::RunCreated;
use swissmatch_tournament::ties::event_is_over;

/// What is found of the ladder of the event whose run is, or will be, in `dir`, and which was created so; `None`: there is none.
pub(super) fn look(dir: &Path, event: Option<&RunCreated>, against: Against<'_>) -> Option<Finding> {
    let has_rated = event.is_some_and(|event| event.setup.players.iter().any(|player| player.ladder.is_some()));
    let has_history = history(dir).map_or(true, |history| !history.nights.is_empty());
    let found = match rounds_of(dir) {
        Ok(rounds) if rounds.is_empty() && !has_rated && !has_history => return None,
        Ok(rounds) if rounds.is_empty() => Err(CheckFailure::Wrong("its rounds are gone".to_owned())),
        Ok(rounds) => rounds_are_right(dir, &rounds, event, against),
        Err(error) => Err(CheckFailure::Skipped(error.to_string())),
    };
    Some(finding("ladder", ["round", "rounds"], found))
}

fn rounds_are_right(
    dir: &Path,
    rounds: &[u32],
    event: Option<&RunCreated>,
    against: Against<'_>,
) -> Result<usize, CheckFailure> {
    // Neither signature nor anchor is that of a round.
    let against = Against {
        anchor: None,
        signers: None,
        ..against
    };
    let (mut looked, mut count) = (CheckedLadder::default(), 0);
    for number in rounds {
        let of_round = |why: String| format!("round {number}: {why}");
        let round = dir.join(run_dir::LADDER).join(number.to_string());
        // Its first entry was not written.
        if !run_dir::log(&round).exists() {
            continue;
        }
        let run = open_at_rest(Some(&round)).map_err(|error| of_round(error.to_string()))?;
        require_rest(&run)?;
        let is_over = event_is_over(&run.state);
        // What is published of one that goes on, or ended just now, may lag behind its log.
        let is_kept = is_over && looked.has(dir, *number)?;
        for finding in findings(&run, against)
            .into_iter()
            .filter(|finding| is_kept || finding.check != "files")
        {
            if let Some(problem) = finding.problem {
                return Err(CheckFailure::Wrong(of_round(format!("{}: {problem}", finding.check))));
            }
            if let Some(why) = finding.skipped {
                return Err(CheckFailure::Skipped(of_round(format!("{}: {why}", finding.check))));
            }
        }
        looked.at(&run, is_over).map_err(of_round)?;
        drop(run);
        merge(&round);
        count += 1;
    }
    looked.compare(dir)?;
    if let Some(created) = event {
        looked.of_event(&created.setup)?;
    }
    Ok(count)
}
