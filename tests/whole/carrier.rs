//! What carries games to workers: a real NATS server, which is killed and started again.

use std::time::Duration;

use nkeys::KeyPair;
use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::flag_fall::FlagFall;
use swissmatch::game::opening::Opening;
use swissmatch::game::record::{Attempts, Bounds, GameId, GameLimits, GameRecord, GameSpec};
use swissmatch::game::rules::{Claims, PliesFrom};
use swissmatch::game::termination::BothFailed;
use swissmatch::game::time_control::Limit;
use swissmatch::game::variant::Variant;
use swissmatch::shell::host::IssuedGame;
use swissmatch_workers::carrier::{Carrier, QueueStatus, ResultQueue};
use swissmatch_workers::permissions::Permissions;
use swissmatch_workers::server::{Access, CarrierError, Server};
use swissmatch_workers::wire::{Came, ResultMessage, TaskMessage, VERSION};

use crate::nats::Nats;

const LEASE: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_millis(300);
const EVENT: &str = "0123456789abcdef0123456789abcdef";

impl Nats {
    async fn carrier(&self) -> Carrier {
        self.carrier_for(&Access::default())
            .await
            .expect("it lets everybody in")
    }

    async fn carrier_for(&self, access: &Access) -> Result<Carrier, CarrierError> {
        let server = Server::connect(&self.address(), access).await?;
        Ok(Carrier::new(server, EVENT, LEASE))
    }
}

async fn open(carrier: &Carrier) {
    carrier.server.open().await.expect("it opens");
}

fn spec(board: u32) -> GameSpec {
    let second = Duration::from_secs(1);
    let control = || Limit::MoveTime(second).into();
    GameSpec {
        id: GameId::first_of(1, 0, board),
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: GameLimits {
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
        },
        bounds: [Bounds::default(); 2],
        adjudication: AdjudicationRules::default(),
    }
}

fn task(board: u32) -> TaskMessage {
    TaskMessage {
        version: VERSION,
        runner: 1,
        games: vec![IssuedGame {
            spec: spec(board),
            issue: 1,
        }],
        agents: ["a", "b"].map(str::to_owned),
    }
}

fn result(board: u32) -> ResultMessage {
    ResultMessage {
        version: VERSION,
        game: spec(board).id,
        issue: 1,
        agents: ["a", "b"].map(str::to_owned),
        class: "fast".to_owned(),
        came: Came::Played {
            record: Box::new(GameRecord::not_started(&spec(board), [false; 2])),
            evidence: None,
            memory: None,
        },
    }
}

/// The games of which results come, at first and within a moment.
async fn games(results: &ResultQueue) -> Vec<String> {
    let mut told = Vec::new();
    let came = results.next(100, MOMENT, &mut |one| told.push(one)).await;
    came.expect("the server is there");
    let mut games = Vec::new();
    for told in told {
        let result: ResultMessage = serde_json::from_slice(told.text()).expect("it is one");
        games.push(format!("{} by {}", result.game, told.name.worker));
        told.done().await.expect("it is let go");
    }
    games.sort();
    games
}

fn run(test: impl AsyncFnOnce()) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(test());
}

#[test]
fn a_task_is_queued_once_taken_once_and_its_result_comes_once() {
    run(async || {
        let server = Nats::start();
        let (runner, worker) = (server.carrier().await, server.carrier().await);
        open(&runner).await;
        open(&runner).await;
        let (_, results) = runner.take("here").await.expect("nobody has it");
        assert_eq!(
            runner.give("UA", &task(1)).await.expect("it is queued"),
            QueueStatus::Now
        );
        assert_eq!(
            runner.give("UA", &task(1)).await.expect("it is there"),
            QueueStatus::Before
        );
        runner.serve("UA").await.expect("it is served");
        let tasks = worker.tasks("UA").await.expect("tasks");
        let taken = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        let game = taken.task.as_ref().expect("one").games[0].spec.id;
        assert_eq!((game, taken.is_of_event), (spec(1).id, true));
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
        taken.done().await.expect("it has it");
        assert_eq!(
            worker.tell("UA", &result(1)).await.expect("it is sent"),
            QueueStatus::Now
        );
        assert_eq!(
            worker.tell("UA", &result(1)).await.expect("it is there"),
            QueueStatus::Before
        );
        assert_eq!(games(&results).await, ["1.1.1 by UA"]);
        assert_eq!(games(&results).await, [""; 0]);
        assert!(tasks.next(2 * LEASE).await.expect("the server is there").is_none());
        // Taken back, a task is nobody's; other workers never had it.
        runner.give("UA", &task(2)).await.expect("it is queued");
        assert!(worker.tasks("UB").await.is_err(), "nobody serves it");
        runner.serve("UB").await.expect("it is served");
        let others = worker.tasks("UB").await.expect("tasks");
        assert!(others.next(MOMENT).await.expect("the server is there").is_none());
        runner.withdraw("UA").await.expect("it is taken back");
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
    });
}

