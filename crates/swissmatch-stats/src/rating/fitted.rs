//! The results of a fit.

use super::dense::Matrix;
use super::games::Bout;
use super::groups::GroupOrder;
use super::model::{RatingModel, WhiteChances};
use super::solve::{self, Parameters};
use super::{Errors, NO_SPREAD};
use crate::pairs::normal;

/// Times the standard error: the half width of a 95 % interval.
pub const AT_95: f64 = 1.959_963_984_540_054;

/// The source of a model's parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSource {
    /// Estimated from the games.
    Estimated,
    Given,
    /// Games cannot tell, because strengths would explain it as well, as when everybody always had the same colour.
    /// White's advantage is taken as none.
    NotTold,
    /// The likelihood has no maximum at a finite value. White's advantage is taken as none; the share of draws as if
    /// half a game more had been drawn and half a game decided (Jeffreys's prior), whoever played it.
    NoMaximum,
    /// There were no draws, and none are expected.
    NoDraws,
}

/// A parameter that all games share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// White's advantage in Elo, or the share of draws between equals without it, 0 to 1.
    pub value: f64,
    /// The standard error, if it was estimated with one.
    pub error: Option<f64>,
    pub source: ParameterSource,
}

/// The zero of a group's ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zero {
    /// The average of the requested players in the group, or of all if it has none of them, has the requested value.
    Average,
    /// The group's anchors.
    Anchors,
    /// The group's own average, which is 0: it says nothing about players in other groups.
    Own,
}

/// Players whose ratings can be compared with each other: each of them scored against others of them, and others
/// scored against it.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The players, ascending.
    pub members: Vec<usize>,
    /// The main group of those connected with it by games; its own number if it is that.
    pub main: usize,
    /// Its position relative to the main group.
    pub order: GroupOrder,
    /// The number to be added to a rating of this group for its bound on the scale of the main group. If the group
    /// were this far ahead (or behind), a result like that between the two groups would have a chance of 5 %. So the
    /// rating is above (below) that with 95 % confidence, if the main group's own ratings are taken as certain.
    /// `None` if the two never met.
    pub bound: Option<f64>,
    /// The zero of its ratings.
    pub zero: Zero,
}

/// What is known about a player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Rating and standard error in Elo; no error for the only player of a group.
    Estimate(f64, Option<f64>),
    /// The player scored everything against the main group: its rating is infinite by maximum likelihood, and at
    /// least this with 95 % confidence.
    AtLeast(f64),
    /// The player scored nothing against the main group: at most this with 95 % confidence.
    AtMost(f64),
    /// Nothing compares it with the main group; [`Fit::ratings`] has it relative to its own group.
    Unknown,
}

/// Two players who met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedMeeting {
    /// The two, lower number first.
    pub players: [usize; 2],
    pub games: f64,
    pub points: f64,
    /// The first player's points as the fit expects them; for two of different groups the limit, which is the points
    /// scored.
    pub expected: f64,
    /// Standard deviation of the points by the model; 0 for two of different groups.
    pub deviation: f64,
}

/// The games of a player with one colour.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfColour {
    /// Games won, drawn and lost.
    pub results: [f64; 3],
    /// The points that the fit expects; for games with players of other groups, the points scored.
    pub expected: f64,
    /// Variance of the points by the model.
    pub variance: f64,
}

/// A fit of all players.
#[derive(Clone, Debug)]
pub struct Fit {
    pub model: RatingModel,
    /// Each player's rating in Elo, relative to [`Group::zero`] of its group.
    pub ratings: Vec<f64>,
    /// Each rating's standard error; `None` for the only player of a group, and if results have no spread; 0 for an
    /// anchor.
    pub errors: Vec<Option<f64>>,
    /// The method that gave the errors: never [`Errors::ByCount`].
    pub errors_by: Errors,
    pub group_of: Vec<usize>,
    /// The groups, by their first players.
    pub groups: Vec<Group>,
    /// White's advantage in Elo, on the scale of the ratings.
    pub white: Parameter,
    /// The share of draws between equals without White's advantage, 0 to 1.
    pub draw: Parameter,
    /// The factor that turns strengths 400·log₁₀ π of the model into ratings.
    pub scale: f64,
    /// Games that count for ratings: those within groups, with draws of a prior.
    pub games: f64,
    /// Natural logarithm of the likelihood of these games.
    pub log_likelihood: f64,
    pub(super) covariance: Matrix,
    pub(super) parameters: Parameters,
    pub(super) bouts: Vec<Bout>,
}

