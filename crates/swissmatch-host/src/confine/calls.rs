//! System calls that an isolated agent may not make, as programs of the kernel's filter, seccomp.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule, TargetArch,
};

/// On x86-64 calls of the x32 interface have the same numbers with this bit; a list of what is refused must have both.
const X32: i64 = 0x4000_0000;

/// What is refused whatever its arguments are: looking into other processes, namespaces and mounts, keys, modules, clocks,
/// shared memory of System V, message queues, looking on while others use files, and what is known for holes.
const REFUSED: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
    libc::SYS_migrate_pages,
    libc::SYS_move_pages,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_socket,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_syslog,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_memfd_secret,
    libc::SYS_fanotify_init,
    libc::SYS_inotify_add_watch,
];

/// Calls that are newer than the list of the library; they have these numbers on every machine.
const SETXATTRAT: i64 = 463;
const REMOVEXATTRAT: i64 = 466;
const FILE_SETATTR: i64 = 469;

/// What changes files that are not opened to be written.
const CHANGES_OF_FILES: &[i64] = &[
    libc::SYS_fchmod,
    libc::SYS_fchown,
    libc::SYS_fsetxattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
    FILE_SETATTR,
    libc::SYS_fchmodat,
    libc::SYS_fchmodat2,
    libc::SYS_fchownat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Requests of `ioctl` that change the attributes of a file that is open to be read.
const ATTRIBUTES: [u64; 2] = [
    // FS_IOC_SETFLAGS and FS_IOC_FSSETXATTR.
    0x4008_6602,
    0x401c_5820,
];

/// What others see of a file that an agent may only read, or of a device: who has a lock on it, and its times. Sealed agents, which
/// could tell each other something so, are told that it is done; nobody else works in their directories.
const SEEN_BY_OTHERS: &[i64] = &[
    libc::SYS_flock,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
];

/// Requests of `ioctl` that take room on a disk at once, as `fallocate` does: `FS_IOC_RESVSP`, `FS_IOC_RESVSP64` and
/// `FS_IOC_ZERO_RANGE`.
const RESERVING: [u64; 3] = [0x4030_5828, 0x4030_582a, 0x4030_5839];

/// What has the kernel hold memory that it shows as nobody's: rules on files and calls, pages that are lent to a pipe, and requests.
/// Programs do without where a kernel is too old for it.
const HOLDING: &[i64] = &[
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
    libc::SYS_seccomp,
    libc::SYS_vmsplice,
    libc::SYS_io_setup,
];

/// Commands of `fcntl` that take a lock, or give it back: of a process, and of an open file. The question who has one is answered.
const LOCKS: [u64; 4] = [6, 7, 37, 38];

/// How much room there is on a disk: whatever one writes the others see there, and sealed agents do without it. `posix_fallocate` of glibc
/// asks for it where `fallocate` is refused, and gives what it hears: that the file system has no such call, as musl's does.
const ROOM: &[i64] = &[
    libc::SYS_statfs,
    libc::SYS_fstatfs,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ustat,
];

/// The flag of `memfd_create` for a file that can never be run.
const MFD_NOEXEC_SEAL: u64 = 8;

/// The flags of `clone` that make a namespace.
const NAMESPACES: u64 = (libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET) as u64;

/// Whom calls are refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct Agent {
    /// Whether it sees the files of the runner's user.
    pub(super) has_our_files: bool,
    pub(super) is_sealed: bool,
    pub(super) has_a_door: bool,
    /// Whether it may run any program.
    pub(super) runs_any: bool,
}

/// From here on this process, and whatever it becomes, is refused these calls. Where it sees the files of the runner's user it may
/// not change whose they are, and who may open them: Landlock has no rule for that. Where it is sealed it only seems to change what
/// others can see of a file that it may merely read. Without a door it sends no descriptors.
/// One that may run only some programs may make none in memory.
///
/// # Errors
/// When the machine has no such filter.
pub(super) fn refuse(agent: Agent) -> io::Result<()> {
    for filter in filters(agent).map_err(io::Error::other)? {
        seccompiler::apply_filter(&filter).map_err(io::Error::other)?;
    }
    Ok(())
}

