//! Whether the rules of a ladder go on from those by which its rounds were played: versions are appended, nothing else changes.
//!
//! May not: decide which version a round is played by.

use std::fmt;
use std::path::Path;

use super::rounds_of;
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::open_run::OpenRun;
use jiff::Timestamp;
use swissmatch_config::{take_to, that_may_change};
use swissmatch_host::run_dir::{self, LADDER};
use swissmatch_tournament::setup::{RulesKeys, Setup};

/// What is amiss with the rules of an event, or of a round.
#[derive(Debug)]
pub(super) struct Odd {
    at: At,
    message: String,
    help: &'static str,
}

/// Where it stands.
#[derive(Debug)]
enum At {
    /// A `[[rules]]`, by its place.
    Rules(usize),
    Key(&'static str),
    /// It does not stand there any more.
    Nowhere,
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let At::Key(key) = self.at {
            write!(f, "{key}: ")?;
        }
        f.write_str(&self.message)
    }
}

/// That an event goes on from the rules of the last round, with the setup `last`; `is_locked`: no other round comes.
///
/// # Errors
/// Where it does not, in the event file.
pub(super) fn require(event: &EventFile, last: &Setup, is_locked: bool) -> Result<(), RunError> {
    let loaded = &event.loaded;
    goes_on(last, &loaded.setup, is_locked).map_err(|odd| {
        let mut error = match odd.at {
            At::Rules(place) => loaded.error_at_rules(place, odd.message, odd.help),
            At::Key(key) => loaded.error_at(key, odd.message),
            At::Nowhere => loaded.error_at("rules", odd.message),
        };
        error.help = Some(odd.help.to_owned());
        RunError::Event(error)
    })
}

/// The same of two setups.
pub(super) fn goes_on(last: &Setup, now: &Setup, is_locked: bool) -> Result<(), Odd> {
    let odd = |at: At, message: String, help: &'static str| Err(Odd { at, message, help });
    let moment = |at: Timestamp| now.schedule.time_zone.moment(at);
    let Some(round) = &last.ladder.round else { return Ok(()) };
    let (number, due) = (round.number, moment(round.due));
    let held = last.version() - 1;
    for (place, rules) in last.rules.iter().take(held).enumerate() {
        let from = moment(rules.from);
        match now.rules.get(place) {
            Some(same) if same == rules => {}
            Some(_) => {
                return odd(
                    At::Rules(place),
                    format!("it is not as it was when round {number} of the ladder was played by it ({due})"),
                    "write it as it was, and what changes in another [[rules]] with a later time",
                );
            }
            None => {
                return odd(
                    At::Nowhere,
                    format!(
                        "the [[rules]] from {from} is gone, and round {number} of the ladder was played by it ({due})"
                    ),
                    "put it back, and write what changes in another one with a later time",
                );
            }
        }
    }
    if let Some((place, _)) = (now.rules.iter().enumerate().skip(held)).find(|(_, rules)| rules.from <= round.due) {
        return odd(
            At::Rules(place),
            format!("round {number} of the ladder was due at {due}, and was played without it"),
            "write a later time",
        );
    }
    let mut then = now.clone();
    if let Err(error) = take_to(&mut then, held + 1) {
        return odd(At::Nowhere, error.to_string(), "write it as a key takes it");
    }
    let mut keys = that_may_change(last).zip(that_may_change(&then));
    if let Some(((key, was), (_, is))) = keys.find(|((_, was), (_, is))| was != is) {
        return odd(
            At::Key(key),
            format!("it is {is}, and round {number} of the ladder was played by {was}"),
            "write that again, and what changes in a [[rules]] with a time to come",
        );
    }
    if !is_locked || now.rules == last.rules {
        return Ok(());
    }
    let changed = now
        .rules
        .iter()
        .zip(&last.rules)
        .take_while(|(now, last)| now == last)
        .count();
    let help = "write the [[rules]] as they were: the event is played by those that the last round of its ladder knew";
    match now.rules.get(changed) {
        Some(_) => odd(
            At::Rules(changed),
            format!("nobody knew it when the last round of the ladder was played ({due})"),
            help,
        ),
        None => odd(
            At::Nowhere,
            format!("a [[rules]] is gone that the last round of the ladder knew ({due})"),
            help,
        ),
    }
}

/// The versions of the rules of a run: of a round of a ladder also those that came after it.
///
/// # Errors
/// When a run of the same event cannot be read.
pub fn known_rules(run: &OpenRun) -> Result<Vec<RulesKeys>, RunError> {
    let own = run.state.setup().rules.clone();
    let Some(ladder) = run
        .dir
        .parent()
        .filter(|dir| run.state.setup().ladder.round.is_some() && dir.ends_with(LADDER))
    else {
        return Ok(own);
    };
    let event = ladder.parent().unwrap_or(Path::new("."));
    let rounds = rounds_of(event)?
        .into_iter()
        .rev()
        .map(|number| ladder.join(number.to_string()));
    let newest = std::iter::once(event.to_path_buf())
        .chain(rounds)
        .find(|dir| run_dir::log(dir).exists());
    match newest {
        Some(newest) => Ok(OpenRun::open(Some(&newest))?.state.setup().rules.clone()),
        None => Ok(own),
    }
}

/// That the keys of a setup are those of the version that its time asks for.
///
/// # Errors
/// The key that is not.
pub(super) fn is_of_its_version(setup: &Setup) -> Result<(), String> {
    let mut by_version = setup.clone();
    take_to(&mut by_version, setup.version()).map_err(|error| error.to_string())?;
    let mut keys = that_may_change(setup).zip(that_may_change(&by_version));
    match keys.find(|((_, is), (_, due))| is != due) {
        Some(((key, is), (_, due))) => Err(format!(
            "{key} is {is}, and version {} of the rules has {due}",
            setup.version()
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_tournament::setup::LadderRound;

    #[test]
    fn a_log_whose_keys_are_not_those_of_its_version_is_found() {
        let text = "[submissions]\ncontract = \"uci\"\nlock = 2026-09-30T00:00:00Z\n[ladder]\nschedule = \"hourly\"\n\
                    [game]\nmax_plies = 400\n[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n\
                    [[rules]]\nfrom = 2026-09-11T00:00:00Z\nwhy = \"Too long.\"\ngame.max_plies = 300\n";
        let event = EventFile::parse(Path::new("event.toml"), text).expect("an event");
        for (day, version, other, says) in [
            (10, 1, 300, "game.max_plies is 300, and version 1 of the rules has 400"),
            (12, 2, 400, "game.max_plies is 400, and version 2 of the rules has 300"),
        ] {
            let due = format!("2026-09-{day}T10:00:00Z").parse().expect("a time");
            let mut setup = event.in_force(due).loaded.setup;
            setup.ladder.round = Some(LadderRound {
                number: 1,
                due,
                submissions: 0,
                previous: None,
            });
            assert_eq!((setup.version(), is_of_its_version(&setup)), (version, Ok(())));
            setup.game.max_plies = Some(other);
            assert_eq!(is_of_its_version(&setup), Err(says.to_owned()));
        }
    }
}
