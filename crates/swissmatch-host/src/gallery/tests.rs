//! The gallery by real sockets, beside games that are played by nobody.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver};

use swiss_system::pairing::history::PairingNumber;
use tempfile::TempDir;

use super::*;
use crate::host::views::tests::{TestGame, spec};
use crate::run_dir::RunDir;
use crate::socket::tests::child_is_turned_away;
use swissmatch_game::record::GameSpec;
use swissmatch_game::termination::Outcome;
use swissmatch_tournament::live::{LiveEvent, LiveGame, LivePlayer};

const SOON: Duration = Duration::from_secs(20);

/// A run's directory whose lock is held, and its gallery.
struct House {
    gallery: Option<Gallery>,
    views: Arc<Views>,
    remarks: Receiver<String>,
    dir: PathBuf,
    _lock: RunDir,
    _keep: TempDir,
}

fn event(embargo_after: Option<usize>) -> LiveEvent {
    let player = |(number, name): (u32, &str)| LivePlayer {
        pairing_number: PairingNumber(number),
        name: name.to_owned(),
    };
    LiveEvent {
        schema: 1,
        event: "Spring".to_owned(),
        round: 1,
        rounds: 3,
        embargo_after,
        delay_ms: None,
        slots: 2,
        players: (1..).zip(["Anna", "Berta"]).map(player).collect(),
    }
}

impl House {
    fn new(slots: usize, listeners: Vec<SyncSender<LiveLine>>) -> Self {
        Self::at("run", slots, listeners)
    }

    fn at(name: &str, slots: usize, listeners: Vec<SyncSender<LiveLine>>) -> Self {
        let keep = tempfile::tempdir().expect("a directory");
        let dir = keep.path().join(name);
        let lock = RunDir::take(&dir).expect("the lock");
        let views = Arc::new(Views::new(slots));
        let (remark, remarks) = mpsc::sync_channel(4);
        let bill = Bill::with(event(Some(2)));
        let opened = Gallery::open(&dir, Arc::clone(&views), bill, listeners, remark);
        let (gallery, why) = opened.expect("a thread");
        assert!(why.is_none(), "{why:?}");
        Self {
            gallery: Some(gallery),
            views,
            remarks,
            dir,
            _lock: lock,
            _keep: keep,
        }
    }

    fn sit_down(&self) -> BufReader<UnixStream> {
        sit_down(&self.dir)
    }

