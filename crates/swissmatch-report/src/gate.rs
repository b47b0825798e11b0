//! Whether a build passes a gate: a match of it against an older build shows whether it got weaker.
//!
//! May not: play, or know why no more games are played; that is handed in.

use std::cmp::Ordering;

use serde::Serialize;

use super::event_name;
use super::faults::over_bound;
use super::figures::EventFigures;
use super::table::escape_markdown;
use super::versus::{Versus, hypotheses, interval_of_elo};
use swissmatch_stats::pairs::score_of_elo;
use swissmatch_stats::sprt::{Decimal, Verdict};
use swissmatch_tournament::state::State;
use swissmatch_tournament::ties::event_is_over;

/// The rule by which a gate decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateRule {
    ByTest,
    /// By the 95 % interval of the difference in Elo when all games are over: it has to lie above or below this bound.
    ByInterval(Decimal),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// No regression.
    Passed,
    /// A regression.
    Failed,
    /// Neither is shown.
    Inconclusive,
    /// An agent was at fault too often.
    Faults,
    /// It was interrupted, and can go on.
    Interrupted,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchEnd {
    /// There is nothing left to be played.
    Over,
    TimeIsUp,
    AtFault,
    /// Somebody asked it to stop.
    Interrupted,
}

#[derive(Clone, Debug)]
pub struct Gate {
    /// The outcome by itself, before an inconclusive one is replaced.
    pub outcome: Outcome,
    /// The outcome that replaces an inconclusive one.
    pub inconclusive: Outcome,
    /// The reasons, in sentences.
    pub why: Vec<String>,
}

impl Gate {
    /// The gate of a match of two players as it stands.
    pub fn of(state: &State, decided: GateRule, ended: MatchEnd, inconclusive: Outcome) -> Self {
        let faults = over_bound(state);
        if !faults.is_empty() {
            return Self {
                outcome: Outcome::Faults,
                inconclusive,
                why: faults,
            };
        }
        let (outcome, why) = match decided {
            GateRule::ByTest => by_test(state),
            GateRule::ByInterval(bound) => by_interval(state, bound),
        };
        let is_open = outcome == Outcome::Inconclusive && !event_is_over(state);
        let (outcome, more) = match ended {
            MatchEnd::Interrupted if is_open => (
                Outcome::Interrupted,
                Some("the match was interrupted; the same command goes on with it"),
            ),
            MatchEnd::TimeIsUp if is_open => (outcome, Some("the time is up; the same command goes on with the match")),
            _ => (outcome, None),
        };
        Self::because(outcome, inconclusive, [Some(why), more.map(str::to_owned)])
    }

    /// The gate of a build against itself, without a game: it is 0 Elo ahead. A test would be about these differences.
    pub fn of_same_build(decided: GateRule, [elo0, elo1]: [Decimal; 2], inconclusive: Outcome) -> Self {
        let (outcome, asked) = match decided {
            GateRule::ByTest if Decimal::ZERO >= elo1 => (Outcome::Passed, format!("as H1 has it ({elo1})")),
            GateRule::ByTest if Decimal::ZERO <= elo0 => (Outcome::Failed, format!("as H0 has it ({elo0})")),
            GateRule::ByTest => (Outcome::Inconclusive, format!("between H0 ({elo0}) and H1 ({elo1})")),
            GateRule::ByInterval(bound) => match Decimal::ZERO.cmp(&bound) {
                Ordering::Greater => (Outcome::Passed, format!("above {bound} Elo")),
                Ordering::Less => (Outcome::Failed, format!("below {bound} Elo")),
                Ordering::Equal => (Outcome::Inconclusive, format!("neither above nor below {bound} Elo")),
            },
        };
        let why =
            format!("both are the same build, so there is nothing to be played: the difference is 0 Elo, {asked}");
        Self::because(outcome, inconclusive, [Some(why), None])
    }

