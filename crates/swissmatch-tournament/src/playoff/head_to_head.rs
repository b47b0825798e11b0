//! The result between two tied players: "If the tied players have already faced each other in a round that day and the
//! result was decisive (=not a draw), that result is used" (City Chess, 1).
//!
//! May not: count a game that was not played, because nobody faced anybody in it.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::score::Points;

use swissmatch_game::Side;

use super::round_robin::points;
use super::stand::{ContestKind, Finding};
use super::walk::{LevelGroups, Open, Walk};

impl Walk<'_> {
    /// The result between the two players of a tie.
    pub(super) fn head_to_head(&mut self, open: Open) -> Option<LevelGroups> {
        let (one, other) = (open.players[0], open.players[1]);
        let (finding, order) = self.result(one, other);
        let contest = self.begin(&open, ContestKind::HeadToHead(finding));
        self.go_on(&open, contest, order)
    }

    fn result(&self, one: PairingNumber, other: PairingNumber) -> (Finding, LevelGroups) {
        let level = vec![vec![one, other]];
        let of_two = |white, black| [(one, other), (other, one)].contains(&(white, black));
        let games = self.facts.that_day.iter();
        let mut games = games
            .filter(|met| of_two(met.white, met.black) && met.ended.termination.was_played())
            .peekable();
        if games.peek().is_none() {
            return (Finding::NotMet, level);
        }
        let mut sums = [Points::ZERO; 2];
        for met in games {
            for side in Side::BOTH {
                let player = if side == Side::White { met.white } else { met.black };
                sums[usize::from(player == other)] += points(met.ended.outcome, side);
            }
        }
        match sums[0].cmp(&sums[1]) {
            std::cmp::Ordering::Greater => (Finding::Won, vec![vec![one], vec![other]]),
            std::cmp::Ordering::Equal => (Finding::Level, level),
            std::cmp::Ordering::Less => (Finding::Won, vec![vec![other], vec![one]]),
        }
    }
}