    /// Waits until the views are watched, or no more.
    fn until_watched(&self, watched: bool) {
        let until = Instant::now() + SOON;
        while self.views.is_watched() != watched {
            assert!(Instant::now() < until, "watched is not {watched}");
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn sit_down(dir: &Path) -> BufReader<UnixStream> {
    let stream = socket::connect(dir, SOCKET, SOON).expect("the gallery is open");
    stream.set_read_timeout(Some(SOON)).expect("a limit");
    BufReader::new(stream)
}

/// The next line; `None` at the end.
fn line(stream: &mut BufReader<UnixStream>) -> Option<LiveLine> {
    let mut text = String::new();
    stream.read_line(&mut text).expect("a line in time");
    (!text.is_empty()).then(|| serde_json::from_str(&text).expect("a line"))
}

fn game(stream: &mut BufReader<UnixStream>) -> LiveGame {
    match line(stream) {
        Some(LiveLine::Game(game)) => *game,
        other => panic!("no game: {other:?}"),
    }
}

/// A game that is played at a slot, both sides ready.
fn begin(round: u32) -> (GameSpec, TestGame) {
    let spec = spec(round);
    let played = TestGame::begin(&spec);
    (spec, played)
}

#[test]
fn whoever_comes_hears_of_the_event_and_where_each_game_stands() {
    let mut house = House::new(2, Vec::new());
    let socket = house.dir.join(SOCKET);
    let mode = socket.metadata().expect("it is there").permissions().mode();
    assert_eq!(mode & 0o7777, 0o600);
    assert!(!house.views.is_watched(), "nobody is there");
    let (spec, mut played) = begin(1);
    let mut shows = house.views.at(1).game(&spec, Instant::now());
    played.play("e2e4");
    played.shows(&mut shows);

    let mut one = house.sit_down();
    assert_eq!(line(&mut one), Some(LiveLine::Event(event(Some(2)))));
    house.until_watched(true);
    played.shows(&mut shows);
    let first = game(&mut one);
    assert_eq!((first.slot, first.moves.as_str(), first.plies), (1, "e2e4", 1));
    assert_eq!(
        (first.white.name.as_str(), first.black.name.as_str()),
        ("Anna", "Berta")
    );
    assert!(first.since.is_some_and(|since| since >= first.begun) && first.ended.is_none());
    // One who comes later hears the same at once.
    let mut other = house.sit_down();
    assert_eq!(line(&mut other), Some(LiveLine::Event(event(Some(2)))));
    assert_eq!(game(&mut other), first);
    // Words are not heard, and to say no more is not to leave.
    other
        .get_mut()
        .write_all(b"{\"type\":\"game\"}\n")
        .expect("it is taken");
    let _ = other.get_mut().shutdown(std::net::Shutdown::Write);

    played.play("e7e5");
    played.shows(&mut shows);
    for stream in [&mut one, &mut other] {
        assert_eq!(game(stream).moves, "e2e4 e7e5");
    }
    drop(one);
    // The last word of all: how it ended.
    house.views.at(1).end(&played.end());
    drop(house.gallery.take());
    let last = game(&mut other);
    assert_eq!(last.ended.as_ref().map(|ended| ended.result), Some(Outcome::Draw));
    assert_eq!((last.to_move, last.since, last.limit_us), (None, None, None));
    assert_eq!(line(&mut other), None);
    assert!(!socket.exists() && !house.views.is_watched());
}

#[test]
fn views_are_watched_as_long_as_anybody_listens() {
    let (told, lines) = mpsc::sync_channel(4);
    let house = House::new(1, vec![told]);
    house.until_watched(true);
    let stream = house.sit_down();
    assert!(matches!(lines.recv_timeout(SOON), Ok(LiveLine::Event(_))));
    drop(lines);
    let (spec, played) = begin(1);
    // That nobody reads shows when there is something to be told.
    played.shows(&mut house.views.at(0).game(&spec, Instant::now()));
    std::thread::sleep(3 * LOOK);
    assert!(house.views.is_watched());
    drop(stream);
    house.until_watched(false);
    let _again = house.sit_down();
    house.until_watched(true);
}

#[test]
fn who_is_slow_hears_the_newest_and_who_takes_nothing_is_dropped_unless_it_is_a_guest() {
    let (told, lines) = mpsc::sync_channel(1);
    let house = House::new(40, vec![told]);
    let deaf = house.sit_down();
    let mut heard = house.sit_down();
    // One whom this process has started takes nothing either, and stays.
    let (guest, given) = UnixStream::pair().expect("a pair");
    house.gallery.as_ref().expect("it is open").seat(given);
    let specs: Vec<GameSpec> = (0..40).map(|_| spec(1)).collect();
    let mut games: Vec<(TestGame, _)> = (0..40)
        .map(|slot| {
            (
                TestGame::begin(&specs[slot]),
                house.views.at(slot).game(&specs[slot], Instant::now()),
            )
        })
        .collect();
    assert!(matches!(line(&mut heard), Some(LiveLine::Event(_))));
    house.until_watched(true);
    // Knights go to and fro; the arbiter of this game does not care.
    let began = Instant::now();
    let mut dropped = None;
    let mut newest = String::new();
    while dropped.is_none() {
        assert!(began.elapsed() < 2 * SOON, "it was not dropped");
        for (slot, (played, shows)) in games.iter_mut().enumerate() {
            if played.plies() == 7 {
                *played = TestGame::begin(&specs[slot]);
                *shows = house.views.at(slot).game(&specs[slot], Instant::now());
            }
            let uci = ["g1f3", "g8f6", "b1c3", "b8c6", "f3g1", "f6g8", "c3b1"][played.plies()];
            played.play(uci);
            played.shows(shows);
        }
        newest = games[39].0.moves();
        // One who reads hears of every slot, and never waits for the deaf one.
        let until = Instant::now() + Duration::from_secs(2);
        loop {
            let live = game(&mut heard);
            if live.slot == 39 && live.moves == newest {
                break;
            }
            assert!(Instant::now() < until, "the newest state comes late");
        }
        let mut polled = [PollFd::new(deaf.get_ref(), PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let _ = rustix::event::poll(&mut polled, Some(&now));
        dropped = polled[0].revents().contains(PollFlags::HUP).then(|| began.elapsed());
    }
    assert!(dropped >= Some(PATIENCE));
    // What the deaf one could still read is a bounded beginning.
    let mut rest = Vec::new();
    let _ = deaf.into_inner().read_to_end(&mut rest);
    assert!(rest.len() < 1 << 20, "{}", rest.len());
    std::thread::sleep(3 * LOOK);
    guest.set_read_timeout(Some(SOON)).expect("a limit");
    let mut guest = BufReader::new(guest);
    assert!(matches!(line(&mut guest), Some(LiveLine::Event(_))));
    while game(&mut guest).moves != newest {}
    // One in this process who has not read at all has an old line, and then where the games stand now.
    assert!(matches!(lines.recv_timeout(SOON), Ok(LiveLine::Event(_))));
    let told = std::iter::from_fn(|| lines.recv_timeout(SOON).ok()).take(40);
    let last = told.filter_map(|line| match line {
        LiveLine::Game(game) if game.slot == 39 => Some(game.moves),
        _ => None,
    });
    assert_eq!(last.last(), Some(newest));
}

#[test]
fn what_is_under_embargo_is_told_when_it_is_released() {
    let house = House::new(2, Vec::new());
    let mut stream = house.sit_down();
    house.until_watched(true);
    let ((held_back, told), now) = ((begin(3), begin(2)), Instant::now());
    for (slot, (spec, played)) in [&held_back, &told].into_iter().enumerate() {
        played.shows(&mut house.views.at(slot).game(spec, now));
    }
    assert_eq!(line(&mut stream), Some(LiveLine::Event(event(Some(2)))));
    assert_eq!(game(&mut stream).id.round, 2);
    house.views.at(0).end(&held_back.1.end());
    std::thread::sleep(3 * LOOK);
    let released = event(None);
    house
        .gallery
        .as_ref()
        .expect("it is open")
        .post(Bill::with(released.clone()));
    assert_eq!(line(&mut stream), Some(LiveLine::Event(released)));
    let games = [game(&mut stream), game(&mut stream)];
    assert_eq!(
        games.map(|game| (game.id.round, game.ended.is_some())),
        [(3, true), (2, false)]
    );
}

#[test]
fn sockets_left_behind_are_replaced_long_paths_found_and_other_files_left() {
    let long = format!("{}/{}", "a".repeat(120), "ü".repeat(100));
    let mut house = House::at(&long, 1, Vec::new());
    assert!(matches!(line(&mut house.sit_down()), Some(LiveLine::Event(_))));
    let moved = house.dir.with_file_name("moved");
    std::fs::rename(&house.dir, &moved).expect("it moves");
    assert!(matches!(line(&mut sit_down(&moved)), Some(LiveLine::Event(_))));
    drop(house.gallery.take());
    assert!(!moved.join(SOCKET).exists());

    let open = || {
        let (views, bill) = (Arc::new(Views::new(1)), Bill::with(event(None)));
        Gallery::open(&moved, views, bill, Vec::new(), mpsc::sync_channel(1).0).expect("a thread")
    };
    let left = socket::directory(&moved).and_then(|moved| socket::listen(&moved, SOCKET, 1));
    drop(left.expect("one that a killed runner left"));
    let (gallery, why) = open();
    assert!(why.is_none() && matches!(line(&mut sit_down(&moved)), Some(LiveLine::Event(_))));
    drop(gallery);
    std::fs::write(moved.join(SOCKET), "mine").expect("a file");
    let (gallery, why) = open();
    let why = why.expect("that is no socket").to_string();
    assert!(why.contains("live.sock: Socket operation on non-socket"), "{why}");
    drop(gallery);
    assert_eq!(std::fs::read_to_string(moved.join(SOCKET)).expect("it stays"), "mine");
}

#[test]
fn no_more_are_let_in_than_there_are_seats() {
    let house = House::new(1, Vec::new());
    let mut seated: Vec<_> = (0..SEATS).map(|_| house.sit_down()).collect();
    for stream in &mut seated {
        assert!(matches!(line(stream), Some(LiveLine::Event(_))));
    }
    let mut late = house.sit_down();
    let why = format!("{SEATS} listen already");
    assert_eq!(line(&mut late), Some(LiveLine::refused(why)));
    assert_eq!(line(&mut late), None);
    drop(seated.pop());
    let until = Instant::now() + SOON;
    while !matches!(line(&mut house.sit_down()), Some(LiveLine::Event(_))) {
        assert!(Instant::now() < until, "the seat stays taken");
    }
}

#[test]
fn processes_that_the_runner_started_are_turned_away() {
    let house = House::new(1, Vec::new());
    let pid = child_is_turned_away("gallery::tests::listens_as_a_child", &house.dir);
    let told = house.remarks.try_recv().expect("somebody was turned away");
    let expected = format!("the live lines turned somebody away: process {pid} of user ");
    assert!(told.starts_with(&expected), "{told}");
    assert!(!house.views.is_watched());
}

#[test]
#[ignore = "a part of the test above, in a process of its own"]
fn listens_as_a_child() {
    let dir = PathBuf::from(std::env::var_os("DIR").expect("the test above says where"));
    let mut stream = sit_down(&dir);
    assert!(matches!(line(&mut stream), Some(LiveLine::Refused { .. })));
    assert_eq!(line(&mut stream), None);
}

#[test]
fn each_listener_has_each_ply_once_whenever_they_come() {
    let (tell, here) = mpsc::sync_channel(8);
    let mut house = House::new(1, vec![tell]);
    let (mut early, views) = (house.sit_down(), Arc::clone(&house.views));
    assert!(matches!(line(&mut early), Some(LiveLine::Event(_))));
    house.until_watched(true);
    let (spec, mut played) = begin(1);
    let mut shows = views.at(0).game(&spec, Instant::now());
    let new = |game: &LiveGame| {
        let columns = game.columns.as_ref();
        columns.map(|new| (new.from, new.columns.time_us.len()))
    };
    let mut here = here.into_iter().filter_map(|line| match line {
        LiveLine::Game(game) => Some(*game),
        _ => None,
    });
    for (uci, expected) in [("", None), ("e2e4", Some((0, 1))), ("e7e5", Some((1, 1)))] {
        if !uci.is_empty() {
            played.play(uci);
        }
        played.shows(&mut shows);
        let heard = [game(&mut early), here.next().expect("a game")];
        assert_eq!(heard.each_ref().map(new), [expected; 2]);
        assert_eq!(heard[0].columns, heard[1].columns);
    }
    let mut late = house.sit_down();
    assert!(matches!(line(&mut late), Some(LiveLine::Event(_))));
    let whole = game(&mut late);
    assert_eq!((new(&whole), whole.plies), (Some((0, 2)), 2));
    // The same game is played again: all of it is new.
    let (spec, mut again) = begin(1);
    let mut shows = views.at(0).game(&spec, Instant::now());
    again.play("d2d4");
    again.shows(&mut shows);
    assert_eq!(
        [&mut early, &mut late].map(|stream| new(&game(stream))),
        [Some((0, 1)); 2]
    );
    drop(house.gallery.take());
}
