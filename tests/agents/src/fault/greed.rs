//! Faults that use up what the machine has.
#![expect(clippy::disallowed_methods, reason = "it takes threads and files of its own")]

use std::fs::{self, File};
use std::hint;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use rustix::fs::{FallocateFlags, MemfdFlags, fallocate, memfd_create};
use rustix::io::Errno;
use rustix::process::{DumpableBehavior, set_dumpable_behavior};

const MEGABYTE: usize = 1 << 20;
/// Megabytes that are taken, of memory or of the disk.
const MEGABYTES: usize = 300;
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
