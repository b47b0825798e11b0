//! The other end of the connections: a process of its own at the lowest priority, which reads everything that comes.
//!
//! It ends when whoever started it closes its standard input.

use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsFd;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;
use memchr::memmem;
use rustix::buffer::spare_capacity;
use rustix::event::epoll;
use rustix::time::ClockId;
use serde::{Deserialize, Serialize};
use swissmatch::shell::machine;

/// Every so many viewers one is looked at: how far behind it is.
const SAMPLED: usize = 10;
/// Bytes that are read at once, at most.
const ROOM: usize = 256 << 10;
/// The key of standard input among the connections.
const STANDARD_INPUT: u64 = u64::MAX;
/// Marks the keys of those who come late.
const LATECOMER: u64 = 1 << 32;

/// What connections there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Load {
    /// Viewers: each asks this server for its stream of events.
    Viewers(SocketAddr),
    /// The same; when the watched part begins each asks for all that there is of game 1.1.1.
    Late(SocketAddr),
    /// Readers: they ask for nothing, and take what this listener writes.
    Readers(SocketAddr),
    /// To a listener of this process, which says nothing.
    Idle,
}

/// What came in the watched part.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Heard {
    /// Of the sampled viewers: when they had a game's state less when it was so, in seconds.
    pub(crate) behind: Vec<f64>,
    /// What the first connection received.
    pub(crate) pieces: Vec<Piece>,
    /// To all connections.
    pub(crate) bytes: u64,
    /// Connections that were closed.
    pub(crate) lost: usize,
    /// This process's own processor time, in seconds.
    pub(crate) processor_time: f64,
    /// Of those who come late: seconds until each had all of the game.
    pub(crate) joined: Vec<f64>,
}

/// What came at once.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct Piece {
    /// Nanoseconds since the watched part began.
    pub(crate) at: u64,
    pub(crate) bytes: usize,
}

impl Load {
    /// As arguments of a process.
    pub(crate) fn words(self) -> [String; 2] {
        match self {
            Self::Viewers(address) => ["viewers".to_owned(), address.to_string()],
            Self::Late(address) => ["late".to_owned(), address.to_string()],
            Self::Readers(address) => ["readers".to_owned(), address.to_string()],
            Self::Idle => ["idle".to_owned(), String::new()],
        }
    }

    fn of_words(kind: &str, address: &str) -> Self {
        let address = || address.parse().expect("an address");
        match kind {
            "viewers" => Self::Viewers(address()),
            "late" => Self::Late(address()),
            "readers" => Self::Readers(address()),
            _ => Self::Idle,
        }
    }
}

/// The process. It says `open` when all connections are there, watches from `begin` to `end`, and says what it [`Heard`].
pub(crate) fn main(words: &[String]) {
    let [kind, address, count] = words else {
        panic!("{words:?}")
    };
    let count: usize = count.parse().expect("a number");
    prepare(3 * count);
    let mut hall = Hall::open(Load::of_words(kind, address), count);
    hall.listen().expect("the machine polls");
}

/// The lowest priority, and room for so many descriptors.
pub(crate) fn prepare(descriptors: usize) {
    rustix::process::setpriority_process(None, 19).expect("everybody may be less urgent");
    let wanted = descriptors as u64 + 50;
    let room = machine::raise_descriptors(wanted).expect("the limit is told");
    assert!(room >= wanted, "{wanted} descriptors are needed, {room} are allowed");
}

/// Processor time of this process until now, in seconds.
pub(crate) fn own_processor_time() -> f64 {
    let time = rustix::time::clock_gettime(ClockId::ProcessCPUTime);
    Duration::try_from(time).expect("no less than nothing").as_secs_f64()
}

struct Hall {
    connections: Vec<Connection>,
    /// The other ends of idle ones.
    _ends: Vec<TcpStream>,
    /// How many have not had an answer.
    awaited: usize,
    watched: Option<Watched>,
    /// Who comes late, and asks there.
    late: Option<SocketAddr>,
    latecomers: Vec<Connection>,
}

