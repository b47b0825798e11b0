//! The arbiter's desk in two terminals: acts on a run that is being played and on one that is stopped are alike, outlive
//! kill -9, wait for a runner that starts, and are nobody's but the arbiter's.

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::os::unix::net::UnixListener;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::Value;

use crate::clock::stop;
use crate::death::{Background, send, until};
use crate::support::{Place, Ran, engine, finish, swissmatch};

const PATIENCE: Duration = Duration::from_secs(60);
/// A run that waits to be confirmed before its first round, so that nothing is played meanwhile.
const WAITING: [&str; 5] = ["run", "event.toml", "--out", "run", "--confirm-rounds"];
const NAMES: [&str; 6] = ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot"];

fn event() -> String {
    let mut text = "preset = \"none\"\n[event]\nname = \"Spring\"\nrng_seed = 5\n[swiss]\nrounds = 3\n\
                    [registration]\nuntil = 2\n[bye]\nrequests = [{ rounds = 10, byes = 1 }]\n[mini_match]\ngames = 2\nopenings = \"none\"\n\
                    [game]\nnodes = 500\nmax_moves = 20\n"
        .to_owned();
    for name in NAMES {
        text += &player(name);
    }
    text
}

fn player(name: &str) -> String {
    format!("[[player]]\nname = \"{name}\"\ncommand = \"{}\"\n", engine("greedy"))
}

fn place() -> Place {
    let place = Place::new();
    place.write("event.toml", &event());
    place
}

/// `swissmatch arbiter WORDS… --by Ann --reason why`, on the run.
fn act(place: &Place, words: &[&str]) -> Ran {
    let signed = ["run", "--by", "Ann", "--reason", "why"];
    place.swissmatch(&[&["arbiter"], words, &signed].concat())
}

fn minutes(place: &Place) -> Vec<Value> {
    let log = place.swissmatch(&["arbiter", "log", "run", "--json"]);
    log.expect_code(0);
    let log: Value = serde_json::from_str(&log.stdout()).expect("JSON");
    log["minutes"].as_array().expect("a list").clone()
}

/// A runner at work that waits for its first yes.
fn waiting(place: &Place) -> Background<'_> {
    let run = Background::start(place, &WAITING);
    until("the first pairing", PATIENCE, || {
        place
            .read("complained")
            .contains("it waits to be confirmed")
            .then_some(())
    });
    run
}

