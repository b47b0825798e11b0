//! Checks of agents' devices.
//!
//! May not: look whether a device is there; that is the host's task.

use crate::value::shown;
use crate::{ConfigError, LoadedEvent};

/// Refuses too few GPUs: any two players may meet, so there must be enough for the game of two that needs most.
pub(super) fn check(loaded: &LoadedEvent) -> Result<(), ConfigError> {
    let (players, gpus) = (&loaded.setup.players, &loaded.setup.run.gpus);
    let mut needing = (0..).zip(players).filter(|(_, player)| player.needs_gpu());
    let refused = |index: usize, message: String, help: &str| {
        Err(ConfigError {
            help: Some(help.to_owned()),
            ..loaded.error_at_player(index, "player.devices", message)
        })
    };
    match (needing.next(), needing.next(), gpus.as_slice()) {
        (Some((index, player)), _, []) => {
            let message = format!("{} needs a GPU, and run.gpus names none", shown(&player.name));
            refused(
                index,
                message,
                "write gpus = [0] under [run], with the numbers of the GPUs",
            )
        }
        (Some((_, one)), Some((index, other)), [gpu]) => {
            let (one, other) = (shown(&one.name), shown(&other.name));
            let message = format!("a game of {one} and {other} needs two GPUs, and run.gpus names one");
            let help =
                format!("add a GPU to run.gpus; gpus = [{gpu}, {gpu}] lets two engines share the one that there is");
            refused(index, message, &help)
        }
        _ => Ok(()),
    }
}
