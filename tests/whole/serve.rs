//! The page's server, asked over HTTP as a browser asks: what it shows, to whom, and that its end costs no game.

mod killed;
mod other_viewers;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::Value;

use crate::death::{Background, assert_empty, processes_in, send, until};
use crate::support::{Place, engine, say_what_is_missing};

const PATIENCE: Duration = Duration::from_secs(60);
const TOKEN: &str = "a-token-of-the-organizer-0123";
/// A cookie of who has shown it, whose name has the beginning of its hash.
const PASS: &str = "Cookie: swissmatch_pass_82a5eac6";

/// Four agents, two rounds of two games; each move takes `ms`.
pub(crate) fn event(ms: u32, more: &str) -> String {
    let agent = engine("fault-agent");
    let mut text = format!(
        "[event]\nname = \"Served <b>\"\n[swiss]\nrounds = 2\n[mini_match]\ngames = 2\nopenings = \"none\"\n[game]\n\
         time_control = \"5s/move\"\nmax_moves = 10\n[engine]\nisolation = \"off\"\n[run]\nconcurrency = 2\noversubscribe = true\n{more}"
    );
    for name in ["Alpha", "Bravo", "Charlie", "Delta"] {
        text += &format!(
            "[[player]]\nname = \"{name}\"\ncommand = \"{agent}\"\nargs = [\"--fault\", \"sleep\", \"--ms\", \"{ms}\"]\n"
        );
    }
    text
}

fn played(more: &str) -> Place {
    let place = Place::new();
    place.write("event.toml", &event(0, more));
    place.swissmatch(&["run", "event.toml", "--out", "run"]).expect_code(0);
    place
}

/// A server and its address, as it says it.
fn serve<'a>(place: &'a Place, args: &[&str]) -> (Background<'a>, String) {
    let args = [&["serve", "--address", "127.0.0.1:0"], args].concat();
    let server = Background::start(place, &args);
    let address = address(place);
    (server, address)
}

/// A server with 40 places, of which 30 are for streams: it has few descriptors.
fn serve_few<'a>(place: &'a Place, args: &[&str]) -> (Background<'a>, String) {
    let mut command = place.command(&[]);
    let limited = std::mem::replace(&mut command, std::process::Command::new("prlimit"));
    command.args(["--nofile=172:172"]).arg(limited.get_program());
    command.args(["serve", "run"]).args(args);
    command.current_dir(place.path("")).stdin(std::process::Stdio::null());
    let server = Background::start_by(place, command);
    let address = address(place);
    (server, address)
}

pub(crate) fn address(place: &Place) -> String {
    until("its address", PATIENCE, || {
        let said = place.read("complained");
        let (_, rest) = said.split_once("the page: http://")?;
        Some(rest.split_once('/')?.0.to_owned())
    })
}

/// An answer: its status, its headers in lower case, its body.
pub(crate) struct Answer {
    pub(crate) status: u16,
    headers: String,
    pub(crate) body: String,
}

impl Answer {
    fn header(&self, name: &str) -> Option<&str> {
        let line = self
            .headers
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name}: ")));
        line.map(str::trim)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn ask(address: &str, what: &str, headers: &[&str]) -> Answer {
    let host = headers.iter().any(|header| header.starts_with("Host:"));
    let own = if host {
        String::new()
    } else {
        format!("Host: {address}\r\n")
    };
    let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
    let mut stream = TcpStream::connect(address).expect("somebody listens");
    stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
    let asked = format!("{what} HTTP/1.1\r\n{own}{headers}Connection: close\r\n\r\n");
    stream.write_all(asked.as_bytes()).expect("it is taken");
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).expect("an answer");
    let end = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .expect("the end of the headers");
    let headers = String::from_utf8_lossy(&bytes[..end]).to_lowercase();
    let status = headers.split(' ').nth(1).and_then(|status| status.parse().ok());
    Answer {
        status: status.unwrap_or_else(|| panic!("no status: {headers}")),
        headers,
        body: String::from_utf8_lossy(&bytes[end + 4..]).into_owned(),
    }
}

