//! The limits that were in force in a game, in words.
//!
//! May not: work them out; the state has them.

use std::time::Duration;

use serde_json::{Value, json};
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::{AppealCase, Section};
use swissmatch_game::Side;
use swissmatch_game::adjudicate::Decides;
use swissmatch_game::record::{Attempts, GameLimits};
use swissmatch_game::rules::PliesFrom;
use swissmatch_game::time_control::{Limit, TimeControl, write_duration};
use swissmatch_tournament::limits::{bounds_of, limits_of};
use swissmatch_tournament::setup::{EVENT, MoveSource, PlayerKeys};

/// The two players, White first.
pub(super) fn players(case: &AppealCase<'_>) -> [PairingNumber; 2] {
    case.state.mini_match(case.id).map_or([PairingNumber(1); 2], |board| {
        [board.white_of(case.id.game), board.black_of(case.id.game)]
    })
}

pub(super) fn section(case: &AppealCase<'_>) -> Section {
    let players = players(case);
    let limits = limits_of(case.state, case.id, players);
    let bounds = bounds_of(case.state, case.id, players);
    let mut lines = Vec::new();
    let [white, black] = &limits.time_controls;
    if white == black {
        lines.push(format!("Both (`{white}`): {}.", white.in_words()));
    } else {
        for (side, control) in Side::BOTH.into_iter().zip(&limits.time_controls) {
            lines.push(format!("{} (`{control}`): {}.", side.name(), control.in_words()));
        }
    }
    for (side, bounds) in Side::BOTH.into_iter().zip(bounds) {
        let nodes = bounds.nodes.map(|nodes| format!("{nodes} nodes"));
        let depth = bounds.depth.map(|depth| format!("depth {depth}"));
        let bounds: Vec<String> = nodes.into_iter().chain(depth).collect();
        if !bounds.is_empty() {
            lines.push(format!(
                "{} is told to search at most {}.",
                side.name(),
                bounds.join(" and ")
            ));
        }
    }
    let has_move_time = |control: &TimeControl| matches!(control.limit, Limit::MoveTime(_));
    if !limits.move_overhead.is_zero() && limits.time_controls.iter().any(has_move_time) {
        lines.push(format!(
            "Engines are told {} less than a time per move (game.move_overhead), at most a tenth of it; the full limit counts.",
            write_duration(limits.move_overhead)
        ));
    }
    lines.push(match limits.margins {
        [white, black] if white == black && white.is_zero() => {
            "An answer after the limit is late: there is no margin (game.margin).".to_owned()
        }
        [white, black] if white == black => format!(
            "An answer counts until {} after the limit (game.margin).",
            write_duration(white)
        ),
        [white, black] => format!(
            "An answer counts until {} after the limit for White, {} for Black (player.margin).",
            write_duration(white),
            write_duration(black)
        ),
    });
    lines.push(
        "The limit grows by the doubt: the time of the answer that the machine took and not the engine, as far as it is measured \
         (docs/time-controls.md)."
            .to_owned(),
    );
    lines.push(attempts(&limits));
    lines.push(format!(
        "After the limit `stop` is sent; an engine that is silent for {} more is killed and started anew (engine.stop_grace).",
        write_duration(limits.stop_grace)
    ));
    lines.push(match limits.max_plies {
        Some(most) => {
            let plies = count::of(most, "ply", "plies");
            match limits.plies_from {
                PliesFrom::Opening => format!("After {plies} of play, not counting the opening, the game is a draw."),
                PliesFrom::Start => {
                    format!("After {plies}, those of the opening counted, the game is a draw (game.plies_from).")
                }
            }
        }
        None => "There is no cap on the length of a game.".to_owned(),
    });
    lines.push(format!(
        "An engine may use up {}, all its processes together (engine.max_*; docs/resources.md says what counts and how often it is \
         looked at).",
        case.state.setup().engine.allowance()
    ));
    let players = players.map(|player| case.state.player(player));
    if players.iter().any(|player| player.is_elsewhere()) {
        lines.push(
            "Of a player that is asked over the network an answer that is empty, cut off before a move, or refused counts like one that is \
             not a move."
                .to_owned(),
        );
    }
    let setup = case.state.setup();
    let is_of_event = |player: &&PlayerKeys| match player.asks() {
        Some(MoveSource::Model(endpoint, _)) => {
            setup.endpoint(endpoint).is_some_and(|endpoint| endpoint.owner == EVENT)
        }
        _ => false,
    };
    if players.iter().any(is_of_event) {
        lines.push("Time that was the service's, as swissmatch saw it, is off the clock (endpoint.owner).".to_owned());
    }
    if limits.freeze {
        lines.push(
            "An engine that does not ponder is stopped while the other side is to move, and goes on before it is asked: that is \
             none of its time (game.freeze)."
                .to_owned(),
        );
    }
    lines.extend(adjudication(case));
    Section::new("Limits in force", lines)
}

