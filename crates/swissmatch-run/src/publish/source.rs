//! What the files of games show: games as text.
//!
//! May not: write them.

use std::io;

use super::contents::render_games;
use swissmatch_host::store::Store;
use swissmatch_report::games;
use swissmatch_report::pgn::Comments;
use swissmatch_tournament::state::{EndedGame, State};

/// What is needed to write games.
#[derive(Clone, Copy)]
pub(super) struct GameTextSource<'a> {
    pub(super) state: &'a State,
    pub(super) created_at: &'a str,
    pub(super) store: &'a Store,
}

impl GameTextSource<'_> {
    pub(super) fn pgn(self, games: &[EndedGame]) -> io::Result<String> {
        render_games(self.state, games, self.created_at, self.store, Comments::Full)
    }

    pub(super) fn table(self, games: &[EndedGame]) -> String {
        games::table(self.state, games).csv()
    }

    /// Lines of the table without its header.
    pub(super) fn lines(self, games: &[EndedGame]) -> String {
        let table = self.table(games);
        let (_, lines) = table.split_once('\n').unwrap_or_default();
        lines.to_owned()
    }
}
