//! The shape of the source, kept by a test: file length, what is done in one place, no marks of unfinished work.
#![expect(clippy::disallowed_methods, reason = "it reads the source")]

mod circles;
mod public;

use std::path::{Path, PathBuf};

/// The modules of `swiss-system`, lowest first; each uses only those before it, and itself. Above it Cargo holds the order.
const LAYERS: [&str; 9] = [
    "count",
    "text",
    "word",
    "decimal",
    "score",
    "lot",
    "trf",
    "pairing",
    "standings",
];
/// Where `swiss-system` has its sources.
const LOWEST: &str = "crates/swiss-system/src";
/// Where there are sources.
const FOLDERS: [&str; 6] = ["crates", "src", "engines", "examples", "tests", "benches"];
/// A longer file has two subjects.
const LONGEST: usize = 600;

pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All Rust files below `dir`, with their text.
pub(super) fn sources(dir: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut dirs = vec![root().join(dir)];
    while let Some(dir) = dirs.pop() {
        for entry in std::fs::read_dir(&dir).expect("the folder is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("the file is text");
                found.push((path, text));
            }
        }
    }
    assert!(!found.is_empty(), "{dir} holds sources");
    found
}

/// All Rust files of the library and the program, with their text.
pub(super) fn sources_of_packages() -> impl Iterator<Item = (PathBuf, String)> {
    ["crates", "src"].into_iter().flat_map(sources).filter(|(path, _)| {
        let inside = path.strip_prefix(root()).expect("below it");
        inside.components().any(|part| part.as_os_str() == "src")
    })
}

/// Which of the layers a text mentions, in `use` lines or not.
fn mentioned(text: &str) -> Vec<&'static str> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let paths: Vec<&str> = code.flat_map(|line| line.split("crate::").skip(1)).collect();
    let name = |path: &str| {
        path.chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect::<String>()
    };
    let layers = LAYERS.into_iter();
    layers
        .filter(|layer| paths.iter().any(|path| name(path) == *layer))
        .collect()
}

#[test]
fn each_layer_uses_only_those_below_it() {
    for (path, text) in sources(LOWEST) {
        let inside = path.strip_prefix(root().join(LOWEST)).expect("below it");
        let first = inside
            .components()
            .next()
            .expect("a name")
            .as_os_str()
            .to_string_lossy();
        let layer = first.trim_end_matches(".rs");
        if layer == "lib" {
            continue;
        }
        let height = LAYERS.iter().position(|known| *known == layer);
        let height = height.unwrap_or_else(|| panic!("{layer} is no layer: {}", path.display()));
        for used in mentioned(&text) {
            assert!(
                LAYERS[..=height].contains(&used),
                "{}: {layer} may not use {used}",
                path.display()
            );
        }
        let grouped = text.lines().find(|line| line.contains("use crate::{"));
        assert_eq!(
            grouped,
            None,
            "{}: one path a line, so that layers can be read",
            path.display()
        );
    }
}

/// The command line decides nothing about a run: what a run is made of is none of its business.
#[test]
fn the_command_line_knows_only_runs() {
    for (path, text) in sources("src/cli") {
        for part in [
            "store",
            "writer",
            "slot",
            "host",
            "engine",
            "agents",
            "cores",
            "desk",
            "gallery",
            "evaluator",
        ] {
            let names = [format!("swissmatch_host::{part}"), format!("swissmatch_host::{{{part}")];
            let used = names.iter().any(|name| text.contains(name.as_str()));
            assert!(!used, "{}: swissmatch_host::{part} belongs to run", path.display());
        }
    }
}

#[test]
fn the_layers_stand_in_lib_rs_in_their_order() {
    let text = std::fs::read_to_string(root().join(LOWEST).join("lib.rs")).expect("lib.rs is there");
    let declared: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'))
        .collect();
    assert_eq!(declared, LAYERS);
}

#[test]
fn no_file_is_longer_than_one_subject() {
    for dir in FOLDERS {
        for (path, text) in sources(dir) {
            let lines = text.lines().count();
            assert!(
                lines <= LONGEST,
                "{} has {lines} lines, at most {LONGEST}",
                path.display()
            );
        }
    }
}

#[test]
fn every_module_says_what_it_is() {
    for (path, text) in sources_of_packages() {
        assert!(text.starts_with("//! "), "{} does not say what it is", path.display());
    }
}

