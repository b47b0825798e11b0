//! The command loop of the searcher. The search has a thread of its own, so
//! that `isready` and `stop` are heard while it runs; the same for all moves,
//! so that whoever asks the kernel how long it waited for a processor finds it.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use shakmaty::{Move, Position};

use super::budget::Budget;
use super::searcher::Searcher;
use super::skill::{FULL, Skill};
use super::table::Table;
use crate::game::Game;
use crate::instant::no_move;
use crate::options::Options;
use crate::protocol::{Command, Limits, commands, say};

/// The search recurses and keeps its move lists on the stack, which in builds
/// without optimisation outgrows the default.
const STACK_BYTES: usize = 16 << 20;

/// Runs the agent until `quit` or the end of the input.
pub fn run() {
    let mut session = Session::new();
    for command in commands(io::stdin().lock()) {
        if command == Command::Quit {
            break;
        }
        session.obey(command);
    }
    session.end_search();
}

struct Session {
    options: Options,
    declarations: Vec<String>,
    game: Option<Game>,
    /// There from the first `go`.
    searcher: Option<SearchThread>,
    /// Stops the search under way.
    running: Option<Arc<AtomicBool>>,
}

struct SearchThread {
    searches: Sender<Search>,
    /// One message for each search that has answered.
    answered: Receiver<()>,
    handle: JoinHandle<()>,
}

/// What one `go` asks for.
struct Search {
    game: Game,
    budget: Budget,
    skill: Skill,
    limits: Limits,
    /// Megabytes of the table.
    hash: u64,
    stop: Arc<AtomicBool>,
}

impl Session {
    fn new() -> Self {
        let options = Options::default()
            .spin("Hash", 16, 1, 4096)
            .spin("Skill", FULL, 0, FULL)
            .spin("Seed", 1, 0, u64::from(u32::MAX))
            .check("UCI_Chess960");
        Self {
            declarations: options.declarations(),
            options,
            game: Some(Game::default()),
            searcher: None,
            running: None,
        }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Uci => {
                say(concat!("id name alphabeta ", env!("CARGO_PKG_VERSION")));
                say("id author the swissmatch authors");
                self.declarations.iter().for_each(|line| say(line));
                say("uciok");
            }
            Command::IsReady => say("readyok"),
            Command::NewGame => {
                self.end_search();
                self.game = Some(Game::default());
            }
            Command::SetOption { name, value } => self.set_option(&name, &value),
            Command::Position(text) => {
                self.end_search();
                self.game = Game::new(&text, self.options.is_on("UCI_Chess960"))
                    .inspect_err(|error| say(&format!("info string {error}")))
                    .ok();
            }
            Command::Go(limits) => self.go(limits),
            Command::Stop | Command::PonderHit => self.end_search(),
            Command::Quit | Command::Unknown => {}
        }
    }

    fn set_option(&mut self, name: &str, value: &str) {
        self.end_search();
        if let Err(complaint) = self.options.set(name, value) {
            say(&format!("info string {complaint}"));
        }
    }

    fn go(&mut self, limits: Limits) {
        self.end_search();
        let game = match &self.game {
            Some(game) if !game.position().legal_moves().is_empty() => game.clone(),
            other => return say(&no_move(other.as_ref())),
        };
        let lot = game.lot(self.options.number("Seed"));
        let skill = Skill::new(self.options.number("Skill"), lot);
        let stop = Arc::new(AtomicBool::new(false));
        let search = Search {
            budget: Budget::new(&limits, game.position().turn(), skill),
            game,
            skill,
            limits,
            hash: self.options.number("Hash"),
            stop: Arc::clone(&stop),
        };
        match self.search(search) {
            Ok(()) => self.running = Some(stop),
            Err(error) => say(&format!("info string no thread: {error}\nbestmove (none)")),
        }
    }

    /// Hands a search to the thread for searches, and starts that where there is none.
    fn search(&mut self, search: Search) -> io::Result<()> {
        let searcher = match self.searcher.take() {
            Some(searcher) => searcher,
            None => SearchThread::start()?,
        };
        let sent = searcher.searches.send(search);
        self.searcher = Some(searcher);
        sent.map_err(io::Error::other)
    }

    /// Makes the search answer, and waits until it has.
    fn end_search(&mut self) {
        let (Some(stop), Some(searcher)) = (self.running.take(), &self.searcher) else {
            return;
        };
        stop.store(true, Ordering::Relaxed);
        searcher.handle.thread().unpark();
        if searcher.answered.recv().is_err() {
            say("bestmove (none)");
            self.searcher = None;
        }
    }
}

