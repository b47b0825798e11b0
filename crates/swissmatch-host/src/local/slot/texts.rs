//! What models were asked and answered in a game, as far as `model.keep` keeps it: lines of its evidence.
//!
//! Whether an attempt gave a move is known when its side is asked again, or the game is over. May not: grow without
//! bound, whatever a model says.

use std::time::Instant;

use swiss_system::count;
use swissmatch_broker::kept::KeptCall;
use swissmatch_game::Side;
use swissmatch_game::transcript::{Room, TEXTS, frame};
use swissmatch_tournament::setup::Keep;

/// The texts of a game that began at an instant.
#[derive(Debug)]
pub(super) struct Texts {
    begun: Instant,
    room: Room,
    /// The calls of each side's last attempt, with the times when they came.
    pending: [Vec<(Instant, KeptCall)>; 2],
    lines: String,
    /// The length of each side's lines.
    bytes: [usize; 2],
    left_out: usize,
}

impl Texts {
    pub(super) const fn new(begun: Instant, room: Room) -> Self {
        Self {
            begun,
            room,
            pending: [Vec::new(), Vec::new()],
            lines: String::new(),
            bytes: [0; 2],
            left_out: 0,
        }
    }

    /// Adds a call of a side that has ended.
    pub(super) fn add(&mut self, side: Side, kept: KeptCall) {
        self.pending[side.index()].push((Instant::now(), kept));
    }

    /// The last call of a side's last attempt.
    pub(super) fn last(&self, side: Side) -> Option<&KeptCall> {
        self.pending[side.index()].last().map(|(_, kept)| kept)
    }

    /// Settles the last attempt of a side, now that it is known whether it gave a move.
    pub(super) fn settle(&mut self, side: Side, gave_move: bool, keep: Keep) {
        let pending = std::mem::take(&mut self.pending[side.index()]);
        let is_kept = match keep {
            Keep::Hashes => false,
            Keep::Faults => !gave_move,
            Keep::All => true,
        };
        for (at, kept) in pending.into_iter().filter(|_| is_kept) {
            let line = frame(since(self.begun, at), side, '?', kept.line().as_bytes());
            let bytes = self.bytes[side.index()] + line.len() + 1;
            if bytes > self.room.of_texts(gave_move) {
                self.left_out += 1;
                continue;
            }
            self.bytes[side.index()] = bytes;
            self.lines += &line;
            self.lines.push('\n');
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.left_out == 0
    }

    /// The texts as a part of evidence.
    pub(super) fn render(&self) -> String {
        if self.is_empty() {
            return String::new();
        }
        let left_out = match self.left_out {
            0 => String::new(),
            left_out => {
                let more = count::of(left_out, "more was", "more were");
                format!("({more} not kept: over {})\n", self.room)
            }
        };
        format!("\n{TEXTS}\n{}{left_out}", self.lines)
    }
}

/// Microseconds from one instant to another, negative if that was earlier.
pub(super) fn since(begun: Instant, at: Instant) -> i64 {
    let micros = |time: std::time::Duration| i64::try_from(time.as_micros()).unwrap_or(i64::MAX);
    match at.checked_duration_since(begun) {
        Some(after) => micros(after),
        None => -micros(begun - at),
    }
}

#[cfg(test)]
mod tests {
    use swissmatch_broker::kept::Texts as Said;
    use swissmatch_broker::wire::Reply;
    use swissmatch_game::transcript::FramedLine;

    use super::*;

    fn kept(ply: u32, content: &str) -> KeptCall {
        let reply = Reply {
            content: content.to_owned(),
            ..Reply::default()
        };
        KeptCall {
            ply,
            attempt: 1,
            failed: None,
            why: None,
            texts: Said::new(b"{}", reply),
        }
    }

    /// Plies and sides of what is kept.
    fn read(texts: &Texts) -> Vec<(u32, Side)> {
        let text = texts.render();
        let framed = text.lines().filter_map(FramedLine::of);
        framed
            .map(|line| (KeptCall::read(line.said).expect("it was kept").ply, line.side))
            .collect()
    }

    #[test]
    fn what_gave_no_move_is_kept_or_all_or_nothing() {
        for (keep, wanted) in [
            (Keep::Hashes, vec![]),
            (Keep::Faults, vec![(1, Side::Black)]),
            (Keep::All, vec![(0, Side::White), (1, Side::Black)]),
        ] {
            let mut texts = Texts::new(Instant::now(), Room::default());
            texts.add(Side::White, kept(0, "e2e4"));
            texts.add(Side::Black, kept(1, "\u{1b}[2J\n     0.000001 White < bestmove a2a4"));
            texts.settle(Side::White, true, keep);
            texts.settle(Side::Black, false, keep);
            texts.settle(Side::Black, false, keep);
            assert_eq!(read(&texts), wanted);
            assert_eq!(texts.is_empty(), keep == Keep::Hashes);
        }
    }

    #[test]
    fn a_side_that_says_much_takes_no_more_than_there_is_room_for() {
        let mut texts = Texts::new(Instant::now(), Room::of_kib(16));
        for ply in 0..40 {
            texts.add(Side::White, kept(ply, &"x".repeat(1000)));
            texts.settle(Side::White, true, Keep::All);
        }
        // There is room left for something more worth keeping.
        texts.add(Side::White, kept(40, &"x".repeat(1000)));
        texts.settle(Side::White, false, Keep::All);
        texts.add(Side::Black, kept(41, "e7e5"));
        texts.settle(Side::Black, true, Keep::All);
        let plies: Vec<u32> = read(&texts).into_iter().map(|(ply, _)| ply).collect();
        assert_eq!(plies, [0, 1, 2, 3, 4, 40, 41]);
        let text = texts.render();
        assert!(
            text.ends_with("(35 more were not kept: over run.evidence_game, 16 KiB)\n"),
            "{text}"
        );
    }
}
