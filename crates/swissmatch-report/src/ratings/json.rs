//! Ratings as JSON.
//!
//! May not: compute what it says.

use serde::Serialize;
use serde_json::Value;

use super::{RankedMeeting, RatingList, RatingListRow, breakdown, half_points, words};
use crate::counts::ResultCountsJson;
use swissmatch_stats::rating::fitted::{self, AT_95, Parameter};

impl RatingList<'_> {
    /// The ratings as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        let collection = self.collection;
        let left_out = collection.left_out();
        let shown_los = |row: &RatingListRow| -> Vec<Option<f64>> {
            let others = self.rows.iter();
            others.map(|other| self.superiority_of(row, other)).collect()
        };
        let two = self.two().filter(|_| self.rows.len() == 2);
        let document = RatingListJson {
            schema: 1,
            model: words::model_word(self.fit.model),
            errors: words::errors_word(self.fit.errors_by),
            games: self.game_count(),
            games_in_pairs: 2 * self
                .games
                .pairs
                .iter()
                .flat_map(|pairs| pairs.counts)
                .flatten()
                .sum::<u64>(),
            white: self.fit.white.into(),
            draws: self.fit.draw.into(),
            players: self.rows.iter().map(|row| self.player(row)).collect(),
            sources: (collection.sources().iter())
                .map(|source| RatingSourceJson {
                    place: &source.place,
                    kind: if source.is_run { "run" } else { "file" },
                    games: source.games,
                })
                .collect(),
            left_out: LeftOut {
                unfinished: left_out.unfinished,
                unusable: left_out.unusable,
                annulled: left_out.annulled,
                lost_by_both: left_out.lost_by_both,
                not_played: left_out.not_played,
                of_runs: left_out.of_runs,
                taken: Some(left_out.taken).filter(|taken| *taken > 0),
                faults: if self.asked.leave_out_faults {
                    collection.faulty_games()
                } else {
                    0
                },
            },
            unusable: (collection.unusable().iter())
                .map(|unusable| Unusable {
                    file: &unusable.file,
                    line: unusable.game.line,
                    why: unusable.game.why.to_string(),
                })
                .collect(),
            duplicates: collection.duplicates(),
            different_programs: collection.ambiguous(),
            faults: self.faults(),
            opponents: (self.asked.by_opponent).then(|| self.met().iter().map(|met| self.opponent(met)).collect()),
            los: (self.asked.los).then(|| self.rows.iter().map(shown_los).collect()),
            two_players: two.map(|[games, pairs]| TwoPlayers {
                // Each figure appears once: if all games are in pairs, only those of the pairs do.
                by_games: match games.games() == pairs.games() {
                    true => games.document().without_figures(),
                    false => games.document(),
                },
                by_pairs: pairs.document(),
            }),
            breakdown: self.breakdown_document(),
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }

    /// The fit alone, with the fields it has in the whole: `model`, `errors`, `white`, `draws`, `players`.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub(crate) fn fit_document(&self) -> Value {
        let document = FitDocument {
            model: words::model_word(self.fit.model),
            errors: words::errors_word(self.fit.errors_by),
            white: self.fit.white.into(),
            draws: self.fit.draw.into(),
            players: self.rows.iter().map(|row| self.player(row)).collect(),
        };
        serde_json::to_value(document).expect("plain data")
    }

    fn player(&self, row: &RatingListRow) -> RatedPlayerJson<'_> {
        let results = row.results;
        let (rating, error) = match row.value {
            fitted::Value::Estimate(rating, error) => (Some(rating), error.filter(|_| !row.is_anchor)),
            fitted::Value::AtLeast(_) | fitted::Value::AtMost(_) | fitted::Value::Unknown => (None, None),
        };
        RatedPlayerJson {
            player: &self.names[row.player],
            group: row.group,
            rank: row.rank,
            rating,
            error: error.map(|error| error * AT_95),
            at_least: match row.value {
                fitted::Value::AtLeast(bound) => Some(bound),
                _ => None,
            },
            at_most: match row.value {
                fitted::Value::AtMost(bound) => Some(bound),
                _ => None,
            },
            is_anchor: row.is_anchor,
            games: results.games(),
            points: half_points(results) as f64 / 2.0,
            wins: results.wins,
            draws: results.draws,
            losses: results.losses,
            los_over_next: row.los,
            faults: self.collection.faults_of(self.ids[row.player]),
        }
    }

    fn faults(&self) -> Faults<'_> {
        let moved = match self.moved() {
            Some(Ok(moved)) => moved,
            Some(Err(_)) | None => Vec::new(),
        };
        let far = moved.into_iter().filter(|(_, by)| by.abs() > words::MOVES);
        Faults {
            games: self.collection.faulty_games(),
            rated_without: !matches!(self.moved(), Some(Err(_))) || self.asked.leave_out_faults,
            moves: far
                .map(|(player, by)| RatingShiftJson {
                    player: &self.names[player],
                    by,
                })
                .collect(),
        }
    }

    fn opponent(&self, met: &RankedMeeting) -> Opponents<'_> {
        Opponents {
            players: met.players.map(|player| self.names[player].as_str()),
            games: met.games,
            points: met.points,
            expected: met.expected,
            deviation: met.deviation,
        }
    }
}

