//! The ratings of all players of several runs and files: table, sentences, JSON, plots.
//!
//! May not: read games.

mod breakdown;
mod json;
mod plots;
mod words;

use std::collections::BTreeSet;

use swiss_system::count;
use swiss_system::text::harmless;

use super::counts::ResultCounts;
use super::parts::Pages;
use super::table::{Column, Page, Table};
use swissmatch_game::pgn_results::NameId;
use swissmatch_stats::pairs::{Pairs, Wdl};
use swissmatch_stats::rating::fitted::{AT_95, Fit, Value};
use swissmatch_stats::rating::games::RatedGames;
use swissmatch_stats::rating::{self, Errors, FitError, Options, Origin};
use swissmatch_tournament::collected::{Collection, GameFilter};

#[derive(Clone, Debug, Default)]
pub struct RatingListRequest {
    pub options: Options,
    pub leave_out_faults: bool,
    /// Whether expected and actual scores of all pairs that met are shown.
    pub by_opponent: bool,
    pub los: bool,
    pub by_colour: bool,
    /// Whether long lists are shown in full.
    pub whole_lists: bool,
}

#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RatingListError {
    /// No game counts; the sentences say why.
    #[error("there is no game that counts, so nobody is rated{}", behind(.0))]
    NoGames(Vec<String>),
    /// There is no fit.
    #[error("nobody is rated: {0}")]
    Refused(#[from] FitError),
}

#[derive(Clone, Debug)]
pub struct RatingList<'a> {
    collection: &'a Collection,
    asked: RatingListRequest,
    /// By number, harmless.
    names: Vec<String>,
    ids: Vec<NameId>,
    games: RatedGames,
    fit: Fit,
    /// The fit with the games that ended by a fault if this one is without them, and the other way round; `None` if there are no such
    /// games.
    other: Option<Result<Fit, FitError>>,
    /// By group, then by rating.
    rows: Vec<RatingListRow>,
    /// The number of groups without games between them.
    groups: usize,
}

#[derive(Clone, Debug)]
struct RatingListRow {
    player: usize,
    /// From 1: players of different groups cannot be compared.
    group: usize,
    /// Within the group, from 1.
    rank: usize,
    value: Value,
    results: Wdl,
    is_anchor: bool,
    /// Over the player of the next row; `None` if they cannot be compared.
    los: Option<f64>,
}

impl<'a> RatingList<'a> {
    /// Fits the games of a collection.
    ///
    /// # Errors
    /// When there is nothing to fit, or no fit.
    pub fn new(collection: &'a Collection, asked: RatingListRequest) -> Result<Self, RatingListError> {
        let (wanted, others) = match asked.leave_out_faults {
            true => (GameFilter::WithoutFaults, GameFilter::All),
            false => (GameFilter::All, GameFilter::WithoutFaults),
        };
        let games = collection.games(wanted);
        if games.single.is_empty() && games.pairs.is_empty() {
            return Err(RatingListError::NoGames(words::left_out(
                collection,
                asked.leave_out_faults,
            )));
        }
        let fit = rating::fit(&games, &asked.options)?;
        // Its errors are not shown.
        let options = Options {
            errors: Errors::Model,
            ..asked.options.clone()
        };
        let has_faults = collection.faulty_games() > 0;
        let other = has_faults.then(|| rating::fit(&collection.games(others), &options));
        let ids = collection.players();
        let names = ids.iter().map(|id| harmless(collection.names.name(*id))).collect();
        let mut rated = Self {
            collection,
            asked,
            names,
            ids,
            games,
            fit,
            other,
            rows: Vec::new(),
            groups: 0,
        };
        rated.rank();
        Ok(rated)
    }

    pub fn pages(&self) -> Pages {
        let mut pages = vec![("ratings".to_owned(), self.page())];
        if self.asked.los {
            pages.push(("superiority".to_owned(), self.superiority()));
        }
        if self.asked.by_opponent {
            pages.push(("opponents".to_owned(), self.opponents()));
        }
        pages.extend(self.breakdown());
        Pages::of_parts(pages)
    }

    pub fn table(&self) -> Page {
        Page {
            notes: Vec::new(),
            ..self.page()
        }
    }

