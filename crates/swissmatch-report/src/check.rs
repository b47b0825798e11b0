//! The report of a check, and the list of all agents of an event.
//!
//! May not: check anything, ask the time.

use std::fmt::Write as _;

use jiff::civil::Date;
use serde::Serialize;
use serde_json::{Value, json};
use swiss_system::text::harmless;

use super::compared::IsolationComparison;
use super::table::{Column, Table, folded, wrapped};
use super::untrusted::path;
use swissmatch_game::conformance::{CheckStep, CheckVerdict, Finding, Status};
use swissmatch_game::record::ServiceCall;
use swissmatch_tournament::eligibility::{BaselineMatch, Eligible, QualifiedEngine, Record, Why, expiry};

/// Version of the JSON's shape.
const SCHEMA: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// The entry's name, or the command.
    pub name: String,
    pub program: String,
    /// `id name` and `id author`; `None` where it did not get that far.
    pub introduction: Option<(String, String)>,
    /// The agent's files and settings.
    pub agent: QualifiedEngine,
    /// Every step in turn.
    pub findings: Vec<Finding>,
    /// The games against the baseline.
    pub played: Option<BaselineMatch>,
    /// What it asked its service in the step that is called so, where it has a service.
    pub calls: Vec<ServiceCall>,
    /// Why the check did not come to its end.
    pub trouble: Option<String>,
}

impl CheckReport {
    pub fn verdict(&self) -> CheckVerdict {
        CheckVerdict::from_findings(&self.findings, self.trouble.is_some())
    }

    /// A qualification of the agent from the day `date` on, for `valid_for` days.
    pub fn record(&self, date: Date, valid_for: Option<u32>) -> Record {
        Record {
            agent: self.agent.clone(),
            verdict: self.verdict(),
            failed: self.steps(Status::Fail),
            warned: self.steps(Status::Warn),
            played: self.played.clone(),
            date,
            expires: expiry(date, valid_for),
            software: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    fn steps(&self, status: Status) -> Vec<CheckStep> {
        let steps = self.findings.iter().filter(|finding| finding.status == status);
        steps.map(|finding| finding.step).collect()
    }
}

const fn mark(status: Status) -> &'static str {
    match status {
        Status::Pass => "✓",
        Status::Warn => "!",
        Status::Fail => "✗",
        Status::NotReached | Status::LeftOut => "–",
    }
}

const fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "pass",
        Status::Warn => "warn",
        Status::Fail => "FAIL",
        Status::LeftOut => "left out",
        Status::NotReached => "not reached",
    }
}

/// The report as text for people, in `width` columns of a terminal; `None`: as wide as it is.
pub fn text(report: &CheckReport, width: Option<u16>) -> String {
    let mut text = format!("{} ({})", harmless(&report.name), path(&report.program));
    if let Some((name, author)) = &report.introduction {
        let _ = write!(text, ": {} by {}", harmless(name), harmless(author));
    }
    text.push_str("\n\n");
    let table = steps(report).text(width);
    text.push_str(&table);
    for finding in &report.findings {
        let seen = harmless(&finding.seen);
        let is_odd = matches!(finding.status, Status::Warn | Status::Fail) || finding.remedy.is_some();
        if !is_odd && table.contains(&seen) {
            continue;
        }
        text.push('\n');
        text.push_str(&wrapped(&format!("{}: {seen}", finding.step.name()), width));
        for line in &finding.evidence {
            let _ = writeln!(text, "  | {}", harmless(line));
        }
        if let Some(remedy) = &finding.remedy {
            text.push_str(&wrapped(&format!("  → {remedy}"), width));
        }
    }
    text.push('\n');
    text.push_str(&folded(&sentence(report), width));
    text
}

fn steps(report: &CheckReport) -> Table {
    let row = |finding: &Finding| {
        let seconds = format!("{:.1} s", finding.took_ms as f64 / 1000.0);
        // What is shown below in full is cut here.
        let seen: String = finding.seen.chars().take(100).collect();
        let more = if seen.len() < finding.seen.len() { "…" } else { "" };
        vec![
            format!("{} {}", mark(finding.status), word(finding.status)),
            finding.step.name().to_owned(),
            seconds,
            format!("{seen}{more}"),
        ]
    };
    Table {
        columns: vec![
            Column::words(""),
            Column::words("Step"),
            Column::figures("Time").goes(0),
            Column::names("Seen"),
        ],
        rows: report.findings.iter().map(row).collect(),
    }
}

pub fn sentence(report: &CheckReport) -> String {
    let names = |status| {
        let names: Vec<&str> = report.steps(status).into_iter().map(CheckStep::name).collect();
        names.join(", ")
    };
    match report.verdict() {
        CheckVerdict::Passed => "passed".to_owned(),
        CheckVerdict::Warned => format!("passed, with warnings ({})", names(Status::Warn)),
        CheckVerdict::Failed => format!("failed ({})", names(Status::Fail)),
        CheckVerdict::Inconclusive => {
            let why = report.trouble.as_deref().unwrap_or_default();
            format!("inconclusive: {}", harmless(why))
        }
    }
}

