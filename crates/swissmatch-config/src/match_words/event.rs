//! The text of an event file, built key by key.
//!
//! May not: know the meaning of a key; values come as TOML.

use std::fmt::Write as _;

/// The tables in the order in which they are written; others follow.
const TABLES: [&str; 11] = [
    "event",
    "swiss",
    "mini_match",
    "sprt",
    "game",
    "adjudication",
    "standings",
    "playoff",
    "engine",
    "run",
    "stop",
];

#[derive(Clone, Debug)]
struct KeyLine {
    /// `table.key`.
    path: String,
    /// In TOML.
    value: String,
    /// The comment behind it; may be empty.
    comment: String,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct EventText {
    head: Vec<String>,
    lines: Vec<KeyLine>,
    players: Vec<Vec<(&'static str, String)>>,
}

impl EventText {
    /// An event by the preset `none`, with these lines of comment at its head.
    pub(crate) fn new(head: &[&str]) -> Self {
        Self {
            head: head.iter().map(|line| (*line).to_owned()).collect(),
            ..Self::default()
        }
    }

    /// Sets a key to a TOML value, replacing any value it has.
    pub(crate) fn set(&mut self, path: &str, value: impl ToString) {
        self.explain(path, value, "");
    }

    /// Like [`Self::set`], but with a comment behind the key.
    pub(crate) fn explain(&mut self, path: &str, value: impl ToString, comment: &str) {
        let line = KeyLine {
            path: path.to_owned(),
            value: value.to_string(),
            comment: comment.to_owned(),
        };
        match self.lines.iter_mut().find(|other| other.path == path) {
            Some(other) => *other = line,
            None => self.lines.push(line),
        }
    }

    /// Sets a key that has no value yet, with a comment behind it.
    pub(crate) fn usual(&mut self, path: &str, value: impl ToString, comment: &str) {
        if !self.has(path) {
            self.explain(path, value, comment);
        }
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.lines.iter().any(|line| line.path == path)
    }

    pub(crate) fn is(&self, path: &str, value: &str) -> bool {
        self.lines.iter().any(|line| line.path == path && line.value == value)
    }

    pub(crate) fn value(&self, path: &str) -> Option<&str> {
        let line = self.lines.iter().find(|line| line.path == path)?;
        Some(&line.value)
    }

    /// Adds a player: its keys with their values in TOML.
    pub(crate) fn player(&mut self, keys: Vec<(&'static str, String)>) {
        self.players.push(keys);
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for line in &self.head {
            let _ = writeln!(text, "# {line}");
        }
        text += "preset = \"none\"\n";
        let mut tables: Vec<&str> = TABLES.to_vec();
        for line in &self.lines {
            let (table, _) = table_and_name(&line.path);
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        for table in tables {
            let of_table = self.lines.iter().filter(|line| table_and_name(&line.path).0 == table);
            let mut is_first = true;
            for line in of_table {
                if is_first {
                    let _ = write!(text, "\n[{table}]\n");
                }
                is_first = false;
                let (_, name) = table_and_name(&line.path);
                let _ = match line.comment.is_empty() {
                    true => writeln!(text, "{name} = {}", line.value),
                    false => writeln!(text, "{name} = {}  # {}", line.value, line.comment),
                };
            }
        }
        for player in &self.players {
            text += "\n[[player]]\n";
            for (name, value) in player {
                let _ = writeln!(text, "{name} = {value}");
            }
        }
        text
    }
}

fn table_and_name(path: &str) -> (&str, &str) {
    path.split_once('.').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::EventText;

    #[test]
    fn each_key_stands_once_in_its_table() {
        let mut event = EventText::new(&["A match."]);
        event.set("run.concurrency", 2);
        event.set("event.rng_seed", 1);
        event.explain("run.concurrency", 4, "as asked");
        event.set("run.pin", "\"none\"");
        assert!(event.has("run.pin") && !event.has("run.gpus"));
        assert!(event.is("run.concurrency", "4") && !event.is("run.concurrency", "2"));
        event.player(vec![("name", "\"A\"".to_owned()), ("command", "\"a\"".to_owned())]);
        let text = "# A match.\npreset = \"none\"\n\n[event]\nrng_seed = 1\n\n[run]\nconcurrency = 4  # as asked\n\
                    pin = \"none\"\n\n[[player]]\nname = \"A\"\ncommand = \"a\"\n";
        assert_eq!(event.text(), text);
    }
}
