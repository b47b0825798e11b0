//! Checks of agents as a JUnit report: a suite for each agent, a case for each step.
//!
//! May not: check anything.

use swiss_system::text::harmless;

use super::xml::{JUnitCase, JUnitEnding, JUnitReport, Status as CaseStatus, Suite};
use super::{failed, skipped};
use crate::check::{CheckReport, CheckedPlayer, Light};
use swissmatch_game::conformance::{Finding, Status};

const NAME: &str = "swissmatch check";

pub fn of_check(report: &CheckReport) -> String {
    JUnitReport::new(NAME, vec![suite(report)]).to_string()
}

/// The report of the checks of all players of an event. A player whose last check still holds has a case that says so.
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

/// The finding, the evidence for it, and the remedy.
fn told(finding: &Finding) -> String {
    let evidence = finding.evidence.iter().map(String::as_str);
    let lines: Vec<&str> = std::iter::once(finding.seen.as_str())
        .chain(evidence)
        .chain(finding.remedy.as_deref())
        .collect();
    lines.iter().map(|line| harmless(line)).collect::<Vec<_>>().join("\n")
}

/// A case for a check that the machine kept from ending.
fn not_ended(why: String) -> CaseStatus {
    CaseStatus::Other {
        ending: JUnitEnding::Error("inconclusive"),
        message: why,
        description: None,
    }
}
