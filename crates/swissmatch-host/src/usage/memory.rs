//! How much memory processes hold, wherever the kernel has it: their own, what they share, page tables, sockets, pipes, what it notes of
//! mappings and descriptors, and file systems in memory; and what files without a name hold of a disk.
//!
//! May not: judge.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::OnceLock;

use memchr::memmem;
use rustix::fs::{Mode, OFlags};
use rustix::process::Pid;

use super::of_process;
use crate::proc;

/// What an empty file or directory takes in a file system in memory: its inode and its name.
const EMPTY_FILE: u64 = 1024;

/// The least that the kernel needs for each mapping and each descriptor.
const MAPPING: u64 = 256;
const DESCRIPTOR: u64 = 1024;
/// The most that waits in a pipe of the default size.
const PIPE: u64 = 64 << 10;

/// How the kernel marks files without a name, or whose name has gone.
const UNNAMED: &str = " (deleted)";

/// A file that is no file of a directory: its file system and its number there.
type File = (u64, u64);

/// Places in memory that an agent has for itself, each with the file system that everybody else has there.
#[derive(Debug)]
pub(super) struct MemoryFileSystems(Vec<(&'static str, Option<u64>)>);

impl MemoryFileSystems {
    /// The places at these paths.
    pub(super) fn new(paths: &'static [&'static str]) -> Self {
        let everybodys = |path: &str| rustix::fs::stat(path).ok().map(|stat| stat.st_dev);
        Self(paths.iter().map(|&path| (path, everybodys(path))).collect())
    }

    /// How many bytes of memory these have together, with what was found of them and what lies in the places. What several of them share
    /// is counted once where that decides whether it is more than `most`.
    pub(super) fn held_by(&self, all: &[Pid], found: &HiddenMemory, most: u64) -> u64 {
        let files = found.files.values().sum::<u64>();
        let beside = self.filled(all) + found.noted + found.in_sockets_and_pipes();
        if beside > most {
            return beside;
        }
        let at_most = all.iter().filter_map(|pid| held(*pid)).sum::<u64>() + files + beside;
        if at_most <= most {
            return at_most;
        }
        let parts: Vec<Parts> = all.iter().filter_map(|pid| parts(*pid)).collect();
        let sum = |of: fn(&Parts) -> u64| -> u64 { parts.iter().map(of).sum() };
        // What is seen in memory of these files is among what is shared.
        let unseen = files.saturating_sub(sum(|part| part.shared));
        sum(|part| part.all + part.swapped + part.tables) + unseen + beside
    }

    /// What lies in these places. Processes around the agent have everybody's there, such as the one that waits for its end, and so
    /// has the agent's until it is shut in.
    fn filled(&self, all: &[Pid]) -> u64 {
        let seen_by = |pid: &Pid, path: &str, everybodys: Option<u64>| {
            let path = of_process(*pid).join("root").join(path.trim_start_matches('/'));
            let place = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
            let is_its_own = Some(rustix::fs::fstat(&place).ok()?.st_dev) != everybodys;
            let found = rustix::fs::fstatvfs(&place).ok().filter(|_| is_its_own)?;
            let content = found.f_blocks.saturating_sub(found.f_bfree) * found.f_frsize;
            Some(content + found.f_files.saturating_sub(found.f_ffree) * EMPTY_FILE)
        };
        let of_place = |(path, everybodys): &(&str, Option<u64>)| {
            let seen_by = |pid| seen_by(pid, path, *everybodys);
            all.iter().rev().find_map(seen_by)
        };
        self.0.iter().filter_map(of_place).sum()
    }
}

/// Bytes of a process: in memory, swapped out, and in its page tables.
pub(super) fn held(of: Pid) -> Option<u64> {
    let counts = status(of)?;
    let count = |name| kibibytes(&counts, name).unwrap_or(0);
    Some(count("VmRSS:") + count("VmSwap:") + count("VmPTE:"))
}

/// The kernel's status of a process that has memory.
fn status(of: Pid) -> Option<String> {
    of_memory(of, |thread| {
        let status = proc::text(thread.join("status")).ok()?;
        status.contains("VmRSS:").then_some(status)
    })
}

/// The memory of a process, with its part of shared memory.
#[derive(Clone, Copy, Debug)]
struct Parts {
    all: u64,
    /// The part in files in memory.
    shared: u64,
    swapped: u64,
    tables: u64,
}

/// All of it where the kernel does not tell its part.
fn parts(of: Pid) -> Option<Parts> {
    let status = status(of)?;
    let count = |name| kibibytes(&status, name).unwrap_or(0);
    let whole = Parts {
        all: count("VmRSS:"),
        shared: 0,
        swapped: count("VmSwap:"),
        tables: count("VmPTE:"),
    };
    let told = of_memory(of, |thread| {
        let rolled_up = proc::text(thread.join("smaps_rollup")).ok()?;
        let part = |name| kibibytes(&rolled_up, name);
        Some(Parts {
            all: part("Pss:")?,
            shared: part("Pss_Shmem:").unwrap_or(0),
            swapped: part("SwapPss:").unwrap_or(0),
            ..whole
        })
    });
    Some(told.unwrap_or(whole))
}

/// A figure in a list of names and numbers of kB, in bytes.
fn kibibytes(list: &str, name: &str) -> Option<u64> {
    // The first line is no figure, and may have any text in it.
    let at = memmem::find(list.as_bytes(), format!("\n{name}").as_bytes())?;
    let (_, line) = list[at + 1..].split_once(':')?;
    let (figure, _) = line.split_once("kB")?;
    Some(figure.trim().parse::<u64>().ok()? * 1024)
}

/// What is told of the memory of a process: by the process itself or, where its first thread has ended and tells nothing, by
/// another of its threads.
fn of_memory<T>(of: Pid, told: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let process = of_process(of);
    told(&process).or_else(|| {
        let threads = fs::read_dir(process.join("task")).ok()?;
        threads.flatten().find_map(|thread| told(&thread.path()))
    })
}

/// The most that waits in a socket, with what the kernel needs for it: it takes one message more than its buffer has room for.
fn most_in_a_socket() -> u64 {
    static MOST: OnceLock<u64> = OnceLock::new();
    *MOST.get_or_init(|| {
        let buffer = fs::read_to_string("/proc/sys/net/core/wmem_default").unwrap_or_default();
        2 * buffer.trim().parse().unwrap_or(212_992)
    })
}

/// What each descriptor counts that another one watches (`epoll`): the kernel needs 256 bytes or so, and gives all processes of a user so
/// many of them. Whoever would take all of these has taken all memory.
fn watched() -> u64 {
    static EACH: OnceLock<u64> = OnceLock::new();
    *EACH.get_or_init(|| {
        let most = fs::read_to_string("/proc/sys/fs/epoll/max_user_watches").unwrap_or_default();
        let most = most.trim().parse::<u64>().unwrap_or(u64::MAX).max(1);
        (crate::machine::memory().unwrap_or(0) / most).max(256)
    })
}

/// What processes have mapped or open that does not show in their memory figures.
#[derive(Debug, Default)]
pub(super) struct HiddenMemory {
    /// Bytes of files in memory that have no name there, also of shared memory without one (`MAP_ANONYMOUS`).
    files: BTreeMap<File, u64>,
    /// The same of files where agents write, which is a disk or takes the place of one.
    unnamed: BTreeMap<File, u64>,
    sockets: BTreeSet<String>,
    pipes: BTreeSet<String>,
    /// Bytes that the kernel needs for mappings and descriptors.
    noted: u64,
}

impl HiddenMemory {
    /// What these have that write on these file systems; where that is more than `enough` no more is looked for.
    pub(super) fn of(all: &[Pid], written: &[u64], enough: u64) -> Self {
        let mut found = Self::default();
        for pid in all {
            found.add_mapped(*pid, written);
            found.add_open(*pid, written);
            if found.noted > enough {
                break;
            }
        }
        found
    }

    /// Bytes of disk in files that no longer have a name.
    pub(super) fn on_disk(&self) -> u64 {
        self.unnamed.values().sum()
    }

    fn in_sockets_and_pipes(&self) -> u64 {
        self.sockets.len() as u64 * most_in_a_socket() + self.pipes.len() as u64 * PIPE
    }

    fn add_open(&mut self, pid: Pid, written: &[u64]) {
        let open = fs::read_dir(of_process(pid).join("fd"));
        for descriptor in open.into_iter().flatten().flatten().map(|entry| entry.path()) {
            self.noted += DESCRIPTOR;
            let leads_to = fs::read_link(&descriptor).unwrap_or_default();
            let leads_to = leads_to.to_string_lossy();
            if leads_to.starts_with("socket:") {
                self.sockets.insert(leads_to.into_owned());
            } else if leads_to.starts_with("pipe:") {
                self.pipes.insert(leads_to.into_owned());
            } else if leads_to == "anon_inode:[eventpoll]" {
                let name = descriptor.file_name().unwrap_or_default();
                let list = fs::read(of_process(pid).join("fdinfo").join(name)).unwrap_or_default();
                self.noted += watched() * memmem::find_iter(&list, b"\ntfd:").count() as u64;
            } else if let Some(kind) = NamelessFileKind::of(&leads_to)
                && let Ok(file) = fs::metadata(&descriptor)
                && file.nlink() == 0
                && let Some(kind) = kind.on(written.contains(&file.dev()) || is_on_disk(&descriptor))
            {
                self.files_of(kind)
                    .insert((file.dev(), file.ino()), file.blocks() * 512);
            }
        }
    }

    const fn files_of(&mut self, kind: NamelessFileKind) -> &mut BTreeMap<File, u64> {
        match kind {
            NamelessFileKind::InMemory => &mut self.files,
            NamelessFileKind::Unnamed => &mut self.unnamed,
        }
    }

    /// What a process has mapped of files without a name. All of such a file may be in memory, whatever part of it is mapped: what it
    /// holds only a superuser is told, to others it is as long as its mapped part.
    fn add_mapped(&mut self, pid: Pid, written: &[u64]) {
        let of = of_process(pid);
        let maps = proc::read(of.join("maps")).unwrap_or_default();
        self.noted += MAPPING * memchr::memchr_iter(b'\n', &maps).count() as u64;
        // Most have none, and a swarm is to be looked at quickly.
        if memmem::find(&maps, UNNAMED.as_bytes()).is_none() {
            return;
        }
        let maps = String::from_utf8_lossy(&maps);
        for mapped in maps.lines().filter_map(|line| mapped(line, written)) {
            let (from, to) = mapped.addresses;
            let told = fs::metadata(of.join(format!("map_files/{from:x}-{to:x}")));
            let bytes = told.map_or(mapped.end, |file| file.blocks() * 512);
            let known = self.files_of(mapped.kind).entry(mapped.file).or_default();
            *known = bytes.max(*known);
        }
    }
}

/// The kind of a file without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamelessFileKind {
    /// In memory, where it never had a name.
    InMemory,
    /// Removed from a directory.
    Unnamed,
}

