//! Changes of a night: each build against the last other build of its name.
//!
//! As long as there are new games, a build is compared night after night, so that a change which too few games hid is found later. A change
//! is marked once. May not: fit; know how it is shown.

use super::{BuildComparison, Night, NightBuild, NightSeries};
use swissmatch_stats::marks::judge;
use swissmatch_stats::rating::fitted::Fit;
use swissmatch_tournament::noise::Noisy;

#[derive(Clone, Debug, Default, PartialEq)]
pub struct NightChanges {
    /// Builds that can be compared with the ones before them, in the order of the night.
    pub compared: Vec<BuildComparison>,
    /// Why no build is compared; `None` if any is.
    pub why_not: Option<&'static str>,
}

/// The build that had a name before.
struct Older<'a> {
    /// The night in which it played last.
    since: &'a Night,
    build: &'a NightBuild,
    /// How often it was compared with the one after it.
    looks: u32,
    /// The night that marked the change from it.
    marked_in: Option<&'a str>,
}

/// The changes of the last night of a series; `fit` is that of its games.
///
/// A night without a game of its own marks nothing, nor does one on a noisy machine.
pub fn changes(series: &NightSeries<'_>, fit: &Fit) -> NightChanges {
    let Some(((night, noisy), before)) = series.nights.split_last() else {
        return NightChanges::default();
    };
    let why_not = |why| NightChanges {
        compared: Vec::new(),
        why_not: Some(why),
    };
    if !noisy.is_empty() {
        return why_not("the machine was noisy");
    }
    if night.games.is_empty() {
        return why_not("there is no game that can be rated");
    }
    if !night.has_played() {
        return why_not("no game was played: all of them are taken from earlier nights");
    }
    let mut found = Vec::new();
    let mut differences = Vec::new();
    for build in &night.builds {
        // A build whose games were all known before gives nothing new. A build that is at fault has another problem.
        if build.opponent || build.too_many_faults || !night.games_of(&build.name).any(|game| game.from.is_none()) {
            continue;
        }
        let Some(older) = older(before, build) else {
            continue;
        };
        let numbers = series.number(&build.build).zip(series.number(&older.build.build));
        let look = Some(older.looks + 1);
        let Some(difference) = numbers.and_then(|(new, old)| series.difference(fit, [new, old], look)) else {
            continue;
        };
        differences.push(difference);
        found.push((build, older));
    }
    let judged = judge(&differences);
    let compared = found
        .into_iter()
        .zip(judged)
        .map(|((build, older), judged)| BuildComparison {
            name: build.name.clone(),
            since: older.since.name.clone(),
            versions: [older.build.version.clone(), build.version.clone()],
            ahead: judged.ahead,
            bound: judged.bound,
            marked_in: older.marked_in.map(str::to_owned),
        });
    NightChanges {
        compared: compared.collect(),
        why_not: None,
    }
}

/// The nights of a series up to this one, the last first.
fn backwards<'s, 'a>(series: &'s NightSeries<'a>, night: &'s Night) -> impl Iterator<Item = &'a Night> + 's {
    let nights = series.nights.iter().rev().map(|(night, _)| *night);
    nights.skip_while(|other| other.run != night.run)
}

/// The earlier night that marked builds of this name as weaker. `None` if a later one marked them as stronger, or if the build from before
/// that mark plays again.
pub fn still_weaker<'a>(series: &NightSeries<'a>, night: &Night, build: &NightBuild) -> Option<&'a Night> {
    let mut marks = backwards(series, night).skip(1).filter_map(|night| {
        let mut changes = night.changes.iter();
        let change = changes.find(|change| change.name == build.name && change.is_marked())?;
        Some((night, change))
    });
    let (marked_in, change) = marks.next().filter(|(_, change)| change.ahead < 0.0)?;
    let marked = marked_in.build(&build.name)?;
    // Several nights may have the same name.
    let since = backwards(series, marked_in).filter(|night| night.name == change.since);
    let older = since
        .filter_map(|night| night.build(&build.name))
        .find(|older| older.build != marked.build);
    older
        .is_none_or(|older| older.build != build.build)
        .then_some(marked_in)
}

/// The night in which the build that plays under this name in a night first did so.
pub(crate) fn plays_since<'a>(series: &NightSeries<'a>, night: &Night, build: &NightBuild) -> Option<&'a Night> {
    let of_name = backwards(series, night).filter_map(|night| Some((night, night.build(&build.name)?)));
    let same = of_name.take_while(|(_, other)| other.build == build.build);
    same.last().map(|(night, _)| night)
}

/// The last build that had the name of this one and was another build. A build that was at fault too often, or has no rated game, is passed
/// over.
fn older<'a>(before: &[(&'a Night, Vec<Noisy>)], build: &NightBuild) -> Option<Older<'a>> {
    let (mut looks, mut marked_in) = (0, None);
    for (night, _) in before.iter().rev().filter(|(_, noisy)| noisy.is_empty()) {
        let Some(other) = night.build(&build.name) else {
            continue;
        };
        let is_measure = !other.too_many_faults && night.games_of(&build.name).next().is_some();
        if !is_measure && other.build != build.build {
            continue;
        }
        if other.build != build.build {
            return Some(Older {
                since: night,
                build: other,
                looks,
                marked_in,
            });
        }
        if let Some(compared) = night.changes.iter().find(|change| change.name == build.name) {
            looks += 1;
            if compared.is_marked() {
                marked_in = Some(night.name.as_str());
            }
        }
    }
    None
}
