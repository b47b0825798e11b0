//! How much memory processes hold, wherever the kernel has it: their own, what they share, page tables, sockets, and file systems in memory.
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

/// What a file or directory without content takes in a file system in memory: its inode and its name.
const EMPTY_FILE: u64 = 1024;

/// How the kernel shows files without a name in memory.
const NAMELESS: [&[u8]; 2] = [b"/dev/zero (deleted)", b"/memfd:"];

/// A file that is no file of a directory: its file system and its number there.
type File = (u64, u64);

/// Places in memory that an agent has for itself, each with the file system that everybody else has there.
#[derive(Debug)]
pub(super) struct Places(Vec<(&'static str, Option<u64>)>);

impl Places {
    /// Those at these paths.
    pub(super) fn new(paths: &'static [&'static str]) -> Self {
        let everybodys = |path: &str| rustix::fs::stat(path).ok().map(|stat| stat.st_dev);
        Self(paths.iter().map(|&path| (path, everybodys(path))).collect())
    }

    /// How many bytes of memory these have together, with what lies in the places. What several of them share is counted once where
    /// that decides whether it is more than `most`.
    pub(super) fn held_by(&self, all: &[Pid], most: u64) -> u64 {
        let found = Found::of(all);
        let files = found.files.values().sum::<u64>();
        let beside = self.filled(all) + found.sockets * most_in_a_socket();
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

/// Bytes of a process: in memory, put on a disk by the machine, and of its page tables.
pub(super) fn held(of: Pid) -> Option<u64> {
    let counts = status(of)?;
    let count = |name| kibibytes(&counts, name).unwrap_or(0);
    Some(count("VmRSS:") + count("VmSwap:") + count("VmPTE:"))
}

/// What the kernel tells of a process that has memory.
fn status(of: Pid) -> Option<String> {
    of_memory(of, |thread| {
        let status = fs::read_to_string(thread.join("status")).ok()?;
        status.contains("VmRSS:").then_some(status)
    })
}

/// The memory of a process, of what is shared by several its part.
#[derive(Clone, Copy, Debug)]
struct Parts {
    all: u64,
    /// What is in files in memory; part of it all.
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
        let rolled_up = fs::read_to_string(thread.join("smaps_rollup")).ok()?;
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

/// A figure of a list of names and numbers of kB, in bytes.
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

/// What processes have mapped or open that is no part of the memory that the kernel shows of them.
#[derive(Debug, Default)]
struct Found {
    /// Bytes of files in memory that have no name there, also of shared memory without one (`MAP_ANONYMOUS`).
    files: BTreeMap<File, u64>,
    sockets: u64,
}

impl Found {
    fn of(all: &[Pid]) -> Self {
        let mut found = Self::default();
        let mut sockets = BTreeSet::new();
        for pid in all {
            found.add_mapped(*pid);
        }
        for pid in all {
            let open = fs::read_dir(of_process(*pid).join("fd"));
            for descriptor in open.into_iter().flatten().flatten().map(|entry| entry.path()) {
                let leads_to = fs::read_link(&descriptor).unwrap_or_default();
                let leads_to = leads_to.to_string_lossy();
                if leads_to.starts_with("socket:") {
                    sockets.insert(leads_to.into_owned());
                } else if leads_to.starts_with("/memfd:")
                    && let Ok(file) = fs::metadata(&descriptor)
                {
                    found.files.insert((file.dev(), file.ino()), file.blocks() * 512);
                }
            }
        }
        found.sockets = sockets.len() as u64;
        found
    }

    /// What a process has mapped of files without a name. All of such a file may be in memory, whatever part of it is mapped: what it
    /// holds only a superuser is told, to others it is as long as its mapped part.
    fn add_mapped(&mut self, pid: Pid) {
        let of = of_process(pid);
        let maps = fs::read(of.join("maps")).unwrap_or_default();
        // Most have none, and a swarm is to be looked at quickly.
        if NAMELESS.iter().all(|name| memmem::find(&maps, name).is_none()) {
            return;
        }
        let maps = String::from_utf8_lossy(&maps);
        for Mapped { addresses, file, end } in maps.lines().filter_map(mapped) {
            let (from, to) = addresses;
            let told = fs::metadata(of.join(format!("map_files/{from:x}-{to:x}")));
            let bytes = told.map_or(end, |file| file.blocks() * 512);
            let known = self.files.entry(file).or_default();
            *known = bytes.max(*known);
        }
    }
}

/// A file without a name in memory, as a process has mapped it.
#[derive(Debug)]
struct Mapped {
    addresses: (u64, u64),
    file: File,
    /// Where in the file the mapping ends.
    end: u64,
}

/// That, by a line of `/proc/PID/maps`.
fn mapped(line: &str) -> Option<Mapped> {
    // ADDRESSES MODE OFFSET DEVICE INODE NAME
    let mut words = line.split_ascii_whitespace();
    let (addresses, mode, offset) = (words.next()?, words.next()?, words.next()?);
    let (device, inode, name) = (words.next()?, words.next()?, words.next()?);
    let has_no_name = name.starts_with("/memfd:") || (name == "/dev/zero" && words.next() == Some("(deleted)"));
    if !mode.ends_with('s') || !has_no_name {
        return None;
    }
    let hex = |word| u64::from_str_radix(word, 16).ok();
    let (from, to) = addresses.split_once('-')?;
    let addresses = (hex(from)?, hex(to)?);
    let (major, minor) = device.split_once(':')?;
    let device = |word| u32::from_str_radix(word, 16).ok();
    let device = rustix::fs::makedev(device(major)?, device(minor)?);
    Some(Mapped {
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
        assert_eq!(Places::new(&["/tmp", "/dev/shm"]).filled(&[own]), 0);
        // As it looks where the agent has it for itself.
        assert!(Places(vec![("/", None)]).filled(&[own]) > 0);
    }

    #[test]
    fn files_without_a_name_in_memory_count_once() {
        let own = rustix::process::getpid();
        let file = rustix::fs::memfd_create("meter", rustix::fs::MemfdFlags::CLOEXEC).expect("a file in memory");
        let _other = file.try_clone().expect("a descriptor");
        rustix::io::write(&file, &[7; 100_000]).expect("there is room");
        let data = rustix::fs::fstat(&file).expect("it is there");
        let held = Found::of(&[own, own]).files[&(data.st_dev, data.st_ino)];
        assert!((100_000..200_000).contains(&held), "{held}");
    }

    #[test]
    fn each_socket_counts_once() {
        let own = rustix::process::getpid();
        let before = Found::of(&[own]).sockets;
        let pairs: Vec<_> = (0..50).map(|_| UnixStream::pair().expect("sockets")).collect();
        let after = Found::of(&[own, own]).sockets;
        drop(pairs);
        // Other tests may run beside this one.
        assert!((before + 80..before + 120).contains(&after), "{before}, {after}");
    }

    #[test]
    fn shared_memory_without_a_name_is_as_long_as_it_is_mapped() {
        let told = |line| mapped(line).map(|Mapped { file, end, .. }| (file, end));
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
            // Its own copy, a device, a file, memory of its own.
            (
                "7f0000000000-7f0000001000 rw-p 00000000 00:01 9 /memfd:x (deleted)",
                None,
            ),
            ("7f0000000000-7f0000001000 rw-s 00000000 00:06 5 /dev/zero", None),
            ("7f0000000000-7f0000001000 r--s 00000000 fe:01 5 /usr/lib/x", None),
            ("7f0000000000-7f0000001000 rw-p 00000000 00:00 0 ", None),
        ] {
            assert_eq!(told(line), expected, "{line}");
        }
    }

    #[test]
    fn page_tables_and_what_is_on_a_disk_are_memory_too() {
        let status = "VmRSS:\t    1024 kB\nVmPTE:\t      40 kB\nVmSwap:\t       8 kB\n";
        let of = |name| kibibytes(status, name);
        assert_eq!([of("VmPTE:"), of("VmSwap:")], [Some(40 << 10), Some(8 << 10)]);
        assert!(held(rustix::process::getpid()).is_some_and(|bytes| bytes > 4096));
    }
}
