//! Checks of agents as a JUnitReport report: a suite for each agent, a case for each step.
//!
//! May not: check anything.

use swiss_system::text::harmless;

use super::xml::{JUnitCase, JUnitEnding, JUnitReport, Status as CaseStatus, Suite};
use super::{failed, skipped};
use crate::check::{CheckReport, CheckedPlayer, Light};
use swissmatch_game::conformance::{Finding, Status};

/// What the report is called.
const NAME: &str = "swissmatch check";

/// The check of one agent.
pub fn of_check(report: &CheckReport) -> String {
    JUnitReport::new(NAME, vec![suite(report)]).to_string()
}

/// Those of all players of an event; of one whose last check still holds there is a case that says so.
pub fn of_checks(listed: &[CheckedPlayer]) -> String {
    let suites = listed.iter().map(|player| match &player.report {
        Some(report) => suite(report),
        None => {
            let sentence = player.sentence();
            let status = match player.light() {
                Light::Green | Light::Yellow => CaseStatus::Passed,
                Light::Red => failed("not qualified", sentence, ""),
                Light::Unclear => not_ended(sentence),
            };
            Suite::new(harmless(&player.name), vec![JUnitCase::new("earlier check", status)])
        }
    });
    JUnitReport::new(NAME, suites.collect()).to_string()
}

fn suite(report: &CheckReport) -> Suite {
    let name = harmless(&report.name);
    let of_finding = |finding: &Finding| JUnitCase {
        output: (finding.status == Status::Warn).then(|| format!("warning: {}", told(finding))),
        ..JUnitCase::new(finding.step.name(), status(finding)).of(name.as_str())
    };
    let trouble = report.trouble.as_deref();
    let trouble = trouble.map(|trouble| JUnitCase::new("machine", not_ended(harmless(trouble))));
    let cases = report.findings.iter().map(of_finding).chain(trouble).collect();
    Suite::new(name.as_str(), cases)
}

fn status(finding: &Finding) -> CaseStatus {
    match finding.status {
        Status::Pass | Status::Warn => CaseStatus::Passed,
        Status::Fail => failed("check", harmless(&finding.seen), &told(finding)),
        Status::NotReached | Status::LeftOut => skipped(harmless(&finding.seen), None),
    }
}

/// What was seen, what shows it, and what to do about it.
fn told(finding: &Finding) -> String {
    let evidence = finding.evidence.iter().map(String::as_str);
    let lines: Vec<&str> = std::iter::once(finding.seen.as_str())
        .chain(evidence)
        .chain(finding.remedy.as_deref())
        .collect();
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

/// The machine kept the check from ending.
fn not_ended(why: String) -> CaseStatus {
    CaseStatus::Other {
        ending: JUnitEnding::Error("inconclusive"),
        message: why,
        description: None,
    }
}