    fn page(&self) -> Page {
        let mut columns = vec![
            Column::figures("Rank"),
            Column::names("Player"),
            Column::figures("Rating"),
            Column::figures("±"),
            Column::figures("Games"),
            Column::figures("Points").goes(1),
            Column::figures("Score %"),
            Column::figures("Draws %").goes(2),
            Column::figures("LOS %").goes(0),
        ];
        let several = self.groups > 1;
        if several {
            columns.insert(0, Column::figures("Group"));
        }
        let row = |row: &RatingListRow| {
            let (results, games) = (row.results, row.results.games());
            let percent = |half_points: u64, most: u64| match most {
                0 => "–".to_owned(),
                most => format!("{:.1}", half_points as f64 * 100.0 / most as f64),
            };
            let half_points = half_points(results);
            let mut cells = vec![
                row.rank.to_string(),
                self.names[row.player].clone(),
                rating_text(row.value),
                error_text(row),
                games.to_string(),
                points_text(half_points),
                percent(half_points, 2 * games),
                percent(results.draws, games),
                row.los
                    .map_or_else(|| "–".to_owned(), |los| format!("{:.1}", los * 100.0)),
            ];
            if several {
                cells.insert(0, row.group.to_string());
            }
            cells
        };
        Page {
            title: self.title(),
            table: Table {
                columns,
                rows: self.rows.iter().map(row).collect(),
            },
            notes: words::notes(self),
        }
    }

    /// The likelihood that each player is stronger than each other one.
    fn superiority(&self) -> Page {
        let mut columns = vec![Column::figures("Rank"), Column::names("Player")];
        columns.extend((1..=self.rows.len()).map(|number| Column::figures(number.to_string())));
        let row = |(number, row): (usize, &RatingListRow)| {
            let cell = |other: &RatingListRow| match self.superiority_of(row, other) {
                Some(los) => format!("{:.1}", los * 100.0),
                None => "–".to_owned(),
            };
            let mut cells = vec![number.to_string(), self.names[row.player].clone()];
            cells.extend(self.rows.iter().map(cell));
            cells
        };
        Page {
            title: "Likelihood of superiority in %, of the player of the row over that of the column".to_owned(),
            table: Table {
                columns,
                rows: (1..).zip(&self.rows).map(row).collect(),
            },
            notes: Vec::new(),
        }
    }

