//! What is answered, what is played, and in which order.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver};

use super::super::key::tests::{agent, spec};
use super::super::scripted::{ScriptedGame, ScriptedHost};
use super::super::{AgentSpec, IssuedGame, NotPlayedCause, SlotsReport};
use super::*;
use swissmatch_game::Side;
use swissmatch_game::opening::Opening;
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_game::variant::Variant;
use swissmatch_tournament::setup::{Evidence, HostKeys};

/// Earlier games by key, newest first.
#[derive(Default)]
struct EarlierGames(BTreeMap<String, Vec<EarlierGame>>);

impl Earlier for EarlierGames {
    fn find(&mut self, key: &str, taken: &BTreeSet<TakenFrom>) -> Option<EarlierGame> {
        let games = self.0.get(key)?;
        games.iter().find(|game| !taken.contains(&game.from)).cloned()
    }
}

fn from(run: &str, game: &str) -> TakenFrom {
    TakenFrom {
        run: run.to_owned(),
        game: game.parse().expect("a game"),
    }
}

/// A game that was played elsewhere, by players of other numbers.
fn earlier(from: TakenFrom) -> EarlierGame {
    let mut elsewhere = spec("9.9.9");
    (elsewhere.white, elsewhere.black) = (PairingNumber(7), PairingNumber(8));
    elsewhere.opening.name = "line 99".to_owned();
    let record = GameRecord {
        moves: "f2f3 e7e5 g2g4 d8h4".to_owned(),
        time_us: vec![77; 4],
        outcome: Outcome::BlackWins,
        termination: Termination::Checkmate,
        ..GameRecord::begin(&elsewhere)
    };
    EarlierGame { from, record }
}

fn key_of(spec: &GameSpec, agents: &[AgentSpec]) -> String {
    let identity = |player: PairingNumber| Identity::of(&agents[player.index()]).expect("an identity");
    key("", [&identity(spec.white), &identity(spec.black)], spec)
}

fn terms(agents: Vec<AgentSpec>, taken: Vec<(GameId, TakenFrom)>) -> HostOrder {
    HostOrder::Open(Box::new(Terms {
        threads: vec![1; agents.len()],
        agents,
        host: HostKeys::default(),
        beside: 0,
        start_attempts: 1,
        evidence: Evidence::Faults,
        evidence_game: 1024,
        replays: 2,
        by_the_clock: false,
        weigh: false,
        tablebase_men: None,
        taken,
    }))
}

fn agents() -> Vec<AgentSpec> {
    ["1", "2", "3"].map(agent).to_vec()
}

const fn issued(spec: GameSpec) -> IssuedGame {
    IssuedGame { spec, issue: 1 }
}

fn play(slot: usize, games: &[&GameSpec]) -> HostOrder {
    HostOrder::Play {
        slot,
        task: Box::new(Task {
            games: games.iter().map(|game| issued((*game).clone())).collect(),
            since: None,
        }),
    }
}

/// The host with `kept`, over one at whose two slots White wins; and its reports.
fn host(kept: EarlierGames) -> (SparingHost, Receiver<HostReport>) {
    over(
        ScriptedHost::new(|_: &GameSpec| Outcome::win(Side::White)).with_slots(2),
        kept,
    )
}

fn over(inner: impl GameHost + 'static, kept: EarlierGames) -> (SparingHost, Receiver<HostReport>) {
    let mut host = SparingHost::new(Box::new(inner), Box::new(kept));
    let (told, reports) = mpsc::channel();
    host.connect(Reports::to(move |report| drop(told.send(report))));
    (host, reports)
}

