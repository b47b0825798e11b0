//! What workers send, in any order, from anybody, with anything in it: what of it counts.

use std::time::Duration;

use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::flag_fall::FlagFall;
use swissmatch::game::opening::Opening;
use swissmatch::game::record::{Attempts, Bounds, GameId, GameLimits, GameRecord, GameSpec};
use swissmatch::game::rules::{Claims, PliesFrom};
use swissmatch::game::seen::{GameView, LastMove, Running};
use swissmatch::game::termination::{BothFailed, Outcome, Termination};
use swissmatch::game::time_control::Limit;
use swissmatch::game::variant::Variant;
use swissmatch::shell::host::{HostReport, IssuedGame, NotPlayedCause, Task};

use swissmatch_workers::book::{Book, MessageFate};
use swissmatch_workers::wire::{Came, ResultMessage, TaskMessage, VERSION};

const WORKER: (&str, &str) = ("UA", "fast");
const FOOLS_MATE: &str = "f2f3 e7e5 g2g4 d8h4";

fn spec(number: u32) -> GameSpec {
    let (white, black) = (PairingNumber(1 + (number + 1) % 2), PairingNumber(1 + number % 2));
    GameSpec {
        id: GameId {
            game: number,
            ..GameId::first_of(1, 0, 1)
        },
        white,
        black,
        opening: Opening::start(Variant::Standard),
        limits: limits(),
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

/// Thirty seconds a move.
fn limits() -> GameLimits {
    let second = Duration::from_secs(1);
    let control = || Limit::MoveTime(30 * second).into();
    GameLimits {
        time_controls: [control(), control()],
        margins: [Duration::ZERO; 2],
        move_overhead: Duration::ZERO,
        attempts: Attempts::Shared(3),
        attempts_share: false,
        max_plies: None,
        plies_from: PliesFrom::Opening,
        claims: Claims::Automatic,
        both_failed: BothFailed::Lost,
        ready_limit: second,
        step_limit: second,
        restart_limits: [second; 2],
        threads: [1; 2],
        stop_grace: second,
        start_attempts: 1,
        ponder: [false; 2],
        freeze: false,
        resigns: [false; 2],
        flag_fall: FlagFall::Loses,
    }
}

fn hashes() -> [String; 2] {
    ["a", "b"].map(str::to_owned)
}

/// A book whose slot 3 was given games 1 and 2, at a time of 10 seconds.
fn given() -> Book {
    let mut book = Book::new(7, 100, false);
    let games = [1, 2]
        .map(|number| IssuedGame {
            spec: spec(number),
            issue: 1,
        })
        .to_vec();
    let message = book.give(
        (3, "UA"),
        Task { games, since: None },
        hashes(),
        Duration::from_secs(10),
    );
    assert_eq!(
        (message.runner, message.games.len(), &message.agents),
        (7, 2, &hashes())
    );
    book
}

fn mate(number: u32) -> GameRecord {
    GameRecord {
        moves: FOOLS_MATE.to_owned(),
        time_us: vec![1_000_000; 4],
        outcome: Outcome::BlackWins,
        termination: Termination::Checkmate,
        ..GameRecord::begin(&spec(number))
    }
}

fn message(number: u32, record: GameRecord) -> ResultMessage {
    let mut agents = hashes();
    if number == 2 {
        agents.reverse();
    }
    ResultMessage {
        version: VERSION,
        game: record.id,
        issue: 1,
        agents,
        class: "fast".to_owned(),
        came: Came::Played {
            record: Box::new(record),
            evidence: None,
            memory: None,
        },
    }
}

/// A worker that is given a task again, of which it has played the first game already, plays the others by the same agents as ever.
#[test]
fn games_of_a_task_have_the_agents_of_their_players_whatever_was_played_of_it() {
    let games = [1, 2, 3].map(|number| IssuedGame {
        spec: spec(number),
        issue: 1,
    });
    let task = TaskMessage {
        version: VERSION,
        runner: 7,
        games: games.to_vec(),
        agents: hashes(),
    };
    let whites = |kept: &[u32]| {
        let kept = kept.iter().map(|number| (spec(*number).id, 1)).collect();
        let games = task.clone().games_but(&kept).into_iter();
        let games = games.map(|(issued, agents)| (issued.spec.id.game, agents.concat()));
        games.collect::<Vec<_>>()
    };
    let of = |number, agents: &str| (number, agents.to_owned());
    assert_eq!(whites(&[]), [of(1, "ab"), of(2, "ba"), of(3, "ab")]);
    assert_eq!(whites(&[1]), [of(2, "ba"), of(3, "ab")]);
    assert_eq!(whites(&[2]), [of(1, "ab"), of(3, "ab")]);
    assert_eq!(whites(&[1, 2, 3]), []);
}

fn at(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn the_first_record_of_a_game_counts_and_no_later_one() {
    let mut book = given();
    // In any order: the second may come from a worker that took the task over.
    for number in [2, 1] {
        assert!(book.is_wanted(spec(number).id, 1) && !book.is_wanted(spec(number).id, 2));
        let MessageFate::Tells(told) = book.comes(WORKER, message(number, mate(number)), at(14)) else {
            panic!("it counts")
        };
        let HostReport::Played(played) = *told else {
            panic!("{told:?}")
        };
        let on = played.played_on.expect("a worker");
        assert_eq!(
            (played.slot, on.worker.as_str(), on.class.as_str(), on.issue),
            (3, "UA", "fast", 1)
        );
        for worker in [WORKER, ("UB", "fast")] {
            let again = book.comes(worker, message(number, mate(number)), at(15));
            assert!(matches!(again, MessageFate::Superseded), "{again:?}");
        }
    }
}

/// Nobody plays a game in another's place; of what a runner before this one gave out it is not known who had it.
#[test]
fn only_who_was_given_a_game_can_have_played_it() {
    for (has_earlier, counts) in [(false, false), (true, true)] {
        let mut book = Book::new(7, 100, has_earlier);
        let games = vec![IssuedGame {
            spec: spec(1),
            issue: 1,
        }];
        book.give((3, "UA"), Task { games, since: None }, hashes(), at(10));
        let came = book.comes(("UB", "fast"), message(1, mate(1)), at(14));
        assert_eq!(matches!(came, MessageFate::Tells(_)), counts, "{came:?}");
        assert_eq!(book.is_wanted(spec(1).id, 1), !counts);
    }
    // Who was thought to be lost may come first all the same.
    let mut book = given();
    book.gives_up(spec(1).id, NotPlayedCause::Stop, String::new());
    let games = vec![IssuedGame {
        spec: spec(1),
        issue: 1,
    }];
    book.give((4, "UB"), Task { games, since: None }, hashes(), at(20));
    let came = book.comes(WORKER, message(1, mate(1)), at(21));
    assert!(matches!(came, MessageFate::Tells(_)), "{came:?}");
}

#[test]
fn a_game_that_was_given_out_anew_takes_nothing_of_before() {
    let mut book = given();
    let games = vec![IssuedGame {
        spec: spec(1),
        issue: 2,
    }];
    book.give((0, "UA"), Task { games, since: None }, hashes(), at(20));
    assert!(matches!(
        book.comes(WORKER, message(1, mate(1)), at(30)),
        MessageFate::Superseded
    ));
    let anew = ResultMessage {
        issue: 2,
        ..message(1, mate(1))
    };
    assert!(matches!(book.comes(WORKER, anew, at(30)), MessageFate::Tells(_)));
}

#[test]
fn what_cannot_be_is_refused_and_the_game_is_still_to_come() {
    let mut book = given();
    let illegal = GameRecord {
        moves: "f2f3 e7e5 g2g4 d8h5".to_owned(),
        ..mate(1)
    };
    let by_arbiter = |outcome| GameRecord {
        outcome,
        termination: Termination::ArbiterAdjudication,
        moves: String::new(),
        time_us: Vec::new(),
        ..mate(1)
    };
    let much = |text: &str| {
        let mut message = message(1, mate(1));
        if let Came::Played { evidence, .. } = &mut message.came {
            *evidence = Some(text.to_owned());
        }
        message
    };
    let refused = [
        (
            ResultMessage {
                version: 2,
                ..message(1, mate(1))
            },
            14,
            "its version is 2",
        ),
        (
            ResultMessage {
                agents: ["b", "a"].map(str::to_owned),
                ..message(1, mate(1))
            },
            14,
            "by other agents",
        ),
        (message(1, illegal), 14, "is not legal"),
        (message(1, mate(1)), 13, "took longer than there was time"),
        (message(1, by_arbiter(Outcome::Draw)), 14, "an arbiter who did not ask"),
        (much(&"x".repeat(101)), 14, "more evidence"),
    ];
    for (message, seconds, why) in refused {
        let counts = book.comes(WORKER, message, at(seconds));
        assert!(
            matches!(&counts, MessageFate::Refused(told) if told.contains(why)),
            "{why}: {counts:?}"
        );
        assert!(book.is_wanted(spec(1).id, 1));
    }
    assert!(book.is_to_end(spec(1).id, Outcome::Draw));
    let other = book.comes(WORKER, message(1, by_arbiter(Outcome::WhiteWins)), at(14));
    assert!(matches!(other, MessageFate::Refused(_)), "{other:?}");
    let asked = book.comes(WORKER, message(1, by_arbiter(Outcome::Draw)), at(14));
    assert!(matches!(asked, MessageFate::Tells(_)), "{asked:?}");
}

#[test]
fn a_game_that_was_not_played_is_told_with_who_says_so_in_harmless_words() {
    let mut book = Book::new(7, 100, false);
    let games = vec![IssuedGame {
        spec: spec(1),
        issue: 1,
    }];
    book.give((3, "U\u{7}A"), Task { games, since: None }, hashes(), at(10));
    let came = Came::NotPlayed {
        whose: NotPlayedCause::Machine,
        why: format!("no memory\u{1b}[31m{}", "x".repeat(1000)),
    };
    let message = ResultMessage {
        came,
        ..message(1, mate(1))
    };
    // Only who has it can say so.
    assert!(matches!(
        book.comes(("UB", "fast"), message.clone(), at(11)),
        MessageFate::Superseded
    ));
    let MessageFate::Tells(told) = book.comes(("U\u{7}A", "fast"), message, at(11)) else {
        panic!("it counts")
    };
    let HostReport::NotPlayed { slot, game, whose, why } = *told else {
        panic!("{told:?}")
    };
    assert_eq!((slot, game, whose), (3, spec(1).id, NotPlayedCause::Machine));
    assert!(
        why.starts_with("worker UA: no memory") && why.chars().count() < 320 && !why.contains('\u{1b}'),
        "{why}"
    );
    assert!(
        book.gives_up(game, NotPlayedCause::Machine, String::new()).is_none(),
        "it is no longer given"
    );
}

/// A worker's live board goes to everybody who watches, and to what looks up its players.
#[test]
fn what_cannot_be_seen_of_a_game_is_shown_to_nobody() {
    let right = GameView::whole(&mate(1));
    assert!(right.is_of(&spec(1)) && GameView::begin(&spec(1)).is_of(&spec(1)));
    assert!(!right.is_of(&spec(2)), "of another game");
    let forged: [fn(&mut GameView); 9] = [
        |seen| seen.white = PairingNumber(9999),
        |seen| seen.black = PairingNumber(0),
        |seen| seen.moves = "f2f3 e7e5 g2g4 d8h5".to_owned(),
        |seen| seen.moves.push_str(" <b>"),
        |seen| seen.plies = 3,
        |seen| seen.columns.time_us.truncate(3),
        |seen| seen.columns.nodes = vec![None; 5],
        |seen| {
            seen.sides[0].last = Some(LastMove {
                ply: 4,
                ..LastMove::default()
            })
        },
        |seen| {
            let (since, limit) = (Duration::MAX, Duration::MAX);
            seen.running = Some(Running { since, limit });
        },
    ];
    for (number, forge) in forged.iter().enumerate() {
        let mut seen = right.clone();
        forge(&mut seen);
        assert!(!seen.is_of(&spec(1)), "{number}");
    }
}
