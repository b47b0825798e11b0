//! What changed in a night: each build against the last other build of its name.
//!
//! May not: fit; know how it is shown.

use super::{Compared, Series};
use crate::stats::marks::judge;
use crate::stats::rating::fitted::Fit;

/// What changed in a night.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// Builds that can be compared with the ones before them, in the order of the night.
    pub compared: Vec<Compared>,
    /// Why no build is compared, where none can be.
    pub why_not: Option<&'static str>,
}

/// The changes of the last night of a series, whose games were fitted so.
///
/// A night without a game of its own marks nothing, nor does one on a noisy machine.
pub fn changes(series: &Series<'_>, fit: &Fit) -> Changes {
    let Some(((night, noisy), before)) = series.nights.split_last() else {
        return Changes::default();
    };
    let why_not = |why| Changes {
        compared: Vec::new(),
        why_not: Some(why),
    };
    if !noisy.is_empty() {
        return why_not("the machine was noisy");
    }
    if !night.has_played() {
        return why_not("no game was played: all of them are taken from earlier nights");
    }
    let mut found = Vec::new();
    let mut differences = Vec::new();
    for (number, build) in night.builds.iter().enumerate() {
        // Nothing new is known of a build whose games were all known before.
        let played = night.games.iter().any(|game| {
            let number = u16::try_from(number).ok();
            game.from.is_none() && (Some(game.white) == number || Some(game.black) == number)
        });
        let older = before.iter().rev().filter(|(_, noisy)| noisy.is_empty());
        let mut older = older.filter_map(|(other, _)| Some((*other, other.build(&build.name)?)));
        // The last build that had this name: where that is the same one, nothing changed.
        let Some((since, old)) = older.next().filter(|(_, old)| played && old.build != build.build) else {
            continue;
        };
        let numbers = series.number(&build.build).zip(series.number(&old.build));
        let Some(difference) = numbers.and_then(|(new, old)| fit.difference(new, old)) else {
            continue;
        };
        differences.push(difference);
        found.push((build, since, [old.version.as_str(), build.version.as_str()]));
    }
    let judged = judge(&differences);
    let compared = found.into_iter().zip(judged);
    Changes {
        compared: compared
            .map(|((build, since, versions), judged)| Compared {
                name: build.name.clone(),
                since: since.name.clone(),
                versions: versions.map(str::to_owned),
                ahead: judged.ahead,
                bound: judged.bound,
            })
            .collect(),
        why_not: None,
    }
}
