//! The desk by real sockets.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::*;
use crate::run_dir::RunDir;
use crate::socket::tests::child_is_turned_away;

/// A run's directory whose lock is held, and its desk, which says back what it is told.
struct TestDesk {
    desk: Option<ArbiterDesk>,
    run: Option<RunDir>,
    remarks: Receiver<String>,
    dir: PathBuf,
    _keep: TempDir,
}

impl TestDesk {
    fn new() -> Self {
        Self::with(|said: String| Reply::Answer(format!("you said {said}")))
    }

    fn with(handler: impl Fn(String) -> Reply<String> + Send + Sync + 'static) -> Self {
        Self::at("run", handler)
    }

    fn at(name: &str, handler: impl Fn(String) -> Reply<String> + Send + Sync + 'static) -> Self {
        let keep = tempfile::tempdir().expect("a directory");
        let dir = keep.path().join(name);
        let run = RunDir::take(&dir).expect("the lock");
        let (say, remarks) = mpsc::sync_channel(4);
        Self {
            desk: Some(ArbiterDesk::open(&dir, handler, say).expect("the desk opens")),
            run: Some(run),
            remarks,
            dir,
            _keep: keep,
        }
    }

    fn ask(&self, said: &str) -> Result<String, DeskError> {
        ask_at(&self.dir, said)
    }

    /// What the desk says to raw bytes.
    fn say(&self, bytes: &[u8]) -> String {
        let mut stream = self.sit_down();
        stream.write_all(bytes).expect("they are taken");
        stream.shutdown(std::net::Shutdown::Write).expect("a half-closed line");
        let mut line = String::new();
        let _ = BufReader::new(stream).read_line(&mut line);
        line
    }

    fn sit_down(&self) -> UnixStream {
        UnixStream::connect(self.dir.join(SOCKET)).expect("the desk is open")
    }
}

fn ask_at(dir: &Path, said: &str) -> Result<String, DeskError> {
    ask(dir, &said, Duration::from_millis(300), |_| {})
}

#[test]
fn what_is_asked_is_answered_and_the_socket_is_its_owners_alone() {
    let mut place = TestDesk::new();
    let socket = place.dir.join(SOCKET);
    assert_eq!(
        socket.metadata().expect("it is there").permissions().mode() & 0o7777,
        0o600
    );
    assert_eq!(place.ask("hello").expect("an answer"), "you said hello");
    drop(place.desk.take());
    assert!(!socket.exists());
    // The lock is still held: something is at work there.
    let waiting = place.ask("hello").expect_err("nobody is there").to_string();
    assert_eq!(
        waiting,
        "nothing was done: the runner is starting, or something else is at work on the run; try again"
    );
    drop(place.run.take());
    assert!(matches!(place.ask("hello"), Err(DeskError::NoRunner)));
}

#[test]
fn a_socket_that_a_killed_runner_left_is_replaced_and_anything_else_is_not() {
    let keep = tempfile::tempdir().expect("a directory");
    let stale = || drop(UnixListener::bind(keep.path().join(SOCKET)).expect("a socket"));
    stale();
    assert!(matches!(ask_at(keep.path(), "hello"), Err(DeskError::NoRunner)));
    let _lock = RunDir::take(keep.path()).expect("the lock");
    let open = || ArbiterDesk::open(keep.path(), |said: String| Reply::Answer(said), mpsc::sync_channel(1).0);
    let desk = open().expect("it is replaced");
    assert_eq!(ask_at(keep.path(), "hello").expect("an answer"), "hello");
    drop(desk);
    std::fs::write(keep.path().join(SOCKET), "mine").expect("a file");
    let refused = open().expect_err("that is no socket").to_string();
    assert!(
        refused.contains("arbiter.sock: Socket operation on non-socket"),
        "{refused}"
    );
    assert_eq!(
        std::fs::read_to_string(keep.path().join(SOCKET)).expect("it stays"),
        "mine"
    );
}

