//! Ratings of all players from all their games: maximum likelihood with White's advantage and draws.
//!
//! The models are in [`model`]; [`groups`] decides who can be compared at all. For games between groups no finite
//! difference fits best: in the limit they are as expected for sure, and say nothing about the ratings within groups
//! or about the parameters. So they are left out of the fit, which is joint for all groups, and give bounds instead
//! ([`fitted::Group::bound`]).
//!
//! Ratings are on Elo's scale: R. A. Bradley and M. E. Terry, "Rank analysis of incomplete block designs: I. The method
//! of paired comparisons", Biometrika 39 (1952) 324–345, with strengths π = 10^(rating/400), times the scale of the
//! model.
//!
//! One advantage of White's stands for all openings. If openings differ much in what they give to White, ratings come
//! out nearer to each other than with equal openings, by any model.
//!
//! May not: read games; choose what is compared.

use thiserror::Error;

pub mod fitted;
pub mod games;
pub mod groups;
pub mod model;

mod bounds;
mod dense;
mod errors;
mod solve;
mod zero;

use dense::{Cholesky, Matrix};
use errors::Resampling;
use fitted::{Fit, Group, Parameter, ParameterSource};
use games::{Bout, GamesRow, RatedGames};
use groups::Groups;
use model::RatingModel;
use solve::{Layout, Maximum, NoMaximum, Parameters};

/// Why there is no fit.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum FitError {
    /// A player has games against itself.
    #[error("player {0} has games against itself")]
    AgainstItself(usize),
    /// A number that no player has.
    #[error("there is no player {0}")]
    NoSuchPlayer(usize),
    /// There are more players than fit into memory.
    #[error("{0} players are more than {most}, of whom each has an error with each", most = games::MOST_PLAYERS)]
    TooManyPlayers(usize),
    /// A player is fixed twice.
    #[error("player {0} is an anchor twice")]
    AnchorTwice(usize),
    /// A value that is not a number, or infinite.
    #[error("{0} is no value for a rating, an advantage or a prior")]
    NotFinite(f64),
    /// A share of draws that leaves no game to be decided, or none to be drawn.
    #[error("{0} is no share of draws: it is above 0 and below 1")]
    NoShare(f64),
    /// Too few resamples.
    #[error("{0} resamples have no spread: at least 2 are needed")]
    FewSamples(u32),
    /// The maximum was not found.
    #[error("the fit does not converge: too few games, or too one-sided ones, connect some players")]
    NoMaximum,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum White {
    /// Estimated from the games.
    #[default]
    Estimated,
    /// This many Elo points, on the scale of the ratings; 0 for none.
    Given(f64),
}

/// The parameter of draws.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Draw {
    /// Estimated from the games.
    #[default]
    Estimated,
    /// The share of draws between equals without White's advantage, above 0 and below 1.
    Given(f64),
}

/// The origin of the rating scale.
#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    /// The average of these players (of all, if there are none) has this value.
    Average {
        /// The players whose average counts.
        players: Vec<usize>,
        /// In Elo.
        value: f64,
    },
    /// Players with known ratings. Several of them change the ratings of the others, and the parameters.
    Anchors(Vec<(usize, f64)>),
}

impl Default for Origin {
    fn default() -> Self {
        Self::Average {
            players: Vec::new(),
            value: 0.0,
        }
    }
}

/// The method for errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// By [`Errors::Pairs`] if every player has at least [`ENOUGH`] pairs (or games without a pair) within its group
    /// and the results of pairs differ, else by [`Errors::Model`]. [`Fit::errors_by`] says which was used.
    #[default]
    ByCount,
    /// From the curvature of the likelihood (the inverse of Fisher's information): right if games follow the model
    /// and do not depend on each other, also for few games. Too large if openings are unequal, because an advantage
    /// that an opening gives in one game of a pair it takes away in the other: 98.8 % of its 95 % intervals hold if
    /// White's advantage has a standard deviation of 250 Elo from opening to opening. By halves it is multiplied by
    /// the share of the variance that draws leave.
    Model,
    /// From the spread of single games around their expectation (the sandwich), whatever the model; as if games of a
    /// pair did not depend on each other.
    Games,
    /// Like [`Errors::Games`], but with both games of a pair together, as they share an opening: right whatever the
    /// openings, for enough pairs. (Of 95 % intervals 94 to 95 % hold with 18 pairs a player and more, 93 % with
    /// five.) Games without a pair count singly.
    Pairs,
    /// From fits to games and pairs with random weights; close to those by pairs, which take no time.
    Resampled {
        /// The number of fits, at least 2.
        samples: u32,
        /// The seed of all random numbers.
        seed: u64,
    },
}

