//! A door as an agent finds it that wants more than it is given.

use std::io::{IoSliceMut, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;

use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage};

use super::*;

/// What the door answers, with the stream where it gives one.
fn ask(door: &OwnedFd, line: &[u8]) -> (String, Option<UnixStream>) {
    rustix::net::send(door, line, SendFlags::empty()).expect("the door is there");
    let mut text = [0; 500];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = RecvAncillaryBuffer::new(&mut space);
    let into = &mut [IoSliceMut::new(&mut text)];
    let heard = rustix::net::recvmsg(door, into, &mut beside, RecvFlags::CMSG_CLOEXEC).expect("an answer");
    let mut handed = beside.drain().filter_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut handed) => handed.next(),
        _ => None,
    });
    let stream = handed.next().map(UnixStream::from);
    (String::from_utf8_lossy(&text[..heard.bytes]).into_owned(), stream)
}

/// A listener, its address, and a door to it.
fn open() -> (TcpListener, String, Door, OwnedFd) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("it has a port").to_string();
    let (door, agent) = Door::open("A", std::slice::from_ref(&address), Arc::default()).expect("a door");
    (listener, address, door, agent)
}

fn connected(listener: &TcpListener, agent: &OwnedFd, address: &str) -> (UnixStream, TcpStream) {
    let (said, stream) = ask(agent, format!("connect {address}\n").as_bytes());
    assert_eq!(said, "ok\n");
    (
        stream.expect("a stream"),
        listener.accept().expect("it was connected").0,
    )
}

#[test]
fn what_is_no_line_or_not_listed_is_refused() {
    let (listener, address, _door, agent) = open();
    let form = "refused a line is `connect HOST:PORT`, at most 300 bytes of text\n";
    let unlisted = "refused player.connect does not list this address\n";
    let long = [b"connect ".as_slice(), &[b'x'; 293]].concat();
    for (line, expected) in [
        (&b"\n"[..], form),
        (b"connect\n", form),
        (b"connect \xff\n", form),
        (&long, form),
        (&long[..300], unlisted),
        (b"connect 127.0.0.1:1\n", unlisted),
        (b"connect \n", unlisted),
        (format!(" connect {address}").as_bytes(), form),
        (format!("connect {address} ").as_bytes(), unlisted),
        (format!("connect {address}\n\n").as_bytes(), unlisted),
    ] {
        let (said, stream) = ask(&agent, line);
        assert_eq!((said.as_str(), stream.is_some()), (expected, false), "{line:?}");
    }
    // The line feed may be left out.
    let (said, _stream) = ask(&agent, format!("connect {address}").as_bytes());
    assert_eq!(said, "ok\n");
    drop(listener);
    let (said, stream) = ask(&agent, format!("connect {address}").as_bytes());
    assert!(
        said.starts_with("refused Connection refused") && stream.is_none(),
        "{said}"
    );
}

#[test]
fn a_name_is_looked_up() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("localhost:{}", listener.local_addr().expect("a port").port());
    let nowhere = "no-such-name.invalid:80".to_owned();
    let (_door, agent) = Door::open("A", &[address.clone(), nowhere.clone()], Arc::default()).expect("a door");
    connected(&listener, &agent, &address);
    let (said, stream) = ask(&agent, format!("connect {nowhere}").as_bytes());
    assert!(said.starts_with("refused ") && stream.is_none(), "{said}");
}

#[test]
fn bytes_go_both_ways_and_each_way_ends_by_itself() {
    let (listener, address, _door, agent) = open();
    let (mut inside, mut outside) = connected(&listener, &agent, &address);
    // More than any buffer between them holds.
    let much = vec![b'x'; 5_000_000];
    std::thread::scope(|scope| {
        threads::start_in(scope, || {
            inside.try_clone().and_then(|mut inside| inside.write_all(&much))
        })
        .expect("a thread");
        let mut came = vec![0; much.len()];
        outside.read_exact(&mut came).expect("all of it");
        assert_eq!(came, much);
    });
    inside.shutdown(std::net::Shutdown::Write).expect("a socket");
    assert_eq!(outside.read(&mut [0; 1]).expect("its end"), 0);
    outside.write_all(b"answer").expect("the other way is open");
    drop(outside);
    let mut answer = String::new();
    inside.read_to_string(&mut answer).expect("and then its end");
    assert_eq!(answer, "answer");
}

#[test]
fn so_many_streams_at_once_and_no_more() {
    let (listener, address, _door, agent) = open();
    let mut streams: Vec<_> = (0..MOST_STREAMS)
        .map(|_| connected(&listener, &agent, &address))
        .collect();
    let line = format!("connect {address}");
    let (said, stream) = ask(&agent, line.as_bytes());
    assert_eq!(
        (said.as_str(), stream.is_some()),
        ("refused 16 streams are open already\n", false)
    );
    // The other side need not close a connection that the agent has closed.
    let (inside, mut outside) = streams.remove(0);
    drop(inside);
    assert_eq!(outside.read(&mut [0; 1]).expect("its end"), 0);
    let until = Instant::now() + PATIENCE;
    while ask(&agent, line.as_bytes()).1.is_none() {
        assert!(Instant::now() < until, "its place is not free");
    }
}

#[test]
fn the_end_of_a_door_ends_its_streams_at_once() {
    let (listener, address, door, agent) = open();
    let (mut inside, mut outside) = connected(&listener, &agent, &address);
    // The relay holds what nobody reads.
    inside.set_nonblocking(true).expect("a socket");
    while inside.write(&[0; 4096]).is_ok() {}
    inside.set_nonblocking(false).expect("a socket");
    let begun = Instant::now();
    drop(door);
    assert!(begun.elapsed() < Duration::from_secs(1));
    assert!(!matches!(inside.read(&mut [0; 1]), Ok(1..)), "it is still open");
    outside.read_to_end(&mut Vec::new()).expect("its end");
    assert!(rustix::net::send(&agent, b"connect", SendFlags::NOSIGNAL).is_err());
}

/// An agent that closes its end of the socket keeps what it has opened.
#[test]
fn streams_outlive_the_agents_end_of_the_socket() {
    let (listener, address, door, agent) = open();
    let (mut inside, mut outside) = connected(&listener, &agent, &address);
    drop(agent);
    outside.write_all(b"still").expect("it is open");
    let mut text = [0; 5];
    inside.read_exact(&mut text).expect("it comes");
    assert_eq!(&text, b"still");
    drop(door);
    assert_eq!(outside.read(&mut [0; 1]).expect("its end"), 0);
}

#[test]
fn what_an_agent_sends_beside_a_line_or_bytes_is_dropped() {
    let (listener, address, _door, agent) = open();
    let (over, runs) = io::pipe().expect("a pipe");
    let send = |socket: &OwnedFd, text: &[u8]| {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut beside = SendAncillaryBuffer::new(&mut space);
        let handed = [runs.as_fd()];
        assert!(beside.push(SendAncillaryMessage::ScmRights(&handed)));
        rustix::net::sendmsg(socket, &[IoSlice::new(text)], &mut beside, SendFlags::empty()).expect("it is sent");
    };
    let (inside, mut outside) = connected(&listener, &agent, &address);
    send(&inside.into(), b"x");
    outside.read_exact(&mut [0; 1]).expect("the byte alone");
    send(&agent, b"connect nowhere:1");
    // The answer is that to the line before.
    ask(&agent, b"connect");
    drop(runs);
    assert_eq!(io::read_to_string(over).expect("its end"), "");
}
