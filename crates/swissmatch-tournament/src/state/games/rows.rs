//! Games that have ended, packed: a row each, of some fifteen to twenty bytes, eight of which are the hash of its
//! moves.
//!
//! What many games share is their kind, which is stored once elsewhere; the players and the number follow from the
//! place.
//!
//! May not: know who plays.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::game::EndedGame;
use swissmatch_game::record::{CallTotals, Thinking};

/// The number of games whose rows are packed together; each is read from the first one on.
pub(super) const PACKED: u32 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedGame {
    /// The index of its kind.
    pub(super) kind: u32,
    /// Everything else.
    pub(super) own: Own,
}

/// The data of a single game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Own {
    pub(super) plies: u32,
    /// Failed attempts and answers in doubt, White's and Black's.
    pub(super) attempts: [[u32; 2]; 2],
    pub(super) thinking: Option<[Thinking; 2]>,
    pub(super) asked: Option<[CallTotals; 2]>,
    pub(super) movetext: Option<u64>,
    /// The number of its entry in the log.
    pub(super) entry: u32,
}

impl Own {
    pub(super) fn of(game: &EndedGame) -> Self {
        let finished = &game.finished;
        Self {
            plies: finished.plies,
            attempts: [finished.failed_attempts, finished.in_doubt],
            thinking: finished.thinking,
            asked: finished.asked,
            movetext: finished.movetext,
            entry: finished.entry,
        }
    }
}

/// The parts that follow a packed game's plies, one bit each.
mod has {
    pub(super) const ATTEMPTS: u8 = 1;
    pub(super) const TIMES: u8 = 1 << 1;
    /// The moves of each side, if they are not half of the plies.
    pub(super) const MOVES: u8 = 1 << 2;
    pub(super) const MOVETEXT: u8 = 1 << 3;
    /// The gap between its entry and the one expected, which is the next after that of the game before.
    pub(super) const ENTRY: u8 = 1 << 4;
    /// No further data: Black made one more of an odd number of plies.
    pub(super) const BLACK_FIRST: u8 = 1 << 5;
    pub(super) const ASKED: u8 = 1 << 6;
}

/// How many of the plies White and Black made, given who began.
const fn halves(plies: u32, black_began: bool) -> [u32; 2] {
    match black_began {
        false => [plies.div_ceil(2), plies / 2],
        true => [plies / 2, plies.div_ceil(2)],
    }
}

/// Up to [`PACKED`] games in order, including those that have not ended. Copies share the packed bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pack(Arc<[u8]>);

impl Pack {
    /// The pack with another row at a place.
    pub(super) fn with(&self, place: usize, row: Option<PackedGame>) -> Self {
        let mut packing = Packing::of(self.rows());
        packing.set(place, row);
        packing.close()
    }

    /// The size in bytes.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows::of(&self.0)
    }
}

/// A pack that games are added to, always in the same memory: a new pack for each game would leave holes everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Packing {
    bytes: Vec<u8>,
    count: usize,
    /// The number of the entry after that of the last game.
    next_entry: i64,
}

impl Packing {
    pub(super) fn of(rows: impl Iterator<Item = Option<PackedGame>>) -> Self {
        let mut packing = Self::default();
        rows.for_each(|row| packing.add(row));
        packing
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows::of(&self.bytes)
    }

    /// Puts a row at its place; games between the last one and it have not ended.
    pub(super) fn set(&mut self, place: usize, row: Option<PackedGame>) {
        if place < self.count {
            let mut rows: Vec<Option<PackedGame>> = self.rows().collect();
            rows[place] = row;
            self.clear();
            rows.into_iter().for_each(|row| self.add(row));
            return;
        }
        while self.count < place {
            self.add(None);
        }
        self.add(row);
    }

    /// The pack as it is now; the packing is empty afterwards.
    pub(super) fn close(&mut self) -> Pack {
        let pack = Pack(self.bytes.as_slice().into());
        self.clear();
        pack
    }

    fn clear(&mut self) {
        self.bytes.clear();
        (self.count, self.next_entry) = (0, 0);
    }

