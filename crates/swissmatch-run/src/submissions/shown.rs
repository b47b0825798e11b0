//! What an author may read of what was printed: without the places of the organizer's machine.
//!
//! May not: make a text harmless; it is that already.

use std::path::{Path, PathBuf};

/// Paths, and what stands for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown(Vec<(String, &'static str)>);

impl Shown {
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
        self.0.iter().fold(text.to_owned(), without)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_the_organizers_are_not_told() {
        let shown = Shown::default()
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
        ] {
            assert_eq!(shown.of(text), expected);
        }
    }
}
