//! What an author may read of what was printed: without the places of the organizer's machine.
//!
//! May not: make a text harmless; it is that already.

use std::path::{Path, PathBuf};

/// Where the modules of Python are below its root.
const LIBRARY: &str = "/lib/python3";

/// Paths, and what stands for each.
#[derive(Clone, Debug, Default)]
pub(super) struct PathAliases(Vec<(String, &'static str)>);

impl PathAliases {
    /// The same with what stands for a directory, as it is named and as it is; before those that it is in.
    pub(super) fn with(mut self, directory: &Path, instead: &'static str) -> Self {
        let named = std::path::absolute(directory).ok();
        let real = std::fs::canonicalize(directory).ok();
        let paths = named.into_iter().chain(real).filter(|path| path != Path::new("/"));
        self.0.extend(paths.map(|path| (path.display().to_string(), instead)));
        self
    }

    /// The same with what stands for an interpreter and its modules, where they are not those of the system.
    pub(super) fn with_interpreter(self, program: &Path) -> Self {
        let real = std::fs::canonicalize(program).ok();
        let root = |program: PathBuf| Some(program.parent()?.parent()?.to_path_buf());
        let roots = [Some(program.to_path_buf()), real]
            .into_iter()
            .flatten()
            .filter_map(root);
        roots
            .filter(|root| root != Path::new("/usr"))
            .fold(self, |shown, root| shown.with(&root, "python"))
    }

    /// A text of the kind.
    pub(super) fn of(&self, text: &str) -> String {
        let without = |text: String, (path, instead): &(String, &str)| match instead.is_empty() {
            true => text.replace(&format!("{path}/"), "").replace(path.as_str(), "."),
            false => text.replace(path.as_str(), instead),
        };
        without_python(&self.0.iter().fold(text.to_owned(), without))
    }
}

/// A text without where the library of an interpreter is that is not the system's, as `#!/usr/bin/env python3` may find one.
fn without_python(text: &str) -> String {
    let Some((before, after)) = text.split_once(LIBRARY) else {
        return text.to_owned();
    };
    let begins = before.rfind([' ', '"', '\'', '(', '=']).map_or(0, |at| at + 1);
    let root = &before[begins..];
    let root = match root.starts_with(['/', '~']) && root != "/usr" {
        true => "python",
        false => root,
    };
    format!("{}{root}{LIBRARY}{}", &before[..begins], without_python(after))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_organizers_are_not_told() {
        let shown = PathAliases::default()
            .with(Path::new("/home/o/results/s/submissions/versions/7"), "")
            .with_interpreter(Path::new("/home/o/envs/s/bin/python"))
            .with(Path::new("/home/o"), "");
        for (text, expected) in [
            (
                "File \"/home/o/results/s/submissions/versions/7/a/b.py\", line 3",
                "File \"a/b.py\", line 3",
            ),
            (
                "File \"/home/o/envs/s/lib/python3.12/json/decoder.py\"",
                "File \"python/lib/python3.12/json/decoder.py\"",
            ),
            (
                "no such file: '/home/o/net.bin' in /home/o",
                "no such file: 'net.bin' in .",
            ),
            ("/usr/lib/python3.12/ast.py", "/usr/lib/python3.12/ast.py"),
            (
                "File \"/root/.pyenv/versions/3/lib/python3.12/ast.py\", see /opt/p/lib/python3.12",
                "File \"python/lib/python3.12/ast.py\", see python/lib/python3.12",
            ),
        ] {
            assert_eq!(shown.of(text), expected);
        }
    }
}
