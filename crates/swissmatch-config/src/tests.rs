//! Wrong files and right ones, all through `load`.

mod adjudication;
mod eligibility;
mod engines;
mod formats;
mod ladder;
mod models;
mod openings;
mod read;
mod refused;
mod rules;
mod schedule;
mod sections;
mod sprt;
mod stop;
mod submissions;

use std::path::Path;

use proptest::prelude::*;

use super::*;

/// Two players, for texts about something else.
const PLAYERS: &str = "\n[[player]]\nname = \"A\"\ncommand = \"a\"\n[[player]]\nname = \"B\"\ncommand = \"b\"\n";

fn load_text(text: &str) -> Result<LoadedEvent, ConfigError> {
    load(Path::new("event.toml"), text, &[])
}

fn loaded(text: &str) -> LoadedEvent {
    load_text(&format!("{text}{PLAYERS}")).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks the message that refuses `text` with two players after it, without the file's name.
#[track_caller]
fn check(text: &str, expected: &str) {
    check_whole(&format!("{text}{PLAYERS}"), expected);
}

/// Checks the message that refuses `text` alone, without the file's name.
#[track_caller]
fn check_whole(text: &str, expected: &str) {
    match load_text(text) {
        Ok(_) => panic!("loads: {text}"),
        Err(error) => assert_eq!(
            error.to_string().strip_prefix("event.toml:").map(str::trim_start),
            Some(expected)
        ),
    }
}

fn with_flag(key: &str, value: &str) -> Result<LoadedEvent, ConfigError> {
    load(Path::new("event.toml"), PLAYERS, &[Flag::set(key, value)])
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,60}|([a-z_.\\[\\]\" =0-9\n{},]|\\[game\\]\n|\\[\\[player\\]\\]\n|name = \"x\"\n){0,40}") {
        let _ = load_text(&text);
    }

    /// Any value of a real key is read or refused; a setup that was read prints as a text that reads the same.
    #[test]
    fn any_value_of_any_key(
        key in 0..KEYS.len(),
        value in "-?[0-9]{1,30}|[0-9]\\.[0-9e]{1,5}|\"[a-z0-9/+.\\-]{0,9}\"|\\[(\"[a-z2-]{1,12}\"|[0-9.]{1,3})\\]|true|\\{\\}",
    ) {
        let text = format!("{} = {value}\n{PLAYERS}", KEYS[key].path);
        if let Ok(loaded) = load_text(&text) {
            let again = load_text(&effective(&loaded)).map(|loaded| loaded.setup);
            prop_assert_eq!(again, Ok(loaded.setup));
        }
    }

    #[test]
    fn any_text_of_any_flag(key in 0..KEYS.len(), value in "\\PC{0,20}") {
        let _ = with_flag(KEYS[key].path, &value);
    }
}
