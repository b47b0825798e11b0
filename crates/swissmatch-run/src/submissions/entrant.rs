//! Whose a submission is.
//!
//! May not: look at what is handed in.

use crate::event_file::EventFile;
use crate::submission_error::SubmissionError;
use swissmatch_tournament::setup::Contract;

/// What is asked of a player's archive, and where it stands in the event file.
pub(super) fn who(event: &EventFile, player: &str) -> Result<(Contract, usize), SubmissionError> {
    let setup = &event.loaded.setup;
    let file = || event.loaded.file().to_owned();
    let Some(contract) = setup.submissions.contract else {
        return Err(SubmissionError::NoContract { file: file() });
    };
    let Some(index) = setup.players.iter().position(|of| of.name == player) else {
        let waiting = setup.players.iter().filter(|player| player.awaits_submission());
        let names: Vec<&str> = waiting.map(|player| player.name.as_str()).collect();
        return Err(SubmissionError::NoPlayer {
            file: file(),
            player: player.to_owned(),
            help: match swissmatch_config::nearest(player, &names) {
                Some(near) => format!("did you mean {near:?}?"),
                None => "its [[player]] tables say who there is".to_owned(),
            },
        });
    };
    if setup.submissions.is_out(player) {
        return Err(SubmissionError::Out {
            file: file(),
            player: player.to_owned(),
        });
    }
    match setup.players[index].awaits_submission() {
        true => Ok((contract, index)),
        false => Err(SubmissionError::PlaysOtherwise {
            file: file(),
            player: player.to_owned(),
        }),
    }
}
