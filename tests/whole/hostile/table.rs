//! The corpus: what hostile agents try, and what becomes of it.
//!
//! It has the five exploits of an adversary who had agents of his own in real events, and each of the behaviours that he found
//! to succeed where an agent runs as the runner's user. Left out are:
//! - what is held without isolation, by output, text, values, moves and processes of its own: `tests/whole/faults/`, and
//!   `tests/whole/death.rs` for engines that stop or kill their keepers;
//! - *renice and burn* on another board: one row for the priority and one for the cores; burning alone is
//!   `faults::processes`;
//! - the hash chain computed anew with the triggers dropped: whoever can change one byte of the log can change all, so
//!   `forge` and `write-log` change one;
//! - the *reroll*, a player killed whenever it stands badly: `kill-player` is the same harm at a moment of its own;
//! - ways to a process outside by D-Bus, X11, ssh-agent and cron: sockets by path, files of others and a cleared environment,
//!   which have rows;
//! - a program of an agent's own that becomes another user by a file on a disk of its own: it needs a mount, which has a row;
//! - more memory, processes, disk or words than an agent may use: `faults::greed` and `faults::volume`, and here
//!   `held::a_swarm_is_refused_or_ended`;
//! - Yama and AppArmor, and escapes by systemd: nobody has tried them;
//! - thinking in the opponent's time, and time by doubt: `tests/whole/processor.rs`.

/// What an agent tries, and what becomes of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    /// As `--try` takes it; a word in braces is the test's to give.
    pub(super) harm: &'static str,
    /// What it does where nothing isolates it.
    pub(super) open: Open,
    /// What must hold it, as `engine.isolation_require` names it, or the key `exec`.
    pub(super) by: &'static str,
    /// What becomes of it where the agent is `guarded` or `sealed`.
    pub(super) held: Held,
}

/// How it is shown that an attempt is a real one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Open {
    /// It succeeds, in one game together with others.
    Together,
    /// The same, if the agent can do it on this machine without any runner.
    WhereItCan,
    /// It succeeds, unless this user may not trace its own processes (Yama).
    WhereItTraces,
    /// It ruins the run that it is tried in.
    Ruins,
    /// It would ruin the whole machine: tried where the run has all processes to itself.
    InNamespace,
}

/// What becomes of an attempt of an isolated agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It is refused.
    Refused,
    /// It is refused, or done in a place of the agent's own: nobody else sees anything of it.
    Own,
    /// It is done, and is no harm.
    Harmless,
    /// It is refused where the agent is `sealed`; else docs/isolation.md says that it is open.
    WhereSealed,
    /// The same, and it is refused where the agent has device nodes of its own, too.
    WithOwnDevices,
    /// It is refused where the agent has namespaces; else docs/isolation.md says that it is open.
    InNamespaces,
}

const fn row(harm: &'static str, open: Open, by: &'static str, held: Held) -> Row {
    Row { harm, open, by, held }
}

use Held::{Harmless, InNamespaces, Own, Refused, WhereSealed, WithOwnDevices};
use Open::{InNamespace, Ruins, Together, WhereItCan, WhereItTraces};

/// What an agent tries that may run its own program alone. Machine code that it has with it is open to it.
pub(super) const PROGRAMS: &[Row] = &[
    row("run={stockfish}", Together, "exec", Refused),
    row("run={gcc}", Together, "exec", Refused),
    row("run={cc1}", Together, "exec", Refused),
    row("run=perl", Together, "exec", Refused),
    row("run={place}/agent/stockfish", Together, "exec", Refused),
    row("run-by-loader={stockfish}", Together, "exec", Refused),
    row("run-by-loader={place}/agent/stockfish", Together, "exec", Refused),
    row("run-copy={stockfish}", Together, "exec", Refused),
    row("run-itself=scratch", Together, "exec", Refused),
    row("run-itself=/tmp", Together, "exec", Refused),
    row("run-itself=/dev/shm", Together, "exec", Refused),
    row("run-in-memory", Together, "exec", Refused),
    // What a loader of its own begins with.
    row("read-file={stockfish}", Together, "exec", Refused),
    row("read-file={cc1}", Together, "exec", Refused),
    row("read-file={place}/agent/stockfish", Together, "exec", Refused),
];

