//! A service that does what a test says: real sockets, answers as bytes.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// A request as the service saw it.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    /// From 0.
    pub(crate) number: usize,
    pub(crate) at: Instant,
    pub(crate) head: String,
    pub(crate) body: Value,
}

impl Seen {
    /// True if the broker only asks if anybody is there.
    pub(crate) fn is_probe(&self) -> bool {
        self.body["max_tokens"] == 1
    }
}

/// An action of the service.
#[derive(Clone, Debug)]
pub(crate) enum Do {
    Send(Vec<u8>),
    Wait(Duration),
    /// Waits without doing anything more until the other side hangs up.
    Hang,
    /// Ends the connection.
    Cut,
}

#[derive(Debug, Default)]
struct Counts {
    seen: Mutex<Vec<Seen>>,
    open: AtomicUsize,
    most: AtomicUsize,
    hung_up: Mutex<Vec<Instant>>,
    is_over: AtomicBool,
}

pub(crate) struct Service {
    pub(crate) address: SocketAddr,
    counts: Arc<Counts>,
}

impl Service {
    pub(crate) fn start(script: impl Fn(&Seen) -> Vec<Do> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let counts = Arc::new(Counts::default());
        let (script, of_thread) = (Arc::new(script), Arc::clone(&counts));
        thread::spawn(move || {
            for stream in listener.incoming() {
                if of_thread.is_over.load(Ordering::SeqCst) {
                    return;
                }
                let (script, counts) = (Arc::clone(&script), Arc::clone(&of_thread));
                thread::spawn(move || connection(stream.expect("a connection"), &*script, &counts));
            }
        });
        Self { address, counts }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.counts.seen.lock().expect("no panic").clone()
    }

    /// The most requests that were open at once.
    pub(crate) fn most(&self) -> usize {
        self.counts.most.load(Ordering::SeqCst)
    }

    pub(crate) fn hung_up(&self) -> Vec<Instant> {
        self.counts.hung_up.lock().expect("no panic").clone()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.counts.is_over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn connection(stream: TcpStream, script: &dyn Fn(&Seen) -> Vec<Do>, counts: &Counts) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream.try_clone().expect("a descriptor"));
    let mut writer = stream;
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let length = head.to_lowercase();
        let length = length
            .split("content-length: ")
            .nth(1)
            .and_then(|rest| rest.split("\r\n").next());
        let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let open = counts.open.fetch_add(1, Ordering::SeqCst) + 1;
        counts.most.fetch_max(open, Ordering::SeqCst);
        let request = {
            let mut seen = counts.seen.lock().expect("no panic");
            let body = serde_json::from_slice(&body).unwrap_or_default();
            let number = seen.len();
            seen.push(Seen {
                number,
                at: Instant::now(),
                head,
                body,
            });
            seen[number].clone()
        };
        let acts = script(&request);
        let last = acts.len();
        let mut goes_on = true;
        for (index, act) in acts.into_iter().enumerate() {
            // A client with its answer may send the next request before this thread runs again.
            if index + 1 == last {
                counts.open.fetch_sub(1, Ordering::SeqCst);
            }
            goes_on = match act {
                Do::Send(bytes) => writer.write_all(&bytes).is_ok(),
                Do::Wait(time) => {
                    thread::sleep(time);
                    true
                }
                Do::Hang => {
                    let _ = reader.read(&mut [0]);
                    counts.hung_up.lock().expect("no panic").push(Instant::now());
                    false
                }
                Do::Cut => false,
            };
            if !goes_on {
                break;
            }
        }
        if !goes_on {
            let _ = writer.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

/// An answer with a status and a body.
pub(crate) fn answer(status: &str, headers: &str, kind: &str, body: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n{headers}\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// A whole answer of a model.
pub(crate) fn said(text: &str) -> Vec<Do> {
    let body = json!({
        "id": "c-1", "model": "served-1", "system_fingerprint": "fp-1",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 20, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 4}},
    });
    vec![Do::Send(answer("200 OK", "", "application/json", &body.to_string()))]
}

/// A failure with a status.
pub(crate) fn failed(status: &str, headers: &str, body: &str) -> Vec<Do> {
    vec![Do::Send(answer(status, headers, "application/json", body))]
}

/// The head of a stream.
pub(crate) fn stream_head() -> Do {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
    Do::Send(head.as_bytes().to_vec())
}

/// A part of a stream.
pub(crate) fn part(text: &str) -> Do {
    Do::Send(format!("{:x}\r\n{text}\r\n", text.len()).into_bytes())
}

/// The end of a stream.
pub(crate) fn stream_end() -> Do {
    Do::Send(b"0\r\n\r\n".to_vec())
}

/// An event with a part of the content.
pub(crate) fn content(text: &str, finish: Option<&str>) -> String {
    let event =
        json!({"model": "served-1", "choices": [{"index": 0, "delta": {"content": text}, "finish_reason": finish}]});
    format!("data: {event}\n\n")
}
