//! Faults in words: each one as it happens, and at the end the players with too many.
//!
//! May not: count them; `tournament::faults` does.

use std::collections::BTreeMap;

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::{escaped, harmless};

use super::cut_off;
use super::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::alarm::Alarm;
use swissmatch_game::record::{AttemptEnd, FailedAttempt, GameId, GameRecord, is_zero};
use swissmatch_game::termination::Termination;
use swissmatch_tournament::faults::{FaultCount, no_shows, over_bound as counts_over_bound};
use swissmatch_tournament::log::GameFinished;
use swissmatch_tournament::state::State;

/// Stands in evidence before the cause of a failed attempt at starting an agent.
pub(super) const START_FAILED: &str = "Start failed: ";

/// A player whose fault ended a game, and what it did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub player: PairingNumber,
    /// The termination, with its cause as far as it is known: `crash: its process was killed by signal 11`.
    pub why: String,
}

impl Fault {
    /// The fault as a sentence without its full stop: `Crasher lost 1.1.2 (crash: its process was killed by signal 11)`.
    pub fn sentence(&self, state: &State, game: GameId) -> String {
        format!("{} lost {game} ({})", state.player(self.player).name, self.why)
    }
}

/// The faults that ended a game, White's first. The game's record and evidence give the cause, where they are kept.
pub fn of_game(
    state: &State,
    finished: &GameFinished,
    record: Option<&GameRecord>,
    evidence: Option<&str>,
) -> Vec<Fault> {
    let termination = finished.termination;
    let why = record.and_then(|record| why(state, record, evidence.unwrap_or_default()));
    let why = match why {
        Some(why) => format!("{}: {why}", termination.word()),
        None => termination.word().to_owned(),
    };
    let sides = [(Side::White, finished.white), (Side::Black, finished.black)];
    let at_fault = sides.into_iter().filter(|(side, _)| termination.is_fault_of(*side));
    at_fault
        .map(|(_, player)| Fault {
            player,
            why: why.clone(),
        })
        .collect()
}

/// The cause, where one side alone is at fault; `None` if the termination says it all.
fn why(state: &State, record: &GameRecord, evidence: &str) -> Option<String> {
    let side = record.termination.blame()?;
    let mut failed = record.failed_attempts.iter().rev();
    let mut last = |is_of_kind: fn(&AttemptEnd) -> bool| {
        failed.find(|attempt: &&FailedAttempt| attempt.side == side && is_of_kind(&attempt.end))
    };
    match record.termination {
        Termination::TimeForfeit { .. } => {
            let attempt = last(AttemptEnd::is_overrun)?;
            let millis = attempt.time_us / 1000;
            let time = format!("{}.{:03} s", millis / 1000, millis % 1000);
            Some(match record.last_attempts() {
                0 | 1 => format!("its move took {time}"),
                tries => format!("{tries} attempts failed, the last took {time}"),
            })
        }
        Termination::IllegalMove { .. } => {
            if let Some(cut_off) = cut_off::of_game(state, record) {
                return Some(format!("it {cut_off}"));
            }
            let attempt = last(|end| !end.is_overrun())?;
            Some(match attempt.end.said() {
                Some(said) => format!("it answered {}{}", escaped(said), escaped(attempt.meant_in_words())),
                None => format!("it {}", attempt.end),
            })
        }
        Termination::Crash { .. } | Termination::Disconnect { .. } | Termination::ResourceLimit { .. } => {
            record.engine_end.map(|end| format!("its process {end}"))
        }
        _ => {
            let mut lines = evidence.lines();
            lines.find_map(|line| line.strip_prefix(START_FAILED)).map(harmless)
        }
    }
}

/// The number of games that a player lost by one kind of fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FaultsOfPlayer {
    player: String,
    termination: &'static str,
    games: u64,
}

