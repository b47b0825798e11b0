//! Syzygy tablebases, opened once for a run and used by all its slots.
//!
//! Only the WDL tables (`.rtbw`) are used. May not: decide what a verdict means for a game.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::{Tablebase, Wdl};

use swissmatch_game::adjudicate::TablebaseVerdict;

/// Why tablebases cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A directory, or a table in it, cannot be read.
    #[error("{} cannot be used: {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// The set is not complete.
    #[error("{missing} of the {all} tables of up to {men} men are missing, the first of them {first}.rtbw")]
    Missing {
        /// The number of missing tables.
        missing: usize,
        /// The number of tables in a complete set.
        all: usize,
        /// The most men of a position.
        men: u32,
        /// The name of one missing table.
        first: String,
        /// The number of men for which every table is there.
        complete: Option<u32>,
    },
}

/// The tables of a run.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    count: usize,
}

impl Tablebases {
    /// Finds the tables in `directories`; if two have the same one, the first counts. All tables for at most `men` men
    /// must be there. A table is opened when it is needed.
    ///
    /// # Errors
    /// A directory cannot be read, a table's size shows damage, or a table is missing.
    pub fn open(directories: &[PathBuf], men: u32) -> Result<Self, TablesError> {
        let mut tablebase = Tablebase::new();
        let mut found = HashSet::new();
        for directory in directories {
            let unreadable = |path: &Path, error| TablesError::Unreadable {
                path: path.to_path_buf(),
                error,
            };
            let entries = std::fs::read_dir(directory).map_err(|error| unreadable(directory, error))?;
            for entry in entries {
                let path = entry.map_err(|error| unreadable(directory, error))?.path();
                let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
                let Some(stem) = stem.filter(|_| path.extension().is_some_and(|extension| extension == "rtbw")) else {
                    continue;
                };
                if !found.contains(&stem) {
                    tablebase.add_file(&path).map_err(|error| unreadable(&path, error))?;
                    found.insert(stem);
                }
            }
        }
        let missing_of = |count| names(count).into_iter().filter(|name| !found.contains(name));
        let all = (3..=men).map(|count| names(count).len()).sum();
        let mut missing = (3..=men).flat_map(missing_of);
        match missing.next() {
            None => Ok(Self {
                count: found.len(),
                tables: tablebase,
            }),
            Some(first) => Err(TablesError::Missing {
                missing: 1 + missing.count(),
                all,
                men,
                first,
                complete: (3..=men).take_while(|count| missing_of(*count).next().is_none()).last(),
            }),
        }
    }

    /// The number of tables: each is an open file once it has been asked.
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The tables' verdict on a position that they cover: at most as many men as they were opened for, and no castling.
    ///
    /// # Errors
    /// A table cannot be read.
    pub fn probe(&self, position: &Chess) -> io::Result<TablebaseVerdict> {
        let wdl = self
            .tables
            .probe_wdl_after_zeroing(position)
            .map_err(io::Error::other)?;
        Ok(match wdl {
            Wdl::Win => TablebaseVerdict::Win,
            Wdl::CursedWin => TablebaseVerdict::CursedWin,
            Wdl::Draw => TablebaseVerdict::Draw,
            Wdl::BlessedLoss => TablebaseVerdict::BlessedLoss,
            Wdl::Loss => TablebaseVerdict::Loss,
        })
    }
}

/// The names of all tables with this many men, kings included, such as `KQRvKN`: the side with more men comes first, or
/// with equal numbers the stronger one.
fn names(men: u32) -> Vec<String> {
    let pieces = men.saturating_sub(2);
    let mut names = Vec::new();
    for weaker in 0..=pieces / 2 {
        let (strong, weak) = (sides(pieces - weaker), sides(weaker));
        for (rank, one) in strong.iter().enumerate() {
            let below = if weaker * 2 == pieces { rank } else { 0 };
            names.extend(weak[below..].iter().map(|other| format!("K{one}vK{other}")));
        }
    }
    names
}

