//! Tournament files from outside: `pair`, `verify-pairings`, `generate`.

mod generate;
mod pair;
mod verify_pairings;

use std::path::Path;
use std::path::PathBuf;

use swiss_system::trf;
use swiss_system::trf::PlayerRecord;
use swiss_system::trf::Record;
use swiss_system::trf::RoundCell;
use swiss_system::trf::Tournament;

use crate::support::Place;

/// The files of the repository whose name `wanted` likes, with their names, sorted.
fn files(wanted: impl Fn(&str) -> bool) -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dutch");
    let entries = std::fs::read_dir(folder).expect("it is in the repository").flatten();
    let mut files: Vec<(String, PathBuf)> = entries
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .filter(|(name, _)| wanted(name))
        .collect();
    files.sort();
    files
}

/// Five players after two of four rounds.
const SMALL: &str = "\
012 Small
062 5
142 4
152 W
001    1      Ann                               2100                             2.0    1     3 w 1     5 b 1
001    2      Ben                               2000                             2.0    2     4 b 1     3 w 1
001    3      Cem                               1900                             0.0    5     1 b 0     2 b 0
001    4      Dov                               1800                             1.0    3     2 w 0  0000 - U
001    5      Eli                               1700                             1.0    4  0000 - U     1 w 0
";

/// Four players who have all met, before the fourth of four rounds.
const ALL_HAVE_MET: &str = "\
012 All have met
142 4
152 W
001    1      Ann                               2100                             3.0    1     3 w 1     2 b 1     4 w 1
001    2      Ben                               2000                             1.5    2     4 b 1     1 w 0     3 b =
001    3      Cem                               1900                             1.5    3     1 b 0     4 w 1     2 w =
001    4      Dov                               1800                             0.0    4     2 w 0     3 b 0     1 b 0
";

impl Place {
    /// Writes the tournament that `generate` makes of these flags, up to the last round that can be paired.
    fn generated(&self, name: &str, flags: &[&str]) {
        let args = [&["generate", "--stop-early", "--output", name], flags].concat();
        self.swissmatch(&args).expect_code(0);
    }
}

fn tournament(text: &str) -> Tournament {
    trf::read(text.as_bytes()).expect("a tournament file").tournament
}

/// The same tournament, each player changed.
fn with_players(text: &str, mut change: impl FnMut(&mut PlayerRecord)) -> String {
    let mut changed = tournament(text);
    for record in &mut changed.records {
        if let Record::Player(player) = record {
            change(player);
        }
    }
    trf::write(&changed).expect("still a tournament file")
}

/// The same tournament with other cells in one round (from 1), by number from 1.
fn with_round(text: &str, round: usize, cells: &[RoundCell]) -> String {
    with_players(text, |player| {
        player.rounds.truncate(round - 1);
        player.rounds.push(cells[player.number as usize - 1]);
        player.points = None;
    })
}
