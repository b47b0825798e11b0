//! Marks at a job of GitHub Actions: workflow commands, one in each line.
//!
//! May not: print.

use swiss_system::text::harmless;

use super::gate::{Gate, Outcome};
use super::league::NightView;
use super::not_begun::NotBegun;

/// The marks of a gate.
pub fn marks(gate: &Gate) -> Vec<String> {
    let level = match gate.counts_as() {
        Outcome::Passed => return Vec::new(),
        Outcome::Failed | Outcome::Faults => "error",
        Outcome::Inconclusive | Outcome::Interrupted => "warning",
    };
    let title = format!("gate {}", gate.word());
    gate.why.iter().map(|why| mark(level, &title, why)).collect()
}

/// The marks of a night: builds that got weaker, or are so since an earlier night, that are at fault, or that are missing, and why the
/// night is not compared.
pub fn night_marks(view: &NightView<'_>) -> Vec<String> {
    let weaker = view.weaker().map(|row| {
        let text = format!("{} {} is weaker than the build before it", row.name, row.version);
        mark("error", "a build got weaker", &text)
    });
    let still = view.still_weaker();
    let still = still.map(|sentence| mark("warning", "a build is still weaker", &sentence));
    let faults = view.rows.iter().filter(|row| row.is_at_fault()).map(|row| {
        let level = if row.too_many_faults { "error" } else { "warning" };
        let text = format!("{} {}", row.name, row.faults_in_words());
        mark(level, "a build is at fault", &text)
    });
    let broken = view.night.broken.iter().map(|broken| {
        let text = format!("{} did not play: {}", harmless(&broken.name), harmless(&broken.why));
        mark("error", "a build is broken", &text)
    });
    let noisy = view
        .noisy
        .iter()
        .map(|noisy| mark("warning", "the machine was noisy", &noisy.sentence()));
    weaker.chain(still).chain(faults).chain(broken).chain(noisy).collect()
}

/// A mark that an older commit of a build plays than the one that was wanted, and why.
pub fn mark_of_older(build: &str, why: &str) -> String {
    let text = format!("{}: {}", harmless(build), harmless(why));
    mark("warning", "an older commit plays", &text)
}

/// The mark of a gate or a night that could not begin.
pub fn mark_of(not_begun: &NotBegun) -> String {
    let (title, text) = not_begun.mark();
    mark("error", &title, &text)
}

/// One command. In its text `%` and line ends become percent signs with numbers, and in its title colons and commas do, too.
fn mark(level: &str, title: &str, text: &str) -> String {
    let data = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| data(text).replace(':', "%3A").replace(',', "%2C");
    format!("::{level} title={}::{}", property(title), data(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_is_escaped() {
        let gate = Gate {
            outcome: Outcome::Faults,
            inconclusive: Outcome::Inconclusive,
            why: vec!["A, B: 5 %\n::set-output".to_owned()],
        };
        assert_eq!(
            marks(&gate),
            ["::error title=gate agents at fault::A, B: 5 %25%0A::set-output"]
        );
        assert_eq!(mark("warning", "a:b,c", "d"), "::warning title=a%3Ab%2Cc::d");
        let passed = Gate {
            outcome: Outcome::Passed,
            inconclusive: Outcome::Inconclusive,
            why: vec!["well".to_owned()],
        };
        assert!(marks(&passed).is_empty());
    }
}
