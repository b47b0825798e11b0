//! The Double-Swiss system of FIDE, C.04.5 in force since 1 February 2026: every pairing is a match of two games.
//!
//! The score is the sum of game points. The colour of a match is that of its first game; it plays no part in who meets
//! whom. "Top-scoregroup" is the group of the highest score among those still to be paired; it is paired as a whole,
//! together with upfloaters from lower groups where needed. There are no downfloaters. Articles:
//! - 2.1 C1: nobody meets twice. C2: no bye after a pairing-allocated bye, a match won by forfeit, or a full-point bye.
//! - 2.2 C3: whoever is not yet paired can still be paired by C1.
//! - 2.3, in turn: C4, the fewest upfloaters; C5, the smallest score differences of upfloaters, largest first; C6,
//!   unless the following scoregroup is empty by then, it can still be paired by C1, C3 and C4; C7, the fewest
//!   upfloaters who were floaters in the previous round; C8, the fewest opponents of upfloaters who were. C7 and C8
//!   lapse in the last round.
//! - 3.4 The bye goes to the player who leaves a legal pairing for all others, then has the lowest score, then has
//!   played most matches, then has the largest number.
//! - 3.5 Sets of upfloaters are written by score, then number, and compared in lexicographic order: the first set that
//!   complies best with C3 to C7.
//! - 3.6 In a pair the smaller number is the top member. A pairing is written as its top members in ascending order,
//!   then the bottom member of each: the first in lexicographic order that complies with C1 and best with C8.
//! - 4 Colours: where neither has played, the higher ranked (score, then number) has the initial colour if its number
//!   is odd, else the other one; then White for the one with fewer Whites; then by alternation to the latest time when
//!   one had White and the other Black; then by alternation to the last colour of the higher ranked; then of the other.
//!
//! Where the text leaves room, it is read as follows. "Complies with" a criterion that minimises means the best that
//! can be reached, with the criteria in turn. C6 is pass or fail: the rest of the following scoregroup needs no
//! upfloater, or one if it is odd in number; if no set passes, C6 does not choose. "Following" is the next lower
//! score that anybody present has, the bye's receiver included. A floater has met somebody whose score was another
//! before that round; a forfeited match, a bye or an absence makes none. 3.4 counts matches of which a game was
//! played.
//!
//! A match of which no game was played is not a meeting, so that it may be paired again. The text says so only if one
//! player forfeits both games; the odd case, each forfeiting one, is treated alike here, because the history does not
//! tell them apart. The order of the boards is that of C.04.2.
//!
//! Sources: the handbook's own page for articles 0 to 1.3; for the rest, article-by-article accounts that agree with
//! one another, and the wording of the parallel chapter C.04.6. No published positions exist to test against. The
//! tests compare with a search of all sets of upfloaters and all pairings of small fields.
//!
//! May not: know games, files or names; use chance.

use std::cmp::Reverse;

use crate::pairing::aims;
use crate::pairing::boards;
use crate::pairing::colors;
use crate::pairing::colors::ColorSequence;
use crate::pairing::history::{Encounter, FirstColor, History, Pair, PairingNumber, PastPlayer, RoundPairing};
use crate::pairing::infeasible::NoPairingError;
use crate::pairing::lexicographic::first_minimum_weight_perfect_matching;
use crate::pairing::matching::minimum_weight_perfect_matching;
use crate::pairing::meetings;
use crate::pairing::meetings::PairingField;
use crate::score::Points;

/// Games of a match: "two games, one with each colour".
pub const GAMES: u32 = 2;

/// The settings that the system leaves to the event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DoubleSwissRules {
    /// Rounds of the whole tournament.
    pub rounds: u32,
    /// The initial colour, drawn by lot before round 1 (article 4.1).
    pub initial_color: FirstColor,
    /// Points of a match with both games won: an absence worth as much is a full-point bye.
    pub win: Points,
}

