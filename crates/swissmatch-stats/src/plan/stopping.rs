//! Simulates a rule that ends an event early: when it does, and how often the places are then right.
//!
//! May not: know who the agents are.

use std::collections::BTreeMap;

use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};
use serde::Serialize;

use super::{StrengthAssumptions, field};
use crate::simulate::stopping::StopRule;
use crate::simulate::{Event, Play, first_rounds};
use crate::stop::StopReason;
use crate::stream::stream;

/// The outcome of the simulated events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stops {
    /// Events that ended, by their number of rounds.
    pub by_rounds: BTreeMap<u32, Ends>,
    /// Events in which a round had no legal pairing.
    pub unpaired: u32,
}

/// Events of one length.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Ends {
    /// Events that ended because the places were sure.
    pub sure: u32,
    /// Those of `sure` in which the right players had the places: place n the n-th strongest, for each place of the
    /// rule.
    pub sure_and_right: u32,
    /// Events that ended by the bound on games.
    pub games: u32,
    /// Events that ended by the bound on time.
    pub time: u32,
    /// Events that ended with the last round.
    pub last_round: u32,
    /// Of all these events, those whose places were right.
    pub right: u32,
}

impl Ends {
    pub const fn events(&self) -> u32 {
        self.sure + self.games + self.time + self.last_round
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self {
            sure: self.sure + other.sure,
            sure_and_right: self.sure_and_right + other.sure_and_right,
            games: self.games + other.games,
            time: self.time + other.time,
            last_round: self.last_round + other.last_round,
            right: self.right + other.right,
        }
    }
}

impl Stops {
    /// All events that ended.
    pub fn all(&self) -> Ends {
        self.by_rounds.values().copied().fold(Ends::default(), Ends::and)
    }

    /// The mean of their rounds, and its standard deviation over the events; `None` if none ended.
    pub fn rounds(&self) -> Option<(f64, f64)> {
        let events = f64::from(self.all().events());
        let mean_of = |of: &dyn Fn(f64) -> f64| {
            let sum = |(rounds, ends): (&u32, &Ends)| of(f64::from(*rounds)) * f64::from(ends.events());
            self.by_rounds.iter().map(sum).sum::<f64>() / events
        };
        (events > 0.0).then(|| {
            let mean = mean_of(&|rounds| rounds);
            (mean, mean_of(&|rounds| (rounds - mean).powi(2)).sqrt())
        })
    }

    fn merge(mut self, other: Self) -> Self {
        for (rounds, ends) in other.by_rounds {
            let own = self.by_rounds.entry(rounds).or_default();
            *own = own.and(ends);
        }
        self.unpaired += other.unpaired;
        self
    }
}

/// Plays this many events with mini-matches of this many games by a rule; `progress` is called for each one. Equal
/// seeds give equal counts on any number of threads. The players of an event are those of [`super::simulate`].
pub fn simulate(
    event: &Event,
    assumed: &StrengthAssumptions,
    rule: &StopRule,
    games: u32,
    (rng_seed, events): (u64, u32),
    progress: impl Fn() + Sync,
) -> Stops {
    let first = first_rounds(event, &[rule.rounds]);
    let players = event.history.players.len();
    let one = |number: u32| {
        let (strengths, lots) = field(assumed, players, rng_seed, number);
        let play = Play {
            event,
            first: &first,
            games,
            strengths: &strengths,
            draws: assumed.draws,
            lots: &lots,
        };
        // The samples of an event are its own, as those of a run are.
        let of_samples = rng_seed.wrapping_add(number.into());
        let stop = play.until(rule, &stream(rng_seed, "plan: games", number), of_samples);
        progress();
        let Some(stop) = stop else {
            return Stops {
                unpaired: 1,
                ..Stops::default()
            };
        };
        let mut best = strengths.clone();
        best.sort_by(|one, other| other.total_cmp(one));
        let places = rule.places.map_or(1..=1, |places| places.first..=places.last);
        let is_right = places.into_iter().all(|place| {
            let place = place as usize - 1;
            // By strength instead of by number: equals may replace each other.
            let there = stop.standings.rows.get(place).map(|row| strengths[row.player.index()]);
            there.as_ref() == best.get(place)
        });
        let is_of = |why: Option<StopReason>| u32::from(stop.why == why);
        let sure = is_of(Some(StopReason::Sure));
        let ends = Ends {
            sure,
            sure_and_right: sure * u32::from(is_right),
            games: is_of(Some(StopReason::Games)),
            time: is_of(Some(StopReason::Time)),
            last_round: is_of(None),
            right: u32::from(is_right),
        };
        Stops {
            by_rounds: BTreeMap::from([(stop.rounds, ends)]),
            unpaired: 0,
        }
    };
    (0..events)
        .into_par_iter()
        .map(one)
        .reduce(Stops::default, Stops::merge)
}
