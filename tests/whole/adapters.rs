//! Language models and web services as UCI engines: `swissmatch adapter model|url`, with services that answer over HTTP.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use swissmatch::shell::store::sha256;

use crate::move_command::ask;
use crate::support::{Place, finish, swissmatch};

/// What a service was sent.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: Value,
    /// SHA-256 of the body as it came.
    pub(crate) hash: String,
}

/// A service that answers each request by `answer` until the test is over; gives its address, and what it was sent.
pub(crate) fn service(answer: fn(usize, &Request) -> Option<String>) -> (String, Receiver<Request>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has one");
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for (number, stream) in listener.incoming().flatten().enumerate() {
            let tell = tell.clone();
            std::thread::spawn(move || {
                let Some(request) = request(&stream) else { return };
                let said = answer(number, &request);
                let _ = tell.send(request);
                match said {
                    Some(said) => drop((&stream).write_all(said.as_bytes())),
                    // Until the other side hangs up.
                    None => drop((&stream).read(&mut [0])),
                }
            });
        }
    });
    (format!("http://{address}"), told)
}

fn request(stream: &TcpStream) -> Option<Request> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length")
            .then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let hash = sha256(&body);
    let body = match length {
        Some(_) => serde_json::from_slice(&body).ok()?,
        None => Value::Null,
    };
    Some(Request { head, body, hash })
}

