//! Faults that use up what the machine has.
#![expect(clippy::disallowed_methods, reason = "it takes threads and files of its own")]

use std::fs::{self, File};
use std::hint;
use std::io::{self, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::ptr;
use std::thread;
use std::time::Duration;

use rustix::event::{EventfdFlags, epoll};
use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

const MEGABYTE: usize = 1 << 20;
/// Megabytes that are taken, of memory or of the disk.
const MEGABYTES: usize = 300;
/// What a page table of the kernel, a page of its own, is for.
const TABLE: (usize, usize) = (4 << 10, 2 << 20);
/// Pairs of sockets that are taken.
const PAIRS: usize = 300;
/// Pipes that are taken.
const PIPES: usize = 1500;
/// Descriptors that are watched, and how often all of them together.
const WATCHED: usize = 2000;
const WATCHES: usize = 40_000;
/// Files that are made.
const NAMES: usize = 50_000;
/// Threads that are taken.
const THREADS: usize = 300;
/// How long what was taken is held before the answer.
const HELD: Duration = Duration::from_secs(2);
/// Where files are written.
const FILE: &str = "taken";

/// Memory of its own.
pub(super) fn memory() -> io::Result<()> {
    let taken: Vec<Vec<u8>> = (0..MEGABYTES).map(|_| vec![1; MEGABYTE]).collect();
    thread::sleep(HELD);
    hint::black_box(taken);
    Ok(())
}

/// Memory that no process has mapped.
pub(super) fn unmapped_memory() -> io::Result<()> {
    let mut taken = File::from(memfd_create("taken", MemfdFlags::CLOEXEC)?);
    fill(&mut taken)?;
    thread::sleep(HELD);
    Ok(())
}

/// The same, of a process that its user may not look at.
pub(super) fn hidden_memory() -> io::Result<()> {
    set_dumpable_behavior(DumpableBehavior::NotDumpable)?;
    unmapped_memory()
}

/// Shared memory that was written to, and that the process then has no more by its own account.
pub(super) fn shared_memory() -> io::Result<()> {
    let taken = Mapped::new(MEGABYTES * MEGABYTE, libc::MAP_SHARED)?;
    taken.touch_each(TABLE.0, true);
    taken.advise(libc::MADV_DONTNEED)?;
    thread::sleep(HELD);
    Ok(())
}

/// Memory of which nothing was written: the kernel has one page for all of it, and tables to find that.
pub(super) fn page_tables() -> io::Result<()> {
    let (table, span) = TABLE;
    let taken = Mapped::new(
        MEGABYTES * MEGABYTE / table * span,
        libc::MAP_PRIVATE | libc::MAP_NORESERVE,
    )?;
    taken.advise(libc::MADV_NOHUGEPAGE)?;
    taken.touch_each(span, false);
    thread::sleep(HELD);
    Ok(())
}

/// Sockets with as much in them as they take.
pub(super) fn sockets() -> io::Result<()> {
    let mut taken = Vec::new();
    for _ in 0..PAIRS {
        let (one, other) = UnixStream::pair()?;
        for mut socket in [&one, &other] {
            socket.set_nonblocking(true)?;
            while socket.write(&[1; 32 << 10]).is_ok() {}
        }
        taken.push((one, other));
    }
    thread::sleep(HELD);
    Ok(())
}

/// Pipes, with nothing in them.
pub(super) fn pipes() -> io::Result<()> {
    let taken: io::Result<Vec<_>> = (0..PIPES).map(|_| io::pipe()).collect();
    thread::sleep(HELD);
    taken.map(drop)
}

/// Lists of descriptors that the kernel watches.
pub(super) fn watches() -> io::Result<()> {
    let watched: io::Result<Vec<_>> = (0..WATCHED)
        .map(|_| Ok(rustix::event::eventfd(0, EventfdFlags::CLOEXEC)?))
        .collect();
    let watched: Vec<OwnedFd> = watched?;
    let mut lists = Vec::new();
    for _ in 0..WATCHES / WATCHED {
        let list = epoll::create(epoll::CreateFlags::CLOEXEC)?;
        for one in &watched {
            epoll::add(&list, one, epoll::EventData::new_u64(0), epoll::EventFlags::IN)?;
        }
        lists.push(list);
    }
    thread::sleep(HELD);
    Ok(())
}

/// Files without content.
pub(super) fn names() -> io::Result<()> {
    let place = format!("/tmp/taken-{}", std::process::id());
    fs::create_dir(&place)?;
    for number in 0..NAMES {
        match File::create(format!("{place}/{number}")) {
            // Others may need the room, where this is no place of its own.
            Err(error) if error.kind() == ErrorKind::StorageFull => break,
            made => drop(made?),
        }
    }
    thread::sleep(HELD);
    fs::remove_dir_all(place)
}

/// Memory as the kernel gives it, given back when it is dropped.
struct Mapped {
    begin: *mut u8,
    length: usize,
}

#[expect(unsafe_code, reason = "memory that is mapped otherwise than the library does it")]
impl Mapped {
    fn new(length: usize, flags: libc::c_int) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: a new mapping at a place of the kernel's choice; nothing else is there.
        let begin = unsafe { libc::mmap(ptr::null_mut(), length, access, flags | libc::MAP_ANONYMOUS, -1, 0) };
        match begin {
            libc::MAP_FAILED => Err(io::Error::last_os_error()),
            begin => Ok(Self {
                begin: begin.cast(),
                length,
            }),
        }
    }

    fn touch_each(&self, step: usize, writes: bool) {
        for at in (0..self.length).step_by(step) {
            // SAFETY: within the mapping, which nobody else knows of.
            unsafe {
                let byte = self.begin.add(at);
                match writes {
                    true => byte.write_volatile(1),
                    false => drop(hint::black_box(byte.read_volatile())),
                }
            }
        }
    }

    fn advise(&self, how: libc::c_int) -> io::Result<()> {
        // SAFETY: the whole mapping, of which nothing is used afterwards but what is read anew.
        match unsafe { libc::madvise(self.begin.cast(), self.length, how) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

#[expect(unsafe_code, reason = "memory that is mapped otherwise than the library does it")]
impl Drop for Mapped {
    fn drop(&mut self) {
        // SAFETY: the mapping that was made, of which nobody knows any more.
        unsafe { libc::munmap(self.begin.cast(), self.length) };
    }
}

/// Threads that do nothing, or as many of them as it is given.
pub(super) fn threads() {
    let start = || {
        thread::Builder::new()
            .stack_size(64 << 10)
            .spawn(|| thread::sleep(HELD))
    };
    (0..THREADS).take_while(|_| start().is_ok()).count();
    thread::sleep(HELD);
}

/// The disk.
pub(super) fn disk() -> io::Result<()> {
    fill(&mut File::create(FILE)?)?;
    thread::sleep(HELD);
    fs::remove_file(FILE)
}

/// The disk, in a file that nobody finds, written by processes whose counts nobody gets.
pub(super) fn unnamed_disk() -> io::Result<()> {
    let file = File::create(FILE)?;
    fs::remove_file(FILE)?;
    for _ in 0..MEGABYTES / 10 {
        let mut writes = Command::new("head");
        let mut writes = writes
            .args(["-c", "10000000", "/dev/zero"])
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .spawn()?;
        // Where the end of children is ignored, it has ended when there is none to wait for.
        let _ = writes.wait();
    }
    thread::sleep(HELD);
    Ok(())
}

/// The disk, without writing; it goes on where nobody gives it so.
pub(super) fn disk_at_once() -> io::Result<()> {
    let file = File::create(FILE)?;
    match fallocate(&file, FallocateFlags::empty(), 0, (MEGABYTES * MEGABYTE) as u64) {
        Err(Errno::OPNOTSUPP) => Ok(()),
        Err(other) => Err(other.into()),
        Ok(()) => Err(io::Error::other("it is given")),
    }
}

fn fill(file: &mut File) -> io::Result<()> {
    let chunk = vec![1; MEGABYTE];
    (0..MEGABYTES).try_for_each(|_| file.write_all(&chunk))
}