/// What was reported, a line each; what is seen of games is left out.
fn lines(reports: &Receiver<HostReport>) -> Vec<String> {
    let numbers = |up: &[PairingNumber]| up.iter().map(ToString::to_string).collect::<Vec<_>>().join("+");
    let line = |report| match report {
        HostReport::Open(Ok(opened)) => Some(format!("open {}", opened.slots())),
        HostReport::Free { slot, up } => Some(format!("{slot} free {}", numbers(&up)).trim_end().to_owned()),
        HostReport::Played(played) => {
            let (slot, id) = (played.slot, played.record.id);
            let how = played
                .taken_from
                .map_or_else(|| "played".to_owned(), |from| format!("is {from}"));
            Some(
                format!("{slot} {id} {how}, up {}", numbers(&played.up))
                    .trim_end()
                    .to_owned(),
            )
        }
        HostReport::NotPlayed { slot, game, .. } => Some(format!("{slot} {game} not played")),
        HostReport::Gone { slot, .. } => Some(format!("{slot} gone")),
        HostReport::Entered(Ok(())) => Some("entered".to_owned()),
        HostReport::Live(_) => None,
        other => Some(format!("{other:?}")),
    };
    reports.try_iter().filter_map(line).collect()
}

fn kept(games: &[(&GameSpec, &[TakenFrom])]) -> EarlierGames {
    let games = games.iter().map(|(spec, from)| {
        let all = from.iter().cloned().map(earlier).collect();
        (key_of(spec, &agents()), all)
    });
    EarlierGames(games.collect())
}

#[test]
fn an_equal_game_is_answered_with_the_stored_record_once() {
    let (first, again) = (spec("1.1.1"), spec("1.1.3"));
    let mut reversed = spec("1.1.2");
    (reversed.white, reversed.black) = (reversed.black, reversed.white);
    let (mut host, reports) = host(kept(&[(&first, &[from("aaaaaaaaaa", "2.1.1")])]));
    host.order(terms(agents(), Vec::new()));
    assert_eq!(lines(&reports), ["open 2", "0 free", "1 free"]);

    host.order(play(0, &[&first]));
    let Some(HostReport::Played(played)) = reports
        .try_iter()
        .find(|report| matches!(report, HostReport::Played(_)))
    else {
        panic!("it is answered at once");
    };
    let expected = GameRecord {
        id: first.id,
        white: first.white,
        black: first.black,
        opening: Opening::start(Variant::Standard),
        ..earlier(from("aaaaaaaaaa", "2.1.1")).record
    };
    assert_eq!(played.record, expected);
    assert_eq!(played.taken_from, Some(from("aaaaaaaaaa", "2.1.1")));
    assert_eq!((played.evidence, played.memory, played.doubtful), (None, None, false));
    assert!(played.up.is_empty(), "no engine was started");

    // The other colours are another game, and what was taken once is not taken again.
    host.order(play(1, &[&reversed, &again]));
    assert_eq!(lines(&reports), ["1 1.1.2 played, up 2+1", "1 1.1.3 played, up 1+2"]);
}

#[test]
fn each_earlier_game_answers_once_the_newest_first() {
    let games = ["1.1.1", "1.1.2", "1.1.3"].map(spec);
    let earlier = [from("bbbbbbbbbb", "1.1.1"), from("aaaaaaaaaa", "1.1.1")];
    let (mut host, reports) = host(kept(&[(&games[0], &earlier)]));
    host.order(terms(agents(), Vec::new()));
    host.order(play(0, &[&games[0], &games[1], &games[2]]));
    assert_eq!(
        lines(&reports)[3..],
        [
            "0 1.1.1 is game 1.1.1 of run bbbbbbbb, up",
            "0 1.1.2 is game 1.1.1 of run aaaaaaaa, up",
            "0 1.1.3 played, up 1+2",
        ]
    );
}