impl SearchThread {
    fn start() -> io::Result<Self> {
        let (searches, asked) = channel::<Search>();
        let (answers, answered) = channel();
        let work = move || {
            let mut kept: Option<(u64, Table)> = None;
            for search in asked {
                // The table needs no clearing: every search starts with one
                // that looks empty.
                if kept.as_ref().is_none_or(|(hash, _)| *hash != search.hash) {
                    kept = None;
                }
                let (_, table) = kept.get_or_insert_with(|| (search.hash, Table::new(search.hash)));
                search.answer(table);
                if answers.send(()).is_err() {
                    break;
                }
            }
        };
        let handle = thread::Builder::new().stack_size(STACK_BYTES).spawn(work)?;
        Ok(Self {
            searches,
            answered,
            handle,
        })
    }
}

impl Search {
    /// Searches and answers; after an endless search not before `stop`.
    fn answer(self, table: &mut Table) {
        let (game, stop) = (&self.game, &*self.stop);
        let words = self.limits.search_moves.iter();
        let only: Vec<Move> = words.filter_map(|word| game.read_move(word)).collect();
        let best = Searcher::new(game, table, self.budget, self.skill, stop, &only).run(&mut say);
        while self.limits.infinite && !stop.load(Ordering::Relaxed) {
            thread::park();
        }
        let best = best.map_or_else(|| "(none)".to_owned(), |mv| game.write_move(mv));
        say(&format!("bestmove {best}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PositionText;

    /// Searches and gives the move and the last report.
    fn search(fen: &str, moves: &[&str], limits: &Limits) -> (String, String) {
        let text = PositionText {
            fen: Some(fen.to_owned()),
            moves: moves.iter().map(ToString::to_string).collect(),
        };
        let game = Game::new(&text, false).expect("a good game");
        let mut table = Table::new(1);
        let skill = Skill::new(FULL, 1);
        let budget = Budget::new(limits, game.position().turn(), skill);
        let stop = AtomicBool::new(false);
        let mut last = String::new();
        let mut keep = |line: &str| line.clone_into(&mut last);
        let best = Searcher::new(&game, &mut table, budget, skill, &stop, &[]).run(&mut keep);
        (game.write_move(best.expect("a move")), last)
    }

    fn depth(depth: i32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    #[test]
    fn finds_mate_in_two() {
        for (fen, mv) in [
            ("7k/8/8/8/8/1R6/R7/6K1 w - - 0 1", None),
            ("6k1/pp4p1/2p5/2bp4/8/P5Pb/1P3rrP/2BRRN1K b - - 0 1", Some("g2g1")),
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", Some("a1a6")),
        ] {
            let (best, report) = search(fen, &[], &depth(5));
            assert!(report.contains("score mate 2 "), "{fen}: {report}");
            assert!(mv.is_none_or(|mv| mv == best), "{fen}: {best}");
        }
    }

    #[test]
    fn stops_at_the_very_node() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
        for nodes in [1, 2, 57, 3_000] {
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let (_, report) = search(fen, &[], &limits);
            assert!(report.contains(&format!(" nodes {nodes} ")), "{report}");
        }
    }

    #[test]
    fn takes_the_third_repetition_when_losing() {
        let fen = "8/7k/8/8/8/8/8/1KQ5 w - - 0 1";
        let shuffle = ["c1d1", "h7g7", "d1c1", "g7h7", "c1d1", "h7g7", "d1c1"];
        let (best, report) = search(fen, &shuffle, &depth(4));
        assert_eq!(best, "g7h7");
        assert!(report.contains("score cp 0 "), "{report}");
    }

    #[test]
    fn knows_the_fifty_move_rule() {
        let won = "7k/8/8/8/8/8/Q7/K7 w - - 0 1";
        let drawn = "7k/8/8/8/8/8/Q7/K7 w - - 99 80";
        assert!(!search(won, &[], &depth(3)).1.contains("score cp 0 "));
        assert!(search(drawn, &[], &depth(3)).1.contains("score cp 0 "));
    }

    #[test]
    fn wins_the_queen_rather_than_repeats() {
        let fen = "3qk3/8/8/8/8/8/3R4/3RK3 w - - 8 20";
        let (best, _) = search(fen, &["e1e2", "e8e7", "e2e1", "e7e8"], &depth(4));
        assert_eq!(best, "d2d8");
    }
}