/// The cost of failed attempts, and of a fallen flag where there is one.
fn attempts(limits: &GameLimits) -> String {
    let of_attempts = match limits.attempts {
        Attempts::Shared(illegal) | Attempts::Apart { illegal, .. } if limits.attempts_share => format!(
            "The attempts at a move have its time per move together (game.attempts_share): an overrun loses, and so does the {} \
             illegal or unparsable answer, or one that leaves nothing of that time.",
            ordinal(illegal)
        ),
        Attempts::Shared(attempts) => format!(
            "A move has {attempts} attempts under a time per move: overruns, illegal and unparsable answers together."
        ),
        Attempts::Apart { overruns, illegal } => format!(
            "Under a time per move the {} overrun of a move loses. The {} illegal or unparsable answer for a move loses.",
            ordinal(overruns),
            ordinal(illegal)
        ),
    };
    match limits.time_controls.iter().any(TimeControl::runs_through) {
        true => format!(
            "{of_attempts} Under a clock an overrun loses at once{}.",
            limits.flag_fall.unless_drawn()
        ),
        false => of_attempts,
    }
}

pub(super) fn ordinal(number: u32) -> String {
    match number {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        number => format!("{number}th"),
    }
}

fn adjudication(case: &AppealCase<'_>) -> Vec<String> {
    let rules = case.state.setup().adjudication.rules();
    let mut lines = Vec::new();
    if let Some(rule) = rules.resign {
        let who = if rule.two_sided {
            "both engines judge"
        } else {
            "the losing engine judges"
        };
        lines.push(format!(
            "A game is lost when {who} it lost by {} centipawns or more for {} moves of a side in a row \
             (adjudication.resign_score).",
            rule.score, rule.moves
        ));
    }
    if let Some(rule) = rules.draw {
        lines.push(format!(
            "A game is drawn from move {} on when both engines judge it to be within {} centipawns of level for {} moves of \
             each side in a row (adjudication.draw_score).",
            rule.from_move, rule.score, rule.moves
        ));
    }
    if let Some(rule) = rules.tables {
        let which = match rule.decides {
            Decides::WinDraw => "wins and draws",
            Decides::Win => "wins",
            Decides::Draw => "draws",
        };
        let rule50 = if rule.rule50 { "heeded" } else { "not heeded" };
        lines.push(format!(
            "Tablebases decide positions of at most {} men: {which}; the fifty-move rule is {rule50} (adjudication.tablebases).",
            rule.men
        ));
    }
    lines
}

pub(super) fn json(case: &AppealCase<'_>) -> Value {
    let players = players(case);
    let limits = limits_of(case.state, case.id, players);
    let bounds = bounds_of(case.state, case.id, players);
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    json!({
        "time_controls": limits.time_controls.each_ref().map(ToString::to_string),
        "margins_us": limits.margins.map(micros),
        "move_overhead_us": micros(limits.move_overhead),
        "stop_grace_us": micros(limits.stop_grace),
        "attempts": match limits.attempts {
            Attempts::Shared(attempts) => json!({ "shared": attempts }),
            Attempts::Apart { overruns, illegal } => json!({ "overruns": overruns, "illegal": illegal }),
        },
        "attempts_share": limits.attempts_share,
        "max_plies": limits.max_plies,
        "plies_from": limits.plies_from.word(),
        "claims": limits.claims.word(),
        "nodes": bounds.map(|bounds| bounds.nodes),
        "depth": bounds.map(|bounds| bounds.depth),
        "engine_may_use": case.state.setup().engine.allowance(),
        "in_words": section(case).lines,
    })
}