#[test]
fn what_the_log_has_already_is_not_taken_again() {
    let games = ["1.1.1", "1.1.2", "1.1.3"].map(spec);
    let [newer, older] = [from("bbbbbbbbbb", "1.1.1"), from("aaaaaaaaaa", "1.1.1")];
    let (mut host, reports) = host(kept(&[(&games[0], &[newer.clone(), older])]));
    host.order(terms(agents(), vec![(games[0].id, newer)]));
    // The first is to be played again, as the arbiter may ask.
    games.iter().for_each(|game| host.order(play(0, &[game])));
    assert_eq!(
        lines(&reports)[3..],
        [
            "0 1.1.1 played, up 1+2",
            "0 1.1.2 is game 1.1.1 of run aaaaaaaa, up 1+2",
            "0 1.1.3 played, up 1+2",
        ]
    );
}

/// A host that takes orders and does nothing until it is told to.
#[derive(Default)]
struct Slow {
    orders: Arc<Mutex<Vec<HostOrder>>>,
    reports: Arc<Mutex<Option<Reports>>>,
}

impl GameHost for Slow {
    fn connect(&mut self, reports: Reports) {
        *self.reports.lock().expect("nobody panicked") = Some(reports);
    }

    fn order(&mut self, order: HostOrder) {
        self.orders.lock().expect("nobody panicked").push(order);
    }
}

#[test]
fn a_slot_does_first_what_it_was_told_before() {
    let games = ["1.1.1", "1.1.2", "1.1.3"].map(spec);
    let other = GameSpec {
        black: PairingNumber(3),
        ..spec("1.2.1")
    };
    let slow = Slow::default();
    let (orders, inner) = (Arc::clone(&slow.orders), Arc::clone(&slow.reports));
    let tell = |report| {
        let reports = inner.lock().expect("nobody panicked").clone();
        reports.expect("it is connected").tell(report);
    };
    let (mut host, reports) = over(
        slow,
        kept(&[(
            &games[0],
            &["1.1.1", "1.1.2", "1.1.3"].map(|game| from("aaaaaaaaaa", game)),
        )]),
    );
    host.order(terms(agents(), Vec::new()));
    tell(HostReport::Open(Ok(SlotsReport {
        groups: vec![SlotGroup {
            slots: 2,
            ..SlotGroup::default()
        }],
        manifest: serde_json::Value::Null,
        why_no_groups: None,
        memory: None,
        within_reach: Vec::new(),
        missing: Vec::new(),
        machine: None,
    })));
    assert_eq!(lines(&reports), ["open 2"]);
    let up = vec![PairingNumber(1), PairingNumber(2)];
    host.order(HostOrder::Seat {
        slot: 0,
        players: [PairingNumber(1), PairingNumber(2)],
    });
    host.order(play(0, &[&games[1]]));
    assert_eq!(lines(&reports), [""; 0]);
    tell(HostReport::Free {
        slot: 0,
        up: Vec::new(),
    });
    assert_eq!(lines(&reports), ["0 free"], "it has opened, and starts its engines");
    tell(HostReport::Free { slot: 0, up });
    assert_eq!(
        lines(&reports),
        ["0 free 1+2", "0 1.1.2 is game 1.1.1 of run aaaaaaaa, up 1+2"]
    );

    // After one that is played nothing is answered in the same task.
    host.order(play(0, &[&other, &games[2]]));
    host.order(HostOrder::Rest { slot: 0 });
    tell(HostReport::NotPlayed {
        slot: 0,
        game: other.id,
        whose: NotPlayedCause::Machine,
        why: String::new(),
    });
    assert_eq!(lines(&reports), ["0 1.2.1 not played", "0 1.1.3 not played"]);
    tell(HostReport::Free {
        slot: 0,
        up: Vec::new(),
    });
    assert_eq!(lines(&reports), ["0 free"]);
    let unknown = ["1.4.1", "1.4.2"].map(|game| {
        let spec = spec(game);
        GameSpec {
            white: spec.black,
            black: spec.white,
            ..spec
        }
    });
    host.order(play(0, &[&games[2], &unknown[0], &unknown[1]]));
    assert_eq!(lines(&reports), ["0 1.1.3 is game 1.1.2 of run aaaaaaaa, up"]);

    // A slot that goes answers nothing more: what it had is due again.
    host.order(play(1, &[&spec("1.3.1")]));
    tell(HostReport::Gone {
        slot: 1,
        why: String::new(),
    });
    host.order(play(1, &[&spec("1.3.2")]));
    assert_eq!(lines(&reports), ["1 gone"]);
    let orders = orders.lock().expect("nobody panicked");
    let games = orders.iter().filter_map(|order| match order {
        HostOrder::Play { task, .. } => Some(
            task.games
                .iter()
                .map(|game| game.spec.id.to_string())
                .collect::<Vec<_>>(),
        ),
        _ => None,
    });
    assert_eq!(
        games.collect::<Vec<_>>(),
        [vec!["1.2.1"], vec!["1.4.1", "1.4.2"]],
        "all that was played"
    );
}