#[test]
fn acts_are_alike_on_a_run_that_is_played_and_on_one_that_is_stopped() {
    let (played, stopped) = (place(), place());
    for (name, player) in [("al\u{200b}PHA", "late.toml"), ("Golf", "golf.toml")] {
        for place in [&played, &stopped] {
            place.write(player, &self::player(name));
            place.write(
                "broken.toml",
                "[[player]]\nname = \"Hotel\"\ncommand = \"/bin/false\"\n",
            );
            place.write("rest.toml", &format!("[swiss]\nrounds = 2\n{}", self::player("Hotel")));
        }
    }
    let _runner = waiting(&played);
    let mut ended = waiting(&stopped);
    send(ended.guard(), Signal::TERM);
    assert_eq!(ended.end(PATIENCE).code(), Some(130));
    let socket = played.path("run/arbiter.sock").metadata().expect("the desk is open");
    assert!(socket.file_type().is_socket());
    assert_eq!(socket.permissions().mode() & 0o7777, 0o600);
    assert!(!stopped.path("run/arbiter.sock").exists());

    for (words, code, said) in [
        (&["pause"][..], 0, "Ann paused the event. Games under way are finished"),
        (&["pause"], 4, "the event is already paused, by Ann: why"),
        (&["resume"], 0, "Ann resumed the event."),
        (
            &["withdraw", "fox"],
            0,
            "Ann withdrew Foxtrot (6). It is not paired from round 1 on",
        ),
        (&["withdraw", "6"], 4, "Foxtrot (6) has already withdrawn"),
        (&["absent", "Foxtrot"], 4, "Foxtrot (6) has already withdrawn"),
        (&["reinstate", "6"], 0, "Ann reinstated Foxtrot (6)."),
        (&["withdraw", "India"], 4, "no player is called `India`"),
        (&["absent", "Echo"], 0, "Ann noted Echo (5) as absent in round 1."),
        (&["present", "Echo"], 0, "Ann noted Echo (5) as present in round 1."),
        (&["present", "Echo"], 4, ""),
        (
            &["absent", "Echo", "--round", "4"],
            4,
            "there is no round 4: the event has 3 rounds",
        ),
        (&["request-bye", "Delta", "2"], 0, "half-point bye in round 2"),
        (
            &["request-bye", "Delta", "3"],
            4,
            "allows 1; `--overrule` does it anyway",
        ),
        (
            &["request-bye", "Delta", "3", "--overrule"],
            0,
            "half-point bye in round 3, and overruled bye.requests.",
        ),
        (
            &["award-bye", "Echo", "--round", "1", "--points", "full"],
            0,
            "gave Echo (5) a full-point bye",
        ),
        (
            &["forbid", "Alpha", "Bravo"],
            0,
            "forbade the pair Alpha (1) – Bravo (2) in round 1",
        ),
        (&["force", "Alpha", "Alpha"], 4, "a pair needs two different players"),
        (
            &["force", "Charlie", "Alpha"],
            0,
            "paired Charlie (3) – Alpha (1) in round 1",
        ),
        (&["replay", "1.1.1"], 4, "swissmatch: Spring: there is no game 1.1.1"),
        (&["set-result", "1.1.1", "1-0"], 4, "there is no game 1.1.1"),
        (&["set-result", "1.1.1", "2-0"], 4, "write 1-0, 0-1, 1/2-1/2 or 0-0"),
        (&["void", "1.1"], 4, "a game is ROUND.BOARD.GAME, such as 3.2.1"),
        (
            &["enter", "late.toml"],
            4,
            "late.toml:2:1: player.name: \"al\\u200BPHA\" reads like \"Alpha\", who is already in the event",
        ),
        (
            &["enter", "broken.toml"],
            3,
            "broken.toml:3:1: player.command: Hotel does not start: it ended before it was ready\n  It printed nothing.\n  What to do: run it by hand: it has to keep running, and to answer `uci` with `uciok`; as it is \"guarded\", every file that it needs has to be named in player.args, options or env, or to lie in player.dir (docs/isolation.md).\nNothing was entered.\n",
        ),
        (
            &["enter", "rest.toml"],
            4,
            "rest.toml:2:1: swiss.rounds: the file of a late entry has only [[player]]",
        ),
        (
            &["enter", "golf.toml", "--player", "Hotel"],
            4,
            "say which one enters: --player NAME, one of \"Golf\"",
        ),
        (
            &["enter", "golf.toml"],
            0,
            "Spring: Ann entered Golf. It is paired from round 1 on.",
        ),
        (
            &["disqualify", "Golf", "--annul"],
            0,
            "Ann disqualified Golf (7) and annulled its results.",
        ),
    ] {
        let [first, second] = [&played, &stopped].map(|place| act(place, words));
        first.expect_code(code);
        second.expect_code(code);
        let told = first.stdout() + &first.stderr();
        assert!(told.contains(said), "{words:?}: {told}");
        let next = "No runner is at work on it; to go on, call `swissmatch run` with the event file.\n";
        assert_eq!(first.stderr(), second.stderr(), "{words:?}");
        assert_eq!(
            second.stdout(),
            if code == 0 {
                first.stdout() + next
            } else {
                String::new()
            },
            "{words:?}"
        );
    }
    let pairing = played.swissmatch(&["arbiter", "pairing", "run"]).stdout();
    assert_eq!(pairing, stopped.swissmatch(&["arbiter", "pairing", "run"]).stdout());
    for line in [
        "1  Charlie  0  Alpha",
        "Not paired: Echo: full-point bye.",
        "Not paired: Golf: disqualified.",
    ] {
        assert!(pairing.contains(line), "{pairing}");
    }

    let pairing = played.swissmatch(&["arbiter", "pairing", "run", "--json"]).stdout();
    let pairing: Value = serde_json::from_str(&pairing).expect("JSON");
    assert_eq!(
        (&pairing["round"], &pairing["pairs"][0]["black_number"]),
        (&1.into(), &1.into())
    );
    let golf = &pairing["out"][1];
    assert_eq!(
        (&golf["player"], &golf["why"]),
        (&"Golf".into(), &"disqualified".into())
    );

    let kept = |place: &Place| {
        let mut kept = minutes(place);
        kept.iter_mut().for_each(|entry| entry["at"] = Value::Null);
        kept
    };
    let (of_played, of_stopped) = (kept(&played), kept(&stopped));
    assert_eq!(of_played.len(), 13, "{of_played:#?}");
    assert_eq!(of_played, of_stopped);

    // Once it is confirmed the one that is played goes on.
    assert_eq!(act(&played, &["confirm"]).expect_code(0).stdout(), {
        let said = act(&stopped, &["confirm"]);
        said.expect_code(0);
        let said = said.stdout();
        let end = said.rfind("No runner is at work").expect("it is stopped");
        said[..end].to_owned()
    });
    let again = stopped.swissmatch(&["arbiter", "confirm", "run", "--by", "Ann"]);
    again.expect_code(4);
    assert_eq!(again.stdout(), "", "it was printed when it was confirmed");
    let confirmed = &minutes(&stopped)[13];
    assert_eq!(confirmed["reason"], "why");
}