    /// A gate with these reasons, and a sentence on what becomes of an inconclusive one.
    fn because(outcome: Outcome, inconclusive: Outcome, why: [Option<String>; 2]) -> Self {
        let counts_as = match (outcome, inconclusive) {
            (Outcome::Inconclusive, Outcome::Passed) => Some("such a match passes here (--inconclusive pass)"),
            (Outcome::Inconclusive, Outcome::Failed) => Some("such a match fails here (--inconclusive fail)"),
            _ => None,
        };
        let why = why.into_iter().flatten();
        Self {
            outcome,
            inconclusive,
            why: why.chain(counts_as.map(str::to_owned)).collect(),
        }
    }

    /// The outcome after an inconclusive one is replaced.
    pub const fn counts_as(&self) -> Outcome {
        match self.outcome {
            Outcome::Inconclusive => self.inconclusive,
            outcome => outcome,
        }
    }

    pub const fn word(&self) -> &'static str {
        match self.outcome {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Inconclusive => "inconclusive",
            Outcome::Faults => "agents at fault",
            Outcome::Interrupted => "interrupted",
        }
    }

    /// In Markdown for the page of a job: a match of this name that was not played.
    pub fn markdown_of_unplayed(&self, name: &str) -> String {
        let why = self.why.iter().map(|line| format!("- {}\n", escape_markdown(line)));
        format!(
            "## Gate {}: {}\n\n{}",
            self.word(),
            escape_markdown(name),
            why.collect::<String>()
        )
    }

    /// In Markdown for the page of a job.
    pub fn markdown(&self, state: &State) -> String {
        let event = event_name(state);
        let mut text = format!("## Gate {}: {}\n\n", self.word(), escape_markdown(&event));
        let lines = self.why.iter().cloned().chain(Versus::now(state).lines(state));
        text.extend(lines.map(|line| format!("- {}\n", escape_markdown(&line))));
        let figures = EventFigures::new(state).page(&event).markdown();
        text + "\n<details><summary>The match in figures</summary>\n\n" + &figures + "\n</details>\n"
    }
}

fn by_test(state: &State) -> (Outcome, String) {
    let of = state
        .setup()
        .sprt
        .test()
        .map(|test| hypotheses(&test))
        .unwrap_or_default();
    let Some(decided) = state.verdict() else {
        return (
            Outcome::Inconclusive,
            format!("the test of {of} accepted neither hypothesis"),
        );
    };
    match decided.verdict {
        Verdict::H1 if decided.llr < decided.upper => (
            Outcome::Passed,
            format!("the test of {of} accepted H1: the whole match was won"),
        ),
        Verdict::H0 if decided.llr > decided.lower => (
            Outcome::Failed,
            format!("the test of {of} accepted H0: the whole match was lost"),
        ),
        Verdict::H1 => (Outcome::Passed, format!("the test of {of} accepted H1")),
        Verdict::H0 => (Outcome::Failed, format!("the test of {of} accepted H0")),
        Verdict::Neither => (
            Outcome::Inconclusive,
            format!(
                "the test of {of} accepted neither hypothesis, which no outcome of the games that were left could change"
            ),
        ),
    }
}

/// The outcome by the interval; "above" and "below" are of the whole interval.
fn by_interval(state: &State, bound: Decimal) -> (Outcome, String) {
    let Some([low, high]) = Versus::now(state).pairs().interval() else {
        return (Outcome::Inconclusive, "no game pair has been played".to_owned());
    };
    let score = score_of_elo(bound.value());
    let interval = interval_of_elo([low, high]);
    match () {
        () if low > score => (
            Outcome::Passed,
            format!("the 95 % interval is above {bound} Elo ({interval})"),
        ),
        () if high < score => (
            Outcome::Failed,
            format!("the 95 % interval is below {bound} Elo ({interval})"),
        ),
        () => (
            Outcome::Inconclusive,
            format!("{bound} Elo is within the 95 % interval ({interval})"),
        ),
    }
}
