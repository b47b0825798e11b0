//! What an engine has said about the move that it is searching for, until it gives one.
//!
//! Lines are kept as they come and read once, when the move is there. May not: grow; judge what is said.

use super::uci::{self, Info, UciLine};

/// The last `info` lines of one search.
#[derive(Debug, Default)]
pub(super) struct InfoLines {
    /// The last line with a score that can be read.
    scored: Vec<u8>,
    /// True if any line without a score had fields that are recorded.
    has_details: bool,
    /// Numbers from lines without a score, before and after the line in `scored`.
    before: Info<'static>,
    after: Info<'static>,
    /// The last variation of a line without a score.
    variation: Vec<u8>,
    /// The last line after `scored` whose score cannot be read.
    unread: Vec<u8>,
}

impl InfoLines {
    pub(super) fn clear(&mut self) {
        self.scored.clear();
        self.unread.clear();
        if self.has_details {
            self.has_details = false;
            (self.before, self.after) = (Info::default(), Info::default());
            self.variation.clear();
        }
    }

    /// Takes `line`, which was read as `read`.
    pub(super) fn line(&mut self, line: &[u8], read: &UciLine<'_>) {
        match read {
            UciLine::Score => {
                self.unread.clear();
                self.scored.clear();
                self.scored.extend_from_slice(line);
                if self.has_details {
                    let mut later = self.after;
                    later.fill(&self.before);
                    (self.before, self.after) = (later, Info::default());
                }
            }
            UciLine::BadScore => {
                self.unread.clear();
                self.unread.extend_from_slice(line);
            }
            UciLine::Details => {
                self.has_details = true;
                let mut info = uci::read_info(line);
                if !info.pv.is_empty() {
                    self.variation.clear();
                    self.variation.extend_from_slice(info.pv);
                }
                info = info.numbers();
                info.fill(&self.after.numbers());
                self.after = info.numbers();
            }
            _ => {}
        }
    }

    /// Everything that was said: the last line with a score, completed by fields from the other lines and by later
    /// counts.
    pub(super) fn info(&self) -> Info<'_> {
        let mut info = uci::read_info(&self.scored);
        if !self.unread.is_empty() {
            let last = uci::read_info(&self.unread);
            info.count_on(&last.numbers());
            info.fill(&last);
            info.odd = last.odd;
        }
        if self.has_details {
            info.count_on(&self.after);
            info.fill(&self.after);
            info.fill(&self.before);
            if info.pv.is_empty() {
                info.pv = &self.variation;
            }
        }
        info
    }
}
