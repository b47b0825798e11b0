//! Hostile agents: what they try, as one table; that it succeeds where nothing isolates them, and that
//! it comes to nothing where they are isolated.

mod held;
mod open;
mod stage;
mod table;

use std::process::Command;

use crate::support::engine;

/// A kind of harm that the hostile agent gets is not forgotten here.
#[test]
fn every_kind_of_harm_has_a_row() {
    let help = Command::new(engine("hostile-agent")).arg("--help").output();
    let help = String::from_utf8(help.expect("hostile-agent runs").stdout).expect("text");
    let (_, kinds) = help.split_once("\nKinds:\n").expect("a list of kinds");
    let names = kinds.lines().filter_map(|line| line.trim().split([' ', '=']).next());
    let has_row = |name: &str| {
        table::TABLE
            .iter()
            .chain(table::PROGRAMS)
            .any(|row| row.harm.split('=').next() == Some(name))
    };
    let missing: Vec<&str> = names.filter(|name| !has_row(name)).collect();
    assert!(missing.is_empty(), "no row for {missing:?}");
}