/// Evidence of a game may be longer than the server takes in one message.
#[test]
fn a_long_result_comes_in_parts() {
    run(async || {
        let server = Nats::start();
        let carrier = server.carrier().await;
        open(&carrier).await;
        let (_, results) = carrier.take("here").await.expect("nobody has it");
        let mut long = result(1);
        if let Came::Played { evidence, .. } = &mut long.came {
            *evidence = Some("info string é\n".repeat(200_000));
        }
        carrier.tell("UA", &long).await.expect("it is sent");
        let mut told = Vec::new();
        let came = results.next(7, 3 * LEASE, &mut |one| told.push(one)).await;
        came.expect("the server is there");
        told.sort_by_key(|told| told.name.part);
        let of = told.len();
        assert!(
            of > 5
                && told
                    .iter()
                    .enumerate()
                    .all(|(part, told)| (told.name.part, told.name.of) == (part, of))
        );
        let text: Vec<u8> = told.iter().flat_map(|told| told.text().to_vec()).collect();
        assert_eq!(text, serde_json::to_vec(&long).expect("plain data"));
    });
}

#[test]
fn what_is_not_taken_is_there_again_and_what_the_server_has_survives_it() {
    run(async || {
        let mut server = Nats::start();
        let (runner, worker) = (server.carrier().await, server.carrier().await);
        open(&runner).await;
        let (_, results) = runner.take("here").await.expect("nobody has it");
        runner.give("UA", &task(1)).await.expect("it is queued");
        runner.serve("UA").await.expect("it is served");
        let tasks = worker.tasks("UA").await.expect("tasks");
        let lost = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        drop(lost);
        let again = tasks.next(2 * LEASE).await.expect("the server is there");
        again.expect("the same task").done().await.expect("it has it");
        for worker_of in ["UA", "UB"] {
            worker.tell(worker_of, &result(1)).await.expect("it is sent");
        }
        runner.give("UA", &task(2)).await.expect("it is queued");
        server.kill();
        server.start_again();
        // Both connect again by themselves.
        let mut came = Vec::new();
        for _ in 0..40 {
            let had = results.next(100, MOMENT, &mut |told| came.push(told.name.worker)).await;
            if had.is_ok() && came.len() >= 2 {
                break;
            }
        }
        came.sort();
        came.dedup();
        assert_eq!(came, ["UA", "UB"]);
        let left = tasks.next(5 * LEASE).await.expect("the server is there");
        let left = left.expect("the other task").task.expect("one");
        assert_eq!(left.games[0].spec.id, spec(2).id);
    });
}

