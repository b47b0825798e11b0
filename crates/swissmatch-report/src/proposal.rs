//! The pairing of the next round as it would be made now: as a page and as JSON.
//!
//! May not: pair anybody; the director does.

use jiff::civil::Date;
use serde_json::json;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swissmatch_tournament::ranking::standings_after;

use swissmatch_tournament::director::{self, Next, NoPairingError};
use swissmatch_tournament::log::RoundPaired;
use swissmatch_tournament::state::State;

use super::explain::{out_word, why_out};
use super::table::{Column, Page, Table};
use super::{byes, untrusted};

/// Version of the JSON's shape.
const SCHEMA: u32 = 1;

#[derive(Clone, Debug)]
pub enum Proposal {
    Round {
        paired: RoundPaired,
        /// The event before the round is paired; if a stage begins with the round, it has begun.
        state: Box<State>,
    },
    /// No round; the reason, as the end of a sentence.
    None(String),
}

/// The next round as it would be paired now; `today` is the day in UTC.
///
/// # Errors
/// When the next round has no pairing.
pub fn next(state: &State, today: Date) -> Result<Proposal, NoPairingError> {
    let (state, next) = director::next_of_note(state, today)?;
    Ok(match next {
        Next::Decision => Proposal::None("a tie of a play-off waits for `swissmatch arbiter decide`".to_owned()),
        Next::Nothing => Proposal::None(nothing(&state)),
        next => match next.into_round() {
            Some(paired) => Proposal::Round {
                paired,
                state: Box::new(state),
            },
            None => Proposal::None("a play-off comes next".to_owned()),
        },
    })
}

fn nothing(state: &State) -> String {
    let rounds = state.rounds().len();
    match state.sittings().find(|sitting| !sitting.is_over()) {
        Some(sitting) if sitting.playoff > 0 => "a play-off is being played".to_owned(),
        Some(_) if rounds == state.last_round() as usize => {
            format!("round {rounds}, the last one, is being played")
        }
        Some(_) => format!(
            "round {rounds} is being played, and round {} is paired from its results",
            rounds + 1
        ),
        None => "every round has been played".to_owned(),
    }
}

/// Boards with the points of both players, the bye, and players who are not paired, with the reason.
pub fn text(state: &State, paired: &RoundPaired, width: Option<u16>) -> String {
    let points = standings_after(state, state.rounds().len());
    let points = |player: PairingNumber| {
        let row = points.rows.iter().find(|row| row.player == player);
        row.map_or_else(String::new, |row| {
            row.points_by(state.setup().pairing_score()).to_string()
        })
    };
    let name = |player| untrusted::name(state, player);
    let rows = (1..).zip(&paired.pairing.pairs).map(|(board, pair): (u32, _)| {
        let note = if pair.repeat { "repeat" } else { "" };
        vec![
            board.to_string(),
            name(pair.white),
            points(pair.white),
            name(pair.black),
            points(pair.black),
            note.to_owned(),
        ]
    });
    let columns = vec![
        Column::figures("#"),
        Column::names("White"),
        Column::figures(""),
        Column::names("Black"),
        Column::figures(""),
        Column::words("Note").goes(0),
    ];
    let mut notes: Vec<String> = paired
        .pairing
        .byes()
        .map(|player| {
            let note = byes::note(state, &paired.pairing, player);
            format!(
                "Bye: {} ({}){note}.",
                name(player),
                count::of(points(player), "point", "points")
            )
        })
        .collect();
    let out = state.out_of_round(paired.round);
    notes.extend(
        out.iter()
            .map(|(&player, &out)| format!("Not paired: {}: {}.", name(player), why_out(out))),
    );
    let title = format!(
        "{}: round {} as it would be paired now",
        untrusted::event(state),
        paired.round
    );
    let rows = rows.collect();
    Page {
        title,
        table: Table { columns, rows },
        notes,
    }
    .text(width)
}

/// Like [`text`], but for programs.
pub fn json(state: &State, paired: &RoundPaired) -> String {
    let name = |player: PairingNumber| state.player(player).name.as_str();
    let pairs = paired.pairing.pairs.iter().map(|pair| {
        json!({
            "white": name(pair.white), "white_number": pair.white,
            "black": name(pair.black), "black_number": pair.black, "repeat": pair.repeat,
        })
    });
    let out = state.out_of_round(paired.round);
    let out = out
        .iter()
        .map(|(&player, &out)| json!({ "player": name(player), "number": player, "why": out_word(out) }));
    let document = json!({
        "schema": SCHEMA,
        "round": paired.round,
        "pairs": pairs.collect::<Vec<_>>(),
        "byes": paired.pairing.byes().map(name).collect::<Vec<_>>(),
        "bye_again": paired.pairing.again.iter().copied().map(name).collect::<Vec<_>>(),
        "out": out.collect::<Vec<_>>(),
    });
    serde_json::to_string_pretty(&document).expect("plain data") + "\n"
}
