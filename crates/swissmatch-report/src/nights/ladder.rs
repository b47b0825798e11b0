//! Ratings in a ladder: one fit of all its rounds, with everything that has played in them.
//!
//! Besides its games, each version is assumed to have drawn one game with the previous version of the same player, and each first version
//! one with an average player. So ratings exist after the first round already, even for players who won or lost everything, and a new
//! version starts from the rating of the one before it. Rounds on a busy machine count like all others. May not: touch files.

use std::collections::BTreeMap;

use super::{History, Night, NightSeries};
use swissmatch_stats::rating::fitted::Value;
use swissmatch_stats::rating::games::{Meeting, RatedGames};
use swissmatch_stats::rating::{self, Draw, FitError, Options, Origin, White};
use swissmatch_tournament::setup::LadderRating;

/// The middle of the field where no rating is fixed, in Elo.
const MIDDLE: i32 = 1500;
/// A rating that rests on fewer games is provisional.
pub const FEW: u32 = 10;

/// The middle of a field with these fixed ratings, in Elo.
pub fn middle(fixed: impl Iterator<Item = i32>) -> i32 {
    let (count, sum) = fixed.fold((0, 0), |(count, sum), rating| (count + 1, sum + rating));
    if count == 0 { MIDDLE } else { sum / count }
}

/// A player in a ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InLadder<'a> {
    pub name: &'a str,
    /// The build that plays for it, as [`super::NightBuild::build`] has it; `None`: the one that played last.
    pub build: Option<&'a str>,
    /// Its rating, if that is fixed.
    pub fixed: Option<i32>,
}

/// The ratings of these players by all rounds, in their order; `None` for players without any. A version that has played no game has the
/// rating of the one before it, with its error.
///
/// # Errors
/// When there is no fit.
pub fn ladder_ratings(history: &History, players: &[InLadder<'_>]) -> Result<Vec<Option<LadderRating>>, FitError> {
    let mut series = NightSeries::of_all(history);
    let draws = share_of_draws(&series.games);
    let versions = versions(history);
    let of_name = |name: &str| versions.get(name).map_or(&[][..], Vec::as_slice);
    let fixed: BTreeMap<usize, f64> = players
        .iter()
        .filter_map(|player| Some((player.name, f64::from(player.fixed?))))
        .flat_map(|(name, rating)| of_name(name).iter().map(move |build| (*build, rating)))
        .filter_map(|(build, rating)| Some((series.number(build)?, rating)))
        .collect();
    let somebody = series.builds.len();
    series.games.players += 1;
    for builds in versions.values() {
        let numbers: Vec<usize> = builds.iter().filter_map(|build| series.number(build)).collect();
        let before = std::iter::once(somebody).chain(numbers.iter().copied());
        let links: Vec<Meeting> = before
            .zip(&numbers)
            .filter(|(before, number)| before != *number)
            .map(|(before, number)| drawn(before, *number))
            .collect();
        series.games.single.extend(links);
    }
    let level = f64::from(middle(players.iter().filter_map(|player| player.fixed)));
    // The middle of the field is 0.
    let fixed = fixed.into_iter().map(|(build, rating)| (build, rating - level));
    let anchors = fixed.chain([(somebody, 0.0)]).collect();
    let options = Options {
        origin: Origin::Anchors(anchors),
        // Colours are given out evenly.
        white: White::Given(0.0),
        draw: Draw::Given(draws),
        ..Options::default()
    };
    if versions.is_empty() {
        return Ok(vec![None; players.len()]);
    }
    let fit = rating::fit(&series.games, &options)?;
    let games = games_by_build(history);
    let rated = |player: &InLadder<'_>| {
        let last = last_build(history, player.name)?;
        let plays = player.build.unwrap_or(last);
        // A version that has not played has the rating of the last one that did.
        let stands = if of_name(player.name).contains(&plays) {
            plays
        } else {
            last
        };
        let Value::Estimate(rating, error) = fit.value(series.number(stands)?) else {
            return None;
        };
        let games = games.get(&(player.name, plays)).copied().unwrap_or_default();
        Some(LadderRating {
            rating: (level + rating).round() as i32,
            error: error.unwrap_or_default().round() as u32,
            games,
            provisional: player.fixed.is_none() && games < FEW,
        })
    };
    Ok(players.iter().map(rated).collect())
}

/// The share of draws, with two more games, one of them drawn. A fit of it together with the assumed games
/// would have no best value.
fn share_of_draws(games: &RatedGames) -> f64 {
    let (mut draws, mut all) = (1, 2);
    for meeting in &games.single {
        draws += meeting.draws;
        all += meeting.wins + meeting.draws + meeting.losses;
    }
    for (results, count) in games
        .pairs
        .iter()
        .flat_map(|pairs| (0..).zip(pairs.counts.iter().flatten()))
    {
        let draws_of_pair = [results / 3, results % 3]
            .into_iter()
            .filter(|result| *result == 1)
            .count();
        draws += draws_of_pair as u64 * count;
        all += 2 * count;
    }
    draws as f64 / all as f64
}

fn drawn(white: usize, black: usize) -> Meeting {
    Meeting {
        white,
        black,
        wins: 0,
        draws: 1,
        losses: 0,
    }
}

/// The builds that played for each name, each once, in the order of their first rounds.
fn versions(history: &History) -> BTreeMap<&str, Vec<&str>> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for build in history.nights.iter().flat_map(|night| &night.builds) {
        let of_name = versions.entry(&build.name).or_default();
        if !of_name.contains(&build.build.as_str()) {
            of_name.push(&build.build);
        }
    }
    versions
}

/// The build that played for a name last.
fn last_build<'a>(history: &'a History, name: &str) -> Option<&'a str> {
    let mut nights = history.nights.iter().rev();
    nights
        .find_map(|night| night.build(name))
        .map(|build| build.build.as_str())
}

/// Rated games of each build under each name.
fn games_by_build(history: &History) -> BTreeMap<(&str, &str), u32> {
    let mut games = BTreeMap::new();
    for night in &history.nights {
        for number in night.games.iter().flat_map(|game| [game.white, game.black]) {
            let build = &night.builds[usize::from(number)];
            *games.entry((build.name.as_str(), build.build.as_str())).or_default() += 1;
        }
    }
    games
}

/// The pairs of the last `rounds` rounds of a ladder, and how many rounds ago they met.
pub fn met_lately(history: &History, rounds: u32) -> impl Iterator<Item = ([&str; 2], u32)> {
    let lately = history.nights.iter().rev().zip(1..=rounds);
    lately.flat_map(|(night, ago)| night.pairs.iter().map(move |pair| (names(night, *pair), ago)))
}

fn names(night: &Night, pair: [u16; 2]) -> [&str; 2] {
    pair.map(|number| night.builds[usize::from(number)].name.as_str())
}

/// The number of rounds in which a player was not paired since its first one.
pub fn rounds_out(history: &History, name: &str) -> usize {
    let since = history.nights.iter().skip_while(|night| night.build(name).is_none());
    let is_out = |night: &&Night| !night.pairs.iter().any(|pair| names(night, *pair).contains(&name));
    since.filter(is_out).count()
}

/// In how many more rounds a player had White in its first game than Black.
pub fn whites(history: &History, name: &str) -> i32 {
    let pairs = history
        .nights
        .iter()
        .flat_map(|night| night.pairs.iter().map(|pair| names(night, *pair)));
    pairs
        .map(|[white, black]| i32::from(white == name) - i32::from(black == name))
        .sum()
}

#[cfg(test)]
mod tests;
