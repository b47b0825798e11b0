//! The pages beside the program: no flag, command or key in them that is not there, and none that no page names.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use swissmatch::config::{ENDPOINT_KEYS, KEYS, PLAYER_KEYS};

use crate::cli::commands;
use crate::support::Place;

/// Flags of other programs, which pages name beside ours.
const OTHERS: [&str; 19] = [
    "--uci",
    "--net",
    "--book",
    "--dutch",
    "--release",
    "--bench",
    "--fault",
    "--bins",
    "--check",
    "--create-home",
    "--follow",
    "--home-dir",
    "--now",
    "--scope",
    "--system",
    "--unit",
    "--user",
    "--compliance",
    "--engines",
];
/// Pages about other programs.
const OF_OTHERS: [&str; 1] = ["peers.md"];

/// README and all pages below docs, with their text.
fn pages() -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![root.join("README.md")];
    for dir in ["docs", "docs/tutorials"] {
        let entries = std::fs::read_dir(root.join(dir))
            .expect("the folder is there")
            .flatten();
        found.extend(entries.map(|entry| entry.path()));
    }
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let is_ours = |path: &PathBuf| !OF_OTHERS.iter().any(|other| path.ends_with(other));
    let pages = found.into_iter().filter(|path| is_page(path) && is_ours(path));
    pages
        .map(|path| (path.clone(), std::fs::read_to_string(&path).expect("a page")))
        .collect()
}

/// The words of a text that begin with `--`.
fn flags(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let starts = text.match_indices("--").filter(|&(at, _)| {
        let before = text[..at].chars().next_back();
        before.is_none_or(|c| !is_part(c) && c != '<' && c != '!' && !c.is_alphanumeric())
    });
    let words = starts.map(|(at, _)| text[at..].chars().take_while(|c| is_part(*c)).collect::<String>());
    words.filter(|word| word.len() > 3 && !word.ends_with('-')).collect()
}

/// Every flag of every command, and the names of commands and their subcommands, as help has them.
fn known(place: &Place) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut known = flags(&place.swissmatch(&["--help"]).stdout());
    let mut names = BTreeSet::new();
    for command in commands(place) {
        let help = place.swissmatch(&[&command, "--help"]).stdout();
        known.extend(flags(&help));
        names.insert(command.clone());
        let Some((_, list)) = help.split_once("\nCommands:\n") else {
            continue;
        };
        let of = list.lines().take_while(|line| !line.is_empty());
        let of = of.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
        for name in of
            .filter_map(|line| line.split_whitespace().next())
            .filter(|name| *name != "help")
        {
            known.extend(flags(&place.swissmatch(&[&command, name, "--help"]).stdout()));
            names.insert(format!("{command} {name}"));
        }
    }
    (known, names)
}

#[test]
fn flags_and_commands_of_the_pages_are_those_of_help() {
    let (known, names) = known(&Place::new());
    assert!(known.len() > 80 && names.len() > 40, "{known:?} {names:?}");
    let pages = pages();
    for (page, text) in &pages {
        let dead: Vec<String> = flags(text)
            .into_iter()
            .filter(|flag| !known.contains(flag) && !OTHERS.contains(&flag.as_str()))
            .collect();
        assert_eq!(dead, [""; 0], "{}: no command has these flags", page.display());
    }
    let all: String = pages.into_values().collect();
    for name in names {
        // A page about a command names what is below it by its last word.
        let last = name.split(' ').next_back().unwrap_or_default();
        let named = [
            format!("swissmatch {name}"),
            format!("`{name}`"),
            format!("`{last} "),
            format!("`{last}`"),
        ];
        assert!(named.iter().any(|named| all.contains(named)), "no page names `{name}`");
    }
}

#[test]
fn keys_of_the_pages_are_there() {
    let known: BTreeSet<&str> = KEYS
        .iter()
        .map(|key| key.path)
        .chain(ENDPOINT_KEYS.iter().map(|key| key.path))
        .chain(PLAYER_KEYS.iter().map(|key| key.path))
        .collect();
    let tables: BTreeSet<&str> = known
        .iter()
        .filter_map(|path| path.split_once('.'))
        .map(|(table, _)| table)
        .collect();
    let mut count = 0;
    for (page, text) in pages() {
        for code in text.split('`').skip(1).step_by(2) {
            let path: String = code
                .chars()
                .take_while(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '.'))
                .collect();
            let path = path.trim_end_matches('.');
            // A call of a function of somebody else is none.
            let is_call = code[path.len()..].starts_with('(');
            let Some((table, key)) = path.split_once('.').filter(|_| !is_call) else {
                continue;
            };
            let is_file = [
                "toml", "md", "json", "jsonl", "lock", "pgn", "csv", "sqlite", "log", "err", "rs", "trf", "sock",
            ]
            .contains(&key.split('.').next().unwrap_or(key));
            if !tables.contains(table) || is_file || key.is_empty() {
                continue;
            }
            assert!(known.contains(path), "{}: there is no key {path}", page.display());
            count += 1;
        }
    }
    assert!(count > 100, "{count} keys");
}