impl NamelessFileKind {
    /// The kind, by what the kernel shows in place of a name.
    fn of(name: &str) -> Option<Self> {
        if name == "/dev/zero (deleted)" || name.starts_with("/memfd:") {
            return Some(Self::InMemory);
        }
        name.ends_with(UNNAMED).then_some(Self::Unnamed)
    }

    /// What it is where that is known to be on a disk or not, whatever its name was. One that was taken of a directory in memory which an
    /// agent has for itself counts with that.
    fn on(self, is_on_disk: bool) -> Option<Self> {
        match is_on_disk {
            true => Some(Self::Unnamed),
            false => Some(self).filter(|kind| *kind == Self::InMemory),
        }
    }
}

/// True if a file is not in a file system in memory.
fn is_on_disk(path: &Path) -> bool {
    let in_memory = [libc::TMPFS_MAGIC, libc::HUGETLBFS_MAGIC];
    rustix::fs::statfs(path).is_ok_and(|found| !in_memory.contains(&found.f_type))
}

/// A file without a name, as a process has mapped it to share it.
#[derive(Debug)]
struct NamelessFileMapping {
    kind: NamelessFileKind,
    addresses: (u64, u64),
    file: File,
    /// The offset in the file at which the mapping ends.
    end: u64,
}

/// That, by a line of `/proc/PID/maps` of one that writes on these file systems.
fn mapped(line: &str, written: &[u64]) -> Option<NamelessFileMapping> {
    // ADDRESSES MODE OFFSET DEVICE INODE NAME
    let mut rest = line;
    let mut word = || {
        let (word, after) = rest.split_once(' ')?;
        rest = after.trim_start_matches(' ');
        Some(word)
    };
    let (addresses, mode, offset) = (word()?, word()?, word()?);
    let (device, inode) = (word()?, word()?);
    let kind = NamelessFileKind::of(rest).filter(|_| mode.ends_with('s'))?;
    let hex = |word| u64::from_str_radix(word, 16).ok();
    let (from, to) = addresses.split_once('-')?;
    let addresses = (hex(from)?, hex(to)?);
    let (major, minor) = device.split_once(':')?;
    let number = |word| u32::from_str_radix(word, 16).ok();
    let (major, minor) = (number(major)?, number(minor)?);
    let device = rustix::fs::makedev(major, minor);
    // File systems in memory have no device of their own.
    Some(NamelessFileMapping {
        kind: kind.on(major != 0 || written.contains(&device))?,
        addresses,
        file: (device, inode.parse().ok()?),
        end: hex(offset)? + addresses.1.checked_sub(addresses.0)?,
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixStream;

    use super::*;

    #[test]
    fn what_everybody_has_is_nobodys_memory() {
        let own = rustix::process::getpid();
        assert_eq!(MemoryFileSystems::new(&["/tmp", "/dev/shm"]).filled(&[own]), 0);
        // As it looks where the agent has it for itself.
        assert!(MemoryFileSystems(vec![("/", None)]).filled(&[own]) > 0);
    }

    #[test]
    fn files_without_a_name_in_memory_count_once() {
        let own = rustix::process::getpid();
        let file = rustix::fs::memfd_create("meter", rustix::fs::MemfdFlags::CLOEXEC).expect("a file in memory");
        let _other = file.try_clone().expect("a descriptor");
        rustix::io::write(&file, &[7; 100_000]).expect("there is room");
        let data = rustix::fs::fstat(&file).expect("it is there");
        let held = HiddenMemory::of(&[own, own], &[], u64::MAX).files[&(data.st_dev, data.st_ino)];
        assert!((100_000..200_000).contains(&held), "{held}");
    }

    #[test]
    fn each_socket_counts_once() {
        let own = rustix::process::getpid();
        let before = HiddenMemory::of(&[own], &[], u64::MAX).sockets.len();
        let pairs: Vec<_> = (0..50).map(|_| UnixStream::pair().expect("sockets")).collect();
        let after = HiddenMemory::of(&[own, own], &[], u64::MAX).sockets.len();
        drop(pairs);
        // Other tests may run beside this one.
        assert!((before + 80..before + 120).contains(&after), "{before}, {after}");
    }

    #[test]
    fn shared_memory_without_a_name_is_as_long_as_it_is_mapped() {
        let told = |line| {
            let NamelessFileMapping { kind, file, end, .. } = mapped(line, &[])?;
            (kind == NamelessFileKind::InMemory).then_some((file, end))
        };
        let device = rustix::fs::makedev(0, 1);
        for (line, expected) in [
            (
                "7f0000000000-7f0000200000 rw-s 00100000 00:01 1049 /dev/zero (deleted)",
                Some(((device, 1049), 0x30_0000)),
            ),
            (
                "7f0000000000-7f0000001000 r--s 00000000 00:01 9 /memfd:a b (deleted)",
                Some(((device, 9), 0x1000)),
            ),
            // Its own copy, a device, a file with and without a name, memory of its own.
            (
                "7f0000000000-7f0000001000 rw-p 00000000 00:01 9 /memfd:x (deleted)",
                None,
            ),
            ("7f0000000000-7f0000001000 rw-s 00000000 00:06 5 /dev/zero", None),
            ("7f0000000000-7f0000001000 r--s 00000000 fe:01 5 /usr/lib/x", None),
            ("7f0000000000-7f0000001000 rw-s 00000000 fe:01 5 /a b (deleted)", None),
            (
                "7f0000000000-7f0000001000 rw-s 00000000 fe:01 5 /memfd:a (deleted)",
                None,
            ),
            ("7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ", None),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
        let on_disk = mapped("7f0000000000-7f0000001000 rw-s 00001000 fe:01 5 /a b (deleted)", &[])
            .expect("a file without a name");
        assert_eq!((on_disk.kind, on_disk.end), (NamelessFileKind::Unnamed, 0x2000));
        let in_memory = "7f0000000000-7f0000001000 rw-s 00001000 00:2a 5 /tmp/a (deleted)";
        assert!(mapped(in_memory, &[]).is_none(), "it counts with its directory");
        let written = mapped(in_memory, &[rustix::fs::makedev(0, 0x2a)]).expect("a file without a name");
        assert_eq!((written.kind, written.end), (NamelessFileKind::Unnamed, 0x2000));
    }

    #[test]
    fn files_that_have_lost_their_name_count_with_what_they_hold() {
        let own = rustix::process::getpid();
        let mut file = tempfile::tempfile().expect("a file");
        std::io::Write::write_all(&mut file, &[7; 100_000]).expect("there is room");
        file.sync_all().expect("it is on its disk");
        let data = rustix::fs::fstat(&file).expect("it is there");
        let held = |written: &[u64]| {
            let found = HiddenMemory::of(&[own], written, u64::MAX);
            found.unnamed.get(&(data.st_dev, data.st_ino)).copied()
        };
        let is_on_disk = rustix::fs::fstatfs(&file).expect("a file system").f_type != libc::TMPFS_MAGIC;
        assert_eq!(held(&[]).is_some(), is_on_disk);
        let bytes = held(&[data.st_dev]).expect("it is where it may write");
        assert!((100_000..200_000).contains(&bytes), "{bytes}");
    }

    /// Each is some bytes of the kernel, and there may be many.
    #[test]
    fn mappings_descriptors_and_pipes_are_memory_too() {
        let own = rustix::process::getpid();
        let found = || HiddenMemory::of(&[own], &[], u64::MAX);
        let before = found();
        let pipes: Vec<_> = (0..50).map(|_| std::io::pipe().expect("a pipe")).collect();
        let epoll = rustix::event::epoll::create(rustix::event::epoll::CreateFlags::CLOEXEC).expect("a list");
        for (end, _) in &pipes {
            let watch = rustix::event::epoll::add(
                &epoll,
                end,
                rustix::event::epoll::EventData::new_u64(0),
                rustix::event::epoll::EventFlags::IN,
            );
            watch.expect("it is watched");
        }
        let after = found();
        // Other tests may run beside this one.
        assert!(
            (50..90).contains(&(after.pipes.len() - before.pipes.len())),
            "{before:?} {after:?}"
        );
        let least = 100 * DESCRIPTOR + 50 * watched();
        assert!(
            (least..least + 100_000).contains(&(after.noted - before.noted)),
            "{before:?} {after:?}"
        );
        assert!(found().noted >= 20 * MAPPING);
    }

    #[test]
    fn page_tables_and_what_is_on_a_disk_are_memory_too() {
        let status = "VmRSS:\t    1024 kB\nVmPTE:\t      40 kB\nVmSwap:\t       8 kB\n";
        let of = |name| kibibytes(status, name);
        assert_eq!([of("VmPTE:"), of("VmSwap:")], [Some(40 << 10), Some(8 << 10)]);
        assert!(held(rustix::process::getpid()).is_some_and(|bytes| bytes > 4096));
    }
}
