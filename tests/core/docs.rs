//! What is written about the program: paths that exist, and the words of docs/glossary.md.
#![expect(clippy::disallowed_methods, reason = "it reads the pages and the source")]

use std::path::{Path, PathBuf};

use super::tidy::{root, sources_of_packages};

/// Where a path of modules may begin that names no crate of the library: the program, the lowest crate, the tests.
const ROOTS: [&str; 4] = ["src", "crates/swiss-system/src", "tests/core", "tests/whole"];
/// Crates of the library, as paths of modules name them.
const CRATES: [(&str, &str); 12] = [
    ("swiss_system", "crates/swiss-system"),
    ("stats", "crates/swissmatch-stats"),
    ("game", "crates/swissmatch-game"),
    ("adapter", "crates/swissmatch-adapter"),
    ("tournament", "crates/swissmatch-tournament"),
    ("report", "crates/swissmatch-report"),
    ("config", "crates/swissmatch-config"),
    ("broker", "crates/swissmatch-broker"),
    ("shell", "crates/swissmatch-host"),
    ("run", "crates/swissmatch-run"),
    ("web", "crates/swissmatch-web"),
    ("workers", "crates/swissmatch-workers"),
];
/// What paths in the repository begin with.
const FOLDERS: [&str; 8] = [
    "benches/",
    "configs/",
    "crates/",
    "docs/",
    "engines/",
    "examples/",
    "src/",
    "tests/",
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All pages for people.
pub(super) fn pages() -> Vec<PathBuf> {
    let named = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let of_crates = CRATES.map(|(_, dir)| root().join(dir).join("README.md"));
    let docs = std::fs::read_dir(root().join("docs")).expect("the folder is there");
    let docs = docs.flatten().map(|entry| entry.path());
    let docs = docs.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let named = named.into_iter().map(|page| root().join(page));
    named.chain(of_crates).chain(docs).collect()
}

/// What stands between two marks, line by line.
fn between<'a>(text: &'a str, mark: &'a str) -> impl Iterator<Item = &'a str> {
    text.lines().flat_map(move |line| line.split(mark).skip(1).step_by(2))
}

/// The file of the module that a path begins with, and the names in it that follow; in a crate that may be its front page.
fn file_of<'a>(base: &str, names: &'a [&'a str]) -> Option<(PathBuf, &'a [&'a str])> {
    (0..=names.len()).rev().find_map(|length| {
        let (module, rest) = names.split_at(length);
        let path = root().join(base).join(module.join("/"));
        let files = [path.with_extension("rs"), path.join("mod.rs"), path.join("lib.rs")];
        let file = files.into_iter().find(|file| file.exists())?;
        Some((file, rest))
    })
}

/// Whether a path of modules leads to what it names: a file that has these names.
fn leads_somewhere(path: &str) -> bool {
    let names: Vec<&str> = path.trim_end_matches('!').split("::").collect();
    let of_crate = CRATES.iter().find(|(name, _)| names.first() == Some(name));
    let in_crate = of_crate.map(|(_, dir)| (format!("{dir}/src"), &names[1..]));
    let elsewhere = ROOTS.map(|base| (base.to_owned(), &names[..]));
    in_crate.into_iter().chain(elsewhere).any(|(base, names)| {
        file_of(&base, names).is_some_and(|(file, rest)| {
            let text = read(&file);
            let mut words = rest.iter();
            words.all(|name| {
                text.split(|c: char| !c.is_alphanumeric() && c != '_')
                    .any(|word| word == *name)
            })
        })
    })
}

/// Paths of modules (`tournament::director::next`) and of files (`src/lib.rs`) that pages for developers name.
#[test]
fn paths_that_are_named_exist() {
    let mut count = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        for name in between(&read(&root().join(page)), "`") {
            let is_path = |c: char| c.is_ascii_alphanumeric() || "_:!".contains(c);
            let begins_with_a_module = name.starts_with(|c: char| c.is_ascii_lowercase());
            if name.contains("::") && begins_with_a_module && name.chars().all(is_path) {
                assert!(leads_somewhere(name), "{page}: `{name}`");
                count += 1;
            }
            // Capitals stand for any name.
            let is_file = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-./".contains(c);
            if FOLDERS.iter().any(|folder| name.starts_with(folder)) && name.chars().all(is_file) {
                assert!(root().join(name).exists(), "{page}: `{name}`");
                count += 1;
            }
        }
    }
    assert!(count > 80, "{count} paths");
}

/// Files and folders that the README of a crate names: its own, or those of the repository.
#[test]
fn files_that_a_crate_names_exist() {
    for (_, dir) in CRATES {
        let page = root().join(dir).join("README.md");
        let text = read(&page);
        let names = between(&text, "`").filter(|name| name.ends_with(".rs") || name.ends_with('/'));
        for name in names {
            let places = [root().join(dir).join("src"), root().join(dir), root().to_owned()];
            assert!(
                places.iter().any(|place| place.join(name).exists()),
                "{}: `{name}`",
                page.display()
            );
        }
    }
}

/// The words that docs/glossary.md has in bold, which are never right.
fn wrong_words() -> Vec<String> {
    let glossary = read(&root().join("docs/glossary.md"));
    let rows = glossary.lines().filter(|line| line.starts_with('|'));
    let wrong = rows.filter_map(|row| row.split('|').nth(3));
    wrong.flat_map(|cell| between(cell, "**").map(str::to_owned)).collect()
}

/// A wrong word in a text, also as a plural.
fn wrong_word<'a>(text: &str, wrong: &'a [String]) -> Option<&'a str> {
    let text = text.to_lowercase();
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let stands_in = |word: &&String| {
        text.match_indices(word.as_str()).any(|(at, found)| {
            let (before, after) = (&text[..at], &text[at + found.len()..]);
            let after = after.strip_prefix('s').unwrap_or(after);
            !is_letter(before.chars().next_back()) && !is_letter(after.chars().next())
        })
    };
    wrong.iter().find(stands_in).map(String::as_str)
}

