//! What is told between games: play-offs, who is there, workers.

use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::escaped;
use swissmatch_report as report;
use swissmatch_tournament::log::{Absence, PlayoffPaired, PresenceChecked, WorkerAdmitted};
use swissmatch_tournament::state::State;

use super::Console;
use super::line::{PlayoffRoundLine, RunLine};

impl Console {
    pub(super) fn playoff_paired(&self, state: &State, paired: &PlayoffPaired) {
        let name = |number: PairingNumber| state.player(number).name.as_str();
        let boards = paired.boards.iter();
        let pairs: Vec<String> = boards
            .map(|board| format!("{} – {}", name(board.white), name(board.black)))
            .collect();
        self.say(&format!("Play-off round {}: {}", paired.playoff, pairs.join(", ")));
        if let Some(later) = paired.later {
            self.say(&format!("warning: {}", report::playoff::later(later)));
        }
        self.json(|| RunLine::PlayoffPaired(PlayoffRoundLine::new(state, paired)));
    }

    pub(super) fn presence_checked(&self, state: &State, checked: &PresenceChecked) {
        let name = |absence: &Absence| format!("{} ({})", state.player(absence.player).name, absence.why);
        let absent: Vec<String> = checked.absent.iter().map(name).collect();
        if !absent.is_empty() {
            self.say(&format!("absent from round {}: {}", checked.round, absent.join(", ")));
        }
        self.json(|| RunLine::PresenceChecked {
            round: checked.round,
            absent: &absent,
        });
    }

    pub(super) fn worker_admitted(&self, admitted: &WorkerAdmitted) {
        let (worker, class) = (escaped(&admitted.worker), escaped(&admitted.class));
        self.say(&format!("worker {worker} plays too, on a machine of the class {class}"));
        self.json(|| RunLine::WorkerAdmitted {
            worker: &admitted.worker,
            class: &admitted.class,
        });
    }
}