/// The pairing of the coming round. Everybody present is in exactly one pair, or has the one bye of an odd number.
/// Boards are in the order of C.04.2, article 3.6.
///
/// # Errors
/// [`NoPairingError::NobodyPresent`]; [`NoPairingError::NobodyForTheBye`] when the number is odd and C2 bars all;
/// [`NoPairingError::OnlySecondMeetings`] if no legal pairing exists, so that "the Chief Arbiter shall decide" (3.3.3);
/// [`NoPairingError::TooManyPlayers`].
///
/// # Panics
/// When a player's opponent is not in the history.
pub fn pair(history: &History, rules: &DoubleSwissRules) -> Result<RoundPairing, NoPairingError> {
    let mut ranked = meetings::present(history);
    if ranked.is_empty() {
        return Err(NoPairingError::NobodyPresent);
    }
    ranked.sort_by_key(|&number| (Reverse(history.player(number).points), number));
    let mut scores: Vec<Points> = ranked.iter().map(|&number| history.player(number).points).collect();
    scores.dedup();
    let bye = if ranked.len().is_multiple_of(2) {
        None
    } else {
        Some(ranked.remove(choose_bye(history, rules, &ranked)?))
    };

    let mut round = DoubleSwissRound::new(history, rules, ranked, scores);
    while !round.waiting.is_empty() {
        round.pair_top_scoregroup()?;
    }
    let mut pairs: Vec<Pair> = round
        .pairs
        .iter()
        .map(|&pair| round.seated(history, rules, pair))
        .collect();
    boards::sort(history, &mut pairs);
    Ok(RoundPairing::new(pairs, bye))
}

/// Article 3.4: the place among these players of the one who has the bye.
fn choose_bye(history: &History, rules: &DoubleSwissRules, ranked: &[PairingNumber]) -> Result<usize, NoPairingError> {
    let played = |player: &PastPlayer| {
        let met = player
            .rounds
            .iter()
            .filter(|round| matches!(round.encounter, Encounter::Met { .. }));
        met.count()
    };
    let mut candidates: Vec<usize> = (0..ranked.len())
        .filter(|&place| may_have_bye(history, rules, ranked[place]))
        .collect();
    if candidates.is_empty() {
        return Err(NoPairingError::NobodyForTheBye);
    }
    candidates.sort_by_key(|&place| {
        let player = history.player(ranked[place]);
        (player.points, Reverse(played(player)), Reverse(ranked[place]))
    });
    let field = PairingField::new(history, ranked.to_vec());
    let claim = aims::ranks(ranked.len(), &candidates);
    let left_over = aims::left_over(
        ranked.len(),
        |u| Some([claim[u]?]),
        |u, v| is_legal(&field, u, v).then_some([0]),
    )?;
    left_over.ok_or(NoPairingError::OnlySecondMeetings)
}

/// C2: true if the player may have the bye.
pub(super) fn may_have_bye(history: &History, rules: &DoubleSwissRules, number: PairingNumber) -> bool {
    let mut rounds = history.player(number).rounds.iter().enumerate();
    rounds.all(|(at, round)| match round.encounter {
        Encounter::PairingAllocatedBye => false,
        Encounter::Forfeit { opponent } => round.points <= history.player(opponent).rounds[at].points,
        Encounter::Absent => round.points < rules.win,
        Encounter::Met { .. } => true,
    })
}

/// C1, and no forbidden pair.
fn is_legal(field: &PairingField, u: usize, v: usize) -> bool {
    !field.met(u, v) && !field.forbidden(u, v)
}

/// Article 1.5: true if the player met somebody with another score in the previous round.
fn has_floated(history: &History, number: PairingNumber) -> bool {
    let before = |player: &PastPlayer| player.rounds.last().map(|round| player.points - round.points);
    let player = history.player(number);
    match player.rounds.last().map(|round| round.encounter) {
        Some(Encounter::Met { opponent, .. }) => before(player) != before(history.player(opponent)),
        _ => false,
    }
}

/// An even number of players in order of score, then number, called by their place in that order.
struct DoubleSwissRound {
    field: PairingField,
    points: Vec<Points>,
    /// C7 and C8: players who should not float again; none in the last round.
    floated: Vec<bool>,
    /// All scores of players present, from the highest.
    scores: Vec<Points>,
    /// Players who are not paired yet, in order of places.
    waiting: Vec<usize>,
    /// The pairs made so far, the higher ranked first.
    pairs: Vec<(usize, usize)>,
}