    /// Expected and actual scores of all pairs that met.
    fn opponents(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::names("Opponent"),
            Column::figures("Games"),
            Column::figures("Points"),
            Column::figures("Expected"),
            Column::figures("Difference"),
            Column::figures("Deviations"),
        ];
        let row = |met: &RankedMeeting| {
            let ahead = met.points - met.expected;
            vec![
                self.names[met.players[0]].clone(),
                self.names[met.players[1]].clone(),
                format!("{:.0}", met.games),
                format!("{:.1}", met.points),
                format!("{:.1}", met.expected),
                format!("{ahead:+.1}"),
                match met.deviation > 0.0 {
                    true => format!("{:+.1}", ahead / met.deviation),
                    false => "–".to_owned(),
                },
            ]
        };
        Page {
            title: "Expected and actual points of everybody who met, of the player of the higher rank".to_owned(),
            table: Table {
                columns,
                rows: self.met().iter().map(row).collect(),
            },
            notes: vec!["Deviations are by the model: one in 20 is beyond ±2 by chance.".to_owned()],
        }
    }

    fn title(&self) -> String {
        let pairs: u64 = self.games.pairs.iter().flat_map(|pairs| pairs.counts).flatten().sum();
        let sources = self.collection.sources();
        let (runs, files) = sources.iter().partition::<Vec<_>, _>(|source| source.is_run);
        let of = [("run", "runs", runs.len()), ("file", "files", files.len())];
        let of: Vec<String> = (of.iter().filter(|kind| kind.2 > 0))
            .map(|(one, several, number)| count::of(*number, one, several))
            .collect();
        format!(
            "{}, {} of {}, {} in game pairs",
            count::of(self.names.len(), "player", "players"),
            count::of(self.game_count(), "game", "games"),
            of.join(" and "),
            2 * pairs,
        )
    }

    fn game_count(&self) -> u64 {
        let single = self.games.single.iter();
        let single: u64 = single
            .map(|meeting| meeting.wins + meeting.draws + meeting.losses)
            .sum();
        let pairs = self.games.pairs.iter().flat_map(|pairs| pairs.counts).flatten();
        single + 2 * pairs.sum::<u64>()
    }

    /// Sorts the players and numbers their ranks.
    fn rank(&mut self) {
        let results = results(&self.games);
        let component = |player: usize| self.fit.groups[self.fit.group_of[player]].main;
        let players = 0..self.names.len();
        let mut mains: Vec<usize> = players.clone().map(component).collect();
        mains.sort_unstable();
        mains.dedup();
        let games_of = |main: &usize| -> u64 {
            let own = players.clone().filter(|player| component(*player) == *main);
            own.map(|player| results[player].games()).sum()
        };
        mains.sort_by_cached_key(|main| (std::cmp::Reverse(games_of(main)), *main));
        self.groups = mains.len();
        let anchors = self.anchors();
        let are_alike = self.are_alike();
        let row = |player: usize| RatingListRow {
            player,
            group: 1 + mains.iter().position(|main| *main == component(player)).unwrap_or(0),
            rank: 0,
            value: match self.fit.value(player) {
                Value::Estimate(rating, _) if are_alike => Value::Estimate(rating, None),
                value => value,
            },
            results: results[player],
            is_anchor: anchors.contains(&player),
            los: None,
        };
        let mut rows: Vec<RatingListRow> = players.clone().map(row).collect();
        rows.sort_by(|one, other| {
            let (first, second) = (place(one.value), place(other.value));
            let by_group = one.group.cmp(&other.group).then(first.0.cmp(&second.0));
            let by_rating = second.1.total_cmp(&first.1);
            let by_name = self.names[one.player].cmp(&self.names[other.player]);
            by_group.then(by_rating).then(by_name)
        });
        let mut number = (0, 0);
        for row in &mut rows {
            number = match number.0 == row.group {
                true => (row.group, number.1 + 1),
                false => (row.group, 1),
            };
            row.rank = number.1;
        }
        let los: Vec<Option<f64>> = rows
            .windows(2)
            .map(|two| self.superiority_of(&two[0], &two[1]))
            .collect();
        for (row, los) in rows.iter_mut().zip(los) {
            row.los = los;
        }
        self.rows = rows;
    }

    fn superiority_of(&self, one: &RatingListRow, other: &RatingListRow) -> Option<f64> {
        let is_other = one.player != other.player;
        let is_known = is_other && !self.are_alike();
        is_known.then(|| self.fit.superiority(one.player, other.player))?
    }

    /// Whether there are only two players, with game pairs alone that all gave the same. Then nothing says how sure their difference is,
    /// here as in the figures of pairs. Methods with errors of their own are not affected.
    fn are_alike(&self) -> bool {
        let pairs = self
            .games
            .pairs
            .iter()
            .flat_map(|pairs| (0..9).map(|pair| (pair, pairs.counts)));
        let played = pairs.filter(|(pair, counts)| counts[pair / 3][pair % 3] > 0);
        let points: BTreeSet<usize> = played.map(|(pair, _)| pair / 3 + pair % 3).collect();
        let is_of_two = self.names.len() == 2 && self.games.single.is_empty();
        is_of_two && points.len() == 1 && self.asked.options.errors == Errors::ByCount
    }

    fn anchors(&self) -> Vec<usize> {
        match &self.asked.options.origin {
            Origin::Anchors(anchors) => anchors.iter().map(|(player, _)| *player).collect(),
            Origin::Average { .. } => Vec::new(),
        }
    }

    /// All pairs that met; the player of the higher rank comes first.
    fn met(&self) -> Vec<RankedMeeting> {
        let mut places = vec![0; self.names.len()];
        for (place, row) in self.rows.iter().enumerate() {
            places[row.player] = place;
        }
        let met = self.fit.compared().map(|met| {
            let [one, other] = met.players;
            match places[one] < places[other] {
                true => RankedMeeting {
                    players: [one, other],
                    games: met.games,
                    points: met.points,
                    expected: met.expected,
                    deviation: met.deviation,
                },
                false => RankedMeeting {
                    players: [other, one],
                    games: met.games,
                    points: met.games - met.points,
                    expected: met.games - met.expected,
                    deviation: met.deviation,
                },
            }
        });
        let mut met: Vec<RankedMeeting> = met.collect();
        met.sort_by_key(|met| met.players.map(|player| places[player]));
        met
    }

    /// How much each rating moves without the games that ended by a fault, in Elo, for players who are rated either way.
    fn moved(&self) -> Option<Result<Vec<(usize, f64)>, FitError>> {
        let other = match self.other.as_ref()? {
            Ok(other) => other,
            Err(refused) => return Some(Err(*refused)),
        };
        let (with, without) = match self.asked.leave_out_faults {
            true => (other, &self.fit),
            false => (&self.fit, other),
        };
        let moved = self.rows.iter().filter_map(|row| {
            let values = [without, with].map(|fit| fit.value(row.player));
            let [Value::Estimate(without, _), Value::Estimate(with, _)] = values else {
                return None;
            };
            Some((row.player, without - with))
        });
        Some(Ok(moved.collect()))
    }

    /// For two players, the higher ranked first: the results of all games, and of whole pairs.
    fn two(&self) -> Option<[ResultCounts; 2]> {
        let [first, _] = self.rows.as_slice() else { return None };
        let mut pairs = Pairs::NONE;
        for own in &self.games.pairs {
            for (white, counts) in own.counts.iter().enumerate() {
                for (black, count) in counts.iter().enumerate() {
                    let kind = match (white, black) {
                        (0, 0) => &mut pairs.ww,
                        (1, 1) => &mut pairs.dd,
                        (2, 2) => &mut pairs.ll,
                        (0, 2) | (2, 0) => &mut pairs.wl,
                        (0, 1) | (1, 0) => &mut pairs.wd,
                        _ => &mut pairs.ld,
                    };
                    *kind += count;
                }
            }
        }
        // The first player of pairs is the one with the lower number.
        if first.player == 1 {
            pairs = pairs.of_the_other();
        }
        Some([ResultCounts::Games(first.results), ResultCounts::Pairs(pairs)])
    }
}

