//! A log of a match as fastchess writes one: warnings, and what engines say and are told.
//!
//! May not: write it.

use super::count::number;
use super::words;
use crate::player_name;
use swissmatch_game::Side;
use swissmatch_game::record::GameRecord;
use swissmatch_game::termination::Termination;
use swissmatch_game::transcript::Framed;
use swissmatch_tournament::peer_lines::{Lines, Logged, Wanted};
use swissmatch_tournament::state::{Finished, State};

/// The lines of a game that has ended `now` (`12:34:56.123456`), with its record and its evidence.
pub fn of_game(
    logged: Logged,
    wanted: &Wanted,
    state: &State,
    (finished, record): (&Finished, Option<&GameRecord>),
    said: &str,
    now: &str,
) -> Vec<String> {
    let names = [finished.white, finished.black].map(|player| player_name(state, player));
    let number = number(state, finished.id);
    let mut lines = Vec::new();
    for framed in said.lines().filter_map(Framed::of) {
        let is_error = framed.mark == "!";
        let is_told = logged.has_engines || (is_error && finished.termination.is_fault());
        let name = &names[framed.side.index()];
        let what = match framed.mark {
            ">" => format!("{name} <--- {}", framed.said),
            "<" => format!("{name} ---> {}", framed.said),
            "!" => format!("<stderr> {name} ---> {}", framed.said),
            _ => continue,
        };
        if is_told {
            lines.push(format!("{} {what}", before("Engine", framed.at, &number.to_string())));
        }
    }
    if logged.has_warnings {
        let of_record = record.map(|record| words::warnings(wanted, state, finished, record));
        let warnings = of_record
            .unwrap_or_default()
            .into_iter()
            .chain(of_fault(state, finished, record, &names));
        for warning in warnings {
            lines.push(format!("{}fastchess --- {warning}", before("WARN", now, "")));
        }
    }
    lines
}

fn before(label: &str, at: &str, id: &str) -> String {
    format!("[{label:<6}] [{at:>15}] <{id:>20}> ")
}

/// That a game was lost by a process or by the clock.
fn of_fault(state: &State, finished: &Finished, record: Option<&GameRecord>, names: &[String; 2]) -> Vec<String> {
    let Some(by) = finished.termination.blame() else {
        return Vec::new();
    };
    let name = &names[by.index()];
    let stopped = || {
        let [white, black] = names;
        let number = number(state, finished.id);
        format!("Game {number} between {white} and {black} stalled / disconnected")
    };
    match finished.termination {
        Termination::IllegalMove { .. } => Vec::new(),
        Termination::TimeForfeit { .. } => {
            let why = words::reason(Lines::Fastchess, state, finished, record);
            let why = why
                .trim_start_matches(Side::White.name())
                .trim_start_matches(Side::Black.name());
            vec![format!("Engine {name}{why}")]
        }
        Termination::NotReady { .. } => vec![format!("Engine {name} stalls"), stopped()],
        _ => vec![format!("Engine {name} disconnects"), stopped()],
    }
}
