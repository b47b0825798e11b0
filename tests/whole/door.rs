//! The door of an isolated agent: it reaches what `player.connect` lists, by a stream that the runner relays, and nothing else.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::support::{Place, engine};

const RUN: [&str; 4] = ["run", "event.toml", "--out", "run"];

/// A server for so many connections, its address, and what it heard: each connection says a line, is answered by one, and is
/// read to its end.
fn server(connections: usize) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has a port").to_string();
    let serve = move || {
        let one = |_| {
            let (mut stream, _) = listener.accept().expect("a connection");
            let mut heard = String::new();
            let mut reader = BufReader::new(stream.try_clone().expect("a socket"));
            reader.read_line(&mut heard).expect("a line");
            stream.write_all(b"welcome\n").expect("it is there");
            reader.read_to_string(&mut heard).expect("its end");
            heard
        };
        (0..connections).map(one).collect()
    };
    (address, std::thread::spawn(serve))
}

/// Two games of an agent that is isolated so, with a door to `listed`; its program and further words are given.
fn event(place: &Place, isolation: &str, listed: &str, agent: &str) {
    let text = format!(
        "[event]\nname = \"door\"\n[swiss]\nrounds = 1\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\nmax_moves = 2\n\
         time_control = \"20s/move\"\n[engine]\nisolation = \"{isolation}\"\n[run]\nconcurrency = 1\nevidence = \"all\"\n\
         [[player]]\nname = \"Caller\"\n{agent}\nconnect = [\"{listed}\"]\n\
         [[player]]\nname = \"Plain\"\ncommand = \"{}\"\n",
        engine("greedy")
    );
    place.write("event.toml", &text);
}

fn caller(addresses: &[&str]) -> String {
    let words: Vec<String> = addresses
        .iter()
        .map(|address| format!("\"--connect\", \"{address}\""))
        .collect();
    format!("command = \"{}\"\nargs = [{}]", engine("fault-agent"), words.join(", "))
}

#[track_caller]
fn reaches_what_is_listed_alone(isolation: &str) {
    let place = Place::new();
    let (other, (address, heard)) = (TcpListener::bind("127.0.0.1:0").expect("a port"), server(1));
    let unlisted = other.local_addr().expect("it has a port").to_string();
    event(&place, isolation, &address, &caller(&[&address, &unlisted]));
    place.swissmatch(&RUN).expect_code(0);
    // The connection, which the agent never closed, ended with it.
    assert_eq!(heard.join().expect("no panic"), ["hello\n"]);
    other.set_nonblocking(true).expect("a socket");
    assert!(other.accept().is_err(), "nobody connects to what is not listed");
    let evidence = place.evidence("run", "1.1.1").expect("evidence");
    for said in [
        format!("door {address}: ok welcome"),
        format!("door {unlisted}: refused player.connect does not list this address"),
    ] {
        assert!(evidence.contains(&said), "{said:?} is not in\n{evidence}");
    }
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let records = place.swissmatch(&["export", "records", "run"]).stdout();
    let records = records
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let doors: Vec<[Value; 2]> = records
        .map(|record| {
            // Of the caller first.
            let (caller, plain) = if record["white"] == 1 { (0, 1) } else { (1, 0) };
            [caller, plain].map(|side| record["doors"][side].clone())
        })
        .collect();
    let once = json!({ "connections": 1, "refused": 1, "sent": 6, "received": 8 });
    let never = json!({ "connections": 0, "refused": 0, "sent": 0, "received": 0 });
    // It asks at the first `go` of its process, which plays both games.
    assert_eq!(doors, [[once, Value::Null], [never, Value::Null]]);
    let log = place.read("run/run.log");
    let counted = "door closed player=\"Caller\" connections=1 refused=1 sent=6 received=8";
    assert!(log.contains(counted), "{log}");
    let doors = |player: &str| log.matches(&format!("door closed player=\"{player}\"")).count();
    let engines = log.matches("engine ended player=\"Caller\"").count();
    assert_eq!((doors("Caller"), doors("Plain")), (engines, 0), "{log}");
}

#[test]
fn a_guarded_agent_reaches_what_is_listed_and_nothing_else() {
    reaches_what_is_listed_alone("guarded");
}

#[test]
fn an_agent_that_is_not_isolated_finds_the_same_door() {
    reaches_what_is_listed_alone("off");
}

/// The page shows its opponent's thoughts live.
#[test]
fn no_door_leads_to_the_page_of_the_run() {
    let place = Place::new();
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = free.local_addr().expect("it has a port").to_string();
    drop(free);
    event(&place, "guarded", &address, &caller(&[&address]));
    let ran = place.swissmatch(&[&RUN[..], &[&format!("--serve={address}")]].concat());
    ran.expect_code(0);
    let told = "the page shows games live, and player.connect lets Caller reach others";
    assert!(ran.stderr().contains(told), "{}", ran.stderr());
    let evidence = place.evidence("run", "1.1.1").expect("evidence");
    let refused = format!("door {address}: refused the page of the run is not for agents");
    assert!(evidence.contains(&refused), "{refused:?} is not in\n{evidence}");
}

#[test]
fn a_sealed_agent_has_none() {
    let place = Place::new();
    event(&place, "sealed", "localhost:80", &caller(&["localhost:80"]));
    let refused = place.swissmatch(&RUN);
    refused.expect_code(4);
    let said = refused.stderr();
    assert!(said.contains("player.connect: a sealed agent has no network"), "{said}");
}

/// The example of docs/isolation.md, as it stands there, in an agent.
#[test]
fn the_documented_example_works() {
    let docs = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/isolation.md")).expect("it is there");
    let (_, example) = docs.split_once("```python\n").expect("an example");
    let (example, _) = example.split_once("```").expect("its end");
    let place = Place::new();
    let (address, heard) = server(1);
    // It plays by the program behind it, and calls once.
    let agent = format!(
        "#!/usr/bin/python3 -u\n{example}\nimport subprocess, sys\n\
         said = []\n\
         behind = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE)\n\
         for line in sys.stdin:\n    \
             if line.startswith('go') and not said:\n        \
                 stream = connect('{address}')\n        \
                 stream.sendall(b'hello from Python\\n')\n        \
                 said.append(stream.recv(100))\n        \
                 print('example', said, file=sys.stderr)\n        \
                 try:\n            connect('127.0.0.1:1')\n        \
                 except OSError as refused:\n            print('example', refused, file=sys.stderr)\n    \
             behind.stdin.write(line.encode())\n    \
             behind.stdin.flush()\n"
    );
    let path = place.write("agent.py", &agent);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    let words = format!("command = \"./agent.py\"\nargs = [\"{}\"]", engine("greedy"));
    event(&place, "guarded", &address, &words);
    place.swissmatch(&RUN).expect_code(0);
    assert_eq!(heard.join().expect("no panic"), ["hello from Python\n"]);
    let evidence = place.evidence("run", "1.1.1").expect("evidence");
    for said in [
        "example [b'welcome\\n']",
        "example 127.0.0.1:1: refused player.connect does not list this address",
    ] {
        assert!(evidence.contains(said), "{said:?} is not in\n{evidence}");
    }
}
