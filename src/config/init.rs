//! The commented event file that `swissmatch init` writes.
//!
//! May not: look whether the programs exist.

use super::schema::PLAYER_KEYS;
use super::value::quoted;
use super::{PRESETS, preset, print};
use crate::tournament::names::Taken;

/// A player of a new event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitPlayer {
    /// Its name; made distinct where another has it.
    pub name: String,
    /// Its program, as it will stand in the file.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
}

/// Programs that ship with swissmatch, for event files that would have fewer than two players.
const BUNDLED: [&str; 2] = ["greedy", "random-mover"];

/// An event file to start from: the players, and every key of the default preset, commented out with what it means.
///
/// Fewer than two players are filled up with agents that ship, so that the file can be played as it is.
pub fn init_template(engines: &[InitPlayer]) -> String {
    let (preset_name, _) = PRESETS[0];
    let mut text = format!(
        "# An event file of swissmatch. Play it with `swissmatch run`, see every value with `swissmatch config`.\n\
         # A line such as `#games = 40` shows the preset's value; take its # away to change it.\n\
         preset = {}\n",
        quoted(preset_name)
    );
    text += &print::explained(preset::setup(preset_name).unwrap_or_default(), "#");
    for InitPlayer { name, command, args } in players(engines) {
        text += &format!(
            "\n[[player]]\nname = {}\ncommand = {}\n",
            quoted(&name),
            quoted(&command)
        );
        if !args.is_empty() {
            let args: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
            text += &format!("args = [{}]\n", args.join(", "));
        }
    }
    text += "\n# More that a player can have, each line optional:\n";
    let examples = PLAYER_KEYS.iter().filter_map(|key| Some((key.name(), key.example?)));
    text + &examples
        .map(|(name, example)| format!("#{name} = {example}\n"))
        .collect::<String>()
}

/// The engines with distinct names, and at least two of them.
fn players(engines: &[InitPlayer]) -> Vec<InitPlayer> {
    let missing = BUNDLED.len().saturating_sub(engines.len());
    let bundled = BUNDLED[..missing].iter().map(|name| InitPlayer {
        name: (*name).to_owned(),
        command: (*name).to_owned(),
        args: Vec::new(),
    });
    let mut taken = Taken::new();
    let mut distinct = |player: InitPlayer| {
        let name = (1_u32..)
            .map(|number| {
                if number == 1 {
                    player.name.clone()
                } else {
                    format!("{} {number}", player.name)
                }
            })
            .find(|name| taken.take(name, ()).is_ok())
            .unwrap_or_default();
        InitPlayer { name, ..player }
    };
    engines.iter().cloned().chain(bundled).map(&mut distinct).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::load;

    fn engines(names: &[&str]) -> Vec<InitPlayer> {
        names
            .iter()
            .map(|name| InitPlayer {
                name: (*name).to_owned(),
                command: format!("./{name}"),
                args: Vec::new(),
            })
            .collect()
    }

    fn names(text: &str) -> Vec<String> {
        let loaded = load(Path::new("event.toml"), text, &[]).unwrap_or_else(|error| panic!("{error}"));
        loaded.setup.players.into_iter().map(|player| player.name).collect()
    }

    /// What no player of this event may have: it grants no byes, has no sections, and only two players.
    const NEED_MORE: [&str; 3] = ["byes =", "section =", "house ="];

    #[test]
    fn loads_as_it_is_and_with_every_key_taken() {
        assert_eq!(names(&init_template(&[])), ["greedy", "random-mover"]);
        assert_eq!(names(&init_template(&engines(&["X"]))), ["X", "greedy"]);
        assert_eq!(
            names(&init_template(&engines(&["X", "x", "X", "Y"]))),
            ["X", "x 2", "X 3", "Y"]
        );
        let taken: String = init_template(&engines(&["A", "B"]))
            .split_inclusive('\n')
            .map(|line| {
                let taken = line.strip_prefix('#').filter(|rest| !rest.starts_with(' '));
                taken
                    .filter(|line| !NEED_MORE.iter().any(|name| line.starts_with(name)))
                    .unwrap_or(line)
            })
            .collect();
        assert!(taken.contains("\ngames = 40\n") && taken.contains("\nrating = 1800\n"));
        assert_eq!(names(&taken), ["A", "B"]);
    }
}
