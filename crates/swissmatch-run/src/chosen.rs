//! Games of a run that is followed as PGN, as `games.pgn` has them: all, or some of them, part by part, so that none of a long event
//! needs much memory.
//!
//! May not: show anything that an embargo keeps back.

use std::io;
use std::path::PathBuf;

use crate::follow::Follow;
use crate::publish::render_games;
use swissmatch_host::run_dir;
use swissmatch_host::store::Store;
use swissmatch_report::page::model::board_name;
use swissmatch_report::pgn::Comments;
use swissmatch_tournament::embargo::published;
use swissmatch_tournament::state::{EndedGame, State};

/// Games of a part.
const PART: usize = 64;

/// Which games are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// All.
    All,
    /// Those of a mini-match, by its name.
    MiniMatch(String),
    /// Those of a round, with its play-offs.
    Round(u32),
    /// Those of a player, by its pairing number.
    Player(u32),
}

impl Which {
    fn has(&self, game: &EndedGame) -> bool {
        let finished = &game.finished;
        match self {
            Self::All => true,
            Self::MiniMatch(name) => board_name(finished.id) == *name,
            Self::Round(round) => finished.id.round == *round,
            Self::Player(player) => finished.white.0 == *player || finished.black.0 == *player,
        }
    }
}

/// Games that were asked for, as they were then.
pub struct ChosenGames {
    state: State,
    games: Vec<EndedGame>,
    dir: PathBuf,
}

impl ChosenGames {
    /// Those that have ended and may be published; `None` where there are none.
    pub fn of(follow: &Follow, which: &Which) -> Option<Self> {
        let state = published(follow.state());
        let games: Vec<EndedGame> = state.finished_games().filter(|game| which.has(game)).collect();
        (!games.is_empty()).then(|| Self {
            games,
            state: state.into_owned(),
            dir: follow.dir().to_path_buf(),
        })
    }

    /// How many parts they have.
    pub fn parts(&self) -> usize {
        self.games.len().div_ceil(PART)
    }

    /// A part of them, from 0. The log is open no longer than that takes, as a runner that ends puts it together.
    ///
    /// # Errors
    /// When a record is missing or damaged, or the run has gone.
    pub fn part(&self, number: usize) -> io::Result<String> {
        let store = Store::open_to_read(&run_dir::log(&self.dir)).map_err(io::Error::other)?;
        let created = store.row(1).map_err(io::Error::other)?;
        let games = self.games.chunks(PART).nth(number).unwrap_or_default();
        render_games(&self.state, games, &created.at, &store, Comments::Full)
    }
}
