//! What is wrong with a match, in the words of the command line that asked for it.
//!
//! May not: know what is wrong; it finds keys in sentences by their names.

use std::collections::BTreeMap;

use super::{Dialect, How, Peers, rows};
use crate::config::schema::{KEYS, PLAYER_KEYS};

/// Before what an agent printed.
const PRINTED: &str = "    ";
/// Before the arguments of an agent, as an event file has them.
const ARGS: &str = "args = [";

impl Dialect {
    /// The word by which a command line sets a key; `None`: none does.
    pub(in crate::config) fn word_of(self, key: &str) -> Option<String> {
        let is_own = |peers| match peers {
            Peers::Both => self != Self::Own,
            Peers::Fastchess => self == Self::Fastchess,
            Peers::Cutechess => self == Self::Cutechess,
        };
        let names = |text: &str| {
            text.strip_prefix('`')
                .and_then(|text| text.strip_prefix(key))
                .is_some_and(ends_a_key)
        };
        let row = rows().find(|row| match row.how {
            How::Honoured(how) => is_own(row.peers) && names(how),
            How::Refused(..) => false,
        })?;
        Some(match (row.option, row.key()) {
            ("-engine", key) => key.to_owned(),
            (option, key) if key.ends_with('=') => format!("{option} {key}"),
            (option, _) => option.to_owned(),
        })
    }

