//! One agent of a match: its keys as a player, and distinct names.
//!
//! May not: know a grammar.

use std::collections::BTreeMap;

use toml::de::DeTable;

use crate::PLAYER_KEYS;
use crate::layer::message;
use crate::schema::given;
use crate::value::{LONGEST_PLAYER, Value, quoted, write_table};
use swissmatch_tournament::names::TakenNames;
use swissmatch_tournament::setup::PlayerKeys;

/// How a value is written.
#[derive(Clone, Copy)]
pub(super) enum ValueText<'a> {
    /// As in an event file.
    Toml(&'a str),
    /// As after a flag: text without quotes, lists by commas.
    Plain(&'a str),
}

/// An agent, as far as its words say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Agent {
    /// `None` if it was not given one.
    pub(super) name: Option<String>,
    /// Its name if it was not given one.
    pub(super) default_name: String,
    pub(super) command: String,
    pub(super) args: Vec<String>,
    pub(super) options: BTreeMap<String, String>,
    pub(super) env: BTreeMap<String, String>,
    /// Its other keys as a player, each with its value in TOML.
    pub(super) keys: BTreeMap<&'static str, String>,
}

impl Agent {
    /// The agent of a player whose command is known.
    pub(super) fn of(player: &PlayerKeys) -> Self {
        let apart = ["name", "command", "args", "options", "env"];
        let keys = given(player).map(|(key, value)| (key.name(), value));
        Self {
            name: Some(player.name.clone()),
            default_name: player.name.clone(),
            command: player.command.clone(),
            args: player.args.clone(),
            options: player.options.clone(),
            env: player.env.clone(),
            keys: keys.filter(|(key, _)| !apart.contains(key)).collect(),
        }
    }

    /// Sets a key of a player, without `player.`; the last value counts.
    ///
    /// # Errors
    /// The problem with the value.
    pub(super) fn set(&mut self, name: &str, value: ValueText<'_>) -> Result<(), String> {
        let (name, value) = checked(name, value)?;
        self.keys.insert(name, value);
        Ok(())
    }

    /// Sets a UCI option; case does not matter, and the last value counts.
    ///
    /// # Errors
    /// The problem with the option.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), String> {
        set_option(&mut self.options, name, value)
    }

    /// Sets a variable of its environment; the last value counts.
    ///
    /// # Errors
    /// The problem with the variable.
    pub(super) fn set_variable(&mut self, name: &str, value: &str) -> Result<(), String> {
        let one = BTreeMap::from([(name.to_owned(), value.to_owned())]);
        checked("env", ValueText::Toml(&write_table(&one)))?;
        self.env.extend(one);
        Ok(())
    }

    /// Its keys as a player of this name.
    pub(super) fn player(&self, name: &str) -> Vec<(&'static str, String)> {
        let mut keys = self.keys.clone();
        keys.insert("name", quoted(name));
        keys.insert("command", quoted(&self.command));
        if !self.args.is_empty() {
            let args: Vec<String> = self.args.iter().map(|arg| quoted(arg)).collect();
            keys.insert("args", format!("[{}]", args.join(", ")));
        }
        for (key, table) in [("options", &self.options), ("env", &self.env)] {
            if !table.is_empty() {
                keys.insert(key, write_table(table));
            }
        }
        let in_order = PLAYER_KEYS.iter().map(|key| key.name());
        in_order.filter_map(|key| keys.remove_entry(key)).collect()
    }
}

/// Sets a UCI option among others; case does not matter, and the last value counts.
///
/// # Errors
/// The problem with the option.
pub(super) fn set_option(options: &mut BTreeMap<String, String>, name: &str, value: &str) -> Result<(), String> {
    let one = BTreeMap::from([(name.to_owned(), value.to_owned())]);
    checked("options", ValueText::Toml(&write_table(&one)))?;
    options.retain(|other, _| !other.eq_ignore_ascii_case(name));
    options.extend(one);
    Ok(())
}

/// The name of a player's key, and its value in TOML.
///
/// # Errors
/// The problem with the value.
pub(super) fn checked(name: &str, value: ValueText<'_>) -> Result<(&'static str, String), String> {
    let key = PLAYER_KEYS.iter().find(|key| key.name() == name);
    let key = key.ok_or_else(|| "a player has no such key".to_owned())?;
    let mut player = PlayerKeys::default();
    let read = match value {
        ValueText::Plain(text) => key.read(&mut player, Value::Flag(text)),
        ValueText::Toml(text) => {
            let document = format!("value = {text}");
            let table = DeTable::parse(&document).map_err(|_| "not valid TOML".to_owned())?;
            let table = table.get_ref();
            let value = table.get("value").filter(|_| table.len() == 1);
            let value = value.ok_or_else(|| "expected one value".to_owned())?;
            key.read(&mut player, Value::Toml(value))
        }
    };
    read.map_err(|problem| message(&key.expected, problem.what))?;
    let written = key.write(&player).ok_or_else(|| "expected a value".to_owned())?;
    Ok((key.name(), written))
}

