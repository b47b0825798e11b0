//! Standings: points, tie-breaks, places.
//!
//! The rule (Global Chess Challenge, final tournament): match points, then H2H, Buchholz, Sonneborn-Berger, strictly in
//! turn. Still tied after that: same place, listed by submission time, then name.
//!
//! May not: know games, engines, clocks or files; depend on anything but `score` and `pairing`; use floats.

pub mod buchholz;
pub mod h2h;
pub mod results;
pub mod sonneborn_berger;
pub mod win_rate;

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};

use crate::pairing::history::PairingNumber;
use crate::score::Points;
use crate::standings::h2h::H2h;
use crate::standings::results::{GameCounts, PlayerResults, PlayerRound, Results};
use crate::standings::win_rate::WinRate;

/// A criterion of `standings.order`; more is better in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Criterion {
    /// `"match-points"`
    MatchPoints,
    /// `"h2h"`
    H2h,
    /// `"buchholz"`
    Buchholz,
    /// `"sonneborn-berger"`
    SonnebornBerger,
    /// `"game-points"`
    GamePoints,
}

/// One player's line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Place, from 1; the same for all who are still tied after every criterion, and then as many places are left out.
    pub place: u32,
    /// The player.
    pub player: PairingNumber,
    /// Match points, byes included.
    pub match_points: Points,
    /// Head to head among those level on the first criterion.
    pub h2h: H2h,
    /// Sum of the opponents' match points.
    pub buchholz: Points,
    /// Sum of the opponents' match points times the own result.
    pub sonneborn_berger: Points,
    /// Game points, byes and mini-matches still going on included.
    pub game_points: Points,
    /// All games.
    pub games: GameCounts,
    /// Rounds with the pairing-allocated bye.
    pub byes: u32,
    /// Mini-matches against an opponent met before.
    pub repeats: u32,
}

impl Row {
    /// What the row has by a criterion.
    #[must_use]
    pub const fn value(&self, criterion: Criterion) -> Points {
        match criterion {
            Criterion::MatchPoints => self.match_points,
            Criterion::H2h => self.h2h.points,
            Criterion::Buchholz => self.buchholz,
            Criterion::SonnebornBerger => self.sonneborn_berger,
            Criterion::GamePoints => self.game_points,
        }
    }

    /// Played games won, of those played.
    #[must_use]
    pub fn win_rate(&self) -> WinRate {
        self.games.into()
    }
}

/// The standings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standings {
    /// All players in order of listing: by place; those still tied by submission, then by name.
    pub rows: Vec<Row>,
}

impl Standings {
    /// For each player, in order of the pairing numbers, its place, shared by those still tied: the "place on the
    /// previous round's standings" by which the bye is given.
    #[must_use]
    pub fn places(&self) -> Vec<u32> {
        self.by_player(self.rows.iter().map(|row| (row.player, row.place)))
    }

    /// For each player, in order of the pairing numbers, its place in the listing: from 1, no two alike.
    #[must_use]
    pub fn listing_places(&self) -> Vec<u32> {
        self.by_player((1..).zip(&self.rows).map(|(listed, row)| (row.player, listed)))
    }

    fn by_player(&self, places: impl Iterator<Item = (PairingNumber, u32)>) -> Vec<u32> {
        let mut by_player = vec![0; self.rows.len()];
        places.for_each(|(player, place)| by_player[player.index()] = place);
        by_player
    }
}

/// Ranks the players by the criteria strictly in turn. All columns are filled, also those that are no criterion.
///
/// H2H is counted among those level on the first criterion (match points in the rule); if H2H is itself the first, on
/// the first of the others, and without others among all players.
///
/// # Panics
/// When an opponent is not among the players, or `submission` or `names` is shorter than `players`.
#[must_use]
pub fn rank(results: &Results, order: &[Criterion]) -> Standings {
    let match_points: Vec<Points> = results.players.iter().map(own_match_points).collect();
    let mut rows: Vec<Row> = (0..results.players.len())
        .map(|player| row_without_h2h(results, player, &match_points))
        .collect();
    let first = order.iter().find(|&&criterion| criterion != Criterion::H2h);
    let level: Vec<Points> = rows
        .iter()
        .map(|row| first.map_or(Points::ZERO, |&criterion| row.value(criterion)))
        .collect();
    for (row, h2h) in rows.iter_mut().zip(h2h::h2h(results, &level)) {
        row.h2h = h2h;
    }

    let values = |row: &Row| order.iter().map(|&criterion| row.value(criterion)).collect::<Vec<_>>();
    rows.sort_by_cached_key(|row| {
        let player = row.player.index();
        (
            Reverse(values(row)),
            results.submission[player],
            results.names[player].clone(),
            row.player,
        )
    });
    let mut above: Option<(Vec<Points>, u32)> = None;
    for (listed, row) in (1..).zip(&mut rows) {
        let own = values(row);
        row.place = match above {
            Some((values, place)) if values == own => place,
            _ => listed,
        };
        above = Some((own, row.place));
    }
    Standings { rows }
}

fn own_match_points(player: &PlayerResults) -> Points {
    let part = |round: &PlayerRound| match round {
        PlayerRound::MiniMatch { match_points, .. } | PlayerRound::Bye { match_points, .. } => *match_points,
        PlayerRound::Absent => Points::ZERO,
    };
    player.rounds.iter().map(part).sum()
}

/// Everything of a row that needs no other row; place and H2H come later.
fn row_without_h2h(results: &Results, player: usize, match_points: &[Points]) -> Row {
    let own = &results.players[player];
    let mut row = Row {
        place: 0,
        player: PairingNumber::from_index(player),
        match_points: match_points[player],
        h2h: H2h {
            points: Points::ZERO,
            all_met: true,
            tied_group: false,
        },
        buchholz: buchholz::buchholz(own, match_points),
        sonneborn_berger: sonneborn_berger::sonneborn_berger(own, match_points),
        game_points: Points::ZERO,
        games: GameCounts::default(),
        byes: 0,
        repeats: 0,
    };
    for round in &own.rounds {
        match round {
            PlayerRound::MiniMatch {
                game_points,
                games,
                repeat,
                ..
            } => {
                row.game_points += *game_points;
                row.games += *games;
                row.repeats += u32::from(*repeat);
            }
            PlayerRound::Bye { game_points, .. } => {
                row.game_points += *game_points;
                row.byes += 1;
            }
            PlayerRound::Absent => {}
        }
    }
    row
}

#[cfg(test)]
mod tests;