/// Like [`rating::fitted::FittedMeeting`], but the player of the higher rank comes first.
#[derive(Clone, Copy, Debug)]
struct RankedMeeting {
    players: [usize; 2],
    games: f64,
    points: f64,
    expected: f64,
    deviation: f64,
}

/// The results of each player.
fn results(games: &RatedGames) -> Vec<Wdl> {
    let mut results = vec![Wdl::NONE; games.players];
    let mut add = |[one, other]: [usize; 2], wins: u64, draws: u64, losses: u64| {
        let own = Wdl { wins, draws, losses };
        for (player, own) in [(one, own), (other, own.of_the_other())] {
            let sum = &mut results[player];
            sum.wins += own.wins;
            sum.draws += own.draws;
            sum.losses += own.losses;
        }
    };
    for meeting in &games.single {
        add(
            [meeting.white, meeting.black],
            meeting.wins,
            meeting.draws,
            meeting.losses,
        );
    }
    for pairs in &games.pairs {
        // Each result once with White, once with Black.
        let of = |result: usize| {
            let white: u64 = pairs.counts[result].iter().sum();
            white + pairs.counts.iter().map(|counts| counts[result]).sum::<u64>()
        };
        add(pairs.players, of(0), of(1), of(2));
    }
    results
}

/// The order of a player in its group: first those above all others, then by rating.
const fn place(value: Value) -> (u8, f64) {
    match value {
        Value::AtLeast(bound) => (0, bound),
        Value::Estimate(rating, _) => (1, rating),
        Value::AtMost(bound) => (2, bound),
        Value::Unknown => (3, 0.0),
    }
}

const fn half_points(results: Wdl) -> u64 {
    2 * results.wins + results.draws
}

fn points_text(half_points: u64) -> String {
    format!("{}.{}", half_points / 2, half_points % 2 * 5)
}

fn rating_text(value: Value) -> String {
    match value {
        Value::Estimate(rating, _) => elo(rating),
        Value::AtLeast(bound) => format!("≥ {}", elo(bound)),
        Value::AtMost(bound) => format!("≤ {}", elo(bound)),
        Value::Unknown => "–".to_owned(),
    }
}

/// A rating with one digit; 0 has no sign.
fn elo(rating: f64) -> String {
    let text = format!("{rating:.1}");
    match text.as_str() {
        "-0.0" => "0.0".to_owned(),
        _ => text,
    }
}

fn error_text(row: &RatingListRow) -> String {
    match row.value {
        _ if row.is_anchor => "anchor".to_owned(),
        Value::Estimate(_, Some(error)) => format!("{:.1}", error * AT_95),
        _ => "–".to_owned(),
    }
}

/// Sentences to follow an error.
fn behind(sentences: &[String]) -> String {
    sentences.iter().map(|sentence| format!("\n{sentence}")).collect()
}

#[cfg(test)]
mod tests;
