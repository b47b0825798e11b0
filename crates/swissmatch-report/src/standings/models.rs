//! Columns on players that are asked over the network: tokens, cost, and shares with their intervals.
//!
//! May not: count anything; floats are here only to be written.

use serde::Serialize;
use serde_json::{Value, json};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::standings::StandingsRow;

use super::super::asked::{self, Help, UNKNOWN, help, tokens};
use super::super::decimal::Decimal;
use super::super::share;
use super::super::untrusted::name;
use swissmatch_game::record::PartialSum;
use swissmatch_stats::pairs::Wdl;
use swissmatch_tournament::column::Column;
use swissmatch_tournament::figures::PlayerFigures;
use swissmatch_tournament::setup::LegalMoves;
use swissmatch_tournament::state::State;

pub(super) const fn is_of_models(column: Column) -> bool {
    is_of_calls(column) || is_share(column)
}

/// Whether a column is empty for players that ask nothing over the network.
const fn is_of_calls(column: Column) -> bool {
    matches!(
        column,
        Column::TokensIn | Column::TokensOut | Column::Cost | Column::CostAWin
    )
}

const fn is_share(column: Column) -> bool {
    matches!(column, Column::LegalShare | Column::Score | Column::ScoreWithoutFaults)
}

/// The cell of a row in such a column; blank without a value.
pub(in super::super) fn cell(row: &StandingsRow, figures: &PlayerFigures, column: Column) -> String {
    let sums = &figures.asked;
    if is_of_calls(column) && sums.calls == 0 {
        return String::new();
    }
    match column {
        Column::TokensIn => tokens(sums.input, sums.calls),
        Column::TokensOut => tokens(sums.output, sums.calls),
        Column::Cost => asked::cost(sums.cost.whole()),
        Column::CostAWin if row.games.both().won == 0 => String::new(),
        Column::CostAWin => asked::cost(cost_a_win(row, figures)),
        _ => share_of(row, figures, column).map_or_else(String::new, |share| share.cell()),
    }
}

/// Like [`cell`], but as a field of JSON.
pub(super) fn field(row: &StandingsRow, figures: &PlayerFigures, column: Column) -> Option<(&'static str, Value)> {
    let asked = &figures.asked;
    let of_calls = |value: Option<u64>| json!(value.filter(|_| asked.calls > 0));
    let tokens = |told: PartialSum| match asked.calls {
        0 => Value::Null,
        _ => json!({ "sum": told.sum, "calls_untold": told.untold }),
    };
    Some(match column {
        Column::TokensIn => ("input_tokens", tokens(asked.input)),
        Column::TokensOut => ("output_tokens", tokens(asked.output)),
        Column::Cost => ("cost", of_calls(asked.cost.whole())),
        Column::CostAWin => ("cost_a_win", of_calls(cost_a_win(row, figures))),
        Column::LegalShare => ("legal_share", json!(share_of(row, figures, column))),
        Column::Score => ("score", json!(share_of(row, figures, column))),
        Column::ScoreWithoutFaults => ("score_without_faults", json!(share_of(row, figures, column))),
        _ => return None,
    })
}

/// In millionths, rounded down; `None` if it is unknown, or without a win.
fn cost_a_win(row: &StandingsRow, figures: &PlayerFigures) -> Option<u64> {
    figures.asked.cost.whole()?.checked_div(row.games.both().won.into())
}

/// Notes on what these columns do not show by themselves.
pub(super) fn notes(state: &State, columns: &[Column]) -> Vec<String> {
    let has = |is_such: fn(Column) -> bool| columns.iter().any(|&column| is_such(column));
    let mut notes = Vec::new();
    if has(is_of_calls) {
        notes.push(format!(
            "Tokens and cost: as services told them, of the calls of games that count. Tokens with a + are at least so many: the \
             service did not tell those of all calls. A cost of which a part is unknown is {UNKNOWN}."
        ));
    }
    if has(|column| column == Column::LegalShare) {
        notes.push("Legal %: of all attempts, those that gave a legal move in time.".to_owned());
        notes.extend(helped(state));
    }
    if has(|column| column == Column::Score) {
        notes.push("Score %: of the games that were played, a draw counting half.".to_owned());
    }
    if has(|column| column == Column::ScoreWithoutFaults) {
        notes.push(
            "Score % without faults: the same of the games that the player did not lose by a fault of its own, such as illegal moves, \
             time or a crash."
                .to_owned(),
        );
    }
    if has(is_share) {
        notes.push("In brackets: 95 % intervals, as if no attempt and no game depended on another.".to_owned());
    }
    notes
}

/// A note on players that have legal moves in the prompt, or constrained answers.
fn helped(state: &State) -> Option<String> {
    let all = state
        .numbers()
        .filter_map(|player| Some((player, help(state, player)?)));
    let all: Vec<(PairingNumber, Help)> = all.collect();
    let names = |is_such: &dyn Fn(&Help) -> bool| -> Option<String> {
        let such = all.iter().filter(|(_, help)| is_such(help));
        let names: Vec<String> = such.map(|(player, _)| name(state, *player)).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let shown = |moves: LegalMoves| names(&|help| help.legal_moves == Some(moves));
    let told = [
        shown(LegalMoves::All).map(|names| format!("all legal moves stand in the prompt of {names}")),
        shown(LegalMoves::One).map(|names| format!("one stands in the prompt of {names}")),
        names(&|help| help.is_constrained).map(|names| format!("the answers of {names} are constrained")),
    ];
    let told: Vec<String> = told.into_iter().flatten().collect();
    (!told.is_empty()).then(|| format!("By templates and calls: {}.", told.join("; ")))
}

/// A share in percent, and its 95 % interval.
#[derive(Serialize)]
struct Share {
    percent: Decimal,
    interval: [Decimal; 2],
    #[serde(skip)]
    shares: [f64; 3],
}

impl Share {
    /// `None` without any counts.
    fn of(counts: &Wdl) -> Option<Self> {
        let (share, [low, high]) = (counts.figures()?.score, counts.interval()?);
        let percent = |share: f64| Decimal::of(format!("{:.2}", share * 100.0));
        Some(Self {
            percent: percent(share),
            interval: [percent(low), percent(high)],
            shares: [share, low, high],
        })
    }

    fn cell(&self) -> String {
        let [share, low, high] = self.shares.map(share::percent);
        format!("{share} ({low}–{high})")
    }
}

fn share_of(row: &StandingsRow, figures: &PlayerFigures, column: Column) -> Option<Share> {
    let games = row.games.both();
    let lost = match column {
        Column::ScoreWithoutFaults => games.lost.saturating_sub(figures.lost_by_fault),
        _ => games.lost,
    };
    Share::of(&match column {
        Column::LegalShare => Wdl {
            wins: row.games.moves.into(),
            draws: 0,
            losses: row.games.failed_attempts.into(),
        },
        _ => Wdl {
            wins: games.won.into(),
            draws: games.drawn.into(),
            losses: lost.into(),
        },
    })
}
