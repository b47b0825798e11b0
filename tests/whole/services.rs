//! Services as they are: one that breaks as services do and judges whoever asks it, and llama.cpp's own server.

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

use crate::adapters::start;
use crate::move_command::ask;
use crate::support::{Place, finish, root};

/// A program of `tests/programs/services`, in the environment that these have; ended when it is dropped.
pub(crate) struct Service(Child);

impl Service {
    fn start(name: &str, args: &[&str], input: Stdio) -> Self {
        let python = root().join("target/service-tools/bin/python");
        assert!(python.exists(), "{} is missing: make test-tools", python.display());
        let mut command = Command::new(python);
        command
            .arg(root().join("tests/programs/services").join(name))
            .args(args);
        let process = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::null());
        Self(process.spawn().expect("it starts"))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// llama.cpp's own server with a model of random weights, at this port, 0 for any; and its address.
pub(crate) fn llama(place: &Place, port: u16) -> (Service, String) {
    let model = place.path("random.gguf");
    let model = model.to_str().expect("text");
    if !place.path("random.gguf").exists() {
        let mut made = Service::start("random_model.py", &[model], Stdio::null());
        assert!(made.0.wait().expect("it ends").success());
    }
    let mut server = Service::start("serve_model.py", &[model, &port.to_string()], Stdio::null());
    let mut address = String::new();
    let output = server.0.stdout.take().expect("a pipe");
    BufReader::new(output).read_line(&mut address).expect("its address");
    (server, address.trim().to_owned())
}

/// Asks a service itself, past swissmatch.
fn asked(address: &str, path: &str, body: Option<&Value>) -> Value {
    let mut curl = Command::new("curl");
    curl.args(["--silent", "--show-error", "--fail", "--max-time", "60"]);
    if let Some(body) = body {
        curl.args(["--data", &body.to_string()]);
    }
    let output = curl.arg(format!("{address}{path}")).output().expect("curl runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What a model at this service answers in a position, as a UCI engine of its own.
fn answer(place: &Place, address: &str, more: &[&str], position: &str) -> String {
    let endpoint = format!("{address}/v1");
    let words = [
        "model",
        "--endpoint",
        &endpoint,
        "--model",
        "m",
        "--prompt",
        "move.jinja",
    ];
    let (adapter, mut input, mut output) = start(place, &[&words[..], more].concat());
    let lines = format!("position {position}\ngo movetime 60000\n");
    let said = ask(&mut input, &mut output, &lines, "bestmove");
    drop(input);
    finish(adapter);
    said
}

/// Each of these failures is the first answer to a question; whoever asks is judged by how often, and how soon, it asks again.
#[test]
fn a_judge_of_clients_has_nothing_to_say() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("it has one"));
    // It waits at the socket from now on, whenever the service takes it.
    let _judge = Service::start("judge.py", &[], OwnedFd::from(listener).into());
    let place = Place::new();
    place.write("move.jinja", "{{ FEN }}");
    let fail = |status: u32| json!({"type": "fail", "status": status});
    let cut = |kind: &str| json!({"type": "stream_fault", "kind": kind});
    let held = json!({"type": "fail", "status": 429, "retry_after": 1.0});
    let thrice = json!({"type": "fail", "status": 503, "times": 3});
    let mended = [
        ("held", held),
        ("429", fail(429)),
        ("503", thrice),
        ("500", fail(500)),
        ("529", fail(529)),
        ("408", fail(408)),
        ("hung up", cut("disconnect")),
        ("cut", cut("truncate")),
        ("garbage", cut("malformed")),
    ];
    let not_to_be_mended = [("401", fail(401)), ("404", fail(404)), ("400", fail(400))];
    let mended = mended.into_iter().map(|fault| (fault, "bestmove e2e4\n"));
    let not_to_be_mended = not_to_be_mended.into_iter().map(|fault| (fault, "bestmove (none)\n"));
    for ((name, fault), wanted) in mended.chain(not_to_be_mended) {
        let text = format!("{}<uci_move>e2e4</uci_move>", "I think. ".repeat(10));
        let reply = json!({"type": "reply", "text": text, "times": 20});
        asked(&address, "/_llmock/reset", Some(&json!({})));
        let behaviours = json!({"behaviors": [reply, fault]});
        asked(&address, "/_llmock/scenario", Some(&behaviours));
        let said = answer(&place, &address, &[], "startpos");
        assert_eq!(said, wanted, "{name}");
        let verdict = asked(&address, "/_llmock/verdict", None);
        assert_eq!(verdict["findings"], json!([]), "{name}: {verdict:#}");
        assert!(verdict["faults_injected"].as_u64() > Some(0), "{name}: {verdict:#}");
    }
}

/// The server itself keeps the answer to the legal moves, whatever its model would say.
#[test]
fn a_real_server_answers_with_a_legal_move_where_it_may_say_nothing_else() {
    let place = Place::new();
    let (_server, address) = llama(&place, 0);
    place.write("move.jinja", "{{ FEN }}");
    let only_legal = ["--legal-moves-only", "--temperature", "0", "--max-tokens", "60"];
    // One move is legal.
    let said = answer(&place, &address, &only_legal, "fen k7/8/1K6/8/8/8/8/7R b - - 0 1");
    assert_eq!(said, "bestmove a8b8\n");
    // Its models enter an event, and it is checked there; which moves a random model gives is chance.
    let endpoint = format!("{address}/v1");
    let init = ["init", "greedy", "--endpoint", &endpoint, "-o", "event.toml"];
    place.swissmatch(&init).expect_code(0);
    let name = &place.swissmatch(&["config", "event.toml"]).expect_code(0).stdout();
    let name = name
        .split("model = \"local:")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let name = name.expect("a model");
    // The server calls it by the path of its file.
    assert!(name.ends_with("/random.gguf"), "{name}");
    let check = [
        "check",
        "--event",
        "event.toml",
        "--player",
        "random",
        "--json",
        "--set",
        "model.max_tokens=20",
    ];
    let checked: Value = serde_json::from_str(&place.swissmatch(&check).stdout()).expect("JSON");
    let calls = checked["calls"].as_array().expect("calls");
    assert_eq!(calls.len(), 2, "{checked:#}");
    for call in calls {
        assert_eq!(call["model"], json!(name), "{checked:#}");
        for figure in ["input", "output", "first_byte_us"] {
            assert!(call[figure].as_u64() > Some(0), "{figure}: {checked:#}");
        }
    }
    let text = checked["steps"].to_string();
    assert!(text.contains("costs is unknown: endpoint.local has no price"), "{text}");
}
