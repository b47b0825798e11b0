//! Users of their own for agents, where the runner is the superuser: numbers that nobody else has, each for one agent on this machine.

use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr, UnixListener};

/// Numbers that no system gives to anybody (systemd's table of users and groups).
const USERS: std::ops::RangeInclusive<u32> = 60_706..=61_183;

/// A user that no other agent has as long as this lives: a name is held that the kernel lets go with this process.
#[derive(Debug)]
pub(super) struct OwnUser {
    number: u32,
    _held: UnixListener,
}

impl OwnUser {
    /// One that is free; `None` where all are taken.
    pub(super) fn take() -> Option<Self> {
        USERS.into_iter().find_map(|number| {
            let name = SocketAddr::from_abstract_name(format!("swissmatch-user-{number}")).ok()?;
            let held = UnixListener::bind_addr(&name).ok()?;
            Some(Self { number, _held: held })
        })
    }

    /// Its number, that of its group too.
    pub(super) const fn number(&self) -> u32 {
        self.number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_agents_have_one_user() {
        let one = OwnUser::take().expect("one is free");
        let other = OwnUser::take().expect("one is free");
        assert_ne!(one.number(), other.number());
    }
}