impl DoubleSwissRound {
    fn new(history: &History, rules: &DoubleSwissRules, ranked: Vec<PairingNumber>, scores: Vec<Points>) -> Self {
        let last_round = history.rounds_paired() + 1 >= rules.rounds as usize;
        let floated = |&number: &PairingNumber| !last_round && has_floated(history, number);
        Self {
            points: ranked.iter().map(|&number| history.player(number).points).collect(),
            floated: ranked.iter().map(floated).collect(),
            scores,
            waiting: (0..ranked.len()).collect(),
            pairs: Vec::new(),
            field: PairingField::new(history, ranked),
        }
    }

    /// One pass of articles 3.2, 3.5 and 3.6.
    fn pair_top_scoregroup(&mut self) -> Result<(), NoPairingError> {
        let top = self.points[self.waiting[0]];
        let residents = self.waiting.iter().filter(|&&place| self.points[place] == top).count();
        let mut bracket = self.waiting[..residents].to_vec();
        bracket.extend(Upfloating::new(self, residents).choose()?);
        let mut in_bracket = vec![false; self.points.len()];
        for &place in &bracket {
            in_bracket[place] = true;
        }
        self.waiting.retain(|&place| !in_bracket[place]);
        let pairs = self.pair_bracket(bracket)?;
        self.pairs.extend(pairs);
        Ok(())
    }

    /// Article 3.6.
    fn pair_bracket(&self, mut bracket: Vec<usize>) -> Result<Vec<(usize, usize)>, NoPairingError> {
        let number = |place: usize| self.field.numbers()[place];
        bracket.sort_by_key(|&place| number(place));
        let size = bracket.len();
        // C8 for two members of the bracket.
        let repeated_float = |u: usize, v: usize| {
            let (higher, lower) = (bracket[u].min(bracket[v]), bracket[u].max(bracket[v]));
            i128::from(self.points[higher] != self.points[lower] && self.floated[higher])
        };
        let legal = |u: usize, v: usize| is_legal(&self.field, bracket[u], bracket[v]);

        // Top members are decided for as many members at a time as fit into a weight: the smaller the number, the
        // dearer it is to be a bottom member.
        let mut is_top: Vec<Option<bool>> = vec![None; size];
        let mut decided = 0;
        let mut digits = WIDEST;
        while decided < size {
            digits = digits.min(size - decided);
            let end = decided + digits;
            let graph = aims::in_turn(size, |u, v| {
                let order = if (decided..end).contains(&v) {
                    1 << (end - 1 - v)
                } else {
                    0
                };
                let as_decided = is_top[u] != Some(false) && is_top[v] != Some(true);
                (as_decided && legal(u, v)).then(|| [repeated_float(u, v), order])
            });
            let Some(graph) = graph else {
                digits = halved(digits)?;
                continue;
            };
            let matching = minimum_weight_perfect_matching(&graph).map_err(|_| NoPairingError::OnlySecondMeetings)?;
            for (u, is_top) in is_top.iter_mut().enumerate().take(end).skip(decided) {
                *is_top = Some(u < matching.mate[u]);
            }
            decided = end;
        }

        // Then the first bottom member for each top member in turn.
        let (tops, bottoms): (Vec<usize>, Vec<usize>) = (0..size).partition(|&u| is_top[u] == Some(true));
        let members = [tops, bottoms].concat();
        let graph = aims::in_turn(size, |at, other| {
            let (u, v) = (members[at], members[other]);
            let across = at < size / 2 && other >= size / 2 && u < v;
            (across && legal(u, v)).then(|| [repeated_float(u, v)])
        });
        let mate = first_minimum_weight_perfect_matching(&graph.ok_or(NoPairingError::TooManyPlayers)?);
        let mate = mate.map_err(|_| NoPairingError::OnlySecondMeetings)?;
        let by_rank = |(at, other): (usize, usize)| {
            let (u, v) = (bracket[members[at]], bracket[members[other]]);
            (u.min(v), u.max(v))
        };
        Ok(aims::couples(&mate).map(by_rank).collect())
    }

