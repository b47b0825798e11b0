//! How long the page beside a run stays, and where: on a terminal until Ctrl-C, elsewhere as long as is played; the run itself is free
//! as soon as play is over.

use std::net::TcpListener;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, Process, assert_empty, processes_in, send, until};
use crate::serve::{self, Stream, get};
use crate::support::{Place, engine, finish, system_engine};

const PATIENCE: Duration = Duration::from_secs(60);

fn place() -> Place {
    let place = Place::new();
    place.write("event.toml", &serve::event(0, ""));
    place
}

/// `swissmatch run event.toml --out run ARGS` on a terminal, which shows it in the file `shown`.
fn on_terminal(place: &Place, args: &str) -> OnTerminal {
    let program = place.command(&[]).get_program().to_string_lossy().into_owned();
    // What an earlier one has shown is not what this one shows.
    let _ = std::fs::remove_file(place.path("shown"));
    let mut command = Command::new(system_engine("script"));
    command.args([
        "-qefc",
        &format!("'{program}' run event.toml --out run {args}"),
        "shown",
    ]);
    command
        .current_dir(place.path(""))
        .env("TERM", "dumb")
        .stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    OnTerminal(Some(command.spawn().expect("script starts")))
}

/// A terminal that goes with its test, and what runs on it with the terminal.
struct OnTerminal(Option<Child>);

impl OnTerminal {
    fn finish(mut self) -> Output {
        finish(self.0.take().expect("it is finished once"))
    }
}

impl Drop for OnTerminal {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// What stands in a file between two texts, once it does.
fn found(place: &Place, file: &str, before: &str, after: &str) -> String {
    until(before, PATIENCE, || {
        let text = std::fs::read(place.path(file)).ok()?;
        let text = String::from_utf8_lossy(&text).into_owned();
        let (_, rest) = text.split_once(before)?;
        Some(rest.split_once(after)?.0.to_owned())
    })
}

/// Where the page is that stays.
fn stays(place: &Place, file: &str) -> String {
    found(place, file, "the page stays at http://", "/ until Ctrl-C")
}

/// The page there says that the event is over; it follows the run by itself.
fn says_that_it_is_over(address: &str) {
    until("the end", PATIENCE, || {
        (get(address, "/event.json").json()["over"] == true).then_some(())
    });
}

fn process(place: &Place, is_it: impl Fn(&Process) -> bool) -> Option<Process> {
    processes_in(place).into_iter().find(is_it)
}

fn server(place: &Place) -> Option<u32> {
    process(place, |process| process.line.starts_with("swissmatch-server")).map(|server| server.pid)
}

/// The process that a user has started on a terminal.
fn guard(place: &Place) -> u32 {
    let program = place.command(&[]).get_program().to_string_lossy().into_owned();
    let guard = process(place, |process| process.line.starts_with(&program));
    guard.expect("it is there").pid
}

#[test]
fn on_a_terminal_it_stays_until_ctrl_c_and_the_run_is_free() {
    let place = place();
    place.write(
        "event.toml",
        &serve::event(0, "[prizes]\ncurrency = \"EUR\"\nby_place = [100]\n"),
    );
    let child = on_terminal(&place, "--serve=127.0.0.1:0");
    let address = stays(&place, "shown");
    says_that_it_is_over(&address);
    let mut stream = Stream::open(&address, "?slots=none", None);
    let run = stream.until("the run", |piece| piece.kind == "run");
    assert_eq!(
        (&run.data["state"], &run.data["at_work"]),
        (&"over".into(), &false.into())
    );
    // Everything that acts on a run that is over can be done, and is shown.
    place.swissmatch(&["standings", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let act = [
        "arbiter",
        "announce",
        "See you in spring",
        "run",
        "--by",
        "A",
        "--reason",
        "r",
    ];
    place.swissmatch(&act).expect_code(0);
    until("the announcement", PATIENCE, || {
        get(&address, "/").body.contains("See you in spring").then_some(())
    });
    let prizes = place.swissmatch(&["prizes", "run"]);
    prizes.expect_code(0);
    assert!(prizes.stdout().contains("100"), "{}", prizes.stdout());
    let stockfish = system_engine("stockfish");
    let analysed = place.swissmatch(&["analyse", "run", "--engine", &stockfish, "--nodes", "200"]);
    analysed.expect_code(0);
    until("what the moves were worth", PATIENCE, || {
        let event = get(&address, "/event.json").json();
        event["players"][0]["analysed"]["acpl"].is_number().then_some(())
    });
    let again = place.swissmatch(&["run", "event.toml", "--out", "run"]);
    again.expect_code(0);
    // Its server is started again where it ends.
    let first = server(&place).expect("a server");
    send(first, Signal::KILL);
    until("another server", PATIENCE, || {
        server(&place).filter(|server| *server != first)
    });
    assert_eq!(get(&address, "/").status, 200);
    send(guard(&place), Signal::INT);
    let output = child.finish();
    assert!(output.status.success(), "{}", place.read("shown"));
    assert_empty(&place, Duration::from_secs(1));
    // Of an event that is over, too.
    let child = on_terminal(&place, "--serve=127.0.0.1:0");
    let address = stays(&place, "shown");
    says_that_it_is_over(&address);
    let guard = guard(&place);
    send(guard, Signal::INT);
    send(guard, Signal::INT);
    assert!(child.finish().status.success(), "{}", place.read("shown"));
    let child = on_terminal(&place, "--serve=127.0.0.1:0 --serve-until-end");
    assert!(child.finish().status.success(), "{}", place.read("shown"));
    let shown = place.read("shown");
    assert!(
        shown.contains("the page is no longer served; `swissmatch serve run` shows it"),
        "{shown}"
    );
}

/// The exit code of what has been played counts, however long the page stays.
#[test]
fn elsewhere_it_stays_where_that_is_asked_for_and_the_exit_code_is_the_events() {
    let place = place();
    let agent = engine("fault-agent");
    let faulty = serve::event(0, "max_faults = 0\n").replacen(
        &format!("command = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"0\"]"),
        &format!("command = \"{agent}\"\nargs = [\"--fault\", \"abort\", \"--every\"]"),
        1,
    );
    place.write("event.toml", &faulty);
    let args = ["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0"];
    let mut running = Background::start(&place, &[&args[..], &["--json", "--serve-after"]].concat());
    until("the end", PATIENCE, || {
        place.read("said").contains("\"type\":\"complete\"").then_some(())
    });
    until("no runner", PATIENCE, || {
        (!place.path("run/live.sock").exists()).then_some(())
    });
    std::thread::sleep(Duration::from_millis(500));
    assert!(running.ended().is_none() && server(&place).is_some(), "the page stays");
    send(running.guard(), Signal::TERM);
    assert_eq!(running.end(PATIENCE).code(), Some(3), "{}", place.read("complained"));
    assert_empty(&place, Duration::from_secs(1));
    // Who asks for the end while games are played means the page too.
    place.write("slow.toml", &serve::event(500, ""));
    let args = [
        "run",
        "slow.toml",
        "--out",
        "slow",
        "--serve=127.0.0.1:0",
        "--serve-after",
    ];
    let mut running = Background::start(&place, &args);
    found(&place, "complained", "the page: http://", "/");
    until("a game", PATIENCE, || {
        place.path("slow/live.sock").exists().then_some(())
    });
    send(running.guard(), Signal::INT);
    send(running.guard(), Signal::INT);
    assert_eq!(running.end(PATIENCE).code(), Some(130), "{}", place.read("complained"));
    let said = place.read("complained");
    assert!(said.contains("the page is no longer served"), "{said}");
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run", "--serve-after"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("give --serve with them"),
        "{}",
        refused.stderr()
    );
}

/// An address that nobody asked for is another one where it is taken; one that was asked for is refused.
#[test]
fn a_port_that_is_taken_gives_the_next_one() {
    let place = place();
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    // Taken by somebody else, that does as well.
    let _taken = TcpListener::bind("127.0.0.1:8000");
    let mut serving = Background::start(&place, &["serve", "run"]);
    let address = found(&place, "complained", "the page: http://", "/  (port 8000 is taken)");
    let port = address.strip_prefix("127.0.0.1:").and_then(|port| port.parse().ok());
    assert!(port.is_some_and(|port: u16| (8001..8020).contains(&port)), "{address}");
    assert_eq!(get(&address, "/event.json").status, 200);
    send(serving.guard(), Signal::TERM);
    assert_eq!(serving.end(PATIENCE).code(), Some(0));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "other", "--serve"]);
    found(
        &place,
        "complained",
        "the page: http://127.0.0.1:80",
        "/  (port 8000 is taken)",
    );
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    for args in [
        ["serve", "run", "--address", "127.0.0.1:8000"],
        ["run", "event.toml", "--serve=127.0.0.1:8000", "--fresh"],
    ] {
        let refused = place.swissmatch(&args);
        refused.expect_code(5);
        assert!(
            refused.stderr().contains("port 0 takes a free one"),
            "{}",
            refused.stderr()
        );
    }
}

