//! Final places: the standings, refined by the play-offs of ties.
//!
//! May not: rank anybody; play anything off; know anything about prizes except what they are shared by.

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::{Standings, StandingsRow, better};

use super::setup::TiedOn;
use super::state::RefinedTie;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing<P = PairingNumber> {
    /// All players in their final order; those who share a place are in the order of the standings.
    pub order: Vec<P>,
    /// The place of each player, in that order. Level players share a place, and as many places after it are left out.
    pub places: Vec<u32>,
    /// The first and the last place that each player may still have. Both are the same where the place is settled.
    /// Otherwise they span the shared places, or those of a part of a play-off that is not over.
    pub between: Vec<(u32, u32)>,
    /// Groups of players who were level on what prizes are shared by, before any play-off, best first, each in the
    /// order of the standings. Players in the same play-off are level.
    pub levels: Vec<Vec<P>>,
    /// The player who alone has first place; `None` while that is not settled.
    pub winner: Option<P>,
    /// First place was played off, or is being played off.
    pub played_off: bool,
    /// First and last place of each part of a play-off within which the order is still open.
    pub unfinished: Vec<(u32, u32)>,
}

impl Placing {
    /// The places from the standings, refined by play-offs.
    ///
    /// # Panics
    /// Like [`Placing::new`].
    pub(crate) fn of_standings(standings: &Standings, tied_on: TiedOn, refined: &[RefinedTie]) -> Self {
        let same_place = |one: &StandingsRow, other: &StandingsRow| one.place == other.place;
        let level = |one: &StandingsRow, other: &StandingsRow| match (tied_on, standings.criteria.first()) {
            (TiedOn::Points, Some(first)) => better(&one.cells[0], &other.cells[0], first).is_eq(),
            _ => same_place(one, other),
        };
        let split = |same: &dyn Fn(&StandingsRow, &StandingsRow) -> bool| {
            let groups = standings.rows.chunk_by(same);
            groups.map(|rows| rows.iter().map(|row| row.player).collect()).collect()
        };
        Self::new(split(&level), split(&same_place), refined)
    }
}

impl<P: Copy + Ord> Placing<P> {
    /// The placing without some players: "they will be removed from the leaderboard. Consequently, every player ranked
    /// below them will move up one position" (Immortal Game).
    #[must_use]
    pub fn without(self, gone: &BTreeSet<P>) -> Self {
        let at = (1..).zip(&self.order).filter(|(_, player)| gone.contains(player));
        let removed: Vec<u32> = at.map(|(at, _)| at).collect();
        if removed.is_empty() {
            return self;
        }
        let up_to = |place: u32| u32::try_from(removed.iter().filter(|&&at| at <= place).count()).expect("few players");
        let moved_up = |(first, last): (u32, u32)| (first - up_to(first - 1), last - up_to(last));
        let stays = |player: &P| !gone.contains(player);
        let of_all = self.order.iter().zip(&self.places).zip(&self.between);
        let listed: Vec<_> = of_all.filter(|((player, _), _)| stays(player)).collect();
        let order: Vec<P> = listed.iter().map(|((player, _), _)| **player).collect();
        let between: Vec<(u32, u32)> = listed.iter().map(|(_, between)| moved_up(**between)).collect();
        let levels = self
            .levels
            .iter()
            .map(|level| level.iter().copied().filter(stays).collect());
        Self {
            winner: order.first().copied().filter(|_| between[0] == (1, 1)),
            places: listed
                .iter()
                .map(|((_, place), _)| *place - up_to(*place - 1))
                .collect(),
            levels: levels.filter(|level: &Vec<P>| !level.is_empty()).collect(),
            played_off: self.played_off,
            unfinished: self
                .unfinished
                .into_iter()
                .map(moved_up)
                .filter(|(first, last)| first < last)
                .collect(),
            order,
            between,
        }
    }