/// The numbered lines of a page, without its blocks of code.
fn prose(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    (1..).zip(page.lines()).filter(move |(_, line)| {
        let is_fence = line.starts_with("```");
        is_code ^= is_fence;
        !is_fence && !is_code
    })
}

/// A line without what stands in quotation marks or as code: words of others, and values.
fn own_words(line: &str) -> String {
    let line: String = line.split('`').step_by(2).collect();
    line.split('"').step_by(2).collect()
}

#[test]
fn pages_have_the_words_of_the_glossary() {
    let wrong = wrong_words();
    assert!(wrong.len() >= 10, "{wrong:?}");
    // The list itself, and the words of other programs.
    let is_own = |page: &PathBuf| !page.ends_with("docs/glossary.md") && !page.ends_with("docs/peers.md");
    for page in pages().into_iter().filter(is_own) {
        for (number, line) in prose(&read(&page)) {
            let found = wrong_word(&own_words(line), &wrong);
            assert_eq!(found, None, "{}:{number}: {line}", page.display());
        }
    }
}

/// Help is the doc comments of the command line; messages are texts of several words.
#[test]
fn help_and_messages_have_the_words_of_the_glossary() {
    let wrong = wrong_words();
    for (path, text) in sources_of_packages() {
        let is_test = path.iter().any(|part| part == "tests") || path.ends_with("tests.rs");
        if is_test {
            continue;
        }
        let is_help = path.starts_with(root().join("src/cli"));
        for (number, line) in (1..).zip(text.lines().map(str::trim)) {
            let at = format!("{}:{number}: {line}", path.display());
            if is_help && line.starts_with("///") {
                assert_eq!(wrong_word(&own_words(line), &wrong), None, "{at}");
            }
            if line.starts_with("//") {
                continue;
            }
            for message in between(line, "\"").filter(|text| text.contains(' ')) {
                assert_eq!(wrong_word(message, &wrong), None, "{at}");
            }
        }
    }
}
