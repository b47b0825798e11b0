//! The patterns behind the word `built-in`: what tools print when a program is wrong, each with its tool.
//!
//! Patterns are only ever added, because a stored game names those that were found in it. A pattern is a text that a
//! sound program does not print; if a tool prints several lines for one fault, the pattern is in all of them.

/// The word of `engine.alarms` that stands for all of these.
pub const BUILT_IN_WORD: &str = "built-in";

pub const BUILT_IN: [&str; 32] = [
    // Sanitizers of clang and gcc, HWASan among them: "==7==ERROR: AddressSanitizer: heap-use-after-free …", "WARNING:
    // ThreadSanitizer: data race …". All but UBSan and TSan end the process by default; these two play on.
    "AddressSanitizer",
    "ThreadSanitizer",
    "MemorySanitizer",
    "LeakSanitizer",
    "UndefinedBehaviorSanitizer",
    // UBSan, which prints no name by default: "search.cpp:3:5: runtime error: signed integer overflow …".
    "runtime error: ",
    // Valgrind.
    "Invalid read of size",
    "Invalid write of size",
    "depends on uninitialised value",
    // assert() of glibc, musl, macOS, Windows and libstdc++, AssertionError of Java and Python; "assertion failed" of Rust and others.
    "Assertion",
    "assertion failed",
    "assertion `",
    // Rust, also where a thread dies and the process plays on.
    "panicked at",
    "has overflowed its stack",
    // Go, and Zig ("thread 7 panic: index out of bounds"); Go's race detector, which plays on.
    "panic: ",
    "fatal error: ",
    "WARNING: DATA RACE",
    // Swift.
    "Fatal error: ",
    // C++: an exception that nobody caught.
    "terminate called",
    "libc++abi: terminating",
    "pure virtual method called",
    // What glibc finds in memory or on the stack before it ends the process.
    "double free",
    "free(): invalid",
    "malloc(): ",
    "munmap_chunk(): ",
    "corrupted size vs. prev_size",
    "stack smashing detected",
    "buffer overflow detected",
    // Java, whose other threads play on; .NET and Mono; Python.
    "Exception in thread ",
    "Unhandled exception",
    "Unhandled Exception",
    "Traceback (most recent call last)",
];
