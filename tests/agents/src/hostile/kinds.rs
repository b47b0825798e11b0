//! The kinds of harm, as a table.

use super::means::Means;
use super::outcome::Tried;
use super::{
    arbiter, calls, channels, descent, files, groups, host, ipc, kernel, limits, memory, network, programs, run_files,
    signals, streams,
};

/// A kind of harm.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The name on the command line.
    pub(super) name: &'static str,
    /// What the value behind its `=` is, if it takes one.
    pub(super) value: Option<&'static str>,
    /// A line on what it does.
    pub(super) help: &'static str,
    /// Does it, told the value.
    pub(super) harm: fn(&Means, &str) -> Tried,
}

const fn kind(name: &'static str, harm: fn(&Means, &str) -> Tried, help: &'static str) -> Kind {
    Kind {
        name,
        value: None,
        help,
        harm,
    }
}

const fn with(name: &'static str, value: &'static str, harm: fn(&Means, &str) -> Tried, help: &'static str) -> Kind {
    Kind {
        name,
        value: Some(value),
        help,
        harm,
    }
}

/// All of them. *Others* are the opponent and the agents at other boards.
pub(super) const KINDS: &[Kind] = &[
    kind(
        "speak-for-other",
        streams::speak_for_other,
        "writes illegal moves into the output of others, while they think",
    ),
    kind("tell-other", streams::tell_other, "writes into the input of others"),
    kind("stop-other", signals::stop_other, "stops others (SIGSTOP)"),
    kind("kill-other", signals::kill_other, "kills others (SIGKILL)"),
    kind("end-other", signals::end_other, "ends others (SIGTERM)"),
    kind("trace-other", memory::trace_other, "traces others (ptrace)"),
    kind("renice-other", limits::renice_other, "gives others the lowest priority"),
    kind(
        "limit-other",
        limits::limit_other,
        "limits others to a second of processor time",
    ),
    kind(
        "leave-group",
        groups::leave,
        "goes to the control group above its own, where nobody counts it",
    ),
    kind("pin-other", limits::pin_other, "puts others on one core"),
    kind(
        "spare-itself",
        limits::spare_itself,
        "has others killed first where memory is short",
    ),
    kind(
        "idle-other",
        limits::idle_other,
        "makes others wait for the disk (ionice)",
    ),
    kind(
        "copy-memory",
        memory::copy_memory,
        "copies memory of others (process_vm_readv)",
    ),
    kind(
        "read-memory",
        memory::read_memory,
        "reads memory of others (/proc/PID/mem)",
    ),
    kind(
        "take-descriptor",
        memory::take_descriptor,
        "takes a descriptor of others (pidfd_getfd)",
    ),
    kind("kill-keeper", signals::kill_keeper, "kills its keeper"),
    kind("stop-keeper", signals::stop_keeper, "stops its keeper"),
    kind("trace-keeper", memory::trace_keeper, "traces its keeper"),
    kind(
        "kill-player",
        signals::kill_player,
        "kills the player, so that the game is played again",
    ),
    kind("stop-player", signals::stop_player, "stops the player"),
    kind(
        "limit-player",
        limits::limit_player,
        "limits the player's files to 4 kB",
    ),
    kind(
        "read-environment",
        memory::read_environment,
        "reads the environment of the player",
    ),
    kind("kill-guard", signals::kill_guard, "kills the guard"),
    kind("stop-guard", signals::stop_guard, "stops the guard"),
    kind(
        "interrupt-guard",
        signals::interrupt_guard,
        "asks the guard to end the event (SIGINT)",
    ),
    kind("limit-guard", limits::limit_guard, "limits the guard's files to 4 kB"),
    with(
        "kill-all",
        "NAMESPACE",
        signals::kill_all,
        "kills everybody, if its pid namespace is not that one (pid:[N])",
    ),
    kind(
        "forge",
        signals::forge,
        "stops guard and player, kills its keeper and the guard, and writes to the log",
    ),
    kind(
        "write-terminal",
        streams::write_terminal,
        "writes an escape sequence through the guard's streams",
    ),
    kind("open-terminals", streams::open_terminals, "opens terminals by name"),
    with(
        "type-key",
        "TERMINAL",
        streams::type_key,
        "types a character at the guard's terminal, or at that one (TIOCSTI)",
    ),
    with(
        "tmux",
        "FILE",
        arbiter::type_in_tmux,
        "has the organizer's tmux run a command that makes FILE",
    ),
    kind(
        "pose",
        run_files::pose,
        "puts a socket of its own in the place of arbiter.sock",
    ),
    kind("write-log", run_files::write_log, "writes to run.sqlite"),
    kind("read-log", run_files::read_log, "reads run.sqlite"),
    kind(
        "lock-log",
        run_files::lock_log,
        "locks run.sqlite against writers, until it ends",
    ),
    kind(
        "litter-run",
        run_files::litter,
        "makes a file in the directory of the run",
    ),
    kind(
        "pipe-standings",
        run_files::pipe,
        "puts a pipe in the place of standings.md",
    ),
    kind(
        "close-run",
        run_files::close,
        "takes all rights off the directory of the run",
    ),
    kind("remove-run", run_files::remove, "removes the directory of the run"),
    with("read-file", "FILE", files::read, "reads a file"),
    with("list", "DIR", files::list, "lists a directory"),
    with("write-file", "FILE", files::write, "adds to a file"),
    with(
        "plant",
        "FILE",
        files::plant,
        "makes a program where others look for one",
    ),
    with(
        "litter",
        "DIR",
        files::litter,
        "makes a file in a directory that all share",
    ),
    with("fill", "MIB", files::fill, "fills the disk where it works"),
    with(
        "open-by-number",
        "FILE",
        files::open_by_number,
        "reads a file by its handle (open_by_handle_at)",
    ),
    with("lease", "FILE", files::lease, "makes others wait who open a file"),
    with(
        "close-file",
        "FILE",
        files::close_to_others,
        "takes the rights off a file that it may read (fchmod)",
    ),
    with(
        "attribute",
        "FILE",
        files::attribute,
        "sets an attribute of a file (setxattrat)",
    ),
    with("watch", "DIR", files::watch, "watches a directory (inotify)"),
    with(
        "lock-byte",
        "FILE",
        channels::lock_byte,
        "locks a byte of a file (fcntl)",
    ),
    with("lock-file", "FILE", channels::lock_file, "locks a file (flock)"),
    with(
        "find-lock",
        "FILE",
        channels::find_lock,
        "sees a lock of others on a file",
    ),
    with(
        "touch",
        "FILE",
        channels::touch,
        "changes the times of a file (utimensat)",
    ),
    with(
        "see-figure",
        "FILE",
        channels::see_figure,
        "sees a figure of the machine change",
    ),
    with("tcp", "ADDRESS", network::tcp, "connects by TCP and writes"),
    with("udp", "ADDRESS", network::udp, "sends by UDP"),
    kind("ipv6", network::ipv6, "opens a socket of IPv6"),
    kind("packet", network::packet, "opens a socket for packets"),
    kind("netlink", network::route, "opens a socket to the kernel's routes"),
    with(
        "abstract",
        "NAME",
        network::abstract_socket,
        "connects to an abstract socket and writes",
    ),
    kind(
        "own-abstract",
        network::own_abstract_socket,
        "listens at an abstract socket",
    ),
    with(
        "socket",
        "FILE",
        network::path_socket,
        "connects to a socket by its path and writes",
    ),
    kind(
        "pair-of-others",
        network::pair_of_others,
        "makes a pair of sockets that are not local ones (TIPC)",
    ),
    kind(
        "widen-socket",
        network::widen_socket,
        "has the kernel keep more for a socket of its own",
    ),
    kind(
        "pass-descriptor",
        network::pass_descriptor,
        "leaves a descriptor in a socket, where it is no process's",
    ),
    kind(
        "socketpair",
        network::socket_pair,
        "makes a pair of sockets, which is no harm",
    ),
    kind(
        "io-uring",
        network::ring,
        "makes a ring of requests (io_uring), which can make sockets",
    ),
    kind("sysv-segment", ipc::segment, "leaves shared memory of System V"),
    kind("sysv-semaphore", ipc::semaphore, "leaves a semaphore of System V"),
    kind("sysv-queue", ipc::message_queue, "leaves a message queue of System V"),
    kind("posix-queue", ipc::posix_queue, "makes a POSIX message queue"),
    kind(
        "reserve",
        kernel::reserve,
        "takes room on a disk at once, by an ioctl instead of fallocate",
    ),
    kind("lend-pages", kernel::lend_pages, "has a pipe hold its pages (vmsplice)"),
    kind("make-rules", kernel::make_rules, "makes rules on files (Landlock)"),
    kind(
        "filter-itself",
        kernel::filter_itself,
        "filters its own system calls (seccomp)",
    ),
    kind(
        "take-requests",
        kernel::take_requests,
        "takes requests of which the machine has so many (io_setup)",
    ),
    kind("widen-pipe", kernel::widen_pipe, "gives a pipe more room"),
    kind(
        "keep-core",
        kernel::keep_core,
        "keeps others from the other half of its core (core scheduling)",
    ),
    with(
        "see-room",
        "DIR",
        channels::see_room,
        "sees how much room a disk has, which others can change",
    ),
    kind("outlive", descent::outlive, "leaves an orphan in a session of its own"),
    with("multiply", "NUMBER", descent::multiply, "has so many children at once"),
    with("swell", "MIB", descent::swell, "uses so much memory, in a child"),
    kind("choose-cores", limits::choose_cores, "chooses its own cores"),
    kind("become-root", calls::become_root, "makes a user namespace"),
    kind(
        "clone-namespace",
        calls::clone_namespace,
        "makes a user namespace by clone3",
    ),
    kind("mount", calls::mount_over, "mounts a file system"),
    with(
        "change-user",
        "PROGRAM",
        calls::change_user,
        "runs a set-user-id program, a copy of id",
    ),
    with("run", "PROGRAM", programs::run, "runs a program of the machine"),
    with(
        "run-by-loader",
        "PROGRAM",
        programs::by_loader,
        "runs a program by the loader of the system",
    ),
    with(
        "run-copy",
        "PROGRAM",
        programs::by_copy,
        "runs a copy of a program, in its scratch directory",
    ),
    with(
        "run-itself",
        "DIR",
        programs::copy_itself,
        "runs a copy of its own program in a directory, or in its \"scratch\" directory",
    ),
    kind(
        "run-in-memory",
        programs::in_memory,
        "runs a copy of its own program in memory (memfd_create)",
    ),
    with(
        "variable",
        "NAME",
        host::variable,
        "reads a variable of its environment",
    ),
    kind("descriptors", host::descriptors, "has descriptors beyond 0, 1 and 2"),
    kind("see", host::see, "sees processes of others in /proc"),
];