    /// The board of two players, with colours: article 4.
    fn seated(&self, history: &History, rules: &DoubleSwissRules, (higher, lower): (usize, usize)) -> Pair {
        let (own, opponent) = (self.field.numbers()[higher], self.field.numbers()[lower]);
        let [colors, theirs] = [own, opponent].map(|number| ColorSequence::had_by(history.player(number)));
        let color = match colors.whites().cmp(&theirs.whites()) {
            std::cmp::Ordering::Less => FirstColor::White,
            std::cmp::Ordering::Greater => FirstColor::Black,
            std::cmp::Ordering::Equal => colors.alternated(&theirs, colors::first_color(own, rules.initial_color)),
        };
        colors::seated(own, color, opponent, self.field.met(higher, lower))
    }
}

/// A decision about a player below the top-scoregroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpfloatFate {
    Open,
    Upfloats,
    Stays,
}

/// The choice of upfloaters, article 3.5. Waiting players are called by their place among these: first the residents.
///
/// A set that complies with C4 leaves no room for a pair of two upfloaters, since the set without the two would do.
/// So the upfloaters are those who are matched with residents in a perfect matching of all who wait, and C3, that the
/// others can still be paired, needs no check of its own.
struct Upfloating<'a> {
    round: &'a DoubleSwissRound,
    residents: usize,
    fates: Vec<UpfloatFate>,
    /// For each player, the number of scoregroups below the highest from which anybody can float up.
    depths: Vec<usize>,
    /// C5: the cost of an upfloater of each depth.
    depth_costs: Vec<i128>,
    /// The score of the following scoregroup, while C6 applies.
    following: Option<Points>,
}

impl<'a> Upfloating<'a> {
    fn new(round: &'a DoubleSwissRound, residents: usize) -> Self {
        let points = |at: usize| round.points[round.waiting[at]];
        let mut depths = vec![0; round.waiting.len()];
        for at in residents + 1..round.waiting.len() {
            depths[at] = depths[at - 1] + usize::from(points(at) != points(at - 1));
        }
        Self {
            round,
            residents,
            fates: vec![UpfloatFate::Open; round.waiting.len()],
            depth_costs: vec![0; depths.last().map_or(0, |deepest| deepest + 1)],
            depths,
            following: None,
        }
    }

    /// The places of the upfloaters in the round.
    fn choose(mut self) -> Result<Vec<usize>, NoPairingError> {
        let mate = self.matching(|_| 0)?.ok_or(NoPairingError::OnlySecondMeetings)?;
        let number = self.upfloaters(&mate).count();
        if number > 0 {
            self.settle_scores(number)?;
            self.settle_look_ahead()?;
            self.settle_set(number)?;
        }
        let up = (self.residents..self.fates.len()).filter(|&at| self.fates[at] == UpfloatFate::Upfloats);
        Ok(up.map(|at| self.round.waiting[at]).collect())
    }

    /// C5: leaves open only those from whose scoregroups somebody floats up, and makes depths dear enough for that.
    fn settle_scores(&mut self, number: usize) -> Result<(), NoPairingError> {
        let mut reach = 0;
        let mate = loop {
            reach += 1;
            for (fate, depth) in self.fates.iter_mut().zip(&self.depths) {
                *fate = if *depth < reach {
                    UpfloatFate::Open
                } else {
                    UpfloatFate::Stays
                };
            }
            if let Some(mate) = self.matching(|_| 0)?
                && self.upfloaters(&mate).count() == number
            {
                break mate;
            }
        };
        if reach == 1 {
            return Ok(());
        }
        // One from a depth costs more than all of them from the depths above it.
        let base = i128::try_from(number + 1).expect("fits");
        let mut cost = 1_i128;
        for depth_cost in self.depth_costs.iter_mut().take(reach).skip(1) {
            *depth_cost = cost;
            cost = cost.checked_mul(base).ok_or(NoPairingError::TooManyPlayers)?;
        }
        let mate = self.matching(|_| 0)?.unwrap_or(mate);
        let mut taken = vec![false; self.depth_costs.len()];
        for at in self.upfloaters(&mate) {
            taken[self.depths[at]] = true;
        }
        for (fate, &depth) in self.fates.iter_mut().zip(&self.depths) {
            if !taken[depth] {
                *fate = UpfloatFate::Stays;
            }
        }
        Ok(())
    }

