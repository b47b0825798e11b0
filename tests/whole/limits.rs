//! Machines that lack something: processes, threads, memory, room for a file. A run ends with exit code 5 and a sentence, or
//! plays to its end; it never panics, and nobody loses a game.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::host::terminations;
use crate::support::{Guest, Place, Ran, engine, finish};

const PATIENCE: Duration = Duration::from_secs(100);

/// Three players, two games at once.
fn event(agent: &str) -> String {
    let player = |name: &str| format!("[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\n");
    format!(
        "[event]\nname = \"limits\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 4\nopenings = \"none\"\n\
         [game]\nmax_moves = 3\nnodes = 50\n[run]\nconcurrency = 2\noversubscribe = true\n{}{}{}",
        player("A"),
        player("B"),
        player("C")
    )
}

/// It came to its end, or said what the machine lacks. Returns whether it came to its end.
#[track_caller]
fn expect_end_or_sentence(ran: &Ran, when: &str) -> bool {
    let said = ran.stderr();
    let code = ran.output.status.code();
    assert!(matches!(code, Some(0 | 5)), "{when}: {code:?}\n{said}");
    assert!(!said.contains("panicked"), "{when}:\n{said}");
    assert!(code == Some(0) || said.contains("swissmatch: "), "{when}:\n{said}");
    code == Some(0)
}

/// No game of a run that was begun was lost for what the machine lacked.
#[track_caller]
fn expect_no_forfeit(place: &Place, when: &str) {
    // A run that got no further than its directory has no log.
    if place.path("run/games.pgn").exists() {
        let ended = terminations(place, "run");
        assert!(
            ended.iter().all(|termination| termination.contains("cap")),
            "{when}: {ended:?}"
        );
    }
    let _ = std::fs::remove_dir_all(place.path("run"));
}

/// Other processes of the same user, which count too.
struct Others(Child);

impl Others {
    fn start(guest: &Guest, count: u32) -> Self {
        let mut shell = guest.command(&[], "sh".as_ref());
        let text = format!("for i in $(seq {count}); do sleep 600 & done; echo up; read end; kill $(jobs -p)");
        let mut shell = shell
            .arg("-c")
            .arg(text)
            .stdin(Stdio::piped())
            .spawn()
            .expect("sh starts");
        let mut up = [0; 3];
        let out = shell.stdout.as_mut().expect("its output");
        std::io::Read::read_exact(out, &mut up).expect("they are up");
        Self(shell)
    }
}