/// Games that players lost by faults of their agents, by name and termination.
pub(crate) fn by_termination(state: &State) -> Vec<FaultsOfPlayer> {
    let mut faults: BTreeMap<(String, &'static str), u64> = BTreeMap::new();
    for board in state.sittings().flat_map(|sitting| sitting.mini_matches) {
        for (player, termination, games) in board.faults() {
            *faults.entry((name(state, player), termination.word())).or_default() += u64::from(games);
        }
    }
    let of = |((player, termination), games)| FaultsOfPlayer {
        player,
        termination,
        games,
    };
    faults.into_iter().map(of).collect()
}

/// These faults in a sentence; `None` where there are none.
pub fn sentence(faults: &[FaultsOfPlayer]) -> Option<String> {
    let of_player = |own: &[FaultsOfPlayer]| {
        let kinds = own.iter().map(|fault| format!("{} {}", fault.termination, fault.games));
        format!("{} {}", own[0].player, kinds.collect::<Vec<_>>().join(", "))
    };
    let players = faults.chunk_by(|one, other| one.player == other.player);
    let all: Vec<String> = players.map(of_player).collect();
    (!all.is_empty()).then(|| format!("games lost by faults: {}", all.join("; ")))
}

/// A player whose faults exceed the event's bounds, as `run --json` has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AtFault {
    player: String,
    /// All its games that are over.
    games: u32,
    /// Games lost by a fault of its agent.
    lost: u32,
    /// Other games in which its agent gave an alarm.
    #[serde(skip_serializing_if = "is_zero")]
    alarms: u32,
    /// How many `run.max_faults` allows in so many games; `None`: any number.
    allowed: Option<u32>,
}

/// Players whose faults exceed the event's bounds, by pairing number: first those whose agents started in none of their games, then those
/// that lost too many.
/// those that lost too many.
fn beyond(state: &State) -> impl Iterator<Item = FaultCount> {
    let over = counts_over_bound(state).into_iter().filter(|count| !count.is_no_show);
    no_shows(state).into_iter().chain(over)
}

/// Players whose faults exceed the event's bounds, in the order of [`over_bound`].
pub fn at_fault(state: &State) -> Vec<AtFault> {
    let bound = state.setup().run.max_faults;
    let one = |count: FaultCount| AtFault {
        player: state.player(count.player).name.clone(),
        games: count.games,
        lost: count.lost,
        alarms: count.alarms,
        allowed: bound.map(|bound| bound.allows(count.games)),
    };
    beyond(state).map(one).collect()
}

/// A sentence for each player whose faults exceed the event's bounds, by pairing number: first those whose agents started in none of their
/// games, then those that lost too many.
pub fn over_bound(state: &State) -> Vec<String> {
    over_bound_by_player(state).map(|(_, sentence)| sentence).collect()
}

/// Like [`over_bound`], but each sentence with its player.
pub fn over_bound_by_player(state: &State) -> impl Iterator<Item = (PairingNumber, String)> {
    let bound = state.setup().run.max_faults;
    let bound = bound.map_or_else(String::new, |bound| bound.to_string());
    let sentence = move |count: FaultCount| {
        let name = &state.player(count.player).name;
        let games = count::of(count.games as usize, "game", "games");
        match count.is_no_show {
            true => format!("{name} did not start in any of its {games}"),
            false => {
                let faults = faults_in_words(count.lost, count.alarms, count.games);
                format!("{name} {faults}; run.max_faults allows {bound}")
            }
        }
    };
    beyond(state).map(move |count| (count.player, sentence(count)))
}

/// Such as "lost 3 of its 10 games by a fault", to follow a player's name.
pub(super) fn faults_in_words(lost: u32, alarms: u32, games: u32) -> String {
    let of = count::of(games as usize, "game", "games");
    match (lost, alarms) {
        (_, 0) => format!("lost {lost} of its {of} by a fault"),
        (0, _) => format!("gave an alarm in {alarms} of its {of}"),
        _ => format!("lost {lost} of its {of} by a fault and gave an alarm in {alarms} of the others"),
    }
}

/// The number of games in which a player's agent gave an alarm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlarmsOfPlayer {
    player: String,
    games: u64,
}

/// Games in which agents gave alarms, including lost ones, by name.
pub fn alarms(state: &State) -> Vec<AlarmsOfPlayer> {
    let mut games: BTreeMap<String, u64> = BTreeMap::new();
    for board in state.sittings().flat_map(|sitting| sitting.mini_matches) {
        for (player, with_alarms) in board.alarms() {
            *games.entry(name(state, player)).or_default() += u64::from(with_alarms);
        }
    }
    let of = |(player, games)| AlarmsOfPlayer { player, games };
    games.into_iter().map(of).collect()
}

/// These alarms in a sentence; `None` where there are none.
pub(crate) fn alarms_sentence(alarms: &[AlarmsOfPlayer]) -> Option<String> {
    let all: Vec<String> = alarms.iter().map(|of| format!("{} {}", of.player, of.games)).collect();
    (!all.is_empty()).then(|| format!("games with an alarm in standard error: {}", all.join("; ")))
}

