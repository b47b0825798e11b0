//! The opening of each game, and the number of openings that an event needs.
//!
//! May not: read suites; know how games are played.

use swiss_system::lot;

use swissmatch_game::opening::{Opening, OpeningSuite};
use swissmatch_game::record::GameId;

use super::setup::{OpeningOrder, OpeningPolicy, Setup, Variant};
use super::state::State;
use crate::stage::Stage;

/// The opening of each game pair of the event. "The two games of a pair share an opening"; unless each mini-match has
/// its own, so do the same pairs of all mini-matches of a round, or of the event.
#[derive(Clone, Debug)]
pub struct OpeningPlan {
    suite: OpeningSuite,
    variant: Variant,
    order: OpeningOrder,
    policy: OpeningPolicy,
    rng_seed: u64,
    /// Index in the order of the first opening played.
    start: usize,
    stages: Vec<Stage>,
    /// The order drawn last, and which time through the suite it is for, from 0.
    drawn: (usize, Vec<usize>),
}

impl OpeningPlan {
    /// Plans with the openings of the event's suite; an empty suite means the start position.
    pub fn new(setup: &Setup, suite: OpeningSuite) -> Self {
        let mut plan = Self {
            suite,
            variant: setup.game.variant,
            order: setup.mini_match.opening_order,
            policy: setup.mini_match.opening_policy,
            rng_seed: setup.event.rng_seed,
            start: setup.mini_match.opening_start.saturating_sub(1) as usize,
            stages: setup.stages(),
            drawn: (0, Vec::new()),
        };
        plan.draw(0);
        plan
    }

    /// The opening of a game whose round has been paired. The suite is used up round after round; each time through has
    /// an order of its own. A mini-match of a play-off, which has at most two games, takes one opening.
    pub fn opening_of(&mut self, state: &State, id: GameId) -> Opening {
        if self.suite.is_empty() {
            return Opening::start(self.variant);
        }
        let pair = self.pairs_before(state, id) + (id.game as usize - 1) / 2;
        let count = self.suite.len();
        if self.drawn.0 != pair / count {
            self.draw(pair / count);
        }
        self.suite.get(self.drawn.1[(pair + self.start) % count])
    }

    /// The openings taken before the mini-match of this game.
    fn pairs_before(&self, state: &State, id: GameId) -> usize {
        let round = id.round as usize;
        if self.policy == OpeningPolicy::Event {
            // Players who meet again in a later cycle get other openings.
            return self.stage(round - 1).map_or(0, |stage| {
                cycles_before(stage, id) * stage.most_games().div_ceil(2) as usize
            });
        }
        let of_rounds = |rounds: usize| -> usize {
            let rounds = state.rounds().iter().zip(0..rounds);
            rounds
                .map(|(paired, round)| self.boards(paired.mini_matches.len()) * self.pairs(round))
                .sum()
        };
        let board = match self.policy {
            OpeningPolicy::Round | OpeningPolicy::Event => 0,
            OpeningPolicy::MiniMatch => id.board as usize - 1,
        };
        if id.playoff == 0 {
            return of_rounds(round - 1) + board * self.pairs(round - 1);
        }
        let earlier = state
            .sittings()
            .filter(|sitting| sitting.round == id.round && (1..id.playoff).contains(&sitting.playoff));
        let of_playoffs: usize = earlier.map(|sitting| self.boards(sitting.mini_matches.len())).sum();
        of_rounds(round) + of_playoffs + board
    }

    /// The number of mini-matches with openings of their own in a round with `boards` boards.
    fn boards(&self, boards: usize) -> usize {
        match self.policy {
            OpeningPolicy::Round | OpeningPolicy::Event => 1,
            OpeningPolicy::MiniMatch => boards,
        }
    }

    /// The openings of a mini-match in a round, from 0.
    fn pairs(&self, round: usize) -> usize {
        self.stage(round).map_or(0, |stage| {
            let own = u32::try_from(round).expect("few rounds") - stage.rounds_before;
            stage.games_in(own).div_ceil(2) as usize
        })
    }

    /// The stage of a round; both count from 0.
    fn stage(&self, round: usize) -> Option<&Stage> {
        let mut begun = self.stages.iter().rev();
        begun.find(|stage| stage.rounds_before as usize <= round)
    }

    fn draw(&mut self, time: usize) {
        let order = match self.order {
            OpeningOrder::Sequential => (0..self.suite.len()).collect(),
            OpeningOrder::Random => lot::order(self.rng_seed, &format!("openings {time}"), self.suite.len()),
        };
        self.drawn = (time, order);
    }
}

/// The first game in the schedule that has the same opening as this one, for any suite.
pub fn first_to_share(setup: &Setup, id: GameId) -> GameId {
    let game = id.game - (id.game - 1) % 2;
    match setup.mini_match.opening_policy {
        OpeningPolicy::Round => GameId { board: 1, game, ..id },
        OpeningPolicy::Event => GameId {
            round: first_of_cycle(setup, id),
            playoff: 0,
            board: 1,
            game,
        },
        OpeningPolicy::MiniMatch => GameId { game, ..id },
    }
}

/// The first round of the cycle that a game is in, or of the event where the stage has no cycles.
fn first_of_cycle(setup: &Setup, id: GameId) -> u32 {
    let stages = setup.stages();
    let own = stages.iter().rev().find(|stage| stage.rounds_before < id.round);
    match own {
        Some(stage) if stage.format.cycles() > 1 => {
            let before = u32::try_from(cycles_before(stage, id)).unwrap_or(0) * stage.cycle();
            stage.rounds_before + before + 1
        }
        _ => 1,
    }
}

/// The cycles of the stage before that of this game; 0 in a format without cycles.
fn cycles_before(stage: &Stage, id: GameId) -> usize {
    if stage.format.cycles() == 1 {
        return 0;
    }
    let own = id.round.saturating_sub(stage.rounds_before + 1);
    own.checked_div(stage.cycle()).unwrap_or(0) as usize
}

/// The most openings that an event takes, without play-offs.
pub fn needed(setup: &Setup) -> usize {
    let pairs_of = |games: u32| games.div_ceil(2) as usize;
    let of_rounds = |stage: &Stage| stage.games_by_round().map(pairs_of).sum::<usize>();
    let of = |stage: &Stage| match setup.mini_match.opening_policy {
        OpeningPolicy::Round => of_rounds(stage),
        OpeningPolicy::Event => stage.format.cycles() as usize * pairs_of(stage.most_games()),
        OpeningPolicy::MiniMatch => of_rounds(stage) * stage.boards() as usize,
    };
    let stages = setup.stages();
    let of_each = stages.iter().map(of);
    // Sections are played side by side, so a round's boards are those of all sections.
    match setup.mini_match.opening_policy {
        OpeningPolicy::Event => of_each.max().unwrap_or(0),
        OpeningPolicy::Round if !setup.event.sections.is_empty() => of_each.max().unwrap_or(0),
        OpeningPolicy::Round | OpeningPolicy::MiniMatch => of_each.sum(),
    }
}