impl Drop for Others {
    fn drop(&mut self) {
        // The end of its input ends them.
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// At every thread and process that a run starts there is one too few.
#[test]
fn no_thread_that_cannot_be_started_is_a_panic() {
    let Some(guest) = Guest::new(&["greedy"]) else { return };
    let (place, cores) = (&guest.place, std::thread::available_parallelism().expect("a number"));
    place.write("event.toml", &event("./greedy"));
    // As many as the games need at least, so that the run is begun.
    let limit = 15 + 14 + u32::try_from(cores.get()).expect("a number");
    let limits = [format!("--nproc={limit}")];
    guest
        .swissmatch(&[], &["run", "event.toml", "--out", "done"])
        .expect_code(0);
    let mut played = 0;
    for taken in 0..limit - 1 {
        let _others = Others::start(&guest, taken);
        let when = format!("{taken} of {limit} taken");
        let ran = guest.swissmatch(&limits, &["run", "event.toml", "--out", "run"]);
        played += usize::from(expect_end_or_sentence(&ran, &when));
        expect_no_forfeit(place, &when);
        if taken % 4 == 3 {
            for words in [
                &["check", "greedy", "--max-memory", "4000"][..],
                &["check", "--all", "event.toml"],
                &[
                    "analyse",
                    "done",
                    "--engine",
                    "./greedy",
                    "--set",
                    "analysis.options={}",
                    "--nodes",
                    "10",
                ],
                &["verify", "done"],
                &["standings", "done", "--confidence"],
                &["plan", "event.toml", "--events", "10"],
            ] {
                let ran = guest.swissmatch(&limits, words);
                let code = ran.output.status.code();
                assert!(
                    matches!(code, Some(0 | 2 | 5)),
                    "{when}: {words:?}: {code:?}\n{}",
                    ran.stderr()
                );
                assert!(
                    !ran.stderr().contains("panicked"),
                    "{when}: {words:?}\n{}",
                    ran.stderr()
                );
            }
        }
    }
    assert!(played > 0 && played < limit as usize - 1, "both were seen: {played}");
}

/// An agent that stays below its own limit takes all processes that its user may have: it is named where others cannot be started.
#[test]
fn who_takes_all_processes_is_named() {
    let Some(guest) = Guest::new(&["greedy", "fault-agent"]) else {
        return;
    };
    let fork = "while read -r line; do case \"$line\" in go*) (while sleep 60 & do :; done) 2> /dev/null;; esac; echo \"$line\"; done | \
                ./fault-agent --fault sleep --ms 20000";
    let honest = |name: &str| format!("[[player]]\nname = {name:?}\ncommand = \"./greedy\"\n");
    let text = format!(
        "[swiss]\nrounds = 1\nseeding = \"listed\"\n[mini_match]\ngames = 1000\nopenings = \"none\"\n[game]\nmax_moves = 3\n\
         [engine]\nisolation = \"off\"\nrestart = \"game\"\n[run]\nconcurrency = 2\noversubscribe = true\n{}\
         [[player]]\nname = \"Forker\"\ncommand = \"/bin/sh\"\nargs = [\"-c\", {fork:?}]\n{}{}",
        honest("Alice"),
        honest("Bob"),
        honest("Carol")
    );
    guest.place.write("event.toml", &text);
    let mut command = guest.command(&["--nproc=150".to_owned()], &guest.place.path("swissmatch"));
    let mut run = command
        .args(["run", "event.toml", "--out", "run"])
        .spawn()
        .expect("setpriv starts");
    let (tell, told) = mpsc::channel();
    let errors = run.stderr.take().expect("its standard error");
    let reader = std::thread::spawn(move || {
        let lines = BufReader::new(errors).lines().map_while(Result::ok);
        lines.for_each(|line| drop(tell.send(line)));
    });
    let (begun, mut said) = (Instant::now(), Vec::new());
    let is_told = |line: &String| line.contains("of the agents, these use most of this machine: ");
    while begun.elapsed() < PATIENCE && !said.iter().any(is_told) {
        said.extend(told.recv_timeout(Duration::from_millis(100)));
    }
    // Its guard, which ends all the rest.
    run.kill().and_then(|()| run.wait()).expect("it ends");
    reader.join().expect("it ends");
    let line = said
        .iter()
        .find(|line| is_told(line))
        .unwrap_or_else(|| panic!("{said:#?}"));
    assert!(
        line.contains("Forker with ") && line.contains(" processes and threads"),
        "{line}"
    );
}

/// `swissmatch` within limits as `prlimit` takes them.
fn within(place: &Place, limit: &str, args: &[&str]) -> Ran {
    let inner = place.command(args);
    let mut outer = Command::new("prlimit");
    outer.arg(limit).arg(inner.get_program()).args(args);
    outer.current_dir(place.path("")).stdin(Stdio::null());
    outer.stdout(Stdio::piped()).stderr(Stdio::piped());
    Ran {
        output: finish(outer.spawn().expect("prlimit starts")),
        took: std::time::Duration::ZERO,
    }
}

#[test]
fn little_memory_is_no_panic() {
    let place = Place::new();
    place.write("event.toml", &event(&engine("greedy")));
    let mut refused = 0;
    for (mebibytes, games) in (36..120)
        .step_by(4)
        .map(|mebibytes| (mebibytes, "2"))
        .chain([(300, "150"), (400, "150")])
    {
        let limit = format!("--as={}", mebibytes * 1024 * 1024);
        // Where the program itself has no room nothing can be said.
        if !within(&place, &limit, &["config", "event.toml"])
            .output
            .status
            .success()
        {
            continue;
        }
        let when = format!("{mebibytes} MiB, {games} games at once");
        let ran = within(
            &place,
            &limit,
            &["run", "event.toml", "--out", "run", "--concurrency", games],
        );
        refused += usize::from(!expect_end_or_sentence(&ran, &when));
        expect_no_forfeit(&place, &when);
    }
    assert!(refused > 0, "it was little enough");
}

/// `ulimit -f`: the kernel sends SIGXFSZ, which would end a program without a word.
#[test]
fn a_file_that_may_not_grow_is_said() {
    let place = Place::new();
    place.write("event.toml", &event(&engine("greedy")));
    place.swissmatch(&["run", "event.toml", "--out", "done"]).expect_code(0);
    let mut refused = 0;
    for bytes in [1, 1000, 8_000, 30_000, 40_000, 60_000, 100_000, 10_000_000] {
        let (limit, when) = (format!("--fsize={bytes}"), format!("files of {bytes} bytes"));
        let ran = within(&place, &limit, &["run", "event.toml", "--out", "run"]);
        refused += usize::from(!expect_end_or_sentence(&ran, &when));
        expect_no_forfeit(&place, &when);
        let ran = within(&place, &limit, &["export", "pgn", "done", "--output", "all.pgn"]);
        expect_end_or_sentence(&ran, &when);
    }
    assert!((1..8).contains(&refused), "both were seen: {refused}");
}
