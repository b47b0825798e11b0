//! Plays an event on a machine that has so many GPUs of NVIDIA, whatever this one has: `gpus EVENT.toml DIRECTORY COUNT`. With one
//! word more that is the first one's device node.

use std::error::Error;
use std::path::PathBuf;

use swissmatch::run::{EventFile, Run};
use swissmatch::shell::gpus::{Listing, gpus_of};
use swissmatch::shell::local::LocalHost;

fn main() -> Result<(), Box<dyn Error>> {
    swissmatch::begin();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [file, directory, count, node @ ..] = &words[..] else {
        return Err("gpus EVENT.toml DIRECTORY COUNT [NODE]".into());
    };
    let count: u32 = count.parse()?;
    let listing = Listing {
        nodes: (0..count).map(|number| format!("nvidia{number}")).collect(),
        ..Listing::default()
    };
    let event = EventFile::read(&PathBuf::from(file))?;
    let mut gpus = gpus_of(&listing);
    if let (Some(gpu), [node]) = (gpus.first_mut(), node) {
        gpu.nodes = vec![node.clone()];
    }
    let host = LocalHost::new(&event.directory, None).with_gpus(gpus);
    let directory = PathBuf::from(directory);
    Run::create(event, &directory, Box::new(host), &mut |_| {})?.play(&mut [])?;
    Ok(())
}