    /// C6: applies if there is a set that passes it.
    fn settle_look_ahead(&mut self) -> Result<(), NoPairingError> {
        let round = self.round;
        let top = round.points[round.waiting[0]];
        let Some(score) = round.scores.iter().copied().find(|&score| score < top) else {
            return Ok(());
        };
        self.following = Some(score);
        let mate = self.matching(|_| 0)?.ok_or(NoPairingError::OnlySecondMeetings)?;
        let (mut left, mut floating_up_to_it) = (0, 0);
        for (at, &place) in round.waiting.iter().enumerate() {
            if round.points[place] == score && mate[at] >= self.residents {
                left += 1;
                floating_up_to_it += usize::from(round.points[round.waiting[mate[at]]] < score);
            }
        }
        if floating_up_to_it > left % 2 {
            self.following = None;
        }
        Ok(())
    }

    /// Article 3.5.4: the first of the sets that C4 to C7 leave, decided for as many players at a time as fit into a
    /// weight.
    fn settle_set(&mut self, number: usize) -> Result<(), NoPairingError> {
        let mut digits = WIDEST;
        loop {
            let chosen = self.fates.iter().filter(|&&fate| fate == UpfloatFate::Upfloats).count();
            let open: Vec<usize> = (self.residents..self.fates.len())
                .filter(|&at| self.fates[at] == UpfloatFate::Open)
                .collect();
            // The last one is given by its place alone.
            let (tried, costs): (usize, Vec<i128>) = match number - chosen {
                0 => return Ok(()),
                1 => (open.len(), (0..).take(open.len()).collect()),
                _ => {
                    digits = digits.min(open.len());
                    let left_out = |at: usize| (1 << digits) - digits.checked_sub(at + 1).map_or(0, |digit| 1 << digit);
                    (digits, (0..open.len()).map(left_out).collect())
                }
            };
            let mut order = vec![0; self.fates.len()];
            for (&at, cost) in open.iter().zip(costs) {
                order[at] = cost;
            }
            match self.matching(|at| order[at]) {
                Ok(mate) => {
                    let mate = mate.ok_or(NoPairingError::OnlySecondMeetings)?;
                    for &at in &open[..tried] {
                        let up = mate[at] < self.residents;
                        self.fates[at] = if up { UpfloatFate::Upfloats } else { UpfloatFate::Stays };
                    }
                }
                Err(_) => digits = halved(digits)?,
            }
        }
    }

    fn upfloaters(&self, mate: &[usize]) -> impl Iterator<Item = usize> {
        let residents = self.residents;
        (residents..mate.len())
            .zip(mate[residents..].to_vec())
            .filter(move |&(_, partner)| partner < residents)
            .map(|(at, _)| at)
    }

    /// The best perfect matching of all who wait, by C4 to C7 and then the order of the upfloaters; `None` if there
    /// is none.
    fn matching(&self, order: impl Fn(usize) -> i128) -> Result<Option<Vec<usize>>, NoPairingError> {
        let (round, residents) = (self.round, self.residents);
        let graph = aims::in_turn(round.waiting.len(), |u, v| {
            let (one, other) = (round.waiting[u], round.waiting[v]);
            let costs = if v < residents {
                [0; 5]
            } else if u < residents {
                if self.fates[v] == UpfloatFate::Stays {
                    return None;
                }
                [
                    1,
                    self.depth_costs[self.depths[v]],
                    0,
                    i128::from(round.floated[other]),
                    order(v),
                ]
            } else {
                if self.fates[u] == UpfloatFate::Upfloats || self.fates[v] == UpfloatFate::Upfloats {
                    return None;
                }
                let up_to_following =
                    self.following == Some(round.points[one]) && round.points[other] < round.points[one];
                [0, 0, i128::from(up_to_following), 0, 0]
            };
            is_legal(&round.field, one, other).then_some(costs)
        });
        let matching = minimum_weight_perfect_matching(&graph.ok_or(NoPairingError::TooManyPlayers)?);
        Ok(matching.ok().map(|matching| matching.mate))
    }
}

/// The number of binary digits to try in one weight; more never fit.
const WIDEST: usize = 110;

/// A smaller number of digits to try, after this many did not fit.
const fn halved(digits: usize) -> Result<usize, NoPairingError> {
    match digits / 2 {
        0 => Err(NoPairingError::TooManyPlayers),
        digits => Ok(digits),
    }
}

#[cfg(test)]
mod tests;
