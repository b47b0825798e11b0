//! The door of an agent that has no sockets: asks for a connection, says something there, and keeps it open.

#![expect(clippy::disallowed_methods, reason = "the number of the door is a variable")]

use std::io::{self, IoSliceMut};
use std::os::fd::RawFd;

use nix::sys::socket::{ControlMessageOwned, MsgFlags, recv, recvmsg, send};

/// What is said on a connection; the other side is to answer with a line.
const GREETING: &[u8] = b"hello\n";
/// Bytes of an answer, at most.
const LONGEST: usize = 300;

/// Asks for a connection to `HOST:PORT`; gives in a line what came of it.
pub(super) fn ask(address: &str) -> String {
    let said = answer(address).unwrap_or_else(|error| format!("failed {error}"));
    format!("door {address}: {}", said.trim_end())
}

fn answer(address: &str) -> io::Result<String> {
    let number = std::env::var("SWISSMATCH_CONNECT_FD").map_err(io::Error::other)?;
    let door: RawFd = number.parse().map_err(io::Error::other)?;
    send(door, format!("connect {address}\n").as_bytes(), MsgFlags::empty())?;
    let mut space = nix::cmsg_space!([RawFd; 1]);
    let mut text = [0; LONGEST];
    let mut into = [IoSliceMut::new(&mut text)];
    let heard = recvmsg::<()>(door, &mut into, Some(&mut space), MsgFlags::empty())?;
    let length = heard.bytes;
    let stream = heard.cmsgs()?.find_map(|message| match message {
        ControlMessageOwned::ScmRights(handed) => handed.first().copied(),
        _ => None,
    });
    let mut said = String::from_utf8_lossy(&text[..length]).into_owned();
    if let Some(stream) = stream {
        send(stream, GREETING, MsgFlags::empty())?;
        let mut answer = [0; LONGEST];
        let length = recv(stream, &mut answer, MsgFlags::empty())?;
        said = format!("{} {}", said.trim_end(), String::from_utf8_lossy(&answer[..length]));
    }
    Ok(said)
}