#[test]
fn paths_longer_than_an_address_and_renamed_directories_are_found() {
    let long = format!("{}/{}", "a".repeat(120), "ü".repeat(100));
    let mut place = TestDesk::at(&long, |said: String| Reply::Answer(said));
    assert_eq!(place.ask("here").expect("an answer"), "here");
    let moved = place.dir.with_file_name("moved");
    std::fs::rename(&place.dir, &moved).expect("it moves");
    assert_eq!(ask_at(&moved, "there").expect("an answer"), "there");
    assert!(
        moved
            .join(SOCKET)
            .metadata()
            .expect("it is there")
            .file_type()
            .is_socket()
    );
    drop(place.desk.take());
    assert!(!moved.join(SOCKET).exists());
}

#[test]
fn garbage_and_half_requests_are_refused_and_harm_nothing() {
    let place = TestDesk::new();
    let long = format!("{{\"desk\":1,\"request\":\"{}\"}}\n", "x".repeat(wire::LONGEST));
    for (said, why) in [
        (&b"\xff\xfe\x00\n"[..], "not understood"),
        (b"GET / HTTP/1.1\r\n\r\n", "not understood"),
        (b"{\"desk\":1,\"request\":{\"a\":[]}}\n", "not understood"),
        (b"{\"desk\":1}\n", "missing field `request`"),
        (
            b"{\"desk\":2,\"demand\":7}\n",
            "but the other side has version 2; use the swissmatch that runs the event",
        ),
        (b"{\"desk\":1,\"request\":\"he", "the line ended before its end"),
        (b"", "the line ended before its end"),
        (long.as_bytes(), "longer than 65536 bytes"),
        (&b"[".repeat(50_000), "the line ended before its end"),
        (&[&b"[".repeat(50_000)[..], b"\n"].concat(), "not understood"),
    ] {
        let reply = place.say(said);
        assert!(reply.starts_with("{\"desk\":1,\"reply\":{\"refused\":"), "{reply}");
        assert!(reply.contains(why), "{why}: {reply}");
    }
    // Whoever asks and goes is nothing.
    for _ in 0..20 {
        let mut gone = place.sit_down();
        gone.write_all(b"{\"desk\":1,\"request\":\"bye\"}\n")
            .expect("it is taken");
    }
    assert_eq!(place.ask("still there?").expect("an answer"), "you said still there?");
    assert!(place.ask(&"x".repeat(wire::LONGEST)).is_err());
    assert!(place.remarks.try_recv().is_err(), "nobody was turned away");
}

#[test]
fn those_who_say_nothing_do_not_keep_others_from_being_heard() {
    let place = TestDesk::new();
    let began = Instant::now();
    let idle: Vec<UnixStream> = (0..QUEUE + 40).map(|_| place.sit_down()).collect();
    let busy = place.ask("hello").expect_err("all seats are taken").to_string();
    assert_eq!(
        busy,
        "nothing was done: too many commands ask the runner at once; try again"
    );
    let heard = ask::<_, String>(&place.dir, &"hello", Duration::from_secs(20), |_| {});
    assert_eq!(heard.expect("an answer"), "you said hello");
    assert!(began.elapsed() < TURN + Duration::from_secs(3), "{:?}", began.elapsed());
    // One who dribbles has no longer turn than one who says nothing.
    drop(idle);
    let mut slow = place.sit_down();
    let began = Instant::now();
    while slow.write_all(b" ").is_ok() {
        thread::sleep(Duration::from_millis(50));
    }
    assert!(began.elapsed() < TURN + Duration::from_secs(3), "{:?}", began.elapsed());
}

#[test]
fn several_are_heard_at_once_and_each_has_their_own_answer() {
    // Each is answered only when the other has been heard.
    let (mine, theirs): (Sender<()>, Receiver<()>) = mpsc::channel();
    let (theirs, mine) = (Mutex::new(theirs), Mutex::new(mine));
    let place = TestDesk::with(move |said: String| {
        if said == "first" {
            let second = theirs.lock().expect("no panic").recv_timeout(Duration::from_secs(20));
            second.expect("the second is heard meanwhile");
        } else {
            mine.lock().expect("no panic").send(()).expect("the first waits");
        }
        Reply::Answer(said)
    });
    let dir = &place.dir;
    thread::scope(|scope| {
        let first = scope.spawn(|| ask_at(dir, "first"));
        let second = scope.spawn(|| ask_at(dir, "second"));
        assert_eq!(first.join().expect("no panic").expect("an answer"), "first");
        assert_eq!(second.join().expect("no panic").expect("an answer"), "second");
    });
    // Thirty at once, thrice: nobody gets another's answer.
    let place = TestDesk::new();
    thread::scope(|scope| {
        for number in 0..30 {
            let dir = &place.dir;
            scope.spawn(move || {
                for turn in 0..3 {
                    let said = format!("{number} {turn}");
                    assert_eq!(ask_at(dir, &said).expect("an answer"), format!("you said {said}"));
                }
            });
        }
    });
}