/// A match, a gate and a night of a league have a page too. What others wait for ends with play, on a terminal as well.
#[test]
fn whatever_plays_has_a_page() {
    let place = Place::new();
    let agent = engine("fault-agent");
    let words = |ms: u32| format!("cmd={agent} name=Rests-{ms} args=\"--fault sleep --ms {ms}\"");
    let (new, old) = (words(40), words(41));
    let short = [
        "--set",
        "game.max_moves=6",
        "--set",
        "engine.isolation=off",
        "--time",
        "5s/move",
    ];
    let build = |ms: u32| {
        let is_main = ms == 40;
        format!(
            "[[build]]\nname = \"rests-{ms}\"\nmain = {is_main}\npath = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\"]\n"
        )
    };
    let league = format!(
        "[league]\nname = \"Nightly\"\n{}{}[mini_match]\ngames = 2\n[game]\ntime_control = \"5s/move\"\nmax_moves = 6\n[engine]\nisolation = \"off\"\n",
        build(40),
        build(41)
    );
    place.write("LEAGUE.toml", &league);
    let args = ["args=--fault sleep --ms 40", "args=--fault sleep --ms 41"];
    let of_match = [
        "match",
        &agent,
        "name=A",
        args[0],
        &agent,
        "name=B",
        args[1],
        "--games",
        "2",
        "--openings",
        "none",
    ];
    let of_gate = [
        "gate",
        "--new",
        &new,
        "--old",
        &old,
        "--max-games",
        "2",
        "--interval",
        "0",
    ];
    for args in [
        [&of_match[..], &short].concat(),
        [&of_gate[..], &short].concat(),
        vec!["league", "run", "LEAGUE.toml"],
    ] {
        let args = [&args[..], &["--serve=127.0.0.1:0", "--serve-after"]].concat();
        let mut playing = Background::start(&place, &args);
        let address = stays(&place, "complained");
        says_that_it_is_over(&address);
        send(playing.guard(), Signal::TERM);
        let code = playing.end(PATIENCE).code();
        assert!(
            matches!(code, Some(0..=2)),
            "{args:?}: {code:?} {}",
            place.read("complained")
        );
    }
}
