//! What the kernel has or does for somebody and shows as nobody's: room on a disk, memory, other cores.

use super::means::Means;
use super::outcome::{Tried, perl};

/// Room on a disk at once, by a request of `ioctl` that does what `fallocate` does (`FS_IOC_RESVSP64`).
pub(super) fn reserve(means: &Means, _: &str) -> Tried {
    perl(
        "my $path = shift; open(my $file, '+>', $path) or refused(); unlink $path;
         my $part = pack('s s x4 q q l L l4', 0, 0, 0, 1 << 20, 0, 0, 0, 0, 0, 0);
         ioctl($file, 0x4030582a, $part) or refused(); print 'a MiB'",
        &[&format!("{}-reserve", means.mark)],
    )
}

/// Pages that a pipe holds, and no process.
pub(super) fn lend_pages(_: &Means, _: &str) -> Tried {
    let call = libc::SYS_vmsplice;
    perl(
        &format!(
            "pipe(my $out, my $in) or refused(); my $page = 'x' x 4096; my $part = pack('P Q', $page, 1);
             syscall({call}, fileno($in), $part, 1, 0) < 0 and refused(); print 'a page'"
        ),
        &[],
    )
}

/// A set of rules of its own on files (Landlock), of which there may be as many as it likes.
pub(super) fn make_rules(_: &Means, _: &str) -> Tried {
    perl(
        "my $rules = pack('Q', 1); my $fd = syscall(444, $rules, 8, 0); $fd < 0 and refused(); print \"descriptor $fd\"",
        &[],
    )
}

/// A filter of system calls of its own, by either way to make one. It allows everything.
pub(super) fn filter_itself(_: &Means, _: &str) -> Tried {
    let (options, filters) = (libc::SYS_prctl, libc::SYS_seccomp);
    let filtered = |call: String| {
        let script = format!(
            "my $words = pack('S C C L', 6, 0, 0, 0x7fff0000); my $filter = pack('S x6 P', 1, $words);
             syscall({options}, {}, 1, 0, 0, 0); syscall({call}, $filter) < 0 and refused(); print 'a filter'",
            libc::PR_SET_NO_NEW_PRIVS
        );
        perl(&script, &[])
    };
    let by_option = format!("{options}, {}, {}", libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER);
    filtered(by_option).or_else(|_| filtered(format!("{filters}, {}, 0", libc::SECCOMP_SET_MODE_FILTER)))
}

/// Requests of the machine, of which there are so many for everybody.
pub(super) fn take_requests(_: &Means, _: &str) -> Tried {
    let call = libc::SYS_io_setup;
    perl(
        &format!("my $context = pack('Q', 0); syscall({call}, 100, $context) < 0 and refused(); print '100 requests'"),
        &[],
    )
}

pub(super) fn widen_pipe(_: &Means, _: &str) -> Tried {
    perl(
        "pipe(my $out, my $in) or refused(); my $bytes = fcntl($in, 1031, 1 << 20) or refused(); print \"$bytes bytes\"",
        &[],
    )
}

/// Whoever has a cookie of its own shares no core with others: the other half stays idle.
pub(super) fn keep_core(_: &Means, _: &str) -> Tried {
    let (call, option, create) = (libc::SYS_prctl, libc::PR_SCHED_CORE, libc::PR_SCHED_CORE_CREATE);
    perl(
        &format!("syscall({call}, {option}, {create}, 0, 0, 0) < 0 and refused(); print 'a cookie'"),
        &[],
    )
}