/// In the order in which one agent tries them: what changes the others comes after what looks at them.
pub(super) const TABLE: &[Row] = &[
    // What it finds where it is started.
    row("see", Together, "processes", Refused),
    row("descriptors", Together, "processes", Refused),
    row("variable=HOSTILE_SECRET", Together, "files", Refused),
    // Others, at the board and at other boards.
    row("read-memory", WhereItTraces, "processes", Refused),
    row("copy-memory", WhereItTraces, "processes", Refused),
    row("take-descriptor", WhereItTraces, "processes", Refused),
    row("read-environment", Together, "processes", Refused),
    row("trace-keeper", WhereItTraces, "processes", Refused),
    row("trace-other", WhereItTraces, "processes", Refused),
    row("renice-other", Together, "processes", Refused),
    row("idle-other", Together, "processes", Refused),
    row("tell-other", Together, "processes", Refused),
    row("speak-for-other", Together, "processes", Refused),
    row("pin-other", Ruins, "processes", Refused),
    row("limit-other", Ruins, "processes", Refused),
    row("stop-other", Ruins, "processes", Refused),
    row("end-other", Ruins, "processes", Refused),
    row("kill-other", Ruins, "processes", Refused),
    // The runner.
    row("limit-player", Ruins, "processes", Refused),
    row("limit-guard", Ruins, "processes", Refused),
    row("interrupt-guard", Ruins, "processes", Refused),
    row("stop-keeper", Ruins, "processes", Refused),
    row("kill-keeper", Ruins, "processes", Refused),
    row("stop-player", Ruins, "processes", Refused),
    row("kill-player", Ruins, "processes", Refused),
    row("stop-guard", Ruins, "processes", Refused),
    row("kill-guard", Ruins, "processes", Refused),
    row("forge", Ruins, "processes", Refused),
    row("kill-all={namespace}", InNamespace, "processes", Refused),
    // The run's files.
    row("read-log", Together, "files", Refused),
    row("write-log", Together, "files", Refused),
    row("litter-run", Together, "files", Refused),
    row("lock-log", Ruins, "files", Refused),
    row("pipe-standings", Ruins, "files", Refused),
    row("pose", Ruins, "files", Refused),
    row("close-run", Ruins, "files", Refused),
    row("remove-run", Ruins, "files", Refused),
    // Files of others.
    row("list={place}/other", Together, "files", Refused),
    row("read-file={place}/secret", Together, "files", Refused),
    row("write-file={place}/secret", Together, "files", Refused),
    // What is left out of its own directory.
    row("read-file={place}/agent/.env", Together, "files", Refused),
    row("read-file={place}/agent/.git/config", Together, "files", Refused),
    row(
        "read-file={place}/agent/__pycache__/agent.pyc",
        Together,
        "files",
        Refused,
    ),
    row("read-file={place}/agent/link", Together, "files", Refused),
    row("plant={place}/stockfish", Together, "files", Own),
    row("open-by-number={place}/secret", WhereItCan, "files", Refused),
    row("lease={place}/agent/words", Together, "files", Refused),
    row("close-file={place}/agent/words", Together, "files", Refused),
    row("attribute={place}/other/net", WhereItCan, "files", Refused),
    row("watch={place}/other", Together, "files", Refused),
    row("change-user={place}/id", WhereItCan, "files", Refused),
    row("litter=/tmp", Together, "files", Own),
    row("litter=/var/tmp", Together, "files", Own),
    row("litter=/dev/shm", Together, "ipc", Own),
    row("fill=32", Together, "files", Own),
    // The organizer's terminal.
    row("write-terminal", Together, "files", Refused),
    row("open-terminals", Together, "files", Refused),
    row("type-key=/dev/tty", WhereItCan, "files", Refused),
    row("tmux={place}/typed", Together, "network", Refused),
    // Sockets.
    row("tcp={tcp}", Together, "network", Refused),
    row("udp={udp}", Together, "network", Refused),
    row("ipv6", WhereItCan, "network", Refused),
    row("packet", WhereItCan, "network", Refused),
    row("netlink", WhereItCan, "network", Refused),
    row("abstract={abstract}", Together, "network", Refused),
    row("own-abstract", Together, "network", Refused),
    row("socket={place}/socket", Together, "network", Refused),
    row("io-uring", WhereItCan, "network", Refused),
    row("pair-of-others", WhereItCan, "network", Refused),
    row("widen-socket", Together, "memory", Refused),
    row("pass-descriptor", Together, "memory", Refused),
    row("socketpair", Together, "network", Harmless),
    // What agents at two boards could tell each other by.
    row("watch=/usr/bin", Together, "files", Refused),
    row("lock-byte=/dev/null", Together, "files", WhereSealed),
    row("lock-byte=/usr/bin/env", Together, "files", WhereSealed),
    row("lock-file=/usr/bin/env", Together, "files", WhereSealed),
    row("find-lock=/dev/null", Together, "files", WithOwnDevices),
    row("touch=/dev/null", WhereItCan, "files", WhereSealed),
    row("see-room=.", Together, "files", WhereSealed),
    row("see-figure=/proc/stat", Together, "processes", InNamespaces),
    row("see-figure=/proc/uptime", Together, "processes", InNamespaces),
    // What belongs to no process.
    row("sysv-segment", WhereItCan, "ipc", Refused),
    row("sysv-semaphore", WhereItCan, "ipc", Refused),
    row("sysv-queue", WhereItCan, "ipc", Refused),
    row("posix-queue", WhereItCan, "ipc", Refused),
    // The machine.
    row("become-root", WhereItCan, "processes", Refused),
    row("clone-namespace", WhereItCan, "processes", Refused),
    row("mount", WhereItCan, "files", Refused),
    row("list=/sys/fs/cgroup", WhereItCan, "files", Refused),
    row("leave-group", WhereItCan, "files", Refused),
    row("choose-cores", WhereItCan, "cpu", Refused),
    row("keep-core", WhereItCan, "cpu", Refused),
    row("reserve", WhereItCan, "files", Refused),
    row("lend-pages", WhereItCan, "memory", Refused),
    row("make-rules", WhereItCan, "memory", Refused),
    row("filter-itself", WhereItCan, "memory", Refused),
    row("take-requests", WhereItCan, "memory", Refused),
    row("widen-pipe", WhereItCan, "memory", Refused),
    row("spare-itself", Together, "memory", Refused),
    row("swell=64", Together, "memory", Harmless),
    row("multiply=40", Together, "pids", Harmless),
    row("outlive", Together, "kill", Harmless),
];
