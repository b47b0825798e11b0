//! The command line of the fault agent.

use std::path::PathBuf;
use std::time::Duration;

use super::kind::{Kind, When};

/// The fault asked for and when it is to show.
#[derive(Clone, Debug)]
pub(super) struct Arguments {
    /// None plays properly throughout.
    pub(super) fault: Option<Kind>,
    /// The own move of the game at which the fault shows.
    pub(super) at: usize,
    /// The fault shows at every move instead.
    pub(super) every: bool,
    /// How often the fault may show in this process.
    pub(super) times: Option<u64>,
    /// The fault shows only if this file is not there yet.
    pub(super) once_file: Option<PathBuf>,
    /// Only the first process to create this file misbehaves.
    pub(super) only_instance: Option<PathBuf>,
    /// Number of starts that fail at once, counted in `count_file`.
    pub(super) start_fails: u64,
    pub(super) count_file: Option<PathBuf>,
    ms: Option<u64>,
    /// What the kind that writes a line to its error output writes.
    pub(super) text: String,
    /// How often it writes that.
    pub(super) lines: u64,
    /// Addresses that it asks for at its door, at its first `go`.
    pub(super) connect: Vec<String>,
    /// What the processes left behind carry in their command line.
    pub(super) mark: String,
    pub(super) seed: u64,
    /// The process ends by itself after this.
    pub(super) life: Duration,
}

/// What the command line asks for.
#[derive(Clone, Debug)]
pub(super) enum Request {
    Play(Box<Arguments>),
    Help,
    /// Stay alive for so long and do nothing: how the agent runs itself when it
    /// leaves a process behind or gives up its input or output.
    Linger(Duration),
    /// Burn for a moment: a short process of the kind that hides.
    Burn,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            fault: None,
            at: 1,
            every: false,
            times: None,
            once_file: None,
            only_instance: None,
            start_fails: 0,
            count_file: None,
            ms: None,
            text: "search.cpp:3:5: runtime error: signed integer overflow: 2147483647 + 1".to_owned(),
            lines: 1,
            connect: Vec::new(),
            mark: "swissmatch-fault-agent".to_owned(),
            seed: 1,
            life: Duration::from_secs(1_800),
        }
    }
}

impl Arguments {
    /// The delay of the faults that have one.
    pub(super) fn delay(&self) -> Duration {
        let default = self.fault.map_or(0, Kind::default_ms);
        Duration::from_millis(self.ms.unwrap_or(default))
    }

    /// Whether the fault is of that kind.
    pub(super) fn is(&self, kind: Kind) -> bool {
        self.fault == Some(kind)
    }
}

/// Reads the command line.
pub(super) fn parse(mut words: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut arguments = Arguments::default();
    let mut linger = None;
    while let Some(flag) = words.next() {
        let mut value = || words.next().ok_or(format!("{flag} wants a value"));
        match flag.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            "--every" => arguments.every = true,
            "--fault" => {
                let name = value()?;
                let kind = Kind::from_name(&name).ok_or(format!("no fault {name}"))?;
                arguments.fault = Some(kind);
            }
            "--at" => arguments.at = number(&flag, &value()?)?,
            "--times" => arguments.times = Some(number(&flag, &value()?)?),
            "--once-file" => arguments.once_file = Some(value()?.into()),
            "--only-instance" => arguments.only_instance = Some(value()?.into()),
            "--start-fails" => arguments.start_fails = number(&flag, &value()?)?,
            "--count-file" => arguments.count_file = Some(value()?.into()),
            "--ms" => arguments.ms = Some(number(&flag, &value()?)?),
            "--text" => arguments.text = value()?,
            "--lines" => arguments.lines = number(&flag, &value()?)?,
            "--connect" => arguments.connect.push(value()?),
            "--mark" => arguments.mark = value()?,
            "--seed" => arguments.seed = number(&flag, &value()?)?,
            "--life" => arguments.life = Duration::from_secs(number(&flag, &value()?)?),
            "--burn" => return Ok(Request::Burn),
            "--linger" => linger = Some(Duration::from_secs(number(&flag, &value()?)?)),
            _ => return Err(format!("no flag {flag}")),
        }
    }
    if arguments.start_fails > 0 && arguments.count_file.is_none() {
        return Err("--start-fails wants a --count-file".to_owned());
    }
    Ok(match linger {
        Some(time) => Request::Linger(time),
        None => Request::Play(Box::new(arguments)),
    })
}

/// A number behind a flag.
pub(crate) fn number<T: std::str::FromStr>(flag: &str, word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{flag} wants a number, not {word}"))
}

/// The text of `--help`.
pub(super) fn help() -> String {
    let mut text = String::from(
        "UCI agent that plays random legal moves and misbehaves on request.

Usage: fault-agent [--fault KIND] [FLAGS]

  --fault KIND           how to misbehave, see below
  --at N                 misbehave at the N-th own move of the game, counted from 1
                         by the moves of the position command (default 1)
  --every                misbehave at every move
  --times K              misbehave only K times in this process
  --once-file PATH       misbehave only if PATH does not exist, and create it then
  --only-instance PATH   misbehave only in the process that creates PATH at its start
  --ms MS                delay of the kinds that have one (default 1000; sleep 100,
                         slow-uciok 5000, burn-hidden 0)
  --text TEXT            what the kind alarm writes (default: a line of a sanitizer)
  --lines N              how often (default 1); burn-hidden: of its threads
  --connect HOST:PORT    ask for a connection at the door (SWISSMATCH_CONNECT_FD) at the
                         first go, and say on standard error what came of it
  --mark TEXT            put TEXT into the command line of processes left behind
  --start-fails K        exit with code 1 at the first K starts
  --count-file PATH      where the starts are counted
  --seed N               seed of the moves (default 1)
  --life SECONDS         end by itself after so long, whatever happens (default 1800)
",
    );
    for (when, title) in [
        (When::AtGo, "Kinds that show at a go"),
        (When::Always, "Kinds that need no --at"),
    ] {
        text.push_str(&format!("\n{title}:\n"));
        for kind in Kind::ALL.iter().filter(|kind| kind.when() == when) {
            text.push_str(&format!("  {:<22} {}\n", kind.name(), kind.help()));
        }
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
        let Ok(Request::Play(arguments)) = parse(words("--fault late --at 3 --ms 70 --seed 9")) else {
            panic!("not understood");
        };
        assert!(arguments.is(Kind::Late));
        assert_eq!((arguments.at, arguments.seed), (3, 9));
        assert_eq!(arguments.delay(), Duration::from_millis(70));
    }

    #[test]
    fn mistakes_are_named() {
        for line in ["--fault nothing", "--at", "--at x", "--what", "--start-fails 2"] {
            assert!(parse(words(line)).is_err(), "{line}");
        }
    }

    #[test]
    fn help_lists_every_kind() {
        let help = help();
        for kind in Kind::ALL {
            assert!(help.contains(&format!("\n  {} ", kind.name())), "{kind:?}");
        }
    }
}
