//! Interpreters that are not the system's: below a home, in a virtual environment. An agent that is run by one reads its whole
//! prefix.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

/// Longest first line of a script that the kernel reads.
const LINE: u64 = 256;

/// The prefixes of the interpreters that run a program, with the directories of their programs: its own where it is an
/// interpreter, and that of its first line.
pub(super) fn prefixes(program: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let by = std::iter::once(program.to_path_buf()).chain(first_line(program));
    let mut found = Vec::new();
    for program in by {
        let real = std::fs::canonicalize(&program).ok();
        for path in std::iter::once(program).chain(real) {
            if let Some(prefix) = prefix(&path, home)
                && !found.contains(&prefix)
            {
                found.push(prefix);
            }
        }
    }
    found
}

/// What the first line of a script names: the interpreter, and where that is `env` the program that it looks up.
pub(super) fn first_line(script: &Path) -> Vec<PathBuf> {
    let Ok(file) = File::open(script) else {
        return Vec::new();
    };
    let mut line = Vec::new();
    let _ = BufReader::new(file.take(LINE)).read_until(b'\n', &mut line);
    let line = String::from_utf8_lossy(&line);
    let Some(words) = line.strip_prefix("#!") else {
        return Vec::new();
    };
    let mut words = words.split_whitespace();
    let interpreter = PathBuf::from(words.next().unwrap_or_default());
    let is_env = interpreter.file_name().is_some_and(|name| name == "env");
    let looked_up = words
        .find(|word| !word.starts_with('-'))
        .filter(|_| is_env)
        .and_then(look_up);
    std::iter::once(interpreter).chain(looked_up).collect()
}

/// A program of the runner's `PATH`.
fn look_up(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let mut places = std::env::split_paths(&path).filter(|place| place.is_absolute());
    places.find_map(|place| Some(place.join(name)).filter(|program| program.is_file()))
}

/// The prefix that a program is installed in, where it is an interpreter's: `bin` beside a library of its modules. Never the home
/// itself or a directory that is shared there.
fn prefix(program: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let bin = program.parent()?;
    let is_shim = bin.ends_with("shims");
    let prefix = bin.parent().filter(|_| is_shim || bin.ends_with("bin"))?;
    // pyenv and its like: a script there looks up the version, which is below the same root.
    if is_shim {
        return prefix.join("versions").is_dir().then(|| prefix.to_path_buf());
    }
    let is_shared = |home: &Path| home.starts_with(prefix) || prefix == home.join(".local");
    if prefix.starts_with("/usr") || prefix == Path::new("/") || home.is_some_and(is_shared) {
        return None;
    }
    let is_environment = prefix.join("pyvenv.cfg").is_file();
    let has_modules = || {
        let libraries = std::fs::read_dir(prefix.join("lib")).into_iter().flatten().flatten();
        let mut names = libraries.map(|entry| entry.file_name().to_string_lossy().into_owned());
        names.any(|name| {
            ["python", "node_modules", "pypy", "ruby", "jvm", "modules", "lua"]
                .iter()
                .any(|begin| name.starts_with(begin))
        })
    };
    (is_environment || has_modules()).then(|| prefix.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_virtual_environment_is_granted_and_a_home_is_not() {
        let place = tempfile::tempdir().expect("a directory");
        let home = place.path();
        for directory in [
            "venv/bin",
            "bin",
            ".local/bin",
            ".local/lib/python3.11",
            "lib/python3",
            "nvm/bin",
            "nvm/lib/node_modules",
        ] {
            std::fs::create_dir_all(home.join(directory)).expect("a directory");
        }
        std::fs::write(home.join("venv/pyvenv.cfg"), "").expect("a file");
        let of = |program: &str| prefix(&home.join(program), Some(home));
        assert_eq!(of("venv/bin/python"), Some(home.join("venv")));
        assert_eq!(of("nvm/bin/node"), Some(home.join("nvm")));
        assert_eq!(of("bin/python"), None, "the home is not a prefix");
        assert_eq!(of(".local/bin/python"), None);
        assert_eq!(of("venv/engine"), None);
        std::fs::write(
            home.join("engine"),
            format!("#!{}\n", home.join("venv/bin/python").display()),
        )
        .expect("a file");
        assert_eq!(prefixes(&home.join("engine"), Some(home)), [home.join("venv")]);
        std::fs::write(home.join("engine"), "#!/usr/bin/env -S sh -x\n").expect("a file");
        assert!(first_line(&home.join("engine"))[1].ends_with("sh"));
    }
}