#[test]
fn a_pause_outlives_the_runner_and_json_says_what_was_done() {
    let place = place();
    let mut run = waiting(&place);
    let done = act(&place, &["pause", "--json"]);
    done.expect_code(0);
    let done: Value = serde_json::from_str(&done.stdout()).expect("JSON");
    assert_eq!(
        (&done["done"], &done["runner"]),
        (&Value::Bool(true), &Value::Bool(true))
    );
    assert_eq!(done["command"]["act"]["by"], "Ann");
    assert_eq!(done["event"], "Spring");
    send(run.player(), Signal::KILL);
    run.end(PATIENCE);
    assert!(place.path("run/arbiter.sock").exists(), "nobody was there to remove it");
    let refused = act(&place, &["pause", "--json"]);
    refused.expect_code(4);
    let refused: Value = serde_json::from_str(&refused.stdout()).expect("JSON");
    assert_eq!(refused["refused"], "the event is already paused, by Ann: why");
    assert_eq!((&refused["event"], &refused["run"]), (&"Spring".into(), &"run".into()));

    let mut run = Background::start(&place, &WAITING);
    until("the pause", PATIENCE, || {
        place
            .read("complained")
            .contains("The event is paused, by Ann: why.")
            .then_some(())
    });
    let status = place.swissmatch(&["status", "run"]).stdout();
    assert!(
        status.contains("`swissmatch arbiter resume` lets it go on."),
        "{status}"
    );
    assert!(!place.read("complained").contains("it waits to be confirmed"));
    act(&place, &["resume"]).expect_code(0);
    until("the pairing", PATIENCE, || {
        place
            .read("complained")
            .contains("it waits to be confirmed")
            .then_some(())
    });
    for _ in 0..3 {
        until("a pairing to confirm", PATIENCE, || {
            (act(&place, &["confirm"]).output.status.code() == Some(0)).then_some(())
        });
    }
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    assert!(!place.path("run/arbiter.sock").exists());
    place.swissmatch(&["verify", "run"]).expect_code(0);
}

#[test]
fn of_two_runs_that_are_played_one_has_to_be_named() {
    let place = place();
    place.write("other.toml", &event().replace("\"Spring\"", "\"Autumn\""));
    let confirmed = |event| Background::start(&place, &["run", event, "--confirm-rounds"]);
    let waits = |run: &str| {
        until("the first pairing", PATIENCE, || {
            let pairing = place.swissmatch(&["arbiter", "pairing", &format!("results/{run}")]);
            (pairing.output.status.code() == Some(0)).then_some(())
        });
    };
    let mut one = confirmed("event.toml");
    waits("Spring");
    let act = |words: &[&str]| place.swissmatch(&[&["arbiter"], words, &["--by", "Ann", "--reason", "why"]].concat());
    let done = act(&["withdraw", "Alpha"]);
    done.expect_code(0);
    assert!(
        done.stdout().starts_with("Spring: Ann withdrew Alpha (1). "),
        "{}",
        done.stdout()
    );

    let mut other = confirmed("other.toml");
    waits("Autumn");
    place.write("golf.toml", &player("Golf"));
    for words in [
        &["withdraw", "Bravo"][..],
        &["pause"],
        &["confirm"],
        &["enter", "golf.toml"],
        &["decide", "--result", "Bravo"],
    ] {
        let refused = act(words);
        refused.expect_code(4);
        let listed =
            "2 runs are being played: name one of them as RUN:\n  results/Autumn (Autumn)\n  results/Spring (Spring)\n";
        assert!(refused.stderr().contains(listed), "{words:?}: {}", refused.stderr());
    }
    act(&["withdraw", "Bravo", "results/Spring"]).expect_code(0);
    let kept = |run: &str| {
        let log = place.swissmatch(&["arbiter", "log", run, "--json"]);
        let log: Value = serde_json::from_str(&log.stdout()).expect("JSON");
        log["minutes"].as_array().expect("a list").len()
    };
    assert_eq!((kept("results/Spring"), kept("results/Autumn")), (2, 0));
    for run in [&mut one, &mut other] {
        send(run.player(), Signal::TERM);
        assert_eq!(run.end(PATIENCE).code(), Some(130));
    }
    // With neither at work it is the one that was written to last, and is named.
    let done = act(&["withdraw", "Charlie"]);
    done.expect_code(0);
    let named = ["Spring", "Autumn"].map(|event| format!("{event}: Ann withdrew Charlie (3). "));
    assert!(
        named.iter().any(|said| done.stdout().starts_with(said)),
        "{}",
        done.stdout()
    );
}

