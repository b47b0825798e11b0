//! A process that writes given pieces at given times to all its connections, and does nothing else: what their bytes cost alone.

use std::io::{self, Write as _};
use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use super::load::{self, Piece};

/// The process: says where it listens, takes `count` connections and a line with [`Piece`]s, says `ready`, writes the pieces after
/// `begin`, and says which processor time that took, in seconds.
pub(crate) fn main(words: &[String]) {
    let count: usize = words[0].parse().expect("a number");
    load::prepare(count);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port is free");
    load::say(&listener.local_addr().expect("its address").to_string());
    let connection = |_| {
        let (stream, _) = listener.accept().expect("somebody comes");
        stream.set_nodelay(true).expect("a socket");
        stream
    };
    let mut connections: Vec<_> = (0..count).map(connection).collect();
    let line = || -> Option<String> {
        let mut line = String::new();
        let taken = io::stdin().read_line(&mut line).expect("standard input");
        (taken > 0).then_some(line)
    };
    let Some(pieces) = line() else { return };
    let pieces: Vec<Piece> = serde_json::from_str(&pieces).expect("pieces");
    let longest = pieces.iter().map(|piece| piece.bytes).max().unwrap_or(0);
    let bytes = vec![b'x'; longest];
    load::say("ready");
    if line().is_none() {
        return;
    }
    let (begun, before) = (Instant::now(), load::own_processor_time());
    for piece in pieces {
        std::thread::sleep(Duration::from_nanos(piece.at).saturating_sub(begun.elapsed()));
        for connection in &mut connections {
            if connection.write_all(&bytes[..piece.bytes]).is_err() {
                // Nobody measures any more.
                return;
            }
        }
    }
    load::say(&(load::own_processor_time() - before).to_string());
    // Its connections stay until the other side has counted.
    line();
}
