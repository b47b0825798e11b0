//! How agents thought, as JSON.
//!
//! May not: compute what it says.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;

use super::ThinkingReport;
use super::calls::PlayerCallsJson;
use crate::untrusted::{event, name};
use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_stats::spread::Spread;
use swissmatch_tournament::thinking::{At, Figures, FirstEvals, NEAR, NearLimits, OwnTime, PlayerThinking};

impl ThinkingReport<'_> {
    /// The report as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        let wanted = &self.thinking.wanted;
        let document = ThinkingJson {
            schema: 1,
            event: event(self.state),
            games: self.thinking.games,
            games_without_record: self.without_record,
            near_ms: wanted.near.unwrap_or(NEAR).as_micros() as f64 / 1000.0,
            near_given: wanted.near.is_some(),
            ponders: self.thinking.ponders,
            players: self
                .each()
                .map(|(number, player)| self.player(number, player))
                .collect(),
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }

    fn player(&self, number: PairingNumber, player: &PlayerThinking) -> PlayerThinkingJson {
        let bands = player.bands.iter().enumerate().filter(|(_, band)| band.moves() > 0);
        let evals = Side::BOTH.into_iter().zip(&player.first_evals);
        let evals = evals.filter(|(_, evals)| evals.games() > 0);
        PlayerThinkingJson {
            player: name(self.state, number),
            pairing_number: number.0,
            games: player.games,
            failed_attempts: player.failed_attempts,
            moves_tried_again: player.tried_again,
            all: (&player.all).into(),
            bands: bands
                .map(|(place, band)| {
                    let (from, to) = self.band(place);
                    let figures = band.into();
                    Band { from, to, figures }
                })
                .collect(),
            limits: (&player.limits).into(),
            first_evaluations: evals.map(|(side, evals)| First::new(side, evals)).collect(),
            own_time: (player.own_time.said.count() > 0).then(|| (&player.own_time).into()),
            calls: PlayerCallsJson::of(self.state, number, player),
        }
    }
}

#[derive(Serialize)]
struct ThinkingJson {
    schema: u32,
    event: String,
    games: u64,
    games_without_record: u64,
    near_ms: f64,
    near_given: bool,
    ponders: bool,
    players: Vec<PlayerThinkingJson>,
}

#[derive(Serialize)]
struct PlayerThinkingJson {
    player: String,
    pairing_number: u32,
    games: u64,
    failed_attempts: u64,
    moves_tried_again: u64,
    #[serde(flatten)]
    all: Shares,
    bands: Vec<Band>,
    limits: NearLimitsJson,
    first_evaluations: Vec<First>,
    own_time: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    calls: Option<PlayerCallsJson>,
}

#[derive(Serialize)]
struct Band {
    from: u64,
    to: Option<u64>,
    #[serde(flatten)]
    figures: Shares,
}

#[derive(Serialize)]
struct Shares {
    moves: u64,
    time_ms: Option<Values>,
    depth: Option<Values>,
    nodes: Option<Values>,
    nodes_per_second: Option<Speed>,
}

#[derive(Serialize)]
struct Speed {
    /// Over all moves with known nodes.
    mean: f64,
    /// Moves that took long enough to have a speed of their own.
    count: u64,
    median: Option<f64>,
    percentile_95: Option<f64>,
    largest: Option<f64>,
}

#[derive(Serialize)]
struct Values {
    count: u64,
    mean: f64,
    median: f64,
    percentile_95: f64,
    largest: f64,
}

#[derive(Serialize)]
struct NearLimitsJson {
    near_misses: u64,
    least_left: Option<TimedMoveJson>,
    excused: u64,
    overruns: u64,
    unanswered: u64,
    largest_overrun: Option<TimedMoveJson>,
    time_forfeits: u64,
    clock_used: Option<f64>,
}

#[derive(Serialize)]
struct TimedMoveJson {
    ms: f64,
    game: GameId,
    r#move: u32,
}

#[derive(Serialize)]
struct First {
    side: Side,
    games: u64,
    mean: Option<f64>,
    deviation: Option<f64>,
    lowest: Option<f64>,
    highest: Option<f64>,
    mates_for: u64,
    mates_against: u64,
    mean_move: f64,
}

#[derive(Serialize)]
struct Own {
    moves: u64,
    measured_ms: f64,
    said_ms: f64,
    beyond_ms: Option<Values>,
    own_longer: u64,
}

impl From<&Figures> for Shares {
    fn from(figures: &Figures) -> Self {
        let quantile = |percent| figures.speed.quantile(percent).map(|speed| speed as f64);
        Self {
            moves: figures.moves(),
            time_ms: values(&figures.time, 1000.0),
            depth: values(&figures.depth, 1.0),
            nodes: values(&figures.nodes, 1.0),
            nodes_per_second: figures.mean_speed().map(|mean| Speed {
                mean: mean as f64,
                count: figures.speed.count(),
                median: quantile(50),
                percentile_95: quantile(95),
                largest: quantile(100),
            }),
        }
    }
}

fn values(spread: &Spread, unit: f64) -> Option<Values> {
    let quantile = |percent| spread.quantile(percent).map(|value| value as f64 / unit);
    Some(Values {
        count: spread.count(),
        mean: spread.mean()? / unit,
        median: quantile(50)?,
        percentile_95: quantile(95)?,
        largest: quantile(100)?,
    })
}

impl From<&NearLimits> for NearLimitsJson {
    fn from(limits: &NearLimits) -> Self {
        let moved = |us: f64, at: At| TimedMoveJson {
            ms: us / 1000.0,
            game: at.game,
            r#move: at.number,
        };
        Self {
            near_misses: limits.near_misses,
            least_left: limits.least_left.map(|(left, at)| moved(left as f64, at)),
            excused: limits.excused,
            overruns: limits.overruns,
            unanswered: limits.unanswered,
            largest_overrun: limits.largest_overrun.map(|(beyond, at)| moved(beyond as f64, at)),
            time_forfeits: limits.time_forfeits,
            clock_used: limits.clock_used.mean().map(|share| share / 1000.0),
        }
    }
}

impl First {
    fn new(side: Side, evals: &FirstEvals) -> Self {
        let ends = evals.centipawns.ends();
        let pawns = |centipawns: f64| centipawns / 100.0;
        Self {
            side,
            games: evals.games(),
            mean: evals.centipawns.mean().map(pawns),
            deviation: evals.centipawns.deviation().map(pawns),
            lowest: ends.map(|(lowest, _)| pawns(lowest as f64)),
            highest: ends.map(|(_, highest)| pawns(highest as f64)),
            mates_for: evals.mates[0],
            mates_against: evals.mates[1],
            mean_move: evals.moves as f64 / evals.games() as f64,
        }
    }
}

impl From<&OwnTime> for Own {
    fn from(own: &OwnTime) -> Self {
        let mean = |spread: &Spread| spread.mean().unwrap_or(0.0) / 1000.0;
        Self {
            moves: own.said.count(),
            measured_ms: mean(&own.measured),
            said_ms: mean(&own.said),
            beyond_ms: values(&own.beyond, 1000.0),
            own_longer: own.longer,
        }
    }
}
