//! An event that a rule may end before its last round.
//!
//! May not: decide whether places are sure; that is `stats::stop`.

use rand_pcg::Pcg64;
use swiss_system::standings::Standings;

use super::{Play, SimulatedEvent};
use crate::confidence::ResampledEvent;
use crate::stop::{StopReason, SurePlaces};

/// The rule for the end of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StopRule {
    /// Its rounds if nothing ends it earlier.
    pub rounds: u32,
    /// It may end after each multiple of this many rounds: the rounds of a cycle.
    pub cycle: u32,
    /// Places that end it once they are sure.
    pub places: Option<SurePlaces>,
    /// The first round after which the places are looked at.
    pub from_round: u32,
    /// The rounds after which a bound ends it, and the reason, if that is earlier.
    pub bound: Option<(u32, StopReason)>,
}

/// The end of an event.
pub(crate) struct Stop {
    pub(crate) rounds: u32,
    /// Why it ended early; `None` if it was played to its last round.
    pub(crate) why: Option<StopReason>,
    pub(crate) standings: Standings,
}

impl Play<'_> {
    /// Plays the event by such a rule, with samples by this seed; `None` if a round of it could not be paired.
    pub(crate) fn until(&self, rule: &StopRule, chance: &Pcg64, rng_seed: u64) -> Option<Stop> {
        let mut world = SimulatedEvent::new(self, chance.clone());
        world.pairs = Some(Vec::new());
        let mut round = 0;
        let why = loop {
            world.round(rule.rounds).ok()?;
            round += 1;
            if round >= rule.rounds {
                break None;
            }
            if !round.is_multiple_of(rule.cycle) {
                continue;
            }
            let looks = rule.places.filter(|_| round >= rule.from_round);
            if looks.is_some_and(|places| world.are_sure(&places, rng_seed)) {
                break Some(StopReason::Sure);
            }
            if let Some((_, why)) = rule.bound.filter(|(most, _)| round >= *most) {
                break Some(why);
            }
        };
        Some(Stop {
            rounds: round,
            why,
            standings: world.standings(),
        })
    }
}

impl SimulatedEvent<'_> {
    fn are_sure(&mut self, places: &SurePlaces, rng_seed: u64) -> bool {
        let event = ResampledEvent {
            results: self.results.clone(),
            rules: self.play.event.rules.clone(),
            match_points: self.play.event.match_points,
            mini_matches: self.pairs.take().unwrap_or_default(),
        };
        let sure = places.sure(&event, rng_seed);
        self.pairs = Some(event.mini_matches);
        sure.is_some()
    }
}
