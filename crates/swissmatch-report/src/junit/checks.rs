//! Checks of agents as a JUnit report: a suite for each agent, a case for each step.
//!
//! May not: check anything.

use quick_junit::{NonSuccessKind, Report as JUnit, TestCase, TestCaseStatus, TestSuite};
use swiss_system::text::harmless;

use super::failed;
use crate::check::{Light, Listed, Report};
use swissmatch_game::conformance::{Finding, Status};

/// What the report is called.
const NAME: &str = "swissmatch check";

/// The check of one agent.
///
/// # Panics
/// Never: it is plain text.
pub fn of_check(report: &Report) -> String {
    let mut all = JUnit::new(NAME);
    all.add_test_suite(suite(report));
    all.to_string().expect("plain text")
}

/// Those of all players of an event; of one whose last check still holds there is a case that says so.
///
/// # Panics
/// Never: it is plain text.
pub fn of_checks(listed: &[Listed]) -> String {
    let mut all = JUnit::new(NAME);
    for player in listed {
        let suite = match &player.report {
            Some(report) => suite(report),
            None => {
                let sentence = player.sentence();
                let status = match player.light() {
                    Light::Green | Light::Yellow => TestCaseStatus::success(),
                    Light::Red => failed("not qualified", &sentence, ""),
                    Light::Unclear => not_ended(&sentence),
                };
                let mut suite = TestSuite::new(harmless(&player.name));
                suite.add_test_case(TestCase::new("earlier check", status));
                suite
            }
        };
        all.add_test_suite(suite);
    }
    all.to_string().expect("plain text")
}

fn suite(report: &Report) -> TestSuite {
    let name = harmless(&report.name);
    let mut suite = TestSuite::new(name.as_str());
    for finding in &report.findings {
        let mut case = TestCase::new(finding.step.name(), status(finding));
        case.set_classname(name.as_str());
        if finding.status == Status::Warn {
            case.set_system_out(format!("warning: {}", told(finding)));
        }
        suite.add_test_case(case);
    }
    if let Some(trouble) = &report.trouble {
        suite.add_test_case(TestCase::new("machine", not_ended(&harmless(trouble))));
    }
    suite
}

fn status(finding: &Finding) -> TestCaseStatus {
    match finding.status {
        Status::Pass | Status::Warn => TestCaseStatus::success(),
        Status::Fail => failed("check", &harmless(&finding.seen), &told(finding)),
        Status::NotReached => {
            let mut skipped = TestCaseStatus::skipped();
            skipped.set_message(harmless(&finding.seen));
            skipped
        }
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
fn not_ended(why: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_type("inconclusive").set_message(why);
    status
}
