//! A gate or a night that could not begin, for a job of continuous integration: its reports have no games to tell of.
//!
//! May not: say why; that is handed in.

use swiss_system::text::harmless;

use super::junit::xml::{JUnitCase, JUnitEnding, JUnitReport, Status, Suite};

/// Whose doing it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// An agent does not start, or could not be built.
    Agent,
    /// The user who asked for it.
    User,
    Machine,
}

/// A job that could not begin, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotBegun {
    /// `gate` or `league`.
    pub job: &'static str,
    pub whose: Whose,
    /// The reason, as lines.
    pub why: String,
}

impl NotBegun {
    fn word(&self) -> &'static str {
        match self.whose {
            Whose::Agent if self.job == "league" => "a build is at fault",
            Whose::Agent => "agents at fault",
            Whose::User => "wrong usage",
            Whose::Machine => "the machine failed",
        }
    }

    /// The first line of the reason.
    fn in_short(&self) -> String {
        harmless(self.why.lines().next().unwrap_or_default())
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        self.why.lines().map(harmless)
    }

    /// As a JUnit report of one case.
    pub fn junit(&self) -> String {
        let status = Status::Other {
            ending: match self.whose {
                Whose::Agent => JUnitEnding::Failed(self.word()),
                Whose::User | Whose::Machine => JUnitEnding::Error(self.word()),
            },
            message: self.in_short(),
            description: Some(self.lines().collect::<Vec<_>>().join("\n")),
        };
        let suite = Suite::new(self.job, vec![JUnitCase::new("start", status).of(self.job)]);
        JUnitReport::new(self.job, vec![suite]).to_string()
    }

    /// In Markdown for the page of a job.
    pub fn markdown(&self) -> String {
        let job = if self.job == "gate" { "Gate" } else { "League" };
        // Indented lines are code, in which no character has a meaning.
        let lines: String = self.lines().map(|line| format!("    {line}\n")).collect();
        format!("## {job}: {}\n\n{lines}\n", self.word())
    }

    /// The title and text of the mark at the job.
    pub fn mark(&self) -> (String, String) {
        (format!("{}: {}", self.job, self.word()), self.in_short())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_say_marks_nothing_up() {
        let not_begun = NotBegun {
            job: "gate",
            whose: Whose::Agent,
            why: "Rook does not start\n  It printed:\n    # <b>]]>\u{7}".to_owned(),
        };
        assert_eq!(
            not_begun.markdown(),
            "## Gate: agents at fault\n\n    Rook does not start\n      It printed:\n        # <b>]]>\n\n"
        );
        let junit = not_begun.junit();
        assert!(junit.contains("failures=\"1\" errors=\"0\""), "{junit}");
        assert!(
            junit.contains("message=\"Rook does not start\"") && !junit.contains("<b>"),
            "{junit}"
        );
        assert_eq!(
            not_begun.mark(),
            ("gate: agents at fault".to_owned(), "Rook does not start".to_owned())
        );
    }
}
