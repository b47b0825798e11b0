//! Whether the rules of a ladder go on from those by which its rounds were played: versions are appended, nothing else changes.
//!
//! May not: decide which version a round is played by.

use std::fmt;
use std::path::Path;

use super::event::again;
use super::rounds_of;
use crate::error::RunError;
use crate::event_file::EventFile;
use crate::open_run::OpenRun;
use jiff::Timestamp;
use swiss_system::text::harmless;
use swissmatch_config::{Class, ConfigError, difference, take_to, that_may_change};
use swissmatch_host::run_dir::{self, LADDER};
use swissmatch_tournament::setup::{RuleChange, RulesKeys, Setup};

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
    /// The time of a `[[rules]]`, by its place.
    Rules(usize),
    /// The reason that it gives.
    Why(usize),
    Key(String),
    /// A key above all `[[rules]]`.
    Top(String),
    /// It does not stand there any more.
    Nowhere,
}

impl fmt::Display for Odd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = match &self.at {
            At::Rules(_) => "rules.from",
            At::Why(_) => "rules.why",
            At::Key(key) | At::Top(key) => key,
            At::Nowhere => "rules",
        };
        write!(f, "{key}: {}", self.message)
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
            At::Why(place) => ConfigError {
                key: "rules.why".to_owned(),
                ..loaded.error_at_rules(place, odd.message, odd.help)
            },
            At::Key(key) => loaded.error_at(&key, odd.message),
            At::Top(key) => loaded.in_force(Timestamp::MIN).error_at(&key, odd.message),
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
        let Some(same) = now.rules.get(place) else {
            let from = moment(rules.from);
            let gone =
                format!("the [[rules]] from {from} is gone, and round {number} of the ladder was played by it ({due})");
            return odd(At::Nowhere, gone, to_put_back(is_locked));
        };
        if let Some((at, is, was)) = differs(place, rules, same, moment) {
            let message = format!("it is {is}, and round {number} of the ladder was played by {was} ({due})");
            return odd(at, message, to_write_again(is_locked));
        }
    }
    if let Some((place, _)) = (now.rules.iter().enumerate().skip(held)).find(|(_, rules)| rules.from <= round.due) {
        return odd(
            At::Rules(place),
            format!("round {number} of the ladder was due at {due}, and was played without it"),
            "write a later time",
        );
    }
    let then = match again(now, last) {
        Ok(then) => then,
        Err(error) => return odd(At::Nowhere, error.to_string(), "write it as a key takes it"),
    };
    let mut changes = difference(last, &then).into_iter();
    if let Some(change) = changes.find(|change| change.class == Class::Results && is_of_both(&change.key, last, &then))
    {
        let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "not set".to_owned());
        let (is, was) = (value(&change.new), value(&change.old));
        let message = match change.key.as_str() {
            // The log has what follows from it alone.
            "event.rng_seed" => format!("round {number} of the ladder was played by another one"),
            _ => format!("it is {is}, and round {number} of the ladder was played by {was}"),
        };
        let help = match that_may_change(last).any(|(key, _)| key == change.key) {
            true => to_write_again(is_locked),
            false => "write that again: it stays as it is until the end of the event",
        };
        return odd(At::Key(change.key), message, help);
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

const fn to_write_again(is_locked: bool) -> &'static str {
    match is_locked {
        true => "write that again",
        false => "write that again, and what changes in a [[rules]] with a time to come",
    }
}

const fn to_put_back(is_locked: bool) -> &'static str {
    match is_locked {
        true => "put it back",
        false => "put it back, and write what changes in another one with a later time",
    }
}

/// Whether a key is none of a service that only one of two setups has.
fn is_of_both(key: &str, last: &Setup, now: &Setup) -> bool {
    let Some(key) = key.strip_prefix("endpoint.") else {
        return true;
    };
    let has = |setup: &Setup| {
        let mut names = setup.endpoints.iter().map(|endpoint| &endpoint.name);
        names.any(|name| key.strip_prefix(name).is_some_and(|key| key.starts_with('.')))
    };
    has(last) && has(now)
}

