//! A night for other programs: the page of a job, a history of benchmarks.

use serde::Serialize;
use swiss_system::text::harmless;

use super::{NightView, change_text};
use crate::junit::xml::{JUnitCase, Status, Suite};
use crate::junit::{failed, report};
use crate::table::escape_markdown;
use swissmatch_tournament::state::{EndedGame, State};

/// In Markdown for the page of a job: marks and faults first, then the table.
pub fn summary(view: &NightView<'_>) -> String {
    let verdict = match (view.weaker().next().is_some(), view.has_faults()) {
        (false, false) => "no build got weaker",
        (false, true) => "a build is at fault",
        (true, false) => "a build got weaker",
        (true, true) => "a build is at fault, and one got weaker",
    };
    format!(
        "## {}, {}: {verdict}\n\n#{}\n",
        escape_markdown(&view.league),
        escape_markdown(&view.night.name),
        // Its heading is one level below this one.
        view.page().markdown()
    )
}

/// Ratings of builds by name, as github-action-benchmark reads them with the tool `customBiggerIsBetter`.
///
/// # Panics
/// Never: everything in it can be written.
pub fn benchmark(view: &NightView<'_>) -> String {
    #[derive(Serialize)]
    struct Bench<'a> {
        name: &'a str,
        unit: &'static str,
        value: f64,
        range: String,
        extra: String,
    }
    let rated = view.rows.iter().filter_map(|row| Some((row, row.rating?)));
    let benches = rated.map(|(row, rating)| Bench {
        name: &row.name,
        unit: "Elo",
        value: (rating * 10.0).round() / 10.0,
        range: row.error.map_or_else(|| "0".to_owned(), |error| format!("{error:.1}")),
        extra: format!("{}, {} games, night {}", row.version, row.games, view.night.name),
    });
    serde_json::to_string(&benches.collect::<Vec<_>>()).expect("plain data") + "\n"
}

/// As a JUnit report: that of the night's run, with a case for each build on whether it had a program, and one for each build that is
/// compared with the one before it. `evidence` is asked for what was said in a game that ended by a fault.
///
/// # Errors
/// An error of `evidence`.
pub fn junit<E>(
    view: &NightView<'_>,
    state: &State,
    evidence: impl FnMut(&EndedGame) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut report = report(state, evidence)?;
    let mut builds = Vec::new();
    let mut add = |name: String, status: Status| builds.push(JUnitCase::new(name, status).of(view.league.as_str()));
    for broken in &view.night.broken {
        let why = harmless(&broken.why);
        add(
            format!("{}: program", harmless(&broken.name)),
            failed("broken build", why, ""),
        );
    }
    for row in &view.rows {
        add(format!("{}: program", row.name), Status::Passed);
        let Some(change) = &row.change else { continue };
        let told = format!(
            "{} against {}, which played last in {}: {}",
            row.version,
            change.before,
            harmless(&change.since),
            change_text(change)
        );
        let is_weaker = change.marked && change.ahead < 0.0;
        let status = match is_weaker {
            true => failed("regression", told, ""),
            false => Status::Passed,
        };
        add(format!("{}: change", row.name), status);
    }
    report.suites.push(Suite::new("builds", builds));
    Ok(report.to_string())
}
