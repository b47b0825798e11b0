//! What happened to a game beside its moves: rulings of the arbiter, annulled results, games played again.
//!
//! May not: write movetext; tell who ruled and why, which the minutes do.

use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::is_won_by_draw;
use crate::games::{self, Ruling};
use crate::untrusted::name;
use swissmatch_game::record::{AttemptEnd, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_tournament::state::{EndedGame, State};

/// Most characters that are shown of text in place of a move.
const NO_MOVE_CHARS: usize = 24;

/// The PGN tags on rulings, annulments and replays, with their values.
pub(super) fn tags(state: &State, game: &EndedGame) -> Vec<(&'static str, String)> {
    let mut marks = Vec::new();
    let (outcome, termination) = (game.finished.outcome, game.finished.termination);
    if let Some(made_of_it) = made_of_it(game) {
        let ended = format!("{}, {}", outcome.word(), termination.word());
        marks.push(("Ruling", format!("{made_of_it}; it had ended {ended}")));
    } else if Ruling::on(game) == Some(Ruling::Adjudicated) {
        marks.push(("Ruling", format!("the arbiter gave it {}", outcome.word())));
    }
    if let Some(player) = games::annulled(state, game) {
        let of = name(state, player);
        marks.push((
            "Annulled",
            format!("{of} is disqualified, and its results are annulled"),
        ));
    }
    if game.finished.is_taken {
        marks.push(("Taken", "from an earlier run, where it was played".to_owned()));
    }
    let times = games::replays(state, game);
    if times > 0 {
        let again = match times {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            times => format!("{times} times"),
        };
        marks.push((
            "Replayed",
            format!("{again} by order of the arbiter; this is the last playing"),
        ));
    }
    marks
}

/// The arbiter's ruling on a game that had ended.
fn made_of_it(game: &EndedGame) -> Option<String> {
    match Ruling::on(game)? {
        Ruling::Void => Some("void by the arbiter".to_owned()),
        Ruling::Set => Some(format!("{} by the arbiter", game.outcome().word())),
        Ruling::Adjudicated => None,
    }
}

pub(super) struct Reason {
    /// By itself, with an engine's text in place of a move.
    pub(super) by_itself: String,
    /// The arbiter's ruling; nothing of it comes from an agent.
    pub(super) made_of_it: Option<String>,
}

impl Reason {
    pub(super) fn new(state: &State, game: &EndedGame, record: Option<&GameRecord>) -> Self {
        let odds = || is_won_by_draw(state, game).then(|| "Black wins the Armageddon game".to_owned());
        Self {
            by_itself: by_itself(game, record),
            made_of_it: made_of_it(game).or_else(odds),
        }
    }
}

fn by_itself(game: &EndedGame, record: Option<&GameRecord>) -> String {
    let attempts = record.map_or(0, GameRecord::last_attempts);
    let sentence = game.finished.termination.sentence(game.finished.outcome, attempts);
    let last = record.and_then(|record| record.failed_attempts.last());
    match (game.finished.termination, last.map(|attempt| &attempt.end)) {
        (Termination::IllegalMove { .. }, Some(AttemptEnd::Illegal(said) | AttemptEnd::Unparsable(said))) => {
            // A closing brace would end the comment, an opening one mislead readers.
            let said: String = harmless(said)
                .chars()
                .filter(|c| !matches!(c, '{' | '}'))
                .take(NO_MOVE_CHARS)
                .collect();
            let said = said.trim();
            if said.is_empty() {
                sentence
            } else {
                format!("{sentence}: {said}")
            }
        }
        (
            Termination::IllegalMove { .. },
            Some(end @ (AttemptEnd::Empty | AttemptEnd::Truncated | AttemptEnd::Refused)),
        ) => {
            format!("{sentence}: {end}")
        }
        _ => sentence,
    }
}
