//! Two builds of swissmatch over one corpus: what they say, write and end with, compared. `make compare OLD=… [ONLY=…]`; CONTRIBUTING.md,
//! "Two builds".
#![expect(
    clippy::disallowed_methods,
    reason = "a program of the tests runs programs and reads files"
)]

mod corpus;
mod differences;
mod document;
mod play;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use differences::{Differences, Habits, differences, in_both, print};
use document::Documents;
use play::Plays;
use rayon::prelude::*;

/// How often both builds play a test that differs: what differs each time is no chance.
const PLAYS: usize = 4;

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let old = words.next().expect("the old program");
    let only: Vec<String> = words.collect();
    let plays = Plays::new(Path::new(env!("CARGO_MANIFEST_DIR")), Path::new(&old));
    let names = plays.names(&only);
    let read = |tapes: &[PathBuf], name: &String| -> Vec<Documents> {
        tapes.iter().map(|tape| Documents::of_tape(&tape.join(name))).collect()
    };

    let (mut olds, mut news) = (Vec::new(), Vec::new());
    let mut habits = Habits::default();
    let mut found: BTreeMap<String, Differences> = BTreeMap::new();
    let mut left = names.clone();
    for at in 0..PLAYS {
        olds.push(plays.tape("old", at, &left));
        news.push(plays.tape("new", at, &left));
        let read = left
            .par_iter()
            .map(|name| (name.clone(), (read(&olds, name), read(&news[at..], name).remove(0))));
        let read: BTreeMap<String, (Vec<Documents>, Documents)> = read.collect();
        // One play shows no chance.
        if at > 0 {
            read.values().for_each(|(olds, _)| habits.learn(olds));
        }
        left.retain(|name| {
            let (olds, new) = &read[name];
            let now = differences(olds, new, &habits);
            let now = found.remove(name).map_or(now.clone(), |before| in_both(before, &now));
            let differs = !now.is_empty();
            found.insert(name.clone(), now);
            differs
        });
    }
    found.iter().for_each(|(name, found)| print(name, found));
    let folders = |tapes: &[PathBuf]| -> Vec<PathBuf> {
        let all = tapes.iter().flat_map(|tape| names.iter().map(|name| tape.join(name)));
        all.collect()
    };
    for tape in folders(&[&olds[..], &news[..]].concat())
        .iter()
        .filter(|tape| tape.join("failed").exists())
    {
        println!("{}: the test fails", tape.join("said").display());
    }

    let runs: Vec<PathBuf> = folders(&[olds[0].clone(), news[0].clone()])
        .iter()
        .flat_map(|tape| corpus::runs_in(tape))
        .collect();
    let crossed = runs.par_iter().map(|run| {
        let [old, new] = plays.programs().map(|program| corpus::read(&program, run));
        differences(&[old], &new, &Habits::default())
    });
    let crossed: Vec<Differences> = crossed.collect();
    for (run, found) in runs.iter().zip(&crossed) {
        print(&format!("read by both: {}", run.display()), found);
    }
    let differing = left.len() + crossed.iter().filter(|found| !found.is_empty()).count();
    println!("{} tests and parts, {differing} differ", names.len());
    ExitCode::from(u8::from(differing > 0))
}