#[test]
fn agents_without_an_identity_and_clocks_that_run_are_played() {
    let game = spec("1.1.1");
    let mut outside = agents();
    outside[1].player.dir = Some("rook".to_owned());
    let (mut host, reports) = host(kept(&[(&game, &[from("aaaaaaaaaa", "1.1.1")])]));
    host.order(terms(outside, Vec::new()));
    host.order(play(0, &[&game]));
    assert_eq!(lines(&reports)[3..], ["0 1.1.1 played, up 1+2"]);

    let (mut host, reports) = self::host(kept(&[(&game, &[from("aaaaaaaaaa", "1.1.1")])]));
    host.order(terms(agents(), Vec::new()));
    host.order(HostOrder::Play {
        slot: 0,
        task: Box::new(Task {
            games: vec![issued(game)],
            since: Some(Timestamp::now()),
        }),
    });
    assert_eq!(lines(&reports)[3..], ["0 1.1.1 played, up 1+2"]);
}

#[test]
fn late_entries_have_an_identity_too() {
    let mut game = spec("1.1.1");
    game.black = PairingNumber(4);
    let mut all = agents();
    all.push(agent("4"));
    let known = EarlierGames([(key_of(&game, &all), vec![earlier(from("aaaaaaaaaa", "1.1.1"))])].into());
    let (mut host, reports) = host(known);
    host.order(terms(agents(), Vec::new()));
    host.order(HostOrder::Enter(Box::new(agent("4"))));
    host.order(play(0, &[&game]));
    assert_eq!(
        lines(&reports)[3..],
        ["entered", "0 1.1.1 is game 1.1.1 of run aaaaaaaa, up"]
    );
}

/// Where games can be looked at, a game that was taken is seen as it ended; where not, it is told.
#[test]
fn a_taken_game_is_seen() {
    let game = spec("1.1.1");
    let (mut host, reports) = host(kept(&[(&game, &[from("aaaaaaaaaa", "1.1.1")])]));
    host.order(terms(agents(), Vec::new()));
    host.order(play(1, &[&game]));
    let live = reports.try_iter().find_map(|report| match report {
        HostReport::Live(live) => Some(live),
        _ => None,
    });
    let live = live.expect("it is told");
    assert_eq!((live.slot, live.game.id), (1, game.id));
    assert!(live.game.ended.is_some());
}

/// What is not played now may go on until the arbiter ends it, and the arbiter's word reaches it.
#[test]
fn the_arbiters_word_reaches_the_other_host() {
    let (mut host, reports) = over(
        ScriptedHost::new(|_: &GameSpec| ScriptedGame::GoesOn),
        EarlierGames::default(),
    );
    host.order(terms(agents(), Vec::new()));
    host.order(play(0, &[&spec("1.1.1")]));
    assert_eq!(lines(&reports), ["open 1", "0 free"]);
    host.order(HostOrder::Adjudicate {
        game: spec("1.1.1").id,
        outcome: Outcome::Draw,
    });
    assert_eq!(lines(&reports), ["0 1.1.1 played, up 1+2"]);
}
