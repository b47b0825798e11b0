//! Games as counts: single games, game pairs, and for the fit one bout for each two who met.
//!
//! May not: know when or why a game was played.

use super::FitError;

/// The most players: the covariance is a full matrix, 200 MB for this many, and the fit needs some five of them.
pub const MOST_PLAYERS: usize = 5000;

/// Games of two players with the same colours that belong to no game pair.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// From 0.
    pub white: usize,
    /// From 0.
    pub black: usize,
    /// Games that White won.
    pub wins: u64,
    pub draws: u64,
    /// Games that White lost.
    pub losses: u64,
}

/// Game pairs of two players: each is two games of one opening with colours reversed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GamePairs {
    /// The first and the second player, from 0.
    pub players: [usize; 2],
    /// The number of pairs by the result of the first player with White and with Black: `counts[0][2]` won with White
    /// and lost with Black. 0 is won, 1 drawn, 2 lost.
    pub counts: [[u64; 3]; 3],
}

/// All games of a fit. The same two players may be in any number of rows; no game is in both lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RatedGames {
    /// Players are numbered from 0 to below this.
    pub players: usize,
    /// Games that belong to no game pair.
    pub single: Vec<Meeting>,
    pub pairs: Vec<GamePairs>,
}

impl RatedGames {
    /// Checks that the players of all games exist.
    pub(super) fn check(&self) -> Result<(), FitError> {
        if self.players > MOST_PLAYERS {
            return Err(FitError::TooManyPlayers(self.players));
        }
        let single = self.single.iter().map(|meeting| [meeting.white, meeting.black]);
        for [one, other] in single.chain(self.pairs.iter().map(|pairs| pairs.players)) {
            if one == other {
                return Err(FitError::AgainstItself(one));
            }
            if let Some(player) = [one, other].into_iter().find(|&player| player >= self.players) {
                return Err(FitError::NoSuchPlayer(player));
            }
        }
        Ok(())
    }

    /// The rows with the number of games or pairs of each kind, as a resample may have them; rows without games are
    /// left out.
    pub(super) fn rows(&self) -> impl Iterator<Item = GamesRow> {
        let single = self.single.iter().map(|meeting| GamesRow {
            players: [meeting.white, meeting.black],
            counts: WeightedCounts::Single([meeting.wins, meeting.draws, meeting.losses].map(float)),
        });
        let pairs = self.pairs.iter().map(|pairs| GamesRow {
            players: pairs.players,
            counts: WeightedCounts::Pairs(pairs.counts.map(|counts| counts.map(float))),
        });
        single.chain(pairs).filter(|row| row.counts.units() > 0.0)
    }
}

/// Counts of a row of the games, as weights.
#[derive(Clone, Copy, Debug)]
pub(super) enum WeightedCounts {
    /// White's wins, draws, losses.
    Single([f64; 3]),
    /// As [`GamePairs::counts`].
    Pairs([[f64; 3]; 3]),
}

impl WeightedCounts {
    /// The number of independent units: games or pairs.
    pub(super) fn units(&self) -> f64 {
        match self {
            Self::Single(counts) => counts.iter().sum(),
            Self::Pairs(counts) => counts.iter().flatten().sum(),
        }
    }

    /// Replaces each count that is not zero by the function's result.
    pub(super) fn replaced(mut self, mut by: impl FnMut(f64) -> f64) -> Self {
        let counts: &mut [f64] = match &mut self {
            Self::Single(counts) => counts,
            Self::Pairs(counts) => counts.as_flattened_mut(),
        };
        counts
            .iter_mut()
            .filter(|count| **count > 0.0)
            .for_each(|count| *count = by(*count));
        self
    }
}

/// A row of the games; in a row of single games the first player has White.
#[derive(Clone, Copy, Debug)]
pub(super) struct GamesRow {
    pub(super) players: [usize; 2],
    pub(super) counts: WeightedCounts,
}

/// All games of two players.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Bout {
    /// The two by number, lower first.
    pub(super) players: [usize; 2],
    /// White's wins, draws and losses, first for games with White for the first player, then for the second.
    pub(super) counts: [[f64; 3]; 2],
}

impl Bout {
    pub(super) fn games(&self) -> f64 {
        self.counts.iter().flatten().sum()
    }

    /// Points of the first player.
    pub(super) fn points(&self) -> f64 {
        let [[won, drawn, _], [_, drawn_too, won_too]] = self.counts;
        won + won_too + (drawn + drawn_too) / 2.0
    }
}

/// The bouts of rows, by the numbers of the players.
pub(super) fn bouts(rows: impl Iterator<Item = GamesRow>) -> Vec<Bout> {
    let mut parts: Vec<Bout> = rows.map(|row| bout(&row)).collect();
    parts.sort_by_key(|bout| bout.players);
    parts.dedup_by(|next, bout| {
        let same = next.players == bout.players;
        if same {
            let sums = bout.counts.as_flattened_mut().iter_mut();
            sums.zip(next.counts.as_flattened())
                .for_each(|(sum, count)| *sum += count);
        }
        same
    });
    parts
}

/// BayesElo's prior: each player's `draws` are spread over its opponents in proportion to its games, half of them
/// with each colour. A bout gets those of both its players. (R. Coulom, bayeselo 0057.)
pub(super) fn add_prior(bouts: &mut [Bout], players: usize, draws: f64) {
    let mut games = vec![0.0; players];
    for bout in &*bouts {
        bout.players.iter().for_each(|&player| games[player] += bout.games());
    }
    for bout in bouts {
        let here = bout.games();
        let added: f64 = bout
            .players
            .iter()
            .map(|&player| draws * 0.25 * here / games[player])
            .sum();
        bout.counts.iter_mut().for_each(|counts| counts[1] += added);
    }
}

fn bout(row: &GamesRow) -> Bout {
    let [one, other] = row.players;
    let own = match row.counts {
        WeightedCounts::Single(counts) => [counts, [0.0; 3]],
        WeightedCounts::Pairs(counts) => {
            let white = counts.map(|counts| counts.iter().sum());
            // The second player has White here, so its wins are the first player's losses.
            let black = [2, 1, 0].map(|result: usize| counts.iter().map(|counts| counts[result]).sum());
            [white, black]
        }
    };
    match one < other {
        true => Bout {
            players: [one, other],
            counts: own,
        },
        false => Bout {
            players: [other, one],
            counts: [own[1], own[0]],
        },
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of games are far below 2^53, and a weight may be rounded"
)]
fn float(count: u64) -> f64 {
    count as f64
}