/// Distinct names of the agents: those that read alike get numbers, always the next free one.
pub(super) fn distinct_names(agents: &[Agent]) -> Vec<String> {
    let mut taken = TakenNames::new();
    let given = agents
        .iter()
        .map(|agent| agent.name.as_ref().unwrap_or(&agent.default_name));
    let mut distinct = |name: &String| {
        let name: String = name
            .trim()
            .chars()
            .filter(|c| !c.is_control())
            .take(LONGEST_PLAYER)
            .collect();
        let name = if name.trim().is_empty() {
            "agent".to_owned()
        } else {
            name.trim().to_owned()
        };
        let numbered = |number: u32| match number {
            1 => name.clone(),
            number => {
                let end = format!("_{number}");
                let begin: String = name.chars().take(LONGEST_PLAYER - end.len()).collect();
                begin + &end
            }
        };
        let free = (1_u32..).map(numbered).find(|name| taken.take(name, ()).is_ok());
        free.unwrap_or(name)
    };
    given.map(&mut distinct).collect()
}

/// Sentences on agents whose names were changed.
pub(super) fn renamed(agents: &[Agent], names: &[String]) -> Vec<String> {
    let given = agents
        .iter()
        .zip(names)
        .filter_map(|(agent, name)| Some((agent.name.as_ref()?, name)));
    let other = given.filter(|(given, name)| given != name);
    let said = |(given, name): (&String, &String)| {
        format!(
            "the name {} is taken; it is called {} here",
            quoted(given),
            quoted(name)
        )
    };
    other.map(said).collect()
}

pub(super) fn file_name(path: &str) -> &str {
    let path = path.trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

/// A path below a directory; an absolute path stays as it is.
pub(super) fn below(dir: &str, path: &str) -> String {
    if path.starts_with('/') || dir.is_empty() {
        return path.to_owned();
    }
    let dir = dir.trim_end_matches('/');
    let path = path.trim_start_matches("./");
    format!("{dir}/{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Agent {
        Agent {
            default_name: name.to_owned(),
            ..Agent::default()
        }
    }

    #[test]
    fn names_differ() {
        let names = |given: &[&str]| distinct_names(&given.iter().map(|name| named(name)).collect::<Vec<_>>());
        assert_eq!(names(&["a", "b"]), ["a", "b"]);
        assert_eq!(names(&["a", "A", "a", "a_2"]), ["a", "A_2", "a_3", "a_2_2"]);
        assert_eq!(names(&["", " \u{1}"]), ["agent", "agent_2"]);
        let long = "x".repeat(300);
        let numbered = names(&[&long, &long]);
        assert_eq!(numbered.iter().map(String::len).collect::<Vec<_>>(), [200, 200]);
    }

    #[test]
    fn keys_are_checked_and_stand_in_order() {
        let mut agent = Agent {
            command: "./a".to_owned(),
            args: vec!["--x".to_owned(), "a \"b\"".to_owned()],
            ..Agent::default()
        };
        agent.set("nodes", ValueText::Plain("5000")).expect("a number");
        agent.set("margin", ValueText::Toml("\"20ms\"")).expect("a time");
        agent.set_option("Hash", "16").expect("an option");
        agent.set_option("hash", "32").expect("an option");
        let lines: Vec<String> = agent
            .player("A")
            .into_iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        let expected = [
            "name = \"A\"",
            "command = \"./a\"",
            r#"args = ["--x", "a \"b\""]"#,
            "options = { hash = \"32\" }",
            "nodes = 5000",
            "margin = \"20ms\"",
        ];
        assert_eq!(lines, expected);
        assert!(
            agent
                .set("nodes", ValueText::Plain("many"))
                .is_err_and(|why| why.contains("number of nodes"))
        );
        assert!(agent.set("nodse", ValueText::Plain("1")).is_err());
        assert!(agent.set("margin", ValueText::Toml("\"1s\"\nx = 1")).is_err());
        assert!(agent.set_option(" ", "1").is_err() && agent.set_option("A", "\n").is_err());
    }

    #[test]
    fn paths() {
        let check = |dir, path, expected| assert_eq!(below(dir, path), expected, "{dir} {path}");
        check(".", "./sf", "./sf");
        check("build", "sf", "build/sf");
        check("build/", "../sf", "build/../sf");
        check("build", "/sf", "/sf");
        check("", "sf", "sf");
        check("/", "sf", "/sf");
        assert_eq!((file_name("./a/b"), file_name("b"), file_name("/")), ("b", "b", ""));
    }
}