/// The report for programs.
pub fn json(report: &CheckReport, compared: Option<&IsolationComparison>) -> String {
    let mut document = value(report);
    if let Some(compared) = compared {
        document["unisolated"] = json!(compared);
    }
    document["schema"] = SCHEMA.into();
    pretty(&document)
}

fn value(report: &CheckReport) -> Value {
    #[derive(Serialize)]
    struct Id<'a> {
        name: &'a str,
        author: &'a str,
    }
    let id = report.introduction.as_ref();
    let mut value = json!({
        "name": report.name,
        "program": report.program,
        "id": id.map(|(name, author)| Id { name, author }),
        "verdict": report.verdict(),
        "agent": report.agent,
        "steps": report.findings,
        "qualification": report.played,
        "points": report.played.as_ref().map(BaselineMatch::points),
        "required": report.played.as_ref().map(|played| played.terms.least()),
        "trouble": report.trouble,
    });
    if !report.calls.is_empty() {
        value["calls"] = json!(report.calls);
    }
    value
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[derive(Clone, Debug)]
pub struct CheckedPlayer {
    pub name: String,
    /// The new finding; `None`: the last record still holds, and the player was not checked again.
    pub report: Option<CheckReport>,
    /// Whether it may play.
    pub standing: Result<Eligible, Why>,
}

/// A light for each player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Light {
    Green,
    /// Qualified, but with warnings, or only for a short time still.
    Yellow,
    Red,
    /// The machine kept the check from ending.
    Unclear,
}

impl Light {
    const fn word(self) -> &'static str {
        match self {
            Self::Green => "● green",
            Self::Yellow => "◐ yellow",
            Self::Red => "○ RED",
            Self::Unclear => "? unclear",
        }
    }
}

impl CheckedPlayer {
    pub fn light(&self) -> Light {
        match &self.standing {
            Ok(eligible) if eligible.has_warnings || eligible.is_soon => Light::Yellow,
            Ok(_) => Light::Green,
            Err(Why::Failed {
                verdict: CheckVerdict::Inconclusive,
                ..
            }) => Light::Unclear,
            Err(_) => Light::Red,
        }
    }

    /// The state of the player in one line.
    pub fn sentence(&self) -> String {
        match (&self.report, &self.standing) {
            (Some(report), Ok(_) | Err(Why::Failed { .. })) => sentence(report),
            (_, Ok(eligible)) if eligible.has_warnings => "still qualified, with warnings".to_owned(),
            (_, Ok(_)) => "still qualified".to_owned(),
            (_, Err(why)) => harmless(&why.to_string()),
        }
    }
}

/// The list as text for people, in `width` columns of a terminal (`None`: as wide as it is), with the reports of those who did not pass.
pub fn list(listed: &[CheckedPlayer], width: Option<u16>) -> String {
    let row = |player: &CheckedPlayer| {
        let expires = player.standing.as_ref().ok().map(|eligible| eligible.expires);
        let until = expires.map_or_else(String::new, |expires| {
            expires.map_or_else(|| "indefinitely".to_owned(), |date| format!("until {date}"))
        });
        vec![
            player.light().word().to_owned(),
            player.name.clone(),
            until,
            player.sentence(),
        ]
    };
    let table = Table {
        columns: vec![
            Column::words(""),
            Column::names("Player"),
            Column::words("Valid").goes(0),
            Column::names("Check"),
        ],
        rows: listed.iter().map(row).collect(),
    };
    let mut out = table.text(width);
    let is_odd = |player: &&CheckedPlayer| player.light() != Light::Green;
    for report in listed.iter().filter(is_odd).filter_map(|player| player.report.as_ref()) {
        out.push('\n');
        out.push_str(&text(report, width));
    }
    out
}

/// The list for programs.
pub fn list_json(listed: &[CheckedPlayer]) -> String {
    let player = |player: &CheckedPlayer| {
        json!({
            "name": player.name,
            "light": player.light(),
            "says": player.sentence(),
            "expires": player.standing.as_ref().ok().and_then(|eligible| eligible.expires),
            "report": player.report.as_ref().map(value),
        })
    };
    pretty(&json!({ "schema": SCHEMA, "players": listed.iter().map(player).collect::<Vec<_>>() }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn nothing_that_was_seen_is_lost_for_lack_of_room() {
        let long = "what it declares ".repeat(8) + "and the last of it";
        let finding = |step, seen: &str| Finding {
            step,
            status: Status::Pass,
            seen: seen.to_owned(),
            evidence: Vec::new(),
            remedy: None,
            took_ms: 1,
        };
        let report = CheckReport {
            name: "Quitter".to_owned(),
            program: "own/./quitter.sh".to_owned(),
            introduction: None,
            agent: QualifiedEngine {
                files: Vec::new(),
                args: Vec::new(),
                options: BTreeMap::new(),
                env: BTreeMap::new(),
            },
            findings: vec![
                finding(CheckStep::Handshake, "uciok"),
                finding(CheckStep::Options, &long),
            ],
            played: None,
            calls: Vec::new(),
            trouble: None,
        };
        let text = text(&report, None);
        assert!(text.starts_with("Quitter (own/quitter.sh)\n"), "{text}");
        assert!(text.contains(&format!("\noptions: {long}\n")), "{text}");
        assert!(!text.contains("\nhandshake: "), "{text}");
    }
}
