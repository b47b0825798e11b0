//! Rules of a ladder that change in mid-season: which version is in force from when, what changes with it, and why.

use std::path::Path;

use swiss_system::text::harmless;

use super::RulesSection;
use swissmatch_tournament::setup::{RuleChange, RulesKeys, Setup};

/// By which version is played, and all there are.
pub(super) fn versions(setup: &Setup) -> RulesSection {
    let all = 1 + setup.rules.len();
    let played = (all > 1).then(|| format!("This is version {} of the rules, of {all}.", setup.version()));
    let of_each = changes(setup).into_iter().map(Some);
    RulesSection::new("Changes of the rules", std::iter::once(played).chain(of_each))
}

/// A sentence for each change of the rules.
pub(crate) fn changes(setup: &Setup) -> Vec<String> {
    let zone = &setup.schedule.time_zone;
    let of = |(rules, number): (&RulesKeys, usize)| {
        let from = zone.moment(rules.from);
        let until = match setup.rules.get(number - 1) {
            Some(next) => format!("until {}", zone.moment(next.from)),
            None => "on, and for the event".to_owned(),
        };
        let changes: Vec<String> = rules.changes.iter().map(in_words).collect();
        format!(
            "Version {number} of the rules holds for rounds of the ladder that are due from {from} {until}: {}. Why: {}",
            changes.join("; "),
            harmless(&rules.why)
        )
    };
    setup.rules.iter().zip(2..).map(of).collect()
}

fn in_words(change: &RuleChange) -> String {
    // Where they are on the machine of the event is nobody's business.
    let is_of_paths = change.key == "adjudication.tablebases";
    let shown = |value: &str| match is_of_paths {
        true => {
            let paths = value.split('"').skip(1).step_by(2);
            let names = paths
                .filter_map(|path| Path::new(path).file_name())
                .map(|name| name.to_string_lossy());
            format!("[{}]", names.collect::<Vec<_>>().join(", "))
        }
        false => harmless(value),
    };
    format!(
        "{} was {} and is {}",
        change.key,
        shown(&change.old),
        shown(&change.new)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_version_holds_until_the_next_one() {
        let mut setup = Setup::default();
        for day in [11, 12] {
            setup.rules.push(RulesKeys {
                from: format!("2026-09-{day}T00:00:00Z").parse().expect("a time"),
                ..RulesKeys::default()
            });
        }
        let all = changes(&setup);
        assert!(
            all[0].contains("due from 2026-09-11 00:00:00 +00:00 until 2026-09-12 00:00:00 +00:00: "),
            "{all:?}"
        );
        assert!(
            all[1].contains("due from 2026-09-12 00:00:00 +00:00 on, and for the event: "),
            "{all:?}"
        );
    }
}