#[test]
fn a_runner_that_starts_is_waited_for_and_one_that_ends_is_told_from_one_that_refuses() {
    let ready = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let seen = Arc::clone(&ready);
    let place = TestDesk::with(move |said: String| match said.as_str() {
        "lost" => Reply::Lost,
        "slow" => Reply::Unanswered,
        "panic" => panic!("a bug of a handler"),
        "refused" => Reply::Refused("no\x1b[2J".to_owned()),
        _ if seen.load(std::sync::atomic::Ordering::SeqCst) => Reply::Answer(said),
        _ => Reply::Starting,
    });
    let late = place.ask("now").expect_err("it is starting");
    assert!(matches!(late, DeskError::NotTaken(_)), "{late}");
    let mut told = Vec::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(200));
            ready.store(true, std::sync::atomic::Ordering::SeqCst);
        });
        let answer: Result<String, _> = ask(&place.dir, &"now", Duration::from_secs(20), |why| told.push(why));
        assert_eq!(answer.expect("an answer"), "now");
    });
    assert_eq!(
        told,
        ["the runner is starting, or something else is at work on the run"]
    );
    assert!(matches!(place.ask("lost"), Err(DeskError::Lost)));
    assert!(matches!(place.ask("panic"), Err(DeskError::Lost)));
    assert_eq!(
        place.ask("slow").expect_err("no answer").to_string(),
        "the runner has not answered in time; the act may still be carried out: `swissmatch arbiter log` shows it"
    );
    assert_eq!(
        place.ask("refused").expect_err("no").to_string(),
        "nothing was done: no\\u{1b}[2J"
    );
    assert_eq!(place.ask("and on").expect("an answer"), "and on");
}

#[test]
fn a_closing_desk_answers_what_it_took_and_takes_nothing_more() {
    let (heard, asked) = mpsc::channel();
    let (give, given) = mpsc::channel::<()>();
    let given = Mutex::new(given);
    let mut place = TestDesk::with(move |said: String| {
        heard.send(()).expect("the test waits");
        given.lock().expect("no panic").recv().expect("the test gives");
        Reply::Answer(said)
    });
    let mut half = place.sit_down();
    half.write_all(b"{\"desk\":1,").expect("it is taken");
    let (dir, desk) = (place.dir.clone(), place.desk.take());
    thread::scope(|scope| {
        let taken = scope.spawn(|| ask_at(&dir, "taken"));
        asked.recv().expect("it is heard");
        let closing = scope.spawn(move || drop(desk));
        let mut said = String::new();
        BufReader::new(&half).read_line(&mut said).expect("a word of farewell");
        assert_eq!(said, "{\"desk\":1,\"reply\":\"closing\"}\n");
        assert!(!dir.join(SOCKET).exists());
        give.send(()).expect("it waits");
        assert_eq!(taken.join().expect("no panic").expect("an answer"), "taken");
        closing.join().expect("no panic");
    });
}

#[test]
fn processes_that_the_runner_started_and_other_users_are_turned_away() {
    let place = TestDesk::new();
    let pid = child_is_turned_away("desk::tests::asks_as_a_child", &place.dir);
    let told = place.remarks.try_recv().expect("somebody was turned away");
    let expected = format!("the arbiter's desk turned somebody away: process {pid} of user ");
    assert!(told.starts_with(&expected), "{told}");
}

#[test]
#[ignore = "a part of the test above, in a process of its own"]
fn asks_as_a_child() {
    let dir = PathBuf::from(std::env::var_os("DIR").expect("the test above says where"));
    let refused = ask_at(&dir, "hello").expect_err("it is turned away");
    assert!(matches!(refused, DeskError::Refused(_)), "{refused}");
}
