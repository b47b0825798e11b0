//! The `"us-chess"` pairing: top half against bottom half within score groups, from the top group down.
//!
//! The rule: inside a score group, players in order of rating, the first of the top half meets the first of the bottom
//! half (1 v n/2 + 1 …). The odd one of a group, its lowest ranked, goes down to meet the highest available of the
//! next. No second meeting. In an odd section the lowest-rated of the lowest score group has a full-point bye: never
//! two for one player, not for an unrated player who would then have fewer than 4 games; a score group in which nobody
//! may have it passes it to the next one up. What this leaves open is settled here. "Ranked" is by points, then rating
//! (the unrated after the rated), then pairing number. In turn:
//! 1. no forbidden pair;
//! 2. who sits out of an odd number ([`bye::sits_out`]): a player who may have the bye; if nobody may, one who was left over the
//!    fewest times, and this player has it without a right to it ([`RoundPairing::again`]);
//! 3. the fewest repeats in the whole round, the smallest sum over its pairs of m², m = meetings of the two so far in which
//!    a game was played: 0 whenever a pairing without a repeat exists; a forced repeat is marked. All that follows keeps
//!    to this sum;
//! 4. then score group by score group from the top, each together with those who came down to it:
//!    1. the fewest players go down;
//!    2. of those who came down already, the fewest;
//!    3. of those who go down, the fewest who could not be paired in the very next group;
//!    4. those who go down are the lowest ranked: the smallest sum of ranks counted from the bottom;
//!    5. those who came down meet the highest available: the smallest sum of the ranks of the group's own players whom
//!       they meet;
//!    6. the list of pairs that comes first by ranks settles who goes down and who meets those that came down;
//!    7. the others, ranked anew, meet half against half: the fewest pairs inside one half, then the list of pairs that
//!       comes first by ranks, so that the highest have their opponents of 1 v n/2 + 1 before the lower ones.
//!
//! Two who came down to a group never meet there: if they could, they would have met above, where fewer would have gone
//! down.
//!
//! Colours never change who meets whom: the rulebook's transpositions and interchanges within so many rating points
//! to mend colours are left out. They are given by "equalise, then alternate": White goes to the one whose Whites
//! exceed its Blacks by less; then by alternation to the latest time when one of the two had White and the other
//! Black; then by alternation to the last colour of the higher ranked, then of the other; then to the higher ranked
//! by the initial colour if its pairing number is odd, else to its opponent.
//!
//! A player with a requested half-point bye is not present: it needs no rule here, bars nobody from the forced bye,
//! and its half point counts in the groups of the next round.
//!
//! May not: know what a round consists of, what points were given for, or the names of players.

use std::cmp::Reverse;

use crate::pairing::aims;
use crate::pairing::boards;
use crate::pairing::bye;
use crate::pairing::colors;
use crate::pairing::colors::ColorSequence;
use crate::pairing::history::{
    Encounter, FirstColor, History, Pair, PairingNumber, PastPlayer, PastRound, RoundPairing,
};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::lexicographic::first_minimum_weight_perfect_matching;
use crate::pairing::meetings;
use crate::pairing::meetings::PairingField;
use crate::score::Points;

/// The number of games below which a forced bye must not leave a player without a rating.
const GAMES_FOR_A_RATING: u32 = 4;

/// The settings that the pairing leaves to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UsChessRules {
    /// Rounds of the whole section.
    pub rounds: u32,
    /// Games of one meeting: 1, or 2 if each round is two games.
    pub games: u32,
    /// The colour of odd pairing numbers if neither of two players has played.
    pub initial_color: FirstColor,
}

/// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number.
/// Boards are in the order of C.04.2, article 3.6.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::Forbidden`] if the forbidden pairs leave no pairing;
/// [`NoPairingError::TooManyPlayers`].
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn pair(history: &History, rules: &UsChessRules) -> Result<RoundPairing, NoPairingError> {
    let mut numbers = meetings::present(history);
    if numbers.is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    numbers.sort_by_key(|&number| {
        let player = history.player(number);
        (Reverse(player.points), Reverse(player.rating), number)
    });
    let left = rounds_left(history, rules);
    let out = bye::sits_out(history, &mut numbers, |player| may_have_bye(player, rules, left))?;

    let mut section = UsChessRound::new(history, numbers);
    let mut groups = section.points.clone();
    groups.dedup();
    for own in groups {
        section.pair_group(own)?;
    }
    let seated = |&pair: &(usize, usize)| section.seated(history, rules, pair);
    let mut pairs: Vec<Pair> = section.pairs.iter().map(seated).collect();
    boards::sort(history, &mut pairs);
    Ok(RoundPairing::without(pairs, out))
}

/// The number of rounds after the coming one.
pub(super) fn rounds_left(history: &History, rules: &UsChessRules) -> u64 {
    u64::from(rules.rounds).saturating_sub(history.rounds_paired() as u64 + 1)
}