/// All sets of this many men beside the king, the strongest first.
fn sides(count: u32) -> Vec<String> {
    fn add(count: u32, roles: &[char], begun: &str, sides: &mut Vec<String>) {
        if count == 0 {
            sides.push(begun.to_owned());
            return;
        }
        for (rank, role) in roles.iter().enumerate() {
            add(count - 1, &roles[rank..], &format!("{begun}{role}"), sides);
        }
    }
    let mut sides = Vec::new();
    add(count, &['Q', 'R', 'B', 'N', 'P'], "", &mut sides);
    sides
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known numbers of tables, with their names as published: <https://syzygy-tables.info>.
    #[test]
    fn every_material_has_one_table() {
        let counts = (3..=7).map(|men| names(men).len()).collect::<Vec<_>>();
        assert_eq!(counts, [5, 30, 110, 365, 1001]);
        assert_eq!(names(3), ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]);
        let four = names(4);
        for name in ["KQQvK", "KPPvK", "KQvKQ", "KRvKN", "KNvKP", "KPvKP"] {
            assert!(four.iter().any(|known| known == name), "{name}");
        }
        assert!(!four.iter().any(|name| name == "KPvKN"));
        assert!(names(6).iter().any(|name| name == "KQPvKRR"));
    }

    #[test]
    fn what_is_missing_is_named_and_how_far_the_tables_go() {
        let place = tempfile::tempdir().expect("a directory");
        let dirs = ["one", "other"].map(|name| place.path().join(name));
        for dir in &dirs {
            std::fs::create_dir(dir).expect("a directory");
        }
        let error = |men| Tablebases::open(&dirs, men).expect_err("there are not all");
        let write = |dir: usize, name: &str, bytes: usize| {
            std::fs::write(dirs[dir].join(name), vec![0; bytes]).expect("a file");
        };
        write(0, "KQvK.rtbw", 80);
        write(0, "KRvK.rtbz", 80);
        write(0, "notes.rtbw.txt", 3);
        assert_eq!(
            error(3).to_string(),
            "4 of the 5 tables of up to 3 men are missing, the first of them KRvK.rtbw"
        );
        assert!(matches!(error(4), TablesError::Missing { complete: None, .. }));
        for name in ["KRvK.rtbw", "KBvK.rtbw", "KNvK.rtbw", "KPvK.rtbw"] {
            write(1, name, 144);
        }
        assert!(Tablebases::open(&dirs, 3).is_ok(), "several directories make one set");
        assert!(matches!(
            error(4),
            TablesError::Missing {
                complete: Some(3),
                missing: 30,
                ..
            }
        ));
        // A table that was cut off while it was copied.
        write(1, "KQQvK.rtbw", 100);
        assert!(
            error(3)
                .to_string()
                .ends_with("KQQvK.rtbw cannot be used: unexpected file size")
        );
        let nowhere = [place.path().join("nowhere")];
        let error = Tablebases::open(&nowhere, 3).expect_err("there is nothing");
        assert!(matches!(error, TablesError::Unreadable { .. }));
    }

    /// A file that is not a table shows when it is asked: it gives an error, never a verdict.
    #[test]
    fn a_damaged_table_gives_no_verdict() {
        let place = tempfile::tempdir().expect("a directory");
        for name in names(3) {
            std::fs::write(place.path().join(name + ".rtbw"), [0; 80]).expect("a file");
        }
        let tables = Tablebases::open(&[place.path().to_path_buf()], 3).expect("a set by its names");
        let setup: shakmaty::fen::Fen = "4k3/8/8/8/8/8/8/R3K3 b - - 0 60".parse().expect("a FEN");
        let position = setup
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("a position");
        let error = tables.probe(&position).expect_err("it holds nothing");
        assert!(error.to_string().contains("KRvK"), "{error}");
    }
}
