//! The lines of `run --json` as types; docs/formats.md says what each is for.
//!
//! May not: ask the time, decide when a line is due.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;

use swissmatch_game::record::GameId;
use swissmatch_game::termination::Termination;
use swissmatch_game::time_control::TimeControl;
use swissmatch_report as report;
use swissmatch_report::faults::{AlarmOfGame, AtFault, Fault};
use swissmatch_report::gate::Outcome;
use swissmatch_report::live_figures::{LiveMatchFigures, RatingsJson};
use swissmatch_report::machine::Machine;
use swissmatch_report::waiting::WaitJson;
use swissmatch_stats::sprt::Decimal;
use swissmatch_stats::stop::StopReason;
use swissmatch_tournament::games::games_planned;
use swissmatch_tournament::log::{
    Cause, EventStopped, GameFinished, Later, Lot, PlayedOn, PlayoffPaired, RoundPaired, SprtDecided, StageBegun,
    TakenFrom,
};
use swissmatch_tournament::state::State;

/// Version of the shape of the lines.
const SCHEMA: u32 = 1;

/// One line, an object. `type` names its kind.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub(super) enum RunLine<'a> {
    Started(RunBegunLine<'a>),
    Resumed(RunBegunLine<'a>),
    Warning {
        text: &'a str,
    },
    /// The last line of `gate`.
    Gate {
        outcome: Outcome,
        why: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        run: Option<String>,
    },
    /// The last line of `league run`: the night as `league.json` has it.
    League {
        night: serde_json::Value,
    },
    /// Nothing began.
    Refused {
        exit_code: u8,
        text: &'a str,
    },
    StageBegun {
        stage: u32,
        players: Vec<&'a str>,
    },
    RoundProposed(RoundPairingLine<'a>),
    RoundPaired(RoundPairingLine<'a>),
    PlayoffPaired(PlayoffRoundLine<'a>),
    PresenceChecked {
        round: u32,
        /// Each with the reason in brackets.
        absent: &'a [String],
    },
    LotDrawn {
        purpose: String,
        drawn: Vec<&'a str>,
    },
    Acted {
        by: &'a str,
        did: &'a str,
        reason: &'a str,
    },
    Waiting(WaitJson),
    SprtDecided(&'a SprtDecided),
    EventStopped(EventStoppedLine<'a>),
    WorkerAdmitted {
        worker: &'a str,
        class: &'a str,
    },
    GameFinished(GameOverLine<'a>),
    Figures(Box<LiveMatchFigures>),
    Ratings(RatingsJson),
    MiniMatchOver(MiniMatchOver<'a>),
    RoundOver {
        round: usize,
        /// All who share the first place; none of an event of several parts.
        leaders: Vec<&'a str>,
        in_doubt: Option<Machine>,
    },
    Complete {
        #[serde(flatten)]
        last: EndLine,
        /// Who makes it exit code 3.
        at_fault: Vec<AtFault>,
    },
    Interrupted(EndLine),
    Decision(EndLine),
    Rulings {
        #[serde(flatten)]
        last: EndLine,
        /// Which games wait for the arbiter.
        games: Vec<HeldGame<'a>>,
    },
    #[serde(rename = "no-pairing")]
    NoPairing(EndLine),
}

impl RunLine<'_> {
    /// As it is written, its keys in alphabetical order.
    pub(super) fn text(&self) -> String {
        #[derive(Serialize)]
        struct Whole<'a> {
            schema: u32,
            #[serde(flatten)]
            line: &'a RunLine<'a>,
        }
        let whole = Whole {
            schema: SCHEMA,
            line: self,
        };
        serde_json::to_value(whole).expect("plain data").to_string()
    }
}

/// What a run is that begins or goes on.
#[derive(Debug, Serialize)]
pub(super) struct RunBegunLine<'a> {
    event: &'a str,
    players: usize,
    rounds: u32,
    format: TournamentFormat,
    /// Of rounds and play-offs that are paired.
    games_scheduled: usize,
    games_planned: usize,
    games_finished: usize,
}

impl<'a> RunBegunLine<'a> {
    pub(super) fn new(state: &'a State) -> Self {
        let created = state.created();
        let (games_scheduled, games_finished) = state.progress();
        Self {
            event: &state.setup().event.name,
            players: state.player_count(),
            rounds: created.rounds,
            format: created.format,
            games_scheduled,
            games_planned: games_planned(state),
            games_finished,
        }
    }
}

/// The pairing of a round, by names.
#[derive(Debug, Serialize)]
pub(super) struct RoundPairingLine<'a> {
    round: u32,
    pairs: Vec<PairOfRound<'a>>,
    bye: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    further_byes: Vec<&'a str>,
    /// Who of them had one before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    bye_again: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<Timestamp>,
}

#[derive(Debug, Serialize)]
struct PairOfRound<'a> {
    white: &'a str,
    black: &'a str,
    repeat: bool,
}

impl<'a> RoundPairingLine<'a> {
    pub(super) fn new(state: &'a State, paired: &RoundPaired) -> Self {
        let pairing = &paired.pairing;
        let pairs = pairing.pairs.iter().map(|pair| PairOfRound {
            white: name(state, pair.white),
            black: name(state, pair.black),
            repeat: pair.repeat,
        });
        Self {
            round: paired.round,
            pairs: pairs.collect(),
            bye: pairing.bye.map(|player| name(state, player)),
            further_byes: names(state, &pairing.further_byes),
            bye_again: names(state, &pairing.again),
            starts: paired.starts,
        }
    }
}

/// The end of an event by its stop rule.
#[derive(Debug, Serialize)]
pub(super) struct EventStoppedLine<'a> {
    round: u32,
    why: StopReason,
    held: Vec<HeldPlaceByName<'a>>,
    games: u64,
    thinking_us: u64,
}

#[derive(Debug, Serialize)]
struct HeldPlaceByName<'a> {
    place: u32,
    player: &'a str,
    share: Decimal,
}

impl<'a> EventStoppedLine<'a> {
    pub(super) fn new(state: &'a State, stopped: &EventStopped) -> Self {
        let held = stopped.held.iter().map(|held| HeldPlaceByName {
            place: held.place,
            player: name(state, held.player),
            share: held.share,
        });
        Self {
            round: stopped.round,
            why: stopped.why,
            held: held.collect(),
            games: stopped.games,
            thinking_us: stopped.thinking_us,
        }
    }
}

/// A round of a play-off.
#[derive(Debug, Serialize)]
pub(super) struct PlayoffRoundLine<'a> {
    round: u32,
    playoff: u32,
    boards: Vec<BoardOfPlayoff<'a>>,
    later: Option<Later>,
}

