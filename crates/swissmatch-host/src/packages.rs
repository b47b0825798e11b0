//! The packages installed in a Python environment, by the lists that installers leave: the `RECORD` of each package
//! names its files with their hashes.
//!
//! May not: read the files themselves, which can be gigabytes: changes by hand after the installation go unseen.

use std::io;
use std::path::Path;

use super::file_hash::hash_file;
use super::files::about;
use swissmatch_tournament::setup::Package;

/// The ending of a package's directory that tells what is installed.
const ENDING: &str = ".dist-info";
/// Its list of files; if an installer left none, its description of itself.
const LISTS: [&str; 2] = ["RECORD", "METADATA"];

/// The packages of an environment (venv), by name.
///
/// # Errors
/// It cannot be read.
pub fn packages(environment: &Path) -> io::Result<Vec<Package>> {
    let mut packages = Vec::new();
    for python in names(&environment.join("lib"))?
        .iter()
        .filter(|name| name.starts_with("python"))
    {
        let site = environment.join("lib").join(python).join("site-packages");
        for directory in names(&site)? {
            let Some((name, version)) = directory.strip_suffix(ENDING).and_then(|name| name.rsplit_once('-')) else {
                continue;
            };
            let lists = LISTS.map(|list| site.join(&directory).join(list));
            let Some(list) = lists.iter().find(|list| list.is_file()) else {
                continue;
            };
            packages.push(Package {
                name: name.to_owned(),
                version: version.to_owned(),
                sha256: hash_file(list).map_err(|error| about(list, &error))?.sha256,
            });
        }
    }
    packages.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
    Ok(packages)
}

/// The entries of a directory, in any order; empty if there is no directory.
fn names(directory: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(about(directory, &error)),
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    names
        .collect::<io::Result<_>>()
        .map_err(|error| about(directory, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_known_by_its_list_of_files() {
        let place = tempfile::tempdir().expect("a directory");
        let site = place.path().join("lib/python3.12/site-packages");
        let install = |package: &str, list: &str, text: &str| {
            let directory = site.join(package);
            std::fs::create_dir_all(&directory).expect("it is made");
            std::fs::write(directory.join(list), text).expect("it is written");
        };
        assert_eq!(packages(place.path()).expect("read"), []);
        install("numpy-2.1.0.dist-info", "RECORD", "numpy/__init__.py,sha256=a,1\n");
        install("chess-1.11.dist-info", "METADATA", "Name: chess\n");
        install("numpy", "RECORD", "");
        let first = packages(place.path()).expect("read");
        let names: Vec<[&str; 2]> = first
            .iter()
            .map(|package| [package.name.as_str(), package.version.as_str()])
            .collect();
        assert_eq!(names, [["chess", "1.11"], ["numpy", "2.1.0"]]);
        install("numpy-2.1.0.dist-info", "RECORD", "numpy/__init__.py,sha256=b,1\n");
        let second = packages(place.path()).expect("read");
        assert_eq!(first[0], second[0]);
        assert_ne!(first[1], second[1]);
    }
}