#[test]
fn who_acts_and_why_must_be_said_and_the_environment_may_say_who() {
    let place = place();
    let run = waiting(&place);
    for (words, why) in [
        (&["--reason", "why"][..], "--by <NAME>"),
        (&[], "--by <NAME>\n  --reason <TEXT>"),
        (&["--by", " ", "--reason", "why"], "--by must say who acts"),
        (&["--by", "Ann"], "--reason <TEXT>"),
        (&["--by", "Ann", "--reason", " "], "--reason must say why"),
        (
            &["--by", "Ann", "--reason", "two\nlines"],
            "one line of at most 1000 characters",
        ),
        (
            &["--by", &"Ann".repeat(30_000), "--reason", "why"],
            "longer than 65536 bytes",
        ),
    ] {
        let refused = place.swissmatch(&[&["arbiter", "pause", "run"], words].concat());
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
    assert_eq!(minutes(&place).len(), 0);
    let mut command = place.command(&["arbiter", "pause", "run", "--reason", "why"]);
    let child = command.env("SWISSMATCH_ARBITER", "Bob").spawn();
    assert!(finish(child.expect("swissmatch starts")).status.success());
    assert_eq!(minutes(&place)[0]["by"], "Bob");

    // A runner that is slow to answer is waited for.
    let player = run.player();
    assert!(stop(run.guard(), player), "both are there");
    let words = ["arbiter", "resume", "run", "--by", "Ann", "--reason", "why"];
    let asking = place.command(&words).spawn().expect("swissmatch starts");
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(minutes(&place).len(), 1);
    send(player, Signal::CONT);
    send(run.guard(), Signal::CONT);
    assert!(finish(asking).status.success());
    assert_eq!(minutes(&place).len(), 2);
}

/// Whoever can write to the directory can answer in the place of the runner; the log alone says what was done.
#[test]
fn a_false_socket_makes_no_act_done() {
    let place = place();
    let mut runner = waiting(&place);
    send(runner.guard(), Signal::TERM);
    assert_eq!(runner.end(PATIENCE).code(), Some(130));
    act(&place, &["pause"]).expect_code(0);
    let listener = UnixListener::bind(place.path("run/arbiter.sock")).expect("a socket");
    let answers = std::thread::spawn(move || {
        for stream in listener.incoming().take(2) {
            let stream = stream.expect("somebody asks");
            let mut asked = String::new();
            BufReader::new(&stream).read_line(&mut asked).expect("a line");
            let done = "{\"desk\":1,\"reply\":{\"answer\":{\"Ok\":\"At once.\"}}}\n";
            (&stream).write_all(done.as_bytes()).expect("it is heard");
        }
    });
    // The second act stands in the log already, from before it was asked for.
    for words in [["resume"], ["pause"]] {
        let ran = act(&place, &words);
        ran.expect_code(5);
        let told = "the answer did not come from this run's runner: the log has no such act";
        assert!(ran.stderr().contains(told), "{}", ran.stderr());
        assert!(ran.stdout().is_empty(), "{}", ran.stdout());
    }
    answers.join().expect("two were answered");
    assert_eq!(minutes(&place).len(), 1);
}

#[test]
fn an_agent_that_asks_is_turned_away() {
    let place = Place::new();
    let said = place.path("agent.said");
    let script = format!(
        "#!/bin/sh\n{} arbiter withdraw Alpha {} --by Ann --reason mine >>{} 2>&1 </dev/null &\nexec {}\n",
        swissmatch(),
        place.path("run").display(),
        said.display(),
        engine("greedy")
    );
    let cheat = place.write("cheat.sh", &script);
    std::fs::set_permissions(&cheat, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let text = event()
        + &format!(
            "[[player]]\nname = \"Zulu\"\ncommand = \"{}\"\nisolation = \"off\"\n",
            cheat.display()
        );
    place.write("event.toml", &text);
    let mut run = Background::start(&place, &["run", "event.toml", "--out", "run"]);
    assert_eq!(run.end(PATIENCE).code(), Some(0));
    let told = place.read("complained");
    assert!(
        told.contains("the arbiter's desk turned somebody away: process "),
        "{told}"
    );
    let said = place.read("agent.said");
    assert!(
        said.contains("was started by the runner, as agents are, or has gone"),
        "{said}"
    );
    assert_eq!(minutes(&place).len(), 0);
}
