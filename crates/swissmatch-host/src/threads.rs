//! Threads: the only place that starts them. If the machine refuses one, that is an error with a sentence, never a
//! panic.

use std::hint::black_box;
use std::io;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc;
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// The memory that must be free for a thread besides its stack: one started in the last of the memory would end the
/// whole program at its first words. The kernel itself answers every allocation of this size.
const SPARE: usize = 33 * 1024 * 1024;

/// Starts a thread.
///
/// # Errors
/// The machine has no thread for it.
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

/// Starts a thread that ends within `scope` and has the name of the one that starts it, because it works for that one.
///
/// # Errors
/// The machine has no thread for it.
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

/// Starts the threads that share long computations, before anything is computed.
///
/// # Errors
/// The machine has no threads for it.
pub fn start_for_computing() -> io::Result<()> {
    rayon::ThreadPoolBuilder::new()
        .spawn_handler(|thread| start("computing", move || thread.run()).map(drop))
        .build_global()
        .map_err(io::Error::other)
}

/// The next thread checks for room only when the one before has all that it begins with: two that found the same room
/// would not both get it.
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