#[test]
fn one_runner_has_an_event_and_another_one_only_when_it_is_silent() {
    run(async || {
        let server = Nats::start();
        let (first, second) = (server.carrier().await, server.carrier().await);
        open(&first).await;
        let (mut tenure, old) = first.take("desk: results/cup").await.expect("nobody has it");
        let stays = async {
            for _ in 0..8 {
                tenure.stay().await.expect("it has it");
                tokio::time::sleep(MOMENT).await;
            }
            tenure
        };
        let (mut tenure, refused) = tokio::join!(stays, second.take("laptop: results/cup"));
        let Err(CarrierError::Taken(who)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(who, "desk: results/cup");
        // The same place begins anew at once, as after a crash.
        first.tell("UA", &result(1)).await.expect("it is sent");
        let (again, results) = first.take("desk: results/cup").await.expect("it is its own");
        assert!(again.runner() > tenure.runner());
        assert!(matches!(tenure.stay().await, Err(CarrierError::Taken(_))));
        let mut had = 0;
        let none = old.next(1, MOMENT, &mut |_| had += 1).await;
        assert!(none.is_err() || had == 0, "it is shut out");
        assert_eq!(games(&results).await, ["1.1.1 by UA"]);
        // Silent for longer than a lease, it has nothing more to say.
        let (other, _) = second.take("laptop: results/cup").await.expect("the other one is gone");
        assert!(other.runner() > again.runner());
    });
}

#[test]
fn files_are_kept_by_their_content() {
    run(async || {
        let server = Nats::start();
        let carrier = server.carrier().await.server;
        carrier.open().await.expect("it opens");
        let (from, to) = (server.place().join("from"), server.place().join("to"));
        let bytes: Vec<u8> = (0..3_000_000_u32).map(|number| (number % 251) as u8).collect();
        std::fs::write(&from, &bytes).expect("a file");
        for _ in 0..2 {
            carrier.put("abc", &from).await.expect("it is kept");
        }
        carrier.get("abc", &to).await.expect("it comes");
        assert!(std::fs::read(&to).expect("a file") == bytes);
        assert!(carrier.get("abd", &to).await.is_err());
    });
}

#[test]
fn who_is_not_there_is_told() {
    run(async || {
        let refused = Server::connect("nats://127.0.0.1:1", &Access::default()).await;
        assert!(matches!(refused, Err(CarrierError::Server { .. })), "{refused:?}");
        let server = Nats::start();
        let carrier = server.carrier().await;
        let told = carrier.give("UA", &task(1)).await.expect_err("nothing was opened");
        assert!(told.to_string().starts_with("a task cannot be queued: "), "{told}");
    });
}

/// "The subject proves who played": by the documented permissions a worker is nobody else, and takes nothing from anybody.
#[test]
fn a_worker_may_do_what_it_needs_and_nothing_else() {
    let [runner, worker] = [0, 1].map(|_| KeyPair::new_user());
    let access = |key: &KeyPair, worker| Access {
        seed: Some(key.seed().expect("its seed")),
        worker,
        ..Access::default()
    };
    let name = worker.public_key();
    let permissions = Permissions::of_worker(&name);
    let server = Nats::start_with(&format!(
        "authorization {{ users: [ {{ nkey: {} }}, {{ nkey: {name}, permissions: {permissions} }} ] }}\n",
        runner.public_key()
    ));
    run(async || {
        let stranger = server.carrier_for(&access(&KeyPair::new_user(), None)).await;
        assert!(stranger.is_err() && server.carrier_for(&Access::default()).await.is_err());
        let runner = server.carrier_for(&access(&runner, None)).await.expect("it is let in");
        open(&runner).await;
        for of in [&name, "UB"] {
            runner.serve(of).await.expect("it is served");
        }
        let (_, results) = runner.take("here").await.expect("nobody has it");
        let file = server.place().join("file");
        std::fs::write(&file, "x").expect("a file");
        runner.server.put("abc", &file).await.expect("it is kept");
        runner.give(&name, &task(1)).await.expect("it is queued");

        let worker = server.carrier_for(&access(&worker, Some(name.clone()))).await;
        let worker = worker.expect("it is let in");
        let tasks = worker.tasks(&name).await.expect("its tasks");
        let taken = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        taken.done().await.expect("it has it");
        let got = server.place().join("got");
        worker.server.get("abc", &got).await.expect("it comes");
        assert_eq!(worker.server.cards().await.expect("it sees them").len(), 0);
        worker.tell(&name, &result(1)).await.expect("it is sent");
        assert_eq!(games(&results).await, [format!("1.1.1 by {name}")]);

        // Each is waited for until there is no answer.
        let (another, slow) = (result(2), task(2));
        let (as_another, of_another, queues, takes_back, keeps, takes) = tokio::join!(
            worker.tell("UB", &another),
            worker.tasks("UB"),
            worker.give("UB", &slow),
            worker.withdraw("UB"),
            worker.server.put("abd", &file),
            worker.take("there"),
        );
        assert!(of_another.is_err() && takes_back.is_err() && keeps.is_err() && takes.is_err());
        for refused in [as_another, queues] {
            let why = refused.expect_err("it is refused").to_string();
            assert!(why.contains("queued"), "{why}");
        }
        let why = worker
            .tell("UB", &another)
            .await
            .expect_err("it is refused")
            .to_string();
        assert!(why.to_lowercase().contains("permissions violation"), "{why}");
        assert_eq!(games(&results).await, [""; 0]);
    });
}