    /// The same text with the words of this command line for the keys that it names. What is said of a key for which there is no word
    /// is left out where it is beside the point: in parentheses, in a further sentence, or after a semicolon.
    pub fn in_words(self, text: &str) -> String {
        let lines = text.lines().map(|line| match (line.starts_with(PRINTED), self) {
            (true, _) => line.to_owned(),
            (false, Self::Own) => self.with_arguments(line),
            (false, _) => self.line_in_words(&self.with_arguments(line)),
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    fn line_in_words(self, line: &str) -> String {
        let all = KEYS
            .iter()
            .map(|key| key.path)
            .chain(PLAYER_KEYS.iter().map(|key| key.path));
        let named: Vec<&str> = all.filter(|key| find_key(line, key).is_some()).collect();
        let (mut line, mut without_word) = (line.to_owned(), Vec::new());
        for key in named {
            match self.word_of(key) {
                Some(word) => line = replaced(&line, key, &word),
                None => {
                    line = line.replace(&format!(" ({key})"), "");
                    without_word.push(key);
                }
            }
        }
        let names_one = |part: &str| without_word.iter().any(|key| find_key(part, key).is_some());
        let mut kept = String::new();
        for (end, part) in parts(&line) {
            if kept.is_empty() || !names_one(part) {
                kept = kept + end + part;
            }
        }
        if line.ends_with('.') && !kept.ends_with('.') {
            kept.push('.');
        }
        kept
    }

    /// Lists of arguments as words.
    fn with_arguments(self, text: &str) -> String {
        let (mut done, mut rest) = (String::new(), text);
        while let Some((before, list)) = rest.split_once(ARGS) {
            let ends = list.match_indices(']').map(|(end, _)| end);
            let read = |end: usize| {
                let table: toml::Table = format!("{ARGS}{}]", &list[..end]).parse().ok()?;
                let args = table["args"]
                    .as_array()?
                    .iter()
                    .map(|arg| arg.as_str().map(str::to_owned));
                Some((end, args.collect::<Option<Vec<String>>>()?))
            };
            done += before;
            match ends.filter_map(read).next() {
                Some((end, args)) => {
                    done += &self.arguments(&args);
                    rest = &list[end + 1..];
                }
                None => {
                    done += ARGS;
                    rest = list;
                }
            }
        }
        done + rest
    }

    fn arguments(self, args: &[String]) -> String {
        let is_plain = |text: &str| {
            !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "'\"\\$`*?~&|;<>(){}[]!#".contains(c))
        };
        let quoted = |text: &str| match is_plain(text) {
            true => text.to_owned(),
            false => shlex::try_quote(text).map_or_else(|_| text.to_owned(), |text| text.into_owned()),
        };
        match self {
            Self::Cutechess => {
                let each = args.iter().map(|arg| format!("arg={}", quoted(arg)));
                each.collect::<Vec<_>>().join(" ")
            }
            Self::Own | Self::Fastchess => {
                let joined: Vec<String> = args.iter().map(|arg| quoted(arg)).collect();
                let joined = joined.join(" ");
                match joined.contains(['"', '\\', '$', '`']) {
                    true => format!("args={}", quoted(&joined)),
                    false => format!("args=\"{joined}\""),
                }
            }
        }
    }
}

/// Sentences, and their parts between semicolons, each with what stands before it.
fn parts(line: &str) -> Vec<(&str, &str)> {
    let (mut parts, mut end, mut from) = (Vec::new(), "", 0);
    for (at, next) in line
        .match_indices("; ")
        .chain(line.match_indices(". "))
        .collect::<BTreeMap<_, _>>()
    {
        parts.push((end, &line[from..at]));
        (end, from) = (next, at + next.len());
    }
    parts.push((end, &line[from..]));
    parts
}

/// Whether what follows the name of a key does not belong to it.
fn ends_a_key(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
}

/// Where a text names a key.
fn find_key(text: &str, key: &str) -> Option<usize> {
    let found = text.match_indices(key).map(|(at, _)| at);
    let is_inside =
        |at: usize| text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/'));
    found
        .into_iter()
        .find(|at| !is_inside(*at) && ends_a_key(&text[at + key.len()..]))
}

/// The text with a word for a key; where that has no value of its own, without what the key is set to.
fn replaced(text: &str, key: &str, word: &str) -> String {
    let (mut done, mut rest) = (String::new(), text);
    while let Some(at) = find_key(rest, key) {
        done += &rest[..at];
        done += word;
        rest = &rest[at + key.len()..];
        rest = rest.strip_prefix(" = true").unwrap_or(rest);
    }
    done + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(dialect: Dialect, text: &str, expected: &str) {
        assert_eq!(dialect.in_words(text), expected);
    }

    #[test]
    fn keys_are_told_as_the_words_that_set_them() {
        let room = "lower run.concurrency to 2 or less; or run.oversubscribe = true allows it, for agents that wait";
        check(Dialect::Own, room, room);
        check(
            Dialect::Fastchess,
            room,
            "lower -concurrency to 2 or less; or -force-concurrency allows it, for agents that wait",
        );
        check(Dialect::Cutechess, room, "lower -concurrency to 2 or less");
        let slow = "it has to answer; slow engines need more time (engine.start_limit)";
        check(
            Dialect::Fastchess,
            slow,
            "it has to answer; slow engines need more time (-startup-ms)",
        );
        check(
            Dialect::Cutechess,
            slow,
            "it has to answer; slow engines need more time",
        );
        check(
            Dialect::Fastchess,
            "A does not start.\nNothing was begun. With engine.must_start = false (--go-on of `run` and `match`) it is played.",
            "A does not start.\nNothing was begun.",
        );
        check(
            Dialect::Cutechess,
            "named in player.args, or to lie in player.dir (docs/isolation.md), e.g. run.pins, a.run.pin, x/player.dir",
            "named in arg=, or to lie in dir= (docs/isolation.md), e.g. run.pins, a.run.pin, x/player.dir",
        );
        check(
            Dialect::Fastchess,
            "mini_match.openings: no such file",
            "-openings file=: no such file",
        );
    }

    #[test]
    fn arguments_are_told_as_they_are_written() {
        let text = "there is a.py: give its arguments apart from it, args = [\"a.py\", \"-n [b] c\"]; so";
        let begin = "there is a.py: give its arguments apart from it, ";
        check(
            Dialect::Fastchess,
            text,
            &format!("{begin}args=\"a.py '-n [b] c'\"; so"),
        );
        check(Dialect::Own, text, &format!("{begin}args=\"a.py '-n [b] c'\"; so"));
        check(Dialect::Cutechess, text, &format!("{begin}arg=a.py arg='-n [b] c'; so"));
        check(Dialect::Own, "args = [ no list", "args = [ no list");
        let printed = "    args = [\"x\"]; run.concurrency";
        check(Dialect::Fastchess, printed, printed);
    }
}