pub(crate) fn get(address: &str, path: &str) -> Answer {
    ask(address, &format!("GET {path}"), &[])
}

/// Bytes that the kernel keeps for this reader, who has not taken them.
fn unsent(reader: &TcpStream) -> u64 {
    let port = |address: std::io::Result<std::net::SocketAddr>| format!(":{:04X}", address.expect("an address").port());
    let (server, reader) = (port(reader.peer_addr()), port(reader.local_addr()));
    let connections = std::fs::read_to_string("/proc/net/tcp").expect("Linux has it");
    let of_reader = connections
        .lines()
        .map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let mut of_reader = of_reader.filter(|line| line[1].ends_with(&server) && line[2].ends_with(&reader));
    let queues = of_reader.next().expect("it is connected")[4];
    let (unsent, _) = queues.split_once(':').expect("two queues");
    u64::from_str_radix(unsent, 16).expect("a number")
}

/// A stream of news, each with its number, its kind and its data.
pub(crate) struct Stream(BufReader<TcpStream>);

#[derive(Debug)]
pub(crate) struct Piece {
    number: u64,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

impl Stream {
    pub(crate) fn open(address: &str, query: &str, last: Option<u64>) -> Self {
        let mut stream = TcpStream::connect(address).expect("somebody listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        let last = last.map_or_else(String::new, |last| format!("Last-Event-ID: {last}\r\n"));
        let asked = format!("GET /events{query} HTTP/1.1\r\nHost: {address}\r\n{last}\r\n");
        stream.write_all(asked.as_bytes()).expect("it is taken");
        let mut lines = BufReader::new(stream);
        let mut line = String::new();
        lines.read_line(&mut line).expect("a status");
        assert!(line.contains(" 200 "), "{line}");
        Self(lines)
    }

    /// The next piece; `None` when the stream has ended. Lines of the transfer's own, which are hexadecimal numbers, are passed over.
    pub(crate) fn next(&mut self) -> Option<Piece> {
        let (mut number, mut kind) = (0, String::new());
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("a line") == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => number = id.parse().expect("a number"),
                Some(("event", name)) => kind = name.to_owned(),
                Some(("data", data)) => {
                    let data = serde_json::from_str(data).expect("JSON");
                    return Some(Piece { number, kind, data });
                }
                _ => {}
            }
        }
    }

    pub(crate) fn until(&mut self, what: &str, is_it: impl Fn(&Piece) -> bool) -> Piece {
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            let piece = self.next().unwrap_or_else(|| panic!("the stream ended before {what}"));
            if is_it(&piece) {
                return piece;
            }
        }
        panic!("{what}: not within {PATIENCE:?}")
    }
}

