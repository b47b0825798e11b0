//! The template of a prompt that was handed in is tried: it is read with what it includes, and filled in for some positions.
//!
//! May not: ask a service, which would cost the organizer something.

use std::path::Path;

use super::shown::PathAliases;
use super::trial::TrialReport;
use super::unpack::manifest_of;
use crate::error::RunError;
use crate::event_file::EventFile;
use swissmatch_adapter::position::UciPosition;
use swissmatch_adapter::prompt::variables::{Variable, of_position};
use swissmatch_game::variant::Variant;
use swissmatch_host::adapter::template::{LARGEST, files, read};
use swissmatch_tournament::setup::Contract;

/// Times that both sides move a knight there and back in the longest of the games.
const SHUFFLES: usize = 75;

/// Tries what was unpacked in `dir`.
///
/// # Errors
/// When the machine keeps it from being tried.
pub(super) fn try_prompt(event: &EventFile, shown: &PathAliases, dir: &Path) -> Result<TrialReport, RunError> {
    let setup = &event.loaded.setup;
    let template = dir.join(setup.submissions.entry(Contract::Prompt));
    let shown = shown.clone().with(&event.directory, "");
    let mut tried = TrialReport::default();
    if let Err(why) = fill_in(&template, setup.game.variant, &mut tried.log) {
        tried.refused.push(shown.of(&why));
        tried.public.push("its template cannot be filled in".to_owned());
        return Ok(tried);
    }
    tried.content = Some(manifest_of(dir).map_err(RunError::machine)?.hash().sha256);
    Ok(tried)
}

/// Fills in a template; or why it cannot be.
fn fill_in(template: &Path, variant: Variant, log: &mut Vec<String>) -> Result<(), String> {
    if std::fs::read(template).is_ok_and(|text| str::from_utf8(&text).is_err()) {
        return Err(format!("{}: it is not UTF-8", template.display()));
    }
    for file in files(template)? {
        let about = |why: &str| format!("{}: {why}", file.display());
        let bytes = std::fs::read(&file).map_err(|error| about(&error.to_string()))?;
        if bytes.len() as u64 >= LARGEST {
            return Err(about(&format!("it has {LARGEST} bytes or more")));
        }
    }
    let prompt = read(template)?;
    let shuffle = " g1f3 g8f6 f3g1 f6g8".repeat(SHUFFLES);
    for (called, moves) in [
        ("the start position", ""),
        ("a position with Black to move", " moves e2e4"),
        ("a game of 300 plies", &format!(" moves{shuffle}")),
    ] {
        let placed =
            UciPosition::read(&format!("startpos{moves}"), variant).ok_or("the positions are none of this event")?;
        let mut variables = of_position(&placed);
        for (name, text) in [("attempt", "1"), ("last_error", ""), ("last_answer", "")] {
            variables.insert(name, Variable::Text(text.to_owned()));
        }
        let text = prompt
            .render(&variables)
            .map_err(|why| format!("with {called}: {why}"))?;
        if text.trim().is_empty() {
            return Err(format!("with {called} it gives no text"));
        }
        log.push(format!("A prompt for {called}: {} bytes.", text.len()));
    }
    Ok(())
}