/// Where two `[[rules]]` in the same place differ, and how: what is there, and what was.
fn differs(
    place: usize,
    was: &RulesKeys,
    is: &RulesKeys,
    moment: impl Fn(Timestamp) -> String,
) -> Option<(At, String, String)> {
    for change in &was.changes {
        // The tables before it are as they were: what it had before stands above them all.
        let mut same = is.changes.iter().filter(|same| same.key == change.key);
        if let Some(same) = same.find(|same| same.old != change.old) {
            return Some((At::Top(change.key.clone()), same.old.clone(), change.old.clone()));
        }
    }
    let new = |rules: &RulesKeys, key: &str| {
        let mut changes = rules.changes.iter().filter(|change| change.key == key);
        changes.next().map(|change| change.new.clone())
    };
    for RuleChange { key, old, .. } in was.changes.iter().chain(&is.changes) {
        let [is, was] = [is, was].map(|rules| new(rules, key).unwrap_or_else(|| old.clone()));
        if is != was {
            return Some((At::Key(key.clone()), is, was));
        }
    }
    let quoted = |text: &str| format!("\"{}\"", harmless(text));
    if is.from != was.from {
        return Some((At::Rules(place), moment(is.from), moment(was.from)));
    }
    (is.why != was.why).then(|| (At::Why(place), quoted(&is.why), quoted(&was.why)))
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
    use super::super::event::setup as of_round;
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

    /// An event with these keys and one `[[rules]]`.
    fn event(keys: &str, rules: &str) -> EventFile {
        let text = format!(
            "submissions.contract = \"get-move\"\nsubmissions.lock = 2026-09-30T00:00:00Z\nladder.schedule = \"hourly\"\n\
             {keys}[[player]]\nname = \"A\"\n[[player]]\nname = \"B\"\n[[rules]]\n{rules}"
        );
        EventFile::parse(Path::new("event.toml"), &text).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Of an event, by whose second version round 3 was played.
    const KEYS: &str = "game.max_plies = 400\n";
    const RULES: &str = "from = 2026-09-11T00:00:00Z\nwhy = \"Too long.\"\ngame.max_plies = 300\ngame.ponder = true\n";

    fn round_3() -> Setup {
        let due = "2026-09-12T10:00:00Z".parse().expect("a time");
        let round = LadderRound {
            number: 3,
            due,
            submissions: 0,
            previous: None,
        };
        of_round(&event(KEYS, RULES).in_force(due).loaded.setup, round)
    }

    /// What is refused after round 3.
    fn refused(keys: &str, rules: &str, is_locked: bool) -> String {
        let refused = require(&event(keys, rules), &round_3(), is_locked).err();
        refused.map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn what_a_round_was_played_by_stays() {
        for (key, says) in [
            (
                "engine.max_memory = 512",
                "it is 512, and round 3 of the ladder was played by not set",
            ),
            (
                "engine.restart = \"game\"",
                "it is \"game\", and round 3 of the ladder was played by \"never\"",
            ),
            ("engine.options = { Hash = 8 }", "it is { Hash = \"8\" }, and round 3"),
            ("engine.exec = \"own\"", "it is \"own\", and round 3"),
            ("faults.no_show = \"game\"", "it is \"game\", and round 3"),
            (
                "scoring.game = [2, 1, 0]",
                "it is { win = 2, draw = 1, loss = 0 }, and round 3",
            ),
            ("event.rng_seed = 7", "round 3 of the ladder was played by another one"),
            ("submissions.function = \"other\"", "it is \"other\", and round 3"),
        ] {
            for is_locked in [false, true] {
                let said = refused(&format!("{KEYS}{key}\n"), RULES, is_locked);
                let (name, _) = key.split_once(" =").expect("a key");
                assert!(said.contains(&format!("{name}: {says}")), "{key}: {said}");
                assert!(
                    said.contains("write that again: it stays as it is") && !said.contains("[[rules]]"),
                    "{said}"
                );
            }
        }
    }

    #[test]
    fn what_may_change_between_rounds_is_taken() {
        let keys = "ladder.games = 1\nladder.fixed = { Z = 1500 }\nrun.concurrency = 1\npublish.submissions = true\nprizes.by_place = [5]\n\
                    submissions.out = [\"B\"]\nspending.event = 5.0\nendpoint.new.url = \"http://localhost:1/v1\"\n";
        let house = format!("{RULES}[[player]]\nname = \"Z\"\ncommand = \"greedy\"\n");
        assert_eq!(refused(&format!("{KEYS}{keys}"), &house, true), "");
        let appended =
            format!("{RULES}[[rules]]\nfrom = 2026-09-13T00:00:00Z\nwhy = \"Too short.\"\ngame.max_plies = 350\n");
        assert_eq!(refused(KEYS, &appended, false), "");
    }

    #[test]
    fn a_table_that_was_changed_is_told_by_its_key() {
        let of = |from: &str, to: &str| RULES.replace(from, to);
        for (keys, rules, says) in [
            (
                "game.max_plies = 500\n",
                RULES.to_owned(),
                "game.max_plies: it is 500, and round 3 of the ladder was played by 400",
            ),
            (
                KEYS,
                of("300", "350"),
                "game.max_plies: it is 350, and round 3 of the ladder was played by 300",
            ),
            (
                KEYS,
                of("game.ponder = true\n", ""),
                "game.ponder: it is false, and round 3 of the ladder was played by true",
            ),
            (
                KEYS,
                format!("{RULES}game.max_moves = 9\n"),
                "game.max_moves: it is 9, and round 3 of the ladder was played by 200",
            ),
            (
                KEYS,
                of("Too long.", "So."),
                "rules.why: it is \"So.\", and round 3 of the ladder was played by \"Too long.\"",
            ),
            (KEYS, of("-11T00", "-11T01"), "rules.from: it is 2026-09-11 01:00:00"),
        ] {
            let said = refused(keys, &rules, false);
            assert!(
                said.contains(says) && said.contains("what changes in a [[rules]]"),
                "{said}"
            );
            // What stands above all tables is blamed there.
            assert_eq!(said.starts_with("event.toml:4:"), keys != KEYS, "{said}");
            let said = refused(keys, &rules, true);
            assert!(said.contains(says) && !said.contains("[[rules]]"), "{said}");
        }
    }

    #[test]
    fn who_sits_out_of_a_round_has_won_nothing() {
        let nothing = swiss_system::score::Points::ZERO;
        assert_eq!(round_3().bye_points().in_round(2), (nothing, nothing));
        // A round that was played when a bye had its worth is gone on from.
        let mut before = round_3();
        before.bye = swissmatch_tournament::setup::ByeKeys::default();
        assert!(goes_on(&before, &event(KEYS, RULES).loaded.setup, false).is_ok());
    }

    #[test]
    fn a_round_goes_on_as_it_was_begun_with_what_may_change_meanwhile() {
        let then = round_3();
        let keys = "spending.event = 5.0\nladder.games = 1\nsubmissions.out = [\"B\"]\n";
        let rules =
            format!("{RULES}[[rules]]\nfrom = 2026-09-13T00:00:00Z\nwhy = \"Too short.\"\ngame.max_plies = 350\n");
        let now = again(&event(&format!("{KEYS}{keys}"), &rules).loaded.setup, &then).expect("keys");
        let changes: Vec<String> = difference(&then, &now).into_iter().map(|change| change.key).collect();
        assert_eq!(changes, ["spending.event"]);
    }
}
