//! The UCI options that the event file sets for one engine, matched with those that the engine declares.
//!
//! May not: check values; that is `uci`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::uci::{self, DeclaredOption, OptionKind, find_option};
use super::variant::{self, Variant};

/// The UCI option that sets an engine's number of threads.
const THREADS: &str = "Threads";

/// Names and values as the event file has them. No two names differ in case alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WantedOptions {
    /// `player.options`: the engine must declare these.
    pub own: BTreeMap<String, String>,
    /// The `engine.options` that the player's own do not replace: set only if the engine declares them.
    pub for_all: BTreeMap<String, String>,
}

impl WantedOptions {
    /// Puts a player's own options over those for all players, name by name.
    pub fn new(own: &BTreeMap<String, String>, for_all: &BTreeMap<String, String>) -> Self {
        let mut wanted = Self {
            own: own.clone(),
            for_all: for_all.clone(),
        };
        wanted.for_all.retain(|name, _| find_key(own, name).is_none());
        wanted
    }

    /// Prepares for games of this variant. For Chess960 the engine must declare `UCI_Chess960`, as if it were its own
    /// option.
    pub fn play(&mut self, variant: Variant) {
        if variant == Variant::Chess960 {
            for options in [&mut self.own, &mut self.for_all] {
                options.retain(|name, _| !name.eq_ignore_ascii_case(variant::OPTION));
            }
            self.own.insert(variant::OPTION.to_owned(), "true".to_owned());
        }
    }

    /// The options to set in an engine that declares these: its own, declared or not, and those for all that it has.
    pub fn for_engine(&self, declared: &[DeclaredOption]) -> BTreeMap<String, String> {
        let of_all = self
            .for_all
            .iter()
            .filter(|(name, _)| find_option(declared, name).is_some());
        let all = of_all.chain(&self.own);
        all.map(|(name, value)| (name.clone(), value.clone())).collect()
    }

    /// The values of string options that may name a file in the engine's working directory, and no file elsewhere.
    pub fn file_names(&self, declared: &[DeclaredOption]) -> Vec<String> {
        let set = self.for_engine(declared).into_iter();
        let set = set.map(|(name, value)| (name, value.trim_start_matches("./").to_owned()));
        let is_name = |value: &str| !value.contains(['/', '\0']) && !matches!(value, "" | "." | "..");
        let names = set.filter(|(name, value)| {
            let option = find_option(declared, name);
            option.is_some_and(|option| option.kind == OptionKind::String || option.is_unread()) && is_name(value)
        });
        names.map(|(_, value)| value).collect()
    }

    /// The options for all that an engine with these declarations does not have.
    pub fn left_out(&self, declared: &[DeclaredOption]) -> Vec<String> {
        let of_all = self.for_all.keys();
        of_all
            .filter(|name| find_option(declared, name).is_none())
            .cloned()
            .collect()
    }

    /// The options that are set although nobody knows what values they take, under the engine's names for them.
    pub fn unread(&self, declared: &[DeclaredOption]) -> Vec<String> {
        uci::unread_options(self.for_engine(declared).keys(), declared)
    }

    pub fn has_own(&self, name: &str) -> bool {
        find_key(&self.own, name).is_some()
    }

    /// The number of threads that the engine uses: its option `Threads` as set, else the option's default, else one.
    pub fn threads(&self, declared: &[DeclaredOption]) -> u32 {
        let Some(option) = find_option(declared, THREADS) else {
            return 1;
        };
        let default = || match option.kind {
            OptionKind::Spin { default, .. } => default.and_then(|threads| u32::try_from(threads).ok()),
            _ => None,
        };
        self.value(THREADS)
            .and_then(read_threads)
            .or_else(default)
            .unwrap_or(1)
            .max(1)
    }

    /// The number of threads that the event file asks for, when nothing else is known about the engine.
    pub fn threads_asked_for(&self) -> u32 {
        self.value(THREADS).and_then(read_threads).unwrap_or(1)
    }

    fn value(&self, name: &str) -> Option<&str> {
        find_key(&self.own, name).or_else(|| find_key(&self.for_all, name))
    }
}