/// "Never two for one player; not for an unrated player who would then have fewer than 4 games": games played, and
/// one meeting in each round that is left after this one.
pub(super) fn may_have_bye(player: &PastPlayer, rules: &UsChessRules, rounds_left: u64) -> bool {
    let met = |round: &&PastRound| matches!(round.encounter, Encounter::Met { .. });
    let meetings = player.rounds.iter().filter(met).count() as u64 + rounds_left;
    player.byes() == 0
        && (player.rating.is_some() || meetings * u64::from(rules.games) >= u64::from(GAMES_FOR_A_RATING))
}

/// An even number of players in order of rank, called by their place in that order.
struct UsChessRound {
    field: PairingField,
    points: Vec<Points>,
    /// Players who are not paired yet, in order of rank.
    waiting: Vec<usize>,
    /// The pairs made so far, the higher ranked first.
    pairs: Vec<(usize, usize)>,
}

impl UsChessRound {
    fn new(history: &History, ranked: Vec<PairingNumber>) -> Self {
        Self {
            points: ranked.iter().map(|&number| history.player(number).points).collect(),
            waiting: (0..ranked.len()).collect(),
            pairs: Vec::new(),
            field: PairingField::new(history, ranked),
        }
    }

    /// Aim 4 for the group with these points: its own players, and all who came down from above.
    fn pair_group(&mut self, own: Points) -> Result<(), NoPairingError> {
        let waiting = std::mem::take(&mut self.waiting);
        let size = waiting.iter().filter(|&&place| self.points[place] >= own).count();
        let came_down = waiting.iter().filter(|&&place| self.points[place] > own).count();
        let next = waiting.get(size).map(|&place| self.points[place]);
        let in_reach = waiting
            .iter()
            .filter(|&&place| next.is_none_or(|next| self.points[place] >= next))
            .count();
        let group = Group {
            came_down,
            size,
            in_reach,
        };

        let graph = aims::in_turn(waiting.len(), |u, v| {
            let (one, other) = (waiting[u], waiting[v]);
            let repeat = self.field.meetings(one, other).repeats();
            (!self.field.forbidden(one, other)).then(|| group.costs(repeat, u, v))
        });
        let graph = graph.ok_or(NoPairingError::TooManyPlayers)?;
        let mate = first_minimum_weight_perfect_matching(&graph).map_err(|_| NoPairingError::Forbidden)?;

        let mut halves = Vec::new();
        for (at, &place) in waiting.iter().enumerate() {
            let (from_above, partner) = (at < came_down || mate[at] < came_down, mate[at]);
            if at.max(partner) >= size {
                self.waiting.push(place);
            } else if !from_above {
                halves.push(place);
            } else if at < partner {
                self.pairs.push((place, waiting[partner]));
            }
        }
        self.pair_halves(&halves)
    }

    /// Aim 4.7 for these places: "1 v n/2 + 1 …".
    fn pair_halves(&mut self, places: &[usize]) -> Result<(), NoPairingError> {
        let graph = aims::in_turn(places.len(), |u, v| {
            let (one, other) = (places[u], places[v]);
            let repeat = self.field.meetings(one, other).repeats();
            let in_one_half = i128::from((2 * u < places.len()) == (2 * v < places.len()));
            (!self.field.forbidden(one, other)).then_some([repeat, in_one_half])
        });
        let graph = graph.ok_or(NoPairingError::TooManyPlayers)?;
        let mate = first_minimum_weight_perfect_matching(&graph).map_err(|_| NoPairingError::Forbidden)?;
        self.pairs
            .extend(aims::couples(&mate).map(|(u, v)| (places[u], places[v])));
        Ok(())
    }

    /// The board of two players, with colours.
    fn seated(&self, history: &History, rules: &UsChessRules, (higher, lower): (usize, usize)) -> Pair {
        let (own, opponent) = (self.field.numbers()[higher], self.field.numbers()[lower]);
        let [colors, theirs] = [own, opponent].map(|number| ColorSequence::had_by(history.player(number)));
        let color = colors.equalised(&theirs, colors::first_color(own, rules.initial_color));
        colors::seated(own, color, opponent, self.field.met(higher, lower))
    }
}

/// A score group among all who wait to be paired; those who came down to it come first.
struct Group {
    /// The number of players who came down.
    came_down: usize,
    /// The size, including the group's own players.
    size: usize,
    /// The size, including the players of the next group.
    in_reach: usize,
}

impl Group {
    /// Aims 3 and 4.1 to 4.5 for a pair of places among those who wait, u < v.
    fn costs(&self, repeat: i128, u: usize, v: usize) -> [i128; 6] {
        let came_down = u < self.came_down;
        let goes_down = u < self.size && v >= self.size;
        let from_bottom = if goes_down { signed(self.size - 1 - u) } else { 0 };
        let own_met = came_down && (self.came_down..self.size).contains(&v);
        let rank = if own_met { signed(v - self.came_down) } else { 0 };
        [
            repeat,
            i128::from(goes_down),
            i128::from(goes_down && came_down),
            i128::from(goes_down && v >= self.in_reach),
            from_bottom,
            rank,
        ]
    }
}

fn signed(count: usize) -> i128 {
    i128::try_from(count).expect("fits")
}

#[cfg(test)]
mod tests;
