//! What outlives a process because it belongs to none, and is there for all.

use nix::mqueue::{MQ_OFlag, MqAttr, mq_open, mq_unlink};
use nix::sys::stat::Mode;

use super::means::Means;
use super::outcome::{Tried, perl};

/// A new one, of which the number is told.
fn system_v(make: &str) -> Tried {
    perl(
        &format!("my $id = {make}; defined $id or refused(); print \"id $id\""),
        &[],
    )
}

pub(super) fn segment(_: &Means, _: &str) -> Tried {
    system_v("shmget(0, 4096, 01600)")
}

pub(super) fn semaphore(_: &Means, _: &str) -> Tried {
    system_v("semget(0, 1, 01600)")
}

pub(super) fn message_queue(_: &Means, _: &str) -> Tried {
    system_v("msgget(0, 01600)")
}

/// Taken away again: no program of the system does that.
pub(super) fn posix_queue(means: &Means, _: &str) -> Tried {
    let name = format!("/{}", means.mark);
    let flags = MQ_OFlag::O_CREAT | MQ_OFlag::O_RDWR;
    let rights = Mode::S_IRUSR | Mode::S_IWUSR;
    let _open = mq_open(name.as_str(), flags, rights, Some(&MqAttr::new(0, 1, 16, 0)))?;
    mq_unlink(name.as_str())?;
    Ok(name)
}
