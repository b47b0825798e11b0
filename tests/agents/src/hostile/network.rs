//! Sockets of every family.

use std::io::{IoSlice, Write};
use std::mem::MaybeUninit;
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::fd::AsFd as _;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr as UnixAddress, UnixListener, UnixStream};
use std::time::Duration;

use rustix::net::{
    AddressFamily, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags, SocketType, sendmsg, socket,
    socketpair, sockopt,
};

use super::means::Means;
use super::outcome::{Failed, Tried, perl};

const PATIENCE: Duration = Duration::from_secs(1);

fn address(value: &str) -> Result<SocketAddr, Failed> {
    value
        .parse()
        .map_err(|_| Failed::untried(format!("{value} is no address")))
}

pub(super) fn tcp(_: &Means, value: &str) -> Tried {
    let mut stream = TcpStream::connect_timeout(&address(value)?, PATIENCE)?;
    stream.write_all(b"hostile\n")?;
    Ok(format!("wrote to {value}"))
}

/// Where nobody listens the first datagram is answered by an error, which the second one gets.
pub(super) fn udp(_: &Means, value: &str) -> Tried {
    let address = address(value)?;
    let own = if address.is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(own)?;
    socket.connect(address)?;
    socket.send(b"hostile\n")?;
    socket.set_read_timeout(Some(Duration::from_millis(50)))?;
    if let Err(error) = socket.recv(&mut [0; 16])
        && error.kind() == std::io::ErrorKind::ConnectionRefused
    {
        return Err(error.into());
    }
    socket.send(b"hostile\n")?;
    Ok(format!("wrote to {value}"))
}

fn open(family: AddressFamily, kind: SocketType) -> Tried {
    let _open = socket(family, kind, None)?;
    Ok("a socket".to_owned())
}

pub(super) fn ipv6(_: &Means, _: &str) -> Tried {
    open(AddressFamily::INET6, SocketType::STREAM)
}

pub(super) fn packet(_: &Means, _: &str) -> Tried {
    open(AddressFamily::PACKET, SocketType::DGRAM)
}

/// To the kernel's routes, which have the number 0.
pub(super) fn route(_: &Means, _: &str) -> Tried {
    open(AddressFamily::NETLINK, SocketType::RAW)
}

pub(super) fn abstract_socket(_: &Means, name: &str) -> Tried {
    let address = UnixAddress::from_abstract_name(name)?;
    UnixStream::connect_addr(&address)?.write_all(b"hostile\n")?;
    Ok(format!("wrote to @{name}"))
}

/// An own one, of which anybody on the machine could be told.
pub(super) fn own_abstract_socket(means: &Means, _: &str) -> Tried {
    let address = UnixAddress::from_abstract_name(&means.mark)?;
    let _listening = UnixListener::bind_addr(&address)?;
    Ok(format!("listened at @{}", means.mark))
}

pub(super) fn path_socket(_: &Means, path: &str) -> Tried {
    UnixStream::connect(path)?.write_all(b"hostile\n")?;
    Ok(format!("wrote to {path}"))
}

/// A pair of its own, as runtimes and thread pools make them: no harm.
pub(super) fn socket_pair(_: &Means, _: &str) -> Tried {
    let (mut one, _other) = UnixStream::pair()?;
    one.write_all(b"hostile\n")?;
    Ok("a pair".to_owned())
}

/// Of a family whose sockets hold what they like.
pub(super) fn pair_of_others(_: &Means, _: &str) -> Tried {
    let flags = SocketFlags::CLOEXEC;
    socketpair(AddressFamily::TIPC, SocketType::SEQPACKET, flags, None)?;
    Ok("a pair".to_owned())
}

pub(super) fn widen_socket(_: &Means, _: &str) -> Tried {
    let (one, _other) = UnixStream::pair()?;
    let before = sockopt::socket_send_buffer_size(&one)?;
    sockopt::set_socket_send_buffer_size(&one, 2 * before)?;
    match sockopt::socket_send_buffer_size(&one)? {
        now if now > before => Ok(format!("{now} bytes, had {before}")),
        now => Err(Failed::Refused(format!("still {now} bytes"))),
    }
}

pub(super) fn pass_descriptor(_: &Means, _: &str) -> Tried {
    let (one, other) = UnixStream::pair()?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut beside = SendAncillaryBuffer::new(&mut space);
    let passed = [other.as_fd()];
    beside.push(SendAncillaryMessage::ScmRights(&passed));
    sendmsg(&one, &[IoSlice::new(b"x")], &mut beside, SendFlags::empty())?;
    Ok("a socket is in its own queue".to_owned())
}

/// Whose queue makes sockets that a filter of system calls does not see.
pub(super) fn ring(_: &Means, _: &str) -> Tried {
    perl(
        "my $ring = \"\\0\" x 256; my $fd = syscall(425, 1, $ring); $fd < 0 and refused(); print \"descriptor $fd\"",
        &[],
    )
}
