//! Every key of a player.
//!
//! May not: know layers or files.

use std::time::Duration;

use super::{DEPTH, Key, NODES};
use crate::config::error::Problem;
use crate::config::value::{array, quoted, word, write_table};
use crate::game::time_control::write_duration;
use crate::tournament::setup::PlayerKeys;

/// Every key of a `[[player]]`.
pub static PLAYER_KEYS: &[Key<PlayerKeys>] = &[
    Key::new(
        "player.name",
        "a name of 1 to 100 characters without control characters or blanks at its ends",
        "Name, unique in the event.",
        |p, v| v.name().map(|name| p.name = name),
        |p| Some(quoted(&p.name)),
    ),
    Key::new(
        "player.command",
        "a program: a name to look up or a path, without control characters",
        "The agent's program: looked up beside swissmatch, then in PATH; or a path relative to this file.",
        |p, v| v.line(1..=4096).map(|command| p.command = command),
        |p| Some(quoted(&p.command)),
    ),
    Key::new(
        "player.args",
        "a list of strings without NUL characters",
        "Its arguments.",
        |p, v| v.arguments().map(|args| p.args = args),
        |p| (!p.args.is_empty()).then(|| array(p.args.iter().map(|arg| quoted(arg)))),
    ),
    Key::new(
        "player.options",
        "a table of UCI options, such as { Hash = 16, Ponder = false }",
        "UCI options, sent before the first game.",
        |p, v| v.uci_options().map(|options| p.options = options),
        |p| (!p.options.is_empty()).then(|| write_table(&p.options)),
    ),
    Key::new(
        "player.rating",
        "a whole number from -10000 to 10000",
        "Rating, for the seeding.",
        |p, v| v.whole(-10_000..=10_000).map(|rating| p.rating = Some(rating)),
        |p| p.rating.map(|rating| rating.to_string()),
    ),
    Key::new(
        "player.byes",
        "a list of rounds, such as [2, 5]",
        "Rounds in which it asks for a half-point bye, within bye.requests.",
        |p, v| {
            let rounds: Result<Vec<u32>, Problem> = v.list()?.into_iter().map(|v| v.whole(1..=10_000)).collect();
            rounds.map(|rounds| p.byes = rounds)
        },
        |p| (!p.byes.is_empty()).then(|| array(p.byes.iter().map(u32::to_string))),
    ),
    Key::new(
        "player.ratings",
        "a list of whole numbers from -10000 to 10000",
        "Ratings at the start of round 1, 2 …, for tie-breaks, where they change during the event; else rating counts.",
        |p, v| {
            let ratings: Result<Vec<i32>, Problem> = v.list()?.into_iter().map(|v| v.whole(-10_000..=10_000)).collect();
            ratings.map(|ratings| p.ratings = ratings)
        },
        |p| (!p.ratings.is_empty()).then(|| array(p.ratings.iter().map(i32::to_string))),
    ),
    Key::new(
        "player.submitted_at",
        "a date and time with its offset from UTC, such as 2026-01-30T10:00:00Z",
        "When the agent was submitted.",
        |p, v| v.timestamp().map(|moment| p.submitted_at = Some(moment)),
        |p| p.submitted_at.map(write_timestamp),
    ),
    Key::new(
        "player.team",
        "a name of 1 to 100 characters without control characters or blanks at its ends",
        "Team, for swiss.keep_apart.",
        |p, v| v.name().map(|team| p.team = Some(team)),
        |p| p.team.as_deref().map(quoted),
    ),
    Key::new(
        "player.author",
        "a name of 1 to 100 characters without control characters or blanks at its ends",
        "Author, for swiss.keep_apart.",
        |p, v| v.name().map(|author| p.author = Some(author)),
        |p| p.author.as_deref().map(quoted),
    ),
    Key::new(
        "player.armageddon",
        "\"white\" or \"black\"",
        "The colour that it chooses when it wins the coin before an Armageddon game; without it Black.",
        |p, v| v.choice().map(|color| p.armageddon = Some(color)),
        |p| p.armageddon.map(word),
    ),
    Key::new(
        "player.nodes",
        "a number of nodes from 1 to 1000000000000",
        "Nodes a move of this player, in place of game.nodes.",
        |p, v| v.whole(NODES).map(|nodes| p.nodes = Some(nodes)),
        |p| p.nodes.map(|nodes| nodes.to_string()),
    ),
    Key::new(
        "player.depth",
        "a depth in plies from 1 to 1000",
        "Depth in plies of this player, in place of game.depth.",
        |p, v| v.whole(DEPTH).map(|depth| p.depth = Some(depth)),
        |p| p.depth.map(|depth| depth.to_string()),
    ),
    Key::new(
        "player.time_control",
        "a time control as a string, such as \"10+0.1\" or \"G/45 d5\"",
        "Time control of this player, in place of game.time_control: time odds.",
        |p, v| v.time_control().map(|control| p.time_control = Some(control)),
        |p| p.time_control.as_ref().map(|control| quoted(&control.to_string())),
    ),
    Key::new(
        "player.dir",
        "the path of a directory, without control characters",
        "Its working directory, relative to this file; without it this file's.",
        |p, v| v.line(1..=4096).map(|dir| p.dir = Some(dir)),
        |p| p.dir.as_deref().map(quoted),
    ),
    Key::new(
        "player.env",
        "a table of strings, such as { OMP_NUM_THREADS = \"1\", API_KEY = \"$API_KEY\" }",
        "Variables over those that swissmatch runs with; \"$NAME\" is its own variable NAME, of which only the name is stored.",
        |p, v| v.environment().map(|env| p.env = env),
        |p| (!p.env.is_empty()).then(|| write_table(&p.env)),
    ),
    Key::<PlayerKeys>::new(
        "player.write",
        "a list of paths, such as [\"agent.log\", \"learnt\"]",
        "Files that it writes itself, and directories of such, relative to dir: no part of it, so that they may change.",
        |p, v| {
            let paths: Result<Vec<String>, Problem> = v.list()?.into_iter().map(|v| v.line(1..=4096)).collect();
            paths.map(|paths| p.write = paths)
        },
        |p| (!p.write.is_empty()).then(|| array(p.write.iter().map(|path| quoted(path)))),
    )
    .output(),
    Key::new(
        "player.restart",
        "\"never\" or \"game\"",
        "When its engine is started anew, in place of engine.restart.",
        |p, v| v.choice().map(|restart| p.restart = Some(restart)),
        |p| p.restart.map(word),
    ),
    Key::new(
        "player.margin",
        "a duration such as \"50ms\"",
        "How far over its limit a move of this player may be, in place of game.margin.",
        |p, v| v.duration(Duration::ZERO).map(|margin| p.margin = Some(margin)),
        |p| p.margin.map(|margin| quoted(&write_duration(margin))),
    ),
    Key::new(
        "player.ponder",
        "true or false",
        "Whether this player ponders, in place of game.ponder.",
        |p, v| v.switch().map(|ponder| p.ponder = Some(ponder)),
        |p| p.ponder.map(|ponder| ponder.to_string()),
    ),
    Key::new(
        "player.section",
        "the name of one of event.sections",
        "The section in which it plays, one of event.sections; without it the one that its rating is within the bounds of.",
        |p, v| v.name().map(|section| p.section = Some(section)),
        |p| p.section.as_deref().map(quoted),
    ),
    Key::new(
        "player.house",
        "true or false",
        "Whether it is the house player, who plays when the others are odd in number, and is not ranked: docs/sections.md.",
        |p, v| v.switch().map(|house| p.house = house),
        |p| p.house.then(|| p.house.to_string()),
    ),
    Key::new(
        "player.unrated",
        "true or false",
        "Whether it counts as unrated whatever its rating: seeded after the rated, no rating in tie-breaks and pairing.",
        |p, v| v.switch().map(|unrated| p.unrated = unrated),
        |p| p.unrated.then(|| "true".to_owned()),
    ),
    Key::<PlayerKeys>::new(
        "player.contact",
        "a text of 1 to 200 characters without control characters",
        "How its people are reached; it stays in this file: no log and no published file has it.",
        |p, v| v.line(1..=200).map(|contact| p.contact = Some(contact)),
        |p| p.contact.as_deref().map(quoted),
    )
    .private(),
];

/// A TOML date and time; a string where the year is none that TOML can write.
fn write_timestamp(moment: jiff::Timestamp) -> String {
    let text = moment.to_string();
    if text.starts_with('-') { quoted(&text) } else { text }
}
