//! What carries games to workers: a real NATS server, which is killed and started again.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nkeys::KeyPair;
use swiss_system::pairing::history::PairingNumber;
use swissmatch::game::adjudicate::AdjudicationRules;
use swissmatch::game::flag_fall::FlagFall;
use swissmatch::game::opening::Opening;
use swissmatch::game::record::{Attempts, Bounds, GameId, GameRecord, GameSpec, Limits};
use swissmatch::game::time_control::Limit;
use swissmatch::game::variant::Variant;
use swissmatch::shell::host::Issued;
use swissmatch_workers::carrier::{Access, Carrier, NotCarried, Queued, Results};
use swissmatch_workers::permissions::Permissions;
use swissmatch_workers::wire::{Came, ResultMessage, TaskMessage, VERSION};

const LEASE: Duration = Duration::from_secs(1);
const MOMENT: Duration = Duration::from_millis(300);
const EVENT: &str = "0123456789abcdef0123456789abcdef";

/// A server, whose store outlives it.
struct Server {
    process: Child,
    port: u16,
    place: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        Self::start_with("")
    }

    /// One with this configuration besides.
    fn start_with(keys: &str) -> Self {
        let place = tempfile::tempdir().expect("a directory");
        std::fs::write(place.path().join("server.conf"), keys).expect("a file");
        let process = Self::begin(&place, None);
        let mut server = Self {
            process,
            port: 0,
            place,
        };
        server.port = server.said();
        server
    }

    fn begin(place: &tempfile::TempDir, port: Option<u16>) -> Child {
        let ports = place.path().join("ports");
        let _ = std::fs::remove_dir_all(&ports);
        std::fs::create_dir(&ports).expect("a directory");
        let places = ["/usr/sbin", "/usr/bin", "/usr/local/bin"]
            .map(PathBuf::from)
            .into_iter();
        let mut programs = places.map(|place| place.join("nats-server"));
        let program = programs.find(|program| program.exists());
        let mut command = Command::new(program.expect("nats-server is not installed: make test-tools"));
        command.arg("-c").arg(place.path().join("server.conf"));
        command.args(["-a", "127.0.0.1", "-js", "-p"]);
        command.arg(port.map_or("-1".to_owned(), |port| port.to_string()));
        command.arg("-sd").arg(place.path().join("store"));
        command.arg("--ports_file_dir").arg(ports);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("it starts")
    }

    /// The port on which it says that it listens.
    fn said(&self) -> u16 {
        let file = format!("ports/nats-server_{}.ports", self.process.id());
        for _ in 0..1000 {
            let text = std::fs::read_to_string(self.place.path().join(&file)).unwrap_or_default();
            let ports = serde_json::from_str::<serde_json::Value>(&text).ok();
            let port = ports.and_then(|ports| ports["nats"][0].as_str()?.rsplit(':').next()?.parse().ok());
            if let Some(port) = port {
                return port;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("nats-server says no port");
    }

    /// As a power cut does it.
    fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    fn start_again(&mut self) {
        self.process = Self::begin(&self.place, Some(self.port));
        self.said();
    }

    async fn carrier(&self) -> Carrier {
        self.carrier_for(&Access::default())
            .await
            .expect("it lets everybody in")
    }

    async fn carrier_for(&self, access: &Access) -> Result<Carrier, NotCarried> {
        let address = format!("nats://127.0.0.1:{}", self.port);
        Carrier::connect(&address, access, EVENT, LEASE).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn spec(board: u32) -> GameSpec {
    let second = Duration::from_secs(1);
    let control = || Limit::MoveTime(second).into();
    GameSpec {
        id: GameId::first_of(1, 0, board),
        white: PairingNumber(1),
        black: PairingNumber(2),
        opening: Opening::start(Variant::Standard),
        limits: Limits {
            time_controls: [control(), control()],
            margins: [Duration::ZERO; 2],
            move_overhead: Duration::ZERO,
            attempts: Attempts::Shared(3),
            attempts_share: false,
            max_plies: None,
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
        games: vec![Issued {
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
        came: Came::Played {
            record: Box::new(GameRecord::not_started(&spec(board), [false; 2])),
            evidence: None,
            memory: None,
        },
    }
}

/// The games of which results come, at first and within a moment.
async fn games(results: &Results) -> Vec<String> {
    let told = results.next(100, MOMENT).await.expect("the server is there");
    let mut games = Vec::new();
    for told in told {
        let result = told.result.as_ref().expect("it is one");
        games.push(format!("{} by {}", result.game, told.worker));
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
        let server = Server::start();
        let (runner, worker) = (server.carrier().await, server.carrier().await);
        runner.open().await.expect("it opens");
        runner.open().await.expect("what is there stays");
        let results = runner.take("here").await.expect("nobody has it");
        assert_eq!(results.runner(), 1);
        assert_eq!(runner.give("fast", &task(1)).await.expect("it is queued"), Queued::Now);
        assert_eq!(
            runner.give("fast", &task(1)).await.expect("it is there"),
            Queued::Before
        );
        runner.serve("fast").await.expect("it is served");
        let tasks = worker.tasks("fast").await.expect("tasks");
        let taken = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        assert_eq!(
            (taken.task.as_ref().expect("one").games[0].spec.id, taken.delivery),
            (spec(1).id, 1)
        );
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
        // Whoever says that it goes on keeps it beyond a lease.
        for _ in 0..10 {
            tokio::time::sleep(LEASE / 5).await;
            taken.goes_on().await.expect("it is kept");
        }
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
        assert_eq!(worker.tell("UA", &result(1)).await.expect("it is sent"), Queued::Now);
        assert_eq!(
            worker.tell("UA", &result(1)).await.expect("it is there"),
            Queued::Before
        );
        taken.done().await.expect("it is done");
        assert_eq!(games(&results).await, ["1.1.1 by UA"]);
        assert_eq!(games(&results).await, [""; 0]);
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
        // Taken back, a task is nobody's; other classes never had it.
        runner.give("fast", &task(2)).await.expect("it is queued");
        assert!(worker.tasks("slow").await.is_err(), "nobody serves it");
        runner.serve("slow").await.expect("it is served");
        let others = worker.tasks("slow").await.expect("tasks");
        assert!(others.next(MOMENT).await.expect("the server is there").is_none());
        runner.withdraw("fast", &task(2)).await.expect("it is taken back");
        assert!(tasks.next(MOMENT).await.expect("the server is there").is_none());
    });
}

#[test]
fn what_a_silent_worker_has_is_handed_out_again_and_what_the_server_has_survives_it() {
    run(async || {
        let mut server = Server::start();
        let (runner, worker) = (server.carrier().await, server.carrier().await);
        runner.open().await.expect("it opens");
        let results = runner.take("here").await.expect("nobody has it");
        runner.give("fast", &task(1)).await.expect("it is queued");
        runner.serve("fast").await.expect("it is served");
        let tasks = worker.tasks("fast").await.expect("tasks");
        let lost = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        let again = tasks
            .next(2 * LEASE)
            .await
            .expect("the server is there")
            .expect("the same task");
        assert_eq!(
            (again.task.as_ref().expect("one").games[0].spec.id, again.delivery),
            (spec(1).id, 2)
        );
        worker.tell("UB", &result(1)).await.expect("it is sent");
        again.done().await.expect("it is done");
        // The first one comes back.
        worker
            .tell("UA", &result(1))
            .await
            .expect("another worker's is another message");
        drop(lost.done().await);
        runner.give("fast", &task(2)).await.expect("it is queued");
        server.kill();
        server.start_again();
        // Both connect again by themselves.
        let mut came = Vec::new();
        for _ in 0..40 {
            if let Ok(told) = results.next(100, MOMENT).await {
                came.extend(told.into_iter().map(|told| told.worker));
            }
            if came.len() >= 2 {
                break;
            }
        }
        came.sort();
        came.dedup();
        assert_eq!(came, ["UA", "UB"]);
        let left = tasks
            .next(5 * LEASE)
            .await
            .expect("the server is there")
            .expect("the other task");
        assert_eq!(left.task.expect("one").games[0].spec.id, spec(2).id);
    });
}

#[test]
fn one_runner_has_an_event_and_another_one_only_when_it_is_silent() {
    run(async || {
        let server = Server::start();
        let (first, second) = (server.carrier().await, server.carrier().await);
        first.open().await.expect("it opens");
        let mut results = first.take("desk: results/cup").await.expect("nobody has it");
        let stays = async {
            for _ in 0..8 {
                results.stay().await.expect("it has it");
                tokio::time::sleep(MOMENT).await;
            }
            results
        };
        let (mut results, refused) = tokio::join!(stays, second.take("laptop: results/cup"));
        let Err(NotCarried::Taken(who)) = refused else {
            panic!("{refused:?}")
        };
        assert_eq!(who, "desk: results/cup");
        // The same place begins anew at once, as after a crash.
        first.tell("UA", &result(1)).await.expect("it is sent");
        let again = first.take("desk: results/cup").await.expect("it is its own");
        assert_eq!(again.runner(), 2);
        assert!(matches!(results.stay().await, Err(NotCarried::Taken(_))));
        let none = results.next(1, MOMENT).await;
        assert!(
            none.is_err() || none.is_ok_and(|told| told.is_empty()),
            "it is shut out"
        );
        assert_eq!(games(&again).await, ["1.1.1 by UA"]);
        // Silent for longer than a lease, it has nothing more to say.
        let other = second.take("laptop: results/cup").await.expect("the other one is gone");
        assert_eq!(other.runner(), 3);
    });
}

#[test]
fn files_are_kept_by_their_content() {
    run(async || {
        let server = Server::start();
        let carrier = server.carrier().await;
        carrier.open().await.expect("it opens");
        let (from, to) = (server.place.path().join("from"), server.place.path().join("to"));
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
        let refused = Carrier::connect("nats://127.0.0.1:1", &Access::default(), EVENT, LEASE).await;
        assert!(matches!(refused, Err(NotCarried::Server { .. })), "{refused:?}");
        let server = Server::start();
        let carrier = server.carrier().await;
        let told = carrier.give("fast", &task(1)).await.expect_err("nothing was opened");
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
    let permissions = Permissions::of_worker(EVENT, &name, "fast");
    let server = Server::start_with(&format!(
        "authorization {{ users: [ {{ nkey: {} }}, {{ nkey: {name}, permissions: {permissions} }} ] }}\n",
        runner.public_key()
    ));
    run(async || {
        let stranger = server.carrier_for(&access(&KeyPair::new_user(), None)).await;
        assert!(stranger.is_err() && server.carrier_for(&Access::default()).await.is_err());
        let runner = server.carrier_for(&access(&runner, None)).await.expect("it is let in");
        runner.open().await.expect("it opens");
        for class in ["fast", "slow"] {
            runner.serve(class).await.expect("it is served");
        }
        let results = runner.take("here").await.expect("nobody has it");
        let file = server.place.path().join("file");
        std::fs::write(&file, "x").expect("a file");
        runner.put("abc", &file).await.expect("it is kept");
        runner.give("fast", &task(1)).await.expect("it is queued");

        let worker = server.carrier_for(&access(&worker, Some(name.clone()))).await;
        let worker = worker.expect("it is let in");
        let tasks = worker.tasks("fast").await.expect("its tasks");
        let taken = tasks.next(LEASE).await.expect("the server is there").expect("a task");
        taken.goes_on().await.expect("it is kept");
        worker
            .get("abc", &server.place.path().join("got"))
            .await
            .expect("it comes");
        worker.tell(&name, &result(1)).await.expect("it is sent");
        taken.done().await.expect("it is done");
        assert_eq!(games(&results).await, [format!("1.1.1 by {name}")]);

        // Each is waited for until there is no answer.
        let (another, slow) = (result(2), task(2));
        let (as_another, of_another, queues, takes_back, keeps, takes) = tokio::join!(
            worker.tell("UB", &another),
            worker.tasks("slow"),
            worker.give("fast", &slow),
            worker.withdraw("fast", &slow),
            worker.put("abd", &file),
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