impl Fit {
    /// A player's rating on the scale of the main group, as far as it is known.
    pub fn value(&self, player: usize) -> Value {
        let group = &self.groups[self.group_of[player]];
        let rating = self.ratings[player];
        match (group.order, group.bound) {
            (GroupOrder::Main, _) if self.compares(group) => Value::Estimate(rating, self.errors[player]),
            (GroupOrder::Above, Some(bound)) => Value::AtLeast(rating + bound),
            (GroupOrder::Below, Some(bound)) => Value::AtMost(rating + bound),
            _ => Value::Unknown,
        }
    }

    /// How far the first is ahead of the second, and the standard error of that, in Elo; `None` if they are in
    /// different groups.
    pub fn difference(&self, one: usize, other: usize) -> Option<[f64; 2]> {
        let same = self.group_of[one] == self.group_of[other];
        let own = |player| self.covariance.at(player, player);
        let variance = own(one) + own(other) - 2.0 * self.covariance.at(one, other);
        same.then(|| [self.ratings[one] - self.ratings[other], variance.max(0.0).sqrt()])
    }

    /// Likelihood of superiority: the chance, 0 to 1, that the first is the stronger, by the normal distribution with
    /// the error of the difference. `None` if they are in different groups, or their results have no spread.
    pub fn superiority(&self, one: usize, other: usize) -> Option<f64> {
        let [ahead, error] = self.difference(one, other)?;
        let are_anchors = [one, other].iter().all(|player| self.errors[*player] == Some(0.0));
        match ahead == 0.0 {
            true => Some(0.5),
            false => (error > NO_SPREAD || are_anchors).then(|| normal(ahead / error)),
        }
    }

    /// The chances of a game; `None` if the two are in different groups.
    pub(crate) fn chances(&self, white: usize, black: usize) -> Option<WhiteChances> {
        let same = self.group_of[white] == self.group_of[black];
        let [x, _] = solve::differences(
            self.model.stretch(self.parameters.draw),
            [white, black],
            &self.parameters,
        );
        same.then(|| self.model.chances(x, self.parameters.draw, self.draw.value))
    }

    /// All pairs who met, with expected and actual score, by players.
    pub fn compared(&self) -> impl Iterator<Item = FittedMeeting> {
        self.bouts.iter().map(|bout| {
            let [one, other] = bout.players;
            let of = |white, black| self.chances(white, black);
            let sums = of(one, other).zip(of(other, one)).map(|(first, second)| {
                let games = bout.counts.map(|counts| counts.iter().sum::<f64>());
                [
                    games[0] * first.score() + games[1] * (1.0 - second.score()),
                    games[0] * first.variance() + games[1] * second.variance(),
                ]
            });
            let [expected, variance] = sums.unwrap_or([bout.points(), 0.0]);
            FittedMeeting {
                players: bout.players,
                games: bout.games(),
                points: bout.points(),
                expected,
                deviation: variance.max(0.0).sqrt(),
            }
        })
    }

    /// The games of each player with White and with Black.
    pub fn by_colour(&self) -> Vec<[OfColour; 2]> {
        let mut all = vec![[OfColour::default(); 2]; self.ratings.len()];
        for bout in &self.bouts {
            let [one, other] = bout.players;
            for ((white, black), counts) in [(one, other), (other, one)].into_iter().zip(bout.counts) {
                let [wins, draws, losses] = counts;
                let games = wins + draws + losses;
                let scored = wins + draws / 2.0;
                let [expected, variance] = self.chances(white, black).map_or([scored, 0.0], |chances| {
                    [games * chances.score(), games * chances.variance()]
                });
                let sides = [
                    (white, 0, counts, expected),
                    (black, 1, [losses, draws, wins], games - expected),
                ];
                for (player, colour, results, expected) in sides {
                    let of: &mut OfColour = &mut all[player][colour];
                    of.results.iter_mut().zip(results).for_each(|(sum, more)| *sum += more);
                    of.expected += expected;
                    of.variance += variance;
                }
            }
        }
        all
    }

    /// True if a main group has more than one player, or others beside it.
    fn compares(&self, main: &Group) -> bool {
        let first = main.members[0];
        main.zero == Zero::Anchors || self.bouts.iter().any(|bout| bout.players.contains(&first))
    }
}
