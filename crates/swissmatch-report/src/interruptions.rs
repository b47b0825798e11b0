//! Games that were interrupted, in words.
//!
//! May not: decide what happens to them next.

use std::collections::BTreeMap;

use swiss_system::count;
use swiss_system::text::harmless;

use super::untrusted::name;
use swissmatch_game::record::GameId;
use swissmatch_tournament::log::{Cause, GamesInterrupted, HowEnded};
use swissmatch_tournament::state::State;

/// Most games that a sentence names; `explain game` tells of each.
const NAMED: usize = 20;

/// Why a game was interrupted, as a sentence without its beginning and end.
pub fn why(cause: &Cause) -> String {
    match cause {
        Cause::Service(why) => format!("the service of an agent did not answer: {}", harmless(why)),
        Cause::Outage(why) => format!("the service of an agent was away: {}", harmless(why)),
        Cause::Machine(why) => format!("the machine could not play it: {}", harmless(why)),
        Cause::Standstill(why) => format!("the machine could play nothing: {}", harmless(why)),
        Cause::Runner(ended) => format!("the runner {}", how(*ended)),
    }
}

/// How the playing process of a runner ended, as the end of a sentence.
fn how(ended: HowEnded) -> String {
    match (ended.signal, ended.exit_code) {
        (Some(signal), _) => format!("was killed by signal {signal}"),
        (None, Some(code)) => format!("ended with exit code {code}"),
        (None, None) => "ended, and nobody knows how".to_owned(),
    }
}

/// The cause that left games open, as a sentence without its full stop.
pub fn sentence(interrupted: &GamesInterrupted) -> String {
    let due_again = |what: &str, once: &str, why: &str| {
        let games = list(interrupted.games.as_deref().unwrap_or_default());
        let why = harmless(why);
        format!("{what}, and these games are due again{once}: {games}. It was told: {why}")
    };
    match interrupted.cause() {
        Cause::Outage(why) => due_again("The service of an agent was away", " once it answers", &why),
        Cause::Service(why) => due_again("The service of an agent did not answer", "", &why),
        Cause::Machine(why) => due_again("The machine could not play them", "", &why),
        Cause::Standstill(why) => due_again("The machine could play nothing", "", &why),
        Cause::Runner(ended) => {
            let how = how(ended);
            match &interrupted.games {
                None => {
                    format!("The runner {how}; games that were open then are due again")
                }
                Some(games) => format!(
                    "The runner {how} while these games were open, which are due again: {}",
                    list(games)
                ),
            }
        }
    }
}

fn list(games: &[GameId]) -> String {
    let mut named: Vec<String> = games.iter().take(NAMED).map(ToString::to_string).collect();
    if games.len() > NAMED {
        named.push(format!("and {} more", games.len() - NAMED));
    }
    named.join(", ")
}

/// A sentence for each game that was interrupted too often: how, and what the arbiter can do.
pub fn held(state: &State) -> Vec<String> {
    let games: Vec<GameId> = state.held_games().collect();
    let mut lines: Vec<String> = games.iter().take(NAMED).map(|game| of_game(state, *game)).collect();
    if games.len() > NAMED {
        lines.push(format!(
            "The same holds for {} more.",
            count::of(games.len() - NAMED, "game", "games")
        ));
    }
    if let Some(first) = games.first() {
        lines.push(format!(
            "`swissmatch arbiter adjudicate {first} RESULT --by NAME --reason TEXT` gives the game a result; `swissmatch arbiter replay {first} \
             --by NAME --reason TEXT` has it handed out again. With a higher run.replays the same `run` plays all of them."
        ));
    }
    lines
}

/// The players of a game, how often it was interrupted, and how.
fn of_game(state: &State, game: GameId) -> String {
    let players = state.mini_match(game).map_or_else(String::new, |board| {
        let [white, black] = [board.white_of(game.game), board.black_of(game.game)].map(|player| name(state, player));
        format!(" ({white} – {black})")
    });
    let counted = state.interruptions(game).map_or_else(Vec::new, |game| game.counted());
    let mut ways: BTreeMap<&Cause, usize> = BTreeMap::new();
    for cause in &counted {
        *ways.entry(cause).or_default() += 1;
    }
    let ways: Vec<String> = ways
        .into_iter()
        .map(|(cause, times)| format!("{} ({})", why(cause), count::of(times, "time", "times")))
        .collect();
    format!(
        "Game {game}{players} was interrupted {}, so it is not played again by itself (run.replays = {}): {}.",
        count::of(counted.len(), "time", "times"),
        state.setup().run.replays,
        ways.join(", ")
    )
}