#[derive(Serialize)]
struct FitDocument<'a> {
    model: &'static str,
    errors: &'static str,
    white: ParameterJson,
    draws: ParameterJson,
    players: Vec<RatedPlayerJson<'a>>,
}

#[derive(Serialize)]
struct RatingListJson<'a> {
    schema: u32,
    model: &'static str,
    errors: &'static str,
    games: u64,
    games_in_pairs: u64,
    white: ParameterJson,
    draws: ParameterJson,
    players: Vec<RatedPlayerJson<'a>>,
    sources: Vec<RatingSourceJson<'a>>,
    left_out: LeftOut,
    unusable: Vec<Unusable<'a>>,
    duplicates: u64,
    different_programs: Vec<String>,
    faults: Faults<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opponents: Option<Vec<Opponents<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Vec<Vec<Option<f64>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    two_players: Option<TwoPlayers>,
    #[serde(flatten)]
    breakdown: breakdown::BreakdownJson<'a>,
}

/// A parameter that all games share; errors are half of 95 % intervals.
#[derive(Serialize)]
struct ParameterJson {
    value: f64,
    error: Option<f64>,
    source: &'static str,
}

impl From<Parameter> for ParameterJson {
    fn from(parameter: Parameter) -> Self {
        Self {
            value: parameter.value,
            error: parameter.error.map(|error| error * AT_95),
            source: words::source_word(parameter.source),
        }
    }
}

#[derive(Serialize)]
struct RatedPlayerJson<'a> {
    player: &'a str,
    group: usize,
    rank: usize,
    rating: Option<f64>,
    error: Option<f64>,
    at_least: Option<f64>,
    at_most: Option<f64>,
    is_anchor: bool,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    los_over_next: Option<f64>,
    faults: u64,
}

#[derive(Serialize)]
struct RatingSourceJson<'a> {
    place: &'a str,
    kind: &'static str,
    games: u64,
}

#[derive(Serialize)]
struct LeftOut {
    unfinished: u64,
    unusable: u64,
    annulled: u64,
    lost_by_both: u64,
    not_played: u64,
    of_runs: u64,
    /// Left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken: Option<u64>,
    faults: u64,
}

#[derive(Serialize)]
struct Unusable<'a> {
    file: &'a str,
    line: u64,
    why: String,
}

#[derive(Serialize)]
struct Faults<'a> {
    games: u64,
    rated_without: bool,
    moves: Vec<RatingShiftJson<'a>>,
}

#[derive(Serialize)]
struct RatingShiftJson<'a> {
    player: &'a str,
    by: f64,
}

#[derive(Serialize)]
struct Opponents<'a> {
    players: [&'a str; 2],
    games: f64,
    points: f64,
    expected: f64,
    deviation: f64,
}

#[derive(Serialize)]
struct TwoPlayers {
    by_games: ResultCountsJson,
    by_pairs: ResultCountsJson,
}
