//! A separate program that plays an event: `cargo run --example play EVENT.toml DIRECTORY`

use std::error::Error;
use std::path::PathBuf;

use swissmatch::report;
use swissmatch::run::{EventFile, Run, this_machine};

fn main() -> Result<(), Box<dyn Error>> {
    swissmatch::begin();
    let words: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [file, directory] = &words[..] else {
        return Err("play EVENT.toml DIRECTORY".into());
    };
    let event = EventFile::read(file)?;
    let host = this_machine(&event)?;
    let run = Run::create(event, directory, host, &mut |notice| eprintln!("{notice}"))?;
    let state = run.play(&mut [])?.state;
    println!("{}", report::parts::standings(&state, state.rounds_over()).text(None));
    Ok(())
}