fn find_key<'a>(options: &'a BTreeMap<String, String>, name: &str) -> Option<&'a str> {
    let found = options.iter().find(|(other, _)| other.eq_ignore_ascii_case(name));
    found.map(|(_, value)| value.as_str())
}

fn read_threads(text: &str) -> Option<u32> {
    text.parse().ok().filter(|threads| *threads > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(own: &[(&str, &str)], for_all: &[(&str, &str)]) -> WantedOptions {
        let map = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        WantedOptions::new(&map(own), &map(for_all))
    }

    fn declared(lines: &[&str]) -> Vec<DeclaredOption> {
        lines
            .iter()
            .filter_map(|line| uci::read_option(line.as_bytes()))
            .collect()
    }

    #[test]
    fn options_for_all_are_set_where_they_are_declared() {
        let wanted = wanted(&[("Skill", "3")], &[("hash", "16"), ("SyzygyPath", "/tb")]);
        let engine = declared(&["name Hash type spin default 1 min 1 max 64", "name Skill type spin"]);
        let set: Vec<_> = wanted.for_engine(&engine).into_iter().collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(set, [pair("Skill", "3"), pair("hash", "16")]);
        assert_eq!(wanted.left_out(&engine), ["SyzygyPath"]);
        // A player's own option is always sent to the engine, so that the engine can refuse it.
        assert!(wanted.for_engine(&[]).contains_key("Skill"));
        let replaced = self::wanted(&[("hash", "1")], &[("Hash", "16")]);
        assert_eq!(replaced.for_all.len(), 0);
        assert!(wanted.has_own("SKILL") && !wanted.has_own("hash"));
    }

    #[test]
    fn options_that_were_not_understood_are_set_and_told() {
        let wanted = wanted(
            &[("style", "wild")],
            &[("Hash", "16"), ("Book", "a.bin"), ("Skill", "3")],
        );
        let engine = declared(&["name Style type combo", "name Book typ string", "name Skill type spin"]);
        assert_eq!(wanted.unread(&engine), ["Book", "Style"]);
        assert_eq!(wanted.left_out(&engine), ["Hash"]);
        let lines = uci::set_options(&wanted.for_engine(&engine), &engine).expect("all are sent");
        let expected = ["Book value a.bin", "Skill value 3", "Style value wild"];
        assert_eq!(lines, expected.map(|set| format!("setoption name {set}\n")));
        assert_eq!(wanted.file_names(&engine), ["a.bin", "wild"]);
    }

    #[test]
    fn the_variant_is_set_once() {
        let engine = declared(&["name UCI_Chess960 type check default false"]);
        let set = |own: &[(&str, &str)], for_all: &[(&str, &str)], variant: Variant| {
            let mut wanted = wanted(own, for_all);
            wanted.play(variant);
            wanted.for_engine(&engine).into_iter().collect::<Vec<_>>()
        };
        let expected = [("UCI_Chess960".to_owned(), "true".to_owned())];
        assert_eq!(set(&[], &[], Variant::Chess960), expected);
        assert_eq!(set(&[("uci_chess960", "false")], &[], Variant::Chess960), expected);
        assert_eq!(set(&[], &[("UCI_chess960", "false")], Variant::Chess960), expected);
        assert!(set(&[], &[], Variant::Standard).is_empty());
    }

    #[test]
    fn threads_are_those_set_else_the_default_else_one() {
        let with = declared(&["name Threads type spin default 2 min 1 max 1024"]);
        let odd = declared(&["name threads type spin default many"]);
        let check = |own: &[(&str, &str)], for_all: &[(&str, &str)], expected: [u32; 4]| {
            let wanted = wanted(own, for_all);
            let found = [
                wanted.threads(&with),
                wanted.threads(&odd),
                wanted.threads(&[]),
                wanted.threads_asked_for(),
            ];
            assert_eq!(found, expected, "{wanted:?}");
        };
        check(&[], &[], [2, 1, 1, 1]);
        check(&[("THREADS", "4")], &[], [4, 4, 1, 4]);
        check(&[], &[("Threads", "8")], [8, 8, 1, 8]);
        check(&[("Threads", "0")], &[], [2, 1, 1, 1]);
    }
}
