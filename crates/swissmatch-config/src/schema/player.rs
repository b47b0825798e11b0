//! Every key of a player.
//!
//! May not: know layers or files.

use super::{Key, key};
use crate::kind::{
    address, arguments, choice, choices, depth, duration, environment, exec, line, list, model, moment, move_address,
    move_command, name, nodes, optional, path, player_name, switch, time_control, uci_options, whole,
};
use crate::value::quoted;
use swissmatch_tournament::setup::PlayerKeys;

/// Every key of a `[[player]]`.
pub(super) fn keys() -> Vec<Key<PlayerKeys>> {
    vec![
        key!(player.name, player_name(), "Name of the player, unique in the event.").required(),
        key!(
            player.command,
            path("a program: a name to look up or a path, without control characters"),
            "The agent's program, a UCI engine: looked up beside swissmatch, then in PATH; or a path relative to this file. A player has it, or model, move_command or move_url.",
        )
        .such_as(r#""alphabeta""#),
        key!(player.args, arguments(), "Arguments of the program.").such_as(r#"["--book", "none"]"#),
        key!(
            player.move_command,
            move_command(),
            "A program, with its arguments, that is asked once a move in place of a UCI engine: docs/move-command.md.",
        )
        .such_as(r#"["./move.sh"]"#),
        key!(
            player.keep_alive,
            switch(),
            "Whether the program of move_command is started once and then asked for each move, a line each; otherwise it is started for each move.",
        )
        .such_as("true"),
        key!(
            player.says_ready,
            switch(),
            "Whether that program writes a line `ready` once it has loaded: until then no clock runs, within engine.start_limit.",
        )
        .such_as("true"),
        key!(
            player.model,
            optional(model()),
            "A language model that plays: the name of an endpoint, a colon, and what the model is called there. It needs a prompt.",
        )
        .such_as(r#""local:qwen3-8b""#),
        key!(
            player.move_url,
            optional(move_address()),
            "The address of a web service that is asked once a move, in place of a UCI engine.",
        )
        .such_as(r#""https://agent.example.org/move""#),
        key!(
            player.options,
            uci_options("{ Hash = 16, Ponder = false }"),
            "UCI options, sent before the first game.",
        )
        .such_as("{ Hash = 16 }"),
        key!(
            player.rating,
            optional(whole("a whole number", -10_000..=10_000)),
            "Rating, for the seeding.",
        )
        .such_as("1800"),
        key!(
            player.byes,
            list("a list of rounds, such as [2, 5]", whole("a round", 1..=10_000)),
            "Rounds for which it asks for a half-point bye, within the limit of bye.requests.",
        )
        .such_as("[2, 5]"),
        key!(
            player.ratings,
            list("a list of whole numbers from -10000 to 10000", whole("a whole number", -10_000..=10_000)),
            "Ratings at the start of round 1, 2 and so on, for tie-breaks, if they change during the event; if left out, rating counts.",
        )
        .such_as("[1800, 1812]"),
        key!(
            player.submitted_at,
            optional(moment("2026-01-30T10:00:00Z").written(write_moment)),
            "When the agent was submitted.",
        )
        .such_as("2026-01-30T10:00:00Z"),
        key!(player.team, optional(name()), "Team, for swiss.keep_apart.").such_as(r#""Team A""#),
        key!(player.author, optional(name()), "Author, for swiss.keep_apart.").such_as(r#""A. Author""#),
        key!(
            player.armageddon,
            optional(choice()),
            "Colour that it chooses if it wins the coin toss before an Armageddon game; if left out, Black.",
        )
        .such_as(r#""white""#),
        key!(player.nodes, optional(nodes()), "Nodes per move of this player, in place of game.nodes.").such_as("100000"),
        key!(player.depth, optional(depth()), "Search depth of this player in plies, in place of game.depth.").such_as("8"),
        key!(
            player.time_control,
            optional(time_control(r#"a time control as a string, such as "10+0.1" or "G/45 d5""#)),
            "Time control of this player, in place of game.time_control, for time odds.",
        )
        .such_as(r#""10+0.1""#),
        key!(
            player.dir,
            optional(path("the path of a directory, without control characters")),
            "The agent's own directory, relative to this file: the agent works there, and its words are relative to it (docs/isolation.md). If left out, it works in its scratch directory, or beside this file if isolation is off.",
        )
        .such_as(r#""agents/a""#),
        key!(
            player.env,
            environment(),
            r#"Environment variables, set over those that it has anyhow (docs/engines.md); "$NAME" copies its variable NAME, of which only the name is stored."#,
        )
        .such_as(r#"{ OMP_NUM_THREADS = "1", API_KEY = "$API_KEY" }"#),
        key!(
            player.write,
            list(r#"a list of paths, such as ["agent.log", "learnt"]"#, path("a path")),
            "Files that the agent itself writes, and directories of such files, relative to dir; not part of the agent, so they may change.",
        )
        .output()
        .such_as(r#"["agent.log"]"#),
        key!(
            player.connect,
            list(r#"a list of addresses, such as ["api.example.org:443"]"#, address()),
            "Addresses that swissmatch connects the agent to through its door, as an isolated agent has no sockets: docs/isolation.md.",
        )
        .such_as(r#"["api.example.org:443"]"#),
        key!(
            player.restart,
            optional(choice()),
            "When its engine is restarted, in place of engine.restart.",
        )
        .such_as(r#""game""#),
        key!(
            player.isolation,
            optional(choice()),
            "What this agent may reach, in place of engine.isolation.",
        )
        .such_as(r#""off""#),
        key!(
            player.exec,
            exec(),
            "Which programs this agent may run, in place of engine.exec.",
        )
        .such_as(r#""any""#),
        key!(
            player.devices,
            choices(),
            r#"Devices that this agent uses: ["gpu"] gives each engine of it one of run.gpus."#,
        )
        .such_as(r#"["gpu"]"#),
        key!(
            player.margin,
            optional(duration("50ms")),
            "How long a move of this player may take beyond its limit, in place of game.margin.",
        )
        .such_as(r#""50ms""#),
        key!(
            player.ponder,
            optional(switch()),
            "Whether this player ponders, in place of game.ponder.",
        )
        .such_as("false"),
        key!(
            player.section,
            optional(name().called("the name of one of event.sections")),
            "Section in which it plays, one of event.sections; if left out, the one whose bounds its rating is within.",
        )
        .such_as(r#""Open""#),
        key!(
            player.house,
            switch(),
            "Whether it is the house player, who plays when the number of others is odd, and is not ranked: docs/sections.md.",
        )
        .such_as("true"),
        key!(
            player.unrated,
            switch(),
            "Whether it counts as unrated whatever its rating: seeded after the rated players, no rating in tie-breaks and pairing.",
        )
        .such_as("true"),
        key!(
            player.contact,
            optional(line("a text of 1 to 200 characters without control characters", 1..=200)),
            "How to reach the people behind it. It stays in this file, and is in no log and no published file.",
        )
        .private()
        .such_as(r#""a@example.org""#),
    ]
}

/// A TOML date and time, or a string for a year that TOML cannot write.
fn write_moment(moment: &jiff::Timestamp) -> String {
    let text = moment.to_string();
    if text.starts_with('-') { quoted(&text) } else { text }
}
