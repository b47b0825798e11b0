//! Games under way for existing viewers: as one text of PGN and one of JSON like those of cutechess and TCEC, and game by game for Lichess.
//!
//! Made of live lines and of records of games that have ended, shown with a chosen delay. An agent's own data are numbers, or a variation
//! of which each move is legal. May not: write a file; send anything; ask the time.

mod board;
mod heads;
mod json;
mod pgn;
mod places;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::opening::Opening;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_tournament::live::{LiveEnd, LiveGame, LiveLine};
use swissmatch_tournament::log::GameFinished;

use board::Note;
pub use board::ViewerGame;
pub use heads::Heads;
pub use pgn::for_lichess;
pub use places::BroadcastRounds;

/// The games of a run as they are shown.
#[derive(Debug)]
pub struct ViewerGames {
    heads: Heads,
    delay: SignedDuration,
    /// The newest known state, by slot.
    newest: Vec<Option<Newest>>,
    /// What is not shown yet, the oldest first.
    waiting: VecDeque<(Timestamp, News)>,
    /// What is shown, by slot.
    boards: Vec<Option<ViewerGame>>,
}

/// The progress of a game.
#[derive(Debug)]
struct Newest {
    id: GameId,
    begun: Timestamp,
    bytes: usize,
    plies: u32,
    is_over: bool,
}

#[derive(Debug)]
enum News {
    Heads(Heads),
    Step(ViewerStep),
    /// A game is in the log.
    Finished(Box<(GameFinished, Option<GameRecord>)>),
}

/// New moves of a game.
#[derive(Debug)]
struct ViewerStep {
    slot: usize,
    /// The beginning of the game, if it is new.
    begins: Option<Box<GameBeginning>>,
    /// Further moves in UCI notation, separated by blanks.
    moves: String,
    notes: Vec<Note>,
    ended: Option<LiveEnd>,
}

#[derive(Debug)]
struct GameBeginning {
    id: GameId,
    begun: Timestamp,
    players: [PairingNumber; 2],
    opening: Opening,
}

impl ViewerGames {
    /// Without games; everything is shown `delay` after it came.
    pub fn new(heads: Heads, delay: Duration) -> Self {
        Self {
            heads,
            delay: SignedDuration::try_from(delay).unwrap_or(SignedDuration::MAX),
            newest: Vec::new(),
            waiting: VecDeque::new(),
            boards: Vec::new(),
        }
    }

    /// Replaces the heads: this event is played from now on.
    pub fn post(&mut self, at: Timestamp, heads: Heads) {
        self.waiting.push_back((at, News::Heads(heads)));
    }

    /// Takes a live line.
    pub fn take(&mut self, line: LiveLine) {
        if let LiveLine::Game(game) = line {
            let at = game.at;
            if let Some(step) = self.step(*game) {
                self.waiting.push_back((at, News::Step(step)));
            }
        }
    }

    /// Takes a game that may be published and is in the log, with its record if it has one.
    pub fn finished(&mut self, at: Timestamp, finished: GameFinished, record: Option<GameRecord>) {
        self.waiting
            .push_back((at, News::Finished(Box::new((finished, record)))));
    }

    /// The new part of a line; `None` if nothing of it is shown.
    fn step(&mut self, game: LiveGame) -> Option<ViewerStep> {
        if self.newest.len() <= game.slot {
            self.newest.resize_with(game.slot + 1, || None);
        }
        let newest = &mut self.newest[game.slot];
        let known = newest
            .as_ref()
            .filter(|newest| (newest.id, newest.begun) == (game.id, game.begun));
        let (bytes, plies, was_over) = known.map_or((0, 0, false), |known| (known.bytes, known.plies, known.is_over));
        let is_over = game.ended.is_some();
        if known.is_some() && plies == game.plies && was_over == is_over {
            return None;
        }
        let begins = known.is_none().then(|| {
            Box::new(GameBeginning {
                id: game.id,
                begun: game.begun,
                players: [game.white.pairing_number, game.black.pairing_number],
                opening: game.opening,
            })
        });
        *newest = Some(Newest {
            id: game.id,
            begun: game.begun,
            bytes: game.moves.len(),
            plies: game.plies,
            is_over,
        });
        let notes = [game.white, game.black].into_iter().filter_map(|side| {
            let said = side.last.filter(|last| last.ply >= plies)?;
            Some(Note {
                said,
                clock_us: side.clock_us,
            })
        });
        Some(ViewerStep {
            slot: game.slot,
            begins,
            moves: game.moves.get(bytes..).unwrap_or_default().to_owned(),
            notes: notes.collect(),
            ended: game.ended,
        })
    }

