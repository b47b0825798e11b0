//! The searcher: iterative deepening over a principal variation search.
//!
//! Every search starts with nothing learnt: entries that an earlier search
//! left in the transposition table are not seen. That costs some strength and
//! makes a search with `nodes` or `depth` a pure function of the options and
//! the game, whichever process runs it.

mod budget;
mod deepening;
mod evaluation;
mod exchange;
mod ordering;
mod quiescence;
mod score;
mod searcher;
mod session;
mod skill;
mod squares;
mod table;
mod tree;

pub use session::run;
