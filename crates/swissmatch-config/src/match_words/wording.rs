//! Errors of a match in the words of the command line that asked for it.
//!
//! May not: know what is wrong; it only finds the names of keys in sentences.

use std::collections::BTreeMap;

use super::{Dialect, How, Peers, rows};
use crate::schema::{KEYS, PLAYER_KEYS};

/// Stands before text that an agent printed.
const PRINTED: &str = "    ";
/// Stands before the name of a page of the documentation.
const PAGE: &str = " (docs/";

impl Dialect {
    /// The word by which a command line sets a key; `None` if there is none.
    pub(crate) fn word_of(self, key: &str) -> Option<String> {
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

    /// The text with the words of this command line in place of keys. Remarks on keys without a word are left out if they are secondary: in
    /// parentheses, in a further sentence, or after a semicolon.
    pub fn in_words(self, text: &str) -> String {
        let lines = text.lines().map(|line| match (line.starts_with(PRINTED), self) {
            (true, _) => line.to_owned(),
            (false, Self::Own) => self.with_values(line),
            (false, _) => self.line_in_words(&of_links(&self.with_values(line))),
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

    /// Keys of a player with their values, as words.
    fn with_values(self, text: &str) -> String {
        let mut text = text.to_owned();
        for (key, ends) in [
            ("command = \"", '"'),
            ("args = [", ']'),
            ("env = {", '}'),
            ("dir = \"", '"'),
        ] {
            text = self.with_value(&text, key, ends);
        }
        text
    }

    /// Like [`Self::with_values`], but for one key; `key` includes the beginning of its value, and `ends` ends the value.
    fn with_value(self, text: &str, key: &str, ends: char) -> String {
        let (mut done, mut rest) = (String::new(), text);
        while let Some((before, value)) = rest.split_once(key) {
            let all = value.match_indices(ends).map(|(end, _)| end);
            let read = |end: usize| {
                let table: toml::Table = format!("{key}{}{ends}", &value[..end]).parse().ok()?;
                let (name, value) = table.iter().next()?;
                Some((end, self.as_word(name, value)?))
            };
            done += before;
            match all.filter_map(read).next() {
                Some((end, word)) => {
                    done += &word;
                    rest = &value[end + 1..];
                }
                None => {
                    done += key;
                    rest = value;
                }
            }
        }
        done + rest
    }

    fn as_word(self, key: &str, value: &toml::Value) -> Option<String> {
        if let Some(args) = value.as_array() {
            let args = args.iter().map(|arg| arg.as_str().map(str::to_owned));
            return Some(self.arguments(&args.collect::<Option<Vec<String>>>()?));
        }
        if let Some(variables) = value.as_table() {
            let each = variables
                .iter()
                .map(|(name, value)| Some(format!("env.{name}={}", quoted(value.as_str()?))));
            return Some(each.collect::<Option<Vec<_>>>()?.join(" "));
        }
        let value = quoted(value.as_str()?);
        Some(match (key, self) {
            ("command", Self::Own) => value,
            ("command", _) => format!("cmd={value}"),
            _ => format!("{key}={value}"),
        })
    }

    fn arguments(self, args: &[String]) -> String {
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

/// A word with quotes if the shell needs them.
fn quoted(text: &str) -> String {
    let is_plain =
        !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "'\"\\$`*?~&|;<>(){}[]!#".contains(c));
    match is_plain {
        true => text.to_owned(),
        false => shlex::try_quote(text).map_or_else(|_| text.to_owned(), |text| text.into_owned()),
    }
}

/// Removes remarks for readers of this program's documentation, and keys for which those programs have nothing.
fn of_links(text: &str) -> String {
    let mut text = text.to_owned();
    for (own, theirs) in [
        (", options or env", " or options"),
        (", options and env", " and options"),
    ] {
        text = text.replace(own, theirs);
    }
    while let Some((before, (page, after))) = text
        .split_once(PAGE)
        .and_then(|(b, rest)| Some((b, rest.split_once(')')?)))
        && !page.contains(' ')
    {
        text = format!("{before}{after}");
    }
    text
}

/// Sentences and their parts between semicolons, each with the separator before it.
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

/// Whether the name of a key ends before `rest`.
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

/// The text with a word for a key; if the word has no value of its own, without the key's value.
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
            "named in arg=, or to lie in dir=, e.g. run.pins, a.run.pin, x/player.dir",
        );
        check(
            Dialect::Fastchess,
            "mini_match.openings: no such file",
            "-openings file=: no such file",
        );
    }

    #[test]
    fn what_to_write_is_told_as_it_is_written() {
        let text = "write it as the program, command = \"/a b/sh\", args = [\"x.sh\"]; or dir = \"bbc\"";
        check(
            Dialect::Own,
            text,
            "write it as the program, '/a b/sh', args=\"x.sh\"; or dir=bbc",
        );
        check(
            Dialect::Fastchess,
            text,
            "write it as the program, cmd='/a b/sh', args=\"x.sh\"; or dir=bbc",
        );
        check(
            Dialect::Cutechess,
            text,
            "write it as the program, cmd='/a b/sh', arg=x.sh; or dir=bbc",
        );
        let text = "not given: env = { A = \"$A\" } does";
        check(Dialect::Own, text, "not given: env.A='$A' does");
        let text = "named in player.args, options or env, or to lie in player.dir";
        check(Dialect::Fastchess, text, "named in args= or options, or to lie in dir=");
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
