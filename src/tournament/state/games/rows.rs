//! Games that have ended, packed: a row each, which takes some ten to twenty bytes.
//!
//! What many games have in common is their kind, which stands once elsewhere; who plays and which game it is follow from its place.
//!
//! May not: know who meets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::game::Game;
use crate::game::record::Thinking;

/// Games whose rows are packed together; each is read from the first of them on.
pub(super) const PACKED: u32 = 64;

/// A game that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    /// Which of the kinds.
    pub(super) kind: u32,
    /// The rest of it.
    pub(super) own: Own,
}

/// What a game has by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Own {
    pub(super) plies: u32,
    /// Failed attempts and answers in doubt, where there are any.
    attempts: Option<[[u32; 2]; 2]>,
    thinking: Option<[(u32, u64); 2]>,
    movetext: Option<[u8; 8]>,
    /// The number of its entry; as it is packed, how far it is after that of the one before.
    entry: i64,
}

impl Own {
    pub(super) fn of(game: &Game) -> Self {
        let finished = &game.finished;
        let attempts = [finished.failed_attempts, finished.in_doubt];
        Self {
            plies: finished.plies,
            attempts: (attempts != [[0, 0], [0, 0]]).then_some(attempts),
            thinking: finished
                .thinking
                .map(|sides| sides.map(|side| (side.moves, side.time_us))),
            movetext: finished.movetext.map(u64::to_le_bytes),
            entry: finished.entry.into(),
        }
    }

    pub(super) fn attempts(&self) -> [[u32; 2]; 2] {
        self.attempts.unwrap_or_default()
    }

    pub(super) fn thinking(&self) -> Option<[Thinking; 2]> {
        let side = |(moves, time_us)| Thinking { moves, time_us };
        self.thinking.map(|sides| sides.map(side))
    }

    pub(super) fn movetext(&self) -> Option<u64> {
        self.movetext.map(u64::from_le_bytes)
    }

    pub(super) fn entry(&self) -> u32 {
        u32::try_from(self.entry).expect("it was the number of an entry")
    }
}

/// Up to [`PACKED`] games in order, those that have not ended among them. What is packed is shared by whoever copies it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pack(Arc<[u8]>);

impl Pack {
    pub(super) fn of(rows: &[Option<Row>]) -> Self {
        let mut bytes = Vec::new();
        let mut before = 0;
        for row in rows {
            // A kind of 0 is a game that has not ended.
            bytes = packed(bytes, &row.map_or(0, |row| row.kind + 1));
            if let Some(Row { own, .. }) = row {
                let entry = own.entry - before;
                before = own.entry;
                bytes = packed(bytes, &Own { entry, ..*own });
            }
        }
        Self(bytes.into())
    }

    /// Bytes that it takes.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn rows(&self) -> Rows<'_> {
        Rows {
            rest: &self.0,
            before: 0,
        }
    }
}

fn packed(bytes: Vec<u8>, value: &impl Serialize) -> Vec<u8> {
    postcard::to_extend(value, bytes).expect("numbers can be packed into memory")
}

/// The rows of a pack.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows<'a> {
    rest: &'a [u8],
    before: i64,
}

impl Iterator for Rows<'_> {
    type Item = Option<Row>;

    fn next(&mut self) -> Option<Option<Row>> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(kind) = self.take::<u32>().checked_sub(1) else {
            return Some(None);
        };
        let mut own: Own = self.take();
        self.before += own.entry;
        own.entry = self.before;
        Some(Some(Row { kind, own }))
    }
}

impl<'a> Rows<'a> {
    fn take<T: Deserialize<'a>>(&mut self) -> T {
        let (value, rest) = postcard::take_from_bytes(self.rest).expect("it was packed here");
        self.rest = rest;
        value
    }
}
