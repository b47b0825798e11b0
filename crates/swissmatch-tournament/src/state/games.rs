//! The games of a mini-match, with quick answers to what is asked before every game, so that they need not all be gone
//! through.
//!
//! There may be a million of them, so games that have ended are kept packed, and games that are due after them take no
//! room. May not: know about other mini-matches.

mod rows;

use std::collections::BTreeSet;

use swiss_system::pairing::history::PairingNumber;

use self::rows::{Own, PACKED, Pack, PackedGame, Packing, Rows};
use super::game::{EndedGame, LoggedGame};
use super::tally::{GameKind, GameTally, SideTotals};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

/// The games of a mini-match in order, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MiniMatchGames {
    /// Their names, except for the number of the game.
    place: GameId,
    /// The player with White in game 1, then the other: colours alternate game by game.
    players: [PairingNumber; 2],
    /// Full packs of the first games.
    packs: Vec<Pack>,
    /// Games after those in `packs`, up to the last one that has ended.
    last: Packing,
    ended: u32,
    /// The planned number of games.
    planned: u32,
    /// The numbers of due games before the last one that has ended; all games after it are due too.
    gaps: BTreeSet<u32>,
    /// The sum of all games.
    tally: GameTally,
    /// No further game begins.
    is_stopped: bool,
}

impl MiniMatchGames {
    /// `count` games of the mini-match at `place`, all of them due. The first of the two players has White in game 1.
    pub fn due(place: GameId, players: [PairingNumber; 2], count: u32) -> Self {
        Self {
            place,
            players,
            packs: Vec::new(),
            last: Packing::default(),
            ended: 0,
            planned: count,
            gaps: BTreeSet::new(),
            tally: GameTally::NONE,
            is_stopped: false,
        }
    }

    /// The same games with other player numbers, at another place.
    #[must_use]
    pub fn renamed(&self, place: GameId, players: [PairingNumber; 2]) -> Self {
        Self {
            place,
            players,
            ..self.clone()
        }
    }

    /// Stops further games from beginning. Games that are being played may end; the rest are dropped.
    pub fn stop(&mut self) {
        self.is_stopped = true;
        self.gaps.clear();
    }

    /// The planned number of games.
    pub const fn planned(&self) -> u32 {
        self.planned
    }

    /// True if a game of this number may end: it is due, or may have been under way when no more were to begin.
    pub(crate) fn may_end(&self, number: u32) -> bool {
        (1..=self.planned).contains(&number) && self.row(number).is_none()
    }

    /// Puts a game at its number, or removes it.
    pub fn set(&mut self, number: u32, game: Option<EndedGame>) {
        if let Some(row) = self.row(number) {
            self.forget(number, row);
        }
        if !self.is_stopped {
            self.gaps.extend(self.ended + 1..number);
            self.gaps.insert(number);
        }
        let row = game.map(|game| {
            self.gaps.remove(&number);
            PackedGame {
                kind: self.note(number, &game),
                own: Own::of(&game),
            }
        });
        self.put(number, row);
        if row.is_none() && number == self.ended {
            self.ended = (1..number)
                .rev()
                .find(|&number| self.row(number).is_some())
                .unwrap_or(0);
            self.gaps.split_off(&(self.ended + 1));
            self.cut_off();
        }
    }

    /// Gives another result to a game that has ended.
    pub fn rule(&mut self, number: u32, outcome: Outcome) {
        if let Some(game) = self.ended(number) {
            let ruled = Some(outcome);
            self.set(number, Some(EndedGame { ruled, ..game }));
        }
    }

    /// Adds a game to the sums of all games and returns the index of its kind.
    fn note(&mut self, number: u32, game: &EndedGame) -> u32 {
        let spent = SideTotals::of_sides(
            game.finished.thinking,
            game.finished.failed_attempts,
            game.finished.asked,
        );
        let place = self.tally.add(GameKind::of(game), white_of(number), spent);
        u32::try_from(place).expect("few kinds")
    }