struct Connection {
    stream: TcpStream,
    is_answered: bool,
    /// A line that has not come whole.
    rest: Vec<u8>,
}

struct Watched {
    begun: Instant,
    processor_time: f64,
    heard: Heard,
}

impl Hall {
    fn open(load: Load, count: usize) -> Self {
        let silent = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
        let (address, request) = match load {
            Load::Viewers(address) | Load::Late(address) => (
                address,
                format!("GET /events HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n"),
            ),
            Load::Readers(address) => (address, String::new()),
            Load::Idle => (silent.local_addr().expect("its address"), String::new()),
        };
        let mut ends = Vec::new();
        let connection = |_| {
            let mut stream = TcpStream::connect(address).expect("somebody listens");
            stream.write_all(request.as_bytes()).expect("the request is taken");
            stream.set_nonblocking(true).expect("a socket");
            if load == Load::Idle {
                ends.push(silent.accept().expect("it was just opened").0);
            }
            Connection {
                stream,
                is_answered: request.is_empty(),
                rest: Vec::new(),
            }
        };
        Self {
            connections: (0..count).map(connection).collect(),
            _ends: ends,
            awaited: if request.is_empty() { 0 } else { count },
            watched: None,
            late: match load {
                Load::Late(address) => Some(address),
                _ => None,
            },
            latecomers: Vec::new(),
        }
    }

    /// Until standard input is closed.
    fn listen(&mut self) -> io::Result<()> {
        let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        let wait_for = epoll::EventFlags::IN;
        epoll::add(&epoll, io::stdin(), epoll::EventData::new_u64(STANDARD_INPUT), wait_for)?;
        for (key, connection) in self.connections.iter().enumerate() {
            epoll::add(
                &epoll,
                &connection.stream,
                epoll::EventData::new_u64(key as u64),
                wait_for,
            )?;
        }
        if self.awaited == 0 {
            say("open");
        }
        let (mut come, mut buffer) = (Vec::with_capacity(256), vec![0; ROOM]);
        loop {
            match epoll::wait(&epoll, spare_capacity(&mut come), None) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
            for event in come.drain(..) {
                match event.data.u64() {
                    STANDARD_INPUT => {
                        let taken = rustix::io::read(io::stdin(), &mut buffer)?;
                        match &buffer[..taken] {
                            b"" => return Ok(()),
                            b"begin\n" => {
                                self.begin();
                                self.join(&epoll)?;
                            }
                            b"end\n" => self.end(),
                            other => panic!("{:?}", String::from_utf8_lossy(other)),
                        }
                    }
                    key if key & LATECOMER > 0 => {
                        let key = usize::try_from(key ^ LATECOMER).expect("a place in a list");
                        if !self.take_joined(key, &mut buffer) {
                            epoll::delete(&epoll, &self.latecomers[key].stream)?;
                        }
                    }
                    key => {
                        let key = usize::try_from(key).expect("a place in a list");
                        if !self.take(key, &mut buffer) {
                            epoll::delete(&epoll, &self.connections[key].stream)?;
                        }
                    }
                }
            }
        }
    }

    fn begin(&mut self) {
        self.watched = Some(Watched {
            begun: Instant::now(),
            processor_time: own_processor_time(),
            heard: Heard {
                behind: Vec::new(),
                pieces: Vec::new(),
                bytes: 0,
                lost: 0,
                processor_time: 0.0,
                joined: Vec::new(),
            },
        });
    }

    /// Who comes late asks for the game, all at once.
    fn join(&mut self, epoll: impl AsFd) -> io::Result<()> {
        let Some(address) = self.late else {
            return Ok(());
        };
        let request = format!("GET /live/1.1.1.json HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        for key in 0..self.connections.len() {
            let mut stream = TcpStream::connect(address)?;
            stream.write_all(request.as_bytes())?;
            stream.set_nonblocking(true)?;
            let data = epoll::EventData::new_u64(LATECOMER | key as u64);
            epoll::add(&epoll, &stream, data, epoll::EventFlags::IN)?;
            self.latecomers.push(Connection {
                stream,
                is_answered: false,
                rest: Vec::new(),
            });
        }
        Ok(())
    }

