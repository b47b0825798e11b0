//! The command line of the hostile agent.
#![expect(clippy::disallowed_methods, reason = "words may come from a file")]

use std::collections::VecDeque;
use std::time::Duration;

use super::kinds::{KINDS, Kind};
use super::means::Means;
use crate::fault::arguments::number;

/// What is to be tried, when and with what.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    /// The kinds in their order, each with the value behind its `=`.
    pub(super) tries: Vec<(&'static Kind, Option<String>)>,
    /// The own move of the game at which it tries; none for the start.
    pub(super) at: Option<usize>,
    pub(super) means: Means,
    pub(super) life: Duration,
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Play(Arguments),
    Help,
    /// Stay alive for so long and do nothing: how the agent runs itself when it
    /// leaves a process behind.
    Linger(Duration),
    /// Use so many MiB and end.
    Hold(usize),
}

/// Reads the command line.
pub(super) fn parse(words: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut words: VecDeque<String> = words.collect();
    let mut arguments = Arguments {
        tries: Vec::new(),
        at: None,
        means: Means {
            run: None,
            others: None,
            mark: "swissmatch-hostile-agent".to_owned(),
            tell: None,
        },
        life: Duration::from_secs(300),
    };
    let mut other = None;
    while let Some(flag) = words.pop_front() {
        let mut value = || words.pop_front().ok_or(format!("{flag} wants a value"));
        match flag.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            "--try" => {
                let word = value()?;
                let (name, value) = match word.split_once('=') {
                    Some((name, value)) => (name, Some(value.to_owned())),
                    None => (word.as_str(), None),
                };
                let kind = KINDS.iter().find(|kind| kind.name == name);
                let kind = kind.ok_or(format!("no kind {name}"))?;
                match (kind.value, &value) {
                    (Some(value), None) => return Err(format!("{name} wants ={value}")),
                    (None, Some(_)) => return Err(format!("{name} takes no value")),
                    _ => arguments.tries.push((kind, value)),
                }
            }
            "--words" => {
                let path = value()?;
                let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
                for word in text.lines().rev() {
                    words.push_front(word.to_owned());
                }
            }
            "--at" => arguments.at = Some(number(&flag, &value()?)?),
            "--run" => arguments.means.run = Some(value()?.into()),
            // Where it may be told something while it plays.
            "--others" => arguments.means.others = Some(std::env::temp_dir().join(value()?)),
            "--mark" => arguments.means.mark = value()?,
            "--tell" => arguments.means.tell = Some(value()?.into()),
            "--life" => arguments.life = Duration::from_secs(number(&flag, &value()?)?),
            "--linger" => other = Some(Request::Linger(Duration::from_secs(number(&flag, &value()?)?))),
            "--hold" => other = Some(Request::Hold(number(&flag, &value()?)?)),
            _ => return Err(format!("no flag {flag}")),
        }
    }
    Ok(other.unwrap_or(Request::Play(arguments)))
}

/// The text of `--help`.
pub(super) fn help() -> String {
    let mut text = String::from(
        "UCI agent that plays random legal moves and does harm on request.

Usage: hostile-agent [--try KIND]... [FLAGS]

  --try KIND[=VALUE]     what to try, see below; tried in the order given
  --at N                 try at the N-th own move of the game instead of at the start
  --words FILE           further words in place of this flag, one a line
  --run DIR              the directory of the run (looked for in /proc without it)
  --others FILE          lines `other PID`, `keeper PID`, `player PID`, `guard PID`: the
                         processes of the run (looked for in /proc without it);
                         relative to the directory for temporary files
  --mark TEXT            put TEXT into the names of all that is left behind
  --tell FILE            add what standard error is told to FILE too
  --life SECONDS         end by itself after so long, whatever happens (default 300)

Kinds:
",
    );
    for kind in KINDS {
        let value = kind.value.map(|value| format!("={value}")).unwrap_or_default();
        text.push_str(&format!("  {:<22} {}\n", format!("{}{value}", kind.name), kind.help));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> impl Iterator<Item = String> {
        line.split(' ').map(str::to_owned)
    }

    #[test]
    fn flags_are_read() {
        let Ok(Request::Play(arguments)) = parse(words("--try stop-other --try read-file=/a=b --at 3")) else {
            panic!("not understood");
        };
        let tries: Vec<_> = arguments
            .tries
            .iter()
            .map(|(kind, value)| (kind.name, value.as_deref()))
            .collect();
        assert_eq!(tries, [("stop-other", None), ("read-file", Some("/a=b"))]);
        assert_eq!(arguments.at, Some(3));
    }

    #[test]
    fn mistakes_are_named() {
        for line in [
            "--try nothing",
            "--try read-file",
            "--try stop-other=1",
            "--at",
            "--at x",
            "--what",
        ] {
            assert!(parse(words(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn kinds_have_names_of_their_own_and_help() {
        let help = help();
        for (index, kind) in KINDS.iter().enumerate() {
            assert!(
                KINDS[..index].iter().all(|other| other.name != kind.name),
                "{}",
                kind.name
            );
            assert!(help.contains(&format!("\n  {}", kind.name)), "{}", kind.name);
        }
    }
}