    /// Takes a game out of the sums of all games.
    fn forget(&mut self, number: u32, PackedGame { kind, own }: PackedGame) {
        let spent = SideTotals::of_sides(own.thinking, own.attempts[0], own.asked);
        self.tally.remove(kind as usize, white_of(number), spent);
    }

    /// Puts a row at its number.
    fn put(&mut self, number: u32, row: Option<PackedGame>) {
        let (pack, place) = place_of(number);
        while self.packs.len() < pack {
            self.packs.push(self.last.close());
        }
        match self.packs.get_mut(pack) {
            Some(pack) => *pack = pack.with(place, row),
            None => self.last.set(place, row),
        }
        self.ended = self.ended.max(number);
    }

    /// Drops what is packed behind the last game that has ended.
    fn cut_off(&mut self) {
        let (pack, place) = place_of(self.ended.max(1));
        let rows = self.rows_of(pack).take(if self.ended == 0 { 0 } else { place + 1 });
        self.last = Packing::of(rows);
        self.packs.truncate(pack);
    }

    /// The rows of a pack; none if it has none yet.
    fn rows_of(&self, pack: usize) -> Rows<'_> {
        match self.packs.get(pack) {
            Some(pack) => pack.rows(),
            None if pack == self.packs.len() => self.last.rows(),
            None => Rows::default(),
        }
    }

    fn row(&self, number: u32) -> Option<PackedGame> {
        if number == 0 || number > self.ended {
            return None;
        }
        let (pack, place) = place_of(number);
        self.rows_of(pack).nth(place)?
    }

    fn unpacked(&self, number: u32, PackedGame { kind, own }: PackedGame) -> EndedGame {
        let kind = self.tally.kind(kind as usize);
        let white = white_of(number);
        let [failed_attempts, in_doubt] = own.attempts;
        EndedGame {
            finished: LoggedGame {
                id: GameId {
                    game: number,
                    ..self.place
                },
                white: self.players[white],
                black: self.players[1 - white],
                outcome: kind.outcome,
                termination: kind.termination,
                plies: own.plies,
                failed_attempts,
                in_doubt,
                thinking: own.thinking,
                asked: own.asked,
                has_record: kind.has_record,
                has_evidence: kind.has_evidence,
                alarms: kind.alarms,
                is_taken: kind.is_taken,
                movetext: own.movetext,
                entry: own.entry,
            },
            ruled: kind.ruled,
        }
    }

    /// Shares the memory of packs that are the same in another copy of these games.
    pub fn share(&mut self, other: &Self) {
        for (own, other) in self.packs.iter_mut().zip(&other.packs) {
            if own == other {
                own.clone_from(other);
            }
        }
    }

    /// A game that has ended; `None` while it is due, or if there is no such number.
    pub fn ended(&self, number: u32) -> Option<EndedGame> {
        self.row(number).map(|row| self.unpacked(number, row))
    }

    /// True if a game of this number exists and has not ended.
    pub fn is_due(&self, number: u32) -> bool {
        self.gaps.contains(&number) || self.rest().contains(&number)
    }

    /// All games, with `None` for due ones; where no further game begins, up to the last one that has ended.
    pub fn iter(&self) -> Iter<'_> {
        Iter {
            games: self,
            next: 1,
            rows: Rows::default(),
        }
    }

    /// Game pairs, games 1 and 2, 3 and 4 and so on, up to the last game that has ended; the second game of the last
    /// pair may be missing.
    pub fn pairs(&self) -> impl Iterator<Item = [Option<EndedGame>; 2]> {
        let mut games = self.iter().take(self.ended as usize);
        std::iter::from_fn(move || Some([games.next()?, games.next().flatten()]))
    }

    /// The sum of all games.
    pub const fn tally(&self) -> &GameTally {
        &self.tally
    }

    pub fn len(&self) -> usize {
        match self.is_stopped {
            true => self.ended as usize,
            false => self.planned as usize,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn count_ended(&self) -> usize {
        self.tally.count()
    }

    /// The numbers of due games after all that have ended.
    fn rest(&self) -> std::ops::RangeInclusive<u32> {
        let last = if self.is_stopped { self.ended } else { self.planned };
        self.ended + 1..=last
    }

    pub fn are_over(&self) -> bool {
        self.gaps.is_empty() && self.rest().is_empty()
    }

    /// The numbers of due games, in order.
    pub(crate) fn all_due(&self) -> impl Iterator<Item = u32> {
        self.gaps.iter().copied().chain(self.rest())
    }

    pub(crate) fn count_due(&self) -> usize {
        self.gaps.len() + self.rest().count()
    }

    /// The number of due games before `number`.
    pub(crate) fn due_before(&self, number: u32) -> usize {
        let rest = self.rest();
        let of_rest = number.clamp(*rest.start(), *rest.end() + 1) - rest.start();
        self.gaps.range(..number).count() + of_rest as usize
    }

    /// The index of a player.
    fn index_of(&self, player: PairingNumber) -> usize {
        usize::from(player != self.players[0])
    }

    /// The number of games that a player lost by its agent's faults.
    pub fn faults_of(&self, player: PairingNumber) -> usize {
        self.tally.count_for(self.index_of(player), GameKind::is_fault_of)
    }

    /// Like [`Self::faults_of`], but only before game `number`. The games from it on are looked at one by one: for a
    /// due game there are few.
    pub(crate) fn faults_before(&self, number: u32, player: PairingNumber) -> usize {
        let from_it_on = (self.ended + 1).saturating_sub(number);
        let games = self
            .iter()
            .skip(number as usize - 1)
            .take(from_it_on as usize)
            .flatten();
        let lost = games.filter(|game| GameKind::of(game).is_fault_of(game.side_of(player)));
        self.faults_of(player) - lost.count()
    }

    /// The number of games that a player lost because its agent did not start, including those forfeited for that.
    pub(crate) fn lost_without_start(&self, player: PairingNumber) -> usize {
        self.tally
            .count_for(self.index_of(player), GameKind::is_lost_without_start)
    }

    /// True if a player's agent failed to start when one of the games was about to be played.
    pub(crate) fn failed_to_start(&self, player: PairingNumber) -> bool {
        self.tally.count_for(self.index_of(player), GameKind::did_not_start) > 0
    }
}

/// The pack of a game, and its place in the pack.
const fn place_of(number: u32) -> (usize, usize) {
    let before = number - 1;
    ((before / PACKED) as usize, (before % PACKED) as usize)
}

/// The index of the player with White.
const fn white_of(number: u32) -> usize {
    number.is_multiple_of(2) as usize
}

#[derive(Clone, Debug)]
pub struct Iter<'a> {
    games: &'a MiniMatchGames,
    next: u32,
    /// The rows of the pack with the next game, from that game on; or of another pack if the next game is the first of
    /// its own.
    rows: Rows<'a>,
}

impl Iter<'_> {
    fn is_at_an_end(&self) -> bool {
        self.next as usize > self.games.len()
    }
}

impl Iterator for Iter<'_> {
    type Item = Option<EndedGame>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_at_an_end() {
            return None;
        }
        let (before, number) = (self.next - 1, self.next);
        if before.is_multiple_of(PACKED) {
            self.rows = self.games.rows_of(place_of(number).0);
        }
        self.next += 1;
        let row = self.rows.next().flatten();
        Some(row.map(|row| self.games.unpacked(number, row)))
    }

    fn nth(&mut self, passed: usize) -> Option<Self::Item> {
        let left = (self.games.len() + 1).saturating_sub(self.next as usize);
        let target = self.next + u32::try_from(passed.min(left)).expect("no more than there are");
        let in_pack = (target - 1) % PACKED;
        // The packs in between need not be read.
        if (target - 1) / PACKED != (self.next - 1) / PACKED {
            self.next = target - in_pack;
        }
        while self.next < target {
            self.next();
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.games.len() + 1).saturating_sub(self.next as usize);
        (left, Some(left))
    }
}

impl<'a> IntoIterator for &'a MiniMatchGames {
    type Item = Option<EndedGame>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

#[cfg(test)]
mod tests;
