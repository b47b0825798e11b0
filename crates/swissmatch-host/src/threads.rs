//! Threads: the one place that starts them. What the machine refuses is an error with a sentence, never a panic.

use std::hint::black_box;
use std::io;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// What must be free for a thread besides its stack: one that is started into the last of the memory ends the whole program at
/// its first words. Of this size every allocation is the kernel's own answer.
const SPARE: usize = 33 * 1024 * 1024;

/// Starts a thread.
///
/// # Errors
/// When the machine gives none.
pub fn start<T: Send + 'static>(
    name: impl Into<String>,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    one_at_a_time(|begun| {
        let work = move || {
            begun.say();
            work()
        };
        Builder::new().name(name.into()).spawn(work)
    })
}

/// Starts a thread that ends within `scope`, and is called as the one that starts it: what it does is done for that one.
///
/// # Errors
/// When the machine gives none.
pub fn start_in<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    one_at_a_time(|begun| {
        let work = move || {
            begun.say();
            work()
        };
        let mut builder = Builder::new();
        if let Some(name) = std::thread::current().name() {
            builder = builder.name(name.to_owned());
        }
        builder.spawn_scoped(scope, work)
    })
}

/// Makes the threads that share long computations, before anybody computes.
///
/// # Errors
/// When the machine gives none.
pub fn start_for_computing() -> io::Result<()> {
    rayon::ThreadPoolBuilder::new()
        .spawn_handler(|thread| start("computing", move || thread.run()).map(drop))
        .build_global()
        .map_err(io::Error::other)
}

/// Only when a thread has what it begins with does the next one ask whether there is room: two that both found the same room
/// would not both have it.
fn one_at_a_time<T>(spawn: impl FnOnce(ThreadStartSender) -> io::Result<T>) -> io::Result<T> {
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    has_room()?;
    let (says, heard) = mpsc::channel();
    let thread = spawn(ThreadStartSender(says)).map_err(refused)?;
    let _ = heard.recv();
    Ok(thread)
}

/// In a new thread: tells that it has its stacks and its part of the heap.
struct ThreadStartSender(mpsc::Sender<Box<u8>>);

impl ThreadStartSender {
    fn say(self) {
        let first_of_its_heap = black_box(Box::new(0));
        let _ = self.0.send(first_of_its_heap);
    }
}

fn has_room() -> io::Result<()> {
    let mut spare = Vec::<u8>::new();
    let reserved = spare.try_reserve_exact(SPARE);
    black_box(&spare);
    reserved.map_err(|error| refused(error.into()))
}

fn refused(error: io::Error) -> io::Error {
    let bound = match error.kind() {
        io::ErrorKind::OutOfMemory => "`ulimit -v` bounds memory",
        _ => "`ulimit -u` bounds processes and threads",
    };
    let message = format!("this machine does not allow another thread: {error}; {bound}");
    io::Error::new(error.kind(), message)
}
