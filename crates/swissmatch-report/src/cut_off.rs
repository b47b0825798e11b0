//! Answers that were cut off at their limit of tokens, and the games lost by them, in words. Such a game ends as `illegal-move`.
//!
//! May not: count; `game::record::Asked` does.

use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;

use super::untrusted::name;
use swissmatch_game::record::{AttemptEnd, GameRecord};
use swissmatch_game::termination::Termination;
use swissmatch_tournament::figures::PlayerFigures;
use swissmatch_tournament::setup::MoveSource;
use swissmatch_tournament::state::State;

/// The limit, if it is the model's own: `at 500 tokens (model.max_tokens)`.
fn limit(state: &State, player: PairingNumber) -> String {
    let keys = state.player(player);
    match keys.asks() {
        Some(MoveSource::Model(..)) => {
            let tokens = state.setup().model(keys).max_tokens;
            format!("at {} (model.max_tokens)", count::of(tokens, "token", "tokens"))
        }
        _ => "at its limit of tokens".to_owned(),
    }
}

/// What a side did that lost by answers of which some were cut off, as the end of a sentence: `answered no legal move in 3 attempts: each
/// answer was cut off at 500 tokens (model.max_tokens)`. `None` if none was cut off.
pub(crate) fn of_game(state: &State, record: &GameRecord) -> Option<String> {
    let Termination::IllegalMove { by } = record.termination else {
        return None;
    };
    let ply = record.plies();
    let attempts: Vec<&AttemptEnd> = record
        .failed_at(ply)
        .filter(|failed| failed.side == by)
        .map(|failed| &failed.end)
        .collect();
    let cut_off = attempts
        .iter()
        .filter(|end| matches!(end, AttemptEnd::Truncated))
        .count();
    let tries = match attempts.len() {
        1 => String::new(),
        all => format!(" in {all} attempts"),
    };
    let which = match (cut_off, attempts.len()) {
        (0, _) => return None,
        (1, 1) => "its answer was".to_owned(),
        (some, all) if some == all => "each answer was".to_owned(),
        (1, _) => "one answer was".to_owned(),
        (some, _) => format!("{some} answers were"),
    };
    let calls = record
        .calls
        .list
        .iter()
        .filter(|call| call.side == by && call.ply as usize == ply);
    let by_tokens = calls.filter(|call| call.was_cut_off()).count();
    let limit = match by_tokens >= cut_off {
        true => limit(state, record.player(by)),
        false => "at its limit of tokens, or the prompt was too long".to_owned(),
    };
    Some(format!("answered no legal move{tries}: {which} cut off {limit}"))
}

/// The players with answers that were cut off, and how many of all; `None` if there are none.
pub(crate) fn note(state: &State, figures: &[PlayerFigures]) -> Option<String> {
    let told = state.numbers().filter_map(|player| {
        let asked = &figures.get(player.index())?.asked;
        let (some, all) = (asked.cut_off, asked.calls);
        (some > 0).then(|| format!("{}, {some} of {all} {}", name(state, player), limit(state, player)))
    });
    let told: Vec<String> = told.collect();
    (!told.is_empty()).then(|| {
        format!(
            "Answers that were cut off: {}. One that is cut off before its move is a failed attempt, and a game that is lost by those ends \
             as illegal-move.",
            told.join("; ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use swissmatch_game::Side;
    use swissmatch_game::record::{CallTotals, FailedAttempt, ServiceCall};
    use swissmatch_tournament::setup::Setup;

    fn with_model(setup: &mut Setup) {
        let mut players = setup.players.iter_mut();
        let alpha = players.find(|player| player.name == "Alpha").expect("it plays");
        alpha.model = Some("local:small".to_owned());
    }

    /// The sentence on a game that Alpha, a model, lost by these attempts; its calls ended with `finish`.
    fn told(ends: &[AttemptEnd], finish: &str) -> Option<String> {
        let state = fixture::over_with(|setup| {
            with_model(setup);
            setup.model.max_tokens = Some(300);
        });
        let game = state.finished_games().next()?;
        let mut record = fixture::empty_record(&game);
        let by = [Side::White, Side::Black]
            .into_iter()
            .find(|side| record.player(*side).0 == 1)?;
        record.termination = Termination::IllegalMove { by };
        let ply = u32::try_from(record.plies()).ok()?;
        let attempts = (1..).zip(ends).map(|(attempt, end)| FailedAttempt {
            ply,
            side: by,
            attempt,
            time_us: 1,
            end: end.clone(),
            wakeup_us: None,
            service_us: None,
            ready_us: None,
            doubt: None,
            meant: None,
        });
        record.failed_attempts = attempts.collect();
        let call = serde_json::json!({ "side": by, "ply": ply, "latency_us": 1, "tries": 1, "finish": finish });
        let call: ServiceCall = serde_json::from_value(call).expect("a call");
        record.calls.list = vec![call; ends.len()];
        of_game(&state, &record)
    }

    #[test]
    fn who_lost_by_answers_that_were_cut_off_is_told_by_which_limit() {
        use AttemptEnd::{Illegal, Truncated};
        let told = |ends: &[AttemptEnd], finish| told(ends, finish).unwrap_or_default();
        assert_eq!(
            told(&[Truncated, Truncated, Truncated], "length"),
            "answered no legal move in 3 attempts: each answer was cut off at 300 tokens (model.max_tokens)"
        );
        assert_eq!(
            told(&[Truncated, Illegal("e2e5".to_owned())], "length"),
            "answered no legal move in 2 attempts: one answer was cut off at 300 tokens (model.max_tokens)"
        );
        assert_eq!(
            told(&[Truncated], "stop"),
            "answered no legal move: its answer was cut off at its limit of tokens, or the prompt was too long"
        );
        assert_eq!(told(&[Illegal("e2e5".to_owned())], "length"), "");
    }

    #[test]
    fn standings_say_whose_answers_were_cut_off() {
        let state = fixture::over_with(with_model);
        let mut figures = vec![PlayerFigures::default(); state.player_count()];
        assert_eq!(note(&state, &figures), None);
        figures[0].asked = CallTotals {
            calls: 40,
            cut_off: 6,
            ..CallTotals::NONE
        };
        assert_eq!(
            note(&state, &figures).expect("some were cut off"),
            "Answers that were cut off: Alpha, 6 of 40 at 500 tokens (model.max_tokens). One that is cut off before its move is a failed \
             attempt, and a game that is lost by those ends as illegal-move."
        );
    }
}