/// The smallest standard error that is believed, in Elo or as a share: if results have no spread, anything smaller is
/// rounding.
const NO_SPREAD: f64 = 1e-6;

/// The number of pairs from which a player's own spread says more than the model.
pub const ENOUGH: u32 = 10;

/// The settings of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub model: RatingModel,
    pub white: White,
    /// The parameter of draws.
    pub draw: Draw,
    /// Draws that each player is assumed to have had with its opponents in addition to its games, as BayesElo has 2;
    /// 0 for none. All who met are then in one group.
    pub prior_draws: f64,
    /// The origin of the rating scale.
    pub origin: Origin,
    /// The method for errors.
    pub errors: Errors,
}

impl Options {
    /// BayesElo's default settings: its model with eloAdvantage 32.8 and eloDraw 97.3, and a prior of 2 draws.
    pub fn bayeselo() -> Self {
        let share = RatingModel::RaoKupper.share(97.3 * model::PER_ELO)[0];
        Self {
            model: RatingModel::RaoKupper,
            // BayesElo's advantage is not on the scale of its ratings.
            white: White::Given(32.8 * (1.0 - share * share)),
            draw: Draw::Given(share),
            prior_draws: 2.0,
            errors: Errors::Model,
            ..Self::default()
        }
    }

    /// The settings of Ordo with -W -D; its errors come from simulations of its model, and its scale is 1.0087847 of
    /// Elo's (76 % for 202 points).
    pub fn ordo() -> Self {
        Self {
            model: RatingModel::Halves,
            errors: Errors::Model,
            ..Self::default()
        }
    }
}

/// The number of each player's group. Within a group every rating is finite; between two groups, one won every game,
/// or there were none.
pub fn groups_of(games: &RatedGames) -> Vec<usize> {
    groups::groups(games.players, &games::bouts(games.rows()), &[]).of
}

/// Fits the ratings of all players.
///
/// # Errors
///
/// When the settings make no sense, or no maximum is found.
pub fn fit(games: &RatedGames, options: &Options) -> Result<Fit, FitError> {
    games.check()?;
    let anchors = anchors(games, options)?;
    let players = games.players;
    let mut bouts = games::bouts(games.rows());
    let played = bouts.clone();
    if options.prior_draws > 0.0 {
        games::add_prior(&mut bouts, players, options.prior_draws);
    }
    let tied: Vec<usize> = anchors.iter().map(|&(player, _)| player).collect();
    let groups = groups::groups(players, &bouts, &tied);
    let inside = |players: [usize; 2]| groups.of[players[0]] == groups.of[players[1]];
    let pins = pins(&groups, &bouts, &anchors);
    bouts.retain(|bout| inside(bout.players));
    let within = bouts;
    let rows: Vec<GamesRow> = games.rows().filter(|row| inside(row.players)).collect();

    let (maximum, layout, white, draw) = climb(options, &groups, &within, &pins, &tied)?;
    let parameters = &maximum.parameters;
    let zeros = zero::zeros(&groups, &tied, &options.origin);
    let (covariance, errors_by) = if let Errors::Resampled { samples, seed } = options.errors {
        let resampling = Resampling {
            model: options.model,
            rows: &rows,
            layout: &layout,
            fitted: parameters,
            prior: options.prior_draws,
            seed,
            samples,
        };
        let values = |sample: &Parameters| {
            let mut values = sample.ratings.clone();
            zeros.iter().for_each(|zero| zero.centre(&mut values));
            values.extend([sample.white, options.model.share(sample.draw)[0]]);
            values
        };
        let covariance = resampling.covariance(values).map_err(|NoMaximum| FitError::NoMaximum)?;
        (covariance, options.errors)
    } else {
        let information = maximum.information(&within, &layout);
        let inverse = Cholesky::new(information).ok_or(FitError::NoMaximum)?.inverse();
        // A draw is half a win for sure: if a share q of 4·E·(1 − E) is drawn, the score varies by (1 − q)·E·(1 − E).
        let spread = if options.model == RatingModel::Halves {
            1.0 - draw.value
        } else {
            1.0
        };
        let (by_column, errors_by) = by_column(options, &rows, &layout, parameters, inverse, spread);
        let by_draw = options.model.share(parameters.draw)[1];
        (zero::centred(&by_column, &layout, &zeros, by_draw), errors_by)
    };

    let deviation = |index: usize| covariance.at(index, index).max(0.0).sqrt();
    let mut ratings = parameters.ratings.clone();
    zeros.iter().for_each(|zero| zero.centre(&mut ratings));
    let error = |player: usize| {
        let own = |player| covariance.at(player, player);
        // A player that alone defines the zero has no error, but is some way from the others.
        let differs =
            |other: &usize| own(player) + own(*other) - 2.0 * covariance.at(player, *other) > NO_SPREAD * NO_SPREAD;
        let varies = tied.contains(&player) || groups.members[groups.of[player]].iter().any(differs);
        varies.then(|| deviation(player))
    };
    let of_all = |column: usize| Some(deviation(column)).filter(|error| *error > NO_SPREAD);
    let [stretch, _] = options.model.stretch(parameters.draw);
    let mut fit = Fit {
        model: options.model,
        errors: (0..players).map(error).collect(),
        ratings,
        group_of: groups.of.clone(),
        groups: Vec::new(),
        errors_by,
        white: Parameter {
            value: parameters.white,
            error: layout.white.and_then(|_| of_all(players)),
            source: white,
        },
        draw: Parameter {
            error: layout.draw.and_then(|_| of_all(players + 1)),
            ..draw
        },
        scale: model::PER_ELO / stretch,
        games: within.iter().map(Bout::games).sum(),
        log_likelihood: maximum.log_likelihood,
        covariance,
        parameters: maximum.parameters,
        bouts: played,
    };
    let group = |group: usize| Group {
        members: groups.members[group].clone(),
        main: groups.main[group],
        order: groups.order[group],
        bound: bounds::bound(&fit, &groups, group),
        zero: zeros[group].zero,
    };
    fit.groups = (0..groups.members.len()).map(group).collect();
    Ok(fit)
}