pub(crate) fn response(status: &str, more: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{more}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

/// A streamed answer that says so.
fn streamed(content: &str) -> String {
    let part = json!({"model": "m", "choices": [{"index": 0, "delta": {"content": content}, "finish_reason": null}]});
    let end = json!({"model": "m", "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]});
    let body = format!(": wait\n\ndata: {part}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    response("200 OK", "content-type: text/event-stream\r\n", &body)
}

/// The first legal move, which the prompt of these tests has after `Legal: `.
pub(crate) fn first_legal(request: &Request) -> Option<&str> {
    let prompt = request.body["messages"].as_array()?.last()?["content"].as_str()?;
    prompt.split_once("Legal: ")?.1.split([',', ' ', '\n']).next()
}

const PROMPT: &str = "You are {{ side_to_move }}: {{ FEN }}\nLegal: {{ legal_moves_uci }}\n";

pub(crate) fn start(place: &Place, words: &[&str]) -> (Child, ChildStdin, BufReader<ChildStdout>) {
    let mut command = place.command(&[&["adapter"][..], words].concat());
    let started = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut adapter = started.expect("it starts");
    let input = adapter.stdin.take().expect("a pipe");
    let output = BufReader::new(adapter.stdout.take().expect("a pipe"));
    (adapter, input, output)
}

#[test]
fn a_model_plays_under_another_runner_and_its_key_stays_in_its_file() {
    let answer = |number: usize, request: &Request| match number {
        0 => Some(response("429 Too Many Requests", "retry-after: 0\r\n", "{}")),
        _ => Some(streamed(&format!(
            "I play <uci_move>{}</uci_move>.",
            first_legal(request)?
        ))),
    };
    let (url, told) = service(answer);
    let place = Place::new();
    place.write("move.jinja", PROMPT);
    place.write("key.txt", "sk-of-the-organizer\n");
    let words = [
        "model",
        "--endpoint",
        &url,
        "--model",
        "small",
        "--key-file",
        "key.txt",
        "--prompt",
        "move.jinja",
    ];
    let (adapter, mut input, mut output) = start(&place, &[&words[..], &["--temperature", "0.5"]].concat());
    let name = ask(&mut input, &mut output, "uci\n", "id name");
    assert_eq!(name, "id name small\n");
    for (moves, wanted) in [("", "bestmove g1h3\n"), (" moves e2e4", "bestmove g8h6\n")] {
        let lines = format!("position startpos{moves}\ngo movetime 60000\n");
        assert_eq!(ask(&mut input, &mut output, &lines, "bestmove"), wanted);
    }
    input.write_all(b"quit\n").expect("it reads");
    let ended = finish(adapter);
    assert_eq!(ended.status.code(), Some(0));
    let requests: Vec<Request> = told.try_iter().collect();
    assert_eq!(requests.len(), 3, "the first one was asked again: {requests:?}");
    for Request { head, body, .. } in &requests {
        assert!(head.contains("POST /chat/completions"), "{head}");
        assert!(
            head.to_lowercase()
                .contains("authorization: bearer sk-of-the-organizer"),
            "{head}"
        );
        assert_eq!((&body["model"], &body["temperature"]), (&json!("small"), &json!(0.5)));
        assert!(!body.to_string().contains("sk-of"), "{body}");
    }
    assert!(!String::from_utf8_lossy(&ended.stderr).contains("sk-of"));
}

#[test]
fn a_stopped_model_is_hung_up_and_what_is_wrong_with_a_call_is_told() {
    let answer = |number: usize, _: &Request| match number {
        0 => None,
        _ => Some(response(
            "401 Unauthorized",
            "",
            r#"{"error":{"message":"no such key"}}"#,
        )),
    };
    let (url, told) = service(answer);
    let place = Place::new();
    place.write("move.jinja", PROMPT);
    let words = [
        "model",
        "--endpoint",
        &url,
        "--model",
        "small",
        "--prompt",
        "move.jinja",
    ];
    let (adapter, mut input, mut output) = start(&place, &words);
    input
        .write_all(b"position startpos\ngo movetime 60000\n")
        .expect("it reads");
    told.recv_timeout(Duration::from_secs(30)).expect("it is asked");
    let begun = Instant::now();
    let stopped = ask(&mut input, &mut output, "stop\n", "bestmove");
    assert_eq!(stopped, "bestmove (none)\n");
    assert!(begun.elapsed() < Duration::from_secs(20), "it waited");
    let lines = "position startpos moves e2e4\ngo movetime 60000\n";
    assert_eq!(ask(&mut input, &mut output, lines, "bestmove"), "bestmove (none)\n");
    drop(input);
    let ended = finish(adapter);
    let complained = String::from_utf8_lossy(&ended.stderr);
    assert!(complained.contains("401"), "{complained}");
}

/// Beside engines: an adapter is a command like any other.
#[test]
fn models_play_an_event_as_commands() {
    let answer =
        |_: usize, request: &Request| Some(streamed(&format!("<uci_move>{}</uci_move>", first_legal(request)?)));
    let (url, _told) = service(answer);
    let place = Place::new();
    place.write("move.jinja", PROMPT);
    let model = |name: &str| {
        format!(
            "[[player]]\nname = \"{name}\"\ncommand = {program:?}\nargs = [\"adapter\", \"model\", \"--endpoint\", \"{url}\", \
             \"--model\", \"{name}\", \"--prompt\", \"move.jinja\"]\n",
            program = swissmatch()
        )
    };
    let event = format!(
        "event.name = \"models\"\nswiss.rounds = 2\nmini_match.games = 2\ngame.max_moves = 4\nengine.isolation = \"off\"\n{}{}\
         [[player]]\nname = \"Greedy\"\ncommand = \"greedy\"\n[[player]]\nname = \"Random\"\ncommand = \"random-mover\"\n",
        model("one"),
        model("two")
    );
    place.write("event.toml", &event);
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place.swissmatch(&["verify", "run"]).expect_code(0);
    let games = place.read("run/games.csv");
    assert_eq!(games.lines().count(), 9, "{games}");
    for fault in ["illegal-move", "time-forfeit", "crash", "stall"] {
        assert!(!games.contains(fault), "{games}");
    }
}

#[test]
fn a_service_is_asked_once_a_move() {
    let answer = |_: usize, request: &Request| {
        let legal = request.body["legal"].as_array()?.last()?.as_str()?;
        Some(response("200 OK", "", &json!({ "move": legal }).to_string()))
    };
    let (url, told) = service(answer);
    let place = Place::new();
    let (adapter, mut input, mut output) = start(&place, &["url", &format!("{url}/move")]);
    let answer = ask(
        &mut input,
        &mut output,
        "position startpos\ngo movetime 60000\n",
        "bestmove",
    );
    let Request { head, body, .. } = told.recv().expect("it was asked");
    assert!(head.starts_with("POST /move "), "{head}");
    let last = body["legal"]
        .as_array()
        .and_then(|legal| legal.last())
        .and_then(Value::as_str);
    assert_eq!(answer, format!("bestmove {}\n", last.expect("a move")));
    drop(input);
    assert_eq!(finish(adapter).status.code(), Some(0));
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_said() {
    let place = Place::new();
    place.write("key.txt", "two words\n");
    place.write("bad.jinja", "{% if %}");
    let model = |endpoint: &str, prompt: &str, key: &str| {
        let key = (!key.is_empty()).then(|| format!(" --key-file {key}"));
        format!(
            "model --endpoint {endpoint} --model m --prompt {prompt}{}",
            key.unwrap_or_default()
        )
    };
    for (words, why) in [
        ("url ftp://a".to_owned(), "no address of a service"),
        (model("a", "bad.jinja", ""), "no address of a service"),
        (model("http://a", "bad.jinja", "gone"), "gone: the key cannot be read"),
        (model("http://a", "bad.jinja", "key.txt"), "key.txt: a key is one line"),
        (
            model("http://a", "gone.jinja", ""),
            "gone.jinja: the template cannot be read",
        ),
        (model("http://a", "bad.jinja", ""), "bad.jinja: "),
    ] {
        let words: Vec<&str> = std::iter::once("adapter").chain(words.split(' ')).collect();
        let refused = place.swissmatch(&words);
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
        assert_eq!(refused.stdout(), "");
    }
}
