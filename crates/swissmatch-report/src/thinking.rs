//! How agents used their time and depth: tables, JSON, plots.
//!
//! May not: read records, or compute anything beyond its own tables.

mod calls;
mod json;
mod plots;

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::parts::Pages;
use super::table::{Column, Page, Table};
use super::untrusted::{event, name};
use swissmatch_game::Side;
use swissmatch_game::time_control::write_duration;
use swissmatch_stats::spread::Spread;
use swissmatch_tournament::state::State;
use swissmatch_tournament::thinking::{
    Figures, FirstEvals, MOST_BANDS, NEAR, NearLimits, OwnTime, PlayerThinking, Thinking,
};

/// A warning is given if more than one move in this many needed more than one attempt: 5 %.
const OFTEN: u64 = 20;
/// Stands for a missing figure.
const NONE: &str = "–";

#[derive(Clone, Copy, Debug)]
pub struct ThinkingReport<'a> {
    pub state: &'a State,
    pub thinking: &'a Thinking,
    /// Games that have ended and have no record.
    pub without_record: u64,
    pub has_bands: bool,
}

impl ThinkingReport<'_> {
    pub fn pages(&self) -> Pages {
        let mut pages = vec![("players".to_owned(), self.overall())];
        if self.has_bands {
            pages.push(("bands".to_owned(), self.bands()));
        }
        pages.push(("limits".to_owned(), self.limits()));
        let players = &self.thinking.players;
        if players
            .iter()
            .flat_map(|player| &player.first_evals)
            .any(|evals| evals.games() > 0)
        {
            pages.push(("evaluations".to_owned(), self.first_evals()));
        }
        if players.iter().any(|player| player.own_time.said.count() > 0) {
            pages.push(("own time".to_owned(), self.own_time()));
        }
        if self.has_calls() {
            pages.push(("calls".to_owned(), self.calls()));
        }
        Pages::of_parts(pages)
    }

    fn overall(&self) -> Page {
        let mut columns = vec![
            Column::names("Player"),
            Column::figures("Games"),
            Column::figures("Moves"),
            Column::figures("Failed attempts").below(),
        ];
        columns.extend(columns_of_figures());
        let row = |(number, player): (PairingNumber, &PlayerThinking)| {
            let mut cells = vec![name(self.state, number), player.games.to_string()];
            cells.push(player.all.moves().to_string());
            cells.push(player.failed_attempts.to_string());
            cells.extend(cells_of_figures(&player.all));
            cells
        };
        let mut notes = vec![
            "Times are the runner's, from `go` to `bestmove`, of all attempts at a move. Depth and nodes are what the engines said, \
             of the moves of which they said it: medians. Nodes/s: all nodes by all time of the attempts that gave these moves."
                .to_owned(),
        ];
        notes.extend(
            self.each()
                .filter_map(|(number, player)| self.often_tried_again(number, player)),
        );
        if self.thinking.ponders {
            notes.push(
                "Some agents thought while their opponents did: that is in their depth and nodes, not in their times."
                    .to_owned(),
            );
        }
        if self.without_record > 0 {
            let games = count::of(self.without_record, "game has", "games have");
            notes.push(format!("{games} no record: nobody was asked for a move."));
        }
        Page {
            title: format!(
                "How agents used their time in {}: {}, {}",
                event(self.state),
                count::of(self.thinking.games, "game", "games"),
                count::of(self.moves(), "move", "moves"),
            ),
            table: self.table(columns, row),
            notes,
        }
    }

    /// A warning that many moves of a player needed more than one attempt.
    fn often_tried_again(&self, number: PairingNumber, player: &PlayerThinking) -> Option<String> {
        let (again, moves) = (player.tried_again, player.all.moves());
        (again.saturating_mul(OFTEN) > moves).then(|| {
            format!(
                "Warning: {} needed more than one attempt at {again} of its {}.",
                name(self.state, number),
                count::of(moves, "move", "moves")
            )
        })
    }

    fn bands(&self) -> Page {
        let mut columns = vec![
            Column::names("Player"),
            Column::figures("Band"),
            Column::figures("Moves"),
        ];
        columns.extend(columns_of_figures());
        let rows = self.each().flat_map(|(number, player)| {
            let bands = player.bands.iter().enumerate().filter(|(_, band)| band.moves() > 0);
            bands.map(move |(place, band)| {
                let range = match self.band(place) {
                    (from, None) => format!("{from}–"),
                    (from, Some(to)) if from == to => from.to_string(),
                    (from, Some(to)) => format!("{from}–{to}"),
                };
                let mut cells = vec![name(self.state, number), range, band.moves().to_string()];
                cells.extend(cells_of_figures(band));
                cells
            })
        });
        Page {
            title: "By the number of the move".to_owned(),
            table: Table {
                rows: rows.collect(),
                columns,
            },
            notes: vec![
                "Moves are counted from the end of the opening: 1 is the first that the player made.".to_owned(),
            ],
        }
    }

    fn limits(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::figures("Near misses"),
            Column::figures("Least left ms"),
            Column::figures("Excused"),
            Column::figures("Overruns"),
            Column::figures("Unanswered").goes(1),
            Column::figures("Largest ms"),
            Column::figures("Time forfeits"),
            Column::figures("Clock used %"),
        ];
        let row = |(number, player): (PairingNumber, &PlayerThinking)| {
            let NearLimits {
                near_misses,
                excused,
                least_left,
                overruns,
                unanswered,
                largest_overrun,
                time_forfeits,
                clock_used,
            } = &player.limits;
            vec![
                name(self.state, number),
                near_misses.to_string(),
                or_none(least_left.map(|(left, _)| ms(left as f64))),
                excused.to_string(),
                overruns.to_string(),
                unanswered.to_string(),
                or_none(largest_overrun.map(|(beyond, _)| ms(beyond as f64))),
                time_forfeits.to_string(),
                or_none(clock_used.mean().map(|share| format!("{:.1}", share / 10.0))),
            ]
        };
        Page {
            title: "How near they came to their limits".to_owned(),
            table: self.table(columns, row),
            notes: vec![
                format!(
                    "Near misses: moves with less than {} left of their limit or clock{}. Excused: moves beyond it that were in time \
                     by the margin, or because the machine had taken the time.",
                    write_duration(self.thinking.wanted.near.unwrap_or(NEAR)),
                    match self.thinking.wanted.near {
                        Some(_) => "",
                        None => " (under a time per move at most half of the overhead)",
                    }
                ),
                "Overruns: attempts that were too late. Unanswered: those without an answer. Largest: the answer that was furthest \
                 beyond its limit. Clock used: of the time that the clock gave in a game, the mean."
                    .to_owned(),
            ],
        }
    }

    fn first_evals(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::words("Colour"),
            Column::figures("Games"),
            Column::figures("Mean"),
            Column::figures("Deviation"),
            Column::figures("Lowest"),
            Column::figures("Highest"),
            Column::figures("Mates"),
            Column::figures("At move").goes(1),
        ];
        let rows = self.each().flat_map(|(number, player)| {
            let sides = Side::BOTH.into_iter().zip(player.first_evals);
            let sides = sides.filter(|(_, evals)| evals.games() > 0);
            sides.map(move |(side, evals)| {
                let FirstEvals { centipawns, mates, .. } = evals;
                vec![
                    name(self.state, number),
                    side.name().to_owned(),
                    evals.games().to_string(),
                    or_none(centipawns.mean().map(pawns)),
                    or_none(centipawns.deviation().map(|value| format!("{:.2}", value / 100.0))),
                    or_none(centipawns.ends().map(|(lowest, _)| pawns(lowest as f64))),
                    or_none(centipawns.ends().map(|(_, highest)| pawns(highest as f64))),
                    (mates[0] + mates[1]).to_string(),
                    format!("{:.1}", evals.moves as f64 / evals.games() as f64),
                ]
            })
        });
        Page {
            title: "First evaluations after the opening, in pawns, from the player's own side".to_owned(),
            table: Table {
                rows: rows.collect(),
                columns,
            },
            notes: vec![
                "Of each game the first evaluation that the engine gave; mates are counted apart. Deviation: how far evaluations \
                 are from their mean, so of openings that differ."
                    .to_owned(),
            ],
        }
    }

    fn own_time(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::figures("Moves"),
            Column::figures("Mean ms"),
            Column::figures("Own mean ms"),
            Column::figures("Beyond ms"),
            Column::figures("Beyond 95 % ms"),
            Column::figures("Own longer").goes(1),
        ];
        let rows = self.each().filter(|(_, player)| player.own_time.said.count() > 0);
        let row = |(number, player): (PairingNumber, &PlayerThinking)| {
            let OwnTime {
                said,
                measured,
                beyond,
                longer,
            } = &player.own_time;
            vec![
                name(self.state, number),
                said.count().to_string(),
                mean_ms(measured),
                mean_ms(said),
                mean_ms(beyond),
                quantile_ms(beyond, 95),
                longer.to_string(),
            ]
        };
        Page {
            title: "The runner's time beside the engine's own".to_owned(),
            table: Table {
                rows: rows.map(row).collect(),
                columns,
            },
            notes: vec![
                "Own: what the engine said as its time with the move. Beyond: by how much the runner's time is longer, of the moves \
                 of which it is. Own longer: moves of which it is not, by more than 1 ms: the engine pondered, reckons otherwise, or \
                 the machine was too busy for the runner to time them."
                    .to_owned(),
            ],
        }
    }

    fn table(&self, columns: Vec<Column>, row: impl Fn((PairingNumber, &PlayerThinking)) -> Vec<String>) -> Table {
        Table {
            columns,
            rows: self.each().map(row).collect(),
        }
    }

    fn each(&self) -> impl Iterator<Item = (PairingNumber, &PlayerThinking)> {
        let numbers = self.thinking.wanted.players.iter().copied();
        numbers.zip(&self.thinking.players)
    }

    fn moves(&self) -> u64 {
        self.thinking.players.iter().map(|player| player.all.moves()).sum()
    }

    /// The first and the last move of the band at this place; the last band has no last move.
    fn band(&self, place: usize) -> (u64, Option<u64>) {
        let band = u64::from(self.thinking.wanted.band.get());
        let from = place as u64 * band + 1;
        (from, (place + 1 < MOST_BANDS).then(|| from + band - 1))
    }
}

