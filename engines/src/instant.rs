//! The command loop of agents that need no time to think.

use std::io;

use shakmaty::{Move, Position};

use crate::game::Game;
use crate::options::Options;
use crate::protocol::{Command, commands, say};

/// A chosen move and what to tell about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The move to play.
    pub mv: Move,
    /// The score as UCI writes it, such as `cp 0` or `mate 1`.
    pub score: String,
    /// Number of moves looked at.
    pub nodes: usize,
}

/// Runs an agent until `quit` or the end of the input.
///
/// `choose` gets the game and the seed, and gives nothing only if there is no
/// legal move.
pub fn run(name: &str, choose: impl Fn(&Game, u64) -> Option<Choice>) {
    let mut options = Options::default()
        .spin("Seed", 1, 0, u64::from(u32::MAX))
        .check("UCI_Chess960");
    let declarations = options.declarations();
    let mut game = Some(Game::default());
    // UCI wants the answer to an endless search held back until `stop`.
    let mut held_back = None;

    for command in commands(io::stdin().lock()) {
        match command {
            Command::Uci => {
                say(&format!("id name {name} {}", env!("CARGO_PKG_VERSION")));
                say("id author the swissmatch authors");
                declarations.iter().for_each(|line| say(line));
                say("uciok");
            }
            Command::IsReady => say("readyok"),
            Command::NewGame => game = Some(Game::default()),
            Command::SetOption { name, value } => {
                if let Err(complaint) = options.set(&name, &value) {
                    say(&format!("info string {complaint}"));
                }
            }
            Command::Position(text) => {
                game = Game::new(&text, options.is_on("UCI_Chess960"))
                    .inspect_err(|error| say(&format!("info string {error}")))
                    .ok();
            }
            Command::Go(limits) => {
                let answer = answer(game.as_ref(), options.number("Seed"), &choose);
                if limits.infinite {
                    held_back = Some(answer);
                } else {
                    say(&answer);
                }
            }
            Command::Stop | Command::PonderHit => {
                if let Some(answer) = held_back.take() {
                    say(&answer);
                }
            }
            Command::Quit => break,
            Command::Unknown => {}
        }
    }
}

fn answer(game: Option<&Game>, seed: u64, choose: impl Fn(&Game, u64) -> Option<Choice>) -> String {
    let chosen = game.and_then(|game| Some((game, choose(game, seed)?)));
    let Some((game, choice)) = chosen else {
        return no_move(game);
    };
    let mv = game.write_move(choice.mv);
    format!(
        "info depth 1 score {} nodes {} pv {mv}\nbestmove {mv}",
        choice.score, choice.nodes
    )
}

/// What an agent answers when there is nothing to play.
pub fn no_move(game: Option<&Game>) -> String {
    let mated = game.is_some_and(|game| game.position().is_checkmate());
    let score = if mated { "mate 0" } else { "cp 0" };
    format!("info depth 0 score {score} nodes 0\nbestmove (none)")
}