/// An alarm in a game, with its line of standard error, for the organizer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlarmOfGame {
    player: String,
    pattern: String,
    lines: u32,
    line: String,
    #[serde(skip)]
    pub number: PairingNumber,
    /// As a sentence without its full stop: `Echo gave an alarm in 1.1.2 as Black: "AddressSanitizer" in 2 lines of standard error:
    /// ==7==ERROR: …`
    #[serde(skip)]
    pub sentence: String,
}

pub fn alarms_of_game(state: &State, record: &GameRecord) -> Vec<AlarmOfGame> {
    let of = |alarm: &Alarm| {
        let number = record.player(alarm.side);
        let (player, line) = (state.player(number).name.clone(), escaped(&alarm.line));
        let (side, words) = (alarm.side.name(), alarm.words());
        AlarmOfGame {
            sentence: format!("{player} gave an alarm in {} as {side}: {words}: {line}", record.id),
            player,
            pattern: escaped(&alarm.pattern),
            lines: alarm.lines,
            line,
            number,
        }
    };
    record.alarms.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture;
    use super::*;
    use swissmatch_game::notation::{MeantMove, Notation};
    use swissmatch_game::record::EngineEnd;
    use swissmatch_game::termination::Outcome;
    use swissmatch_tournament::setup::FaultBound;

    #[track_caller]
    fn check(bound: Option<FaultBound>, expected: &[&str]) {
        let state = fixture::over_with(|setup| setup.run.max_faults = bound);
        assert_eq!(over_bound(&state), expected);
    }

    #[test]
    fn who_is_over_the_bound_is_named_with_its_games() {
        check(None, &[]);
        check(Some(FaultBound::Games(3)), &[]);
        check(
            Some(FaultBound::Games(1)),
            &["Echo lost 3 of its 4 games by a fault; run.max_faults allows 1"],
        );
        check(
            Some(FaultBound::Percent(10)),
            &["Echo lost 3 of its 4 games by a fault; run.max_faults allows 10%"],
        );
        check(Some(FaultBound::Percent(75)), &[]);
        check(
            Some(FaultBound::Games(0)),
            &[
                "Bravo lost 1 of its 4 games by a fault; run.max_faults allows 0",
                "Delta lost 1 of its 4 games by a fault; run.max_faults allows 0",
                "Echo lost 3 of its 4 games by a fault; run.max_faults allows 0",
            ],
        );
    }

    #[test]
    fn who_never_started_is_named_whatever_the_bound() {
        let by = |by: Side| (Outcome::win(by.other()), Termination::DidNotStart { by });
        let games = [by(Side::White), by(Side::Black)];
        let state = fixture::after_games(games, |setup| setup.run.max_faults = None);
        assert_eq!(over_bound(&state), ["Alpha did not start in any of its 2 games"]);
        let alpha = AtFault {
            player: "Alpha".to_owned(),
            games: 2,
            lost: 2,
            alarms: 0,
            allowed: None,
        };
        assert_eq!(at_fault(&state), [alpha]);
    }

    /// A game with an alarm counts as one lost by a fault, and no game counts twice.
    #[test]
    fn alarms_count_and_are_told_apart() {
        let with = |alarms: &[(&str, Side)], bound| fixture::with_alarms(alarms, FaultBound::Games(bound));
        // Echo has lost 3 of its 4 games by a fault, Charlie none.
        let of_charlie = [("1.1.1", Side::Black), ("1.1.2", Side::White)];
        let state = with(&of_charlie, 1);
        let lost = "Echo lost 3 of its 4 games by a fault; run.max_faults allows 1";
        assert_eq!(
            over_bound(&state),
            [
                "Charlie gave an alarm in 2 of its 6 games; run.max_faults allows 1",
                lost
            ]
        );
        let document = serde_json::to_value(at_fault(&state)).expect("plain data");
        assert_eq!(
            document[0],
            serde_json::json!({"player": "Charlie", "games": 6, "lost": 0, "alarms": 2, "allowed": 1})
        );
        assert!(document[1].get("alarms").is_none(), "{document}");
        assert_eq!(
            alarms_sentence(&alarms(&state)).as_deref(),
            Some("games with an alarm in standard error: Charlie 2")
        );
        assert_eq!(alarms_sentence(&alarms(&with(&[], 1))), None);
        assert_eq!(over_bound(&with(&of_charlie[..1], 1)), [lost]);
        // In all games of Echo: the one that it did not lose by a fault counts once, and so does each of the others.
        let echo = PairingNumber(5);
        let all = with(&[], 9);
        let of_echo: Vec<(String, Side)> = all
            .finished_games()
            .filter(|game| [game.finished.white, game.finished.black].contains(&echo))
            .map(|game| (game.finished.id.to_string(), game.side_of(echo)))
            .collect();
        let of_echo: Vec<(&str, Side)> = of_echo.iter().map(|(id, side)| (id.as_str(), *side)).collect();
        assert_eq!(of_echo.len(), 4);
        assert_eq!(
            over_bound(&with(&of_echo, 3)),
            ["Echo lost 3 of its 4 games by a fault and gave an alarm in 1 of the others; run.max_faults allows 3"]
        );
        assert_eq!(over_bound(&with(&of_echo, 4)), Vec::<String>::new());
        assert_eq!(alarms(&with(&of_echo, 4))[0].games, 4);
    }

    #[test]
    fn what_was_allowed_is_a_number() {
        let state = fixture::over_with(|setup| setup.run.max_faults = Some(FaultBound::Percent(10)));
        let echo = AtFault {
            player: "Echo".to_owned(),
            games: 4,
            lost: 3,
            alarms: 0,
            allowed: Some(1),
        };
        assert_eq!(at_fault(&state), [echo]);
    }

    #[test]
    fn a_fault_is_told_with_its_game_and_its_cause() {
        let state = fixture::two_rounds();
        let told = |change: &dyn Fn(&mut GameRecord)| {
            let game = state.finished_games().next().expect("a game");
            let mut record = fixture::empty_record(&game);
            change(&mut record);
            let mut finished = fixture::entry_of((1, 1, 1), (1, 3), Outcome::WhiteWins, Termination::Checkmate);
            finished.termination = record.termination;
            let evidence = "White said\nStart failed: White: no uciok in 10 s\n";
            let told = of_game(&state, &finished, Some(&record), Some(evidence)).into_iter();
            let told = told.map(|fault| fault.sentence(&state, finished.id));
            told.collect::<Vec<_>>().join("; ")
        };
        let by = Side::White;
        let failed = |attempt, time_us, end: AttemptEnd| FailedAttempt {
            ply: 0,
            side: by,
            attempt,
            time_us,
            end,
            wakeup_us: None,
            service_us: None,
            ready_us: None,
            doubt: None,
            meant: None,
        };
        let crash = told(&|record| {
            record.termination = Termination::Crash { by };
            record.engine_end = Some(EngineEnd::Signalled(11));
        });
        assert_eq!(crash, "Alpha lost 1.1.1 (crash: its process was killed by signal 11)");
        let late = told(&|record| {
            record.termination = Termination::TimeForfeit { by };
            record.failed_attempts = vec![failed(1, 1_503_999, AttemptEnd::Late)];
        });
        assert_eq!(late, "Alpha lost 1.1.1 (time-forfeit: its move took 1.503 s)");
        let late = told(&|record| {
            record.termination = Termination::TimeForfeit { by };
            let silent = failed(2, 2_000_000, AttemptEnd::Silent);
            record.failed_attempts = vec![failed(1, 1_503_000, AttemptEnd::Late), silent];
        });
        assert_eq!(
            late,
            "Alpha lost 1.1.1 (time-forfeit: 2 attempts failed, the last took 2.000 s)"
        );
        let illegal = told(&|record| {
            record.termination = Termination::IllegalMove { by };
            record.failed_attempts = vec![failed(1, 1000, AttemptEnd::Illegal("a1\u{1b}a1".to_owned()))];
        });
        assert_eq!(illegal, "Alpha lost 1.1.1 (illegal-move: it answered a1\\u{1b}a1)");
        let castled = told(&|record| {
            record.termination = Termination::IllegalMove { by };
            let notation = Notation::CastlingByRook;
            let uci = "e1g1".to_owned();
            record.failed_attempts = vec![FailedAttempt {
                meant: Some(MeantMove { notation, uci }),
                ..failed(1, 1000, AttemptEnd::Illegal("e1h1".to_owned()))
            }];
        });
        assert_eq!(
            castled,
            "Alpha lost 1.1.1 (illegal-move: it answered e1h1: castling written as king takes rook, which is for Chess960; in UCI it \
             is e1g1)"
        );
        let absent = told(&|record| record.termination = Termination::DidNotStart { by });
        assert_eq!(absent, "Alpha lost 1.1.1 (not-started: White: no uciok in 10 s)");
        let both = told(&|record| record.termination = Termination::NeitherStarted);
        assert_eq!(
            both,
            "Alpha lost 1.1.1 (neither-started); Charlie lost 1.1.1 (neither-started)"
        );
        assert_eq!(told(&|record| record.termination = Termination::Checkmate), "");
    }
}