/// The filters, in the order in which they are to be applied.
fn filters(agent: Agent) -> Result<Vec<BpfProgram>, seccompiler::Error> {
    let Agent {
        has_our_files,
        is_sealed,
        has_a_door,
        runs_any,
    } = agent;
    let arch: TargetArch = std::env::consts::ARCH.try_into()?;
    let with = |argument: u8, operator: SeccompCmpOp, value: u64| -> Result<SeccompRule, seccompiler::Error> {
        let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)?;
        Ok(SeccompRule::new(vec![condition])?)
    };
    let mut refused: Vec<(i64, Vec<SeccompRule>)> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    if has_our_files {
        refused.extend(CHANGES_OF_FILES.iter().map(|call| (*call, Vec::new())));
        // The times of what is open it may change: then there is no path.
        let by_path = SeccompCondition::new(1, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
        refused.push((libc::SYS_utimensat, vec![SeccompRule::new(vec![by_path])?]));
    }
    // Sockets of other families may hold as much as they like.
    refused.push((
        libc::SYS_socketpair,
        vec![with(0, SeccompCmpOp::Ne, libc::AF_UNIX.unsigned_abs().into())?],
    ));
    // Sockets on their way to somebody are in no process, and hold as much. Who has no door has no use for it.
    if !has_a_door {
        refused.extend([libc::SYS_sendmsg, libc::SYS_sendmmsg].map(|call| (call, Vec::new())));
    }
    // Limits and niceness of others.
    refused.push((libc::SYS_prlimit64, vec![with(0, SeccompCmpOp::Ne, 0)?]));
    refused.push((
        libc::SYS_setpriority,
        vec![
            with(1, SeccompCmpOp::Ne, 0)?,
            with(0, SeccompCmpOp::Eq, libc::PRIO_USER.into())?,
        ],
    ));
    let flags = (0..64).map(|bit| 1_u64 << bit).filter(|flag| NAMESPACES & flag != 0);
    let of_clone = flags.map(|flag| with(0, SeccompCmpOp::MaskedEq(flag), flag));
    refused.push((libc::SYS_clone, of_clone.collect::<Result<_, _>>()?));
    // What types for somebody else.
    let typing = [libc::TIOCSTI, libc::TIOCLINUX];
    let attributes = ATTRIBUTES.into_iter().filter(|_| has_our_files);
    let requests = typing.into_iter().chain(attributes);
    let requests = requests.map(|request| with(1, SeccompCmpOp::Eq, request));
    refused.push((libc::SYS_ioctl, requests.collect::<Result<_, _>>()?));
    // A lease on a file makes everybody else wait who opens it; a notice tells who uses a directory. What pipes hold is known by
    // their number.
    let commands = [libc::F_SETLEASE, libc::F_NOTIFY, libc::F_SETPIPE_SZ];
    let commands = commands.map(|command| with(1, SeccompCmpOp::Eq, command.unsigned_abs().into()));
    refused.push((libc::SYS_fcntl, commands.into_iter().collect::<Result<_, _>>()?));
    // Who shares cores with its like alone keeps the other half of a core idle.
    let with_option = |option: i32| with(0, SeccompCmpOp::Eq, option.unsigned_abs().into());
    refused.push((libc::SYS_prctl, vec![with_option(libc::PR_SCHED_CORE)?]));
    let filter = |rules: BTreeMap<i64, Vec<SeccompRule>>, answer: i32| -> Result<BpfProgram, seccompiler::Error> {
        let errno = SeccompAction::Errno(answer.unsigned_abs());
        Ok(SeccompFilter::new(rules, SeccompAction::Allow, errno, arch)?.try_into()?)
    };
    // Whether others may look at it: what an agent uses is measured so.
    let option = u64::from(libc::PR_SET_DUMPABLE.unsigned_abs());
    let hiding = SeccompRule::new(vec![
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, option)?,
        SeccompCondition::new(1, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 1)?,
    ])?;
    // How much waits in a socket: what all of them hold is known by their number.
    let buffers = [libc::SO_SNDBUF, libc::SO_SNDBUFFORCE].map(|option| -> Result<_, seccompiler::Error> {
        let of = |argument, value: i32| {
            SeccompCondition::new(
                argument,
                SeccompCmpArgLen::Dword,
                SeccompCmpOp::Eq,
                value.unsigned_abs().into(),
            )
        };
        Ok(SeccompRule::new(vec![of(1, libc::SOL_SOCKET)?, of(2, option)?])?)
    });
    let buffers = buffers.into_iter().collect::<Result<_, _>>()?;
    // An engine that is told no may end; one that is told yes stays where it is, and is looked at.
    let mut pretended = vec![
        (libc::SYS_sched_setaffinity, Vec::new()),
        (libc::SYS_prctl, vec![hiding]),
        (libc::SYS_setsockopt, buffers),
    ];
    if is_sealed {
        let locking = LOCKS.map(|command| with(1, SeccompCmpOp::Eq, command));
        pretended.push((libc::SYS_fcntl, locking.into_iter().collect::<Result<_, _>>()?));
        pretended.extend(SEEN_BY_OTHERS.iter().map(|call| (*call, Vec::new())));
    }
    // Landlock has no rule for files without a path. One that nobody can make executable is let; the others libraries do without.
    let runnable = with(1, SeccompCmpOp::MaskedEq(MFD_NOEXEC_SEAL), 0)?;
    let in_memory = [(libc::SYS_memfd_create, vec![runnable])];
    let in_memory = in_memory.into_iter().filter(|_| !runs_any);
    let reserving = RESERVING.map(|request| with(1, SeccompCmpOp::Eq, request));
    let reserving = (libc::SYS_ioctl, reserving.into_iter().collect::<Result<_, _>>()?);
    let filtering = (libc::SYS_prctl, vec![with_option(libc::PR_SET_SECCOMP)?]);
    // The flags of `clone3` cannot be seen; libraries fall back to `clone`.
    let room = ROOM.iter().filter(|_| is_sealed);
    let room = room.map(|call| (*call, Vec::new()));
    let lacking = HOLDING.iter().chain(&[libc::SYS_clone3]);
    let lacking = lacking.map(|call| (*call, Vec::new()));
    Ok(vec![
        filter(both(refused.into_iter()), libc::EPERM)?,
        // It takes a disk faster than anybody can look; who wants room writes.
        filter(
            both([(libc::SYS_fallocate, Vec::new()), reserving].into_iter().chain(room)),
            libc::EOPNOTSUPP,
        )?,
        filter(both(pretended.into_iter()), 0)?,
        // The last one, as there can be no further one then.
        filter(both(lacking.chain([filtering]).chain(in_memory)), libc::ENOSYS)?,
    ])
}

fn both(calls: impl Iterator<Item = (i64, Vec<SeccompRule>)>) -> BTreeMap<i64, Vec<SeccompRule>> {
    let is_x86 = cfg!(target_arch = "x86_64");
    calls
        .flat_map(|(call, rules)| {
            let other = is_x86.then(|| (call | X32, rules.clone()));
            [Some((call, rules)), other].into_iter().flatten()
        })
        .collect()
}