#[test]
fn points_are_never_floats() {
    for layer in ["crates/swiss-system/src", "crates/swissmatch-tournament/src"] {
        // JSON's libraries hand over numbers as floats; this module passes them on as text, and counts with none.
        let counting = sources(layer)
            .into_iter()
            .filter(|(path, _)| !path.ends_with("crates/swiss-system/src/decimal.rs"));
        for (path, text) in counting {
            for float in ["f64", "f32"] {
                let mut words = text.split(|c: char| !c.is_alphanumeric());
                assert!(!words.any(|word| word == float), "{}: {float}", path.display());
            }
        }
    }
}

/// Where the machine gives no thread that is an error, never a panic: one place sees to it.
#[test]
fn threads_are_started_in_one_place() {
    for (path, text) in sources_of_packages() {
        let is_test = path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        if is_test || path.ends_with("swissmatch-host/src/threads.rs") {
            continue;
        }
        for start in [
            "thread::spawn",
            "scope.spawn",
            "spawn_scoped",
            "thread::Builder",
            "ThreadPoolBuilder",
            "rayon::spawn",
        ] {
            assert!(!text.contains(start), "{}: {start}", path.display());
        }
    }
}

/// What becomes of a write that fails is decided in one place.
#[test]
fn standard_output_is_written_in_one_place() {
    for (path, text) in sources("src/cli") {
        if !path.ends_with("output.rs") {
            for call in ["stdout()", "print!(", "println!("] {
                let text = text.replace("eprint", "");
                assert!(
                    !text.contains(call),
                    "{}: {call} belongs to cli::output",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn nothing_is_left_unfinished() {
    // Put together so that this file does not find itself.
    let marks = [
        "to".to_owned() + "do!(",
        "unimpl".to_owned() + "emented!(",
        "FIX".to_owned() + "ME",
        "#[al".to_owned() + "low(",
    ];
    for dir in FOLDERS {
        for (path, text) in sources(dir) {
            for mark in &marks {
                assert!(!text.contains(mark.as_str()), "{}: {mark}", path.display());
            }
        }
    }
}

/// What replaces a file is on the disk before it does, and only `crates/swissmatch-host/src/files.rs` sees to that.
#[test]
fn files_are_written_in_one_place() {
    let calls = [
        "rename(",
        "fs::write(",
        "File::create",
        "OpenOptions",
        "create_dir_all(",
    ];
    for (path, text) in sources_of_packages() {
        let is_its_place = path.ends_with("crates/swissmatch-host/src/files.rs");
        if is_its_place
            || path
                .components()
                .any(|part| part.as_os_str().to_string_lossy().starts_with("tests"))
        {
            continue;
        }
        let code = text
            .split("#[cfg(test)]")
            .next()
            .unwrap_or_default()
            .replace("files::rename(", "");
        for call in calls {
            assert!(
                !code.contains(call),
                "{}: {call}) belongs to shell::files",
                path.display()
            );
        }
    }
}

/// The module that a file of `tests/` is, as test filters name it, without the program.
fn module_of(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("tests")).expect("below tests");
    let parts = inside.with_extension("");
    let parts = parts.iter().skip(1).map(|part| part.to_string_lossy());
    parts.map(|part| format!("{part}::")).collect()
}

/// A test that the usual run leaves out says which target of the Makefile runs it, and that one does.
#[test]
fn a_target_runs_each_test_that_is_left_out() {
    let makefile = std::fs::read_to_string(root().join("Makefile")).expect("it is there");
    let recipe = |target: &str| -> String {
        let lines = makefile
            .lines()
            .skip_while(|line| !line.starts_with(&format!("{target}:")));
        lines.take_while(|line| !line.is_empty()).collect()
    };
    // Put together so that this file does not find itself.
    let mark = "#[ig".to_owned() + "nore";
    for (path, text) in sources("tests") {
        let module = module_of(&path);
        for reason in text.split(mark.as_str()).skip(1) {
            let at = format!("{}: {}", path.display(), reason.lines().next().unwrap_or_default());
            let target = reason.split_once(": make ").and_then(|(_, rest)| rest.split_once('"'));
            let (target, _) = target.unwrap_or_else(|| panic!("{at}"));
            let recipe = recipe(target);
            let mut filters = recipe.split(' ').filter(|word| word.ends_with("::"));
            assert!(filters.any(|filter| module.starts_with(filter)), "{at}");
            assert!(recipe.contains("ignored"), "{at}");
        }
    }
}
