//! The keys of a player that say who plays: an engine, a language model, or a program or web service that is asked once a move.
//!
//! May not: look at more than one player.

use super::schema::{KEYS, PLAYER_KEYS};
use swissmatch_tournament::setup::PlayerKeys;

/// The message for a player without a name, or without anything that plays.
pub(super) const MISSING: &str =
    "missing; every player needs a name, and one of command, model, move_command and move_url";

/// The keys that say who plays.
const WHO: [&str; 4] = [
    "player.command",
    "player.model",
    "player.move_command",
    "player.move_url",
];
const OUT: &str = "leave it out";
/// Keys that neither a model nor a web service takes, with the reason and the remedy.
const NOT_ELSEWHERE: [(&str, &str, &str); 10] = [
    ("player.args", "a model or a web service has no arguments", OUT),
    (
        "player.options",
        "a model or a web service has no UCI options",
        "leave it out; how a model is asked is said by the keys of [model]",
    ),
    (
        "player.keep_alive",
        "a model or a web service is no program that is started for a move",
        OUT,
    ),
    (
        "player.says_ready",
        "a model or a web service is no program that is started",
        OUT,
    ),
    (
        "player.connect",
        "swissmatch itself calls a model or a web service, whose adapter connects to nothing",
        OUT,
    ),
    ("player.nodes", "a model or a web service has no bound of nodes", OUT),
    ("player.depth", "a model or a web service has no bound of depth", OUT),
    (
        "player.exec",
        "the adapter of a model or a web service runs no other program",
        OUT,
    ),
    (
        "player.devices",
        "a model or a web service uses no device of this machine",
        OUT,
    ),
    (
        "player.write",
        "the adapter of a model or a web service writes no file",
        OUT,
    ),
];

/// Keys that a player does not take if it hands in what plays.
const OF_WHAT_PLAYS: [&str; 5] = [
    "player.args",
    "player.keep_alive",
    "player.says_ready",
    "player.dir",
    "player.write",
];

/// A problem with the keys of a player.
pub(super) struct StartProblem {
    /// The key at which it is told.
    pub(super) key: &'static str,
    pub(super) message: &'static str,
    pub(super) help: &'static str,
}

/// The problem of a player that `has` certain keys; `None` if there is none. If it `may_hand_in` what plays, no key need say so.
pub(super) fn wrong(player: &PlayerKeys, may_hand_in: bool, has: impl Fn(&str) -> bool) -> Option<StartProblem> {
    let wrong = |key, message, help| Some(StartProblem { key, message, help });
    let mut who = WHO.into_iter().filter(|key| has(key));
    let kind = match (who.next(), who.next()) {
        (None, _) if may_hand_in => {
            let key = OF_WHAT_PLAYS.into_iter().find(|key| has(key))?;
            let help = "leave it out, or write command to have this player play by a program of yours";
            return wrong(key, "what this player hands in says that", help);
        }
        (None, _) => {
            let help = "write command for a UCI engine, model for a language model, move_command for a program that is asked \
                        once a move, or move_url for a web service that is";
            return wrong("player.command", MISSING, help);
        }
        (Some(_), Some(second)) => {
            let help = "leave all but one out: command is a UCI engine, model a language model, move_command a program that is \
                        asked once a move, move_url a web service that is";
            return wrong(
                second,
                "a player has only one of command, model, move_command and move_url",
                help,
            );
        }
        (Some(kind), None) => kind,
    };
    if kind != "player.model"
        && let Some(key) = key_of_models(player, &has)
    {
        return wrong(
            key,
            "only a language model has it",
            "leave it out, or write model to name one",
        );
    }
    match kind {
        "player.model" | "player.move_url" => {
            let not = NOT_ELSEWHERE.into_iter().find(|(key, ..)| has(key));
            let ponders = player.ponder == Some(true);
            let ponders = ponders.then_some(("player.ponder", "a model or a web service does not ponder", OUT));
            let (key, message, help) = not.or(ponders)?;
            wrong(key, message, help)
        }
        "player.move_command" if has("player.args") => wrong(
            "player.args",
            "arguments of a program that is asked once a move stand after it",
            "write them into move_command, as in move_command = [\"./move.sh\", \"--fast\"]",
        ),
        "player.command" if has("player.keep_alive") => wrong(
            "player.keep_alive",
            "only a program that is asked once a move is started for each",
            "leave it out; an engine is started anew as restart says",
        ),
        "player.command" if has("player.says_ready") => wrong(
            "player.says_ready",
            "only a program that is asked once a move says so by a line",
            "leave it out; an engine is ready when it answers isready",
        ),
        "player.move_command" if player.says_ready && !player.keep_alive => wrong(
            "player.says_ready",
            "a program that is started for each move is asked at once",
            "write keep_alive = true, too, or leave it out",
        ),
        _ => None,
    }
}

/// The first key of `[model]` that a player has.
fn key_of_models(player: &PlayerKeys, has: impl Fn(&str) -> bool) -> Option<&'static str> {
    let mut keys = PLAYER_KEYS.iter().filter(|_| !player.model_keys.is_empty());
    keys.find(|key| has(key.path) && is_of_models(key.path))
        .map(|key| key.path)
}

/// Whether a key of a player is also one of `[model]`.
fn is_of_models(path: &str) -> bool {
    let name = path.trim_start_matches("player.");
    KEYS.iter().any(|key| key.table_and_name() == ("model", name))
}

/// Whether a key of a player says who plays, or has an effect only for some kinds of players.
pub(super) fn is_who_plays(path: &str) -> bool {
    WHO.contains(&path) || ["player.keep_alive", "player.says_ready"].contains(&path) || is_of_models(path)
}