#[test]
fn a_run_is_shown_and_nothing_but_reading_is_answered() {
    let place = played("");
    let (mut server, address) = serve(&place, &["run"]);
    let page = get(&address, "/");
    assert_eq!(page.status, 200);
    assert!(
        page.body.contains("Served &lt;b&gt;") && page.body.contains("data-live=\"events\""),
        "{}",
        page.body
    );
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(
        policy.contains("script-src 'self'") && policy.contains("connect-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    // By its tag it is not sent again.
    let tag = format!("If-None-Match: {}", page.header("etag").expect("a tag"));
    assert_eq!(ask(&address, "GET /", &[&tag]).status, 304);
    let packed = ask(&address, "GET /", &["Accept-Encoding: gzip, br"]);
    assert_eq!(packed.header("content-encoding"), Some("gzip"));
    let length = |answer: &Answer| {
        answer
            .header("content-length")
            .and_then(|length| length.parse::<usize>().ok())
    };
    assert!(
        length(&packed)
            .zip(length(&page))
            .is_some_and(|(packed, plain)| packed * 2 < plain)
    );
    let head = ask(&address, "HEAD /", &[]);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    for (what, status) in [
        ("GET /healthz", 200),
        ("GET /nothing", 404),
        ("GET /games/9.9.json", 404),
        ("GET /games/..%2F..%2Fevent.toml", 404),
        ("GET /../event.toml", 404),
        ("POST /", 405),
        ("PUT /event.json", 405),
        ("DELETE /games/1.1.json", 405),
    ] {
        assert_eq!(ask(&address, what, &[]).status, status, "{what}");
    }
    // A page from elsewhere cannot read it under a name of its own.
    assert_eq!(
        ask(&address, "GET /event.json", &["Host: elsewhere.example"]).status,
        421
    );
    let two = ["Host: localhost", "Host: elsewhere.example"];
    assert_eq!(ask(&address, "GET /event.json", &two).status, 421);
    // The same as the folder has.
    place.swissmatch(&["publish", "public", "run"]).expect_code(0);
    let same = |served: &str, file: &str| {
        let there: Value = serde_json::from_str(&place.read(&format!("public/{file}"))).expect("JSON");
        assert_eq!(get(&address, served).json(), there, "{file}");
    };
    same("/event.json", "event.json");
    same("/games/1.2.json", "games/1.2.json");
    let mut stream = Stream::open(&address, "", None);
    let run = stream.until("the run", |piece| piece.kind == "run");
    assert_eq!((&run.data["over"], &run.data["at_work"]), (&true.into(), &false.into()));
    let news = get(&address, &format!("/news?after={}", run.number)).json();
    assert_eq!(news["news"][0]["type"], "page", "{news}");
    // One who takes nothing is kept little for.
    let mut deaf = TcpStream::connect(&address).expect("somebody listens");
    let asked = format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n").repeat(40);
    deaf.write_all(asked.as_bytes()).expect("it is taken");
    std::thread::sleep(Duration::from_secs(1));
    let kept = unsent(&deaf);
    assert!((1..300_000).contains(&kept), "{kept}");
    // Asked to end, it ends, and so does the stream.
    send(server.guard(), Signal::TERM);
    assert_eq!(server.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    while stream.next().is_some() {}
    assert_empty(&place, Duration::from_secs(1));
}

#[test]
fn who_may_look_is_said_before_anything_is_served() {
    let place = played("");
    place.write("token", TOKEN);
    place.write("short", "secret");
    let mode = |file: &str, mode| {
        let permissions = std::os::unix::fs::PermissionsExt::from_mode(mode);
        std::fs::set_permissions(place.path(file), permissions).expect("it is ours");
    };
    mode("token", 0o644);
    mode("short", 0o600);
    for (args, why) in [
        (&["--address", "0.0.0.0:0"][..], "give --token-file FILE"),
        (
            &["--token-file", "token"],
            "other users may read token; `chmod 600 token`",
        ),
        (&["--token-file", "short"], "must hold a token of 16 or more"),
        (&["--token-file", "none"], "the token's file cannot be read: none"),
    ] {
        let refused = place.swissmatch(&[&["serve", "run"], args].concat());
        refused.expect_code(4);
        assert!(refused.stderr().contains(why), "{}", refused.stderr());
    }
    let refused = place.swissmatch(&["run", "event.toml", "--out", "run", "--public"]);
    refused.expect_code(4);
    assert!(refused.stderr().contains("give --serve"), "{}", refused.stderr());
    mode("token", 0o600);
    let (_server, address) = serve(&place, &["run", "--token-file", "token"]);
    let (needed, wrong) = ("A token is needed", "This token is not the one of this page");
    for (path, header, why) in [
        ("/", "X-Nothing: 1", needed),
        ("/event.json?token=wrong", "X-Nothing: 1", wrong),
        ("/events", "Authorization: Bearer wrong", wrong),
        ("/", &format!("{PASS}=wrong"), needed),
        // The token is no pass.
        ("/", &format!("{PASS}={TOKEN}"), needed),
    ] {
        let answer = ask(&address, &format!("GET {path}"), &[header]);
        assert_eq!(answer.status, 401, "{path} {header}");
        assert!(answer.body.starts_with(why), "{path} {header}: {}", answer.body);
    }
    assert_eq!(get(&address, "/healthz").status, 200);
    let bearer = format!("Authorization: Bearer {TOKEN}");
    assert_eq!(ask(&address, "GET /event.json", &[&bearer]).status, 200);
    // The address loses the token, and the browser keeps a pass.
    let sent = get(&address, &format!("//elsewhere.example/?hall&token={TOKEN}"));
    assert_eq!(
        (sent.status, sent.header("location")),
        (303, Some("/elsewhere.example/?hall"))
    );
    assert_eq!(
        sent.header("cache-control"),
        Some("no-store"),
        "the pass is kept nowhere"
    );
    let backslash = get(&address, &format!("/\\elsewhere.example/?token={TOKEN}"));
    assert_eq!(backslash.header("location"), Some("/elsewhere.example/"));
    let cookie = sent.header("set-cookie").expect("a pass").to_owned();
    assert!(cookie.contains("httponly") && !cookie.contains(TOKEN), "{cookie}");
    // Another server on this machine has given the browser a cookie of another name.
    let own = cookie.split(';').next().expect("its value");
    assert!(own.starts_with(PASS.trim_start_matches("Cookie: ")), "{own}");
    let pass = format!("Cookie: swissmatch_pass_0a0b0c0d=1; {own}");
    assert_eq!(ask(&address, "GET /", &[&pass]).status, 200);
    assert!(!place.read("complained").contains(TOKEN));
}

#[test]
fn several_runs_are_listed() {
    let place = played("");
    place
        .swissmatch(&["run", "event.toml", "--out", "other/run"])
        .expect_code(0);
    let (_server, address) = serve(&place, &["run", "other/run"]);
    let list = get(&address, "/").body;
    assert!(
        list.contains("href=\"./run/\"") && list.contains("href=\"./run-2/\""),
        "{list}"
    );
    assert!(
        list.contains("Served &lt;b&gt;") && list.contains("The event is over"),
        "{list}"
    );
    assert_eq!(get(&address, "/run-2/event.json").json()["over"], true);
    assert_eq!(get(&address, "/run-2").status, 308);
    let page = get(&address, "/run-2/").body;
    let (_, rest) = page.split_once("src=\"").expect("a script");
    let script = rest.split('"').next().expect("its address");
    assert_eq!(get(&address, &format!("/run-2/{script}")).status, 200);
    assert_eq!(get(&address, "/run-2/games/1.1.json").status, 200);
}

/// Who follows the news leaves places for others, and is told apart by what a proxy says.
#[test]
fn one_visitor_holds_up_no_other() {
    let place = played("");
    let (_server, address) = serve_few(&place, &["--address", "127.0.0.1:0", "--proxy"]);
    let open = |visitor: &str| {
        let mut stream = TcpStream::connect(&address).expect("somebody listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a limit");
        // What stands before the last one is the visitor's own.
        let asked = format!("GET /events HTTP/1.1\r\nHost: {address}\r\nX-Forwarded-For: 192.0.2.7, {visitor}\r\n\r\n");
        stream.write_all(asked.as_bytes()).expect("it is taken");
        let mut lines = BufReader::new(stream);
        let mut status = String::new();
        lines.read_line(&mut status).expect("a status");
        status.contains(" 200 ").then_some(lines)
    };
    let mut ones: Vec<_> = std::iter::from_fn(|| open("192.0.2.1")).take(50).collect();
    assert_eq!(ones.len(), 24, "where few are left they are for others");
    let others: Vec<_> = std::iter::from_fn(|| open("192.0.2.2")).take(50).collect();
    assert_eq!(others.len(), 6);
    // From this machine, too: there is none left.
    let refused = get(&address, "/events");
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("60")));
    // What is answered at once always has a place.
    assert_eq!(get(&address, "/").status, 200);
    let run = get(&address, "/news?after=0").json();
    assert_eq!(run["news"][0]["type"], "run", "{run}");
    ones.clear();
    until("places again", PATIENCE, || open("192.0.2.3"));
}

/// The same of connections on which nobody asks anything. Connections to an address of this machine that is not a loopback one come from it.
#[test]
fn an_address_with_most_of_few_places_waits() {
    // No packet is sent.
    let own = std::net::UdpSocket::bind("0.0.0.0:0").and_then(|socket| {
        socket.connect("192.0.2.1:9")?;
        socket.local_addr()
    });
    let Some(own) = own.ok().filter(|own| !own.ip().is_loopback()) else {
        return say_what_is_missing("this machine has no address but loopback ones");
    };
    let place = played("");
    let (_server, address) = serve_few(&place, &["--address", "0.0.0.0:0", "--public"]);
    let (_, port) = address.rsplit_once(':').expect("a port");
    let (here, there) = (format!("127.0.0.1:{port}"), format!("{}:{port}", own.ip()));
    let connect = || TcpStream::connect(&there).expect("somebody listens");
    let mut idle: Vec<_> = (0..31).map(|_| connect()).collect();
    let mut waits = connect();
    waits
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        .expect("it is taken");
    // Whoever came after that is answered.
    assert_eq!(get(&here, "/healthz").status, 200);
    // A request that does not come is waited for less than twenty seconds now.
    let begun = Instant::now();
    let mut late = TcpStream::connect(&here).expect("somebody listens");
    late.set_read_timeout(Some(PATIENCE)).expect("a limit");
    let mut answer = [0; 12];
    waits
        .set_read_timeout(Some(Duration::from_millis(300)))
        .expect("a limit");
    waits.read(&mut answer).expect_err("it waits");
    idle.truncate(10);
    waits.set_read_timeout(Some(PATIENCE)).expect("a limit");
    waits.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    assert_eq!(late.read(&mut answer).expect("it is closed"), 0);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
}

/// From before the first game to the end, with a server that is killed in the middle.
#[test]
fn an_event_is_followed_and_the_servers_end_costs_no_game() {
    let place = Place::new();
    place.write("event.toml", &event(60, ""));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0"]);
    let address = address(&place);
    let mut stream = Stream::open(&address, "", None);
    let game = stream.until("a game", |piece| piece.kind == "game" && piece.data["slot"] == 0);
    assert_eq!(
        (&game.data["type"], &game.data["white"]["name"]),
        (&"game".into(), &"Alpha".into())
    );
    // The games of other slots are not told, those of this one are.
    let mut one = Stream::open(&address, "?slots=1", None);
    let seen = one.until("the other slot", |piece| piece.kind == "game");
    assert_eq!(seen.data["slot"], 1);
    let scored = stream.until("a score", |piece| piece.kind == "match");
    assert!(
        scored.data["results"].as_str().is_some_and(|results| results != ".."),
        "{scored:?}"
    );
    let server = |place: &Place| {
        processes_in(place)
            .into_iter()
            .find(|process| process.line.starts_with("swissmatch-server"))
    };
    let first = server(&place).expect("a server").pid;
    // Where memory is short it goes before any game does.
    let first_to_go = std::fs::read_to_string(format!("/proc/{first}/oom_score_adj")).expect("a process");
    assert_eq!(first_to_go.trim(), "1000");
    send(first, Signal::KILL);
    while stream.next().is_some() {}
    // Who comes waits for the next one, which tells everything again, as its numbers are higher.
    let mut stream = Stream::open(&address, "", Some(scored.number));
    let run = stream.until("the run", |piece| piece.kind == "run");
    assert!(run.number > scored.number && run.data["at_work"] == true, "{run:?}");
    assert!(server(&place).is_some_and(|server| server.pid != first));
    stream.until("a game again", |piece| piece.kind == "game");
    // What ends the event is told before the server ends with it.
    let mut over = false;
    while let Some(piece) = stream.next() {
        over |= piece.kind == "run" && piece.data["over"] == true;
    }
    assert!(over, "the end was told");
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert!(
        place.read("complained").contains("the page's server has ended"),
        "{}",
        place.read("complained")
    );
    let games = place.export_json("run", "games-json");
    let games = games["games"].as_array().expect("a list");
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|game| game["fault_of"].is_null()), "{games:#?}");
    place.swissmatch(&["verify", "run"]).expect_code(0);
    assert_empty(&place, Duration::from_secs(1));
}