    /// Reads what somebody has who came late; whether there is more to come.
    fn take_joined(&mut self, key: usize, buffer: &mut [u8]) -> bool {
        let latecomer = &mut self.latecomers[key];
        match latecomer.stream.read(buffer) {
            Ok(0) => {
                if let Some(Watched { begun, heard, .. }) = &mut self.watched {
                    heard.joined.push(begun.elapsed().as_secs_f64());
                }
                false
            }
            Ok(taken) => {
                latecomer.must_be_answered(&buffer[..taken]);
                true
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => true,
            Err(error) => panic!("{error}"),
        }
    }

    fn end(&mut self) {
        let mut watched = self.watched.take().expect("it has begun");
        watched.heard.processor_time = own_processor_time() - watched.processor_time;
        say(&serde_json::to_string(&watched.heard).expect("plain data"));
    }

    /// Reads what a connection has; whether it is still there.
    fn take(&mut self, key: usize, buffer: &mut [u8]) -> bool {
        let connection = &mut self.connections[key];
        let taken = match connection.stream.read(buffer) {
            Ok(0) => {
                if let Some(watched) = &mut self.watched {
                    watched.heard.lost += 1;
                }
                return false;
            }
            Ok(taken) => &buffer[..taken],
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => return true,
            Err(error) => panic!("{error}"),
        };
        if connection.must_be_answered(taken) {
            self.awaited -= 1;
            if self.awaited == 0 {
                say("open");
            }
        }
        let watched = self.watched.as_mut();
        if let Some(Watched { begun, heard, .. }) = watched {
            heard.bytes += taken.len() as u64;
            if key == 0 {
                heard.pieces.push(Piece {
                    at: u64::try_from(begun.elapsed().as_nanos()).expect("some seconds"),
                    bytes: taken.len(),
                });
            }
        }
        if key.is_multiple_of(SAMPLED) {
            connection.look(taken, self.watched.as_mut().map(|watched| &mut watched.heard.behind));
        }
        true
    }
}

impl Connection {
    /// The first that comes is the answer; whether this is it.
    fn must_be_answered(&mut self, taken: &[u8]) -> bool {
        if std::mem::replace(&mut self.is_answered, true) {
            return false;
        }
        assert!(
            taken.starts_with(b"HTTP/1.1 200 "),
            "{}",
            String::from_utf8_lossy(taken)
        );
        true
    }

    /// Looks through what has come, for how old the states of games are.
    fn look(&mut self, taken: &[u8], mut behind: Option<&mut Vec<f64>>) {
        let now = Timestamp::try_from(SystemTime::now()).expect("a time of today");
        self.rest.extend_from_slice(taken);
        let whole = memchr::memrchr(b'\n', &self.rest).map_or(0, |end| end + 1);
        if let Some(behind) = &mut behind {
            let games = self.rest[..whole]
                .split(|byte| *byte == b'\n')
                .filter(|line| line.starts_with(b"data: {\"type\":\"game\""));
            behind.extend(games.map(|line| (now - at(line)).total(jiff::Unit::Second).expect("no calendar")));
        }
        self.rest.drain(..whole);
    }
}

/// When a game stood so, by the first `at` of the line.
fn at(line: &[u8]) -> Timestamp {
    let from = memmem::find(line, b"\"at\":\"").expect("a state has its time") + 6;
    let text = line[from..].split(|byte| *byte == b'"').next();
    let text = text.and_then(|text| std::str::from_utf8(text).ok());
    text.and_then(|text| text.parse().ok()).expect("a time")
}

/// To whoever has started this process.
pub(crate) fn say(line: &str) {
    println!("{line}");
}