/// The anchors, after a check of all settings.
fn anchors(games: &RatedGames, options: &Options) -> Result<Vec<(usize, f64)>, FitError> {
    let mut numbers = vec![options.prior_draws];
    if let White::Given(white) = options.white {
        numbers.push(white);
    }
    if let Draw::Given(share) = options.draw
        && !(share > 0.0 && share < 1.0)
    {
        return Err(FitError::NoShare(share));
    }
    if let Errors::Resampled { samples, .. } = options.errors
        && samples < 2
    {
        return Err(FitError::FewSamples(samples));
    }
    let mut anchors = Vec::new();
    let mut named = Vec::new();
    match &options.origin {
        Origin::Average { players, value } => {
            numbers.push(*value);
            named.extend(players);
        }
        Origin::Anchors(those) => {
            numbers.extend(those.iter().map(|(_, value)| value));
            named.extend(those.iter().map(|(player, _)| player));
            anchors.clone_from(those);
        }
    }
    if let Some(&number) = numbers.iter().find(|number| !number.is_finite()) {
        return Err(FitError::NotFinite(number));
    }
    if options.prior_draws < 0.0 {
        return Err(FitError::NotFinite(options.prior_draws));
    }
    if let Some(&player) = named.iter().find(|&&player| player >= games.players) {
        return Err(FitError::NoSuchPlayer(player));
    }
    anchors.sort_by_key(|&(player, _)| player);
    match anchors.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(FitError::AnchorTwice(pair[0].0)),
        None => Ok(anchors),
    }
}

/// Ratings that stay fixed while the others are fitted: the anchors, and in any other group the player with the most
/// games.
fn pins(groups: &Groups, bouts: &[Bout], anchors: &[(usize, f64)]) -> Vec<Option<f64>> {
    let mut pins = vec![None; groups.of.len()];
    let mut pinned = vec![false; groups.members.len()];
    for &(player, value) in anchors {
        pins[player] = Some(value);
        pinned[groups.of[player]] = true;
    }
    let mut games = vec![0.0; groups.of.len()];
    for bout in bouts {
        bout.players.iter().for_each(|&player| games[player] += bout.games());
    }
    for (members, _) in groups.members.iter().zip(pinned).filter(|(_, pinned)| !pinned) {
        let most = members
            .iter()
            .copied()
            .max_by(|&one, &other| games[one].total_cmp(&games[other]));
        pins[most.expect("a group has players")] = Some(0.0);
    }
    pins
}

