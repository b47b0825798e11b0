//! A small event for the tests of this crate: five players, three rounds, mini-matches of two games.

use std::time::Duration;

use swiss_system::pairing::history::{Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings::criterion::Code;

use swissmatch_game::Side;
use swissmatch_game::alarm::AlarmOf;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::time_control::Limit;
use swissmatch_tournament::log::{
    Agent, AgentIntroduction, AnalysisBegun, Entry, FileHash, GameAnalysed, GameFinished, LOG_VERSION, Quality,
    RoundPaired, RunCreated, Suite,
};
use swissmatch_tournament::setup::{
    AnalysisKeys, ByeCriterion, ByeKeys, Column, EngineKeys, EventKeys, FaultBound, GameKeys, IllegalAttempts,
    MiniMatchKeys, OpeningOrder, Openings, Pinning, PlayerKeys, Rounds, RunKeys, Setup, StandingsKeys, SwissKeys,
};
use swissmatch_tournament::state::{EndedGame, LoggedGame, State};

use Outcome::{BlackWins, Draw, WhiteWins};
use Termination::{Checkmate, Crash, DidNotStart, IllegalMove, ThreefoldRepetition, TimeForfeit};

/// Names by pairing number.
pub(super) const NAMES: [&str; 5] = ["Alpha", "Bravo", "Charlie", "Delta", "Echo"];

/// The event before its first round.
pub(super) fn created_only() -> State {
    State::fold(&[created(NAMES)]).expect("a log")
}

/// The event after a finished first game, with these names.
pub(super) fn with_names(names: [&str; 5]) -> State {
    let entries = [created(names), paired(1, &[(1, 3, false), (2, 4, false)], 5)];
    State::fold(&entries).expect("a log")
}

/// After round 2: Bravo, Charlie and Echo are level, and Echo has met neither of the others.
pub(super) fn two_rounds() -> State {
    State::fold(&log_of_two_rounds()).expect("a log")
}

/// The event halfway through round 3, with a forced repeat on board 1 and an engine that did not start on board 2.
pub(super) fn third_round_begun() -> State {
    let mut entries = log_of_two_rounds();
    entries.extend(third_round().into_iter().take(3));
    State::fold(&entries).expect("a log")
}

pub(super) fn over() -> State {
    over_with(|_| ())
}

/// After the last round, with other keys.
pub(super) fn over_with(change: impl FnOnce(&mut Setup)) -> State {
    let mut entries = log_of_two_rounds();
    entries.extend(third_round());
    State::fold(&changed(entries, |created| change(&mut created.setup))).expect("a log")
}

/// After the last round, with alarms in these games and a bound on faults.
pub(super) fn with_alarms(alarms: &[(&str, Side)], bound: FaultBound) -> State {
    let mut entries = log_of_two_rounds();
    entries.extend(third_round());
    for entry in &mut entries {
        if let Entry::GameFinished(game) = entry {
            let of_game = alarms.iter().filter(|(id, _)| *id == game.id.to_string());
            let alarm = |(_, side): &(&str, Side)| AlarmOf {
                side: *side,
                pattern: "AddressSanitizer".to_owned(),
            };
            game.alarms = of_game.map(alarm).collect();
        }
    }
    let entries = changed(entries, |created| created.setup.run.max_faults = Some(bound));
    State::fold(&entries).expect("a log")
}

/// After the last round, with the hash of each game's moves.
pub(super) fn with_movetexts(of: impl Fn(&GameFinished) -> Option<String>) -> State {
    let mut entries = log_of_two_rounds();
    entries.extend(third_round());
    for entry in &mut entries {
        if let Entry::GameFinished(game) = entry {
            game.movetext = of(game);
        }
    }
    State::fold(&entries).expect("a log")
}

/// Before round 1, with `count` players named `Player 1` and on by pairing number, and other keys.
pub(super) fn of_players(count: usize, change: impl FnOnce(&mut RunCreated)) -> State {
    let entries = changed(vec![created(NAMES)], |created| {
        created.setup.players = (1..=count)
            .map(|number| player(&format!("Player {number}"), None))
            .collect();
        created.order = (0..count).collect();
        created.agents = vec![created.agents[0].clone(); count];
        change(created);
    });
    State::fold(&entries).expect("a log")
}

/// After round 1, in which Alpha and Charlie ended their two games like this, and Bravo and Delta drew theirs.
pub(super) fn after_games([first, second]: [(Outcome, Termination); 2], change: impl FnOnce(&mut Setup)) -> State {
    let drawn = |id, players| game(id, players, Draw, ThreefoldRepetition, 40, [0, 0]);
    let entries = vec![
        created(NAMES),
        paired(1, &[(1, 3, false), (2, 4, false)], 5),
        game((1, 1, 1), (1, 3), first.0, first.1, 0, [0, 0]),
        game((1, 1, 2), (3, 1), second.0, second.1, 0, [0, 0]),
        drawn((1, 2, 1), (2, 4)),
        drawn((1, 2, 2), (4, 2)),
    ];
    State::fold(&changed(entries, |created| change(&mut created.setup))).expect("a log")
}

/// Round 1 of mini-matches of so many games, with the pair of Alpha and Bravo alone, after these games of it.
pub(super) fn one_board(games: u32, ended: &[(Outcome, Termination)]) -> State {
    let mut entries = vec![created(NAMES), paired(1, &[(1, 2, false)], 5)];
    for (number, &(outcome, termination)) in (1..).zip(ended) {
        let players = if number % 2 == 1 { (1, 2) } else { (2, 1) };
        entries.push(game((1, 1, number), players, outcome, termination, 30, [0, 0]));
    }
    State::fold(&changed(entries, |created| created.setup.mini_match.games = games)).expect("a log")
}

/// Two players, Alpha and Bravo, and one mini-match of so many games, after these games of it. Alpha stands first in the file.
pub(super) fn two_players(games: u32, ended: &[(Outcome, Termination)], change: impl FnOnce(&mut Setup)) -> State {
    let mut entries = vec![created(NAMES), paired_alone()];
    for (number, &(outcome, termination)) in (1..).zip(ended) {
        let players = if number % 2 == 1 { (1, 2) } else { (2, 1) };
        entries.push(game((1, 1, number), players, outcome, termination, 30, [0, 0]));
    }
    let entries = changed(entries, |created| {
        created.rounds = 1;
        created.order = vec![0, 1];
        created.agents.truncate(2);
        created.setup.players = NAMES[..2].iter().map(|name| player(name, None)).collect();
        created.setup.swiss.rounds = Rounds::Number(1);
        created.setup.mini_match.games = games;
        change(&mut created.setup);
    });
    State::fold(&entries).expect("a log")
}

/// Round 1 of two players.
fn paired_alone() -> Entry {
    let pair = Pair {
        white: PairingNumber(1),
        black: PairingNumber(2),
        repeat: false,
    };
    Entry::RoundPaired(RoundPaired {
        round: 1,
        pairing: RoundPairing::new(vec![pair], None),
        day: jiff::civil::date(2026, 1, 30),
        starts: None,
    })
}

/// A game that was analysed: round, board and game; moves and centipawns lost of White and Black.
pub(super) type AnalysedGame = ((u32, u32, u32), [(u32, u64); 2]);

/// After round 2, with records of all games, of which these have been analysed.
pub(super) fn analysed(games: &[AnalysedGame], change: impl FnOnce(&mut AnalysisKeys)) -> State {
    analysed_with(games, "Reference 1", change)
}

/// Like [`analysed`], but by an engine of that name.
pub(super) fn analysed_by(engine: &str, games: &[AnalysedGame]) -> State {
    analysed_with(games, engine, |_| ())
}

fn analysed_with(games: &[AnalysedGame], engine: &str, change: impl FnOnce(&mut AnalysisKeys)) -> State {
    let mut entries = log_of_two_rounds();
    for entry in &mut entries {
        if let Entry::GameFinished(game) = entry {
            game.record = Some("00".to_owned());
        }
    }
    let mut keys = AnalysisKeys::default();
    change(&mut keys);
    let file = FileHash {
        path: "/engines/reference".to_owned(),
        sha256: "0123456789abcdef".repeat(4),
    };
    entries.push(Entry::AnalysisBegun(Box::new(AnalysisBegun {
        software: "0.0.0".to_owned(),
        engine: Agent {
            program: file.path.clone(),
            files: vec![file],
            introduction: Some(AgentIntroduction {
                start_us: Some(40_000),
                name: engine.to_owned(),
                author: String::new(),
                threads: 1,
                options_left_out: Vec::new(),
                options_unread: Vec::new(),
                unopened: Vec::new(),
            }),
            works_in: None,
            words_from: None,
            left_out: Vec::new(),
            legal_moves: None,
        },
        keys,
    })));
    entries.extend(games.iter().map(|&((round, mini_match, game), sides)| {
        Entry::GameAnalysed(GameAnalysed {
            id: GameId {
                round,
                playoff: 0,
                board: mini_match,
                game,
            },
            sides: sides.map(|(moves, lost)| Quality {
                moves,
                lost,
                accuracy: 90_000 * u64::from(moves),
                ..Quality::default()
            }),
            evaluations: "00".to_owned(),
        })
    }));
    State::fold(&entries).expect("a log")
}
fn changed(mut entries: Vec<Entry>, change: impl FnOnce(&mut RunCreated)) -> Vec<Entry> {
    if let Some(Entry::Created(created)) = entries.first_mut() {
        change(created);
    }
    entries
}
fn third_round() -> [Entry; 5] {
    let not_started = |id, players, outcome, by| game(id, players, outcome, DidNotStart { by }, 0, [0, 0]);
    [
        paired(3, &[(3, 1, true), (4, 5, false)], 2),
        game((3, 1, 1), (3, 1), WhiteWins, Checkmate, 77, [0, 0]),
        not_started((3, 2, 1), (4, 5), WhiteWins, Side::Black),
        game((3, 1, 2), (1, 3), WhiteWins, Checkmate, 31, [0, 0]),
        not_started((3, 2, 2), (5, 4), BlackWins, Side::White),
    ]
}
/// The log up to the end of round 2.
pub(super) fn log_of_two_rounds() -> Vec<Entry> {
    vec![
        created(NAMES),
        paired(1, &[(1, 3, false), (2, 4, false)], 5),
        game((1, 1, 1), (1, 3), WhiteWins, Checkmate, 61, [0, 0]),
        game((1, 1, 2), (3, 1), Draw, ThreefoldRepetition, 48, [0, 1]),
        game((1, 2, 1), (2, 4), WhiteWins, Checkmate, 55, [0, 0]),
        game(
            (1, 2, 2),
            (4, 2),
            BlackWins,
            TimeForfeit { by: Side::White },
            12,
            [3, 0],
        ),
        paired(2, &[(5, 1, false), (3, 2, false)], 4),
        game((2, 1, 1), (5, 1), WhiteWins, Checkmate, 71, [0, 0]),
        game((2, 1, 2), (1, 5), WhiteWins, Crash { by: Side::Black }, 30, [0, 0]),
        game((2, 2, 1), (3, 2), WhiteWins, IllegalMove { by: Side::Black }, 9, [0, 3]),
        game((2, 2, 2), (2, 3), Draw, Termination::MoveCap, 400, [0, 0]),
    ]
}
/// A paired round: White, Black, whether it is a repeat; and the bye.
pub(super) fn paired(round: u32, pairs: &[(u32, u32, bool)], bye: u32) -> Entry {
    let pairs = pairs.iter().map(|&(white, black, repeat)| Pair {
        white: PairingNumber(white),
        black: PairingNumber(black),
        repeat,
    });
    let pairing = RoundPairing::new(pairs.collect(), Some(PairingNumber(bye)));
    Entry::RoundPaired(RoundPaired {
        round,
        pairing,
        day: jiff::civil::date(2026, 1, 30),
        starts: None,
    })
}
/// The end of a game: round, board and game; White and Black.
pub(super) fn entry_of(
    (round, mini_match, game): (u32, u32, u32),
    (white, black): (u32, u32),
    outcome: Outcome,
    termination: Termination,
) -> GameFinished {
    let id = GameId {
        round,
        playoff: 0,
        board: mini_match,
        game,
    };
    GameFinished::unplayed(id, [PairingNumber(white), PairingNumber(black)], (outcome, termination))
}
/// Like [`entry_of`], but as an [`EndedGame`].
pub(super) fn finished(
    id: (u32, u32, u32),
    sides: (u32, u32),
    outcome: Outcome,
    termination: Termination,
) -> EndedGame {
    LoggedGame::of_entry(1, &entry_of(id, sides, outcome, termination)).into()
}
/// A record that knows nothing of a game but its end.
pub(super) fn empty_record(game: &EndedGame) -> GameRecord {
    let finished = &game.finished;
    let mut record = serde_json::json!({
        "version": GameRecord::VERSION,
        "id": finished.id,
        "white": finished.white,
        "black": finished.black,
        "opening": { "fen": null, "moves": "", "name": "" },
        "moves": "",
        "result": finished.outcome,
        "time_us": [],
        "ready_us": [0, 0],
    });
    let serde_json::Value::Object(ended) = serde_json::json!(finished.termination) else {
        unreachable!("a table")
    };
    record.as_object_mut().expect("a table").extend(ended);
    serde_json::from_value(record).expect("a record")
}
fn game(
    id: (u32, u32, u32),
    players: (u32, u32),
    outcome: Outcome,
    termination: Termination,
    plies: u32,
    failed_attempts: [u32; 2],
) -> Entry {
    Entry::GameFinished(GameFinished {
        plies,
        failed_attempts,
        ..entry_of(id, players, outcome, termination)
    })
}
fn created(names: [&str; 5]) -> Entry {
    let agent = Agent {
        program: "engine".to_owned(),
        ..Agent::default()
    };
    Entry::Created(Box::new(RunCreated {
        log_version: LOG_VERSION,
        software: "0.0.0".to_owned(),
        setup: setup(names),
        rounds: 3,
        format: TournamentFormat::Swiss,
        // Alpha is second in the file, so that places in the file differ from pairing numbers.
        order: vec![1, 0, 2, 3, 4],
        agents: vec![agent; 5],
        tour: None,
        machine: None,
        openings: Suite {
            source: "none".to_owned(),
            sha256: None,
            count: 0,
        },
    }))
}

fn setup(names: [&str; 5]) -> Setup {
    let ratings = [Some(2100), Some(2000), Some(1900), Some(-5), None];
    let mut players: Vec<PlayerKeys> = names
        .iter()
        .zip(ratings)
        .map(|(name, rating)| player(name, rating))
        .collect();
    players.swap(0, 1);
    Setup {
        preset: "global-chess-challenge".to_owned(),
        event: EventKeys {
            name: "Spring qualifier".to_owned(),
            site: String::new(),
            rng_seed: 7,
            ..EventKeys::default()
        },
        swiss: SwissKeys {
            rounds: Rounds::Number(3),
            ..SwissKeys::default()
        },
        mini_match: MiniMatchKeys {
            openings: Openings::None,
            opening_order: OpeningOrder::Sequential,
            ..MiniMatchKeys::default()
        },
        game: GameKeys {
            time_control: Limit::MoveTime(Duration::from_secs(30)).into(),
            attempts: 3,
            illegal_attempts: IllegalAttempts::Shared,
            max_moves: Some(200),
            move_overhead: Duration::from_millis(50),
            ..GameKeys::default()
        },
        bye: ByeKeys {
            order: vec![ByeCriterion::FewestByes],
            match_points: Points::HALF,
            game_points: Some(Points::ONE),
            ..ByeKeys::default()
        },
        standings: StandingsKeys {
            order: vec![
                Code::MatchPoints.into(),
                Code::H2h.into(),
                Code::ChallengeBuchholz.into(),
                Code::ChallengeSonnebornBerger.into(),
            ],
            columns: vec![
                Column::Criterion(Code::MatchPoints.into()),
                Column::Criterion(Code::H2h.into()),
                Column::Criterion(Code::ChallengeBuchholz.into()),
                Column::Criterion(Code::ChallengeSonnebornBerger.into()),
                Column::Criterion(Code::GamePoints.into()),
                Column::Acpl,
                Column::WinRate,
                Column::Wdl,
                Column::Games,
                Column::Byes,
                Column::Faults,
            ],
            ..StandingsKeys::default()
        },
        engine: EngineKeys {
            start_attempts: 2,
            ..EngineKeys::default()
        },
        run: RunKeys {
            pin: Pinning::None,
            ..RunKeys::default()
        },
        players,
        ..Setup::default()
    }
}

fn player(name: &str, rating: Option<i32>) -> PlayerKeys {
    PlayerKeys {
        name: name.to_owned(),
        command: "engine".to_owned(),
        rating,
        ..PlayerKeys::default()
    }
}
