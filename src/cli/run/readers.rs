//! Who is told what happens in the run that is played.
//!
//! May not: decide anything.

use std::collections::BTreeSet;

use crate::cli::console::Console;
use crate::game::record::GameId;
use crate::run::conduct::Reader;
use crate::run::publish::Publisher;
use crate::shell::store::Entry;
use crate::tournament::event::RoundPaired;
use crate::tournament::state::State;
use crate::tournament::waiting::Wait;

use super::desk::OpenDesk;

/// Those who read what is committed, and the desk.
pub(super) struct Readers {
    pub(super) console: Console,
    pub(super) publisher: Publisher,
    pub(super) desk: OpenDesk,
}

impl Reader for Readers {
    fn committed(&mut self, state: &State, entry: &Entry) {
        self.console.committed(state, &entry.event);
        self.publisher.committed(state, entry);
    }

    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>) {
        self.console.tick(state, playing);
        self.desk.tell(&self.console);
        for remark in self.publisher.remarks() {
            self.console.say(&remark);
        }
    }

    fn waiting(&mut self, state: &State, wait: Option<Wait>) {
        self.console.waiting(state, wait);
    }

    fn proposed(&mut self, state: &State, paired: &RoundPaired) {
        self.console.proposed(state, paired);
    }

    fn stopping(&mut self, playing: usize) {
        let games = if playing == 1 { "the game" } else { "the games" };
        self.console.say(&format!(
            "stopping: {games} under way ({playing}) will be finished and saved; once more stops at once"
        ));
    }
}
