//! The agents that use most of what this machine lacks: processes and threads, memory, and room for what they write.
//!
//! Each may stay below its own limits while several together exceed what there is. May not: end any process.

use std::collections::BTreeMap;
use std::path::Path;

use rustix::process::Pid;
use swiss_system::count;
use swiss_system::text::harmless;

use super::engine::EngineCommand;
use super::usage::{self, disk};
use super::{family, launch};
use swissmatch_game::resource::bytes;

/// What the engines of an agent use together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Use {
    processes: u64,
    memory: u64,
    disk: u64,
}

/// The agents that use most of each, as a sentence without its end; `agents` are all there are.
pub(super) fn heaviest(agents: &[EngineCommand]) -> Option<String> {
    let mut uses: BTreeMap<String, Use> = BTreeMap::new();
    for agent in agents {
        let confined = agent.launch.confinement.iter();
        let places = confined.flat_map(|confinement| &confinement.writes);
        let holds: u64 = places.map(|place| disk::size(Path::new(place))).sum();
        uses.entry(agent.name.clone()).or_default().disk += holds;
    }
    for pid in family::children(rustix::process::getpid()) {
        if let Some(of) = kept_by(pid).and_then(|name| uses.get_mut(&name)) {
            let (processes, memory) = usage::tally(pid);
            of.processes += processes;
            of.memory += memory;
        }
    }
    in_words(&uses)
}

/// The player whose engine a process keeps; `None` if it is not a keeper.
fn kept_by(pid: Pid) -> Option<String> {
    let words = std::fs::read(format!("/proc/{}/cmdline", pid.as_raw_nonzero())).ok()?;
    let mut words = words.split(|byte| *byte == 0).skip(1);
    (words.next()? == launch::ARGUMENT.as_bytes())
        .then(|| String::from_utf8_lossy(words.next().unwrap_or_default()).into_owned())
}

fn in_words(uses: &BTreeMap<String, Use>) -> Option<String> {
    let most = |of: fn(&Use) -> u64| {
        let (name, used) = uses.iter().max_by_key(|(_, used)| of(used))?;
        (of(used) > 0).then(|| (harmless(name), of(used)))
    };
    let parts = [
        most(|used| used.disk).map(|(name, used)| format!("{name} with {} where it may write", bytes(used))),
        most(|used| used.memory).map(|(name, used)| format!("{name} with {} of memory", bytes(used))),
        most(|used| used.processes).map(|(name, used)| {
            format!(
                "{name} with {}",
                count::of(used, "process or thread", "processes and threads")
            )
        }),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("of the agents, these use most of this machine: {}", parts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_uses_most_of_what() {
        let of = |processes, memory, disk| Use {
            processes,
            memory,
            disk,
        };
        let mut uses = BTreeMap::from([
            ("Alpha".to_owned(), of(1, 300 << 20, 4096)),
            ("Bravo\u{1b}[2J".to_owned(), of(800, 10 << 20, 0)),
            ("Charlie".to_owned(), of(2, 1 << 20, 3 << 30)),
        ]);
        assert_eq!(
            in_words(&uses).expect("something is used"),
            "of the agents, these use most of this machine: Charlie with 3.0 GiB where it may write, Alpha with 300.0 MiB of memory, \
             Bravo[2J with 800 processes and threads"
        );
        uses.values_mut().for_each(|used| *used = Use::default());
        assert_eq!(in_words(&uses), None);
    }
}