    /// Shows what is due at this time, and tells of each game that changed. Gives whether there was any.
    pub fn advance(&mut self, now: Timestamp, tell: &mut dyn FnMut(&Heads, &ViewerGame)) -> bool {
        if self.delay.is_zero() {
            // Whatever happens to the clock.
            return self.finish(tell);
        }
        let until = now.checked_sub(self.delay).unwrap_or(Timestamp::MIN);
        self.show(&|at| at <= until, tell)
    }

    /// Shows all that is left, as nothing is played any more.
    pub fn finish(&mut self, tell: &mut dyn FnMut(&Heads, &ViewerGame)) -> bool {
        self.show(&|_| true, tell)
    }

    fn show(&mut self, is_due: &dyn Fn(Timestamp) -> bool, tell: &mut dyn FnMut(&Heads, &ViewerGame)) -> bool {
        let mut changed = false;
        let mut moved = vec![false; self.boards.len()];
        while self.waiting.front().is_some_and(|(at, _)| is_due(*at)) {
            let Some((at, news)) = self.waiting.pop_front() else {
                break;
            };
            match news {
                News::Heads(heads) => {
                    changed |= heads != self.heads;
                    self.heads = heads;
                }
                News::Step(step) => {
                    if self.boards.len() <= step.slot {
                        self.boards.resize_with(step.slot + 1, || None);
                        moved.resize(step.slot + 1, false);
                    }
                    let slot = step.slot;
                    // A game that makes way is told with its last moves.
                    if step.begins.is_some()
                        && std::mem::take(&mut moved[slot])
                        && let Some(board) = &self.boards[slot]
                    {
                        tell(&self.heads, board);
                    }
                    if let Some(begins) = step.begins {
                        self.boards[slot] = Some(ViewerGame::begin(
                            begins.id,
                            begins.begun,
                            begins.players,
                            begins.opening,
                        ));
                    }
                    // Its end may be in the log before a line tells of it; then all of it is known.
                    let was_over = self.boards[slot].as_ref().is_some_and(|board| board.ended.is_some());
                    if let Some(board) = self.boards[slot].as_mut().filter(|_| !was_over) {
                        board.follow(&step.moves, step.notes);
                        board.ended = step.ended.or(board.ended.take());
                        (moved[slot], changed) = (true, true);
                    }
                }
                News::Finished(finished) => {
                    let (finished, record) = *finished;
                    let slot = self.boards.iter().position(|board| is_of(board.as_ref(), finished.id));
                    let begun = slot
                        .and_then(|slot| self.boards[slot].as_ref())
                        .map(|board| board.begun);
                    let whole = ViewerGame::finished(&self.heads, begun.unwrap_or(at), &finished, record.as_ref());
                    changed = true;
                    match slot {
                        Some(slot) => {
                            self.boards[slot] = Some(whole);
                            moved[slot] = true;
                        }
                        None => tell(&self.heads, &whole),
                    }
                }
            }
        }
        for (board, _) in self.boards.iter().zip(moved).filter(|(_, moved)| *moved) {
            if let Some(board) = board {
                tell(&self.heads, board);
            }
        }
        changed
    }

    /// All games that are shown, in the order of their slots, in PGN.
    pub fn pgn(&self) -> String {
        let boards = self.boards.iter().flatten();
        boards.map(|board| pgn::for_viewers(&self.heads, board)).collect()
    }

    /// The game of the first slot, and the others beside it.
    pub fn json(&self) -> String {
        json::text(&self.heads, self.boards.iter().flatten())
    }
}

fn is_of(board: Option<&ViewerGame>, id: GameId) -> bool {
    board.is_some_and(|board| board.id == id)
}