/// Columns of [`cells_of_figures`].
fn columns_of_figures() -> [Column; 8] {
    [
        Column::figures("Mean ms"),
        Column::figures("Median ms"),
        Column::figures("95 % ms"),
        Column::figures("Longest ms").goes(1),
        Column::figures("Depth"),
        Column::figures("Mean depth").goes(2),
        Column::figures("Nodes"),
        Column::figures("Nodes/s"),
    ]
}

fn cells_of_figures(figures: &Figures) -> [String; 8] {
    let Figures { time, depth, nodes, .. } = figures;
    [
        mean_ms(time),
        quantile_ms(time, 50),
        quantile_ms(time, 95),
        quantile_ms(time, 100),
        or_none(depth.median().map(|depth| depth.to_string())),
        or_none(depth.mean().map(|depth| format!("{depth:.1}"))),
        or_none(nodes.median().map(|nodes| nodes.to_string())),
        or_none(figures.mean_speed().map(|speed| speed.to_string())),
    ]
}

fn or_none(cell: Option<String>) -> String {
    cell.unwrap_or_else(|| NONE.to_owned())
}

fn mean_ms(times: &Spread) -> String {
    or_none(times.mean().map(ms))
}

fn quantile_ms(times: &Spread, percent: u8) -> String {
    or_none(times.quantile(percent).map(|time| ms(time as f64)))
}

/// Microseconds as milliseconds, with about three digits.
fn ms(us: f64) -> String {
    let ms = us / 1000.0;
    let decimals = match ms.abs() {
        short if short < 1.0 => 3,
        short if short < 10.0 => 2,
        short if short < 100.0 => 1,
        _ => 0,
    };
    format!("{ms:.decimals$}")
}

/// Centipawns as pawns.
fn pawns(centipawns: f64) -> String {
    format!("{:+.2}", centipawns / 100.0)
}

#[cfg(test)]
mod tests;