#[derive(Debug, Serialize)]
struct BoardOfPlayoff<'a> {
    contest: String,
    white: &'a str,
    black: &'a str,
    games: u32,
    time_controls: [TimeControl; 2],
}

impl<'a> PlayoffRoundLine<'a> {
    pub(super) fn new(state: &'a State, paired: &PlayoffPaired) -> Self {
        let boards = paired.boards.iter().map(|board| BoardOfPlayoff {
            contest: board.contest.to_string(),
            white: name(state, board.white),
            black: name(state, board.black),
            games: board.games,
            time_controls: board.limits.clone(),
        });
        Self {
            round: paired.round,
            playoff: paired.playoff,
            boards: boards.collect(),
            later: paired.later,
        }
    }
}

/// A game that was interrupted too often.
#[derive(Debug, Serialize)]
pub(super) struct HeldGame<'a> {
    id: GameId,
    white: &'a str,
    black: &'a str,
    /// Why, each time.
    interruptions: Vec<&'a Cause>,
}

impl<'a> HeldGame<'a> {
    pub(super) fn new(state: &'a State, id: GameId) -> Self {
        let board = state.mini_match(id).expect("it is on the schedule");
        Self {
            id,
            white: name(state, board.white_of(id.game)),
            black: name(state, board.black_of(id.game)),
            interruptions: state.interruptions(id).map_or_else(Vec::new, |game| game.counted()),
        }
    }
}