/// The maximum, the layout of what was estimated for it, and the sources of White's advantage and the share of draws.
fn climb(
    options: &Options,
    groups: &Groups,
    bouts: &[Bout],
    pins: &[Option<f64>],
    tied: &[usize],
) -> Result<(Maximum, Layout, ParameterSource, Parameter), FitError> {
    let model = options.model;
    let games: f64 = bouts.iter().map(Bout::games).sum();
    let drawn: f64 = bouts.iter().map(|bout| bout.counts[0][1] + bout.counts[1][1]).sum();
    let cautious = (drawn + 0.5) / (games + 1.0);
    let (white, white_source) = match options.white {
        White::Given(white) => (white, ParameterSource::Given),
        White::Estimated if groups::colours_tell(groups, bouts, tied) => (0.0, ParameterSource::Estimated),
        White::Estimated => (0.0, ParameterSource::NotTold),
    };
    let (share, draw_source) = match options.draw {
        Draw::Given(share) => (share, ParameterSource::Given),
        Draw::Estimated if drawn == 0.0 => (0.0, ParameterSource::NoDraws),
        Draw::Estimated if drawn == games => (cautious, ParameterSource::NoMaximum),
        Draw::Estimated => (drawn / games, ParameterSource::Estimated),
    };
    // Parameters without a maximum are given up: first the draws, then White's advantage, then both.
    let tries = [(false, false), (false, true), (true, false), (true, true)];
    for (without_white, without_draws) in tries {
        let white_source = match white_source {
            ParameterSource::Estimated if without_white => ParameterSource::NoMaximum,
            _ if without_white => continue,
            source => source,
        };
        let (share, draw_source) = match draw_source {
            ParameterSource::Estimated if without_draws => (cautious, ParameterSource::NoMaximum),
            _ if without_draws => continue,
            source => (share, source),
        };
        let fits_draws = draw_source == ParameterSource::Estimated && model != RatingModel::Halves;
        let layout = layout(pins, white_source == ParameterSource::Estimated, fits_draws);
        let start = Parameters {
            ratings: pins.iter().map(|pin| pin.unwrap_or(0.0)).collect(),
            white,
            draw: model.parameter(share),
        };
        let Ok(maximum) = solve::solve(model, bouts, &layout, start) else {
            continue;
        };
        let value = match model {
            RatingModel::Halves if draw_source == ParameterSource::Estimated => {
                let square = |x: &f64| {
                    let information = model.outcomes(*x, 0.0).information[0];
                    4.0 * information
                };
                let of = |bout: &Bout| -> f64 {
                    let games = bout.counts.map(|counts| counts.iter().sum::<f64>());
                    let differences = solve::differences(model.stretch(0.0), bout.players, &maximum.parameters);
                    games.iter().zip(&differences).map(|(games, x)| games * square(x)).sum()
                };
                (drawn / bouts.iter().map(of).sum::<f64>()).min((games + 0.5) / (games + 1.0))
            }
            RatingModel::Halves => share,
            _ => model.share(maximum.parameters.draw)[0],
        };
        let draw = Parameter {
            value,
            error: None,
            source: draw_source,
        };
        return Ok((maximum, layout, white_source, draw));
    }
    Err(FitError::NoMaximum)
}

fn layout(pins: &[Option<f64>], white: bool, draw: bool) -> Layout {
    let mut columns = 0;
    let mut next = || {
        columns += 1;
        columns - 1
    };
    let players = pins.iter().map(|pin| pin.is_none().then(&mut next)).collect();
    let white = white.then(&mut next);
    let draw = draw.then(&mut next);
    Layout {
        players,
        white,
        draw,
        columns,
    }
}

/// The covariance of the estimates, by columns of the layout, and the method that gave it, from the inverse of the
/// information; `spread` is the share of the variance that draws leave by halves.
fn by_column(
    options: &Options,
    rows: &[GamesRow],
    layout: &Layout,
    at: &Parameters,
    mut inverse: Matrix,
    spread: f64,
) -> (Matrix, Errors) {
    let sandwich = |whole_pairs| errors::sandwich(options.model, rows, layout, at, whole_pairs).between(&inverse);
    match options.errors {
        Errors::Games => return (sandwich(false), Errors::Games),
        Errors::Pairs => return (sandwich(true), Errors::Pairs),
        Errors::ByCount if errors::least_units(rows, at.ratings.len()) >= Some(f64::from(ENOUGH)) => {
            let sandwich = sandwich(true);
            // If all pairs end alike there is no spread, but that does not make a rating certain.
            let spreads = |column: &usize| sandwich.at(*column, *column) > 1e-6 * inverse.at(*column, *column);
            if layout.players.iter().flatten().all(spreads) {
                return (sandwich, Errors::Pairs);
            }
        }
        Errors::ByCount | Errors::Model | Errors::Resampled { .. } => {}
    }
    inverse.scale(spread);
    (inverse, Errors::Model)
}

#[cfg(test)]
mod tests;