/// Embargo, delay and `--no-live` hold in whatever is served.
#[test]
fn what_is_held_back_is_in_no_answer() {
    for (more, serve, rounds, has_games) in [
        ("[publish]\nembargo_rounds = 1\n", "--serve=127.0.0.1:0", 1, true),
        ("[publish]\ndelay = \"60m\"\n", "--serve=127.0.0.1:0", 0, false),
        ("", "--no-live", 2, false),
    ] {
        let place = Place::new();
        place.write("event.toml", &event(20, more));
        let args = ["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0", serve];
        let args = if serve == "--no-live" { &args[..] } else { &args[..5] };
        let mut running = Background::start(&place, args);
        let address = address(&place);
        let mut stream = Stream::open(&address, "", None);
        let mut seen = Vec::new();
        while let Some(piece) = stream.next() {
            seen.push(piece);
        }
        assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
        let of_kind = |kind: &str| seen.iter().filter(|piece| piece.kind == kind).collect::<Vec<_>>();
        let last = of_kind("match")
            .iter()
            .filter_map(|piece| piece.data["round"].as_u64())
            .max();
        assert_eq!(last.unwrap_or(0), rounds, "{more}");
        assert_eq!(!of_kind("game").is_empty(), has_games, "{more}");
        assert!(
            of_kind("game")
                .iter()
                .all(|piece| piece.data["id"].as_str().is_some_and(|id| id.starts_with("1.")))
        );
        // And afterwards.
        let (_server, address) = self::serve(&place, &["run"]);
        let event = get(&address, "/event.json").json();
        assert_eq!(
            event["mini_matches"].as_array().map(Vec::len),
            Some(rounds as usize * 2),
            "{more}"
        );
        assert_eq!(get(&address, "/games/2.1.json").status == 200, rounds == 2, "{more}");
        if more.contains("embargo") {
            // What the arbiter releases is shown at once to whoever looks on.
            let mut stream = Stream::open(&address, "?slots=none", None);
            let before = stream.until("the page", |piece| piece.kind == "page");
            let release = ["arbiter", "release", "run", "--by", "Anna", "--reason", "it is over"];
            place.swissmatch(&release).expect_code(0);
            stream.until("another page", |piece| {
                piece.kind == "page" && piece.data != before.data
            });
            assert_eq!(get(&address, "/games/2.1.json").status, 200);
            let event = get(&address, "/event.json").json();
            assert_eq!(event["mini_matches"].as_array().map(Vec::len), Some(4));
        }
    }
}