/// A game that ended.
#[derive(Debug, Serialize)]
pub(super) struct GameOverLine<'a> {
    id: GameId,
    round: u32,
    playoff: u32,
    board: u32,
    game: u32,
    white: &'a str,
    black: &'a str,
    result: &'a str,
    #[serde(flatten)]
    termination: Termination,
    plies: u32,
    failed_attempts: [u32; 2],
    in_doubt: [u32; 2],
    faults: Vec<FaultOfGame<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    alarms: &'a [AlarmOfGame],
    /// The game of an earlier run that it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_from: Option<&'a TakenFrom>,
    /// Where it was played, if not on the runner's machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    played_on: Option<&'a PlayedOn>,
}

/// Who is at fault that a game ended, and what is known of it.
#[derive(Debug, Serialize)]
struct FaultOfGame<'a> {
    player: &'a str,
    why: &'a str,
}

impl<'a> GameOverLine<'a> {
    pub(super) fn new(
        state: &'a State,
        finished: &'a GameFinished,
        faults: &'a [Fault],
        alarms: &'a [AlarmOfGame],
    ) -> Self {
        let of_game = |fault: &'a Fault| FaultOfGame {
            player: name(state, fault.player),
            why: &fault.why,
        };
        Self {
            id: finished.id,
            round: finished.id.round,
            playoff: finished.id.playoff,
            board: finished.id.board,
            game: finished.id.game,
            white: name(state, finished.white),
            black: name(state, finished.black),
            result: finished.outcome.pgn(),
            termination: finished.termination,
            plies: finished.plies,
            failed_attempts: finished.failed_attempts,
            in_doubt: finished.in_doubt,
            faults: faults.iter().map(of_game).collect(),
            alarms,
            taken_from: finished.taken_from.as_ref(),
            played_on: finished.played_on.as_deref(),
        }
    }
}

/// A mini-match whose last game ended.
#[derive(Debug, Serialize)]
pub(super) struct MiniMatchOver<'a> {
    pub(super) round: u32,
    pub(super) playoff: u32,
    pub(super) board: u32,
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) white_game_points: Points,
    pub(super) black_game_points: Points,
}

/// How things stand at the end: the standings, or those of the tour; and the play-off where there is one.
#[derive(Debug, Serialize)]
pub(super) struct EndLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    standings: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tour: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    playoff: Option<Value>,
    /// Games that were taken from earlier runs; `None`: none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    games_taken: Option<usize>,
}

impl EndLine {
    pub(super) fn new(state: &State) -> Self {
        let tour = report::tour::document_of(state).map(value);
        Self {
            standings: tour
                .is_none()
                .then(|| value(report::parts::standings_document(state, state.rounds().len()))),
            tour,
            playoff: report::playoff::document(state).map(value),
            games_taken: Some(report::taken::count(state)).filter(|taken| *taken > 0),
        }
    }
}

fn value(document: impl Serialize) -> Value {
    serde_json::to_value(document).expect("plain data")
}

impl<'a> RunLine<'a> {
    pub(super) fn lot_drawn(state: &'a State, lot: &Lot) -> Self {
        Self::LotDrawn {
            purpose: lot.purpose.to_string(),
            drawn: names(state, &lot.drawn),
        }
    }

    pub(super) fn stage_begun(state: &'a State, begun: &StageBegun) -> Self {
        Self::StageBegun {
            stage: begun.stage,
            players: names(state, &begun.players),
        }
    }
}

fn name(state: &State, player: PairingNumber) -> &str {
    &state.player(player).name
}

/// The names of players, in their order.
pub(super) fn names<'a>(state: &'a State, players: &[PairingNumber]) -> Vec<&'a str> {
    players.iter().map(|&player| name(state, player)).collect()
}

#[cfg(test)]
mod tests;
