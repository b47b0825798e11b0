//! A program of its own that plays an event: `cargo run --example play EVENT.toml DIRECTORY`

use std::error::Error;
use std::path::PathBuf;

use swissmatch::run::event_file::read_text;
use swissmatch::run::{EventFile, Prepared, Taken};
use swissmatch::{config, report};

fn main() -> Result<(), Box<dyn Error>> {
    swissmatch::begin();
    let words: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [file, directory] = &words[..] else {
        return Err("play EVENT.toml DIRECTORY".into());
    };
    let event = EventFile::of(config::load(file, &read_text(file)?, &[])?, file)?;
    let prepared = Prepared::new(event, directory, false, &mut |notice| eprintln!("{notice}"))?;
    let table = match prepared.take(&mut |notice| eprintln!("{notice}"))? {
        Taken::Run(run) => {
            let state = run.play(&mut [])?.state;
            report::parts::standings(&state, state.rounds_over()).text(None)
        }
        Taken::Over(over) => report::parts::standings(over.state(), over.state().rounds_over()).text(None),
    };
    println!("{table}");
    Ok(())
}