/// A whole event in a browser, from before the first game to its end: the server is killed, the arbiter announces something, and the page
/// is loaded again meanwhile.
#[test]
fn a_whole_event_is_watched_in_a_browser() {
    let place = Place::new();
    place.write("event.toml", &event(200, "").replace("games = 2", "games = 4"));
    let mut running = Background::start(&place, &["run", "event.toml", "--out", "run", "--serve=127.0.0.1:0"]);
    let address = address(&place);
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("web/test/of_event.mjs");
    let mut watching = std::process::Command::new("node")
        .arg(script)
        .arg(&address)
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it is installed by make test");
    let mut said = BufReader::new(watching.stdout.take().expect("its words"));
    let mut hear = |word: &str| {
        let mut line = String::new();
        said.read_line(&mut line).expect("a word");
        assert_eq!(line.trim(), word, "{}", place.read("complained"));
    };
    hear("boards");
    let mut processes = processes_in(&place).into_iter();
    let server = processes.find(|process| process.line.starts_with("swissmatch-server"));
    send(server.expect("a server").pid, Signal::KILL);
    hear("back");
    let text = "The hall opens at nine <script>alert(1)</script>";
    let reason = ["--by", "A. Arbiter", "--reason", "people asked"];
    let act = [&["arbiter", "announce", text, "run"][..], &reason].concat();
    place.swissmatch(&act).expect_code(0);
    for word in ["announced", "followed", "over"] {
        hear(word);
    }
    assert!(watching.wait().expect("it ends").success());
    assert_eq!(running.end(PATIENCE).code(), Some(0), "{}", place.read("complained"));
    assert_empty(&place, Duration::from_secs(1));
}