    /// The places from groups of players who are level on what prizes are shared by (`levels`) and on everything
    /// (`groups`), both in the order of the standings, refined by play-offs.
    ///
    /// # Panics
    /// If `groups` and `levels` do not have the same players in the same order, or the players of a refined tie are not
    /// those at its places.
    pub fn new(levels: Vec<Vec<P>>, groups: Vec<Vec<P>>, refined: &[RefinedTie<P>]) -> Self {
        assert!(levels.iter().flatten().eq(groups.iter().flatten()), "one order");
        let numbered = groups.iter().enumerate();
        // Player, group in the standings, part of a play-off: players who share both the group and the part are level
        // in the end.
        let mut listed: Vec<(P, usize, usize)> = numbered
            .flat_map(|(group, players)| players.iter().map(move |&player| (player, group, 0)))
            .collect();
        let mut unfinished = Vec::new();
        let mut ties = Vec::new();
        let mut part_number = 0;
        for tie in refined {
            let first = tie.first_place as usize - 1;
            let count = tie.parts.iter().map(Vec::len).sum::<usize>();
            let tied = listed[first..first + count].to_vec();
            let mut at = first;
            for part in &tie.parts {
                part_number += 1;
                let begin = at;
                for &(player, group, _) in tied.iter().filter(|(player, ..)| part.contains(player)) {
                    listed[at] = (player, group, part_number);
                    at += 1;
                }
                assert_eq!(at - begin, part.len(), "a tie has the players of its places");
                if !tie.is_over && part.len() > 1 {
                    unfinished.push((place(begin), place(at - 1)));
                }
            }
            ties.push(first..first + count);
        }

        let mut places = Vec::with_capacity(listed.len());
        let mut between = Vec::with_capacity(listed.len());
        for level in listed.chunk_by(|one, other| (one.1, one.2) == (other.1, other.2)) {
            let (first, last) = (place(places.len()), place(places.len() + level.len() - 1));
            places.extend(level.iter().map(|_| first));
            between.extend(level.iter().map(|_| (first, last)));
        }
        for &(first, last) in &unfinished {
            between[first as usize - 1..last as usize].fill((first, last));
        }
        let order: Vec<P> = listed.into_iter().map(|(player, ..)| player).collect();
        Self {
            winner: order.first().copied().filter(|_| between[0] == (1, 1)),
            played_off: refined.iter().any(|tie| tie.first_place == 1),
            levels: joined(levels, &ties),
            order,
            places,
            between,
            unfinished,
        }
    }
}

/// The levels, joining those that share a tie: "all players involved in the original tie".
fn joined<P>(levels: Vec<Vec<P>>, ties: &[std::ops::Range<usize>]) -> Vec<Vec<P>> {
    let mut joined: Vec<Vec<P>> = Vec::new();
    let mut begin = 0;
    for level in levels {
        let end = begin + level.len();
        let goes_on = ties.iter().any(|tie| tie.start < begin && begin < tie.end);
        match joined.last_mut() {
            Some(last) if goes_on => last.extend(level),
            _ => joined.push(level),
        }
        begin = end;
    }
    joined
}

/// The place (from 1) at an index.
pub(super) fn place(index: usize) -> u32 {
    u32::try_from(index + 1).expect("few players")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refined(first_place: u32, parts: &[&[u32]], is_over: bool) -> RefinedTie<u32> {
        RefinedTie {
            first_place,
            parts: parts.iter().map(|part| part.to_vec()).collect(),
            is_over,
        }
    }

    fn placing(levels: &[&[u32]], groups: &[&[u32]], refined: &[RefinedTie<u32>]) -> Placing<u32> {
        let owned = |groups: &[&[u32]]| groups.iter().map(|group| group.to_vec()).collect();
        Placing::new(owned(levels), owned(groups), refined)
    }

    #[test]
    fn without_play_offs_the_standings_stand() {
        let placing = placing(&[&[1, 2, 3], &[4, 5]], &[&[1], &[2, 3], &[4, 5]], &[]);
        assert_eq!(placing.places, [1, 2, 2, 4, 4]);
        assert_eq!(placing.between, [(1, 1), (2, 3), (2, 3), (4, 5), (4, 5)]);
        assert_eq!((placing.winner, placing.played_off), (Some(1), false));
    }

    #[test]
    fn a_shared_first_place_has_no_winner() {
        let placing = placing(&[&[1, 2]], &[&[1, 2]], &[]);
        assert_eq!((placing.winner, placing.places), (None, vec![1, 1]));
    }

    #[test]
    fn a_play_off_tells_its_parts_apart_and_nothing_else() {
        let tied: &[&[u32]] = &[&[1], &[2, 3, 4]];
        let placing = placing(&[&[1, 2, 3, 4]], tied, &[refined(1, &[&[3], &[4, 2, 1]], true)]);
        assert_eq!(placing.order, [3, 1, 2, 4], "the others as the standings have them");
        assert_eq!(placing.places, [1, 2, 3, 3], "who was level and in one part is level");
        assert_eq!((placing.winner, placing.played_off), (Some(3), true));
        assert_eq!(placing.levels, [[1, 2, 3, 4]]);
    }

    #[test]
    fn while_a_play_off_is_on_its_parts_are_open() {
        let groups: &[&[u32]] = &[&[1], &[2], &[3], &[4]];
        let placing = placing(groups, groups, &[refined(1, &[&[1, 2], &[3]], false)]);
        assert_eq!((placing.winner, placing.played_off), (None, true));
        assert_eq!(placing.between, [(1, 2), (1, 2), (3, 3), (4, 4)]);
        assert_eq!(placing.unfinished, [(1, 2)]);
    }

    #[test]
    fn whoever_was_in_a_play_off_together_is_level() {
        let groups: &[&[u32]] = &[&[1], &[2], &[3], &[4, 5]];
        let placing = placing(groups, groups, &[refined(2, &[&[3], &[2, 4]], true)]);
        assert_eq!(placing.order, [1, 3, 2, 4, 5]);
        assert_eq!(placing.levels, [vec![1], vec![2, 3, 4, 5]]);
        assert_eq!(placing.places, [1, 2, 3, 4, 5], "5 did not play and stands behind");
        assert!(!placing.played_off, "the first place was not in it");
    }
}