    fn add(&mut self, row: Option<PackedGame>) {
        match row {
            Some(PackedGame { kind, own }) => {
                self.put(&(kind + 1));
                self.put_own(&own);
            }
            // Kind 0 stands for a game that has not ended.
            None => self.put(&0_u32),
        }
        self.count += 1;
    }

    fn put(&mut self, value: &impl Serialize) {
        let bytes = std::mem::take(&mut self.bytes);
        self.bytes = postcard::to_extend(value, bytes).expect("numbers can be packed into memory");
    }

    fn put_own(&mut self, own: &Own) {
        let sides = own.thinking.unwrap_or_default();
        let (moves, times) = (sides.map(|side| side.moves), sides.map(|side| side.time_us));
        let black_first = moves != halves(own.plies, false) && moves == halves(own.plies, true);
        let further = i64::from(own.entry) - self.next_entry;
        self.next_entry = i64::from(own.entry) + 1;
        let (has_times, has_attempts) = (own.thinking.is_some(), own.attempts != [[0, 0], [0, 0]]);
        let has_moves = has_times && moves != halves(own.plies, black_first);
        let flags = [
            (has_attempts, has::ATTEMPTS),
            (has_times, has::TIMES),
            (has_moves, has::MOVES),
            (own.movetext.is_some(), has::MOVETEXT),
            (further != 0, has::ENTRY),
            (has_times && black_first, has::BLACK_FIRST),
            (own.asked.is_some(), has::ASKED),
        ];
        let set = flags.iter().filter(|(is_set, _)| *is_set);
        self.put(&set.fold(0, |all, (_, flag)| all | flag));
        self.put(&own.plies);
        if has_attempts {
            self.put(&own.attempts);
        }
        if has_times {
            self.put(&times);
        }
        if has_moves {
            self.put(&moves);
        }
        if let Some(movetext) = own.movetext {
            self.put(&movetext.to_le_bytes());
        }
        if further != 0 {
            self.put(&further);
        }
        if let Some(asked) = own.asked {
            self.put(&asked);
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Rows<'a> {
    rest: &'a [u8],
    next_entry: i64,
}

impl Iterator for Rows<'_> {
    type Item = Option<PackedGame>;

    fn next(&mut self) -> Option<Option<PackedGame>> {
        if self.rest.is_empty() {
            return None;
        }
        let kind = self.take::<u32>().checked_sub(1);
        Some(kind.map(|kind| PackedGame {
            kind,
            own: self.take_own(),
        }))
    }
}

impl<'a> Rows<'a> {
    const fn of(bytes: &'a [u8]) -> Self {
        Self {
            rest: bytes,
            next_entry: 0,
        }
    }

    fn take<T: Deserialize<'a>>(&mut self) -> T {
        let (value, rest) = postcard::take_from_bytes(self.rest).expect("it was packed here");
        self.rest = rest;
        value
    }

    fn take_own(&mut self) -> Own {
        let (flags, plies): (u8, u32) = self.take();
        let has = |flag| flags & flag != 0;
        let attempts = if has(has::ATTEMPTS) {
            self.take()
        } else {
            Default::default()
        };
        let thinking = has(has::TIMES).then(|| {
            let [white, black]: [u64; 2] = self.take();
            let moves = match has(has::MOVES) {
                true => self.take(),
                false => halves(plies, has(has::BLACK_FIRST)),
            };
            [(moves[0], white), (moves[1], black)].map(|(moves, time_us)| Thinking { moves, time_us })
        });
        let movetext = has(has::MOVETEXT).then(|| u64::from_le_bytes(self.take()));
        let further: i64 = if has(has::ENTRY) { self.take() } else { 0 };
        let entry = self.next_entry + further;
        self.next_entry = entry + 1;
        let asked = has(has::ASKED).then(|| self.take());
        Own {
            plies,
            attempts,
            thinking,
            asked,
            movetext,
            entry: u32::try_from(entry).expect("it was the number of an entry"),
        }
    }
}
