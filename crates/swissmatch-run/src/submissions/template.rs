//! The template of a prompt that was handed in is tried: it is filled in for some positions, and its author is told what came of it.
//!
//! May not: ask a service, which would cost the organizer something; fill in a template in this process.

use std::path::Path;

use swiss_system::text::{harmless, shortened};

use super::shown::PathAliases;
use super::trial::TrialReport;
use super::unpack::manifest_of;
use crate::error::RunError;
use crate::event_file::EventFile;
use swissmatch_adapter::prompt::variables::NAMES;
use swissmatch_config::nearest;
use swissmatch_host::adapter::trial::{FilledTemplate, fill_in};
use swissmatch_tournament::setup::Contract;

/// Lines shown of a prompt, and characters of each.
const LINES: usize = 20;
const CHARACTERS: usize = 160;
/// Names shown that no variable has.
const NAMED: usize = 8;

/// Tries what was unpacked in `dir`.
///
/// # Errors
/// When the machine keeps it from being tried.
pub(super) fn try_prompt(event: &EventFile, shown: &PathAliases, dir: &Path) -> Result<TrialReport, RunError> {
    let setup = &event.loaded.setup;
    let template = dir.join(setup.submissions.entry(Contract::Prompt));
    let shown = shown.clone().with(&event.directory, "");
    let mut tried = TrialReport::default();
    match fill_in(&template, setup.game.variant).map_err(RunError::machine)? {
        Ok(filled) => {
            tried.log = told(&filled);
            tried.content = Some(manifest_of(dir).map_err(RunError::machine)?.hash().sha256);
        }
        Err(why) => {
            tried.refused.push(shown.of(&why));
            tried.public.push("its template cannot be filled in".to_owned());
        }
    }
    Ok(tried)
}

/// What its author is told of it.
fn told(filled: &FilledTemplate) -> Vec<String> {
    let mut log = Vec::new();
    for name in filled.unknown.iter().take(NAMED) {
        let near = nearest(name, &NAMES).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        log.push(format!("Warning: there is no variable `{}`{near}", harmless(name)));
    }
    let mut texts = filled.prompts.iter().map(|(_, text)| text);
    let first = texts.next();
    if first.is_some() && texts.all(|text| Some(text) == first) {
        log.push("Warning: the prompt is the same for each position, so it shows nothing of the game.".to_owned());
    }
    let sizes = filled.prompts.iter();
    log.extend(sizes.map(|(called, text)| format!("A prompt for {called}: {} bytes.", text.len())));
    if let Some((called, text)) = filled.prompts.first() {
        log.push(format!("The prompt for {called}:"));
        let lines = text.lines().take(LINES);
        log.extend(lines.map(|line| format!("  {}", shortened(&harmless(line), CHARACTERS))));
        if text.lines().nth(LINES).is_some() {
            log.push("  …".to_owned());
        }
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_author_is_told_of_names_that_nothing_has_and_of_what_a_model_is_shown() {
        let of = |unknown: &[&str], texts: [&str; 2]| {
            told(&FilledTemplate {
                prompts: texts
                    .map(|text| ("the start position".to_owned(), text.to_owned()))
                    .to_vec(),
                unknown: unknown.iter().map(|name| (*name).to_owned()).collect(),
            })
        };
        assert_eq!(
            of(&["colour", "fen"], [" w", " w"])[..3],
            [
                "Warning: there is no variable `colour`",
                "Warning: there is no variable `fen`; did you mean `FEN`?",
                "Warning: the prompt is the same for each position, so it shows nothing of the game.",
            ]
        );
        let said = of(&[], [&format!("a\n{}\n{}", "x".repeat(999), "b\n".repeat(30)), "c"]);
        assert!(said[0].starts_with("A prompt for the start position: "), "{said:?}");
        assert_eq!(said[2..4], ["The prompt for the start position:", "  a"]);
        assert_eq!((said[4].chars().count(), said.len()), (2 + CHARACTERS, 3 + LINES + 1));
        assert_eq!(said.last().map(String::as_str), Some("  …"));
    }
}
