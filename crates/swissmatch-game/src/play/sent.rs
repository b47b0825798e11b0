//! What engines are sent: a growing `position` line, and what follows it.
//!
//! May not: say when it is sent.

use std::time::Duration;

use shakmaty::uci::UciMove;

use super::Game;
use crate::Side;
use crate::transcript::Direction;

impl Game {
    pub(super) fn write_go(&mut self, side: Side) {
        self.said.clear();
        self.wakeup = None;
        self.of_service = None;
        if self.pondered.is_hit() {
            self.set_outgoing(b"ponderhit\n");
            return;
        }
        self.outgoing.truncate(self.position_len);
        self.outgoing.push(b'\n');
        self.pondered.clocks_told(side, &self.clocks).write_go(
            side,
            self.pondered.waited(),
            &self.spec.limits,
            self.spec.bounds[side.index()],
            &mut self.outgoing,
        );
    }

    pub(super) fn set_outgoing(&mut self, text: &[u8]) {
        self.outgoing.truncate(self.position_len);
        self.outgoing.extend_from_slice(text);
    }

    pub(super) fn extend_position(&mut self, uci: UciMove) {
        self.outgoing.truncate(self.position_len);
        if !self.has_moves {
            self.outgoing.extend_from_slice(b" moves");
            self.has_moves = true;
        }
        self.outgoing.push(b' ');
        uci.append_ascii_to(&mut self.outgoing);
        self.position_len = self.outgoing.len();
    }

    pub(super) fn log(&mut self, now: Duration, side: Side, direction: Direction, from: usize, decides: bool) {
        let lines = self.outgoing[from..].split(|byte| *byte == b'\n');
        for line in lines.filter(|line| !line.is_empty()) {
            self.transcript.add(now, side, direction, line, decides);
        }
    }
}
