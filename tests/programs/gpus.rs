//! Plays an event on a machine that has so many GPUs of NVIDIA, whatever this one has: `gpus EVENT.toml DIRECTORY COUNT`

use std::error::Error;
use std::path::PathBuf;

use swissmatch::run::{EventFile, Run};
use swissmatch::shell::gpus::{Listing, gpus_of};
use swissmatch::shell::host::local::LocalHost;

fn main() -> Result<(), Box<dyn Error>> {
    swissmatch::begin();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, directory, count] = &words[..] else {
        return Err("gpus EVENT.toml DIRECTORY COUNT".into());
    };
    let count: u32 = count.parse()?;
    let listing = Listing {
        nodes: (0..count).map(|number| format!("nvidia{number}")).collect(),
        ..Listing::default()
    };
    let event = EventFile::read(&PathBuf::from(file))?;
    let host = LocalHost::new(&event.directory, None).with_gpus(gpus_of(&listing));
    let directory = PathBuf::from(directory);
    Run::create(event, &directory, Box::new(host), &mut |_| {})?.play(&mut [])?;
    Ok(())
}
